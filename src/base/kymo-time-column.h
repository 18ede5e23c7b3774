/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times that stand below each other in a table: all have one unit and the same number of decimals,
 * so that the eye can compare them. Pure functions; any thread may call.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoTimeColumn:
 * @unit_ns: what the unit is in ns: that of "s", "ms", "µs" or "ns"
 * @step_ns: what the last digit stands for, a power of ten; never above the unit
 */
typedef struct
{
  gint64 unit_ns, step_ns;
} KymoTimeColumn;

void  kymo_time_column_init         (KymoTimeColumn       *self,
                                     double                least_ns,
                                     double                most_ns);
void  kymo_time_column_init_moments (KymoTimeColumn       *self,
                                     gint64                most_ns,
                                     gint64                step_ns);
char *kymo_time_column_format       (const KymoTimeColumn *self,
                                     double                ns);

G_END_DECLS
