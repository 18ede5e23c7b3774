/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window of keys: it speaks of the rows of the run, finds keys by what they do and by
 * their names, and is small with large text.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "desk.h"
#include "kymo-shortcut-row.h"
#include "kymo-shortcuts.h"

static GtkWindow *parent;

/* Titles of the rows that are to be seen, a line each. */
static char *
dup_titles (GtkWidget *window)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  GString *titles = g_string_new (NULL);

  desk_collect (window, KYMO_TYPE_SHORTCUT_ROW, rows);
  for (guint i = 0; i < rows->len; i++)
    {
      GtkWidget *group = gtk_widget_get_ancestor (rows->pdata[i], ADW_TYPE_PREFERENCES_GROUP);

      if (gtk_widget_get_visible (rows->pdata[i]) && gtk_widget_get_visible (group))
        g_string_append_printf (titles, "%s\n", adw_preferences_row_get_title (rows->pdata[i]));
    }
  return g_string_free (titles, FALSE);
}

static GtkWidget *
present (KymoRowTerm row, KymoCodeTerm code)
{
  GListModel *windows = gtk_window_get_toplevels ();

  kymo_shortcuts_present (parent, (KymoTerms) { row, code });
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (gtk_window_get_transient_for (window) == parent)
        return GTK_WIDGET (window);
    }
  g_assert_not_reached ();
}

/* What is found is told after a moment. */
static void
search (GtkWidget *window, const char *words)
{
  GtkWidget *entry = desk_find (window, GTK_TYPE_SEARCH_ENTRY, NULL);

  gtk_editable_set_text (GTK_EDITABLE (entry), words);
  g_signal_emit_by_name (entry, "search-changed");
}

static void
test_words (void)
{
  GtkWidget *window = present (KYMO_ROW_RANK, KYMO_CODE_FUNCTION);
  g_autofree char *all = dup_titles (window), *found = NULL;

  g_assert_nonnull (strstr (all, "Why ranks stick out"));
  g_assert_null (strchr (all, '{'));
  search (window, "ranks");
  found = dup_titles (window);
  g_assert_nonnull (strstr (found, "Choose none\n"));     /* by its heading */
  g_assert_null (strstr (found, "Critical path"));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_search (void)
{
  static const struct { const char *words, *titles; } wanted[] = {
    { "PATH critical", "Critical path of the run\n" },
    { "ctrl+shift+e", "Figures of all PEs, extrapolated\n" },
    { "no such thing", "" },
  };
  GtkWidget *window = present (KYMO_ROW_PE, KYMO_CODE_ENTRY_METHOD);
  GtkWidget *stack = desk_find (window, GTK_TYPE_STACK, NULL);
  g_autofree char *all = dup_titles (window), *again = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *titles = NULL;

      search (window, wanted[i].words);
      titles = dup_titles (window);
      g_assert_cmpstr (titles, ==, wanted[i].titles);
      g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==,
                       *wanted[i].titles != '\0' ? "page" : "none");
    }
  search (window, "");
  again = dup_titles (window);
  g_assert_cmpstr (again, ==, all);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* It scrolls; what it needs at least is a third of a small screen. */
static void
test_size (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  GtkWidget *window;
  int width, height, dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  window = present (KYMO_ROW_THREAD, KYMO_CODE_FUNCTION);
  gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (window, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
  g_assert_cmpint (width, <=, 800);
  g_assert_cmpint (height, <=, 320);
  gtk_window_get_default_size (GTK_WINDOW (window), &width, &height);
  g_assert_cmpint (width, <, 1024);
  g_assert_cmpint (height, <, 640);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

int
main (int argc, char **argv)
{
  int status;

  desk_init (&argc, &argv);
  parent = GTK_WINDOW (gtk_window_new ());
  gtk_window_set_default_size (parent, 1024, 640);
  gtk_window_present (parent);
  while (gtk_widget_get_width (GTK_WIDGET (parent)) < 1000)
    g_main_context_iteration (NULL, TRUE);
  g_test_add_func ("/shortcuts/words", test_words);
  g_test_add_func ("/shortcuts/search", test_search);
  g_test_add_func ("/shortcuts/size", test_size);
  status = g_test_run ();
  gtk_window_destroy (parent);
  return status;
}
