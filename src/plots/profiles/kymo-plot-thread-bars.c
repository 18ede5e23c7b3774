/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads as stacked bars of functions, with mean, maximum and minimum of each function
 * above them. The order of the stack is that of all pictures, so it stays while
 * metric and range change; what functions are joined comes last. Where rows are lower
 * than pixels, a line of pixels is the mean of its locations: none is left out.
 *
 * Values that do not add up (ratios) are never stacked: a bar is the value of the chosen
 * function, or of the whole location where none is chosen, and names have no shares.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-legend.h"
#include "kymo-in-terms.h"
#include "kymo-measure.h"
#include "kymo-order.h"
#include "kymo-pixels.h"
#include "kymo-plot-terms.h"
#include "kymo-row-bars.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_thread_bars;

#define MOST_FUNCTIONS 40

static const char *const heads[KYMO_N_HEADS] = { "mean", "max", "min" };

typedef struct
{
  const char *name;
  guint       row;                   /* in the answer's functions */
  guint       rank;
  double      mean;
  gboolean    rest;
  KymoActivityKind kind;
  KymoRgba    color;
} Function;

typedef struct
{
  KymoRect      area;
  KymoTable    *functions, *table;
  KymoRowBars   bars;
  KymoMeasure   measure;
  const double *values;              /* a row of `width` */
  guint         width;
  GArray       *order;               /* Function, those that are stacked */
  GArray       *listed;              /* Function, those of the legend */
  KymoTable    *whole;               /* values do not add up: figures of all functions, and
                                        nothing is stacked; else NULL */
  double        max;                 /* end of the axis, in the answer's values */
  gboolean      relative;
  gboolean      known;               /* FALSE: nothing can be painted */
} ThreadBars;

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const Function *x = a, *y = b;

  KYMO_ORDER_BY (x->kind, y->kind);
  if (x->rest != y->rest)
    return x->rest ? 1 : -1;
  KYMO_ORDER_BY (x->rank, y->rank);
  KYMO_ORDER_BY (y->mean, x->mean);
  return g_strcmp0 (x->name, y->name);
}

static void
order_functions (ThreadBars *t, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  guint n = kymo_table_get_n_rows (t->functions);

  t->order = g_array_new (FALSE, FALSE, sizeof (Function));
  for (guint i = 0; i < MIN (n, t->width); i++)
    {
      const char *kind = kymo_table_get_string (t->functions, "kind", i);
      Function f = { kymo_table_get_string (t->functions, "name", i), i, G_MAXUINT,
                     kymo_table_get_double (t->functions, "mean", i) };

      f.rest = f.name == NULL || g_strcmp0 (kind, "rest") == 0;
      f.kind = f.rest ? KYMO_KIND_ENTRY : kymo_activity_kind (kind);
      if (f.name == NULL)
        f.name = "";
      if (kymo_is_hidden (frame, f.name))
        continue;
      if (frame->colors != NULL && !f.rest)
        f.rank = kymo_colors_get_rank (frame->colors, f.name);
      f.color = f.rest ? kymo_rgba_mix (theme->secondary, theme->canvas, 0.45)
                       : kymo_theme_series (frame, f.name, f.kind);
      g_array_append_val (t->order, f);
    }
  g_array_sort (t->order, compare_functions);
}

static double
value_of (const double *values, const Function *f)
{
  double value = values[f->row];

  return value > 0 ? value : 0;
}

static double
sum_of (const ThreadBars *t, const double *values)
{
  double sum = 0;

  for (guint i = 0; i < t->order->len; i++)
    sum += value_of (values, &g_array_index (t->order, Function, i));
  return sum;
}

/* (transfer full): a statistic of all functions, as a row has values */
static double *
dup_head (const ThreadBars *t, guint head)
{
  double *values = g_new0 (double, MAX (t->width, 1));
  const double *column = kymo_table_peek_doubles (t->functions, heads[head], NULL);
  guint n = kymo_table_get_n_rows (t->functions);

  if (t->whole != NULL && t->width == 1)
    {
      values[0] = kymo_table_get_double (t->whole, heads[head], 0);
      return values;
    }
  for (guint i = 0; column != NULL && i < MIN (n, t->width); i++)
    values[i] = column[i];
  return values;
}

/* Instead of a stack: the chosen function, or the whole location, whose one value is a
   column of its own. */
static void
choose_one (ThreadBars *t, const KymoPlotFrame *frame)
{
  Function whole = { _("All together"), 0, G_MAXUINT, 0, TRUE, KYMO_KIND_ENTRY,
                     kymo_theme_get (frame->look)->accent };

  t->listed = t->order;
  t->order = g_array_new (FALSE, FALSE, sizeof (Function));
  t->relative = FALSE;
  for (guint i = 0; i < t->listed->len; i++)
    {
      const Function *f = &g_array_index (t->listed, Function, i);

      if (!f->rest && g_strcmp0 (f->name, frame->chosen) == 0)
        g_array_append_vals (t->order, f, 1);
    }
  if (t->order->len > 0)
    return;
  t->values = kymo_table_peek_doubles (t->table, "whole", &t->width);
  g_array_append_val (t->order, whole);
}

static gboolean
thread_bars_init (ThreadBars *t, const KymoTable *answer, const KymoPlotFrame *frame)
{
  *t = (ThreadBars) { kymo_plot_frame_area (&kymo_plot_thread_bars, frame) };
  t->relative = frame->relative;
  t->functions = kymo_table_peek_nested (answer, "functions", NULL);
  t->table = kymo_table_peek_nested (answer, "rows", NULL);
  if (t->functions == NULL || t->table == NULL)
    return FALSE;
  t->values = kymo_table_peek_doubles (t->table, "values", &t->width);
  if (t->values == NULL || kymo_table_get_n_rows (t->functions) == 0
      || !kymo_row_bars_init (&t->bars, t->table, t->area, frame))
    return FALSE;
  kymo_measure_init (&t->measure, answer, frame, NULL);
  order_functions (t, frame);
  if (kymo_table_find_column (answer, "additive") >= 0
      && !kymo_table_get_bool (answer, "additive", 0))
    t->whole = kymo_table_peek_nested (answer, "whole", NULL);
  if (t->whole != NULL)
    choose_one (t, frame);
  for (guint head = 0; head < KYMO_N_HEADS; head++)
    {
      g_autofree double *values = dup_head (t, head);

      t->max = MAX (t->max, sum_of (t, values));
    }
  for (guint i = 0; i < t->bars.n_rows; i++)
    t->max = MAX (t->max, sum_of (t, t->values + (gsize) i * t->width));
  return TRUE;
}

static void
thread_bars_clear (ThreadBars *t)
{
  kymo_row_bars_clear (&t->bars);
  g_clear_pointer (&t->order, g_array_unref);
  g_clear_pointer (&t->listed, g_array_unref);
}

/* Pixels a unit of a row's values. */
static double
px_of (const ThreadBars *t, const double *values)
{
  double max = t->relative ? sum_of (t, values) : t->max;

  return max > 0 ? t->area.width / max : 0;
}

/* -- painting -------------------------------------------------------------- */

static void
paint_bar (cairo_t *cr, const ThreadBars *t, const KymoPlotFrame *frame, const double *values,
           KymoRect bar)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double px = px_of (t, values), sum = 0, x = round (bar.x);

  for (guint i = 0; i < t->order->len; i++)
    {
      const Function *f = &g_array_index (t->order, Function, i);
      double end;

      sum += value_of (values, f) * px;
      end = round (bar.x + sum);
      if (end <= x)
        continue;
      if (f->kind == KYMO_KIND_IDLE)
        kymo_fill_idle (cr, theme, (KymoRect) { x, bar.y, end - x, bar.height });
      else
        {
          kymo_set_source (cr, f->color);
          cairo_rectangle (cr, x, bar.y, end - x, bar.height);
          cairo_fill_preserve (cr);
          if (kymo_theme_is_hatched (frame, f->name, f->kind))
            kymo_hatch_waiting (cr, theme);
          cairo_new_path (cr);
        }
      if (g_strcmp0 (f->name, frame->chosen) == 0 && bar.height >= 6 && end - x >= 3)
        {
          kymo_set_source (cr, theme->foreground);
          cairo_set_line_width (cr, 1);
          cairo_rectangle (cr, x + 0.5, bar.y + 0.5, end - x - 1, bar.height - 1);
          cairo_stroke (cr);
        }
      x = end;
    }
}

/* The mean of the rows that share a line of pixels; its own row where it is one. */
static const double *
line_values (const ThreadBars *t, guint from, guint to, double *mean)
{
  double weight = 0;

  if (to - from <= 1)
    return t->values + (gsize) from * t->width;
  for (guint i = 0; i < t->width; i++)
    mean[i] = 0;
  for (guint row = from; row < to; row++)
    {
      double n = t->bars.first[row + 1] - t->bars.first[row];
      const double *values = t->values + (gsize) row * t->width;

      weight += n;
      for (guint i = 0; i < t->width; i++)
        mean[i] += n * (values[i] > 0 ? values[i] : 0);
    }
  for (guint i = 0; i < t->width; i++)
    mean[i] /= weight;
  return mean;
}

static void
fill_line (const ThreadBars *t, const double *values, const guint32 *colors, double scale,
           guint32 *line, int width)
{
  double px = px_of (t, values) * scale, sum = 0;
  int x = 0;

  for (guint i = 0; i < t->order->len && x < width; i++)
    {
      int end;

      sum += value_of (values, &g_array_index (t->order, Function, i)) * px;
      end = MIN ((int) lrint (sum), width);
      while (x < end)
        line[x++] = colors[i];
    }
}

static void
paint_dense (cairo_t *cr, const ThreadBars *t, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree double *mean = g_new (double, t->width);
  g_autofree guint32 *colors = g_new (guint32, MAX (t->order->len, 1));
  guint32 canvas = kymo_pixel (theme->canvas);
  KymoPixels pixels;
  guint row = 0;

  if (!kymo_pixels_begin (&pixels, cr, t->area, frame))
    return;
  for (guint i = 0; i < t->order->len; i++)
    colors[i] = kymo_pixel (g_array_index (t->order, Function, i).color);
  for (int y = 0; y < pixels.height; y++)
    {
      double px = t->bars.location_px * pixels.scale, scroll = t->bars.scroll_px * pixels.scale;
      double begin = (y + scroll) / px, end = (y + 1 + scroll) / px;
      guint32 *line = kymo_pixels_line (&pixels, y);
      guint next;

      while (row + 1 < t->bars.n_rows && t->bars.first[row + 1] <= begin)
        row++;
      for (int x = 0; x < pixels.width; x++)
        line[x] = canvas;
      if (begin >= t->bars.n_locations)
        continue;
      for (next = row + 1; next < t->bars.n_rows && t->bars.first[next] + 0.5 < end; next++)
        ;
      fill_line (t, line_values (t, row, next, mean), colors, pixels.scale, line, pixels.width);
    }
  kymo_pixels_end (&pixels, cr);
}

static void
paint_rows (cairo_t *cr, const ThreadBars *t, const KymoPlotFrame *frame)
{
  if (kymo_row_bars_dense (&t->bars) && !kymo_is_vector (cr))
    {
      paint_dense (cr, t, frame);
      return;
    }
  cairo_save (cr);
  cairo_rectangle (cr, t->area.x, t->area.y, t->area.width, t->area.height);
  cairo_clip (cr);
  for (guint i = kymo_row_bars_at (&t->bars, t->area.y); i < t->bars.n_rows; i++)
    {
      KymoRect bar = kymo_row_bars_bar (&t->bars, i);

      if (bar.y >= t->area.y + t->area.height)
        break;
      paint_bar (cr, t, frame, t->values + (gsize) i * t->width, bar);
    }
  cairo_restore (cr);
}

static void
paint_heads (cairo_t *cr, const ThreadBars *t, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, t->area.x - 14 };
  double y = t->area.y - KYMO_HEAD_GAP_PX / 2.0;

  for (guint head = 0; head < KYMO_N_HEADS; head++)
    {
      KymoRect rect = kymo_row_bars_head (&t->bars, head);
      g_autofree double *values = dup_head (t, head);

      paint_bar (cr, t, frame, values, rect);
      kymo_text_draw (cr, kymo_row_bars_head_words (head), rect.x - 8,
                      rect.y + rect.height / 2, style, theme->foreground);
    }
  kymo_set_source (cr, theme->grid);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, 8, y, t->area.x + t->area.width, y);
  cairo_stroke (cr);
}

static void
paint_axis (cairo_t *cr, const ThreadBars *t, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, t->area.width };
  g_autofree char *words = kymo_measure_words (&t->measure);
  KymoRect area = t->area;

  area.y -= KYMO_HEADS_PX;
  area.height += KYMO_HEADS_PX;
  kymo_axis_values (cr, frame, area, TRUE, 0, t->relative ? 1 : t->max * t->measure.factor,
                    t->relative ? kymo_axis_percent : kymo_measure_axis (&t->measure));
  kymo_text_draw (cr, words, area.x + area.width, area.y + area.height + 31, style,
                  theme->foreground);
}

static GArray *
legend_items (const ThreadBars *t, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  const GArray *listed = t->listed != NULL ? t->listed : t->order;
  double sum = 0;

  for (guint i = 0; t->listed == NULL && i < listed->len; i++)
    sum += MAX (g_array_index (listed, Function, i).mean, 0);
  for (guint i = 0; i < listed->len; i++)
    {
      const Function *f = &g_array_index (listed, Function, i);
      KymoLegendItem item = { .name = f->name, .kind = f->kind, .color = f->color,
                              .share = sum > 0 ? MAX (f->mean, 0) / sum : NAN,
                              .order = f->rest };

      g_array_append_val (items, item);
    }
  return items;
}

static void
thread_bars_paint (cairo_t *cr, const KymoPicture *picture)
{
  const ThreadBars *t = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;

  if (!t->known)
    {
      kymo_decor_paint (cr, &kymo_plot_thread_bars, frame, NULL);
      kymo_paint_empty (cr, frame, t->area, _("No figures to show"));
      return;
    }
  items = legend_items (t, frame);
  kymo_decor_paint (cr, &kymo_plot_thread_bars, frame, items);
  paint_axis (cr, t, frame);
  kymo_row_bars_paint (cr, &t->bars, frame);
  paint_rows (cr, t, frame);
  paint_heads (cr, t, frame);
  kymo_row_bars_note (cr, &t->bars, frame);
}

/* -- what lies under a point ------------------------------------------------ */

static const Function *
function_at (const ThreadBars *t, const double *values, double x, KymoRect *rect)
{
  double px = px_of (t, values), sum = 0;

  for (guint i = 0; i < t->order->len; i++)
    {
      const Function *f = &g_array_index (t->order, Function, i);
      double width = value_of (values, f) * px;

      if (x - t->area.x < sum + width && x >= t->area.x)
        {
          rect->x = t->area.x + sum;
          rect->width = width;
          return f;
        }
      sum += width;
    }
  return NULL;
}

static void
append_statistics (GString *text, const ThreadBars *t, const Function *f)
{
  static const char *const keys[] = { "mean", "min", "max", "stddev" };
  char *figures[G_N_ELEMENTS (keys)];

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    figures[i] = kymo_measure_format (&t->measure,
                                      kymo_table_get_double (t->functions, keys[i], f->row));
  g_string_append_printf (text, _("\nmean %s, %s to %s, standard deviation %s"), figures[0],
                          figures[1], figures[2], figures[3]);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_free (figures[i]);
}

static void
describe_thread_bars (const ThreadBars *t, const char *label, const double *values,
                      const Function *f,
                      KymoPlotHit *hit)
{
  GString *text = g_string_new (label);
  g_autofree char *sum = kymo_measure_format (&t->measure, sum_of (t, values));

  if (f == NULL)
    g_string_append_printf (text, _("\n%s in all"), sum);
  else if (t->whole != NULL)
    {
      g_autofree char *figure = kymo_measure_exact (&t->measure, value_of (values, f));

      g_string_append_printf (text, "\n%s: %s", kymo_shown_name (f->name), figure);
      if (!f->rest)
        append_statistics (text, t, f);
      hit->name = f->rest ? NULL : g_strdup (f->name);
    }
  else
    {
      double value = value_of (values, f), all = sum_of (t, values);
      g_autofree char *figure = kymo_measure_exact (&t->measure, value);
      g_autofree char *share = kymo_format_percent (all > 0 ? value / all : 0);

      g_string_append_printf (text, "\n%s: %s (%s)", kymo_shown_name (f->name), figure, share);
      append_statistics (text, t, f);
      hit->name = f->rest ? NULL : g_strdup (f->name);
    }
  hit->text = g_string_free (text, FALSE);
}

static gboolean
hit_bar (const ThreadBars *t, const char *label, const double *values, double x, KymoRect rect,
         KymoPlotHit *hit)
{
  const Function *f;

  hit->rect = rect;
  f = function_at (t, values, x, &hit->rect);
  describe_thread_bars (t, label, values, f, hit);
  return TRUE;
}

static gboolean
hit_row (const ThreadBars *t, double x, double y, KymoPlotHit *hit)
{
  guint row = kymo_row_bars_at (&t->bars, y);
  g_autofree char *label = NULL;

  if (row == G_MAXUINT)
    return FALSE;
  label = kymo_row_bars_label (&t->bars, row);
  hit->location = kymo_table_get_int (t->table, "location", row);
  return hit_bar (t, label, t->values + (gsize) row * t->width, x,
                  kymo_row_bars_bar (&t->bars, row), hit);
}

static gboolean
thread_bars_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const ThreadBars *t = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (t->known && x < t->area.x + t->area.width)
    {
      found = hit_row (t, x, y, hit);
      for (guint head = 0; head < KYMO_N_HEADS && !found; head++)
        if (kymo_rect_contains (kymo_row_bars_head (&t->bars, head), x, y))
          {
            g_autofree double *values = dup_head (t, head);

            found = hit_bar (t, kymo_row_bars_head_words (head), values, x,
                             kymo_row_bars_head (&t->bars, head), hit);
          }
    }
  return found;
}

static GArray *
thread_bars_places (const KymoPicture *picture)
{
  const ThreadBars *t = picture->layout;

  return t->known ? kymo_row_bars_places (&t->bars)
    : g_array_new (FALSE, FALSE, sizeof (KymoPlotPlace));
}

static double
thread_bars_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_thread_bars, frame);
  double height = 0;
  ThreadBars t;

  if (thread_bars_init (&t, answer, frame))
    height = frame->height_px - area.height
             + (frame->row_px > 0 ? frame->row_px * t.bars.n_locations : area.height);
  thread_bars_clear (&t);
  return height;
}

static KymoQuestion *
thread_bars_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "thread-bars");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_thread_bars, frame);
  double lines = area.height * frame->scale;

  /* Rows that are scrolled are a location each. */
  kymo_question_set_resolution (question, MOST_FUNCTIONS,
                                frame->row_px > 0 ? G_MAXINT32 : MAX (lines, 1));
  return question;
}

KYMO_DEFINE_LAYOUT (thread_bars, ThreadBars, thread_bars_init, thread_bars_clear)

const KymoPlotClass kymo_plot_thread_bars = {
  .id = "thread-bars",
  .title = N_("{Codes} by {row}"),
  .needs = KYMO_CAN_METRICS,
  .question = thread_bars_question,
  .lay_out = thread_bars_lay_out,
  .layout_free = thread_bars_layout_free,
  .paint = thread_bars_paint,
  .hit = thread_bars_hit,
  .natural_height = thread_bars_natural_height,
  .inset = { 120, 12 + KYMO_HEADS_PX, 24, 46 },
  .has_legend = TRUE,
  .places = thread_bars_places,
};
