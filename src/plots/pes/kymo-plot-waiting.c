/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who waited for whom, in one picture: how much waiting there is, the functions that
 * wait most and the rows that wait, or are waited for, most. A line's bar is its
 * waiting by pattern, on a scale of its table.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-hues.h"
#include "kymo-ledger.h"
#include "kymo-legend.h"
#include "kymo-plot-terms.h"
#include "kymo-row-bars.h"
#include "kymo-text.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_waiting;

#define ROW_PX 22
#define HEAD_PX 44
#define GAP_PX 16
#define MOST_LINES 15
#define N_COLUMNS 4

/** Part: one of the two tables
 * @lines: rows of @list, the most first
 * @most_ns: the longest bar
 */
typedef struct
{
  KymoLedger  ledger;
  KymoTable  *list;
  GArray     *lines;
  gint64      most_ns;
  const char *titles[N_COLUMNS + 1];
} Part;

typedef struct
{
  const KymoTable *answer;
  KymoTable       *kinds;
  guint            n_kinds;
  KymoRect         area;
  Part             functions, rows;
  gboolean         known;            /* FALSE: nothing can be painted */
} Picture;

/* -- what is shown ---------------------------------------------------------- */

static void
part_init (Part *part, KymoTable *list)
{
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0;

  part->list = list;
  part->lines = g_array_new (FALSE, FALSE, sizeof (KymoRanked));
  for (guint i = 0; i < n; i++)
    {
      gint64 ns = kymo_table_get_int (list, "ns", i);
      KymoRanked one = { i, MAX (ns, kymo_table_get_int (list, "caused_ns", i)) };

      part->most_ns = MAX (part->most_ns, ns);
      if (one.ns > 0)
        g_array_append_val (part->lines, one);
    }
  kymo_ranked_sort (part->lines);
}

static double
part_height (const Part *part)
{
  return KYMO_LEDGER_HEAD_PX + 2 + MIN (part->lines->len, MOST_LINES) * ROW_PX;
}

/* Each has what it needs, or half of the room; never more than it can fill, or lines beyond
   the most would be counted as shown. */
static void
place_parts (Picture *p, const KymoPlotFrame *frame)
{
  KymoPlotFrame still = *frame;
  KymoRect top = p->area, bottom = p->area;
  double room = MAX (p->area.height - HEAD_PX - GAP_PX, 0);
  double need = part_height (&p->functions), other = part_height (&p->rows);

  still.scroll_px = 0;
  if (need + other > room)
    need = MAX (MIN (need, room / 2), room - other);
  top.y += HEAD_PX;
  top.height = need;
  bottom.y = top.y + need + GAP_PX;
  bottom.height = CLAMP (room - need, 0, other);
  kymo_ledger_init (&p->functions.ledger, &still, top, ROW_PX, p->functions.lines->len,
                    p->functions.titles, TRUE);
  kymo_ledger_init (&p->rows.ledger, &still, bottom, ROW_PX, p->rows.lines->len,
                    p->rows.titles, TRUE);
}

/* FALSE where there was no wait. */
static gboolean
waiting_init (Picture *p, const KymoTable *answer, const KymoPlotFrame *frame)
{
  *p = (Picture) { .answer = answer,
                   .kinds = kymo_table_peek_nested (answer, "kinds", NULL),
                   .area = kymo_plot_frame_area (&kymo_plot_waiting, frame),
                   .functions.titles = { _("Wait"), _("Share"), _("Times"), _("Longest") },
                   .rows.titles = { _("Wait"), _("Share"), _("Times"), _("Wait caused") } };
  p->n_kinds = p->kinds != NULL ? kymo_table_get_n_rows (p->kinds) : 0;
  part_init (&p->functions, kymo_table_peek_nested (answer, "functions", NULL));
  part_init (&p->rows, kymo_table_peek_nested (answer, "locations", NULL));
  place_parts (p, frame);
  return p->functions.lines->len > 0;
}

static void
waiting_clear (Picture *p)
{
  g_array_unref (p->functions.lines);
  g_array_unref (p->rows.lines);
}

/* -- painting --------------------------------------------------------------- */

static const char *
kind_name (const Picture *p, guint kind)
{
  return kymo_table_get_string (p->kinds, "name", kind);
}

static GArray *
list_legend (const Picture *p, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double all_ns = MAX (kymo_table_get_int (p->answer, "total_ns", 0), 1);

  for (guint i = 0; i < p->n_kinds; i++)
    {
      gint64 ns = kymo_table_get_int (p->kinds, "ns", i);
      KymoLegendItem item = { .name = kind_name (p, i), .kind = KYMO_KIND_ENTRY,
                              .color = kymo_hue (KYMO_PALETTE_STANDARD, i, frame->look),
                              .share = ns / all_ns };

      if (ns > 0)
        g_array_append_val (items, item);
    }
  return items;
}

static void
paint_bar (cairo_t *cr, const Picture *p, const Part *part, const KymoPlotFrame *frame,
           guint line)
{
  KymoRect bar = kymo_ledger_bar (&part->ledger, line);
  guint row = g_array_index (part->lines, KymoRanked, line).row, width = 0;
  const gint64 *ns = kymo_table_peek_ints (part->list, "kind_ns", &width);
  double sum_ns = 0;

  if (bar.width < 1 || ns == NULL || width != p->n_kinds || part->most_ns <= 0)
    return;
  for (guint k = 0; k < p->n_kinds; k++)
    {
      gint64 part_ns = ns[(gsize) row * p->n_kinds + k];
      double x0 = bar.x + round (sum_ns / part->most_ns * bar.width);
      double x1 = bar.x + round ((sum_ns + part_ns) / part->most_ns * bar.width);

      sum_ns += part_ns;
      if (x1 <= x0)
        continue;
      kymo_set_source (cr, kymo_hue (KYMO_PALETTE_STANDARD, k, frame->look));
      cairo_rectangle (cr, x0, bar.y, x1 - x0, bar.height);
      cairo_fill (cr);
    }
}

static const char *
name_of (const Part *part, gboolean is_rows, guint row)
{
  return is_rows ? kymo_table_peek_label (part->list, "label", row)
                 : kymo_table_get_string (part->list, "name", row);
}

static void
paint_part (cairo_t *cr, const Picture *p, const Part *part, const KymoPlotFrame *frame,
            gboolean is_rows)
{
  double all_ns = MAX (kymo_table_get_int (p->answer, "total_ns", 0), 1);

  for (guint i = 0; i < part->ledger.shown; i++)
    {
      guint row = g_array_index (part->lines, KymoRanked, i).row;
      gint64 ns = kymo_table_get_int (part->list, "ns", row);
      double share = is_rows ? kymo_table_get_double (part->list, "share", row) : ns / all_ns;
      g_auto (GStrv) strings = g_new0 (char *, N_COLUMNS + 1);

      strings[0] = kymo_format_duration (ns);
      strings[1] = kymo_format_percent (share);
      strings[2] = kymo_format_count (kymo_table_get_int (part->list, "count", row));
      strings[3] = kymo_format_duration (kymo_table_get_int (part->list, is_rows ? "caused_ns"
                                                             : "max_ns", row));
      paint_bar (cr, p, part, frame, i);
      kymo_ledger_line (cr, &part->ledger, frame, i, 0,
                        name_of (part, is_rows, row), NULL, strings);
    }
}

/* How much of the time it is, and what the figures rest on. */
static void
paint_summary (cairo_t *cr, const Picture *p, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle bold = { KYMO_TEXT_NORMAL, TRUE, 0, p->area.width };
  KymoTextStyle small = { KYMO_TEXT_SMALL, FALSE, 0, p->area.width };
  g_autofree char *time = kymo_format_duration (kymo_table_get_int (p->answer, "total_ns", 0));
  g_autofree char *share
    = kymo_format_percent (kymo_table_get_double (p->answer, "share", 0));
  /* A duration, and a share: "12 %". */
  g_autofree char *words = g_strdup_printf (_("Waited for others: %s, %s of the time"), time,
                                            share);

  kymo_text_draw (cr, words, p->area.x, p->area.y + 10, bold, theme->foreground);
  if (kymo_table_get_int (p->answer, "collectives_may_be_several", 0) > 0)
    kymo_text_draw (cr, _("Collective operations were matched by name and time, without "
                          "communicators: some may be several operations"), p->area.x,
                    p->area.y + 28, small, theme->secondary);
  else if (kymo_table_get_bool (p->answer, "collectives_inferred", 0))
    kymo_text_draw (cr, _("Collective operations were matched by name and time"), p->area.x,
                    p->area.y + 28, small, theme->secondary);
}

static void
waiting_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Picture *p = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = list_legend (p, frame);

  kymo_decor_paint (cr, &kymo_plot_waiting, frame, items);
  if (!p->known)
    kymo_paint_empty (cr, frame, p->area, _("Nobody waited for anybody here"));
  else
    {
      paint_summary (cr, p, frame);
      kymo_ledger_head (cr, &p->functions.ledger, frame, kymo_word_code (frame->terms, FALSE, TRUE),
                        _("By kind"));
      paint_part (cr, p, &p->functions, frame, FALSE);
      kymo_ledger_more (cr, &p->functions.ledger, frame,
                        p->functions.lines->len - p->functions.ledger.shown);
      kymo_ledger_head (cr, &p->rows.ledger, frame, kymo_word_row (frame->terms, FALSE, TRUE),
                        _("By kind"));
      paint_part (cr, p, &p->rows, frame, TRUE);
      kymo_ledger_more (cr, &p->rows.ledger, frame, p->rows.lines->len - p->rows.ledger.shown);
    }
}

/* -- what lies under a point ------------------------------------------------ */

static void
describe_waiting (const Picture *p, const Part *part, guint line, gboolean is_rows,
                  KymoPlotHit *hit)
{
  guint row = g_array_index (part->lines, KymoRanked, line).row, width = 0;
  const gint64 *ns = kymo_table_peek_ints (part->list, "kind_ns", &width);
  const char *name = name_of (part, is_rows, row);
  GString *text = g_string_new (name);

  for (guint k = 0; ns != NULL && width == p->n_kinds && k < width; k++)
    if (ns[(gsize) row * p->n_kinds + k] > 0)
      {
        g_autofree char *time = kymo_format_duration (ns[(gsize) row * p->n_kinds + k]);

        g_string_append_printf (text, "\n%s: %s", kind_name (p, k), time);
      }
  hit->rect = kymo_ledger_rect (&part->ledger, line);
  hit->text = g_string_free (text, FALSE);
  if (is_rows)
    hit->location = kymo_table_get_int (part->list, "location", row);
  else
    hit->name = g_strdup (name);
}

static gboolean
waiting_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Picture *p = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (p->known)
    for (guint i = 0; i < 2 && !found; i++)
      {
        const Part *part = i == 0 ? &p->functions : &p->rows;
        guint line = kymo_ledger_at (&part->ledger, x, y);

        found = line < part->ledger.shown;
        if (found)
          describe_waiting (p, part, line, i == 1, hit);
      }
  return found;
}

static GArray *
waiting_boxes (const KymoPicture *picture)
{
  const Picture *p = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (p->known)
    for (guint i = 0; i < 2; i++)
      {
        const Part *part = i == 0 ? &p->functions : &p->rows;

        for (guint line = 0; line < part->ledger.shown; line++)
          {
            guint row = g_array_index (part->lines, KymoRanked, line).row;
            KymoPlotBox box = { .row = row, .part = i, .told = TRUE, .of_location = i == 1,
                                .rect = kymo_ledger_rect (&part->ledger, line), .location = -1 };

            if (i == 0)
              box.name = kymo_table_get_string (part->list, "name", row);
            else
              box.location = kymo_table_get_int (part->list, "location", row);
            g_array_append_val (boxes, box);
          }
      }
  return boxes;
}

static double
waiting_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  Picture p;
  double height;

  waiting_init (&p, answer, frame);
  height = frame->height_px - p.area.height + HEAD_PX + part_height (&p.functions) + GAP_PX
           + part_height (&p.rows);
  waiting_clear (&p);
  return height;
}

static KymoQuestion *
waiting_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "waiting");

  kymo_question_set_int (question, "limit", 0);
  return question;
}

KYMO_DEFINE_LAYOUT (waiting, Picture, waiting_init, waiting_clear)

const KymoPlotClass kymo_plot_waiting = {
  .id = "waiting",
  .title = N_("Waiting"),
  .needs = KYMO_CAN_WAITS,
  .question = waiting_question,
  .lay_out = waiting_lay_out,
  .layout_free = waiting_layout_free,
  .paint = waiting_paint,
  .hit = waiting_hit,
  .boxes = waiting_boxes,
  .natural_height = waiting_natural_height,
  .inset = { 16, 4, 20, 8 },
  .has_legend = TRUE,
};
