/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-navigate.h"

typedef struct
{
  KymoSession      *session;
  char             *name;              /* or NULL: of the selected block */
  char             *direction;
  char             *row;               /* ids of the row's locations, or NULL */
  gboolean          any;               /* any block of the location or row */
  gint64            location, time_ns; /* of the selected block */
  gint64            from_ns;           /* blocks are ordered by begin */
  gboolean          known;             /* from_ns is its begin */
  KymoSpan          span;
  KymoNavigateDone  done;
  gpointer          data;
} Search;

/* Which block was selected here last: a time tells no blocks apart that lie
   in each other or last no time. */
typedef struct
{
  gint64 location, time_ns, begin_ns;
} Place;

static const char place_key[] = "kymo-navigate-place";

static void
search_free (gpointer data)
{
  Search *search = data;

  g_object_unref (search->session);
  g_free (search->name);
  g_free (search->direction);
  g_free (search->row);
  g_free (search);
}

static KymoQuestion *
details_question (gint64 location, gint64 time_ns)
{
  KymoQuestion *question = kymo_question_new ("details");

  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  return question;
}

/* -- zooming to a block --------------------------------------------------- */

static void
on_details (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoSession) session = data;
  g_autoptr (KymoTable) answer = NULL;
  KymoSpan span;
  gint64 margin;

  answer = kymo_source_ask_finish (KYMO_SOURCE (source), result, NULL);
  if (answer == NULL || kymo_table_find_column (answer, "begin_ns") < 0
      || kymo_table_find_column (answer, "end_ns") < 0)
    return;
  span.begin_ns = kymo_table_get_int (answer, "begin_ns", 0);
  span.end_ns = kymo_table_get_int (answer, "end_ns", 0);
  margin = kymo_span_length (span) / 10 + 500;
  span.begin_ns -= margin;
  span.end_ns += margin;
  kymo_session_set_range (session, span, TRUE);
}

/* Deeper at one go one would not know any more where one is. */
#define DEEPEST_AT_ONCE 8

/**
 * kymo_navigate_zoom_to_span:
 * @span: may be a moment
 *
 * Brings it into the middle of the range, which shrinks to it but no more than to the
 * eighth part.
 */
void
kymo_navigate_zoom_to_span (KymoSession *session, KymoSpan span)
{
  gint64 middle_ns = span.begin_ns + kymo_span_length (span) / 2;
  gint64 length_ns = kymo_span_length (kymo_session_get_range (session));

  length_ns = MAX (length_ns / DEEPEST_AT_ONCE,
                   MIN (length_ns, kymo_span_length (span) / 5 * 6));
  span.begin_ns = middle_ns - length_ns / 2;
  span.end_ns = span.begin_ns + length_ns;
  kymo_session_set_range (session, span, TRUE);
}

/**
 * kymo_navigate_zoom_to_block:
 * @location: where
 * @time_ns: a time inside the block
 *
 * Makes the block fill the range, with a margin.
 */
void
kymo_navigate_zoom_to_block (KymoSession *session, gint64 location,
                             gint64 time_ns)
{
  g_autoptr (KymoQuestion) question = details_question (location, time_ns);

  kymo_source_ask_async (kymo_session_peek_source (session), question, NULL,
                         on_details, g_object_ref (session));
}

/* -- finding -------------------------------------------------------------- */

static KymoTable *
find_block (KymoSource *source, Search *search, GCancellable *cancellable,
            GError **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("find");

  kymo_question_set_span (question, search->span);
  if (!search->any)
    kymo_question_set (question, "name", search->name);
  kymo_question_set (question, "direction", search->direction);
  if (search->row != NULL)
    kymo_question_set (question, "row", search->row);
  if (search->location >= 0)
    kymo_question_set_int (question, "location", search->location);
  if (search->location >= 0 || search->row != NULL)
    kymo_question_set_int (question, "time", search->from_ns);
  return kymo_source_ask (source, question, cancellable, error);
}

static KymoTable *
ask_details (KymoSource *source, gint64 location, gint64 time_ns,
             GCancellable *cancellable)
{
  g_autoptr (KymoQuestion) question = details_question (location, time_ns);

  return kymo_source_ask (source, question, cancellable, NULL);
}

/* The name and the begin of the selected block, as far as they are needed. */
static void
learn_selected (KymoSource *source, Search *search, GCancellable *cancellable)
{
  g_autoptr (KymoTable) details = NULL;

  if (search->location < 0
      || (search->known && (search->any || search->name != NULL)))
    return;
  details = ask_details (source, search->location, search->time_ns,
                         cancellable);
  if (details == NULL)
    return;
  if (search->name == NULL && !search->any)
    search->name = g_strdup (kymo_table_get_string (details, "name", 0));
  if (!search->known && kymo_table_find_column (details, "begin_ns") >= 0)
    search->from_ns = kymo_table_get_int (details, "begin_ns", 0);
}

/* A time at which the block found is the innermost one: its middle, unless
   another is nested there. */
static gint64
time_inside (KymoSource *source, KymoTable *found, GCancellable *cancellable)
{
  gint64 begin_ns = kymo_table_get_int (found, "begin_ns", 0);
  gint64 end_ns = kymo_table_get_int (found, "end_ns", 0);
  gint64 middle = begin_ns + (end_ns - begin_ns) / 2;
  g_autoptr (KymoTable) details
    = ask_details (source, kymo_table_get_int (found, "location", 0), middle,
                   cancellable);

  if (details != NULL && kymo_table_find_column (details, "begin_ns") >= 0
      && kymo_table_get_int (details, "begin_ns", 0) != begin_ns)
    return begin_ns;
  return middle;
}

/* A worker's: what is selected, what comes after, and where to point at. */
static void
search_thread (GTask *task, gpointer source, gpointer data,
               GCancellable *cancellable)
{
  Search *search = data;
  GError *error = NULL;
  KymoTable *answer;

  learn_selected (source, search, cancellable);
  if (search->name == NULL && !search->any)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  answer = find_block (source, search, cancellable, &error);
  if (answer == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (kymo_table_get_bool (answer, "found", 0))
    search->time_ns = time_inside (source, answer, cancellable);
  g_task_return_pointer (task, answer, (GDestroyNotify) kymo_table_unref);
}

static void
remember_place (KymoSession *session, gint64 location, gint64 time_ns,
                gint64 begin_ns)
{
  Place *place = g_new (Place, 1);

  *place = (Place) { location, time_ns, begin_ns };
  g_object_set_data_full (G_OBJECT (session), place_key, place, g_free);
}

/* Shows the block: the range moves only when the block is out of sight. */
static void
go_to (KymoSession *session, gint64 location, gint64 time_ns, KymoSpan block)
{
  KymoSpan range = kymo_session_get_range (session);
  KymoSpan full = kymo_session_get_full_range (session);
  gint64 length = kymo_span_length (range);
  gint64 middle = kymo_span_middle (block);

  if (block.begin_ns < range.begin_ns || block.end_ns > range.end_ns)
    {
      length = MIN (MAX (length, kymo_span_length (block) * 5 / 4),
                    kymo_span_length (full));
      range.begin_ns = CLAMP (middle - length / 2, full.begin_ns,
                              full.end_ns - length);
      range.end_ns = range.begin_ns + length;
      kymo_session_set_range (session, range, TRUE);
    }
  remember_place (session, location, time_ns, block.begin_ns);
  kymo_session_set_block (session, location, time_ns);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer data)
{
  Search *search = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = g_task_propagate_pointer (G_TASK (result),
                                                           &error);
  g_autofree char *message = NULL;

  if (answer != NULL && kymo_table_get_bool (answer, "found", 0))
    {
      KymoSpan block = { kymo_table_get_int (answer, "begin_ns", 0),
                         kymo_table_get_int (answer, "end_ns", 0) };

      go_to (search->session, kymo_table_get_int (answer, "location", 0),
             search->time_ns, block);
    }
  else if (error != NULL)
    message = g_strdup (error->message);
  else if (search->any)
    message = g_strdup (_("No further block in this row"));
  else if (search->name == NULL)
    message = g_strdup (_("Select a block first, or search for a name"));
  else
    message = g_strdup_printf (_("No further block of %s"), search->name);
  if (search->done != NULL)
    search->done (message, search->data);
}

static Search *
search_new (KymoSession *session, const char *direction, KymoNavigateDone done,
            gpointer data)
{
  Search *search = g_new0 (Search, 1);
  const Place *place = g_object_get_data (G_OBJECT (session), place_key);

  search->session = g_object_ref (session);
  search->direction = g_strdup (direction);
  search->span = KYMO_SPAN_ALL;
  search->done = done;
  search->data = data;
  if (!kymo_session_get_block (session, &search->location, &search->time_ns))
    {
      search->location = -1;
      search->time_ns = kymo_session_get_range (session).begin_ns;
    }
  search->from_ns = search->time_ns;
  if (place != NULL && place->location == search->location
      && place->time_ns == search->time_ns)
    {
      search->from_ns = place->begin_ns;
      search->known = TRUE;
    }
  return search;
}

static void
search_start (Search *search)
{
  KymoSource *source = kymo_session_peek_source (search->session);
  g_autoptr (GTask) task = g_task_new (source, NULL, on_found, NULL);

  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, search_thread);
}

/**
 * kymo_navigate_find:
 * @name: (nullable): display name; %NULL = that of the selected block
 * @direction: next, previous, longest or shortest
 * @whole_run: look in the whole run, not in what is visible (next and
 *   previous always do)
 * @done: (nullable): called with a sentence, or %NULL when one was found
 * @data: for @done; must outlive the search
 */
void
kymo_navigate_find (KymoSession *session, const char *name,
                    const char *direction, gboolean whole_run,
                    KymoNavigateDone done, gpointer data)
{
  Search *search = search_new (session, direction, done, data);

  search->name = g_strdup (name);
  if ((g_strcmp0 (direction, "longest") == 0
       || g_strcmp0 (direction, "shortest") == 0) && !whole_run)
    search->span = kymo_session_get_range (session);
  search_start (search);
}

/**
 * kymo_navigate_step:
 * @location: where to begin when no block is selected: there it is the first
 *   block that begins in sight
 * @row: (nullable): the locations of a row of several; those that it steps among
 * @direction: next or previous
 * @done: (nullable): called with a sentence, or %NULL when one was found
 * @data: for @done; must outlive the search
 *
 * Selects the block beside the selected one, of whatever entry method.
 */
void
kymo_navigate_step (KymoSession *session, gint64 location, KymoIdSet *row,
                    const char *direction, KymoNavigateDone done,
                    gpointer data)
{
  Search *search = search_new (session, direction, done, data);

  search->any = TRUE;
  search->row = row != NULL ? kymo_id_set_to_text (row) : NULL;
  if (search->location < 0)
    {
      g_free (search->direction);
      search->direction = g_strdup ("next");
      /* Of a row of several none comes before the others. */
      search->location = row != NULL ? -1 : location;
      search->from_ns = search->time_ns - (row != NULL ? 0 : 1);
      search->known = TRUE;
    }
  search_start (search);
}

/* -- a block that is known ------------------------------------------------ */

typedef struct
{
  KymoSession *session;
  gint64       location;
  KymoSpan     block;
} Shown;

/* Another block is nested where the middle is: then its begin is selected. */
static void
on_middle (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree Shown *shown = data;
  g_autoptr (KymoSession) session = shown->session;
  g_autoptr (KymoTable) answer = kymo_source_ask_finish (KYMO_SOURCE (source),
                                                         result, NULL);
  gint64 location, time_ns;

  if (answer != NULL && kymo_table_find_column (answer, "begin_ns") >= 0
      && kymo_table_get_int (answer, "begin_ns", 0) != shown->block.begin_ns
      && kymo_session_get_block (session, &location, &time_ns)
      && location == shown->location
      && time_ns == kymo_span_middle (shown->block))
    go_to (session, location, shown->block.begin_ns, shown->block);
}

/**
 * kymo_navigate_show:
 * @block: its begin and end
 *
 * Selects a block and makes it visible.
 */
void
kymo_navigate_show (KymoSession *session, gint64 location, KymoSpan block)
{
  Shown *shown = g_new (Shown, 1);
  g_autoptr (KymoQuestion) question
    = details_question (location, kymo_span_middle (block));

  *shown = (Shown) { g_object_ref (session), location, block };
  go_to (session, location, kymo_span_middle (block), block);
  kymo_source_ask_async (kymo_session_peek_source (session), question, NULL,
                         on_middle, shown);
}

/* -- markers at a block --------------------------------------------------- */

static void
on_block_to_mark (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoSession) session = data;
  g_autoptr (KymoTable) answer = kymo_source_ask_finish (KYMO_SOURCE (source),
                                                         result, NULL);

  if (answer == NULL || kymo_table_find_column (answer, "begin_ns") < 0)
    return;
  kymo_session_clear_markers (session);
  kymo_session_put_marker (session, kymo_table_get_int (answer, "begin_ns", 0));
  kymo_session_put_marker (session, kymo_table_get_int (answer, "end_ns", 0));
}

/**
 * kymo_navigate_remember:
 * @before: the range before a drag or a pinch changed it, step by step
 *
 * Makes that the range to come back to, once for all steps. A range that follows a job is no
 * place to come back to.
 */
void
kymo_navigate_remember (KymoSession *session, KymoSpan before)
{
  KymoSpan after = kymo_session_get_range (session);

  if (kymo_session_get_follow (session) > 0
      || (before.begin_ns == after.begin_ns && before.end_ns == after.end_ns))
    return;
  kymo_session_set_range (session, before, FALSE);
  kymo_session_set_range (session, after, TRUE);
}

/** kymo_navigate_mark_block: marker A is set to its begin, B to its end */
void
kymo_navigate_mark_block (KymoSession *session, gint64 location,
                          gint64 time_ns)
{
  g_autoptr (KymoQuestion) question = details_question (location, time_ns);

  kymo_source_ask_async (kymo_session_peek_source (session), question, NULL,
                         on_block_to_mark, g_object_ref (session));
}

/* -- outliers ------------------------------------------------------------- */

typedef struct
{
  KymoSession      *session;
  KymoNavigateDone  done;
  gpointer          data;
} Far;

/* Which of the outliers is selected, or -1. */
static int
find_selected (KymoSession *session, KymoTable *list)
{
  gint64 location, time_ns;

  if (!kymo_session_get_block (session, &location, &time_ns))
    return -1;
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (kymo_table_get_int (list, "location", i) == location
        && kymo_table_get_int (list, "begin_ns", i) <= time_ns
        && kymo_table_get_int (list, "end_ns", i) >= time_ns)
      return i;
  return -1;
}

static void
on_outliers (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree Far *far = data;
  g_autoptr (KymoSession) session = far->session;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = kymo_source_ask_finish (KYMO_SOURCE (source),
                                                         result, &error);
  KymoTable *list = answer != NULL
                    ? kymo_table_peek_nested (answer, "outliers", NULL) : NULL;
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0;
  guint next = n > 0 ? (find_selected (session, list) + 1) % n : 0;

  if (n > 0)
    {
      KymoSpan block = { kymo_table_get_int (list, "begin_ns", next),
                         kymo_table_get_int (list, "end_ns", next) };

      kymo_navigate_show (session, kymo_table_get_int (list, "location", next),
                          block);
    }
  if (far->done != NULL)
    far->done (n > 0 ? NULL : error != NULL ? error->message
               : _("No block in view is more than 4 times as long as the "
                   "median of its name"), far->data);
}

/**
 * kymo_navigate_outlier:
 * @done: (nullable): called with a sentence, or %NULL when one was found
 * @data: for @done; must outlive the search
 *
 * Selects the block in view that is longest beyond the median of its name;
 * where that is selected, the one after it.
 */
void
kymo_navigate_outlier (KymoSession *session, KymoNavigateDone done,
                       gpointer data)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("outliers");
  Far *far = g_new (Far, 1);

  *far = (Far) { g_object_ref (session), done, data };
  kymo_session_prepare (session, question);
  kymo_question_set_span (question, kymo_session_get_range (session));
  kymo_source_ask_async (kymo_session_peek_source (session), question, NULL,
                         on_outliers, far);
}
