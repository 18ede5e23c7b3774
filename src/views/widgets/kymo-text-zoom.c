/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "kymo-text-zoom.h"

#define USUAL_DPI 96

/** kymo_text_zoom: */
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

/** kymo_text_px: */
int
kymo_text_px (int width_px)
{
  return lrint (width_px * kymo_text_zoom ());
}

/** kymo_text_zoom_follow: */
void
kymo_text_zoom_follow (GtkWidget *widget, GCallback changed)
{
  GtkSettings *settings = gtk_settings_get_default ();

  if (settings != NULL)
    g_signal_connect_object (settings, "notify::gtk-xft-dpi", changed, widget,
                             G_CONNECT_SWAPPED);
}
