/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing runs of which there are repeats, and series of them: means, noise and speed-up
 * against the slow path, and the statistics behind them against published tables.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-comparison-private.h"
#include "made-runs.h"

/* Means of repeats are those of the figures, rounded by less than one, and add up. */
static void
check_means (const Made  *made,
             const guint *sides,
             guint        n,
             KymoTable   *answer)
{
  KymoTable *list = made_list (answer, "activities");
  guint n_sides = kymo_table_get_n_rows (made_list (answer, "sides"));

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    for (guint side = 0; side < n_sides; side++)
      {
        gint64 sum = 0, n_runs = 0, pes = 0;

        for (guint run = 0; run < n; run++)
          if (sides[run] == side)
            {
              sum += made_count_ns (&made[run], kymo_table_get_string (list, "name", i),
                               KYMO_SPAN_ALL);
              pes += made[run].n_locations;
              n_runs++;
            }
        g_assert_cmpfloat (fabs (made_value (list, "exclusive_ns", i, side)
                                 - (double) sum / n_runs), <, 1);
        if (kymo_table_find_column (list, "per_pe_ns") >= 0)
          g_assert_cmpfloat (fabs (made_value (list, "per_pe_ns", i, side)
                                   - (double) sum / pes), <, 1);
      }
}

/* The band of each difference, by its definition once more. */
static void
check_bands (const Made  *made,
             const guint *sides,
             guint        n,
             KymoTable   *answer)
{
  KymoTable *list = made_list (answer, "activities");

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      double values[2][8], half;
      guint counts[2] = { 0, 0 };
      gint64 noise = kymo_table_get_int (list, "noise_ns", i);

      for (guint run = 0; run < n; run++)
        if (sides[run] < 2)
          values[sides[run]][counts[sides[run]]++]
            = made_count_ns (&made[run], kymo_table_get_string (list, "name", i), KYMO_SPAN_ALL);
      kymo_noise_band (values[0], counts[0], values[1], counts[1], &half);
      g_assert_cmpint (noise, ==, (gint64) ceil (half));
      g_assert_true (kymo_table_get_bool (list, "has_noise", i));
      g_assert_true (kymo_table_get_bool (list, "is_noise", i)
                     == (ABS (kymo_table_get_int (list, "difference_ns", i)) <= noise));
    }
}

/* Half the band of one bin of a name, or of all code (NULL). */
static double
band_of_bin (const Made     *made,
             const guint    *sides,
             guint           n,
             KymoComparison *comparison,
             const char     *name,
             KymoSpan        shared)
{
  double values[2][8] = { { 0 } }, half;
  guint counts[2] = { 0, 0 };

  for (guint run = 0; run < n; run++)
    {
      KymoSpan own = made_moved (shared, kymo_comparison_get_offset (comparison, run));
      double *value;

      if (sides[run] > 1)
        continue;
      value = &values[sides[run]][counts[sides[run]]++];
      if (name != NULL)
        *value = made_count_ns (&made[run], name, own);
      /* "Cell::step" is there twice. */
      for (guint k = 0; name == NULL && k < MADE_N_NAMES; k++)
        if (k != 3)
          *value += made_count_ns (&made[run], made_names[k], own);
    }
  g_assert_true (kymo_noise_band (values[0], counts[0], values[1], counts[1], &half));
  return half;
}

/* The band of every bin, by its definition once more; all code is what its names sum to. */
static void
check_bands_over_time (const Made     *made,
                       const guint    *sides,
                       guint           n,
                       KymoComparison *comparison,
                       KymoTable      *answer)
{
  KymoTable *series = made_list (answer, "series"), *bins = made_list (answer, "bins");
  guint n_bins = kymo_table_get_n_rows (bins), noise = 0;
  g_autofree char *words = NULL;

  for (guint bin = 0; bin < n_bins; bin++)
    {
      KymoSpan shared = { kymo_table_get_int (bins, "begin_ns", bin),
                          kymo_table_get_int (bins, "end_ns", bin) };
      gint64 all = 0, difference = kymo_table_get_int (bins, "difference_ns", bin);
      gint64 band = kymo_table_get_int (bins, "noise_ns", bin);
      double half = band_of_bin (made, sides, n, comparison, NULL, shared);

      g_assert_cmpfloat (fabs (band - ceil (half)), <=, 1);
      g_assert_true (kymo_table_get_bool (bins, "is_noise", bin) == (ABS (difference) <= band));
      noise += ABS (difference) <= band;
      for (guint i = 0; i < kymo_table_get_n_rows (series); i++)
        {
          const char *name = kymo_table_get_string (series, "name", i);

          half = band_of_bin (made, sides, n, comparison, name, shared);
          g_assert_cmpfloat (fabs (made_value (series, "noise_ns", i, bin) - ceil (half)), <=, 1);
          if (strcmp (kymo_table_get_string (series, "kind", i), "code") == 0)
            all += made_value (series, "difference_ns", i, bin);
        }
      g_assert_cmpint (difference, ==, all);
    }
  g_assert_true (kymo_table_get_bool (answer, "has_noise", 0));
  words = g_strdup_printf ("In %u of %u bins ", noise, n_bins);
  g_assert_true (g_str_has_prefix (kymo_table_get_string (made_list (answer, "sentences"),
                                                          "value", 0), words));
}

/* The band of the time each side took, by its definition once more. */
static void
check_noise_of_sides (KymoTable *answer)
{
  KymoTable *sides = made_list (answer, "sides"), *runs = made_list (answer, "runs");

  g_assert_false (kymo_table_get_bool (sides, "has_noise", 0));
  for (guint side = 1; side < kymo_table_get_n_rows (sides); side++)
    {
      double values[2][8], half;
      guint counts[2] = { 0, 0 };
      gint64 off = kymo_table_get_int (sides, "elapsed_ns", side)
        - kymo_table_get_int (sides, "elapsed_ns", 0);
      gint64 noise = kymo_table_get_int (sides, "noise_ns", side);

      for (guint i = 0; i < kymo_table_get_n_rows (runs); i++)
        {
          gint64 own = kymo_table_get_int (runs, "side", i);

          if (own == 0 || own == side)
            values[own > 0][counts[own > 0]++] = kymo_table_get_int (runs, "end_ns", i)
              - kymo_table_get_int (runs, "begin_ns", i);
        }
      g_assert_true (kymo_noise_band (values[0], counts[0], values[1], counts[1], &half));
      g_assert_cmpint (noise, ==, (gint64) ceil (half));
      g_assert_true (kymo_table_get_bool (sides, "has_noise", side));
      g_assert_true (kymo_table_get_bool (sides, "is_noise", side) == (ABS (off) <= noise));
    }
}

/* On scales of their own the band of shares of a bin, by its definition once more. */
static void
check_bands_of_shares (const Made  *made,
                       const guint *sides,
                       guint        n,
                       KymoTable   *answer)
{
  KymoTable *series = made_list (answer, "series"), *runs = made_list (answer, "runs");
  guint width = 0;
  const double *rows = kymo_table_peek_doubles (series, "noise_rows", &width);

  g_assert_cmpuint (width, >, 1);
  g_assert_cmpint (kymo_table_find_column (made_list (answer, "bins"), "noise_rows"), >=, 0);
  for (guint i = 0; i < kymo_table_get_n_rows (series); i++)
    for (guint bin = 0; bin < width; bin++)
      {
        double values[2][8], half;
        guint counts[2] = { 0, 0 };

        for (guint run = 0; run < n; run++)
          {
            gint64 begin = kymo_table_get_int (runs, "begin_ns", run);
            gint64 length = kymo_table_get_int (runs, "end_ns", run) - begin;
            KymoSpan own = { begin + length * bin / width, begin + length * (bin + 1) / width };

            if (sides[run] < 2)
              values[sides[run]][counts[sides[run]]++] = (double) made_count_ns (
                &made[run], kymo_table_get_string (series, "name", i), own) * width / length;
          }
        g_assert_true (kymo_noise_band (values[0], counts[0], values[1], counts[1], &half));
        g_assert_cmpfloat_with_epsilon (rows[i * width + bin], half, 1e-6 * MAX (half, 1));
      }
}

static void
check_speed_up (KymoTable *answer)
{
  KymoTable *sides = made_list (answer, "sides");
  double first = kymo_table_get_int (sides, "elapsed_ns", 0);
  double pes = kymo_table_get_double (sides, "pes", 0);

  for (guint i = 0; i < kymo_table_get_n_rows (sides); i++)
    {
      double faster = first / kymo_table_get_int (sides, "elapsed_ns", i);

      g_assert_cmpfloat_with_epsilon (kymo_table_get_double (sides, "speed_up", i), faster, 1e-9);
      g_assert_cmpfloat_with_epsilon (kymo_table_get_double (sides, "efficiency", i),
                                      faster * pes / kymo_table_get_double (sides, "pes", i),
                                      1e-9);
    }
}

static KymoTable *
made_ask_own (KymoComparison *comparison,
              guint           n_bins)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("compare-time-profile");
  KymoTable *answer;

  kymo_question_set (question, "scale", "own");
  kymo_question_set (question, "against", "1");
  kymo_question_set_resolution (question, n_bins, 0);
  answer = kymo_source_ask (KYMO_SOURCE (comparison), question, NULL, NULL);
  g_assert_nonnull (answer);
  return answer;
}

static void
test_repeats (void)
{
  static const guint sides[] = { 0, 0, 0, 1, 1, 2 };
  static const guint n = G_N_ELEMENTS (sides);

  for (guint seed = 100; seed < 112; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Made made[G_N_ELEMENTS (sides)] = { 0 };
      g_autoptr (KymoComparison) comparison = NULL;
      g_autoptr (KymoTable) whole = NULL, each = NULL, against = NULL, time = NULL, last = NULL;
      g_autoptr (KymoTable) own = NULL;

      for (guint i = 0; i < n; i++)
        made_random (&made[i], rand);
      comparison = made_compare (made, sides, n);
      g_assert_cmpuint (kymo_comparison_get_n_sides (comparison), ==, 3);
      whole = made_ask (comparison, "compare", KYMO_SPAN_ALL, NULL, NULL, 0);
      check_means (made, sides, n, whole);
      made_check_sums (whole);
      check_speed_up (whole);
      check_noise_of_sides (whole);
      against = made_ask (comparison, "compare", KYMO_SPAN_ALL, "against", "1", 0);
      check_bands (made, sides, n, against);
      time = made_ask (comparison, "compare-time-profile", KYMO_SPAN_ALL, "against", "1", 7);
      check_bands_over_time (made, sides, n, comparison, time);
      own = made_ask_own (comparison, 7);
      check_bands_of_shares (made, sides, n, own);
      /* A's repeats alone tell of noise, too. */
      last = made_ask (comparison, "compare-time-profile", KYMO_SPAN_ALL, "against", "2", 7);
      g_assert_true (kymo_table_get_bool (last, "has_noise", 0));
      each = made_ask (comparison, "compare", KYMO_SPAN_ALL, "figure", "per-pe", 0);
      check_means (made, sides, n, each);
      for (guint i = 0; i < n; i++)
        made_clear (&made[i]);
    }
}

/* B is half as long as A and as busy: on scales of their own the sides do not differ. */
static void
test_equal_shares (void)
{
  static const guint sides[] = { 0, 0, 1 };
  static const gint64 lengths[] = { 200, 200, 100 };
  Made made[G_N_ELEMENTS (sides)] = { 0 };
  g_autoptr (KymoComparison) comparison = NULL;
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *bins;

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    made_busy (&made[i], lengths[i]);
  comparison = made_compare (made, sides, G_N_ELEMENTS (sides));
  answer = made_ask_own (comparison, 5);
  bins = made_list (answer, "bins");
  for (guint bin = 0; bin < 5; bin++)
    g_assert_true (kymo_table_get_bool (bins, "is_noise", bin));
  g_assert_true (g_str_has_prefix (kymo_table_get_string (made_list (answer, "sentences"),
                                                          "value", 0), "In 5 of 5 bins "));
  g_assert_cmpuint (kymo_table_get_n_rows (made_list (answer, "sentences")), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    made_clear (&made[i]);
}

static const char *
sentence_with (KymoTable  *answer,
               const char *words)
{
  KymoTable *list = made_list (answer, "sentences");

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (strstr (kymo_table_get_string (list, "value", i), words) != NULL)
      return kymo_table_get_string (list, "value", i);
  return NULL;
}

/* Of many sides the ends are told, and how many lie within noise; of none each by itself. */
static void
test_many (void)
{
  static const guint sides[] = { 0, 0, 1, 2, 3, 4, 5, 6 };
  static const guint n = G_N_ELEMENTS (sides);
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);
  g_autoptr (KymoComparison) comparison = NULL;
  g_autoptr (KymoTable) answer = NULL;
  g_autofree char *first = NULL, *last = NULL, *counted = NULL;
  Made made[G_N_ELEMENTS (sides)] = { 0 };
  KymoTable *list;
  guint fastest = 1, slowest = 1, noise = 0;

  for (guint i = 0; i < n; i++)
    made_random (&made[i], rand);
  comparison = made_compare (made, sides, n);
  answer = made_ask (comparison, "compare", KYMO_SPAN_ALL, NULL, NULL, 0);
  list = made_list (answer, "sides");
  for (guint i = 1; i < 7; i++)
    {
      double own = kymo_table_get_double (list, "speed_up", i);

      fastest = own > kymo_table_get_double (list, "speed_up", fastest) ? i : fastest;
      slowest = own < kymo_table_get_double (list, "speed_up", slowest) ? i : slowest;
      noise += kymo_table_get_bool (list, "is_noise", i);
    }
  first = g_strdup_printf ("Of 6 others %c is the fastest (", 'A' + (int) fastest);
  last = g_strdup_printf ("%c the slowest (", 'A' + (int) slowest);
  counted = g_strdup_printf ("%u of 6 are no further from A than repeats are apart", noise);
  g_assert_nonnull (sentence_with (answer, first));
  g_assert_true (sentence_with (answer, last) == sentence_with (answer, first));
  g_assert_nonnull (sentence_with (answer, counted));
  g_assert_null (sentence_with (answer, "C is "));
  for (guint i = 0; i < n; i++)
    made_clear (&made[i]);
}

/* -- statistics --------------------------------------------------------------- */

/* Student's table, two-sided 95 %. */
static void
test_noise (void)
{
  static const double table[][2] =
    { { 1, 12.7062 }, { 2, 4.30265 }, { 3, 3.18245 }, { 4, 2.77645 }, { 10, 2.22814 },
      { 30, 2.04227 }, { 120, 1.97993 } };
  static const double a[] = { 10, 12 }, b[] = { 20, 21, 25 }, one[] = { 14 };
  double half;

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    g_assert_cmpfloat_with_epsilon (kymo_student_quantile (0.95, table[i][0]), table[i][1], 1e-4);
  g_assert_cmpfloat_with_epsilon (kymo_student_quantile (0.99, 5), 4.03214, 1e-4);
  g_assert_false (kymo_noise_band (one, 1, one, 1, &half));
  g_assert_cmpfloat (half, ==, 0);
  /* One further run: t(1) · s · sqrt (1 + 1/2), s = sqrt (2). */
  g_assert_true (kymo_noise_band (a, 2, one, 1, &half));
  g_assert_cmpfloat_with_epsilon (half, 12.7062 * sqrt (2 * 1.5), 1e-3);
  g_assert_true (kymo_noise_band (one, 1, a, 2, &half));
  g_assert_cmpfloat_with_epsilon (half, 12.7062 * sqrt (2 * 1.5), 1e-3);
  /* Welch: variances 2 and 7, standard error sqrt (1 + 7/3), 2.882 degrees of freedom. */
  g_assert_true (kymo_noise_band (a, 2, b, 3, &half));
  g_assert_cmpfloat_with_epsilon (half, kymo_student_quantile (0.95, 100.0 / 9 / (1 + 49.0 / 18))
                                  * sqrt (1 + 7.0 / 3), 1e-9);
  g_assert_true (kymo_noise_band (a, 1, a, 1, &half) == FALSE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comparison-repeats/repeats", test_repeats);
  g_test_add_func ("/comparison-repeats/equal-shares", test_equal_shares);
  g_test_add_func ("/comparison-repeats/many", test_many);
  g_test_add_func ("/comparison-repeats/noise", test_noise);
  return g_test_run ();
}
