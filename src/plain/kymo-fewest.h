/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fewest PEs whose time profile is within a bound (docs/formats/kymo.md, [Error]): the order
 * in which sets are tried, and the error of a set. Time is cut into bars; a *cell* is one state in
 * one bar. Who calls makes the sets.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** KYMO_FEWEST_SEEDS: numbers of seeds that are tried */
#define KYMO_FEWEST_SEEDS 17
extern const unsigned kymo_fewest_seeds[KYMO_FEWEST_SEEDS];

/** KYMO_ERROR_BARS: equal parts of the time that a time profile is compared in */
#define KYMO_ERROR_BARS 100

/** KYMO_ERROR_SLACK: by which errors of sets may be off at least: shares of bars are rounded */
#define KYMO_ERROR_SLACK 2e-6

/** KymoCellEntry: what a PE spends in a cell, a share of the bar */
typedef struct
{
  uint32_t cell;
  float    share;
} KymoCellEntry;

typedef struct
{
  const KymoCellEntry *at;
  size_t               n;
} KymoCellList;

/**
 * KymoCells:
 * @lists: by PE
 * @before: by PE: what it stands for itself
 * @all: by cell: sum over all PEs
 * @stands_for: sum of @before
 */
typedef struct
{
  unsigned            n_pes, n_cells;
  const KymoCellList *lists;
  const double       *before, *all;
  double              stands_for;
} KymoCells;

void   kymo_cells_sum  (const KymoCells *cells,
                        double          *all);
double kymo_cells_error (const KymoCells *cells,
                        const double    *weights,
                        double          *room);
double kymo_bar_error  (double           difference_ns,
                        int64_t          stands_for,
                        int64_t          bar_ns);

/**
 * KymoFewest: a search
 * @n_pes: of all
 * @n_classes: clusters of different numbers of seeds
 * @most: largest error of a set that is looked at more closely
 * @errors: room: by classes the error of their set, or INFINITY
 * @try_all: sets @errors of the sets of @n PEs; FALSE to stop
 * @confirm: whether the set of @n PEs of these classes is within the bound: then it is kept by who
 *   calls, in place of another. Negative to stop
 * @n_tried: (out): sets that were looked at
 */
typedef struct KymoFewest KymoFewest;

struct KymoFewest
{
  unsigned n_pes, n_classes;
  double   most;
  double   errors[KYMO_FEWEST_SEEDS];
  bool   (*try_all) (KymoFewest *search,
                     unsigned    n);
  int    (*confirm) (KymoFewest *search,
                     unsigned    n,
                     unsigned    classes);
  void    *data;
  unsigned n_tried;
};

bool     kymo_fewest_find  (KymoFewest *search);
unsigned kymo_fewest_count (unsigned    n_pes);
