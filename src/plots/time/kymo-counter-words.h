/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of counters in words: where a name tells that they are bytes, as KiB, MiB and the
 * like. Any thread may call.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a value is in bytes, by the unit in the name; 0 where it is something else. */
double   kymo_counter_bytes     (const char *name);
/* Memory in use: values that stay until they are set anew, of which the largest counts. */
gboolean kymo_counter_is_memory (const char *name);
/* (transfer full): "83.9 MiB", or the number */
char    *kymo_counter_dup_name  (const char *name,
                                 const char *unit);
char    *kymo_counter_format    (const char *name,
                                 double      value);

G_END_DECLS
