/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A rule of the watch about a value of a recorded job: the mean over the last seconds of its
 * condition's time, in integers. Only KymoWatch uses it.
 */
#pragma once

#include "kymo-condition.h"
#include "kymo-stream-values.h"

G_BEGIN_DECLS

typedef struct _KymoValueRule KymoValueRule;

KymoValueRule *kymo_value_rule_new    (const KymoCondition    *condition);
void            kymo_value_rule_free   (KymoValueRule         *rule);
void            kymo_value_rule_forget (KymoValueRule         *rule);
gboolean        kymo_value_rule_take   (KymoValueRule         *rule,
                                         const KymoStreamValues *values);
gboolean        kymo_value_rule_is_met (const KymoValueRule   *rule);
gint64          kymo_value_rule_get_length_ns (const KymoValueRule *rule);
char           *kymo_value_rule_tell   (const KymoValueRule   *rule);

G_END_DECLS
