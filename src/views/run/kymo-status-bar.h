/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoStatusBar: visible range, selection, markers and their difference,
 * whether clocks were corrected, what a reduced run stands for, the load
 * report's state, and whether the picture is exact, or else what it rests on and
 * how much is read. The buttons activate "win.report" and "win.stop-reading".
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-reduction-pill.h"
#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_STATUS_BAR (kymo_status_bar_get_type ())
G_DECLARE_FINAL_TYPE (KymoStatusBar, kymo_status_bar, KYMO, STATUS_BAR,
                      GtkBox)

GtkWidget *kymo_status_bar_new        (KymoSession   *session);
void       kymo_status_bar_set_report (KymoStatusBar *self,
                                       const char    *words,
                                       gboolean       complete);
/* What it says of a reduced run. */
KymoReductionPill *
           kymo_status_bar_get_pill   (KymoStatusBar *self);
void       kymo_status_bar_set_notes  (KymoStatusBar *self,
                                       const char    *notes);
void       kymo_status_bar_set_draft  (KymoStatusBar *self,
                                       const char    *words);
void       kymo_status_bar_set_progress (KymoStatusBar *self,
                                       double         fraction,
                                       const char    *stage);
void       kymo_status_bar_set_preview (KymoStatusBar *self,
                                       gboolean       is_preview);
void       kymo_status_bar_set_busy   (KymoStatusBar *self,
                                       gboolean       busy);

G_END_DECLS
