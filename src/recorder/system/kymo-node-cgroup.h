/* kymo-node-cgroup.h: the control group of the job, version 1 and 2
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "kymo-node-text.h"

#define KYMO_NODE_PATH 2048

/* Folders, seen from the root; empty: this controller has none. */
typedef struct
{
  char unified[KYMO_NODE_PATH]; /* version 2 */
  char cpu[KYMO_NODE_PATH];     /* version 1 */
  char cpuacct[KYMO_NODE_PATH];
  char memory[KYMO_NODE_PATH];
  char blkio[KYMO_NODE_PATH];
  bool of_machine;              /* the job has no group of its own: it is in the topmost one */
} KymoNodeCgroup;

bool kymo_node_cgroup_folder (KymoNodeWord cgroup, KymoNodeWord mountinfo, const char *controller,
                              char *folder, size_t size);
void kymo_node_cgroup_find (KymoNodeCgroup *cgroup, const char *root);
uint64_t kymo_node_cgroup_memory_limit (const KymoNodeCgroup *cgroup, const char *root);
uint64_t kymo_node_cgroup_cpu_limit (const KymoNodeCgroup *cgroup, const char *root);
