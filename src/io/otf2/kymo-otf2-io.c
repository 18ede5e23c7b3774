/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters and I/O: each record is a point of its location (see KymoIoOp). The point with
 * which an operation begins reaches to the record that says it is complete.
 */
#include "config.h"

#include <string.h>

#include "kymo-otf2-events-private.h"

/* Longer texts of parameters are cut: one text may be the value of many. */
#define MAX_TEXT_BYTES 1024

/* -- parameters ------------------------------------------------------------- */

/* FALSE where the parameter is not defined, or the time cannot be right. */
static gboolean
begin_parameter (KymoOtf2Stream    *stream,
                 OTF2_TimeStamp     time,
                 OTF2_ParameterRef  id,
                 KymoParameterType  type,
                 KymoPoint         *point)
{
  guint32 index = kymo_otf2_ids_find (&stream->defs->parameter_ids, id);

  *point = (KymoPoint) { .kind = KYMO_POINT_PARAMETER, .op = type, .id = (gint32) id };
  if (!kymo_otf2_begin_record (stream, time, &point->begin_ns))
    return FALSE;
  if (index == KYMO_OTF2_NONE)
    {
      stream->counts.n_unknown_parameters++;
      return FALSE;
    }
  point->end_ns = point->begin_ns;
  point->activity = g_array_index (stream->defs->parameters, KymoOtf2Parameter, index).activity;
  return TRUE;
}

KYMO_OTF2_EVENT (on_parameter_int, OTF2_ParameterRef id, int64_t value)
{
  KymoOtf2Stream *stream = data;
  KymoPoint point;

  if (!begin_parameter (stream, time, id, KYMO_PARAMETER_INT, &point))
    return OTF2_CALLBACK_SUCCESS;
  point.number = value;
  kymo_segment_builder_point (stream->builder, &point);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_parameter_unsigned, OTF2_ParameterRef id, uint64_t value)
{
  KymoOtf2Stream *stream = data;
  KymoPoint point;

  if (!begin_parameter (stream, time, id, KYMO_PARAMETER_UNSIGNED, &point))
    return OTF2_CALLBACK_SUCCESS;
  point.number = (gint64) value;
  kymo_segment_builder_point (stream->builder, &point);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_parameter_string, OTF2_ParameterRef id, OTF2_StringRef value)
{
  KymoOtf2Stream *stream = data;
  const char *text = kymo_otf2_defs_string (stream->defs, value);
  gsize n = strlen (text);
  KymoPoint point;

  if (!begin_parameter (stream, time, id, KYMO_PARAMETER_TEXT, &point))
    return OTF2_CALLBACK_SUCCESS;
  if (n > MAX_TEXT_BYTES)
    {
      n = (gsize) (g_utf8_find_prev_char (text, text + MAX_TEXT_BYTES + 1) - text);
      stream->counts.n_cut_texts++;
    }
  point.text = g_strndup (text, n);
  kymo_segment_builder_point (stream->builder, &point);
  return OTF2_CALLBACK_SUCCESS;
}

/**
 * kymo_otf2_add_parameter_callbacks:
 *
 * Sets the callbacks for parameters of functions.
 */
void
kymo_otf2_add_parameter_callbacks (KymoOtf2Events *calls)
{
  calls->ParameterInt = on_parameter_int;
  calls->ParameterUnsignedInt = on_parameter_unsigned;
  calls->ParameterString = on_parameter_string;
}

/* -- I/O -------------------------------------------------------------------- */

/** Operation: one that is not complete; @handle and @matching_id tell it from others */
typedef struct
{
  guint64  matching_id;
  guint32  handle;
  guint32  point;               /* with which it began */
  guint    number;
  KymoIoOp op;
} Operation;

static guint
operation_hash (gconstpointer key)
{
  const Operation *o = key;

  return (guint) ((o->matching_id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32)
    ^ (o->handle * 0x85ebca6bu);
}

static gboolean
operation_equal (gconstpointer a,
                 gconstpointer b)
{
  const Operation *x = a, *y = b;

  return x->matching_id == y->matching_id && x->handle == y->handle;
}

/**
 * kymo_otf2_new_operations:
 *
 * Returns: (transfer full): an empty set of operations of I/O that are not complete
 */
GHashTable *
kymo_otf2_new_operations (void)
{
  return g_hash_table_new_full (operation_hash, operation_equal, NULL, g_free);
}

/* Bytes and offsets that are not known, or are none, are -1. */
static gint64
known (guint64 bytes)
{
  return bytes <= G_MAXINT64 ? (gint64) bytes : -1;
}

static gint32
handle_of (KymoOtf2Stream   *stream,
           OTF2_IoHandleRef  id)
{
  guint32 index = kymo_otf2_ids_find (&stream->defs->handle_ids, id);

  stream->counts.n_unknown_handles += index == KYMO_OTF2_NONE;
  return index <= G_MAXINT32 ? (gint32) index : -1;
}

/* FALSE where the time cannot be right. */
static gboolean
begin_io (KymoOtf2Stream   *stream,
          OTF2_TimeStamp    time,
          KymoIoOp          op,
          OTF2_IoHandleRef  handle,
          KymoPoint        *point)
{
  *point = (KymoPoint) { .kind = KYMO_POINT_IO, .op = op, .activity = G_MAXUINT32 };
  if (!kymo_otf2_begin_record (stream, time, &point->begin_ns))
    return FALSE;
  point->end_ns = point->begin_ns;
  point->id = handle_of (stream, handle);
  return TRUE;
}

/* A record that has one number and one flag beside its handle. */
static OTF2_CallbackCode
add_io (KymoOtf2Stream   *stream,
        OTF2_TimeStamp    time,
        KymoIoOp          op,
        OTF2_IoHandleRef  handle,
        guint8            flag,
        gint64            number)
{
  KymoPoint point;

  if (!begin_io (stream, time, op, handle, &point))
    return OTF2_CALLBACK_SUCCESS;
  point.flag = flag;
  point.number = number;
  kymo_segment_builder_point (stream->builder, &point);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_open, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode,
                 OTF2_IoCreationFlag creation, OTF2_IoStatusFlag status)
{
  return add_io (data, time, KYMO_IO_OPEN, handle, mode, (gint64) status << 32 | creation);
}

KYMO_OTF2_EVENT (on_close, OTF2_IoHandleRef handle)
{
  return add_io (data, time, KYMO_IO_CLOSE, handle, 0, 0);
}

KYMO_OTF2_EVENT (on_duplicate, OTF2_IoHandleRef from, OTF2_IoHandleRef to,
                 OTF2_IoStatusFlag status)
{
  KymoOtf2Stream *stream = data;
  KymoPoint point;

  if (!begin_io (stream, time, KYMO_IO_DUPLICATE, from, &point))
    return OTF2_CALLBACK_SUCCESS;
  point.nested_id = handle_of (stream, to);
  point.number = status;
  kymo_segment_builder_point (stream->builder, &point);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_seek, OTF2_IoHandleRef handle, int64_t asked, OTF2_IoSeekOption from,
                 uint64_t result)
{
  KymoOtf2Stream *stream = data;
  KymoPoint point;

  if (!begin_io (stream, time, KYMO_IO_SEEK, handle, &point))
    return OTF2_CALLBACK_SUCCESS;
  point.flag = from;
  point.number = known (result);
  point.text = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) asked);
  kymo_segment_builder_point (stream->builder, &point);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_set_flags, OTF2_IoHandleRef handle, OTF2_IoStatusFlag status)
{
  return add_io (data, time, KYMO_IO_SET_FLAGS, handle, 0, status);
}

KYMO_OTF2_EVENT (on_delete, OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file)
{
  KymoOtf2Stream *stream = data;
  guint32 index = kymo_otf2_ids_find (&stream->defs->file_ids, file);
  KymoPoint point = { .kind = KYMO_POINT_IO, .op = KYMO_IO_DELETE, .activity = G_MAXUINT32 };

  if (!kymo_otf2_begin_record (stream, time, &point.begin_ns))
    return OTF2_CALLBACK_SUCCESS;
  stream->counts.n_unknown_handles += index == KYMO_OTF2_NONE;
  point.end_ns = point.begin_ns;
  point.id = index <= G_MAXINT32 ? (gint32) index : -1;
  kymo_segment_builder_point (stream->builder, &point);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_operation_begin, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
                 OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t matching_id)
{
  KymoOtf2Stream *stream = data;
  KymoIoOp op = mode == OTF2_IO_OPERATION_MODE_READ ? KYMO_IO_READ
    : mode == OTF2_IO_OPERATION_MODE_WRITE ? KYMO_IO_WRITE : KYMO_IO_FLUSH;
  Operation *operation;
  KymoPoint point;

  if (!begin_io (stream, time, op, handle, &point))
    return OTF2_CALLBACK_SUCCESS;
  operation = g_new (Operation, 1);
  point.nested_id = (gint32) (++stream->n_operations & G_MAXINT32);
  point.flag = flags & (OTF2_IO_OPERATION_FLAG_NON_BLOCKING | OTF2_IO_OPERATION_FLAG_COLLECTIVE);
  point.number = known (bytes);
  *operation = (Operation) { matching_id, handle,
                             kymo_segment_builder_point (stream->builder, &point),
                             (guint) point.nested_id, op };
  if (!g_hash_table_replace (stream->operations, operation, operation))
    stream->counts.n_open_operations++;
  return OTF2_CALLBACK_SUCCESS;
}

/* Adds a record about an operation that began before. */
static void
go_on (KymoOtf2Stream   *stream,
       OTF2_TimeStamp    time,
       KymoIoOp          op,
       OTF2_IoHandleRef  handle,
       guint64           matching_id,
       gint64            bytes)
{
  const Operation key = { matching_id, handle };
  const Operation *operation = g_hash_table_lookup (stream->operations, &key);
  KymoPoint point;

  if (!begin_io (stream, time, op, handle, &point))
    return;
  point.number = bytes;
  if (operation != NULL)
    {
      point.nested_id = (gint32) operation->number;
      point.flag = op == KYMO_IO_COMPLETE ? operation->op : 0;
    }
  if (operation != NULL && (op == KYMO_IO_COMPLETE || op == KYMO_IO_CANCEL))
    {
      kymo_segment_builder_end_point (stream->builder, operation->point, point.begin_ns);
      g_hash_table_remove (stream->operations, operation);
    }
  kymo_segment_builder_point (stream->builder, &point);
}

KYMO_OTF2_EVENT (on_operation_test, OTF2_IoHandleRef handle, uint64_t matching_id)
{
  go_on (data, time, KYMO_IO_TEST, handle, matching_id, 0);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_operation_issued, OTF2_IoHandleRef handle, uint64_t matching_id)
{
  go_on (data, time, KYMO_IO_ISSUED, handle, matching_id, 0);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_operation_complete, OTF2_IoHandleRef handle, uint64_t bytes,
                 uint64_t matching_id)
{
  go_on (data, time, KYMO_IO_COMPLETE, handle, matching_id, known (bytes));
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_operation_cancelled, OTF2_IoHandleRef handle, uint64_t matching_id)
{
  go_on (data, time, KYMO_IO_CANCEL, handle, matching_id, 0);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_lock, OTF2_IoHandleRef handle, OTF2_LockType type)
{
  return add_io (data, time, KYMO_IO_LOCK, handle, type == OTF2_LOCK_SHARED, 0);
}

KYMO_OTF2_EVENT (on_unlock, OTF2_IoHandleRef handle, OTF2_LockType type)
{
  return add_io (data, time, KYMO_IO_UNLOCK, handle, type == OTF2_LOCK_SHARED, 0);
}

KYMO_OTF2_EVENT (on_try_lock, OTF2_IoHandleRef handle, OTF2_LockType type)
{
  return add_io (data, time, KYMO_IO_TRY_LOCK, handle, type == OTF2_LOCK_SHARED, 0);
}

/**
 * kymo_otf2_add_io_callbacks:
 *
 * Sets the callbacks for files, handles and their operations.
 */
void
kymo_otf2_add_io_callbacks (KymoOtf2Events *calls)
{
  calls->IoCreateHandle = on_open;
  calls->IoDestroyHandle = on_close;
  calls->IoDuplicateHandle = on_duplicate;
  calls->IoSeek = on_seek;
  calls->IoChangeStatusFlags = on_set_flags;
  calls->IoDeleteFile = on_delete;
  calls->IoOperationBegin = on_operation_begin;
  calls->IoOperationTest = on_operation_test;
  calls->IoOperationIssued = on_operation_issued;
  calls->IoOperationComplete = on_operation_complete;
  calls->IoOperationCancelled = on_operation_cancelled;
  calls->IoAcquireLock = on_lock;
  calls->IoReleaseLock = on_unlock;
  calls->IoTryLock = on_try_lock;
}
