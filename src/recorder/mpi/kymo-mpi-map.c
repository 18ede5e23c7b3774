/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-mpi-map.h"

#include "kymo-rec.h"

#define FIRST_BUCKETS 1024

struct KymoMpiNode
{
  KymoMpiNode *next;
  uint64_t key;
  void *value;
};

static uint64_t
mix_key (uint64_t key)
{
  key = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15u;
  return key ^ (key >> 29);
}

static KymoMpiNode **
find_place (KymoMpiMap *map,
            uint64_t    key)
{
  KymoMpiNode **place = &map->buckets[mix_key (key) & (map->n_buckets - 1)];

  while (*place != NULL && (*place)->key != key)
    place = &(*place)->next;
  return place;
}

/* Room for one more node; the lock is held. */
static bool
make_room (KymoMpiMap *map)
{
  if (map->n_nodes < map->n_buckets)
    return true;
  uint32_t n = map->n_buckets == 0 ? FIRST_BUCKETS : map->n_buckets * 2;
  KymoMpiNode **larger = kymo_rec_arena (n * sizeof *larger);
  if (larger == NULL)
    return map->n_buckets != 0;
  for (uint32_t i = 0; i < map->n_buckets; i++)
    for (KymoMpiNode *node = map->buckets[i], *next; node != NULL; node = next)
      {
        KymoMpiNode **place = &larger[mix_key (node->key) & (n - 1)];
        next = node->next;
        node->next = *place;
        *place = node;
      }
  map->buckets = larger;
  map->n_buckets = n;
  return true;
}

/* The node of a key, made if need be; the lock is held. */
static KymoMpiNode *
node_of (KymoMpiMap *map,
         uint64_t    key)
{
  if (!make_room (map))
    return NULL;
  KymoMpiNode **place = find_place (map, key), *node = *place;
  if (node != NULL)
    return node;
  node = map->free;
  if (node != NULL)
    map->free = node->next;
  else if ((node = kymo_rec_arena (sizeof *node)) == NULL)
    return NULL;
  node->next = NULL;
  node->key = key;
  node->value = NULL;
  *place = node;
  map->n_nodes++;
  return node;
}

/**
 * kymo_mpi_map_get:
 * @key: any number
 *
 * Returns: what was set last (borrowed), or NULL
 */
void *
kymo_mpi_map_get (KymoMpiMap *map,
                  uint64_t    key)
{
  void *value = NULL;

  kymo_sys_lock (&map->lock);
  if (map->n_buckets != 0)
    {
      KymoMpiNode *node = *find_place (map, key);
      value = node != NULL ? node->value : NULL;
    }
  kymo_sys_unlock (&map->lock);
  return value;
}

/**
 * kymo_mpi_map_set:
 * @key: any number
 * @value: stays the caller's
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_mpi_map_set (KymoMpiMap *map,
                  uint64_t    key,
                  void       *value)
{
  kymo_sys_lock (&map->lock);
  KymoMpiNode *node = node_of (map, key);
  if (node != NULL)
    node->value = value;
  kymo_sys_unlock (&map->lock);
  return node != NULL;
}

/**
 * kymo_mpi_map_take: removes a key.
 * @key: any number
 *
 * Returns: what it had, which is the caller's now; NULL if it was not there
 */
void *
kymo_mpi_map_take (KymoMpiMap *map,
                   uint64_t    key)
{
  void *value = NULL;

  kymo_sys_lock (&map->lock);
  if (map->n_buckets != 0)
    {
      KymoMpiNode **place = find_place (map, key), *node = *place;
      if (node != NULL)
        {
          value = node->value;
          *place = node->next;
          node->next = map->free;
          map->free = node;
          map->n_nodes--;
        }
    }
  kymo_sys_unlock (&map->lock);
  return value;
}

/**
 * kymo_mpi_map_count:
 * @key: any number
 *
 * Returns: how often this was called with @key before
 */
uint64_t
kymo_mpi_map_count (KymoMpiMap *map,
                    uint64_t    key)
{
  uint64_t n = 0;

  kymo_sys_lock (&map->lock);
  KymoMpiNode *node = node_of (map, key);
  if (node != NULL)
    {
      n = (uint64_t) (uintptr_t) node->value;
      node->value = (void *) (uintptr_t) (n + 1);
    }
  kymo_sys_unlock (&map->lock);
  return n;
}
