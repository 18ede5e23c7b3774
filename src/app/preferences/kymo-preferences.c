/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-accessible.h"
#include "kymo-dialogs.h"
#include "kymo-memory.h"
#include "kymo-preferences.h"
#include "kymo-settings.h"

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

/* Memory among the preferences: how much of it a run may take before it is
   read from disk. For runs that are opened from then on. */

#define GIB 1073741824.0
#define MOST_GIB 65536

/**
 * kymo_memory_preferences_new:
 *
 * Returns: (transfer floating) (nullable): the group of memory; %NULL where
 * nothing can be remembered
 */
AdwPreferencesGroup *
kymo_memory_preferences_new (void)
{
  GSettings *settings = kymo_settings_peek ();
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_spin_button_new_with_range (0, MOST_GIB, 1);
  g_autofree char *size = g_format_size_full (kymo_memory_get_limit (), G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *words = g_strdup_printf (_("0 is three quarters of the memory: %s"), size);

  if (settings == NULL)
    {
      g_object_unref (g_object_ref_sink (group));
      g_object_unref (g_object_ref_sink (row));
      g_object_unref (g_object_ref_sink (button));
      return NULL;
    }
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Memory"));
  adw_preferences_group_set_description (
    ADW_PREFERENCES_GROUP (group),
    _("What a run takes beyond this is written to disk while it is read, and read from there."));
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (button), 1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_settings_bind (settings, "memory-limit", button, "value", G_SETTINGS_BIND_DEFAULT);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("Limit for a Run, in GiB"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), words);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return ADW_PREFERENCES_GROUP (group);
}

/* Streams among the preferences: how much of them can still be saved, and what
   is told and asked. */

#define MOST_MIB 65536

static void
add_row (GtkWidget  *group,
         GtkWidget  *control,
         const char *title,
         const char *words)
{
  GtkWidget *row = adw_action_row_new ();

  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), words);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
  kymo_accessible_name (control, title);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
}

static void
add_switch (GtkWidget  *group,
            const char *key,
            const char *title,
            const char *words)
{
  GtkWidget *button = gtk_switch_new ();

  g_settings_bind (kymo_settings_peek (), key, button, "active", G_SETTINGS_BIND_DEFAULT);
  add_row (group, button, title, words);
}

/**
 * kymo_stream_preferences_new:
 *
 * Returns: (transfer floating) (nullable): the group of streams; %NULL where
 * nothing can be remembered
 */
AdwPreferencesGroup *
kymo_stream_preferences_new (void)
{
  GSettings *settings = kymo_settings_peek ();
  GtkWidget *group, *kept;

  if (settings == NULL)
    return NULL;
  group = adw_preferences_group_new ();
  kept = gtk_spin_button_new_with_range (1, MOST_MIB, 1);
  g_settings_bind (settings, "stream-kept", kept, "value", G_SETTINGS_BIND_DEFAULT);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Running Jobs"));
  add_row (group, kept, _("Kept for Saving, in MiB"),
           _("A second of a job is about 6 KiB; for jobs attached to from then on"));
  add_switch (group, "stream-notifications", _("Notifications"),
              _("When a watched condition is met"));
  add_switch (group, "stream-ask-unsaved", _("Ask Before Closing"),
              _("When more than a minute was seen and is in no file"));
  return ADW_PREFERENCES_GROUP (group);
}
