/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-key.h"

#include <stdlib.h>
#include <string.h>

#include "kymo-live-socket.h"
#include "kymo-rec-sys.h"

#define HASHED_BYTES 52
#define MOST_FILE (64u << 10)

static uint32_t
rotate_bits (uint32_t value,
        unsigned n)
{
  return value << n | value >> (32 - n);
}

/* One piece of 64 bytes of SHA-1 (FIPS 180-4). */
static void
mix_piece (uint32_t       state[5],
           const uint8_t *bytes)
{
  static const uint32_t constants[4] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
  uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

  for (unsigned i = 0; i < 16; i++)
    w[i] = kymo_live_get_32 (bytes + 4 * i);
  for (unsigned i = 16; i < 80; i++)
    w[i] = rotate_bits (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (unsigned i = 0; i < 80; i++)
    {
      uint32_t f = i < 20 ? (b & c) | (~b & d)
                   : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
      uint32_t next = rotate_bits (a, 5) + f + e + constants[i / 20] + w[i];
      e = d;
      d = c;
      c = rotate_bits (b, 30);
      b = a;
      a = next;
    }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

/**
 * kymo_live_sha1: the SHA-1 of bytes.
 * @hash: (out): KYMO_LIVE_HASH_BYTES
 */
void
kymo_live_sha1 (const uint8_t *bytes,
                size_t         n_bytes,
                uint8_t       *hash)
{
  uint32_t state[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
  uint8_t piece[128] = { 0 };
  size_t at = 0, rest;

  for (; n_bytes - at >= 64; at += 64)
    mix_piece (state, bytes + at);
  rest = n_bytes - at;
  if (rest > 0)
    memcpy (piece, bytes + at, rest);
  piece[rest] = 0x80;
  size_t end = rest < 56 ? 64 : 128;
  kymo_live_put_32 (piece + end - 8, (uint32_t) ((uint64_t) n_bytes >> 29));
  kymo_live_put_32 (piece + end - 4, (uint32_t) n_bytes << 3);
  mix_piece (state, piece);
  if (end == 128)
    mix_piece (state, piece + 64);
  for (unsigned i = 0; i < 5; i++)
    kymo_live_put_32 (hash + 4 * i, state[i]);
}

static void
sign (const uint8_t *key,
      uint32_t       salt,
      const uint8_t *header,
      uint8_t       *hash)
{
  uint8_t bytes[HASHED_BYTES] = { 0 };

  memcpy (bytes, key, KYMO_LIVE_KEY_BYTES);
  kymo_live_put_32 (bytes + KYMO_LIVE_KEY_BYTES, salt);
  if (header != NULL)
    memcpy (bytes + KYMO_LIVE_KEY_BYTES + 4, header, 16);
  kymo_live_sha1 (bytes, sizeof bytes, hash);
}

static bool
is_same (const uint8_t *a,
         const uint8_t *b)
{
  unsigned difference = 0;

  for (unsigned i = 0; i < KYMO_LIVE_HASH_BYTES; i++)
    difference |= a[i] ^ b[i];
  return difference == 0;
}

/* Pairs of digits are read as decimal numbers, as the server of Charm++ does: a pair that begins
 * with a letter ends the key. */
static void
parse_pairs (uint8_t    *key,
             const char *text,
             size_t      length)
{
  memset (key, 0, KYMO_LIVE_KEY_BYTES);
  for (size_t i = 0; i < KYMO_LIVE_KEY_BYTES && 2 * i < length; i++)
    {
      char first = text[2 * i], second = 2 * i + 1 < length ? text[2 * i + 1] : '0';
      if (first < '0' || first > '9')
        return;
      key[i] = (uint8_t) (first - '0');
      if (second >= '0' && second <= '9')
        key[i] = (uint8_t) (10 * key[i] + (second - '0'));
    }
}

static bool
is_hex (char c)
{
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* A line `LEVEL KEY`. */
static bool
parse_line (KymoLiveKeys *keys,
            const char   *line)
{
  char *rest;
  long level = strtol (line, &rest, 10);

  if (rest == line || level < 0 || level >= KYMO_LIVE_N_LEVELS)
    return false;
  rest += strspn (rest, " \t");
  size_t length = strcspn (rest, " \t\r\n");
  if (length < 2 || !is_hex (rest[0]) || !is_hex (rest[1]))
    return false;
  parse_pairs (keys->keys[level], rest, length);
  keys->has_key[level] = true;
  return true;
}

/**
 * kymo_live_keys_read:
 * @keys: (out): those of the file, and no session
 * @path: a file with lines `LEVEL KEY`
 *
 * Returns: whether there is a key in it
 */
bool
kymo_live_keys_read (KymoLiveKeys *keys,
                     const char   *path)
{
  char *text = kymo_sys_map (MOST_FILE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int fd = kymo_sys_open (path, O_RDONLY, 0);
  long n = fd >= 0 && text != NULL ? kymo_sys_read (fd, text, MOST_FILE - 1) : 0;
  bool any = false;

  memset (keys, 0, sizeof *keys);
  if (fd >= 0)
    kymo_sys_close (fd);
  for (char *line = text; n > 0 && line != NULL;)
    {
      any |= parse_line (keys, line);
      line = strchr (line, '\n');
      if (line != NULL)
        line++;
    }
  if (text != NULL)
    {
      explicit_bzero (text, MOST_FILE);
      kymo_sys_unmap (text, MOST_FILE);
    }
  return any;
}

/**
 * kymo_live_keys_login: whether a client has a key.
 * @level: that it says
 * @own_challenge: that it was to sign
 * @hash: its signature
 * @its_challenge: that it wants to be signed
 * @welcome: (out): KYMO_LIVE_HASH_BYTES + 8 bytes: the answer
 */
bool
kymo_live_keys_login (KymoLiveKeys  *keys,
                      uint8_t        level,
                      uint32_t       own_challenge,
                      const uint8_t *hash,
                      uint32_t       its_challenge,
                      uint8_t       *welcome)
{
  uint8_t right[KYMO_LIVE_HASH_BYTES];

  if (level >= KYMO_LIVE_N_LEVELS || !keys->has_key[level])
    return false;
  sign (keys->keys[level], own_challenge, NULL, right);
  if (!is_same (hash, right))
    return false;
  KymoLiveSession *session = &keys->sessions[keys->n_sessions % KYMO_LIVE_N_SESSIONS];
  *session = (KymoLiveSession) { true, level, keys->n_sessions++, 0 };
  kymo_live_random (&session->salt, sizeof session->salt);
  sign (keys->keys[level], its_challenge, NULL, welcome);
  kymo_live_put_32 (welcome + KYMO_LIVE_HASH_BYTES, session->number);
  kymo_live_put_32 (welcome + KYMO_LIVE_HASH_BYTES + 4, session->salt);
  return true;
}

/**
 * kymo_live_keys_call: whether a call comes of a client that has logged in; counts it.
 * @seal: the 32 bytes before the header
 * @header: of the request
 * @reply_hash: (out): what stands before the reply
 */
bool
kymo_live_keys_call (KymoLiveKeys  *keys,
                     const uint8_t *seal,
                     const uint8_t *header,
                     uint8_t       *reply_hash)
{
  uint8_t level = seal[3], right[KYMO_LIVE_HASH_BYTES];
  uint32_t number = kymo_live_get_32 (seal + 4);
  KymoLiveSession *session = &keys->sessions[number % KYMO_LIVE_N_SESSIONS];

  if (level >= KYMO_LIVE_N_LEVELS || !session->in_use || session->number != number
      || session->level != level)
    return false;
  sign (keys->keys[level], session->salt, header, right);
  if (!is_same (seal + 12, right))
    return false;
  session->salt++;
  sign (keys->keys[level], kymo_live_get_32 (seal + 8), NULL, reply_hash);
  return true;
}
