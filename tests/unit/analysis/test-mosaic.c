/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mosaic and the timeline's walks against brute force: every cell is
 * summed up again from single pieces. Runs are random, of fixed seeds.
 */
#include "config.h"

#include <string.h>

#include "kymo-column-sums.h"
#include "kymo-row-groups.h"
#include "kymo-run-index.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define N_ENTRIES 5

/* Levels from the first piece on, merged ones from two rows on, tiny chunks:
   several storeys, and chunks that the run begins and ends in. */
static const KymoMosaicLimits tiny = { 1, 1 << 20, 2, 2, 6, 1e9, 500 };

static KymoSegment *
random_segment (GRand *rand,
                guint  location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, N_ENTRIES);
  gint64 time = g_rand_int_range (rand, 0, 4000) - 700;
  gint n = g_rand_int_range (rand, 0, 3) == 0 ? g_rand_int_range (rand, 0, 6)
    : g_rand_int_range (rand, 100, 900);
  KymoRepairs repairs;
  KymoSegment *segment;
  guint depth = 0;

  kymo_segment_builder_touch (builder, time);
  for (gint i = 0; i < n; i++)
    {
      static const gint64 steps[] = { 0, 0, 1, 3, 16, 64, 100, 900 };
      gint move = g_rand_int_range (rand, 0, 10);

      time += steps[g_rand_int_range (rand, 0, G_N_ELEMENTS (steps))];
      if (move < 5 && depth < 3)
        kymo_segment_builder_begin_block (builder, time, g_rand_int_range (rand, 0, N_ENTRIES), 0,
                                          -1, 0, NULL);
      else if (move < 8 && depth > 0)
        kymo_segment_builder_end_block (builder, time);
      else if (depth == 0)
        kymo_segment_builder_set_idle (builder, time, move == 9);
      depth += move < 5 && depth < 3 ? 1 : move >= 5 && move < 8 && depth > 0 ? -1 : 0;
    }
  kymo_segment_builder_touch (builder, time + g_rand_int_range (rand, 1, 50));
  segment = kymo_segment_builder_seal (builder, n + 2, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

static KymoRun *
random_run (guint32 seed,
            guint   n_locations)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("random");
  run->title = g_strdup ("random");
  for (guint i = 0; i < N_ENTRIES; i++)
    {
      g_autofree char *name = g_strdup_printf ("entry %u", i);

      kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, name, NULL, NULL);
    }
  for (guint i = 0; i < n_locations; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE,
                                .process = i / 3, .place = -1 };

      location.kind = i + 2 < n_locations || n_locations < 5 ? KYMO_LOCATION_WORKER
        : KYMO_LOCATION_COMM;
      kymo_run_add_location (run, &location, random_segment (rand, i));
    }
  run->n_locations_original = n_locations;
  kymo_run_seal (run);
  run->index->limits = tiny;
  /* Every other run is slow to walk over. */
  if (seed % 2 > 0)
    run->index->limits.most_steps = 1e9;
  return run;
}

/* -- brute force ---------------------------------------------------------- */

static void
add_pieces (const KymoSegment *segment,
            KymoSpan           span,
            gint64            *ns)
{
  for (guint i = 0; i < segment->n_pieces; i++)
    {
      KymoSpan piece = { kymo_segment_piece_begin (segment, i),
                         kymo_segment_piece_begin (segment, i + 1) };

      ns[segment->piece_state[i]] += kymo_span_length (kymo_span_intersect (piece, span));
    }
}

/* Rank of a state: the order that decides between equals. */
static guint
rank (guint state)
{
  return state >= KYMO_STATE_ACTIVITY ? state : 1000 + state;
}

static guint32
brute_cell_of (const KymoRun *run,
               const gint64  *locations,
               guint          n,
               KymoSpan       span)
{
  gint64 ns[KYMO_STATE_ACTIVITY + N_ENTRIES] = { 0 };
  guint best = 0;

  for (guint i = 0; i < n; i++)
    add_pieces (g_ptr_array_index (run->segments, locations[i]), span, ns);
  for (guint state = 1; state < G_N_ELEMENTS (ns); state++)
    if (ns[state] > ns[best] || (ns[state] == ns[best] && rank (state) < rank (best)))
      best = state;
  return ns[best] == 0 ? KYMO_NO_CELL
    : kymo_pack_cell (best, ns[best], kymo_span_length (span) * n);
}

static guint32
brute_cell (const KymoRun *run,
            guint          first,
            guint          end,
            KymoSpan       span)
{
  g_autofree gint64 *locations = g_new (gint64, end - first);

  for (guint i = first; i < end; i++)
    locations[i - first] = i;
  return brute_cell_of (run, locations, end - first, span);
}

static void
check_level (const KymoRun    *run,
             const KymoMosaic *mosaic,
             guint             j,
             guint             k)
{
  gint64 width = G_GINT64_CONSTANT (1) << k;

  for (guint group = 0; group << j < run->segments->len; group++)
    {
      gint64 first;
      guint n;
      const guint32 *cells = kymo_mosaic_peek_row (mosaic, j, k, group, &first, &n);

      g_assert_nonnull (cells);
      g_assert_cmpint (first * width, <=, run->span.begin_ns);
      g_assert_cmpint ((first + n) * width, >=, run->span.end_ns);
      for (guint c = 0; c < n; c++)
        g_assert_cmphex (cells[c], ==, brute_cell (run, group << j,
                                                   MIN ((group + 1) << j, run->segments->len),
                                                   (KymoSpan) { (first + c) * width,
                                                                (first + c + 1) * width }));
    }
}

static void
test_levels (void)
{
  guint n_levels = 0;

  for (guint32 seed = 1; seed <= 24; seed++)
    {
      g_autoptr (KymoRun) run = random_run (seed, 1 + seed % 11);
      KymoMosaic *mosaic = kymo_run_peek_mosaic (run);

      if (mosaic == NULL)
        continue;
      g_assert_true (kymo_mosaic_build (mosaic, run, seed % 4, NULL));
      for (guint j = 0; j < 6; j++)
        for (guint k = 0; k < 60; k++)
          if (kymo_mosaic_has (mosaic, j, k))
            {
              check_level (run, mosaic, j, k);
              n_levels++;
            }
    }
  g_assert_cmpuint (n_levels, >, 200);
}

/* The sums of all locations, between any two columns. */
static void
test_sums (void)
{
  g_autoptr (KymoRun) run = random_run (77, 9);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  KymoMosaic *mosaic = kymo_run_peek_mosaic (run);
  guint n_met = 0;

  g_assert_true (kymo_mosaic_build (mosaic, run, 2, NULL));
  for (guint i = 0; i < 300; i++)
    {
      guint k = g_rand_int_range (rand, 0, 20);
      gint64 width = G_GINT64_CONSTANT (1) << k;
      gint64 a = (run->span.begin_ns >> k) + g_rand_int_range (rand, -2, 40);
      gint64 b = a + g_rand_int_range (rand, 0, 60);
      gint64 ns[KYMO_STATE_ACTIVITY + N_ENTRIES] = { 0 };
      KymoSums sums;

      kymo_sums_init (&sums, G_N_ELEMENTS (ns));
      if (kymo_mosaic_sum (mosaic, k, a, b, &sums))
        {
          for (guint s = 0; s < run->segments->len; s++)
            add_pieces (g_ptr_array_index (run->segments, s), (KymoSpan) { a * width, b * width },
                        ns);
          g_assert_cmpmem (ns, sizeof ns, sums.ns, sizeof ns);
          n_met++;
        }
      kymo_sums_clear (&sums);
    }
  g_assert_cmpuint (n_met, >, 50);
}

/* A mosaic stays within its limit, and is right. */
static void
test_limit (void)
{
  gsize last = G_MAXSIZE;

  for (double most = 1e6; most > 2000; most /= 4)
    {
      g_autoptr (KymoRun) run = random_run (42, 9);
      KymoMosaic *mosaic;

      run->index->limits.most_bytes = most;
      mosaic = kymo_run_peek_mosaic (run);
      if (mosaic == NULL)
        break;
      g_assert_true (kymo_mosaic_build (mosaic, run, 2, NULL));
      g_assert_cmpuint (kymo_mosaic_get_bytes (mosaic), <=, last);
      last = kymo_mosaic_get_bytes (mosaic);
      for (guint j = 0; j < 4; j++)
        for (guint k = 0; k < 60; k++)
          if (kymo_mosaic_has (mosaic, j, k))
            check_level (run, mosaic, j, k);
    }
  g_assert_cmpuint (last, <, 40000);
}

/* What a cancelled build has done is kept, and does no harm. */
static void
test_cancelled (void)
{
  g_autoptr (KymoRun) run = random_run (3, 7);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  KymoMosaic *mosaic = kymo_run_peek_mosaic (run);

  g_cancellable_cancel (cancelled);
  g_assert_false (kymo_mosaic_build (mosaic, run, 2, cancelled));
  g_assert_false (kymo_mosaic_is_built (mosaic));
  g_assert_true (kymo_mosaic_build (mosaic, run, 2, NULL));
  g_assert_cmpuint (kymo_mosaic_get_bytes (mosaic), >, 1000);
  for (guint k = 0; k < 60; k++)
    if (kymo_mosaic_has (mosaic, 1, k))
      check_level (run, mosaic, 1, k);
}

/* Locations that lie far apart: the time between them costs no memory. */
static void
test_far_apart (void)
{
  g_autoptr (KymoRun) run = random_run (9, 4);
  KymoMosaic *mosaic;
  guint n_levels = 0;

  for (guint i = 2; i < 4; i++)
    {
      KymoSegment *segment = g_ptr_array_index (run->segments, i);

      kymo_segment_shift (segment, G_GINT64_CONSTANT (1) << 34);
      g_array_index (run->locations, KymoLocation, i).span = segment->span;
    }
  kymo_run_seal (run);
  mosaic = kymo_run_peek_mosaic (run);
  g_assert_nonnull (mosaic);
  g_assert_cmpuint (kymo_mosaic_get_bytes (mosaic), <, 4 << 20);
  g_assert_true (kymo_mosaic_build (mosaic, run, 2, NULL));
  for (guint j = 0; j < 3; j++)
    for (guint k = 26; k < 60; k++)
      if (kymo_mosaic_has (mosaic, j, k))
        {
          check_level (run, mosaic, j, k);
          n_levels++;
        }
  g_assert_cmpuint (n_levels, >, 3);
}

/* Whatever time is claimed, a cell tells its own state. */
static void
test_pack (void)
{
  g_assert_cmphex (kymo_pack_cell (7, 0, 100), ==, 7 << 16);
  g_assert_cmphex (kymo_pack_cell (7, 100, 100), ==, 7 << 16 | 0xffff);
  g_assert_cmphex (kymo_pack_cell (7, 300, 100), ==, 7 << 16 | 0xffff);
  g_assert_cmphex (kymo_pack_cell (7, G_MAXINT64, 1), ==, 7 << 16 | 0xffff);
  g_assert_cmphex (kymo_pack_cell (7, G_MAXINT64 / 2, (double) (G_GINT64_CONSTANT (1) << 58) * 64),
                   ==, 7 << 16 | 0x4000);
}

/* -- answers -------------------------------------------------------------- */

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

static KymoTable *
ask (KymoRun      *run,
     KymoQuestion *question,
     guint         n_threads)
{
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, n_threads);
  g_autoptr (GError) error = NULL;
  KymoTable *answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);

  g_assert_no_error (error);
  return answer;
}

/* Some of the processes of three locations are one row. */
static void
set_random_groups (GRand        *rand,
                   KymoRun      *run,
                   KymoQuestion *question)
{
  g_autoptr (KymoQuestion) which = kymo_question_new ("row-groups");
  g_autoptr (KymoTable) answer = ask (run, which, 1);
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
      guint32 expected = brute_cell_of (run, ids, n, here);

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
      g_autoptr (KymoRun) run = random_run (100 + seed, 3 + seed % 14);
      g_autoptr (KymoRun) unbuilt = random_run (100 + seed, 3 + seed % 14);

      for (guint i = 0; i < 30; i++)
        {
          g_autoptr (KymoQuestion) question = random_question (rand, run);
          g_autoptr (KymoTable) by_mosaic = ask (run, question, 1 + i % 3);
          g_autoptr (KymoTable) by_walk = NULL;
          g_autofree char *a = to_json (by_mosaic), *b = NULL;

          kymo_question_set_int (question, "once", 1);
          by_walk = ask (unbuilt, question, 1 + (i + 1) % 3);
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
      answer = ask (run, question, 1);
      names = kymo_table_peek_nested (answer, "names", NULL);
      g_assert_null (kymo_table_peek_nested (answer, "dense", NULL));
      g_assert_cmpuint (kymo_table_get_n_rows (names), ==, 1);
      g_assert_cmpstr (kymo_table_get_string (names, "name", 0), ==, "busy");
    }
}

/* -- sums of columns ------------------------------------------------------ */

/* Short and long pieces over even and uneven columns. */
static void
test_column_sums (void)
{
  for (guint32 seed = 1; seed <= 40; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (KymoRun) run = random_run (1000 + seed, 3);
      guint n = 1 + g_rand_int_range (rand, 0, 400);
      gint64 begin = run->span.begin_ns + g_rand_int_range (rand, -50, 3000);
      gint64 length = g_rand_int_range (rand, 1, 30000);
      g_autofree gint64 *edges = g_new (gint64, n + 1);
      g_autofree gint64 *states = g_new (gint64, n), *ns = g_new (gint64, n);
      KymoColumnSums sums;

      for (guint i = 0; i <= n; i++)
        edges[i] = begin + length * i / n;
      kymo_column_sums_init (&sums, KYMO_STATE_ACTIVITY + N_ENTRIES, n);
      for (guint i = 0; i < 3; i++)
        kymo_column_sums_add (&sums, g_ptr_array_index (run->segments, i), edges);
      kymo_column_sums_settle (&sums, edges);
      kymo_column_sums_pick (&sums, n, states, ns);
      for (guint i = 0; i < n; i++)
        if (edges[i] < edges[i + 1])
          g_assert_cmphex (states[i] == KYMO_NO_STATE ? KYMO_NO_CELL
                           : kymo_pack_cell (states[i], ns[i], 3 * (edges[i + 1] - edges[i])), ==,
                           brute_cell (run, 0, 3, (KymoSpan) { edges[i], edges[i + 1] }));
      kymo_column_sums_clear (&sums);
    }
}

/* A source that builds aside: the first answer waits for nothing, a later one
   is read from the mosaic, and they are the same. */
static void
test_aside (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (KymoRun) run = random_run (105, 12);
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
  g_test_add_func ("/mosaic/levels", test_levels);
  g_test_add_func ("/mosaic/sums", test_sums);
  g_test_add_func ("/mosaic/limit", test_limit);
  g_test_add_func ("/mosaic/cancelled", test_cancelled);
  g_test_add_func ("/mosaic/far-apart", test_far_apart);
  g_test_add_func ("/mosaic/pack", test_pack);
  g_test_add_func ("/mosaic/many-states", test_many_states);
  g_test_add_func ("/mosaic/answers", test_answers);
  g_test_add_func ("/mosaic/aside", test_aside);
  g_test_add_func ("/mosaic/column-sums", test_column_sums);
  return g_test_run ();
}
