/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of a dialog lives as long as its window; what comes back later (a
 * chosen file, names that were found) holds a reference to the window and
 * looks whether it is still open.
 */
#include "config.h"

#include "kymo-attach-dialog.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-attach-jobs.h"
#include "kymo-dialogs.h"
#include "kymo-label.h"
#include "kymo-names-beside.h"

#define MOST_SHOWN 10

typedef struct
{
  GtkWindow      *window;          /* owns this */
  GtkWidget      *address, *through, *error, *attach;
  GtkWidget      *key_row, *names_row;
  char           *key_file, *names;    /* or NULL */
  gboolean        names_chosen;    /* by the person: nothing takes their place */
  GPtrArray      *targets;         /* KymoAttachChoice */
  GtkWidget      *jobs;
  KymoAttachDone  done;
  GObject        *data;
  GCancellable   *cancellable;
} Attach;

#define ATTACH_KEY "kymo-attach"

static Attach *
attach_of (gpointer window)
{
  return g_object_get_data (G_OBJECT (window), ATTACH_KEY);
}

static void
attach_free (gpointer data)
{
  Attach *self = data;

  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->targets);
  g_free (self->key_file);
  g_free (self->names);
  g_object_unref (self->data);
  g_free (self);
}

/* -- what is filled in ---------------------------------------------------- */

static KymoAttachChoice *
dup_choice (Attach *self)
{
  g_autofree char *address
    = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->address)));

  return kymo_attach_choice_new (
    g_strstrip (address), gtk_editable_get_text (GTK_EDITABLE (self->through)),
    self->key_file, self->names);
}

/* What is wrong is told as it is typed, but for what is not typed yet. */
static void
check_attach_dialog (Attach *self)
{
  g_autoptr (KymoAttachChoice) choice = dup_choice (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoCcsTarget) target = kymo_attach_choice_parse (choice, &error);
  gboolean lists = target == NULL && kymo_attach_jobs_is_host (choice->address);
  gboolean wrong = target == NULL && *choice->address != 0 && !lists;

  gtk_label_set_text (GTK_LABEL (self->error), wrong ? error->message
    : lists ? _("Lists your jobs on that machine. To attach, choose one, or add :PORT.")
    : _("As the program printed it, HOST:PORT, or ssh://USER@HOST:PORT"));
  gtk_button_set_label (GTK_BUTTON (self->attach), lists ? _("List Jobs") : _("Attach"));
  if (*choice->address == 0)
    kymo_attach_jobs_show (self->jobs, NULL);
  if (wrong)
    gtk_widget_add_css_class (self->error, "error");
  else
    gtk_widget_remove_css_class (self->error, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->address),
                               GTK_ACCESSIBLE_STATE_INVALID,
                               wrong ? GTK_ACCESSIBLE_INVALID_TRUE
                                     : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  gtk_widget_set_sensitive (self->attach, target != NULL || lists);
}

static void
attach_attach_dialog (Attach *self)
{
  g_autoptr (KymoAttachChoice) choice = dup_choice (self);
  g_autoptr (KymoCcsTarget) target = kymo_attach_choice_parse (choice, NULL);

  if (target == NULL && kymo_attach_jobs_is_host (choice->address))
    kymo_attach_jobs_show (self->jobs, choice->address);
  if (target == NULL)
    return;
  self->done (choice, self->data);
  gtk_window_close (self->window);
}

/* Shows a path in its row, or what it is for where there is none. */
static void
show_path (GtkWidget *row, const char *path, const char *words)
{
  g_autofree char *valid = path != NULL ? g_utf8_make_valid (path, -1) : NULL;
  g_autofree char *safe = g_markup_escape_text (valid != NULL ? valid : words,
                                                -1);
  GtkWidget *clear = g_object_get_data (G_OBJECT (row), "kymo-clear");

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), safe);
  gtk_widget_set_visible (clear, path != NULL);
}

static void
set_key_file (Attach *self, const char *path)
{
  g_free (self->key_file);
  self->key_file = path != NULL && *path != 0 ? g_strdup (path) : NULL;
  show_path (self->key_row, self->key_file,
             _("Only where the program was started with ++server-auth"));
}

static void
set_names (Attach *self, const char *path)
{
  g_free (self->names);
  self->names = path != NULL && *path != 0 ? g_strdup (path) : NULL;
  show_path (self->names_row, self->names,
             _("The .util.sts that the program wrote; ids until then"));
}

static void
fill_in (Attach *self, const KymoAttachChoice *choice)
{
  gtk_editable_set_text (GTK_EDITABLE (self->address), choice->address);
  gtk_editable_set_text (GTK_EDITABLE (self->through), choice->through);
  set_key_file (self, choice->key_file);
  if (*choice->names != 0)
    set_names (self, choice->names);
  self->names_chosen |= *choice->names != 0;
  check_attach_dialog (self);
}

static void
on_names_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWindow) window = data;
  g_autofree char *found = kymo_names_beside_find_finish (result);
  Attach *self = attach_of (window);

  if (self != NULL && found != NULL && !self->names_chosen
      && self->names == NULL)
    set_names (self, found);
}

/* -- rows ----------------------------------------------------------------- */

static void
on_key_chosen (const char *path, gpointer window)
{
  if (attach_of (window) != NULL)
    set_key_file (attach_of (window), path);
}

static void
on_names_chosen (const char *path, gpointer window)
{
  if (attach_of (window) == NULL)
    return;
  attach_of (window)->names_chosen = TRUE;
  set_names (attach_of (window), path);
}

static void
choose_key (Attach *self)
{
  kymo_dialog_open_key (self->window, on_key_chosen, self->window);
}

static void
choose_names (Attach *self)
{
  kymo_dialog_open_names (self->window, on_names_chosen, self->window);
}

static void
clear_key (Attach *self)
{
  set_key_file (self, NULL);
}

static void
clear_names (Attach *self)
{
  self->names_chosen = TRUE;
  set_names (self, NULL);
}

static GtkWidget *
path_row (Attach *self, const char *title, GCallback choose, GCallback clear)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_with_label (_("Choose…"));
  GtkWidget *cross = gtk_button_new_from_icon_name ("edit-clear-symbolic");

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (cross, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (cross, "flat");
  gtk_widget_set_tooltip_text (cross, _("Without it"));
  kymo_accessible_name (cross, _("Without it"));
  g_signal_connect_swapped (button, "clicked", choose, self);
  g_signal_connect_swapped (cross, "clicked", clear, self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), cross);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  g_object_set_data (G_OBJECT (row), "kymo-clear", cross);
  return row;
}

static GtkWidget *
entry_row (Attach *self, const char *title)
{
  GtkWidget *row = adw_entry_row_new ();
  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (row));

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_entry_row_set_input_hints (ADW_ENTRY_ROW (row),
                                 GTK_INPUT_HINT_NO_SPELLCHECK
                                 | GTK_INPUT_HINT_LOWERCASE);
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  kymo_accessible_name (text, title);
  g_signal_connect_swapped (row, "changed", G_CALLBACK (check_attach_dialog), self);
  return row;
}

static void
on_target_activated (GtkWidget *row, Attach *self)
{
  guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row),
                                                     "kymo-target"));

  fill_in (self, self->targets->pdata[index]);
  gtk_widget_grab_focus (self->attach);
}

static GtkWidget *
target_row (Attach *self, guint index)
{
  const KymoAttachChoice *choice = self->targets->pdata[index];
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = g_markup_escape_text (choice->address, -1);
  g_autofree char *way = *choice->through != 0
    ? g_markup_printf_escaped (_("through %s"), choice->through) : NULL;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (way != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), way);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_widget_add_css_class (row, "kymo-used");
  g_object_set_data (G_OBJECT (row), "kymo-target", GUINT_TO_POINTER (index));
  g_signal_connect (row, "activated", G_CALLBACK (on_target_activated), self);
  return row;
}

/* -- jobs ------------------------------------------------------------------ */

/* One that is chosen needs nothing else. */
static void
on_job_chosen (const char *address, gpointer data)
{
  Attach *self = data;
  g_autoptr (KymoAttachChoice) choice = kymo_attach_choice_new (address, "", NULL, NULL);

  self->done (choice, self->data);
  gtk_window_close (self->window);
}

/* -- building ------------------------------------------------------------- */

static AdwPreferencesGroup *
build_job (Attach *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_description (
    ADW_PREFERENCES_GROUP (group),
    _("A Charm++ program that was linked with -tracemode utilization and "
      "started with ++server prints where it listens; kymo-record --live writes it into "
      "live.address."));
  self->address = entry_row (self, _("Address"));
  self->error = kymo_label_new_wrapped (NULL, "caption");
  gtk_widget_set_margin_start (self->error, 12);
  gtk_widget_set_margin_top (self->error, 6);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->address);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->error);
  return ADW_PREFERENCES_GROUP (group);
}

static AdwPreferencesGroup *
build_more (Attach *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  self->names_row = path_row (self, _("Names of Entry Methods"),
                              G_CALLBACK (choose_names),
                              G_CALLBACK (clear_names));
  self->through = entry_row (self, _("Tunnel Through (login node, by ssh)"));
  self->key_row = path_row (self, _("Key File"), G_CALLBACK (choose_key),
                            G_CALLBACK (clear_key));
  set_key_file (self, NULL);
  set_names (self, NULL);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->names_row);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->through);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->key_row);
  return ADW_PREFERENCES_GROUP (group);
}

static AdwPreferencesGroup *
build_targets (Attach *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group),
                                   _("Used Last"));
  for (guint i = 0; i < self->targets->len && i < MOST_SHOWN; i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                               target_row (self, i));
  gtk_widget_set_visible (group, self->targets->len > 0);
  return ADW_PREFERENCES_GROUP (group);
}

static GtkWidget *
build_header (Attach *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_label (_("Cancel"));

  self->attach = gtk_button_new_with_label (_("Attach"));
  gtk_widget_add_css_class (self->attach, "suggested-action");
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->attach);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_close),
                            self->window);
  g_signal_connect_swapped (self->attach, "clicked", G_CALLBACK (attach_attach_dialog),
                            self);
  return header;
}

static void
build_attach_dialog (Attach *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();

  kymo_dialogs_close_by_escape (GTK_WINDOW (self->window));
  gtk_box_append (GTK_BOX (box), build_header (self));
  self->jobs = kymo_attach_jobs_new (on_job_chosen, self);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (self->jobs));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), build_job (self));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), build_more (self));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), build_targets (self));
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (self->window), box);
  gtk_window_set_default_widget (self->window, self->attach);
}

/**
 * kymo_attach_dialog_present:
 * @choice: (nullable): what is filled in at first
 */
void
kymo_attach_dialog_present (GtkWindow *parent, const KymoAttachChoice *choice,
                            const char *const *open_paths,
                            KymoAttachDone done, gpointer data)
{
  Attach *self = g_new0 (Attach, 1);

  self->window = GTK_WINDOW (adw_window_new ());
  self->done = done;
  self->data = g_object_ref (data);
  self->targets = kymo_stream_settings_dup_targets ();
  self->cancellable = g_cancellable_new ();
  g_object_set_data_full (G_OBJECT (self->window), ATTACH_KEY, self,
                          attach_free);
  build_attach_dialog (self);
  if (choice != NULL)
    fill_in (self, choice);
  else
    check_attach_dialog (self);
  gtk_window_set_title (self->window, _("Attach to a Job"));
  gtk_window_set_default_size (self->window, 540,
                               self->targets->len > 0 ? 600 : 520);
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  kymo_names_beside_find_async (open_paths, self->cancellable, on_names_found,
                                g_object_ref (self->window));
  gtk_window_present (self->window);
  gtk_widget_grab_focus (self->address);
}
