/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions over random profiles of many locations, against sums that are taken one by
 * one: statistics, rows of a picture, more functions than are added up at once, scatters.
 */
#include "config.h"

#include "kymo-run-index.h"
#include "profile_run.h"

#define N_LOCATIONS 777
#define N_FUNCTIONS 40

typedef struct
{
  gboolean has[N_LOCATIONS][N_FUNCTIONS];
  double   exclusive[N_LOCATIONS][N_FUNCTIONS];
} Many;

/* @missing: one in so many figures, about */
static KymoRun *
make_many (guint seed,
           guint missing,
           Many *many)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  KymoProfileBuilder *builder = kymo_profile_builder_new (N_LOCATIONS);
  KymoProfilePart *part;

  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  part = kymo_profile_builder_add_part (builder);
  for (guint l = 0; l < N_LOCATIONS; l++)
    {
      kymo_profile_part_begin (part, l, 0);
      for (guint f = 0; f < N_FUNCTIONS; f++)
        {
          g_autofree char *name = g_strdup_printf ("f%u", f);
          double x = 1e6 + g_rand_double (random);

          many->has[l][f] = g_rand_int_range (random, 0, missing) != 0;
          many->exclusive[l][f] = many->has[l][f] ? x : 0;
          if (many->has[l][f])
            kymo_profile_part_add_all (part, event (part, name, "G", 0), 1 + f, 0,
                                       (double[]) { x, 2 * x });
        }
    }
  return make_run (N_LOCATIONS, kymo_profile_builder_finish (builder, 2));
}

static void
check_statistics (const Many      *many,
                  guint            f,
                  const KymoTable *figures,
                  guint            row)
{
  long double total = 0, squares = 0, mean;
  double min = INFINITY, max = -INFINITY;

  for (guint l = 0; l < N_LOCATIONS; l++)
    {
      total += many->exclusive[l][f];
      if (!many->has[l][f])
        continue;
      min = MIN (min, many->exclusive[l][f]);
      max = MAX (max, many->exclusive[l][f]);
    }
  mean = total / N_LOCATIONS;
  for (guint l = 0; l < N_LOCATIONS; l++)
    squares += (many->exclusive[l][f] - mean) * (many->exclusive[l][f] - mean);
  assert_near (kymo_table_get_double (figures, "total", row), (double) total);
  assert_near (kymo_table_get_double (figures, "mean", row), (double) mean);
  assert_near (kymo_table_get_double (figures, "min", row), min);
  assert_near (kymo_table_get_double (figures, "max", row), max);
  assert_near (kymo_table_get_double (figures, "stddev", row),
               (double) sqrtl (squares / N_LOCATIONS));
}

static void
check_rows (const Many      *many,
            const KymoTable *answer,
            guint            group)
{
  KymoTable *functions = kymo_table_peek_nested (answer, "functions", NULL);
  KymoTable *rows = kymo_table_peek_nested (answer, "rows", NULL);
  guint width;
  const double *values = kymo_table_peek_doubles (rows, "values", &width);

  g_assert_cmpuint (kymo_table_get_n_rows (rows), ==, (N_LOCATIONS + group - 1) / group);
  for (guint f = 0; f < N_FUNCTIONS; f++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", f);
      guint column = find (functions, "name", name);

      for (guint r = 0; r < kymo_table_get_n_rows (rows); r++)
        {
          guint begin = r * group, end = MIN (begin + group, N_LOCATIONS);
          double sum = 0;

          for (guint l = begin; l < end; l++)
            sum += many->exclusive[l][f];
          assert_near (values[r * width + column], sum / (end - begin));
        }
    }
}

static void
check_many (guint missing)
{
  g_autofree Many *many = g_new0 (Many, 1);
  g_autoptr (KymoRun) run = make_many (11, missing, many);
  g_autoptr (KymoTable) all = ask (run, "thread-bars", "columns=100");
  g_autoptr (KymoTable) groups = ask (run, "thread-bars", "rows=200");
  g_autoptr (KymoTable) large = ask (run, "thread-bars", "rows=5");
  KymoTable *list = kymo_table_peek_nested (all, "functions", NULL);

  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, N_FUNCTIONS);
  for (guint f = 0; f < N_FUNCTIONS; f++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", f);
      g_autofree char *keywords = g_strdup_printf ("of=%s", name);
      g_autoptr (KymoTable) one = ask (run, "function-bars", keywords);
      guint row = find (list, "name", name);

      check_statistics (many, f, list, row);
      /* The same number everywhere, to the last bit. */
      g_assert_cmpfloat (kymo_table_get_double (one, "stddev", 0), ==,
                         kymo_table_get_double (list, "stddev", row));
      g_assert_cmpfloat (kymo_table_get_double (one, "total", 0), ==,
                         kymo_table_get_double (list, "total", row));
    }
  check_rows (many, all, 1);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (groups, "functions", NULL)),
                    ==, 31);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (groups, "rows", NULL)),
                    ==, (N_LOCATIONS + 3) / 4);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (large, "rows", NULL)),
                    ==, (N_LOCATIONS + 255) / 256);
}

/* Where some figures are missing, and where locations have all functions: those are added
   up several at a time. */
static void
test_many (void)
{
  check_many (4);
  check_many (G_MAXINT32);
}

/* So many functions that parts of the locations are added up after each other. */
static void
test_waves (void)
{
  enum { FUNCTIONS = 30000, OF_ONE = 50 };
  KymoProfileBuilder *builder = kymo_profile_builder_new (N_LOCATIONS);
  g_autofree double *totals = g_new0 (double, FUNCTIONS), *largest = g_new0 (double, FUNCTIONS);
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) one = NULL, many = NULL;
  KymoProfilePart *part;
  KymoTable *list;

  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  part = kymo_profile_builder_add_part (builder);
  for (guint l = 0; l < N_LOCATIONS; l++)
    {
      kymo_profile_part_begin (part, l, 0);
      for (guint i = 0; i < OF_ONE; i++)
        {
          guint f = (l * 7 + i * 601) % FUNCTIONS;
          g_autofree char *name = g_strdup_printf ("f%u", f);
          double x = 1 + l % 5 + i;

          totals[f] += x;
          largest[f] = MAX (largest[f], x);
          kymo_profile_part_add_all (part, event (part, name, "G", 0), 1, 0,
                                     (double[]) { x, x });
        }
    }
  run = make_run (N_LOCATIONS, kymo_profile_builder_finish (builder, 2));
  one = ask (run, "thread", "of=total");
  many = ask (run, "thread", "of=max");
  list = kymo_table_peek_nested (one, "functions", NULL);
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      guint f = (guint) atoi (kymo_table_get_string (list, "name", i) + 1);

      assert_near (kymo_table_get_double (list, "exclusive", i), totals[f]);
    }
  list = kymo_table_peek_nested (many, "functions", NULL);
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      guint f = (guint) atoi (kymo_table_get_string (list, "name", i) + 1);

      assert_near (kymo_table_get_double (list, "exclusive", i), largest[f]);
    }
}

/* Places alone are there without clusters; clusters that are kept are those of any
   axes. */
static void
test_scatter (void)
{
  g_autofree Many *many = g_new0 (Many, 1);
  g_autoptr (KymoRun) run = make_many (13, 4, many);
  g_autoptr (KymoTable) places = ask (run, "thread-scatter", "x=f1,y=f2,clusters=none");
  g_autoptr (KymoTable) first = ask (run, "thread-scatter", "x=f1,y=f2");
  g_autoptr (KymoTable) again = ask (run, "thread-scatter", "x=f3,y=metric:TIME");
  g_autoptr (KymoTable) others = ask (run, "thread-scatter", "x=f3,y=f2,clusters=3");
  KymoTable *a = kymo_table_peek_nested (places, "locations", NULL);
  KymoTable *b = kymo_table_peek_nested (first, "locations", NULL);
  KymoTable *c = kymo_table_peek_nested (again, "locations", NULL);
  guint n_apart = 0;

  g_assert_cmpint (kymo_table_get_int (others, "k", 0), ==, 3);
  g_assert_cmpint (kymo_table_get_int (again, "k", 0), ==, 5);
  g_assert_cmpuint (kymo_table_get_n_rows (a), ==, N_LOCATIONS);
  for (guint i = 0; i < N_LOCATIONS; i++)
    {
      double sum = 0;

      for (guint f = 0; f < N_FUNCTIONS; f++)
        sum += many->exclusive[i][f];
      g_assert_cmpint (kymo_table_get_int (a, "cluster", i), ==, -1);
      g_assert_cmpfloat (kymo_table_get_double (a, "x", i), ==, many->exclusive[i][1]);
      g_assert_cmpfloat (kymo_table_get_double (b, "y", i), ==, many->exclusive[i][2]);
      g_assert_cmpfloat (kymo_table_get_double (c, "x", i), ==, many->exclusive[i][3]);
      assert_near (kymo_table_get_double (c, "y", i), sum);
      g_assert_cmpint (kymo_table_get_int (b, "cluster", i), ==,
                       kymo_table_get_int (c, "cluster", i));
      n_apart += kymo_table_get_int (b, "cluster", i) > 0;
    }
  g_assert_cmpuint (n_apart, >, 0);
}

/* Rows of more functions than are shown by default, put together in groups that are
   smaller and larger than what is summed up at a time. */
static void
test_rows (void)
{
  g_autofree Many *many = g_new0 (Many, 1);
  g_autoptr (KymoRun) run = make_many (12, 4, many);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);

  for (guint group = 1; group <= 512; group *= 2)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new ("thread-bars");
      g_autoptr (KymoTable) answer = NULL;

      kymo_question_set_resolution (question, N_FUNCTIONS, (N_LOCATIONS + group - 1) / group);
      answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
      check_rows (many, answer, group);
    }
}

/* Figures of many metrics are not all kept, whether clusters are among them or not. */
static void
test_cap (void)
{
  g_autofree Many *many = g_new0 (Many, 1);
  g_autoptr (KymoRun) run = make_many (14, 4, many);

  for (guint i = 1; i <= 80; i++)
    {
      g_autofree char *keywords = g_strdup_printf ("metric=TIME * %u", i);
      g_autoptr (KymoTable) answer = ask (run, "thread", keywords);
      g_autoptr (KymoTable) scatter = i % 32 == 0 ? ask (run, "thread-scatter", "x=f1,y=f2") : NULL;

      g_assert_nonnull (answer);
      g_assert_cmpuint (run->index->figures->len, <=, 64);
    }
  g_assert_cmpuint (run->index->figures->len, ==, 64);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profiles/many", test_many);
  g_test_add_func ("/profiles/rows", test_rows);
  g_test_add_func ("/profiles/waves", test_waves);
  g_test_add_func ("/profiles/scatter", test_scatter);
  g_test_add_func ("/profiles/cap", test_cap);
  return g_test_run ();
}
