/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: the mutex guards the list and what it holds. A run of which the list has the only
 * reference is used by nobody; only the list can give it to somebody again.
 */
#include "config.h"

#include "kymo-server-runs.h"

#include <stdlib.h>
#include <string.h>

#include "kymo-cache.h"
#include "kymo-file-stamp.h"
#include "kymo-memory.h"

/* How often who waits for another's reading is told how far that is. */
#define TELL_EVERY_US (100 * 1000)
#define JOB_STEPS 1000
/* Of the memory limit runs that nobody uses leave that part to one that is read. */
#define LEFT_FOR_READING 4

/** Kept: a run that is open or was, or that is being read: then `run` is NULL */
typedef struct
{
  char    *key;
  guint64  fingerprint;         /* of the folder before the run was read */
  KymoRun *run;
  KymoJob *job;                 /* of who reads it */
  gint64   used_us;
} Kept;

struct _KymoServerRuns
{
  gint64     limit_bytes;
  GMutex     mutex;
  GCond      changed;           /* a reading has ended, or who waits for it was cancelled */
  GPtrArray *list;              /* Kept */
};

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  g_clear_pointer (&kept->run, kymo_run_unref);
  g_clear_object (&kept->job);
  g_free (kept->key);
  g_free (kept);
}

/** kymo_server_runs_new: @limit_bytes: of all runs; 0 = kymo_memory_get_limit() */
KymoServerRuns *
kymo_server_runs_new (gint64 limit_bytes)
{
  KymoServerRuns *runs = g_new0 (KymoServerRuns, 1);

  runs->limit_bytes = limit_bytes > 0 ? limit_bytes : kymo_memory_get_limit ();
  g_mutex_init (&runs->mutex);
  g_cond_init (&runs->changed);
  runs->list = g_ptr_array_new_with_free_func (kept_free);
  return runs;
}

/** kymo_server_runs_free: @runs: (nullable): nobody opens any more */
void
kymo_server_runs_free (KymoServerRuns *runs)
{
  if (runs == NULL)
    return;
  g_ptr_array_unref (runs->list);
  g_cond_clear (&runs->changed);
  g_mutex_clear (&runs->mutex);
  g_free (runs);
}

/* -- memory ------------------------------------------------------------------------------------ */

static gint64
count_bytes (const KymoRun *run)
{
  gint64 bytes = 0;

  for (guint i = 0; run != NULL && i < run->segments->len; i++)
    bytes += kymo_segment_get_held (g_ptr_array_index (run->segments, i));
  return bytes;
}

static gint64
count_all (KymoServerRuns *runs)
{
  gint64 bytes = 0;

  for (guint i = 0; i < runs->list->len; i++)
    bytes += count_bytes (((Kept *) runs->list->pdata[i])->run);
  return bytes;
}

/* The run that nobody has used for longest, or NULL. */
static Kept *
find_oldest (KymoServerRuns *runs)
{
  Kept *oldest = NULL;

  for (guint i = 0; i < runs->list->len; i++)
    {
      Kept *kept = runs->list->pdata[i];

      if (kept->run != NULL && g_atomic_ref_count_compare (&kept->run->ref_count, 1)
          && (oldest == NULL || kept->used_us < oldest->used_us))
        oldest = kept;
    }
  return oldest;
}

/* Lets runs go that nobody uses until all take at most @most bytes. */
static void
shrink (KymoServerRuns *runs, gint64 most)
{
  Kept *oldest;

  while (count_all (runs) > most && (oldest = find_oldest (runs)) != NULL)
    g_ptr_array_remove_fast (runs->list, oldest);
}

/** kymo_server_runs_trim: lets go what is above the limit; called when a session has ended */
void
kymo_server_runs_trim (KymoServerRuns *runs)
{
  g_mutex_lock (&runs->mutex);
  shrink (runs, runs->limit_bytes);
  g_mutex_unlock (&runs->mutex);
}

/** kymo_server_runs_count: Returns: number of runs that are in memory */
guint
kymo_server_runs_count (KymoServerRuns *runs)
{
  guint n = 0;

  g_mutex_lock (&runs->mutex);
  for (guint i = 0; i < runs->list->len; i++)
    n += ((Kept *) runs->list->pdata[i])->run != NULL;
  g_mutex_unlock (&runs->mutex);
  return n;
}

/* -- opening ----------------------------------------------------------------------------------- */

/* (transfer full): what two openings of one run agree in. */
static char *
make_key (const char *path, const KymoOpenOptions *options)
{
  g_autofree char *real = realpath (path, NULL);

  return g_strdup_printf ("%s\n%s\n%d %" G_GINT64_FORMAT "\n%s%s",
                          real != NULL ? real : path, options->base != NULL ? options->base : "",
                          options->correct_clocks, options->memory_limit_bytes,
                          options->roles != NULL ? "roles " : "",
                          options->roles != NULL ? options->roles : "");
}

static guint64
look_at_folder (const char *path)
{
  KymoGrowth growth;

  return kymo_growth_look (path, &growth, NULL) ? growth.fingerprint : 0;
}

static Kept *
find_kept (KymoServerRuns *runs, const char *key)
{
  for (guint i = 0; i < runs->list->len; i++)
    if (strcmp (((Kept *) runs->list->pdata[i])->key, key) == 0)
      return runs->list->pdata[i];
  return NULL;
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  KymoServerRuns *runs = data;

  g_mutex_lock (&runs->mutex);
  g_cond_broadcast (&runs->changed);
  g_mutex_unlock (&runs->mutex);
}

/* A reading of another session becomes the progress of this one. */
static void
mirror_job (KymoJob *from, KymoJob *to, char **stage)
{
  g_autofree char *now = kymo_job_dup_stage (from);
  double step;

  if (now == NULL)
    return;
  if (g_strcmp0 (now, *stage) != 0)
    {
      kymo_job_begin (to, now, JOB_STEPS);
      g_free (*stage);
      *stage = g_steal_pointer (&now);
    }
  step = kymo_job_get_fraction (from) - kymo_job_get_fraction (to);
  if (step > 0)
    kymo_job_advance (to, (gint64) (step * JOB_STEPS));
}

/* Waits while somebody else reads the run. The mutex is held. (nullable): the run as it is kept. */
static Kept *
wait_for_kept (KymoServerRuns *runs, const char *key, KymoJob *job)
{
  g_autofree char *stage = NULL;
  Kept *kept;

  while ((kept = find_kept (runs, key)) != NULL && kept->run == NULL
         && !kymo_job_is_cancelled (job))
    {
      mirror_job (kept->job, job, &stage);
      g_cond_wait_until (&runs->changed, &runs->mutex, g_get_monotonic_time () + TELL_EVERY_US);
    }
  return kept;
}

/* (transfer full) (nullable): the run of the list, if its files are what they were. The mutex is
   held, but not while files are looked at. */
static KymoRun *
take_current (KymoServerRuns *runs, Kept *kept, const char *path)
{
  g_autoptr (KymoRun) run = kymo_run_ref (kept->run);
  guint64 fingerprint = kept->fingerprint;
  gboolean is_current;

  g_mutex_unlock (&runs->mutex);
  is_current = fingerprint == look_at_folder (path) && kymo_cache_is_current (run);
  g_mutex_lock (&runs->mutex);
  /* The list may have changed meanwhile. */
  for (guint i = 0; i < runs->list->len; i++)
    {
      Kept *here = runs->list->pdata[i];

      if (here->run != run)
        continue;
      here->used_us = g_get_monotonic_time ();
      if (!is_current)
        g_ptr_array_remove_index_fast (runs->list, i);
      break;
    }
  return is_current ? g_steal_pointer (&run) : NULL;
}

static KymoRun *
read_run (KymoServerRuns *runs, const char *path, const KymoOpenOptions *options, KymoJob *job,
          GError **error)
{
  KymoOpenOptions known = *options;
  gint64 left;

  g_mutex_lock (&runs->mutex);
  shrink (runs, runs->limit_bytes / LEFT_FOR_READING);
  left = MAX (runs->limit_bytes - count_all (runs), runs->limit_bytes / LEFT_FOR_READING / 2);
  g_mutex_unlock (&runs->mutex);
  known.memory_limit_bytes = known.memory_limit_bytes > 0 ? MIN (known.memory_limit_bytes, left)
                                                          : left;
  return kymo_open_run (path, &known, job, error);
}

/* Reads the run for all that wait for it. A run that grows is each session's own. */
static KymoRun *
read_for_all (KymoServerRuns *runs, Kept *kept, const char *path, const KymoOpenOptions *options,
              KymoJob *job, GError **error)
{
  KymoRun *run;

  kept->fingerprint = look_at_folder (path);
  run = read_run (runs, path, options, job, error);
  g_mutex_lock (&runs->mutex);
  if (run != NULL && !run->growing && kymo_cache_is_current (run))
    {
      kept->run = kymo_run_ref (run);
      kept->used_us = g_get_monotonic_time ();
      g_clear_object (&kept->job);
      shrink (runs, runs->limit_bytes);
    }
  else
    g_ptr_array_remove_fast (runs->list, kept);
  g_cond_broadcast (&runs->changed);
  g_mutex_unlock (&runs->mutex);
  return run;
}

static KymoRun *
open_shared (KymoServerRuns *runs, const char *path, const KymoOpenOptions *options, KymoJob *job,
             GError **error)
{
  g_autofree char *key = make_key (path, options);
  KymoRun *run = NULL;
  Kept *kept;

  g_mutex_lock (&runs->mutex);
  while (run == NULL && (kept = wait_for_kept (runs, key, job)) != NULL && kept->run != NULL)
    run = take_current (runs, kept, path);
  if (run != NULL || kymo_job_is_cancelled (job))
    {
      g_mutex_unlock (&runs->mutex);
      if (run == NULL)
        g_cancellable_set_error_if_cancelled (kymo_job_peek_cancellable (job), error);
      return run;
    }
  kept = g_new0 (Kept, 1);
  kept->key = g_steal_pointer (&key);
  kept->job = g_object_ref (job);
  g_ptr_array_add (runs->list, kept);
  g_mutex_unlock (&runs->mutex);
  return read_for_all (runs, kept, path, options, job, error);
}

/**
 * kymo_server_runs_open:
 * @path: see kymo_open_run()
 * @options: where they refuse the cache file, the files are read anew
 * @job: progress, also of another session's reading, and cancelling
 *
 * Blocks; any thread.
 *
 * Returns: (transfer full) (nullable): the run, that of other sessions where its files have not
 *   changed since it was read
 */
KymoRun *
kymo_server_runs_open (KymoServerRuns *runs, const char *path, const KymoOpenOptions *options,
                       KymoJob *job, GError **error)
{
  GCancellable *cancellable = kymo_job_peek_cancellable (job);
  KymoRun *run;
  gulong handler;

  if (options->no_cache)
    return read_run (runs, path, options, job, error);
  handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), runs, NULL);
  run = open_shared (runs, path, options, job, error);
  g_cancellable_disconnect (cancellable, handler);
  return run;
}
