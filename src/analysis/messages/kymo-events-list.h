/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A record of a run by its place, and the list of records in words.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/**
 * KymoEvent: a record of a location, or a marker of the run
 * @column: the column that contains the record
 * @index: place of the record in that column; of a marker, in the markers of the run
 */
typedef struct
{
  gint64 time_ns;
  guint  location;
  guint  column;
  guint  index;
} KymoEvent;

/** kymo_event_marker: a marker of the run */
static inline const KymoMarker *
kymo_event_marker (const KymoAsk *ask,
                   guint          marker)
{
  return &g_array_index (ask->run->definitions->markers, KymoMarker, marker);
}

/** kymo_event_marker_kind: the kind of a marker of the run */
static inline const KymoMarkerKind *
kymo_event_marker_kind (const KymoAsk *ask,
                        guint          marker)
{
  return &g_array_index (ask->run->definitions->marker_kinds, KymoMarkerKind,
                         kymo_event_marker (ask, marker)->kind);
}

/**
 * kymo_event_marker_length:
 *
 * Returns: the length of a marker in nanoseconds; %KYMO_NULL_INT for a marker of a moment
 */
static inline gint64
kymo_event_marker_length (const KymoMarker *marker)
{
  return marker->end_ns > marker->begin_ns ? marker->end_ns - marker->begin_ns : KYMO_NULL_INT;
}

KymoTable *kymo_events_list (const KymoAsk *ask,
                             const GArray  *events,
                             guint          first,
                             guint          count);

G_END_DECLS
