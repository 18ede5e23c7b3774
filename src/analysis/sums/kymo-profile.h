/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums per activity and per location; shared by the kinds profile and usage.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/**
 * KymoActivitySums: one activity over all asked locations
 * @exclusive_ns: inside the asked range
 * @length_ns: of the blocks that are counted, also what lies beyond the range; a mean of
 *   it lies between the shortest and the longest
 * @longest_ns: -1 = not known
 * @shortest_ns: -1 = not known
 */
typedef struct
{
  gint64 blocks;
  gint64 calls;
  gint64 exclusive_ns;
  gint64 inclusive_ns;
  gint64 length_ns;
  gint64 shortest_ns;
  gint64 longest_ns;
  gint64 longest_begin_ns;
  gint64 longest_location;      /* index in the run */
} KymoActivitySums;

/** KymoLocationShare: one activity on one location */
typedef struct
{
  guint32 state;
  gint64  blocks;
  gint64  exclusive_ns;
} KymoLocationShare;

/**
 * KymoWork:
 * @KYMO_WORK_USEFUL: activities that compute
 * @KYMO_WORK_COMMUNICATION: activities that send and receive
 * @KYMO_WORK_WAITING: activities that wait or synchronize
 * @KYMO_WORK_IO: input and output
 * @KYMO_WORK_RUNTIME: start-up and other calls of the runtime
 *
 * What busy time was spent for, by the roles of activities.
 */
typedef enum
{
  KYMO_WORK_USEFUL,
  KYMO_WORK_COMMUNICATION,
  KYMO_WORK_WAITING,
  KYMO_WORK_IO,
  KYMO_WORK_RUNTIME,
  KYMO_N_WORK,
} KymoWork;

/**
 * KymoLocationSums: one location; busy, idle, overhead and untraced add up to its span
 * @work_ns: by #KymoWork; they add up to @busy_ns
 */
typedef struct
{
  KymoSpan span;                /* own span within the asked range */
  gint64   busy_ns;
  gint64   work_ns[KYMO_N_WORK];
  gint64   idle_ns;
  gint64   overhead_ns;
  gint64   untraced_ns;
  GArray  *shares;              /* KymoLocationShare, or NULL if not asked */
} KymoLocationSums;

/**
 * KymoProfileState:
 * @first_row: rows that have figures lie from here
 * @end_row: to here
 * @weighed: (nullable): by row: of all the location stands for, without shares;
 *   the span is { 0, sum of the spans }. With it counts of @activities and
 *   @counted are in millionths, see kymo_weigh_count()
 */
typedef struct
{
  guint             n_states;
  guint             n_rows;
  guint             first_row, end_row;
  gboolean          with_shares;
  KymoActivitySums *activities; /* by state */
  KymoLocationSums *locations;  /* by row */
  KymoLocationSums *weighed;
  gint64           *averaged;   /* with @weighed: by state: exclusive time, of the
                                   locations that enter averages alone */
  guint             n_metrics;  /* hardware counters */
  gint64           *counters;   /* n_states x n_metrics: totals, where */
  gint64           *counted;    /* number of blocks that were counted */
  gint64            stretch_ns[KYMO_N_STRETCH_KINDS];
  gboolean          packing_unknown;    /* of some location */
  gint64           *wait_ns;    /* (nullable): by state */
} KymoProfileState;

KymoProfileState *kymo_profile_state_new  (const KymoAsk          *ask,
                                           gboolean                with_shares);
void              kymo_profile_state_free (KymoProfileState       *state);
void              kymo_profile_partial    (const KymoAsk          *ask,
                                           gpointer                data,
                                           KymoSegment            *segment);
void              kymo_profile_walk       (const KymoAsk          *ask,
                                           KymoProfileState       *state,
                                           KymoSegment            *segment,
                                           gint64                 *blocks);
void              kymo_profile_add_totals (const KymoAsk          *ask,
                                           KymoProfileState       *state,
                                           KymoSegment            *segment,
                                           gint64                 *blocks);
gboolean          kymo_ask_takes_totals   (const KymoAsk          *ask,
                                           KymoSegment            *segment);
guint             kymo_profile_needs      (const KymoAsk          *ask,
                                           KymoSegment            *segment);
void              kymo_profile_add_bins   (const KymoAsk          *ask,
                                           KymoProfileState       *state,
                                           const KymoSegment      *segment,
                                           KymoSums               *sums,
                                           gint64                 *blocks);
void              kymo_profile_add_times  (const KymoAsk          *ask,
                                           KymoProfileState       *state,
                                           const KymoSegment      *segment);
void              kymo_profile_set_times  (const KymoAsk          *ask,
                                           KymoTable              *answer,
                                           const KymoProfileState *state,
                                           gboolean                averaged);
const KymoReductionError *
                  kymo_profile_peek_error (const KymoAsk          *ask,
                                           guint32                 state);
guint             kymo_profile_wait_needs (const KymoAsk          *ask);
gboolean          kymo_profile_prepare    (KymoAsk                *ask,
                                           GError                **error);
void              kymo_profile_release    (KymoAsk                *ask);
void              kymo_profile_add_waits  (const KymoAsk          *ask,
                                           KymoProfileState       *state,
                                           const KymoSegment      *segment);
void              kymo_profile_set_efficiency (const KymoAsk     *ask,
                                           KymoTable              *answer,
                                           const KymoProfileState *state);
void              kymo_profile_merge      (const KymoAsk          *ask,
                                           gpointer                a,
                                           gpointer                b);
void              kymo_profile_weigh      (const KymoAsk          *ask,
                                           gpointer                data,
                                           guint                   location,
                                           gint64                  weight);
void              kymo_profile_add_counters (const KymoAsk     *ask,
                                           KymoProfileState  *state,
                                           const KymoSegment *segment);
KymoWork          kymo_profile_work_of    (const KymoAsk          *ask,
                                           guint32                 state);
KymoWork          kymo_profile_work_of_role (KymoRole              role);
guint             kymo_profile_list_works (const KymoAsk          *ask,
                                           const char             *keys[KYMO_N_WORK]);
KymoLocationSums  kymo_profile_total      (const KymoAsk          *ask,
                                           const KymoProfileState *state,
                                           gboolean                averaged);

G_END_DECLS
