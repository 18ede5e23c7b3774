/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A level is a row of chunks: most have bins of the level's length on its
 * grid. Others have one bin of an odd length: stretches of which nothing is
 * known (*gaps*), and the begin of a run that lies within a cell.
 */
#include "config.h"

#include "kymo-stream-chunk.h"
#include "kymo-stream-levels.h"

/* The last has bins of three years. */
#define N_LEVELS 12
#define FINEST_NS G_GINT64_CONSTANT (1000000)
/* A gap of more cells is a chunk of its own. */
#define MAX_GAP_CELLS 64

typedef struct
{
  GPtrArray *chunks;            /* KymoBins, by time */
  gint64     bytes;
} Level;

struct _KymoStreamLevels
{
  Level    levels[N_LEVELS];    /* finest first */
  gint64   budget_bytes;
  gint64   bytes;
  gint64   end_ns;
  gboolean passing;             /* bins of 1 ms go to the next level at once */
  guint    n_states;
  KymoSums sums;                /* of a cell; made when needed */
};

static gint64
cell_of (guint level)
{
  gint64 ns = FINEST_NS;

  while (level-- > 0)
    ns *= 10;
  return ns;
}

/* -- rows of chunks -------------------------------------------------------- */

static void
count_bytes (KymoStreamLevels *self,
             Level            *level,
             gint64            bytes)
{
  level->bytes += bytes;
  self->bytes += bytes;
}

static const KymoBins *
peek_chunk (const Level *level,
            guint        i)
{
  return g_ptr_array_index (level->chunks, i);
}

static void
remove_chunks (KymoStreamLevels *self,
               Level            *level,
               guint             first,
               guint             n)
{
  for (guint i = first; i < first + n; i++)
    count_bytes (self, level, -kymo_chunk_get_bytes (peek_chunk (level, i)));
  if (n > 0)
    g_ptr_array_remove_range (level->chunks, first, n);
}

static void
insert_chunk (KymoStreamLevels *self,
              Level            *level,
              gint              at,
              KymoBins         *chunk)
{
  count_bytes (self, level, kymo_chunk_get_bytes (chunk));
  g_ptr_array_insert (level->chunks, at, chunk);
}

static gint64
get_share (const KymoStreamLevels *self,
           guint                   index)
{
  return self->budget_bytes >> (index + 1);
}

/* Puts a chunk behind all others, and joins it with those before it. */
static void
append_chunk (KymoStreamLevels *self,
              guint             index,
              KymoBins         *chunk)
{
  Level *level = &self->levels[index];
  gint64 cell_ns = cell_of (index);
  /* A level goes on in steps that are small beside its share. */
  gint64 most = MIN (get_share (self, index) / 8, KYMO_STREAM_CHUNK_BYTES);

  if (chunk == NULL)
    return;
  insert_chunk (self, level, -1, chunk);
  for (guint n; (n = kymo_chunk_count_to_join (level->chunks, cell_ns, most)) > 1;)
    {
      KymoBins *joined = kymo_chunk_join (level->chunks, n, cell_ns, self->n_states);

      remove_chunks (self, level, level->chunks->len - n, n);
      insert_chunk (self, level, -1, joined);
    }
}

/* -- thinning -------------------------------------------------------------- */

/* Bins on their way from a level to the next one. */
typedef struct
{
  KymoStreamLevels *self;
  guint             to;         /* level */
  gint64            cell_ns;    /* of it */
  gint64            at_ns;      /* up to here bins were taken */
  gint64            begin_ns;   /* of what self->sums holds */
  KymoChunkDraft    draft;      /* whole cells before that */
} Thinning;

static void
flush_draft (Thinning *thinning)
{
  append_chunk (thinning->self, thinning->to,
                kymo_chunk_draft_end (&thinning->draft, thinning->self->n_states));
  kymo_chunk_draft_begin (&thinning->draft, thinning->at_ns, thinning->cell_ns);
}

/* The end of a cell: it is whole, or the first of the run and shorter. */
static void
flush_cell (Thinning *thinning)
{
  if (thinning->begin_ns == thinning->at_ns)
    return;
  if (thinning->at_ns - thinning->begin_ns < thinning->cell_ns)
    {
      KymoChunkDraft odd;

      kymo_chunk_draft_begin (&odd, thinning->begin_ns, thinning->at_ns - thinning->begin_ns);
      kymo_chunk_draft_add_sums (&odd, &thinning->self->sums);
      append_chunk (thinning->self, thinning->to,
                    kymo_chunk_draft_end (&odd, thinning->self->n_states));
      thinning->draft.begin_ns = thinning->at_ns;
    }
  else
    kymo_chunk_draft_add_sums (&thinning->draft, &thinning->self->sums);
  thinning->begin_ns = thinning->at_ns;
}

static gint64
next_line (const Thinning *thinning)
{
  return (thinning->at_ns / thinning->cell_ns + 1) * thinning->cell_ns;
}

/* Nothing is known up to a time: in cells, or in one bin where they are many. */
static void
take_gap (Thinning *thinning,
          gint64    end_ns)
{
  while (thinning->at_ns < end_ns)
    {
      gint64 n_cells = (end_ns - thinning->at_ns) / thinning->cell_ns;
      gint64 here_ns = MIN (next_line (thinning), end_ns);

      if (thinning->at_ns % thinning->cell_ns == 0 && n_cells > MAX_GAP_CELLS)
        {
          KymoSpan span = { thinning->at_ns, thinning->at_ns + n_cells * thinning->cell_ns };

          append_chunk (thinning->self, thinning->to,
                        kymo_chunk_draft_end (&thinning->draft, thinning->self->n_states));
          append_chunk (thinning->self, thinning->to,
                        kymo_chunk_new_gap (span, thinning->self->n_states));
          thinning->begin_ns = thinning->at_ns = span.end_ns;
          kymo_chunk_draft_begin (&thinning->draft, thinning->at_ns, thinning->cell_ns);
          continue;
        }
      kymo_sums_add (&thinning->self->sums, KYMO_STATE_UNTRACED, here_ns - thinning->at_ns);
      thinning->at_ns = here_ns;
      if (here_ns % thinning->cell_ns == 0)
        flush_cell (thinning);
    }
}

/* The first `n` bins of a chunk, none of which crosses a line of the grid. */
static void
take_bins (Thinning       *thinning,
           const KymoBins *chunk,
           guint           n)
{
  gint64 line_ns = next_line (thinning);

  for (guint i = 0; i < n; i++)
    {
      const guint32 *states;
      const gint64 *ns;
      guint n_here = kymo_pyramid_peek_node (chunk->times, i, &states, &ns);

      for (guint k = 0; k < n_here; k++)
        kymo_sums_add (&thinning->self->sums, states[k], ns[k]);
      thinning->at_ns += chunk->bin_ns;
      if (thinning->at_ns < line_ns)
        continue;
      flush_cell (thinning);
      line_ns = next_line (thinning);
    }
}

/* Number of the oldest chunks that have to be taken to reach a line of the next level's grid, and
   that line; 0 = all chunks do not reach it. */
static guint
count_chunks_to_line (const Level *level,
                      gint64       cell_ns,
                      gint64      *line_ns)
{
  gint64 begin_ns = level->chunks->len > 0 ? peek_chunk (level, 0)->begin_ns : 0;

  for (guint i = 0; i < level->chunks->len; i++)
    {
      *line_ns = peek_chunk (level, i)->end_ns / cell_ns * cell_ns;
      if (*line_ns > begin_ns)
        return i + 1;
    }
  return 0;
}

/* The bins of a chunk from a time on. */
static KymoBins *
cut_rest (const KymoBins *chunk,
          gint64          from_ns,
          guint           n_states)
{
  KymoChunkDraft draft;

  if (kymo_chunk_is_gap (chunk))
    return kymo_chunk_new_gap ((KymoSpan) { from_ns, chunk->end_ns }, n_states);
  kymo_chunk_draft_begin (&draft, from_ns, chunk->bin_ns);
  kymo_chunk_draft_add_bins (&draft, chunk, (from_ns - chunk->begin_ns) / chunk->bin_ns,
                             chunk->n_bins);
  return kymo_chunk_draft_end (&draft, n_states);
}

static void
take_chunks (Thinning    *thinning,
             const Level *level,
             guint        n,
             gint64       line_ns)
{
  for (guint i = 0; i < n; i++)
    {
      const KymoBins *chunk = peek_chunk (level, i);

      if (kymo_chunk_is_gap (chunk))
        take_gap (thinning, MIN (chunk->end_ns, line_ns));
      else
        take_bins (thinning, chunk, (MIN (chunk->end_ns, line_ns) - chunk->begin_ns)
                   / chunk->bin_ns);
    }
}

/* Gives the oldest chunk of a level to the next one; with `keep` not where it
   is one of the newest. FALSE where nothing can be given. */
static gboolean
thin_level (KymoStreamLevels *self,
            guint             index,
            gboolean          keep)
{
  Level *level = &self->levels[index];
  Thinning thinning = { .self = self, .to = index + 1, .cell_ns = cell_of (index + 1) };
  gint64 line_ns;
  guint n = count_chunks_to_line (level, thinning.cell_ns, &line_ns);
  const KymoBins *last;
  KymoBins *rest = NULL;

  if (n == 0 || (keep && line_ns > self->end_ns - KYMO_STREAM_FINE_NS))
    return FALSE;
  last = peek_chunk (level, n - 1);
  if (last->end_ns > line_ns)
    rest = cut_rest (last, line_ns, self->n_states);
  thinning.at_ns = thinning.begin_ns = peek_chunk (level, 0)->begin_ns;
  kymo_chunk_draft_begin (&thinning.draft, thinning.at_ns, thinning.cell_ns);
  take_chunks (&thinning, level, n, line_ns);
  flush_draft (&thinning);
  kymo_chunk_draft_end (&thinning.draft, self->n_states);
  remove_chunks (self, level, 0, n);
  if (rest != NULL)
    insert_chunk (self, level, 0, rest);
  return TRUE;
}

static void
thin (KymoStreamLevels *self)
{
  gint64 hard_bytes = MAX (self->budget_bytes, KYMO_STREAM_HARD_BYTES);

  for (guint i = 0; i + 1 < N_LEVELS; i++)
    {
      Level *level = &self->levels[i];
      while (level->bytes > get_share (self, i)
             && thin_level (self, i, i == 0 && self->bytes <= hard_bytes))
        ;
    }
}

/* -- for the store --------------------------------------------------------- */

/** kymo_stream_levels_new: (transfer full): no bins yet */
KymoStreamLevels *
kymo_stream_levels_new (gint64 budget_bytes)
{
  KymoStreamLevels *self = g_new0 (KymoStreamLevels, 1);

  self->budget_bytes = budget_bytes;
  for (guint i = 0; i < N_LEVELS; i++)
    self->levels[i].chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_bins_unref);
  return self;
}

/**
 * kymo_stream_levels_free:
 *
 * Frees @self. %NULL is ignored.
 */
void
kymo_stream_levels_free (KymoStreamLevels *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < N_LEVELS; i++)
    g_ptr_array_unref (self->levels[i].chunks);
  kymo_sums_clear (&self->sums);
  g_free (self);
}

/** kymo_stream_levels_clear: forgets all bins */
void
kymo_stream_levels_clear (KymoStreamLevels *self)
{
  for (guint i = 0; i < N_LEVELS; i++)
    remove_chunks (self, &self->levels[i], 0, self->levels[i].chunks->len);
  self->end_ns = 0;
}

static void
use_states (KymoStreamLevels *self,
            guint             n_states)
{
  if (n_states <= self->n_states)
    return;
  self->n_states = MAX (n_states, 2 * self->n_states);
  kymo_sums_clear (&self->sums);
  kymo_sums_init (&self->sums, self->n_states);
}

/**
 * kymo_stream_levels_add:
 * @chunk: (transfer full): bins of 1 ms, from the end of what was added before
 *   on, or from any time on where nothing was; begin_ns and end_ns set
 * @n_states: more than the highest state in it
 */
void
kymo_stream_levels_add (KymoStreamLevels *self,
                        KymoBins         *chunk,
                        guint             n_states)
{
  use_states (self, n_states);
  self->end_ns = chunk->end_ns;
  if (self->passing)
    {
      insert_chunk (self, &self->levels[0], -1, chunk);
      while (thin_level (self, 0, FALSE))
        ;
    }
  else
    append_chunk (self, 0, chunk);
  thin (self);
}

/**
 * kymo_stream_levels_set_passing:
 * @passing: what is added from now on would be thinned soon anyway, for much
 *   is still to come; so it is at once, and not joined before
 */
void
kymo_stream_levels_set_passing (KymoStreamLevels *self,
                                gboolean          passing)
{
  self->passing = passing;
}

/**
 * kymo_stream_levels_add_gap:
 * @span: of which nothing is known, in whole milliseconds; where it begins as
 *   for kymo_stream_levels_add()
 */
void
kymo_stream_levels_add_gap (KymoStreamLevels *self,
                            KymoSpan          span)
{
  if (kymo_span_length (span) <= 0)
    return;
  use_states (self, KYMO_STATE_ACTIVITY);
  self->end_ns = span.end_ns;
  append_chunk (self, 0, kymo_chunk_new_gap (span, self->n_states));
  thin (self);
}

/**
 * kymo_stream_levels_dup_chunks:
 *
 * Returns: (transfer full) (element-type KymoBins): all bins, by time, for
 *   kymo_bins_new_of_chunks()
 */
GPtrArray *
kymo_stream_levels_dup_chunks (const KymoStreamLevels *self)
{
  GPtrArray *chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_bins_unref);

  for (guint i = N_LEVELS; i-- > 0;)
    for (guint k = 0; k < self->levels[i].chunks->len; k++)
      g_ptr_array_add (chunks, kymo_bins_ref (g_ptr_array_index (self->levels[i].chunks, k)));
  return chunks;
}

/** kymo_stream_levels_get_bytes: the memory of all chunks in bytes */
gint64
kymo_stream_levels_get_bytes (const KymoStreamLevels *self)
{
  return self->bytes;
}

/**
 * kymo_stream_levels_get_fine_ns:
 *
 * Returns: from when on there are bins of 1 ms
 */
gint64
kymo_stream_levels_get_fine_ns (const KymoStreamLevels *self)
{
  const GPtrArray *finest = self->levels[0].chunks;

  return finest->len > 0 ? peek_chunk (&self->levels[0], 0)->begin_ns : self->end_ns;
}
