/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-bookmark-marks.h"
#include "kymo-canvas.h"
#include "kymo-finder.h"
#include "kymo-look.h"
#include "kymo-navigate.h"
#include "kymo-ruler.h"
#include "kymo-text-zoom.h"
#include "kymo-theme.h"

#define HEIGHT_PX 28

struct _KymoRuler
{
  GtkWidget    parent_instance;

  KymoSession *session;
  KymoTable   *phases;             /* or NULL */
  KymoTable   *marks;              /* or NULL */
  KymoSpan     before;             /* range when a drag began */
};

G_DEFINE_FINAL_TYPE (KymoRuler, kymo_ruler, GTK_TYPE_WIDGET)

static void
get_frame (KymoRuler *self, KymoPlotFrame *frame)
{
  GtkWidget *widget = GTK_WIDGET (self);

  kymo_plot_frame_init (frame, gtk_widget_get_width (widget) / kymo_text_zoom (),
                        gtk_widget_get_height (widget) / kymo_text_zoom (),
                        kymo_look_now (),
                        kymo_session_peek_colors (self->session),
                        kymo_session_get_range (self->session));
  frame->stretch = kymo_session_get_stretch (self->session);
  frame->scale = gtk_widget_get_scale_factor (widget) * kymo_text_zoom ();
  frame->phases = self->phases;
  frame->marks = self->marks;
}

static void
paint_found (KymoSession *session, cairo_t *cr, const KymoPlotFrame *frame)
{
  KymoSpan span;
  guint n;
  const gint64 *ticks = kymo_finder_peek_ticks (kymo_finder_of (session),
                                                FALSE, &n, &span);

  if (ticks != NULL)
    kymo_plot_paint_ticks (cr, frame, ticks, n, span, FALSE);
}

static void
kymo_ruler_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  graphene_rect_t bounds;
  KymoPlotFrame frame;
  cairo_t *cr;

  get_frame (KYMO_RULER (widget), &frame);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_scale (snapshot, kymo_text_zoom (), kymo_text_zoom ());
  graphene_rect_init (&bounds, 0, 0, frame.width_px, frame.height_px);
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  kymo_plot_paint_ruler (cr, &frame);
  kymo_paint_bookmarks (cr, KYMO_RULER (widget)->session, &frame, frame.height_px - 7);
  paint_found (KYMO_RULER (widget)->session, cr, &frame);
  kymo_canvas_paint_hovered_time (KYMO_RULER (widget)->session, cr, &frame);
  if (gtk_widget_has_visible_focus (widget))
    {
      kymo_set_source_alpha (cr, kymo_theme_get (frame.look)->accent, 0.6);
      cairo_rectangle (cr, 1, 1, frame.width_px - 2, frame.height_px - 2);
      cairo_stroke (cr);
    }
  cairo_destroy (cr);
  gtk_snapshot_restore (snapshot);
}

static void
on_range_changed (KymoRuler *self)
{
  KymoSpan range = kymo_session_get_range (self->session);
  g_autofree char *begin = kymo_shown_time_text (self->session, range.begin_ns);
  g_autofree char *end = kymo_shown_time_text (self->session, range.end_ns);
  g_autofree char *label = g_strdup_printf (_("Time axis: %s to %s"), begin,
                                            end);

  if (kymo_session_get_follow (self->session) == 0)
    kymo_accessible_name (self, label);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What was noted at a flag, or is a bookmark. */
static gboolean
on_query_tooltip (KymoRuler *self, int x, int y, gboolean by_keyboard,
                  GtkTooltip *tooltip)
{
  g_autofree char *mark = NULL, *noted = NULL, *words = NULL;
  KymoPlotFrame frame;

  if (by_keyboard)
    return FALSE;
  get_frame (self, &frame);
  if (self->marks != NULL)
    mark = kymo_plot_dup_mark (&frame, self->marks, x / kymo_text_zoom ());
  noted = kymo_bookmarks_dup_words (self->session, &frame, x / kymo_text_zoom ());
  words = g_strjoin ("\n\n", mark != NULL ? mark : noted, mark != NULL ? noted : NULL, NULL);
  gtk_tooltip_set_text (tooltip, words);
  return mark != NULL || noted != NULL;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, KymoRuler *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->before = kymo_session_get_range (self->session);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, KymoRuler *self)
{
  /* A click is a drag, too, and the run may have grown since it began. */
  if (ABS (dx) >= 1)
    kymo_navigate_remember (self->session, self->before);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy,
                KymoRuler *self)
{
  KymoSpan full = kymo_session_get_full_range (self->session);
  KymoSpan range = self->before;
  KymoPlotFrame frame;
  gint64 shift;

  get_frame (self, &frame);
  frame.span = range;
  shift = kymo_plot_x_to_time (&frame, 0) - kymo_plot_x_to_time (&frame, dx / kymo_text_zoom ());
  shift = CLAMP (shift, full.begin_ns - range.begin_ns,
                 full.end_ns - range.end_ns);
  range.begin_ns += shift;
  range.end_ns += shift;
  kymo_session_set_range (self->session, range, FALSE);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code,
        GdkModifierType state, KymoRuler *self)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Left)
    kymo_session_pan (self->session, -0.1);
  else if (key == GDK_KEY_Right)
    kymo_session_pan (self->session, 0.1);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
kymo_ruler_measure (GtkWidget *widget, GtkOrientation orientation,
                    int for_size, int *minimum, int *natural,
                    int *minimum_baseline, int *natural_baseline)
{
  KymoRuler *self = KYMO_RULER (widget);
  gboolean strip = self->phases != NULL
                   && kymo_table_get_n_rows (self->phases) > 0;

  *minimum = *natural = orientation != GTK_ORIENTATION_VERTICAL ? 200
                        : (HEIGHT_PX + (strip ? KYMO_PHASES_PX : 0))
                          * kymo_text_zoom ();
}

static void
kymo_ruler_dispose (GObject *object)
{
  g_clear_object (&KYMO_RULER (object)->session);
  g_clear_pointer (&KYMO_RULER (object)->phases, kymo_table_unref);
  g_clear_pointer (&KYMO_RULER (object)->marks, kymo_table_unref);
  G_OBJECT_CLASS (kymo_ruler_parent_class)->dispose (object);
}

static void
kymo_ruler_class_init (KymoRulerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_ruler_dispose;
  widget_class->snapshot = kymo_ruler_snapshot;
  widget_class->measure = kymo_ruler_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
kymo_ruler_init (KymoRuler *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (widget, keys);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_cursor_from_name (widget, "grab");
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
}

/** kymo_ruler_new: @phases: (nullable): rows of the info answer's phases */
GtkWidget *
kymo_ruler_new (KymoSession *session, KymoTable *phases)
{
  KymoRuler *self = g_object_new (KYMO_TYPE_RULER, NULL);

  self->session = g_object_ref (session);
  self->phases = phases != NULL ? kymo_table_ref (phases) : NULL;
  kymo_follow (session, "range-changed", on_range_changed, self);
  kymo_follow (session, "bookmarks-changed", gtk_widget_queue_draw, self);
  kymo_follow (session, "hover-changed", gtk_widget_queue_draw, self);
  kymo_follow (kymo_finder_of (session), "changed", gtk_widget_queue_draw, self);
  kymo_text_zoom_follow (GTK_WIDGET (self),
                         G_CALLBACK (gtk_widget_queue_resize));
  kymo_look_follow (G_CALLBACK (gtk_widget_queue_draw), self);
  on_range_changed (self);
  return GTK_WIDGET (self);
}

/** kymo_ruler_set_phases: @phases: (nullable): of the run */
void
kymo_ruler_set_phases (KymoRuler *self, KymoTable *phases)
{
  KymoTable *before = self->phases;

  if (phases == before)
    return;
  self->phases = phases != NULL ? kymo_table_ref (phases) : NULL;
  g_clear_pointer (&before, kymo_table_unref);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/** kymo_ruler_set_marks: @marks: (nullable): rows of an answer's marks */
void
kymo_ruler_set_marks (KymoRuler *self, KymoTable *marks)
{
  KymoTable *before = self->marks;

  self->marks = marks != NULL ? kymo_table_ref (marks) : NULL;
  g_clear_pointer (&before, kymo_table_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
