/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The world of a probe as MPI knows it. Who waits for all sleeps in between.
 */
#include <mpi.h>

#include "kymo-probe.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

#define NAP_NS 200000

static void
wait_for (MPI_Request request)
{
  int is_done = 0;

  for (MPI_Test (&request, &is_done, MPI_STATUS_IGNORE); !is_done;
       MPI_Test (&request, &is_done, MPI_STATUS_IGNORE))
    nanosleep (&(struct timespec) { 0, NAP_NS }, NULL);
}

/* Of those that share memory; tests make several nodes of one. */
static MPI_Comm
make_node (int rank)
{
  const char *size = getenv ("KYMO_RECORD_PROBE_NODE_SIZE");
  MPI_Comm whole, part;
  int n = size != NULL ? atoi (size) : 0, number;

  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &whole);
  if (n <= 0)
    return whole;
  MPI_Comm_rank (whole, &number);
  MPI_Comm_split (whole, number / n, rank, &part);
  MPI_Comm_free (&whole);
  return part;
}

/* Nodes are numbered by their first ranks. */
static void
find_node (KymoProbeWorld *world)
{
  MPI_Comm node = make_node (world->rank), firsts;

  MPI_Comm_rank (node, &world->node_rank);
  MPI_Comm_size (node, &world->node_size);
  MPI_Comm_split (MPI_COMM_WORLD, world->node_rank == 0 ? 0 : MPI_UNDEFINED, world->rank, &firsts);
  if (firsts != MPI_COMM_NULL)
    {
      MPI_Comm_rank (firsts, &world->node);
      MPI_Comm_size (firsts, &world->n_nodes);
      MPI_Comm_free (&firsts);
    }
  MPI_Bcast (&world->node, 1, MPI_INT, 0, node);
  MPI_Bcast (&world->n_nodes, 1, MPI_INT, 0, node);
  MPI_Comm_free (&node);
}

/** kymo_probe_begin: starts MPI and finds the world */
void
kymo_probe_begin (int             *argc,
                  char          ***argv,
                  KymoProbeWorld  *world)
{
  MPI_Init (argc, argv);
  *world = (KymoProbeWorld) {
#ifdef OPEN_MPI
    .mpi = "Open MPI",
#else
    .mpi = "MPICH",
#endif
  };
  MPI_Comm_rank (MPI_COMM_WORLD, &world->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &world->size);
  find_node (world);
}

/**
 * kymo_probe_end: ends MPI; then every rank must end its program at once.
 *
 * MPICH 4.0 over UCX was seen to wait for ever in MPI_Finalize of two nodes, in every other probe:
 * one rank has ended its connections and no longer answers, while another ends its own. So there
 * all come to this place and leave without it.
 */
void
kymo_probe_end (const KymoProbeWorld *world)
{
#ifndef OPEN_MPI
  if (world->n_nodes > 1)
    {
      kymo_probe_barrier ();
      return;
    }
#else
  (void) world;
#endif
  MPI_Finalize ();
}

/** kymo_probe_barrier: all ranks have come here */
void
kymo_probe_barrier (void)
{
  MPI_Request request;

  MPI_Ibarrier (MPI_COMM_WORLD, &request);
  wait_for (request);
}

/** kymo_probe_gather: @all gets on rank 0 the @n_bytes of @own of each rank */
void
kymo_probe_gather (const void *own,
                   size_t      n_bytes,
                   void       *all)
{
  kymo_probe_barrier ();
  MPI_Gather (own, (int) n_bytes, MPI_BYTE, all, (int) n_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/** kymo_probe_share: gives @data of rank 0 to all */
void
kymo_probe_share (void   *data,
                  size_t  n_bytes)
{
  size_t done = 0;

  kymo_probe_barrier ();
  while (done < n_bytes)
    {
      size_t more = n_bytes - done < INT_MAX ? n_bytes - done : INT_MAX;

      MPI_Bcast ((char *) data + done, (int) more, MPI_BYTE, 0, MPI_COMM_WORLD);
      done += more;
    }
}

/** kymo_probe_send: @n_bytes to another rank, which receives them */
void
kymo_probe_send (int         rank,
                 const void *data,
                 size_t      n_bytes)
{
  MPI_Send (data, (int) n_bytes, MPI_BYTE, rank, 0, MPI_COMM_WORLD);
}

/** kymo_probe_receive: @n_bytes of another rank */
void
kymo_probe_receive (int     rank,
                    void   *data,
                    size_t  n_bytes)
{
  MPI_Recv (data, (int) n_bytes, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
