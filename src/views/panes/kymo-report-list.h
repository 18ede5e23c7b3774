/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load report as a group of rows, from an answer of kind info: for the
 * summary and for the dialog that the banner opens.
 */
#pragma once

#include <adwaita.h>

#include "kymo-table.h"

G_BEGIN_DECLS

GtkWidget *kymo_report_list_new      (const KymoTable *info);
void       kymo_report_list_set_info (GtkWidget       *group,
                                      const KymoTable *info);
void       kymo_report_dialog_show   (GtkWindow       *parent,
                                      const KymoTable *info);
/* "lost", translated */
const char *kymo_report_severity_word (const char *severity);
/* "3 problems while reading", NULL when nothing was lost or repaired */
char      *kymo_report_dup_headline  (const KymoTable *info);

G_END_DECLS
