/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One-sided communication. Operations on one target that are under way in a window share an id;
 * what completes them (a flush, the end of an epoch) says so once for each target.
 */
#include "kymo-mpi.h"

#include <string.h>

static KymoMpiMap wins;

static KymoMpiWin *
find_win (MPI_Win win)
{
  return kymo_mpi_map_get (&wins, KYMO_HANDLE (win));
}

/* A record of a window; the caller fills in the rest and commits it. */
static KymoRawCell *
new_record (KymoRecThread    *thread,
            const KymoMpiWin *win,
            unsigned          n_cells)
{
  KymoRawCell *cell = win != NULL ? kymo_rec_reserve (thread, n_cells) : NULL;

  if (cell != NULL)
    {
      cell->arg = win->id;
      cell->time = kymo_rec_now ();
    }
  return cell;
}

static void
mark_win (KymoRecThread    *thread,
          const KymoMpiWin *win,
          uint8_t           type)
{
  KymoRawCell *cell = new_record (thread, win, 1);

  if (cell != NULL)
    kymo_rec_commit (cell, type);
}

static void
end_collective (KymoRecThread    *thread,
                const KymoMpiWin *win,
                unsigned          op,
                int               level)
{
  KymoRawCell *cell = new_record (thread, win, 3);

  if (cell == NULL)
    return;
  cell->small = (uint16_t) op;
  kymo_rec_words (cell, 1)->i = -1;
  kymo_rec_words (cell, 1)->j = level;
  kymo_rec_commit (cell, KYMO_RAW_RMA_COLL_END);
}

/**
 * kymo_mpi_win_begin: a collective operation on a window begins.
 */
void
kymo_mpi_win_begin (KymoRecThread *thread)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, 1);

  if (cell == NULL)
    return;
  cell->time = kymo_rec_now ();
  kymo_rec_commit (cell, KYMO_RAW_RMA_COLL_BEGIN);
}

/**
 * kymo_mpi_win_add: a window was made; ends what kymo_mpi_win_begin() began.
 * @comm: its processes
 * @allocated: whether MPI made its memory too
 */
void
kymo_mpi_win_add (KymoRecThread *thread,
                  MPI_Win        handle,
                  MPI_Comm       comm,
                  bool           allocated)
{
  KymoMpiComm *entry = kymo_mpi_comm (comm);
  KymoMpiWin *win = kymo_rec_arena (sizeof *win);

  if (win == NULL)
    return;
  win->comm = entry;
  win->allocated = allocated;
  win->id = kymo_rec_next_id (KYMO_REC_WIN);
  kymo_rec_define ("win", "uus", win->id, entry->id, "");
  kymo_mpi_map_set (&wins, KYMO_HANDLE (handle), win);
  mark_win (thread, win, KYMO_RAW_WIN_CREATE);
  end_collective (thread, win,
                  allocated ? OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE
                  : OTF2_COLLECTIVE_OP_CREATE_HANDLE,
                  OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY);
}

/**
 * kymo_mpi_win_name: a window got a name.
 * @name: any text
 */
void
kymo_mpi_win_name (MPI_Win     handle,
                   const char *name)
{
  const KymoMpiWin *win = find_win (handle);

  if (win != NULL && name != NULL)
    kymo_rec_define ("win", "uus", win->id, win->comm->id, name);
}

static void
complete_target (KymoRecThread       *thread,
                 const KymoMpiWin    *win,
                 const KymoMpiTarget *target)
{
  KymoRawCell *cell = new_record (thread, win, 2);

  if (cell == NULL)
    return;
  kymo_rec_words (cell, 1)->a = target->id;
  kymo_rec_commit (cell, KYMO_RAW_RMA_COMPLETE);
}

/* Whether a rank goes for all. */
static void
complete_peers (KymoRecThread *thread,
                KymoMpiWin    *win,
                int            peer)
{
  kymo_sys_lock (&win->lock);
  for (unsigned i = 0; i < win->n_targets;)
    if (peer < 0 || win->targets[i].peer == peer)
      {
        complete_target (thread, win, &win->targets[i]);
        win->targets[i] = win->targets[--win->n_targets];
      }
    else
      i++;
  kymo_sys_unlock (&win->lock);
}

/**
 * kymo_mpi_win_gone: a window is about to be freed.
 */
void
kymo_mpi_win_gone (KymoRecThread *thread,
                   MPI_Win        handle)
{
  KymoMpiWin *win = kymo_mpi_map_take (&wins, KYMO_HANDLE (handle));

  if (win == NULL)
    return;
  complete_peers (thread, win, -1);
  kymo_mpi_win_begin (thread);
  end_collective (thread, win,
                  win->allocated ? OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE
                  : OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
                  OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY);
  mark_win (thread, win, KYMO_RAW_WIN_DESTROY);
}

/* The id of the operations on a target that are under way; if there are too many targets, that
 * of the last one is used on. */
static uint64_t
target_id (KymoRecThread *thread,
           KymoMpiWin    *win,
           int            peer)
{
  unsigned i;

  kymo_sys_lock (&win->lock);
  for (i = 0; i < win->n_targets; i++)
    if (win->targets[i].peer == peer)
      break;
  if (i == win->n_targets && i < KYMO_MPI_TARGETS)
    {
      win->targets[i] = (KymoMpiTarget) { peer, kymo_rec_unique_id (thread) };
      win->n_targets++;
    }
  else if (i == win->n_targets)
    {
      /* As if it had been flushed: later operations get a new id. */
      i = 0;
      complete_target (thread, win, &win->targets[0]);
      win->targets[0] = (KymoMpiTarget) { peer, kymo_rec_unique_id (thread) };
    }
  uint64_t id = win->targets[i].id;
  kymo_sys_unlock (&win->lock);
  return id;
}

/**
 * kymo_mpi_win_transfer: data go to or come from a target.
 * @peer: its rank in the window
 * @type: KYMO_RAW_RMA_PUT, KYMO_RAW_RMA_GET or KYMO_RAW_RMA_ATOMIC
 * @atomic: an OTF2_RmaAtomicType, of the last
 * @sent: bytes
 * @received: bytes
 * @request: (nullable): (out): an operation with a request: its end is seen by it
 */
void
kymo_mpi_win_transfer (KymoRecThread  *thread,
                       MPI_Win         handle,
                       int             peer,
                       uint8_t         type,
                       unsigned        atomic,
                       int64_t         sent,
                       int64_t         received,
                       KymoMpiRequest *request)
{
  KymoMpiWin *win = find_win (handle);

  if (request != NULL)
    *request = (KymoMpiRequest) { .kind = KYMO_MPI_NOTHING, .active = true };
  if (win == NULL || peer == MPI_PROC_NULL)
    return;
  uint64_t id = request != NULL ? kymo_rec_unique_id (thread) : target_id (thread, win, peer);
  KymoRawCell *cell = new_record (thread, win, 3);
  if (cell == NULL)
    return;
  cell->small = (uint16_t) atomic;
  kymo_rec_words (cell, 1)->i = peer;
  kymo_rec_words (cell, 1)->n = (uint64_t) (type == KYMO_RAW_RMA_GET ? received : sent);
  kymo_rec_words (cell, 2)->a = id;
  kymo_rec_words (cell, 2)->b = type == KYMO_RAW_RMA_ATOMIC ? (uint64_t) received : 0;
  kymo_rec_commit (cell, type);
  if (request != NULL)
    {
      request->kind = KYMO_MPI_RMA;
      request->id = id;
      request->target = win->id;
    }
}

/**
 * kymo_mpi_win_complete: operations are done.
 * @peer: on which target; -1 = on all
 */
void
kymo_mpi_win_complete (KymoRecThread *thread,
                       MPI_Win        handle,
                       int            peer)
{
  KymoMpiWin *win = find_win (handle);

  if (win != NULL)
    complete_peers (thread, win, peer);
}

/**
 * kymo_mpi_win_collective: ends what kymo_mpi_win_begin() began; operations are done.
 * @op: an OTF2_CollectiveOp
 * @level: OTF2_RmaSyncLevel flags
 */
void
kymo_mpi_win_collective (KymoRecThread *thread,
                         MPI_Win        handle,
                         unsigned       op,
                         int            level)
{
  KymoMpiWin *win = find_win (handle);

  if (win == NULL)
    return;
  complete_peers (thread, win, -1);
  end_collective (thread, win, op, level);
}

static void
mark_lock (KymoRecThread *thread,
           MPI_Win        handle,
           int            peer,
           unsigned       type,
           uint8_t        record)
{
  const KymoMpiWin *win = find_win (handle);
  KymoRawCell *cell = new_record (thread, win, 2);

  if (cell == NULL)
    return;
  cell->small = (uint16_t) type;
  kymo_rec_words (cell, 1)->i = peer;
  kymo_rec_words (cell, 1)->n = (uint64_t) (uint32_t) (peer + 1);
  kymo_rec_commit (cell, record);
}

/**
 * kymo_mpi_win_lock: a lock was acquired.
 * @peer: on which target; -1 = on all
 * @type: MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE
 */
void
kymo_mpi_win_lock (KymoRecThread *thread,
                   MPI_Win        handle,
                   int            peer,
                   int            type)
{
  mark_lock (thread, handle, peer,
             type == MPI_LOCK_SHARED ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE, KYMO_RAW_RMA_LOCK);
}

/**
 * kymo_mpi_win_unlock: a lock was released; operations are done.
 * @peer: on which target; -1 = on all
 */
void
kymo_mpi_win_unlock (KymoRecThread *thread,
                     MPI_Win        handle,
                     int            peer)
{
  kymo_mpi_win_complete (thread, handle, peer);
  mark_lock (thread, handle, peer, 0, KYMO_RAW_RMA_UNLOCK);
}

/**
 * kymo_mpi_win_sync: the public and the private copy of the window were made alike.
 */
void
kymo_mpi_win_sync (KymoRecThread *thread,
                   MPI_Win        handle)
{
  const KymoMpiWin *win = find_win (handle);
  KymoRawCell *cell = new_record (thread, win, 2);

  if (cell == NULL)
    return;
  cell->small = OTF2_RMA_SYNC_TYPE_MEMORY;
  kymo_rec_words (cell, 1)->i = win->comm->rank;
  kymo_rec_commit (cell, KYMO_RAW_RMA_SYNC);
}

/**
 * kymo_mpi_win_group: an epoch of some of the processes begins or ends; which they are is not
 * recorded.
 * @level: OTF2_RmaSyncLevel flags
 */
void
kymo_mpi_win_group (KymoRecThread *thread,
                    MPI_Win        handle,
                    int            level)
{
  const KymoMpiWin *win = find_win (handle);
  KymoRawCell *cell = new_record (thread, win, 2);

  if (cell == NULL)
    return;
  kymo_rec_words (cell, 1)->i = level;
  kymo_rec_words (cell, 1)->j = (int32_t) win->comm->id;
  kymo_rec_commit (cell, KYMO_RAW_RMA_GROUP_SYNC);
}
