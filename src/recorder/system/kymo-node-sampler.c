/* kymo-node-sampler.c: samples of a node and of the processes that are recorded there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-node-sampler.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* OTF2_METRIC_ACCUMULATED_START and OTF2_METRIC_ABSOLUTE_POINT. */
#define MODE_COUNTER 0
#define MODE_LEVEL 17

/* The files of a node. */
static const struct
{
  const KymoNodeForm *form;
  const char *path;
} node_files[] = {
  { &kymo_node_pressure_cpu, "/proc/pressure/cpu" },
  { &kymo_node_pressure_memory, "/proc/pressure/memory" },
  { &kymo_node_pressure_io, "/proc/pressure/io" },
  { &kymo_node_stat, "/proc/stat" },
  { &kymo_node_vmstat, "/proc/vmstat" },
  { &kymo_node_meminfo, "/proc/meminfo" },
  { &kymo_node_disks, "/proc/diskstats" },
  { &kymo_node_network, "/proc/self/net/dev" },
  { &kymo_node_nfs, "/proc/self/mountstats" },
  { &kymo_node_nfsd, "/proc/net/rpc/nfsd" },
  { &kymo_node_nfsd_pools, "/proc/fs/nfsd/pool_stats" },
};

/* The files of a control group. */
static const struct
{
  const KymoNodeForm *form;
  size_t folder;                /* offset in KymoNodeCgroup */
  const char *name;
} group_files[] = {
#define OF(folder) offsetof (KymoNodeCgroup, folder)
  { &kymo_node_job_pressure_cpu, OF (unified), "cpu.pressure" },
  { &kymo_node_job_pressure_memory, OF (unified), "memory.pressure" },
  { &kymo_node_job_pressure_io, OF (unified), "io.pressure" },
  { &kymo_node_job_cpu, OF (unified), "cpu.stat" },
  { &kymo_node_job_memory, OF (unified), "memory.current" },
  { &kymo_node_job_swap, OF (unified), "memory.swap.current" },
  { &kymo_node_job_events, OF (unified), "memory.events" },
  { &kymo_node_job_io, OF (unified), "io.stat" },
  { &kymo_node_job_cpu_v1, OF (cpu), "cpu.stat" },
  { &kymo_node_job_used_v1, OF (cpuacct), "cpuacct.usage" },
  { &kymo_node_job_memory_v1, OF (memory), "memory.usage_in_bytes" },
  { &kymo_node_job_fails_v1, OF (memory), "memory.failcnt" },
  { &kymo_node_job_io_v1, OF (blkio), "blkio.throttle.io_service_bytes" },
#undef OF
};

/** kymo_node_sampler_lost: says that @what is not sampled, and @why. */
void
kymo_node_sampler_lost (KymoNodeSampler *sampler, const char *what, const char *why)
{
  char kind[128];

  snprintf (kind, sizeof kind, "system-%s", what);
  sampler->sink.lost (kind, why, sampler->sink.data);
}

static const char *
reason_of (int code)
{
  switch (code)
    {
    case ENOENT: return "this machine does not have it";
    case EACCES:
    case EPERM: return "it is not readable for this user";
    case EOPNOTSUPP: return "the kernel was started without it";
    default: return "it cannot be read";
    }
}

static bool
add_source (KymoNodeSampler *sampler, const KymoNodeForm *form, const char *path)
{
  KymoNodeSource *source = &sampler->sources[sampler->n_sources];
  ssize_t length;

  if (sampler->n_sources == KYMO_NODE_MOST_SOURCES
      || !kymo_node_file_open (&source->file, sampler->root, path))
    return false;
  length = kymo_node_file_read (&source->file, sampler->buffer, sizeof sampler->buffer);
  if (length < 0)
    {
      int code = errno;

      kymo_node_file_close (&source->file);
      errno = code;
      return false;
    }
  source->form = form;
  sampler->n_sources++;
  return true;
}

static void
open_groups (KymoNodeSampler *sampler)
{
  bool any = false;

  kymo_node_cgroup_find (&sampler->cgroup, sampler->root);
  for (size_t i = 0; i < sizeof group_files / sizeof group_files[0]; i++)
    {
      const char *folder = (const char *) &sampler->cgroup + group_files[i].folder;
      char path[KYMO_NODE_PATH + 64];

      if (folder[0] == '\0'
          || (folder == sampler->cgroup.unified && sampler->cgroup.of_machine))
        continue;
      snprintf (path, sizeof path, "%s/%s", folder, group_files[i].name);
      any |= add_source (sampler, group_files[i].form, path);
    }
  if (!any)
    kymo_node_sampler_lost (sampler, "job", "the job has no control group that can be read");
  else if (sampler->cgroup.of_machine)
    kymo_node_sampler_lost (sampler, "job-pressure",
                            "the job has no control group of version 2 of its own");
}

/** kymo_node_sampler_open: finds what can be sampled behind @root, which stays the caller's, and
 * tells @sink what cannot. @sampler is zeroed memory of the caller. */
void
kymo_node_sampler_open (KymoNodeSampler *sampler, const char *root, const KymoNodeSink *sink)
{
  sampler->root = root;
  sampler->sink = *sink;
  for (size_t i = 0; i < sizeof node_files / sizeof node_files[0]; i++)
    if (!add_source (sampler, node_files[i].form, node_files[i].path))
      kymo_node_sampler_lost (sampler, node_files[i].form->id, reason_of (errno));
  open_groups (sampler);
  kymo_node_sampler_open_ports (sampler);
  kymo_node_sampler_open_cpus (sampler);
  kymo_node_numa_open (sampler);
}

static bool
are_zero (const KymoNodeValues *values)
{
  for (unsigned i = 0; i < KYMO_NODE_MOST_VALUES; i++)
    if ((values->present & 1u << i) != 0 && values->values[i] != 0)
      return false;
  return true;
}

static void
define_series (KymoNodeSampler *sampler, KymoNodeSeries *series, const char *scope)
{
  const KymoNodeForm *form = series->form;
  char bytes[4096];
  KymoNodeText members;

  kymo_node_text_init (&members, bytes, sizeof bytes);
  for (unsigned i = 0; i < form->n_members; i++)
    if ((series->present & 1u << i) != 0)
      kymo_node_text_printf (&members, "%s%s;%s;u64;%d", members.length > 0 ? "\t" : "",
                             form->members[i].name, form->members[i].unit,
                             form->members[i].kind == KYMO_NODE_COUNTER ? MODE_COUNTER
                                                                        : MODE_LEVEL);
  series->id = sampler->sink.define (scope, members.data, sampler->sink.data);
}

/* The series of a resource; a new one if there is none. What never did anything has none. */
static KymoNodeSeries *
find_series (KymoNodeSampler *sampler, const KymoNodeForm *form, const char *scope,
             KymoNodeWord resource, const KymoNodeValues *values)
{
  KymoNodeSeries *series;
  char name[sizeof series->resource], whole[256];

  kymo_node_word_copy (resource, name, sizeof name);
  for (unsigned i = 0; i < sampler->n_series; i++)
    if (sampler->series[i].form == form && strcmp (sampler->series[i].resource, name) == 0)
      return &sampler->series[i];
  if (scope == NULL && resource.length > 0 && are_zero (values))
    return NULL;
  if (sampler->n_series == KYMO_NODE_MOST_SERIES)
    {
      if (!sampler->full)
        kymo_node_sampler_lost (sampler, form->id, "there are more sources than can be sampled");
      sampler->full = true;
      return NULL;
    }
  series = &sampler->series[sampler->n_series++];
  series->form = form;
  series->present = values->present;
  memcpy (series->last, values->values, sizeof series->last);
  strcpy (series->resource, name);
  if (scope == NULL && form->resource == NULL)
    scope = "node";
  else if (scope == NULL)
    {
      snprintf (whole, sizeof whole, "%s%s%s", form->resource, name[0] != '\0' ? " " : "", name);
      scope = whole;
    }
  define_series (sampler, series, scope);
  return series;
}

/** kymo_node_sampler_tell: tells the sink the values of a resource, counters as what they grew
 * since the first sample. A value that is missing stays as it was; a counter that was reset goes
 * on.
 * @scope: of the class, or NULL: made of form and resource
 * @resource: unique among those of the form */
void
kymo_node_sampler_tell (KymoNodeSampler *sampler, const KymoNodeForm *form, const char *scope,
                        KymoNodeWord resource, const KymoNodeValues *values)
{
  KymoNodeSeries *series = find_series (sampler, form, scope, resource, values);
  uint64_t told[KYMO_NODE_MOST_VALUES];
  unsigned n = 0;

  if (series == NULL)
    return;
  for (unsigned i = 0; i < form->n_members; i++)
    {
      uint64_t value = values->values[i];

      if ((series->present & 1u << i) == 0)
        continue;
      if ((values->present & 1u << i) == 0)
        value = series->last[i];
      if (form->members[i].kind == KYMO_NODE_COUNTER && value > series->last[i])
        series->sum[i] += value - series->last[i];
      series->last[i] = value;
      told[n++] = form->members[i].kind == KYMO_NODE_COUNTER ? series->sum[i] : value;
    }
  sampler->sink.sample (series->id, told, n, sampler->sink.data);
}

typedef struct
{
  KymoNodeSampler *sampler;
  const KymoNodeForm *form;
} Finding;

/* Whether a disk stands on other disks of the list, or in memory. */
static bool
is_virtual (KymoNodeWord disk)
{
  static const char *const names[] = { "dm-", "md", "loop", "ram", "zram", "nbd", "drbd" };

  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (kymo_node_word_begins (disk, names[i]))
      return true;
  return false;
}

static void
take_found (KymoNodeWord resource, const KymoNodeValues *values, void *data)
{
  Finding *finding = data;

  if (finding->form == &kymo_node_disks && !is_virtual (resource))
    {
      finding->sampler->disk_read += values->values[1];
      finding->sampler->disk_written += values->values[4];
    }
  kymo_node_sampler_tell (finding->sampler, finding->form, NULL, resource, values);
}

/* What the processes of the run moved to and from disks, and what the disks moved beyond that. */
static void
tell_traffic (KymoNodeSampler *sampler)
{
  KymoNodeValues now = { { sampler->own_read, sampler->own_written, sampler->disk_read,
                           sampler->disk_written }, 15 };
  KymoNodeValues told = { .present = 15 };

  if (!sampler->traffic_begun)
    sampler->traffic_begin = now;
  sampler->traffic_begun = true;
  for (int i = 0; i < 4; i++)
    told.values[i] = now.values[i] > sampler->traffic_begin.values[i]
                     ? now.values[i] - sampler->traffic_begin.values[i] : 0;
  for (int i = 0; i < 2; i++)
    told.values[2 + i] -= told.values[i] < told.values[2 + i] ? told.values[i] : told.values[2 + i];
  kymo_node_sampler_tell (sampler, &kymo_node_traffic, NULL, kymo_node_word ("", 0), &told);
}

/** kymo_node_sampler_sample: reads all sources and tells the sink what they say now. */
void
kymo_node_sampler_sample (KymoNodeSampler *sampler)
{
  sampler->disk_read = sampler->disk_written = 0;
  for (unsigned i = 0; i < sampler->n_sources; i++)
    {
      KymoNodeSource *source = &sampler->sources[i];
      Finding finding = { sampler, source->form };
      ssize_t length = kymo_node_file_read (&source->file, sampler->buffer, sizeof sampler->buffer);

      if (length > 0)
        source->form->parse (source->form, kymo_node_word (sampler->buffer, (size_t) length),
                             take_found, &finding);
      else if (source->file.fd >= 0)
        {
          kymo_node_sampler_lost (sampler, source->form->id, "it could not be read any more");
          kymo_node_file_close (&source->file);
        }
    }
  kymo_node_sampler_ports (sampler);
  kymo_node_sampler_cpus (sampler);
  kymo_node_sampler_processes (sampler);
  kymo_node_sampler_numa (sampler);
  tell_traffic (sampler);
}

/** kymo_node_sampler_close: closes all files of @sampler. */
void
kymo_node_sampler_close (KymoNodeSampler *sampler)
{
  for (unsigned i = 0; i < sampler->n_sources; i++)
    kymo_node_file_close (&sampler->sources[i].file);
  for (unsigned i = 0; i < sampler->n_ports; i++)
    for (unsigned j = 0; j < kymo_node_infiniband.n_members; j++)
      kymo_node_file_close (&sampler->port_files[i][j]);
  for (unsigned i = 0; i < sampler->n_cpus; i++)
    {
      kymo_node_file_close (&sampler->frequencies[i]);
      kymo_node_file_close (&sampler->throttles[i]);
    }
}
