/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of the writer of archives needs MPI: kymo-archive-mpi.c is compiled once for each MPI. It
 * calls PMPI functions alone, between MPI_Init and PMPI_Finalize; who calls sees to it that these
 * calls are not recorded.
 */
#pragma once

#include <mpi.h>

#include "kymo-archive.h"

/**
 * kymo_archive_world_init_mpi:
 * @world: (out): all processes of @comm
 * @comm: where the recorder's own communicator with the ranks of MPI_COMM_WORLD stands; it stays
 *   there until @world is no more used
 *
 * Returns: FALSE if MPI gave no answer
 */
bool kymo_archive_world_init_mpi (KymoArchiveWorld *world,
                                  MPI_Comm         *comm);
