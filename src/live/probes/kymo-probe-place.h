/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a run was and how it was launched, as its environment tells
 * (docs/formats/environment.md). Any thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KymoProbePlace:
 * @launcher: as in the file, such as "Open MPI", "Slurm" or "none"
 * @mpi: the MPI library: "Open MPI", "MPICH" or "none"
 * @n_ranks: number of ranks; 1 without MPI
 * @hosts: (element-type utf8): names of the nodes; of a job as the job writes them
 * @counts: (element-type guint): ranks of each node; 0 where that is not known
 * @is_job: the nodes are part of the batch job that this program is in
 */
typedef struct
{
  char      *launcher, *mpi;
  guint      n_ranks;
  GPtrArray *hosts;
  GArray    *counts;
  gboolean   is_job;
} KymoProbePlace;

KymoProbePlace *kymo_probe_place_new     (const char      *folder,
                                          GError         **error);
void            kymo_probe_place_free    (KymoProbePlace  *place);
gboolean        kymo_probe_place_reach   (KymoProbePlace  *place,
                                          GError         **error);
char          **kymo_probe_place_dup_launch
                                         (KymoProbePlace  *place,
                                          GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoProbePlace, kymo_probe_place_free)

G_END_DECLS
