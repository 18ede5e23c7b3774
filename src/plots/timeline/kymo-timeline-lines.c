/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A counter as a thin line under each row of a timeline: a band from the least to
 * the largest value of a column, and the mean through it, on one scale for all
 * rows. From one column that was sampled to the next the mean goes straight.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-order.h"
#include "kymo-text.h"
#include "kymo-timeline.h"
#include "kymo-units.h"

/* Lower rows have no room for a line. */
#define LEAST_ROW_PX 14
#define LEAST_LINE_PX 5
#define MOST_LINE_PX 28
/* of which the scale takes */
#define LEAST_TEXT_PX 12

/**
 * kymo_timeline_init_lines:
 *
 * Reads the samples of a counter that lie under the rows, and takes the height of their line from
 * the bars. Needs the heights of rows and bars. Without samples, or with rows lower than 14 px,
 * there are no lines.
 */
void
kymo_timeline_init_lines (KymoTimeline *timeline, const KymoTable *answer)
{
  timeline->lines = kymo_table_peek_nested (answer, "lines", NULL);
  if (timeline->lines == NULL || timeline->row_px < LEAST_ROW_PX)
    {
      timeline->lines = NULL;
      return;
    }
  timeline->line_min = kymo_table_get_double (answer, "line_min", 0);
  timeline->line_max = kymo_table_get_double (answer, "line_max", 0);
  timeline->line_px = CLAMP (round (timeline->row_px * 0.34), LEAST_LINE_PX, MOST_LINE_PX);
  timeline->bar_px = MAX (timeline->bar_px - timeline->line_px - 1, 4);
}

/* The first sample of a row, or of one behind it. */
static guint
find_row (const KymoTimeline *timeline, guint row)
{
  const gint64 *rows = kymo_table_peek_ints (timeline->lines, "row", NULL);
  return KYMO_FIND_FIRST (i, 0, kymo_table_get_n_rows (timeline->lines), rows[i] >= row);
}

static double
y_of (const KymoTimeline *timeline, double foot, double value)
{
  double range = timeline->line_max - timeline->line_min;

  return foot - (range > 0 ? (value - timeline->line_min) / range : 0.5)
                * (timeline->line_px - 2) - 1;
}

static double
foot_of (const KymoTimeline *timeline, guint row)
{
  return kymo_timeline_row_y (timeline, row) + timeline->bar_px + 1 + timeline->line_px;
}

static void
paint_band (cairo_t *cr, const KymoTimeline *timeline, guint from, guint end, double foot)
{
  const gint64 *x = kymo_table_peek_ints (timeline->lines, "x", NULL);
  const double *min = kymo_table_peek_doubles (timeline->lines, "min", NULL);
  const double *max = kymo_table_peek_doubles (timeline->lines, "max", NULL);

  for (guint i = from; i < end; i++)
    {
      double left = kymo_timeline_x (timeline, x[i]), top = y_of (timeline, foot, max[i]);
      double bottom = y_of (timeline, foot, min[i]);

      if (bottom - top >= 1)
        cairo_rectangle (cr, left, top, MAX (timeline->x_step, 1), bottom - top);
    }
  kymo_set_source_alpha (cr, timeline->theme->accent, 0.35);
  cairo_fill (cr);
}

static void
paint_mean (cairo_t *cr, const KymoTimeline *timeline, guint from, guint end, double foot)
{
  const gint64 *x = kymo_table_peek_ints (timeline->lines, "x", NULL);
  const double *mean = kymo_table_peek_doubles (timeline->lines, "mean", NULL);

  for (guint i = from; i < end; i++)
    cairo_line_to (cr, kymo_timeline_x (timeline, x[i]) + timeline->x_step / 2,
                   y_of (timeline, foot, mean[i]));
  /* A single sample would be no line. */
  if (end == from + 1)
    cairo_rel_line_to (cr, MAX (timeline->x_step, 2), 0);
  kymo_set_source (cr, timeline->theme->accent);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/* Those of the row that can be seen, and one on each side. */
static void
paint_row (cairo_t *cr, const KymoTimeline *timeline, guint row, gint64 left, gint64 right)
{
  const gint64 *x = kymo_table_peek_ints (timeline->lines, "x", NULL);
  guint from = find_row (timeline, row), end = find_row (timeline, row + 1);
  double foot = foot_of (timeline, row);

  while (from + 1 < end && x[from + 1] < left)
    from++;
  while (end > from + 1 && x[end - 2] > right)
    end--;
  if (from >= end)
    return;
  kymo_set_source (cr, timeline->theme->grid);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, timeline->area.x, floor (foot) - 0.5,
             timeline->area.x + timeline->area.width, floor (foot) - 0.5);
  cairo_stroke (cr);
  paint_band (cr, timeline, from, end, foot);
  paint_mean (cr, timeline, from, end, foot);
}

static char *
scale_words (const KymoTimeline *timeline)
{
  g_autofree char *min = kymo_format_number (timeline->line_min, 3);
  g_autofree char *max = kymo_format_number (timeline->line_max, 3);

  return g_strdup_printf ("%s – %s", min, max);
}

/* In the margin: the counter over the rows, and its scale beside each line that has
   room for it. */
static void
paint_scale (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *answer, guint first,
             guint end)
{
  KymoRect area = timeline->area;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, area.x - 14 - timeline->gutter_px };
  const char *name = kymo_table_get_string (answer, "line", 0);
  g_autofree char *words = NULL;

  if (name != NULL)
    kymo_text_draw (cr, name, area.x - 10, area.y - 7, style, timeline->theme->accent);
  words = isnan (timeline->line_min) ? g_strdup (_("no samples"))
          : scale_words (timeline);
  for (guint row = first; row < end && timeline->line_px >= LEAST_TEXT_PX; row++)
    {
      double y = foot_of (timeline, row) - timeline->line_px / 2;

      if (y >= area.y && y <= area.y + area.height)
        kymo_text_draw (cr, words, area.x - 10, y, style, timeline->theme->accent);
    }
}

/** kymo_timeline_paint_lines: nothing where no counter was asked for */
void
kymo_timeline_paint_lines (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *answer)
{
  KymoRect area = timeline->area;
  guint first, end;
  gint64 from, to;

  if (timeline->lines == NULL)
    return;
  kymo_timeline_visible (timeline, &first, &end);
  paint_scale (cr, timeline, answer, first, end);
  kymo_timeline_columns (timeline, &from, &to);
  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  for (guint row = first; row < end; row++)
    paint_row (cr, timeline, row, from, to);
  cairo_restore (cr);
}

/* The name of a counter and its mean; where they differ also its least and largest value. */
static char *
value_words (const char *counter, double mean, double min, double max)
{
  g_autofree char *of_mean = kymo_format_number (mean, 6);
  g_autofree char *of_min = kymo_format_number (min, 6);
  g_autofree char *of_max = kymo_format_number (max, 6);

  if (min == max)
    return g_strdup_printf ("%s: %s", counter, of_mean);
  return g_strdup_printf (_("%s: %s (%s – %s)"), counter, of_mean, of_min, of_max);
}

/** kymo_timeline_describe_line: of the nearest column up to there that was sampled */
char *
kymo_timeline_describe_line (const KymoTimeline *timeline, const KymoTable *answer, guint row,
                             double column)
{
  const gint64 *x;
  guint from, end;
  double min, max, mean;

  if (timeline->lines == NULL)
    return NULL;
  x = kymo_table_peek_ints (timeline->lines, "x", NULL);
  from = find_row (timeline, row);
  end = find_row (timeline, row + 1);
  while (end > from && x[end - 1] > column)
    end--;
  if (end == from)
    return NULL;
  min = kymo_table_get_double (timeline->lines, "min", end - 1);
  max = kymo_table_get_double (timeline->lines, "max", end - 1);
  mean = kymo_table_get_double (timeline->lines, "mean", end - 1);
  return value_words (kymo_table_get_string (answer, "line", 0), mean, min, max);
}
