/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where locations are that the answer of a timeline does not hold, because
 * their rows are out of sight: the selected block's, and those its message
 * came from. Places are asked for once and kept until the filter changes.
 */
#include "config.h"

#include "kymo-canvas-private.h"

#include <math.h>

/* -- rows of the answer --------------------------------------------------- */

/** kymo_canvas_row_of: the row of a timeline that shows a location, or -1 */
int
kymo_canvas_row_of (const KymoTable *rows, gint64 location)
{
  const guint *offsets = NULL;
  KymoTable *list = kymo_table_peek_nested (rows, "locations", &offsets);
  const gint64 *ids;
  guint n, at = 0;

  if (list == NULL || offsets == NULL)
    return -1;
  ids = kymo_table_peek_ints (list, kymo_table_get_column_name (list, 0),
                              NULL);
  n = ids != NULL ? kymo_table_get_n_rows (list) : 0;
  /* Rows may be in any order. */
  while (at < n && ids[at] != location)
    at++;
  for (guint row = 0; at < n && row < kymo_table_get_n_rows (rows); row++)
    if (at < offsets[row + 1])
      return row;
  return -1;
}

/** kymo_canvas_is_single_row: whether a row is of one location */
gboolean
kymo_canvas_is_single_row (const KymoTable *rows, guint row)
{
  const guint *offsets = NULL;

  kymo_table_peek_nested (rows, "locations", &offsets);
  return offsets != NULL && offsets[row + 1] - offsets[row] == 1;
}

/** kymo_canvas_dup_locations: (transfer full): the locations of a row */
KymoIdSet *
kymo_canvas_dup_locations (const KymoTable *rows, guint row)
{
  const guint *offsets = NULL;
  KymoTable *list = kymo_table_peek_nested (rows, "locations", &offsets);
  const gint64 *ids = kymo_table_peek_ints (list, kymo_table_get_column_name (list, 0), NULL);

  return kymo_id_set_new_list (ids + offsets[row], offsets[row + 1] - offsets[row]);
}

/** kymo_canvas_dup_row: (transfer full): the locations of the row that shows @location, or
 * it alone */
KymoIdSet *
kymo_canvas_dup_row (KymoCanvas *self, gint64 location)
{
  KymoTable *rows = kymo_canvas_is_merged (self, location)
                    ? kymo_table_peek_nested (self->answer, "rows", NULL) : NULL;
  int row = rows != NULL ? kymo_canvas_row_of (rows, location) : -1;

  return row < 0 ? kymo_id_set_new_list (&location, 1) : kymo_canvas_dup_locations (rows, row);
}

/* -- rows out of sight ---------------------------------------------------- */

/* Whether it is known where the location is that is to be at the top. */
static gboolean
show_top (KymoCanvas *self)
{
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);
  gint64 row = -1;

  if (self->top < 0 || self->answer == NULL || self->row_px <= 0)
    return FALSE;
  if (timeline != NULL)
    row = kymo_canvas_row_at (self, timeline, self->top);
  if (row >= 0)
    gtk_adjustment_set_value (self->vadjustment, (row + self->top_beyond) * timeline->row_px);
  return row >= 0;
}

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
  show_top (self);
  self->top = -1;
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

/**
 * kymo_canvas_get_top:
 * @beyond: (out): the part of the row above the edge, 0 to 1; valid only where the result is not -1
 *
 * Returns: the first location of the top row in sight of a timeline that scrolls; -1 in other
 *   pictures, and without an answer
 */
gint64
kymo_canvas_get_top (KymoCanvas *self, double *beyond)
{
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);
  gint64 location = -1;
  double row;

  if (!kymo_canvas_is_timeline (self) || self->answer == NULL || self->row_px <= 0)
    return -1;
  if (timeline != NULL)
    {
      row = gtk_adjustment_get_value (self->vadjustment) / timeline->row_px;
      *beyond = row - floor (row);
      row = floor (row) - timeline->first_row;
      if (row >= 0 && row < timeline->n_rows)
        location = kymo_timeline_location (timeline, row);
    }
  return location;
}

/**
 * kymo_canvas_set_top:
 * @location: whose row is to be at the top
 * @beyond: the part of the row to be above the edge, 0 to 1
 *
 * Scrolls a timeline whose rows have a height of their own; does nothing in other pictures. Where
 * the row of the location is not known it is asked for, and the timeline scrolls when the answer is
 * there.
 *
 * Returns: whether the timeline has scrolled already
 */
gboolean
kymo_canvas_set_top (KymoCanvas *self, gint64 location, double beyond)
{
  gboolean shown;

  self->top = location;
  self->top_beyond = beyond;
  shown = show_top (self);
  if (shown || self->row_px <= 0 || !kymo_canvas_is_timeline (self))
    self->top = -1;
  else
    kymo_canvas_find_places (self, &location, 1);
  return shown;
}

/** kymo_canvas_is_led: while it is looked for where that is, and as it is scrolled there */
gboolean
kymo_canvas_is_led (KymoCanvas *self)
{
  return self->top >= 0;
}
