/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies beside the blocks of a location: messages, collectives, points, idle time, flushes,
 * requests and forks, tracing that goes off and on. Each kind has a cursor; at one time comes
 * first what lies in the innermost open block.
 */
#include "config.h"

#include "kymo-convert-otf2-stream.h"

/* -- which comes next ---------------------------------------------------------- */

static const KymoStretch *
stretch_at (const KymoOtf2Writing *stream,
            guint         i)
{
  return &g_array_index (stream->segment->stretches, KymoStretch, i);
}

static const KymoOtf2OutPart *
part_at (const KymoOtf2Writing *stream,
         guint         i)
{
  return &g_array_index (stream->collectives, KymoOtf2OutPart, i);
}

static const KymoOtf2OutMessage *
message_at (const GArray *list,
            guint         i)
{
  return list != NULL && i < list->len ? &g_array_index (list, KymoOtf2OutMessage, i) : NULL;
}

static gint64
time_of (const KymoOtf2OutMessage *message)
{
  return message != NULL ? message->time_ns : G_MAXINT64;
}

static gboolean
wants_piece (const KymoOtf2Writing *stream,
             guint         i,
             guint32       state)
{
  const KymoSegment *segment = stream->segment;

  /* Without tracing that is needed for calls that go on after it, wherever it is. */
  return segment->piece_state[i] == state
    && (state == KYMO_STATE_UNTRACED
        || kymo_otf2_is_in_range (stream, kymo_segment_piece_begin (segment, i),
                                  kymo_segment_piece_begin (segment, i + 1)));
}

/* Idle time and time without tracing: pieces one after the other. */
static gint64
find_piece (KymoOtf2Writing  *stream,
            KymoOtf2Side     side,
            guint32  state)
{
  const KymoSegment *segment = stream->segment;
  guint *i = &stream->piece[side];

  while (*i < segment->n_pieces && !wants_piece (stream, *i, state))
    ++*i;
  return *i < segment->n_pieces
    ? kymo_segment_piece_begin (segment, *i + stream->inside[side]) : G_MAXINT64;
}

static gint64
find_send (KymoOtf2Writing *stream)
{
  const KymoExchange *x = stream->segment->exchange;

  if (x == NULL)
    return G_MAXINT64;
  while (stream->next_send < x->n_sends && !stream->parts.sends[stream->next_send])
    stream->next_send++;
  return stream->next_send < x->n_sends
    ? kymo_segment_send_time (stream->segment, stream->next_send) : G_MAXINT64;
}

static gint64
find_receive (KymoOtf2Writing *stream)
{
  const KymoExchange *x = stream->segment->exchange;

  if (x == NULL)
    return G_MAXINT64;
  while (stream->next_receive < x->n_receives
         && !stream->parts.receives[stream->next_receive])
    stream->next_receive++;
  return stream->next_receive < x->n_receives
    ? kymo_segment_receive_time (stream->segment, stream->next_receive) : G_MAXINT64;
}

static gint64
find_flush (KymoOtf2Writing *stream)
{
  guint n = stream->segment->stretches->len;

  for (; stream->next_stretch < n; stream->next_stretch++)
    {
      const KymoStretch *stretch = stretch_at (stream, stream->next_stretch);

      if (!kymo_otf2_is_in_range (stream, stretch->begin_ns, stretch->end_ns))
        continue;
      if (stretch->kind == KYMO_STRETCH_FLUSH)
        return stretch->begin_ns;
      stream->out->packs = TRUE;
    }
  return G_MAXINT64;
}

static gint64
find_next (KymoOtf2Writing *stream,
           KymoOtf2Side    side)
{
  guint n = stream->collectives != NULL ? stream->collectives->len : 0;

  switch (side)
    {
    case SIDE_ON_OFF:
      return find_piece (stream, side, KYMO_STATE_UNTRACED);
    case SIDE_IDLE:
      return find_piece (stream, side, KYMO_STATE_IDLE);
    case SIDE_SEND:
      return find_send (stream);
    case SIDE_ASIDE:
      return kymo_otf2_find_aside (stream);
    case SIDE_RECEIVE:
      return find_receive (stream);
    case SIDE_POINT:
      return kymo_otf2_find_point (stream);
    case SIDE_CREATION:
      return time_of (message_at (stream->creations, stream->next_creation));
    case SIDE_ARRIVAL:
      return time_of (message_at (stream->arrivals, stream->next_arrival));
    case SIDE_FLUSH:
      return find_flush (stream);
    case SIDE_COLLECTIVE_END:
      return stream->next_end < n
        ? part_at (stream, stream->ends[stream->next_end])->end_ns : G_MAXINT64;
    default:
      return stream->next_begin < n ? part_at (stream, stream->next_begin)->begin_ns : G_MAXINT64;
    }
}

static void
find_soonest (KymoOtf2Writing *stream)
{
  stream->soonest_ns = G_MAXINT64;
  for (guint i = 0; i < N_SIDES; i++)
    stream->soonest_ns = MIN (stream->soonest_ns, stream->next_ns[i]);
}

/* TRUE if a record at the time of the next enter or leave is written before that enter or leave. */
static gboolean
comes_first (const KymoOtf2Writing *stream,
             KymoOtf2Side          side)
{
  const KymoExchange *x = stream->segment->exchange;

  switch (side)
    {
    case SIDE_ON_OFF:
      return stream->inside[side];
    case SIDE_IDLE:
      return stream->depth == 0 && stream->inside[side];
    case SIDE_SEND:
      return x->send_block[stream->next_send] == kymo_otf2_open_block (stream);
    case SIDE_ASIDE:
      return stream->segment->aside_block[stream->next_aside] == kymo_otf2_open_block (stream);
    case SIDE_RECEIVE:
      return x->receive_block[stream->next_receive] == kymo_otf2_open_block (stream);
    case SIDE_CREATION:
      return message_at (stream->creations, stream->next_creation)->block
        == kymo_otf2_open_block (stream);
    case SIDE_ARRIVAL:
      return message_at (stream->arrivals, stream->next_arrival)->block
        == kymo_otf2_open_block (stream);
    case SIDE_COLLECTIVE_END:
      return part_at (stream, stream->ends[stream->next_end])->activity
        == kymo_otf2_open_activity (stream);
    case SIDE_COLLECTIVE_BEGIN:
      return part_at (stream, stream->next_begin)->activity == kymo_otf2_open_activity (stream);
    default:
      return TRUE;
    }
}

/* The kind of what comes next before a time, or N_SIDES. Of two at one time the one that is
   listed first, but for a collective that ends when it began. */
static KymoOtf2Side
choose_otf2_sides (const KymoOtf2Writing *stream,
                   gint64        before_ns)
{
  KymoOtf2Side best = N_SIDES;

  for (guint i = 0; i < N_SIDES; i++)
    {
      gint64 time_ns = stream->next_ns[i];

      if (time_ns == G_MAXINT64 || time_ns > before_ns
          || (time_ns == before_ns && !comes_first (stream, i)))
        continue;
      if (best == N_SIDES || time_ns < stream->next_ns[best])
        best = i;
    }
  if (best == SIDE_COLLECTIVE_END
      && stream->ends[stream->next_end] == stream->next_begin)
    return SIDE_COLLECTIVE_BEGIN;
  return best;
}

/* -- records ----------------------------------------------------------------------- */

/* The number of the communicator or window, and the partner's rank in it, or FALSE where it is
   none that the archive has. */
static gboolean
find_partner (KymoOtf2Writing *stream,
              gint32           tag,
              guint32          number,
              gint32           partner,
              guint32         *ref,
              guint32         *rank)
{
  if (kymo_otf2_out_find_partner (stream->out, tag < 0, number, stream->location, partner, ref,
                                  rank))
    return TRUE;
  stream->out->n_partners++;
  return FALSE;
}

static void
put_send (KymoOtf2Writing *stream,
          gint64           time_ns)
{
  const KymoExchange *x = stream->segment->exchange;
  guint i = stream->next_send++;
  guint32 bytes = stream->segment->send_bytes[i], ref, rank;
  guint32 number = x->send_request != NULL ? x->send_request[i] : 0;

  /* The begin of an atomic operation is an aside. */
  if (stream->is_atomic != NULL && number <= stream->n_numbers && stream->is_atomic[number])
    return;
  if (!find_partner (stream, x->send_tag[i], x->send_comm[i], x->send_partner[i], &ref, &rank))
    return;
  if (x->send_tag[i] < 0)
    kymo_otf2_done (stream, OTF2_EvtWriter_RmaPut (
      stream->writer, NULL, kymo_otf2_at (stream, time_ns), ref, rank, bytes, number));
  else if (number > 0)
    kymo_otf2_done (stream, OTF2_EvtWriter_MpiIsend (
      stream->writer, NULL, kymo_otf2_at (stream, time_ns), rank, ref, x->send_tag[i], bytes,
      number));
  else
    kymo_otf2_done (stream, OTF2_EvtWriter_MpiSend (
      stream->writer, NULL, kymo_otf2_at (stream, time_ns), rank, ref, x->send_tag[i], bytes));
}

static void
put_receive (KymoOtf2Writing *stream,
             gint64           time_ns)
{
  const KymoExchange *x = stream->segment->exchange;
  guint i = stream->next_receive++;
  guint32 number = x->receive_request != NULL ? x->receive_request[i] : 0, ref, rank;

  /* The bytes that a one-sided transfer got are written with its asides. */
  if (x->receive_tag[i] < 0 && number > 0)
    return;
  if (!find_partner (stream, x->receive_tag[i], x->receive_comm[i], x->receive_partner[i], &ref,
                     &rank))
    return;
  if (number > 0)
    kymo_otf2_done (stream, OTF2_EvtWriter_MpiIrecv (
      stream->writer, NULL, kymo_otf2_at (stream, time_ns), rank, ref, x->receive_tag[i],
      x->receive_bytes[i], number));
  else
    kymo_otf2_done (stream, OTF2_EvtWriter_MpiRecv (
      stream->writer, NULL, kymo_otf2_at (stream, time_ns), rank, ref, x->receive_tag[i],
      x->receive_bytes[i]));
}

/* An end of a message that begins an entry method. */
static void
put_message (KymoOtf2Writing *stream,
             gint64           time_ns,
             gboolean         is_arrival)
{
  const KymoOtf2OutMessage *end = is_arrival
    ? message_at (stream->arrivals, stream->next_arrival++)
    : message_at (stream->creations, stream->next_creation++);
  OTF2_TimeStamp time = kymo_otf2_at (stream, time_ns);
  guint32 comm = stream->out->messages;

  kymo_otf2_done (stream, is_arrival
    ? OTF2_EvtWriter_MpiRecv (stream->writer, NULL, time, end->partner, comm, end->tag, end->bytes)
    : OTF2_EvtWriter_MpiSend (stream->writer, NULL, time, end->partner, comm, end->tag,
                              end->bytes));
}

/** kymo_otf2_put_on_off: writes that tracing goes on, or off */
void
kymo_otf2_put_on_off (KymoOtf2Writing   *stream,
            gint64    time_ns,
            gboolean  on)
{
  kymo_otf2_done (stream, OTF2_EvtWriter_MeasurementOnOff (
    stream->writer, NULL, kymo_otf2_at (stream, time_ns),
    on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF));
}

static void
put_flush (KymoOtf2Writing *stream,
           gint64  time_ns)
{
  const KymoStretch *stretch = stretch_at (stream, stream->next_stretch++);

  kymo_otf2_done (stream, OTF2_EvtWriter_BufferFlush (
    stream->writer, NULL, kymo_otf2_at (stream, time_ns),
    kymo_otf2_out_ticks (stream->out, stretch->end_ns)));
}

/* Requests of messages have numbers below. */
static guint64
key_of (const KymoOtf2OutPart *part)
{
  return part->key | G_GUINT64_CONSTANT (1) << 32;
}

static void
put_collective_begin (KymoOtf2Writing *stream,
                      gint64           time_ns)
{
  const KymoOtf2OutPart *part = part_at (stream, stream->next_begin++);
  OTF2_TimeStamp time = kymo_otf2_at (stream, time_ns);

  kymo_otf2_done (stream, part->asynchronous
    ? OTF2_EvtWriter_NonBlockingCollectiveRequest (stream->writer, NULL, time, key_of (part))
    : part->of_window ? OTF2_EvtWriter_RmaCollectiveBegin (stream->writer, NULL, time)
    : OTF2_EvtWriter_MpiCollectiveBegin (stream->writer, NULL, time));
}

static void
put_collective_end (KymoOtf2Writing *stream,
                    gint64           time_ns)
{
  const KymoOtf2OutPart *part = part_at (stream, stream->ends[stream->next_end++]);
  OTF2_TimeStamp time = kymo_otf2_at (stream, time_ns);

  kymo_otf2_done (stream, part->asynchronous
    ? OTF2_EvtWriter_NonBlockingCollectiveComplete (
        stream->writer, NULL, time, part->op, part->comm, part->root, part->sent_bytes,
        part->received_bytes, key_of (part))
    : part->of_window
    ? OTF2_EvtWriter_RmaCollectiveEnd (
        stream->writer, NULL, time, part->op, part->level, part->comm, part->root, part->sent_bytes,
        part->received_bytes)
    : OTF2_EvtWriter_MpiCollectiveEnd (
        stream->writer, NULL, time, part->op, part->comm, part->root, part->sent_bytes,
        part->received_bytes));
}

static void
put_idle (KymoOtf2Writing *stream,
          gint64  time_ns)
{
  gboolean is_end = stream->inside[SIDE_IDLE];
  guint32 idle = stream->out->idle;
  OTF2_TimeStamp time = kymo_otf2_at (stream, time_ns);

  stream->out->idles = TRUE;
  kymo_otf2_done (stream, is_end
        ? OTF2_EvtWriter_Leave (stream->writer, NULL, time, idle)
        : OTF2_EvtWriter_Enter (stream->writer, NULL, time, idle));
}

static void
put_side (KymoOtf2Writing *stream,
          KymoOtf2Side    side)
{
  gint64 time_ns = stream->next_ns[side];

  switch (side)
    {
    case SIDE_ON_OFF:
      kymo_otf2_put_on_off (stream, time_ns, stream->inside[side]);
      break;
    case SIDE_IDLE:
      put_idle (stream, time_ns);
      break;
    case SIDE_SEND:
      put_send (stream, time_ns);
      break;
    case SIDE_ASIDE:
      kymo_otf2_put_aside (stream, time_ns);
      break;
    case SIDE_RECEIVE:
      put_receive (stream, time_ns);
      break;
    case SIDE_POINT:
      kymo_otf2_put_point (stream, time_ns);
      break;
    case SIDE_CREATION:
    case SIDE_ARRIVAL:
      put_message (stream, time_ns, side == SIDE_ARRIVAL);
      break;
    case SIDE_FLUSH:
      put_flush (stream, time_ns);
      break;
    case SIDE_COLLECTIVE_END:
      put_collective_end (stream, time_ns);
      break;
    default:
      put_collective_begin (stream, time_ns);
    }
  if (side == SIDE_ON_OFF || side == SIDE_IDLE)
    {
      stream->piece[side] += stream->inside[side];
      stream->inside[side] = !stream->inside[side];
    }
  stream->next_ns[side] = find_next (stream, side);
  find_soonest (stream);
}

/**
 * kymo_otf2_put_until:
 * @before_ns: when the next block is entered or left
 *
 * Writes what comes before that, each kind in its own order, all in order of time.
 */
void
kymo_otf2_put_until (KymoOtf2Writing *stream,
           gint64  before_ns)
{
  while (stream->soonest_ns <= before_ns && stream->soonest_ns < G_MAXINT64)
    {
      KymoOtf2Side side = choose_otf2_sides (stream, before_ns);

      if (side == N_SIDES)
        return;
      put_side (stream, side);
    }
}

/* -- begin and end ------------------------------------------------------------------ */

static int
compare_ends (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  const KymoOtf2OutPart *parts = data;
  guint i = *(const guint *) a, j = *(const guint *) b;

  if (parts[i].end_ns != parts[j].end_ns)
    return parts[i].end_ns < parts[j].end_ns ? -1 : 1;
  return i < j ? -1 : i > j;
}

/**
 * kymo_otf2_sides_init:
 * @stream: knows what of the location is written
 * @location: index in the run
 */
void
kymo_otf2_sides_init (KymoOtf2Writing *stream,
                      guint              location)
{
  guint n;

  stream->location = location;
  stream->collectives = stream->out->parts[location];
  stream->creations = stream->out->sends[location];
  stream->arrivals = stream->out->receives[location];
  kymo_otf2_points_init (stream);
  kymo_otf2_asides_init (stream);
  n = stream->collectives != NULL ? stream->collectives->len : 0;
  stream->ends = g_new (guint, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    stream->ends[i] = i;
  if (n > 0)
    g_qsort_with_data (stream->ends, n, sizeof (guint), compare_ends, stream->collectives->data);
  for (guint i = 0; i < N_SIDES; i++)
    stream->next_ns[i] = find_next (stream, i);
  find_soonest (stream);
}

void
kymo_otf2_sides_clear (KymoOtf2Writing *stream)
{
  kymo_otf2_points_clear (stream);
  kymo_otf2_asides_clear (stream);
  g_free (stream->ends);
}
