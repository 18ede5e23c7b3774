/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows that ask how a server is to begin on a machine: which of its launches, and the values that
 * the launch has a place for.
 *
 * Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-host.h"

G_BEGIN_DECLS

GtkWidget *kymo_launch_sheet_new       (GCallback        entered,
                                        gpointer         data);
void       kymo_launch_sheet_set_host  (GtkWidget       *sheet,
                                        const KymoHost  *host,
                                        const char      *launch);
gboolean   kymo_launch_sheet_is_needed (const KymoHost  *host);
char      *kymo_launch_sheet_dup_words (GtkWidget       *sheet,
                                        GError         **error);

G_END_DECLS
