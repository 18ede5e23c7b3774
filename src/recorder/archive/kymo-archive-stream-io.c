/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of input, output and threads -> events.
 */
#include "kymo-archive-out.h"

#define NOTE(stream, call) kymo_archive_out_note ((stream)->out, call)

/* Locks of files: acquired, released, tried. */
static OTF2_ErrorCode
write_lock (OTF2_EvtWriter     *writer,
            uint64_t            ns,
            uint32_t            handle,
            uint16_t            how,
            const KymoRawWords *words)
{
  OTF2_LockType type = (OTF2_LockType) words->i;

  if (how == 0)
    return OTF2_EvtWriter_IoAcquireLock (writer, NULL, ns, handle, type);
  if (how == 1)
    return OTF2_EvtWriter_IoReleaseLock (writer, NULL, ns, handle, type);
  return OTF2_EvtWriter_IoTryLock (writer, NULL, ns, handle, type);
}

static OTF2_ErrorCode
write_handle (KymoArchiveStream  *stream,
              uint64_t            ns,
              uint32_t            handle,
              const KymoRawCell  *cell,
              const KymoRawWords *words)
{
  OTF2_EvtWriter *writer = stream->writer;
  uint32_t other;

  switch (cell->type)
    {
    case KYMO_RAW_IO_OPEN:
      return OTF2_EvtWriter_IoCreateHandle (writer, NULL, ns, handle,
                                            (OTF2_IoAccessMode) cell->small,
                                            (OTF2_IoCreationFlag) words->i,
                                            (OTF2_IoStatusFlag) words->j);
    case KYMO_RAW_IO_CLOSE:
      return OTF2_EvtWriter_IoDestroyHandle (writer, NULL, ns, handle);
    case KYMO_RAW_IO_DUP:
      other = kymo_archive_stream_find (stream, KYMO_ARCHIVE_HANDLES, (uint32_t) words->i);
      return other != KYMO_ARCHIVE_NONE
        ? OTF2_EvtWriter_IoDuplicateHandle (writer, NULL, ns, handle, other,
                                            (OTF2_IoStatusFlag) words->j) : OTF2_SUCCESS;
    case KYMO_RAW_IO_SEEK:
      return OTF2_EvtWriter_IoSeek (writer, NULL, ns, handle, (int64_t) words->a,
                                    (OTF2_IoSeekOption) cell->small, words->b);
    case KYMO_RAW_IO_BEGIN:
      return OTF2_EvtWriter_IoOperationBegin (writer, NULL, ns, handle,
                                              (OTF2_IoOperationMode) cell->small,
                                              (OTF2_IoOperationFlag) words->i, words->n,
                                              words[1].a);
    case KYMO_RAW_IO_END:
      return OTF2_EvtWriter_IoOperationComplete (writer, NULL, ns, handle, words->a, words->b);
    case KYMO_RAW_IO_LOCK:
      return write_lock (writer, ns, handle, cell->small, words);
    default:
      return OTF2_EvtWriter_IoChangeStatusFlags (writer, NULL, ns, handle,
                                                 (OTF2_IoStatusFlag) words->i);
    }
}

/**
 * kymo_archive_stream_io:
 * @ns: when it happened
 * @cell, @words: a record
 *
 * Writes a record about input and output.
 *
 * Returns: FALSE if it is about something else
 */
bool
kymo_archive_stream_io (KymoArchiveStream  *stream,
                        uint64_t            ns,
                        const KymoRawCell  *cell,
                        const KymoRawWords *words)
{
  uint32_t number;

  if (cell->type < KYMO_RAW_IO_OPEN || cell->type > KYMO_RAW_IO_STATUS)
    return false;
  if (cell->type == KYMO_RAW_IO_DELETE)
    {
      number = kymo_archive_stream_find (stream, KYMO_ARCHIVE_FILES, cell->arg);
      if (number != KYMO_ARCHIVE_NONE && cell->small < 4)
        NOTE (stream, OTF2_EvtWriter_IoDeleteFile (stream->writer, NULL, ns, cell->small, number));
      return true;
    }
  number = kymo_archive_stream_find (stream, KYMO_ARCHIVE_HANDLES, cell->arg);
  if (number != KYMO_ARCHIVE_NONE)
    NOTE (stream, write_handle (stream, ns, number, cell, words));
  return true;
}

/**
 * kymo_archive_stream_thread:
 * @ns: when it happened
 * @cell, @words: a record
 *
 * Writes a record about threads, unless the process has one alone.
 *
 * Returns: FALSE if it is about something else
 */
bool
kymo_archive_stream_thread (KymoArchiveStream  *stream,
                            uint64_t            ns,
                            const KymoRawCell  *cell,
                            const KymoRawWords *words)
{
  OTF2_EvtWriter *writer = stream->writer;
  uint32_t team = stream->table->team;

  if (cell->type < KYMO_RAW_THREAD_CREATE || cell->type > KYMO_RAW_THREAD_END)
    return false;
  if (team == KYMO_ARCHIVE_NONE)
    return true;
  if (cell->type == KYMO_RAW_THREAD_CREATE)
    NOTE (stream, OTF2_EvtWriter_ThreadCreate (writer, NULL, ns, team, words->a));
  else if (cell->type == KYMO_RAW_THREAD_BEGIN)
    NOTE (stream, OTF2_EvtWriter_ThreadBegin (writer, NULL, ns, team, words->a));
  else if (cell->type == KYMO_RAW_THREAD_WAIT)
    NOTE (stream, OTF2_EvtWriter_ThreadWait (writer, NULL, ns, team, words->a));
  else
    NOTE (stream, OTF2_EvtWriter_ThreadEnd (writer, NULL, ns, team, words->a));
  return true;
}
