/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Uses libnfs, or what stands for it, and tells what it did as input-output does. With REAL_NFS it
 * is libnfs, and the server is named by the variable KYMO_TEST_NFS.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef REAL_NFS
#include <nfsc/libnfs.h>
#define FILE_PATH "/a"
#define N_WRITES 4

static struct nfs_context *
open_nfs (void)
{
  struct nfs_context *nfs = nfs_init_context ();
  struct nfs_url *url = nfs_parse_url_dir (nfs, getenv ("KYMO_TEST_NFS"));

  if (url == NULL || nfs_mount (nfs, url->server, url->path) != 0)
    {
      fprintf (stderr, "%s\n", nfs_get_error (nfs));
      exit (8);
    }
  nfs_destroy_url (url);
  return nfs;
}
#else
#include "fake-nfs.h"
#define FILE_PATH "/export/a"
#define N_WRITES 5

static struct nfs_context *
open_nfs (void)
{
  return NULL;
}
#endif

int
main (void)
{
  struct nfs_context *nfs = open_nfs ();
  char bytes[1000];
  struct nfsfh *file;
  uint64_t now;

  memset (bytes, 'n', sizeof bytes);
  if (nfs_open (nfs, "/none", O_RDONLY, &file) >= 0
      || nfs_open (nfs, FILE_PATH, O_RDWR | O_CREAT, &file) != 0)
    return 9;
  for (int i = 0; i < 4; i++)
    if (nfs_write (nfs, file, 1000, bytes) != 1000)
      return 9;
  /* What stands for a server is full now. */
  if ((N_WRITES > 4 && nfs_write (nfs, file, 1000, bytes) >= 0)
      || nfs_lseek (nfs, file, 3500, SEEK_SET, &now) != 0
      || nfs_read (nfs, file, 1000, bytes) != 500 || nfs_fsync (nfs, file) != 0
      || nfs_close (nfs, file) != 0)
    return 9;
  if (nfs_unlink (nfs, "/none") == 0 || nfs_unlink (nfs, FILE_PATH) != 0)
    return 9;
#ifdef REAL_NFS
  nfs_destroy_context (nfs);
#endif
  printf ("{\"%s 3\": {\"opens\": 1, \"closes\": 1, \"copies\": 0, \"reads\": 1, "
          "\"bytes_read\": 500, \"writes\": %d, \"bytes_written\": 4000, \"flushes\": 1, "
          "\"seeks\": 1, \"locks\": 0, \"unlocks\": 0, \"refused\": 0, \"deletes\": 1, "
          "\"changes\": 0}}\n", FILE_PATH, N_WRITES);
  return 0;
}
