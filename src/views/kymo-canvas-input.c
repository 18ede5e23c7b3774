/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pointer and keys of a picture. A gesture changes the session and nothing
 * else; every view follows the session.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-navigate.h"

#define ZOOM_STEP 1.25
#define PAN_STEP 0.15
#define ROW_STEP 1.25
/* A press that moves less than this is a click. */
#define DRAG_LEAST_PX 4

/* -- hovering ------------------------------------------------------------- */

static gboolean
same_hit (const KymoPlotHit *a, const KymoPlotHit *b)
{
  return g_strcmp0 (a->text, b->text) == 0 && a->location == b->location
         && a->rect.x == b->rect.x && a->rect.y == b->rect.y;
}

/** kymo_canvas_update_hit: what is under the pointer now */
void
kymo_canvas_update_hit (KymoCanvas *self)
{
  KymoPlotHit hit = { .location = -1, .cluster = -1, .time_ns = G_MININT64 };
  KymoPlotFrame frame;

  if (self->session == NULL)
    return;
  kymo_canvas_get_frame (self, &frame);
  if (self->inside && self->answer != NULL && self->failure == NULL
      && self->klass->hit != NULL)
    self->klass->hit (self->answer, &frame, self->x, self->y, &hit);
  kymo_canvas_hit_message (self, &hit);
  /* In the timeline a block is outlined; to fade all others at each move of
     the pointer would flicker. */
  if ((self->klass->natural_height == NULL || !self->klass->time_axis)
      && g_strcmp0 (hit.name, self->hit.name) != 0)
    kymo_session_set_hovered (self->session, hit.name);
  if (!same_hit (&hit, &self->hit) || self->inside)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  kymo_plot_hit_clear (&self->hit);
  self->hit = hit;
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y,
           KymoCanvas *self)
{
  /* What appears under a pointer at rest was not pointed at. */
  if (self->box >= 0 && self->pointer_x == x && self->pointer_y == y)
    return;
  kymo_canvas_forget_box (self);
  self->inside = TRUE;
  self->x = self->pointer_x = x;
  self->y = self->pointer_y = y;
  kymo_canvas_update_hit (self);
}

static void
on_leave (GtkEventControllerMotion *motion, KymoCanvas *self)
{
  self->inside = FALSE;
  kymo_canvas_update_hit (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* -- dragging ------------------------------------------------------------- */

static void
select_to (KymoCanvas *self, double x)
{
  KymoPlotFrame frame;
  KymoRect area;
  gint64 now;
  KymoSpan span;

  kymo_canvas_get_frame (self, &frame);
  area = kymo_plot_frame_area (self->klass, &frame);
  now = kymo_plot_x_to_time (&frame, CLAMP (x, area.x, area.x + area.width));
  span.begin_ns = MIN (now, self->drag_ns);
  span.end_ns = MAX (now, self->drag_ns);
  kymo_session_set_selection (self->session, &span);
}

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

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, KymoCanvas *self)
{
  guint button = gtk_gesture_single_get_current_button (
    GTK_GESTURE_SINGLE (gesture));
  KymoPlotFrame frame;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  kymo_canvas_get_frame (self, &frame);
  self->drag_x = x;
  self->drag_y = y;
  self->drag_ns = kymo_plot_x_to_time (&frame, x);
  self->drag_range = frame.span;
  self->drag = KYMO_DRAG_NONE;
  self->moved = FALSE;
  if (button == GDK_BUTTON_MIDDLE && self->klass->time_axis)
    {
      self->drag = KYMO_DRAG_PAN;
      kymo_session_set_range (self->session, frame.span, TRUE);
    }
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy,
                KymoCanvas *self)
{
  guint button = gtk_gesture_single_get_current_button (
    GTK_GESTURE_SINGLE (gesture));
  gboolean shift = (gtk_event_controller_get_current_event_state (
                      GTK_EVENT_CONTROLLER (gesture)) & GDK_SHIFT_MASK) != 0;

  if (fabs (dx) >= DRAG_LEAST_PX || fabs (dy) >= DRAG_LEAST_PX)
    self->moved = TRUE;
  if (self->drag == KYMO_DRAG_NONE && button == GDK_BUTTON_PRIMARY
      && self->klass->time_axis && fabs (dx) >= DRAG_LEAST_PX)
    {
      self->drag = kymo_canvas_get_drag_pans () != shift ? KYMO_DRAG_PAN
                                                         : KYMO_DRAG_SELECT;
      if (self->drag == KYMO_DRAG_PAN)
        kymo_session_set_range (self->session, self->drag_range, TRUE);
      gtk_gesture_set_state (GTK_GESTURE (gesture),
                             GTK_EVENT_SEQUENCE_CLAIMED);
    }
  if (self->drag == KYMO_DRAG_NONE && button == GDK_BUTTON_PRIMARY
      && self->klass->places != NULL && self->moved)
    {
      self->drag = KYMO_DRAG_BAND;
      gtk_gesture_set_state (GTK_GESTURE (gesture),
                             GTK_EVENT_SEQUENCE_CLAIMED);
    }
  if (self->drag == KYMO_DRAG_BAND)
    band_to (self, self->drag_x + dx, self->drag_y + dy);
  else if (self->drag == KYMO_DRAG_SELECT)
    select_to (self, self->drag_x + dx);
  else if (self->drag == KYMO_DRAG_PAN)
    pan_to (self, dx);
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
  self->drag = KYMO_DRAG_NONE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_click (GtkGestureClick *gesture, int n_press, double x, double y,
          KymoCanvas *self)
{
  if (self->moved)
    return;
  self->inside = TRUE;
  self->x = x;
  self->y = y;
  kymo_canvas_update_hit (self);
  if (n_press == 1)
    kymo_canvas_choose_hit (self);
  if (kymo_canvas_pick_click (self, n_press,
                              gtk_event_controller_get_current_event_state (
                                GTK_EVENT_CONTROLLER (gesture))))
    return;
  if (n_press == 1 && kymo_canvas_click_message (self))
    return;
  if (self->hit.location >= 0 && self->hit.time_ns != G_MININT64)
    {
      kymo_session_set_block (self->session, self->hit.location,
                              self->hit.time_ns);
      if (n_press == 2)
        kymo_navigate_zoom_to_block (self->session, self->hit.location,
                                     self->hit.time_ns);
    }
  else if (n_press == 2)
    g_signal_emit_by_name (self, "activated", self->hit.name,
                           self->hit.location);
  else
    {
      kymo_session_set_selection (self->session, NULL);
      kymo_session_clear_block (self->session);
    }
}

/* -- wheel and pinch ------------------------------------------------------ */

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy,
           KymoCanvas *self)
{
  GtkEventController *controller = GTK_EVENT_CONTROLLER (scroll);
  GdkModifierType state
    = gtk_event_controller_get_current_event_state (controller);
  double page = gtk_adjustment_get_page_size (self->vadjustment);
  gboolean rows = gtk_adjustment_get_upper (self->vadjustment) > page + 1;

  if ((state & GDK_CONTROL_MASK) && (state & GDK_SHIFT_MASK))
    kymo_canvas_zoom_rows (self, pow (ROW_STEP, fabs (dx) > fabs (dy) ? -dx
                                                                      : -dy));
  else if (state & GDK_CONTROL_MASK)
    kymo_session_zoom (self->session, kymo_canvas_get_pointer_time (self),
                       pow (ZOOM_STEP, -dy));
  else if ((state & GDK_SHIFT_MASK) || fabs (dx) > fabs (dy))
    kymo_session_pan (self->session,
                      (fabs (dx) > fabs (dy) ? dx : dy) * PAN_STEP / 2);
  else if (rows)
    gtk_adjustment_set_value (self->vadjustment,
                              gtk_adjustment_get_value (self->vadjustment)
                              + dy * 54);
  else
    return GDK_EVENT_PROPAGATE;
  kymo_canvas_update_hit (self);
  return GDK_EVENT_STOP;
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence,
                KymoCanvas *self)
{
  self->drag_range = kymo_session_get_range (self->session);
  self->drag_ns = kymo_canvas_get_pointer_time (self);
}

static void
on_pinch (GtkGestureZoom *gesture, double scale, KymoCanvas *self)
{
  KymoSpan range = self->drag_range;
  double factor = 1 / CLAMP (scale, 1e-3, 1e3);

  /* As with the wheel: the length changes, the newest stays. */
  if (kymo_session_get_follow (self->session) > 0)
    {
      kymo_session_zoom (self->session, self->drag_ns,
                         kymo_span_length (kymo_session_get_range (
                           self->session))
                         / (kymo_span_length (range) * factor));
      return;
    }
  range.begin_ns = self->drag_ns
                   - (self->drag_ns - range.begin_ns) * factor;
  range.end_ns = self->drag_ns + (range.end_ns - self->drag_ns) * factor;
  kymo_session_set_range (self->session, range, FALSE);
}

/* -- keys ----------------------------------------------------------------- */

static void
zoom (KymoCanvas *self, double factor)
{
  kymo_session_zoom (self->session, kymo_canvas_get_pointer_time (self),
                     factor);
}

static gboolean
zoom_to_selection (KymoCanvas *self)
{
  KymoSpan span;
  gint64 location, time_ns;

  if (kymo_session_get_selection (self->session, &span))
    {
      kymo_session_set_range (self->session, span, TRUE);
      kymo_session_set_selection (self->session, NULL);
    }
  else if (kymo_session_get_block (self->session, &location, &time_ns))
    kymo_navigate_zoom_to_block (self->session, location, time_ns);
  else
    return FALSE;
  return TRUE;
}

static void
scroll_rows (KymoCanvas *self, double rows)
{
  gtk_adjustment_set_value (self->vadjustment,
                            gtk_adjustment_get_value (self->vadjustment)
                            + rows * MAX (self->row_px, 1));
}

static gboolean
plain_key (KymoCanvas *self, guint key)
{
  double page = gtk_adjustment_get_page_size (self->vadjustment);

  switch (key)
    {
    case GDK_KEY_w: case GDK_KEY_plus: case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      zoom (self, ZOOM_STEP);
      return TRUE;
    case GDK_KEY_s: case GDK_KEY_minus: case GDK_KEY_KP_Subtract:
      zoom (self, 1 / ZOOM_STEP);
      return TRUE;
    case GDK_KEY_a: case GDK_KEY_Left:
      kymo_session_pan (self->session, -PAN_STEP);
      return TRUE;
    case GDK_KEY_d: case GDK_KEY_Right:
      kymo_session_pan (self->session, PAN_STEP);
      return TRUE;
    case GDK_KEY_Up:
      scroll_rows (self, -1);
      return TRUE;
    case GDK_KEY_Down:
      scroll_rows (self, 1);
      return TRUE;
    case GDK_KEY_Page_Up:
      scroll_rows (self, -page / MAX (self->row_px, 1));
      return TRUE;
    case GDK_KEY_Page_Down:
      scroll_rows (self, page / MAX (self->row_px, 1));
      return TRUE;
    case GDK_KEY_e:
      kymo_canvas_zoom_rows (self, ROW_STEP);
      return TRUE;
    case GDK_KEY_q:
      kymo_canvas_zoom_rows (self, 1 / ROW_STEP);
      return TRUE;
    case GDK_KEY_r:
      kymo_canvas_fit_rows (self);
      return TRUE;
    case GDK_KEY_f:
      kymo_session_fit (self->session);
      return TRUE;
    case GDK_KEY_End: case GDK_KEY_KP_End:
      return kymo_session_go_live (self->session);
    case GDK_KEY_z: case GDK_KEY_Return: case GDK_KEY_KP_Enter:
      return zoom_to_selection (self);
    case GDK_KEY_BackSpace:
      kymo_session_back (self->session);
      return TRUE;
    case GDK_KEY_m:
      kymo_session_put_marker (self->session,
                               kymo_canvas_get_pointer_time (self));
      return TRUE;
    default:
      return FALSE;
    }
}

/* Keys that need more than the session: the run view knows how. */
static gboolean
command_key (KymoCanvas *self, guint key)
{
  static const struct { guint key; const char *signal, *word; } keys[] = {
    { GDK_KEY_period, "find", "next" }, { GDK_KEY_comma, "find", "previous" },
    { GDK_KEY_l, "find", "longest" }, { GDK_KEY_b, "command", "bookmark" },
    { GDK_KEY_slash, "command", "search" }, { GDK_KEY_t, "command", "messages" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == key)
      {
        g_signal_emit_by_name (self, keys[i].signal, keys[i].word);
        return TRUE;
      }
  return FALSE;
}

static gboolean
is_arrow (guint key)
{
  return key == GDK_KEY_Left || key == GDK_KEY_Right || key == GDK_KEY_Up
         || key == GDK_KEY_Down;
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code,
        GdkModifierType state, KymoCanvas *self)
{
  if (kymo_canvas_pick_key (self, key, state)
      || kymo_canvas_box_key (self, key, state))
    return GDK_EVENT_STOP;
  state &= GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK;
  if (state == GDK_CONTROL_MASK && key == GDK_KEY_Right)
    g_signal_emit_by_name (self, "find", "next");
  else if (state == GDK_CONTROL_MASK && key == GDK_KEY_Left)
    g_signal_emit_by_name (self, "find", "previous");
  else if (state == GDK_CONTROL_MASK && key == GDK_KEY_c)
    g_signal_emit_by_name (self, "command", "copy-figures");
  else if (state != 0)
    return GDK_EVENT_PROPAGATE;
  else if (key == GDK_KEY_Escape)
    return kymo_session_escape (self->session);
  else if (is_arrow (key) && kymo_canvas_arrow (self, key))
    return GDK_EVENT_STOP;
  else
    return plain_key (self, gdk_keyval_to_lower (key))
           || command_key (self, gdk_keyval_to_lower (key));
  return GDK_EVENT_STOP;
}

/* -- wiring --------------------------------------------------------------- */

static void
add_pointer (KymoCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  /* A press that turns into a drag is no click: "released" is what counts. */
  g_signal_connect (click, "released", G_CALLBACK (on_click), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_group (drag, click);
}

/** kymo_canvas_add_input: connects pointer, wheel and keys */
void
kymo_canvas_add_input (KymoCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll, *keys;
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  add_pointer (self);
  scroll = gtk_event_controller_scroll_new (
    GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (widget, keys);
  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
