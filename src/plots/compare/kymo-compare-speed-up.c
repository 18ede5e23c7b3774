/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of a series of runs: a dot a side for how many times as fast as the first it is, with the line
 * of a perfect speed-up dashed. Where there are repeats, what is within their noise is hollow.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-compare-series.h"
#include "kymo-units.h"

#define DOT_PX 4
/* Around a dot. */
#define HIT_PX 10
/* Narrower it is not painted. */
#define LEAST_PX 40

/* -- where things lie ---------------------------------------------------------- */

static double
faster_x (const KymoCompareSeries *chart, guint side)
{
  return chart->faster.x + chart->faster.width * (side + 0.5) / chart->n_sides;
}

static double
faster_y (const KymoCompareSeries *chart, double value)
{
  return chart->faster.y + chart->faster.height * (1 - value / chart->most_faster);
}

/**
 * kymo_compare_label_width:
 *
 * Returns: width of the widest label of a side in @style, px
 */
double
kymo_compare_label_width (cairo_t *cr, const KymoCompareSeries *chart, KymoTextStyle style)
{
  double widest = 0;

  for (guint side = 0; side < chart->n_sides; side++)
    widest = fmax (widest, kymo_text_width (cr, kymo_table_get_string (
      chart->sides, "label", side), style));
  return widest;
}

/**
 * kymo_compare_every:
 * @width: of the widest label, px
 * @step: distance of two sides, px
 *
 * Chooses how many labels to paint, so that neighbouring labels have a gap between them.
 *
 * Returns: n, where every n-th side has a label: 1, 2, 5, 10, 20 or 50, and 100 where labels are
 *   too wide for 50
 */
guint
kymo_compare_every (double width, double step)
{
  static const guint steps[] = { 1, 2, 5, 10, 20, 50 };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (width + KYMO_COMPARE_GAP_PX <= step * steps[i])
      return steps[i];
  return 100;
}

/* -- painting ------------------------------------------------------------------ */

/* Of a side that repeats are as far apart as from A it is hollow. */
static void
paint_dot (cairo_t *cr, const KymoCompareSeries *chart, guint side, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double value = kymo_table_get_double (chart->sides, "speed_up", side);

  if (!isfinite (value))
    return;
  cairo_arc (cr, faster_x (chart, side), faster_y (chart, value),
             CLAMP (chart->faster.width / chart->n_sides / 3, 2, DOT_PX), 0, 2 * G_PI);
  kymo_set_source (cr, kymo_table_get_bool (chart->sides, "is_noise", side) ? theme->canvas
                   : theme->accent);
  cairo_fill_preserve (cr);
  kymo_set_source (cr, theme->accent);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

/* Above the dot, or below where that is no room. */
static KymoRect
number_rect (cairo_t *cr, const KymoCompareSeries *chart, guint side,
             char number[G_ASCII_DTOSTR_BUF_SIZE])
{
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  double value = kymo_table_get_double (chart->sides, "speed_up", side), y, width;

  g_ascii_formatd (number, G_ASCII_DTOSTR_BUF_SIZE, "%.2f", value);
  y = faster_y (chart, value);
  y = y - 13 > chart->faster.y ? y - 13 : y + 14;
  width = kymo_text_width (cr, number, style) + 4;
  return (KymoRect) { faster_x (chart, side) - width / 2, y - 7, width, 14 };
}

static gboolean
is_free (const GArray *taken, const KymoRect *rect)
{
  for (guint i = 0; i < taken->len; i++)
    {
      const KymoRect *other = &g_array_index (taken, KymoRect, i);

      if (rect->x < other->x + other->width + 2 && other->x < rect->x + rect->width + 2
          && rect->y < other->y + other->height && other->y < rect->y + rect->height)
        return FALSE;
    }
  return TRUE;
}

static void
paint_number (cairo_t *cr, const KymoCompareSeries *chart, guint side, GArray *taken,
              const KymoTheme *theme)
{
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  KymoRect rect;

  if (!isfinite (kymo_table_get_double (chart->sides, "speed_up", side)))
    return;
  rect = number_rect (cr, chart, side, number);
  if (!is_free (taken, &rect))
    return;
  g_array_append_val (taken, rect);
  kymo_set_source_alpha (cr, theme->canvas, 0.85);
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_fill (cr);
  kymo_text_draw (cr, number, rect.x + rect.width / 2, rect.y + 7, style, theme->foreground);
}

/* None over another; first the ends, which matter most. */
static void
paint_numbers (cairo_t *cr, const KymoCompareSeries *chart, const KymoPlotFrame *frame)
{
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (KymoRect));
  guint first[3] = { 0, 0, chart->n_sides - 1 };

  for (guint side = 1; side < chart->n_sides; side++)
    {
      double value = kymo_table_get_double (chart->sides, "speed_up", side);

      if (value > kymo_table_get_double (chart->sides, "speed_up", first[0]))
        first[0] = side;
      if (value < kymo_table_get_double (chart->sides, "speed_up", first[1]))
        first[1] = side;
    }
  for (guint i = 0; i < chart->n_sides + G_N_ELEMENTS (first); i++)
    {
      guint side = i < G_N_ELEMENTS (first) ? first[i] : i - G_N_ELEMENTS (first);
      gboolean again = i >= G_N_ELEMENTS (first)
                       && (side == first[0] || side == first[1] || side == first[2]);

      if (!again)
        paint_number (cr, chart, side, taken, kymo_theme_get (frame->look));
    }
}

static void
paint_line (cairo_t *cr, const KymoCompareSeries *chart, gboolean perfect)
{
  double first = kymo_table_get_double (chart->sides, "pes", 0);

  for (guint side = 0; side < chart->n_sides; side++)
    {
      double value = perfect ? kymo_table_get_double (chart->sides, "pes", side) / first
                     : kymo_table_get_double (chart->sides, "speed_up", side);

      if (isfinite (value))
        cairo_line_to (cr, faster_x (chart, side), faster_y (chart, value));
    }
  cairo_stroke (cr);
}

static gboolean
has_noise (const KymoCompareSeries *chart)
{
  for (guint side = 0; side < chart->n_sides; side++)
    if (kymo_table_get_bool (chart->sides, "is_noise", side))
      return TRUE;
  return FALSE;
}

/**
 * kymo_compare_speed_up_paint:
 *
 * Paints the right part of the picture of a series: an axis, a dashed line of the perfect
 * speed-up, a line through a dot for each side (hollow where the difference is noise), numbers and
 * labels. Paints nothing where chart->faster is narrower than 40 px.
 */
void
kymo_compare_speed_up_paint (cairo_t *cr, const KymoCompareSeries *chart,
                             const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle title = { KYMO_TEXT_SMALL, FALSE, 0, chart->faster.width };
  KymoTextStyle label = { KYMO_TEXT_NORMAL, TRUE, 0.5, 0 };
  guint each;

  if (chart->faster.width < LEAST_PX)
    return;
  each = kymo_compare_every (kymo_compare_label_width (cr, chart, label),
                             chart->faster.width / chart->n_sides);
  kymo_axis_left (cr, frame, chart->faster, chart->most_faster, 6, kymo_axis_number);
  kymo_text_draw (cr, has_noise (chart) ? _("Times as fast as A; dashed: perfect, hollow: noise")
                  : _("Times as fast as A; dashed: perfect"), chart->faster.x,
                  chart->faster.y - 12, title, theme->secondary);
  cairo_set_line_width (cr, 1.5);
  cairo_save (cr);
  cairo_set_dash (cr, (double[]) { 5, 3 }, 2, 0);
  kymo_set_source (cr, theme->secondary);
  paint_line (cr, chart, TRUE);
  cairo_restore (cr);
  kymo_set_source (cr, theme->accent);
  paint_line (cr, chart, FALSE);
  for (guint side = 0; side < chart->n_sides; side++)
    paint_dot (cr, chart, side, frame);
  paint_numbers (cr, chart, frame);
  for (guint side = 0; side < chart->n_sides; side += each)
    kymo_text_draw (cr, kymo_table_get_string (chart->sides, "label", side),
                    faster_x (chart, side), chart->faster.y + chart->faster.height + 14, label,
                    theme->foreground);
}

/* -- what lies under a point ----------------------------------------------------- */

static const char *
noise_words (const KymoCompareSeries *chart, guint side)
{
  if (!kymo_table_get_bool (chart->sides, "has_noise", side))
    return "";
  return kymo_table_get_bool (chart->sides, "is_noise", side)
         ? _("\nNoise: repeats are as far apart") : _("\nMore than noise");
}

/**
 * kymo_compare_speed_up_rect:
 * @side: below chart->n_sides
 *
 * Returns: the square around the dot of a side in which the pointer is on it, px; empty where the
 *   speed-up is not known or not painted
 */
KymoRect
kymo_compare_speed_up_rect (const KymoCompareSeries *chart, guint side)
{
  double value = kymo_table_get_double (chart->sides, "speed_up", side);

  if (chart->faster.width < LEAST_PX || !isfinite (value))
    return (KymoRect) { 0 };
  return (KymoRect) { faster_x (chart, side) - HIT_PX, faster_y (chart, value) - HIT_PX,
                      2 * HIT_PX, 2 * HIT_PX };
}

static void
describe_compare_speed_up (const KymoCompareSeries *chart, guint side, KymoPlotHit *hit)
{
  g_autofree char *efficiency = kymo_format_percent (
    kymo_table_get_double (chart->sides, "efficiency", side));
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.3g",
                   kymo_table_get_double (chart->sides, "speed_up", side));
  hit->rect = kymo_compare_speed_up_rect (chart, side);
  hit->text = g_strdup_printf (_("%s\n%s times as fast as A\nefficiency %s%s"),
                               kymo_table_get_string (chart->sides, "label", side), number,
                               efficiency, noise_words (chart, side));
}

/** kymo_compare_speed_up_hit: the nearest dot, as they may lie close to each other */
gboolean
kymo_compare_speed_up_hit (const KymoCompareSeries *chart, double x, double y,
                           KymoPlotHit *hit)
{
  double least = INFINITY;
  guint nearest = 0;

  for (guint side = 0; side < chart->n_sides; side++)
    {
      KymoRect rect = kymo_compare_speed_up_rect (chart, side);
      double away = hypot (rect.x + HIT_PX - x, rect.y + HIT_PX - y);

      if (rect.width > 0 && kymo_rect_contains (rect, x, y) && away < least)
        {
          least = away;
          nearest = side;
        }
    }
  if (isinf (least))
    return FALSE;
  describe_compare_speed_up (chart, nearest, hit);
  return TRUE;
}
