/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-segment-out.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A multiple of KYMO_SEGMENT_ALIGN, small enough to stay in the cache of a
   core between being filled, hashed and written. */
#define BUFFER_BYTES (1 << 18)

static void
hash_buffer (KymoSegmentOut *out)
{
  kymo_hash_add (&out->hash, out->buffer + out->n_hashed, out->n - out->n_hashed);
  out->n_hashed = out->n;
}

static void
write_buffer (KymoSegmentOut *out)
{
  gsize done = 0;

  if (out->failed == 0 && g_cancellable_is_cancelled (out->cancellable))
    out->failed = ECANCELED;
  while (out->failed == 0 && done < out->n)
    {
      ssize_t n = pwrite (out->fd, out->buffer + done, out->n - done, out->offset + done);

      if (n > 0)
        done += n;
      else if (n == 0 || errno != EINTR)
        out->failed = n < 0 ? errno : EIO;
    }
  out->offset += out->n;
  out->n = out->n_hashed = 0;
}

/**
 * kymo_segment_out_init:
 * @fd: a file, open for writing; stays the caller's
 * @offset: where the first byte goes
 * @cancellable: (nullable): looked at every few hundred kilobytes
 */
void
kymo_segment_out_init (KymoSegmentOut *out,
                       int             fd,
                       guint64         offset,
                       GCancellable   *cancellable)
{
  *out = (KymoSegmentOut) { .fd = fd, .offset = offset, .cancellable = cancellable };
  out->buffer = g_malloc (BUFFER_BYTES);
  kymo_hash_init (&out->hash);
}

/**
 * kymo_segment_out_put:
 * @bytes: the next bytes of the file
 * @n_bytes: how many there are
 *
 * Hashes and writes bytes through a buffer. After a failure, which @out notes, nothing is
 * done.
 */
void
kymo_segment_out_put (KymoSegmentOut *out,
                      gconstpointer   bytes,
                      gsize           n_bytes)
{
  const guint8 *from = bytes;

  while (n_bytes > 0 && out->failed == 0)
    {
      gsize n = MIN (n_bytes, BUFFER_BYTES - out->n);

      memcpy (out->buffer + out->n, from, n);
      out->n += n;
      from += n;
      n_bytes -= n;
      if (out->n == BUFFER_BYTES)
        {
          hash_buffer (out);
          write_buffer (out);
        }
    }
}

/**
 * kymo_segment_out_pad:
 *
 * Fills up to whole stripes with zeros.
 */
void
kymo_segment_out_pad (KymoSegmentOut *out)
{
  static const guint8 zeros[KYMO_SEGMENT_ALIGN];
  gsize n = out->n % KYMO_SEGMENT_ALIGN;

  if (n > 0)
    kymo_segment_out_put (out, zeros, KYMO_SEGMENT_ALIGN - n);
}

/**
 * kymo_segment_out_end_hash:
 *
 * To be called after kymo_segment_out_pad().
 *
 * Returns: the hash of what was put since the hash before
 */
guint64
kymo_segment_out_end_hash (KymoSegmentOut *out)
{
  guint64 hash;

  hash_buffer (out);
  hash = kymo_hash_end (&out->hash);
  kymo_hash_init (&out->hash);
  return hash;
}

/**
 * kymo_segment_out_put_section:
 * @place: (out): where the section is, and the hash of it
 * @bytes: (nullable) (array length=n_bytes): the whole section
 *
 * Appends a section of the file, padded, and begins the hash of the next one.
 */
void
kymo_segment_out_put_section (KymoSegmentOut   *out,
                              KymoSegmentPlace *place,
                              gconstpointer     bytes,
                              gsize             n_bytes)
{
  place->offset = out->offset + out->n;
  place->n_bytes = n_bytes;
  kymo_segment_out_put (out, bytes, n_bytes);
  kymo_segment_out_pad (out);
  place->hash = kymo_segment_out_end_hash (out);
}

/**
 * kymo_segment_out_clear:
 *
 * Writes what is left and frees the buffer.
 *
 * Returns: 0, or the errno of what failed
 */
int
kymo_segment_out_clear (KymoSegmentOut *out)
{
  write_buffer (out);
  g_clear_pointer (&out->buffer, g_free);
  return out->failed;
}
