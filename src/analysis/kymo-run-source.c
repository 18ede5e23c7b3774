/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-run-source.h"

#include "kymo-engine.h"

struct _KymoRunSource
{
  GObject  parent_instance;
  KymoRun *run;
  guint    n_threads;
  guint    capabilities;
};

static void kymo_run_source_iface_init (KymoSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (KymoRunSource, kymo_run_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      kymo_run_source_iface_init))

static KymoTable *
run_source_ask (KymoSource    *source,
                KymoQuestion  *question,
                GCancellable  *cancellable,
                GError       **error)
{
  KymoRunSource *self = KYMO_RUN_SOURCE (source);

  return kymo_engine_ask (self->run, question, self->n_threads, cancellable, error);
}

static KymoCapabilities
run_source_get_capabilities (KymoSource *source)
{
  return KYMO_RUN_SOURCE (source)->capabilities;
}

static KymoSpan
run_source_get_span (KymoSource *source)
{
  return KYMO_RUN_SOURCE (source)->run->span;
}

static char *
run_source_dup_title (KymoSource *source)
{
  return g_strdup (KYMO_RUN_SOURCE (source)->run->title);
}

static void
kymo_run_source_iface_init (KymoSourceInterface *iface)
{
  iface->ask = run_source_ask;
  iface->get_capabilities = run_source_get_capabilities;
  iface->get_span = run_source_get_span;
  iface->dup_title = run_source_dup_title;
}

static void
kymo_run_source_finalize (GObject *object)
{
  g_clear_pointer (&KYMO_RUN_SOURCE (object)->run, kymo_run_unref);
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

KymoRun *
kymo_run_source_peek_run (KymoRunSource *source)
{
  return source->run;
}
