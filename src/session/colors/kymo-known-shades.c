/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of 20 calls of MPI a run makes, hashes would give several the same shade. So those that most
 * programs make have a place in a table: still by the name alone, the same in every run.
 */
#include "config.h"

#include "kymo-known-shades.h"

#include <string.h>

#include "kymo-hues.h"

/* Without "MPI_", in small letters. A place is a shade: new names go to the end. */
static const char *const known[KYMO_N_FAMILIES][KYMO_N_SHADES] = {
  [KYMO_FAMILY_COMMUNICATION] = {
    "send", "allreduce", "isend", "recv", "irecv", "bcast", "sendrecv", "reduce", "alltoall",
    "allgather", "gather", "scatter", "ssend", "alltoallv", "allgatherv", "cart_create",
    "comm_free", "comm_split" },
  [KYMO_FAMILY_WAITING] = {
    "waitall", "barrier", "wait", "collective_sync", "test", "probe", "iprobe", "waitany",
    "waitsome", "testall", "testany", "testsome", "win_fence", "win_lock", "win_unlock",
    "win_wait", "win_complete", "ibarrier" },
  [KYMO_FAMILY_IO] = {
    "file_open", "file_close", "file_write", "file_read", "file_write_all", "file_read_all",
    "file_write_at", "file_read_at", "file_write_at_all", "file_read_at_all", "file_set_view",
    "file_sync", "file_iwrite", "file_iread" },
  [KYMO_FAMILY_RUNTIME] = {
    "init", "finalize", "comm_rank", "comm_size", "type_size", "cart_shift", "cart_coords",
    "dims_create", "type_commit", "type_vector", "wtime", "get_count", "type_free",
    "type_contiguous", "cart_rank", "op_create", "info_create", "type_create_struct" },
};

/* (transfer full) (nullable): "MPI_Send()", "PMPI_Send" and "mpi_send_" are "send"; %NULL is no
   name of MPI */
static char *
bare_name (const char *name)
{
  const char *begin = *name == 'P' || *name == 'A' ? name + 1 : name;
  gsize length;

  if (g_ascii_strncasecmp (begin, "mpi", 3) != 0 || (begin[3] != '_' && begin[3] != ' '))
    return NULL;
  begin += 4;
  length = strcspn (begin, "(");
  while (length > 0 && (begin[length - 1] == ' ' || begin[length - 1] == '_'))
    length--;
  return g_strdelimit (g_ascii_strdown (begin, length), " ", '_');
}

/**
 * kymo_known_shade:
 * @family: not %KYMO_FAMILY_COMPUTE
 * @name: of a function
 *
 * Returns: the shade that only this name of its family has among the calls of MPI in the table,
 *   but for the two that begin MPI; %G_MAXUINT for other names
 */
guint
kymo_known_shade (KymoColorFamily  family,
                  const char      *name)
{
  g_autofree char *bare = bare_name (name);

  /* A run calls one of the two, for most of its start-up. */
  if (g_strcmp0 (bare, "init_thread") == 0)
    bare[strlen ("init")] = '\0';
  for (guint i = 0; bare != NULL && i < KYMO_N_SHADES && known[family][i] != NULL; i++)
    if (strcmp (known[family][i], bare) == 0)
      return i;
  return G_MAXUINT;
}
