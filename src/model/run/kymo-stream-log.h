/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run of kind stream knows beside its bins: the replies it came in,
 * marks, and of each activity its busiest and idlest second. Made by the
 * stream's store, immutable once a run holds it, shared by reference count.
 */
#pragma once

#include "kymo-span.h"

G_BEGIN_DECLS

/**
 * KymoStreamReply: one reply with a block, or several neighbours together
 * where a stream is long
 * @span: of the program's time
 * @arrived_us: when the (last) reply was there, microseconds since 1970
 * @bytes: payloads
 * @n_replies: blocks; 0 = what is missing here was lost
 * @largest_bytes: payload
 */
typedef struct
{
  KymoSpan span;
  gint64   arrived_us;
  gint64   bytes;
  gint64   n_replies;
  gint64   largest_bytes;
} KymoStreamReply;

typedef enum
{
  KYMO_STREAM_MARK_CONDITION,   /* one that the person set was met */
  KYMO_STREAM_MARK_STATE,       /* of the connection */
  KYMO_STREAM_MARK_LOST,        /* a block was lost */
} KymoStreamMarkKind;

typedef struct
{
  gint64              time_ns;
  gint64              at_us;
  KymoStreamMarkKind  kind;
  char               *text;
} KymoStreamMark;

/**
 * KymoStreamSeconds: an activity over whole seconds (blocks of 1,000 bins) of
 * the run; seconds that were lost are not counted
 */
typedef struct
{
  gint64 sum_ns;
  gint64 lowest_ns;
  gint64 highest_ns;
  gint64 last_ns;               /* in the newest second */
} KymoStreamSeconds;

/** KYMO_STREAM_MAX_LOADS: a stream keeps what its processes did in this number of seconds */
#define KYMO_STREAM_MAX_LOADS 600

/**
 * KymoStreamLoad: the processes of a recorded job in one second
 * @second: its number
 * @mean, @least, @most: load, in millionths
 * @least_rank, @most_rank: who has it
 * @delay_ns: how long a process was ready and had no CPU, mean; -1: not known
 * @most_delay_ns, @delay_rank: the process that waited longest
 */
typedef struct
{
  gint64 second;
  gint64 mean, least, most;
  gint64 least_rank, most_rank;
  gint64 delay_ns, most_delay_ns, delay_rank;
} KymoStreamLoad;

/**
 * KymoStreamLog:
 * @replies: #KymoStreamReply, by time
 * @marks: #KymoStreamMark, by time
 * @seconds: #KymoStreamSeconds, by index of the activity
 * @loads: #KymoStreamLoad, ascending; only of jobs that tell values beside their blocks
 * @busy: the same of all activities together
 * @n_seconds: whole seconds that came
 * @n_lost: blocks that did not
 * @n_empty: replies that told of nothing new
 * @bytes_received: of all replies, their headers included
 * @begin_us: when the first frame came
 * @end_us: when the last did
 * @n_pes: that the blocks are the mean of
 * @newest: the newest block
 * @thinned_before_ns: bins of 1 ms are kept from here on
 * @ended: how the stream ended, or NULL while it may go on
 */
typedef struct
{
  gatomicrefcount  ref_count;
  GArray          *replies;
  GArray          *marks;
  GArray          *seconds;
  GArray          *loads;
  KymoStreamSeconds busy;
  gint64           n_seconds;
  gint64           n_blocks;
  gint64           n_lost;
  gint64           n_empty;
  gint64           bytes_received;
  gint64           begin_us;
  gint64           end_us;
  gint64           n_pes;
  KymoSpan         newest;
  gint64           thinned_before_ns;
  char            *ended;
  gboolean         growing;
} KymoStreamLog;

KymoStreamLog *kymo_stream_log_new   (void);
void           kymo_stream_log_unref (KymoStreamLog *log);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStreamLog, kymo_stream_log_unref)

G_END_DECLS
