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

/**
 * KymoLineState:
 * @times: unit and decimals of its times
 * @wanted_px: room that its texts want; only grows
 * @filled: whether it has ever said anything
 * @empty: whether there were rows, and none has said anything
 * @unwanted: whether its owner hides it
 */
typedef struct
{
  KymoTimeColumn times;
  int            wanted_px;
  gboolean       filled, empty, unwanted;
} KymoLineState;

typedef struct
{
  GArray             *columns;     /* KymoLineColumn, without their strings */
  GArray             *states;      /* KymoLineState of each */
  GPtrArray          *shown;       /* GtkColumnViewColumn of each; people drag headings elsewhere */
  GListStore         *lines;
  KymoNameFilter     *names;       /* that are listed */
  GtkFilter          *filter;
  GtkSingleSelection *selection;
  GtkWidget          *view, *scrolled, *message;
  GHashTable         *bound;       /* Cell: those that show a line */
  KymoSession        *session;     /* whose function is the selected line, or NULL */
  gboolean            filling;     /* what is selected now no person selects */
  guint                fit_id;      /* columns are to be fitted, or 0 */
  gboolean             sizing;      /* widths that change now no person changes */
  char                *name;        /* among the tables of its type */
} KymoLineTablePrivate;

KymoLineTablePrivate *kymo_line_table_private   (KymoLineTable *self);
GtkListItemFactory   *kymo_line_cells_new       (KymoLineTable *self,
                                                 guint          column);
/* (transfer full) */
GtkColumnViewColumn  *kymo_line_table_column_at (KymoLineTable *self,
                                                 guint          column);
gboolean              kymo_line_table_has_own_width (KymoLineTable *self,
                                                     guint          column);
void                  kymo_line_table_set_width     (KymoLineTable *self,
                                                     guint          column,
                                                     int            width_px);
int                   kymo_line_table_heading_width (KymoLineTable *self,
                                                     guint          column);
void                  kymo_line_table_sync_column   (KymoLineTable *self,
                                                     guint          column);
void                  kymo_line_table_follow_width  (KymoLineTable *self);

G_END_DECLS
