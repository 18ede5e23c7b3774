/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder's machine and its columns, which know each other's state:
 * kymo-segment-builder.c and kymo-segment-columns.c.
 */
#pragma once

#include "kymo-object-set.h"
#include "kymo-segment-builder.h"

G_BEGIN_DECLS

#define MAX_DEPTH 255
#define NO_TIME G_MININT64

struct _KymoSegmentBuilder
{
  KymoSegment *segment;
  guint        n_states;
  /* capacities of the columns */
  guint        cap_pieces, cap_blocks, cap_sends, cap_asides;
  /* how a time becomes a tick, see kymo_builder_to_tick() */
  guint64      end_tick;        /* ticks from here on do not fit; 0 when wide */
  guint64      unit_inverse;
  guint        unit_shift;
  gboolean     has_base;
  KymoObjectSet objects;
  gsize        text_bytes;      /* of the texts of points */
  /* the machine */
  gint64       cursor_ns;       /* where the open piece begins */
  gboolean     started;
  gboolean     idle, traced;
  gboolean     was_traced_before; /* any record but the first since begin */
  guint        records_since_mark;
  gint64       mark_ns;         /* last phase mark */
  guint32      open_blocks[MAX_DEPTH];
  guint        depth;
  guint        ignored_depth;   /* begins beyond MAX_DEPTH */
  guint32      suspended[MAX_DEPTH];     /* blocks, outermost first */
  guint        n_suspended;
  gint32       n_interrupted;   /* calls that got a number, see KymoSegment.block_event */
  gint64       stretch_begin_ns[KYMO_N_STRETCH_KINDS];
  gint64       min_ns, max_ns, last_ns;
  KymoRepairs  repairs;
};

void kymo_builder_set_time_slowly (KymoSegmentBuilder *b,
                                   gpointer           *column,
                                   guint               i,
                                   gint64              time_ns);
void kymo_builder_grow_pieces     (KymoSegmentBuilder *b);
void kymo_builder_grow_blocks     (KymoSegmentBuilder *b);
void kymo_builder_grow_sends      (KymoSegmentBuilder *b);
void kymo_builder_grow_exchanged_sends (KymoSegmentBuilder *b);
void kymo_builder_grow_receives   (KymoSegmentBuilder *b);
void kymo_builder_grow_asides     (KymoSegmentBuilder *b);
void kymo_builder_set_object      (KymoSegmentBuilder *b,
                                   guint               block,
                                   guint32             object);
void kymo_builder_set_depth       (KymoSegmentBuilder *b,
                                   guint               block,
                                   guint8              depth);
void kymo_builder_set_cast        (KymoSegmentBuilder *b,
                                   guint               send,
                                   KymoSendKind        kind,
                                   guint32             destinations);

/**
 * kymo_builder_innermost_block:
 *
 * Returns: the index of the innermost open block; KYMO_NO_BLOCK if none is open
 */
static inline guint32
kymo_builder_innermost_block (const KymoSegmentBuilder *b)
{
  return b->depth > 0 ? b->open_blocks[b->depth - 1] : KYMO_NO_BLOCK;
}

/**
 * kymo_builder_to_tick:
 * @time_ns: any time
 *
 * A time before the base, between two units, or beyond what 32 bits hold gives a number
 * beyond 32 bits: the low bits of a time that is no multiple turn up at the top (Granlund and
 * Montgomery, "Division by Invariant Integers using Multiplication", 1994, section 9).
 *
 * Returns: how many units the time lies after the base
 */
static inline guint64
kymo_builder_to_tick (const KymoSegmentBuilder *b,
                      gint64                    time_ns)
{
  guint64 q = ((guint64) time_ns - (guint64) b->segment->base_ns) * b->unit_inverse;

  return q >> b->unit_shift | q << (-b->unit_shift & 63);
}

/**
 * kymo_builder_set_time:
 * @column: one of the segment's columns of times; it may move
 * @i: index in the column, which has room
 *
 * Stores a time as a tick of 32 bits if it fits, else as kymo_builder_set_time_slowly() does.
 */
static inline void
kymo_builder_set_time (KymoSegmentBuilder *b,
                       gpointer           *column,
                       guint               i,
                       gint64              time_ns)
{
  guint64 tick = kymo_builder_to_tick (b, time_ns);

  if (G_LIKELY (tick < b->end_tick))
    ((guint32 *) *column)[i] = tick;
  else
    kymo_builder_set_time_slowly (b, column, i, time_ns);
}

G_END_DECLS
