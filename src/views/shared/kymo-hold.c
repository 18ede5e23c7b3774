/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A task says that it is completed on the thread that started it, after its callback; so
 * neither the worker nor who wrote need know of the program.
 */
#include "config.h"

#include "kymo-hold.h"

static void
unref_application (gpointer application, GClosure *closure)
{
  g_object_unref (application);
}

/** kymo_hold_for_task: nothing where no program of windows runs, as in tests of one widget */
void
kymo_hold_for_task (GTask *task)
{
  GApplication *application = g_application_get_default ();

  if (application == NULL)
    return;
  g_application_hold (application);
  g_signal_connect_data (task, "notify::completed", G_CALLBACK (g_application_release),
                         g_object_ref (application), unref_application, G_CONNECT_SWAPPED);
}
