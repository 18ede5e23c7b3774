/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of a text of gprof, which may have several of one name: rows of the flat profile
 * and nodes of the call graph, which become one where there is one of each.
 */
#pragma once

#include "kymo-gprof-index.h"

G_BEGIN_DECLS

/**
 * KymoGprofFunction: a row of the flat profile, or a node of the graph
 * @plain: name in the text, which several may have
 * @name: (nullable): name that no other has; set by kymo_gprof_functions_settle(). %NULL = what
 *   it has is that of others
 * @calls_in_flat: of a function whose calls the graph tells
 * @number: in the graph, or of the row where there is no graph
 * @in_graph: there is an entry about it
 * @row: (nullable): what a node is the same as
 */
typedef struct _KymoGprofFunction KymoGprofFunction;

struct _KymoGprofFunction
{
  char    *plain;
  char    *name;
  double   calls, subroutines, self_us, total_us;
  double   calls_in_flat;
  guint    number;
  gboolean in_graph;
  const KymoGprofFunction *row;
};

/**
 * KymoGprofFunctions:
 * @all: (element-type KymoGprofFunction): in the order of the text
 * @alike: by name in the text
 * @nodes: by "[3]", or by name where there is no number
 * @of_many: texts one after the other, whose numbers tell nothing apart
 */
typedef struct
{
  GPtrArray      *all;
  GHashTable     *alike;
  GHashTable     *nodes;
  KymoGprofIndex *index;
  gboolean        of_many;
} KymoGprofFunctions;

KymoGprofFunctions *kymo_gprof_functions_new       (const char               *text,
                                                    gsize                     length);
void                kymo_gprof_functions_free      (KymoGprofFunctions       *functions);
KymoGprofFunction  *kymo_gprof_functions_find_row  (KymoGprofFunctions       *functions,
                                                    const char               *name);
KymoGprofFunction  *kymo_gprof_functions_find_node (KymoGprofFunctions       *functions,
                                                    const char               *name,
                                                    guint                     number);
void                kymo_gprof_functions_settle    (KymoGprofFunctions       *functions);
const char         *kymo_gprof_function_peek_name  (const KymoGprofFunction  *function);

G_END_DECLS
