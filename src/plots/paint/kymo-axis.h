/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Axes: ticks of 1, 2 and 5 times a power of ten, minor ticks without labels,
 * the unit once, labels that never overlap. Any thread.
 */
#pragma once

#include "kymo-text.h"

G_BEGIN_DECLS

/** KymoFormatValue: the label of a value; free with g_free(). */
typedef char *(*KymoFormatValue) (double value,
                                  double step);

/* The shared time axis: labels around y, ticks from y_line towards them. */
void kymo_axis_time      (cairo_t             *cr,
                          const KymoPlotFrame *frame,
                          double               y_label,
                          double               y_line);
/* Light lines at the major ticks of the shared time axis. */
void kymo_axis_time_grid (cairo_t             *cr,
                          const KymoPlotFrame *frame,
                          double               y0,
                          double               y1);
/* A value axis left of `area`, from 0 at its bottom to max at its top. */
void kymo_axis_left      (cairo_t             *cr,
                          const KymoPlotFrame *frame,
                          KymoRect             area,
                          double               max,
                          guint                max_ticks,
                          KymoFormatValue      format);
/* A value axis left of `area` or below it, from min to max, with light lines at
   its ticks. */
void kymo_axis_values    (cairo_t             *cr,
                          const KymoPlotFrame *frame,
                          KymoRect             area,
                          gboolean             below,
                          double               min,
                          double               max,
                          KymoFormatValue      format);
char *kymo_axis_percent  (double               value,
                          double               step);
char *kymo_axis_count    (double               value,
                          double               step);
guint kymo_axis_every    (double               label_px,
                          double               slot_px);
/* A number with as many decimals as the step needs; thousands grouped. */
char *kymo_axis_number   (double               value,
                          double               step);
/* Picks s, ms, us or ns for a step. */
const char *kymo_axis_time_unit (double        step_ns,
                                 double       *unit_ns);

G_END_DECLS
