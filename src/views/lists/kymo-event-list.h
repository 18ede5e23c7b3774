/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoEventList: the records of a KymoEventPages as lines with columns, one of which may be
 * chosen. What is bound to a line that is to be seen is asked for; when its page comes the
 * cells are filled.
 *
 * Signals: "chosen" (line): by a person; "activated" (line). Main thread only.
 */
#pragma once

#include "kymo-event-pages.h"
#include "kymo-line-table.h"

G_BEGIN_DECLS

#define KYMO_TYPE_EVENT_LIST (kymo_event_list_get_type ())
G_DECLARE_FINAL_TYPE (KymoEventList, kymo_event_list, KYMO, EVENT_LIST, KymoLineTable)

GtkWidget *kymo_event_list_new        (KymoSession    *session,
                                       KymoEventPages *pages);
/* Scrolls there as well; does not signal. */
void       kymo_event_list_choose     (KymoEventList  *self,
                                       guint           line);
/* The chosen line, or GTK_INVALID_LIST_POSITION. */
guint      kymo_event_list_get_chosen (KymoEventList  *self);

G_END_DECLS
