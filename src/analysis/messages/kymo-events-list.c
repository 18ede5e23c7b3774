/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records in words: the list of the question "events".
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-details.h"
#include "kymo-event-columns.h"
#include "kymo-events-list.h"
#include "kymo-units.h"

static char *
describe_stretch (const KymoSegment *segment,
                  guint              i)
{
  static const char *const words[] = {
    N_("packs for %s"), N_("unpacks for %s"), N_("writes its log to disk for %s")
  };
  const KymoStretch *stretch = &g_array_index (segment->stretches, KymoStretch, i);
  g_autofree char *length = kymo_format_duration (stretch->end_ns - stretch->begin_ns);

  return g_strdup_printf (_(words[stretch->kind]), length);
}

/* Idle and untraced pieces of the track; the others are told elsewhere. */
static char *
describe_piece (const KymoSegment *segment,
                guint              i)
{
  g_autofree char *length = kymo_format_duration (kymo_segment_piece_begin (segment, i + 1)
                                                  - kymo_segment_piece_begin (segment, i));

  return g_strdup_printf (segment->piece_state[i] == KYMO_STATE_IDLE ? _("idle for %s")
                          : _("untraced for %s"), length);
}

static char *
describe_event (const KymoAsk   *ask,
                const KymoEvent *event)
{
  KymoSegment *segment = kymo_ask_segment_of (ask, event->location);

  switch (event->column)
    {
    case KYMO_EVENT_MARKERS:
      return kymo_describe_marker (ask->run, kymo_event_marker (ask, event->index));
    case KYMO_EVENT_PIECES:
      return describe_piece (segment, event->index);
    case KYMO_EVENT_STRETCHES:
      return describe_stretch (segment, event->index);
    case KYMO_EVENT_BLOCKS:
      return kymo_describe_block (ask, segment, event->index);
    case KYMO_EVENT_POINTS:
      return kymo_describe_point (ask, segment, event->index);
    case KYMO_EVENT_SENDS:
      return kymo_describe_send (ask, segment, event->index);
    default:
      return kymo_describe_receive (ask, segment, event->index);
    }
}

/**
 * kymo_events_list:
 * @events: of #KymoEvent, in order
 * @first: index of the first record of the list
 * @count: number of records of the list
 *
 * Returns: (transfer full): the list "events": when and where each record is, its kind, what it is
 *   about and a sentence
 */
KymoTable *
kymo_events_list (const KymoAsk *ask,
                  const GArray  *events,
                  guint          first,
                  guint          count)
{
  KymoTable *table = kymo_table_new_list ("time_ns location label:string duration_ns kind:string "
                                          "name:string text:string");

  /* A sentence takes microseconds, the first about a location longer. */
  for (guint i = first; i < first + count && !kymo_ask_is_stopped (ask, i << 10); i++)
    {
      const KymoEvent *event = &g_array_index (events, KymoEvent, i);
      const KymoLocation *where = kymo_run_peek_location (ask->run, event->location);
      KymoSegment *segment = kymo_ask_segment_of (ask, event->location);
      g_autofree char *words = describe_event (ask, event);
      gboolean is_marker = event->column == KYMO_EVENT_MARKERS;
      guint32 activity = G_MAXUINT32;
      KymoEventSort sort = is_marker ? KYMO_EVENT_SORT_MARKER
        : kymo_event_sort_of (segment, event->column, event->index, &activity);

      kymo_table_append_row (table, event->time_ns, where->id, where->label,
                             is_marker
                             ? kymo_event_marker_length (kymo_event_marker (ask, event->index))
                             : kymo_event_length_of (segment, event->column, event->index),
                             kymo_event_sorts[sort],
                             is_marker ? kymo_event_marker_kind (ask, event->index)->category
                             : activity == G_MAXUINT32 ? NULL
                             : kymo_run_peek_activity (ask->run, activity)->name, words);
    }
  return table;
}
