/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: a file as a stream and as lines. The first byte tells how
 * the rest is made: 'r' as it is; 'z' compressed here, in one member or in
 * some of 100 bytes, and then damaged where the next four bytes say, since no
 * search finds a checksum by chance.
 *
 * Reading in pieces of any size must give the same bytes, and the lines must
 * account for every one of them.
 */
#include "config.h"

#include "fuzz.h"

#include <string.h>
#include <zlib.h>

#include "kymo-lines.h"

#define MEMBER_BYTES 100
#define HEAD_BYTES 5
/* Deflate makes at most 1032 bytes of one. */
#define MOST_OF_ONE 1032

static void
add_member (GByteArray   *out,
            const guint8 *data,
            gsize         size)
{
  g_autofree guint8 *buffer = NULL;
  z_stream z = { 0 };
  uLong room;

  if (deflateInit2 (&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    g_error ("no deflate");
  z.next_in = (guint8 *) data;
  z.avail_in = size;
  room = deflateBound (&z, size);
  buffer = g_malloc (room);
  z.next_out = buffer;
  z.avail_out = room;
  fuzz_require (deflate (&z, Z_FINISH) == Z_STREAM_END);
  g_byte_array_append (out, buffer, room - z.avail_out);
  deflateEnd (&z);
}

static GByteArray *
make_damaged (const guint8 *data,
              gsize         size)
{
  GByteArray *out = g_byte_array_new ();
  guint place = data[1] | data[2] << 8;
  gsize most = data[4] >= 0x80 ? G_MAXUINT32 : MEMBER_BYTES;
  guint n_cut = data[4] & 0x7f;

  for (gsize at = HEAD_BYTES; at < size; at += MIN (size - at, most))
    add_member (out, data + at, MIN (size - at, most));
  if (out->len > 0)
    out->data[place % out->len] ^= data[3];
  g_byte_array_set_size (out, out->len - MIN (out->len, n_cut));
  return out;
}

/* All bytes, read in pieces of one size. */
static GByteArray *
read_pieces (const char     *path,
             gsize           piece,
             KymoInflateEnd *end)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (path, NULL);
  GByteArray *all = g_byte_array_new ();
  g_autofree guint8 *buffer = g_malloc (piece);
  gsize n;

  fuzz_require (inflate != NULL);
  while ((n = kymo_inflate_read (inflate, buffer, piece, NULL)) > 0)
    {
      fuzz_require (n <= piece);
      g_byte_array_append (all, buffer, n);
    }
  *end = kymo_inflate_get_end (inflate);
  fuzz_require (*end != KYMO_INFLATE_MORE);
  return all;
}

/* The lines, put together again, are the stream up to its last newline. */
static void
check_lines (const char *path,
             GByteArray *all)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (path, NULL);
  KymoLines lines;
  char *line, *end;

  kymo_lines_init (&lines, inflate, NULL);
  while ((line = kymo_lines_next (&lines, &end)) != NULL)
    {
      gint64 length = end + 1 - line;

      fuzz_require (*end == '\n' && length > 0);
      fuzz_require (lines.line_offset >= 0 && lines.line_offset + length <= all->len);
      fuzz_require (memcmp (all->data + lines.line_offset, line, length) == 0);
    }
  fuzz_require (lines.skipped_lines >= 0);
  fuzz_require (lines.offset + lines.tail_bytes == all->len);
  kymo_lines_clear (&lines);
}

static void
check_stream (const guint8 *data,
              gsize         size)
{
  const char *path = fuzz_file (data, size);
  KymoInflateEnd end, other_end;
  g_autoptr (GByteArray) all = read_pieces (path, 65536, &end);
  g_autoptr (GByteArray) other = read_pieces (path, 1 + size % 61, &other_end);

  fuzz_require (all->len <= MAX (size * MOST_OF_ONE, size));
  fuzz_require (end == other_end && all->len == other->len);
  fuzz_require (all->len == 0 || memcmp (all->data, other->data, all->len) == 0);
  check_lines (path, all);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  if (size > HEAD_BYTES && data[0] == 'z')
    {
      g_autoptr (GByteArray) made = make_damaged (data, size);

      check_stream (made->data, made->len);
    }
  else if (size > 0)
    check_stream (data + 1, size - 1);
  return 0;
}
