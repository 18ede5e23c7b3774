/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ten colours, darker than those of entry methods ever are, or paler on a dark
 * canvas, so that the two are not mixed up. Found by a search for the largest
 * least distance in OKLab as people with full, protan and deutan vision see them
 * (Machado, Oliveira and Fernandes, 2009), with a contrast to the canvas of at
 * least 3 to 1. Beyond ten they go towards grey.
 */
#include "config.h"

#include "kymo-class-color.h"

#include <glib/gi18n-lib.h>

#include "kymo-theme.h"

static const guint32 colors[2][10] = {
  { 0x2454a5, 0xc2460d, 0x478364, 0x7855df, 0x332710,
    0x883170, 0x4d482f, 0x746ca0, 0x31079a, 0x62074e },
  { 0x72d1fe, 0xf68486, 0x96f8ac, 0xcb89fa, 0xd9a02c,
    0xfbe2f8, 0xcacc56, 0xb6a3bb, 0xb3ccb7, 0xf3f55d },
};

/**
 * kymo_class_color:
 * @look: of the canvas it stands on
 * @cluster: from 0; -1, of no cluster, is grey
 */
KymoRgba
kymo_class_color (KymoLook look, gint cluster)
{
  guint32 hex = cluster < 0 ? 0x9a9a9a : colors[KYMO_LOOK_IS_DARK (look)][cluster % 10];
  guint round = cluster < 0 ? 0 : cluster / 10;
  KymoRgba color = { (hex >> 16 & 0xff) / 255.0, (hex >> 8 & 0xff) / 255.0,
                     (hex & 0xff) / 255.0, 1 };
  KymoRgba towards = kymo_theme_get (look)->secondary;

  return kymo_rgba_mix (color, towards, 0.35 * (round % 3));
}

/** kymo_class_name: @cluster: from 0, as the command line counts them */
char *
kymo_class_name (gint cluster)
{
  return g_strdup_printf (_("Cluster %d"), cluster);
}
