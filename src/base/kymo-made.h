/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is costly, and made of something immutable on first use: by the first thread that asks,
 * with the threads of that one; the others wait, and can be cancelled while they do. For
 * what takes no time kymo-once.h is enough. Any thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** KymoMade: @value is atomic; NULL = not made yet */
typedef struct
{
  GMutex         lock;
  gpointer       value;
  GDestroyNotify free;
} KymoMade;

/** KymoMadeFunc: Returns: (transfer full) (nullable): the thing; %NULL with @error where it
 *  cannot be made, and then the next caller tries again */
typedef gpointer (*KymoMadeFunc) (gconstpointer   data,
                                  GError        **error);

void     kymo_made_init  (KymoMade       *self);
void     kymo_made_clear (KymoMade       *self);
gpointer kymo_made_peek  (KymoMade       *self);
gpointer kymo_made_get   (KymoMade       *self,
                          KymoMadeFunc    make,
                          gconstpointer   data,
                          GDestroyNotify  free,
                          GCancellable   *cancellable,
                          GError        **error);

G_END_DECLS
