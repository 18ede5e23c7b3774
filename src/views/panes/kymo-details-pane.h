/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoDetailsPane: the selected block in words and figures. Always in its
 * place, so that a click moves nothing. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_DETAILS_PANE (kymo_details_pane_get_type ())
G_DECLARE_FINAL_TYPE (KymoDetailsPane, kymo_details_pane, KYMO, DETAILS_PANE,
                      GtkBox)

GtkWidget *kymo_details_pane_new (KymoSession *session);

G_END_DECLS
