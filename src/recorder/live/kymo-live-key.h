/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys of the Converse Client Server, as its authors published them with Charm++ (src/live/ccs has
 * the client's side): a hash is the SHA-1 of the key (16 bytes), a salt (4, big endian), and the
 * first 16 bytes of the header of a request, or zeros, filled up to 52 bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KYMO_LIVE_KEY_BYTES 16
#define KYMO_LIVE_HASH_BYTES 20
#define KYMO_LIVE_N_LEVELS 255
#define KYMO_LIVE_N_SESSIONS 64         /* the newest are kept */

typedef struct
{
  bool in_use;
  uint8_t level;
  uint32_t number, salt;
} KymoLiveSession;

typedef struct
{
  bool has_key[KYMO_LIVE_N_LEVELS];
  uint8_t keys[KYMO_LIVE_N_LEVELS][KYMO_LIVE_KEY_BYTES];
  KymoLiveSession sessions[KYMO_LIVE_N_SESSIONS];
  uint32_t n_sessions;
} KymoLiveKeys;

#pragma GCC visibility push (hidden)

bool kymo_live_keys_read  (KymoLiveKeys  *keys,
                           const char    *path);
bool kymo_live_keys_login (KymoLiveKeys  *keys,
                           uint8_t        level,
                           uint32_t       own_challenge,
                           const uint8_t *hash,
                           uint32_t       its_challenge,
                           uint8_t       *welcome);
bool kymo_live_keys_call  (KymoLiveKeys  *keys,
                           const uint8_t *seal,
                           const uint8_t *header,
                           uint8_t       *reply_hash);
void kymo_live_sha1       (const uint8_t *bytes,
                           size_t         n_bytes,
                           uint8_t       *hash);

#pragma GCC visibility pop

/* A number of four bytes, the highest first. */
static inline uint32_t
kymo_live_get_32 (const uint8_t *at)
{
  return (uint32_t) at[0] << 24 | (uint32_t) at[1] << 16 | (uint32_t) at[2] << 8 | at[3];
}

static inline void
kymo_live_put_32 (uint8_t  *at,
                  uint32_t  value)
{
  at[0] = (uint8_t) (value >> 24);
  at[1] = (uint8_t) (value >> 16);
  at[2] = (uint8_t) (value >> 8);
  at[3] = (uint8_t) value;
}
