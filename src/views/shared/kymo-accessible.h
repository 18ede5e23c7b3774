/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For people who use a screen reader, or the keyboard alone: sentences that are spoken, lists that
 * the key Tab leaves, and names of what has the keyboard.
 *
 * GTK 4.8 cannot announce. A screen reader speaks the new description of the widget that has the
 * keyboard, so that is where a sentence goes. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* How a type moves the focus: `focus` of its class. */
typedef gboolean (*KymoFocusFunc) (GtkWidget       *widget,
                                   GtkDirectionType direction);

void     kymo_accessible_describe    (GtkWidget       *widget,
                                      const char      *words);
void     kymo_accessible_say         (GtkWidget       *widget,
                                      const char      *sentence);
gboolean kymo_accessible_focus       (GtkWidget       *widget,
                                      GtkDirectionType direction,
                                      KymoFocusFunc    parent);
void     kymo_accessible_name        (gpointer         widget,
                                      const char      *name);
void     kymo_accessible_name_line   (GtkWidget       *line);
void     kymo_accessible_name_lines  (GtkWindow       *window);
void     kymo_accessible_name_choice (GtkWidget       *drop,
                                      const char      *name);
gboolean kymo_accessible_takes_letter (GtkWidget      *view,
                                       GdkModifierType state);

G_END_DECLS
