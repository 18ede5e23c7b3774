/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The .sts file of a Projections run: versions, names and sizes. One line a
 * fact, first word the keyword; unknown keywords are skipped.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-run.h"

G_BEGIN_DECLS

/** ids of entry methods above this are not believed */
#define KYMO_STS_MAX_ENTRY_ID (1 << 20)
/** events have 16 bits in the logs */
#define KYMO_STS_N_EVENT_IDS (1 << 16)
/** Most hardware counters that are kept */
#define KYMO_STS_MAX_COUNTERS 64
/** only the records tell how many index values an entry method has */
#define KYMO_STS_DIMENSIONS_UNKNOWN -2

/**
 * KymoStsEntry: what a log record needs to know of an entry method
 */
typedef struct
{
  guint32 activity;             /* index in the run, or G_MAXUINT32 */
  gint8   n_dimensions;         /* of its chare array; -1 = none,
                                   or KYMO_STS_DIMENSIONS_UNKNOWN */
} KymoStsEntry;

typedef struct
{
  guint         version;                /* times ten: 70, 100, 110 */
  gint64        n_pes;                  /* PROCESSORS; 0 = not told */
  guint         n_counters;             /* PAPI counters in records 2 and 3 */
  gint64        n_workers;              /* SMPMODE: workers a process, or 0 */
  gint64        n_processes;
  guint         n_entries;              /* length of entries */
  KymoStsEntry *entries;                /* by id */
  guint32      *events;                 /* by id: activity or G_MAXUINT32 */
  GHashTable   *functions;              /* id -> activity + 1 */
  guint32       unknown_entry;          /* activities for ids that are not in */
  guint32       unknown_event;          /*   the file */
  gboolean      is_complete;            /* it was read to its END */
} KymoSts;

KymoSts *kymo_sts_read (const char  *path,
                        const char  *name,
                        KymoRun     *run,
                        KymoJob     *job,
                        GError     **error);
KymoSts *kymo_sts_new  (void);
void     kymo_sts_set_entry (KymoSts      *sts,
                             gint64        id,
                             KymoStsEntry  entry);
void     kymo_sts_add_unknown (KymoSts   *sts,
                               KymoRun   *run);
KymoSts *kymo_sts_new_nameless (KymoRun *run);
gboolean kymo_sts_is_worker      (const KymoSts *sts,
                                     gint64         pe);
KymoLocation kymo_sts_describe_location (const KymoSts *sts,
                                     gint64         pe);
void     kymo_sts_add_entry (KymoSts     *sts,
                             KymoRun     *run,
                             gint64       id);
void     kymo_sts_add_event (KymoSts     *sts,
                             KymoRun     *run,
                             gint64       id);
void     kymo_sts_free (KymoSts     *sts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoSts, kymo_sts_free)

G_END_DECLS
