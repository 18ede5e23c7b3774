/* kymo-node-numa.c: memory of recorded processes on other NUMA nodes than their threads are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * On a machine with one NUMA node nothing is read. The kernel walks over all pages of a process for
 * numa_maps, and page faults of the process wait meanwhile: looks are so rare that they take at
 * most a hundredth of the time. Memory of the process alone counts, not that of files.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kymo-node-folder.h"
#include "kymo-node-sampler.h"

#define MOST_NODES KYMO_NODE_MOST_NUMA
#define LEAST_WAIT_NS UINT64_C (1000000000)
#define RARITY 100              /* times as long as a look took */
#define FIRST_LOOK 3            /* sample: what comes before is start-up */
/* The processor of a thread, in the words behind its name. */
#define COLUMN_PROCESSOR 36

/* Calls @take for each number of a list as `0-3,8`, up to @most. */
static void
walk_list (const char *list, long most, void (*take) (KymoNodeNuma *numa, long number, long data),
           KymoNodeNuma *numa, long data)
{
  while (*list >= '0' && *list <= '9')
    {
      char *end;
      long first = strtol (list, &end, 10);
      long last = *end == '-' ? strtol (end + 1, &end, 10) : first;

      for (long number = first; number <= last && number < most; number++)
        take (numa, number, data);
      list = *end == ',' ? end + 1 : end;
    }
}

static void
set_node (KymoNodeNuma *numa, long cpu, long node)
{
  numa->node_of_cpu[cpu] = (uint8_t) (node + 1);
}

static void
open_node (KymoNodeNuma *numa, long node, long data)
{
  char path[128], cpus[4096];

  (void) data;
  snprintf (path, sizeof path, "/sys/devices/system/node/node%ld/cpulist", node);
  numa->n_nodes++;
  if (kymo_node_read_line (numa->root, path, cpus, sizeof cpus) > 0)
    walk_list (cpus, KYMO_NODE_MOST_NUMA_CPUS, set_node, numa, node);
}

/** kymo_node_numa_open: finds out which processors are of which NUMA node. */
void
kymo_node_numa_open (KymoNodeSampler *sampler)
{
  char online[4096];

  sampler->numa.root = sampler->root;
  if (kymo_node_read_line (sampler->root, "/sys/devices/system/node/online", online,
                           sizeof online) > 0)
    walk_list (online, MOST_NODES, open_node, &sampler->numa, 0);
}

/* Adds the pages of a line: `7f… default anon=512 dirty=512 N0=500 N1=12 kernelpagesize_kB=4`. */
static void
add_line (KymoNodeWord line, uint64_t *bytes)
{
  uint64_t pages[MOST_NODES] = { 0 }, page_kib = 4, number;
  bool is_own = false;
  KymoNodeWord word;

  while (kymo_node_next_word (&line, &word))
    {
      const char *equals = memchr (word.at, '=', word.length);
      KymoNodeWord value = { 0 };

      if (equals == NULL)
        continue;
      value = kymo_node_word (equals + 1, (size_t) (word.at + word.length - equals - 1));
      if (!kymo_node_number (value, &number))
        continue;
      is_own |= kymo_node_word_begins (word, "anon=");
      if (kymo_node_word_begins (word, "kernelpagesize_kB=") && number <= 1u << 24)
        page_kib = number;
      if (word.at[0] == 'N' && word.at[1] >= '0' && word.at[1] <= '9')
        {
          unsigned long node = strtoul (word.at + 1, NULL, 10);

          if (node < MOST_NODES && number <= UINT64_C (1) << 32)
            pages[node] += number;
        }
    }
  for (unsigned node = 0; node < MOST_NODES && is_own; node++)
    bytes[node] += pages[node] * page_kib * 1024;
}

/** kymo_node_parse_numa: adds the bytes that a process has on each NUMA node, from the whole lines
 * of its numa_maps.
 * @bytes: KYMO_NODE_MOST_NUMA numbers */
void
kymo_node_parse_numa (KymoNodeWord maps, uint64_t *bytes)
{
  KymoNodeWord line;

  while (kymo_node_next_line (&maps, &line))
    add_line (line, bytes);
}

typedef struct
{
  const KymoNodeSampler *sampler;
  pid_t pid;
  uint64_t n[MOST_NODES];       /* threads on each node */
} Threads;

static void
count_thread (const char *name, void *data)
{
  Threads *threads = data;
  char path[128], text[2048];
  KymoNodeWord line, word = { 0 };
  const char *end;
  uint64_t cpu;
  ssize_t length;

  snprintf (path, sizeof path, "/proc/%ld/task/%.20s/stat", (long) threads->pid, name);
  length = kymo_node_read (threads->sampler->root, path, text, sizeof text);
  end = length > 0 ? memrchr (text, ')', (size_t) length) : NULL;
  if (end == NULL || memmem (text, (size_t) length, "(kymo-", 6) != NULL)
    return;
  line = kymo_node_word (end + 1, (size_t) (text + length - end - 1));
  for (int i = 0; i <= COLUMN_PROCESSOR; i++)
    if (!kymo_node_next_word (&line, &word))
      return;
  if (kymo_node_number (word, &cpu) && cpu < KYMO_NODE_MOST_NUMA_CPUS
      && threads->sampler->numa.node_of_cpu[cpu] > 0)
    threads->n[threads->sampler->numa.node_of_cpu[cpu] - 1]++;
}

static uint64_t
monotonic_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/* Whole lines of the file, as many as there is room for. */
static KymoNodeWord
read_maps (KymoNodeSampler *sampler, pid_t pid)
{
  char path[64];
  const char *end;
  ssize_t length;

  snprintf (path, sizeof path, "/proc/%ld/numa_maps", (long) pid);
  length = kymo_node_read (sampler->root, path, sampler->buffer, sizeof sampler->buffer);
  end = length > 0 ? memrchr (sampler->buffer, '\n', (size_t) length) : NULL;
  return kymo_node_word (sampler->buffer, end != NULL ? (size_t) (end + 1 - sampler->buffer) : 0);
}

/* The kernel does not say which thread uses which memory. The metric is a lower bound of the memory
 * on other nodes: where a node has a larger share of the memory than of the threads, threads of
 * other nodes use the difference. */
static void
look_at_process (KymoNodeSampler *sampler, const KymoNodeProcess *process)
{
  Threads threads = { .sampler = sampler, .pid = process->pid };
  uint64_t bytes[MOST_NODES] = { 0 }, all = 0, away = 0, n_threads = 0;
  KymoNodeValues values = { .present = 3 };
  char path[64], scope[64], resource[32];

  kymo_node_parse_numa (read_maps (sampler, process->pid), bytes);
  snprintf (path, sizeof path, "/proc/%ld/task", (long) process->pid);
  kymo_node_folder_walk (sampler->root, path, count_thread, &threads);
  for (unsigned node = 0; node < MOST_NODES; node++)
    {
      all += bytes[node];
      n_threads += threads.n[node];
    }
  for (unsigned node = 0; node < MOST_NODES && n_threads > 0; node++)
    {
      uint64_t part = (uint64_t) ((double) all * (double) threads.n[node] / (double) n_threads);

      away += bytes[node] > part ? bytes[node] - part : 0;
    }
  if (all == 0 || n_threads == 0)
    return;
  values.values[0] = all;
  values.values[1] = away;
  snprintf (resource, sizeof resource, "%ld", (long) process->pid);
  snprintf (scope, sizeof scope, process->own ? "process" : "process %ld", (long) process->pid);
  kymo_node_sampler_tell (sampler, &kymo_node_process_numa, scope,
                          kymo_node_word (resource, strlen (resource)), &values);
}

/** kymo_node_sampler_numa: tells where the memory of the processes is, if it is time to look. */
void
kymo_node_sampler_numa (KymoNodeSampler *sampler)
{
  KymoNodeNuma *numa = &sampler->numa;
  uint64_t begin_ns;

  if (numa->n_nodes < 2 || ++numa->n_samples < FIRST_LOOK)
    return;
  begin_ns = monotonic_ns ();
  if (begin_ns < numa->next_ns)
    return;
  for (unsigned i = 0; i < sampler->n_processes; i++)
    look_at_process (sampler, &sampler->processes[i]);
  numa->next_ns = begin_ns + LEAST_WAIT_NS + (monotonic_ns () - begin_ns) * RARITY;
}
