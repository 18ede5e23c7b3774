/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands where on the desk.
 */
#include "config.h"

#include "kymo-location-pane.h"
#include "kymo-overview.h"
#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"
#include "kymo-shown-bar.h"

#define SIDEBAR_PX 190
#define LEGEND_PX 270

/**
 * kymo_run_view_go_to_function:
 * @name: in a legend or a picture of profiles
 *
 * Goes to what the run has of a function: of a trace its longest block, of a profile the function
 * over all threads.
 */
void
kymo_run_view_go_to_function (KymoRunView *self, const char *name)
{
  KymoCapabilities can
    = kymo_source_get_capabilities (kymo_session_peek_source (self->session));

  if ((can & KYMO_CAN_INTERVALS) || !(can & KYMO_CAN_METRICS))
    {
      kymo_run_view_go_to_longest (self, name);
      return;
    }
  kymo_session_set_function (self->session, name);
  kymo_run_view_show_view (self, "function");
  kymo_run_view_focus (self);
}

static GtkWidget *
build_middle (KymoRunView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *parts = kymo_run_view_build_parts (self);

  kymo_run_view_add_views (self);
  if (kymo_run_view_has_time (self))
    gtk_box_append (GTK_BOX (box), kymo_overview_new (self->session));
  gtk_box_append (GTK_BOX (box), kymo_shown_bar_new (self->session));
  gtk_box_append (GTK_BOX (box), parts);
  gtk_widget_add_css_class (box, "kymo-desk");
  return box;
}

/** kymo_run_view_build_desk: all between banner and details */
GtkWidget *
kymo_run_view_build_desk (KymoRunView *self)
{
  GtkWidget *outer = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *inner = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->sidebar = kymo_location_pane_new (self->session);
  g_signal_connect_object (self->sidebar, "explain",
                           G_CALLBACK (kymo_run_view_explain), self,
                           G_CONNECT_SWAPPED);
  self->legend = kymo_legend_pane_new (self->session);
  gtk_widget_set_size_request (self->sidebar, SIDEBAR_PX, -1);
  gtk_widget_set_size_request (self->legend, LEGEND_PX, -1);
  gtk_paned_set_start_child (GTK_PANED (inner), build_middle (self));
  gtk_paned_set_end_child (GTK_PANED (inner), self->legend);
  gtk_paned_set_resize_end_child (GTK_PANED (inner), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (inner), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (inner), FALSE);
  gtk_paned_set_start_child (GTK_PANED (outer), self->sidebar);
  gtk_paned_set_end_child (GTK_PANED (outer), inner);
  gtk_paned_set_resize_start_child (GTK_PANED (outer), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (outer), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (outer), FALSE);
  gtk_widget_set_vexpand (outer, TRUE);
  g_signal_connect_object (self->legend, "activated",
                           G_CALLBACK (kymo_run_view_go_to_function), self,
                           G_CONNECT_SWAPPED);
  return outer;
}
