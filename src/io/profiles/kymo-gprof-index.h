/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KYMO_GPROF_INDEX: the heading of the index */
#define KYMO_GPROF_INDEX "Index by function name"

const char *kymo_gprof_find_cycle (const char *name,
                                   const char *end);
void        kymo_gprof_read_index (const char *text,
                                   gsize       length,
                                   GHashTable *apart,
                                   GHashTable *shared);

G_END_DECLS
