/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-navigate.h"

typedef struct
{
  KymoSession      *session;
  char             *name;              /* or NULL: of the selected block */
  char             *direction;
  gint64            location, time_ns;
  KymoSpan          span;
  KymoNavigateDone  done;
  gpointer          data;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  g_object_unref (search->session);
  g_free (search->name);
  g_free (search->direction);
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
  kymo_question_set (question, "name", search->name);
  kymo_question_set (question, "direction", search->direction);
  if (search->location >= 0)
    {
      kymo_question_set_int (question, "location", search->location);
      kymo_question_set_int (question, "time", search->time_ns);
    }
  return kymo_source_ask (source, question, cancellable, error);
}

/* A worker's: two questions, the second needs the name from the first. */
static void
search_thread (GTask *task, gpointer source, gpointer data,
               GCancellable *cancellable)
{
  Search *search = data;
  GError *error = NULL;
  KymoTable *answer;

  if (search->name == NULL && search->location >= 0)
    {
      g_autoptr (KymoQuestion) question
        = details_question (search->location, search->time_ns);
      g_autoptr (KymoTable) details
        = kymo_source_ask (source, question, cancellable, NULL);

      if (details != NULL)
        search->name = g_strdup (kymo_table_get_string (details, "name", 0));
    }
  if (search->name == NULL)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  answer = find_block (source, search, cancellable, &error);
  if (answer == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, answer, (GDestroyNotify) kymo_table_unref);
}

/* Shows the block: the range moves only when the block is out of sight. */
static void
go_to (KymoSession *session, gint64 location, KymoSpan block)
{
  KymoSpan range = kymo_session_get_range (session);
  KymoSpan full = kymo_session_get_full_range (session);
  gint64 length = kymo_span_length (range);
  gint64 middle = block.begin_ns + kymo_span_length (block) / 2;

  if (block.begin_ns < range.begin_ns || block.end_ns > range.end_ns)
    {
      length = MIN (MAX (length, kymo_span_length (block) * 5 / 4),
                    kymo_span_length (full));
      range.begin_ns = CLAMP (middle - length / 2, full.begin_ns,
                              full.end_ns - length);
      range.end_ns = range.begin_ns + length;
      kymo_session_set_range (session, range, TRUE);
    }
  kymo_session_set_block (session, location, middle);
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
             block);
    }
  else if (error != NULL)
    message = g_strdup (error->message);
  else if (search->name == NULL)
    message = g_strdup (_("Select a block first, or search for a name"));
  else
    message = g_strdup_printf (_("No further block of %s"), search->name);
  if (search->done != NULL)
    search->done (message, search->data);
}

/**
 * kymo_navigate_find:
 * @name: (nullable): display name; %NULL = that of the selected block
 * @direction: next, previous or longest
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
  Search *search = g_new0 (Search, 1);
  g_autoptr (GTask) task = NULL;
  gboolean longest = g_strcmp0 (direction, "longest") == 0;

  search->session = g_object_ref (session);
  search->name = g_strdup (name);
  search->direction = g_strdup (direction);
  search->span = longest && !whole_run ? kymo_session_get_range (session)
                                       : KYMO_SPAN_ALL;
  search->done = done;
  search->data = data;
  if (!kymo_session_get_block (session, &search->location, &search->time_ns))
    {
      search->location = -1;
      search->time_ns = kymo_session_get_range (session).begin_ns;
    }
  task = g_task_new (kymo_session_peek_source (session), NULL, on_found, NULL);
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, search_thread);
}
