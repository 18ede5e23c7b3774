/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-ledger.h.
 */
#include "config.h"

#include "kymo-ledger.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-legend.h"
#include "kymo-text.h"

#define COLUMN_PX 86
#define LEAST_NAME_PX 130
#define LEAST_BAR_PX 60
#define HEAD_PX KYMO_LEDGER_HEAD_PX

/* Names have at least a third, then figures, then the bar what is left. */
static void
place_columns (KymoLedger *ledger, gboolean with_bar)
{
  KymoRect area = ledger->area;
  double name = MAX (LEAST_NAME_PX, area.width * 0.3), left;
  guint n = g_strv_length ((char **) ledger->titles);
  guint room = MAX (1, (area.width - name) / COLUMN_PX);

  ledger->n = MIN (MIN (n, KYMO_LEDGER_MOST), room);
  left = area.width - ledger->n * COLUMN_PX;
  with_bar = with_bar && left - name >= LEAST_BAR_PX + 24;
  name = with_bar ? MIN (MAX (name, left * 0.55), 460) : left - 8;
  ledger->name_end = area.x + MAX (name, 40);
  ledger->bar_x = ledger->name_end + 12;
  ledger->bar_end = with_bar ? area.x + left - 12 : ledger->bar_x;
  for (guint i = 0; i < ledger->n; i++)
    ledger->ends[i] = area.x + area.width - (ledger->n - 1 - i) * COLUMN_PX;
}

/**
 * kymo_ledger_init:
 * @area: px
 * @row_px: height of a line, px
 * @n_lines: lines of the whole table, in sight or not
 * @titles: (array zero-terminated=1): of the columns of figures; have to outlive @ledger
 * @with_bar: whether to place a column of bars where there is room
 *
 * Lays out the table: which columns fit, where they lie, and which lines are in sight at
 * frame->scroll_px. Where lines follow below, keeps a place for kymo_ledger_more(). Allocates
 * nothing.
 */
void
kymo_ledger_init (KymoLedger *ledger, const KymoPlotFrame *frame, KymoRect area,
                   double row_px, guint n_lines, const char *const *titles, gboolean with_bar)
{
  guint room;

  *ledger = (KymoLedger) { .area = area, .row_px = row_px, .titles = titles,
                             .n_lines = n_lines };
  place_columns (ledger, with_bar);
  room = MAX (0, (area.height - HEAD_PX - 2) / row_px);
  ledger->first = MIN (n_lines, (guint) (MAX (frame->scroll_px, 0) / row_px));
  ledger->shown = MIN (room, n_lines - ledger->first);
  /* The last line tells how many there are more. */
  if (ledger->shown > 0 && ledger->first + ledger->shown < n_lines)
    ledger->shown--;
}

/**
 * kymo_ledger_head:
 * @name_title: above the names
 * @bar_title: (nullable): above the bars; not painted where there is no room for bars
 *
 * Paints the titles of the columns and a line below them.
 */
void
kymo_ledger_head (cairo_t *cr, const KymoLedger *ledger, const KymoPlotFrame *frame,
                   const char *name_title, const char *bar_title)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = ledger->area;
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 0, ledger->name_end - area.x };
  KymoTextStyle right = { KYMO_TEXT_SMALL, FALSE, 1, COLUMN_PX - 8 };
  double y = area.y + HEAD_PX / 2.0;

  kymo_text_draw (cr, name_title, area.x, y, left, theme->secondary);
  left.max_px = ledger->bar_end - ledger->bar_x;
  if (bar_title != NULL && left.max_px > 0)
    kymo_text_draw (cr, bar_title, ledger->bar_x, y, left, theme->secondary);
  for (guint i = 0; i < ledger->n; i++)
    kymo_text_draw (cr, ledger->titles[i], ledger->ends[i], y, right, theme->secondary);
  kymo_set_source (cr, theme->grid);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, area.x, area.y + HEAD_PX, area.x + area.width, area.y + HEAD_PX);
  cairo_stroke (cr);
}

/**
 * kymo_ledger_rect:
 * @line: of the table, from ledger->first on
 *
 * Returns: the place of the line, as wide as the area, px
 */
KymoRect
kymo_ledger_rect (const KymoLedger *ledger, guint line)
{
  return (KymoRect) { ledger->area.x, ledger->area.y + HEAD_PX + 2
                                       + (line - ledger->first) * ledger->row_px,
                      ledger->area.width, ledger->row_px };
}

/**
 * kymo_ledger_bar:
 * @line: of the table, from ledger->first on
 *
 * Returns: the place of the line's bar, px; its width is 0 where there is no room for bars
 */
KymoRect
kymo_ledger_bar (const KymoLedger *ledger, guint line)
{
  KymoRect rect = kymo_ledger_rect (ledger, line);
  double gap = ledger->row_px >= 22 ? 5 : 4;

  return (KymoRect) { ledger->bar_x, rect.y + gap,
                      MAX (ledger->bar_end - ledger->bar_x, 0), rect.height - 2 * gap };
}

/**
 * kymo_ledger_line:
 * @line: of the table, from ledger->first on
 * @indent_px: of the name
 * @name: (nullable): shortened where it does not fit; bold where it is frame->chosen
 * @mark: (nullable): a word behind the name
 * @strings: (array zero-terminated=1): a figure for each column
 *
 * Paints the name and those figures of a line whose columns fit. The bar is the caller's.
 */
void
kymo_ledger_line (cairo_t *cr, const KymoLedger *ledger, const KymoPlotFrame *frame,
                   guint line, double indent_px, const char *name, const char *mark,
                   char **strings)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect rect = kymo_ledger_rect (ledger, line);
  double y = rect.y + rect.height / 2;
  KymoTextStyle left = { KYMO_TEXT_NORMAL - 0.5, FALSE, 0,
                         ledger->name_end - ledger->area.x - indent_px };
  KymoTextStyle right = { KYMO_TEXT_NORMAL - 0.5, FALSE, 1, COLUMN_PX - 8 };
  KymoTextStyle end = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  g_autofree char *label = NULL;

  if (mark != NULL)
    {
      kymo_text_draw (cr, mark, ledger->name_end, y, end, theme->secondary);
      left.max_px -= kymo_text_width (cr, mark, end) + 8;
    }
  label = kymo_text_fitting_name (cr, name != NULL ? name : "", left);
  left.bold = frame->chosen != NULL && g_strcmp0 (name, frame->chosen) == 0;
  if (left.max_px > 8)
    kymo_text_draw (cr, label, ledger->area.x + indent_px, y, left, theme->foreground);
  for (guint i = 0; i < ledger->n && strings[i] != NULL; i++)
    kymo_text_draw (cr, strings[i], ledger->ends[i], y, right,
                    i < 2 ? theme->foreground : theme->secondary);
}

/**
 * kymo_ledger_more:
 * @n: how many lines are not shown
 *
 * Paints "12 more" below the last line in sight, and nothing where @n is 0.
 */
void
kymo_ledger_more (cairo_t *cr, const KymoLedger *ledger, const KymoPlotFrame *frame, guint n)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  KymoRect rect = kymo_ledger_rect (ledger, ledger->first + ledger->shown);
  g_autofree char *words = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%u more", "%u more", n), n);

  if (n > 0)
    kymo_text_draw (cr, words, ledger->area.x, rect.y + rect.height / 2, style,
                    theme->secondary);
}

/**
 * kymo_ledger_at:
 * @x: px
 * @y: px
 *
 * Returns: the line of the table at a point of the picture; %G_MAXUINT where no line is shown
 */
guint
kymo_ledger_at (const KymoLedger *ledger, double x, double y)
{
  double at = (y - ledger->area.y - HEAD_PX - 2) / ledger->row_px;

  if (!kymo_rect_contains (ledger->area, x, y) || at < 0 || at >= ledger->shown)
    return G_MAXUINT;
  return ledger->first + (guint) at;
}

/** kymo_ledger_height: of a whole picture with @n lines */
double
kymo_ledger_height (guint n_lines, double row_px, const KymoPlotClass *klass,
                     const KymoPlotFrame *frame)
{
  KymoRect decor = kymo_decor_inset (klass, frame);

  return n_lines * row_px + HEAD_PX + 2 + klass->inset.y + klass->inset.height + decor.y
         + decor.height;
}
