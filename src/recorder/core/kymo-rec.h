/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all wrappers of the recorder call. It lives inside programs of other people:
 * no GLib, no malloc(), no signal handlers, no output but the line of kymo_rec_stop(); errno
 * is left as it was by everything here that a wrapper calls.
 *
 * The pattern of a wrapper:
 *
 *     KymoRecThread *thread = kymo_rec_begin ();
 *     if (thread == NULL)
 *       result = next_read (fd, bytes, n);
 *     else
 *       {
 *         kymo_rec_enter (thread, region, kymo_rec_now ());
 *         result = next_read (fd, bytes, n);
 *         ... kymo_rec_reserve (), kymo_rec_commit () ...
 *         kymo_rec_leave (thread, region, kymo_rec_now ());
 *       }
 *     kymo_rec_end ();
 *
 * kymo_rec_begin() and kymo_rec_end() always stand as a pair. Calls that are made between
 * them, by the recorder or by the library that is called, are not recorded.
 *
 * A process is dormant until it wakes: the main program when it is loaded, any other when it
 * calls MPI_Init. A child of fork() is dormant for ever, because the page with the state is
 * wiped there by the kernel.
 *
 * kymo_rec_mpi_is_linked() and kymo_rec_fits() are defined by the library that core is linked
 * into.
 *
 * Any thread may call, unless it is said otherwise. Times are ticks of kymo_rec_now().
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "kymo-raw.h"
#include "kymo-rec-options.h"

#define KYMO_REC_HELPER_DEPTH (1u << 30)  /* depth of threads that are the recorder's own */
#define KYMO_REC_MOST_OPEN 512  /* regions that are open at the same time in a thread */

typedef enum
{
  KYMO_REC_DORMANT = 0,         /* has not begun, or is a child of fork() */
  KYMO_REC_AWAKE,
  KYMO_REC_STOPPED,             /* disk full, limit; what was recorded can still be read */
  KYMO_REC_FINISHED,            /* the archive is written or given up */
  KYMO_REC_PAUSED               /* as awake, but threads write nothing from their next call on */
} KymoRecState;

/* The state of the process, in a page of its own. */
typedef struct
{
  atomic_int state;             /* KymoRecState */
  uint32_t pid;
  bool tsc;                     /* ticks are those of the time-stamp counter */
  atomic_uint turns;            /* how often recording went off or on */
} KymoRecPage;

/* An event file, written by one thread. Only core looks at the fields. */
typedef struct KymoRecThread
{
  KymoRawCell *cursor;          /* the next cell; NULL before the first chunk */
  KymoRawCell *limit;           /* end of the chunk; while it is paused, the cursor */
  KymoRawCell *chunk_limit;     /* while it is paused, the end of the chunk */
  bool is_paused;               /* all was left; what is open is counted on */
  uint32_t number;              /* N of thread-N */
  uint32_t n_open;              /* regions that are open; more than MOST_OPEN are only counted */
  uint64_t n_ids;               /* kymo_rec_unique_id() */
  uint64_t n_messages;          /* sent by this thread */
  uint64_t n_message_bytes;     /* of these */
  void *live;                   /* what kymo_rec_switched keeps of it */
  uint32_t sampled;             /* regions open with that of ../sample as last; 0: it is not open */
  struct
  {
    uint32_t region;
    uint64_t time;
  } open[KYMO_REC_MOST_OPEN];
  struct KymoRecFile *file;
} KymoRecThread;

/* What a thread knows of itself. */
typedef struct
{
  KymoRecThread *thread;
  uint32_t depth;               /* wrappers that this thread is in */
  uint32_t n_open;              /* regions that were open when the outermost began */
  uintptr_t frame;              /* the frame of the outermost */
} KymoRecSelf;

#pragma GCC visibility push (hidden)

extern KymoRecPage *kymo_rec_page;
/* Called when a thread has entered or left a region, if somebody follows that (../live). */
extern void (*kymo_rec_switched) (KymoRecThread *thread, uint64_t time);
/* Called in a thread when its file has been made, and before it is closed; and on the helper thread
 * when it was kicked (../sample). */
extern void (*kymo_rec_thread_begins) (KymoRecThread *thread);
extern void (*kymo_rec_thread_ends) (KymoRecThread *thread);
extern void (*kymo_rec_helper_work) (void);
extern __thread KymoRecSelf kymo_rec_self __attribute__ ((tls_model ("initial-exec")));

KymoRecThread *kymo_rec_thread_first     (void);
KymoRecThread *kymo_rec_thread_paused    (void);
void           kymo_rec_thread_resume    (KymoRecThread *thread);
KymoRawCell   *kymo_rec_next_chunk       (KymoRecThread *thread,
                                          unsigned       n_cells);
void           kymo_rec_leave_sampled    (KymoRecThread *thread,
                                          uint32_t       region,
                                          uint64_t       time);
void           kymo_rec_unwind           (KymoRecThread *thread,
                                          uint32_t       n_open);
void           kymo_rec_jump             (uintptr_t      stack);
void           kymo_rec_thread_end       (void);
void           kymo_rec_thread_name      (const char    *name);
KymoRecThread *kymo_rec_system_file      (const char    *name);

bool           kymo_rec_wake             (void);
bool           kymo_rec_is_asked         (void);
bool           kymo_rec_mpi_is_linked    (void);
bool           kymo_rec_fits             (void);
void           kymo_rec_stop             (const char    *reason);
void           kymo_rec_turn             (bool           on);
void           kymo_rec_request          (bool           wanted);
bool           kymo_rec_is_turned_off    (void);
void           kymo_rec_wait_for_request (void);
void           kymo_rec_say              (const char    *sentence);
void           kymo_rec_at_start         (void         (*hook) (void));
void           kymo_rec_at_end           (void         (*hook) (void));
void           kymo_rec_run_start_hooks  (void);
bool           kymo_rec_finish           (const char    *reason);
void           kymo_rec_discard          (void);
void           kymo_rec_discard_folder   (const char    *folder);
void           kymo_rec_discard_tree     (const char    *folder);
const char    *kymo_rec_folder           (void);
const char    *kymo_rec_process_folder   (void);
bool           kymo_rec_folder_answers   (void);
bool           kymo_rec_folder_is_far    (void);
bool           kymo_rec_is_far           (const char    *path);
uint64_t       kymo_rec_folder_get_patience (void);
void           kymo_rec_folder_lose_patience (uint64_t   waited_ns);
bool           kymo_rec_folder_do        (void         (*function) (void));
const KymoRecOptions *
               kymo_rec_options          (void);
void          *kymo_rec_next_symbol      (const char    *name);
void          *kymo_rec_arena            (size_t         n_bytes);
bool           kymo_rec_start_thread     (void        *(*function) (void *),
                                          void          *data,
                                          unsigned long *id);

uint32_t       kymo_rec_region           (const char    *name,
                                          int            role,
                                          int            paradigm,
                                          const char    *file,
                                          int            line);

bool           kymo_rec_region_look      (uint32_t       id,
                                          const char   **name,
                                          int           *role,
                                          int           *paradigm);

/* Kinds of definitions whose ids are given here. */
typedef enum
{
  KYMO_REC_COMM,
  KYMO_REC_WIN,
  KYMO_REC_FILE,
  KYMO_REC_HANDLE,
  KYMO_REC_CLASS,
  KYMO_REC_CALLSITE,
  KYMO_REC_N_KINDS
} KymoRecKind;

uint32_t       kymo_rec_next_id          (KymoRecKind    kind);
void           kymo_rec_define           (const char    *kind,
                                          const char    *fields,
                                          ...);
void           kymo_rec_define_clock     (void);
uint64_t       kymo_rec_monotonic_ns     (void);

#pragma GCC visibility pop

/**
 * kymo_rec_now: this moment in ticks of the process's clock: the time-stamp counter if it is
 * constant and the kernel itself trusts it, else nanoseconds of CLOCK_MONOTONIC.
 */
static inline uint64_t
kymo_rec_now (void)
{
#if defined (__x86_64__)
  /* Not by x86intrin.h, which takes longer to read than all else together. */
  if (__builtin_expect (kymo_rec_page->tsc, 1))
    return __builtin_ia32_rdtsc ();
#endif
  return kymo_rec_monotonic_ns ();
}

/**
 * kymo_rec_is_awake: whether what the program does is followed, also while nothing is written
 * of it.
 */
static inline bool
kymo_rec_is_awake (void)
{
  int state = atomic_load_explicit (&kymo_rec_page->state, memory_order_relaxed);

  return state == KYMO_REC_AWAKE || state == KYMO_REC_PAUSED;
}

/**
 * kymo_rec_thread: the event file of the calling thread, or NULL if nothing is to be followed
 * now. It belongs to the recorder and is valid until the thread ends. Where recording is paused it
 * has no room for records (kymo_rec_reserve()).
 */
static inline KymoRecThread *
kymo_rec_thread (void)
{
  if (__builtin_expect (atomic_load_explicit (&kymo_rec_page->state, memory_order_relaxed)
                        != KYMO_REC_AWAKE, 0))
    return kymo_rec_thread_paused ();
  if (__builtin_expect (kymo_rec_self.thread != NULL, 1))
    return kymo_rec_self.thread;
  return kymo_rec_thread_first ();
}

/**
 * kymo_rec_begin_at: as kymo_rec_begin(), for who is called by the exported function.
 * @frame: of the exported function
 */
static inline __attribute__ ((always_inline)) KymoRecThread *
kymo_rec_begin_at (uintptr_t frame)
{
  if (__builtin_expect (kymo_rec_self.depth++ != 0, 0))
    {
      if (frame < kymo_rec_self.frame || kymo_rec_self.frame == 0)
        return NULL;
      kymo_rec_self.depth = 1;
      if (kymo_rec_self.thread != NULL)
        kymo_rec_unwind (kymo_rec_self.thread, kymo_rec_self.n_open);
    }
  kymo_rec_self.frame = frame;
  KymoRecThread *thread = kymo_rec_thread ();
  if (thread != NULL)
    {
      if (__builtin_expect (thread->is_paused, 0))
        kymo_rec_thread_resume (thread);
      kymo_rec_self.n_open = thread->n_open;
    }
  return thread;
}

/**
 * kymo_rec_begin: begins a wrapper. An exception, or a longjmp() that kymo_rec_jump() did not see,
 * may have left an earlier wrapper for good: its frame lies below ours then, or where ours is, and
 * what it had open is closed. It stands in the exported function itself, whose frame begins where
 * its caller's ends.
 *
 * Returns: the event file (owned by the recorder), or NULL if this call is not to be recorded:
 *   the process is dormant, or another wrapper is under way in this thread
 */
static inline __attribute__ ((always_inline)) KymoRecThread *
kymo_rec_begin (void)
{
  return kymo_rec_begin_at ((uintptr_t) __builtin_frame_address (0));
}

/**
 * kymo_rec_end: ends a wrapper that kymo_rec_begin() began.
 */
static inline void
kymo_rec_end (void)
{
  if (kymo_rec_self.depth != 0)
    kymo_rec_self.depth--;
}

/**
 * kymo_rec_enter_guard: as kymo_rec_begin(), for who needs no event file.
 *
 * Returns: whether this call is to be recorded. kymo_rec_leave_guard() follows in any case.
 */
static inline __attribute__ ((always_inline)) bool
kymo_rec_enter_guard (void)
{
  return kymo_rec_begin () != NULL;
}

/**
 * kymo_rec_leave_guard: the counterpart of kymo_rec_enter_guard().
 */
static inline void
kymo_rec_leave_guard (void)
{
  kymo_rec_end ();
}

/**
 * kymo_rec_reserve:
 * @n_cells: cells of the record, 1 to 255
 *
 * Returns: room for a record, all zero but for its number of cells; who asks fills it in and
 *   calls kymo_rec_commit() before the next reserve. NULL if recording has stopped.
 */
static inline KymoRawCell *
kymo_rec_reserve (KymoRecThread *thread,
                  unsigned       n_cells)
{
  KymoRawCell *cell = thread->cursor;

  if (__builtin_expect (thread->limit - cell < (ptrdiff_t) n_cells, 0))
    {
      cell = kymo_rec_next_chunk (thread, n_cells);
      if (cell == NULL)
        return NULL;
    }
  thread->cursor = cell + n_cells;
  cell->cells = n_cells;
  return cell;
}

/**
 * kymo_rec_commit: makes a record that was filled in visible to readers.
 * @type: a KymoRawType
 */
static inline void
kymo_rec_commit (KymoRawCell *cell,
                 uint8_t      type)
{
  atomic_signal_fence (memory_order_release);
  __atomic_store_n (&cell->type, type, __ATOMIC_RELEASE);
}

/**
 * kymo_rec_words: the cell @n after the first of a record.
 */
static inline KymoRawWords *
kymo_rec_words (KymoRawCell *cell,
                unsigned     n)
{
  return (KymoRawWords *) (cell + n);
}

/**
 * kymo_rec_enter: the thread enters a region.
 * @region: from kymo_rec_region()
 * @time: in ticks
 */
static inline void
kymo_rec_enter (KymoRecThread *thread,
                uint32_t       region,
                uint64_t       time)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, 1);

  if (cell != NULL)
    {
      cell->arg = region;
      cell->time = time;
      kymo_rec_commit (cell, KYMO_RAW_ENTER);
    }
  if (__builtin_expect (thread->n_open < KYMO_REC_MOST_OPEN, 1))
    {
      thread->open[thread->n_open].region = region;
      thread->open[thread->n_open].time = time;
    }
  thread->n_open++;
  if (__builtin_expect (kymo_rec_switched != NULL, 0))
    kymo_rec_switched (thread, time);
}

/**
 * kymo_rec_leave: the thread leaves the region that it entered last. Nothing is written if no
 * region is open, so a record of a thread is balanced whatever happens.
 * @region: the region of that kymo_rec_enter()
 * @time: in ticks
 */
static inline void
kymo_rec_leave (KymoRecThread *thread,
                uint32_t       region,
                uint64_t       time)
{
  if (__builtin_expect (thread->sampled != 0, 0))
    kymo_rec_leave_sampled (thread, region, time);
  if (thread->n_open == 0)
    return;
  KymoRawCell *cell = kymo_rec_reserve (thread, 1);
  if (cell != NULL)
    {
      cell->arg = region;
      cell->time = time;
      kymo_rec_commit (cell, KYMO_RAW_LEAVE);
    }
  thread->n_open--;
  if (__builtin_expect (kymo_rec_switched != NULL, 0))
    kymo_rec_switched (thread, time);
}

/**
 * kymo_rec_unique_id: a number that no other request or operation of this process has; never 0.
 */
static inline uint64_t
kymo_rec_unique_id (KymoRecThread *thread)
{
  return ((uint64_t) (thread->number + 1) << 40) | ++thread->n_ids;
}
