/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a part of a bin is shared out. Of the first x nanoseconds of a bin the
 * first state of the list gets x * ns / bin, rounded down; what is left of x
 * and of the bin is shared in the same way among the states after it, and
 * overhead takes the last rest. Every share grows by 0 or 1 as x grows by 1,
 * so parts are never negative, adjacent ranges add up to the whole, and the
 * states of a range add up to its length, all in integers.
 */
#include "config.h"

#include "kymo-bins.h"

#include "kymo-order.h"

/**
 * kymo_bins_new:
 * @bin_ns: length of a bin
 * @n_bins: number of bins
 *
 * Returns: (transfer full): bins without content; the maker puts times, calls and packing in
 */
KymoBins *
kymo_bins_new (gint64 bin_ns,
               guint  n_bins)
{
  KymoBins *bins = g_new0 (KymoBins, 1);

  g_atomic_ref_count_init (&bins->ref_count);
  bins->bin_ns = bin_ns;
  bins->n_bins = n_bins;
  bins->totals = g_array_new (FALSE, FALSE, sizeof (KymoBinsTotal));
  return bins;
}

/**
 * kymo_bins_new_of_chunks:
 * @chunks: (element-type KymoBins) (transfer full): at least one, by time
 *   and without gaps, with their begin_ns and end_ns set; only their times
 *   are read
 *
 * Returns: (transfer full): bins of several lengths
 */
KymoBins *
kymo_bins_new_of_chunks (GPtrArray *chunks)
{
  const KymoBins *first = g_ptr_array_index (chunks, 0);
  KymoBins *bins = kymo_bins_new (first->bin_ns, 0);

  bins->chunks = chunks;
  bins->begin_ns = first->begin_ns;
  for (guint i = 0; i < chunks->len; i++)
    {
      const KymoBins *chunk = g_ptr_array_index (chunks, i);

      bins->n_bins += chunk->n_bins;
      bins->bin_ns = MIN (bins->bin_ns, chunk->bin_ns);
      bins->end_ns = chunk->end_ns;
    }
  return bins;
}

/**
 * kymo_bins_ref:
 *
 * Returns: (transfer full): @bins, with one more reference
 */
KymoBins *
kymo_bins_ref (KymoBins *bins)
{
  g_atomic_ref_count_inc (&bins->ref_count);
  return bins;
}

/**
 * kymo_bins_unref:
 *
 * Drops a reference to @bins and frees it with the last reference. %NULL is ignored.
 */
void
kymo_bins_unref (KymoBins *bins)
{
  if (bins == NULL || !g_atomic_ref_count_dec (&bins->ref_count))
    return;
  g_clear_pointer (&bins->chunks, g_ptr_array_unref);
  kymo_pyramid_free (bins->times);
  kymo_pyramid_free (bins->calls);
  kymo_pyramid_free (bins->packing);
  g_array_unref (bins->totals);
  g_free (bins);
}

/** kymo_bins_get_bytes: the memory of the bins in bytes, with their chunks */
gsize
kymo_bins_get_bytes (const KymoBins *bins)
{
  const KymoPyramid *pyramids[] = { bins->times, bins->calls, bins->packing };
  gsize bytes = sizeof *bins + bins->totals->len * sizeof (KymoBinsTotal);

  for (guint i = 0; i < G_N_ELEMENTS (pyramids); i++)
    if (pyramids[i] != NULL)
      bytes += kymo_pyramid_get_bytes (pyramids[i]);
  for (guint i = 0; bins->chunks != NULL && i < bins->chunks->len; i++)
    bytes += kymo_bins_get_bytes (g_ptr_array_index (bins->chunks, i)) + sizeof (gpointer);
  return bytes;
}

/**
 * kymo_bins_map_states:
 * @state_of: the new number of every state
 *
 * Renumbers the states once all files are read and the activities known.
 */
void
kymo_bins_map_states (KymoBins      *bins,
                      const guint32 *state_of)
{
  if (bins->times != NULL)
    kymo_pyramid_map_states (bins->times, state_of);
  if (bins->calls != NULL)
    kymo_pyramid_map_states (bins->calls, state_of);
  for (guint i = 0; i < bins->totals->len; i++)
    {
      KymoBinsTotal *total = &g_array_index (bins->totals, KymoBinsTotal, i);

      total->state = state_of[total->state];
    }
  bins->unknown = state_of[bins->unknown];
}

static inline gint64
share_bins (gint64 part,
            gint64 ns,
            gint64 whole)
{
  if (whole <= 0)
    return 0;
  /* Both are durations within a bin, of seconds at most as a rule. */
  if (G_LIKELY (((part | ns) >> 31) == 0))
    return part * ns / whole;
  return (gint64) ((__int128) part * ns / whole);
}

/* The time from offset `from` to offset `to` of one bin. */
static void
add_part (const KymoBins *bins,
          guint           bin,
          gint64          from,
          gint64          to,
          KymoSums       *sums)
{
  const guint32 *states;
  const gint64 *ns;
  guint n = kymo_pyramid_peek_node (bins->times, bin, &states, &ns);
  gint64 left_ns = bins->bin_ns;

  for (guint i = 0; i < n; i++)
    {
      gint64 a = share_bins (from, ns[i], left_ns), b = share_bins (to, ns[i], left_ns);

      kymo_sums_add (sums, states[i], b - a);
      from -= a;
      to -= b;
      left_ns -= ns[i];
    }
  kymo_sums_add (sums, KYMO_STATE_OVERHEAD, to - from);
}

/* Whole bins: overhead is what the lists leave. */
static void
add_whole (const KymoBins *bins,
           guint           first,
           guint           end,
           KymoSums       *sums)
{
  gint64 before = 0, after = 0;

  for (guint i = 0; i < sums->n_touched; i++)
    before += sums->ns[sums->touched[i]];
  kymo_pyramid_sum_nodes (bins->times, first, end, sums);
  for (guint i = 0; i < sums->n_touched; i++)
    after += sums->ns[sums->touched[i]];
  kymo_sums_add (sums, KYMO_STATE_OVERHEAD,
                 (gint64) (end - first) * bins->bin_ns - (after - before));
}

/* Sums up bins of one length. */
static void
sum_alike (const KymoBins *bins,
           KymoSpan        span,
           KymoSums       *sums)
{
  gint64 bin_ns = bins->bin_ns, from, to;
  guint first, last;

  span.begin_ns -= bins->begin_ns;
  span.end_ns -= bins->begin_ns;
  first = span.begin_ns / bin_ns;
  last = (span.end_ns - 1) / bin_ns;
  from = span.begin_ns - first * bin_ns;
  to = span.end_ns - last * bin_ns;
  if (first == last && (from > 0 || to < bin_ns))
    {
      add_part (bins, first, from, to, sums);
      return;
    }
  if (from > 0)
    add_part (bins, first++, from, bin_ns, sums);
  if (to < bin_ns)
    add_part (bins, last, 0, to, sums);
  else
    last++;
  if (first < last)
    add_whole (bins, first, last, sums);
}

/* The first chunk that ends after a time. */
static guint
find_chunk (const KymoBins *bins,
            gint64          time_ns)
{
  KymoBins *const *chunks = (gpointer) bins->chunks->pdata;

  return KYMO_FIND_FIRST (i, 0, bins->chunks->len, chunks[i]->end_ns > time_ns);
}

/**
 * kymo_bins_sum:
 * @span: time range within the bins
 * @sums: added to: nanoseconds by state, together the length of @span
 */
void
kymo_bins_sum (const KymoBins *bins,
               KymoSpan        span,
               KymoSums       *sums)
{
  if (bins->chunks == NULL)
    {
      sum_alike (bins, span, sums);
      return;
    }
  for (guint i = find_chunk (bins, span.begin_ns); i < bins->chunks->len; i++)
    {
      const KymoBins *chunk = g_ptr_array_index (bins->chunks, i);
      KymoSpan inside = { MAX (span.begin_ns, chunk->begin_ns), MIN (span.end_ns, chunk->end_ns) };

      if (chunk->begin_ns >= span.end_ns)
        break;
      if (kymo_span_length (inside) > 0)
        sum_alike (chunk, inside, sums);
    }
}

/* The part of one bin's figures, each by itself. */
static void
count_part (const KymoBins    *bins,
            const KymoPyramid *of,
            guint              bin,
            gint64             from,
            gint64             to,
            KymoSums          *sums)
{
  const guint32 *states;
  const gint64 *values;
  guint n = kymo_pyramid_peek_node (of, bin, &states, &values);

  for (guint i = 0; i < n; i++)
    kymo_sums_add (sums, states[i], share_bins (to, values[i], bins->bin_ns)
                   - share_bins (from, values[i], bins->bin_ns));
}

/**
 * kymo_bins_count:
 * @of: calls or packing of the bins
 * @span: time range
 * @sums: added to: figures by state
 *
 * Whole bins, and of parts of a bin their share, rounded down from the bin's
 * begin on; so adjacent ranges add up.
 */
void
kymo_bins_count (const KymoBins    *bins,
                 const KymoPyramid *of,
                 KymoSpan           span,
                 KymoSums          *sums)
{
  gint64 bin_ns = bins->bin_ns;
  guint first, last;

  span.begin_ns -= bins->begin_ns;
  span.end_ns -= bins->begin_ns;
  span = kymo_span_intersect (span, (KymoSpan) { 0, bin_ns * bins->n_bins });
  if (of == NULL || kymo_span_length (span) == 0)
    return;
  first = span.begin_ns / bin_ns;
  last = (span.end_ns - 1) / bin_ns;
  if (first == last)
    {
      count_part (bins, of, first, span.begin_ns - first * bin_ns, span.end_ns - first * bin_ns,
                  sums);
      return;
    }
  count_part (bins, of, first, span.begin_ns - first * bin_ns, bin_ns, sums);
  kymo_pyramid_sum_nodes (of, first + 1, last, sums);
  count_part (bins, of, last, 0, span.end_ns - last * bin_ns, sums);
}
