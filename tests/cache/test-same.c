/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * However a run is opened, its answers are the same, byte by byte: from its files, larger
 * than the memory limit (in a nameless file, in the cache's file when that is written, and
 * when it is read again), and from a cache file that was written of a run in memory; of
 * the whole run and of a part of it, with corrected clocks as well; from a cache file whose
 * columns are rubbish, and from one that is damaged anywhere, or cut off while the run is
 * open. The program's side of this, words and exit status, is asked by cache.py and spill.py.
 *
 * KYMO_TEST_PART beyond 1 in the environment: large recordings are left out, and so much less
 * is damaged.
 *
 * Usage: test-same SOURCE-ROOT
 */
#include "config.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-cache.h"
#include "kymo-convert.h"
#include "kymo-error.h"
#include "kymo-open.h"
#include "kymo-run-source.h"
#include "kymo-segment-layout.h"
#include "scratch.h"

#define SMALL_BYTES 600000
#define N_THREADS 2
#define STEP 997

typedef struct
{
  const char *kind;
  const char *keywords[5];
  gboolean    timed;            /* corrected clocks change it */
} Asked;

static const Asked questions[] = {
  { "info", { NULL }, TRUE },
  { "profile", { "per-location", "1", NULL }, TRUE },
  { "usage", { NULL } },
  { "time-profile", { NULL } },
  { "histogram", { NULL } },
  { "histogram", { "unit", "call", NULL } },
  { "histogram", { "of", "message-size", NULL } },
  { "communication", { NULL } },
  { "communication", { "of", "ways", NULL } },
  { "timeline", { NULL }, TRUE },
  { "messages", { "limit", "50", NULL } },
  { "events", { "limit", "200", NULL }, TRUE },
  { "critical-path", { NULL } },
  { "explain", { "of", "0", NULL } },
  { "clusters", { "critical-path", "1", NULL } },
};

static const char *cache_folder;
static guint n_cases, n_kept;   /* runs; and those of them that have a cache file, twice */

static guint
get_part (void)
{
  const char *part = g_getenv ("KYMO_TEST_PART");

  return part != NULL ? CLAMP (atoi (part), 1, 10) : 1;
}

/* JSON of an answer, or the sentence why there is none. */
static char *
ask (KymoSource  *source,
     const Asked *asked,
     gboolean     part)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (asked->kind);
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GError) error = NULL;
  GString *json = g_string_new (NULL);

  for (guint k = 0; asked->keywords[k] != NULL; k += 2)
    kymo_question_set (question, asked->keywords[k], asked->keywords[k + 1]);
  kymo_question_set_resolution (question, 80, 0);
  if (part)
    {
      g_autoptr (KymoIdSet) first = kymo_id_set_parse ("0-1", NULL);

      kymo_question_set_span (question, (KymoSpan) { 1000000, 9000000 });
      kymo_question_set_locations (question, first);
    }
  answer = kymo_source_ask (source, question, NULL, &error);
  if (answer != NULL)
    kymo_table_write_json (answer, json);
  else
    g_string_append (json, error->message);
  return g_string_free (json, FALSE);
}

/* All answers of a run, in order. */
static GPtrArray *
ask_all (KymoRun  *run,
         gboolean  timed)
{
  GPtrArray *answers = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, N_THREADS);

  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    for (guint part = 0; part < 2 && (!timed || questions[i].timed); part++)
      g_ptr_array_add (answers, ask (KYMO_SOURCE (source), &questions[i], part));
  return answers;
}

static void
check_same (const char *folder,
            const char *way,
            KymoRun    *run,
            GPtrArray  *expected,
            gboolean    timed)
{
  g_autoptr (GPtrArray) got = ask_all (run, timed);

  g_assert_cmpuint (got->len, ==, expected->len);
  for (guint i = 0; i < got->len; i++)
    if (strcmp (got->pdata[i], expected->pdata[i]) != 0)
      {
        g_test_message ("%s, %s, answer %u differs:\n%.300s\n%.300s", folder, way, i,
                        (char *) expected->pdata[i], (char *) got->pdata[i]);
        g_test_fail ();
      }
}

static void
empty_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
}

static guint
count_kept (void)
{
  g_autoptr (GDir) dir = g_dir_open (cache_folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static KymoRun *
open_run (const char *folder,
          gboolean    clocks,
          gboolean    no_cache,
          gint64      limit)
{
  KymoOpenOptions options = { .n_threads = N_THREADS, .no_cache = no_cache,
                              .correct_clocks = clocks, .memory_limit_bytes = limit };
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_open_run (folder, &options, NULL, &error);

  g_assert_no_error (error);
  return run;
}

/* Writes the cache file of a run in memory, if its kind of run has one. */
static gboolean
keep (const char *folder,
      gboolean    clocks)
{
  g_autoptr (KymoRun) run = open_run (folder, clocks, FALSE, 0);

  g_assert_false (kymo_cache_served (run));
  return kymo_cache_save (run, NULL, NULL);
}

/* The one file in the cache folder. */
static char *
find_kept (void)
{
  g_autoptr (GDir) dir = g_dir_open (cache_folder, 0, NULL);

  return g_build_filename (cache_folder, g_dir_read_name (dir), NULL);
}

/* Written over, as the person's own and nobody else's. */
static void
put_kept (const char *path,
          const char *bytes,
          gsize       size)
{
  g_assert_true (g_file_set_contents_full (path, bytes, size, G_FILE_SET_CONTENTS_NONE, 0600,
                                           NULL));
}

static void
check_answer (KymoRunSource *source,
              const char    *what,
              const Asked   *asked,
              const char    *expected)
{
  g_autofree char *got = ask (KYMO_SOURCE (source), asked, FALSE);

  if (strcmp (got, expected) != 0)
    {
      g_test_message ("%s, %s:\n%.300s\n%.300s", what, asked->kind, expected, got);
      g_test_fail ();
    }
}

/* Sums of the whole run read no column: those may be anything. Who reads them finds out,
   and the files are read again; a profile does where all locations have untraced time. */
static void
check_columns (const char *folder,
               KymoRun    *truth)
{
  static const Asked asked[] = { { "usage", { NULL } }, { "profile", { NULL } },
                                 { "profile", { "per-location", "1", NULL } },
                                 { "histogram", { NULL } } };
  g_autoptr (KymoRunSource) files = kymo_run_source_new (truth, N_THREADS), source = NULL;
  g_autofree char *path = find_kept (), *bytes = NULL;
  g_autoptr (KymoRun) run = NULL, now = NULL;
  KymoSegmentHeader header;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  memcpy (&header, bytes, sizeof header);
  memset (bytes + sizeof header, 0x5a, header.entries.offset - sizeof header);
  put_kept (path, bytes, size);
  run = open_run (folder, FALSE, FALSE, 0);
  g_assert_true (kymo_cache_served (run));
  source = kymo_run_source_new (run, N_THREADS);
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_autofree char *right = ask (KYMO_SOURCE (files), &asked[i], FALSE);
      g_autoptr (KymoRun) then = NULL;

      check_answer (source, "columns of rubbish", &asked[i], right);
      then = kymo_run_source_ref_run (source);
      g_assert_true (i > 0 || then == run);
    }
  now = kymo_run_source_ref_run (source);
  g_assert_true (now != run);
}

static void
check_case (const char *folder,
            gboolean    clocks)
{
  g_autoptr (KymoRun) truth = open_run (folder, clocks, TRUE, 0);
  g_autoptr (GPtrArray) expected = ask_all (truth, clocks);
  g_autoptr (KymoRun) kept = NULL;

  if (keep (folder, clocks) && count_kept () > 0)
    {
      kept = open_run (folder, clocks, FALSE, 0);
      g_assert_true (kymo_cache_served (kept));
      n_kept++;
      check_same (folder, "kept", kept, expected, clocks);
      if (!clocks)
        check_columns (folder, truth);
    }
  empty_folder (cache_folder);
  if (kept == NULL)             /* of these nothing is spilled, either */
    return;

  g_autoptr (KymoRun) nameless = open_run (folder, clocks, TRUE, 1);
  check_same (folder, "nameless", nameless, expected, clocks);
  g_assert_cmpuint (count_kept (), ==, 0);
  for (guint turn = 0; turn < 2; turn++)
    {
      g_autoptr (KymoRun) limited = open_run (folder, clocks, FALSE, 1);

      g_assert_cmpint (kymo_cache_served (limited), ==, turn);
      check_same (folder, turn == 0 ? "written" : "read", limited, expected, clocks);
      g_assert_true (kymo_cache_save (limited, NULL, NULL));
      g_assert_cmpuint (count_kept (), ==, 1);
    }
  empty_folder (cache_folder);
}

static void
test_case (gconstpointer folder)
{
  n_cases++;
  check_case (folder, FALSE);
  check_case (folder, TRUE);
}

/* Whatever was done to the file: the answer is that of the files of the run. */
static void
check_damaged (const char *folder,
               const char *path,
               const char *what,
               gsize       place,
               const char *bytes,
               gsize       size,
               GPtrArray  *expected)
{
  static const Asked asked[] = { { "profile", { NULL } }, { "communication", { NULL } } };
  g_autofree char *words = g_strdup_printf ("%s %" G_GSIZE_FORMAT, what, place);
  g_autoptr (KymoRunSource) source = NULL;
  g_autoptr (KymoRun) run = NULL;

  put_kept (path, bytes, size);
  run = open_run (folder, FALSE, FALSE, 0);
  source = kymo_run_source_new (run, N_THREADS);
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      if (expected->len < G_N_ELEMENTS (asked))
        g_ptr_array_add (expected, ask (KYMO_SOURCE (source), &asked[i], FALSE));
      check_answer (source, words, &asked[i], expected->pdata[i]);
    }
}

/* Every 997th byte turned and every 997th length. */
static void
test_damage (gconstpointer folder)
{
  g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *path = NULL, *bytes = NULL;
  gsize size, step = STEP * get_part ();

  g_assert_true (keep (folder, FALSE));
  path = find_kept ();
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  check_damaged (folder, path, "foreign", 0, "not a cache\n", 12, expected);
  check_damaged (folder, path, "whole", 0, bytes, size, expected);
  for (gsize place = 0; place < size; place += step)
    {
      bytes[place] ^= 1 << (place % 8);
      check_damaged (folder, path, "byte", place, bytes, size, expected);
      bytes[place] ^= 1 << (place % 8);
      check_damaged (folder, path, "length", place, bytes, place, expected);
    }
  empty_folder (cache_folder);
}

typedef struct
{
  const char *path;
  gsize       size;
} Cut;

/* In the midst of answers, whatever they read at that moment. */
static gpointer
cut_soon (gpointer data)
{
  const Cut *cut = data;

  g_usleep (g_random_int_range (0, 3000));
  g_assert_cmpint (truncate (cut->path, cut->size), ==, 0);
  return NULL;
}

/* A file that was looked at, and is shorter when it is read: before a question, after it was
   answered once (its columns are known to be sound by then), and meanwhile. Each question meets
   two of four places, the next one the other two. */
static void
check_cut (const char *folder,
           const char *path,
           GBytes     *bytes,
           guint       asked,
           guint       when,
           gint64      limit,
           const char *expected)
{
  gsize size = g_bytes_get_size (bytes);
  static guint turn;

  for (guint i = asked % 2; i < 4; i += 2)
    {
      Cut cut = { path, size / 64 * (i * 16) + turn++ % 3 * 100 };
      g_autoptr (KymoRunSource) source = NULL;
      g_autoptr (KymoRun) run = NULL;
      GThread *thread = NULL;
      g_autofree char *words = g_strdup_printf ("cut to %" G_GSIZE_FORMAT " at %u", cut.size, when);

      put_kept (path, g_bytes_get_data (bytes, NULL), size);
      run = open_run (folder, FALSE, FALSE, limit);
      g_assert_true (kymo_cache_served (run));
      source = kymo_run_source_new (run, N_THREADS);
      g_clear_pointer (&run, kymo_run_unref);
      if (when == 1)
        check_answer (source, "whole", &questions[asked], expected);
      if (when == 2)
        thread = g_thread_new ("cut", cut_soon, &cut);
      else
        g_assert_cmpint (truncate (path, cut.size), ==, 0);
      check_answer (source, words, &questions[asked], expected);
      if (thread != NULL)
        g_thread_join (thread);
      check_answer (source, words, &questions[asked], expected);
    }
}

/* Read in parts, as most files are; and mapped, as one that is larger than memory, if not in
   the midst of an answer. */
static void
test_cut (gconstpointer folder)
{
  g_autoptr (KymoRun) truth = open_run (folder, FALSE, TRUE, 0);
  g_autoptr (KymoRunSource) files = kymo_run_source_new (truth, N_THREADS);
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;
  char *whole;
  gsize size;

  g_assert_true (keep (folder, FALSE));
  path = find_kept ();
  g_assert_true (g_file_get_contents (path, &whole, &size, NULL));
  bytes = g_bytes_new_take (whole, size);
  for (guint way = 0; way < 2; way++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (questions); i += get_part ())
        {
          g_autofree char *right = ask (KYMO_SOURCE (files), &questions[i], FALSE);

          for (guint when = 0; when < 3 - way; when++)
            check_cut (folder, path, bytes, i, when, way, right);
        }
    }
  empty_folder (cache_folder);
}

/* Of columns that were found sound and are gone since, nothing is converted. */
static void
test_cut_convert (gconstpointer folder)
{
  g_autofree char *out = g_build_filename (cache_folder, "out.csv", NULL);
  KymoConvertWish wish = { .format = KYMO_CONVERT_CSV, .out = out,
                                 .n_threads = 1 };
  KymoConvertResult result;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = NULL;
  g_autofree char *path = NULL;

  g_assert_true (keep (folder, FALSE));
  path = find_kept ();
  run = open_run (folder, FALSE, FALSE, 1);
  wish.span = run->span;
  g_assert_true (kymo_cache_served (run));
  for (guint i = 0; i < run->segments->len; i++)
    g_assert_true (kymo_segment_use (run->segments->pdata[i], KYMO_PARTS_ALL));
  g_assert_cmpint (truncate (path, 10000), ==, 0);
  g_assert_false (kymo_convert_write (run, &wish, &result, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_STALE);
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
  kymo_convert_result_clear (&result);
  g_clear_pointer (&run, kymo_run_unref);
  empty_folder (cache_folder);
}

static gint64
bytes_in (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  gint64 n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf info;

      if (g_stat (path, &info) == 0)
        n += S_ISDIR (info.st_mode) ? bytes_in (path) : info.st_size;
    }
  return n;
}

/* Of the folder itself and of what lies in it, whatever is a run. */
static void
add_cases (const char *folder,
           guint       depth)
{
  gint64 most = get_part () > 1 ? SMALL_BYTES : G_MAXINT64;
  KymoOpenOptions options = { .n_threads = N_THREADS, .no_cache = TRUE };
  g_autoptr (KymoRun) run = bytes_in (folder) > most ? NULL
    : kymo_open_run (folder, &options, NULL, NULL);
  g_autoptr (GDir) dir = run == NULL && depth > 0 ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  if (run != NULL && run->segments->len > 0)
    {
      g_autofree char *test = g_strconcat ("/same", strrchr (folder, '/'), NULL);

      g_test_add_data_func_full (test, g_strdup (folder), test_case, g_free);
    }
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      add_cases (path, depth - 1);
    }
}

int
main (int    argc,
      char **argv)
{
  Scratch scratch;
  g_autofree char *sample = NULL, *data = NULL, *kept = NULL, *damaged = NULL;
  int status;

  scratch_up (&scratch, NULL);
  g_setenv ("XDG_CACHE_HOME", scratch.folder, TRUE);
  g_setenv ("KYMO_CACHE_MIN_BYTES", "0", TRUE);
  kept = g_build_filename (scratch.folder, "kymo", NULL);
  cache_folder = kept;
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  sample = g_build_filename (argv[1], "data", "sample", NULL);
  data = g_build_filename (argv[1], "tests", "data", NULL);
  add_cases (sample, 0);
  add_cases (data, 2);
  damaged = g_build_filename (data, "feat-p4-text", NULL);
  g_test_add_data_func ("/same/damage", damaged, test_damage);
  g_test_add_data_func ("/same/cut", sample, test_cut);
  g_test_add_data_func ("/same/cut-convert", sample, test_cut_convert);
  status = g_test_run ();
  g_assert_cmpuint (n_kept, >=, n_cases > 0 ? 20 : 0);  /* with and without corrected clocks */
  empty_folder (cache_folder);
  g_rmdir (cache_folder);
  scratch_down (&scratch, NULL);
  return status;
}
