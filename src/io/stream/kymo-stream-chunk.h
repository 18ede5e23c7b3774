/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chunks of a stream: making them, joining them. A chunk is a KymoBins of bins
 * of one length, or a *gap*: one bin of any length of which nothing is known.
 *
 * Chunks are immutable once made; a draft is for one thread.
 */
#pragma once

#include "kymo-bins.h"

G_BEGIN_DECLS

/** KymoChunkDraft: nodes on their way into a chunk */
typedef struct
{
  gint64  begin_ns;
  gint64  bin_ns;
  GArray *offsets;
  GArray *states;
  GArray *ns;
} KymoChunkDraft;

gint64    kymo_chunk_get_bytes      (const KymoBins *chunk);
gboolean  kymo_chunk_is_gap         (const KymoBins *chunk);
KymoBins *kymo_chunk_new_gap        (KymoSpan        span,
                                     guint           n_states);

void      kymo_chunk_draft_begin    (KymoChunkDraft *draft,
                                     gint64          begin_ns,
                                     gint64          bin_ns);
void      kymo_chunk_draft_add_sums (KymoChunkDraft *draft,
                                     KymoSums       *sums);
void      kymo_chunk_draft_add_bins (KymoChunkDraft *draft,
                                     const KymoBins *chunk,
                                     guint           first,
                                     guint           end);
KymoBins *kymo_chunk_draft_end      (KymoChunkDraft *draft,
                                     guint           n_states);

guint     kymo_chunk_count_to_join  (GPtrArray      *chunks,
                                     gint64          cell_ns,
                                     gint64          most_bytes);
KymoBins *kymo_chunk_join           (GPtrArray      *chunks,
                                     guint           n,
                                     gint64          cell_ns,
                                     guint           n_states);

G_END_DECLS
