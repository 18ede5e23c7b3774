/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mosaic against brute force: every cell is summed up again from single pieces, and so
 * are sums of columns. Runs are random, of fixed seeds (test-mosaic-answers.c has the answers
 * that are read from it).
 */
#include "config.h"

#include "kymo-column-sums.h"
#include "kymo-run-index.h"
#include "mosaic-run.h"

static guint32
brute_cell (const KymoRun *run,
            guint          first,
            guint          end,
            KymoSpan       span)
{
  g_autofree gint64 *locations = g_new (gint64, end - first);

  for (guint i = first; i < end; i++)
    locations[i - first] = i;
  return mosaic_brute_cell (run, locations, end - first, span);
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
      g_autoptr (KymoRun) run = mosaic_random_run (seed, 1 + seed % 11);
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
  g_autoptr (KymoRun) run = mosaic_random_run (77, 9);
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
      gint64 ns[KYMO_STATE_ACTIVITY + MOSAIC_N_ENTRIES] = { 0 };
      KymoSums sums;

      kymo_sums_init (&sums, G_N_ELEMENTS (ns));
      if (kymo_mosaic_sum (mosaic, k, a, b, &sums))
        {
          for (guint s = 0; s < run->segments->len; s++)
            mosaic_add_pieces (g_ptr_array_index (run->segments, s),
                               (KymoSpan) { a * width, b * width },
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
      g_autoptr (KymoRun) run = mosaic_random_run (42, 9);
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
  g_autoptr (KymoRun) run = mosaic_random_run (3, 7);
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
  g_autoptr (KymoRun) run = mosaic_random_run (9, 4);
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

/* -- sums of columns ------------------------------------------------------ */

/* Short and long pieces over even and uneven columns. */
static void
test_column_sums (void)
{
  for (guint32 seed = 1; seed <= 40; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (KymoRun) run = mosaic_random_run (1000 + seed, 3);
      guint n = 1 + g_rand_int_range (rand, 0, 400);
      gint64 begin = run->span.begin_ns + g_rand_int_range (rand, -50, 3000);
      gint64 length = g_rand_int_range (rand, 1, 30000);
      g_autofree gint64 *edges = g_new (gint64, n + 1);
      g_autofree gint64 *states = g_new (gint64, n), *ns = g_new (gint64, n);
      KymoColumnSums sums;

      for (guint i = 0; i <= n; i++)
        edges[i] = begin + length * i / n;
      kymo_column_sums_init (&sums, KYMO_STATE_ACTIVITY + MOSAIC_N_ENTRIES, n);
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
  g_test_add_func ("/mosaic/column-sums", test_column_sums);
  return g_test_run ();
}
