/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoEventPages: a list model of the records that a question of kind events is about,
 * however many: items (KymoLine) are numbers, and their words come in pages that are
 * asked for when a line of them is to be seen. The last pages are kept.
 *
 * Signals: "page-changed" (first, n): the words of these lines are there now; "counted":
 * the list is another one, or longer; "failed" (sentence). Main thread only.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-question.h"
#include "kymo-source.h"
#include "kymo-table.h"

G_BEGIN_DECLS

#define KYMO_TYPE_EVENT_PAGES (kymo_event_pages_get_type ())
G_DECLARE_FINAL_TYPE (KymoEventPages, kymo_event_pages, KYMO, EVENT_PAGES, GObject)

/* Makes the question of a list anew, without page; (transfer full). */
typedef KymoQuestion *(*KymoEventQuestion) (gpointer data);

KymoEventPages *kymo_event_pages_new        (KymoSource        *source,
                                             KymoEventQuestion  question,
                                             gpointer           data);
/* Forgets all: another location, filter or range. @at_ns: the first page is asked
   around this time, or KYMO_NULL_INT. */
void            kymo_event_pages_reset      (KymoEventPages    *self,
                                             gint64             at_ns);
/* The run has grown: more records of the same list. Lines stay, those that are to be seen are
   asked for anew. */
void            kymo_event_pages_renew      (KymoEventPages    *self);
/* (transfer none) (nullable): the list that holds a line, and its row there; where it is
   not known it is asked for. */
KymoTable      *kymo_event_pages_look       (KymoEventPages    *self,
                                             guint              line,
                                             guint             *row);
/* The first line at the time that was given, once it is known; else G_MAXUINT. */
guint           kymo_event_pages_get_at     (KymoEventPages    *self);
gboolean        kymo_event_pages_is_busy    (KymoEventPages    *self);

G_END_DECLS
