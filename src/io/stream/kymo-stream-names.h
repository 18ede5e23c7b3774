/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of the entry ids of a stream, from an .sts: the file that the program
 * wrote, or what a recording holds of one.
 *
 * One thread at a time.
 */
#pragma once

#include "kymo-run.h"
#include "kymo-stream-block.h"

G_BEGIN_DECLS

typedef struct _KymoStreamNames KymoStreamNames;

KymoStreamNames    *kymo_stream_names_new  (void);
void                kymo_stream_names_free (KymoStreamNames       *names);
/* Takes the place of all names before; those stay where it fails. */
gboolean            kymo_stream_names_read (KymoStreamNames       *names,
                                            const char            *path,
                                            GBytes               **sts,
                                            GError               **error);
gboolean            kymo_stream_names_take (KymoStreamNames       *names,
                                            GBytes                *sts,
                                            GError               **error);
char               *kymo_stream_names_dup  (const KymoStreamNames *names,
                                            gint64                 id);
const KymoActivity *kymo_stream_names_peek (const KymoStreamNames *names,
                                            gint64                 id);
KymoRole            kymo_stream_names_role (const KymoStreamNames *names,
                                            gint64                 id);
double              kymo_stream_names_utilization (const KymoStreamNames *names,
                                            const KymoStreamBlock *block);
const KymoRun      *kymo_stream_names_peek_run (const KymoStreamNames *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStreamNames, kymo_stream_names_free)

G_END_DECLS
