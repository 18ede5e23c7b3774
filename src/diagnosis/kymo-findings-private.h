/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What complete findings and their drafts share.
 */
#pragma once

#include "kymo-findings.h"

G_BEGIN_DECLS

double kymo_findings_get_metric (const KymoRules *rules,
                                 KymoRunMetrics  *measure,
                                 const char      *name);
void   kymo_findings_set_head   (KymoTable       *answer,
                                 const KymoRules *rules,
                                 KymoRunMetrics  *measure);

G_END_DECLS
