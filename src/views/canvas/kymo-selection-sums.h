/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sums of what a person dragged over, in words: shares of the time of all its
 * locations, and its entry methods with most time. They are those of the answer of a
 * profile of that range, so that window and command line say the same. Any thread.
 */
#pragma once

#include "kymo-table.h"

G_BEGIN_DECLS

/* (transfer full): "busy 68.1 % · idle 28.7 % · overhead 3.2 %"; "useful …" of functions */
char *kymo_selection_dup_shares     (const KymoTable *profile);
/* (transfer full): the first ones, each with its share, sum, calls, average, shortest and
   longest; "" where there is none */
char *kymo_selection_dup_activities (const KymoTable *profile,
                                     guint            most);

G_END_DECLS
