/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a run to its findings in one call, by the rules that Kymo ships and those of the person.
 */
#pragma once

#include "kymo-probe-budget.h"
#include "kymo-rules.h"
#include "kymo-source.h"

G_BEGIN_DECLS

/** KYMO_QUESTION_FINDINGS: kind of the question that kymo_diagnose() answers; no source knows it */
#define KYMO_QUESTION_FINDINGS "findings"

KymoRules *kymo_diagnose_dup_rules (GError **error);
gboolean   kymo_diagnose_refuse    (GPtrArray *faults, GError **error);
KymoTable *kymo_diagnose           (KymoSource         *source,
                                    const KymoQuestion *question,
                                    GCancellable       *cancellable,
                                    GError            **error);
KymoTable *kymo_diagnose_draft     (KymoSource         *source,
                                    const KymoQuestion *question,
                                    GCancellable       *cancellable,
                                    GError            **error);
KymoTable *kymo_diagnose_measured  (KymoSource         *source,
                                    const KymoQuestion *question,
                                    gint64              budget_ns,
                                    KymoProbeStart      start,
                                    gpointer            data,
                                    GCancellable       *cancellable,
                                    GError            **error);

G_END_DECLS
