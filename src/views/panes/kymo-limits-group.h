/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLimitsGroup: what limits a run, in sentences with a way to see it: what holds most of the
 * critical path, who is busiest, who waits for whom. Of the whole run and of all locations; it asks
 * while it is seen, and is hidden where nothing is to be said.
 *
 * Signals: "show-view" (id of a view), "explain" (locations as text). Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_LIMITS_GROUP (kymo_limits_group_get_type ())
G_DECLARE_FINAL_TYPE (KymoLimitsGroup, kymo_limits_group, KYMO, LIMITS_GROUP, AdwPreferencesGroup)

GtkWidget *kymo_limits_group_new            (KymoSession     *session);
void       kymo_limits_group_tell_functions (KymoLimitsGroup *self,
                                             const char      *functions);
gboolean   kymo_limits_group_is_settled     (KymoLimitsGroup *self);

/* Of the page in which the group is. */
void       kymo_limits_group_widen_page (GtkWidget *page);

G_END_DECLS
