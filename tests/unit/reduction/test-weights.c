/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights: rounding that keeps sums, and what a .kymo file may say of them.
 */
#include "config.h"

#include <math.h>

#include "kymo-id-weights.h"
#include "kymo-reduce.h"

static void
test_round (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint turn = 0; turn < 2000; turn++)
    {
      guint n = g_rand_int_range (rand, 1, 200);
      g_autofree gint64 *ids = g_new (gint64, n);
      g_autofree double *weights = g_new (double, n);
      g_autoptr (KymoIdWeights) rounded = NULL;
      double sum = 0;
      gint64 whole;

      for (guint i = 0; i < n; i++)
        {
          ids[i] = 3 * i;
          weights[i] = g_rand_double (rand) < 0.2 ? 0 : exp (g_rand_double_range (rand, -9, 9));
          sum += weights[i];
        }
      whole = llround (sum * KYMO_WEIGHT_ONE);
      rounded = kymo_id_weights_new_round (ids, weights, n, whole);
      g_assert_cmpint (kymo_id_weights_get_sum (rounded), ==, whole);
      for (guint i = 0; i < n; i++)
        {
          gint64 one = kymo_id_weights_get (rounded, ids[i]);

          g_assert_cmpint (kymo_id_weights_get_id (rounded, i), ==, ids[i]);
          g_assert_cmpint (one, >=, 0);
          g_assert_cmpfloat (fabs (one - weights[i] * KYMO_WEIGHT_ONE), <=, 1.01);
          g_assert_cmpint (kymo_id_weights_get (rounded, ids[i] + 1), ==, 0);
        }
    }
}

static void
test_any_order (void)
{
  const gint64 ids[] = { 9, -4, 5 }, weights[] = { 1, 20, 300 };
  g_autoptr (KymoIdWeights) some = kymo_id_weights_new (ids, weights, 3);

  g_assert_cmpint (kymo_id_weights_get_n (some), ==, 3);
  g_assert_cmpint (kymo_id_weights_get_sum (some), ==, 321);
  g_assert_cmpint (kymo_id_weights_get_id (some, 0), ==, -4);
  g_assert_cmpint (kymo_id_weights_get (some, 9), ==, 1);
  g_assert_cmpint (kymo_id_weights_get (some, -4), ==, 20);
  g_assert_cmpint (kymo_id_weights_get (some, 5), ==, 300);
  g_assert_cmpint (kymo_id_weights_get (some, 6), ==, 0);
}

/* The way with 128 bits, always. */
static gint64
weigh_slowly (gint64 value, gint64 weight)
{
  __int128 product = (__int128) value * weight + KYMO_WEIGHT_ONE / 2;

  return MIN (product / KYMO_WEIGHT_ONE, G_MAXINT64);
}

static gint64
any_number (GRand *rand)
{
  guint64 wide = ((guint64) g_rand_int (rand) << 32 | g_rand_int (rand)) >> 1;

  return wide >> g_rand_int_range (rand, 0, 63);
}

static void
test_weigh (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);

  for (guint i = 0; i < 200000; i++)
    {
      gint64 value = any_number (rand), weight = any_number (rand);

      g_assert_cmpint (kymo_weigh (value, weight), ==, weigh_slowly (value, weight));
      g_assert_cmpint (kymo_weigh (value, KYMO_WEIGHT_ONE), ==, value);
    }
  g_assert_cmpint (kymo_weigh (3, 500000), ==, 2);
  g_assert_cmpint (kymo_weigh (G_MAXINT64, G_MAXINT64), ==, G_MAXINT64);
}

static void
test_parts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);

  for (guint turn = 0; turn < 5000; turn++)
    {
      guint n = g_rand_int_range (rand, 1, 40);
      g_autofree gint64 *parts = g_new (gint64, n), *whole = g_new (gint64, n);
      gint64 weight = any_number (rand) >> 24, sum = 0, weighed = 0;

      for (guint i = 0; i < n; i++)
        sum += whole[i] = parts[i] = any_number (rand) >> 16;
      kymo_weigh_parts (parts, n, weight);
      for (guint i = 0; i < n; i++)
        {
          weighed += parts[i];
          g_assert_cmpint (parts[i], >=, 0);
          if (kymo_weigh (sum, weight) < G_MAXINT64)
            g_assert_cmpint (ABS (parts[i] - kymo_weigh (whole[i], weight)), <=, 1);
        }
      g_assert_cmpint (weighed, ==, kymo_weigh (sum, weight));
    }
}

static void
test_counts (void)
{
  gint64 sum = 0;

  /* Of each alone the rest would be lost. */
  for (guint i = 0; i < 100; i++)
    sum += kymo_weigh_count (1, 1400000);
  g_assert_cmpint (kymo_round_count (sum), ==, 140);
  g_assert_cmpint (kymo_round_count (499999), ==, 0);
  g_assert_cmpint (kymo_round_count (500000), ==, 1);
  g_assert_cmpint (kymo_round_count (G_MAXINT64), ==, G_MAXINT64 / KYMO_WEIGHT_ONE + 1);
  g_assert_cmpint (kymo_weigh_count (G_MAXINT64, 2), ==, G_MAXINT64);
  g_assert_cmpint (kymo_weigh_count (7, 0), ==, 0);
}

/* -- what a file says ------------------------------------------------------ */

static const int kept[] = { 40, 3, 17 };
static gint64 length_ns = 1000;         /* of the run they are of */

static KymoReduction *
parse (const char *rest, const char **why)
{
  g_autofree char *text = g_strconcat ("[Reduction]\nversion=1\nprocessors=64\npes=60\n", rest,
                                       NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();

  *why = NULL;
  g_assert_true (g_key_file_load_from_data (file, text, -1, G_KEY_FILE_NONE, NULL));
  return kymo_reduced_parse_weights (file, kept, G_N_ELEMENTS (kept), length_ns, why);
}

#define GOOD "[Weights]\n3=10.5\n17=20.25\n40=29.25\n"

static void
test_file (void)
{
  const char *why;
  g_autoptr (KymoReduction) none = parse ("", &why);
  g_assert_null (none);
  g_assert_null (why);
  g_autoptr (KymoReduction) some = parse (
    GOOD "[Error]\nbegin_ns=-5\nend_ns=900\nbars=100\ntime_profile=0.02\n"
    "[Error of entries]\n12=100;110;\nidle=7;6;\n2=9223372036854775807;0;\n"
    "[Quality]\nmean_ratio=0.1\nstddev=nan\n", &why);
  g_assert_nonnull (some);
  g_assert_null (why);
  g_assert_cmpint (kymo_id_weights_get (some->weights, 17), ==, 20250000);
  g_assert_cmpint (kymo_id_weights_get_sum (some->weights), ==, 60000000);
  g_assert_cmpint (some->errors_span.begin_ns, ==, -5);
  g_assert_cmpint (some->bars, ==, 100);
  g_assert_cmpfloat (some->time_profile, ==, 0.02);
  g_assert_cmpfloat (some->mean_ratio, ==, 0.1);
  g_assert_true (isnan (some->stddev));
  g_assert_cmpint (some->errors->len, ==, 3);
  g_assert_cmpint (kymo_reduction_find_error (some, 12)->estimated_ns, ==, 110);
  g_assert_cmpint (kymo_reduction_find_error (some, 2)->true_ns, ==, G_MAXINT64);
  g_assert_cmpint (kymo_reduction_find_error (some, KYMO_REDUCTION_IDLE)->true_ns, ==, 7);
  g_assert_null (kymo_reduction_find_error (some, 3));
}

/* As older files have them: more digits, which do not sum up exactly. */
static void
test_long_digits (void)
{
  const char *why;
  g_autoptr (KymoReduction) some = parse (
    "[Weights]\n3=19.999999714285\n17=20.00000014\n40=20.000000142\n", &why);

  g_assert_nonnull (some);
  g_assert_cmpint (kymo_id_weights_get_sum (some->weights), ==, 60000000);
}

static const char bad_weights[]
  = "The weights of the reduction do not fit its PEs; nothing can be extrapolated";

/* All PEs together would have more time than there are numbers for. */
static void
test_long_run (void)
{
  const char *why;

  length_ns = G_MAXINT64 / 4 / 60;
  g_autoptr (KymoReduction) some = parse (GOOD, &why);
  g_assert_nonnull (some);
  length_ns++;
  g_assert_null (parse (GOOD, &why));
  g_assert_cmpstr (why, ==, bad_weights);
  length_ns = 1000;
}

static void
test_bad_weights (void)
{
  static const char *const bad[] =
  {
    "[Weights]\n", "[Weights]\n3=60\n4=0\n", "[Weights]\n3=61\n", "[Weights]\n3=59\n",
    "[Weights]\n3=nan\n17=60\n", "[Weights]\n3=inf\n", "[Weights]\n3=-1\n17=61\n",
    "[Weights]\n3=1e308\n17=-1e308\n40=60\n", "[Weights]\n3=\n17=60\n", "[Weights]\n3=60x\n",
    "[Weights]\n03=60\n", "[Weights]\n+3=60\n", "[Weights]\n-3=60\n", "[Weights]\nx=60\n",
    "[Weights]\n3=30\n003=30\n", "[Weights]\n99999999999999999999=60\n",
    "[Weights]\n4294967299=60\n", "[Weights]\n3=60.00001\n", "[Weights]\n3=1e18\n",
    "[Reduction]\npes=-1\n" GOOD, "[Reduction]\npes=65\n[Weights]\n3=65\n",
    "[Reduction]\npes=2\n[Weights]\n3=1\n17=1\n40=0\n",
    "[Reduction]\npes=x\n[Weights]\n3=0\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      const char *why;

      g_test_message ("%s", bad[i]);
      g_assert_null (parse (bad[i], &why));
      g_assert_cmpstr (why, ==, bad_weights);
    }
}

static void
test_bad_errors (void)
{
  static const char *const bad[] =
  {
    "[Error]\n", "[Error]\nbegin_ns=5\nend_ns=4\nbars=1\ntime_profile=0\n",
    "[Error]\nbegin_ns=5\nend_ns=9\nbars=0\ntime_profile=0\n",
    "[Error]\nbegin_ns=5\nend_ns=9\nbars=2000000\ntime_profile=0\n",
    "[Error]\nbegin_ns=5\nend_ns=9\nbars=1\ntime_profile=-1\n",
    "[Error]\nbegin_ns=5\nend_ns=9\nbars=1\ntime_profile=inf\n",
    "[Error]\nbegin_ns=5\nend_ns=9\nbars=1\n",
    "[Error]\nbegin_ns=5\nend_ns=9223372036854775807\nbars=1\ntime_profile=0\n",
    "[Error]\nbegin_ns=5\nend_ns=9\nbars=1\ntime_profile=0\n[Error of entries]\n1=1;2;3;\n",
    "[Error]\nbegin_ns=5\nend_ns=9\nbars=1\ntime_profile=0\n[Error of entries]\n1=1;-2;\n",
    "[Error]\nbegin_ns=5\nend_ns=9\nbars=1\ntime_profile=0\n[Error of entries]\nx=1;2;\n",
    "[Error]\nbegin_ns=5\nend_ns=9\nbars=1\ntime_profile=0\n[Error of entries]\n1=\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *text = g_strconcat (GOOD, bad[i], NULL);
      const char *why;
      g_autoptr (KymoReduction) some = parse (text, &why);

      g_test_message ("%s", bad[i]);
      g_assert_nonnull (some);
      g_assert_nonnull (why);
      g_assert_cmpint (some->errors->len, ==, 0);
      g_assert_true (isnan (some->time_profile));
      g_assert_cmpint (kymo_id_weights_get_sum (some->weights), ==, 60000000);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/weights/round", test_round);
  g_test_add_func ("/weights/any-order", test_any_order);
  g_test_add_func ("/weights/weigh", test_weigh);
  g_test_add_func ("/weights/parts", test_parts);
  g_test_add_func ("/weights/counts", test_counts);
  g_test_add_func ("/weights/file", test_file);
  g_test_add_func ("/weights/long-digits", test_long_digits);
  g_test_add_func ("/weights/bad-weights", test_bad_weights);
  g_test_add_func ("/weights/long-run", test_long_run);
  g_test_add_func ("/weights/bad-errors", test_bad_errors);
  return g_test_run ();
}
