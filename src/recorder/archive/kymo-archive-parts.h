/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What writing in MPI_Finalize and writing afterwards share: processes whose events this program
 * writes, and the archive that they and those of other programs make together.
 */
#pragma once

#include "kymo-archive-out.h"

/**
 * KymoArchivePart: a process whose raw folder this program reads
 * @index: of its table on rank 0
 * @is_good: it has definitions and a clock
 * @first_ns: clock of day, when the first process of its world began
 */
typedef struct
{
  KymoArchiveProcess process;
  KymoArchiveTable   table;
  uint32_t           index;
  bool               is_good;
  uint64_t           first_ns;
} KymoArchivePart;

/**
 * KymoArchiveJob: an archive in the making
 * @parts: (element-type KymoArchivePart): of this program
 * @merge: on rank 0 the definitions of all
 * @definition_bytes: of a chunk of definitions, the same on all ranks
 * @kept: by location a byte that says whether its events are written; empty = all
 * @choice: (nullable): on rank 0 how they were chosen
 */
typedef struct
{
  KymoArchiveWorld *world;
  const char       *out;
  KymoArchiveTell   tell;
  void             *data;
  KymoArchiveBytes  parts;
  KymoArchiveMerge  merge;
  uint64_t          definition_bytes;
  KymoArchiveBytes  kept;
  struct KymoArchiveChoice *choice;
} KymoArchiveJob;

KymoArchivePart *kymo_archive_job_add_part   (KymoArchiveJob *job,
                                              const char     *folder);
void             kymo_archive_job_add_folders (KymoArchiveJob *job,
                                              const char     *folder,
                                              const char     *own);
void             kymo_archive_job_take_tables (KymoArchiveJob *job);
bool             kymo_archive_job_has_room   (const KymoArchiveJob *job);
bool             kymo_archive_job_write      (KymoArchiveJob *job);
void             kymo_archive_job_clear      (KymoArchiveJob *job);
