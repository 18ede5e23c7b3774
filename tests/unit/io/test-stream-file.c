/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings of streams: what is written is read, whatever happens to the
 * file. Each damage is done to the same small recording.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "kymo-stream-layout.h"
#include "tapes.h"

static void
test_whole (Tape         *tape,
            gconstpointer data)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (GPtrArray) frames = tape_read_all (tape->path, report);
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (tape->path, NULL);
  g_autofree char *provenance = kymo_stream_reader_dup_provenance (reader);

  tape_assert_first (frames, tape, TAPE_FRAMES);
  g_assert_cmpuint (frames->len, ==, TAPE_FRAMES);
  g_assert_cmpuint (kymo_report_get_n_issues (report), ==, 0);
  g_assert_cmpstr (provenance, ==, "program: jacobi\n");
  g_assert_true (kymo_stream_file_is_one (tape->path));
}

static void
test_rewind (Tape         *tape,
             gconstpointer data)
{
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (tape->path, NULL);

  for (guint round = 0; round < 2; round++)
    {
      double before = -1;

      kymo_stream_reader_rewind (reader);
      for (guint i = 0; i < TAPE_FRAMES; i++)
        {
          g_autoptr (KymoStreamFrame) frame = kymo_stream_reader_next (reader, NULL);

          g_assert_true (tape_is_same (frame, tape->frames->pdata[i]));
          g_assert_cmpfloat (kymo_stream_reader_get_fraction (reader), >, before);
          before = kymo_stream_reader_get_fraction (reader);
        }
      g_assert_cmpfloat (before, ==, 1);
      g_assert_null (kymo_stream_reader_next (reader, NULL));
    }
}

/* Payloads larger than the reader's window, and than a writer keeps. */
static void
test_large (Tape         *tape,
            gconstpointer data)
{
  g_autoptr (KymoStreamFrame) large = blocks_make_any (KYMO_FRAME_NAMES, 5, -1, 3 << 20, 7);
  KymoStreamWriter *writer = kymo_stream_writer_new (tape->path, TRUE, NULL, NULL);

  for (guint i = 0; i < 3; i++)
    g_assert_true (kymo_stream_writer_append (writer, i == 1 ? tape->frames->pdata[0] : large,
                                              NULL));
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
  g_autoptr (GPtrArray) frames = tape_read_all (tape->path, NULL);
  g_assert_cmpuint (frames->len, ==, TAPE_FRAMES + 3);
  g_assert_true (tape_is_same (frames->pdata[TAPE_FRAMES], large));
  g_assert_true (tape_is_same (frames->pdata[TAPE_FRAMES + 1], tape->frames->pdata[0]));
  g_assert_true (tape_is_same (frames->pdata[TAPE_FRAMES + 2], large));
}

/* After the cut at `cut`: so many frames are whole, and it is told exactly
   where there is something to tell. */
static guint
check_cut (Tape *tape,
           gsize cut)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (GPtrArray) frames = tape_read_all (tape->path, report);
  guint n = 0;

  while (n < TAPE_FRAMES && tape_end_of (tape, n + 1) <= (gint64) cut)
    n++;
  g_assert_cmpuint (frames->len, ==, n);
  tape_assert_first (frames, tape, n);
  g_assert_true (kymo_report_is_complete (report) == (tape_end_of (tape, n) == (gint64) cut));
  if (!kymo_report_is_complete (report))
    {
      const KymoIssue *issue = kymo_report_peek_issue (report, 0);
      gint64 whole = (gint64) cut < tape_end_of (tape, 0) ? 0 : tape_end_of (tape, n);

      g_assert_cmpuint (kymo_report_get_n_issues (report), ==, 1);
      g_assert_nonnull (strstr (issue->what, "was cut"));
      g_assert_cmpint (issue->offset, ==, whole);
      g_assert_cmpint (issue->count, ==, cut - whole);
    }
  return n;
}

static void
test_cut (Tape         *tape,
          gconstpointer data)
{
  for (gsize cut = 0; cut <= tape->n_bytes; cut++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KymoReport) report = kymo_report_new ();
      KymoStreamWriter *writer;
      guint n = 0;

      tape_put (tape, tape->bytes, cut);
      if (cut > 0)
        n = check_cut (tape, cut);
      writer = kymo_stream_writer_new (tape->path, TRUE, "program: jacobi\n", &error);
      g_assert_no_error (error);
      for (guint i = n; i < TAPE_FRAMES; i++)
        g_assert_true (kymo_stream_writer_append (writer, tape->frames->pdata[i], NULL));
      g_assert_true (kymo_stream_writer_finish (writer, NULL));
      g_autofree char *bytes = NULL;
      gsize n_bytes;
      g_assert_true (g_file_get_contents (tape->path, &bytes, &n_bytes, NULL));
      g_assert_cmpmem (bytes, n_bytes, tape->bytes, tape->n_bytes);
    }
}

static void
test_flip (Tape         *tape,
           gconstpointer data)
{
  for (gsize bit = 0; bit < tape->n_bytes * 8; bit++)
    {
      g_autoptr (KymoReport) report = kymo_report_new ();
      gboolean in_header = bit / 8 < (gsize) tape_end_of (tape, 0);

      tape->bytes[bit / 8] ^= 1 << bit % 8;
      tape_put (tape, tape->bytes, tape->n_bytes);
      tape->bytes[bit / 8] ^= 1 << bit % 8;
      g_assert_true (kymo_stream_file_is_one (tape->path));
      g_autoptr (GPtrArray) frames = tape_read_all (tape->path, report);
      g_assert_cmpuint (tape_count_known (frames, tape), ==, TAPE_FRAMES - !in_header);
      g_assert_false (kymo_report_is_complete (report));
    }
}

/* Writing goes on behind damage, and takes nothing away. */
static void
test_flip_resume (Tape         *tape,
                  gconstpointer data)
{
  for (gsize byte = 0; byte < tape->n_bytes; byte++)
    {
      gboolean in_header = byte < (gsize) tape_end_of (tape, 0);
      g_autoptr (GError) error = NULL;
      KymoStreamWriter *writer;

      tape->bytes[byte] ^= 0x10;
      tape_put (tape, tape->bytes, tape->n_bytes);
      tape->bytes[byte] ^= 0x10;
      writer = kymo_stream_writer_new (tape->path, TRUE, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (kymo_stream_writer_append (writer, tape->frames->pdata[2], NULL));
      g_assert_true (kymo_stream_writer_finish (writer, NULL));
      g_autoptr (GPtrArray) frames = tape_read_all (tape->path, NULL);
      g_assert_true (tape_is_same (frames->pdata[frames->len - 1], tape->frames->pdata[2]));
      g_ptr_array_set_size (frames, frames->len - 1);
      g_assert_cmpuint (tape_count_known (frames, tape), ==, TAPE_FRAMES - !in_header);
    }
}

/* Stretches overwritten, taken out, doubled: what is read was written. */
static void
test_random (Tape         *tape,
             gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261121);

  for (guint round = 0; round < 3000; round++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      gsize from = g_rand_int_range (rand, 0, tape->n_bytes);
      gsize n = g_rand_int_range (rand, 0, MIN (200, tape->n_bytes - from) + 1);

      g_byte_array_append (bytes, (guint8 *) tape->bytes, tape->n_bytes);
      if (round % 3 == 0)
        for (gsize i = 0; i < n; i++)
          bytes->data[from + i] = g_rand_int (rand);
      else if (round % 3 == 1)
        g_byte_array_remove_range (bytes, from, n);
      else
        g_byte_array_append (bytes, (guint8 *) tape->bytes + from, n);
      tape_put (tape, (char *) bytes->data, bytes->len);
      if (!kymo_stream_file_is_one (tape->path))
        continue;
      g_autoptr (GPtrArray) frames = tape_read_all (tape->path, NULL);
      for (guint i = 0; i < frames->len; i++)
        {
          guint known = 0;

          while (known < TAPE_FRAMES
                 && !tape_is_same (frames->pdata[i], tape->frames->pdata[known]))
            known++;
          g_assert_cmpuint (known, <, TAPE_FRAMES);
        }
      g_assert_cmpuint (frames->len, >=, round % 3 == 2 ? TAPE_FRAMES : 0);
    }
}

/* A head in order, whose payload is not what it tells. */
static void
append_lie (GByteArray *bytes,
            guint32     n_bytes)
{
  KymoStreamHead head = { KYMO_FRAME_REPLY, n_bytes, 12345, 1, 2, 77 };
  guint8 encoded[KYMO_STREAM_FRAME_BYTES];

  kymo_stream_head_encode (&head, encoded);
  g_byte_array_append (bytes, encoded, sizeof encoded);
}

static void
test_lies (Tape         *tape,
           gconstpointer data)
{
  static const guint32 lies[] = { 1, 100, 60000000, KYMO_STREAM_MAX_PAYLOAD,
                                  KYMO_STREAM_MAX_PAYLOAD + 1, G_MAXUINT32 };

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autoptr (KymoReport) report = kymo_report_new ();
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      gsize half = tape_end_of (tape, 5);

      g_byte_array_append (bytes, (guint8 *) tape->bytes, half);
      append_lie (bytes, lies[i]);
      g_byte_array_append (bytes, (guint8 *) tape->bytes + half, tape->n_bytes - half);
      append_lie (bytes, lies[i]);
      tape_put (tape, (char *) bytes->data, bytes->len);
      g_autoptr (GPtrArray) frames = tape_read_all (tape->path, report);
      g_assert_cmpuint (frames->len, ==, TAPE_FRAMES);
      tape_assert_first (frames, tape, TAPE_FRAMES);
      g_assert_false (kymo_report_is_complete (report));
    }
}

/* Each head of a million bytes of nothing but heads promises all the rest. */
static void
test_many_lies (Tape         *tape,
                gconstpointer data)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GTimer) timer = NULL;

  g_byte_array_append (bytes, (guint8 *) tape->bytes, tape_end_of (tape, 0));
  for (guint i = 0; i < 60000; i++)
    append_lie (bytes, (60000 - i) * KYMO_STREAM_FRAME_BYTES / 2);
  tape_put (tape, (char *) bytes->data, bytes->len);
  timer = g_timer_new ();
  g_autoptr (GPtrArray) frames = tape_read_all (tape->path, NULL);
  g_assert_cmpuint (frames->len, ==, 0);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 20);
}

/* A terabyte of nothing behind the frames. */
static void
test_sparse (Tape         *tape,
             gconstpointer data)
{
  g_autoptr (KymoReport) report = kymo_report_new ();

  if (truncate (tape->path, G_GINT64_CONSTANT (1) << 40) != 0)
    {
      g_test_skip ("the file system has no sparse files");
      return;
    }
  g_autoptr (GPtrArray) frames = tape_read_all (tape->path, report);
  g_assert_cmpuint (frames->len, ==, TAPE_FRAMES);
  g_assert_false (kymo_report_is_complete (report));
}

static void
test_beside (Tape         *tape,
             gconstpointer data)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoStreamWriter *writer = kymo_stream_writer_new (tape->path, TRUE, NULL, NULL);
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (tape->path, NULL);
  KymoStreamFrame *frame;

  while ((frame = kymo_stream_reader_next (reader, report)) != NULL)
    kymo_stream_frame_unref (frame);
  for (guint i = 0; i < TAPE_FRAMES; i++)
    {
      g_assert_null (kymo_stream_reader_next (reader, report));
      g_assert_true (kymo_stream_writer_append (writer, tape->frames->pdata[i], NULL));
      frame = kymo_stream_reader_next (reader, report);
      g_assert_true (tape_is_same (frame, tape->frames->pdata[i]));
      kymo_stream_frame_unref (frame);
    }
  g_assert_true (kymo_report_is_complete (report));
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
}

static void
test_long_provenance (Tape         *tape,
                      gconstpointer data)
{
  g_autofree char *text = g_strnfill (100000, 'x');
  KymoStreamWriter *writer;

  g_unlink (tape->path);
  writer = kymo_stream_writer_new (tape->path, TRUE, text, NULL);
  g_assert_true (kymo_stream_writer_append (writer, tape->frames->pdata[0], NULL));
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (tape->path, NULL);
  g_autofree char *read = kymo_stream_reader_dup_provenance (reader);
  g_assert_cmpuint (strlen (read), ==, KYMO_STREAM_MAX_PROVENANCE);
  g_autoptr (GPtrArray) frames = tape_read_all (tape->path, NULL);
  g_assert_cmpuint (frames->len, ==, 1);
}

/* Where a recording ended in the program's time, whose last replies tell of
   nothing new; frames get their places as a client gives them. */
static void
test_next_ns (Tape         *tape,
              gconstpointer data)
{
  static const guint8 block[] = { 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 };
  static const guint8 nothing[4];
  KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, 1 };
  g_autoptr (KymoStreamDecoder) decoder = kymo_stream_decoder_new ();
  KymoStreamWriter *writer;

  g_unlink (tape->path);
  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (GBytes) bytes = i == 2 || i == 3 ? g_bytes_new_static (block, sizeof block)
        : g_bytes_new_static (nothing, sizeof nothing);
      g_autoptr (KymoStreamFrame) frame = i == 0 ? kymo_stream_frame_new_form (1, &form, NULL)
        : i == 4 ? kymo_stream_frame_new_text (KYMO_FRAME_LOST, i, "gone")
        : kymo_stream_frame_new (KYMO_FRAME_REPLY, i, bytes);

      writer = kymo_stream_writer_new (tape->path, TRUE, NULL, NULL);
      g_assert_cmpint (kymo_stream_writer_get_next_ns (writer), ==,
                       kymo_stream_decoder_get_next_ns (decoder));
      kymo_stream_decoder_take (decoder, frame, NULL, NULL);
      g_assert_true (kymo_stream_writer_append (writer, frame, NULL));
      g_assert_true (kymo_stream_writer_finish (writer, NULL));
    }
  g_assert_cmpint (kymo_stream_decoder_get_next_ns (decoder), ==, 1004000000);
}

#define ADD(name, function) \
  g_test_add ("/stream-file/" name, Tape, NULL, tape_up, function, tape_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("whole", test_whole);
  ADD ("rewind", test_rewind);
  ADD ("large", test_large);
  ADD ("cut", test_cut);
  ADD ("flip", test_flip);
  ADD ("flip-resume", test_flip_resume);
  ADD ("random", test_random);
  ADD ("lies", test_lies);
  ADD ("many-lies", test_many_lies);
  ADD ("sparse", test_sparse);
  ADD ("beside", test_beside);
  ADD ("long-provenance", test_long_provenance);
  ADD ("next-ns", test_next_ns);
  return g_test_run ();
}
