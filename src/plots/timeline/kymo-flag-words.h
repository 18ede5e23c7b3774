/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words for what else is known of a function or path than its figures: the column
 * "flags" of answers. Any thread may call.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A word to stand beside the name, translated; NULL for nothing worth telling, and
   where the name says it itself. Both may be NULL. */
const char *kymo_flags_mark     (const char *flags,
                                 const char *name);
/* What the word means. */
const char *kymo_flags_sentence (const char *flags);

/* Puts the sentence below a text, on lines short enough for the pointer. */
void        kymo_flags_add      (char      **text,
                                 const char *flags);

G_END_DECLS
