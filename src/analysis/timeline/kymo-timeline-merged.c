/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the pieces of several tracks to the cells of one row: the time of each state in each
 * column is summed up over all of them. Where little happens, columns between which nothing
 * changes are summed up as one.
 */
#include "config.h"

#include "kymo-timeline-private.h"

#include <string.h>

/* Columns of merged rows that are summed up at a time. */
#define TILE_COLUMNS 256

/* TRUE if joining columns pays: few pieces lie in the range. */
static gboolean
is_sparse (const KymoAsk          *ask,
           const KymoTimelinePlan *plan,
           guint                   first,
           guint                   end)
{
  guint64 n_pieces = 0;

  if (kymo_span_length (plan->span) < plan->n_columns)
    return FALSE;
  for (guint i = first; i < end && n_pieces < plan->n_columns / 2; i++)
    {
      const KymoSegment *segment = kymo_ask_segment_of (ask, ask->locations[i]);
      KymoSpan visible = kymo_span_intersect (plan->span, segment->span);

      if (segment->bins != NULL)
        return FALSE;
      if (kymo_span_length (visible) > 0 && segment->n_pieces > 0)
        n_pieces += kymo_segment_find_piece (segment, visible.end_ns - 1)
          - kymo_segment_find_piece (segment, visible.begin_ns);
    }
  return n_pieces < plan->n_columns / 2;
}

/* Columns between which nothing changes become one. All of them show the same
   state with the same share, for each is that share of its own width. */
static void
join_columns (const KymoAsk          *ask,
              const KymoTimelinePlan *plan,
              guint                   first,
              guint                   end,
              KymoTimelineScratch    *scratch)
{
  guint n = 0;

  memset (scratch->met, 0, plan->n_columns);
  for (guint i = first; i < end; i++)
    kymo_columns_mark (kymo_ask_segment_of (ask, ask->locations[i]), plan->edges_ns,
                       plan->n_columns, scratch->met);
  for (guint c = 0; c < plan->n_columns; c++)
    {
      if (c == 0 || scratch->met[c] || scratch->met[c - 1])
        {
          scratch->begins[n] = c;
          scratch->edges_ns[n++] = plan->edges_ns[c];
        }
      scratch->joined[c] = n - 1;
    }
  scratch->begins[n] = plan->n_columns;
  scratch->edges_ns[n] = plan->edges_ns[plan->n_columns];
  scratch->n_joined = n;
}

/* The segment of a place among the asked locations, with its short blocks hidden. */
static const KymoSegment *
shown_at (const KymoAsk          *ask,
          const KymoTimelinePlan *plan,
          guint                   place,
          KymoTimelineScratch    *scratch)
{
  return kymo_timeline_shown (ask, plan, kymo_ask_segment_of (ask, ask->locations[place]),
                              scratch);
}

/* The sums of joined columns, all at once. */
static void
sum_joined (const KymoAsk          *ask,
            const KymoTimelinePlan *plan,
            guint                   first,
            guint                   end,
            KymoTimelineScratch    *scratch,
            gint64                 *total_ns)
{
  KymoColumnSums *sums = &scratch->columns;

  join_columns (ask, plan, first, end, scratch);
  sums->n_columns = scratch->n_joined;
  for (guint i = first; i < end; i++)
    kymo_column_sums_add_joined (sums, shown_at (ask, plan, i, scratch),
                                 scratch->edges_ns, plan->edges_ns, plan->n_columns,
                                 scratch->joined);
  kymo_column_sums_settle (sums, scratch->edges_ns);
  kymo_column_sums_pick (sums, sums->n_columns, scratch->states, scratch->ns);
  if (total_ns != NULL)
    kymo_column_sums_total (sums, total_ns);
  kymo_column_sums_reset (sums);
}

/* The sums of all columns, in groups that fit into the cache. */
static void
sum_tiles (const KymoAsk          *ask,
           const KymoTimelinePlan *plan,
           guint                   first,
           guint                   end,
           KymoTimelineScratch    *scratch,
           gint64                 *total_ns)
{
  KymoColumnSums *sums = &scratch->columns;

  /* Hidden blocks are found once for each location, so all columns are a single tile. */
  guint tile = plan->least_ns > 0 || plan->comms != NULL ? plan->n_columns : TILE_COLUMNS;

  for (guint c = 0; c < plan->n_columns; c += tile)
    {
      const gint64 *edges_ns = plan->edges_ns + c;

      sums->n_columns = MIN (tile, plan->n_columns - c);
      for (guint i = first; i < end && !kymo_ask_is_stopped (ask, (i - first) << 6); i++)
        kymo_column_sums_add (sums, shown_at (ask, plan, i, scratch), edges_ns);
      kymo_column_sums_settle (sums, edges_ns);
      kymo_column_sums_pick (sums, sums->n_columns, scratch->states + c, scratch->ns + c);
      if (total_ns != NULL)
        kymo_column_sums_total (sums, total_ns);
      kymo_column_sums_reset (sums);
    }
  for (guint c = 0; c <= plan->n_columns; c++)
    scratch->begins[c] = c;
  memcpy (scratch->edges_ns, plan->edges_ns, (plan->n_columns + 1) * sizeof (gint64));
  scratch->n_joined = plan->n_columns;
}

/**
 * kymo_timeline_walk_group:
 * @first: first location, as a place among the asked ones
 * @end: one past the last
 * @total_ns: (nullable): by state; their time in all columns is added to it
 *
 * Sums several locations up; the scratch holds of each column, or of several
 * joined ones, the state with most time.
 *
 * Returns: %FALSE where columns turned out unfit to be read
 */
gboolean
kymo_timeline_walk_group (const KymoAsk          *ask,
                          const KymoTimelinePlan *plan,
                          guint                   first,
                          guint                   end,
                          KymoTimelineScratch    *scratch,
                          gint64                 *total_ns)
{
  for (guint i = first; i < end; i++)
    if (!kymo_segment_use (kymo_ask_segment_of (ask, ask->locations[i]),
                           plan->least_ns > 0 || plan->comms != NULL
                           ? KYMO_PART_TRACK | KYMO_PART_BLOCKS
                           : KYMO_PART_TRACK))
      return FALSE;
  if (scratch->columns.ns == NULL)
    kymo_column_sums_init (&scratch->columns, scratch->columns.n_states, plan->n_columns);
  if (is_sparse (ask, plan, first, end))
    sum_joined (ask, plan, first, end, scratch, total_ns);
  else
    sum_tiles (ask, plan, first, end, scratch, total_ns);
  return TRUE;
}

/**
 * kymo_timeline_group_cells:
 * @n_locations: number of locations of the group
 * @cells: appended to: a cell a column, of what kymo_timeline_walk_group() found
 *
 * Makes a list of cells of the sums of a group.
 */
void
kymo_timeline_group_cells (const KymoTimelinePlan    *plan,
                           guint                      n_locations,
                           const KymoTimelineScratch *scratch,
                           GArray                    *cells)
{
  for (guint i = 0; i < scratch->n_joined; i++)
    {
      double all_ns = (double) (scratch->edges_ns[i + 1] - scratch->edges_ns[i]) * n_locations;
      double share = (double) scratch->ns[i] / all_ns;

      for (guint c = scratch->begins[i]; c < scratch->begins[i + 1]; c++)
        {
          KymoTimelineCell cell = { c, c + 1, scratch->states[i], share };

          if (scratch->states[i] != KYMO_NO_STATE)
            g_array_append_val (cells, cell);
        }
    }
}

/**
 * kymo_timeline_group_line:
 * @n_locations: number of locations of the group
 * @line: (out): packed cells, one for each column
 *
 * Makes packed cells of what kymo_timeline_walk_group() found.
 */
void
kymo_timeline_group_line (const KymoTimelinePlan    *plan,
                          guint                      n_locations,
                          const KymoTimelineScratch *scratch,
                          guint32                   *line)
{
  for (guint i = 0; i < scratch->n_joined; i++)
    {
      double all_ns = (double) (scratch->edges_ns[i + 1] - scratch->edges_ns[i]) * n_locations;
      guint32 cell = scratch->states[i] == KYMO_NO_STATE ? KYMO_NO_CELL
        : kymo_pack_cell (scratch->states[i], scratch->ns[i], all_ns);

      for (guint c = scratch->begins[i]; c < scratch->begins[i + 1]; c++)
        line[c] = cell;
    }
}
