/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-object-set.h"

#include <string.h>

/**
 * kymo_object_set_init:
 *
 * Makes an empty set, in which index 0 is "no object". Clear with kymo_object_set_clear().
 */
void
kymo_object_set_init (KymoObjectSet *set)
{
  memset (set, 0, sizeof *set);
  set->objects = g_new0 (KymoObject, 1);
  set->n_objects = set->capacity = 1;
  set->n_slots = 64;
  set->slots = g_new0 (guint, set->n_slots);
}

/**
 * kymo_object_set_clear:
 *
 * Frees the elements of the set, not the set itself.
 */
void
kymo_object_set_clear (KymoObjectSet *set)
{
  g_clear_pointer (&set->objects, g_free);
  g_clear_pointer (&set->slots, g_free);
}

static guint
hash (const KymoObject *object)
{
  guint64 h = object->n_dimensions;

  for (guint i = 0; i < object->n_dimensions; i++)
    h = (h ^ (guint32) object->index[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (h >> 32);
}

static void
grow_slots (KymoObjectSet *set)
{
  guint mask;

  g_free (set->slots);
  set->n_slots *= 2;
  mask = set->n_slots - 1;
  set->slots = g_new0 (guint, set->n_slots);
  for (guint i = 1; i < set->n_objects; i++)
    {
      guint slot = hash (&set->objects[i]) & mask;

      while (set->slots[slot] != 0)
        slot = (slot + 1) & mask;
      set->slots[slot] = i;
    }
}

/**
 * kymo_object_set_add:
 * @object: (nullable): unused dimensions are 0
 *
 * Returns: the element's number, the same for the same index
 */
guint
kymo_object_set_add (KymoObjectSet    *set,
                     const KymoObject *object)
{
  guint mask, slot;

  if (object == NULL || object->n_dimensions == 0)
    return KYMO_NO_OBJECT;
  if (memcmp (&set->objects[set->last], object, sizeof *object) == 0)
    return set->last;
  mask = set->n_slots - 1;
  for (slot = hash (object) & mask; set->slots[slot] != 0; slot = (slot + 1) & mask)
    if (memcmp (&set->objects[set->slots[slot]], object, sizeof *object) == 0)
      return set->last = set->slots[slot];
  if (set->n_objects == set->capacity)
    {
      set->capacity += set->capacity / 2 + 64;
      set->objects = g_renew (KymoObject, set->objects, set->capacity);
    }
  set->objects[set->n_objects] = *object;
  set->slots[slot] = set->last = set->n_objects++;
  if (set->n_objects * 2 > set->n_slots)
    grow_slots (set);
  return set->last;
}

/**
 * kymo_object_set_steal:
 * @n_objects: (out): how many there are
 *
 * Returns: (transfer full): the elements, no larger than they need to be
 */
KymoObject *
kymo_object_set_steal (KymoObjectSet *set,
                       guint         *n_objects)
{
  KymoObject *objects = g_steal_pointer (&set->objects);

  *n_objects = set->n_objects;
  return g_renew (KymoObject, objects, set->n_objects);
}
