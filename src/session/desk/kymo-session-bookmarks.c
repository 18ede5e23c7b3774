/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-bookmarks.h. Bookmarks stand in the order in which they were made, behind them the
 * markers of the run in order of time.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-bookmarks.h"
#include "kymo-desk-answer.h"
#include "kymo-session-private.h"

/* A moment is shown in at most this part of the run. */
#define SHARE_AROUND_MOMENT 10

/**
 * kymo_session_free_bookmark:
 * @data: a #KymoBookmark
 *
 * Frees the bookmark with its texts, and drops its reference of the locations.
 */
void
kymo_session_free_bookmark (gpointer data)
{
  KymoBookmark *bookmark = data;

  g_free (bookmark->name);
  g_free (bookmark->note);
  g_clear_pointer (&bookmark->locations, kymo_id_set_unref);
  g_free (bookmark);
}

/**
 * kymo_session_new_bookmark:
 * @name: (nullable): %NULL = empty
 * @note: (nullable): %NULL = empty
 * @locations: (nullable): %NULL = all
 *
 * Returns: (transfer full): a bookmark that belongs to no session yet
 */
KymoBookmark *
kymo_session_new_bookmark (KymoSpan span, const char *name, const char *note,
                           KymoIdSet *locations)
{
  KymoBookmark *bookmark = g_new0 (KymoBookmark, 1);

  bookmark->name = g_strdup (name != NULL ? name : "");
  bookmark->note = g_strdup (note != NULL ? note : "");
  bookmark->span = span;
  bookmark->locations = locations != NULL ? kymo_id_set_ref (locations) : NULL;
  return bookmark;
}

/** kymo_session_take_bookmarks: @bookmarks: (transfer full): all there are; told once */
void
kymo_session_take_bookmarks (KymoSession *self, GPtrArray *bookmarks)
{
  gboolean changed = self->bookmarks->len > 0 || bookmarks->len > 0;

  g_ptr_array_set_size (bookmarks, MIN (bookmarks->len, KYMO_BOOKMARKS_MOST));
  g_ptr_array_unref (self->bookmarks);
  self->bookmarks = bookmarks;
  if (changed)
    kymo_session_emit (self, BOOKMARKS_CHANGED);
}

/**
 * kymo_session_add_note:
 * @span: in ns; of length 0 for a moment
 * @name: (nullable): %NULL is the empty text, as of @note
 * @note: (nullable): words about the bookmark
 * @locations: (nullable) (transfer none): what it is about; %NULL = all
 *
 * Appends a bookmark of the user, and emits "bookmarks-changed".
 *
 * Returns: its index; -1, and nothing changed, where there are %KYMO_BOOKMARKS_MOST already
 */
int
kymo_session_add_note (KymoSession *self, KymoSpan span, const char *name,
                       const char *note, KymoIdSet *locations)
{
  if (self->bookmarks->len >= KYMO_BOOKMARKS_MOST)
    return -1;
  g_ptr_array_add (self->bookmarks,
                   kymo_session_new_bookmark (span, name, note, locations));
  kymo_session_emit (self, BOOKMARKS_CHANGED);
  return self->bookmarks->len - 1;
}

/**
 * kymo_session_add_bookmark:
 * @name: of the bookmark
 *
 * Adds a bookmark of the visible range.
 */
void
kymo_session_add_bookmark (KymoSession *self, const char *name)
{
  kymo_session_add_note (self, self->range, name, NULL, NULL);
}

/**
 * kymo_session_change_bookmark:
 * @index: of a bookmark of the user
 * @name: (nullable): %NULL = empty
 * @note: (nullable): %NULL = empty
 * @locations: (nullable): %NULL = all
 *
 * Changes a bookmark; its stretch of time stays.
 */
void
kymo_session_change_bookmark (KymoSession *self, guint index, const char *name,
                              const char *note, KymoIdSet *locations)
{
  KymoBookmark *bookmark;
  char *old_name, *old_note;

  g_return_if_fail (index < self->bookmarks->len);
  bookmark = self->bookmarks->pdata[index];
  old_name = bookmark->name;
  old_note = bookmark->note;
  bookmark->name = g_strdup (name != NULL ? name : "");
  bookmark->note = g_strdup (note != NULL ? note : "");
  g_free (old_name);
  g_free (old_note);
  if (locations != NULL)
    kymo_id_set_ref (locations);
  g_clear_pointer (&bookmark->locations, kymo_id_set_unref);
  bookmark->locations = locations;
  kymo_session_emit (self, BOOKMARKS_CHANGED);
}

/* "High severity: text", then what it is about and who wrote it. */
static char *
dup_marker_note (const KymoTable *markers, guint row)
{
  static const char *const words[] = {
    "none", N_("No severity"), "low", N_("Low severity"), "medium", N_("Medium severity"),
    "high", N_("High severity"),
  };
  const char *severity = kymo_table_get_string (markers, "severity", row);
  const char *group = kymo_table_get_string (markers, "group", row);
  const char *told = words[1];

  for (guint i = 0; i < G_N_ELEMENTS (words); i += 2)
    if (g_strcmp0 (severity, words[i]) == 0)
      told = words[i + 1];
  return g_strdup_printf ("%s: %s\n%s%s%s", _(told), kymo_table_get_string (markers, "text", row),
                          kymo_table_get_string (markers, "scope", row),
                          group != NULL && *group != '\0' ? ", " : "",
                          group != NULL ? group : "");
}

/**
 * kymo_session_set_run_markers:
 * @info: answer of kind info; without "markers" the run has none
 *
 * Replaces the markers of the run that the session lists behind the bookmarks of the user.
 * Names each bookmark by the category of its marker, and makes the note of severity, text, scope
 * and group. Emits "bookmarks-changed" where there are markers, or were some.
 */
void
kymo_session_set_run_markers (KymoSession *self, const KymoTable *info)
{
  KymoTable *markers = kymo_table_peek_nested (info, "markers", NULL);
  guint n = markers != NULL ? kymo_table_get_n_rows (markers) : 0;
  gboolean changed = n > 0 || self->run_bookmarks->len > 0;

  g_ptr_array_set_size (self->run_bookmarks, 0);
  for (guint i = 0; i < n; i++)
    {
      KymoSpan span = { kymo_table_get_int (markers, "begin_ns", i),
                        kymo_table_get_int (markers, "end_ns", i) };
      const char *name = kymo_table_get_string (markers, "category", i);
      g_autofree char *note = dup_marker_note (markers, i);

      g_ptr_array_add (self->run_bookmarks, kymo_session_new_bookmark (
        span, name != NULL && *name != '\0' ? name : _("Marker"), note, NULL));
    }
  if (changed)
    kymo_session_emit (self, BOOKMARKS_CHANGED);
}

/**
 * kymo_session_count_bookmarks:
 *
 * Bookmarks of the user have the first indices, markers of the run those behind.
 *
 * Returns: how many bookmarks and markers there are together
 */
guint
kymo_session_count_bookmarks (KymoSession *self)
{
  return self->bookmarks->len + self->run_bookmarks->len;
}

/**
 * kymo_session_get_n_bookmarks:
 *
 * Returns: how many bookmarks of the user there are, without the markers of the run
 */
guint
kymo_session_get_n_bookmarks (KymoSession *self)
{
  return self->bookmarks->len;
}

/**
 * kymo_session_peek_bookmark:
 * @index: below kymo_session_count_bookmarks(); from kymo_session_get_n_bookmarks() on a marker
 *   of the run
 *
 * Returns: (transfer none) (nullable): the bookmark, valid until bookmarks are changed or the
 *   markers of the run are set; %NULL, with a critical warning, beyond the last one
 */
const KymoBookmark *
kymo_session_peek_bookmark (KymoSession *self, guint index)
{
  g_return_val_if_fail (index < kymo_session_count_bookmarks (self), NULL);
  return index < self->bookmarks->len ? g_ptr_array_index (self->bookmarks, index)
    : g_ptr_array_index (self->run_bookmarks, index - self->bookmarks->len);
}

/**
 * kymo_session_remove_bookmark:
 * @index: of a bookmark of the user, below kymo_session_get_n_bookmarks()
 *
 * Bookmarks behind it move up by one. Emits "bookmarks-changed".
 */
void
kymo_session_remove_bookmark (KymoSession *self, guint index)
{
  g_return_if_fail (index < self->bookmarks->len);
  g_ptr_array_remove_index (self->bookmarks, index);
  kymo_session_emit (self, BOOKMARKS_CHANGED);
}

/**
 * kymo_session_clear_bookmarks:
 *
 * Removes all bookmarks of the user; markers of the run stay. Emits "bookmarks-changed" where
 * there was a bookmark.
 */
void
kymo_session_clear_bookmarks (KymoSession *self)
{
  if (self->bookmarks->len == 0)
    return;
  g_ptr_array_set_size (self->bookmarks, 0);
  kymo_session_emit (self, BOOKMARKS_CHANGED);
}

/**
 * kymo_session_go_to_bookmark:
 * @index: below kymo_session_count_bookmarks()
 *
 * Makes the time of the bookmark the visible range, and its locations the shown ones where it has
 * some; the range before goes into the history. Around a bookmark of length 0 the range is as
 * long as the visible one, at most a tenth of the run.
 */
void
kymo_session_go_to_bookmark (KymoSession *self, guint index)
{
  const KymoBookmark *bookmark;
  KymoSpan span;

  g_return_if_fail (index < kymo_session_count_bookmarks (self));
  bookmark = kymo_session_peek_bookmark (self, index);
  if (bookmark->locations != NULL)
    kymo_session_set_locations (self, bookmark->locations);
  span = bookmark->span;
  if (kymo_span_length (span) == 0)
    {
      gint64 length_ns = MIN (kymo_span_length (self->range),
                              kymo_span_length (self->full) / SHARE_AROUND_MOMENT);

      span = kymo_session_fitted (self, span.begin_ns - length_ns / 2, length_ns);
    }
  kymo_session_set_range (self, span, TRUE);
}

static gboolean
holds_session_bookmarks (const char *text, const char *folded)
{
  g_autofree char *own = g_utf8_casefold (text, -1);

  return strstr (own, folded) != NULL;
}

/**
 * kymo_session_find_bookmark:
 * @text: looked for in names and notes, whatever the case
 * @from: index to begin at; beyond the last one it goes on from the first
 *
 * Returns: the index of the first bookmark that has it, markers of the run included; -1 for none
 */
int
kymo_session_find_bookmark (KymoSession *self, const char *text, guint from)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  guint n = kymo_session_count_bookmarks (self);

  for (guint i = 0; i < n; i++)
    {
      guint index = (from % n + i) % n;
      const KymoBookmark *bookmark = kymo_session_peek_bookmark (self, index);

      if (holds_session_bookmarks (bookmark->name, folded)
          || holds_session_bookmarks (bookmark->note, folded))
        return index;
    }
  return -1;
}

/**
 * kymo_session_dup_bookmarks:
 *
 * Returns: (transfer full): those of the user as an answer, "bookmarks" (kymo-desk-answer.h),
 *   for JSON and CSV
 */
KymoTable *
kymo_session_dup_bookmarks (KymoSession *self)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_bookmarks_table_new ();

  for (guint i = 0; i < self->bookmarks->len; i++)
    {
      const KymoBookmark *bookmark = self->bookmarks->pdata[i];
      g_autofree char *words = bookmark->locations != NULL
                               ? kymo_id_set_to_text (bookmark->locations) : NULL;

      kymo_bookmarks_table_append (list, bookmark->span, bookmark->name, bookmark->note,
                                   words);
    }
  kymo_table_set_table (answer, "bookmarks", list);
  return answer;
}
