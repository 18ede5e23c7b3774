/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where things lie in a segment file; docs/formats/cache.md tells the same in
 * words. Shared by the writer and the reader, and private to them.
 *
 * All numbers are in the byte order of the machine that wrote them; a file
 * of another order is not read. Every section and every column begins at a
 * multiple of KYMO_SEGMENT_ALIGN bytes and is filled up with zeros, so that
 * all hashed lengths are whole stripes.
 */
#pragma once

#include "kymo-run.h"
#include "kymo-totals.h"

G_BEGIN_DECLS

#define KYMO_SEGMENT_MAGIC "\211KYMO\r\n\032"
#define KYMO_SEGMENT_VERSION 13
#define KYMO_SEGMENT_BYTE_ORDER 0x01020304u
#define KYMO_SEGMENT_ALIGN 64
#define KYMO_SEGMENT_KEY_BYTES 32

/* Times beyond nine years are not kept: so no sum of a file that was made to
   deceive can overflow. */
#define KYMO_SEGMENT_MAX_NS (G_GINT64_CONSTANT (1) << 58)

/* The run's tables: kind, title, format, version, span, records, original
   locations; activities, locations, their labels, facts, names of stats, metrics, notes, issues;
   terms of rows and code; places; units of metrics; definitions; environment; series; blocks
   without a processor and sums of them. */
#define KYMO_DEFINITIONS_TYPE \
  "m(a(xsau)a(xsuiii)a(sb)a(sisiib)a(ssu)a(xxuuis))"
#define KYMO_STRETCHED_TYPE "a(xxxxuu)"
#define KYMO_STRETCH_SUMS_TYPE "a(xxuu)"
#define KYMO_RUN_TABLE_TYPE \
  "(usmsmsxxxxxxa(xssssuuisu)a(xxxxxxxxuqq)aya(ss)a(ss)asasa(susxx)uua(ssx)a(sd)" \
  KYMO_DEFINITIONS_TYPE "a(ss)" KYMO_SERIES_TYPE KYMO_STRETCHED_TYPE KYMO_STRETCH_SUMS_TYPE ")"

/** KymoSegmentPlace: a section of the file and the hash of its bytes */
typedef struct
{
  guint64 offset;
  guint64 n_bytes;
  guint64 hash;
} KymoSegmentPlace;

/** KymoSegmentHeader: the first bytes of the file */
typedef struct
{
  char             magic[8];
  guint32          byte_order;
  guint32          version;
  guint64          file_bytes;
  guint8           key[KYMO_SEGMENT_KEY_BYTES];
  guint64          n_segments;
  guint64          n_states;
  guint64          n_metrics;
  KymoSegmentPlace entries;     /* KymoSegmentEntry, one a segment */
  KymoSegmentPlace sums;        /* KymoStoredSum, by segment */
  KymoSegmentPlace table;       /* the run's tables, a GVariant */
  KymoSegmentPlace totals;      /* KymoStoredTotals, one a segment */
  KymoSegmentPlace activity_totals;     /* KymoActivityTotal, by segment */
  KymoSegmentPlace counter_totals;      /* KymoCounterTotal, by segment */
  KymoSegmentPlace origin;      /* folder and title, each ended by 0 */
  KymoSegmentPlace collectives; /* KymoStoredCollective */
  KymoSegmentPlace members;     /* KymoStoredMember, by collective */
  guint64          has_collectives;     /* 1: the files tell them, if only that there are none */
  guint64          n_collectives_left_out;
  KymoSegmentPlace thread_links;        /* KymoThreadLink */
  guint64          zero[5];
  guint64          hash;        /* of the header with 0 in this place */
} KymoSegmentHeader;

/** KymoStoredTotals: a KymoTotals whose lists stand in sections of their own */
typedef struct
{
  gint64  reach_begin_ns;
  gint64  reach_end_ns;
  gint64  stretch_ns[KYMO_N_STRETCH_KINDS];
  guint64 n_activities;
} KymoStoredTotals;

/** KymoStoredCollective: a #KymoCollective; its members follow those of the one before */
typedef struct
{
  guint32 activity;
  guint32 kind;
  gint32  root;
  guint32 n_members;
  gint32  comm;
  gint16  op;
  guint16 level;
  gint64  sent_bytes;
  gint64  received_bytes;
} KymoStoredCollective;

typedef struct
{
  guint32 location;
  guint32 zero;
  gint64  begin_ns;
  gint64  end_ns;
  gint64  sent_bytes;
  gint64  received_bytes;
} KymoStoredMember;

G_STATIC_ASSERT (sizeof (KymoStoredCollective) == 40);
G_STATIC_ASSERT (sizeof (KymoStoredMember) == 40);
G_STATIC_ASSERT (sizeof (KymoStoredSum) == 16);
G_STATIC_ASSERT (sizeof (KymoStoredTotals) == 48);
G_STATIC_ASSERT (sizeof (KymoActivityTotal) == 80);
G_STATIC_ASSERT (sizeof (KymoCounterTotal) == 16);
G_STATIC_ASSERT (sizeof (KymoThreadLink) == 24);
G_STATIC_ASSERT (sizeof (KymoSegmentHeader) == 6 * KYMO_SEGMENT_ALIGN);

enum
{
  COUNT_PIECES,
  COUNT_EDGES,                  /* pieces + 1 */
  COUNT_NODE_OFFSETS,           /* of all levels: nodes + 1 */
  COUNT_NODE_SUMS,              /* of all levels */
  COUNT_BLOCKS,
  COUNT_BLOCK_OBJECTS,          /* blocks, or 0 where none has an array element */
  COUNT_DEPTHS,                 /* blocks, or 0 where none nests */
  COUNT_COUNTERS,               /* blocks times metrics, or 0 */
  COUNT_OBJECTS,
  COUNT_SENDS,
  COUNT_DESTINATIONS,           /* sends, or 0 where all have one */
  COUNT_SEND_KINDS,             /* sends, or 0 where all are of the first kind */
  COUNT_MULTICASTS,
  COUNT_MULTICAST_PES,
  COUNT_EXCHANGED_SENDS,        /* sends, or 0 where there is no exchange */
  COUNT_SEND_REQUESTS,          /* sends, or 0 where all block */
  COUNT_RECEIVES,
  COUNT_RECEIVE_REQUESTS,       /* receives, or 0 where all block */
  COUNT_ASIDES,
  COUNT_POINTS,
  COUNT_TEXT,                   /* bytes */
  COUNT_STRETCHES,
  N_COUNTS,
};

/** KymoSegmentEntry: one segment */
typedef struct
{
  gint64  begin_ns;
  gint64  end_ns;
  gint64  n_records;
  guint64 offset;               /* of its first column */
  guint64 n_bytes;              /* of all its columns */
  guint64 memory_bytes;         /* what kymo_segment_get_bytes() tells */
  gint64  base_ns;              /* of the columns of times, see KymoTimes */
  guint32 unit_ns;
  guint32 wide;                 /* 1: their elements have 8 bytes, 0: 4 */
  gint64  list_shift_ns;        /* to be added to times of points and stretches */
  guint64 counts[N_COUNTS];
  guint64 level_sums[KYMO_PYRAMID_MAX_LEVELS];
  guint64 hash[KYMO_N_PARTS];
  guint32 point_kinds;
  guint32 sends_ascend;
  guint64 match_offset;         /* of which records the exchange's belong to */
  guint64 match_hash;
} KymoSegmentEntry;

/**
 * KymoSegmentWritten: a segment that was written to a file in the making
 * @entry: where it is
 * @sums: (array length=n_sums): what the file will tell of it
 * @totals: that too
 */
typedef struct
{
  KymoSegmentEntry entry;
  KymoStoredSum   *sums;
  guint            n_sums;
  KymoTotals       totals;
} KymoSegmentWritten;

/** KymoStoredPoint: a KymoPoint whose text is a place */
typedef struct
{
  gint64  begin_ns;
  gint64  end_ns;
  guint16 kind;
  guint8  op;
  guint8  flag;
  guint32 activity;
  gint32  id;
  gint32  nested_id;
  gint64  number;               /* or the bits of KymoPoint.value */
  guint64 text;                 /* offset in the texts + 1, or 0 */
} KymoStoredPoint;

/** KymoStoredStretch: a KymoStretch without holes */
typedef struct
{
  gint64  begin_ns;
  gint64  end_ns;
  guint64 kind;
} KymoStoredStretch;

/* In the place of the bytes of one: a time, of 4 or 8. */
#define KYMO_SEGMENT_TIME 0

/* Name, part, bytes of one, how many, and the column of KymoSegment it is (Z: of
   its KymoExchange); in the order of the file, part by part. */
#define KYMO_SEGMENT_COLUMNS(X, Y, Z) \
  X (PIECE_BEGIN, 0, KYMO_SEGMENT_TIME, COUNT_EDGES, piece_begin) \
  X (PIECE_STATE, 0, 4, COUNT_PIECES, piece_state) \
  Y (NODE_OFFSET, 0, 4, COUNT_NODE_OFFSETS) \
  Y (NODE_STATE, 0, 4, COUNT_NODE_SUMS) \
  Y (NODE_NS, 0, 8, COUNT_NODE_SUMS) \
  X (BLOCK_BEGIN, 1, KYMO_SEGMENT_TIME, COUNT_BLOCKS, block_begin) \
  X (BLOCK_END, 1, KYMO_SEGMENT_TIME, COUNT_BLOCKS, block_end) \
  X (BLOCK_ACTIVITY, 1, 4, COUNT_BLOCKS, block_activity) \
  X (BLOCK_SOURCE, 1, 4, COUNT_BLOCKS, block_source) \
  X (BLOCK_EVENT, 1, 4, COUNT_BLOCKS, block_event) \
  X (BLOCK_BYTES, 1, 4, COUNT_BLOCKS, block_bytes) \
  X (BLOCK_OBJECT, 1, 4, COUNT_BLOCK_OBJECTS, block_object) \
  X (BLOCK_DEPTH, 1, 1, COUNT_DEPTHS, block_depth) \
  X (BLOCK_COUNTERS, 1, 8, COUNT_COUNTERS, block_counters) \
  X (OBJECTS, 1, 28, COUNT_OBJECTS, objects) \
  X (SEND_TIME, 2, KYMO_SEGMENT_TIME, COUNT_SENDS, send_time) \
  X (SEND_ACTIVITY, 2, 4, COUNT_SENDS, send_activity) \
  X (SEND_EVENT, 2, 4, COUNT_SENDS, send_event) \
  X (SEND_BYTES, 2, 4, COUNT_SENDS, send_bytes) \
  X (SEND_DESTINATIONS, 2, 4, COUNT_DESTINATIONS, send_destinations) \
  X (SEND_KIND, 2, 1, COUNT_SEND_KINDS, send_kind) \
  Y (MULTICASTS, 2, 12, COUNT_MULTICASTS) \
  Y (MULTICAST_PES, 2, 4, COUNT_MULTICAST_PES) \
  Z (SEND_PARTNER, 2, 4, COUNT_EXCHANGED_SENDS, send_partner) \
  Z (SEND_TAG, 2, 4, COUNT_EXCHANGED_SENDS, send_tag) \
  Z (SEND_COMM, 2, 4, COUNT_EXCHANGED_SENDS, send_comm) \
  Z (SEND_BLOCK, 2, 4, COUNT_EXCHANGED_SENDS, send_block) \
  Z (SEND_REQUEST, 2, 4, COUNT_SEND_REQUESTS, send_request) \
  Z (RECEIVE_TIME, 2, KYMO_SEGMENT_TIME, COUNT_RECEIVES, receive_time) \
  Z (RECEIVE_PARTNER, 2, 4, COUNT_RECEIVES, receive_partner) \
  Z (RECEIVE_TAG, 2, 4, COUNT_RECEIVES, receive_tag) \
  Z (RECEIVE_COMM, 2, 4, COUNT_RECEIVES, receive_comm) \
  Z (RECEIVE_BYTES, 2, 4, COUNT_RECEIVES, receive_bytes) \
  Z (RECEIVE_BLOCK, 2, 4, COUNT_RECEIVES, receive_block) \
  Z (RECEIVE_REQUEST, 2, 4, COUNT_RECEIVE_REQUESTS, receive_request) \
  X (ASIDE_TIME, 2, KYMO_SEGMENT_TIME, COUNT_ASIDES, aside_time) \
  X (ASIDE_BLOCK, 2, 4, COUNT_ASIDES, aside_block) \
  X (ASIDE_NUMBER, 2, 4, COUNT_ASIDES, aside_number) \
  X (ASIDE_COMM, 2, 4, COUNT_ASIDES, aside_comm) \
  X (ASIDE_OP, 2, 1, COUNT_ASIDES, aside_op) \
  Y (POINTS, 3, 48, COUNT_POINTS) \
  Y (TEXT, 3, 1, COUNT_TEXT) \
  Y (STRETCHES, 3, 24, COUNT_STRETCHES)

#define KYMO_X(name, part, size, count, column) COLUMN_##name,
#define KYMO_Y(name, part, size, count) COLUMN_##name,
enum
{
  KYMO_SEGMENT_COLUMNS (KYMO_X, KYMO_Y, KYMO_X)
  N_COLUMNS,
};
#undef KYMO_X
#undef KYMO_Y

/**
 * KymoSegmentColumn:
 * @part: index of its part
 * @size: bytes of one, or %KYMO_SEGMENT_TIME
 * @count: index into the counts of an entry
 * @member: where KymoSegment points to it, or -1
 * @of_exchange: where its KymoExchange does
 */
typedef struct
{
  guint part;
  guint size;
  guint count;
  gssize member;
  gboolean of_exchange;
} KymoSegmentColumn;

extern const KymoSegmentColumn kymo_segment_columns[N_COLUMNS];

/* Places of a segment's columns and parts by the counts of its entry: offsets from the first
   byte. */
typedef struct
{
  guint64 column[N_COLUMNS + 1];
  guint64 part[KYMO_N_PARTS + 1];
  guint   n_levels;
  guint   n_nodes[KYMO_PYRAMID_MAX_LEVELS];
} KymoSegmentLayout;

gsize     kymo_segment_column_size (const KymoSegmentEntry *entry,
                                   guint                   index);
gboolean  kymo_segment_layout     (const KymoSegmentEntry *entry,
                                   guint64                 n_metrics,
                                   KymoSegmentLayout      *layout);
gboolean  kymo_segment_check      (const KymoSegmentEntry  *entry,
                                   const KymoSegmentLayout *layout,
                                   const guint8            *bytes,
                                   KymoSegmentPart          part,
                                   guint                    n_states);
GByteArray *kymo_segment_origin_pack (const KymoRun         *run);
GVariant *kymo_run_table_pack     (const KymoRun           *run);
gboolean  kymo_run_table_unpack   (KymoRun                 *run,
                                   GVariant                *table);
GVariant *kymo_definitions_pack   (const KymoDefinitions   *definitions);
gboolean  kymo_definitions_unpack (GVariant                *packed,
                                   KymoRun                 *run);

/**
 * kymo_segment_aligned:
 * @n_bytes: a length
 *
 * Returns: the length, rounded up to a multiple of %KYMO_SEGMENT_ALIGN
 */
static inline guint64
kymo_segment_aligned (guint64 n_bytes)
{
  return (n_bytes + KYMO_SEGMENT_ALIGN - 1) & ~(guint64) (KYMO_SEGMENT_ALIGN - 1);
}

G_END_DECLS
