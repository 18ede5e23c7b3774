/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the rows of locations are arranged in a session: by what they are sorted,
 * which is asked of the source once and then stays, whatever range is shown.
 *
 * Signal "rows-changed": what is wished of rows is another, or why there is no
 * such order; "filter-changed" tells that questions are. Main thread only.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

/* An order as kymo_row_order_parse() reads it, "-busy"; NULL = by number. */
const char *kymo_session_peek_row_order  (KymoSession *self);
/* `in_view`: by what is in sight now, else of the whole run. */
void        kymo_session_set_row_order   (KymoSession *self,
                                          const char  *order,
                                          gboolean     in_view);
/* The range the rows are sorted by; FALSE for the whole run, or no order. */
gboolean    kymo_session_get_row_order_span (KymoSession *self,
                                          KymoSpan    *span);
/* While the answer is on its way. */
gboolean    kymo_session_is_sorting      (KymoSession *self);
/* Why rows could not be sorted, or NULL. */
const char *kymo_session_peek_rows_failure (KymoSession *self);

G_END_DECLS
