/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads compared: of each function a bar a thread, side by side, in the thread's colour;
 * the first one is what the others are compared with.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-badge.h"
#include "kymo-legend.h"
#include "kymo-measure.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_threads;

#define MOST_BAR_PX 13
#define LEAST_BAR_PX 3
#define GAP_PX 9

typedef struct
{
  KymoRect      area;
  KymoTable    *threads, *functions;
  KymoMeasure   measure;
  const double *values;              /* a row of `width` */
  guint         width, n, n_rows, first, shown;
  guint        *rows;                /* functions that are not hidden */
  double        bar_px, row_px, max;
  gboolean      known;               /* FALSE: nothing can be painted */
} Comparison;

static const char *
thread_label (const Comparison *c, guint thread)
{
  const char *label = c->threads != NULL ? kymo_table_peek_label (c->threads, "label", thread)
                                         : NULL;

  if (label == NULL)
    label = kymo_flat_string (c->threads, thread);
  return label != NULL ? label : "";
}

/* What others are compared with is grey. */
static KymoRgba
thread_color (const Comparison *c, const KymoPlotFrame *frame, guint thread)
{
  return kymo_class_color (frame->look, thread == 0 ? -1 : (gint) thread - 1);
}

static double
value_of (const Comparison *c, guint line, guint thread)
{
  return c->values[(gsize) c->rows[line] * c->width + thread];
}

static void
find_rows (Comparison *c, const KymoPlotFrame *frame)
{
  guint n = kymo_table_get_n_rows (c->functions);

  c->rows = g_new (guint, MAX (n, 1));
  for (guint f = 0; f < n; f++)
    {
      if (kymo_is_hidden (frame, kymo_table_get_string (c->functions, "name", f)))
        continue;
      for (guint t = 0; t < c->n; t++)
        if (isfinite (c->values[(gsize) f * c->width + t]))
          c->max = MAX (c->max, c->values[(gsize) f * c->width + t]);
      c->rows[c->n_rows++] = f;
    }
}

static gboolean
threads_init (Comparison *c, const KymoTable *answer, const KymoPlotFrame *frame)
{
  *c = (Comparison) { kymo_plot_frame_area (&kymo_plot_threads, frame) };
  c->threads = kymo_table_peek_nested (answer, "threads", NULL);
  c->functions = kymo_table_peek_nested (answer, "functions", NULL);
  if (c->functions == NULL)
    return FALSE;
  c->values = kymo_table_peek_doubles (c->functions, "values", &c->width);
  c->n = c->threads != NULL ? MIN (kymo_table_get_n_rows (c->threads), c->width) : c->width;
  if (c->values == NULL || c->n == 0 || c->area.width < 8)
    return FALSE;
  kymo_measure_init (&c->measure, answer, frame, NULL);
  find_rows (c, frame);
  c->bar_px = CLAMP (floor (48.0 / c->n), LEAST_BAR_PX, MOST_BAR_PX);
  c->row_px = c->bar_px * c->n + GAP_PX;
  c->first = frame->row_px > 0 ? MIN (c->n_rows, (guint) (MAX (frame->scroll_px, 0) / c->row_px))
                               : 0;
  c->shown = MIN (c->n_rows - c->first, (guint) (c->area.height / c->row_px));
  return c->shown > 0 && c->max > 0;
}

static void
threads_clear (Comparison *c)
{
  g_clear_pointer (&c->rows, g_free);
}

static KymoRect
bar_rect (const Comparison *c, guint line, guint thread)
{
  double value = value_of (c, line, thread);

  return (KymoRect) { c->area.x,
                      c->area.y + (line - c->first) * c->row_px + GAP_PX / 2.0
                      + thread * c->bar_px,
                      value > 0 ? MAX (round (value / c->max * c->area.width), 1) : 0,
                      c->bar_px - (c->bar_px >= 5 ? 1 : 0) };
}

static void
paint_line (cairo_t *cr, const Comparison *c, const KymoPlotFrame *frame, guint line)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const char *name = kymo_table_get_string (c->functions, "name", c->rows[line]);
  KymoTextStyle left = { KYMO_TEXT_NORMAL - 0.5, FALSE, 1, c->area.x - 16 };
  KymoTextStyle figure = { KYMO_TEXT_SMALL - 0.5, FALSE, 0, 0 };
  g_autofree char *label = kymo_text_fitting_name (cr, name != NULL ? name : "", left);
  double middle = c->area.y + (line - c->first + 0.5) * c->row_px;

  left.bold = name != NULL && g_strcmp0 (name, frame->chosen) == 0;
  kymo_text_draw (cr, label, c->area.x - 8, middle, left, theme->foreground);
  for (guint t = 0; t < c->n; t++)
    {
      KymoRect rect = bar_rect (c, line, t);
      g_autofree char *words = NULL;

      kymo_set_source (cr, thread_color (c, frame, t));
      cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
      cairo_fill (cr);
      if (c->bar_px < 11)
        continue;
      words = kymo_measure_format (&c->measure, value_of (c, line, t));
      if (rect.width + 6 + kymo_text_width (cr, words, figure) <= c->area.width)
        kymo_text_draw (cr, words, rect.x + rect.width + 5, rect.y + rect.height / 2, figure,
                        theme->secondary);
    }
}

static GArray *
legend_items (const Comparison *c, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));

  for (guint t = 0; t < c->n; t++)
    {
      KymoLegendItem item = { .name = thread_label (c, t), .kind = KYMO_KIND_ENTRY,
                              .color = thread_color (c, frame, t), .share = NAN, .order = t };

      g_array_append_val (items, item);
    }
  return items;
}

static void
paint_axis (cairo_t *cr, const Comparison *c, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle right = { KYMO_TEXT_SMALL, FALSE, 1, c->area.width };
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 0, c->area.width * 0.5 };
  g_autofree char *words = kymo_measure_words (&c->measure);
  double y = c->area.y + c->area.height + 31;
  guint rest = c->n_rows - c->first - c->shown;

  kymo_axis_values (cr, frame, c->area, TRUE, 0, c->max * c->measure.factor,
                    kymo_measure_axis (&c->measure));
  kymo_text_draw (cr, words, c->area.x + c->area.width, y, right, theme->foreground);
  if (rest > 0)
    {
      g_autofree char *count = kymo_words_codes (frame->terms, rest);
      g_autofree char *more = g_strdup_printf (_("%s more"), count);

      kymo_text_draw (cr, more, c->area.x, y, left, theme->secondary);
    }
}

static void
threads_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Comparison *c = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;

  if (!c->known)
    {
      kymo_decor_paint (cr, &kymo_plot_threads, frame, NULL);
      kymo_paint_empty (cr, frame, c->area, _("No figures to compare"));
      return;
    }
  items = legend_items (c, frame);
  kymo_decor_paint (cr, &kymo_plot_threads, frame, items);
  paint_axis (cr, c, frame);
  for (guint i = 0; i < c->shown; i++)
    paint_line (cr, c, frame, c->first + i);
}

static char *
describe_threads (const Comparison *c, guint line, guint thread, const char *name)
{
  double first = value_of (c, line, 0), value = value_of (c, line, thread);
  g_autofree char *figure = kymo_measure_exact (&c->measure, value);
  g_autofree char *of_first = kymo_measure_format (&c->measure, first);
  g_autofree char *share = kymo_format_percent (first > 0 ? value / first : NAN);

  if (thread == 0)
    return g_strdup_printf ("%s\n%s: %s", name, thread_label (c, thread), figure);
  return g_strdup_printf (_("%s\n%s: %s\n%s of %s, %s"), name, thread_label (c, thread), figure,
                          share, thread_label (c, 0), of_first);
}

static gboolean
threads_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Comparison *c = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (c->known && x < c->area.x + c->area.width && y >= c->area.y
      && y < c->area.y + c->shown * c->row_px)
    {
      guint line = c->first + (guint) ((y - c->area.y) / c->row_px);
      double down = y - c->area.y - (line - c->first) * c->row_px - GAP_PX / 2.0;
      guint thread = CLAMP (floor (down / c->bar_px), 0, c->n - 1);
      const char *name = kymo_table_get_string (c->functions, "name", c->rows[line]);

      found = TRUE;
      hit->name = g_strdup (name);
      hit->rect = bar_rect (c, line, thread);
      if (c->threads != NULL && kymo_table_find_column (c->threads, "location") >= 0)
        hit->location = MAX (kymo_table_get_int (c->threads, "location", thread), -1);
      hit->text = describe_threads (c, line, thread, name != NULL ? name : "");
    }
  return found;
}

static double
threads_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_threads, frame);
  double height;
  Comparison c;

  threads_init (&c, answer, frame);
  height = frame->height_px - area.height + c.n_rows * c.row_px;
  threads_clear (&c);
  return height;
}

static KymoQuestion *
threads_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "threads");
}

KYMO_DEFINE_LAYOUT (threads, Comparison, threads_init, threads_clear)

const KymoPlotClass kymo_plot_threads = {
  .id = "threads",
  .title = N_("{Rows} compared"),
  .needs = KYMO_CAN_METRICS,
  .question = threads_question,
  .lay_out = threads_lay_out,
  .layout_free = threads_layout_free,
  .paint = threads_paint,
  .hit = threads_hit,
  .natural_height = threads_natural_height,
  .inset = { 220, 14, 24, 46 },
  .has_legend = TRUE,
};
