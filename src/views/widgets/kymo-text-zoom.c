/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "kymo-text-zoom.h"

#define USUAL_DPI 96

/**
 * kymo_text_zoom:
 *
 * Returns: the size of text on the desktop relative to the usual size: 0.5 to 4, in steps of 0.05
 */
double
kymo_text_zoom (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi = -1;
  double zoom;

  if (settings != NULL)
    g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  if (dpi <= 0)
    return 1;
  /* What screens measure themselves to be is no wish for other text. */
  zoom = round (dpi / 1024.0 / USUAL_DPI * 20) / 20;
  return CLAMP (zoom, 0.5, 4);
}

/**
 * kymo_text_px:
 * @width_px: for text of the usual size
 *
 * Returns: the width in pixels for text of the present size
 */
int
kymo_text_px (int width_px)
{
  return lrint (width_px * kymo_text_zoom ());
}

/**
 * kymo_text_zoom_follow:
 * @changed: called with @widget alone, as long as it lives
 *
 * Calls back whenever the desktop changes the size of text. kymo_text_zoom(), which rounds, may be
 * the same as before.
 */
void
kymo_text_zoom_follow (GtkWidget *widget, GCallback changed)
{
  GtkSettings *settings = gtk_settings_get_default ();

  if (settings != NULL)
    g_signal_connect_object (settings, "notify::gtk-xft-dpi", changed, widget,
                             G_CONNECT_SWAPPED);
}
