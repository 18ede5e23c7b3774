/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A TAU trace while it is read: its files, their events, and what becomes of each
 * thread. Made and taken apart by kymo-tau-trace.c; kymo-tau-threads.c and -shares.c
 * find the threads and read their records, -names.c gives the events their activities.
 */
#pragma once

#include "kymo-open-options.h"
#include "kymo-part-note.h"
#include "kymo-spill.h"
#include "kymo-tau-file.h"
#include "kymo-tau-files.h"
#include "kymo-tau-stream.h"

G_BEGIN_DECLS

/**
 * KymoTauThread:
 * @input: index of the file that its records are in
 * @zero_us: its time zero: that of the run, where its clock is not of another time
 * @segment: (nullable): once it is read
 */
typedef struct
{
  guint         input;
  guint         node, context, thread;
  gint64        id;             /* by a note of the original; -1 = none */
  guint64       first_us;
  guint64       zero_us;
  guint         place;          /* in the account of memory */
  KymoTauStream stream;
  KymoSegment  *segment;
  KymoRepairs   repairs;
  KymoReach     reach;
  KymoSieve    *sieve;          /* of a doubtful one */
  gboolean      has_begin;      /* in a merged trace: its first record is EV_INIT */
  gboolean      doubtful;       /* is to be read again, see kymo-tau-doubt.c */
  gboolean      is_held;        /* until all others are read */
  gboolean      settled;        /* what is read now is what it says */
} KymoTauThread;

/**
 * KymoTauTraceReading:
 * @note: (nullable): where the files are a part of another run
 * @inputs: by trace
 * @states: by trace; the reader of a trace sets it if the file cannot be opened again
 * @events: of each trace; traces of one node share them
 * @node_events: by node: who owns them
 * @threads: (element-type KymoTauThread): by node, context and thread
 */
typedef struct
{
  KymoTauFiles       *files;
  KymoRun            *run;
  KymoJob            *job;
  KymoSpill          *spill;
  KymoPartNote       *note;
  guint               n_cores;
  KymoTauInput       *inputs;
  KymoTauInputState  *states;
  KymoTauEvents     **events;
  GHashTable         *node_events;
  GPtrArray          *threads;
  guint               n_functions;
  guint               n_known;          /* activities that are none of metadata */
  guint64             zero_us;
  gint64              n_stray;          /* records of no thread, in a merged trace */
  gboolean            is_shaky;         /* a merged trace with damage: all threads are held */
  gint                n_places;         /* atomic */
  gint                out_of_memory;    /* atomic */
} KymoTauTraceReading;

void kymo_tau_read_events  (KymoTauTraceReading *reading);
void kymo_tau_find_metrics (KymoTauTraceReading *reading);
void kymo_tau_name_events  (KymoTauTraceReading *reading);
void kymo_tau_read_threads (KymoTauTraceReading *reading);
void kymo_tau_report_short (KymoTauTraceReading *reading,
                            guint                input,
                            gint64               at);

KymoTauThread *kymo_tau_thread_new  (guint          input,
                                     guint          node,
                                     guint          context,
                                     guint          thread,
                                     guint64        first_us);
void           kymo_tau_thread_free (KymoTauThread *thread);

/**
 * kymo_tau_thread:
 * @index: in the list of threads
 *
 * Returns: (transfer none): the thread, owned by the reading
 */
static inline KymoTauThread *
kymo_tau_thread (const KymoTauTraceReading *reading,
                 guint                 index)
{
  return reading->threads->pdata[index];
}

G_END_DECLS
