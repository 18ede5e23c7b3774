/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Three faces: the machines, how to begin on one of them, and its folders. Escape and the button
 * at the left go one face back, and from the machines out.
 */
#include "config.h"

#include "kymo-remote-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "kymo-accessible.h"
#include "kymo-dialogs.h"
#include "kymo-host.h"
#include "kymo-label.h"
#include "kymo-launch-sheet.h"
#include "kymo-remote-address.h"
#include "kymo-remote-settings.h"

#define HOSTS "hosts"
#define LAUNCH "launch"
#define FOLDER "folder"

/** Remote: owned by its window */
typedef struct
{
  GtkWindow        *window;
  GtkWidget        *title, *stack, *back, *forward, *entry, *words, *sheet, *launch_words, *folder;
  KymoRemoteChosen  done;
  GObject          *data;
  char             *host;       /* "[USER@]HOST[:PORT]" that is being opened */
  char             *path;       /* where looking begins */
  gboolean          asked;      /* how to begin; so that going back comes there */
} Remote;

#define REMOTE_KEY "kymo-remote"

static void
remote_free (gpointer data)
{
  Remote *self = data;

  g_object_unref (self->data);
  g_free (self->host);
  g_free (self->path);
  g_free (self);
}

/* -- faces ------------------------------------------------------------------------------------- */

static gboolean
is_face (Remote *self, const char *name)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), name) == 0;
}

/* Without a host there is nothing to connect to; the next faces say themselves what is wrong. */
static void
sync_forward (Remote *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autofree char *host = g_strstrip (g_strdup (text));

  gtk_widget_set_sensitive (self->forward, !is_face (self, HOSTS) || *host != '\0');
}

static void
show_face (Remote *self, const char *name)
{
  gboolean hosts = strcmp (name, HOSTS) == 0;

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
  gtk_button_set_label (GTK_BUTTON (self->back), hosts ? _("Cancel") : _("Back"));
  gtk_widget_set_visible (self->forward, strcmp (name, FOLDER) != 0);
  sync_forward (self);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), hosts ? "" : self->host);
  if (hosts)
    gtk_widget_grab_focus (self->entry);
}

static void
show_folder (Remote *self)
{
  g_autofree char *launch = kymo_remote_settings_dup_launch (self->host);

  show_face (self, FOLDER);
  kymo_remote_folder_show (self->folder, self->host, launch, self->path);
}

static void
go_back (Remote *self)
{
  kymo_remote_folder_stop (self->folder);
  if (is_face (self, HOSTS))
    gtk_window_close (self->window);
  else
    show_face (self, is_face (self, FOLDER) && self->asked ? LAUNCH : HOSTS);
}

static gboolean
go_back_by_key (GtkWidget *window, GVariant *args, gpointer data)
{
  go_back (g_object_get_data (G_OBJECT (window), REMOTE_KEY));
  return TRUE;
}

/* -- machines ---------------------------------------------------------------------------------- */

static void
show_words (Remote *self, const char *words)
{
  gtk_label_set_text (GTK_LABEL (self->words), words != NULL ? words : "");
  gtk_widget_set_visible (self->words, words != NULL);
}

/* Where the keyboard is to go first is the face's own matter. */
static void
begin_host (Remote *self, KymoHost *host)
{
  g_autofree char *before = kymo_remote_settings_dup_launch (self->host);

  self->asked = kymo_launch_sheet_is_needed (host);
  if (!self->asked)
    {
      show_folder (self);
      return;
    }
  kymo_launch_sheet_set_host (self->sheet, host, before);
  gtk_widget_set_visible (self->launch_words, FALSE);
  show_face (self, LAUNCH);
  gtk_widget_child_focus (self->sheet, GTK_DIR_TAB_FORWARD);
}

/* @text: what a person wrote, or the host of a row: an address, with or without its parts */
static void
open_host (Remote *self, const char *text)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  gboolean is_address = kymo_remote_is_address (trimmed);
  const char *rest = is_address ? trimmed + strlen ("ssh://") : trimmed;
  g_autofree char *full = g_strconcat ("ssh://", rest, strchr (rest, '/') == NULL ? "/~" : "",
                                       NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRemoteAddress) address = kymo_remote_address_parse (full, &error);
  g_autoptr (KymoHost) host = address != NULL
                              ? kymo_hosts_find (address->host, address->port, &error) : NULL;

  show_words (self, host == NULL && *trimmed != '\0' ? error->message : NULL);
  if (host == NULL)
    return;
  g_free (self->host);
  g_free (self->path);
  self->host = kymo_remote_address_dup_host (address);
  self->path = g_strdup (strcmp (address->path, "/~") == 0 && host->folder != NULL ? host->folder
                                                                                   : address->path);
  kymo_remote_settings_add_host (self->host);
  begin_host (self, host);
}

static void
go_on (Remote *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *words = NULL;

  if (is_face (self, HOSTS))
    {
      open_host (self, gtk_editable_get_text (GTK_EDITABLE (self->entry)));
      return;
    }
  words = kymo_launch_sheet_dup_words (self->sheet, &error);
  gtk_widget_set_visible (self->launch_words, words == NULL);
  if (words == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->launch_words), error->message);
      return;
    }
  kymo_remote_settings_set_launch (self->host, words);
  show_folder (self);
}

static void
on_host_activated (GtkWidget *row, Remote *self)
{
  open_host (self, g_object_get_data (G_OBJECT (row), "kymo-host"));
}

static GtkWidget *
build_host (Remote *self, const char *name, const char *words)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = g_markup_escape_text (name, -1);
  g_autofree char *subtitle = g_markup_escape_text (words, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                             gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "kymo-host", g_strdup (name), g_free);
  g_signal_connect (row, "activated", G_CALLBACK (on_host_activated), self);
  return row;
}

static AdwPreferencesGroup *
build_recent_hosts (Remote *self)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_auto (GStrv) hosts = kymo_remote_settings_dup_hosts ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Used Last"));
  for (guint i = 0; hosts[i] != NULL; i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), build_host (self, hosts[i], ""));
  gtk_widget_set_visible (group, hosts[0] != NULL);
  return ADW_PREFERENCES_GROUP (group);
}

/* Those of hosts.conf, and what of it cannot be used. */
static AdwPreferencesGroup *
build_known_hosts (Remote *self)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *problem = NULL;
  g_autoptr (GPtrArray) hosts = kymo_hosts_load (&problem);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Hosts in hosts.conf"));
  for (guint i = 0; i < hosts->len; i++)
    {
      const KymoHost *host = hosts->pdata[i];
      g_autofree char *ssh = g_strjoinv (" ", host->ssh);

      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                                 build_host (self, host->name,
                                             strcmp (ssh, host->name) != 0 ? ssh : ""));
    }
  gtk_widget_set_visible (group, hosts->len > 0);
  if (problem != NULL)
    show_words (self, problem);
  return ADW_PREFERENCES_GROUP (group);
}

/* -- building ---------------------------------------------------------------------------------- */

static GtkWidget *
build_words (void)
{
  GtkWidget *label = kymo_label_new_wrapped (NULL, "error");

  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_margin_top (label, 6);
  gtk_widget_set_margin_start (label, 12);
  gtk_widget_set_visible (label, FALSE);
  return label;
}

static GtkWidget *
build_hosts (Remote *self)
{
  GtkWidget *page = adw_preferences_page_new ();
  GtkWidget *group = adw_preferences_group_new ();
  GtkEditable *text;

  self->entry = adw_entry_row_new ();
  text = gtk_editable_get_delegate (GTK_EDITABLE (self->entry));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->entry), _("Host or Address"));
  adw_entry_row_set_input_hints (ADW_ENTRY_ROW (self->entry),
                                 GTK_INPUT_HINT_NO_SPELLCHECK | GTK_INPUT_HINT_LOWERCASE);
  g_signal_connect_swapped (self->entry, "entry-activated", G_CALLBACK (go_on), self);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (sync_forward), self);
  kymo_accessible_name (text, _("Host or Address"));
  adw_preferences_group_set_description (
    ADW_PREFERENCES_GROUP (group),
    _("A name that ssh knows, like you@login.example.org, or the address of a run or folder there, "
      "ssh://HOST/PATH. The data stay there; Kymo asks a server beside them."));
  self->words = build_words ();
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->entry);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->words);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), build_recent_hosts (self));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), build_known_hosts (self));
  return page;
}

static GtkWidget *
build_launch (Remote *self)
{
  GtkWidget *page = adw_preferences_page_new ();

  self->sheet = kymo_launch_sheet_new (G_CALLBACK (go_on), self);
  self->launch_words = build_words ();
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->sheet), self->launch_words);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (self->sheet));
  return page;
}

static void
on_run (const char *address, gpointer data)
{
  Remote *self = data;

  self->done (address, self->data);
  gtk_window_close (self->window);
}

static GtkWidget *
build_folder (Remote *self)
{
  GtkWidget *clamp = adw_clamp_new ();

  self->folder = kymo_remote_folder_new (on_run, self);
  gtk_widget_set_margin_top (self->folder, 12);
  gtk_widget_set_margin_bottom (self->folder, 12);
  gtk_widget_set_margin_start (self->folder, 12);
  gtk_widget_set_margin_end (self->folder, 12);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), 800);
  adw_clamp_set_child (ADW_CLAMP (clamp), self->folder);
  return clamp;
}

static GtkWidget *
build_header (Remote *self)
{
  GtkWidget *header = adw_header_bar_new ();

  self->title = adw_window_title_new (_("Open Remote"), "");
  self->back = gtk_button_new_with_label (_("Cancel"));
  self->forward = gtk_button_new_with_label (_("Connect"));
  gtk_widget_add_css_class (self->forward, "suggested-action");
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->back);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->forward);
  g_signal_connect_swapped (self->back, "clicked", G_CALLBACK (go_back), self);
  g_signal_connect_swapped (self->forward, "clicked", G_CALLBACK (go_on), self);
  return header;
}

static void
build_dialog (Remote *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_box_append (GTK_BOX (box), build_header (self));
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), build_hosts (self), HOSTS);
  gtk_stack_add_named (GTK_STACK (self->stack), build_launch (self), LAUNCH);
  gtk_stack_add_named (GTK_STACK (self->stack), build_folder (self), FOLDER);
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (box), self->stack);
  adw_window_set_content (ADW_WINDOW (self->window), box);
  /* No default widget: Enter on a row would press it. */
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                      gtk_callback_action_new (go_back_by_key, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->window), keys);
}

/**
 * kymo_remote_dialog_present:
 * @parent: the window for which a run is chosen
 * @done: called with the address of the run that a person chooses
 * @data: kept alive with the dialog
 *
 * Returns: (transfer none): the dialog, which GTK owns until it is closed
 */
GtkWindow *
kymo_remote_dialog_present (GtkWindow *parent, KymoRemoteChosen done, GObject *data)
{
  Remote *self = g_new0 (Remote, 1);

  self->window = GTK_WINDOW (adw_window_new ());
  self->done = done;
  self->data = g_object_ref (data);
  g_object_set_data_full (G_OBJECT (self->window), REMOTE_KEY, self, remote_free);
  build_dialog (self);
  gtk_window_set_title (self->window, _("Open Remote"));
  gtk_window_set_default_size (self->window, 720, 560);
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  show_face (self, HOSTS);
  gtk_window_present (self->window);
  gtk_widget_grab_focus (self->entry);
  return self->window;
}
