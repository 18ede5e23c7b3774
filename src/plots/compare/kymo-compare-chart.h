/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the difference of two time profiles, before they are painted: series in the
 * order they are stacked in, how many rows (PEs, ranks) each kept busy in A and in B, and how
 * far they may be apart by chance. One thread at a time.
 */
#pragma once

#include "kymo-plot.h"
#include "kymo-theme.h"

G_BEGIN_DECLS

/** KymoChartLayer: a series that is stacked; @row: of the answer */
typedef struct
{
  const char       *name;
  guint             row;
  guint             rank;
  KymoActivityKind  kind;
  double            total;              /* of |differences| */
} KymoChartLayer;

/**
 * KymoCompareChart:
 * @n: bins
 * @length: of a bin of A and of B in own time; 0 = shared
 * @busy: of A and of B: rows busy in each bin
 * @low: the axis of rows goes from here
 * @high: to here
 */
typedef struct
{
  const KymoTable *series;
  guint            n;
  const gint64    *edges_ns, *a_ns, *b_ns;
  const gint64    *noise_ns;            /* by series and bin, or NULL */
  const double    *noise_rows;          /* the same on scales of their own, or NULL */
  const double    *shares[2];           /* what that band is around, or NULL */
  gboolean         has_noise;
  const KymoTable *bins;
  gboolean         useful;              /* functions: what computes is told, not all code */
  double           length[2];           /* of a bin of A and of B in own time; 0 = shared */
  GArray          *layers;
  double          *busy[2], *xs;
  double           low, high;
  KymoRect         area;
  gboolean         known;            /* FALSE: nothing can be painted */
} KymoCompareChart;

double   kymo_compare_rows_of       (const KymoCompareChart *chart,
                                     guint                   which,
                                     guint                   row,
                                     guint                   bin);
double   kymo_compare_difference_of (const KymoCompareChart *chart,
                                     guint                   row,
                                     guint                   bin);
double   kymo_compare_noise_of      (const KymoCompareChart *chart,
                                     guint                   row,
                                     guint                   bin);
gboolean kymo_compare_is_noise      (const KymoCompareChart *chart,
                                     guint                   row,
                                     guint                   bin);
double   kymo_compare_noise_of_all  (const KymoCompareChart *chart,
                                     guint                   bin);
gboolean kymo_compare_chart_init    (KymoCompareChart       *chart,
                                     const KymoTable        *answer,
                                     const KymoPlotFrame    *frame);
void     kymo_compare_chart_clear   (KymoCompareChart       *chart);

G_END_DECLS
