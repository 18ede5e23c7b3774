/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows are made anew with a list of the job that tells something else than the last one; a list
 * comes when the dialog opens, and after each action.
 */
#include "config.h"

#include "kymo-actions-dialog.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "kymo-action-words.h"
#include "kymo-dialogs.h"

#define DIALOG_KEY "kymo-actions"

typedef struct
{
  GtkWindow           *window;          /* owns this */
  KymoJobClient       *client;          /* or NULL */
  char                *reason;
  char                *shown;           /* what the rows say; NULL: there are none */
  GtkWidget           *page, *general, *of_program;
  KymoActionConfirmed  confirmed;
  GObject             *data;
} Actions;

static void
free_actions (gpointer data)
{
  Actions *self = data;

  g_clear_object (&self->client);
  g_object_unref (self->data);
  g_free (self->reason);
  g_free (self->shown);
  g_free (self);
}

static void
on_confirmed (const char        *name,
              const char *const *arguments,
              gpointer           window)
{
  Actions *self = g_object_get_data (window, DIALOG_KEY);

  self->confirmed (name, arguments, self->data);
  gtk_window_close (window);
}

static void
on_activated (GtkWidget *row,
              Actions   *self)
{
  const char *name = g_object_get_data (G_OBJECT (row), "kymo-name");
  const KymoJobAction *action = kymo_job_client_find (self->client, name);
  const KymoJobInfo *info = kymo_job_client_peek_info (self->client);

  if (action != NULL && action->reason == NULL && info != NULL)
    kymo_action_sheet_present (self->window, info, action, on_confirmed, G_OBJECT (self->window));
}

/* -- rows ------------------------------------------------------------------- */

static GtkWidget *
build_row (const char *title,
           const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  return row;
}

/* The present value of a parameter. */
static char *
dup_now (const KymoJobAction *action)
{
  const KymoJobArgument *value = kymo_job_action_find (action, "value");
  g_autofree char *now = NULL;

  if (value == NULL || !g_str_has_prefix (action->name, "set:"))
    return NULL;
  now = kymo_action_dup_now (value);
  return g_strdup_printf (_("now %s"), now);
}

static void
add_row (Actions             *self,
         const KymoJobAction *action)
{
  gboolean known = kymo_action_words_find (action->name) != NULL;
  g_autofree char *title = kymo_action_dup_title (action);
  g_autofree char *now = dup_now (action);
  GtkWidget *row = build_row (title, action->reason != NULL ? action->reason
                              : now != NULL ? now : "");

  g_object_set_data_full (G_OBJECT (row), "kymo-name", g_strdup (action->name), g_free);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), action->reason == NULL);
  gtk_widget_set_sensitive (row, action->reason == NULL);
  if (action->reason == NULL)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                               gtk_image_new_from_icon_name ("go-next-symbolic"));
  g_signal_connect (row, "activated", G_CALLBACK (on_activated), self);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (known ? self->general : self->of_program), row);
}

/* Without a job, all that a job may offer, and why it cannot be done. */
static void
add_refused (Actions    *self,
             const char *reason)
{
  const KymoActionWords *words;

  for (guint i = 0; (words = kymo_action_words_at (i)) != NULL; i++)
    {
      GtkWidget *row = build_row (_(words->title), reason);

      gtk_widget_set_sensitive (row, FALSE);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->general), row);
    }
}

static GtkWidget *
replace_group (Actions    *self,
               GtkWidget  *old,
               const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();

  if (old != NULL)
    adw_preferences_page_remove (ADW_PREFERENCES_PAGE (self->page), ADW_PREFERENCES_GROUP (old));
  if (title != NULL)
    adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self->page), ADW_PREFERENCES_GROUP (group));
  return group;
}

static char *
dup_description (Actions *self)
{
  const KymoJobInfo *info = self->client != NULL ? kymo_job_client_peek_info (self->client) : NULL;

  g_autofree char *name = info != NULL ? g_path_get_basename (info->program) : NULL;

  if (info == NULL)
    return NULL;
  return g_strdup_printf (g_dngettext (NULL, "%s on %u rank, %s", "%s on %u ranks, %s",
                                       info->n_ranks), name, info->n_ranks, info->host);
}

/* Names, titles and words below them of all rows. */
static char *
dup_words (GPtrArray  *actions,
           const char *closed,
           const char *description)
{
  g_autoptr (GString) words = g_string_new (closed);

  g_string_append_printf (words, "\n%s", description != NULL ? description : "");
  for (guint i = 0; actions != NULL && i < actions->len; i++)
    {
      const KymoJobAction *action = actions->pdata[i];
      g_autofree char *now = dup_now (action);

      g_string_append_printf (words, "\n%s\t%s\t%s\t%s", action->name, action->title,
                              action->reason != NULL ? action->reason : "",
                              now != NULL ? now : "");
    }
  return g_string_free (g_steal_pointer (&words), FALSE);
}

static void
show_actions (Actions *self)
{
  const char *closed = self->client != NULL ? kymo_job_client_peek_closed (self->client)
    : self->reason;
  GPtrArray *actions = self->client != NULL && closed == NULL
    ? kymo_job_client_peek_actions (self->client) : NULL;
  g_autofree char *description = dup_description (self);
  g_autofree char *safe = description != NULL ? g_markup_escape_text (description, -1) : NULL;
  g_autofree char *words = dup_words (actions, closed, description);
  gboolean has_own = FALSE;

  /* Rows that stay keep the focus, and are not moved away from the pointer. */
  if (g_strcmp0 (self->shown, words) == 0)
    return;
  g_free (self->shown);
  self->shown = g_steal_pointer (&words);
  self->general = replace_group (self, self->general, NULL);
  self->of_program = replace_group (self, self->of_program, _("Of the Program"));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self->general), safe);
  for (guint i = 0; actions != NULL && i < actions->len; i++)
    {
      const KymoJobAction *action = actions->pdata[i];

      has_own |= kymo_action_words_find (action->name) == NULL;
      add_row (self, action);
    }
  if (closed != NULL)
    add_refused (self, closed);
  else if (actions == NULL || actions->len == 0)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->general),
                               build_row (_("Asking the job…"), ""));
  gtk_widget_set_visible (self->of_program, has_own);
}

static void
on_client_changed (GObject *window)
{
  show_actions (g_object_get_data (window, DIALOG_KEY));
}

/**
 * kymo_actions_dialog_present:
 * @client: (nullable): of the job; a reference is held while the dialog is open
 * @reason: (nullable): why there is no client, a sentence
 * @confirmed: called with what the person has chosen and confirmed
 * @data: for @confirmed; a reference is held while the dialog is open
 *
 * Shows what a job can be told to do.
 */
void
kymo_actions_dialog_present (GtkWindow           *parent,
                             KymoJobClient       *client,
                             const char          *reason,
                             KymoActionConfirmed  confirmed,
                             GObject             *data)
{
  Actions *self = g_new0 (Actions, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->window = GTK_WINDOW (adw_window_new ());
  self->client = client != NULL ? g_object_ref (client) : NULL;
  self->reason = g_strdup (reason);
  self->confirmed = confirmed;
  self->data = g_object_ref (data);
  g_object_set_data_full (G_OBJECT (self->window), DIALOG_KEY, self, free_actions);
  self->page = adw_preferences_page_new ();
  gtk_widget_set_vexpand (self->page, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), self->page);
  adw_window_set_content (ADW_WINDOW (self->window), box);
  kymo_dialogs_close_by_escape (self->window);
  show_actions (self);
  if (client != NULL)
    {
      g_signal_connect_object (client, "changed", G_CALLBACK (on_client_changed), self->window,
                               G_CONNECT_SWAPPED);
      kymo_job_client_list (client);
    }
  gtk_window_set_title (self->window, _("Actions of the Job"));
  gtk_window_set_default_size (self->window, 480, 520);
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  gtk_window_present (self->window);
}
