/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colour by name: the same name has the same colour in every run, in light
 * and dark; where names meet on one colour the busiest keeps it. Idle,
 * overhead and untraced look the same everywhere.
 */
#pragma once

#include <glib.h>

#include "kymo-table.h"

G_BEGIN_DECLS

typedef struct
{
  double red, green, blue, alpha;
} KymoRgba;

/** KymoPaletteKind: the twenty hues, or the colour-blind-safe set. */
typedef enum
{
  KYMO_PALETTE_STANDARD,
  KYMO_PALETTE_SAFE,
} KymoPaletteKind;

typedef struct _KymoColors KymoColors;

KymoColors *kymo_colors_new    (KymoPaletteKind     palette);
KymoColors *kymo_colors_ref    (KymoColors         *colors);
void        kymo_colors_unref  (KymoColors         *colors);
void        kymo_colors_assign (KymoColors         *colors,
                                const char *const  *names_busiest_first);
KymoRgba    kymo_colors_get    (KymoColors         *colors,
                                const char         *name,
                                gboolean            dark);
/* Place of a name in the whole run's order, 0 = busiest; G_MAXUINT when the
   name was never assigned. Stacks keep this order while zooming. */
guint       kymo_colors_get_rank (KymoColors       *colors,
                                  const char       *name);

char      **kymo_colors_names_by_time
                               (const KymoTable    *profile);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoColors, kymo_colors_unref)

G_END_DECLS
