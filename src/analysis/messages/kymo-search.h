/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the question "search" counts, between kymo-search.c (walking over the
 * columns) and kymo-search-answer.c (what it was asked, and tables).
 *
 * A *match* is a block, a user event (or bracket) or a note. Matches have an
 * order over the whole run: by begin, then location, then blocks before points,
 * then as they were recorded. So "next" means something across PEs, and every
 * match has a number.
 */
#pragma once

#include "kymo-engine.h"
#include "kymo-pattern.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_SEARCH_BLOCKS = 1 << 0,
  KYMO_SEARCH_EVENTS = 1 << 1,
  KYMO_SEARCH_NOTES = 1 << 2,
  KYMO_SEARCH_ALL = (1 << 3) - 1,
} KymoSearchOver;

/** KymoSearchMatch: @location is an index of the run; @is_point: a user event or
 * a note, @index that of the block or point in its segment */
typedef struct
{
  gint64  begin_ns;
  gint64  end_ns;
  guint   location;
  guint   is_point;
  guint   index;
} KymoSearchMatch;

/** KymoSearchTally: matches of one name */
typedef struct
{
  gint64 count;
  gint64 first_ns;
  gint64 shortest_ns;
  gint64 longest_ns;
} KymoSearchTally;

/**
 * KymoSearchPlan:
 * @wanted: by activity of the run: whether its name matches
 * @limit: number of matches in the answer, the earliest ones
 * @direction: -1 previous, 1 next, 0: none is looked for
 * @from: what it is looked for from
 * @has_marks: whether columns with a match are told for each location
 * @n_columns: of the asked range, for ticks and marks; 0 = none
 */
typedef struct
{
  KymoPattern    *pattern;
  gboolean       *wanted;
  guint           over;
  gint64          limit;
  gint            direction;
  KymoSearchMatch from;
  gboolean        has_marks;
  guint           n_columns;
} KymoSearchPlan;

/** KymoSearchMark: columns of a location that hold a match, both ends inside */
typedef struct
{
  guint location;
  guint first, last;
} KymoSearchMark;

/**
 * KymoSearchState:
 * @tallies: by activity
 * @notes: text -> KymoSearchTally
 * @found: KymoSearchMatch, the earliest; more than the limit until trimmed
 * @n_before: matches before those that are looked for from, in order
 * @nearest: the next (or previous) one; @farthest: where one begins again
 *   at the other end
 * @gave_up: a text could not be decided
 */
typedef struct
{
  KymoSearchTally *tallies;
  GHashTable      *notes;
  GArray          *found;
  gint64           n_matches, n_blocks, n_events, n_notes;
  gint64           n_before, n_same;
  gboolean         has_nearest, has_farthest;
  KymoSearchMatch  nearest, farthest;
  gint64          *ticks;
  GArray          *marks;
  gboolean         gave_up;
} KymoSearchState;

int        kymo_search_compare  (gconstpointer          a,
                                 gconstpointer          b);
void       kymo_search_trim     (KymoSearchState       *state,
                                 gint64                 limit);
gboolean   kymo_search_prepare  (KymoAsk               *ask,
                                 GError               **error);
void       kymo_search_release  (KymoAsk               *ask);
KymoTable *kymo_search_conclude (const KymoAsk         *ask,
                                 gpointer               data,
                                 GError               **error);

G_END_DECLS
