/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bins of a stream: 1 ms for what is new, then level by level ten times as
 * long, the older the longer, so that they stay within a budget.
 *
 * Each level has half as much of the budget as the one before it. One that has
 * more gives its oldest chunk to the next, with its bins added up in cells of
 * that one's grid (which begins at time 0); time that is not whole cells stays.
 * All is added in whole nanoseconds: the sum over any whole bins is that of
 * the bins that were added. The newest half minute is never thinned, unless
 * all of it is more than a hostile program shall get.
 *
 * Chunks are immutable and shared: a caller keeps those that it got.
 * Small neighbours are joined, four at a time, each bin of a level a few times at
 * most, so there are some hundred of them. One thread at a time.
 */
#pragma once

#include "kymo-bins.h"

G_BEGIN_DECLS

/** a chunk with more bytes than this is not joined with others */
#define KYMO_STREAM_CHUNK_BYTES (1 << 20)
/** what came in the last half minute stays in bins of 1 ms */
#define KYMO_STREAM_FINE_NS (G_GINT64_CONSTANT (30) * 1000000000)
/** but not where more bytes than this (or the budget) would be needed */
#define KYMO_STREAM_HARD_BYTES (G_GINT64_CONSTANT (192) << 20)

typedef struct _KymoStreamLevels KymoStreamLevels;

KymoStreamLevels *kymo_stream_levels_new      (gint64             budget_bytes);
void              kymo_stream_levels_free     (KymoStreamLevels  *levels);
void              kymo_stream_levels_clear    (KymoStreamLevels  *levels);
void              kymo_stream_levels_add      (KymoStreamLevels  *levels,
                                               KymoBins          *chunk,
                                               guint              n_states);
void              kymo_stream_levels_add_gap  (KymoStreamLevels  *levels,
                                               KymoSpan           span);
void              kymo_stream_levels_set_passing (KymoStreamLevels *levels,
                                               gboolean           passing);
GPtrArray        *kymo_stream_levels_dup_chunks (const KymoStreamLevels *levels);
gint64            kymo_stream_levels_get_bytes (const KymoStreamLevels *levels);
gint64            kymo_stream_levels_get_fine_ns (const KymoStreamLevels *levels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStreamLevels, kymo_stream_levels_free)

G_END_DECLS
