/* kymo-node-form.h: what files of the kernel tell, as numbers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A form describes one kind of file: the values that it may hold, and how they
 * are found in its bytes. Parsers need no memory, keep nothing and believe
 * nothing: what they do not understand is not there. Any thread may call.
 *
 * Times become nanoseconds and amounts bytes, whatever the file counts in.
 */

#pragma once

#include "kymo-node-text.h"

#define KYMO_NODE_MOST_VALUES 24

typedef enum
{
  KYMO_NODE_COUNTER,            /* grows; told since the first sample */
  KYMO_NODE_LEVEL               /* goes up and down; told as it is */
} KymoNodeKind;

typedef struct
{
  const char *key;              /* the word before the value, or NULL */
  unsigned column;              /* word number behind the key, or of the line; 0 is the first */
  const char *name;             /* what a person reads */
  const char *unit;             /* "ns", "bytes", "Hz" or "#" */
  KymoNodeKind kind;
  uint32_t factor;              /* from the unit of the file to `unit` */
} KymoNodeMember;

/* What a file tells of one resource. */
typedef struct
{
  uint64_t values[KYMO_NODE_MOST_VALUES];       /* in the order of the members */
  uint32_t present;             /* a bit for each member that was found */
} KymoNodeValues;

/* Told each resource of a file; @resource is empty if the file is of one thing alone. */
typedef void (*KymoNodeFound) (KymoNodeWord resource, const KymoNodeValues *values, void *data);

typedef struct KymoNodeForm KymoNodeForm;

struct KymoNodeForm
{
  const char *id;               /* of lines `lost` */
  const char *resource;         /* what it is about, such as "disk"; NULL: the node itself */
  const KymoNodeMember *members;
  unsigned n_members;
  void (*parse) (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found, void *data);
};

extern const KymoNodeForm kymo_node_pressure_cpu, kymo_node_pressure_memory, kymo_node_pressure_io;
extern const KymoNodeForm kymo_node_stat, kymo_node_vmstat, kymo_node_meminfo;
extern const KymoNodeForm kymo_node_disks, kymo_node_network, kymo_node_nfs;
extern const KymoNodeForm kymo_node_nfsd, kymo_node_nfsd_pools, kymo_node_ganesha;
extern const KymoNodeForm kymo_node_infiniband, kymo_node_frequency, kymo_node_throttle;
extern const KymoNodeForm kymo_node_cpuinfo, kymo_node_traffic;

extern const KymoNodeForm kymo_node_job_pressure_cpu, kymo_node_job_pressure_memory;
extern const KymoNodeForm kymo_node_job_pressure_io;
extern const KymoNodeForm kymo_node_job_cpu, kymo_node_job_memory, kymo_node_job_swap;
extern const KymoNodeForm kymo_node_job_events, kymo_node_job_io;
extern const KymoNodeForm kymo_node_job_cpu_v1, kymo_node_job_used_v1, kymo_node_job_memory_v1;
extern const KymoNodeForm kymo_node_job_fails_v1, kymo_node_job_io_v1;

extern const KymoNodeForm kymo_node_process_stat, kymo_node_process_status, kymo_node_process_io;
extern const KymoNodeForm kymo_node_process_schedule, kymo_node_process_numa;

/* The parsers. */
void kymo_node_parse_keyed (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                            void *data);
void kymo_node_parse_numbers (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                              void *data);
void kymo_node_parse_pressure (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                               void *data);
void kymo_node_parse_sums (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                           void *data);
void kymo_node_parse_pools (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                            void *data);
void kymo_node_parse_disks (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                            void *data);
void kymo_node_parse_network (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                              void *data);
void kymo_node_parse_process (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                              void *data);
void kymo_node_parse_mounts (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                             void *data);
void kymo_node_parse_cpuinfo (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                              void *data);
