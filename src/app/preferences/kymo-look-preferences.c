/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks and habits among the preferences: light or dark, which colours, and what the
 * mouse does. The menu shows the same settings; both follow each other.
 *
 * Each row of choices owns its Choice, which goes with it.
 */
#include "config.h"

#include "kymo-preferences.h"

#include <glib/gi18n.h>

#include "kymo-palette-files.h"
#include "kymo-settings.h"

/** Choice: a row whose lines stand for values of a setting */
typedef struct
{
  GSettings *settings;             /* lives as long as the program */
  const char *key;
  GtkStringList *names;            /* what is to be seen */
  GStrv      values;               /* one a name */
} Choice;

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_object_unref (choice->names);
  g_strfreev (choice->values);
  g_free (choice);
}

static void
show_setting (AdwComboRow *row)
{
  Choice *choice = g_object_get_data (G_OBJECT (row), "kymo-choice");
  g_autofree char *value = g_settings_get_string (choice->settings, choice->key);

  for (guint i = 0; choice->values[i] != NULL; i++)
    if (g_strcmp0 (choice->values[i], value) == 0
        && adw_combo_row_get_selected (row) != i)
      adw_combo_row_set_selected (row, i);
}

static void
on_chosen (AdwComboRow *row)
{
  Choice *choice = g_object_get_data (G_OBJECT (row), "kymo-choice");
  guint index = adw_combo_row_get_selected (row);
  g_autofree char *value = g_settings_get_string (choice->settings, choice->key);

  if (index < g_strv_length (choice->values)
      && g_strcmp0 (choice->values[index], value) != 0)
    g_settings_set_string (choice->settings, choice->key, choice->values[index]);
}

/* Takes @names and @values. */
static GtkWidget *
choice_row (const char *title, const char *key, GtkStringList *names, GStrv values)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autofree char *changed = g_strconcat ("changed::", key, NULL);
  Choice *choice = g_new0 (Choice, 1);

  *choice = (Choice) { kymo_settings_peek (), key, names, values };
  g_object_set_data_full (G_OBJECT (row), "kymo-choice", choice, choice_free);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), TRUE);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (names));
  show_setting (ADW_COMBO_ROW (row));
  g_signal_connect (row, "notify::selected", G_CALLBACK (on_chosen), NULL);
  g_signal_connect_object (choice->settings, changed, G_CALLBACK (show_setting), row,
                           G_CONNECT_SWAPPED);
  return row;
}

static GtkWidget *
scheme_row (void)
{
  static const char *const values[] = { "system", "light", "dark", NULL };
  GtkStringList *names = gtk_string_list_new (NULL);

  gtk_string_list_append (names, _("Follow the system"));
  gtk_string_list_append (names, _("Light"));
  gtk_string_list_append (names, _("Dark"));
  return choice_row (_("_Theme"), "color-scheme", names, g_strdupv ((GStrv) values));
}

static GtkWidget *
palette_row (void)
{
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
  GtkStringList *names = gtk_string_list_new (NULL);
  g_auto (GStrv) own = kymo_palettes_list ();

  g_strv_builder_add_many (values, "standard", "safe", NULL);
  gtk_string_list_append (names, _("Standard"));
  gtk_string_list_append (names, _("Safe for the colour-blind"));
  for (guint i = 0; own[i] != NULL; i++)
    {
      g_strv_builder_add (values, own[i]);
      gtk_string_list_append (names, own[i]);
    }
  return choice_row (_("Pa_lette"), "palette", names, g_strv_builder_end (values));
}

static GtkWidget *
switch_row (const char *title, const char *subtitle, const char *key)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_switch_new ();

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_settings_bind (kymo_settings_peek (), key, button, "active", G_SETTINGS_BIND_DEFAULT);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), TRUE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  return row;
}

/**
 * kymo_look_preferences_new:
 *
 * Returns: (transfer floating) (nullable): the group of looks and habits; %NULL where
 * nothing can be remembered
 */
AdwPreferencesGroup *
kymo_look_preferences_new (void)
{
  AdwPreferencesGroup *group;

  if (kymo_settings_peek () == NULL)
    return NULL;
  group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  adw_preferences_group_set_title (group, _("Looks and Habits"));
  adw_preferences_group_add (group, scheme_row ());
  adw_preferences_group_add (group, palette_row ());
  adw_preferences_group_add (group, switch_row (
    _("_Dragging Pans"),
    _("A drag in a chart moves the visible time; with Ctrl it selects"), "drag-pans"));
  adw_preferences_group_add (group, switch_row (
    _("_Remember Desks"),
    _("Views, range, selection and notes of a run are there again when it is opened again"),
    "keep-desks"));
  return group;
}
