/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An event file that is being read: kymo-record-events.c finds its records, and
 * kymo-record-calls.c hands them to the stream of a location.
 */
#pragma once

#include "kymo-raw.h"
#include "kymo-record.h"

G_BEGIN_DECLS

/** KymoRecordChunk: where a chunk is in its file */
typedef struct
{
  guint64 sequence;
  gint64  offset;
} KymoRecordChunk;

/**
 * KymoRecordEvents: an event file that is being read
 * @is_swapped: its numbers have another byte order
 * @chunks: (element-type KymoRecordChunk): in the order in which they were written
 * @next: of @chunks
 * @cells: the chunk that is looked at, @n of them
 * @open: (element-type guint32): the regions that are open, as the process numbers them
 * @is_joining: the chunk does not continue the one before, and tells what is open
 * @last_ns: of the last record
 */
typedef struct
{
  KymoRecord           *record;
  KymoRecordFile       *file;
  KymoOtf2Stream       *stream;
  const KymoOtf2Events *calls;
  int                   fd;
  KymoRawHeader         header;
  gboolean              is_swapped;
  GArray               *chunks;
  guint                 next;
  KymoRawCell          *cells;
  guint                 n, at;
  GArray               *open;
  gboolean              is_joining;
  guint64               last_ns;
} KymoRecordEvents;

void kymo_record_take (KymoRecordEvents  *events,
                       const KymoRawCell *cell);
void kymo_record_end   (KymoRecordEvents *events);
void kymo_record_settle_markers (KymoOtf2Reading *reading);
void kymo_record_report (KymoOtf2Reading *reading);

G_END_DECLS
