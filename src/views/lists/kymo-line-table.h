/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLineTable: the widget under every table of an answer: a line a row, columns to sort by, one
 * selected line, and Ctrl+C for all figures. What its cells say is told by the types derived from
 * it: KymoAnswerList, KymoCompareTable.
 *
 * Signal: "copied", when the figures are on the clipboard. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define KYMO_TYPE_LINE_TABLE (kymo_line_table_get_type ())
G_DECLARE_DERIVABLE_TYPE (KymoLineTable, kymo_line_table, KYMO, LINE_TABLE, GtkBox)

/**
 * KymoLineTableClass:
 * @text: (transfer full): what a cell says; @exact: with all digits, for copies and tooltips
 * @number: what a cell sorts by; NaN counts as the least. Not called for columns of text
 * @compare: of two cells of a column of text, as strcmp()
 * @setup: (nullable): completes a new cell, a #GtkBox whose last child is the label
 * @show: (nullable): called after the label of a cell has got its text
 * @selected: (nullable): the person has selected a row, or none: -1
 * @activated: (nullable): the person has activated a row
 *
 * Columns are counted from 0 in the order of kymo_line_table_add_column(), rows are those of the
 * answer.
 */
struct _KymoLineTableClass
{
  GtkBoxClass parent_class;

  char    *(*text)      (KymoLineTable *self,
                         guint          column,
                         guint          row,
                         gboolean       exact);
  double   (*number)    (KymoLineTable *self,
                         guint          column,
                         guint          row);
  int      (*compare)   (KymoLineTable *self,
                         guint          column,
                         guint          a,
                         guint          b);
  void     (*setup)     (KymoLineTable *self,
                         guint          column,
                         GtkWidget     *cell);
  void     (*show)      (KymoLineTable *self,
                         guint          column,
                         GtkWidget     *cell,
                         guint          row);
  void     (*selected)  (KymoLineTable *self,
                         int            row);
  void     (*activated) (KymoLineTable *self,
                         int            row);
};

/**
 * KymoLineColumn:
 * @title: as it is shown
 * @key: (nullable): by which the desk keeps the order; %NULL keeps none
 * @width_px: 0 = what there is room for
 * @is_text: sorts by words and stands on the left
 * @expands: takes part in the room that is left, whatever its width is
 */
typedef struct
{
  const char *title, *key;
  int         width_px;
  gboolean    is_text, expands;
} KymoLineColumn;

void       kymo_line_table_build        (KymoLineTable        *self,
                                         const char           *name);
GtkWidget *kymo_line_table_peek_view    (KymoLineTable        *self);
void       kymo_line_table_add_column   (KymoLineTable        *self,
                                         const KymoLineColumn *column);
void       kymo_line_table_drop_columns (KymoLineTable        *self);
void       kymo_line_table_set_title    (KymoLineTable        *self,
                                         guint                 column,
                                         const char           *title);
void       kymo_line_table_sort         (KymoLineTable        *self,
                                         guint                 column,
                                         gboolean              descending);
void       kymo_line_table_begin        (KymoLineTable        *self,
                                         const guint          *rows,
                                         guint                 n);
void       kymo_line_table_end          (KymoLineTable        *self,
                                         const guint          *rows,
                                         guint                 n);
guint      kymo_line_table_get_n_lines  (KymoLineTable        *self);
int        kymo_line_table_row_at       (KymoLineTable        *self,
                                         guint                 line);
int        kymo_line_table_get_selected (KymoLineTable        *self);
void       kymo_line_table_select       (KymoLineTable        *self,
                                         guint                 line,
                                         gboolean              scroll);
char      *kymo_line_table_dup_figures  (KymoLineTable        *self);

G_END_DECLS
