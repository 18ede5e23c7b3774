/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Uses libnfs, or what stands for it, and tells what it did as input-output does.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "fake-nfs.h"

int
main (void)
{
  char bytes[1000];
  struct nfsfh *file;
  uint64_t now;

  memset (bytes, 'n', sizeof bytes);
  if (nfs_open (NULL, "/none", O_RDONLY, &file) >= 0
      || nfs_open (NULL, "/export/a", O_RDWR | O_CREAT, &file) != 0)
    return 9;
  for (int i = 0; i < 4; i++)
    if (nfs_write (NULL, file, 1000, bytes) != 1000)
      return 9;
  if (nfs_write (NULL, file, 1000, bytes) >= 0 || nfs_lseek (NULL, file, 3500, SEEK_SET, &now) != 0
      || nfs_read (NULL, file, 1000, bytes) != 500 || nfs_fsync (NULL, file) != 0
      || nfs_close (NULL, file) != 0)
    return 9;
  printf ("{\"/export/a 3\": {\"opens\": 1, \"closes\": 1, \"copies\": 0, \"reads\": 1, "
          "\"bytes_read\": 500, \"writes\": 5, \"bytes_written\": 4000, \"flushes\": 1, "
          "\"seeks\": 1, \"locks\": 0, \"unlocks\": 0, \"refused\": 0, \"deletes\": 0, "
          "\"changes\": 0}}\n");
  return 0;
}
