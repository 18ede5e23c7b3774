/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * busiest: between adding up (kymo-busiest.c) and the tables of the answer
 * (kymo-busiest-answer.c).
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/** KymoBusiestShare: ns of of_ns, exactly; of_ns is never 0 where a step was counted */
typedef struct
{
  gint64 ns;
  gint64 of_ns;
} KymoBusiestShare;

/** KymoBusiestTally: one activity (or all of them) over the steps it had time in */
typedef struct
{
  gint64           ns;          /* in the whole range */
  gint64           n_steps;
  KymoBusiestShare lowest, highest, now;
} KymoBusiestTally;

/**
 * KymoBusiestTallies:
 * @of: by state, and one more for all activities together
 * @n_steps: in which something was traced
 * @newest: the last of them, or -1
 * @traced_ns: of the whole range
 */
typedef struct
{
  KymoBusiestTally *of;
  guint             n_states;
  gint64            n_steps;
  gint64            newest;
  gint64            traced_ns;
} KymoBusiestTallies;

/** KymoBusiestSteps: [first + i * step_ns, …), but for the one that is the whole range */
typedef struct
{
  KymoSpan whole;               /* of all steps */
  gint64   step_ns;
  gint64   n;
} KymoBusiestSteps;

static inline gboolean
kymo_busiest_is_less (KymoBusiestShare a,
                      KymoBusiestShare b)
{
  return (__int128) a.ns * b.of_ns < (__int128) b.ns * a.of_ns;
}

static inline KymoSpan
kymo_busiest_span_of_step (const KymoBusiestSteps *steps,
                           gint64                  i)
{
  gint64 begin_ns = steps->whole.begin_ns + i * steps->step_ns;

  return (KymoSpan) { begin_ns, MIN (begin_ns + steps->step_ns, steps->whole.end_ns) };
}

KymoTable *kymo_busiest_make_answer (const KymoAsk            *ask,
                                     const KymoBusiestSteps   *steps,
                                     const KymoBusiestTallies *tallies);

G_END_DECLS
