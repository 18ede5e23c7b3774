/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-mosaic-aside.h"

#include "kymo-run-index.h"

/* Invariant: while `run` is set, its thread will look once more for what is wanted. */
struct _KymoMosaicAside
{
  GMutex        mutex;          /* protects what follows */
  guint         n_threads;
  GThread      *thread;         /* of the last builds */
  GCancellable *cancellable;
  KymoRun      *run;            /* whose mosaics it builds; NULL once it has ended */
  gboolean      again;          /* more was wanted meanwhile */
};

/** Builds: what the thread was started for */
typedef struct
{
  KymoMosaicAside *aside;
  KymoRun         *run;
  GCancellable    *cancellable;
} Builds;

/**
 * kymo_mosaic_aside_new:
 * @n_threads: that a build may take; 0 = half of the cores, since somebody is
 *   looking at the run meanwhile
 *
 * Returns: (transfer full): nothing is built yet
 */
KymoMosaicAside *
kymo_mosaic_aside_new (guint n_threads)
{
  KymoMosaicAside *aside = g_new0 (KymoMosaicAside, 1);

  g_mutex_init (&aside->mutex);
  aside->n_threads = n_threads > 0 ? n_threads : MAX (g_get_num_processors () / 2, 1);
  return aside;
}

/* Under the mutex, which it lets go while the thread ends. */
static void
stop_mosaic_aside (KymoMosaicAside *aside)
{
  while (aside->thread != NULL)
    {
      GThread *thread = g_steal_pointer (&aside->thread);

      g_cancellable_cancel (aside->cancellable);
      g_mutex_unlock (&aside->mutex);
      g_thread_join (thread);
      g_mutex_lock (&aside->mutex);
    }
  g_clear_object (&aside->cancellable);
}

/**
 * kymo_mosaic_aside_free:
 *
 * Stops a build that is under way.
 */
void
kymo_mosaic_aside_free (KymoMosaicAside *aside)
{
  if (aside == NULL)
    return;
  g_mutex_lock (&aside->mutex);
  stop_mosaic_aside (aside);
  g_mutex_unlock (&aside->mutex);
  g_mutex_clear (&aside->mutex);
  g_free (aside);
}

/* TRUE if the thread ends: it was cancelled, or nothing was wanted since it looked. */
static gboolean
end_mosaic_aside (Builds *builds)
{
  KymoMosaicAside *aside = builds->aside;
  gboolean ends;

  g_mutex_lock (&aside->mutex);
  ends = !aside->again || g_cancellable_is_cancelled (builds->cancellable);
  aside->again = FALSE;
  if (ends && aside->run == builds->run)
    aside->run = NULL;
  g_mutex_unlock (&aside->mutex);
  return ends;
}

static gpointer
build_mosaic_aside (gpointer data)
{
  Builds *builds = data;

  do
    {
      g_autoptr (KymoMosaic) mosaic = NULL;

      while ((mosaic = kymo_run_take_wanted_mosaic (builds->run)) != NULL)
        {
          if (!kymo_mosaic_build (mosaic, builds->run, builds->aside->n_threads,
                                  builds->cancellable)
              && g_cancellable_is_cancelled (builds->cancellable))
            kymo_mosaic_forget_wish (mosaic);
          g_clear_pointer (&mosaic, kymo_mosaic_unref);
          if (g_cancellable_is_cancelled (builds->cancellable))
            break;
        }
    }
  while (!end_mosaic_aside (builds));
  kymo_run_unref (builds->run);
  g_object_unref (builds->cancellable);
  g_free (builds);
  return NULL;
}

/**
 * kymo_mosaic_aside_watch:
 * @run: a run whose questions shall not wait for its mosaic
 *
 * From now on they tell that they would have used it.
 */
void
kymo_mosaic_aside_watch (KymoRun *run)
{
  g_atomic_int_set (&run->index->build_aside, 1);
}

static void
start (KymoMosaicAside *aside,
       KymoRun         *run)
{
  Builds *builds = g_new (Builds, 1);

  stop_mosaic_aside (aside);
  aside->cancellable = g_cancellable_new ();
  aside->run = run;
  aside->again = FALSE;
  *builds = (Builds) { aside, kymo_run_ref (run), g_object_ref (aside->cancellable) };
  aside->thread = g_thread_new ("kymo-mosaic", build_mosaic_aside, builds);
}

/**
 * kymo_mosaic_aside_serve:
 * @run: a watched run that was asked something
 *
 * Starts to build where an answer would have been faster with a mosaic; then builds for the
 * run before it are of no use any more.
 */
void
kymo_mosaic_aside_serve (KymoMosaicAside *aside,
                         KymoRun         *run)
{
  if (!g_atomic_int_compare_and_exchange (&run->index->mosaic_wanted, 1, 0))
    return;
  g_mutex_lock (&aside->mutex);
  if (aside->run == run)
    aside->again = TRUE;
  else
    start (aside, run);
  g_mutex_unlock (&aside->mutex);
}
