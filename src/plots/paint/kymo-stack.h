/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The series of a stacked chart in their order: the busiest of the whole run
 * at the bottom, so that the order stays while zooming, or as a column "rank" of
 * the answer says. Any thread.
 */
#pragma once

#include "kymo-plot-private.h"

G_BEGIN_DECLS

/**
 * KymoSeries:
 * @name: (not owned): belongs to the answer
 * @row: its row in the answer's series
 * @total: sum of its values
 * @hidden: whether the person hid it
 * @hatched: whether it is time of a function that waits
 */
typedef struct
{
  const char *name;
  guint       row;
  double      total;
  gboolean    hidden, hatched;
  KymoRgba    color;
} KymoSeries;

/**
 * KymoStack:
 *
 * Values of all series; `values` is n_series * n_bins in the stack's order.
 */
typedef struct
{
  GArray  *series;           /* KymoSeries */
  guint    n_bins;
  double  *values;
  double  *tops;             /* sum of the shown series of each bin */
  double  *cut;              /* sum of the hidden ones */
  const KymoTheme *theme;
} KymoStack;

/* `series` is a table with "name" and a column `key` of width n_bins. */
KymoStack *kymo_stack_new   (const KymoTable     *series,
                             const char          *key,
                             guint                n_bins,
                             const KymoPlotFrame *frame);
void       kymo_stack_free  (KymoStack           *stack);
/* The series at `value` of a bin, or NULL above the top. */
const KymoSeries *
           kymo_stack_at    (const KymoStack     *stack,
                             guint                bin,
                             double               value,
                             double              *of_bin);
/* The bin of n that x lies in, of those that xs are the edges of. */
guint      kymo_stack_bin_at (const double       *xs,
                             guint                n,
                             double               x);
guint      kymo_stack_time_at (const gint64      *edges_ns,
                             guint                n,
                             gint64               time_ns);
/* All that a bin has, in another unit. */
void       kymo_stack_scale (KymoStack           *stack,
                             guint                bin,
                             double               unit);
/**
 * KymoStackBoxes:
 * @xs: edges of the bins
 * @area: what lies beside it has no boxes
 * @px_per_unit: of the values
 * @edges_ns: (nullable): the bins' times
 */
typedef struct
{
  const double *xs;
  KymoRect      area;
  double        px_per_unit;
  const gint64 *edges_ns;
} KymoStackBoxes;

/* Adds what keys go to: a box for each shown series of a bin that is a pixel high; its row
   is the bin, its part the series. Bins are added from the first to the last. */
void       kymo_stack_add_boxes
                            (const KymoStack      *stack,
                             const KymoStackBoxes *at,
                             guint                 bin,
                             GArray               *boxes);
/* The same where nothing lies above the stack: a bin too low for any of its parts is one
   box. */
void       kymo_stack_add_bin
                            (const KymoStack      *stack,
                             const KymoStackBoxes *at,
                             guint                 bin,
                             GArray               *boxes);
/* The same of a part of a bin that is none of the series: `part` counts on from those. */
void       kymo_stack_add_box
                            (const KymoStackBoxes *at,
                             guint                 bin,
                             guint                 part,
                             const char           *name,
                             double                from,
                             double                to,
                             GArray               *boxes);
GArray    *kymo_stack_legend
                            (const KymoStack     *stack,
                             const KymoPlotFrame *frame,
                             KymoActivityKind     kind);
/* Paints the shown series: bin i spans xs[i] .. xs[i+1], each `gap` px
   narrower; values are scaled by px_per_unit up from y_base. */
void       kymo_stack_paint (cairo_t             *cr,
                             const KymoStack     *stack,
                             const double        *xs,
                             double               gap,
                             double               y_base,
                             double               px_per_unit);
/* The same without gaps as a light wash, `wash` of the way to the canvas, with a line along the
   top of each series. */
void       kymo_stack_paint_outlined
                            (cairo_t             *cr,
                             const KymoStack     *stack,
                             const double        *xs,
                             double               y_base,
                             double               px_per_unit,
                             KymoRgba             canvas,
                             double               wash);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStack, kymo_stack_free)

G_END_DECLS
