/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a trace sampled: user events of its profile, and counters over time.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

static KymoRun *
new_run (guint n_locations)
{
  KymoRun *run = kymo_run_new ();

  run->title = g_strdup ("samples");
  run->format = g_strdup ("hand");
  run->n_locations_original = n_locations;
  kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, 0, "main", NULL, "USER");
  return run;
}

static void
add_location (KymoRun     *run,
              guint        i,
              KymoSegment *segment)
{
  KymoLocation location = { .id = i, .label = g_strdup_printf ("rank %u", i), .kept = TRUE };

  kymo_run_add_location (run, &location, segment);
}

/* Calls that are counted, and a sample in each. */
static KymoSegment *
make_counted (guint location)
{
  KymoSegmentBuilder *b = kymo_segment_builder_new (location, 1);
  gint64 total = 0;
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_set_n_counters (b, 1);
  kymo_segment_builder_touch (b, 0);
  for (gint64 t = 10; t < 1000; t += 10)
    {
      kymo_segment_builder_begin_block (b, t, 0, 0, -1, 8, NULL);
      kymo_segment_builder_begin_counters (b, &total);
      total += t;
      kymo_segment_builder_point (b, &(KymoPoint) { t + 1, t + 1, KYMO_POINT_USER_VALUE, 0, 0,
                                                    G_MAXUINT32, 3, 0, { (double) t } });
      kymo_segment_builder_end_counters (b, &total);
      kymo_segment_builder_end_block (b, t + 5);
    }
  segment = kymo_segment_builder_seal (b, 1000, FALSE, &repairs);
  kymo_segment_builder_free (b);
  return segment;
}

/* Samples that are all alike do not deviate, however large they are; those of one name
   are one event, whichever kind of record they came by. */
static void
test_user_events (void)
{
  g_autoptr (KymoRun) run = new_run (3);
  g_autoptr (KymoRunSource) source = NULL;
  g_autoptr (KymoQuestion) question = kymo_question_new ("user-events");
  g_autoptr (KymoTable) answer = NULL;
  KymoFact stat = { g_strdup ("5"), g_strdup ("heap") };
  KymoTable *list;

  g_array_append_val (run->stat_names, stat);
  kymo_run_add_activity (run, KYMO_ACTIVITY_EVENT, 9, "heap", NULL, "USER");
  for (guint i = 0; i < 3; i++)
    {
      KymoSegmentBuilder *b = kymo_segment_builder_new (i, 2);
      KymoRepairs repairs;

      kymo_segment_builder_touch (b, 0);
      for (gint64 t = 1; t < 1000; t++)
        {
          gboolean is_stat = t % 3 == 0;

          kymo_segment_builder_touch (b, t);
          kymo_segment_builder_point (b, &(KymoPoint) {
            t, t, is_stat ? KYMO_POINT_USER_STAT : KYMO_POINT_USER_VALUE, 0, 0,
            is_stat ? G_MAXUINT32 : 1, 5, 0, { 1e9 + 0.1 } });
          kymo_segment_builder_point (b, &(KymoPoint) {
            t, t, KYMO_POINT_USER_VALUE, 0, 0, G_MAXUINT32, 6, 0,
            { 1e12 + (double) (t % 2 + 10 * i) } });
        }
      add_location (run, i, kymo_segment_builder_seal (b, 1000, FALSE, &repairs));
      kymo_segment_builder_free (b);
    }
  kymo_run_seal (run);
  source = kymo_run_source_new (run, 2);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
  list = kymo_table_peek_nested (answer, "user_events", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 2);
  g_assert_cmpstr (kymo_table_get_string (list, "name", 0), ==, "heap");
  g_assert_cmpint (kymo_table_get_int (list, "n_locations", 0), ==, 3);
  g_assert_cmpfloat (kymo_table_get_double (list, "count", 0), ==, 3 * 999);
  g_assert_cmpfloat (kymo_table_get_double (list, "stddev", 0), <, 1e-6);
  /* 0 or 1, and 0, 10 or 20 by location: a quarter and 200 / 3. */
  g_assert_cmpfloat_with_epsilon (kymo_table_get_double (list, "stddev", 1),
                                  sqrt (0.25 * (1 - 1. / 999 / 999) + 200. / 3), 1e-3);
}

static double
samples_of (KymoTable *answer,
            const char *list,
            guint       n_rows)
{
  KymoTable *rows = kymo_table_peek_nested (answer, list, NULL);
  double sum = 0;

  g_assert_cmpuint (kymo_table_get_n_rows (rows), ==, n_rows);
  for (guint i = 0; i < n_rows; i++)
    sum += (double) kymo_table_get_int (rows, "samples", i);
  return sum;
}

/* A metric and a user event of one name are two curves; of few rows each is of some
   locations together. */
static void
test_counters (void)
{
  g_autoptr (KymoRun) run = new_run (4);
  g_autoptr (KymoRunSource) source = NULL;
  g_autoptr (KymoQuestion) question = kymo_question_new ("counters");
  g_autoptr (KymoTable) all = NULL, each = NULL, pairs = NULL;
  KymoTable *list;

  g_ptr_array_add (run->metrics, g_strdup ("User value 3"));
  for (guint i = 0; i < 4; i++)
    add_location (run, i, make_counted (i));
  kymo_run_seal (run);
  source = kymo_run_source_new (run, 2);
  all = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
  list = kymo_table_peek_nested (all, "names", NULL);
  kymo_question_set (question, "name", "User value 3");
  kymo_question_set_resolution (question, 10, 0);
  each = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
  kymo_question_set_resolution (question, 10, 2);
  pairs = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
  g_assert_cmpstr (kymo_table_get_string (list, "kind", 0), ==, "user-event");
  g_assert_cmpstr (kymo_table_get_string (list, "kind", 1), ==, "metric");
  g_assert_cmpfloat (samples_of (all, "names", 2), ==, samples_of (each, "series", 8));
  g_assert_cmpfloat (samples_of (all, "names", 2), ==, samples_of (pairs, "series", 4));
  g_assert_cmpint (kymo_table_get_int (pairs, "group", 0), ==, 2);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-samples/user-events", test_user_events);
  g_test_add_func ("/trace-samples/counters", test_counters);
  return g_test_run ();
}
