/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the library for programs without MPI has of its own.
 */
#include "kymo-rec.h"

/**
 * kymo_rec_fits: always.
 */
bool
kymo_rec_fits (void)
{
  return true;
}

/**
 * kymo_rec_mpi_is_linked: no.
 */
bool
kymo_rec_mpi_is_linked (void)
{
  return false;
}
