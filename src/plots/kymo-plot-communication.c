/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communication: who sent how much to whom. Senders are rows, receivers are
 * columns; the colour is the logarithm of the bytes.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "kymo-heat.h"
#include "kymo-legend.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-units.h"

/**
 * Matrix:
 *
 * The answer on a square grid; `ids` are the locations in order.
 */
typedef struct
{
  KymoRect      area;            /* of the grid itself */
  guint         n;
  gint64       *ids;
  KymoTable    *table;
  guint         n_pairs;
  const gint64 *from, *to, *bytes, *messages;
  gint64        n_locations;     /* of the run; 0 = not told */
  double        least, most;     /* bytes, above 0 */
  double        cell_px;
  KymoTerms     terms;           /* rows may be ranks where locations are threads */
} Matrix;

static int
compare_ids (const void *a, const void *b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

/* Stale numbers in messages name PEs that the run never had. They count, but
   have no place in the square. */
static gboolean
has_place (const Matrix *matrix, guint pair)
{
  return matrix->n_locations == 0
         || (matrix->from[pair] >= 0
             && matrix->from[pair] < matrix->n_locations);
}

static void
collect_ids (Matrix *matrix)
{
  guint n = 0;

  matrix->ids = g_new (gint64, 2 * (gsize) matrix->n_pairs + 1);
  for (guint i = 0; i < matrix->n_pairs; i++)
    {
      matrix->ids[n++] = matrix->to[i];
      if (has_place (matrix, i))
        matrix->ids[n++] = matrix->from[i];
    }
  qsort (matrix->ids, n, sizeof *matrix->ids, compare_ids);
  for (guint i = 0; i < n; i++)
    if (i == 0 || matrix->ids[i] != matrix->ids[matrix->n - 1])
      matrix->ids[matrix->n++] = matrix->ids[i];
}

static double
weight (const Matrix *matrix, guint pair)
{
  gint64 bytes = matrix->bytes != NULL ? matrix->bytes[pair] : 0;

  return MAX (bytes, 1);
}

static gboolean
matrix_init (Matrix *matrix, const KymoTable *answer,
             const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_communication, frame);
  double side;

  *matrix = (Matrix) { .area = area, .terms = frame->terms };
  if (g_strcmp0 (kymo_table_get_string (answer, "row_term", 0), "rank") == 0)
    matrix->terms.row = KYMO_ROW_RANK;
  matrix->table = kymo_table_peek_nested (answer, "matrix", NULL);
  if (matrix->table == NULL)
    return FALSE;
  matrix->n_pairs = kymo_table_get_n_rows (matrix->table);
  matrix->from = kymo_table_peek_ints (matrix->table, "from", NULL);
  matrix->to = kymo_table_peek_ints (matrix->table, "to", NULL);
  matrix->bytes = kymo_table_peek_ints (matrix->table, "bytes", NULL);
  matrix->messages = kymo_table_peek_ints (matrix->table, "messages", NULL);
  if (matrix->n_pairs == 0 || matrix->from == NULL || matrix->to == NULL)
    return FALSE;
  matrix->n_locations = kymo_table_get_int (answer, "locations", 0);
  collect_ids (matrix);
  matrix->least = G_MAXDOUBLE;
  for (guint i = 0; i < matrix->n_pairs; i++)
    if (has_place (matrix, i))
      {
        matrix->least = MIN (matrix->least, weight (matrix, i));
        matrix->most = MAX (matrix->most, weight (matrix, i));
      }
  side = MIN (area.width, area.height);
  matrix->cell_px = side / matrix->n;
  if (matrix->cell_px >= 2)
    matrix->cell_px = MIN (floor (matrix->cell_px), 96);
  matrix->area.width = matrix->area.height = matrix->cell_px * matrix->n;
  return TRUE;
}

static int
index_of (const Matrix *matrix, gint64 id)
{
  gint64 *found = bsearch (&id, matrix->ids, matrix->n, sizeof id,
                           compare_ids);

  return found != NULL ? (int) (found - matrix->ids) : -1;
}

static double
heat_share (const Matrix *matrix, double bytes)
{
  double range = log (matrix->most / matrix->least);

  return range > 0 ? log (bytes / matrix->least) / range : 1;
}

static KymoRect
pair_rect (const Matrix *matrix, guint pair)
{
  int column = index_of (matrix, matrix->to[pair]);
  int row = index_of (matrix, matrix->from[pair]);
  double gap = matrix->cell_px >= 8 ? 1 : 0;

  return (KymoRect) { matrix->area.x + column * matrix->cell_px,
                      matrix->area.y + row * matrix->cell_px,
                      matrix->cell_px - gap, matrix->cell_px - gap };
}

static void
paint_pairs (cairo_t *cr, const Matrix *matrix, const KymoPlotFrame *frame)
{
  KymoTextStyle style = { KYMO_TEXT_SMALL - 0.5, FALSE, 0.5, 0 };

  for (guint i = 0; i < matrix->n_pairs; i++)
    {
      KymoRect rect = pair_rect (matrix, i);
      KymoRgba color = kymo_heat_color (frame, heat_share (matrix, weight (matrix, i)));

      if (!has_place (matrix, i))
        continue;
      kymo_set_source (cr, color);
      /* Cells under a pixel still leave a trace. */
      cairo_rectangle (cr, rect.x, rect.y, MAX (rect.width, 0.7),
                       MAX (rect.height, 0.7));
      cairo_fill (cr);
      if (matrix->cell_px >= 62 && matrix->bytes != NULL)
        {
          g_autofree char *words = kymo_format_bytes (matrix->bytes[i]);

          kymo_text_draw (cr, words, rect.x + rect.width / 2,
                          rect.y + rect.height / 2, style,
                          kymo_rgba_text_on (color));
        }
    }
}

static void
paint_labels (cairo_t *cr, const Matrix *matrix, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  KymoTextStyle below = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  guint every = MAX (1, (guint) kymo_nice_step (matrix->n, 20));
  double bottom = matrix->area.y + matrix->area.height, end = -1e9;
  /* Translators: “PE”, “rank” or “thread”. */
  g_autofree char *to = g_strdup_printf (_("to %s"),
                                         kymo_word_row (matrix->terms, FALSE, FALSE));
  g_autofree char *from = g_strdup_printf (_("from %s"),
                                           kymo_word_row (matrix->terms, FALSE, FALSE));

  if (matrix->cell_px >= 15)
    every = 1;
  for (guint i = 0; i < matrix->n; i += every)
    {
      g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT,
                                             matrix->ids[i]);
      double middle = (i + 0.5) * matrix->cell_px, x = matrix->area.x + middle;
      double width = kymo_text_width (cr, id, below);

      kymo_text_draw (cr, id, matrix->area.x - 8, matrix->area.y + middle,
                      left, theme->secondary);
      if (x - width / 2 < end + 6)
        continue;
      kymo_text_draw (cr, id, x, bottom + 12, below, theme->secondary);
      end = x + width / 2;
    }
  kymo_text_draw (cr, to, matrix->area.x + matrix->area.width / 2, bottom + 30, below,
                  theme->secondary);
  kymo_text_draw (cr, from, matrix->area.x - 8, bottom + 12, left, theme->secondary);
}

/* The colour scale, with the most bytes at the top. */
static void
paint_key (cairo_t *cr, const Matrix *matrix, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  KymoRect key = { matrix->area.x + matrix->area.width + 28, matrix->area.y,
                   12, MIN (matrix->area.height, 220) };
  cairo_pattern_t *scale = cairo_pattern_create_linear (0, key.y, 0,
                                                        key.y + key.height);

  for (guint i = 0; i <= 8; i++)
    {
      KymoRgba c = kymo_heat_color (frame, 1 - i / 8.0);
      cairo_pattern_add_color_stop_rgb (scale, i / 8.0, c.red, c.green,
                                        c.blue);
    }
  cairo_set_source (cr, scale);
  cairo_rectangle (cr, key.x, key.y, key.width, key.height);
  cairo_fill (cr);
  cairo_pattern_destroy (scale);
  for (guint i = 0; i <= 2; i++)
    {
      double share = 1 - i / 2.0;
      double bytes = matrix->least * pow (matrix->most / matrix->least, share);
      g_autofree char *label = kymo_format_bytes (llround (bytes));
      double y = key.y + 6 + (key.height - 12) * i / 2;

      kymo_text_draw (cr, label, key.x + 20, y, style, theme->secondary);
      if (matrix->most <= matrix->least)
        break;
    }
}

static void
paint_sums (cairo_t *cr, const Matrix *matrix, const KymoTable *answer,
            const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  KymoTextStyle style = { KYMO_TEXT_NORMAL - 0.5, FALSE, 0, 0 };
  g_autofree char *messages = kymo_format_count (
    kymo_table_get_int (answer, "messages", 0));
  g_autofree char *bytes = kymo_format_bytes (
    kymo_table_get_int (answer, "bytes", 0));
  g_autofree char *count = g_strdup_printf (_("%s messages"), messages);
  double x = matrix->area.x + matrix->area.width + 28;
  double y = matrix->area.y + MIN (matrix->area.height, 220) + 24;

  kymo_text_draw (cr, count, x, y, style, theme->foreground);
  kymo_text_draw (cr, bytes, x, y + 19, style, theme->foreground);
  if (kymo_table_get_bool (answer, "joined", 0)
      && kymo_table_get_int (answer, "communication_threads", 0) > 0)
    {
      KymoTextStyle note = { KYMO_TEXT_SMALL, FALSE, 0, 0 };

      kymo_text_draw (cr, _("communication"), x, y + 44, note,
                      theme->secondary);
      kymo_text_draw (cr, _("threads joined"), x, y + 59, note,
                      theme->secondary);
    }
  if (kymo_table_get_bool (answer, "extrapolated", 0))
    {
      KymoTextStyle note = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
      g_autofree char *pes = kymo_words_rows (
        frame->terms, llround (kymo_table_get_double (answer, "stands_for", 0)));
      g_autofree char *words = g_strdup_printf (_("to %s"), pes);

      /* Beside the matrix, whose corner has cells. */
      kymo_text_draw (cr, _("extrapolated"), x, y + 80, note, theme->secondary);
      kymo_text_draw (cr, words, x, y + 95, note, theme->secondary);
    }
}

static void
communication_paint (cairo_t *cr, const KymoTable *answer,
                     const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  Matrix matrix;

  kymo_decor_paint (cr, &kymo_plot_communication, frame, NULL);
  if (!matrix_init (&matrix, answer, frame))
    {
      kymo_paint_empty (cr, frame, matrix.area,
                        _("No messages in this range"));
      return;
    }
  kymo_set_source (cr, theme->paper);
  cairo_rectangle (cr, matrix.area.x, matrix.area.y, matrix.area.width,
                   matrix.area.height);
  cairo_fill (cr);
  paint_pairs (cr, &matrix, frame);
  paint_labels (cr, &matrix, frame);
  paint_key (cr, &matrix, frame);
  paint_sums (cr, &matrix, answer, frame);
  g_free (matrix.ids);
}

static void
describe_pair (const Matrix *matrix, guint column, guint row, guint pair,
               KymoPlotHit *hit)
{
  const char *word = kymo_word_row (matrix->terms, FALSE, FALSE);
  g_autofree char *bytes = NULL, *count = NULL;

  if (pair == G_MAXUINT)
    {
      hit->text = g_strdup_printf (_("from %s %" PRId64 " to %s %"
                                     PRId64 "\nno messages"), word,
                                   matrix->ids[row], word, matrix->ids[column]);
      return;
    }
  bytes = kymo_format_bytes (matrix->bytes != NULL ? matrix->bytes[pair] : 0);
  count = kymo_format_count (matrix->messages != NULL
                             ? matrix->messages[pair] : 0);
  hit->text = g_strdup_printf (_("from %s %" PRId64 " to %s %"
                                 PRId64 "\n%s messages, %s"), word,
                               matrix->ids[row], word, matrix->ids[column], count,
                               bytes);
}

static gboolean
communication_hit (const KymoTable *answer, const KymoPlotFrame *frame,
                   double x, double y, KymoPlotHit *hit)
{
  Matrix matrix;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (matrix_init (&matrix, answer, frame)
      && kymo_rect_contains (matrix.area, x, y))
    {
      guint column = (x - matrix.area.x) / matrix.cell_px;
      guint row = (y - matrix.area.y) / matrix.cell_px;
      guint pair = G_MAXUINT;

      column = MIN (column, matrix.n - 1);
      row = MIN (row, matrix.n - 1);
      for (guint i = 0; i < matrix.n_pairs && pair == G_MAXUINT; i++)
        if (matrix.from[i] == matrix.ids[row]
            && matrix.to[i] == matrix.ids[column])
          pair = i;
      if (matrix.terms.row == frame->terms.row)
        hit->location = matrix.ids[row];
      hit->rect = (KymoRect) { matrix.area.x + column * matrix.cell_px,
                               matrix.area.y + row * matrix.cell_px,
                               matrix.cell_px, matrix.cell_px };
      describe_pair (&matrix, column, row, pair, hit);
      found = TRUE;
    }
  g_free (matrix.ids);
  return found;
}

static KymoQuestion *
communication_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "communication");

  /* Who talks to whom: not by way of which thread. */
  kymo_question_set_int (question, "join", 1);
  return question;
}

const KymoPlotClass kymo_plot_communication = {
  .id = "communication",
  .title = N_("Communication"),
  .needs = KYMO_CAN_MESSAGES,
  .question = communication_question,
  .paint = communication_paint,
  .hit = communication_hit,
  .inset = { 76, 16, 140, 48 },
};
