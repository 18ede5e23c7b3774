/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A made-up translation, and every text that is laid out while it is on: labels, cells of lists,
 * menus and pictures. Without it both functions of the libraries that stand in here do what they
 * always do. Main thread, but for the translation.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on each "PE", "rank", "thread", "context" and "Comm" in what is translated is another
   word: "Kern", "Rang", "Faden", "Umfeld" and "Funk". */
void        shown_words_begin    (void);
/* The words of the program again. */
void        shown_words_end      (void);
/* (nullable): a label in English within @text, as "PE 3" or "rank 0": it was not translated */
const char *shown_words_find_raw (const char *text);
/* Texts that were laid out and have such a label; (element-type utf8) */
GPtrArray  *shown_words_peek_raw (void);
/* Whether one that was laid out has these words. */
gboolean    shown_words_have     (const char *words);

G_END_DECLS
