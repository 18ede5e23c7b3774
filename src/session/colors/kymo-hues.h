/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The colours that names get where nothing was chosen for them. Pure functions, any
 * thread.
 */
#pragma once

#include "kymo-colors.h"

G_BEGIN_DECLS

/** KYMO_HUES_OFFERED: so many of a set at most are offered to be chosen */
#define KYMO_HUES_OFFERED 20

/* "light", "dark-contrast" …, as the command line names looks; NULL terminated */
extern const char *const kymo_look_words[];

guint    kymo_hues_count
                  (KymoPaletteKind base);
KymoRgba kymo_hue (KymoPaletteKind base,
                   guint           slot,
                   KymoLook        look);
double   kymo_rgba_contrast
                  (KymoRgba        a,
                   KymoRgba        b);

G_END_DECLS
