/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colour by name: the same name has the same colour in every run, in light
 * and dark, whatever other names there are. What a person
 * chose (kymo-palette.h) comes before that. Idle, overhead and untraced look the
 * same everywhere.
 *
 * Functions that do not compute have a family of colours by their role, and the name picks a
 * shade of it.
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

/**
 * KymoColorFamily:
 * @KYMO_FAMILY_COMPUTE: the colours of the palette
 * @KYMO_FAMILY_COMMUNICATION: blue-greys
 * @KYMO_FAMILY_WAITING: the same, hatched; synchronization, too
 * @KYMO_FAMILY_IO: browns
 * @KYMO_FAMILY_RUNTIME: mauves
 *
 * What activities of a role look like.
 */
typedef enum
{
  KYMO_FAMILY_COMPUTE,
  KYMO_FAMILY_COMMUNICATION,
  KYMO_FAMILY_WAITING,
  KYMO_FAMILY_IO,
  KYMO_FAMILY_RUNTIME,
  KYMO_N_FAMILIES,
} KymoColorFamily;

/** KymoColorBy: what the colour of an activity stands for */
typedef enum
{
  KYMO_COLOR_BY_NAME,
  KYMO_COLOR_BY_ROLE,
  KYMO_COLOR_BY_GROUP,
  KYMO_COLOR_BY_COMMUNICATOR,          /* in timelines; elsewhere as by name */
  KYMO_N_COLOR_BY,
} KymoColorBy;

/**
 * KymoColorTraits:
 * @groups: (nullable): name -> group, of those that have one
 * @families: (nullable): name -> #KymoColorFamily, of those that do not compute
 *
 * Further facts of names. Nothing is owned.
 */
typedef struct
{
  GHashTable *groups;
  GHashTable *families;
  KymoColorBy by;
} KymoColorTraits;

typedef struct _KymoColors KymoColors;
typedef struct _KymoPalette KymoPalette;

KymoColors *kymo_colors_new    (KymoPaletteKind     palette);
/* With the colours that a person chose. */
KymoColors *kymo_colors_new_of (KymoPalette        *palette);
KymoColors *kymo_colors_ref    (KymoColors         *colors);
void        kymo_colors_unref  (KymoColors         *colors);
void        kymo_colors_assign (KymoColors         *colors,
                                const char *const  *names_busiest_first);
void        kymo_colors_assign_known
                               (KymoColors         *colors,
                                const char *const  *names_busiest_first,
                                const KymoColorTraits *known);
KymoRgba    kymo_colors_get    (KymoColors         *colors,
                                const char         *name,
                                KymoLook            look);
gboolean    kymo_colors_is_hatched
                               (KymoColors         *colors,
                                const char         *name);
/* Place of a name in the whole run's order, 0 = busiest; G_MAXUINT when the
   name was never assigned. Stacks keep this order while zooming. */
guint       kymo_colors_get_rank (KymoColors       *colors,
                                  const char       *name);

char      **kymo_colors_names_by_time
                               (const KymoTable    *profile);
/* (transfer full): name -> group, both owned, of those that have one */
GHashTable *kymo_colors_groups (const KymoTable    *profile);
GHashTable *kymo_colors_families
                               (const KymoTable    *profile);
KymoTable  *kymo_colors_profile_of_sides
                               (const KymoTable    *answer);
gboolean    kymo_colors_same_map
                               (GHashTable         *a,
                                GHashTable         *b,
                                gboolean            texts);
const char *kymo_color_by_to_string
                               (KymoColorBy         by);
gboolean    kymo_color_by_parse
                               (const char         *word,
                                KymoColorBy        *by);

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
