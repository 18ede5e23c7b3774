/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a Projections run of any size: PEs on a ring exchange messages with
 * their neighbours in steps, with creations, blocks, packing, idle and a
 * broadcast now and then. The same seed gives the same bytes.
 *
 * Step s of PE p lasts STEP_US. In it the PE executes what its neighbours
 * sent in step s - 1 and sends what they will execute in step s + 1. Every PE
 * numbers its events alike (s * events a step + n), so a receiver knows the
 * number its sender used, and every message matches its creation.
 *
 * Each log is written on one thread; nothing is shared but the options.
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "made-log.h"

#define STEP_US 1000
#define FIRST_ENTRY 4
/* Records of one neighbour in one step, with its share of packing and idle,
   by which the number of steps is guessed from the records wanted. */
#define RECORDS_PER_MESSAGE 3.3
/* As in recordings of fine-grained programs: a microsecond of overhead after
   two blocks of five, a stretch of idle time for some sixteen. */
#define GAP_PERCENT 42
#define IDLE_STEPS 3

static gint64 n_pes = 64;
static gint64 n_records = 1000000;
static gint n_entries = 20;
static gint n_neighbours = 6;
static gint64 seed = 1;
static gboolean compressed;
static gint n_failed;           /* atomic */

static const GOptionEntry options[] =
{
  { "pes", 'p', 0, G_OPTION_ARG_INT64, &n_pes, "PEs (64)", "N" },
  { "records", 'n', 0, G_OPTION_ARG_INT64, &n_records, "Records in all, roughly (1000000)",
    "N" },
  { "entries", 'e', 0, G_OPTION_ARG_INT, &n_entries, "Entry methods (20)", "N" },
  { "neighbours", 'k', 0, G_OPTION_ARG_INT, &n_neighbours, "Messages a step (6)", "N" },
  { "seed", 's', 0, G_OPTION_ARG_INT64, &seed, "Seed of the random numbers (1)", "N" },
  { "gzip", 'z', 0, G_OPTION_ARG_NONE, &compressed, "Compress the logs", NULL },
  { NULL }
};

static gint64
n_steps (void)
{
  return MAX (1, (gint64) ((double) n_records / (double) n_pes
                           / (n_neighbours * RECORDS_PER_MESSAGE)));
}

/* The entry method of message n of a step: a few are frequent, most rare. */
static gint64
entry_of (gint64 step,
          gint   n)
{
  gint64 rare = step % 16 == 0 ? (step / 16 + n) % n_entries : n % MIN (n_entries, 4);

  return FIRST_ENTRY + rare;
}

/* The way round the ring from a sender to its n-th neighbour. */
static gint64
distance (gint n)
{
  return n % 2 == 0 ? n / 2 + 1 : -(n / 2 + 1);
}

static gint64
wrap (gint64 pe)
{
  return ((pe % n_pes) + n_pes) % n_pes;
}

/* One executed message: begin, what is sent in it, end. */
static void
put_block (MadeLog *log,
           gint64   pe,
           gint64   step,
           gint     n,
           gint64  *time,
           gint64   length)
{
  gint64 events = n_neighbours + 1;
  gint64 source = wrap (pe - distance (n));
  gint64 bytes = 96 + 8 * made_below (log, 512);
  gint64 begin = *time, end = begin + length;

  PUT (log, 2, 21, entry_of (step - 1, n), begin, (step - 1) * events + n, source, bytes, 0,
       pe % 32, pe / 32, begin / 2);
  if (made_below (log, 10) == 0)
    {
      PUT (log, 16, begin + length / 4, pe);
      PUT (log, 17, begin + length / 4 + 1, pe);
    }
  PUT (log, 1, 21, entry_of (step, n), begin + length / 2, step * events + n, pe, bytes, 0);
  PUT (log, 3, 0, entry_of (step - 1, n), end, (step - 1) * events + n, source, 0, end / 2);
  *time = end;
}

/* Every fourth PE has half again as much to do; the load swings slowly. */
static gint64
block_length (MadeLog *log,
              gint64   pe,
              gint64   step)
{
  gint64 mean = STEP_US * 3 / 5 / n_neighbours;

  if (pe % 4 == 3)
    mean += mean / 2;
  if (step / 256 % 4 == 2)
    mean /= 3;
  return mean / 2 + made_below (log, MAX (mean, 1));
}

static void
put_step (MadeLog *log,
          gint64   pe,
          gint64   step)
{
  gint64 time = 1000 + step * STEP_US;
  gint64 end = time + STEP_US;

  if (step == 0)
    {
      for (gint n = 0; n < n_neighbours; n++)
        PUT (log, 1, 21, entry_of (0, n), time + n, n, pe, 96, 0);
      return;
    }
  if (pe == 0 && step % 100 == 0)
    PUT (log, 20, 23, FIRST_ENTRY, time, step * (n_neighbours + 1) + n_neighbours, pe, 128, 1,
         n_pes);
  for (gint n = 0; n < n_neighbours; n++)
    {
      gint64 length = block_length (log, pe, step);

      if (time + length + 4 >= end)
        length = MAX (0, end - time - 4);
      time += made_below (log, 100) < GAP_PERCENT;
      time = MIN (time, end - 1 - length);
      put_block (log, pe, step, n, &time, length);
    }
  if (step % IDLE_STEPS == 0 && end - time > STEP_US / 8)
    {
      PUT (log, 14, time + 1, pe);
      PUT (log, 15, end - 1, pe);
    }
}

static void
write_log (gpointer data,
           gpointer user_data)
{
  gint64 pe = GPOINTER_TO_SIZE (data) - 1;
  gint64 steps = n_steps ();
  const char *folder = user_data;
  MadeLog log;

  if (!made_log_open (&log, folder, pe, compressed, (guint64) seed * 1000003 + pe))
    {
      g_atomic_int_inc (&n_failed);
      return;
    }
  made_log_text (&log, "PROJECTIONS-RECORD 0\n");
  PUT (&log, 6, 900);
  for (gint64 step = 0; step < steps && !log.failed; step++)
    put_step (&log, pe, step);
  PUT (&log, 7, 1000 + steps * STEP_US);
  if (!made_log_close (&log))
    g_atomic_int_inc (&n_failed);
}

static gboolean
write_sts (const char  *folder,
           GError     **error)
{
  g_autofree char *path = g_build_filename (folder, "made.sts", NULL);
  g_autoptr (GString) text = g_string_new ("PROJECTIONS_ID \nVERSION 11.0\n");

  g_string_append_printf (text, "TOTAL_PHASES 1\nMACHINE \"made\"\nPROCESSORS %"
                          G_GINT64_FORMAT "\nSMPMODE %" G_GINT64_FORMAT " 1\n", n_pes, n_pes);
  g_string_append_printf (text, "COMMANDLINE \"kymo-make-run --seed %" G_GINT64_FORMAT "\"\n",
                          seed);
  g_string_append_printf (text, "TOTAL_CHARES 2\nTOTAL_EPS %d\nTOTAL_MSGS 1\nTOTAL_PSEUDOS 0\n"
                          "TOTAL_EVENTS 0\nTOTAL_STATS 0\n", FIRST_ENTRY + n_entries);
  g_string_append (text, "CHARE 0 \"dummy\" -1\nCHARE 1 \"Cell\" 2\n");
  for (gint i = 0; i < FIRST_ENTRY; i++)
    g_string_append_printf (text, "ENTRY CHARE %d \"dummy_%d\" 0 0\n", i, i);
  for (gint i = 0; i < n_entries; i++)
    g_string_append_printf (text, "ENTRY CHARE %d \"method_%d(Message *m)\" 1 0\n",
                            FIRST_ENTRY + i, i);
  g_string_append (text, "MESSAGE 0 96\nEND\n");
  return g_file_set_contents (path, text->str, text->len, error);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("FOLDER");
  g_autoptr (GError) error = NULL;
  GThreadPool *pool;

  g_option_context_set_summary (context, "Makes a Projections run of any size.");
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2
      || n_pes < 1 || n_entries < 1 || n_neighbours < 1 || n_neighbours > 64)
    {
      g_printerr ("%s\n", error != NULL ? error->message
                  : "Usage: kymo-make-run [--pes N] [--records N] [--gzip] … FOLDER");
      return 2;
    }
  if (g_mkdir_with_parents (argv[1], 0777) != 0 || !write_sts (argv[1], &error))
    {
      g_printerr ("%s: %s\n", argv[1], error != NULL ? error->message : g_strerror (errno));
      return 1;
    }
  pool = g_thread_pool_new (write_log, argv[1], g_get_num_processors (), FALSE, NULL);
  for (gint64 pe = 0; pe < n_pes; pe++)
    g_thread_pool_push (pool, GSIZE_TO_POINTER (pe + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  return n_failed > 0;
}
