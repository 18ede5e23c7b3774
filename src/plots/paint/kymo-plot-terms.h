/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people call the rows and activities of a run, as words of a picture: a
 * count of "PEs", "ranks" or "calls" is a phrase of its own, so that each language
 * has its own forms. Any thread may call.
 */
#pragma once

#include "kymo-plot.h"
#include "kymo-term-words.h"

G_BEGIN_DECLS

/* (transfer full): "1 rank", "16,384 threads" */
char       *kymo_words_rows  (KymoTerms terms,
                              gint64    n);
/* (transfer full): "1 function", "101 entry methods" */
char       *kymo_words_codes (KymoTerms terms,
                              gint64    n);
/* (transfer full): "1 call", "202,648 messages" */
char       *kymo_words_calls    (double n);     /* of a profile: may be unknown */
char       *kymo_words_messages (gint64 n);
char       *kymo_words_blocks   (gint64 n);
char       *kymo_words_steps    (gint64 n);
char       *kymo_words_waits    (gint64 n);
/* "No PEs to compare": of an empty picture */
const char *kymo_words_no_rows (KymoTerms terms);

G_END_DECLS
