/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reducing a run to the PEs that stand for all: which to keep (by the words of
 * `clusters`, or the fewest whose time profile is within a bound), what they
 * weigh, how far they are off, and writing them as a run of their own. The
 * command line and the window share it.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-source.h"

G_BEGIN_DECLS

/**
 * KymoReducerWish: what a person asks for; strings as for the question
 * `clusters`, NULL = its default
 * @error: most error of the time profile, a share of the time of all PEs in
 *   each of its bars; 0 = not asked for. With it @clusters, @outliers and @keep
 *   are chosen, not given
 * @span: time over which PEs are compared; logs are kept whole
 */
typedef struct
{
  const char *clusters;
  const char *outliers;
  const char *keep;
  const char *quota;
  const char *union_of;
  gboolean    critical_path;
  double      error;
  KymoSpan    span;
} KymoReducerWish;

/* Blocks; any thread. The choice is an answer: pes, kept, clusters, weights,
   quality, errors and what it took (docs/formats/kymo.md, the command `reduce`). */
KymoTable *kymo_reducer_choose (KymoSource             *source,
                                const KymoReducerWish  *wish,
                                KymoJob                *job,
                                GError                **error);
/* Writes what was chosen; nothing may be at @out. */
gboolean   kymo_reducer_write  (KymoSource             *source,
                                KymoTable              *choice,
                                const char             *out,
                                gint64                 *bytes_before,
                                gint64                 *bytes_after,
                                KymoJob                *job,
                                GError                **error);

G_END_DECLS
