/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The welcome page: ways to a run.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-formats.h"
#include "kymo-settings.h"
#include "kymo-window-private.h"

static GtkWidget *
recent_row (const char *path)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *valid = g_utf8_make_valid (path, -1);
  g_autofree char *name = g_path_get_basename (valid);
  g_autofree char *safe_name = g_markup_escape_text (name, -1);
  g_autofree char *safe_path = g_markup_escape_text (valid, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), safe_name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), safe_path);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-path");
  /* Bytes, not text: a path need not be UTF-8. */
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "^ay", path);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name (
    "go-next-symbolic"));
  return row;
}

static GtkWidget *
build_recent (void)
{
  g_auto (GStrv) recent = kymo_settings_dup_recent ();
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group),
                                   _("Recent runs"));
  for (guint i = 0; recent[i] != NULL && i < 5; i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                               recent_row (recent[i]));
  gtk_widget_set_visible (group, recent[0] != NULL);
  return group;
}

static GtkWidget *
button (const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "pill");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

/* One's own above, what comes with the program below. */
static GtkWidget *
build_buttons (void)
{
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *open = button (_("Open Folder…"), "win.open");

  gtk_widget_add_css_class (open, "suggested-action");
  gtk_grid_set_row_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_column_homogeneous (GTK_GRID (grid), TRUE);
  gtk_widget_set_halign (grid, GTK_ALIGN_CENTER);
  gtk_grid_attach (GTK_GRID (grid), open, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), button (_("Attach to a Job…"),
                                            "win.attach"), 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), button (_("Open the Sample"),
                                            "app.sample"), 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), button (_("Play the Sample Stream"),
                                            "app.sample-stream"), 1, 1, 1, 1);
  return grid;
}

/**
 * kymo_welcome_new:
 *
 * Makes the page with the ways to a run, and up to 5 recent runs as they are now.
 *
 * Returns: (transfer floating): the widget
 */
GtkWidget *
kymo_welcome_new (void)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 30);
  GtkWidget *clamp = adw_clamp_new ();
  g_autofree char *traces = kymo_formats_dup_tools (KYMO_FORMAT_TRACE);
  g_autofree char *profiles = kymo_formats_dup_tools (KYMO_FORMAT_PROFILE);
  g_autofree char *words
    = g_strdup_printf (_("Open the folder of a run, or drop it here: traces of %s, profiles of "
                         "%s. Or attach to a Charm++ job that runs, and watch it."),
                       traces, profiles);

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), KYMO_APP_ID);
  adw_status_page_set_title (ADW_STATUS_PAGE (page),
                             _("See What a Parallel Program Did"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page), words);
  gtk_box_append (GTK_BOX (box), build_buttons ());
  gtk_box_append (GTK_BOX (box), build_recent ());
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), 560);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), clamp);
  return page;
}
