/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A look is what a worker does: connect where there is no link, and ask for the folder. Only the
 * newest look counts; what an older one finds is dropped.
 */
#include "config.h"

#include "kymo-remote-folder.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "kymo-accessible.h"
#include "kymo-follow.h"
#include "kymo-host-dialog.h"
#include "kymo-label.h"
#include "kymo-remote-list.h"
#include "kymo-units.h"

/* Until the page of the run that was chosen has its own reference. */
#define KEEP_LINK_S 30

/** Folder: owned by its widget */
typedef struct
{
  GtkWidget         *box, *up, *path_entry, *stage, *spinner, *waiting, *problem, *words, *list;
  KymoRemoteChosen   done;
  gpointer           data;
  char              *host, *launch;
  char              *path;      /* that is shown; any bytes */
  char              *wanted;    /* that is looked for, or was looked for last */
  char              *came_from; /* the folder that was shown before */
  KymoRemoteLink    *link;
  KymoRemoteListing *listing;
  KymoJob           *job;       /* of the look under way */
} Folder;

/** Look: what a worker is to do, and what it found */
typedef struct
{
  char              *host, *launch, *path;
  KymoRemoteLink    *link;
  KymoJob           *job;
  KymoRemoteListing *listing;
} Look;

#define FOLDER_KEY "kymo-folder"

static Folder *
folder_of (gpointer widget)
{
  return g_object_get_data (G_OBJECT (widget), FOLDER_KEY);
}

static gboolean
drop_link (gpointer link)
{
  kymo_remote_link_unref (link);
  return G_SOURCE_REMOVE;
}

static void
folder_free (gpointer data)
{
  Folder *self = data;

  if (self->job != NULL)
    kymo_job_cancel (self->job);
  g_clear_object (&self->job);
  if (self->link != NULL)
    g_timeout_add_seconds (KEEP_LINK_S, drop_link, self->link);
  kymo_remote_listing_free (self->listing);
  g_free (self->host);
  g_free (self->launch);
  g_free (self->path);
  g_free (self->wanted);
  g_free (self->came_from);
  g_free (self);
}

static void
look_free (gpointer data)
{
  Look *look = data;

  g_free (look->host);
  g_free (look->launch);
  g_free (look->path);
  kymo_remote_link_unref (look->link);
  g_object_unref (look->job);
  kymo_remote_listing_free (look->listing);
  g_free (look);
}

/* -- rows -------------------------------------------------------------------------------------- */

static char *
dup_date (gint64 time_s)
{
  g_autoptr (GDateTime) time = time_s > 0 ? g_date_time_new_from_unix_local (time_s) : NULL;

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : NULL;
}

/* (transfer full): "Projections trace · 3.1 MB · 2026-11-20 10:15", without unknown parts */
static char *
dup_entry_words (const KymoRemoteEntry *entry)
{
  g_autofree char *bytes = entry->bytes >= 0 ? kymo_format_bytes (entry->bytes) : NULL;
  g_autofree char *size = bytes == NULL ? NULL
    : g_strdup_printf (entry->at_least ? _("at least %s") : "%s", bytes);
  g_autofree char *date = dup_date (entry->time_s);
  const char *parts[4] = { NULL };
  guint n = 0;

  if (entry->what != NULL)
    parts[n++] = entry->what;
  if (size != NULL)
    parts[n++] = size;
  if (date != NULL)
    parts[n++] = date;
  return g_strjoinv (" · ", (char **) parts);
}

static GtkWidget *
build_row (const KymoRemoteEntry *entry)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (entry->is_run ? "x-office-spreadsheet-symbolic"
                                                                : "folder-symbolic");
  g_autofree char *title = g_markup_escape_text (entry->name, -1);
  g_autofree char *words = dup_entry_words (entry);
  g_autofree char *subtitle = g_markup_escape_text (words, -1);
  g_autofree char *spoken = g_strdup_printf (entry->is_run ? _("Run %s, %s") : _("Folder %s, %s"),
                                             entry->name, words);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  if (!entry->is_run)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                               gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  kymo_accessible_name (row, spoken);
  return row;
}

static void
clear_rows (Folder *self)
{
  GtkWidget *row;

  while ((row = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0))) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
}

/* The keyboard goes to the folder that one comes from, else to the first thing there. */
static void
focus_rows (Folder *self)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0);

  for (guint i = 0; self->came_from != NULL && i < self->listing->entries->len; i++)
    if (strcmp (((KymoRemoteEntry *) self->listing->entries->pdata[i])->path,
                self->came_from) == 0)
      row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i);
  gtk_widget_grab_focus (row != NULL ? GTK_WIDGET (row) : self->path_entry);
}

static void
show_listing (Folder *self)
{
  g_autofree char *shown = g_filename_display_name (self->listing->path);

  g_free (self->path);
  self->path = g_strdup (self->listing->path);
  gtk_editable_set_text (GTK_EDITABLE (self->path_entry), shown);
  gtk_widget_set_sensitive (self->up, strcmp (self->path, "/") != 0);
  clear_rows (self);
  for (guint i = 0; i < self->listing->entries->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), build_row (self->listing->entries->pdata[i]));
  if (self->listing->at_least)
    {
      GtkWidget *more = adw_action_row_new ();

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (more),
                                     _("There are more folders; write their path above"));
      gtk_list_box_append (GTK_LIST_BOX (self->list), more);
    }
  focus_rows (self);
}

/* -- looking ----------------------------------------------------------------------------------- */

static void
show_waiting (Folder *self)
{
  g_autofree char *stage = self->job != NULL ? kymo_job_dup_stage (self->job) : NULL;
  g_autofree char *words = stage != NULL ? g_strdup (stage)
    : g_strdup_printf (self->link == NULL ? _("Connecting to %s…") : _("Looking on %s…"),
                       self->host);

  gtk_label_set_text (GTK_LABEL (self->stage), words);
  gtk_widget_set_visible (self->waiting, self->job != NULL);
  /* Whether there are runs is not known yet. */
  gtk_widget_set_visible (self->list, self->listing != NULL);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), self->job != NULL);
}

static void
on_job (GtkWidget *box)
{
  show_waiting (folder_of (box));
}

static void
show_problem (Folder *self, const GError *error)
{
  g_autofree char *valid = error != NULL ? g_utf8_make_valid (error->message, -1) : NULL;

  gtk_widget_set_visible (self->problem, valid != NULL);
  if (valid != NULL)
    gtk_label_set_text (GTK_LABEL (self->words), valid);
}

static void
look_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Look *look = data;
  g_autofree char *text = g_strconcat ("ssh://", look->host, "/~", NULL);
  GError *error = NULL;
  g_autoptr (KymoRemoteAddress) where = kymo_remote_address_parse (text, &error);
  const KymoRemoteWay way = { g_getenv ("KYMO_SERVER"), TRUE, look->launch, FALSE };

  if (where != NULL && look->link == NULL)
    look->link = kymo_remote_link_get (where, &way, look->job, &error);
  if (look->link != NULL)
    look->listing = kymo_remote_list (look->link, look->path,
                                      kymo_job_peek_cancellable (look->job), &error);
  if (look->listing != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* A link that has ended is no use any more. */
static void
take_link (Folder *self, Look *look)
{
  if (self->link == NULL)
    self->link = g_steal_pointer (&look->link);
  if (self->link != NULL && kymo_remote_link_has_ended (self->link))
    g_clear_pointer (&self->link, kymo_remote_link_unref);
}

static void
on_looked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWidget) box = data;
  Folder *self = folder_of (box);
  Look *look = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean found = g_task_propagate_boolean (G_TASK (result), &error);

  if (self == NULL || self->job != look->job)
    return;
  g_clear_object (&self->job);
  take_link (self, look);
  show_waiting (self);
  show_problem (self, found ? NULL : error);
  if (found)
    {
      kymo_remote_listing_free (self->listing);
      self->listing = g_steal_pointer (&look->listing);
      show_listing (self);
      gtk_widget_set_visible (self->list, TRUE);
    }
  else
    gtk_widget_grab_focus (self->path_entry);
}

static void
begin_look (Folder *self)
{
  Look *look = g_new0 (Look, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_looked, g_object_ref (self->box));

  if (self->job != NULL)
    kymo_job_cancel (self->job);
  g_clear_object (&self->job);
  self->job = kymo_job_new ();
  kymo_follow (self->job, "notify", on_job, self->box);
  look->host = g_strdup (self->host);
  look->launch = g_strdup (self->launch);
  look->path = g_strdup (self->wanted);
  look->link = self->link != NULL ? kymo_remote_link_ref (self->link) : NULL;
  look->job = g_object_ref (self->job);
  show_problem (self, NULL);
  show_waiting (self);
  g_task_set_task_data (task, look, look_free);
  g_task_run_in_thread (task, look_thread);
}

/* -- what a person does ------------------------------------------------------------------------ */

static void
go_to (Folder *self, const char *path)
{
  char *wanted = g_strdup (path);

  g_free (self->came_from);
  self->came_from = g_strdup (self->path);
  g_free (self->wanted);
  self->wanted = wanted;
  begin_look (self);
}

static void
go_up (Folder *self)
{
  g_autofree char *above = self->path != NULL ? g_path_get_dirname (self->path) : NULL;

  if (above != NULL && *above == '/' && strcmp (self->path, "/") != 0)
    go_to (self, above);
}

static gboolean
go_up_by_key (GtkWidget *box, GVariant *args, gpointer data)
{
  go_up (folder_of (box));
  return TRUE;
}

static gboolean
go_up_from_list (GtkWidget *list, GVariant *args, gpointer box)
{
  go_up (folder_of (box));
  return TRUE;
}

static gboolean
focus_path (GtkWidget *box, GVariant *args, gpointer data)
{
  return gtk_widget_grab_focus (folder_of (box)->path_entry);
}

static void
on_path (Folder *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->path_entry));
  g_autofree char *path = *text == '/' ? g_strdup (text) : g_strconcat ("/~/", text, NULL);

  if (strcmp (text, "~") == 0 || g_str_has_prefix (text, "~/"))
    {
      g_free (path);
      path = g_strconcat ("/", text, NULL);
    }
  go_to (self, path);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, Folder *self)
{
  guint index = gtk_list_box_row_get_index (row);
  const KymoRemoteEntry *entry = self->listing != NULL && index < self->listing->entries->len
                                 ? self->listing->entries->pdata[index] : NULL;

  if (entry == NULL)
    return;
  if (entry->is_run)
    {
      g_autofree char *address = g_strconcat ("ssh://", self->host, entry->path, NULL);

      self->done (address, self->data);
    }
  else
    go_to (self, entry->path);
}

/* -- building ---------------------------------------------------------------------------------- */

static GtkWidget *
build_bar (Folder *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->up = gtk_button_new_from_icon_name ("go-up-symbolic");
  gtk_widget_set_tooltip_text (self->up, _("Folder Above (Alt+Up)"));
  kymo_accessible_name (self->up, _("Folder Above"));
  self->path_entry = gtk_entry_new ();
  gtk_widget_set_hexpand (self->path_entry, TRUE);
  kymo_accessible_name (self->path_entry, _("Folder"));
  gtk_widget_set_tooltip_text (self->path_entry, _("Path of a Folder (Ctrl+L)"));
  gtk_box_append (GTK_BOX (bar), self->up);
  gtk_box_append (GTK_BOX (bar), self->path_entry);
  g_signal_connect_swapped (self->up, "clicked", G_CALLBACK (go_up), self);
  g_signal_connect_swapped (self->path_entry, "activate", G_CALLBACK (on_path), self);
  return bar;
}

static GtkWidget *
build_waiting (Folder *self)
{
  self->waiting = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->spinner = gtk_spinner_new ();
  self->stage = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->stage), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (self->waiting), self->spinner);
  gtk_box_append (GTK_BOX (self->waiting), self->stage);
  gtk_widget_set_visible (self->waiting, FALSE);
  return self->waiting;
}

/* A server may have been installed meanwhile. */
static void
on_host_tested (GtkWidget *box)
{
  Folder *self = folder_of (box);

  if (self != NULL && !gtk_widget_in_destruction (box) && self->job == NULL && self->link == NULL)
    begin_look (self);
}

static void
test_host (Folder *self)
{
  GtkWindow *dialog = kymo_host_dialog_present (GTK_WINDOW (gtk_widget_get_root (self->box)),
                                                self->host, self->launch);

  g_signal_connect_object (dialog, "destroy", G_CALLBACK (on_host_tested), self->box,
                           G_CONNECT_SWAPPED);
}

static GtkWidget *
build_problem (Folder *self)
{
  GtkWidget *test = gtk_button_new_with_label (_("Test Host…"));
  GtkWidget *retry = gtk_button_new_with_label (_("Try Again"));

  self->problem = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->words = kymo_label_new_wrapped (NULL, "error");
  gtk_label_set_wrap_mode (GTK_LABEL (self->words), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (self->words), TRUE);
  gtk_widget_set_hexpand (self->words, TRUE);
  gtk_widget_set_valign (retry, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (retry, "clicked", G_CALLBACK (begin_look), self);
  gtk_box_append (GTK_BOX (self->problem), self->words);
  gtk_widget_set_valign (test, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (test, "clicked", G_CALLBACK (test_host), self);
  gtk_box_append (GTK_BOX (self->problem), test);
  gtk_box_append (GTK_BOX (self->problem), retry);
  gtk_widget_set_visible (self->problem, FALSE);
  return self->problem;
}

static GtkWidget *
build_list (Folder *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *empty = gtk_label_new (_("No runs and no folders"));

  self->list = gtk_list_box_new ();
  gtk_widget_add_css_class (self->list, "boxed-list");
  gtk_widget_add_css_class (empty, "dim-label");
  gtk_widget_set_margin_top (empty, 12);
  gtk_widget_set_margin_bottom (empty, 12);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), empty);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_set_valign (self->list, GTK_ALIGN_START);
  kymo_accessible_name (self->list, _("Runs and Folders"));
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
add_key (GtkWidget *widget, guint key, GdkModifierType modifiers, GtkShortcutFunc function,
         gpointer data)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers),
                      gtk_callback_action_new (function, data, NULL)));
  gtk_widget_add_controller (widget, keys);
}

/**
 * kymo_remote_folder_new:
 * @done: called with the run that a person chooses
 *
 * Returns: (transfer floating): the list, which shows nothing yet
 */
GtkWidget *
kymo_remote_folder_new (KymoRemoteChosen done, gpointer data)
{
  Folder *self = g_new0 (Folder, 1);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  self->done = done;
  self->data = data;
  gtk_box_append (GTK_BOX (self->box), build_bar (self));
  gtk_box_append (GTK_BOX (self->box), build_waiting (self));
  gtk_box_append (GTK_BOX (self->box), build_problem (self));
  gtk_box_append (GTK_BOX (self->box), build_list (self));
  add_key (self->box, GDK_KEY_Up, GDK_ALT_MASK, go_up_by_key, NULL);
  add_key (self->box, GDK_KEY_l, GDK_CONTROL_MASK, focus_path, NULL);
  add_key (self->list, GDK_KEY_BackSpace, 0, go_up_from_list, self->box);
  /* A look that is under way keeps the data until it ends. */
  g_signal_connect (self->box, "destroy", G_CALLBACK (kymo_remote_folder_stop), NULL);
  g_object_set_data_full (G_OBJECT (self->box), FOLDER_KEY, self, folder_free);
  return self->box;
}

/**
 * kymo_remote_folder_show:
 * @host: "[USER@]HOST[:PORT]"
 * @launch: (nullable): how a server begins there
 * @path: of a folder; "/~" is the user's
 *
 * Begins to look there.
 */
void
kymo_remote_folder_show (GtkWidget *folder, const char *host, const char *launch, const char *path)
{
  Folder *self = folder_of (folder);

  if (g_strcmp0 (self->host, host) != 0 || g_strcmp0 (self->launch, launch) != 0)
    g_clear_pointer (&self->link, kymo_remote_link_unref);
  g_free (self->host);
  g_free (self->launch);
  g_clear_pointer (&self->path, g_free);
  self->host = g_strdup (host);
  self->launch = g_strdup (launch);
  clear_rows (self);
  gtk_editable_set_text (GTK_EDITABLE (self->path_entry), "");
  gtk_widget_set_sensitive (self->up, FALSE);
  go_to (self, path);
}

/** kymo_remote_folder_stop: cancels the listing that is under way */
void
kymo_remote_folder_stop (GtkWidget *folder)
{
  Folder *self = folder_of (folder);

  if (self->job != NULL)
    kymo_job_cancel (self->job);
  g_clear_object (&self->job);
  show_waiting (self);
}
