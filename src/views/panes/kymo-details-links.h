/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoDetailsLinks: a line of links to the other ends of the selected block's messages:
 * its sender, and what it caused. There where there are any. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_DETAILS_LINKS (kymo_details_links_get_type ())
G_DECLARE_FINAL_TYPE (KymoDetailsLinks, kymo_details_links, KYMO, DETAILS_LINKS, GtkBox)

GtkWidget *kymo_details_links_new (KymoSession *session);

G_END_DECLS
