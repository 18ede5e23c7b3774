/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of a process, one location after the other, and what it tells rank 0 after that.
 */
#include "kymo-archive-out.h"

#include <stdlib.h>
#include <string.h>

#include "kymo-archive-events.h"

/* -- events -------------------------------------------------------------------------- */

/* The first location of a process tells when its program began and ended; so do those that have
   nothing else to tell, because programs read no archive in which a location has no file. */
static void
write_location (KymoArchiveStream *stream,
                KymoArchiveEvents *events,
                bool               is_first)
{
  const KymoArchiveProcess *process = stream->process;
  OTF2_EvtWriter *writer = stream->writer;
  uint64_t n_events = 0;

  stream->last_ns = process->begin_ns;
  if (is_first)
    kymo_archive_out_note (stream->out, OTF2_EvtWriter_ProgramBegin (
      writer, NULL, process->begin_ns, stream->table->program, 0, NULL));
  if (events->fd >= 0 && !kymo_archive_events_read (events, kymo_archive_stream_record, stream))
    kymo_archive_out_note (stream->out, OTF2_ERROR_MEM_ALLOC_FAILED);
  kymo_archive_stream_end (stream);
  OTF2_EvtWriter_GetNumberOfEvents (writer, &n_events);
  if (!is_first && n_events == 0)
    kymo_archive_out_note (stream->out, OTF2_EvtWriter_ProgramBegin (
      writer, NULL, stream->last_ns, stream->table->program, 0, NULL));
  if (is_first || n_events == 0)
    kymo_archive_out_note (stream->out, OTF2_EvtWriter_ProgramEnd (
      writer, NULL, is_first && process->end_ns > stream->last_ns ? process->end_ns
      : stream->last_ns, OTF2_UNDEFINED_INT64));
  OTF2_EvtWriter_GetNumberOfEvents (writer, &n_events);
  kymo_archive_bytes_add (&stream->result->n_events, &n_events, sizeof n_events);
}

static void
clear_stream (KymoArchiveStream *stream)
{
  kymo_archive_bytes_clear (&stream->open);
  kymo_archive_bytes_clear (&stream->expected);
  kymo_archive_bytes_clear (&stream->transfers);
}

/* Of a location that is not kept there is a file without events: a reader wants one of each. */
static void
write_file (KymoArchiveOut           *out,
            const KymoArchiveProcess *process,
            const KymoArchiveTable   *table,
            KymoArchiveResult        *result,
            size_t                    i)
{
  KymoArchiveStream stream = {
    .out = out, .process = process, .table = table, .result = result,
    .file = &KYMO_ARCHIVE_AT (&process->files, KymoArchiveFile)[i],
    .location = table->first_location + i,
  };
  char *path = kymo_archive_process_dup_path (process, stream.file);
  KymoArchiveEvents events = { .fd = -1 };
  uint64_t no_events = 0;

  stream.writer = OTF2_Archive_GetEvtWriter (out->archive, stream.location);
  if (path == NULL || stream.writer == NULL)
    kymo_archive_out_note (out, OTF2_ERROR_MEM_ALLOC_FAILED);
  else if (!kymo_archive_out_keeps (out, stream.location))
    kymo_archive_bytes_add (&result->n_events, &no_events, sizeof no_events);
  else
    {
      /* It could be read before; if not now, the location stays empty. */
      kymo_archive_events_open (&events, path);
      write_location (&stream, &events, i == 0);
      kymo_archive_events_close (&events);
    }
  if (stream.writer != NULL)
    kymo_archive_out_note (out, OTF2_Archive_CloseEvtWriter (out->archive, stream.writer));
  clear_stream (&stream);
  free (path);
}

/**
 * kymo_archive_out_write_events:
 * @process: whose events are written, after its survey
 * @table: its numbers
 * @result: (inout): what it learns; {0} before the first process
 *
 * Writes the events of all locations of a process that are kept.
 */
void
kymo_archive_out_write_events (KymoArchiveOut           *out,
                               const KymoArchiveProcess *process,
                               const KymoArchiveTable   *table,
                               KymoArchiveResult        *result)
{
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&process->files, KymoArchiveFile)
       && out->code == OTF2_SUCCESS; i++)
    write_file (out, process, table, result, i);
}

/**
 * kymo_archive_out_measure:
 * @process: after its survey
 * @table: its numbers
 * @i: a file of it, of a thread
 * @measure: (inout): what is found in the events that would be written of it
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_archive_out_measure (const KymoArchiveProcess *process,
                          const KymoArchiveTable   *table,
                          size_t                    i,
                          KymoArchiveMeasure       *measure)
{
  KymoArchiveResult result = { 0 };
  KymoArchiveOut out = { 0 };
  KymoArchiveStream stream = {
    .out = &out, .process = process, .table = table, .result = &result,
    .file = &KYMO_ARCHIVE_AT (&process->files, KymoArchiveFile)[i],
    .location = table->first_location + i, .last_ns = process->begin_ns, .measure = measure,
  };
  char *path = kymo_archive_process_dup_path (process, stream.file);
  KymoArchiveEvents events = { .fd = -1 };
  bool good = path != NULL;

  if (i == 0)
    kymo_archive_measure_touch (measure, kymo_archive_to_root (process, process->begin_ns));
  if (good)
    {
      kymo_archive_events_open (&events, path);
      good = events.fd < 0
        || kymo_archive_events_read (&events, kymo_archive_stream_record, &stream);
      kymo_archive_events_close (&events);
    }
  kymo_archive_stream_end (&stream);
  good = good && !stream.open.failed && !stream.expected.failed;
  if (i == 0 || !measure->has_events)
    kymo_archive_measure_touch (measure, kymo_archive_to_root (
      process, i == 0 && process->end_ns > stream.last_ns ? process->end_ns : stream.last_ns));
  clear_stream (&stream);
  kymo_archive_result_clear (&result);
  free (path);
  return kymo_archive_measure_end (measure) && good;
}

/**
 * kymo_archive_out_write_empty:
 * @location: of a rank that nothing is known of
 * @ns: when the run began
 * @program: a string
 *
 * Writes a location without calls.
 */
void
kymo_archive_out_write_empty (KymoArchiveOut *out,
                              uint64_t        location,
                              uint64_t        ns,
                              uint32_t        program)
{
  OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter (out->archive, location);

  if (!kymo_archive_out_note (out, writer == NULL ? OTF2_ERROR_MEM_ALLOC_FAILED : OTF2_SUCCESS))
    return;
  if (kymo_archive_out_keeps (out, location))
    {
      kymo_archive_out_note (out, OTF2_EvtWriter_ProgramBegin (writer, NULL, ns, program, 0,
                                                               NULL));
      kymo_archive_out_note (out, OTF2_EvtWriter_ProgramEnd (writer, NULL, ns,
                                                             OTF2_UNDEFINED_INT64));
    }
  kymo_archive_out_note (out, OTF2_Archive_CloseEvtWriter (out->archive, writer));
}

/* Programs correct times between two offsets and beyond them: one alone has no effect, so it is
   written for two moments. */
static void
write_offsets (KymoArchiveOut           *out,
               uint64_t                  location,
               const KymoArchiveOffset  *offsets,
               size_t                    n)
{
  OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter (out->archive, location);

  if (!kymo_archive_out_note (out, writer == NULL ? OTF2_ERROR_MEM_ALLOC_FAILED : OTF2_SUCCESS))
    return;
  for (size_t i = 0; i < n; i++)
    kymo_archive_out_note (out, OTF2_DefWriter_WriteClockOffset (writer, offsets[i].mono_ns,
                                                                 offsets[i].delta_ns, 0));
  if (n == 1)
    kymo_archive_out_note (out, OTF2_DefWriter_WriteClockOffset (writer, offsets->mono_ns + 1,
                                                                 offsets->delta_ns, 0));
  kymo_archive_out_note (out, OTF2_Archive_CloseDefWriter (out->archive, writer));
}

/**
 * kymo_archive_out_write_offsets:
 * @process: (nullable): a process, or %NULL for a rank that nothing is known of
 * @first: its first location
 *
 * Writes how its clock differs from that of rank 0, for each of its locations. Programs miss
 * files of locations that have no such definitions.
 */
void
kymo_archive_out_write_offsets (KymoArchiveOut           *out,
                                const KymoArchiveProcess *process,
                                uint64_t                  first)
{
  if (process == NULL)
    write_offsets (out, first, NULL, 0);
  else
    for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&process->files, KymoArchiveFile)
         && out->code == OTF2_SUCCESS; i++)
      write_offsets (out, first + i, KYMO_ARCHIVE_AT (&process->offsets, KymoArchiveOffset),
                     KYMO_ARCHIVE_COUNT (&process->offsets, KymoArchiveOffset));
}

/* -- results ------------------------------------------------------------------------- */

/**
 * kymo_archive_result_pack:
 * @bytes: (inout): gets the result
 *
 * Writes the result for another process of the same program.
 */
void
kymo_archive_result_pack (const KymoArchiveResult *result,
                          KymoArchiveBytes        *bytes)
{
  uint64_t head[] = { KYMO_ARCHIVE_COUNT (&result->n_events, uint64_t), result->traffic.n,
                      KYMO_ARCHIVE_COUNT (&result->markers, KymoArchiveMarker), result->n_open,
                      result->n_unknown, result->n_unopened, result->n_cut };

  kymo_archive_bytes_add (bytes, head, sizeof head);
  kymo_archive_bytes_add (bytes, result->n_events.at, result->n_events.n);
  kymo_archive_bytes_add (bytes, result->sent.at, result->sent.n);
  kymo_archive_bytes_add (bytes, result->received.at, result->received.n);
  kymo_archive_bytes_add (bytes, result->markers.at, result->markers.n);
  kymo_archive_bytes_add (bytes, result->traffic.keys.at, result->traffic.keys.n);
  bytes->failed = bytes->failed || result->traffic.failed || result->sent.failed
    || result->received.failed || result->markers.failed || result->n_events.failed;
}

static void
add_traffic (KymoArchiveResult        *all,
             const KymoArchiveTraffic *key,
             uint64_t                  sent,
             uint64_t                  received)
{
  uint32_t number = kymo_archive_pool_add (&all->traffic, key, sizeof *key);

  if (number == KYMO_ARCHIVE_NONE)
    return;
  if (number >= KYMO_ARCHIVE_COUNT (&all->sent, uint64_t))
    {
      kymo_archive_bytes_grow (&all->sent, sizeof (uint64_t));
      kymo_archive_bytes_grow (&all->received, sizeof (uint64_t));
    }
  if (all->sent.failed || all->received.failed)
    return;
  KYMO_ARCHIVE_AT (&all->sent, uint64_t)[number] += sent;
  KYMO_ARCHIVE_AT (&all->received, uint64_t)[number] += received;
}

/**
 * kymo_archive_result_add:
 * @all: (inout): results of the processes before it, in the order of their locations
 * @packed: a result as kymo_archive_result_pack() wrote it
 * @n_bytes: how many bytes they are
 *
 * Returns: FALSE if the bytes are no result, or there is no memory
 */
bool
kymo_archive_result_add (KymoArchiveResult *all,
                         const void        *packed,
                         size_t             n_bytes)
{
  const unsigned char *at = packed, *sent, *received, *markers, *keys;
  uint64_t head[7];

  if (n_bytes < sizeof head)
    return false;
  memcpy (head, at, sizeof head);
  at += sizeof head;
  if (head[0] > n_bytes || head[1] > n_bytes || head[2] > n_bytes
      || n_bytes != sizeof head + 8 * head[0] + 16 * head[1]
      + sizeof (KymoArchiveMarker) * head[2] + sizeof (KymoArchiveTraffic) * head[1])
    return false;
  sent = at + 8 * head[0];
  received = sent + 8 * head[1];
  markers = received + 8 * head[1];
  keys = markers + sizeof (KymoArchiveMarker) * head[2];
  kymo_archive_bytes_add (&all->n_events, at, 8 * head[0]);
  kymo_archive_bytes_add (&all->markers, markers, sizeof (KymoArchiveMarker) * head[2]);
  for (uint64_t i = 0; i < head[1]; i++)
    {
      KymoArchiveTraffic key;
      uint64_t counts[2];

      memcpy (&key, keys + i * sizeof key, sizeof key);
      memcpy (&counts[0], sent + 8 * i, 8);
      memcpy (&counts[1], received + 8 * i, 8);
      add_traffic (all, &key, counts[0], counts[1]);
    }
  all->n_open += head[3];
  all->n_unknown += head[4];
  all->n_unopened += head[5];
  all->n_cut += head[6];
  return !all->n_events.failed && !all->markers.failed && !all->traffic.failed
    && !all->sent.failed && !all->received.failed;
}

/**
 * kymo_archive_result_get_halves:
 * @all: results of all processes
 *
 * Returns: how many messages have a send or a receive alone
 */
uint64_t
kymo_archive_result_get_halves (const KymoArchiveResult *all)
{
  const uint64_t *sent = KYMO_ARCHIVE_AT (&all->sent, uint64_t);
  const uint64_t *received = KYMO_ARCHIVE_AT (&all->received, uint64_t);
  uint64_t n = 0;

  for (uint32_t i = 0; i < all->traffic.n; i++)
    n += sent[i] > received[i] ? sent[i] - received[i] : received[i] - sent[i];
  return n;
}

/** kymo_archive_result_clear: frees what @result holds */
void
kymo_archive_result_clear (KymoArchiveResult *result)
{
  kymo_archive_bytes_clear (&result->n_events);
  kymo_archive_pool_clear (&result->traffic);
  kymo_archive_bytes_clear (&result->sent);
  kymo_archive_bytes_clear (&result->received);
  kymo_archive_bytes_clear (&result->markers);
  *result = (KymoArchiveResult) { 0 };
}
