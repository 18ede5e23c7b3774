/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFindingsView: what limits the run: causes by cost with seconds, a bar, evidence and advice,
 * then what was excluded and what could not be tested. It follows the visible range and the chosen
 * rows. Main thread only.
 *
 * Signals: "show-view" (id of a view), "explain" (locations as text), "message" (a sentence),
 * "answer-changed".
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FINDINGS_VIEW (kymo_findings_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoFindingsView, kymo_findings_view, KYMO, FINDINGS_VIEW, GtkBox)

GtkWidget *kymo_findings_view_new        (KymoSession      *session);
char      *kymo_findings_view_dup_command
                                         (KymoFindingsView *self,
                                          const char       *path);
gboolean   kymo_findings_view_is_settled (KymoFindingsView *self);
gboolean   kymo_findings_view_has_draft  (KymoFindingsView *self);
void       kymo_findings_view_offer_recording
                                         (KymoFindingsView *self);

G_END_DECLS
