/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arrow keys of a timeline: from block to block along a row, and from row
 * to row at the same time. A row of several locations has the blocks of all of them, in
 * the order in which they begin. Other pictures have no blocks; there they pan.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-navigate.h"
#include "kymo-timeline.h"

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

/* (transfer full): the locations of a row */
static KymoIdSet *
dup_locations (const KymoTable *rows, guint row)
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

  return row < 0 ? kymo_id_set_new_list (&location, 1) : dup_locations (rows, row);
}

static void
step_row (KymoCanvas *self, const KymoTimeline *timeline, int step)
{
  gint64 location, time_ns;
  int row;

  if (!kymo_session_get_block (self->session, &location, &time_ns))
    return;
  row = kymo_canvas_row_of (timeline->rows, location);
  if (row < 0)
    {
      kymo_canvas_show_block (self);
      return;
    }
  row += step;
  if (row < 0 || row >= (int) timeline->n_rows)
    return;
  location = kymo_timeline_location (timeline, row);
  if (location >= 0)
    kymo_session_set_block (self->session, location, time_ns);
}

/* Without a selected block the row to begin with is the first in sight. A block whose row
   is not at hand is stepped from along its location. */
static void
step_block (KymoCanvas *self, const KymoTimeline *timeline,
            const char *direction)
{
  g_autoptr (KymoIdSet) merged = NULL;
  gint64 location, time_ns;
  guint first, end;
  int row;

  kymo_timeline_visible (timeline, &first, &end);
  if (!kymo_session_get_block (self->session, &location, &time_ns))
    location = kymo_timeline_location (timeline, first);
  if (location < 0)
    return;
  row = kymo_canvas_row_of (timeline->rows, location);
  if (row >= 0 && !kymo_canvas_is_single_row (timeline->rows, row))
    merged = dup_locations (timeline->rows, row);
  kymo_navigate_step (self->session, location, merged, direction, NULL, NULL);
}

/**
 * kymo_canvas_arrow:
 * @key: GDK_KEY_Left, Right, Up or Down
 *
 * Returns: whether the picture has blocks to step along; %FALSE for Up and
 *   Down without a selected block
 */
gboolean
kymo_canvas_arrow (KymoCanvas *self, guint key)
{
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);
  gboolean vertical = key == GDK_KEY_Up || key == GDK_KEY_Down;

  if (!kymo_canvas_is_timeline (self) || self->answer == NULL
      || (vertical && !kymo_session_get_block (self->session, &(gint64) { 0 },
                                               &(gint64) { 0 })))
    return FALSE;
  if (timeline != NULL && vertical)
    step_row (self, timeline, key == GDK_KEY_Up ? -1 : 1);
  else if (timeline != NULL)
    step_block (self, timeline, key == GDK_KEY_Left ? "previous" : "next");
  return timeline != NULL;
}
