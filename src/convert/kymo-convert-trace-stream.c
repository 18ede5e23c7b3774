/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of one thread, 24 bytes each (include/Profile/TauTrace.h of TAU), with
 * times in whole microseconds; all files are little endian.
 *
 * They are written in the order in which a tracer makes them: blocks are entered and left
 * by their depths, and between two of these come the messages and samples up to then,
 * each in the block that it lies in.
 */
#include "config.h"

#include "kymo-convert-trace-private.h"

#include <math.h>
#include <string.h>

#define RECORD_BYTES 24
#define US_PER_S 1000000
#define MOST_LENGTH ((1u << 26) - 1)
#define MOST_COMM 63

/** Stream: one location in the making */
typedef struct
{
  KymoTraceOut                  *trace;
  KymoRunFile            *file;
  const KymoConvertPlace *place;
  KymoSegment            *segment;
  KymoTraceParts          parts;
  guint                   next_send, next_receive, next_point;
  guint32                 open[G_MAXUINT8 + 1];
  guint                   depth;
  gint64                 *totals;       /* by metric, as they run on */
  gint64                 *entered;      /* by depth and metric: when it was entered */
  GError                **error;
  gboolean                failed;
} Stream;

/* -- records ---------------------------------------------------------------- */

static gint64
floor_us (gint64 ns)
{
  return ns / 1000 - (ns % 1000 < 0);
}

static void
put_trace_stream (Stream *stream,
                  gint64  id,
                  gint64  parameter,
                  gint64  time_ns)
{
  guint32 event = GUINT32_TO_LE ((guint32) id);
  guint16 node = GUINT16_TO_LE ((guint16) stream->place->node);
  guint16 thread = GUINT16_TO_LE ((guint16) stream->place->thread);
  guint64 value = GUINT64_TO_LE ((guint64) parameter);
  guint64 time = GUINT64_TO_LE (KYMO_TRACE_ZERO_US + (guint64) floor_us (time_ns));
  char record[RECORD_BYTES];

  memcpy (record, &event, 4);
  memcpy (record + 4, &node, 2);
  memcpy (record + 6, &thread, 2);
  memcpy (record + 8, &value, 8);
  memcpy (record + 16, &time, 8);
  stream->trace->n_rounded += time_ns % 1000 != 0;
  stream->trace->convert->result->n_records++;
  if (!stream->failed && !kymo_run_file_write (stream->file, record, RECORD_BYTES, stream->error))
    stream->failed = TRUE;
}

static void
put_event (Stream *stream,
           guint   event,
           gint64  parameter,
           gint64  time_ns)
{
  stream->trace->used[event] = TRUE;
  put_trace_stream (stream, kymo_trace_id_of (event), parameter, time_ns);
}

/* A user event is three records, the one in the middle has the value. */
static void
put_sample (Stream *stream,
            guint   event,
            gint64  value,
            gint64  time_ns)
{
  put_event (stream, event, 0, time_ns);
  put_event (stream, event, value, time_ns);
  put_event (stream, event, 0, time_ns);
}

/* The bits as kymo-tau-stream.c takes them apart. */
static void
put_message (Stream  *stream,
             gint64   id,
             gint32   partner,
             gint32   tag,
             guint32  comm,
             guint32  length,
             gint64   time_ns)
{
  KymoTraceOut *trace = stream->trace;
  guint64 p = (guint16) partner, t = (guint16) tag;
  guint64 n = length & MOST_LENGTH;

  trace->n_tags += tag > KYMO_TRACE_MOST_NUMBER;
  trace->n_lengths += length > MOST_LENGTH;
  trace->n_comms += comm > MOST_COMM;
  put_trace_stream (stream, id,
                    (gint64) ((p >> 8) << 56 | (t >> 8) << 48 | (guint64) (comm & MOST_COMM) << 42
                                          | (n >> 16) << 32 | (p & 0xff) << 24 | (t & 0xff) << 16
                                          | (n & 0xffff)), time_ns);
}

/* -- what lies between blocks -------------------------------------------------- */

/* TRUE if a record is written before the enter or leave at before_ns: it is earlier, or it belongs
   to the innermost open block. */
static gboolean
comes_first (const Stream *stream,
             gint64        time_ns,
             guint32       block,
             gint64        before_ns)
{
  guint32 inner = stream->depth > 0 ? stream->open[stream->depth - 1] : KYMO_NO_BLOCK;

  return time_ns < before_ns || (time_ns == before_ns && block == inner);
}

/* When the next send is, or G_MAXINT64 where none comes first. */
static gint64
next_send (const Stream *stream,
           gint64        before_ns)
{
  const KymoExchange *x = stream->segment->exchange;
  guint i = stream->next_send;
  gint64 time_ns = x != NULL && i < x->n_sends ? kymo_segment_send_time (stream->segment, i) : 0;

  return x != NULL && i < x->n_sends
    && comes_first (stream, time_ns, x->send_block[i], before_ns) ? time_ns : G_MAXINT64;
}

static gint64
next_receive (const Stream *stream,
              gint64        before_ns)
{
  const KymoExchange *x = stream->segment->exchange;
  guint i = stream->next_receive;
  gint64 time_ns = x != NULL && i < x->n_receives
    ? kymo_segment_receive_time (stream->segment, i) : 0;

  return x != NULL && i < x->n_receives
    && comes_first (stream, time_ns, x->receive_block[i], before_ns) ? time_ns : G_MAXINT64;
}

static gint64
next_point (const Stream *stream,
            gint64        before_ns)
{
  const GArray *points = stream->segment->points;
  gint64 time_ns = stream->next_point < points->len
    ? g_array_index (points, KymoPoint, stream->next_point).begin_ns : G_MAXINT64;

  return time_ns <= before_ns ? time_ns : G_MAXINT64;
}

static void
put_send (Stream *stream,
          gint64  time_ns)
{
  const KymoExchange *x = stream->segment->exchange;
  guint i = stream->next_send++;

  if (stream->parts.sends[i])
    put_message (stream, KYMO_TRACE_SEND, x->send_partner[i], x->send_tag[i], x->send_comm[i],
                 stream->segment->send_bytes[i], time_ns);
}

static void
put_receive (Stream *stream,
             gint64  time_ns)
{
  const KymoExchange *x = stream->segment->exchange;
  guint i = stream->next_receive++;

  if (stream->parts.receives[i])
    put_message (stream, KYMO_TRACE_RECEIVE, x->receive_partner[i], x->receive_tag[i],
                 x->receive_comm[i], x->receive_bytes[i], time_ns);
}

static gint64
whole_value (KymoTraceOut *trace,
             double        value)
{
  double whole = trunc (value);

  trace->n_fractions += whole != value;
  if (isnan (value))
    return 0;
  return whole >= 0x1p63 ? G_MAXINT64 : whole < -0x1p63 ? G_MININT64 : (gint64) whole;
}

/* The tracer's notes of how it moved its clock are one record each. */
static gboolean
is_clock_offset (const KymoActivity *activity)
{
  return g_str_equal (activity->name, "TauTraceClockOffsetStart")
    || g_str_equal (activity->name, "TauTraceClockOffsetEnd");
}

static void
put_point (Stream          *stream,
           const KymoPoint *point)
{
  KymoTraceOut *trace = stream->trace;
  KymoSpan counted = trace->choice.counted;

  if (point->begin_ns < counted.begin_ns || point->begin_ns >= counted.end_ns)
    return;
  if (point->kind != KYMO_POINT_USER_VALUE || point->activity == G_MAXUINT32)
    trace->n_points++;
  else if (is_clock_offset (kymo_run_peek_activity (trace->convert->run, point->activity)))
    put_event (stream, point->activity, whole_value (trace, point->value), point->begin_ns);
  else
    put_sample (stream, point->activity, whole_value (trace, point->value), point->begin_ns);
}

/* Writes the records before that time in order of time; records of a kind keep their order. */
static void
put_until (Stream *stream,
           gint64  before_ns)
{
  while (!stream->failed)
    {
      gint64 send = next_send (stream, before_ns), receive = next_receive (stream, before_ns);
      gint64 point = next_point (stream, before_ns);

      if (send == G_MAXINT64 && receive == G_MAXINT64 && point == G_MAXINT64)
        return;
      if (send <= receive && send <= point)
        put_send (stream, send);
      else if (receive <= point)
        put_receive (stream, receive);
      else
        put_point (stream, &g_array_index (stream->segment->points, KymoPoint,
                                           stream->next_point++));
    }
}

/* -- blocks ---------------------------------------------------------------------- */

/* Totals stand behind the record that they are of. */
static void
put_totals (Stream *stream,
            gint64  time_ns)
{
  for (guint m = 0; m < stream->trace->n_metrics; m++)
    put_event (stream, stream->trace->n_activities + m, stream->totals[m], time_ns);
}

static void
enter_trace_stream (Stream  *stream,
                    guint32  block)
{
  gint64 time_ns = kymo_segment_block_begin (stream->segment, block);
  guint n = stream->trace->n_metrics;

  put_event (stream, stream->segment->block_activity[block], 1, time_ns);
  stream->open[stream->depth] = block;
  if (n > 0)
    {
      memcpy (stream->entered + stream->depth * n, stream->totals, n * sizeof (gint64));
      put_totals (stream, time_ns);
    }
  stream->depth++;
}

/* The totals of all metrics at the end of a block. Where a metric has no count its total runs
   backwards, which marks it as unknown; FALSE where no metric has a count. */
static gboolean
count_until (Stream       *stream,
             const gint64 *entered,
             const gint64 *counts)
{
  gboolean any = FALSE;

  for (guint m = 0; m < stream->trace->n_metrics; m++)
    {
      gint64 sum;

      if (counts == NULL || counts[m] == KYMO_NO_COUNT
          || __builtin_add_overflow (entered[m], counts[m], &sum))
        sum = entered[m] - 1;
      else
        any = TRUE;
      stream->totals[m] = sum;
    }
  return any;
}

static void
leave_trace_stream (Stream *stream)
{
  const KymoSegment *segment = stream->segment;
  guint32 block = stream->open[stream->depth - 1];
  gint64 time_ns = kymo_segment_block_end (segment, block);
  guint n = stream->trace->n_metrics;

  put_until (stream, time_ns);
  put_event (stream, segment->block_activity[block], -1, time_ns);
  stream->depth--;
  if (n > 0)
    {
      gint64 *entered = stream->entered + stream->depth * n;

      if (count_until (stream, entered, segment->block_counters == NULL ? NULL
                       : segment->block_counters + (gsize) block * n))
        put_totals (stream, time_ns);
      for (guint m = 0; m < n; m++)
        stream->totals[m] = MAX (stream->totals[m], entered[m]);
    }
}

static void
put_blocks (Stream *stream)
{
  const KymoSegment *segment = stream->segment;

  for (guint i = 0; i < segment->n_blocks && !stream->failed
       && kymo_convert_goes_on (stream->trace->convert, i); i++)
    {
      guint depth = segment->block_depth != NULL ? segment->block_depth[i] : 0;

      if (stream->parts.blocks != NULL && !stream->parts.blocks[i])
        continue;
      while (stream->depth > depth)
        leave_trace_stream (stream);
      put_until (stream, kymo_segment_block_begin (segment, i));
      enter_trace_stream (stream, i);
    }
  while (stream->depth > 0)
    leave_trace_stream (stream);
  put_until (stream, G_MAXINT64);
}

/* -- facts of the run ------ ----------------------------------------------------- */

/* Writes the facts of the run once, in the first file; each process notes its machine. */
static void
put_facts (Stream   *stream,
           gboolean  is_first,
           gboolean  is_first_of_node)
{
  KymoTraceOut *trace = stream->trace;
  guint first = trace->n_activities + trace->n_metrics, host;
  const char *name = kymo_trace_host_of (trace, stream->place->location);

  for (guint i = 0; i < trace->n_facts && is_first; i++)
    if (!g_str_equal (kymo_trace_fact (trace, i)->key, "host"))
      put_sample (stream, first + i, 1, stream->segment->span.end_ns);
  if (is_first_of_node && name != NULL
      && g_ptr_array_find_with_equal_func (trace->hosts, name, g_str_equal, &host))
    put_sample (stream, first + trace->n_facts + host, 1, stream->segment->span.end_ns);
}

/* Looks for things that have no record in a trace of TAU, which has functions and the gaps between
   them. */
static void
look_for_gaps (KymoTraceOut      *trace,
               const KymoSegment *segment)
{
  for (guint i = 0; i < segment->n_pieces && !trace->gaps; i++)
    trace->gaps = segment->piece_state[i] == KYMO_STATE_IDLE
      || segment->piece_state[i] == KYMO_STATE_UNTRACED;
  trace->flushes |= segment->stretches->len > 0;
  if (segment->exchange == NULL)
    trace->n_calls += segment->n_sends;
}

/** kymo_trace_write_stream: the file of one thread */
gboolean
kymo_trace_write_stream (KymoTraceOut            *trace,
                         const KymoConvertPlace  *place,
                         gboolean                 is_first,
                         gboolean                 is_first_of_node,
                         GError                 **error)
{
  g_autofree char *name = g_strdup_printf ("tautrace.%" G_GINT64_FORMAT ".0.%" G_GINT64_FORMAT
                                           ".trc", place->node, place->thread);
  g_autoptr (KymoRunFile) file = kymo_run_file_new (trace->writer, name, FALSE, error);
  g_autofree gint64 *totals = g_new0 (gint64, MAX (trace->n_metrics, 1));
  g_autofree gint64 *entered = g_new0 (gint64, (G_MAXUINT8 + 1) * MAX (trace->n_metrics, 1));
  KymoSegment *segment = g_ptr_array_index (trace->convert->run->segments, place->location);
  Stream stream = { .trace = trace, .file = file, .place = place, .segment = segment,
                    .totals = totals, .entered = entered, .error = error };

  if (file == NULL)
    return FALSE;
  kymo_trace_parts_init (&stream.parts, &trace->choice, place->location);
  put_trace_stream (&stream, KYMO_TRACE_INIT, 3, segment->span.begin_ns);
  put_trace_stream (&stream, KYMO_TRACE_WALL_CLOCK, KYMO_TRACE_ZERO_US / US_PER_S,
                    segment->span.begin_ns);
  put_blocks (&stream);
  put_facts (&stream, is_first, is_first_of_node);
  put_trace_stream (&stream, KYMO_TRACE_CLOSE, 0, segment->span.end_ns);
  put_trace_stream (&stream, KYMO_TRACE_WALL_CLOCK, KYMO_TRACE_ZERO_US / US_PER_S,
                    segment->span.end_ns);
  look_for_gaps (trace, segment);
  kymo_trace_parts_clear (&stream.parts);
  return !stream.failed && !kymo_convert_is_stopped (trace->convert, error)
    && kymo_run_file_close (file, error);
}
