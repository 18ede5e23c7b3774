/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What pictures of communication share: whether they show messages or bytes, which are
 * asked for, and how amounts of them and what is left out are told. Any thread may call.
 */
#pragma once

#include "kymo-plot-private.h"

G_BEGIN_DECLS

/* Whether the answer is to be shown by messages; else by bytes. */
gboolean kymo_traffic_by_messages   (const KymoTable *answer);
/* (transfer full): "12.3 kB", or "1,234" */
char    *kymo_traffic_amount        (gboolean         by_messages,
                                     double           amount);
/* (transfer full): "1,234 messages, 12.3 kB" */
char    *kymo_traffic_both          (gint64           messages,
                                     gint64           bytes);
/* (transfer full) (nullable): "415 without a record of their creation"; NULL where all
   messages were matched */
char    *kymo_traffic_dup_unmatched (const KymoTable *answer);
/* What pictures of communication ask: without what is hidden, and joined. */
KymoQuestion *kymo_traffic_question (const KymoPlotFrame *frame,
                                     const char      *kind);
/* (transfer full): all that was received, or sent, as "1,234 messages, 12.3 kB"; where some
   are left out as "1,234 of 5,000 messages, 12.3 kB (at least 64 KiB, tag 7)" */
char    *kymo_traffic_dup_sums      (const KymoTable *answer,
                                     gboolean         sent);
/* (transfer full) (nullable): by what messages are left out, a string each */
char   **kymo_traffic_list_filters  (const KymoTable *answer);
/* Where there is no message to show: none are, or all are left out. */
void     kymo_traffic_paint_empty   (cairo_t         *cr,
                                     const KymoTable *answer,
                                     const KymoPlotFrame *frame,
                                     KymoRect         area);

G_END_DECLS
