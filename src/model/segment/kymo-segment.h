/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sealed segment: one location over one stretch of time, as columns.
 *
 * The *track* partitions the segment's span into pieces: piece i holds state
 * piece_state[i] from the begin of piece i to that of piece i + 1. A state is
 * what the location was doing: overhead, idle, untraced or the innermost open
 * block's activity. So exclusive time is a sum over the track, and busy + idle
 * + overhead + untraced = span holds by construction. A piece of an activity
 * may have length 0 (a block shorter than the clock's tick); the others not.
 *
 * *Blocks* are the begin records in order of begin; children follow their
 * parent and end no later. *Sends* are in order of recording; their event
 * numbers normally ascend. *Points* and *stretches* are sorted by begin.
 *
 * Times are read through kymo_segment_piece_begin() and its like: their columns
 * are of 32 or 64 bits (kymo-times.h). A column that would say the same of
 * every block or send is not there; kymo_segment_block_object() and its like
 * know.
 *
 * A segment of a summary has *bins* instead: no pieces, blocks or sends, only
 * sums by bin of time (kymo-bins.h). kymo_segment_sum() answers for both.
 *
 * Life: filled by a KymoSegmentBuilder on one thread, immutable after, shared
 * by reference count between runs (kymo_segment_ref()); where a run numbers its
 * locations otherwise, it takes a second face of it, which borrows all columns
 * (kymo_segment_new_lent()). All arrays belong to the segment, or, where it has a
 * *backing*, columns and pyramid to that; then kymo_segment_use() must have
 * said yes before they are read. Any thread may read.
 */
#pragma once

#include <glib.h>

#include "kymo-bins.h"
#include "kymo-exchange.h"
#include "kymo-pyramid.h"
#include "kymo-span.h"
#include "kymo-times.h"
#include "kymo-totals.h"

G_BEGIN_DECLS

struct _KymoSegment;

/** KYMO_NO_OBJECT: the block belongs to no array element */
#define KYMO_NO_OBJECT 0
#define KYMO_MAX_DIMENSIONS 6

/** KYMO_NO_MESSAGE: no message began the block, and its call was never interrupted */
#define KYMO_NO_MESSAGE (-1)

/** KYMO_NO_BLOCK: a send outside of all blocks */
#define KYMO_NO_BLOCK G_MAXUINT32

/** KYMO_NO_COUNT: a hardware counter was not read at both ends of a block */
#define KYMO_NO_COUNT G_MININT64

/** KymoObject: index of an array element */
typedef struct
{
  gint32 index[KYMO_MAX_DIMENSIONS];
  guint32 n_dimensions;
} KymoObject;

typedef enum
{
  KYMO_SEND_ONE,
  KYMO_SEND_BROADCAST,
  KYMO_SEND_MULTICAST,
} KymoSendKind;

/**
 * KymoPointKind:
 *
 * User events and brackets carry an activity (kind event); notes a text;
 * values a number.
 */
typedef enum
{
  KYMO_POINT_USER_EVENT,
  KYMO_POINT_BRACKET,
  KYMO_POINT_NOTE,
  KYMO_POINT_BRACKET_NOTE,
  KYMO_POINT_USER_VALUE,
  KYMO_POINT_USER_STAT,
  KYMO_POINT_MEMORY,
  KYMO_POINT_PHASE,
  KYMO_POINT_TRACE_ON,
  KYMO_POINT_TRACE_OFF,
  KYMO_POINT_PARAMETER,
  KYMO_POINT_IO,
  KYMO_N_POINT_KINDS,
} KymoPointKind;

/**
 * KymoParameterType:
 *
 * What the value of a parameter is; an unsigned number has the same bits as
 * KymoPoint.number.
 */
typedef enum
{
  KYMO_PARAMETER_INT,
  KYMO_PARAMETER_UNSIGNED,
  KYMO_PARAMETER_TEXT,
} KymoParameterType;

/**
 * KymoIoOp:
 *
 * Of an I/O point, in KymoPoint.op, with the fields that it has:
 * @KYMO_IO_OPEN: a handle is made; flag: access mode; number: creation flags, and status
 *   flags << 32
 * @KYMO_IO_CLOSE: it is destroyed
 * @KYMO_IO_DUPLICATE: nested_id: the new handle; number: status flags
 * @KYMO_IO_SEEK: flag: from where; number: the offset after; text: the one asked for, in decimals
 * @KYMO_IO_SET_FLAGS: number: status flags
 * @KYMO_IO_DELETE: a file is deleted; id: the file
 * @KYMO_IO_READ: reading begins; flag: 1 = it does not block, 2 = all of the communicator do
 *   it; nested_id: number of the operation, of its location; number: bytes asked for; end_ns:
 *   when it was complete, or the begin where that is not recorded
 * @KYMO_IO_WRITE: the same of writing
 * @KYMO_IO_FLUSH: the same of what is written to the device
 * @KYMO_IO_ISSUED: a call that does not block returned; nested_id: number of the operation,
 *   here and below, 0 = its begin is not known
 * @KYMO_IO_TEST: it was not complete yet
 * @KYMO_IO_COMPLETE: flag: the KymoIoOp that began it, or 0; number: bytes transferred
 * @KYMO_IO_CANCEL: it was cancelled
 * @KYMO_IO_LOCK: flag: 1 = shared, 0 = exclusive, here and below
 *
 * Access modes, flags, and from where to seek are numbered as in OTF2. Bytes and offsets are
 * -1 where they are not known.
 */
typedef enum
{
  KYMO_IO_OPEN,
  KYMO_IO_CLOSE,
  KYMO_IO_DUPLICATE,
  KYMO_IO_SEEK,
  KYMO_IO_SET_FLAGS,
  KYMO_IO_DELETE,
  KYMO_IO_READ,
  KYMO_IO_WRITE,
  KYMO_IO_FLUSH,
  KYMO_IO_ISSUED,
  KYMO_IO_TEST,
  KYMO_IO_COMPLETE,
  KYMO_IO_CANCEL,
  KYMO_IO_LOCK,
  KYMO_IO_UNLOCK,
  KYMO_IO_TRY_LOCK,
  KYMO_N_IO_OPS,
} KymoIoOp;

/**
 * KymoPoint:
 * @begin_ns: when
 * @end_ns: end of a bracket, else @begin_ns
 * @kind: a #KymoPointKind
 * @op: of a parameter a #KymoParameterType, of I/O a #KymoIoOp, else 0
 * @flag: of I/O, see #KymoIoOp; else 0
 * @activity: index of the event's or parameter's activity, or %G_MAXUINT32
 * @id: id in the files: of the event, stat, note, phase or parameter; of I/O index of the
 *   handle (kymo-definitions.h), -1 = not known
 * @nested_id: nesting id of a bracket (AMPI: the rank), or 0; of I/O see #KymoIoOp
 * @value: of a user value, stat or memory sample
 * @number: of a parameter that is a number, and of I/O
 * @text: of a note or a parameter that is a text; of I/O see #KymoIoOp; else %NULL
 */
typedef struct
{
  gint64   begin_ns;
  gint64   end_ns;
  guint16  kind;
  guint8   op;
  guint8   flag;
  guint32  activity;
  gint32   id;
  gint32   nested_id;
  union
    {
      double value;
      gint64 number;
    };
  char    *text;
} KymoPoint;

/**
 * kymo_point_is_user_event:
 *
 * Returns: whether it is a user event or a bracket that has a name. Samples of a value and
 *   parameters are no events that were executed.
 */
static inline gboolean
kymo_point_is_user_event (const KymoPoint *point)
{
  return point->activity != G_MAXUINT32
    && (point->kind == KYMO_POINT_USER_EVENT || point->kind == KYMO_POINT_BRACKET);
}

typedef enum
{
  KYMO_STRETCH_PACK,
  KYMO_STRETCH_UNPACK,
  KYMO_STRETCH_FLUSH,
  KYMO_N_STRETCH_KINDS,
} KymoStretchKind;

/** KymoStretch: packing, unpacking or flushing, inside blocks or not */
typedef struct
{
  gint64  begin_ns;
  gint64  end_ns;
  guint32 kind;
} KymoStretch;

/**
 * KymoAsideOp:
 *
 * What a record beside blocks tells that no question asks for. It is kept so that an archive
 * can be written with it:
 * @KYMO_ASIDE_POSTED: a receive that does not block was posted
 * @KYMO_ASIDE_SENT: a send that does not block is complete
 * @KYMO_ASIDE_TESTED: a send or receive was not complete yet
 * @KYMO_ASIDE_CANCELLED: it was cancelled
 * @KYMO_ASIDE_GET: a one-sided transfer to the location itself begins
 * @KYMO_ASIDE_DONE_BLOCKING: a one-sided transfer that blocks is complete
 * @KYMO_ASIDE_DONE: one that does not block is complete
 * @KYMO_ASIDE_DONE_REMOTE: it is complete on the other side
 * @KYMO_ASIDE_TRIED: a one-sided transfer was not complete yet
 * @KYMO_ASIDE_FORK: number: threads asked for; comm: the paradigm, as OTF2 numbers it
 * @KYMO_ASIDE_JOIN: comm: the paradigm
 * @KYMO_ASIDE_TEAM_BEGIN: comm: number of the team's communicator, 0 = not known, here and below
 * @KYMO_ASIDE_THREAD_CREATE: number: the low 32 bits of the thread's sequence number, here and
 *   below
 * @KYMO_ASIDE_ATOMIC: a one-sided atomic operation begins; its type, as OTF2 numbers it, is added
 *
 * Up to @KYMO_ASIDE_TRIED, and of atomic operations, the number is that of the request
 * (KymoExchange.send_request).
 */
typedef enum
{
  KYMO_ASIDE_POSTED,
  KYMO_ASIDE_SENT,
  KYMO_ASIDE_TESTED,
  KYMO_ASIDE_CANCELLED,
  KYMO_ASIDE_GET,
  KYMO_ASIDE_DONE_BLOCKING,
  KYMO_ASIDE_DONE,
  KYMO_ASIDE_DONE_REMOTE,
  KYMO_ASIDE_TRIED,
  KYMO_ASIDE_FORK,
  KYMO_ASIDE_JOIN,
  KYMO_ASIDE_TEAM_BEGIN,
  KYMO_ASIDE_TEAM_END,
  KYMO_ASIDE_THREAD_CREATE,
  KYMO_ASIDE_THREAD_BEGIN,
  KYMO_ASIDE_THREAD_END,
  KYMO_ASIDE_THREAD_WAIT,
  KYMO_ASIDE_ATOMIC,
} KymoAsideOp;

/** KymoMulticast: the destinations of one multicast send */
typedef struct
{
  guint send;                   /* index of the send */
  guint first;                  /* into multicast_pes */
  guint n_pes;
} KymoMulticast;

/**
 * KymoSegmentPart:
 *
 * Columns that are used together.
 */
typedef enum
{
  KYMO_PART_TRACK = 1 << 0,     /* pieces and pyramid */
  KYMO_PART_BLOCKS = 1 << 1,    /* blocks, counters and objects */
  KYMO_PART_SENDS = 1 << 2,     /* sends, multicasts and asides */
  KYMO_PART_POINTS = 1 << 3,    /* points and stretches */
  KYMO_PARTS_ALL = (1 << 4) - 1,
} KymoSegmentPart;

#define KYMO_N_PARTS 4

/** KymoStoredSum: time of a segment in one state, never 0 */
typedef struct
{
  guint32 segment;
  guint32 state;
  gint64  ns;
} KymoStoredSum;

/**
 * KymoBacking:
 * @check: whether a part of a segment may be read; makes what the backing
 *   does not hold as it is read (points, stretches, multicasts)
 * @free: called with the last reference
 * @is_damaged: whether columns became zeros after @check; what was computed of them is not to
 *   be believed
 *
 * Where the columns of segments lie when they are not their own memory: a
 * mapped file. Shared by the segments of a run.
 */
typedef struct _KymoBacking
{
  gatomicrefcount ref_count;
  gboolean      (*check) (struct _KymoBacking *backing,
                          struct _KymoSegment *segment,
                          KymoSegmentPart      part);
  void          (*free)  (struct _KymoBacking *backing);
  gboolean      (*is_damaged) (struct _KymoBacking *backing);
} KymoBacking;

KymoBacking *kymo_backing_ref   (KymoBacking *backing);
void         kymo_backing_unref (KymoBacking *backing);

typedef struct _KymoSegment
{
  gatomicrefcount ref_count;
  guint        location;        /* index in the run */
  KymoSpan     span;            /* first to last record */
  gint64       n_records;
  gint64       base_ns;         /* of all columns of times, see KymoTimes */
  guint32      unit_ns;
  gboolean     wide;
  gboolean     scarce;          /* memory is short: what is large and made for
                                   the segment goes to scratch memory */

  guint        n_pieces;
  gpointer     piece_begin;     /* times, n_pieces + 1 */
  guint32     *piece_state;
  KymoPyramid *pyramid;
  KymoBins    *bins;            /* of a summary, else NULL */

  guint        n_blocks;
  gpointer     block_begin;     /* times */
  gpointer     block_end;       /* times */
  guint32     *block_activity;
  gint32      *block_source;    /* sending PE */
  gint32      *block_event;     /* its event number; -1 = none, below: of a call that
                                   was not traced for a while the call's number */
  guint32     *block_bytes;
  guint32     *block_object;    /* index into objects; NULL when all are
                                   KYMO_NO_OBJECT */
  guint8      *block_depth;     /* NULL when nothing nests */
  guint        n_counters;      /* hardware counters of the run */
  gint64      *block_counters;  /* n_blocks x n_counters: end less begin, or
                                   KYMO_NO_COUNT; NULL without counters */

  guint        n_objects;
  KymoObject  *objects;         /* [0] is KYMO_NO_OBJECT */

  guint        n_sends;
  gpointer     send_time;       /* times */
  guint32     *send_activity;
  gint32      *send_event;
  guint32     *send_bytes;
  guint32     *send_destinations;       /* NULL when all are 1 */
  guint8      *send_kind;       /* NULL when all are KYMO_SEND_ONE */
  gboolean     sends_ascend;    /* send_event ascends: bsearch works */
  /* Once sealed only data and len of these are read. */
  GArray      *multicasts;      /* KymoMulticast */
  GArray      *multicast_pes;   /* gint32 */

  KymoExchange *exchange;       /* of functions that send and receive, or NULL */

  /* In order of recording; the columns are NULL where there are none. */
  guint        n_asides;
  gpointer     aside_time;      /* times */
  guint32     *aside_block;     /* the innermost block around it, or KYMO_NO_BLOCK */
  guint32     *aside_number;    /* see KymoAsideOp */
  guint32     *aside_comm;
  guint8      *aside_op;

  GArray      *points;          /* KymoPoint */
  GArray      *stretches;       /* KymoStretch */

  struct _KymoSegment *lender;  /* whose columns these are, or NULL */

  /* Calls: made on first use, see kymo_segment_peek_calls(). What is made on
     first use is each face's own: kymo_segment_new_lent() clears it. */
  gsize        calls_once;
  guint32     *block_call;      /* number of the call a block belongs to */
  guint32     *call_first_block;
  guint        n_calls;
  gsize        sends_once;
  guint32     *sends_by_event;  /* permutation, where !sends_ascend */
  gsize        send_blocks_once;
  guint32     *send_block;      /* see kymo_segment_peek_send_blocks() */
  guint32     *block_send;      /* the first send of each block */
  gsize        totals_once;
  gboolean     totals_lent;     /* by the backing */
  KymoTotals   totals;          /* see kymo_segment_peek_totals() */

  KymoBacking *backing;         /* owner of the columns; NULL = the segment */
  gsize        used_once[KYMO_N_PARTS];
  /* With a backing: sums that can be read before the columns are in memory. */
  gsize        stored_bytes;    /* what the columns would take in memory */
  guint        n_stored_points;
  guint32      stored_point_kinds;
  guint        n_stored_sums;
  guint        place;           /* number of the segment in the backing */
  guint        lent_lists;      /* parts whose lists kymo_segment_lend_*() made */
  const KymoStoredSum *stored_sums;     /* of the whole span */
} KymoSegment;

/* The one way to read a time: how columns of times are kept is the segment's
   own business. */

/**
 * kymo_segment_times:
 * @column: one of the segment's columns of times
 *
 * Returns: a view of the column, valid as long as the segment
 */
static inline KymoTimes
kymo_segment_times (const KymoSegment *segment,
                    gconstpointer      column)
{
  return (KymoTimes) { column, segment->base_ns, segment->unit_ns, segment->wide };
}

/**
 * kymo_segment_piece_begin:
 * @i: index of a piece, or n_pieces for the end of the span
 *
 * Returns: when the piece begins, in nanoseconds
 */
static inline gint64
kymo_segment_piece_begin (const KymoSegment *segment,
                          guint              i)
{
  return kymo_times_at (kymo_segment_times (segment, segment->piece_begin), i);
}

/**
 * kymo_segment_block_begin:
 * @i: index of a block
 *
 * Returns: the time in nanoseconds when the block begins
 */
static inline gint64
kymo_segment_block_begin (const KymoSegment *segment,
                          guint              i)
{
  return kymo_times_at (kymo_segment_times (segment, segment->block_begin), i);
}

/**
 * kymo_segment_block_end:
 * @i: index of a block
 *
 * Returns: the time in nanoseconds when the block ends
 */
static inline gint64
kymo_segment_block_end (const KymoSegment *segment,
                        guint              i)
{
  return kymo_times_at (kymo_segment_times (segment, segment->block_end), i);
}

/**
 * kymo_segment_send_time:
 * @i: index of a send
 *
 * Returns: when the send was recorded, in nanoseconds
 */
static inline gint64
kymo_segment_send_time (const KymoSegment *segment,
                        guint              i)
{
  return kymo_times_at (kymo_segment_times (segment, segment->send_time), i);
}

/**
 * kymo_segment_receive_time:
 * @i: index of a receive of the segment's exchange
 *
 * Returns: when the message had been received, in nanoseconds
 */
static inline gint64
kymo_segment_receive_time (const KymoSegment *segment,
                           guint              i)
{
  return kymo_times_at (kymo_segment_times (segment, segment->exchange->receive_time), i);
}

/**
 * kymo_segment_aside_time:
 * @i: index of an aside
 *
 * Returns: when the aside was recorded, in nanoseconds
 */
static inline gint64
kymo_segment_aside_time (const KymoSegment *segment,
                         guint              i)
{
  return kymo_times_at (kymo_segment_times (segment, segment->aside_time), i);
}

/**
 * kymo_segment_block_object:
 * @i: index of a block
 *
 * Returns: index into the segment's objects of the block's array element, or %KYMO_NO_OBJECT
 */
static inline guint32
kymo_segment_block_object (const KymoSegment *segment,
                           guint              i)
{
  return segment->block_object != NULL ? segment->block_object[i] : KYMO_NO_OBJECT;
}

/**
 * kymo_segment_send_kind:
 * @i: index of a send
 *
 * Returns: whether the message went to one location or was a broadcast or multicast
 */
static inline KymoSendKind
kymo_segment_send_kind (const KymoSegment *segment,
                        guint              i)
{
  return segment->send_kind != NULL ? segment->send_kind[i] : KYMO_SEND_ONE;
}

/** kymo_segment_send_destinations: how many locations send i goes to */
static inline guint32
kymo_segment_send_destinations (const KymoSegment *segment,
                                guint              i)
{
  return segment->send_destinations != NULL ? segment->send_destinations[i] : 1;
}

KymoSegment   *kymo_segment_new           (void);
void           kymo_segment_fit           (KymoSegment       *segment);
KymoSegment   *kymo_segment_new_of_bins   (KymoBins          *bins);
KymoSegment   *kymo_segment_new_lent      (KymoSegment       *lender);
KymoSegment   *kymo_segment_ref           (KymoSegment       *segment);
void           kymo_segment_unref         (KymoSegment       *segment);
gboolean       kymo_segment_use           (KymoSegment       *segment,
                                           guint              parts);
gsize          kymo_point_text_bytes      (const KymoPoint   *point);
guint          kymo_segment_get_n_points  (const KymoSegment *segment);
guint32        kymo_segment_get_point_kinds (const KymoSegment *segment);
void           kymo_segment_lend_points   (KymoSegment       *segment,
                                           KymoPoint         *points,
                                           guint              n_points,
                                           KymoStretch       *stretches,
                                           guint              n_stretches);
void           kymo_segment_lend_multicasts (KymoSegment     *segment,
                                           gconstpointer      multicasts,
                                           guint              n_multicasts,
                                           gconstpointer      pes,
                                           guint              n_pes);
KymoSegment   *kymo_segment_new_thumbnail (const KymoSegment *segment,
                                           guint              n_bins,
                                           guint              n_states);
gsize          kymo_segment_get_bytes     (const KymoSegment *segment);
gsize          kymo_segment_get_held      (const KymoSegment *segment);
gpointer       kymo_segment_new_made      (const KymoSegment *segment,
                                           gsize              n,
                                           gsize              size);
guint          kymo_segment_find_piece    (const KymoSegment *segment,
                                           gint64             time_ns);
void           kymo_segment_sum           (const KymoSegment *segment,
                                           KymoSpan           span,
                                           guint             *hint,
                                           KymoSums          *sums);
guint          kymo_segment_first_block   (const KymoSegment *segment,
                                           gint64             time_ns);
const guint32 *kymo_segment_peek_calls    (KymoSegment       *segment);
guint8        *kymo_segment_find_firsts   (const KymoSegment *segment);
gboolean       kymo_segment_is_first      (KymoSegment       *segment,
                                           guint              block);
gint64         kymo_segment_exclusive_of  (const KymoSegment *segment,
                                           guint              block);
gint64        *kymo_segment_new_exclusive (KymoSegment       *segment);
void           kymo_segment_exclusive     (const KymoSegment *segment,
                                           gint64            *exclusive_ns);
gint           kymo_segment_find_send     (KymoSegment       *segment,
                                           gint32             event);
gint           kymo_segment_find_send_near (KymoSegment      *segment,
                                           gint32             event,
                                           guint             *hint);
const guint32 *kymo_segment_peek_send_blocks (KymoSegment    *segment);
guint8        *kymo_segment_dup_cancelled (const KymoSegment *segment);
gboolean       kymo_segment_send_is_cancelled (const KymoSegment *segment,
                                           guint              send);
gboolean       kymo_segment_block_sends   (KymoSegment       *segment,
                                           guint              block);
void           kymo_segment_shift         (KymoSegment       *segment,
                                           gint64             offset_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoSegment, kymo_segment_unref)

G_END_DECLS
