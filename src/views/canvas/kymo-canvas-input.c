/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pointer and keys of a picture. A gesture changes the session and nothing
 * else; every view follows the session.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-finder.h"
#include "kymo-gauge.h"
#include "kymo-navigate.h"
#include "kymo-session-selected.h"

#define ZOOM_STEP 1.25
#define PAN_STEP 0.15
#define ROW_STEP 1.25

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
  KymoPlotHit hit = { .location = -1, .cluster = -1, .group = -1,
                      .time_ns = G_MININT64 };

  if (self->session == NULL)
    return;
  if (self->inside && self->answer != NULL && self->failure == NULL
      && self->klass->hit != NULL)
    self->klass->hit (kymo_canvas_peek_picture (self), self->x, self->y, &hit);
  if (KYMO_CANVAS_GET_CLASS (self)->hit != NULL)
    KYMO_CANVAS_GET_CLASS (self)->hit (self, &hit);
  kymo_canvas_tell_hover (self, &hit);
  if (!same_hit (&hit, &self->hit) || self->inside)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  kymo_plot_hit_clear (&self->hit);
  self->hit = hit;
  kymo_canvas_place_tip (self);
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y,
           KymoCanvas *self)
{
  x /= self->zoom;
  y /= self->zoom;
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

/* -- clicking ------------------------------------------------------------- */

/* There it is the time that is shown. */
static void
zoom_to_clicked (KymoCanvas *self)
{
  KymoSpan span = self->clicked.span;

  if (!kymo_canvas_is_merged (self, self->clicked.location))
    kymo_navigate_zoom_to_block (self->session, self->clicked.location, self->clicked.time_ns);
  else if (kymo_span_length (span) > 0)
    kymo_navigate_zoom_to_span (self->session, span);
  else
    kymo_navigate_zoom_to_span (self->session,
                                (KymoSpan) { self->clicked.time_ns, self->clicked.time_ns });
}

static void
choose_block (KymoCanvas *self, gboolean twice)
{
  if (kymo_canvas_is_merged (self, self->clicked.location))
    {
      kymo_session_set_selection (self->session, NULL);
      kymo_session_clear_block (self->session);
    }
  else
    kymo_session_set_block (self->session, self->clicked.location, self->clicked.time_ns);
  if (twice)
    zoom_to_clicked (self);
}

/* A first click may show another picture below the pointer. */
static void
keep_clicked (KymoCanvas *self)
{
  kymo_plot_hit_clear (&self->clicked);
  self->clicked = self->hit;
  self->clicked.name = g_strdup (self->hit.name);
  self->clicked.text = g_strdup (self->hit.text);
  self->clicked.path = g_strdup (self->hit.path);
}

static void
on_click (GtkGestureClick *gesture, int n_press, double x, double y,
          KymoCanvas *self)
{
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);

  if (n_press == 1)
    kymo_plot_hit_clear (&self->clicked);
  if (self->moved)
    return;
  self->inside = TRUE;
  self->x = x / self->zoom;
  self->y = y / self->zoom;
  kymo_canvas_update_hit (self);
  if (n_press == 1)
    keep_clicked (self);
  if (klass->click != NULL && klass->click (self, n_press))
    return;
  if (n_press == 1)
    kymo_canvas_choose_hit (self);
  if (kymo_canvas_pick_click (self, n_press,
                              gtk_event_controller_get_current_event_state (
                                GTK_EVENT_CONTROLLER (gesture))))
    return;
  if (self->clicked.location >= 0 && self->clicked.time_ns != G_MININT64)
    choose_block (self, n_press == 2);
  else if (n_press == 2)
    g_signal_emit_by_name (self, "activated", self->clicked.name,
                           self->clicked.location);
  else
    {
      kymo_session_set_selection (self->session, NULL);
      kymo_session_clear_block (self->session);
    }
}

static void
on_second (GtkGestureClick *gesture, int n_press, double x, double y,
           KymoCanvas *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->inside = TRUE;
  self->x = x / self->zoom;
  self->y = y / self->zoom;
  kymo_canvas_update_hit (self);
  kymo_canvas_popup (self, self->x, self->y);
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

/* Between the fingers; on a touchpad that is the pointer, on a screen there is none. The
   first finger may have begun to drag, which ends here. */
static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence,
                KymoCanvas *self)
{
  double x, y;

  if (gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    {
      self->inside = TRUE;
      self->x = x / self->zoom;
      self->y = y / self->zoom;
    }
  self->drag_range = kymo_session_get_range (self->session);
  self->drag_ns = kymo_canvas_get_pointer_time (self);
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_pinch_end (GtkGesture *gesture, GdkEventSequence *sequence,
              KymoCanvas *self)
{
  kymo_navigate_remember (self->session, self->drag_range);
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
zoom_canvas_input (KymoCanvas *self, double factor)
{
  kymo_session_zoom (self->session, kymo_canvas_get_pointer_time (self),
                     factor);
}

static gboolean
zoom_to_selection (KymoCanvas *self)
{
  gint64 location, time_ns;

  if (kymo_session_zoom_to_selection (self->session))
    return TRUE;
  if (!kymo_session_get_block (self->session, &location, &time_ns))
    return FALSE;
  kymo_navigate_zoom_to_block (self->session, location, time_ns);
  return TRUE;
}

static void
scroll_rows (KymoCanvas *self, double rows)
{
  gtk_adjustment_set_value (self->vadjustment,
                            gtk_adjustment_get_value (self->vadjustment)
                            + rows * MAX (self->row_px, 1));
}

/* Where the pointer is; without it, of the selected block A is the begin and B
   the end. */
static void
put_marker (KymoCanvas *self)
{
  gint64 location, time_ns;

  if (!self->inside
      && kymo_session_get_block (self->session, &location, &time_ns))
    kymo_navigate_mark_block (self->session, location, time_ns);
  else
    kymo_session_put_marker (self->session,
                             kymo_canvas_get_pointer_time (self));
}

static gboolean
plain_key (KymoCanvas *self, guint key)
{
  double page = gtk_adjustment_get_page_size (self->vadjustment);

  switch (key)
    {
    case GDK_KEY_w: case GDK_KEY_plus: case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      zoom_canvas_input (self, ZOOM_STEP);
      return TRUE;
    case GDK_KEY_s: case GDK_KEY_minus: case GDK_KEY_KP_Subtract:
      zoom_canvas_input (self, 1 / ZOOM_STEP);
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
    case GDK_KEY_n:
      return kymo_canvas_pin_key (self);
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
      put_marker (self);
      return TRUE;
    case GDK_KEY_bracketleft: case GDK_KEY_bracketright:
      kymo_canvas_step_marker (self, key == GDK_KEY_bracketleft ? -1 : 1);
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
    { GDK_KEY_l, "find", "longest" }, { GDK_KEY_k, "find", "shortest" },
    { GDK_KEY_o, "find", "outlier" }, { GDK_KEY_b, "command", "bookmark" },
    { GDK_KEY_slash, "command", "search" }, { GDK_KEY_t, "command", "messages" },
    { GDK_KEY_c, "command", "path-back" }, { GDK_KEY_v, "command", "path-forward" },
    { GDK_KEY_p, "command", "path-critical" },
    { GDK_KEY_less, "command", "path-previous" },
    { GDK_KEY_greater, "command", "path-next" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == key)
      {
        g_signal_emit_by_name (self, keys[i].signal, keys[i].word);
        return TRUE;
      }
  return FALSE;
}

/* What is measured, the selection, the search, and at last the zoom. */
static gboolean
step_out (KymoCanvas *self)
{
  KymoSpan span;

  if (kymo_gauge_clear (kymo_gauge_of (self->session)))
    return TRUE;
  if (!kymo_session_get_selection (self->session, &span)
      && !kymo_session_get_block (self->session, &(gint64) { 0 },
                                  &(gint64) { 0 })
      && kymo_finder_is_active (kymo_finder_of (self->session)))
    {
      g_signal_emit_by_name (self, "command", "end-search");
      return TRUE;
    }
  return kymo_session_escape (self->session);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code,
        GdkModifierType state, KymoCanvas *self)
{
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);

  if ((klass->key != NULL && klass->key (self, key, state))
      || kymo_canvas_pick_key (self, key, state)
      || kymo_canvas_box_key (self, key, state))
    return GDK_EVENT_STOP;
  if (key == GDK_KEY_Menu
      || (key == GDK_KEY_F10 && (state & GDK_SHIFT_MASK)))
    {
      kymo_canvas_popup_chosen (self);
      return GDK_EVENT_STOP;
    }
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
    return step_out (self);
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
  GtkGesture *drag, *click = gtk_gesture_click_new ();
  GtkGesture *second = gtk_gesture_click_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (second),
                                 GDK_BUTTON_SECONDARY);
  g_signal_connect (second, "pressed", G_CALLBACK (on_second), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (second));
  drag = kymo_canvas_add_drag (self);
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
  g_signal_connect (pinch, "end", G_CALLBACK (on_pinch_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
