/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-pe-choice.h"

#include "kymo-order.h"

#include <math.h>

/* -- how many -------------------------------------------------------------- */

/**
 * kymo_pe_choice_parse:
 * @text: (nullable): "26" or "10%"
 * @up: round a share up, not down
 * @n_pes: of which it is a share
 * @n: (out): at most %G_MAXINT
 *
 * Returns: %FALSE when it is neither a count nor a share up to 100%
 */
gboolean
kymo_pe_choice_parse (const char *text,
                      gboolean    up,
                      guint       n_pes,
                      guint      *n)
{
  char *end = NULL;
  double value;
  guint64 count;

  if (text == NULL || !g_ascii_isdigit (*text))
    return FALSE;
  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &count, NULL))
    {
      *n = count;
      return TRUE;
    }
  value = g_ascii_strtod (text, &end);
  if (end[0] != '%' || end[1] != '\0' || !(value >= 0 && value <= 100))
    return FALSE;
  /* 10% of 510 are 51, whatever 0.1 is in binary. */
  value = value * n_pes / 100;
  *n = fabs (value - rint (value)) < 1e-6 ? rint (value) : up ? ceil (value) : floor (value);
  return TRUE;
}

/* Weight of a cluster: its share of the outliers is its weight over the sum of all weights. */
typedef unsigned __int128 Weight;

typedef struct
{
  guint  cluster;
  Weight rest;
} Remainder;

/* The largest first, then the lower cluster. */
static int
compare_remainders (gconstpointer a,
                    gconstpointer b)
{
  const Remainder *x = a, *y = b;

  KYMO_ORDER_BY (y->rest, x->rest);
  return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

/* Mean distances are whole numbers, so that shares are exact: of nanoseconds,
   or of 2^-40 where components are scaled. */
static void
weigh_clusters (const KymoKmeans *kmeans,
                KymoPeQuota       by,
                Weight           *weights)
{
  g_autofree double *sum = g_new0 (double, kmeans->n_clusters);

  for (guint i = 0; i < kmeans->n_rows; i++)
    sum[kmeans->cluster[i]] += kmeans->distance[i];
  for (guint k = 0; k < kmeans->n_clusters; k++)
    {
      weights[k] = kmeans->sizes[k] - 1;
      if (by == KYMO_PE_QUOTA_SPREAD)
        weights[k] *= (guint64) MIN (rint (sum[k] / kmeans->sizes[k]), 0x1p62);
    }
}

static Weight
sum_weights (const KymoKmeans *kmeans,
             const gboolean   *full,
             const Weight     *weights)
{
  Weight sum = 0;

  for (guint k = 0; k < kmeans->n_clusters; k++)
    sum += full[k] ? 0 : weights[k];
  return sum;
}

/* Clusters whose share would be all they have get that, and leave the rest to
   the others, whose shares grow by it: until there is none. Where the others
   have no weight they are shared to by size. Returns what is left for them. */
static guint
fill_clusters (const KymoKmeans *kmeans,
               guint             n_outliers,
               gboolean         *full,
               Weight           *weights,
               guint            *quota)
{
  guint before = G_MAXUINT;

  while (n_outliers > 0 && n_outliers != before)
    {
      Weight all = sum_weights (kmeans, full, weights);
      guint left = n_outliers;

      if (all == 0)
        {
          weigh_clusters (kmeans, KYMO_PE_QUOTA_SIZE, weights);
          all = sum_weights (kmeans, full, weights);
        }
      before = n_outliers;
      for (guint k = 0; k < kmeans->n_clusters; k++)
        if (!full[k] && weights[k] * left >= all * (kmeans->sizes[k] - 1))
          {
            full[k] = TRUE;
            quota[k] = kmeans->sizes[k] - 1;
            n_outliers -= quota[k];
          }
    }
  return n_outliers;
}

/* n weight / sum of weights each, the largest remainders rounded up; never
   more than S - 1. */
static void
share_out (const KymoKmeans *kmeans,
           guint             n_outliers,
           KymoPeQuota       by,
           guint            *quota)
{
  g_autofree Remainder *remainders = g_new (Remainder, kmeans->n_clusters);
  g_autofree Weight *weights = g_new (Weight, kmeans->n_clusters);
  g_autofree gboolean *full = g_new0 (gboolean, kmeans->n_clusters);
  guint left, n = 0;
  Weight all;

  weigh_clusters (kmeans, by, weights);
  n_outliers = fill_clusters (kmeans, n_outliers, full, weights, quota);
  all = sum_weights (kmeans, full, weights);
  left = n_outliers;
  for (guint k = 0; k < kmeans->n_clusters; k++)
    {
      Weight part = weights[k] * n_outliers;

      if (full[k] || n_outliers == 0)
        continue;
      quota[k] = part / all;
      left -= quota[k];
      remainders[n++] = (Remainder) { k, part % all };
    }
  qsort (remainders, n, sizeof (Remainder), compare_remainders);
  for (guint i = 0; i < left; i++)
    quota[remainders[i].cluster]++;
}

/* -- which ----------------------------------------------------------------- */

/* The nearest row of each cluster; of those as near as it the lowest. */
static void
find_representatives (const KymoKmeans *kmeans,
                      guint            *representative)
{
  g_autofree double *nearest = g_new (double, kmeans->n_clusters);

  for (guint k = 0; k < kmeans->n_clusters; k++)
    {
      nearest[k] = INFINITY;
      representative[k] = G_MAXUINT;
    }
  for (guint i = 0; i < kmeans->n_rows; i++)
    nearest[kmeans->cluster[i]] = MIN (nearest[kmeans->cluster[i]], kmeans->distance[i]);
  for (guint i = kmeans->n_rows; i-- > 0;)
    if (kymo_kmeans_is_tie (kmeans->distance[i], nearest[kmeans->cluster[i]]))
      representative[kmeans->cluster[i]] = i;
}

/* By cluster, then the farthest first, then the lower row. */
static int
compare_rows (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  const KymoKmeans *kmeans = data;
  guint i = *(const guint *) a, j = *(const guint *) b;

  KYMO_ORDER_BY (kmeans->cluster[i], kmeans->cluster[j]);
  KYMO_ORDER_BY (kmeans->distance[j], kmeans->distance[i]);
  return (i > j) - (i < j);
}

static int
compare_numbers (gconstpointer a,
                 gconstpointer b)
{
  guint i = *(const guint *) a, j = *(const guint *) b;

  return (i > j) - (i < j);
}

/* Rows as far as the first of their group are ties, and ascend. */
static void
order_ties (const KymoKmeans *kmeans,
            guint            *rows,
            guint             n)
{
  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && kmeans->cluster[rows[end]] == kmeans->cluster[rows[first]]
           && kymo_kmeans_is_tie (kmeans->distance[rows[end]], kmeans->distance[rows[first]]);)
        end++;
      qsort (rows + first, end - first, sizeof (guint), compare_numbers);
    }
}

/* All rows but the representatives, in the order in which they are outliers. */
static guint *
rank_rows (const KymoKmeans *kmeans,
           const guint      *representative,
           guint            *n_ranked)
{
  guint *rows = g_new (guint, kmeans->n_rows);
  guint n = 0;

  for (guint i = 0; i < kmeans->n_rows; i++)
    if (representative[kmeans->cluster[i]] != i)
      rows[n++] = i;
  g_qsort_with_data (rows, n, sizeof (guint), compare_rows, (gpointer) kmeans);
  order_ties (kmeans, rows, n);
  *n_ranked = n;
  return rows;
}

/**
 * kymo_pe_choice_new:
 * @n_outliers: of all clusters; cut to what is left beside representatives
 * @by: how they are shared out
 *
 * Returns: (transfer full): representatives and outliers
 */
KymoPeChoice *
kymo_pe_choice_new (const KymoKmeans *kmeans,
                    guint             n_outliers,
                    KymoPeQuota       by)
{
  KymoPeChoice *choice = g_new0 (KymoPeChoice, 1);
  g_autofree guint *quota = g_new0 (guint, kmeans->n_clusters);
  g_autofree guint *ranked = NULL;
  guint n, at = 0;

  choice->n_outliers = MIN (n_outliers, kmeans->n_rows - kmeans->n_clusters);
  choice->representative = g_new (guint, kmeans->n_clusters);
  choice->first_outlier = g_new0 (guint, kmeans->n_clusters + 1);
  choice->outliers = g_new (guint, choice->n_outliers + 1);
  find_representatives (kmeans, choice->representative);
  share_out (kmeans, choice->n_outliers, by, quota);
  ranked = rank_rows (kmeans, choice->representative, &n);
  for (guint i = 0; i < n; i++)
    {
      guint k = kmeans->cluster[ranked[i]];

      if (quota[k] == 0)
        continue;
      quota[k]--;
      choice->outliers[at++] = ranked[i];
      choice->first_outlier[k + 1] = at;
    }
  for (guint k = 0; k < kmeans->n_clusters; k++)
    choice->first_outlier[k + 1] = MAX (choice->first_outlier[k + 1], choice->first_outlier[k]);
  return choice;
}

/** kymo_pe_choice_free: frees the representatives and the outliers */
void
kymo_pe_choice_free (KymoPeChoice *choice)
{
  g_free (choice->representative);
  g_free (choice->first_outlier);
  g_free (choice->outliers);
  g_free (choice);
}
