/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-source.h"

G_DEFINE_INTERFACE (KymoSource, kymo_source, G_TYPE_OBJECT)

static void
kymo_source_default_init (KymoSourceInterface *iface)
{
  /* The run behind the source has grown, or became exact; ask again. */
  g_signal_new ("grown", KYMO_TYPE_SOURCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

/**
 * kymo_source_ask:
 * @source: a source
 * @question: what to ask
 * @cancellable: (nullable): stops it
 * @error: return location; %KYMO_ERROR_UNANSWERABLE says what the run holds
 *   and what would be needed
 *
 * Returns: (transfer full) (nullable): the answer
 */
KymoTable *
kymo_source_ask (KymoSource    *source,
                 KymoQuestion  *question,
                 GCancellable  *cancellable,
                 GError       **error)
{
  g_return_val_if_fail (KYMO_IS_SOURCE (source), NULL);

  return KYMO_SOURCE_GET_IFACE (source)->ask (source, question, cancellable, error);
}

static void
ask_thread (GTask        *task,
            gpointer      source,
            gpointer      task_data,
            GCancellable *cancellable)
{
  GError *error = NULL;
  KymoTable *answer = kymo_source_ask (source, task_data, cancellable, &error);

  if (answer != NULL)
    g_task_return_pointer (task, answer, (GDestroyNotify) kymo_table_unref);
  else
    g_task_return_error (task, error);
}

/**
 * kymo_source_ask_async:
 * @cancellable: (nullable): ends the work; the callback is called nevertheless
 * @callback: called in the main context of the caller, to call kymo_source_ask_finish()
 *
 * Has the question answered on a worker thread. The question must not be changed from then on.
 */
void
kymo_source_ask_async (KymoSource          *source,
                       KymoQuestion        *question,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, user_data);

  g_task_set_source_tag (task, kymo_source_ask_async);
  g_task_set_task_data (task, kymo_question_ref (question),
                        (GDestroyNotify) kymo_question_unref);
  g_task_run_in_thread (task, ask_thread);
}

/**
 * kymo_source_ask_finish:
 *
 * Returns: (transfer full) (nullable): the answer; %NULL with %G_IO_ERROR_CANCELLED, or with the
 *   error of kymo_source_ask()
 */
KymoTable *
kymo_source_ask_finish (KymoSource    *source,
                        GAsyncResult  *result,
                        GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, source), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/** kymo_source_get_capabilities: Returns: what the run behind the source can be asked for, now */
KymoCapabilities
kymo_source_get_capabilities (KymoSource *source)
{
  return KYMO_SOURCE_GET_IFACE (source)->get_capabilities (source);
}

/**
 * kymo_source_get_span:
 *
 * Returns: from the first to the last record of the run
 */
KymoSpan
kymo_source_get_span (KymoSource *source)
{
  return KYMO_SOURCE_GET_IFACE (source)->get_span (source);
}

/** kymo_source_dup_title: Returns: (transfer full): the name of the run for people */
char *
kymo_source_dup_title (KymoSource *source)
{
  return KYMO_SOURCE_GET_IFACE (source)->dup_title (source);
}

/**
 * kymo_source_has_corrected_clocks:
 *
 * Returns: whether times were shifted by choice and so are not those of the
 * files: what shows times says so
 */
gboolean
kymo_source_has_corrected_clocks (KymoSource *source)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  return iface->has_corrected_clocks != NULL && iface->has_corrected_clocks (source);
}

/**
 * kymo_source_dup_draft:
 *
 * Returns: (transfer full) (nullable): what answers rest on while the run is
 * still being read; %NULL once they are exact
 */
char *
kymo_source_dup_draft (KymoSource *source)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  return iface->dup_draft != NULL ? iface->dup_draft (source) : NULL;
}

/**
 * kymo_source_get_mean_of:
 *
 * Returns: of a utilization stream of how many PEs it tells the mean, in one
 * location; 0 where locations are themselves
 */
guint
kymo_source_get_mean_of (KymoSource *source)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  return iface->get_mean_of != NULL ? iface->get_mean_of (source) : 0;
}

/**
 * kymo_source_get_terms:
 *
 * Returns: what people call its locations and activities
 */
KymoTerms
kymo_source_get_terms (KymoSource *source)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  return iface->get_terms != NULL ? iface->get_terms (source) : (KymoTerms) { 0 };
}

/**
 * kymo_source_dup_facts:
 *
 * Returns: (transfer full) (nullable): the present facts of its only run; %NULL of a source that
 *   has none or several
 */
KymoSourceFacts *
kymo_source_dup_facts (KymoSource *source)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  return iface->dup_facts != NULL ? iface->dup_facts (source) : NULL;
}

/**
 * kymo_source_keep:
 *
 * Keeps what was read of the run for the next opening; blocks.
 *
 * Returns: %FALSE with the reason where that failed: nothing is lost but time
 */
gboolean
kymo_source_keep (KymoSource    *source,
                  GCancellable  *cancellable,
                  GError       **error)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  return iface->keep == NULL || iface->keep (source, cancellable, error);
}
