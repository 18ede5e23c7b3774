/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of a trace's profile share: the walk that is under way.
 */
#pragma once

#include <string.h>

#include "kymo-run-index.h"
#include "kymo-trace-profile.h"
#include "kymo-trace-walk.h"

G_BEGIN_DECLS

/** KymoTraceTiming: a function, or what is counted as one */
typedef struct
{
  char       *name;
  const char *groups;
  guint       flags;            /* KymoProfileFlags */
  KymoRole    role;
} KymoTraceTiming;

typedef enum
{
  KYMO_TRACE_STALE = 1,
  KYMO_TRACE_TOO_MANY,
} KymoTraceFailure;

/** KymoTraceSample: what a location recorded of one user event */
typedef struct
{
  guint32 kind;                 /* KymoPointKind */
  guint32 activity;             /* or G_MAXUINT32: by id */
  gint32  id;
  guint32 event;                /* in the profile, given in the end */
  double  n, max, min, sum, sum_squares;
} KymoTraceSample;

/**
 * KymoTraceJob:
 * @phases: (nullable): stretches of time that are phases; the functions
 *   first_phase + i stand for them
 * @rows: by segment; nodes are those of the walk @walked_by
 * @samples: by segment, of KymoTraceSample, or %NULL
 */
typedef struct
{
  const KymoRun                 *run;
  const KymoTraceProfileOptions *options;
  GCancellable                  *cancellable;
  GArray                        *timings;       /* KymoTraceTiming, by function */
  KymoTraceFunctions             functions;
  const GArray                  *phases;        /* KymoPhase */
  guint                          first_phase;
  GPtrArray                     *walks;
  KymoTraceRows                 *rows;
  guint                         *walked_by;
  GArray                       **samples;
  gint                           next;          /* atomic */
  gint                           failed;        /* atomic; a KymoTraceFailure */
} KymoTraceJob;

KymoProfileData *kymo_trace_profile_assemble (KymoTraceJob    *job);
gboolean         kymo_trace_is_sample        (const KymoPoint *point);
char            *kymo_trace_sample_dup_name  (const KymoRun         *run,
                                              const KymoTraceSample *sample);
void             kymo_trace_samples_add      (KymoTraceJob    *job,
                                              KymoSegment     *segment,
                                              guint            index);
void             kymo_trace_samples_set      (KymoTraceJob    *job,
                                              KymoProfileData *data);

G_END_DECLS
