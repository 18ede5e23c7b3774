/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An answer about one function over all threads, for its two pictures: bars of threads,
 * and a histogram of how many threads have how much. Any thread may call.
 */
#pragma once

#include "kymo-axis.h"
#include "kymo-measure.h"
#include "kymo-row-bars.h"
#include "kymo-units.h"

G_BEGIN_DECLS

/**
 * KymoFunctionValues:
 * @name: (not owned): the function
 * @values: (not owned): by row of the answer
 * @mean: over all threads; the other figures are NaN where the answer has none
 * @max: end of the axis of values
 */
typedef struct
{
  KymoRect      area;
  KymoTable    *table;
  KymoRowBars   bars;
  KymoMeasure   measure;
  const char   *name;
  KymoRgba      color;
  const double *values;
  double        mean, least, most, stddev, max;
  gboolean      known;               /* FALSE: nothing can be painted */
} KymoFunctionValues;

/* FALSE where there is nothing to show; clear it in any case. */
gboolean      kymo_function_values_init     (KymoFunctionValues  *f,
                                             const KymoTable     *answer,
                                             const KymoPlotFrame *frame,
                                             const KymoPlotClass *klass);
void          kymo_function_values_clear    (KymoFunctionValues  *f);
/* Whether the thread ever ran the function. */
gboolean      kymo_function_values_has      (const KymoFunctionValues *f,
                                             guint                row);
/* Paints the words of the axis below a picture, and what the shading is, beside them where there
   is room. @area: of the picture, px */
void          kymo_function_values_paint_words
                                            (cairo_t             *cr,
                                             const KymoFunctionValues *f,
                                             const KymoPlotFrame *frame,
                                             KymoRect             area);
KymoQuestion *kymo_function_values_question (const KymoPlotFrame *frame,
                                             const KymoPlotClass *klass);

G_END_DECLS
