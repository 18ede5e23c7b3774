/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which views a run has, in their order, and where what stands on the desk.
 * A further view is a line of kymo_views[] and, where it is more than the canvas
 * of a picture, one of builders[].
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-cluster-view.h"
#include "kymo-communication-view.h"
#include "kymo-counters-view.h"
#include "kymo-events-view.h"
#include "kymo-extrema-view.h"
#include "kymo-histogram-view.h"
#include "kymo-location-pane.h"
#include "kymo-overview.h"
#include "kymo-path-view.h"
#include "kymo-profile-picture.h"
#include "kymo-profile-view.h"
#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"
#include "kymo-shown-bar.h"
#include "kymo-summary-view.h"
#include "kymo-table-view.h"
#include "kymo-thread-scatter-view.h"
#include "kymo-timeline-view.h"
#include "kymo-user-events-view.h"
#include "kymo-waiting-view.h"

#define SIDEBAR_PX 190
#define LEGEND_PX 270

const KymoViewInfo kymo_views[] = {
  { "live", N_("Live"), 0, 0 },
  { "timeline", N_("Timeline"), KYMO_VIEW_OF_TIME, 0 },
  { "time-profile", N_("Time Profile"), KYMO_VIEW_OF_TIME, 0 },
  { "usage", N_("Usage"), KYMO_VIEW_OF_TIME, 0 },
  { "histogram", N_("Histogram"), KYMO_VIEW_OF_TIME, 0 },
  { "profile", N_("Profile"), KYMO_VIEW_OF_TIME, 0 },
  { "communication", N_("Communication"), KYMO_VIEW_OF_TIME, 0 },
  { "events", N_("Events"), KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, KYMO_CAN_INTERVALS },
  { "counters", N_("Counters"), KYMO_VIEW_OF_TIME, KYMO_CAN_COUNTERS },
  { "critical-path", N_("Paths"), KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, KYMO_CAN_MESSAGES },
  { "waiting", N_("Waiting"), KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, KYMO_CAN_WAITS },
  { "extrema", N_("Extrema"), KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, 0 },
  { "clusters", N_("Clusters"), KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, 0 },
  { "replies", N_("Replies"), 0, KYMO_CAN_STREAM },
  { "thread-bars", N_("By {Row}"), KYMO_VIEW_OF_ROWS, KYMO_CAN_METRICS },
  { "function", N_("{Code}"), KYMO_VIEW_OF_ROWS, KYMO_CAN_METRICS },
  { "thread-table", N_("Table"), KYMO_VIEW_OF_ROWS, KYMO_CAN_METRICS },
  { "thread-scatter", N_("Scatter"), KYMO_VIEW_OF_ROWS, KYMO_CAN_METRICS },
  { "icicle", N_("Icicle"), KYMO_VIEW_OF_ROWS, KYMO_CAN_PATHS },
  { "call-tree", N_("Call Tree"), KYMO_VIEW_OF_ROWS, KYMO_CAN_PATHS },
  { "call-graph", N_("Call Graph"), KYMO_VIEW_OF_ROWS, KYMO_CAN_PATHS },
  { "user-events", N_("User Events"), KYMO_VIEW_OF_ROWS,
    KYMO_CAN_USER_EVENTS | KYMO_CAN_EVENT_TIMES },
  { "summary", N_("Summary"), 0, 0 },
  { NULL },
};

static GtkWidget *
build_canvas (KymoRunView *self, const char *id)
{
  const KymoPlotClass *klass = kymo_plot_find (id);
  GtkWidget *canvas;

  if (klass == NULL)
    return gtk_label_new (_("This picture is not part of this build"));
  canvas = kymo_canvas_new (klass, self->session);
  kymo_run_view_adopt (self, KYMO_CANVAS (canvas));
  return canvas;
}

static GtkWidget *
build_timeline (KymoRunView *self)
{
  GtkWidget *view = kymo_timeline_view_new (self->session);

  kymo_run_view_adopt (self, kymo_timeline_view_get_timeline (
    KYMO_TIMELINE_VIEW (view)));
  kymo_run_view_adopt (self, kymo_timeline_view_get_profile (
    KYMO_TIMELINE_VIEW (view)));
  return view;
}

static GtkWidget *
build_histogram (KymoRunView *self)
{
  GtkWidget *view = kymo_histogram_view_new (self->session);

  kymo_run_view_adopt (self, kymo_histogram_view_get_canvas (
    KYMO_HISTOGRAM_VIEW (view)));
  return view;
}

static void
on_shown (KymoRunView *self, const char *id)
{
  kymo_run_view_show_view (self, id);
  kymo_run_view_focus (self);
}

static GtkWidget *
build_extrema (KymoRunView *self)
{
  GtkWidget *view = kymo_extrema_view_new (self->session);

  kymo_run_view_adopt (self, kymo_extrema_view_get_canvas (
    KYMO_EXTREMA_VIEW (view)));
  g_signal_connect_object (view, "show-view", G_CALLBACK (on_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "explain", G_CALLBACK (kymo_run_view_explain),
                           self, G_CONNECT_SWAPPED);
  return view;
}

static GtkWidget *
build_clusters (KymoRunView *self)
{
  GtkWidget *view = kymo_cluster_view_new (self->session);
  GPtrArray *canvases
    = kymo_cluster_view_peek_canvases (KYMO_CLUSTER_VIEW (view));

  for (guint i = 0; i < canvases->len; i++)
    kymo_run_view_adopt (self, canvases->pdata[i]);
  g_signal_connect_object (view, "show-view", G_CALLBACK (on_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "explain", G_CALLBACK (kymo_run_view_explain),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "message", G_CALLBACK (kymo_run_view_say),
                           self, G_CONNECT_SWAPPED);
  return view;
}

/* A name in a legend or a picture of profiles: of a trace its longest block, of a profile the
   function over all threads. */
static void
on_function (KymoRunView *self, const char *name)
{
  KymoCapabilities can
    = kymo_source_get_capabilities (kymo_session_peek_source (self->session));

  if ((can & KYMO_CAN_INTERVALS) || !(can & KYMO_CAN_METRICS))
    {
      kymo_run_view_go_to_longest (self, name);
      return;
    }
  kymo_session_set_function (self->session, name);
  on_shown (self, "function");
}

static GtkWidget *
build_pictures (KymoRunView *self, KymoPictureOf of, const char *first,
                const char *second)
{
  const char *const plots[] = { first, second, NULL };
  GtkWidget *view = kymo_profile_picture_new (self->session, plots, of);
  GPtrArray *canvases
    = kymo_profile_picture_peek_canvases (KYMO_PROFILE_PICTURE (view));

  for (guint i = 0; i < canvases->len; i++)
    kymo_run_view_adopt (self, canvases->pdata[i]);
  g_signal_connect_object (view, "activated", G_CALLBACK (on_function), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "show-view", G_CALLBACK (on_shown), self,
                           G_CONNECT_SWAPPED);
  return view;
}

static GtkWidget *
build_thread_bars (KymoRunView *self)
{
  return build_pictures (self, KYMO_PICTURE_OF_ALL, "thread-bars", NULL);
}

static GtkWidget *
build_function (KymoRunView *self)
{
  return build_pictures (self, KYMO_PICTURE_OF_FUNCTION, "function-bars",
                         "function-threads-histogram");
}

static GtkWidget *
build_icicle (KymoRunView *self)
{
  return build_pictures (self, KYMO_PICTURE_OF_THREAD, "icicle", NULL);
}

static GtkWidget *
build_call_graph (KymoRunView *self)
{
  return build_pictures (self, KYMO_PICTURE_OF_THREAD, "call-graph", NULL);
}

static GtkWidget *
build_thread_scatter (KymoRunView *self)
{
  GtkWidget *view = kymo_thread_scatter_view_new (self->session);

  kymo_run_view_adopt (self, kymo_thread_scatter_view_get_canvas (
    KYMO_THREAD_SCATTER_VIEW (view)));
  g_signal_connect_object (view, "show-view", G_CALLBACK (on_shown), self,
                           G_CONNECT_SWAPPED);
  return view;
}

static GtkWidget *
build_tables (KymoRunView *self, const KymoTableMode *modes, const char *id,
              const char *mode)
{
  GtkWidget *view = kymo_table_view_new (self->session, modes);

  kymo_table_view_set_mode (KYMO_TABLE_VIEW (view), mode);
  kymo_table_view_keep (KYMO_TABLE_VIEW (view), id);
  kymo_run_view_adopt_table (self, view);
  g_signal_connect_object (view, "activated", G_CALLBACK (on_function), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "message", G_CALLBACK (kymo_run_view_say),
                           self, G_CONNECT_SWAPPED);
  return view;
}

static GtkWidget *
build_thread_table (KymoRunView *self)
{
  return build_tables (self, kymo_thread_tables, "thread-table", "flat");
}

/* The same tables, the tree first. */
static GtkWidget *
build_call_tree (KymoRunView *self)
{
  return build_tables (self, kymo_thread_tables, "call-tree", "tree");
}

static GtkWidget *
build_counters (KymoRunView *self)
{
  GtkWidget *view = kymo_counters_view_new (self->session);
  GPtrArray *canvases = kymo_counters_view_peek_canvases (KYMO_COUNTERS_VIEW (view));

  for (guint i = 0; i < canvases->len; i++)
    kymo_run_view_adopt (self, canvases->pdata[i]);
  return view;
}

static GtkWidget *
build_events (KymoRunView *self)
{
  GtkWidget *view = kymo_events_view_new (self->session);

  g_signal_connect_object (view, "show-view", G_CALLBACK (on_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "message", G_CALLBACK (kymo_run_view_say),
                           self, G_CONNECT_SWAPPED);
  return view;
}

static GtkWidget *
build_user_events (KymoRunView *self)
{
  KymoCapabilities can = kymo_source_get_capabilities (kymo_session_peek_source (self->session));
  GtkWidget *view, *samples = NULL;

  if (can & KYMO_CAN_USER_EVENTS)
    samples = build_tables (self, kymo_user_event_tables, "user-events", "user-events");
  if (!(can & KYMO_CAN_EVENT_TIMES))
    return samples;
  view = kymo_user_events_view_new (self->session, samples);
  kymo_run_view_adopt (self, kymo_user_events_view_get_canvas (KYMO_USER_EVENTS_VIEW (view)));
  g_signal_connect_object (view, "turned", G_CALLBACK (kymo_run_view_place_rulers), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "message", G_CALLBACK (kymo_run_view_say), self,
                           G_CONNECT_SWAPPED);
  return view;
}

static void
on_copied (KymoRunView *self)
{
  kymo_run_view_say (self, _("Figures copied"));
}

static GtkWidget *
build_profile (KymoRunView *self)
{
  GtkWidget *view = kymo_profile_view_new (self->session);

  if (self->search_text != NULL)
    kymo_profile_view_set_filter (KYMO_PROFILE_VIEW (view), self->search_text);
  g_signal_connect_object (view, "activated",
                           G_CALLBACK (kymo_run_view_go_to_longest), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "copied", G_CALLBACK (on_copied), self, G_CONNECT_SWAPPED);
  return view;
}

static GtkWidget *
build_path (KymoRunView *self)
{
  GtkWidget *view = kymo_path_view_new (self->session);

  g_signal_connect_object (view, "show-view", G_CALLBACK (on_shown), self, G_CONNECT_SWAPPED);
  return view;
}

static GtkWidget *
build_waiting (KymoRunView *self)
{
  GtkWidget *view = kymo_waiting_view_new (self->session);

  g_signal_connect_object (view, "show-view", G_CALLBACK (on_shown), self, G_CONNECT_SWAPPED);
  return view;
}

static GtkWidget *
build_communication (KymoRunView *self)
{
  GtkWidget *view = kymo_communication_view_new (self->session);
  GPtrArray *canvases
    = kymo_communication_view_peek_canvases (KYMO_COMMUNICATION_VIEW (view));

  for (guint i = 0; i < canvases->len; i++)
    kymo_run_view_adopt (self, canvases->pdata[i]);
  g_signal_connect_object (view, "message", G_CALLBACK (kymo_run_view_say),
                           self, G_CONNECT_SWAPPED);
  return view;
}

static GtkWidget *
build_summary (KymoRunView *self)
{
  return kymo_summary_view_new (self->session, self->info);
}

/* Views that are more than a canvas. */
static const struct
{
  const char *id;
  GtkWidget *(*build) (KymoRunView *self);
} builders[] = {
  { "live", kymo_run_view_build_live },
  { "timeline", build_timeline },
  { "histogram", build_histogram },
  { "communication", build_communication },
  { "profile", build_profile },
  { "critical-path", build_path },
  { "waiting", build_waiting },
  { "extrema", build_extrema },
  { "clusters", build_clusters },
  { "thread-bars", build_thread_bars },
  { "function", build_function },
  { "events", build_events },
  { "counters", build_counters },
  { "thread-table", build_thread_table },
  { "call-tree", build_call_tree },
  { "thread-scatter", build_thread_scatter },
  { "icicle", build_icicle },
  { "call-graph", build_call_graph },
  { "user-events", build_user_events },
  { "summary", build_summary },
};

/** kymo_run_view_build_view: Returns: (transfer floating): @id: one that the run has */
GtkWidget *
kymo_run_view_build_view (KymoRunView *self, const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (builders); i++)
    if (g_strcmp0 (id, builders[i].id) == 0)
      return builders[i].build (self);
  return build_canvas (self, id);
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
                           G_CALLBACK (on_function), self, G_CONNECT_SWAPPED);
  return outer;
}
