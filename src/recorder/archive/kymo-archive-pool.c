/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-archive-pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * kymo_archive_bytes_grow:
 * @n: how many bytes are added, not 0
 *
 * Returns: the new bytes, all 0 and valid until more are added; NULL if there is no memory
 */
void *
kymo_archive_bytes_grow (KymoArchiveBytes *bytes,
                         size_t            n)
{
  if (bytes->failed)
    return NULL;
  if (n > bytes->room - bytes->n)
    {
      size_t room = bytes->room > 0 ? bytes->room : 64;
      void *more;

      while (room - bytes->n < n && room <= SIZE_MAX / 4)
        room *= 2;
      more = room - bytes->n >= n ? realloc (bytes->at, room) : NULL;
      if (more == NULL)
        {
          bytes->failed = true;
          return NULL;
        }
      bytes->at = more;
      bytes->room = room;
    }
  memset (bytes->at + bytes->n, 0, n);
  bytes->n += n;
  return bytes->at + bytes->n - n;
}

/**
 * kymo_archive_bytes_add:
 * @more: is copied
 * @n: how many bytes they are
 *
 * Adds bytes at the end.
 */
void
kymo_archive_bytes_add (KymoArchiveBytes *bytes,
                        const void       *more,
                        size_t            n)
{
  void *at = n > 0 ? kymo_archive_bytes_grow (bytes, n) : NULL;

  if (at != NULL)
    memcpy (at, more, n);
}

/**
 * kymo_archive_bytes_print:
 * @format: as for printf()
 *
 * Adds a text of at most a kilobyte, without a zero after it.
 */
void
kymo_archive_bytes_print (KymoArchiveBytes *bytes,
                          const char       *format,
                          ...)
{
  char text[1024];
  va_list arguments;
  int n;

  va_start (arguments, format);
  n = vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  if (n > 0)
    kymo_archive_bytes_add (bytes, text, (size_t) n < sizeof text ? (size_t) n : sizeof text - 1);
}

/** kymo_archive_bytes_clear: frees what @bytes holds, which is empty after */
void
kymo_archive_bytes_clear (KymoArchiveBytes *bytes)
{
  free (bytes->at);
  *bytes = (KymoArchiveBytes) { 0 };
}

static uint64_t
hash_key (const unsigned char *key,
          size_t               n)
{
  uint64_t hash = 0xcbf29ce484222325u;

  for (size_t i = 0; i < n; i++)
    hash = (hash ^ key[i]) * 0x100000001b3u;
  return hash ^ hash >> 29;
}

/* The slot of the key, or the empty one where it would be. */
static uint32_t
slot_of (const KymoArchivePool *pool,
         const void            *key,
         size_t                 n_bytes)
{
  uint32_t slot = (uint32_t) hash_key (key, n_bytes) & (pool->n_slots - 1);

  while (pool->slots[slot] != 0)
    {
      size_t n;
      const void *other = kymo_archive_pool_get (pool, pool->slots[slot] - 1, &n);

      if (n == n_bytes && memcmp (other, key, n) == 0)
        break;
      slot = (slot + 1) & (pool->n_slots - 1);
    }
  return slot;
}

static bool
enlarge_hash (KymoArchivePool *pool)
{
  uint32_t n_slots = pool->n_slots > 0 ? pool->n_slots * 2 : 64;
  uint32_t *slots = n_slots > pool->n_slots ? calloc (n_slots, sizeof *slots) : NULL;

  if (slots == NULL)
    return false;
  free (pool->slots);
  pool->slots = slots;
  pool->n_slots = n_slots;
  for (uint32_t i = 0; i < pool->n; i++)
    {
      size_t n;
      const void *key = kymo_archive_pool_get (pool, i, &n);

      pool->slots[slot_of (pool, key, n)] = i + 1;
    }
  return true;
}

/**
 * kymo_archive_pool_get:
 * @number: of a key, which exists
 * @n_bytes: (out): how long it is
 *
 * Returns: the key, owned by the pool and valid until another one is added; it is not aligned
 */
const void *
kymo_archive_pool_get (const KymoArchivePool *pool,
                       uint32_t               number,
                       size_t                *n_bytes)
{
  const size_t *ends = KYMO_ARCHIVE_AT (&pool->ends, size_t);
  size_t begin = number > 0 ? ends[number - 1] : 0;

  *n_bytes = ends[number] - begin;
  return pool->keys.at + begin;
}

/**
 * kymo_archive_pool_find:
 * @key: @n_bytes bytes
 *
 * Returns: its number, or %KYMO_ARCHIVE_NONE
 */
uint32_t
kymo_archive_pool_find (const KymoArchivePool *pool,
                        const void            *key,
                        size_t                 n_bytes)
{
  return pool->n_slots > 0 ? pool->slots[slot_of (pool, key, n_bytes)] - 1 : KYMO_ARCHIVE_NONE;
}

/**
 * kymo_archive_pool_add:
 * @key: @n_bytes bytes, which are copied; at least one
 *
 * Returns: the number of the key, which is added if it is new; %KYMO_ARCHIVE_NONE if there is no
 *   memory
 */
uint32_t
kymo_archive_pool_add (KymoArchivePool *pool,
                       const void      *key,
                       size_t           n_bytes)
{
  size_t end = pool->keys.n + n_bytes;
  uint32_t slot;

  if (pool->failed || (pool->n >= pool->n_slots / 2 && !enlarge_hash (pool)))
    {
      pool->failed = true;
      return KYMO_ARCHIVE_NONE;
    }
  slot = slot_of (pool, key, n_bytes);
  if (pool->slots[slot] != 0)
    return pool->slots[slot] - 1;
  kymo_archive_bytes_add (&pool->keys, key, n_bytes);
  kymo_archive_bytes_add (&pool->ends, &end, sizeof end);
  pool->failed = pool->keys.failed || pool->ends.failed;
  if (pool->failed)
    return KYMO_ARCHIVE_NONE;
  pool->slots[slot] = ++pool->n;
  return pool->n - 1;
}

/** kymo_archive_pool_clear: frees what @pool holds, which is empty after */
void
kymo_archive_pool_clear (KymoArchivePool *pool)
{
  kymo_archive_bytes_clear (&pool->keys);
  kymo_archive_bytes_clear (&pool->ends);
  free (pool->slots);
  *pool = (KymoArchivePool) { 0 };
}
