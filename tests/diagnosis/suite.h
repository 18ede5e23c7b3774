/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the programs that are disturbed have in common: their words, which are NAME=VALUE and mean
 * what each program says, and the line of JSON that rank 0 prints: the seconds of the main part,
 * and those that the program itself took for what is disturbed in its case (its signal), so that
 * whoever disturbs it knows, without Kymo, whether that had an effect.
 */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_NFS
#include <fcntl.h>
#include <nfsc/libnfs.h>
#endif

#define TAG 7
#define PAGE 4096

typedef struct
{
  int rank, size;
  long rounds, bytes, work;
  const char *way, *file;
  double signal;                /* seconds */
} Suite;

/* Ends the whole job, with a sentence. */
static inline void
fail (const char *what)
{
  fprintf (stderr, "suite: %s\n", what);
  MPI_Abort (MPI_COMM_WORLD, 9);
}

/* Whole pages, each of which was written; the caller frees them. */
static inline void *
allocate (long bytes)
{
  size_t n = ((size_t) bytes + PAGE - 1) / PAGE * PAGE;
  void *memory = bytes > 0 ? aligned_alloc (PAGE, n) : NULL;

  if (memory == NULL)
    fail ("there is not so much memory");
  memset (memory, 1, n);
  return memory;
}

#ifdef WITH_NFS
/* The file of the program on the server of KYMO_SUITE_NFS; nfs_close() and nfs_destroy_context()
 * are for the caller. */
static inline struct nfsfh *
open_served (const Suite         *suite,
             struct nfs_context **nfs)
{
  struct nfs_url *url;
  struct nfsfh *file = NULL;

  *nfs = nfs_init_context ();
  url = nfs_parse_url_dir (*nfs, getenv ("KYMO_SUITE_NFS"));
  if (url == NULL || nfs_mount (*nfs, url->server, url->path) != 0
      || nfs_open (*nfs, suite->file, O_RDONLY, &file) != 0)
    fail (nfs_get_error (*nfs));
  nfs_destroy_url (url);
  return file;
}
#endif

static inline void
take_word (Suite      *suite,
           const char *word)
{
  const char *value = strchr (word, '=');

  if (value++ == NULL)
    fail ("a word is not NAME=VALUE");
  else if (strncmp (word, "rounds=", 7) == 0)
    suite->rounds = atol (value);
  else if (strncmp (word, "bytes=", 6) == 0)
    suite->bytes = atol (value);
  else if (strncmp (word, "work=", 5) == 0)
    suite->work = atol (value);
  else if (strncmp (word, "way=", 4) == 0)
    suite->way = value;
  else if (strncmp (word, "file=", 5) == 0)
    suite->file = value;
  else
    fail ("a name is not known");
}

/* Runs a program between two barriers, with the words from argv[first] on; the exit status. */
static inline int
run_program (int    argc,
             char **argv,
             int    first,
             void (*run) (Suite *suite))
{
  Suite suite = { .rounds = 100, .bytes = 1024, .work = 100, .way = "bcast", .file = "/dev/null" };
  double begin, wall;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &suite.rank);
  MPI_Comm_size (MPI_COMM_WORLD, &suite.size);
  for (int i = first; i < argc; i++)
    take_word (&suite, argv[i]);
  MPI_Barrier (MPI_COMM_WORLD);
  begin = MPI_Wtime ();
  if (run == NULL)
    fail ("there is no program of this name");
  else
    run (&suite);
  MPI_Barrier (MPI_COMM_WORLD);
  wall = MPI_Wtime () - begin;
  MPI_Reduce (suite.rank == 0 ? MPI_IN_PLACE : &suite.signal, &suite.signal, 1, MPI_DOUBLE,
              MPI_MAX, 0, MPI_COMM_WORLD);
  if (suite.rank == 0)
    printf ("{\"wall\": %.6f, \"signal\": %.6f}\n", wall, suite.signal);
  MPI_Finalize ();
  return 0;
}
