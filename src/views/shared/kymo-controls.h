/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the rows of controls over pictures are made of. Each has a name for who
 * does not see it. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *kymo_controls_new        (void);
GtkWidget *kymo_controls_new_words  (void);
GtkWidget *kymo_controls_add_words (GtkWidget *box);
/* Whether it is a bar of controls, of whichever view. */
gboolean   kymo_controls_is_bar     (GtkWidget         *widget);
/* These are appended to the box and belong to it. */
GtkWidget *kymo_controls_add_choice (GtkWidget         *box,
                                     const char        *name,
                                     const char *const *choices);
GtkWidget *kymo_controls_add_number (GtkWidget         *box,
                                     const char        *name,
                                     double             least,
                                     double             most,
                                     double             value);
GtkWidget *kymo_controls_add_check  (GtkWidget         *box,
                                     const char        *label,
                                     const char        *name);
GtkWidget *kymo_controls_add_button (GtkWidget         *box,
                                     const char        *label,
                                     const char        *name);
/* What follows stands at the other end. */
void       kymo_controls_add_gap    (GtkWidget         *box);
guint      kymo_controls_chosen     (GtkWidget         *choice);
void       kymo_controls_speak      (GtkWidget         *widget,
                                     const char        *label);
void       kymo_controls_speak_buttons (GtkWidget      *top);
/* (transfer full): for a menu, where a single underscore is a mnemonic */
char      *kymo_controls_dup_label  (const char        *name);
void       kymo_controls_name       (GtkWidget         *widget,
                                     const char        *name);

G_END_DECLS
