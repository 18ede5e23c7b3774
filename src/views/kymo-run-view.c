/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-details-pane.h"
#include "kymo-histogram-view.h"
#include "kymo-location-pane.h"
#include "kymo-overview.h"
#include "kymo-report-list.h"
#include "kymo-ruler.h"
#include "kymo-run-view-private.h"
#include "kymo-summary-view.h"
#include "kymo-timeline-view.h"

#define SIDEBAR_PX 190
#define LEGEND_PX 270

G_DEFINE_FINAL_TYPE (KymoRunView, kymo_run_view, GTK_TYPE_BOX)

const KymoViewInfo kymo_views[] = {
  { "live", N_("Live") },
  { "timeline", N_("Timeline") },
  { "time-profile", N_("Time Profile") },
  { "usage", N_("Usage") },
  { "histogram", N_("Histogram") },
  { "profile", N_("Profile") },
  { "communication", N_("Communication") },
  { "replies", N_("Replies") },
  { "summary", N_("Summary") },
  { NULL, NULL },
};

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

/* What the summary page shows is made once, of the info at hand. */
static void
renew_summary (KymoRunView *self)
{
  AdwViewStackPage *page
    = adw_view_stack_get_page (self->stack, self->summary);
  GtkWidget *fresh = kymo_summary_view_new (self->session, self->info);
  gboolean visible = adw_view_stack_get_visible_child (self->stack)
                     == self->summary;
  g_autofree char *title = g_strdup (adw_view_stack_page_get_title (page));
  g_autofree char *name = g_strdup (adw_view_stack_page_get_name (page));

  self->summary_is_old = FALSE;
  adw_view_stack_remove (self->stack, self->summary);
  self->summary = fresh;
  adw_view_stack_add_titled (self->stack, fresh, name, title);
  if (visible)
    adw_view_stack_set_visible_child (self->stack, fresh);
}

static void
on_visible_child (KymoRunView *self)
{
  const char *id = adw_view_stack_get_visible_child_name (self->stack);

  gtk_widget_set_visible (self->ruler, g_strcmp0 (id, "timeline") == 0
                                       || g_strcmp0 (id, "time-profile") == 0
                                       || g_strcmp0 (id, "replies") == 0);
  kymo_run_view_fold (self);
  if (self->summary_is_old && g_strcmp0 (id, "summary") == 0)
    renew_summary (self);
  g_signal_emit_by_name (self, "view-changed");
}

static void
on_bookmarks_changed (KymoRunView *self)
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
  else
    kymo_run_view_command (self, command);
}

/* The longest block of a name, in the timeline. */
static void
go_to_longest (KymoRunView *self, const char *name)
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
  kymo_run_view_set_view (self, "timeline");
  kymo_run_view_find_named (self, name, "longest", FALSE);
}

/* A double click on a bar or bin goes to the longest block of its name. */
static void
on_canvas_activated (KymoRunView *self, const char *name, gint64 location)
{
  if (name != NULL)
    go_to_longest (self, name);
}

static void
on_name_activated (KymoRunView *self, const char *name)
{
  go_to_longest (self, name);
}

/* -- building ------------------------------------------------------------- */

/** kymo_run_view_adopt: @canvas: is one of the view */
void
kymo_run_view_adopt (KymoRunView *self, KymoCanvas *canvas)
{
  g_ptr_array_add (self->canvases, canvas);
  kymo_canvas_set_subject (canvas, self->subject);
  g_signal_connect_object (canvas, "answer-changed",
                           G_CALLBACK (on_canvas_answer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (canvas, "find", G_CALLBACK (on_canvas_find), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (canvas, "command", G_CALLBACK (on_canvas_command),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (canvas, "activated",
                           G_CALLBACK (on_canvas_activated), self,
                           G_CONNECT_SWAPPED);
}

static GtkWidget *
plain_canvas (KymoRunView *self, const char *id)
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
build_view (KymoRunView *self, const char *id)
{
  GtkWidget *view;

  if (g_strcmp0 (id, "timeline") == 0)
    {
      view = kymo_timeline_view_new (self->session);
      kymo_run_view_adopt (self, kymo_timeline_view_get_timeline (
        KYMO_TIMELINE_VIEW (view)));
      kymo_run_view_adopt (self, kymo_timeline_view_get_profile (
        KYMO_TIMELINE_VIEW (view)));
      return view;
    }
  if (g_strcmp0 (id, "histogram") == 0)
    {
      view = kymo_histogram_view_new (self->session);
      kymo_run_view_adopt (self, kymo_histogram_view_get_canvas (
        KYMO_HISTOGRAM_VIEW (view)));
      return view;
    }
  if (g_strcmp0 (id, "profile") == 0)
    {
      view = kymo_profile_view_new (self->session);
      self->profile = KYMO_PROFILE_VIEW (view);
      g_signal_connect_object (view, "activated",
                               G_CALLBACK (on_name_activated), self,
                               G_CONNECT_SWAPPED);
      return view;
    }
  if (g_strcmp0 (id, "summary") == 0)
    return self->summary = kymo_summary_view_new (self->session, self->info);
  return plain_canvas (self, id);
}

static GtkWidget *
build_middle (KymoRunView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->ruler = kymo_ruler_new (self->session, kymo_table_peek_nested (
    self->info, "phases", NULL));
  kymo_run_view_show_marks (self);
  self->stack = ADW_VIEW_STACK (adw_view_stack_new ());
  adw_view_stack_set_vhomogeneous (self->stack, FALSE);
  adw_view_stack_set_hhomogeneous (self->stack, FALSE);
  for (guint i = 0; kymo_views[i].id != NULL; i++)
    if (kymo_run_view_builds (self, kymo_views[i].id))
      adw_view_stack_add_titled (self->stack,
                                 build_view (self, kymo_views[i].id),
                                 kymo_views[i].id, _(kymo_views[i].title));
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (box), kymo_overview_new (self->session));
  gtk_box_append (GTK_BOX (box), self->ruler);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  gtk_widget_add_css_class (box, "kymo-desk");
  g_signal_connect_object (self->stack, "notify::visible-child",
                           G_CALLBACK (on_visible_child), self,
                           G_CONNECT_SWAPPED);
  return box;
}

static GtkWidget *
build_desk (KymoRunView *self)
{
  GtkWidget *outer = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *inner = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->sidebar = kymo_location_pane_new (self->session);
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
                           G_CALLBACK (on_name_activated), self,
                           G_CONNECT_SWAPPED);
  return outer;
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

static void
on_banner_closed (GtkWidget *banner)
{
  gtk_revealer_set_reveal_child (GTK_REVEALER (banner), FALSE);
}

/* Losses are told where nobody can miss them. */
static GtkWidget *
build_banner (KymoRunView *self)
{
  GtkWidget *revealer = gtk_revealer_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *button = gtk_button_new_with_label (_("Load Report"));
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");
  GtkWidget *label;
  g_autofree char *headline = kymo_report_dup_headline (self->info);

  label = gtk_label_new (headline != NULL ? headline : "");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.report");
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_tooltip_text (close, _("Close"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (close),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Close"),
                                  -1);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (on_banner_closed),
                            revealer);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (
    "dialog-warning-symbolic"));
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), close);
  gtk_widget_add_css_class (box, "kymo-banner");
  gtk_revealer_set_child (GTK_REVEALER (revealer), box);
  gtk_revealer_set_reveal_child (GTK_REVEALER (revealer), headline != NULL);
  gtk_widget_set_visible (revealer, headline != NULL);
  return revealer;
}

/* What the run does not know, a sentence a line; NULL for nothing. */
static char *
notes_of (const KymoTable *info)
{
  KymoTable *notes = kymo_table_peek_nested (info, "notes", NULL);
  GString *text;

  if (notes == NULL || kymo_table_get_n_rows (notes) == 0)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < kymo_table_get_n_rows (notes); i++)
    g_string_append_printf (text, "%s%s.", i > 0 ? "\n" : "",
                            kymo_table_get_string (notes, "value", i));
  return g_string_free (text, FALSE);
}

static const char *
words_of_report (const KymoTable *info, gboolean complete)
{
  if (kymo_table_peek_nested (info, "stream", NULL) != NULL)
    return complete ? _("no block lost") : _("blocks lost");
  return complete ? _("all files complete") : _("files incomplete");
}

static void
fill_status (KymoRunView *self)
{
  KymoTable *report = kymo_table_peek_nested (self->info, "report", NULL);
  gboolean complete = report == NULL
                      || kymo_table_get_bool (report, "complete", 0);
  g_autofree char *notes = notes_of (self->info);

  kymo_status_bar_set_draft (self->status, kymo_run_view_is_exact (self) ? NULL
                             : kymo_table_get_string (self->info, "draft", 0));
  if (!kymo_run_view_is_exact (self))
    return;
  kymo_status_bar_set_notes (self->status, notes);
  kymo_status_bar_set_report (self->status, words_of_report (self->info, complete), complete);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_run_view_dispose (GObject *object)
{
  KymoRunView *self = KYMO_RUN_VIEW (object);

  g_clear_pointer (&self->info, kymo_table_unref);
  g_clear_pointer (&self->subject, g_free);
  g_clear_pointer (&self->search_name, g_free);
  g_ptr_array_set_size (self->canvases, 0);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_run_view_parent_class)->dispose (object);
}

static void
kymo_run_view_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_RUN_VIEW (object)->canvases);
  G_OBJECT_CLASS (kymo_run_view_parent_class)->finalize (object);
}

static void
kymo_run_view_class_init (KymoRunViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_run_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_run_view_finalize;
  g_signal_new ("message", KYMO_TYPE_RUN_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new ("view-changed", KYMO_TYPE_RUN_VIEW, G_SIGNAL_RUN_LAST, 0,
                NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
kymo_run_view_init (KymoRunView *self)
{
  self->canvases = g_ptr_array_new ();
  self->folded[KYMO_PANE_SIDEBAR] = TRUE;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

/* "8 PEs"; one location that stands for several is their mean. */
static char *
subject_of (const KymoTable *info)
{
  gboolean mean = g_strcmp0 (kymo_table_get_string (info, "kind", 0),
                             "stream") == 0;
  gint64 n = mean ? kymo_table_get_int (info, "locations_original", 0)
             : kymo_table_get_int (info, "locations", 0)
               - kymo_table_get_int (info, "communication_threads", 0);
  const char *form = mean && n > 1
    ? _("mean of %" G_GINT64_FORMAT " PEs")
    : g_dngettext (GETTEXT_PACKAGE, "%" G_GINT64_FORMAT " PE",
                   "%" G_GINT64_FORMAT " PEs", n);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return g_strdup_printf (form, n);
#pragma GCC diagnostic pop
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
  self->subject = subject_of (info);
  self->status = KYMO_STATUS_BAR (kymo_status_bar_new (session));
  self->details = kymo_details_pane_new (session);
  self->banner = build_banner (self);
  gtk_box_append (GTK_BOX (self), self->banner);
  gtk_box_append (GTK_BOX (self), build_desk (self));
  gtk_box_append (GTK_BOX (self), self->details);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->status));
  g_signal_connect_object (session, "range-changed",
                           G_CALLBACK (on_range_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "bookmarks-changed",
                           G_CALLBACK (on_bookmarks_changed), self,
                           G_CONNECT_SWAPPED);
  fill_status (self);
  if (!(kymo_source_get_capabilities (kymo_session_peek_source (session))
        & KYMO_CAN_ROWS))
    kymo_run_view_set_view (self, "time-profile");
  return GTK_WIDGET (self);
}

/* A page that is made anew while it is read is none. */
static gboolean
is_growing_stream (KymoRunView *self)
{
  const KymoCapabilities both = KYMO_CAN_STREAM | KYMO_CAN_GROWING;

  return (kymo_source_get_capabilities (kymo_session_peek_source (
            self->session)) & both) == both;
}

/* With every block of a stream there is another info, that says the same of
   losses: a banner that was closed stays so. */
static gboolean
has_other_report (KymoRunView *self, const KymoTable *before)
{
  g_autofree char *then = kymo_report_dup_headline (before);
  g_autofree char *now = kymo_report_dup_headline (self->info);

  return !is_growing_stream (self) || g_strcmp0 (then, now) != 0;
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
  KymoTable *before = self->info;
  GtkWidget *banner;

  self->info = kymo_table_ref ((KymoTable *) info);
  fill_status (self);
  self->summary_is_old = TRUE;
  if (g_strcmp0 (kymo_run_view_get_view (self), "summary") == 0
      && !is_growing_stream (self))
    renew_summary (self);
  kymo_run_view_show_marks (self);
  if (!kymo_run_view_is_exact (self) || !has_other_report (self, before))
    {
      kymo_table_unref (before);
      return;
    }
  kymo_table_unref (before);
  kymo_ruler_set_phases (KYMO_RULER (self->ruler),
                         kymo_table_peek_nested (self->info, "phases", NULL));
  banner = build_banner (self);
  gtk_box_insert_child_after (GTK_BOX (self), banner, self->banner);
  gtk_box_remove (GTK_BOX (self), self->banner);
  self->banner = banner;
}

/** kymo_run_view_set_progress: @fraction: of the run that is read */
void
kymo_run_view_set_progress (KymoRunView *self, double fraction,
                            const char *stage)
{
  kymo_status_bar_set_progress (self->status, fraction, stage);
}

/** kymo_run_view_peek_session: */
KymoSession *
kymo_run_view_peek_session (KymoRunView *self)
{
  return self->session;
}

/** kymo_run_view_peek_info: */
const KymoTable *
kymo_run_view_peek_info (KymoRunView *self)
{
  return self->info;
}

/** kymo_run_view_get_view: id of the visible view */
const char *
kymo_run_view_get_view (KymoRunView *self)
{
  return adw_view_stack_get_visible_child_name (self->stack);
}

/** kymo_run_view_has_view: @id: of kymo_views */
gboolean
kymo_run_view_has_view (KymoRunView *self, const char *id)
{
  return adw_view_stack_get_child_by_name (self->stack, id) != NULL;
}

/** kymo_run_view_set_view: @id: of kymo_views; an unknown one is ignored */
void
kymo_run_view_set_view (KymoRunView *self, const char *id)
{
  if (kymo_run_view_has_view (self, id))
    adw_view_stack_set_visible_child_name (self->stack, id);
}

/** kymo_run_view_show_pane: */
void
kymo_run_view_show_pane (KymoRunView *self, KymoPane pane, gboolean visible)
{
  self->folded[pane] = !visible;
  kymo_run_view_fold (self);
}
