/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs made of frames: names and facts that come with the stream or after it, which runs
 * that were made before keep as they were, and marks, of which a limited number is kept.
 */
#include "config.h"

#include <string.h>

#include "blocks.h"
#include "kymo-stream-journal.h"
#include "kymo-stream-store.h"

#define MS G_GINT64_CONSTANT (1000000)

static void
give (KymoStreamStore *store,
      KymoStreamFrame *frame)
{
  g_autoptr (KymoStreamFrame) owned = frame;

  kymo_stream_store_take (store, frame, NULL, NULL);
}

/* Blocks of a second, in which entry 14 has a half. */
static void
give_seconds (KymoStreamStore *store,
              guint            n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (KymoStreamFrame) frame = blocks_make_reply (1, 14, 50);

      g_assert_cmpint (kymo_stream_store_take (store, frame, NULL, NULL), ==, KYMO_STREAM_BLOCK);
    }
}

static KymoStreamStore *
new_store (void)
{
  KymoStreamStore *store = kymo_stream_store_new ("test", 0);

  give (store, blocks_make_form (1));
  return store;
}

static void
give_sts (KymoStreamStore *store,
          const char      *method)
{
  g_autofree char *sts = g_strdup_printf (
    "HOSTNAME \"vm\"\nCOMMANDLINE \"./load 25\"\nCHARE 0 \"Cell\" 2\n"
    "ENTRY CHARE 14 \"%s(int n)\" 0 0\nEND\n", method);
  g_autoptr (KymoStreamFrame) frame = kymo_stream_frame_new_text (KYMO_FRAME_NAMES, 1, sts);

  g_assert_cmpint (kymo_stream_store_take (store, frame, NULL, NULL), ==, KYMO_STREAM_NOTHING);
}

static const char *
find_fact (const KymoRun *run,
           const char    *key)
{
  for (guint i = 0; i < run->facts->len; i++)
    if (strcmp (g_array_index (run->facts, KymoFact, i).key, key) == 0)
      return g_array_index (run->facts, KymoFact, i).value;
  return NULL;
}

static void
test_names (void)
{
  KymoStreamStore *store = new_store ();
  g_autoptr (KymoRun) before = NULL, between = NULL, after = NULL;
  guint at = 0;

  give_seconds (store, 3);
  before = kymo_stream_store_snapshot (store, TRUE);
  between = kymo_stream_store_snapshot (store, TRUE);
  g_assert_true (before->activities == between->activities);
  while (kymo_run_peek_activity (before, at)->id != 14)
    at++;
  g_assert_cmpstr (kymo_run_peek_activity (before, at)->name, ==, "entry 14");
  give_sts (store, "run");
  g_clear_pointer (&between, kymo_run_unref);
  between = kymo_stream_store_snapshot (store, TRUE);
  give_sts (store, "walk");
  kymo_stream_store_reset (store);
  g_assert_null (kymo_stream_store_snapshot (store, TRUE));
  give (store, blocks_make_form (1));
  give_seconds (store, 1);
  after = kymo_stream_store_snapshot (store, FALSE);
  g_assert_cmpstr (kymo_run_peek_activity (before, at)->name, ==, "entry 14");
  g_assert_cmpstr (kymo_run_peek_activity (between, at)->name, ==, "Cell::run");
  g_assert_cmpstr (kymo_run_peek_activity (between, at)->signature, ==, "Cell::run(int n)");
  g_assert_cmpstr (kymo_run_peek_activity (between, at)->group, ==, "Cell");
  for (at = 0; kymo_run_peek_activity (after, at)->id != 14;)
    at++;
  g_assert_cmpstr (kymo_run_peek_activity (after, at)->name, ==, "Cell::walk");
  g_assert_cmpstr (find_fact (after, "program"), ==, "load");
  g_assert_cmpstr (find_fact (after, "host"), ==, "vm");
  g_assert_cmpstr (find_fact (after, "target"), ==, "nowhere");
  g_assert_cmpstr (find_fact (after, "byte_order"), ==, "little");
  g_assert_cmpint (after->kind, ==, KYMO_RUN_STREAM);
  g_assert_cmpstr (kymo_run_peek_location (after, 0)->label, ==, "mean of 4 PEs");
  g_assert_cmpint (after->n_locations_original, ==, 4);
  g_assert_cmpint (after->span.end_ns, ==, 1000 * MS);
  g_assert_true (between->stream->growing && !after->stream->growing);
  kymo_stream_store_free (store);
}

/* Names with roles are those of a job under a recorder: its rows are ranks, its activities
   functions, and busy is what computes. */
static void
test_roles (void)
{
  KymoStreamStore *store = new_store ();
  g_autoptr (KymoStreamFrame) wait = blocks_make_reply (1, 15, 30);
  g_autoptr (KymoRun) run = NULL;
  KymoTerms before, after;

  give_seconds (store, 1);
  run = kymo_stream_store_snapshot (store, TRUE);
  before = run->terms;
  g_clear_pointer (&run, kymo_run_unref);
  give (store, kymo_stream_frame_new_text (
          KYMO_FRAME_NAMES, 1, "ENTRY CHARE 14 \"solve\" -1 0\nROLE 14 compute\n"
          "ENTRY CHARE 15 \"MPI_Barrier\" -1 0\nROLE 15 synchronization\nEND\n"));
  kymo_stream_store_take (store, wait, NULL, NULL);
  give_seconds (store, 1);
  run = kymo_stream_store_snapshot (store, FALSE);
  after = run->terms;
  g_assert_cmpint (before.row, ==, KYMO_ROW_PE);
  g_assert_cmpint (before.code, ==, KYMO_CODE_ENTRY_METHOD);
  g_assert_cmpint (after.row, ==, KYMO_ROW_RANK);
  g_assert_cmpint (after.code, ==, KYMO_CODE_FUNCTION);
  g_assert_cmpstr (kymo_run_peek_location (run, 0)->label, ==, "mean of 4 ranks");
  g_assert_cmpint (run->stream->busy.sum_ns, ==, 1000 * MS);
  g_assert_cmpint (run->stream->busy.lowest_ns, ==, 0);
  kymo_stream_store_free (store);
}

static void
test_marks (void)
{
  KymoStreamStore *store = new_store ();
  g_autoptr (KymoRun) first = NULL, last = NULL;
  const GArray *marks;
  KymoStreamFrame *late;

  give_seconds (store, 3);
  for (guint i = 0; i < 20; i++)
    give (store, kymo_stream_frame_new_text (KYMO_FRAME_STATE, 1, "state"));
  late = kymo_stream_frame_new_text (KYMO_FRAME_MARK, 1, "condition");
  late->begin_ns = 500 * MS;
  give (store, late);
  first = kymo_stream_store_snapshot (store, TRUE);
  for (guint i = 0; i < KYMO_STREAM_MAX_MARKS; i++)
    give (store, kymo_stream_frame_new_text (KYMO_FRAME_LOST, 1, "lost"));
  give (store, kymo_stream_frame_new_text (KYMO_FRAME_END, 9, "over"));
  last = kymo_stream_store_snapshot (store, FALSE);
  marks = first->stream->marks;
  g_assert_cmpuint (marks->len, ==, 21);
  g_assert_cmpstr (g_array_index (marks, KymoStreamMark, 0).text, ==, "condition");
  g_assert_cmpint (g_array_index (marks, KymoStreamMark, 0).kind, ==,
                   KYMO_STREAM_MARK_CONDITION);
  g_assert_cmpint (g_array_index (marks, KymoStreamMark, 20).time_ns, ==, 3000 * MS);
  marks = last->stream->marks;
  g_assert_cmpuint (marks->len, <=, KYMO_STREAM_MAX_MARKS);
  g_assert_cmpint (g_array_index (marks, KymoStreamMark, marks->len - 1).kind, ==,
                   KYMO_STREAM_MARK_LOST);
  g_assert_cmpstr (last->stream->ended, ==, "over");
  g_assert_null (first->stream->ended);
  g_assert_cmpint (last->stream->end_us, ==, 9);
  g_assert_cmpint (last->stream->n_lost, ==, KYMO_STREAM_MAX_MARKS);
  kymo_stream_store_free (store);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stream-facts/names", test_names);
  g_test_add_func ("/stream-facts/roles", test_roles);
  g_test_add_func ("/stream-facts/marks", test_marks);
  return g_test_run ();
}
