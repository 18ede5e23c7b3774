/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoLineTable, shared by kymo-line-table.c (lines and what is selected),
 * kymo-line-columns.c (columns and sorting) and kymo-line-cells.c (cells).
 */
#pragma once

#include "kymo-line-table.h"
#include "kymo-line-model.h"
#include "kymo-name-filter.h"

G_BEGIN_DECLS

typedef struct
{
  GArray             *columns;     /* KymoLineColumn, without their strings */
  GPtrArray          *shown;       /* GtkColumnViewColumn of each; people drag headings elsewhere */
  GListStore         *lines;
  KymoNameFilter     *names;       /* that are listed */
  GtkFilter          *filter;
  GtkSingleSelection *selection;
  GtkWidget          *view, *scrolled, *message;
  GHashTable         *bound;       /* Cell: those that show a line */
  KymoSession        *session;     /* whose function is the selected line, or NULL */
  gboolean            filling;     /* what is selected now no person selects */
  gboolean             sizing;      /* widths that change now no person changes */
  char                *name;        /* among the tables of its type */
} KymoLineTablePrivate;

KymoLineTablePrivate *kymo_line_table_private   (KymoLineTable *self);
GtkListItemFactory   *kymo_line_cells_new       (KymoLineTable *self,
                                                 guint          column);
/* (transfer full) */
GtkColumnViewColumn  *kymo_line_table_column_at (KymoLineTable *self,
                                                 guint          column);

G_END_DECLS
