/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog lives until its window is closed and nothing is written any
 * more, whichever comes last; after the window was closed no widget is
 * touched.
 */
#include "config.h"

#include "kymo-write-dialog.h"

#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-dialogs.h"
#include "kymo-label.h"
#include "kymo-place.h"
#include "kymo-reducer.h"
#include "kymo-remote-address.h"
#include "kymo-remote-work.h"
#include "kymo-units.h"

struct _KymoWriteDialog
{
  GtkWindow            *window;
  gboolean              closed;
  gboolean              is_far;          /* written on another machine */
  const KymoWriteClass *klass;
  gpointer              user;
  GtkWidget            *page, *accept, *cancel;
  GtkWidget            *name, *folder_row, *note;
  GtkWidget            *progress, *bar, *stage;
  char                 *run_place;
  char                 *folder;          /* an address, where it is on another machine */
  char                 *reason;          /* why not, "" for not yet, or NULL */
  gboolean              refused;
  gboolean              was_ready;       /* and has given the keyboard to accept */
  KymoJob              *job;             /* while it is written */
  gulong                on_job;
  KymoWriteDone         done;
  GObject              *data;
};

/* What the thread has. */
typedef struct
{
  const KymoWriteClass *klass;
  gpointer              wish;
  char                 *out;
  KymoJob              *job;
} Writing;

static void
writing_free (gpointer data)
{
  Writing *writing = data;

  writing->klass->free_wish (writing->wish);
  g_object_unref (writing->job);
  g_free (writing->out);
  g_free (writing);
}

static void
free_unless_used (KymoWriteDialog *self)
{
  if (!self->closed || self->job != NULL)
    return;
  self->klass->free (self->user);
  g_clear_object (&self->data);
  g_free (self->run_place);
  g_free (self->folder);
  g_free (self->reason);
  g_free (self);
}

/* -- name and place -------------------------------------------------------- */

static char *
dup_name (KymoWriteDialog *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->name))));
}

/* A name is one part of a path. */
static char *
check_place (KymoWriteDialog *self)
{
  g_autofree char *name = dup_name (self);
  g_autofree char *out = g_build_filename (self->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  if (*name == 0)
    return g_strdup (_("A name is needed"));
  if (strchr (name, G_DIR_SEPARATOR) != NULL || g_str_equal (name, ".")
      || g_str_equal (name, ".."))
    return g_strdup (_("This is no name of a folder"));
  if (self->is_far && !kymo_place_is_far (self->folder))
    return g_strdup (_("The folder is an absolute path on the machine of the run"));
  if (!self->is_far && !self->klass->resumes && !kymo_reducer_check_out (out, &error))
    return g_strdup (_("There is something of this name already; nothing is overwritten"));
  return NULL;
}

static void
show_note (KymoWriteDialog *self, const char *text, gboolean is_error)
{
  gtk_label_set_text (GTK_LABEL (self->note), text);
  if (is_error)
    gtk_widget_add_css_class (self->note, "error");
  else
    gtk_widget_remove_css_class (self->note, "error");
}

/* What is wrong is told as it is chosen. */
/* Else Cancel, the first button, has the keyboard, and Enter. What the person went to keeps it. */
static void
focus_accept (KymoWriteDialog *self)
{
  GtkWidget *focus = gtk_window_get_focus (self->window);

  if (self->was_ready || !gtk_widget_get_mapped (self->accept))
    return;
  self->was_ready = gtk_widget_get_sensitive (self->accept);
  if (focus == NULL || focus == self->cancel)
    gtk_window_set_focus (self->window, self->was_ready ? self->accept : NULL);
}

static void
check_write_dialog (KymoWriteDialog *self)
{
  g_autofree char *wrong = check_place (self);

  gtk_widget_set_sensitive (self->accept, wrong == NULL && self->reason == NULL);
  if (self->reason != NULL && *self->reason != 0)
    show_note (self, self->reason, TRUE);
  else if (wrong != NULL)
    show_note (self, wrong, TRUE);
  else if (self->klass->resumes)
    show_note (self, _("A folder of this name. Files that are there stay as they are, and what was "
                       "fetched before is not fetched again."), FALSE);
  else
    show_note (self, self->is_far
               ? _("A new folder of this name on the machine of the run, which is not changed.")
               : _("A new folder of this name. The run itself is not changed."), FALSE);
  focus_accept (self);
}

static void
show_folder (KymoWriteDialog *self)
{
  g_autofree char *valid = g_utf8_make_valid (self->folder, -1);
  g_autofree char *safe = g_markup_escape_text (valid, -1);
  g_autofree char *there = NULL;

  if (self->is_far)
    {
      there = kymo_write_dialog_dup_there (valid);
      gtk_editable_set_text (GTK_EDITABLE (self->folder_row), there != NULL ? there : "/");
      return;
    }
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->folder_row), safe);
  gtk_widget_set_tooltip_text (self->folder_row, valid);
}

#define DIALOG_KEY "kymo-write"

static void
on_folder_chosen (const char *path, gpointer window)
{
  KymoWriteDialog *self = g_object_get_data (G_OBJECT (window), DIALOG_KEY);

  if (self == NULL)
    return;
  g_free (self->folder);
  self->folder = g_strdup (path);
  show_folder (self);
  check_write_dialog (self);
}

static void
choose_folder (KymoWriteDialog *self)
{
  kymo_dialog_choose_place (self->window, self->folder, on_folder_chosen, self->window);
}

/* -- writing --------------------------------------------------------------- */

static void
show_writing (KymoWriteDialog *self, gboolean writing)
{
  gtk_widget_set_visible (self->progress, writing);
  gtk_widget_set_sensitive (self->page, !writing && !self->refused);
  gtk_button_set_label (GTK_BUTTON (self->cancel), writing ? _("Stop") : _("Cancel"));
  if (writing)
    gtk_widget_set_sensitive (self->accept, FALSE);
  else
    check_write_dialog (self);
}

static void
on_progress (KymoWriteDialog *self)
{
  g_autofree char *stage = kymo_job_dup_stage (self->job);

  if (self->closed)
    return;
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), kymo_job_get_fraction (self->job));
  gtk_label_set_text (GTK_LABEL (self->stage), stage != NULL ? stage : "");
}

static void
write_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Writing *writing = data;
  GError *error = NULL;
  char *sentence = writing->klass->write (writing->wish, writing->out, writing->job, &error);

  if (sentence != NULL)
    g_task_return_pointer (task, sentence, g_free);
  else
    g_task_return_error (task, error);
}

static void
on_written (GObject *object, GAsyncResult *result, gpointer data)
{
  KymoWriteDialog *self = data;
  Writing *writing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = g_task_propagate_pointer (G_TASK (result), &error);

  g_clear_signal_handler (&self->on_job, self->job);
  g_clear_object (&self->job);
  if (sentence != NULL)
    sentence[strcspn (sentence, "\n")] = '\0';
  if (sentence != NULL && self->data != NULL)
    self->done (sentence, writing->out, self->data);
  if (!self->closed && sentence != NULL)
    {
      gtk_window_destroy (self->window);
      return;
    }
  if (!self->closed)
    {
      show_writing (self, FALSE);
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        show_note (self, error->message, TRUE);
    }
  free_unless_used (self);
}

static void
begin_write_dialog (KymoWriteDialog *self)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *name = dup_name (self);
  Writing *writing;

  if (self->job != NULL || !gtk_widget_get_sensitive (self->accept))
    return;
  self->job = kymo_job_new ();
  self->on_job = g_signal_connect_swapped (self->job, "notify", G_CALLBACK (on_progress), self);
  writing = g_new0 (Writing, 1);
  writing->klass = self->klass;
  writing->wish = self->klass->dup_wish (self->user);
  writing->out = g_build_filename (self->folder, name, NULL);
  writing->job = g_object_ref (self->job);
  task = g_task_new (NULL, NULL, on_written, self);
  g_task_set_task_data (task, writing, writing_free);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), 0);
  show_writing (self, TRUE);
  kymo_hold_for_task (task);
  g_task_run_in_thread (task, write_thread);
}

/* The first press stops what is written, and the dialog stays. */
static void
cancel (KymoWriteDialog *self)
{
  if (self->job != NULL)
    kymo_job_cancel (self->job);
  else
    gtk_window_close (self->window);
}

static void
on_destroy (GtkWidget *window, KymoWriteDialog *self)
{
  g_object_set_data (G_OBJECT (window), DIALOG_KEY, NULL);
  self->closed = TRUE;
  if (self->job != NULL)
    kymo_job_cancel (self->job);
  free_unless_used (self);
}

/* -- building -------------------------------------------------------------- */

static GtkWidget *
build_header (KymoWriteDialog *self)
{
  GtkWidget *header = adw_header_bar_new ();

  self->cancel = gtk_button_new_with_label (_("Cancel"));
  self->accept = gtk_button_new_with_label (_(self->klass->accept));
  gtk_widget_add_css_class (self->accept, "suggested-action");
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->accept);
  g_signal_connect_swapped (self->cancel, "clicked", G_CALLBACK (cancel), self);
  g_signal_connect_swapped (self->accept, "clicked", G_CALLBACK (begin_write_dialog), self);
  return header;
}

static GtkWidget *
build_name (KymoWriteDialog *self)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("Name"));
  adw_entry_row_set_input_hints (ADW_ENTRY_ROW (row), GTK_INPUT_HINT_NO_SPELLCHECK);
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  kymo_accessible_name (gtk_editable_get_delegate (GTK_EDITABLE (row)), _("Name"));
  g_signal_connect_swapped (row, "changed", G_CALLBACK (check_write_dialog), self);
  self->name = row;
  return row;
}

/* A path that is not absolute stays to be mended. */
static void
on_far_folder (KymoWriteDialog *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (
    GTK_EDITABLE (self->folder_row))));
  g_autoptr (KymoRemoteAddress) host = kymo_remote_address_parse (self->run_place, NULL);

  g_free (self->folder);
  self->folder = *text == '/' && host != NULL ? kymo_remote_address_dup_text (host, text)
                                              : g_strdup (text);
  check_write_dialog (self);
}

static GtkWidget *
build_far_folder (KymoWriteDialog *self)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("In the Folder"));
  adw_entry_row_set_input_hints (ADW_ENTRY_ROW (row), GTK_INPUT_HINT_NO_SPELLCHECK);
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  kymo_accessible_name (gtk_editable_get_delegate (GTK_EDITABLE (row)), _("In the Folder"));
  g_signal_connect_swapped (row, "changed", G_CALLBACK (on_far_folder), self);
  self->folder_row = row;
  return row;
}

static GtkWidget *
build_folder (KymoWriteDialog *self)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_with_label (_("Choose…"));

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("In the Folder"));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (choose_folder), self);
  self->folder_row = row;
  return row;
}

static GtkWidget *
build_place (KymoWriteDialog *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  self->note = kymo_label_new_wrapped (NULL, "caption");
  gtk_widget_set_margin_start (self->note, 12);
  gtk_widget_set_margin_top (self->note, 6);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), build_name (self));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->is_far
                             ? build_far_folder (self) : build_folder (self));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->note);
  return group;
}

static GtkWidget *
build_progress (KymoWriteDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->bar = gtk_progress_bar_new ();
  kymo_accessible_name (self->bar, _("How much is written"));
  self->stage = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->stage, "caption");
  gtk_box_append (GTK_BOX (box), self->bar);
  gtk_box_append (GTK_BOX (box), self->stage);
  gtk_widget_set_margin_start (box, 18);
  gtk_widget_set_margin_end (box, 18);
  gtk_widget_set_margin_bottom (box, 12);
  gtk_widget_set_visible (box, FALSE);
  self->progress = box;
  return box;
}

static void
build_write_dialog (KymoWriteDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  kymo_dialogs_close_by_escape (GTK_WINDOW (self->window));
  gtk_box_append (GTK_BOX (box), build_header (self));
  self->page = adw_preferences_page_new ();
  gtk_widget_set_vexpand (self->page, TRUE);
  gtk_box_append (GTK_BOX (box), self->page);
  gtk_box_append (GTK_BOX (box), build_progress (self));
  adw_window_set_content (ADW_WINDOW (self->window), box);
  gtk_window_set_default_widget (self->window, self->accept);
}

/* The other machine is not asked for the kind of a name: folders of runs have no dot in theirs. */
static char *
dup_far_folder_of (const char *address)
{
  g_autoptr (KymoRemoteAddress) where = kymo_remote_address_parse (address, NULL);
  g_autofree char *folder = where != NULL ? g_path_get_dirname (where->path) : NULL;
  g_autofree char *name = g_path_get_basename (address), *above = NULL;

  if (where == NULL)
    return g_strdup (address);
  above = strchr (name, '.') != NULL ? g_path_get_dirname (folder) : g_strdup (folder);
  return kymo_remote_address_dup_text (where, above);
}

/* Beside the run, whether it was opened as a folder or by a file of it. */
static char *
dup_folder_of (const char *run_path)
{
  g_autofree char *whole = g_canonicalize_filename (run_path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);

  return g_file_test (whole, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&folder)
    : g_path_get_dirname (folder);
}

/**
 * kymo_write_dialog_new:
 * @klass: what is written and how; static
 * @user: (transfer full): given to @klass
 * @run_path: the run of which something is written
 * @run_title: its name
 */
KymoWriteDialog *
kymo_write_dialog_new (GtkWindow *parent, const KymoWriteClass *klass, gpointer user,
                       const char *run_path, const char *run_title)
{
  KymoWriteDialog *self = g_new0 (KymoWriteDialog, 1);

  self->klass = klass;
  self->user = user;
  self->window = GTK_WINDOW (adw_window_new ());
  self->is_far = kymo_place_is_far (run_path);
  self->run_place = g_strdup (run_path);
  self->folder = self->is_far ? dup_far_folder_of (run_path) : dup_folder_of (run_path);
  build_write_dialog (self);
  g_object_set_data_full (G_OBJECT (self->window), "kymo-run-title", g_strdup (run_title), g_free);
  gtk_window_set_title (self->window, _(klass->title));
  gtk_window_set_default_size (self->window, 520, klass->height);
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  g_object_set_data (G_OBJECT (self->window), DIALOG_KEY, self);
  g_signal_connect (self->window, "destroy", G_CALLBACK (on_destroy), self);
  return self;
}

/** kymo_write_dialog_add: a group of rows, above name and folder */
void
kymo_write_dialog_add (KymoWriteDialog *self, GtkWidget *group)
{
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self->page), ADW_PREFERENCES_GROUP (group));
}

void
kymo_write_dialog_set_reason (KymoWriteDialog *self, const char *reason)
{
  if (self->refused)
    return;
  g_free (self->reason);
  self->reason = g_strdup (reason);
  if (self->job == NULL && self->note != NULL)
    check_write_dialog (self);
}

void
kymo_write_dialog_refuse (KymoWriteDialog *self, const char *reason)
{
  kymo_write_dialog_set_reason (self, reason);
  self->refused = TRUE;
}

/* The first name that is free, of the run's own and a number. */
static void
propose_name (KymoWriteDialog *self)
{
  const char *title = g_object_get_data (G_OBJECT (self->window), "kymo-run-title");

  for (guint i = 1; i < 100; i++)
    {
      g_autofree char *number = i > 1 ? g_strdup_printf ("-%u", i) : g_strdup ("");
      g_autofree char *name = g_strconcat (title, self->klass->suffix, number, NULL);
      g_autofree char *out = g_build_filename (self->folder, g_strdelimit (name, "/", '-'), NULL);

      gtk_editable_set_text (GTK_EDITABLE (self->name), name);
      if (self->is_far || self->klass->resumes || kymo_reducer_check_out (out, NULL))
        return;
    }
}

/**
 * kymo_write_dialog_dup_written:
 *
 * Returns: (transfer full): a sentence for people: how much was written, and all that the
 *   files cannot hold
 */
char *
kymo_write_dialog_dup_written (const KymoExtractResult *result)
{
  g_autofree char *after = kymo_format_bytes (result->bytes_after), *before = NULL;
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; result->left_out != NULL && i < result->left_out->len; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? "; " : "",
                            (const char *) result->left_out->pdata[i]);
  if (list->len > 0)
    return g_strdup_printf (_("%s written. The files cannot hold: %s"), after, list->str);
  if (result->bytes_before < 0)
    return g_strdup_printf (_("%s written"), after);
  before = kymo_format_bytes (result->bytes_before);
  return g_strdup_printf (_("%s of %s written"), after, before);
}

/**
 * kymo_write_dialog_work:
 * @source: a run on another machine
 * @words: (transfer full): a command of kymo-cli, with paths of that machine
 *
 * Has the command done there; blocks.
 *
 * Returns: (transfer full) (nullable): the first lines of what it printed; %NULL with what it
 *   complained of
 */
char *
kymo_write_dialog_work (KymoSource *source, GStrvBuilder *words, KymoJob *job, GError **error)
{
  g_auto (GStrv) line = g_strv_builder_end (words);
  g_autofree char *printed = kymo_remote_source_work (KYMO_REMOTE_SOURCE (source),
                                                      (const char *const *) line, job, error);
  char *end = printed != NULL ? strstr (printed, "\n\n") : NULL;

  g_strv_builder_unref (words);
  if (end != NULL)
    *end = '\0';
  return printed != NULL ? g_strstrip (g_steal_pointer (&printed)) : NULL;
}

/** kymo_write_dialog_dup_there: Returns: (transfer full) (nullable): the path of an address */
char *
kymo_write_dialog_dup_there (const char *address)
{
  g_autoptr (KymoRemoteAddress) where = kymo_remote_address_parse (address, NULL);

  return where != NULL ? g_strdup (where->path) : NULL;
}

/**
 * kymo_write_dialog_present:
 * @done: called when the run is written
 * @data: for @done; kept alive until then
 *
 * Returns: (transfer none): its window
 */
GtkWindow *
kymo_write_dialog_present (KymoWriteDialog *self, KymoWriteDone done, GObject *data)
{
  self->done = done;
  self->data = g_object_ref (data);
  kymo_write_dialog_add (self, build_place (self));
  show_folder (self);
  propose_name (self);
  show_writing (self, FALSE);
  gtk_window_present (self->window);
  focus_accept (self);
  return self->window;
}
