/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets are tried with n ascending: 1, 2, 3, …, each step a 64th of n but at least 1, and all PEs in
 * the end, whose error is 0. The first n for which one is within the bound is taken; where PEs were
 * stepped over, the largest n below that fails and the smallest that does not are brought together
 * by halving. Of several classes for one n the one with the least error is taken, then the first.
 */
#include "kymo-fewest.h"

#include <math.h>

#define WEIGHT_ONE 1000000
#define STEP_PART 64

const unsigned kymo_fewest_seeds[KYMO_FEWEST_SEEDS] =
  { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50 };

/* -- errors ---------------------------------------------------------------- */

/**
 * kymo_bar_error:
 * @difference_ns: of the time of all PEs that have one state in a bar
 * @stands_for: their number, in millionths
 * @bar_ns: length of the bar, more than 0
 *
 * Returns: the error, a share of the time of all PEs in the bar
 */
double
kymo_bar_error (double  difference_ns,
                int64_t stands_for,
                int64_t bar_ns)
{
  return fabs (difference_ns) * WEIGHT_ONE / ((double) stands_for * (double) bar_ns);
}

/**
 * kymo_cells_sum:
 * @cells: without @all of it
 * @all: (out): by cell: the sum over all PEs
 */
void
kymo_cells_sum (const KymoCells *cells,
                double          *all)
{
  for (unsigned c = 0; c < cells->n_cells; c++)
    all[c] = 0;
  for (unsigned pe = 0; pe < cells->n_pes; pe++)
    for (size_t i = 0; i < cells->lists[pe].n; i++)
      all[cells->lists[pe].at[i].cell] += cells->before[pe] * cells->lists[pe].at[i].share;
}

/**
 * kymo_cells_error:
 * @weights: by PE; 0 = it is dropped
 * @room: for as many numbers as there are cells
 *
 * Adds up what is kept, or what is other than in truth: whichever are fewer.
 *
 * Returns: the error of the time profile, or less where cells are left out
 */
double
kymo_cells_error (const KymoCells *cells,
                  const double    *weights,
                  double          *room)
{
  unsigned n_kept = 0, n_other = 0;
  bool by_kept;
  double most = 0;

  for (unsigned pe = 0; pe < cells->n_pes; pe++)
    {
      n_kept += weights[pe] != 0;
      n_other += weights[pe] != cells->before[pe];
    }
  by_kept = n_kept < n_other;
  for (unsigned c = 0; c < cells->n_cells; c++)
    room[c] = by_kept ? -cells->all[c] : 0;
  for (unsigned pe = 0; pe < cells->n_pes; pe++)
    {
      double factor = weights[pe] - (by_kept ? 0 : cells->before[pe]);
      const KymoCellList *list = &cells->lists[pe];

      for (size_t i = 0; factor != 0 && i < list->n; i++)
        room[list->at[i].cell] += factor * list->at[i].share;
    }
  for (unsigned c = 0; c < cells->n_cells; c++)
    most = fmax (most, fabs (room[c]));
  return most / cells->stands_for;
}

/* -- the search ------------------------------------------------------------ */

static unsigned
next_number (unsigned n,
             unsigned n_pes)
{
  unsigned step = n / STEP_PART > 1 ? n / STEP_PART : 1;

  return n + step < n_pes ? n + step : n_pes;
}

/** kymo_fewest_count: Returns: how many numbers of PEs are tried at most before halving */
unsigned
kymo_fewest_count (unsigned n_pes)
{
  unsigned count = 1;

  for (unsigned n = 1; n < n_pes; n = next_number (n, n_pes))
    count++;
  return count;
}

/* The best that is not yet sorted out, or n_classes. */
static unsigned
find_best (const KymoFewest *search)
{
  unsigned best = search->n_classes;

  for (unsigned i = 0; i < search->n_classes; i++)
    if (search->errors[i] <= search->most
        && (best == search->n_classes || search->errors[i] < search->errors[best]))
      best = i;
  return best;
}

/* Whether a set of n PEs is within the bound: then it is the one that is kept. Negative to stop. */
static int
try_number (KymoFewest *search,
            unsigned    n)
{
  unsigned best;

  if (!search->try_all (search, n))
    return -1;
  for (unsigned i = 0; i < search->n_classes; i++)
    search->n_tried += !isinf (search->errors[i]);
  while ((best = find_best (search)) < search->n_classes)
    {
      int good = search->confirm (search, n, best);

      if (good != 0)
        return good;
      search->errors[best] = INFINITY;
    }
  return 0;
}

/**
 * kymo_fewest_find:
 * @search: with all that is not (out)
 *
 * Returns: whether a set was found, which @confirm heard of last but for those that it refused.
 *   FALSE, too, where it was stopped
 */
bool
kymo_fewest_find (KymoFewest *search)
{
  unsigned below = 0, n = 1;
  int good;

  search->n_tried = 0;
  while ((good = try_number (search, n)) == 0)
    {
      below = n;
      if (n == search->n_pes)
        return false;
      n = next_number (n, search->n_pes);
    }
  while (good > 0 && n - below > 1)
    {
      unsigned middle = below + (n - below) / 2;
      int found = try_number (search, middle);

      if (found < 0)
        return false;
      if (found > 0)
        n = middle;
      else
        below = middle;
    }
  return good > 0;
}
