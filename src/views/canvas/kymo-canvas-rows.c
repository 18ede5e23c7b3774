/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How high the rows of a timeline are, from all locations in view (then
 * several share a row of pixels) up to comfortable bars. Left alone, few rows
 * share the height, more are scrolled, and very many are all in view; a person
 * who set a height keeps it, in every run. Rows of a tree are its levels, however many
 * locations it is of, and counters have lanes: they share the height, and are scrolled
 * where they are too many.
 *
 * Which locations a row is of, a derived type knows (KymoCanvasClass).
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"

#define ROW_LEAST_PX 14
#define ROW_SCROLLED_PX 18
/* Up to here the plot chooses; a tall window gets higher rows. */
#define ROW_COMFORT_PX 40
#define ROW_MOST_PX 64
/* More locations than this are not scrolled but seen as a whole. */
#define MOST_SCROLLED 1024

static double wanted_px;           /* KYMO_ROWS_AUTOMATIC, KYMO_ROWS_FIT or px */
static KymoRowsChanged rows_changed;
static gpointer rows_changed_data;

static double
choose_row_px (KymoCanvas *self, double fair_px)
{
  if (self->own_rows != NULL)
    return ROW_SCROLLED_PX;
  if (wanted_px > 0)
    return wanted_px > fair_px ? MIN (wanted_px, ROW_MOST_PX) : 0;
  if (fair_px >= ROW_LEAST_PX)
    return fair_px > ROW_COMFORT_PX ? MIN (floor (fair_px), ROW_MOST_PX) : 0;
  if (wanted_px == KYMO_ROWS_FIT || self->n_locations > MOST_SCROLLED)
    return 0;
  return ROW_SCROLLED_PX;
}

/* Over time they are of the picture itself; a timeline is no picture of boxes. */
static gboolean
has_lanes (KymoCanvas *self)
{
  return self->klass->boxes != NULL && self->klass->natural_height != NULL
         && self->klass->time_axis;
}

/** kymo_canvas_has_levels: whether its rows are levels of a tree, lanes or what runs are
 * compared by, and no locations */
gboolean
kymo_canvas_has_levels (KymoCanvas *self)
{
  if (has_lanes (self))
    return self->answer != NULL;
  return self->klass->boxes != NULL && self->klass->natural_height != NULL
         && self->answer != NULL
         && (self->klass->compares
             || kymo_table_peek_nested (self->answer, "nodes", NULL) != NULL);
}

/* Of a location, whatever share of a row it has. */
static double
shown_px (KymoCanvas *self, const KymoRect *area)
{
  if (self->row_px > 0)
    return self->row_px;
  return MIN (area->height / MAX (self->n_locations, 1), ROW_COMFORT_PX);
}

static void
set_height (KymoCanvas *self, double height, double natural)
{
  gtk_adjustment_configure (self->vadjustment,
                            gtk_adjustment_get_value (self->vadjustment), 0,
                            MAX (natural, height), ROW_SCROLLED_PX,
                            height * 0.8, height);
}

/* What the levels are of, and where they begin. */
static char *
dup_root (KymoCanvas *self)
{
  KymoTable *nodes = kymo_table_peek_nested (self->answer, "nodes", NULL);

  return g_strconcat (kymo_table_get_string (self->answer, "root", 0) != NULL
                      ? kymo_table_get_string (self->answer, "root", 0) : "", " ",
                      kymo_table_get_n_rows (nodes) > 0
                      ? kymo_table_get_string (nodes, "name", 0) : NULL, NULL);
}

/* The root is in sight at first, at the top or the bottom, or with callers on one side and
   callees on the other in the middle; then until a person scrolls. */
static void
show_root (KymoCanvas *self, const KymoPlotFrame *frame, gboolean scrolled)
{
  KymoRect area = kymo_plot_frame_area (self->klass, frame);
  g_autoptr (KymoPicture) picture = kymo_picture_new (self->klass, self->answer, frame);
  g_autoptr (GArray) boxes = self->klass->boxes (picture);
  g_autofree char *root = dup_root (self);
  const KymoRect *rect;

  if (boxes->len == 0 || (scrolled && g_strcmp0 (root, self->root) == 0))
    return;
  rect = &g_array_index (boxes, KymoPlotBox, 0).rect;
  gtk_adjustment_set_value (self->vadjustment,
                            rect->y + rect->height / 2 - area.y - area.height / 2);
  self->root_scroll = gtk_adjustment_get_value (self->vadjustment);
  g_free (self->root);
  self->root = g_steal_pointer (&root);
}

static void
configure_levels (KymoCanvas *self, double height)
{
  gboolean scrolled = gtk_adjustment_get_value (self->vadjustment) != self->root_scroll;
  KymoPlotFrame frame;
  double natural;

  kymo_canvas_get_frame (self, &frame);
  frame.row_px = ROW_SCROLLED_PX;
  natural = self->klass->natural_height (self->answer, &frame);
  self->row_px = natural > height ? ROW_SCROLLED_PX : 0;
  set_height (self, height, natural);
  frame.scroll_px = 0;
  if (self->row_px > 0 && !self->klass->compares && !has_lanes (self))
    show_root (self, &frame, scrolled);
  else
    self->root_scroll = 0;             /* where what fits lies, wherever it was scrolled before */
}

/** kymo_canvas_configure_rows: after the size, the answer or the wish changed */
void
kymo_canvas_configure_rows (KymoCanvas *self)
{
  double height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom;
  KymoRect area;

  if (self->answer == NULL || self->klass->natural_height == NULL)
    return;
  if (kymo_canvas_has_levels (self))
    configure_levels (self, height);
  if (self->n_locations == 0)
    return;
  area = kymo_canvas_get_area (self);
  self->row_px = choose_row_px (self, area.height / self->n_locations);
  set_height (self, height, self->row_px > 0
              ? self->row_px * self->n_locations + height - area.height : height);
}

/* Applies the wish; the location at height @y of the picture stays there. */
static void
keep_in_place (KymoCanvas *self, double y)
{
  KymoRect area = kymo_canvas_get_area (self);
  double scroll = self->row_px > 0
                  ? gtk_adjustment_get_value (self->vadjustment) : 0;
  double place = (y - area.y + scroll) / shown_px (self, &area);

  kymo_canvas_configure_rows (self);
  gtk_adjustment_set_value (self->vadjustment,
                            place * shown_px (self, &area) - (y - area.y));
  kymo_canvas_review (self);
}

static void
set_wanted (KymoCanvas *self, double px)
{
  KymoRect area = kymo_canvas_get_area (self);
  gboolean over = self->inside && self->y >= area.y
                  && self->y < area.y + area.height;

  wanted_px = px;
  keep_in_place (self, over ? self->y : area.y);
  if (rows_changed != NULL)
    rows_changed (px, rows_changed_data);
}

/**
 * kymo_canvas_zoom_rows:
 * @factor: above 1 for higher rows
 */
void
kymo_canvas_zoom_rows (KymoCanvas *self, double factor)
{
  KymoRect area = kymo_canvas_get_area (self);
  double fair_px = area.height / MAX (self->n_locations, 1);
  double px = shown_px (self, &area) * factor;

  if (self->klass->natural_height == NULL || self->n_locations == 0)
    return;
  set_wanted (self, px <= fair_px * 1.001 ? KYMO_ROWS_FIT
                                          : MIN (px, ROW_MOST_PX));
}

/** kymo_canvas_fit_rows: all in view, or, where they are, as high as reads */
void
kymo_canvas_fit_rows (KymoCanvas *self)
{
  if (self->klass->natural_height == NULL || self->n_locations == 0)
    return;
  if (self->row_px > 0)
    set_wanted (self, KYMO_ROWS_FIT);
  else
    set_wanted (self, ROW_SCROLLED_PX);
}

/** kymo_canvas_set_row_height: of all timelines; a person's preference */
void
kymo_canvas_set_row_height (double px)
{
  wanted_px = px >= 0 ? MIN (px, ROW_MOST_PX) : KYMO_ROWS_FIT;
}

/** kymo_canvas_on_row_height: @changed: told what the person set */
void
kymo_canvas_on_row_height (KymoRowsChanged changed, gpointer data)
{
  rows_changed = changed;
  rows_changed_data = data;
}

/* -- rows of locations ----------------------------------------------------- */

/** kymo_canvas_location_at: the first location of the row at a height, or -1 */
gint64
kymo_canvas_location_at (KymoCanvas *self, double y)
{
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);

  return klass->location_at != NULL ? klass->location_at (self, y) : -1;
}

/**
 * kymo_canvas_dup_merged:
 * @location: the first one of a row
 *
 * Returns: (transfer full) (nullable): the locations of that row; %NULL if it is of one
 */
KymoIdSet *
kymo_canvas_dup_merged (KymoCanvas *self, gint64 location)
{
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);

  return klass->dup_merged != NULL ? klass->dup_merged (self, location) : NULL;
}

/**
 * kymo_canvas_is_merged:
 * @location: the first one of a row
 *
 * Returns: whether that row is of several locations; it is of no block then
 */
gboolean
kymo_canvas_is_merged (KymoCanvas *self, gint64 location)
{
  g_autoptr (KymoIdSet) row = kymo_canvas_dup_merged (self, location);

  return row != NULL;
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
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);

  return klass->get_top != NULL ? klass->get_top (self, beyond) : -1;
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
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);

  return klass->set_top != NULL && klass->set_top (self, location, beyond);
}

/** kymo_canvas_is_led: while it is looked for where that is, and as it is scrolled there */
gboolean
kymo_canvas_is_led (KymoCanvas *self)
{
  return self->top >= 0;
}
