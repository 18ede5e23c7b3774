/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The record types of a Projections log and the state of reading one:
 * between the lines (kymo-projections-log.c) and the fields
 * (kymo-projections-records.c).
 */
#pragma once

#include "kymo-projections-log.h"
#include "kymo-segment-builder.h"

G_BEGIN_DECLS

enum
{
  CREATION = 1, BEGIN_PROCESSING = 2, END_PROCESSING = 3, ENQUEUE = 4, DEQUEUE = 5,
  BEGIN_COMPUTATION = 6, END_COMPUTATION = 7, BEGIN_INTERRUPT = 8, END_INTERRUPT = 9,
  MESSAGE_RECV = 10, BEGIN_TRACE = 11, END_TRACE = 12, USER_EVENT = 13, BEGIN_IDLE = 14,
  END_IDLE = 15, BEGIN_PACK = 16, END_PACK = 17, BEGIN_UNPACK = 18, END_UNPACK = 19,
  CREATION_BCAST = 20, CREATION_MULTICAST = 21, BEGIN_FUNC = 22, END_FUNC = 23,
  USER_SUPPLIED = 26, MEMORY_USAGE = 27, NOTE = 28, BRACKETED_NOTE = 29, END_PHASE = 30,
  USER_STAT = 32, BEGIN_PAIR = 98, END_PAIR = 99, EVENT_PAIR = 100,
};

/** An open user bracket of records 22, 98 or the first line of a 100. */
typedef struct
{
  gint64    begin_ns;
  gint64    id, nested;
  guint32   activity;
} KymoOpenBracket;

typedef struct
{
  const KymoLogRequest *request;
  const KymoSts        *sts;
  KymoSegmentBuilder   *builder;
  gint64                n_records;
  gint64                n_damaged;
  gint64                damaged_offset;
  gint64                n_unknown;
  gint64                n_unknown_entries;
  gint64                n_unknown_sources;
  gint64                n_open_brackets;
  gint64                n_substance;    /* records beside 6, 7 and 30 */
  gint64                last_type;
  GArray               *brackets;       /* KymoOpenBracket of 98 and 22 */
  KymoOpenBracket       pair;           /* first line of a 100 */
  gboolean              in_pair;
  /* fields of begin records, by version */
  gboolean              has_receive_time;
  gboolean              has_send_duration;
} KymoLogState;

gboolean kymo_projections_record_read (KymoLogState *log,
                                       const char   *fields,
                                       const char   *end,
                                       gint64        type);

G_END_DECLS
