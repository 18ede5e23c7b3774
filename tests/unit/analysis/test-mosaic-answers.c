/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timelines by the mosaic and by a walk: one answer, and that of brute force. Runs and
 * questions are random, of fixed seeds.
 */
#include "config.h"

#include <string.h>

#include "answer-of-run.h"
#include "kymo-row-groups.h"
#include "kymo-run-index.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"
#include "mosaic-run.h"

/* Some of the locations, some twice, one that there is not. */
static void
set_random_order (GRand        *rand,
                  KymoQuestion *question)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint i = g_rand_int_range (rand, 0, 24); i > 0; i--)
    g_array_append_val (order, (gint64) { g_rand_int_range (rand, 0, 18) });
  kymo_question_set_order (question, order);
}

/* Some of the processes of three locations are one row. */
static void
set_random_groups (GRand        *rand,
                   KymoRun      *run,
                   KymoQuestion *question)
{
  g_autoptr (KymoQuestion) which = kymo_question_new ("row-groups");
  g_autoptr (KymoTable) answer = answer_of_run (run, which, 1);
  KymoRowGroups *groups = kymo_row_groups_new (answer);

  for (guint i = 0; groups != NULL && i < kymo_row_groups_get_n (groups); i++)
    {
      KymoRowGroups *before = groups;

      groups = kymo_row_groups_fold (before, i, g_rand_int_range (rand, 0, 3) > 0);
      kymo_row_groups_unref (before);
    }
  kymo_question_set_groups (question, groups);
  kymo_row_groups_unref (groups);
}

static KymoQuestion *
random_question (GRand   *rand,
                 KymoRun *run)
{
  KymoQuestion *question = kymo_question_new ("timeline");
  gint64 length = kymo_span_length (run->span);
  gint64 begin = run->span.begin_ns + g_rand_int_range (rand, 0, length);
  g_autoptr (KymoIdSet) set = NULL;

  if (g_rand_int_range (rand, 0, 4) > 0)
    kymo_question_set_span (question, (KymoSpan) { begin, begin + 1 + (length
                                                   >> g_rand_int_range (rand, 0, 12)) });
  kymo_question_set_resolution (question, g_rand_int_range (rand, 1, 90),
                                g_rand_int_range (rand, 0, 9));
  if (g_rand_int_range (rand, 0, 4) == 0)
    set = kymo_id_set_parse (g_rand_boolean (rand) ? "2-5,8" : "0,1,2,3,6", NULL);
  if (set != NULL)
    kymo_question_set_locations (question, set);
  kymo_question_set_int (question, "workers-only", g_rand_boolean (rand));
  kymo_question_set_int (question, "grid", 1);
  kymo_question_set_int (question, "dense", g_rand_int_range (rand, 0, 3) > 0);
  kymo_question_set_int (question, "first-row", g_rand_int_range (rand, 0, 3));
  if (g_rand_boolean (rand))
    kymo_question_set_int (question, "n-rows", g_rand_int_range (rand, 0, 8));
  if (g_rand_int_range (rand, 0, 3) == 0)
    set_random_order (rand, question);
  if (g_rand_int_range (rand, 0, 3) == 0)
    set_random_groups (rand, run, question);
  return question;
}

/* The cells of a row as brute force has them, from its locations. */
static void
check_dense_row (const KymoRun   *run,
                 const KymoTable *answer,
                 guint            row)
{
  const guint *offsets;
  KymoTable *rows = kymo_table_peek_nested (answer, "rows", NULL);
  KymoTable *list = kymo_table_peek_nested (rows, "locations", &offsets);
  KymoTable *names = kymo_table_peek_nested (answer, "names", NULL);
  const guint32 *dense = kymo_table_peek_packed (kymo_table_peek_nested (answer, "dense", NULL),
                                                 "cell", NULL);
  const gint64 *ids = kymo_table_peek_ints (list, "location", NULL) + offsets[row];
  guint n = offsets[row + 1] - offsets[row];
  KymoSpan span = { kymo_table_get_int (answer, "begin_ns", 0),
                    kymo_table_get_int (answer, "end_ns", 0) };
  guint n_columns = kymo_table_get_int (answer, "columns", 0);

  for (guint c = 0; c < n_columns; c++)
    {
      KymoSpan here = { span.begin_ns + kymo_span_length (span) * c / n_columns,
                        span.begin_ns + kymo_span_length (span) * (c + 1) / n_columns };
      guint32 cell = dense[row * n_columns + c];
      guint32 expected = mosaic_brute_cell (run, ids, n, here);

      g_assert_cmpuint (cell == KYMO_NO_CELL, ==, expected == KYMO_NO_CELL);
      if (cell == KYMO_NO_CELL)
        continue;
      g_assert_cmpuint (cell & 0xffff, ==, expected & 0xffff);
      g_assert_cmpstr (kymo_table_get_string (names, "name", cell >> 16), ==,
                       expected >> 16 >= KYMO_STATE_ACTIVITY
                       ? kymo_run_peek_activity (run, (expected >> 16) - KYMO_STATE_ACTIVITY)->name
                       : ((const char *[]) { "Overhead", "Idle", "Untraced" })[expected >> 16]);
    }
}

static char *
to_json (const KymoTable *answer)
{
  GString *text = g_string_new (NULL);

  kymo_table_write_json (answer, text);
  return g_string_free (text, FALSE);
}

/* By the mosaic, by a walk, on any number of threads: one answer. */
static void
test_answers (void)
{
  guint n_grid = 0, n_dense = 0, n_built = 0, n_of_rows = 0;

  for (guint32 seed = 1; seed <= 20; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (KymoRun) run = mosaic_random_run (100 + seed, 3 + seed % 14);
      g_autoptr (KymoRun) unbuilt = mosaic_random_run (100 + seed, 3 + seed % 14);

      for (guint i = 0; i < 30; i++)
        {
          g_autoptr (KymoQuestion) question = random_question (rand, run);
          g_autoptr (KymoTable) by_mosaic = answer_of_run (run, question, 1 + i % 3);
          g_autoptr (KymoTable) by_walk = NULL;
          g_autofree char *a = to_json (by_mosaic), *b = NULL;

          kymo_question_set_int (question, "once", 1);
          by_walk = answer_of_run (unbuilt, question, 1 + (i + 1) % 3);
          b = to_json (by_walk);
          g_assert_cmpstr (a, ==, b);
          n_grid += kymo_table_get_int (by_walk, "column_ns", 0) > 0;
          n_of_rows += kymo_table_get_int (by_walk, "column_ns", 0) > 0
            && run->index->rows_mosaic != NULL && kymo_mosaic_is_built (run->index->rows_mosaic);
          if (kymo_table_peek_nested (by_walk, "dense", NULL) == NULL)
            continue;
          n_dense++;
          for (guint r = 0; r < kymo_table_get_n_rows (kymo_table_peek_nested (by_walk, "rows",
                                                                             NULL)); r++)
            check_dense_row (run, by_walk, r);
        }
      n_built += kymo_run_peek_mosaic (run) != NULL
        && kymo_mosaic_is_built (kymo_run_peek_mosaic (run));
      g_assert_true (kymo_run_peek_mosaic (unbuilt) == NULL
                     || !kymo_mosaic_is_built (kymo_run_peek_mosaic (unbuilt)));
    }
  g_assert_cmpuint (n_built, >, 15);
  g_assert_cmpuint (n_grid, >, 100);
  g_assert_cmpuint (n_dense, >, 100);
  g_assert_cmpuint (n_of_rows, >, 50);
}

/* More states than a packed cell can tell: nobody gets another one's name. */
static void
test_many_states (void)
{
  const guint n_activities = 66000, busy = 65997;
  g_autoptr (KymoRun) run = kymo_run_new ();
  KymoSegmentBuilder *builder = kymo_segment_builder_new (0, n_activities);
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *names;
  KymoRepairs repairs;

  run->format = g_strdup ("made");
  run->title = g_strdup ("made");
  for (guint i = 0; i < n_activities; i++)
    kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, i == busy ? "busy" : "other", NULL, NULL);
  for (guint i = 0; i < 3000; i++)
    {
      kymo_segment_builder_touch (builder, 10 * i);
      kymo_segment_builder_begin_block (builder, 10 * i, busy, 0, -1, 0, NULL);
      kymo_segment_builder_end_block (builder, 10 * i + 10);
    }
  for (guint i = 0; i < 2; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup ("PE"), .kept = TRUE };
      KymoSegment *segment = i == 0
        ? kymo_segment_builder_seal (builder, 6000, FALSE, &repairs)
        : kymo_segment_new_lent (g_ptr_array_index (run->segments, 0));

      kymo_run_add_location (run, &location, segment);
    }
  kymo_segment_builder_free (builder);
  kymo_run_seal (run);
  kymo_question_set_int (question, "grid", 1);
  kymo_question_set_int (question, "dense", 1);
  for (guint rows = 1; rows <= 2; rows++)
    {
      kymo_question_set_resolution (question, 50, rows);
      g_clear_pointer (&answer, kymo_table_unref);
      answer = answer_of_run (run, question, 1);
      names = kymo_table_peek_nested (answer, "names", NULL);
      g_assert_null (kymo_table_peek_nested (answer, "dense", NULL));
      g_assert_cmpuint (kymo_table_get_n_rows (names), ==, 1);
      g_assert_cmpstr (kymo_table_get_string (names, "name", 0), ==, "busy");
    }
}

/* A source that builds aside: the first answer waits for nothing, a later one
   is read from the mosaic, and they are the same. */
static void
test_aside (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (KymoRun) run = mosaic_random_run (105, 12);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  KymoMosaic *mosaic = kymo_run_peek_mosaic (run);
  gint64 deadline = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  g_assert_nonnull (mosaic);
  kymo_run_source_build_aside (source);
  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (KymoQuestion) question = random_question (rand, run);
      g_autoptr (KymoTable) before = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
      g_autoptr (KymoTable) after = NULL;
      g_autofree char *a = to_json (before), *b = NULL;

      /* By then one of them has asked for the mosaic. */
      while (i == 100 && !kymo_mosaic_is_built (mosaic) && g_get_monotonic_time () < deadline)
        g_usleep (1000);
      after = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
      b = to_json (after);
      g_assert_cmpstr (a, ==, b);
    }
  g_assert_true (kymo_mosaic_is_built (mosaic));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mosaic-answers/many-states", test_many_states);
  g_test_add_func ("/mosaic-answers/answers", test_answers);
  g_test_add_func ("/mosaic-answers/aside", test_aside);
  return g_test_run ();
}
