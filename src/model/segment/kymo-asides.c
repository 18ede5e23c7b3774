/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records that a segment keeps for archives alone: requests of messages, and what threads
 * do to each other. Their columns are made with the first of them, so that a run without such
 * records has none.
 */
#include "config.h"

#include "kymo-segment-builder-private.h"

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
