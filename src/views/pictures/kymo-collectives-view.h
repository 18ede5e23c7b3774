/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoCollectivesView: what ranks did together in the visible range: sums by operation, and below
 * the single operations that cost most waiting, of the one that is chosen in the sums. From an
 * operation one goes to where it was, and to who came last.
 *
 * Signals: "show-view" (id of a view). Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_COLLECTIVES_VIEW (kymo_collectives_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoCollectivesView, kymo_collectives_view, KYMO, COLLECTIVES_VIEW, GtkBox)

GtkWidget *kymo_collectives_view_new (KymoSession *session);

G_END_DECLS
