/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * k-means and the choice of PEs: the wide distance against a plain one, any
 * number of threads and any order of rows, cancelling, shares and quotas.
 */
#include "config.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "kymo-kmeans-private.h"
#include "kymo-pe-choice.h"

/* Whole numbers around a few centres. */
static double *
make_rows (guint n_rows,
           guint n_columns,
           int   most)
{
  double *rows = g_new (double, (gsize) n_rows * n_columns);

  for (gsize i = 0; i < (gsize) n_rows * n_columns; i++)
    rows[i] = (i / n_columns % 7) * most + g_random_int_range (0, most);
  return rows;
}

static double
plain_square (const double *a,
              const double *b,
              guint         n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

static void
test_distance (void)
{
  for (guint n = KYMO_KMEANS_LANES; n <= 20 * KYMO_KMEANS_LANES; n += KYMO_KMEANS_LANES)
    {
      g_autofree double *rows = make_rows (2, n, 100000);
      double square = plain_square (rows, rows + n, n);

      g_assert_cmpfloat (kymo_square_distance (rows, rows + n, n, INFINITY), ==, square);
      g_assert_cmpfloat (kymo_square_distance (rows, rows + n, n, square), ==, square);
      g_assert_cmpfloat (kymo_square_distance (rows, rows + n, n, square / 2), >, square / 2);
      g_assert_cmpfloat (kymo_kmeans_distance (rows, rows, n), ==, 0);
    }
}

static KymoKmeans *
cluster (const double *rows,
         guint         n_rows,
         guint         n_columns,
         guint         k,
         KymoSeeding   seeding,
         guint         n_threads)
{
  KymoKmeansInput input = { rows, n_rows, n_columns, k, seeding, 3, n_threads, FALSE };
  g_autoptr (GError) error = NULL;
  KymoKmeans *kmeans = kymo_kmeans_new (&input, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (kmeans->settled);
  return kmeans;
}

/* Each row is with the nearest mean, and the means are those of their rows. */
static void
check_settled (const KymoKmeans *kmeans,
               const double     *rows)
{
  guint n = kmeans->n_columns, total = 0;

  for (guint i = 0; i < kmeans->n_rows; i++)
    for (guint k = 0; k < kmeans->n_clusters; k++)
      {
        double square = plain_square (rows + (gsize) i * n, kmeans->means + (gsize) k * n, n);

        g_assert_cmpfloat (kmeans->distance[i], <=, sqrt (square) * (1 + 2e-9));
      }
  for (guint k = 0; k < kmeans->n_clusters; k++)
    {
      g_assert_cmpuint (kmeans->sizes[k], >, 0);
      total += kmeans->sizes[k];
      for (guint c = 0; c < n; c++)
        {
          double sum = 0;

          for (guint i = 0; i < kmeans->n_rows; i++)
            sum += kmeans->cluster[i] == k ? rows[(gsize) i * n + c] : 0;
          g_assert_cmpfloat_with_epsilon (kmeans->means[(gsize) k * n + c],
                                          sum / kmeans->sizes[k], 1e-6);
        }
    }
  g_assert_cmpuint (total, ==, kmeans->n_rows);
}

static void
test_threads (void)
{
  const guint n_rows = 3000, n = 2 * KYMO_KMEANS_LANES;

  for (int seeding = KYMO_SEEDING_DIAGONAL; seeding <= KYMO_SEEDING_PLUSPLUS; seeding++)
    {
      g_autofree double *rows = make_rows (n_rows, n, 50);
      g_autoptr (KymoKmeans) one = cluster (rows, n_rows, n, 9, seeding, 1);

      check_settled (one, rows);
      for (guint threads = 2; threads <= 5; threads++)
        {
          g_autoptr (KymoKmeans) many = cluster (rows, n_rows, n, 9, seeding, threads);

          g_assert_cmpuint (many->n_clusters, ==, one->n_clusters);
          g_assert_cmpuint (many->rounds, ==, one->rounds);
          g_assert_cmpmem (many->cluster, n_rows * sizeof (guint), one->cluster,
                           n_rows * sizeof (guint));
          g_assert_cmpmem (many->means, one->n_clusters * n * sizeof (double), one->means,
                           one->n_clusters * n * sizeof (double));
        }
    }
}

static void
assert_same (const KymoKmeans *a,
             const KymoKmeans *b)
{
  gsize n = (gsize) a->n_clusters * a->n_columns;

  g_assert_cmpuint (a->n_clusters, ==, b->n_clusters);
  g_assert_cmpuint (a->rounds, ==, b->rounds);
  g_assert_cmpmem (a->cluster, a->n_rows * sizeof (guint), b->cluster, b->n_rows * sizeof (guint));
  g_assert_cmpmem (a->means, n * sizeof (double), b->means, n * sizeof (double));
  g_assert_cmpmem (a->distance, a->n_rows * sizeof (double), b->distance,
                   b->n_rows * sizeof (double));
}

/* What is not measured changes nothing: rows without any structure, many of them alike,
   with ties, and so large that their sums are no doubles. */
static void
test_bounds (void)
{
  static const double largest[] = { 2, 1000, 1e6, 0x1p52 };
  guint n = 2 * KYMO_KMEANS_LANES, n_rows = 700;
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  g_autofree double *rows = g_new (double, (gsize) n_rows * n);

  for (guint round = 0; round < 24; round++)
    {
      KymoKmeansInput input = { rows, n_rows, n, 1 + round % 9, round % 3, round, 2, FALSE };
      g_autoptr (KymoKmeans) bounded = NULL, plain = NULL;

      for (gsize i = 0; i < (gsize) n_rows * n; i++)
        rows[i] = floor (g_rand_double (random) * largest[round % 4])
          + (round % 5 == 0 ? (double) (i / n % 4) * largest[round % 4] / 2 : 0);
      bounded = kymo_kmeans_new (&input, NULL, NULL);
      input.every_distance = TRUE;
      plain = kymo_kmeans_new (&input, NULL, NULL);
      assert_same (bounded, plain);
    }
}

/* Backwards the clusters are the same to the bit. */
static void
test_order (void)
{
  const guint n_rows = 500, n = KYMO_KMEANS_LANES;

  for (guint round = 0; round < 30; round++)
    {
      g_autofree double *rows = make_rows (n_rows, n, round % 2 ? 3 : 100000000);
      g_autofree double *back = g_new (double, n_rows * n);
      g_autoptr (KymoKmeans) a = NULL, b = NULL;

      for (guint i = 0; i < n_rows; i++)
        memcpy (back + i * n, rows + (n_rows - 1 - i) * n, n * sizeof (double));
      a = cluster (rows, n_rows, n, 8, KYMO_SEEDING_DIAGONAL, 1);
      b = cluster (back, n_rows, n, 8, KYMO_SEEDING_DIAGONAL, 1);
      g_assert_cmpmem (a->means, a->n_clusters * n * sizeof (double), b->means,
                       b->n_clusters * n * sizeof (double));
      for (guint i = 0; i < n_rows; i++)
        g_assert_cmpuint (a->cluster[i], ==, b->cluster[n_rows - 1 - i]);
    }
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (20000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (void)
{
  const guint n_rows = 60000, n = 10 * KYMO_KMEANS_LANES;
  g_autofree double *rows = make_rows (n_rows, n, 1000);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  KymoKmeansInput input = { rows, n_rows, n, 3000, KYMO_SEEDING_PLUSPLUS, 1, 2, FALSE };
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);

  g_assert_null (kymo_kmeans_new (&input, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
}

static void
test_counts (void)
{
  static const struct { const char *text; gboolean up; guint n_pes, n; } good[] = {
    { "26", TRUE, 512, 26 }, { "0", TRUE, 512, 0 }, { "10%", TRUE, 512, 52 },
    { "10%", FALSE, 512, 51 }, { "10%", TRUE, 510, 51 }, { "0.1%", TRUE, 1000, 1 },
    { "100%", TRUE, 7, 7 }, { "0%", TRUE, 7, 0 }, { "33.4%", TRUE, 3, 2 },
  };
  static const char *const bad[] = { "", "-1", "101%", "x", "10 %", "10%%", "nan%", "0x10", "1.5" };
  guint n;

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_assert_true (kymo_pe_choice_parse (good[i].text, good[i].up, good[i].n_pes, &n));
      g_assert_cmpuint (n, ==, good[i].n);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (kymo_pe_choice_parse (bad[i], TRUE, 100, &n));
  g_assert_false (kymo_pe_choice_parse (NULL, TRUE, 100, &n));
}

/* Nobody is chosen twice, and outliers are as many as were asked for. */
static void
test_choice (void)
{
  const guint n_rows = 200, n = KYMO_KMEANS_LANES;

  for (guint wanted = 0; wanted < 260; wanted += 13)
    {
      g_autofree double *rows = make_rows (n_rows, n, 4);
      g_autoptr (KymoKmeans) kmeans = cluster (rows, n_rows, n, 6, KYMO_SEEDING_DIAGONAL, 1);
      g_autoptr (KymoPeChoice) choice = kymo_pe_choice_new (kmeans, wanted, wanted % 2 == 0
                                                            ? KYMO_PE_QUOTA_SIZE
                                                            : KYMO_PE_QUOTA_SPREAD);
      g_autofree guint *chosen = g_new0 (guint, n_rows);

      g_assert_cmpuint (choice->n_outliers, ==, MIN (wanted, n_rows - kmeans->n_clusters));
      g_assert_cmpuint (choice->first_outlier[kmeans->n_clusters], ==, choice->n_outliers);
      for (guint k = 0; k < kmeans->n_clusters; k++)
        {
          g_assert_cmpuint (kmeans->cluster[choice->representative[k]], ==, k);
          chosen[choice->representative[k]]++;
          for (guint i = choice->first_outlier[k]; i < choice->first_outlier[k + 1]; i++)
            {
              g_assert_cmpuint (kmeans->cluster[choice->outliers[i]], ==, k);
              chosen[choice->outliers[i]]++;
            }
        }
      for (guint i = 0; i < n_rows; i++)
        g_assert_cmpuint (chosen[i], <=, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_random_set_seed (20080917);
  g_test_add_func ("/kmeans/distance", test_distance);
  g_test_add_func ("/kmeans/threads", test_threads);
  g_test_add_func ("/kmeans/bounds", test_bounds);
  g_test_add_func ("/kmeans/order", test_order);
  g_test_add_func ("/kmeans/cancel", test_cancel);
  g_test_add_func ("/choice/counts", test_counts);
  g_test_add_func ("/choice/quotas", test_choice);
  return g_test_run ();
}
