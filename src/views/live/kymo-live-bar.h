/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLiveBar: the controls of a live view: how it stands with the program,
 * pause and go live, how much is visible in bars of what length, figures of
 * the stream, recording; and for a playback where it is and how fast it goes.
 *
 * Recording, names and conditions are actions of the window: stream-save,
 * stream-record, stream-names, stream-watch.
 *
 * Signal: "bar-changed" (another length of bars is wanted). Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-feed.h"
#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_LIVE_BAR (kymo_live_bar_get_type ())
G_DECLARE_FINAL_TYPE (KymoLiveBar, kymo_live_bar, KYMO, LIVE_BAR, GtkBox)

GtkWidget *kymo_live_bar_new        (KymoSession *session,
                                     KymoFeed    *feed);
/* Length of a bar that the person wants, and the one that is shown. */
gint64     kymo_live_bar_get_bar_ns (KymoLiveBar *self);
void       kymo_live_bar_set_shown  (KymoLiveBar *self,
                                     gint64       bar_ns);
/* As its buttons do: lets the view stand, or go on; a playback itself. */
void       kymo_live_bar_pause      (KymoLiveBar *self);
/* More entries of its menu. */
void       kymo_live_bar_add_menu   (KymoLiveBar *self,
                                     GMenuModel  *section);

G_END_DECLS
