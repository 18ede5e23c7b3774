/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison in words: how long both took, of how many PEs figures are, what grew
 * and what shrank most and why, what one has alone, and what is noise.
 */
#include "config.h"

#include "kymo-comparison-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-term-words.h"
#include "kymo-units.h"

/* Most activities that grew, and most that shrank, with a sentence of their own. */
#define TOLD 3
/* A smaller share of A's time gets no sentence. */
#define WORTH 0.001
/* Of more sides than these the ends are told. */
#define MOST_SIDES 4
/* Less than this off is the same. */
#define SAME 0.02

typedef struct
{
  const KymoCompared *compared;
  const KymoTable    *answer;
  const KymoTable    *activities;
  KymoTable          *sentences;
  KymoTerms           terms;
  gboolean            is_time;
  guint               against;
  char               *a, *b;            /* labels of the sides */
  guint               n_sides;
} Words;

/* Takes the sentence. */
static void
say_comparison_words (Words *words,
                      char  *sentence)
{
  kymo_table_append_string (words->sentences, 0, sentence);
  g_free (sentence);
}

static char *
amount_comparison_words (const Words *words,
                         gint64       value)
{
  gint64 size = value == G_MININT64 ? G_MAXINT64 : ABS (value);

  return words->is_time ? kymo_format_duration (size)
    : kymo_format_count (size);
}

/* A column of the answer whose name tells its unit. */
static gint64
figure_comparison_words (const Words     *words,
                         const KymoTable *table,
                         const char      *name,
                         guint            row)
{
  g_autofree char *whole = g_strconcat (name, words->is_time ? "_ns" : "", NULL);

  return kymo_table_get_int (table, whole, row);
}

/* Of a column with a number a side. */
static gint64
of_side (const Words     *words,
         const KymoTable *table,
         const char      *name,
         gboolean         has_unit,
         guint            row,
         guint            side)
{
  g_autofree char *whole = g_strconcat (name, has_unit && words->is_time ? "_ns" : "", NULL);
  guint width = 0;
  const gint64 *values = kymo_table_peek_ints (table, whole, &width);

  return values != NULL && side < width ? values[(gsize) row * width + side] : KYMO_NULL_INT;
}

/* How a ratio is told: "as much", "4.9 % more", "2.1 times as much", "40.0 % less". */
typedef enum { UNKNOWN, MORE, TIMES, LESS, N_CHANGES } Change;

/* Returns: (transfer full) (nullable): the figure that goes with it */
static char *
find_change (double  ratio,
             Change *change)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  *change = !isfinite (ratio) ? UNKNOWN : ratio >= 2 ? TIMES : ratio < 1 ? LESS : MORE;
  if (*change == UNKNOWN)
    return NULL;
  if (*change == TIMES)
    return g_strdup (g_ascii_formatd (number, sizeof number, ratio >= 9.95 ? "%.0f" : "%.1f",
                                      ratio));
  return kymo_format_percent (fabs (ratio - 1));
}

/* -- the whole ---------------------------------------------------------------- */

static guint
row_of (const KymoTable *totals,
        const char      *name)
{
  for (guint i = 0; i < kymo_table_get_n_rows (totals); i++)
    if (g_strcmp0 (kymo_table_get_string (totals, "name", i), name) == 0)
      return i;
  return 0;
}

static void
say_elapsed (Words           *words,
             const KymoTable *totals)
{
  guint row = row_of (totals, "elapsed");
  gint64 a_ns = of_side (words, totals, "total", TRUE, row, 0);
  gint64 b_ns = of_side (words, totals, "total", TRUE, row, words->against);
  g_autofree char *a = amount_comparison_words (words, a_ns);
  g_autofree char *b = amount_comparison_words (words, b_ns);
  gboolean noise = kymo_table_get_bool (totals, "is_noise", row) == TRUE;
  /* Translators: {a} and {b} are labels of runs, as “A” and “B”, {time_a} and {time_b} times or
     counts, {change} is a percentage or a number. */
  static const char *const known[N_CHANGES][2] = {
    [UNKNOWN] = { N_("{a} took {time_a}, {b} {time_b}."), N_("{a} took {time_a}, {b} {time_b}.") },
    [MORE] = { N_("{a} took {time_a}, {b} {time_b}: {change} more."),
               N_("{a} took {time_a}, {b} {time_b}: {change} more; repeats are as far apart.") },
    [TIMES] = { N_("{a} took {time_a}, {b} {time_b}: {change} times as much."),
                N_("{a} took {time_a}, {b} {time_b}: {change} times as much; repeats are as far "
                   "apart.") },
    [LESS] = { N_("{a} took {time_a}, {b} {time_b}: {change} less."),
               N_("{a} took {time_a}, {b} {time_b}: {change} less; repeats are as far apart.") },
  };
  Change way;
  g_autofree char *change = find_change (kymo_table_get_double (totals, "ratio", row), &way);

  say_comparison_words (words, kymo_words_filled (
    a_ns == b_ns ? _("{a} and {b} took the same: {time_a}.") : _(known[way][noise]),
    "{a}", words->a, "{b}", words->b, "{time_a}", a, "{time_b}", b, "{change}", change, NULL));
}

/* Of many sides "A has 8 PEs, the others 8 to 64" */
static char *
dup_counts_of_many (Words      *words,
                    const char *first)
{
  const KymoTable *sides = kymo_table_peek_nested (words->answer, "sides", NULL);
  gint64 least = G_MAXINT64, most = 0;
  g_autofree char *from = NULL, *to = NULL;

  for (guint i = 1; i < words->n_sides; i++)
    {
      gint64 pes = llround (kymo_table_get_double (sides, "pes", i));

      least = MIN (least, pes);
      most = MAX (most, pes);
    }
  from = kymo_format_count (least);
  to = kymo_format_count (most);
  return kymo_words_filled (kymo_in_terms (words->terms, least < most
                                           ? _("{a} has {n} {rows}, the others {from} to {to}")
                                           : _("{a} has {n} {rows}, the others {from}")),
                            "{a}", words->a, "{n}", first, "{from}", from, "{to}", to, NULL);
}

/* "A has 8 PEs, B 16" */
static char *
counts_of (Words *words)
{
  const KymoTable *sides = kymo_table_peek_nested (words->answer, "sides", NULL);
  gint64 n = llround (kymo_table_get_double (sides, "pes", 0));
  g_autofree char *first = kymo_format_count (n);
  char *counts;

  if (words->n_sides > MOST_SIDES)
    return dup_counts_of_many (words, first);
  counts = kymo_words_filled (kymo_in_terms (words->terms, n != 1 ? _("{a} has {n} {rows}")
                                             : _("{a} has {n} {row}")),
                              "{a}", words->a, "{n}", first, NULL);
  for (guint i = 1; i < words->n_sides; i++)
    {
      g_autofree char *number = kymo_format_count (llround (kymo_table_get_double (sides, "pes",
                                                                                   i)));
      g_autofree char *before = counts;

      /* Translators: a list that goes on, as “A has 8 PEs, B 16”. */
      counts = kymo_words_filled (_("{list}, {side} {n}"), "{list}", before, "{side}",
                                  kymo_table_get_string (sides, "label", i), "{n}", number, NULL);
    }
  return counts;
}

/* Of how many rows, where they are not as many. */
static void
say_pes (Words *words)
{
  g_autofree char *counts = counts_of (words);

  /* Translators: {counts} is as “A has 8 PEs, B 16”. */
  if (kymo_table_get_bool (words->answer, "pes_differ", 0))
    say_comparison_words (words, kymo_words_filled (
      kymo_table_get_bool (words->answer, "per_pe", 0)
      ? _("{counts}: figures are of one on average.")
      : _("{counts}: figures are sums over all of them, so more of them have more time."),
      "{counts}", counts, NULL));
}

/* "1.43", and the efficiency */
static char *
dup_speed (const KymoTable *sides,
           guint            side,
           char           **efficiency)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  *efficiency = kymo_format_percent (kymo_table_get_double (sides, "efficiency", side));
  return g_strdup (g_ascii_formatd (number, sizeof number, "%.2f",
                                    kymo_table_get_double (sides, "speed_up", side)));
}

/* Of many sides the ends, and how many cannot be told from noise. */
static void
say_range (Words           *words,
           const KymoTable *sides,
           guint            slowest,
           guint            fastest)
{
  g_autofree char *best = NULL, *worst = NULL;
  g_autofree char *most = dup_speed (sides, fastest, &best);
  g_autofree char *least = dup_speed (sides, slowest, &worst);
  g_autofree char *n = g_strdup_printf ("%u", words->n_sides - 1);
  guint known = 0, noise = 0;

  for (guint i = 1; i < words->n_sides; i++)
    {
      known += kymo_table_get_bool (sides, "has_noise", i);
      noise += kymo_table_get_bool (sides, "is_noise", i);
    }
  say_comparison_words (words, kymo_words_filled (
    _("Of {n} others {fastest} is the fastest ({most} times as fast as {a}, efficiency {best}), "
      "{slowest} the slowest ({least} times as fast as {a}, efficiency {worst})."), "{n}", n,
    "{fastest}", kymo_table_get_string (sides, "label", fastest), "{most}", most, "{best}", best,
    "{slowest}", kymo_table_get_string (sides, "label", slowest), "{least}", least,
    "{worst}", worst, "{a}", words->a, NULL));
  if (known > 0)
    say_comparison_words (words, g_strdup_printf (
      _("%u of %u are no further from %s than repeats are apart: noise."), noise, known,
      words->a));
}

static void
say_sides (Words *words)
{
  const KymoTable *sides = kymo_table_peek_nested (words->answer, "sides", NULL);
  guint slowest = 0, fastest = 0;

  if (words->n_sides <= 2)
    return;
  for (guint i = 1; i < words->n_sides; i++)
    {
      double own = kymo_table_get_double (sides, "speed_up", i);

      if (!isfinite (own))
        continue;
      if (slowest == 0 || own < kymo_table_get_double (sides, "speed_up", slowest))
        slowest = i;
      if (fastest == 0 || own > kymo_table_get_double (sides, "speed_up", fastest))
        fastest = i;
    }
  if (words->n_sides > MOST_SIDES && fastest != slowest)
    {
      say_range (words, sides, slowest, fastest);
      return;
    }
  for (guint i = 1; i < words->n_sides; i++)
    if (isfinite (kymo_table_get_double (sides, "speed_up", i)))
      {
        g_autofree char *efficiency = NULL, *own = dup_speed (sides, i, &efficiency);

        say_comparison_words (words, kymo_words_filled (
          kymo_table_get_bool (sides, "is_noise", i)
          ? _("{side} is {speed} times as fast as {a}, efficiency {efficiency}; repeats are as far "
              "apart.")
          : _("{side} is {speed} times as fast as {a}, efficiency {efficiency}."),
          "{side}", kymo_table_get_string (sides, "label", i), "{speed}", own, "{a}", words->a,
          "{efficiency}", efficiency, NULL));
      }
}

/* -- what changed ------------------------------------------------------------- */

/* By the number of calls, where UNKNOWN stands for as many, and by how long each is. */
static const char *const reasons[N_CHANGES][3] = {
  [UNKNOWN] = { N_("as many calls, each as long"), N_("as many calls, each longer"),
                N_("as many calls, each shorter") },
  [MORE] = { N_("calls {change} more, each as long"), N_("calls {change} more, each longer"),
             N_("calls {change} more, each shorter") },
  [TIMES] = { N_("calls {change} times as much, each as long"),
              N_("calls {change} times as much, each longer"),
              N_("calls {change} times as much, each shorter") },
  [LESS] = { N_("calls {change} less, each as long"), N_("calls {change} less, each longer"),
             N_("calls {change} less, each shorter") },
};

/* "as many calls, each longer"; %NULL where it is not known */
static char *
why (const Words *words,
     guint        row)
{
  gint64 calls_a = of_side (words, words->activities, "calls", FALSE, row, 0);
  gint64 calls_b = of_side (words, words->activities, "calls", FALSE, row, words->against);
  double mean_ratio = kymo_table_get_double (words->activities, "mean_ratio", row);
  double calls_ratio = calls_a > 0 && calls_b > 0 ? (double) calls_b / (double) calls_a : NAN;
  g_autofree char *change = NULL;
  Change way;
  guint length;

  if (kymo_table_get_bool (words->answer, "per_pe", 0))
    {
      const KymoTable *sides = kymo_table_peek_nested (words->answer, "sides", NULL);

      calls_ratio *= kymo_table_get_double (sides, "pes", 0)
        / kymo_table_get_double (sides, "pes", words->against);
    }
  if (!isfinite (calls_ratio) || !isfinite (mean_ratio))
    return NULL;
  change = find_change (calls_ratio, &way);
  if (fabs (calls_ratio - 1) < SAME)
    way = UNKNOWN;
  length = fabs (mean_ratio - 1) < SAME ? 0 : mean_ratio > 1 ? 1 : 2;
  return kymo_words_filled (_(reasons[way][length]), "{change}", change, NULL);
}

static gboolean
is_told (const Words *words,
         guint        row,
         gboolean     growing)
{
  gint64 difference = figure_comparison_words (words, words->activities, "difference", row);
  double effect = kymo_table_get_double (words->activities, "effect", row);

  return (growing ? difference > 0 : difference < 0) && fabs (effect) >= WORTH
    && !kymo_table_get_bool (words->activities, "is_noise", row)
    && g_strcmp0 (kymo_table_get_string (words->activities, "kind", row), "event") != 0;
}

/* Idle time and its like, which some formats do not tell. */
static gboolean
is_state (const char *kind)
{
  static const char *const states[] = { "idle", "overhead", "rest", "untraced", NULL };

  return kind != NULL && g_strv_contains (states, kind);
}

/* What one run alone has, and what both have: less and more of it. Translators: {name} is an entry
   method or function, {time} a time or a count, {share} and {change} are percentages or numbers,
   {a} is the label of a run. */
static const char *const alone[2] = {
  N_("{name} is gone: {time}, {share} of {a}'s time."),
  N_("{name} is new: {time}, {share} of {a}'s time."),
};
static const char *const changes[2][N_CHANGES] = {
  {
    [UNKNOWN] = N_("{name} shrank by {time}, {share} of {a}'s time"),
    [MORE] = N_("{name} shrank by {time} ({change} more), {share} of {a}'s time"),
    [TIMES] = N_("{name} shrank by {time} ({change} times as much), {share} of {a}'s time"),
    [LESS] = N_("{name} shrank by {time} ({change} less), {share} of {a}'s time"),
  },
  {
    [UNKNOWN] = N_("{name} grew by {time}, {share} of {a}'s time"),
    [MORE] = N_("{name} grew by {time} ({change} more), {share} of {a}'s time"),
    [TIMES] = N_("{name} grew by {time} ({change} times as much), {share} of {a}'s time"),
    [LESS] = N_("{name} grew by {time} ({change} less), {share} of {a}'s time"),
  },
};

static void
say_one (Words    *words,
         guint     row,
         gboolean  growing)
{
  const char *present = kymo_table_get_string (words->activities, "present", row);
  double difference = figure_comparison_words (words, words->activities, "difference", row);
  g_autofree char *time = amount_comparison_words (words, difference);
  g_autofree char *share = kymo_format_percent (
    fabs (kymo_table_get_double (words->activities, "effect", row)));
  Change way;
  g_autofree char *change = find_change (kymo_table_get_double (words->activities, "ratio", row),
                                         &way);
  g_autofree char *reason = why (words, row), *sentence = NULL;
  gboolean both = g_strcmp0 (present, "both") == 0
                  || is_state (kymo_table_get_string (words->activities, "kind", row));

  sentence = kymo_words_filled (both ? _(changes[growing][way]) : _(alone[growing]),
                                "{name}", kymo_shown_name (kymo_table_get_string (
                                  words->activities, "name", row)),
                                "{time}", time, "{share}", share, "{change}", change,
                                "{a}", words->a, NULL);
  if (!both)
    say_comparison_words (words, g_steal_pointer (&sentence));
  else
    /* Translators: what changed, and after it why, as “as many calls, each longer”. */
    say_comparison_words (words, kymo_words_filled (
      reason != NULL ? _("{sentence}: {reason}.") : _("{sentence}."), "{sentence}", sentence,
      "{reason}", reason, NULL));
}

static void
say_changes (Words    *words,
             gboolean  growing)
{
  guint n = kymo_table_get_n_rows (words->activities), told = 0;

  for (guint i = 0; i < n && told < TOLD; i++)
    if (is_told (words, i, growing))
      {
        say_one (words, i, growing);
        told++;
      }
}

static void
say_presence (Words      *words,
              const char *present,
              const char *who)
{
  guint n = 0;
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (words->activities); i++)
    {
      if (g_strcmp0 (kymo_table_get_string (words->activities, "present", i), present) != 0
          || is_state (kymo_table_get_string (words->activities, "kind", i)))
        continue;
      if (n++ < TOLD)
        g_string_append_printf (names, "%s%s", n > 1 ? ", " : "",
                                kymo_table_get_string (words->activities, "name", i));
    }
  if (n > TOLD)
    say_comparison_words (words, g_strdup_printf (_("Only in %s: %s and %u more."), who,
                                                  names->str, n - TOLD));
  else if (n > 0)
    say_comparison_words (words, g_strdup_printf (_("Only in %s: %s."), who, names->str));
  g_string_free (names, TRUE);
}

/* -- noise -------------------------------------------------------------------- */

static void
say_noise (Words *words)
{
  guint n = kymo_table_get_n_rows (words->activities), noise = 0, most = 0;

  for (guint i = 0; i < n; i++)
    noise += kymo_table_get_bool (words->activities, "is_noise", i);
  for (guint i = 0; i < words->compared->n_sides; i++)
    most = MAX (most, (guint) kymo_table_get_int (
      kymo_table_peek_nested (words->answer, "sides", NULL), "n_runs", i));
  if (!kymo_table_get_bool (words->answer, "has_noise", 0))
    {
      say_comparison_words (words, g_strdup (_(KYMO_COMPARE_NO_REPEATS)));
      return;
    }
  say_comparison_words (words, g_strdup_printf (
    _("%u of %u activities differ by no more than repeats do: noise, as far as %u runs of a side "
      "can tell (95 %%)."), noise, n, most));
  if (most == 2)
    say_comparison_words (words, g_strdup (
      _("Two runs of a side tell little: three or more make the band much narrower.")));
}

/** kymo_compare_set_sentences: adds the list "sentences" to an answer that has all else */
void
kymo_compare_set_sentences (const KymoCompared *compared,
                            KymoTable          *answer)
{
  const KymoTable *totals = kymo_table_peek_nested (answer, "totals", NULL);
  Words words = { compared, answer, kymo_table_peek_nested (answer, "activities", NULL),
                  kymo_table_new (KYMO_STYLE_FLAT),
                  kymo_source_get_terms (KYMO_SOURCE (compared->comparison)),
                  compared->runs[0]->is_time, compared->against };

  words.n_sides = compared->n_sides;
  words.a = kymo_comparison_dup_side_label (0);
  words.b = kymo_comparison_dup_side_label (compared->against);
  kymo_table_add_column (words.sentences, "value", KYMO_COLUMN_STRING, 1);
  say_elapsed (&words, totals);
  say_sides (&words);
  say_pes (&words);
  say_changes (&words, TRUE);
  say_changes (&words, FALSE);
  say_presence (&words, "gone", words.a);
  say_presence (&words, "new", words.b);
  say_noise (&words);
  g_free (words.a);
  g_free (words.b);
  kymo_table_set_table (answer, "sentences", words.sentences);
}
