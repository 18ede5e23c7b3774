/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads an event file (raw/kymo-raw.h), one chunk in memory at a time. The file may be torn, be
 * written to or hold anything: what does not look like a record ends its chunk and is counted.
 */
#pragma once

#include "kymo-raw.h"
#include "kymo-archive-pool.h"

/**
 * KymoArchiveEvents: an open event file
 * @order: (element-type KymoArchiveChunk): chunks that hold something, in the order in which they
 *   were written
 * @n_damaged: chunks that end with what is no record, or begin with none
 * @n_lost: chunks that were used again, or are not there
 */
typedef struct
{
  int              fd;
  KymoRawHeader    header;
  KymoArchiveBytes order;
  uint64_t         n_damaged;
  uint64_t         n_lost;
} KymoArchiveEvents;

/**
 * KymoArchiveVisit:
 * @cell: a record
 * @words: the cells after it: as many as its type has at least; two may be read in any case
 * @data: as it was given
 *
 * Returns: FALSE to read no more
 */
typedef bool (*KymoArchiveVisit) (const KymoRawCell  *cell,
                                  const KymoRawWords *words,
                                  void               *data);

const char *kymo_archive_events_open  (KymoArchiveEvents *events,
                                       const char        *path);
bool        kymo_archive_events_read  (KymoArchiveEvents *events,
                                       KymoArchiveVisit   visit,
                                       void              *data);
void        kymo_archive_events_skip  (KymoArchiveEvents *events,
                                       uint64_t           begin);
void        kymo_archive_events_close (KymoArchiveEvents *events);
