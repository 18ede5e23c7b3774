/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-session-pins.h.
 */
#include "config.h"

#include "kymo-session-pins.h"
#include "kymo-session-private.h"

#define KEY "kymo-session-pins"

/**
 * kymo_session_peek_pins:
 *
 * Returns: (transfer none) (nullable) (element-type gint64): the pinned locations, valid until
 *   "rows-changed"; %NULL where none is pinned
 */
GArray *
kymo_session_peek_pins (KymoSession *self)
{
  return g_object_get_data (G_OBJECT (self), KEY);
}

static gint
find_pin (const GArray *pins, gint64 location)
{
  for (guint i = 0; pins != NULL && i < pins->len; i++)
    if (g_array_index (pins, gint64, i) == location)
      return i;
  return -1;
}

/** kymo_session_is_pinned: Returns: whether the row of a location is pinned */
gboolean
kymo_session_is_pinned (KymoSession *self, gint64 location)
{
  return find_pin (kymo_session_peek_pins (self), location) >= 0;
}

/**
 * kymo_session_set_pins:
 * @ids: (nullable): of locations, each once; those beyond %KYMO_MOST_PINS are left out
 *
 * Pins these in place of those before.
 */
void
kymo_session_set_pins (KymoSession *self, const gint64 *ids, guint n)
{
  GArray *pins = NULL;

  if (n == 0 && kymo_session_peek_pins (self) == NULL)
    return;
  if (n > 0)
    {
      pins = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_array_append_vals (pins, ids, MIN (n, KYMO_MOST_PINS));
    }
  g_object_set_data_full (G_OBJECT (self), KEY, pins, (GDestroyNotify) g_array_unref);
  kymo_session_emit (self, ROWS_CHANGED);
}

/**
 * kymo_session_set_pinned:
 *
 * Pins a location behind the others, or takes it away from them.
 *
 * Returns: %FALSE where there are %KYMO_MOST_PINS already
 */
gboolean
kymo_session_set_pinned (KymoSession *self, gint64 location, gboolean pinned)
{
  GArray *before = kymo_session_peek_pins (self);
  g_autoptr (GArray) ids = before != NULL ? g_array_copy (before)
                           : g_array_new (FALSE, FALSE, sizeof (gint64));
  gint at = find_pin (ids, location);

  if (pinned == (at >= 0))
    return TRUE;
  if (pinned && ids->len >= KYMO_MOST_PINS)
    return FALSE;
  if (pinned)
    g_array_append_val (ids, location);
  else
    g_array_remove_index (ids, at);
  kymo_session_set_pins (self, (const gint64 *) ids->data, ids->len);
  return TRUE;
}

/**
 * kymo_session_prepare_pins:
 * @question: with its order of rows
 *
 * Puts the pinned rows before the others, for a picture that has no place of their own for them.
 */
void
kymo_session_prepare_pins (KymoSession *self, KymoQuestion *question)
{
  const GArray *pins = kymo_session_peek_pins (self);
  const GArray *order = kymo_question_peek_order (question);
  g_autoptr (GArray) ids = NULL;

  if (pins == NULL)
    return;
  ids = g_array_copy ((GArray *) pins);
  for (guint i = 0; order != NULL && i < order->len; i++)
    if (find_pin (pins, g_array_index (order, gint64, i)) < 0)
      g_array_append_val (ids, g_array_index (order, gint64, i));
  kymo_question_set_order (question, ids);
}
