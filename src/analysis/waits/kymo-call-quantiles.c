/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * call-quantiles: how long calls of communication and of input and output take, by function and by
 * the bytes that they move, without their waits for others (kymo-waits.h). Calls of one row do
 * equal work, so their quantiles tell a slow library, network or file system from a busy machine:
 * what is slow slows every call, what is busy slows some.
 *
 * A quantile q is the length of rank q (n - 1), rounded down, in ascending order. "row_p10_ns" is
 * the least p10 among the locations that made LEAST_CALLS calls or more. Bytes are those that the
 * call sent and received, or read and wrote; classes of sizes are those of message-sizes. A call
 * inside another one that counts belongs to that one. Calls count where they begin.
 */
#include "config.h"

#include "kymo-engine.h"
#include "kymo-order.h"
#include "kymo-share.h"
#include "kymo-waits.h"

/* Of fewer calls of a location there is no telling which are quick. */
#define LEAST_CALLS 10
#define N_CLASSES 64

typedef enum
{
  CALL_NONE,
  CALL_COLLECTIVE,
  CALL_MESSAGE,
  CALL_SYNCHRONIZATION,
  CALL_IO,
} CallKind;

static const char *const kind_words[] = { "", "collective", "message", "synchronization", "io" };

/* What one member of a collective operation of the files moved. */
typedef struct
{
  gint64 begin_ns, end_ns, bytes;
} Moved;

/**
 * Plan:
 * @kinds: by activity
 * @firsts: by activity the first of its name
 * @waits: (nullable): of the run
 * @moved: (nullable): by location: #Moved
 */
typedef struct
{
  guint8          *kinds;
  guint           *firsts;
  gboolean         any;
  const KymoWaits *waits;
  GArray         **moved;
  guint            n_locations;
} Plan;

/**
 * Group: calls of one function and one class of sizes
 * @key: first activity of the name * N_CLASSES + class
 * @lengths: without waits
 * @n_before: of them that other locations made, while one is walked over
 * @row_p10_ns: least p10 of a location; -1 = none made enough calls
 */
typedef struct
{
  gint64  key;
  gint64  bytes, own_ns, wait_ns;
  GArray *lengths;
  guint   n_before;
  gint64  row_p10_ns;
  guint   row;
} Group;

/* -- plan -------------------------------------------------------------------- */

static CallKind
kind_of (const KymoActivity *activity)
{
  KymoCollectiveKind kind;

  if (activity->kind != KYMO_ACTIVITY_FUNCTION)
    return CALL_NONE;
  if (activity->role == KYMO_ROLE_IO)
    return CALL_IO;
  if (activity->role != KYMO_ROLE_COMMUNICATION && activity->role != KYMO_ROLE_SYNCHRONIZATION
      && activity->role != KYMO_ROLE_WAIT)
    return CALL_NONE;
  if (kymo_collective_find_name (activity->name, &kind) >= 0)
    return CALL_COLLECTIVE;
  return activity->role == KYMO_ROLE_SYNCHRONIZATION ? CALL_SYNCHRONIZATION : CALL_MESSAGE;
}

/* By location, in the order of the list. */
static void
collect_moved (Plan                  *plan,
               const KymoCollectives *all)
{
  plan->moved = g_new0 (GArray *, MAX (plan->n_locations, 1));
  for (guint i = 0; i < all->list->len; i++)
    {
      const KymoCollective *collective = &g_array_index (all->list, KymoCollective, i);

      for (guint m = 0; m < collective->n_members; m++)
        {
          const KymoCollectiveMember *member = kymo_collective_member (all, collective, m);
          KymoCollectiveBytes bytes = kymo_collective_bytes (all, collective, m);
          Moved moved = { member->begin_ns, member->end_ns,
                          kymo_saturating_add (MAX (bytes.sent, 0), MAX (bytes.received, 0)) };

          if (plan->moved[member->location] == NULL)
            plan->moved[member->location] = g_array_new (FALSE, FALSE, sizeof (Moved));
          g_array_append_val (plan->moved[member->location], moved);
        }
    }
}

static gboolean
call_quantiles_prepare (KymoAsk  *ask,
                        GError  **error)
{
  const KymoRun *run = ask->run;
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  plan->n_locations = run->locations->len;
  plan->kinds = g_new0 (guint8, MAX (run->activities->len, 1));
  plan->firsts = kymo_ask_new_firsts (run);
  for (guint i = 0; i < run->activities->len; i++)
    {
      plan->kinds[i] = kind_of (kymo_run_peek_activity (run, i));
      plan->any |= plan->kinds[i] != CALL_NONE;
    }
  if (!plan->any)
    return TRUE;
  if (run->collectives != NULL && run->collectives->bytes != NULL)
    collect_moved (plan, run->collectives);
  if ((kymo_capabilities_of (run) & KYMO_CAN_WAITS) == 0)
    return TRUE;
  plan->waits = kymo_waits_peek (ask, error);
  return plan->waits != NULL;
}

static void
call_quantiles_release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  for (guint i = 0; plan->moved != NULL && i < plan->n_locations; i++)
    g_clear_pointer (&plan->moved[i], g_array_unref);
  g_free (plan->moved);
  g_free (plan->kinds);
  g_free (plan->firsts);
  g_free (plan);
}

/* -- groups ------------------------------------------------------------------ */

static void
group_free (gpointer data)
{
  g_array_unref (((Group *) data)->lengths);
  g_free (data);
}

static gpointer
groups_new (const KymoAsk *ask)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, group_free);
}

static void
groups_free (gpointer groups)
{
  g_hash_table_unref (groups);
}

static Group *
find_group (GHashTable *groups,
            gint64      key)
{
  Group *group = g_hash_table_lookup (groups, &key);

  if (group != NULL)
    return group;
  group = g_new0 (Group, 1);
  group->key = key;
  group->lengths = g_array_new (FALSE, FALSE, sizeof (gint64));
  group->row_p10_ns = -1;
  g_hash_table_insert (groups, &group->key, group);
  return group;
}

static gint64
quantile_of (const gint64 *sorted,
             guint         n,
             guint         tenths)
{
  return sorted[(gsize) (n - 1) * tenths / 10];
}

/* The quick calls of the location that was walked over. */
static void
close_row (Group *group,
           guint  location)
{
  gint64 *own = (gint64 *) (gpointer) group->lengths->data + group->n_before;
  guint n = group->lengths->len - group->n_before;

  group->n_before = group->lengths->len;
  if (n < LEAST_CALLS)
    return;
  qsort (own, n, sizeof *own, kymo_compare_ints);
  if (group->row_p10_ns < 0 || quantile_of (own, n, 1) < group->row_p10_ns)
    {
      group->row_p10_ns = quantile_of (own, n, 1);
      group->row = location;
    }
}

/* -- calls ------------------------------------------------------------------- */

/* Of each block: what it moved, and how long it waited. */
typedef struct
{
  gint64 *bytes, *wait_ns;
} Blocks;

static void
add_amount (gint64  *amounts,
            guint32  block,
            gint64   amount)
{
  if (block != KYMO_NO_BLOCK)
    amounts[block] = kymo_saturating_add (amounts[block], MAX (amount, 0));
}

static void
add_exchange (const KymoSegment *segment,
              gint64            *bytes)
{
  const KymoExchange *exchange = segment->exchange;

  if (exchange == NULL)
    return;
  for (guint i = 0; i < exchange->n_sends; i++)
    add_amount (bytes, exchange->send_block[i], segment->send_bytes[i]);
  for (guint i = 0; i < exchange->n_receives; i++)
    add_amount (bytes, exchange->receive_block[i], exchange->receive_bytes[i]);
}

static void
add_points (const KymoSegment *segment,
            gint64            *bytes)
{
  for (guint i = 0; segment->points != NULL && i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if (point->kind == KYMO_POINT_IO && point->op == KYMO_IO_COMPLETE)
        add_amount (bytes, kymo_waits_block_around (segment, point->begin_ns, point->begin_ns),
                    point->number);
    }
}

static Blocks
make_blocks (const Plan        *plan,
             const KymoSegment *segment)
{
  Blocks blocks = { g_new0 (gint64, MAX (segment->n_blocks, 1)),
                    g_new0 (gint64, MAX (segment->n_blocks, 1)) };
  const GArray *moved = plan->moved != NULL ? plan->moved[segment->location] : NULL;
  const GArray *waits = plan->waits != NULL ? plan->waits->of[segment->location] : NULL;

  add_exchange (segment, blocks.bytes);
  add_points (segment, blocks.bytes);
  for (guint i = 0; moved != NULL && i < moved->len; i++)
    {
      const Moved *one = &g_array_index (moved, Moved, i);

      add_amount (blocks.bytes, kymo_waits_block_around (segment, one->begin_ns, one->end_ns),
                  one->bytes);
    }
  for (guint i = 0; waits != NULL && i < waits->len; i++)
    {
      const KymoWait *wait = &g_array_index (waits, KymoWait, i);

      add_amount (blocks.wait_ns, wait->block, wait->wait_ns);
    }
  return blocks;
}

static void
add_call (GHashTable *groups,
          guint       first,
          gint64      length_ns,
          gint64      bytes,
          gint64      wait_ns)
{
  guint size_class = bytes <= 0 ? 0 : g_bit_storage ((gulong) bytes);
  Group *group = find_group (groups, (gint64) first * N_CLASSES + MIN (size_class, N_CLASSES - 1));
  gint64 own_ns = MAX (length_ns - wait_ns, 0);

  group->bytes = kymo_saturating_add (group->bytes, bytes);
  group->wait_ns = kymo_saturating_add (group->wait_ns, MIN (wait_ns, length_ns));
  group->own_ns = kymo_saturating_add (group->own_ns, own_ns);
  g_array_append_val (group->lengths, own_ns);
}

static void
call_quantiles_partial (const KymoAsk *ask,
                        gpointer       groups,
                        KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  gint64 outer_end_ns = G_MININT64, end_ns = kymo_ask_count_end (ask);
  GHashTableIter iter;
  gpointer group;
  Blocks blocks;

  if (!plan->any || segment->n_blocks == 0)
    return;
  blocks = make_blocks (plan, segment);
  for (guint i = 0; i < segment->n_blocks && !kymo_ask_is_stopped (ask, i); i++)
    {
      gint64 begin_ns = kymo_segment_block_begin (segment, i);
      gint64 block_end_ns = kymo_segment_block_end (segment, i);
      guint32 activity = segment->block_activity[i];

      if (begin_ns >= end_ns)
        break;
      if (plan->kinds[activity] == CALL_NONE || begin_ns < outer_end_ns)
        continue;
      outer_end_ns = block_end_ns;
      if (begin_ns >= ask->span.begin_ns)
        add_call (groups, plan->firsts[activity], block_end_ns - begin_ns, blocks.bytes[i],
                  blocks.wait_ns[i]);
    }
  g_free (blocks.bytes);
  g_free (blocks.wait_ns);
  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, NULL, &group))
    close_row (group, segment->location);
}

static void
call_quantiles_merge (const KymoAsk *ask,
                      gpointer       a,
                      gpointer       b)
{
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, b);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    {
      const Group *from = data;
      Group *into = find_group (a, from->key);

      into->bytes = kymo_saturating_add (into->bytes, from->bytes);
      into->own_ns = kymo_saturating_add (into->own_ns, from->own_ns);
      into->wait_ns = kymo_saturating_add (into->wait_ns, from->wait_ns);
      g_array_append_vals (into->lengths, from->lengths->data, from->lengths->len);
      into->n_before = into->lengths->len;
      /* Of two rows that are equally quick the first one is told, whichever thread saw it. */
      if (from->row_p10_ns >= 0
          && (into->row_p10_ns < 0 || from->row_p10_ns < into->row_p10_ns
              || (from->row_p10_ns == into->row_p10_ns && from->row < into->row)))
        {
          into->row_p10_ns = from->row_p10_ns;
          into->row = from->row;
        }
    }
}

/* -- answer ------------------------------------------------------------------ */

static int
compare_groups (gconstpointer a,
                gconstpointer b)
{
  const Group *x = *(const Group *const *) a, *y = *(const Group *const *) b;

  KYMO_ORDER_BY (y->own_ns, x->own_ns);
  return x->key < y->key ? -1 : x->key > y->key;
}

static int
compare_lengths (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  return kymo_compare_ints (a, b);
}

static KymoTable *
new_calls (void)
{
  static const char *const texts[] = { "name", "kind", "role" };
  static const char *const numbers[] = {
    "min_bytes", "max_bytes", "calls", "own_ns", "wait_ns", "bytes", "p10_ns", "median_ns",
    "max_ns", "row_p10_ns", "location",
  };
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    kymo_table_add_column (table, texts[i], KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    kymo_table_add_column (table, numbers[i], KYMO_COLUMN_INT, 1);
  return table;
}

static void
append_group (const KymoAsk *ask,
              KymoTable     *table,
              const Group   *group)
{
  const Plan *plan = ask->plan;
  guint first = (guint) (group->key / N_CLASSES), size_class = (guint) (group->key % N_CLASSES);
  const KymoActivity *activity = kymo_run_peek_activity (ask->run, first);
  const gint64 *sorted = (gconstpointer) group->lengths->data;
  guint n = group->lengths->len;
  gint64 least = size_class == 0 ? 0 : G_GINT64_CONSTANT (1) << (size_class - 1);
  gboolean has_row = group->row_p10_ns >= 0;
  gint64 values[] = {
    least, size_class == 0 ? 0 : least + (least - 1), n, group->own_ns, group->wait_ns,
    group->bytes, quantile_of (sorted, n, 1), quantile_of (sorted, n, 5), sorted[n - 1],
    has_row ? group->row_p10_ns : KYMO_NULL_INT,
    has_row ? kymo_run_peek_location (ask->run, group->row)->id : KYMO_NULL_INT,
  };

  kymo_table_append_string (table, 0, activity->name);
  kymo_table_append_string (table, 1, kind_words[plan->kinds[first]]);
  kymo_table_append_string (table, 2, kymo_role_to_string (activity->role));
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    kymo_table_append_int (table, 3 + i, values[i]);
}

static KymoTable *
call_quantiles_conclude (const KymoAsk  *ask,
                         gpointer        groups,
                         GError        **error)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  KymoTable *table = new_calls (), *answer;
  GHashTableIter iter;
  gpointer group_data;

  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, NULL, &group_data))
    g_ptr_array_add (sorted, group_data);
  g_ptr_array_sort (sorted, compare_groups);
  for (guint i = 0; i < sorted->len; i++)
    {
      Group *group = sorted->pdata[i];

      if (!kymo_share_sort (group->lengths->data, group->lengths->len, sizeof (gint64),
                            compare_lengths, NULL, ask->n_threads, ask->cancellable))
        break;
      append_group (ask, table, group);
    }
  if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    {
      kymo_table_unref (table);
      return NULL;
    }
  answer = kymo_ask_answer_new (ask);
  kymo_table_set_table (answer, "calls", table);
  return answer;
}

/* location: the one whose quick calls are the quickest. */
static const KymoQuestionList lists[] =
{
  { "calls", "name kind role min_bytes max_bytes calls own_ns wait_ns bytes p10_ns median_ns "
    "max_ns row_p10_ns location" },
  { NULL }
};

const KymoAnswerClass kymo_answer_call_quantiles =
{
  { "call-quantiles", "Quantiles of calls",
    "how long equal calls of MPI and of input and output take, without waits",
    .requires = KYMO_CAN_INTERVALS, .lists = lists, .topic = KYMO_TOPIC_MESSAGES },
  call_quantiles_prepare, call_quantiles_release, groups_new, groups_free,
  call_quantiles_partial, call_quantiles_merge, .conclude = call_quantiles_conclude,
  .needs = KYMO_WAIT_NEEDS | KYMO_NEEDS_POINTS,
};
