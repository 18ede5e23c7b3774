/* kymo-environment.c: what surrounds a program that is recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-environment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "kymo-node-cgroup.h"
#include "kymo-node-file.h"

#define MOST_PROCESSORS 8192

static void
begin_file (KymoEnvIni *ini, const char *version)
{
  time_t now = time (NULL);
  struct tm utc;
  char text[64];

  kymo_env_ini_group (ini, "Kymo Environment", NULL);
  kymo_env_ini_text (ini, "version", "1");
  kymo_env_ini_text (ini, "recorder", version);
  if (gmtime_r (&now, &utc) != NULL && strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
    kymo_env_ini_text (ini, "written", text);
}

/* A group that stands twice is one group. */
static void
end_file (KymoEnvIni *ini)
{
  if (ini->cut == 0)
    return;
  ini->ini.size = sizeof ini->ini_bytes;
  kymo_env_ini_group (ini, "Kymo Environment", NULL);
  kymo_env_ini_printf (ini, "cut", "%u", ini->cut);
}

/** kymo_env_run: writes all groups of the file of a run, but that of its processes. */
void
kymo_env_run (KymoEnvIni *ini, const char *root, const KymoEnvFacts *facts)
{
  char folder[PATH_MAX];

  begin_file (ini, facts->version);
  kymo_env_program (ini, root, facts);
  kymo_env_variables (ini, environ);
  kymo_env_libraries (ini);
  kymo_env_limits (ini);
  if (getcwd (folder, sizeof folder) != NULL)
    kymo_env_git (ini, root, folder);
  kymo_env_machine (ini, root);
  kymo_env_mounts (ini, root);
  end_file (ini);
}

/** kymo_env_node: writes the groups of the file of a node. */
void
kymo_env_node (KymoEnvIni *ini, const char *root, const char *version)
{
  begin_file (ini, version);
  kymo_env_machine (ini, root);
  kymo_env_mounts (ini, root);
  end_file (ini);
}

/* The processors of a set as `0-3,8`. */
static void
put_processors (KymoEnvIni *ini)
{
  static const char *const key = "processors";
  size_t size = CPU_ALLOC_SIZE (MOST_PROCESSORS);
  cpu_set_t set[MOST_PROCESSORS / CPU_SETSIZE];
  char bytes[KYMO_ENV_TEXT_BYTES];
  KymoNodeText text;

  CPU_ZERO_S (size, set);
  if (sched_getaffinity (0, size, set) < 0)
    return;
  kymo_node_text_init (&text, bytes, sizeof bytes);
  for (int cpu = 0, last; cpu < MOST_PROCESSORS; cpu = last + 1)
    {
      last = cpu;
      if (!CPU_ISSET_S (cpu, size, set))
        continue;
      while (last + 1 < MOST_PROCESSORS && CPU_ISSET_S (last + 1, size, set))
        last++;
      kymo_node_text_printf (&text, "%s%d", text.length > 0 ? "," : "", cpu);
      if (last > cpu)
        kymo_node_text_printf (&text, "-%d", last);
    }
  kymo_env_ini_text (ini, key, text.data);
}

static void
put_memory_nodes (KymoEnvIni *ini, const char *root)
{
  char bytes[8192];
  ssize_t length = kymo_node_read (root, "/proc/self/status", bytes, sizeof bytes);
  KymoNodeWord rest = kymo_node_word (bytes, length > 0 ? (size_t) length : 0), line, key, value;

  while (kymo_node_next_line (&rest, &line))
    if (kymo_node_next_word (&line, &key) && kymo_node_word_is (key, "Mems_allowed_list:")
        && kymo_node_next_word (&line, &value))
      kymo_env_ini_word (ini, "memory-nodes", value);
}

static void
put_scheduling (KymoEnvIni *ini)
{
  int nice, policy = sched_getscheduler (0) & ~SCHED_RESET_ON_FORK;

  errno = 0;
  nice = getpriority (PRIO_PROCESS, 0);
  if (errno == 0)
    kymo_env_ini_printf (ini, "nice", "%d", nice);
  kymo_env_ini_text (ini, "policy", policy == SCHED_OTHER ? "other" : policy == SCHED_FIFO ? "fifo"
                     : policy == SCHED_RR ? "rr" : policy == SCHED_BATCH ? "batch"
                     : policy == SCHED_IDLE ? "idle" : NULL);
}

/** kymo_env_process: writes the group of this process; @rank is that in MPI_COMM_WORLD or -1. */
void
kymo_env_process (KymoEnvIni *ini, const char *root, int rank)
{
  KymoNodeCgroup cgroup;
  char group[64];
  uint64_t limit;

  snprintf (group, sizeof group, "Process %ld", (long) getpid ());
  kymo_env_ini_group (ini, group, "Process");
  if (rank >= 0)
    kymo_env_ini_printf (ini, "rank", "%d", rank);
  put_processors (ini);
  put_memory_nodes (ini, root);
  put_scheduling (ini);
  kymo_node_cgroup_find (&cgroup, root);
  kymo_env_ini_text (ini, "cgroup", cgroup.cpu[0] != '\0' ? cgroup.cpu : cgroup.unified);
  limit = kymo_node_cgroup_memory_limit (&cgroup, root);
  if (limit > 0)
    kymo_env_ini_printf (ini, "memory-limit-bytes", "%llu", (unsigned long long) limit);
  limit = kymo_node_cgroup_cpu_limit (&cgroup, root);
  if (limit > 0)
    kymo_env_ini_printf (ini, "cpu-limit", "%llu.%03llu", (unsigned long long) limit / 1000,
                         (unsigned long long) limit % 1000);
}

static bool
write_whole (int fd, const char *bytes, size_t length)
{
  while (length > 0)
    {
      ssize_t n = write (fd, bytes, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return false;
      bytes += n;
      length -= (size_t) n;
    }
  return true;
}

/** kymo_env_save: appends what was written to the file @path with one call, so that several
 * processes may append to a file of the same node; makes it if need be, readable by its owner.
 * Returns: false with errno if that fails. */
bool
kymo_env_save (const KymoEnvIni *ini, const char *path)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  bool good;

  if (fd < 0)
    return false;
  good = write_whole (fd, ini->ini.data, ini->ini.length);
  if (close (fd) < 0)
    good = false;
  return good;
}
