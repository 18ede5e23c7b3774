/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the writer of TAU traces shares: which records of a location are needed
 * (kymo-convert-trace-parts.c), putting them down (-stream), the lists of events (-events)
 * and all of it together (kymo-convert-trace.c). One thread.
 */
#pragma once

#include "kymo-convert-private.h"
#include "kymo-run-writer.h"

G_BEGIN_DECLS

/**
 * KymoTraceParts: what of one location is written
 * @blocks: by block; %NULL = all, as are @sends and @receives
 */
typedef struct
{
  guint8 *blocks, *sends, *receives;
} KymoTraceParts;

/**
 * KymoTraceChoice: what of a run is written
 * @counted: what begins in it is in the asked range
 * @whole: all of the run's time, and all its locations
 * @ranks: (element-type gint64): processes that have a chosen location
 * @together: by location, what belongs to collectives that the range holds a part of:
 *   #KymoSpan; or %NULL
 * @has_one_sided: whether the files can hold one-sided transfers
 * @n_one_sided: those that they cannot hold
 * @n_torn: ends of messages that would be taken for those of others
 */
typedef struct
{
  KymoConvert *convert;
  KymoSpan     counted;
  gboolean     whole;
  GHashTable  *ranks;
  GArray     **together;
  gboolean     has_one_sided;
  gint64       n_one_sided, n_torn;
} KymoTraceChoice;

void kymo_trace_choice_init  (KymoTraceChoice *choice,
                              KymoConvert     *convert);
void kymo_trace_choice_clear (KymoTraceChoice *choice);
gboolean
     kymo_trace_choice_has_collective (const KymoTraceChoice *choice,
                                       const KymoCollectives *all,
                                       const KymoCollective  *collective);
void kymo_trace_parts_init   (KymoTraceParts  *parts,
                              KymoTraceChoice *choice,
                              guint            location);
void kymo_trace_parts_clear  (KymoTraceParts  *parts);

/* Time zero of the run in the files: no small number, which a reader might take for
   another field. */
#define KYMO_TRACE_ZERO_US (G_GUINT64_CONSTANT (1) << 40)
#define KYMO_TRACE_MOST_NUMBER G_MAXUINT16

/* Ids of TAU; those of other events stay below or go above. */
enum
{
  KYMO_TRACE_INIT = 60000,
  KYMO_TRACE_CLOSE = 60003,
  KYMO_TRACE_WALL_CLOCK = 60005,
  KYMO_TRACE_SEND = 60007,
  KYMO_TRACE_RECEIVE = 60008,
};

/**
 * KymoTraceOut: a trace in the making
 * @hosts: (element-type utf8): names of machines, none twice
 * @used: by number of an event: activities, then metrics, then facts, then @hosts:
 *   whether the node that is being written has it
 */
typedef struct
{
  KymoConvert     *convert;
  KymoRunWriter   *writer;
  KymoTraceChoice  choice;
  GPtrArray       *hosts;
  guint            n_activities, n_metrics, n_facts, n_events;
  guint8          *used;
  gint64           n_rounded, n_tags, n_lengths, n_comms, n_points, n_fractions, n_calls;
  gboolean         gaps, flushes;
} KymoTraceOut;

gboolean kymo_trace_write_stream (KymoTraceOut           *trace,
                                  const KymoConvertPlace *place,
                                  gboolean                is_first,
                                  gboolean                is_first_of_node,
                                  GError                **error);
/* Lists of events (kymo-convert-trace-events.c). */
void        kymo_trace_list_hosts   (KymoTraceOut        *trace);
const char *kymo_trace_host_of      (const KymoTraceOut  *trace,
                                     guint                location);
const char *kymo_trace_name_of      (const KymoActivity  *activity);
gint64      kymo_trace_id_of        (guint                event);
gboolean    kymo_trace_write_events (KymoTraceOut        *trace,
                                     gint64               node,
                                     gboolean             all,
                                     GError             **error);

static inline const KymoFact *
kymo_trace_fact (const KymoTraceOut *trace,
                 guint               i)
{
  return &g_array_index (trace->convert->run->facts, KymoFact, i);
}

/** KymoNoteKey: a line of the group Run of a note */
typedef struct
{
  const char *key;
  const char *value;
} KymoNoteKey;

/* A note of what the locations are in the run that this is a part of. */
gboolean kymo_convert_write_note (KymoConvert        *convert,
                                  KymoRunWriter      *writer,
                                  const char         *base,
                                  const KymoNoteKey  *keys,
                                  GError            **error);

G_END_DECLS
