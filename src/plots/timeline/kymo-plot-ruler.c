/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ruler above the time charts and the strip that shows the whole run.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-plot-private.h"
#include "kymo-text.h"

/* Height of a tick where something was found. */
#define TICK_PX 6

/* Labels of bands that follow one another must not touch. */
static double
phase_label (cairo_t *cr, const KymoPlotFrame *frame, gint64 phase, double x0,
             double x1, double y, double last_end)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL - 0.5, FALSE, 0.5, 0 };
  g_autofree char *words = g_strdup_printf (_("phase %" PRId64),
                                            phase);
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, phase);
  const char *shown = kymo_text_width (cr, words, style) + 8 <= x1 - x0
                      ? words : number;
  double half = kymo_text_width (cr, shown, style) / 2;
  double middle = (x0 + x1) / 2;

  if (2 * half + 4 > x1 - x0 || middle - half < last_end + 4)
    return last_end;
  kymo_text_draw (cr, shown, middle, y, style, theme->secondary);
  return middle + half;
}

/** kymo_paint_phases: bands of less than a pixel are joined */
void
kymo_paint_phases (cairo_t *cr, const KymoPlotFrame *frame,
                   const KymoTable *phases, double y, double height,
                   gboolean labels)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = kymo_frame_time_area (frame);
  guint n = phases != NULL ? kymo_table_get_n_rows (phases) : 0;
  double last_band = -1e9, last_label = -1e9;

  for (guint i = 0; i < n; i++)
    {
      double x0 = kymo_plot_time_to_x (
        frame, kymo_table_get_int (phases, "begin_ns", i));
      double x1 = kymo_plot_time_to_x (
        frame, kymo_table_get_int (phases, "end_ns", i));

      x0 = MAX (x0, area.x);
      x1 = MIN (x1, area.x + area.width);
      if (x1 <= x0 || x1 < last_band + 1)
        continue;
      last_band = x1;
      kymo_set_source_alpha (cr, theme->accent, i % 2 == 0 ? 0.14 : 0.28);
      cairo_rectangle (cr, x0, y, x1 - x0, height);
      cairo_fill (cr);
      if (labels)
        last_label = phase_label (cr, frame,
                                kymo_table_get_int (phases, "phase", i), x0,
                                x1, y + height / 2, last_label);
    }
}

/**
 * kymo_plot_paint_ruler:
 *
 * Paints the shared time axis, its line at the bottom; above it the phases of
 * the frame, if it has any, and over it its marks.
 */
void
kymo_plot_paint_ruler (cairo_t             *cr,
                       const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double top = 0;
  KymoRect area;

  kymo_set_source (cr, theme->canvas);
  cairo_rectangle (cr, 0, 0, frame->width_px, frame->height_px);
  cairo_fill (cr);
  if (frame->phases != NULL && kymo_table_get_n_rows (frame->phases) > 0)
    {
      kymo_paint_phases (cr, frame, frame->phases, 1, KYMO_PHASES_PX - 2,
                         TRUE);
      top = KYMO_PHASES_PX;
    }
  kymo_axis_time (cr, frame, MAX (top + (frame->height_px - top) / 2 - 3, 7),
                  frame->height_px - 1);
  area = kymo_frame_time_area (frame);
  area.height = frame->height_px;
  kymo_paint_marks (cr, frame, frame->marks, area);
}

/**
 * kymo_plot_paint_ticks:
 * @ticks: (array length=n): how many are in each of n equal parts
 * @span: what the parts are of
 * @top: at the top of the picture, else at its bottom
 *
 * Marks where something is; ticks of one pixel are joined.
 */
void
kymo_plot_paint_ticks (cairo_t             *cr,
                       const KymoPlotFrame *frame,
                       const gint64        *ticks,
                       guint                n,
                       KymoSpan             span,
                       gboolean             top)
{
  KymoRect area = kymo_frame_time_area (frame);
  double last = -1, length = kymo_span_length (span);

  for (guint i = 0; i < n; i++)
    {
      double x = floor (kymo_plot_time_to_x (frame, span.begin_ns
                                             + length * (i + 0.5) / n));

      if (ticks[i] == 0 || x == last || x < area.x || x >= area.x + area.width)
        continue;
      cairo_rectangle (cr, x - 0.5, top ? 0 : frame->height_px - TICK_PX, 2,
                       TICK_PX);
      last = x;
    }
  kymo_set_source (cr, kymo_theme_get (frame->look)->match);
  cairo_fill (cr);
}

/* Of functions only those that compute are busy with what the program is for. */
static gboolean
is_busy (const KymoTable *series, guint row, const KymoPlotFrame *frame)
{
  const char *role = kymo_table_find_column (series, "role") < 0 ? NULL
    : kymo_table_get_string (series, "role", row);

  return frame->terms.code != KYMO_CODE_FUNCTION || role == NULL
    || g_str_equal (role, "compute");
}

/* Busy share of each bin: all entry methods, of what was traced. Free with
   g_free(). */
static double *
busy_of_bins (const KymoTable *answer, const KymoPlotFrame *frame, guint n_bins)
{
  static const char *const others[] = { "idle_ns", "overhead_ns",
                                        "untraced_ns" };
  KymoTable *series = kymo_table_peek_nested (answer, "series", NULL);
  double *busy = g_new0 (double, n_bins);
  g_autofree double *all = g_new0 (double, n_bins);
  guint width = 0;
  double capacity = 0;
  const gint64 *ns = series != NULL ? kymo_table_peek_ints (series, "ns",
                                                            &width) : NULL;

  for (guint row = 0; ns != NULL && width == n_bins && row < kymo_table_get_n_rows (series); row++)
    {
      gboolean counts = is_busy (series, row, frame);

      for (guint bin = 0; bin < n_bins; bin++)
        {
          all[bin] += ns[(gsize) row * width + bin];
          busy[bin] += counts ? ns[(gsize) row * width + bin] : 0;
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      ns = kymo_table_peek_ints (answer, others[i], &width);
      for (guint bin = 0; ns != NULL && bin < MIN (width, n_bins); bin++)
        all[bin] += ns[bin];
    }
  for (guint bin = 0; bin < n_bins; bin++)
    capacity = MAX (capacity, all[bin]);
  /* Left in ns: the untraced time, the last of the others. */
  for (guint bin = 0; bin < n_bins; bin++)
    busy[bin] /= MAX (capacity - (ns != NULL && bin < width ? ns[bin] : 0), 1);
  return busy;
}

/* The path of what is done in the bins between @edges, as high as the strip where @busy is most:
   a run that computes a tenth of its time is no line. */
static void
skyline (cairo_t *cr, const KymoPlotFrame *frame, const gint64 *edges, guint n_edges,
         const double *busy)
{
  double base = frame->height_px - 1, most = 0;

  for (guint bin = 0; bin + 1 < n_edges; bin++)
    most = MAX (most, busy[bin]);
  cairo_move_to (cr, kymo_plot_time_to_x (frame, edges[0]), base);
  for (guint bin = 0; bin + 1 < n_edges; bin++)
    {
      double y = base - (most > 0 ? busy[bin] / most : 0) * (base - 3);

      cairo_line_to (cr, kymo_plot_time_to_x (frame, edges[bin]), y);
      cairo_line_to (cr, kymo_plot_time_to_x (frame, edges[bin + 1]), y);
    }
  cairo_line_to (cr, kymo_plot_time_to_x (frame, edges[n_edges - 1]), base);
  cairo_close_path (cr);
}

/* What is done in all of the run, and stronger between @x0 and @x1. */
static void
paint_busy (cairo_t *cr, const KymoPlotFrame *frame, const KymoTable *answer, double x0, double x1)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  guint n_edges = 0;
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  g_autofree double *busy = NULL;

  if (edges == NULL || n_edges < 2)
    return;
  busy = busy_of_bins (answer, frame, n_edges - 1);
  skyline (cr, frame, edges, n_edges, busy);
  kymo_set_source_alpha (cr, theme->accent, 0.26);
  cairo_fill (cr);
  cairo_save (cr);
  cairo_rectangle (cr, x0, 0, MAX (x1 - x0, 1), frame->height_px);
  cairo_clip (cr);
  skyline (cr, frame, edges, n_edges, busy);
  kymo_set_source_alpha (cr, theme->accent, 0.45);
  cairo_fill (cr);
  cairo_restore (cr);
}

static gint64
value_in (const KymoTable *answer, const char *key, guint bin)
{
  guint width = 0;
  const gint64 *values = kymo_table_peek_ints (answer, key, &width);

  return values != NULL && bin < width ? values[bin] : 0;
}

static gboolean
has_series (const KymoTable *answer, guint bin)
{
  KymoTable *series = kymo_table_peek_nested (answer, "series", NULL);
  guint width = 0;
  const gint64 *ns = series != NULL ? kymo_table_peek_ints (series, "ns",
                                                            &width) : NULL;

  for (guint row = 0; ns != NULL && row < kymo_table_get_n_rows (series); row++)
    if (bin < width && ns[(gsize) row * width + bin] > 0)
      return TRUE;
  return FALSE;
}

/* Where nothing at all was traced there is no paper, but an edge. */
static void
paint_gaps (cairo_t *cr, const KymoPlotFrame *frame, const KymoTable *answer)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  guint n_edges = 0;
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  double base = frame->height_px - 0.5;

  cairo_save (cr);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
  for (guint bin = 0; edges != NULL && bin + 1 < n_edges; bin++)
    {
      double x0, x1;

      if (value_in (answer, "untraced_ns", bin) == 0
          || value_in (answer, "idle_ns", bin) > 0
          || value_in (answer, "overhead_ns", bin) > 0
          || has_series (answer, bin))
        continue;
      x0 = round (kymo_plot_time_to_x (frame, edges[bin]));
      x1 = round (kymo_plot_time_to_x (frame, edges[bin + 1]));
      kymo_set_source (cr, theme->canvas);
      cairo_rectangle (cr, x0, 0, x1 - x0, frame->height_px);
      cairo_fill (cr);
      kymo_set_source (cr, theme->dotted);
      kymo_line (cr, x0, base, x1, base);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
}

/* The visible window's frame, with a handle on each side. */
static void
paint_window (cairo_t *cr, const KymoPlotFrame *frame, double x0, double x1)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double height = frame->height_px;

  kymo_set_source (cr, theme->accent);
  cairo_set_line_width (cr, 1.5);
  cairo_rectangle (cr, round (x0) + 0.25, 0.75, MAX (round (x1 - x0), 2) - 0.5,
                   height - 1.5);
  cairo_stroke (cr);
  for (guint side = 0; side < 2; side++)
    {
      double x = side == 0 ? x0 : x1;

      cairo_rectangle (cr, round (x) - 2, height / 2 - 7, 4, 14);
      cairo_fill (cr);
    }
}

/**
 * kymo_plot_paint_overview:
 * @cr: where to paint
 * @time_profile: (nullable): the answer for the whole run
 * @frame: size and colours of the strip; its span is not used
 * @full: the whole run
 * @visible: the visible window
 *
 * Paints the utilization of the whole run with the visible window lifted.
 */
void
kymo_plot_paint_overview (cairo_t             *cr,
                          const KymoTable     *time_profile,
                          const KymoPlotFrame *frame,
                          KymoSpan             full,
                          KymoSpan             visible)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoPlotFrame whole = *frame;
  KymoRect area = kymo_frame_time_area (frame);
  double x0, x1;

  whole.span = full;
  x0 = kymo_plot_time_to_x (&whole, visible.begin_ns);
  x1 = kymo_plot_time_to_x (&whole, visible.end_ns);
  kymo_set_source (cr, theme->canvas);
  cairo_rectangle (cr, 0, 0, frame->width_px, frame->height_px);
  cairo_fill (cr);
  kymo_set_source (cr, theme->paper);
  cairo_rectangle (cr, area.x, 0, area.width, frame->height_px);
  cairo_fill (cr);
  if (time_profile != NULL)
    {
      paint_busy (cr, &whole, time_profile, x0, x1);
      paint_gaps (cr, &whole, time_profile);
    }
  paint_window (cr, frame, x0, x1);
}
