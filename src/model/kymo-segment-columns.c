/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a segment in the making: how they grow, how times become
 * ticks, and which are not made at all. Nothing here knows what a record
 * means.
 */
#include "config.h"

#include "kymo-segment-builder-private.h"

#include <string.h>

/**
 * kymo_segment_builder_set_unit:
 * @unit_ns: what times are multiples of, as a rule; at most a millisecond
 *
 * To be called before the first record. A time that is no multiple, counted
 * from the first one, costs the segment memory, no exactness.
 */
void
kymo_segment_builder_set_unit (KymoSegmentBuilder *b,
                               guint32             unit_ns)
{
  guint64 odd;

  g_return_if_fail (unit_ns > 0 && unit_ns <= KYMO_TIMES_MAX_UNIT_NS);
  b->segment->unit_ns = unit_ns;
  b->unit_shift = __builtin_ctz (unit_ns);
  odd = unit_ns >> b->unit_shift;
  /* Newton's iteration: each step doubles the bits that are right, at first 3. */
  b->unit_inverse = odd;
  for (guint i = 0; i < 5; i++)
    b->unit_inverse *= 2 - odd * b->unit_inverse;
}

static gpointer
widened (const KymoSegment *s,
         gpointer           column,
         guint              n,
         gsize              capacity)
{
  gint64 *wide = g_new (gint64, capacity);

  for (guint i = 0; i < n; i++)
    wide[i] = kymo_times_at (kymo_segment_times (s, column), i);
  g_free (column);
  return wide;
}

static void
widen (KymoSegmentBuilder *b)
{
  KymoSegment *s = b->segment;

  /* What is being added now may stand one behind the rest. */
  s->piece_begin = widened (s, s->piece_begin, s->n_pieces, (gsize) b->cap_pieces + 1);
  s->block_begin = widened (s, s->block_begin, s->n_blocks, b->cap_blocks);
  s->block_end = widened (s, s->block_end, s->n_blocks, b->cap_blocks);
  s->send_time = widened (s, s->send_time, s->n_sends, b->cap_sends);
  s->wide = TRUE;
  s->base_ns = 0;
  b->end_tick = 0;
}

/* The first time decides on the base, a little before it, since what comes
   later may well be earlier. */
#define TICKS_BEFORE (1 << 28)

void
kymo_builder_set_time_slowly (KymoSegmentBuilder *b,
                              gpointer           *column,
                              guint               i,
                              gint64              time_ns)
{
  KymoSegment *s = b->segment;

  if (!b->has_base)
    {
      b->has_base = TRUE;
      if (!__builtin_sub_overflow (time_ns, (gint64) TICKS_BEFORE * s->unit_ns, &s->base_ns))
        b->end_tick = (guint64) G_MAXUINT32 + 1;
    }
  if (kymo_builder_to_tick (b, time_ns) < b->end_tick)
    ((guint32 *) *column)[i] = kymo_builder_to_tick (b, time_ns);
  else
    {
      if (!s->wide)
        widen (b);
      ((gint64 *) *column)[i] = time_ns;
    }
}

/* Half again as much: less waste than doubling, and realloc() of large arrays
   moves pages, not bytes. */
static guint
grown (guint capacity)
{
  return capacity + capacity / 2 + 64;
}

static inline gpointer
renew_times (const KymoSegmentBuilder *b,
             gpointer                  column,
             gsize                     n)
{
  return g_realloc_n (column, n, kymo_times_size (b->segment->wide));
}

void
kymo_builder_grow_pieces (KymoSegmentBuilder *b)
{
  KymoSegment *s = b->segment;

  b->cap_pieces = grown (b->cap_pieces);
  s->piece_begin = renew_times (b, s->piece_begin, (gsize) b->cap_pieces + 1);
  s->piece_state = g_renew (guint32, s->piece_state, b->cap_pieces);
}

void
kymo_builder_grow_blocks (KymoSegmentBuilder *b)
{
  KymoSegment *s = b->segment;
  gsize n = b->cap_blocks = grown (b->cap_blocks);

  s->block_begin = renew_times (b, s->block_begin, n);
  s->block_end = renew_times (b, s->block_end, n);
  s->block_activity = g_renew (guint32, s->block_activity, n);
  s->block_source = g_renew (gint32, s->block_source, n);
  s->block_event = g_renew (gint32, s->block_event, n);
  s->block_bytes = g_renew (guint32, s->block_bytes, n);
  if (s->block_object != NULL)
    s->block_object = g_renew (guint32, s->block_object, n);
  if (s->block_depth != NULL)
    s->block_depth = g_renew (guint8, s->block_depth, n);
  if (s->n_counters > 0)
    s->block_counters = g_renew (gint64, s->block_counters, n * s->n_counters);
}

/* The column is made with the first block that has an array element. */
void
kymo_builder_set_object (KymoSegmentBuilder *b,
                         guint               block,
                         guint32             object)
{
  KymoSegment *s = b->segment;

  if (s->block_object == NULL && object == KYMO_NO_OBJECT)
    return;
  if (s->block_object == NULL)
    {
      s->block_object = g_new (guint32, b->cap_blocks);
      for (guint i = 0; i < block; i++)
        s->block_object[i] = KYMO_NO_OBJECT;
    }
  s->block_object[block] = object;
}

/* The column is made with the first block that lies in another. */
void
kymo_builder_set_depth (KymoSegmentBuilder *b,
                        guint               block,
                        guint8              depth)
{
  KymoSegment *s = b->segment;

  if (s->block_depth == NULL && depth == 0)
    return;
  if (s->block_depth == NULL)
    {
      s->block_depth = g_new (guint8, b->cap_blocks);
      memset (s->block_depth, 0, block);
    }
  s->block_depth[block] = depth;
}

void
kymo_builder_grow_sends (KymoSegmentBuilder *b)
{
  KymoSegment *s = b->segment;
  gsize n = b->cap_sends = grown (b->cap_sends);

  s->send_time = renew_times (b, s->send_time, n);
  s->send_activity = g_renew (guint32, s->send_activity, n);
  s->send_event = g_renew (gint32, s->send_event, n);
  s->send_bytes = g_renew (guint32, s->send_bytes, n);
  if (s->send_destinations != NULL)
    s->send_destinations = g_renew (guint32, s->send_destinations, n);
  if (s->send_kind != NULL)
    s->send_kind = g_renew (guint8, s->send_kind, n);
}

/* Most programs send to one location at a time: the columns are made with the
   first send that is of another kind. */
void
kymo_builder_set_cast (KymoSegmentBuilder *b,
                       guint               send,
                       KymoSendKind        kind,
                       guint32             destinations)
{
  KymoSegment *s = b->segment;

  if (destinations != 1 && s->send_destinations == NULL)
    {
      s->send_destinations = g_new (guint32, b->cap_sends);
      for (guint i = 0; i < send; i++)
        s->send_destinations[i] = 1;
    }
  if (kind != KYMO_SEND_ONE && s->send_kind == NULL)
    {
      s->send_kind = g_new (guint8, b->cap_sends);
      memset (s->send_kind, KYMO_SEND_ONE, send);
    }
  if (s->send_destinations != NULL)
    s->send_destinations[send] = destinations;
  if (s->send_kind != NULL)
    s->send_kind[send] = kind;
}

/**
 * kymo_segment_builder_get_bytes:
 *
 * Returns: memory of the columns, for memory limits
 */
gsize
kymo_segment_builder_get_bytes (const KymoSegmentBuilder *b)
{
  const KymoSegment *s = b->segment;
  gsize time = kymo_times_size (s->wide);
  gsize send = time + 12 + (s->send_destinations != NULL ? 4 : 0) + (s->send_kind != NULL ? 1 : 0);
  gsize block = 2 * time + 16 + (s->block_object != NULL ? 4 : 0)
    + (s->block_depth != NULL ? 1 : 0) + 8 * s->n_counters;

  return (gsize) b->cap_pieces * (time + 4) + b->cap_sends * send + b->cap_blocks * block
    + (gsize) b->segment->points->len * sizeof (KymoPoint);
}
