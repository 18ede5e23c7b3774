/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-chart-table.h"
#include "kymo-bookmarks.h"
#include "kymo-details-pane.h"
#include "kymo-in-terms.h"
#include "kymo-run-view-private.h"
#include "kymo-summary-view.h"
#include "kymo-table-view.h"

G_DEFINE_FINAL_TYPE (KymoRunView, kymo_run_view, GTK_TYPE_BOX)

/* -- state ---------------------------------------------------------------- */

/** kymo_run_view_is_settled: all that is visible shows its last answer */
gboolean
kymo_run_view_is_settled (KymoRunView *self)
{
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

static void
on_canvas_answer (KymoRunView *self)
{
  gboolean busy = FALSE;

  /* A picture to be painted in this frame is as good as there. */
  for (guint i = 0; i < self->canvases->len; i++)
    {
      KymoCanvas *canvas = self->canvases->pdata[i];

      busy |= gtk_widget_get_mapped (GTK_WIDGET (canvas))
              && kymo_canvas_peek_answer (canvas) == NULL
              && !kymo_canvas_has_failed (canvas);
    }
  kymo_status_bar_set_busy (self->status, busy);
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
  g_signal_connect_object (table, "destroy", G_CALLBACK (on_table_destroyed), self,
                           G_CONNECT_SWAPPED);
}

/** kymo_run_view_adopt: @canvas: is one of the view */
void
kymo_run_view_adopt (KymoRunView *self, KymoCanvas *canvas)
{
  g_ptr_array_add (self->canvases, canvas);
  g_signal_connect_object (canvas, "destroy", G_CALLBACK (on_canvas_destroyed), self,
                           G_CONNECT_SWAPPED);
  kymo_canvas_set_subject (canvas, self->subject);
  g_signal_connect_object (canvas, "answer-changed",
                           G_CALLBACK (on_canvas_answer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (canvas, "find", G_CALLBACK (on_canvas_find), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (canvas, "message", G_CALLBACK (kymo_run_view_say), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (canvas, "command", G_CALLBACK (on_canvas_command),
                           self, G_CONNECT_SWAPPED);
  if (!is_of_profiles (canvas))
    g_signal_connect_object (canvas, "activated",
                             G_CALLBACK (on_canvas_activated), self,
                             G_CONNECT_SWAPPED);
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
  g_signal_new ("message", KYMO_TYPE_RUN_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new ("kept", KYMO_TYPE_RUN_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  g_signal_new ("view-changed", KYMO_TYPE_RUN_VIEW, G_SIGNAL_RUN_LAST, 0,
                NULL, NULL, NULL, G_TYPE_NONE, 0);
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
  g_signal_connect_object (self->table, "closed", G_CALLBACK (on_table_closed), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self), self->table);
  gtk_box_append (GTK_BOX (self), self->details);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->status));
  g_signal_connect_object (session, "range-changed",
                           G_CALLBACK (on_range_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "bookmarks-changed",
                           G_CALLBACK (on_state_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::by-class",
                           G_CALLBACK (on_state_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::extrapolates",
                           G_CALLBACK (on_extrapolates), self,
                           G_CONNECT_SWAPPED);
  kymo_run_view_fill_status (self);
  kymo_run_view_link_block (self);
  kymo_run_view_speak (self);
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
