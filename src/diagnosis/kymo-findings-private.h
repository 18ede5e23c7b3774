/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What complete findings, their weights and their drafts share.
 */
#pragma once

#include "kymo-evaluation.h"
#include "kymo-findings.h"

G_BEGIN_DECLS

/** KYMO_FINDINGS_WALL: a metric that all rules share: the elapsed time */
#define KYMO_FINDINGS_WALL "wall"

/**
 * KymoFinding:
 * @rule: the diagnosis
 * @net_ns: (element-type gint64): for each run what remains of the cost behind what it is within
 * @n_told: runs in which it is true and costs enough
 * @shown: (nullable): the run whose figures are shown: of those the one with the median cost
 * @cost_ns: of that run
 * @share: of its elapsed time
 * @is_cause: whether the run takes longer than its references, and this is a cause of that
 */
typedef struct
{
  const KymoRule  *rule;
  GArray          *net_ns;
  guint            n_told;
  KymoEvaluation  *shown;
  gint64           cost_ns;
  double           share;
  gboolean         is_cause;
  KymoFindingState state;
} KymoFinding;

/**
 * KymoFindingsReport:
 * @evaluations: (element-type KymoEvaluation): of each run
 * @findings: (element-type KymoFinding): each diagnosis with a cost, by number
 */
typedef struct
{
  const KymoRules *rules;
  GPtrArray       *evaluations;
  GPtrArray       *findings;
} KymoFindingsReport;

void       kymo_finding_free          (gpointer                  finding);
void       kymo_findings_sort         (GPtrArray                *findings);
double     kymo_findings_get_metric   (const KymoRules          *rules,
                                       KymoRunMetrics           *measure,
                                       const char               *name);
void       kymo_findings_set_head     (KymoTable                *answer,
                                       const KymoRules          *rules,
                                       KymoRunMetrics           *measure);
void       kymo_findings_set_functions (KymoTable               *answer,
                                        KymoRunMetrics          *measure);
double     kymo_findings_get_share    (const KymoFindingsReport *report,
                                       KymoEvaluation           *evaluation,
                                       const KymoRule           *rule,
                                       gint64                    cost_ns);
void       kymo_findings_weigh        (KymoFindingsReport       *report);
KymoTable *kymo_findings_compare_wall (const KymoFindingsReport *report);

G_END_DECLS
