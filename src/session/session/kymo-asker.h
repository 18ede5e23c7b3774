/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One place of a view that shows the answer to one question at a time: a
 * newer question cancels the older one, and an answer that is no longer
 * wanted never reaches the view. Main thread only.
 */
#pragma once

#include "kymo-source.h"

G_BEGIN_DECLS

typedef struct _KymoAsker KymoAsker;

/**
 * KymoAskerDone:
 * @answer: (nullable): the answer, borrowed
 * @error: (nullable): why there is none; never a cancellation
 * @data: the view
 */
typedef void (*KymoAskerDone) (KymoTable    *answer,
                               const GError *error,
                               gpointer      data);

/**
 * KymoAskerWork:
 * @source: who is asked for what the answer is made of
 * @question: what is wanted
 *
 * Makes an answer on a worker thread. Blocks.
 *
 * Returns: (transfer full) (nullable): the answer, or %NULL with an error
 */
typedef KymoTable *(*KymoAskerWork) (KymoSource         *source,
                                     const KymoQuestion *question,
                                     GCancellable       *cancellable,
                                     GError            **error);

KymoAsker *kymo_asker_new     (KymoSource    *source,
                               KymoAskerDone  done,
                               gpointer       data);
/* `again`: called when an answer has come and more was known meanwhile. */
void       kymo_asker_set_again (KymoAsker   *asker,
                               void         (*again) (gpointer data));
/* Answers that are long may come twice: first a coarser draft, while the question stays under
   way. */
void       kymo_asker_want_drafts (KymoAsker *asker);
/* work: (nullable): makes the answers in place of the source. */
void       kymo_asker_set_work (KymoAsker    *asker,
                                KymoAskerWork work);
void       kymo_asker_free    (KymoAsker     *asker);
void       kymo_asker_ask     (KymoAsker     *asker,
                               KymoQuestion  *question);
void       kymo_asker_cancel  (KymoAsker     *asker);
gboolean   kymo_asker_is_busy (KymoAsker     *asker);
gboolean   kymo_asker_wants_more (KymoAsker  *asker);

G_END_DECLS
