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

/** kymo_bookmark_matches: */
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

/** kymo_bookmarks_match_start: */
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
  /* Who has cancelled tells by that which end is not the one she waits for. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, matching, matching_free);
  g_task_run_in_thread (task, match_thread);
}

/** kymo_bookmarks_match_finish: */
gboolean *
kymo_bookmarks_match_finish (GAsyncResult *result, guint *n, GError **error)
{
  Matching *matching = g_task_get_task_data (G_TASK (result));
  gboolean *marks = g_task_propagate_pointer (G_TASK (result), error);

  *n = marks != NULL ? matching->texts->len / 2 : 0;
  return marks;
}
