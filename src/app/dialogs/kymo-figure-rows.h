/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The controls of the dialog that exports a figure: settings and what is to be seen in it. Main
 * thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-export-task.h"

G_BEGIN_DECLS

typedef struct _KymoFigureRows KymoFigureRows;

/** KymoFigureChanged: something else was chosen */
typedef void (*KymoFigureChanged) (gpointer data);

KymoFigureRows *kymo_figure_rows_new         (const KymoExported   *seen,
                                              KymoFigureChanged     changed,
                                              gpointer              data);
void            kymo_figure_rows_free        (KymoFigureRows       *self);
GtkWidget      *kymo_figure_rows_peek_widget (KymoFigureRows       *self);
gboolean        kymo_figure_rows_read        (KymoFigureRows       *self,
                                              KymoExported         *exported,
                                              GError              **error);
const char     *kymo_figure_rows_get_format  (KymoFigureRows       *self);
void            kymo_figure_rows_keep        (KymoFigureRows       *self);

G_END_DECLS
