/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function over all threads: a bar a thread in the function's colour, mean,
 * maximum and minimum above, the mean with its standard deviation through all. A
 * thread that never ran the function has no bar. Where rows are lower than pixels a
 * line of pixels is the mean of its locations.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-function-values.h"
#include "kymo-legend.h"
#include "kymo-pixels.h"
#include "kymo-plot-terms.h"

extern const KymoPlotClass kymo_plot_function_bars;

static double
head_value (const KymoFunctionValues *f, guint head)
{
  return head == 0 ? f->mean : head == 1 ? f->most : f->least;
}

static gboolean
function_bars_init (KymoFunctionValues *f, const KymoTable *answer, const KymoPlotFrame *frame)
{
  return kymo_function_values_init (f, answer, frame, &kymo_plot_function_bars);
}

static double
px_of (const KymoFunctionValues *f, double value)
{
  return f->max > 0 && value > 0 ? value / f->max * f->area.width : 0;
}

static void
paint_value (cairo_t *cr, const KymoFunctionValues *f, double value, KymoRect bar)
{
  double width = px_of (f, value);

  if (!(width > 0))
    return;
  kymo_set_source (cr, f->color);
  cairo_rectangle (cr, bar.x, bar.y, MAX (round (width), 1), bar.height);
  cairo_fill (cr);
}

/* The mean of the locations on a line of pixels, and the largest one beyond it paler. */
static void
paint_dense (cairo_t *cr, const KymoFunctionValues *f, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  guint32 color = kymo_pixel (f->color);
  guint32 pale = kymo_pixel (kymo_rgba_mix (f->color, theme->canvas, 0.55));
  KymoPixels pixels;
  guint row = 0;

  if (!kymo_pixels_begin (&pixels, cr, f->area, frame))
    return;
  for (int y = 0; y < pixels.height; y++)
    {
      double px = f->bars.location_px * pixels.scale, scroll = f->bars.scroll_px * pixels.scale;
      double begin = (y + scroll) / px, end = (y + 1 + scroll) / px, sum = 0, n = 0, most = 0;
      guint32 *line = kymo_pixels_line (&pixels, y);
      int mean_px, most_px;

      while (row + 1 < f->bars.n_rows && f->bars.first[row + 1] <= begin)
        row++;
      for (guint i = row; i < f->bars.n_rows && begin < f->bars.n_locations
                          && (i == row || f->bars.first[i] + 0.5 < end); i++)
        {
          double weight = f->bars.first[i + 1] - f->bars.first[i];

          sum += weight * MAX (f->values[i], 0);
          n += weight;
          most = MAX (most, f->values[i]);
        }
      mean_px = n > 0 ? lrint (px_of (f, sum / n) * pixels.scale) : 0;
      most_px = lrint (px_of (f, most) * pixels.scale);
      for (int x = 0; x < MIN (MAX (mean_px, most_px), pixels.width); x++)
        line[x] = x < mean_px ? color : pale;
    }
  kymo_pixels_end (&pixels, cr);
}

static void
paint_rows (cairo_t *cr, const KymoFunctionValues *f, const KymoPlotFrame *frame)
{
  if (kymo_row_bars_dense (&f->bars) && !kymo_is_vector (cr))
    {
      paint_dense (cr, f, frame);
      return;
    }
  cairo_save (cr);
  cairo_rectangle (cr, f->area.x, f->area.y, f->area.width, f->area.height);
  cairo_clip (cr);
  for (guint i = kymo_row_bars_at (&f->bars, f->area.y); i < f->bars.n_rows; i++)
    {
      KymoRect bar = kymo_row_bars_bar (&f->bars, i);

      if (bar.y >= f->area.y + f->area.height)
        break;
      paint_value (cr, f, f->values[i], bar);
    }
  cairo_restore (cr);
}

/* The standard deviation around the mean, behind the bars. */
static void
paint_deviation (cairo_t *cr, const KymoFunctionValues *f, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double from = px_of (f, MAX (f->mean - f->stddev, 0));
  double to = MIN (px_of (f, f->mean + f->stddev), f->area.width);

  if (!isfinite (f->mean) || !(f->stddev > 0) || f->max <= 0)
    return;
  kymo_set_source_alpha (cr, theme->foreground, 0.07);
  cairo_rectangle (cr, f->area.x + from, f->area.y, to - from, f->area.height);
  cairo_fill (cr);
}

/* Through all bars. */
static void
paint_mean (cairo_t *cr, const KymoFunctionValues *f, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double x = f->area.x + px_of (f, f->mean);

  if (!isfinite (f->mean) || f->max <= 0)
    return;
  cairo_save (cr);
  cairo_set_dash (cr, (double[]) { 4, 3 }, 2, 0);
  cairo_set_line_width (cr, 1);
  kymo_set_source (cr, theme->foreground);
  kymo_line (cr, x, f->area.y, x, f->area.y + f->area.height);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_heads (cairo_t *cr, const KymoFunctionValues *f, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 1, f->area.x - 14 };
  KymoTextStyle figure = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  double y = f->area.y - KYMO_HEAD_GAP_PX / 2.0;

  for (guint head = 0; head < KYMO_N_HEADS; head++)
    {
      KymoRect rect = kymo_row_bars_head (&f->bars, head);
      double value = head_value (f, head), middle = rect.y + rect.height / 2;
      g_autofree char *words = kymo_measure_format (&f->measure, value);
      double width = kymo_text_width (cr, words, figure), x = rect.x + px_of (f, value) + 6;
      gboolean inside = x + width > rect.x + rect.width;

      paint_value (cr, f, value, rect);
      kymo_text_draw (cr, kymo_row_bars_head_words (head), rect.x - 8, middle, left,
                      theme->foreground);
      kymo_text_draw (cr, words, inside ? x - 12 - width : x, middle, figure,
                      inside ? kymo_rgba_text_on (f->color) : theme->foreground);
    }
  kymo_set_source (cr, theme->grid);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, 8, y, f->area.x + f->area.width, y);
  cairo_stroke (cr);
}

static void
paint_axis (cairo_t *cr, const KymoFunctionValues *f, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle name = { KYMO_TEXT_NORMAL, TRUE, 0, f->area.width };
  KymoRect area = f->area;

  area.y -= KYMO_HEADS_PX;
  area.height += KYMO_HEADS_PX;
  kymo_axis_values (cr, frame, area, TRUE, 0, f->max * f->measure.factor,
                    kymo_measure_axis (&f->measure));
  kymo_function_values_paint_words (cr, f, frame, area);
  kymo_text_draw (cr, f->name, area.x, area.y - 12, name, theme->foreground);
}

static void
function_bars_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoFunctionValues *f = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_function_bars, frame, NULL);
  if (!f->known)
    kymo_paint_empty (cr, frame, f->area, _("No figures to show"));
  else
    {
      paint_axis (cr, f, frame);
      paint_deviation (cr, f, frame);
      kymo_row_bars_paint (cr, &f->bars, frame);
      paint_rows (cr, f, frame);
      paint_mean (cr, f, frame);
      paint_heads (cr, f, frame);
      kymo_row_bars_note (cr, &f->bars, frame);
    }
}

/* -- what lies under a point ------------------------------------------------ */

static void
describe_function_bars (const KymoFunctionValues *f, const char *label, double value, gboolean has,
                        KymoPlotHit *hit)
{
  g_autofree char *figure = kymo_measure_exact (&f->measure, value);
  g_autofree char *mean = kymo_measure_format (&f->measure, f->mean);
  g_autofree char *share = kymo_format_percent (f->mean > 0 ? value / f->mean : NAN);

  hit->name = g_strdup (f->name);
  if (!has)
    hit->text = g_strdup_printf (_("%s\n%s never ran here"), label, f->name);
  else
    hit->text = g_strdup_printf (_("%s\n%s: %s\n%s of the mean, %s"), label, f->name, figure,
                                 share, mean);
}

static gboolean
hit_row (const KymoFunctionValues *f, double y, KymoPlotHit *hit)
{
  guint row = kymo_row_bars_at (&f->bars, y);
  g_autofree char *label = NULL;

  if (row == G_MAXUINT)
    return FALSE;
  label = kymo_row_bars_label (&f->bars, row);
  hit->location = kymo_table_get_int (f->table, "location", row);
  hit->rect = kymo_row_bars_bar (&f->bars, row);
  hit->rect.width = MAX (px_of (f, f->values[row]), 2);
  describe_function_bars (f, label, f->values[row], kymo_function_values_has (f, row), hit);
  return TRUE;
}

static gboolean
function_bars_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoFunctionValues *f = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (f->known && x < f->area.x + f->area.width)
    {
      found = hit_row (f, y, hit);
      for (guint head = 0; head < KYMO_N_HEADS && !found; head++)
        if (kymo_rect_contains (kymo_row_bars_head (&f->bars, head), x, y))
          {
            found = TRUE;
            hit->rect = kymo_row_bars_head (&f->bars, head);
            describe_function_bars (f, kymo_row_bars_head_words (head), head_value (f, head), TRUE,
                                    hit);
          }
    }
  return found;
}

static GArray *
function_bars_places (const KymoPicture *picture)
{
  const KymoFunctionValues *f = picture->layout;

  return f->known ? kymo_row_bars_places (&f->bars)
    : g_array_new (FALSE, FALSE, sizeof (KymoPlotPlace));
}

static double
function_bars_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_function_bars, frame);
  double height = 0;
  KymoFunctionValues f;

  if (function_bars_init (&f, answer, frame))
    height = frame->height_px - area.height
             + (frame->row_px > 0 ? frame->row_px * f.bars.n_locations : area.height);
  kymo_function_values_clear (&f);
  return height;
}

static KymoQuestion *
function_bars_question (const KymoPlotFrame *frame)
{
  return kymo_function_values_question (frame, &kymo_plot_function_bars);
}

KYMO_DEFINE_LAYOUT (function_bars, KymoFunctionValues, function_bars_init,
                    kymo_function_values_clear)

const KymoPlotClass kymo_plot_function_bars = {
  .id = "function-bars",
  .title = N_("{Rows} of one {code}"),
  .needs = KYMO_CAN_METRICS,
  .question = function_bars_question,
  .lay_out = function_bars_lay_out,
  .layout_free = function_bars_layout_free,
  .paint = function_bars_paint,
  .hit = function_bars_hit,
  .natural_height = function_bars_natural_height,
  .inset = { 120, 30 + KYMO_HEADS_PX, 24, 46 },
  .places = function_bars_places,
};
