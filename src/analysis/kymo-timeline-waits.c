/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where rows of a timeline wait for others: the columns of which waiting is at least
 * half. Only rows of single locations have them.
 */
#include "config.h"

#include <string.h>

#include "kymo-timeline-private.h"
#include "kymo-waits.h"

/* Of one row, by column. */
typedef struct
{
  gint64 *ns;                   /* waited */
  gint64 *most_ns;              /* of it the longest, which is of */
  guint8 *kind;
} Columns;

static void
add_to_column (Columns *columns,
               guint    column,
               gint64   ns,
               guint    kind)
{
  columns->ns[column] += ns;
  if (ns <= columns->most_ns[column])
    return;
  columns->most_ns[column] = ns;
  columns->kind[column] = (guint8) kind;
}

static void
add_wait (const KymoTimelinePlan *plan,
          const KymoWait         *wait,
          Columns                *columns)
{
  KymoSpan span = kymo_span_intersect (plan->span, (KymoSpan) { wait->begin_ns,
                                                                wait->begin_ns + wait->wait_ns });
  guint column;

  if (kymo_span_length (span) == 0)
    return;
  column = kymo_find_column (plan->edges_ns, 0, plan->n_columns, span.begin_ns);
  for (; column < plan->n_columns && plan->edges_ns[column] < span.end_ns; column++)
    add_to_column (columns, column,
                   MIN (span.end_ns, plan->edges_ns[column + 1])
                   - MAX (span.begin_ns, plan->edges_ns[column]), wait->kind);
}

static gboolean
is_waiting (const KymoTimelinePlan *plan,
            const Columns          *columns,
            guint                   column)
{
  gint64 width_ns = plan->edges_ns[column + 1] - plan->edges_ns[column];

  return columns->ns[column] > 0 && 2 * columns->ns[column] >= width_ns;
}

static void
append_runs (const KymoTimelinePlan *plan,
             const Columns          *columns,
             guint                   row,
             KymoTable              *table)
{
  for (guint x0 = 0, x1; x0 < plan->n_columns; x0 = x1)
    {
      for (x1 = x0; x1 < plan->n_columns && is_waiting (plan, columns, x1)
           && columns->kind[x1] == columns->kind[x0]; x1++)
        ;
      if (x1 == x0)
        {
          x1++;
          continue;
        }
      kymo_table_append_int (table, 0, row);
      kymo_table_append_int (table, 1, x0);
      kymo_table_append_int (table, 2, x1);
      kymo_table_append_int (table, 3, columns->kind[x0]);
    }
}

static void
append_row (const KymoAsk          *ask,
            const KymoTimelinePlan *plan,
            const GArray           *waits,
            guint                   row,
            Columns                *columns,
            KymoTable              *table)
{
  memset (columns->ns, 0, plan->n_columns * sizeof (gint64));
  memset (columns->most_ns, 0, plan->n_columns * sizeof (gint64));
  for (guint i = kymo_waits_find (waits, plan->span.begin_ns);
       i < waits->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoWait *wait = &g_array_index (waits, KymoWait, i);

      if (wait->begin_ns >= plan->span.end_ns)
        break;
      add_wait (plan, wait, columns);
    }
  append_runs (plan, columns, row, table);
}

static KymoTable *
make_table (const KymoAsk          *ask,
            const KymoTimelinePlan *plan,
            const KymoWaits        *waits)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_TUPLES);
  g_autofree gint64 *ns = g_new (gint64, plan->n_columns);
  g_autofree gint64 *most_ns = g_new (gint64, plan->n_columns);
  g_autofree guint8 *kind = g_new0 (guint8, plan->n_columns);
  Columns columns = { ns, most_ns, kind };

  kymo_table_add_column (table, "row", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "x0", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "x1", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "kind", KYMO_COLUMN_INT, 1);
  for (guint row = 0; row < plan->n_rows; row++)
    {
      guint first = kymo_timeline_row_begin (ask, plan, plan->first_row + row);

      if (kymo_timeline_row_begin (ask, plan, plan->first_row + row + 1) - first == 1)
        append_row (ask, plan, waits->of[ask->locations[first]], row, &columns, table);
    }
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
 * Where the question asks for them sets "waits" (tuples row, x0, x1, kind; rows and
 * columns of this answer) and "wait_kinds". With waits=made that is done only where
 * nothing need be made for it; else the answer says "waits_pending".
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
  return TRUE;
}
