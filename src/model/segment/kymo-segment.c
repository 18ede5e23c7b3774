/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a sealed segment; see kymo-segment.h for its invariants.
 */
#include "config.h"

#include "kymo-segment.h"

#include <string.h>

#include "kymo-once.h"
#include "kymo-order.h"

/**
 * kymo_backing_ref:
 *
 * Returns: (transfer full): @backing, with one more reference
 */
KymoBacking *
kymo_backing_ref (KymoBacking *backing)
{
  g_atomic_ref_count_inc (&backing->ref_count);
  return backing;
}

/**
 * kymo_backing_unref:
 *
 * Drops a reference to @backing and frees it by its own function with the last reference.
 */
void
kymo_backing_unref (KymoBacking *backing)
{
  if (g_atomic_ref_count_dec (&backing->ref_count))
    backing->free (backing);
}

enum
{
  USE_FIT = 1,
  USE_UNFIT,
};

/**
 * kymo_segment_use:
 * @parts: #KymoSegmentPart to be read, or'ed
 *
 * To be called before columns are read. Columns in memory are always fit;
 * those of a backing are checked, once for each part. Any thread.
 *
 * Returns: %FALSE where the backing lies; then these columns must not be read
 */
gboolean
kymo_segment_use (KymoSegment *segment,
                  guint        parts)
{
  gboolean fit = TRUE;

  for (guint i = 0; i < KYMO_N_PARTS && segment->backing != NULL; i++)
    {
      if (!(parts & (1u << i)))
        continue;
      if (kymo_once_enter (&segment->used_once[i]))
        kymo_once_leave (&segment->used_once[i],
                         segment->backing->check (segment->backing, segment, 1u << i)
                         ? USE_FIT : USE_UNFIT);
      fit = fit && kymo_once_get (&segment->used_once[i]) == USE_FIT;
    }
  return fit;
}

/**
 * kymo_segment_get_n_points:
 *
 * Returns: the number of points, also before they were used
 */
guint
kymo_segment_get_n_points (const KymoSegment *segment)
{
  return segment->backing != NULL ? segment->n_stored_points : segment->points->len;
}

/**
 * kymo_segment_get_point_kinds:
 *
 * Returns: a bit 1 << kind for each kind of point there is, also before they
 * were used
 */
guint32
kymo_segment_get_point_kinds (const KymoSegment *segment)
{
  guint32 kinds = 0;

  if (segment->backing != NULL)
    return segment->stored_point_kinds;
  for (guint i = 0; i < segment->points->len; i++)
    kinds |= 1u << g_array_index (segment->points, KymoPoint, i).kind;
  return kinds;
}

/* First index in [low, high) whose time is > time_ns, else high. */
static guint
upper_bound (KymoTimes times,
             guint     low,
             guint     high,
             gint64    time_ns)
{
  return KYMO_FIND_FIRST (i, low, high, kymo_times_at (times, i) > time_ns);
}

/**
 * kymo_segment_find_piece:
 * @time_ns: a time inside the span
 *
 * Returns: the last piece that begins at or before @time_ns
 */
guint
kymo_segment_find_piece (const KymoSegment *segment,
                         gint64             time_ns)
{
  guint i = upper_bound (kymo_segment_times (segment, segment->piece_begin), 0,
                         segment->n_pieces, time_ns);

  return i > 0 ? i - 1 : 0;
}

/* Like kymo_segment_find_piece(), galloping on from a piece known to begin at
   or before the time: neighbouring cells of a picture are near. */
static guint
find_piece_from (const KymoSegment *segment,
                 guint              from,
                 gint64             time_ns)
{
  guint step = 1, low = from, high;

  while (low + step < segment->n_pieces
         && kymo_segment_piece_begin (segment, low + step) <= time_ns)
    {
      low += step;
      step *= 2;
    }
  high = MIN (low + step, segment->n_pieces);
  return upper_bound (kymo_segment_times (segment, segment->piece_begin), low, high,
                      time_ns) - 1;
}

/**
 * kymo_segment_sum:
 * @span: time range; what lies outside of the segment adds nothing
 * @hint: (inout) (nullable): a piece at or before @span; updated, so that
 *   ascending ranges find their pieces without searching
 * @sums: added to: nanoseconds by state, exact; in a summary to the bin,
 *   whose time is taken as evenly spread
 */
void
kymo_segment_sum (const KymoSegment *segment,
                  KymoSpan           span,
                  guint             *hint,
                  KymoSums          *sums)
{
  KymoTimes begin = kymo_segment_times (segment, segment->piece_begin);
  guint first, last;

  span = kymo_span_intersect (span, segment->span);
  if (span.end_ns <= span.begin_ns)
    return;
  if (segment->bins != NULL)
    {
      kymo_bins_sum (segment->bins, span, sums);
      return;
    }
  if (segment->n_pieces == 0)
    return;
  if (segment->backing != NULL && span.begin_ns == segment->span.begin_ns
      && span.end_ns == segment->span.end_ns)
    {
      for (guint i = 0; i < segment->n_stored_sums; i++)
        kymo_sums_add (sums, segment->stored_sums[i].state, segment->stored_sums[i].ns);
      return;
    }
  if (hint != NULL && kymo_times_at (begin, *hint) <= span.begin_ns)
    first = find_piece_from (segment, *hint, span.begin_ns);
  else
    first = kymo_segment_find_piece (segment, span.begin_ns);
  last = find_piece_from (segment, first, span.end_ns - 1);
  if (hint != NULL)
    *hint = last;
  if (first == last)
    {
      kymo_sums_add (sums, segment->piece_state[first], span.end_ns - span.begin_ns);
      return;
    }
  kymo_sums_add (sums, segment->piece_state[first],
                 kymo_times_at (begin, first + 1) - span.begin_ns);
  kymo_pyramid_sum (segment->pyramid, begin, segment->piece_state, first + 1, last, sums);
  kymo_sums_add (sums, segment->piece_state[last], span.end_ns - kymo_times_at (begin, last));
}

/**
 * kymo_segment_first_block:
 *
 * Returns: the first block that begins at or after @time_ns, else n_blocks
 */
guint
kymo_segment_first_block (const KymoSegment *segment,
                          gint64             time_ns)
{
  return time_ns == G_MININT64 ? 0
    : upper_bound (kymo_segment_times (segment, segment->block_begin), 0, segment->n_blocks,
                   time_ns - 1);
}

/**
 * kymo_segment_exclusive:
 * @exclusive_ns: (out caller-allocates): n_blocks figures: a block's length
 *   without the blocks nested in it
 */
void
kymo_segment_exclusive (const KymoSegment *segment,
                        gint64            *exclusive_ns)
{
  guint parent[256];            /* block open at each depth; depth is 8 bits */

  for (guint i = 0; i < segment->n_blocks; i++)
    {
      guint depth = segment->block_depth != NULL ? segment->block_depth[i] : 0;
      gint64 length = kymo_segment_block_end (segment, i) - kymo_segment_block_begin (segment, i);

      exclusive_ns[i] = length;
      parent[depth] = i;
      if (depth > 0)
        exclusive_ns[parent[depth - 1]] -= length;
    }
}

/**
 * kymo_segment_new_exclusive:
 *
 * Returns: (transfer full) (nullable): what kymo_segment_exclusive() tells, to be freed with
 *   kymo_scratch_free(); %NULL where blocks do not nest, so that it is their length
 */
gint64 *
kymo_segment_new_exclusive (KymoSegment *segment)
{
  gint64 *exclusive_ns;

  if (segment->block_depth == NULL)
    return NULL;
  exclusive_ns = kymo_segment_new_made (segment, segment->n_blocks, sizeof (gint64));
  kymo_segment_exclusive (segment, exclusive_ns);
  return exclusive_ns;
}

/**
 * kymo_segment_exclusive_of:
 *
 * Returns: what kymo_segment_exclusive() tells of one block: those that are
 * nested in it follow it
 */
gint64
kymo_segment_exclusive_of (const KymoSegment *segment,
                           guint              block)
{
  const guint8 *depth = segment->block_depth;
  gint64 ns = kymo_segment_block_end (segment, block) - kymo_segment_block_begin (segment, block);

  for (guint i = block + 1; depth != NULL && i < segment->n_blocks && depth[i] > depth[block]; i++)
    if (depth[i] == depth[block] + 1)
      ns -= kymo_segment_block_end (segment, i) - kymo_segment_block_begin (segment, i);
  return ns;
}

/**
 * kymo_segment_shift:
 * @segment: a sealed segment that no other thread has yet
 * @offset_ns: added to every time
 *
 * Moves the whole segment in time, which costs the same for any number of
 * blocks and sends. Durations stay, and so does the pyramid, which knows
 * nothing else.
 */
void
kymo_segment_shift (KymoSegment *segment,
                    gint64       offset_ns)
{
  if (offset_ns == 0)
    return;
  kymo_totals_shift (segment, offset_ns);
  segment->span.begin_ns += offset_ns;
  segment->span.end_ns += offset_ns;
  segment->base_ns += offset_ns;
  for (guint i = 0; i < segment->points->len; i++)
    {
      g_array_index (segment->points, KymoPoint, i).begin_ns += offset_ns;
      g_array_index (segment->points, KymoPoint, i).end_ns += offset_ns;
    }
  for (guint i = 0; i < segment->stretches->len; i++)
    {
      g_array_index (segment->stretches, KymoStretch, i).begin_ns += offset_ns;
      g_array_index (segment->stretches, KymoStretch, i).end_ns += offset_ns;
    }
}

/* A segment of a summary, a stream or a draft: bins in the place of a track. */

/**
 * kymo_segment_new_of_bins:
 * @bins: (transfer full): sums by bin
 *
 * Returns: (transfer full): a segment of a summary or a stream; its points may
 * be added
 */
KymoSegment *
kymo_segment_new_of_bins (KymoBins *bins)
{
  KymoSegment *segment = kymo_segment_new ();

  segment->bins = bins;
  if (bins->chunks == NULL)
    bins->end_ns = bins->begin_ns + bins->bin_ns * bins->n_bins;
  segment->span = (KymoSpan) { bins->begin_ns, bins->end_ns };
  return segment;
}

/* A bin that the segment fills in part only is told as if all of it were
   alike; overhead is what the list leaves. */
static void
append_bin (const KymoSums *sums,
            gint64          bin_ns,
            gint64          filled_ns,
            GArray         *states,
            GArray         *ns)
{
  for (guint i = 0; i < sums->n_touched; i++)
    {
      guint32 state = sums->touched[i];
      gint64 here_ns = (gint64) ((__int128) sums->ns[state] * bin_ns / filled_ns);

      if (state == KYMO_STATE_OVERHEAD || here_ns == 0)
        continue;
      g_array_append_val (states, state);
      g_array_append_val (ns, here_ns);
    }
}

/**
 * kymo_segment_new_thumbnail:
 * @segment: a segment with a track
 * @n_bins: most bins; at least 1
 * @n_states: of the run
 *
 * Returns: (transfer full): what the segment looks like from afar: the sums
 * of equal parts of its span. It keeps nothing of @segment.
 */
KymoSegment *
kymo_segment_new_thumbnail (const KymoSegment *segment,
                            guint              n_bins,
                            guint              n_states)
{
  gint64 length = MAX (kymo_span_length (segment->span), 1);
  gint64 bin_ns = (length + n_bins - 1) / n_bins;
  guint n = (length + bin_ns - 1) / bin_ns, hint = 0;
  GArray *states = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint32 *offsets = g_new (guint32, n + 1);
  KymoBins *bins = kymo_bins_new (bin_ns, n);
  KymoSegment *thumbnail;
  KymoSums sums;

  kymo_sums_init (&sums, n_states);
  bins->begin_ns = segment->span.begin_ns;
  for (guint i = 0; i < n; i++)
    {
      gint64 begin_ns = bins->begin_ns + i * bin_ns;
      gint64 end_ns = MIN (begin_ns + bin_ns, segment->span.end_ns);

      offsets[i] = states->len;
      kymo_segment_sum (segment, (KymoSpan) { begin_ns, end_ns }, &hint, &sums);
      if (end_ns > begin_ns)
        append_bin (&sums, bin_ns, end_ns - begin_ns, states, ns);
      kymo_sums_reset (&sums);
    }
  offsets[n] = states->len;
  kymo_sums_clear (&sums);
  bins->times = kymo_pyramid_new_from_nodes (offsets, (gpointer) g_array_free (states, FALSE),
                                             (gpointer) g_array_free (ns, FALSE), n, n_states);
  thumbnail = kymo_segment_new_of_bins (bins);
  thumbnail->span = segment->span;
  thumbnail->n_records = segment->n_records;
  return thumbnail;
}
