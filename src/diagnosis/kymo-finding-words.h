/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values and sentences of findings in words.
 */
#pragma once

#include "kymo-evaluation.h"

G_BEGIN_DECLS

char       *kymo_finding_format      (const KymoRule *metric,
                                      double          value);
const char *kymo_finding_unit        (const KymoRule *metric,
                                      double         *factor);
char       *kymo_finding_format_measured
                                     (const KymoRule     *metric,
                                      const KymoMeasured *measured);
char       *kymo_finding_fill        (const char      *text,
                                      const KymoRules *rules,
                                      KymoRunMetrics     *measure,
                                      gint64           cost_ns,
                                      double           share);

G_END_DECLS
