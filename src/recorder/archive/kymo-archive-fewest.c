/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fewest locations within a bound (kymo-fewest.h), as `kymo-cli reduce --error` finds them.
 * Sets that are beyond the bound for certain are sorted out by cells in which a location spends
 * more than the bound; what is left is measured.
 */
#include "kymo-archive-keep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-archive-choose.h"
#include "kymo-fewest.h"
#include "kymo-nearest.h"

/** Classes: of one number of seeds; @weights are of the set that was tried last */
typedef struct
{
  unsigned     k;
  KymoKmeans   kmeans;
  KymoNearest *nearest;
  double      *weights;
  int         *kept;
} Classes;

/** Search: @all, @entries and @lists belong to @cells */
typedef struct
{
  KymoArchiveChoice *choice;
  Classes            classes[KYMO_FEWEST_SEEDS];
  unsigned           n_classes;
  double             bound, slack;
  KymoCells          cells;
  double            *all, *before, *room;
  KymoCellEntry     *entries;
  KymoCellList      *lists;
} Search;

static const KymoArchiveShare *
shares_of (const KymoArchiveRow *row,
           size_t               *n)
{
  *n = KYMO_ARCHIVE_COUNT (&row->shares, KymoArchiveShare);
  return KYMO_ARCHIVE_AT (&row->shares, KymoArchiveShare);
}

/* -- cells --------------------------------------------------------------------------- */

/* By state and bar the number of the cell plus one; 0 if no rank spends more than the bound. */
static uint32_t *
number_cells (Search         *search,
              const uint64_t *bar_ns)
{
  const KymoArchiveChoice *choice = search->choice;
  size_t n_places = (size_t) choice->n_states * KYMO_ERROR_BARS, n;
  uint64_t *most = calloc (n_places, sizeof *most);
  uint32_t *cell_of = calloc (n_places, sizeof *cell_of);

  for (unsigned row = 0; most != NULL && row < KYMO_ARCHIVE_N_ROWS (choice); row++)
    {
      const KymoArchiveShare *shares = shares_of (&KYMO_ARCHIVE_ROWS (choice)[row], &n);

      for (size_t i = 0; i < n; i++)
        {
          uint64_t *place = &most[(size_t) shares[i].state * KYMO_ERROR_BARS + shares[i].bar];

          *place = shares[i].ns > *place ? shares[i].ns : *place;
        }
    }
  for (size_t i = 0; most != NULL && cell_of != NULL && i < n_places; i++)
    if (i / KYMO_ERROR_BARS != KYMO_ARCHIVE_UNTRACED && most[i] > 0
        && (double) most[i] > search->bound * (double) bar_ns[i % KYMO_ERROR_BARS])
      cell_of[i] = ++search->cells.n_cells;
  free (most);
  return cell_of;
}

static void
fill_cells (Search         *search,
            const uint32_t *cell_of,
            const uint64_t *bar_ns)
{
  const KymoArchiveChoice *choice = search->choice;
  KymoCellEntry *entry = search->entries;

  for (unsigned row = 0; row < search->cells.n_pes; row++)
    {
      size_t n;
      const KymoArchiveShare *shares = shares_of (&KYMO_ARCHIVE_ROWS (choice)[row], &n);

      search->lists[row].at = entry;
      for (size_t i = 0; i < n; i++)
        {
          uint32_t cell = cell_of[(size_t) shares[i].state * KYMO_ERROR_BARS + shares[i].bar];

          if (cell != 0)
            *entry++ = (KymoCellEntry) { cell - 1, (float) ((double) shares[i].ns
                                                            / (double) bar_ns[shares[i].bar]) };
        }
      search->lists[row].n = (size_t) (entry - search->lists[row].at);
      search->before[row] = 1;
    }
}

static bool
make_cells (Search *search)
{
  const KymoArchiveChoice *choice = search->choice;
  const KymoArchiveMeasure span = { .begin_ns = choice->begin_ns, .end_ns = choice->end_ns };
  unsigned n_rows = KYMO_ARCHIVE_N_ROWS (choice);
  uint64_t bar_ns[KYMO_ERROR_BARS];
  size_t n_entries = 0, n;
  uint32_t *cell_of;
  bool good;

  for (uint32_t bar = 0; bar < KYMO_ERROR_BARS; bar++)
    {
      bar_ns[bar] = kymo_archive_measure_edge (&span, bar + 1)
        - kymo_archive_measure_edge (&span, bar);
      if (bar_ns[bar] > 0)
        search->slack = fmax (search->slack, KYMO_ERROR_SLACK + 2.0 / (double) bar_ns[bar]);
    }
  cell_of = number_cells (search, bar_ns);
  for (unsigned row = 0; row < n_rows; row++)
    {
      shares_of (&KYMO_ARCHIVE_ROWS (choice)[row], &n);
      n_entries += n;
    }
  search->entries = malloc ((n_entries + 1) * sizeof *search->entries);
  search->lists = calloc (n_rows, sizeof *search->lists);
  search->before = calloc (n_rows, sizeof *search->before);
  search->all = calloc (search->cells.n_cells + 1, sizeof *search->all);
  search->room = calloc (search->cells.n_cells + 1, sizeof *search->room);
  good = cell_of != NULL && search->entries != NULL && search->lists != NULL
    && search->before != NULL && search->all != NULL && search->room != NULL;
  if (good)
    {
      search->cells.n_pes = n_rows;
      search->cells.lists = search->lists;
      search->cells.before = search->before;
      search->cells.all = search->all;
      search->cells.stands_for = n_rows;
      fill_cells (search, cell_of, bar_ns);
      kymo_cells_sum (&search->cells, search->all);
    }
  free (cell_of);
  return good;
}

/* -- classes ------------------------------------------------------------------------- */

/* More seeds on the diagonal often end in the same clusters. */
static bool
is_known (const Search     *search,
          const KymoKmeans *kmeans)
{
  for (unsigned i = 0; i < search->n_classes; i++)
    {
      const KymoKmeans *other = &search->classes[i].kmeans;

      if (other->n_clusters == kmeans->n_clusters
          && memcmp (other->cluster, kmeans->cluster, kmeans->n_rows * sizeof (unsigned)) == 0)
        return true;
    }
  return false;
}

static bool
make_classes (Search *search)
{
  unsigned n_rows = KYMO_ARCHIVE_N_ROWS (search->choice);

  for (unsigned i = 0; i < KYMO_FEWEST_SEEDS && kymo_fewest_seeds[i] <= n_rows; i++)
    {
      Classes *classes = &search->classes[search->n_classes];
      bool good = kymo_archive_choice_cluster (search->choice, kymo_fewest_seeds[i],
                                               &classes->kmeans);

      if (!good || is_known (search, &classes->kmeans))
        {
          kymo_lloyd_clear (&classes->kmeans);
          if (!good)
            return false;
          continue;
        }
      search->n_classes++;
      classes->k = kymo_fewest_seeds[i];
      classes->nearest = kymo_nearest_new (n_rows);
      classes->weights = calloc (n_rows, sizeof *classes->weights);
      classes->kept = calloc (n_rows, sizeof *classes->kept);
      if (classes->nearest == NULL || classes->weights == NULL || classes->kept == NULL)
        return false;
    }
  return true;
}

/* -- sets ---------------------------------------------------------------------------- */

static bool
try_classes (const Search *search,
             Classes      *classes,
             unsigned      n,
             double       *error)
{
  const KymoArchiveChoice *choice = search->choice;
  const KymoWeighed pes = { search->cells.n_pes, choice->n_columns, classes->kmeans.cluster,
                            choice->vectors, classes->kept, search->before };
  KymoPeChoice *set;
  bool good;

  *error = INFINITY;
  if (classes->kmeans.n_clusters > n)
    return true;
  set = kymo_pe_choice_new (&classes->kmeans, n - classes->kmeans.n_clusters, KYMO_PE_QUOTA_SIZE);
  if (set == NULL)
    return false;
  memset (classes->kept, 0, search->cells.n_pes * sizeof *classes->kept);
  for (unsigned i = 0; i < classes->kmeans.n_clusters; i++)
    classes->kept[set->representative[i]] = 1;
  for (unsigned i = 0; i < set->n_outliers; i++)
    classes->kept[set->outliers[i]] = 1;
  kymo_pe_choice_free (set);
  good = kymo_weights_share (&pes, classes->nearest, classes->weights);
  if (good)
    *error = kymo_cells_error (&search->cells, classes->weights, search->room);
  return good;
}

static bool
try_sets (KymoFewest *fewest,
          unsigned    n)
{
  Search *search = fewest->data;

  for (unsigned i = 0; i < search->n_classes; i++)
    if (!try_classes (search, &search->classes[i], n, &fewest->errors[i]))
      return false;
  return true;
}

/* Measures it to the nanosecond. */
static int
confirm_set (KymoFewest *fewest,
             unsigned    n,
             unsigned    i)
{
  Search *search = fewest->data;
  KymoArchiveChoice *choice = search->choice;
  Classes *classes = &search->classes[i];
  size_t n_cells = (size_t) choice->n_states * KYMO_ERROR_BARS * sizeof (int64_t);
  double *weights = choice->weights;
  bool good = true;

  if (choice->truth != NULL)
    memset (choice->truth, 0, n_cells);
  if (choice->estimate != NULL)
    memset (choice->estimate, 0, n_cells);
  choice->weights = classes->weights;
  for (unsigned row = 0; row < search->cells.n_pes && good; row++)
    {
      size_t n_shares;
      const KymoArchiveShare *shares = shares_of (&KYMO_ARCHIVE_ROWS (choice)[row], &n_shares);

      good = kymo_archive_choice_add (choice, row, shares, n_shares);
    }
  choice->weights = weights;
  if (!good)
    return -1;
  if (!(kymo_archive_choice_error (choice) <= search->bound))
    return 0;
  choice->k = classes->k;
  choice->n_outliers = n - classes->kmeans.n_clusters;
  return 1;
}

static void
clear_search (Search *search)
{
  for (unsigned i = 0; i < search->n_classes; i++)
    {
      kymo_lloyd_clear (&search->classes[i].kmeans);
      free (search->classes[i].nearest);
      free (search->classes[i].weights);
      free (search->classes[i].kept);
    }
  free (search->all);
  free (search->before);
  free (search->room);
  free (search->entries);
  free (search->lists);
}

/**
 * kymo_archive_choice_search:
 * @choice: with vectors, and shares of all rows; nothing was added yet
 *
 * Takes the fewest within the bound.
 *
 * Returns: FALSE if there is no memory, or no time in which there could be an error
 */
bool
kymo_archive_choice_search (KymoArchiveChoice *choice)
{
  Search search = { .choice = choice, .bound = choice->wished, .slack = KYMO_ERROR_SLACK };
  KymoFewest fewest = { .n_pes = KYMO_ARCHIVE_N_ROWS (choice), .try_all = try_sets,
                        .confirm = confirm_set, .data = &search };
  bool good = choice->end_ns > choice->begin_ns && make_cells (&search) && make_classes (&search);

  if (good)
    {
      fewest.n_classes = search.n_classes;
      fewest.most = search.bound + search.slack;
      good = kymo_fewest_find (&fewest);
      choice->n_tried = fewest.n_tried;
    }
  for (unsigned i = 0; good && i < search.n_classes; i++)
    if (search.classes[i].k == choice->k)
      {
        good = kymo_archive_choice_take (choice, choice->k, &search.classes[i].kmeans,
                                         choice->n_outliers);
        break;
      }
  clear_search (&search);
  free (choice->truth);
  free (choice->estimate);
  choice->truth = choice->estimate = NULL;
  return good;
}
