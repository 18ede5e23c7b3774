/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies over a picture: what the pointer hits, the selected range,
 * markers, the pointer's time and its words. Painted anew when the
 * pointer moves, while the picture below is kept.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-name.h"
#include "kymo-session-selected.h"
#include "kymo-text.h"
#include "kymo-units.h"

#define TIP_PAD 8
/* Between the tip and its place. */
#define TIP_GAP 6
#define MOST_TIP_PX 560
#define MOST_TIP_CHARS 90

/* -- time on the axis ----------------------------------------------------- */

static void
vertical (cairo_t *cr, double x, const KymoRect *area, double width_px)
{
  x = floor (x) + 0.5;
  cairo_move_to (cr, x, 0);
  cairo_line_to (cr, x, area->y + area->height);
  cairo_set_line_width (cr, width_px);
  cairo_stroke (cr);
}

/* Within an edge of canvas, so that it is seen on any colour. */
static void
edged (cairo_t *cr, double x, const KymoRect *area, KymoRgba color, KymoRgba canvas)
{
  kymo_set_source_alpha (cr, canvas, 0.7);
  vertical (cr, x, area, 3);
  kymo_set_source (cr, color);
  vertical (cr, x, area, 1);
}

static void
paint_selection (KymoCanvas *self, cairo_t *cr, const KymoPlotFrame *frame,
                 const KymoRect *area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double x0, x1, top = 0, bottom = area->y + area->height;
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);
  KymoSpan span;

  if (!kymo_session_get_selection (self->session, &span))
    return;
  if (klass->selected_rows != NULL)
    klass->selected_rows (self, &top, &bottom);
  x0 = kymo_plot_time_to_x (frame, span.begin_ns);
  x1 = kymo_plot_time_to_x (frame, span.end_ns);
  kymo_set_source_alpha (cr, theme->accent, 0.16);
  cairo_rectangle (cr, x0, top, MAX (x1 - x0, 1), MAX (bottom - top, 1));
  cairo_fill (cr);
  edged (cr, x0, area, theme->accent, theme->canvas);
  edged (cr, x1, area, theme->accent, theme->canvas);
}

static void
paint_markers (KymoCanvas *self, cairo_t *cr, const KymoPlotFrame *frame,
               const KymoRect *area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  gint64 time_ns;

  for (guint i = 0; i < 2; i++)
    if (kymo_session_get_marker (self->session, i, &time_ns))
      {
        double x = kymo_plot_time_to_x (frame, time_ns);

        edged (cr, x, area, theme->foreground, theme->canvas);
        kymo_set_source (cr, theme->foreground);
        cairo_rectangle (cr, floor (x), 0, 14, 14);
        cairo_fill (cr);
        kymo_text_draw (cr, i == 0 ? "A" : "B", floor (x) + 7, 7,
                        (KymoTextStyle) { KYMO_TEXT_SMALL, TRUE, 0.5, 0 },
                        theme->canvas);
      }
}

/* -- the pointer ---------------------------------------------------------- */

/** kymo_canvas_begin_node: a context for what lies in a box of the picture; destroy it */
cairo_t *
kymo_canvas_begin_node (GtkSnapshot *snapshot, double x, double y, double width, double height)
{
  graphene_rect_t bounds
    = GRAPHENE_RECT_INIT (floor (x), floor (y), ceil (width) + 1,
                          ceil (height) + 1);

  return gtk_snapshot_append_cairo (snapshot, &bounds);
}

/* In the middles of pixels: inside, but around what is so narrow that a line would cover it. */
static KymoRect
outline_of (const KymoRect *rect)
{
  double in_x = rect->width < KYMO_NARROW_PX ? -1 : 0;
  double in_y = rect->height < KYMO_NARROW_PX ? -1 : 0;
  double x = floor (rect->x) + in_x + 0.5, y = floor (rect->y) + in_y + 0.5;
  double right = in_x < 0 ? ceil (rect->x + rect->width) + 0.5
                          : floor (rect->x) + MAX (round (rect->width) - 1, 1) + 0.5;
  double bottom = in_y < 0 ? ceil (rect->y + rect->height) + 0.5
                           : floor (rect->y) + MAX (round (rect->height) - 1, 1) + 0.5;

  return (KymoRect) { x, y, right - x, bottom - y };
}

static void
paint_hit (KymoCanvas *self, GtkSnapshot *snapshot, const KymoPlotFrame *frame,
           const KymoRect *area)
{
  const KymoRect *rect = &self->hit.rect;
  KymoRect line = outline_of (rect);
  double x0 = MAX (rect->x, area->x) - 2;
  double x1 = MIN (rect->x + rect->width, area->x + area->width) + 2;
  cairo_t *cr;

  if (rect->width <= 0 || rect->height <= 0 || x1 <= x0)
    return;
  cr = kymo_canvas_begin_node (snapshot, x0, rect->y - 2, x1 - x0 + 1, rect->height + 4);
  cairo_rectangle (cr, area->x - 1, area->y - 1, area->width + 2,
                   area->height + 2);
  cairo_clip (cr);
  cairo_rectangle (cr, line.x, line.y, line.width, line.height);
  kymo_set_source_alpha (cr, kymo_theme_get (frame->look)->foreground, 0.85);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
rounded (cairo_t *cr, double x, double y, double width, double height)
{
  const double r = 6;

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - r, y + r, r, -G_PI / 2, 0);
  cairo_arc (cr, x + width - r, y + height - r, r, 0, G_PI / 2);
  cairo_arc (cr, x + r, y + height - r, r, G_PI / 2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, G_PI * 1.5);
  cairo_close_path (cr);
}

static PangoLayout *
tip_layout (KymoCanvas *self, const KymoPlotFrame *frame)
{
  g_autofree char *lines = kymo_canvas_in_three_lines (self->hit.text);
  g_autofree char *text = kymo_name_shown (lines);
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoAttrList *attributes = pango_attr_list_new ();
  PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_SEMIBOLD);
  const char *line = strchr (text, '\n');

  bold->end_index = line != NULL ? line - text : G_MAXUINT;
  pango_attr_list_insert (attributes, bold);
  pango_attr_list_insert (attributes,
                          pango_attr_scale_new (0.92 / self->zoom));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_width (layout, CLAMP (frame->width_px - 60, 160, MOST_TIP_PX) * PANGO_SCALE);
  /* Each on one line. */
  pango_layout_set_height (layout, -1);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
  return layout;
}

/** kymo_canvas_unzoom_text: text of the widget has the desktop's size already */
void
kymo_canvas_unzoom_text (KymoCanvas *self, PangoLayout *layout)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (1 / self->zoom));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
}

/* Below or above what the pointer is on, so that this and its row stay in sight. What is
   higher than half of the picture has room beside the pointer. FALSE where neither has room. */
static gboolean
find_tip_y (KymoCanvas *self, const KymoPlotFrame *frame, double height, double *y)
{
  const KymoRect *rect = &self->hit.rect;
  gboolean is_low = rect->height > 0
    && (rect->height < frame->height_px / 2 || frame->height_px < 2 * height);
  double below = MAX (is_low ? rect->y + rect->height + TIP_GAP : 0, self->y + 18);
  double above = MIN (is_low ? rect->y - TIP_GAP : G_MAXDOUBLE, self->y - 10) - height;
  gboolean fits_below = below + height <= frame->height_px, fits_above = above >= 2;

  *y = CLAMP (!fits_below && fits_above ? above : below, 2,
              MAX (2, frame->height_px - height - 2));
  return fits_below || fits_above || !is_low;
}

static gboolean
has_tip (KymoCanvas *self)
{
  return self->inside && self->hit.text != NULL && self->drag == KYMO_DRAG_NONE;
}

static void
show_tip (KymoCanvas *self)
{
  const KymoRect *rect = &self->hit.rect;
  g_autofree char *lines = kymo_canvas_in_three_lines (self->hit.text);
  g_autofree char *text = kymo_name_shown (lines);
  GtkWidget *label;

  if (self->tip == NULL)
    {
      label = gtk_label_new (NULL);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_TIP_CHARS);
      self->tip = gtk_popover_new ();
      gtk_popover_set_child (GTK_POPOVER (self->tip), label);
      gtk_popover_set_autohide (GTK_POPOVER (self->tip), FALSE);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->tip), FALSE);
      gtk_widget_set_can_target (self->tip, FALSE);
      gtk_widget_set_can_focus (self->tip, FALSE);
      gtk_widget_add_css_class (self->tip, "kymo-tip");
      gtk_widget_set_parent (self->tip, GTK_WIDGET (self));
    }
  gtk_label_set_text (GTK_LABEL (gtk_popover_get_child (GTK_POPOVER (self->tip))), text);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->tip), &(GdkRectangle) {
    self->x * self->zoom, rect->y * self->zoom, 1, ceil (rect->height * self->zoom) });
  gtk_popover_popup (GTK_POPOVER (self->tip));
}

/**
 * kymo_canvas_place_tip:
 *
 * Puts the tip into a surface of its own, below or above the widget's row, where the picture is too
 * low for a tip that does not cover the row below the pointer. Called when the hit has changed.
 */
void
kymo_canvas_place_tip (KymoCanvas *self)
{
  gboolean outside = FALSE;

  if (has_tip (self) && gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      KymoPlotFrame frame;
      g_autoptr (PangoLayout) layout = NULL;
      double y;
      int height;

      kymo_canvas_get_frame (self, &frame);
      layout = tip_layout (self, &frame);
      pango_layout_get_pixel_size (layout, NULL, &height);
      outside = !find_tip_y (self, &frame, height + 2 * TIP_PAD, &y);
    }
  if (outside)
    show_tip (self);
  else if (self->tip != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->tip));
}

/* Beside the pointer, and never beyond the picture's edge. */
static void
paint_tip (KymoCanvas *self, GtkSnapshot *snapshot, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  PangoLayout *layout;
  cairo_t *cr;
  int width, height;
  double x, y, w, h;

  if (!has_tip (self))
    return;
  layout = tip_layout (self, frame);
  pango_layout_get_pixel_size (layout, &width, &height);
  w = width + 2 * TIP_PAD;
  h = height + 2 * TIP_PAD;
  x = self->x + 16 + w > frame->width_px ? self->x - 12 - w : self->x + 16;
  x = CLAMP (x, 2, MAX (2, frame->width_px - w - 2));
  if (!find_tip_y (self, frame, h, &y))
    {
      g_object_unref (layout);
      return;
    }
  cr = kymo_canvas_begin_node (snapshot, x, y, w + 1, h + 1);
  rounded (cr, floor (x) + 0.5, floor (y) + 0.5, w, h);
  kymo_set_source_alpha (cr, theme->canvas, 0.96);
  cairo_fill_preserve (cr);
  kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  kymo_set_source (cr, theme->foreground);
  cairo_move_to (cr, floor (x) + TIP_PAD, floor (y) + TIP_PAD);
  pango_cairo_show_layout (cr, layout);
  cairo_destroy (cr);
  g_object_unref (layout);
}

static void
paint_crosshair (KymoCanvas *self, GtkSnapshot *snapshot,
                 const KymoPlotFrame *frame, const KymoRect *area)
{
  cairo_t *cr;

  if (!self->inside || self->x < area->x || self->x > area->x + area->width)
    return;
  cr = kymo_canvas_begin_node (snapshot, self->x, 0, 1, area->y + area->height);
  kymo_set_source_alpha (cr, kymo_theme_get (frame->look)->foreground, 0.35);
  vertical (cr, self->x, area, 1);
  cairo_destroy (cr);
}

/* The edge that what is dragged has snapped to, above the pointer. */
static void
paint_edge (KymoCanvas *self, GtkSnapshot *snapshot,
            const KymoPlotFrame *frame)
{
  const char *words = kymo_canvas_edge_words (self);
  double y = MAX (self->y - 22, 10);
  cairo_t *cr;

  if (words == NULL)
    return;
  cr = kymo_canvas_begin_node (snapshot, 0, y - 12, frame->width_px, 24);
  kymo_canvas_paint_label (cr, frame, words, self->x, y);
  cairo_destroy (cr);
}

static void
paint_band (KymoCanvas *self, GtkSnapshot *snapshot,
            const KymoPlotFrame *frame)
{
  KymoRect band = kymo_canvas_band (self);
  cairo_t *cr = kymo_canvas_begin_node (snapshot, band.x - 1, band.y - 1, band.width + 2,
                            band.height + 2);

  kymo_canvas_paint_band (self, cr, frame);
  cairo_destroy (cr);
}

static void
paint_focus (KymoCanvas *self, cairo_t *cr, const KymoPlotFrame *frame)
{
  if (!gtk_widget_has_visible_focus (GTK_WIDGET (self)))
    return;
  kymo_set_source_alpha (cr, kymo_theme_get (frame->look)->accent, 0.6);
  cairo_set_line_width (cr, 2);
  cairo_rectangle (cr, 1, 1, frame->width_px - 2, frame->height_px - 2);
  cairo_stroke (cr);
}

/** kymo_canvas_still: what stays where the pointer moves */
void
kymo_canvas_still (KymoCanvas *self, cairo_t *cr, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (self->klass, frame);
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);

  if (klass->paint_over != NULL)
    klass->paint_over (self, cr);
  kymo_canvas_paint_picks (self, cr, frame);
  if (self->klass->time_axis)
    {
      cairo_save (cr);
      cairo_rectangle (cr, area.x, 0, area.width, frame->height_px);
      cairo_clip (cr);
      paint_selection (self, cr, frame, &area);
      paint_markers (self, cr, frame, &area);
      kymo_canvas_paint_gauge (self, cr, frame, &area);
      cairo_restore (cr);
    }
  paint_focus (self, cr, frame);
}

/** kymo_canvas_pointer: what moves with it, as small nodes */
void
kymo_canvas_pointer (KymoCanvas *self, GtkSnapshot *snapshot,
                     const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (self->klass, frame);
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);
  gboolean points = self->inside && self->drag == KYMO_DRAG_NONE;

  kymo_canvas_paint_linked (self, snapshot, frame);
  if (points && klass->lift != NULL)
    klass->lift (self, snapshot);
  if (points)
    paint_hit (self, snapshot, frame, &area);
  if (self->klass->time_axis)
    paint_crosshair (self, snapshot, frame, &area);
  if (self->drag == KYMO_DRAG_BAND)
    paint_band (self, snapshot, frame);
  paint_tip (self, snapshot, frame);
  paint_edge (self, snapshot, frame);
}
