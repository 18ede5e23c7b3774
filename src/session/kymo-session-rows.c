/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of rows in a session.
 *
 * Invariants: `ids` are those of `order`, or of the order before while the
 * answer is on its way, so that rows move once. An order and by-class exclude
 * each other: the order "cluster" is by-class, with clusters that are asked for
 * where none are at hand.
 */
#include "config.h"

#include "kymo-session-rows.h"

#include "kymo-row-order.h"
#include "kymo-session-private.h"

struct _KymoSessionRows
{
  char         *order;             /* NULL = by number */
  GArray       *ids;               /* gint64, or NULL */
  gboolean      in_view;
  KymoSpan      span;              /* with in_view: that it is of */
  GCancellable *asking;            /* or NULL */
  char         *failure;
};

typedef struct
{
  KymoSession  *session;           /* weak */
  GCancellable *cancellable;
} Asked;

static KymoSessionRows *
rows_of (KymoSession *self)
{
  self = kymo_session_of_names (self);
  if (self->rows == NULL)
    self->rows = g_new0 (KymoSessionRows, 1);
  return self->rows;
}

static void
stop_asking (KymoSessionRows *rows)
{
  if (rows->asking != NULL)
    g_cancellable_cancel (rows->asking);
  g_clear_object (&rows->asking);
}

/** kymo_session_rows_free: with the session */
void
kymo_session_rows_free (KymoSessionRows *rows)
{
  stop_asking (rows);
  g_free (rows->order);
  g_clear_pointer (&rows->ids, g_array_unref);
  g_free (rows->failure);
  g_free (rows);
}

/** kymo_session_prepare_rows: gives a question the order */
void
kymo_session_prepare_rows (KymoSession *self, KymoQuestion *question)
{
  KymoSessionRows *rows = rows_of (self);

  if (rows->ids != NULL)
    kymo_question_set_order (question, rows->ids);
}

/** kymo_session_forget_row_order: rows are in the order of clusters now */
void
kymo_session_forget_row_order (KymoSession *self)
{
  KymoSessionRows *rows = rows_of (self);

  stop_asking (rows);
  g_clear_pointer (&rows->ids, g_array_unref);
  g_clear_pointer (&rows->failure, g_free);
  if (rows->order == NULL)
    return;
  g_clear_pointer (&rows->order, g_free);
  kymo_session_emit (kymo_session_of_names (self), ROWS_CHANGED);
}

/* -- asking --------------------------------------------------------------- */

static void
take_answer (KymoSession *self, KymoTable *answer, const GError *error)
{
  KymoSessionRows *rows = rows_of (self);
  gboolean clusters = answer != NULL && kymo_table_peek_nested (answer, "clusters", NULL) != NULL;

  g_clear_object (&rows->asking);
  if (answer == NULL)
    {
      rows->failure = g_strdup (error->message);
      g_clear_pointer (&rows->order, g_free);
      g_clear_pointer (&rows->ids, g_array_unref);
    }
  else if (clusters)
    {
      kymo_session_set_classes (self, answer);
      kymo_session_set_by_class (self, TRUE);
      return;
    }
  else
    {
      g_clear_pointer (&rows->ids, g_array_unref);
      rows->ids = kymo_row_order_of (answer);
    }
  kymo_session_emit (self, ROWS_CHANGED);
  kymo_session_emit (self, FILTER_CHANGED);
}

static void
on_answer (GObject *object, GAsyncResult *result, gpointer data)
{
  Asked *asked = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = kymo_source_ask_finish (KYMO_SOURCE (object), result, &error);

  /* A newer wish, or the end of the session, has cancelled it. */
  if (!g_cancellable_is_cancelled (asked->cancellable))
    take_answer (asked->session, answer, error);
  g_object_unref (asked->cancellable);
  g_free (asked);
}

static void
ask (KymoSession *self, const KymoRowOrder *order)
{
  KymoSessionRows *rows = rows_of (self);
  gboolean clusters = order->by == KYMO_ROWS_BY_CLUSTER;
  g_autoptr (KymoQuestion) question = kymo_question_new (clusters ? "clusters" : "row-order");
  Asked *asked = g_new (Asked, 1);

  rows->asking = g_cancellable_new ();
  *asked = (Asked) { self, g_object_ref (rows->asking) };
  if (!clusters)
    {
      kymo_question_set (question, "by", rows->order);
      if (rows->in_view)
        kymo_question_set_span (question, rows->span);
    }
  kymo_source_ask_async (self->source, question, rows->asking, on_answer, asked);
}

/* -- wishes --------------------------------------------------------------- */

static void
drop_order (KymoSession *self)
{
  KymoSessionRows *rows = rows_of (self);
  gboolean had = rows->ids != NULL;

  g_clear_pointer (&rows->order, g_free);
  g_clear_pointer (&rows->ids, g_array_unref);
  kymo_session_emit (self, ROWS_CHANGED);
  if (had)
    kymo_session_emit (self, FILTER_CHANGED);
}

/**
 * kymo_session_set_row_order:
 * @order: (nullable): as "-busy"; %NULL = by number
 * @in_view: by what is in sight now, else of the whole run
 *
 * The rows are sorted when the answer has come. With the order that they have it
 * sorts anew.
 */
void
kymo_session_set_row_order (KymoSession *self, const char *order, gboolean in_view)
{
  KymoSpan range = kymo_session_get_range (self);
  KymoRowOrder parsed = { KYMO_ROWS_BY_NUMBER };
  KymoSessionRows *rows = rows_of (self);

  self = kymo_session_of_names (self);
  stop_asking (rows);
  g_clear_pointer (&rows->failure, g_free);
  if (order != NULL && !kymo_row_order_parse (order, &parsed, NULL))
    return;
  if (parsed.by == KYMO_ROWS_BY_CLUSTER && self->classes != NULL)
    {
      kymo_session_set_by_class (self, TRUE);
      return;
    }
  kymo_session_set_by_class (self, FALSE);
  if (parsed.by == KYMO_ROWS_BY_NUMBER && !parsed.descends)
    {
      drop_order (self);
      return;
    }
  g_free (rows->order);
  rows->order = g_strdup (order);
  rows->in_view = in_view;
  rows->span = range;
  ask (self, &parsed);
  kymo_session_emit (self, ROWS_CHANGED);
}

/** kymo_session_peek_row_order: */
const char *
kymo_session_peek_row_order (KymoSession *self)
{
  return kymo_session_get_by_class (self) ? "cluster" : rows_of (self)->order;
}

/** kymo_session_get_row_order_span: */
gboolean
kymo_session_get_row_order_span (KymoSession *self, KymoSpan *span)
{
  KymoSessionRows *rows = rows_of (self);

  if (rows->order == NULL || !rows->in_view)
    return FALSE;
  *span = rows->span;
  return TRUE;
}

/** kymo_session_is_sorting: */
gboolean
kymo_session_is_sorting (KymoSession *self)
{
  return rows_of (self)->asking != NULL;
}

/** kymo_session_peek_rows_failure: */
const char *
kymo_session_peek_rows_failure (KymoSession *self)
{
  return rows_of (self)->failure;
}
