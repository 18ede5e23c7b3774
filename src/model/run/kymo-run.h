/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run: what a folder of traces told. A snapshot of sealed segments with the
 * tables they refer to. Made by a reader through kymo_run_new() and the
 * kymo_run_add_* functions on one thread, then sealed and immutable; shared
 * by reference count between threads.
 */
#pragma once

#include "kymo-collectives.h"
#include "kymo-definitions.h"
#include "kymo-reduction.h"
#include "kymo-report.h"
#include "kymo-segment.h"
#include "kymo-series.h"
#include "kymo-stream-log.h"
#include "kymo-stretched.h"
#include "kymo-terms.h"
#include "kymo-thread-links.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_RUN_TRACE,
  KYMO_RUN_REDUCED,
  KYMO_RUN_SUMMARY,             /* sums by bins of time, no blocks */
  KYMO_RUN_STREAM,              /* means of all PEs by bins, as they came */
  KYMO_RUN_PROFILE,             /* sums over the whole run, no time axis */
} KymoRunKind;

/**
 * KymoLocationKind:
 * @KYMO_LOCATION_WORKER: executes entry methods or functions
 * @KYMO_LOCATION_COMM: a communication thread: has a row of its own and is
 *   left out of averages
 */
typedef enum
{
  KYMO_LOCATION_WORKER,
  KYMO_LOCATION_COMM,
} KymoLocationKind;

typedef enum
{
  KYMO_ACTIVITY_ENTRY,
  KYMO_ACTIVITY_FUNCTION,
  KYMO_ACTIVITY_EVENT,
} KymoActivityKind;

typedef enum
{
  KYMO_ROLE_COMPUTE,
  KYMO_ROLE_COMMUNICATION,
  KYMO_ROLE_SYNCHRONIZATION,
  KYMO_ROLE_WAIT,
  KYMO_ROLE_IO,
  KYMO_ROLE_RUNTIME,
} KymoRole;

/**
 * KymoActivity:
 * @id: id in the files; entries and events are separate spaces
 * @name: display name, "Chare::method"
 * @signature: full name with arguments
 * @group: chare, class or the like; "" for none
 * @unit: of the values of a metric; "" for none
 * @told_role: a #KymoRole that the files tell; -1 = they tell none
 * @line: first line of its source in @file; 0 = not known
 * @file: source file in which it is defined, as the files of the run name it; "" = not known
 */
typedef struct
{
  gint64            id;
  char             *name;
  char             *signature;
  char             *group;
  char             *unit;
  KymoActivityKind  kind;
  KymoRole          role;
  gint32            told_role;
  guint32           line;
  char             *file;
} KymoActivity;

/**
 * KymoMetricUnit:
 * @unit: of a hardware counter; "" for none
 * @scale: what a count of 1 is in that unit; a whole number is in the counts already, so it
 *   is 1 or a fraction
 */
typedef struct
{
  char   *unit;
  double  scale;
} KymoMetricUnit;

/**
 * KymoLocation:
 * @id: number in the files (PE)
 * @label: for people, "PE 3"
 * @kind: worker or communication thread
 * @process: index of its process, which is its rank where ranks are known;
 *   locations of one process share a clock; -1 = not known
 * @place: index into KymoRun.places of what it lies in, where there are any
 * @clock_offset_ns: was added to all its times by choice; 0 = none
 * @span: first to last own record
 * @n_records: lines of its log
 * @cpu_ns: processor time from its first to its last block; 0 = not told
 * @kept: FALSE where a reduction cut the whole log away
 * @cpu_clock: how well processor times fit its single blocks
 */
typedef struct
{
  gint64            id;
  char             *label;
  KymoLocationKind  kind;
  gint64            process;
  gint64            place;
  gint64            clock_offset_ns;
  KymoSpan          span;
  gint64            n_records;
  gint64            cpu_ns;
  gboolean          kept;
  KymoCpuClock      cpu_clock;
} KymoLocation;

/**
 * KymoPlace:
 * @kind: "machine", "node", "process" or the like, for people
 * @parent: index of the place it lies in, always smaller than its own; -1 = none
 *
 * A node of the tree that locations hang in.
 */
typedef struct
{
  char   *label;
  char   *kind;
  gint64  parent;
} KymoPlace;

/** KymoFact: one line of provenance */
typedef struct
{
  char *key;
  char *value;
} KymoFact;

typedef struct _KymoRun
{
  gatomicrefcount  ref_count;
  KymoRunKind      kind;
  char            *title;
  char            *path;                /* folder */
  char            *format;              /* "projections" */
  char            *format_version;
  KymoSpan         span;
  KymoSpan         selection;           /* the part of a longer run that this one
                                           is about; empty = all of it. From the
                                           .kymo file, with a cache file as well */
  KymoSpan         axis;                /* of the logs without damage, where some are
                                           damaged; else empty */
  gboolean         ends_early;          /* records go on behind the span */
  gint64           n_records;
  gint64           n_locations_original;
  GArray          *activities;          /* KymoActivity */
  GArray          *locations;           /* KymoLocation, ids ascending */
  GPtrArray       *segments;            /* KymoSegment, by location, then time */
  KymoTerms        terms;
  GArray          *places;              /* KymoPlace; empty = no tree is known */
  KymoCollectives *collectives;         /* that the files tell; NULL = none. Others
                                           ask kymo_run_peek_collectives() */
  KymoDefinitions *definitions;         /* NULL = none */
  GArray          *thread_links;        /* KymoThreadLink, sorted; NULL = the files
                                           record none */
  GPtrArray       *profiles;            /* KymoProfileData of a run of kind profile:
                                           steps in order of time, the last one is
                                           the whole run; else NULL */
  gboolean         growing;             /* its files may still be written: open again */
  GArray          *facts;               /* KymoFact */
  GArray          *environment;         /* KymoFact: "GROUP.KEY": what surrounded the program */
  GArray          *series;              /* KymoSeries: system metrics */
  GArray          *stat_names;          /* KymoFact: id and name of user stats */
  GPtrArray       *metrics;             /* char *: hardware counters of blocks */
  GArray          *metric_units;        /* KymoMetricUnit, of the first metrics; the others
                                           are mere counts */
  GArray          *stretched;           /* KymoStretched, by location, then begin */
  GArray          *stretch_sums;        /* KymoStretchSum, by location, then activity */
  KymoReport      *report;
  GPtrArray       *notes;               /* char *: what every answer should tell
                                           of what the run does not know */
  char            *draft;               /* what it rests on while its files are
                                           still being read; NULL = exact */
  KymoStreamLog   *stream;              /* of a stream, else NULL */
  KymoReduction   *reduction;           /* weights of a reduced run, else NULL;
                                           the reader takes them from the .kymo
                                           file, with a cache file as well */
  /* How the reader that made the run can read it again; all may be NULL. */
  gpointer         origin;
  GDestroyNotify   origin_free;
  struct _KymoRun *(*read_again)        (gpointer   origin,
                                         GError   **error);
  struct _KymoRunIndex *index;          /* derived on first use */
} KymoRun;

KymoRun            *kymo_run_new             (void);
KymoRun            *kymo_run_ref             (KymoRun          *run);
void                kymo_run_unref           (KymoRun          *run);
guint               kymo_run_add_activity    (KymoRun          *run,
                                              KymoActivityKind  kind,
                                              gint64            id,
                                              const char       *name,
                                              const char       *signature,
                                              const char       *group);
void                kymo_run_set_source      (KymoRun          *run,
                                              guint             activity,
                                              const char       *file,
                                              guint32           line);
void                kymo_run_tell_names_apart (KymoRun         *run);
void                kymo_run_add_metric      (KymoRun          *run,
                                              const char       *name,
                                              const char       *unit,
                                              double            scale);
const char         *kymo_run_metric_unit     (const KymoRun    *run,
                                              guint             metric);
double              kymo_run_metric_scale    (const KymoRun    *run,
                                              guint             metric);
void                kymo_run_add_fact        (KymoRun          *run,
                                              const char       *key,
                                              const char       *value);
gboolean        kymo_run_has_fact           (const KymoRun         *run,
                                             const char            *key);
void                kymo_run_add_note        (KymoRun          *run,
                                              const char       *sentence);
guint               kymo_run_add_place       (KymoRun          *run,
                                              const char       *kind,
                                              const char       *label,
                                              gint64            parent);
void                kymo_run_add_location    (KymoRun          *run,
                                              KymoLocation     *location,
                                              KymoSegment      *segment);
void                kymo_run_seal            (KymoRun          *run);
KymoSpan            kymo_run_get_records_span (const KymoRun   *run);
void                kymo_run_select          (KymoRun          *run,
                                              KymoSpan          span);
gboolean            kymo_run_is_binned       (const KymoRun    *run);
const char         *kymo_run_kind_to_string  (KymoRunKind       kind);
const char         *kymo_activity_kind_to_string (KymoActivityKind kind);
const char         *kymo_role_to_string      (KymoRole          role);
gboolean            kymo_role_from_string    (const char       *word,
                                              KymoRole         *role);
const char         *kymo_location_kind_to_string (KymoLocationKind kind);
gboolean            kymo_run_has_corrected_clocks (const KymoRun *run);
KymoRun            *kymo_run_read_again      (const KymoRun    *run,
                                              GError          **error);
gboolean            kymo_run_is_damaged      (const KymoRun    *run);
gboolean            kymo_run_has_backing     (const KymoRun    *run);
gboolean            kymo_run_is_on_disk      (const KymoRun    *run);
gint                kymo_run_find_location   (const KymoRun    *run,
                                              gint64            id);

/**
 * kymo_run_peek_activity:
 * @index: of an activity in the run
 *
 * Returns: (transfer none): the activity, owned by the run
 */
static inline const KymoActivity *
kymo_run_peek_activity (const KymoRun *run,
                        guint          index)
{
  return &g_array_index (run->activities, KymoActivity, index);
}

/**
 * kymo_run_peek_location:
 * @index: of a location in the run
 *
 * Returns: (transfer none): the location, owned by the run
 */
static inline const KymoLocation *
kymo_run_peek_location (const KymoRun *run,
                        guint          index)
{
  return &g_array_index (run->locations, KymoLocation, index);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRun, kymo_run_unref)

G_END_DECLS
