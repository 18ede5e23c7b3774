/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-launch-sheet.h"

#include "kymo-accessible.h"

#include <glib/gi18n.h>
#include <string.h>

/** Sheet: owned by its widget */
typedef struct
{
  GtkWidget *group, *method;
  GtkWidget *rows[KYMO_LAUNCH_N_VALUES];
  GPtrArray *launches;          /* KymoLaunch, with the values as they are typed */
} Sheet;

#define SHEET_KEY "kymo-sheet"

static Sheet *
sheet_of (gpointer widget)
{
  return g_object_get_data (G_OBJECT (widget), SHEET_KEY);
}

static void
sheet_free (gpointer data)
{
  Sheet *self = data;

  g_clear_pointer (&self->launches, g_ptr_array_unref);
  g_free (self);
}

static const char *
title_of (KymoLaunchValue value)
{
  static const char *const titles[] = {
    N_("Time (HH:MM:SS)"), N_("Queue (empty: the site’s choice)"), N_("CPU Cores"), N_("Ranks"),
    N_("Nodes"),
  };

  return _(titles[value]);
}

static const char *
title_of_method (const KymoLaunch *launch)
{
  static const char *const titles[] = {
    N_("On the login node"), N_("By mpirun on the login node"), N_("In a job of Slurm"),
    N_("In a job of PBS"),
  };

  return _(titles[launch->method]);
}

static KymoLaunch *
peek_launch (Sheet *self)
{
  guint index = adw_combo_row_get_selected (ADW_COMBO_ROW (self->method));

  return self->launches != NULL && index < self->launches->len ? self->launches->pdata[index]
                                                               : NULL;
}

static void
update_rows (Sheet *self)
{
  KymoLaunch *launch = peek_launch (self);

  for (guint i = 0; i < KYMO_LAUNCH_N_VALUES; i++)
    {
      gtk_widget_set_visible (self->rows[i], launch != NULL && kymo_launch_wants (launch, i));
      if (launch != NULL)
        gtk_editable_set_text (GTK_EDITABLE (self->rows[i]), launch->values[i]);
    }
}

/* "big: in a job of Slurm" where the name says more than the method. */
static char *
dup_title (const KymoLaunch *launch)
{
  KymoLaunchMethod method;

  return kymo_launch_method_parse (launch->name, &method)
         ? g_strdup (title_of_method (launch))
         : g_strdup_printf ("%s: %s", launch->name, title_of_method (launch));
}

/**
 * kymo_launch_sheet_set_host:
 * @host: whose launches are shown
 * @launch: (nullable): the one that was chosen before, as kymo_launch_sheet_dup_words() gave it
 */
void
kymo_launch_sheet_set_host (GtkWidget *sheet, const KymoHost *host, const char *launch)
{
  Sheet *self = sheet_of (sheet);
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  g_autoptr (KymoLaunch) before = launch != NULL ? kymo_host_dup_launch (host, launch, NULL) : NULL;
  guint selected = 0;

  g_clear_pointer (&self->launches, g_ptr_array_unref);
  self->launches = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_launch_free);
  for (guint i = 0; i < host->launches->len; i++)
    {
      KymoLaunch *known = host->launches->pdata[i];
      gboolean is_before = before != NULL && strcmp (before->name, known->name) == 0;
      g_autofree char *title = dup_title (known);

      g_ptr_array_add (self->launches, kymo_launch_copy (is_before ? before : known));
      gtk_string_list_append (titles, title);
      if (is_before)
        selected = i;
    }
  adw_combo_row_set_model (ADW_COMBO_ROW (self->method), G_LIST_MODEL (titles));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->method), selected);
  update_rows (self);
}

/** kymo_launch_sheet_is_needed: Returns: whether there is anything to ask about the host */
gboolean
kymo_launch_sheet_is_needed (const KymoHost *host)
{
  const KymoLaunch *first = host->launches->pdata[0];

  return host->launches->len > 1 || first->method != KYMO_LAUNCH_LOGIN;
}

/**
 * kymo_launch_sheet_dup_words:
 *
 * Returns: (transfer full) (nullable): the launch and its values, as kymo_host_dup_launch() takes
 *   them; %NULL with a sentence where a value is none
 */
char *
kymo_launch_sheet_dup_words (GtkWidget *sheet, GError **error)
{
  Sheet *self = sheet_of (sheet);
  KymoLaunch *launch = peek_launch (self);
  GString *words = g_string_new (launch->name);

  for (guint i = 0; i < KYMO_LAUNCH_N_VALUES; i++)
    {
      const char *text = gtk_editable_get_text (GTK_EDITABLE (self->rows[i]));

      if (!kymo_launch_wants (launch, i))
        continue;
      if (!kymo_launch_set (launch, i, text, error))
        {
          g_string_free (words, TRUE);
          gtk_widget_grab_focus (self->rows[i]);
          return NULL;
        }
      g_string_append_printf (words, ",%s=%s", kymo_launch_value_key (i), launch->values[i]);
    }
  return g_string_free (words, FALSE);
}

/**
 * kymo_launch_sheet_new:
 * @entered: called with @data when Enter is pressed in a value
 *
 * Returns: (transfer floating): the rows, for a page of preferences
 */
GtkWidget *
kymo_launch_sheet_new (GCallback entered, gpointer data)
{
  Sheet *self = g_new0 (Sheet, 1);

  self->group = adw_preferences_group_new ();
  self->method = adw_combo_row_new ();
  adw_preferences_group_set_description (
    ADW_PREFERENCES_GROUP (self->group),
    _("A job stays for the next window and ends after 30 minutes without use."));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->method), _("Server"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->group), self->method);
  for (guint i = 0; i < KYMO_LAUNCH_N_VALUES; i++)
    {
      GtkWidget *row = adw_entry_row_new ();

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title_of (i));
      g_signal_connect_swapped (row, "entry-activated", entered, data);
      kymo_accessible_name (gtk_editable_get_delegate (GTK_EDITABLE (row)), title_of (i));
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->group), row);
      self->rows[i] = row;
    }
  g_signal_connect_swapped (self->method, "notify::selected", G_CALLBACK (update_rows), self);
  g_object_set_data_full (G_OBJECT (self->group), SHEET_KEY, self, sheet_free);
  return self->group;
}
