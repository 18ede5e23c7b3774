/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scroll bar lies over the picture, which is as wide as the others with or without
 * it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-scrolled-canvas.h"

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
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Scroll rows"), -1);
  g_signal_connect_object (adjustment, "changed",
                           G_CALLBACK (on_adjustment_changed), bar, 0);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), GTK_WIDGET (canvas));
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), bar);
  return overlay;
}
