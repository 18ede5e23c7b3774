/* kymo-node-devices.c: ports of InfiniBand and frequencies of processors
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-node-folder.h"
#include "kymo-node-sampler.h"

typedef struct
{
  KymoNodeSampler *sampler;
  char device[96];
} Walk;

/* Opens the counters of a port; one of them is enough. */
static void
add_port (const char *name, void *data)
{
  Walk *walk = data;
  KymoNodeSampler *sampler = walk->sampler;
  bool any = false;

  if (sampler->n_ports == KYMO_NODE_MOST_PORTS)
    return;
  for (unsigned i = 0; i < kymo_node_infiniband.n_members; i++)
    {
      char path[512];

      snprintf (path, sizeof path, "/sys/class/infiniband/%s/ports/%s/counters/%s", walk->device,
                name, kymo_node_infiniband.members[i].key);
      any |= kymo_node_file_open (&sampler->port_files[sampler->n_ports][i], sampler->root, path);
    }
  if (any)
    snprintf (sampler->ports[sampler->n_ports++], sizeof sampler->ports[0], "%s/%s", walk->device,
              name);
}

static void
add_device (const char *name, void *data)
{
  Walk walk = { .sampler = data };
  char path[256];

  if (strlen (name) >= sizeof walk.device)
    return;
  strcpy (walk.device, name);
  snprintf (path, sizeof path, "/sys/class/infiniband/%s/ports", name);
  kymo_node_folder_walk (walk.sampler->root, path, add_port, &walk);
}

/** kymo_node_sampler_open_ports: finds the ports of InfiniBand adapters. */
void
kymo_node_sampler_open_ports (KymoNodeSampler *sampler)
{
  kymo_node_folder_walk (sampler->root, "/sys/class/infiniband", add_device, sampler);
  if (sampler->n_ports == 0)
    kymo_node_sampler_lost (sampler, "infiniband", "this machine has no InfiniBand adapter");
}

static bool
read_number (const KymoNodeFile *file, uint64_t *number)
{
  char text[64];
  ssize_t length = kymo_node_file_read (file, text, sizeof text);

  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
    length--;
  return length > 0 && kymo_node_number (kymo_node_word (text, (size_t) length), number);
}

/** kymo_node_sampler_ports: tells the counters of all ports. */
void
kymo_node_sampler_ports (KymoNodeSampler *sampler)
{
  for (unsigned port = 0; port < sampler->n_ports; port++)
    {
      KymoNodeValues values = { .present = 0 };

      for (unsigned i = 0; i < kymo_node_infiniband.n_members; i++)
        {
          uint64_t factor = kymo_node_infiniband.members[i].factor;

          if (!read_number (&sampler->port_files[port][i], &values.values[i]))
            continue;
          values.present |= 1u << i;
          if (__builtin_mul_overflow (values.values[i], factor, &values.values[i]))
            values.values[i] = UINT64_MAX;
        }
      if (values.present != 0)
        kymo_node_sampler_tell (sampler, &kymo_node_infiniband, NULL,
                                kymo_node_word (sampler->ports[port],
                                                strlen (sampler->ports[port])),
                                &values);
    }
}

/* How many processors there may be, from `0-127`. */
static long
count_processors (const char *root)
{
  char line[256];
  const char *last;

  if (kymo_node_read_line (root, "/sys/devices/system/cpu/possible", line, sizeof line) <= 0)
    return 0;
  last = line + strlen (line);
  while (last > line && last[-1] >= '0' && last[-1] <= '9')
    last--;
  return strtol (last, NULL, 10) + 1;
}

/** kymo_node_sampler_open_cpus: opens the frequencies of some processors, spread evenly. */
void
kymo_node_sampler_open_cpus (KymoNodeSampler *sampler)
{
  long n = count_processors (sampler->root);
  long step = (n + KYMO_NODE_MOST_CPUS - 1) / KYMO_NODE_MOST_CPUS;
  bool any = false;

  for (long cpu = 0; cpu < n && sampler->n_cpus < KYMO_NODE_MOST_CPUS; cpu += step)
    {
      char path[256];
      unsigned i = sampler->n_cpus++;

      snprintf (path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cpufreq/scaling_cur_freq", cpu);
      any |= kymo_node_file_open (&sampler->frequencies[i], sampler->root, path);
      snprintf (path, sizeof path,
                "/sys/devices/system/cpu/cpu%ld/thermal_throttle/core_throttle_count", cpu);
      kymo_node_file_open (&sampler->throttles[i], sampler->root, path);
    }
  if (any || sampler->n_sources == KYMO_NODE_MOST_SOURCES)
    return;
  if (kymo_node_file_open (&sampler->sources[sampler->n_sources].file, sampler->root,
                           "/proc/cpuinfo"))
    sampler->sources[sampler->n_sources++].form = &kymo_node_cpuinfo;
  else
    kymo_node_sampler_lost (sampler, "frequency", "the kernel does not tell frequencies");
}

/** kymo_node_sampler_cpus: tells frequencies and throttling. */
void
kymo_node_sampler_cpus (KymoNodeSampler *sampler)
{
  KymoNodeValues frequency = { { UINT64_MAX, 0, 0 }, 7 }, throttle = { .present = 0 };
  uint64_t sum = 0, n = 0, number;

  for (unsigned i = 0; i < sampler->n_cpus; i++)
    {
      if (read_number (&sampler->frequencies[i], &number) && number < UINT32_MAX)
        {
          number *= kymo_node_frequency.members[0].factor;
          sum += number;
          n++;
          if (number < frequency.values[0])
            frequency.values[0] = number;
          if (number > frequency.values[2])
            frequency.values[2] = number;
        }
      if (read_number (&sampler->throttles[i], &number))
        {
          throttle.values[0] += number;
          throttle.present = 1;
        }
    }
  if (n > 0)
    {
      frequency.values[1] = sum / n;
      kymo_node_sampler_tell (sampler, &kymo_node_frequency, NULL, kymo_node_word ("", 0),
                              &frequency);
    }
  if (throttle.present != 0)
    kymo_node_sampler_tell (sampler, &kymo_node_throttle, NULL, kymo_node_word ("", 0), &throttle);
}
