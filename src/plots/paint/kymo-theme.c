/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constant colours; see kymo-theme.h.
 */
#include "config.h"

#include "kymo-theme.h"

#include "kymo-hues.h"

#include <math.h>

#define HEX(h) { ((h) >> 16) / 255.0, ((h) >> 8 & 255) / 255.0, \
                 ((h) & 255) / 255.0, 1 }
#define HATCH_PX 9
/* A little more than is asked for, as pixels are rounded. */
#define EDGE_CONTRAST 3.1

static const KymoTheme themes[KYMO_N_LOOKS] = {
  [KYMO_LOOK_LIGHT] = {
    .canvas = HEX (0xffffff), .paper = HEX (0xf4f4f2), .hatch = HEX (0xe0e0dd),
    .rest_hatch = HEX (0xcfcfcb),
    .ink = HEX (0x18171c),
    .foreground = HEX (0x1f1f22), .secondary = HEX (0x66666c),
    .grid = HEX (0xe2e2e4), .axis = HEX (0x8a8a90), .accent = HEX (0x1c71d8),
    .paper_edge = HEX (0x8a8a90), .dotted = HEX (0x8a8a90), .match = HEX (0xc64600),
  },
  [KYMO_LOOK_DARK] = {
    .canvas = HEX (0x1e1e20), .paper = HEX (0x302f34), .hatch = HEX (0x414047),
    .rest_hatch = HEX (0x4d4c54),
    .ink = HEX (0xe9e9f2),
    .foreground = HEX (0xf2f2f4), .secondary = HEX (0xa6a6ac),
    .grid = HEX (0x37373b), .axis = HEX (0x7c7c82), .accent = HEX (0x62a0ea),
    .paper_edge = HEX (0x828288), .dotted = HEX (0x828288), .match = HEX (0xffa348),
  },
  [KYMO_LOOK_LIGHT_CONTRAST] = {
    .canvas = HEX (0xffffff), .paper = HEX (0xf4f4f2), .hatch = HEX (0xc9c9c5),
    .rest_hatch = HEX (0x9a9a96),
    .ink = HEX (0x000000),
    .foreground = HEX (0x000000), .secondary = HEX (0x3a3a3f),
    .grid = HEX (0xb4b4b8), .axis = HEX (0x4a4a4f), .accent = HEX (0x0b4a9e),
    .paper_edge = HEX (0x4a4a4f), .dotted = HEX (0x4a4a4f), .match = HEX (0x922f00),
  },
  [KYMO_LOOK_DARK_CONTRAST] = {
    .canvas = HEX (0x000000), .paper = HEX (0x1c1b1f), .hatch = HEX (0x56555c),
    .rest_hatch = HEX (0x85848c),
    .ink = HEX (0xffffff),
    .foreground = HEX (0xffffff), .secondary = HEX (0xd6d6da),
    .grid = HEX (0x5a5a60), .axis = HEX (0xc0c0c6), .accent = HEX (0x99c1f1),
    .paper_edge = HEX (0xc0c0c6), .dotted = HEX (0xc0c0c6), .match = HEX (0xffbe6f),
  },
};

/**
 * kymo_theme_get:
 *
 * Returns: (transfer none): the constant colours of a look, static
 */
const KymoTheme *
kymo_theme_get (KymoLook look)
{
  return &themes[look];
}

/** kymo_activity_kind: @kind: (nullable): the word in an answer */
KymoActivityKind
kymo_activity_kind (const char *kind)
{
  if (g_strcmp0 (kind, "idle") == 0)
    return KYMO_KIND_IDLE;
  if (g_strcmp0 (kind, "short") == 0)
    return KYMO_KIND_SHORT;
  if (g_strcmp0 (kind, "overhead") == 0)
    return KYMO_KIND_OVERHEAD;
  if (g_strcmp0 (kind, "untraced") == 0)
    return KYMO_KIND_UNTRACED;
  if (g_strcmp0 (kind, "event") == 0)
    return KYMO_KIND_EVENT;
  if (g_strcmp0 (kind, "rest") == 0)
    return KYMO_KIND_REST;
  return KYMO_KIND_ENTRY;
}

/** kymo_theme_activity: the plain colour of an activity */
KymoRgba
kymo_theme_activity (const KymoPlotFrame *frame,
                     const char          *name,
                     KymoActivityKind     kind)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  switch (kind)
    {
    case KYMO_KIND_IDLE:
    case KYMO_KIND_REST:
      return theme->paper;
    case KYMO_KIND_OVERHEAD:
      return theme->ink;
    case KYMO_KIND_UNTRACED:
      return theme->canvas;
    case KYMO_KIND_SHORT:
      return kymo_rgba_mix (theme->paper, theme->secondary, 0.16);
    case KYMO_KIND_ENTRY:
    case KYMO_KIND_EVENT:
    default:
      if (frame->colors == NULL)
        return theme->accent;
      return kymo_colors_get (frame->colors, name, frame->look);
    }
}

/** kymo_theme_series: the colour, faded where another series is hovered */
KymoRgba
kymo_theme_series (const KymoPlotFrame *frame,
                   const char          *name,
                   KymoActivityKind     kind)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRgba color = kymo_theme_activity (frame, name, kind);

  if (frame->hovered == NULL || g_strcmp0 (frame->hovered, name) == 0)
    return color;
  return kymo_rgba_mix (color, theme->canvas, 0.68);
}

/**
 * kymo_rgba_mix:
 * @t: share of @b, 0 to 1
 *
 * Returns: the colour between @a and @b; red, green, blue and alpha are each interpolated
 */
KymoRgba
kymo_rgba_mix (KymoRgba a, KymoRgba b, double t)
{
  return (KymoRgba) { a.red + (b.red - a.red) * t,
                      a.green + (b.green - a.green) * t,
                      a.blue + (b.blue - a.blue) * t,
                      a.alpha + (b.alpha - a.alpha) * t };
}

/** kymo_rgba_shade: darker below 1 */
KymoRgba
kymo_rgba_shade (KymoRgba color, double factor)
{
  return (KymoRgba) { MIN (1, color.red * factor), MIN (1, color.green * factor),
                      MIN (1, color.blue * factor), color.alpha };
}

/* What is between @color and black, or white, in light and not in numbers. */
static KymoRgba
of_luminance (KymoRgba color, double from, double to)
{
  double parts[] = { color.red, color.green, color.blue };

  for (guint i = 0; i < 3; i++)
    {
      double part = kymo_gamma_to_linear (parts[i]);

      part = to <= from ? part * to / from
                        : part + (1 - part) * (to - from) / (1 - from);
      parts[i] = kymo_linear_to_gamma (CLAMP (part, 0, 1));
    }
  return (KymoRgba) { parts[0], parts[1], parts[2], color.alpha };
}

/**
 * kymo_rgba_edge:
 *
 * Returns: the same hue, darker, or lighter where that is not enough, with a
 *   contrast of 3 to 1 to @color (WCAG 2.1, 1.4.11)
 */
KymoRgba
kymo_rgba_edge (KymoRgba color)
{
  double here = kymo_rgba_luminance (color);
  double there = (here + 0.05) / EDGE_CONTRAST - 0.05;

  if (there < 0)
    there = MIN (1, (here + 0.05) * EDGE_CONTRAST - 0.05);
  return of_luminance (color, here, there);
}

/** kymo_rgba_text_on: black or white, whichever reads better */
KymoRgba
kymo_rgba_text_on (KymoRgba c)
{
  /* White, the calmer one on saturated colours, as long as it has a contrast of
     4.5 to 1; from there on black has. */
  if (kymo_rgba_luminance (c) > 1.05 / 4.5 - 0.05)
    return (KymoRgba) { 0, 0, 0, 1 };
  return (KymoRgba) { 1, 1, 1, 1 };
}

/**
 * kymo_set_source:
 *
 * Makes @color, with its alpha, the source of @cr.
 */
void
kymo_set_source (cairo_t *cr, KymoRgba color)
{
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, color.alpha);
}

/**
 * kymo_set_source_alpha:
 * @alpha: 0 to 1, replaces the alpha of @color
 *
 * Makes the colour the source of @cr.
 */
void
kymo_set_source_alpha (cairo_t *cr, KymoRgba color, double alpha)
{
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, alpha);
}

/** kymo_is_vector: whether the target keeps shapes instead of pixels */
gboolean
kymo_is_vector (cairo_t *cr)
{
  switch (cairo_surface_get_type (cairo_get_target (cr)))
    {
    case CAIRO_SURFACE_TYPE_SVG:
    case CAIRO_SURFACE_TYPE_PDF:
    case CAIRO_SURFACE_TYPE_PS:
      return TRUE;
    default:
      return FALSE;
    }
}

/**
 * kymo_is_hidden:
 * @name: (nullable): a display name
 *
 * Returns: whether the person hid the name; %FALSE for %NULL
 */
gboolean
kymo_is_hidden (const KymoPlotFrame *frame, const char *name)
{
  return frame->hidden != NULL && name != NULL
         && g_hash_table_contains (frame->hidden, name);
}

/** kymo_hatch_path: hatch lines through the rectangle, phase locked to the picture */
void
kymo_hatch_path (cairo_t *cr, KymoRect r)
{
  double first = floor ((r.x + r.y) / HATCH_PX) * HATCH_PX;

  for (double sum = first; sum < r.x + r.width + r.y + r.height;
       sum += HATCH_PX)
    {
      double x0 = MAX (r.x, sum - r.y - r.height);
      double x1 = MIN (r.x + r.width, sum - r.y);

      if (x1 > x0)
        {
          cairo_move_to (cr, x0, sum - x0);
          cairo_line_to (cr, x1, sum - x1);
        }
    }
}

/** kymo_fill_idle: paper with a light hatch */
void
kymo_fill_idle (cairo_t *cr, const KymoTheme *theme, KymoRect rect)
{
  if (rect.width <= 0 || rect.height <= 0)
    return;
  kymo_set_source (cr, theme->paper);
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_fill (cr);
  if (rect.height < 5)
    return;
  kymo_set_source (cr, theme->hatch);
  cairo_set_line_width (cr, 1);
  kymo_hatch_path (cr, rect);
  cairo_stroke (cr);
}

/**
 * kymo_theme_is_hatched:
 * @name: (nullable): a display name
 *
 * Returns: %TRUE if the colour of the activity has a hatch over it: functions that wait
 */
gboolean
kymo_theme_is_hatched (const KymoPlotFrame *frame, const char *name, KymoActivityKind kind)
{
  return kind == KYMO_KIND_ENTRY && frame->colors != NULL
         && kymo_colors_is_hatched (frame->colors, name);
}

static void
hatch_path_falling (cairo_t *cr, KymoRect r, double step)
{
  double first = floor ((r.x - r.y - r.height) / step) * step;

  for (double d = first; d < r.x + r.width - r.y; d += step)
    {
      double x0 = MAX (r.x, d + r.y);
      double x1 = MIN (r.x + r.width, d + r.y + r.height);

      if (x1 > x0)
        {
          cairo_move_to (cr, x0, x0 - d);
          cairo_line_to (cr, x1, x1 - d);
        }
    }
}

/**
 * kymo_hatch_waiting:
 *
 * Hatches the inside of the current path with lines of the canvas, which fall from left to right,
 * and clears the path. The source is another one afterwards.
 */
void
kymo_hatch_waiting (cairo_t *cr, const KymoTheme *theme)
{
  double x0, y0, x1, y1;

  cairo_path_extents (cr, &x0, &y0, &x1, &y1);
  cairo_save (cr);
  cairo_clip (cr);
  kymo_set_source_alpha (cr, theme->canvas, KYMO_WAITING_COVER);
  cairo_set_line_width (cr, 1);
  hatch_path_falling (cr, (KymoRect) { x0, y0, x1 - x0, y1 - y0 }, KYMO_WAITING_PX);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/** kymo_hatch_rest: phase locked to the picture, as pixels have it */
void
kymo_hatch_rest (cairo_t *cr, const KymoTheme *theme, KymoRect r)
{
  if (r.width <= 0 || r.height <= 0)
    return;
  kymo_set_source (cr, theme->rest_hatch);
  cairo_set_line_width (cr, 1);
  hatch_path_falling (cr, r, KYMO_REST_PX);
  cairo_stroke (cr);
}

/** kymo_fill_rest: paper with a hatch that falls from left to right */
void
kymo_fill_rest (cairo_t *cr, const KymoTheme *theme, KymoRect rect)
{
  if (rect.width <= 0 || rect.height <= 0)
    return;
  kymo_set_source (cr, theme->paper);
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_fill (cr);
  kymo_hatch_rest (cr, theme, rect);
}

/**
 * kymo_fill_activity:
 * @name: (nullable): display name of the activity
 * @rect: px
 *
 * Fills @rect with the look of an activity: paper with a hatch for %KYMO_KIND_IDLE and
 * %KYMO_KIND_REST, else a colour, hatched for functions that wait, which is faded where
 * frame->hovered is another name. Paints nothing where @rect is empty.
 */
void
kymo_fill_activity (cairo_t *cr, const KymoPlotFrame *frame, const char *name,
                    KymoActivityKind kind, KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  if (rect.width <= 0 || rect.height <= 0)
    return;
  if (kind == KYMO_KIND_IDLE)
    kymo_fill_idle (cr, theme, rect);
  else if (kind == KYMO_KIND_REST)
    kymo_fill_rest (cr, theme, rect);
  else
    {
      kymo_set_source (cr, kymo_theme_series (frame, name, kind));
      cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
      if (!kymo_theme_is_hatched (frame, name, kind))
        {
          cairo_fill (cr);
          return;
        }
      cairo_fill_preserve (cr);
      kymo_hatch_waiting (cr, theme);
    }
}

/** kymo_line: adds a line to the path, on the middle of pixels */
void
kymo_line (cairo_t *cr, double x0, double y0, double x1, double y1)
{
  if (x0 == x1)
    x0 = x1 = floor (x0) + 0.5;
  if (y0 == y1)
    y0 = y1 = floor (y0) + 0.5;
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
}

/**
 * kymo_heat_color:
 * @share: of the largest amount, clamped to 0 to 1; 0 where it is not finite
 *
 * Returns: the opaque colour of an amount for the frame's look
 */
KymoRgba
kymo_heat_color (const KymoPlotFrame *frame, double share)
{
  /* The least amount is told from none, which is paper. */
  static const KymoRgba stops[2][3] = {
    { { 0.74, 0.85, 0.96, 1 }, { 0.27, 0.55, 0.86, 1 },
      { 0.05, 0.17, 0.42, 1 } },
    { { 0.19, 0.31, 0.47, 1 }, { 0.20, 0.47, 0.80, 1 },
      { 0.82, 0.91, 0.99, 1 } },
  };
  const KymoRgba *s = stops[KYMO_LOOK_IS_DARK (frame->look)];

  share = isfinite (share) ? CLAMP (share, 0, 1) : 0;
  return share < 0.5 ? kymo_rgba_mix (s[0], s[1], share * 2)
                     : kymo_rgba_mix (s[1], s[2], share * 2 - 1);
}

/** kymo_heat_share: 0 for the least of some amounts, 1 for the most; all above 0 */
double
kymo_heat_share (double least, double most, double amount)
{
  double range = log (most / least);

  return range > 0 ? log (amount / least) / range : 1;
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
