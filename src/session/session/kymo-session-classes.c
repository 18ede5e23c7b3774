/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clusters of PEs that a session has at hand, and what every question about
 * its run is given: locations, their order, extrapolation. Main thread only.
 *
 * Invariant: `order` holds every PE of `classes`, cluster by cluster, nearest to
 * the mean first; it is NULL without classes.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-row-order.h"
#include "kymo-session-private.h"

/**
 * kymo_session_prepare_places:
 * @question: about the run of the session
 *
 * Gives a question the locations in view, their order and their groups, and nothing else.
 */
void
kymo_session_prepare_places (KymoSession *self, KymoQuestion *question)
{
  self = kymo_session_of_names (self);
  kymo_question_set_locations (question, self->locations);
  if (self->by_class)
    kymo_question_set_order (question, self->order);
  else
    kymo_session_prepare_rows (self, question);
  kymo_session_prepare_groups (self, question);
}

/**
 * kymo_session_prepare:
 * @question: about the run of the session
 *
 * Every question of a view goes through here, so that all views are about the
 * same PEs.
 */
void
kymo_session_prepare (KymoSession *self, KymoQuestion *question)
{
  self = kymo_session_of_names (self);
  kymo_session_prepare_places (self, question);
  kymo_session_prepare_messages (self, question);
  /* A draft has no weights yet. */
  if (self->extrapolates
      && (kymo_source_get_capabilities (self->source) & KYMO_CAN_WEIGHTS))
    kymo_question_set_int (question, "extrapolate", 1);
}

/**
 * kymo_session_peek_classes:
 *
 * Returns: (transfer none) (nullable): the answer of kind clusters that the session has at hand,
 *   shared by sessions beside each other; %NULL where none was set
 */
KymoTable *
kymo_session_peek_classes (KymoSession *self)
{
  return kymo_session_of_names (self)->classes;
}

/**
 * kymo_session_set_classes:
 * @classes: (nullable) (transfer none): an answer of clusters
 */
void
kymo_session_set_classes (KymoSession *self, KymoTable *classes)
{
  self = kymo_session_of_names (self);
  if (classes == self->classes)
    return;
  g_clear_pointer (&self->classes, kymo_table_unref);
  g_clear_pointer (&self->order, g_array_unref);
  if (classes != NULL)
    {
      self->classes = kymo_table_ref (classes);
      self->order = kymo_row_order_of (classes);
    }
  kymo_session_emit (self, CLASSES_CHANGED);
  if (self->by_class)
    kymo_session_emit (self, FILTER_CHANGED);
}

/**
 * kymo_classes_find:
 * @classes: (nullable): an answer of clusters
 *
 * Returns: the cluster of a location, -1 where it is in none. Any thread
 */
gint
kymo_classes_find (const KymoTable *classes, gint64 location)
{
  KymoTable *list;
  guint n, at;

  if (classes == NULL)
    return -1;
  /* PEs of the answer ascend. */
  list = kymo_table_peek_nested (classes, "locations", NULL);
  n = kymo_table_get_n_rows (list);
  at = KYMO_FIND_FIRST (i, 0, n, kymo_table_get_int (list, "location", i) >= location);
  return at < n && kymo_table_get_int (list, "location", at) == location
         ? kymo_table_get_int (list, "cluster", at) : -1;
}

/**
 * kymo_session_get_by_class:
 *
 * Returns: whether rows stand in the order of clusters; sessions beside each other share it. It
 *   may be %TRUE while no clusters are at hand: then rows stand by number.
 */
gboolean
kymo_session_get_by_class (KymoSession *self)
{
  return kymo_session_of_names (self)->by_class;
}

/** kymo_session_set_by_class: @by_class: rows in the order of clusters */
void
kymo_session_set_by_class (KymoSession *self, gboolean by_class)
{
  self = kymo_session_of_names (self);
  if (by_class == self->by_class)
    return;
  self->by_class = by_class;
  if (by_class)
    kymo_session_forget_row_order (self);
  kymo_session_notify (self, PROP_BY_CLASS);
  kymo_session_emit (self, FILTER_CHANGED);
}

/**
 * kymo_session_get_extrapolates:
 *
 * Returns: whether figures of a reduced run are extrapolated to all PEs; sessions beside each
 *   other share it
 */
gboolean
kymo_session_get_extrapolates (KymoSession *self)
{
  return kymo_session_of_names (self)->extrapolates;
}

/**
 * kymo_session_set_extrapolates:
 * @extrapolates: whether figures are of all PEs of the run that this run was reduced from
 *
 * Ignored if the run has no weights.
 */
void
kymo_session_set_extrapolates (KymoSession *self, gboolean extrapolates)
{
  self = kymo_session_of_names (self);
  if (extrapolates == self->extrapolates
      || !(kymo_source_get_capabilities (self->source) & KYMO_CAN_WEIGHTS))
    return;
  self->extrapolates = extrapolates;
  kymo_session_notify (self, PROP_EXTRAPOLATES);
  kymo_session_emit (self, FILTER_CHANGED);
}
