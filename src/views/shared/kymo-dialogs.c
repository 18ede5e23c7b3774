/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * @data of a dialog is a GObject: a dialog keeps a reference to it, and gives it back when it
 * goes, answered or with the window that it was of.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "kymo-dialogs.h"

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-follow.h"

typedef struct
{
  KymoDialogDone  done;
  GObject        *data;
  GtkWidget      *entry;
  GtkNativeDialog *native;
} Ask;

static Ask *
ask_new (KymoDialogDone done, gpointer data)
{
  Ask *ask = g_new0 (Ask, 1);

  ask->done = done;
  ask->data = g_object_ref (data);
  return ask;
}

static void
ask_free (gpointer data)
{
  Ask *ask = data;

  g_clear_object (&ask->native);
  g_object_unref (ask->data);
  g_free (ask);
}

static void
ask_free_with (gpointer ask, GClosure *closure)
{
  ask_free (ask);
}

/* A dialog that goes with its parent answers nothing. */
static void
present_dialogs (AdwMessageDialog *dialog, GCallback on_response, Ask *ask)
{
  g_signal_connect_data (dialog, "response", on_response, ask, ask_free_with, 0);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  kymo_controls_speak_buttons (GTK_WIDGET (dialog));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* -- files ---------------------------------------------------------------- */

#define ASK_KEY "kymo-ask"

/* There is no window to save or open for. */
static void
on_parent_destroyed (GtkNativeDialog *native)
{
  Ask *ask = g_object_steal_data (G_OBJECT (native), ASK_KEY);

  if (ask == NULL)
    return;
  g_signal_handlers_disconnect_by_data (native, ask);
  gtk_native_dialog_destroy (native);
  ask_free (ask);
}

static void
on_file_response (GtkNativeDialog *native, int response, Ask *ask)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file
        = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (native));
      g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

      if (path != NULL)
        ask->done (path, ask->data);
    }
  if (g_object_steal_data (G_OBJECT (native), ASK_KEY) != NULL)
    ask_free (ask);
}

static GtkFileChooser *
choose_dialogs (GtkWindow *parent, const char *title, GtkFileChooserAction action,
                const char *accept, KymoDialogDone done, gpointer data)
{
  Ask *ask = ask_new (done, data);
  GtkFileChooserNative *native
    = gtk_file_chooser_native_new (title, parent, action, accept, NULL);

  ask->native = GTK_NATIVE_DIALOG (native);
  gtk_native_dialog_set_modal (ask->native, TRUE);
  g_object_set_data (G_OBJECT (native), ASK_KEY, ask);
  g_signal_connect (native, "response", G_CALLBACK (on_file_response), ask);
  kymo_follow (parent, "destroy", on_parent_destroyed, native);
  return GTK_FILE_CHOOSER (native);
}

/**
 * kymo_dialog_open_folder:
 * @done: called with the path of the folder; not called when the person cancels
 * @data: a GObject; held until the dialog goes
 *
 * Asks for the folder of a run. Returns at once.
 */
void
kymo_dialog_open_folder (GtkWindow *parent, KymoDialogDone done, gpointer data)
{
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Open the Folder of a Run"),
                      GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Open"), done, data);

  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/**
 * kymo_dialog_choose_place:
 * @folder: the one that is shown first
 */
void
kymo_dialog_choose_place (GtkWindow *parent, const char *folder,
                          KymoDialogDone done, gpointer data)
{
  g_autoptr (GFile) first = g_file_new_for_path (folder);
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("In Which Folder"),
                      GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), done, data);

  gtk_file_chooser_set_current_folder (chooser, first, NULL);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* A filter for these endings, a NULL after the last, and one for all. */
static void
add_filters (GtkFileChooser *chooser, const char *name,
             const char *const *patterns)
{
  g_autoptr (GtkFileFilter) these = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (these, name);
  for (; *patterns != NULL; patterns++)
    gtk_file_filter_add_pattern (these, *patterns);
  gtk_file_filter_set_name (all, _("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, these);
  gtk_file_chooser_add_filter (chooser, all);
}

/**
 * kymo_dialog_open_file:
 * @patterns: (array zero-terminated=1): of the names of files of runs; other files can be shown too
 * @done: called with the path of the file; not called when the person cancels
 * @data: a GObject; held until the dialog goes
 *
 * Asks for a file of a run: a trace, a profile or a recording. Returns at once.
 */
void
kymo_dialog_open_file (GtkWindow *parent, const char *const *patterns, KymoDialogDone done,
                       gpointer data)
{
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Open a File of a Run"), GTK_FILE_CHOOSER_ACTION_OPEN,
                      _("_Open"), done, data);

  add_filters (chooser, _("Traces, profiles and recordings"), patterns);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/** kymo_dialog_open_tarball: of a server of Kymo, to be installed on another machine */
void
kymo_dialog_open_tarball (GtkWindow *parent, KymoDialogDone done, gpointer data)
{
  static const char *const patterns[] = { "kymo-server-*.tar.gz", NULL };
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Server to Install"), GTK_FILE_CHOOSER_ACTION_OPEN, _("_Install"),
                      done, data);

  add_filters (chooser, _("Servers (kymo-server-*.tar.gz)"), patterns);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/** kymo_dialog_open_names: an .sts, for the names of a stream */
void
kymo_dialog_open_names (GtkWindow *parent, KymoDialogDone done, gpointer data)
{
  static const char *const patterns[] = { "*.sts", "*.sts.gz", NULL };
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Names of Entry Methods"),
                      GTK_FILE_CHOOSER_ACTION_OPEN, _("_Choose"), done, data);

  add_filters (chooser, _("Names (.util.sts, .sts)"), patterns);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/** kymo_dialog_open_key: the keys of a server */
void
kymo_dialog_open_key (GtkWindow *parent, KymoDialogDone done, gpointer data)
{
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Key File of the Program"),
                      GTK_FILE_CHOOSER_ACTION_OPEN, _("_Choose"), done, data);

  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/** kymo_dialog_save_recording: @name: proposed file name */
void
kymo_dialog_save_recording (GtkWindow *parent, const char *title,
                            const char *name, KymoDialogDone done,
                            gpointer data)
{
  static const char *const patterns[] = { "*.kymostream", NULL };
  GtkFileChooser *chooser = choose_dialogs (parent, title, GTK_FILE_CHOOSER_ACTION_SAVE,
                                            _("_Save"), done, data);

  add_filters (chooser, _("Recordings (.kymostream)"), patterns);
  gtk_file_chooser_set_current_name (chooser, name);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/** kymo_dialog_save_bookmarks: @name: proposed file name; its ending tells the format */
void
kymo_dialog_save_bookmarks (GtkWindow *parent, const char *name, KymoDialogDone done,
                            gpointer data)
{
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Save Bookmarks (.csv or .json)"), GTK_FILE_CHOOSER_ACTION_SAVE,
                      _("_Save"), done, data);

  gtk_file_chooser_set_current_name (chooser, name);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/** kymo_dialog_save_desk: @name: proposed file name */
void
kymo_dialog_save_desk (GtkWindow *parent, const char *name, KymoDialogDone done,
                       gpointer data)
{
  static const char *const patterns[] = { "*.kymodesk", NULL };
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Save Desk"), GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), done, data);

  add_filters (chooser, _("Desks (.kymodesk)"), patterns);
  gtk_file_chooser_set_current_name (chooser, name);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/**
 * kymo_dialog_open_desk:
 * @done: called with the path of the file; not called when the person cancels
 * @data: a GObject; held until the dialog goes
 *
 * Asks for a file of a desk. Returns at once.
 */
void
kymo_dialog_open_desk (GtkWindow *parent, KymoDialogDone done, gpointer data)
{
  static const char *const patterns[] = { "*.kymodesk", NULL };
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Open Desk"), GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), done, data);

  add_filters (chooser, _("Desks (.kymodesk)"), patterns);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/** kymo_dialog_find_run: a folder, under a title that says of what */
void
kymo_dialog_find_run (GtkWindow *parent, const char *title, KymoDialogDone done,
                      gpointer data)
{
  GtkFileChooser *chooser
    = choose_dialogs (parent, title, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Open"), done, data);

  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/** kymo_dialog_save: @name: proposed file name; its ending tells the format */
void
kymo_dialog_save (GtkWindow *parent, const char *name, KymoDialogDone done,
                  gpointer data)
{
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Export View (.png, .svg, .pdf or .csv)"),
                      GTK_FILE_CHOOSER_ACTION_SAVE, _("_Export"), done, data);

  gtk_file_chooser_set_current_name (chooser, name);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/** kymo_dialog_save_records: @name: proposed file name; its ending tells the form */
void
kymo_dialog_save_records (GtkWindow *parent, const char *name, KymoDialogDone done,
                          gpointer data)
{
  static const char *const patterns[] = { "*.csv", "*.json", "*.txt", NULL };
  GtkFileChooser *chooser
    = choose_dialogs (parent, _("Save Records (.csv, .json or .txt)"), GTK_FILE_CHOOSER_ACTION_SAVE,
                      _("_Save"), done, data);

  add_filters (chooser, _("Lists of records (.csv, .json, .txt)"), patterns);
  gtk_file_chooser_set_current_name (chooser, name);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* -- text ----------------------------------------------------------------- */

static void
on_text_response (AdwMessageDialog *dialog, const char *response, Ask *ask)
{
  if (g_strcmp0 (response, "accept") == 0)
    ask->done (gtk_editable_get_text (GTK_EDITABLE (ask->entry)), ask->data);
}

/** kymo_dialog_ask_text: @text: what the entry holds at first */
void
kymo_dialog_ask_text (GtkWindow *parent, const char *title,
                      const char *explanation, const char *text,
                      const char *accept, KymoDialogDone done, gpointer data)
{
  Ask *ask = ask_new (done, data);
  GtkWidget *widget = adw_message_dialog_new (parent, title, explanation);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);

  ask->entry = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (ask->entry), text);
  gtk_entry_set_activates_default (GTK_ENTRY (ask->entry), TRUE);
  kymo_accessible_name (ask->entry, title);
  adw_message_dialog_set_extra_child (dialog, ask->entry);
  adw_message_dialog_add_responses (dialog, "cancel", _("_Cancel"), "accept",
                                    accept, NULL);
  adw_message_dialog_set_response_appearance (dialog, "accept",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "accept");
  adw_message_dialog_set_close_response (dialog, "cancel");
  present_dialogs (dialog, G_CALLBACK (on_text_response), ask);
  gtk_widget_grab_focus (ask->entry);
}

/* -- what is not saved ---------------------------------------------------- */

static void
on_unsaved_response (AdwMessageDialog *dialog, const char *response, Ask *ask)
{
  gboolean never = g_strcmp0 (response, "discard") == 0
                   && gtk_check_button_get_active (
                     GTK_CHECK_BUTTON (ask->entry));

  ask->done (never ? "never" : response, ask->data);
}

/**
 * kymo_dialogs_close_by_escape:
 * @window: a window that is a dialog
 *
 * Lets the key Escape close the window.
 */
void
kymo_dialogs_close_by_escape (GtkWindow *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                      gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (GTK_WIDGET (window), keys);
}

/**
 * kymo_dialog_ask_unsaved:
 * @explanation: a sentence about the part of the stream that is in no file
 * @done: called with "cancel", "save", "discard", or "never": discard, and do not ask again; not
 *   called when the dialog goes with its parent
 * @data: a GObject; held until the dialog goes
 *
 * Asks whether to save a stream before it is closed. Returns at once.
 */
void
kymo_dialog_ask_unsaved (GtkWindow *parent, const char *explanation,
                         KymoDialogDone done, gpointer data)
{
  Ask *ask = ask_new (done, data);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (
    parent, _("Save What Was Seen?"), explanation));

  ask->entry = gtk_check_button_new_with_label (_("Do not ask again"));
  gtk_widget_set_halign (ask->entry, GTK_ALIGN_CENTER);
  adw_message_dialog_set_extra_child (dialog, ask->entry);
  adw_message_dialog_add_responses (dialog, "cancel", _("_Cancel"), "discard",
                                    _("_Close"), "save", _("_Save…"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (dialog, "save",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "save");
  adw_message_dialog_set_close_response (dialog, "cancel");
  present_dialogs (dialog, G_CALLBACK (on_unsaved_response), ask);
}

/* A task says that it is completed on the thread that started it, after its callback; so
   neither the worker nor who wrote need know of the program. */

static void
unref_application (gpointer application, GClosure *closure)
{
  g_object_unref (application);
}

/** kymo_hold_for_task: nothing where no program of windows runs, as in tests of one widget */
void
kymo_hold_for_task (GTask *task)
{
  GApplication *application = g_application_get_default ();

  if (application == NULL)
    return;
  g_application_hold (application);
  g_signal_connect_data (task, "notify::completed", G_CALLBACK (g_application_release),
                         g_object_ref (application), unref_application, G_CONNECT_SWAPPED);
}
