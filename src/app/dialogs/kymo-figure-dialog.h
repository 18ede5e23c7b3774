/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a view shows, as a figure: how large, in which colours, of what, with a preview and the line
 * of kymo-cli that writes the same file. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-export-task.h"

G_BEGIN_DECLS

/** KymoFigureDone: @exported is to be written into the file @path, whose ending tells the format */
typedef void (*KymoFigureDone) (const KymoExported *exported,
                                const char         *path,
                                gpointer            data);

GtkWindow  *kymo_figure_dialog_present      (GtkWindow          *parent,
                                             const KymoExported *exported,
                                             const char         *run_path,
                                             const char         *palette,
                                             KymoFigureDone      done,
                                             GObject            *data);
gboolean    kymo_figure_dialog_is_settled   (GtkWindow          *dialog);
const char *kymo_figure_dialog_peek_command (GtkWindow          *dialog);
void        kymo_figure_dialog_export_to    (GtkWindow          *dialog,
                                             const char         *path);

G_END_DECLS
