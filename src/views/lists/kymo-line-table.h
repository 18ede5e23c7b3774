/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLineTable: the widget under every table of answers: a line a row, columns to sort by, one
 * selected line, a filter of names, and Ctrl+C for all figures. What its cells say is told by the
 * types derived from it: KymoAnswerList, KymoCompareTable, KymoFigureTable, KymoProfileView,
 * KymoBusiestView, KymoEventList.
 *
 * Signal: "copied", when the figures are on the clipboard. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"
#include "kymo-time-column.h"

G_BEGIN_DECLS

#define KYMO_TYPE_LINE_TABLE (kymo_line_table_get_type ())
G_DECLARE_DERIVABLE_TYPE (KymoLineTable, kymo_line_table, KYMO, LINE_TABLE, GtkBox)

/**
 * KymoLineTableClass:
 * @text: (transfer full) (nullable): what a cell says; @exact: with all digits, for copies and
 *   tooltips. %NULL: it is not known yet
 * @tip: (nullable) (transfer full): what the tooltip of a cell says; without it the
 *   exact text
 * @number: (nullable): what a cell sorts by; NaN counts as the least. Not called for columns of
 *   text
 * @compare: (nullable): of two cells of a column of text, or of any column where there is no
 *   @number, as strcmp(); without it the exact texts are compared
 * @key: (nullable) (transfer full): what a row is known by in all answers; see
 *   kymo_line_model_match()
 * @name: (nullable): the function that a row is about, or %NULL; see kymo_line_table_link()
 * @filtered: (nullable): the name that the filter looks at
 * @setup: (nullable): the widget of a new cell, which is @label or holds it
 * @show: (nullable): called after the label of a cell has got its text
 * @selected: (nullable): the person has selected a row, or none: -1
 * @activated: (nullable): the person has activated a row
 * @paged: its rows are not all at hand, so they are not copied by Ctrl+C
 *
 * Columns are counted from 0 in the order of kymo_line_table_add_column(), rows are those of the
 * answer.
 */
struct _KymoLineTableClass
{
  GtkBoxClass parent_class;

  char       *(*text)      (KymoLineTable *self,
                            guint          column,
                            guint          row,
                            gboolean       exact);
  char       *(*tip)       (KymoLineTable *self,
                            guint          column,
                            guint          row);
  double      (*number)    (KymoLineTable *self,
                            guint          column,
                            guint          row);
  int         (*compare)   (KymoLineTable *self,
                            guint          column,
                            guint          a,
                            guint          b);
  char       *(*key)       (KymoLineTable *self,
                            guint          row);
  const char *(*name)      (KymoLineTable *self,
                            guint          row);
  const char *(*filtered)  (KymoLineTable *self,
                            guint          row);
  GtkWidget  *(*setup)     (KymoLineTable *self,
                            guint          column,
                            GtkWidget     *label);
  void        (*show)      (KymoLineTable *self,
                            guint          column,
                            GtkWidget     *cell,
                            guint          row);
  void        (*selected)  (KymoLineTable *self,
                            int            row);
  void        (*activated) (KymoLineTable *self,
                            int            row);
  gboolean    paged;
};

/**
 * KymoLineColumn:
 * @title: as it is shown
 * @key: (nullable): by which the desk keeps the order; %NULL keeps none
 * @width_px: 0 = as wide as its longest text, where there is room
 * @share: of the width of a paged table that it takes, within limits around width_px; 0 = fixed
 * @beside_px: of what stands beside the text in its cells
 * @is_text: sorts by words and stands on the left
 * @expands: takes part in the room that is left, whatever its width is
 * @hurries: its texts change many times a second: they are inscriptions, which do not lay out the
 *   window anew, in place of labels
 * @is_tree: its texts are indented
 * @unsorted: cannot be sorted by
 * @zero_is_none: a column of nothing but zeros says nothing, and is not shown
 * @is_moment: its numbers are moments of the run in ns, of which no digit may be lost
 */
typedef struct
{
  const char *title, *key;
  int         width_px, beside_px;
  double      share;
  gboolean    is_text, expands, hurries, is_tree, unsorted, zero_is_none, is_moment;
} KymoLineColumn;

GtkWidget *kymo_line_cell_new           (GtkWidget            *before,
                                         GtkWidget            *label,
                                         int                   gap_px);
int        kymo_line_cell_get_row       (GtkWidget            *widget);
void       kymo_line_table_build        (KymoLineTable        *self,
                                         const char           *name);
GtkWidget *kymo_line_table_peek_view    (KymoLineTable        *self);
void       kymo_line_table_set_model    (KymoLineTable        *self,
                                         GListModel           *model);
void       kymo_line_table_add_column   (KymoLineTable        *self,
                                         const KymoLineColumn *column);
void       kymo_line_table_drop_columns (KymoLineTable        *self);
void       kymo_line_table_set_title    (KymoLineTable        *self,
                                         guint                 column,
                                         const char           *title);
void       kymo_line_table_show_column  (KymoLineTable        *self,
                                         guint                 column,
                                         gboolean              visible);
void       kymo_line_table_sort         (KymoLineTable        *self,
                                         guint                 column,
                                         gboolean              descending);
gboolean   kymo_line_table_set_rows     (KymoLineTable        *self,
                                         const guint          *rows,
                                         guint                 n);
void       kymo_line_table_measure      (KymoLineTable        *self,
                                         const guint          *rows,
                                         guint                 n);
const KymoTimeColumn *
           kymo_line_table_peek_times   (KymoLineTable        *self,
                                         guint                 column);
void       kymo_line_table_sort_again   (KymoLineTable        *self);
void       kymo_line_table_show         (KymoLineTable        *self,
                                         guint                 first,
                                         guint                 n);
void       kymo_line_table_set_filter   (KymoLineTable        *self,
                                         const char           *text,
                                         GtkWidget            *entry);
guint      kymo_line_table_get_n_lines  (KymoLineTable        *self);
int        kymo_line_table_row_at       (KymoLineTable        *self,
                                         guint                 line);
guint      kymo_line_table_pick         (KymoLineTable        *self,
                                         double                x,
                                         double                y);
int        kymo_line_table_get_selected (KymoLineTable        *self);
void       kymo_line_table_select       (KymoLineTable        *self,
                                         guint                 line,
                                         gboolean              scroll);
void       kymo_line_table_link         (KymoLineTable        *self,
                                         KymoSession          *session);
void       kymo_line_table_follow       (KymoLineTable        *self,
                                         gboolean              scroll);
void       kymo_line_table_say          (KymoLineTable        *self,
                                         const char           *sentence);
char      *kymo_line_table_dup_figures  (KymoLineTable        *self);
void       kymo_line_table_copy         (KymoLineTable        *self);
GtkWidget *kymo_line_table_last_heading (GtkWidget *view,
                                         gboolean   of_figures);

G_END_DECLS
