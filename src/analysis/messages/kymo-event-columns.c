/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-event-columns.h"

const char *const kymo_event_sorts[KYMO_EVENT_N_SORTS] = {
  "idle", "untraced", "packing", "unpacking", "flush", "block",
  "user-event", "bracket", "note", "bracket-note", "user-value", "user-stat", "memory",
  "phase", "trace-on", "trace-off", "parameter", "io",
  "send", "receive", "marker",
};

static gint64
block_time (const KymoSegment *segment,
            guint              i)
{
  return kymo_segment_block_begin (segment, i);
}

static gint64
send_time (const KymoSegment *segment,
           guint              i)
{
  return kymo_segment_send_time (segment, i);
}

static gint64
receive_time (const KymoSegment *segment,
              guint              i)
{
  return kymo_segment_receive_time (segment, i);
}

static gint64
point_time (const KymoSegment *segment,
            guint              i)
{
  return g_array_index (segment->points, KymoPoint, i).begin_ns;
}

static gint64
stretch_time (const KymoSegment *segment,
              guint              i)
{
  return g_array_index (segment->stretches, KymoStretch, i).begin_ns;
}

static gint64
piece_time (const KymoSegment *segment,
            guint              i)
{
  return kymo_segment_piece_begin (segment, i);
}

/**
 * kymo_event_list_columns:
 * @columns: (out): %KYMO_EVENT_N_COLUMNS of them, in the order in which
 *   records of one time are told
 *
 * Fills in how many records each column of the segment has and how their times are read. The
 * column of markers is empty: markers are the run's.
 */
void
kymo_event_list_columns (const KymoSegment *segment,
                         KymoEventColumn   *columns)
{
  columns[KYMO_EVENT_MARKERS] = (KymoEventColumn) { 0, NULL };
  columns[KYMO_EVENT_PIECES] = (KymoEventColumn) { segment->n_pieces, piece_time };
  columns[KYMO_EVENT_STRETCHES] = (KymoEventColumn) { segment->stretches->len, stretch_time };
  columns[KYMO_EVENT_BLOCKS] = (KymoEventColumn) { segment->n_blocks, block_time };
  columns[KYMO_EVENT_POINTS] = (KymoEventColumn) { segment->points->len, point_time };
  columns[KYMO_EVENT_SENDS] = (KymoEventColumn) { segment->n_sends, send_time };
  columns[KYMO_EVENT_RECEIVES] = (KymoEventColumn) {
    segment->exchange != NULL ? segment->exchange->n_receives : 0, receive_time
  };
}

/**
 * kymo_event_sort_of:
 * @column: a column of the segment, of which markers are none
 * @i: number of the record in the column
 * @activity: (out): index in the run of the activity that the record is about: that of the block,
 *   of the point, of the sending, or of the block that received; %G_MAXUINT32 for none
 *
 * Returns: what the record tells; %KYMO_EVENT_N_SORTS for a piece that is neither idle nor
 *   untraced, which other columns tell
 */
KymoEventSort
kymo_event_sort_of (const KymoSegment *segment,
                    guint              column,
                    guint              i,
                    guint32           *activity)
{
  const KymoPoint *point;
  guint32 block;

  *activity = G_MAXUINT32;
  switch (column)
    {
    case KYMO_EVENT_PIECES:
      return segment->piece_state[i] == KYMO_STATE_IDLE ? KYMO_EVENT_SORT_IDLE
        : segment->piece_state[i] == KYMO_STATE_UNTRACED ? KYMO_EVENT_SORT_UNTRACED
        : KYMO_EVENT_N_SORTS;
    case KYMO_EVENT_STRETCHES:
      return KYMO_EVENT_SORT_PACK + g_array_index (segment->stretches, KymoStretch, i).kind;
    case KYMO_EVENT_BLOCKS:
      *activity = segment->block_activity[i];
      return KYMO_EVENT_SORT_BLOCK;
    case KYMO_EVENT_POINTS:
      point = &g_array_index (segment->points, KymoPoint, i);
      *activity = point->activity;
      return KYMO_EVENT_SORT_POINT + MIN (point->kind, KYMO_N_POINT_KINDS - 1);
    case KYMO_EVENT_SENDS:
      *activity = segment->send_activity[i];
      return KYMO_EVENT_SORT_SEND;
    default:
      block = segment->exchange->receive_block[i];
      *activity = block != KYMO_NO_BLOCK ? segment->block_activity[block] : G_MAXUINT32;
      return KYMO_EVENT_SORT_RECEIVE;
    }
}

/**
 * kymo_event_length_of:
 * @column: a column of the segment, of which markers are none
 * @i: number of the record in the column
 *
 * Returns: in ns how long the record lasts; %KYMO_NULL_INT for messages and for points that are
 *   a moment
 */
gint64
kymo_event_length_of (const KymoSegment *segment,
                      guint              column,
                      guint              i)
{
  const KymoPoint *point;

  switch (column)
    {
    case KYMO_EVENT_PIECES:
      return kymo_segment_piece_begin (segment, i + 1) - kymo_segment_piece_begin (segment, i);
    case KYMO_EVENT_STRETCHES:
      return g_array_index (segment->stretches, KymoStretch, i).end_ns
        - g_array_index (segment->stretches, KymoStretch, i).begin_ns;
    case KYMO_EVENT_BLOCKS:
      return kymo_segment_block_end (segment, i) - kymo_segment_block_begin (segment, i);
    case KYMO_EVENT_POINTS:
      point = &g_array_index (segment->points, KymoPoint, i);
      return point->kind == KYMO_POINT_BRACKET || point->kind == KYMO_POINT_BRACKET_NOTE
        ? point->end_ns - point->begin_ns : KYMO_NULL_INT;
    default:
      return KYMO_NULL_INT;
    }
}

