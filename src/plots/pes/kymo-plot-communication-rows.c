/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communication by location: a row each with two bars, what it sent and what it received,
 * the latter by how far it came. Where there are more than find room several share a row,
 * which has their sum.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-legend.h"
#include "kymo-plot-terms.h"
#include "kymo-row-bars.h"
#include "kymo-traffic-words.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_communication_rows;

#define LEAST_ROW_PX 12
#define TEXT_ROW_PX 14
#define FIGURE_PX 62
#define N_DISTANCES 5

static const char *const distances[N_DISTANCES] = {
  "self", "process", "node", "others", "unknown",
};

typedef struct
{
  KymoRect      sent, received;
  KymoTable    *table;
  KymoRowBars   bars;
  gboolean      by_messages;
  double        max;
  gboolean      known;               /* FALSE: nothing can be painted */
} Rows;

static void
rows_clear (Rows *rows)
{
  kymo_row_bars_clear (&rows->bars);
}

static double
value_of (const Rows *rows, const char *what, guint row)
{
  g_autofree char *key = g_strconcat (what, rows->by_messages ? "_messages" : "_bytes", NULL);

  return kymo_table_get_int (rows->table, key, row);
}

/* Both sides have one scale: they are compared. */
static gboolean
rows_init (Rows *rows, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_communication_rows, frame);
  double half = floor ((area.width - 16) / 2);

  *rows = (Rows) { .sent = area, .received = area };
  rows->sent.width = rows->received.width = MAX (half, 1);
  rows->received.x = area.x + area.width - rows->received.width;
  rows->table = kymo_table_peek_nested (answer, "rows", NULL);
  rows->by_messages = kymo_traffic_by_messages (answer);
  if (!kymo_row_bars_init (&rows->bars, rows->table, area, frame))
    return FALSE;
  for (guint i = 0; i < rows->bars.n_rows; i++)
    rows->max = MAX (rows->max, MAX (value_of (rows, "sent", i), value_of (rows, "received", i)));
  return rows->max > 0;
}

static const char *
distance_words (const KymoTable *answer, guint distance)
{
  switch (distance)
    {
    case 0:
      return _("from itself");
    case 1:
      return _("from its process");
    case 2:
      return _("from its node");
    case 3:
      return kymo_table_get_bool (answer, "knows_nodes", 0) ? _("from other nodes")
             : kymo_table_get_bool (answer, "knows_processes", 0) ? _("from other processes")
             : _("from others");
    default:
      return _("from senders outside of the run");
    }
}

/* The nearer the fainter: what goes far is what costs. */
static KymoRgba
distance_color (const KymoPlotFrame *frame, guint distance)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  static const double faint[N_DISTANCES] = { 0.78, 0.55, 0.32, 0, 0.5 };

  return kymo_rgba_mix (distance == 4 ? theme->secondary : theme->accent, theme->canvas,
                        faint[distance]);
}

static void
fill_communication_rows (cairo_t *cr, KymoRgba color, double x, double width, KymoRect bar)
{
  if (width <= 0)
    return;
  kymo_set_source (cr, color);
  cairo_rectangle (cr, x, bar.y, width, bar.height);
  cairo_fill (cr);
}

/* The figure behind its bar. */
static void
paint_figure (cairo_t *cr, const Rows *rows, const KymoPlotFrame *frame, double value, double end,
              KymoRect bar)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree char *text = kymo_traffic_amount (rows->by_messages, value);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, FIGURE_PX - 8 };

  if (bar.height >= TEXT_ROW_PX - 4)
    kymo_text_draw (cr, text, end + 6, bar.y + bar.height / 2, style, theme->secondary);
}

static void
paint_row (cairo_t *cr, const Rows *rows, const KymoPlotFrame *frame, guint row)
{
  KymoRect bar = kymo_row_bars_bar (&rows->bars, row);
  double room = MAX (rows->sent.width - FIGURE_PX, 1), x = rows->received.x;
  double sent = value_of (rows, "sent", row), received = value_of (rows, "received", row);

  fill_communication_rows (cr, distance_color (frame, 3), rows->sent.x, sent / rows->max * room,
                           bar);
  paint_figure (cr, rows, frame, sent, rows->sent.x + sent / rows->max * room, bar);
  for (guint d = N_DISTANCES; d-- > 0;)
    {
      double width = value_of (rows, distances[d], row) / rows->max * room;

      fill_communication_rows (cr, distance_color (frame, d), x, width, bar);
      x += MAX (width, 0);
    }
  paint_figure (cr, rows, frame, received, x, bar);
}

static void
paint_key (cairo_t *cr, const Rows *rows, const KymoTable *answer, const KymoPlotFrame *frame,
           double y)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  double x = rows->received.x;

  for (guint d = 0; d < N_DISTANCES; d++)
    {
      g_autofree char *key = g_strconcat (distances[d], "_messages", NULL);
      const char *words = distance_words (answer, d);
      double sum = 0;

      for (guint i = 0; i < rows->bars.n_rows; i++)
        sum += kymo_table_get_int (rows->table, key, i);
      if (!(sum > 0))
        continue;
      fill_communication_rows (cr, distance_color (frame, d), x, 10,
                               (KymoRect) { x, y - 5, 10, 10 });
      kymo_text_draw (cr, words, x + 14, y, style, theme->secondary);
      x += 14 + kymo_text_width (cr, words, style) + 14;
    }
}

static void
paint_heads (cairo_t *cr, const Rows *rows, const KymoTable *answer, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, TRUE, 0, rows->sent.width - 8 };
  g_autofree char *sent = kymo_traffic_dup_sums (answer, TRUE);
  g_autofree char *received = kymo_traffic_dup_sums (answer, FALSE);
  g_autofree char *unmatched = kymo_traffic_dup_unmatched (answer);
  g_autofree char *left = g_strdup_printf (_("Sent: %s"), sent);
  g_autofree char *right = g_strdup_printf (_("Received: %s"), received);
  g_autofree char *more = unmatched != NULL ? g_strconcat (right, "; ", unmatched, NULL)
                          : g_strdup (right);
  double y = rows->sent.y - 30;

  kymo_text_draw (cr, left, rows->sent.x, y, style, theme->foreground);
  kymo_text_draw (cr, more, rows->received.x, y, style, theme->foreground);
  paint_key (cr, rows, answer, frame, rows->sent.y - 12);
}

static void
communication_rows_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Rows *rows = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_communication_rows, frame, NULL);
  if (!rows->known)
    {
      kymo_traffic_paint_empty (cr, answer, frame,
                                kymo_plot_frame_area (&kymo_plot_communication_rows, frame));
      return;
    }
  kymo_row_bars_paint (cr, &rows->bars, frame);
  for (guint i = 0; i < rows->bars.n_rows; i++)
    paint_row (cr, rows, frame, i);
  paint_heads (cr, rows, answer, frame);
}

static char *
describe_communication_rows (const Rows *rows, const KymoTable *answer, guint row)
{
  GString *text = g_string_new (NULL);
  g_autofree char *label = kymo_row_bars_label (&rows->bars, row);
  g_autofree char *sent = kymo_traffic_both (
    kymo_table_get_int (rows->table, "sent_messages", row),
    kymo_table_get_int (rows->table, "sent_bytes", row));
  g_autofree char *received = kymo_traffic_both (
    kymo_table_get_int (rows->table, "received_messages", row),
    kymo_table_get_int (rows->table, "received_bytes", row));
  gint64 unmatched = kymo_table_get_int (rows->table, "unmatched", row);

  g_string_append_printf (text, _("%s\nsent %s\nreceived %s"), label, sent, received);
  for (guint d = 0; d < N_DISTANCES; d++)
    {
      g_autofree char *messages = g_strconcat (distances[d], "_messages", NULL);
      g_autofree char *bytes = g_strconcat (distances[d], "_bytes", NULL);
      gint64 n = kymo_table_get_int (rows->table, messages, row);
      g_autofree char *both = kymo_traffic_both (n, kymo_table_get_int (rows->table, bytes, row));

      if (n > 0)
        g_string_append_printf (text, "\n  %s: %s", distance_words (answer, d), both);
    }
  if (unmatched > 0)
    {
      g_autofree char *count = kymo_format_count (unmatched);

      g_string_append_printf (text, ngettext ("\n%s without a record of its creation",
                                              "\n%s without a record of their creation",
                                              unmatched), count);
    }
  return g_string_free (text, FALSE);
}

static gboolean
communication_rows_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Rows *rows = picture->layout;
  const KymoTable *answer = picture->answer;
  guint row;

  kymo_hit_init (hit);
  if (!rows->known)
    return FALSE;
  row = kymo_row_bars_at (&rows->bars, y);
  if (row == G_MAXUINT)
    return FALSE;
  hit->location = kymo_table_get_int (rows->table, "location", row);
  hit->rect = kymo_row_bars_rect (&rows->bars, row);
  hit->text = describe_communication_rows (rows, answer, row);
  return TRUE;
}

static GArray *
communication_rows_boxes (const KymoPicture *picture)
{
  const Rows *rows = picture->layout;

  return rows->known ? kymo_row_bars_boxes (&rows->bars)
         : g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));
}

static KymoQuestion *
communication_rows_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_traffic_question (frame, "communication-locations");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_communication_rows, frame);

  kymo_question_set_resolution (question, 0, MAX (area.height / LEAST_ROW_PX, 1));
  return question;
}

KYMO_DEFINE_LAYOUT (communication_rows, Rows, rows_init, rows_clear)

const KymoPlotClass kymo_plot_communication_rows = {
  .id = "communication-locations",
  .title = N_("Communication by location"),
  .needs = KYMO_CAN_MESSAGES,
  .question = communication_rows_question,
  .lay_out = communication_rows_lay_out,
  .layout_free = communication_rows_layout_free,
  .paint = communication_rows_paint,
  .hit = communication_rows_hit,
  .boxes = communication_rows_boxes,
  .inset = { 112, 52, 24, 16 },
};
