/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scroll bar lies over the picture, which is as wide as the others with or without
 * it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-scrolled-canvas.h"
#include "kymo-accessible.h"
#include "kymo-text-zoom.h"

static void
on_adjustment_changed (GtkAdjustment *adjustment, GtkWidget *bar)
{
  gtk_widget_set_visible (bar, gtk_adjustment_get_upper (adjustment)
                               > gtk_adjustment_get_page_size (adjustment) + 1);
}

/** kymo_scrolled_canvas_new: @canvas: without a parent */
GtkWidget *
kymo_scrolled_canvas_new (KymoCanvas *canvas)
{
  GtkAdjustment *adjustment = kymo_canvas_get_vadjustment (canvas);
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *bar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, adjustment);

  gtk_widget_set_halign (bar, GTK_ALIGN_END);
  gtk_widget_set_visible (bar, FALSE);
  kymo_accessible_name (bar, _("Scroll rows"));
  g_signal_connect_object (adjustment, "changed",
                           G_CALLBACK (on_adjustment_changed), bar, 0);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), GTK_WIDGET (canvas));
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), bar);
  return overlay;
}

/**
 * kymo_scrolled_pictures_new:
 * @pictures: without a parent
 * @least_px: their least height, with text of the usual size
 *
 * Large text leaves a small window no room for several pictures at once.
 */
GtkWidget *
kymo_scrolled_pictures_new (GtkWidget *pictures, int least_px)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_widget_set_size_request (pictures, -1, kymo_text_px (least_px));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), pictures);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}
