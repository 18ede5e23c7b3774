/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of MPI by their names: which ones several ranks call together, and which
 * ones make communicators.
 */
#include "config.h"

#include "kymo-collectives.h"

#include <string.h>

typedef struct
{
  const char         *name;     /* after "mpi_" */
  KymoCollectiveKind  kind;
} Known;

static const Known known[KYMO_N_COLLECTIVE_NAMES] =
{
  { "barrier", KYMO_COLLECTIVE_BARRIER },
  { "allreduce", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "allgather", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "allgatherv", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "alltoall", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "alltoallv", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "alltoallw", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "reduce_scatter", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "reduce_scatter_block", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "bcast", KYMO_COLLECTIVE_ONE_TO_ALL },
  { "scatter", KYMO_COLLECTIVE_ONE_TO_ALL },
  { "scatterv", KYMO_COLLECTIVE_ONE_TO_ALL },
  { "gather", KYMO_COLLECTIVE_ALL_TO_ONE },
  { "gatherv", KYMO_COLLECTIVE_ALL_TO_ONE },
  { "reduce", KYMO_COLLECTIVE_ALL_TO_ONE },
  { "scan", KYMO_COLLECTIVE_PREFIX },
  { "exscan", KYMO_COLLECTIVE_PREFIX },
  { "comm_dup", KYMO_COLLECTIVE_OTHER },
  { "comm_split", KYMO_COLLECTIVE_OTHER },
  { "comm_create", KYMO_COLLECTIVE_OTHER },
  { "cart_create", KYMO_COLLECTIVE_OTHER },
  { "win_create", KYMO_COLLECTIVE_OTHER },
  { "win_fence", KYMO_COLLECTIVE_OTHER },
};

/* Functions that make a communicator of other ranks than an old one has. */
static const char *const makers[] =
{
  "comm_split", "comm_split_type", "comm_create", "comm_create_group", "comm_create_from_group",
  "cart_create", "cart_sub", "graph_create", "dist_graph_create", "dist_graph_create_adjacent",
  "intercomm_create", "intercomm_create_from_groups", "intercomm_merge", "comm_spawn",
  "comm_spawn_multiple", "comm_connect", "comm_accept", "comm_join", "comm_get_parent",
};

/**
 * kymo_mpi_find_name:
 * @name: of a function: of MPI, or its profiling names; in capitals, with brackets or
 *   an underscore behind it, as it comes
 * @length: (out): bytes of what is returned
 *
 * Returns: (nullable): what stands behind "MPI_", in whatever case, or %NULL where it
 * is no function of MPI
 */
const char *
kymo_mpi_find_name (const char *name,
                    gsize      *length)
{
  gsize n;

  if (g_ascii_strncasecmp (name, "p", 1) == 0)
    name++;
  if (g_ascii_strncasecmp (name, "mpi_", 4) != 0)
    return NULL;
  name += 4;
  n = strcspn (name, "( \t");
  while (n > 0 && name[n - 1] == '_')
    n--;
  *length = n;
  return name;
}

static gboolean
is_name (const char *known_name,
         const char *name,
         gsize       length)
{
  return strlen (known_name) == length && g_ascii_strncasecmp (known_name, name, length) == 0;
}

/**
 * kymo_collective_find_name:
 * @name: of a function, in any spelling that kymo_mpi_find_name() knows
 * @kind: (out): which members wait for which
 *
 * Returns: a number of the function, the same for all its spellings, or -1 where it is
 * no collective operation that blocks
 */
gint
kymo_collective_find_name (const char         *name,
                           KymoCollectiveKind *kind)
{
  gsize n;
  const char *short_name = kymo_mpi_find_name (name, &n);

  for (guint i = 0; short_name != NULL && i < KYMO_N_COLLECTIVE_NAMES; i++)
    if (is_name (known[i].name, short_name, n))
      {
        *kind = known[i].kind;
        return i;
      }
  return -1;
}

/**
 * kymo_collective_kind_of_name:
 * @number: of kymo_collective_find_name()
 *
 * Returns: which members wait for which
 */
KymoCollectiveKind
kymo_collective_kind_of_name (guint number)
{
  return known[number].kind;
}

/**
 * kymo_mpi_makes_communicator:
 * @name: display name of a function
 *
 * Returns: whether it is an MPI function that makes a communicator of ranks that had none
 *   together; a copy of a communicator is none
 */
gboolean
kymo_mpi_makes_communicator (const char *name)
{
  gsize n;
  const char *short_name = kymo_mpi_find_name (name, &n);

  for (guint i = 0; short_name != NULL && i < G_N_ELEMENTS (makers); i++)
    if (is_name (makers[i], short_name, n))
      return TRUE;
  return FALSE;
}
