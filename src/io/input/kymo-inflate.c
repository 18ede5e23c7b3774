/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * zlib inflates in a stream, whatever the file holds. Where libdeflate was
 * found at build time (-Dinflate=), a file that is small, whole and sound is
 * inflated by it in one go, three times as fast; on the least doubt (a cut, a
 * wrong checksum, something behind the data, a length that lies) the stream
 * takes over from the first byte, so reports of damage do not depend
 * on how Kymo was built.
 */
#include "config.h"

#include "kymo-inflate.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "kymo-input.h"

#define INPUT_BYTES (256 * 1024)
#define LEAST_INPUT_BYTES 4096
/* In one go only what takes less than 50 ms, so that stopping is quick, and
   what two threads may well hold in memory. */
#define MAX_WHOLE_BYTES (32 * 1024 * 1024)
/* Deflate cannot do better than 1 to this: a length beyond it is a lie. */
#define MAX_RATIO 1032

struct _KymoInflate
{
  int            fd;
  gboolean       compressed;
  gboolean       in_member;     /* inside a gzip member */
  gboolean       stream_ready;
  KymoInflateEnd end;
  z_stream       z;
  guint8        *input;
  gsize          input_bytes;   /* room for a small file at once, else INPUT_BYTES */
  gint64         size_at_open;  /* of the file */
  gint64         n_read;        /* bytes of the file */
  gboolean       whole_tried;
  guint8        *whole;         /* all plain bytes, or NULL in a stream */
  gsize          whole_bytes;
  gsize          whole_used;
};

/* Bytes of the file; 0 at its end or on failure. */
static gsize
read_file (KymoInflate *self,
           guint8      *buffer,
           gsize        size,
           KymoJob     *job)
{
  ssize_t n;

  /* Another process may still write it, without end. */
  size = MIN (size, (gsize) MAX (self->size_at_open - self->n_read, 0));
  do
    n = read (self->fd, buffer, size);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    {
      self->end = KYMO_INFLATE_UNREADABLE;
      return 0;
    }
  self->n_read += n;
  kymo_job_advance (job, n);
  return n;
}

static gsize
fill_input (KymoInflate *self,
            KymoJob     *job)
{
  self->z.next_in = self->input;
  self->z.avail_in = read_file (self, self->input, self->input_bytes, job);
  return self->z.avail_in;
}

/**
 * kymo_inflate_open:
 * @path: a file, gzip or not
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the stream
 */
KymoInflate *
kymo_inflate_open (const char  *path,
                   GError     **error)
{
  KymoInflate *self;
  gint64 n_bytes;
  int fd = kymo_input_open (path, &n_bytes, error);

  if (fd < 0)
    return NULL;
  self = g_new0 (KymoInflate, 1);
  self->fd = fd;
  self->size_at_open = n_bytes;
  self->input_bytes = CLAMP (n_bytes, LEAST_INPUT_BYTES, INPUT_BYTES);
  self->input = g_malloc (self->input_bytes);
  fill_input (self, NULL);
  self->compressed = self->z.avail_in >= 2 && self->input[0] == 0x1f && self->input[1] == 0x8b;
  if (self->compressed)
    {
      if (inflateInit2 (&self->z, 15 + 16) != Z_OK)
        g_error ("zlib has no memory");
      self->stream_ready = TRUE;
      self->in_member = TRUE;
    }
  return self;
}

/**
 * kymo_inflate_close:
 *
 * Closes the file and frees the stream. %NULL is ignored.
 */
void
kymo_inflate_close (KymoInflate *self)
{
  if (self == NULL)
    return;
  if (self->stream_ready)
    inflateEnd (&self->z);
  close (self->fd);
  g_free (self->whole);
  g_free (self->input);
  g_free (self);
}

/**
 * kymo_inflate_get_end:
 *
 * Returns: %KYMO_INFLATE_MORE until all bytes were read, then how the stream ended
 */
KymoInflateEnd
kymo_inflate_get_end (KymoInflate *self)
{
  return self->end;
}

/**
 * kymo_inflate_get_bytes_left:
 *
 * Returns: how many bytes of the file, as large as it was when it was opened,
 * were not used
 */
gint64
kymo_inflate_get_bytes_left (KymoInflate *self)
{
  return MAX (self->size_at_open - self->n_read, 0) + self->z.avail_in;
}

/**
 * kymo_inflate_get_growth:
 *
 * Returns: by how many bytes the file is larger now than it was when it was
 * opened; negative where it shrank
 */
gint64
kymo_inflate_get_growth (KymoInflate *self)
{
  struct stat info;

  return fstat (self->fd, &info) == 0 ? (gint64) info.st_size - self->size_at_open : 0;
}

static gsize
read_plain (KymoInflate *self,
            guint8      *buffer,
            gsize        size,
            KymoJob     *job)
{
  gsize n;

  if (self->z.avail_in == 0)
    {
      /* Straight to where they are wanted, no more than stay in a near cache. */
      n = read_file (self, buffer, MIN (size, INPUT_BYTES), job);
      if (n == 0 && self->end == KYMO_INFLATE_MORE)
        self->end = KYMO_INFLATE_END;
      return n;
    }
  n = MIN (size, self->z.avail_in);
  memcpy (buffer, self->z.next_in, n);
  self->z.next_in += n;
  self->z.avail_in -= n;
  return n;
}

/* Between two members: another one, the end, or something else. */
static gboolean
begin_member (KymoInflate *self,
              KymoJob     *job)
{
  if (self->z.avail_in == 0 && fill_input (self, job) == 0)
    {
      if (self->end == KYMO_INFLATE_MORE)
        self->end = KYMO_INFLATE_END;
      return FALSE;
    }
  if (*self->z.next_in != 0x1f)
    {
      self->end = KYMO_INFLATE_GARBAGE;
      return FALSE;
    }
  inflateReset (&self->z);
  self->in_member = TRUE;
  return TRUE;
}

/* zlib tells the two apart only by its words. */
static gboolean
is_checksum (KymoInflate *self)
{
  return self->z.msg != NULL && (strcmp (self->z.msg, "incorrect data check") == 0
                                 || strcmp (self->z.msg, "incorrect length check") == 0);
}

#ifdef HAVE_LIBDEFLATE

/* The whole file as it was when it was opened, without moving on in it. */
static guint8 *
read_whole (KymoInflate *self)
{
  guint8 *bytes = g_try_malloc (self->size_at_open);
  gint64 n = 0;

  while (bytes != NULL && n < self->size_at_open)
    {
      ssize_t got = pread (self->fd, bytes + n, self->size_at_open - n, n);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        g_clear_pointer (&bytes, g_free);
      n += got;
    }
  return bytes;
}

/* Inflates one gzip member after the other; FALSE unless all of them are
   sound, fill the file, and fit. */
static gboolean
inflate_members (const guint8 *bytes,
                 gsize         size,
                 guint8       *out,
                 gsize         room,
                 gsize        *n_out)
{
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor ();
  gsize at = 0;

  *n_out = 0;
  while (decompressor != NULL && at < size)
    {
      size_t used, made;

      if (libdeflate_gzip_decompress_ex (decompressor, bytes + at, size - at, out + *n_out,
                                         room - *n_out, &used, &made) != LIBDEFLATE_SUCCESS)
        break;
      at += used;
      *n_out += made;
    }
  libdeflate_free_decompressor (decompressor);
  return at == size;
}

/* The plain length that the last member claims for itself (modulo 2^32). With
   several members it is too little, and the stream does them. */
static gsize
claimed_bytes (const guint8 *bytes,
               gsize         size)
{
  guint32 claimed;

  if (size < sizeof claimed)
    return 0;
  memcpy (&claimed, bytes + size - sizeof claimed, sizeof claimed);
  claimed = GUINT32_FROM_LE (claimed);
  return claimed <= MAX_WHOLE_BYTES && claimed / MAX_RATIO <= size ? claimed : 0;
}

static void
try_whole (KymoInflate *self,
           KymoJob     *job)
{
  g_autofree guint8 *bytes = NULL;
  gsize room;

  self->whole_tried = TRUE;
  if (self->size_at_open > MAX_WHOLE_BYTES / 2)
    return;
  bytes = read_whole (self);
  room = bytes != NULL ? claimed_bytes (bytes, self->size_at_open) : 0;
  self->whole = room > 0 ? g_try_malloc (room + KYMO_INFLATE_PADDING) : NULL;
  if (self->whole == NULL)
    return;
  if (!inflate_members (bytes, self->size_at_open, self->whole, room, &self->whole_bytes))
    {
      g_clear_pointer (&self->whole, g_free);
      return;
    }
  memset (self->whole + self->whole_bytes, 0, KYMO_INFLATE_PADDING);
  kymo_job_advance (job, self->size_at_open - self->n_read);
  self->n_read = self->size_at_open;
  self->z.avail_in = 0;
}

#else

static void
try_whole (KymoInflate *self,
           KymoJob     *job)
{
  self->whole_tried = TRUE;
}

#endif

static gsize
read_of_whole (KymoInflate *self,
               void        *buffer,
               gsize        size)
{
  gsize n = MIN (size, self->whole_bytes - self->whole_used);

  memcpy (buffer, self->whole + self->whole_used, n);
  self->whole_used += n;
  if (self->whole_used == self->whole_bytes)
    {
      self->end = KYMO_INFLATE_END;
      g_clear_pointer (&self->whole, g_free);
    }
  return n;
}

/**
 * kymo_inflate_steal_whole:
 * @job: (nullable): told of the bytes read from the file
 * @n_bytes: (out): how many
 *
 * To be asked before the first kymo_inflate_read(): where the file is small
 * enough to be inflated in one go, all its plain bytes at once, without a
 * copy. Behind them lie %KYMO_INFLATE_PADDING zeros.
 *
 * Returns: (transfer full) (nullable): the bytes, freed with g_free(); then
 * there are no more. %NULL where they have to be read.
 */
char *
kymo_inflate_steal_whole (KymoInflate *self,
                          KymoJob     *job,
                          gsize       *n_bytes)
{
  if (self->end != KYMO_INFLATE_MORE || !self->compressed)
    return NULL;
  if (!self->whole_tried)
    try_whole (self, job);
  if (self->whole == NULL || self->whole_used > 0)
    return NULL;
  self->end = KYMO_INFLATE_END;
  *n_bytes = self->whole_bytes;
  return (char *) g_steal_pointer (&self->whole);
}

/**
 * kymo_inflate_read:
 * @buffer: (out caller-allocates): where to
 * @size: most bytes
 * @job: (nullable): told of the bytes read from the file
 *
 * Returns: how many plain bytes came; 0 when there are no more, and then
 * kymo_inflate_get_end() tells why
 */
gsize
kymo_inflate_read (KymoInflate *self,
                   void        *buffer,
                   gsize        size,
                   KymoJob     *job)
{
  if (self->end != KYMO_INFLATE_MORE)
    return 0;
  if (!self->compressed)
    return read_plain (self, buffer, size, job);
  if (!self->whole_tried)
    try_whole (self, job);
  if (self->whole != NULL)
    return read_of_whole (self, buffer, size);
  self->z.next_out = buffer;
  self->z.avail_out = MIN (size, G_MAXUINT / 2);
  size = self->z.avail_out;
  while (self->z.avail_out == size)
    {
      int status;

      if (!self->in_member && !begin_member (self, job))
        break;
      if (self->z.avail_in == 0)
        fill_input (self, job);
      /* Without input too: zlib may still hold bytes of a long match. */
      status = inflate (&self->z, Z_NO_FLUSH);
      if (status == Z_STREAM_END)
        self->in_member = FALSE;
      else if (status == Z_BUF_ERROR && self->z.avail_in == 0)
        {
          if (self->end == KYMO_INFLATE_MORE)
            self->end = KYMO_INFLATE_CUT;
          break;
        }
      else if (status != Z_OK && status != Z_BUF_ERROR)
        {
          self->end = is_checksum (self) ? KYMO_INFLATE_CHECKSUM : KYMO_INFLATE_DAMAGED;
          break;
        }
    }
  return size - self->z.avail_out;
}

/* The begin of a gzip file without the rest, for a first look. zlib alone:
   a few kilobytes are no work. */

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
