/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A segment of a summary, a stream or a draft: bins in the place of a track.
 */
#include "config.h"

#include "kymo-segment.h"

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
