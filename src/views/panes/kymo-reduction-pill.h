/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is to be known of a reduced run: what it was reduced from, how many PEs
 * each of its PEs stands for, and how far figures are off when they are
 * extrapolated. KymoReductionPill is a button of the status bar that says it in
 * a few words and, when it is pressed, in all; kymo_reduction_group_new() is the
 * same for the summary page. Both are hidden of a run that was not reduced.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_REDUCTION_PILL (kymo_reduction_pill_get_type ())
G_DECLARE_FINAL_TYPE (KymoReductionPill, kymo_reduction_pill, KYMO,
                      REDUCTION_PILL, GtkBox)

GtkWidget  *kymo_reduction_pill_new      (KymoSession       *session);
void        kymo_reduction_pill_set_info (KymoReductionPill *self,
                                          const KymoTable   *info);
const char *kymo_reduction_pill_get_text (KymoReductionPill *self);
GtkWidget  *kymo_reduction_group_new     (const KymoTable   *info,
                                          KymoTerms          terms);

G_END_DECLS
