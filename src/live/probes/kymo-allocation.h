/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hosts that the batch job of this program has, as Slurm, PBS and LSF tell them. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean    kymo_allocation_add_list  (GPtrArray  *hosts,
                                       const char *list);
GPtrArray  *kymo_allocation_dup_hosts (void);
const char *kymo_allocation_find      (GPtrArray  *hosts,
                                       const char *name);

G_END_DECLS
