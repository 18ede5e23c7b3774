/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One entry that goes anywhere: a PE, an entry method, a time or a range, a
 * view. What is typed lists the places it may mean. Main thread only.
 */
#pragma once

#include "kymo-run-view.h"

G_BEGIN_DECLS

void     kymo_go_to_show  (KymoRunView *view);
gboolean kymo_go_to_typed (KymoRunView *view,
                           const char  *text);

G_END_DECLS
