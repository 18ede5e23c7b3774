/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact sums by state of several locations together, for all columns of a
 * picture in one pass over their pieces.
 *
 * Where a piece begins, the rest of that column is added to its state, and +1
 * noted for all columns after; where it ends, the same is taken away again (a
 * difference array, which kymo_column_sums_settle() adds up). So a piece costs
 * the same however many columns it crosses, without a branch that would have
 * to be guessed, and nothing is searched or sorted.
 *
 * One thread at a time.
 */
#pragma once

#include "kymo-segment.h"

G_BEGIN_DECLS

/** KYMO_NO_STATE: a column in which nothing was recorded */
#define KYMO_NO_STATE (-1)

/**
 * KymoColumnSums:
 * @n_columns: may be set lower, while nothing is in it
 * @ns: by state, or %NULL: n_columns sums; complete after settling
 * @cover: by state, or %NULL: n_columns + 1 changes of how many pieces cover
 *   a column and those after
 * @used: states that have rows; after settling in the order that decides
 *   between equals: activities, then overhead, idle and untraced
 */
typedef struct
{
  guint    n_states;
  guint    n_columns;
  guint    capacity;            /* columns that rows have room for */
  gint64 **ns;
  gint32 **cover;
  guint32 *used;
  guint    n_used;
  GPtrArray *spare_ns, *spare_cover;    /* rows of zeros, to be used again */
  KymoSums of_bins;
} KymoColumnSums;

void kymo_column_sums_init   (KymoColumnSums    *sums,
                              guint              n_states,
                              guint              n_columns);
void kymo_column_sums_clear  (KymoColumnSums    *sums);
void kymo_column_sums_reset  (KymoColumnSums    *sums);
void kymo_column_sums_add    (KymoColumnSums    *sums,
                              const KymoSegment *segment,
                              const gint64      *edges_ns);
void kymo_column_sums_add_joined (KymoColumnSums *sums,
                              const KymoSegment *segment,
                              const gint64      *edges_ns,
                              const gint64      *fine_ns,
                              guint              n_fine,
                              const guint       *joined);
void kymo_columns_mark       (const KymoSegment *segment,
                              const gint64      *edges_ns,
                              guint              n_columns,
                              guint8            *met);
void kymo_column_sums_add_one (KymoColumnSums   *sums,
                              guint32            state,
                              guint              column,
                              gint64             ns);
void kymo_column_sums_join   (KymoColumnSums    *into,
                              const KymoColumnSums *from);
void kymo_column_sums_fold   (KymoColumnSums    *into,
                              const KymoColumnSums *from,
                              guint              n_columns);
void kymo_column_sums_settle (KymoColumnSums    *sums,
                              const gint64      *edges_ns);
void kymo_column_sums_total  (const KymoColumnSums *sums,
                              gint64            *total_ns);
void kymo_column_sums_pick   (const KymoColumnSums *sums,
                              guint              n_columns,
                              gint64            *states,
                              gint64            *ns);

guint kymo_find_column       (const gint64      *edges_ns,
                              guint              first,
                              guint              n_columns,
                              gint64             time_ns);

/**
 * kymo_state_wins:
 * @state: a state
 * @ns: its time
 * @best: another state
 * @best_ns: its time
 *
 * The rule of every cell: most time wins; of equal times an activity wins over overhead, idle
 * and untraced, then the lower number.
 *
 * Returns: %TRUE if @state wins over @best
 */
static inline gboolean
kymo_state_wins (guint32 state,
                 gint64  ns,
                 guint32 best,
                 gint64  best_ns)
{
  gboolean is_activity = state >= KYMO_STATE_ACTIVITY;
  gboolean best_is = best >= KYMO_STATE_ACTIVITY;

  if (ns != best_ns)
    return ns > best_ns;
  return is_activity != best_is ? is_activity : state < best;
}

G_END_DECLS
