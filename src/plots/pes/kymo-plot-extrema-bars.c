/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bars of extrema. Where PEs are more than pixels, neighbours are one bar: the
 * mean of them, with their least and largest value, so that no PE is left
 * out. The order of the stack is that of all pictures: the busiest entry
 * method of the run at the bottom; what PEs are ranked by lies below it.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-plot-extrema-private.h"

#include <math.h>
#include <string.h>

#include "kymo-units.h"

/* A few bars are no wider than this, but in a large window, which they would leave empty: five
   fill it. */
#define MOST_SLOT_PX 96
#define MOST_SLOT_SHARE (1 / 5.0)

static const struct { const char *key, *average; KymoUnit unit; } forms[] = {
  { "value_ns", "average_ns", KYMO_UNIT_NS },
  { "value_bytes", "average_bytes", KYMO_UNIT_BYTES },
  { "value", "average", KYMO_UNIT_COUNT },
};

static gboolean
find_values (KymoExtrema *extrema)
{
  for (guint i = 0; i < G_N_ELEMENTS (forms) && extrema->values == NULL; i++)
    {
      gint64 average = kymo_table_get_int (extrema->answer, forms[i].average, 0);

      extrema->values = kymo_table_peek_ints (extrema->pes, forms[i].key, NULL);
      extrema->unit = forms[i].unit;
      extrema->average = average == KYMO_NULL_INT ? NAN : average;
    }
  return extrema->values != NULL;
}

/* As wide as there is room. */
static void
place_bars (KymoExtrema *extrema, double scale)
{
  extrema->lattice = kymo_bar_lattice (extrema->area.width, extrema->n_pes,
                                       MAX (MOST_SLOT_PX, extrema->area.width * MOST_SLOT_SHARE),
                                       scale);
  extrema->per_bar = extrema->lattice.per_bar;
  extrema->n_bars = extrema->lattice.n_bars;
  extrema->slot_px = extrema->lattice.slot_px;
}

/* Of several kept PEs in one bar a representative is told before outliers. */
static void
add_pe (KymoExtrema *extrema, KymoExtremaBar *bar, guint pe, gboolean least)
{
  double value = extrema->values[pe];
  KymoBadge badge = kymo_badge_of (kymo_table_get_string (extrema->pes,
                                                          "kept_as", pe));

  if (pe == bar->first)
    {
      bar->least = bar->largest = value;
      bar->most = pe;
    }
  if (least ? value < extrema->values[bar->most]
      : value > extrema->values[bar->most])
    bar->most = pe;
  bar->least = MIN (bar->least, value);
  bar->largest = MAX (bar->largest, value);
  bar->mean += value / (bar->end - bar->first);
  if (badge != KYMO_BADGE_NONE
      && (bar->badge == KYMO_BADGE_NONE || badge < bar->badge))
    {
      bar->badge = badge;
      bar->kept = pe;
    }
}

static void
make_bars (KymoExtrema *extrema)
{
  gboolean least = g_strcmp0 (kymo_table_get_string (extrema->answer, "by", 0),
                              "least-idle") == 0;

  extrema->bars = g_new0 (KymoExtremaBar, extrema->n_bars);
  for (guint i = 0; i < extrema->n_bars; i++)
    {
      KymoExtremaBar *bar = &extrema->bars[i];

      bar->first = i * extrema->per_bar;
      bar->end = MIN (bar->first + extrema->per_bar, extrema->n_pes);
      for (guint pe = bar->first; pe < bar->end; pe++)
        add_pe (extrema, bar, pe, least);
    }
}

/* -- series ---------------------------------------------------------------- */

static KymoRgba
series_color (const KymoExtrema *extrema, const KymoPlotFrame *frame,
              const KymoExtremaSeries *series, const char *kind)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRgba color;

  if (g_strcmp0 (kind, "other") == 0)
    color = kymo_rgba_mix (theme->secondary, theme->canvas, 0.4);
  else if (g_strcmp0 (kind, "outside") == 0)
    color = kymo_rgba_mix (theme->secondary, theme->canvas, 0.65);
  else
    color = kymo_theme_activity (frame, series->name, series->kind);
  if (frame->hovered != NULL)
    return g_strcmp0 (frame->hovered, series->name) == 0 ? color
           : kymo_rgba_mix (color, theme->canvas, 0.68);
  return extrema->whole && !series->ranked_by
         ? kymo_rgba_mix (color, theme->canvas, 0.6) : color;
}

/* What PEs are ranked by, entry methods, what joins others, states. */
static guint
place_of (const KymoExtremaSeries *series, const char *kind)
{
  if (series->ranked_by)
    return 0;
  if (series->kind != KYMO_KIND_ENTRY)
    return 3 + series->kind;
  return g_strcmp0 (kind, "other") == 0 || g_strcmp0 (kind, "outside") == 0 ? 2 : 1;
}

static gboolean
is_ranked_by (const KymoExtrema *extrema, KymoActivityKind kind)
{
  const char *by = kymo_table_get_string (extrema->answer, "by", 0);

  if (!extrema->whole)
    return FALSE;
  return kind == (g_strcmp0 (by, "overhead") == 0 ? KYMO_KIND_OVERHEAD
                                                  : KYMO_KIND_IDLE);
}

static int
compare_series (gconstpointer a, gconstpointer b)
{
  const KymoExtremaSeries *x = a, *y = b;

  KYMO_ORDER_BY (x->place, y->place);
  KYMO_ORDER_BY (x->rank, y->rank);
  KYMO_ORDER_BY (y->total, x->total);
  return g_strcmp0 (x->name, y->name);
}

/* Names of the parts; `numbers` becomes their places in the stack. */
static void
make_series (KymoExtrema *extrema, const KymoTable *parts, const gint64 *values,
             guint n, guint *numbers, const KymoPlotFrame *frame)
{
  g_autoptr (GPtrArray) names = kymo_number_names (parts, n, numbers);
  g_autofree guint *place = g_new0 (guint, names->len + 1);

  extrema->n_series = names->len;
  extrema->series = g_new0 (KymoExtremaSeries, names->len + 1);
  for (guint i = 0; i < n; i++)
    {
      KymoExtremaSeries *series = &extrema->series[numbers[i] - 1];
      const char *kind;

      series->total += MAX (values[i], 0);
      if (series->name != NULL)
        continue;
      kind = kymo_table_get_string (parts, "kind", i);
      series->name = names->pdata[numbers[i] - 1];
      series->number = numbers[i];
      series->kind = kymo_activity_kind (kind);
      series->ranked_by = is_ranked_by (extrema, series->kind);
      series->place = place_of (series, kind);
      series->rank = frame->colors != NULL
        ? kymo_colors_get_rank (frame->colors, series->name) : G_MAXUINT;
      series->hidden = kymo_is_hidden (frame, series->name);
      series->color = series_color (extrema, frame, series, kind);
    }
  qsort (extrema->series, names->len, sizeof *extrema->series, compare_series);
  for (guint i = 0; i < names->len; i++)
    place[extrema->series[i].number] = i;
  for (guint i = 0; i < n; i++)
    numbers[i] = place[numbers[i]];
}

static void
add_parts (KymoExtrema *extrema, const KymoPlotFrame *frame)
{
  const guint *offsets = NULL;
  KymoTable *parts = kymo_table_peek_nested (extrema->pes, "parts", &offsets);
  const gint64 *values = parts != NULL
                         ? kymo_table_peek_ints (parts, "value", NULL) : NULL;
  guint n = values != NULL ? kymo_table_get_n_rows (parts) : 0;
  g_autofree guint *numbers = g_new0 (guint, n + 1);

  if (n == 0)
    return;
  make_series (extrema, parts, values, n, numbers, frame);
  extrema->parts = g_new0 (double, (gsize) extrema->n_bars * extrema->n_series);
  for (guint b = 0; b < extrema->n_bars; b++)
    {
      const KymoExtremaBar *bar = &extrema->bars[b];
      double *own = extrema->parts + (gsize) b * extrema->n_series;

      for (guint i = offsets[bar->first]; i < offsets[bar->end]; i++)
        own[numbers[i]] += (double) values[i] / (bar->end - bar->first);
    }
}

/* The axis begins at 0 and has room for all bars and the average. */
static void
find_axis (KymoExtrema *extrema)
{
  for (guint b = 0; b < extrema->n_bars; b++)
    {
      double sum = 0;

      for (guint s = 0; s < extrema->n_series; s++)
        sum += extrema->parts[(gsize) b * extrema->n_series + s];
      extrema->max = MAX (extrema->max, MAX (sum, extrema->bars[b].largest));
    }
  if (isfinite (extrema->average))
    extrema->max = MAX (extrema->max, extrema->average);
  extrema->max = extrema->max > 0 ? extrema->max * 1.04 : 1;
}

/** kymo_extrema_init: %FALSE where there is nothing to show; clear it anyway */
gboolean
kymo_extrema_init (KymoExtrema *extrema, const KymoTable *answer,
                   const KymoPlotFrame *frame)
{
  const char *by = kymo_table_get_string (answer, "by", 0);

  *extrema = (KymoExtrema) { kymo_plot_frame_area (&kymo_plot_extrema, frame),
                             answer };
  extrema->terms = frame->terms;
  extrema->pes = kymo_table_peek_nested (answer, "extrema", NULL);
  extrema->n_pes = extrema->pes != NULL
                   ? kymo_table_get_n_rows (extrema->pes) : 0;
  if (extrema->n_pes == 0 || extrema->area.width < 8 || !find_values (extrema))
    return FALSE;
  extrema->whole = g_strcmp0 (by, "most-idle") == 0
    || g_strcmp0 (by, "least-idle") == 0 || g_strcmp0 (by, "overhead") == 0;
  extrema->by_location = g_strcmp0 (kymo_table_get_string (answer, "order", 0),
                                    "location") == 0;
  place_bars (extrema, frame->scale);
  make_bars (extrema);
  add_parts (extrema, frame);
  find_axis (extrema);
  return TRUE;
}

/**
 * kymo_extrema_clear:
 *
 * Frees the memory of kymo_extrema_init(), due also where it returned %FALSE. The answer stays.
 */
void
kymo_extrema_clear (KymoExtrema *extrema)
{
  g_clear_pointer (&extrema->bars, g_free);
  g_clear_pointer (&extrema->series, g_free);
  g_clear_pointer (&extrema->parts, g_free);
}

/** kymo_extrema_rect: all of the bar's column */
KymoRect
kymo_extrema_rect (const KymoExtrema *extrema, guint bar)
{
  KymoRect rect = extrema->area;

  kymo_bar_lattice_edges (&extrema->lattice, rect.x, bar, &rect.x, &rect.width);
  return rect;
}
