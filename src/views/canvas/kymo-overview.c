/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-accessible.h"
#include "kymo-bookmark-marks.h"
#include "kymo-canvas.h"
#include "kymo-finder.h"
#include "kymo-in-terms.h"
#include "kymo-look.h"
#include "kymo-navigate.h"
#include "kymo-overview.h"
#include "kymo-run-regions.h"
#include "kymo-text.h"
#include "kymo-text-zoom.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

#define HEIGHT_PX 44
#define EDGE_PX 6
#define BAND_PX 4                  /* of regions along the foot */
#define MOST_LINES 3               /* of a tooltip */

typedef enum { BRUSH_NONE, BRUSH_NEW, BRUSH_MOVE, BRUSH_BEGIN, BRUSH_END } Brush;

struct _KymoOverview
{
  GtkWidget    parent_instance;

  KymoSession *session;
  KymoViewAsker *asker;
  KymoTable   *answer;
  int          asked_width;
  gint64       asked_end_ns;       /* of the run then */
  Brush        brush;
  double       drag_x;
  KymoSpan     before;             /* range when the drag began */
};

G_DEFINE_FINAL_TYPE (KymoOverview, kymo_overview, GTK_TYPE_WIDGET)

static void
get_frame (KymoOverview *self, KymoPlotFrame *frame)
{
  GtkWidget *widget = GTK_WIDGET (self);

  kymo_plot_frame_init (frame, gtk_widget_get_width (widget) / kymo_text_zoom (),
                        gtk_widget_get_height (widget) / kymo_text_zoom (),
                        kymo_look_now (),
                        kymo_session_peek_colors (self->session),
                        kymo_session_get_full_range (self->session));
  frame->scale = gtk_widget_get_scale_factor (widget) * kymo_text_zoom ();
  frame->terms = kymo_session_get_terms (self->session);
}

static KymoQuestion *
new_question (gpointer view)
{
  KymoOverview *self = view;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  KymoQuestion *question;

  if (width < 2)
    return NULL;
  self->asked_width = width;
  self->asked_end_ns = kymo_source_get_span (
    kymo_session_peek_source (self->session)).end_ns;
  question = kymo_question_new ("time-profile");
  kymo_question_set_span (question,
                          kymo_session_get_full_range (self->session));
  kymo_question_set_resolution (question, CLAMP (width / 2, 32, 1024), 0);
  kymo_session_prepare (self->session, question);
  kymo_question_set_int (question, "workers-only", 1);
  return question;
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoOverview *self = data;

  if (answer == NULL)
    return;
  kymo_table_ref (answer);
  g_clear_pointer (&self->answer, kymo_table_unref);
  self->answer = answer;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Whether the run has become longer, or shorter, by what can be seen. */
static gboolean
is_outdated (gpointer view)
{
  KymoOverview *self = view;
  KymoSource *source = kymo_session_peek_source (self->session);
  KymoSpan full = kymo_session_get_full_range (self->session);
  gint64 change = kymo_source_get_span (source).end_ns - self->asked_end_ns;
  double width = gtk_widget_get_width (GTK_WIDGET (self));

  return self->answer == NULL || change < 0
         || change * width >= kymo_span_length (full)
         || !(kymo_source_get_capabilities (source) & KYMO_CAN_STREAM);
}

static const KymoViewQuestion whole_run = {
  .question = new_question, .answered = on_answer, .grown = is_outdated,
};

static void
paint_found (KymoSession *session, cairo_t *cr, const KymoPlotFrame *frame)
{
  KymoSpan span;
  guint n;
  const gint64 *ticks = kymo_finder_peek_ticks (kymo_finder_of (session),
                                                TRUE, &n, &span);

  if (ticks != NULL)
    kymo_plot_paint_ticks (cr, frame, ticks, n, span, TRUE);
}

/* -- regions -------------------------------------------------------------- */

static void
paint_end (cairo_t *cr, const KymoPlotFrame *frame, const char *name, double x0, double x1)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };

  kymo_set_source_alpha (cr, theme->secondary, 0.14);
  cairo_rectangle (cr, x0, 0, x1 - x0, frame->height_px);
  cairo_fill (cr);
  if (kymo_text_width (cr, name, style) + 8 <= x1 - x0)
    kymo_text_draw (cr, name, (x0 + x1) / 2, frame->height_px / 2, style, theme->secondary);
}

/* Start-up and shutdown are grey; iterations are bands in turns along the foot, over them phases.
   Bands of less than a pixel are left out. */
static void
paint_regions (KymoRunRegions *regions, cairo_t *cr, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double last_px[2] = { -1, -1 };

  for (guint i = 0; i < kymo_run_regions_get_n (regions); i++)
    {
      const char *kind = kymo_run_regions_peek_kind (regions, i);
      KymoSpan span = kymo_span_intersect (kymo_run_regions_get_span (regions, i), frame->span);
      double x0 = kymo_plot_time_to_x (frame, span.begin_ns);
      double x1 = kymo_plot_time_to_x (frame, span.end_ns);
      gboolean phase = strcmp (kind, "phase") == 0;
      g_autofree char *name = NULL;

      if (strcmp (kind, "startup") == 0 || strcmp (kind, "shutdown") == 0)
        {
          name = kymo_run_regions_dup_name (regions, i);
          paint_end (cr, frame, name, x0, x1);
        }
      else if ((phase || strcmp (kind, "iteration") == 0) && x1 >= last_px[phase] + 1)
        {
          kymo_set_source_alpha (cr, theme->secondary, i % 2 == 0 ? 0.3 : 0.75);
          cairo_rectangle (cr, x0, frame->height_px - (phase ? 2 : 1) * BAND_PX, x1 - x0,
                           BAND_PX - 1);
          cairo_fill (cr);
          last_px[phase] = x1;
        }
    }
}

/* The shortest region of each kind at a time, such as "Iteration 3: 1.23 ms". */
static char *
dup_region_words (KymoRunRegions *regions, gint64 time_ns)
{
  g_autoptr (GString) words = g_string_new (NULL);
  guint n_lines = 0;

  for (guint i = kymo_run_regions_get_n (regions); i-- > 0 && n_lines < MOST_LINES;)
    {
      KymoSpan span = kymo_run_regions_get_span (regions, i);
      g_autofree char *name = NULL, *length = NULL;

      if (time_ns < span.begin_ns || time_ns >= span.end_ns
          || strcmp (kymo_run_regions_peek_kind (regions, i), "main") == 0)
        continue;
      name = kymo_run_regions_dup_name (regions, i);
      length = kymo_format_duration (kymo_span_length (span));
      g_string_append_printf (words, "%s%s: %s", n_lines++ > 0 ? "\n" : "", name, length);
    }
  return n_lines > 0 ? g_strdup (words->str) : NULL;
}

static gboolean
on_query_tooltip (KymoOverview *self, int x, int y, gboolean by_keyboard, GtkTooltip *tooltip)
{
  g_autofree char *words = NULL;
  KymoPlotFrame frame;

  if (by_keyboard)
    return FALSE;
  get_frame (self, &frame);
  words = dup_region_words (kymo_run_regions_of (self->session),
                            kymo_plot_x_to_time (&frame, x / kymo_text_zoom ()));
  gtk_tooltip_set_text (tooltip, words);
  return words != NULL;
}

static void
kymo_overview_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  KymoOverview *self = KYMO_OVERVIEW (widget);
  graphene_rect_t bounds;
  KymoPlotFrame frame;
  cairo_t *cr;

  get_frame (self, &frame);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_scale (snapshot, kymo_text_zoom (), kymo_text_zoom ());
  graphene_rect_init (&bounds, 0, 0, frame.width_px, frame.height_px);
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  kymo_plot_paint_overview (cr, self->answer, &frame, frame.span,
                            kymo_session_get_range (self->session));
  paint_regions (kymo_run_regions_of (self->session), cr, &frame);
  kymo_paint_bookmarks (cr, self->session, &frame, 0);
  kymo_text_draw (cr, _("whole run"), frame.left_px - 12, frame.height_px / 2,
                  (KymoTextStyle) { KYMO_TEXT_SMALL, FALSE, 1,
                                    frame.left_px - 16 },
                  kymo_theme_get (frame.look)->secondary);
  paint_found (self->session, cr, &frame);
  kymo_canvas_paint_hovered_time (self->session, cr, &frame);
  cairo_destroy (cr);
  gtk_snapshot_restore (snapshot);
}

static void
update_accessible (KymoOverview *self)
{
  KymoSpan range = kymo_session_get_range (self->session);
  g_autofree char *begin = kymo_shown_time_text (self->session, range.begin_ns);
  g_autofree char *end = kymo_shown_time_text (self->session, range.end_ns);
  g_autofree char *label = g_strdup_printf (_("Whole run, visible %s to %s"),
                                            begin, end);

  /* Of a stream that is followed the canvas says so, once. */
  if (kymo_session_get_follow (self->session) > 0)
    return;
  kymo_accessible_name (self, label);
}

static void
on_range_changed (KymoOverview *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  update_accessible (self);
}

/* -- brushing ------------------------------------------------------------- */

static Brush
brush_at (KymoOverview *self, const KymoPlotFrame *frame, double x)
{
  KymoSpan range = kymo_session_get_range (self->session);
  double x0 = kymo_plot_time_to_x (frame, range.begin_ns);
  double x1 = kymo_plot_time_to_x (frame, range.end_ns);
  gboolean all = kymo_span_length (range) >= kymo_span_length (frame->span);

  if (fabs (x - x0) <= EDGE_PX)
    return BRUSH_BEGIN;
  if (fabs (x - x1) <= EDGE_PX)
    return BRUSH_END;
  return !all && x > x0 && x < x1 ? BRUSH_MOVE : BRUSH_NEW;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y,
               KymoOverview *self)
{
  KymoPlotFrame frame;

  get_frame (self, &frame);
  self->before = kymo_session_get_range (self->session);
  x /= kymo_text_zoom ();
  self->brush = brush_at (self, &frame, x);
  self->drag_x = x;
}

static KymoSpan
moved_overview (KymoSpan range, gint64 shift, KymoSpan full)
{
  shift = CLAMP (shift, full.begin_ns - range.begin_ns,
                 full.end_ns - range.end_ns);
  return (KymoSpan) { range.begin_ns + shift, range.end_ns + shift };
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy,
                KymoOverview *self)
{
  KymoSpan full = kymo_session_get_full_range (self->session);
  KymoSpan range = self->before;
  KymoPlotFrame frame;
  gint64 from, to;

  dx /= kymo_text_zoom ();
  if (fabs (dx) < 3)
    return;
  get_frame (self, &frame);
  from = kymo_plot_x_to_time (&frame, self->drag_x);
  to = kymo_plot_x_to_time (&frame, self->drag_x + dx);
  if (self->brush == BRUSH_MOVE)
    range = moved_overview (range, to - from, full);
  else if (self->brush == BRUSH_BEGIN)
    range.begin_ns = MIN (to, range.end_ns - 1000);
  else if (self->brush == BRUSH_END)
    range.end_ns = MAX (to, range.begin_ns + 1000);
  else
    range = (KymoSpan) { MIN (from, to), MAX (from, to) };
  kymo_session_set_range (self->session, kymo_span_intersect (range, full),
                          FALSE);
}

/* The history keeps where the drag began, not its every step. */
static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy,
             KymoOverview *self)
{
  KymoSpan full = kymo_session_get_full_range (self->session);

  if (fabs (dx) < 3)
    {
      KymoPlotFrame frame;
      gint64 middle = self->before.begin_ns
                      + kymo_span_length (self->before) / 2;

      get_frame (self, &frame);
      kymo_session_set_range (
        self->session,
        moved_overview (self->before, kymo_plot_x_to_time (&frame, self->drag_x) - middle, full),
        FALSE);
    }
  kymo_navigate_remember (self->session, self->before);
  self->brush = BRUSH_NONE;
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y,
           KymoOverview *self)
{
  static const char *const cursors[] = { "default", "crosshair", "grab",
                                         "col-resize", "col-resize" };
  KymoPlotFrame frame;

  get_frame (self, &frame);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   cursors[brush_at (self, &frame,
                                                     x / kymo_text_zoom ())]);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy,
           KymoOverview *self)
{
  KymoSpan range = kymo_session_get_range (self->session);

  kymo_session_zoom (self->session,
                     range.begin_ns + kymo_span_length (range) / 2,
                     pow (1.25, -dy));
  return GDK_EVENT_STOP;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_overview_measure (GtkWidget *widget, GtkOrientation orientation,
                       int for_size, int *minimum, int *natural,
                       int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT_PX * kymo_text_zoom ()
                                                                : 200;
}

static void
kymo_overview_size_allocate (GtkWidget *widget, int width, int height,
                             int baseline)
{
  KymoOverview *self = KYMO_OVERVIEW (widget);

  if (self->answer == NULL || width != self->asked_width)
    kymo_view_asker_queue (self->asker);
}

static void
kymo_overview_dispose (GObject *object)
{
  KymoOverview *self = KYMO_OVERVIEW (object);

  g_clear_object (&self->asker);
  g_clear_pointer (&self->answer, kymo_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_overview_parent_class)->dispose (object);
}

static void
kymo_overview_class_init (KymoOverviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_overview_dispose;
  widget_class->snapshot = kymo_overview_snapshot;
  widget_class->measure = kymo_overview_measure;
  widget_class->size_allocate = kymo_overview_size_allocate;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
kymo_overview_init (KymoOverview *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
    = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
}

/**
 * kymo_overview_new:
 * @session: whose visible range it shows and sets; the strip holds a reference
 *
 * Returns: (transfer floating): the strip; it asks for its picture when it is mapped
 */
GtkWidget *
kymo_overview_new (KymoSession *session)
{
  KymoOverview *self = g_object_new (KYMO_TYPE_OVERVIEW, NULL);

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&whole_run, self, session);
  kymo_view_asker_follow (self->asker, session, "filter-changed");
  kymo_follow (session, "range-changed", on_range_changed, self);
  kymo_follow (session, "hover-changed", gtk_widget_queue_draw, self);
  kymo_follow (session, "bookmarks-changed", gtk_widget_queue_draw, self);
  kymo_follow (kymo_run_regions_of (session), "changed", gtk_widget_queue_draw, self);
  kymo_follow (kymo_finder_of (session), "changed", gtk_widget_queue_draw, self);
  kymo_text_zoom_follow (GTK_WIDGET (self),
                         G_CALLBACK (gtk_widget_queue_resize));
  kymo_look_follow (G_CALLBACK (gtk_widget_queue_draw), self);
  update_accessible (self);
  return GTK_WIDGET (self);
}
