/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The look of canvases as the desktop has it now: light or dark, with high
 * contrast or without. Main thread only.
 */
#pragma once

#include <glib-object.h>

#include "kymo-colors.h"

G_BEGIN_DECLS

KymoLook kymo_look_now    (void);
/* Calls @changed, with @self alone, at each change as long as @self lives. */
void     kymo_look_follow (GCallback changed,
                           gpointer  self);

G_END_DECLS
