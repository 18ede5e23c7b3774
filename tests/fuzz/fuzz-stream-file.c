/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: reading a recording, and going on with it. After a first
 * byte 'f' the rest is a file as it is; else it is a list of frames, which are
 * given their check sums here, for no search finds those by chance: a byte
 * what is wrong with it, its kind, a length, 8 bytes of place, the payload.
 */
#include "config.h"

#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kymo-stream-file.h"
#include "kymo-stream-layout.h"

#define ITEM_BYTES 11

typedef enum
{
  LIE_LENGTH = 1,
  LIE_PAYLOAD = 2,
  LIE_HEAD = 4,
  LIE_NUMBER = 8,
  NO_HEAD = 16,
} Wrong;

static gsize
put_item (GByteArray   *file,
          const guint8 *item,
          gsize         left,
          guint         number)
{
  gsize n = MIN (item[2], left - ITEM_BYTES);
  KymoStreamHead head = { item[1], n, kymo_stream_check_sum (item + ITEM_BYTES, n), 1, 0,
                          number };
  guint8 bytes[KYMO_STREAM_FRAME_BYTES];

  memcpy (&head.begin_ns, item + 3, sizeof head.begin_ns);
  head.n_bytes += item[0] & LIE_LENGTH ? item[3] << item[4] % 24 : 0;
  head.check ^= !!(item[0] & LIE_PAYLOAD);
  head.number += item[0] & LIE_NUMBER ? item[3] : 0;
  kymo_stream_head_encode (&head, bytes);
  bytes[20] ^= !!(item[0] & LIE_HEAD);
  if (!(item[0] & NO_HEAD))
    g_byte_array_append (file, bytes, sizeof bytes);
  g_byte_array_append (file, item + ITEM_BYTES, n);
  return ITEM_BYTES + n;
}

static GByteArray *
make_file (const guint8 *data,
           gsize         size)
{
  GByteArray *file = g_byte_array_new ();
  g_autoptr (GBytes) header = kymo_stream_header_encode ("client: fuzz\n");
  guint number = 0;

  if (data[0] == 'f')
    {
      g_byte_array_append (file, data + 1, size - 1);
      return file;
    }
  g_byte_array_append (file, g_bytes_get_data (header, NULL), g_bytes_get_size (header));
  for (gsize at = 1; at + ITEM_BYTES <= size; number++)
    at += put_item (file, data + at, size - at, number);
  return file;
}

/* What is read lies in the file, once; what is not is told. */
static guint
read_frames (const char *path,
             gsize       size,
             guint      *last_kind)
{
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (path, NULL);
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoStreamFrame *frame;
  gsize told = 0;
  guint n = 0;

  if (reader == NULL)
    return 0;
  g_free (kymo_stream_reader_dup_provenance (reader));
  for (; (frame = kymo_stream_reader_next (reader, report)) != NULL; n++)
    {
      told += KYMO_STREAM_FRAME_BYTES + g_bytes_get_size (frame->bytes);
      *last_kind = frame->kind;
      fuzz_require (frame->kind >= KYMO_FRAME_FORM && frame->kind <= KYMO_FRAME_END);
      fuzz_require (frame->begin_ns >= KYMO_FRAME_NO_TIME);
      fuzz_require (kymo_stream_reader_get_fraction (reader) <= 1);
      kymo_stream_frame_unref (frame);
    }
  fuzz_require (told <= size);
  fuzz_require (kymo_report_is_complete (report) == (fuzz_told (report, KYMO_SEVERITY_LOST) == 0));
  fuzz_report (report);
  return n;
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (KymoStreamFrame) mark = NULL;
  g_autoptr (GByteArray) file = NULL;
  KymoStreamWriter *writer;
  char path[64];
  guint before, kind = 0;
  int fd;

  if (size < 1)
    return 0;
  file = make_file (data, size);
  fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  fuzz_require (write (fd, file->data, file->len) == (gssize) file->len);
  before = read_frames (path, file->len, &kind);
  writer = kymo_stream_writer_new (path, TRUE, NULL, NULL);
  fuzz_require (writer != NULL || before == 0);
  if (writer != NULL)
    {
      mark = kymo_stream_frame_new_text (KYMO_FRAME_MARK, 5, "gone on with");
      fuzz_require (kymo_stream_writer_get_next_ns (writer) >= 0);
      fuzz_require (kymo_stream_writer_append (writer, mark, NULL));
      fuzz_require (kymo_stream_writer_finish (writer, NULL));
      fuzz_require (read_frames (path, lseek (fd, 0, SEEK_END), &kind) > 0);
      fuzz_require (kind == KYMO_FRAME_MARK);
    }
  close (fd);
  return 0;
}
