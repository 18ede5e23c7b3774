/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Axes; see kymo-axis.h.
 */
#include "config.h"

#include "kymo-axis.h"

#include <math.h>

#include "kymo-plot-private.h"
#include "kymo-units.h"

#define LABEL_PX 92

static const KymoTextStyle label_style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };

/**
 * kymo_axis_time_unit:
 * @step_ns: distance of two ticks, or any amount of time, ns
 * @unit_ns: (out): length of the unit, ns
 *
 * Picks the largest of s, ms, µs and ns of which @step_ns is a tenth at least.
 *
 * Returns: the unit's symbol, static
 */
const char *
kymo_axis_time_unit (double step_ns, double *unit_ns)
{
  static const struct { double ns; const char *name; } units[] = {
    { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (step_ns >= units[i].ns * 0.0999999 || i + 1 == G_N_ELEMENTS (units))
      {
        *unit_ns = units[i].ns;
        return units[i].name;
      }
  g_return_val_if_reached ("ns");
}

static gboolean
is_whole (double value)
{
  return value >= 0.999 && fabs (value - round (value)) < 1e-6 * value;
}

/**
 * kymo_axis_number:
 * @step: distance of two ticks, above 0
 *
 * Writes @value with the fewest decimals that show @step exactly, nine at most. Commas group the
 * thousands, as they do in tables; the decimal point is a point in every locale. A negative number
 * has a minus sign, which is as wide as a plus, as figures beside a picture have. Nothing is "0".
 *
 * Returns: (transfer full): the label, without a unit
 */
char *
kymo_axis_number (double value, double step)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  int decimals = 0;
  const char *dot;
  gsize whole, sign;
  GString *out;

  if (fabs (value) < step / 1000)
    return g_strdup ("0");
  while (decimals < 9 && !is_whole (step * pow (10, decimals)))
    decimals++;
  g_ascii_formatd (digits, sizeof digits,
                   (char[]) { '%', '.', '0' + decimals, 'f', 0 }, value);
  dot = strchr (digits, '.');
  whole = dot != NULL ? (gsize) (dot - digits) : strlen (digits);
  sign = digits[0] == '-' ? 1 : 0;
  out = g_string_new (digits);
  if (whole - sign > 3)
    for (gsize at = whole - 3; at > sign; at -= MIN (3, at))
      g_string_insert_c (out, at, ',');
  if (sign > 0)
    g_string_replace (out, "-", "−", 1);
  return g_string_free (out, FALSE);
}

/**
 * kymo_axis_percent:
 * @value: a share, 1 is 100 %
 * @step: distance of two ticks, a share as well
 *
 * Returns: (transfer full): the label, "12.5 %", with as many decimals as @step needs
 */
char *
kymo_axis_percent (double value, double step)
{
  g_autofree char *number = kymo_axis_number (value * 100, step * 100);

  return g_strconcat (number, " %", NULL);
}

/**
 * kymo_axis_count:
 *
 * Writes an amount like kymo_axis_number(), from 100,000 on in a short form: "120 k".
 *
 * Returns: (transfer full): the label, without a unit
 */
char *
kymo_axis_count (double value, double step)
{
  return value >= 100000 ? kymo_format_count_short (value)
                         : kymo_axis_number (value, step);
}

/**
 * kymo_axis_every:
 * @label_px: width of the widest label, with the gap beside it
 * @slot_px: distance of two bars
 *
 * Returns: 1, 2, 5, 10 …: of how many bars one has a label, so that the eye can count those between
 */
guint
kymo_axis_every (double label_px, double slot_px)
{
  double every = ceil (label_px / fmax (slot_px, 0.01));

  return every <= 1 ? 1 : ceil (kymo_nice_step (every, 1));
}

static gint64
time_step (const KymoPlotFrame *frame)
{
  KymoRect area = kymo_frame_time_area (frame);
  guint ticks = MAX (2, area.width / LABEL_PX);
  gint64 step = kymo_nice_time_step (kymo_span_length (frame->span), ticks);

  return MAX (step, 1);
}

/* Ticks are counted from the begin of the frame's stretch, or from that of the run's clock. */
static gint64
first_tick (const KymoPlotFrame *frame, gint64 step)
{
  gint64 zero = frame->stretch.begin_ns, begin = frame->span.begin_ns - zero;
  gint64 tick = begin / step * step;

  return zero + (tick < begin ? tick + step : tick);
}

/* 1 and 5 have five parts, 2 has four. */
static gint64
minor_step (gint64 step)
{
  gint64 lead = step;

  while (lead >= 10)
    lead /= 10;
  return lead == 2 ? step / 4 : step / 5;
}

static void
time_ticks (cairo_t *cr, const KymoPlotFrame *frame, gint64 step, double y0,
            double y1)
{
  if (step <= 0)
    return;
  for (gint64 t = first_tick (frame, step);
       t <= frame->span.end_ns; t += step)
    {
      double x = kymo_plot_time_to_x (frame, t);
      kymo_line (cr, x, y0, x, y1);
    }
  cairo_stroke (cr);
}

/**
 * kymo_axis_time_grid:
 * @y0: upper end of the lines, px
 * @y1: lower end of the lines, px
 *
 * Strokes a vertical line at each major tick of the shared time axis. Paints nothing where the
 * visible range is empty.
 */
void
kymo_axis_time_grid (cairo_t *cr, const KymoPlotFrame *frame, double y0,
                     double y1)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  if (kymo_span_length (frame->span) == 0)
    return;
  kymo_set_source (cr, theme->grid);
  cairo_set_line_width (cr, 1);
  time_ticks (cr, frame, time_step (frame), y0, y1);
}

/* Labels from left to right; one that would touch the last is left out. */
static void
time_labels (cairo_t *cr, const KymoPlotFrame *frame, gint64 step, double y)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = kymo_frame_time_area (frame);
  double unit_ns, last_end = -1e9;
  const char *unit = kymo_axis_time_unit (step, &unit_ns);
  KymoTextStyle unit_style = { KYMO_TEXT_SMALL, FALSE, 1, 0 };

  for (gint64 t = first_tick (frame, step);
       t <= frame->span.end_ns; t += step)
    {
      g_autofree char *label = kymo_axis_number ((t - frame->stretch.begin_ns) / unit_ns,
                                                 step / unit_ns);
      double width = kymo_text_width (cr, label, label_style);
      double x = kymo_plot_time_to_x (frame, t);

      x = MIN (x, frame->width_px - width / 2 - 2);
      if (x - width / 2 < last_end + 10)
        continue;
      kymo_text_draw (cr, label, x, y, label_style, theme->secondary);
      last_end = x + width / 2;
    }
  kymo_text_draw (cr, unit, area.x - 40, y, unit_style, theme->secondary);
}

/**
 * kymo_axis_time:
 * @y_label: middle of the labels, px
 * @y_line: where the line of the axis lies and the ticks begin, px
 *
 * Paints the shared time axis of the visible range: its line, ticks that point towards the labels,
 * the labels, and their unit left of them. Leaves out a label that would touch the label to its
 * left. Paints nothing where the visible range is empty.
 */
void
kymo_axis_time (cairo_t *cr, const KymoPlotFrame *frame, double y_label,
                double y_line)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = kymo_frame_time_area (frame);
  double out = y_label < y_line ? -1 : 1;
  gint64 step;

  if (kymo_span_length (frame->span) == 0)
    return;
  step = time_step (frame);
  kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, area.x, y_line, area.x + area.width, y_line);
  cairo_stroke (cr);
  time_ticks (cr, frame, minor_step (step), y_line, y_line + out * 3);
  time_ticks (cr, frame, step, y_line, y_line + out * 6);
  time_labels (cr, frame, step, y_label);
}

/**
 * kymo_axis_left:
 * @area: the data area, px
 * @max: value at the top of @area; the bottom is 0
 * @max_ticks: most steps; fewer where the height has no room for their labels
 * @format: writes the labels
 *
 * Strokes a line through @area at each tick and puts the label to the left of it. Paints nothing
 * where @max is not above 0 or @area is lower than 8 px.
 */
void
kymo_axis_left (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area,
                double max, guint max_ticks, KymoFormatValue format)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  double step;

  if (!(max > 0) || area.height < 8)
    return;
  max_ticks = CLAMP (max_ticks, 1, MAX (1, (guint) (area.height / 22)));
  step = kymo_nice_step (max, max_ticks);
  /* There is no half of what is counted. */
  if (format == kymo_axis_count)
    step = MAX (step, 1);
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i * step <= max * 1.000001; i++)
    {
      g_autofree char *label = format (i * step, step);
      double y = area.y + area.height * (1 - i * step / max);

      kymo_set_source_alpha (cr, theme->axis, i == 0 ? 1 : 0.38);
      kymo_line (cr, area.x, y, area.x + area.width, y);
      cairo_stroke (cr);
      kymo_text_draw (cr, label, area.x - 8, y, style, theme->secondary);
    }
}

/* A tick and its label; one that would touch the last is left out. */
static void
value_tick (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area,
            gboolean below, double share, const char *label, double *last_end)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, below ? 0.5 : 1, 0 };
  double x = area.x + share * area.width;
  double y = area.y + (1 - share) * area.height;
  double bottom = area.y + area.height;
  double width = kymo_text_width (cr, label, style);

  kymo_set_source_alpha (cr, theme->axis, 0.38);
  if (below)
    kymo_line (cr, x, area.y, x, bottom);
  else
    kymo_line (cr, area.x, y, area.x + area.width, y);
  cairo_stroke (cr);
  if (!below)
    kymo_text_draw (cr, label, area.x - 8, y, style, theme->secondary);
  else if (x - width / 2 >= *last_end + 10)
    {
      kymo_text_draw (cr, label, x, bottom + 13, style, theme->secondary);
      *last_end = x + width / 2;
    }
}

static guint
count_ticks (double min, double max, double step)
{
  return (guint) MAX (0, floor (max / step + 1e-6) - ceil (min / step - 1e-9) + 1);
}

/* One tick tells no scale: there are two at least, however narrow it is. */
static double
value_step (double min, double max, double length)
{
  guint most = CLAMP ((guint) length, 2, 12);
  double step = kymo_nice_step (max - min, most);

  while (most < 12 && count_ticks (min, max, step) < 2)
    step = kymo_nice_step (max - min, ++most);
  return step;
}

/**
 * kymo_axis_values:
 * @area: the data area, px
 * @below: %TRUE puts the axis below @area, %FALSE left of it
 * @min: value at the left or at the bottom of @area
 * @max: value at the right or at the top of @area
 * @format: writes the labels
 *
 * Paints the axis, and a light line through @area at each of its ticks. A label below @area that
 * would touch the label to its left is left out. Paints nothing where @max is not above @min or a
 * side of @area is shorter than 8 px.
 */
void
kymo_axis_values (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area,
                  gboolean below, double min, double max,
                  KymoFormatValue format)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double length = below ? area.width / LABEL_PX : area.height / 34;
  double last_end = -1e9, step;

  if (!(max > min) || area.width < 8 || area.height < 8)
    return;
  step = value_step (min, max, length);
  cairo_set_line_width (cr, 1);
  for (double i = ceil (min / step - 1e-9); i * step <= max + step * 1e-6; i++)
    {
      g_autofree char *label = format (i * step, step);

      value_tick (cr, frame, area, below, (i * step - min) / (max - min),
                  label, &last_end);
    }
  kymo_set_source (cr, theme->axis);
  if (below)
    kymo_line (cr, area.x, area.y + area.height, area.x + area.width,
               area.y + area.height);
  else
    kymo_line (cr, area.x, area.y, area.x, area.y + area.height);
  cairo_stroke (cr);
}
