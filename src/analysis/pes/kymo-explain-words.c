/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reason in words: "PE 17 spends 1.2 s more in Foo::bar than the mean (3.1 s
 * against 1.9 s): the same number of calls, blocks 1.6 times as long".
 */
#include "config.h"

#include "kymo-explain-private.h"

#include <math.h>

#include "kymo-units.h"

/* Less than this off is the same. */
#define SAME 0.02
/* Waiting is told where it is at least this share of the difference. */
#define TOLD 10

/* The words of one sentence. */
typedef struct
{
  const KymoAsk         *ask;
  const KymoExplainSums *sums;
  const KymoReason      *reason;
  guint                  n_chosen, n_pes;
  GString               *out;
} Words;

static const char *
name_of (const Words *words)
{
  return kymo_ask_state_name (words->ask, words->reason->state);
}

static const char *
rows_of (const Words *words,
         gboolean     several)
{
  return kymo_terms_row (words->ask->run->terms, several);
}

/* "PE 17", or "The 3 PEs" */
static void
say_who (Words *words)
{
  const KymoExplainPlan *plan = words->ask->plan;

  if (words->n_chosen > 1)
    {
      g_string_append_printf (words->out, "The %u %s", words->n_chosen, rows_of (words, TRUE));
      return;
    }
  for (guint row = 0; row < words->ask->n_locations; row++)
    if (plan->is_chosen[row])
      g_string_append (words->out, kymo_run_peek_location (
        words->ask->run, words->ask->locations[row])->label);
}

/* Verb of one PE, or of several. */
static void
say_does (Words      *words,
          const char *one,
          const char *several)
{
  g_string_append_printf (words->out, " %s ", words->n_chosen > 1 ? several : one);
}

static void
say_time (Words  *words,
          gint64  ns)
{
  g_autofree char *text = kymo_format_duration (ABS (ns));

  g_string_append (words->out, text);
}

/* " each", where one might take it for all of them together */
static const char *
each (const Words *words)
{
  return words->n_chosen > 1 ? " each" : "";
}

static gint64
mean_of_chosen (const Words *words)
{
  return kymo_explain_divide (words->reason->chosen_ns, words->n_chosen);
}

static gint64
difference_of (const Words *words)
{
  return kymo_explain_divide (words->reason->difference,
                              (__int128) words->n_chosen * words->n_pes);
}

static const char *
more (gint64 difference_ns)
{
  return difference_ns < 0 ? "less" : "more";
}

/* " than the mean (3.1 s against 1.9 s)" */
static void
say_against (Words *words)
{
  g_string_append (words->out, " than the mean (");
  say_time (words, mean_of_chosen (words));
  g_string_append (words->out, " against ");
  say_time (words, kymo_explain_divide (words->reason->all_ns, words->n_pes));
  g_string_append_c (words->out, ')');
}

/* "1.6"; near 1 two digits, and far below it as well */
static void
say_ratio (Words  *words,
           double  ratio)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *format = ratio >= 9.95 ? "%.0f"
    : ratio < 0.1 || fabs (ratio - 1) < 0.05 ? "%.2f" : "%.1f";

  g_string_append (words->out, g_ascii_formatd (number, sizeof number, format, ratio));
}

/* -- entry methods --------------------------------------------------------- */

/* ": 1.6 times as many calls, blocks as long" */
static void
say_calls (Words *words)
{
  const KymoExplainFigures *chosen = &words->sums->chosen[words->reason->state];
  const KymoExplainFigures *all = &words->sums->all[words->reason->state];
  double calls, length;

  if (chosen->calls == 0 || chosen->blocks == 0 || chosen->block_ns <= 0)
    return;
  calls = (double) chosen->calls * words->n_pes / ((double) all->calls * words->n_chosen);
  length = (double) chosen->block_ns * all->blocks / ((double) all->block_ns * chosen->blocks);
  g_string_append (words->out, ": ");
  if (fabs (calls - 1) < SAME)
    g_string_append (words->out, "the same number of calls");
  else
    {
      say_ratio (words, calls);
      g_string_append (words->out, " times as many calls");
    }
  g_string_append (words->out, ", blocks ");
  if (fabs (length - 1) >= SAME)
    {
      say_ratio (words, length);
      g_string_append (words->out, " times ");
    }
  g_string_append (words->out, "as long");
}

static __int128
waiting_difference (const Words *words,
                    guint32      state)
{
  return (__int128) words->sums->chosen[state].waiting_ns * words->n_pes
    - (__int128) words->sums->all[state].waiting_ns * words->n_chosen;
}

static __int128
magnitude (__int128 value)
{
  return value < 0 ? -value : value;
}

/* "; 0.4 s more idle time before them" */
static void
say_waiting (Words *words)
{
  __int128 waiting = waiting_difference (words, words->reason->state);
  gint64 ns = kymo_explain_divide (waiting, (__int128) words->n_chosen * words->n_pes);

  if (ns == 0 || magnitude (waiting) * TOLD < magnitude (words->reason->difference))
    return;
  g_string_append (words->out, "; ");
  say_time (words, ns);
  g_string_append_printf (words->out, " %s idle time%s before its blocks", more (ns),
                          each (words));
}

static void
say_entry (Words *words)
{
  const KymoReason *reason = words->reason;
  gint64 difference_ns = difference_of (words);

  if (reason->chosen_ns == 0)
    {
      say_does (words, "spends no time in", "spend no time in");
      g_string_append (words->out, name_of (words));
      g_string_append (words->out, "; the mean is ");
      say_time (words, kymo_explain_divide (reason->all_ns, words->n_pes));
      return;
    }
  say_does (words, "spends", "spend");
  if (reason->chosen_ns == reason->all_ns)
    {
      say_time (words, mean_of_chosen (words));
      g_string_append_printf (words->out, "%s in %s, in which no other %s spends any",
                              each (words), name_of (words), rows_of (words, FALSE));
    }
  else if (difference_ns == 0)
    {
      g_string_append_printf (words->out, "as much time in %s as the mean (", name_of (words));
      say_time (words, mean_of_chosen (words));
      g_string_append_c (words->out, ')');
    }
  else
    {
      say_time (words, difference_ns);
      g_string_append_printf (words->out, " %s%s in %s", more (difference_ns), each (words),
                              name_of (words));
      say_against (words);
    }
  say_calls (words);
  say_waiting (words);
}

/* -- idle time and its like ------------------------------------------------ */

/* The entry method before which there is most of the difference in idle time. */
static void
say_where_idle (Words *words)
{
  gboolean less = words->reason->difference < 0;
  __int128 most = 0;
  guint32 found = 0;

  for (guint32 s = KYMO_STATE_ACTIVITY; s < words->sums->n_states; s++)
    {
      __int128 here = waiting_difference (words, s);

      if (less ? here < most : here > most)
        {
          most = here;
          found = s;
        }
    }
  if (found == 0 || magnitude (most) * TOLD < magnitude (words->reason->difference))
    return;
  g_string_append (words->out, "; ");
  say_time (words, kymo_explain_divide (most, (__int128) words->n_chosen * words->n_pes));
  g_string_append_printf (words->out, " %s before %s", less ? "less" : "more",
                          kymo_ask_state_name (words->ask, found));
}

static void
say_other (Words *words)
{
  static const char *const nouns[] = { "overhead", "idle time", "untraced time" };
  gint64 difference_ns = difference_of (words);
  const char *noun = nouns[words->reason->state];

  say_does (words, "has", "have");
  if (difference_ns == 0)
    {
      g_string_append_printf (words->out, "as much %s as the mean (", noun);
      say_time (words, mean_of_chosen (words));
      g_string_append_c (words->out, ')');
      return;
    }
  say_time (words, difference_ns);
  g_string_append_printf (words->out, " %s %s%s", more (difference_ns), noun, each (words));
  say_against (words);
  if (words->reason->state == KYMO_STATE_IDLE)
    say_where_idle (words);
}

/**
 * kymo_explain_sentence:
 *
 * Returns: (transfer full): the reason in words, without a full stop
 */
char *
kymo_explain_sentence (const KymoAsk         *ask,
                       const KymoExplainSums *sums,
                       const KymoReason      *reason)
{
  const KymoExplainPlan *plan = ask->plan;
  Words words = { ask, sums, reason, plan->n_chosen, plan->n_pes, g_string_new (NULL) };

  say_who (&words);
  if (reason->state < KYMO_STATE_ACTIVITY)
    say_other (&words);
  else
    say_entry (&words);
  return g_string_free (words.out, FALSE);
}
