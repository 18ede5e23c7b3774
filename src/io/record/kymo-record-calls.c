/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of event files become those of OTF2, so that a run means the same whether it is read
 * from them or from the archive that is made of them.
 */
#include "config.h"

#include "kymo-record-private.h"

static guint32
id_of (const KymoRecordEvents *events,
       KymoRecordKind          kind,
       guint32                 local)
{
  const GArray *ids = events->file->process->ids[kind];

  return local < ids->len ? g_array_index (ids, guint32, local) : KYMO_OTF2_NONE;
}

/* What all callbacks are given first, and then. */
#define CALL(Event, ...) \
  events->calls->Event (0, ns, 0, events->stream, NULL, ##__VA_ARGS__)

static void
enter_region (KymoRecordEvents *events,
              guint64           ns,
              guint32           region)
{
  g_array_append_val (events->open, region);
  CALL (Enter, id_of (events, KYMO_RECORD_REGION, region));
}

static void
leave_region (KymoRecordEvents *events,
              guint64           ns,
              guint32           region)
{
  if (events->open->len > 0)
    g_array_set_size (events->open, events->open->len - 1);
  CALL (Leave, id_of (events, KYMO_RECORD_REGION, region));
}

/* What is open lacks its begin or its end, and says so. */
static void
mark_cut (KymoRecordEvents *events,
          guint64           ns,
          guint             parameter)
{
  if (events->open->len > 0 && events->record->marks_cuts)
    CALL (ParameterUnsignedInt, parameter, events->open->len);
}

static void
leave_all (KymoRecordEvents *events,
           guint64           ns)
{
  mark_cut (events, ns, KYMO_RECORD_NO_END);
  while (events->open->len > 0)
    leave_region (events, ns, g_array_index (events->open, guint32, events->open->len - 1));
}

/* The first chunk that is left, or one behind a gap: what was open before it ends there, and
   what it names as open begins there. */
static void
join_chunk (KymoRecordEvents  *events,
            guint64            ns,
            const KymoRawCell *cell)
{
  if (cell->type == KYMO_RAW_CHUNK)
    leave_all (events, ns);
  else
    {
      events->file->n_early++;
      enter_region (events, ns, cell->arg);
    }
}

static void
add_message (KymoRecordEvents   *events,
             guint64             ns,
             const KymoRawCell  *cell,
             const KymoRawWords *words)
{
  guint32 comm = id_of (events, KYMO_RECORD_COMM, cell->arg);
  guint32 peer = (guint32) words->i, tag = (guint32) words->j;

  switch (cell->type)
    {
    case KYMO_RAW_SEND:
      CALL (MpiSend, peer, comm, tag, words->n);
      break;
    case KYMO_RAW_RECV:
      CALL (MpiRecv, peer, comm, tag, words->n);
      break;
    case KYMO_RAW_ISEND:
      CALL (MpiIsend, peer, comm, tag, words->n, words[1].a);
      break;
    case KYMO_RAW_IRECV:
      CALL (MpiIrecv, peer, comm, tag, words->n, words[1].a);
      break;
    case KYMO_RAW_ISEND_COMPLETE:
      CALL (MpiIsendComplete, words->a);
      break;
    case KYMO_RAW_IRECV_REQUEST:
      CALL (MpiIrecvRequest, words->a);
      break;
    case KYMO_RAW_REQUEST_TEST:
      CALL (MpiRequestTest, words->a);
      break;
    default:
      CALL (MpiRequestCancelled, words->a);
      break;
    }
}

static void
add_collective (KymoRecordEvents   *events,
                guint64             ns,
                const KymoRawCell  *cell,
                const KymoRawWords *words)
{
  guint32 comm = id_of (events, KYMO_RECORD_COMM, cell->arg);

  switch (cell->type)
    {
    case KYMO_RAW_COLL_BEGIN:
      CALL (MpiCollectiveBegin);
      break;
    case KYMO_RAW_COLL_END:
      CALL (MpiCollectiveEnd, (OTF2_CollectiveOp) cell->small, comm, (guint32) words->i, words->n,
            words[1].a);
      break;
    case KYMO_RAW_NB_REQUEST:
      CALL (NonBlockingCollectiveRequest, words->a);
      break;
    case KYMO_RAW_NB_COMPLETE:
      CALL (NonBlockingCollectiveComplete, (OTF2_CollectiveOp) cell->small, comm,
            (guint32) words->i, words->n, words[1].a, words[1].b);
      break;
    case KYMO_RAW_COMM_CREATE:
      CALL (CommCreate, comm);
      break;
    default:
      CALL (CommDestroy, comm);
      break;
    }
}

static void
add_transfer (KymoRecordEvents   *events,
              guint64             ns,
              const KymoRawCell  *cell,
              const KymoRawWords *words)
{
  guint32 win = id_of (events, KYMO_RECORD_WIN, cell->arg), remote = (guint32) words->i;

  switch (cell->type)
    {
    case KYMO_RAW_RMA_PUT:
      CALL (RmaPut, win, remote, words->n, words[1].a);
      break;
    case KYMO_RAW_RMA_GET:
      CALL (RmaGet, win, remote, words->n, words[1].a);
      break;
    case KYMO_RAW_RMA_ATOMIC:
      CALL (RmaAtomic, win, remote, (OTF2_RmaAtomicType) cell->small, words->n, words[1].b,
            words[1].a);
      break;
    default:
      if (cell->small == 0)
        CALL (RmaOpCompleteBlocking, win, words->a);
      else if (cell->small == 1)
        CALL (RmaOpCompleteNonBlocking, win, words->a);
      else
        CALL (RmaOpCompleteRemote, win, words->a);
      break;
    }
}

static void
add_window (KymoRecordEvents   *events,
            guint64             ns,
            const KymoRawCell  *cell,
            const KymoRawWords *words)
{
  guint32 win = id_of (events, KYMO_RECORD_WIN, cell->arg);

  switch (cell->type)
    {
    case KYMO_RAW_WIN_CREATE:
      CALL (RmaWinCreate, win);
      break;
    case KYMO_RAW_WIN_DESTROY:
      CALL (RmaWinDestroy, win);
      break;
    case KYMO_RAW_RMA_COLL_BEGIN:
      CALL (RmaCollectiveBegin);
      break;
    case KYMO_RAW_RMA_COLL_END:
      CALL (RmaCollectiveEnd, (OTF2_CollectiveOp) cell->small, (OTF2_RmaSyncLevel) words->j, win,
            (guint32) words->i, words->n, words[1].a);
      break;
    case KYMO_RAW_RMA_LOCK:
      CALL (RmaAcquireLock, win, (guint32) words->i, words->n, (OTF2_LockType) cell->small);
      break;
    case KYMO_RAW_RMA_UNLOCK:
      CALL (RmaReleaseLock, win, (guint32) words->i, words->n);
      break;
    case KYMO_RAW_RMA_SYNC:
      CALL (RmaSync, win, (guint32) words->i, (OTF2_RmaSyncType) cell->small);
      break;
    default:
      CALL (RmaGroupSync, (OTF2_RmaSyncLevel) words->i, win, OTF2_UNDEFINED_GROUP);
      break;
    }
}

static void
add_io (KymoRecordEvents   *events,
        guint64             ns,
        const KymoRawCell  *cell,
        const KymoRawWords *words)
{
  guint32 handle = id_of (events, KYMO_RECORD_HANDLE, cell->arg);

  switch (cell->type)
    {
    case KYMO_RAW_IO_OPEN:
      CALL (IoCreateHandle, handle, (OTF2_IoAccessMode) cell->small, (guint32) words->i,
            (guint32) words->j);
      break;
    case KYMO_RAW_IO_CLOSE:
      CALL (IoDestroyHandle, handle);
      break;
    case KYMO_RAW_IO_DUP:
      CALL (IoDuplicateHandle, handle, id_of (events, KYMO_RECORD_HANDLE, (guint32) words->i),
            (guint32) words->j);
      break;
    case KYMO_RAW_IO_SEEK:
      CALL (IoSeek, handle, (gint64) words->a, (OTF2_IoSeekOption) cell->small, words->b);
      break;
    case KYMO_RAW_IO_BEGIN:
      CALL (IoOperationBegin, handle, (OTF2_IoOperationMode) cell->small, (guint32) words->i,
            words->n, words[1].a);
      break;
    case KYMO_RAW_IO_END:
      CALL (IoOperationComplete, handle, words->a, cell->cells > 2 ? words[1].a : words->b);
      break;
    case KYMO_RAW_IO_DELETE:
      CALL (IoDeleteFile, cell->small, id_of (events, KYMO_RECORD_FILE, cell->arg));
      break;
    case KYMO_RAW_IO_STATUS:
      CALL (IoChangeStatusFlags, handle, (guint32) words->i);
      break;
    default:
      if (cell->small == 0)
        CALL (IoAcquireLock, handle, (OTF2_LockType) words->i);
      else if (cell->small == 1)
        CALL (IoReleaseLock, handle, (OTF2_LockType) words->i);
      else
        CALL (IoTryLock, handle, (OTF2_LockType) words->i);
      break;
    }
}

/* Threads of a process are told apart by their sequence numbers; they need no communicator. */
static void
add_thread (KymoRecordEvents   *events,
            guint64             ns,
            const KymoRawCell  *cell,
            const KymoRawWords *words)
{
  switch (cell->type)
    {
    case KYMO_RAW_THREAD_CREATE:
      CALL (ThreadCreate, OTF2_UNDEFINED_COMM, words->a);
      break;
    case KYMO_RAW_THREAD_BEGIN:
      CALL (ThreadBegin, OTF2_UNDEFINED_COMM, words->a);
      break;
    case KYMO_RAW_THREAD_WAIT:
      CALL (ThreadWait, OTF2_UNDEFINED_COMM, words->a);
      break;
    default:
      CALL (ThreadEnd, OTF2_UNDEFINED_COMM, words->a);
      break;
    }
}

static void
add_metric (KymoRecordEvents   *events,
            guint64             ns,
            const KymoRawCell  *cell,
            const KymoRawWords *words)
{
  GArray *types = events->file->process->types;
  const KymoRecordTypes *its = cell->arg < types->len
    ? &g_array_index (types, KymoRecordTypes, cell->arg) : NULL;
  guint n = MIN (cell->small, 2u * (cell->cells - 1u));
  OTF2_MetricValue values[2 * G_MAXUINT8];
  OTF2_Type kinds[2 * G_MAXUINT8];

  events->file->n_damaged += n < cell->small;
  n = MIN (n, G_MAXUINT8);
  for (guint i = 0; i < n; i++)
    {
      values[i].unsigned_int = i % 2 == 0 ? words[i / 2].a : words[i / 2].b;
      kinds[i] = its != NULL && i < its->n ? its->types[i] : OTF2_TYPE_UINT64;
    }
  CALL (Metric, id_of (events, KYMO_RECORD_CLASS, cell->arg), (uint8_t) n, kinds, values);
}

static void
add_marker (KymoRecordEvents  *events,
            guint64            ns,
            const KymoRawCell *cell)
{
  const GPtrArray *regions = events->file->process->lines[KYMO_RECORD_REGION];
  char **fields = cell->arg < regions->len ? regions->pdata[cell->arg] : NULL;
  KymoOtf2Marker marker = { .time = ns, .scope = OTF2_MARKER_SCOPE_LOCATION,
                            .scope_id = events->file->location };

  if (fields == NULL)
    {
      events->file->n_damaged++;
      return;
    }
  marker.text = fields[4];
  g_array_append_val (events->file->markers, marker);
}

static void
add_other (KymoRecordEvents   *events,
           guint64             ns,
           const KymoRawCell  *cell,
           const KymoRawWords *words)
{
  switch (cell->type)
    {
    case KYMO_RAW_METRIC:
      add_metric (events, ns, cell, words);
      break;
    case KYMO_RAW_MEASUREMENT:
      CALL (MeasurementOnOff, cell->small == 0 ? OTF2_MEASUREMENT_OFF : OTF2_MEASUREMENT_ON);
      break;
    case KYMO_RAW_MARKER:
      add_marker (events, ns, cell);
      break;
    case KYMO_RAW_DROPPED:
      events->file->n_dropped += MIN (words->a, G_MAXINT32);
      break;
    default:
      events->file->n_unknown++;
      break;
    }
}

static void
add_record (KymoRecordEvents  *events,
            guint64            ns,
            const KymoRawCell *cell)
{
  const KymoRawWords *words = (gconstpointer) (cell + 1);

  switch ((int) cell->type)
    {
    case KYMO_RAW_ENTER:
      enter_region (events, ns, cell->arg);
      break;
    case KYMO_RAW_LEAVE:
      leave_region (events, ns, cell->arg);
      break;
    case KYMO_RAW_SEND ... KYMO_RAW_REQUEST_CANCELLED:
      add_message (events, ns, cell, words);
      break;
    case KYMO_RAW_COLL_BEGIN ... KYMO_RAW_COMM_DESTROY:
      add_collective (events, ns, cell, words);
      break;
    case KYMO_RAW_RMA_PUT ... KYMO_RAW_RMA_COMPLETE:
      add_transfer (events, ns, cell, words);
      break;
    case KYMO_RAW_WIN_CREATE ... KYMO_RAW_WIN_DESTROY:
    case KYMO_RAW_RMA_COLL_BEGIN ... KYMO_RAW_RMA_GROUP_SYNC:
      add_window (events, ns, cell, words);
      break;
    case KYMO_RAW_IO_OPEN ... KYMO_RAW_IO_STATUS:
      add_io (events, ns, cell, words);
      break;
    case KYMO_RAW_THREAD_CREATE ... KYMO_RAW_THREAD_END:
      add_thread (events, ns, cell, words);
      break;
    default:
      add_other (events, ns, cell, words);
      break;
    }
}

/**
 * kymo_record_take:
 * @cell: the first cell of a record, whose others are behind it
 *
 * Hands a record to the stream. Records about chunks tell nothing where a chunk continues the one
 * before.
 */
void
kymo_record_take (KymoRecordEvents  *events,
                  const KymoRawCell *cell)
{
  gboolean of_chunk = cell->type == KYMO_RAW_CHUNK || cell->type == KYMO_RAW_OPEN;
  guint64 ticks = cell->time, ns;

  if (of_chunk && !events->is_joining)
    return;
  /* What is open began before the chunk, which is all that is left. */
  if (cell->type == KYMO_RAW_OPEN)
    ticks = events->cells->time;
  if (!kymo_record_to_ns (events->file->process, ticks, &ns))
    events->file->n_far++;
  else if (of_chunk)
    join_chunk (events, ns, cell);
  else
    {
      if (events->is_joining)
        mark_cut (events, ns, KYMO_RECORD_NO_BEGIN);
      add_record (events, ns, cell);
      events->is_joining = FALSE;
      events->last_ns = MAX (events->last_ns, ns);
    }
}

/**
 * kymo_record_end:
 *
 * The file has no more records. The process was in the calls that are open until it read its clock
 * last; where recording stopped, only until then, and the rest of its time is not traced.
 */
void
kymo_record_end (KymoRecordEvents *events)
{
  const KymoRecordProcess *process = events->file->process;
  guint64 alive_ns = kymo_record_get_alive_ns (process), ns = events->last_ns;

  events->file->n_open = events->open->len;
  if (events->open->len > 0)
    {
      if (!process->has_stopped)
        ns = MAX (ns, alive_ns);
      leave_all (events, ns);
      if (process->has_stopped)
        CALL (MeasurementOnOff, OTF2_MEASUREMENT_OFF);
    }
  /* Of its first thread the archive tells when the program ended. */
  if (process->has_stopped && !events->file->system && events->file->number == 0
      && ns < alive_ns)
    {
      ns = alive_ns;
      CALL (ProgramEnd, OTF2_UNDEFINED_INT64);
    }
}
