/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of window and pictures in the terms of a run: what speaks of its rows and
 * activities has placeholders, so that a sentence is translated once, and
 * reads "PEs" of one run and "ranks" of another. Counts ("8 ranks") have their
 * plural forms in kymo-plot-terms.h. Main thread only, but for kymo_in_terms().
 *
 *   {row} {rows} {Row} {Rows}        PE, PEs; rank, ranks, Rank, Ranks; …
 *   {code} {codes} {Code} {Codes}    entry method; functions, Function, …
 *   {row:PE|rank|thread}             a phrase of each term, for translations into languages
 *   {code:entry method|function}     whose genders and cases reach beyond the word: "By {row}" is
 *                                    "{row:Nach PE|Nach Rang|Nach Thread}"; fields of printf
 *                                    stand outside
 */
#pragma once

#include <glib.h>

#include "kymo-plot.h"
#include "kymo-session.h"

G_BEGIN_DECLS

/* (transfer none): kept for good: for translated literals, not for names. Any thread may call. */
const char *kymo_in_terms     (KymoTerms    terms,
                               const char  *words) G_GNUC_FORMAT (2);
/* The same in the terms of a session's run. */
const char *kymo_in_terms_of  (KymoSession *session,
                               const char  *words) G_GNUC_FORMAT (2);
KymoTerms   kymo_session_get_terms (KymoSession *session);
/* Of a picture, with such placeholders; translated. */
const char *kymo_plot_title   (const KymoPlotClass *klass,
                               KymoTerms            terms);

/* The name of an activity as the person reads it: idle time and other states, which answers name
   in English, are translated; names of the program stay. Any thread may call. */
const char *kymo_shown_name   (const char  *name);

/* Words for what else is known of a function or path than its figures: the column
   "flags" of answers. Any thread may call. */

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
