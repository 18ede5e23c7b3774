/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where rows of a timeline wait for others. Of a row of one location the columns of
 * which waiting is at least half; of a row of several, what part of their time in a
 * column is waiting, in eighths. The kind is the one that takes most of it.
 *
 * Rows are shared out over threads; none is the work of two.
 */
#include "config.h"

#include <string.h>

#include "kymo-share.h"
#include "kymo-timeline-private.h"
#include "kymo-waits.h"

/* Number of steps to which shares of waiting are rounded. */
#define LEVELS 8

/* Rows that are one step of a thread. */
#define ROWS_AT_ONCE 16

/** Run: columns x0 to x1 of a row */
typedef struct
{
  guint x0, x1, kind, level;
} Run;

/** Columns: of one row, by column; what was touched lies from @low to @high */
typedef struct
{
  gint64 *ns;                   /* by column and kind */
  guint   low, high;
} Columns;

typedef struct
{
  const KymoAsk          *ask;
  const KymoTimelinePlan *plan;
  const KymoWaits        *waits;
  GArray                **runs;         /* by row: Run, or NULL for a row without waits */
} Rows;

/* @column: where the one before began, and this one begins */
static void
add_wait (const KymoTimelinePlan *plan,
          const KymoWait         *wait,
          Columns                *columns,
          guint                  *column)
{
  KymoSpan span = kymo_span_intersect (plan->span, (KymoSpan) { wait->begin_ns,
                                                                wait->begin_ns + wait->wait_ns });
  guint c;

  if (kymo_span_length (span) == 0)
    return;
  while (plan->edges_ns[*column + 1] <= span.begin_ns)
    ++*column;
  for (c = *column; c < plan->n_columns && plan->edges_ns[c] < span.end_ns; c++)
    columns->ns[(gsize) c * KYMO_N_WAIT_KINDS + wait->kind]
      += MIN (span.end_ns, plan->edges_ns[c + 1]) - MAX (span.begin_ns, plan->edges_ns[c]);
  columns->low = MIN (columns->low, *column);
  columns->high = MAX (columns->high, c);
}

static void
add_location (const Rows *rows,
              guint       location,
              Columns    *columns)
{
  const GArray *waits = rows->waits->of[location];
  guint column = 0;

  for (guint i = kymo_waits_find (waits, rows->plan->span.begin_ns);
       i < waits->len && !kymo_ask_is_stopped (rows->ask, i); i++)
    {
      const KymoWait *wait = &g_array_index (waits, KymoWait, i);

      if (wait->begin_ns >= rows->plan->span.end_ns)
        return;
      add_wait (rows->plan, wait, columns, &column);
    }
}

/* The share of waiting in the time of @n locations in a column, and its kind. */
static Run
look_at_column (const KymoTimelinePlan *plan,
                const Columns          *columns,
                guint                   column,
                guint                   n)
{
  const gint64 *ns = &columns->ns[(gsize) column * KYMO_N_WAIT_KINDS];
  double all_ns = (double) (plan->edges_ns[column + 1] - plan->edges_ns[column]) * n;
  Run run = { column, column + 1, 0, 0 };
  double sum_ns = 0;

  for (guint k = 0; k < KYMO_N_WAIT_KINDS; k++)
    {
      sum_ns += (double) ns[k];
      run.kind = ns[k] > ns[run.kind] ? k : run.kind;
    }
  if (n == 1)
    run.level = sum_ns > 0 && 2 * sum_ns >= all_ns ? LEVELS : 0;
  else
    run.level = (guint) (sum_ns / all_ns * LEVELS + 0.5);
  return run;
}

static GArray *
list_runs (const KymoTimelinePlan *plan,
           const Columns          *columns,
           guint                   n)
{
  GArray *runs = NULL;

  for (guint c = columns->low; c < columns->high; c++)
    {
      Run run = look_at_column (plan, columns, c, n);
      Run *last = runs != NULL && runs->len > 0 ? &g_array_index (runs, Run, runs->len - 1) : NULL;

      if (run.level == 0)
        continue;
      if (last != NULL && last->x1 == c && last->kind == run.kind && last->level == run.level)
        {
          last->x1++;
          continue;
        }
      if (runs == NULL)
        runs = g_array_new (FALSE, FALSE, sizeof (Run));
      g_array_append_val (runs, run);
    }
  return runs;
}

static void
make_rows (gpointer data,
           guint    step)
{
  const Rows *rows = data;
  const KymoTimelinePlan *plan = rows->plan;
  gsize size = KYMO_N_WAIT_KINDS * sizeof (gint64);
  g_autofree gint64 *ns = g_malloc0_n (plan->n_columns, size);

  for (guint row = step * ROWS_AT_ONCE; row < MIN ((step + 1) * ROWS_AT_ONCE, plan->n_rows); row++)
    {
      guint first = kymo_timeline_row_begin (rows->ask, plan, plan->first_row + row);
      guint end = kymo_timeline_row_begin (rows->ask, plan, plan->first_row + row + 1);
      Columns columns = { ns, plan->n_columns, 0 };

      for (guint i = first; i < end; i++)
        add_location (rows, rows->ask->locations[i], &columns);
      if (columns.low >= columns.high)
        continue;
      rows->runs[row] = list_runs (plan, &columns, end - first);
      memset (ns + (gsize) columns.low * KYMO_N_WAIT_KINDS, 0,
              (columns.high - columns.low) * size);
    }
}

static void
append_runs (KymoTable *table,
             guint      row,
             GArray    *runs)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const Run *run = &g_array_index (runs, Run, i);

      kymo_table_append_row (table, row, run->x0, run->x1, run->kind, (double) run->level / LEVELS);
    }
  g_array_unref (runs);
}

static KymoTable *
make_table (const KymoAsk          *ask,
            const KymoTimelinePlan *plan,
            const KymoWaits        *waits)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_TUPLES);
  g_autofree GArray **runs = g_new0 (GArray *, MAX (plan->n_rows, 1));
  Rows rows = { ask, plan, waits, runs };

  kymo_table_add_column (table, "row", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "x0", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "x1", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "kind", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "share", KYMO_COLUMN_DOUBLE, 1);
  kymo_share_out ((plan->n_rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, ask->n_threads, make_rows,
                  &rows, ask->cancellable);
  for (guint row = 0; row < plan->n_rows; row++)
    if (runs[row] != NULL)
      append_runs (table, row, runs[row]);
  return table;
}

static KymoTable *
list_kinds (void)
{
  KymoTable *kinds = kymo_table_new (KYMO_STYLE_FLAT);

  kymo_table_add_column (kinds, "kind", KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < KYMO_N_WAIT_KINDS; i++)
    kymo_table_append_string (kinds, 0, kymo_wait_kind_to_words (i));
  return kinds;
}

/**
 * kymo_timeline_set_waits:
 *
 * Where the question asks for them sets "waits" (tuples row, x0, x1, kind, share; rows
 * and columns of this answer; share: 1 in a row of one location, else in eighths) and
 * "wait_kinds". With waits=made that is done only where nothing need be made for it;
 * else the answer says "waits_pending".
 *
 * Returns: FALSE with @error where they cannot be made
 */
gboolean
kymo_timeline_set_waits (const KymoAsk           *ask,
                         const KymoTimelinePlan  *plan,
                         KymoTable               *answer,
                         GError                 **error)
{
  const char *wish = kymo_question_get (ask->question, "waits");
  const KymoWaits *waits = NULL;

  if (wish == NULL || !(kymo_capabilities_of (ask->run) & KYMO_CAN_WAITS))
    return TRUE;
  if (strcmp (wish, "made") == 0)
    waits = kymo_waits_peek_made (ask->run);
  else if (kymo_question_get_flag (ask->question, "waits")
           && (waits = kymo_waits_peek (ask, error)) == NULL)
    return FALSE;
  if (waits == NULL)
    {
      kymo_table_set_bool (answer, "waits_pending", TRUE);
      return TRUE;
    }
  kymo_table_set_table (answer, "wait_kinds", list_kinds ());
  kymo_table_set_table (answer, "waits", make_table (ask, plan, waits));
  return !g_cancellable_set_error_if_cancelled (ask->cancellable, error);
}
