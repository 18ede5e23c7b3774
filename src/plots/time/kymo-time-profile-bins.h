/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bins of a time profile as the picture needs them. Columns are borrowed from the answer.
 */
#pragma once

#include "kymo-plot-private.h"
#include "kymo-stack.h"

G_BEGIN_DECLS

/** KymoTimeBins: an answer as the picture needs it */
typedef struct
{
  guint         n;
  const gint64 *edges_ns;
  const gint64 *idle_ns, *overhead_ns, *untraced_ns;
  double       *xs;
  double       *all;                 /* time of all locations in each bin */
  double        capacity;            /* most time a nanosecond can hold */
  gboolean      rest;                /* overhead is idle time or overhead */
  KymoStack    *stack;
  KymoTerms     terms;
  gboolean      known;               /* FALSE: nothing can be painted */
} KymoTimeBins;

gboolean kymo_time_bins_init   (KymoTimeBins        *bins,
                                const KymoTable     *answer,
                                const KymoPlotFrame *frame);
void     kymo_time_bins_clear  (KymoTimeBins        *bins);
double   kymo_time_bins_length (const KymoTimeBins  *bins,
                                guint                bin);
double   kymo_time_bins_part   (const KymoTimeBins  *bins,
                                const gint64        *values,
                                guint                bin);
double   kymo_time_bins_traced (const KymoTimeBins  *bins,
                                guint                bin);

G_END_DECLS
