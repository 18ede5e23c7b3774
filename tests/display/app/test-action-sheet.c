/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a job can be told to do: values are asked for and checked as they are typed, what cannot be
 * done is grey with the reason, and what is confirmed is given as the job reads it.
 */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "kymo-action-words.h"
#include "kymo-actions-dialog.h"

static KymoJobAction *
parse_action (const char *line)
{
  g_auto (GStrv) fields = kymo_job_line_split (line, strlen (line));
  KymoJobAction *action = kymo_job_action_parse ((const char *const *) fields);

  g_assert_nonnull (action);
  return action;
}

/* -- words ---------------------------------------------------------------- */

static void
test_values (void)
{
  g_autoptr (KymoJobAction) action = parse_action (
    "action\tset:x\tx\tprogram\tn=integer:-9007199254740993:9007199254740993:9007199254740993\t"
    "x=real:0:1:0.1\tfor=time:10000000:3600000000000:5000000000\tranks=ranks:4\ttext=text:4\t"
    "how=choice:b:a|b");
  static const struct { const char *key, *text; gboolean fine; } cases[] = {
    { "n", "9007199254740993", TRUE }, { "n", "9007199254740994", FALSE }, { "n", "1.5", FALSE },
    { "n", "", FALSE }, { "x", "0.25", TRUE }, { "x", "1e-3", TRUE }, { "x", "2", FALSE },
    { "x", "nan", FALSE }, { "for", "2s", TRUE }, { "for", "1ms", FALSE }, { "for", "x", FALSE },
    { "ranks", "0-2,3", TRUE }, { "ranks", "4", FALSE }, { "ranks", "", FALSE },
    { "ranks", "2-9", FALSE }, { "text", "abcd", TRUE }, { "text", "abcde", FALSE },
    { "text", "", FALSE }, { "how", "a", TRUE }, { "how", "c", FALSE },
  };
  static const struct { const char *key, *now; } present[] = {
    { "n", "9007199254740993" }, { "x", "0.1" }, { "for", "5s" }, { "how", "b" }, { "ranks", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const KymoJobArgument *argument = kymo_job_action_find (action, cases[i].key);

      g_test_message ("%s %s", cases[i].key, cases[i].text);
      g_assert_cmpint (kymo_action_is_value (argument, cases[i].text), ==, cases[i].fine);
    }
  for (guint i = 0; i < G_N_ELEMENTS (present); i++)
    {
      g_autofree char *now = kymo_action_dup_now (kymo_job_action_find (action, present[i].key));

      g_assert_cmpstr (now, ==, present[i].now);
    }
}

/* -- the sheet -------------------------------------------------------------- */

static GtkWidget *
find_dialog (GtkWidget *parent)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *item = windows; item != NULL; item = item->next)
    if (gtk_window_get_transient_for (item->data) == GTK_WINDOW (parent))
      return item->data;
  return NULL;
}

/* The row below @top whose title begins so. */
static GtkWidget *
find_row (GtkWidget *top, const char *title)
{
  if (ADW_IS_PREFERENCES_ROW (top)
      && g_str_has_prefix (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (top)), title))
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

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
on_confirmed (const char *name, const char *const *arguments, gpointer data)
{
  g_autofree char *all = g_strjoinv (" ", (char **) arguments);

  g_object_set_data_full (data, "told", g_strdup_printf ("%s %s", name, all), g_free);
}

static void
test_sheet (void)
{
  g_autoptr (KymoJobAction) action = parse_action (
    "action\ttrace\tTrace\tlong\tranks=ranks:4\tidlest=integer:1:4:1\tbusiest=integer:1:4:1\t"
    "for=time:10000000:3600000000000:5000000000");
  KymoJobInfo info = { .program = (char *) "/a/program", .n_ranks = 4 };
  GtkWidget *parent = gtk_window_new (), *dialog, *ways, *ranks;
  AdwMessageDialog *sheet;

  g_object_ref (parent);
  gtk_window_present (GTK_WINDOW (parent));
  kymo_action_sheet_present (GTK_WINDOW (parent), &info, action, on_confirmed, G_OBJECT (parent));
  settle ();
  dialog = find_dialog (parent);
  sheet = ADW_MESSAGE_DIALOG (dialog);
  ways = find_row (dialog, "Which");
  ranks = find_row (dialog, "Ranks");
  g_assert_true (adw_message_dialog_get_response_enabled (sheet, "do"));
  g_assert_false (gtk_widget_get_visible (ranks));
  adw_combo_row_set_selected (ADW_COMBO_ROW (ways), 0);
  g_assert_true (gtk_widget_get_visible (ranks));
  g_assert_false (adw_message_dialog_get_response_enabled (sheet, "do"));
  gtk_editable_set_text (GTK_EDITABLE (ranks), " 1,3 ");
  g_assert_true (adw_message_dialog_get_response_enabled (sheet, "do"));
  gtk_editable_set_text (GTK_EDITABLE (find_row (dialog, "Time")), "1ms");
  g_assert_false (adw_message_dialog_get_response_enabled (sheet, "do"));
  gtk_editable_set_text (GTK_EDITABLE (find_row (dialog, "Time")), "2s");
  adw_message_dialog_response (sheet, "do");
  g_assert_cmpstr (g_object_get_data (G_OBJECT (parent), "told"), ==, "trace ranks=1,3 for=2s");
  gtk_window_destroy (GTK_WINDOW (parent));
  settle ();
  g_object_unref (parent);
}

/* Without a job all that jobs offer is there, and why it cannot be done. */
static void
test_refused (void)
{
  GtkWidget *parent = gtk_window_new (), *dialog;
  const KymoActionWords *words;

  g_object_ref (parent);
  gtk_window_present (GTK_WINDOW (parent));
  kymo_actions_dialog_present (GTK_WINDOW (parent), NULL, "It takes no orders", on_confirmed,
                               G_OBJECT (parent));
  settle ();
  dialog = find_dialog (parent);
  for (guint i = 0; (words = kymo_action_words_at (i)) != NULL; i++)
    {
      GtkWidget *row = find_row (dialog, words->title);

      g_assert_nonnull (row);
      g_assert_false (gtk_widget_get_sensitive (row));
      g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==,
                       "It takes no orders");
    }
  gtk_window_destroy (GTK_WINDOW (parent));
  settle ();
  g_object_unref (parent);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/action-sheet/values", test_values);
  g_test_add_func ("/action-sheet/sheet", test_sheet);
  g_test_add_func ("/action-sheet/refused", test_refused);
  return g_test_run ();
}
