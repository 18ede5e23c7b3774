/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing runs: by hand, and random runs against sums over single nanoseconds. A
 * run compared with itself is all zeros, A with B is minus B with A, and what parts
 * differ by sums up to what the whole differs by.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-comparison-private.h"
#include "made-runs.h"

static void
check_activities (const Made     *made,
                  KymoComparison *comparison,
                  KymoTable      *answer,
                  KymoSpan        span)
{
  KymoTable *list = made_list (answer, "activities"), *totals = made_list (answer, "totals");
  gint64 sum = 0, last = G_MAXINT64;

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      const char *name = kymo_table_get_string (list, "name", i);
      gint64 ns[2], difference = kymo_table_get_int (list, "difference_ns", i);

      for (guint s = 0; s < 2; s++)
        {
          KymoSpan own = made_moved (span, kymo_comparison_get_offset (comparison, s));

          ns[s] = made_count_ns (&made[s], name, own);
          g_assert_cmpint (made_value (list, "exclusive_ns", i, s), ==, ns[s]);
          if (strcmp (name, "Idle") != 0 && strcmp (name, "Overhead") != 0
              && strcmp (name, "Untraced") != 0)
            {
              gint64 calls = made_count_calls (&made[s], name, own);

              g_assert_cmpint (made_value (list, "calls", i, s), ==, calls);
              g_assert_cmpint (made_value (list, "mean_ns", i, s), ==,
                               calls > 0 ? ns[s] / calls : KYMO_NULL_INT);
            }
        }
      g_assert_cmpint (difference, ==, ns[1] - ns[0]);
      g_assert_cmpint (ABS (difference), <=, last);
      g_assert_false (kymo_table_get_bool (list, "has_noise", i));
      if (ns[0] > 0)
        g_assert_cmpfloat (kymo_table_get_double (list, "ratio", i), ==,
                           (double) ns[1] / ns[0]);
      last = ABS (difference);
      sum += difference;
    }
  g_assert_cmpint (sum, ==, kymo_table_get_int (totals, "difference_ns",
                                                made_row (totals, "span")));
}

static void
check_time (const Made     *made,
            KymoComparison *comparison,
            KymoTable      *answer)
{
  KymoTable *series = made_list (answer, "series");
  guint width = 0;
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", &width);

  g_assert_cmpuint (width, >, 1);
  for (guint i = 0; i < kymo_table_get_n_rows (series); i++)
    for (guint bin = 0; bin + 1 < width; bin++)
      {
        KymoSpan shared = { edges[bin], edges[bin + 1] };
        const char *name = kymo_table_get_string (series, "name", i);
        gint64 a = made_count_ns (&made[0], name,
                             made_moved (shared, kymo_comparison_get_offset (comparison, 0)));
        gint64 b = made_count_ns (&made[1], name,
                             made_moved (shared, kymo_comparison_get_offset (comparison, 1)));

        g_assert_cmpint (made_value (series, "a_ns", i, bin), ==, a);
        g_assert_cmpint (made_value (series, "b_ns", i, bin), ==, b);
        g_assert_cmpint (made_value (series, "difference_ns", i, bin), ==, b - a);
      }
}

static void
check_mirrored (KymoTable *there,
                KymoTable *back)
{
  KymoTable *a = made_list (there, "activities"), *b = made_list (back, "activities");

  g_assert_cmpuint (kymo_table_get_n_rows (a), ==, kymo_table_get_n_rows (b));
  for (guint i = 0; i < kymo_table_get_n_rows (a); i++)
    {
      gint k = made_row (b, kymo_table_get_string (a, "name", i));

      g_assert_cmpint (k, >=, 0);
      g_assert_cmpint (kymo_table_get_int (a, "difference_ns", i), ==,
                       -kymo_table_get_int (b, "difference_ns", k));
    }
}

static void
test_random (void)
{
  static const guint sides[] = { 0, 1 };

  for (guint seed = 0; seed < 40; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Made made[2] = { 0 }, other[2];
      g_autoptr (KymoComparison) there = NULL, back = NULL;
      g_autoptr (KymoTable) whole = NULL, part = NULL, mirrored = NULL, time = NULL;
      KymoSpan span;

      made_random (&made[0], rand);
      made_random (&made[1], rand);
      other[0] = made[1];
      other[1] = made[0];
      there = made_compare (made, sides, 2);
      back = made_compare (other, sides, 2);
      whole = made_ask (there, "compare", KYMO_SPAN_ALL, NULL, NULL, 0);
      mirrored = made_ask (back, "compare", KYMO_SPAN_ALL, NULL, NULL, 0);
      check_activities (made, there, whole, KYMO_SPAN_ALL);
      made_check_sums (whole);
      check_mirrored (whole, mirrored);
      span.begin_ns = made[0].begin_ns + g_rand_int_range (rand, 0, 20);
      span.end_ns = span.begin_ns + g_rand_int_range (rand, 1, MADE_LENGTH_NS);
      part = made_ask (there, "compare", span, NULL, NULL, 0);
      check_activities (made, there, part, span);
      made_check_sums (part);
      time = made_ask (there, "compare-time-profile", KYMO_SPAN_ALL, NULL, NULL,
                  g_rand_int_range (rand, 1, 30));
      check_time (made, there, time);
      made_clear (&made[0]);
      made_clear (&made[1]);
    }
}

/* A run with itself, twice and as its own repeat. */
static void
test_itself (void)
{
  static const guint sides[] = { 0, 1, 0 };
  static const char *const columns[] = { "difference_ns", "noise_ns" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  Made made[3] = { 0 };

  made_random (&made[0], rand);
  made[1] = made[2] = made[0];
  for (guint n = 2; n <= 3; n++)
    {
      g_autoptr (KymoComparison) comparison = made_compare (made, sides, n);
      g_autoptr (KymoTable) answer = made_ask (comparison, "compare", KYMO_SPAN_ALL, NULL, NULL, 0);
      g_autoptr (KymoTable) time
        = made_ask (comparison, "compare-time-profile", KYMO_SPAN_ALL, "scale",
                    n == 2 ? "own" : "shared", 9);
      KymoTable *list = made_list (answer, "activities"), *totals = made_list (answer, "totals");
      KymoTable *series = made_list (time, "series");

      g_assert_cmpuint (kymo_table_get_n_rows (list), >, 3);
      for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
        {
          for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
            g_assert_cmpint (kymo_table_get_int (list, columns[c], i), ==, 0);
          for (guint i = 0; i < kymo_table_get_n_rows (totals); i++)
            g_assert_cmpint (kymo_table_get_int (totals, columns[c], i), ==, 0);
        }
      for (guint i = 0; i < kymo_table_get_n_rows (series); i++)
        for (guint bin = 0; bin < 9; bin++)
          {
            g_assert_cmpint (made_value (series, "difference_ns", i, bin), ==, 0);
            if (n == 3)
              g_assert_cmpint (made_value (series, "noise_ns", i, bin), ==, 0);
          }
      g_assert_true (kymo_table_get_bool (time, "has_noise", 0) == (n == 3));
      g_assert_true (kymo_table_get_bool (answer, "has_noise", 0) == (n == 3));
    }
  made_clear (&made[0]);
}

/* The n-th block of a name over all locations, and runs aligned there. */
static void
test_moments (void)
{
  static const guint sides[] = { 0, 1 };
  guint found = 0;

  for (guint seed = 200; seed < 240; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      gint wanted = g_rand_int_range (rand, 1, 5);
      g_autofree char *how = g_strdup_printf ("block Cell::send #%d", wanted);
      g_autoptr (KymoComparison) comparison = NULL;
      g_autoptr (GError) error = NULL;
      gint64 times[2] = { G_MININT64, G_MININT64 };
      Made made[2] = { 0 };

      for (guint i = 0; i < 2; i++)
        {
          gint n = 0;

          made_random (&made[i], rand);
          for (gint64 t = 0; t < made[i].length_ns && times[i] == G_MININT64; t++)
            for (guint k = 0; k < made[i].n_locations; k++)
              {
                const int *does = made[i].does[k];

                n += does[t] >= 0 && (t == 0 || does[t] != does[t - 1])
                  && strcmp (made_name_of (&made[i], does[t]), "Cell::send") == 0;
                if (n == wanted)
                  times[i] = made[i].begin_ns + t;
              }
        }
      comparison = made_compare (made, sides, 2);
      if (times[0] != G_MININT64 && times[1] != G_MININT64)
        {
          g_autofree char *align = NULL;

          g_assert_true (kymo_comparison_align (comparison, how, NULL, &error));
          align = kymo_comparison_dup_align (comparison);
          g_assert_no_error (error);
          g_assert_cmpstr (align, ==, how);
          g_assert_cmpint (kymo_comparison_get_offset (comparison, 0), ==, 0);
          g_assert_cmpint (kymo_comparison_get_offset (comparison, 1), ==, times[1] - times[0]);
          found++;
        }
      else
        {
          gint64 before = kymo_comparison_get_offset (comparison, 1);

          g_assert_false (kymo_comparison_align (comparison, how, NULL, &error));
          g_assert_true (g_str_has_prefix (error->message,
                                           times[0] == G_MININT64 ? "A: " : "B: "));
          g_assert_cmpint (kymo_comparison_get_offset (comparison, 1), ==, before);
        }
      made_clear (&made[0]);
      made_clear (&made[1]);
    }
  g_assert_cmpuint (found, >, 3);
}

static void
count_grown (guint *n)
{
  (*n)++;
}

/* Offsets that change, and runs that grow, are told; labels tell repeats apart. */
static void
test_told (void)
{
  static const guint sides[] = { 0, 1, 1 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (KymoComparison) comparison = NULL;
  g_autofree char *first = NULL, *repeat = NULL;
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");
  g_autoptr (KymoTable) info = NULL;
  g_autoptr (GError) error = NULL;
  Made made[3] = { 0 };
  guint n = 0;

  for (guint i = 0; i < 3; i++)
    made_random (&made[i], rand);
  comparison = made_compare (made, sides, 3);
  g_signal_connect_swapped (comparison, "grown", G_CALLBACK (count_grown), &n);
  kymo_comparison_set_offset (comparison, 1, 17);
  g_assert_cmpint (kymo_comparison_get_offset (comparison, 1), ==, 17);
  g_assert_cmpuint (n, ==, 1);
  kymo_comparison_set_offset (comparison, 2, G_MININT64);
  g_assert_cmpint (kymo_comparison_get_offset (comparison, 2), ==, -KYMO_MOST_OFFSET_NS);
  g_assert_cmpint (kymo_span_length (kymo_source_get_span (KYMO_SOURCE (comparison))), >=,
                   KYMO_MOST_OFFSET_NS - made[2].begin_ns);
  n = 1;
  g_signal_emit_by_name (made[2].source, "grown");
  g_assert_cmpuint (n, ==, 2);
  first = kymo_comparison_dup_label (comparison, 1);
  repeat = kymo_comparison_dup_label (comparison, 2);
  g_assert_cmpstr (first, ==, "B");
  g_assert_cmpstr (repeat, ==, "B′2");
  g_assert_null (kymo_source_ask (KYMO_SOURCE (comparison), question, NULL, &error));
  g_assert_nonnull (error);
  kymo_question_set_int (question, "run", 1);
  info = kymo_source_ask (KYMO_SOURCE (comparison), question, NULL, NULL);
  g_assert_cmpint (kymo_table_get_int (info, "begin_ns", 0), ==, made[1].begin_ns);
  for (guint i = 0; i < 3; i++)
    made_clear (&made[i]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comparison/random", test_random);
  g_test_add_func ("/comparison/itself", test_itself);
  g_test_add_func ("/comparison/moments", test_moments);
  g_test_add_func ("/comparison/told", test_told);
  return g_test_run ();
}
