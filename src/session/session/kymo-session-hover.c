/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-session-hover.h. A pointer moves often: nothing is told twice, and nobody is
 * asked anything.
 */
#include "config.h"

#include "kymo-session-hover.h"

#include "kymo-session-private.h"

/* The pointer rests when it is on a name as long as this. */
#define REST_MS 150

/* -- names ---------------------------------------------------------------- */

static void
lift_name (KymoSession *first, gconstpointer teller, const char *name)
{
  char *copy;

  first->hover_teller = teller;
  if (g_strcmp0 (first->hovered, name) == 0)
    return;
  copy = g_strdup (name);
  g_free (first->hovered);
  first->hovered = copy;
  kymo_session_notify (first, PROP_HOVERED_NAME);
}

static gboolean on_rest (gpointer data);

static void
wait_for_rest (KymoSession *first, gint64 ms)
{
  first->point_id = g_timeout_add (ms, on_rest, first);
}

/* A pointer on its way: what it rested on before is left, what it passes is not lifted. */
static gboolean
on_rest (gpointer data)
{
  KymoSession *first = data;
  gint64 rested_ms = (g_get_monotonic_time () - first->pointed_at_us) / 1000;

  first->point_id = 0;
  if (rested_ms >= REST_MS)
    {
      lift_name (first, first->point_teller, first->pointed);
      return G_SOURCE_REMOVE;
    }
  wait_for_rest (first, REST_MS - rested_ms);
  lift_name (first, first->point_teller, NULL);
  return G_SOURCE_REMOVE;
}

/**
 * kymo_session_point_at:
 * @teller: (nullable): who tells, only compared
 * @name: (nullable): the activity under the pointer, copied
 * @rests: whether the pointer has to rest on it, 150 ms, before views lift the name; a name that
 *   is chosen with keys is lifted at once
 *
 * Points at a name, for all sessions beside this one. A pointer that passes many names on its way
 * lifts none of them: views would flash.
 */
void
kymo_session_point_at (KymoSession *self, gconstpointer teller, const char *name, gboolean rests)
{
  KymoSession *first = kymo_session_of_names (self);
  char *copy;

  if (!rests)
    {
      g_clear_handle_id (&first->point_id, g_source_remove);
      lift_name (first, teller, name);
      return;
    }
  copy = g_strdup (name);
  g_free (first->pointed);
  first->pointed = copy;
  first->point_teller = teller;
  first->pointed_at_us = g_get_monotonic_time ();
  if (first->point_id == 0)
    wait_for_rest (first, REST_MS);
}

/**
 * kymo_session_point_away:
 * @teller: who told of a name
 * @rests: as in kymo_session_point_at()
 *
 * Points at nothing. What another teller has told since stays.
 */
void
kymo_session_point_away (KymoSession *self, gconstpointer teller, gboolean rests)
{
  KymoSession *first = kymo_session_of_names (self);

  if ((first->point_id != 0 ? first->point_teller : first->hover_teller) == teller)
    kymo_session_point_at (self, teller, NULL, rests);
}

/**
 * kymo_session_is_lifted_by:
 * @teller: one of kymo_session_point_at()
 *
 * Returns: whether a name is lifted, and it was @teller who pointed at it
 */
gboolean
kymo_session_is_lifted_by (KymoSession *self, gconstpointer teller)
{
  KymoSession *first = kymo_session_of_names (self);

  return first->hovered != NULL && first->hover_teller == teller;
}

/* -- places --------------------------------------------------------------- */

/**
 * kymo_session_get_hovered_location:
 *
 * Returns: the location under the pointer, in whichever session beside this one it is; -1 for none
 *   or for several
 */
gint64
kymo_session_get_hovered_location (KymoSession *self)
{
  KymoSession *first = kymo_session_of_names (self);

  return first->hovers_location ? first->hovered_location : -1;
}

/**
 * kymo_session_get_hovered_time:
 * @time_ns: (out) (nullable): the time under the pointer in ns; left alone where there is none
 *
 * Returns: whether the pointer is at a time of this session
 */
gboolean
kymo_session_get_hovered_time (KymoSession *self, gint64 *time_ns)
{
  if (self->hovers_time && time_ns != NULL)
    *time_ns = self->hovered_ns;
  return self->hovers_time;
}

/* Of those beside it the first one tells. */
static void
tell_session_hover (KymoSession *self, gboolean all)
{
  KymoSession *first = kymo_session_of_names (self);

  kymo_session_emit (all ? first : self, HOVER_CHANGED);
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
  gboolean same_place = kymo_session_get_hovered_location (self) == MAX (location, -1)
                        && first->hovered_set == NULL;

  if (same_time && same_place)
    return;
  self->hovers_time = has_time;
  self->hovered_ns = time_ns;
  first->hovers_location = location >= 0;
  first->hovered_location = location;
  g_clear_pointer (&first->hovered_set, kymo_id_set_unref);
  tell_session_hover (self, first == self || !same_place);
}

/**
 * kymo_session_set_hovered_set:
 * @locations: (nullable): several locations, as those of a node or process; %NULL is none
 *
 * Points at locations; no single location and no time is pointed at after.
 */
void
kymo_session_set_hovered_set (KymoSession *self, KymoIdSet *locations)
{
  KymoSession *first = kymo_session_of_names (self);

  if (first->hovered_set == locations)
    return;
  g_clear_pointer (&first->hovered_set, kymo_id_set_unref);
  if (locations != NULL)
    first->hovered_set = kymo_id_set_ref (locations);
  first->hovers_location = FALSE;
  self->hovers_time = FALSE;
  tell_session_hover (self, TRUE);
}

static gboolean
same_set (KymoIdSet *a, KymoIdSet *b)
{
  g_autofree char *one = a != NULL ? kymo_id_set_to_text (a) : NULL;
  g_autofree char *other = b != NULL ? kymo_id_set_to_text (b) : NULL;

  return g_strcmp0 (one, other) == 0;
}

/**
 * kymo_session_set_hovered_row:
 * @locations: (transfer none): all of the row
 * @time_ns: or %G_MININT64
 */
void
kymo_session_set_hovered_row (KymoSession *self, KymoIdSet *locations, gint64 time_ns)
{
  KymoSession *first = kymo_session_of_names (self);
  gboolean has_time = time_ns != G_MININT64;
  gboolean same_row = same_set (first->hovered_set, locations);

  if (same_row && has_time == self->hovers_time && (!has_time || time_ns == self->hovered_ns))
    return;
  if (!same_row)
    {
      g_clear_pointer (&first->hovered_set, kymo_id_set_unref);
      first->hovered_set = kymo_id_set_ref (locations);
    }
  first->hovers_location = FALSE;
  self->hovers_time = has_time;
  self->hovered_ns = time_ns;
  tell_session_hover (self, first == self || !same_row);
}

/**
 * kymo_session_peek_hovered_set:
 *
 * Returns: (transfer none) (nullable): the locations that are pointed at together; %NULL if
 *   there are none
 */
KymoIdSet *
kymo_session_peek_hovered_set (KymoSession *self)
{
  return kymo_session_of_names (self)->hovered_set;
}

/**
 * kymo_session_get_marked_location:
 *
 * Returns: the location under the pointer, else the location of the selected block; -1 where there
 *   is neither, or where the pointer is on a row of several locations
 */
gint64
kymo_session_get_marked_location (KymoSession *self)
{
  gint64 location = kymo_session_get_hovered_location (self);

  if (location < 0 && kymo_session_peek_hovered_set (self) == NULL)
    kymo_session_get_block (self, &location, NULL);
  return location;
}

/**
 * kymo_session_marks_location:
 *
 * Returns: whether views mark the location: it is under the pointer, alone or as part of a row, or
 *   it is that of the selected block while the pointer is on no location. %FALSE for negative ones.
 */
gboolean
kymo_session_marks_location (KymoSession *self, gint64 location)
{
  KymoIdSet *set = kymo_session_peek_hovered_set (self);

  return location >= 0
         && (set != NULL ? kymo_id_set_contains (set, location)
                         : location == kymo_session_get_marked_location (self));
}

/**
 * kymo_session_get_marked_place:
 * @location: (out): the location, or -1
 * @time_ns: (out): the time, or G_MININT64
 *
 * Gives the place that is pointed at, else the selected block.
 *
 * Returns: whether something is to be marked
 */
gboolean
kymo_session_get_marked_place (KymoSession *self, gint64 *location, gint64 *time_ns)
{
  *location = kymo_session_get_hovered_location (self);
  *time_ns = G_MININT64;
  if (kymo_session_get_hovered_time (self, time_ns) || *location >= 0
      || kymo_session_peek_hovered_set (self) != NULL)
    return TRUE;
  return kymo_session_get_block (self, location, time_ns);
}
