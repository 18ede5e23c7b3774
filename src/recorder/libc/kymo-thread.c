/* kymo-thread.c: wrappers of what creates, names and joins threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread that is created inside a wrapper is one of the MPI library's: it is
 * not recorded, for its calls are not the program's.
 */

#include "kymo-libc.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "kymo-rec-sys.h"

/* OTF2_RegionRole and OTF2_Paradigm. */
#define ROLE_FUNCTION 1
#define ROLE_CREATE 32
#define ROLE_WAIT 33
#define PARADIGM_PTHREAD 7

#define MOST_STARTS 4096
#define JOIN_SLOTS 16384        /* a power of 2; threads that were not joined yet */

/* What a new thread is told. */
typedef struct Start
{
  void *(*function) (void *);
  void *data;
  uint64_t sequence;
  uint32_t creator;             /* number of the thread that created it */
  bool inner;                   /* not to be recorded */
  struct Start *next;
} Start;

/* A thread that can be joined. */
typedef struct
{
  pthread_t id;
  uint64_t sequence;            /* 0: free */
  uint32_t number;
} Joinable;

static KymoSysLock lock;
static Start *unused;
static unsigned n_starts;
static Joinable *joinables;
static _Atomic uint64_t n_sequences;

static Start *
take_start (void)
{
  Start *start;

  kymo_sys_lock (&lock);
  start = unused;
  if (start != NULL)
    unused = start->next;
  else if (n_starts < MOST_STARTS)
    {
      start = kymo_rec_arena (sizeof *start);
      n_starts += start != NULL;
    }
  kymo_sys_unlock (&lock);
  return start;
}

static void
give_start (Start *start)
{
  kymo_sys_lock (&lock);
  start->next = unused;
  unused = start;
  kymo_sys_unlock (&lock);
}

static uint64_t
slot_of (pthread_t id)
{
  return (uint64_t) id * 0x9e3779b97f4a7c15u >> 50;
}

static void
remember_thread (uint64_t sequence, uint32_t number)
{
  pthread_t id = pthread_self ();

  kymo_sys_lock (&lock);
  if (joinables == NULL)
    joinables = kymo_rec_arena (JOIN_SLOTS * sizeof *joinables);
  for (uint64_t i = 0; joinables != NULL && i < 64; i++)
    {
      Joinable *slot = &joinables[(slot_of (id) + i) & (JOIN_SLOTS - 1)];

      /* The number of a thread that ended without being joined is given again. */
      if (slot->sequence != 0 && slot->id != id)
        continue;
      *slot = (Joinable) { id, sequence, number };
      break;
    }
  kymo_sys_unlock (&lock);
}

static bool
take_joinable (pthread_t id, Joinable *found)
{
  bool good = false;

  kymo_sys_lock (&lock);
  for (uint64_t i = 0; joinables != NULL && i < 64 && !good; i++)
    {
      Joinable *slot = &joinables[(slot_of (id) + i) & (JOIN_SLOTS - 1)];

      if (slot->sequence == 0 || slot->id != id)
        continue;
      *found = *slot;
      slot->sequence = 0;
      good = true;
    }
  kymo_sys_unlock (&lock);
  return good;
}

static void
write_record (KymoRecThread *thread, unsigned type, uint32_t arg, uint64_t sequence, uint64_t time)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, 2);

  if (cell == NULL)
    return;
  cell->arg = arg;
  cell->time = time;
  kymo_rec_words (cell, 1)->a = sequence;
  kymo_rec_commit (cell, (uint8_t) type);
}

/* The region of what a thread does from its begin to its end. */
static uint32_t
region_of (void *(*function) (void *))
{
  Dl_info info;
  const char *name = "thread";

  if (dladdr ((void *) (uintptr_t) function, &info) != 0 && info.dli_sname != NULL
      && info.dli_saddr == (void *) (uintptr_t) function)
    name = info.dli_sname;
  return kymo_rec_region (name, ROLE_FUNCTION, PARADIGM_PTHREAD, NULL, 0);
}

/* However the thread ends: by returning, pthread_exit () or pthread_cancel (). */
static void
end_thread (void *data)
{
  const uint64_t *sequence = data;
  KymoRecThread *thread = kymo_rec_self.thread;

  if (thread == NULL || thread != kymo_rec_thread ())
    return;
  kymo_rec_unwind (thread, 0);
  write_record (thread, KYMO_RAW_THREAD_END, 0, *sequence, kymo_rec_now ());
}

static void
begin_thread (const Start *start)
{
  KymoRecThread *thread;
  uint32_t region;

  kymo_rec_self.depth++;
  thread = kymo_rec_thread ();
  if (thread != NULL)
    {
      write_record (thread, KYMO_RAW_THREAD_BEGIN, start->creator, start->sequence,
                    kymo_rec_now ());
      region = region_of (start->function);
      if (region != KYMO_RAW_NONE)
        kymo_rec_enter (thread, region, kymo_rec_now ());
      remember_thread (start->sequence, thread->number);
    }
  kymo_rec_self.depth--;
}

static void *
run_thread (void *data)
{
  Start start = *(Start *) data;
  void *result;

  give_start (data);
  if (start.inner)
    {
      kymo_rec_self.depth = KYMO_REC_HELPER_DEPTH;
      kymo_rec_self.frame = UINTPTR_MAX;
      return start.function (start.data);
    }
  begin_thread (&start);
  pthread_cleanup_push (end_thread, &start.sequence);
  result = start.function (start.data);
  pthread_cleanup_pop (1);
  return result;
}

static uint32_t
thread_region (uint32_t *kept, const char *name, int role)
{
  if (*kept == 0)
    *kept = kymo_rec_region (name, role, PARADIGM_PTHREAD, NULL, 0) + 1;
  return *kept - 1;
}

typedef int (*Create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

KYMO_WRAPPER int
pthread_create (pthread_t *id, const pthread_attr_t *attributes, void *(*function) (void *),
                void *data)
{
  static uint32_t kept;
  KymoRecThread *thread = kymo_rec_begin ();
  bool awake = kymo_rec_is_awake ();
  Create next = (Create) (uintptr_t) kymo_rec_next_symbol ("pthread_create");
  Start *start = awake ? take_start () : NULL;
  uint64_t sequence = 0, now = 0;
  uint32_t region = KYMO_RAW_NONE;
  int result;

  if (start == NULL)
    {
      result = next (id, attributes, function, data);
      kymo_rec_end ();
      return result;
    }
  if (thread != NULL)
    {
      region = thread_region (&kept, "pthread_create", ROLE_CREATE);
      sequence = atomic_fetch_add (&n_sequences, 1) + 1;
      now = kymo_rec_now ();
      kymo_rec_enter (thread, region, now);
    }
  *start = (Start) { function, data, sequence, thread != NULL ? thread->number : 0,
                     thread == NULL, NULL };
  result = next (id, attributes, run_thread, start);
  if (result != 0)
    give_start (start);
  if (thread != NULL)
    {
      if (result == 0)
        write_record (thread, KYMO_RAW_THREAD_CREATE, 0, sequence, now);
      kymo_rec_leave (thread, region, kymo_rec_now ());
    }
  kymo_rec_end ();
  return result;
}

typedef int (*Join) (pthread_t, void **);

KYMO_WRAPPER int
pthread_join (pthread_t id, void **value)
{
  static Join next;
  static uint32_t kept;
  KymoRecThread *thread = kymo_rec_begin ();
  uint32_t region = KYMO_RAW_NONE;
  Joinable joined;
  int result;

  if (next == NULL)
    next = (Join) (uintptr_t) kymo_rec_next_symbol ("pthread_join");
  if (thread != NULL)
    {
      region = thread_region (&kept, "pthread_join", ROLE_WAIT);
      kymo_rec_enter (thread, region, kymo_rec_now ());
    }
  result = next (id, value);
  if (thread != NULL)
    {
      if (result == 0 && take_joinable (id, &joined))
        write_record (thread, KYMO_RAW_THREAD_WAIT, joined.number, joined.sequence,
                      kymo_rec_now ());
      kymo_rec_leave (thread, region, kymo_rec_now ());
    }
  kymo_rec_end ();
  return result;
}

typedef int (*SetName) (pthread_t, const char *);

KYMO_WRAPPER int
pthread_setname_np (pthread_t id, const char *name)
{
  static SetName next;
  KymoRecThread *thread = kymo_rec_begin ();
  int result;

  if (next == NULL)
    next = (SetName) (uintptr_t) kymo_rec_next_symbol ("pthread_setname_np");
  result = next (id, name);
  if (result == 0 && thread != NULL && pthread_equal (id, pthread_self ()))
    kymo_rec_thread_name (name);
  kymo_rec_end ();
  return result;
}
