/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A condition on a stream that a person wants to be told of. A plain value.
 */
#pragma once

#include "kymo-watched-value.h"

G_BEGIN_DECLS

/**
 * KymoConditionKind:
 * @KYMO_CONDITION_BELOW: utilization is below `share` for `for_ns`
 * @KYMO_CONDITION_ABOVE: an entry method has more than `share` of all time for
 *   `for_ns` (`name`, or any where it is NULL; never the sum called others)
 * @KYMO_CONDITION_SILENT: no new block for `for_ns` while attached
 * @KYMO_CONDITION_VALUE: a value of a recorded job is below or above `amount` for `for_ns`
 */
typedef enum
{
  KYMO_CONDITION_BELOW,
  KYMO_CONDITION_ABOVE,
  KYMO_CONDITION_SILENT,
  KYMO_CONDITION_VALUE,
} KymoConditionKind;

/**
 * KymoCondition:
 * @share: 0 to 1
 * @name: display name of an entry method, or %NULL
 * @value: of a condition on a value, as are all that follow; %NULL otherwise
 * @figure: lowest, mean or highest of the processes
 * @below: TRUE if the condition is met below @amount, FALSE if it is above
 * @amount: in the unit of @value
 */
typedef struct
{
  KymoConditionKind kind;
  double            share;
  gint64            for_ns;
  char             *name;
  const KymoWatchedValue *value;
  KymoWatchedFigure figure;
  gboolean          below;
  gint64            amount;
} KymoCondition;

KymoCondition *kymo_condition_new  (KymoConditionKind    kind,
                                    double               share,
                                    gint64               for_ns,
                                    const char          *name);
KymoCondition *kymo_condition_new_value (KymoWatchedFigure figure,
                                    const KymoWatchedValue *value,
                                    gboolean             below,
                                    gint64               amount,
                                    gint64               for_ns);
KymoCondition *kymo_condition_copy (const KymoCondition *condition);
void           kymo_condition_free (KymoCondition       *condition);
gboolean       kymo_condition_equal (const KymoCondition *a,
                                    const KymoCondition *b);
/* "below 20% for 5s", "above 80% for 3s Cell::run", "silent 10s",
   "highest memory above 2GB for 5s", and back. */
char          *kymo_condition_to_string (const KymoCondition *condition);
KymoCondition *kymo_condition_parse (const char         *text,
                                    GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCondition, kymo_condition_free)

G_END_DECLS
