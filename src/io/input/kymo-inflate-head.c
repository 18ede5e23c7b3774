/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The begin of a gzip file without the rest, for a first look. zlib alone:
 * a few kilobytes are no work.
 */
#include "config.h"

#include "kymo-inflate.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Deflate cannot do better than 1 to this. */
#define MAX_RATIO 1032

/* The length that the last member claims (modulo 2^32), where it is about what
   the begin of the file lets expect; else that. */
static gint64
believe (guint32 claimed,
         double  expected)
{
  gint64 whole = G_GINT64_CONSTANT (1) << 32;
  gint64 turns = MAX ((gint64) ((expected - claimed) / (double) whole + 0.5), 0);
  gint64 bytes = turns * whole + claimed;

  return bytes > expected / 4 && bytes < expected * 4 ? bytes : (gint64) expected;
}

/**
 * kymo_inflate_head:
 * @fd: a file, open for reading; its position is not used
 * @size_bytes: of the file
 * @buffer: (out caller-allocates): where to
 * @room: bytes of @buffer
 * @plain_bytes: (out): how many bytes the whole file may inflate to, by the
 *   length at its end, or by its begin where that cannot be
 *
 * Returns: how many bytes of the first gzip member came; 0 where the file is
 * no gzip
 */
gsize
kymo_inflate_head (int     fd,
                   gint64  size_bytes,
                   char   *buffer,
                   gsize   room,
                   gint64 *plain_bytes)
{
  guint8 input[16 * 1024];
  guint32 claimed = 0;
  ssize_t n = pread (fd, input, sizeof input, 0);
  z_stream z = { 0 };
  gsize made, used;

  *plain_bytes = 0;
  if (n < 18 || input[0] != 0x1f || input[1] != 0x8b || inflateInit2 (&z, 15 + 16) != Z_OK)
    return 0;
  z.next_in = input;
  z.avail_in = n;
  z.next_out = (guint8 *) buffer;
  z.avail_out = room;
  inflate (&z, Z_SYNC_FLUSH);
  made = room - z.avail_out;
  used = n - z.avail_in;
  inflateEnd (&z);
  if (pread (fd, &claimed, sizeof claimed, size_bytes - (gint64) sizeof claimed)
      != sizeof claimed)
    claimed = 0;
  *plain_bytes = believe (GUINT32_FROM_LE (claimed),
                          MIN ((double) made / (double) MAX (used, 1), MAX_RATIO)
                          * (double) size_bytes);
  return made;
}
