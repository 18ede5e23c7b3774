/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations as a picture of a table: for each function how long others waited in it,
 * how often it ran and the longest waiting in one. A line's bar is its waiting.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-ledger.h"
#include "kymo-legend.h"
#include "kymo-plot-terms.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_collectives;

#define ROW_PX 22
#define N_COLUMNS 3

typedef struct
{
  KymoLedger  ledger;
  KymoTable  *names;
  gint64      most_ns;               /* the longest bar */
  const char *titles[N_COLUMNS + 1];
  gboolean    known;                 /* FALSE: nothing can be painted */
} Picture;

static gboolean
collectives_init (Picture *p, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_collectives, frame);
  guint n;

  *p = (Picture) { .names = kymo_table_peek_nested (answer, "names", NULL),
                   .titles = { _("Wait"), _("Times"), _("Longest") } };
  n = p->names != NULL ? kymo_table_get_n_rows (p->names) : 0;
  for (guint i = 0; i < n; i++)
    p->most_ns = MAX (p->most_ns, kymo_table_get_int (p->names, "wait_ns", i));
  kymo_ledger_init (&p->ledger, frame, area, ROW_PX, n, p->titles, TRUE);
  return n > 0;
}

static void
paint_collective (cairo_t *cr, const Picture *p, const KymoPlotFrame *frame, guint line)
{
  const char *name = kymo_table_get_string (p->names, "name", line);
  gint64 wait_ns = kymo_table_get_int (p->names, "wait_ns", line);
  KymoRect bar = kymo_ledger_bar (&p->ledger, line);
  g_auto (GStrv) strings = g_new0 (char *, N_COLUMNS + 1);

  strings[0] = kymo_format_duration (wait_ns);
  strings[1] = kymo_format_count (kymo_table_get_int (p->names, "count", line));
  strings[2] = kymo_format_duration (kymo_table_get_int (p->names, "max_wait_ns", line));
  bar.width *= (double) wait_ns / MAX (p->most_ns, 1);
  kymo_fill_activity (cr, frame, name, KYMO_KIND_ENTRY, bar);
  kymo_ledger_line (cr, &p->ledger, frame, line, 0, name, NULL, strings);
}

static void
collectives_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Picture *p = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_collectives, frame, NULL);
  if (!p->known)
    {
      kymo_paint_empty (cr, frame, p->ledger.area, _("No collective operation in this range"));
      return;
    }
  kymo_ledger_head (cr, &p->ledger, frame, kymo_word_code (frame->terms, FALSE, TRUE),
                    _("Wait"));
  for (guint i = 0; i < p->ledger.shown; i++)
    paint_collective (cr, p, frame, p->ledger.first + i);
  kymo_ledger_more (cr, &p->ledger, frame,
                    p->ledger.n_lines - p->ledger.first - p->ledger.shown);
}

static gboolean
collectives_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Picture *p = picture->layout;
  guint line;

  kymo_hit_init (hit);
  line = p->known ? kymo_ledger_at (&p->ledger, x, y) : G_MAXUINT;
  if (line == G_MAXUINT)
    return FALSE;
  hit->name = g_strdup (kymo_table_get_string (p->names, "name", line));
  hit->rect = kymo_ledger_rect (&p->ledger, line);
  hit->text = g_strdup (hit->name);
  return TRUE;
}

static double
collectives_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *names = kymo_table_peek_nested (answer, "names", NULL);

  return kymo_ledger_height (names != NULL ? kymo_table_get_n_rows (names) : 0, ROW_PX,
                             &kymo_plot_collectives, frame);
}

static KymoQuestion *
collectives_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "collectives");
}

KYMO_DEFINE_PLAIN_LAYOUT (collectives, Picture, collectives_init)

const KymoPlotClass kymo_plot_collectives = {
  .id = "collectives",
  .title = N_("Collectives"),
  .needs = KYMO_CAN_INTERVALS | KYMO_CAN_WAITS,
  .question = collectives_question,
  .lay_out = collectives_lay_out,
  .layout_free = g_free,
  .paint = collectives_paint,
  .hit = collectives_hit,
  .natural_height = collectives_natural_height,
  .inset = { 16, 4, 20, 8 },
};
