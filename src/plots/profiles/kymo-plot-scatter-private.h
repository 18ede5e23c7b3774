/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An answer about clusters with axes as dots in a plane.
 */
#pragma once

#include "kymo-measure.h"

G_BEGIN_DECLS

/** KymoScatterAxis: values from `min` to `max` */
typedef struct
{
  const double    *values;
  const KymoTable *told;             /* the answer's object, or NULL */
  double           min, max;
  KymoUnit         unit;
  gboolean         measured;         /* in a metric's own unit: */
  KymoMeasure      measure;
} KymoScatterAxis;

/** KymoScatter: dots are PEs, in the answer's order */
typedef struct
{
  KymoRect         area;
  const KymoTable *answer;
  KymoTable       *pes;
  guint            n;
  const gint64    *clusters;
  KymoScatterAxis  x, y;
  double           dot_px;
  gboolean         dense;            /* dots are cells that share PEs */
  guint            most;             /* PEs of one cell, where dense */
  gboolean         known;            /* FALSE: there is nothing to show */
} KymoScatter;

gpointer  kymo_scatter_lay_out    (const KymoPicture   *picture);
double    kymo_scatter_x          (const KymoScatter   *scatter,
                                   guint                pe);
double    kymo_scatter_y          (const KymoScatter   *scatter,
                                   guint                pe);
KymoBadge kymo_scatter_badge      (const KymoScatter   *scatter,
                                   guint                pe);
void      kymo_scatter_paint_dots (cairo_t             *cr,
                                   const KymoScatter   *scatter,
                                   const KymoPlotFrame *frame);
/* The picture of dots, whichever question it comes of. */
void      kymo_scatter_paint      (cairo_t             *cr,
                                   const KymoPicture   *picture);
gboolean  kymo_scatter_hit        (const KymoPicture   *picture,
                                   double               x,
                                   double               y,
                                   KymoPlotHit         *hit);
GArray   *kymo_scatter_places     (const KymoPicture   *picture);

/** KYMO_OF_SCATTER: what all pictures of dots have */
#define KYMO_OF_SCATTER                                                       \
  .lay_out = kymo_scatter_lay_out, .layout_free = g_free,                     \
  .paint = kymo_scatter_paint, .hit = kymo_scatter_hit,                       \
  .inset = { 84, 30, 28, 48 }, .has_legend = TRUE,                            \
  .places = kymo_scatter_places, .of_all = TRUE

G_END_DECLS
