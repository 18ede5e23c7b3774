/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the rows of locations are arranged in a session: by what they are sorted,
 * which is asked of the source once and then stays, whatever range is shown; and
 * whether they stand by node and process, and which of these groups are folded.
 *
 * Signal "rows-changed": what is wished of rows is another, or why there is no
 * such order; "filter-changed" tells that questions are. Main thread only.
 */
#pragma once

#include "kymo-row-groups.h"
#include "kymo-session.h"

G_BEGIN_DECLS

/* An order as kymo_row_order_parse() reads it, "-busy"; NULL = by number. */
const char *kymo_session_peek_row_order  (KymoSession *self);
/* `in_view`: by what is in sight now, else of the whole run. */
void        kymo_session_set_row_order   (KymoSession *self,
                                          const char  *order,
                                          gboolean     in_view);
/* `span`: (nullable): by what is in it. */
void        kymo_session_sort_rows       (KymoSession *self,
                                          const char  *order,
                                          const KymoSpan *span);
/* The range the rows are sorted by; FALSE for the whole run, or no order. */
gboolean    kymo_session_get_row_order_span (KymoSession *self,
                                          KymoSpan    *span);
/* While the answer is on its way. */
gboolean    kymo_session_is_sorting      (KymoSession *self);
/* Why rows could not be sorted, or NULL. */
const char *kymo_session_peek_rows_failure (KymoSession *self);

/* Shorter blocks are hidden in timelines; 0 = none. */
gint64      kymo_session_get_least_ns    (KymoSession *self);
void        kymo_session_set_least_ns    (KymoSession *self,
                                          gint64       least_ns);
/* The counter whose line stands under the rows; NULL = none. */
const char *kymo_session_peek_line       (KymoSession *self);
void        kymo_session_set_line        (KymoSession *self,
                                          const char  *name);
/* The system metrics under the rows, with commas between them; NULL = none. */
const char *kymo_session_peek_metrics    (KymoSession *self);
void        kymo_session_set_metrics     (KymoSession *self,
                                          const char  *names);
/* Rows by node and process. */
gboolean    kymo_session_get_grouped     (KymoSession *self);
void        kymo_session_set_grouped     (KymoSession *self,
                                          gboolean     grouped);
/* (nullable): the groups, once they are known and while rows are grouped */
KymoRowGroups *
            kymo_session_peek_groups     (KymoSession *self);
void        kymo_session_fold_group      (KymoSession *self,
                                          guint        group,
                                          gboolean     folded);
void        kymo_session_fold_from       (KymoSession *self,
                                          guint        depth);
void        kymo_session_fold_text       (KymoSession *self,
                                          const char  *text);
/* (transfer full): that text. */
char       *kymo_session_dup_fold_text   (KymoSession *self);

G_END_DECLS
