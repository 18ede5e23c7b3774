/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoTiles: a few pictures side by side where there is room for all, else one
 * at a time with a switch over it. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define KYMO_TYPE_TILES (kymo_tiles_get_type ())
G_DECLARE_FINAL_TYPE (KymoTiles, kymo_tiles, KYMO, TILES, GtkWidget)

GtkWidget *kymo_tiles_new  (void);
/* `controls` (nullable) stand beside the title. */
void       kymo_tiles_add  (KymoTiles  *self,
                            const char *title,
                            GtkWidget  *controls,
                            GtkWidget  *child);

G_END_DECLS
