/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes that grow, and sets of keys that are numbered in the order in which they came: what is
 * equal in two processes gets one number. Where there is no memory nothing is added and `failed`
 * stays TRUE; who fills them looks once, at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** KYMO_ARCHIVE_NONE: names nothing */
#define KYMO_ARCHIVE_NONE UINT32_MAX

/** KymoArchiveBytes: owns its bytes; {0} is empty */
typedef struct
{
  unsigned char *at;
  size_t n, room;
  bool   failed;
} KymoArchiveBytes;

/**
 * KymoArchivePool: {0} is empty
 * @keys: all keys, one after the other
 * @ends: (element-type size_t): where each ends
 * @n: how many there are
 * @slots: a hash of them: numbers plus one
 */
typedef struct
{
  KymoArchiveBytes keys, ends;
  uint32_t  n;
  uint32_t *slots;
  uint32_t  n_slots;
  bool      failed;
} KymoArchivePool;

void        kymo_archive_bytes_add   (KymoArchiveBytes      *bytes,
                                      const void            *more,
                                      size_t                 n);
void       *kymo_archive_bytes_grow  (KymoArchiveBytes      *bytes,
                                      size_t                 n);
void        kymo_archive_bytes_print (KymoArchiveBytes      *bytes,
                                      const char            *format,
                                      ...) __attribute__ ((format (printf, 2, 3)));
void        kymo_archive_bytes_clear (KymoArchiveBytes      *bytes);

uint32_t    kymo_archive_pool_add    (KymoArchivePool       *pool,
                                      const void            *key,
                                      size_t                 n_bytes);
uint32_t    kymo_archive_pool_find   (const KymoArchivePool *pool,
                                      const void            *key,
                                      size_t                 n_bytes);
const void *kymo_archive_pool_get    (const KymoArchivePool *pool,
                                      uint32_t               number,
                                      size_t                *n_bytes);
void        kymo_archive_pool_clear  (KymoArchivePool       *pool);

/* How many things of a size are in the bytes, and where. */
#define KYMO_ARCHIVE_COUNT(bytes, type) ((bytes)->n / sizeof (type))
#define KYMO_ARCHIVE_AT(bytes, type) ((type *) (void *) (bytes)->at)
