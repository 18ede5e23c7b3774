/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phases as columns, functions as rows: the stronger a cell the more the function had in
 * that phase, and the figure where there is room. Rows are the functions with most, as
 * many as there is room for.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "kymo-legend.h"
#include "kymo-measure.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-theme.h"

extern const KymoPlotClass kymo_plot_phases;

#define ROW_PX 22
#define LEAST_COLUMN_PX 4
#define MOST_COLUMN_PX 150
#define FIGURE_PX 58
#define FOOT_PX 26

typedef struct
{
  KymoRect      area, cells;
  KymoTable    *phases, *functions;
  KymoMeasure   measure;
  const double *values;              /* a row of `width` */
  guint         width, n_phases, shown_phases, n_rows, first, shown;
  guint        *rows;                /* functions, the one with most first */
  double       *sums;                /* by function */
  double        column_px, most;
  gboolean      known;               /* FALSE: nothing can be painted */
} Matrix;

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const Matrix *m = data;
  guint x = *(const guint *) a, y = *(const guint *) b;

  if (m->sums[x] != m->sums[y])
    return m->sums[x] > m->sums[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

static double
value_of (const Matrix *m, guint function, guint phase)
{
  return m->values[(gsize) function * m->width + phase];
}

static const char *
phase_name (const Matrix *m, guint phase)
{
  const char *name = kymo_table_get_string (m->phases, "name", phase);

  name = name != NULL ? name : kymo_flat_string (m->phases, phase);
  return name != NULL ? name : "";
}

static const char *
function_name (const Matrix *m, guint line)
{
  const char *name = kymo_table_get_string (m->functions, "name", m->rows[line]);

  return name != NULL ? name : "";
}

static void
order_rows (Matrix *m, const KymoPlotFrame *frame)
{
  guint n = kymo_table_get_n_rows (m->functions);

  m->rows = g_new (guint, MAX (n, 1));
  m->sums = g_new0 (double, MAX (n, 1));
  for (guint f = 0; f < n; f++)
    {
      if (kymo_is_hidden (frame, kymo_table_get_string (m->functions, "name", f)))
        continue;
      for (guint p = 0; p < m->n_phases; p++)
        if (value_of (m, f, p) > 0)
          {
            m->sums[f] += value_of (m, f, p);
            m->most = MAX (m->most, value_of (m, f, p));
          }
      /* Of the many functions of a run a phase has few. */
      if (m->sums[f] > 0)
        m->rows[m->n_rows++] = f;
    }
  g_qsort_with_data (m->rows, m->n_rows, sizeof *m->rows, compare_rows, m);
}

static void
place_cells (Matrix *m, const KymoPlotFrame *frame)
{
  double names = CLAMP (m->area.width * 0.3, 110, 380);
  guint room = MAX (0, (m->area.height - ROW_PX) / ROW_PX);

  m->cells = (KymoRect) { m->area.x + names, m->area.y + ROW_PX,
                          MAX (m->area.width - names, 1), 0 };
  m->column_px = CLAMP (m->cells.width / m->n_phases, LEAST_COLUMN_PX, MOST_COLUMN_PX);
  m->shown_phases = MIN (m->n_phases, (guint) (m->cells.width / m->column_px + 1e-6));
  m->first = frame->row_px > 0 ? MIN (m->n_rows, (guint) (MAX (frame->scroll_px, 0) / ROW_PX))
                               : 0;
  m->shown = MIN (room, m->n_rows - m->first);
  m->cells.width = m->column_px * m->shown_phases;
  m->cells.height = m->shown * ROW_PX;
}

static gboolean
phases_init (Matrix *m, const KymoTable *answer, const KymoPlotFrame *frame)
{
  *m = (Matrix) { kymo_plot_frame_area (&kymo_plot_phases, frame) };
  m->phases = kymo_table_peek_nested (answer, "phases", NULL);
  m->functions = kymo_table_peek_nested (answer, "functions", NULL);
  if (m->phases == NULL || m->functions == NULL)
    return FALSE;
  m->values = kymo_table_peek_doubles (m->functions, "values", &m->width);
  m->n_phases = MIN (kymo_table_get_n_rows (m->phases), m->width);
  if (m->values == NULL || m->n_phases == 0 || m->area.width < 60)
    return FALSE;
  kymo_measure_init (&m->measure, answer, frame, NULL);
  order_rows (m, frame);
  place_cells (m, frame);
  return m->shown > 0;
}

static void
phases_clear (Matrix *m)
{
  g_clear_pointer (&m->rows, g_free);
  g_clear_pointer (&m->sums, g_free);
}

static KymoRect
cell_rect (const Matrix *m, guint line, guint phase)
{
  double x = round (m->cells.x + phase * m->column_px);
  double end = round (m->cells.x + (phase + 1) * m->column_px);
  double gap = end - x >= 8 ? 1 : 0;

  return (KymoRect) { x, m->cells.y + (line - m->first) * ROW_PX, end - x - gap, ROW_PX - 1 };
}

static void
paint_cell (cairo_t *cr, const Matrix *m, const KymoPlotFrame *frame, guint line, guint phase)
{
  double value = value_of (m, m->rows[line], phase);
  KymoRect rect = cell_rect (m, line, phase);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  KymoRgba color;

  /* Paper where the function had nothing. */
  if (!(value > 0))
    return;
  color = kymo_heat_color (frame, m->most > 0 ? sqrt (value / m->most) : 0);
  kymo_set_source (cr, color);
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_fill (cr);
  if (rect.width >= FIGURE_PX)
    {
      g_autofree char *words = kymo_measure_format (&m->measure, value);

      kymo_text_draw (cr, words, rect.x + rect.width / 2, rect.y + rect.height / 2, style,
                      kymo_rgba_text_on (color));
    }
}

/* Names of phases over their columns, as many as have room. */
static void
paint_phases (cairo_t *cr, const Matrix *m, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  guint every = MAX (1, (guint) ceil (44 / m->column_px));

  for (guint p = 0; p < m->shown_phases; p += every)
    {
      double room = MIN (every, m->shown_phases - p) * m->column_px;
      KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, MAX (room - 6, 8) };
      g_autofree char *label = kymo_text_fitting_name (cr, phase_name (m, p), style);

      kymo_text_draw (cr, label, m->cells.x + p * m->column_px + 2, m->area.y + ROW_PX / 2.0,
                      style, theme->foreground);
    }
}

static void
paint_names (cairo_t *cr, const Matrix *m, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_NORMAL - 0.5, FALSE, 1, m->cells.x - m->area.x - 12 };
  KymoTextStyle head = { KYMO_TEXT_SMALL, FALSE, 1, m->cells.x - m->area.x - 12 };

  kymo_text_draw (cr, kymo_word_code (frame->terms, FALSE, TRUE), m->cells.x - 8,
                  m->area.y + ROW_PX / 2.0, head, theme->secondary);
  for (guint line = m->first; line < m->first + m->shown; line++)
    {
      const char *name = function_name (m, line);
      g_autofree char *label = kymo_text_fitting_name (cr, name, style);

      style.bold = g_strcmp0 (name, frame->chosen) == 0
                   || g_strcmp0 (name, frame->hovered) == 0;
      kymo_text_draw (cr, label, m->cells.x - 8,
                      m->cells.y + (line - m->first + 0.5) * ROW_PX, style,
                      theme->foreground);
    }
}

static void
paint_foot (cairo_t *cr, const Matrix *m, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double y = m->area.y + m->area.height + FOOT_PX / 2.0 + 2;
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 0, m->area.width * 0.5 };
  KymoTextStyle right = { KYMO_TEXT_SMALL, FALSE, 1, m->area.width * 0.4 };
  g_autofree char *words = kymo_measure_words (&m->measure);
  g_autofree char *most = kymo_measure_format (&m->measure, m->most);
  g_autofree char *key = g_strdup_printf (_("%s, up to %s"), words, most);
  guint phases = m->n_phases - m->shown_phases, rows = m->n_rows - m->first - m->shown;

  kymo_heat_paint_key (cr, frame, (KymoRect) { m->area.x, y - 5, 60, 10 });
  kymo_text_draw (cr, key, m->area.x + 68, y, left, theme->secondary);
  if (phases + rows > 0)
    {
      g_autofree char *functions = kymo_words_codes (frame->terms, rows);
      g_autofree char *rest = phases > 0
        ? g_strdup_printf (_("%u phases and %s more"), phases, functions)
        : g_strdup_printf (_("%s more"), functions);

      kymo_text_draw (cr, rest, m->area.x + m->area.width, y, right, theme->secondary);
    }
}

static void
phases_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Matrix *m = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  const KymoTheme *theme = kymo_theme_get (frame->look);

  kymo_decor_paint (cr, &kymo_plot_phases, frame, NULL);
  if (!m->known)
    kymo_paint_empty (cr, frame, m->area, _("No phases were measured"));
  else
    {
      kymo_set_source (cr, theme->paper);
      cairo_rectangle (cr, m->cells.x, m->cells.y, m->cells.width, m->cells.height);
      cairo_fill (cr);
      for (guint line = m->first; line < m->first + m->shown; line++)
        for (guint p = 0; p < m->shown_phases; p++)
          paint_cell (cr, m, frame, line, p);
      paint_phases (cr, m, frame);
      paint_names (cr, m, frame);
      paint_foot (cr, m, frame);
    }
}

static gboolean
phases_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Matrix *m = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (m->known && y >= m->cells.y && y < m->cells.y + m->cells.height
      && x >= m->area.x && x < m->cells.x + m->cells.width)
    {
      guint line = m->first + MIN ((guint) ((y - m->cells.y) / ROW_PX), m->shown - 1);
      guint phase = MIN ((guint) (MAX (x - m->cells.x, 0) / m->column_px), m->shown_phases - 1);
      g_autofree char *value = kymo_measure_exact (&m->measure,
                                                   value_of (m, m->rows[line], phase));
      g_autofree char *sum = kymo_measure_format (&m->measure, m->sums[m->rows[line]]);

      found = TRUE;
      hit->name = g_strdup (function_name (m, line));
      hit->rect = cell_rect (m, line, phase);
      hit->text = x < m->cells.x
        ? g_strdup_printf (_("%s\n%s in all phases"), hit->name, sum)
        : g_strdup_printf (_("%s\n%s: %s\n%s in all phases"), hit->name,
                           phase_name (m, phase), value, sum);
    }
  return found;
}

/* Keys go from cell to cell of those that are not paper, those scrolled away as well. */
static GArray *
phases_boxes (const KymoPicture *picture)
{
  const Matrix *m = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (m->known)
    for (guint line = 0; line < m->n_rows; line++)
      for (guint phase = 0; phase < m->shown_phases; phase++)
        {
          KymoPlotBox box = { .row = m->rows[line], .part = phase, .location = -1, .told = TRUE,
                              .rect = cell_rect (m, line, phase) };

          box.rect.y = m->cells.y + ((double) line - m->first) * ROW_PX;
          box.name = function_name (m, line);
          if (value_of (m, m->rows[line], phase) > 0 && box.rect.width >= 1)
            g_array_append_val (boxes, box);
        }
  return boxes;
}

static double
phases_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_phases, frame);
  KymoTable *functions = kymo_table_peek_nested (answer, "functions", NULL);
  guint n = functions != NULL ? kymo_table_get_n_rows (functions) : 0;

  return frame->height_px - area.height + (n + 1) * ROW_PX;
}

static KymoQuestion *
phases_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question_of_chosen (frame, "phases");
}

KYMO_DEFINE_LAYOUT (phases, Matrix, phases_init, phases_clear)

const KymoPlotClass kymo_plot_phases = {
  .id = "phases",
  .title = N_("Phases"),
  .needs = KYMO_CAN_METRICS | KYMO_CAN_PHASES,
  .question = phases_question,
  .lay_out = phases_lay_out,
  .layout_free = phases_layout_free,
  .paint = phases_paint,
  .hit = phases_hit,
  .boxes = phases_boxes,
  .natural_height = phases_natural_height,
  .inset = { 16, 8, 20, FOOT_PX + 8 },
};
