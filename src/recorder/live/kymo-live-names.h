/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of activities. Each process of the tree numbers the names that it has heard of, its own
 * and those of its children, and tells its parent; the numbers of rank 0 are those of the stream.
 * One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KYMO_LIVE_MOST_NAMES 4096
#define KYMO_LIVE_MOST_NAME 240         /* bytes of a name */
/* What small shares are added up in: of the program's own work, and of all else. */
#define KYMO_LIVE_OTHER 10000
#define KYMO_LIVE_OTHER_REST 9999

/* What an activity is for; sent in messages, so appended to. */
typedef enum
{
  KYMO_LIVE_COMPUTE = 0,
  KYMO_LIVE_COMMUNICATION,
  KYMO_LIVE_SYNCHRONIZATION,
  KYMO_LIVE_WAIT,
  KYMO_LIVE_IO,
  KYMO_LIVE_RUNTIME,
  KYMO_LIVE_N_ROLES
} KymoLiveRole;

typedef struct
{
  const char *name;
  uint8_t role;                 /* KymoLiveRole */
} KymoLiveName;

typedef struct
{
  KymoLiveName *names;          /* KYMO_LIVE_MOST_NAMES */
  uint32_t n;
  uint16_t *slots;              /* a hash table of numbers + 1 */
  char *text, *text_end;
} KymoLiveNames;

#pragma GCC visibility push (hidden)

bool        kymo_live_names_init  (KymoLiveNames   *names);
void        kymo_live_names_clear (KymoLiveNames   *names);
uint16_t    kymo_live_names_add   (KymoLiveNames   *names,
                                   const char      *name,
                                   size_t           n_bytes,
                                   unsigned         role);
unsigned    kymo_live_names_role  (const KymoLiveNames *names,
                                   uint16_t         id);
size_t      kymo_live_names_pack  (const KymoLiveNames *names,
                                   uint32_t        *from,
                                   uint8_t         *bytes,
                                   size_t           room);
bool        kymo_live_names_unpack (KymoLiveNames  *names,
                                   uint16_t        *map,
                                   const uint8_t   *bytes,
                                   size_t           n_bytes);
const char *kymo_live_role_word   (unsigned         role);

#pragma GCC visibility pop
