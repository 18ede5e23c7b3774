/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFigureLines: lines of a table of figures as a list model: numbers of rows, of
 * which an object (KymoFigureRow) is made when a line is to be seen, and again when it
 * is seen again. So a hundred thousand lines cost their numbers. Main thread only.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define KYMO_TYPE_FIGURE_ROW (kymo_figure_row_get_type ())
G_DECLARE_FINAL_TYPE (KymoFigureRow, kymo_figure_row, KYMO, FIGURE_ROW, GObject)

struct _KymoFigureRow
{
  GObject parent_instance;

  guint   row;
};

#define KYMO_TYPE_FIGURE_LINES (kymo_figure_lines_get_type ())
G_DECLARE_FINAL_TYPE (KymoFigureLines, kymo_figure_lines, KYMO, FIGURE_LINES,
                      GObject)

KymoFigureRow   *kymo_figure_row_new    (guint            row);
/* `rows` of guint (transfer full) */
KymoFigureLines *kymo_figure_lines_new  (GArray          *rows);
void             kymo_figure_lines_set  (KymoFigureLines *self,
                                         GArray          *rows);
/* The row of a line, and the line of a row; G_MAXUINT for none. */
guint            kymo_figure_lines_row  (KymoFigureLines *self,
                                         guint            line);
guint            kymo_figure_lines_find (KymoFigureLines *self,
                                         guint            row);

G_END_DECLS
