/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions with their figures in a metric, a line each: of a thread ("functions"), or
 * of a whole run of profiles ("activities", with figures over locations). Any thread
 * may call.
 */
#pragma once

#include "kymo-plot-private.h"

G_BEGIN_DECLS

typedef struct _KymoFunctionList KymoFunctionList;

KymoFunctionList *kymo_function_list_lay_out (const KymoPicture      *picture);
void     kymo_function_list_free           (KymoFunctionList       *list);
void     kymo_function_list_paint          (cairo_t                *cr,
                                            const KymoPicture      *picture,
                                            const KymoFunctionList *list);
gboolean kymo_function_list_hit            (const KymoFunctionList *list,
                                            double                  x,
                                            double                  y,
                                            KymoPlotHit            *hit);
double   kymo_function_list_natural_height (const KymoTable        *answer,
                                            const KymoPlotFrame    *frame,
                                            const KymoPlotClass    *klass);

G_END_DECLS
