/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MPI_Comm_spawn: the children are programs of their own, with a world and a record of their own.
 * Launchers of MPI start them in the environment in which the parents were started, where nobody
 * asked for a record; so the parent has kymo-record start them. Their folder lies beside ours.
 */
#include "kymo-mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__ ((visibility ("default")))
#define MOST_ARGUMENTS 4096

/* The launcher, or NULL if the children are to be started as the program says. */
static const char *
launcher_path (void)
{
  const char *path = getenv ("KYMO_RECORD_LAUNCHER");

  return path != NULL && path[0] == '/' && access (path, X_OK) == 0 ? path : NULL;
}

/* [program, argument ..., NULL] becomes the arguments of kymo-record. */
static bool
wrap_arguments (const char  *program,
                char       **given,
                char       **made)
{
  static const struct
  {
    char option[12], variable[24];
  } kept[] = {
    { "--system", "KYMO_RECORD_SYSTEM" }, { "--buffer", "KYMO_RECORD_BUFFER" },
    { "--limit", "KYMO_RECORD_LIMIT" }, { "--last", "KYMO_RECORD_LAST" },
  };
  static char to[] = "-o", end[] = "--", quiet[] = "--quiet", memory[] = "--memory";
  static char folder[KYMO_SYS_MOST_PATH];
  static _Atomic uint32_t n_spawned;
  int n = 0;

  snprintf (folder, sizeof folder, "%s-spawned-%d-%u", kymo_rec_folder (), kymo_mpi_world->rank,
            atomic_fetch_add (&n_spawned, 1) + 1);
  made[n++] = to;
  made[n++] = folder;
  if (kymo_rec_options ()->quiet)
    made[n++] = quiet;
  if (kymo_rec_options ()->memory)
    made[n++] = memory;
  for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
    if (getenv (kept[i].variable) != NULL)
      {
        made[n++] = (char *) kept[i].option;
        made[n++] = getenv (kept[i].variable);
      }
  made[n++] = end;
  made[n++] = (char *) program;
  for (int i = 0; given != MPI_ARGV_NULL && given[i] != NULL; i++)
    {
      if (n >= MOST_ARGUMENTS - 1)
        return false;
      made[n++] = given[i];
    }
  made[n] = NULL;
  return true;
}

static int
wrap_spawn (int       (*next) (const char *, char **, int, MPI_Info, int, MPI_Comm, MPI_Comm *,
                               int *),
            const char *command,
            char      **argv,
            int         n,
            MPI_Info    info,
            int         root,
            MPI_Comm    comm,
            MPI_Comm   *children,
            int        *codes)
{
  static uint32_t region;
  KymoRecThread *thread = kymo_rec_begin ();
  int result;

  if (thread == NULL)
    result = next (command, argv, n, info, root, comm, children, codes);
  else
    {
      const uint32_t id = kymo_mpi_region (&region, "MPI_Comm_spawn", OTF2_REGION_ROLE_FUNCTION);
      char **made = kymo_mpi_scratch (3, MOST_ARGUMENTS * sizeof *made);
      const char *launcher = launcher_path ();
      kymo_rec_enter (thread, id, kymo_rec_now ());
      if (kymo_mpi_comm (comm)->rank == root && launcher != NULL && made != NULL
          && wrap_arguments (command, argv, made))
        result = next (launcher, made, n, info, root, comm, children, codes);
      else
        result = next (command, argv, n, info, root, comm, children, codes);
      if (result == MPI_SUCCESS)
        kymo_mpi_comm_add (thread, *children, 0);
      kymo_rec_leave (thread, id, kymo_rec_now ());
    }
  kymo_rec_end ();
  return result;
}

static int
wrap_spawn_multiple (int     (*next) (int, char **, char ***, const int *, const MPI_Info *, int,
                                      MPI_Comm, MPI_Comm *, int *),
                     int       n_commands,
                     char    **commands,
                     char   ***argvs,
                     const int *counts,
                     const MPI_Info *infos,
                     int       root,
                     MPI_Comm  comm,
                     MPI_Comm *children,
                     int      *codes)
{
  static uint32_t region;
  KymoRecThread *thread = kymo_rec_begin ();
  int result;

  if (thread != NULL)
    kymo_rec_enter (thread, kymo_mpi_region (&region, "MPI_Comm_spawn_multiple",
                                             OTF2_REGION_ROLE_FUNCTION), kymo_rec_now ());
  result = next (n_commands, commands, argvs, counts, infos, root, comm, children, codes);
  if (thread != NULL)
    {
      if (result == MPI_SUCCESS)
        kymo_mpi_comm_add (thread, *children, 0);
      kymo_rec_leave (thread, region - 1, kymo_rec_now ());
    }
  kymo_rec_end ();
  return result;
}

#define SPAWN_TYPES \
  (const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm, \
   MPI_Comm *intercomm, int codes[])
#define MULTIPLE_TYPES \
  (int count, char *commands[], char **argvs[], const int maxprocs[], const MPI_Info infos[], \
   int root, MPI_Comm comm, MPI_Comm *intercomm, int codes[])

#ifdef KYMO_REC_STATIC
EXPORTED int
MPI_Comm_spawn SPAWN_TYPES
{
  return wrap_spawn (PMPI_Comm_spawn, command, argv, maxprocs, info, root, comm, intercomm, codes);
}

EXPORTED int
MPI_Comm_spawn_multiple MULTIPLE_TYPES
{
  return wrap_spawn_multiple (PMPI_Comm_spawn_multiple, count, commands, argvs, maxprocs, infos,
                              root, comm, intercomm, codes);
}
#else
#define BOTH(name) \
  EXPORTED int name##MPI_Comm_spawn SPAWN_TYPES \
  { \
    static __typeof__ (&PMPI_Comm_spawn) next; \
    if (next == NULL) \
      next = kymo_mpi_resolve (#name "MPI_Comm_spawn"); \
    return wrap_spawn (next, command, argv, maxprocs, info, root, comm, intercomm, codes); \
  } \
  EXPORTED int name##MPI_Comm_spawn_multiple MULTIPLE_TYPES \
  { \
    static __typeof__ (&PMPI_Comm_spawn_multiple) next; \
    if (next == NULL) \
      next = kymo_mpi_resolve (#name "MPI_Comm_spawn_multiple"); \
    return wrap_spawn_multiple (next, count, commands, argvs, maxprocs, infos, root, comm, \
                                intercomm, codes); \
  }

BOTH ()
BOTH (P)
#endif
