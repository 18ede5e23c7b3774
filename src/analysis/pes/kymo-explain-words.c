/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reason in words: "PE 17 spends 1.2 s more in Foo::bar than the mean (3.1 s
 * against 1.9 s): the same number of calls, blocks 1.6 times as long".
 *
 * Each sentence is translated as a whole; what is put into its braces are names and figures.
 */
#include "config.h"

#include "kymo-explain-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-term-words.h"
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
} Words;

/* How the chosen ones differ from the mean. */
enum { LESS, EQUAL, MORE, N_WAYS };

/* Of one row and of several. */
typedef struct
{
  const char *one, *several;
} Sentence;

/* Translators: {who} is a location, “PE 17”; {name} an entry method or function; {time},
   {difference} and {mean} are durations, {n} a number of locations. */
static const Sentence entries[N_WAYS] = {
  [LESS] = {
    N_("{who} spends {difference} less in {name} than the mean ({time} against {mean})"),
    N_("The {n} {rows} spend {difference} less each in {name} than the mean "
       "({time} against {mean})") },
  [EQUAL] = {
    N_("{who} spends as much time in {name} as the mean ({time})"),
    N_("The {n} {rows} spend as much time in {name} as the mean ({time})") },
  [MORE] = {
    N_("{who} spends {difference} more in {name} than the mean ({time} against {mean})"),
    N_("The {n} {rows} spend {difference} more each in {name} than the mean "
       "({time} against {mean})") },
};
static const Sentence none = {
  N_("{who} spends no time in {name}; the mean is {mean}"),
  N_("The {n} {rows} spend no time in {name}; the mean is {mean}")
};
static const Sentence alone = {
  N_("{who} spends {time} in {name}, in which no other {row} spends any"),
  N_("The {n} {rows} spend {time} each in {name}, in which no other {row} spends any")
};
static const Sentence states[KYMO_STATE_ACTIVITY][N_WAYS] = {
  [KYMO_STATE_OVERHEAD] = {
    { N_("{who} has {difference} less overhead than the mean ({time} against {mean})"),
      N_("The {n} {rows} have {difference} less overhead each than the mean "
         "({time} against {mean})") },
    { N_("{who} has as much overhead as the mean ({time})"),
      N_("The {n} {rows} have as much overhead as the mean ({time})") },
    { N_("{who} has {difference} more overhead than the mean ({time} against {mean})"),
      N_("The {n} {rows} have {difference} more overhead each than the mean "
         "({time} against {mean})") },
  },
  [KYMO_STATE_IDLE] = {
    { N_("{who} has {difference} less idle time than the mean ({time} against {mean})"),
      N_("The {n} {rows} have {difference} less idle time each than the mean "
         "({time} against {mean})") },
    { N_("{who} has as much idle time as the mean ({time})"),
      N_("The {n} {rows} have as much idle time as the mean ({time})") },
    { N_("{who} has {difference} more idle time than the mean ({time} against {mean})"),
      N_("The {n} {rows} have {difference} more idle time each than the mean "
         "({time} against {mean})") },
  },
  [KYMO_STATE_UNTRACED] = {
    { N_("{who} has {difference} less untraced time than the mean ({time} against {mean})"),
      N_("The {n} {rows} have {difference} less untraced time each than the mean "
         "({time} against {mean})") },
    { N_("{who} has as much untraced time as the mean ({time})"),
      N_("The {n} {rows} have as much untraced time as the mean ({time})") },
    { N_("{who} has {difference} more untraced time than the mean ({time} against {mean})"),
      N_("The {n} {rows} have {difference} more untraced time each than the mean "
         "({time} against {mean})") },
  },
};

/* -- filling ---------------------------------------------------------------- */

static char *
dup_time (gint64 ns)
{
  return kymo_format_duration (ABS (ns));
}

/* "1.6"; near 1 two digits, and far below it as well */
static char *
dup_ratio (double ratio)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *format = ratio >= 9.95 ? "%.0f"
    : ratio < 0.1 || fabs (ratio - 1) < 0.05 ? "%.2f" : "%.1f";

  return g_strdup (g_ascii_formatd (number, sizeof number, format, ratio));
}

/* "PE 17"; %NULL of several */
static const char *
who (const Words *words)
{
  const KymoExplainPlan *plan = words->ask->plan;

  for (guint row = 0; words->n_chosen == 1 && row < words->ask->n_locations; row++)
    if (plan->is_chosen[row])
      return kymo_shown_label (kymo_run_peek_location (words->ask->run,
                                                       words->ask->locations[row])->label);
  return NULL;
}

static gint64
difference_of (const Words *words)
{
  return kymo_explain_divide (words->reason->difference,
                              (__int128) words->n_chosen * words->n_pes);
}

static char *
fill_sentence (const Words    *words,
               const Sentence *sentence)
{
  const KymoReason *reason = words->reason;
  const char *template = words->n_chosen > 1 ? _(sentence->several) : _(sentence->one);
  g_autofree char *n = g_strdup_printf ("%u", words->n_chosen);
  g_autofree char *difference = dup_time (difference_of (words));
  g_autofree char *time = dup_time (kymo_explain_divide (reason->chosen_ns, words->n_chosen));
  g_autofree char *mean = dup_time (kymo_explain_divide (reason->all_ns, words->n_pes));

  return kymo_words_filled (kymo_in_terms (words->ask->run->terms, template), "{who}", who (words),
                            "{n}", n, "{difference}", difference, "{time}", time, "{mean}", mean,
                            "{name}", kymo_ask_state_name (words->ask, reason->state), NULL);
}

/* -- entry methods --------------------------------------------------------- */

/* (nullable): "1.6 times as many calls, blocks as long" */
static char *
dup_calls (const Words *words)
{
  const KymoExplainFigures *chosen = &words->sums->chosen[words->reason->state];
  const KymoExplainFigures *all = &words->sums->all[words->reason->state];
  double calls, length;
  g_autofree char *more = NULL, *longer = NULL;

  if (words->reason->chosen_ns == 0 || chosen->calls == 0 || chosen->blocks == 0
      || chosen->block_ns <= 0)
    return NULL;
  calls = (double) chosen->calls * words->n_pes / ((double) all->calls * words->n_chosen);
  length = (double) chosen->block_ns * all->blocks / ((double) all->block_ns * chosen->blocks);
  more = dup_ratio (calls);
  longer = dup_ratio (length);
  /* Translators: {calls} and {length} are numbers. */
  return kymo_words_filled (fabs (calls - 1) < SAME
                            ? (fabs (length - 1) < SAME
                               ? _("the same number of calls, blocks as long")
                               : _("the same number of calls, blocks {length} times as long"))
                            : fabs (length - 1) < SAME
                            ? _("{calls} times as many calls, blocks as long")
                            : _("{calls} times as many calls, blocks {length} times as long"),
                            "{calls}", more, "{length}", longer, NULL);
}

/* -- idle time --------------------------------------------------------------- */

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

/* Whether it is much of what the reason is about. */
static gboolean
is_worth_telling (const Words *words,
                  __int128     waiting)
{
  return magnitude (waiting) * TOLD >= magnitude (words->reason->difference);
}

static gint64
time_of_one (const Words *words,
             __int128     waiting)
{
  return kymo_explain_divide (waiting, (__int128) words->n_chosen * words->n_pes);
}

/* (nullable): "0.4 s more idle time before its blocks" */
static char *
dup_waiting (const Words *words)
{
  __int128 waiting = waiting_difference (words, words->reason->state);
  gint64 ns = time_of_one (words, waiting);
  g_autofree char *time = dup_time (ns);

  if (words->reason->chosen_ns == 0 || ns == 0 || !is_worth_telling (words, waiting))
    return NULL;
  return kymo_words_filled (words->n_chosen > 1
                            ? (ns < 0 ? _("{time} less idle time each before its blocks")
                               : _("{time} more idle time each before its blocks"))
                            : ns < 0 ? _("{time} less idle time before its blocks")
                            : _("{time} more idle time before its blocks"), "{time}", time, NULL);
}

/* (nullable): the entry method before which there is most of the difference in idle time:
   "0.4 s more before Cell::step" */
static char *
dup_where_idle (const Words *words)
{
  gboolean less = words->reason->difference < 0;
  __int128 most = 0;
  guint32 found = 0;
  g_autofree char *time = NULL;

  for (guint32 s = KYMO_STATE_ACTIVITY; s < words->sums->n_states; s++)
    {
      __int128 here = waiting_difference (words, s);

      if (less ? here < most : here > most)
        {
          most = here;
          found = s;
        }
    }
  if (found == 0 || !is_worth_telling (words, most))
    return NULL;
  time = dup_time (time_of_one (words, most));
  return kymo_words_filled (less ? _("{time} less before {name}") : _("{time} more before {name}"),
                            "{time}", time, "{name}", kymo_ask_state_name (words->ask, found),
                            NULL);
}

/* -- sentences ----------------------------------------------------------------- */

static const Sentence *
find_sentence (const Words *words)
{
  const KymoReason *reason = words->reason;
  gint64 difference_ns = difference_of (words);
  guint way = difference_ns == 0 ? EQUAL : difference_ns < 0 ? LESS : MORE;

  if (reason->state < KYMO_STATE_ACTIVITY)
    return &states[reason->state][way];
  return reason->chosen_ns == 0 ? &none : reason->chosen_ns == reason->all_ns ? &alone
         : &entries[way];
}

/**
 * kymo_explain_sentence:
 *
 * Returns: (transfer full): the reason in words, translated, without a full stop
 */
char *
kymo_explain_sentence (const KymoAsk         *ask,
                       const KymoExplainSums *sums,
                       const KymoReason      *reason)
{
  const KymoExplainPlan *plan = ask->plan;
  Words words = { ask, sums, reason, plan->n_chosen, plan->n_pes };
  gboolean runs = reason->state >= KYMO_STATE_ACTIVITY;
  g_autofree char *sentence = fill_sentence (&words, find_sentence (&words));
  g_autofree char *calls = runs ? dup_calls (&words) : NULL;
  g_autofree char *idle = runs ? dup_waiting (&words)
    : reason->state == KYMO_STATE_IDLE && difference_of (&words) != 0 ? dup_where_idle (&words)
    : NULL;

  /* Translators: what differs, and after it why, as “PE 17 spends 1.2 s more …”, “the same number
     of calls, …” and “0.4 s more idle time …”. */
  return kymo_words_filled (calls != NULL && idle != NULL ? _("{sentence}: {calls}; {idle}")
                            : calls != NULL ? _("{sentence}: {calls}")
                            : idle != NULL ? _("{sentence}; {idle}") : "{sentence}",
                            "{sentence}", sentence, "{calls}", calls, "{idle}", idle, NULL);
}
