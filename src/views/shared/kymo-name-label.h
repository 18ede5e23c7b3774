/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A label of the name of a function: where the whole name has no room, it is shown without the
 * place of its source, and then without its arguments (kymo_name_shorten()), before it is cut in
 * its middle. The label itself keeps the whole name. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define KYMO_TYPE_NAME_LABEL (kymo_name_label_get_type ())
G_DECLARE_FINAL_TYPE (KymoNameLabel, kymo_name_label, KYMO, NAME_LABEL, GtkWidget)

/* (transfer floating) @label: (transfer floating): elided in its middle */
GtkWidget *kymo_name_label_new       (GtkWidget     *label);
GtkLabel  *kymo_name_label_get_label (KymoNameLabel *self);
/* (transfer full): what is drawn of the name, before it is elided */
char      *kymo_name_label_dup_drawn (KymoNameLabel *self);

G_END_DECLS
