/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MPI I/O. What MPI itself does to the file is not recorded as well: those calls happen inside.
 */
#include "kymo-mpi.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PARADIGM_MPI_IO 2       /* of a handle, as the raw format counts */

static KymoMpiMap handles, paths;

static KymoMpiFile *
find_file (MPI_File file)
{
  return kymo_mpi_map_get (&handles, KYMO_HANDLE (file));
}

/* The id of a path, defined if need be. */
static uint32_t
define_path (const char *path)
{
  uint64_t hash = 0xcbf29ce484222325u;
  char *full = NULL;

  /* A prefix such as ufs: says how MPI is to treat the file. */
  const char *colon = strchr (path, ':');
  if (colon != NULL && colon > path + 1 && memchr (path, '/', (size_t) (colon - path)) == NULL)
    path = colon + 1;
  full = kymo_mpi_scratch (2, PATH_MAX);
  if (full != NULL && realpath (path, full) != NULL)
    path = full;
  for (const char *at = path; *at != '\0'; at++)
    hash = (hash ^ (unsigned char) *at) * 0x100000001b3u;
  uintptr_t known = (uintptr_t) kymo_mpi_map_get (&paths, hash);
  if (known != 0)
    return (uint32_t) known - 1;
  uint32_t id = kymo_rec_next_id (KYMO_REC_FILE);
  kymo_rec_define ("file", "us", id, path);
  kymo_mpi_map_set (&paths, hash, (void *) ((uintptr_t) id + 1));
  return id;
}

static unsigned
access_mode (int mode)
{
  return mode & MPI_MODE_RDWR ? OTF2_IO_ACCESS_MODE_READ_WRITE
         : mode & MPI_MODE_WRONLY ? OTF2_IO_ACCESS_MODE_WRITE_ONLY : OTF2_IO_ACCESS_MODE_READ_ONLY;
}

/**
 * kymo_mpi_file_add: a file was opened.
 * @comm: by whose processes
 * @path: as MPI_File_open() got it
 * @mode: MPI_MODE flags
 */
void
kymo_mpi_file_add (KymoRecThread *thread,
                   MPI_File       handle,
                   MPI_Comm       comm,
                   const char    *path,
                   int            mode)
{
  KymoMpiFile *file = kymo_rec_arena (sizeof *file);

  if (file == NULL)
    return;
  uint32_t path_id = define_path (path);
  file->id = kymo_rec_next_id (KYMO_REC_HANDLE);
  uint32_t comm_id = kymo_mpi_comm (comm)->id;
  if (comm_id == KYMO_MPI_FOREIGN)
    kymo_rec_define ("handle", "uuiss", file->id, path_id, PARADIGM_MPI_IO, "-", "");
  else
    kymo_rec_define ("handle", "uuius", file->id, path_id, PARADIGM_MPI_IO, comm_id, "");
  if (mode & (MPI_MODE_RDWR | MPI_MODE_WRONLY))
    kymo_rec_define ("written", "uU", path_id, UINT64_C (0));
  kymo_mpi_map_set (&handles, KYMO_HANDLE (handle), file);
  KymoRawCell *cell = kymo_rec_reserve (thread, 2);
  if (cell == NULL)
    return;
  cell->small = (uint16_t) access_mode (mode);
  cell->arg = file->id;
  cell->time = kymo_rec_now ();
  kymo_rec_words (cell, 1)->i = (mode & MPI_MODE_CREATE ? OTF2_IO_CREATION_FLAG_CREATE : 0)
                                | (mode & MPI_MODE_EXCL ? OTF2_IO_CREATION_FLAG_EXCLUSIVE : 0)
                                | (mode & MPI_MODE_UNIQUE_OPEN ? OTF2_IO_CREATION_FLAG_UNIQUE : 0);
  kymo_rec_words (cell, 1)->j = (mode & MPI_MODE_APPEND ? OTF2_IO_STATUS_FLAG_APPEND : 0)
                                | (mode & MPI_MODE_DELETE_ON_CLOSE
                                   ? OTF2_IO_STATUS_FLAG_DELETE_ON_CLOSE : 0);
  kymo_rec_commit (cell, KYMO_RAW_IO_OPEN);
}

/**
 * kymo_mpi_file_gone: a file is about to be closed.
 */
void
kymo_mpi_file_gone (KymoRecThread *thread,
                    MPI_File       handle)
{
  KymoMpiFile *file = kymo_mpi_map_take (&handles, KYMO_HANDLE (handle));
  KymoRawCell *cell = file != NULL ? kymo_rec_reserve (thread, 1) : NULL;

  if (cell == NULL)
    return;
  cell->arg = file->id;
  cell->time = kymo_rec_now ();
  kymo_rec_commit (cell, KYMO_RAW_IO_CLOSE);
}

/**
 * kymo_mpi_file_deleted: a file was deleted.
 * @path: as MPI_File_delete() got it
 */
void
kymo_mpi_file_deleted (KymoRecThread *thread,
                       const char    *path)
{
  uint32_t id = define_path (path);
  KymoRawCell *cell = kymo_rec_reserve (thread, 1);

  if (cell == NULL)
    return;
  cell->small = PARADIGM_MPI_IO;
  cell->arg = id;
  cell->time = kymo_rec_now ();
  kymo_rec_commit (cell, KYMO_RAW_IO_DELETE);
}

/**
 * kymo_mpi_file_seek: a file pointer was moved.
 * @offset: in units of the file's view
 * @whence: MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END
 * @shared: whether it is the shared one
 */
void
kymo_mpi_file_seek (KymoRecThread *thread,
                    MPI_File       handle,
                    int64_t        offset,
                    int            whence,
                    bool           shared)
{
  const KymoMpiFile *file = find_file (handle);
  MPI_Offset now = 0;

  if (file == NULL)
    return;
  if (shared)
    PMPI_File_get_position_shared (handle, &now);
  else
    PMPI_File_get_position (handle, &now);
  KymoRawCell *cell = kymo_rec_reserve (thread, 2);
  if (cell == NULL)
    return;
  cell->small = whence == MPI_SEEK_CUR ? OTF2_IO_SEEK_FROM_CURRENT
                : whence == MPI_SEEK_END ? OTF2_IO_SEEK_FROM_END : OTF2_IO_SEEK_FROM_START;
  cell->arg = file->id;
  cell->time = kymo_rec_now ();
  kymo_rec_words (cell, 1)->a = (uint64_t) offset;
  kymo_rec_words (cell, 1)->b = (uint64_t) now;
  kymo_rec_commit (cell, KYMO_RAW_IO_SEEK);
}

/**
 * kymo_mpi_file_begin: data are about to be read or written.
 * @mode: an OTF2_IoOperationMode
 * @flags: OTF2_IoOperationFlag
 * @n_bytes: asked for
 *
 * Returns: a number for kymo_mpi_file_end()
 */
uint64_t
kymo_mpi_file_begin (KymoRecThread *thread,
                     MPI_File       handle,
                     int            mode,
                     int            flags,
                     int64_t        n_bytes)
{
  const KymoMpiFile *file = find_file (handle);
  KymoRawCell *cell = file != NULL ? kymo_rec_reserve (thread, 3) : NULL;

  if (cell == NULL)
    return 0;
  uint64_t id = kymo_rec_unique_id (thread);
  cell->small = (uint16_t) mode;
  cell->arg = file->id;
  cell->time = kymo_rec_now ();
  kymo_rec_words (cell, 1)->i = flags;
  kymo_rec_words (cell, 1)->n = (uint64_t) n_bytes;
  kymo_rec_words (cell, 2)->a = id;
  kymo_rec_commit (cell, KYMO_RAW_IO_BEGIN);
  return id;
}

/**
 * kymo_mpi_file_end: data were read or written.
 * @id: from kymo_mpi_file_begin()
 * @status: (nullable): tells how much
 */
void
kymo_mpi_file_end (KymoRecThread    *thread,
                   MPI_File          handle,
                   uint64_t          id,
                   const MPI_Status *status)
{
  const KymoMpiFile *file = find_file (handle);
  KymoRawCell *cell = file != NULL && id != 0 ? kymo_rec_reserve (thread, 2) : NULL;

  if (cell == NULL)
    return;
  cell->arg = file->id;
  cell->time = kymo_rec_now ();
  kymo_rec_words (cell, 1)->a = status != NULL ? (uint64_t) kymo_mpi_received (status) : 0;
  kymo_rec_words (cell, 1)->b = id;
  kymo_rec_commit (cell, KYMO_RAW_IO_END);
}

/**
 * kymo_mpi_file_request: an operation whose end is seen by a request.
 * @id: from kymo_mpi_file_begin()
 */
KymoMpiRequest
kymo_mpi_file_request (MPI_File handle,
                       uint64_t id)
{
  const KymoMpiFile *file = find_file (handle);

  return (KymoMpiRequest) {
    .kind = file != NULL && id != 0 ? KYMO_MPI_FILE_IO : KYMO_MPI_NOTHING, .id = id,
    .target = file != NULL ? file->id : 0, .active = true,
  };
}

/**
 * kymo_mpi_file_split: keeps the number of an operation that has two calls; MPI allows one for
 * each file at a time.
 * @id: from kymo_mpi_file_begin()
 */
void
kymo_mpi_file_split (MPI_File handle,
                     uint64_t id)
{
  KymoMpiFile *file = find_file (handle);

  if (file != NULL)
    file->split_id = id;
}

/**
 * kymo_mpi_file_join: the second call of it has returned.
 * @status: tells how much was read or written
 */
void
kymo_mpi_file_join (KymoRecThread    *thread,
                    MPI_File          handle,
                    const MPI_Status *status)
{
  const KymoMpiFile *file = find_file (handle);

  if (file != NULL)
    kymo_mpi_file_end (thread, handle, file->split_id, status);
}
