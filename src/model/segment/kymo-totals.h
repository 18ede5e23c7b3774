/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The totals of a segment: what a question about all of it would add up over
 * its blocks, points and stretches. Times by state are not among them, those
 * are kymo_segment_sum()'s.
 *
 * Made of the exact columns on first use, or lent by a backing; immutable
 * after.
 */
#pragma once

#include <glib.h>

#include "kymo-span.h"

G_BEGIN_DECLS

#define KYMO_TOTALS_N_STRETCH_KINDS 3

/**
 * KymoActivityTotal: one activity of a segment
 * @state: %KYMO_STATE_ACTIVITY + its index
 * @blocks: begin records
 * @calls: distinct calls among them; see kymo_segment_peek_calls()
 * @brackets: points that carry the activity
 * @inclusive_ns: of the outermost blocks, and of brackets
 * @bracket_ns: of brackets alone
 * @longest_ns: exclusive time of the longest block, or length of the longest
 *   bracket; the first of several
 * @longest_begin_ns: when that one begins
 * @shortest_ns: the least of the same figures
 * @length_ns: all of them together
 */
typedef struct
{
  guint32 state;
  guint32 zero;
  gint64  blocks;
  gint64  calls;
  gint64  brackets;
  gint64  inclusive_ns;
  gint64  bracket_ns;
  gint64  longest_ns;
  gint64  longest_begin_ns;
  gint64  shortest_ns;
  gint64  length_ns;
} KymoActivityTotal;

/**
 * KymoCounterTotal: one hardware counter of one activity
 * @total: of the own figures of its blocks
 * @counted: of how many blocks they are known
 */
typedef struct
{
  gint64 total;
  gint64 counted;
} KymoCounterTotal;

/**
 * KymoTotals:
 * @reach: from the first begin to the last end of the span and of all that
 *   is summed: a question has the totals for its answer where its range
 *   holds this
 * @stretch_ns: by #KymoStretchKind
 * @activities: n_activities, states ascending
 * @counters: n_activities x n_counters of the segment, or %NULL
 */
typedef struct
{
  KymoSpan                 reach;
  gint64                   stretch_ns[KYMO_TOTALS_N_STRETCH_KINDS];
  guint                    n_activities;
  const KymoActivityTotal *activities;
  const KymoCounterTotal  *counters;
} KymoTotals;

struct _KymoSegment;

const KymoTotals *kymo_segment_peek_totals      (struct _KymoSegment       *segment);
void              kymo_totals_clear             (struct _KymoSegment       *segment);
void              kymo_totals_copy              (const KymoTotals          *totals,
                                                 guint                      n_counters,
                                                 KymoTotals                *copy);
void              kymo_totals_shift             (struct _KymoSegment       *segment,
                                                 gint64                     offset_ns);
gint64           *kymo_segment_exclusive_counters
                                                (const struct _KymoSegment *segment);

G_END_DECLS
