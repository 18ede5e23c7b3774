/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-segment-builder-private.h"

#include <string.h>

/* The state of a stretch between two phase marks without any record: untraced
   where the log was cut, overhead elsewhere; known only at the end. */
#define STATE_PERHAPS_CUT G_MAXUINT32

/**
 * kymo_segment_builder_new:
 * @location: index of the location in the run
 * @n_activities: number of activities of the run
 *
 * Makes a builder of an empty segment, traced from the start, with a unit of 1 ns.
 *
 * Returns: (transfer full): free with kymo_segment_builder_free()
 */
KymoSegmentBuilder *
kymo_segment_builder_new (guint location,
                          guint n_activities)
{
  KymoSegmentBuilder *b = g_new0 (KymoSegmentBuilder, 1);

  b->segment = kymo_segment_new ();
  b->segment->location = location;
  b->n_states = KYMO_STATE_ACTIVITY + n_activities;
  kymo_object_set_init (&b->objects);
  b->traced = TRUE;
  b->min_ns = G_MAXINT64;
  b->max_ns = G_MININT64;
  b->mark_ns = NO_TIME;
  for (guint i = 0; i < KYMO_N_STRETCH_KINDS; i++)
    b->stretch_begin_ns[i] = NO_TIME;
  kymo_segment_builder_set_unit (b, 1);
  return b;
}

/**
 * kymo_segment_builder_free:
 *
 * Frees @builder. %NULL is ignored. The segment that was not sealed is freed, too.
 */
void
kymo_segment_builder_free (KymoSegmentBuilder *builder)
{
  if (builder == NULL)
    return;
  kymo_segment_unref (builder->segment);
  kymo_object_set_clear (&builder->objects);
  g_free (builder);
}

static void
append_piece (KymoSegmentBuilder *b,
              gint64              begin_ns,
              guint32             state)
{
  KymoSegment *s = b->segment;

  if (s->n_pieces == b->cap_pieces)
    kymo_builder_grow_pieces (b);
  kymo_builder_set_time (b, &s->piece_begin, s->n_pieces, begin_ns);
  s->piece_state[s->n_pieces++] = state;
}

static inline guint32
current_state (const KymoSegmentBuilder *b)
{
  if (b->depth > 0)
    return KYMO_STATE_ACTIVITY
      + b->segment->block_activity[b->open_blocks[b->depth - 1]];
  if (b->idle)
    return KYMO_STATE_IDLE;
  return b->traced ? KYMO_STATE_OVERHEAD : KYMO_STATE_UNTRACED;
}

/* Closes the open piece at time_ns with the given state. Returns the time,
   never before the piece's begin. */
static gint64
cut_piece_as (KymoSegmentBuilder *b,
              gint64              time_ns,
              guint32             state)
{
  KymoSegment *s = b->segment;

  if (!b->started)
    {
      b->started = TRUE;
      b->cursor_ns = time_ns;
      return time_ns;
    }
  if (time_ns < b->cursor_ns)
    {
      b->repairs.time_backwards++;
      return b->cursor_ns;
    }
  if (time_ns == b->cursor_ns && (state < KYMO_STATE_ACTIVITY || state == STATE_PERHAPS_CUT))
    return time_ns;
  if (s->n_pieces == 0 || state >= KYMO_STATE_ACTIVITY
      || s->piece_state[s->n_pieces - 1] != state)
    append_piece (b, b->cursor_ns, state);
  b->cursor_ns = time_ns;
  return time_ns;
}

static inline gint64
cut_piece (KymoSegmentBuilder *b,
           gint64              time_ns)
{
  return cut_piece_as (b, time_ns, current_state (b));
}

/**
 * kymo_segment_builder_touch:
 *
 * A record with this time was met: the span reaches to it. To be called for
 * every record.
 */
void
kymo_segment_builder_touch (KymoSegmentBuilder *b,
                            gint64              time_ns)
{
  b->min_ns = MIN (b->min_ns, time_ns);
  b->max_ns = MAX (b->max_ns, time_ns);
  b->last_ns = time_ns;
  b->records_since_mark++;
}

/**
 * kymo_segment_builder_set_n_counters:
 * @n: hardware counters of each begin and end; before the first block
 */
void
kymo_segment_builder_set_n_counters (KymoSegmentBuilder *b,
                                     guint               n)
{
  b->segment->n_counters = n;
}

/* Counters of the innermost open block, or NULL where none is counted. */
static gint64 *
innermost_counters (KymoSegmentBuilder *b)
{
  KymoSegment *s = b->segment;

  if (s->n_counters == 0 || b->ignored_depth > 0 || b->depth == 0)
    return NULL;
  return s->block_counters + (gsize) b->open_blocks[b->depth - 1] * s->n_counters;
}

/**
 * kymo_segment_builder_begin_counters:
 * @totals: (nullable) (array): running totals when the block that was begun
 *   last began; %NULL where they were not read
 */
void
kymo_segment_builder_begin_counters (KymoSegmentBuilder *b,
                                     const gint64       *totals)
{
  KymoSegment *s = b->segment;
  gint64 *counts = innermost_counters (b);

  for (guint i = 0; counts != NULL && i < s->n_counters; i++)
    counts[i] = totals != NULL ? totals[i] : KYMO_NO_COUNT;
}

/**
 * kymo_segment_builder_end_counters:
 * @totals: (nullable) (array): running totals when the innermost open block
 *   ends; to be called before kymo_segment_builder_end_block()
 */
void
kymo_segment_builder_end_counters (KymoSegmentBuilder *b,
                                   const gint64       *totals)
{
  KymoSegment *s = b->segment;
  gint64 *counts = innermost_counters (b);

  for (guint i = 0; counts != NULL && i < s->n_counters; i++)
    {
      gint64 count;

      if (totals == NULL || totals[i] == KYMO_NO_COUNT || counts[i] == KYMO_NO_COUNT
          || __builtin_sub_overflow (totals[i], counts[i], &count))
        count = KYMO_NO_COUNT;
      else if (count < 0)
        {
          count = KYMO_NO_COUNT;
          b->repairs.counter_backwards++;
        }
      counts[i] = count;
    }
}

/**
 * kymo_segment_builder_begin_block:
 * @activity: index of the activity in the run
 * @source: sending location, or -1
 * @event: its event number, < 0 if no message started the block
 * @bytes: size of the message
 * @object: (nullable): array element; unused dimensions are 0
 *
 * A block begins; an open block is paused. Beyond a depth that no program has, the block is
 * left out and counted as a repair.
 */
void
kymo_segment_builder_begin_block (KymoSegmentBuilder *b,
                                  gint64              time_ns,
                                  guint32             activity,
                                  gint32              source,
                                  gint32              event,
                                  guint32             bytes,
                                  const KymoObject   *object)
{
  KymoSegment *s = b->segment;
  guint i = s->n_blocks;

  if (b->depth == MAX_DEPTH)
    {
      b->ignored_depth++;
      b->repairs.too_deep++;
      return;
    }
  time_ns = cut_piece (b, time_ns);
  if (b->idle)
    {
      b->idle = FALSE;
      b->repairs.idle_in_block++;
    }
  if (i == b->cap_blocks)
    kymo_builder_grow_blocks (b);
  kymo_builder_set_time (b, &s->block_begin, i, time_ns);
  kymo_builder_set_time (b, &s->block_end, i, time_ns);
  s->block_activity[i] = activity;
  s->block_source[i] = source;
  /* Numbers below KYMO_NO_MESSAGE mark calls that were interrupted; the caller's number must not
     look like them. */
  s->block_event[i] = MAX (event, KYMO_NO_MESSAGE);
  s->block_bytes[i] = bytes;
  kymo_builder_set_object (b, i, kymo_object_set_add (&b->objects, object));
  kymo_builder_set_depth (b, i, b->depth);
  s->n_blocks++;
  b->open_blocks[b->depth++] = i;
}

/**
 * kymo_segment_builder_end_block:
 *
 * Ends the innermost open block, whatever it was; without one does nothing.
 */
void
kymo_segment_builder_end_block (KymoSegmentBuilder *b,
                                gint64              time_ns)
{
  if (b->ignored_depth > 0)
    {
      b->ignored_depth--;
      return;
    }
  if (b->depth == 0)
    return;
  time_ns = cut_piece (b, time_ns);
  b->depth--;
  kymo_builder_set_time (b, &b->segment->block_end, b->open_blocks[b->depth], time_ns);
}

/**
 * kymo_segment_builder_set_idle:
 * @idle: %TRUE where idle time begins, %FALSE where it ends
 *
 * Inside an open block the block wins, which counts as a repair.
 */
void
kymo_segment_builder_set_idle (KymoSegmentBuilder *b,
                               gint64              time_ns,
                               gboolean            idle)
{
  if (idle && b->depth > 0)
    b->repairs.idle_in_block++;
  if (b->depth == 0)
    cut_piece (b, time_ns);
  b->idle = idle;
}

/**
 * kymo_segment_builder_close_all:
 *
 * Ends every open block and idle: at the end of tracing or of the log. The
 * outer blocks do not resume in between.
 */
void
kymo_segment_builder_close_all (KymoSegmentBuilder *b,
                                gint64              time_ns)
{
  b->ignored_depth = 0;
  time_ns = cut_piece (b, time_ns);
  while (b->depth > 0)
    {
      kymo_segment_builder_end_counters (b, NULL);
      b->depth--;
      kymo_builder_set_time (b, &b->segment->block_end, b->open_blocks[b->depth], time_ns);
    }
  b->idle = FALSE;
}

/**
 * kymo_segment_builder_is_innermost:
 *
 * Returns: whether the innermost open block is of the activity
 */
gboolean
kymo_segment_builder_is_innermost (const KymoSegmentBuilder *b,
                                   guint32                   activity)
{
  return b->depth > 0 && b->segment->block_activity[b->open_blocks[b->depth - 1]] == activity;
}

/**
 * kymo_segment_builder_close_lost:
 *
 * Ends every open block where the last state change was: a record tells that none is open,
 * so their ends were lost.
 */
void
kymo_segment_builder_close_lost (KymoSegmentBuilder *b)
{
  gboolean idle = b->idle;

  if (b->depth == 0)
    return;
  kymo_segment_builder_close_all (b, b->cursor_ns);
  b->idle = idle;
}

/**
 * kymo_segment_builder_set_traced:
 * @traced: %TRUE where tracing goes on, %FALSE where it goes off
 *
 * When tracing goes on and nothing but the begin of the log came before, it had been off from
 * the start. When it goes off, open blocks end.
 */
void
kymo_segment_builder_set_traced (KymoSegmentBuilder *b,
                                 gint64              time_ns,
                                 gboolean            traced)
{
  if (!traced)
    kymo_segment_builder_close_all (b, time_ns);
  else if (!b->was_traced_before && b->segment->n_pieces == 0
           && b->records_since_mark <= 1)
    b->traced = FALSE;
  if (b->depth == 0)
    cut_piece (b, time_ns);
  b->traced = traced;
  b->was_traced_before = TRUE;
}

/**
 * kymo_segment_builder_suspend:
 *
 * Tracing goes off while calls go on: their blocks end here, and
 * kymo_segment_builder_resume() begins blocks that are the same calls. What hardware counters
 * counted in a call that is interrupted is not known.
 */
void
kymo_segment_builder_suspend (KymoSegmentBuilder *b,
                              gint64              time_ns)
{
  KymoSegment *s = b->segment;

  for (guint i = 0; i < b->depth; i++)
    {
      guint32 block = b->open_blocks[i];

      if (s->block_event[block] == KYMO_NO_MESSAGE && b->n_interrupted < G_MAXINT32 - 2)
        s->block_event[block] = -2 - b->n_interrupted++;
      b->suspended[i] = block;
    }
  b->n_suspended = b->depth;
  kymo_segment_builder_set_traced (b, time_ns, FALSE);
}

/**
 * kymo_segment_builder_resume:
 * @activities: (array length=n): the functions that are open now, outermost first
 *
 * Tracing goes on again. Those of the functions that were open when it went off and that
 * did not change since are the same calls.
 *
 * Returns: how many of the functions are calls from before
 */
gsize
kymo_segment_builder_resume (KymoSegmentBuilder *b,
                             gint64              time_ns,
                             const guint32      *activities,
                             gsize               n)
{
  gsize n_same = 0;

  kymo_segment_builder_set_traced (b, time_ns, TRUE);
  while (n_same < n && n_same < b->n_suspended
         && b->segment->block_activity[b->suspended[n_same]] == activities[n_same])
    n_same++;
  for (gsize i = 0; i < n; i++)
    {
      guint block = b->segment->n_blocks;

      kymo_segment_builder_begin_block (b, time_ns, activities[i], -1, KYMO_NO_MESSAGE, 0, NULL);
      if (i < n_same && b->segment->n_blocks > block)
        b->segment->block_event[block] = b->segment->block_event[b->suspended[i]];
      kymo_segment_builder_begin_counters (b, NULL);
    }
  b->n_suspended = 0;
  return n_same;
}

/**
 * kymo_segment_builder_phase:
 *
 * A mark between which a reduction may have cut the log: its begin, the end
 * of a phase, its end. To be called after kymo_segment_builder_touch().
 */
void
kymo_segment_builder_phase (KymoSegmentBuilder *b,
                            gint64              time_ns)
{
  /* The mark itself was counted by touch. */
  gboolean empty = b->mark_ns != NO_TIME && b->records_since_mark <= 1;
  guint32 state = current_state (b);

  /* An open block goes on over the mark in one piece. */
  if (b->depth == 0)
    cut_piece_as (b, time_ns, empty && state == KYMO_STATE_OVERHEAD ? STATE_PERHAPS_CUT : state);
  b->mark_ns = time_ns;
  b->records_since_mark = 0;
}

/**
 * kymo_segment_builder_begin_stretch:
 *
 * A stretch of the kind begins, in place of a stretch of the kind that has not ended.
 */
void
kymo_segment_builder_begin_stretch (KymoSegmentBuilder *b,
                                    KymoStretchKind     kind,
                                    gint64              time_ns)
{
  b->stretch_begin_ns[kind] = time_ns;
}

/**
 * kymo_segment_builder_end_stretch:
 *
 * Adds the stretch of the kind that began last. Nothing is added if none is open or if it
 * would end before it begins.
 */
void
kymo_segment_builder_end_stretch (KymoSegmentBuilder *b,
                                  KymoStretchKind     kind,
                                  gint64              time_ns)
{
  KymoStretch stretch = { b->stretch_begin_ns[kind], time_ns, kind };

  b->stretch_begin_ns[kind] = NO_TIME;
  if (stretch.begin_ns == NO_TIME || time_ns < stretch.begin_ns)
    return;
  g_array_append_val (b->segment->stretches, stretch);
}

static void
prepend_overhead (KymoSegmentBuilder *b,
                  gint64              begin_ns)
{
  KymoSegment *s = b->segment;
  gsize n = s->n_pieces, size;

  /* Appended, so that there is room and the time fits; then moved to the front. */
  append_piece (b, begin_ns, KYMO_STATE_OVERHEAD);
  size = kymo_times_size (s->wide);
  memmove ((char *) s->piece_begin + size, s->piece_begin, n * size);
  memmove (s->piece_state + 1, s->piece_state, n * sizeof (guint32));
  kymo_builder_set_time (b, &s->piece_begin, 0, begin_ns);
  s->piece_state[0] = KYMO_STATE_OVERHEAD;
}

/* The track reaches over the whole span, also where the first or last time
   belongs to a record that changes no state. */
static void
finish_track (KymoSegmentBuilder *b,
              gboolean            cut)
{
  KymoSegment *s = b->segment;

  kymo_segment_builder_close_all (b, MAX (b->last_ns, b->cursor_ns));
  if (b->max_ns > b->cursor_ns)
    cut_piece (b, b->max_ns);
  s->span = (KymoSpan) { MIN (b->min_ns, b->max_ns), MAX (b->max_ns, b->cursor_ns) };
  if (s->n_pieces == 0)
    append_piece (b, s->span.begin_ns, STATE_PERHAPS_CUT);
  if (kymo_segment_piece_begin (s, 0) > s->span.begin_ns)
    prepend_overhead (b, s->span.begin_ns);
  kymo_builder_set_time (b, &s->piece_begin, s->n_pieces, s->span.end_ns);
  for (guint i = 0; i < s->n_pieces; i++)
    if (s->piece_state[i] == STATE_PERHAPS_CUT)
      s->piece_state[i] = cut ? KYMO_STATE_UNTRACED : KYMO_STATE_OVERHEAD;
}

/**
 * kymo_segment_builder_seal:
 * @n_records: records of the log
 * @cut: the log was cut by a reduction or never traced: stretches between
 *   phase marks without records are untraced, not overhead
 * @repairs: (out): what had to be put right
 *
 * Closes what is open, sorts, builds the pyramid.
 *
 * Returns: (transfer full): the segment; the builder is empty after and only
 * to be freed. %NULL when there was no record with a time.
 */
KymoSegment *
kymo_segment_builder_seal (KymoSegmentBuilder *b,
                           gint64              n_records,
                           gboolean            cut,
                           KymoRepairs        *repairs)
{
  KymoSegment *s = b->segment;

  *repairs = b->repairs;
  if (b->min_ns > b->max_ns)
    return NULL;
  finish_track (b, cut);
  s->n_records = n_records;
  s->objects = kymo_object_set_steal (&b->objects, &s->n_objects);
  kymo_segment_fit (s);
  s->pyramid = kymo_pyramid_new (kymo_segment_times (s, s->piece_begin), s->piece_state,
                                 s->n_pieces, b->n_states);
  b->segment = NULL;
  return s;
}
