/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between ranks, and one-sided transfers. A transfer is known to the rank
 * alone that makes it: what it puts is a send, what it gets is received when the
 * operation is complete; the other side has no record of either, so they stay
 * without a partner record (their tags keep puts from being taken for what is got).
 *
 * Requests of messages and one-sided operations get numbers in the order in which a location
 * begins them. What happens to them beside the message is kept for archives (KymoAsideOp).
 */
#include "config.h"

#include "kymo-otf2-events-private.h"
#include "kymo-otf2-threads.h"

#define PUT_TAG (-1)
#define GET_TAG (-2)

/**
 * kymo_otf2_comm_of:
 * @id: number of a communicator in the archive
 * @index: (out): its index among the communicators, or %KYMO_OTF2_NONE
 *
 * Returns: (transfer none) (nullable): the communicator, owned by the definitions
 */
const KymoOtf2Comm *
kymo_otf2_comm_of (const KymoOtf2Stream *stream,
         guint64               id,
         guint32              *index)
{
  *index = kymo_otf2_ids_find (&stream->defs->comm_ids, id);
  return *index != KYMO_OTF2_NONE
    ? &g_array_index (stream->defs->comms, KymoOtf2Comm, *index) : NULL;
}

/**
 * kymo_otf2_find_partner:
 * @comm: a communicator
 * @rank: a rank in it
 * @partner: (out): the rank in the run
 *
 * Returns: %FALSE, and counted as lost, if the communicator has no such rank
 */
gboolean
kymo_otf2_find_partner (KymoOtf2Stream     *stream,
              const KymoOtf2Comm *comm,
              guint64             rank,
              gint32             *partner)
{
  gint location = kymo_otf2_comm_location (comm, stream->location, rank);

  if (location < 0)
    {
      stream->counts.n_unknown_ranks++;
      return FALSE;
    }
  *partner = g_array_index (stream->defs->locations, KymoOtf2Location, location).rank;
  return TRUE;
}

/* Columns of bytes have 32 bits. */
static guint32
size_of (KymoOtf2Stream *stream,
         guint64         bytes)
{
  if (bytes <= G_MAXUINT32)
    return bytes;
  stream->counts.n_clamped++;
  return G_MAXUINT32;
}

/* Where pointers are short, requests that are open at the same time may share a key. */
static gpointer
key_of (guint64 request)
{
  return GSIZE_TO_POINTER ((gsize) request);
}

static guint32
begin_request (KymoOtf2Stream *stream,
               GHashTable     *open,
               guint64         request)
{
  g_hash_table_insert (open, key_of (request), GUINT_TO_POINTER (++stream->n_numbers));
  return stream->n_numbers;
}

/* 0 where no such request is open. */
static guint32
find_request (GHashTable *open,
              guint64     request)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (open, key_of (request)));
}

/* The number of the message's request. A receive completes it. */
static guint32
number_of (KymoOtf2Stream *stream,
           gboolean        is_send,
           guint64         request)
{
  guint32 number;

  if (is_send)
    return begin_request (stream, stream->sent, request);
  number = find_request (stream->posted, request);
  g_hash_table_remove (stream->posted, key_of (request));
  return number > 0 ? number : ++stream->n_numbers;
}

/* @request: (nullable): %NULL where it blocks */
static void
add_message (KymoOtf2Stream *stream,
             OTF2_TimeStamp  time,
             gboolean        is_send,
             guint64         rank,
             guint64         comm_id,
             guint32         tag,
             guint64         bytes,
             const guint64  *request)
{
  guint32 index;
  const KymoOtf2Comm *comm = kymo_otf2_comm_of (stream, comm_id, &index);
  guint32 size, number;
  gint64 ns;
  gint32 partner;

  if (!kymo_otf2_begin_record (stream, time, &ns)
      || !kymo_otf2_find_partner (stream, comm, rank, &partner))
    return;
  size = size_of (stream, bytes);
  number = request != NULL ? number_of (stream, is_send, *request) : 0;
  if (is_send)
    {
      kymo_segment_builder_send_to (stream->builder, ns, size, partner, tag, index + 1);
      kymo_segment_builder_set_send_request (stream->builder, number);
    }
  else
    {
      kymo_segment_builder_receive (stream->builder, ns, size, partner, tag, index + 1);
      kymo_segment_builder_set_receive_request (stream->builder, number);
    }
}

KYMO_OTF2_EVENT (on_send, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
  add_message (data, time, TRUE, receiver, comm, tag, bytes, NULL);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_isend, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                 uint64_t request)
{
  add_message (data, time, TRUE, receiver, comm, tag, bytes, &request);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_receive, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
  add_message (data, time, FALSE, sender, comm, tag, bytes, NULL);
  return OTF2_CALLBACK_SUCCESS;
}

/* Recorded when the request is complete: inside the function that waited. */
KYMO_OTF2_EVENT (on_ireceive, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                 uint64_t request)
{
  add_message (data, time, FALSE, sender, comm, tag, bytes, &request);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_posted, uint64_t request)
{
  KymoOtf2Stream *stream = data;
  gint64 ns;

  if (kymo_otf2_begin_record (stream, time, &ns))
    kymo_segment_builder_aside (stream->builder, ns, KYMO_ASIDE_POSTED,
                                begin_request (stream, stream->posted, request), 0);
  return OTF2_CALLBACK_SUCCESS;
}

/* Adds a record about a request or operation that is open; records about unknown requests are
   dropped. */
static OTF2_CallbackCode
add_progress (KymoOtf2Stream *stream,
              OTF2_TimeStamp  time,
              KymoAsideOp     op,
              GHashTable     *open,
              guint64         request,
              gboolean        is_end)
{
  guint32 number = find_request (open, request);
  gint64 ns;

  if (!kymo_otf2_begin_record (stream, time, &ns) || number == 0)
    return OTF2_CALLBACK_SUCCESS;
  kymo_segment_builder_aside (stream->builder, ns, op, number, 0);
  if (is_end)
    g_hash_table_remove (open, key_of (request));
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_sent, uint64_t request)
{
  KymoOtf2Stream *stream = data;

  return add_progress (stream, time, KYMO_ASIDE_SENT, stream->sent, request, TRUE);
}

static GHashTable *
open_with (KymoOtf2Stream *stream,
           guint64         request)
{
  return find_request (stream->posted, request) > 0 ? stream->posted : stream->sent;
}

KYMO_OTF2_EVENT (on_tested, uint64_t request)
{
  KymoOtf2Stream *stream = data;

  stream->counts.n_requests++;
  return add_progress (stream, time, KYMO_ASIDE_TESTED, open_with (stream, request), request,
                       FALSE);
}

KYMO_OTF2_EVENT (on_cancelled, uint64_t request)
{
  KymoOtf2Stream *stream = data;

  stream->counts.n_requests++;
  return add_progress (stream, time, KYMO_ASIDE_CANCELLED, open_with (stream, request), request,
                       TRUE);
}

/** Pending: a get whose data are still to come */
typedef struct
{
  gint32  partner;
  guint32 bytes;
  guint32 comm;
  guint32 request;
} Pending;

/* Bytes of an entry of a hash with its key and value, which are allocated each. */
#define HASH_ENTRY_BYTES 100

/**
 * kymo_otf2_stream_get_bytes:
 *
 * Returns: about what it holds beside its builder
 */
gsize
kymo_otf2_stream_get_bytes (const KymoOtf2Stream *stream)
{
  gsize n_entries = (gsize) g_hash_table_size (stream->pending)
    + g_hash_table_size (stream->requests) + g_hash_table_size (stream->operations)
    + g_hash_table_size (stream->sums);

  n_entries += (gsize) g_hash_table_size (stream->posted) + g_hash_table_size (stream->sent)
    + g_hash_table_size (stream->transfers);
  return stream->parts->len * sizeof (KymoOtf2Part)
    + kymo_otf2_threads_get_bytes (stream->threads) + kymo_open_stack_get_bytes (&stream->open)
    + n_entries * HASH_ENTRY_BYTES + stream->n_series_bytes;
}

/* @op: as which its begin is kept; KYMO_ASIDE_ATOMIC and above with the type; -1 = as a send */
static void
transfer (KymoOtf2Stream *stream,
          OTF2_TimeStamp  time,
          guint64         win_id,
          guint64         remote,
          guint64         put_bytes,
          guint64         got_bytes,
          gint            op,
          guint64         operation)
{
  gboolean is_put = op != KYMO_ASIDE_GET && (op < 0 || put_bytes > 0 || got_bytes == 0);
  gboolean is_get = op == KYMO_ASIDE_GET || got_bytes > 0;
  guint32 win = kymo_otf2_ids_find (&stream->defs->win_ids, win_id);
  guint32 comm = win != KYMO_OTF2_NONE
    ? g_array_index (stream->defs->wins, KymoOtf2Win, win).comm : KYMO_OTF2_NONE;
  guint32 number = stream->defs->comms->len + 1 + win, request;
  gint64 ns;
  gint32 partner;

  if (!kymo_otf2_begin_record (stream, time, &ns)
      || !kymo_otf2_find_partner (stream, comm != KYMO_OTF2_NONE
                                  ? &g_array_index (stream->defs->comms, KymoOtf2Comm, comm)
                                  : NULL, remote, &partner))
    return;
  stream->counts.n_one_sided++;
  request = begin_request (stream, stream->transfers, operation);
  if (op >= 0)
    kymo_segment_builder_aside (stream->builder, ns, op, request, 0);
  if (is_put)
    {
      kymo_segment_builder_send_to (stream->builder, ns, size_of (stream, put_bytes), partner,
                                    PUT_TAG, number);
      kymo_segment_builder_set_send_request (stream->builder, request);
    }
  if (is_get)
    {
      Pending pending = { partner, size_of (stream, got_bytes), number, request };

      if (!g_hash_table_replace (stream->pending, g_memdup2 (&operation, sizeof operation),
                                 g_memdup2 (&pending, sizeof pending)))
        stream->counts.n_open_gets++;
    }
}

KYMO_OTF2_EVENT (on_put, OTF2_RmaWinRef win, uint32_t remote, uint64_t bytes,
                 uint64_t operation)
{
  transfer (data, time, win, remote, bytes, 0, -1, operation);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_get, OTF2_RmaWinRef win, uint32_t remote, uint64_t bytes,
                 uint64_t operation)
{
  transfer (data, time, win, remote, 0, bytes, KYMO_ASIDE_GET, operation);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_atomic, OTF2_RmaWinRef win, uint32_t remote, OTF2_RmaAtomicType type,
                 uint64_t sent, uint64_t received, uint64_t operation)
{
  transfer (data, time, win, remote, sent, received,
            KYMO_ASIDE_ATOMIC + MIN (type, G_MAXUINT8 - KYMO_ASIDE_ATOMIC), operation);
  return OTF2_CALLBACK_SUCCESS;
}

/* It stays known: the other side may be complete later. */
static OTF2_CallbackCode
complete (KymoOtf2Stream *stream,
          OTF2_TimeStamp  time,
          KymoAsideOp     op,
          guint64         operation)
{
  const Pending *pending = g_hash_table_lookup (stream->pending, &operation);
  guint32 number = find_request (stream->transfers, operation);
  gint64 ns;

  if (!kymo_otf2_begin_record (stream, time, &ns))
    return OTF2_CALLBACK_SUCCESS;
  if (number > 0)
    kymo_segment_builder_aside (stream->builder, ns, op, number, 0);
  if (pending == NULL)
    return OTF2_CALLBACK_SUCCESS;
  kymo_segment_builder_receive (stream->builder, ns, pending->bytes, pending->partner, GET_TAG,
                                pending->comm);
  kymo_segment_builder_set_receive_request (stream->builder, pending->request);
  g_hash_table_remove (stream->pending, &operation);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_transfer_blocked, OTF2_RmaWinRef win, uint64_t operation)
{
  return complete (data, time, KYMO_ASIDE_DONE_BLOCKING, operation);
}

KYMO_OTF2_EVENT (on_transfer_complete, OTF2_RmaWinRef win, uint64_t operation)
{
  return complete (data, time, KYMO_ASIDE_DONE, operation);
}

KYMO_OTF2_EVENT (on_transfer_remote, OTF2_RmaWinRef win, uint64_t operation)
{
  KymoOtf2Stream *stream = data;

  stream->counts.n_requests++;
  return add_progress (stream, time, KYMO_ASIDE_DONE_REMOTE, stream->transfers, operation,
                       FALSE);
}

KYMO_OTF2_EVENT (on_transfer_test, OTF2_RmaWinRef win, uint64_t operation)
{
  KymoOtf2Stream *stream = data;

  stream->counts.n_requests++;
  return add_progress (stream, time, KYMO_ASIDE_TRIED, stream->transfers, operation, FALSE);
}

/**
 * kymo_otf2_add_message_callbacks:
 *
 * Sets the callbacks for messages and their requests.
 */
void
kymo_otf2_add_message_callbacks (KymoOtf2Events *calls)
{
  calls->MpiSend = on_send;
  calls->MpiIsend = on_isend;
  calls->MpiRecv = on_receive;
  calls->MpiIrecv = on_ireceive;
  calls->MpiIsendComplete = on_sent;
  calls->MpiIrecvRequest = on_posted;
  calls->MpiRequestTest = on_tested;
  calls->MpiRequestCancelled = on_cancelled;
}

/**
 * kymo_otf2_add_rma_callbacks:
 *
 * Sets the callbacks for one-sided transfers.
 */
void
kymo_otf2_add_rma_callbacks (KymoOtf2Events *calls)
{
  calls->RmaPut = on_put;
  calls->RmaGet = on_get;
  calls->RmaAtomic = on_atomic;
  calls->RmaOpCompleteBlocking = on_transfer_blocked;
  calls->RmaOpCompleteNonBlocking = on_transfer_complete;
  calls->RmaOpCompleteRemote = on_transfer_remote;
  calls->RmaOpTest = on_transfer_test;
}
