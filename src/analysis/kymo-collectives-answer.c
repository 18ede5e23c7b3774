/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collectives: what locations did together, who came last, and how long the others
 * waited for it. One counts where its last member came, whole, so that neighbouring
 * ranges add up; where locations are asked for, those that one of them takes part in,
 * and the waiting of these alone.
 */
#include "config.h"

#include "kymo-engine.h"

#include "kymo-error.h"

#define DEFAULT_LIMIT 100
#define MOST_LIMIT 1000000

/* Sums of one function. */
typedef struct
{
  guint32 activity;
  guint32 kind;
  gint64  count, members;
  gint64  wait_ns, longest_ns;
  gint64  sent, received;       /* -1 = not all are recorded */
} Sum;

typedef struct
{
  guint  index;                 /* in the list of the run */
  gint64 wait_ns;
} Ranked;

typedef struct
{
  guint   limit;
  GArray *ranked;               /* Ranked: those in the range */
  GArray *sums;                 /* Sum, by first use */
} Plan;

static gboolean
prepare (KymoAsk  *ask,
         GError  **error)
{
  Plan *plan;
  gint64 limit;

  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_LIMIT, &limit, error))
    return FALSE;
  if (limit < 0 || limit > MOST_LIMIT)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "The limit is no number of collectives; at most %d are told", MOST_LIMIT);
      return FALSE;
    }
  plan = ask->plan = g_new0 (Plan, 1);
  plan->limit = limit;
  plan->ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));
  plan->sums = g_array_new (FALSE, FALSE, sizeof (Sum));
  return TRUE;
}

static void
release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  g_array_unref (plan->ranked);
  g_array_unref (plan->sums);
  g_free (plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  return GUINT_TO_POINTER (1);
}

static void
state_free (gpointer state)
{
}

static void
no_partial (const KymoAsk *ask,
            gpointer       state,
            KymoSegment   *segment)
{
}

static void
no_merge (const KymoAsk *ask,
          gpointer       into,
          gpointer       from)
{
}

/* The waiting of the locations asked for. FALSE where none of them is in it. */
static gboolean
sum_waits (const KymoAsk         *ask,
           const KymoCollectives *all,
           const KymoCollective  *collective,
           gint64                *wait_ns)
{
  g_autofree gint64 *waits = g_new (gint64, collective->n_members);
  gboolean asked = FALSE;

  kymo_collective_get_waits (all, collective, waits);
  *wait_ns = 0;
  for (guint i = 0; i < collective->n_members; i++)
    if (ask->row_of[kymo_collective_member (all, collective, i)->location] >= 0)
      {
        asked = TRUE;
        *wait_ns += waits[i];
      }
  return asked;
}

static Sum *
find_sum (GArray               *sums,
          gint                 *of,
          const KymoCollective *collective)
{
  Sum fresh = { .activity = collective->activity, .kind = collective->kind };

  if (of[collective->activity] < 0)
    {
      of[collective->activity] = sums->len;
      g_array_append_val (sums, fresh);
    }
  return &g_array_index (sums, Sum, of[collective->activity]);
}

static gint64
add_bytes (gint64 sum,
           gint64 bytes)
{
  return sum < 0 || bytes < 0 ? -1 : kymo_saturating_add (sum, bytes);
}

static void
add_to_sum (Sum                  *sum,
            const KymoCollective *collective,
            gint64                wait_ns)
{
  sum->count++;
  sum->members += collective->n_members;
  sum->wait_ns = kymo_saturating_add (sum->wait_ns, wait_ns);
  sum->longest_ns = MAX (sum->longest_ns, wait_ns);
  sum->sent = add_bytes (sum->sent, collective->sent_bytes);
  sum->received = add_bytes (sum->received, collective->received_bytes);
}

static void
collect (const KymoAsk         *ask,
         const KymoCollectives *all)
{
  Plan *plan = ask->plan;
  g_autofree gint *of = g_new (gint, MAX (ask->run->activities->len, 1));

  for (guint i = 0; i < ask->run->activities->len; i++)
    of[i] = -1;
  for (guint i = 0; i < all->list->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoCollective *collective = &g_array_index (all->list, KymoCollective, i);
      gint64 time_ns = kymo_collective_member (all, collective, collective->last)->begin_ns;
      Ranked ranked = { i, 0 };

      if (time_ns < ask->span.begin_ns || time_ns >= kymo_ask_count_end (ask)
          || !sum_waits (ask, all, collective, &ranked.wait_ns))
        continue;
      g_array_append_val (plan->ranked, ranked);
      add_to_sum (find_sum (plan->sums, of, collective), collective, ranked.wait_ns);
    }
}

static int
compare_ranked (gconstpointer a,
                gconstpointer b)
{
  const Ranked *x = a, *y = b;

  if (x->wait_ns != y->wait_ns)
    return x->wait_ns > y->wait_ns ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static int
compare_sums (gconstpointer a,
              gconstpointer b)
{
  const Sum *x = a, *y = b;

  if (x->wait_ns != y->wait_ns)
    return x->wait_ns > y->wait_ns ? -1 : 1;
  return x->activity < y->activity ? -1 : x->activity > y->activity;
}

static void
append_bytes (KymoTable *table,
              guint      column,
              gint64     bytes)
{
  if (bytes >= 0)
    kymo_table_append_int (table, column, bytes);
  else
    kymo_table_append_int (table, column, KYMO_NULL_INT);
}

static KymoTable *
list_names (const KymoAsk *ask)
{
  Plan *plan = ask->plan;
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint kind = kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  guint count = kymo_table_add_column (table, "count", KYMO_COLUMN_INT, 1);
  guint members = kymo_table_add_column (table, "members", KYMO_COLUMN_INT, 1);
  guint wait = kymo_table_add_column (table, "wait_ns", KYMO_COLUMN_INT, 1);
  guint longest = kymo_table_add_column (table, "max_wait_ns", KYMO_COLUMN_INT, 1);
  guint sent = kymo_table_add_column (table, "sent_bytes", KYMO_COLUMN_INT, 1);
  guint received = kymo_table_add_column (table, "received_bytes", KYMO_COLUMN_INT, 1);

  g_array_sort (plan->sums, compare_sums);
  for (guint i = 0; i < plan->sums->len; i++)
    {
      const Sum *sum = &g_array_index (plan->sums, Sum, i);

      kymo_table_append_string (table, name,
                                kymo_run_peek_activity (ask->run, sum->activity)->name);
      kymo_table_append_string (table, kind, kymo_collective_kind_to_string (sum->kind));
      kymo_table_append_int (table, count, sum->count);
      kymo_table_append_int (table, members, sum->members);
      kymo_table_append_int (table, wait, sum->wait_ns);
      kymo_table_append_int (table, longest, sum->longest_ns);
      append_bytes (table, sent, sum->sent);
      append_bytes (table, received, sum->received);
    }
  return table;
}

typedef struct
{
  KymoTable *table;
  guint      name, kind, begin, end, members, last, last_label, last_begin, wait, root, sent,
             received;
} ListTable;

static ListTable
list_table_new (void)
{
  ListTable t = { kymo_table_new (KYMO_STYLE_OBJECTS) };

  t.name = kymo_table_add_column (t.table, "name", KYMO_COLUMN_STRING, 1);
  t.kind = kymo_table_add_column (t.table, "kind", KYMO_COLUMN_STRING, 1);
  t.begin = kymo_table_add_column (t.table, "begin_ns", KYMO_COLUMN_INT, 1);
  t.end = kymo_table_add_column (t.table, "end_ns", KYMO_COLUMN_INT, 1);
  t.members = kymo_table_add_column (t.table, "n_members", KYMO_COLUMN_INT, 1);
  t.last = kymo_table_add_column (t.table, "last", KYMO_COLUMN_INT, 1);
  t.last_label = kymo_table_add_column (t.table, "last_label", KYMO_COLUMN_STRING, 1);
  t.last_begin = kymo_table_add_column (t.table, "last_begin_ns", KYMO_COLUMN_INT, 1);
  t.wait = kymo_table_add_column (t.table, "wait_ns", KYMO_COLUMN_INT, 1);
  t.root = kymo_table_add_column (t.table, "root", KYMO_COLUMN_INT, 1);
  t.sent = kymo_table_add_column (t.table, "sent_bytes", KYMO_COLUMN_INT, 1);
  t.received = kymo_table_add_column (t.table, "received_bytes", KYMO_COLUMN_INT, 1);
  return t;
}

static void
append_collective (const KymoAsk         *ask,
                   const KymoCollectives *all,
                   const ListTable       *t,
                   const Ranked          *ranked)
{
  const KymoCollective *collective = &g_array_index (all->list, KymoCollective, ranked->index);
  const KymoCollectiveMember *last = kymo_collective_member (all, collective, collective->last);
  const KymoLocation *location = kymo_run_peek_location (ask->run, last->location);

  kymo_table_append_string (t->table, t->name,
                            kymo_run_peek_activity (ask->run, collective->activity)->name);
  kymo_table_append_string (t->table, t->kind, kymo_collective_kind_to_string (collective->kind));
  kymo_table_append_int (t->table, t->begin, collective->span.begin_ns);
  kymo_table_append_int (t->table, t->end, collective->span.end_ns);
  kymo_table_append_int (t->table, t->members, collective->n_members);
  kymo_table_append_int (t->table, t->last, location->id);
  kymo_table_append_string (t->table, t->last_label, location->label);
  kymo_table_append_int (t->table, t->last_begin, last->begin_ns);
  kymo_table_append_int (t->table, t->wait, ranked->wait_ns);
  if (collective->root >= 0)
    kymo_table_append_int (t->table, t->root,
                           kymo_run_peek_location (ask->run, collective->root)->id);
  else
    kymo_table_append_int (t->table, t->root, KYMO_NULL_INT);
  append_bytes (t->table, t->sent, collective->sent_bytes);
  append_bytes (t->table, t->received, collective->received_bytes);
}

static KymoTable *
list_collectives (const KymoAsk         *ask,
                  const KymoCollectives *all)
{
  Plan *plan = ask->plan;
  ListTable table = list_table_new ();

  g_array_sort (plan->ranked, compare_ranked);
  for (guint i = 0; i < MIN (plan->ranked->len, plan->limit); i++)
    append_collective (ask, all, &table, &g_array_index (plan->ranked, Ranked, i));
  return table.table;
}

static KymoTable *
conclude (const KymoAsk  *ask,
          gpointer        state,
          GError        **error)
{
  static const KymoCollectives none;
  const KymoCollectives *all = kymo_run_peek_collectives (ask->run);
  Plan *plan = ask->plan;
  KymoTable *answer;
  gint64 wait_ns = 0;

  if (all != NULL)
    collect (ask, all);
  if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    return NULL;
  for (guint i = 0; i < plan->sums->len; i++)
    wait_ns = kymo_saturating_add (wait_ns, g_array_index (plan->sums, Sum, i).wait_ns);
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_int (answer, "count", plan->ranked->len);
  kymo_table_set_int (answer, "wait_ns", wait_ns);
  kymo_table_set_bool (answer, "inferred", (all != NULL ? all : &none)->inferred);
  kymo_table_set_int (answer, "left_out", (all != NULL ? all : &none)->n_left_out);
  kymo_table_set_table (answer, "names", list_names (ask));
  kymo_table_set_table (answer, "collectives", list_collectives (ask, all));
  return answer;
}

/* Those of the files are there; others are found among the blocks of all. */
static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  return ask->run->collectives != NULL ? KYMO_NEEDS_SUMS
    : KYMO_NEEDS_BLOCKS | KYMO_NEEDS_OF_ALL;
}

const KymoAnswerClass kymo_answer_collectives =
{
  "collectives", prepare, release, state_new, state_free, no_partial, no_merge,
  .conclude = conclude, .needs = KYMO_NEEDS_BLOCKS | KYMO_NEEDS_OF_ALL, .needs_of = needs_of,
  .requires = KYMO_CAN_INTERVALS | KYMO_CAN_WAITS,
};
