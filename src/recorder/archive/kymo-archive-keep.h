/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which locations are written where only some of them are to be: those that `kymo-cli reduce` would
 * keep of the whole archive, found by the same code (src/plain) from the same nanoseconds.
 *
 * Each process measures its locations (kymo-archive-measure.h). Rank 0 gets their sums, clusters
 * them and chooses; how they are distributed over time tells how far the choice is off. All
 * processes learn who is kept. Beside the archive rank 0 writes the note of a reduced run
 * (docs/formats/kymo.md).
 */
#pragma once

#include "kymo-archive-parts.h"
#include "kymo-lloyd.h"
#include "kymo-pe-choice.h"

/**
 * KymoArchiveRow: a location of threads, on rank 0
 * @id: as Kymo numbers it: the rank, or where ranks have several threads the row
 * @totals: (element-type KymoArchiveTotal): of states that have any
 * @shares: (element-type KymoArchiveShare): while an error is searched
 * @grain: pieces of calls by their length
 */
typedef struct
{
  uint32_t         location;
  int64_t          rank, id;
  uint32_t         thread;
  KymoArchiveBytes totals, shares;
  int64_t          grain[KYMO_GRAIN_BINS];
} KymoArchiveRow;

/**
 * KymoArchiveChoice: on rank 0
 * @rows: (element-type KymoArchiveRow): in the order in which Kymo shows them
 * @begin_ns, @end_ns: of them, on the clock of rank 0
 * @has_threads: some rank has several
 * @n_states: of all, as in KymoArchiveState
 * @vectors: n_rows x n_columns: what is compared
 * @k: seeds; @n_outliers: that were asked for
 * @kmeans, @choice: of the chosen set
 * @kept, @weights: by row
 * @wished: largest error, 0 = not asked for
 * @truth, @estimate: n_states x %KYMO_ERROR_BARS: nanoseconds of all rows
 * @grain, @grain_kept: pieces of all, and of those kept
 * @n_tried: sets that were looked at
 */
typedef struct KymoArchiveChoice KymoArchiveChoice;

struct KymoArchiveChoice
{
  KymoArchiveBytes rows;
  uint64_t         begin_ns, end_ns;
  bool             has_threads;
  uint32_t         n_states;
  double          *vectors;
  unsigned         n_columns;
  unsigned         k, n_outliers;
  KymoKmeans       kmeans;
  KymoPeChoice    *choice;
  int             *kept;
  double          *weights;
  double           wished;
  int64_t         *truth, *estimate;
  int64_t          grain[KYMO_GRAIN_BINS], grain_kept[KYMO_GRAIN_BINS];
  unsigned         n_tried;
};

/**
 * KymoArchiveKeep: what is asked for
 * @count: "26" or "10%", where no error is
 * @error: largest error of the time profile, a share; 0 = not asked for
 */
typedef struct
{
  const char *count;
  double      error;
} KymoArchiveKeep;

#define KYMO_ARCHIVE_N_ROWS(choice) \
  ((unsigned) KYMO_ARCHIVE_COUNT (&(choice)->rows, KymoArchiveRow))
#define KYMO_ARCHIVE_ROWS(choice) KYMO_ARCHIVE_AT (&(choice)->rows, KymoArchiveRow)

/* kymo-archive-keep.c */
bool     kymo_archive_keep_parse   (const char              *text,
                                    KymoArchiveKeep         *keep);
void     kymo_archive_keep_choose  (KymoArchiveJob          *job,
                                    const KymoArchiveKeep   *keep);
void     kymo_archive_choice_clear (KymoArchiveChoice       *choice);
/* kymo-archive-choose.c */
bool     kymo_archive_choice_compare (KymoArchiveChoice     *choice);
bool     kymo_archive_choice_count (KymoArchiveChoice       *choice,
                                    const char              *count);
bool     kymo_archive_choice_add   (KymoArchiveChoice       *choice,
                                    unsigned                 row,
                                    const KymoArchiveShare  *shares,
                                    size_t                   n);
double   kymo_archive_choice_error (const KymoArchiveChoice *choice);
/* kymo-archive-fewest.c */
bool     kymo_archive_choice_search (KymoArchiveChoice      *choice);
/* kymo-archive-keep-profile.c */
bool     kymo_archive_choice_write_profile (const KymoArchiveChoice *choice,
                                    const KymoArchiveMerge  *merge,
                                    const char              *folder);
/* kymo-archive-keep-note.c */
bool     kymo_archive_choice_write (const KymoArchiveChoice *choice,
                                    const KymoArchiveMerge  *merge,
                                    const char              *folder);
