/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSwatch: a small dot in the colour of an activity, as the pictures
 * paint it; hollow when the activity is hidden. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_SWATCH (kymo_swatch_get_type ())
G_DECLARE_FINAL_TYPE (KymoSwatch, kymo_swatch, KYMO, SWATCH, GtkWidget)

GtkWidget *kymo_swatch_new (KymoSession *session);
void       kymo_swatch_set (KymoSwatch  *self,
                            const char  *name,
                            const char  *kind);

G_END_DECLS
