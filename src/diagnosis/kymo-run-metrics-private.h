/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of measuring share.
 */
#pragma once

#include "kymo-run-metrics.h"

G_BEGIN_DECLS

/**
 * KymoMetricsOfRun:
 * @range: what is asked
 * @by_itself: the range is that of the main part because none was asked
 * @answers: question and keywords -> #KymoTable
 * @refusals: the same -> why there is no answer
 * @measured: (element-type KymoMeasured): by number of the rule; zero length: not yet
 * @unfit: (nullable): of a reference: why its work is not that of the run
 *
 * One run, with what was asked of it.
 */
typedef struct
{
  KymoSource *source;
  KymoSpan    range;
  gboolean    by_itself;
  GHashTable *answers, *refusals;
  GPtrArray  *measured;
  char       *unfit;
} KymoMetricsOfRun;

/**
 * KymoCsvColumn:
 * @times: ns (gint64)
 * @values: as many (double)
 *
 * A column of a joined CSV file.
 */
typedef struct
{
  GArray *times, *values;
} KymoCsvColumn;

struct _KymoRunMetrics
{
  const KymoRules *rules;
  GPtrArray       *runs;        /* KymoMetricsOfRun: the run, then its references */
  GPtrArray       *usual;       /* KymoUsual, by number of the rule, or NULL */
  GHashTable      *csv;         /* name -> KymoCsvColumn */
  KymoIdSet       *locations;   /* what is asked, or NULL for all */
  GCancellable    *cancellable;
  KymoProbeBudget      *budget;      /* or NULL: probes are not allowed */
  gboolean         may_probe;   /* a rule is tested, not only shown */
  gboolean         was_fit_tested, is_same_build;
  guint            n_fit;       /* references that do the work of the run */
};

KymoSpan kymo_run_metrics_find_main (KymoRunMetrics   *measure,
                                     KymoMetricsOfRun *run);
void kymo_run_metrics_ask (KymoRunMetrics          *measure,
                       KymoMetricsOfRun       *run,
                       const KymoMetricRule *metric,
                       KymoMeasured         *measured);
void kymo_run_metrics_fold_rows (const KymoMetricRule *metric,
                                 const KymoTable      *table,
                                 KymoMeasured         *measured);
void kymo_run_metrics_probe (KymoRunMetrics   *measure,
                             KymoMetricsOfRun *run,
                             const KymoRule   *rule,
                             KymoMeasured     *measured);
void kymo_run_metrics_fold_csv (KymoRunMetrics          *measure,
                            const KymoMetricRule *metric,
                            KymoMeasured         *measured);
double kymo_run_metrics_fold (GArray   *values,
                          KymoFold  fold,
                          guint    *row);
void kymo_csv_column_free (gpointer  column);
const KymoTable *kymo_run_metrics_find_answer (KymoRunMetrics        *measure,
                                               KymoMetricsOfRun      *run,
                                               const KymoMetricRule  *metric,
                                               const char           **why);
void      kymo_run_metrics_each_row  (const KymoMetricRule *metric,
                                      const KymoTable      *table,
                                      void                (*see) (gpointer data, guint row),
                                      gpointer              data);
KymoUsual kymo_usual_of              (GArray               *values,
                                      gboolean              is_time);
gboolean  kymo_usual_is_exceeded     (const KymoUsual      *usual,
                                      double                value);
void      kymo_run_metrics_sum_excess (KymoRunMetrics      *measure,
                                      const KymoMetricRule *metric,
                                      KymoMeasured         *measured);
void      kymo_run_metrics_count_changes (KymoRunMetrics   *measure,
                                      const KymoMetricRule *metric,
                                      KymoMeasured         *measured);
void      kymo_run_metrics_count_crowd (KymoRunMetrics     *measure,
                                      KymoMetricsOfRun     *run,
                                      KymoMeasured         *measured);
const KymoTable *kymo_run_metrics_peek_environment (KymoRunMetrics   *measure,
                                      KymoMetricsOfRun     *run);
void      kymo_run_metrics_test_fit  (KymoRunMetrics       *measure);

G_END_DECLS
