/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the pictures of comparisons share: columns whose name tells their unit, and
 * amounts in words. Any thread.
 */
#pragma once

#include "kymo-plot-private.h"

G_BEGIN_DECLS

/* A column of activities, totals or sides: NAME_ns of times, NAME of metrics. */
const gint64 *kymo_compare_column (const KymoTable *answer,
                                   const KymoTable *table,
                                   const char      *name,
                                   guint           *width);
/* (transfer full): "1.25 ms", or a count of what a metric counts */
char         *kymo_compare_amount (const KymoTable *answer,
                                   gint64           value);
/* (transfer full): the same with a sign */
char         *kymo_compare_signed (const KymoTable *answer,
                                   gint64           value);
/* (transfer full): "A", "B" */
char         *kymo_compare_side   (const KymoTable *answer,
                                   guint            side);

G_END_DECLS
