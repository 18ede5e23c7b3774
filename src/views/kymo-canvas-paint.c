/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Painting: the answer into a kept image, and the image on the screen. While
 * a newer answer is on its way the image is stretched to the new range.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-theme.h"

static void
repaint (KymoCanvas *self, const KymoPlotFrame *frame)
{
  int width = MAX (1, ceil (frame->width_px * frame->scale));
  int height = MAX (1, ceil (frame->height_px * frame->scale));
  KymoRgba paper = kymo_theme_get (frame->dark)->canvas;
  cairo_t *cr;

  if (self->surface == NULL
      || cairo_image_surface_get_width (self->surface) != width
      || cairo_image_surface_get_height (self->surface) != height)
    {
      g_clear_pointer (&self->surface, cairo_surface_destroy);
      self->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width,
                                                  height);
      cairo_surface_set_device_scale (self->surface, frame->scale,
                                      frame->scale);
    }
  cr = cairo_create (self->surface);
  kymo_set_source (cr, paper);
  cairo_paint (cr);
  self->klass->paint (cr, self->answer, frame);
  cairo_destroy (cr);
  self->painted = frame->span;
  self->painted_width = frame->width_px;
  self->painted_height = frame->height_px;
  self->need_paint = FALSE;
}

static void
paint_part (cairo_t *cr, cairo_surface_t *surface, double x, double width,
            double height, double source_x, double stretch)
{
  if (width <= 0)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, x, 0, width, height);
  cairo_clip (cr);
  cairo_translate (cr, x, 0);
  cairo_scale (cr, stretch, 1);
  cairo_set_source_surface (cr, surface, -source_x, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_FAST);
  cairo_paint (cr);
  cairo_restore (cr);
}

/* The old picture, moved and stretched to where its times are now. */
static void
paint_stretched (KymoCanvas *self, cairo_t *cr, const KymoPlotFrame *frame)
{
  KymoPlotFrame old = *frame;
  KymoRect area, before;
  double x0, x1, stretch, left, right;

  old.span = self->painted;
  old.width_px = self->painted_width;
  old.height_px = self->painted_height;
  area = kymo_plot_frame_area (self->klass, frame);
  before = kymo_plot_frame_area (self->klass, &old);
  x0 = kymo_plot_time_to_x (frame, self->painted.begin_ns);
  x1 = kymo_plot_time_to_x (frame, self->painted.end_ns);
  stretch = (x1 - x0) / MAX (before.width, 1);
  left = MAX (x0, area.x);
  right = MIN (x1, area.x + area.width);
  if (stretch > 1e-6 && right > left)
    paint_part (cr, self->surface, left, right - left, frame->height_px,
                before.x + (left - x0) / stretch, stretch);
  paint_part (cr, self->surface, 0, area.x, frame->height_px, 0, 1);
}

static void
paint_message (KymoCanvas *self, cairo_t *cr, const KymoPlotFrame *frame)
{
  PangoLayout *layout;
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  const char *text = self->failure;
  int width, height;

  if (text == NULL)
    return;
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  pango_layout_set_width (layout, MAX (100, frame->width_px - 80) * PANGO_SCALE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (layout, &width, &height);
  kymo_set_source (cr, theme->secondary);
  cairo_move_to (cr, 40, MAX (4, (frame->height_px - height) / 2));
  pango_cairo_show_layout (cr, layout);
  g_object_unref (layout);
}

static gboolean
same_span (KymoSpan a, KymoSpan b)
{
  return a.begin_ns == b.begin_ns && a.end_ns == b.end_ns;
}

static void
paint_picture (KymoCanvas *self, cairo_t *cr, const KymoPlotFrame *frame)
{
  if (self->surface == NULL)
    return;
  if (self->klass->time_axis
      && (!same_span (self->painted, frame->span)
          || self->painted_width != frame->width_px))
    paint_stretched (self, cr, frame);
  else
    {
      cairo_set_source_surface (cr, self->surface, 0, 0);
      cairo_paint (cr);
    }
  if (self->dimmed)
    {
      kymo_set_source_alpha (cr, kymo_theme_get (frame->dark)->canvas, 0.35);
      cairo_paint (cr);
    }
}

/** kymo_canvas_paint: the snapshot function of the widget */
void
kymo_canvas_paint (GtkWidget *widget, GtkSnapshot *snapshot)
{
  KymoCanvas *self = KYMO_CANVAS (widget);
  KymoPlotFrame frame;
  graphene_rect_t bounds;
  cairo_t *cr;

  kymo_canvas_get_frame (self, &frame);
  if (frame.width_px < 1 || frame.height_px < 1)
    return;
  graphene_rect_init (&bounds, 0, 0, frame.width_px, frame.height_px);
  /* A picture is not painted again for a range whose answer is to come: its
     cells would be as coarse as the stretched image. */
  if (self->answer != NULL
      && (self->surface == NULL
          || (self->need_paint && !self->need_answer
              && !kymo_asker_is_busy (self->asker))))
    repaint (self, &frame);
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  kymo_set_source (cr, kymo_theme_get (frame.dark)->canvas);
  cairo_paint (cr);
  if (self->failure == NULL)
    paint_picture (self, cr, &frame);
  paint_message (self, cr, &frame);
  cairo_destroy (cr);
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  if (self->failure == NULL)
    kymo_canvas_overlay (self, cr, &frame);
  cairo_destroy (cr);
}
