/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a run did, as rows of figures: its efficiencies, useful time and where the
 * rest went. One of the whole run, or one of what is selected or shown, which
 * follows the session and is not to be seen while that is the whole run.
 *
 * Of all locations but communication threads, whichever are looked at: these
 * are averages. Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_PERFORMANCE_GROUP (kymo_performance_group_get_type ())
G_DECLARE_FINAL_TYPE (KymoPerformanceGroup, kymo_performance_group, KYMO,
                      PERFORMANCE_GROUP, AdwPreferencesGroup)

GtkWidget *kymo_performance_group_new (KymoSession *session,
                                       gboolean     of_range);

G_END_DECLS
