/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The asker lives until its last question has come back, so that a view may
 * be destroyed while a worker still computes for it.
 */
#include "config.h"

#include "kymo-asker.h"

/* Of the time while a run is read each asker takes at most one part in so
   many. */
#define REST_PER_COST 25

struct _KymoAsker
{
  KymoSource    *source;
  KymoAskerDone  done;             /* NULL when the view has gone */
  gpointer       data;
  void         (*again) (gpointer data);
  KymoAskerWork  work;             /* NULL: the source answers */
  GCancellable  *cancellable;      /* of the question under way, or NULL */
  gboolean       wants_drafts;
  gboolean       missed;           /* the run grew while it was under way */
  gint64         asked_us;
  gint64         answered_us;
};

typedef struct
{
  KymoAsker    *asker;             /* a reference */
  GCancellable *cancellable;
} Call;

static void
asker_clear (gpointer data)
{
  KymoAsker *asker = data;

  g_clear_object (&asker->cancellable);
  g_clear_object (&asker->source);
}

/**
 * kymo_asker_new:
 * @source: who is asked
 * @done: called on the main thread with each answer that is still wanted
 * @data: for @done
 *
 * Returns: (transfer full): free with kymo_asker_free()
 */
KymoAsker *
kymo_asker_new (KymoSource *source, KymoAskerDone done, gpointer data)
{
  KymoAsker *asker = g_rc_box_new0 (KymoAsker);

  asker->source = g_object_ref (source);
  asker->done = done;
  asker->data = data;
  return asker;
}

/**
 * kymo_asker_set_again:
 * @again: (nullable): called with the data of the answers after an answer that
 *   the run has outgrown; is to ask again
 */
void
kymo_asker_set_again (KymoAsker *asker, void (*again) (gpointer data))
{
  asker->again = again;
}

/** kymo_asker_want_drafts: has @done called with drafts, too; kymo_asker_is_busy() is true then */
void
kymo_asker_want_drafts (KymoAsker *asker)
{
  asker->wants_drafts = TRUE;
}

/**
 * kymo_asker_set_work:
 * @work: (nullable): makes the answers of several questions to the source, on a worker thread
 */
void
kymo_asker_set_work (KymoAsker *asker, KymoAskerWork work)
{
  asker->work = work;
}

/** kymo_asker_free: cancels; @done is not called any more */
void
kymo_asker_free (KymoAsker *asker)
{
  if (asker == NULL)
    return;
  kymo_asker_cancel (asker);
  asker->done = NULL;
  asker->again = NULL;
  g_rc_box_release_full (asker, asker_clear);
}

/** kymo_asker_cancel: the answer under way is not wanted any more */
void
kymo_asker_cancel (KymoAsker *asker)
{
  asker->missed = FALSE;
  if (asker->cancellable == NULL)
    return;
  g_cancellable_cancel (asker->cancellable);
  g_clear_object (&asker->cancellable);
}

/**
 * kymo_asker_is_busy:
 *
 * Returns: whether a question is under way whose answer is still wanted
 */
gboolean
kymo_asker_is_busy (KymoAsker *asker)
{
  return asker->cancellable != NULL;
}

/**
 * kymo_asker_wants_more:
 *
 * The source has grown. While it is still being read, answers must not cost
 * what reading needs: a question under way is let come back, and after a slow
 * answer it takes a while to the next. Of a stream every block is asked for,
 * and of a folder that is still being written every reading, but a question
 * under way is let come back too, so that what comes faster than answers does
 * not leave the view without any; it is asked again then. Once all is exact
 * and nothing grows there is no waiting.
 *
 * Returns: whether to ask again now
 */
gboolean
kymo_asker_wants_more (KymoAsker *asker)
{
  KymoCapabilities can = kymo_source_get_capabilities (asker->source);
  g_autofree char *draft = NULL;

  if (!(can & KYMO_CAN_GROWING))
    return TRUE;
  draft = kymo_source_dup_draft (asker->source);
  if (draft == NULL)
    {
      asker->missed = asker->cancellable != NULL;
      return !asker->missed;
    }
  return asker->cancellable == NULL
         && g_get_monotonic_time () - asker->answered_us
            >= REST_PER_COST * (asker->answered_us - asker->asked_us);
}

static void
on_draft (KymoSource *source, KymoTable *draft, gpointer data)
{
  Call *call = data;
  KymoAsker *asker = call->asker;

  if (asker->cancellable == call->cancellable && asker->done != NULL)
    asker->done (draft, NULL, asker->data);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  Call *call = data;
  KymoAsker *asker = call->asker;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = NULL;

  answer = kymo_source_ask_finish (KYMO_SOURCE (source), result, &error);
  if (asker->cancellable == call->cancellable)
    {
      g_clear_object (&asker->cancellable);
      asker->answered_us = g_get_monotonic_time ();
      if (asker->done != NULL
          && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        asker->done (answer, error, asker->data);
      if (asker->missed && asker->cancellable == NULL && asker->again != NULL)
        {
          asker->missed = FALSE;
          asker->again (asker->data);
        }
    }
  g_object_unref (call->cancellable);
  g_rc_box_release_full (asker, asker_clear);
  g_free (call);
}

typedef struct
{
  KymoAskerWork work;
  KymoQuestion *question;
} Work;

static void
work_free (gpointer data)
{
  kymo_question_unref (((Work *) data)->question);
  g_free (data);
}

static void
work_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  GError *error = NULL;
  KymoTable *answer = work->work (source, work->question, cancellable, &error);

  if (answer != NULL)
    g_task_return_pointer (task, answer, (GDestroyNotify) kymo_table_unref);
  else
    g_task_return_error (task, error);
}

static void
begin_work (KymoAsker *asker, KymoQuestion *question, Call *call)
{
  g_autoptr (GTask) task = g_task_new (asker->source, asker->cancellable, on_answer, call);
  Work *work = g_new0 (Work, 1);

  work->work = asker->work;
  work->question = kymo_question_ref (question);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, work_thread);
}

/**
 * kymo_asker_ask:
 * @question: (transfer full): what to ask now, instead of what was asked
 */
void
kymo_asker_ask (KymoAsker *asker, KymoQuestion *question)
{
  Call *call = g_new0 (Call, 1);

  kymo_asker_cancel (asker);
  asker->cancellable = g_cancellable_new ();
  asker->asked_us = g_get_monotonic_time ();
  call->asker = g_rc_box_acquire (asker);
  call->cancellable = g_object_ref (asker->cancellable);
  if (asker->work != NULL)
    begin_work (asker, question, call);
  else
    kymo_source_ask_drafted_async (asker->source, question, asker->cancellable,
                                   asker->wants_drafts ? on_draft : NULL, on_answer, call);
  kymo_question_unref (question);
}
