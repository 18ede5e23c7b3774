/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communication: who sent how much to whom. Senders are rows, receivers are
 * columns; the colour is the logarithm of bytes or messages. Bars at the edges are the totals
 * of rows and columns.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "kymo-legend.h"
#include "kymo-order.h"
#include "kymo-plot-terms.h"
#include "kymo-table-made.h"
#include "kymo-text.h"
#include "kymo-theme.h"
#include "kymo-traffic-words.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_communication;

#define TOTALS_PX 34
#define MOST_BOXES 20000

/**
 * Matrix:
 *
 * The answer on a square grid; `ids` are the locations in order. What does not depend on
 * the size of the picture is made once and kept with the answer: the pointer moves often.
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
  gint64        group;           /* so many locations are a row */
  gboolean      by_messages;
  double       *rows, *columns;  /* sums by index */
  double        most_sum;
  double        least, most;     /* bytes, above 0 */
  GHashTable   *pairs;           /* row * n + column -> pair + 1 */
  double        cell_px;
  KymoTerms     terms;           /* rows may be ranks where locations are threads */
  gboolean      known;               /* FALSE: nothing can be painted */
} Matrix;

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
  qsort (matrix->ids, n, sizeof *matrix->ids, kymo_compare_ints);
  for (guint i = 0; i < n; i++)
    if (i == 0 || matrix->ids[i] != matrix->ids[matrix->n - 1])
      matrix->ids[matrix->n++] = matrix->ids[i];
}

static double
weight (const Matrix *matrix, guint pair)
{
  const gint64 *values = matrix->by_messages ? matrix->messages : matrix->bytes;
  gint64 value = values != NULL ? values[pair] : 0;

  return MAX (value, 1);
}

static int
index_of (const Matrix *matrix, gint64 id)
{
  gint64 *found = bsearch (&id, matrix->ids, matrix->n, sizeof id,
                           kymo_compare_ints);

  return found != NULL ? (int) (found - matrix->ids) : -1;
}

/* What came from senders without a place is in the columns all the same. */
static void
sum_edges (Matrix *matrix)
{
  const gint64 *values = matrix->by_messages ? matrix->messages : matrix->bytes;

  matrix->rows = g_new0 (double, matrix->n);
  matrix->columns = g_new0 (double, matrix->n);
  for (guint i = 0; values != NULL && i < matrix->n_pairs; i++)
    {
      int row = has_place (matrix, i) ? index_of (matrix, matrix->from[i]) : -1;
      int column = index_of (matrix, matrix->to[i]);

      if (row >= 0)
        matrix->rows[row] += values[i];
      if (column >= 0)
        matrix->columns[column] += values[i];
    }
  for (guint i = 0; i < matrix->n; i++)
    matrix->most_sum = MAX (matrix->most_sum, MAX (matrix->rows[i], matrix->columns[i]));
}

/* (transfer full): "3", or "8–15" of a group */
static char *
dup_id (const Matrix *matrix, guint i)
{
  gint64 id = matrix->ids[i], last = id + matrix->group;

  if (matrix->n_locations > 0)
    last = MIN (last, matrix->n_locations);
  return matrix->group == 1 ? g_strdup_printf ("%" G_GINT64_FORMAT, id)
         : g_strdup_printf ("%" G_GINT64_FORMAT "–%" G_GINT64_FORMAT, id, last - 1);
}

static void
find_pairs (Matrix *matrix)
{
  matrix->pairs = g_hash_table_new (NULL, NULL);
  matrix->least = G_MAXDOUBLE;
  for (guint i = matrix->n_pairs; i-- > 0;)
    if (has_place (matrix, i))
      {
        gsize at = (gsize) index_of (matrix, matrix->from[i]) * matrix->n
                   + (gsize) index_of (matrix, matrix->to[i]);

        g_hash_table_insert (matrix->pairs, (gpointer) at, GUINT_TO_POINTER (i + 1));
        matrix->least = MIN (matrix->least, weight (matrix, i));
        matrix->most = MAX (matrix->most, weight (matrix, i));
      }
}

static guint
pair_at (const Matrix *matrix, guint row, guint column)
{
  gsize at = (gsize) row * matrix->n + column;

  return GPOINTER_TO_UINT (g_hash_table_lookup (matrix->pairs, (gpointer) at)) - 1;
}

static void
matrix_free (gpointer data)
{
  Matrix *matrix = data;

  g_clear_pointer (&matrix->pairs, g_hash_table_unref);
  g_free (matrix->ids);
  g_free (matrix->rows);
  g_free (matrix->columns);
  g_free (matrix);
}

/* Of no pairs where there is nothing to show. */
static gpointer
make_matrix (gconstpointer data, GError **error)
{
  const KymoTable *answer = data;
  Matrix *matrix = g_new0 (Matrix, 1);

  matrix->table = kymo_table_peek_nested (answer, "matrix", NULL);
  if (matrix->table == NULL)
    return matrix;
  matrix->from = kymo_table_peek_ints (matrix->table, "from", NULL);
  matrix->to = kymo_table_peek_ints (matrix->table, "to", NULL);
  matrix->bytes = kymo_table_peek_ints (matrix->table, "bytes", NULL);
  matrix->messages = kymo_table_peek_ints (matrix->table, "messages", NULL);
  if (matrix->from == NULL || matrix->to == NULL)
    return matrix;
  matrix->n_pairs = kymo_table_get_n_rows (matrix->table);
  matrix->n_locations = kymo_table_get_int (answer, "locations", 0);
  matrix->group = MAX (kymo_table_get_int (answer, "group_size", 0), 1);
  matrix->by_messages = kymo_traffic_by_messages (answer);
  collect_ids (matrix);
  find_pairs (matrix);
  sum_edges (matrix);
  return matrix;
}

/* What it points to belongs to the answer. */
static gboolean
matrix_init (Matrix *matrix, const KymoTable *answer,
             const KymoPlotFrame *frame)
{
  const Matrix *made = kymo_table_peek_made (answer, make_matrix, matrix_free);

  *matrix = *made;
  matrix->area = kymo_plot_frame_area (&kymo_plot_communication, frame);
  matrix->terms = frame->terms;
  if (g_strcmp0 (kymo_table_get_string (answer, "row_term", 0), "rank") == 0)
    matrix->terms.row = KYMO_ROW_RANK;
  if (matrix->n_pairs == 0)
    return FALSE;
  matrix->cell_px = MIN (matrix->area.width, matrix->area.height) / matrix->n;
  if (matrix->cell_px >= 2)
    matrix->cell_px = MIN (floor (matrix->cell_px), 96);
  matrix->area.width = matrix->area.height = matrix->cell_px * matrix->n;
  return TRUE;
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
      if (matrix->cell_px >= 62)
        {
          g_autofree char *words = kymo_traffic_amount (matrix->by_messages, weight (matrix, i));

          kymo_text_draw (cr, words, rect.x + rect.width / 2,
                          rect.y + rect.height / 2, style,
                          kymo_rgba_text_on (color));
        }
    }
}

/* Below the columns there is less room than beside the rows: every how many of these labels
   find it, evenly. */
static guint
labels_apart (cairo_t *cr, const Matrix *matrix, guint every, KymoTextStyle style)
{
  double most = 0;

  for (guint i = 0; i < matrix->n; i += every)
    {
      g_autofree char *id = dup_id (matrix, i);

      most = MAX (most, kymo_text_width (cr, id, style));
    }
  return MAX (ceil ((most + 8) / (every * matrix->cell_px)), 1);
}

static void
paint_labels (cairo_t *cr, const Matrix *matrix, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  KymoTextStyle below = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  guint every = MAX (1, (guint) kymo_nice_step (matrix->n, 20)), apart;
  double bottom = matrix->area.y + matrix->area.height;
  /* Translators: “PE”, “rank” or “thread”. */
  g_autofree char *to = g_strdup_printf (_("to %s"),
                                         kymo_word_row (matrix->terms, FALSE, FALSE));
  g_autofree char *from = g_strdup_printf (_("from %s"),
                                           kymo_word_row (matrix->terms, FALSE, FALSE));

  if (matrix->cell_px >= 15)
    every = 1;
  apart = every * labels_apart (cr, matrix, every, below);
  for (guint i = 0; i < matrix->n; i += every)
    {
      g_autofree char *id = dup_id (matrix, i);
      double middle = (i + 0.5) * matrix->cell_px;

      kymo_text_draw (cr, id, matrix->area.x - 8, matrix->area.y + middle,
                      left, theme->secondary);
      if (i % apart == 0)
        kymo_text_draw (cr, id, matrix->area.x + middle, bottom + 12, below, theme->secondary);
    }
  kymo_text_draw (cr, to, matrix->area.x + matrix->area.width / 2, bottom + 30, below,
                  theme->secondary);
  /* Groups have labels as wide as this. */
  kymo_text_draw (cr, from, matrix->area.x - 8, bottom + (matrix->group > 1 ? 30 : 12), left,
                  theme->secondary);
}

/* Bars of the sums of each row, right of it, and of each column, above it. */
static void
paint_totals (cairo_t *cr, const Matrix *matrix, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = matrix->area;
  double gap = matrix->cell_px >= 8 ? 1 : 0, px = matrix->cell_px;

  kymo_set_source (cr, kymo_rgba_mix (theme->accent, theme->canvas, 0.35));
  for (guint i = 0; i < matrix->n; i++)
    {
      double right = matrix->rows[i] / MAX (matrix->most_sum, 1) * (TOTALS_PX - 6);
      double up = matrix->columns[i] / MAX (matrix->most_sum, 1) * (TOTALS_PX - 6);

      cairo_rectangle (cr, area.x + area.width + 5, area.y + i * px, right, px - gap);
      cairo_rectangle (cr, area.x + i * px, area.y - 5 - up, px - gap, up);
    }
  cairo_fill (cr);
}

/* The colour scale, with the most at the top. */
static void
paint_key (cairo_t *cr, const Matrix *matrix, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  KymoRect key = { matrix->area.x + matrix->area.width + 28 + TOTALS_PX, matrix->area.y,
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
      g_autofree char *label = kymo_traffic_amount (matrix->by_messages, bytes);
      double y = key.y + 6 + (key.height - 12) * i / 2;

      kymo_text_draw (cr, label, key.x + 20, y, style, theme->secondary);
      if (matrix->most <= matrix->least)
        break;
    }
}

/* "of 5,000" stands below what is shown, then by what. Returns the height of these lines. */
static double
paint_left_out (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame, double x,
                double y)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle note = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  g_auto (GStrv) filters = kymo_traffic_list_filters (answer);
  g_autofree char *all = kymo_format_count (
    kymo_table_get_int (answer, "messages", 0)
    + kymo_table_get_int (answer, "left_out_messages", 0));
  g_autofree char *of = g_strdup_printf (_("of %s messages"), all);

  if (filters == NULL)
    return 0;
  kymo_text_draw (cr, of, x, y, note, theme->secondary);
  for (guint i = 0; filters[i] != NULL; i++)
    kymo_text_draw (cr, filters[i], x, y + 15 * (i + 1), note, theme->secondary);
  return 25 + 15 * g_strv_length (filters);
}

/* Beside the matrix there is no room for a sentence: two lines. Returns their height. */
static double
paint_unmatched (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame, double x,
                 double y)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle note = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  gint64 n = kymo_table_get_int (answer, "unmatched", 0);
  g_autofree char *count = kymo_format_count (n);
  g_autofree char *words = g_strdup_printf (_("%s without a"), count);

  if (n <= 0)
    return 0;
  /* Translators: "415 without a" stands above it. */
  kymo_text_draw (cr, words, x, y, note, theme->secondary);
  kymo_text_draw (cr, _("record of creation"), x, y + 15, note, theme->secondary);
  return 40;
}

static void
paint_sums (cairo_t *cr, const Matrix *matrix, const KymoTable *answer,
            const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_NORMAL - 0.5, FALSE, 0, 0 };
  g_autofree char *count = kymo_words_messages (kymo_table_get_int (answer, "messages", 0));
  g_autofree char *bytes = kymo_format_bytes (
    kymo_table_get_int (answer, "bytes", 0));
  double x = matrix->area.x + matrix->area.width + 28 + TOTALS_PX;
  double y = matrix->area.y + MIN (matrix->area.height, 220) + 24;

  kymo_text_draw (cr, count, x, y, style, theme->foreground);
  kymo_text_draw (cr, bytes, x, y + 19, style, theme->foreground);
  y += paint_left_out (cr, answer, frame, x, y + 42);
  y += paint_unmatched (cr, answer, frame, x, y + 42);
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
communication_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Matrix *matrix = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  const KymoTheme *theme = kymo_theme_get (frame->look);

  kymo_decor_paint (cr, &kymo_plot_communication, frame, NULL);
  if (!matrix->known)
    {
      kymo_traffic_paint_empty (cr, answer, frame, matrix->area);
      return;
    }
  kymo_set_source (cr, theme->paper);
  cairo_rectangle (cr, matrix->area.x, matrix->area.y, matrix->area.width,
                   matrix->area.height);
  cairo_fill (cr);
  paint_pairs (cr, matrix, frame);
  paint_totals (cr, matrix, frame);
  paint_labels (cr, matrix, frame);
  paint_key (cr, matrix, frame);
  paint_sums (cr, matrix, answer, frame);
}

static void
describe_pair (const Matrix *matrix, guint column, guint row, guint pair,
               KymoPlotHit *hit)
{
  const char *word = kymo_word_row (matrix->terms, FALSE, FALSE);
  g_autofree char *from = dup_id (matrix, row), *to = dup_id (matrix, column);
  g_autofree char *sent = kymo_traffic_amount (matrix->by_messages, matrix->rows[row]);
  g_autofree char *received = kymo_traffic_amount (matrix->by_messages,
                                                   matrix->columns[column]);
  g_autofree char *both = pair == G_MAXUINT ? g_strdup (_("no messages")) : kymo_traffic_both (
    matrix->messages != NULL ? matrix->messages[pair] : 0,
    matrix->bytes != NULL ? matrix->bytes[pair] : 0);

  hit->text = g_strdup_printf (_("from %s %s to %s %s\n%s\nof %s in the row and %s in the column"),
                               word, from, word, to, both, sent, received);
}

static gboolean
communication_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Matrix *matrix = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (matrix->known
      && kymo_rect_contains (matrix->area, x, y))
    {
      guint column = (x - matrix->area.x) / matrix->cell_px;
      guint row = (y - matrix->area.y) / matrix->cell_px;
      column = MIN (column, matrix->n - 1);
      row = MIN (row, matrix->n - 1);
      if (matrix->terms.row == frame->terms.row)
        hit->location = matrix->ids[row];
      hit->rect = (KymoRect) { matrix->area.x + column * matrix->cell_px,
                               matrix->area.y + row * matrix->cell_px,
                               matrix->cell_px, matrix->cell_px };
      describe_pair (matrix, column, row, pair_at (matrix, row, column), hit);
      found = TRUE;
    }
  return found;
}

/* Keys go from cell to cell of those with messages, in the order of reading: pairs stand in
   that of senders. Of very many every second one, third, …: closer there are fewer. */
static GArray *
communication_boxes (const KymoPicture *picture)
{
  const Matrix *matrix = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (!matrix->known)
    return boxes;
  for (guint i = 0; i < matrix->n_pairs; i += 1 + matrix->n_pairs / MOST_BOXES)
    {
      KymoPlotBox box = { .told = TRUE, .of_location = matrix->terms.row == frame->terms.row,
                          .location = matrix->from[i] };

      if (!has_place (matrix, i))
        continue;
      box.row = i;
      box.rect = (KymoRect) { matrix->area.x + index_of (matrix, matrix->to[i]) * matrix->cell_px,
                              matrix->area.y + index_of (matrix, matrix->from[i]) * matrix->cell_px,
                              matrix->cell_px, matrix->cell_px };
      g_array_append_val (boxes, box);
    }
  return boxes;
}

/* Its row, what it sends, and its column, what it is sent. */
static void
add_marks (GArray *marks, const Matrix *matrix, guint at)
{
  KymoRect row = { matrix->area.x, matrix->area.y + at * matrix->cell_px,
                   matrix->area.width, matrix->cell_px };
  KymoRect column = { matrix->area.x + at * matrix->cell_px, matrix->area.y,
                      matrix->cell_px, matrix->area.height };

  g_array_append_val (marks, row);
  g_array_append_val (marks, column);
}

static GArray *
communication_marks (const KymoPicture *picture, const KymoIdSet *locations)
{
  const Matrix *matrix = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (KymoRect));

  if (matrix->known && matrix->terms.row == frame->terms.row)
    for (guint i = 0; i < matrix->n; i++)
      if (kymo_id_set_contains (locations, matrix->ids[i]))
        add_marks (marks, matrix, i);
  return marks;
}

static KymoQuestion *
communication_question (const KymoPlotFrame *frame)
{
  return kymo_traffic_question (frame, "communication");
}

KYMO_DEFINE_PLAIN_LAYOUT (communication, Matrix, matrix_init)

const KymoPlotClass kymo_plot_communication = {
  .id = "communication",
  .title = N_("Communication"),
  .needs = KYMO_CAN_MESSAGES,
  .question = communication_question,
  .lay_out = communication_lay_out,
  .layout_free = g_free,
  .paint = communication_paint,
  .hit = communication_hit,
  .boxes = communication_boxes,
  .marks = communication_marks,
  .inset = { 76, 8 + TOTALS_PX, 152 + TOTALS_PX, 48 },
};
