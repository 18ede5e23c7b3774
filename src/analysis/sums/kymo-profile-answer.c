/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * profile: the sums of kymo-profile.c as an answer.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-profile.h"

#include "kymo-keywords.h"

static gpointer
state_new (const KymoAsk *ask)
{
  KymoProfileState *state
    = kymo_profile_state_new (ask, kymo_question_get_flag (ask->question, "per-location"));

  if (ask->plan != NULL)
    state->wait_ns = g_new0 (gint64, ask->n_states);
  return state;
}

static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  return kymo_profile_needs (ask, segment) | kymo_profile_wait_needs (ask);
}

static void
profile_answer_partial (const KymoAsk *ask,
                        gpointer       state,
                        KymoSegment   *segment)
{
  kymo_profile_partial (ask, state, segment);
  kymo_profile_add_waits (ask, state, segment);
}

typedef struct
{
  KymoTable *table, *values;    /* values: counters of one activity */
  guint      counters;
  gboolean   has_error;
  guint      error, wait, told_role;
} ActivityTable;

static ActivityTable
activity_table_new (const KymoAsk *ask,
                    guint          n_metrics)
{
  ActivityTable t = { kymo_table_new (KYMO_STYLE_OBJECTS) };

  kymo_table_add_columns (t.table, "id name:string group:string kind:string role:string blocks "
                                   "calls exclusive_ns inclusive_ns share:double mean_ns min_ns "
                                   "max_ns longest_location longest_begin_ns signature:string");
  t.has_error = kymo_ask_has_errors (ask);
  if (t.has_error)
    t.error = kymo_table_add_column (t.table, "error", KYMO_COLUMN_DOUBLE, 1);
  if (kymo_question_get_flag (ask->question, "told-roles"))
    t.told_role = kymo_table_add_column (t.table, "told_role", KYMO_COLUMN_STRING, 1);
  if (ask->plan != NULL)
    t.wait = kymo_table_add_column (t.table, "wait_ns", KYMO_COLUMN_INT, 1);
  if (n_metrics > 0)
    {
      t.values = kymo_table_new (KYMO_STYLE_FLAT);
      kymo_counts_add_column (ask->run, t.values, "value");
      t.counters = kymo_table_add_nested (t.table, "counters", t.values);
    }
  return t;
}

/* Of extrapolated blocks the count is in millionths. */
static gint64
mean_of (const KymoAsk          *ask,
         const KymoActivitySums *sums)
{
  gint64 one = ask->weights != NULL ? KYMO_WEIGHT_ONE : 1;

  return (gint64) ((__int128) sums->length_ns * one / sums->blocks);
}

/**
 * kymo_profile_peek_error:
 * @state: number of a state
 *
 * Returns: (nullable): what was measured of the state when the run was reduced; %NULL where nothing
 *   was, and of activities that are no entry methods
 */
const KymoReductionError *
kymo_profile_peek_error (const KymoAsk *ask,
                         guint32        state)
{
  static const gint64 others[] =
    { KYMO_REDUCTION_OVERHEAD, KYMO_REDUCTION_IDLE, KYMO_REDUCTION_UNTRACED };
  const KymoActivity *activity = state >= KYMO_STATE_ACTIVITY
    ? kymo_run_peek_activity (ask->run, state - KYMO_STATE_ACTIVITY) : NULL;

  if (activity != NULL && (activity->kind != KYMO_ACTIVITY_ENTRY || activity->id < 0))
    return NULL;
  return kymo_reduction_find_error (ask->run->reduction,
                                    activity != NULL ? activity->id : others[state]);
}

/* Estimated over true time less 1, as it was measured when the run was reduced;
   not of what took no time. */
static double
error_of (const KymoAsk *ask,
          guint32        state)
{
  const KymoReductionError *error = kymo_profile_peek_error (ask, state);

  return error != NULL && error->true_ns > 0
    ? (double) error->estimated_ns / (double) error->true_ns - 1 : NAN;
}

static void
append_activity (ActivityTable          *t,
                 const KymoAsk          *ask,
                 guint32                 state,
                 const KymoActivitySums *sums,
                 gint64                  span_ns)
{
  const KymoActivity *activity = state >= KYMO_STATE_ACTIVITY
    ? kymo_run_peek_activity (ask->run, state - KYMO_STATE_ACTIVITY) : NULL;
  const char *name = kymo_ask_state_name (ask, state);
  gboolean has_blocks = sums->blocks > 0;
  gboolean has_shortest = has_blocks && sums->shortest_ns >= 0;
  gboolean has_longest = has_blocks && sums->longest_ns >= 0;
  gboolean is_stream = ask->run->kind == KYMO_RUN_STREAM;
  /* The stream of a recorded job has functions. */
  gboolean is_entry = activity != NULL && (activity->kind == KYMO_ACTIVITY_ENTRY || is_stream);
  gboolean is_draft = ask->run->draft != NULL;
  gboolean is_summed = (is_entry && kymo_run_is_binned (ask->run)) || is_draft;
  gboolean is_unknown = (is_summed && is_entry && (activity->id < 0 || is_stream)) || is_draft;
  gint64 inclusive_ns = activity != NULL ? sums->inclusive_ns : sums->exclusive_ns;

  kymo_table_append_row (t->table, kymo_ask_state_id (ask, state), name,
                         activity != NULL ? activity->group : "", kymo_ask_state_kind (ask, state),
                         activity != NULL ? kymo_role_to_string (activity->role) : NULL,
                         is_unknown ? KYMO_NULL_INT : kymo_ask_round (ask, sums->blocks),
                         is_unknown ? KYMO_NULL_INT : kymo_ask_round (ask, sums->calls),
                         sums->exclusive_ns, is_summed ? KYMO_NULL_INT : inclusive_ns,
                         span_ns > 0 ? (double) sums->exclusive_ns / (double) span_ns : NAN,
                         has_blocks ? mean_of (ask, sums) : KYMO_NULL_INT,
                         has_shortest ? sums->shortest_ns : KYMO_NULL_INT,
                         has_longest ? sums->longest_ns : KYMO_NULL_INT,
                         has_longest
                         ? kymo_run_peek_location (ask->run, sums->longest_location)->id
                         : KYMO_NULL_INT,
                         has_longest ? sums->longest_begin_ns : KYMO_NULL_INT,
                         activity != NULL ? activity->signature : name);
  if (t->told_role > 0)
    kymo_table_append_string (t->table, t->told_role, activity != NULL && activity->told_role >= 0
                              ? kymo_role_to_string ((KymoRole) activity->told_role) : NULL);
  if (t->has_error)
    kymo_table_append_double (t->table, t->error, error_of (ask, state));
}

static void
append_counters (const KymoAsk          *ask,
                 ActivityTable          *t,
                 const KymoProfileState *state,
                 guint32                 s)
{
  if (t->values == NULL)
    return;
  for (guint k = 0; k < state->n_metrics; k++)
    {
      gsize i = (gsize) s * state->n_metrics + k;

      kymo_counts_append (ask->run, t->values, 0, k, state->counted[i] > 0 ? state->counters[i]
                          : KYMO_NO_COUNT);
    }
  kymo_table_end_nested (t->table, t->counters);
}

static int
compare_activities (gconstpointer a,
                    gconstpointer b,
                    gpointer      data)
{
  const KymoActivitySums *sums = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  if (sums[x].exclusive_ns != sums[y].exclusive_ns)
    return sums[x].exclusive_ns > sums[y].exclusive_ns ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* Activities by exclusive time, then idle, overhead and untraced. Of a stream
   idle time is no state of its own: it is part of what overhead stands for. */
static KymoTable *
make_activities (const KymoAsk          *ask,
                 const KymoProfileState *state,
                 gint64                  span_ns)
{
  static const guint32 others[] =
    { KYMO_STATE_IDLE, KYMO_STATE_OVERHEAD, KYMO_STATE_UNTRACED };
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint32));
  ActivityTable table = activity_table_new (ask, state->n_metrics);

  for (guint32 s = KYMO_STATE_ACTIVITY; s < state->n_states; s++)
    if (state->activities[s].blocks > 0 || state->activities[s].exclusive_ns > 0
        || state->activities[s].inclusive_ns > 0)
      g_array_append_val (order, s);
  g_array_sort_with_data (order, compare_activities, state->activities);
  for (guint i = ask->run->kind == KYMO_RUN_STREAM; i < G_N_ELEMENTS (others); i++)
    g_array_append_val (order, others[i]);
  for (guint i = 0; i < order->len; i++)
    {
      guint32 s = g_array_index (order, guint32, i);

      append_activity (&table, ask, s, &state->activities[s], span_ns);
      if (state->wait_ns != NULL)
        kymo_table_append_int (table.table, table.wait, state->wait_ns[s]);
      append_counters (ask, &table, state, s);
    }
  return table.table;
}

static KymoTable *
make_locations (const KymoAsk          *ask,
                const KymoProfileState *state)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *shares = kymo_table_new_list ("id kind:string blocks exclusive_ns");
  guint id = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint label = kymo_table_add_column (table, "label", KYMO_COLUMN_STRING, 1);
  guint kind = kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  guint first = kymo_table_add_column (table, "begin_ns", KYMO_COLUMN_INT, 1);
  static const char *const keys[] = { "end_ns", "busy_ns" };
  static const char *const last_keys[] = { "idle_ns", "overhead_ns", "untraced_ns" };
  const char *works[KYMO_N_WORK];
  guint n_works = kymo_profile_list_works (ask, works), nested, weight = 0;

  for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
    kymo_table_add_column (table, keys[k], KYMO_COLUMN_INT, 1);
  for (guint w = 0; w < n_works; w++)
    kymo_table_add_column (table, works[w], KYMO_COLUMN_INT, 1);
  for (guint k = 0; k < G_N_ELEMENTS (last_keys); k++)
    kymo_table_add_column (table, last_keys[k], KYMO_COLUMN_INT, 1);
  if (ask->weights != NULL)
    weight = kymo_table_add_column (table, "weight", KYMO_COLUMN_DOUBLE, 1);
  nested = kymo_table_add_nested (table, "activities", shares);
  for (guint row = 0; row < state->n_rows && !kymo_ask_is_stopped (ask, row << 6); row++)
    {
      const KymoLocation *location = kymo_run_peek_location (ask->run, ask->locations[row]);
      const KymoLocationSums *sums = &state->locations[row];
      const gint64 values[] = { sums->span.begin_ns, sums->span.end_ns, sums->busy_ns };
      const gint64 last[] = { sums->idle_ns, sums->overhead_ns, sums->untraced_ns };
      guint column = first;

      kymo_table_append_int (table, id, location->id);
      kymo_table_append_string (table, label, location->label);
      kymo_table_append_string (table, kind, kymo_location_kind_to_string (location->kind));
      for (guint k = 0; k < G_N_ELEMENTS (values); k++)
        kymo_table_append_int (table, column++, values[k]);
      for (guint w = 0; w < n_works; w++)
        kymo_table_append_int (table, column++, sums->work_ns[w]);
      for (guint k = 0; k < G_N_ELEMENTS (last); k++)
        kymo_table_append_int (table, column++, last[k]);
      if (ask->weights != NULL)
        kymo_table_append_double (table, weight,
                                  kymo_ask_weight_of (ask, ask->locations[row])
                                  / (double) KYMO_WEIGHT_ONE);
      for (guint i = 0; sums->shares != NULL && i < sums->shares->len; i++)
        {
          const KymoLocationShare *share = &g_array_index (sums->shares, KymoLocationShare, i);

          kymo_table_append_row (shares, kymo_ask_state_id (ask, share->state),
                                 kymo_ask_state_kind (ask, share->state),
                                 ask->run->draft != NULL ? KYMO_NULL_INT : share->blocks,
                                 share->exclusive_ns);
        }
      kymo_table_end_nested (table, nested);
    }
  return table;
}

/* Packing, unpacking and flushing; a summary may not know them. */
static void
set_stretches (const KymoAsk          *ask,
               KymoTable              *answer,
               const KymoProfileState *state)
{
  static const char *const keys[] = { "pack_ns", "unpack_ns", "flush_ns" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gboolean unknown = ask->run->draft != NULL
        || (i == KYMO_STRETCH_FLUSH ? kymo_run_is_binned (ask->run)
            : state->packing_unknown);

      kymo_table_set_int (answer, keys[i], unknown ? KYMO_NULL_INT : state->stretch_ns[i]);
    }
}

static KymoTable *
profile_answer_finish (const KymoAsk *ask,
                       gpointer       data)
{
  const KymoProfileState *state = data;
  KymoTable *answer = kymo_ask_answer_new (ask);
  gint64 span_ns = kymo_profile_total (ask, state, FALSE).span.end_ns;

  kymo_ask_set_counts (ask, answer);
  kymo_profile_set_times (ask, answer, state, FALSE);
  set_stretches (ask, answer, state);
  kymo_table_set_table (answer, "metrics", kymo_metrics_of_run (ask->run));
  kymo_table_set_table (answer, "activities", make_activities (ask, state, span_ns));
  if (state->with_shares)
    kymo_table_set_table (answer, "per_location", make_locations (ask, state));
  return answer;
}

static const KymoKeyword keywords[] =
{
  KYMO_KEYWORD_EXTRAPOLATE,
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORDS_OF_PATHS,
  { "per-location", KYMO_KEYWORD_FLAG, NULL, "also the figures of each location" },
  /* A person who reads it once has the time. */
  { "waits", KYMO_KEYWORD_FLAG, NULL, "wait_ns of each activity, if the run tells it",
    .value = 1, .internal = TRUE },
  { "factors", KYMO_KEYWORD_FLAG, NULL, "serialization and transfer, if the run tells them",
    .value = 1, .internal = TRUE },
  { "told-roles", KYMO_KEYWORD_FLAG, NULL, "told_role: the role that the files give, or null",
    .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "activities", "id name group kind role blocks calls exclusive_ns inclusive_ns share "
    "mean_ns min_ns max_ns longest_location longest_begin_ns signature told_role "
    "n_present shown wait_ns", TRUE },
  { "per_location", "location label kind begin_ns end_ns busy_ns useful_ns communication_ns "
    "waiting_ns io_ns runtime_ns idle_ns overhead_ns untraced_ns weight" },
  { "per_location.activities", "id kind blocks exclusive_ns calls subroutines exclusive "
    "inclusive" },
  { "activities.calls", "total mean mean_present min max stddev" },
  { "activities.subroutines", "total mean mean_present min max stddev" },
  { "activities.exclusive", "total mean mean_present min max stddev" },
  { "activities.inclusive", "total mean mean_present min max stddev" },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_profile =
{
  { "profile", N_("A profile"), "the time of every entry method", keywords, KYMO_CAN_PROFILE,
    .lists = lists,
    .topic = KYMO_TOPIC_CODE, .example = "--from 1s --to 2s" },
  kymo_profile_prepare, kymo_profile_release, state_new, (GDestroyNotify) kymo_profile_state_free,
  profile_answer_partial, kymo_profile_merge, profile_answer_finish, .needs_of = needs_of,
  .weigh = kymo_profile_weigh,
};
