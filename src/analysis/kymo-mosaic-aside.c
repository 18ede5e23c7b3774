/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-mosaic-aside.h"

#include "kymo-run-index.h"

struct _KymoMosaicAside
{
  GMutex        mutex;          /* protects what follows */
  guint         n_threads;
  GThread      *thread;         /* of the last build */
  GCancellable *cancellable;
};

typedef struct
{
  KymoRun      *run;
  guint         n_threads;
  GCancellable *cancellable;
} Build;

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

static void
stop (KymoMosaicAside *aside)
{
  if (aside->thread == NULL)
    return;
  g_cancellable_cancel (aside->cancellable);
  g_thread_join (g_steal_pointer (&aside->thread));
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
  stop (aside);
  g_mutex_clear (&aside->mutex);
  g_free (aside);
}

static gpointer
build (gpointer data)
{
  Build *work = data;

  kymo_mosaic_build (kymo_run_peek_mosaic (work->run), work->run, work->n_threads,
                     work->cancellable);
  kymo_run_unref (work->run);
  g_object_unref (work->cancellable);
  g_free (work);
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

/**
 * kymo_mosaic_aside_serve:
 * @run: a watched run that was asked something
 *
 * Starts to build where an answer would have been faster with the mosaic, once a run;
 * then a build of the run before it is of no use any more.
 */
void
kymo_mosaic_aside_serve (KymoMosaicAside *aside,
                         KymoRun         *run)
{
  Build *work;

  if (!g_atomic_int_compare_and_exchange (&run->index->mosaic_wanted, 1, 2))
    return;
  g_mutex_lock (&aside->mutex);
  stop (aside);
  work = g_new (Build, 1);
  aside->cancellable = g_cancellable_new ();
  *work = (Build) { kymo_run_ref (run), aside->n_threads, g_object_ref (aside->cancellable) };
  aside->thread = g_thread_new ("kymo-mosaic", build, work);
  g_mutex_unlock (&aside->mutex);
}
