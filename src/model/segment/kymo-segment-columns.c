/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a segment in the making: how they grow, how times become
 * ticks, and which are not made at all. Nothing here knows what a record
 * means.
 */
#include "config.h"

#include "kymo-segment-builder-private.h"

#include <string.h>

#include "kymo-memory.h"

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

/* A column that grows, or moves to the disk. */
static gpointer
renew_column (const KymoSegment *s,
              gpointer           column,
              gsize              n_before,
              gsize              n,
              gsize              size)
{
  gpointer moved;

  if (G_LIKELY (!s->scarce))
    return g_realloc_n (column, n, size);
  moved = kymo_segment_new_made (s, n, size);
  if (column != NULL)
    memcpy (moved, column, MIN (n_before, n) * size);
  kymo_scratch_free (column);
  return moved;
}

static gpointer
widened_segment_columns (const KymoSegment *s,
                         gpointer           column,
                         guint              n,
                         gsize              capacity)
{
  gint64 *wide = kymo_segment_new_made (s, capacity, sizeof (gint64));

  for (guint i = 0; i < n; i++)
    wide[i] = kymo_times_at (kymo_segment_times (s, column), i);
  kymo_scratch_free (column);
  return wide;
}

static void
widen_segment_columns (KymoSegmentBuilder *b)
{
  KymoSegment *s = b->segment;
  KymoExchange *x = s->exchange;

  /* Room for an element more: the value being added may already stand behind the last piece. */
  s->piece_begin = widened_segment_columns (s, s->piece_begin, s->n_pieces, (gsize) b->cap_pieces
                                            + 1);
  s->block_begin = widened_segment_columns (s, s->block_begin, s->n_blocks, b->cap_blocks);
  s->block_end = widened_segment_columns (s, s->block_end, s->n_blocks, b->cap_blocks);
  s->send_time = widened_segment_columns (s, s->send_time, s->n_sends, b->cap_sends);
  if (x != NULL)
    x->receive_time = widened_segment_columns (s, x->receive_time, x->n_receives, x->cap_receives);
  if (s->aside_time != NULL)
    s->aside_time = widened_segment_columns (s, s->aside_time, s->n_asides, b->cap_asides);
  s->wide = TRUE;
  s->base_ns = 0;
  b->end_tick = 0;
}

/* The first time decides on the base, a little before it, since what comes
   later may well be earlier. */
#define TICKS_BEFORE (1 << 28)

/**
 * kymo_builder_set_time_slowly:
 * @column: one of the segment's columns of times; it may move
 * @i: index in the column, which has room
 *
 * The rest of kymo_builder_set_time(): sets the base at the first time, and widens all
 * columns when a time does not fit into ticks of 32 bits.
 */
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
        widen_segment_columns (b);
      ((gint64 *) *column)[i] = time_ns;
    }
}

#define RENEW(column, before, n) \
  ((column) = renew_column (s, (column), (before), (n), sizeof *(column)))
#define RENEW_TIMES(column, before, n) \
  ((column) = renew_column (s, (column), (before), (n), kymo_times_size (s->wide)))

static void
renew_pieces (KymoSegment *s,
              gsize        before,
              gsize        n)
{
  RENEW_TIMES (s->piece_begin, before + (before > 0), n + 1);
  RENEW (s->piece_state, before, n);
}

static void
renew_blocks (KymoSegment *s,
              gsize        before,
              gsize        n)
{
  RENEW_TIMES (s->block_begin, before, n);
  RENEW_TIMES (s->block_end, before, n);
  RENEW (s->block_activity, before, n);
  RENEW (s->block_source, before, n);
  RENEW (s->block_event, before, n);
  RENEW (s->block_bytes, before, n);
  if (s->block_object != NULL)
    RENEW (s->block_object, before, n);
  if (s->block_depth != NULL)
    RENEW (s->block_depth, before, n);
  if (s->n_counters > 0)
    RENEW (s->block_counters, before * s->n_counters, n * s->n_counters);
}

static void
renew_sends (KymoSegment *s,
             gsize        before,
             gsize        n)
{
  RENEW_TIMES (s->send_time, before, n);
  RENEW (s->send_activity, before, n);
  RENEW (s->send_event, before, n);
  RENEW (s->send_bytes, before, n);
  if (s->send_destinations != NULL)
    RENEW (s->send_destinations, before, n);
  if (s->send_kind != NULL)
    RENEW (s->send_kind, before, n);
}

static void
renew_exchanged_sends (KymoSegment *s,
                       gsize        before,
                       gsize        n)
{
  KymoExchange *x = s->exchange;

  RENEW (x->send_partner, before, n);
  RENEW (x->send_tag, before, n);
  RENEW (x->send_comm, before, n);
  RENEW (x->send_block, before, n);
  if (x->send_request != NULL)
    RENEW (x->send_request, before, n);
}

static void
renew_receives (KymoSegment *s,
                gsize        before,
                gsize        n)
{
  KymoExchange *x = s->exchange;

  RENEW_TIMES (x->receive_time, before, n);
  RENEW (x->receive_partner, before, n);
  RENEW (x->receive_tag, before, n);
  RENEW (x->receive_comm, before, n);
  RENEW (x->receive_bytes, before, n);
  RENEW (x->receive_block, before, n);
  if (x->receive_request != NULL)
    RENEW (x->receive_request, before, n);
}

static void
renew_asides (KymoSegment *s,
              gsize        before,
              gsize        n)
{
  RENEW_TIMES (s->aside_time, before, n);
  RENEW (s->aside_block, before, n);
  RENEW (s->aside_number, before, n);
  RENEW (s->aside_comm, before, n);
  RENEW (s->aside_op, before, n);
}

/* Half again as much: less waste than doubling, and realloc() of large arrays moves pages, not
   bytes. */
static void
grow_columns (KymoSegment *s,
              guint       *capacity,
              void       (*renew) (KymoSegment *s, gsize before, gsize n))
{
  guint before = *capacity;

  *capacity = before + before / 2 + 64;
  renew (s, before, *capacity);
}

/**
 * kymo_builder_grow_pieces:
 *
 * Makes room for more pieces.
 */
void
kymo_builder_grow_pieces (KymoSegmentBuilder *b)
{
  grow_columns (b->segment, &b->cap_pieces, renew_pieces);
}

/**
 * kymo_builder_grow_blocks:
 *
 * Makes room for more blocks in the columns of blocks that are there.
 */
void
kymo_builder_grow_blocks (KymoSegmentBuilder *b)
{
  grow_columns (b->segment, &b->cap_blocks, renew_blocks);
}

/**
 * kymo_builder_grow_sends:
 *
 * Makes room for more sends in the columns of sends that are there.
 */
void
kymo_builder_grow_sends (KymoSegmentBuilder *b)
{
  grow_columns (b->segment, &b->cap_sends, renew_sends);
}

/**
 * kymo_builder_grow_exchanged_sends:
 *
 * Makes room for more partners and tags of sends.
 */
void
kymo_builder_grow_exchanged_sends (KymoSegmentBuilder *b)
{
  grow_columns (b->segment, &b->segment->exchange->cap_sends, renew_exchanged_sends);
}

/**
 * kymo_builder_grow_receives:
 *
 * Makes room for more receives.
 */
void
kymo_builder_grow_receives (KymoSegmentBuilder *b)
{
  grow_columns (b->segment, &b->segment->exchange->cap_receives, renew_receives);
}

/**
 * kymo_builder_grow_asides:
 *
 * Makes room for more asides.
 */
void
kymo_builder_grow_asides (KymoSegmentBuilder *b)
{
  grow_columns (b->segment, &b->cap_asides, renew_asides);
}

/**
 * kymo_segment_builder_use_scratch:
 *
 * From here on the columns lie in scratch memory (kymo-memory.h) as far as
 * the disk has room.
 */
void
kymo_segment_builder_use_scratch (KymoSegmentBuilder *b)
{
  KymoSegment *s = b->segment;

  if (s->scarce)
    return;
  s->scarce = TRUE;
  if (b->cap_pieces > 0)
    renew_pieces (s, b->cap_pieces, b->cap_pieces);
  if (b->cap_blocks > 0)
    renew_blocks (s, b->cap_blocks, b->cap_blocks);
  if (b->cap_sends > 0)
    renew_sends (s, b->cap_sends, b->cap_sends);
  if (s->exchange != NULL && s->exchange->cap_sends > 0)
    renew_exchanged_sends (s, s->exchange->cap_sends, s->exchange->cap_sends);
  if (s->exchange != NULL && s->exchange->cap_receives > 0)
    renew_receives (s, s->exchange->cap_receives, s->exchange->cap_receives);
  if (b->cap_asides > 0)
    renew_asides (s, b->cap_asides, b->cap_asides);
}

/**
 * kymo_builder_set_object:
 * @block: index of a block
 * @object: index of its array element, or %KYMO_NO_OBJECT
 *
 * Stores the array element of a block. The column is made with the first block that has one.
 */
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
      s->block_object = kymo_segment_new_made (s, b->cap_blocks, sizeof *s->block_object);
      for (guint i = 0; i < block; i++)
        s->block_object[i] = KYMO_NO_OBJECT;
    }
  s->block_object[block] = object;
}

/**
 * kymo_builder_set_depth:
 * @block: index of a block
 * @depth: number of blocks it lies in
 *
 * Stores the depth of a block. The column is made with the first block that lies in another.
 */
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
      s->block_depth = kymo_segment_new_made (s, b->cap_blocks, sizeof *s->block_depth);
      memset (s->block_depth, 0, block);
    }
  s->block_depth[block] = depth;
}

/**
 * kymo_builder_set_cast:
 * @send: index of a send
 * @kind: of the send
 * @destinations: number of locations it goes to
 *
 * Stores the kind of a send. Most programs send to one location at a time, so each column is
 * made with the first send that differs.
 */
void
kymo_builder_set_cast (KymoSegmentBuilder *b,
                       guint               send,
                       KymoSendKind        kind,
                       guint32             destinations)
{
  KymoSegment *s = b->segment;

  if (destinations != 1 && s->send_destinations == NULL)
    {
      s->send_destinations = kymo_segment_new_made (s, b->cap_sends, sizeof *s->send_destinations);
      for (guint i = 0; i < send; i++)
        s->send_destinations[i] = 1;
    }
  if (kind != KYMO_SEND_ONE && s->send_kind == NULL)
    {
      s->send_kind = kymo_segment_new_made (s, b->cap_sends, sizeof *s->send_kind);
      memset (s->send_kind, KYMO_SEND_ONE, send);
    }
  if (s->send_destinations != NULL)
    s->send_destinations[send] = destinations;
  if (s->send_kind != NULL)
    s->send_kind[send] = kind;
}

/* An array of GLib has as many bytes as the next power of two. */
static gsize
array_bytes (GArray *array)
{
  gsize n = (gsize) array->len * g_array_get_element_size (array), room = 16;

  while (room < n)
    room *= 2;
  return room;
}

static gsize
bytes_in_memory (gconstpointer column,
                 gsize         n,
                 gsize         size)
{
  return column == NULL || kymo_scratch_owns (column) ? 0 : n * size;
}

static gsize
count_columns (const KymoSegmentBuilder *b)
{
  const KymoSegment *s = b->segment;
  gsize time = kymo_times_size (s->wide), blocks = b->cap_blocks, sends = b->cap_sends;

  return bytes_in_memory (s->piece_begin, (gsize) b->cap_pieces + 1, time)
    + bytes_in_memory (s->piece_state, b->cap_pieces, 4)
    + bytes_in_memory (s->block_begin, blocks, time) + bytes_in_memory (s->block_end, blocks, time)
    + bytes_in_memory (s->block_activity, blocks, 4) + bytes_in_memory (s->block_source, blocks, 4)
    + bytes_in_memory (s->block_event, blocks, 4) + bytes_in_memory (s->block_bytes, blocks, 4)
    + bytes_in_memory (s->block_object, blocks, 4) + bytes_in_memory (s->block_depth, blocks, 1)
    + bytes_in_memory (s->block_counters, blocks * s->n_counters, 8)
    + bytes_in_memory (s->send_time, sends, time) + bytes_in_memory (s->send_activity, sends, 4)
    + bytes_in_memory (s->send_event, sends, 4) + bytes_in_memory (s->send_bytes, sends, 4)
    + bytes_in_memory (s->send_destinations, sends, 4) + bytes_in_memory (s->send_kind, sends, 1)
    + bytes_in_memory (s->aside_time, b->cap_asides, time)
    + bytes_in_memory (s->aside_block, b->cap_asides, 4)
    + bytes_in_memory (s->aside_number, b->cap_asides, 4)
    + bytes_in_memory (s->aside_comm, b->cap_asides, 4)
    + bytes_in_memory (s->aside_op, b->cap_asides, 1);
}

static gsize
count_exchange (const KymoSegment *s)
{
  const KymoExchange *x = s->exchange;
  gsize time = kymo_times_size (s->wide);

  if (x == NULL)
    return 0;
  return bytes_in_memory (x->send_partner, x->cap_sends, 4)
    + bytes_in_memory (x->send_tag, x->cap_sends, 4)
    + bytes_in_memory (x->send_comm, x->cap_sends, 4)
    + bytes_in_memory (x->send_block, x->cap_sends, 4)
    + bytes_in_memory (x->send_request, x->cap_sends, 4)
    + bytes_in_memory (x->receive_time, x->cap_receives, time)
    + bytes_in_memory (x->receive_partner, x->cap_receives, 4)
    + bytes_in_memory (x->receive_tag, x->cap_receives, 4)
    + bytes_in_memory (x->receive_comm, x->cap_receives, 4)
    + bytes_in_memory (x->receive_bytes, x->cap_receives, 4)
    + bytes_in_memory (x->receive_block, x->cap_receives, 4)
    + bytes_in_memory (x->receive_request, x->cap_receives, 4);
}

/**
 * kymo_segment_builder_get_bytes:
 *
 * Returns: memory of the segment in the making, what lies in scratch memory
 * left out; for memory limits
 */
gsize
kymo_segment_builder_get_bytes (const KymoSegmentBuilder *b)
{
  const KymoSegment *s = b->segment;

  return count_columns (b) + count_exchange (s) + array_bytes (s->points) + b->text_bytes
    + array_bytes (s->stretches)
    + array_bytes (s->multicasts) + array_bytes (s->multicast_pes)
    + b->objects.capacity * sizeof (KymoObject) + b->objects.n_slots * sizeof (guint);
}
