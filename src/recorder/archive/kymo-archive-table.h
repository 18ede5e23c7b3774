/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rank 0 tells each process after the definitions are merged: the numbers that its things
 * have in the archive.
 */
#pragma once

#include "kymo-archive-pool.h"

/** KymoArchiveKind: kinds of things that processes number themselves */
typedef enum
{
  KYMO_ARCHIVE_REGIONS,
  KYMO_ARCHIVE_COMMS,
  KYMO_ARCHIVE_GROUPS,          /* by communicator: the group of its members */
  KYMO_ARCHIVE_WINS,
  KYMO_ARCHIVE_FILES,
  KYMO_ARCHIVE_HANDLES,
  KYMO_ARCHIVE_CLASSES,
  KYMO_ARCHIVE_N_KINDS
} KymoArchiveKind;

/** KymoArchiveInstance: samples of a class in file system-N have a number of their own */
typedef struct
{
  uint32_t n;
  uint32_t metric_class;        /* as the process numbers it */
  uint32_t metric;              /* in the archive */
} KymoArchiveInstance;

/**
 * KymoArchiveTable:
 * @first_location: of the process; those of its other files follow, in the order of
 *   KymoArchiveProcess.files
 * @definition_bytes: chunks of definitions; the same for all processes
 * @program: a string
 * @team: the communicator of its threads, or %KYMO_ARCHIVE_NONE
 * @ids: (element-type uint32_t): by local id the number in the archive plus one, 0 = none
 * @instances: (element-type KymoArchiveInstance): all
 */
typedef struct
{
  uint64_t first_location;
  uint64_t definition_bytes;
  uint32_t program;
  uint32_t team;
  KymoArchiveBytes ids[KYMO_ARCHIVE_N_KINDS];
  KymoArchiveBytes instances;
} KymoArchiveTable;

void     kymo_archive_table_set    (KymoArchiveTable       *table,
                                    KymoArchiveKind         kind,
                                    uint64_t                local,
                                    uint32_t                number);
void     kymo_archive_table_pack   (const KymoArchiveTable *table,
                                    KymoArchiveBytes       *bytes);
bool     kymo_archive_table_unpack (KymoArchiveTable       *table,
                                    const void             *bytes,
                                    size_t                  n_bytes);
void     kymo_archive_table_clear  (KymoArchiveTable       *table);

/* The number in the archive, or KYMO_ARCHIVE_NONE. */
static inline uint32_t
kymo_archive_table_get (const KymoArchiveTable *table,
                        KymoArchiveKind         kind,
                        uint32_t                local)
{
  const KymoArchiveBytes *ids = &table->ids[kind];

  return local < KYMO_ARCHIVE_COUNT (ids, uint32_t)
    ? KYMO_ARCHIVE_AT (ids, uint32_t)[local] - 1 : KYMO_ARCHIVE_NONE;
}
