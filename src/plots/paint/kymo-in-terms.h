/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of window and pictures in the terms of a run (see kymo-term-words.h). Counts ("8 ranks")
 * have their plural forms in kymo-plot-terms.h. Main thread only.
 */
#pragma once

#include <glib.h>

#include "kymo-plot.h"
#include "kymo-session.h"
#include "kymo-term-words.h"

G_BEGIN_DECLS

/* kymo_in_terms() in the terms of a session's run. */
const char *kymo_in_terms_of  (KymoSession *session,
                               const char  *words) G_GNUC_FORMAT (2);
KymoTerms   kymo_session_get_terms (KymoSession *session);
/* Of a picture, with such placeholders; translated. */
const char *kymo_plot_title   (const KymoPlotClass *klass,
                               KymoTerms            terms);

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
