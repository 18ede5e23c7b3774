/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process as its raw folder tells it: who it is, its clock, its event files and what they hold.
 *
 * Its definitions and a summary of its event files travel to rank 0 as one text: the lines of
 * the definitions, and lines that begin with `=`, which a definitions file cannot have:
 *
 *   =span     BEGIN_NS END_NS          of all its records, in the clock of rank 0
 *   =real     REAL_NS MONO_NS          the two clocks at one moment, the latter that of rank 0
 *   =bytes    N                        of all records and definitions
 *   =file     KIND N TID               an event file that can be read: thread or system
 *   =metric   N CLASS                  file system-N has samples of that class
 *   =counter  CLASS                    a thread has samples of that class
 *   =open     HANDLE                   an I/O handle that is used and was never opened
 */
#pragma once

#include "kymo-raw.h"
#include "kymo-archive.h"
#include "kymo-archive-lines.h"

/** KymoArchiveMoment: one moment on two clocks, the second after the offset to rank 0 */
typedef struct
{
  uint64_t ticks;
  uint64_t mono_ns;
  uint64_t real_ns;
} KymoArchiveMoment;

/** KymoArchiveOffset: @delta_ns is added to a time of the node to get that of rank 0 */
typedef struct
{
  uint64_t mono_ns;
  int64_t  delta_ns;
} KymoArchiveOffset;

/**
 * KymoArchiveFile: an event file that can be read
 * @n: as in its name
 * @is_system: samples of a helper thread
 */
typedef struct
{
  uint32_t n;
  uint32_t tid;
  bool     is_system;
} KymoArchiveFile;

/** KymoArchiveMembers: world ranks of a communicator; @side: in which group the process is */
typedef struct
{
  KymoArchiveBytes ranks[2];
  unsigned         side;
} KymoArchiveMembers;

/**
 * KymoArchiveProcess:
 * @folder: path of its raw folder
 * @label: last part of that path
 * @text: the summary
 * @rank: in its world; -1 = it has none
 * @size: of its world
 * @moments: (element-type KymoArchiveMoment): by ticks
 * @offsets: (element-type KymoArchiveOffset): by time
 * @files: (element-type KymoArchiveFile): threads by number, then samples
 * @comms: (element-type KymoArchiveMembers): by local id
 * @wins: (element-type uint32_t): by local id its communicator
 * @values: (element-type uint8_t): by metric class, which has 256 of them: OTF2_Type
 * @has_stopped: recording stopped before the process ended
 * @begin_ns, @end_ns: of the records, on the clock of the node
 * @alive_ns: when it read its clock last, on the clock of the node
 * @largest_bytes: of the records of its largest file
 * @cancelled: (element-type uint64_t): ids of requests that were cancelled, ascending
 */
typedef struct
{
  char             *folder;
  const char       *label;
  KymoArchiveBytes  text;
  char             *host, *world;
  int64_t           rank;
  uint64_t          size;
  uint64_t          pid;
  bool              has_ended, has_stopped, is_monotonic, has_rate;
  KymoArchiveBytes  moments, offsets, files, comms, wins, values;
  uint64_t          begin_ns, end_ns, alive_ns;
  uint64_t          largest_bytes;
  KymoArchiveBytes  cancelled;
} KymoArchiveProcess;

bool        kymo_archive_process_open   (KymoArchiveProcess *process,
                                         const char         *folder,
                                         KymoArchiveTell     tell,
                                         void               *data);
void        kymo_archive_process_borrow_rate (KymoArchiveProcess       *process,
                                         const KymoArchiveProcess *other);
bool        kymo_archive_process_has_cancelled (const KymoArchiveProcess *process,
                                         uint64_t            request);
bool        kymo_archive_process_survey (KymoArchiveProcess *process,
                                         KymoArchiveTell     tell,
                                         void               *data);
void        kymo_archive_process_clear  (KymoArchiveProcess *process);
char       *kymo_archive_process_dup_path (const KymoArchiveProcess *process,
                                         const KymoArchiveFile    *file);
bool        kymo_archive_to_ns          (const KymoArchiveProcess *process,
                                         uint64_t            ticks,
                                         uint64_t           *ns);
uint64_t    kymo_archive_to_root        (const KymoArchiveProcess *process,
                                         uint64_t            ns);
void        kymo_archive_say            (KymoArchiveTell     tell,
                                         void               *data,
                                         const char         *format,
                                         ...) __attribute__ ((format (printf, 3, 4)));
