/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoEventsWriting: a row that is there while records are written to a file
 * (kymo-events-save.h), with how far it is, and a way to stop it. When the row goes, so does
 * the file.
 *
 * Signal: "changed" (sentence): writing has begun (NULL), or ended. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-question.h"
#include "kymo-source.h"

G_BEGIN_DECLS

#define KYMO_TYPE_EVENTS_WRITING (kymo_events_writing_get_type ())
G_DECLARE_FINAL_TYPE (KymoEventsWriting, kymo_events_writing, KYMO, EVENTS_WRITING, GtkBox)

GtkWidget *kymo_events_writing_new     (void);
/* @question: (transfer full): without page. Nothing while others are being written. */
void       kymo_events_writing_start   (KymoEventsWriting *self,
                                        KymoSource        *source,
                                        KymoQuestion      *question,
                                        const char        *path);
gboolean   kymo_events_writing_is_busy (KymoEventsWriting *self);

G_END_DECLS
