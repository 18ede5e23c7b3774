/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-state-rows.h"

/**
 * kymo_state_rows_new:
 * @n_states: rows of the matrix
 * @n_bins: numbers in a row
 *
 * Returns: (transfer full): a matrix of zeros; a row has memory once it is used
 */
KymoStateRows *
kymo_state_rows_new (guint n_states,
                     guint n_bins)
{
  KymoStateRows *rows = g_new (KymoStateRows, 1);

  rows->n_states = n_states;
  rows->n_bins = n_bins;
  rows->rows = g_new0 (gint64 *, n_states);
  return rows;
}

/** kymo_state_rows_free: frees the matrix with its rows */
void
kymo_state_rows_free (KymoStateRows *rows)
{
  for (guint i = 0; i < rows->n_states; i++)
    g_free (rows->rows[i]);
  g_free (rows->rows);
  g_free (rows);
}

/**
 * kymo_state_rows_add:
 *
 * Adds @from to @into, bin by bin.
 */
void
kymo_state_rows_add (KymoStateRows       *into,
                     const KymoStateRows *from)
{
  for (guint state = 0; state < from->n_states; state++)
    {
      gint64 *sum;

      if (from->rows[state] == NULL)
        continue;
      sum = kymo_state_rows_get (into, state);
      for (guint i = 0; i < from->n_bins; i++)
        sum[i] = kymo_saturating_add (sum[i], from->rows[state][i]);
    }
}

/**
 * kymo_state_rows_weigh:
 * @rows: times of one location
 * @weight: in millionths
 *
 * Makes them those of all it stands for. The states of a bin still add up:
 * kymo_weigh_parts() for every bin, row by row.
 */
void
kymo_state_rows_weigh (KymoStateRows *rows,
                       gint64         weight)
{
  g_autofree gint64 *sum = g_new0 (gint64, MAX (rows->n_bins, 1));
  g_autofree gint64 *before = g_new0 (gint64, MAX (rows->n_bins, 1));

  for (guint state = 0; state < rows->n_states; state++)
    for (guint i = 0; rows->rows[state] != NULL && i < rows->n_bins; i++)
      {
        gint64 here;

        if (rows->rows[state][i] == 0)
          continue;
        sum[i] += rows->rows[state][i];
        here = kymo_weigh (sum[i], weight);
        rows->rows[state][i] = here - before[i];
        before[i] = here;
      }
}

/**
 * kymo_state_rows_weigh_counts:
 * @rows: counts of one location
 * @weight: in millionths
 *
 * Makes them those of all it stands for, in millionths.
 */
void
kymo_state_rows_weigh_counts (KymoStateRows *rows,
                              gint64         weight)
{
  for (guint state = 0; state < rows->n_states; state++)
    for (guint i = 0; rows->rows[state] != NULL && i < rows->n_bins; i++)
      rows->rows[state][i] = kymo_weigh_count (rows->rows[state][i], weight);
}

/**
 * kymo_state_rows_round_counts:
 * @rows: counts in millionths
 *
 * Makes whole numbers of them, so that the states of a bin add up to what the
 * bin has, rounded once.
 */
void
kymo_state_rows_round_counts (KymoStateRows *rows)
{
  g_autofree gint64 *sum = g_new0 (gint64, MAX (rows->n_bins, 1));

  for (guint state = 0; state < rows->n_states; state++)
    for (guint i = 0; rows->rows[state] != NULL && i < rows->n_bins; i++)
      {
        gint64 before = kymo_round_count (sum[i]);

        sum[i] = kymo_saturating_add (sum[i], rows->rows[state][i]);
        rows->rows[state][i] = kymo_round_count (sum[i]) - before;
      }
}

static int
compare_totals (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const gint64 *totals = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  if (totals[x] != totals[y])
    return totals[x] > totals[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

/**
 * kymo_state_rows_to_table:
 * @values: name of the vector column
 *
 * Returns: (transfer full): id, name and bins of every activity with a row,
 * the largest sum first
 */
KymoTable *
kymo_state_rows_to_table (const KymoStateRows *rows,
                          const KymoAsk       *ask,
                          const char          *values)
{
  KymoTable *table = kymo_table_new_list ("id name:string role:string");
  guint vector = kymo_table_add_vector (table, values, KYMO_COLUMN_INT, rows->n_bins);
  g_autofree gint64 *totals = g_new0 (gint64, rows->n_states);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 state = KYMO_STATE_ACTIVITY; state < rows->n_states; state++)
    {
      if (rows->rows[state] == NULL)
        continue;
      for (guint i = 0; i < rows->n_bins; i++)
        totals[state] += rows->rows[state][i];
      /* Of locations that stand for nothing there is nothing. */
      if (ask->weights == NULL || totals[state] != 0)
        g_array_append_val (order, state);
    }
  g_array_sort_with_data (order, compare_totals, totals);
  for (guint i = 0; i < order->len; i++)
    {
      guint32 state = g_array_index (order, guint32, i);

      kymo_table_append_row (table, kymo_ask_state_id (ask, state),
                             kymo_ask_state_name (ask, state),
                             kymo_role_to_string (kymo_run_peek_activity (
                               ask->run, state - KYMO_STATE_ACTIVITY)->role));
      kymo_table_append_ints (table, vector, rows->rows[state]);
    }
  return table;
}
