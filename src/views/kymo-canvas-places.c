/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where locations are that the answer of a timeline does not hold, because
 * their rows are out of sight: the selected block's, and those its message
 * came from. Places are asked for once and kept until the filter changes.
 */
#include "config.h"

#include "kymo-canvas-private.h"

static void
on_places (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCanvas *self = data;
  KymoTable *list = answer != NULL
                    ? kymo_table_peek_nested (answer, "places", NULL) : NULL;

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      gint64 id = kymo_table_get_int (list, "location", i);
      gint64 place = kymo_table_get_int (list, "place", i);

      g_hash_table_insert (self->places, g_memdup2 (&id, sizeof id),
                           GUINT_TO_POINTER (place + 1));
    }
  if (self->show_when_found)
    kymo_canvas_show_block (self);
  kymo_canvas_queue_still (self);
}

/** kymo_canvas_forget_places: other locations are asked for */
void
kymo_canvas_forget_places (KymoCanvas *self)
{
  if (self->places != NULL)
    g_hash_table_remove_all (self->places);
}

/**
 * kymo_canvas_find_places:
 * @ids: (array length=n): locations
 *
 * Asks for those that are not known; then kymo_canvas_row_at() knows them.
 */
void
kymo_canvas_find_places (KymoCanvas *self, const gint64 *ids, guint n)
{
  KymoTable *rows = self->answer != NULL
                    ? kymo_table_peek_nested (self->answer, "rows", NULL)
                    : NULL;
  g_autoptr (GString) unknown = g_string_new (NULL);
  KymoQuestion *question;

  if (self->places == NULL)
    self->places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                          NULL);
  for (guint i = 0; i < n; i++)
    if (ids[i] >= 0 && !g_hash_table_contains (self->places, &ids[i])
        && (rows == NULL || kymo_canvas_row_of (rows, ids[i]) < 0))
      g_string_append_printf (unknown, "%s%" G_GINT64_FORMAT,
                              unknown->len > 0 ? "," : "", ids[i]);
  if (unknown->len == 0)
    return;
  if (self->place_asker == NULL)
    self->place_asker = kymo_asker_new (
      kymo_session_peek_source (self->session), on_places, self);
  question = kymo_question_new ("place");
  kymo_session_prepare (self->session, question);
  kymo_question_set (question, "of", unknown->str);
  kymo_asker_ask (self->place_asker, question);
}

/**
 * kymo_canvas_row_at:
 *
 * Returns: the row of a location among all rows, -1 where it is not known
 */
gint64
kymo_canvas_row_at (KymoCanvas *self, const KymoTimeline *timeline,
                    gint64 location)
{
  int row = kymo_canvas_row_of (timeline->rows, location);
  guint place;

  if (row >= 0)
    return (gint64) timeline->first_row + row;
  place = self->places != NULL
          ? GPOINTER_TO_UINT (g_hash_table_lookup (self->places, &location))
          : 0;
  return place > 0 ? (gint64) ((place - 1) / timeline->group) : -1;
}
