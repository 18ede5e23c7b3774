/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explain: what some PEs have more or less of than all PEs that were asked
 * for: time by entry method, idle time and overhead; of each entry method how
 * often it ran, how long its blocks are, how long PEs waited for it, and the
 * messages that were sent to start it.
 *
 * PEs are those that clusters and extrema compare. Sums are exact; the means of
 * the two groups are compared as fractions.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-explain-private.h"

#include <math.h>

#include "kymo-error.h"
#include "kymo-memory.h"
#include "kymo-term-words.h"

#define DEFAULT_COUNT 10

/* -- the question ---------------------------------------------------------- */

static void
explain_release (KymoAsk *ask)
{
  KymoExplainPlan *plan = ask->plan;

  g_clear_pointer (&plan->of, kymo_id_set_unref);
  g_free (plan->is_chosen);
  g_free (plan);
}

static gboolean
read_of (const KymoAsk    *ask,
         KymoExplainPlan  *plan,
         GError          **error)
{
  const char *text = kymo_question_get (ask->question, "of");
  g_autoptr (GError) why = NULL;

  if (text != NULL)
    plan->of = kymo_id_set_parse (text, &why);
  if (plan->of != NULL)
    return TRUE;
  if (text == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 "%s", kymo_in_terms (ask->run->terms,
                                      _("It must be said which {rows} are to be explained, as 17 "
                                        "or 0-3,8")));
  else if (why != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 kymo_in_terms (ask->run->terms, _("“%s” is no list of {rows}: %s")), text,
                 why->message);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 kymo_in_terms (ask->run->terms, _("“%s” is no list of {rows}: it is empty")),
                 text);
  return FALSE;
}

static gboolean
choose_pes (const KymoAsk    *ask,
            KymoExplainPlan  *plan,
            GError          **error)
{
  plan->is_chosen = g_new0 (gboolean, ask->n_locations);
  for (guint row = 0; row < ask->n_locations; row++)
    {
      gint64 id = kymo_run_peek_location (ask->run, ask->locations[row])->id;

      if (!kymo_ask_compares (ask, row))
        continue;
      plan->n_pes++;
      plan->is_chosen[row] = kymo_id_set_contains (plan->of, id);
      plan->n_chosen += plan->is_chosen[row];
    }
  if (plan->n_chosen > 0 && plan->n_chosen < plan->n_pes)
    return TRUE;
  g_set_error_literal (
    error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, kymo_in_terms (
      ask->run->terms, plan->n_chosen == 0
      ? _("None of the {rows} to be explained is among those that can be compared")
      : _("All {rows} are to be explained; there are no others to compare them with")));
  return FALSE;
}

static gboolean
explain_prepare (KymoAsk  *ask,
                 GError  **error)
{
  KymoExplainPlan *plan = g_new0 (KymoExplainPlan, 1);

  ask->plan = plan;
  plan->counts = (kymo_capabilities_of (ask->run) & KYMO_CAN_INTERVALS) != 0;
  return kymo_ask_check_pes (ask, N_("What sticks out is seen by comparing {rows}."), error)
    && kymo_question_get_int (ask->question, "count", DEFAULT_COUNT, &plan->count, error)
    && read_of (ask, plan, error) && choose_pes (ask, plan, error);
}

static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  return ask->run->profiles != NULL ? 0 : kymo_pe_sums_needs (ask, segment, KYMO_PE_TIMES)
    | (segment->bins != NULL ? 0 : KYMO_NEEDS_TRACK | KYMO_NEEDS_BLOCKS | KYMO_NEEDS_SENDS);
}

/* -- the sums -------------------------------------------------------------- */

static gpointer
state_new (const KymoAsk *ask)
{
  KymoExplainSums *sums = g_new0 (KymoExplainSums, 1);

  sums->n_states = ask->n_states;
  sums->pes = kymo_pe_sums_new (ask, KYMO_PE_TIMES);
  sums->chosen = g_new0 (KymoExplainFigures, ask->n_states);
  sums->all = g_new0 (KymoExplainFigures, ask->n_states);
  sums->longest = g_new0 (KymoExplainLongest, ask->n_states);
  for (guint i = 0; i < ask->n_states; i++)
    sums->longest[i].ns = -1;
  return sums;
}

static void
state_free (gpointer data)
{
  KymoExplainSums *sums = data;

  kymo_pe_sums_free (sums->pes);
  g_free (sums->chosen);
  g_free (sums->all);
  g_free (sums->longest);
  g_free (sums);
}

/* Of equal ones the lower location, then the earlier. */
static void
take_longest (KymoExplainLongest       *into,
              const KymoExplainLongest *from)
{
  if (from->ns > into->ns
      || (from->ns == into->ns && from->ns >= 0
          && (from->location < into->location
              || (from->location == into->location && from->begin_ns < into->begin_ns))))
    *into = *from;
}

static void
add_figures (KymoExplainFigures       *into,
             const KymoExplainFigures *from)
{
  into->blocks += from->blocks;
  into->calls += from->calls;
  into->block_ns = kymo_saturating_add (into->block_ns, from->block_ns);
  into->waiting_ns += from->waiting_ns;
  into->sent += from->sent;
  into->sent_bytes = kymo_saturating_add (into->sent_bytes, from->sent_bytes);
}

static void
add_blocks (const KymoAsk      *ask,
            KymoExplainFigures *figures,
            KymoExplainLongest *longest,
            KymoSegment        *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);
  kymo_autoscratch gint64 *exclusive_ns = kymo_segment_new_exclusive (segment);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      guint32 state = KYMO_STATE_ACTIVITY + segment->block_activity[i];
      KymoExplainLongest here = { 0, kymo_segment_block_begin (segment, i),
                                  kymo_segment_block_end (segment, i), segment->location };

      if (kymo_ask_is_stopped (ask, i))
        return;
      here.ns = exclusive_ns != NULL ? exclusive_ns[i] : here.end_ns - here.begin_ns;
      figures[state].blocks++;
      figures[state].calls += kymo_segment_is_first (segment, i);
      figures[state].block_ns = kymo_saturating_add (figures[state].block_ns, here.ns);
      if (longest != NULL)
        take_longest (&longest[state], &here);
    }
}

/* The first piece after those that have the state of this one. */
static guint
end_of_stretch (const KymoSegment *segment,
                guint              piece)
{
  guint end = piece + 1;

  while (end < segment->n_pieces && segment->piece_state[end] == segment->piece_state[piece])
    end++;
  return end;
}

/* Idle time goes to the entry method that ended it. */
static void
add_track (const KymoAsk      *ask,
           KymoExplainFigures *figures,
           KymoExplainLongest *longest,
           const KymoSegment  *segment)
{
  gint64 count_end_ns = kymo_ask_count_end (ask), idle_ns = 0;
  guint next;

  for (guint i = segment->n_pieces > 0 ? kymo_segment_find_piece (segment, ask->span.begin_ns) : 0;
       i < segment->n_pieces && kymo_segment_piece_begin (segment, i) < count_end_ns; i = next)
    {
      guint32 state = segment->piece_state[i];
      KymoExplainLongest here = { .location = segment->location };

      next = i + 1;
      if (kymo_ask_is_stopped (ask, i))
        return;
      if (state >= KYMO_STATE_ACTIVITY)
        {
          figures[state].waiting_ns += idle_ns;
          idle_ns = 0;
          continue;
        }
      next = end_of_stretch (segment, i);
      here.begin_ns = MAX (kymo_segment_piece_begin (segment, i), ask->span.begin_ns);
      here.end_ns = MIN (kymo_segment_piece_begin (segment, next), ask->span.end_ns);
      here.ns = here.end_ns - here.begin_ns;
      if (here.ns <= 0)
        continue;
      idle_ns += state == KYMO_STATE_IDLE ? here.ns : 0;
      if (longest != NULL)
        take_longest (&longest[state], &here);
    }
}

static void
add_sends (const KymoAsk      *ask,
           KymoExplainFigures *figures,
           const KymoSegment  *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = 0; i < segment->n_sends && !kymo_ask_is_stopped (ask, i); i++)
    {
      gint64 time_ns = kymo_segment_send_time (segment, i);
      guint64 n = kymo_segment_send_destinations (segment, i);
      KymoExplainFigures *of = &figures[KYMO_STATE_ACTIVITY + segment->send_activity[i]];

      if (time_ns < ask->span.begin_ns || time_ns >= end_ns)
        continue;
      of->sent += n;
      of->sent_bytes = kymo_saturating_add (of->sent_bytes,
                                            MIN (n * segment->send_bytes[i], G_MAXINT64));
    }
}

static void
explain_partial (const KymoAsk *ask,
                 gpointer       state,
                 KymoSegment   *segment)
{
  const KymoExplainPlan *plan = ask->plan;
  KymoExplainSums *sums = state;
  guint row = ask->row_of[segment->location];
  gboolean chosen = plan->is_chosen[row];
  g_autofree KymoExplainFigures *here = NULL;

  if (!kymo_ask_compares (ask, row) || ask->run->profiles != NULL)
    return;
  kymo_pe_sums_add (ask, sums->pes, segment);
  if (!plan->counts || segment->bins != NULL)
    return;
  here = g_new0 (KymoExplainFigures, sums->n_states);
  add_blocks (ask, here, chosen ? sums->longest : NULL, segment);
  add_track (ask, here, chosen ? sums->longest : NULL, segment);
  add_sends (ask, here, segment);
  for (guint i = 0; i < sums->n_states; i++)
    {
      add_figures (&sums->all[i], &here[i]);
      if (chosen)
        add_figures (&sums->chosen[i], &here[i]);
    }
}

static void
explain_merge (const KymoAsk *ask,
               gpointer       a,
               gpointer       b)
{
  KymoExplainSums *into = a, *from = b;

  kymo_pe_sums_merge (ask, into->pes, from->pes);
  for (guint i = 0; i < into->n_states; i++)
    {
      add_figures (&into->chosen[i], &from->chosen[i]);
      add_figures (&into->all[i], &from->all[i]);
      take_longest (&into->longest[i], &from->longest[i]);
    }
}

/* -- the reasons ----------------------------------------------------------- */

/* Adds a PE's time in each state to where it belongs. */
static void
add_times (const KymoLocationSums *times,
           gboolean                chosen,
           KymoReason             *reasons)
{
  const gint64 ns[KYMO_STATE_ACTIVITY] = {
    [KYMO_STATE_OVERHEAD] = times->overhead_ns, [KYMO_STATE_IDLE] = times->idle_ns,
    [KYMO_STATE_UNTRACED] = times->untraced_ns,
  };

  for (guint i = 0; i < KYMO_STATE_ACTIVITY; i++)
    {
      reasons[i].all_ns += ns[i];
      reasons[i].chosen_ns += chosen ? ns[i] : 0;
    }
  for (guint k = 0; times->shares != NULL && k < times->shares->len; k++)
    {
      const KymoLocationShare *share = &g_array_index (times->shares, KymoLocationShare, k);

      reasons[share->state].all_ns += share->exclusive_ns;
      reasons[share->state].chosen_ns += chosen ? share->exclusive_ns : 0;
    }
}

static void
add_square (KymoReason *reason,
            gint64      ns,
            guint       n_pes,
            guint      *seen)
{
  double off = ns - (double) reason->all_ns / n_pes;

  reason->deviation_ns += off * off;
  (*seen)++;
}

/* Squares of what PEs are off the mean; PEs that do not have a state at all
   are off by all of it. */
static void
measure_deviations (const KymoAsk         *ask,
                    const KymoExplainSums *sums,
                    KymoReason            *reasons)
{
  guint n = ((KymoExplainPlan *) ask->plan)->n_pes;
  g_autofree guint *seen = g_new0 (guint, sums->n_states);

  for (guint row = 0; row < ask->n_locations; row++)
    {
      const KymoLocationSums *times = &sums->pes->times->locations[row];

      if (!kymo_ask_compares (ask, row))
        continue;
      add_square (&reasons[KYMO_STATE_OVERHEAD], times->overhead_ns, n,
                  &seen[KYMO_STATE_OVERHEAD]);
      add_square (&reasons[KYMO_STATE_IDLE], times->idle_ns, n, &seen[KYMO_STATE_IDLE]);
      add_square (&reasons[KYMO_STATE_UNTRACED], times->untraced_ns, n,
                  &seen[KYMO_STATE_UNTRACED]);
      for (guint k = 0; times->shares != NULL && k < times->shares->len; k++)
        {
          const KymoLocationShare *share = &g_array_index (times->shares, KymoLocationShare, k);

          add_square (&reasons[share->state], share->exclusive_ns, n, &seen[share->state]);
        }
    }
  for (guint i = 0; i < sums->n_states; i++)
    {
      double mean = (double) reasons[i].all_ns / n;

      reasons[i].deviation_ns = sqrt ((reasons[i].deviation_ns + (n - seen[i]) * mean * mean) / n);
    }
}

static int
compare_reasons (gconstpointer a,
                 gconstpointer b)
{
  const KymoReason *x = a, *y = b;
  __int128 left = x->difference < 0 ? -x->difference : x->difference;
  __int128 right = y->difference < 0 ? -y->difference : y->difference;

  if (left != right)
    return left > right ? -1 : 1;
  return x->state < y->state ? -1 : x->state > y->state;
}

static gboolean
is_there (const KymoExplainSums *sums,
          const KymoReason      *reason)
{
  const KymoExplainFigures *all = &sums->all[reason->state];

  return reason->all_ns > 0 || all->blocks > 0 || all->sent > 0;
}

/* Differences in the times of all states that any PE has, the largest difference first. */
static GArray *
find_reasons (const KymoAsk         *ask,
              const KymoExplainSums *sums)
{
  const KymoExplainPlan *plan = ask->plan;
  g_autofree KymoReason *by_state = g_new0 (KymoReason, sums->n_states);
  GArray *reasons = g_array_new (FALSE, FALSE, sizeof (KymoReason));

  for (guint row = 0; row < ask->n_locations; row++)
    if (kymo_ask_compares (ask, row))
      add_times (&sums->pes->times->locations[row], plan->is_chosen[row], by_state);
  measure_deviations (ask, sums, by_state);
  for (guint i = 0; i < sums->n_states; i++)
    {
      by_state[i].state = i;
      by_state[i].difference = (__int128) by_state[i].chosen_ns * plan->n_pes
        - (__int128) by_state[i].all_ns * plan->n_chosen;
      if (is_there (sums, &by_state[i]))
        g_array_append_val (reasons, by_state[i]);
    }
  g_array_sort (reasons, compare_reasons);
  g_array_set_size (reasons, MIN (reasons->len, MAX (plan->count, 0)));
  return reasons;
}

static KymoTable *
explain_conclude (const KymoAsk  *ask,
                  gpointer        data,
                  GError        **error)
{
  KymoExplainSums *sums = data;
  g_autoptr (GArray) reasons = NULL;

  if (!kymo_pe_sums_take_profile (ask, sums->pes, error))
    return NULL;
  reasons = find_reasons (ask, sums);
  return kymo_explain_answer (ask, sums, reasons);
}

static const KymoKeyword keywords[] =
{
  { "of", KYMO_KEYWORD_TEXT, "LIST", "the PEs, as 17 or 0-3,8" },
  { "count", KYMO_KEYWORD_COUNT, "N", "number of reasons (10)" },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "reasons", "id name kind difference_ns deviations mean_ns mean_of_all_ns sum_ns "
    "sum_of_all_ns blocks blocks_of_all calls calls_of_all mean_block_ns "
    "mean_block_of_all_ns waiting_ns waiting_of_all_ns sent sent_of_all sent_bytes "
    "sent_of_all_bytes location begin_ns end_ns sentence" },
  { NULL }
};

const KymoAnswerClass kymo_answer_explain =
{
  { "explain", N_("An explanation of outliers"),
    "what some PEs have more or less of than the others",
    keywords, KYMO_CAN_PROFILE, .lists = lists,
    .topic = KYMO_TOPIC_LOAD, .example = "--of 1" },
  explain_prepare, explain_release, state_new, state_free, explain_partial, explain_merge,
  .conclude = explain_conclude,
  .needs_of = needs_of,
};
