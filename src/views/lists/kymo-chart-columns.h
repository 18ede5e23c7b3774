/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoChartColumns: the columns of the table behind a picture (KymoChartTable): one for the names
 * of its lines, one for each heading that the lines have, to sort by. The cells of a line come from
 * a function, as kymo-chart-words.h writes them. Lines are those of a head and then of a tail; a
 * line has the same number in all orders. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _KymoChartColumns KymoChartColumns;

/* (transfer full): the cells of a line; "" for a line that is not there any more */
typedef char *(*KymoChartCells) (guint      line,
                                 gpointer   data);
/* A cell of the first column shows a line: `is_new` before it does so for the first time. */
typedef void  (*KymoChartLink)  (GtkWidget *cell,
                                 guint      line,
                                 gboolean   is_new,
                                 gpointer   data);

KymoChartColumns   *kymo_chart_columns_new            (KymoChartCells    cells,
                                                       KymoChartLink     link,
                                                       gpointer          data);
void                kymo_chart_columns_free           (KymoChartColumns *self);
GtkWidget          *kymo_chart_columns_peek_view      (KymoChartColumns *self);
GtkSingleSelection *kymo_chart_columns_peek_selection (KymoChartColumns *self);
void                kymo_chart_columns_set            (KymoChartColumns *self,
                                                       guint             n_head,
                                                       guint             n_tail);
guint               kymo_chart_columns_get_head       (KymoChartColumns *self);
guint               kymo_chart_columns_line_at        (KymoChartColumns *self,
                                                       guint             position);
guint               kymo_chart_columns_find           (KymoChartColumns *self,
                                                       guint             line);

G_END_DECLS
