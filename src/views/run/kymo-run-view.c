/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-chart-table.h"
#include "kymo-bookmarks.h"
#include "kymo-details-pane.h"
#include "kymo-findings-view.h"
#include "kymo-in-terms.h"
#include "kymo-location-pane.h"
#include "kymo-overview.h"
#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"
#include "kymo-shown-bar.h"
#include "kymo-summary-view.h"
#include "kymo-table-view.h"

#define SIDEBAR_PX 190
#define LEGEND_PX 270
#define LEGEND_WIDE_PX 360

G_DEFINE_FINAL_TYPE (KymoRunView, kymo_run_view, GTK_TYPE_BOX)

/* -- state ---------------------------------------------------------------- */

/* The page of findings of a part that shows it, or NULL. */
static KymoFindingsView *
findings_of (gpointer part)
{
  GtkWidget *shown = kymo_desk_part_peek_shown (part);

  return KYMO_IS_FINDINGS_VIEW (shown) ? KYMO_FINDINGS_VIEW (shown) : NULL;
}

/** kymo_run_view_is_settled: all that is visible shows its last answer */
gboolean
kymo_run_view_is_settled (KymoRunView *self)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);

  for (guint i = 0; i < parts->len; i++)
    if (findings_of (parts->pdata[i]) != NULL
        && !kymo_findings_view_is_settled (findings_of (parts->pdata[i])))
      return FALSE;
  for (guint i = 0; i < self->canvases->len; i++)
    {
      KymoCanvas *canvas = self->canvases->pdata[i];

      if (gtk_widget_get_mapped (GTK_WIDGET (canvas))
          && !kymo_canvas_is_settled (canvas))
        return FALSE;
    }
  for (guint i = 0; i < self->tables->len; i++)
    if (gtk_widget_get_mapped (self->tables->pdata[i])
        && !kymo_table_view_is_settled (self->tables->pdata[i]))
      return FALSE;
  return TRUE;
}

/** kymo_run_view_has_picture: something of the run is to be seen */
gboolean
kymo_run_view_has_picture (KymoRunView *self)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);

  for (guint i = 0; i < parts->len; i++)
    if (findings_of (parts->pdata[i]) != NULL
        && kymo_findings_view_has_draft (findings_of (parts->pdata[i])))
      return TRUE;
  for (guint i = 0; i < self->canvases->len; i++)
    {
      KymoCanvas *canvas = self->canvases->pdata[i];

      if (gtk_widget_get_mapped (GTK_WIDGET (canvas))
          && (kymo_canvas_peek_answer (canvas) != NULL
              || kymo_canvas_has_failed (canvas)))
        return TRUE;
    }
  return FALSE;
}

static void
on_range_changed (KymoRunView *self)
{
  /* What is live is always at work. */
  if (kymo_session_get_follow (self->session) > 0)
    return;
  kymo_status_bar_set_busy (self->status, TRUE);
}

/** kymo_run_view_tell_answer: a picture or the page of findings shows another answer */
void
kymo_run_view_tell_answer (KymoRunView *self)
{
  gboolean busy = FALSE, is_preview = FALSE;

  /* A picture to be painted in this frame is as good as there. */
  for (guint i = 0; i < self->canvases->len; i++)
    {
      KymoCanvas *canvas = self->canvases->pdata[i];
      KymoTable *answer = kymo_canvas_peek_answer (canvas);

      if (!gtk_widget_get_mapped (GTK_WIDGET (canvas)) || kymo_canvas_has_failed (canvas))
        continue;
      busy |= answer == NULL;
      is_preview |= answer != NULL && kymo_table_find_column (answer, "draft") >= 0;
    }
  kymo_status_bar_set_busy (self->status, busy);
  kymo_status_bar_set_preview (self->status, is_preview);
}

/* Nobody reads a page that is out of sight: it is made anew when it is. Of a draft,
   and extrapolated, it has other parts. */
static void
update_summary (KymoRunView *self, gboolean is_other)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);

  for (guint i = 0; i < parts->len; i++)
    {
      GtkWidget *summary = kymo_desk_part_peek_built (parts->pdata[i], "summary");

      if (summary == NULL)
        continue;
      if (is_other || summary != kymo_desk_part_peek_shown (parts->pdata[i]))
        kymo_desk_part_renew (parts->pdata[i], "summary");
      else
        kymo_summary_view_set_info (KYMO_SUMMARY_VIEW (summary), self->info);
    }
}

/** kymo_run_view_tell_turned: another view, or another part, is the one */
void
kymo_run_view_tell_turned (KymoRunView *self)
{
  kymo_run_view_remember (self, kymo_run_view_get_view (self));
  kymo_run_view_fold (self);
  g_signal_emit_by_name (self, "view-changed");
}

static void
on_extrapolates (KymoRunView *self)
{
  update_summary (self, TRUE);
  g_signal_emit_by_name (self, "view-changed");
}

/* What the window shows of the session beside the views. */
static void
on_state_changed (KymoRunView *self)
{
  g_signal_emit_by_name (self, "view-changed");
}

static void
on_canvas_find (KymoRunView *self, const char *direction)
{
  kymo_run_view_find (self, direction);
}

static void
on_canvas_command (KymoRunView *self, const char *command)
{
  if (g_strcmp0 (command, "search") == 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.search", NULL);
  else if (g_strcmp0 (command, "end-search") == 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.end-search", NULL);
  else
    kymo_run_view_command (self, command);
}

/** kymo_run_view_go_to_longest: block of a name, in the timeline */
void
kymo_run_view_go_to_longest (KymoRunView *self, const char *name)
{
  KymoSource *source = kymo_session_peek_source (self->session);

  if (!kymo_run_view_is_exact (self))
    {
      kymo_run_view_say (self, _("Blocks can be gone to when all logs are "
                                 "read"));
      return;
    }
  if (!(kymo_source_get_capabilities (source) & KYMO_CAN_INTERVALS))
    {
      kymo_run_view_say (self, kymo_source_get_capabilities (source)
                               & KYMO_CAN_STREAM
                               ? _("A stream has no single blocks to go to")
                               : _("A summary has no single blocks to go to"));
      return;
    }
  kymo_run_view_show_view (self, "timeline");
  kymo_run_view_find_named (self, name, "longest", FALSE);
}

/* A double click on a bar or bin goes to the longest block of its name. */
static void
on_canvas_activated (KymoRunView *self, const char *name, gint64 location)
{
  if (name != NULL)
    kymo_run_view_go_to_longest (self, name);
}

/* Views of profiles tell themselves what a double click means. */
static gboolean
is_of_profiles (KymoCanvas *canvas)
{
  return (kymo_canvas_get_plot (canvas)->needs
          & (KYMO_CAN_METRICS | KYMO_CAN_USER_EVENTS | KYMO_CAN_COUNTERS
             | KYMO_CAN_EVENT_TIMES)) != 0;
}

/* -- building ------------------------------------------------------------- */

/* With its part. */
static void
on_canvas_destroyed (KymoRunView *self, KymoCanvas *canvas)
{
  g_ptr_array_remove (self->canvases, canvas);
}

static void
on_table_destroyed (KymoRunView *self, gpointer table)
{
  g_ptr_array_remove (self->tables, table);
}

/** kymo_run_view_adopt_table: @table: a KymoTableView, is one of the view */
void
kymo_run_view_adopt_table (KymoRunView *self, GtkWidget *table)
{
  g_ptr_array_add (self->tables, table);
  kymo_follow (table, "destroy", on_table_destroyed, self);
}

/** kymo_run_view_adopt: @canvas: is one of the view */
void
kymo_run_view_adopt (KymoRunView *self, KymoCanvas *canvas)
{
  g_ptr_array_add (self->canvases, canvas);
  kymo_follow (canvas, "destroy", on_canvas_destroyed, self);
  kymo_canvas_set_subject (canvas, self->subject);
  kymo_follow (canvas, "answer-changed", kymo_run_view_tell_answer, self);
  kymo_follow (canvas, "find", on_canvas_find, self);
  kymo_follow (canvas, "message", kymo_run_view_say, self);
  kymo_follow (canvas, "command", on_canvas_command, self);
  if (!is_of_profiles (canvas))
    kymo_follow (canvas, "activated", on_canvas_activated, self);
}

/**
 * kymo_run_view_is_exact:
 *
 * Returns: whether the run is read, and what is shown no draft
 */
gboolean
kymo_run_view_is_exact (KymoRunView *self)
{
  return kymo_table_find_column (self->info, "draft") < 0;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_run_view_dispose (GObject *object)
{
  KymoRunView *self = KYMO_RUN_VIEW (object);

  g_clear_pointer (&self->info, kymo_table_unref);
  g_clear_pointer (&self->subject, g_free);
  g_clear_pointer (&self->search_name, g_free);
  g_clear_pointer (&self->cluster_asker, kymo_asker_free);
  g_clear_pointer (&self->search_text, g_free);
  g_clear_object (&self->feed);
  g_ptr_array_set_size (self->canvases, 0);
  g_ptr_array_set_size (self->tables, 0);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_run_view_parent_class)->dispose (object);
}

static void
kymo_run_view_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_RUN_VIEW (object)->canvases);
  g_ptr_array_unref (KYMO_RUN_VIEW (object)->recent);
  g_ptr_array_unref (KYMO_RUN_VIEW (object)->tables);
  g_free (KYMO_RUN_VIEW (object)->known);
  G_OBJECT_CLASS (kymo_run_view_parent_class)->finalize (object);
}

static gboolean
kymo_run_view_focus_on (GtkWidget *widget, GtkDirectionType direction)
{
  return kymo_accessible_focus (widget, direction,
                                GTK_WIDGET_CLASS (kymo_run_view_parent_class)->focus);
}

static void
kymo_run_view_class_init (KymoRunViewClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = kymo_run_view_focus_on;
  G_OBJECT_CLASS (klass)->dispose = kymo_run_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_run_view_finalize;
  kymo_signal_new ("message", KYMO_TYPE_RUN_VIEW, 1, G_TYPE_STRING);
  kymo_signal_new ("kept", KYMO_TYPE_RUN_VIEW, 0);
  kymo_signal_new ("view-changed", KYMO_TYPE_RUN_VIEW, 0);
}

static void
kymo_run_view_init (KymoRunView *self)
{
  self->canvases = g_ptr_array_new ();
  self->recent = g_ptr_array_new ();
  self->tables = g_ptr_array_new ();
  self->folded[KYMO_PANE_SIDEBAR] = TRUE;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

/* What no part of the view has a use for. */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        KymoRunView *self)
{
  if (gdk_keyval_to_lower (key) != GDK_KEY_f
      || !kymo_accessible_takes_letter (GTK_WIDGET (self), state))
    return GDK_EVENT_PROPAGATE;
  kymo_run_view_command (self, "fit");
  return GDK_EVENT_STOP;
}

static void
add_keys (KymoRunView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

static void
on_table_closed (KymoRunView *self)
{
  kymo_run_view_command (self, "table");
}

/**
 * kymo_run_view_new:
 * @session: the state of the run
 * @info: its answer of kind info
 */
GtkWidget *
kymo_run_view_new (KymoSession *session, const KymoTable *info)
{
  KymoRunView *self = g_object_new (KYMO_TYPE_RUN_VIEW, NULL);

  self->session = g_object_ref (session);
  self->info = kymo_table_ref ((KymoTable *) info);
  kymo_session_set_run_markers (session, info);
  self->subject = kymo_run_view_dup_subject (info, kymo_session_get_terms (session));
  self->status = KYMO_STATUS_BAR (kymo_status_bar_new (session));
  self->details = kymo_details_pane_new (session);
  self->banner = kymo_run_view_build_banner (self);
  kymo_run_view_show_report (self);
  gtk_box_append (GTK_BOX (self), self->banner);
  gtk_box_append (GTK_BOX (self), kymo_run_view_build_desk (self));
  self->table = kymo_chart_table_new (session);
  kymo_follow (self->table, "closed", on_table_closed, self);
  gtk_box_append (GTK_BOX (self), self->table);
  gtk_box_append (GTK_BOX (self), self->details);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->status));
  kymo_follow (session, "range-changed", on_range_changed, self);
  kymo_follow (session, "bookmarks-changed", on_state_changed, self);
  kymo_follow (session, "notify::by-class", on_state_changed, self);
  kymo_follow (session, "notify::extrapolates", on_extrapolates, self);
  kymo_run_view_fill_status (self);
  kymo_run_view_link_block (self);
  kymo_run_view_speak (self);
  add_keys (self);
  kymo_run_view_set_view (self, kymo_run_view_first_view (self));
  return GTK_WIDGET (self);
}

/**
 * kymo_run_view_set_info:
 * @info: what the run is now that it has grown, or is exact
 *
 * Range, selection, scrolling and the visible view stay. Pictures ask again
 * for themselves.
 */
void
kymo_run_view_set_info (KymoRunView *self, const KymoTable *info)
{
  g_autoptr (KymoTable) before = self->info;
  gboolean was_exact = kymo_run_view_is_exact (self);

  self->info = kymo_table_ref ((KymoTable *) info);
  kymo_session_set_run_markers (self->session, info);
  kymo_run_view_add_views (self);
  kymo_run_view_fill_status (self);
  update_summary (self, !was_exact);
  kymo_run_view_show_marks (self);
  if (!kymo_run_view_is_exact (self))
    return;
  kymo_run_view_show_report (self);
}

/** kymo_run_view_set_progress: @fraction: of the run that is read */
void
kymo_run_view_set_progress (KymoRunView *self, double fraction,
                            const char *stage)
{
  kymo_status_bar_set_progress (self->status, fraction, stage);
}

/**
 * kymo_run_view_peek_session:
 *
 * Returns: (transfer none) (nullable): the session that the view follows; %NULL once the view is
 * disposed
 */
KymoSession *
kymo_run_view_peek_session (KymoRunView *self)
{
  return self->session;
}

/**
 * kymo_run_view_peek_info:
 *
 * Returns: (transfer none): the last info answer of the run; valid until kymo_run_view_set_info()
 */
const KymoTable *
kymo_run_view_peek_info (KymoRunView *self)
{
  return self->info;
}

/** kymo_run_view_get_view: id of the view of the current part */
const char *
kymo_run_view_get_view (KymoRunView *self)
{
  return kymo_desk_part_get_view (self->current);
}

/** kymo_run_view_set_view: @id: of kymo_views; an unknown one is ignored */
void
kymo_run_view_set_view (KymoRunView *self, const char *id)
{
  kymo_desk_part_set_view (self->current, id);
}

/**
 * kymo_run_view_show_pane:
 * @visible: the wish of the person; a pane that the present view cannot use stays hidden
 *
 * Folds a pane away or unfolds it.
 */
void
kymo_run_view_show_pane (KymoRunView *self, KymoPane pane, gboolean visible)
{
  self->folded[pane] = !visible;
  kymo_run_view_fold (self);
}

/**
 * kymo_run_view_set_wide:
 * @wide: whether the window has room to spare
 *
 * Gives the legend more room for names in a wide window.
 */
void
kymo_run_view_set_wide (KymoRunView *self, gboolean wide)
{
  gtk_widget_set_size_request (self->legend, wide ? LEGEND_WIDE_PX : LEGEND_PX, -1);
}

/* -- what stands where on the desk ----------------------------------------- */

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
  kymo_follow (self->sidebar, "explain", kymo_run_view_explain, self);
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
  kymo_follow (self->legend, "activated", kymo_run_view_go_to_function, self);
  return outer;
}
