/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a location as columns, each in order of time: what the question "events"
 * merges, filters and puts into words.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/** KymoEventSort: what a record tells; the words are the keywords of "kinds" */
typedef enum
{
  KYMO_EVENT_SORT_IDLE,
  KYMO_EVENT_SORT_UNTRACED,
  KYMO_EVENT_SORT_PACK,
  KYMO_EVENT_SORT_UNPACK,
  KYMO_EVENT_SORT_FLUSH,
  KYMO_EVENT_SORT_BLOCK,
  KYMO_EVENT_SORT_POINT,        /* and as many as there are kinds of points */
  KYMO_EVENT_SORT_SEND = KYMO_EVENT_SORT_POINT + KYMO_N_POINT_KINDS,
  KYMO_EVENT_SORT_RECEIVE,
  KYMO_EVENT_SORT_MARKER,
  KYMO_EVENT_N_SORTS,
} KymoEventSort;

/** kymo_event_sorts: the words of sorts of records, the keywords of "kinds" */
extern const char *const kymo_event_sorts[KYMO_EVENT_N_SORTS];

/* In the order in which those of one time are told. Markers are no records of a segment: who
   merges the columns has them from the run. */
enum
{
  KYMO_EVENT_MARKERS,
  KYMO_EVENT_PIECES,
  KYMO_EVENT_STRETCHES,
  KYMO_EVENT_BLOCKS,
  KYMO_EVENT_POINTS,
  KYMO_EVENT_SENDS,
  KYMO_EVENT_RECEIVES,
  KYMO_EVENT_N_COLUMNS,
};

/** KymoEventColumn: its length, and when a record of it is */
typedef struct
{
  guint   n;
  gint64 (*get_time) (const KymoSegment *segment,
                      guint              i);
} KymoEventColumn;

void          kymo_event_list_columns (const KymoSegment *segment,
                                       KymoEventColumn   *columns);
/* KYMO_EVENT_N_SORTS where a record is told elsewhere (pieces of activities); activity: (out):
   what it is about, or G_MAXUINT32 */
KymoEventSort kymo_event_sort_of      (const KymoSegment *segment,
                                       guint              column,
                                       guint              i,
                                       guint32           *activity);
/* Length of an event, or KYMO_NULL_INT for a moment. */
gint64        kymo_event_length_of    (const KymoSegment *segment,
                                       guint              column,
                                       guint              i);

G_END_DECLS
