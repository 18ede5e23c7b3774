/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a stream costs: made blocks through decoder, store and snapshot.
 *
 *   kymo-bench-stream --records 200 --blocks 120
 *
 * CPU time of a block, best, median and worst, of each step, and what the
 * store holds in the end.
 */
#include "config.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "kymo-stream-store.h"

static gint n_blocks = 120, n_bins = 1000, n_records = 200, n_entries = 400, budget_mib;
static gint snapshot_every = 1;
static gboolean is_random;

static const GOptionEntry options[] =
{
  { "blocks", 'n', 0, G_OPTION_ARG_INT, &n_blocks, "Blocks (120)", "N" },
  { "bins", 'b', 0, G_OPTION_ARG_INT, &n_bins, "Bins a block (1000)", "N" },
  { "records", 'r', 0, G_OPTION_ARG_INT, &n_records, "Records a bin (200)", "N" },
  { "entries", 'e', 0, G_OPTION_ARG_INT, &n_entries, "Entry methods (400)", "N" },
  { "budget", 'm', 0, G_OPTION_ARG_INT, &budget_mib, "Budget in MiB (the usual)", "N" },
  { "snapshot-every", 's', 0, G_OPTION_ARG_INT, &snapshot_every, "Blocks a snapshot (1)", "N" },
  { "unsorted", 'u', 0, G_OPTION_ARG_NONE, &is_random, "Ids in no order, some twice", NULL },
  { NULL }
};

static void
put (GByteArray *bytes,
     guint64     value,
     guint       n)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (bytes, (guint8 *) &value, n);
}

static GBytes *
make_reply (GRand *rand)
{
  GByteArray *bytes = g_byte_array_new ();
  guint share = CLAMP (240 / MAX (n_records, 1), 1, 250);

  put (bytes, n_bins, 4);
  put (bytes, 4, 4);
  for (gint bin = 0; bin < n_bins; bin++)
    {
      gint id = -1;

      put (bytes, n_records, 2);
      for (gint i = 0; i < n_records; i++)
        {
          gint left = n_entries - id - (n_records - i);

          id = is_random ? g_rand_int_range (rand, 0, n_entries)
            : id + 1 + g_rand_int_range (rand, 0, CLAMP (left, 1, 4));
          put (bytes, id, 2);
          put (bytes, share, 1);
        }
    }
  return g_byte_array_free_to_bytes (bytes);
}

static double
cpu_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int
compare (const void *a,
         const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
tell (const char *what,
      GArray     *times)
{
  double *us = (gpointer) times->data, sum = 0;
  guint n = times->len;

  if (n == 0)
    return;
  for (guint i = 0; i < n; i++)
    sum += us[i];
  qsort (us, n, sizeof *us, compare);
  g_print ("%-10s best %8.1f us, median %8.1f us, mean %8.1f us, 99 %% %8.1f us, worst %8.1f us\n",
           what, us[0], us[n / 2], sum / n, us[n - 1 - n / 100], us[n - 1]);
}

static void
add (GArray *times,
     double  us)
{
  g_array_append_val (times, us);
}

static void
run_store (GPtrArray *replies)
{
  g_autoptr (KymoStreamStore) store = kymo_stream_store_new ("made", (gint64) budget_mib << 20);
  g_autoptr (GArray) takes = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) snapshots = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (KymoRun) run = NULL;
  KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, 4 };
  g_autoptr (KymoStreamFrame) first = kymo_stream_frame_new_form (1, &form, NULL);
  struct rusage usage;

  kymo_stream_store_take (store, first, NULL, NULL);
  for (gint i = 0; i < n_blocks; i++)
    {
      g_autoptr (KymoStreamFrame) frame =
        kymo_stream_frame_new (KYMO_FRAME_REPLY, i, replies->pdata[i % replies->len]);
      double begin_us = cpu_us (), between_us;

      if (kymo_stream_store_take (store, frame, NULL, NULL) != KYMO_STREAM_BLOCK)
        exit (1);
      between_us = cpu_us ();
      add (takes, between_us - begin_us);
      if (i % MAX (snapshot_every, 1) > 0)
        continue;
      g_clear_pointer (&run, kymo_run_unref);
      run = kymo_stream_store_snapshot (store, TRUE);
      add (snapshots, cpu_us () - between_us);
    }
  tell ("take", takes);
  tell ("snapshot", snapshots);
  getrusage (RUSAGE_SELF, &usage);
  if (run != NULL)
    g_print ("%.1f MiB of bins in %u chunks, 1 ms from %.0f s on, %.0f MiB resident\n",
             kymo_stream_store_get_bytes (store) / 1048576.0,
             ((KymoSegment *) run->segments->pdata[0])->bins->chunks->len,
             run->stream->thinned_before_ns / 1e9, usage.ru_maxrss / 1024.0);
}

static void
run_decoder (GPtrArray *replies)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, 4 };
  KymoStreamBlock block;

  kymo_stream_block_init (&block);
  for (gint i = 0; i < MIN (n_blocks, 1000); i++)
    {
      gsize n_bytes;
      const guint8 *bytes = g_bytes_get_data (replies->pdata[i % replies->len], &n_bytes);
      double begin_us = cpu_us ();

      if (kymo_stream_block_decode (&block, &form, bytes, n_bytes, NULL) != KYMO_STREAM_BLOCK)
        exit (1);
      add (times, cpu_us () - begin_us);
    }
  g_print ("%d blocks of %d bins of %d records: %u records a block\n", n_blocks, n_bins,
           n_records, block.n_records);
  kymo_stream_block_clear (&block);
  tell ("decode", times);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("- cost of a stream");
  g_autoptr (GPtrArray) replies = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }
  for (gint i = 0; i < 8; i++)
    g_ptr_array_add (replies, make_reply (rand));
  run_decoder (replies);
  run_store (replies);
  return 0;
}
