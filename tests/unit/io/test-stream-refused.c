/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings of streams that are refused: files that are none, that nobody may read or write
 * over, and a disk that is full.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-stream-layout.h"
#include "tapes.h"

static void
assert_refused (GError    **error,
                int         code,
                const char *word)
{
  g_assert_error (*error, KYMO_ERROR, code);
  g_assert_nonnull (strstr ((*error)->message, word));
  g_assert_null (strchr ((*error)->message, '\n'));
  g_clear_error (error);
}

static void
test_never_over (Tape         *tape,
                 gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  KymoStreamWriter *writer;

  g_assert_null (kymo_stream_writer_new (tape->path, FALSE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "exists already");
  writer = kymo_stream_writer_new (tape->path, TRUE, NULL, NULL);
  g_assert_null (kymo_stream_writer_new (tape->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "by another program");
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
  tape_put (tape, "PROJECTIONS-RECORD 12\n", 22);
  g_assert_null (kymo_stream_writer_new (tape->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "no recording");
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (tape->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "PROJECTIONS-RECORD 12\n");
}

static void
refuse_to_read (Tape       *tape,
                const char *path,
                const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (kymo_stream_reader_new (path, &error));
  assert_refused (&error, KYMO_ERROR_UNREADABLE, word);
  g_assert_false (kymo_stream_file_is_one (path));
}

static void
test_refused (Tape         *tape,
              gconstpointer data)
{
  g_autofree char *nowhere = g_build_filename (tape->folder, "nowhere.kymostream", NULL);
  g_autofree char *below = g_build_filename (tape->path, "below", NULL);
  g_autoptr (GError) error = NULL;

  refuse_to_read (tape, tape->folder, "is a folder, no ordinary file");
  refuse_to_read (tape, nowhere, "No such file");
  refuse_to_read (tape, "/dev/zero", "no ordinary file");
  tape_put (tape, "", 0);
  refuse_to_read (tape, tape->path, "is empty");
  tape_put (tape, "not at all", 10);
  refuse_to_read (tape, tape->path, "no recording");
  g_unlink (tape->path);
  g_assert_cmpint (mkfifo (tape->path, 0600), ==, 0);
  refuse_to_read (tape, tape->path, "no ordinary file");
  g_assert_null (kymo_stream_writer_new (tape->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_UNREADABLE, "no ordinary file");
  g_assert_null (kymo_stream_writer_new (below, FALSE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "Not a directory");
}

/* Who may do all asks as somebody else, who may not even enter the folder. */
static void
test_no_permission (Tape         *tape,
                    gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  uid_t own = geteuid ();

  g_assert_cmpint (g_chmod (tape->path, 0), ==, 0);
  if (own == 0 && seteuid (65534) != 0)
    {
      g_test_skip ("nothing is forbidden to this user");
      return;
    }
  refuse_to_read (tape, tape->path, "Permission denied");
  g_assert_null (kymo_stream_writer_new (tape->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "Permission denied");
  g_assert_cmpint (seteuid (own), ==, 0);
}

static void
test_newer (Tape         *tape,
            gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gsize n = tape_end_of (tape, 0);
  guint32 check;

  tape->bytes[8] = 2;
  check = GUINT32_TO_LE (kymo_stream_check_sum (tape->bytes, n - 4));
  memcpy (tape->bytes + n - 4, &check, 4);
  tape_put (tape, tape->bytes, tape->n_bytes);
  g_assert_null (kymo_stream_reader_new (tape->path, &error));
  assert_refused (&error, KYMO_ERROR_UNREADABLE, "version 2");
  g_assert_null (kymo_stream_writer_new (tape->path, TRUE, NULL, &error));
  assert_refused (&error, KYMO_ERROR_WRITE, "no recording that can be gone on with");
}

/* A limit on the length of files does what a full disk does. */
static void
test_full (Tape         *tape,
           gconstpointer data)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (KymoStreamFrame) large = blocks_make_any (KYMO_FRAME_REPLY, 5, 0, 5000, 7);
  g_autoptr (GError) error = NULL;
  KymoStreamWriter *writer = kymo_stream_writer_new (tape->path, TRUE, NULL, NULL);
  struct rlimit before, limit;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  limit = before;
  limit.rlim_cur = tape->n_bytes + 3000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_false (kymo_stream_writer_append (writer, large, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  assert_refused (&error, KYMO_ERROR_WRITE, "File too large");
  g_assert_false (kymo_stream_writer_append (writer, tape->frames->pdata[0], NULL));
  g_assert_cmpint (kymo_stream_writer_get_bytes (writer), ==, tape->n_bytes);
  g_assert_true (kymo_stream_writer_finish (writer, NULL));
  g_autoptr (GPtrArray) frames = tape_read_all (tape->path, report);
  g_assert_cmpuint (frames->len, ==, TAPE_FRAMES);
  g_assert_true (kymo_report_is_complete (report));
}

#define ADD(name, function) \
  g_test_add ("/stream-refused/" name, Tape, NULL, tape_up, function, tape_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("never-over", test_never_over);
  ADD ("refused", test_refused);
  ADD ("no-permission", test_no_permission);
  ADD ("newer", test_newer);
  ADD ("full", test_full);
  return g_test_run ();
}
