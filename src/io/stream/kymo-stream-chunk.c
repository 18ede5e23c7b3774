/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-stream-chunk.h"

#include "kymo-memory.h"

/* Bytes that the allocator and the arrays of a chunk take beside its figures. */
#define CHUNK_OVERHEAD 512
/* A state and its time, and the end of the list. */
#define GAP_BIN_BYTES 16
/* Number of chunks of a size that become one. */
#define JOINED 4

/**
 * kymo_chunk_get_bytes:
 *
 * Returns: the memory of a chunk in bytes, that of its place in a list included
 */
gint64
kymo_chunk_get_bytes (const KymoBins *chunk)
{
  return (gint64) kymo_bins_get_bytes (chunk) + CHUNK_OVERHEAD;
}

/** kymo_chunk_is_gap: TRUE if nothing is known of the time of the chunk */
gboolean
kymo_chunk_is_gap (const KymoBins *chunk)
{
  const guint32 *states;
  const gint64 *ns;

  return chunk->n_bins == 1 && kymo_pyramid_peek_node (chunk->times, 0, &states, &ns) == 1
    && states[0] == KYMO_STATE_UNTRACED && ns[0] == chunk->bin_ns;
}

/* -- making chunks --------------------------------------------------------- */

/**
 * kymo_chunk_draft_begin:
 * @draft: (out): without bins
 * @begin_ns: begin of the first bin
 * @bin_ns: length of a bin
 *
 * Begins a chunk. It ends with kymo_chunk_draft_end().
 */
void
kymo_chunk_draft_begin (KymoChunkDraft *draft,
                        gint64          begin_ns,
                        gint64          bin_ns)
{
  guint32 zero = 0;

  draft->begin_ns = begin_ns;
  draft->bin_ns = bin_ns;
  draft->offsets = g_array_new (FALSE, FALSE, sizeof (guint32));
  draft->states = g_array_new (FALSE, FALSE, sizeof (guint32));
  draft->ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_array_append_val (draft->offsets, zero);
}

static void
draft_end_bin (KymoChunkDraft *draft)
{
  guint32 end = draft->states->len;

  g_array_append_val (draft->offsets, end);
}

static void
draft_add_gap_bins (KymoChunkDraft *draft,
                    gint64          n)
{
  guint32 state = KYMO_STATE_UNTRACED;

  for (gint64 i = 0; i < n; i++)
    {
      g_array_append_val (draft->states, state);
      g_array_append_val (draft->ns, draft->bin_ns);
      draft_end_bin (draft);
    }
}

/**
 * kymo_chunk_draft_add_bins:
 * @chunk: bins of the draft's length
 * @first: first bin to take
 * @end: one past the last bin
 *
 * Adds bins of a chunk as they are.
 */
void
kymo_chunk_draft_add_bins (KymoChunkDraft *draft,
                           const KymoBins *chunk,
                           guint           first,
                           guint           end)
{
  const KymoPyramidLevel *nodes = kymo_pyramid_peek_level (chunk->times, 0);
  guint32 from = nodes->offsets[first], base = draft->states->len;
  guint n_before = draft->offsets->len, n = end - first;
  guint32 *offsets;

  /* A level whose nodes are all empty has no arrays. */
  if (nodes->offsets[end] > from)
    {
      g_array_append_vals (draft->states, nodes->states + from, nodes->offsets[end] - from);
      g_array_append_vals (draft->ns, nodes->ns + from, nodes->offsets[end] - from);
    }
  g_array_set_size (draft->offsets, n_before + n);
  offsets = &g_array_index (draft->offsets, guint32, n_before);
  for (guint i = 0; i < n; i++)
    offsets[i] = base + nodes->offsets[first + i + 1] - from;
}

/**
 * kymo_chunk_draft_add_sums:
 * @sums: of the next bin; empty after
 */
void
kymo_chunk_draft_add_sums (KymoChunkDraft *draft,
                           KymoSums       *sums)
{
  guint before = draft->states->len;

  if (sums->n_touched > 0)
    {
      guint32 *states;
      gint64 *ns;

      g_array_set_size (draft->states, before + sums->n_touched);
      g_array_set_size (draft->ns, before + sums->n_touched);
      states = &g_array_index (draft->states, guint32, before);
      ns = &g_array_index (draft->ns, gint64, before);
      for (guint i = 0; i < sums->n_touched; i++)
        {
          states[i] = sums->touched[i];
          ns[i] = sums->ns[states[i]];
        }
    }
  draft_end_bin (draft);
  kymo_sums_reset (sums);
}

static guint
draft_get_n_bins (const KymoChunkDraft *draft)
{
  return draft->offsets->len - 1;
}

/**
 * kymo_chunk_draft_end:
 * @draft: (transfer full): empty after
 * @n_states: number of states of the run
 *
 * Returns: (transfer full) (nullable): the chunk; %NULL if no bin was added
 */
KymoBins *
kymo_chunk_draft_end (KymoChunkDraft *draft,
                      guint           n_states)
{
  guint n_bins = draft_get_n_bins (draft);
  guint32 *offsets = kymo_array_steal_fitted (draft->offsets);
  guint32 *states = kymo_array_steal_fitted (draft->states);
  gint64 *ns = kymo_array_steal_fitted (draft->ns);
  KymoBins *chunk;

  if (n_bins == 0)
    {
      g_free (offsets);
      g_free (states);
      g_free (ns);
      return NULL;
    }
  chunk = kymo_bins_new (draft->bin_ns, n_bins);
  chunk->begin_ns = draft->begin_ns;
  chunk->end_ns = draft->begin_ns + draft->bin_ns * n_bins;
  chunk->times = kymo_pyramid_new_from_nodes (offsets, states, ns, n_bins, n_states);
  return chunk;
}

/**
 * kymo_chunk_new_gap:
 * @n_states: number of states of the run
 *
 * Returns: (transfer full): a chunk of one bin of which nothing is known
 */
KymoBins *
kymo_chunk_new_gap (KymoSpan span,
                    guint    n_states)
{
  KymoChunkDraft draft;

  kymo_chunk_draft_begin (&draft, span.begin_ns, kymo_span_length (span));
  draft_add_gap_bins (&draft, 1);
  return kymo_chunk_draft_end (&draft, n_states);
}

/* -- joining neighbours ---------------------------------------------------- */

static gboolean
is_on_grid (const KymoBins *chunk,
            gint64          cell_ns)
{
  return chunk->begin_ns % cell_ns == 0 && chunk->end_ns % cell_ns == 0;
}

/* Bytes of a chunk as bins of its level; one more than `most` = too many, or
   it cannot be so. */
static gint64
get_bytes_as_bins (const KymoBins *chunk,
                   gint64          cell_ns,
                   gint64          most)
{
  gint64 bytes = most + 1;

  if (chunk->bin_ns == cell_ns && chunk->begin_ns % cell_ns == 0)
    bytes = kymo_chunk_get_bytes (chunk);
  else if (kymo_chunk_is_gap (chunk) && is_on_grid (chunk, cell_ns)
           && chunk->bin_ns / cell_ns < most)
    bytes = CHUNK_OVERHEAD + chunk->bin_ns / cell_ns * GAP_BIN_BYTES;
  return MIN (bytes, most + 1);
}

/**
 * kymo_chunk_count_to_join:
 * @chunks: (element-type KymoBins): the chunks of a level
 * @cell_ns: length of a bin of the level
 * @most: largest chunk, in bytes
 *
 * Neighbours of about the same size are joined as soon as there are a few, like digits of a
 * counter to that base, so each bin is copied but a few times.
 *
 * Returns: the number of chunks at the end of the list that should become one; 1 = none
 */
guint
kymo_chunk_count_to_join (GPtrArray *chunks,
                          gint64     cell_ns,
                          gint64     most)
{
  const KymoBins *last = g_ptr_array_index (chunks, chunks->len - 1);
  gint64 last_bytes = get_bytes_as_bins (last, cell_ns, most), sum = last_bytes;

  if (chunks->len > 1 && kymo_chunk_is_gap (last)
      && kymo_chunk_is_gap (g_ptr_array_index (chunks, chunks->len - 2)))
    return 2;
  for (guint n = 1; n < chunks->len; n++)
    {
      gint64 bytes = get_bytes_as_bins (g_ptr_array_index (chunks, chunks->len - 1 - n), cell_ns,
                                        most);

      if (n == JOINED || bytes > most || bytes >= 2 * last_bytes)
        return n == JOINED ? n : 1;
      sum += bytes;
      if (sum > most)
        return n;
    }
  return chunks->len >= JOINED ? JOINED : 1;
}

static void
draft_add_chunk (KymoChunkDraft *draft,
                 const KymoBins *chunk)
{
  if (chunk->bin_ns == draft->bin_ns)
    kymo_chunk_draft_add_bins (draft, chunk, 0, chunk->n_bins);
  else
    draft_add_gap_bins (draft, chunk->bin_ns / draft->bin_ns);
}

/**
 * kymo_chunk_join:
 * @chunks: (element-type KymoBins): the chunks of a level; not changed
 * @n: number of chunks at the end of the list
 * @cell_ns: length of a bin of the level
 * @n_states: number of states of the run
 *
 * Returns: (transfer full): the last @n chunks as one
 */
KymoBins *
kymo_chunk_join (GPtrArray *chunks,
                 guint      n,
                 gint64     cell_ns,
                 guint      n_states)
{
  const KymoBins *first = g_ptr_array_index (chunks, chunks->len - n);
  const KymoBins *last = g_ptr_array_index (chunks, chunks->len - 1);
  KymoChunkDraft draft;

  if (kymo_chunk_is_gap (first) && kymo_chunk_is_gap (last) && n == 2)
    return kymo_chunk_new_gap ((KymoSpan) { first->begin_ns, last->end_ns }, n_states);
  kymo_chunk_draft_begin (&draft, first->begin_ns, cell_ns);
  for (guint i = chunks->len - n; i < chunks->len; i++)
    draft_add_chunk (&draft, g_ptr_array_index (chunks, i));
  return kymo_chunk_draft_end (&draft, n_states);
}
