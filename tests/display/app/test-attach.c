/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog that asks for a job, what is remembered of it, and the names
 * that are found by themselves.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#include "kymo-attach-dialog.h"
#include "kymo-condition.h"
#include "kymo-names-beside.h"
#include "kymo-settings.h"
#include "kymo-stream-settings.h"

/* -- names ---------------------------------------------------------------- */

static void
put (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
}

static void
drop (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_remove (path), ==, 0);
}

/* What is found beside @name of @folder (NULL: the folder) has to be
   @wanted. */
static void
check_names (const char *folder, const char *name, const char *wanted)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *found = kymo_names_beside_find (path);
  g_autofree char *base = found != NULL ? g_path_get_basename (found) : NULL;

  g_assert_cmpstr (base, ==, wanted);
}

static void
test_names (void)
{
  g_autofree char *folder = g_dir_make_tmp ("kymo-names-XXXXXX", NULL);

  check_names (folder, NULL, NULL);
  put (folder, "leanmd.proj.sts");
  put (folder, "leanmd.proj.0.log");
  check_names (folder, NULL, "leanmd.proj.sts");
  put (folder, "leanmd.util.sts");
  check_names (folder, NULL, "leanmd.util.sts");
  check_names (folder, "leanmd.proj.0.log", "leanmd.util.sts");
  /* Of two programs the one that the run is of, and none for a folder. */
  put (folder, "load.util.sts");
  put (folder, "load.proj.sts");
  check_names (folder, "load.proj.sts", "load.util.sts");
  check_names (folder, "leanmd-2.kymostream", NULL);
  check_names (folder, NULL, NULL);
  check_names (folder, "nothing/there", NULL);
  for (guint i = 0; i < 5; i++)
    drop (folder, (const char *[]) { "leanmd.proj.sts", "leanmd.proj.0.log",
                                     "leanmd.util.sts", "load.util.sts",
                                     "load.proj.sts" }[i]);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* -- what is remembered --------------------------------------------------- */

static void
add_target (const char *address, const char *through, const char *names)
{
  g_autoptr (KymoAttachChoice) choice
    = kymo_attach_choice_new (address, through, NULL, names);

  kymo_stream_settings_add_target (choice);
}

static void
test_targets (void)
{
  g_autoptr (GPtrArray) targets = NULL;
  const KymoAttachChoice *newest;

  g_settings_reset (kymo_settings_peek (), "attach-targets");
  for (guint i = 0; i < 12; i++)
    {
      g_autofree char *address = g_strdup_printf ("node%u:4711", i);

      add_target (address, NULL, NULL);
    }
  add_target ("node5:4711", NULL, "/tmp/\xff.sts");
  add_target ("node5:4711", "me@login", NULL);
  targets = kymo_stream_settings_dup_targets ();
  g_assert_cmpuint (targets->len, ==, 10);
  newest = targets->pdata[0];
  g_assert_cmpstr (newest->address, ==, "node5:4711");
  g_assert_cmpstr (newest->through, ==, "me@login");
  newest = targets->pdata[1];
  g_assert_cmpstr (newest->names, ==, "/tmp/\xff.sts");
  for (guint i = 2; i < targets->len; i++)
    g_assert_cmpstr (((KymoAttachChoice *) targets->pdata[i])->address, !=,
                     "node5:4711");
}

static void
test_conditions (void)
{
  g_autoptr (GPtrArray) conditions = g_ptr_array_new_with_free_func (
    (GDestroyNotify) kymo_condition_free);
  g_autoptr (GPtrArray) again = NULL;
  const char *words[] = { "below 20% for 5s", "rubbish", NULL };

  g_ptr_array_add (conditions, kymo_condition_new (
    KYMO_CONDITION_ABOVE, 0.8, 3 * G_GINT64_CONSTANT (1000000000),
    "Cell::run"));
  g_ptr_array_add (conditions, kymo_condition_new (
    KYMO_CONDITION_SILENT, 0, 10 * G_GINT64_CONSTANT (1000000000), NULL));
  kymo_stream_settings_set_conditions (conditions);
  again = kymo_stream_settings_dup_conditions ();
  g_assert_cmpuint (again->len, ==, 2);
  g_assert_cmpstr (((KymoCondition *) again->pdata[0])->name, ==, "Cell::run");
  g_assert_cmpint (((KymoCondition *) again->pdata[1])->kind, ==,
                   KYMO_CONDITION_SILENT);
  /* One that cannot be read is no reason to lose the others. */
  g_settings_set_strv (kymo_settings_peek (), "stream-conditions", words);
  g_clear_pointer (&again, g_ptr_array_unref);
  again = kymo_stream_settings_dup_conditions ();
  g_assert_cmpuint (again->len, ==, 1);
}

/* -- the dialog ----------------------------------------------------------- */

static GtkWidget *
find_widget (GtkWidget *top, GType type, const char *css_class)
{
  if (g_type_is_a (G_OBJECT_TYPE (top), type)
      && (css_class == NULL || gtk_widget_has_css_class (top, css_class)))
    return top;
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type, css_class);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkWidget *
find_dialog (GtkWidget *parent)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *item = windows; item != NULL; item = item->next)
    if (gtk_window_get_transient_for (item->data) == GTK_WINDOW (parent))
      return item->data;
  return NULL;
}

static void
on_done (const KymoAttachChoice *choice, gpointer data)
{
  g_object_set_data_full (data, "address", g_strdup (choice->address), g_free);
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* What is wrong is told while it is typed; Attach waits for a target. */
static void
test_typed (void)
{
  static const char *const no_paths[] = { NULL };
  GtkWidget *parent = gtk_window_new (), *dialog, *entry, *attach;

  g_object_ref (parent);
  gtk_window_present (GTK_WINDOW (parent));
  kymo_attach_dialog_present (GTK_WINDOW (parent), NULL, no_paths, on_done,
                              parent);
  settle ();
  dialog = find_dialog (parent);
  g_assert_nonnull (dialog);
  entry = find_widget (dialog, ADW_TYPE_ENTRY_ROW, NULL);
  attach = find_widget (dialog, GTK_TYPE_BUTTON, "suggested-action");
  g_assert_false (gtk_widget_get_sensitive (attach));
  g_assert_null (find_widget (dialog, GTK_TYPE_LABEL, "error"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "node17");
  g_assert_nonnull (find_widget (dialog, GTK_TYPE_LABEL, "error"));
  g_assert_false (gtk_widget_get_sensitive (attach));
  gtk_editable_set_text (GTK_EDITABLE (entry), " node17:4711 ");
  g_assert_null (find_widget (dialog, GTK_TYPE_LABEL, "error"));
  g_assert_true (gtk_widget_get_sensitive (attach));
  g_signal_emit_by_name (attach, "clicked");
  settle ();
  g_assert_cmpstr (g_object_get_data (G_OBJECT (parent), "address"), ==,
                   "node17:4711");
  g_assert_null (find_dialog (parent));
  gtk_window_destroy (GTK_WINDOW (parent));
  g_object_unref (parent);
}

/* A job that was used is one click off, with all that belonged to it. */
static void
test_used (void)
{
  static const char *const no_paths[] = { NULL };
  GtkWidget *parent = gtk_window_new (), *dialog, *entry, *row;

  g_settings_reset (kymo_settings_peek (), "attach-targets");
  add_target ("ssh://me@login:4711", NULL, NULL);
  gtk_window_present (GTK_WINDOW (parent));
  kymo_attach_dialog_present (GTK_WINDOW (parent), NULL, no_paths, on_done,
                              parent);
  settle ();
  dialog = find_dialog (parent);
  entry = find_widget (dialog, ADW_TYPE_ENTRY_ROW, NULL);
  row = find_widget (dialog, ADW_TYPE_ACTION_ROW, "kymo-used");
  g_assert_nonnull (row);
  g_signal_emit_by_name (row, "activated");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==,
                   "ssh://me@login:4711");
  gtk_window_destroy (GTK_WINDOW (parent));
  settle ();
}

/* The row of the dialog with that title, or NULL. */
static GtkWidget *
find_row (GtkWidget *top, const char *title)
{
  if (ADW_IS_ACTION_ROW (top)
      && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (top)), title) == 0)
    return top;
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_row (child, title);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
says (GtkWidget *top, const char *words)
{
  if (GTK_IS_LABEL (top) && strstr (gtk_label_get_text (GTK_LABEL (top)), words) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (says (child, words))
      return TRUE;
  return FALSE;
}

/* An ssh that says this instead of going anywhere. */
static void
make_ssh (const char *folder, const char *script)
{
  g_autofree char *path = g_build_filename (folder, "ssh", NULL);
  g_autofree char *text = g_strconcat ("#!/bin/sh\n", script, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
}

static void
ask_far (GtkWidget *dialog)
{
  GtkWidget *entry = find_widget (dialog, ADW_TYPE_ENTRY_ROW, NULL);
  GtkWidget *attach = find_widget (dialog, GTK_TYPE_BUTTON, "suggested-action");

  gtk_editable_set_text (GTK_EDITABLE (entry), "ssh://me@far");
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (attach)), ==, "List Jobs");
  g_assert_true (gtk_widget_get_sensitive (attach));
  g_signal_emit_by_name (attach, "clicked");
}

/* A machine without a port lists its jobs; one of them is one click off. */
static void
test_far (void)
{
  static const char *const no_paths[] = { NULL };
  g_autofree char *folder = g_dir_make_tmp ("kymo-far-XXXXXX", NULL);
  g_autofree char *script = g_build_filename (folder, "ssh", NULL);
  g_autofree char *before = g_strdup (g_getenv ("PATH"));
  g_autofree char *path = g_strdup_printf ("%s:%s", folder, before);
  GtkWidget *parent = gtk_window_new (), *dialog, *row;

  g_object_ref (parent);
  g_setenv ("PATH", path, TRUE);
  gtk_window_present (GTK_WINDOW (parent));
  kymo_attach_dialog_present (GTK_WINDOW (parent), NULL, no_paths, on_done, parent);
  dialog = find_dialog (parent);
  make_ssh (folder, "echo 'Permission denied <here>' >&2\nexit 255\n");
  ask_far (dialog);
  while (!says (dialog, "Permission denied <here>"))
    g_main_context_iteration (NULL, TRUE);
  make_ssh (folder, "echo Welcome\n"
            "printf 'job\\tx\\n'\n"
            "printf 'job\\t/r\\t/p/far%%20ring\\t8\\t127.0.0.1:41083\\tn17\\t42'\n"
            "printf '\\t/s\\t1000000\\n'\n");
  ask_far (dialog);
  while ((row = find_row (dialog, "far ring")) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (says (dialog, "Running Jobs on me@far"));
  g_assert_true (says (dialog, "8 ranks since"));
  g_signal_emit_by_name (row, "activated");
  settle ();
  g_assert_cmpstr (g_object_get_data (G_OBJECT (parent), "address"), ==, "ssh://me@far:41083");
  g_assert_null (find_dialog (parent));
  g_setenv ("PATH", before, TRUE);
  gtk_window_destroy (GTK_WINDOW (parent));
  g_object_unref (parent);
  g_unlink (script);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  if (kymo_settings_peek () == NULL)
    g_error ("the settings of the build tree are not found");
  g_test_add_func ("/attach/names", test_names);
  g_test_add_func ("/attach/targets", test_targets);
  g_test_add_func ("/attach/conditions", test_conditions);
  g_test_add_func ("/attach/typed", test_typed);
  g_test_add_func ("/attach/used", test_used);
  g_test_add_func ("/attach/far", test_far);
  return g_test_run ();
}
