/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLivePlayback: play and pause, speed, and a seek bar with times for a
 * recording that is played back. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-feed.h"

G_BEGIN_DECLS

#define KYMO_TYPE_LIVE_PLAYBACK (kymo_live_playback_get_type ())
G_DECLARE_FINAL_TYPE (KymoLivePlayback, kymo_live_playback, KYMO,
                      LIVE_PLAYBACK, GtkBox)

GtkWidget *kymo_live_playback_new    (KymoFeed         *feed);
/* As its button does: lets the recording stand, or go on. */
void       kymo_live_playback_toggle (KymoLivePlayback *self);

G_END_DECLS
