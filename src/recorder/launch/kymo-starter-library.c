/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the libraries are: beside the program in the build folder, or where they were installed,
 * seen from the program, so that an installation can be moved.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-starter.h"

static const char *const names[] = { "serial", "openmpi", "mpich" };
static const char *const places[] = { "../mpi", "../libc", "../probe", KYMO_RECORD_LIBRARIES,
                                      "../lib/kymo" };

/* A file of this installation, or NULL. */
static char *
find_beside (const char *prefix,
             const char *name,
             const char *suffix)
{
  char own[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", own, sizeof own - 1);

  own[n > 0 ? n : 0] = '\0';
  char *slash = strrchr (own, '/');
  if (slash != NULL)
    *slash = '\0';
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    {
      char *path = kymo_starter_print ("%s/%s/%s%s%s", own, places[i], prefix, name, suffix);
      char *real = realpath (path, NULL);
      free (path);
      if (real != NULL)
        return real;
    }
  return NULL;
}

/* The library libkymo-record-NAME.so, or NULL. */
static char *
find_library (const char *name)
{
  return find_beside ("libkymo-record-", name, ".so");
}

/* The library of an MPI, or NULL. */
static char *
find_library_of (KymoStarterMpi mpi)
{
  return find_library (names[mpi]);
}

/**
 * kymo_starter_memory_library: the path of the wrappers of allocations. Ends the program if
 * they are not there.
 */
char *
kymo_starter_memory_library (void)
{
  char *path = find_library ("memory");

  if (path == NULL)
    kymo_starter_die (1, "libkymo-record-memory.so is not there");
  return path;
}

/**
 * kymo_starter_library: the path of the library for an MPI. Ends the program if it is not there.
 */
char *
kymo_starter_library (KymoStarterMpi mpi)
{
  char *path = find_library_of (mpi);

  if (path == NULL && mpi == KYMO_STARTER_SERIAL)
    kymo_starter_die (1, "libkymo-record-serial.so is not there");
  if (path == NULL)
    kymo_starter_die (1, "the program uses %s, for which this kymo-record has no library",
                     mpi == KYMO_STARTER_OPENMPI ? "Open MPI" : "MPICH");
  return path;
}

/**
 * kymo_starter_print_known: says on stdout what can be recorded here.
 */
void
kymo_starter_print_known (void)
{
  static const char *const labels[] = { "programs without MPI", "Open MPI", "MPICH" };

  for (int i = 0; i < 3; i++)
    printf ("%s: %s\n", labels[i], find_library_of (i) != NULL ? "yes" : "no");
}

/**
 * kymo_starter_probe_program: the path of the probe for an MPI. Ends the program if it is not
 * there.
 */
char *
kymo_starter_probe_program (KymoStarterMpi mpi)
{
  char *path = find_beside ("kymo-probe-", names[mpi], "");

  if (path == NULL)
    kymo_starter_die (1, "kymo-probe-%s is not there", names[mpi]);
  return path;
}
