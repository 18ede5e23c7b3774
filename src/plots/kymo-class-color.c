/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ten colours that are told apart by people with any colour vision (the bright
 * and muted schemes of P. Tol, "Colour Schemes", SRON/EPS/TN/09-002), lighter
 * or darker beyond ten.
 */
#include "config.h"

#include "kymo-class-color.h"

#include <glib/gi18n-lib.h>

#include "kymo-theme.h"

static const guint32 colors[] = { 0x4477aa, 0xee6677, 0x228833, 0xccbb44, 0xaa3377,
                                  0x66ccee, 0xdd7711, 0x332288, 0x44aa99, 0x999933 };

/**
 * kymo_class_color:
 * @dark: whether it stands on a dark canvas
 * @cluster: from 0; -1, of no cluster, is grey
 */
KymoRgba
kymo_class_color (gboolean dark, gint cluster)
{
  guint32 hex = cluster < 0 ? 0x9a9a9a : colors[cluster % G_N_ELEMENTS (colors)];
  guint round = cluster < 0 ? 0 : cluster / G_N_ELEMENTS (colors);
  KymoRgba color = { (hex >> 16 & 0xff) / 255.0, (hex >> 8 & 0xff) / 255.0,
                     (hex & 0xff) / 255.0, 1 };
  KymoRgba towards = kymo_theme_get (dark)->foreground;

  if (dark)
    color = kymo_rgba_mix (color, (KymoRgba) { 1, 1, 1, 1 }, 0.2);
  return kymo_rgba_mix (color, towards, 0.35 * (round % 3));
}

/** kymo_class_name: @cluster: from 0 */
char *
kymo_class_name (gint cluster)
{
  return g_strdup_printf (_("Cluster %d"), cluster + 1);
}
