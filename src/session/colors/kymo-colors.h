/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colour by name: the same name has the same colour in every run, in light
 * and dark, whatever other names there are. What a person
 * chose (kymo-palette.h) comes before that. Idle, overhead and untraced look the
 * same everywhere.
 */
#pragma once

#include <glib.h>

#include "kymo-table.h"

G_BEGIN_DECLS

typedef struct
{
  double red, green, blue, alpha;
} KymoRgba;

/**
 * KymoLook:
 *
 * The canvas that colours lie on, that of the desktop's high contrast included.
 * The first bit says whether it is dark, so that FALSE and TRUE are looks.
 */
typedef enum
{
  KYMO_LOOK_LIGHT,
  KYMO_LOOK_DARK,
  KYMO_LOOK_LIGHT_CONTRAST,
  KYMO_LOOK_DARK_CONTRAST,
} KymoLook;

#define KYMO_N_LOOKS 4
#define KYMO_LOOK_IS_DARK(look) (((look) & 1) != 0)

/** KymoPaletteKind: the standard set of colours, or the colour-blind-safe one. */
typedef enum
{
  KYMO_PALETTE_STANDARD,
  KYMO_PALETTE_SAFE,
} KymoPaletteKind;

typedef struct _KymoColors KymoColors;
typedef struct _KymoPalette KymoPalette;

KymoColors *kymo_colors_new    (KymoPaletteKind     palette);
/* With the colours that a person chose. */
KymoColors *kymo_colors_new_of (KymoPalette        *palette);
KymoColors *kymo_colors_ref    (KymoColors         *colors);
void        kymo_colors_unref  (KymoColors         *colors);
void        kymo_colors_assign (KymoColors         *colors,
                                const char *const  *names_busiest_first);
void        kymo_colors_assign_grouped
                               (KymoColors         *colors,
                                const char *const  *names_busiest_first,
                                GHashTable         *groups);
KymoRgba    kymo_colors_get    (KymoColors         *colors,
                                const char         *name,
                                KymoLook            look);
/* Place of a name in the whole run's order, 0 = busiest; G_MAXUINT when the
   name was never assigned. Stacks keep this order while zooming. */
guint       kymo_colors_get_rank (KymoColors       *colors,
                                  const char       *name);

char      **kymo_colors_names_by_time
                               (const KymoTable    *profile);
/* (transfer full): name -> group, both owned, of those that have one */
GHashTable *kymo_colors_groups (const KymoTable    *profile);

/* The colours of a set that are offered to be chosen; NULL = how many. */
guint       kymo_colors_list_hues
                               (KymoPaletteKind     palette,
                                guint32            *rgb);
KymoRgba    kymo_color_for_canvas
                               (guint32             rgb,
                                KymoLook            look);
gboolean    kymo_color_is_near (guint32             rgb,
                                KymoLook            look);
guint32     kymo_rgba_to_rgb   (KymoRgba            color);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoColors, kymo_colors_unref)

G_END_DECLS
