/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An OTF2 archive in the making, through the library of that format. The library prints nothing:
 * its first failure is kept and nothing is written after it. Before it writes, this asks whether
 * there is room, because the library does not survive a full disk.
 */
#pragma once

#include <otf2/otf2.h>

#include "kymo-archive-measure.h"
#include "kymo-archive-merge.h"
#include "kymo-archive-process.h"

/**
 * KymoArchiveOut:
 * @folder: where the archive goes
 * @most_bytes: the most that one of its files is made of
 * @kept: (nullable): by location, whether its events are written; NULL = all
 */
typedef struct
{
  const char    *folder;
  const uint8_t *kept;
  OTF2_Archive  *archive;
  OTF2_ErrorCode code;
  uint64_t       most_bytes;
  bool           is_full;       /* the disk was, or a file would grow too large */
} KymoArchiveOut;

/** Parameters in the archive: how many calls, the innermost first, lack their begin or their end */
enum
{
  KYMO_ARCHIVE_NO_BEGIN,
  KYMO_ARCHIVE_NO_END,
  KYMO_ARCHIVE_N_PARAMETERS,
};

/** KymoArchiveMarker: on the clock of rank 0; @region is its text, in the archive */
typedef struct
{
  uint64_t ns, location;
  uint32_t region;
} KymoArchiveMarker;

/** KymoArchiveTraffic: @from and @to are ranks of one world, as many of its communicators have */
typedef struct
{
  uint32_t comm, from, to;
} KymoArchiveTraffic;

/**
 * KymoArchiveResult: what a process learned while its events were written
 * @n_events: (element-type uint64_t): by location of the process
 * @traffic: a pool of #KymoArchiveTraffic
 * @sent, @received: (element-type uint64_t): messages, by number in @traffic
 * @markers: (element-type KymoArchiveMarker)
 * @n_open: calls that were closed at the end
 * @n_cut: calls that lack their begin or their end, those at the end among them
 * @n_unknown: records that name what is not defined, or with an impossible time
 * @n_unopened: ends of calls that are not open
 */
typedef struct
{
  KymoArchiveBytes n_events;
  KymoArchivePool  traffic;
  KymoArchiveBytes sent, received;
  KymoArchiveBytes markers;
  uint64_t         n_open, n_cut, n_unknown, n_unopened;
} KymoArchiveResult;

/** KymoArchiveTransfer: those of one target may share their id in raw files, not in the archive */
typedef struct
{
  uint64_t id, own;
} KymoArchiveTransfer;

/**
 * KymoArchiveStream: events of one location in the making
 * @open: (element-type uint32_t): regions that are open, as the process numbers them
 * @expected: (element-type uint32_t): those that a chunk after a gap begins with
 * @transfers: (element-type KymoArchiveTransfer): one-sided ones that are not complete
 * @n_transfers: how many got an id of their own
 * @sequence: of the last chunk, 0 = none
 * @is_gap: the chunk that begins follows a gap
 * @measure: (nullable): measures instead of writing; then @out is not looked at
 */
typedef struct
{
  KymoArchiveOut           *out;
  const KymoArchiveProcess *process;
  const KymoArchiveTable   *table;
  KymoArchiveResult        *result;
  const KymoArchiveFile    *file;
  uint64_t                  location;
  OTF2_EvtWriter           *writer;
  KymoArchiveBytes          open, expected, transfers;
  uint64_t                  n_transfers;
  uint64_t                  last_ns, sequence;
  bool                      is_gap;
  KymoArchiveMeasure       *measure;
} KymoArchiveStream;

/* kymo-archive-out.c */
bool kymo_archive_out_may_write  (uint64_t              n_bytes);
bool kymo_archive_out_has_room   (const char           *folder,
                                  uint64_t              n_bytes);
bool kymo_archive_out_open       (KymoArchiveOut       *out,
                                  KymoArchiveWorld     *world,
                                  uint64_t              definition_bytes);
bool kymo_archive_out_close      (KymoArchiveOut       *out);
void kymo_archive_out_remove     (const char           *folder);
/* kymo-archive-process-out.c */
void kymo_archive_out_write_events (KymoArchiveOut     *out,
                                  const KymoArchiveProcess *process,
                                  const KymoArchiveTable *table,
                                  KymoArchiveResult    *result);
void kymo_archive_out_write_empty (KymoArchiveOut      *out,
                                  uint64_t              location,
                                  uint64_t              ns,
                                  uint32_t              program);
bool kymo_archive_out_measure    (const KymoArchiveProcess *process,
                                  const KymoArchiveTable *table,
                                  size_t                i,
                                  KymoArchiveMeasure   *measure);
void kymo_archive_out_write_offsets (KymoArchiveOut    *out,
                                  const KymoArchiveProcess *process,
                                  uint64_t              first);
void kymo_archive_result_pack    (const KymoArchiveResult *result,
                                  KymoArchiveBytes     *bytes);
bool kymo_archive_result_add     (KymoArchiveResult    *all,
                                  const void           *packed,
                                  size_t                n_bytes);
uint64_t kymo_archive_result_get_halves (const KymoArchiveResult *all);
void kymo_archive_result_clear   (KymoArchiveResult    *result);
/* kymo-archive-stream.c */
bool kymo_archive_stream_record  (const KymoRawCell    *cell,
                                  const KymoRawWords   *words,
                                  void                 *data);
void kymo_archive_stream_end     (KymoArchiveStream    *stream);
/* kymo-archive-stream-mpi.c; FALSE if the record is of no such type */
bool kymo_archive_stream_message (KymoArchiveStream    *stream,
                                  uint64_t              ns,
                                  const KymoRawCell    *cell,
                                  const KymoRawWords   *words);
bool kymo_archive_stream_collective (KymoArchiveStream *stream,
                                  uint64_t              ns,
                                  const KymoRawCell    *cell,
                                  const KymoRawWords   *words);
bool kymo_archive_stream_one_sided (KymoArchiveStream  *stream,
                                  uint64_t              ns,
                                  const KymoRawCell    *cell,
                                  const KymoRawWords   *words);
/* kymo-archive-stream-io.c; FALSE if the record is of no such type */
bool kymo_archive_stream_io      (KymoArchiveStream    *stream,
                                  uint64_t              ns,
                                  const KymoRawCell    *cell,
                                  const KymoRawWords   *words);
bool kymo_archive_stream_thread  (KymoArchiveStream    *stream,
                                  uint64_t              ns,
                                  const KymoRawCell    *cell,
                                  const KymoRawWords   *words);
/* kymo-archive-definitions.c */
void kymo_archive_out_write_definitions (KymoArchiveOut *out,
                                  const KymoArchiveMerge *merge,
                                  const KymoArchiveResult *all);

static inline bool
kymo_archive_out_keeps (const KymoArchiveOut *out,
                        uint64_t              location)
{
  return out->kept == NULL || out->kept[location] != 0;
}

/* Keeps the first failure of the library. */
static inline bool
kymo_archive_out_note (KymoArchiveOut *out,
                       OTF2_ErrorCode  code)
{
  if (code != OTF2_SUCCESS && out->code == OTF2_SUCCESS)
    out->code = code;
  return out->code == OTF2_SUCCESS;
}

/* The number in the archive; counted if there is none. */
static inline uint32_t
kymo_archive_stream_find (KymoArchiveStream *stream,
                          KymoArchiveKind    kind,
                          uint32_t           local)
{
  uint32_t number = kymo_archive_table_get (stream->table, kind, local);

  stream->result->n_unknown += number == KYMO_ARCHIVE_NONE;
  return number;
}
