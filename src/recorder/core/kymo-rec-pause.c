/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recording off and on. While it is off, wrappers go on following what the program does: requests,
 * communicators, open regions; what they write has no room. So nothing is unknown when it goes on,
 * and processes that are off and on can make communicators together.
 */
#include "kymo-rec-sys.h"
#include "kymo-rec.h"

static KymoSysLock turn_lock;
static bool is_off;             /* the program wants it */
static unsigned n_requests;     /* actions that want events, where they are written on request */

static void
mark_measurement (KymoRecThread *thread,
                  bool           on)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, 1);

  if (cell == NULL)
    return;
  cell->small = on;
  cell->time = kymo_rec_now ();
  kymo_rec_commit (cell, KYMO_RAW_MEASUREMENT);
}

/* Who follows regions is not told: they go on. */
static void
mark_region (KymoRecThread *thread,
             uint32_t       depth,
             uint8_t        type)
{
  KymoRawCell *cell = depth < KYMO_REC_MOST_OPEN ? kymo_rec_reserve (thread, 1) : NULL;

  if (cell == NULL)
    return;
  cell->arg = thread->open[depth].region;
  cell->time = kymo_rec_now ();
  kymo_rec_commit (cell, type);
}

/**
 * kymo_rec_thread_paused: what kymo_rec_thread() returns where recording is not under way. Where it
 * is paused, the calling thread leaves all regions now and writes nothing from here on.
 */
KymoRecThread *
kymo_rec_thread_paused (void)
{
  KymoRecThread *thread = kymo_rec_self.thread;

  if (atomic_load (&kymo_rec_page->state) != KYMO_REC_PAUSED)
    return NULL;
  if (thread == NULL)
    thread = kymo_rec_thread_first ();
  if (thread == NULL || thread->is_paused)
    return thread;
  uint32_t n_open = thread->n_open;
  while (thread->n_open > 0)
    {
      mark_region (thread, thread->n_open - 1, KYMO_RAW_LEAVE);
      thread->n_open--;
    }
  mark_measurement (thread, false);
  thread->n_open = n_open;
  thread->chunk_limit = thread->limit;
  thread->limit = thread->cursor;
  thread->is_paused = true;
  return thread;
}

/**
 * kymo_rec_thread_resume: if recording goes on, enters the regions that are open now.
 * @thread: of the caller, paused
 */
void
kymo_rec_thread_resume (KymoRecThread *thread)
{
  uint32_t n_open = thread->n_open;

  if (atomic_load (&kymo_rec_page->state) != KYMO_REC_AWAKE)
    return;
  thread->is_paused = false;
  thread->limit = thread->chunk_limit;
  thread->n_open = 0;
  mark_measurement (thread, true);
  for (uint32_t i = 0; i < n_open; i++)
    {
      mark_region (thread, i, KYMO_RAW_ENTER);
      thread->n_open++;
    }
}

/* Whether recording goes on or off is what the program and the actions want together. Returns
 * whether it goes off now. */
static bool
change_state (void)
{
  bool on = !is_off && (n_requests > 0 || !kymo_rec_options ()->on_request);
  int from = on ? KYMO_REC_PAUSED : KYMO_REC_AWAKE;

  if (!atomic_compare_exchange_strong (&kymo_rec_page->state, &from,
                                       on ? KYMO_REC_AWAKE : KYMO_REC_PAUSED))
    return false;
  atomic_fetch_add (&kymo_rec_page->turns, 1);
  return !on;
}

/**
 * kymo_rec_turn: the program wants recording to go on or off in this process. Each thread takes
 * notice at its next call that is recorded, the calling thread at once when it goes off.
 */
void
kymo_rec_turn (bool on)
{
  kymo_sys_lock (&turn_lock);
  is_off = !on;
  bool goes_off = change_state ();
  kymo_sys_unlock (&turn_lock);
  if (goes_off)
    kymo_rec_thread_paused ();
}

/**
 * kymo_rec_request: an action wants events of this process, or does not want them any more. On
 * helper threads. Each call that wants them is followed by one that does not, or never.
 */
void
kymo_rec_request (bool wanted)
{
  kymo_sys_lock (&turn_lock);
  if (wanted)
    n_requests++;
  else if (n_requests > 0)
    n_requests--;
  change_state ();
  kymo_sys_unlock (&turn_lock);
}

/**
 * kymo_rec_is_turned_off: whether the program has turned recording off.
 */
bool
kymo_rec_is_turned_off (void)
{
  kymo_sys_lock (&turn_lock);
  bool off = is_off;
  kymo_sys_unlock (&turn_lock);
  return off;
}

/**
 * kymo_rec_wait_for_request: where events are written on request, nothing is written from here on.
 * The calling thread is the first one.
 */
void
kymo_rec_wait_for_request (void)
{
  kymo_sys_lock (&turn_lock);
  bool goes_off = change_state ();
  kymo_sys_unlock (&turn_lock);
  if (goes_off)
    kymo_rec_thread_paused ();
}
