/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoProfileView: the entry methods of the visible range as a table that
 * sorts and filters. Signal "activated" (name): a row was double clicked.
 */
#pragma once

#include "kymo-line-table.h"

G_BEGIN_DECLS

#define KYMO_TYPE_PROFILE_VIEW (kymo_profile_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoProfileView, kymo_profile_view, KYMO, PROFILE_VIEW,
                      KymoLineTable)

GtkWidget *kymo_profile_view_new        (KymoSession     *session);
void       kymo_profile_view_set_filter (KymoProfileView *self,
                                         const char      *text);

G_END_DECLS
