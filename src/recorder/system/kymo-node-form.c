/* kymo-node-form.c: the values of each file of the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formats are those of the kernel's documentation: accounting/psi.rst,
 * admin-guide/cgroup-v2.rst and cgroup-v1, admin-guide/iostats.rst,
 * filesystems/proc.rst, ABI/stable/sysfs-class-infiniband,
 * filesystems/nfs/knfsd-stats.rst, include/linux/sunrpc/metrics.h.
 */

#include <stddef.h>

#include "kymo-node-form.h"

#define COUNT KYMO_NODE_COUNTER
#define LEVEL KYMO_NODE_LEVEL
/* /proc counts processor time in hundredths of a second, on every machine (USER_HZ). */
#define TICK_NS 10000000

#define FORM(name, id, resource, members, parse) \
  const KymoNodeForm name = { id, resource, members, sizeof members / sizeof members[0], parse }

static const KymoNodeMember pressure_cpu[] = {
  { "some", 0, "CPU pressure, some", "ns", COUNT, 1000 },
  { "full", 0, "CPU pressure, all", "ns", COUNT, 1000 },
};
static const KymoNodeMember pressure_memory[] = {
  { "some", 0, "memory pressure, some", "ns", COUNT, 1000 },
  { "full", 0, "memory pressure, all", "ns", COUNT, 1000 },
};
static const KymoNodeMember pressure_io[] = {
  { "some", 0, "I/O pressure, some", "ns", COUNT, 1000 },
  { "full", 0, "I/O pressure, all", "ns", COUNT, 1000 },
};
FORM (kymo_node_pressure_cpu, "pressure-cpu", NULL, pressure_cpu, kymo_node_parse_pressure);
FORM (kymo_node_pressure_memory, "pressure-memory", NULL, pressure_memory,
      kymo_node_parse_pressure);
FORM (kymo_node_pressure_io, "pressure-io", NULL, pressure_io, kymo_node_parse_pressure);
FORM (kymo_node_job_pressure_cpu, "job-pressure-cpu", "job", pressure_cpu,
      kymo_node_parse_pressure);
FORM (kymo_node_job_pressure_memory, "job-pressure-memory", "job", pressure_memory,
      kymo_node_parse_pressure);
FORM (kymo_node_job_pressure_io, "job-pressure-io", "job", pressure_io, kymo_node_parse_pressure);

static const KymoNodeMember stat[] = {
  { "cpu", 0, "CPU time, user", "ns", COUNT, TICK_NS },
  { "cpu", 1, "CPU time, nice", "ns", COUNT, TICK_NS },
  { "cpu", 2, "CPU time, kernel", "ns", COUNT, TICK_NS },
  { "cpu", 3, "CPU time, idle", "ns", COUNT, TICK_NS },
  { "cpu", 4, "CPU time, waiting for I/O", "ns", COUNT, TICK_NS },
  { "cpu", 5, "CPU time, interrupts", "ns", COUNT, TICK_NS },
  { "cpu", 6, "CPU time, soft interrupts", "ns", COUNT, TICK_NS },
  { "cpu", 7, "CPU time, taken by the host", "ns", COUNT, TICK_NS },
  { "ctxt", 0, "context switches", "#", COUNT, 1 },
  { "procs_running", 0, "threads that can run", "#", LEVEL, 1 },
  { "procs_blocked", 0, "threads that wait for I/O", "#", LEVEL, 1 },
};
FORM (kymo_node_stat, "stat", NULL, stat, kymo_node_parse_keyed);

static const KymoNodeMember vmstat[] = {
  { "pgfault", 0, "page faults", "#", COUNT, 1 },
  { "pgmajfault", 0, "major page faults", "#", COUNT, 1 },
  { "pswpin", 0, "pages swapped in", "#", COUNT, 1 },
  { "pswpout", 0, "pages swapped out", "#", COUNT, 1 },
  { "oom_kill", 0, "processes killed for memory", "#", COUNT, 1 },
};
FORM (kymo_node_vmstat, "vmstat", NULL, vmstat, kymo_node_parse_keyed);

static const KymoNodeMember meminfo[] = {
  { "MemAvailable", 0, "memory available", "bytes", LEVEL, 1024 },
  { "Cached", 0, "page cache", "bytes", LEVEL, 1024 },
  { "Dirty", 0, "dirty pages", "bytes", LEVEL, 1024 },
  { "Writeback", 0, "pages being written", "bytes", LEVEL, 1024 },
  { "SwapFree", 0, "swap free", "bytes", LEVEL, 1024 },
};
FORM (kymo_node_meminfo, "meminfo", NULL, meminfo, kymo_node_parse_keyed);

static const KymoNodeMember disks[] = {
  { NULL, 3, "reads", "#", COUNT, 1 },
  { NULL, 5, "bytes read", "bytes", COUNT, 512 },
  { NULL, 6, "time of reads", "ns", COUNT, 1000000 },
  { NULL, 7, "writes", "#", COUNT, 1 },
  { NULL, 9, "bytes written", "bytes", COUNT, 512 },
  { NULL, 10, "time of writes", "ns", COUNT, 1000000 },
  { NULL, 11, "requests under way", "#", LEVEL, 1 },
  { NULL, 12, "time busy", "ns", COUNT, 1000000 },
};
FORM (kymo_node_disks, "disks", "disk", disks, kymo_node_parse_disks);

static const KymoNodeMember network[] = {
  { NULL, 0, "bytes received", "bytes", COUNT, 1 },
  { NULL, 1, "packets received", "#", COUNT, 1 },
  { NULL, 2, "faulty packets received", "#", COUNT, 1 },
  { NULL, 3, "received packets dropped", "#", COUNT, 1 },
  { NULL, 8, "bytes sent", "bytes", COUNT, 1 },
  { NULL, 9, "packets sent", "#", COUNT, 1 },
  { NULL, 10, "packets that failed to be sent", "#", COUNT, 1 },
  { NULL, 11, "packets to send dropped", "#", COUNT, 1 },
};
FORM (kymo_node_network, "network", "network", network, kymo_node_parse_network);

/* bytes: normal read and write, direct read and write, server read and write, pages.
 * events: the third is data invalidations. Operations: count, transmissions, timeouts, bytes sent,
 * bytes received, and milliseconds queued, on the way and in all. */
static const KymoNodeMember nfs[] = {
  { "bytes", 0, "bytes read by programs", "bytes", COUNT, 1 },
  { "bytes", 1, "bytes written by programs", "bytes", COUNT, 1 },
  { "bytes", 4, "bytes read from the server", "bytes", COUNT, 1 },
  { "bytes", 5, "bytes written to the server", "bytes", COUNT, 1 },
  { "events", 2, "invalidations of cached data", "#", COUNT, 1 },
  { "READ", 0, "READ requests", "#", COUNT, 1 },
  { "READ", 1, "READ transmissions", "#", COUNT, 1 },
  { "READ", 2, "READ timeouts", "#", COUNT, 1 },
  { "READ", 5, "READ time queued", "ns", COUNT, 1000000 },
  { "READ", 6, "READ time at the server", "ns", COUNT, 1000000 },
  { "READ", 7, "READ time in all", "ns", COUNT, 1000000 },
  { "WRITE", 0, "WRITE requests", "#", COUNT, 1 },
  { "WRITE", 1, "WRITE transmissions", "#", COUNT, 1 },
  { "WRITE", 2, "WRITE timeouts", "#", COUNT, 1 },
  { "WRITE", 5, "WRITE time queued", "ns", COUNT, 1000000 },
  { "WRITE", 6, "WRITE time at the server", "ns", COUNT, 1000000 },
  { "WRITE", 7, "WRITE time in all", "ns", COUNT, 1000000 },
  { "other", 0, "other requests", "#", COUNT, 1 },
  { "other", 2, "other timeouts", "#", COUNT, 1 },
  { "other", 7, "other time in all", "ns", COUNT, 1000000 },
};
FORM (kymo_node_nfs, "nfs", "nfs", nfs, kymo_node_parse_mounts);

static const KymoNodeMember nfsd[] = {
  { "io", 0, "bytes read by clients", "bytes", COUNT, 1 },
  { "io", 1, "bytes written by clients", "bytes", COUNT, 1 },
  { "rpc", 0, "requests", "#", COUNT, 1 },
  { "rpc", 1, "bad requests", "#", COUNT, 1 },
};
FORM (kymo_node_nfsd, "nfsd", "nfs server", nfsd, kymo_node_parse_keyed);

static const KymoNodeMember nfsd_pools[] = {
  { NULL, 1, "packets arrived", "#", COUNT, 1 },
  { NULL, 2, "requests that waited for a thread", "#", COUNT, 1 },
  { NULL, 3, "threads woken", "#", COUNT, 1 },
};
FORM (kymo_node_nfsd_pools, "nfsd-pools", "nfs server", nfsd_pools, kymo_node_parse_pools);

/* What nfs-ganesha tells on the bus, in the order of kymo-node-ganesha.c. */
static const KymoNodeMember ganesha[] = {
  { NULL, 0, "bytes read by clients", "bytes", COUNT, 1 },
  { NULL, 0, "bytes written by clients", "bytes", COUNT, 1 },
  { NULL, 0, "READ requests", "#", COUNT, 1 },
  { NULL, 0, "WRITE requests", "#", COUNT, 1 },
  { NULL, 0, "READ time at the server", "ns", COUNT, 1 },
  { NULL, 0, "WRITE time at the server", "ns", COUNT, 1 },
  { NULL, 0, "requests", "#", COUNT, 1 },
};
FORM (kymo_node_ganesha, "ganesha", "nfs server", ganesha, NULL);

/* Keys are names of files below ports/N/counters. */
static const KymoNodeMember infiniband[] = {
  { "port_rcv_data", 0, "bytes received", "bytes", COUNT, 4 },
  { "port_xmit_data", 0, "bytes sent", "bytes", COUNT, 4 },
  { "port_rcv_packets", 0, "packets received", "#", COUNT, 1 },
  { "port_xmit_packets", 0, "packets sent", "#", COUNT, 1 },
  { "port_xmit_wait", 0, "ticks waited for credit", "#", COUNT, 1 },
  { "port_rcv_errors", 0, "faulty packets received", "#", COUNT, 1 },
  { "port_xmit_discards", 0, "packets discarded", "#", COUNT, 1 },
  { "symbol_error", 0, "symbol faults", "#", COUNT, 1 },
  { "link_error_recovery", 0, "link recoveries", "#", COUNT, 1 },
  { "link_downed", 0, "link failures", "#", COUNT, 1 },
};
FORM (kymo_node_infiniband, "infiniband", "infiniband", infiniband, NULL);

static const KymoNodeMember frequency[] = {
  { NULL, 0, "lowest CPU frequency", "Hz", LEVEL, 1000 },
  { NULL, 1, "mean CPU frequency", "Hz", LEVEL, 1000 },
  { NULL, 2, "highest CPU frequency", "Hz", LEVEL, 1000 },
};
FORM (kymo_node_frequency, "frequency", NULL, frequency, NULL);
static const KymoNodeMember cpuinfo[] = {
  { NULL, 0, "lowest CPU frequency", "Hz", LEVEL, 1000000 },
  { NULL, 1, "mean CPU frequency", "Hz", LEVEL, 1000000 },
  { NULL, 2, "highest CPU frequency", "Hz", LEVEL, 1000000 },
};
FORM (kymo_node_cpuinfo, "cpuinfo", NULL, cpuinfo, kymo_node_parse_cpuinfo);
static const KymoNodeMember throttle[] = {
  { NULL, 0, "CPU throttled for heat", "#", COUNT, 1 },
};
FORM (kymo_node_throttle, "heat", NULL, throttle, NULL);

/* Of all disks, and what of it the processes of the run did. */
static const KymoNodeMember traffic[] = {
  { NULL, 0, "own bytes read", "bytes", COUNT, 1 },
  { NULL, 0, "own bytes written", "bytes", COUNT, 1 },
  { NULL, 0, "others' bytes read", "bytes", COUNT, 1 },
  { NULL, 0, "others' bytes written", "bytes", COUNT, 1 },
};
FORM (kymo_node_traffic, "traffic", NULL, traffic, NULL);

static const KymoNodeMember job_cpu[] = {
  { "usage_usec", 0, "CPU time", "ns", COUNT, 1000 },
  { "nr_periods", 0, "periods of the CPU limit", "#", COUNT, 1 },
  { "nr_throttled", 0, "periods throttled", "#", COUNT, 1 },
  { "throttled_usec", 0, "time throttled", "ns", COUNT, 1000 },
};
FORM (kymo_node_job_cpu, "job-cpu", "job", job_cpu, kymo_node_parse_keyed);
static const KymoNodeMember job_cpu_v1[] = {
  { "nr_periods", 0, "periods of the CPU limit", "#", COUNT, 1 },
  { "nr_throttled", 0, "periods throttled", "#", COUNT, 1 },
  { "throttled_time", 0, "time throttled", "ns", COUNT, 1 },
};
FORM (kymo_node_job_cpu_v1, "job-cpu", "job", job_cpu_v1, kymo_node_parse_keyed);
static const KymoNodeMember job_used_v1[] = { { NULL, 0, "CPU time", "ns", COUNT, 1 } };
FORM (kymo_node_job_used_v1, "job-cpu-time", "job", job_used_v1, kymo_node_parse_numbers);

static const KymoNodeMember job_memory[] = { { NULL, 0, "memory", "bytes", LEVEL, 1 } };
FORM (kymo_node_job_memory, "job-memory", "job", job_memory, kymo_node_parse_numbers);
FORM (kymo_node_job_memory_v1, "job-memory", "job", job_memory, kymo_node_parse_numbers);
static const KymoNodeMember job_swap[] = { { NULL, 0, "swap", "bytes", LEVEL, 1 } };
FORM (kymo_node_job_swap, "job-swap", "job", job_swap, kymo_node_parse_numbers);
static const KymoNodeMember job_events[] = {
  { "high", 0, "times above memory.high", "#", COUNT, 1 },
  { "max", 0, "times at the memory limit", "#", COUNT, 1 },
  { "oom_kill", 0, "processes killed for memory", "#", COUNT, 1 },
};
FORM (kymo_node_job_events, "job-memory-events", "job", job_events, kymo_node_parse_keyed);
static const KymoNodeMember job_fails_v1[] = {
  { NULL, 0, "times at the memory limit", "#", COUNT, 1 },
};
FORM (kymo_node_job_fails_v1, "job-memory-events", "job", job_fails_v1, kymo_node_parse_numbers);

static const KymoNodeMember job_io[] = {
  { "rbytes", 0, "bytes read", "bytes", COUNT, 1 },
  { "wbytes", 0, "bytes written", "bytes", COUNT, 1 },
  { "rios", 0, "reads", "#", COUNT, 1 },
  { "wios", 0, "writes", "#", COUNT, 1 },
};
FORM (kymo_node_job_io, "job-io", "job", job_io, kymo_node_parse_sums);
static const KymoNodeMember job_io_v1[] = {
  { "Read", 0, "bytes read", "bytes", COUNT, 1 },
  { "Write", 0, "bytes written", "bytes", COUNT, 1 },
};
FORM (kymo_node_job_io_v1, "job-io", "job", job_io_v1, kymo_node_parse_sums);

/* Columns behind the name: the state is 0. */
static const KymoNodeMember process_stat[] = {
  { NULL, 7, "page faults", "#", COUNT, 1 },
  { NULL, 9, "major page faults", "#", COUNT, 1 },
  { NULL, 11, "CPU time, user", "ns", COUNT, TICK_NS },
  { NULL, 12, "CPU time, kernel", "ns", COUNT, TICK_NS },
  { NULL, 17, "threads", "#", LEVEL, 1 },
};
FORM (kymo_node_process_stat, "process-stat", "process", process_stat, kymo_node_parse_process);
static const KymoNodeMember process_status[] = {
  { "VmRSS", 0, "memory", "bytes", LEVEL, 1024 },
  { "VmHWM", 0, "most memory", "bytes", LEVEL, 1024 },
  { "VmSwap", 0, "swap", "bytes", LEVEL, 1024 },
};
FORM (kymo_node_process_status, "process-memory", "process", process_status,
      kymo_node_parse_keyed);
static const KymoNodeMember process_io[] = {
  { "rchar", 0, "bytes read by calls", "bytes", COUNT, 1 },
  { "wchar", 0, "bytes written by calls", "bytes", COUNT, 1 },
  { "syscr", 0, "read calls", "#", COUNT, 1 },
  { "syscw", 0, "write calls", "#", COUNT, 1 },
  { "read_bytes", 0, "bytes read from disks", "bytes", COUNT, 1 },
  { "write_bytes", 0, "bytes written to disks", "bytes", COUNT, 1 },
};
FORM (kymo_node_process_io, "process-io", "process", process_io, kymo_node_parse_keyed);
/* Sums over the threads: schedstat is a line of three numbers, the switches stand in status. */
static const KymoNodeMember process_schedule[] = {
  { NULL, 0, "time on a CPU", "ns", COUNT, 1 },
  { NULL, 1, "time waiting for a CPU", "ns", COUNT, 1 },
  { NULL, 2, "turns on a CPU", "#", COUNT, 1 },
  { "voluntary_ctxt_switches", 0, "voluntary context switches", "#", COUNT, 1 },
  { "nonvoluntary_ctxt_switches", 0, "involuntary context switches", "#", COUNT, 1 },
};
FORM (kymo_node_process_schedule, "process-schedule", "process", process_schedule, NULL);
static const KymoNodeMember process_numa[] = {
  { NULL, 0, "memory of its own", "bytes", LEVEL, 1 },
  { NULL, 0, "memory on other NUMA nodes", "bytes", LEVEL, 1 },
};
FORM (kymo_node_process_numa, "process-numa", "process", process_numa, NULL);
