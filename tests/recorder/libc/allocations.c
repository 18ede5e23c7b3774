/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocates in every way that the C library offers, leaks some of it, and tells in JSON what its
 * own calls did: {"allocations": …, "bytes": …, "live_blocks": …, "live_bytes": …}.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static _Atomic long allocations, bytes, live_blocks, live_bytes;
static void *volatile kept[8];

static void *
got (void *block,
     long  size)
{
  if (block == NULL || block == MAP_FAILED)
    exit (9);
  allocations++;
  bytes += size;
  live_blocks++;
  live_bytes += size;
  return block;
}

static void
give (void *block,
      long  size)
{
  live_blocks--;
  live_bytes -= size;
  free (block);
}

static void *
churn (void *data)
{
  unsigned seed = *(unsigned *) data;
  void *blocks[64] = { NULL };
  long sizes[64];

  for (int i = 0; i < 20000; i++)
    {
      unsigned slot = (seed = seed * 1103515245 + 12345) >> 16 & 63;

      if (blocks[slot] != NULL)
        give (blocks[slot], sizes[slot]);
      sizes[slot] = 1 + (seed >> 8) % 3000;
      blocks[slot] = got (malloc ((size_t) sizes[slot]), sizes[slot]);
      memset (blocks[slot], 1, (size_t) sizes[slot]);
    }
  for (int slot = 0; slot < 64; slot++)
    if (blocks[slot] != NULL)
      give (blocks[slot], sizes[slot]);
  return NULL;
}

int
main (void)
{
  pthread_t ids[3];
  unsigned seeds[3] = { 1, 2, 3 };
  void *block;

  for (int i = 0; i < 3; i++)
    if (pthread_create (&ids[i], NULL, churn, &seeds[i]) != 0)
      return 9;
  kept[0] = got (malloc (1000), 1000);
  kept[1] = got (calloc (7, 11), 77);
  give (kept[0], 1000);
  kept[0] = got (malloc (0), 0);
  /* A block that grows is freed and allocated. */
  block = got (malloc (10), 10);
  live_blocks--;
  live_bytes -= 10;
  kept[2] = got (realloc (block, 100000), 100000);
  kept[3] = got (realloc (NULL, 5), 5);
  live_blocks--;
  live_bytes -= 5;
  block = realloc (kept[3], 0);
  if (block != NULL)
    return 9;
  if (posix_memalign (&block, 256, 300) != 0 || ((unsigned long) block & 255) != 0)
    return 9;
  kept[3] = got (block, 300);
  kept[4] = got (aligned_alloc (64, 128), 128);
  give (kept[4], 128);
  kept[4] = got (memalign (32, 33), 33);
  kept[5] = got (valloc (1), 1);
  kept[6] = got (reallocarray (NULL, 3, 5), 15);
  block = got (mmap (NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
               1 << 20);
  live_blocks--;
  live_bytes -= 1 << 20;
  if (munmap (block, 1 << 20) != 0)
    return 9;
  for (int i = 0; i < 3; i++)
    pthread_join (ids[i], NULL);
  printf ("{\"allocations\": %ld, \"bytes\": %ld, \"live_blocks\": %ld, \"live_bytes\": %ld}\n",
          allocations, bytes, live_blocks, live_bytes);
  return 0;
}
