/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a series of runs in two: bars of time (kymo-plot-compare-series.c) and, beside
 * them, how much faster each side is than the first (kymo-compare-speed-up.c). Figures of a
 * comparison in words, for all its pictures. Any thread.
 */
#pragma once

#include "kymo-plot-private.h"

G_BEGIN_DECLS

/* Between words beside each other. */
#define KYMO_COMPARE_GAP_PX 6

/** KymoCompareLayer: a series of the stack; @row: of the answer's activities */
typedef struct
{
  const char       *name;
  guint             row;
  guint             rank;
  KymoActivityKind  kind;
  double            total;
} KymoCompareLayer;

/** KymoCompareSeries: figures, and where they lie */
typedef struct
{
  const KymoTable *answer, *activities, *sides;
  guint            n_sides, width;
  const gint64    *figures;
  GArray          *layers;              /* KymoCompareLayer */
  double           high, unit_ns, all;
  const char      *unit;
  KymoRect         bars, faster;        /* @faster: without room it has no width */
  double           most_faster;
  gboolean         known;            /* FALSE: nothing can be painted */
} KymoCompareSeries;

/* How wide the widest label of a side is. */
double   kymo_compare_label_width    (cairo_t                 *cr,
                                      const KymoCompareSeries *chart,
                                      KymoTextStyle            style);
/* The distance in sides between two words, where one takes up @width of the @step there is. */
guint    kymo_compare_every          (double                   width,
                                      double                   step);
void     kymo_compare_speed_up_paint (cairo_t                 *cr,
                                      const KymoCompareSeries *chart,
                                      const KymoPlotFrame     *frame);
/* The dot of a side; empty where it is not known how fast it is. */
KymoRect kymo_compare_speed_up_rect  (const KymoCompareSeries *chart,
                                      guint                    side);
gboolean kymo_compare_speed_up_hit   (const KymoCompareSeries *chart,
                                      double                   x,
                                      double                   y,
                                      KymoPlotHit             *hit);

/* What the pictures of comparisons share: columns whose name tells their unit, and
   amounts in words. Any thread. */

/* A column of activities, totals or sides: NAME_ns of times, NAME of metrics. */
const gint64 *kymo_compare_column (const KymoTable *answer,
                                   const KymoTable *table,
                                   const char      *name,
                                   guint           *width);
/* (transfer full): "1.25 ms", or a count of what a metric counts */
char         *kymo_compare_amount (const KymoTable *answer,
                                   gint64           value);
/* (transfer full): the same with a sign */
char         *kymo_compare_signed (const KymoTable *answer,
                                   gint64           value);
/* (transfer full): "A", "B" */
char         *kymo_compare_side   (const KymoTable *answer,
                                   guint            side);

G_END_DECLS
