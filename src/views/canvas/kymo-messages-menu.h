/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoMessagesMenu: the button over a timeline whose menu says which messages are shown.
 * It says so itself, too. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session-messages.h"

G_BEGIN_DECLS

#define KYMO_TYPE_MESSAGES_MENU (kymo_messages_menu_get_type ())
G_DECLARE_FINAL_TYPE (KymoMessagesMenu, kymo_messages_menu, KYMO, MESSAGES_MENU,
                      GtkBox)

GtkWidget  *kymo_messages_menu_new (KymoSession *session);
/* Over pictures of sums: which messages are counted; there are no lines. */
GtkWidget  *kymo_messages_menu_new_of_sums
                                   (KymoSession *session);
/* The next kind of lines, for a key; what is shown now, in words. */
const char *kymo_messages_next     (KymoSession *session);

G_END_DECLS
