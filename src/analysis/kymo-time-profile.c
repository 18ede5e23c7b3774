/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * time-profile: time by state in equal bins, summed over locations.
 */
#include "config.h"

#include "kymo-engine.h"
#include "kymo-state-rows.h"

#define DEFAULT_BINS 100
#define MAX_BINS 1000000

typedef struct
{
  guint   n_bins;
  gint64 *edges_ns;
} Plan;

static gboolean
prepare (KymoAsk  *ask,
         GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  plan->edges_ns = kymo_ask_edges (ask, DEFAULT_BINS, MAX_BINS, &plan->n_bins, error);
  return plan->edges_ns != NULL;
}

static void
release (KymoAsk *ask)
{
  g_free (((Plan *) ask->plan)->edges_ns);
  g_free (ask->plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  return kymo_state_rows_new (ask->n_states, ((Plan *) ask->plan)->n_bins);
}

static void
partial (const KymoAsk *ask,
         gpointer       state,
         KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  KymoStateRows *rows = state;
  KymoSums sums;
  guint hint = 0;

  kymo_sums_init (&sums, ask->n_states);
  for (guint i = 0; i < plan->n_bins && !kymo_ask_is_stopped (ask, i); i++)
    {
      KymoSpan bin = { plan->edges_ns[i], plan->edges_ns[i + 1] };

      kymo_segment_sum (segment, bin, &hint, &sums);
      for (guint k = 0; k < sums.n_touched; k++)
        kymo_state_rows_get (rows, sums.touched[k])[i] += sums.ns[sums.touched[k]];
      kymo_sums_reset (&sums);
    }
  kymo_sums_clear (&sums);
}

static void
merge (const KymoAsk *ask,
       gpointer       into,
       gpointer       from)
{
  kymo_state_rows_add (into, from);
}

static KymoTable *
finish (const KymoAsk *ask,
        gpointer       state)
{
  const Plan *plan = ask->plan;
  KymoStateRows *rows = state;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_int (answer, "locations", ask->n_locations);
  kymo_ask_set_counts (ask, answer);
  kymo_table_set_ints (answer, "edges_ns", plan->edges_ns, plan->n_bins + 1);
  kymo_table_set_table (answer, "series", kymo_state_rows_to_table (rows, ask, "ns"));
  kymo_table_set_ints (answer, "idle_ns", kymo_state_rows_get (rows, KYMO_STATE_IDLE),
                       plan->n_bins);
  kymo_table_set_ints (answer, "overhead_ns", kymo_state_rows_get (rows, KYMO_STATE_OVERHEAD),
                       plan->n_bins);
  kymo_table_set_ints (answer, "untraced_ns", kymo_state_rows_get (rows, KYMO_STATE_UNTRACED),
                       plan->n_bins);
  return answer;
}

const KymoAnswerClass kymo_answer_time_profile =
{
  "time-profile", prepare, release, state_new, (GDestroyNotify) kymo_state_rows_free,
  partial, merge, finish, KYMO_NEEDS_TRACK, .requires = KYMO_CAN_BINNED_TIME,
};
