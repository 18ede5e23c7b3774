/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-pe-choice.h"

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

typedef struct
{
  guint   cluster;
  guint64 rest;
} Remainder;

/* The largest first, then the lower cluster. */
static int
compare_remainders (gconstpointer a,
                    gconstpointer b)
{
  const Remainder *x = a, *y = b;

  if (x->rest != y->rest)
    return x->rest > y->rest ? -1 : 1;
  return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

/* n (S - 1) / sum (S - 1) each, the largest remainders rounded up; never more
   than S - 1, for n is not above their sum. */
static void
share_out (const KymoKmeans *kmeans,
           guint             n_outliers,
           guint            *quota)
{
  g_autofree Remainder *remainders = g_new (Remainder, kmeans->n_clusters);
  guint64 all = kmeans->n_rows - kmeans->n_clusters;
  guint left = n_outliers;

  for (guint k = 0; k < kmeans->n_clusters; k++)
    {
      guint64 part = (guint64) n_outliers * (kmeans->sizes[k] - 1);

      quota[k] = all > 0 ? part / all : 0;
      remainders[k] = (Remainder) { k, all > 0 ? part % all : 0 };
      left -= quota[k];
    }
  qsort (remainders, kmeans->n_clusters, sizeof (Remainder), compare_remainders);
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

  if (kmeans->cluster[i] != kmeans->cluster[j])
    return kmeans->cluster[i] < kmeans->cluster[j] ? -1 : 1;
  if (kmeans->distance[i] != kmeans->distance[j])
    return kmeans->distance[i] > kmeans->distance[j] ? -1 : 1;
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
 *
 * Returns: (transfer full): representatives and outliers
 */
KymoPeChoice *
kymo_pe_choice_new (const KymoKmeans *kmeans,
                    guint             n_outliers)
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
  share_out (kmeans, choice->n_outliers, quota);
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

void
kymo_pe_choice_free (KymoPeChoice *choice)
{
  g_free (choice->representative);
  g_free (choice->first_outlier);
  g_free (choice->outliers);
  g_free (choice);
}
