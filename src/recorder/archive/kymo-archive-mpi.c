/* SPDX-License-Identifier: GPL-3.0-or-later */
#define OTF2_MPI_USE_PMPI
#include "kymo-archive-mpi.h"

#include <otf2/OTF2_MPI_Collectives.h>
#include <stdlib.h>

#define TAG 0x6b79
/* Counts of MPI have 31 bits. */
#define MOST_BYTES (1u << 30)

static bool
send_bytes (KymoArchiveWorld *world,
            int               peer,
            const void       *bytes,
            size_t            n_bytes)
{
  MPI_Comm comm = *(MPI_Comm *) world->data;
  unsigned long long n = n_bytes;
  const char *at = bytes;
  bool good = PMPI_Send (&n, 1, MPI_UNSIGNED_LONG_LONG, peer, TAG, comm) == MPI_SUCCESS;

  while (good && n_bytes > 0)
    {
      int part = n_bytes < MOST_BYTES ? (int) n_bytes : (int) MOST_BYTES;

      good = PMPI_Send (at, part, MPI_BYTE, peer, TAG, comm) == MPI_SUCCESS;
      at += part;
      n_bytes -= (size_t) part;
    }
  return good;
}

static void *
receive_bytes (KymoArchiveWorld *world,
               int               peer,
               size_t           *n_bytes)
{
  MPI_Comm comm = *(MPI_Comm *) world->data;
  unsigned long long n = 0;
  bool good = PMPI_Recv (&n, 1, MPI_UNSIGNED_LONG_LONG, peer, TAG, comm, MPI_STATUS_IGNORE)
    == MPI_SUCCESS;
  char *bytes = good ? malloc (n + 1) : NULL;

  *n_bytes = n;
  for (size_t got = 0; bytes != NULL && got < n;)
    {
      int part = n - got < MOST_BYTES ? (int) (n - got) : (int) MOST_BYTES;

      if (PMPI_Recv (bytes + got, part, MPI_BYTE, peer, TAG, comm, MPI_STATUS_IGNORE)
          != MPI_SUCCESS)
        {
          free (bytes);
          return NULL;
        }
      got += (size_t) part;
    }
  return bytes;
}

static bool
agree_all (KymoArchiveWorld *world,
           bool              good)
{
  int mine = good, all = 0;

  return PMPI_Allreduce (&mine, &all, 1, MPI_INT, MPI_MIN, *(MPI_Comm *) world->data)
    == MPI_SUCCESS && all;
}

static bool
prepare_collectives (KymoArchiveWorld *world,
                     void             *archive)
{
  return OTF2_MPI_Archive_SetCollectiveCallbacks (archive, *(MPI_Comm *) world->data,
                                                  MPI_COMM_NULL) == OTF2_SUCCESS;
}

bool
kymo_archive_world_init_mpi (KymoArchiveWorld *world,
                             MPI_Comm         *comm)
{
  *world = (KymoArchiveWorld) { 0, 1, send_bytes, receive_bytes, agree_all, prepare_collectives,
                                comm };
  return PMPI_Comm_rank (*comm, &world->rank) == MPI_SUCCESS
    && PMPI_Comm_size (*comm, &world->size) == MPI_SUCCESS;
}
