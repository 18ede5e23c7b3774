/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoChartTable: the table behind a picture, for who does not see it: its
 * rows, bars, bins or dots as lines of a list, in words: all of the answer that it
 * is painted of, also what is too narrow to be seen. What is chosen in one is chosen
 * in the other. Of a timeline it holds all rows, and then the blocks in sight of one:
 * of the row chosen in the list, else of the selected block's, else of the first.
 *
 * Hidden until kymo_chart_table_set_shown(); then it follows the picture that
 * has the focus. Signal: "closed", when a person presses Escape in it; its owner hides it
 * then. Main thread only.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_CHART_TABLE (kymo_chart_table_get_type ())
G_DECLARE_FINAL_TYPE (KymoChartTable, kymo_chart_table, KYMO, CHART_TABLE,
                      GtkBox)

GtkWidget *kymo_chart_table_new        (KymoSession    *session);
/* canvas: (nullable): whose table it is */
void       kymo_chart_table_set_canvas (KymoChartTable *self,
                                        KymoCanvas     *canvas);
void       kymo_chart_table_set_shown  (KymoChartTable *self,
                                        gboolean        shown);
gboolean   kymo_chart_table_is_shown   (KymoChartTable *self);
/* Moves the keyboard to its lines; to show it does not. */
void       kymo_chart_table_focus      (KymoChartTable *self);
/* Whether its lines are those of the picture as it is; for the tests */
gboolean   kymo_chart_table_is_settled (KymoChartTable *self);
/* (transfer full): all lines, each ended by "\n" */
char      *kymo_chart_table_dup_lines  (KymoChartTable *self);

G_END_DECLS
