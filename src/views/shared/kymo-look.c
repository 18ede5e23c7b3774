/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-look.h.
 */
#include "config.h"

#include "kymo-look.h"

#include <adwaita.h>

/**
 * kymo_look_now:
 *
 * Returns: the look that the desktop asks for: light or dark, with or without high contrast
 */
KymoLook
kymo_look_now (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  gboolean dark = adw_style_manager_get_dark (style);

  if (adw_style_manager_get_high_contrast (style))
    return dark ? KYMO_LOOK_DARK_CONTRAST : KYMO_LOOK_LIGHT_CONTRAST;
  return dark ? KYMO_LOOK_DARK : KYMO_LOOK_LIGHT;
}

/** kymo_look_follow: @self: (not owned): a GObject */
void
kymo_look_follow (GCallback changed, gpointer self)
{
  static const char *const signals[] = { "notify::dark", "notify::high-contrast" };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (adw_style_manager_get_default (), signals[i], changed,
                             self, G_CONNECT_SWAPPED);
}
