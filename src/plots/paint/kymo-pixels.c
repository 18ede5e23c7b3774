/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-pixels.h.
 */
#include "config.h"

#include "kymo-pixels.h"

#include <math.h>

#include "kymo-theme.h"

/* An image that is painted on without any transformation but its scale. */
static gboolean
find_target (KymoPixels *pixels, cairo_t *cr)
{
  cairo_surface_t *target = cairo_get_target (cr);
  double scale = pixels->scale, sx, sy, dx, dy;
  double x = pixels->area.x * scale, y = pixels->area.y * scale;
  cairo_matrix_t matrix;
  cairo_format_t format;

  if (cairo_surface_get_type (target) != CAIRO_SURFACE_TYPE_IMAGE
      || cairo_get_group_target (cr) != target)
    return FALSE;
  cairo_get_matrix (cr, &matrix);
  cairo_surface_get_device_scale (target, &sx, &sy);
  cairo_surface_get_device_offset (target, &dx, &dy);
  format = cairo_image_surface_get_format (target);
  if ((format != CAIRO_FORMAT_RGB24 && format != CAIRO_FORMAT_ARGB32)
      || matrix.xx * sx != scale || matrix.yy * sy != scale || matrix.xy != 0
      || matrix.yx != 0 || matrix.x0 != 0 || matrix.y0 != 0 || dx != 0
      || dy != 0 || x < 0 || y < 0 || x != floor (x) || y != floor (y)
      || x + pixels->width > cairo_image_surface_get_width (target)
      || y + pixels->height > cairo_image_surface_get_height (target))
    return FALSE;
  pixels->surface = cairo_surface_reference (target);
  pixels->stride = cairo_image_surface_get_stride (target);
  cairo_surface_flush (target);
  pixels->data = cairo_image_surface_get_data (target)
                 + (gsize) y * pixels->stride + (gsize) x * 4;
  return TRUE;
}

/**
 * kymo_pixels_begin:
 * @area: px of the picture
 *
 * Opens the pixels of @area for writing: the pixels of the target itself where it is an image
 * whose grid fits, else a new clear image. After %TRUE kymo_pixels_end() is due, and until then
 * nothing may be painted with @cr.
 *
 * Returns: %FALSE for vector files and where there is no room or memory; nothing is to be freed
 */
gboolean
kymo_pixels_begin (KymoPixels *pixels, cairo_t *cr, KymoRect area,
                   const KymoPlotFrame *frame)
{
  *pixels = (KymoPixels) { .area = area, .scale = frame->scale };
  pixels->width = ceil (area.width * pixels->scale);
  pixels->height = ceil (area.height * pixels->scale);
  if (kymo_is_vector (cr) || pixels->width < 1 || pixels->height < 1)
    return FALSE;
  pixels->direct = find_target (pixels, cr);
  if (pixels->direct)
    return TRUE;
  pixels->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                                pixels->width,
                                                pixels->height);
  cairo_surface_flush (pixels->surface);
  pixels->data = cairo_image_surface_get_data (pixels->surface);
  pixels->stride = cairo_image_surface_get_stride (pixels->surface);
  if (cairo_surface_status (pixels->surface) == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_clear_pointer (&pixels->surface, cairo_surface_destroy);
  return FALSE;
}

/**
 * kymo_pixels_end:
 *
 * Paints the pixels onto the target unless they are its own, and releases them. From then on @cr
 * may paint again.
 */
void
kymo_pixels_end (KymoPixels *pixels, cairo_t *cr)
{
  KymoRect area = pixels->area;

  cairo_surface_mark_dirty (pixels->surface);
  if (!pixels->direct)
    {
      cairo_surface_set_device_scale (pixels->surface, pixels->scale,
                                      pixels->scale);
      cairo_set_source_surface (cr, pixels->surface, area.x, area.y);
      cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
      cairo_rectangle (cr, area.x, area.y, area.width, area.height);
      cairo_fill (cr);
    }
  g_clear_pointer (&pixels->surface, cairo_surface_destroy);
}

/**
 * kymo_pixels_shift:
 *
 * Returns: the offset in device pixels, half a pixel at most, that moves x of any time onto the
 *   grid of pixels that begins at time 0
 */
double
kymo_pixels_shift (const KymoPixels *pixels, const KymoPlotFrame *frame)
{
  double zero = -(double) frame->span.begin_ns
                / MAX (kymo_span_length (frame->span), 1)
                * pixels->area.width * pixels->scale;

  return round (zero) - zero;
}

/** kymo_pixel: opaque */
guint32
kymo_pixel (KymoRgba color)
{
  guint r = lrint (CLAMP (color.red, 0, 1) * 255);
  guint g = lrint (CLAMP (color.green, 0, 1) * 255);
  guint b = lrint (CLAMP (color.blue, 0, 1) * 255);

  return 0xffu << 24 | r << 16 | g << 8 | b;
}

/* Opacity of a pixel that is still to be hatched. */
#define WAITING_ALPHA 0xfeu

/**
 * kymo_pixel_waiting:
 *
 * Returns: the pixel with a mark, so that kymo_pixels_hatch_waiting() finds it
 */
guint32
kymo_pixel_waiting (guint32 pixel)
{
  return (pixel & 0xffffffu) | WAITING_ALPHA << 24;
}

/**
 * kymo_pixels_hatch_waiting:
 * @y: line of the image
 * @from: first pixel of the line
 * @end: pixel after the last one
 * @canvas: pixel of the canvas
 * @hatch: %FALSE to take the marks away and leave plain colour
 *
 * Draws lines of the canvas, falling from left to right, over the pixels of a line that are
 * marked, and takes their marks away.
 */
void
kymo_pixels_hatch_waiting (const KymoPixels *pixels, int y, int from, int end, guint32 canvas,
                           gboolean hatch)
{
  guint32 *line = kymo_pixels_line (pixels, y);
  int width = MAX (lrint (pixels->scale), 1), period = KYMO_WAITING_PX * width;
  int phase = period - y % period;

  for (int x = from; x < end; x++)
    if (line[x] >> 24 == WAITING_ALPHA)
      {
        line[x] |= 0xffu << 24;
        if (hatch && (x + phase) % period < width)
          line[x] = kymo_pixel_mix (line[x], canvas, KYMO_WAITING_COVER);
      }
}

/** kymo_pixel_mix: @cover: 0 .. 1 of @over */
guint32
kymo_pixel_mix (guint32 under, guint32 over, double cover)
{
  guint part = CLAMP (lrint (cover * 256), 0, 256);
  guint32 mixed = 0xffu << 24;

  for (guint shift = 0; shift < 24; shift += 8)
    mixed |= ((under >> shift & 255) * (256 - part)
              + (over >> shift & 255) * part) >> 8 << shift;
  return mixed;
}
