/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-dialogs.h"
#include "kymo-preferences.h"

#include <glib/gi18n.h>

/**
 * kymo_preferences_present:
 * @parent: the window it belongs to; it is gone with that one
 *
 * Shows the preferences, each group of them made by a file of its own.
 */
void
kymo_preferences_present (GtkWindow *parent)
{
  GtkWidget *window = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();
  AdwPreferencesGroup *look = kymo_look_preferences_new ();
  AdwPreferencesGroup *memory = kymo_memory_preferences_new ();
  AdwPreferencesGroup *stream = kymo_stream_preferences_new ();

  kymo_dialogs_close_by_escape (GTK_WINDOW (window));
  if (look != NULL)
    adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), look);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), kymo_cache_preferences_new ());
  if (memory != NULL)
    adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), memory);
  if (stream != NULL)
    adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), stream);
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), _("Preferences"));
  gtk_window_set_default_size (GTK_WINDOW (window), 560, 640);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_present (GTK_WINDOW (window));
}
