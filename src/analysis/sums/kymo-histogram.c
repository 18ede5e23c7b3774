/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * histogram: block durations or sizes of sent messages in bins.
 *
 * A duration is the exclusive time of a block; pieces resumed after an inner
 * block are blocks of their own, unless unit=call joins them. What begins
 * inside the range counts, whole. Preset "grain" is the published one: bars
 * of 0.1 ms from 0.1 to 10 ms and a last bar without upper end, whose edge
 * is G_MAXINT64.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-memory.h"
#include "kymo-order.h"
#include "kymo-proportion.h"
#include "kymo-state-rows.h"

#define MAX_BINS 1000000

typedef struct
{
  gboolean  of_sizes, by_time, by_call, logarithmic;
  guint     n_bins;
  gint64   *edges;              /* n_bins + 1, ascending */
} Plan;

typedef struct
{
  KymoStateRows *rows;
  gint64         below, above;
} State;

/* Reads a choice of two words; the first is the default. */
static gboolean
read_choice (const KymoAsk  *ask,
             const char     *key,
             const char     *first,
             const char     *second,
             gboolean       *is_second,
             GError        **error)
{
  const char *word = kymo_question_get (ask->question, key);

  *is_second = g_strcmp0 (word, second) == 0;
  if (word == NULL || *is_second || strcmp (word, first) == 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” is not a %s: it is %s or %s"), word,
               key,
               first, second);
  return FALSE;
}

static void
fill_edges (Plan   *plan,
            gint64  low,
            gint64  high)
{
  plan->edges = g_new (gint64, plan->n_bins + 1);
  for (guint i = 0; i <= plan->n_bins; i++)
    if (plan->logarithmic)
      plan->edges[i] = llround ((double) low * pow ((double) high / (double) low,
                                                    (double) i / plan->n_bins));
    else
      plan->edges[i] = kymo_span_edge ((KymoSpan) { low, high }, plan->n_bins, i);
  plan->edges[0] = low;
  plan->edges[plan->n_bins] = high;
}

static gboolean
read_bins (const KymoAsk  *ask,
           Plan           *plan,
           GError        **error)
{
  gint64 low, high, n_bins;

  if (g_strcmp0 (kymo_question_get (ask->question, "preset"), "grain") == 0)
    {
      plan->n_bins = KYMO_GRAIN_BINS;
      plan->logarithmic = FALSE;
      fill_edges (plan, KYMO_GRAIN_NS, (KYMO_GRAIN_BINS + 1) * KYMO_GRAIN_NS);
      plan->edges[KYMO_GRAIN_BINS] = G_MAXINT64;
      return TRUE;
    }
  if (!kymo_question_get_int (ask->question, "min", plan->logarithmic ? 1 : 0, &low, error)
      || !kymo_question_get_int (ask->question, "max", plan->of_sizes ? 1000000 : 10000000, &high,
                                 error)
      || !kymo_question_get_int (ask->question, "bins", 100, &n_bins, error))
    return FALSE;
  if (n_bins < 1 || n_bins > MAX_BINS || low < 0 || high <= low
      || (plan->logarithmic && low < 1))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("A histogram needs 0 ≤ min < max (1 ≤ min on a log scale) and 1 to %d bins"),
                   MAX_BINS);
      return FALSE;
    }
  plan->n_bins = n_bins;
  fill_edges (plan, low, high);
  return TRUE;
}

static void
histogram_release (KymoAsk *ask)
{
  g_free (((Plan *) ask->plan)->edges);
  g_free (ask->plan);
}

static gboolean
histogram_prepare (KymoAsk  *ask,
                   GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);
  const char *preset = kymo_question_get (ask->question, "preset");

  ask->plan = plan;
  if (preset != NULL && strcmp (preset, "grain") != 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("There is no preset “%s”; there is "
                                                          "grain"),
                   preset);
      return FALSE;
    }
  if (!read_choice (ask, "of", "duration", "message-size", &plan->of_sizes, error)
      || !read_choice (ask, "weight", "count", "time", &plan->by_time, error)
      || !read_choice (ask, "unit", "block", "call", &plan->by_call, error)
      || !read_choice (ask, "scale", "lin", "log", &plan->logarithmic, error))
    return FALSE;
  if (plan->of_sizes && plan->by_time)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("Message sizes have no time to weigh by; use weight count"));
      return FALSE;
    }
  return read_bins (ask, plan, error);
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->rows = kymo_state_rows_new (ask->n_states, ((Plan *) ask->plan)->n_bins);
  return state;
}

static void
state_free (gpointer data)
{
  kymo_state_rows_free (((State *) data)->rows);
  g_free (data);
}

/* Last edge at or below the value. */
static guint
find_bin (const Plan *plan,
          gint64      value)
{
  return KYMO_FIND_FIRST (i, 1, plan->n_bins, plan->edges[i] > value) - 1;
}

static void
add_value (const Plan *plan,
           State      *state,
           guint32     row,
           gint64      value)
{
  gint64 weight = plan->by_time ? value : 1;

  if (value < plan->edges[0])
    state->below += weight;
  else if (value >= plan->edges[plan->n_bins])
    state->above += weight;
  else
    kymo_state_rows_get (state->rows, row)[find_bin (plan, value)] += weight;
}

static void
add_sizes (const KymoAsk     *ask,
           State             *state,
           const KymoSegment *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = 0; i < segment->n_sends && !kymo_ask_is_stopped (ask, i); i++)
    {
      guint32 activity = segment->send_activity[i];

      if (kymo_segment_send_time (segment, i) < ask->span.begin_ns
          || kymo_segment_send_time (segment, i) >= end_ns)
        continue;
      /* A message that no function sent was sent in overhead. */
      add_value (ask->plan, state, activity == G_MAXUINT32 ? KYMO_STATE_OVERHEAD
                 : KYMO_STATE_ACTIVITY + activity, segment->send_bytes[i]);
    }
}

/* Nothing nests: a block is one piece. */
static void
add_flat_blocks (const KymoAsk     *ask,
                 State             *state,
                 const KymoSegment *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      if (kymo_ask_is_stopped (ask, i))
        return;
      add_value (ask->plan, state, KYMO_STATE_ACTIVITY + segment->block_activity[i],
                 kymo_segment_block_end (segment, i) - kymo_segment_block_begin (segment, i));
    }
}

static void
add_pieces (const KymoAsk     *ask,
            State             *state,
            const KymoSegment *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = 0; i < segment->n_pieces && !kymo_ask_is_stopped (ask, i); i++)
    if (segment->piece_state[i] >= KYMO_STATE_ACTIVITY
        && kymo_segment_piece_begin (segment, i) >= ask->span.begin_ns
        && kymo_segment_piece_begin (segment, i) < end_ns)
      add_value (ask->plan, state, segment->piece_state[i],
                 kymo_segment_piece_begin (segment, i + 1) - kymo_segment_piece_begin (segment, i));
}

/* The blocks of a call joined; the call counts where it begins. */
static void
add_calls (const KymoAsk *ask,
           State         *state,
           KymoSegment   *segment)
{
  const guint32 *calls = kymo_segment_peek_calls (segment);
  kymo_autoscratch gint64 *exclusive_ns
    = kymo_segment_new_made (segment, segment->n_blocks, sizeof (gint64));
  kymo_autoscratch gint64 *joined_ns
    = kymo_segment_new_made (segment, segment->n_calls, sizeof (gint64));
  gint64 end_ns = kymo_ask_count_end (ask);

  kymo_segment_exclusive (segment, exclusive_ns);
  for (guint i = 0; i < segment->n_blocks; i++)
    joined_ns[calls[i]] += exclusive_ns[i];
  for (guint i = 0; i < segment->n_calls && !kymo_ask_is_stopped (ask, i); i++)
    {
      guint block = segment->call_first_block[i];

      if (kymo_segment_block_begin (segment, block) >= ask->span.begin_ns
          && kymo_segment_block_begin (segment, block) < end_ns)
        add_value (ask->plan, state, KYMO_STATE_ACTIVITY + segment->block_activity[block],
                   joined_ns[i]);
    }
}

static void
histogram_partial (const KymoAsk *ask,
                   gpointer       state,
                   KymoSegment   *segment)
{
  const Plan *plan = ask->plan;

  if (plan->of_sizes)
    add_sizes (ask, state, segment);
  else if (plan->by_call)
    add_calls (ask, state, segment);
  else if (segment->block_depth == NULL)
    add_flat_blocks (ask, state, segment);
  else
    add_pieces (ask, state, segment);
}

static void
histogram_merge (const KymoAsk *ask,
                 gpointer       into,
                 gpointer       from)
{
  State *a = into, *b = from;

  kymo_state_rows_add (a->rows, b->rows);
  a->below = kymo_saturating_add (a->below, b->below);
  a->above = kymo_saturating_add (a->above, b->above);
}

static void
histogram_weigh (const KymoAsk *ask,
                 gpointer       data,
                 guint          location,
                 gint64         weight)
{
  State *state = data;
  gboolean by_time = ((Plan *) ask->plan)->by_time;

  if (by_time)
    kymo_state_rows_weigh (state->rows, weight);
  else
    kymo_state_rows_weigh_counts (state->rows, weight);
  state->below = by_time ? kymo_weigh (state->below, weight)
    : kymo_weigh_count (state->below, weight);
  state->above = by_time ? kymo_weigh (state->above, weight)
    : kymo_weigh_count (state->above, weight);
}

static KymoTable *
histogram_finish (const KymoAsk *ask,
                  gpointer       data)
{
  const Plan *plan = ask->plan;
  State *state = data;
  KymoTable *answer = kymo_ask_answer_new (ask);
  g_autofree gint64 *total = g_new0 (gint64, plan->n_bins);

  if (ask->weights != NULL && !plan->by_time)
    {
      kymo_state_rows_round_counts (state->rows);
      state->below = kymo_round_count (state->below);
      state->above = kymo_round_count (state->above);
    }
  for (guint s = 0; s < ask->n_states; s++)
    for (guint i = 0; state->rows->rows[s] != NULL && i < plan->n_bins; i++)
      total[i] += state->rows->rows[s][i];
  kymo_table_set_string (answer, "of", plan->of_sizes ? "message-size" : "duration");
  kymo_table_set_string (answer, "unit", plan->by_call ? "call" : "block");
  kymo_table_set_string (answer, "weight", plan->by_time ? "time" : "count");
  kymo_table_set_string (answer, "scale", plan->logarithmic ? "log" : "lin");
  kymo_table_set_ints (answer, "edges", plan->edges, plan->n_bins + 1);
  kymo_table_set_table (answer, "series", kymo_state_rows_to_table (state->rows, ask, "values"));
  kymo_table_set_ints (answer, "total", total, plan->n_bins);
  kymo_table_set_int (answer, "below", state->below);
  kymo_table_set_int (answer, "above", state->above);
  return answer;
}

/* Words that prepare() will refuse may ask for anything. */
static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  if (g_strcmp0 (kymo_question_get (ask->question, "of"), "message-size") == 0)
    return KYMO_NEEDS_SENDS;
  if (g_strcmp0 (kymo_question_get (ask->question, "unit"), "call") == 0
      || segment->block_depth == NULL)
    return KYMO_NEEDS_BLOCKS;
  return KYMO_NEEDS_TRACK;
}

static const KymoKeyword keywords[] =
{
  KYMO_KEYWORD_EXTRAPOLATE,
  { "of", KYMO_KEYWORD_WORD, "duration|message-size", "the quantity that is counted (duration)" },
  { "min", KYMO_KEYWORD_AMOUNT, "X", "begin of the first bin" },
  { "max", KYMO_KEYWORD_AMOUNT, "Y", "end of the last bin" },
  { "bins", KYMO_KEYWORD_COUNT, "N", "number of bins" },
  { "scale", KYMO_KEYWORD_WORD, "lin|log", "bins of equal width or of equal factor" },
  { "weight", KYMO_KEYWORD_WORD, "count|time", "what a bar's height is" },
  { "unit", KYMO_KEYWORD_WORD, "block|call", "count pieces of a block, or whole calls" },
  { "preset", KYMO_KEYWORD_WORD, "grain", "bars of 0.1 ms from 0.1 to 10 ms" },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "", NULL, TRUE },
  { "series", "id name role values" },
  { NULL }
};

const KymoAnswerClass kymo_answer_histogram =
{
  { "histogram", N_("A histogram"), "how long blocks are, or how large messages", keywords,
    KYMO_CAN_INTERVALS, .lists = lists,
    .topic = KYMO_TOPIC_LOAD, .example = "--of duration --preset grain" },
  histogram_prepare, histogram_release, state_new, state_free, histogram_partial, histogram_merge,
  histogram_finish, .needs_of = needs_of,
  .weigh = histogram_weigh,
};
