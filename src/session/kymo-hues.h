/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hues that names get where nothing was chosen for them. Pure functions, any
 * thread.
 */
#pragma once

#include "kymo-colors.h"

G_BEGIN_DECLS

/** KYMO_HUES_MOST: no set has more */
#define KYMO_HUES_MOST 20

KymoRgba kymo_hue (KymoPaletteKind base,
                   guint           slot,
                   gboolean        dark);

G_END_DECLS
