/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tells of alarms on the desktop, at most one a second: what comes faster
 * waits its turn, and a newer word of the same alarm takes the older one's
 * place. Main thread only.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void kymo_alarms_tell     (guint       page,
                           const char *title,
                           const char *sentence);
/* What was told of a page, or waits to be, is taken back. */
void kymo_alarms_withdraw (guint       page);

G_END_DECLS
