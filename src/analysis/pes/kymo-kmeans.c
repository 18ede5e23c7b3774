/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lloyd's rounds: each row goes to the nearest centre, ties to the lower one;
 * each centre that has rows moves to their mean; until no row moves. A cluster
 * that is empty on the way keeps its centre, one empty at the end is dropped.
 *
 * Rows are looked at by several threads; the sums of the clusters are of whole
 * numbers, changed by the rows that moved alone, so they are exact in any order: in
 * doubles where all rows together stay below 2^53, else in 128 bits.
 *
 * Most distances need not be measured (Elkan, 2003): how far a row can have come from its
 * centre, and how near another centre can have come to it, is known from how far the
 * centres moved. A bound is widened by more than what rounding can take from it, and a
 * distance that may be a tie is measured, so the result is that of measuring all.
 */
#include "config.h"

#include "kymo-kmeans-private.h"

#include <math.h>
#include <string.h>

#include "kymo-wide.h"

#define NOWHERE G_MAXUINT

/* Most memory for bounds of distances. */
#define MOST_BOUNDS (8 << 20)

/* More than the error of a distance in its last bits, and of a bound over all rounds. */
#define SLACK 1e-10

/* A centre that is this part farther away is no tie. */
#define FARTHER (1 + 10 * KYMO_KMEANS_TIE)

typedef struct
{
  const KymoKmeansInput *input;
  double                *centres;       /* k x n_columns */
  __int128              *sums;          /* k x n_columns; NULL: whole_sums has them */
  double                *whole_sums;
  guint                 *sizes;         /* by centre */
  guint                 *cluster;       /* by row */
  guint                 *next;          /* by row: of this round */
  double                *upper;         /* by row: its distance is no larger; or NULL */
  double                *lower;         /* by row and centre: nor smaller */
  double                *moved;         /* by centre: how far in this round, no less */
  GMutex                 lock;
  double                *low, *high;    /* the box; under the lock */
} Lloyd;

static void
widen_by_rows (gpointer data,
               guint    first,
               guint    end)
{
  Lloyd *lloyd = data;
  gsize n = lloyd->input->n_columns;
  const double *rows = lloyd->input->rows;
  g_autofree double *low = g_memdup2 (rows + first * n, n * sizeof (double));
  g_autofree double *high = g_memdup2 (rows + first * n, n * sizeof (double));

  for (guint i = first + 1; i < end; i++)
    kymo_widen_box (low, high, rows + i * n, n);
  g_mutex_lock (&lloyd->lock);
  kymo_widen_box (lloyd->low, lloyd->high, low, n);
  kymo_widen_box (lloyd->low, lloyd->high, high, n);
  g_mutex_unlock (&lloyd->lock);
}

static gboolean
find_box (Lloyd        *lloyd,
          GCancellable *cancellable)
{
  const KymoKmeansInput *input = lloyd->input;

  memcpy (lloyd->low, input->rows, input->n_columns * sizeof (double));
  memcpy (lloyd->high, input->rows, input->n_columns * sizeof (double));
  return kymo_rows_for_each (input->n_rows, (guint64) input->n_rows * input->n_columns,
                             input->n_threads, widen_by_rows, lloyd, cancellable);
}

/* The lowest of those that are as near as the nearest. Its present cluster is
   tried first, for that gives the others up early. */
static guint
nearest_centre (const Lloyd *lloyd,
                guint        row,
                double      *squares)
{
  const KymoKmeansInput *input = lloyd->input;
  guint n = input->n_columns, present = lloyd->cluster[row];
  const double *values = input->rows + (gsize) row * n;
  double best = INFINITY;

  if (present != NOWHERE)
    best = kymo_square_distance (values, lloyd->centres + (gsize) present * n, n, INFINITY);
  for (guint k = 0; k < input->k; k++)
    {
      squares[k] = kymo_square_distance (values, lloyd->centres + (gsize) k * n, n,
                                         kymo_square_tie (best));
      best = MIN (best, squares[k]);
    }
  for (guint k = 0; k < input->k; k++)
    if (squares[k] <= kymo_square_tie (best))
      return k;
  return 0;
}

/* As far away as it was, less what the centre has come nearer since. */
static gboolean
may_be_near (double *lower,
             double  moved,
             double  upper)
{
  *lower -= moved;
  return *lower <= upper * FARTHER;
}

/* The same with bounds: what is surely farther than the present one is not measured. */
static guint
nearest_by_bounds (const Lloyd *lloyd,
                   guint        row,
                   double      *squares)
{
  const KymoKmeansInput *input = lloyd->input;
  guint n = input->n_columns, present = lloyd->cluster[row], found = NOWHERE;
  const double *values = input->rows + (gsize) row * n;
  double *lower = lloyd->lower + (gsize) row * input->k;
  double best = INFINITY, upper = INFINITY;
  gboolean any = FALSE;

  if (present != NOWHERE)
    {
      upper = lloyd->upper[row] += lloyd->moved[present];
      for (guint k = 0; k < input->k; k++)
        any |= may_be_near (&lower[k], lloyd->moved[k], upper) && k != present;
      if (!any)
        return present;
      best = kymo_square_distance (values, lloyd->centres + (gsize) present * n, n, INFINITY);
      upper = lloyd->upper[row] = sqrt (best) * (1 + SLACK);
    }
  for (guint k = 0; k < input->k; k++)
    {
      squares[k] = k == present ? best : INFINITY;
      if (k == present || (present != NOWHERE && lower[k] > upper * FARTHER))
        continue;
      squares[k] = kymo_square_distance (values, lloyd->centres + (gsize) k * n, n, INFINITY);
      lower[k] = sqrt (squares[k]) * (1 - SLACK);
    }
  for (guint k = 0; k < input->k; k++)
    best = MIN (best, squares[k]);
  for (guint k = 0; k < input->k && found == NOWHERE; k++)
    if (squares[k] <= kymo_square_tie (best))
      found = k;
  found = found == NOWHERE ? 0 : found;
  if (present != NOWHERE)
    lower[present] = upper / (1 + SLACK) * (1 - SLACK);
  lloyd->upper[row] = sqrt (squares[found]) * (1 + SLACK);
  return found;
}

static void
assign_rows (gpointer data,
             guint    first,
             guint    end)
{
  Lloyd *lloyd = data;
  g_autofree double *squares = g_new (double, lloyd->input->k);

  for (guint i = first; i < end; i++)
    lloyd->next[i] = lloyd->upper != NULL ? nearest_by_bounds (lloyd, i, squares)
      : nearest_centre (lloyd, i, squares);
}

KYMO_WIDE static void
add_whole (double       *sums,
           const double *values,
           double        sign,
           guint         n)
{
  for (guint c = 0; c < n; c++)
    sums[c] += sign * values[c];
}

static void
add_row (Lloyd *lloyd,
         guint  row,
         guint  cluster,
         gint   sign)
{
  guint n = lloyd->input->n_columns;
  const double *values = lloyd->input->rows + (gsize) row * n;

  lloyd->sizes[cluster] += sign;
  if (lloyd->sums == NULL)
    {
      add_whole (lloyd->whole_sums + (gsize) cluster * n, values, sign, n);
      return;
    }
  for (guint c = 0; c < n; c++)
    lloyd->sums[(gsize) cluster * n + c] += sign * (gint64) values[c];
}

/* Returns how many rows moved. */
static guint
move_rows (Lloyd *lloyd)
{
  guint n_moved = 0;

  for (guint i = 0; i < lloyd->input->n_rows; i++)
    {
      if (lloyd->next[i] == lloyd->cluster[i])
        continue;
      if (lloyd->cluster[i] != NOWHERE)
        add_row (lloyd, i, lloyd->cluster[i], -1);
      add_row (lloyd, i, lloyd->next[i], 1);
      lloyd->cluster[i] = lloyd->next[i];
      n_moved++;
    }
  return n_moved;
}

static long double
sum_at (const Lloyd *lloyd,
        gsize        i)
{
  return lloyd->sums != NULL ? (long double) lloyd->sums[i] : lloyd->whole_sums[i];
}

static void
move_centres (Lloyd *lloyd)
{
  gsize n = lloyd->input->n_columns;
  g_autofree double *before = g_new (double, n);

  for (guint k = 0; k < lloyd->input->k; k++)
    {
      double *centre = lloyd->centres + k * n;

      lloyd->moved[k] = 0;
      if (lloyd->sizes[k] == 0)
        continue;
      memcpy (before, centre, n * sizeof (double));
      for (gsize c = 0; c < n; c++)
        centre[c] = (double) (sum_at (lloyd, k * n + c) / lloyd->sizes[k]);
      lloyd->moved[k] = kymo_kmeans_distance (before, centre, n) * (1 + SLACK);
    }
}

static void
measure_distances (gpointer data,
                   guint    first,
                   guint    end)
{
  const KymoKmeans *kmeans = ((gpointer *) data)[0];
  const KymoKmeansInput *input = ((gpointer *) data)[1];
  gsize n = input->n_columns;

  for (guint i = first; i < end; i++)
    kmeans->distance[i] = kymo_kmeans_distance (input->rows + i * n,
                                                kmeans->means + kmeans->cluster[i] * n, n);
}

/* Without those that have no rows. */
static gboolean
keep_clusters (const Lloyd  *lloyd,
               KymoKmeans   *kmeans,
               GCancellable *cancellable)
{
  const KymoKmeansInput *input = lloyd->input;
  guint n = input->n_columns;
  g_autofree guint *number = g_new (guint, lloyd->input->k);

  for (guint k = 0; k < lloyd->input->k; k++)
    {
      number[k] = kmeans->n_clusters;
      if (lloyd->sizes[k] == 0)
        continue;
      memmove (lloyd->centres + (gsize) kmeans->n_clusters * n, lloyd->centres + (gsize) k * n,
               n * sizeof (double));
      lloyd->sizes[kmeans->n_clusters++] = lloyd->sizes[k];
    }
  for (guint i = 0; i < kmeans->n_rows; i++)
    kmeans->cluster[i] = number[lloyd->cluster[i]];
  return kymo_rows_for_each (input->n_rows, (guint64) input->n_rows * n, input->n_threads,
                             measure_distances, (gpointer[]) { kmeans, (gpointer) input },
                             cancellable);
}

static gboolean
run_rounds (Lloyd        *lloyd,
            KymoKmeans   *kmeans,
            GCancellable *cancellable)
{
  const KymoKmeansInput *input = lloyd->input;
  guint64 n_operations = (guint64) input->n_rows * input->n_columns * input->k;

  while (kmeans->rounds < KYMO_KMEANS_ROUNDS && !kmeans->settled)
    {
      if (!kymo_rows_for_each (input->n_rows, n_operations, input->n_threads, assign_rows, lloyd,
                               cancellable))
        return FALSE;
      kmeans->rounds++;
      kmeans->settled = move_rows (lloyd) == 0;
      move_centres (lloyd);
    }
  return TRUE;
}

/* Doubles hold whole numbers up to 2^53, and so do sums that stay below. */
static void
choose_sums (Lloyd *lloyd)
{
  const KymoKmeansInput *input = lloyd->input;
  gsize n_values = (gsize) input->k * input->n_columns;
  double largest = 0;

  for (guint c = 0; c < input->n_columns; c++)
    largest = MAX (largest, MAX (fabs (lloyd->low[c]), fabs (lloyd->high[c])));
  if (largest * input->n_rows < 0x1p53)
    lloyd->whole_sums = g_new0 (double, n_values);
  else
    lloyd->sums = g_new0 (__int128, n_values);
}

static KymoKmeans *
run_lloyd (Lloyd         *lloyd,
           GCancellable  *cancellable,
           GError       **error)
{
  const KymoKmeansInput *input = lloyd->input;
  g_autofree double *low = g_new (double, input->n_columns);
  g_autofree double *high = g_new (double, input->n_columns);
  g_autoptr (KymoKmeans) kmeans = g_new0 (KymoKmeans, 1);

  kmeans->n_rows = input->n_rows;
  kmeans->n_columns = input->n_columns;
  kmeans->cluster = lloyd->cluster;
  kmeans->sizes = lloyd->sizes;
  kmeans->means = lloyd->centres;
  kmeans->distance = g_new0 (double, input->n_rows);
  lloyd->low = low;
  lloyd->high = high;
  if (find_box (lloyd, cancellable))
    kymo_kmeans_seed (input, low, high, lloyd->centres, cancellable);
  choose_sums (lloyd);
  if (g_cancellable_is_cancelled (cancellable) || !run_rounds (lloyd, kmeans, cancellable)
      || !keep_clusters (lloyd, kmeans, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return g_steal_pointer (&kmeans);
}

/**
 * kymo_kmeans_new:
 * @input: at least one row and one column
 *
 * Clusters the rows as the head of kymo-kmeans.c says (Lloyd, 1982).
 *
 * Returns: (transfer full) (nullable): %NULL when it was cancelled
 */
KymoKmeans *
kymo_kmeans_new (const KymoKmeansInput  *input,
                 GCancellable           *cancellable,
                 GError                **error)
{
  gsize n_values = (gsize) input->k * input->n_columns;
  gsize n_bounds = (gsize) input->k * input->n_rows;
  g_autofree guint *next = g_new (guint, input->n_rows);
  g_autofree double *moved = g_new0 (double, input->k);
  Lloyd lloyd = { .input = input, .centres = g_new0 (double, n_values),
                  .sizes = g_new0 (guint, input->k), .cluster = g_new (guint, input->n_rows),
                  .next = next, .moved = moved };
  KymoKmeans *kmeans;

  if (!input->every_distance && n_bounds <= MOST_BOUNDS / sizeof (double))
    {
      lloyd.upper = g_new (double, input->n_rows);
      lloyd.lower = g_new0 (double, n_bounds);
    }
  for (guint i = 0; i < input->n_rows; i++)
    lloyd.cluster[i] = NOWHERE;
  g_mutex_init (&lloyd.lock);
  kmeans = run_lloyd (&lloyd, cancellable, error);
  g_mutex_clear (&lloyd.lock);
  g_free (lloyd.sums);
  g_free (lloyd.whole_sums);
  g_free (lloyd.upper);
  g_free (lloyd.lower);
  return kmeans;
}

/** kymo_kmeans_free: frees the clusters with their means */
void
kymo_kmeans_free (KymoKmeans *kmeans)
{
  g_free (kmeans->cluster);
  g_free (kmeans->sizes);
  g_free (kmeans->means);
  g_free (kmeans->distance);
  g_free (kmeans);
}

/* -- silhouette ------------------------------------------------------------ */

typedef struct
{
  const KymoKmeans      *kmeans;
  const KymoKmeansInput *input;
  double                *of_row;
} Silhouette;

static void
measure_rows (gpointer data,
              guint    first,
              guint    end)
{
  Silhouette *silhouette = data;
  const KymoKmeans *kmeans = silhouette->kmeans;
  guint n = kmeans->n_columns;

  for (guint i = first; i < end; i++)
    {
      double own = kmeans->distance[i], other = INFINITY;

      for (guint k = 0; k < kmeans->n_clusters; k++)
        if (k != kmeans->cluster[i])
          other = MIN (other, kymo_square_distance (silhouette->input->rows + (gsize) i * n,
                                                    kmeans->means + (gsize) k * n, n, other));
      other = sqrt (other);
      silhouette->of_row[i] = kmeans->sizes[kmeans->cluster[i]] > 1 && MAX (own, other) > 0
        ? (other - own) / MAX (own, other) : 0;
    }
}

/**
 * kymo_kmeans_silhouette:
 * @kmeans: of @input
 * @by_cluster: (out) (array): n_clusters means; 0 for a cluster of one row
 * @mean: (out): over all rows; NaN where there is but one cluster
 *
 * How much nearer rows are to the mean of their own cluster than to the
 * nearest other one, from -1 to 1: the simplified silhouette (Hruschka, de
 * Castro and Campello, 2004), whose cost grows with the rows, not with their
 * square.
 *
 * Returns: %FALSE when it was cancelled
 */
gboolean
kymo_kmeans_silhouette (const KymoKmeans       *kmeans,
                        const KymoKmeansInput  *input,
                        double                 *by_cluster,
                        double                 *mean,
                        GCancellable           *cancellable,
                        GError                **error)
{
  g_autofree double *of_row = g_new0 (double, kmeans->n_rows);
  Silhouette silhouette = { kmeans, input, of_row };

  for (guint k = 0; k < kmeans->n_clusters; k++)
    by_cluster[k] = kmeans->n_clusters > 1 ? 0 : NAN;
  *mean = by_cluster[0];
  if (kmeans->n_clusters == 1)
    return TRUE;
  if (!kymo_rows_for_each (kmeans->n_rows,
                           (guint64) kmeans->n_rows * kmeans->n_columns * kmeans->n_clusters,
                           input->n_threads, measure_rows, &silhouette, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  for (guint i = 0; i < kmeans->n_rows; i++)
    {
      by_cluster[kmeans->cluster[i]] += of_row[i] / kmeans->sizes[kmeans->cluster[i]];
      *mean += of_row[i] / kmeans->n_rows;
    }
  return TRUE;
}
