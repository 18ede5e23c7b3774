/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-column-sums.h"

#include <string.h>

#include "kymo-order.h"
#include "kymo-wide.h"

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
  *sums = (KymoColumnSums) { .n_states = n_states, .n_columns = n_columns,
                              .capacity = n_columns };
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

/**
 * kymo_column_sums_clear:
 *
 * Frees the columns of the sums, not the struct itself.
 */
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

static gpointer
take_spare (GPtrArray *spare,
            gsize      bytes)
{
  return spare->len > 0 ? g_ptr_array_steal_index_fast (spare, spare->len - 1)
    : g_malloc0 (bytes);
}

static void
use_state (KymoColumnSums *sums,
           guint32         state)
{
  sums->ns[state] = take_spare (sums->spare_ns, sums->capacity * sizeof (gint64));
  sums->cover[state] = take_spare (sums->spare_cover,
                                   ((gsize) sums->capacity + 1) * sizeof (gint32));
  sums->used[sums->n_used++] = state;
}

/**
 * kymo_column_sums_add_one:
 *
 * Adds @ns of one state to one column, before settling.
 */
void
kymo_column_sums_add_one (KymoColumnSums *sums,
                          guint32         state,
                          guint           column,
                          gint64          ns)
{
  if (sums->ns[state] == NULL)
    use_state (sums, state);
  sums->ns[state][column] += ns;
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

          kymo_column_sums_add_one (sums, state, c, here->ns[state]);
        }
      kymo_sums_reset (here);
    }
}

/* The column a time lies in, 0 to n_columns. Columns are equal parts but for a
   nanosecond, so where all have a width a guess is off by one at most. */
static inline guint
column_of (const gint64 *edges_ns,
           guint         n_columns,
           double        per_ns,
           gint64        time_ns)
{
  guint column = MIN ((guint) ((double) (time_ns - edges_ns[0]) * per_ns), n_columns - 1);

  column -= edges_ns[column] > time_ns;
  return column + (edges_ns[column + 1] <= time_ns);
}

/**
 * kymo_find_column:
 * @edges_ns: (array): n_columns + 1 edges, ascending; columns may have no width
 * @first: where to begin
 *
 * Returns: the first column from @first on whose end lies beyond @time_ns, else
 * @n_columns
 */
guint
kymo_find_column (const gint64 *edges_ns,
                  guint         first,
                  guint         n_columns,
                  gint64        time_ns)
{
  return KYMO_FIND_FIRST (i, first, n_columns, edges_ns[i + 1] > time_ns);
}

/* From here on there is one more piece of the state, or one less. */
static inline void
change_column_sums (gint64 *restrict ns,
                    gint32 *restrict cover,
                    guint            column,
                    gint64           rest_ns,
                    gint             by)
{
  ns[column] += by * rest_ns;
  cover[column + 1] += by;
}

/** Columns: equal ones, or such of which neighbours were joined */
typedef struct
{
  const gint64 *edges_ns;
  const gint64 *fine_ns;        /* edges before joining */
  guint         n_fine;
  const guint  *joined;         /* by column before joining, or NULL */
  double        per_ns;
} Columns;

static inline guint
place_of (const Columns *columns,
          gint64         time_ns)
{
  guint fine = column_of (columns->fine_ns, columns->n_fine, columns->per_ns, time_ns);

  return columns->joined != NULL ? columns->joined[fine] : fine;
}

static inline void
add_changes (KymoColumnSums    *sums,
             const KymoSegment *segment,
             const Columns     *columns)
{
  const gint64 *edges_ns = columns->edges_ns;
  guint n = sums->n_columns;
  KymoSpan here = { edges_ns[0], edges_ns[n] };
  KymoSpan visible = kymo_span_intersect (here, segment->span);
  gboolean narrow = here.end_ns - here.begin_ns < columns->n_fine;
  gint64 time = visible.begin_ns;
  guint32 last = KYMO_STATE_OVERHEAD;
  gboolean first = TRUE;

  if (visible.end_ns <= visible.begin_ns || segment->n_pieces == 0)
    return;
  for (guint piece = kymo_segment_find_piece (segment, time); time < visible.end_ns; piece++)
    {
      guint32 state = segment->piece_state[piece];
      guint column = narrow ? kymo_find_column (edges_ns, 0, n, time) : place_of (columns, time);
      gint64 rest_ns = edges_ns[column + 1] - time;

      if (G_UNLIKELY (sums->ns[state] == NULL))
        use_state (sums, state);
      change_column_sums (sums->ns[state], sums->cover[state], column, rest_ns, 1);
      if (G_LIKELY (!first))
        change_column_sums (sums->ns[last], sums->cover[last], column, rest_ns, -1);
      first = FALSE;
      last = state;
      time = kymo_segment_piece_begin (segment, piece + 1);
    }
  if (visible.end_ns < here.end_ns)
    {
      guint column = kymo_find_column (edges_ns, 0, n, visible.end_ns);

      change_column_sums (sums->ns[last], sums->cover[last], column, edges_ns[column + 1]
                          - visible.end_ns,
                          -1);
    }
}

/**
 * kymo_column_sums_add:
 * @edges_ns: (array): n_columns + 1 edges of equal columns, but for a
 *   nanosecond; the same for every segment until settled
 *
 * Adds what a segment did in the columns.
 */
void
kymo_column_sums_add (KymoColumnSums    *sums,
                      const KymoSegment *segment,
                      const gint64      *edges_ns)
{
  gint64 length = edges_ns[sums->n_columns] - edges_ns[0];
  Columns columns = { edges_ns, edges_ns, sums->n_columns, NULL,
                      (double) sums->n_columns / (double) MAX (length, 1) };

  if (segment->bins != NULL)
    add_bins (sums, segment, edges_ns);
  else
    add_changes (sums, segment, &columns);
}

/**
 * kymo_column_sums_add_joined:
 * @segment: of pieces
 * @edges_ns: (array): n_columns + 1 edges of columns, any number of which may
 *   be several of @fine_ns
 * @fine_ns: (array): n_fine + 1 edges of equal columns, each at least a
 *   nanosecond wide
 * @joined: (array length=n_fine): the column that each became part of
 *
 * kymo_column_sums_add() where columns in which nothing changes were joined.
 */
void
kymo_column_sums_add_joined (KymoColumnSums    *sums,
                             const KymoSegment *segment,
                             const gint64      *edges_ns,
                             const gint64      *fine_ns,
                             guint              n_fine,
                             const guint       *joined)
{
  Columns columns = { edges_ns, fine_ns, n_fine, joined,
                      (double) n_fine / (double) (fine_ns[n_fine] - fine_ns[0]) };

  add_changes (sums, segment, &columns);
}

/**
 * kymo_columns_mark:
 * @edges_ns: (array): n_columns + 1 edges of equal columns, each at least a
 *   nanosecond wide
 * @met: (array length=n_columns): set to 1 where a piece begins, or the track
 *   begins or ends; others are left alone
 *
 * Between columns that are marked nothing changes.
 */
void
kymo_columns_mark (const KymoSegment *segment,
                   const gint64      *edges_ns,
                   guint              n_columns,
                   guint8            *met)
{
  KymoSpan here = { edges_ns[0], edges_ns[n_columns] };
  KymoSpan visible = kymo_span_intersect (here, segment->span);
  double per_ns = (double) n_columns / (double) kymo_span_length (here);
  gint64 time = visible.begin_ns;

  if (visible.end_ns <= visible.begin_ns || segment->n_pieces == 0)
    return;
  for (guint piece = kymo_segment_find_piece (segment, time); time < visible.end_ns; piece++)
    {
      met[column_of (edges_ns, n_columns, per_ns, time)] = 1;
      time = kymo_segment_piece_begin (segment, piece + 1);
    }
  if (visible.end_ns < here.end_ns)
    met[column_of (edges_ns, n_columns, per_ns, visible.end_ns)] = 1;
}

static int
compare_ranks (gconstpointer a,
               gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x == y ? 0 : kymo_state_wins (x, 0, y, 0) ? -1 : 1;
}

static void
rank_column_sums (KymoColumnSums *sums)
{
  qsort (sums->used, sums->n_used, sizeof (guint32), compare_ranks);
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
  rank_column_sums (sums);
}

/**
 * kymo_column_sums_join:
 *
 * Adds settled sums to settled sums of the same columns.
 */
void
kymo_column_sums_join (KymoColumnSums       *into,
                       const KymoColumnSums *from)
{
  for (guint i = 0; i < from->n_used; i++)
    {
      guint32 state = from->used[i];
      const gint64 *other = from->ns[state];
      gint64 *ns;

      if (into->ns[state] == NULL)
        use_state (into, state);
      ns = into->ns[state];
      for (guint c = 0; c < from->n_columns; c++)
        ns[c] += other[c];
    }
  rank_column_sums (into);
}

/**
 * kymo_column_sums_fold:
 * @into: empty, or @from itself
 * @n_columns: even; the columns of @from that count
 *
 * Adds every two columns up: @into has half as many.
 */
void
kymo_column_sums_fold (KymoColumnSums       *into,
                       const KymoColumnSums *from,
                       guint                 n_columns)
{
  for (guint i = 0; i < from->n_used; i++)
    {
      guint32 state = from->used[i];
      const gint64 *wide = from->ns[state];
      gint64 *ns;

      if (into->ns[state] == NULL)
        use_state (into, state);
      ns = into->ns[state];
      for (guint c = 0; c < n_columns / 2; c++)
        ns[c] = wide[2 * c] + wide[2 * c + 1];
    }
}

/**
 * kymo_column_sums_pick:
 * @n_columns: the columns that count
 * @states: (out caller-allocates): of each column the state with most time,
 *   or %KYMO_NO_STATE
 * @ns: (out caller-allocates): its time
 *
 * After settling; see kymo_state_wins().
 */
void KYMO_WIDE
kymo_column_sums_pick (const KymoColumnSums *sums,
                       guint                 n_columns,
                       gint64               *states,
                       gint64               *ns)
{
  memset (states, 0xff, n_columns * sizeof (gint64));
  memset (ns, 0, n_columns * sizeof (gint64));
  for (guint i = 0; i < sums->n_used; i++)
    {
      gint64 state = sums->used[i];
      const gint64 *here = sums->ns[state];

      for (guint c = 0; c < n_columns; c++)
        {
          states[c] = here[c] > ns[c] ? state : states[c];
          ns[c] = MAX (here[c], ns[c]);
        }
    }
}

/**
 * kymo_column_sums_total:
 * @total_ns: by state; added to: the time in all columns
 *
 * After settling.
 */
void
kymo_column_sums_total (const KymoColumnSums *sums,
                        gint64               *total_ns)
{
  for (guint i = 0; i < sums->n_used; i++)
    {
      const gint64 *here = sums->ns[sums->used[i]];
      gint64 total = 0;

      for (guint c = 0; c < sums->n_columns; c++)
        total += here[c];
      total_ns[sums->used[i]] += total;
    }
}
