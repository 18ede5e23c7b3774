/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communication: who sent how much to whom. Senders are rows, receivers are
 * columns; the colour is the logarithm of bytes or messages. Bars at the edges are the totals
 * of rows and columns.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-matrix.h"
#include "kymo-plot-terms.h"
#include "kymo-table-made.h"
#include "kymo-text.h"
#include "kymo-theme.h"
#include "kymo-traffic-words.h"
#include "kymo-units.h"

/* Between the lines of a note. */
#define NOTE_PX 15

extern const KymoPlotClass kymo_plot_communication;

static char *
dup_bytes (double amount)
{
  return kymo_traffic_amount (FALSE, amount);
}

static char *
dup_messages (double amount)
{
  return kymo_traffic_amount (TRUE, amount);
}

/* Of no pairs where there is nothing to show. */
static gpointer
make_matrix (gconstpointer data, GError **error)
{
  const KymoTable *answer = data;
  KymoTable *table = kymo_table_peek_nested (answer, "matrix", NULL);
  gboolean by_messages = kymo_traffic_by_messages (answer);
  const gint64 *from = table != NULL ? kymo_table_peek_ints (table, "from", NULL) : NULL;
  const gint64 *to = table != NULL ? kymo_table_peek_ints (table, "to", NULL) : NULL;
  const gint64 *values = table == NULL ? NULL
    : kymo_table_peek_ints (table, by_messages ? "messages" : "bytes", NULL);
  gboolean known = from != NULL && to != NULL && values != NULL;

  return kymo_matrix_new (from, to, values, known ? kymo_table_get_n_rows (table) : 0,
                          kymo_table_get_int (answer, "locations", 0),
                          kymo_table_get_int (answer, "group_size", 0),
                          by_messages ? dup_messages : dup_bytes);
}

/* What it points to belongs to the answer. */
static gboolean
matrix_init (KymoMatrix *matrix, const KymoTable *answer, const KymoPlotFrame *frame)
{
  const KymoMatrix *made = kymo_table_peek_made (answer, make_matrix, kymo_matrix_free);

  *matrix = *made;
  return kymo_matrix_place (matrix, kymo_plot_frame_area (&kymo_plot_communication, frame));
}

/* Rows may be ranks where locations are threads. */
static KymoTerms
terms_of (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTerms terms = frame->terms;

  if (g_strcmp0 (kymo_table_get_string (answer, "row_term", 0), "rank") == 0)
    terms.row = KYMO_ROW_RANK;
  return terms;
}

static gboolean
is_of_locations (const KymoPicture *picture)
{
  return terms_of (picture->answer, &picture->frame).row == picture->frame.terms.row;
}

/* -- painting ------------------------------------------------------------- */

/* One sentence, which a translation breaks into lines where it likes. Returns their height. */
static double
paint_note (cairo_t *cr, const KymoPlotFrame *frame, double x, double y, const char *sentence)
{
  KymoRgba color = kymo_theme_get (frame->look)->secondary;
  g_auto (GStrv) lines = g_strsplit (sentence, "\n", -1);
  KymoTextStyle note = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  guint n = 0;

  for (; lines[n] != NULL; n++)
    kymo_text_draw (cr, lines[n], x, y + NOTE_PX * n, note, color);
  return NOTE_PX * n;
}

/* "of 5,000" stands below what is shown, then by what. Returns the height of these lines. */
static double
paint_left_out (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame, double x,
                double y)
{
  g_auto (GStrv) filters = kymo_traffic_list_filters (answer);
  g_autofree char *all = kymo_format_count (
    kymo_table_get_int (answer, "messages", 0)
    + kymo_table_get_int (answer, "left_out_messages", 0));
  g_autofree char *of = g_strdup_printf (_("of %s messages"), all);

  if (filters == NULL)
    return 0;
  paint_note (cr, frame, x, y, of);
  for (guint i = 0; filters[i] != NULL; i++)
    paint_note (cr, frame, x, y + NOTE_PX * (i + 1), filters[i]);
  return 25 + NOTE_PX * g_strv_length (filters);
}

/* Beside the matrix there is no room for a sentence in one line. Returns its height. */
static double
paint_unmatched (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame, double x,
                 double y)
{
  gint64 n = kymo_table_get_int (answer, "unmatched", 0);
  g_autofree char *count = kymo_format_count (n);
  /* Translators: messages; lines of at most 22 letters. */
  g_autofree char *words = g_strdup_printf (_("%s without a\nrecord of creation"), count);

  return n > 0 ? paint_note (cr, frame, x, y, words) + 10 : 0;
}

static void
paint_sums (cairo_t *cr, const KymoMatrix *matrix, const KymoTable *answer,
            const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_NORMAL - 0.5, FALSE, 0, 0 };
  g_autofree char *count = kymo_words_messages (kymo_table_get_int (answer, "messages", 0));
  g_autofree char *bytes = kymo_format_bytes (
    kymo_table_get_int (answer, "bytes", 0));
  double x = matrix->area.x + matrix->area.width + 28 + KYMO_MATRIX_TOTALS_PX;
  double y = matrix->area.y + MIN (matrix->area.height, 220) + 24;

  kymo_text_draw (cr, count, x, y, style, theme->foreground);
  kymo_text_draw (cr, bytes, x, y + 19, style, theme->foreground);
  y += paint_left_out (cr, answer, frame, x, y + 42);
  y += paint_unmatched (cr, answer, frame, x, y + 42);
  if (kymo_table_get_bool (answer, "joined", 0)
      && kymo_table_get_int (answer, "communication_threads", 0) > 0)
    paint_note (cr, frame, x, y + 44, _("communication\nthreads joined"));
  if (kymo_table_get_bool (answer, "extrapolated", 0))
    {
      g_autofree char *pes = kymo_words_rows (
        frame->terms, llround (kymo_table_get_double (answer, "stands_for", 0)));
      /* Translators: “1,024 PEs”; lines of at most 22 letters. */
      g_autofree char *words = g_strdup_printf (_("extrapolated\nto %s"), pes);

      /* Beside the matrix, whose corner has cells. */
      paint_note (cr, frame, x, y + 80, words);
    }
}

static void
communication_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoMatrix *matrix = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  KymoTerms terms = terms_of (answer, frame);

  kymo_decor_paint (cr, &kymo_plot_communication, frame, NULL);
  if (!matrix->known)
    {
      kymo_traffic_paint_empty (cr, answer, frame, matrix->area);
      return;
    }
  kymo_matrix_paint (cr, matrix, frame, kymo_in_terms (terms, _("from {row}")),
                     kymo_in_terms (terms, _("to {row}")));
  paint_sums (cr, matrix, answer, frame);
}

static void
describe_pair (const KymoPicture *picture, guint column, guint row, KymoPlotHit *hit)
{
  const KymoMatrix *matrix = picture->layout;
  KymoTable *table = kymo_table_peek_nested (picture->answer, "matrix", NULL);
  KymoTerms terms = terms_of (picture->answer, &picture->frame);
  guint pair = kymo_matrix_pair_at (matrix, row, column);
  g_autofree char *from = kymo_matrix_dup_id (matrix, row);
  g_autofree char *to = kymo_matrix_dup_id (matrix, column);
  g_autofree char *sent = matrix->dup_amount (matrix->rows[row]);
  g_autofree char *received = matrix->dup_amount (matrix->columns[column]);
  g_autofree char *both = pair == G_MAXUINT ? g_strdup (_("no messages")) : kymo_traffic_both (
    kymo_table_get_int (table, "messages", pair), kymo_table_get_int (table, "bytes", pair));

  /* Translators: two numbers; messages and bytes; two amounts. */
  hit->text = g_strdup_printf (kymo_in_terms (
    terms, _("from {row} %s to {row} %s\n%s\nof %s in the row and %s in the column")), from, to,
    both, sent, received);
}

static gboolean
communication_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoMatrix *matrix = picture->layout;
  guint row, column;

  kymo_hit_init (hit);
  if (!kymo_matrix_at (matrix, x, y, &row, &column, &hit->rect))
    return FALSE;
  if (is_of_locations (picture))
    hit->location = matrix->ids[row];
  describe_pair (picture, column, row, hit);
  return TRUE;
}

static GArray *
communication_boxes (const KymoPicture *picture)
{
  return kymo_matrix_boxes (picture->layout, is_of_locations (picture));
}

static GArray *
communication_marks (const KymoPicture *picture, const KymoIdSet *locations)
{
  return is_of_locations (picture) ? kymo_matrix_marks (picture->layout, locations)
                                   : g_array_new (FALSE, FALSE, sizeof (KymoRect));
}

static KymoQuestion *
communication_question (const KymoPlotFrame *frame)
{
  return kymo_traffic_question (frame, "communication");
}

KYMO_DEFINE_PLAIN_LAYOUT (communication, KymoMatrix, matrix_init)

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
  .inset = { 76, 8 + KYMO_MATRIX_TOTALS_PX, 152 + KYMO_MATRIX_TOTALS_PX, 48 },
};
