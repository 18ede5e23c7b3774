/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clocks: latencies from process to process, how many of them are negative,
 * and by how much each clock would have to be shifted so that none is. Of the
 * messages whose execution begins inside the range on the asked locations.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-clocks.h"
#include "kymo-engine.h"

static gboolean
clocks_answer_prepare (KymoAsk  *ask,
                       GError  **error)
{
  ask->plan = kymo_clocks_find_stale (ask->run, ask->n_threads, ask->cancellable);
  return TRUE;
}

static gpointer
state_new (const KymoAsk *ask)
{
  return kymo_clock_matcher_new (ask->run, ask->plan);
}

static void
state_free (gpointer state)
{
  kymo_clock_matcher_free (state);
}

static void
clocks_answer_partial (const KymoAsk *ask,
                       gpointer       state,
                       KymoSegment   *segment)
{
  kymo_clock_matcher_add (state, segment, ask->span.begin_ns, kymo_ask_count_end (ask),
                          ask->cancellable);
}

static void
clocks_answer_merge (const KymoAsk *ask,
                     gpointer       into,
                     gpointer       from)
{
  kymo_clock_matcher_merge (into, from);
}

static KymoTable *
make_pairs (const KymoRun *run,
            const GArray  *pairs)
{
  KymoTable *table = kymo_table_new_list ("from to messages negative min_latency_ns location "
                                          "begin_ns");

  for (guint i = 0; i < pairs->len; i++)
    {
      const KymoClockPair *pair = &g_array_index (pairs, KymoClockPair, i);

      kymo_table_append_row (table, pair->from, pair->to, pair->n_messages, pair->n_negative,
                             pair->min_latency_ns, kymo_run_peek_location (run, pair->location)->id,
                             pair->begin_ns);
    }
  return table;
}

static KymoTable *
make_offsets (const KymoClockEstimate *estimate)
{
  KymoTable *table = kymo_table_new_list ("process offset_ns");

  for (guint i = 0; i < estimate->offsets->len; i++)
    {
      const KymoClockOffset *entry = &g_array_index (estimate->offsets, KymoClockOffset, i);

      kymo_table_append_row (table, entry->process, entry->offset_ns);
    }
  return table;
}

static KymoTable *
clocks_answer_finish (const KymoAsk *ask,
                      gpointer       state)
{
  KymoTable *answer = kymo_ask_answer_new (ask);
  g_autoptr (GArray) pairs = kymo_clock_matcher_finish (state);
  guint n_processes;
  g_autofree gint64 *processes = kymo_run_dup_processes (ask->run, &n_processes);
  g_autoptr (KymoClockEstimate) estimate
    = kymo_clocks_estimate (processes, n_processes, pairs, ask->cancellable);
  gint64 n_messages = 0, n_negative = 0;

  for (guint i = 0; i < pairs->len; i++)
    {
      n_messages += g_array_index (pairs, KymoClockPair, i).n_messages;
      n_negative += g_array_index (pairs, KymoClockPair, i).n_negative;
    }
  kymo_table_set_int (answer, "processes", n_processes);
  kymo_table_set_int (answer, "messages", n_messages);
  kymo_table_set_int (answer, "negative", n_negative);
  kymo_table_set_bool (answer, "consistent", estimate->consistent);
  kymo_table_set_int (answer, "residual_ns", estimate->residual_ns);
  kymo_table_set_table (answer, "pairs", make_pairs (ask->run, pairs));
  kymo_table_set_table (answer, "offsets", make_offsets (estimate));
  return answer;
}

static const KymoQuestionList lists[] =
{
  { "pairs", "from to messages negative min_latency_ns location begin_ns" },
  { "offsets", "process offset_ns" },
  { NULL }
};

const KymoAnswerClass kymo_answer_clocks =
{
  { "clocks", N_("A comparison of clocks"), "whether messages arrive before they were sent",
    .requires = KYMO_CAN_MESSAGES, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES },
  clocks_answer_prepare, kymo_ask_free_plan, state_new, state_free, clocks_answer_partial,
  clocks_answer_merge, clocks_answer_finish,
};
