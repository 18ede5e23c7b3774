/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of explain share: sums by state of the track, of the chosen
 * PEs and of all that are compared, the chosen ones among them.
 */
#pragma once

#include "kymo-pe-vectors.h"

G_BEGIN_DECLS

/**
 * KymoExplainFigures: of one entry method; counts are of what begins inside
 * the range, or is sent in it
 * @block_ns: exclusive time of all these blocks, to their ends
 * @waiting_ns: idle time inside the range that ended with a block of it, with
 *   nothing but overhead and untraced time between the two
 * @sent: messages that are to start it, one a destination
 */
typedef struct
{
  gint64 blocks, calls, block_ns;
  gint64 waiting_ns;
  gint64 sent, sent_bytes;
} KymoExplainFigures;

/** KymoExplainLongest: the longest block on a chosen PE, or the longest stretch
 *  of idle time and its like; @ns < 0: there is none */
typedef struct
{
  gint64 ns;
  gint64 begin_ns, end_ns;
  guint  location;              /* of the run */
} KymoExplainLongest;

/** KymoExplainPlan: the words of the question */
typedef struct
{
  KymoIdSet *of;
  gint64     count;
  gboolean  *is_chosen;         /* by row */
  guint      n_chosen, n_pes;
  gboolean   counts;            /* blocks and messages are known */
} KymoExplainPlan;

/** KymoExplainSums: by state; arrays of @n_states */
typedef struct
{
  guint               n_states;
  KymoPeSums         *pes;      /* times by PE */
  KymoExplainFigures *chosen;
  KymoExplainFigures *all;
  KymoExplainLongest *longest;
} KymoExplainSums;

/**
 * KymoReason: one state
 * @chosen_ns, @all_ns: sums of time
 * @difference: mean of the chosen less mean of all, x n_chosen x n_pes
 * @deviation_ns: standard deviation over all PEs
 */
typedef struct
{
  guint32  state;
  gint64   chosen_ns, all_ns;
  __int128 difference;
  double   deviation_ns;
} KymoReason;

KymoTable *kymo_explain_answer   (const KymoAsk         *ask,
                                  const KymoExplainSums *sums,
                                  const GArray          *reasons);
char      *kymo_explain_sentence (const KymoAsk         *ask,
                                  const KymoExplainSums *sums,
                                  const KymoReason      *reason);

/**
 * kymo_explain_divide:
 * @a: any number
 * @b: above 0
 *
 * Returns: the quotient, rounded to the nearest whole number, halves away from 0
 */
static inline gint64
kymo_explain_divide (__int128 a,
                     __int128 b)
{
  return (gint64) ((a < 0 ? a - b / 2 : a + b / 2) / b);
}

G_END_DECLS
