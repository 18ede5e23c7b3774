/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the samples of a log to bins that stand for it.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-projections-probe.h"

/* Number of samples on each side that count with one. */
#define POOLED 1
/* As far as a guess goes, like the times of a log. */
#define MAX_SPAN_NS (G_GINT64_CONSTANT (1) << 53)

/**
 * kymo_probe_guess_end:
 *
 * Returns: when the log may end, as if time went with its bytes
 */
gint64
kymo_probe_guess_end (const KymoProbe *probe)
{
  double ns = kymo_span_length (probe->span);

  if (probe->has_end || probe->kind != KYMO_PROBE_HEAD)
    return probe->span.end_ns;
  ns *= (double) probe->plain_bytes / (double) MAX (probe->head_bytes, 1);
  return probe->span.begin_ns + (gint64) CLAMP (ns, 0, (double) MAX_SPAN_NS);
}

/* Time goes with the bytes; a sample that says otherwise is none, and neither
   is one beyond the log's own end. */
static void
drop_lies (KymoProbe *probe,
           KymoSpan   span)
{
  gint64 last_ns = span.begin_ns;
  guint n = 0;

  g_array_sort (probe->samples, kymo_compare_ints);
  for (guint i = 0; i < probe->samples->len; i++)
    {
      KymoProbeSample sample = g_array_index (probe->samples, KymoProbeSample, i);

      if (sample.span.begin_ns < last_ns || sample.span.end_ns > span.end_ns)
        continue;
      last_ns = sample.span.end_ns;
      g_array_index (probe->samples, KymoProbeSample, n++) = sample;
    }
  g_array_set_size (probe->samples, n);
}

static void
add_shares (const KymoProbe       *probe,
            const KymoProbeSample *sample,
            KymoSums              *sums)
{
  for (guint i = 0; i < sample->n_shares; i++)
    {
      const KymoProbeShare *share = &g_array_index (probe->shares, KymoProbeShare,
                                                    sample->first + i);

      kymo_sums_add (sums, share->state, share->ns);
    }
}

/* Samples are alike in bytes, not in time: one that meets a long piece stands
   for many that do not. So each gets the mix of itself and its neighbours,
   time by time. */
static KymoProbe
pool_samples (const KymoProbe *probe,
              guint            n_states)
{
  KymoProbe pooled = *probe;
  KymoSums sums;

  pooled.samples = g_array_new (FALSE, FALSE, sizeof (KymoProbeSample));
  pooled.shares = g_array_new (FALSE, FALSE, sizeof (KymoProbeShare));
  kymo_sums_init (&sums, n_states);
  for (guint i = 0; i < probe->samples->len; i++)
    {
      KymoProbeSample sample = g_array_index (probe->samples, KymoProbeSample, i);

      sample.first = pooled.shares->len;
      sample.mix_ns = 0;
      for (guint k = i - MIN (i, POOLED); k <= i + POOLED && k < probe->samples->len; k++)
        {
          const KymoProbeSample *near = &g_array_index (probe->samples, KymoProbeSample, k);

          add_shares (probe, near, &sums);
          sample.mix_ns += near->mix_ns;
        }
      sample.n_shares = kymo_probe_append_shares (&sums, pooled.shares);
      g_array_append_val (pooled.samples, sample);
    }
  kymo_sums_clear (&sums);
  return pooled;
}

/* The sample that is nearest to a time, from @i on; NULL = nothing is known. */
static const KymoProbeSample *
nearest_sample (const KymoProbe *probe,
                gint64           ns,
                guint           *i)
{
  const KymoProbeSample *samples = (gconstpointer) probe->samples->data;
  guint n = probe->samples->len;

  if (n == 0)
    return NULL;
  if (probe->kind == KYMO_PROBE_HEAD)
    return ns <= samples[0].span.end_ns ? samples : NULL;
  while (*i + 1 < n && samples[*i + 1].span.begin_ns - ns < ns - samples[*i].span.end_ns)
    ++*i;
  return &samples[*i];
}

static void
append_bin (const KymoProbe       *probe,
            const KymoProbeSample *sample,
            gint64                 bin_ns,
            GArray                *states,
            GArray                *ns)
{
  static const KymoProbeShare nothing = { KYMO_STATE_UNTRACED, 1 };
  const KymoProbeShare *shares = &nothing;
  gint64 whole_ns = 1;
  guint n = 1;

  if (sample != NULL)
    {
      n = sample->n_shares;
      if (n > 0)
        shares = &g_array_index (probe->shares, KymoProbeShare, sample->first);
      whole_ns = sample->mix_ns;
    }
  for (guint i = 0; i < n; i++)
    {
      gint64 part = (gint64) ((__int128) shares[i].ns * bin_ns / whole_ns);

      if (part == 0)
        continue;
      g_array_append_val (states, shares[i].state);
      g_array_append_val (ns, part);
    }
}

/**
 * kymo_probe_make_segment:
 * @probe: its samples are put in order; may be zeroes, one that was never
 *   looked at
 * @span: of the segment
 * @n_states: of the run
 * @n_bins: most bins
 *
 * Returns: (transfer full): the draft of the log; untraced where nothing is
 * known
 */
KymoSegment *
kymo_probe_make_segment (KymoProbe *probe,
                         KymoSpan   span,
                         guint      n_states,
                         guint      n_bins)
{
  gint64 length = MAX (kymo_span_length (span), 1);
  gint64 bin_ns = (length + n_bins - 1) / n_bins;
  GArray *states = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint32 *offsets;
  KymoSegment *segment;
  KymoBins *bins;
  KymoProbe pooled;
  guint at = 0;

  if (probe->samples == NULL)
    kymo_probe_init (probe);
  drop_lies (probe, span);
  pooled = pool_samples (probe, n_states);
  n_bins = (length + bin_ns - 1) / bin_ns;
  offsets = g_new (guint32, n_bins + 1);
  bins = kymo_bins_new (bin_ns, n_bins);
  bins->begin_ns = span.begin_ns;
  for (guint i = 0; i < n_bins; i++)
    {
      gint64 middle_ns = span.begin_ns + (gint64) i * bin_ns + bin_ns / 2;

      offsets[i] = states->len;
      append_bin (&pooled, nearest_sample (&pooled, middle_ns, &at), bin_ns, states, ns);
    }
  offsets[n_bins] = states->len;
  kymo_probe_clear (&pooled);
  bins->times = kymo_pyramid_new_from_nodes (offsets, (gpointer) g_array_free (states, FALSE),
                                             (gpointer) g_array_free (ns, FALSE), n_bins,
                                             n_states);
  segment = kymo_segment_new_of_bins (bins);
  segment->span = span;
  return segment;
}
