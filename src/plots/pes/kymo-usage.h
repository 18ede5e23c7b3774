/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The usage picture's inside, shared by its files: kymo-usage.c (an answer as
 * bars), kymo-plot-usage.c (painting them) and kymo-usage-hit.c.
 */
#pragma once

#include "kymo-legend.h"
#include "kymo-row-bars.h"

G_BEGIN_DECLS

extern const KymoPlotClass kymo_plot_usage;

#define KYMO_USAGE_GAP_PX 14

typedef struct
{
  const char *name;
  guint       rank;
  double      ns;
  KymoRgba    color;
  gboolean    hidden;
  guint       number;                /* see kymo_number_names() */
} UsageSeries;

/**
 * Usage:
 *
 * Bar 0 is the average, bars 1.. are groups of `per_bar` locations.
 * Communication threads come last, a gap apart, and enter no average.
 */
typedef struct
{
  KymoRect    area;
  KymoTable  *locations;
  guint       n_locations, n_bars, per_bar;
  guint       n_shown;               /* bars; the others would say the same */
  guint       n_averaged;            /* locations in the average */
  const double *weights;             /* of them in it; NULL = 1 each */
  guint       first_apart;           /* bar of the first communication thread */
  double      average_px;
  KymoBarLattice lattice;            /* of the other bars */
  GArray     *series;                /* UsageSeries, bottom first */
  guint      *series_of;             /* by row of the activities' table: index
                                        of a series + 1, or 0 */
  double     *ns;                    /* n_bars * n_series */
  double     *span, *work, *idle, *overhead, *untraced;   /* n_bars each */
  gboolean    tells_useful;          /* `work` is useful time, else busy time */
  gboolean    rest;                  /* overhead is idle time or overhead */
  const KymoTable *classes;          /* in whose order bars are, or NULL */
  gboolean         known;            /* FALSE: nothing can be painted */
} Usage;

gboolean kymo_usage_init       (Usage               *usage,
                                const KymoTable     *answer,
                                const KymoPlotFrame *frame);
void     kymo_usage_clear      (Usage               *usage);
KymoRect kymo_usage_bar_rect   (const Usage         *usage,
                                guint                bar);
double   kymo_usage_part_px    (const Usage         *usage,
                                guint                bar,
                                double               ns);
double   kymo_usage_share      (const Usage         *usage,
                                guint                bar);
gint     kymo_usage_class_of   (const Usage         *usage,
                                guint                bar);
char    *kymo_usage_dup_label  (const Usage         *usage,
                                guint                bar);
GArray  *kymo_usage_marks      (const KymoPicture *picture,
                                const KymoIdSet     *locations);
GArray  *kymo_usage_boxes      (const KymoPicture *picture);
gboolean kymo_usage_hit        (const KymoPicture *picture,
                                double               x,
                                double               y,
                                KymoPlotHit         *hit);

G_END_DECLS
