/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-canvas.h"
#include "kymo-gauge.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-region-bar.h"
#include "kymo-session-selected.h"
#include "kymo-session-profile.h"
#include "kymo-status-bar.h"
#include "kymo-units.h"

#define BAR_PX 90

struct _KymoStatusBar
{
  GtkBox       parent_instance;

  KymoSession *session;
  GtkWidget   *range, *selection, *markers, *clocks, *pill, *state, *report;
  GtkWidget   *reading, *draft, *bar;  /* while the run is read */
  gboolean     has_notes, incomplete, busy, is_preview;
};

G_DEFINE_FINAL_TYPE (KymoStatusBar, kymo_status_bar, GTK_TYPE_BOX)

static void
on_range_changed (KymoStatusBar *self)
{
  KymoSpan range = kymo_session_get_range (self->session);
  /* Of a stream that is followed the full range may be longer at first. */
  KymoSpan full = kymo_span_length (kymo_session_get_stretch (self->session)) > 0
    ? kymo_session_get_full_range (self->session)
    : kymo_source_get_span (kymo_session_peek_source (self->session));
  g_autofree char *begin = kymo_shown_time_text (self->session, range.begin_ns);
  g_autofree char *end = kymo_shown_time_text (self->session, range.end_ns);
  g_autofree char *length = kymo_format_duration (kymo_span_length (range));
  g_autofree char *all = kymo_format_duration (kymo_span_length (full));
  g_autofree char *text
    = kymo_span_length (range) > kymo_span_length (full)
      ? g_strdup_printf (_("%s – %s (%s, so far %s of it)"), begin, end, length, all)
      : g_strdup_printf (_("%s – %s (%s of %s)"), begin, end, length, all);

  gtk_label_set_text (GTK_LABEL (self->range), text);
  gtk_widget_set_visible (self->range, kymo_session_has_time (self->session));
}

static void
on_selection_changed (KymoStatusBar *self)
{
  KymoSpan span;
  KymoIdSet *rows = kymo_session_peek_selected_rows (self->session);
  g_autofree char *length = NULL, *text = NULL, *list = NULL;
  g_autofree char *measured = kymo_gauge_dup_words (kymo_gauge_of (
                                                      self->session));

  if (measured != NULL)
    text = g_strdup_printf (_("measured %s"), measured);
  else if (kymo_session_get_selection (self->session, &span))
    {
      length = kymo_format_duration (kymo_span_length (span));
      list = rows != NULL ? kymo_id_set_to_text (rows) : NULL;
      text = rows == NULL
             ? g_strdup_printf (_("selected %s"), length)
             : g_strdup_printf (
                 kymo_in_terms_of (self->session,
                                   _("selected %s of {rows} %s")),
                 length, list);
    }
  gtk_label_set_text (GTK_LABEL (self->selection), text != NULL ? text : "");
}

static void
on_markers_changed (KymoStatusBar *self)
{
  gint64 ns[2];
  gboolean a = kymo_session_get_marker (self->session, 0, &ns[0]);
  gboolean b = kymo_session_get_marker (self->session, 1, &ns[1]);
  g_autofree char *first = NULL, *second = NULL, *delta = NULL, *text = NULL;

  if (a)
    first = kymo_shown_time_text (self->session, ns[0]);
  if (b)
    second = kymo_shown_time_text (self->session, ns[1]);
  if (a && b)
    {
      delta = kymo_format_duration (ABS (ns[1] - ns[0]));
      text = g_strdup_printf (_("A %s  B %s  Δ %s"), first, second, delta);
    }
  else if (a)
    text = g_strdup_printf (_("A %s"), first);
  gtk_label_set_text (GTK_LABEL (self->markers), text != NULL ? text : "");
}

/* Where records were lost no figure of the whole run is exact. */
static void
show_state (KymoStatusBar *self)
{
  const char *text = self->incomplete ? _("incomplete") : _("exact");

  if (self->has_notes)
    text = self->incomplete ? _("sums by bins, incomplete") : _("sums by bins");
  gtk_label_set_text (GTK_LABEL (self->state), self->busy ? _("working…")
                                               : self->is_preview ? _("preview…") : text);
}

/**
 * kymo_status_bar_set_report:
 * @words: what the button of the load report says, "all files complete"
 * @complete: %FALSE where the load report tells of losses
 */
void
kymo_status_bar_set_report (KymoStatusBar *self, const char *words,
                            gboolean complete)
{
  gtk_button_set_label (GTK_BUTTON (self->report), words);
  if (complete)
    gtk_widget_remove_css_class (self->report, "warning");
  else
    gtk_widget_add_css_class (self->report, "warning");
  gtk_widget_set_visible (self->report, TRUE);
  self->incomplete = !complete;
  show_state (self);
}

/** kymo_status_bar_set_notes: @notes: (nullable): why figures are not exact */
void
kymo_status_bar_set_notes (KymoStatusBar *self, const char *notes)
{
  self->has_notes = notes != NULL;
  if (g_strcmp0 (gtk_widget_get_tooltip_text (self->state), notes) != 0)
    gtk_widget_set_tooltip_text (self->state, notes);
  kymo_status_bar_set_busy (self, FALSE);
}

/** kymo_status_bar_set_busy: @busy: whether an answer is awaited */
void
kymo_status_bar_set_busy (KymoStatusBar *self, gboolean busy)
{
  self->busy = busy;
  show_state (self);
}

/** kymo_status_bar_set_preview: @is_preview: whether a coarser picture is shown until the exact
 *  one comes */
void
kymo_status_bar_set_preview (KymoStatusBar *self, gboolean is_preview)
{
  self->is_preview = is_preview;
  show_state (self);
}

/**
 * kymo_status_bar_set_draft:
 * @words: (nullable): what the pictures rest on while the run is still being
 *   read; %NULL once they are exact
 */
void
kymo_status_bar_set_draft (KymoStatusBar *self, const char *words)
{
  g_autofree char *text = NULL;

  if (words != NULL)
    text = g_strdup_printf (_("Refining: %s"), words);
  gtk_label_set_text (GTK_LABEL (self->draft), text != NULL ? text : "");
  if (g_strcmp0 (gtk_widget_get_tooltip_text (self->draft), text) != 0)
    gtk_widget_set_tooltip_text (self->draft, text);
  gtk_widget_set_visible (self->reading, words != NULL);
  gtk_widget_set_visible (self->state, words == NULL);
}

/** kymo_status_bar_set_progress: @fraction: of the run that is read */
void
kymo_status_bar_set_progress (KymoStatusBar *self, double fraction,
                              const char *stage)
{
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), fraction);
  gtk_widget_set_tooltip_text (self->bar, stage);
}

static void
kymo_status_bar_dispose (GObject *object)
{
  g_clear_object (&KYMO_STATUS_BAR (object)->session);
  G_OBJECT_CLASS (kymo_status_bar_parent_class)->dispose (object);
}

static void
kymo_status_bar_class_init (KymoStatusBarClass *klass)
{
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  G_OBJECT_CLASS (klass)->dispose = kymo_status_bar_dispose;
}

static GtkWidget *
add_label (KymoStatusBar *self)
{
  GtkWidget *label = kymo_label_new_cut (NULL, "numeric");

  gtk_box_append (GTK_BOX (self), label);
  return label;
}

static GtkWidget *
build_reading (KymoStatusBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *cancel = gtk_button_new_with_label (_("Cancel"));

  self->draft = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->draft), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->draft, "numeric");
  gtk_widget_add_css_class (self->draft, "kymo-draft");
  self->bar = gtk_progress_bar_new ();
  gtk_widget_set_size_request (self->bar, BAR_PX, -1);
  gtk_widget_set_valign (self->bar, GTK_ALIGN_CENTER);
  kymo_accessible_name (self->bar, _("How much is read"));
  gtk_widget_add_css_class (cancel, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "win.stop-reading");
  gtk_widget_set_tooltip_text (cancel, _("Stop reading the run"));
  gtk_box_append (GTK_BOX (box), self->draft);
  gtk_box_append (GTK_BOX (box), self->bar);
  gtk_box_append (GTK_BOX (box), cancel);
  gtk_widget_set_visible (box, FALSE);
  return box;
}

static void
kymo_status_bar_init (KymoStatusBar *self)
{
  GtkWidget *gap = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-status");
  kymo_accessible_name (self, _("Status"));
  gtk_box_set_spacing (GTK_BOX (self), 18);
  self->range = add_label (self);
  self->selection = add_label (self);
  self->markers = add_label (self);
  gtk_widget_set_hexpand (gap, TRUE);
  gtk_box_append (GTK_BOX (self), gap);
  self->clocks = add_label (self);
  gtk_label_set_text (GTK_LABEL (self->clocks), _("clocks corrected"));
  gtk_widget_set_tooltip_text (self->clocks,
                               _("The times of whole processes were shifted"));
  gtk_widget_set_visible (self->clocks, FALSE);
  self->reading = build_reading (self);
  gtk_box_append (GTK_BOX (self), self->reading);
  self->state = add_label (self);
  self->report = gtk_button_new_with_label ("");
  gtk_widget_add_css_class (self->report, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->report), "win.report");
  gtk_widget_set_tooltip_text (self->report, _("Load report"));
  gtk_widget_set_visible (self->report, FALSE);
  gtk_box_append (GTK_BOX (self), self->report);
}

/**
 * kymo_status_bar_get_pill:
 *
 * Returns: (transfer none): the pill that tells about a reduced run
 */
KymoReductionPill *
kymo_status_bar_get_pill (KymoStatusBar *self)
{
  return KYMO_REDUCTION_PILL (self->pill);
}

/**
 * kymo_status_bar_new:
 *
 * Makes the bar, which follows range, selection and markers of @session by itself. The report,
 * notes, draft and progress are set by the caller.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_status_bar_new (KymoSession *session)
{
  KymoStatusBar *self = g_object_new (KYMO_TYPE_STATUS_BAR, NULL);

  self->session = g_object_ref (session);
  self->pill = kymo_reduction_pill_new (session);
  gtk_box_insert_child_after (GTK_BOX (self), self->pill, self->clocks);
  if (kymo_session_has_time (session))
    gtk_box_insert_child_after (GTK_BOX (self), kymo_region_bar_new (session), self->range);
  kymo_follow (session, "range-changed", on_range_changed, self);
  kymo_follow (session, "grown", on_range_changed, self);
  kymo_follow (session, "selection-changed", on_selection_changed, self);
  kymo_follow (kymo_gauge_of (session), "changed", on_selection_changed, self);
  kymo_follow (session, "markers-changed", on_markers_changed, self);
  gtk_widget_set_visible (self->clocks, kymo_source_has_corrected_clocks (
    kymo_session_peek_source (session)));
  on_range_changed (self);
  kymo_status_bar_set_busy (self, FALSE);
  return GTK_WIDGET (self);
}
