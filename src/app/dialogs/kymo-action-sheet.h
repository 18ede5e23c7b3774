/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks for the values of an action of a recorded job, and confirms it in words. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-job-line.h"

G_BEGIN_DECLS

/* Called if the person confirms. `arguments`: "KEY=VALUE", terminated by NULL. */
typedef void (*KymoActionConfirmed) (const char        *name,
                                     const char *const *arguments,
                                     gpointer           data);

void kymo_action_sheet_present (GtkWindow           *parent,
                                const KymoJobInfo   *info,
                                const KymoJobAction *action,
                                KymoActionConfirmed  confirmed,
                                GObject             *data);

G_END_DECLS
