/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reducing a run to the PEs that stand for all: which to keep (by the words of
 * `clusters`, or the fewest whose time profile is within a bound), what they
 * weigh, how far they are off, and writing them as a run of their own. The
 * command line and the window share it.
 */
#pragma once

#include "kymo-extract.h"
#include "kymo-fewest.h"
#include "kymo-job.h"
#include "kymo-source.h"

G_BEGIN_DECLS

/** KYMO_REDUCER_BARS: equal parts of the time that a time profile is compared in */
#define KYMO_REDUCER_BARS KYMO_ERROR_BARS

/** KYMO_REDUCER_LARGE_ERROR: share of error above which a choice comes with a warning */
#define KYMO_REDUCER_LARGE_ERROR 0.1

/**
 * KymoReducerWish: what a person asks for; strings as for the question
 * `clusters`, NULL = its default
 * @error: most error of the time profile, a share of the time of all PEs in
 *   each of its bars (kymo-reducer-errors.c); 0 = not asked for. With it
 *   @clusters, @outliers and @keep are chosen, not given
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
  const char *also;
  double      error;
  KymoSpan    span;
} KymoReducerWish;

/* All three block; any thread. `job` may be NULL.

   The choice is an answer: pes, stands_for, kept, dropped, clusters, weights, quality,
   errors, the parameters and what it took to find them (docs/formats/kymo.md,
   the command `reduce`). With an error it is the smallest set within it of those
   that `clusters` chooses with n = 1, 2, 3, ... PEs in all (steps of a 64th of n,
   at least 1; the last step is halved) for 1 to 10, 12, 15, 20, 25, 30, 40 and 50
   seeds; see kymo-reducer-search.c. All PEs are off by nothing, so there always
   is one, but where the run is itself off by more already.

   Of runs without records of each PE the error says that they cannot be reduced. */
KymoTable *kymo_reducer_choose (KymoSource             *source,
                                const KymoReducerWish  *wish,
                                KymoJob                *job,
                                GError                **error);
/* Writes what was chosen of the source's run: of logs of Projections, at `path`, the logs
   of the PEs byte for byte (`base`: which of several, or NULL), of others what
   kymo-part.h makes of them. Nothing may be at `out`, and whatever goes wrong nothing is
   there then. */
gboolean   kymo_reducer_write  (KymoSource             *source,
                                const char             *path,
                                const char             *base,
                                const KymoTable        *choice,
                                const char             *out,
                                KymoExtractResult      *result,
                                KymoJob                *job,
                                GError                **error);
/* About how many bytes would be written of some PEs. */
gint64     kymo_reducer_count_bytes (KymoSource        *source,
                                     const char        *path,
                                     const gint64      *pes,
                                     guint              n_pes);
/* What to know of a choice before it is used, as sentences (kymo-reducer-dropped.c). */
char     **kymo_reducer_dup_warnings (const KymoTable  *choice);
char      *kymo_reducer_dup_missed   (const KymoTable  *choice);
/* Whether it is a run that can be reduced at all. */
gboolean   kymo_reducer_check  (KymoSource             *source,
                                GError                **error);
/* Whether nothing is at `out`: before all that work is done. */
gboolean   kymo_reducer_check_out (const char          *out,
                                   GError             **error);

G_END_DECLS
