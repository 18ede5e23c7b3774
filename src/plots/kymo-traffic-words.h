/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What pictures of communication share: whether they show messages or bytes, and how
 * amounts of them are told. Any thread may call.
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

G_END_DECLS
