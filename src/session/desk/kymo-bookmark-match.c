/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-bookmark-match.h"

#include "kymo-bookmarks.h"

/** Matching: names and notes of bookmarks, one after the other */
typedef struct
{
  GPtrArray *texts;                    /* char * or NULL */
  char      *text;
  gboolean   regex;
} Matching;

static void
matching_free (gpointer data)
{
  Matching *matching = data;

  g_ptr_array_unref (matching->texts);
  g_free (matching->text);
  g_free (matching);
}

/**
 * kymo_bookmark_matches:
 * @name: (nullable): %NULL matches nothing, as in @note
 * @note: (nullable): the words of the bookmark
 *
 * May be called from any thread. A text on which a regular expression takes too many steps
 * does not match; kymo_pattern_check() reports it afterwards.
 *
 * Returns: whether the name or the note matches
 */
gboolean
kymo_bookmark_matches (KymoPattern *pattern, const char *name, const char *note)
{
  return kymo_pattern_matches (pattern, name, NULL) || kymo_pattern_matches (pattern, note, NULL);
}

static void
match_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Matching *matching = data;
  guint n = matching->texts->len / 2;
  g_autofree gboolean *marks = g_new0 (gboolean, n + 1);
  GError *error = NULL;
  g_autoptr (KymoPattern) pattern = kymo_pattern_new (matching->text, matching->regex, &error);

  for (guint i = 0; pattern != NULL && i < n && !g_cancellable_is_cancelled (cancellable); i++)
    marks[i] = kymo_bookmark_matches (pattern, matching->texts->pdata[2 * i],
                                      matching->texts->pdata[2 * i + 1]);
  if (pattern == NULL || !kymo_pattern_check (pattern, TRUE, &error))
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&marks), g_free);
}

/**
 * kymo_bookmarks_match_start:
 * @text: what is looked for
 * @regex: whether @text is a regular expression
 * @cancellable: (nullable): ends the work early; the result is then no error, but may lack matches
 * @done: called on the main thread, also after cancelling
 *
 * Copies names and notes of all bookmarks, those of the run included, and matches them on a
 * worker thread. Later changes of bookmarks do not reach the result.
 */
void
kymo_bookmarks_match_start (KymoSession *session, const char *text, gboolean regex,
                            GCancellable *cancellable, GAsyncReadyCallback done, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, done, data);
  Matching *matching = g_new0 (Matching, 1);

  matching->texts = g_ptr_array_new_with_free_func (g_free);
  matching->text = g_strdup (text);
  matching->regex = regex;
  for (guint i = 0; i < kymo_session_count_bookmarks (session); i++)
    {
      const KymoBookmark *bookmark = kymo_session_peek_bookmark (session, i);

      g_ptr_array_add (matching->texts, g_strdup (bookmark->name));
      g_ptr_array_add (matching->texts, g_strdup (bookmark->note));
    }
  /* The caller that cancels a match sees from the cancellation that this is not the match it waits
     for. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, matching, matching_free);
  g_task_run_in_thread (task, match_thread);
}

/**
 * kymo_bookmarks_match_finish:
 * @n: (out): how many bookmarks there were at the start; 0 on failure
 *
 * Returns: (transfer full) (nullable): for each bookmark whether it matches, to be freed with
 *   g_free(); %NULL with %KYMO_ERROR_USAGE for an empty text, an expression that cannot be read,
 *   or one that takes too many steps
 */
gboolean *
kymo_bookmarks_match_finish (GAsyncResult *result, guint *n, GError **error)
{
  Matching *matching = g_task_get_task_data (G_TASK (result));
  gboolean *marks = g_task_propagate_pointer (G_TASK (result), error);

  *n = marks != NULL ? matching->texts->len / 2 : 0;
  return marks;
}
