/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * critical-path: the path in figures: sums by entry method and by location, and
 * its longest steps. A path may have as many steps as a run has blocks, so
 * that no more of them are kept than were asked for.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-critical-path.h"
#include "kymo-engine.h"

#include "kymo-error.h"

#define DEFAULT_STEPS 1000
#define MOST_STEPS 10000000

typedef struct
{
  gint64 ns;
  gint64 steps;
} Sum;

/** Joined: one step of a part, or several short ones at the place of the longest */
typedef struct
{
  KymoPathStep step;
  guint        n;
} Joined;

typedef struct
{
  gint64   limit;
  gboolean has_part;
  KymoSpan part;                /* steps in it are told for a picture */
  gint64   column_ns;           /* shorter ones are joined to so much */
} Plan;

typedef struct
{
  const Plan   *plan;
  GArray       *part;           /* Joined, the last one first */
  KymoPathStep  longest;        /* of those that are being joined */
  gint64        joined_begin_ns, joined_end_ns;
  guint         n_joined;
  guint  most;
  GArray *steps;                /* KymoPathStep: the longest, and up to twice as many */
  Sum    *by_state;             /* and one more: messages */
  Sum    *by_location;          /* of the run; without messages */
  Sum    *to_location;          /* messages */
  guint   n_states;
  gint64  n_steps;
} State;

static gboolean
critical_path_answer_prepare (KymoAsk  *ask,
                              GError  **error)
{
  Plan *plan = ask->plan = g_new0 (Plan, 1);

  plan->has_part = kymo_question_get (ask->question, "part-begin") != NULL;
  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_STEPS, &plan->limit, error)
      || !kymo_question_get_int (ask->question, "part-begin", 0, &plan->part.begin_ns, error)
      || !kymo_question_get_int (ask->question, "part-end", 0, &plan->part.end_ns, error)
      || !kymo_question_get_int (ask->question, "column", 1, &plan->column_ns, error))
    return FALSE;
  if (plan->limit < 0 || plan->limit > MOST_STEPS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("The limit is no number of steps; at most %d are told"), MOST_STEPS);
      return FALSE;
    }
  return TRUE;
}

/* The walk is one thread's work: the engine's workers have none. */
static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);
  guint n = ask->run->locations->len;

  state->plan = ask->plan;
  state->part = g_array_new (FALSE, FALSE, sizeof (Joined));
  state->most = state->plan->limit;
  state->n_states = ask->n_states;
  state->steps = g_array_new (FALSE, FALSE, sizeof (KymoPathStep));
  state->by_state = g_new0 (Sum, ask->n_states + 1);
  state->by_location = g_new0 (Sum, MAX (n, 1));
  state->to_location = g_new0 (Sum, MAX (n, 1));
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  g_array_unref (state->steps);
  g_array_unref (state->part);
  g_free (state->by_state);
  g_free (state->by_location);
  g_free (state->to_location);
  g_free (state);
}

/* -- the path -------------------------------------------------------------- */

static int
compare_lengths (gconstpointer a,
                 gconstpointer b)
{
  const KymoPathStep *x = a, *y = b;
  gint64 left = x->end_ns - x->begin_ns, right = y->end_ns - y->begin_ns;

  if (left != right)
    return left > right ? -1 : 1;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static int
compare_begins (gconstpointer a,
                gconstpointer b)
{
  const KymoPathStep *x = a, *y = b;

  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static void
drop_short_steps (State *state)
{
  if (state->steps->len <= state->most)
    return;
  g_array_sort (state->steps, compare_lengths);
  g_array_set_size (state->steps, state->most);
}

static void
add_critical_path_answer (Sum    *sum,
                          gint64  ns)
{
  sum->ns += ns;
  sum->steps++;
}

static void
end_joined (State *state)
{
  Joined joined = { state->longest, state->n_joined };

  if (state->n_joined == 0)
    return;
  joined.step.begin_ns = state->joined_begin_ns;
  joined.step.end_ns = state->joined_end_ns;
  g_array_append_val (state->part, joined);
  state->n_joined = 0;
}

/* Steps come with falling times. One that is longer than a column stands for itself. */
static void
add_to_part (State              *state,
             const KymoPathStep *step)
{
  const Plan *plan = state->plan;
  gint64 ns = step->end_ns - step->begin_ns;

  if (step->end_ns < plan->part.begin_ns || step->begin_ns >= plan->part.end_ns)
    return;
  if (ns >= plan->column_ns)
    end_joined (state);
  if (state->n_joined == 0)
    {
      state->longest = *step;
      state->joined_end_ns = step->end_ns;
    }
  else if (ns > state->longest.end_ns - state->longest.begin_ns)
    state->longest = *step;
  state->joined_begin_ns = step->begin_ns;
  state->n_joined++;
  if (state->joined_end_ns - state->joined_begin_ns >= plan->column_ns)
    end_joined (state);
}

static void
on_step (const KymoPathStep *step,
         gpointer            data)
{
  State *state = data;
  gint64 ns = step->end_ns - step->begin_ns;
  gboolean message = step->state == KYMO_PATH_MESSAGE;

  state->n_steps++;
  if (state->plan->has_part)
    add_to_part (state, step);
  add_critical_path_answer (&state->by_state[message ? state->n_states : step->state], ns);
  add_critical_path_answer (message ? &state->to_location[step->location]
                            : &state->by_location[step->location], ns);
  g_array_append_vals (state->steps, step, 1);
  if (state->steps->len >= 2 * (guint64) state->most + 1024)
    drop_short_steps (state);
}

/* -- the answer ------------------------------------------------------------ */

static gint64
id_of (const KymoAsk *ask,
       guint32        state)
{
  return state == KYMO_PATH_MESSAGE ? KYMO_NULL_INT : kymo_ask_state_id (ask, state);
}

static const char *
name_of (const KymoAsk *ask,
         guint32        state)
{
  return state == KYMO_PATH_MESSAGE ? "Message" : kymo_ask_state_name (ask, state);
}

static const char *
kind_of (const KymoAsk *ask,
         guint32        state)
{
  return state == KYMO_PATH_MESSAGE ? "message" : kymo_ask_state_kind (ask, state);
}

static KymoTable *
list_steps (const KymoAsk *ask,
            State         *state)
{
  KymoTable *table = kymo_table_new_list ("location begin_ns end_ns id name:string kind:string");

  drop_short_steps (state);
  g_array_sort (state->steps, compare_begins);
  for (guint i = 0; i < state->steps->len; i++)
    {
      const KymoPathStep *step = &g_array_index (state->steps, KymoPathStep, i);

      kymo_table_append_row (table, kymo_run_peek_location (ask->run, step->location)->id,
                             step->begin_ns, step->end_ns, id_of (ask, step->state),
                             name_of (ask, step->state), kind_of (ask, step->state));
    }
  return table;
}

static KymoTable *
list_part (const KymoAsk *ask,
           State         *state)
{
  static const char *const ints[] = { "location", "place", "begin_ns", "end_ns", "steps" };
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);

  end_joined (state);
  for (guint i = 0; i < G_N_ELEMENTS (ints); i++)
    kymo_table_add_column (table, ints[i], KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  for (guint i = state->part->len; i-- > 0;)
    {
      const Joined *joined = &g_array_index (state->part, Joined, i);
      const KymoPathStep *step = &joined->step;
      gint row = ask->row_of[step->location];

      kymo_table_append_row (table, kymo_run_peek_location (ask->run, step->location)->id,
                             row < 0 ? KYMO_NULL_INT : row, step->begin_ns, step->end_ns, joined->n,
                             kind_of (ask, step->state), name_of (ask, step->state));
    }
  return table;
}

/* Of each state that is on the path, messages last. */
static KymoTable *
list_activities (const KymoAsk *ask,
                 const State   *state)
{
  KymoTable *table = kymo_table_new_list ("id name:string kind:string path_ns steps");

  for (guint i = 0; i <= state->n_states; i++)
    {
      guint32 s = i < state->n_states ? i : KYMO_PATH_MESSAGE;

      if (state->by_state[i].steps == 0)
        continue;
      kymo_table_append_row (table, id_of (ask, s), name_of (ask, s), kind_of (ask, s),
                             state->by_state[i].ns, state->by_state[i].steps);
    }
  return table;
}

static KymoTable *
list_locations (const KymoAsk *ask,
                const State   *state)
{
  KymoTable *table = kymo_table_new_list ("location label:string path_ns steps message_ns");

  for (guint i = 0; i < ask->run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (ask->run, i);

      if (state->by_location[i].steps == 0 && state->to_location[i].steps == 0)
        continue;
      kymo_table_append_row (table, location->id, location->label, state->by_location[i].ns,
                             state->by_location[i].steps, state->to_location[i].ns);
    }
  return table;
}

static void
set_sums (KymoTable   *answer,
          const State *state)
{
  gint64 busy_ns = 0;

  for (guint i = KYMO_STATE_ACTIVITY; i < state->n_states; i++)
    busy_ns += state->by_state[i].ns;
  kymo_table_set_int (answer, "busy_ns", busy_ns);
  kymo_table_set_int (answer, "overhead_ns", state->by_state[KYMO_STATE_OVERHEAD].ns);
  kymo_table_set_int (answer, "idle_ns", state->by_state[KYMO_STATE_IDLE].ns);
  kymo_table_set_int (answer, "untraced_ns", state->by_state[KYMO_STATE_UNTRACED].ns);
  kymo_table_set_int (answer, "message_ns", state->by_state[state->n_states].ns);
  kymo_table_set_int (answer, "messages", state->by_state[state->n_states].steps);
  kymo_table_set_int (answer, "steps_in_all", state->n_steps);
}

static KymoTable *
critical_path_answer_conclude (const KymoAsk  *ask,
                               gpointer        data,
                               GError        **error)
{
  State *state = data;
  gint64 end_ns = kymo_critical_path_walk (ask, on_step, state, error);
  KymoTable *answer;

  if (end_ns == KYMO_NO_PATH)
    return NULL;
  answer = kymo_ask_answer_new (ask);
  kymo_table_set_int (answer, "path_end_ns", end_ns);
  kymo_table_set_int (answer, "path_ns", end_ns - ask->span.begin_ns);
  set_sums (answer, state);
  kymo_table_set_table (answer, "activities", list_activities (ask, state));
  kymo_table_set_table (answer, "locations", list_locations (ask, state));
  kymo_table_set_table (answer, "steps", list_steps (ask, state));
  if (state->plan->has_part)
    kymo_table_set_table (answer, "part", list_part (ask, state));
  return answer;
}

static const KymoKeyword keywords[] =
{
  { "limit", KYMO_KEYWORD_COUNT, "N", "list the N longest steps (1000)" },
  { "part-begin", KYMO_KEYWORD_INTEGER, "NS", "with part-end: \"part\", the steps of that part of "
    "its time in order, for a picture", .internal = TRUE },
  { "part-end", KYMO_KEYWORD_INTEGER, "NS", "end of the part", .internal = TRUE },
  { "column", KYMO_KEYWORD_INTEGER, "NS", "shorter steps of the part are joined to columns of "
    "this length, at the place of the longest (1)", .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "activities", "id name kind path_ns steps", TRUE },
  { "locations", "location label path_ns steps message_ns", TRUE },
  { "steps", "location begin_ns end_ns id name kind", TRUE },
  { "part", "location place begin_ns end_ns steps kind name" },
  { NULL }
};

const KymoAnswerClass kymo_answer_critical_path =
{
  { "critical-path", N_("The critical path"), "the chain of blocks and messages that ends last",
    keywords, KYMO_CAN_INTERVALS | KYMO_CAN_MESSAGES, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES },
  critical_path_answer_prepare, kymo_ask_free_plan, state_new, state_free,
  kymo_answer_no_partial, kymo_answer_no_merge,
  .conclude = critical_path_answer_conclude, .needs = KYMO_PATH_NEEDS, .in_order = TRUE,
};
