/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A profile: of each location and each function what was counted over a stretch of
 * time, in one metric or several. What profile files hold, and what is made of a
 * trace for any range (kymo-trace-profile in analysis); all questions about profiles
 * rest on this.
 *
 * Events are flat functions or *paths* ("a => b => c", each a node of its own
 * beside the flat function it ends in). A path names its parts as flat events; where
 * a file has a path of a part that it does not list flat, that part is added as an event
 * without figures. Flat events come first. Paths may be cut to their last parts: then
 * %KYMO_PROFILE_CUT is set: their first part is called by something, as others show.
 *
 * Figures lie by location, in order of event (compressed sparse rows): those of
 * location l are first[l] .. first[l + 1]. What a location does not list has no row
 * and counts as 0 in sums, and not at all in means of those that have it.
 *
 * Made by a KymoProfileBuilder, which puts figures in their order; immutable after and
 * shared by reference count. Steps of one run share their tables of events, parts,
 * metrics and user events.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

/** KYMO_NO_EVENT: no event of the profile */
#define KYMO_NO_EVENT G_MAXUINT32

/**
 * KymoProfileMetric:
 * @name: as in the files, "TIME", "PAPI_FP_OPS"
 * @unit: for people: "us", "ns", "s" of times, "" for plain counts
 * @unit_ns: nanoseconds in one, 0 where it is no time
 */
typedef struct
{
  char   *name;
  char   *unit;
  double  unit_ns;
} KymoProfileMetric;

typedef enum
{
  KYMO_PROFILE_PATH = 1 << 0,
  KYMO_PROFILE_PHASE = 1 << 1,          /* the function is a phase */
  KYMO_PROFILE_THROTTLED = 1 << 2,      /* no longer measured from some call on */
  KYMO_PROFILE_CUT = 1 << 3,            /* a path without its begin */
  /* No functions: what a location of a trace did outside of them. */
  KYMO_PROFILE_IDLE = 1 << 4,
  KYMO_PROFILE_OVERHEAD = 1 << 5,
  KYMO_PROFILE_UNTRACED = 1 << 6,
} KymoProfileFlags;

/**
 * KymoProfileEvent:
 * @name: as in the files, with blanks at its end
 * @shown: the same without, for people; of a path its last part's
 * @groups: names divided by |, "" = none
 * @n_parts: of a path, else 1
 * @first_part: into KymoProfileData.parts: the flat events that it goes through,
 *   outermost first, the last is the function itself
 * @parent: the path without its last part (of two parts: the flat event of the first), or
 *   %KYMO_NO_EVENT where the profile has none
 */
typedef struct
{
  char    *name;
  char    *shown;
  char    *groups;
  guint32  flags;               /* KymoProfileFlags */
  KymoRole role;
  guint    first_part, n_parts;
  guint32  parent;
} KymoProfileEvent;

/** KymoUserEventRow: samples of one user event on one location */
typedef struct
{
  guint32 event;
  double  n, max, min, mean, sum_squares;
} KymoUserEventRow;

/**
 * KymoProfileData:
 * @n_locations: those of the run, in its order
 * @values: of row r and metric m: exclusive at (r * n_metrics + m) * 2, inclusive
 *   after it, in the metric's own unit
 * @span: what it is about on the clock of the run; empty = not known
 * @user_squares: (nullable): by row of user events the sum of squares of what differs
 *   from its mean, where the samples were at hand; files hold sums of squares alone
 */
typedef struct
{
  gatomicrefcount ref_count;
  char     *name;               /* of a step, else "" */
  gint64    time_ns;            /* when the step was written; -1 = not known */
  KymoSpan  span;
  GArray   *metrics;            /* KymoProfileMetric */
  GArray   *events;             /* KymoProfileEvent */
  GArray   *parts;              /* guint32: flat events */
  guint     n_locations;
  guint64  *first;              /* n_locations + 1 */
  guint32  *event;              /* by row, ascending within a location */
  double   *calls;
  double   *subroutines;
  double   *values;
  GPtrArray *user_names;        /* char * */
  guint64  *user_first;         /* n_locations + 1 */
  KymoUserEventRow *user_rows;
  double   *user_squares;
} KymoProfileData;

KymoProfileData *kymo_profile_data_ref   (KymoProfileData *data);
void             kymo_profile_data_unref (KymoProfileData *data);
gint             kymo_profile_data_find_time (const KymoProfileData *data);
void             kymo_profile_metric_clear (KymoProfileMetric *metric);
void             kymo_profile_event_clear  (KymoProfileEvent  *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoProfileData, kymo_profile_data_unref)

G_END_DECLS
