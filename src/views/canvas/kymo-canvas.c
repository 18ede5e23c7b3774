/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widget; see kymo-canvas.h.
 */
#include "config.h"

#include <adwaita.h>
#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-gauge.h"
#include "kymo-in-terms.h"
#include "kymo-look.h"
#include "kymo-session-profile.h"
#include "kymo-text-zoom.h"
#include "kymo-timeline-canvas.h"
#include "kymo-units.h"

/* Height of a picture without one of its own, with text of the usual size. */
#define LEAST_PX 80

static gboolean drag_pans;

G_DEFINE_TYPE (KymoCanvas, kymo_canvas, GTK_TYPE_WIDGET)

/**
 * kymo_range_time_text:
 * @time_ns: ns
 * @range: the range in which the time is shown
 *
 * Returns: (transfer full): the time with as many digits as tell times apart in a picture of @range
 */
char *
kymo_range_time_text (gint64 time_ns, KymoSpan range)
{
  return kymo_format_time (time_ns,
                           kymo_nice_time_step (kymo_span_length (range),
                                                200));
}

/**
 * kymo_shown_time_text:
 * @time_ns: of the run, ns
 *
 * Returns: (transfer full): as kymo_range_time_text() for the visible range of @session, since the
 *   begin of its stretch where it has one
 */
char *
kymo_shown_time_text (KymoSession *session, gint64 time_ns)
{
  return kymo_range_time_text (time_ns - kymo_session_get_stretch (session).begin_ns,
                               kymo_session_get_range (session));
}

/** kymo_canvas_get_frame: what the picture depends on, now */
void
kymo_canvas_get_frame (KymoCanvas *self, KymoPlotFrame *frame)
{
  GtkWidget *widget = GTK_WIDGET (self);

  kymo_plot_frame_init (frame, gtk_widget_get_width (widget) / self->zoom,
                        gtk_widget_get_height (widget) / self->zoom, kymo_look_now (),
                        kymo_session_peek_colors (self->session),
                        kymo_canvas_get_span (self));
  frame->stretch = kymo_session_get_stretch (self->session);
  frame->scale = gtk_widget_get_scale_factor (widget) * self->zoom;
  frame->hovered = kymo_canvas_lifted_name (self);
  frame->hidden = kymo_session_peek_hidden (self->session);
  frame->row_px = self->row_px;
  frame->n_locations = self->n_locations;
  frame->scroll_px = self->row_px > 0
                     ? round (gtk_adjustment_get_value (self->vadjustment)) : 0;
  frame->by_time = self->by_time;
  if (kymo_session_get_by_class (self->session))
    frame->classes = kymo_session_peek_classes (self->session);
  frame->cluster = self->cluster + 1;
  frame->terms = kymo_session_get_terms (self->session);
  if (kymo_canvas_is_profile (self))
    kymo_canvas_frame_profile (self, frame);
}

/** kymo_canvas_get_area: the data area */
KymoRect
kymo_canvas_get_area (KymoCanvas *self)
{
  KymoPlotFrame frame;

  kymo_canvas_get_frame (self, &frame);
  return kymo_plot_frame_area (self->klass, &frame);
}

/**
 * kymo_canvas_peek_picture:
 *
 * Returns: (transfer none) (nullable): the answer, laid out in the frame as it is now; valid until
 *   the frame or the answer changes. %NULL without an answer
 */
const KymoPicture *
kymo_canvas_peek_picture (KymoCanvas *self)
{
  KymoPlotFrame frame;

  if (self->answer == NULL)
    return NULL;
  kymo_canvas_get_frame (self, &frame);
  if (!kymo_picture_is_of (self->laid_out, self->answer, &frame))
    {
      kymo_picture_free (self->laid_out);
      self->laid_out = kymo_picture_new (self->klass, self->answer, &frame);
    }
  return self->laid_out;
}

/* -- painting ------------------------------------------------------------- */

/**
 * kymo_canvas_queue_paint:
 *
 * Lays out the kept answer again and paints it: what the frame points to has changed, such as
 * hidden names or colours.
 */
void
kymo_canvas_queue_paint (KymoCanvas *self)
{
  self->need_paint = TRUE;
  g_clear_pointer (&self->laid_out, kymo_picture_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/** kymo_canvas_queue_still: paints again what lies over the picture */
void
kymo_canvas_queue_still (KymoCanvas *self)
{
  self->need_still = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* -- following the session ------------------------------------------------ */

static void
on_grown (KymoCanvas *self)
{
  if (kymo_asker_wants_more (self->asker))
    kymo_canvas_queue_answer (self);
}

/**
 * kymo_canvas_waits:
 *
 * What follows a stream is painted when the answer about the new block is
 * there, once a block; until then the old picture stands.
 *
 * Returns: whether another range waits for its answer
 */
gboolean
kymo_canvas_waits (KymoCanvas *self)
{
  return self->replaces || kymo_session_get_follow (self->session) > 0;
}

static void
on_range_changed (KymoCanvas *self)
{
  if (kymo_canvas_waits (self) && self->answer != NULL)
    on_grown (self);
  else
    kymo_canvas_review (self);
  kymo_canvas_update_accessible (self);
}

/* Other locations, other rows. */
static void
on_filter_changed (KymoCanvas *self)
{
  self->n_locations = 0;
  kymo_canvas_queue_answer (self);
  kymo_canvas_queue_paint (self);
  kymo_canvas_update_accessible (self);
}

static void
on_outgrown (gpointer data)
{
  kymo_canvas_queue_answer (data);
}

static void
follow_canvas (KymoCanvas *self)
{
  GObject *session = G_OBJECT (self->session);

  kymo_follow (session, "range-changed", on_range_changed, self);
  kymo_follow (session, "filter-changed", on_filter_changed, self);
  kymo_follow (session, "grown", on_grown, self);
  kymo_follow (session, "colors-changed", kymo_canvas_queue_paint, self);
  kymo_canvas_follow_hover (self);
  kymo_follow (session, "selection-changed", kymo_canvas_queue_still, self);
  kymo_follow (session, "markers-changed", kymo_canvas_queue_still, self);
  kymo_follow (kymo_gauge_of (self->session), "changed", kymo_canvas_queue_still, self);
  kymo_look_follow (G_CALLBACK (kymo_canvas_queue_paint), self);
  kymo_follow (self->vadjustment, "value-changed", kymo_canvas_review, self);
  kymo_follow (self, "state-flags-changed", kymo_canvas_queue_still, self);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_canvas_map (GtkWidget *widget)
{
  KymoCanvas *self = KYMO_CANVAS (widget);

  GTK_WIDGET_CLASS (kymo_canvas_parent_class)->map (widget);
  if (self->need_answer && !self->given)
    kymo_canvas_queue_answer (self);
}

static void
kymo_canvas_unmap (GtkWidget *widget)
{
  KymoCanvas *self = KYMO_CANVAS (widget);

  /* A box that keys have chosen stays chosen. */
  self->inside = self->inside && self->box >= 0;
  kymo_canvas_update_hit (self);
  kymo_canvas_stop_telling (self);
  kymo_canvas_stop_asking (self);
  GTK_WIDGET_CLASS (kymo_canvas_parent_class)->unmap (widget);
}

static void
kymo_canvas_size_allocate (GtkWidget *widget, int width, int height,
                           int baseline)
{
  KymoCanvas *self = KYMO_CANVAS (widget);

  kymo_canvas_configure_rows (self);
  kymo_canvas_queue_paint (self);
  kymo_canvas_queue_answer (self);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
  if (self->color != NULL)
    gtk_popover_present (GTK_POPOVER (self->color));
  if (self->tip != NULL)
    gtk_popover_present (GTK_POPOVER (self->tip));
}

/* The picture grows with the text of the desktop. */
static void
on_text_size (KymoCanvas *self)
{
  double zoom = kymo_text_zoom ();

  if (zoom == self->zoom)
    return;
  self->zoom = zoom;
  /* The size of the widget may be the same. */
  kymo_canvas_configure_rows (self);
  kymo_canvas_queue_paint (self);
  kymo_canvas_queue_answer (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
kymo_canvas_measure (GtkWidget *widget, GtkOrientation orientation,
                     int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  gboolean wide = orientation == GTK_ORIENTATION_HORIZONTAL;
  gboolean few = KYMO_CANVAS (widget)->own_rows != NULL;

  *minimum = (wide ? 260 : few ? 20 : KYMO_CANVAS (widget)->least_px)
    * MIN (KYMO_CANVAS (widget)->zoom, 1.5);
  *natural = MAX (*minimum, wide ? 600 : few ? 0 : 200);
}

static void
kymo_canvas_dispose (GObject *object)
{
  KymoCanvas *self = KYMO_CANVAS (object);

  kymo_canvas_stop_telling (self);
  g_clear_pointer (&self->lifted, g_free);
  g_clear_handle_id (&self->dim_id, g_source_remove);
  g_clear_handle_id (&self->rest_id, g_source_remove);
  kymo_canvas_forget_drag (self);
  kymo_canvas_forget_menu (self);
  g_clear_pointer (&self->root, g_free);
  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_pointer (&self->laid_out, kymo_picture_free);
  g_clear_pointer (&self->answer, kymo_table_unref);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  g_clear_pointer (&self->still, gsk_render_node_unref);
  for (guint i = 0; i < G_N_ELEMENTS (self->surfaces); i++)
    g_clear_pointer (&self->surfaces[i], cairo_surface_destroy);
  g_clear_pointer (&self->own_rows, g_array_unref);
  g_clear_pointer (&self->picks, kymo_id_set_unref);
  g_clear_pointer (&self->parameters, g_hash_table_unref);
  g_clear_pointer (&self->focus, g_free);
  g_clear_pointer (&self->subject, g_free);
  g_clear_pointer (&self->label, g_free);
  g_clear_pointer (&self->description, g_free);
  g_clear_pointer (&self->failure, g_free);
  kymo_plot_hit_clear (&self->hit);
  kymo_plot_hit_clear (&self->clicked);
  g_clear_object (&self->vadjustment);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_canvas_parent_class)->dispose (object);
}

static void
kymo_canvas_class_init (KymoCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_canvas_dispose;
  widget_class->snapshot = kymo_canvas_paint;
  widget_class->size_allocate = kymo_canvas_size_allocate;
  widget_class->measure = kymo_canvas_measure;
  widget_class->map = kymo_canvas_map;
  widget_class->unmap = kymo_canvas_unmap;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "kymocanvas");
  kymo_signal_new ("answer-changed", KYMO_TYPE_CANVAS, 0);
  kymo_signal_new ("find", KYMO_TYPE_CANVAS, 1, G_TYPE_STRING);
  kymo_signal_new ("message", KYMO_TYPE_CANVAS, 1, G_TYPE_STRING);
  kymo_signal_new ("command", KYMO_TYPE_CANVAS, 1, G_TYPE_STRING);
  kymo_signal_new ("activated", KYMO_TYPE_CANVAS, 2, G_TYPE_STRING, G_TYPE_INT64);
  kymo_signal_new ("described", KYMO_TYPE_CANVAS, 0);
  kymo_signal_new ("focus-changed", KYMO_TYPE_CANVAS, 0);
  kymo_signal_new ("picked", KYMO_TYPE_CANVAS, 2, G_TYPE_INT64, G_TYPE_BOOLEAN);
}

static void
kymo_canvas_init (KymoCanvas *self)
{
  self->need_answer = TRUE;
  self->zoom = kymo_text_zoom ();
  self->parameters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            g_free);
  self->vadjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  kymo_plot_hit_clear (&self->hit);
  kymo_plot_hit_clear (&self->clicked);
  self->cursor = self->anchor = -1;
  self->cluster = -1;
  self->top = -1;
  self->box = -1;
  self->box_wanted = KYMO_BOX_NO_PART;
  self->least_px = LEAST_PX;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/**
 * kymo_canvas_new:
 * @klass: which picture
 * @session: whose range, selection and filter it follows
 *
 * Returns: (transfer floating): the widget; a #KymoTimelineCanvas for a picture of blocks
 */
GtkWidget *
kymo_canvas_new (const KymoPlotClass *klass, KymoSession *session)
{
  KymoCanvas *self = g_object_new (klass->of_blocks ? KYMO_TYPE_TIMELINE_CANVAS
                                                    : KYMO_TYPE_CANVAS, NULL);

  self->klass = klass;
  self->session = g_object_ref (session);
  self->options = g_object_ref (kymo_session_peek_options (session));
  self->asker = kymo_asker_new (kymo_session_peek_source (session),
                                kymo_canvas_on_answer, self);
  kymo_asker_set_again (self->asker, on_outgrown);
  kymo_asker_want_drafts (self->asker);
  kymo_canvas_add_input (self);
  kymo_canvas_add_menu (self);
  kymo_text_zoom_follow (GTK_WIDGET (self), G_CALLBACK (on_text_size));
  follow_canvas (self);
  kymo_canvas_follow_counted (self);
  kymo_canvas_follow_profile (self);
  if (KYMO_CANVAS_GET_CLASS (self)->follow != NULL)
    KYMO_CANVAS_GET_CLASS (self)->follow (self);
  kymo_canvas_update_accessible (self);
  return GTK_WIDGET (self);
}

/**
 * kymo_canvas_get_plot:
 *
 * Returns: (transfer none): the picture that the canvas shows
 */
const KymoPlotClass *
kymo_canvas_get_plot (KymoCanvas *self)
{
  return self->klass;
}

/** kymo_canvas_set_subject: "8 PEs", for the accessible label */
void
kymo_canvas_set_subject (KymoCanvas *self, const char *subject)
{
  g_free (self->subject);
  self->subject = g_strdup (subject);
  kymo_canvas_update_accessible (self);
}

/**
 * kymo_canvas_set_parameter:
 * @key: a keyword of the question
 * @value: (nullable): %NULL takes the keyword away
 */
void
kymo_canvas_set_parameter (KymoCanvas *self, const char *key,
                           const char *value)
{
  if (g_strcmp0 (g_hash_table_lookup (self->parameters, key), value) == 0)
    return;
  if (value != NULL)
    g_hash_table_insert (self->parameters, g_strdup (key), g_strdup (value));
  else
    g_hash_table_remove (self->parameters, key);
  kymo_canvas_queue_answer (self);
}

/** kymo_canvas_peek_parameters: keyword -> value */
GHashTable *
kymo_canvas_peek_parameters (KymoCanvas *self)
{
  return self->parameters;
}

/** kymo_canvas_set_by_time: histogram bars weigh time instead of count */
void
kymo_canvas_set_by_time (KymoCanvas *self, gboolean by_time)
{
  self->by_time = by_time;
  kymo_canvas_queue_paint (self);
}

/**
 * kymo_canvas_set_replaces:
 * @replaces: whether another range is shown only when its answer is there; then no time beside the
 *   range is asked for
 */
void
kymo_canvas_set_replaces (KymoCanvas *self, gboolean replaces)
{
  self->replaces = replaces;
}

/**
 * kymo_canvas_set_least_height:
 * @least_px: px, with text of the usual size
 *
 * Sets the height below which the canvas is not squeezed.
 */
void
kymo_canvas_set_least_height (KymoCanvas *self, int least_px)
{
  self->least_px = least_px;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/** kymo_canvas_set_span: @span: (nullable): not asked for at once */
void
kymo_canvas_set_span (KymoCanvas *self, const KymoSpan *span)
{
  self->has_span = span != NULL;
  if (span != NULL)
    self->span = *span;
  kymo_canvas_queue_paint (self);
  kymo_canvas_update_accessible (self);
}

/** kymo_canvas_get_span: the range that is shown; empty where there is no time */
KymoSpan
kymo_canvas_get_span (KymoCanvas *self)
{
  if (self->has_span)
    return self->span;
  if (!kymo_session_has_time (self->session))
    return (KymoSpan) { 0, 0 };
  return kymo_session_get_range (self->session);
}

/**
 * kymo_canvas_lift_cluster:
 * @cluster: the cluster whose members are lifted while others fade, or -1
 */
void
kymo_canvas_lift_cluster (KymoCanvas *self, gint cluster)
{
  if (self->cluster == cluster)
    return;
  self->cluster = cluster;
  kymo_canvas_queue_paint (self);
}

/** kymo_canvas_peek_session: whose range it shows */
KymoSession *
kymo_canvas_peek_session (KymoCanvas *self)
{
  return self->session;
}

/**
 * kymo_canvas_get_by_time:
 *
 * Returns: whether bars of a histogram weigh time instead of count
 */
gboolean
kymo_canvas_get_by_time (KymoCanvas *self)
{
  return self->by_time;
}

/** kymo_canvas_peek_answer: (nullable): the answer that is shown */
KymoTable *
kymo_canvas_peek_answer (KymoCanvas *self)
{
  return self->answer;
}

/** kymo_canvas_has_failed: a sentence is shown instead of a picture */
gboolean
kymo_canvas_has_failed (KymoCanvas *self)
{
  return self->failure != NULL;
}

/* A question that was refused leaves words instead of an answer to paint. */
static gboolean
is_to_be_painted (KymoCanvas *self)
{
  return self->need_paint && self->answer != NULL;
}

/** kymo_canvas_is_settled: whether what is shown is what was last asked */
gboolean
kymo_canvas_is_settled (KymoCanvas *self)
{
  return !self->need_answer && !kymo_asker_is_busy (self->asker)
         && self->rest_id == 0 && !is_to_be_painted (self);
}

/** kymo_canvas_get_vadjustment: scrolls rows */
GtkAdjustment *
kymo_canvas_get_vadjustment (KymoCanvas *self)
{
  return self->vadjustment;
}

/** kymo_canvas_get_pointer_time: under the pointer, else the middle */
gint64
kymo_canvas_get_pointer_time (KymoCanvas *self)
{
  KymoSpan range = kymo_session_get_range (self->session);
  KymoPlotFrame frame;
  KymoRect area;

  kymo_canvas_get_frame (self, &frame);
  area = kymo_plot_frame_area (self->klass, &frame);
  if (!self->klass->time_axis || !self->inside || self->x < area.x
      || self->x > area.x + area.width)
    return range.begin_ns + kymo_span_length (range) / 2;
  return kymo_plot_x_to_time (&frame, self->x);
}

/** kymo_canvas_set_drag_pans: whether dragging pans; Shift does the other */
void
kymo_canvas_set_drag_pans (gboolean pans)
{
  drag_pans = pans;
}

/**
 * kymo_canvas_get_drag_pans:
 *
 * Returns: whether dragging pans, in all canvases; otherwise it selects
 */
gboolean
kymo_canvas_get_drag_pans (void)
{
  return drag_pans;
}
