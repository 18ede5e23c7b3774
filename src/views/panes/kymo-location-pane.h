/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLocationPane: the locations (PEs) with their busy share; the checked
 * ones are what all views show. Where the run knows where it ran, the tree of
 * that stands above. Signal: "explain" (PEs as text: why they stick
 * out). Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_LOCATION_PANE (kymo_location_pane_get_type ())
G_DECLARE_FINAL_TYPE (KymoLocationPane, kymo_location_pane, KYMO,
                      LOCATION_PANE, GtkBox)

GtkWidget *kymo_location_pane_new (KymoSession *session);

G_END_DECLS
