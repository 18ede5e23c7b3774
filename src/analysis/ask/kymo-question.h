/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question is a small value: a kind, a time range, locations, a resolution
 * and keyword parameters. Unknown keywords are ignored. Ref-counted; not to
 * be changed after it was asked.
 *
 * Which kinds there are, and which keywords each takes, is in the classes of the kinds
 * (kymo-question-class.h); those of several runs are in kymo-comparison.h. Beside its own every
 * kind takes
 *   workers-only=1  without communication threads, unless they are all that was asked for
 *   once=1          no other question will be put, so that nothing need be made that would
 *                   speed up the next one
 *   extrapolate=1   figures are of all PEs of the run that this one was reduced from, by the
 *                   weights of its PEs; so they are with kymo_question_set_weights(), of any
 *                   run. Kinds that sum up PEs then tell "extrapolated" (true),
 *                   "extrapolated_from" and "stands_for", numbers of PEs, and averages are of so
 *                   many; "time_profile_error" where a reduction measured it, and profile the
 *                   "error" of each entry method. Kinds that are about single PEs give the
 *                   figures of those
 *
 * Questions about functions, of a run of kind profile or of the asked range of a trace, tell
 * "metric", "unit", "metrics" (list: name, unit, is_time), "steps", "groups", "row_term" and
 * "code_term". A figure of a function over locations is total, mean (missing = 0), mean_present,
 * min, max, stddev (population, of mean).
 */
#pragma once

#include <glib.h>

#include "kymo-id-set.h"
#include "kymo-id-weights.h"
#include "kymo-row-groups.h"
#include "kymo-span.h"

G_BEGIN_DECLS

typedef struct _KymoQuestion KymoQuestion;

KymoQuestion *kymo_question_new            (const char         *kind);
KymoQuestion *kymo_question_ref            (KymoQuestion       *question);
void          kymo_question_unref          (KymoQuestion       *question);
const char   *kymo_question_get_kind       (const KymoQuestion *question);
void          kymo_question_set_span       (KymoQuestion       *question,
                                            KymoSpan            span);
KymoSpan      kymo_question_get_span       (const KymoQuestion *question);
void          kymo_question_set_locations  (KymoQuestion       *question,
                                            KymoIdSet          *locations);
KymoIdSet    *kymo_question_peek_locations (const KymoQuestion *question);
/* Weights of the locations, in place of those of the run; sums over locations
   are then of all they stand for. NULL = none. */
void          kymo_question_set_weights    (KymoQuestion       *question,
                                            KymoIdWeights      *weights);
KymoIdWeights *
              kymo_question_peek_weights   (const KymoQuestion *question);
/* Rows in this order (gint64 ids); locations that are not in it follow in
   their own. NULL = by id. Not to be changed after it was set. */
void          kymo_question_set_order      (KymoQuestion       *question,
                                            GArray             *ids);
GArray       *kymo_question_peek_order     (const KymoQuestion *question);
/* Rows of a timeline by these groups; a folded one is one row. NULL = none. */
void          kymo_question_set_groups     (KymoQuestion       *question,
                                            KymoRowGroups      *groups);
KymoRowGroups *
              kymo_question_peek_groups    (const KymoQuestion *question);
void          kymo_question_set_resolution (KymoQuestion       *question,
                                            guint               columns,
                                            guint               rows);
guint         kymo_question_get_columns    (const KymoQuestion *question);
guint         kymo_question_get_rows       (const KymoQuestion *question);
void          kymo_question_set            (KymoQuestion       *question,
                                            const char         *key,
                                            const char         *value);
void          kymo_question_set_int        (KymoQuestion       *question,
                                            const char         *key,
                                            gint64              value);
const char   *kymo_question_get            (const KymoQuestion *question,
                                            const char         *key);
/* (transfer full): in order */
char        **kymo_question_list_keys      (const KymoQuestion *question);
gboolean      kymo_question_get_int        (const KymoQuestion *question,
                                            const char         *key,
                                            gint64              fallback,
                                            gint64             *value,
                                            GError            **error);
gboolean      kymo_question_get_flag       (const KymoQuestion *question,
                                            const char         *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoQuestion, kymo_question_unref)

G_END_DECLS
