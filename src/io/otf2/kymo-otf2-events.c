/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-otf2-events-private.h"
#include "kymo-otf2-threads.h"

#define NS_PER_S G_GUINT64_CONSTANT (1000000000)

/* Times are believed up to 73 years from the clock's zero, and 104 days from the
   location's first record (%KYMO_OTF2_MAX_BESIDE_NS), as in every log. */
#define MAX_NS (G_GINT64_CONSTANT (1) << 61)

/**
 * kymo_otf2_unit_ns:
 *
 * Returns: of what all times are multiples: a tick, or of a slow clock's a part that a
 *   segment may have as its unit
 */
guint32
kymo_otf2_unit_ns (const KymoOtf2Defs *defs)
{
  guint64 ticks = defs->ticks_per_second;
  guint32 unit_ns = ticks <= NS_PER_S && NS_PER_S % ticks == 0 ? NS_PER_S / ticks : 1;

  /* A divisor of 10^9 has no other prime factors. */
  while (unit_ns > KYMO_TIMES_MAX_UNIT_NS)
    unit_ns /= unit_ns % 2 == 0 ? 2 : 5;
  return unit_ns;
}

/**
 * kymo_otf2_stream_init:
 * @defs: of the archive; needed until kymo_otf2_stream_clear()
 * @location: index of the location in the definitions
 * @n_activities: number of activities of the run
 *
 * Prepares to read the events of a location. Clear with kymo_otf2_stream_clear().
 */
void
kymo_otf2_stream_init (KymoOtf2Stream     *stream,
                       const KymoOtf2Defs *defs,
                       guint               location,
                       guint               n_activities)
{
  *stream = (KymoOtf2Stream) { .defs = defs, .location = location };
  if (defs->ticks_per_second <= NS_PER_S && NS_PER_S % defs->ticks_per_second == 0)
    stream->tick_ns = NS_PER_S / defs->ticks_per_second;
  stream->builder = kymo_segment_builder_new
    (g_array_index (defs->locations, KymoOtf2Location, location).row, n_activities);
  kymo_segment_builder_set_unit (stream->builder, kymo_otf2_unit_ns (defs));
  kymo_segment_builder_set_n_counters (stream->builder, defs->n_counters);
  stream->parts = g_array_new (FALSE, FALSE, sizeof (KymoOtf2Part));
  stream->pending = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  stream->requests = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  stream->posted = g_hash_table_new (NULL, NULL);
  stream->sent = g_hash_table_new (NULL, NULL);
  stream->transfers = g_hash_table_new (NULL, NULL);
  stream->operations = kymo_otf2_new_operations ();
  stream->sums = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  stream->series = kymo_otf2_new_series ();
  stream->collective_ns = G_MININT64;
  stream->before_ns = G_MININT64 / 2;
  stream->changed_ns = G_MININT64;
  stream->program = OTF2_UNDEFINED_STRING;
}

/**
 * kymo_otf2_stream_clear:
 *
 * Frees what the stream holds, with a segment that was not sealed.
 */
void
kymo_otf2_stream_clear (KymoOtf2Stream *stream)
{
  g_clear_pointer (&stream->builder, kymo_segment_builder_free);
  kymo_open_stack_clear (&stream->open);
  g_clear_pointer (&stream->parts, g_array_unref);
  g_clear_pointer (&stream->threads, g_array_unref);
  g_clear_pointer (&stream->pending, g_hash_table_unref);
  g_clear_pointer (&stream->posted, g_hash_table_unref);
  g_clear_pointer (&stream->sent, g_hash_table_unref);
  g_clear_pointer (&stream->transfers, g_hash_table_unref);
  g_clear_pointer (&stream->totals, g_free);
  g_clear_pointer (&stream->requests, g_hash_table_unref);
  g_clear_pointer (&stream->operations, g_hash_table_unref);
  g_clear_pointer (&stream->sums, g_hash_table_unref);
  g_clear_pointer (&stream->series, g_hash_table_unref);
}

/* Avoids the division where a tick is a whole number of nanoseconds, which is the common case. */
static inline gboolean
to_ns_quickly (const KymoOtf2Stream *stream,
               OTF2_TimeStamp        time,
               gint64               *ns)
{
  guint64 distance = time - stream->defs->global_offset;

  /* The product is below 2^61: at most 10^9 ns a tick, and 2^31 of them. */
  if (stream->tick_ns == 0 || time < stream->defs->global_offset
      || (stream->tick_ns > 1 ? distance >> 31 : distance >> 61) != 0)
    return FALSE;
  *ns = distance * stream->tick_ns;
  return TRUE;
}

/**
 * kymo_otf2_to_ns:
 * @time: in ticks of the archive's clock
 * @ns: (out): nanoseconds since the archive's zero, rounded down. All locations are rounded
 *   from the same zero, so that no message arrives before it was sent by rounding.
 *
 * Returns: %FALSE if the time cannot be right
 */
gboolean
kymo_otf2_to_ns (const KymoOtf2Stream *stream,
       OTF2_TimeStamp        time,
       gint64               *ns)
{
  guint64 ticks = stream->defs->ticks_per_second;
  guint64 zero = stream->defs->global_offset;
  guint64 distance = time >= zero ? time - zero : zero - time;
  __int128 value = (__int128) (distance / ticks) * NS_PER_S;
  guint64 rest = distance % ticks;

  if (G_LIKELY (rest <= G_MAXUINT64 / NS_PER_S))
    value += rest * NS_PER_S / ticks;
  else
    value += (unsigned __int128) rest * NS_PER_S / ticks;
  if (time < zero)
    value = -value - ((unsigned __int128) rest * NS_PER_S % ticks != 0);
  *ns = value;
  return value >= -MAX_NS && value <= MAX_NS;
}

/* Asks the sieve of a damaged location about a record, and may change its time. FALSE if the record
   does not count. */
static gboolean
sift_otf2_events (KymoOtf2Stream *stream,
                  gint64         *ns)
{
  if (!stream->surveying)
    return kymo_sieve_pass (stream->sieve, ns);
  kymo_sieve_feed (stream->sieve, *ns);
  return FALSE;
}

/**
 * kymo_otf2_begin_record:
 * @time: of the record, in ticks
 * @ns: (out): the same in nanoseconds
 *
 * Notes that a record was met.
 *
 * Returns: %FALSE if the record is to be left out: its time cannot be right
 */
gboolean
kymo_otf2_begin_record (KymoOtf2Stream *stream,
              OTF2_TimeStamp  time,
              gint64         *ns)
{
  if ((!to_ns_quickly (stream, time, ns) && !kymo_otf2_to_ns (stream, time, ns))
      || (stream->n_events > 0 && ABS (*ns - stream->first_ns) > KYMO_OTF2_MAX_BESIDE_NS))
    {
      stream->counts.n_bad_times++;
      if (stream->surveying)
        kymo_sieve_mark (stream->sieve);
      return FALSE;
    }
  if (stream->n_events++ == 0)
    stream->first_ns = *ns;
  if (G_UNLIKELY (stream->sieve != NULL) && !sift_otf2_events (stream, ns))
    return FALSE;
  stream->n_falls += *ns < stream->before_ns - KYMO_SIEVE_STEP_NS;
  stream->before_ns = *ns;
  kymo_segment_builder_touch (stream->builder, *ns);
  return TRUE;
}

/**
 * kymo_otf2_skip:
 * @data: the #KymoOtf2Stream
 * @time: of the record, in ticks
 *
 * Takes the time alone of a record that is not kept.
 *
 * Returns: %OTF2_CALLBACK_SUCCESS
 */
OTF2_CallbackCode
kymo_otf2_skip (gpointer       data,
      OTF2_TimeStamp time)
{
  gint64 ns;

  kymo_otf2_begin_record (data, time, &ns);
  return OTF2_CALLBACK_SUCCESS;
}

/* A function begins or ends. */
static inline void
change_otf2_events (KymoOtf2Stream *stream,
                    gint64          ns)
{
  stream->changed_ns = ns;
  if (G_UNLIKELY (stream->waits_for_thread))
    kymo_otf2_end_thread_waits (stream, ns);
}

static void
enter_otf2_events (KymoOtf2Stream *stream,
                   gint64          ns,
                   guint64         region)
{
  guint32 index = kymo_otf2_ids_find (&stream->defs->region_ids, region);
  guint32 activity;

  if (index == KYMO_OTF2_NONE)
    {
      stream->counts.n_unknown_regions++;
      return;
    }
  activity = g_array_index (stream->defs->regions, KymoOtf2Region, index).activity;
  if (activity == KYMO_OTF2_IDLE)
    {
      kymo_segment_builder_set_idle (stream->builder, ns, TRUE);
      return;
    }
  change_otf2_events (stream, ns);
  kymo_open_stack_push (&stream->open, activity);
  if (stream->is_off)
    return;
  kymo_segment_builder_begin_block (stream->builder, ns, activity, -1, -1, 0, NULL);
  kymo_segment_builder_begin_counters (stream->builder, kymo_otf2_totals_at (stream, ns));
}

static void
end_innermost (KymoOtf2Stream *stream,
               gint64          ns)
{
  kymo_open_stack_pop (&stream->open);
  if (stream->is_off)
    return;
  kymo_segment_builder_end_counters (stream->builder, kymo_otf2_totals_at (stream, ns));
  kymo_segment_builder_end_block (stream->builder, ns);
}

/* Ends the region, and what was begun in it and not ended; one that is not open
   ends nothing. */
static void
leave_otf2_events (KymoOtf2Stream *stream,
                   gint64          ns,
                   guint64         region)
{
  guint32 index = kymo_otf2_ids_find (&stream->defs->region_ids, region);
  guint32 activity = index != KYMO_OTF2_NONE
    ? g_array_index (stream->defs->regions, KymoOtf2Region, index).activity : G_MAXUINT32;

  if (activity == KYMO_OTF2_IDLE)
    {
      kymo_segment_builder_set_idle (stream->builder, ns, FALSE);
      return;
    }
  if (!kymo_open_stack_is_innermost (&stream->open, activity)
      && !kymo_open_stack_contains (&stream->open, activity))
    {
      stream->counts.n_unopened++;
      return;
    }
  change_otf2_events (stream, ns);
  for (; !kymo_open_stack_is_innermost (&stream->open, activity); stream->counts.n_unclosed++)
    end_innermost (stream, ns);
  end_innermost (stream, ns);
}

KYMO_OTF2_EVENT (on_enter, OTF2_RegionRef region)
{
  gint64 ns;

  if (kymo_otf2_begin_record (data, time, &ns))
    enter_otf2_events (data, ns, region);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_leave, OTF2_RegionRef region)
{
  gint64 ns;

  if (kymo_otf2_begin_record (data, time, &ns))
    leave_otf2_events (data, ns, region);
  return OTF2_CALLBACK_SUCCESS;
}

/* The region of a calling context. */
static guint64
region_of (const KymoOtf2Stream *stream,
           guint64               context)
{
  guint32 index = kymo_otf2_ids_find (&stream->defs->context_ids, context);

  return index != KYMO_OTF2_NONE
    ? g_array_index (stream->defs->contexts, KymoOtf2Context, index).region_id
    : OTF2_UNDEFINED_REGION;
}

KYMO_OTF2_EVENT (on_context_enter, OTF2_CallingContextRef context, uint32_t unwind_distance)
{
  gint64 ns;

  if (kymo_otf2_begin_record (data, time, &ns))
    enter_otf2_events (data, ns, region_of (data, context));
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_context_leave, OTF2_CallingContextRef context)
{
  gint64 ns;

  if (kymo_otf2_begin_record (data, time, &ns))
    leave_otf2_events (data, ns, region_of (data, context));
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_context_sample, OTF2_CallingContextRef context, uint32_t unwind_distance,
                 OTF2_InterruptGeneratorRef generator)
{
  ((KymoOtf2Stream *) data)->counts.n_samples++;
  return kymo_otf2_skip (data, time);
}

KYMO_OTF2_EVENT (on_unknown)
{
  ((KymoOtf2Stream *) data)->counts.n_unknown++;
  return kymo_otf2_skip (data, time);
}

KYMO_OTF2_EVENT (on_flush, OTF2_TimeStamp stop)
{
  KymoOtf2Stream *stream = data;
  gint64 ns, stop_ns;

  if (!kymo_otf2_begin_record (stream, time, &ns))
    return OTF2_CALLBACK_SUCCESS;
  if (!kymo_otf2_to_ns (stream, stop, &stop_ns))
    {
      stream->counts.n_bad_times++;
      return OTF2_CALLBACK_SUCCESS;
    }
  kymo_segment_builder_begin_stretch (stream->builder, KYMO_STRETCH_FLUSH, ns);
  kymo_segment_builder_end_stretch (stream->builder, KYMO_STRETCH_FLUSH,
                                    MIN (stop_ns, ns + KYMO_OTF2_MAX_BESIDE_NS));
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_measurement, OTF2_MeasurementMode mode)
{
  KymoOtf2Stream *stream = data;
  gboolean on = mode == OTF2_MEASUREMENT_ON;
  KymoPoint point = { .kind = on ? KYMO_POINT_TRACE_ON : KYMO_POINT_TRACE_OFF,
                      .activity = G_MAXUINT32 };

  if (!kymo_otf2_begin_record (stream, time, &point.begin_ns))
    return OTF2_CALLBACK_SUCCESS;
  point.end_ns = point.begin_ns;
  if (on && stream->is_off)
    stream->counts.n_interrupted += kymo_segment_builder_resume (
      stream->builder, point.begin_ns, stream->open.activities, stream->open.depth);
  else if (on)
    kymo_segment_builder_set_traced (stream->builder, point.begin_ns, TRUE);
  else if (!stream->is_off)
    kymo_segment_builder_suspend (stream->builder, point.begin_ns);
  stream->is_off = !on;
  kymo_segment_builder_point (stream->builder, &point);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_program, OTF2_StringRef name, uint32_t n_arguments,
                 const OTF2_StringRef *arguments)
{
  ((KymoOtf2Stream *) data)->program = name;
  return kymo_otf2_skip (data, time);
}

/**
 * kymo_otf2_events_init:
 * @calls: (out): a function for each kind of event
 */
void
kymo_otf2_events_init (KymoOtf2Events *calls)
{
  calls->Enter = on_enter;
  calls->Leave = on_leave;
  calls->CallingContextEnter = on_context_enter;
  calls->CallingContextLeave = on_context_leave;
  calls->CallingContextSample = on_context_sample;
  calls->Unknown = on_unknown;
  calls->BufferFlush = on_flush;
  calls->MeasurementOnOff = on_measurement;
  calls->ProgramBegin = on_program;
  kymo_otf2_add_message_callbacks (calls);
  kymo_otf2_add_collective_callbacks (calls);
  kymo_otf2_add_rma_callbacks (calls);
  kymo_otf2_add_metric_callbacks (calls);
  kymo_otf2_add_parameter_callbacks (calls);
  kymo_otf2_add_io_callbacks (calls);
  kymo_otf2_add_thread_callbacks (calls);
  kymo_otf2_add_other_callbacks (calls);
}

/**
 * kymo_otf2_new_event_callbacks:
 *
 * Returns: (transfer full): what fills a #KymoOtf2Stream, which goes with it as user
 * data, while the library reads the events of a location
 */
OTF2_EvtReaderCallbacks *
kymo_otf2_new_event_callbacks (void)
{
  OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New ();
  KymoOtf2Events events;

  kymo_otf2_events_init (&events);
#define X(Event) OTF2_EvtReaderCallbacks_Set##Event##Callback (calls, events.Event);
  KYMO_OTF2_EVENTS (X)
#undef X
  return calls;
}

/* Events of which a run keeps nothing but that they were there: the span of a location
   reaches over all its records. Functions that cause them have their own records. They are
   counted, so that the report says what is not shown. */

/* A callback that only takes the time of the event, and counts it. */
#define SKIP(Event, Count, ...)                       \
  KYMO_OTF2_EVENT (on_##Event, ##__VA_ARGS__)         \
  {                                                   \
    ((KymoOtf2Stream *) data)->counts.Count++;        \
    return kymo_otf2_skip (data, time);               \
  }

SKIP (OmpFork, n_threading, uint32_t a)
SKIP (OmpJoin, n_threading)
SKIP (OmpAcquireLock, n_threading, uint32_t a, uint32_t b)
SKIP (OmpReleaseLock, n_threading, uint32_t a, uint32_t b)
SKIP (OmpTaskCreate, n_threading, uint64_t a)
SKIP (OmpTaskSwitch, n_threading, uint64_t a)
SKIP (OmpTaskComplete, n_threading, uint64_t a)
SKIP (RmaWinCreate, n_synchronizing, OTF2_RmaWinRef a)
SKIP (RmaWinDestroy, n_synchronizing, OTF2_RmaWinRef a)
SKIP (RmaGroupSync, n_synchronizing, OTF2_RmaSyncLevel a, OTF2_RmaWinRef b, OTF2_GroupRef c)
SKIP (RmaRequestLock, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d)
SKIP (RmaAcquireLock, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d)
SKIP (RmaTryLock, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d)
SKIP (RmaReleaseLock, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, uint64_t c)
SKIP (RmaSync, n_synchronizing, OTF2_RmaWinRef a, uint32_t b, OTF2_RmaSyncType c)
SKIP (RmaWaitChange, n_synchronizing, OTF2_RmaWinRef a)
SKIP (ThreadAcquireLock, n_threading, OTF2_Paradigm a, uint32_t b, uint32_t c)
SKIP (ThreadReleaseLock, n_threading, OTF2_Paradigm a, uint32_t b, uint32_t c)
SKIP (ThreadTaskCreate, n_threading, OTF2_CommRef a, uint32_t b, uint32_t c)
SKIP (ThreadTaskSwitch, n_threading, OTF2_CommRef a, uint32_t b, uint32_t c)
SKIP (ThreadTaskComplete, n_threading, OTF2_CommRef a, uint32_t b, uint32_t c)
SKIP (CommCreate, n_others, OTF2_CommRef a)
SKIP (CommDestroy, n_others, OTF2_CommRef a)

/* It ends with the last record, which the span of the location tells. */
KYMO_OTF2_EVENT (on_ProgramEnd, int64_t status)
{
  return kymo_otf2_skip (data, time);
}

/**
 * kymo_otf2_add_other_callbacks:
 *
 * Sets callbacks for kinds of records of which nothing but the time is kept, so that no time
 * is lost.
 */
void
kymo_otf2_add_other_callbacks (KymoOtf2Events *calls)
{
  calls->OmpFork = on_OmpFork;
  calls->OmpJoin = on_OmpJoin;
  calls->OmpAcquireLock = on_OmpAcquireLock;
  calls->OmpReleaseLock = on_OmpReleaseLock;
  calls->OmpTaskCreate = on_OmpTaskCreate;
  calls->OmpTaskSwitch = on_OmpTaskSwitch;
  calls->OmpTaskComplete = on_OmpTaskComplete;
  calls->RmaWinCreate = on_RmaWinCreate;
  calls->RmaWinDestroy = on_RmaWinDestroy;
  calls->RmaGroupSync = on_RmaGroupSync;
  calls->RmaRequestLock = on_RmaRequestLock;
  calls->RmaAcquireLock = on_RmaAcquireLock;
  calls->RmaTryLock = on_RmaTryLock;
  calls->RmaReleaseLock = on_RmaReleaseLock;
  calls->RmaSync = on_RmaSync;
  calls->RmaWaitChange = on_RmaWaitChange;
  calls->ThreadAcquireLock = on_ThreadAcquireLock;
  calls->ThreadReleaseLock = on_ThreadReleaseLock;
  calls->ThreadTaskCreate = on_ThreadTaskCreate;
  calls->ThreadTaskSwitch = on_ThreadTaskSwitch;
  calls->ThreadTaskComplete = on_ThreadTaskComplete;
  calls->ProgramEnd = on_ProgramEnd;
  calls->CommCreate = on_CommCreate;
  calls->CommDestroy = on_CommDestroy;
}
