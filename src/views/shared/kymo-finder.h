/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is searched in a run, one for each session: the pattern, how much was
 * found, where in the run and in the visible range, and which match one is at.
 * Blocks, user events and notes are the run's (question "search"); bookmarks
 * are the session's and are counted with them.
 *
 * Signal "changed": text, figures, place or ticks are others. Main thread only.
 * The finder goes with its session.
 */
#pragma once

#include <glib-object.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FINDER (kymo_finder_get_type ())
G_DECLARE_FINAL_TYPE (KymoFinder, kymo_finder, KYMO, FINDER, GObject)

KymoFinder   *kymo_finder_of           (KymoSession  *session);
void          kymo_finder_set          (KymoFinder   *self,
                                        const char   *text,
                                        gboolean      regex);
gboolean      kymo_finder_is_active    (KymoFinder   *self);
const char   *kymo_finder_peek_text    (KymoFinder   *self);
gboolean      kymo_finder_get_regex    (KymoFinder   *self);
/* (nullable): why nothing can be searched for */
const char   *kymo_finder_peek_failure (KymoFinder   *self);
/* (transfer full) (nullable): "3 of 17,496, again from the begin" */
char         *kymo_finder_dup_words    (KymoFinder   *self);
gint64        kymo_finder_get_n_found  (KymoFinder   *self);
void          kymo_finder_step         (KymoFinder   *self,
                                        const char   *direction);
/* Gives a question the pattern; for marks in pictures. */
void          kymo_finder_prepare      (KymoFinder   *self,
                                        KymoQuestion *question);
/* (nullable): how many begin in each of n equal parts of *span */
const gint64 *kymo_finder_peek_ticks   (KymoFinder   *self,
                                        gboolean      whole,
                                        guint        *n,
                                        KymoSpan     *span);

G_END_DECLS
