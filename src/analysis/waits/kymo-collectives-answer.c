/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collectives: what locations did together, who came last, and how long the others
 * waited for it. One counts where its last member came, whole, so that neighbouring
 * ranges add up; where locations are asked for, those that one of them takes part in,
 * and the waiting of these alone.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"
#include "kymo-order.h"

#include "kymo-error.h"
#include "kymo-share.h"
#include "kymo-timeline-collectives.h"

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
collectives_answer_prepare (KymoAsk  *ask,
                            GError  **error)
{
  Plan *plan;
  gint64 limit;

  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_LIMIT, &limit, error))
    return FALSE;
  if (limit < 0 || limit > MOST_LIMIT)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("The limit is no number of collectives; at most %d are told"), MOST_LIMIT);
      return FALSE;
    }
  plan = ask->plan = g_new0 (Plan, 1);
  plan->limit = limit;
  plan->ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));
  plan->sums = g_array_new (FALSE, FALSE, sizeof (Sum));
  return TRUE;
}

static void
collectives_answer_release (KymoAsk *ask)
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

/* Waiting of each collective operation; the workers share them out. */
typedef struct
{
  const KymoAsk         *ask;
  const KymoCollectives *all;
  guint                  first;         /* of the list: those in the range begin here */
  gint64                *wait_ns;       /* of each; -1 without a location that was asked for */
} Waiting;

/* The waiting of the locations asked for. */
static void
sum_waits (gpointer data,
           guint    i)
{
  Waiting *waiting = data;
  const KymoAsk *ask = waiting->ask;
  const KymoCollectives *all = waiting->all;
  const KymoCollective *collective = &g_array_index (all->list, KymoCollective,
                                                     waiting->first + i);
  g_autofree guint *late = NULL;
  gint64 sum_ns = 0;
  gboolean asked = FALSE;

  if (ask->n_locations == ask->run->locations->len)
    {
      waiting->wait_ns[i] = collective->wait_ns;
      return;
    }
  late = g_new (guint, collective->n_members);
  kymo_collective_find_late (all, collective, late);
  for (guint m = 0; m < collective->n_members; m++)
    if (ask->row_of[kymo_collective_member (all, collective, m)->location] >= 0)
      {
        asked = TRUE;
        sum_ns = kymo_saturating_add (
          sum_ns, kymo_collective_wait (kymo_collective_member (all, collective, m),
                                        kymo_collective_member (all, collective, late[m])));
      }
  waiting->wait_ns[i] = asked ? sum_ns : -1;
}

#define N_KINDS (KYMO_COLLECTIVE_OTHER + 1)

/* Of one function and kind: in MPI_Wait several kinds may end.
   @of: by first activity of the name and kind: index in sums + 1, or 0 */
static Sum *
find_sum (GArray               *sums,
          const guint          *names,
          guint                *of,
          const KymoCollective *collective)
{
  guint *index = &of[(gsize) names[collective->activity] * N_KINDS + collective->kind];
  Sum fresh = { .activity = collective->activity, .kind = collective->kind };

  if (*index == 0)
    {
      g_array_append_val (sums, fresh);
      *index = sums->len;
    }
  return &g_array_index (sums, Sum, *index - 1);
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
collect_collectives_answer (const KymoAsk         *ask,
                            const KymoCollectives *all)
{
  Plan *plan = ask->plan;
  g_autofree guint *names = kymo_ask_new_firsts (ask->run);
  g_autofree guint *of = g_new0 (guint, (gsize) MAX (ask->run->activities->len, 1) * N_KINDS);
  guint first = kymo_collectives_find (all, ask->span.begin_ns);
  guint n = kymo_collectives_find (all, kymo_ask_count_end (ask)) - first;
  g_autofree gint64 *wait_ns = g_new (gint64, MAX (n, 1));
  Waiting waiting = { ask, all, first, wait_ns };

  if (!kymo_share_out (n, ask->n_threads, sum_waits, &waiting, ask->cancellable))
    return;
  for (guint i = 0; i < n && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoCollective *collective = &g_array_index (all->list, KymoCollective, first + i);
      Ranked ranked = { first + i, wait_ns[i] };

      if (ranked.wait_ns < 0)
        continue;
      g_array_append_val (plan->ranked, ranked);
      add_to_sum (find_sum (plan->sums, names, of, collective), collective, ranked.wait_ns);
    }
}

static int
compare_ranked (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const Ranked *x = a, *y = b;

  return kymo_collective_order (x->wait_ns, x->index, y->wait_ns, y->index);
}

static int
compare_sums (gconstpointer a,
              gconstpointer b)
{
  const Sum *x = a, *y = b;

  KYMO_ORDER_BY (y->wait_ns, x->wait_ns);
  KYMO_ORDER_BY (x->activity, y->activity);
  return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static gint64
known_bytes (gint64 bytes)
{
  return bytes >= 0 ? bytes : KYMO_NULL_INT;
}

static KymoTable *
list_names (const KymoAsk *ask)
{
  Plan *plan = ask->plan;
  KymoTable *table = kymo_table_new_list ("name:string kind:string count members wait_ns "
                                          "max_wait_ns sent_bytes received_bytes");

  g_array_sort (plan->sums, compare_sums);
  for (guint i = 0; i < plan->sums->len; i++)
    {
      const Sum *sum = &g_array_index (plan->sums, Sum, i);

      kymo_table_append_row (table, kymo_run_peek_activity (ask->run, sum->activity)->name,
                             kymo_collective_kind_to_string (sum->kind), sum->count, sum->members,
                             sum->wait_ns, sum->longest_ns, known_bytes (sum->sent),
                             known_bytes (sum->received));
    }
  return table;
}

static void
append_collective (const KymoAsk         *ask,
                   const KymoCollectives *all,
                   KymoTable             *table,
                   const Ranked          *ranked)
{
  const KymoCollective *collective = &g_array_index (all->list, KymoCollective, ranked->index);
  const KymoCollectiveMember *last = kymo_collective_member (all, collective, collective->last);
  const KymoLocation *location = kymo_run_peek_location (ask->run, last->location);

  kymo_table_append_row (table, kymo_run_peek_activity (ask->run, collective->activity)->name,
                         kymo_collective_kind_to_string (collective->kind),
                         collective->span.begin_ns, collective->span.end_ns, collective->n_members,
                         location->id, location->label, last->begin_ns, ranked->wait_ns,
                         collective->root >= 0
                         ? kymo_run_peek_location (ask->run, collective->root)->id : KYMO_NULL_INT,
                         known_bytes (collective->sent_bytes),
                         known_bytes (collective->received_bytes));
}

static KymoTable *
list_collectives (const KymoAsk         *ask,
                  const KymoCollectives *all)
{
  Plan *plan = ask->plan;
  KymoTable *table = kymo_table_new_list ("name:string kind:string begin_ns end_ns n_members last "
                                          "last_label:string last_begin_ns wait_ns root "
                                          "sent_bytes received_bytes");

  for (guint i = 0; i < MIN (plan->ranked->len, plan->limit); i++)
    append_collective (ask, all, table, &g_array_index (plan->ranked, Ranked, i));
  return table;
}

static KymoTable *
collectives_answer_conclude (const KymoAsk  *ask,
                             gpointer        state,
                             GError        **error)
{
  static const KymoCollectives none;
  const KymoCollectives *all = kymo_run_peek_collectives (ask->run, ask->n_threads,
                                                          ask->cancellable);
  Plan *plan = ask->plan;
  KymoTable *answer;
  gint64 wait_ns = 0;

  if (all != NULL)
    collect_collectives_answer (ask, all);
  kymo_share_sort (plan->ranked->data, plan->ranked->len, sizeof (Ranked), compare_ranked, NULL,
                   ask->n_threads, ask->cancellable);
  if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    return NULL;
  for (guint i = 0; i < plan->sums->len; i++)
    wait_ns = kymo_saturating_add (wait_ns, g_array_index (plan->sums, Sum, i).wait_ns);
  answer = kymo_ask_answer_new (ask);
  kymo_table_set_int (answer, "count", plan->ranked->len);
  kymo_table_set_int (answer, "wait_ns", wait_ns);
  kymo_table_set_bool (answer, "inferred", (all != NULL ? all : &none)->inferred);
  kymo_table_set_int (answer, "may_be_several", (all != NULL ? all : &none)->n_doubtful);
  kymo_table_set_int (answer, "left_out", (all != NULL ? all : &none)->n_left_out);
  kymo_table_set_table (answer, "names", list_names (ask));
  kymo_table_set_table (answer, "collectives", list_collectives (ask, all));
  return answer;
}

/* Collective operations of the files need no blocks; others are found among the blocks of all
   locations. */
static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  return ask->run->collectives != NULL ? KYMO_NEEDS_SUMS
    : KYMO_NEEDS_BLOCKS | KYMO_NEEDS_OF_ALL;
}

/* last is a location. Waiting is of the locations asked for, members and bytes are of all.
   inferred: from names and times; may_be_several: how many of them may be several at once, because
   the communicators are unknown. */
static const KymoKeyword keywords[] =
{
  { "limit", KYMO_KEYWORD_COUNT, "N", "list the N collectives with the longest waiting (100)" },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "names", "name kind count members wait_ns max_wait_ns sent_bytes received_bytes" },
  { "collectives", "name kind begin_ns end_ns n_members last last_label last_begin_ns "
    "wait_ns root sent_bytes received_bytes" },
  { NULL }
};

const KymoAnswerClass kymo_answer_collectives =
{
  { "collectives", N_("A list of collective operations"),
    "what ranks did together, who came last and what it cost", keywords,
    KYMO_CAN_INTERVALS | KYMO_CAN_WAITS, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES },
  collectives_answer_prepare, collectives_answer_release, state_new, state_free,
  kymo_answer_no_partial, kymo_answer_no_merge,
  .conclude = collectives_answer_conclude, .needs = KYMO_NEEDS_BLOCKS | KYMO_NEEDS_OF_ALL,
  .needs_of = needs_of,
};
