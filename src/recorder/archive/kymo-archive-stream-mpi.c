/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of MPI -> events: messages, collectives, communicators, one-sided communication.
 */
#include "kymo-archive-out.h"

#define NOTE(stream, call) kymo_archive_out_note ((stream)->out, call)

/* The world rank of a peer; KYMO_ARCHIVE_NONE if the communicator has no such member. */
static uint32_t
find_peer (const KymoArchiveMembers *members,
           uint32_t                  self,
           uint32_t                  peer)
{
  const KymoArchiveBytes *ranks = &members->ranks[members->ranks[1].n > 0 ? !members->side : 0];

  if (ranks->n == 0)
    return peer;
  return peer < KYMO_ARCHIVE_COUNT (ranks, uint32_t)
    ? KYMO_ARCHIVE_AT (ranks, uint32_t)[peer] : KYMO_ARCHIVE_NONE;
}

static void
count_message (KymoArchiveStream *stream,
               uint32_t           comm,
               uint32_t           local,
               uint32_t           peer,
               bool               is_send)
{
  const KymoArchiveMembers *members = KYMO_ARCHIVE_AT (&stream->process->comms,
                                                       KymoArchiveMembers);
  KymoArchiveResult *result = stream->result;
  uint32_t self = (uint32_t) stream->process->rank, other, number;
  KymoArchiveTraffic key;

  if (stream->process->rank < 0
      || local >= KYMO_ARCHIVE_COUNT (&stream->process->comms, KymoArchiveMembers))
    return;
  other = find_peer (&members[local], self, peer);
  key = is_send ? (KymoArchiveTraffic) { comm, self, other }
    : (KymoArchiveTraffic) { comm, other, self };
  number = kymo_archive_pool_add (&result->traffic, &key, sizeof key);
  if (number == KYMO_ARCHIVE_NONE)
    return;
  if (number >= KYMO_ARCHIVE_COUNT (&result->sent, uint64_t))
    {
      kymo_archive_bytes_grow (&result->sent, sizeof (uint64_t));
      kymo_archive_bytes_grow (&result->received, sizeof (uint64_t));
    }
  if (!result->sent.failed && !result->received.failed)
    KYMO_ARCHIVE_AT (is_send ? &result->sent : &result->received, uint64_t)[number]++;
}

/**
 * kymo_archive_stream_message:
 * @ns: when it happened
 * @cell, @words: a record
 *
 * Writes a record about a message or its request.
 *
 * Returns: FALSE if it is about something else
 */
bool
kymo_archive_stream_message (KymoArchiveStream  *stream,
                             uint64_t            ns,
                             const KymoRawCell  *cell,
                             const KymoRawWords *words)
{
  OTF2_EvtWriter *writer = stream->writer;
  uint32_t peer = (uint32_t) words->i, tag = (uint32_t) words->j, comm;

  switch (cell->type)
    {
    case KYMO_RAW_ISEND_COMPLETE:
      return NOTE (stream, OTF2_EvtWriter_MpiIsendComplete (writer, NULL, ns, words->a)), true;
    case KYMO_RAW_IRECV_REQUEST:
      return NOTE (stream, OTF2_EvtWriter_MpiIrecvRequest (writer, NULL, ns, words->a)), true;
    case KYMO_RAW_REQUEST_TEST:
      return NOTE (stream, OTF2_EvtWriter_MpiRequestTest (writer, NULL, ns, words->a)), true;
    case KYMO_RAW_REQUEST_CANCELLED:
      return NOTE (stream, OTF2_EvtWriter_MpiRequestCancelled (writer, NULL, ns, words->a)), true;
    case KYMO_RAW_SEND:
    case KYMO_RAW_RECV:
    case KYMO_RAW_ISEND:
    case KYMO_RAW_IRECV:
      break;
    default:
      return false;
    }
  comm = kymo_archive_stream_find (stream, KYMO_ARCHIVE_COMMS, cell->arg);
  if (comm == KYMO_ARCHIVE_NONE)
    return true;
  if (cell->type != KYMO_RAW_ISEND
      || !kymo_archive_process_has_cancelled (stream->process, words[1].a))
    count_message (stream, comm, cell->arg, peer,
                   cell->type == KYMO_RAW_SEND || cell->type == KYMO_RAW_ISEND);
  if (cell->type == KYMO_RAW_SEND)
    NOTE (stream, OTF2_EvtWriter_MpiSend (writer, NULL, ns, peer, comm, tag, words->n));
  else if (cell->type == KYMO_RAW_RECV)
    NOTE (stream, OTF2_EvtWriter_MpiRecv (writer, NULL, ns, peer, comm, tag, words->n));
  else if (cell->type == KYMO_RAW_ISEND)
    NOTE (stream, OTF2_EvtWriter_MpiIsend (writer, NULL, ns, peer, comm, tag, words->n,
                                           words[1].a));
  else
    NOTE (stream, OTF2_EvtWriter_MpiIrecv (writer, NULL, ns, peer, comm, tag, words->n,
                                           words[1].a));
  return true;
}

/**
 * kymo_archive_stream_collective:
 * @ns: when it happened
 * @cell, @words: a record
 *
 * Writes a record about a collective operation or a communicator.
 *
 * Returns: FALSE if it is about something else
 */
bool
kymo_archive_stream_collective (KymoArchiveStream  *stream,
                                uint64_t            ns,
                                const KymoRawCell  *cell,
                                const KymoRawWords *words)
{
  OTF2_EvtWriter *writer = stream->writer;
  uint32_t comm, root = (uint32_t) words->i;

  switch (cell->type)
    {
    case KYMO_RAW_COLL_BEGIN:
      return NOTE (stream, OTF2_EvtWriter_MpiCollectiveBegin (writer, NULL, ns)), true;
    case KYMO_RAW_NB_REQUEST:
      return NOTE (stream, OTF2_EvtWriter_NonBlockingCollectiveRequest (writer, NULL, ns,
                                                                        words->a)), true;
    case KYMO_RAW_COLL_END:
    case KYMO_RAW_NB_COMPLETE:
    case KYMO_RAW_COMM_CREATE:
    case KYMO_RAW_COMM_DESTROY:
      break;
    default:
      return false;
    }
  /* The end of a collective is written even so: its begin is. */
  comm = kymo_archive_stream_find (stream, KYMO_ARCHIVE_COMMS, cell->arg);
  if (cell->type == KYMO_RAW_COLL_END)
    NOTE (stream, OTF2_EvtWriter_MpiCollectiveEnd (
      writer, NULL, ns, (OTF2_CollectiveOp) cell->small, comm, root, words->n, words[1].a));
  else if (cell->type == KYMO_RAW_NB_COMPLETE)
    NOTE (stream, OTF2_EvtWriter_NonBlockingCollectiveComplete (
      writer, NULL, ns, (OTF2_CollectiveOp) cell->small, comm, root, words->n, words[1].a,
      words[1].b));
  else if (comm != KYMO_ARCHIVE_NONE && cell->type == KYMO_RAW_COMM_CREATE)
    NOTE (stream, OTF2_EvtWriter_CommCreate (writer, NULL, ns, comm));
  else if (comm != KYMO_ARCHIVE_NONE)
    NOTE (stream, OTF2_EvtWriter_CommDestroy (writer, NULL, ns, comm));
  return true;
}

/* -- one-sided ----------------------------------------------------------------------- */

/* Ids of a location's own; raw ones never get so high. */
#define OWN_IDS (UINT64_C (1) << 63)

static bool
is_pending (const KymoArchiveStream *stream,
            uint64_t                 id)
{
  const KymoArchiveTransfer *at = KYMO_ARCHIVE_AT (&stream->transfers, KymoArchiveTransfer);

  for (size_t i = KYMO_ARCHIVE_COUNT (&stream->transfers, KymoArchiveTransfer); i > 0; i--)
    if (at[i - 1].id == id)
      return true;
  return false;
}

/* The id in the archive, where each transfer is complete by itself. */
static uint64_t
begin_transfer (KymoArchiveStream *stream,
                uint64_t           id)
{
  KymoArchiveTransfer transfer = { id, id };

  if (is_pending (stream, id))
    transfer.own = OWN_IDS | stream->n_transfers++;
  kymo_archive_bytes_add (&stream->transfers, &transfer, sizeof transfer);
  return transfer.own;
}

static OTF2_ErrorCode
write_completion (OTF2_EvtWriter *writer,
                  uint64_t        ns,
                  uint32_t        win,
                  uint16_t        how,
                  uint64_t        operation)
{
  if (how == 0)
    return OTF2_EvtWriter_RmaOpCompleteBlocking (writer, NULL, ns, win, operation);
  if (how == 1)
    return OTF2_EvtWriter_RmaOpCompleteNonBlocking (writer, NULL, ns, win, operation);
  return OTF2_EvtWriter_RmaOpCompleteRemote (writer, NULL, ns, win, operation);
}

/* All transfers with that id; also one that another thread began. */
static OTF2_ErrorCode
complete_transfers (KymoArchiveStream *stream,
                    uint64_t           ns,
                    uint32_t           win,
                    uint16_t           how,
                    uint64_t           id)
{
  KymoArchiveTransfer *at = KYMO_ARCHIVE_AT (&stream->transfers, KymoArchiveTransfer);
  size_t n = KYMO_ARCHIVE_COUNT (&stream->transfers, KymoArchiveTransfer), kept = 0;
  OTF2_ErrorCode code = OTF2_SUCCESS;

  if (!is_pending (stream, id))
    return write_completion (stream->writer, ns, win, how, id);
  for (size_t i = 0; i < n; i++)
    {
      if (at[i].id == id && code == OTF2_SUCCESS)
        code = write_completion (stream->writer, ns, win, how, at[i].own);
      /* Its data may still be to come. */
      if (at[i].id != id || how == 2)
        at[kept++] = at[i];
    }
  stream->transfers.n = kept * sizeof *at;
  return code;
}

static OTF2_ErrorCode
sync_group (KymoArchiveStream  *stream,
            uint64_t            ns,
            uint32_t            win,
            const KymoRawWords *words)
{
  /* Without a group: all of the window's. */
  uint32_t local = (uint32_t) words->j;
  const uint32_t *wins = KYMO_ARCHIVE_AT (&stream->process->wins, uint32_t);
  uint32_t of_window = (uint32_t) -1;

  if (local == KYMO_RAW_NONE)
    for (uint32_t i = 0; i < KYMO_ARCHIVE_COUNT (&stream->process->wins, uint32_t); i++)
      if (kymo_archive_table_get (stream->table, KYMO_ARCHIVE_WINS, i) == win)
        of_window = wins[i];
  return OTF2_EvtWriter_RmaGroupSync (
    stream->writer, NULL, ns, (OTF2_RmaSyncLevel) words->i, win,
    kymo_archive_table_get (stream->table, KYMO_ARCHIVE_GROUPS,
                            local == KYMO_RAW_NONE ? of_window : local));
}

static OTF2_ErrorCode
write_transfer (KymoArchiveStream  *stream,
                uint64_t            ns,
                uint32_t            win,
                uint32_t            remote,
                const KymoRawCell  *cell,
                const KymoRawWords *words)
{
  OTF2_EvtWriter *writer = stream->writer;
  uint64_t id = begin_transfer (stream, words[1].a);

  if (cell->type == KYMO_RAW_RMA_PUT)
    return OTF2_EvtWriter_RmaPut (writer, NULL, ns, win, remote, words->n, id);
  if (cell->type == KYMO_RAW_RMA_GET)
    return OTF2_EvtWriter_RmaGet (writer, NULL, ns, win, remote, words->n, id);
  return OTF2_EvtWriter_RmaAtomic (writer, NULL, ns, win, remote, (OTF2_RmaAtomicType) cell->small,
                                   words->n, words[1].b, id);
}

static OTF2_ErrorCode
write_window (KymoArchiveStream  *stream,
              uint64_t            ns,
              uint32_t            win,
              const KymoRawCell  *cell,
              const KymoRawWords *words)
{
  OTF2_EvtWriter *writer = stream->writer;
  uint32_t remote = (uint32_t) words->i;

  switch (cell->type)
    {
    case KYMO_RAW_WIN_CREATE:
      return OTF2_EvtWriter_RmaWinCreate (writer, NULL, ns, win);
    case KYMO_RAW_WIN_DESTROY:
      return OTF2_EvtWriter_RmaWinDestroy (writer, NULL, ns, win);
    case KYMO_RAW_RMA_COMPLETE:
      return complete_transfers (stream, ns, win, cell->small, words->a);
    case KYMO_RAW_RMA_COLL_END:
      return OTF2_EvtWriter_RmaCollectiveEnd (writer, NULL, ns, (OTF2_CollectiveOp) cell->small,
                                              (OTF2_RmaSyncLevel) words->j, win, remote, words->n,
                                              words[1].a);
    case KYMO_RAW_RMA_LOCK:
      return OTF2_EvtWriter_RmaAcquireLock (writer, NULL, ns, win, remote, words->n,
                                            (OTF2_LockType) cell->small);
    case KYMO_RAW_RMA_UNLOCK:
      return OTF2_EvtWriter_RmaReleaseLock (writer, NULL, ns, win, remote, words->n);
    case KYMO_RAW_RMA_SYNC:
      return OTF2_EvtWriter_RmaSync (writer, NULL, ns, win, remote,
                                     (OTF2_RmaSyncType) cell->small);
    case KYMO_RAW_RMA_GROUP_SYNC:
      return sync_group (stream, ns, win, words);
    default:
      return write_transfer (stream, ns, win, remote, cell, words);
    }
}

/**
 * kymo_archive_stream_one_sided:
 * @ns: when it happened
 * @cell, @words: a record
 *
 * Writes a record about one-sided communication.
 *
 * Returns: FALSE if it is about something else
 */
bool
kymo_archive_stream_one_sided (KymoArchiveStream  *stream,
                               uint64_t            ns,
                               const KymoRawCell  *cell,
                               const KymoRawWords *words)
{
  uint32_t win;

  if (cell->type < KYMO_RAW_WIN_CREATE || cell->type > KYMO_RAW_RMA_GROUP_SYNC)
    return false;
  if (cell->type == KYMO_RAW_RMA_COLL_BEGIN)
    return NOTE (stream, OTF2_EvtWriter_RmaCollectiveBegin (stream->writer, NULL, ns)), true;
  win = kymo_archive_stream_find (stream, KYMO_ARCHIVE_WINS, cell->arg);
  if (win != KYMO_ARCHIVE_NONE)
    NOTE (stream, write_window (stream, ns, win, cell, words));
  return true;
}
