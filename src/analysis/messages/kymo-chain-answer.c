/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * chain: the steps and sums of the chain of messages that a block hangs on, or of the way
 * to the last thing that it caused.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-chain.h"
#include "kymo-details.h"
#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-units.h"

#define DEFAULT_STEPS 1000
#define MOST_STEPS 10000000

typedef struct
{
  gint     index;               /* of the location */
  gint64   time_ns, limit;
  gboolean forward;
} Plan;

static gboolean
chain_answer_prepare (KymoAsk  *ask,
                      GError  **error)
{
  const char *direction = kymo_question_get (ask->question, "direction");
  Plan *plan = ask->plan = g_new0 (Plan, 1);
  gint64 location;

  if (!kymo_question_get_int (ask->question, "location", -1, &location, error)
      || !kymo_question_get_int (ask->question, "time", ask->span.begin_ns, &plan->time_ns, error)
      || !kymo_question_get_int (ask->question, "at-ns", plan->time_ns, &plan->time_ns, error)
      || !kymo_question_get_int (ask->question, "limit", DEFAULT_STEPS, &plan->limit, error))
    return FALSE;
  plan->forward = g_strcmp0 (direction, "forward") == 0;
  plan->index = kymo_run_find_location (ask->run, location);
  if (plan->index < 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("A chain begins at a block: it needs a location of the run"));
  else if (plan->limit < 0 || plan->limit > MOST_STEPS)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("The limit is no number of steps; at most %d are told"), MOST_STEPS);
  else
    return TRUE;
  return FALSE;
}

/* -- in figures ------------------------------------------------------------ */

static const char *
kind_of (const KymoAsk       *ask,
         const KymoChainStep *step)
{
  return step->kind == KYMO_CHAIN_MESSAGE ? "message" : step->kind == KYMO_CHAIN_QUEUE ? "queue"
    : kymo_ask_state_kind (ask, step->state);
}

static const KymoLocation *
location_of (const KymoAsk *ask,
             guint          index)
{
  return kymo_run_peek_location (ask->run, index);
}

static void
append_step (const KymoAsk       *ask,
             KymoTable           *table,
             const KymoChainStep *step,
             guint                number)
{
  gboolean message = step->kind == KYMO_CHAIN_MESSAGE;
  gint64 took_ns = step->end_ns - step->begin_ns;

  kymo_table_append_row (table, number, kind_of (ask, step), location_of (ask, step->location)->id,
                         location_of (ask, step->location)->label,
                         message ? location_of (ask, step->from)->id : KYMO_NULL_INT,
                         message ? location_of (ask, step->from)->label : NULL,
                         kymo_ask_state_name (ask, step->state), step->begin_ns, step->end_ns,
                         took_ns, step->kind == KYMO_CHAIN_QUEUE ? took_ns : 0,
                         message ? step->bytes : KYMO_NULL_INT,
                         ask->row_of[step->location] < 0 ? KYMO_NULL_INT
                         : ask->row_of[step->location]);
}

/* In order of time; of many those next to where the chain was asked for. */
static KymoTable *
list_steps (const KymoAsk   *ask,
            const KymoChain *chain)
{
  const Plan *plan = ask->plan;
  KymoTable *table = kymo_table_new_list ("step kind:string location label:string from_location "
                                          "from_label:string name:string begin_ns end_ns took_ns "
                                          "waited_ns bytes place");
  guint n = chain->steps->len, told = MIN (n, plan->limit);
  guint first = plan->forward ? 0 : n - told;

  for (guint i = first; i < first + told; i++)
    append_step (ask, table, &g_array_index (chain->steps, KymoChainStep, n - 1 - i), i + 1);
  return table;
}

typedef struct
{
  gint64 ns, steps;
} Sum;

/* By entry method: what its blocks took, and what its messages and queues did. */
static KymoTable *
list_activities (const KymoAsk   *ask,
                 const KymoChain *chain)
{
  g_autofree Sum *sums = g_new0 (Sum, (gsize) KYMO_N_CHAIN_KINDS * ask->n_states);
  KymoTable *table = kymo_table_new_list ("name:string kind:string ns steps message_ns queue_ns");

  for (guint i = 0; i < chain->steps->len; i++)
    {
      const KymoChainStep *step = &g_array_index (chain->steps, KymoChainStep, i);
      guint kind = step->kind == KYMO_CHAIN_OTHER ? KYMO_CHAIN_BLOCK : step->kind;
      Sum *sum = &sums[(gsize) step->state * KYMO_N_CHAIN_KINDS + kind];

      sum->ns += step->end_ns - step->begin_ns;
      sum->steps++;
    }
  for (guint i = 0; i < ask->n_states; i++)
    {
      const Sum *of = &sums[(gsize) i * KYMO_N_CHAIN_KINDS];

      if (of[KYMO_CHAIN_BLOCK].steps + of[KYMO_CHAIN_MESSAGE].steps == 0)
        continue;
      kymo_table_append_row (table, kymo_ask_state_name (ask, i), kymo_ask_state_kind (ask, i),
                             of[KYMO_CHAIN_BLOCK].ns, of[KYMO_CHAIN_BLOCK].steps,
                             of[KYMO_CHAIN_MESSAGE].ns, of[KYMO_CHAIN_QUEUE].ns);
    }
  return table;
}

static void
set_sums (KymoTable       *answer,
          const KymoChain *chain)
{
  static const char *const keys[] = { "block_ns", "message_ns", "queue_ns", "other_ns" };
  gint64 ns[KYMO_N_CHAIN_KINDS] = { 0 }, messages = 0, total_ns = 0;

  for (guint i = 0; i < chain->steps->len; i++)
    {
      const KymoChainStep *step = &g_array_index (chain->steps, KymoChainStep, i);

      ns[step->kind] += step->end_ns - step->begin_ns;
      total_ns += step->end_ns - step->begin_ns;
      messages += step->kind == KYMO_CHAIN_MESSAGE;
    }
  kymo_table_set_int (answer, "total_ns", total_ns);
  for (guint i = 0; i < KYMO_N_CHAIN_KINDS; i++)
    kymo_table_set_int (answer, keys[i], ns[i]);
  kymo_table_set_int (answer, "messages", messages);
  kymo_table_set_int (answer, "steps_in_all", chain->steps->len);
}

static const char *
end_of (const KymoChain *chain)
{
  static const char *const words[] =
    { "started", "unmatched", "uncertain", "outside", "round", "begin", "reached" };

  return words[chain->end];
}

static KymoChain *
make_chain (const KymoAsk  *ask,
            KymoSegment    *segment,
            gint            block,
            GError        **error)
{
  const Plan *plan = ask->plan;
  KymoChain *chain;

  if (ask->run->terms.code == KYMO_CODE_FUNCTION)
    return (plan->forward ? kymo_chain_forward_of_functions : kymo_chain_of_functions)
      (ask, plan->index, plan->time_ns, error);
  if (plan->forward)
    return kymo_chain_forward (ask, segment, block, error);
  chain = kymo_chain_back (ask, segment, block, kymo_segment_block_end (segment, block));
  if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    g_clear_pointer (&chain, kymo_chain_free);
  return chain;
}

/**
 * kymo_chain_set_nothing_there:
 * @location: index in the run
 *
 * Sets @error to %KYMO_ERROR_UNANSWERABLE: nothing runs at the place where a chain is to
 * begin.
 */
void
kymo_chain_set_nothing_there (const KymoAsk  *ask,
                              guint           location,
                              gint64          time_ns,
                              GError        **error)
{
  g_autofree char *when = kymo_format_duration_exact (time_ns);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("No block runs on %s at %s: a chain begins at one"),
               kymo_shown_label (location_of (ask, location)->label), when);
}

static KymoTable *
chain_answer_conclude (const KymoAsk  *ask,
                       gpointer        state,
                       GError        **error)
{
  const Plan *plan = ask->plan;
  KymoSegment *segment = kymo_ask_segment_of (ask, plan->index);
  gint block = kymo_segment_block_at (segment, plan->time_ns);
  g_autoptr (KymoChain) chain = NULL;
  KymoTable *answer;

  if (block < 0 && ask->run->terms.code != KYMO_CODE_FUNCTION)
    {
      kymo_chain_set_nothing_there (ask, plan->index, plan->time_ns, error);
      return NULL;
    }
  chain = make_chain (ask, segment, block, error);
  if (chain == NULL)
    return NULL;
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_int (answer, "location", location_of (ask, plan->index)->id);
  kymo_table_set_string (answer, "label", location_of (ask, plan->index)->label);
  kymo_table_set_int (answer, "time_ns", plan->time_ns);
  kymo_table_set_string (answer, "direction", plan->forward ? "forward" : "back");
  kymo_table_set_string (answer, "along", ask->run->terms.code == KYMO_CODE_FUNCTION ? "waits"
                         : "messages");
  kymo_table_set_string (answer, "ended", end_of (chain));
  set_sums (answer, chain);
  if (plan->forward)
    {
      kymo_table_set_int (answer, "caused", chain->caused);
      kymo_table_set_int (answer, "caused_ns", chain->caused_ns);
    }
  kymo_table_set_table (answer, "activities", list_activities (ask, chain));
  kymo_table_set_table (answer, "steps", list_steps (ask, chain));
  return answer;
}

/* Tells total_ns = block_ns + message_ns + queue_ns + other_ns, messages, steps_in_all, ended
   (why it goes no further back), forward caused and caused_ns (all blocks that it caused), the
   lists "activities" and "steps" (in order of time; each ends where the next one begins). */
static const KymoKeyword keywords[] =
{
  { "location", KYMO_KEYWORD_INTEGER, "L", "where the block ran" },
  { "at", KYMO_KEYWORD_TIME, "T", "a time in the block" },
  { "direction", KYMO_KEYWORD_WORD, "back|forward", "to what it hangs on, or to the last thing "
    "that it caused (back)" },
  { "limit", KYMO_KEYWORD_COUNT, "N", "list the N steps nearest to the block (1000)" },
  { "time", KYMO_KEYWORD_INTEGER, "NS", "the same as --at", .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "activities", "name kind ns steps message_ns queue_ns" },
  { "steps", "step kind location label from_location from_label name begin_ns end_ns "
    "took_ns waited_ns bytes place" },
  { NULL }
};

const KymoAnswerClass kymo_answer_chain =
{
  { "chain", N_("A chain of messages"),
    "the messages that a block hangs on, or the way to what it caused", keywords,
    KYMO_CAN_INTERVALS | KYMO_CAN_MESSAGES, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES, .example = "--location 1 --at 1.2s" },
  chain_answer_prepare, kymo_ask_free_plan, kymo_answer_no_state, kymo_answer_free_nothing,
  kymo_answer_no_partial,
  kymo_answer_no_merge, .conclude = chain_answer_conclude, .in_order = TRUE,
};
