/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-run-source.h"

#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-mosaic-aside.h"

struct _KymoRunSource
{
  GObject    parent_instance;
  GMutex     mutex;             /* protects run; held for moments */
  GMutex     renewing;          /* held while files are read again */
  KymoRun   *run;
  guint      n_threads;
  guint      capabilities;      /* atomic; of the run */
  gint       telling;           /* atomic: "grown" is under way */
  KymoMosaicAside *aside;       /* or NULL: set before the first question */
  KymoRunKeeper keeper;         /* or NULL: set before the first question */
};

static void kymo_run_source_iface_init (KymoSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (KymoRunSource, kymo_run_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      kymo_run_source_iface_init))

/**
 * kymo_run_source_ref_run:
 *
 * Any thread. Another run may take its place at any moment (a draft and a run
 * that grows are followed by the next, one whose cache file is damaged is read
 * again): who looks into it holds it.
 *
 * Returns: (transfer full): the run
 */
KymoRun *
kymo_run_source_ref_run (KymoRunSource *self)
{
  KymoRun *run;

  g_mutex_lock (&self->mutex);
  run = kymo_run_ref (self->run);
  g_mutex_unlock (&self->mutex);
  return run;
}

/**
 * kymo_run_source_set_keeper:
 * @keeper: what kymo_source_keep() does with the run; the cache of files is not known here
 *
 * To be called before others have the source.
 */
void
kymo_run_source_set_keeper (KymoRunSource *self,
                            KymoRunKeeper  keeper)
{
  self->keeper = keeper;
}

/* -- of any source ----------------------------------------------------------------------------- */

/**
 * kymo_source_ref_run:
 *
 * Any thread.
 *
 * Returns: (transfer full) (nullable): the run, see kymo_run_source_ref_run(); %NULL where it is
 *   not in the memory of this process
 */
KymoRun *
kymo_source_ref_run (KymoSource *source)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  return iface->ref_run != NULL ? iface->ref_run (source) : NULL;
}

/** kymo_source_set_run: see kymo_run_source_set_run(); does nothing where the run is elsewhere */
void
kymo_source_set_run (KymoSource *source, KymoRun *run)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  if (iface->set_run != NULL)
    iface->set_run (source, run);
}

/**
 * kymo_source_get_threads:
 *
 * Any thread. For who works on the run beside its questions.
 *
 * Returns: most threads of a question; 0 = as many as there are cores
 */
guint
kymo_source_get_threads (KymoSource *source)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  return iface->get_threads != NULL ? iface->get_threads (source) : 0;
}

static KymoRun *
run_source_ref_run (KymoSource *source)
{
  return kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));
}

static void
run_source_set_run (KymoSource *source, KymoRun *run)
{
  kymo_run_source_set_run (KYMO_RUN_SOURCE (source), run);
}

static guint
run_source_get_threads (KymoSource *source)
{
  return KYMO_RUN_SOURCE (source)->n_threads;
}

/* Of two runs in a row one is there at a time, or those of a source that grows
   would pile up: the old one is gone with its last question. */
static void
exchange_run (KymoRunSource *self,
              KymoRun       *run)
{
  KymoRun *old;

  g_mutex_lock (&self->mutex);
  old = self->run;
  self->run = run;
  g_mutex_unlock (&self->mutex);
  kymo_run_unref (old);
}

static gboolean
is_current (KymoRunSource *self,
            const KymoRun *run)
{
  gboolean current;

  g_mutex_lock (&self->mutex);
  current = self->run == run;
  g_mutex_unlock (&self->mutex);
  return current;
}

/* The first that found the run's cache file damaged reads the files; the
   others wait and go on with the same. */
static gboolean
renew_run_source (KymoRunSource  *self,
                  const KymoRun  *stale,
                  GError        **error)
{
  g_autoptr (KymoRun) here = NULL;
  gboolean done;

  g_mutex_lock (&self->renewing);
  here = kymo_run_source_ref_run (self);
  done = here != stale;
  if (!done)
    {
      KymoRun *fresh = kymo_run_read_again (stale, error);

      if (fresh != NULL)
        {
          if (self->aside != NULL)
            kymo_mosaic_aside_watch (fresh);
          exchange_run (self, fresh);
        }
      done = fresh != NULL;
    }
  g_mutex_unlock (&self->renewing);
  return done;
}

static KymoTable *
run_source_ask (KymoSource    *source,
                KymoQuestion  *question,
                GCancellable  *cancellable,
                GError       **error)
{
  KymoRunSource *self = KYMO_RUN_SOURCE (source);

  while (TRUE)
    {
      g_autoptr (KymoRun) run = kymo_run_source_ref_run (self);
      g_autoptr (GError) local = NULL;
      KymoTable *answer = kymo_engine_ask (run, question, self->n_threads, cancellable, &local);

      if (answer != NULL || !g_error_matches (local, KYMO_ERROR, KYMO_ERROR_STALE))
        {
          if (local != NULL)
            g_propagate_error (error, g_steal_pointer (&local));
          if (self->aside != NULL && is_current (self, run))
            kymo_mosaic_aside_serve (self->aside, run);
          return answer;
        }
      if (!renew_run_source (self, run, error))
        return NULL;
    }
}

static KymoCapabilities
run_source_get_capabilities (KymoSource *source)
{
  return g_atomic_int_get (&KYMO_RUN_SOURCE (source)->capabilities);
}

static KymoSpan
run_source_get_span (KymoSource *source)
{
  g_autoptr (KymoRun) run = kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));

  return run->span;
}

static char *
run_source_dup_title (KymoSource *source)
{
  g_autoptr (KymoRun) run = kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));

  return g_strdup (run->title);
}

static gboolean
run_source_has_corrected_clocks (KymoSource *source)
{
  g_autoptr (KymoRun) run = kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));

  return kymo_run_has_corrected_clocks (run);
}

static char *
run_source_dup_draft (KymoSource *source)
{
  g_autoptr (KymoRun) run = kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));

  return g_strdup (run->draft);
}

static guint
run_source_get_mean_of (KymoSource *source)
{
  g_autoptr (KymoRun) run = kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));

  return run->kind == KYMO_RUN_STREAM ? CLAMP (run->n_locations_original, 0, G_MAXINT32) : 0;
}

static KymoTerms
run_source_get_terms (KymoSource *source)
{
  g_autoptr (KymoRun) run = kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));

  return run->terms;
}

static KymoSourceFacts *
run_source_dup_facts (KymoSource *source)
{
  g_autoptr (KymoRun) run = kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));
  KymoSourceFacts *facts = kymo_source_facts_new ();

  facts->path = g_strdup (run->path);
  facts->title = g_strdup (run->title);
  facts->is_growing = run->growing;
  facts->is_on_disk = kymo_run_is_on_disk (run);
  kymo_report_unref (facts->report);
  facts->report = kymo_report_ref (run->report);
  for (guint i = 0; i < run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (run, i);

      g_array_append_val (facts->ids, location->id);
      if (location->kind == KYMO_LOCATION_WORKER)
        g_array_append_val (facts->workers, location->id);
    }
  return facts;
}

static gboolean
run_source_keep (KymoSource    *source,
                 GCancellable  *cancellable,
                 GError       **error)
{
  g_autoptr (KymoRun) run = kymo_run_source_ref_run (KYMO_RUN_SOURCE (source));
  KymoRunKeeper keeper = KYMO_RUN_SOURCE (source)->keeper;

  return keeper == NULL || keeper (run, cancellable, error);
}

static void
kymo_run_source_iface_init (KymoSourceInterface *iface)
{
  iface->ask = run_source_ask;
  iface->get_capabilities = run_source_get_capabilities;
  iface->get_span = run_source_get_span;
  iface->dup_title = run_source_dup_title;
  iface->has_corrected_clocks = run_source_has_corrected_clocks;
  iface->get_mean_of = run_source_get_mean_of;
  iface->dup_draft = run_source_dup_draft;
  iface->get_terms = run_source_get_terms;
  iface->dup_facts = run_source_dup_facts;
  iface->keep = run_source_keep;
  iface->ref_run = run_source_ref_run;
  iface->set_run = run_source_set_run;
  iface->get_threads = run_source_get_threads;
}

static void
kymo_run_source_finalize (GObject *object)
{
  KymoRunSource *self = KYMO_RUN_SOURCE (object);

  g_clear_pointer (&self->aside, kymo_mosaic_aside_free);
  g_clear_pointer (&self->run, kymo_run_unref);
  g_mutex_clear (&self->mutex);
  g_mutex_clear (&self->renewing);
  G_OBJECT_CLASS (kymo_run_source_parent_class)->finalize (object);
}

static void
kymo_run_source_class_init (KymoRunSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_run_source_finalize;
}

static void
kymo_run_source_init (KymoRunSource *self)
{
  g_mutex_init (&self->mutex);
  g_mutex_init (&self->renewing);
}

/**
 * kymo_run_source_new:
 * @run: a sealed run
 * @n_threads: most threads a question; 0 = one per core
 *
 * Returns: (transfer full): the run as a source
 */
KymoRunSource *
kymo_run_source_new (KymoRun *run,
                     guint    n_threads)
{
  KymoRunSource *self = g_object_new (KYMO_TYPE_RUN_SOURCE, NULL);

  self->run = kymo_run_ref (run);
  self->n_threads = n_threads;
  self->capabilities = kymo_capabilities_of (run);
  return self;
}

/**
 * kymo_run_source_build_aside:
 *
 * To be called before the first question. From then on no timeline waits for
 * the mosaic of a large run: it is built beside the questions. For who will
 * ask again and again, as a window does.
 */
void
kymo_run_source_build_aside (KymoRunSource *self)
{
  g_return_if_fail (self->aside == NULL);
  self->aside = kymo_mosaic_aside_new (0);
  kymo_mosaic_aside_watch (self->run);
}

static gboolean
tell_grown (gpointer data)
{
  KymoRunSource *self = data;

  g_atomic_int_set (&self->telling, 0);
  g_signal_emit_by_name (self, "grown");
  return G_SOURCE_REMOVE;
}

/**
 * kymo_run_source_set_run:
 * @run: the newer state of the same run: a draft that rests on more, the
 *   exact run, or a stream or a folder of which more came
 *
 * Any thread. Questions under way are answered by the run they found; "grown"
 * is emitted in the default main context.
 */
void
kymo_run_source_set_run (KymoRunSource *self,
                         KymoRun       *run)
{
  if (self->aside != NULL)
    kymo_mosaic_aside_watch (run);
  g_atomic_int_set (&self->capabilities, kymo_capabilities_of (run));
  exchange_run (self, kymo_run_ref (run));
  if (g_atomic_int_compare_and_exchange (&self->telling, 0, 1))
    g_idle_add_full (G_PRIORITY_DEFAULT, tell_grown, g_object_ref (self), g_object_unref);
}
