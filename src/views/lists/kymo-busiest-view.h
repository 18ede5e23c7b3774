/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoBusiestView: the busiest entry methods of a stream, now and over the
 * run. It asks at most once a second, and only where it is seen. It is a
 * legend as well: the pointer lifts a series, its dot hides it.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_BUSIEST_VIEW (kymo_busiest_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoBusiestView, kymo_busiest_view, KYMO, BUSIEST_VIEW,
                      GtkBox)

GtkWidget  *kymo_busiest_view_new        (KymoSession     *session);
/* The rows as they are shown, KymoBusiestRow. */
GListModel *kymo_busiest_view_peek_model (KymoBusiestView *self);
void        kymo_busiest_view_set_filter (KymoBusiestView *self,
                                          const char      *text);

G_END_DECLS
