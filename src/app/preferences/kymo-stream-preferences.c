/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams among the preferences: how much of them can still be saved, and what
 * is told and asked.
 */
#include "config.h"

#include "kymo-preferences.h"

#include <glib/gi18n.h>

#include "kymo-settings.h"

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
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, -1);
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
