/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a Projections run whose PEs fall into known classes, as those of a
 * molecular dynamics program do: all compute forces between pairs of patches,
 * some hold patches, some take part in the Fourier transforms, a few gather.
 * By choice some have pairs of poor grain size, many times as long as the
 * others: the second hump of the histogram. Further choices make what k-means
 * over totals cannot see. The same seed gives the same bytes.
 *
 * Each step a PE does its work, one block after another, and is idle for the
 * rest. Besides the ten entry methods of the program there may be any number
 * of small ones, run once each, whose lengths depend on the class.
 *
 * run.out has a line `PLANTED pe P class C` for each PE. Each log is written
 * on one thread; nothing is shared but the options.
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "made-log.h"

#define STEP_US 56000
#define FIRST_US 1000
#define ROOT_EVERY 256

typedef enum
{
  INTEGRATE, RECEIVE, SELF, PAIR, BONDED, PME_Z, PME_Y, REDUCE, BALANCE, OUTPUT, N_METHODS
} Method;

static const struct { const char *chare, *name; } methods[N_METHODS] =
{
  { "Patch", "integrate" }, { "PatchProxy", "receiveForces" }, { "ComputeSelf", "doWork" },
  { "ComputePair", "doWork" }, { "ComputeBonded", "doWork" }, { "PmeZPencil", "transform" },
  { "PmeYPencil", "transform" }, { "Reduction", "submit" }, { "Balancer", "report" },
  { "Output", "write" },
};

/* Numbers of the PLANTED lines. */
typedef enum
{
  COMPUTE, PATCH, PME, ROOT, POOR, LATE, CHATTY, N_CLASSES
} Class;

static gint64 n_pes = 512;
static gint n_steps = 12;
static gint n_entries = 40;
static gint poor_permille = 60;
static gint64 seed = 1;
static char *poor;
static char *hidden;
static gboolean compressed;
static gint n_failed;           /* atomic */

static const GOptionEntry options[] =
{
  { "pes", 'p', 0, G_OPTION_ARG_INT64, &n_pes, "PEs (512)", "N" },
  { "steps", 'n', 0, G_OPTION_ARG_INT, &n_steps, "Steps (12)", "N" },
  { "entries", 'e', 0, G_OPTION_ARG_INT, &n_entries, "Entry methods (40)", "N" },
  { "poor", 0, 0, G_OPTION_ARG_STRING, &poor,
    "Poor grain size: none, more (its PEs have more to do), balanced (as much as others)",
    "WORD" },
  { "poor-permille", 0, 0, G_OPTION_ARG_INT, &poor_permille,
    "Of a thousand PEs that would only compute, how many are poor (60)", "N" },
  { "hidden", 0, 0, G_OPTION_ARG_STRING, &hidden,
    "What totals hide: none, order (the same work at another time), small (a class by an "
    "entry method of little time), heavy (one entry method drowns the classes)", "WORD" },
  { "seed", 's', 0, G_OPTION_ARG_INT64, &seed, "Seed of the random numbers (1)", "N" },
  { "gzip", 'z', 0, G_OPTION_ARG_NONE, &compressed, "Compress the logs", NULL },
  { NULL }
};

static gboolean
is (const char *option,
    const char *word)
{
  return g_strcmp0 (option != NULL ? option : "none", word) == 0;
}

/* -- classes --------------------------------------------------------------- */

static guint
per_mille (gint64  pe,
           guint64 salt)
{
  guint64 state = (guint64) seed * 7919 + pe * G_GUINT64_CONSTANT (1000003) + salt;

  return made_random (&state) % 1000;
}

static Class
class_of (gint64 pe)
{
  guint which = per_mille (pe, 1), further = per_mille (pe, 2);

  if (pe % ROOT_EVERY == 0)
    return ROOT;
  if (which < 220)
    return PATCH;
  if (which < 340)
    return PME;
  if (!is (poor, "none") && further < (guint) poor_permille)
    return POOR;
  if (is (hidden, "order") && further >= 500)
    return LATE;
  return is (hidden, "small") && further >= 970 ? CHATTY : COMPUTE;
}

/* Blocks of an entry method in a step, and how long they are: least, and four
   times up to a quarter of the rest, so that the middle is most frequent. */
typedef struct
{
  guint n, least_us, rest_us;
} Work;

static Work
work_of (Class  class,
         Method method)
{
  static const guint pairs[N_CLASSES] = { 24, 14, 12, 18, 16, 24, 24 };

  switch (method)
    {
    case INTEGRATE: return (Work) { class == PATCH ? 6 : 0, 1200, 600 };
    case RECEIVE: return (Work) { class == PATCH ? 12 : 2, 60, 200 };
    case SELF: return (Work) { 3, 400, 300 };
    case PAIR:
      return (Work) { is (hidden, "heavy") ? 20 : class == POOR && is (poor, "balanced") ? 5
                      : pairs[class], 300, 1000 };
    case BONDED: return (Work) { 4, 150, 200 };
    case PME_Z: return (Work) { class == PME ? 4 : 0, 1800, 800 };
    case PME_Y: return (Work) { class == PME ? 3 : 0, 600, 400 };
    case REDUCE: return (Work) { class == ROOT ? 40 : 1, 40, 120 };
    case BALANCE: return (Work) { 1, 20, 40 };
    default: return (Work) { 1, class == CHATTY ? 300 : 80, 120 };
    }
}

/* Of undivided pairs in a step: with fewer of the usual ones they are as much
   work as others have, or half as much again. */
static Work
poor_work (Class class)
{
  return (Work) { class != POOR ? 0 : is (poor, "balanced") ? 3 : 5, 3000, 4000 };
}

/* -- a log ----------------------------------------------------------------- */

typedef struct
{
  MadeLog  log;
  gint64   pe;
  Class    class;
  gint64   time_us;
  guint    pace;                /* in thousandths: how much there is to do */
} Pe;

static guint
length_of (Pe   *pe,
           Work  work)
{
  guint us = work.least_us;

  for (guint i = 0; i < 4 && work.rest_us >= 4; i++)
    us += made_below (&pe->log, work.rest_us / 4 + 1);
  return us;
}

static void
put_block (Pe     *pe,
           gint64  entry,
           gint64  us)
{
  PUT (&pe->log, 2, 21, entry, pe->time_us, -1, pe->pe, 64, 0, 0, 0);
  pe->time_us += us;
  PUT (&pe->log, 3, 0, entry, pe->time_us, -1, pe->pe, 0, 0);
}

/* Most PEs do the same in each step; where order is hidden, one class has its
   pairs in the first half of the run and the rest in the second, another the
   other way round: twice as much of either then. */
static guint
times_in_step (const Pe *pe,
               Method    method,
               gint      step)
{
  gboolean first = step < n_steps / 2;

  if (!is (hidden, "order") || (pe->class != COMPUTE && pe->class != LATE))
    return 1;
  return ((method == PAIR) == (pe->class == COMPUTE)) == first ? 2 : 0;
}

static void
put_method (Pe     *pe,
            Method  method,
            Work    work,
            gint    step)
{
  guint n = work.n * times_in_step (pe, method, step);

  if (method == PAIR)
    n = (n * pe->pace + 500) / 1000;
  for (guint i = 0; i < n; i++)
    put_block (pe, method, length_of (pe, work));
}

/* Small entry methods: once in the run each, spread over the steps. */
static void
put_small (Pe   *pe,
           gint  step)
{
  for (gint i = N_METHODS + step; i < n_entries; i += n_steps)
    {
      guint64 state = (guint64) i * G_GUINT64_CONSTANT (6364136223846793005) + pe->class % POOR;
      guint us = 2 + made_random (&state) % 60;

      put_block (pe, i, us + made_below (&pe->log, us / 4 + 1));
    }
}

static void
put_step (Pe   *pe,
          gint  step)
{
  gint64 end_us = FIRST_US + (step + 1) * (gint64) STEP_US;

  for (guint m = 0; m < MIN (N_METHODS, (guint) n_entries); m++)
    {
      put_method (pe, m, work_of (pe->class, m), step);
      if (m == PAIR)
        put_method (pe, PAIR, poor_work (pe->class), step);
    }
  put_small (pe, step);
  if (pe->time_us + 2 < end_us)
    {
      PUT (&pe->log, 14, pe->time_us + 1, pe->pe);
      PUT (&pe->log, 15, end_us - 1, pe->pe);
      pe->time_us = end_us;
    }
}

static void
write_log (gpointer data,
           gpointer user_data)
{
  Pe pe = { .pe = GPOINTER_TO_SIZE (data) - 1, .time_us = FIRST_US };

  pe.class = class_of (pe.pe);
  pe.pace = is (hidden, "heavy") ? 300 + per_mille (pe.pe, 3) * 14 / 10
    : 900 + per_mille (pe.pe, 3) / 5;
  if (!made_log_open (&pe.log, user_data, pe.pe, compressed, (guint64) seed * 1000003 + pe.pe))
    {
      g_atomic_int_inc (&n_failed);
      return;
    }
  made_log_text (&pe.log, "PROJECTIONS-RECORD 0\n");
  PUT (&pe.log, 6, FIRST_US - 100);
  for (gint step = 0; step < n_steps && !pe.log.failed; step++)
    put_step (&pe, step);
  PUT (&pe.log, 7, pe.time_us);
  if (!made_log_close (&pe.log))
    g_atomic_int_inc (&n_failed);
}

/* -- beside the logs ------------------------------------------------------- */

static gboolean
write_sts (const char  *folder,
           GError     **error)
{
  g_autofree char *path = g_build_filename (folder, "made.sts", NULL);
  g_autoptr (GString) text = g_string_new ("PROJECTIONS_ID \nVERSION 11.0\n");

  g_string_append_printf (text, "TOTAL_PHASES 1\nMACHINE \"made\"\nPROCESSORS %"
                          G_GINT64_FORMAT "\nSMPMODE %" G_GINT64_FORMAT " 1\n", n_pes, n_pes);
  g_string_append_printf (text, "COMMANDLINE \"kymo-make-classes --seed %" G_GINT64_FORMAT "\"\n",
                          seed);
  g_string_append_printf (text, "TOTAL_CHARES %d\nTOTAL_EPS %d\nTOTAL_MSGS 1\n"
                          "TOTAL_PSEUDOS 0\nTOTAL_EVENTS 0\nTOTAL_STATS 0\n", N_METHODS + 1,
                          n_entries);
  for (gint i = 0; i <= N_METHODS; i++)
    g_string_append_printf (text, "CHARE %d \"%s\" 1\n", i,
                            i < N_METHODS ? methods[i].chare : "Small");
  for (gint i = 0; i < n_entries; i++)
    if (i < N_METHODS)
      g_string_append_printf (text, "ENTRY CHARE %d \"%s(Message *m)\" %d 0\n", i,
                              methods[i].name, i);
    else
      g_string_append_printf (text, "ENTRY CHARE %d \"method_%d(Message *m)\" %d 0\n", i, i,
                              N_METHODS);
  g_string_append (text, "MESSAGE 0 96\nEND\n");
  return g_file_set_contents (path, text->str, text->len, error);
}

static gboolean
write_planted (const char  *folder,
               GError     **error)
{
  g_autofree char *path = g_build_filename (folder, "run.out", NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (gint64 pe = 0; pe < n_pes; pe++)
    g_string_append_printf (text, "PLANTED pe %" G_GINT64_FORMAT " class %d\n", pe,
                            class_of (pe));
  return g_file_set_contents (path, text->str, text->len, error);
}

static gboolean
options_are_good (void)
{
  return n_pes >= 1 && n_steps >= 1 && n_entries >= 1
    && (is (poor, "none") || is (poor, "more") || is (poor, "balanced"))
    && (is (hidden, "none") || is (hidden, "order") || is (hidden, "small")
        || is (hidden, "heavy"));
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("FOLDER");
  g_autoptr (GError) error = NULL;
  GThreadPool *pool;

  g_option_context_set_summary (context, "Makes a Projections run with classes of PEs.");
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2
      || !options_are_good ())
    {
      g_printerr ("%s\n", error != NULL ? error->message
                  : "Usage: kymo-make-classes [--pes N] [--entries N] [--poor WORD] … FOLDER");
      return 2;
    }
  if (g_mkdir_with_parents (argv[1], 0777) != 0 || !write_sts (argv[1], &error)
      || !write_planted (argv[1], &error))
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
