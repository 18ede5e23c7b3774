/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoExplainView: why some PEs stick out. A line a reason: a sentence, the
 * figures of these PEs over those of all, and a button to an instance of it. It
 * stays with the PEs and the time it was asked about, whatever is shown
 * meanwhile, so that one can look at one reason after the other.
 *
 * Signals: "go-to" (location, a time there), "close".
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_EXPLAIN_VIEW (kymo_explain_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoExplainView, kymo_explain_view, KYMO, EXPLAIN_VIEW,
                      GtkBox)

GtkWidget *kymo_explain_view_new     (KymoSession     *session);
void       kymo_explain_view_set_pes (KymoExplainView *self,
                                      KymoIdSet       *of,
                                      const char      *title);
gboolean   kymo_explain_view_is_busy (KymoExplainView *self);

G_END_DECLS
