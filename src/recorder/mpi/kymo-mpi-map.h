/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table from numbers to pointers, for any thread. Memory comes from the recorder's arena and is
 * used again.
 */
#pragma once

#include <stdint.h>

#include "kymo-rec-sys.h"

typedef struct KymoMpiNode KymoMpiNode;

typedef struct
{
  KymoSysLock lock;
  uint32_t n_buckets, n_nodes;
  KymoMpiNode **buckets;
  KymoMpiNode *free;
} KymoMpiMap;

#pragma GCC visibility push (hidden)

void *kymo_mpi_map_get (KymoMpiMap *map,
                        uint64_t    key);
bool  kymo_mpi_map_set (KymoMpiMap *map,
                        uint64_t    key,
                        void       *value);
void *kymo_mpi_map_take (KymoMpiMap *map,
                         uint64_t    key);
uint64_t kymo_mpi_map_count (KymoMpiMap *map,
                             uint64_t    key);

#pragma GCC visibility pop
