/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-told.h"

#include <string.h>

#include "kymo-rec-sys.h"

#define MOST_WAITING 32

static KymoSysLock lock;
static KymoLiveTold waiting[MOST_WAITING];
static unsigned n_waiting;

/**
 * kymo_live_told_keep: keeps a message for the helper.
 * @bytes: copied
 * @n_bytes: at most KYMO_LIVE_MOST_MESSAGE
 * @down: to all processes, else to rank 0
 *
 * Returns: FALSE if it is no message, too much waits, or there is no memory
 */
bool
kymo_live_told_keep (KymoLiveKind  kind,
                     const void   *bytes,
                     uint32_t      n_bytes,
                     bool          down)
{
  if (kind < KYMO_LIVE_ORDER || kind >= KYMO_LIVE_N_KINDS || n_bytes > KYMO_LIVE_MOST_MESSAGE)
    return false;
  KymoLiveTold told = { kind, n_bytes, down,
                        kymo_sys_map (n_bytes + 1, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) };
  if (told.bytes == NULL)
    return false;
  if (n_bytes > 0)
    memcpy (told.bytes, bytes, n_bytes);
  kymo_sys_lock (&lock);
  bool good = n_waiting < MOST_WAITING;
  if (good)
    waiting[n_waiting++] = told;
  kymo_sys_unlock (&lock);
  if (!good)
    kymo_live_told_free (&told);
  return good;
}

/**
 * kymo_live_told_take: takes the oldest message.
 * @told: (out): to be freed with kymo_live_told_free()
 *
 * Returns: FALSE if there is none
 */
bool
kymo_live_told_take (KymoLiveTold *told)
{
  kymo_sys_lock (&lock);
  bool there = n_waiting > 0;
  if (there)
    {
      *told = waiting[0];
      memmove (waiting, waiting + 1, --n_waiting * sizeof *waiting);
    }
  kymo_sys_unlock (&lock);
  return there;
}

/**
 * kymo_live_told_free: frees the bytes of a message.
 */
void
kymo_live_told_free (KymoLiveTold *told)
{
  kymo_sys_unmap (told->bytes, told->n_bytes + 1);
}
