/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of metrics: of a run, and of the runs it is compared with. Most metrics are taken from
 * answers to the questions that the window and the command line ask, so that the figures are the
 * same everywhere; each question is put once. What cannot be measured tells why.
 *
 * Used by one thread at a time.
 */
#pragma once

#include "kymo-probe-budget.h"
#include "kymo-rules.h"
#include "kymo-source.h"

G_BEGIN_DECLS

/** KYMO_LEAST_REFERENCES: fewer reference runs say nothing about what is usual */
#define KYMO_LEAST_REFERENCES 5

/**
 * KymoMeasured:
 * @value: in ns and bytes; NaN: not known
 * @name: (nullable): of the row with the value, such as a function
 * @location: of the row with the value; -1: none
 * @label: (nullable): the label of that location
 * @block: its begin and end, where the row is a block of that location; else empty
 * @why: (nullable): why the value is not known
 */
typedef struct
{
  double   value;
  char    *name;
  gint64   location;
  char    *label;
  KymoSpan block;
  char    *why;
} KymoMeasured;

/**
 * KymoUsual:
 * @n: reference runs whose value is known
 * @median: over them; NaN with fewer than %KYMO_LEAST_REFERENCES
 * @least, @most: the range of the values
 * @high: the largest value but one
 * @deviation: 1.4826 times the median absolute deviation
 * @spread: the larger of @deviation, 0.1 times the median, and 5 µs for times
 *
 * What is usual for a metric. The factor makes the deviation that of a normal distribution; the
 * other two keep tiny spreads from making tiny changes significant.
 */
typedef struct
{
  guint  n;
  double median, least, most, high, deviation, spread;
} KymoUsual;

typedef struct _KymoRunMetrics KymoRunMetrics;

KymoRunMetrics        *kymo_run_metrics_new       (const KymoRules  *rules,
                                            KymoSource       *source,
                                            const KymoSpan *range,
                                            KymoIdSet        *locations,
                                            GCancellable     *cancellable);
void                kymo_run_metrics_free      (KymoRunMetrics      *measure);
void                kymo_run_metrics_add_reference
                                           (KymoRunMetrics      *measure,
                                            KymoSource       *source,
                                            const KymoSpan *range);
gboolean            kymo_run_metrics_add_csv   (KymoRunMetrics      *measure,
                                            const char       *path,
                                            GError          **error);
void                kymo_run_metrics_set_budget
                                           (KymoRunMetrics   *measure,
                                            KymoProbeBudget       *budget);
KymoProbeBudget         *kymo_run_metrics_peek_budget
                                           (KymoRunMetrics   *measure);
void                kymo_run_metrics_let_probe
                                           (KymoRunMetrics   *measure,
                                            gboolean          may);
const KymoMeasured *kymo_run_metrics_get       (KymoRunMetrics      *measure,
                                            const KymoRule   *metric);
const KymoUsual    *kymo_run_metrics_get_usual (KymoRunMetrics      *measure,
                                            const KymoRule   *metric);
KymoTruth           kymo_run_metrics_exceeds   (KymoRunMetrics      *measure,
                                            const KymoRule   *metric);
KymoTruth           kymo_run_metrics_is_beyond (KymoRunMetrics  *measure,
                                            const KymoRule   *metric);
guint               kymo_run_metrics_get_n_references
                                           (KymoRunMetrics      *measure);
guint               kymo_run_metrics_get_n_fitting
                                           (KymoRunMetrics      *measure);
gboolean            kymo_run_metrics_is_same_build
                                           (KymoRunMetrics      *measure);
const char         *kymo_run_metrics_peek_unfit
                                           (KymoRunMetrics      *measure);
char               *kymo_run_metrics_dup_lack
                                           (KymoRunMetrics      *measure);
KymoSpan            kymo_run_metrics_get_range (KymoRunMetrics      *measure);
KymoSpan            kymo_run_metrics_get_whole (KymoRunMetrics      *measure);
KymoTable          *kymo_run_metrics_dup_profile (KymoRunMetrics    *measure);
guint               kymo_run_metrics_count_losses (KymoRunMetrics   *measure);
const char         *kymo_run_metrics_get_part  (KymoRunMetrics      *measure);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRunMetrics, kymo_run_metrics_free)

G_END_DECLS
