/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests. MPI may give the same handle to several operations that are under way (small messages
 * that are done at once), so a handle leads to a queue, and the oldest operation ends first. Each
 * operation has an id of its own in the record.
 *
 * With several threads MPI may give a handle away again before the thread that waited for it has
 * returned from MPI. So a thread holds the operations that it waits for, and others pass them by.
 */
#include "kymo-mpi.h"

#include <string.h>

#define N_BUCKETS 4096

typedef struct
{
  KymoSysLock lock;
  KymoMpiRequest *first;        /* the oldest */
} Bucket;

static Bucket buckets[N_BUCKETS];
static KymoSysLock pool_lock;
static KymoMpiRequest *pool;

static Bucket *
bucket_of (uint64_t handle)
{
  uint64_t key = (handle ^ (handle >> 21)) * 0x9e3779b97f4a7c15u;

  return &buckets[key >> 52];
}

/* Without several threads in MPI at the same time nobody needs to hold or lock anything: a lock and
 * its release are two atomic operations, and a message has eight of them. */
static bool
threads_may_race (void)
{
  static _Atomic int level = -1;
  int known = atomic_load_explicit (&level, memory_order_relaxed);

  if (__builtin_expect (known < 0, 0))
    {
      PMPI_Query_thread (&known);
      atomic_store (&level, known);
    }
  return known == MPI_THREAD_MULTIPLE;
}

static inline void
lock_for_threads (KymoSysLock *lock)
{
  if (threads_may_race ())
    kymo_sys_lock (lock);
}

static inline void
unlock_for_threads (KymoSysLock *lock)
{
  if (threads_may_race ())
    kymo_sys_unlock (lock);
}

static KymoMpiRequest *
new_entry (void)
{
  lock_for_threads (&pool_lock);
  KymoMpiRequest *entry = pool;
  if (entry != NULL)
    pool = entry->next;
  unlock_for_threads (&pool_lock);
  return entry != NULL ? entry : kymo_rec_arena (sizeof *entry);
}

static void
free_entry (KymoMpiRequest *entry)
{
  lock_for_threads (&pool_lock);
  entry->next = pool;
  pool = entry;
  unlock_for_threads (&pool_lock);
}

/**
 * kymo_mpi_request: what is known of an operation before it is begun.
 * @kind: a message that goes, comes, or both
 * @peer: rank in @comm, MPI_ANY_SOURCE or MPI_PROC_NULL
 * @tag: of a message that is sent
 * @n_bytes: of a message that is sent
 */
KymoMpiRequest
kymo_mpi_request (KymoRecThread      *thread,
                  KymoMpiRequestKind  kind,
                  MPI_Comm            comm,
                  int                 peer,
                  int                 tag,
                  int64_t             n_bytes)
{
  const KymoMpiComm *entry = kymo_mpi_comm (comm);

  return (KymoMpiRequest) {
    .kind = kymo_mpi_can_record (entry, peer) ? kind : KYMO_MPI_NOTHING,
    .id = kymo_rec_unique_id (thread), .target = entry->id, .peer = peer, .tag = tag,
    .sent = n_bytes, .active = true,
  };
}

/**
 * kymo_mpi_request_made: an operation has begun, or a persistent one was made.
 * @handle: what MPI calls it
 * @request: copied
 */
void
kymo_mpi_request_made (MPI_Request           handle,
                       const KymoMpiRequest *request)
{
  if (handle == MPI_REQUEST_NULL)
    return;
  Bucket *bucket = bucket_of (KYMO_HANDLE (handle));
  KymoMpiRequest *entry = new_entry (), **end;

  if (entry == NULL)
    return;
  *entry = *request;
  entry->handle = KYMO_HANDLE (handle);
  entry->turn = atomic_load (&kymo_rec_page->turns);
  entry->next = NULL;
  lock_for_threads (&bucket->lock);
  for (end = &bucket->first; *end != NULL; end = &(*end)->next)
    ;
  *end = entry;
  unlock_for_threads (&bucket->lock);
}

/* Where the oldest operation of a handle with that holder is linked, or NULL. */
static KymoMpiRequest **
find_oldest (Bucket              *bucket,
             uint64_t             handle,
             const KymoRecThread *holder)
{
  for (KymoMpiRequest **place = &bucket->first; *place != NULL; place = &(*place)->next)
    if ((*place)->handle == handle && (*place)->holder == holder)
      return place;
  return NULL;
}

/* Gives operations from one holder to another: the oldest of each handle, or all that a thread
 * lets go. */
static void
change_holder (const MPI_Request   *handles,
               int                  n,
               const KymoRecThread *from,
               const KymoRecThread *to)
{
  if (handles == NULL || !threads_may_race ())
    return;
  for (int i = 0; i < n; i++)
    {
      uint64_t handle = KYMO_HANDLE (handles[i]);
      Bucket *bucket = bucket_of (handle);
      KymoMpiRequest **place;

      lock_for_threads (&bucket->lock);
      while ((place = find_oldest (bucket, handle, from)) != NULL)
        {
          (*place)->holder = to;
          if (to != NULL)
            break;
        }
      unlock_for_threads (&bucket->lock);
    }
}

/**
 * kymo_mpi_request_hold: a thread is about to wait for operations, or to test them.
 * @handles: of the operations
 * @n: how many they are
 */
void
kymo_mpi_request_hold (const KymoRecThread *thread,
                       const MPI_Request   *handles,
                       int                  n)
{
  change_holder (handles, n, NULL, thread);
}

/**
 * kymo_mpi_request_let_go: the thread waits no more for those that have not ended.
 * @handles: as they were given to kymo_mpi_request_hold()
 * @n: how many they are
 */
void
kymo_mpi_request_let_go (const KymoRecThread *thread,
                         const MPI_Request   *handles,
                         int                  n)
{
  change_holder (handles, n, thread, NULL);
}

/* The oldest operation of a handle that the thread holds, or that nobody does; taken out unless it
 * is persistent. */
static bool
take_oldest (const KymoRecThread *thread,
             MPI_Request          handle,
             bool                 with_persistent,
             KymoMpiRequest      *request)
{
  Bucket *bucket = bucket_of (KYMO_HANDLE (handle));
  KymoMpiRequest **place = NULL, *entry;
  bool out = false;

  lock_for_threads (&bucket->lock);
  if (thread != NULL)
    place = find_oldest (bucket, KYMO_HANDLE (handle), thread);
  if (place == NULL)
    place = find_oldest (bucket, KYMO_HANDLE (handle), NULL);
  entry = place != NULL ? *place : NULL;
  if (entry != NULL)
    {
      *request = *entry;
      out = !entry->persistent || with_persistent;
      if (out)
        *place = entry->next;
      else
        entry->active = entry->cancelled = false;
      entry->holder = NULL;
    }
  unlock_for_threads (&bucket->lock);
  if (out)
    free_entry (entry);
  return entry != NULL;
}

/* Room for a record about an operation that ended now, or NULL. */
static KymoRawCell *
reserve_end (KymoRecThread        *thread,
             const KymoMpiRequest *request,
             unsigned              n_cells)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, n_cells);

  if (cell == NULL)
    return NULL;
  cell->arg = request->target;
  cell->time = kymo_rec_now ();
  return cell;
}

static void
mark_irecv (KymoRecThread        *thread,
            const KymoMpiRequest *request,
            const MPI_Status     *status)
{
  int source = status->MPI_SOURCE, tag = status->MPI_TAG;
  int64_t n_bytes = kymo_mpi_received (status);
  KymoRawCell *cell;

  /* MPICH 4.0 leaves the status of MPI_Isendrecv as it was. */
  if (request->unsure && request->peer >= 0 && request->tag >= 0
      && (source != request->peer || tag != request->tag || n_bytes == 0))
    {
      source = request->peer;
      tag = request->tag;
      n_bytes = request->received;
    }
  if (source == MPI_PROC_NULL || (cell = reserve_end (thread, request, 3)) == NULL)
    return;
  kymo_rec_words (cell, 1)->i = source;
  kymo_rec_words (cell, 1)->j = tag;
  kymo_rec_words (cell, 1)->n = (uint64_t) n_bytes;
  kymo_rec_words (cell, 2)->a = request->id;
  kymo_rec_commit (cell, KYMO_RAW_IRECV);
}

static void
mark_collective (KymoRecThread        *thread,
                 const KymoMpiRequest *request)
{
  KymoRawCell *cell = reserve_end (thread, request, 3);

  if (cell == NULL)
    return;
  cell->small = request->op;
  kymo_rec_words (cell, 1)->i = request->root;
  kymo_rec_words (cell, 1)->n = (uint64_t) request->sent;
  kymo_rec_words (cell, 2)->a = (uint64_t) request->received;
  kymo_rec_words (cell, 2)->b = request->id;
  kymo_rec_commit (cell, KYMO_RAW_NB_COMPLETE);
}

static void
mark_file_end (KymoRecThread        *thread,
               const KymoMpiRequest *request,
               const MPI_Status     *status)
{
  KymoRawCell *cell = reserve_end (thread, request, 2);

  if (cell == NULL)
    return;
  kymo_rec_words (cell, 1)->a = (uint64_t) kymo_mpi_received (status);
  kymo_rec_words (cell, 1)->b = request->id;
  kymo_rec_commit (cell, KYMO_RAW_IO_END);
}

static void
mark_rma_end (KymoRecThread        *thread,
              const KymoMpiRequest *request)
{
  KymoRawCell *cell = reserve_end (thread, request, 2);

  if (cell == NULL)
    return;
  cell->small = 1;
  kymo_rec_words (cell, 1)->a = request->id;
  kymo_rec_commit (cell, KYMO_RAW_RMA_COMPLETE);
}

/**
 * kymo_mpi_request_done: MPI said that an operation has ended.
 * @handle: as it was before the call
 * @status: what MPI said of it; not MPI_STATUS_IGNORE
 */
void
kymo_mpi_request_done (KymoRecThread *thread,
                       MPI_Request    handle,
                       MPI_Status    *status)
{
  KymoMpiRequest request;
  int cancelled = 0;

  if (handle == MPI_REQUEST_NULL || !take_oldest (thread, handle, false, &request)
      || !request.active)
    return;
  /* What began before recording went off, or meanwhile, has no begin that its end belongs to. */
  if (request.turn != atomic_load (&kymo_rec_page->turns) && request.kind != KYMO_MPI_IDUP)
    return;
  if (request.cancelled)
    PMPI_Test_cancelled (status, &cancelled);
  if (cancelled)
    {
      if (request.kind != KYMO_MPI_NOTHING)
        kymo_mpi_mark_id (thread, KYMO_RAW_REQUEST_CANCELLED, request.id);
      return;
    }
  switch ((KymoMpiRequestKind) request.kind)
    {
    case KYMO_MPI_SEND:
      kymo_mpi_mark_id (thread, KYMO_RAW_ISEND_COMPLETE, request.id);
      break;
    case KYMO_MPI_SENDRECV:
      kymo_mpi_mark_id (thread, KYMO_RAW_ISEND_COMPLETE, request.send_id);
      mark_irecv (thread, &request, status);
      break;
    case KYMO_MPI_RECV:
      mark_irecv (thread, &request, status);
      break;
    case KYMO_MPI_IDUP:
      kymo_mpi_comm_add (thread, *request.new_comm, request.old_comm);
      break;
    case KYMO_MPI_COLLECTIVE:
      mark_collective (thread, &request);
      break;
    case KYMO_MPI_RMA:
      mark_rma_end (thread, &request);
      break;
    case KYMO_MPI_FILE_IO:
      mark_file_end (thread, &request, status);
      break;
    case KYMO_MPI_NOTHING:
      break;
    }
}

/**
 * kymo_mpi_request_free: the program gives a handle back. The end of an operation that is under
 * way will not be seen.
 */
void
kymo_mpi_request_free (MPI_Request handle)
{
  KymoMpiRequest request;

  if (handle != MPI_REQUEST_NULL)
    take_oldest (NULL, handle, true, &request);
}

/* Calls back with the oldest operation of a handle, which is locked. */
static void
change_oldest (MPI_Request   handle,
               void        (*change) (KymoMpiRequest *entry, void *data),
               void         *data)
{
  Bucket *bucket = bucket_of (KYMO_HANDLE (handle));

  lock_for_threads (&bucket->lock);
  for (KymoMpiRequest *entry = bucket->first; entry != NULL; entry = entry->next)
    if (entry->handle == KYMO_HANDLE (handle))
      {
        change (entry, data);
        break;
      }
  unlock_for_threads (&bucket->lock);
}

static void
set_cancelled (KymoMpiRequest *entry,
               void           *data)
{
  entry->cancelled = true;
}

/**
 * kymo_mpi_request_cancel: the program asked MPI to cancel an operation; whether that worked is
 * seen at its end.
 */
void
kymo_mpi_request_cancel (MPI_Request handle)
{
  change_oldest (handle, set_cancelled, NULL);
}

static void
set_active (KymoMpiRequest *entry,
            void           *data)
{
  KymoMpiRequest *copy = data;

  entry->active = true;
  entry->cancelled = false;
  entry->id = copy->id;
  entry->turn = atomic_load (&kymo_rec_page->turns);
  *copy = *entry;
}

/**
 * kymo_mpi_request_start: a persistent operation is about to begin.
 */
void
kymo_mpi_request_start (KymoRecThread *thread,
                        MPI_Request    handle)
{
  KymoMpiRequest request = { .kind = KYMO_MPI_NOTHING, .id = kymo_rec_unique_id (thread) };

  change_oldest (handle, set_active, &request);
  if (request.kind == KYMO_MPI_SEND)
    kymo_mpi_mark_isend (thread, &request);
  else if (request.kind == KYMO_MPI_RECV)
    kymo_mpi_mark_id (thread, KYMO_RAW_IRECV_REQUEST, request.id);
  else if (request.kind == KYMO_MPI_COLLECTIVE)
    kymo_mpi_mark_id (thread, KYMO_RAW_NB_REQUEST, request.id);
}

static void
get_id (KymoMpiRequest *entry,
        void           *data)
{
  if (entry->active && entry->kind != KYMO_MPI_NOTHING)
    *(uint64_t *) data = entry->id;
}

/**
 * kymo_mpi_request_tested: the program asked whether an operation has ended, and it has not.
 */
void
kymo_mpi_request_tested (KymoRecThread *thread,
                         MPI_Request    handle)
{
  uint64_t id = 0;

  if (!kymo_rec_options ()->tests || handle == MPI_REQUEST_NULL)
    return;
  change_oldest (handle, get_id, &id);
  if (id != 0)
    kymo_mpi_mark_id (thread, KYMO_RAW_REQUEST_TEST, id);
}

/**
 * kymo_mpi_coll_begin: a collective operation begins.
 * @time: in ticks
 */
void
kymo_mpi_coll_begin (KymoRecThread *thread,
                     uint64_t       time)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, 1);

  if (cell == NULL)
    return;
  cell->time = time;
  kymo_rec_commit (cell, KYMO_RAW_COLL_BEGIN);
}

/* Roots as the archive has them: MPI_ROOT and MPI_PROC_NULL of intercommunicators. */
static int
root_word (int root)
{
  if (root == MPI_ROOT)
    return (int) OTF2_COLLECTIVE_ROOT_SELF;
  if (root == MPI_PROC_NULL)
    return (int) OTF2_COLLECTIVE_ROOT_THIS_GROUP;
  return root;
}

/**
 * kymo_mpi_coll_end: a collective operation ends.
 * @op: an OTF2_CollectiveOp
 * @comm: of it
 * @root: rank in @comm, or -1
 * @sent: bytes
 * @received: bytes
 */
void
kymo_mpi_coll_end (KymoRecThread     *thread,
                   unsigned           op,
                   const KymoMpiComm *comm,
                   int                root,
                   int64_t            sent,
                   int64_t            received)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, 3);

  if (cell == NULL)
    return;
  cell->small = (uint16_t) op;
  cell->arg = comm->id;
  cell->time = kymo_rec_now ();
  kymo_rec_words (cell, 1)->i = root_word (root);
  kymo_rec_words (cell, 1)->n = (uint64_t) sent;
  kymo_rec_words (cell, 2)->a = (uint64_t) received;
  kymo_rec_commit (cell, KYMO_RAW_COLL_END);
}

/**
 * kymo_mpi_coll_request: as kymo_mpi_coll_end(), for one that ends later.
 * @op: an OTF2_CollectiveOp
 * @comm: of it
 * @root: rank in @comm, or -1
 * @sent: bytes
 * @received: bytes
 */
KymoMpiRequest
kymo_mpi_coll_request (KymoRecThread     *thread,
                       unsigned           op,
                       const KymoMpiComm *comm,
                       int                root,
                       int64_t            sent,
                       int64_t            received)
{
  return (KymoMpiRequest) {
    .kind = comm->id != KYMO_MPI_FOREIGN ? KYMO_MPI_COLLECTIVE : KYMO_MPI_NOTHING,
    .id = kymo_rec_unique_id (thread), .op = (uint16_t) op, .target = comm->id,
    .root = root_word (root), .sent = sent, .received = received, .active = true,
  };
}
