/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Indices of array elements, each distinct one once: a segment's blocks refer
 * to them by number. Open addressing; the element at 0 is "no object".
 *
 * One thread; kymo_object_set_steal() hands the elements over.
 */
#pragma once

#include "kymo-segment.h"

G_BEGIN_DECLS

typedef struct
{
  KymoObject *objects;
  guint       n_objects;
  guint       capacity;
  guint      *slots;            /* number + 1, or 0 */
  guint       n_slots;          /* a power of two */
  guint       last;             /* the one asked for last */
} KymoObjectSet;

void        kymo_object_set_init   (KymoObjectSet    *set);
void        kymo_object_set_clear  (KymoObjectSet    *set);
guint       kymo_object_set_add    (KymoObjectSet    *set,
                                    const KymoObject *object);
KymoObject *kymo_object_set_steal  (KymoObjectSet    *set,
                                    guint            *n_objects);

G_END_DECLS
