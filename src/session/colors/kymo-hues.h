/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The colours that names get where nothing was chosen for them. Pure functions, any
 * thread.
 */
#pragma once

#include "kymo-colors.h"

G_BEGIN_DECLS

/** KYMO_HUES_OFFERED: limit of hues of a set that can be chosen */
#define KYMO_HUES_OFFERED 20
/** KYMO_N_SHADES: number of shades of a family that does not compute */
#define KYMO_N_SHADES 18

/* "light", "dark-contrast" …, as the command line names looks; NULL terminated */
extern const char *const kymo_look_words[];

guint    kymo_hues_count
                  (KymoPaletteKind base);
KymoRgba kymo_hue (KymoPaletteKind base,
                   guint           slot,
                   KymoLook        look);
KymoRgba kymo_shade
                  (KymoColorFamily family,
                   guint           slot,
                   KymoLook        look);
double   kymo_linear_to_gamma
                  (double          linear);
double   kymo_gamma_to_linear
                  (double          value);
double   kymo_rgba_luminance
                  (KymoRgba        c);
double   kymo_rgba_contrast
                  (KymoRgba        a,
                   KymoRgba        b);

G_END_DECLS
