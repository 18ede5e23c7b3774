/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a summary knows of a location: equal bins of time, of each the time
 * by state. Where inside a bin something happened is not known; it
 * is taken as evenly spread.
 *
 * A bin is a sparse list of (state, ns) without overhead: that is what the
 * list leaves of the bin, and never negative. The order of the list is part
 * of the data: parts of a bin are shared out in it, see kymo-bins.c.
 *
 * Bins of several lengths, one after the other, are *chunks* of one KymoBins
 * (a stream keeps its past in longer bins than its present). Chunks are shared
 * between snapshots of a run.
 *
 * Immutable once a segment holds it; any thread may read. All belongs to the
 * bins, which are shared by reference count.
 */
#pragma once

#include "kymo-pyramid.h"
#include "kymo-span.h"

G_BEGIN_DECLS

/** KymoBinsTotal: one activity over the whole run, as the files tell it */
typedef struct
{
  guint32 state;
  gint64  ns;
  gint64  calls;
  gint64  longest_ns;           /* its longest single execution */
} KymoBinsTotal;

/**
 * KymoBins:
 * @begin_ns: of the first bin; 0 in a summary
 * @end_ns: of the last bin; set by kymo_segment_new_of_bins() and
 *   kymo_bins_new_of_chunks()
 * @bin_ns: length of a bin; with chunks, length of the shortest bin
 * @n_bins: with chunks those of all
 * @chunks: (nullable) (element-type KymoBins): then @times is %NULL; without
 *   gaps, by time
 * @times: a node a bin: nanoseconds of idle, unknown and the activities;
 *   their sum is at most @bin_ns
 * @calls: (nullable): a node a bin: executions that ended in it
 * @packing: (nullable): a node a bin: packing (state 0) and unpacking (1)
 *   nanoseconds, which lie inside the other states
 * @unknown: state of executions whose activity the bins do not tell
 * @totals: #KymoBinsTotal, exact where the bins are rounded; their ns add up
 *   to no more than the activities have in @times
 * @pack_ns: of the whole run
 * @unpack_ns: of the whole run
 */
typedef struct
{
  gatomicrefcount ref_count;
  gint64       begin_ns;
  gint64       end_ns;
  gint64       bin_ns;
  guint        n_bins;
  GPtrArray   *chunks;
  KymoPyramid *times;
  KymoPyramid *calls;
  KymoPyramid *packing;
  guint32      unknown;
  GArray      *totals;
  gint64       pack_ns;
  gint64       unpack_ns;
} KymoBins;

KymoBins *kymo_bins_new        (gint64          bin_ns,
                                guint           n_bins);
KymoBins *kymo_bins_new_of_chunks (GPtrArray   *chunks);
KymoBins *kymo_bins_ref        (KymoBins       *bins);
void      kymo_bins_unref      (KymoBins       *bins);
gsize     kymo_bins_get_bytes  (const KymoBins *bins);
void      kymo_bins_map_states (KymoBins       *bins,
                                const guint32  *state_of);
void      kymo_bins_sum        (const KymoBins *bins,
                                KymoSpan        span,
                                KymoSums       *sums);
void      kymo_bins_count      (const KymoBins    *bins,
                                const KymoPyramid *of,
                                KymoSpan           span,
                                KymoSums          *sums);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoBins, kymo_bins_unref)

G_END_DECLS
