/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which row of a timeline is of which locations, and where locations are that its answer does not
 * hold, because their rows are out of sight: the selected block's, and the one that is scrolled to.
 * Places are asked for once and kept until the filter changes.
 */
#include "config.h"

#include <math.h>

#include "kymo-session-pins.h"
#include "kymo-session-selected.h"
#include "kymo-timeline-canvas.h"

/* -- rows of the answer --------------------------------------------------- */

/* (transfer none) (nullable): the locations of all rows; those of a row begin at its offset */
static const gint64 *
peek_locations (const KymoTable *rows, const guint **offsets)
{
  KymoTable *list = kymo_table_peek_nested (rows, "locations", offsets);

  return list != NULL && *offsets != NULL
         ? kymo_table_peek_ints (list, kymo_table_get_column_name (list, 0), NULL) : NULL;
}

/** kymo_timeline_canvas_row_of: the row of a timeline that shows a location, or -1 */
int
kymo_timeline_canvas_row_of (const KymoTable *rows, gint64 location)
{
  const guint *offsets = NULL;
  const gint64 *ids = peek_locations (rows, &offsets);
  guint n_rows = ids != NULL ? kymo_table_get_n_rows (rows) : 0;
  guint n = n_rows > 0 ? offsets[n_rows] : 0, at = 0;

  /* Rows may be in any order. */
  while (at < n && ids[at] != location)
    at++;
  for (guint row = 0; at < n && row < n_rows; row++)
    if (at < offsets[row + 1])
      return row;
  return -1;
}

/** kymo_timeline_canvas_is_single: whether a row is of one location */
gboolean
kymo_timeline_canvas_is_single (const KymoTable *rows, guint row)
{
  const guint *offsets = NULL;

  kymo_table_peek_nested (rows, "locations", &offsets);
  return offsets != NULL && offsets[row + 1] - offsets[row] == 1;
}

/**
 * kymo_timeline_canvas_dup_locations:
 * @end: the row after the last one
 * @n: (out) (optional): how many locations
 *
 * Returns: (transfer full) (nullable): the locations of rows, %NULL if there are none
 */
KymoIdSet *
kymo_timeline_canvas_dup_locations (const KymoTable *rows, guint first, guint end, guint *n)
{
  const guint *offsets = NULL;
  const gint64 *ids = peek_locations (rows, &offsets);
  guint n_ids = ids != NULL && first < end ? offsets[end] - offsets[first] : 0;

  if (n != NULL)
    *n = n_ids;
  return n_ids > 0 ? kymo_id_set_new_list (ids + offsets[first], n_ids) : NULL;
}

static int
row_at_height (const KymoTimeline *timeline, double y)
{
  double scroll = timeline->frame->scroll_px;
  double row = floor ((y - timeline->area.y + scroll) / timeline->row_px)
               - timeline->first_row;

  return row >= 0 && row < timeline->n_rows ? (int) row : -1;
}

static gint64
location_at_height (KymoCanvas *canvas, double y)
{
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  int row = timeline != NULL && canvas->failure == NULL ? row_at_height (timeline, y) : -1;

  return row >= 0 ? kymo_timeline_location (timeline, row) : -1;
}

static KymoIdSet *
dup_rows_between (KymoCanvas *canvas, double from_y, double to_y)
{
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  g_autoptr (KymoIdSet) set = NULL;
  double top, bottom;
  int first, last;
  guint n;

  if (timeline == NULL)
    return NULL;
  top = timeline->area.y;
  bottom = top + timeline->area.height - 1;
  first = row_at_height (timeline, CLAMP (MIN (from_y, to_y), top, bottom));
  last = row_at_height (timeline, CLAMP (MAX (from_y, to_y), top, bottom));
  if (first >= 0 && last < 0)
    last = timeline->n_rows - 1;
  if (first < 0 || last <= first)
    return NULL;
  set = kymo_timeline_canvas_dup_locations (timeline->rows, first, last + 1, &n);
  return n < canvas->n_locations ? g_steal_pointer (&set) : NULL;
}

static KymoIdSet *
dup_merged_row (KymoCanvas *canvas, gint64 location)
{
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  int row = timeline != NULL && kymo_timeline_is_merged (timeline, location)
            ? kymo_timeline_canvas_row_of (timeline->rows, location) : -1;

  return row >= 0 ? kymo_timeline_canvas_dup_locations (timeline->rows, row, row + 1, NULL) : NULL;
}

static void
find_selected_rows (KymoCanvas *canvas, double *top, double *bottom)
{
  KymoIdSet *rows = kymo_session_peek_selected_rows (canvas->session);
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  double first = INFINITY, last = -INFINITY;

  for (guint row = 0; rows != NULL && timeline != NULL && row < timeline->n_rows; row++)
    if (kymo_id_set_contains (rows, kymo_timeline_location (timeline, row)))
      {
        double y = kymo_timeline_row_y (timeline, row);

        first = MIN (first, y);
        last = MAX (last, y + timeline->row_px);
      }
  if (first < last)
    {
      *top = MAX (first, timeline->area.y);
      *bottom = MIN (last, timeline->area.y + timeline->area.height);
    }
}

/* -- rows out of sight ---------------------------------------------------- */

/**
 * kymo_timeline_canvas_row_at:
 *
 * Returns: the row of a location among all rows, -1 where it is not known
 */
gint64
kymo_timeline_canvas_row_at (KymoTimelineCanvas *self, const KymoTimeline *timeline,
                             gint64 location)
{
  int row = kymo_timeline_canvas_row_of (timeline->rows, location);
  guint place;

  if (row >= 0)
    return (gint64) timeline->first_row + row;
  /* Places are those in the rows of the session. */
  if (KYMO_CANVAS (self)->own_rows != NULL)
    return -1;
  place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, &location));
  return place > 0 ? (gint64) ((place - 1) / timeline->group) : -1;
}

static double
middle_of_row (KymoCanvas *canvas, gint64 location, double fallback)
{
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  gint64 row = timeline != NULL && location >= 0
               ? kymo_timeline_canvas_row_at (KYMO_TIMELINE_CANVAS (canvas), timeline, location)
               : -1;

  return row < 0 ? fallback
         : timeline->area.y + (row + 0.5) * timeline->row_px - timeline->frame->scroll_px;
}

static gboolean
find_block (KymoCanvas *canvas, double *x, double *y)
{
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  gint64 location, time_ns, row;

  if (timeline == NULL || !kymo_session_get_block (canvas->session, &location, &time_ns))
    return FALSE;
  row = kymo_timeline_canvas_row_at (KYMO_TIMELINE_CANVAS (canvas), timeline, location);
  *x = kymo_plot_time_to_x (timeline->frame, time_ns);
  *y = timeline->area.y + row * timeline->row_px + timeline->bar_px / 2
       - timeline->frame->scroll_px;
  return row >= 0 && *x >= 0 && *x < timeline->frame->width_px && *y >= 0
         && *y < timeline->frame->height_px;
}

/* Whether it is known where the location is that is to be at the top. */
static gboolean
show_top (KymoTimelineCanvas *self)
{
  KymoCanvas *canvas = KYMO_CANVAS (self);
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  gint64 row;

  if (canvas->top < 0 || timeline == NULL || canvas->row_px <= 0)
    return FALSE;
  row = kymo_timeline_canvas_row_at (self, timeline, canvas->top);
  if (row >= 0)
    gtk_adjustment_set_value (canvas->vadjustment, (row + canvas->top_beyond) * timeline->row_px);
  return row >= 0;
}

static void
on_places (KymoTable *answer, const GError *error, gpointer data)
{
  KymoTimelineCanvas *self = data;
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
    kymo_timeline_canvas_show_block (self);
  show_top (self);
  KYMO_CANVAS (self)->top = -1;
  kymo_canvas_queue_still (KYMO_CANVAS (self));
}

/* Asks for the place of a location that is not known; then kymo_timeline_canvas_row_at() knows
   it. */
static void
find_place (KymoTimelineCanvas *self, gint64 location)
{
  KymoCanvas *canvas = KYMO_CANVAS (self);
  KymoTable *rows = canvas->answer != NULL
                    ? kymo_table_peek_nested (canvas->answer, "rows", NULL) : NULL;
  g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT, location);
  KymoQuestion *question;

  if (location < 0 || canvas->own_rows != NULL || g_hash_table_contains (self->places, &location)
      || (rows != NULL && kymo_timeline_canvas_row_of (rows, location) >= 0))
    return;
  if (self->place_asker == NULL)
    self->place_asker = kymo_asker_new (
      kymo_session_peek_source (canvas->session), on_places, self);
  question = kymo_question_new ("place");
  kymo_session_prepare (canvas->session, question);
  kymo_question_set (question, "of", of);
  kymo_asker_ask (self->place_asker, question);
}

/* Nothing moves under the pointer that chooses a block, nor where a block is seen already. In a
   window that has just got smaller the pointer may lie below the picture. */
static gboolean
is_in_sight (KymoCanvas *canvas, const KymoTimeline *timeline, gint64 row, gint64 location)
{
  double middle = (row + 0.5) * timeline->row_px - gtk_adjustment_get_value (canvas->vadjustment);

  double height = gtk_adjustment_get_page_size (canvas->vadjustment) - timeline->area.y;

  return (middle >= 0 && middle <= MIN (height, timeline->area.height))
         || (canvas->inside && canvas->y <= timeline->area.y + timeline->area.height
             && location_at_height (canvas, canvas->y) == location);
}

/** kymo_timeline_canvas_show_block: scrolls the selected block's row into sight, at once
 * or when it is known where that is */
void
kymo_timeline_canvas_show_block (KymoTimelineCanvas *self)
{
  KymoCanvas *canvas = KYMO_CANVAS (self);
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  gint64 location, time_ns, row;

  self->show_when_found = (timeline == NULL || canvas->row_px <= 0)
    && kymo_session_get_block (canvas->session, &location, &time_ns);
  if (timeline == NULL || canvas->row_px <= 0
      || !kymo_session_get_block (canvas->session, &location, &time_ns))
    return;
  /* A pinned row is in sight already. */
  if (canvas->can_pin && canvas->own_rows == NULL
      && kymo_session_is_pinned (canvas->session, location))
    return;
  row = kymo_timeline_canvas_row_at (self, timeline, location);
  if (row >= 0 && is_in_sight (canvas, timeline, row, location))
    return;
  if (row >= 0)
    gtk_adjustment_clamp_page (canvas->vadjustment,
                               timeline->area.y + row * timeline->row_px,
                               timeline->area.y + (row + 2) * timeline->row_px);
  else
    {
      self->show_when_found = TRUE;
      find_place (self, location);
    }
}

/* A picture that gets lower, such as in a window that has become smaller, keeps the row of the
   selected block in sight where that was. */
static void
on_height (KymoTimelineCanvas *self)
{
  KymoCanvas *canvas = KYMO_CANVAS (self);
  double before = self->page_px, page = gtk_adjustment_get_page_size (canvas->vadjustment);
  double value = gtk_adjustment_get_value (canvas->vadjustment), y;
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  gint64 location, time_ns, row;

  self->page_px = page;
  if (page >= before || timeline == NULL
      || !kymo_session_get_block (canvas->session, &location, &time_ns))
    return;
  row = kymo_timeline_canvas_row_at (self, timeline, location);
  y = (row + 0.5) * timeline->row_px - value;
  if (row >= 0 && y >= 0 && y <= before)
    self->show_when_found = TRUE;
}

/** kymo_timeline_canvas_follow_height: watches how high the picture is */
void
kymo_timeline_canvas_follow_height (KymoTimelineCanvas *self)
{
  kymo_follow (KYMO_CANVAS (self)->vadjustment, "notify::page-size", on_height, self);
}

static gint64
get_top (KymoCanvas *canvas, double *beyond)
{
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  double row;

  if (timeline == NULL || canvas->row_px <= 0)
    return -1;
  row = gtk_adjustment_get_value (canvas->vadjustment) / timeline->row_px;
  *beyond = row - floor (row);
  row = floor (row) - timeline->first_row;
  return row >= 0 && row < timeline->n_rows ? kymo_timeline_location (timeline, row) : -1;
}

static gboolean
set_top (KymoCanvas *canvas, gint64 location, double beyond)
{
  KymoTimelineCanvas *self = KYMO_TIMELINE_CANVAS (canvas);
  gboolean shown;

  canvas->top = location;
  canvas->top_beyond = beyond;
  shown = show_top (self);
  if (shown || canvas->row_px <= 0)
    canvas->top = -1;
  else
    find_place (self, location);
  return shown;
}

/** kymo_timeline_canvas_init_rows: sets what a timeline knows of its rows */
void
kymo_timeline_canvas_init_rows (KymoCanvasClass *klass)
{
  klass->location_at = location_at_height;
  klass->dup_rows = dup_rows_between;
  klass->dup_merged = dup_merged_row;
  klass->selected_rows = find_selected_rows;
  klass->middle_of_row = middle_of_row;
  klass->find_block = find_block;
  klass->get_top = get_top;
  klass->set_top = set_top;
}
