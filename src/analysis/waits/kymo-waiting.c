/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * waiting: who waited for whom (kymo-waits.h), summed up by pattern, function, call
 * path and location, and the longest single waits.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-order.h"
#include "kymo-waiting-private.h"

#include <string.h>

#include "kymo-error.h"

#define DEFAULT_WORST 100
#define MOST_WORST 100000

/* Between the functions of a path. */
#define ARROW " => "

static gboolean
read_keywords (KymoAsk         *ask,
               KymoWaitingPlan *plan,
               GError         **error)
{
  const char *kind = kymo_question_get (ask->question, "kind");
  gint64 limit;

  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_WORST, &limit, error))
    return FALSE;
  if (limit < 0 || limit > MOST_WORST)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("The limit is no number of waits; at most %d are told"), MOST_WORST);
      return FALSE;
    }
  plan->limit = (guint) limit;
  plan->with_turns = kymo_question_get_flag (ask->question, "turns");
  plan->function = kymo_question_get (ask->question, "function");
  plan->path = kymo_question_get (ask->question, "path");
  plan->kind = kind != NULL ? kymo_wait_kind_from_string (kind) : -1;
  if (kind == NULL || plan->kind >= 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” is no kind of waiting"), kind);
  return FALSE;
}

static gboolean
waiting_prepare (KymoAsk  *ask,
                 GError  **error)
{
  KymoWaitingPlan plan = { NULL };

  if (!read_keywords (ask, &plan, error))
    return FALSE;
  plan.waits = kymo_waits_peek (ask, error);
  if (plan.waits == NULL)
    return FALSE;
  ask->plan = g_memdup2 (&plan, sizeof plan);
  return TRUE;
}

static gpointer
state_new (const KymoAsk *ask)
{
  const KymoWaitingPlan *plan = ask->plan;
  KymoWaitingState *state = g_new0 (KymoWaitingState, 1);
  KymoPathNode root = { KYMO_PATH_ROOT, 0, FALSE };

  state->functions = g_new0 (KymoWaitSum, ask->run->activities->len + 1);
  state->function_kinds = g_new0 (gint64, (gsize) (ask->run->activities->len + 1)
                                  * KYMO_N_WAIT_KINDS);
  state->of = g_new0 (KymoWaitSum, (gsize) ask->n_locations * KYMO_N_WAIT_KINDS + 1);
  state->caused = g_new0 (KymoWaitSum, ask->run->locations->len + 1);
  state->pairs = kymo_pairs_new ();
  state->nodes = g_array_new (FALSE, FALSE, sizeof (KymoPathNode));
  g_array_append_val (state->nodes, root);
  state->node_of = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  state->worst = g_array_new (FALSE, FALSE, sizeof (KymoWorstWait));
  state->turns = plan->with_turns ? g_new0 (KymoTurns, ask->n_locations + 1) : NULL;
  return state;
}

static void
state_free (gpointer data)
{
  KymoWaitingState *state = data;

  g_free (state->functions);
  g_free (state->function_kinds);
  g_free (state->of);
  g_free (state->caused);
  g_hash_table_unref (state->pairs);
  g_array_unref (state->nodes);
  g_hash_table_unref (state->node_of);
  g_array_unref (state->worst);
  g_free (state->turns);
  g_free (state);
}

/* -- call paths ------------------------------------------------------------ */

static guint
node_of (KymoWaitingState *state,
         guint             parent,
         guint32           activity)
{
  gint64 key = ((gint64) parent << 32) | activity;
  gpointer known = g_hash_table_lookup (state->node_of, &key);
  KymoPathNode node = { parent, activity, -1 };

  if (known != NULL)
    return GPOINTER_TO_UINT (known);
  g_hash_table_insert (state->node_of, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (state->nodes->len));
  g_array_append_val (state->nodes, node);
  return state->nodes->len - 1;
}

/**
 * kymo_waiting_dup_path:
 * @nodes: (element-type KymoPathNode): of the tree of call paths
 * @node: index of the last function of the path
 *
 * Returns: (transfer full): "main => solve => MPI_Recv"
 */
char *
kymo_waiting_dup_path (const KymoAsk *ask,
                       const GArray  *nodes,
                       guint          node)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GString *path = g_string_new (NULL);

  for (; node != KYMO_PATH_ROOT; node = g_array_index (nodes, KymoPathNode, node).parent)
    {
      const KymoPathNode *here = &g_array_index (nodes, KymoPathNode, node);

      g_ptr_array_add (names, kymo_run_peek_activity (ask->run, here->activity)->name);
    }
  for (guint i = names->len; i-- > 0;)
    g_string_append_printf (path, "%s%s", (const char *) names->pdata[i], i > 0 ? ARROW : "");
  return g_string_free (path, FALSE);
}

static gboolean
is_wanted_path (const KymoAsk    *ask,
                KymoWaitingState *state,
                guint             node)
{
  const KymoWaitingPlan *plan = ask->plan;
  KymoPathNode *here = &g_array_index (state->nodes, KymoPathNode, node);

  if (plan->path == NULL)
    return TRUE;
  if (here->wanted < 0)
    {
      g_autofree char *path = kymo_waiting_dup_path (ask, state->nodes, node);

      here->wanted = strcmp (path, plan->path) == 0;
    }
  return here->wanted;
}

/* The blocks around the one that is walked to, by depth, and their nodes as far
   as they are known. */
typedef struct
{
  guint next;                   /* the block the walk is at */
  guint block[G_MAXUINT8 + 1];
  guint node[G_MAXUINT8 + 1];
} Path;

static void
path_init (Path              *path,
           const KymoSegment *segment,
           guint              block)
{
  guint i = block;

  while (i > 0 && segment->block_depth != NULL && segment->block_depth[i] > 0)
    i--;
  path->next = i;
  for (guint d = 0; d <= G_MAXUINT8; d++)
    path->node[d] = KYMO_PATH_ROOT;
}

static guint
path_to (Path              *path,
         KymoWaitingState  *state,
         const KymoSegment *segment,
         guint              block)
{
  guint depth = segment->block_depth != NULL ? segment->block_depth[block] : 0;
  guint parent = KYMO_PATH_ROOT;

  for (; path->next <= block; path->next++)
    {
      guint here = segment->block_depth != NULL ? segment->block_depth[path->next] : 0;

      path->block[here] = path->next;
      path->node[here] = KYMO_PATH_ROOT;
    }
  for (guint d = 0; d <= depth; d++)
    {
      if (path->node[d] == KYMO_PATH_ROOT)
        path->node[d] = node_of (state, parent, segment->block_activity[path->block[d]]);
      parent = path->node[d];
    }
  return parent;
}

/* -- sums ------------------------------------------------------------------ */

static void
add_waiting (KymoWaitSum *sum,
             gint64       ns,
             gboolean     begins)
{
  sum->ns = kymo_saturating_add (sum->ns, ns);
  sum->count += begins;
  sum->longest_ns = MAX (sum->longest_ns, ns);
}

static int
compare_worst (gconstpointer a,
               gconstpointer b)
{
  const KymoWorstWait *x = a, *y = b;

  KYMO_ORDER_BY (y->ns, x->ns);
  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  return x->location < y->location ? -1 : x->location > y->location;
}

/** kymo_waiting_drop_short: leaves the longest @limit, the longest first */
void
kymo_waiting_drop_short (KymoWaitingState *state,
                         guint             limit)
{
  g_array_sort (state->worst, compare_worst);
  if (state->worst->len > limit)
    g_array_set_size (state->worst, limit);
}

static void
keep_worst (KymoWaitingState *state,
            guint             limit,
            KymoWorstWait     wait)
{
  g_array_append_val (state->worst, wait);
  if (state->worst->len >= 2 * limit + 1024)
    kymo_waiting_drop_short (state, limit);
}

static void
add_wait (const KymoAsk     *ask,
          KymoWaitingState  *state,
          const KymoSegment *segment,
          guint              index,
          const KymoWait    *wait,
          guint              node)
{
  const KymoWaitingPlan *plan = ask->plan;
  guint row = (guint) ask->row_of[segment->location];
  KymoSpan span = kymo_span_intersect (ask->span, (KymoSpan) { wait->begin_ns,
                                                               wait->begin_ns + wait->wait_ns });
  gint64 ns = kymo_span_length (span);
  guint32 activity = segment->block_activity[wait->block];
  gint64 *kind_ns = &state->function_kinds[(gsize) activity * KYMO_N_WAIT_KINDS + wait->kind];
  gboolean begins = wait->begin_ns >= ask->span.begin_ns
    && wait->begin_ns < kymo_ask_count_end (ask);

  add_waiting (&state->kinds[wait->kind], ns, begins);
  add_waiting (&state->functions[activity], ns, begins);
  *kind_ns = kymo_saturating_add (*kind_ns, ns);
  add_waiting (&state->of[(gsize) row * KYMO_N_WAIT_KINDS + wait->kind], ns, begins);
  add_waiting (&state->caused[wait->by], ns, begins);
  kymo_pairs_add (state->pairs, &(KymoPair) {
    kymo_run_peek_location (ask->run, segment->location)->id,
    kymo_run_peek_location (ask->run, wait->by)->id, begins, ns });
  add_waiting (&g_array_index (state->nodes, KymoPathNode, node).sum, ns, begins);
  keep_worst (state, plan->limit,
              (KymoWorstWait) { segment->location, index, span.begin_ns, ns });
}

static gboolean
is_wanted (const KymoAsk     *ask,
           const KymoSegment *segment,
           const KymoWait    *wait)
{
  const KymoWaitingPlan *plan = ask->plan;
  guint32 activity = segment->block_activity[wait->block];

  return (plan->kind < 0 || (gint) wait->kind == plan->kind)
    && (plan->function == NULL
        || strcmp (kymo_run_peek_activity (ask->run, activity)->name, plan->function) == 0);
}

static void
waiting_partial (const KymoAsk *ask,
                 gpointer       data,
                 KymoSegment   *segment)
{
  const KymoWaitingPlan *plan = ask->plan;
  const GArray *waits = plan->waits->of[segment->location];
  KymoWaitingState *state = data;
  Path path = { G_MAXUINT };

  for (guint i = kymo_waits_find (waits, ask->span.begin_ns);
       i < waits->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoWait *wait = &g_array_index (waits, KymoWait, i);
      guint node;

      if (wait->begin_ns >= ask->span.end_ns)
        break;
      if (!is_wanted (ask, segment, wait))
        continue;
      if (path.next == G_MAXUINT)
        path_init (&path, segment, wait->block);
      node = path_to (&path, data, segment, wait->block);
      if (is_wanted_path (ask, data, node))
        add_wait (ask, data, segment, i, wait, node);
    }
  if (plan->with_turns)
    kymo_waits_sum_turns (ask, segment, &state->turns[ask->row_of[segment->location]]);
}

/* -- merging --------------------------------------------------------------- */

static void
merge_sum (KymoWaitSum       *into,
           const KymoWaitSum *from)
{
  into->ns = kymo_saturating_add (into->ns, from->ns);
  into->count += from->count;
  into->longest_ns = MAX (into->longest_ns, from->longest_ns);
}

static void
merge_sums (KymoWaitSum       *into,
            const KymoWaitSum *from,
            gsize              n)
{
  for (gsize i = 0; i < n; i++)
    merge_sum (&into[i], &from[i]);
}

static void
merge_paths (KymoWaitingState       *into,
             const KymoWaitingState *from)
{
  g_autofree guint *here = g_new0 (guint, from->nodes->len);

  for (guint i = 1; i < from->nodes->len; i++)
    {
      const KymoPathNode *node = &g_array_index (from->nodes, KymoPathNode, i);

      here[i] = node_of (into, here[node->parent], node->activity);
      merge_sum (&g_array_index (into->nodes, KymoPathNode, here[i]).sum, &node->sum);
    }
}

static void
merge_turns (const KymoAsk          *ask,
             KymoWaitingState       *into,
             const KymoWaitingState *from)
{
  for (guint row = 0; row < ask->n_locations; row++)
    {
      KymoTurns *sum = &into->turns[row];
      const KymoTurns *more = &from->turns[row];

      sum->n_rounds += more->n_rounds;
      sum->last_ns = kymo_saturating_add (sum->last_ns, more->last_ns);
      sum->lost_ns = kymo_saturating_add (sum->lost_ns, more->lost_ns);
    }
}

static void
waiting_merge (const KymoAsk *ask,
               gpointer       a,
               gpointer       b)
{
  KymoWaitingState *into = a, *from = b;
  const KymoWaitingPlan *plan = ask->plan;

  merge_sums (into->kinds, from->kinds, KYMO_N_WAIT_KINDS);
  merge_sums (into->functions, from->functions, ask->run->activities->len);
  for (gsize i = 0; i < (gsize) ask->run->activities->len * KYMO_N_WAIT_KINDS; i++)
    into->function_kinds[i] = kymo_saturating_add (into->function_kinds[i],
                                                   from->function_kinds[i]);
  merge_sums (into->of, from->of, (gsize) ask->n_locations * KYMO_N_WAIT_KINDS);
  merge_sums (into->caused, from->caused, ask->run->locations->len);
  kymo_pairs_merge (into->pairs, from->pairs, 1, ask->cancellable);
  merge_paths (into, from);
  if (plan->with_turns)
    merge_turns (ask, into, from);
  g_array_append_vals (into->worst, from->worst->data, from->worst->len);
  kymo_waiting_drop_short (into, plan->limit);
}

/* kind_ns of a function or a location is in the order of "kinds"; caused_ns: waiting of others
   because it was late. "matrix" has who waited and, as "by", who was late; beyond
   KYMO_MOST_PAIRS pairs these are the first of "group_size" locations. Of "worst" begin_ns and
   end_ns are those of the call, which waits wait_ns from wait_begin_ns on; by: the location that
   was late, by_begin_ns: when it came, by_did: what it did meanwhile. "turns" are rounds of
   sends to one receiver after the other: what the last of each waited, and what of it a tree of
   messages would have saved. */
static const KymoKeyword keywords[] =
{
  { "limit", KYMO_KEYWORD_COUNT, "N", "list the N longest waits (100)" },
  { "kind", KYMO_KEYWORD_WORD, "late-sender|late-receiver|barrier|all-to-all|late-root|early-root|"
    "prefix|thread-barrier", "of this kind alone" },
  { "function", KYMO_KEYWORD_TEXT, "NAME", "only waiting in calls of this function" },
  { "path", KYMO_KEYWORD_TEXT, "PATH", "in this call path alone, as \"main => MPI_Recv()\"" },
  { "turns", KYMO_KEYWORD_FLAG, NULL, "what is lost where one sends to the others in turn" },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "functions", "id name role ns count max_ns kind_ns", TRUE },
  { "locations", "location label ns count share caused_ns caused_count kind_ns", TRUE },
  { "worst", "kind location label begin_ns end_ns wait_ns wait_begin_ns function by "
    "by_label by_begin_ns by_did", TRUE },
  { "kinds", "kind name ns count max_ns" },
  { "matrix", "location by ns count", TRUE },
  { "paths", "path ns count max_ns" },
  { "turns", "location label rounds last_ns lost_ns" },
  { NULL }
};

const KymoAnswerClass kymo_answer_waiting =
{
  { "waiting", N_("Waiting"), "who waited for whom in messages, collectives and barriers", keywords,
    KYMO_CAN_WAITS, .lists = lists,
    .topic = KYMO_TOPIC_MESSAGES, .example = "--limit 5" },
  waiting_prepare, kymo_ask_free_plan, state_new, state_free, waiting_partial, waiting_merge,
  .conclude = kymo_waiting_conclude,
  .needs = KYMO_WAIT_NEEDS,
};
