/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes an OTF2 archive from the raw folders of processes (raw/kymo-raw.h).
 *
 * In a program each rank has its own folder, and all ranks write together, in MPI_Finalize
 * before PMPI_Finalize (kymo_archive_write()). After a run that died one program writes alone
 * what all folders hold (kymo_archive_recover()). Both make FOLDER/traces.otf2, FOLDER/traces.def
 * and FOLDER/traces/; the anchor traces.otf2 is written last, so an archive with an anchor is
 * whole. Raw folders are only read: who calls removes them.
 *
 * Plain C. Memory comes from malloc() and is freed before the functions return. They write
 * nothing to stdout and stderr, end no process, leave signal handlers alone, and never raise
 * SIGXFSZ: whether there is room for the archive is asked before it is begun. One thread calls.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * KymoArchiveTell:
 * @sentence: what is missing in the archive or why there is none: one sentence, with its full stop
 * @data: as it was given
 */
typedef void (*KymoArchiveTell) (const char *sentence,
                                 void       *data);

/**
 * KymoArchiveWorld: the processes that write one archive together
 * @rank: of this process among them
 * @size: how many they are
 * @send: sends bytes to another rank; returns once they may be changed. FALSE if it failed.
 * @receive: waits for bytes from another rank; the caller frees them. NULL if it failed.
 * @agree: collective: TRUE on all ranks if @good is TRUE on all of them
 * @prepare: collective: sets the collective callbacks of @archive, an OTF2_Archive
 * @data: of these functions
 *
 * Ranks are those of MPI_COMM_WORLD. kymo_archive_world_init_serial() makes one of a single
 * process, kymo_archive_world_init_mpi() one of all processes of a communicator.
 */
typedef struct KymoArchiveWorld KymoArchiveWorld;

struct KymoArchiveWorld
{
  int    rank;
  int    size;
  bool (*send)    (KymoArchiveWorld *world,
                   int               peer,
                   const void       *bytes,
                   size_t            n_bytes);
  void *(*receive) (KymoArchiveWorld *world,
                   int               peer,
                   size_t           *n_bytes);
  bool (*agree)   (KymoArchiveWorld *world,
                   bool              good);
  bool (*prepare) (KymoArchiveWorld *world,
                   void             *archive);
  void  *data;
};

/**
 * kymo_archive_world_init_serial:
 * @world: (out): a world of this process alone, which needs no clearing
 */
void kymo_archive_world_init_serial (KymoArchiveWorld *world);

/**
 * kymo_archive_write:
 * @world: the processes that write; all of them call this function
 * @folder: the folder of the run, the same for all ranks; exists
 * @process_folder: this process's raw folder. Its event files may still be mapped and its
 *   definitions open, but nothing may be added while this function runs
 * @keep: (nullable): which locations' events are written, the same on all ranks: those that stand
 *   for all, so many (26, 10%), or the fewest within an error (error:2%). The others have an event
 *   file without events; traces.kymo says what the written ones stand for, and tauprofile.xml is
 *   the profile of all. NULL = all
 * @tell: (nullable): hears what is missing, on the rank that knows, and on rank 0 why there is
 *   no archive
 * @data: for @tell
 *
 * Writes the archive of all ranks, and of folders in @folder/raw that belong to no rank (an
 * agent on another host). Calls that are still open end when their process last read its clock,
 * or where recording stopped, and are marked; those of MPI_Finalize are not told of.
 *
 * Returns: TRUE on all ranks if the archive is whole: then raw folders are of no more use. FALSE
 *   on all ranks otherwise: nothing is left of the archive, and kymo_archive_recover() can be
 *   tried later, for example on a larger disk. A program that itself has an OTF2 archive of
 *   this name open is not disturbed.
 */
bool kymo_archive_write (KymoArchiveWorld *world,
                         const char       *folder,
                         const char       *process_folder,
                         const char       *keep,
                         KymoArchiveTell   tell,
                         void             *data);

/**
 * kymo_archive_may_keep:
 * @text: how many locations are to be kept
 *
 * Returns: whether kymo_archive_write() understands it: 26, 10% or error:2%
 */
bool kymo_archive_may_keep (const char *text);

/**
 * kymo_archive_recover:
 * @folder: the folder of a run, with raw/HOST.PID/ in it
 * @out: (nullable): where the archive goes, made if need be; NULL = @folder
 * @tell: (nullable): hears what is missing, one sentence each, and why there is no archive
 * @data: for @tell
 *
 * Writes the archive of a run whose processes are gone, from whatever is in its raw folders.
 *
 * Returns: TRUE if there is an archive now; FALSE if @folder has no raw folders, has an archive
 *   already, or there is no room for one
 */
bool kymo_archive_recover (const char      *folder,
                           const char      *out,
                           KymoArchiveTell  tell,
                           void            *data);
