/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A condition on a stream that a person wants to be told of. A plain value.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoConditionKind:
 * @KYMO_CONDITION_BELOW: utilization is below `share` for `for_ns`
 * @KYMO_CONDITION_ABOVE: an entry method has more than `share` of all time for
 *   `for_ns` (`name`, or any where it is NULL; never the sum called others)
 * @KYMO_CONDITION_SILENT: no new block for `for_ns` while attached
 */
typedef enum
{
  KYMO_CONDITION_BELOW,
  KYMO_CONDITION_ABOVE,
  KYMO_CONDITION_SILENT,
} KymoConditionKind;

typedef struct
{
  KymoConditionKind kind;
  double            share;      /* 0 to 1 */
  gint64            for_ns;
  char             *name;       /* display name of an entry method, or NULL */
} KymoCondition;

KymoCondition *kymo_condition_new  (KymoConditionKind    kind,
                                    double               share,
                                    gint64               for_ns,
                                    const char          *name);
KymoCondition *kymo_condition_copy (const KymoCondition *condition);
void           kymo_condition_free (KymoCondition       *condition);
/* "below 20% for 5s", "above 80% for 3s Cell::run", "silent 10s", and back. */
char          *kymo_condition_to_string (const KymoCondition *condition);
KymoCondition *kymo_condition_parse (const char         *text,
                                    GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCondition, kymo_condition_free)

G_END_DECLS
