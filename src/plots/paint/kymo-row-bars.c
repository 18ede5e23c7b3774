/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-row-bars.h.
 */
#include "config.h"

#include "kymo-row-bars.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-order.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"

/* In a large window, which a few rows would leave empty, they are as high as this share of it. */
#define MOST_PX 34
#define MOST_SHARE (1 / 14.0)
#define LABEL_PX 15

static void
count_locations (KymoRowBars *bars)
{
  const gint64 *counts = kymo_table_peek_ints (bars->rows, "n_locations", NULL);

  bars->first = g_new (gint64, bars->n_rows + 1);
  bars->first[0] = 0;
  for (guint i = 0; i < bars->n_rows; i++)
    bars->first[i + 1] = bars->first[i] + (counts != NULL ? MAX (counts[i], 1) : 1);
  bars->n_locations = bars->first[bars->n_rows];
}

/**
 * kymo_row_bars_init:
 * @rows: (nullable): a table with columns "location", "label" and "n_locations"; has to outlive
 *   @bars
 * @area: where the bars lie, px
 *
 * Gives each location the height frame->row_px, scrolled by frame->scroll_px. Where row_px is 0,
 * the locations share the height of @area, up to 34 px each, or a fourteenth of it. A row is as
 * high as its locations.
 *
 * Returns: %FALSE where there is no row or no room; kymo_row_bars_clear() is due in any case
 */
gboolean
kymo_row_bars_init (KymoRowBars *bars, const KymoTable *rows, KymoRect area,
                    const KymoPlotFrame *frame)
{
  *bars = (KymoRowBars) { .area = area, .rows = rows };
  bars->n_rows = rows != NULL ? kymo_table_get_n_rows (rows) : 0;
  if (bars->n_rows == 0 || area.width < 4 || area.height < 1)
    return FALSE;
  count_locations (bars);
  bars->location_px = frame->row_px > 0 ? frame->row_px
                      : MIN (area.height / bars->n_locations,
                             MAX (MOST_PX, area.height * MOST_SHARE));
  bars->scroll_px = frame->row_px > 0 ? MAX (frame->scroll_px, 0) : 0;
  return TRUE;
}

/**
 * kymo_row_bars_clear:
 *
 * Frees the memory of kymo_row_bars_init(), due also where it returned %FALSE. The table of rows
 * stays.
 */
void
kymo_row_bars_clear (KymoRowBars *bars)
{
  g_clear_pointer (&bars->first, g_free);
}

/**
 * kymo_row_bars_rect:
 * @row: of the table, below bars->n_rows
 *
 * Returns: the whole height of the row, as wide as the area, px; beyond the area where the row is
 *   scrolled out of sight
 */
KymoRect
kymo_row_bars_rect (const KymoRowBars *bars, guint row)
{
  double y = bars->area.y - bars->scroll_px, px = bars->location_px;

  return (KymoRect) { bars->area.x, y + bars->first[row] * px, bars->area.width,
                      (bars->first[row + 1] - bars->first[row]) * px };
}

/** kymo_row_bars_bar: on whole pixels, or it would be blurred */
KymoRect
kymo_row_bars_bar (const KymoRowBars *bars, guint row)
{
  KymoRect rect = kymo_row_bars_rect (bars, row);
  double gap = rect.height >= 24 ? 3 : rect.height >= 10 ? 2 : 1;
  double y = round (rect.y), end = round (rect.y + rect.height);

  if (rect.height < KYMO_ROW_DENSE_PX)
    return rect;
  rect.y = y + floor (gap / 2);
  rect.height = MAX (end - y - gap, 1);
  return rect;
}

/**
 * kymo_row_bars_at:
 * @y: height in the picture, px
 *
 * Returns: the row there; %G_MAXUINT outside of the area and below the last row
 */
guint
kymo_row_bars_at (const KymoRowBars *bars, double y)
{
  double at = (y - bars->area.y + bars->scroll_px) / bars->location_px;

  if (y < bars->area.y || y >= bars->area.y + bars->area.height || at < 0
      || at >= bars->n_locations)
    return G_MAXUINT;
  return KYMO_FIND_FIRST (i, 1, bars->n_rows, bars->first[i] > at) - 1;
}

/**
 * kymo_row_bars_dense:
 *
 * Returns: whether rows are, on average, lower than %KYMO_ROW_DENSE_PX, too low for a bar each
 */
gboolean
kymo_row_bars_dense (const KymoRowBars *bars)
{
  return bars->location_px * bars->n_locations / bars->n_rows < KYMO_ROW_DENSE_PX;
}

/**
 * kymo_row_bars_label:
 * @row: of the table, below bars->n_rows
 *
 * Returns: (transfer full): "rank 3"; of a row of several locations the first, and how many more
 *   there are: "rank 0 +15"
 */
char *
kymo_row_bars_label (const KymoRowBars *bars, guint row)
{
  const char *label = kymo_table_peek_label (bars->rows, "label", row);
  gint64 n = bars->first[row + 1] - bars->first[row];

  if (label == NULL)
    label = "";
  return n == 1 ? g_strdup (label) : g_strdup_printf ("%s +%" G_GINT64_FORMAT, label, n - 1);
}

static gboolean
is_chosen (const KymoRowBars *bars, const KymoPlotFrame *frame, guint row)
{
  return frame->chosen_location >= 0
         && kymo_table_get_int (bars->rows, "location", row) == frame->chosen_location;
}

/* Labels from top to bottom; one that would touch the last is left out. */
static void
paint_labels (cairo_t *cr, const KymoRowBars *bars, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, bars->area.x - 14 };
  guint first = kymo_row_bars_at (bars, bars->area.y);
  double end = bars->area.y - LABEL_PX;

  for (guint i = first; i < bars->n_rows; i++)
    {
      KymoRect rect = kymo_row_bars_rect (bars, i);
      double y = rect.y + rect.height / 2;
      gboolean chosen = is_chosen (bars, frame, i);

      if (rect.y >= bars->area.y + bars->area.height)
        break;
      /* The first and the last of thin rows stand within the picture, too. */
      y = CLAMP (y, bars->area.y + 6, MAX (bars->area.y + bars->area.height - 6,
                                           bars->area.y + 6));
      if (y - LABEL_PX / 2.0 < end)
        continue;
      style.bold = chosen;
      g_autofree char *label = kymo_row_bars_label (bars, i);

      kymo_text_draw (cr, label, bars->area.x - 8, y,
                      style, chosen ? theme->foreground : theme->secondary);
      end = y + LABEL_PX / 2.0;
    }
}

/**
 * kymo_row_bars_paint:
 *
 * Paints the labels left of the area, as many as have room, and a band behind the rows of
 * frame->chosen_location. The bars are the caller's.
 */
void
kymo_row_bars_paint (cairo_t *cr, const KymoRowBars *bars, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  cairo_save (cr);
  cairo_rectangle (cr, 0, bars->area.y, bars->area.x + bars->area.width, bars->area.height);
  cairo_clip (cr);
  for (guint i = 0; frame->chosen_location >= 0 && i < bars->n_rows; i++)
    if (is_chosen (bars, frame, i))
      {
        KymoRect rect = kymo_row_bars_rect (bars, i);

        kymo_set_source_alpha (cr, theme->accent, 0.16);
        cairo_rectangle (cr, 4, rect.y, rect.x + rect.width - 4, MAX (rect.height, 1));
        cairo_fill (cr);
      }
  paint_labels (cr, bars, frame);
  cairo_restore (cr);
}

/**
 * kymo_row_bars_head:
 * @head: 0 is the mean, 1 the maximum and 2 the minimum
 *
 * Returns: the place of the head's bar above the area, as wide as the area, px
 */
KymoRect
kymo_row_bars_head (const KymoRowBars *bars, guint head)
{
  return (KymoRect) { bars->area.x,
                      bars->area.y - KYMO_HEAD_GAP_PX
                      - (KYMO_N_HEADS - head) * KYMO_HEAD_ROW_PX + 2,
                      bars->area.width, KYMO_HEAD_ROW_PX - 4 };
}

/**
 * kymo_row_bars_head_words:
 * @head: below %KYMO_N_HEADS
 *
 * Returns: (transfer none): "Mean", "Maximum" or "Minimum", translated, static
 */
const char *
kymo_row_bars_head_words (guint head)
{
  static const char *const words[KYMO_N_HEADS] = { N_("Mean"), N_("Maximum"), N_("Minimum") };

  return _(words[head]);
}

/**
 * kymo_row_bars_note:
 *
 * Writes below the area how many locations there are and how many of them a line is the mean of.
 * Paints nothing where a line stands for fewer than 1.5 locations.
 */
void
kymo_row_bars_note (cairo_t *cr, const KymoRowBars *bars, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, bars->area.width * 0.6 };
  double per = MAX ((double) bars->n_locations / bars->n_rows, 1 / bars->location_px);
  g_autofree char *all = kymo_words_rows (frame->terms, bars->n_locations);
  g_autofree char *each = NULL, *words = NULL;

  if (per < 1.5)
    return;
  each = kymo_words_rows (frame->terms, ceil (per - 1e-6));
  /* Translators: both are counts with their word, as “16,384 threads”. */
  words = g_strdup_printf (_("%s; a line is the mean of up to %s"), all, each);
  kymo_text_draw (cr, words, bars->area.x, bars->area.y + bars->area.height + 31, style,
                  theme->secondary);
}

/**
 * kymo_row_bars_places:
 *
 * Returns: (transfer full): an array of #KymoPlotPlace, the bar of each row in the table's order,
 *   also of rows that are scrolled out of sight
 */
GArray *
kymo_row_bars_places (const KymoRowBars *bars)
{
  GArray *places = g_array_sized_new (FALSE, FALSE, sizeof (KymoPlotPlace), bars->n_rows);

  for (guint i = 0; i < bars->n_rows; i++)
    {
      KymoPlotPlace place = { kymo_table_get_int (bars->rows, "location", i), -1,
                              kymo_row_bars_bar (bars, i) };

      g_array_append_val (places, place);
    }
  return places;
}

/**
 * kymo_row_bars_boxes:
 *
 * Returns: (transfer full): an array of #KymoPlotBox, the place of each row in the table's order,
 *   also of rows that are scrolled out of sight
 */
GArray *
kymo_row_bars_boxes (const KymoRowBars *bars)
{
  GArray *boxes = g_array_sized_new (FALSE, FALSE, sizeof (KymoPlotBox), bars->n_rows);

  for (guint i = 0; i < bars->n_rows; i++)
    {
      KymoPlotBox box = { .row = i, .rect = kymo_row_bars_rect (bars, i), .of_location = TRUE,
                          .location = kymo_table_get_int (bars->rows, "location", i) };

      g_array_append_val (boxes, box);
    }
  return boxes;
}

/* Narrower ones have no gap between them. */
#define TOUCHING_PX 3
/* From here on gaps are a share of the slot. */
#define WIDE_PX 6

/**
 * kymo_bar_lattice:
 * @width_px: of all bars
 * @n: how many things there are, at least one
 * @most_px: slots are no wider
 * @scale: of the frame; 0 is 1
 */
KymoBarLattice
kymo_bar_lattice (double width_px, guint n, double most_px, double scale)
{
  guint room = MAX (1, floor (width_px));
  guint per_bar = 1 + (n - 1) / room, n_bars = 1 + (n - 1) / per_bar;

  return (KymoBarLattice) { MAX (scale, 1), MIN (width_px / n_bars, most_px), n_bars,
                             per_bar };
}

static double
snap (const KymoBarLattice *lattice, double x)
{
  return round (x * lattice->scale) / lattice->scale;
}

/**
 * kymo_bar_lattice_edges:
 * @left_px: where the first slot begins
 * @x: (out): @width: (out): of the bar
 */
void
kymo_bar_lattice_edges (const KymoBarLattice *lattice, double left_px, guint bar,
                        double *x, double *width)
{
  double slot = lattice->slot_px;

  *x = snap (lattice, left_px + bar * slot);
  if (slot < TOUCHING_PX)
    *width = snap (lattice, left_px + (bar + 1) * slot) - *x;
  else
    *width = snap (lattice, slot < WIDE_PX ? floor (slot) - 1 : floor (slot * 0.8));
}

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const KymoRanked *x = a, *y = b;

  KYMO_ORDER_BY (y->ns, x->ns);
  return x->row < y->row ? -1 : x->row > y->row;
}

/** kymo_ranked_sort: @ranked: (element-type KymoRanked): */
void
kymo_ranked_sort (GArray *ranked)
{
  g_array_sort (ranked, compare_ranked);
}
