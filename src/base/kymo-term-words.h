/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences in the terms of a run: what speaks of its rows and activities has placeholders, so that
 * a sentence is translated once, and reads "PEs" of one run and "ranks" of another. Any thread may
 * call.
 *
 *   {row} {rows} {Row} {Rows}        PE, PEs; rank, ranks, Rank, Ranks; …
 *   {code} {codes} {Code} {Codes}    entry method; functions, Function, …
 *   {row:PE|rank|thread}             a phrase of each term, for translations into languages
 *   {code:entry method|function}     whose genders and cases reach beyond the word: "By {row}" is
 *                                    "{row:Nach PE|Nach Rang|Nach Thread}"; fields of printf
 *                                    stand outside
 */
#pragma once

#include "kymo-terms.h"

G_BEGIN_DECLS

/* For translated literals, not for names; other braces stay. */
const char *kymo_in_terms  (KymoTerms   terms,
                            const char *words) G_GNUC_FORMAT (2);
/* (transfer full): values in the place of keys, as "{name}", pairs of which follow. For sentences
   with several values, whose order is another one in other languages. */
char       *kymo_words_filled (const char *words, ...) G_GNUC_NULL_TERMINATED;
/* "PE", "Ranks": as a heading, or within a sentence */
const char *kymo_word_row  (KymoTerms   terms,
                            gboolean    plural,
                            gboolean    heading);
const char *kymo_word_code (KymoTerms   terms,
                            gboolean    plural,
                            gboolean    heading);

/* Names of activities, as "Idle", and words in columns of kinds, as "late-sender", which answers
   have in English: as the person reads them. */
const char *kymo_shown_name (const char *name);
const char *kymo_shown_kind (const char *kind);

G_END_DECLS
