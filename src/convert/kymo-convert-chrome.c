/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trace events in JSON, as Chrome's and Perfetto's viewers read them ("Trace Event
 * Format", the JSON object form): processes and threads with their names, what ran as
 * complete events (ph X), idle time too, messages as flows from the send to the receive
 * (s, f), user events as instants, brackets as pairs of their own (b, e), values as
 * counters (C). Times are microseconds with three digits, so nothing is lost.
 *
 * Only what lies in the range is written; what reaches over its ends is cut there.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-convert-private.h"

#include "kymo-details.h"
#include "kymo-trace-profile-private.h"

typedef struct
{
  KymoConvert    *convert;
  KymoConvertOut *out;
  gboolean        any;          /* an event was written */
  gint64          n_flows, n_lost_flows, n_brackets;
  gint64          named_node;   /* whose threads are being written */
} Chrome;

/* "pid" and "tid", and what goes before. */
static void
begin_event (Chrome                 *chrome,
             const char             *phase,
             const KymoConvertPlace *place)
{
  kymo_convert_out_printf (chrome->out, "%s\n{\"ph\":\"%s\",\"pid\":%" G_GINT64_FORMAT
                           ",\"tid\":%" G_GINT64_FORMAT, chrome->any ? "," : "", phase,
                           place->node, place->thread);
  chrome->any = TRUE;
  chrome->convert->result->n_records++;
}

static void
put_name (Chrome     *chrome,
          const char *name)
{
  kymo_convert_out_put (chrome->out, ",\"name\":");
  kymo_convert_out_json (chrome->out, name);
}

static void
put_time (Chrome     *chrome,
          const char *key,
          gint64      ns)
{
  guint64 size = ns < 0 ? -(guint64) ns : (guint64) ns;

  kymo_convert_out_printf (chrome->out, ",\"%s\":%s%" G_GUINT64_FORMAT ".%03u", key,
                           ns < 0 ? "-" : "", size / 1000, (guint) (size % 1000));
}

static void
put_metadata (Chrome                 *chrome,
              const KymoConvertPlace *place,
              const char             *what,
              const char             *name)
{
  begin_event (chrome, "M", place);
  put_name (chrome, what);
  kymo_convert_out_put (chrome->out, ",\"args\":{\"name\":");
  kymo_convert_out_json (chrome->out, name);
  kymo_convert_out_put (chrome->out, "}}");
}

/* The part of a stretch that lies in the range; FALSE where nothing does. */
static gboolean
clip_chrome (const Chrome *chrome,
             gint64       *begin,
             gint64       *end)
{
  KymoSpan span = chrome->convert->wish->span;

  if (*end < span.begin_ns || (*end == span.begin_ns && *begin < *end)
      || *begin >= kymo_convert_counted (chrome->convert).end_ns)
    return FALSE;
  *begin = MAX (*begin, span.begin_ns);
  *end = MIN (*end, span.end_ns);
  return TRUE;
}

static void
put_complete (Chrome                 *chrome,
              const KymoConvertPlace *place,
              const char             *name,
              const char             *category,
              gint64                  begin,
              gint64                  end)
{
  begin_event (chrome, "X", place);
  put_name (chrome, name);
  kymo_convert_out_put (chrome->out, ",\"cat\":");
  kymo_convert_out_json (chrome->out, category);
  put_time (chrome, "ts", begin);
  put_time (chrome, "dur", end - begin);
  kymo_convert_out_put (chrome->out, "}");
}

static void
put_blocks (Chrome                 *chrome,
            const KymoConvertPlace *place,
            const KymoSegment      *segment)
{
  for (guint i = 0; i < segment->n_blocks && kymo_convert_goes_on (chrome->convert, i); i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (chrome->convert->run,
                                                             segment->block_activity[i]);
      gint64 begin = kymo_segment_block_begin (segment, i);
      gint64 end = kymo_segment_block_end (segment, i);

      if (clip_chrome (chrome, &begin, &end))
        put_complete (chrome, place, activity->name, *activity->group != '\0' ? activity->group
                      : kymo_activity_kind_to_string (activity->kind), begin, end);
    }
}

static void
put_idle (Chrome                 *chrome,
          const KymoConvertPlace *place,
          const KymoSegment      *segment)
{
  for (guint i = 0; i < segment->n_pieces && kymo_convert_goes_on (chrome->convert, i); i++)
    if (segment->piece_state[i] == KYMO_STATE_IDLE)
      {
        gint64 begin = kymo_segment_piece_begin (segment, i);
        gint64 end = kymo_segment_piece_begin (segment, i + 1);

        if (clip_chrome (chrome, &begin, &end))
          put_complete (chrome, place, "Idle", "idle", begin, end);
      }
}

static gboolean
is_value (const KymoPoint *point)
{
  return point->kind == KYMO_POINT_USER_VALUE || point->kind == KYMO_POINT_USER_STAT
    || point->kind == KYMO_POINT_MEMORY;
}

static char *
dup_point_name (const Chrome    *chrome,
                const KymoPoint *point)
{
  static const char *const names[] = {
    "event", "bracket", "note", "note", "value", "statistic", "memory", "phase",
  };
  KymoTraceSample sample = { .kind = point->kind, .activity = point->activity, .id = point->id };

  if (is_value (point))
    return kymo_trace_sample_dup_name (chrome->convert->run, &sample);
  if (point->kind == KYMO_POINT_PARAMETER || point->kind == KYMO_POINT_IO)
    return kymo_describe_io_point (chrome->convert->run, point);
  if (point->activity != G_MAXUINT32)
    return g_strdup (kymo_run_peek_activity (chrome->convert->run, point->activity)->name);
  if (point->text != NULL)
    return g_strdup (point->text);
  return g_strdup_printf ("%s %d", names[MIN (point->kind, G_N_ELEMENTS (names) - 1)],
                          point->id);
}

/* A pair of events of its own, for brackets may overlap. */
static void
put_bracket (Chrome                 *chrome,
             const KymoConvertPlace *place,
             const char             *name,
             gint64                  begin,
             gint64                  end)
{
  gint64 id = chrome->n_brackets++;

  for (guint i = 0; i < 2; i++)
    {
      begin_event (chrome, i == 0 ? "b" : "e", place);
      put_name (chrome, name);
      kymo_convert_out_printf (chrome->out, ",\"cat\":\"bracket\",\"id\":%" G_GINT64_FORMAT, id);
      put_time (chrome, "ts", i == 0 ? begin : end);
      kymo_convert_out_put (chrome->out, "}");
    }
}

static void
put_point (Chrome                 *chrome,
           const KymoConvertPlace *place,
           const KymoPoint        *point)
{
  gint64 begin = point->begin_ns, end = point->end_ns;
  g_autofree char *name = NULL;

  if (point->kind == KYMO_POINT_TRACE_ON || point->kind == KYMO_POINT_TRACE_OFF
      || !clip_chrome (chrome, &begin, &end))
    return;
  name = dup_point_name (chrome, point);
  if (point->kind == KYMO_POINT_BRACKET || point->kind == KYMO_POINT_BRACKET_NOTE)
    {
      put_bracket (chrome, place, name, begin, end);
      return;
    }
  begin_event (chrome, is_value (point) ? "C" : "i", place);
  put_name (chrome, name);
  put_time (chrome, "ts", begin);
  if (is_value (point))
    {
      /* Counters are of a process: the id keeps those of its threads apart. */
      kymo_convert_out_printf (chrome->out, ",\"id\":%" G_GINT64_FORMAT ",\"args\":{\"value\":",
                               place->thread);
      kymo_convert_out_number (chrome->out, point->value);
      kymo_convert_out_put (chrome->out, "}}");
    }
  else
    kymo_convert_out_put (chrome->out, ",\"s\":\"t\"}");
}

/* A flow from a send to where it was received. */
static void
put_flow (Chrome *chrome,
          guint   from,
          gint64  sent,
          guint   to,
          gint64  received,
          guint32 bytes)
{
  KymoConvert *convert = chrome->convert;
  gint sender = g_array_index (convert->place_of, gint, from);
  gint receiver = g_array_index (convert->place_of, gint, to);
  gint64 end_sent = sent, end_received = received;

  if (receiver < 0 || !clip_chrome (chrome, &received, &end_received))
    return;
  if (sender < 0 || !clip_chrome (chrome, &sent, &end_sent))
    {
      chrome->n_lost_flows++;
      return;
    }
  for (guint i = 0; i < 2; i++)
    {
      begin_event (chrome, i == 0 ? "s" : "f", kymo_convert_place (convert, i == 0 ? sender
                                                                   : receiver));
      put_name (chrome, "message");
      kymo_convert_out_printf (chrome->out, ",\"cat\":\"message\",\"id\":%" G_GINT64_FORMAT "%s",
                               chrome->n_flows, i == 0 ? "" : ",\"bp\":\"e\"");
      put_time (chrome, "ts", i == 0 ? sent : received);
      kymo_convert_out_printf (chrome->out, ",\"args\":{\"bytes\":%u}}", bytes);
    }
  chrome->n_flows++;
}

static void
put_exchange (Chrome                 *chrome,
              const KymoConvertPlace *place,
              const KymoSegment      *segment)
{
  const KymoExchange *exchange = segment->exchange;

  for (guint i = 0; i < exchange->n_receives && kymo_convert_goes_on (chrome->convert, i); i++)
    {
      guint32 from = exchange->receive_location != NULL ? exchange->receive_location[i]
        : KYMO_UNMATCHED;
      gint64 time_ns = kymo_segment_receive_time (segment, i), end_ns = time_ns;

      if (!clip_chrome (chrome, &time_ns, &end_ns))
        continue;
      if (from == KYMO_UNMATCHED)
        chrome->n_lost_flows++;
      else
        put_flow (chrome, from,
                  kymo_segment_send_time (g_ptr_array_index (chrome->convert->run->segments,
                                                             from),
                                          exchange->receive_send[i]),
                  place->location, time_ns, exchange->receive_bytes[i]);
    }
}

/* Messages that begin blocks: a flow a call, where the sender's record of it is known. */
static void
put_calls (Chrome                 *chrome,
           const KymoConvertPlace *place,
           KymoSegment            *segment)
{
  KymoRun *run = chrome->convert->run;

  for (guint i = 0; i < segment->n_blocks && kymo_convert_goes_on (chrome->convert, i); i++)
    {
      gint64 begin_ns = kymo_segment_block_begin (segment, i), end_ns = begin_ns;
      gint from, send = -1;
      KymoSegment *sender;

      if (segment->block_event[i] < 0 || !clip_chrome (chrome, &begin_ns, &end_ns)
          || !kymo_segment_is_first (segment, i))
        continue;
      from = kymo_run_find_location (run, segment->block_source[i]);
      sender = from >= 0 ? g_ptr_array_index (run->segments, from) : NULL;
      if (sender != NULL)
        send = kymo_segment_find_send (sender, segment->block_event[i]);
      /* A record of one destination must be for the same entry method (as in
         kymo_match_block()); a broadcast may be created under another. */
      if (send < 0 || (kymo_segment_send_kind (sender, send) == KYMO_SEND_ONE
                       && sender->send_activity[send] != segment->block_activity[i]))
        chrome->n_lost_flows++;
      else
        put_flow (chrome, from, kymo_segment_send_time (sender, send), place->location,
                  begin_ns, segment->block_bytes[i]);
    }
}

static void
put_place (Chrome                 *chrome,
           const KymoConvertPlace *place)
{
  KymoRun *run = chrome->convert->run;
  KymoSegment *segment = g_ptr_array_index (run->segments, place->location);
  const KymoLocation *location = kymo_run_peek_location (run, place->location);
  g_autofree char *process = g_strdup_printf ("%s %" G_GINT64_FORMAT,
                                              run->terms.row == KYMO_ROW_PE ? "process" : "rank",
                                              place->node);

  if (place->node != chrome->named_node)
    put_metadata (chrome, place, "process_name", process);
  chrome->named_node = place->node;
  put_metadata (chrome, place, "thread_name", location->label);
  put_blocks (chrome, place, segment);
  put_idle (chrome, place, segment);
  for (guint i = 0; i < segment->points->len && kymo_convert_goes_on (chrome->convert, i); i++)
    put_point (chrome, place, &g_array_index (segment->points, KymoPoint, i));
  if (segment->exchange != NULL)
    put_exchange (chrome, place, segment);
  else
    put_calls (chrome, place, segment);
}

static void
tell_chrome (Chrome *chrome)
{
  KymoConvert *convert = chrome->convert;

  kymo_convert_leave_out (convert, N_("Overhead and time that was not traced: they are gaps"));
  if (chrome->n_lost_flows > 0)
    kymo_convert_leave_out (convert, N_("Messages whose send is not in the range, not in the "
                            "chosen locations or not known: %" PRId64),
                            chrome->n_lost_flows);
  if (convert->run->metrics->len > 0)
    kymo_convert_leave_out (convert, N_("Hardware counters of functions: %u"),
                            convert->run->metrics->len);
}

/**
 * kymo_convert_chrome:
 *
 * Writes one file of trace events.
 */
gboolean
kymo_convert_chrome (KymoConvert  *convert,
                     GError      **error)
{
  g_autoptr (KymoConvertOut) out = kymo_convert_out_new (convert->wish->out, error);
  Chrome chrome = { .convert = convert, .out = out, .named_node = -1 };

  if (out == NULL)
    return FALSE;
  /* Sends are read of locations that are not chosen, too. */
  for (guint i = 0; i < convert->run->segments->len; i++)
    if (!kymo_convert_use (convert, i, error))
      return FALSE;
  convert->out = out;
  kymo_convert_out_put (out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"title\":");
  kymo_convert_out_json (out, convert->run->title);
  kymo_convert_out_put (out, "},\"traceEvents\":[");
  for (guint i = 0; i < convert->places->len; i++)
    {
      if (kymo_convert_is_stopped (convert, error))
        return FALSE;
      if (kymo_convert_out_failed (out))
        break;
      put_place (&chrome, kymo_convert_place (convert, i));
      kymo_job_advance (convert->job, 1);
    }
  if (kymo_convert_is_stopped (convert, error))
    return FALSE;
  kymo_convert_out_put (out, "\n]}\n");
  tell_chrome (&chrome);
  return kymo_convert_is_sound (convert, error)
    && kymo_convert_out_finish (out, &convert->result->n_bytes, error);
}
