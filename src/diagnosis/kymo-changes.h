/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What changed the time between two sides of a comparison, by cause. The time of each run is split:
 * what it computed, what each cause costs that is true of one of them (kymo-rules.h), what was not
 * traced, and what no cause explains. The differences of these parts sum up to the
 * difference of the times, exactly.
 */
#pragma once

#include "kymo-comparison.h"

G_BEGIN_DECLS

/** KYMO_CHANGE_COMPUTING: ids of the parts that are no diagnosis: this and the next two */
#define KYMO_CHANGE_COMPUTING "computing"
#define KYMO_CHANGE_UNTRACED "untraced"
#define KYMO_CHANGE_REST "not-explained"

KymoTable *kymo_changes_new          (KymoComparison  *comparison,
                                      const KymoTable *compared,
                                      GCancellable    *cancellable,
                                      GError         **error);
KymoTable *kymo_changes_ask          (KymoSource          *source,
                                      const KymoQuestion  *question,
                                      GCancellable        *cancellable,
                                      GError             **error);
char      *kymo_changes_dup_headline (const KymoTable *changes);
char     **kymo_changes_dup_lines    (const KymoTable *changes);

G_END_DECLS
