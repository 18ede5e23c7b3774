/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Some PEs and a stretch of time of a run of logs, as a run of its own
 * (docs/formats/kymo.md).
 */
#pragma once

#include "kymo-id-set.h"
#include "kymo-job.h"
#include "kymo-reduce.h"
#include "kymo-run.h"

G_BEGIN_DECLS

/**
 * KymoExtractWish:
 * @path: the run, or a file of it: logs of Projections
 * @base: (nullable): which of several
 * @pes: (array length=n_pes): whose logs are written, ascending
 * @span: of the files' own clock, within @whole
 * @whole: span of the run
 * @axis: span of its logs without damage, where some are damaged; else empty
 * @out: the folder to be made; nothing may be there
 * @n_threads: most threads; 0 = one per core
 */
typedef struct
{
  const char   *path;
  const char   *base;
  const gint64 *pes;
  guint         n_pes;
  KymoSpan      span;
  KymoSpan      whole;
  KymoSpan      axis;
  const char   *out;
  guint         n_threads;
} KymoExtractWish;

/**
 * KymoExtractResult:
 * @kept: (element-type gint64): PEs whose logs were written
 * @copied: (element-type gint64): of these, logs that could not be cut and
 *   are there from begin to end
 * @left_out: (nullable) (element-type utf8): what the form of the files cannot hold
 * @bytes_before: bytes of the logs, names and .projrc of the run; -1 = not known
 * @bytes_after: bytes of what was written
 */
typedef struct
{
  GArray    *kept;
  GArray    *copied;
  GPtrArray *left_out;
  gint64     bytes_before;
  gint64     bytes_after;
} KymoExtractResult;

gboolean kymo_extract_check        (const KymoRun               *run,
                                    GError                     **error);
gboolean kymo_extract_write        (const KymoExtractWish       *wish,
                                    KymoExtractResult           *result,
                                    KymoJob                     *job,
                                    GError                     **error);
void     kymo_extract_result_clear (KymoExtractResult           *result);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KymoExtractResult, kymo_extract_result_clear)

G_END_DECLS
