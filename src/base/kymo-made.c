/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-made.h"

/* Pause between looks at a value that another thread is making. */
#define NAP_US 2000

/**
 * kymo_made_init:
 * @self: memory for it, which kymo_made_clear() cleans up
 *
 * Begins with nothing made; before any other thread knows of @self.
 */
void
kymo_made_init (KymoMade *self)
{
  g_mutex_init (&self->lock);
  self->value = NULL;
  self->free = NULL;
}

/** kymo_made_clear: with what was made; no other thread may use it then */
void
kymo_made_clear (KymoMade *self)
{
  if (self->value != NULL)
    self->free (self->value);
  self->value = NULL;
  g_mutex_clear (&self->lock);
}

/** kymo_made_peek: (transfer none) (nullable): what was made, if it was */
gpointer
kymo_made_peek (KymoMade *self)
{
  return g_atomic_pointer_get (&self->value);
}

/* With the lock, which is given back. FALSE with @error, if it cannot be made. */
static gboolean
make_once (KymoMade        *self,
           KymoMadeFunc     make,
           gconstpointer    data,
           GDestroyNotify   free,
           GError         **error)
{
  gboolean ok = TRUE;

  if (kymo_made_peek (self) == NULL)
    {
      gpointer value = make (data, error);

      ok = value != NULL;
      self->free = free;
      g_atomic_pointer_set (&self->value, value);
    }
  g_mutex_unlock (&self->lock);
  return ok;
}

/**
 * kymo_made_get:
 * @make: called with @data where it is not made yet
 * @free: frees it in the end
 *
 * Returns: (transfer none) (nullable): the thing; %NULL with @error when it was cancelled,
 * or cannot be made
 */
gpointer
kymo_made_get (KymoMade        *self,
               KymoMadeFunc     make,
               gconstpointer    data,
               GDestroyNotify   free,
               GCancellable    *cancellable,
               GError         **error)
{
  while (kymo_made_peek (self) == NULL)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (!g_mutex_trylock (&self->lock))
        g_usleep (NAP_US);
      else if (!make_once (self, make, data, free, error))
        return NULL;
    }
  return kymo_made_peek (self);
}
