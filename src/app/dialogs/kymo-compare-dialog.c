/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "kymo-compare-dialog.h"
#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-dialogs.h"
#include "kymo-formats.h"
#include "kymo-page.h"
#include "kymo-place.h"
#include "kymo-remote-address.h"

#define WIDTH_PX 560
#define HEIGHT_PX 520

/* What a drop down says, and what of it a choice has. */
enum { APART, OF_A, OF_BEFORE };

typedef struct
{
  GtkWidget *row, *check, *role;
  char      *path;
  gboolean   recent;                   /* and may be gone */
} Line;

typedef struct
{
  GtkWindow      *window;
  GtkWidget      *stack, *page, *added, *address, *accept;
  GPtrArray      *lines;               /* Line */
  gboolean        adds;                /* to a comparison that is there */
  gboolean        begins;              /* one, without an A */
  KymoCompareDone done;
  GObject        *data;
} Dialog;

static void
line_free (gpointer data)
{
  Line *line = data;

  g_free (line->path);
  g_free (line);
}

static void
dialog_free (gpointer data)
{
  Dialog *dialog = data;

  g_ptr_array_unref (dialog->lines);
  g_object_unref (dialog->data);
  g_free (dialog);
}

static gboolean
is_chosen (const Line *line)
{
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (line->check));
}

/* Something has to be there that is no repeat of A, or is already. Without an A the first that is
   chosen becomes it. */
static void
review_compare_dialog (Dialog *dialog)
{
  gboolean enough = FALSE, has_a = !dialog->begins;

  gtk_stack_set_visible_child_name (GTK_STACK (dialog->stack),
                                    dialog->lines->len > 0 ? "runs" : "none");
  for (guint i = 0; i < dialog->lines->len; i++)
    {
      Line *line = dialog->lines->pdata[i];

      gtk_widget_set_sensitive (line->role, is_chosen (line));
      enough |= is_chosen (line) && has_a
                && (dialog->adds || kymo_controls_chosen (line->role) == APART);
      has_a |= is_chosen (line);
    }
  gtk_widget_set_sensitive (dialog->accept, enough);
}

static void
on_changed (GtkWidget *widget, GParamSpec *pspec, Dialog *dialog)
{
  review_compare_dialog (dialog);
}

static gboolean
is_listed (Dialog *dialog, const char *path)
{
  for (guint i = 0; i < dialog->lines->len; i++)
    if (g_str_equal (((Line *) dialog->lines->pdata[i])->path, path))
      return TRUE;
  return FALSE;
}

static GtkWidget *
new_role (void)
{
  const char *const roles[] = { _("a run of its own"), _("a repeat of A"),
                                _("a repeat of the run above"), NULL };
  GtkWidget *role = gtk_drop_down_new_from_strings (roles);

  gtk_widget_set_valign (role, GTK_ALIGN_CENTER);
  kymo_controls_name (role, _("What this run is"));
  return role;
}

static Line *
add_line (Dialog *dialog, GtkWidget *group, const char *path, gboolean chosen)
{
  Line *line = g_new0 (Line, 1);
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *title = kymo_page_dup_markup (name);
  g_autofree char *valid = kymo_page_dup_markup (path);

  line->path = g_strdup (path);
  line->row = row;
  line->check = gtk_check_button_new ();
  line->role = new_role ();
  gtk_check_button_set_active (GTK_CHECK_BUTTON (line->check), chosen);
  gtk_widget_set_valign (line->check, GTK_ALIGN_CENTER);
  kymo_accessible_name (line->check, title);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), valid);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), line->check);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), line->role);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), line->check);
  g_signal_connect (line->check, "notify::active", G_CALLBACK (on_changed), dialog);
  g_signal_connect (line->role, "notify::selected", G_CALLBACK (on_changed), dialog);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_ptr_array_add (dialog->lines, line);
  return line;
}

static GtkWidget *
add_group (Dialog *dialog, const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (dialog->page),
                            ADW_PREFERENCES_GROUP (group));
  return group;
}

static void
add_paths (Dialog *dialog, const char *title, const char *base,
           const char *const *paths, gboolean first)
{
  GtkWidget *group = NULL;

  for (guint i = 0; paths[i] != NULL; i++)
    if (!is_listed (dialog, paths[i]) && g_strcmp0 (paths[i], base) != 0)
      {
        if (group == NULL)
          group = add_group (dialog, title);
        /* The one other tab is most likely meant. */
        add_line (dialog, group, paths[i], first && i == 0 && paths[1] == NULL)->recent = !first;
      }
}

/* -- recent runs ---------------------------------------------------------- */

/* Of a list of paths those that are not there; other machines are not asked. One after the other:
   of many on a file server that hangs one thread hangs. */
static void
look_thread (GTask *task, gpointer window, gpointer paths, GCancellable *cancellable)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (char **path = paths; *path != NULL; path++)
    if (!kymo_place_is_far (*path) && !g_file_test (*path, G_FILE_TEST_EXISTS))
      g_strv_builder_add (builder, *path);
  g_task_return_pointer (task, g_strv_builder_end (builder), (GDestroyNotify) g_strfreev);
}

/* Runs that are gone leave the list, but for what is chosen: to open it tells why it cannot be. */
static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  GWeakRef *weak = data;
  g_autoptr (GObject) window = g_weak_ref_get (weak);
  Dialog *dialog = window != NULL ? g_object_get_data (window, "dialog") : NULL;
  g_auto (GStrv) missing = g_task_propagate_pointer (G_TASK (result), NULL);

  g_weak_ref_clear (weak);
  g_free (weak);
  for (guint i = dialog != NULL ? dialog->lines->len : 0; i-- > 0;)
    {
      Line *line = dialog->lines->pdata[i];

      if (!line->recent || is_chosen (line)
          || !g_strv_contains ((const char *const *) missing, line->path))
        continue;
      gtk_widget_set_visible (line->row, FALSE);
      g_ptr_array_remove_index (dialog->lines, i);
    }
  if (dialog != NULL)
    review_compare_dialog (dialog);
}

/* Not here: a folder on a dead file server would hang the window. */
static void
look_for (Dialog *dialog, const char *const *paths)
{
  GWeakRef *weak = g_new0 (GWeakRef, 1);
  g_autoptr (GTask) task = NULL;

  g_weak_ref_init (weak, dialog->window);
  task = g_task_new (NULL, NULL, on_looked, weak);
  g_task_set_task_data (task, g_strdupv ((char **) paths), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, look_thread);
}

/* -- folders and files ---------------------------------------------------- */

static void
on_path (const char *path, gpointer data)
{
  Dialog *dialog = g_object_get_data (data, "dialog");

  if (is_listed (dialog, path))
    return;
  if (dialog->added == NULL)
    dialog->added = add_group (dialog, _("Added"));
  add_line (dialog, dialog->added, path, TRUE);
  review_compare_dialog (dialog);
}

static void
on_folder (Dialog *dialog)
{
  kymo_dialog_open_folder (dialog->window, on_path, dialog->window);
}

static void
on_file (Dialog *dialog)
{
  g_auto (GStrv) patterns = kymo_formats_dup_globs ();

  kymo_dialog_open_file (dialog->window, (const char *const *) patterns, on_path, dialog->window);
}

/* -- the end -------------------------------------------------------------- */

static void
on_accept (Dialog *dialog)
{
  g_autoptr (GArray) choices = g_array_new (FALSE, TRUE, sizeof (KymoCompareChoice));
  g_autoptr (GObject) data = g_object_ref (dialog->data);
  g_autoptr (GtkWindow) window = g_object_ref (dialog->window);

  for (guint i = 0; i < dialog->lines->len; i++)
    {
      Line *line = dialog->lines->pdata[i];
      guint role = kymo_controls_chosen (line->role);
      KymoCompareChoice choice = { line->path, role == OF_A ? 0 : role == OF_BEFORE ? 1 : -1 };

      if (is_chosen (line))
        g_array_append_val (choices, choice);
    }
  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  dialog->done ((KymoCompareChoice *) (gpointer) choices->data, choices->len, data);
  gtk_window_destroy (window);
}

static GtkWidget *
build_header (Dialog *dialog)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_("_Cancel"));

  kymo_controls_speak (cancel, _("_Cancel"));
  dialog->accept = gtk_button_new_with_mnemonic (_("_Compare"));
  kymo_controls_speak (dialog->accept, _("_Compare"));
  gtk_widget_add_css_class (dialog->accept, "suggested-action");
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_close),
                            dialog->window);
  g_signal_connect_swapped (dialog->accept, "clicked", G_CALLBACK (on_accept), dialog);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), dialog->accept);
  return header;
}

/* (transfer full) (nullable): a path of this machine that was typed or pasted: whole, below the
   home folder, or as an address of a file */
static char *
dup_path_here (const char *text)
{
  if (g_str_has_prefix (text, "~/"))
    return g_build_filename (g_get_home_dir (), text + 2, NULL);
  return g_path_is_absolute (text) ? g_canonicalize_filename (text, NULL)
         : g_filename_from_uri (text, NULL, NULL);
}

/* An address that cannot be one stays to be mended. Enter after the last one compares. */
static void
on_address (GtkEntry *entry, Dialog *dialog)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
  g_autofree char *path = dup_path_here (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRemoteAddress) address = NULL;

  if (*text == '\0' && gtk_widget_get_sensitive (dialog->accept))
    {
      on_accept (dialog);
      return;
    }
  if (path != NULL)
    {
      on_path (path, dialog->window);
      gtk_editable_set_text (GTK_EDITABLE (entry), "");
      return;
    }
  address = kymo_remote_address_parse (text, &error);

  gtk_widget_set_tooltip_text (GTK_WIDGET (entry), address == NULL ? error->message : NULL);
  if (address == NULL)
    {
      gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
      return;
    }
  on_path (text, dialog->window);
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
}

static void
on_address_changed (GtkWidget *entry)
{
  gtk_widget_remove_css_class (entry, "error");
}

static GtkWidget *
new_address (Dialog *dialog)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _("/PATH or ssh://HOST/PATH"));
  gtk_entry_set_input_hints (GTK_ENTRY (entry), GTK_INPUT_HINT_NO_SPELLCHECK);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 30);
  kymo_controls_name (entry, _("Path of a run, or address of one on another machine"));
  g_signal_connect (entry, "activate", G_CALLBACK (on_address), dialog);
  g_signal_connect (entry, "changed", G_CALLBACK (on_address_changed), NULL);
  return entry;
}

static GtkWidget *
build_more (Dialog *dialog)
{
  GtkWidget *box = kymo_controls_new ();
  GtkWidget *folder = kymo_controls_add_button (box, _("Add _Folder…"),
                                                _("The folder of another run"));
  GtkWidget *file = kymo_controls_add_button (box, _("Add F_ile…"),
                                              _("A file of another run"));

  g_signal_connect_swapped (folder, "clicked", G_CALLBACK (on_folder), dialog);
  g_signal_connect_swapped (file, "clicked", G_CALLBACK (on_file), dialog);
  dialog->address = new_address (dialog);
  gtk_box_append (GTK_BOX (box), dialog->address);
  return box;
}

/* What is said where no other run is known, and the way out. */
static GtkWidget *
build_none (Dialog *dialog)
{
  GtkWidget *status = adw_status_page_new ();
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Add the Folder of Another Run…"));

  kymo_controls_speak (button, _("_Add the Folder of Another Run…"));
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "pill");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_folder), dialog);
  adw_status_page_set_title (ADW_STATUS_PAGE (status), _("No Other Run Is Known Yet"));
  adw_status_page_set_description (
    ADW_STATUS_PAGE (status),
    _("Runs that are open in other tabs, or were opened before, are listed here."));
  adw_status_page_set_child (ADW_STATUS_PAGE (status), button);
  gtk_widget_add_css_class (status, "compact");
  return status;
}

static GtkWidget *
build_stack (Dialog *dialog)
{
  dialog->stack = gtk_stack_new ();
  dialog->page = adw_preferences_page_new ();
  gtk_stack_add_named (GTK_STACK (dialog->stack), dialog->page, "runs");
  gtk_stack_add_named (GTK_STACK (dialog->stack), build_none (dialog), "none");
  gtk_widget_set_vexpand (dialog->stack, TRUE);
  return dialog->stack;
}

static gboolean
close_window (GtkWidget *window, GVariant *args, gpointer data)
{
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

static void
add_escape (GtkWindow *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                      gtk_callback_action_new (close_window, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (window), keys);
}

/**
 * kymo_compare_dialog_present:
 * @base: (nullable): path of A, "" where the first that is chosen becomes it; %NULL to add to a
 *   comparison
 * @open: (array zero-terminated=1): paths of runs in tabs
 * @recent: (array zero-terminated=1): paths of runs that were opened before; those that are not
 *   there any more leave the list a moment later
 * @data: for @done
 */
GtkWindow *
kymo_compare_dialog_present (GtkWindow *parent, const char *base,
                             const char *const *open, const char *const *recent,
                             KymoCompareDone done, GObject *data)
{
  Dialog *dialog = g_new0 (Dialog, 1);
  GtkWidget *window = adw_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  dialog->window = GTK_WINDOW (window);
  dialog->lines = g_ptr_array_new_with_free_func (line_free);
  dialog->done = done;
  dialog->data = g_object_ref (data);
  g_object_set_data_full (G_OBJECT (window), "dialog", dialog, dialog_free);
  gtk_window_set_title (dialog->window, base != NULL && *base == 0 ? _("Compare Runs")
                        : _("Compare With"));
  gtk_window_set_modal (dialog->window, TRUE);
  gtk_window_set_transient_for (dialog->window, parent);
  gtk_window_set_default_size (dialog->window, WIDTH_PX, HEIGHT_PX);
  gtk_box_append (GTK_BOX (box), build_header (dialog));
  gtk_box_append (GTK_BOX (box), build_stack (dialog));
  dialog->adds = base == NULL;
  dialog->begins = base != NULL && *base == 0;
  add_paths (dialog, _("Open in Tabs"), base, open, TRUE);
  add_paths (dialog, _("Recent Runs"), base, recent, FALSE);
  look_for (dialog, recent);
  gtk_box_append (GTK_BOX (box), build_more (dialog));
  adw_window_set_content (ADW_WINDOW (window), box);
  add_escape (dialog->window);
  gtk_window_set_default_widget (dialog->window, dialog->accept);
  review_compare_dialog (dialog);
  /* Else Cancel, the first button, has the keyboard, and Enter. */
  gtk_widget_grab_focus (gtk_widget_get_sensitive (dialog->accept) ? dialog->accept
                         : dialog->lines->len == 0 ? dialog->address : dialog->stack);
  gtk_window_present (dialog->window);
  return dialog->window;
}
