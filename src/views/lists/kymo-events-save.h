/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing records to a file on a worker thread, however many: they are asked for in pages,
 * so that no more than one of them is in memory. The ending of the path tells the form:
 * .csv and .json are, to the byte, what `kymo-cli events` gives; anything else is text, a
 * record a line.
 *
 * The file is there when all of it is written, or not at all.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-job.h"
#include "kymo-question.h"
#include "kymo-source.h"
#include "kymo-table.h"

G_BEGIN_DECLS

/** KYMO_EVENT_TEXTS: columns of a record in words: time, length, kind, name, what happened */
#define KYMO_EVENT_TEXTS 5

/* (transfer full): what a record says in a column, "" for nothing; @list: of an answer of
   events */
char    *kymo_event_dup_text     (KymoTable            *list,
                                  guint                 row,
                                  guint                 column);
/* A record a line, columns divided by tabs. */
void     kymo_events_add_lines   (KymoTable            *list,
                                  GString              *text);
/* @question: (transfer full): of kind events, of one location, without page;
   @page: records of a page at most */
void     kymo_events_save_start  (KymoSource           *source,
                                  KymoQuestion         *question,
                                  const char           *path,
                                  guint                 page,
                                  KymoJob              *job,
                                  GAsyncReadyCallback   done,
                                  gpointer              data);
/* Returns: how many were written, -1 on failure */
gint64   kymo_events_save_finish (GAsyncResult         *result,
                                  GError              **error);

G_END_DECLS
