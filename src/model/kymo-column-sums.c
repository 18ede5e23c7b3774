/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-column-sums.h"

#include <string.h>

/**
 * kymo_column_sums_init:
 * @n_states: states of the run
 * @n_columns: columns of the picture, at least one
 */
void
kymo_column_sums_init (KymoColumnSums *sums,
                       guint           n_states,
                       guint           n_columns)
{
  *sums = (KymoColumnSums) { .n_states = n_states, .n_columns = n_columns };
  sums->ns = g_new0 (gint64 *, n_states);
  sums->cover = g_new0 (gint32 *, n_states);
  sums->used = g_new (guint32, n_states);
  kymo_sums_init (&sums->of_bins, n_states);
  sums->spare_ns = g_ptr_array_new_with_free_func (g_free);
  sums->spare_cover = g_ptr_array_new_with_free_func (g_free);
}

static void
retire (KymoColumnSums *sums,
        guint32         state)
{
  g_ptr_array_add (sums->spare_ns, g_steal_pointer (&sums->ns[state]));
  g_ptr_array_add (sums->spare_cover, g_steal_pointer (&sums->cover[state]));
}

void
kymo_column_sums_clear (KymoColumnSums *sums)
{
  for (guint i = 0; i < sums->n_used; i++)
    retire (sums, sums->used[i]);
  g_ptr_array_unref (sums->spare_ns);
  g_ptr_array_unref (sums->spare_cover);
  kymo_sums_clear (&sums->of_bins);
  g_free (sums->ns);
  g_free (sums->cover);
  g_free (sums->used);
}

/**
 * kymo_column_sums_reset:
 *
 * Back to nothing, at the cost of what was used.
 */
void
kymo_column_sums_reset (KymoColumnSums *sums)
{
  for (guint i = 0; i < sums->n_used; i++)
    {
      guint32 state = sums->used[i];

      memset (sums->ns[state], 0, sums->n_columns * sizeof (gint64));
      memset (sums->cover[state], 0, ((gsize) sums->n_columns + 1) * sizeof (gint32));
      retire (sums, state);
    }
  sums->n_used = 0;
}

static void
use_state (KymoColumnSums *sums,
           guint32         state)
{
  if (sums->spare_ns->len > 0)
    {
      sums->ns[state] = g_ptr_array_steal_index_fast (sums->spare_ns, sums->spare_ns->len - 1);
      sums->cover[state] = g_ptr_array_steal_index_fast (sums->spare_cover,
                                                         sums->spare_cover->len - 1);
    }
  else
    {
      sums->ns[state] = g_new0 (gint64, sums->n_columns);
      sums->cover[state] = g_new0 (gint32, (gsize) sums->n_columns + 1);
    }
  sums->used[sums->n_used++] = state;
}

/* The column a time lies in: equal parts but for a nanosecond, so a guess is
   off by one at most. */
static inline guint
column_of (const gint64 *edges_ns,
           guint         n_columns,
           double        per_ns,
           gint64        time_ns)
{
  guint column = (guint) ((double) (time_ns - edges_ns[0]) * per_ns);

  column = MIN (column, n_columns - 1);
  while (edges_ns[column] > time_ns)
    column--;
  while (edges_ns[column + 1] <= time_ns)
    column++;
  return column;
}

/* Bins know no pieces: column by column. */
static void
add_bins (KymoColumnSums    *sums,
          const KymoSegment *segment,
          const gint64      *edges_ns)
{
  KymoSums *here = &sums->of_bins;

  for (guint c = 0; c < sums->n_columns; c++)
    {
      kymo_segment_sum (segment, (KymoSpan) { edges_ns[c], edges_ns[c + 1] }, NULL, here);
      for (guint i = 0; i < here->n_touched; i++)
        {
          guint32 state = here->touched[i];

          if (sums->ns[state] == NULL)
            use_state (sums, state);
          sums->ns[state][c] += here->ns[state];
        }
      kymo_sums_reset (here);
    }
}

/**
 * kymo_column_sums_add:
 * @edges_ns: (array): n_columns + 1 edges of (nearly) equal columns, each at
 *   least a nanosecond wide but where columns of no width are the last of
 *   equals; the same for every segment until settled
 *
 * Adds what a segment did in the columns.
 */
void
kymo_column_sums_add (KymoColumnSums    *sums,
                      const KymoSegment *segment,
                      const gint64      *edges_ns)
{
  guint n = sums->n_columns;
  KymoSpan here = { edges_ns[0], edges_ns[n] };
  KymoSpan visible = kymo_span_intersect (here, segment->span);
  double per_ns = (double) n / (double) MAX (kymo_span_length (here), 1);
  gint64 begin = visible.begin_ns;
  guint piece, column;

  if (segment->bins != NULL)
    add_bins (sums, segment, edges_ns);
  if (visible.end_ns <= visible.begin_ns || segment->n_pieces == 0)
    return;
  piece = kymo_segment_find_piece (segment, begin);
  column = column_of (edges_ns, n, per_ns, begin);
  while (begin < visible.end_ns)
    {
      gint64 end = MIN (kymo_segment_piece_begin (segment, piece + 1), visible.end_ns);
      guint32 state = segment->piece_state[piece++];
      gint64 *ns;

      if (end <= begin)
        continue;
      if (G_UNLIKELY (sums->ns[state] == NULL))
        use_state (sums, state);
      ns = sums->ns[state];
      if (end <= edges_ns[column + 1])
        ns[column] += end - begin;
      else
        {
          guint last = column_of (edges_ns, n, per_ns, end - 1);

          ns[column] += edges_ns[column + 1] - begin;
          ns[last] += end - edges_ns[last];
          sums->cover[state][column + 1]++;
          sums->cover[state][last]--;
          column = last;
        }
      if (end == edges_ns[column + 1] && column + 1 < n)
        column++;
      begin = end;
    }
}

static int
compare_ranks (gconstpointer a,
               gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x == y ? 0 : kymo_state_wins (x, 0, y, 0) ? -1 : 1;
}

/**
 * kymo_column_sums_settle:
 *
 * Completes the sums; nothing may be added after, until they are reset.
 */
void
kymo_column_sums_settle (KymoColumnSums *sums,
                         const gint64   *edges_ns)
{
  for (guint i = 0; i < sums->n_used; i++)
    {
      gint64 *ns = sums->ns[sums->used[i]];
      const gint32 *cover = sums->cover[sums->used[i]];
      gint64 covering = 0;

      for (guint c = 0; c < sums->n_columns; c++)
        {
          covering += cover[c];
          ns[c] += covering * (edges_ns[c + 1] - edges_ns[c]);
        }
    }
  qsort (sums->used, sums->n_used, sizeof (guint32), compare_ranks);
}

/**
 * kymo_column_sums_pick:
 * @states: (out caller-allocates): of each column the state with most time,
 *   or %KYMO_NO_STATE
 * @ns: (out caller-allocates): its time
 *
 * After settling; see kymo_state_wins().
 */
void
kymo_column_sums_pick (const KymoColumnSums *sums,
                       guint32              *states,
                       gint64               *ns)
{
  memset (states, 0xff, sums->n_columns * sizeof (guint32));
  memset (ns, 0, sums->n_columns * sizeof (gint64));
  for (guint i = 0; i < sums->n_used; i++)
    {
      guint32 state = sums->used[i];
      const gint64 *here = sums->ns[state];

      for (guint c = 0; c < sums->n_columns; c++)
        {
          states[c] = here[c] > ns[c] ? state : states[c];
          ns[c] = MAX (here[c], ns[c]);
        }
    }
}
