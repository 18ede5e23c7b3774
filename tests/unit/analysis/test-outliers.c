/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outliers and edges against brute force: random runs of fixed seeds, with
 * lengths of all magnitudes.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "answer-of-run.h"
#include "kymo-error.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define N_NAMES 4
#define N_LOCATIONS 6

static const char *const names[] = { "one", "two", "three", "never" };

static gint64
random_length (GRand *rand,
               guint  name)
{
  static const gint64 usual[] = { 1000, 37, 5000000000 };

  if (g_rand_int_range (rand, 0, 20) == 0)
    return usual[name] * g_rand_int_range (rand, 3, 50);
  return name == 0 ? usual[name] : usual[name] / 2
    + (gint64) (g_rand_double (rand) * usual[name]);
}

static KymoSegment *
random_segment (GRand *rand,
                guint  location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, N_NAMES);
  gint64 time = g_rand_int_range (rand, 0, 1000);
  gint n = g_rand_int_range (rand, 0, 4) == 0 ? 3 : g_rand_int_range (rand, 20, 300);
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (builder, time);
  for (gint i = 0; i < n; i++)
    {
      guint name = g_rand_int_range (rand, 0, N_NAMES - 1);

      time += g_rand_int_range (rand, 0, 3) * 100;
      kymo_segment_builder_begin_block (builder, time, name, 0, -1, 0, NULL);
      time += random_length (rand, name);
      kymo_segment_builder_end_block (builder, time);
    }
  kymo_segment_builder_touch (builder, time + 7);
  segment = kymo_segment_builder_seal (builder, n + 2, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

static KymoRun *
random_run (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("random");
  run->title = g_strdup ("random");
  for (guint i = 0; i < N_NAMES; i++)
    kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, names[i], NULL, NULL);
  for (guint i = 0; i < N_LOCATIONS; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE };

      kymo_run_add_location (run, &location, random_segment (rand, i));
    }
  run->n_locations_original = N_LOCATIONS;
  kymo_run_seal (run);
  return run;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const gint64 *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

/* Lengths of a name's blocks that begin in the range, ascending. */
static GArray *
lengths_of (const KymoRun *run,
            guint          name,
            KymoSpan       span)
{
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint l = 0; l < run->segments->len; l++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, l);

      for (guint i = 0; i < segment->n_blocks; i++)
        {
          gint64 begin = kymo_segment_block_begin (segment, i);
          gint64 length = kymo_segment_block_end (segment, i) - begin;

          if (segment->block_activity[i] == name && begin >= span.begin_ns
              && (begin < span.end_ns || span.end_ns >= run->span.end_ns))
            g_array_append_val (lengths, length);
        }
    }
  g_array_sort (lengths, compare);
  return lengths;
}

static void
check (KymoRun  *run,
       KymoSpan  span,
       gint64    times,
       guint     n_threads)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("outliers");
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *by_name, *list;
  gint64 before = G_MAXINT64, n_outliers = 0, told = 0;

  kymo_question_set_span (question, span);
  kymo_question_set_int (question, "times", times);
  kymo_question_set_int (question, "limit", 7);
  answer = answer_of_run (run, question, n_threads);
  by_name = kymo_table_peek_nested (answer, "names", NULL);
  list = kymo_table_peek_nested (answer, "outliers", NULL);
  for (guint row = 0; row < kymo_table_get_n_rows (by_name); row++)
    {
      guint name = kymo_table_get_int (by_name, "id", row);
      g_autoptr (GArray) lengths = lengths_of (run, name, span);
      gint64 median = g_array_index (lengths, gint64, (lengths->len - 1) / 2);
      gint64 n = 0, excess = 0;

      g_assert_cmpint (kymo_table_get_int (by_name, "blocks", row), ==, lengths->len);
      g_assert_cmpint (kymo_table_get_int (by_name, "median_ns", row), ==, median);
      for (guint i = 0; lengths->len >= 8 && i < lengths->len; i++)
        if (g_array_index (lengths, gint64, i) > times * median)
          {
            n++;
            excess += g_array_index (lengths, gint64, i) - median;
          }
      g_assert_cmpint (kymo_table_get_int (by_name, "outliers", row), ==, n);
      g_assert_cmpint (kymo_table_get_int (by_name, "excess_ns", row), ==, excess);
      n_outliers += n;
      told += lengths->len;
    }
  g_assert_cmpint (told, >, 0);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, MIN (n_outliers, 7));
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      gint64 excess = kymo_table_get_int (list, "duration_ns", i)
                      - kymo_table_get_int (list, "median_ns", i);

      g_assert_cmpint (excess, <=, before);
      before = excess;
    }
}

static void
test_outliers (void)
{
  for (guint32 seed = 1; seed <= 10; seed++)
    {
      g_autoptr (KymoRun) run = random_run (seed);
      gint64 half = run->span.begin_ns + kymo_span_length (run->span) / 2;

      check (run, KYMO_SPAN_ALL, 4, 1);
      check (run, KYMO_SPAN_ALL, 2, 3);
      check (run, (KymoSpan) { run->span.begin_ns, half }, 4, 2);
    }
}

/* Of every kind of block: its number by length, those as long, and the median. */
static void
check_block (KymoRun           *run,
             const KymoSegment *segment,
             guint              i,
             KymoSpan           span)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("outliers");
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GArray) lengths = lengths_of (run, segment->block_activity[i], span);
  gint64 begin = kymo_segment_block_begin (segment, i);
  gint64 end = kymo_segment_block_end (segment, i);
  gint64 longer = 0, as_long = 0;
  KymoTable *block;

  for (guint k = 0; k < lengths->len; k++)
    {
      longer += g_array_index (lengths, gint64, k) > end - begin;
      as_long += g_array_index (lengths, gint64, k) == end - begin;
    }
  kymo_question_set_span (question, span);
  kymo_question_set_int (question, "location", segment->location);
  kymo_question_set_int (question, "at-ns", begin + (end - begin) / 2);
  answer = answer_of_run (run, question, 1 + i % 3);
  block = kymo_table_peek_nested (answer, "block", NULL);
  g_assert_cmpstr (kymo_table_get_string (block, "name", 0), ==,
                   names[segment->block_activity[i]]);
  g_assert_cmpint (kymo_table_get_int (block, "begin_ns", 0), ==, begin);
  g_assert_cmpint (kymo_table_get_int (block, "duration_ns", 0), ==, end - begin);
  g_assert_cmpint (kymo_table_get_int (block, "blocks", 0), ==, lengths->len);
  g_assert_cmpint (kymo_table_get_int (block, "rank", 0), ==, longer + 1);
  g_assert_cmpint (kymo_table_get_int (block, "as_long", 0), ==, as_long);
  g_assert_cmpint (kymo_table_get_int (block, "median_ns", 0), ==, lengths->len == 0
                   ? KYMO_NULL_INT : g_array_index (lengths, gint64, (lengths->len - 1) / 2));
}

static void
test_block (void)
{
  for (guint32 seed = 1; seed <= 4; seed++)
    {
      g_autoptr (KymoRun) run = random_run (seed);
      gint64 half = run->span.begin_ns + kymo_span_length (run->span) / 2;

      for (guint l = 0; l < run->segments->len; l++)
        {
          const KymoSegment *segment = g_ptr_array_index (run->segments, l);

          for (guint i = 0; i < segment->n_blocks; i += 1 + segment->n_blocks / 9)
            {
              check_block (run, segment, i, KYMO_SPAN_ALL);
              check_block (run, segment, i, (KymoSpan) { run->span.begin_ns, half });
            }
        }
    }
}

/* No such PE, and times without a block. */
static void
test_no_block (void)
{
  static const struct { gint64 location, at_ns; } where[] = {
    { N_LOCATIONS, 0 }, { -1, 0 }, { 0, -1 }, { 0, G_MAXINT64 }, { 0, G_MININT64 },
  };
  g_autoptr (KymoRun) run = random_run (1);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);

  for (guint i = 0; i < G_N_ELEMENTS (where); i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new ("outliers");
      g_autoptr (GError) error = NULL;

      kymo_question_set_int (question, "location", where[i].location);
      kymo_question_set_int (question, "at-ns", where[i].at_ns);
      g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
    }
}

static void
test_refused (void)
{
  g_autoptr (KymoRun) run = random_run (1);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (KymoQuestion) question = kymo_question_new ("outliers");
  g_autoptr (GError) error = NULL;

  kymo_question_set_int (question, "times", 1);
  g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
}

/* Both edges of a time are begins of pieces, and none lies between them. */
static void
test_edges (void)
{
  g_autoptr (KymoRun) run = random_run (3);
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);

  for (guint trial = 0; trial < 300; trial++)
    {
      guint l = g_rand_int_range (rand, 0, N_LOCATIONS);
      const KymoSegment *segment = g_ptr_array_index (run->segments, l);
      gint64 time = segment->span.begin_ns - 50
        + (gint64) (g_rand_double (rand) * (kymo_span_length (segment->span) + 100));
      g_autoptr (KymoQuestion) question = kymo_question_new ("edges");
      g_autoptr (KymoTable) answer = NULL;
      gint64 before = G_MININT64, after = G_MAXINT64;

      kymo_question_set_int (question, "location", l);
      kymo_question_set_int (question, "time", time);
      answer = answer_of_run (run, question, 1);
      for (guint i = 0; i <= segment->n_pieces; i++)
        {
          gint64 edge = kymo_segment_piece_begin (segment, i);

          if (edge <= time && i < segment->n_pieces)
            before = edge;
          if (edge > time)
            after = MIN (after, edge);
        }
      if (before != G_MININT64)
        g_assert_cmpint (kymo_table_get_int (answer, "before_ns", 0), ==, before);
      if (after != G_MAXINT64)
        g_assert_cmpint (kymo_table_get_int (answer, "after_ns", 0), ==, after);
      g_assert_nonnull (kymo_table_get_string (answer, "before_name", 0));
      g_assert_nonnull (kymo_table_get_string (answer, "after_name", 0));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/outliers/random", test_outliers);
  g_test_add_func ("/outliers/block", test_block);
  g_test_add_func ("/outliers/no-block", test_no_block);
  g_test_add_func ("/outliers/refused", test_refused);
  g_test_add_func ("/edges/random", test_edges);
  return g_test_run ();
}
