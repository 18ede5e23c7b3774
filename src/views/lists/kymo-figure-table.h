/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFigureTable: a list of an answer about profiles as a table, flat or as a tree,
 * to be sorted by any column (in a tree among what one caller calls). Columns are
 * told when the answer is: there may be one a phase or thread. The chosen function of
 * the session is its selected line, and the other way round.
 *
 * Signal: "activated" (name of a function). Main thread only.
 */
#pragma once

#include "kymo-line-table.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FIGURE_TABLE (kymo_figure_table_get_type ())
G_DECLARE_FINAL_TYPE (KymoFigureTable, kymo_figure_table, KYMO, FIGURE_TABLE,
                      KymoLineTable)

typedef enum
{
  KYMO_FIGURE_NAME,             /* of a function, with its colour; the first */
  KYMO_FIGURE_NODE,             /* the same in a tree */
  KYMO_FIGURE_TEXT,
  KYMO_FIGURE_COUNT,
  KYMO_FIGURE_VALUE,            /* in the answer's metric */
  KYMO_FIGURE_NUMBER,           /* in a unit of its own */
  KYMO_FIGURE_SHARE,
} KymoFigureKind;

/**
 * KymoFigureColumn:
 * @key: of the list; @element: of its vector, 0 of what is none
 * @title: as it is shown
 */
typedef struct
{
  const char     *key;
  guint           element;
  const char     *title;
  KymoFigureKind  kind;
} KymoFigureColumn;

GtkWidget *kymo_figure_table_new         (KymoSession            *session,
                                          const char             *name);
/* Copied; where they are the same as before nothing happens. The table is
   empty then until it is given an answer. */
void       kymo_figure_table_set_columns (KymoFigureTable        *self,
                                          const KymoFigureColumn *columns,
                                          guint                   n_columns);
/* `list` of `answer`; with a column "parent" it is a tree. */
void       kymo_figure_table_set         (KymoFigureTable        *self,
                                          KymoTable              *answer,
                                          const char             *list);
void       kymo_figure_table_sort        (KymoFigureTable        *self,
                                          const char             *key);
/* The order is kept with the desk, as "sort" of a view. */
void       kymo_figure_table_keep_sort   (KymoFigureTable        *self,
                                          const char             *view);
/* Lines whose name passes (kymo-name-filter.h); "" is all. A tree is not filtered.
   entry: (nullable): where the text was typed */
void       kymo_figure_table_set_filter  (KymoFigureTable        *self,
                                          const char             *text,
                                          GtkWidget              *entry);

G_END_DECLS
