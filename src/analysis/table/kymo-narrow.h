/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of numbers in as few bits as will do, for lines between machines: numbers stand one
 * behind another in words of 64 bits, lowest bits first. A column in which few values come again
 * and again becomes the list of these values and their numbers in it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint    kymo_narrow_count_bits   (guint64            most);
gsize    kymo_narrow_count_words  (gsize              n_values,
                                   guint              bits);
guint64 *kymo_narrow_pack         (const guint64     *values,
                                   gsize              n_values,
                                   guint              bits);
void     kymo_narrow_unpack       (const guint64     *words,
                                   guint              bits,
                                   guint64           *values,
                                   gsize              n_values);
gsize    kymo_narrow_number       (const guint64     *values,
                                   gsize              n_values,
                                   gsize              most,
                                   guint64           *numbers,
                                   gsize             *firsts);
gsize    kymo_narrow_number_texts (const char *const *texts,
                                   gsize              n_texts,
                                   gsize              most,
                                   guint64           *numbers,
                                   gsize             *firsts);

G_END_DECLS
