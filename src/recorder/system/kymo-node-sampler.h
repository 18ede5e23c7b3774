/* kymo-node-sampler.h: samples of a node and of the processes that are recorded there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sampler looks for all sources that it knows, says which are absent, and
 * tells the values of the others each time it is asked. It allocates nothing:
 * the caller gives one zeroed piece of memory. Reading never waits and needs no
 * privileges. One thread calls, which should have its own table of descriptors
 * (kymo_node_own_descriptors ()).
 */

#pragma once

#include <sys/types.h>

#include "kymo-node-cgroup.h"
#include "kymo-node-file.h"
#include "kymo-node-form.h"

/* Where classes, values and absences go. */
typedef struct
{
  /* @scope and @members as in the line `class` of raw/kymo-raw.h; the members have tabs between
   * them. Returns the id of the class. */
  uint32_t (*define) (const char *scope, const char *members, void *data);
  void (*sample) (uint32_t id, const uint64_t *values, unsigned n, void *data);
  void (*lost) (const char *kind, const char *why, void *data);
  void *data;
} KymoNodeSink;

#define KYMO_NODE_MOST_SERIES 512
#define KYMO_NODE_MOST_SOURCES 48
#define KYMO_NODE_MOST_PROCESSES 256
#define KYMO_NODE_MOST_THREADS 128
#define KYMO_NODE_MOST_PORTS 16
#define KYMO_NODE_MOST_CPUS 16
#define KYMO_NODE_MOST_NUMA 64
#define KYMO_NODE_MOST_NUMA_CPUS 4096
#define KYMO_NODE_BUFFER (256 << 10)

/* The values of one resource, from one file. */
typedef struct
{
  const KymoNodeForm *form;
  char resource[128];
  uint32_t id;                  /* of the class */
  uint32_t present;             /* members of the class */
  uint64_t last[KYMO_NODE_MOST_VALUES];
  uint64_t sum[KYMO_NODE_MOST_VALUES];
} KymoNodeSeries;

typedef struct
{
  const KymoNodeForm *form;
  KymoNodeFile file;
} KymoNodeSource;

typedef struct
{
  pid_t tid;
  uint64_t last[5];
} KymoNodeThread;

typedef struct
{
  pid_t pid;
  uint64_t begin;               /* start time: another process may get the number */
  bool own;                     /* the process that samples */
  bool said;                    /* that it has too many threads */
  uint64_t sums[5];             /* of all threads, the ended ones included */
  unsigned n_threads;
  KymoNodeThread threads[KYMO_NODE_MOST_THREADS];
} KymoNodeProcess;

/* Of kymo-node-numa.c. */
typedef struct
{
  const char *root;
  unsigned n_nodes, n_samples;
  uint64_t next_ns;             /* when it may look again */
  uint8_t node_of_cpu[KYMO_NODE_MOST_NUMA_CPUS];        /* plus one; 0: not known */
} KymoNodeNuma;

typedef struct
{
  const char *root;
  KymoNodeSink sink;
  KymoNodeCgroup cgroup;
  unsigned n_series, n_sources, n_processes, n_ports, n_cpus;
  bool full;                    /* said that there are too many series */
  uint64_t disk_read, disk_written, own_read, own_written;
  KymoNodeNuma numa;
  KymoNodeValues traffic_begin;
  bool traffic_begun;
  char ports[KYMO_NODE_MOST_PORTS][192];
  KymoNodeFile port_files[KYMO_NODE_MOST_PORTS][KYMO_NODE_MOST_VALUES];
  KymoNodeFile frequencies[KYMO_NODE_MOST_CPUS];
  KymoNodeFile throttles[KYMO_NODE_MOST_CPUS];
  KymoNodeSource sources[KYMO_NODE_MOST_SOURCES];
  KymoNodeSeries series[KYMO_NODE_MOST_SERIES];
  KymoNodeProcess processes[KYMO_NODE_MOST_PROCESSES];
  char buffer[KYMO_NODE_BUFFER];
} KymoNodeSampler;

void kymo_node_sampler_open (KymoNodeSampler *sampler, const char *root, const KymoNodeSink *sink);
void kymo_node_sampler_add (KymoNodeSampler *sampler, pid_t pid, bool own);
void kymo_node_sampler_sample (KymoNodeSampler *sampler);
void kymo_node_sampler_close (KymoNodeSampler *sampler);

/* For the parts of the sampler. */
void kymo_node_sampler_tell (KymoNodeSampler *sampler, const KymoNodeForm *form,
                             const char *scope, KymoNodeWord resource,
                             const KymoNodeValues *values);
void kymo_node_sampler_lost (KymoNodeSampler *sampler, const char *what, const char *why);
void kymo_node_sampler_processes (KymoNodeSampler *sampler);
void kymo_node_sampler_open_ports (KymoNodeSampler *sampler);
void kymo_node_sampler_ports (KymoNodeSampler *sampler);
void kymo_node_sampler_open_cpus (KymoNodeSampler *sampler);
void kymo_node_sampler_cpus (KymoNodeSampler *sampler);
void kymo_node_sampler_numa (KymoNodeSampler *sampler);
void kymo_node_numa_open (KymoNodeSampler *sampler);
void kymo_node_parse_numa (KymoNodeWord maps, uint64_t *bytes);
