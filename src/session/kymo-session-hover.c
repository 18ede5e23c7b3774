/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-session-hover.h. A pointer moves often: nothing is told twice, and nobody is
 * asked anything.
 */
#include "config.h"

#include "kymo-session-hover.h"

#include "kymo-session-private.h"

/** kymo_session_get_hovered_location: */
gint64
kymo_session_get_hovered_location (KymoSession *self)
{
  KymoSession *first = kymo_session_of_names (self);

  return first->hovers_location ? first->hovered_location : -1;
}

/** kymo_session_get_hovered_time: */
gboolean
kymo_session_get_hovered_time (KymoSession *self, gint64 *time_ns)
{
  if (self->hovers_time && time_ns != NULL)
    *time_ns = self->hovered_ns;
  return self->hovers_time;
}

/**
 * kymo_session_set_hovered_place:
 * @location: or -1
 * @time_ns: or %G_MININT64
 */
void
kymo_session_set_hovered_place (KymoSession *self, gint64 location, gint64 time_ns)
{
  KymoSession *first = kymo_session_of_names (self);
  gboolean has_time = time_ns != G_MININT64;
  gboolean same_time = has_time == self->hovers_time
                       && (!has_time || time_ns == self->hovered_ns);
  gboolean same_place = kymo_session_get_hovered_location (self) == MAX (location, -1);

  if (same_time && same_place)
    return;
  self->hovers_time = has_time;
  self->hovered_ns = time_ns;
  first->hovers_location = location >= 0;
  first->hovered_location = location;
  /* Of those beside it the first one tells. */
  if (first != self && same_place)
    kymo_session_emit (self, HOVER_CHANGED);
  else
    kymo_session_emit (first, HOVER_CHANGED);
}

/** kymo_session_get_marked_location: */
gint64
kymo_session_get_marked_location (KymoSession *self)
{
  gint64 location = kymo_session_get_hovered_location (self);

  if (location < 0)
    kymo_session_get_block (self, &location, NULL);
  return location;
}
