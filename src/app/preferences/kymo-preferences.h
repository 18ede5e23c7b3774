/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window of preferences: what a person decides once, and not for a run.
 * Main thread only.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void                 kymo_preferences_present   (GtkWindow *parent);
AdwPreferencesGroup *kymo_cache_preferences_new (void);
AdwPreferencesGroup *kymo_look_preferences_new (void);
AdwPreferencesGroup *kymo_memory_preferences_new (void);
AdwPreferencesGroup *kymo_stream_preferences_new (void);

G_END_DECLS
