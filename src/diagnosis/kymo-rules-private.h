/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What reading rules and keeping them share.
 */
#pragma once

#include "kymo-rules.h"

G_BEGIN_DECLS

struct _KymoRules
{
  GPtrArray  *list;             /* KymoRule, by number */
  GHashTable *by_name;          /* name -> KymoRule of the list */
};

void kymo_rule_free        (gpointer    rule);
void kymo_rules_take       (KymoRules  *rules,
                            KymoRule   *rule,
                            GPtrArray  *faults);
void kymo_rules_add_fault  (GPtrArray  *faults,
                            const char *file,
                            guint       line,
                            const char *format,
                            ...) G_GNUC_PRINTF (4, 5);

G_END_DECLS
