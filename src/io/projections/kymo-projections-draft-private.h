/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of the drafts, shared by kymo-projections-draft.c (what is given,
 * and when) and kymo-projections-draft-look.c (known records, and the axis).
 * Rows are under the mutex, for the readers seal logs meanwhile; probes are
 * the draft thread's own.
 */
#pragma once

#include "kymo-projections-draft.h"
#include "kymo-projections-probe.h"

G_BEGIN_DECLS

/* Milliseconds of reading after which the first draft has to be there. */
#define KYMO_DRAFT_FIRST_BY_MS 420

typedef struct
{
  KymoProbe    probe;
  KymoSegment *summary;         /* of the files beside the log, or NULL */
  KymoSegment *draft;           /* of the summary or the probe, or NULL */
  KymoSpan     drafted;         /* the draft's span */
  KymoSegment *exact;           /* under the mutex; NULL until the log is read,
                                   and where it could not be; on disk: a thumbnail */
} KymoDraftRow;

struct _KymoProjectionsDraft
{
  const KymoProjectionsFiles *files;
  const KymoSts              *sts;
  KymoOpenOptions             options;
  KymoJob                    *job;      /* borrowed */
  KymoRun                    *names;    /* activities, title and kind of the run */
  KymoProber                 *prober;
  GThread                    *thread;
  gint64                      start_us;
  guint                       n_samples;        /* of each text log */
  KymoDraftRow               *rows;             /* by log */
  GMutex                      giving;   /* held while a draft is given */
  GMutex                      mutex;
  GCond                       changed;
  gboolean                    stopped;          /* under the mutex */
  gboolean                    scarce;           /* under the mutex */
  guint                       n_read;           /* under the mutex */
};

gboolean kymo_draft_is_stopped (KymoProjectionsDraft       *draft);
void     kymo_draft_look       (KymoProjectionsDraft       *draft);
gboolean kymo_draft_find_axis  (const KymoProjectionsDraft *draft,
                                KymoSpan                   *axis,
                                gboolean                   *sure);

/** kymo_draft_is_eager: whether a draft is given for every log, at once */
static inline gboolean
kymo_draft_is_eager (const KymoProjectionsDraft *draft)
{
  return draft->options.draft_after_ms == 0;
}

/**
 * kymo_draft_elapsed_ms:
 *
 * Returns: milliseconds since reading began
 */
static inline gint64
kymo_draft_elapsed_ms (const KymoProjectionsDraft *draft)
{
  return (g_get_monotonic_time () - draft->start_us) / 1000;
}

G_END_DECLS
