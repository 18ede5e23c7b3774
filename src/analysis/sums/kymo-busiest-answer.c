/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * busiest: the tables of the answer. Activities are listed by what they have of the newest
 * second, the most first.
 */
#include "config.h"

#include "kymo-busiest-private.h"

#include <math.h>

static double
share_of (KymoBusiestShare share)
{
  return share.of_ns > 0 ? (double) share.ns / share.of_ns : NAN;
}

static double
mean_of (const KymoBusiestTallies *tallies,
         const KymoBusiestTally   *tally)
{
  return share_of ((KymoBusiestShare) { tally->ns, tallies->traced_ns });
}

/* It had no time in the steps that it was not counted in. */
static double
lowest_of (const KymoBusiestTallies *tallies,
           const KymoBusiestTally   *tally)
{
  if (tallies->n_steps == 0)
    return NAN;
  return tally->n_steps < tallies->n_steps ? 0 : share_of (tally->lowest);
}

static double
highest_of (const KymoBusiestTallies *tallies,
            const KymoBusiestTally   *tally)
{
  if (tallies->n_steps == 0)
    return NAN;
  return tally->n_steps > 0 ? share_of (tally->highest) : 0;
}

typedef struct
{
  const KymoAsk            *ask;
  const KymoBusiestTallies *tallies;
} Order;

static int
compare_states (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const Order *order = data;
  guint32 s = *(const guint32 *) a, t = *(const guint32 *) b;
  const KymoBusiestTally *x = &order->tallies->of[s], *y = &order->tallies->of[t];
  int by_name;

  if (kymo_busiest_is_less (x->now, y->now) || kymo_busiest_is_less (y->now, x->now))
    return kymo_busiest_is_less (y->now, x->now) ? -1 : 1;
  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  by_name = g_strcmp0 (kymo_ask_state_name (order->ask, s), kymo_ask_state_name (order->ask, t));
  return by_name != 0 ? by_name : (s > t) - (s < t);
}

static KymoTable *
list_activities (const KymoAsk            *ask,
                 const KymoBusiestTallies *tallies)
{
  KymoTable *table = kymo_table_new_list ("id name:string now:double mean:double lowest:double "
                                          "highest:double ns");
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (guint32));
  Order order = { ask, tallies };

  for (guint32 s = KYMO_STATE_ACTIVITY; s < ask->n_states; s++)
    if (tallies->of[s].ns > 0)
      g_array_append_val (states, s);
  g_array_sort_with_data (states, compare_states, &order);
  for (guint i = 0; i < states->len; i++)
    {
      guint32 state = g_array_index (states, guint32, i);
      const KymoBusiestTally *tally = &tallies->of[state];

      kymo_table_append_row (table, kymo_ask_state_id (ask, state),
                             kymo_ask_state_name (ask, state), share_of (tally->now),
                             mean_of (tallies, tally), lowest_of (tallies, tally),
                             highest_of (tallies, tally), tally->ns);
    }
  return table;
}

static KymoTable *
four_shares (double now,
             double mean,
             double lowest,
             double highest,
             gint64 ns)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_double (table, "now", now);
  kymo_table_set_double (table, "mean", mean);
  kymo_table_set_double (table, "lowest", lowest);
  kymo_table_set_double (table, "highest", highest);
  kymo_table_set_int (table, "ns", ns);
  return table;
}

static double
left_of (double share)
{
  return isnan (share) ? NAN : MAX (1 - share, 0);
}

/* Idle time and overhead are what busy time leaves. */
static void
set_busy (const KymoAsk            *ask,
          const KymoBusiestTallies *tallies,
          KymoTable                *answer)
{
  const KymoBusiestTally *busy = &tallies->of[ask->n_states];
  double now = share_of (busy->now), mean = mean_of (tallies, busy);
  double lowest = lowest_of (tallies, busy), highest = highest_of (tallies, busy);

  kymo_table_set_table (answer, "busy", four_shares (now, mean, lowest, highest, busy->ns));
  kymo_table_set_table (answer, "rest", four_shares (
    left_of (now), left_of (mean), left_of (highest), left_of (lowest),
    MAX (tallies->traced_ns - busy->ns, 0)));
}

/**
 * kymo_busiest_make_answer:
 * @steps: of the range, or of the whole stream
 * @tallies: over these steps
 *
 * Returns: (transfer full): the answer of kind busiest
 */
KymoTable *
kymo_busiest_make_answer (const KymoAsk            *ask,
                          const KymoBusiestSteps   *steps,
                          const KymoBusiestTallies *tallies)
{
  KymoTable *answer = kymo_ask_answer_new (ask);
  gboolean any = tallies->newest >= 0;
  KymoSpan now = any ? kymo_busiest_span_of_step (steps, tallies->newest) : (KymoSpan) { 0, 0 };

  kymo_table_set_int (answer, "step_ns", steps->step_ns);
  kymo_table_set_int (answer, "steps", tallies->n_steps);
  kymo_table_set_int (answer, "now_begin_ns", any ? now.begin_ns : KYMO_NULL_INT);
  kymo_table_set_int (answer, "now_end_ns", any ? now.end_ns : KYMO_NULL_INT);
  kymo_table_set_int (answer, "traced_ns", tallies->traced_ns);
  kymo_ask_set_counts (ask, answer);
  set_busy (ask, tallies, answer);
  kymo_table_set_table (answer, "activities", list_activities (ask, tallies));
  return answer;
}
