/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of a segment in the making that take no time of their own: sends, receives and points.
 */
#include "config.h"

#include "kymo-segment-builder-private.h"

/**
 * kymo_segment_builder_send:
 * @activity: index of the activity that the message starts
 * @event: number of the message at this location
 * @bytes: size of the message
 * @destinations: number of locations it goes to
 *
 * Adds the creation of a message.
 */
void
kymo_segment_builder_send (KymoSegmentBuilder *b,
                           gint64              time_ns,
                           KymoSendKind        kind,
                           guint32             activity,
                           gint32              event,
                           guint32             bytes,
                           guint32             destinations)
{
  KymoSegment *s = b->segment;
  guint i = s->n_sends;

  if (i == b->cap_sends)
    kymo_builder_grow_sends (b);
  if (i > 0 && s->send_event[i - 1] > event)
    s->sends_ascend = FALSE;
  kymo_builder_set_time (b, &s->send_time, i, time_ns);
  s->send_activity[i] = activity;
  s->send_event[i] = event;
  s->send_bytes[i] = bytes;
  kymo_builder_set_cast (b, i, kind, destinations);
  s->n_sends++;
}

static KymoExchange *
exchange_of (KymoSegmentBuilder *b)
{
  if (b->segment->exchange == NULL)
    b->segment->exchange = kymo_exchange_new ();
  return b->segment->exchange;
}

/**
 * kymo_segment_builder_send_to:
 * @bytes: size of the message
 * @partner: rank sent to
 * @tag: of the message
 * @comm: index of its communicator + 1; 0 = none
 *
 * A send of the innermost open function. All sends of a location are of this kind, or none.
 */
void
kymo_segment_builder_send_to (KymoSegmentBuilder *b,
                              gint64              time_ns,
                              guint32             bytes,
                              gint32              partner,
                              gint32              tag,
                              guint32             comm)
{
  KymoExchange *x = exchange_of (b);
  guint32 block = kymo_builder_innermost_block (b);
  guint32 activity = block != KYMO_NO_BLOCK ? b->segment->block_activity[block] : G_MAXUINT32;
  guint i = x->n_sends;

  kymo_segment_builder_send (b, time_ns, KYMO_SEND_ONE, activity, b->segment->n_sends, bytes, 1);
  if (i == x->cap_sends)
    kymo_builder_grow_exchanged_sends (b);
  x->send_partner[i] = partner;
  x->send_tag[i] = tag;
  x->send_comm[i] = comm;
  x->send_block[i] = block;
  x->n_sends++;
}

/**
 * kymo_segment_builder_receive:
 * @bytes: size of the message
 * @partner: rank that sent it
 * @tag: of the message
 * @comm: index of its communicator + 1; 0 = none
 *
 * A message that the innermost open function received.
 */
void
kymo_segment_builder_receive (KymoSegmentBuilder *b,
                              gint64              time_ns,
                              guint32             bytes,
                              gint32              partner,
                              gint32              tag,
                              guint32             comm)
{
  KymoExchange *x = exchange_of (b);
  guint i = x->n_receives;

  if (i == x->cap_receives)
    kymo_builder_grow_receives (b);
  kymo_builder_set_time (b, &x->receive_time, i, time_ns);
  x->receive_partner[i] = partner;
  x->receive_tag[i] = tag;
  x->receive_comm[i] = comm;
  x->receive_bytes[i] = bytes;
  x->receive_block[i] = kymo_builder_innermost_block (b);
  x->n_receives++;
}

/**
 * kymo_segment_builder_multicast_pe:
 *
 * One more destination of the send that was added last.
 */
void
kymo_segment_builder_multicast_pe (KymoSegmentBuilder *b,
                                   gint32              pe)
{
  GArray *casts = b->segment->multicasts;
  guint send = b->segment->n_sends - 1;
  KymoMulticast *cast = casts->len > 0
    ? &g_array_index (casts, KymoMulticast, casts->len - 1) : NULL;

  if (cast == NULL || cast->send != send)
    {
      KymoMulticast fresh = { send, b->segment->multicast_pes->len, 0 };

      g_array_append_val (casts, fresh);
      cast = &g_array_index (casts, KymoMulticast, casts->len - 1);
    }
  g_array_append_val (b->segment->multicast_pes, pe);
  cast->n_pes++;
}

/**
 * kymo_segment_builder_point:
 * @point: its text is taken over
 *
 * Returns: number of the point, for kymo_segment_builder_end_point()
 */
guint
kymo_segment_builder_point (KymoSegmentBuilder *b,
                            const KymoPoint    *point)
{
  g_array_append_val (b->segment->points, *point);
  b->text_bytes += kymo_point_text_bytes (point);
  return b->segment->points->len - 1;
}

/**
 * kymo_segment_builder_end_point:
 * @point: its number
 * @time_ns: when what began with the point ended; not before that
 */
void
kymo_segment_builder_end_point (KymoSegmentBuilder *b,
                                guint               point,
                                gint64              time_ns)
{
  KymoPoint *begun = &g_array_index (b->segment->points, KymoPoint, point);

  begun->end_ns = MAX (begun->begin_ns, time_ns);
}

/* Records that a segment keeps for archives alone: requests of messages, and what threads
   do to each other. Their columns are made with the first of them, so that a run without such
   records has none. */

/**
 * kymo_segment_builder_aside:
 * @op: a #KymoAsideOp
 * @number: see there, as @comm
 */
void
kymo_segment_builder_aside (KymoSegmentBuilder *b,
                            gint64              time_ns,
                            guint               op,
                            guint32             number,
                            guint32             comm)
{
  KymoSegment *s = b->segment;
  guint i = s->n_asides;

  if (i == b->cap_asides)
    kymo_builder_grow_asides (b);
  kymo_builder_set_time (b, &s->aside_time, i, time_ns);
  s->aside_block[i] = kymo_builder_innermost_block (b);
  s->aside_number[i] = number;
  s->aside_comm[i] = comm;
  s->aside_op[i] = op;
  s->n_asides++;
}

/**
 * kymo_segment_builder_set_send_request:
 * @number: of its request in the location, from 1; 0 = it blocks
 *
 * To be called after each kymo_segment_builder_send_to() of a reader that knows requests.
 */
void
kymo_segment_builder_set_send_request (KymoSegmentBuilder *b,
                                       guint32             number)
{
  KymoExchange *x = b->segment->exchange;

  if (x->send_request == NULL && number == 0)
    return;
  if (x->send_request == NULL)
    x->send_request = kymo_segment_new_made (b->segment, x->cap_sends, sizeof (guint32));
  x->send_request[x->n_sends - 1] = number;
}

/**
 * kymo_segment_builder_set_receive_request:
 * @number: of its request in the location, from 1; 0 = it blocks
 *
 * To be called after each kymo_segment_builder_receive() of a reader that knows requests.
 */
void
kymo_segment_builder_set_receive_request (KymoSegmentBuilder *b,
                                          guint32             number)
{
  KymoExchange *x = b->segment->exchange;

  if (x->receive_request == NULL && number == 0)
    return;
  if (x->receive_request == NULL)
    x->receive_request = kymo_segment_new_made (b->segment, x->cap_receives, sizeof (guint32));
  x->receive_request[x->n_receives - 1] = number;
}
