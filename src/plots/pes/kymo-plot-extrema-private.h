/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An answer about extrema as bars: a bar a PE, or of neighbours their mean.
 */
#pragma once

#include "kymo-badge.h"
#include "kymo-row-bars.h"

G_BEGIN_DECLS

extern const KymoPlotClass kymo_plot_extrema;

/** KymoExtremaSeries: one name of the parts */
typedef struct
{
  const char      *name;             /* (not owned): the answer's */
  KymoActivityKind kind;
  KymoRgba         color;
  gboolean         hidden;
  gboolean         ranked_by;        /* it is the value itself */
  guint            place;            /* in the order of the stack */
  guint            rank;
  double           total;
  guint            number;
} KymoExtremaSeries;

/** KymoExtremaBar: of PEs first to end, in the answer's order */
typedef struct
{
  guint     first, end;
  guint     most;                    /* the one with the most extreme value */
  double    mean;                    /* of the values */
  double    least, largest;
  KymoBadge badge;                   /* the first there is */
  guint     kept;                    /* the PE that has it */
} KymoExtremaBar;

typedef struct
{
  KymoRect           area;
  const KymoTable   *answer;
  KymoTable         *pes;
  guint              n_pes, n_bars, n_series, per_bar;
  double             slot_px;
  KymoBarLattice     lattice;
  const gint64      *values;
  KymoUnit           unit;
  KymoTerms          terms;
  gboolean           whole;          /* parts are of the whole span */
  gboolean           by_location;
  KymoExtremaBar    *bars;
  KymoExtremaSeries *series;         /* bottom first */
  double            *parts;          /* n_bars x n_series, means */
  double             max;            /* of the axis */
  double             average;        /* NaN = not known */
  gboolean           known;          /* FALSE: nothing can be painted */
} KymoExtrema;

gboolean kymo_extrema_init   (KymoExtrema         *extrema,
                              const KymoTable     *answer,
                              const KymoPlotFrame *frame);
void     kymo_extrema_clear  (KymoExtrema         *extrema);
KymoRect kymo_extrema_rect   (const KymoExtrema   *extrema,
                              guint                bar);

G_END_DECLS
