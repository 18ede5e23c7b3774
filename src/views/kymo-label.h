/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels and tooltips of texts that files name: what is too long to be read is never laid out
 * (kymo_name_shown()), and what would act on what stands around it is replaced
 * (kymo-safe-text.h).
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A label without markup. @text: (nullable) */
void kymo_label_set     (GtkWidget  *label,
                         const char *text);
/* @text: (nullable): no tooltip */
void kymo_label_set_tip (GtkWidget  *widget,
                         const char *text);

G_END_DECLS
