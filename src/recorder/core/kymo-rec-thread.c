/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Event files. A file grows by pieces of several chunks, which are preallocated, so that a full
 * disk is an error here and not a signal later, and mapped; the next piece is prepared by the
 * helper thread while the writer fills the present one. Descriptors are open only while a file
 * grows. If only the last seconds are kept, pieces stay mapped and their chunks form a ring.
 *
 * The writer of a file is one thread. The helper touches `next` and `old` alone, both of which
 * change hands by one atomic exchange.
 */
#include "kymo-rec-inner.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>


/* A mapped part of a file. */
typedef struct
{
  char *bytes;
  size_t n_bytes;
} Piece;

/* A chunk of a ring. */
typedef struct Link
{
  KymoRawCell *chunk;
  uint64_t begin;               /* when it was begun */
  struct Link *next;            /* begun after this one; of the newest: the oldest */
} Link;

struct KymoRecFile
{
  char path[KYMO_SYS_MOST_PATH];
  KymoRawHeader header;
  struct KymoRecFile *next_file;
  Piece piece;                  /* being written */
  size_t at;                    /* where in it the next chunk begins */
  Piece *_Atomic next;          /* prepared by the helper */
  Piece *_Atomic old;           /* to be unmapped by it */
  atomic_bool wanted;           /* the helper is to prepare a piece */
  KymoSysLock growing;
  uint64_t file_bytes;          /* guarded by growing */
  size_t grow_bytes;            /* likewise */
  uint64_t sequence;
  Link *newest;
  bool short_ring;
};

void (*kymo_rec_thread_begins) (KymoRecThread *thread);
void (*kymo_rec_thread_ends) (KymoRecThread *thread);
__thread KymoRecSelf kymo_rec_self __attribute__ ((tls_model ("initial-exec")));

static struct KymoRecFile *_Atomic files;
static _Atomic uint32_t n_threads, n_systems;
static _Atomic uint64_t all_bytes;      /* of all event files */
static pthread_key_t end_key;
static bool have_key;

static void
unmap_piece (Piece piece)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE), before = (uintptr_t) piece.bytes % page;

  if (piece.bytes != NULL)
    kymo_sys_unmap (piece.bytes - before, piece.n_bytes + before);
}

/* The next piece of a file, mapped; the caller holds `growing`. If `quiet`, a refusal is left
 * to the next call. */
static bool
make_piece (struct KymoRecFile *file,
            bool                quiet,
            Piece              *piece)
{
  size_t more = file->grow_bytes;
  int fd = kymo_sys_open (file->path, O_RDWR | O_NOFOLLOW, 0);
  const char *reason = NULL;
  bool good = false;

  if (fd >= 0)
    {
      reason = kymo_rec_disk_refuses (fd, file->file_bytes, atomic_load (&all_bytes), more);
      if (reason != NULL && more > KYMO_REC_CHUNK_BYTES)
        {
          more = KYMO_REC_CHUNK_BYTES;
          reason = kymo_rec_disk_refuses (fd, file->file_bytes, atomic_load (&all_bytes), more);
        }
      good = reason == NULL && kymo_rec_disk_allocate (fd, file->file_bytes, more);
      if (good)
        {
          piece->bytes = kymo_rec_disk_map (fd, file->file_bytes, more);
          piece->n_bytes = more;
          good = piece->bytes != NULL;
        }
    }
  int code = errno;
  if (fd >= 0)
    kymo_sys_close (fd);
  if (good)
    {
      file->file_bytes += more;
      atomic_fetch_add (&all_bytes, more);
      file->grow_bytes *= 4;
      if (file->grow_bytes > kymo_rec_options ()->buffer_bytes)
        file->grow_bytes = kymo_rec_options ()->buffer_bytes / KYMO_REC_CHUNK_BYTES
                           * KYMO_REC_CHUNK_BYTES;
    }
  else if (!quiet && reason != NULL)
    kymo_rec_stop (reason);
  else if (!quiet)
    kymo_rec_stop_errno ("the event file cannot grow", code);
  return good;
}

/**
 * kymo_rec_file_grow: makes the next piece of a file.
 * @ahead: for later: errors are not told
 *
 * Returns: FALSE if there is none
 */
bool
kymo_rec_file_grow (struct KymoRecFile *file,
                    bool                ahead)
{
  Piece made, *kept;
  bool good = false;

  kymo_sys_lock (&file->growing);
  if (ahead && atomic_load (&file->next) == NULL && atomic_load (&file->wanted))
    {
      kept = kymo_rec_arena (sizeof *kept);
      good = kept != NULL && make_piece (file, true, kept);
      if (good)
        atomic_store (&file->next, kept);
      atomic_store (&file->wanted, false);
    }
  else if (!ahead)
    {
      kept = atomic_exchange (&file->next, NULL);
      good = kept != NULL || make_piece (file, file->newest != NULL, &made);
      if (good)
        {
          Piece *last = kymo_rec_arena (sizeof *last);
          if (last != NULL)
            *last = file->piece;
          file->piece = kept != NULL ? *kept : made;
          file->at = 0;
          if (last != NULL && file->newest == NULL)
            last = atomic_exchange (&file->old, last);
          if (last != NULL && file->newest == NULL)
            unmap_piece (*last);
        }
      atomic_store (&file->wanted, good);
    }
  kymo_sys_unlock (&file->growing);
  return good;
}

/**
 * kymo_rec_files_prepare: what the helper does when it is woken: maps what will be needed, unmaps
 * what is done with.
 */
void
kymo_rec_files_prepare (void)
{
  for (struct KymoRecFile *file = atomic_load (&files); file != NULL; file = file->next_file)
    {
      Piece *old = atomic_exchange (&file->old, NULL);
      if (old != NULL)
        unmap_piece (*old);
      if (atomic_load (&file->wanted))
        kymo_rec_file_grow (file, true);
    }
}

/**
 * kymo_rec_bytes_mapped: bytes of all event files of this process.
 */
uint64_t
kymo_rec_bytes_mapped (void)
{
  return atomic_load (&all_bytes);
}

/* A chunk of the ring that is old enough to be lost, or has to be. */
static KymoRawCell *
reuse_oldest (struct KymoRecFile *file,
              bool                have_to)
{
  Link *oldest = file->newest != NULL ? file->newest->next : NULL;

  if (oldest == NULL || oldest == file->newest)
    return NULL;
  if (!have_to
      && kymo_rec_ticks_to_ns (kymo_rec_now () - oldest->next->begin)
         < kymo_rec_options ()->last_ns)
    return NULL;
  KymoRawCell *chunk = oldest->chunk;
  kymo_rec_commit (chunk, KYMO_RAW_END);
  memset (chunk, 0, KYMO_REC_CHUNK_BYTES);
  file->newest = oldest;
  return chunk;
}

static bool
link_chunk (struct KymoRecFile *file,
            KymoRawCell        *chunk)
{
  Link *link = kymo_rec_arena (sizeof *link);

  if (link == NULL)
    return false;
  link->chunk = chunk;
  link->next = file->newest != NULL ? file->newest->next : link;
  if (file->newest != NULL)
    file->newest->next = link;
  file->newest = link;
  return true;
}

/* Where the next chunk begins. */
static KymoRawCell *
take_chunk (struct KymoRecFile *file)
{
  bool ring = (file->header.flags & KYMO_RAW_RING) != 0;
  KymoRawCell *chunk = ring ? reuse_oldest (file, false) : NULL;

  if (chunk != NULL)
    return chunk;
  if (file->at + KYMO_REC_CHUNK_BYTES > file->piece.n_bytes)
    {
      if (!kymo_rec_file_grow (file, false))
        {
          chunk = ring ? reuse_oldest (file, true) : NULL;
          if (chunk == NULL && kymo_rec_is_awake ())
            kymo_rec_stop ("the event file cannot grow");
          if (chunk != NULL && !file->short_ring)
            kymo_rec_define ("lost", "sus", "time", 1u,
                             "the limit holds less than --last asks for");
          file->short_ring = true;
          return chunk;
        }
      kymo_rec_helper_kick ();
    }
  chunk = (KymoRawCell *) (file->piece.bytes + file->at);
  file->at += KYMO_REC_CHUNK_BYTES;
  return ring && !link_chunk (file, chunk) ? NULL : chunk;
}

/**
 * kymo_rec_next_chunk: begins a chunk, with the regions that are open.
 * @n_cells: of the record that did not fit
 *
 * Returns: room for that record, or NULL if recording stops
 */
KymoRawCell *
kymo_rec_next_chunk (KymoRecThread *thread,
                     unsigned       n_cells)
{
  struct KymoRecFile *file = thread->file;
  uint32_t n_open = thread->n_open < KYMO_REC_MOST_OPEN ? thread->n_open : KYMO_REC_MOST_OPEN;
  int code = errno;

  if (!kymo_rec_is_awake () || thread->is_paused)
    return NULL;
  /* Before the helper may unmap this chunk. */
  if (thread->cursor != NULL && thread->cursor < thread->limit)
    {
      thread->cursor->cells = 1;
      kymo_rec_commit (thread->cursor, KYMO_RAW_PAD);
      thread->cursor = thread->limit;
    }
  /* A handler that does not return would leave the file locked. */
  uint64_t all = ~UINT64_C (0), before;
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof before);
  KymoRawCell *chunk = take_chunk (file);
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
  errno = code;
  if (chunk == NULL)
    return NULL;
  chunk->cells = 2;
  chunk->arg = n_open;
  chunk->time = kymo_rec_now ();
  kymo_rec_words (chunk, 1)->a = ++file->sequence;
  if (file->newest != NULL)
    file->newest->begin = chunk->time;
  for (uint32_t i = 0; i < n_open; i++)
    {
      KymoRawCell *open = chunk + 2 + i;
      open->cells = 1;
      open->arg = thread->open[i].region;
      open->time = thread->open[i].time;
      kymo_rec_commit (open, KYMO_RAW_OPEN);
    }
  kymo_rec_commit (chunk, KYMO_RAW_CHUNK);
  thread->cursor = chunk + 2 + n_open;
  thread->limit = chunk + KYMO_REC_CHUNK_BYTES / KYMO_RAW_CELL_BYTES;
  return thread->cursor;
}

/**
 * kymo_rec_leave_sampled: leaves the region that a sample has put on top, if another one is to be
 * left.
 * @region: that is left
 * @time: in ticks
 */
void
kymo_rec_leave_sampled (KymoRecThread *thread,
                        uint32_t       region,
                        uint64_t       time)
{
  uint32_t top = thread->sampled - 1, found;

  if (thread->n_open < thread->sampled || thread->sampled > KYMO_REC_MOST_OPEN)
    thread->sampled = 0;
  else if (thread->n_open == thread->sampled && (found = thread->open[top].region) != region)
    {
      thread->sampled = 0;
      kymo_rec_leave (thread, found, time);
    }
}

/**
 * kymo_rec_unwind: leaves regions that a longjmp() or an exception has left without a word.
 * @n_open: how many regions stay open
 */
void
kymo_rec_unwind (KymoRecThread *thread,
                 uint32_t       n_open)
{
  if (kymo_rec_thread () != thread)
    return;
  uint64_t now = kymo_rec_now ();
  while (thread->n_open > n_open)
    {
      uint32_t top = thread->n_open - 1;
      kymo_rec_leave (thread, thread->open[top < KYMO_REC_MOST_OPEN
                                           ? top : KYMO_REC_MOST_OPEN - 1].region, now);
    }
}

/* A signal may have come, and not returned, while a record was made: it is the last one, and what
 * follows it would not be found. */
static void
drop_half_record (KymoRecThread *thread)
{
  if (thread->limit == NULL)
    return;
  KymoRawCell *cell = (thread->is_paused ? thread->chunk_limit : thread->limit)
    - KYMO_REC_CHUNK_BYTES / KYMO_RAW_CELL_BYTES;
  while (cell < thread->cursor && cell->type != KYMO_RAW_END && cell->cells > 0)
    cell += cell->cells;
  if (cell >= thread->cursor)
    return;
  memset (cell, 0, (size_t) ((char *) thread->cursor - (char *) cell));
  thread->cursor = cell;
}

/**
 * kymo_rec_jump: the calling thread is about to leave functions by longjmp().
 * @stack: where its stack will end
 */
void
kymo_rec_jump (uintptr_t stack)
{
  KymoRecThread *thread = kymo_rec_self.thread;

  if (kymo_rec_self.depth == 0 || kymo_rec_self.depth >= KYMO_REC_HELPER_DEPTH
      || stack <= kymo_rec_self.frame)
    return;
  if (thread != NULL && kymo_rec_thread () == thread)
    {
      drop_half_record (thread);
      kymo_rec_unwind (thread, kymo_rec_self.n_open);
    }
  kymo_rec_self.depth = 0;
}

static bool
write_header (struct KymoRecFile *file)
{
  static const char zeros[KYMO_RAW_HEADER_BYTES - sizeof (KymoRawHeader)];
  int fd = kymo_sys_open (file->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  struct rlimit limit;
  bool good = false;

  if (fd < 0)
    return false;
  if (getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= KYMO_RAW_HEADER_BYTES)
    good = kymo_sys_write (fd, (const char *) &file->header, sizeof file->header)
           && kymo_sys_write (fd, zeros, sizeof zeros);
  else
    errno = EFBIG;
  int code = errno;
  kymo_sys_close (fd);
  errno = code;
  return good;
}

/* A thread's record with its file, which has no chunk yet. */
static KymoRecThread *
make_file (const char *kind,
           uint32_t    number)
{
  KymoRecThread *thread = kymo_rec_arena (sizeof *thread);
  struct KymoRecFile *file = kymo_rec_arena (sizeof *file);
  const KymoRecOptions *options = kymo_rec_options ();

  if (thread == NULL || file == NULL)
    return NULL;
  snprintf (file->path, sizeof file->path, "%s/%s-%u", kymo_rec_process_folder (), kind, number);
  memcpy (file->header.magic, KYMO_RAW_MAGIC, sizeof file->header.magic);
  file->header.byte_order = KYMO_RAW_BYTE_ORDER;
  file->header.version = 1;
  file->header.chunk_bytes = KYMO_REC_CHUNK_BYTES;
  file->header.thread = number;
  file->header.pid = kymo_rec_page->pid;
  file->header.tid = (uint32_t) syscall (SYS_gettid);
  file->header.flags = options->last_ns != 0 ? KYMO_RAW_RING : 0;
  file->header.begin_ticks = kymo_rec_now ();
  if (!write_header (file))
    {
      kymo_rec_stop_errno ("an event file cannot be made", errno);
      return NULL;
    }
  file->file_bytes = KYMO_RAW_HEADER_BYTES;
  file->grow_bytes = KYMO_REC_CHUNK_BYTES;
  thread->number = number;
  thread->file = file;
  file->next_file = atomic_load (&files);
  while (!atomic_compare_exchange_weak (&files, &file->next_file, file))
    ;
  return thread;
}

/**
 * kymo_rec_thread_first: makes the event file of the calling thread.
 *
 * Returns: it, owned by the recorder; NULL if that failed
 */
KymoRecThread *
kymo_rec_thread_first (void)
{
  int code = errno;
  char name[32] = "";
  uint32_t depth = kymo_rec_self.depth++;

  KymoRecThread *thread = make_file ("thread", atomic_fetch_add (&n_threads, 1));
  if (thread != NULL)
    {
      int fd = kymo_sys_open ("/proc/thread-self/comm", O_RDONLY, 0);
      long n = fd >= 0 ? kymo_sys_read (fd, name, sizeof name - 1) : 0;
      if (fd >= 0)
        kymo_sys_close (fd);
      name[n > 0 && name[n - 1] == '\n' ? n - 1 : n > 0 ? n : 0] = '\0';
      kymo_rec_define ("thread", "uus", thread->number, thread->file->header.tid, name);
      if (have_key)
        pthread_setspecific (end_key, thread);
      kymo_rec_self.thread = thread;
      kymo_rec_self.n_open = 0;
      if (kymo_rec_thread_begins != NULL)
        kymo_rec_thread_begins (thread);
    }
  kymo_rec_self.depth = depth;
  errno = code;
  return thread;
}

/**
 * kymo_rec_thread_name: gives the calling thread a better name.
 * @name: such as that of its start function
 */
void
kymo_rec_thread_name (const char *name)
{
  KymoRecThread *thread = kymo_rec_thread ();

  if (thread != NULL)
    kymo_rec_define ("thread", "uus", thread->number, thread->file->header.tid, name);
}

/**
 * kymo_rec_system_file: makes a file for samples, which the calling helper thread writes. The
 * thread itself is not recorded from now on.
 * @name: what is sampled
 *
 * Returns: the file, owned by the recorder; NULL if nothing is recorded
 */
KymoRecThread *
kymo_rec_system_file (const char *name)
{
  kymo_rec_self.depth = KYMO_REC_HELPER_DEPTH;
  kymo_rec_self.frame = UINTPTR_MAX;
  if (!kymo_rec_is_awake ())
    return NULL;
  KymoRecThread *thread = make_file ("system", atomic_fetch_add (&n_systems, 1));
  if (thread != NULL)
    kymo_rec_define ("system", "us", thread->number, name);
  return thread;
}

/**
 * kymo_rec_thread_end: the calling thread is about to end: its file gets the length that it needs
 * and is closed. Later calls of the thread are not recorded.
 */
void
kymo_rec_thread_end (void)
{
  KymoRecThread *thread = kymo_rec_self.thread;

  kymo_rec_self.depth = KYMO_REC_HELPER_DEPTH;
  kymo_rec_self.frame = UINTPTR_MAX;
  kymo_rec_self.thread = NULL;
  if (thread == NULL || atomic_load (&kymo_rec_page->state) == KYMO_REC_DORMANT)
    return;
  if (kymo_rec_thread_ends != NULL)
    kymo_rec_thread_ends (thread);
  struct KymoRecFile *file = thread->file;
  kymo_sys_lock (&file->growing);
  Piece *next = atomic_exchange (&file->next, NULL), *old = atomic_exchange (&file->old, NULL);
  atomic_store (&file->wanted, false);
  uint64_t unused = (next != NULL ? next->n_bytes : 0) + (file->piece.n_bytes - file->at);
  if (next != NULL)
    unmap_piece (*next);
  if (old != NULL)
    unmap_piece (*old);
  if (file->newest == NULL)
    {
      unmap_piece (file->piece);
      file->piece.bytes = NULL;
      int fd = kymo_sys_open (file->path, O_WRONLY | O_NOFOLLOW, 0);
      if (fd >= 0 && syscall (SYS_ftruncate, fd, (long) (file->file_bytes - unused)) == 0)
        atomic_fetch_sub (&all_bytes, unused);
      if (fd >= 0)
        kymo_sys_close (fd);
    }
  kymo_sys_unlock (&file->growing);
  thread->cursor = thread->limit = NULL;
}

static void
end_of_thread (void *thread)
{
  kymo_rec_thread_end ();
}

/**
 * kymo_rec_threads_init: sees to it that the ends of threads are noticed.
 */
void
kymo_rec_threads_init (void)
{
  have_key = pthread_key_create (&end_key, end_of_thread) == 0;
}
