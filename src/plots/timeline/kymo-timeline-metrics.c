/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System metrics under the rows of a timeline, on its axis of time: a strip for each, with an area
 * from zero to the mean of a column, and a line at its largest value.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-timeline.h"
#include "kymo-units.h"

#define STRIP_PX 36
/* Of a strip the words above the curve. */
#define WORDS_PX 15
/* Above the first strip, and between the curves of two. */
#define GAP_PX 6
#define CURVE_GAP_PX 3

/**
 * kymo_timeline_metrics_px:
 * @answer: a timeline
 *
 * Returns: the height that its system metrics want; 0 if it has none
 */
double
kymo_timeline_metrics_px (const KymoTable *answer)
{
  KymoTable *metrics = kymo_table_peek_nested (answer, "metrics", NULL);
  guint n = metrics != NULL ? kymo_table_get_n_rows (metrics) : 0;

  return n > 0 ? n * STRIP_PX + GAP_PX : 0;
}

/**
 * kymo_timeline_init_metrics:
 *
 * Takes the height of the strips from the area of the rows, at most half of it: what has no room is
 * left out.
 */
void
kymo_timeline_init_metrics (KymoTimeline *timeline, const KymoTable *answer)
{
  double want = kymo_timeline_metrics_px (answer), half = timeline->area.height / 2;

  timeline->n_metrics = want > 0 ? (guint) MAX (MIN (want, half) - GAP_PX, 0) / STRIP_PX : 0;
  if (timeline->n_metrics == 0)
    return;
  timeline->metrics = kymo_table_peek_nested (answer, "metrics", NULL);
  timeline->metric_values = kymo_table_peek_nested (timeline->metrics, "values",
                                                    &timeline->metric_offsets);
  timeline->metrics_px = timeline->n_metrics * STRIP_PX + GAP_PX;
  timeline->area.height -= timeline->metrics_px;
}

static double
y_of_value (double top, double low, double high, double value)
{
  double height = STRIP_PX - WORDS_PX - CURVE_GAP_PX;

  return top + WORDS_PX + height - (high > low ? (value - low) / (high - low) : 0) * height;
}

/* The tuples of a strip that can be seen. */
static void
paint_curve (cairo_t *cr, const KymoTimeline *timeline, guint row, double top)
{
  const gint64 *x0 = kymo_table_peek_ints (timeline->metric_values, "x0", NULL);
  const gint64 *x1 = kymo_table_peek_ints (timeline->metric_values, "x1", NULL);
  const double *max = kymo_table_peek_doubles (timeline->metric_values, "max", NULL);
  const double *mean = kymo_table_peek_doubles (timeline->metric_values, "mean", NULL);
  double low = MIN (kymo_table_get_double (timeline->metrics, "min", row), 0);
  double high = MAX (kymo_table_get_double (timeline->metrics, "max", row), 0);
  double zero = y_of_value (top, low, high, 0);

  for (guint i = timeline->metric_offsets[row]; i < timeline->metric_offsets[row + 1]; i++)
    {
      double left = kymo_timeline_x (timeline, x0[i]), right = kymo_timeline_x (timeline, x1[i]);
      double y = y_of_value (top, low, high, mean[i]);

      cairo_rectangle (cr, left, MIN (y, zero), MAX (right - left, 1), fabs (zero - y));
    }
  kymo_set_source_alpha (cr, timeline->theme->accent, 0.35);
  cairo_fill (cr);
  for (guint i = timeline->metric_offsets[row]; i < timeline->metric_offsets[row + 1]; i++)
    {
      double left = kymo_timeline_x (timeline, x0[i]), right = kymo_timeline_x (timeline, x1[i]);
      double y = y_of_value (top, low, high, max[i]);

      kymo_line (cr, left, y, MAX (right, left + 1), y);
    }
  kymo_set_source (cr, timeline->theme->accent);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/* (transfer full): "16.6 MB", "1.25 MB/s", "3 /s"; nanoseconds per second are a share */
static char *
dup_value (double value, const char *unit)
{
  const char *slash = strrchr (unit, '/');
  const char *rate = slash != NULL && strcmp (slash, "/s") == 0 ? slash : "";
  g_autofree char *of = g_strndup (unit, strlen (unit) - strlen (rate));
  g_autofree char *number = NULL;

  if (g_str_equal (of, "B") || g_str_equal (of, "bytes"))
    number = fabs (value) < G_MAXINT64 / 2 ? kymo_format_bytes ((gint64) value) : NULL;
  else if (g_str_equal (of, "ns") && *rate != '\0')
    return kymo_format_percent (value / 1e9);
  else if (g_str_equal (of, "ns"))
    number = fabs (value) < G_MAXINT64 / 2 ? kymo_format_duration ((gint64) value) : NULL;
  if (number != NULL)
    return g_strconcat (number, rate, NULL);
  number = kymo_format_number (value, 3);
  return *unit != '\0' ? g_strdup_printf ("%s %s", number, unit) : g_steal_pointer (&number);
}

/* (transfer full): the largest value, with its unit */
static char *
dup_most (double high, const char *unit)
{
  g_autofree char *value = isnan (high) ? NULL : dup_value (high, unit);

  return value != NULL ? g_strdup_printf (_("up to %s"), value) : g_strdup (_("no samples"));
}

/* (transfer full): "node0: load", "rank 3: memory", "512 ranks: memory" */
static char *
dup_metric_label (const KymoTimeline *timeline, guint row)
{
  const char *of = kymo_table_peek_label (timeline->metrics, "of", row);
  const char *name = kymo_table_get_string (timeline->metrics, "name", row);
  gint64 n = kymo_table_get_int (timeline->metrics, "processes", row);
  g_autofree char *all = n > 1 ? kymo_words_rows (timeline->frame->terms, n) : NULL;

  if (all != NULL)
    of = all;
  return *of != '\0' ? g_strdup_printf ("%s: %s", of, name) : g_strdup (name);
}

/* (transfer full): with the last strip that has room, how many have none */
static char *
dup_strip_label (const KymoTimeline *timeline, guint row)
{
  guint more = kymo_table_get_n_rows (timeline->metrics) - timeline->n_metrics;
  g_autofree char *label = dup_metric_label (timeline, row), *rest = NULL;

  if (row + 1 < timeline->n_metrics || more == 0)
    return g_steal_pointer (&label);
  rest = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u more has no room",
                                       "%u more have no room", more), more);
  return g_strdup_printf ("%s · %s", label, rest);
}

/* The label at the left end of the strip, and its largest value at the right. */
static void
paint_words (cairo_t *cr, const KymoTimeline *timeline, guint row, double top)
{
  KymoRect area = timeline->area;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, area.width / 2 - 10 };
  KymoTextStyle most = { KYMO_TEXT_SMALL, FALSE, 1, area.width / 2 - 10 };
  g_autofree char *label = dup_strip_label (timeline, row);
  g_autofree char *words = dup_most (kymo_table_get_double (timeline->metrics, "max", row),
                                     kymo_table_get_string (timeline->metrics, "unit", row));

  kymo_text_draw (cr, label, area.x + 6, top + 7, style, timeline->theme->foreground);
  kymo_text_draw (cr, words, area.x + area.width - 6, top + 7, most,
                  timeline->theme->foreground);
}

/** kymo_timeline_paint_metrics: @top: where the rows end; nothing where no metric was asked for */
void
kymo_timeline_paint_metrics (cairo_t *cr, const KymoTimeline *timeline, double top)
{
  KymoRect area = timeline->area;

  for (guint row = 0; row < timeline->n_metrics; row++)
    {
      double y = top + GAP_PX + row * STRIP_PX;

      cairo_save (cr);
      cairo_rectangle (cr, area.x, y, area.width, STRIP_PX);
      cairo_clip (cr);
      paint_curve (cr, timeline, row, y);
      cairo_restore (cr);
      kymo_set_source (cr, timeline->theme->grid);
      cairo_set_line_width (cr, 1);
      kymo_line (cr, area.x, y + STRIP_PX - CURVE_GAP_PX + 0.5, area.x + area.width,
                 y + STRIP_PX - CURVE_GAP_PX + 0.5);
      cairo_stroke (cr);
      paint_words (cr, timeline, row, y);
    }
}

/* "16.6 MB", and where there are several values in a column "16.6 MB (16.1 MB – 17.0 MB)" */
static char *
dup_values (const KymoTimeline *timeline, guint row, guint tuple)
{
  const char *unit = kymo_table_get_string (timeline->metrics, "unit", row);
  double min = kymo_table_get_double (timeline->metric_values, "min", tuple);
  double max = kymo_table_get_double (timeline->metric_values, "max", tuple);
  g_autofree char *mean = dup_value (kymo_table_get_double (timeline->metric_values, "mean",
                                                            tuple), unit);
  g_autofree char *least = dup_value (min, unit), *most = dup_value (max, unit);

  return min < max ? g_strdup_printf (_("%s (%s – %s)"), mean, least, most)
    : g_steal_pointer (&mean);
}

/**
 * kymo_timeline_hit_metric:
 * @hit: (out): gets the metric, its value there and the time
 *
 * Returns: whether a strip is there
 */
gboolean
kymo_timeline_hit_metric (const KymoTimeline *timeline, double x, double y, KymoPlotHit *hit)
{
  double top = timeline->area.y + timeline->area.height + GAP_PX;
  const gint64 *x0, *x1;
  g_autofree char *label = NULL, *value = NULL, *when = NULL;
  guint row;

  if (y < top || y >= top + timeline->n_metrics * STRIP_PX || x < timeline->area.x
      || x >= timeline->area.x + timeline->area.width)
    return FALSE;
  row = (guint) ((y - top) / STRIP_PX);
  label = dup_metric_label (timeline, row);
  x0 = kymo_table_peek_ints (timeline->metric_values, "x0", NULL);
  x1 = kymo_table_peek_ints (timeline->metric_values, "x1", NULL);
  for (guint i = timeline->metric_offsets[row]; i < timeline->metric_offsets[row + 1]; i++)
    if (x >= kymo_timeline_x (timeline, x0[i]) && x < kymo_timeline_x (timeline, x1[i]))
      value = dup_values (timeline, row, i);
  hit->time_ns = kymo_plot_x_to_time (timeline->frame, x);
  when = kymo_format_duration (hit->time_ns);
  hit->text = value != NULL ? g_strdup_printf (_("%s\n%s at %s"), label, value, when)
    : g_strdup_printf (_("%s\nnot measured at %s"), label, when);
  return TRUE;
}
