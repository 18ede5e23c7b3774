/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Painting: the answer into a kept image, the image on the screen, over it
 * what was selected, and over that the pointer. Each is a node of its own that
 * is kept as long as it holds, so that the renderer sees what has changed: a
 * moving pointer draws a line and a box.
 *
 * There are two images in turns. The node of the frame before still shows the
 * one; to write into it would make cairo copy it first.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-name.h"
#include "kymo-theme.h"

static cairo_surface_t *
next_surface (KymoCanvas *self, const KymoPlotFrame *frame)
{
  int width = MAX (1, ceil (frame->width_px * frame->scale));
  int height = MAX (1, ceil (frame->height_px * frame->scale));
  cairo_surface_t **surface;

  self->turn = !self->turn;
  surface = &self->surfaces[self->turn];
  if (*surface == NULL || cairo_image_surface_get_width (*surface) != width
      || cairo_image_surface_get_height (*surface) != height)
    {
      g_clear_pointer (surface, cairo_surface_destroy);
      *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width,
                                             height);
      cairo_surface_set_device_scale (*surface, frame->scale, frame->scale);
    }
  return *surface;
}

static void
repaint (KymoCanvas *self, const KymoPlotFrame *frame,
         const graphene_rect_t *bounds)
{
  cairo_surface_t *surface = next_surface (self, frame);
  cairo_t *cr = cairo_create (surface);

  kymo_set_source (cr, kymo_theme_get (frame->look)->canvas);
  cairo_paint (cr);
  kymo_picture_paint (cr, kymo_canvas_peek_picture (self));
  cairo_destroy (cr);
  self->need_paint = FALSE;
  self->need_still = TRUE;
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  self->picture = gsk_cairo_node_new (bounds);
  cr = gsk_cairo_node_get_draw_context (self->picture);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_paint (cr);
  cairo_destroy (cr);
}

static void
paint_message (KymoCanvas *self, cairo_t *cr, const KymoPlotFrame *frame)
{
  PangoLayout *layout;
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree char *text = kymo_name_shown (self->failure);
  int width, height;

  if (text == NULL)
    return;
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  kymo_canvas_unzoom_text (self, layout);
  pango_layout_set_width (layout, MAX (100, frame->width_px - 80) * PANGO_SCALE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (layout, &width, &height);
  kymo_set_source (cr, theme->secondary);
  cairo_move_to (cr, 40, MAX (4, (frame->height_px - height) / 2));
  pango_cairo_show_layout (cr, layout);
  g_object_unref (layout);
}

static void
paint_still (KymoCanvas *self, const KymoPlotFrame *frame,
             const graphene_rect_t *bounds)
{
  cairo_t *cr;

  g_clear_pointer (&self->still, gsk_render_node_unref);
  self->still = gsk_cairo_node_new (bounds);
  cr = gsk_cairo_node_get_draw_context (self->still);
  if (self->failure != NULL)
    paint_message (self, cr, frame);
  else
    kymo_canvas_still (self, cr, frame);
  cairo_destroy (cr);
  self->need_still = FALSE;
}

static GdkRGBA
rgba_of (KymoRgba color, double alpha)
{
  return (GdkRGBA) { color.red, color.green, color.blue, alpha };
}

/** kymo_canvas_paint: the snapshot function of the widget */
void
kymo_canvas_paint (GtkWidget *widget, GtkSnapshot *snapshot)
{
  KymoCanvas *self = KYMO_CANVAS (widget);
  KymoPlotFrame frame;
  graphene_rect_t bounds;
  KymoRgba canvas;
  GdkRGBA color;

  kymo_canvas_get_frame (self, &frame);
  if (frame.width_px < 1 || frame.height_px < 1)
    return;
  canvas = kymo_theme_get (frame.look)->canvas;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_scale (snapshot, self->zoom, self->zoom);
  graphene_rect_init (&bounds, 0, 0, frame.width_px, frame.height_px);
  if (self->answer != NULL && (self->picture == NULL || self->need_paint))
    repaint (self, &frame, &bounds);
  if (self->failure == NULL && self->picture != NULL)
    gtk_snapshot_append_node (snapshot, self->picture);
  else
    {
      color = rgba_of (canvas, 1);
      gtk_snapshot_append_color (snapshot, &color, &bounds);
    }
  if (self->dimmed)
    {
      color = rgba_of (canvas, 0.35);
      gtk_snapshot_append_color (snapshot, &color, &bounds);
    }
  if (self->still == NULL || self->need_still)
    paint_still (self, &frame, &bounds);
  gtk_snapshot_append_node (snapshot, self->still);
  if (self->failure == NULL)
    kymo_canvas_pointer (self, snapshot, &frame);
  gtk_snapshot_restore (snapshot);
}
