/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A matrix of states by bins whose rows exist only where something was added:
 * runs have hundreds of activities, pictures show a few.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

typedef struct
{
  guint    n_states;
  guint    n_bins;
  gint64 **rows;                /* by state, NULL = all zero */
} KymoStateRows;

KymoStateRows *kymo_state_rows_new      (guint                n_states,
                                         guint                n_bins);
void           kymo_state_rows_free     (KymoStateRows       *rows);
void           kymo_state_rows_add      (KymoStateRows       *into,
                                         const KymoStateRows *from);
void           kymo_state_rows_weigh    (KymoStateRows       *rows,
                                         gint64               weight);
void           kymo_state_rows_weigh_counts (KymoStateRows   *rows,
                                         gint64               weight);
void           kymo_state_rows_round_counts (KymoStateRows   *rows);
KymoTable     *kymo_state_rows_to_table (const KymoStateRows *rows,
                                         const KymoAsk       *ask,
                                         const char          *values);

/**
 * kymo_state_rows_get:
 * @state: a row
 *
 * Returns: (transfer none): the numbers of the row, which is made of zeros if it was not
 *   there
 */
static inline gint64 *
kymo_state_rows_get (KymoStateRows *rows,
                     guint32        state)
{
  if (rows->rows[state] == NULL)
    rows->rows[state] = g_new0 (gint64, rows->n_bins);
  return rows->rows[state];
}

G_END_DECLS
