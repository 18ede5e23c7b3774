/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of table.h, as the programs of the file case read it: from the NFS server of
 * KYMO_SUITE_NFS, or from a local file. Each function ends the job where it fails.
 */
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

typedef struct
{
  int local;
  long n_words;                 /* of the table */
#ifdef WITH_NFS
  struct nfs_context *nfs;      /* stays until leave_table() */
  struct nfsfh *served;
#endif
} Table;

/* Opens the file of the program, for the first time or again after close_table(). */
static inline void
open_table (const Suite *suite,
            Table       *table)
{
  struct stat local;

#ifdef WITH_NFS
  if (getenv ("KYMO_SUITE_NFS") != NULL)
    {
      struct nfs_stat_64 status;

      if (table->nfs == NULL)
        table->served = open_served (suite, &table->nfs);
      else if (nfs_open (table->nfs, suite->file, O_RDONLY, &table->served) != 0)
        fail (nfs_get_error (table->nfs));
      if (nfs_fstat64 (table->nfs, table->served, &status) != 0)
        fail (nfs_get_error (table->nfs));
      table->n_words = (long) (status.nfs_size / sizeof (uint64_t));
      return;
    }
#endif
  table->local = open (suite->file, O_RDONLY);
  if (table->local < 0 || fstat (table->local, &local) != 0)
    fail ("the table cannot be opened");
  table->n_words = local.st_size / (long) sizeof (uint64_t);
}

static inline void
close_table (Table *table)
{
#ifdef WITH_NFS
  if (table->nfs != NULL)
    {
      nfs_close (table->nfs, table->served);
      return;
    }
#endif
  close (table->local);
}

/* Leaves the server, if there is one; the table is closed. */
static inline void
leave_table (Table *table)
{
#ifdef WITH_NFS
  if (table->nfs != NULL)
    nfs_destroy_context (table->nfs);
  table->nfs = NULL;
#else
  (void) table;
#endif
}

static inline long
read_piece (Table *table,
            long   at,
            long   n,
            char  *out)
{
#ifdef WITH_NFS
  if (table->nfs != NULL)
    return nfs_pread (table->nfs, table->served, (uint64_t) at, (uint64_t) n, out);
#endif
  return pread (table->local, out, (size_t) n, at);
}

/* Reads whole words, from word `first` on. */
static inline void
read_words (Table    *table,
            long      first,
            long      n_words,
            uint64_t *out)
{
  long at = first * (long) sizeof *out, n = n_words * (long) sizeof *out;

  for (long done = 0, more; done < n; done += more)
    if ((more = read_piece (table, at + done, n - done, (char *) out + done)) <= 0)
      fail ("the table cannot be read");
}
