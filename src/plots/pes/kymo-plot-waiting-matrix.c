/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who waited for whom: rows waited, columns were late.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-matrix.h"
#include "kymo-table-made.h"
#include "kymo-text.h"
#include "kymo-theme.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_waiting_matrix;

static char *
dup_time (double ns)
{
  return kymo_format_duration (llround (MIN (ns, 9e18)));
}

/* Of no pairs where there is nothing to show. */
static gpointer
make_waiting_matrix (gconstpointer data, GError **error)
{
  const KymoTable *answer = data;
  KymoTable *table = kymo_table_peek_nested (answer, "matrix", NULL);
  const gint64 *waited = table != NULL ? kymo_table_peek_ints (table, "location", NULL) : NULL;
  const gint64 *late = table != NULL ? kymo_table_peek_ints (table, "by", NULL) : NULL;
  const gint64 *ns = table != NULL ? kymo_table_peek_ints (table, "ns", NULL) : NULL;
  gboolean known = waited != NULL && late != NULL && ns != NULL;

  return kymo_matrix_new (waited, late, ns, known ? kymo_table_get_n_rows (table) : 0,
                          kymo_table_get_int (answer, "all_locations", 0),
                          kymo_table_get_int (answer, "group_size", 0), dup_time);
}

/* What it points to belongs to the answer. */
static gboolean
waiting_matrix_init (KymoMatrix *matrix, const KymoTable *answer, const KymoPlotFrame *frame)
{
  const KymoMatrix *made = kymo_table_peek_made (answer, make_waiting_matrix, kymo_matrix_free);

  *matrix = *made;
  return kymo_matrix_place (matrix, kymo_plot_frame_area (&kymo_plot_waiting_matrix, frame));
}

static void
paint_total (cairo_t *cr, const KymoMatrix *matrix, const KymoTable *answer,
             const KymoPlotFrame *frame)
{
  g_autofree char *time = kymo_format_duration (kymo_table_get_int (answer, "total_ns", 0));
  g_autofree char *words = g_strdup_printf (_("%s in total"), time);

  kymo_text_draw (cr, words, matrix->area.x + matrix->area.width + 28 + KYMO_MATRIX_TOTALS_PX,
                  matrix->area.y + MIN (matrix->area.height, 220) + 24,
                  (KymoTextStyle) { KYMO_TEXT_NORMAL - 0.5, FALSE, 0, 0 },
                  kymo_theme_get (frame->look)->foreground);
}

static void
waiting_matrix_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoMatrix *matrix = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_waiting_matrix, frame, NULL);
  if (!matrix->known)
    {
      kymo_paint_empty (cr, frame, matrix->area, _("Nobody waited for anybody in this range"));
      return;
    }
  /* Translators: what the rows and the columns of the grid are. */
  kymo_matrix_paint (cr, matrix, frame, kymo_in_terms (frame->terms, _("{row} waits")),
                     kymo_in_terms (frame->terms, _("late {row}")));
  paint_total (cr, matrix, picture->answer, frame);
}

/* Who waited for whom, how long and how often, and of how much for both of them. */
static void
describe_waiting_pair (const KymoPicture *picture, guint row, guint column, KymoPlotHit *hit)
{
  const KymoMatrix *matrix = picture->layout;
  KymoTable *table = kymo_table_peek_nested (picture->answer, "matrix", NULL);
  guint pair = kymo_matrix_pair_at (matrix, row, column);
  gint64 n = pair == G_MAXUINT ? 0 : kymo_table_get_int (table, "count", pair);
  g_autofree char *waited = kymo_matrix_dup_id (matrix, row);
  g_autofree char *late = kymo_matrix_dup_id (matrix, column);
  g_autofree char *count = kymo_format_count (n);
  g_autofree char *time = kymo_format_duration (
    pair == G_MAXUINT ? 0 : kymo_table_get_int (table, "ns", pair));
  g_autofree char *all = dup_time (matrix->rows[row]);
  g_autofree char *caused = dup_time (matrix->columns[column]);

  /* Translators: two numbers; a duration and how often; two durations. */
  hit->text = g_strdup_printf (kymo_in_terms (picture->frame.terms, g_dngettext (
    GETTEXT_PACKAGE, "{Row} %s waited for {row} %s\n%s, %s time\nof %s that it waited and %s that "
    "others waited for the late {row}", "{Row} %s waited for {row} %s\n%s, %s times\nof %s that it "
    "waited and %s that others waited for the late {row}", n)), waited, late, time, count, all,
    caused);
}

static gboolean
waiting_matrix_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoMatrix *matrix = picture->layout;
  guint row, column;

  kymo_hit_init (hit);
  if (!kymo_matrix_at (matrix, x, y, &row, &column, &hit->rect))
    return FALSE;
  hit->location = matrix->ids[row];
  describe_waiting_pair (picture, row, column, hit);
  return TRUE;
}

static GArray *
waiting_matrix_boxes (const KymoPicture *picture)
{
  return kymo_matrix_boxes (picture->layout, TRUE);
}

static GArray *
waiting_matrix_marks (const KymoPicture *picture, const KymoIdSet *locations)
{
  return kymo_matrix_marks (picture->layout, locations);
}

static KymoQuestion *
waiting_matrix_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "waiting");

  kymo_question_set_int (question, "limit", 0);
  return question;
}

KYMO_DEFINE_PLAIN_LAYOUT (waiting_matrix, KymoMatrix, waiting_matrix_init)

const KymoPlotClass kymo_plot_waiting_matrix = {
  .id = "waiting-matrix",
  .title = N_("Who waited for whom"),
  .needs = KYMO_CAN_WAITS,
  .question = waiting_matrix_question,
  .lay_out = waiting_matrix_lay_out,
  .layout_free = g_free,
  .paint = waiting_matrix_paint,
  .hit = waiting_matrix_hit,
  .boxes = waiting_matrix_boxes,
  .marks = waiting_matrix_marks,
  .inset = { 76, 8 + KYMO_MATRIX_TOTALS_PX, 152 + KYMO_MATRIX_TOTALS_PX, 48 },
};
