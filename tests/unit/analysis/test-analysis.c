/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions put to runs made by hand: hardware counters, and what a segment
 * knows of its sends.
 */
#include "config.h"

#include "kymo-error.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

/* A block of 10 to 90 with one of 30 to 50 in it, and one of 100 to 110. */
static KymoSegment *
nested_segment (guint location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, 2);
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (builder, 0);
  kymo_segment_builder_begin_block (builder, 10, 0, 0, -1, 0, NULL);
  kymo_segment_builder_begin_block (builder, 30, 1, 0, -1, 0, NULL);
  kymo_segment_builder_end_block (builder, 50);
  kymo_segment_builder_end_block (builder, 90);
  kymo_segment_builder_begin_block (builder, 100, 1, 0, -1, 0, NULL);
  kymo_segment_builder_end_block (builder, 110);
  kymo_segment_builder_touch (builder, 120);
  segment = kymo_segment_builder_seal (builder, 6, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

static void
add_counted (KymoRun      *run,
             const gint64 *counters)
{
  guint id = run->locations->len;
  KymoSegment *segment = nested_segment (id);
  KymoLocation location = { .id = id, .label = g_strdup_printf ("PE %u", id), .kept = TRUE };

  g_assert_cmpuint (segment->n_blocks, ==, 3);
  segment->n_counters = 2;
  segment->block_counters = g_memdup2 (counters, 6 * sizeof (gint64));
  kymo_run_add_location (run, &location, segment);
}

static KymoRun *
counted_run (const gint64 *counters)
{
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("hand");
  g_ptr_array_add (run->metrics, g_strdup ("PAPI_TOT_CYC"));
  g_ptr_array_add (run->metrics, g_strdup ("PAPI_L2_DCM"));
  kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 0, "outer", NULL, NULL);
  kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 1, "inner", NULL, NULL);
  run->n_locations_original = 1;
  add_counted (run, counters);
  kymo_run_seal (run);
  return run;
}

static KymoTable *
ask (KymoRun    *run,
     const char *kind,
     KymoSpan    span,
     gint64      time_ns)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, span);
  kymo_question_set_int (question, "location", 0);
  kymo_question_set_int (question, "time", time_ns);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static gint64
counter_of (KymoTable  *profile,
            const char *name,
            guint       metric)
{
  KymoTable *list = kymo_table_peek_nested (profile, "activities", NULL);
  const guint *offsets;
  KymoTable *values = kymo_table_peek_nested (list, "counters", &offsets);

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (g_strcmp0 (kymo_table_get_string (list, "name", i), name) == 0)
      {
        g_assert_cmpuint (offsets[i + 1] - offsets[i], ==, 2);
        return kymo_table_get_int (values, "value", offsets[i] + metric);
      }
  g_assert_not_reached ();
}

static void
test_counters (void)
{
  const gint64 counters[] = { 1000, 7, 300, KYMO_NO_COUNT, 50, 5 };
  g_autoptr (KymoRun) run = counted_run (counters);
  g_autoptr (KymoTable) all = ask (run, "profile", KYMO_SPAN_ALL, 0);
  g_autoptr (KymoTable) part = ask (run, "profile", (KymoSpan) { 20, 120 }, 0);

  g_assert_cmpint (counter_of (all, "outer", 0), ==, 700);
  g_assert_cmpint (counter_of (all, "inner", 0), ==, 350);
  /* What is nested is not known, so neither is what is left without it. */
  g_assert_cmpint (counter_of (all, "outer", 1), ==, KYMO_NULL_INT);
  g_assert_cmpint (counter_of (all, "inner", 1), ==, 5);
  g_assert_cmpint (counter_of (all, "Idle", 0), ==, KYMO_NULL_INT);
  g_assert_cmpint (counter_of (part, "outer", 0), ==, KYMO_NULL_INT);
  g_assert_cmpint (counter_of (part, "inner", 0), ==, 350);
}

/* Weights that a question brings along, of a run that has none. */
static void
test_weights_of_a_question (void)
{
  const gint64 counters[] = { 1000, 7, 300, KYMO_NO_COUNT, 50, 5 };
  const gint64 ids[] = { 0, 1 }, some[] = { 2500000, 0 };
  g_autoptr (KymoIdWeights) weights = kymo_id_weights_new (ids, some, 2);
  g_autoptr (KymoRun) run = counted_run (counters);
  g_autoptr (KymoQuestion) question = kymo_question_new ("profile");
  g_autoptr (KymoRunSource) source = NULL;
  g_autoptr (KymoTable) got = NULL, plain = ask (run, "profile", KYMO_SPAN_ALL, 0);
  g_autoptr (GError) error = NULL;
  KymoTable *list;

  add_counted (run, counters);
  kymo_run_seal (run);
  source = kymo_run_source_new (run, 1);
  kymo_question_set_weights (question, weights);
  got = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (kymo_table_get_bool (got, "extrapolated", 0));
  g_assert_cmpint (kymo_table_get_int (got, "extrapolated_from", 0), ==, 1);
  g_assert_cmpfloat (kymo_table_get_double (got, "stands_for", 0), ==, 2.5);
  g_assert_cmpint (kymo_table_get_int (got, "span_ns", 0), ==, 300);
  g_assert_cmpint (kymo_table_get_int (got, "busy_ns", 0), ==, 225);
  g_assert_cmpint (counter_of (got, "outer", 0), ==, 1750);
  g_assert_cmpint (counter_of (got, "inner", 0), ==, 875);
  g_assert_cmpint (counter_of (got, "outer", 1), ==, KYMO_NULL_INT);
  g_assert_cmpint (counter_of (got, "inner", 1), ==, 13);
  list = kymo_table_peek_nested (got, "activities", NULL);
  g_assert_cmpint (kymo_table_find_column (list, "error"), <, 0);
  g_assert_cmpfloat (kymo_table_get_double (got, "imbalance", 0), ==, 1);
  g_assert_cmpfloat (kymo_table_get_double (got, "utilization", 0), ==,
                     kymo_table_get_double (plain, "utilization", 0));
  /* The run itself has none. */
  kymo_question_set_weights (question, NULL);
  kymo_question_set_int (question, "extrapolate", 1);
  g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE);
}

/* Where a location's row is, and its busy share of a part of what is shown. */
static void
test_rows_of_a_view (void)
{
  const gint64 counters[6] = { 0 };
  g_autoptr (KymoRun) run = counted_run (counters);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (KymoQuestion) place = kymo_question_new ("place");
  g_autoptr (KymoQuestion) view = kymo_question_new ("timeline");
  g_autoptr (KymoTable) usage = ask (run, "usage", (KymoSpan) { 20, 120 }, 0);
  g_autoptr (KymoTable) placed = NULL, rows = NULL;
  KymoTable *list;

  kymo_question_set (place, "of", "0,7");
  placed = kymo_source_ask (KYMO_SOURCE (source), place, NULL, NULL);
  list = kymo_table_peek_nested (placed, "places", NULL);
  g_assert_cmpint (kymo_table_get_int (placed, "locations", 0), ==, 1);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 1);
  g_assert_cmpint (kymo_table_get_int (list, "location", 0), ==, 0);
  g_assert_cmpint (kymo_table_get_int (list, "place", 0), ==, 0);

  kymo_question_set_int (view, "grid", 1);
  kymo_question_set_int (view, "busy-begin", 20);
  kymo_question_set_int (view, "busy-end", 120);
  rows = kymo_source_ask (KYMO_SOURCE (source), view, NULL, NULL);
  g_assert_cmpint (kymo_table_get_int (rows, "busy_begin_ns", 0), ==, 20);
  g_assert_cmpint (kymo_table_get_int (rows, "locations", 0), ==, 1);
  g_assert_cmpfloat (kymo_table_get_double (kymo_table_peek_nested (
    rows, "rows", NULL), "busy", 0), ==, kymo_table_get_double (
    kymo_table_peek_nested (usage, "locations", NULL), "busy", 0));
}

/* Counters come from files; no sum of theirs may be undefined. */
static void
test_absurd_counters (void)
{
  const gint64 counters[] = { G_MAXINT64, G_MININT64 + 1, G_MININT64 + 1, G_MAXINT64,
                              G_MAXINT64, G_MAXINT64 };
  g_autoptr (KymoRun) run = counted_run (counters);
  g_autoptr (KymoTable) all = ask (run, "profile", KYMO_SPAN_ALL, 0);

  g_assert_cmpint (counter_of (all, "outer", 0), ==, KYMO_NULL_INT);
  g_assert_cmpint (counter_of (all, "inner", 1), ==, G_MAXINT64);
}

static void
test_counters_in_details (void)
{
  const gint64 counters[] = { 1000, 7, 300, KYMO_NO_COUNT, 50, 5 };
  g_autoptr (KymoRun) run = counted_run (counters);
  g_autoptr (KymoTable) details = ask (run, "details", KYMO_SPAN_ALL, 40);
  g_autoptr (KymoTable) info = ask (run, "info", KYMO_SPAN_ALL, 0);
  KymoTable *list = kymo_table_peek_nested (details, "counters", NULL);
  KymoTable *metrics = kymo_table_peek_nested (info, "metrics", NULL);

  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 2);
  g_assert_cmpstr (kymo_table_get_string (list, "metric", 0), ==, "PAPI_TOT_CYC");
  g_assert_cmpint (kymo_table_get_int (list, "value", 0), ==, 300);
  g_assert_cmpint (kymo_table_get_int (list, "value", 1), ==, KYMO_NULL_INT);
  g_assert_cmpuint (kymo_table_get_n_rows (metrics), ==, 2);
}

static guint
add_io (KymoSegmentBuilder *builder,
        gint64              begin_ns,
        gint64              end_ns,
        gint64              bytes)
{
  KymoPoint point = { .begin_ns = begin_ns, .end_ns = end_ns, .kind = KYMO_POINT_IO,
                      .op = KYMO_IO_WRITE, .activity = G_MAXUINT32, .id = -1, .number = bytes };

  return kymo_segment_builder_point (builder, &point);
}

static void
check_records (KymoRun    *run,
               gint64      time_ns,
               gint64      n,
               const char *first)
{
  g_autoptr (KymoTable) details = ask (run, "details", KYMO_SPAN_ALL, time_ns);
  KymoTable *records = kymo_table_peek_nested (details, "records", NULL);

  g_assert_true ((records != NULL) == (n > 0));
  if (n == 0)
    return;
  g_assert_cmpint (kymo_table_get_int (details, "records_found", 0), ==, n);
  g_assert_cmpstr (kymo_table_get_string (records, "text", 0), ==, first);
  g_assert_cmpstr (kymo_table_get_string (records, "kind", 0), ==, "io");
}

/* The inner block is known to have had no processor for a while, the others are not. */
static void
check_processor_time (KymoRun *run)
{
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (KymoStretched));
  const KymoStretched known = { 30, 50, 4, 16, 0, 1 };

  g_array_append_val (blocks, known);
  kymo_run_add_stretched (run, blocks, NULL);
  for (gint64 time_ns = 15; time_ns < 120; time_ns += 25)
    {
      g_autoptr (KymoTable) details = ask (run, "details", KYMO_SPAN_ALL, time_ns);
      GString *text = g_string_new (NULL);
      g_autofree char *json = NULL;

      kymo_table_write_json (details, text);
      json = g_string_free (text, FALSE);
      g_assert_cmpint (kymo_table_get_int (details, "cpu_ns", 0), ==,
                       time_ns == 40 ? 4 : 0);
      g_assert_true ((strstr (json, "Processor time 4 ns; without a processor for at least 16 ns")
                      != NULL) == (time_ns == 40));
    }
}

/* I/O is told of the innermost block in which it began, or of what is between blocks. */
static void
test_records_in_details (void)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (0, 2);
  g_autoptr (KymoRun) run = kymo_run_new ();
  KymoLocation location = { .id = 0, .label = g_strdup ("PE 0"), .kept = TRUE };
  KymoRepairs repairs;

  kymo_segment_builder_touch (builder, 0);
  kymo_segment_builder_begin_block (builder, 10, 0, 0, -1, 0, NULL);
  add_io (builder, 20, 25, 1);
  kymo_segment_builder_begin_block (builder, 30, 1, 0, -1, 0, NULL);
  for (guint i = 0; i < 70; i++)
    add_io (builder, 35, 40, 4096);
  kymo_segment_builder_end_block (builder, 50);
  kymo_segment_builder_end_block (builder, 90);
  add_io (builder, 95, 95, -1);
  kymo_segment_builder_begin_block (builder, 100, 1, 0, -1, 0, NULL);
  kymo_segment_builder_end_block (builder, 110);
  kymo_segment_builder_touch (builder, 120);
  run->format = g_strdup ("hand");
  kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 0, "outer", NULL, NULL);
  kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 1, "inner", NULL, NULL);
  run->n_locations_original = 1;
  kymo_run_add_location (run, &location,
                         kymo_segment_builder_seal (builder, 6, FALSE, &repairs));
  kymo_segment_builder_free (builder);
  kymo_run_seal (run);
  check_records (run, 15, 1, "writes 1 B to an unknown file for 5 ns");
  check_records (run, 40, 70, "writes 4.10 kB to an unknown file for 5 ns");
  check_records (run, 92, 1, "writes an unknown number of bytes to an unknown file");
  check_records (run, 105, 0, NULL);
  check_processor_time (run);
}

/* Three blocks at one tick of the clock, of which the second sends nothing of
   its own kind; sends are paired with blocks in order. */
static void
test_send_blocks (void)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (0, 2);
  const guint32 entries[] = { 0, 1, 0 };
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (builder, 0);
  for (guint i = 0; i < 3; i++)
    {
      kymo_segment_builder_begin_block (builder, 10, entries[i], 0, i, 8, NULL);
      if (entries[i] == 0)
        kymo_segment_builder_send (builder, 10, KYMO_SEND_ONE, 0, i, 8, 1);
      kymo_segment_builder_end_block (builder, 10);
    }
  kymo_segment_builder_send (builder, 20, KYMO_SEND_ONE, 0, 9, 8, 1);
  segment = kymo_segment_builder_seal (builder, 9, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  g_assert_cmpuint (kymo_segment_peek_send_blocks (segment)[0], ==, 0);
  g_assert_cmpuint (kymo_segment_peek_send_blocks (segment)[1], ==, 2);
  g_assert_cmpuint (kymo_segment_peek_send_blocks (segment)[2], ==, KYMO_NO_BLOCK);
  g_assert_true (kymo_segment_block_sends (segment, 0));
  g_assert_false (kymo_segment_block_sends (segment, 1));
  kymo_segment_unref (segment);
}

/* -- lanes of user events -------------------------------------------------- */

typedef struct
{
  gint64 begin_ns, end_ns;
  gint32 nested_id;
} Bracket;

static KymoRun *
run_of_brackets (const Bracket *brackets,
                 guint          n,
                 gint64         end_ns)
{
  KymoRun *run = kymo_run_new ();
  KymoLocation location = { .id = 0, .label = g_strdup ("PE 0"), .kept = TRUE };
  KymoSegmentBuilder *builder = kymo_segment_builder_new (0, 1);
  KymoRepairs repairs;

  kymo_segment_builder_touch (builder, 0);
  for (guint i = 0; i < n; i++)
    {
      KymoPoint point = { brackets[i].begin_ns, brackets[i].end_ns, KYMO_POINT_BRACKET, 0, 0, 0, 7,
                          brackets[i].nested_id, { 0 }, NULL };

      kymo_segment_builder_point (builder, &point);
    }
  kymo_segment_builder_touch (builder, end_ns);
  run->format = g_strdup ("hand");
  kymo_run_add_activity (run, KYMO_ACTIVITY_EVENT, 7, "AMPI_Wait", NULL, NULL);
  run->n_locations_original = 1;
  kymo_run_add_location (run, &location,
                         kymo_segment_builder_seal (builder, n + 2, FALSE, &repairs));
  kymo_segment_builder_free (builder);
  kymo_run_seal (run);
  return run;
}

/* "rank 0, rank 1: 0 1 0": labels of the lanes, and the lane of each event. */
static char *
lanes_in_words (const Bracket *brackets,
                guint          n)
{
  g_autoptr (KymoRun) run = run_of_brackets (brackets, n, 100000);
  g_autoptr (KymoTable) timeline = ask (run, "timeline", KYMO_SPAN_ALL, 0);
  KymoTable *rows = kymo_table_peek_nested (timeline, "rows", NULL);
  KymoTable *lanes = kymo_table_peek_nested (rows, "lanes", NULL);
  KymoTable *events = kymo_table_peek_nested (rows, "events", NULL);
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (lanes); i++)
    g_string_append_printf (words, "%s%s", i > 0 ? ", " : "",
                            kymo_table_get_string (lanes, "label", i));
  g_string_append_c (words, ':');
  for (guint i = 0; i < kymo_table_get_n_rows (events); i++)
    {
      gint64 lane = kymo_table_get_int (events, "lane", i);

      g_string_append_printf (words, " %d", lane == KYMO_NULL_INT ? -1 : (int) lane);
    }
  return g_string_free (words, FALSE);
}

static void
check_lanes (const Bracket *brackets,
             guint          n,
             const char    *expected)
{
  g_autofree char *words = lanes_in_words (brackets, n);

  g_assert_cmpstr (words, ==, expected);
}

static void
test_lanes (void)
{
  static const Bracket ranks[] = { { 0, 50000, 5 }, { 10000, 60000, 2 }, { 20000, 30000, 5 } };
  static const Bracket apart[] = { { 0, 10000, 5 }, { 20000, 30000, 2 } };
  static const Bracket inside[] = { { 0, 50000, 0 }, { 10000, 20000, 0 }, { 60000, 70000, 0 } };
  static const Bracket crossing[] = { { 0, 50000, 1 }, { 10000, 60000, 1 }, { 20000, 90000, 3 } };
  static const Bracket together[] = { { 0, 10000, 1 }, { 0, 50000, 1 }, { 20000, 90000, 3 } };

  check_lanes (ranks, 3, "rank 2, rank 5: 1 0 1");
  check_lanes (apart, 2, ": -1 -1");
  check_lanes (inside, 3, "rank 0, rank 0 (2): 0 1 0");
  check_lanes (crossing, 3, "rank 1, rank 1 (2), rank 3: 0 1 2");
  check_lanes (together, 3, "rank 1, rank 3: 0 0 1");
}

/* Very many events are at most one a column and lane. */
static void
test_many_events (void)
{
  const guint n = 50000;
  g_autofree Bracket *brackets = g_new (Bracket, n);
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) timeline = NULL;
  KymoTable *rows, *events;

  for (guint i = 0; i < n; i++)
    brackets[i] = (Bracket) { i * 20, i * 20 + 30, i % 3 };
  run = run_of_brackets (brackets, n, n * 20 + 30);
  timeline = ask (run, "timeline", KYMO_SPAN_ALL, 0);
  rows = kymo_table_peek_nested (timeline, "rows", NULL);
  events = kymo_table_peek_nested (rows, "events", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (events), <=, 3 * 1000);
  g_assert_cmpuint (kymo_table_get_n_rows (events), >=, 1000);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/rows-of-a-view", test_rows_of_a_view);
  g_test_add_func ("/analysis/counters", test_counters);
  g_test_add_func ("/analysis/weights-of-a-question", test_weights_of_a_question);
  g_test_add_func ("/analysis/absurd-counters", test_absurd_counters);
  g_test_add_func ("/analysis/counters-in-details", test_counters_in_details);
  g_test_add_func ("/analysis/records-in-details", test_records_in_details);
  g_test_add_func ("/analysis/send-blocks", test_send_blocks);
  g_test_add_func ("/analysis/lanes", test_lanes);
  g_test_add_func ("/analysis/many-events", test_many_events);
  return g_test_run ();
}
