/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which blocks are one call: a hash of the blocks by (source, event, entry,
 * object), open addressing. A slot holds the first block of a call, and
 * beside it the hash's other half, so that a slot of another call is told
 * without a look at the columns.
 */
#include "config.h"

#include "kymo-segment.h"

#include <string.h>

#include "kymo-memory.h"
#include "kymo-once.h"

typedef struct
{
  gint32  source, event;
  guint32 activity, object;
} CallKey;

typedef struct
{
  guint32 tag;
  guint32 block;                /* + 1; 0 = free */
} Slot;

typedef struct
{
  Slot   *slots;
  guint64 mask;
} CallTable;

static inline guint64
call_hash (const CallKey *key)
{
  guint64 h = ((guint64) (guint32) key->source << 32) ^ (guint32) key->event;

  h ^= ((guint64) key->object << 32 | key->activity) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  h ^= h >> 29;
  h *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return h ^ (h >> 32);
}

static inline CallKey
block_key (const KymoSegment *segment,
           guint              block)
{
  return (CallKey) { segment->block_source[block], segment->block_event[block],
                     segment->block_activity[block], kymo_segment_block_object (segment, block) };
}

static CallTable
call_table_new (const KymoSegment *segment)
{
  guint64 n_slots = 16;

  while (n_slots < 2 * (guint64) segment->n_blocks)
    n_slots *= 2;
  return (CallTable) { kymo_segment_new_made (segment, n_slots, sizeof (Slot)), n_slots - 1 };
}

/* The first block of the call that a block belongs to; blocks are asked for
   in ascending order. */
static inline guint
find_first (const KymoSegment *segment,
            const CallTable   *table,
            guint              block)
{
  CallKey key = block_key (segment, block);
  guint64 hash = call_hash (&key), i = hash & table->mask;
  guint32 tag = hash >> 32;

  if (key.event == KYMO_NO_MESSAGE)
    return block;
  for (; table->slots[i].block != 0; i = (i + 1) & table->mask)
    if (table->slots[i].tag == tag)
      {
        CallKey other = block_key (segment, table->slots[i].block - 1);

        if (memcmp (&key, &other, sizeof key) == 0)
          return table->slots[i].block - 1;
      }
  table->slots[i] = (Slot) { tag, block + 1 };
  return block;
}

/**
 * kymo_segment_find_firsts:
 *
 * Of each block whether it begins its call. Unlike
 * kymo_segment_peek_calls() it keeps nothing: for those who ask once.
 *
 * Returns: (transfer full): n_blocks flags; freed with kymo_scratch_free()
 */
guint8 *
kymo_segment_find_firsts (const KymoSegment *segment)
{
  CallTable table = call_table_new (segment);
  guint8 *firsts = kymo_segment_new_made (segment, segment->n_blocks, 1);

  for (guint i = 0; i < segment->n_blocks; i++)
    firsts[i] = find_first (segment, &table, i) == i;
  kymo_scratch_free (table.slots);
  return firsts;
}

static void
make_calls (KymoSegment *segment)
{
  CallTable table = call_table_new (segment);

  segment->block_call = kymo_segment_new_made (segment, segment->n_blocks, sizeof (guint32));
  segment->call_first_block = kymo_segment_new_made (segment, segment->n_blocks,
                                                     sizeof (guint32));
  for (guint i = 0; i < segment->n_blocks; i++)
    {
      guint first = find_first (segment, &table, i);

      if (first == i)
        {
          segment->call_first_block[segment->n_calls] = i;
          segment->block_call[i] = segment->n_calls++;
        }
      else
        segment->block_call[i] = segment->block_call[first];
    }
  kymo_scratch_free (table.slots);
}

/**
 * kymo_segment_peek_calls:
 *
 * A call is a distinct (source, event, entry, object); every block with the event
 * %KYMO_NO_MESSAGE is a call of its own. The runtime splits a call into several blocks when
 * another entry runs inside it, and so does a stretch without tracing.
 *
 * Returns: (transfer none): the number of each block's call, in order of
 * first block. Made on first use; any thread.
 */
const guint32 *
kymo_segment_peek_calls (KymoSegment *segment)
{
  if (kymo_once_enter (&segment->calls_once))
    {
      make_calls (segment);
      kymo_once_leave (&segment->calls_once, 1);
    }
  return segment->block_call;
}

/**
 * kymo_segment_is_first:
 *
 * Returns: whether the block begins its call (and does not resume it)
 */
gboolean
kymo_segment_is_first (KymoSegment *segment,
                       guint        block)
{
  const guint32 *calls = kymo_segment_peek_calls (segment);

  return segment->call_first_block[calls[block]] == block;
}
