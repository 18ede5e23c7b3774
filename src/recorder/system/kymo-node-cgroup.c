/* kymo-node-cgroup.c: the control group of the job, version 1 and 2
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-node-cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kymo-node-file.h"

#define MOUNTINFO_BYTES (256 << 10)
/* No limit, in version 1: a number of this size. */
#define UNLIMITED (UINT64_C (1) << 60)

/* Whether @word stands among the items of @list. */
static bool
has_item (KymoNodeWord list, const char *word)
{
  KymoNodeWord item;

  while (kymo_node_next_field (&list, ',', &item))
    if (kymo_node_word_is (item, word))
      return true;
  return false;
}

/* The path of the process in the hierarchy of a controller, or of version 2 if that is NULL. Slurm
 * makes a group for each step and task: the group of the job is meant. */
static bool
find_path (KymoNodeWord cgroup, const char *controller, KymoNodeWord *path)
{
  KymoNodeWord line, number, controllers;

  while (kymo_node_next_line (&cgroup, &line))
    {
      if (!kymo_node_next_field (&line, ':', &number))
        continue;
      if (line.length > 0 && line.at[0] == ':')
        {
          controllers = kymo_node_word (line.at, 0);
          line = kymo_node_word (line.at + 1, line.length - 1);
        }
      else if (!kymo_node_next_field (&line, ':', &controllers))
        continue;
      if (controller != NULL ? !has_item (controllers, controller)
                             : controllers.length > 0 || !kymo_node_word_is (number, "0"))
        continue;
      *path = line;
      for (size_t i = 0; i + 5 < line.length; i++)
        if (memcmp (line.at + i, "/job_", 5) == 0)
          {
            const char *end = memchr (line.at + i + 1, '/', line.length - i - 1);

            if (end != NULL)
              path->length = (size_t) (end - line.at);
          }
      return true;
    }
  return false;
}

/* The root and the point of the mount of a controller: 36 35 0:30 /root /point … - cgroup x
 * options */
static bool
find_mount (KymoNodeWord mountinfo, const char *controller, KymoNodeWord *root, KymoNodeWord *point)
{
  KymoNodeWord line;

  while (kymo_node_next_line (&mountinfo, &line))
    {
      KymoNodeWord words[5], word, type, source, options;
      int n = 0;

      while (n < 5 && kymo_node_next_word (&line, &words[n]))
        n++;
      while (kymo_node_next_word (&line, &word) && !kymo_node_word_is (word, "-"))
        ;
      if (n < 5 || !kymo_node_next_word (&line, &type) || !kymo_node_next_word (&line, &source)
          || !kymo_node_next_word (&line, &options))
        continue;
      if (controller != NULL ? kymo_node_word_is (type, "cgroup") && has_item (options, controller)
                             : kymo_node_word_is (type, "cgroup2"))
        {
          *root = words[3];
          *point = words[4];
          return true;
        }
    }
  return false;
}

/** kymo_node_cgroup_folder: finds the folder of the control group of a job.
 * @cgroup: the text of /proc/self/cgroup
 * @mountinfo: the text of /proc/self/mountinfo
 * @controller: of version 1, or NULL for version 2
 * @folder: filled with the path, of at most @size bytes with the end
 *
 * Returns: false if the process has none or the path does not fit. */
bool
kymo_node_cgroup_folder (KymoNodeWord cgroup, KymoNodeWord mountinfo, const char *controller,
                         char *folder, size_t size)
{
  KymoNodeWord path, root, point;
  int length;

  folder[0] = '\0';
  if (!find_path (cgroup, controller, &path) || !find_mount (mountinfo, controller, &root, &point))
    return false;
  if (kymo_node_word_is (root, "/"))
    ;
  else if (path.length >= root.length && memcmp (path.at, root.at, root.length) == 0
           && (path.length == root.length || path.at[root.length] == '/'))
    path = kymo_node_word (path.at + root.length, path.length - root.length);
  else
    path = kymo_node_word ("", 0);
  if (kymo_node_word_is (path, "/"))
    path.length = 0;
  length = snprintf (folder, size, "%.*s%.*s", (int) point.length, point.at, (int) path.length,
                     path.at);
  if (length > 0 && length < (int) size)
    return true;
  folder[0] = '\0';
  return false;
}

/** kymo_node_cgroup_find: finds the control group of this process and of its job. */
void
kymo_node_cgroup_find (KymoNodeCgroup *cgroup, const char *root)
{
  char text[8192], type[KYMO_NODE_PATH + 32];
  char *bytes = mmap (NULL, MOUNTINFO_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
  ssize_t length = kymo_node_read (root, "/proc/self/cgroup", text, sizeof text);
  KymoNodeWord paths = kymo_node_word (text, length > 0 ? (size_t) length : 0), mounts, path;

  memset (cgroup, 0, sizeof *cgroup);
  if (bytes == MAP_FAILED)
    return;
  length = kymo_node_read (root, "/proc/self/mountinfo", bytes, MOUNTINFO_BYTES);
  mounts = kymo_node_word (bytes, length > 0 ? (size_t) length : 0);
  kymo_node_cgroup_folder (paths, mounts, NULL, cgroup->unified, sizeof cgroup->unified);
  kymo_node_cgroup_folder (paths, mounts, "cpu", cgroup->cpu, sizeof cgroup->cpu);
  kymo_node_cgroup_folder (paths, mounts, "cpuacct", cgroup->cpuacct, sizeof cgroup->cpuacct);
  kymo_node_cgroup_folder (paths, mounts, "memory", cgroup->memory, sizeof cgroup->memory);
  kymo_node_cgroup_folder (paths, mounts, "blkio", cgroup->blkio, sizeof cgroup->blkio);
  /* A container may see its own group as the topmost; only the machine's has no type. */
  snprintf (type, sizeof type, "%s/cgroup.type", cgroup->unified);
  cgroup->of_machine = !find_path (paths, NULL, &path)
                       || (kymo_node_word_is (path, "/")
                           && kymo_node_read_line (root, type, text, sizeof text) < 0);
  munmap (bytes, MOUNTINFO_BYTES);
}

/* A number in a file of a folder, or UNLIMITED. */
static uint64_t
read_limit (const char *root, const char *folder, const char *file)
{
  char path[KYMO_NODE_PATH + 64], line[64];
  uint64_t limit;
  ssize_t length;

  snprintf (path, sizeof path, "%s/%s", folder, file);
  length = kymo_node_read_line (root, path, line, sizeof line);
  if (length <= 0 || !kymo_node_number (kymo_node_word (line, (size_t) length), &limit)
      || limit > UNLIMITED)
    return UNLIMITED;
  return limit;
}

/** kymo_node_cgroup_memory_limit: the smallest limit of the group and those above it, in bytes, or
 * 0 if there is none. */
uint64_t
kymo_node_cgroup_memory_limit (const KymoNodeCgroup *cgroup, const char *root)
{
  bool unified = cgroup->memory[0] == '\0';
  char folder[KYMO_NODE_PATH];
  uint64_t least = UNLIMITED;
  char *slash;

  strcpy (folder, unified ? cgroup->unified : cgroup->memory);
  while ((slash = strrchr (folder, '/')) != NULL)
    {
      uint64_t limit = read_limit (root, folder, unified ? "memory.max" : "memory.limit_in_bytes");

      least = limit < least ? limit : least;
      *slash = '\0';
    }
  return least < UNLIMITED ? least : 0;
}

/** kymo_node_cgroup_cpu_limit: how many processors the group may use at a time, in thousandths, or
 * 0 if all. */
uint64_t
kymo_node_cgroup_cpu_limit (const KymoNodeCgroup *cgroup, const char *root)
{
  char path[KYMO_NODE_PATH + 64], line[64];
  uint64_t quota = UNLIMITED, period = UNLIMITED;

  if (cgroup->cpu[0] != '\0')
    {
      quota = read_limit (root, cgroup->cpu, "cpu.cfs_quota_us");
      period = read_limit (root, cgroup->cpu, "cpu.cfs_period_us");
    }
  else
    {
      KymoNodeWord rest, words[2];
      ssize_t length;

      snprintf (path, sizeof path, "%s/cpu.max", cgroup->unified);
      length = kymo_node_read_line (root, path, line, sizeof line);
      rest = kymo_node_word (line, length > 0 ? (size_t) length : 0);
      if (!kymo_node_next_word (&rest, &words[0]) || !kymo_node_next_word (&rest, &words[1])
          || !kymo_node_number (words[0], &quota) || !kymo_node_number (words[1], &period))
        return 0;
    }
  if (quota >= UNLIMITED / 1000 || period == 0 || period >= UNLIMITED)
    return 0;
  return (quota * 1000 + period / 2) / period;
}
