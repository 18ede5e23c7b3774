/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog of roles: functions of a run with their roles, another role chosen, rules
 * that are none, saving, and taking one's own rules away.
 *
 * Needs a display, and a folder of its own for settings.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "desk.h"
#include "kymo-roles-dialog.h"
#include "kymo-roles.h"
#include "kymo-run-source.h"
#include "program.h"

#define MOST_TURNS 400

static KymoSession *
new_session_told (gint role)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoRunSource) source = NULL;
  Program p;

  program_init (&p, 2);
  program_begin (&p, 0, 0, PROGRAM_MAIN);
  program_call (&p, 0, PROGRAM_SEND, 10000, 30000, 1, -1);
  program_call (&p, 1, PROGRAM_RECV, 10000, 40000, -1, 0);
  run = program_end (&p, 100000);
  g_array_index (run->activities, KymoActivity, PROGRAM_MAIN).told_role = role;
  source = kymo_run_source_new (run, 1);
  return kymo_session_new (KYMO_SOURCE (source));
}

static KymoSession *
new_session (void)
{
  return new_session_told (-1);
}

/* The row of a function, once it is there. */
static GtkDropDown *
drop_of (GtkWindow *window, const char *name)
{
  for (guint i = 0; i < MOST_TURNS; i++)
    {
      g_autoptr (GPtrArray) rows = g_ptr_array_new (), drops = g_ptr_array_new ();

      desk_collect (GTK_WIDGET (window), ADW_TYPE_ACTION_ROW, rows);
      for (guint k = 0; k < rows->len; k++)
        if (g_strcmp0 (adw_preferences_row_get_title (rows->pdata[k]), name) == 0)
          desk_collect (rows->pdata[k], GTK_TYPE_DROP_DOWN, drops);
      if (drops->len == 1)
        return drops->pdata[0];
      desk_turn ();
    }
  g_assert_not_reached ();
}

static GtkWidget *
button_of (GtkWindow *window, const char *label)
{
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();

  desk_collect (GTK_WIDGET (window), GTK_TYPE_BUTTON, buttons);
  for (guint i = 0; i < buttons->len; i++)
    if (g_strcmp0 (gtk_button_get_label (buttons->pdata[i]), label) == 0)
      return buttons->pdata[i];
  g_assert_not_reached ();
}

static GtkTextBuffer *
text_of (GtkWindow *window)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  desk_collect (GTK_WIDGET (window), GTK_TYPE_TEXT_VIEW, texts);
  g_assert_cmpuint (texts->len, ==, 1);
  return gtk_text_view_get_buffer (texts->pdata[0]);
}

static const char *
word_of (GtkDropDown *drop)
{
  return gtk_string_object_get_string (gtk_drop_down_get_selected_item (drop));
}

static void
test_choose (void)
{
  g_autoptr (KymoSession) session = new_session ();
  GtkWindow *window = kymo_roles_dialog_present (NULL, session);
  g_autofree char *rules = NULL, *left = NULL;
  gboolean own = FALSE;

  g_assert_cmpstr (word_of (drop_of (window, "MPI_Send()")), ==, "Communication");
  g_assert_cmpstr (word_of (drop_of (window, "main")), ==, "Compute");
  g_assert_false (gtk_widget_get_sensitive (button_of (window, "_Built-in Rules")));
  gtk_drop_down_set_selected (drop_of (window, "main"), 4);
  g_signal_emit_by_name (button_of (window, "_Save"), "clicked");
  rules = kymo_roles_dup_rules (&own);
  g_assert_true (own);
  g_assert_true (g_str_has_prefix (rules, "io main\n"));
  window = kymo_roles_dialog_present (NULL, session);
  g_assert_cmpstr (word_of (drop_of (window, "main")), ==, "Input, output");
  g_signal_emit_by_name (button_of (window, "_Built-in Rules"), "clicked");
  left = kymo_roles_dup_rules (&own);
  g_assert_false (own);
}

static const char *
subtitle_of (GtkDropDown *drop)
{
  return adw_action_row_get_subtitle (ADW_ACTION_ROW (gtk_widget_get_ancestor (
    GTK_WIDGET (drop), ADW_TYPE_ACTION_ROW)));
}

/* A role of the files counts before the built-in rules, and a rule of one's own before it. */
static void
test_told (void)
{
  g_autoptr (KymoSession) session = new_session_told (KYMO_ROLE_RUNTIME);
  GtkWindow *window = kymo_roles_dialog_present (NULL, session);
  gboolean own = FALSE;
  g_autofree char *rules = kymo_roles_dup_rules (&own);
  g_autofree char *with = g_strconcat ("wait main\n", rules, NULL);

  g_assert_cmpstr (word_of (drop_of (window, "main")), ==, "Runtime");
  g_assert_cmpstr (subtitle_of (drop_of (window, "main")), ==, "As the file says: Runtime");
  g_assert_cmpstr (subtitle_of (drop_of (window, "MPI_Send()")), ==, "");
  gtk_text_buffer_set_text (text_of (window), with, -1);
  g_assert_cmpstr (word_of (drop_of (window, "main")), ==, "Wait");
  g_assert_cmpstr (subtitle_of (drop_of (window, "main")), ==,
                   "The file says: Runtime. Your rule counts.");
  gtk_window_destroy (window);
}

static void
test_bad_rules (void)
{
  g_autoptr (KymoSession) session = new_session ();
  GtkWindow *window = kymo_roles_dialog_present (NULL, session);

  drop_of (window, "main");
  gtk_text_buffer_set_text (text_of (window), "wait main\nno rule at all", -1);
  g_assert_false (gtk_widget_get_sensitive (button_of (window, "_Save")));
  gtk_text_buffer_set_text (text_of (window), "wait main\n", -1);
  g_assert_true (gtk_widget_get_sensitive (button_of (window, "_Save")));
  g_assert_cmpstr (word_of (drop_of (window, "main")), ==, "Wait");
  g_assert_cmpstr (word_of (drop_of (window, "MPI_Send()")), ==, "Compute");
  gtk_window_destroy (window);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("kymo-roles-XXXXXX", NULL);
  g_autofree char *own = g_build_filename (folder, "kymo", NULL);
  int status;

  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  desk_init (&argc, &argv);
  g_test_add_func ("/roles-dialog/choose", test_choose);
  g_test_add_func ("/roles-dialog/told", test_told);
  g_test_add_func ("/roles-dialog/bad-rules", test_bad_rules);
  status = g_test_run ();
  g_rmdir (own);
  g_rmdir (folder);
  return status;
}
