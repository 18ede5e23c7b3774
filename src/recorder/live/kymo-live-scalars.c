/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-scalars.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "kymo-live-bins.h"
#include "kymo-rec-sys.h"

/**
 * kymo_live_scalars_open: opens what there is to read.
 * @rank: of this process
 * @of_node: it is the one that tells of its node
 */
void
kymo_live_scalars_open (KymoLiveScalars *scalars,
                        uint32_t         rank,
                        bool             of_node)
{
  static const char *const pressures[] = { "/proc/pressure/cpu", "/proc/pressure/memory",
                                           "/proc/pressure/io" };

  memset (scalars, 0, sizeof *scalars);
  scalars->rank = rank;
  scalars->statm = kymo_sys_open ("/proc/self/statm", O_RDONLY, 0);
  scalars->schedstat = kymo_sys_open ("/proc/self/schedstat", O_RDONLY, 0);
  for (unsigned i = 0; i < 3; i++)
    scalars->pressure[i] = of_node ? kymo_sys_open (pressures[i], O_RDONLY, 0) : -1;
  scalars->network = of_node ? kymo_sys_open ("/proc/net/dev", O_RDONLY, 0) : -1;
}

/* The text of a small file of the kernel. FALSE if it cannot be read. */
static bool
read_text (int     fd,
           char   *text,
           size_t  room)
{
  long n = fd >= 0 ? syscall (SYS_pread64, fd, text, room - 1, 0L) : -1;

  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

/* What was counted since the last reading. */
static void
tell_more (KymoLiveScalars *scalars,
           KymoLiveHead    *head,
           unsigned         kind,
           uint64_t         now,
           uint64_t        *before)
{
  if (scalars->has_before && now >= *before && now - *before <= INT64_MAX)
    kymo_live_head_scalar (head, kind, scalars->rank, (int64_t) (now - *before));
  *before = now;
}

static void
read_process (KymoLiveScalars *scalars,
              KymoLiveHead    *head)
{
  char text[512], *rest;
  struct rusage usage;
  uint64_t n_messages, n_bytes;

  if (read_text (scalars->statm, text, sizeof text))
    {
      strtoull (text, &rest, 10);
      uint64_t pages = strtoull (rest, NULL, 10);
      kymo_live_head_scalar (head, KYMO_LIVE_MEMORY, scalars->rank,
                             (int64_t) (pages * (uint64_t) sysconf (_SC_PAGESIZE)));
    }
  if (getrusage (RUSAGE_SELF, &usage) == 0)
    tell_more (scalars, head, KYMO_LIVE_FAULTS,
               (uint64_t) usage.ru_minflt + (uint64_t) usage.ru_majflt, &scalars->faults);
  if (read_text (scalars->schedstat, text, sizeof text))
    {
      strtoull (text, &rest, 10);
      tell_more (scalars, head, KYMO_LIVE_RUN_DELAY, strtoull (rest, NULL, 10),
                 &scalars->run_delay);
    }
  kymo_live_bins_sums (&n_messages, &n_bytes);
  tell_more (scalars, head, KYMO_LIVE_MESSAGES, n_messages, &scalars->messages);
  tell_more (scalars, head, KYMO_LIVE_BYTES, n_bytes, &scalars->bytes);
}

/* The line `some … total=N`, N in microseconds. */
static void
read_pressure (KymoLiveScalars *scalars,
               unsigned         which,
               uint64_t         length_ns,
               KymoLiveHead    *head)
{
  char text[512];
  const char *total = read_text (scalars->pressure[which], text, sizeof text)
                      ? strstr (text, "total=") : NULL;

  if (total == NULL)
    return;
  uint64_t now = strtoull (total + 6, NULL, 10);
  if (scalars->has_before && now >= scalars->waited_us[which] && length_ns > 0)
    {
      double share = (double) (now - scalars->waited_us[which]) * 1e9 / (double) length_ns;
      kymo_live_head_scalar (head, KYMO_LIVE_PRESSURE_CPU + which, scalars->rank,
                             share < 1000000 ? (int64_t) share : 1000000);
    }
  scalars->waited_us[which] = now;
}

/* Bytes of all interfaces but the loopback: the first and the ninth number of each line. */
static void
read_network (KymoLiveScalars *scalars,
              KymoLiveHead    *head)
{
  char text[8192];
  uint64_t received = 0, sent = 0;

  if (!read_text (scalars->network, text, sizeof text))
    return;
  for (char *line = text, *end; (end = strchr (line, '\n')) != NULL; line = end + 1)
    {
      char *colon = memchr (line, ':', (size_t) (end - line));
      if (colon == NULL || strncmp (line + strspn (line, " "), "lo:", 3) == 0)
        continue;
      char *at = colon + 1;
      for (unsigned i = 0; i < 9; i++)
        {
          uint64_t value = strtoull (at, &at, 10);
          received += i == 0 ? value : 0;
          sent += i == 8 ? value : 0;
        }
    }
  tell_more (scalars, head, KYMO_LIVE_RECEIVED, received, &scalars->received);
  tell_more (scalars, head, KYMO_LIVE_SENT, sent, &scalars->sent);
}

/**
 * kymo_live_scalars_read: tells what has changed since the last call.
 * @now_ns: the present time
 * @head: (inout): of a block of this process alone
 */
void
kymo_live_scalars_read (KymoLiveScalars *scalars,
                        uint64_t         now_ns,
                        KymoLiveHead    *head)
{
  read_process (scalars, head);
  for (unsigned i = 0; i < 3; i++)
    read_pressure (scalars, i, now_ns - scalars->at_ns, head);
  read_network (scalars, head);
  scalars->at_ns = now_ns;
  scalars->has_before = true;
}
