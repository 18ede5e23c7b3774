/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What limits a run, as an answer: findings by cost, what was excluded, what could not be tested,
 * and the time that nothing explains. The command line prints it, the window shows it.
 */
#pragma once

#include "kymo-evaluation.h"

G_BEGIN_DECLS

/** KYMO_FINDING_SHARE: of the elapsed time that a finding costs at least; half of it is a hint */
#define KYMO_FINDING_SHARE 0.1

/**
 * KymoFindingState:
 * @KYMO_FINDING_NONE: no finding
 * @KYMO_FINDING_POSSIBLE: a hint: small, or relative and seen in few runs
 * @KYMO_FINDING_LIKELY: absolute and large, or three of five runs agree
 * @KYMO_FINDING_CERTAIN: four of five runs agree, and an independent signal confirms it
 */
typedef enum
{
  KYMO_FINDING_NONE,
  KYMO_FINDING_POSSIBLE,
  KYMO_FINDING_LIKELY,
  KYMO_FINDING_CERTAIN,
} KymoFindingState;

KymoTable *kymo_findings_new     (const KymoRules       *rules,
                                  GPtrArray             *evaluations);
KymoTable *kymo_findings_explain (const KymoRules       *rules,
                                  KymoEvaluation        *evaluation,
                                  const KymoRule        *diagnosis);

G_END_DECLS
