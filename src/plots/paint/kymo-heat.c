/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-heat.h.
 */
#include "config.h"

#include "kymo-heat.h"

#include <math.h>

/**
 * kymo_heat_color:
 * @share: of the largest amount, clamped to 0 to 1; 0 where it is not finite
 *
 * Returns: the opaque colour of an amount for the frame's look
 */
KymoRgba
kymo_heat_color (const KymoPlotFrame *frame, double share)
{
  static const KymoRgba stops[2][3] = {
    { { 0.88, 0.93, 0.98, 1 }, { 0.27, 0.55, 0.86, 1 },
      { 0.05, 0.17, 0.42, 1 } },
    { { 0.15, 0.21, 0.29, 1 }, { 0.20, 0.47, 0.80, 1 },
      { 0.82, 0.91, 0.99, 1 } },
  };
  const KymoRgba *s = stops[KYMO_LOOK_IS_DARK (frame->look)];

  share = isfinite (share) ? CLAMP (share, 0, 1) : 0;
  return share < 0.5 ? kymo_rgba_mix (s[0], s[1], share * 2)
                     : kymo_rgba_mix (s[1], s[2], share * 2 - 1);
}

/**
 * kymo_heat_paint_key:
 * @rect: px
 *
 * Fills @rect with the scale of colours, the faintest at the left.
 */
void
kymo_heat_paint_key (cairo_t *cr, const KymoPlotFrame *frame, KymoRect rect)
{
  cairo_pattern_t *scale = cairo_pattern_create_linear (rect.x, 0, rect.x + rect.width, 0);

  for (guint i = 0; i <= 8; i++)
    {
      KymoRgba c = kymo_heat_color (frame, i / 8.0);

      cairo_pattern_add_color_stop_rgb (scale, i / 8.0, c.red, c.green, c.blue);
    }
  cairo_set_source (cr, scale);
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_fill (cr);
  cairo_pattern_destroy (scale);
}
