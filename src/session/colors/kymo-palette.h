/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoPalette: which colours names have: one of the two sets of hues, and over
 * it the colours that a person chose, each for a name, for all names that match
 * a pattern, or for a group (a chare class, or one of TAU's groups). Of several
 * that fit, that of the name is used, else the pattern that was chosen last, else
 * the group.
 *
 * A chosen colour is one; kymo_color_for_canvas() says how it looks on a canvas.
 * Immutable and ref-counted: any thread.
 */
#pragma once

#include "kymo-colors.h"

G_BEGIN_DECLS

/** KYMO_PALETTE_SUFFIX: what names of files of palettes end in */
#define KYMO_PALETTE_SUFFIX ".kymopalette"
/** KYMO_PALETTE_MOST: limit of colours that can be chosen */
#define KYMO_PALETTE_MOST 4096
/** KYMO_PALETTE_TEXT_MOST: bytes of a name, pattern or group at most */
#define KYMO_PALETTE_TEXT_MOST 8192
/** KYMO_PALETTE_PATTERNS_MOST: limit of patterns among them, and of bytes of each: each
 * name of a run is held against all of them */
#define KYMO_PALETTE_PATTERNS_MOST 256
#define KYMO_PALETTE_PATTERN_MOST 256
/** KYMO_PALETTE_FILE_MOST: bytes of a file at most */
#define KYMO_PALETTE_FILE_MOST (4 << 20)

/** KymoColorOf: what a colour was chosen for */
typedef enum
{
  KYMO_COLOR_OF_NAME,
  KYMO_COLOR_OF_PATTERN,               /* with * and ? */
  KYMO_COLOR_OF_GROUP,
} KymoColorOf;

/**
 * KymoColorChoice:
 * @rgb: 0xRRGGBB
 */
typedef struct
{
  KymoColorOf of;
  char       *text;
  guint32     rgb;
} KymoColorChoice;

KymoPalette    *kymo_palette_new         (KymoPaletteKind     base);
KymoPalette    *kymo_palette_ref         (KymoPalette        *palette);
void            kymo_palette_unref       (KymoPalette        *palette);
KymoPaletteKind kymo_palette_get_base    (const KymoPalette  *palette);
guint           kymo_palette_get_n_choices (const KymoPalette *palette);
const KymoColorChoice *
                kymo_palette_peek_choice (const KymoPalette  *palette,
                                          guint               index);
gboolean        kymo_palette_equal       (const KymoPalette  *a,
                                          const KymoPalette  *b);
/* (transfer full): the same with one more colour, or another one */
KymoPalette    *kymo_palette_choose      (const KymoPalette  *palette,
                                          KymoColorOf         of,
                                          const char         *text,
                                          guint32             rgb);
/* (transfer full): the same without that one */
KymoPalette    *kymo_palette_reset       (const KymoPalette  *palette,
                                          KymoColorOf         of,
                                          const char         *text);
gboolean        kymo_palette_find        (const KymoPalette  *palette,
                                          const char         *name,
                                          const char         *group,
                                          guint32            *rgb);

/* Groups "Colours" and "Colour N" of a key file. */
void            kymo_palette_write       (const KymoPalette  *palette,
                                          GKeyFile           *file);
KymoPalette    *kymo_palette_read        (GKeyFile           *file,
                                          GPtrArray          *left_out);
char           *kymo_palette_to_text     (const KymoPalette  *palette);
KymoPalette    *kymo_palette_parse       (const char         *text,
                                          gsize               length,
                                          GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoPalette, kymo_palette_unref)

G_END_DECLS
