/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of rows in a session, and the groups they stand in.
 *
 * Invariants: `ids` are those of `order`, or of the order before while the
 * answer is on its way, so that rows move once. An order and by-class exclude
 * each other: the order "cluster" is by-class, with clusters that are asked for
 * where none are at hand.
 */
#include "config.h"

#include "kymo-session-rows.h"

#include <glib/gi18n-lib.h>

#include "kymo-row-order.h"
#include "kymo-session-colors.h"
#include "kymo-session-private.h"

struct _KymoSessionRows
{
  char         *order;             /* NULL = by number */
  GArray       *ids;               /* gint64, or NULL */
  gboolean      in_view;
  KymoSpan      span;              /* with in_view: that it is of */
  GCancellable *asking;            /* or NULL */
  char         *failure;
  gint64        least_ns;
  char         *line;              /* or NULL */
  char         *metrics;           /* likewise */
  gboolean      grouped;           /* wished for */
  KymoRowGroups *groups;           /* or NULL */
  char         *fold;              /* how, when they are known; or NULL */
  GCancellable *asking_groups;     /* or NULL */
  gulong        grown_id;
};

typedef struct
{
  KymoSession  *session;           /* weak */
  GCancellable *cancellable;
  void        (*take) (KymoSession *self, KymoTable *answer, const GError *error);
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

static void
stop_groups (KymoSessionRows *rows)
{
  if (rows->asking_groups != NULL)
    g_cancellable_cancel (rows->asking_groups);
  g_clear_object (&rows->asking_groups);
}

/**
 * kymo_session_rows_free:
 *
 * Frees the arrangement of rows and gives up questions under way.
 */
void
kymo_session_rows_free (KymoSessionRows *rows)
{
  stop_asking (rows);
  stop_groups (rows);
  g_clear_pointer (&rows->groups, kymo_row_groups_unref);
  g_free (rows->fold);
  g_free (rows->line);
  g_free (rows->metrics);
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
      g_free (rows->failure);
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
    asked->take (asked->session, answer, error);
  g_object_unref (asked->cancellable);
  g_free (asked);
}

static void
ask_session_rows (KymoSession *self, const KymoRowOrder *order)
{
  KymoSessionRows *rows = rows_of (self);
  gboolean clusters = order->by == KYMO_ROWS_BY_CLUSTER;
  g_autoptr (KymoQuestion) question = kymo_question_new (clusters ? "clusters" : "row-order");
  Asked *asked = g_new (Asked, 1);

  rows->asking = g_cancellable_new ();
  *asked = (Asked) { self, g_object_ref (rows->asking), take_answer };
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
 * kymo_session_sort_rows:
 * @order: as "-busy"
 * @span: (nullable): by what is in it; %NULL = of the whole run
 *
 * The rows are sorted when the answer has come. With the order that they have it
 * sorts anew; what is no order changes nothing.
 */
void
kymo_session_sort_rows (KymoSession *self, const char *order, const KymoSpan *span)
{
  KymoRowOrder parsed = { KYMO_ROWS_BY_NUMBER };
  KymoSessionRows *rows = rows_of (self);
  g_autofree char *own = g_strdup (order);      /* it may be that of the rows */

  self = kymo_session_of_names (self);
  if (own != NULL && !kymo_row_order_parse (own, &parsed, NULL))
    return;
  stop_asking (rows);
  g_clear_pointer (&rows->failure, g_free);
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
  rows->order = g_steal_pointer (&own);
  rows->in_view = span != NULL;
  if (span != NULL)
    rows->span = *span;
  ask_session_rows (self, &parsed);
  kymo_session_emit (self, ROWS_CHANGED);
}

/**
 * kymo_session_set_row_order:
 * @order: (nullable): %NULL = by number
 * @in_view: by what is in sight now, else of the whole run
 */
void
kymo_session_set_row_order (KymoSession *self, const char *order, gboolean in_view)
{
  KymoSpan range = kymo_session_get_range (self);

  kymo_session_sort_rows (self, order, in_view ? &range : NULL);
}

/**
 * kymo_session_peek_row_order:
 *
 * Returns: (transfer none) (nullable): the order, also while the source is asked for it; "cluster"
 *   for rows in the order of clusters, %NULL for rows by number
 */
const char *
kymo_session_peek_row_order (KymoSession *self)
{
  return kymo_session_get_by_class (self) ? "cluster" : rows_of (self)->order;
}

/**
 * kymo_session_get_row_order_span:
 * @span: (out): the range in ns that rows are sorted by; left alone where there is none
 *
 * Returns: %FALSE where rows are sorted by the whole run, by cluster or by number
 */
gboolean
kymo_session_get_row_order_span (KymoSession *self, KymoSpan *span)
{
  KymoSessionRows *rows = rows_of (self);

  if (rows->order == NULL || !rows->in_view)
    return FALSE;
  *span = rows->span;
  return TRUE;
}

/**
 * kymo_session_is_sorting:
 *
 * Returns: whether an order of rows is asked for and its answer has not come yet
 */
gboolean
kymo_session_is_sorting (KymoSession *self)
{
  return rows_of (self)->asking != NULL;
}

/**
 * kymo_session_peek_rows_failure:
 *
 * Returns: (transfer none) (nullable): a sentence why rows could not be sorted or grouped, valid
 *   until rows are sorted or grouped anew; %NULL where that did not fail
 */
const char *
kymo_session_peek_rows_failure (KymoSession *self)
{
  return rows_of (self)->failure;
}

/* -- groups --------------------------------------------------------------- */

/** kymo_session_prepare_groups: gives a question the groups, what is too short, and what
    colours stand for */
void
kymo_session_prepare_groups (KymoSession *self, KymoQuestion *question)
{
  gint64 least_ns = rows_of (self)->least_ns;

  if (kymo_session_peek_groups (self) != NULL)
    kymo_question_set_groups (question, kymo_session_peek_groups (self));
  if (least_ns > 0 && g_str_equal (kymo_question_get_kind (question), "timeline"))
    kymo_question_set_int (question, "least-ns", least_ns);
  if (kymo_session_tells_communicators (self)
      && g_str_equal (kymo_question_get_kind (question), "timeline"))
    kymo_question_set_int (question, "communicators", 1);
  if (rows_of (self)->line != NULL && g_str_equal (kymo_question_get_kind (question), "timeline"))
    kymo_question_set (question, "line", rows_of (self)->line);
  if (rows_of (self)->metrics != NULL
      && g_str_equal (kymo_question_get_kind (question), "timeline"))
    kymo_question_set (question, "metrics", rows_of (self)->metrics);
}

/**
 * kymo_session_peek_line:
 *
 * Returns: (transfer none) (nullable): the name of the counter whose line is drawn under the rows;
 *   %NULL = none
 */
const char *
kymo_session_peek_line (KymoSession *self)
{
  return rows_of (self)->line;
}

/**
 * kymo_session_set_line:
 * @name: (nullable): of a counter, not checked; %NULL draws none
 *
 * The first of the sessions beside each other emits "rows-changed" and "filter-changed" where it
 * is another name.
 */
void
kymo_session_set_line (KymoSession *self, const char *name)
{
  KymoSessionRows *rows = rows_of (self);

  if (g_strcmp0 (name, rows->line) == 0)
    return;
  g_free (rows->line);
  rows->line = g_strdup (name);
  self = kymo_session_of_names (self);
  kymo_session_emit (self, ROWS_CHANGED);
  kymo_session_emit (self, FILTER_CHANGED);
}

/**
 * kymo_session_peek_metrics:
 *
 * Returns: (transfer none) (nullable): names of the system metrics that are drawn under the rows,
 *   see kymo_is_listed(); %NULL = none
 */
const char *
kymo_session_peek_metrics (KymoSession *self)
{
  return rows_of (self)->metrics;
}

/**
 * kymo_session_set_metrics:
 * @names: (nullable): of system metrics, see kymo_is_listed(), not checked; %NULL draws none
 *
 * The first of the sessions beside each other emits "rows-changed" and "filter-changed" where
 * these are others.
 */
void
kymo_session_set_metrics (KymoSession *self, const char *names)
{
  KymoSessionRows *rows = rows_of (self);

  if (g_strcmp0 (names, rows->metrics) == 0)
    return;
  g_free (rows->metrics);
  rows->metrics = g_strdup (names);
  self = kymo_session_of_names (self);
  kymo_session_emit (self, ROWS_CHANGED);
  kymo_session_emit (self, FILTER_CHANGED);
}

/**
 * kymo_session_get_least_ns:
 *
 * Returns: the length in ns below which timelines hide blocks; 0 = all are shown
 */
gint64
kymo_session_get_least_ns (KymoSession *self)
{
  return rows_of (self)->least_ns;
}

/**
 * kymo_session_set_least_ns:
 * @least_ns: shorter blocks are hidden in timelines; 0 or less = none
 *
 * The first of the sessions beside each other emits "rows-changed" and "filter-changed" where it
 * is another length; then the failure that kymo_session_peek_rows_failure() tells is forgotten.
 */
void
kymo_session_set_least_ns (KymoSession *self, gint64 least_ns)
{
  KymoSessionRows *rows = rows_of (self);

  least_ns = MAX (least_ns, 0);
  if (least_ns == rows->least_ns)
    return;
  rows->least_ns = least_ns;
  g_clear_pointer (&rows->failure, g_free);
  self = kymo_session_of_names (self);
  kymo_session_emit (self, ROWS_CHANGED);
  kymo_session_emit (self, FILTER_CHANGED);
}

/* Of a run that grew groups of the same names are folded as before. A caller that wishes for none
   any more is not told that there are none. */
static void
take_groups (KymoSession *self, KymoTable *answer, const GError *error)
{
  KymoSessionRows *rows = rows_of (self);
  g_autoptr (KymoRowGroups) found = answer != NULL ? kymo_row_groups_new (answer) : NULL;
  KymoRowGroups *folded = NULL;

  g_clear_object (&rows->asking_groups);
  if (rows->grouped)
    g_clear_pointer (&rows->failure, g_free);
  if (found != NULL && rows->fold != NULL)
    folded = kymo_row_groups_fold_text (found, rows->fold, NULL);
  else if (found != NULL && rows->groups != NULL)
    folded = kymo_row_groups_fold_as (found, rows->groups);
  g_clear_pointer (&rows->fold, g_free);
  g_clear_pointer (&rows->groups, kymo_row_groups_unref);
  rows->groups = folded != NULL || found == NULL ? folded : g_steal_pointer (&found);
  if (rows->groups == NULL && rows->grouped)
    {
      rows->grouped = FALSE;
      g_free (rows->failure);
      rows->failure = g_strdup (error != NULL ? error->message
                                : _("This run does not tell which rows are on one node or in "
                                    "one process"));
    }
  kymo_session_emit (self, ROWS_CHANGED);
  kymo_session_emit (self, FILTER_CHANGED);
}

static void
ask_groups (KymoSession *self)
{
  KymoSessionRows *rows = rows_of (self);
  g_autoptr (KymoQuestion) question = kymo_question_new ("row-groups");
  Asked *asked = g_new (Asked, 1);

  stop_groups (rows);
  rows->asking_groups = g_cancellable_new ();
  *asked = (Asked) { self, g_object_ref (rows->asking_groups), take_groups };
  kymo_source_ask_async (self->source, question, rows->asking_groups, on_answer, asked);
}

static void
on_grown (KymoSession *self)
{
  if (rows_of (self)->grouped)
    ask_groups (self);
}

/**
 * kymo_session_get_grouped:
 *
 * Returns: whether rows by node and process are wished for; the groups may not be known yet
 */
gboolean
kymo_session_get_grouped (KymoSession *self)
{
  return rows_of (self)->grouped;
}

/** kymo_session_set_grouped: @grouped: rows by node and process */
void
kymo_session_set_grouped (KymoSession *self, gboolean grouped)
{
  KymoSessionRows *rows = rows_of (self);

  self = kymo_session_of_names (self);
  if (grouped == rows->grouped)
    return;
  rows->grouped = grouped;
  if (rows->grown_id == 0)
    rows->grown_id = g_signal_connect (self, "grown", G_CALLBACK (on_grown), NULL);
  if (grouped && rows->groups == NULL)
    ask_groups (self);
  else
    kymo_session_emit (self, FILTER_CHANGED);
  kymo_session_emit (self, ROWS_CHANGED);
}

/**
 * kymo_session_peek_groups:
 *
 * Returns: (transfer none) (nullable): the groups and which of them are folded, valid until
 *   "rows-changed"; %NULL while they are not known, and where rows are not grouped
 */
KymoRowGroups *
kymo_session_peek_groups (KymoSession *self)
{
  KymoSessionRows *rows = rows_of (self);

  return rows->grouped ? rows->groups : NULL;
}

static void
set_groups (KymoSession *self, KymoRowGroups *groups)
{
  KymoSessionRows *rows = rows_of (self);

  g_clear_pointer (&rows->groups, kymo_row_groups_unref);
  rows->groups = groups;
  self = kymo_session_of_names (self);
  kymo_session_emit (self, ROWS_CHANGED);
  kymo_session_emit (self, FILTER_CHANGED);
}

/**
 * kymo_session_fold_group:
 * @group: index of a group
 * @folded: whether it is one row
 *
 * Does nothing if rows are not grouped.
 */
void
kymo_session_fold_group (KymoSession *self, guint group, gboolean folded)
{
  KymoRowGroups *groups = kymo_session_peek_groups (self);

  if (groups != NULL && group < kymo_row_groups_get_n (groups)
      && kymo_row_groups_peek (groups, group)->folded != folded)
    set_groups (self, kymo_row_groups_fold (groups, group, folded));
}

/**
 * kymo_session_fold_from:
 * @depth: from this depth on all groups are folded, above it none: 0 = all, G_MAXUINT = none
 *
 * Does nothing if rows are not grouped.
 */
void
kymo_session_fold_from (KymoSession *self, guint depth)
{
  KymoRowGroups *groups = kymo_session_peek_groups (self);

  if (groups != NULL)
    set_groups (self, kymo_row_groups_fold_from (groups, depth));
}

/**
 * kymo_session_fold_text:
 * @text: (nullable): as --fold says it ("none", "process", "0,3"); %NULL = not grouped
 *
 * Groups rows, and folds them now or when the groups are known. Groups that do not exist stay
 * unfolded.
 */
void
kymo_session_fold_text (KymoSession *self, const char *text)
{
  KymoSessionRows *rows = rows_of (self);
  KymoRowGroups *folded = NULL;

  if (text != NULL && rows->groups != NULL)
    folded = kymo_row_groups_fold_text (rows->groups, text, NULL);
  else if (text != NULL)
    {
      g_free (rows->fold);
      rows->fold = g_strdup (text);
    }
  kymo_session_set_grouped (self, text != NULL);
  if (folded != NULL)
    set_groups (self, folded);
}

/**
 * kymo_session_dup_fold_text:
 *
 * Returns: (transfer full) (nullable): which groups are folded, or are to be once they are known,
 *   as kymo_session_fold_text() takes it; %NULL where rows are not grouped or nothing is said yet
 */
char *
kymo_session_dup_fold_text (KymoSession *self)
{
  KymoSessionRows *rows = rows_of (self);

  if (!rows->grouped)
    return NULL;
  return rows->groups != NULL ? kymo_row_groups_to_text (rows->groups) : g_strdup (rows->fold);
}
