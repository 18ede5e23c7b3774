/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings of streams: what is written is read, whatever happens to the
 * file. Each damage is done to the same small recording.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blocks.h"
#include "kymo-error.h"
#include "kymo-stream-file.h"
#include "kymo-stream-layout.h"

#define N_FRAMES 9

typedef struct
{
  char      *folder;
  char      *path;
  GPtrArray *frames;            /* that were written */
  GArray    *ends;              /* gint64: end of header and of each frame */
  char      *bytes;             /* the whole recording */
  gsize      n_bytes;
} Scratch;

static gboolean
is_same (const KymoStreamFrame *a,
         const KymoStreamFrame *b)
{
  return a->kind == b->kind && a->at_us == b->at_us && a->begin_ns == b->begin_ns
    && g_bytes_equal (a->bytes, b->bytes);
}

static void
add_end (Scratch *scratch,
         gint64   end)
{
  g_array_append_val (scratch->ends, end);
}

static void
write_recording (Scratch *scratch)
{
  g_autoptr (GError) error = NULL;
  KymoStreamWriter *writer = kymo_stream_writer_new (scratch->path, FALSE, "program: jacobi\n",
                                                     &error);

  g_assert_no_error (error);
  add_end (scratch, kymo_stream_writer_get_bytes (writer));
  for (guint i = 0; i < scratch->frames->len; i++)
    {
      kymo_stream_writer_append (writer, scratch->frames->pdata[i], &error);
      g_assert_no_error (error);
      add_end (scratch, kymo_stream_writer_get_bytes (writer));
    }
  kymo_stream_writer_finish (writer, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (scratch->path, &scratch->bytes, &scratch->n_bytes, NULL));
}

static void
scratch_up (Scratch       *scratch,
            gconstpointer  data)
{
  static const KymoFrameKind kinds[N_FRAMES] = {
    KYMO_FRAME_FORM, KYMO_FRAME_NAMES, KYMO_FRAME_REPLY, KYMO_FRAME_REPLY, KYMO_FRAME_LOST,
    KYMO_FRAME_STATE, KYMO_FRAME_MARK, KYMO_FRAME_REPLY, KYMO_FRAME_END,
  };
  static const gsize sizes[N_FRAMES] = { 30, 50, 60, 4, 0, 12, 1, 39, 5 };

  /* Thousands of recordings are brought to the disk here: where there is one
     made of memory, to that. */
  scratch->folder = g_strdup ("/dev/shm/kymo-XXXXXX");
  if (g_mkdtemp (scratch->folder) == NULL)
    {
      g_free (scratch->folder);
      scratch->folder = g_dir_make_tmp ("kymo-XXXXXX", NULL);
    }
  scratch->path = g_build_filename (scratch->folder, "a.kymostream", NULL);
  scratch->frames = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  scratch->ends = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < N_FRAMES; i++)
    {
      gint64 begin_ns = i < 2 ? KYMO_FRAME_NO_TIME : i * G_GINT64_CONSTANT (1000000000);

      g_ptr_array_add (scratch->frames, blocks_make_any (kinds[i], 1795253152887686 + i * 1000000,
                                                         begin_ns, sizes[i], i));
    }
  write_recording (scratch);
}

static void
scratch_down (Scratch       *scratch,
              gconstpointer  data)
{
  g_unlink (scratch->path);
  g_rmdir (scratch->folder);
  g_free (scratch->folder);
  g_free (scratch->path);
  g_free (scratch->bytes);
  g_ptr_array_unref (scratch->frames);
  g_array_unref (scratch->ends);
}

static void
put (Scratch    *scratch,
     const char *bytes,
     gsize       n_bytes)
{
  FILE *file = g_fopen (scratch->path, "wb");

  g_assert_cmpuint (fwrite (bytes, 1, n_bytes, file), ==, n_bytes);
  g_assert_cmpint (fclose (file), ==, 0);
}

static gint64
end_of (Scratch *scratch,
        guint    i)
{
  return g_array_index (scratch->ends, gint64, i);
}

/* (transfer full): all that can be read. */
static GPtrArray *
read_all (const char *path,
          KymoReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (path, &error);
  GPtrArray *frames =
    g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  KymoStreamFrame *frame;

  g_assert_no_error (error);
  while ((frame = kymo_stream_reader_next (reader, report)) != NULL)
    g_ptr_array_add (frames, frame);
  return frames;
}

static void
assert_first (GPtrArray *frames,
              Scratch   *scratch,
              guint      n)
{
  g_assert_cmpuint (frames->len, >=, n);
  for (guint i = 0; i < n; i++)
    g_assert_true (is_same (frames->pdata[i], scratch->frames->pdata[i]));
}

/* How many of the frames were read, in their order and nothing else. */
static guint
count_known (GPtrArray *frames,
             Scratch   *scratch)
{
  guint at = 0;

  for (guint i = 0; i < frames->len; i++, at++)
    {
      while (at < scratch->frames->len
             && !is_same (frames->pdata[i], scratch->frames->pdata[at]))
        at++;
      g_assert_cmpuint (at, <, scratch->frames->len);
    }
  return frames->len;
}

static void
test_whole (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (GPtrArray) frames = read_all (scratch->path, report);
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (scratch->path, NULL);
  g_autofree char *provenance = kymo_stream_reader_dup_provenance (reader);

  assert_first (frames, scratch, N_FRAMES);
  g_assert_cmpuint (frames->len, ==, N_FRAMES);
  g_assert_cmpuint (kymo_report_get_n_issues (report), ==, 0);
  g_assert_cmpstr (provenance, ==, "program: jacobi\n");
  g_assert_true (kymo_stream_file_is_one (scratch->path));
}

static void
test_rewind (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (scratch->path, NULL);

  for (guint round = 0; round < 2; round++)
    {
      double before = -1;

      kymo_stream_reader_rewind (reader);
      for (guint i = 0; i < N_FRAMES; i++)
        {
          g_autoptr (KymoStreamFrame) frame = kymo_stream_reader_next (reader, NULL);

          g_assert_true (is_same (frame, scratch->frames->pdata[i]));
          g_assert_cmpfloat (kymo_stream_reader_get_fraction (reader), >, before);
          before = kymo_stream_reader_get_fraction (reader);
        }
      g_assert_cmpfloat (before, ==, 1);
      g_assert_null (kymo_stream_reader_next (reader, NULL));
    }
}

/* Payloads larger than the reader's window, and than a writer keeps. */
static void
test_large (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (KymoStreamFrame) large = blocks_make_any (KYMO_FRAME_NAMES, 5, -1, 3 << 20, 7);
  KymoStreamWriter *writer = kymo_stream_writer_new (scratch->path, TRUE, NULL, NULL);

  for (guint i = 0; i < 3; i++)
    g_assert_true (kymo_stream_writer_append (writer, i == 1 ? scratch->frames->pdata[0] : large,
                                              NULL));
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
  g_autoptr (GPtrArray) frames = read_all (scratch->path, NULL);
  g_assert_cmpuint (frames->len, ==, N_FRAMES + 3);
  g_assert_true (is_same (frames->pdata[N_FRAMES], large));
  g_assert_true (is_same (frames->pdata[N_FRAMES + 1], scratch->frames->pdata[0]));
  g_assert_true (is_same (frames->pdata[N_FRAMES + 2], large));
}

/* After the cut at `cut`: so many frames are whole, and it is told exactly
   where there is something to tell. */
static guint
check_cut (Scratch *scratch,
           gsize    cut)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (GPtrArray) frames = read_all (scratch->path, report);
  guint n = 0;

  while (n < N_FRAMES && end_of (scratch, n + 1) <= (gint64) cut)
    n++;
  g_assert_cmpuint (frames->len, ==, n);
  assert_first (frames, scratch, n);
  g_assert_true (kymo_report_is_complete (report) == (end_of (scratch, n) == (gint64) cut));
  if (!kymo_report_is_complete (report))
    {
      const KymoIssue *issue = kymo_report_peek_issue (report, 0);
      gint64 whole = (gint64) cut < end_of (scratch, 0) ? 0 : end_of (scratch, n);

      g_assert_cmpuint (kymo_report_get_n_issues (report), ==, 1);
      g_assert_nonnull (strstr (issue->what, "was cut"));
      g_assert_cmpint (issue->offset, ==, whole);
      g_assert_cmpint (issue->count, ==, cut - whole);
    }
  return n;
}

static void
test_cut (Scratch       *scratch,
          gconstpointer  data)
{
  for (gsize cut = 0; cut <= scratch->n_bytes; cut++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KymoReport) report = kymo_report_new ();
      KymoStreamWriter *writer;
      guint n = 0;

      put (scratch, scratch->bytes, cut);
      if (cut > 0)
        n = check_cut (scratch, cut);
      writer = kymo_stream_writer_new (scratch->path, TRUE, "program: jacobi\n", &error);
      g_assert_no_error (error);
      for (guint i = n; i < N_FRAMES; i++)
        g_assert_true (kymo_stream_writer_append (writer, scratch->frames->pdata[i], NULL));
      g_assert_true (kymo_stream_writer_finish (writer, NULL));
      g_autofree char *bytes = NULL;
      gsize n_bytes;
      g_assert_true (g_file_get_contents (scratch->path, &bytes, &n_bytes, NULL));
      g_assert_cmpmem (bytes, n_bytes, scratch->bytes, scratch->n_bytes);
    }
}

static void
test_flip (Scratch       *scratch,
           gconstpointer  data)
{
  for (gsize bit = 0; bit < scratch->n_bytes * 8; bit++)
    {
      g_autoptr (KymoReport) report = kymo_report_new ();
      gboolean in_header = bit / 8 < (gsize) end_of (scratch, 0);

      scratch->bytes[bit / 8] ^= 1 << bit % 8;
      put (scratch, scratch->bytes, scratch->n_bytes);
      scratch->bytes[bit / 8] ^= 1 << bit % 8;
      g_assert_true (kymo_stream_file_is_one (scratch->path));
      g_autoptr (GPtrArray) frames = read_all (scratch->path, report);
      g_assert_cmpuint (count_known (frames, scratch), ==, N_FRAMES - !in_header);
      g_assert_false (kymo_report_is_complete (report));
    }
}

/* Writing goes on behind damage, and takes nothing away. */
static void
test_flip_resume (Scratch       *scratch,
                  gconstpointer  data)
{
  for (gsize byte = 0; byte < scratch->n_bytes; byte++)
    {
      gboolean in_header = byte < (gsize) end_of (scratch, 0);
      g_autoptr (GError) error = NULL;
      KymoStreamWriter *writer;

      scratch->bytes[byte] ^= 0x10;
      put (scratch, scratch->bytes, scratch->n_bytes);
      scratch->bytes[byte] ^= 0x10;
      writer = kymo_stream_writer_new (scratch->path, TRUE, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (kymo_stream_writer_append (writer, scratch->frames->pdata[2], NULL));
      g_assert_true (kymo_stream_writer_finish (writer, NULL));
      g_autoptr (GPtrArray) frames = read_all (scratch->path, NULL);
      g_assert_true (is_same (frames->pdata[frames->len - 1], scratch->frames->pdata[2]));
      g_ptr_array_set_size (frames, frames->len - 1);
      g_assert_cmpuint (count_known (frames, scratch), ==, N_FRAMES - !in_header);
    }
}

/* Stretches overwritten, taken out, doubled: what is read was written. */
static void
test_random (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261121);

  for (guint round = 0; round < 3000; round++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      gsize from = g_rand_int_range (rand, 0, scratch->n_bytes);
      gsize n = g_rand_int_range (rand, 0, MIN (200, scratch->n_bytes - from) + 1);

      g_byte_array_append (bytes, (guint8 *) scratch->bytes, scratch->n_bytes);
      if (round % 3 == 0)
        for (gsize i = 0; i < n; i++)
          bytes->data[from + i] = g_rand_int (rand);
      else if (round % 3 == 1)
        g_byte_array_remove_range (bytes, from, n);
      else
        g_byte_array_append (bytes, (guint8 *) scratch->bytes + from, n);
      put (scratch, (char *) bytes->data, bytes->len);
      if (!kymo_stream_file_is_one (scratch->path))
        continue;
      g_autoptr (GPtrArray) frames = read_all (scratch->path, NULL);
      for (guint i = 0; i < frames->len; i++)
        {
          guint known = 0;

          while (known < N_FRAMES
                 && !is_same (frames->pdata[i], scratch->frames->pdata[known]))
            known++;
          g_assert_cmpuint (known, <, N_FRAMES);
        }
      g_assert_cmpuint (frames->len, >=, round % 3 == 2 ? N_FRAMES : 0);
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
test_lies (Scratch       *scratch,
           gconstpointer  data)
{
  static const guint32 lies[] = { 1, 100, 60000000, KYMO_STREAM_MAX_PAYLOAD,
                                  KYMO_STREAM_MAX_PAYLOAD + 1, G_MAXUINT32 };

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autoptr (KymoReport) report = kymo_report_new ();
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      gsize half = end_of (scratch, 5);

      g_byte_array_append (bytes, (guint8 *) scratch->bytes, half);
      append_lie (bytes, lies[i]);
      g_byte_array_append (bytes, (guint8 *) scratch->bytes + half, scratch->n_bytes - half);
      append_lie (bytes, lies[i]);
      put (scratch, (char *) bytes->data, bytes->len);
      g_autoptr (GPtrArray) frames = read_all (scratch->path, report);
      g_assert_cmpuint (frames->len, ==, N_FRAMES);
      assert_first (frames, scratch, N_FRAMES);
      g_assert_false (kymo_report_is_complete (report));
    }
}

/* Each head of a million bytes of nothing but heads promises all the rest. */
static void
test_many_lies (Scratch       *scratch,
                gconstpointer  data)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GTimer) timer = NULL;

  g_byte_array_append (bytes, (guint8 *) scratch->bytes, end_of (scratch, 0));
  for (guint i = 0; i < 60000; i++)
    append_lie (bytes, (60000 - i) * KYMO_STREAM_FRAME_BYTES / 2);
  put (scratch, (char *) bytes->data, bytes->len);
  timer = g_timer_new ();
  g_autoptr (GPtrArray) frames = read_all (scratch->path, NULL);
  g_assert_cmpuint (frames->len, ==, 0);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 20);
}

/* A terabyte of nothing behind the frames. */
static void
test_sparse (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (KymoReport) report = kymo_report_new ();

  if (truncate (scratch->path, G_GINT64_CONSTANT (1) << 40) != 0)
    {
      g_test_skip ("the file system has no sparse files");
      return;
    }
  g_autoptr (GPtrArray) frames = read_all (scratch->path, report);
  g_assert_cmpuint (frames->len, ==, N_FRAMES);
  g_assert_false (kymo_report_is_complete (report));
}

static void
test_beside (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoStreamWriter *writer = kymo_stream_writer_new (scratch->path, TRUE, NULL, NULL);
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (scratch->path, NULL);
  KymoStreamFrame *frame;

  while ((frame = kymo_stream_reader_next (reader, report)) != NULL)
    kymo_stream_frame_unref (frame);
  for (guint i = 0; i < N_FRAMES; i++)
    {
      g_assert_null (kymo_stream_reader_next (reader, report));
      g_assert_true (kymo_stream_writer_append (writer, scratch->frames->pdata[i], NULL));
      frame = kymo_stream_reader_next (reader, report);
      g_assert_true (is_same (frame, scratch->frames->pdata[i]));
      kymo_stream_frame_unref (frame);
    }
  g_assert_true (kymo_report_is_complete (report));
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
}

static void
assert_refused (GError     **error,
                int          code,
                const char  *word)
{
  g_assert_error (*error, KYMO_ERROR, code);
  g_assert_nonnull (strstr ((*error)->message, word));
  g_assert_null (strchr ((*error)->message, '\n'));
  g_clear_error (error);
}

static void
test_never_over (Scratch       *scratch,
                 gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  KymoStreamWriter *writer;

  g_assert_null (kymo_stream_writer_new (scratch->path, FALSE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "exists already");
  writer = kymo_stream_writer_new (scratch->path, TRUE, NULL, NULL);
  g_assert_null (kymo_stream_writer_new (scratch->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "by another program");
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
  put (scratch, "PROJECTIONS-RECORD 12\n", 22);
  g_assert_null (kymo_stream_writer_new (scratch->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "no recording");
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (scratch->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "PROJECTIONS-RECORD 12\n");
}

static void
refuse_to_read (Scratch    *scratch,
                const char *path,
                const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (kymo_stream_reader_new (path, &error));
  assert_refused (&error, KYMO_ERROR_UNREADABLE, word);
  g_assert_false (kymo_stream_file_is_one (path));
}

static void
test_refused (Scratch       *scratch,
              gconstpointer  data)
{
  g_autofree char *nowhere = g_build_filename (scratch->folder, "nowhere.kymostream", NULL);
  g_autofree char *below = g_build_filename (scratch->path, "below", NULL);
  g_autoptr (GError) error = NULL;

  refuse_to_read (scratch, scratch->folder, "is a folder, no ordinary file");
  refuse_to_read (scratch, nowhere, "No such file");
  refuse_to_read (scratch, "/dev/zero", "no ordinary file");
  put (scratch, "", 0);
  refuse_to_read (scratch, scratch->path, "is empty");
  put (scratch, "not at all", 10);
  refuse_to_read (scratch, scratch->path, "no recording");
  g_unlink (scratch->path);
  g_assert_cmpint (mkfifo (scratch->path, 0600), ==, 0);
  refuse_to_read (scratch, scratch->path, "no ordinary file");
  g_assert_null (kymo_stream_writer_new (scratch->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_UNREADABLE, "no ordinary file");
  g_assert_null (kymo_stream_writer_new (below, FALSE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "Not a directory");
}

/* Who may do all asks as somebody else, who may not even enter the folder. */
static void
test_no_permission (Scratch       *scratch,
                    gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  uid_t own = geteuid ();

  g_assert_cmpint (g_chmod (scratch->path, 0), ==, 0);
  if (own == 0 && seteuid (65534) != 0)
    {
      g_test_skip ("nothing is forbidden to this user");
      return;
    }
  refuse_to_read (scratch, scratch->path, "Permission denied");
  g_assert_null (kymo_stream_writer_new (scratch->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "Permission denied");
  g_assert_cmpint (seteuid (own), ==, 0);
}

static void
test_newer (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  gsize n = end_of (scratch, 0);
  guint32 check;

  scratch->bytes[8] = 2;
  check = GUINT32_TO_LE (kymo_stream_check_sum (scratch->bytes, n - 4));
  memcpy (scratch->bytes + n - 4, &check, 4);
  put (scratch, scratch->bytes, scratch->n_bytes);
  g_assert_null (kymo_stream_reader_new (scratch->path, &error));
  assert_refused (&error, KYMO_ERROR_UNREADABLE, "version 2");
  g_assert_null (kymo_stream_writer_new (scratch->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "no recording that can be gone on with");
}

/* A limit on the length of files does what a full disk does. */
static void
test_full (Scratch       *scratch,
           gconstpointer  data)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (KymoStreamFrame) large = blocks_make_any (KYMO_FRAME_REPLY, 5, 0, 5000, 7);
  g_autoptr (GError) error = NULL;
  KymoStreamWriter *writer = kymo_stream_writer_new (scratch->path, TRUE, NULL, NULL);
  struct rlimit before, limit;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  limit = before;
  limit.rlim_cur = scratch->n_bytes + 3000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_false (kymo_stream_writer_append (writer, large, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  assert_refused (&error, KYMO_ERROR_WRITE, "File too large");
  g_assert_false (kymo_stream_writer_append (writer, scratch->frames->pdata[0], NULL));
  g_assert_cmpint (kymo_stream_writer_get_bytes (writer), ==, scratch->n_bytes);
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
  g_autoptr (GPtrArray) frames = read_all (scratch->path, report);
  g_assert_cmpuint (frames->len, ==, N_FRAMES);
  g_assert_true (kymo_report_is_complete (report));
}

static void
test_long_provenance (Scratch       *scratch,
                      gconstpointer  data)
{
  g_autofree char *text = g_strnfill (100000, 'x');
  KymoStreamWriter *writer;

  g_unlink (scratch->path);
  writer = kymo_stream_writer_new (scratch->path, TRUE, text, NULL);
  g_assert_true (kymo_stream_writer_append (writer, scratch->frames->pdata[0], NULL));
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (scratch->path, NULL);
  g_autofree char *read = kymo_stream_reader_dup_provenance (reader);
  g_assert_cmpuint (strlen (read), ==, KYMO_STREAM_MAX_PROVENANCE);
  g_autoptr (GPtrArray) frames = read_all (scratch->path, NULL);
  g_assert_cmpuint (frames->len, ==, 1);
}

/* Where a recording ended in the program's time, whose last replies tell of
   nothing new; frames get their places as a client gives them. */
static void
test_next_ns (Scratch       *scratch,
              gconstpointer  data)
{
  static const guint8 block[] = { 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 };
  static const guint8 nothing[4];
  KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, 1 };
  g_autoptr (KymoStreamDecoder) decoder = kymo_stream_decoder_new ();
  KymoStreamWriter *writer;

  g_unlink (scratch->path);
  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (GBytes) bytes = i == 2 || i == 3 ? g_bytes_new_static (block, sizeof block)
        : g_bytes_new_static (nothing, sizeof nothing);
      g_autoptr (KymoStreamFrame) frame = i == 0 ? kymo_stream_frame_new_form (1, &form, NULL)
        : i == 4 ? kymo_stream_frame_new_text (KYMO_FRAME_LOST, i, "gone")
        : kymo_stream_frame_new (KYMO_FRAME_REPLY, i, bytes);

      writer = kymo_stream_writer_new (scratch->path, TRUE, NULL, NULL);
      g_assert_cmpint (kymo_stream_writer_get_next_ns (writer), ==,
                       kymo_stream_decoder_get_next_ns (decoder));
      kymo_stream_decoder_take (decoder, frame, NULL, NULL);
      g_assert_true (kymo_stream_writer_append (writer, frame, NULL));
      g_assert_true (kymo_stream_writer_finish (writer, NULL));
    }
  g_assert_cmpint (kymo_stream_decoder_get_next_ns (decoder), ==, 1004000000);
}

#define ADD(name, function) \
  g_test_add ("/stream-file/" name, Scratch, NULL, scratch_up, function, scratch_down)

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
  ADD ("never-over", test_never_over);
  ADD ("refused", test_refused);
  ADD ("no-permission", test_no_permission);
  ADD ("newer", test_newer);
  ADD ("full", test_full);
  ADD ("long-provenance", test_long_provenance);
  ADD ("next-ns", test_next_ns);
  return g_test_run ();
}
