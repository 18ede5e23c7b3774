/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * extrema: the PEs that have most, or least, of something. Times are clipped
 * to the range, counts are of what begins inside it. Of equal PEs the lower
 * one comes first. With "kept" the question is put to clusters as well, as it
 * stands: for why a PE is kept. Of a profile there is the time in functions alone.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-extrema-private.h"

#include <math.h>
#include <string.h>

#include "kymo-clusters-private.h"
#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-order.h"
#include "kymo-term-words.h"

#define DEFAULT_COUNT 10

static const struct
{
  const char *word;
  guint       figures;
  const char *key;              /* of the values */
} attributes[KYMO_N_BY] =
{
  [KYMO_BY_BUSY] = { "busy", KYMO_PE_TIMES, "value_ns" },
  [KYMO_BY_MOST_IDLE] = { "most-idle", KYMO_PE_TIMES, "value_ns" },
  [KYMO_BY_LEAST_IDLE] = { "least-idle", KYMO_PE_TIMES, "value_ns" },
  [KYMO_BY_OVERHEAD] = { "overhead", KYMO_PE_TIMES, "value_ns" },
  [KYMO_BY_LONGEST] = { "longest", KYMO_PE_BLOCKS, "value_ns" },
  [KYMO_BY_GRAIN] = { "grain", KYMO_PE_BLOCKS, "value_ns" },
  [KYMO_BY_SENT] = { "sent", KYMO_PE_SENT, "value" },
  [KYMO_BY_RECEIVED] = { "received", KYMO_PE_RECEIVED, "value" },
  [KYMO_BY_BYTES_SENT] = { "bytes-sent", KYMO_PE_SENT, "value_bytes" },
  [KYMO_BY_BYTES_RECEIVED] = { "bytes-received", KYMO_PE_RECEIVED, "value_bytes" },
};

/* `clusters`: the plan of the question to clusters, where it is put. */
typedef struct
{
  KymoExtremaBy by;
  gint64        count;
  gboolean      stacked;
  gboolean      by_location;
  gboolean      kept;
  gpointer      clusters;
} Plan;

typedef struct
{
  KymoPeSums       *sums;
  KymoExtremaParts *parts;      /* NULL where not wanted */
  gpointer          clusters;   /* state of clusters, or NULL */
} State;

static gboolean
find_attribute (const KymoAsk *ask,
                KymoExtremaBy *by)
{
  const char *word = kymo_question_get (ask->question, "by");

  *by = KYMO_BY_BUSY;
  for (guint i = 0; word != NULL && i < KYMO_N_BY; i++)
    if (strcmp (attributes[i].word, word) == 0)
      {
        *by = i;
        return TRUE;
      }
  return word == NULL;
}

static gboolean
check_known (const KymoAsk  *ask,
             KymoExtremaBy   by,
             GError        **error)
{
  guint can = kymo_capabilities_of (ask->run);
  gboolean messages = attributes[by].figures & (KYMO_PE_SENT | KYMO_PE_RECEIVED);
  g_autofree char *lack = NULL;

  if (ask->run->profiles != NULL && by != KYMO_BY_BUSY)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, _("Extrema of a profile are by "
                                                                 "busy, "
                   "the time in functions: it has no time axis that “%s” could be of"),
                   attributes[by].word);
      return FALSE;
    }
  if (attributes[by].figures == KYMO_PE_TIMES
      || (can & (messages ? KYMO_CAN_MESSAGES : KYMO_CAN_INTERVALS)))
    return TRUE;
  lack = g_strdup_printf (messages ? _("Extrema by “%s” need single messages.")
                                   : _("Extrema by “%s” need single blocks."),
                          attributes[by].word);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, _("%s %s"), lack,
               ask->run->draft != NULL ? _("They are known when all logs are read.")
               : _("This run is a summary: sums by bins of time."));
  return FALSE;
}

/* -- the question ---------------------------------------------------------- */

/* The same question, put to clusters. */
static KymoAsk
ask_of_clusters (const KymoAsk *ask)
{
  KymoAsk inner = *ask;

  inner.plan = ((Plan *) ask->plan)->clusters;
  return inner;
}

static void
extrema_release (KymoAsk *ask)
{
  KymoAsk inner = ask_of_clusters (ask);

  if (inner.plan != NULL)
    kymo_answer_clusters.release (&inner);
  g_free (ask->plan);
}

static gboolean
read_order (const KymoAsk  *ask,
            Plan           *plan,
            GError        **error)
{
  const char *word = kymo_question_get (ask->question, "order");

  plan->by_location = g_strcmp0 (word, "location") == 0;
  if (word == NULL || plan->by_location || strcmp (word, "value") == 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               kymo_in_terms (ask->run->terms,
                              _("“%s” is no order of {rows}: there are value and location")), word);
  return FALSE;
}

static gboolean
prepare_clusters (KymoAsk  *ask,
                  Plan     *plan,
                  GError  **error)
{
  KymoAsk inner = ask_of_clusters (ask);
  gboolean good;

  plan->kept = kymo_question_get_flag (ask->question, "kept");
  if (!plan->kept)
    return TRUE;
  good = kymo_answer_clusters.prepare (&inner, error);
  plan->clusters = inner.plan;
  return good;
}

static gboolean
extrema_prepare (KymoAsk  *ask,
                 GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  if (!kymo_ask_check_pes (ask, N_("Extrema are of {rows}."), error)
      || !kymo_question_get_int (ask->question, "count", DEFAULT_COUNT, &plan->count, error)
      || !read_order (ask, plan, error))
    return FALSE;
  plan->stacked = kymo_question_get_flag (ask->question, "stacked");
  if (!find_attribute (ask, &plan->by))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("There are no extrema by “%s”; there are busy, most-idle, least-idle, "
                     "overhead, "
                     "longest, grain, sent, received, bytes-sent and bytes-received"),
                   kymo_question_get (ask->question, "by"));
      return FALSE;
    }
  return check_known (ask, plan->by, error) && prepare_clusters (ask, plan, error);
}

/* -- the sums -------------------------------------------------------------- */

static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  KymoExtremaBy by;
  guint needs;

  if (ask->run->profiles != NULL)
    return 0;
  find_attribute (ask, &by);
  needs = kymo_pe_sums_needs (ask, segment, attributes[by].figures);
  if (kymo_question_get_flag (ask->question, "stacked"))
    needs |= kymo_extrema_parts_needs (by);
  if (kymo_question_get_flag (ask->question, "kept"))
    needs |= kymo_answer_clusters.needs_of (ask, segment);
  return needs;
}

static gpointer
state_new (const KymoAsk *ask)
{
  const Plan *plan = ask->plan;
  KymoAsk inner = ask_of_clusters (ask);
  State *state = g_new0 (State, 1);

  state->sums = kymo_pe_sums_new (ask, attributes[plan->by].figures);
  state->parts = plan->stacked ? kymo_extrema_parts_new (ask) : NULL;
  state->clusters = plan->kept ? kymo_answer_clusters.state_new (&inner) : NULL;
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  kymo_pe_sums_free (state->sums);
  g_clear_pointer (&state->parts, kymo_extrema_parts_free);
  g_clear_pointer (&state->clusters, kymo_answer_clusters.state_free);
  g_free (state);
}

static void
extrema_partial (const KymoAsk *ask,
                 gpointer       data,
                 KymoSegment   *segment)
{
  State *state = data;
  KymoAsk inner = ask_of_clusters (ask);

  if (ask->run->profiles != NULL)
    return;
  kymo_pe_sums_add (ask, state->sums, segment);
  if (state->parts != NULL)
    kymo_extrema_parts_add (ask, state->parts, ((Plan *) ask->plan)->by, segment);
  if (state->clusters != NULL)
    kymo_answer_clusters.partial (&inner, state->clusters, segment);
}

static void
extrema_merge (const KymoAsk *ask,
               gpointer       a,
               gpointer       b)
{
  State *into = a, *from = b;
  KymoAsk inner = ask_of_clusters (ask);

  kymo_pe_sums_merge (ask, into->sums, from->sums);
  if (into->parts != NULL)
    kymo_extrema_parts_merge (into->parts, from->parts);
  if (into->clusters != NULL)
    kymo_answer_clusters.merge (&inner, into->clusters, from->clusters);
}

/* -- the order ------------------------------------------------------------- */

/* Figure by which a PE is ranked; `by` is 0 where it is not known. */
static KymoRanked
rank_extrema (const KymoPeSums *sums,
              KymoExtremaBy     by,
              guint             row)
{
  const KymoPeCounts *counts = &sums->counts[row];
  const KymoLocationSums *times = sums->times != NULL ? &sums->times->locations[row] : NULL;

  switch (by)
    {
    case KYMO_BY_BUSY: return (KymoRanked) { row, times->work_ns[KYMO_WORK_USEFUL], 1 };
    case KYMO_BY_MOST_IDLE:
    case KYMO_BY_LEAST_IDLE: return (KymoRanked) { row, times->idle_ns, 1 };
    case KYMO_BY_OVERHEAD: return (KymoRanked) { row, times->overhead_ns, 1 };
    case KYMO_BY_LONGEST: return (KymoRanked) { row, counts->longest_ns, counts->blocks > 0 };
    case KYMO_BY_GRAIN: return (KymoRanked) { row, counts->block_ns, counts->blocks };
    case KYMO_BY_SENT: return (KymoRanked) { row, counts->sent, 1 };
    case KYMO_BY_RECEIVED: return (KymoRanked) { row, counts->received, 1 };
    case KYMO_BY_BYTES_SENT: return (KymoRanked) { row, counts->sent_bytes, 1 };
    case KYMO_BY_BYTES_RECEIVED:
    default: return (KymoRanked) { row, counts->received_bytes, 1 };
    }
}

static int
compare_ranked (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const KymoRanked *x = a, *y = b;
  gboolean least = GPOINTER_TO_INT (data) == KYMO_BY_LEAST_IDLE;
  __int128 left = (__int128) x->of * y->by, right = (__int128) y->of * x->by;

  if (left != right)
    return (left < right) == least ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static gint64
value_of (const KymoRanked *ranked)
{
  return llroundl ((long double) ranked->of / ranked->by);
}

/* The first of them are the extreme ones; these in their order. */
static GArray *
rank_all (const KymoAsk    *ask,
          const KymoPeSums *sums,
          guint            *n_known,
          double           *average)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (KymoRanked));
  const Plan *plan = ask->plan;
  long double sum = 0;

  for (guint row = 0; row < ask->n_locations; row++)
    {
      KymoRanked ranked = rank_extrema (sums, plan->by, row);

      if (!kymo_ask_compares (ask, row) || ranked.by == 0)
        continue;
      sum += (long double) ranked.of / ranked.by;
      g_array_append_val (all, ranked);
    }
  g_array_sort_with_data (all, compare_ranked, GINT_TO_POINTER (plan->by));
  *average = all->len > 0 ? sum / all->len : NAN;
  *n_known = all->len;
  g_array_set_size (all, MIN (all->len, plan->count));
  if (plan->by_location)
    g_array_sort (all, kymo_compare_uints);
  return all;
}

/* -- the answer ------------------------------------------------------------ */

/* `kept_as`, `cluster`: by row, NULL where not wanted. */
typedef struct
{
  KymoTable   *table;
  guint        share, begin, blocks, kept_as;
  const char **kept_as_of;
  gint64      *cluster_of;
} List;

/* Columns that an attribute does not have stay away. */
static List
list_new (KymoExtremaBy by,
          gboolean      kept)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  List list = { table };

  kymo_table_add_columns (table, "location label:string");
  kymo_table_add_columns (table, attributes[by].key);
  kymo_table_add_columns (table, "of_average:double");
  if (attributes[by].figures == KYMO_PE_TIMES)
    list.share = kymo_table_add_columns (table, "share:double");
  if (attributes[by].figures == KYMO_PE_BLOCKS)
    list.blocks = kymo_table_add_columns (table, "blocks");
  if (by == KYMO_BY_LONGEST)
    list.begin = kymo_table_add_columns (table, "block_begin_ns id name:string");
  if (kept)
    list.kept_as = kymo_table_add_columns (table, "kept_as:string cluster");
  return list;
}

static void
list_append (const List       *list,
             const KymoAsk    *ask,
             const KymoPeSums *sums,
             const KymoRanked *ranked,
             double            average)
{
  const KymoLocation *location = kymo_run_peek_location (ask->run, ask->locations[ranked->row]);
  const KymoPeCounts *counts = &sums->counts[ranked->row];

  kymo_table_append_row (list->table, location->id, location->label, value_of (ranked),
                         average > 0 ? (double) ranked->of / ranked->by / average : NAN);
  if (list->share != 0)
    {
      gint64 span_ns = kymo_span_length (sums->times->locations[ranked->row].span);

      kymo_table_append_double (list->table, list->share, span_ns > 0
                                ? (double) ranked->of / span_ns : NAN);
    }
  if (list->blocks != 0)
    kymo_table_append_int (list->table, list->blocks, counts->blocks);
  if (list->kept_as_of != NULL)
    kymo_table_append_from (list->table, list->kept_as, list->kept_as_of[ranked->row],
                            list->cluster_of[ranked->row]);
  if (list->begin != 0)
    kymo_table_append_from (list->table, list->begin, counts->longest_begin_ns,
                            kymo_ask_state_id (ask, counts->longest_state),
                            kymo_ask_state_name (ask, counts->longest_state));
}

/* Takes over from the answer of "clusters" why each PE is kept. Its lines are the compared PEs, in
   the order of the rows. */
static void
take_kept (const KymoAsk   *ask,
           const KymoTable *clusters,
           List            *list)
{
  KymoTable *pes = kymo_table_peek_nested (clusters, "locations", NULL);
  guint i = 0;

  list->kept_as_of = g_new0 (const char *, ask->n_locations);
  list->cluster_of = g_new (gint64, ask->n_locations);
  for (guint row = 0; row < ask->n_locations; row++)
    if (kymo_ask_compares (ask, row))
      {
        list->kept_as_of[row] = kymo_table_get_string (pes, "kept_as", i);
        list->cluster_of[row] = kymo_table_get_int (pes, "cluster", i++);
      }
}

static KymoTable *
list_all (const KymoAsk   *ask,
          State           *state,
          const KymoTable *clusters,
          const GArray    *ranked,
          double           average)
{
  const Plan *plan = ask->plan;
  List list = list_new (plan->by, clusters != NULL);
  guint parts = state->parts == NULL ? 0
    : kymo_extrema_parts_list (ask, state->parts, state->sums, plan->by, ranked, list.table);

  if (clusters != NULL)
    take_kept (ask, clusters, &list);
  for (guint i = 0; i < ranked->len; i++)
    {
      const KymoRanked *one = &g_array_index (ranked, KymoRanked, i);

      list_append (&list, ask, state->sums, one, average);
      if (state->parts != NULL)
        kymo_extrema_parts_append (ask, state->parts, one->row, list.table, parts);
    }
  g_free (list.kept_as_of);
  g_free (list.cluster_of);
  return list.table;
}

static KymoTable *
extrema_conclude (const KymoAsk  *ask,
                  gpointer        data,
                  GError        **error)
{
  const Plan *plan = ask->plan;
  State *state = data;
  KymoAsk inner = ask_of_clusters (ask);
  g_autoptr (KymoTable) clusters = NULL;
  g_autoptr (GArray) ranked = NULL;
  g_autofree char *key = g_strconcat ("average", strchr (attributes[plan->by].key, '_'), NULL);
  KymoTable *answer;
  double average;
  guint n_known;

  if (!kymo_pe_sums_take_profile (ask, state->sums, error))
    return NULL;
  if (state->clusters != NULL
      && (clusters = kymo_answer_clusters.conclude (&inner, state->clusters, error)) == NULL)
    return NULL;
  ranked = rank_all (ask, state->sums, &n_known, &average);
  answer = kymo_ask_answer_new (ask);
  kymo_table_set_string (answer, "by", attributes[plan->by].word);
  kymo_table_set_string (answer, "order", plan->by_location ? "location" : "value");
  kymo_table_set_int (answer, "pes", n_known);
  kymo_table_set_int (answer, key, isnan (average) ? KYMO_NULL_INT : llround (average));
  kymo_table_set_table (answer, "extrema", list_all (ask, state, clusters, ranked, average));
  return answer;
}

/* "parts" of a stacked value: kymo-extrema-parts.c. */
static const KymoKeyword keywords[] =
{
  { "by", KYMO_KEYWORD_WORD, KYMO_WORDS_OF_EXTREMA, "the quantity that is compared (busy)" },
  { "count", KYMO_KEYWORD_COUNT, "N", "number of PEs (10)" },
  { "order", KYMO_KEYWORD_WORD, "value|location", "order of the list (value)" },
  { "stacked", KYMO_KEYWORD_FLAG, NULL, "add the parts of each value" },
  { "kept", KYMO_KEYWORD_FLAG, NULL, "add which PEs are kept for their clusters, and why" },
  { "clusters", KYMO_KEYWORD_TEXT, "K", "with --kept: seeds (-k), or a range (5)" },
  { "outliers", KYMO_KEYWORD_TEXT, "N|SHARE", "with --kept: PEs that stick out (10%)" },
  { "keep", KYMO_KEYWORD_TEXT, "N|SHARE", "with --kept: representatives and outliers" },
  { "quota", KYMO_KEYWORD_WORD, "size|spread", "with --kept: by what outliers are shared out "
    "(size)" },
  { "union", KYMO_KEYWORD_TEXT, "LIST", "with --kept: what these alone would keep" },
  { "critical-path", KYMO_KEYWORD_FLAG, NULL, "with --kept: the PEs on it" },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "extrema", "location label value_ns of_average share kept_as cluster value_bytes "
    "blocks block_begin_ns id name value", TRUE },
  { "extrema.parts", "id name kind value", TRUE },
  { NULL }
};

const KymoAnswerClass kymo_answer_extrema =
{
  { "extrema", N_("A list of extrema"), "the PEs that have most or least of something", keywords,
    KYMO_CAN_PROFILE, .lists = lists,
    .topic = KYMO_TOPIC_LOAD, .example = "--by most-idle" },
  extrema_prepare, extrema_release, state_new, state_free, extrema_partial, extrema_merge,
  .conclude = extrema_conclude,
  .needs_of = needs_of,
};
