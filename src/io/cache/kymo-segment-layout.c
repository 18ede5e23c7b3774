/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the columns of a segment lie, and whether what lies there may be
 * believed: every index below its bound, times in order, so that no reader
 * of a segment can be led out of its arrays by a file that was made to do so.
 */
#include "config.h"

#include "kymo-segment-layout.h"

#include <string.h>

#define KYMO_X(name, part, size, count, column) \
  { part, size, count, G_STRUCT_OFFSET (KymoSegment, column), FALSE },
#define KYMO_Y(name, part, size, count) { part, size, count, -1, FALSE },
#define KYMO_Z(name, part, size, count, column) \
  { part, size, count, G_STRUCT_OFFSET (KymoExchange, column), TRUE },
const KymoSegmentColumn kymo_segment_columns[N_COLUMNS] =
{
  KYMO_SEGMENT_COLUMNS (KYMO_X, KYMO_Y, KYMO_Z)
};
#undef KYMO_X
#undef KYMO_Y
#undef KYMO_Z

static gboolean
in_reach (gint64 ns)
{
  return ns > -KYMO_SEGMENT_MAX_NS && ns < KYMO_SEGMENT_MAX_NS;
}

/**
 * kymo_segment_column_size:
 * @index: of a column in kymo_segment_columns
 *
 * Returns: bytes of one element of the column in this segment
 */
gsize
kymo_segment_column_size (const KymoSegmentEntry *entry,
                          guint                   index)
{
  gsize size = kymo_segment_columns[index].size;

  return size == KYMO_SEGMENT_TIME ? kymo_times_size (entry->wide != 0) : size;
}

static gboolean
none_or (guint64 n,
         guint64 all)
{
  return n == 0 || n == all;
}

/* The counts that follow from others. */
static gboolean
counts_agree (const KymoSegmentEntry  *entry,
              guint64                  n_metrics,
              const KymoSegmentLayout *layout)
{
  const guint64 *n = entry->counts;
  guint64 n_offsets = 0, n_sums = 0;

  for (guint i = 0; i < KYMO_PYRAMID_MAX_LEVELS; i++)
    {
      guint64 most = i < layout->n_levels ? G_MAXUINT32 : 0;

      if (entry->level_sums[i] > most)
        return FALSE;
      n_offsets += i < layout->n_levels ? (guint64) layout->n_nodes[i] + 1 : 0;
      n_sums += entry->level_sums[i];
    }
  return n[COUNT_PIECES] > 0 && n[COUNT_EDGES] == n[COUNT_PIECES] + 1
    && n[COUNT_NODE_OFFSETS] == n_offsets && n[COUNT_NODE_SUMS] == n_sums
    && none_or (n[COUNT_DEPTHS], n[COUNT_BLOCKS])
    && none_or (n[COUNT_BLOCK_OBJECTS], n[COUNT_BLOCKS])
    && none_or (n[COUNT_DESTINATIONS], n[COUNT_SENDS])
    && none_or (n[COUNT_SEND_KINDS], n[COUNT_SENDS])
    && (n[COUNT_EXCHANGED_SENDS] == n[COUNT_SENDS]
        || (n[COUNT_EXCHANGED_SENDS] == 0 && n[COUNT_RECEIVES] == 0))
    && none_or (n[COUNT_SEND_REQUESTS], n[COUNT_EXCHANGED_SENDS])
    && none_or (n[COUNT_RECEIVE_REQUESTS], n[COUNT_RECEIVES])
    && none_or (n[COUNT_COUNTERS], n[COUNT_BLOCKS] * n_metrics)
    && n[COUNT_OBJECTS] > 0;
}

/**
 * kymo_segment_layout:
 * @entry: any bytes
 * @n_metrics: hardware counters of the run, at most 2^16
 * @layout: (out): where its columns lie
 *
 * Returns: whether the counts agree with each other and with the length
 */
gboolean
kymo_segment_layout (const KymoSegmentEntry *entry,
                     guint64                 n_metrics,
                     KymoSegmentLayout      *layout)
{
  guint64 offset = 0;

  memset (layout, 0, sizeof *layout);
  if (entry->wide > 1 || entry->unit_ns == 0 || entry->unit_ns > KYMO_TIMES_MAX_UNIT_NS
      || !in_reach (entry->base_ns))
    return FALSE;
  for (guint i = 0; i < N_COUNTS; i++)
    if (entry->counts[i] > (i == COUNT_COUNTERS ? G_MAXINT64 / 64 : G_MAXUINT32 - 64))
      return FALSE;
  layout->n_levels = kymo_pyramid_plan (entry->counts[COUNT_PIECES], layout->n_nodes);
  if (!counts_agree (entry, n_metrics, layout))
    return FALSE;
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      const KymoSegmentColumn *column = &kymo_segment_columns[i];

      if (i == 0 || column->part != kymo_segment_columns[i - 1].part)
        layout->part[column->part] = offset;
      layout->column[i] = offset;
      offset += kymo_segment_aligned (kymo_segment_column_size (entry, i)
                                      * entry->counts[column->count]);
      if (offset > entry->n_bytes)
        return FALSE;
    }
  layout->column[N_COLUMNS] = layout->part[KYMO_N_PARTS] = offset;
  return offset == entry->n_bytes;
}

/* Loops without a branch, so that the compiler can make them wide. */
static gboolean
all_below (const guint32 *values,
           gsize          n,
           guint64        bound)
{
  guint32 largest = 0;

  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, values[i]);
  return n == 0 || largest < bound;
}

static gboolean
all_ascend (KymoTimes times,
            gsize     n)
{
  const guint32 *ticks = times.column;
  const gint64 *ns = times.column;
  guint bad = 0;

  if (times.wide)
    for (gsize i = 1; i < n; i++)
      bad |= ns[i] < ns[i - 1];
  else
    for (gsize i = 1; i < n; i++)
      bad |= ticks[i] < ticks[i - 1];
  return !bad;
}

/* With the base in reach 32 bits cannot lead far, 64 bits can; what is in
   reach can be added to the base. */
static gboolean
all_in_reach (KymoTimes times,
              gsize     n)
{
  const gint64 *ns = times.column;
  guint bad = 0;

  for (gsize i = 0; i < n && times.wide; i++)
    bad |= !in_reach (ns[i]);
  return !bad;
}

/* Each level adds up to the whole track, in parts that are not 0. */
static gboolean
check_level (const guint32 *offsets,
             guint          n_nodes,
             const guint32 *states,
             const gint64  *ns,
             guint64        n_sums,
             guint          n_states,
             gint64         length_ns)
{
  guint64 left = length_ns;

  if (offsets[0] != 0 || offsets[n_nodes] != n_sums || !all_below (states, n_sums, n_states))
    return FALSE;
  for (guint i = 0; i < n_nodes; i++)
    if (offsets[i] > offsets[i + 1])
      return FALSE;
  for (guint64 i = 0; i < n_sums; i++)
    {
      if (ns[i] <= 0 || (guint64) ns[i] > left)
        return FALSE;
      left -= ns[i];
    }
  return left == 0;
}

#define TIMES(name) \
  ((KymoTimes) { bytes + layout->column[COLUMN_##name], entry->base_ns, entry->unit_ns, \
                 entry->wide != 0 })
#define AT(type, name) ((const type *) (gconstpointer) (bytes + layout->column[COLUMN_##name]))

static gboolean
check_track (const KymoSegmentEntry  *entry,
             const KymoSegmentLayout *layout,
             const guint8            *bytes,
             guint                    n_states)
{
  KymoTimes edges = TIMES (PIECE_BEGIN);
  guint64 n = entry->counts[COUNT_PIECES];
  guint64 first_offset = 0, first_sum = 0;

  if (!all_in_reach (edges, n + 1) || kymo_times_at (edges, 0) != entry->begin_ns
      || kymo_times_at (edges, n) != entry->end_ns || !all_ascend (edges, n + 1)
      || !all_below (AT (guint32, PIECE_STATE), n, n_states))
    return FALSE;
  for (guint i = 0; i < layout->n_levels; i++)
    {
      if (!check_level (AT (guint32, NODE_OFFSET) + first_offset, layout->n_nodes[i],
                        AT (guint32, NODE_STATE) + first_sum, AT (gint64, NODE_NS) + first_sum,
                        entry->level_sums[i], n_states, entry->end_ns - entry->begin_ns))
        return FALSE;
      first_offset += (guint64) layout->n_nodes[i] + 1;
      first_sum += entry->level_sums[i];
    }
  return TRUE;
}

/* Blocks nest: each ends no later than the one it lies in, begins after its
   sibling ended, and lies at most one deeper than the block before it. */
static gboolean
check_nesting (KymoTimes     begins,
               KymoTimes     ends,
               const guint8 *depths,
               guint64       n,
               gint64        last_ns)
{
  gint64 end_at[G_MAXUINT8 + 2];        /* [d + 1]: of the last block at depth d */
  guint deepest = 0;

  end_at[0] = last_ns;
  for (guint64 i = 0; i < n; i++)
    {
      guint d = depths != NULL ? depths[i] : 0;
      gint64 begin = kymo_times_at (begins, i), end = kymo_times_at (ends, i);

      if (d > deepest || end < begin || end > end_at[d]
          || (i > 0 && d + 1 <= deepest && begin < end_at[d + 1]))
        return FALSE;
      end_at[d + 1] = end;
      deepest = d + 1;
    }
  return TRUE;
}

static gboolean
check_blocks (const KymoSegmentEntry  *entry,
              const KymoSegmentLayout *layout,
              const guint8            *bytes,
              guint                    n_states)
{
  KymoTimes begin = TIMES (BLOCK_BEGIN), end = TIMES (BLOCK_END);
  const KymoObject *objects = AT (KymoObject, OBJECTS);
  guint64 n = entry->counts[COUNT_BLOCKS];
  guint bad = 0;

  if (!all_in_reach (begin, n) || !all_in_reach (end, n)
      || (n > 0 && kymo_times_at (begin, 0) < entry->begin_ns) || !all_ascend (begin, n))
    return FALSE;
  for (guint64 i = 0; i < entry->counts[COUNT_OBJECTS]; i++)
    bad |= objects[i].n_dimensions > KYMO_MAX_DIMENSIONS;
  return !bad
    && all_below (AT (guint32, BLOCK_ACTIVITY), n, n_states - KYMO_STATE_ACTIVITY)
    && all_below (AT (guint32, BLOCK_OBJECT), entry->counts[COUNT_BLOCK_OBJECTS],
                  entry->counts[COUNT_OBJECTS])
    && check_nesting (begin, end, entry->counts[COUNT_DEPTHS] > 0 ? AT (guint8, BLOCK_DEPTH) : NULL,
                      n, entry->end_ns);
}

/* Below a bound, or the number for none. */
static gboolean
all_below_or_none (const guint32 *values,
                   gsize          n,
                   guint64        bound)
{
  guint bad = 0;

  for (gsize i = 0; i < n; i++)
    bad |= values[i] >= bound && values[i] != G_MAXUINT32;
  return !bad;
}

G_STATIC_ASSERT (KYMO_NO_BLOCK == G_MAXUINT32);

/* Checks times and blocks only: the writer of archives checks operations, numbers and communicators
   itself. */
static gboolean
check_asides (const KymoSegmentEntry  *entry,
              const KymoSegmentLayout *layout,
              const guint8            *bytes)
{
  guint64 n = entry->counts[COUNT_ASIDES];

  return all_in_reach (TIMES (ASIDE_TIME), n)
    && all_below_or_none (AT (guint32, ASIDE_BLOCK), n, entry->counts[COUNT_BLOCKS]);
}

static gboolean
check_exchange (const KymoSegmentEntry  *entry,
                const KymoSegmentLayout *layout,
                const guint8            *bytes)
{
  guint64 n_sends = entry->counts[COUNT_EXCHANGED_SENDS];
  guint64 n_receives = entry->counts[COUNT_RECEIVES];

  return all_in_reach (TIMES (RECEIVE_TIME), n_receives)
    && all_below_or_none (AT (guint32, SEND_BLOCK), n_sends, entry->counts[COUNT_BLOCKS])
    && all_below_or_none (AT (guint32, RECEIVE_BLOCK), n_receives, entry->counts[COUNT_BLOCKS]);
}

static gboolean
check_sends (const KymoSegmentEntry  *entry,
             const KymoSegmentLayout *layout,
             const guint8            *bytes,
             guint                    n_states)
{
  const gint32 *events = AT (gint32, SEND_EVENT);
  const guint8 *kinds = AT (guint8, SEND_KIND);
  const KymoMulticast *casts = AT (KymoMulticast, MULTICASTS);
  guint64 n = entry->counts[COUNT_SENDS], n_pes = entry->counts[COUNT_MULTICAST_PES];
  guint bad = 0;

  for (guint64 i = 0; i < entry->counts[COUNT_SEND_KINDS]; i++)
    bad |= kinds[i] > KYMO_SEND_MULTICAST;
  for (guint64 i = 1; i < n && entry->sends_ascend; i++)
    bad |= events[i] < events[i - 1];
  for (guint64 i = 0; i < entry->counts[COUNT_MULTICASTS]; i++)
    bad |= casts[i].send >= n || casts[i].first > n_pes || casts[i].n_pes > n_pes - casts[i].first;
  /* Functions may also send outside of all blocks. */
  if (entry->counts[COUNT_EXCHANGED_SENDS] > 0
      ? !all_below_or_none (AT (guint32, SEND_ACTIVITY), n, n_states - KYMO_STATE_ACTIVITY)
      : !all_below (AT (guint32, SEND_ACTIVITY), n, n_states - KYMO_STATE_ACTIVITY))
    return FALSE;
  return !bad && all_in_reach (TIMES (SEND_TIME), n) && check_exchange (entry, layout, bytes)
    && check_asides (entry, layout, bytes);
}

/* As it is stored and as it is read. */
static gboolean
both_in_reach (const KymoSegmentEntry *entry,
               gint64                  ns)
{
  return in_reach (ns) && in_reach (ns + entry->list_shift_ns);
}

static gboolean
check_points (const KymoSegmentEntry  *entry,
              const KymoSegmentLayout *layout,
              const guint8            *bytes,
              guint                    n_states)
{
  const KymoStoredPoint *points = AT (KymoStoredPoint, POINTS);
  const KymoStoredStretch *stretches = AT (KymoStoredStretch, STRETCHES);
  guint64 n_text = entry->counts[COUNT_TEXT];
  gint64 before = G_MININT64;

  if (!in_reach (entry->list_shift_ns) || (n_text > 0 && AT (char, TEXT)[n_text - 1] != '\0'))
    return FALSE;
  for (guint64 i = 0; i < entry->counts[COUNT_POINTS]; i++)
    {
      const KymoStoredPoint *p = &points[i];

      if (p->begin_ns < before || p->end_ns < p->begin_ns || !both_in_reach (entry, p->begin_ns)
          || !both_in_reach (entry, p->end_ns) || p->kind >= KYMO_N_POINT_KINDS
          || (p->kind == KYMO_POINT_IO && p->op >= KYMO_N_IO_OPS)
          || (p->kind == KYMO_POINT_PARAMETER && p->op == KYMO_PARAMETER_TEXT && p->text == 0)
          || !(entry->point_kinds & (1u << p->kind)) || p->text > n_text
          || (p->activity != G_MAXUINT32 && p->activity >= n_states - KYMO_STATE_ACTIVITY))
        return FALSE;
      before = p->begin_ns;
    }
  before = G_MININT64;
  for (guint64 i = 0; i < entry->counts[COUNT_STRETCHES]; i++)
    {
      const KymoStoredStretch *s = &stretches[i];

      if (s->begin_ns < before || s->end_ns < s->begin_ns || !both_in_reach (entry, s->begin_ns)
          || !both_in_reach (entry, s->end_ns) || s->kind >= KYMO_N_STRETCH_KINDS)
        return FALSE;
      before = s->begin_ns;
    }
  return TRUE;
}

/**
 * kymo_segment_check:
 * @bytes: the segment's first column
 * @part: which part
 * @n_states: states of the run
 *
 * Returns: whether the part can be read without harm; reads all of it
 */
gboolean
kymo_segment_check (const KymoSegmentEntry  *entry,
                    const KymoSegmentLayout *layout,
                    const guint8            *bytes,
                    KymoSegmentPart          part,
                    guint                    n_states)
{
  switch (part)
    {
    case KYMO_PART_TRACK:
      return check_track (entry, layout, bytes, n_states);
    case KYMO_PART_BLOCKS:
      return check_blocks (entry, layout, bytes, n_states);
    case KYMO_PART_SENDS:
      return check_sends (entry, layout, bytes, n_states);
    case KYMO_PART_POINTS:
      return check_points (entry, layout, bytes, n_states);
    default:
      return FALSE;
    }
}
