/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The world of a probe without MPI: one rank.
 */
#include "kymo-probe.h"

#include <string.h>

/** kymo_probe_begin: finds the world; changes nothing */
void
kymo_probe_begin (int             *argc,
                  char          ***argv,
                  KymoProbeWorld  *world)
{
  (void) argc;
  (void) argv;
  *world = (KymoProbeWorld) { .mpi = "none", .size = 1, .n_nodes = 1, .node_size = 1 };
}

/** kymo_probe_end: the last of all */
void
kymo_probe_end (const KymoProbeWorld *world)
{
  (void) world;
}

/** kymo_probe_barrier: all ranks have come here */
void
kymo_probe_barrier (void)
{
}

/** kymo_probe_gather: @all gets on rank 0 the @n_bytes of @own of each rank */
void
kymo_probe_gather (const void *own,
                   size_t      n_bytes,
                   void       *all)
{
  memcpy (all, own, n_bytes);
}

/** kymo_probe_share: gives @data of rank 0 to all */
void
kymo_probe_share (void   *data,
                  size_t  n_bytes)
{
  (void) data;
  (void) n_bytes;
}

/** kymo_probe_send: to another rank; there is none */
void
kymo_probe_send (int         rank,
                 const void *data,
                 size_t      n_bytes)
{
  (void) data;
  kymo_probe_die ("there is no rank %d for %zu bytes", rank, n_bytes);
}

/** kymo_probe_receive: from another rank; there is none */
void
kymo_probe_receive (int     rank,
                    void   *data,
                    size_t  n_bytes)
{
  (void) data;
  kymo_probe_die ("there is no rank %d with %zu bytes", rank, n_bytes);
}
