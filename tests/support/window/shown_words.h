/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A made-up translation, in which each Latin letter is a Cyrillic one, and every text that is
 * shown while it is on: what is laid out (labels, cells, menus, pictures), and what a walk finds
 * in tooltips and accessible names. What is left in Latin letters is a name of the run or a text
 * that nobody can translate, be it a whole one or a word put into a sentence.
 * Main thread, but for the translation.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-table.h"

G_BEGIN_DECLS

void       shown_words_begin       (void);
/* The words of the program again. */
void       shown_words_end         (void);
/* (transfer full): what the translation makes of @text */
char      *shown_words_dup         (const char      *text);

/* A text is shown. */
void       shown_words_add         (const char      *text);
/* So are tooltips and accessible names of what is to be seen below @top. */
void       shown_words_walk        (GtkWidget       *top);

/* A name is that of a function or a file, not a word of the program. */
void       shown_words_know        (const char      *name);
/* So are all names in an answer. */
void       shown_words_know_answer (const KymoTable *answer);

/* (transfer full): words that are neither, with a text that was shown; (element-type utf8) */
GPtrArray *shown_words_list_raw    (void);
/* Whether a text with these words was shown. */
gboolean   shown_words_have        (const char      *words);

G_END_DECLS
