/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The welcome page: ways to a run.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-formats.h"
#include "kymo-label.h"
#include "kymo-recent-list.h"
#include "kymo-settings.h"
#include "kymo-window-private.h"

/* Four buttons stand beside each other. */
#define WIDTH_PX 860

static GtkWidget *
build_recents (const char *const *recent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *title = kymo_label_new (_("Recent Runs"), "heading");

  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), kymo_recent_list_new (recent));
  return box;
}

static GtkWidget *
button (const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "pill");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

/* Next to each other where there is room, else below. */
static GtkWidget *
build_line (GtkWidget *const *buttons, guint n)
{
  GtkWidget *line = gtk_flow_box_new ();

  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (line), GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (line), TRUE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (line), n);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (line), 12);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (line), 12);
  gtk_widget_set_halign (line, GTK_ALIGN_CENTER);
  for (guint i = 0; i < n; i++)
    {
      gtk_flow_box_append (GTK_FLOW_BOX (line), buttons[i]);
      /* The button takes the keyboard, not the place that it is in. */
      gtk_widget_set_focusable (gtk_widget_get_parent (buttons[i]), FALSE);
    }
  return line;
}

/* One's own above, what comes with the program below. */
static GtkWidget *
build_buttons (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *own[] = { button (_("Open Folder…"), "win.open"),
                       button (_("Open Remote…"), "win.open-remote"),
                       button (_("Attach to a Job…"), "win.attach"),
                       button (_("Compare Runs…"), "win.compare") };
  GtkWidget *sample[] = { button (_("Open the Sample"), "app.sample"),
                          button (_("Play the Sample Stream"), "app.sample-stream") };

  gtk_widget_add_css_class (own[0], "suggested-action");
  gtk_box_append (GTK_BOX (box), build_line (own, G_N_ELEMENTS (own)));
  gtk_box_append (GTK_BOX (box), build_line (sample, G_N_ELEMENTS (sample)));
  return box;
}

/* Which runs there are: in the empty list's place, or above the list. */
static char *
dup_words (gboolean has_recent)
{
  g_autofree char *traces = kymo_formats_dup_tools (KYMO_FORMAT_TRACE);
  g_autofree char *profiles = kymo_formats_dup_tools (KYMO_FORMAT_PROFILE);
  const char *words = has_recent
    ? _("Open the folder of a run, or drop it or paste its path here: traces of %s, profiles of "
        "%s.")
    : _("Open the folder of a run, or drop it or paste its path here: traces of %s, profiles of "
        "%s. Or attach to a running job of Charm++ or kymo-record. Runs that you open are listed "
        "here.");

  return g_strdup_printf (words, traces, profiles);
}

static GtkWidget *
build_empty (void)
{
  GtkWidget *page = adw_status_page_new ();
  g_autofree char *words = dup_words (FALSE);

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), KYMO_APP_ID);
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _("See What a Parallel Program Did"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page), words);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), build_buttons ());
  return page;
}

static GtkWidget *
build_heading (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *title = gtk_label_new (_("See What a Parallel Program Did"));
  g_autofree char *words = dup_words (TRUE);
  GtkWidget *label = gtk_label_new (words);

  gtk_widget_add_css_class (title, "title-1");
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_justify (GTK_LABEL (title), GTK_JUSTIFY_CENTER);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

/* The runs are what most come for: the keyboard begins there. */
static void
on_map (GtkWidget *scroller, GtkWidget *list)
{
  GtkWidget *first = gtk_widget_get_first_child (list);

  if (first != NULL)
    gtk_widget_grab_focus (first);
}

static GtkWidget *
build_full (const char *const *recent)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *clamp = adw_clamp_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 24);
  GtkWidget *runs = build_recents (recent);

  gtk_box_append (GTK_BOX (box), build_heading ());
  gtk_box_append (GTK_BOX (box), build_buttons ());
  gtk_box_append (GTK_BOX (box), runs);
  gtk_widget_set_margin_top (box, 24);
  gtk_widget_set_margin_bottom (box, 24);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), WIDTH_PX);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), WIDTH_PX);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), clamp);
  g_signal_connect (scroller, "map", G_CALLBACK (on_map), gtk_widget_get_last_child (runs));
  return scroller;
}

/**
 * kymo_welcome_new:
 *
 * Makes the page with the ways to a run, and the recent runs as they are now.
 *
 * Returns: (transfer floating): the widget
 */
GtkWidget *
kymo_welcome_new (void)
{
  g_auto (GStrv) recent = kymo_settings_dup_recent ();

  return recent[0] != NULL ? build_full ((const char *const *) recent) : build_empty ();
}
