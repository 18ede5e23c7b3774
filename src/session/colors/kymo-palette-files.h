/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Palettes by name: "standard", "safe", and the person's own, each a file of
 * the folder `kymo/palettes` of her settings (XDG_CONFIG_HOME). Any thread.
 */
#pragma once

#include "kymo-palette.h"

G_BEGIN_DECLS

char       **kymo_palettes_list   (void);
/* (transfer full) (nullable): by name, or a path that has a slash or ends in
   KYMO_PALETTE_SUFFIX */
KymoPalette *kymo_palettes_load   (const char  *name,
                                   GError     **error);
gboolean     kymo_palettes_save   (KymoPalette *palette,
                                   const char  *name,
                                   GError     **error);
gboolean     kymo_palettes_remove (const char  *name,
                                   GError     **error);

G_END_DECLS
