/* kymo-node-ganesha.h: what the NFS server nfs-ganesha, which is a program, counts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It tells on the system bus (D-Bus), so this is for the agent alone: a recorded
 * program speaks to no bus. Nothing is allocated; an answer is waited for at most
 * KYMO_NODE_GANESHA_WAIT_MS. What comes from the bus is not believed.
 */

#pragma once

#include "kymo-node-sampler.h"

#define KYMO_NODE_GANESHA_WAIT_MS 500
#define KYMO_NODE_GANESHA_BYTES (64 << 10)

typedef struct
{
  int fd;                       /* of the bus; below 0: closed */
  uint32_t serial;              /* of the last call */
  bool said_late;
  size_t n_bytes;               /* that came and were not taken yet */
  char bytes[KYMO_NODE_GANESHA_BYTES];
} KymoNodeGanesha;

void kymo_node_ganesha_open (KymoNodeGanesha *ganesha, KymoNodeSampler *sampler);
void kymo_node_ganesha_sample (KymoNodeGanesha *ganesha, KymoNodeSampler *sampler);
void kymo_node_ganesha_close (KymoNodeGanesha *ganesha);

/* For tests: what an answer of the server says. */
bool kymo_node_ganesha_take_io (const char *signature, const char *body, size_t length,
                                KymoNodeValues *values);
bool kymo_node_ganesha_take_requests (const char *signature, const char *body, size_t length,
                                      KymoNodeValues *values);
