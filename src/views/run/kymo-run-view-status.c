/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run view says of its run in words: the banner over the desk, the
 * status bar under it, and what its pictures are told they are of.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-plot-terms.h"
#include "kymo-report-list.h"
#include "kymo-run-view-private.h"
#include "kymo-findings-view.h"
#include "kymo-label.h"

static void
on_banner_closed (GtkWidget *banner)
{
  gtk_revealer_set_reveal_child (GTK_REVEALER (banner), FALSE);
}

/** kymo_run_view_build_banner: losses are told where nobody can miss them */
GtkWidget *
kymo_run_view_build_banner (KymoRunView *self)
{
  GtkWidget *revealer = gtk_revealer_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *button = gtk_button_new_with_label (_("Load Report"));
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");
  GtkWidget *label = kymo_label_new_cut (NULL, NULL);

  self->headline = label;
  gtk_widget_set_hexpand (label, TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.report");
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_tooltip_text (close, _("Close"));
  kymo_accessible_name (close, _("Close"));
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (on_banner_closed),
                            revealer);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (
    "dialog-warning-symbolic"));
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), close);
  gtk_widget_add_css_class (box, "kymo-banner");
  gtk_revealer_set_child (GTK_REVEALER (revealer), box);
  gtk_widget_set_visible (revealer, FALSE);
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

/** kymo_run_view_fill_status: with what the info at hand says */
void
kymo_run_view_fill_status (KymoRunView *self)
{
  KymoTable *report = kymo_table_peek_nested (self->info, "report", NULL);
  gboolean complete = report == NULL
                      || kymo_table_get_bool (report, "complete", 0);
  g_autofree char *notes = notes_of (self->info);

  kymo_status_bar_set_draft (self->status, kymo_run_view_is_exact (self) ? NULL
                             : kymo_table_get_string (self->info, "draft", 0));
  if (!kymo_run_view_is_exact (self))
    return;
  kymo_reduction_pill_set_info (kymo_status_bar_get_pill (self->status),
                                self->info);
  kymo_status_bar_set_notes (self->status, notes);
  kymo_status_bar_set_report (self->status, words_of_report (self->info, complete), complete);
  kymo_run_view_do_wishes (self);
}

/* It may still say other things of losses with every reading. */
static gboolean
is_growing (KymoRunView *self)
{
  return (kymo_source_get_capabilities (kymo_session_peek_source (self->session))
          & KYMO_CAN_GROWING) != 0;
}

/**
 * kymo_run_view_show_report:
 *
 * With every block of a stream, and every reading of a folder that is still
 * written, there is another info. A banner that says the same stays as it is,
 * and one that was closed stays closed as long as the run grows.
 */
void
kymo_run_view_show_report (KymoRunView *self)
{
  GtkRevealer *banner = GTK_REVEALER (self->banner);
  g_autofree char *headline = kymo_report_dup_headline (self->info);
  gboolean closed = gtk_widget_get_visible (self->banner)
                    && !gtk_revealer_get_reveal_child (banner);

  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->headline)),
                 headline != NULL ? headline : "") == 0
      || (closed && is_growing (self)))
    return;
  kymo_label_set (self->headline, headline != NULL ? headline : "");
  gtk_revealer_set_reveal_child (banner, headline != NULL);
  gtk_widget_set_visible (self->banner, headline != NULL);
}

/** kymo_run_view_dup_subject: "8 PEs"; one location that stands for several is their mean */
char *
kymo_run_view_dup_subject (const KymoTable *info, KymoTerms terms)
{
  gboolean mean = g_strcmp0 (kymo_table_get_string (info, "kind", 0),
                             "stream") == 0;
  gint64 n = mean ? kymo_table_get_int (info, "locations_original", 0)
             : kymo_table_get_int (info, "locations", 0)
               - kymo_table_get_int (info, "communication_threads", 0);
  g_autofree char *rows = kymo_words_rows (terms, n);

  if (mean && n > 1)
    return g_strdup_printf (_("mean of %s"), rows);
  return g_steal_pointer (&rows);
}

/* What a run view of a stream has beside the others: the live view, and panes
   that stand aside for it. */

/** kymo_run_view_show_marks: those of the info at hand, on all rulers */
void
kymo_run_view_show_marks (KymoRunView *self)
{
  KymoTable *marks = kymo_table_peek_nested (self->info, "marks", NULL);
  KymoTable *phases = kymo_table_peek_nested (self->info, "phases", NULL);
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);
  g_autoptr (GPtrArray) live = kymo_run_view_list_built (self, "live");

  for (guint i = 0; i < parts->len; i++)
    {
      kymo_desk_part_set_marks (parts->pdata[i], marks);
      if (kymo_run_view_is_exact (self))
        kymo_desk_part_set_phases (parts->pdata[i], phases);
    }
  for (guint i = 0; i < live->len; i++)
    kymo_live_view_set_marks (live->pdata[i], marks);
}

/* Whether nothing but the live view is to be seen. */
static gboolean
is_live (KymoRunView *self)
{
  return kymo_run_view_get_n_parts (self) == 1
         && g_strcmp0 (kymo_run_view_get_view (self), "live") == 0;
}

/**
 * kymo_run_view_fold:
 *
 * Shows the panes that the person wants. The live view has a legend of its
 * own, its table; a list of one location tells nothing; where there is no time no
 * block can be selected.
 */
void
kymo_run_view_fold (KymoRunView *self)
{
  gboolean legend = !self->folded[KYMO_PANE_LEGEND];
  gboolean time = kymo_run_view_has_time (self);
  g_autoptr (GPtrArray) live = kymo_run_view_list_built (self, "live");

  gtk_widget_set_visible (self->sidebar, !self->folded[KYMO_PANE_SIDEBAR]
                          && kymo_table_get_int (self->info, "locations", 0)
                             != 1);
  gtk_widget_set_visible (self->legend, legend && !is_live (self));
  for (guint i = 0; i < live->len; i++)
    kymo_live_view_show_legend (live->pdata[i], legend);
  gtk_widget_set_visible (self->details,
                          !self->folded[KYMO_PANE_DETAILS] && time);
}

/**
 * kymo_run_view_set_feed:
 * @self: the view of the feed's source
 * @feed: where it comes from
 *
 * Adds the view "live", and lets the session follow the stream. To be called once.
 */
void
kymo_run_view_set_feed (KymoRunView *self, KymoFeed *feed)
{
  g_autoptr (GPtrArray) findings = kymo_run_view_list_built (self, "findings");

  g_return_if_fail (self->feed == NULL);
  self->feed = g_object_ref (feed);
  for (guint i = 0; i < findings->len && !kymo_feed_is_playback (feed); i++)
    kymo_findings_view_offer_recording (findings->pdata[i]);
  kymo_run_view_add_views (self);
  if (kymo_session_get_followed (self->session) == 0)
    kymo_session_set_follow (self->session, KYMO_LIVE_FOLLOW_NS);
  kymo_run_view_set_view (self, kymo_run_view_first_view (self));
}

/** kymo_run_view_build_live: Returns: (transfer floating): the live view */
GtkWidget *
kymo_run_view_build_live (KymoRunView *self)
{
  GtkWidget *view = kymo_live_view_new (self->session, self->feed);
  GPtrArray *canvases = kymo_live_view_peek_canvases (KYMO_LIVE_VIEW (view));

  for (guint i = 0; i < canvases->len; i++)
    kymo_run_view_adopt (self, canvases->pdata[i]);
  kymo_live_view_set_marks (KYMO_LIVE_VIEW (view),
                            kymo_table_peek_nested (self->info, "marks", NULL));
  return view;
}
