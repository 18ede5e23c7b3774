/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All views in their order, and the widget of each. A further view is a line of kymo_views[]; a
 * view that is more than the canvas of the picture with the same id has a function that builds it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-cluster-view.h"
#include "kymo-collectives-view.h"
#include "kymo-communication-view.h"
#include "kymo-counters-view.h"
#include "kymo-events-view.h"
#include "kymo-extrema-view.h"
#include "kymo-findings-view.h"
#include "kymo-histogram-view.h"
#include "kymo-path-view.h"
#include "kymo-profile-picture.h"
#include "kymo-profile-view.h"
#include "kymo-run-view-private.h"
#include "kymo-summary-view.h"
#include "kymo-table-view.h"
#include "kymo-thread-scatter-view.h"
#include "kymo-timeline-view.h"
#include "kymo-user-events-view.h"
#include "kymo-waiting-view.h"

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
  kymo_run_view_adopt (self, kymo_timeline_view_get_pinned (
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
  kymo_follow (view, "show-view", on_shown, self);
  kymo_follow (view, "explain", kymo_run_view_explain, self);
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
  kymo_follow (view, "show-view", on_shown, self);
  kymo_follow (view, "explain", kymo_run_view_explain, self);
  kymo_follow (view, "message", kymo_run_view_say, self);
  return view;
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
  kymo_follow (view, "activated", kymo_run_view_go_to_function, self);
  kymo_follow (view, "show-view", on_shown, self);
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
  kymo_follow (view, "show-view", on_shown, self);
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
  kymo_follow (view, "activated", kymo_run_view_go_to_function, self);
  kymo_follow (view, "message", kymo_run_view_say, self);
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

  kymo_follow (view, "show-view", on_shown, self);
  kymo_follow (view, "message", kymo_run_view_say, self);
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
  kymo_follow (view, "turned", kymo_run_view_place_rulers, self);
  kymo_follow (view, "message", kymo_run_view_say, self);
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
  kymo_follow (view, "activated", kymo_run_view_go_to_longest, self);
  kymo_follow (view, "copied", on_copied, self);
  return view;
}

static GtkWidget *
build_path (KymoRunView *self)
{
  GtkWidget *view = kymo_path_view_new (self->session);

  kymo_follow (view, "show-view", on_shown, self);
  return view;
}

static GtkWidget *
build_waiting (KymoRunView *self)
{
  GtkWidget *view = kymo_waiting_view_new (self->session);

  kymo_run_view_adopt (self, kymo_waiting_view_peek_matrix (KYMO_WAITING_VIEW (view)));
  kymo_follow (view, "show-view", on_shown, self);
  return view;
}

static GtkWidget *
build_collectives (KymoRunView *self)
{
  GtkWidget *view = kymo_collectives_view_new (self->session);

  kymo_follow (view, "show-view", on_shown, self);
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
  kymo_follow (view, "message", kymo_run_view_say, self);
  return view;
}

/* A rule names a view of traces; a profile or a summary has the evidence elsewhere. */
static void
on_evidence (KymoRunView *self, const char *id)
{
  static const char *const others[] = { "thread-table", "thread-bars", "time-profile", "summary" };
  guint first = g_strcmp0 (id, "profile") == 0 ? 0 : 1;

  for (guint i = first; i < G_N_ELEMENTS (others) && !kymo_run_view_has_view (self, id); i++)
    id = others[i];
  on_shown (self, id);
}

static GtkWidget *
build_findings (KymoRunView *self)
{
  GtkWidget *view = kymo_findings_view_new (self->session);

  kymo_follow (view, "show-view", on_evidence, self);
  kymo_follow (view, "explain", kymo_run_view_explain, self);
  kymo_follow (view, "message", kymo_run_view_say, self);
  kymo_follow (view, "answer-changed", kymo_run_view_tell_answer, self);
  if (self->feed != NULL && !kymo_feed_is_playback (self->feed))
    kymo_findings_view_offer_recording (KYMO_FINDINGS_VIEW (view));
  return view;
}

static GtkWidget *
build_summary (KymoRunView *self)
{
  return kymo_summary_view_new (self->session, self->info);
}

/* In the order of the buttons. */
const KymoViewInfo kymo_views[] = {
  { "live", KYMO_GROUP_LIVE, N_("Live"), N_("What does the program do now?"), NULL,
    0, 0, kymo_run_view_build_live },
  { "replies", KYMO_GROUP_LIVE, N_("Replies"), N_("How fast does the program answer?"), NULL,
    0, KYMO_CAN_STREAM },

  { "findings", KYMO_GROUP_OVERVIEW, N_("Findings"), N_("What limits this run, and what helps?"),
    NULL, 0, 0, build_findings },
  { "summary", KYMO_GROUP_OVERVIEW, N_("Summary"), N_("What was run, and how efficiently?"), NULL,
    0, 0, build_summary },

  { "timeline", KYMO_GROUP_TIME, N_("Timeline"), N_("What did each {row} do, and when?"), NULL,
    KYMO_VIEW_OF_TIME, KYMO_CAN_ROWS, build_timeline },
  { "time-profile", KYMO_GROUP_TIME, N_("Time Profile"),
    N_("How busy were all {rows} together, over time?"), NULL, KYMO_VIEW_OF_TIME },
  { "counters", KYMO_GROUP_TIME, N_("Counters"), N_("How did counters change over time?"), NULL,
    KYMO_VIEW_OF_TIME, KYMO_CAN_COUNTERS, build_counters },
  { "user-events", KYMO_GROUP_TIME, N_("User Events"),
    N_("When were the events that the program marks, and how long?"), NULL, KYMO_VIEW_OF_ROWS,
    KYMO_CAN_USER_EVENTS | KYMO_CAN_EVENT_TIMES, build_user_events },

  { "usage", KYMO_GROUP_LOAD, N_("Usage"), N_("What did each {row} spend its time on?"), NULL,
    KYMO_VIEW_OF_TIME },
  { "thread-bars", KYMO_GROUP_LOAD, N_("By Metric"),
    N_("How much of a metric does each {row} have?"), "usage", KYMO_VIEW_OF_ROWS,
    KYMO_CAN_METRICS, build_thread_bars },
  { "histogram", KYMO_GROUP_LOAD, N_("Histogram"), N_("How many blocks are short or long?"), NULL,
    KYMO_VIEW_OF_TIME, KYMO_CAN_INTERVALS, build_histogram },
  { "extrema", KYMO_GROUP_LOAD, N_("Extrema"), N_("Which {rows} stick out, and why?"), NULL,
    KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, 0, build_extrema },
  { "clusters", KYMO_GROUP_LOAD, N_("Clusters"), N_("Which {rows} behave alike?"), NULL,
    KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, 0, build_clusters },

  { "profile", KYMO_GROUP_CODE, N_("Profile"), N_("Which {codes} take the most time?"), NULL,
    KYMO_VIEW_OF_TIME, 0, build_profile },
  { "thread-table", KYMO_GROUP_CODE, N_("Table"),
    N_("What are all figures of the {codes} of a {row}?"), "profile", KYMO_VIEW_OF_ROWS,
    KYMO_CAN_METRICS, build_thread_table },
  { "function", KYMO_GROUP_CODE, N_("{code:Entry Method|Function}"),
    N_("How does one {code} differ from {row} to {row}?"), NULL, KYMO_VIEW_OF_ROWS,
    KYMO_CAN_METRICS, build_function },
  { "call-tree", KYMO_GROUP_CODE, N_("Call Tree"), N_("What was called from where?"), NULL,
    KYMO_VIEW_OF_ROWS, KYMO_CAN_PATHS, build_call_tree },
  { "icicle", KYMO_GROUP_CODE, N_("Icicle"), N_("Which call paths take the most time?"), NULL,
    KYMO_VIEW_OF_ROWS, KYMO_CAN_PATHS, build_icicle },
  { "call-graph", KYMO_GROUP_CODE, N_("Call Graph"), N_("Who calls whom?"), NULL,
    KYMO_VIEW_OF_ROWS, KYMO_CAN_PATHS, build_call_graph },
  { "thread-scatter", KYMO_GROUP_CODE, N_("Scatter"),
    N_("Do two metrics grow together from {row} to {row}?"), NULL, KYMO_VIEW_OF_ROWS,
    KYMO_CAN_METRICS, build_thread_scatter },

  { "communication", KYMO_GROUP_MESSAGES, N_("Communication"), N_("Who sends how much to whom?"),
    NULL, KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_MESSAGES, KYMO_CAN_MESSAGES, build_communication },
  { "message-sizes", KYMO_GROUP_MESSAGES, N_("Message Sizes"),
    N_("How large are the messages?"), NULL, KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_MESSAGES,
    KYMO_CAN_MESSAGES },
  { "waiting", KYMO_GROUP_MESSAGES, N_("Waiting"), N_("Who waits for whom, and how long?"), NULL,
    KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, KYMO_CAN_WAITS, build_waiting },
  { "critical-path", KYMO_GROUP_MESSAGES, N_("Paths"),
    N_("Which chain of work and messages made the run so long?"), NULL,
    KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, KYMO_CAN_MESSAGES, build_path },
  { "collectives", KYMO_GROUP_MESSAGES, N_("Collectives"),
    N_("What do all {rows} do together, and who comes last?"), NULL,
    KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, KYMO_CAN_WAITS, build_collectives },

  { "events", KYMO_GROUP_RECORDS, N_("Events"), N_("What exactly was recorded?"), NULL,
    KYMO_VIEW_OF_TIME | KYMO_VIEW_OF_ROWS, KYMO_CAN_INTERVALS, build_events },
  { NULL },
};

/**
 * kymo_run_view_build_view:
 * @id: of a view that the run has
 *
 * Returns: (transfer floating): the widget of the view
 */
GtkWidget *
kymo_run_view_build_view (KymoRunView *self, const char *id)
{
  for (guint i = 0; kymo_views[i].id != NULL; i++)
    if (g_strcmp0 (id, kymo_views[i].id) == 0 && kymo_views[i].build != NULL)
      return kymo_views[i].build (self);
  return build_canvas (self, id);
}
