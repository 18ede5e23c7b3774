/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-waits.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-order.h"
#include "kymo-run-index.h"
#include "kymo-share.h"

static const struct { const char *word, *words; } kinds[KYMO_N_WAIT_KINDS] = {
  { "late-sender", "Late sender" },
  { "late-receiver", "Late receiver" },
  { "barrier", "Wait at barrier" },
  { "all-to-all", "Wait at all-to-all" },
  { "late-root", "Late root of one-to-all" },
  { "early-root", "Early root of all-to-one" },
  { "prefix", "Wait for lower ranks" },
  { "thread-barrier", "Wait at barrier of threads" },
};

/**
 * kymo_wait_kind_to_string:
 *
 * Returns: the word for the kind in questions and answers: "late-sender" and the like; static
 */
const char *
kymo_wait_kind_to_string (KymoWaitKind kind)
{
  return kinds[kind].word;
}

/**
 * kymo_wait_kind_to_words:
 *
 * Returns: the words for the kind that people read: "Late sender" and the like; static
 */
const char *
kymo_wait_kind_to_words (KymoWaitKind kind)
{
  return kinds[kind].words;
}

/**
 * kymo_wait_kind_from_string:
 * @word: of kymo_wait_kind_to_string()
 *
 * Returns: the #KymoWaitKind that the word means; -1 for any other word
 */
gint
kymo_wait_kind_from_string (const char *word)
{
  for (gint i = 0; i < KYMO_N_WAIT_KINDS; i++)
    if (strcmp (word, kinds[i].word) == 0)
      return i;
  return -1;
}

static void
waits_free (gpointer data)
{
  KymoWaits *waits = data;

  for (guint i = 0; i < waits->n_locations; i++)
    g_clear_pointer (&waits->of[i], g_array_unref);
  g_free (waits->of);
  g_free (waits);
}

/* -- what may wait --------------------------------------------------------- */

/* MPI_Isend and its like, buffered ones and persistent ones. */
static gboolean
sends_at_once (const char *name)
{
  static const char *const starts[] = { "isend", "ibsend", "issend", "irsend", "bsend", "start" };
  gsize n;
  const char *short_name = kymo_mpi_find_name (name, &n);

  for (guint i = 0; short_name != NULL && i < G_N_ELEMENTS (starts); i++)
    if (g_ascii_strncasecmp (short_name, starts[i], strlen (starts[i])) == 0)
      return TRUE;
  return FALSE;
}

/* MPI_Wait, MPI_Waitall, MPI_Test and their like end what was begun before. */
static gboolean
completes (const char *name)
{
  gsize n;
  const char *short_name = kymo_mpi_find_name (name, &n);

  return short_name != NULL && (g_ascii_strncasecmp (short_name, "wait", 4) == 0
                                || g_ascii_strncasecmp (short_name, "test", 4) == 0);
}

/* As OPARI, Score-P, TAU and the OpenMP tools interface name them. */
static gboolean
is_thread_barrier (const char *name)
{
  static const char *const starts[] =
    { "!$omp barrier", "!$omp implicit barrier", "!$omp ibarrier", "OpenMP_Sync_Region_Barrier",
      "OpenMP_Barrier", "OpenMP_EXPLICIT_BARRIER", "OpenMP_IMPLICIT_BARRIER", "barrier enter/exit",
      "pthread_barrier_wait" };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    if (g_str_has_prefix (name, starts[i]))
      return TRUE;
  return FALSE;
}

static guint8 *
make_rules (const KymoRun *run)
{
  guint8 *rules = g_new0 (guint8, run->activities->len + 1);

  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);
      KymoRole role = activity->role;

      if (activity->kind != KYMO_ACTIVITY_FUNCTION)
        continue;
      if (role == KYMO_ROLE_COMMUNICATION || role == KYMO_ROLE_WAIT
          || role == KYMO_ROLE_SYNCHRONIZATION)
        rules[i] |= KYMO_WAITS_FOR_MESSAGES
          | (sends_at_once (activity->name) ? 0 : KYMO_WAITS_FOR_RECEIVERS)
          | (role == KYMO_ROLE_WAIT || completes (activity->name) ? KYMO_WAITS_FOR_REQUESTS : 0);
      if (is_thread_barrier (activity->name))
        rules[i] |= KYMO_WAITS_FOR_THREADS;
    }
  return rules;
}

/* -- making them ----------------------------------------------------------- */

/* By begin; of those of one call the longest, the smaller kind of equals. */
static int
compare_waits (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const KymoWait *x = a, *y = b;

  KYMO_ORDER_BY (x->block, y->block);
  KYMO_ORDER_BY (y->wait_ns, x->wait_ns);
  KYMO_ORDER_BY (x->kind, y->kind);
  KYMO_ORDER_BY (x->by, y->by);
  return x->by_begin_ns < y->by_begin_ns ? -1 : x->by_begin_ns > y->by_begin_ns;
}

typedef struct
{
  const KymoAsk *ask;
  const guint8  *rules;
  KymoWaits     *waits;
  gint           unfit;         /* atomic */
} Work;

/* Keeps a wait for each call, without overlaps. Blocks are in order of begin. */
static void
settle_waits (gpointer data,
              guint    location)
{
  const Work *work = data;
  GArray *waits = work->waits->of[location];
  KymoWait *list = (KymoWait *) (gpointer) waits->data;
  gint64 end_ns = G_MININT64;
  guint32 last = KYMO_NO_BLOCK;
  guint n = 0;

  if (!kymo_share_sort (list, waits->len, sizeof (KymoWait), compare_waits, NULL, 1,
                        work->ask->cancellable))
    return;
  for (guint i = 0; i < waits->len; i++)
    {
      KymoWait wait = list[i];
      gint64 until_ns = wait.begin_ns + wait.wait_ns;

      if (wait.block == last)
        continue;
      last = wait.block;
      if (until_ns <= end_ns)
        continue;
      wait.begin_ns = MAX (wait.begin_ns, end_ns);
      wait.wait_ns = until_ns - wait.begin_ns;
      end_ns = until_ns;
      list[n++] = wait;
    }
  g_array_set_size (waits, n);
}

static void
add_messages (gpointer data,
              guint    location)
{
  Work *work = data;

  kymo_waits_add_messages (work->ask, work->rules, location, work->waits->of[location]);
}

static void
use_segment (gpointer data,
             guint    i)
{
  Work *work = data;

  if (!kymo_segment_use (work->ask->run->segments->pdata[i], KYMO_WAIT_NEEDS & KYMO_PARTS_ALL))
    g_atomic_int_set (&work->unfit, 1);
}

/* Before anything is read, so that nothing has to expect a lie. */
static gboolean
use_segments (Work    *work,
              GError **error)
{
  const KymoAsk *ask = work->ask;

  if (!kymo_share_out (ask->run->segments->len, ask->n_threads, use_segment, work,
                       ask->cancellable))
    return !g_cancellable_set_error_if_cancelled (ask->cancellable, error);
  if (work->unfit)
    kymo_ask_set_stale (ask, error);
  return !work->unfit;
}

/* NULL when it was cancelled, or columns are not fit to be read. */
static gpointer
make_waits (gconstpointer   data,
            GError        **error)
{
  const KymoAsk *ask = data;
  KymoWaits *waits;
  g_autofree guint8 *rules = make_rules (ask->run);
  Work work = { ask, rules, NULL, 0 };

  if (!use_segments (&work, error))
    return NULL;
  waits = work.waits = g_new0 (KymoWaits, 1);
  waits->n_locations = ask->run->locations->len;
  waits->of = g_new0 (GArray *, MAX (waits->n_locations, 1));
  for (guint i = 0; i < waits->n_locations; i++)
    waits->of[i] = g_array_new (FALSE, FALSE, sizeof (KymoWait));
  kymo_share_out (waits->n_locations, ask->n_threads, add_messages, &work, ask->cancellable);
  kymo_waits_add_collectives (ask, waits);
  kymo_waits_add_thread_barriers (ask, rules, waits);
  kymo_share_out (waits->n_locations, ask->n_threads, settle_waits, &work, ask->cancellable);
  if (!g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    return waits;
  waits_free (waits);
  return NULL;
}

/**
 * kymo_waits_peek:
 *
 * Returns: (transfer none) (nullable): those of the run; %NULL when it was cancelled,
 * or the columns are not fit to be read
 */
const KymoWaits *
kymo_waits_peek (const KymoAsk  *ask,
                 GError        **error)
{
  return kymo_made_get (&ask->run->index->waits, make_waits, ask, waits_free, ask->cancellable,
                        error);
}

/** kymo_waits_peek_made: those of the run, or NULL where they were not needed yet */
const KymoWaits *
kymo_waits_peek_made (const KymoRun *run)
{
  return kymo_made_peek (&run->index->waits);
}

/**
 * kymo_waits_find:
 * @waits: of one location
 *
 * Returns: index of the first that ends after @time_ns, or their number
 */
guint
kymo_waits_find (const GArray *waits,
                 gint64        time_ns)
{
  const KymoWait *all = (gconstpointer) waits->data;

  return KYMO_FIND_FIRST (i, 0, waits->len, all[i].begin_ns + all[i].wait_ns > time_ns);
}
