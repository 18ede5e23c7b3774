/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-tau-stream.h"

#define NS_PER_US 1000
/* Of the three records of a sample the one in the middle has the value. */
#define RECORDS_PER_SAMPLE 3
/* Bytes that a waiting sample takes with its place in the table, about. */
#define BYTES_PER_SAMPLE 64

/**
 * kymo_tau_stream_init:
 * @location: index of the location in the run
 * @n_functions: of the run; their activities come first
 * @n_metrics: running totals that stand beside each enter and leave
 * @zero_us: time zero of the run
 * @first_us: time of the first record, near @zero_us
 *
 * Prepares to take the records of a thread. Clear with kymo_tau_stream_clear().
 */
void
kymo_tau_stream_init (KymoTauStream *stream,
                      guint          location,
                      guint          n_functions,
                      guint          n_metrics,
                      guint64        zero_us,
                      guint64        first_us)
{
  *stream = (KymoTauStream) { .zero_us = zero_us, .first_us = first_us, .n_metrics = n_metrics };
  stream->builder = kymo_segment_builder_new (location, n_functions);
  kymo_segment_builder_set_unit (stream->builder, NS_PER_US);
  kymo_segment_builder_set_n_counters (stream->builder, n_metrics);
  stream->totals = n_metrics > 0 ? g_new0 (gint64, n_metrics) : NULL;
  stream->aside = g_array_new (FALSE, FALSE, sizeof (KymoTauSample));
  stream->sample_of = g_hash_table_new (NULL, NULL);
}

/**
 * kymo_tau_stream_clear:
 *
 * Frees what the stream holds, with a segment that was not sealed.
 */
void
kymo_tau_stream_clear (KymoTauStream *stream)
{
  g_clear_pointer (&stream->builder, kymo_segment_builder_free);
  kymo_open_stack_clear (&stream->open);
  g_clear_pointer (&stream->totals, g_free);
  g_clear_pointer (&stream->aside, g_array_unref);
  g_clear_pointer (&stream->sample_of, g_hash_table_unref);
}

static inline void
enter_tau_stream (KymoTauStream *stream,
                  guint32        activity,
                  gint64         time_ns)
{
  kymo_open_stack_push (&stream->open, activity);
  kymo_segment_builder_begin_block (stream->builder, time_ns, activity, -1, -1, 0, NULL);
}

static inline void
leave_tau_stream (KymoTauStream *stream,
                  gint64         time_ns)
{
  kymo_open_stack_pop (&stream->open);
  kymo_segment_builder_end_block (stream->builder, time_ns);
}

/* Ends the calls inside an activity that ends. An activity that had not begun is counted and left
   out. Returns FALSE where there is nothing to end. */
static gboolean
unwind_to (KymoTauStream *stream,
           guint32        activity,
           gint64         time_ns)
{
  if (!kymo_open_stack_contains (&stream->open, activity))
    {
      stream->n_not_begun++;
      return FALSE;
    }
  while (!kymo_open_stack_is_innermost (&stream->open, activity))
    {
      stream->n_overlapping++;
      kymo_segment_builder_end_counters (stream->builder, NULL);
      leave_tau_stream (stream, time_ns);
    }
  return TRUE;
}

static inline gboolean
may_leave (KymoTauStream *stream,
           guint32        activity,
           gint64         time_ns)
{
  return G_LIKELY (kymo_open_stack_is_innermost (&stream->open, activity))
    || unwind_to (stream, activity, time_ns);
}

/* An enter or leave whose totals are complete, or will not come any more. */
static void
settle_tau_stream (KymoTauStream *stream)
{
  const gint64 *totals = stream->n_totals == stream->n_metrics ? stream->totals : NULL;
  guint32 activity = stream->pending->activity;

  if (stream->pending_enter)
    {
      enter_tau_stream (stream, activity, stream->pending_ns);
      kymo_segment_builder_begin_counters (stream->builder, totals);
    }
  else if (may_leave (stream, activity, stream->pending_ns))
    {
      kymo_segment_builder_end_counters (stream->builder, totals);
      leave_tau_stream (stream, stream->pending_ns);
    }
  stream->pending = NULL;
}

/* Each enter and leave has one record of each metric behind it. */
static void
take_metric (KymoTauStream       *stream,
             const KymoTauEvent  *event,
             const KymoTauRecord *record)
{
  guint64 bit;

  if (event->activity >= stream->n_metrics)
    return;
  bit = G_GUINT64_CONSTANT (1) << event->activity;
  if (stream->pending == NULL || (stream->seen & bit) != 0)
    {
      stream->n_stray++;
      return;
    }
  stream->seen |= bit;
  stream->totals[event->activity] = record->parameter;
  if (++stream->n_totals == stream->n_metrics)
    settle_tau_stream (stream);
}

static void
take_stretch (KymoTauStream *stream,
              gboolean       begins,
              gint64         time_ns)
{
  if (begins)
    kymo_segment_builder_begin_stretch (stream->builder, KYMO_STRETCH_FLUSH, time_ns);
  else
    kymo_segment_builder_end_stretch (stream->builder, KYMO_STRETCH_FLUSH, time_ns);
}

static inline void
take_function (KymoTauStream       *stream,
               const KymoTauEvent  *event,
               const KymoTauRecord *record,
               gint64               time_ns)
{
  gboolean begins = record->parameter == 1;

  if (G_UNLIKELY (!begins && record->parameter != -1))
    {
      stream->n_odd++;
      return;
    }
  if (G_UNLIKELY (event->kind == KYMO_TAU_FLUSH))
    take_stretch (stream, begins, time_ns);
  if (G_UNLIKELY (stream->n_metrics > 0))
    {
      stream->pending = event;
      stream->pending_enter = begins;
      stream->pending_ns = time_ns;
      stream->n_totals = 0;
      stream->seen = 0;
    }
  else if (begins)
    enter_tau_stream (stream, event->activity, time_ns);
  else if (may_leave (stream, event->activity, time_ns))
    leave_tau_stream (stream, time_ns);
}

static void
add_value (KymoTauStream *stream,
           guint32        activity,
           gint64         value,
           gint64         time_ns)
{
  KymoPoint point = { time_ns, time_ns, KYMO_POINT_USER_VALUE, 0, 0, activity, -1, 0, { value },
                      NULL };

  kymo_segment_builder_point (stream->builder, &point);
}

/* Metadata are triggered once a thread, with the value 1; what is not like that is a user
   event with a line in its name. So the first sample waits for a second one. */
static void
add_perhaps_metadata (KymoTauStream      *stream,
                      const KymoTauEvent *event,
                      gint64              value,
                      gint64              time_ns)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (stream->sample_of, event));
  KymoTauSample sample = { event, time_ns }, *first;

  if (known == 0 && value == 1)
    {
      g_array_append_val (stream->aside, sample);
      g_hash_table_insert (stream->sample_of, (gpointer) event,
                           GUINT_TO_POINTER (stream->aside->len));
      return;
    }
  if (known != 0 && known != KYMO_TAU_GIVEN)
    {
      first = &g_array_index (stream->aside, KymoTauSample, known - 1);
      add_value (stream, event->activity, 1, first->time_ns);
      first->event = NULL;
    }
  if (known != KYMO_TAU_GIVEN)
    g_hash_table_insert (stream->sample_of, (gpointer) event, GUINT_TO_POINTER (KYMO_TAU_GIVEN));
  add_value (stream, event->activity, value, time_ns);
}

static inline void
take_value (KymoTauStream       *stream,
            const KymoTauEvent  *event,
            const KymoTauRecord *record,
            gint64               time_ns)
{
  if (stream->sampled != event)
    {
      stream->n_torn += stream->sampled != NULL;
      stream->sampled = event;
      stream->n_sampled = 0;
    }
  if (++stream->n_sampled == 2)
    {
      if (event->kind == KYMO_TAU_VALUE)
        add_value (stream, event->activity, record->parameter, time_ns);
      else
        add_perhaps_metadata (stream, event, record->parameter, time_ns);
    }
  else if (stream->n_sampled == RECORDS_PER_SAMPLE)
    stream->sampled = NULL;
}

/* The parameter's bits from the top: partner high byte, tag high byte, six of the
   communicator at 42, ten of the length at 32; then the low bytes of partner and tag and
   16 bits of the length (TauTraceMsg in TAU's Tracer.cpp). */
static void
take_message (KymoTauStream *stream,
              gboolean       is_send,
              guint64        bits,
              gint64         time_ns)
{
  gint32 partner = (bits >> 56 & 0xff) << 8 | (bits >> 24 & 0xff);
  gint32 tag = (bits >> 48 & 0xff) << 8 | (bits >> 16 & 0xff);
  guint32 comm = bits >> 42 & 0x3f;
  guint32 length = (bits >> 32 & 0x3ff) << 16 | (bits & 0xffff);

  if (is_send)
    kymo_segment_builder_send_to (stream->builder, time_ns, length, partner, tag, comm);
  else
    kymo_segment_builder_receive (stream->builder, time_ns, length, partner, tag, comm);
}

/* Takes a record that is no enter or leave of a function. */
static void
take_other (KymoTauStream       *stream,
            const KymoTauEvent  *event,
            const KymoTauRecord *record,
            gint64               time_ns)
{
  switch (event->kind)
    {
    case KYMO_TAU_VALUE:
    case KYMO_TAU_PERHAPS_METADATA:
      take_value (stream, event, record, time_ns);
      break;
    case KYMO_TAU_CLOCK_OFFSET:
      if (record->parameter != 0)
        stream->clock_offset_us = record->parameter;
      /* fall through */
    case KYMO_TAU_ONE_SIDED:
      add_value (stream, event->activity, record->parameter, time_ns);
      break;
    case KYMO_TAU_SEND:
    case KYMO_TAU_RECEIVE:
      take_message (stream, event->kind == KYMO_TAU_SEND, record->parameter, time_ns);
      break;
    case KYMO_TAU_CLOSE:
      stream->closed = TRUE;
      break;
    default:
      break;
    }
}

/* Asks the sieve of a damaged thread about a record, and may change its time. FALSE if the record
   does not count. */
static gboolean
sift_tau_stream (KymoTauStream *stream,
                 gint64        *time_ns)
{
  gint64 before_ns = *time_ns;

  if (stream->surveying)
    {
      kymo_sieve_feed (stream->sieve, *time_ns);
      return FALSE;
    }
  if (!kymo_sieve_pass (stream->sieve, time_ns))
    return FALSE;
  stream->n_backwards += before_ns < *time_ns;
  return TRUE;
}

/**
 * kymo_tau_stream_mark:
 *
 * What was left out between the record before and the next one is damage.
 */
void
kymo_tau_stream_mark (KymoTauStream *stream)
{
  if (stream->surveying)
    kymo_sieve_mark (stream->sieve);
}

/* In nanoseconds of the run, not before the record before it; FALSE where the record does
   not count: its time is none of this trace. */
static inline gboolean
find_time (KymoTauStream *stream,
           guint64        time_us,
           gint64        *time_ns)
{
  if (G_UNLIKELY (!kymo_tau_is_near (time_us, stream->first_us)))
    {
      stream->n_far++;
      kymo_tau_stream_mark (stream);
      return FALSE;
    }
  *time_ns = (gint64) (time_us - stream->zero_us) * NS_PER_US;
  if (G_UNLIKELY (stream->sieve != NULL) && !sift_tau_stream (stream, time_ns))
    return FALSE;
  if (G_UNLIKELY (!stream->started))
    {
      stream->started = TRUE;
      stream->last_ns = *time_ns;
      kymo_segment_builder_touch (stream->builder, stream->last_ns);
    }
  if (G_UNLIKELY (*time_ns < stream->last_ns))
    {
      stream->n_backwards++;
      stream->n_falls += *time_ns < stream->last_ns - KYMO_SIEVE_STEP_NS;
      *time_ns = stream->last_ns;
    }
  stream->last_ns = *time_ns;
  return TRUE;
}

/**
 * kymo_tau_stream_take:
 * @record: the next one of the thread
 * @offset: where it stands in the file
 */
void
kymo_tau_stream_take (KymoTauStream       *stream,
                      const KymoTauRecord *record,
                      gint64               offset)
{
  const KymoTauEvent *event = kymo_tau_events_find (stream->events, record->event);
  gint64 time_ns;

  stream->n_records++;
  if (G_UNLIKELY (event == NULL))
    {
      if (stream->n_unlisted++ == 0)
        stream->unlisted_offset = offset;
      kymo_tau_stream_mark (stream);
      return;
    }
  if (G_UNLIKELY (!find_time (stream, record->time, &time_ns)))
    return;
  if (G_UNLIKELY (stream->pending != NULL && event->kind != KYMO_TAU_METRIC))
    settle_tau_stream (stream);
  if (event->kind == KYMO_TAU_FUNCTION || event->kind == KYMO_TAU_FLUSH)
    take_function (stream, event, record, time_ns);
  else if (event->kind == KYMO_TAU_METRIC)
    take_metric (stream, event, record);
  else
    take_other (stream, event, record, time_ns);
}

/**
 * kymo_tau_stream_count_damage:
 *
 * Returns: how many records so far are none that a tracer writes
 */
gint64
kymo_tau_stream_count_damage (const KymoTauStream *stream)
{
  return stream->n_unlisted + stream->n_far + stream->n_odd;
}

/**
 * kymo_tau_stream_is_doubtful:
 *
 * To be asked after the last record.
 *
 * Returns: whether damage was found, so that the thread has to be read with care
 */
gboolean
kymo_tau_stream_is_doubtful (const KymoTauStream *stream)
{
  return kymo_tau_stream_count_damage (stream) > 0 || stream->n_falls > 0;
}

/**
 * kymo_tau_stream_seal:
 * @repairs: (out): what the builder had to put right
 *
 * The stream only knows after what it was told.
 *
 * Returns: (transfer full) (nullable): the segment; %NULL without any record with a time
 */
KymoSegment *
kymo_tau_stream_seal (KymoTauStream *stream,
                      KymoRepairs   *repairs)
{
  KymoSegment *segment;

  if (stream->pending != NULL)
    settle_tau_stream (stream);
  stream->n_torn += stream->sampled != NULL;
  if (stream->started)
    kymo_segment_builder_touch (stream->builder, stream->last_ns);
  segment = kymo_segment_builder_seal (stream->builder, stream->n_records, FALSE, repairs);
  g_clear_pointer (&stream->builder, kymo_segment_builder_free);
  kymo_open_stack_clear (&stream->open);
  return segment;
}

/**
 * kymo_tau_stream_charge:
 *
 * To be called every few ten thousand records.
 *
 * Returns: %FALSE when the memory limit is reached
 */
gboolean
kymo_tau_stream_charge (KymoTauStream *stream,
                        KymoSpill     *spill)
{
  gsize bytes = kymo_segment_builder_get_bytes (stream->builder)
                + kymo_open_stack_get_bytes (&stream->open)
                + g_hash_table_size (stream->sample_of) * BYTES_PER_SAMPLE + sizeof *stream;
  gsize before = stream->charged_bytes;

  stream->charged_bytes = bytes;
  return kymo_spill_charge (spill, (gint64) (bytes - before));
}

static void
tell_tau_stream (KymoReport   *report,
                 const char   *file,
                 KymoSeverity  severity,
                 gint64        n,
                 gint64        offset,
                 const char   *what)
{
  if (n > 0)
    kymo_report_add (report, file, severity, n, offset, "%s", what);
}

/**
 * kymo_tau_stream_report:
 * @file: that the records are of
 * @growing: the run may still be written
 */
void
kymo_tau_stream_report (const KymoTauStream *stream,
                        const KymoRepairs   *repairs,
                        KymoReport          *report,
                        const char          *file,
                        gboolean             growing)
{
  tell_tau_stream (report, file, KYMO_SEVERITY_LOST, stream->n_unlisted, stream->unlisted_offset,
                   N_("Records of events that the .edf does not list were left out"));
  tell_tau_stream (report, file, KYMO_SEVERITY_LOST, !stream->closed && !growing, -1,
                   N_("The trace ends without its closing records: the end of the run is missing"));
  tell_tau_stream (
    report, file, KYMO_SEVERITY_LOST, !stream->closed && growing, -1,
    N_("The trace has no closing records yet: it is still being written, or its program was "
       "killed just now"));
  tell_tau_stream (
    report, file, KYMO_SEVERITY_LOST, stream->n_far, -1,
    N_("Records with a time more than 104 days from the trace's first one were left out"));
  if (stream->sieve != NULL)
    kymo_sieve_report (stream->sieve, report, file);
  tell_tau_stream (report, file, KYMO_SEVERITY_LOST, stream->n_odd, -1,
                   N_("Records of functions that neither enter nor leave were left out"));
  tell_tau_stream (report, file, KYMO_SEVERITY_LOST, repairs->too_deep, -1,
                   N_("Blocks nest deeper than 255; the inner ones were left out"));
  tell_tau_stream (report, file, KYMO_SEVERITY_LOST, stream->n_torn, -1,
                   N_("Samples of user events have fewer than three records"));
  tell_tau_stream (report, file, KYMO_SEVERITY_LOST, stream->n_stray, -1,
                   N_("Values of metrics that stand beside no enter or leave were left out"));
  tell_tau_stream (report, file, KYMO_SEVERITY_REPAIRED, stream->n_backwards, -1,
                   N_("Records are older than the record before them; moved to its time"));
  tell_tau_stream (report, file, KYMO_SEVERITY_REPAIRED, stream->n_not_begun, -1,
                   N_("Functions end that had not begun; these records were left out"));
  tell_tau_stream (
    report, file, KYMO_SEVERITY_REPAIRED, stream->n_overlapping, -1,
    N_("Functions end before others that began inside them; those were ended with them"));
  tell_tau_stream (
    report, file, KYMO_SEVERITY_REPAIRED, repairs->counter_backwards, -1,
    N_("Hardware counters ran backwards inside a block; they are not counted there"));
  /* The least number has no counterpart. */
  tell_tau_stream (report, file, KYMO_SEVERITY_NOTE,
                   ABS (MAX (stream->clock_offset_us, -G_MAXINT64)), -1,
                   N_("The tracer had shifted its clock"));
}
