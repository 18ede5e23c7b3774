/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the smallest set: what it sorts out by the sparse time profiles
 * of single PEs is beyond the bound when the source is asked, too, however
 * little room there is for them. And stopping it.
 */
#include "config.h"

#include <math.h>

#include "kymo-open.h"
#include "kymo-reducer-bars.h"
#include "kymo-reducer.h"
#include "kymo-run-source.h"
#include "kymo-weights.h"
#include "scratch.h"

#define N_PES 23
#define N_ENTRIES 5

typedef struct
{
  KymoJob *job;
  gint64   after_us;
} Stopping;

static void
put_log (Scratch *scratch, guint pe, GRand *rand)
{
  GString *log = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("made.%u.log", pe);
  guint n = g_rand_int_range (rand, 1, 60), time = 0;

  g_string_append_printf (log, "PROJECTIONS-RECORD %u\n6 0\n", 2 * n + 2);
  for (guint i = 0; i < n; i++)
    {
      guint entry = g_rand_int_range (rand, 0, N_ENTRIES);

      time += g_rand_int_range (rand, 0, 20);
      g_string_append_printf (log, "2 21 %u %u %u %u 64 0 0 0 0 0 0\n", entry, time, i, pe);
      time += g_rand_int_range (rand, 1, 400);
      g_string_append_printf (log, "3 0 %u %u 0 %u 0 0\n", entry, time, pe);
    }
  g_string_append_printf (log, "7 %u\n", time);
  scratch_put (scratch, name, log->str);
  g_string_free (log, TRUE);
}

static KymoSource *
open_made (Scratch *scratch, GRand *rand, guint n_pes)
{
  const KymoOpenOptions options = { .no_cache = TRUE };
  GString *sts = g_string_new ("PROJECTIONS_ID \nVERSION 11.0\nMACHINE \"test\"\n");
  g_autoptr (KymoRun) run = NULL;

  g_string_append_printf (sts, "PROCESSORS %u\nTOTAL_CHARES 1\nTOTAL_EPS %d\nTOTAL_MSGS 1\n"
                          "TOTAL_PSEUDOS 0\nTOTAL_EVENTS 0\nCHARE 0 \"Chare\" -1\n", n_pes,
                          N_ENTRIES);
  for (guint i = 0; i < N_ENTRIES; i++)
    g_string_append_printf (sts, "ENTRY CHARE %u \"method%u()\" 0 0\n", i, i);
  g_string_append (sts, "MESSAGE 0 8\nTOTAL_STATS 0\nEND\n");
  scratch_put (scratch, "made.sts", sts->str);
  g_string_free (sts, TRUE);
  for (guint pe = 0; pe < n_pes; pe++)
    put_log (scratch, pe, rand);
  run = kymo_open_run (scratch->folder, &options, NULL, NULL);
  g_assert_nonnull (run);
  return KYMO_SOURCE (kymo_run_source_new (run, 2));
}

static KymoTable *
ask_clusters (KymoSource *source)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("clusters");
  kymo_question_set_int (question, "vectors", 1);
  KymoTable *answer = kymo_source_ask (source, question, NULL, NULL);

  g_assert_nonnull (answer);
  return answer;
}

/* Who stood for a row in the set before is as good as to look at all. */
static void
weigh (const KymoWeighed *pes, KymoNearest *nearest, double *weights)
{
  g_autofree KymoNearest *first = kymo_nearest_new (N_PES);
  double expected[N_PES];

  kymo_weights_share (pes, nearest, weights);
  kymo_weights_share (pes, first, expected);
  for (guint i = 0; i < N_PES; i++)
    {
      g_assert_cmpuint (nearest[i].row, ==, first[i].row);
      g_assert_cmpfloat (weights[i], ==, expected[i]);
    }
}

/* Any set, also those that no clusters would choose, but one of each cluster. */
static KymoIdWeights *
choose (GRand *rand, const KymoTable *locations, KymoNearest *nearest, double *weights)
{
  g_autofree guint *cluster = g_new (guint, N_PES);
  g_autofree gboolean *kept = g_new (gboolean, N_PES);
  g_autofree gint64 *ids = g_new (gint64, N_PES), *millionths = g_new (gint64, N_PES);
  guint n_columns;
  g_autofree double *vectors = kymo_weights_vectors (locations, &n_columns);
  const KymoWeighed pes = { N_PES, n_columns, cluster, vectors, kept, NULL };
  double share = g_rand_double (rand);

  for (guint i = 0; i < N_PES; i++)
    {
      cluster[i] = kymo_table_get_int (locations, "cluster", i);
      kept[i] = g_rand_double (rand) < share
        || kymo_table_get_string (locations, "kept_as", i) != NULL;
    }
  weigh (&pes, nearest, weights);
  for (guint i = 0; i < N_PES; i++)
    {
      ids[i] = i;
      millionths[i] = llround (weights[i] * KYMO_WEIGHT_ONE);
    }
  return kymo_id_weights_new (ids, millionths, N_PES);
}

static void
compare (GRand *rand, const KymoReducerTruth *truth, const KymoTable *locations,
         const KymoReducerBars *bars, double bound, gboolean is_whole)
{
  const double slack = 3e-6;
  double weights[N_PES], share;
  g_autofree double *cells = g_new (double, kymo_reducer_bars_n_cells (bars) + 1);
  g_autofree KymoNearest *nearest = kymo_nearest_new (N_PES);

  for (guint turn = 0; turn < 40; turn++)
    {
      g_autoptr (KymoIdWeights) kept = choose (rand, locations, nearest, weights);
      double quick = kymo_reducer_bars_error (bars, weights, cells);

      g_assert_true (kymo_reducer_measure_bars (truth, kept, &share, NULL));
      g_assert_cmpfloat (quick, <=, share + slack);
      if (is_whole && share > bound)
        g_assert_cmpfloat (quick, >=, share - slack);
    }
}

static void
test_bars (Scratch *scratch, gconstpointer data)
{
  static const double bounds[] = { 0, 0.01, 0.08, 0.5 };
  static const gint64 rooms[] = { G_MAXINT64, 1500, 400, 90, 20, 0 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (GPOINTER_TO_UINT (data));
  g_autoptr (KymoSource) source = open_made (scratch, rand, N_PES);
  g_autoptr (KymoTable) clusters = ask_clusters (source);
  KymoTable *locations = kymo_table_peek_nested (clusters, "locations", NULL);
  g_autoptr (KymoReducerTruth) truth = kymo_reducer_truth_new (source, clusters, NULL, NULL);

  g_assert_nonnull (truth);
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    for (guint k = 0; k < G_N_ELEMENTS (rooms); k++)
      {
        g_autoptr (KymoReducerBars) bars =
          kymo_reducer_bars_new (truth, kymo_table_peek_ints (locations, "location", NULL), N_PES,
                                 bounds[i], rooms[k], NULL);

        g_assert_nonnull (bars);
        compare (rand, truth, locations, bars, bounds[i], rooms[k] == G_MAXINT64);
      }
}

static gpointer
stop_later (gpointer data)
{
  Stopping *stopping = data;

  g_usleep (stopping->after_us);
  kymo_job_cancel (stopping->job);
  return NULL;
}

/* There is an answer or an error, whenever it is stopped; of so many PEs what was
   found is halved. */
static void
test_stopped (Scratch *scratch, gconstpointer data)
{
  const KymoReducerWish wish = { .error = 0.01, .span = { G_MININT64, G_MAXINT64 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (KymoSource) source = open_made (scratch, rand, 200);
  gint64 begin_us = g_get_monotonic_time (), length_us;
  g_autoptr (KymoTable) whole = kymo_reducer_choose (source, &wish, NULL, NULL);
  guint n;

  g_assert_nonnull (whole);
  kymo_table_peek_ints (whole, "kept", &n);
  g_assert_cmpuint (n, >, 128);
  g_assert_cmpuint (n, <, 200);
  length_us = g_get_monotonic_time () - begin_us;
  for (guint i = 0; i <= 24; i++)
    {
      g_autoptr (KymoJob) job = kymo_job_new ();
      g_autoptr (GError) error = NULL;
      Stopping stopping = { job, length_us * i / 24 };
      GThread *thread = g_thread_new ("stop", stop_later, &stopping);
      g_autoptr (KymoTable) choice = kymo_reducer_choose (source, &wish, job, &error);

      g_thread_join (thread);
      g_assert_true ((choice != NULL) == (error == NULL));
      if (error != NULL)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint seed = 1; seed <= 3; seed++)
    {
      g_autofree char *name = g_strdup_printf ("/reducer/bars-%u", seed);

      g_test_add (name, Scratch, GUINT_TO_POINTER (seed), scratch_up, test_bars, scratch_down);
    }
  g_test_add ("/reducer/stopped", Scratch, NULL, scratch_up, test_stopped, scratch_down);
  return g_test_run ();
}
