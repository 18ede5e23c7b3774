/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "kymo-text-lines.h"

G_BEGIN_DECLS

/* The headings of the three parts of a text. */
#define KYMO_GPROF_FLAT "Flat profile:"
#define KYMO_GPROF_GRAPH "Call graph"
#define KYMO_GPROF_INDEX "Index by function name"

typedef struct _KymoGprofIndex KymoGprofIndex;

/**
 * KymoGprofLine: a function in a line of the graph
 * @self: seconds
 * @children: seconds
 * @calls: recursive ones, too
 * @number: of the function in the graph; 0 = none
 */
typedef struct
{
  double self, children, calls;
  guint  number;
} KymoGprofLine;

char           *kymo_gprof_scan_line       (KymoTextLine          line,
                                            KymoGprofLine        *told);
KymoGprofIndex *kymo_gprof_index_new       (const char           *text,
                                            gsize                 length);
void            kymo_gprof_index_free      (KymoGprofIndex       *index);
const char     *kymo_gprof_index_peek_file (const KymoGprofIndex *index,
                                            guint                 number);
gboolean        kymo_gprof_index_is_shared (const KymoGprofIndex *index,
                                            const char           *name);

G_END_DECLS
