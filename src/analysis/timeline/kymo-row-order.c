/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row-order: the locations in the order of a figure of theirs, of the asked
 * range, with that figure. Of equal figures the smaller number comes first,
 * whichever way round the order is; where a figure is not known (an activity
 * that never ran there, a communication thread where PEs are compared) the
 * location comes last.
 */
#include "config.h"

#include "kymo-row-order.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-order.h"
#include "kymo-pe-vectors.h"
#include "kymo-row-walk.h"

static const struct
{
  const char *word;
  KymoRowsBy  by;
} words[] =
{
  { "number", KYMO_ROWS_BY_NUMBER }, { "busy", KYMO_ROWS_BY_BUSY },
  { "idle", KYMO_ROWS_BY_IDLE }, { "overhead", KYMO_ROWS_BY_OVERHEAD },
  { "time:", KYMO_ROWS_BY_TIME }, { "first:", KYMO_ROWS_BY_FIRST },
  { "similarity", KYMO_ROWS_BY_SIMILARITY }, { "cluster", KYMO_ROWS_BY_CLUSTER },
};

/**
 * kymo_row_order_is_list:
 * @text: an order of rows as people write it
 *
 * Returns: whether it is a list of locations, "5,3,0-2", and no word
 */
gboolean
kymo_row_order_is_list (const char *text)
{
  return g_ascii_isdigit (*text);
}

/**
 * kymo_row_order_parse:
 * @text: "busy", "-time:Cell::run"
 * @order: (out caller-allocates): points into @text
 *
 * Returns: %FALSE and a usage error where it is no order
 */
gboolean
kymo_row_order_parse (const char    *text,
                      KymoRowOrder  *order,
                      GError       **error)
{
  gboolean descends = *text == '-';
  const char *word = text + descends;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize n = strlen (words[i].word);
      gboolean named = words[i].word[n - 1] == ':';

      if (named ? !g_str_has_prefix (word, words[i].word) || word[n] == '\0'
          : strcmp (word, words[i].word) != 0)
        continue;
      *order = (KymoRowOrder) { words[i].by, descends, named ? word + n : NULL };
      return TRUE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is no order of rows: there are number, busy, idle, overhead, time:NAME, "
                 "first:NAME, similarity and cluster, each with - before it for the other way "
                 "round"), text);
  return FALSE;
}

/* -- figures -------------------------------------------------------------- */

typedef struct
{
  KymoRowOrder  order;
  gboolean     *wanted;         /* by state: has the name */
} Plan;

typedef struct
{
  KymoProfileState *times;
  KymoPeSums       *sums;
  gint64           *first_ns;   /* by row, or KYMO_NULL_INT */
} State;

static gboolean
find_states (const KymoAsk  *ask,
             Plan           *plan,
             GError        **error)
{
  gboolean any = FALSE;

  plan->wanted = g_new0 (gboolean, ask->n_states);
  for (guint32 s = KYMO_STATE_ACTIVITY; s < ask->n_states; s++)
    any |= plan->wanted[s] = strcmp (kymo_ask_state_name (ask, s), plan->order.name) == 0;
  if (!any)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The run has no “%s”"), plan->order.name);
  return any;
}

static gboolean
row_order_prepare (KymoAsk  *ask,
                   GError  **error)
{
  const char *text = kymo_question_get (ask->question, "by");
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  if (!kymo_row_order_parse (text != NULL ? text : "number", &plan->order, error))
    return FALSE;
  if (plan->order.by == KYMO_ROWS_BY_CLUSTER)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           _("The order of clusters is that of the answer of clusters"));
      return FALSE;
    }
  return plan->order.name == NULL || find_states (ask, plan, error);
}

static void
row_order_release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  g_free (plan->wanted);
  g_free (plan);
}

static KymoRowsBy
by_of (const KymoAsk *ask)
{
  return ((const Plan *) ask->plan)->order.by;
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  if (by_of (ask) == KYMO_ROWS_BY_SIMILARITY)
    state->sums = kymo_pe_sums_new (ask, KYMO_PE_TIMES);
  else if (by_of (ask) == KYMO_ROWS_BY_FIRST)
    {
      state->first_ns = g_new (gint64, ask->n_locations);
      for (guint i = 0; i < ask->n_locations; i++)
        state->first_ns[i] = KYMO_NULL_INT;
    }
  else
    state->times = kymo_profile_state_new (ask, TRUE);
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  g_clear_pointer (&state->times, kymo_profile_state_free);
  g_clear_pointer (&state->sums, kymo_pe_sums_free);
  g_free (state->first_ns);
  g_free (state);
}

static gboolean
runs_in (const Plan        *plan,
         const KymoSegment *segment,
         KymoSpan           span,
         KymoSums          *sums)
{
  gboolean found = FALSE;

  kymo_segment_sum (segment, span, NULL, sums);
  for (guint i = 0; i < sums->n_touched; i++)
    found |= plan->wanted[sums->touched[i]] && sums->ns[sums->touched[i]] > 0;
  kymo_sums_reset (sums);
  return found;
}

/* Of bins the first nanosecond of which their sums know. */
static gint64
first_of_bins (const Plan        *plan,
               const KymoSegment *segment,
               KymoSpan           span,
               KymoSums          *sums)
{
  return KYMO_FIND_FIRST (ns, span.begin_ns + 1, span.end_ns,
                          runs_in (plan, segment, (KymoSpan) { span.begin_ns, ns }, sums)) - 1;
}

/* When one of the wanted states first is there, in the range. */
static gint64
first_of (const KymoAsk     *ask,
          const KymoSegment *segment)
{
  const Plan *plan = ask->plan;
  KymoSpan span = kymo_span_intersect (ask->span, segment->span);
  KymoSums sums;
  gint64 first = KYMO_NULL_INT;

  if (kymo_span_length (span) == 0)
    return KYMO_NULL_INT;
  kymo_sums_init (&sums, ask->n_states);
  if (!runs_in (plan, segment, span, &sums))
    first = KYMO_NULL_INT;
  else if (segment->bins != NULL)
    first = first_of_bins (plan, segment, span, &sums);
  else
    for (guint i = kymo_segment_find_piece (segment, span.begin_ns);
         i < segment->n_pieces && !kymo_ask_is_stopped (ask, i); i++)
      if (plan->wanted[segment->piece_state[i]]
          && kymo_segment_piece_begin (segment, i + 1)
             > MAX (kymo_segment_piece_begin (segment, i), span.begin_ns))
        {
          first = MAX (kymo_segment_piece_begin (segment, i), span.begin_ns);
          break;
        }
  kymo_sums_clear (&sums);
  return first;
}

static void
row_order_partial (const KymoAsk *ask,
                   gpointer       data,
                   KymoSegment   *segment)
{
  State *state = data;

  if (state->sums != NULL)
    kymo_pe_sums_add (ask, state->sums, segment);
  else if (state->first_ns != NULL)
    state->first_ns[ask->row_of[segment->location]] = first_of (ask, segment);
  else if (segment->bins != NULL)
    kymo_profile_partial (ask, state->times, segment);
  else
    kymo_profile_add_times (ask, state->times, segment);
}

static void
row_order_merge (const KymoAsk *ask,
                 gpointer       into,
                 gpointer       from)
{
  State *a = into, *b = from;

  if (a->sums != NULL)
    kymo_pe_sums_merge (ask, a->sums, b->sums);
  else if (a->times != NULL)
    kymo_profile_merge (ask, a->times, b->times);
  for (guint i = 0; a->first_ns != NULL && i < ask->n_locations; i++)
    if (b->first_ns[i] != KYMO_NULL_INT)
      a->first_ns[i] = b->first_ns[i];
}

/* By the keyword: the plan is not made yet. Of all that is asked for, so that
   a file which lies is found before anything is told of it. */
static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  const char *text = kymo_question_get (ask->question, "by");
  KymoRowOrder order;

  if (text == NULL || !kymo_row_order_parse (text, &order, NULL))
    return KYMO_NEEDS_SUMS;
  if (segment->bins != NULL)
    return KYMO_NEEDS_TRACK;
  if (order.by == KYMO_ROWS_BY_FIRST)
    return KYMO_NEEDS_TRACK | KYMO_NEEDS_SUMS;
  return ask->span.begin_ns <= segment->span.begin_ns
    && ask->span.end_ns >= segment->span.end_ns ? KYMO_NEEDS_SUMS : KYMO_NEEDS_TRACK;
}

/* -- the order ------------------------------------------------------------ */

typedef struct
{
  guint  row;
  gint64 figure;                /* or KYMO_NULL_INT */
  double step;                  /* of similarity; NAN where it is not compared */
} Entry;

static gint64
time_of (const KymoLocationSums *sums,
         const Plan             *plan)
{
  gint64 ns = 0;

  switch (plan->order.by)
    {
    case KYMO_ROWS_BY_BUSY: return sums->work_ns[KYMO_WORK_USEFUL];
    case KYMO_ROWS_BY_IDLE: return sums->idle_ns;
    case KYMO_ROWS_BY_OVERHEAD: return sums->overhead_ns;
    default: break;
    }
  for (guint i = 0; sums->shares != NULL && i < sums->shares->len; i++)
    {
      const KymoLocationShare *share = &g_array_index (sums->shares, KymoLocationShare, i);

      if (plan->wanted[share->state])
        ns = kymo_saturating_add (ns, share->exclusive_ns);
    }
  return ns > 0 ? ns : KYMO_NULL_INT;
}

static gint64
figure_of (const KymoAsk *ask,
           const State   *state,
           guint          row)
{
  if (by_of (ask) == KYMO_ROWS_BY_NUMBER)
    return kymo_run_peek_location (ask->run, ask->locations[row])->id;
  return state->first_ns != NULL ? state->first_ns[row]
    : time_of (&state->times->locations[row], ask->plan);
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b,
                 gpointer      descends)
{
  const Entry *x = a, *y = b;

  if ((x->figure == KYMO_NULL_INT) != (y->figure == KYMO_NULL_INT))
    return x->figure == KYMO_NULL_INT ? 1 : -1;
  if (x->figure != y->figure)
    return (x->figure < y->figure) != (descends != NULL) ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

/* FALSE where it was cancelled. One PE alone is like itself. */
static gboolean
walk_entries (const KymoAsk  *ask,
              const State    *state,
              Entry          *entries,
              GError        **error)
{
  const Plan *plan = ask->plan;
  g_autoptr (KymoPeVectors) vectors
    = kymo_pe_vectors_new (ask, state->sums, KYMO_PE_WITH_IDLE | KYMO_PE_WITH_OVERHEAD,
                           KYMO_PE_SCALE_NONE, error);
  g_autofree guint *walk = NULL;
  g_autofree double *steps = NULL;
  guint n;

  if (vectors == NULL)
    return FALSE;
  walk = kymo_row_walk_new (vectors->values, vectors->n_rows, vectors->n_columns,
                            vectors->n_components, ask->n_threads, &steps, ask->cancellable,
                            error);
  if (walk == NULL)
    return FALSE;
  n = vectors->n_rows;
  for (guint i = 0; i < n; i++)
    {
      /* A step is that to the one before, which the other way round is the next. */
      guint at = plan->order.descends ? n - 1 - i : i;
      guint row = vectors->rows[walk[at]];

      entries[i] = (Entry) { row, 0, plan->order.descends ? (at + 1 < n ? steps[at + 1] : 0)
                                                          : steps[at] };
    }
  for (guint row = 0; row < ask->n_locations; row++)
    if (!kymo_ask_compares (ask, row))
      entries[n++] = (Entry) { row, KYMO_NULL_INT, NAN };
  return TRUE;
}

static KymoTable *
list_entries (const KymoAsk *ask,
              const Entry   *entries)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  gboolean walked = by_of (ask) == KYMO_ROWS_BY_SIMILARITY;
  guint location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint figure = walked ? kymo_table_add_column (table, "distance", KYMO_COLUMN_DOUBLE, 1)
    : kymo_table_add_column (table, by_of (ask) == KYMO_ROWS_BY_NUMBER ? "number" : "ns",
                             KYMO_COLUMN_INT, 1);

  for (guint i = 0; i < ask->n_locations; i++)
    {
      kymo_table_append_int (table, location, kymo_run_peek_location (
        ask->run, ask->locations[entries[i].row])->id);
      if (walked)
        kymo_table_append_double (table, figure, entries[i].step);
      else
        kymo_table_append_int (table, figure, entries[i].figure);
    }
  return table;
}

static KymoTable *
row_order_conclude (const KymoAsk  *ask,
                    gpointer        data,
                    GError        **error)
{
  const Plan *plan = ask->plan;
  const State *state = data;
  g_autofree Entry *entries = g_new0 (Entry, MAX (ask->n_locations, 1));
  KymoTable *answer;

  for (guint i = 0; state->sums == NULL && i < ask->n_locations; i++)
    entries[i] = (Entry) { i, figure_of (ask, state, i), 0 };
  if (state->sums == NULL)
    g_qsort_with_data (entries, ask->n_locations, sizeof (Entry), compare_entries,
                       GINT_TO_POINTER (plan->order.descends));
  else if (!walk_entries (ask, state, entries, error))
    return NULL;
  answer = kymo_ask_answer_new (ask);
  kymo_table_set_table (answer, "locations", list_entries (ask, entries));
  return answer;
}

/* "locations" in that order: location and ns, number, or distance from the one before. */
static const KymoKeyword keywords[] =
{
  { "by", KYMO_KEYWORD_TEXT, "ORDER", "as busy or -busy: see kymo-row-order.h",
    .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "locations", "location number ns distance" },
  { NULL }
};

const KymoAnswerClass kymo_answer_row_order =
{
  { "row-order", N_("An order of rows"), .keywords = keywords, .requires = KYMO_CAN_BINNED_TIME,
    .lists = lists },
  row_order_prepare, row_order_release, state_new, state_free, row_order_partial, row_order_merge,
  .conclude = row_order_conclude,
  .needs_of = needs_of,
};

/* -- for who puts the question -------------------------------------------- */

typedef struct
{
  gint64 location;
  gint64 cluster;
  double distance;
} Member;

static int
compare_members (gconstpointer a,
                 gconstpointer b)
{
  const Member *x = a, *y = b;

  KYMO_ORDER_BY (x->cluster, y->cluster);
  KYMO_ORDER_BY (x->distance, y->distance);
  return (x->location > y->location) - (x->location < y->location);
}

/**
 * kymo_row_order_of:
 * @answer: of row-order, or of clusters: then cluster by cluster, nearest to the
 *   mean first
 *
 * Returns: (transfer full) (element-type gint64): what kymo_question_set_order()
 * takes
 */
GArray *
kymo_row_order_of (const KymoTable *answer)
{
  KymoTable *list = kymo_table_peek_nested (answer, "locations", NULL);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0;
  gboolean clustered = list != NULL && kymo_table_find_column (list, "cluster") >= 0;
  g_autofree Member *members = g_new0 (Member, MAX (n, 1));
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n);

  for (guint i = 0; i < n; i++)
    {
      members[i].location = kymo_table_get_int (list, "location", i);
      members[i].cluster = clustered ? kymo_table_get_int (list, "cluster", i) : 0;
      members[i].distance = clustered ? kymo_table_get_double (list, "distance", i) : 0;
    }
  if (clustered)
    qsort (members, n, sizeof (Member), compare_members);
  for (guint i = 0; i < n; i++)
    g_array_append_val (order, members[i].location);
  return order;
}

/* Round as a whole; those that clusters leave out stay behind them. */
static void
turn_round (GArray *order)
{
  gint64 *ids = (gint64 *) order->data;

  for (guint i = 0, k = order->len; i + 1 < k; i++)
    {
      gint64 id = ids[i];

      ids[i] = ids[--k];
      ids[k] = id;
    }
}

/**
 * kymo_row_order_ask:
 * @text: an order, as "-busy"
 * @span: that its figures are of; clusters are those of the whole run
 *
 * Blocks; any thread.
 *
 * Returns: (transfer full) (nullable) (element-type gint64): the locations in
 * that order; %NULL with @error
 */
GArray *
kymo_row_order_ask (KymoSource    *source,
                    const char    *text,
                    KymoSpan       span,
                    GCancellable  *cancellable,
                    GError       **error)
{
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (KymoTable) answer = NULL;
  KymoRowOrder order;
  GArray *ids;

  if (!kymo_row_order_parse (text, &order, error))
    return NULL;
  question = kymo_question_new (order.by == KYMO_ROWS_BY_CLUSTER ? "clusters" : "row-order");
  if (order.by != KYMO_ROWS_BY_CLUSTER)
    {
      kymo_question_set (question, "by", text);
      kymo_question_set_span (question, span);
    }
  answer = kymo_source_ask (source, question, cancellable, error);
  if (answer == NULL)
    return NULL;
  ids = kymo_row_order_of (answer);
  if (order.by == KYMO_ROWS_BY_CLUSTER && order.descends)
    turn_round (ids);
  return ids;
}
