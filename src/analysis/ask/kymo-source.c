/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-source.h"

#include "kymo-follow.h"

G_DEFINE_INTERFACE (KymoSource, kymo_source, G_TYPE_OBJECT)

static void
kymo_source_default_init (KymoSourceInterface *iface)
{
  /* The run behind the source has grown, or became exact; ask again. */
  kymo_signal_new ("grown", KYMO_TYPE_SOURCE, 0);
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

/** Call: an asynchronous question; belongs to its task */
typedef struct
{
  KymoQuestion    *question;
  KymoSourceDraft  draft;       /* or NULL */
  gpointer         data;        /* for it */
} Call;

static void
call_free (gpointer data)
{
  Call *call = data;

  kymo_question_unref (call->question);
  g_free (call);
}

/** Told: a draft on its way to who asked */
typedef struct
{
  GTask     *task;
  KymoTable *draft;
} Told;

static void
told_free (gpointer data)
{
  Told *told = data;

  g_object_unref (told->task);
  kymo_table_unref (told->draft);
  g_free (told);
}

static gboolean
tell_draft (gpointer data)
{
  Told *told = data;
  Call *call = g_task_get_task_data (told->task);

  if (!g_task_get_completed (told->task)
      && !g_cancellable_is_cancelled (g_task_get_cancellable (told->task)))
    call->draft (g_task_get_source_object (told->task), told->draft, call->data);
  return G_SOURCE_REMOVE;
}

/* On the worker thread. What is attached first is dispatched first, so the draft comes before the
   answer. */
static void
on_draft (KymoSource *source, KymoTable *draft, gpointer task)
{
  g_autoptr (GSource) idle = g_idle_source_new ();
  Told *told = g_new0 (Told, 1);

  told->task = g_object_ref (task);
  told->draft = kymo_table_ref (draft);
  g_source_set_callback (idle, tell_draft, told, told_free);
  g_source_set_priority (idle, g_task_get_priority (task));
  g_source_attach (idle, g_task_get_context (task));
}

static KymoTable *
ask_call (KymoSource *source, const Call *call, GTask *task, GCancellable *cancellable,
          GError **error)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);

  return call->draft != NULL && iface->ask_drafted != NULL
         ? iface->ask_drafted (source, call->question, on_draft, task, cancellable, error)
         : kymo_source_ask (source, call->question, cancellable, error);
}

static void
ask_thread (GTask        *task,
            gpointer      source,
            gpointer      task_data,
            GCancellable *cancellable)
{
  GError *error = NULL;
  KymoTable *answer = ask_call (source, task_data, task, cancellable, &error);

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
  kymo_source_ask_drafted_async (source, question, cancellable, NULL, callback, user_data);
}

/**
 * kymo_source_ask_drafted_async:
 * @cancellable: (nullable): ends the work; the callback is called nevertheless
 * @draft: (nullable): called in the same context before @callback, with @user_data, if the source
 *   has a draft of the answer and the question was not cancelled
 *
 * Has the question answered on a worker thread as kymo_source_ask_async() does.
 */
void
kymo_source_ask_drafted_async (KymoSource          *source,
                               KymoQuestion        *question,
                               GCancellable        *cancellable,
                               KymoSourceDraft      draft,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, user_data);
  Call *call = g_new0 (Call, 1);

  call->question = kymo_question_ref (question);
  call->draft = draft;
  call->data = user_data;
  g_task_set_source_tag (task, kymo_source_ask_async);
  g_task_set_task_data (task, call, call_free);
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
