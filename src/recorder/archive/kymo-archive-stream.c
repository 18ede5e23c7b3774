/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of one event file -> events of one location: calls, gaps and metrics. Calls are always
 * balanced, and times never go back, whatever the file holds. Where the stream is to be measured,
 * nothing is written.
 */
#include "kymo-archive-out.h"

#define UNKNOWN_NS UINT64_MAX

static size_t
depth_of (const KymoArchiveBytes *list)
{
  return KYMO_ARCHIVE_COUNT (list, uint32_t);
}

static void
enter_region (KymoArchiveStream *stream,
              uint64_t           ns,
              uint32_t           region)
{
  uint32_t number = kymo_archive_stream_find (stream, KYMO_ARCHIVE_REGIONS, region);

  if (number == KYMO_ARCHIVE_NONE)
    return;
  kymo_archive_bytes_add (&stream->open, &region, sizeof region);
  if (stream->measure != NULL)
    kymo_archive_measure_enter (stream->measure, kymo_archive_to_root (stream->process, ns),
                                number);
  else
    kymo_archive_out_note (stream->out, stream->open.failed ? OTF2_ERROR_MEM_ALLOC_FAILED
                           : OTF2_EvtWriter_Enter (stream->writer, NULL, ns, number));
}

/* Ends calls until @depth calls are open. */
static void
leave_until (KymoArchiveStream *stream,
             uint64_t           ns,
             size_t             depth)
{
  const uint32_t *open = KYMO_ARCHIVE_AT (&stream->open, uint32_t);

  while (depth_of (&stream->open) > depth)
    {
      uint32_t region = open[depth_of (&stream->open) - 1];

      if (stream->measure != NULL)
        kymo_archive_measure_leave (stream->measure, kymo_archive_to_root (stream->process, ns));
      else
        kymo_archive_out_note (stream->out, OTF2_EvtWriter_Leave (
          stream->writer, NULL, ns, kymo_archive_table_get (stream->table, KYMO_ARCHIVE_REGIONS,
                                                            region)));
      stream->open.n -= sizeof region;
    }
}

/* What was entered in it and not left, ends with it. */
static void
leave_region (KymoArchiveStream *stream,
              uint64_t           ns,
              uint32_t           region)
{
  const uint32_t *open = KYMO_ARCHIVE_AT (&stream->open, uint32_t);
  size_t depth = depth_of (&stream->open);

  while (depth > 0 && open[depth - 1] != region)
    depth--;
  if (depth > 0)
    leave_until (stream, ns, depth - 1);
  else
    stream->result->n_unopened++;
}

/* Says of what is open at the moment that it began before the record, or ends after it. */
static void
mark_cut (KymoArchiveStream *stream,
          uint64_t           ns,
          uint32_t           parameter,
          size_t             n_calls)
{
  stream->result->n_cut += n_calls;
  if (n_calls > 0 && stream->measure == NULL)
    kymo_archive_out_note (stream->out, OTF2_EvtWriter_ParameterUnsignedInt (
      stream->writer, NULL, ns, parameter, n_calls));
}

/* After a gap: calls that are not open any more end, those that were begun in it begin. */
static void
close_gap (KymoArchiveStream *stream,
           uint64_t           ns)
{
  const uint32_t *expected = KYMO_ARCHIVE_AT (&stream->expected, uint32_t);
  const uint32_t *open = KYMO_ARCHIVE_AT (&stream->open, uint32_t);
  size_t n = depth_of (&stream->expected), same = 0;

  while (same < n && same < depth_of (&stream->open) && open[same] == expected[same])
    same++;
  mark_cut (stream, ns, KYMO_ARCHIVE_NO_END, depth_of (&stream->open) - same);
  leave_until (stream, ns, same);
  for (size_t i = same; i < n; i++)
    enter_region (stream, ns, expected[i]);
  mark_cut (stream, ns, KYMO_ARCHIVE_NO_BEGIN, depth_of (&stream->open) - same);
  stream->expected.n = 0;
  stream->is_gap = false;
}

static void
switch_measurement (KymoArchiveStream *stream,
                    uint64_t           ns,
                    bool               on)
{
  if (stream->measure != NULL)
    kymo_archive_measure_switch (stream->measure, kymo_archive_to_root (stream->process, ns), on);
  else
    kymo_archive_out_note (stream->out, OTF2_EvtWriter_MeasurementOnOff (
      stream->writer, NULL, ns, on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF));
}

static void
begin_chunk (KymoArchiveStream *stream,
             uint64_t           ns,
             uint64_t           sequence)
{
  bool is_first = stream->sequence == 0;

  stream->is_gap = sequence != stream->sequence + 1 || is_first;
  if (stream->is_gap && !is_first)
    {
      switch_measurement (stream, stream->last_ns, false);
      switch_measurement (stream, ns, true);
    }
  stream->sequence = sequence;
}

/* -- metrics and markers ------------------------------------------------------------- */

static uint32_t
find_metric (KymoArchiveStream *stream,
             uint32_t           metric_class)
{
  const KymoArchiveInstance *at = KYMO_ARCHIVE_AT (&stream->table->instances,
                                                   KymoArchiveInstance);

  if (!stream->file->is_system)
    return kymo_archive_stream_find (stream, KYMO_ARCHIVE_CLASSES, metric_class);
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&stream->table->instances, KymoArchiveInstance); i++)
    if (at[i].n == stream->file->n && at[i].metric_class == metric_class)
      return at[i].metric;
  stream->result->n_unknown++;
  return KYMO_ARCHIVE_NONE;
}

static void
write_metric (KymoArchiveStream  *stream,
              uint64_t            ns,
              const KymoRawCell  *cell,
              const KymoRawWords *words)
{
  uint32_t metric = find_metric (stream, cell->arg);
  const uint8_t *values = metric != KYMO_ARCHIVE_NONE
    && cell->arg < stream->process->values.n / 256 ? stream->process->values.at + 256 * cell->arg
    : NULL;

  if (values == NULL || cell->small != values[0] || values[0] == 0)
    {
      stream->result->n_unknown += metric != KYMO_ARCHIVE_NONE;
      return;
    }
  kymo_archive_out_note (stream->out, OTF2_EvtWriter_Metric (
    stream->writer, NULL, ns, metric, values[0], values + 1,
    (const OTF2_MetricValue *) (const void *) words));
}

static void
take_marker (KymoArchiveStream *stream,
             uint64_t           ns,
             uint32_t           region)
{
  KymoArchiveMarker marker = { kymo_archive_to_root (stream->process, ns), stream->location,
                               kymo_archive_stream_find (stream, KYMO_ARCHIVE_REGIONS, region) };

  if (marker.region != KYMO_ARCHIVE_NONE)
    kymo_archive_bytes_add (&stream->result->markers, &marker, sizeof marker);
}

/* -- all ----------------------------------------------------------------------------- */

/* UNKNOWN_NS = the record cannot have that time. */
static uint64_t
time_of (KymoArchiveStream *stream,
         const KymoRawCell *cell)
{
  uint64_t ns;

  /* The program began before its first chunk did. */
  if (cell->type == KYMO_RAW_CHUNK && (cell->time == 0 || stream->sequence == 0))
    return stream->last_ns;
  if (!kymo_archive_to_ns (stream->process, cell->time, &ns))
    {
      stream->result->n_unknown++;
      return UNKNOWN_NS;
    }
  if (ns < stream->last_ns)
    ns = stream->last_ns;
  return ns;
}

/* Returns FALSE if the record is not about calls, chunks or measurement. */
static bool
write_call (KymoArchiveStream  *stream,
            uint64_t            ns,
            const KymoRawCell  *cell,
            const KymoRawWords *words)
{
  switch (cell->type)
    {
    case KYMO_RAW_CHUNK:
      begin_chunk (stream, ns, words->a);
      return true;
    case KYMO_RAW_ENTER:
      enter_region (stream, ns, cell->arg);
      return true;
    case KYMO_RAW_LEAVE:
      leave_region (stream, ns, cell->arg);
      return true;
    case KYMO_RAW_METRIC:
      if (stream->measure != NULL)
        return false;
      write_metric (stream, ns, cell, words);
      return true;
    case KYMO_RAW_MEASUREMENT:
      switch_measurement (stream, ns, cell->small != 0);
      return true;
    case KYMO_RAW_MARKER:
      if (stream->measure == NULL)
        take_marker (stream, ns, cell->arg);
      return true;
    default:
      return false;
    }
}

/* Events that are no calls: of them the moment counts alone. */
static void
measure_other (KymoArchiveStream *stream,
               uint64_t           ns,
               const KymoRawCell *cell)
{
  if (cell->type > KYMO_RAW_LEAVE && cell->type < KYMO_RAW_N_TYPES
      && cell->type != KYMO_RAW_DROPPED)
    kymo_archive_measure_touch (stream->measure, kymo_archive_to_root (stream->process, ns));
}

/**
 * kymo_archive_stream_record:
 * @cell, @words: a record
 * @data: a #KymoArchiveStream
 *
 * Writes the record as an event; a #KymoArchiveVisit.
 *
 * Returns: FALSE if the archive failed
 */
bool
kymo_archive_stream_record (const KymoRawCell  *cell,
                            const KymoRawWords *words,
                            void               *data)
{
  KymoArchiveStream *stream = data;
  uint64_t ns;

  if (cell->type == KYMO_RAW_OPEN)
    {
      if (stream->is_gap)
        kymo_archive_bytes_add (&stream->expected, &cell->arg, sizeof cell->arg);
      return true;
    }
  ns = time_of (stream, cell);
  if (ns == UNKNOWN_NS)
    return true;
  if (stream->is_gap)
    close_gap (stream, ns);
  if (stream->measure != NULL)
    {
      if (!write_call (stream, ns, cell, words))
        measure_other (stream, ns, cell);
      stream->last_ns = ns;
      return true;
    }
  if (!write_call (stream, ns, cell, words)
      && !kymo_archive_stream_message (stream, ns, cell, words)
      && !kymo_archive_stream_collective (stream, ns, cell, words)
      && !kymo_archive_stream_io (stream, ns, cell, words)
      && !kymo_archive_stream_one_sided (stream, ns, cell, words))
    kymo_archive_stream_thread (stream, ns, cell, words);
  stream->last_ns = ns;
  return stream->out->code == OTF2_SUCCESS;
}

/**
 * kymo_archive_stream_end:
 *
 * Ends what is open, marks and counts it. The process was in these calls until it read its clock
 * last; where recording stopped, only until then, and the rest of its time is not traced.
 */
void
kymo_archive_stream_end (KymoArchiveStream *stream)
{
  const KymoArchiveProcess *process = stream->process;
  size_t n_open;

  if (stream->is_gap)
    close_gap (stream, stream->last_ns);
  n_open = depth_of (&stream->open);
  if (n_open == 0)
    return;
  stream->result->n_open += n_open;
  if (!process->has_stopped && process->alive_ns > stream->last_ns)
    stream->last_ns = process->alive_ns;
  mark_cut (stream, stream->last_ns, KYMO_ARCHIVE_NO_END, n_open);
  leave_until (stream, stream->last_ns, 0);
  if (process->has_stopped)
    switch_measurement (stream, stream->last_ns, false);
}
