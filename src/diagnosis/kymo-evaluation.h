/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which diagnoses are true of a run. Knapp, Karavanic and Pase, "Detecting Runtime Environment
 * Interference with Parallel Application Behavior": a diagnosis compares metrics with expectations,
 * or combines diagnoses; one that is true triggers others.
 *
 * A queue, ordered by priority, then by what measuring costs, then by the order in the files, holds
 * what is to be tested. At the begin these are the diagnoses that compare, that no trigger leads to
 * and that are not parts of triggered diagnoses alone. A combination is tested again whenever a
 * part changes; it makes nothing be measured that waits for a trigger. Each diagnosis is tested
 * at most once, so triggers that lead back end. All steps are kept. A metric that a probe tells is
 * measured when its turn comes, if there is consent and time (kymo-probe-budget.h).
 */
#pragma once

#include "kymo-run-metrics.h"

G_BEGIN_DECLS

/**
 * KymoVerdict:
 * @truth: the value
 * @cost_ns: what could be saved, before overlaps; 0 where the rule has no cost
 * @vote_cost_ns: the same, where several runs vote
 * @usual_cost_ns: the same in the reference runs; -1: not known
 * @why: (nullable): what is missing if it is untested
 * @is_confirmed: whether the independent signal is true, too
 * @step: when it got its value, from 1; 0: never
 */
typedef struct
{
  KymoTruth truth;
  gint64    cost_ns, vote_cost_ns, usual_cost_ns;
  char     *why;
  gboolean  is_confirmed;
  guint     step;
} KymoVerdict;

typedef struct _KymoEvaluation KymoEvaluation;

KymoEvaluation    *kymo_evaluation_new  (const KymoRules      *rules,
                                         KymoRunMetrics          *measure);
void               kymo_evaluation_free (KymoEvaluation       *evaluation);
const KymoVerdict *kymo_evaluation_get  (const KymoEvaluation *evaluation,
                                         const KymoRule       *diagnosis);
gint64             kymo_evaluation_find_cost
                                        (KymoEvaluation       *evaluation,
                                         const KymoRule       *diagnosis);
KymoRunMetrics       *kymo_evaluation_peek_measure
                                        (KymoEvaluation       *evaluation);
/* (transfer full) (element-type KymoRule): diagnoses in the order in which they got their values */
GPtrArray         *kymo_evaluation_list_steps
                                        (const KymoEvaluation *evaluation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoEvaluation, kymo_evaluation_free)

G_END_DECLS
