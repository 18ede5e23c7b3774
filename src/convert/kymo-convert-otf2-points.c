/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points of a location in the making: samples of metrics, values of parameters, operations
 * on files, and tracing that goes off or on. An operation that the range holds a record of has
 * all its records: how long it took is told by the last one.
 */
#include "config.h"

#include "kymo-convert-otf2-stream.h"

static const KymoPoint *
point_at (const KymoOtf2Writing *stream,
          guint                  i)
{
  return &g_array_index (stream->segment->points, KymoPoint, i);
}

/* -- which are written ---------------------------------------------------------------- */

/* The number of the operation on a file that a record is of, or 0. */
static gint32
operation_of (const KymoPoint *point)
{
  if (point->kind != KYMO_POINT_IO)
    return 0;
  switch ((KymoIoOp) point->op)
    {
    case KYMO_IO_READ:
    case KYMO_IO_WRITE:
    case KYMO_IO_FLUSH:
    case KYMO_IO_ISSUED:
    case KYMO_IO_TEST:
    case KYMO_IO_COMPLETE:
    case KYMO_IO_CANCEL:
      return point->nested_id;
    default:
      return 0;
    }
}

/** kymo_otf2_points_init: finds the operations on files that are written */
void
kymo_otf2_points_init (KymoOtf2Writing *stream)
{
  if (stream->out->choice.whole)
    return;
  stream->operations = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < stream->segment->points->len; i++)
    {
      const KymoPoint *point = point_at (stream, i);
      gpointer operation = GINT_TO_POINTER (operation_of (point));

      if (operation != NULL && kymo_otf2_is_in_range (stream, point->begin_ns, point->end_ns)
          && !g_hash_table_contains (stream->operations, operation))
        g_hash_table_add (stream->operations, operation);
    }
}

void
kymo_otf2_points_clear (KymoOtf2Writing *stream)
{
  g_clear_pointer (&stream->operations, g_hash_table_unref);
}

static gboolean
wants_point (const KymoOtf2Writing *stream,
             const KymoPoint       *point)
{
  gint32 operation = operation_of (point);

  return kymo_otf2_is_in_range (stream, point->begin_ns, point->begin_ns)
    || (operation != 0 && stream->operations != NULL
        && g_hash_table_contains (stream->operations, GINT_TO_POINTER (operation)));
}

/** kymo_otf2_find_point: Returns: when the next point is that is written, or %G_MAXINT64 */
gint64
kymo_otf2_find_point (KymoOtf2Writing *stream)
{
  guint n = stream->segment->points->len;

  while (stream->next_point < n && !wants_point (stream, point_at (stream, stream->next_point)))
    stream->next_point++;
  return stream->next_point < n ? point_at (stream, stream->next_point)->begin_ns : G_MAXINT64;
}

/* -- records --------------------------------------------------------------------------- */

/* TRUE if a stretch without tracing begins (or ends) at the moment. Pieces without length may begin
   at the same time. */
static gboolean
has_untraced_edge (const KymoSegment *segment,
                   gint64             time_ns,
                   gboolean           is_end)
{
  for (guint i = kymo_segment_find_piece (segment, time_ns) + 1;
       i-- > 0 && kymo_segment_piece_begin (segment, i + 1) >= time_ns; )
    if (segment->piece_state[i] == KYMO_STATE_UNTRACED
        && kymo_segment_piece_begin (segment, i + (is_end ? 1 : 0)) == time_ns)
      return TRUE;
  return FALSE;
}

/* Tracing that went off or on without a stretch between; the others are written as pieces. */
static void
put_switch (KymoOtf2Writing *stream,
            const KymoPoint *point)
{
  gboolean on = point->kind == KYMO_POINT_TRACE_ON;

  if (!has_untraced_edge (stream->segment, point->begin_ns, on))
    kymo_otf2_put_on_off (stream, point->begin_ns, on);
}

static void
put_sample (KymoOtf2Writing *stream,
            const KymoPoint *point,
            OTF2_TimeStamp   time)
{
  OTF2_Type type = OTF2_TYPE_DOUBLE;
  OTF2_MetricValue value = { .floating_point = point->value };

  kymo_otf2_done (stream, OTF2_EvtWriter_Metric (
    stream->writer, NULL, time, stream->out->member_of[point->activity], 1, &type, &value));
}

static void
put_parameter (KymoOtf2Writing *stream,
               const KymoPoint *point,
               OTF2_TimeStamp   time)
{
  guint32 ref = stream->out->parameter_of[point->activity];
  guint8 *type = &g_array_index (stream->out->parameter_types, guint8, ref);
  OTF2_StringRef text;

  if (*type == 0)
    *type = point->op + 1;
  switch ((KymoParameterType) point->op)
    {
    case KYMO_PARAMETER_INT:
      kymo_otf2_done (stream, OTF2_EvtWriter_ParameterInt (stream->writer, NULL, time, ref,
                                                           point->number));
      break;
    case KYMO_PARAMETER_UNSIGNED:
      kymo_otf2_done (stream, OTF2_EvtWriter_ParameterUnsignedInt (
        stream->writer, NULL, time, ref, (guint64) point->number));
      break;
    default:
      text = kymo_otf2_out_string (stream->out, point->text != NULL ? point->text : "");
      kymo_otf2_done (stream, OTF2_EvtWriter_ParameterString (stream->writer, NULL, time, ref,
                                                              text));
    }
}

/* Writes a record about an I/O operation that has begun; FALSE where the record is no such
   record. */
static gboolean
put_progress (KymoOtf2Writing *stream,
              const KymoPoint *point,
              OTF2_TimeStamp   time,
              guint32          handle)
{
  OTF2_EvtWriter *writer = stream->writer;
  guint64 id = point->nested_id;

  switch ((KymoIoOp) point->op)
    {
    case KYMO_IO_ISSUED:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoOperationIssued (writer, NULL, time, handle, id));
      return TRUE;
    case KYMO_IO_TEST:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoOperationTest (writer, NULL, time, handle, id));
      return TRUE;
    case KYMO_IO_COMPLETE:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoOperationComplete (
        writer, NULL, time, handle, (guint64) point->number, id));
      return TRUE;
    case KYMO_IO_CANCEL:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoOperationCancelled (writer, NULL, time, handle,
                                                                   id));
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
put_lock (KymoOtf2Writing *stream,
          const KymoPoint *point,
          OTF2_TimeStamp   time,
          guint32          handle)
{
  OTF2_LockType type = point->flag != 0 ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE;

  switch ((KymoIoOp) point->op)
    {
    case KYMO_IO_LOCK:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoAcquireLock (stream->writer, NULL, time, handle,
                                                            type));
      return TRUE;
    case KYMO_IO_UNLOCK:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoReleaseLock (stream->writer, NULL, time, handle,
                                                            type));
      return TRUE;
    case KYMO_IO_TRY_LOCK:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoTryLock (stream->writer, NULL, time, handle,
                                                        type));
      return TRUE;
    default:
      return FALSE;
    }
}

/* Bytes and offsets that are not known have all bits set in an archive, as -1 has. */
static void
put_begin (KymoOtf2Writing *stream,
           const KymoPoint *point,
           OTF2_TimeStamp   time,
           guint32          handle)
{
  OTF2_IoOperationMode mode = point->op == KYMO_IO_READ ? OTF2_IO_OPERATION_MODE_READ
    : point->op == KYMO_IO_WRITE ? OTF2_IO_OPERATION_MODE_WRITE : OTF2_IO_OPERATION_MODE_FLUSH;

  kymo_otf2_done (stream, OTF2_EvtWriter_IoOperationBegin (
    stream->writer, NULL, time, handle, mode, point->flag, (guint64) point->number,
    (guint64) point->nested_id));
}

static void
put_io (KymoOtf2Writing *stream,
        const KymoPoint *point,
        OTF2_TimeStamp   time)
{
  OTF2_EvtWriter *writer = stream->writer;
  guint32 handle = point->id >= 0 ? (guint32) point->id : OTF2_UNDEFINED_IO_HANDLE;

  if (put_progress (stream, point, time, handle) || put_lock (stream, point, time, handle))
    return;
  switch ((KymoIoOp) point->op)
    {
    case KYMO_IO_OPEN:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoCreateHandle (
        writer, NULL, time, handle, point->flag, (guint32) point->number,
        (guint32) (point->number >> 32)));
      break;
    case KYMO_IO_CLOSE:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoDestroyHandle (writer, NULL, time, handle));
      break;
    case KYMO_IO_DUPLICATE:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoDuplicateHandle (
        writer, NULL, time, handle, point->nested_id >= 0 ? (guint32) point->nested_id
        : OTF2_UNDEFINED_IO_HANDLE, (guint32) point->number));
      break;
    case KYMO_IO_SEEK:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoSeek (
        writer, NULL, time, handle, point->text != NULL
        ? g_ascii_strtoll (point->text, NULL, 10) : 0, point->flag, (guint64) point->number));
      break;
    case KYMO_IO_SET_FLAGS:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoChangeStatusFlags (writer, NULL, time, handle,
                                                                  (guint32) point->number));
      break;
    case KYMO_IO_DELETE:
      kymo_otf2_done (stream, OTF2_EvtWriter_IoDeleteFile (
        writer, NULL, time, kymo_otf2_out_paradigm_of_file (stream->out, point->id), handle));
      break;
    default:
      put_begin (stream, point, time, handle);
    }
}

/** kymo_otf2_put_point: writes the point that kymo_otf2_find_point() found */
void
kymo_otf2_put_point (KymoOtf2Writing *stream,
                     gint64           time_ns)
{
  const KymoOtf2Out *out = stream->out;
  const KymoPoint *point = point_at (stream, stream->next_point++);
  gboolean is_known = point->activity != G_MAXUINT32;

  if (point->kind == KYMO_POINT_TRACE_ON || point->kind == KYMO_POINT_TRACE_OFF)
    put_switch (stream, point);
  else if (point->kind == KYMO_POINT_IO)
    put_io (stream, point, kymo_otf2_at (stream, time_ns));
  else if (point->kind == KYMO_POINT_PARAMETER && is_known
           && out->parameter_of[point->activity] != KYMO_OTF2_NO_REF)
    put_parameter (stream, point, kymo_otf2_at (stream, time_ns));
  else if (point->kind == KYMO_POINT_USER_VALUE && is_known
           && out->member_of[point->activity] != KYMO_OTF2_NO_REF)
    put_sample (stream, point, kymo_otf2_at (stream, time_ns));
  else
    stream->out->n_points++;
}
