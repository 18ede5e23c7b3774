/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is done with a button held down: selecting a stretch of time (and rows),
 * panning, measuring with Shift, moving a marker, drawing a rubber band. Keys move a marker
 * to the next edge of a block, or the one before.
 *
 * Times that a drag sets *snap* to the edges of blocks in the row under the
 * pointer, unless Ctrl is held: the edge is asked for (question "edges"), and
 * what is set follows when the answer is there. Each end has its own asker, so
 * that a moving end does not cancel the other one.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-gauge.h"
#include "kymo-navigate.h"
#include "kymo-session-selected.h"
#include "kymo-text.h"
#include "kymo-units.h"

/* A press that moves less than this is a click. */
#define DRAG_LEAST_PX 4
/* An edge nearer than this is meant. */
#define SNAP_PX 8
/* A drag goes over rows where it is this high, and ends in another row. */
#define ROWS_LEAST_PX 20
#define MARKER_PX 5

static gboolean snaps = TRUE;

typedef struct
{
  KymoCanvas *canvas;
  KymoAsker  *asker;
  guint       end;                 /* 0: where the drag began, 1: where it is */
  gint64      time_ns;             /* of the pointer */
  gint64      within_ns;
} Snap;

/** KymoCanvasDrag: of one canvas, once it was dragged in */
struct _KymoCanvasDrag
{
  Snap       snaps[2];
  gint64     ends[2];              /* times of both ends, snapped */
  gint64     location;             /* where the drag began; -1 = no row */
  char      *edge;                 /* words of the last edge, or NULL */
  KymoIdSet *rows;                 /* that it goes over, or NULL */
  guint      marker;
  gboolean   is_set;               /* what it sets is there, or was */
};

/* -- what a drag sets ----------------------------------------------------- */

static KymoSpan
dragged_span (KymoCanvasDrag *drag)
{
  return (KymoSpan) { MIN (drag->ends[0], drag->ends[1]),
                      MAX (drag->ends[0], drag->ends[1]) };
}

static gboolean
is_drag_kept (KymoCanvas *self)
{
  KymoSpan span;
  gint64 location;

  if (self->drag_kind == KYMO_DRAG_SELECT)
    return kymo_session_get_selection (self->session, NULL);
  if (self->drag_kind == KYMO_DRAG_MEASURE)
    return kymo_gauge_get (kymo_gauge_of (self->session), &location, &span);
  return TRUE;
}

static void
apply_canvas_drag (KymoCanvas *self)
{
  KymoCanvasDrag *drag = self->dragging;
  KymoSpan span = dragged_span (drag);

  /* An edge may come when the drag is over, and what it set was used and dropped meanwhile. */
  if (self->drag == KYMO_DRAG_NONE && drag->is_set && !is_drag_kept (self))
    return;
  if (self->drag_kind == KYMO_DRAG_SELECT)
    kymo_session_select_rows (self->session, &span, drag->rows);
  else if (self->drag_kind == KYMO_DRAG_MEASURE)
    kymo_gauge_set (kymo_gauge_of (self->session), drag->location, span);
  else if (self->drag_kind == KYMO_DRAG_MARKER)
    kymo_session_move_marker (self->session, drag->marker, drag->ends[1]);
  drag->is_set = is_drag_kept (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* -- snapping ------------------------------------------------------------- */

static char *
edge_in_words (KymoTable *edges, const char *side)
{
  g_autofree char *name_key = g_strconcat (side, "_name", NULL);
  g_autofree char *begins_key = g_strconcat (side, "_begins", NULL);
  const char *name = kymo_table_get_string (edges, name_key, 0);

  return g_strdup_printf (kymo_table_get_bool (edges, begins_key, 0)
                          ? _("begin of %s") : _("end of %s"), name);
}

/**
 * kymo_edges_nearest:
 * @edges: an answer of kind edges
 * @time_ns: (inout): moved to the nearer edge where that is near enough
 * @within_ns: how near is enough
 *
 * Returns: (transfer full) (nullable): what the edge is; %NULL for none
 */
char *
kymo_edges_nearest (KymoTable *edges, gint64 *time_ns, gint64 within_ns)
{
  gint64 before, after;
  gboolean first;

  if (!kymo_table_get_bool (edges, "found", 0))
    return NULL;
  before = kymo_table_get_int (edges, "before_ns", 0);
  after = kymo_table_get_int (edges, "after_ns", 0);
  first = ABS (*time_ns - before) <= ABS (after - *time_ns);
  if (ABS (*time_ns - (first ? before : after)) > within_ns)
    return NULL;
  *time_ns = first ? before : after;
  return edge_in_words (edges, first ? "before" : "after");
}

static void
on_edges (KymoTable *answer, const GError *error, gpointer data)
{
  Snap *snap = data;
  KymoCanvasDrag *drag = snap->canvas->dragging;
  gint64 time_ns = snap->time_ns;

  if (snap->end == 1)
    g_clear_pointer (&drag->edge, g_free);
  if (answer != NULL)
    {
      char *edge = kymo_edges_nearest (answer, &time_ns, snap->within_ns);

      if (snap->end == 1)
        drag->edge = edge;
      else
        g_free (edge);
    }
  drag->ends[snap->end] = time_ns;
  apply_canvas_drag (snap->canvas);
}

static void
place_canvas_drag (KymoCanvas *self, guint end, double x, double y, gboolean free)
{
  KymoCanvasDrag *drag = self->dragging;
  Snap *snap = &drag->snaps[end];
  gint64 location = kymo_canvas_location_at (self, y);
  KymoQuestion *question;
  KymoPlotFrame frame;
  KymoRect area;

  kymo_canvas_get_frame (self, &frame);
  area = kymo_plot_frame_area (self->klass, &frame);
  x = CLAMP (x, area.x, area.x + area.width);
  snap->time_ns = kymo_plot_x_to_time (&frame, x);
  snap->within_ns = kymo_span_length (frame.span) / MAX (area.width, 1)
                    * SNAP_PX;
  kymo_asker_cancel (snap->asker);
  if (!snaps || free || location < 0)
    {
      g_clear_pointer (&drag->edge, g_free);
      drag->ends[end] = snap->time_ns;
      apply_canvas_drag (self);
      return;
    }
  question = kymo_question_new ("edges");
  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", snap->time_ns);
  kymo_asker_ask (snap->asker, question);
}

/** kymo_canvas_set_snaps: whether times that are set snap to edges of blocks */
void
kymo_canvas_set_snaps (gboolean on)
{
  snaps = on;
}

/* -- the drag ------------------------------------------------------------- */

static void
pan_to (KymoCanvas *self, double offset_x)
{
  KymoRect area = kymo_canvas_get_area (self);
  KymoSpan full = kymo_session_get_full_range (self->session);
  KymoSpan range = self->drag_range;
  gint64 shift = -offset_x / MAX (area.width, 1) * kymo_span_length (range);

  shift = CLAMP (shift, full.begin_ns - range.begin_ns,
                 full.end_ns - range.end_ns);
  range.begin_ns += shift;
  range.end_ns += shift;
  kymo_session_set_range (self->session, range, FALSE);
}

static void
band_to (KymoCanvas *self, double x, double y)
{
  self->x = x;
  self->y = y;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static KymoCanvasDrag *
get_drag (KymoCanvas *self)
{
  if (self->dragging != NULL)
    return self->dragging;
  self->dragging = g_new0 (KymoCanvasDrag, 1);
  for (guint i = 0; i < 2; i++)
    {
      Snap *snap = &self->dragging->snaps[i];

      snap->canvas = self;
      snap->end = i;
      snap->asker = kymo_asker_new (kymo_session_peek_source (self->session),
                                    on_edges, snap);
    }
  return self->dragging;
}

/** kymo_canvas_forget_drag: at the end of the canvas */
void
kymo_canvas_forget_drag (KymoCanvas *self)
{
  if (self->dragging == NULL)
    return;
  for (guint i = 0; i < 2; i++)
    kymo_asker_free (self->dragging->snaps[i].asker);
  g_clear_pointer (&self->dragging->rows, kymo_id_set_unref);
  g_free (self->dragging->edge);
  g_clear_pointer (&self->dragging, g_free);
}

/* The marker whose line is at x, or -1. */
static int
marker_at (KymoCanvas *self, const KymoPlotFrame *frame, double x, double y)
{
  gint64 time_ns;

  for (guint i = 0; i < 2 && self->klass->time_axis; i++)
    if (kymo_session_get_marker (self->session, i, &time_ns))
      {
        double at = kymo_plot_time_to_x (frame, time_ns);

        /* The letter beside the line is a handle, too. */
        if (fabs (x - at) <= MARKER_PX || (y < 16 && x >= at && x < at + 16))
          return i;
      }
  return -1;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, KymoCanvas *self)
{
  guint button = gtk_gesture_single_get_current_button (
    GTK_GESTURE_SINGLE (gesture));
  KymoCanvasDrag *drag = get_drag (self);
  KymoPlotFrame frame;
  int marker;

  x /= self->zoom;
  y /= self->zoom;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  kymo_canvas_get_frame (self, &frame);
  self->drag_x = x;
  self->drag_y = y;
  self->drag_range = frame.span;
  self->drag = self->drag_kind = KYMO_DRAG_NONE;
  self->moved = FALSE;
  kymo_asker_cancel (drag->snaps[0].asker);
  kymo_asker_cancel (drag->snaps[1].asker);
  drag->location = kymo_canvas_location_at (self, y);
  g_clear_pointer (&drag->rows, kymo_id_set_unref);
  g_clear_pointer (&drag->edge, g_free);
  marker = button == GDK_BUTTON_PRIMARY ? marker_at (self, &frame, x, y) : -1;
  drag->marker = MAX (marker, 0);
  self->on_marker = marker >= 0;
  if (button == GDK_BUTTON_MIDDLE && self->klass->time_axis)
    self->drag = KYMO_DRAG_PAN;
}

/* What a drag with the first button does: it selects, or pans where the
   person prefers that, and Ctrl then selects; Shift measures. */
static KymoDrag
kind_of_drag (KymoCanvas *self, GdkModifierType state)
{
  if (self->klass->time_axis && self->on_marker)
    return KYMO_DRAG_MARKER;
  if (self->klass->time_axis && (state & GDK_SHIFT_MASK))
    return KYMO_DRAG_MEASURE;
  if (self->klass->time_axis)
    return kymo_canvas_get_drag_pans () && !(state & GDK_CONTROL_MASK)
           ? KYMO_DRAG_PAN : KYMO_DRAG_SELECT;
  return self->klass->places != NULL ? KYMO_DRAG_BAND : KYMO_DRAG_NONE;
}

static void
begin_kind (KymoCanvas *self, GtkGestureDrag *gesture, GdkModifierType state)
{
  self->drag = self->drag_kind = kind_of_drag (self, state);
  if (self->drag == KYMO_DRAG_NONE)
    return;
  self->dragging->is_set = FALSE;
  self->dragging->ends[1] = kymo_canvas_get_pointer_time (self);
  if (self->drag == KYMO_DRAG_SELECT || self->drag == KYMO_DRAG_MEASURE)
    place_canvas_drag (self, 0, self->drag_x, self->drag_y,
                       (state & GDK_CONTROL_MASK) != 0);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy,
                KymoCanvas *self)
{
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);
  guint button = gtk_gesture_single_get_current_button (
    GTK_GESTURE_SINGLE (gesture));
  GdkModifierType state = gtk_event_controller_get_current_event_state (
    GTK_EVENT_CONTROLLER (gesture));
  double x, y;

  dx /= self->zoom;
  dy /= self->zoom;
  x = self->drag_x + dx;
  y = self->drag_y + dy;

  if (fabs (dx) >= DRAG_LEAST_PX || fabs (dy) >= DRAG_LEAST_PX)
    self->moved = TRUE;
  if (self->drag == KYMO_DRAG_NONE && button == GDK_BUTTON_PRIMARY
      && (self->klass->time_axis ? fabs (dx) >= DRAG_LEAST_PX : self->moved))
    begin_kind (self, gesture, state);
  if (self->drag == KYMO_DRAG_BAND)
    band_to (self, x, y);
  else if (self->drag == KYMO_DRAG_PAN)
    pan_to (self, dx);
  else if (self->drag != KYMO_DRAG_NONE)
    {
      g_clear_pointer (&self->dragging->rows, kymo_id_set_unref);
      if (self->drag == KYMO_DRAG_SELECT && klass->dup_rows != NULL && fabs (dy) >= ROWS_LEAST_PX)
        self->dragging->rows = klass->dup_rows (self, self->drag_y, y);
      place_canvas_drag (self, 1, x, y, (state & GDK_CONTROL_MASK) != 0);
    }
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, KymoCanvas *self)
{
  KymoRect band = kymo_canvas_band (self);
  GdkModifierType state = gtk_event_controller_get_current_event_state (
    GTK_EVENT_CONTROLLER (gesture));

  if (self->drag == KYMO_DRAG_BAND)
    kymo_canvas_pick_in (self, &band,
                         (state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0);
  else if (self->drag == KYMO_DRAG_PAN)
    kymo_navigate_remember (self->session, self->drag_range);
  /* The last edge may still be on its way: drag_kind stays until then. */
  self->drag = KYMO_DRAG_NONE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/** kymo_canvas_add_drag: Returns: (transfer none): the gesture of @self */
GtkGesture *
kymo_canvas_add_drag (KymoCanvas *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  return drag;
}

/* -- what it looks like --------------------------------------------------- */

/** kymo_canvas_edge_words: (nullable): the edge that the drag is at */
const char *
kymo_canvas_edge_words (KymoCanvas *self)
{
  return self->dragging != NULL && self->drag != KYMO_DRAG_NONE
         ? self->dragging->edge : NULL;
}

/** kymo_canvas_paint_gauge: what is measured, as a line with two ends; in all pictures of time,
 * in a timeline in the row */
void
kymo_canvas_paint_gauge (KymoCanvas *self, cairo_t *cr,
                         const KymoPlotFrame *frame, const KymoRect *area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoGauge *gauge = kymo_gauge_of (self->session);
  g_autofree char *words = NULL;
  gint64 location;
  KymoSpan span;
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);
  double x0, x1, y = area->y + 20;

  if (!kymo_gauge_get (gauge, &location, &span))
    return;
  x0 = floor (kymo_plot_time_to_x (frame, span.begin_ns)) + 0.5;
  x1 = floor (kymo_plot_time_to_x (frame, span.end_ns)) + 0.5;
  if (klass->middle_of_row != NULL)
    y = klass->middle_of_row (self, location, y);
  y = floor (y) + 0.5;
  cairo_move_to (cr, x0, y);
  cairo_line_to (cr, x1, y);
  for (guint end = 0; end < 2; end++)
    {
      cairo_move_to (cr, end == 0 ? x0 : x1, y - 8);
      cairo_line_to (cr, end == 0 ? x0 : x1, y + 8);
    }
  kymo_set_source (cr, theme->canvas);
  cairo_set_line_width (cr, 5);
  cairo_stroke_preserve (cr);
  kymo_set_source (cr, theme->foreground);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  words = kymo_format_duration (kymo_span_length (span));
  kymo_canvas_paint_label (cr, frame, words, (x0 + x1) / 2,
                           y - 20 > area->y ? y - 18 : y + 18);
}

/** kymo_canvas_paint_label: words on a small plate, the middle at x, y */
void
kymo_canvas_paint_label (cairo_t *cr, const KymoPlotFrame *frame,
                         const char *words, double x, double y)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_NORMAL, FALSE, 0.5, 0 };
  double half = kymo_text_width (cr, words, style) / 2 + 5;

  x = CLAMP (x, frame->left_px + half, MAX (frame->width_px - half,
                                            frame->left_px + half));
  cairo_rectangle (cr, floor (x - half), floor (y - 9), ceil (2 * half), 18);
  kymo_set_source_alpha (cr, theme->canvas, 0.94);
  cairo_fill_preserve (cr);
  kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  kymo_text_draw (cr, words, x, y, style, theme->foreground);
}

/* -- markers moved with keys ----------------------------------------------- */

typedef struct
{
  KymoSession *session;
  guint        which;
  int          step;
} Step;

static void
on_marker_edges (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree Step *step = data;
  g_autoptr (KymoSession) session = step->session;
  g_autoptr (KymoTable) edges = kymo_source_ask_finish (KYMO_SOURCE (source),
                                                        result, NULL);

  if (edges != NULL && kymo_table_get_bool (edges, "found", 0))
    kymo_session_move_marker (session, step->which, kymo_table_get_int (
                                edges, step->step < 0 ? "before_ns"
                                                      : "after_ns", 0));
}

/* The row of the selected block, of the pointer, or the first one. */
static gint64
location_of_edges (KymoCanvas *self)
{
  gint64 location, time_ns;

  if (kymo_session_get_block (self->session, &location, &time_ns))
    return location;
  location = self->inside ? kymo_canvas_location_at (self, self->y) : -1;
  if (location < 0)
    location = kymo_canvas_location_at (self, kymo_canvas_get_area (self).y
                                              + 2);
  return location;
}

/**
 * kymo_canvas_step_marker:
 * @step: 1 for the next edge, -1 for the one before
 *
 * Moves the marker that was set last.
 */
void
kymo_canvas_step_marker (KymoCanvas *self, int step)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("edges");
  gint64 time_ns = 0, location = location_of_edges (self);
  guint which = kymo_session_get_marker (self->session, 1, &time_ns) ? 1 : 0;
  Step *data;

  if ((which == 0 && !kymo_session_get_marker (self->session, 0, &time_ns))
      || location < 0)
    return;
  data = g_new (Step, 1);
  *data = (Step) { g_object_ref (self->session), which, step };
  kymo_question_set_int (question, "location", location);
  /* At an edge itself the one before is the begin of what ends there. */
  kymo_question_set_int (question, "time", step < 0 ? time_ns - 1 : time_ns);
  kymo_source_ask_async (kymo_session_peek_source (self->session), question,
                         NULL, on_marker_edges, data);
}
