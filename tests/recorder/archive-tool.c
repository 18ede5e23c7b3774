/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The writer of archives, alone:
 *
 *   archive-tool recover FOLDER [OUT]     the archive of a run that died
 *   archive-tool write FOLDER             as MPI_Finalize does it, by as many ranks as there are:
 *                                         rank N has the N-th raw folder in the order of names;
 *                                         KYMO_RECORD_KEEP says who writes events
 *
 * What it is told goes to stdout, a line each. Exit status 0 if there is an archive.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_MPI
#include "kymo-archive-mpi.h"
#else
#include "kymo-archive.h"
#endif

#include <dirent.h>

static void
print_sentence (const char *sentence,
                void       *data)
{
  printf ("%s\n", sentence);
}

static int
is_visible (const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

/* NULL = there are not so many. */
static char *
dup_folder (const char *folder,
            int         rank)
{
  struct dirent **entries = NULL;
  char *raw = NULL, *path = NULL;
  int n = asprintf (&raw, "%s/raw", folder) > 0
    ? scandir (raw, &entries, is_visible, alphasort) : 0;

  if (rank < n && asprintf (&path, "%s/%s", raw, entries[rank]->d_name) < 0)
    path = NULL;
  for (int i = 0; i < n; i++)
    free (entries[i]);
  free (entries);
  free (raw);
  return path;
}

#ifdef WITH_MPI
static bool
write_together (const char *folder)
{
  KymoArchiveWorld world;
  MPI_Comm comm;
  char *own;
  bool good;

  MPI_Init (NULL, NULL);
  MPI_Comm_dup (MPI_COMM_WORLD, &comm);
  good = kymo_archive_world_init_mpi (&world, &comm);
  own = dup_folder (folder, world.rank);
  good = good && kymo_archive_write (&world, folder, own, getenv ("KYMO_RECORD_KEEP"),
                                     print_sentence, NULL);
  free (own);
  MPI_Comm_free (&comm);
  MPI_Finalize ();
  return good;
}
#else
static bool
write_together (const char *folder)
{
  KymoArchiveWorld world;
  char *own = dup_folder (folder, 0);
  bool good;

  kymo_archive_world_init_serial (&world);
  good = kymo_archive_write (&world, folder, own, getenv ("KYMO_RECORD_KEEP"), print_sentence,
                             NULL);
  free (own);
  return good;
}
#endif

int
main (int    argc,
      char **argv)
{
  if (argc < 3)
    return 2;
  if (strcmp (argv[1], "write") == 0)
    return !write_together (argv[2]);
  return !kymo_archive_recover (argv[2], argc > 3 ? argv[3] : NULL, print_sentence, NULL);
}
