/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pixels of a picture's data area, for what is too dense for shapes: those
 * of the target itself where that is an image, else of an image that is
 * painted at the end. Pixels are opaque 0xffRRGGBB, or 0 where an image of our
 * own is to stay clear.
 */
#pragma once

#include "kymo-plot.h"

G_BEGIN_DECLS

/**
 * KymoPixels:
 *
 * Begun with kymo_pixels_begin(), written to, and ended: cairo does not know
 * of it in between.
 */
typedef struct
{
  cairo_surface_t *surface;
  gboolean         direct;           /* the target's own pixels */
  KymoRect         area;
  double           scale;
  guchar          *data;             /* the first pixel of the area */
  int              stride;           /* bytes from line to line */
  int              width, height;
} KymoPixels;

/* FALSE for vector files and where there is no room or memory for pixels. */
gboolean kymo_pixels_begin (KymoPixels          *pixels,
                            cairo_t             *cr,
                            KymoRect             area,
                            const KymoPlotFrame *frame);
void     kymo_pixels_end   (KymoPixels          *pixels,
                            cairo_t             *cr);
/* How far times are moved, in pixels, to stand on the lattice of pixels that
   begins at time 0: so a picture that is panned moves by whole pixels. */
double   kymo_pixels_shift (const KymoPixels    *pixels,
                            const KymoPlotFrame *frame);
guint32  kymo_pixel        (KymoRgba             color);
guint32  kymo_pixel_waiting (guint32             pixel);
void     kymo_pixels_hatch_waiting
                           (const KymoPixels    *pixels,
                            int                  y,
                            int                  from,
                            int                  end,
                            guint32              canvas,
                            gboolean             hatch);
guint32  kymo_pixel_mix    (guint32              under,
                            guint32              over,
                            double               cover);

static inline guint32 *
kymo_pixels_line (const KymoPixels *pixels, int y)
{
  return (guint32 *) (pixels->data + (gsize) y * pixels->stride);
}

G_END_DECLS
