/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clusters of the locations by the time in each region, as the question `clusters` makes them with
 * its defaults: whole nanoseconds, five seeds on the diagonal, no scaling.
 */
#include "kymo-archive-choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-nearest.h"

#define SEEDS 5
/* Columns hold whole numbers up to this. */
#define LARGEST 0x1p53
#define WEIGHT_ONE 1000000

/* One thread does all: only vectors of a few hundred numbers are compared. */
static bool
run_alone (void         *context,
           unsigned      n_rows,
           uint64_t      n_operations,
           KymoRowsFunc  func,
           void         *data)
{
  func (data, 0, n_rows);
  return true;
}

static const KymoRowsShare alone = { run_alone, NULL };

/* By state its column plus one; 0 = nothing was there. */
static uint32_t *
find_columns (const KymoArchiveChoice *choice,
              unsigned                *n_columns)
{
  uint32_t *column_of = calloc (choice->n_states, sizeof *column_of);
  const KymoArchiveRow *rows = KYMO_ARCHIVE_ROWS (choice);

  *n_columns = 0;
  if (column_of == NULL)
    return NULL;
  for (unsigned row = 0; row < KYMO_ARCHIVE_N_ROWS (choice); row++)
    {
      const KymoArchiveTotal *totals = KYMO_ARCHIVE_AT (&rows[row].totals, KymoArchiveTotal);

      for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&rows[row].totals, KymoArchiveTotal); i++)
        column_of[totals[i].state] |= totals[i].state >= KYMO_ARCHIVE_REGION && totals[i].ns > 0;
    }
  for (uint32_t state = 0; state < choice->n_states; state++)
    if (column_of[state] != 0)
      column_of[state] = ++*n_columns;
  return column_of;
}

static void
fill_vectors (KymoArchiveChoice *choice,
              const uint32_t    *column_of)
{
  const KymoArchiveRow *rows = KYMO_ARCHIVE_ROWS (choice);
  size_t n = choice->n_columns, n_rows = KYMO_ARCHIVE_N_ROWS (choice);

  for (size_t row = 0; row < n_rows; row++)
    {
      const KymoArchiveTotal *totals = KYMO_ARCHIVE_AT (&rows[row].totals, KymoArchiveTotal);

      for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&rows[row].totals, KymoArchiveTotal); i++)
        if (column_of[totals[i].state] != 0)
          choice->vectors[row * n + column_of[totals[i].state] - 1] =
            fmin ((double) totals[i].ns, LARGEST);
    }
  for (size_t c = 0; c < n; c++)
    {
      double low = INFINITY;

      for (size_t row = 0; row < n_rows; row++)
        low = fmin (low, choice->vectors[row * n + c]);
      for (size_t row = 0; row < n_rows; row++)
        choice->vectors[row * n + c] -= low;
    }
}

/**
 * kymo_archive_choice_compare:
 *
 * Makes the vectors of the sums.
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_archive_choice_compare (KymoArchiveChoice *choice)
{
  unsigned n_columns, n_rows = KYMO_ARCHIVE_N_ROWS (choice);
  uint32_t *column_of = find_columns (choice, &n_columns);

  if (n_columns == 0)
    n_columns = 1;
  choice->n_columns = (n_columns + KYMO_KMEANS_LANES - 1) / KYMO_KMEANS_LANES * KYMO_KMEANS_LANES;
  choice->vectors = calloc ((size_t) n_rows * choice->n_columns, sizeof (double));
  choice->kept = calloc (n_rows, sizeof *choice->kept);
  choice->weights = calloc (n_rows, sizeof *choice->weights);
  if (column_of != NULL && choice->vectors != NULL)
    fill_vectors (choice, column_of);
  free (column_of);
  return column_of != NULL && choice->vectors != NULL && choice->kept != NULL
    && choice->weights != NULL;
}

static bool
weigh_rows (KymoArchiveChoice *choice)
{
  unsigned n_rows = KYMO_ARCHIVE_N_ROWS (choice);
  const KymoWeighed pes = { n_rows, choice->n_columns, choice->kmeans.cluster, choice->vectors,
                            choice->kept, NULL };
  KymoNearest *nearest = kymo_nearest_new (n_rows);
  bool good = nearest != NULL && kymo_weights_share (&pes, nearest, choice->weights);

  free (nearest);
  return good;
}

/**
 * kymo_archive_choice_take:
 * @k: seeds that @kmeans was made of
 * @kmeans: (transfer full): clusters of the vectors
 * @n_outliers: beside representatives
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_archive_choice_take (KymoArchiveChoice *choice,
                          unsigned           k,
                          KymoKmeans        *kmeans,
                          unsigned           n_outliers)
{
  kymo_lloyd_clear (&choice->kmeans);
  if (choice->choice != NULL)
    kymo_pe_choice_free (choice->choice);
  choice->k = k;
  choice->kmeans = *kmeans;
  *kmeans = (KymoKmeans) { 0 };
  choice->choice = kymo_pe_choice_new (&choice->kmeans, n_outliers, KYMO_PE_QUOTA_SIZE);
  if (choice->choice == NULL)
    return false;
  memset (choice->kept, 0, KYMO_ARCHIVE_N_ROWS (choice) * sizeof *choice->kept);
  for (unsigned i = 0; i < choice->kmeans.n_clusters; i++)
    choice->kept[choice->choice->representative[i]] = 1;
  for (unsigned i = 0; i < choice->choice->n_outliers; i++)
    choice->kept[choice->choice->outliers[i]] = 1;
  return weigh_rows (choice);
}

/**
 * kymo_archive_choice_cluster:
 * @k: seeds
 * @kmeans: (out): to be cleared in any case
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_archive_choice_cluster (const KymoArchiveChoice *choice,
                             unsigned                 k,
                             KymoKmeans              *kmeans)
{
  const KymoKmeansInput input = { .rows = choice->vectors, .n_rows = KYMO_ARCHIVE_N_ROWS (choice),
                                  .n_columns = choice->n_columns, .k = k,
                                  .seeding = KYMO_SEEDING_DIAGONAL };

  return kymo_lloyd_run (&input, &alone, kmeans);
}

/**
 * kymo_archive_choice_count:
 * @count: representatives and outliers together, "26" or "10%"
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_archive_choice_count (KymoArchiveChoice *choice,
                           const char        *count)
{
  KymoKmeans kmeans;
  unsigned n = 0;
  bool good = kymo_archive_choice_cluster (choice, SEEDS, &kmeans);

  kymo_pe_choice_parse (count, false, KYMO_ARCHIVE_N_ROWS (choice), &n);
  good = good && kymo_archive_choice_take (choice, SEEDS, &kmeans, n > kmeans.n_clusters
                                           ? n - kmeans.n_clusters : 0);
  kymo_lloyd_clear (&kmeans);
  return good;
}

/* -- errors -------------------------------------------------------------------------- */

/**
 * kymo_archive_choice_add:
 * @row: number of a row
 * @shares: of all its bars
 *
 * Adds what it did to the truth, and to the estimate by its weight.
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_archive_choice_add (KymoArchiveChoice      *choice,
                         unsigned                row,
                         const KymoArchiveShare *shares,
                         size_t                  n)
{
  size_t n_cells = (size_t) choice->n_states * KYMO_ERROR_BARS;
  int64_t weight = llround (choice->weights[row]);

  if (choice->truth == NULL)
    choice->truth = calloc (n_cells, sizeof (int64_t));
  if (choice->estimate == NULL)
    choice->estimate = calloc (n_cells, sizeof (int64_t));
  if (choice->truth == NULL || choice->estimate == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    {
      size_t cell = (size_t) shares[i].state * KYMO_ERROR_BARS + shares[i].bar;

      choice->truth[cell] += (int64_t) shares[i].ns;
      choice->estimate[cell] += weight * (int64_t) shares[i].ns;
    }
  return true;
}

/**
 * kymo_archive_choice_error:
 *
 * After all rows were added.
 *
 * Returns: error of the time profile; NaN where the time has no length
 */
double
kymo_archive_choice_error (const KymoArchiveChoice *choice)
{
  const KymoArchiveMeasure span = { .begin_ns = choice->begin_ns, .end_ns = choice->end_ns };
  int64_t stands_for = (int64_t) KYMO_ARCHIVE_N_ROWS (choice) * WEIGHT_ONE;
  double share = NAN;

  for (uint32_t bar = 0; bar < KYMO_ERROR_BARS; bar++)
    {
      uint64_t from = kymo_archive_measure_edge (&span, bar);
      uint64_t to = kymo_archive_measure_edge (&span, bar + 1);

      for (uint32_t state = 0; state < choice->n_states && to > from; state++)
        if (state != KYMO_ARCHIVE_UNTRACED)
          {
            size_t cell = (size_t) state * KYMO_ERROR_BARS + bar;
            int64_t difference = choice->truth == NULL ? 0
              : choice->estimate[cell] - choice->truth[cell];

            share = fmax (share, kymo_bar_error ((double) difference, stands_for,
                                                 (int64_t) (to - from)));
          }
    }
  return share;
}
