/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rewrite-file FILE BYTES PAUSE-US: writes a file on the NFS server of KYMO_SUITE_NFS once, and
 * then, with a pause that is not below 0, again and again until it is ended.
 */
#include <fcntl.h>
#include <nfsc/libnfs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "table.h"

#define REQUEST 2048            /* libnfs 4.0 writes no 4 KiB at a time by version 4 */

int
main (int    argc,
      char **argv)
{
  struct nfs_context *nfs = nfs_init_context ();
  struct nfs_url *url = nfs_parse_url_dir (nfs, getenv ("KYMO_SUITE_NFS"));
  uint64_t words[REQUEST / sizeof (uint64_t)];
  struct nfsfh *file;
  long n_bytes = argc > 3 ? atol (argv[2]) : 0, pause_us = argc > 3 ? atol (argv[3]) : -1;

  if (argc < 4 || url == NULL || nfs_mount (nfs, url->server, url->path) != 0
      || (nfs_open (nfs, argv[1], O_RDWR, &file) != 0
          && nfs_open (nfs, argv[1], O_RDWR | O_CREAT, &file) != 0))
    {
      fprintf (stderr, "rewrite-file: %s\n", nfs_get_error (nfs));
      return 9;
    }
  do
    {
      for (long at = 0; at < n_bytes; at += REQUEST)
        {
          for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            words[i] = table_word ((uint64_t) at / sizeof words[0] + i);
          if (nfs_pwrite (nfs, file, (uint64_t) at, REQUEST, words) != REQUEST)
            {
              fprintf (stderr, "rewrite-file: %s\n", nfs_get_error (nfs));
              return 9;
            }
        }
      if (pause_us > 0)
        usleep ((useconds_t) pause_us);
    }
  while (pause_us >= 0);
  nfs_close (nfs, file);
  nfs_destroy_url (url);
  nfs_destroy_context (nfs);
  return 0;
}
