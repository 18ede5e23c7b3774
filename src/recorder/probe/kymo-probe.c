/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-probe LIMIT-NS FORMAT FOLDER FILE PART: what kymo-record --probe becomes; FOLDER, FILE and
 * PART may be empty. It measures one thing after the other, or only PART, and ends by itself.
 */
#include "config.h"

#include "kymo-probe.h"

#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How much longer than its limit a probe may take before it is ended. */
#define GRACE_S 20

/** kymo_probe_now: nanoseconds of a clock that never goes back */
uint64_t
kymo_probe_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/** kymo_probe_die: ends all ranks with one line on stderr; @format is as of printf() */
void
kymo_probe_die (const char *format,
                ...)
{
  va_list values;

  va_start (values, format);
  fputs ("kymo-record: ", stderr);
  vfprintf (stderr, format, values);
  fputc ('\n', stderr);
  va_end (values);
  _exit (1);
}

static void
end_late (int number)
{
  static const char words[] = "kymo-record: the probe does not come to its end\n";
  ssize_t n = write (2, words, sizeof words - 1);

  (void) n;
  (void) number;
  _exit (1);
}

/* "0-3,8" */
static void
describe_processors (char  *text,
                     size_t room)
{
  cpu_set_t set;
  size_t n = 0;

  if (sched_getaffinity (0, sizeof set, &set) != 0)
    return;
  for (int first = 0; first < CPU_SETSIZE && n < room; first++)
    {
      int last = first;

      if (!CPU_ISSET (first, &set))
        continue;
      while (last + 1 < CPU_SETSIZE && CPU_ISSET (last + 1, &set))
        last++;
      n += (size_t) snprintf (text + n, room - n, last > first ? "%s%d-%d" : "%s%d",
                              n > 0 ? "," : "", first, last);
      first = last;
    }
}

static void
find_ranks (KymoProbe *probe)
{
  KymoProbeRank *own = &probe->own;

  gethostname (own->host, sizeof own->host - 1);
  describe_processors (own->processors, sizeof own->processors);
  own->node = probe->world.node;
  own->node_rank = probe->world.node_rank;
  own->read_cached_ppm = -1;
  probe->ranks = calloc ((size_t) probe->world.size, sizeof *probe->ranks);
  if (probe->ranks == NULL)
    kymo_probe_die ("there is no memory");
  kymo_probe_gather (own, sizeof *own, probe->ranks);
  kymo_probe_share (probe->ranks, sizeof *probe->ranks * (size_t) probe->world.size);
}

static void
measure_all (KymoProbe *probe)
{
  uint64_t tenth_ns = probe->limit_ns / 10;
  bool talks = probe->world.size > 1, reads = probe->file != NULL;

  kymo_probe_noise (probe, tenth_ns * (talks ? 2 : 4));
  if (talks)
    kymo_probe_pingpong (probe, tenth_ns * (reads ? 3 : 4));
  kymo_probe_memory (probe, tenth_ns * (reads ? 2 : 3));
  if (reads)
    kymo_probe_read (probe, tenth_ns * 2);
}

static void
measure (KymoProbe *probe)
{
  /* The rest is for what begins and ends. */
  uint64_t share_ns = probe->limit_ns / 10 * 9;

  find_ranks (probe);
  if (probe->part == NULL)
    measure_all (probe);
  else if (strcmp (probe->part, "noise") == 0)
    kymo_probe_noise (probe, share_ns);
  else if (strcmp (probe->part, "memory") == 0)
    kymo_probe_memory (probe, share_ns);
  else if (probe->world.size > 1)
    kymo_probe_pingpong (probe, share_ns);
  kymo_probe_gather (&probe->own, sizeof probe->own, probe->ranks);
  probe->elapsed_ns = kymo_probe_now () - probe->begin_ns;
}

int
main (int    argc,
      char **argv)
{
  static KymoProbe probe;
  bool good = true;

  probe.begin_ns = kymo_probe_now ();
  if (argc != 6)
    kymo_probe_die ("this program is part of kymo-record --probe");
  probe.limit_ns = strtoull (argv[1], NULL, 10);
  probe.file = *argv[4] != '\0' ? argv[4] : NULL;
  probe.part = *argv[5] != '\0' ? argv[5] : NULL;
  signal (SIGALRM, end_late);
  alarm ((unsigned) (probe.limit_ns / 1000000000u) + GRACE_S);
  kymo_probe_begin (&argc, &argv, &probe.world);
  measure (&probe);
  if (probe.world.rank == 0)
    good = kymo_probe_write (&probe, argv[3], argv[2]);
  kymo_probe_end (&probe.world);
  free (probe.ranks);
  return good ? 0 : 1;
}
