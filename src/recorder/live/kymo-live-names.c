/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-names.h"

#include <string.h>

#include "kymo-rec-sys.h"

#define N_SLOTS (2 * KYMO_LIVE_MOST_NAMES)      /* a power of 2 */
#define PIECE_BYTES (64u << 10)
#define TABLE_BYTES (KYMO_LIVE_MOST_NAMES * sizeof (KymoLiveName) + N_SLOTS * sizeof (uint16_t))

/**
 * kymo_live_names_init: makes an empty table.
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_live_names_init (KymoLiveNames *names)
{
  memset (names, 0, sizeof *names);
  names->names = kymo_sys_map (TABLE_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (names->names == NULL)
    return false;
  names->slots = (uint16_t *) (names->names + KYMO_LIVE_MOST_NAMES);
  return true;
}

/**
 * kymo_live_names_clear: frees the table. The text of names stays: others may have kept them.
 */
void
kymo_live_names_clear (KymoLiveNames *names)
{
  if (names->names != NULL)
    kymo_sys_unmap (names->names, TABLE_BYTES);
  memset (names, 0, sizeof *names);
}

static const char *
keep_text (KymoLiveNames *names,
           const char    *name,
           size_t         n_bytes)
{
  if ((size_t) (names->text_end - names->text) <= n_bytes)
    {
      names->text = kymo_sys_map (PIECE_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      names->text_end = names->text != NULL ? names->text + PIECE_BYTES : NULL;
    }
  if (names->text == NULL)
    return NULL;
  char *kept = names->text;
  memcpy (kept, name, n_bytes);
  kept[n_bytes] = '\0';
  names->text += n_bytes + 1;
  return kept;
}

/**
 * kymo_live_names_add:
 * @name: of an activity; of a longer one the first KYMO_LIVE_MOST_NAME bytes count. Bytes that are
 *   no text become question marks
 * @role: a KymoLiveRole
 *
 * Returns: its number; that of all others if there are too many names
 */
uint16_t
kymo_live_names_add (KymoLiveNames *names,
                     const char    *name,
                     size_t         n_bytes,
                     unsigned       role)
{
  char clean[KYMO_LIVE_MOST_NAME + 1];
  uint64_t hash = 0xcbf29ce484222325u;

  if (role >= KYMO_LIVE_N_ROLES)
    role = KYMO_LIVE_COMPUTE;
  if (n_bytes > KYMO_LIVE_MOST_NAME)
    n_bytes = KYMO_LIVE_MOST_NAME;
  for (size_t i = 0; i < n_bytes; i++)
    {
      unsigned char c = (unsigned char) name[i];
      clean[i] = c < 32 || c == 127 ? '?' : (char) c;
      hash = (hash ^ (unsigned char) clean[i]) * 0x100000001b3u;
    }
  clean[n_bytes] = '\0';
  uint32_t slot = (uint32_t) (hash ^ hash >> 32 ^ role) & (N_SLOTS - 1);
  for (; names->slots[slot] != 0; slot = (slot + 1) & (N_SLOTS - 1))
    {
      const KymoLiveName *found = &names->names[names->slots[slot] - 1];
      if (found->role == role && strcmp (found->name, clean) == 0)
        return names->slots[slot] - 1;
    }
  const char *kept = names->n < KYMO_LIVE_MOST_NAMES ? keep_text (names, clean, n_bytes) : NULL;
  if (kept == NULL)
    return role == KYMO_LIVE_COMPUTE ? KYMO_LIVE_OTHER : KYMO_LIVE_OTHER_REST;
  names->names[names->n] = (KymoLiveName) { kept, (uint8_t) role };
  names->slots[slot] = (uint16_t) ++names->n;
  return (uint16_t) (names->n - 1);
}

/**
 * kymo_live_names_role: the KymoLiveRole of a number of the table.
 */
unsigned
kymo_live_names_role (const KymoLiveNames *names,
                      uint16_t             id)
{
  if (id < names->n)
    return names->names[id].role;
  return id == KYMO_LIVE_OTHER_REST ? KYMO_LIVE_COMMUNICATION : KYMO_LIVE_COMPUTE;
}

/**
 * kymo_live_names_pack: writes names into a message.
 * @from: (inout): the first to write; what comes after the last that was written
 *
 * Returns: bytes that were written
 */
size_t
kymo_live_names_pack (const KymoLiveNames *names,
                      uint32_t            *from,
                      uint8_t             *bytes,
                      size_t               room)
{
  size_t at = 0;

  for (; *from < names->n; ++*from)
    {
      const KymoLiveName *name = &names->names[*from];
      size_t length = strlen (name->name);
      uint16_t id = (uint16_t) *from;
      if (at + 4 + length > room)
        break;
      memcpy (bytes + at, &id, 2);
      bytes[at + 2] = name->role;
      bytes[at + 3] = (uint8_t) length;
      memcpy (bytes + at + 4, name->name, length);
      at += 4 + length;
    }
  return at;
}

/**
 * kymo_live_names_unpack: adds the names of a message.
 * @map: (inout): KYMO_LIVE_MOST_NAMES own numbers, by the numbers of the sender
 *
 * Returns: FALSE if the bytes are no names
 */
bool
kymo_live_names_unpack (KymoLiveNames *names,
                        uint16_t      *map,
                        const uint8_t *bytes,
                        size_t         n_bytes)
{
  for (size_t at = 0; at < n_bytes;)
    {
      uint16_t id;
      if (n_bytes - at < 4)
        return false;
      memcpy (&id, bytes + at, 2);
      size_t length = bytes[at + 3];
      if (id >= KYMO_LIVE_MOST_NAMES || length > n_bytes - at - 4
          || bytes[at + 2] >= KYMO_LIVE_N_ROLES)
        return false;
      map[id] = kymo_live_names_add (names, (const char *) bytes + at + 4, length, bytes[at + 2]);
      at += 4 + length;
    }
  return true;
}

/**
 * kymo_live_role_word: the word of Kymo for a role; static.
 */
const char *
kymo_live_role_word (unsigned role)
{
  static const char *const words[KYMO_LIVE_N_ROLES] = {
    "compute", "communication", "synchronization", "wait", "io", "runtime",
  };

  return words[role < KYMO_LIVE_N_ROLES ? role : KYMO_LIVE_COMPUTE];
}
