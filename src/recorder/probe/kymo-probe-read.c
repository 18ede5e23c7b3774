/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading one file on several nodes, one after the other: how fast that is, and whether all see the
 * same. What the node holds of the file in its memory is dropped first if the kernel allows it.
 */
#include "kymo-probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BLOCKS 65536
#define MOST_SEEN_BYTES (UINT64_C (1) << 34)

/* Checksums of the first blocks, each of all bytes until there. */
static uint64_t *sums;
static size_t n_sums;

static bool
is_reader (const KymoProbe *probe,
           int              rank)
{
  const KymoProbeRank *own = &probe->ranks[rank];

  return own->node_rank == 0 || (probe->world.n_nodes == 1 && own->node_rank == 1);
}

static uint64_t
add_to_sum (uint64_t             sum,
            const unsigned char *bytes,
            size_t               n)
{
  for (size_t i = 0; i < n; i++)
    sum = (sum ^ bytes[i]) * UINT64_C (1099511628211);
  return sum;
}

/* Millionths of the first bytes that the node holds in memory; -1 = the kernel does not say that to
   who may not write the file. */
static int64_t
find_cached (int      fd,
             uint64_t n_bytes,
             bool     may_know)
{
  uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE), n_pages = (n_bytes + page - 1) / page;
  uint64_t n_held = 0;
  unsigned char *held;
  void *map;

  if (!may_know || n_pages == 0 || n_bytes > MOST_SEEN_BYTES)
    return -1;
  map = mmap (NULL, n_bytes, PROT_READ, MAP_SHARED, fd, 0);
  held = map != MAP_FAILED ? malloc (n_pages) : NULL;
  if (held != NULL && mincore (map, n_bytes, held) == 0)
    for (uint64_t i = 0; i < n_pages; i++)
      n_held += held[i] & 1;
  else
    n_pages = 0;
  free (held);
  if (map != MAP_FAILED)
    munmap (map, n_bytes);
  return n_pages > 0 ? (int64_t) (n_held * 1000000 / n_pages) : -1;
}

static void
read_blocks (int            fd,
             KymoProbeRank *own,
             uint64_t       share_ns)
{
  static unsigned char block[KYMO_PROBE_BLOCK_BYTES];
  uint64_t begin_ns = kymo_probe_now (), sum = UINT64_C (14695981039346656037), spent_ns = 0;

  while (n_sums < MOST_BLOCKS && spent_ns < share_ns)
    {
      uint64_t at_ns = kymo_probe_now ();
      size_t n = 0;
      ssize_t got = 1;

      while (n < sizeof block && got > 0)
        {
          got = read (fd, block + n, sizeof block - n);
          n += got > 0 ? (size_t) got : 0;
        }
      /* Checksums take time, too. */
      own->read_ns += kymo_probe_now () - at_ns;
      own->read_bytes += n;
      if (got < 0)
        own->read_error = errno;
      if (n > 0)
        sums[n_sums++] = sum = add_to_sum (sum, block, n);
      if (n < sizeof block)
        break;
      spent_ns = kymo_probe_now () - begin_ns;
    }
}

static void
read_file (const char    *path,
           KymoProbeRank *own,
           uint64_t       share_ns)
{
  struct stat before, after;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

  own->reads = true;
  if (fd < 0 || fstat (fd, &before) != 0 || !S_ISREG (before.st_mode))
    {
      own->read_error = fd < 0 ? errno : EINVAL;
      if (fd >= 0)
        close (fd);
      return;
    }
  posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED);
  own->read_size = (uint64_t) before.st_size;
  own->read_seconds = before.st_mtim.tv_sec;
  own->read_nanoseconds = before.st_mtim.tv_nsec;
  own->read_cached_ppm = find_cached (fd, own->read_size, before.st_uid == geteuid ()
                                      || access (path, W_OK) == 0);
  read_blocks (fd, own, share_ns);
  if (stat (path, &after) == 0)
    own->read_changed = after.st_size != before.st_size
      || after.st_mtim.tv_sec != before.st_mtim.tv_sec
      || after.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
  else
    own->read_error = errno;
  close (fd);
}

/* The bytes that all readers have read, in whole blocks unless the file ends. */
static uint64_t
find_common (const KymoProbe *probe)
{
  uint64_t common = UINT64_MAX;

  for (int i = 0; i < probe->world.size; i++)
    if (probe->ranks[i].reads && probe->ranks[i].read_error == 0
        && probe->ranks[i].read_bytes < common)
      common = probe->ranks[i].read_bytes;
  return common != UINT64_MAX ? common : 0;
}

/**
 * kymo_probe_read: reads the file of the probe with all ranks that are readers.
 * @share_ns: how long all of them take
 */
void
kymo_probe_read (KymoProbe *probe,
                 uint64_t   share_ns)
{
  KymoProbeRank *own = &probe->own;
  uint64_t n_readers = 0;

  sums = calloc (MOST_BLOCKS, sizeof *sums);
  if (sums == NULL)
    kymo_probe_die ("there is no memory");
  for (int i = 0; i < probe->world.size; i++)
    n_readers += is_reader (probe, i);
  for (int i = 0; i < probe->world.size; i++)
    if (is_reader (probe, i))
      {
        if (i == probe->world.rank)
          read_file (probe->file, own, share_ns / n_readers);
        kymo_probe_barrier ();
      }
  kymo_probe_gather (own, sizeof *own, probe->ranks);
  if (probe->world.rank == 0)
    probe->common_bytes = find_common (probe);
  kymo_probe_share (&probe->common_bytes, sizeof probe->common_bytes);
  if (own->reads && probe->common_bytes > 0 && own->read_bytes >= probe->common_bytes)
    {
      size_t n = (size_t) ((probe->common_bytes + KYMO_PROBE_BLOCK_BYTES - 1)
                           / KYMO_PROBE_BLOCK_BYTES);

      own->read_checksum = sums[n - 1];
    }
  free (sums);
}
