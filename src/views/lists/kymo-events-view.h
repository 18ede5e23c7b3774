/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoEventsView: the records of one location in words, however many there are: pages of
 * them are asked for around what is to be seen. Filtered by kind, by text or regular
 * expression, by length and by the visible range. It follows the selected block, and a line that is
 * chosen selects the block at its time.
 *
 * Signals: "message" (sentence), "show-view" (id): a line was activated. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_EVENTS_VIEW (kymo_events_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoEventsView, kymo_events_view, KYMO, EVENTS_VIEW, GtkBox)

GtkWidget *kymo_events_view_new        (KymoSession    *session);
/* Lines of the list, of which a few are known. */
guint      kymo_events_view_get_n      (KymoEventsView *self);
/* (nullable) (transfer full): "time kind what" of a line that is known */
char      *kymo_events_view_dup_line   (KymoEventsView *self,
                                        guint           line);
gboolean   kymo_events_view_is_settled (KymoEventsView *self);
/* The chosen line, or GTK_INVALID_LIST_POSITION. */
guint      kymo_events_view_get_chosen (KymoEventsView *self);

/* Writes the records of the list on a worker thread, see kymo-events-save.h; "message" tells
   the end. Nothing while others are being written. */
void       kymo_events_view_save_to    (KymoEventsView *self,
                                        const char     *path);
/* Asks where to, first. */
void       kymo_events_view_ask_save   (KymoEventsView *self);
/* (transfer full) (nullable): the line of kymo-cli that gives the same file; @path: of the
   run */
char      *kymo_events_view_dup_command (KymoEventsView *self,
                                        const char     *path,
                                        GError        **error);

G_END_DECLS
