/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory among the preferences: how much of it a run may take before it is
 * read from disk. For runs that are opened from then on.
 */
#include "config.h"

#include "kymo-preferences.h"

#include <glib/gi18n.h>

#include "kymo-memory.h"
#include "kymo-settings.h"

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
  g_autofree char *words = g_strdup_printf (_("0 is three quarters of what there is: %s"), size);

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
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("Most for a Run, in GiB"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), words);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return ADW_PREFERENCES_GROUP (group);
}
