/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A 64-bit hash of whole 64-byte stripes, as fast as memory: against damage,
 * not against people. Four independent lanes of multiply and rotate, each
 * step reversible, so a change of one word always changes the hash.
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

#define KYMO_HASH_A G_GUINT64_CONSTANT (0x9e3779b185ebca87)
#define KYMO_HASH_B G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f)

typedef struct
{
  guint64 lane[4];
  guint64 n_bytes;
} KymoHash;

/**
 * kymo_hash_rotate:
 * @x: a word
 * @by: bits, from 1 to 63
 *
 * Returns: the word rotated to the left
 */
static inline guint64
kymo_hash_rotate (guint64 x,
                  guint   by)
{
  return x << by | x >> (64 - by);
}

/**
 * kymo_hash_init:
 *
 * Begins the hash of no bytes.
 */
static inline void
kymo_hash_init (KymoHash *hash)
{
  *hash = (KymoHash) { { KYMO_HASH_A + KYMO_HASH_B, KYMO_HASH_B, 0, 0 - KYMO_HASH_A }, 0 };
}

/**
 * kymo_hash_add:
 * @bytes: the next bytes
 * @n_bytes: a multiple of 32
 *
 * Takes bytes into the hash. How they are split over calls changes nothing.
 */
static inline void
kymo_hash_add (KymoHash     *hash,
               const guint8 *bytes,
               gsize         n_bytes)
{
  guint64 a = hash->lane[0], b = hash->lane[1], c = hash->lane[2], d = hash->lane[3];

  for (gsize i = 0; i + 32 <= n_bytes; i += 32)
    {
      guint64 word[4];

      memcpy (word, bytes + i, 32);
      a = kymo_hash_rotate (a + word[0] * KYMO_HASH_B, 31) * KYMO_HASH_A;
      b = kymo_hash_rotate (b + word[1] * KYMO_HASH_B, 31) * KYMO_HASH_A;
      c = kymo_hash_rotate (c + word[2] * KYMO_HASH_B, 31) * KYMO_HASH_A;
      d = kymo_hash_rotate (d + word[3] * KYMO_HASH_B, 31) * KYMO_HASH_A;
    }
  *hash = (KymoHash) { { a, b, c, d }, hash->n_bytes + n_bytes };
}

/** kymo_hash_end: the hash of all bytes so far; more may be added after */
static inline guint64
kymo_hash_end (const KymoHash *hash)
{
  guint64 h = hash->n_bytes;

  for (guint i = 0; i < 4; i++)
    {
      h = (h ^ hash->lane[i]) * KYMO_HASH_A;
      h ^= h >> 32;
      h = kymo_hash_rotate (h, 27) * KYMO_HASH_B;
    }
  return h ^ (h >> 29);
}

/**
 * kymo_hash_of:
 * @bytes: all bytes
 * @n_bytes: a multiple of 32
 *
 * Returns: their hash
 */
static inline guint64
kymo_hash_of (gconstpointer bytes,
              gsize         n_bytes)
{
  KymoHash hash;

  kymo_hash_init (&hash);
  kymo_hash_add (&hash, bytes, n_bytes);
  return kymo_hash_end (&hash);
}

G_END_DECLS
