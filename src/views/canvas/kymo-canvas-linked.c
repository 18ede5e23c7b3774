/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a canvas tells the others of the pointer, and shows of it while that is
 * elsewhere: the time as a thin line, the PE where it stands, the entry method by
 * lifting it once the pointer rests. What lies under the pointer a canvas paints itself.
 *
 * A timeline would fade all its other blocks with each one that the pointer rests on: it
 * does not fade itself.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-session-hover.h"
#include "kymo-theme.h"

/* More would cover what they mark. */
#define MOST_FRAMES 400
/* What outlines take around what they mark. */
#define BESIDE_PX 12

/* -- telling -------------------------------------------------------------- */

static gint64
time_under_pointer (KymoCanvas *self, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (self->klass, frame);

  if (!self->inside || !self->klass->time_axis || self->x < area.x
      || self->x > area.x + area.width)
    return G_MININT64;
  return kymo_plot_x_to_time (frame, self->x);
}

/* (transfer full) (nullable): whom the row under the pointer is of, where it is of several:
   folded, or as many as fit */
static KymoIdSet *
dup_pointed_row (KymoCanvas *self, const KymoPlotHit *hit)
{
  const gint64 *members = NULL;
  KymoIdSet *row;
  guint n = 0, group;

  if (self->answer == NULL || hit->location < 0)
    return NULL;
  row = kymo_canvas_dup_merged (self, hit->location);
  if (row != NULL)
    return row;
  if (kymo_table_find_column (self->answer, "members") >= 0)
    members = kymo_table_peek_ints (self->answer, "members", &n);
  group = members != NULL ? MAX (kymo_table_get_int (self->answer, "group", 0), 1) : 1;
  for (guint i = 0; i < n; i += group)
    if (members[i] == hit->location)
      return kymo_id_set_new_list (members + i, MIN (group, n - i));
  return NULL;
}

/**
 * kymo_canvas_tell_hover:
 * @hit: what lies under the pointer now, before it is kept
 */
void
kymo_canvas_tell_hover (KymoCanvas *self, const KymoPlotHit *hit)
{
  g_autoptr (KymoIdSet) row = NULL;
  KymoPlotFrame frame;

  if (hit->name == NULL)
    kymo_session_point_away (self->session, self, self->box < 0);
  else if (g_strcmp0 (hit->name, self->hit.name) != 0)
    kymo_session_point_at (self->session, self, hit->name, self->box < 0);
  if (!self->inside && !self->told_place)
    return;
  kymo_canvas_get_frame (self, &frame);
  self->told_place = self->inside;
  /* The first location of a merged row is not what is pointed at. */
  row = self->inside ? dup_pointed_row (self, hit) : NULL;
  if (row != NULL)
    kymo_session_set_hovered_row (self->session, row, time_under_pointer (self, &frame));
  else
    kymo_session_set_hovered_place (self->session, self->inside ? hit->location : -1,
                                    time_under_pointer (self, &frame));
}

/** kymo_canvas_stop_telling: with the canvas goes what it told */
void
kymo_canvas_stop_telling (KymoCanvas *self)
{
  if (self->session == NULL)
    return;
  kymo_session_point_away (self->session, self, FALSE);
  if (self->told_place)
    kymo_session_set_hovered_place (self->session, -1, G_MININT64);
  self->told_place = FALSE;
}

/**
 * kymo_canvas_lifted_name:
 *
 * A name that is hidden is not in the picture: if it were lifted nonetheless, all the others
 * would be pale as long as the pointer stays on the legend's line that hid it.
 *
 * Returns: (nullable): the name whose parts are lifted here while all others are pale
 */
const char *
kymo_canvas_lifted_name (KymoCanvas *self)
{
  const char *name = kymo_session_peek_hovered (self->session);

  if (name == NULL || kymo_session_is_hidden (self->session, name)
      || (KYMO_CANVAS_GET_CLASS (self)->keeps
          && kymo_session_is_lifted_by (self->session, self)))
    return NULL;
  return name;
}

/* -- showing -------------------------------------------------------------- */

static void
on_name (KymoCanvas *self)
{
  const char *name = kymo_canvas_lifted_name (self);

  if (g_strcmp0 (name, self->lifted) == 0)
    return;
  g_free (self->lifted);
  self->lifted = g_strdup (name);
  kymo_canvas_queue_paint (self);
}

static void
on_place (KymoCanvas *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * kymo_canvas_follow_hover:
 *
 * Makes the canvas follow the name, place and time that are pointed at in other views. Call it
 * once, when the canvas is made.
 */
void
kymo_canvas_follow_hover (KymoCanvas *self)
{
  kymo_follow (self->session, "notify::hovered-name", on_name, self);
  kymo_follow (self->session, "filter-changed", on_name, self);
  kymo_follow (self->session, "hover-changed", on_place, self);
}

/**
 * kymo_canvas_paint_hovered_time:
 *
 * Paints the time pointed at in any view as a line over the whole height. Paints nothing where no
 * time is pointed at, or it is out of @frame.
 */
void
kymo_canvas_paint_hovered_time (KymoSession *session, cairo_t *cr, const KymoPlotFrame *frame)
{
  gint64 time_ns;

  if (!kymo_session_get_hovered_time (session, &time_ns) || time_ns < frame->span.begin_ns
      || time_ns >= frame->span.end_ns)
    return;
  kymo_set_source_alpha (cr, kymo_theme_get (frame->look)->foreground, 0.35);
  cairo_rectangle (cr, floor (kymo_plot_time_to_x (frame, time_ns)), 0, 1, frame->height_px);
  cairo_fill (cr);
}

static void
paint_time (KymoCanvas *self, GtkSnapshot *snapshot, const KymoPlotFrame *frame,
            const KymoRect *area)
{
  gint64 time_ns;
  cairo_t *cr;
  double x;

  if (!self->klass->time_axis || !kymo_session_get_hovered_time (self->session, &time_ns)
      || time_ns < frame->span.begin_ns || time_ns >= frame->span.end_ns)
    return;
  x = floor (kymo_plot_time_to_x (frame, time_ns));
  cr = kymo_canvas_begin_node (snapshot, x, 0, 1, area->y + area->height);
  cairo_rectangle (cr, x, 0, 1, area->y + area->height);
  cairo_clip (cr);
  kymo_canvas_paint_hovered_time (self->session, cr, frame);
  cairo_destroy (cr);
}

/* Light around dark, so that it is seen on any colour. */
static void
frame_rect (GtkSnapshot *snapshot, const KymoPlotFrame *frame, KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double x = floor (rect.x), y = floor (rect.y);
  double width = MAX (ceil (rect.width), 1), height = MAX (ceil (rect.height), 1);
  cairo_t *cr = kymo_canvas_begin_node (snapshot, x - BESIDE_PX, y - BESIDE_PX,
                                        width + 2 * BESIDE_PX, height + 2 * BESIDE_PX);

  if (MIN (rect.width, rect.height) < KYMO_NARROW_PX)
    kymo_canvas_add_outline (cr, &rect);
  else
    cairo_rectangle (cr, x - 0.5, y - 0.5, width + 1, height + 1);
  kymo_set_source_alpha (cr, theme->canvas, 0.8);
  cairo_set_line_width (cr, 3);
  cairo_stroke_preserve (cr);
  kymo_set_source (cr, theme->foreground);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

/* Where the picture has places to choose; several PEs may share one. */
static void
paint_places (KymoCanvas *self, GtkSnapshot *snapshot, const KymoPlotFrame *frame)
{
  g_autoptr (GArray) places = self->klass->places (kymo_canvas_peek_picture (self));
  guint painted = 0;

  for (guint i = 0; i < places->len && painted < MOST_FRAMES; i++)
    {
      const KymoPlotPlace *place = &g_array_index (places, KymoPlotPlace, i);

      if (kymo_session_marks_location (self->session, place->location))
        {
          frame_rect (snapshot, frame, place->rect);
          painted++;
        }
    }
}

static void
paint_marks (KymoCanvas *self, GtkSnapshot *snapshot, const KymoPlotFrame *frame)
{
  KymoIdSet *set = kymo_session_peek_hovered_set (self->session);
  gint64 location = kymo_session_get_marked_location (self->session);
  g_autoptr (KymoIdSet) marked = set != NULL ? kymo_id_set_ref (set)
                                 : kymo_id_set_new_list (&location, 1);
  g_autoptr (GArray) marks = self->klass->marks (kymo_canvas_peek_picture (self), marked);

  for (guint i = 0; i < MIN (marks->len, MOST_FRAMES); i++)
    frame_rect (snapshot, frame, g_array_index (marks, KymoRect, i));
}

/* Of a picture that has neither. */
static void
paint_boxes (KymoCanvas *self, GtkSnapshot *snapshot, const KymoPlotFrame *frame)
{
  g_autoptr (GArray) boxes = self->klass->boxes (kymo_canvas_peek_picture (self));
  guint painted = 0;

  for (guint i = 0; i < boxes->len && painted < MOST_FRAMES; i++)
    {
      const KymoPlotBox *box = &g_array_index (boxes, KymoPlotBox, i);

      if (box->of_location && kymo_session_marks_location (self->session, box->location))
        {
          frame_rect (snapshot, frame, box->rect);
          painted++;
        }
    }
}

/**
 * kymo_canvas_paint_linked:
 *
 * What is pointed at in another view. A frame and a line, small nodes: the picture
 * stays as it is.
 */
void
kymo_canvas_paint_linked (KymoCanvas *self, GtkSnapshot *snapshot,
                          const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (self->klass, frame);
  gint64 location = kymo_session_get_marked_location (self->session);
  KymoIdSet *set = kymo_session_peek_hovered_set (self->session);
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);

  if (self->answer == NULL)
    return;
  if (!self->inside)
    paint_time (self, snapshot, frame, &area);
  if ((location < 0 && set == NULL)
      || (self->inside && (set != NULL ? kymo_id_set_contains (set, self->hit.location)
                                       : self->hit.location == location)))
    return;
  if (klass->mark_rows != NULL)
    klass->mark_rows (self, snapshot);
  else if (self->klass->marks != NULL)
    paint_marks (self, snapshot, frame);
  else if (self->klass->places != NULL)
    paint_places (self, snapshot, frame);
  else if (self->klass->boxes != NULL)
    paint_boxes (self, snapshot, frame);
}
