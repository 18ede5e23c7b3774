/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels whose lines begin at the left, and labels and tooltips of texts that files name: what
 * is too long to be read is never laid out (kymo_name_shown()), and what would act on what stands
 * around it is replaced (kymo-safe-text.h).
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @classes: (nullable): CSS classes with a blank between two of them */
GtkWidget *kymo_label_new (const char *text,
                           const char *classes);
/* On as many lines as it needs. */
GtkWidget *kymo_label_new_wrapped (const char *text,
                                   const char *classes);
/* On one line that is cut at its end. */
GtkWidget *kymo_label_new_cut (const char *text,
                               const char *classes);
/* One line without markup: a line break, which a name may hold, is replaced. @text: (nullable) */
void kymo_label_set     (GtkWidget  *label,
                         const char *text);
/* The same of a text that may have several lines, as a value of a file. */
void kymo_label_set_lines (GtkWidget  *label,
                           const char *text);
/* One line. @text: (nullable): no tooltip */
void kymo_label_set_tip (GtkWidget  *widget,
                         const char *text);
void kymo_label_tell_tip (GtkTooltip *tooltip,
                          const char *text);

/* (transfer full) (nullable): the sentence @text, with spaces between figures and their units at
   which no line breaks: "%" does not begin a line. */
char *kymo_label_dup_unbroken
                        (const char *text);

G_END_DECLS
