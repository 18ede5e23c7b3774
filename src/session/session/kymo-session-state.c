/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the person points at, hides and marks: selection, filter and markers of
 * a session. Main thread only.
 */
#include "config.h"

#include "kymo-session-hover.h"
#include "kymo-session-private.h"

/* -- selection ------------------------------------------------------------ */

/** kymo_session_get_selection: Returns: whether a range is selected */
gboolean
kymo_session_get_selection (KymoSession *self,
                            KymoSpan    *span)
{
  if (self->has_selection && span != NULL)
    *span = self->selection;
  return self->has_selection;
}

/** kymo_session_set_selection: @span: (nullable): NULL selects nothing */
void
kymo_session_set_selection (KymoSession    *self,
                            const KymoSpan *span)
{
  gboolean has = span != NULL && span->end_ns > span->begin_ns;

  if (has == self->has_selection
      && (!has || kymo_spans_equal (*span, self->selection)))
    return;
  self->has_selection = has;
  if (has)
    self->selection = *span;
  kymo_session_emit (self, SELECTION_CHANGED);
}

/**
 * kymo_session_get_block:
 * @location: (out) (optional): where the selected block ran
 * @time_ns: (out) (optional): a time in it
 *
 * Returns: whether a block is selected
 */
gboolean
kymo_session_get_block (KymoSession *self,
                        gint64      *location,
                        gint64      *time_ns)
{
  if (self->has_block && location != NULL)
    *location = self->block_location;
  if (self->has_block && time_ns != NULL)
    *time_ns = self->block_time_ns;
  return self->has_block;
}

static void
change_block (KymoSession *self, gboolean has_block)
{
  self->has_block = has_block;
  if (self->selected_block != NULL)
    kymo_selected_block_renew (self->selected_block);
  kymo_session_emit (self, SELECTION_CHANGED);
}

/**
 * kymo_session_set_block:
 * @location: where the block ran
 * @time_ns: a time in it
 *
 * Selects a block.
 */
void
kymo_session_set_block (KymoSession *self,
                        gint64       location,
                        gint64       time_ns)
{
  if (self->has_block && self->block_location == location
      && self->block_time_ns == time_ns)
    return;
  self->block_location = location;
  self->block_time_ns = time_ns;
  change_block (self, TRUE);
}

/**
 * kymo_session_clear_block:
 *
 * Selects no block any more. Emits "selection-changed" where one was selected.
 */
void
kymo_session_clear_block (KymoSession *self)
{
  if (self->has_block)
    change_block (self, FALSE);
}

/** kymo_session_escape: Returns: whether there was a step to take */
gboolean
kymo_session_escape (KymoSession *self)
{
  if (self->has_selection)
    {
      kymo_session_set_selection (self, NULL);
      return TRUE;
    }
  if (self->has_block)
    {
      kymo_session_clear_block (self);
      return TRUE;
    }
  if (kymo_spans_equal (self->range, self->full))
    return FALSE;
  /* Nothing lies behind what is live. */
  if (self->follow_ns > 0)
    return FALSE;
  if (!kymo_session_back (self))
    kymo_session_show (self, self->full);
  return TRUE;
}

/* -- colours and filter --------------------------------------------------- */

/**
 * kymo_session_peek_colors:
 *
 * Returns: (transfer none): the colours of names, shared by sessions beside each other, valid
 *   until "colors-changed"; who keeps them longer takes a reference
 */
KymoColors *
kymo_session_peek_colors (KymoSession *self)
{
  return kymo_session_of_names (self)->colors;
}

/**
 * kymo_session_is_hidden:
 * @name: (nullable): %NULL is never hidden
 *
 * Returns: whether activities of that name are hidden, in all sessions beside each other
 */
gboolean
kymo_session_is_hidden (KymoSession *self,
                        const char  *name)
{
  self = kymo_session_of_names (self);
  return name != NULL && g_hash_table_contains (self->hidden, name);
}

/**
 * kymo_session_set_hidden:
 * @name: of an activity
 * @hidden: whether it is hidden
 *
 * Hides or shows an activity by its name.
 */
void
kymo_session_set_hidden (KymoSession *self,
                         const char  *name,
                         gboolean     hidden)
{
  gboolean changed;

  g_return_if_fail (name != NULL);
  self = kymo_session_of_names (self);
  if (hidden)
    changed = g_hash_table_add (self->hidden, g_strdup (name));
  else
    changed = g_hash_table_remove (self->hidden, name);
  if (changed)
    kymo_session_emit (self, FILTER_CHANGED);
}

/** kymo_session_hide_others: of the names that are known @name alone is shown */
void
kymo_session_hide_others (KymoSession *self, const char *name)
{
  self = kymo_session_of_names (self);
  g_hash_table_remove_all (self->hidden);
  for (guint i = 0; self->names != NULL && self->names[i] != NULL; i++)
    if (g_strcmp0 (self->names[i], name) != 0)
      g_hash_table_add (self->hidden, g_strdup (self->names[i]));
  kymo_session_emit (self, FILTER_CHANGED);
}

/** kymo_session_set_all_hidden: @names: (nullable): these alone are hidden; told once */
void
kymo_session_set_all_hidden (KymoSession *self, const char *const *names)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean changed;

  self = kymo_session_of_names (self);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_hash_table_add (wanted, (char *) names[i]);
  changed = g_hash_table_size (wanted) != g_hash_table_size (self->hidden);
  for (guint i = 0; !changed && names != NULL && names[i] != NULL; i++)
    changed = !g_hash_table_contains (self->hidden, names[i]);
  if (!changed)
    return;
  g_hash_table_remove_all (self->hidden);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_hash_table_add (self->hidden, g_strdup (names[i]));
  kymo_session_emit (self, FILTER_CHANGED);
}

/** kymo_session_show_all: hides nothing any more */
void
kymo_session_show_all (KymoSession *self)
{
  self = kymo_session_of_names (self);
  if (g_hash_table_size (self->hidden) == 0)
    return;
  g_hash_table_remove_all (self->hidden);
  kymo_session_emit (self, FILTER_CHANGED);
}

/** kymo_session_peek_hidden: Returns: (nullable): the set of hidden names */
GHashTable *
kymo_session_peek_hidden (KymoSession *self)
{
  self = kymo_session_of_names (self);
  return g_hash_table_size (self->hidden) > 0 ? self->hidden : NULL;
}

/**
 * kymo_session_peek_hovered:
 *
 * Returns: (transfer none) (nullable): the name of the activity under the pointer, in whichever
 *   session beside this one it is; %NULL for none
 */
const char *
kymo_session_peek_hovered (KymoSession *self)
{
  return kymo_session_of_names (self)->hovered;
}

/** kymo_session_set_hovered: @name: (nullable): what all views lift, at once */
void
kymo_session_set_hovered (KymoSession *self,
                          const char  *name)
{
  kymo_session_point_at (self, NULL, name, FALSE);
}

/** kymo_session_peek_locations: Returns: (nullable): NULL means all */
KymoIdSet *
kymo_session_peek_locations (KymoSession *self)
{
  return kymo_session_of_names (self)->locations;
}

/** kymo_session_set_locations: @locations: (nullable): NULL means all */
void
kymo_session_set_locations (KymoSession *self,
                            KymoIdSet   *locations)
{
  self = kymo_session_of_names (self);
  if (locations == self->locations)
    return;
  if (locations != NULL)
    kymo_id_set_ref (locations);
  g_clear_pointer (&self->locations, kymo_id_set_unref);
  self->locations = locations;
  kymo_session_emit (self, FILTER_CHANGED);
}

/* -- markers -------------------------------------------------------------- */

/** kymo_session_get_marker: Returns: whether marker @which is set */
gboolean
kymo_session_get_marker (KymoSession *self,
                         guint        which,
                         gint64      *time_ns)
{
  g_return_val_if_fail (which < 2, FALSE);
  if (self->has_marker[which] && time_ns != NULL)
    *time_ns = self->markers[which];
  return self->has_marker[which];
}

/** kymo_session_put_marker: sets A, then B, then begins again with A */
void
kymo_session_put_marker (KymoSession *self,
                         gint64       time_ns)
{
  guint which = self->next_marker;

  if (which == 0)
    self->has_marker[1] = FALSE;
  self->has_marker[which] = TRUE;
  self->markers[which] = time_ns;
  self->next_marker = 1 - which;
  kymo_session_emit (self, MARKERS_CHANGED);
}

/**
 * kymo_session_clear_markers:
 *
 * Removes both markers: the next one that is put is A. Emits "markers-changed" where one was set.
 */
void
kymo_session_clear_markers (KymoSession *self)
{
  self->next_marker = 0;
  if (!self->has_marker[0] && !self->has_marker[1])
    return;
  self->has_marker[0] = self->has_marker[1] = FALSE;
  kymo_session_emit (self, MARKERS_CHANGED);
}
