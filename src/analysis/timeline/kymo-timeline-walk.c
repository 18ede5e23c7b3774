/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the pieces of a track to the cells of a row, in one pass: the pieces of
 * a column are met one after the other. Only where columns hold very many of
 * them the sums of the pyramid are asked for, column by column.
 */
#include "config.h"

#include "kymo-timeline-private.h"

#include <string.h>

/* On average more pieces a column than this, and a sum from the pyramid is
   cheaper than meeting each of them. */
#define MOST_TO_WALK 96

/**
 * kymo_timeline_scratch_init:
 * @scratch: (out): memory of one thread, for kymo_timeline_scratch_clear() to free
 * @n_states: of the plan
 */
void
kymo_timeline_scratch_init (KymoTimelineScratch    *scratch,
                            const KymoTimelinePlan *plan,
                            guint                   n_states)
{
  *scratch = (KymoTimelineScratch) { .states = g_new (gint64, plan->n_columns),
                                     .ns = g_new (gint64, plan->n_columns),
                                     .met = g_new (guint8, plan->n_columns),
                                     .joined = g_new (guint, plan->n_columns),
                                     .begins = g_new (guint, plan->n_columns + 1),
                                     .edges_ns = g_new (gint64, plan->n_columns + 1),
                                     .keys = g_new (guint64, plan->n_columns + 1),
                                     .of_column = g_new (KymoTimelineSum, 2 * (gsize) n_states) };
  kymo_sums_init (&scratch->sums, n_states);
  scratch->columns.n_states = n_states;
}

/** kymo_timeline_scratch_clear: frees what the scratch holds, not the scratch itself */
void
kymo_timeline_scratch_clear (KymoTimelineScratch *scratch)
{
  kymo_sums_clear (&scratch->sums);
  if (scratch->columns.ns != NULL)
    kymo_column_sums_clear (&scratch->columns);
  g_free (scratch->states);
  g_free (scratch->ns);
  g_free (scratch->met);
  g_free (scratch->joined);
  g_free (scratch->begins);
  g_free (scratch->edges_ns);
  g_free (scratch->keys);
  g_free (scratch->of_column);
  g_free (scratch->shown.piece_state);
}

/**
 * kymo_timeline_shown:
 * @scratch: of the thread; holds what is returned
 *
 * Returns: (transfer none): @segment with its short blocks hidden and its communicators told
 *   apart, good until the next one is asked for. It is another face of the same columns but for
 *   the states of its pieces, to be walked over by nothing that would ask for sums
 */
const KymoSegment *
kymo_timeline_shown (const KymoAsk          *ask,
                     const KymoTimelinePlan *plan,
                     const KymoSegment      *segment,
                     KymoTimelineScratch    *scratch)
{
  if (!kymo_timeline_hides (plan, segment))
    return segment;
  g_free (scratch->shown.piece_state);
  scratch->shown = *segment;
  scratch->shown.pyramid = NULL;
  scratch->shown.piece_state = kymo_timeline_change_states (ask, plan, segment);
  return &scratch->shown;
}

/**
 * kymo_timeline_cells_new:
 *
 * Returns: (transfer full) (element-type KymoTimelineCell): an empty list for
 *   kymo_timeline_group_cells() and its like
 */
GArray *
kymo_timeline_cells_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (KymoTimelineCell));
}

static guint32
dominant (const KymoSums *sums)
{
  guint32 best = sums->touched[0];

  for (guint i = 1; i < sums->n_touched; i++)
    if (kymo_state_wins (sums->touched[i], sums->ns[sums->touched[i]], best, sums->ns[best]))
      best = sums->touched[i];
  return best;
}

/* First column after `column` whose end lies beyond time_ns. */
static guint
column_beyond (const KymoTimelinePlan *plan,
               guint                   column,
               gint64                  time_ns)
{
  return kymo_find_column (plan->edges_ns, column, plan->n_columns, time_ns);
}

/** Walk: along the track of one segment */
typedef struct
{
  const KymoSegment *segment;
  KymoSpan           visible;
  guint              piece;     /* the last that begins at or before here */
  guint              last;      /* piece of the range */
  gboolean           summed;    /* a column is a sum: of bins, or of so many
                                   pieces that the pyramid is faster */
} Walk;

static Walk
walk_begin (const KymoTimelinePlan *plan,
            const KymoSegment      *segment)
{
  Walk walk = { .segment = segment,
                .visible = kymo_span_intersect (plan->span, segment->span) };

  walk.summed = segment->bins != NULL;
  if (kymo_span_length (walk.visible) == 0 || segment->n_pieces == 0)
    return walk;
  walk.piece = kymo_segment_find_piece (segment, walk.visible.begin_ns);
  walk.last = kymo_segment_find_piece (segment, walk.visible.end_ns - 1);
  /* Sums do not know what is hidden. */
  walk.summed = segment->pyramid != NULL
    && (walk.last - walk.piece) / MOST_TO_WALK > plan->n_columns;
  return walk;
}

static inline gboolean
is_empty (const KymoSegment *segment)
{
  return segment->n_pieces == 0 && segment->bins == NULL;
}

/* Moves on to the piece in which a time lies; FALSE where none is known. */
static inline gboolean
walk_to (Walk   *walk,
         gint64  time_ns)
{
  if (time_ns < walk->visible.begin_ns || walk->segment->bins != NULL)
    return FALSE;
  if (walk->summed)
    walk->piece = kymo_segment_find_piece (walk->segment, time_ns);
  else
    while (kymo_segment_piece_begin (walk->segment, walk->piece + 1) <= time_ns)
      walk->piece++;
  return TRUE;
}

/* Adds what happens in a range that begins no earlier than the walk is. */
static inline void
walk_sum (Walk     *walk,
          KymoSpan  here,
          KymoSums *sums)
{
  const KymoSegment *segment = walk->segment;
  guint piece = walk->piece;
  gint64 time, end;

  if (walk->summed)
    {
      kymo_segment_sum (segment, here, &walk->piece, sums);
      return;
    }
  here = kymo_span_intersect (here, walk->visible);
  time = here.begin_ns;
  while ((end = kymo_segment_piece_begin (segment, piece + 1)) < here.end_ns)
    {
      kymo_sums_add (sums, segment->piece_state[piece++], end - time);
      time = MAX (time, end);
    }
  kymo_sums_add (sums, segment->piece_state[piece], here.end_ns - time);
  walk->piece = piece;
}

/**
 * kymo_timeline_walk_cells:
 * @cells: appended to
 *
 * Cells of one location: a run of columns inside one piece is one cell, the
 * columns where pieces meet are summed up.
 */
void
kymo_timeline_walk_cells (const KymoAsk          *ask,
                          const KymoTimelinePlan *plan,
                          const KymoSegment      *segment,
                          KymoTimelineScratch    *scratch,
                          GArray                 *cells)
{
  Walk walk = walk_begin (plan, segment = kymo_timeline_shown (ask, plan, segment, scratch));
  guint column = column_beyond (plan, 0, walk.visible.begin_ns);
  KymoSums *sums = &scratch->sums;

  if (is_empty (segment))
    return;
  for (guint i = 0; column < plan->n_columns && plan->edges_ns[column] < walk.visible.end_ns
         && !kymo_ask_is_stopped (ask, i); i++)
    {
      KymoSpan here = { plan->edges_ns[column], plan->edges_ns[column + 1] };
      KymoTimelineCell cell = { column, column, 0, 1 };

      if (walk_to (&walk, here.begin_ns))
        {
          cell.x1 = column_beyond (plan, column,
                                   kymo_segment_piece_begin (segment, walk.piece + 1));
          cell.state = segment->piece_state[walk.piece];
        }
      if (cell.x1 == column)
        {
          cell.x1++;
          walk_sum (&walk, here, sums);
          if (sums->n_touched > 0)
            {
              cell.state = dominant (sums);
              cell.share = (double) sums->ns[cell.state] / (double) kymo_span_length (here);
              g_array_append_val (cells, cell);
            }
          kymo_sums_reset (sums);
        }
      else
        g_array_append_val (cells, cell);
      column = cell.x1;
    }
}

/* Time and rank of a state in one number, so that the larger one wins as
   kymo_state_wins() says: 48 bits of nanoseconds, then activities in their
   order, overhead, idle and untraced. */
static inline guint64
make_key (guint64 ns,
          guint32 state)
{
  return ns << 16 | (guint16) ~(state - KYMO_STATE_ACTIVITY);
}

static inline guint32
state_of_key (guint64 key)
{
  return (guint16) ((guint16) ~key + KYMO_STATE_ACTIVITY);
}

/* Columns must not be wider than a key can tell. */
#define WIDEST_KEY_NS (G_GINT64_CONSTANT (1) << 46)

/** Lane: a part of a row, on its way from column to column */
typedef struct
{
  KymoTimelineSum *sums;        /* by state; of another column: as nothing */
  gint64           time, end;
  guint64          best;        /* key of the column so far */
  guint            piece, column;
} Lane;

/* To the end of a piece or of a column, whichever is nearer. Nothing in it is
   a branch that would have to be guessed: where pieces are as long as columns
   are wide every other guess is wrong. At the end of the lane it stays. */
static inline void
lane_step (Lane                    *lane,
           KymoTimes                times,
           const guint32 *restrict  states,
           const gint64 *restrict   edges_ns,
           guint64 *restrict        keys)
{
  guint32 state = states[lane->piece];
  gint64 piece_end = kymo_times_at (times, lane->piece + 1);
  gint64 column_end = MIN (edges_ns[lane->column + 1], lane->end);
  gint64 to = MIN (piece_end, column_end);
  KymoTimelineSum *sum = &lane->sums[state];
  guint64 ns = (sum->column == lane->column ? sum->ns : 0) + (guint64) (to - lane->time);
  guint64 best = MAX (lane->best, make_key (ns, state));

  sum->ns = ns;
  sum->column = lane->column;
  keys[lane->column] = best;
  lane->best = to == column_end ? 0 : best;
  lane->column += to == column_end;
  lane->piece += to == piece_end;
  lane->time = to;
}

/* The best key of every column. A step waits for the one before it, but not
   for one of another lane: a processor does two in the time of one. */
static inline void
sweep (Lane      first,
       Lane      second,
       KymoTimes times,
       const guint32 *restrict states,
       const gint64 *restrict  edges_ns,
       guint64 *restrict       keys)
{
  while (first.time < first.end && second.time < second.end)
    {
      lane_step (&first, times, states, edges_ns, keys);
      lane_step (&second, times, states, edges_ns, keys);
    }
  while (first.time < first.end)
    lane_step (&first, times, states, edges_ns, keys);
  while (second.time < second.end)
    lane_step (&second, times, states, edges_ns, keys);
}

/* The columns of a row in two lanes. */
static void
sweep_columns (const KymoTimelinePlan *plan,
               const Walk             *walk,
               guint                   column,
               KymoTimelineScratch    *scratch)
{
  const KymoSegment *segment = walk->segment;
  KymoTimes times = kymo_segment_times (segment, segment->piece_begin);
  guint n_states = scratch->columns.n_states;
  guint end = column_beyond (plan, column, walk->visible.end_ns - 1) + 1;
  guint middle = column + (end - column) / 2;
  gint64 middle_ns = CLAMP (plan->edges_ns[middle], walk->visible.begin_ns, walk->visible.end_ns);
  Lane first = { scratch->of_column, walk->visible.begin_ns, middle_ns, 0, walk->piece, column };
  Lane second = { scratch->of_column + n_states, middle_ns, walk->visible.end_ns, 0, 0, middle };

  if (middle_ns < walk->visible.end_ns)
    second.piece = kymo_segment_find_piece (segment, middle_ns);
  for (guint i = 0; i < 2 * n_states; i++)
    scratch->of_column[i].column = G_MAXUINT;
  /* Twice, so that each has one way to read a time. */
  if (times.wide)
    sweep (first, second, times, segment->piece_state, plan->edges_ns, scratch->keys);
  else
    {
      times.wide = FALSE;
      sweep (first, second, times, segment->piece_state, plan->edges_ns, scratch->keys);
    }
}

static void
sweep_line (const KymoTimelinePlan *plan,
            const Walk             *walk,
            guint                   column,
            KymoTimelineScratch    *scratch,
            guint32                *line)
{
  const gint64 *edges = plan->edges_ns;
  const guint64 *keys = scratch->keys;

  memset (scratch->keys, 0, plan->n_columns * sizeof (guint64));
  sweep_columns (plan, walk, column, scratch);
  for (guint i = 0; i < plan->n_columns; i++)
    line[i] = keys[i] >> 16 == 0 ? KYMO_NO_CELL
      : kymo_pack_cell (state_of_key (keys[i]), keys[i] >> 16, edges[i + 1] - edges[i]);
}

/**
 * kymo_timeline_walk_line:
 * @line: (out caller-allocates): n_columns packed cells of states
 *
 * kymo_timeline_walk_cells() with a number a column.
 */
void
kymo_timeline_walk_line (const KymoAsk          *ask,
                         const KymoTimelinePlan *plan,
                         const KymoSegment      *segment,
                         KymoTimelineScratch    *scratch,
                         guint32                *line)
{
  Walk walk = walk_begin (plan, segment = kymo_timeline_shown (ask, plan, segment, scratch));
  guint column = column_beyond (plan, 0, walk.visible.begin_ns);
  const gint64 *edges = plan->edges_ns;
  KymoSums *sums = &scratch->sums;

  memset (line, 0xff, plan->n_columns * sizeof (guint32));
  if (is_empty (segment) || kymo_span_length (walk.visible) == 0)
    return;
  if (!walk.summed && edges[1] - edges[0] < WIDEST_KEY_NS)
    {
      sweep_line (plan, &walk, column, scratch, line);
      return;
    }
  for (; column < plan->n_columns && edges[column] < walk.visible.end_ns
         && !kymo_ask_is_stopped (ask, column); column++)
    {
      KymoSpan here = { edges[column], edges[column + 1] };

      walk_sum (&walk, here, sums);
      if (sums->n_touched > 0)
        {
          guint32 best = dominant (sums);

          line[column] = kymo_pack_cell (best, sums->ns[best], kymo_span_length (here));
        }
      kymo_sums_reset (sums);
    }
}

/**
 * kymo_timeline_line_cells:
 * @line: packed cells, one for each column
 * @cells: appended to: the same cells as a list
 *
 * Unpacks a line; columns without a cell are left out.
 */
void
kymo_timeline_line_cells (const KymoTimelinePlan *plan,
                          const guint32          *line,
                          GArray                 *cells)
{
  for (guint i = 0; i < plan->n_columns; i++)
    {
      KymoTimelineCell cell = { i, i + 1, line[i] >> 16, (line[i] & 0xffff) / 65535.0 };

      if (line[i] != KYMO_NO_CELL)
        g_array_append_val (cells, cell);
    }
}
