/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics that are computed of others: "PAPI_FP_OPS / TIME". Numbers, names of metrics
 * (in double quotes where they are no words), + - * / and brackets; the usual order.
 *
 * An expression is made once for the metrics of a profile and computed of any number
 * of figures after. What is divided by 0 is 0: a function without that metric has no
 * rate. Immutable; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KYMO_METRIC_MOST_TERMS: numbers, names and operators of one expression */
#define KYMO_METRIC_MOST_TERMS 128

typedef struct _KymoMetricExpression KymoMetricExpression;

KymoMetricExpression *kymo_metric_expression_new  (const char                 *text,
                                                   const char *const          *metrics,
                                                   guint                       n_metrics,
                                                   GError                    **error);
gboolean              kymo_metric_expression_check (const char                *text,
                                                   GError                    **error);
void                  kymo_metric_expression_free (KymoMetricExpression       *expression);
gboolean              kymo_metric_expression_is_additive
                                                  (const KymoMetricExpression *expression);
double                kymo_metric_expression_get  (const KymoMetricExpression *expression,
                                                   const double               *values,
                                                   guint                       stride);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoMetricExpression, kymo_metric_expression_free)

G_END_DECLS
