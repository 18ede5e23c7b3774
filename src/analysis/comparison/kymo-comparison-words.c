/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison in words: how long both took, of how many PEs figures are, what grew
 * and what shrank most and why, what one has alone, and what is noise.
 */
#include "config.h"

#include "kymo-comparison-private.h"

#include <math.h>

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

static void G_GNUC_PRINTF (2, 3)
say_comparison_words (Words      *words,
                      const char *format,
                      ...)
{
  va_list args;

  va_start (args, format);
  kymo_table_append_words (words->sentences, 0, format, args);
  va_end (args);
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

/* "4.9 % more", "2.1 times", "40.0 % less" */
static char *
change_comparison_words (double ratio)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *percent = NULL;

  if (!isfinite (ratio))
    return NULL;
  if (ratio >= 2)
    {
      g_ascii_formatd (number, sizeof number, ratio >= 9.95 ? "%.0f" : "%.1f", ratio);
      return g_strdup_printf ("%s times as much", number);
    }
  percent = kymo_format_percent (fabs (ratio - 1));
  return g_strdup_printf ("%s %s", percent, ratio < 1 ? "less" : "more");
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
  g_autofree char *more = change_comparison_words (kymo_table_get_double (totals, "ratio", row));
  const char *noise = kymo_table_get_bool (totals, "is_noise", row)
    ? "; repeats are as far apart" : "";

  if (a_ns == b_ns)
    say_comparison_words (words, "%s and %s took the same: %s.", words->a, words->b, a);
  else if (more != NULL)
    say_comparison_words (words, "%s took %s, %s %s: %s%s.", words->a, a, words->b, b, more, noise);
  else
    say_comparison_words (words, "%s took %s, %s %s.", words->a, a, words->b, b);
}

/* "A has 8 PEs, B 16", or of many sides "A has 8 PEs, the others 8 to 64" */
static char *
counts_of (const Words *words)
{
  const KymoTable *sides = kymo_table_peek_nested (words->answer, "sides", NULL);
  g_autofree char *first = kymo_format_count (llround (kymo_table_get_double (sides, "pes", 0)));
  GString *counts = g_string_new (NULL);
  gint64 least = G_MAXINT64, most = 0;

  g_string_append_printf (counts, "%s has %s %s", words->a, first, kymo_terms_row (
    words->terms, llround (kymo_table_get_double (sides, "pes", 0)) != 1));
  for (guint i = 1; i < words->n_sides; i++)
    {
      gint64 pes = llround (kymo_table_get_double (sides, "pes", i));
      g_autofree char *number = kymo_format_count (pes);

      least = MIN (least, pes);
      most = MAX (most, pes);
      if (words->n_sides <= MOST_SIDES)
        g_string_append_printf (counts, ", %s %s", kymo_table_get_string (sides, "label", i),
                                number);
    }
  if (words->n_sides > MOST_SIDES)
    {
      g_autofree char *from = kymo_format_count (least), *to = kymo_format_count (most);

      g_string_append_printf (counts, ", the others %s%s%s", from, least < most ? " to " : "",
                              least < most ? to : "");
    }
  return g_string_free (counts, FALSE);
}

/* Of how many rows, where they are not as many. */
static void
say_pes (Words *words)
{
  g_autofree char *counts = counts_of (words);

  if (kymo_table_get_bool (words->answer, "pes_differ", 0))
    say_comparison_words (words, "%s: figures are %s.", counts,
                          kymo_table_get_bool (words->answer, "per_pe", 0) ? "of one on average"
                          : "sums over all of them, so more of them have more time");
}

/* "1.43 times as fast as A, efficiency 71.5 %" */
static char *
speed (const Words     *words,
       const KymoTable *sides,
       guint            side)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *efficiency = kymo_format_percent (
    kymo_table_get_double (sides, "efficiency", side));

  g_ascii_formatd (number, sizeof number, "%.2f",
                   kymo_table_get_double (sides, "speed_up", side));
  return g_strdup_printf ("%s times as fast as %s, efficiency %s", number, words->a, efficiency);
}

/* Of many sides the ends, and how many cannot be told from noise. */
static void
say_range (Words           *words,
           const KymoTable *sides,
           guint            slowest,
           guint            fastest)
{
  g_autofree char *most = speed (words, sides, fastest), *least = speed (words, sides, slowest);
  guint known = 0, noise = 0;

  for (guint i = 1; i < words->n_sides; i++)
    {
      known += kymo_table_get_bool (sides, "has_noise", i);
      noise += kymo_table_get_bool (sides, "is_noise", i);
    }
  say_comparison_words (words, "Of %u others %s is the fastest (%s), %s the slowest (%s).",
                        words->n_sides - 1,
                        kymo_table_get_string (sides, "label", fastest), most,
                        kymo_table_get_string (sides, "label", slowest), least);
  if (known > 0)
    say_comparison_words (words, "%u of %u are no further from %s than repeats are apart: noise.",
                          noise, known,
                          words->a);
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
        g_autofree char *own = speed (words, sides, i);

        say_comparison_words (
          words, "%s is %s%s.", kymo_table_get_string (sides, "label", i), own,
          kymo_table_get_bool (sides, "is_noise", i) ? "; repeats are as far apart" : "");
      }
}

/* -- what changed ------------------------------------------------------------- */

/* "more calls" and "longer calls", where both are known. */
static char *
why (const Words *words,
     guint        row)
{
  gint64 calls_a = of_side (words, words->activities, "calls", FALSE, row, 0);
  gint64 calls_b = of_side (words, words->activities, "calls", FALSE, row, words->against);
  double mean_ratio = kymo_table_get_double (words->activities, "mean_ratio", row);
  double calls_ratio = calls_a > 0 && calls_b > 0 ? (double) calls_b / (double) calls_a : NAN;
  g_autofree char *calls = NULL, *mean = NULL;

  if (kymo_table_get_bool (words->answer, "per_pe", 0))
    {
      const KymoTable *sides = kymo_table_peek_nested (words->answer, "sides", NULL);

      calls_ratio *= kymo_table_get_double (sides, "pes", 0)
        / kymo_table_get_double (sides, "pes", words->against);
    }
  if (!isfinite (calls_ratio) || !isfinite (mean_ratio))
    return NULL;
  calls = fabs (calls_ratio - 1) < SAME ? g_strdup ("as many calls")
  : change_comparison_words (calls_ratio);
  mean = fabs (mean_ratio - 1) < SAME ? g_strdup ("as long") : change_comparison_words (mean_ratio);
  if (fabs (calls_ratio - 1) < SAME)
    return g_strdup_printf ("%s, each %s", calls, fabs (mean_ratio - 1) < SAME ? mean
                            : mean_ratio > 1 ? "longer" : "shorter");
  return g_strdup_printf ("calls %s, each %s", calls, fabs (mean_ratio - 1) < SAME ? mean
                          : mean_ratio > 1 ? "longer" : "shorter");
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
  g_autofree char *much = change_comparison_words (
    kymo_table_get_double (words->activities, "ratio", row));
  g_autofree char *reason = why (words, row);
  const char *name = kymo_table_get_string (words->activities, "name", row);

  if (g_strcmp0 (present, "both") != 0
      && !is_state (kymo_table_get_string (words->activities, "kind", row)))
    say_comparison_words (words, "%s is %s: %s, %s of %s's time.", name,
                          growing ? "new" : "gone", time, share, words->a);
  else
    say_comparison_words (
      words, "%s %s by %s%s%s%s, %s of %s's time%s%s.", name, growing ? "grew" : "shrank",
      time, much != NULL ? " (" : "", much != NULL ? much : "", much != NULL ? ")" : "",
      share, words->a, reason != NULL ? ": " : "", reason != NULL ? reason : "");
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
    say_comparison_words (words, "Only in %s: %s and %u more.", who, names->str, n - TOLD);
  else if (n > 0)
    say_comparison_words (words, "Only in %s: %s.", who, names->str);
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
      say_comparison_words (words, KYMO_COMPARE_NO_REPEATS);
      return;
    }
  say_comparison_words (words,
                        "%u of %u activities differ by no more than repeats do: noise, as far "
                        "as %u runs of a side can tell (95 %%).", noise, n, most);
  if (most == 2)
    say_comparison_words (words,
                          "Two runs of a side tell little: three or more make the band much "
                          "narrower.");
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
