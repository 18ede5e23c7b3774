/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: while the view may not ask, no pause runs and no question is under way; whatever has
 * changed since the last answer is then in `stale`.
 */
#include "config.h"

#include "kymo-view-asker.h"

struct _KymoViewAsker
{
  GObject                 parent_instance;

  const KymoViewQuestion *klass;
  GtkWidget              *view;         /* owns this */
  KymoSession            *session;
  KymoAsker              *asker;
  guint                   due_id;       /* of the pause */
  gint64                  asked_us;
  gboolean                stale;        /* to be asked as soon as the view is mapped */
};

G_DEFINE_FINAL_TYPE (KymoViewAsker, kymo_view_asker, G_TYPE_OBJECT)

static gboolean
is_live (KymoViewAsker *self)
{
  return kymo_session_get_follow (self->session) > 0;
}

static gboolean
may_ask (KymoViewAsker *self)
{
  return self->klass->seen == KYMO_VIEW_UNSEEN
         || (self->klass->seen == KYMO_VIEW_UNSEEN_UNLESS_LIVE && !is_live (self))
         || gtk_widget_get_mapped (self->view);
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoViewAsker *self = data;

  self->klass->answered (answer, error, self->view);
}

static void
ask_now (KymoViewAsker *self)
{
  KymoQuestion *question;

  g_clear_handle_id (&self->due_id, g_source_remove);
  self->stale = FALSE;
  self->asked_us = g_get_monotonic_time ();
  question = self->klass->question (self->view);
  if (question != NULL)
    kymo_asker_ask (self->asker, question);
  else
    kymo_asker_cancel (self->asker);
}

static gboolean
on_due (gpointer data)
{
  KymoViewAsker *self = data;

  self->due_id = 0;
  ask_now (self);
  return G_SOURCE_REMOVE;
}

/* @paced: no sooner than the pace of a stream allows, and no later, for a stream never rests */
static void
queue (KymoViewAsker *self, gboolean paced)
{
  gint64 since_ms = (g_get_monotonic_time () - self->asked_us) / 1000;
  gint64 wait_ms = self->klass->pause_ms;

  self->stale = !may_ask (self);
  if (self->stale)
    return;
  if (self->klass->queued != NULL)
    self->klass->queued (self->view);
  if (paced && self->klass->pace_ms > 0)
    wait_ms = self->klass->pace_ms - since_ms;
  else if (self->klass->at_rest)
    kymo_view_asker_cancel (self);
  if (self->due_id != 0)
    return;
  if (wait_ms > 0)
    self->due_id = g_timeout_add (wait_ms, on_due, self);
  else
    ask_now (self);
}

static void
queue_grown (gpointer data)
{
  KymoViewAsker *self = data;
  KymoSource *source = kymo_session_peek_source (self->session);

  queue (self, is_live (self) || (kymo_source_get_capabilities (source) & KYMO_CAN_STREAM));
}

static void
on_grown (KymoViewAsker *self)
{
  if (self->klass->grown != NULL && !self->klass->grown (self->view))
    return;
  if (!may_ask (self))
    self->stale = TRUE;
  else if (kymo_asker_wants_more (self->asker))
    queue_grown (self);
}

static void
on_map (KymoViewAsker *self)
{
  if (!self->stale)
    return;
  if (is_live (self))
    queue (self, TRUE);
  else
    kymo_view_asker_ask (self);
}

static void
on_unmap (KymoViewAsker *self)
{
  if (may_ask (self) || (self->due_id == 0 && !kymo_asker_is_busy (self->asker)))
    return;
  kymo_view_asker_cancel (self);
  self->stale = TRUE;
}

/**
 * kymo_view_asker_queue:
 *
 * Asks after the pause, or when the view is mapped again: what the answer depends on has changed.
 */
void
kymo_view_asker_queue (KymoViewAsker *self)
{
  queue (self, is_live (self));
}

/**
 * kymo_view_asker_ask:
 *
 * Asks at once, or when the view is mapped again.
 */
void
kymo_view_asker_ask (KymoViewAsker *self)
{
  self->stale = !may_ask (self);
  if (self->stale)
    return;
  if (self->klass->queued != NULL)
    self->klass->queued (self->view);
  ask_now (self);
}

/**
 * kymo_view_asker_catch_up:
 *
 * Asks at once what waits for the view to be mapped, for a reader other than the eye.
 */
void
kymo_view_asker_catch_up (KymoViewAsker *self)
{
  if (self->stale)
    ask_now (self);
}

/**
 * kymo_view_asker_cancel:
 *
 * Ends the pause, and drops the question under way. A later change is asked about as ever.
 */
void
kymo_view_asker_cancel (KymoViewAsker *self)
{
  g_clear_handle_id (&self->due_id, g_source_remove);
  kymo_asker_cancel (self->asker);
}

/**
 * kymo_view_asker_is_settled:
 *
 * Returns: TRUE if the view shows the answer about what it shows now; FALSE during a pause, while
 *   a question is under way, and while something waits for the view to be mapped
 */
gboolean
kymo_view_asker_is_settled (KymoViewAsker *self)
{
  return self->due_id == 0 && !self->stale && !kymo_asker_is_busy (self->asker);
}

/**
 * kymo_view_asker_follow:
 * @object: the session, or another object
 * @signal: of @object, without arguments that matter
 *
 * Calls kymo_view_asker_queue() with each emission.
 */
void
kymo_view_asker_follow (KymoViewAsker *self, gpointer object, const char *signal)
{
  kymo_follow (object, signal, kymo_view_asker_queue, self);
}

static void
kymo_view_asker_dispose (GObject *object)
{
  KymoViewAsker *self = KYMO_VIEW_ASKER (object);

  g_clear_handle_id (&self->due_id, g_source_remove);
  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_view_asker_parent_class)->dispose (object);
}

static void
kymo_view_asker_class_init (KymoViewAskerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_view_asker_dispose;
}

static void
kymo_view_asker_init (KymoViewAsker *self)
{
  self->stale = TRUE;
}

/**
 * kymo_view_asker_new:
 * @klass: static
 * @view: a #GtkWidget, passed to the functions of @klass; owns the result
 * @session: whose source is asked, and whose growth is followed
 *
 * Returns: (transfer full): the asker, which asks for the first time when the view is mapped
 */
KymoViewAsker *
kymo_view_asker_new (const KymoViewQuestion *klass, gpointer view, KymoSession *session)
{
  KymoViewAsker *self = g_object_new (KYMO_TYPE_VIEW_ASKER, NULL);

  self->klass = klass;
  self->view = view;
  self->session = g_object_ref (session);
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_answer, self);
  kymo_asker_set_again (self->asker, queue_grown);
  kymo_asker_set_work (self->asker, klass->work);
  kymo_follow (session, "grown", on_grown, self);
  kymo_follow (view, "map", on_map, self);
  kymo_follow (view, "unmap", on_unmap, self);
  return self;
}
