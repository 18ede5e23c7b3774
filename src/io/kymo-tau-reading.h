/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A TAU trace while it is read: its files, their events, and what becomes of each
 * thread. Made and taken apart by kymo-tau-trace.c; kymo-tau-threads.c finds the threads
 * and reads their records, kymo-tau-names.c gives the events their activities.
 */
#pragma once

#include "kymo-open.h"
#include "kymo-spill.h"
#include "kymo-tau-file.h"
#include "kymo-tau-files.h"
#include "kymo-tau-stream.h"

G_BEGIN_DECLS

/**
 * KymoTauThread:
 * @input: index of the file that its records are in
 * @segment: (nullable): once it is read
 */
typedef struct
{
  guint         input;
  guint         node, context, thread;
  guint64       first_us;
  gint64        n_records;
  KymoTauStream stream;
  KymoSegment  *segment;
  KymoRepairs   repairs;
} KymoTauThread;

/**
 * KymoTauReading:
 * @inputs: by trace
 * @events: of each trace; traces of one node share them
 * @node_events: by node: who owns them
 * @threads: #KymoTauThread by node, context and thread
 */
typedef struct
{
  KymoTauFiles       *files;
  KymoRun            *run;
  KymoJob            *job;
  KymoSpill          *spill;
  guint               n_cores;
  KymoTauInput       *inputs;
  KymoTauInputState  *states;
  KymoTauEvents     **events;
  GHashTable         *node_events;
  GArray             *threads;
  guint               n_functions;
  guint64             zero_us;
  gint                out_of_memory;    /* atomic */
} KymoTauReading;

void kymo_tau_read_events  (KymoTauReading *reading);
void kymo_tau_name_events  (KymoTauReading *reading);
void kymo_tau_find_threads (KymoTauReading *reading);
void kymo_tau_read_threads (KymoTauReading *reading);

static inline KymoTauThread *
kymo_tau_thread (const KymoTauReading *reading,
                 guint                 index)
{
  return &g_array_index (reading->threads, KymoTauThread, index);
}

G_END_DECLS
