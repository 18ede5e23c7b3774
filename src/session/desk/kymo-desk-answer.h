/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A desk as an answer, for JSON, CSV and text: what was kept of which run, and its
 * bookmarks. Any thread.
 */
#pragma once

#include "kymo-desk.h"
#include "kymo-table.h"

G_BEGIN_DECLS

KymoTable *kymo_bookmarks_table_new    (void);
void       kymo_bookmarks_table_append (KymoTable      *table,
                                        KymoSpan        span,
                                        const char     *name,
                                        const char     *note,
                                        const char     *locations);
/* (transfer full): what is not set is left out, times that are not are null */
KymoTable *kymo_desk_dup_answer        (const KymoDesk *desk);

G_END_DECLS
