/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drafts: runs whose files are still being read. Segments with two faces,
 * sources whose run grows, and what a draft answers.
 */
#include "config.h"

#include "kymo-error.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define WORK KYMO_STATE_ACTIVITY

/* Overhead to 10, a block to 60, idle to 100. */
static KymoSegment *
exact_segment (void)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (0, 1);
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (builder, 0);
  kymo_segment_builder_begin_block (builder, 10, 0, 0, 7, 0, NULL);
  kymo_segment_builder_end_block (builder, 60);
  kymo_segment_builder_set_idle (builder, 60, TRUE);
  kymo_segment_builder_touch (builder, 100);
  segment = kymo_segment_builder_seal (builder, 4, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

/* Two bins of 25 from 50 on: three fifths work in the first, idle after. */
static KymoSegment *
binned_segment (void)
{
  KymoBins *bins = kymo_bins_new (25, 2);
  const guint32 offsets[] = { 0, 1, 2 }, states[] = { WORK, KYMO_STATE_IDLE };
  const gint64 ns[] = { 15, 25 };

  bins->begin_ns = 50;
  bins->times = kymo_pyramid_new_from_nodes (g_memdup2 (offsets, sizeof offsets),
                                             g_memdup2 (states, sizeof states),
                                             g_memdup2 (ns, sizeof ns), 2, WORK + 1);
  return kymo_segment_new_of_bins (bins);
}

static void
add (KymoRun     *run,
     gint64       id,
     KymoSegment *segment)
{
  KymoLocation location = { .id = id, .kept = TRUE };

  location.label = g_strdup_printf ("PE %" G_GINT64_FORMAT, id);
  kymo_run_add_location (run, &location, segment);
}

static KymoRun *
run_new (const char *draft)
{
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("hand");
  run->draft = g_strdup (draft);
  kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 0, "work", NULL, NULL);
  return run;
}

static KymoTable *
ask (KymoSource *source,
     const char *kind,
     GError    **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);

  kymo_question_set_resolution (question, 4, 0);
  return kymo_source_ask (source, question, NULL, error);
}

/* One segment under two numbers; the columns live as long as either. */
static void
test_two_faces (void)
{
  KymoSegment *segment = exact_segment ();
  KymoSegment *face = kymo_segment_new_lent (segment);

  face->location = 5;
  g_assert_cmpuint (segment->location, ==, 0);
  g_assert_true (kymo_segment_is_first (segment, 0));
  kymo_segment_unref (segment);
  g_assert_cmpint (kymo_segment_block_begin (face, 0), ==, 10);
  g_assert_true (kymo_segment_is_first (face, 0));
  g_assert_true (kymo_segment_use (face, KYMO_PARTS_ALL));
  kymo_segment_unref (face);
}

static void
test_bins_that_begin_late (void)
{
  g_autoptr (KymoSegment) segment = binned_segment ();
  KymoSums sums;

  g_assert_cmpint (segment->span.begin_ns, ==, 50);
  g_assert_cmpint (segment->span.end_ns, ==, 100);
  kymo_sums_init (&sums, WORK + 1);
  kymo_segment_sum (segment, (KymoSpan) { 0, 1000 }, NULL, &sums);
  g_assert_cmpint (sums.ns[WORK], ==, 15);
  g_assert_cmpint (sums.ns[KYMO_STATE_IDLE], ==, 25);
  g_assert_cmpint (sums.ns[KYMO_STATE_OVERHEAD], ==, 10);
  kymo_sums_reset (&sums);
  kymo_segment_sum (segment, (KymoSpan) { 75, 80 }, NULL, &sums);
  g_assert_cmpint (sums.ns[KYMO_STATE_IDLE], ==, 5);
  kymo_sums_clear (&sums);
}

static gint64
row_count (KymoTable  *answer,
           const char *nested)
{
  return kymo_table_get_n_rows (kymo_table_peek_nested (answer, nested, NULL));
}

/* Times of a draft add up, its rows are painted, and nothing is counted. */
static void
test_draft_answers (void)
{
  g_autoptr (KymoRun) run = run_new ("1 of 2 logs read");
  g_autoptr (KymoSource) source = NULL;
  g_autoptr (KymoTable) profile = NULL, timeline = NULL, info = NULL;
  g_autoptr (GError) error = NULL;
  KymoTable *activities;

  add (run, 0, exact_segment ());
  add (run, 1, binned_segment ());
  kymo_run_seal (run);
  source = KYMO_SOURCE (kymo_run_source_new (run, 1));
  profile = ask (source, "profile", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (kymo_table_get_string (profile, "draft", 0), ==, "1 of 2 logs read");
  g_assert_cmpint (kymo_table_get_int (profile, "span_ns", 0), ==, 150);
  g_assert_cmpint (kymo_table_get_int (profile, "busy_ns", 0), ==, 65);
  g_assert_cmpint (kymo_table_get_int (profile, "idle_ns", 0), ==, 65);
  g_assert_cmpint (kymo_table_get_int (profile, "overhead_ns", 0), ==, 20);
  activities = kymo_table_peek_nested (profile, "activities", NULL);
  g_assert_cmpint (kymo_table_get_int (activities, "exclusive_ns", 0), ==, 65);
  g_assert_cmpint (kymo_table_get_int (activities, "blocks", 0), ==, KYMO_NULL_INT);
  g_assert_cmpint (kymo_table_get_int (activities, "inclusive_ns", 0), ==, KYMO_NULL_INT);
  timeline = ask (source, "timeline", &error);
  g_assert_no_error (error);
  g_assert_cmpint (row_count (timeline, "rows"), ==, 2);
  info = ask (source, "info", &error);
  g_assert_no_error (error);
  g_assert_cmpint (kymo_table_get_int (info, "records", 0), ==, KYMO_NULL_INT);
  g_assert_cmpint (kymo_table_find_column (info, "report"), <, 0);
}

static void
test_draft_refuses (void)
{
  static const char *const kinds[] = { "histogram", "messages", "communication", "events",
                                       "details", "find", "clocks" };
  g_autoptr (KymoRun) run = run_new ("nothing");
  g_autoptr (KymoSource) source = NULL;

  add (run, 0, binned_segment ());
  kymo_run_seal (run);
  source = KYMO_SOURCE (kymo_run_source_new (run, 1));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ask (source, kinds[i], &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE);
      g_assert_nonnull (strstr (error->message, "when all logs are read"));
    }
}

static void
on_grown (guint *n)
{
  ++*n;
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_grows (void)
{
  g_autoptr (KymoRun) draft = run_new ("nothing yet"), exact = run_new (NULL);
  g_autoptr (KymoRunSource) source = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = NULL;
  g_autofree char *words = NULL, *none = NULL;
  guint n = 0;

  add (draft, 0, binned_segment ());
  kymo_run_seal (draft);
  add (exact, 0, exact_segment ());
  kymo_run_seal (exact);
  source = kymo_run_source_new (draft, 1);
  g_signal_connect_swapped (source, "grown", G_CALLBACK (on_grown), &n);
  words = kymo_source_dup_draft (KYMO_SOURCE (source));
  g_assert_cmpstr (words, ==, "nothing yet");
  g_assert_false (kymo_source_get_capabilities (KYMO_SOURCE (source)) & KYMO_CAN_INTERVALS);
  settle ();
  g_assert_cmpuint (n, ==, 0);
  kymo_run_source_set_run (source, draft);
  kymo_run_source_set_run (source, exact);
  settle ();
  g_assert_cmpuint (n, ==, 1);
  none = kymo_source_dup_draft (KYMO_SOURCE (source));
  g_assert_null (none);
  g_assert_true (kymo_source_get_capabilities (KYMO_SOURCE (source)) & KYMO_CAN_INTERVALS);
  g_assert_cmpint (kymo_source_get_span (KYMO_SOURCE (source)).begin_ns, ==, 0);
  answer = ask (KYMO_SOURCE (source), "histogram", &error);
  g_assert_no_error (error);
  g_assert_cmpint (kymo_table_find_column (answer, "draft"), <, 0);
}

static KymoRun *
followed_run (void)
{
  KymoRun *run = run_new (NULL);

  add (run, 0, exact_segment ());
  run->growing = TRUE;
  kymo_run_seal (run);
  return run;
}

/* Each reading of a folder that is still written takes the place of the one before,
   which nobody holds then: they do not pile up. */
static void
test_follows (void)
{
  g_autoptr (KymoRun) first = followed_run (), last = run_new (NULL), here = NULL;
  g_autoptr (KymoRunSource) source = kymo_run_source_new (first, 1);
  g_autoptr (KymoTable) info = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (kymo_source_get_capabilities (KYMO_SOURCE (source)) & KYMO_CAN_GROWING);
  g_assert_true (kymo_source_get_capabilities (KYMO_SOURCE (source)) & KYMO_CAN_INTERVALS);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (KymoRun) next = followed_run ();

      kymo_run_source_set_run (source, next);
      g_assert_true (g_atomic_ref_count_compare (&first->ref_count, 1));
    }
  info = ask (KYMO_SOURCE (source), "info", &error);
  g_assert_no_error (error);
  add (last, 0, exact_segment ());
  kymo_run_seal (last);
  kymo_run_source_set_run (source, last);
  here = kymo_run_source_ref_run (source);
  g_assert_true (here == last);
  g_assert_false (kymo_source_get_capabilities (KYMO_SOURCE (source)) & KYMO_CAN_GROWING);
  settle ();
}

/* Every part of a thumbnail has the sums of the exact columns there, also the
   last one, which the segment fills in part only. */
static void
test_thumbnail (void)
{
  for (guint n_bins = 1; n_bins < 40; n_bins++)
    {
      g_autoptr (KymoSegment) exact = exact_segment ();
      g_autoptr (KymoSegment) thumbnail = kymo_segment_new_thumbnail (exact, n_bins, WORK + 1);
      const KymoBins *bins = thumbnail->bins;
      KymoSums sums, expected;

      kymo_sums_init (&sums, WORK + 1);
      kymo_sums_init (&expected, WORK + 1);
      g_assert_cmpuint (bins->n_bins, <=, n_bins);
      g_assert_cmpint (thumbnail->span.begin_ns, ==, exact->span.begin_ns);
      g_assert_cmpint (thumbnail->span.end_ns, ==, exact->span.end_ns);
      for (guint i = 0; i < bins->n_bins; i++)
        {
          KymoSpan part = { i * bins->bin_ns, (i + 1) * bins->bin_ns };

          kymo_segment_sum (thumbnail, part, NULL, &sums);
          kymo_segment_sum (exact, part, NULL, &expected);
          for (guint s = 0; s <= WORK; s++)
            g_assert_cmpint (ABS (sums.ns[s] - expected.ns[s]), <=, 1);
          kymo_sums_reset (&sums);
          kymo_sums_reset (&expected);
        }
      kymo_sums_clear (&sums);
      kymo_sums_clear (&expected);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draft/two-faces", test_two_faces);
  g_test_add_func ("/draft/bins-that-begin-late", test_bins_that_begin_late);
  g_test_add_func ("/draft/answers", test_draft_answers);
  g_test_add_func ("/draft/refuses", test_draft_refuses);
  g_test_add_func ("/draft/grows", test_grows);
  g_test_add_func ("/draft/follows", test_follows);
  g_test_add_func ("/draft/thumbnail", test_thumbnail);
  return g_test_run ();
}
