/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions on values of a recorded job.
 */
#include "config.h"

#include <string.h>

#include "kymo-watch.h"

#define S_NS G_GINT64_CONSTANT (1000000000)
#define MS_NS G_GINT64_CONSTANT (1000000)

static void
test_value_round_trip (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  for (guint i = 0; i < 2000; i++)
    {
      const KymoWatchedValue *value = kymo_watched_value_at (i % 11);
      gint64 amount = value->unit == KYMO_WATCHED_SHARE ? g_rand_int_range (random, 0, 1000001)
        : (gint64) g_rand_int (random) << g_rand_int_range (random, 0, 30);
      g_autoptr (KymoCondition) one =
        kymo_condition_new_value (i % 3, value, i % 2, amount, MS_NS + g_rand_int (random));
      g_autoptr (KymoCondition) copy = kymo_condition_copy (one);
      g_autofree char *text = kymo_condition_to_string (copy);
      g_autoptr (KymoCondition) two = kymo_condition_parse (text, NULL);

      g_assert_nonnull (two);
      g_assert_true (kymo_condition_equal (one, two));
      two->amount++;
      g_assert_false (kymo_condition_equal (one, two));
    }
  g_assert_null (kymo_watched_value_at (11));
}

static void
told_cb (const KymoCondition *condition,
         gint64               begin_ns,
         const char          *sentence,
         gpointer             data)
{
  g_ptr_array_add (data, g_strdup_printf ("%" G_GINT64_FORMAT "ms %s", begin_ns / MS_NS, sentence));
}

static char *
name_cb (gint64   id,
         gpointer data)
{
  return g_strdup ("a function");
}

static void
set (KymoWatch  *watch,
     const char *first,
     const char *second)
{
  g_autoptr (GPtrArray) conditions =
    g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_condition_free);

  g_ptr_array_add (conditions, kymo_condition_parse (first, NULL));
  if (second != NULL)
    g_ptr_array_add (conditions, kymo_condition_parse (second, NULL));
  kymo_watch_set_conditions (watch, conditions);
}

static void
expect (GPtrArray  *told,
        const char *text)
{
  g_autofree char *all = NULL;

  g_ptr_array_add (told, NULL);
  all = g_strjoinv ("\n", (char **) told->pdata);
  g_assert_cmpstr (all, ==, text);
  g_ptr_array_set_size (told, 0);
}

/* Of `value`, "NAME UNIT N", rank 0 has the least and rank 2 the most. */
static void
put_values (KymoWatch  *watch,
            gint64      second,
            const char *value,
            gint64      least,
            gint64      sum,
            gint64      most)
{
  g_autofree char *text =
    g_strdup_printf ("second 7\nprocesses 3 3\n%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " 0 %"
                     G_GINT64_FORMAT " 2\n", value, sum, least, most);
  g_autofree KymoStreamValues *values = g_new (KymoStreamValues, 1);

  g_assert_true (kymo_stream_values_parse (values, text, strlen (text)));
  kymo_watch_values (watch, values, second * S_NS);
}

static void
test_values (void)
{
  g_autoptr (KymoWatch) watch = NULL;
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);

  watch = kymo_watch_new (told_cb, name_cb, told);
  set (watch, "lowest load below 20% for 2s", "highest load above 90% for 1s");
  put_values (watch, 0, "load ppm 3", 100000, 1500000, 900000);
  expect (told, "");                                 /* 90 % is not above 90 % */
  put_values (watch, 1, "load ppm 3", 200000, 1500000, 900001);
  expect (told, "0ms Load: lowest below 20 % for 2 s (15 %, rank 0)\n"
          "1000ms Load: highest above 90 % for 1 s (90 %, rank 2)");
  put_values (watch, 2, "load ppm 3", 0, 1500000, 1000000);
  expect (told, "");                                 /* both are still met */
  put_values (watch, 3, "load ppm 3", 400000, 1500000, 500000);
  put_values (watch, 4, "load ppm 3", 0, 1500000, 1000000);
  expect (told, "4000ms Load: highest above 90 % for 1 s (100 %, rank 2)");
  put_values (watch, 6, "load ppm 3", 0, 1500000, 100000);      /* second 5 was lost */
  put_values (watch, 7, "messages # 3", 0, 0, 0);               /* this one has no load */
  put_values (watch, 8, "load ppm 3", 0, 1500000, 100000);
  expect (told, "");
  put_values (watch, 9, "load ppm 3", 0, 1500000, 100000);
  expect (told, "8000ms Load: lowest below 20 % for 2 s (0 %, rank 0)");
  put_values (watch, 0, "load ppm 3", 0, 1500000, 100000);      /* another stream */
  put_values (watch, 1, "load ppm 3", 0, 1500000, 100000);
  expect (told, "0ms Load: lowest below 20 % for 2 s (0 %, rank 0)");
}

/* A mean is no whole number, and figures may be as large as numbers are. */
static void
test_exact_values (void)
{
  g_autoptr (KymoWatch) watch = NULL;
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);

  watch = kymo_watch_new (told_cb, name_cb, told);
  set (watch, "mean messages above 0 for 1s", "mean messages below 1 for 200s");
  put_values (watch, 0, "messages # 3", 0, 1, 1);
  expect (told, "0ms Messages sent: mean above 0 for 1 s (0)");
  for (guint s = 1; s < 199; s++)
    put_values (watch, s, "messages # 3", 0, 2, 2);
  expect (told, "");
  put_values (watch, 199, "messages # 3", 0, 5, 5);
  expect (told, "0ms Messages sent: mean below 1 for 200 s (0)");
  set (watch, "highest memory above 9223372036854775806B for 86400s", NULL);
  for (guint s = 0; s < 86400; s++)
    put_values (watch, s, "memory B 1", 0, G_MAXINT64, G_MAXINT64);
  g_assert_cmpuint (told->len, ==, 1);
  g_assert_true (g_str_has_prefix (told->pdata[0], "0ms Memory: highest above "));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch-values/round-trip", test_value_round_trip);
  g_test_add_func ("/watch-values/values", test_values);
  g_test_add_func ("/watch-values/exact", test_exact_values);
  return g_test_run ();
}
