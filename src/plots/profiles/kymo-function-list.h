/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions with their figures in a metric, a line each: of a thread ("functions"), or
 * of a whole run of profiles ("activities", with figures over locations). Any thread
 * may call.
 */
#pragma once

#include "kymo-plot-private.h"

G_BEGIN_DECLS

void     kymo_function_list_paint          (cairo_t             *cr,
                                            const KymoTable     *answer,
                                            const KymoPlotFrame *frame,
                                            const KymoPlotClass *klass);
gboolean kymo_function_list_hit            (const KymoTable     *answer,
                                            const KymoPlotFrame *frame,
                                            double               x,
                                            double               y,
                                            KymoPlotHit         *hit,
                                            const KymoPlotClass *klass);
double   kymo_function_list_natural_height (const KymoTable     *answer,
                                            const KymoPlotFrame *frame,
                                            const KymoPlotClass *klass);

G_END_DECLS
