/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bandwidth of the memory: a[i] = b[i] + s * c[i] over arrays that no cache holds. Each element
 * counts as 24 bytes, two that are read and one that is written.
 */
#include "kymo-probe.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LEAST_ARRAY_BYTES (UINT64_C (16) << 20)
#define CACHES 4                /* arrays of one kind are so many times as large as the cache */
#define PART_OF_MEMORY 8        /* all arrays of a node take at most one part of so many */

static uint64_t
choose_bytes (int node_size)
{
  long cache = sysconf (_SC_LEVEL3_CACHE_SIZE), page = sysconf (_SC_PAGESIZE);
  uint64_t n = cache > 0 ? (uint64_t) cache * CACHES / (uint64_t) node_size : 0;
  uint64_t most = (uint64_t) sysconf (_SC_AVPHYS_PAGES) * (uint64_t) page / PART_OF_MEMORY / 3
    / (uint64_t) node_size;

  n = n < LEAST_ARRAY_BYTES ? LEAST_ARRAY_BYTES : n;
  n = n < most ? n : most;
  return n / (uint64_t) page * (uint64_t) page;
}

static void __attribute__ ((noinline, optimize ("O3")))
run_triad (double       *restrict a,
           const double *restrict b,
           const double *restrict c,
           size_t                 n,
           double                 scale)
{
  for (size_t i = 0; i < n; i++)
    a[i] = b[i] + scale * c[i];
}

/* Bytes per second, on average. */
static uint64_t
measure_rate (double  *arrays[3],
              size_t   n,
              uint64_t share_ns)
{
  uint64_t begin_ns = kymo_probe_now (), now_ns;
  uint64_t n_passes = 0;

  do
    {
      run_triad (arrays[0], arrays[1], arrays[2], n, 0.5 + (double) (n_passes % 3));
      n_passes++;
      now_ns = kymo_probe_now ();
    }
  while (now_ns - begin_ns < share_ns);
  return (uint64_t) ((double) (n_passes * n * 3 * sizeof (double)) * 1e9
                     / (double) (now_ns - begin_ns));
}

static void
release (double  *arrays[3],
         uint64_t n_bytes)
{
  for (int i = 0; i < 3; i++)
    if (arrays[i] != MAP_FAILED)
      munmap (arrays[i], n_bytes);
}

/* How much of each array could be touched until the time was over. */
static uint64_t
touch_arrays (double  *arrays[3],
              uint64_t n_bytes,
              uint64_t share_ns)
{
  uint64_t end_ns = kymo_probe_now () + share_ns, done = 0;

  while (done < n_bytes && (done == 0 || kymo_probe_now () < end_ns))
    {
      uint64_t more = n_bytes - done < KYMO_PROBE_BLOCK_BYTES ? n_bytes - done
        : KYMO_PROBE_BLOCK_BYTES;

      for (int i = 0; i < 3; i++)
        memset ((char *) arrays[i] + done, i + 1, more);
      done += more;
    }
  return done;
}

/**
 * kymo_probe_memory: measures all ranks at a time, then the first one of each node alone.
 * @share_ns: how long both take
 */
void
kymo_probe_memory (KymoProbe *probe,
                   uint64_t   share_ns)
{
  KymoProbeRank *own = &probe->own;
  uint64_t n_bytes = choose_bytes (probe->world.node_size);
  double *arrays[3];
  bool good = n_bytes > 0;
  size_t n;

  for (int i = 0; i < 3; i++)
    {
      arrays[i] = n_bytes > 0 ? mmap (NULL, n_bytes, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
      good = good && arrays[i] != MAP_FAILED;
    }
  own->memory_array_bytes = good ? touch_arrays (arrays, n_bytes, share_ns / 4) : 0;
  n = (size_t) (own->memory_array_bytes / sizeof (double));
  kymo_probe_barrier ();
  if (good)
    own->memory_rate = measure_rate (arrays, n, share_ns * 3 / 8);
  kymo_probe_barrier ();
  if (good && own->node_rank == 0)
    own->memory_alone_rate = measure_rate (arrays, n, share_ns * 3 / 8);
  kymo_probe_barrier ();
  release (arrays, n_bytes);
}
