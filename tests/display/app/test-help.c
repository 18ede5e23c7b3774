/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window of help: every view has its page, pages come out whole and without markup, a search
 * finds the best page and marks what was found, links and Back go through pages.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "desk.h"
#include "kymo-guide-text.h"
#include "kymo-help.h"
#include "kymo-places.h"
#include "kymo-view-groups.h"

#define MOST_TURNS 400
#define MARK "bgcolor"

static GtkWidget *
present_help (const char *page)
{
  kymo_help_present (NULL, page);
  return GTK_WIDGET (kymo_help_peek ());
}

/* What was typed is searched a moment later. */
static void
search_for (GtkWidget *window, const char *words)
{
  GtkWidget *entry = desk_find (window, GTK_TYPE_SEARCH_ENTRY, NULL);

  gtk_editable_set_text (GTK_EDITABLE (entry), words);
  g_signal_emit_by_name (entry, "search-changed");
}

/* (nullable): the first label of the page in which something is marked */
static GtkWidget *
find_marked (GtkWidget *window)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  desk_collect (window, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (strstr (gtk_label_get_label (labels->pdata[i]), MARK) != NULL)
      return labels->pdata[i];
  return NULL;
}

static guint
count_lines (GtkWidget *window)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  desk_collect (window, GTK_TYPE_LIST_BOX_ROW, rows);
  return rows->len;
}

static void
close_help (GtkWidget *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_null (kymo_help_peek ());
}

/* F1 in a view asks for the page with the name of its tab. */
static void
test_views (void)
{
  for (const KymoViewInfo *view = kymo_views; view->id != NULL; view++)
    {
      const char *page = kymo_view_tab_of (view->id);

      present_help (page);
      g_assert_cmpstr (kymo_help_get_page (), ==, page);
    }
  present_help ("no such page");
  g_assert_cmpstr (kymo_help_get_page (), ==, KYMO_HELP_START);
  close_help (GTK_WIDGET (kymo_help_peek ()));
}

static void
check_label (const KymoGuidePage *page, GtkLabel *label)
{
  static const char *const markup[] = { "**", "](", "`", "<span", "<a ", "&amp;", "|--", "##" };
  const char *text = gtk_label_get_text (label);

  for (guint i = 0; i < G_N_ELEMENTS (markup); i++)
    if (strstr (text, markup[i]) != NULL)
      g_error ("%s.md: “%s” is shown in “%s”", page->id, markup[i], text);
  if (*text == '\0')
    g_error ("%s.md: an empty label", page->id);
}

static void
ignore_link (const char *url, gpointer data)
{
}

static void
test_pages (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoGuide) guide = kymo_guide_new (KYMO_GUIDE_IN_TREE, &error);
  g_auto (GStrv) no_words = kymo_guide_split_words (" ");
  GPtrArray *pages;

  g_assert_no_error (error);
  pages = kymo_guide_peek_pages (guide);
  g_assert_cmpuint (pages->len, >, 20);
  for (guint i = 0; i < pages->len; i++)
    {
      const KymoGuidePage *page = pages->pdata[i];
      g_autoptr (GtkWidget) text
        = g_object_ref_sink (kymo_guide_text_new (page, no_words, ignore_link, NULL, NULL));
      g_autoptr (GPtrArray) labels = g_ptr_array_new (), pictures = g_ptr_array_new ();

      desk_collect (text, GTK_TYPE_LABEL, labels);
      desk_collect (text, GTK_TYPE_PICTURE, pictures);
      g_assert_cmpuint (pictures->len, >, 0);
      for (guint k = 0; k < labels->len; k++)
        check_label (page, labels->pdata[k]);
      for (guint k = 0; k < pictures->len; k++)
        {
          g_assert_nonnull (gtk_picture_get_paintable (pictures->pdata[k]));
          g_assert_cmpstr (gtk_picture_get_alternative_text (pictures->pdata[k]), !=, "");
        }
    }
}

static void
test_search (void)
{
  static const struct { const char *words, *page; } wanted[] = {
    { "critical path", "critical-path" }, { "HISTOGRAM", "histogram" }, { "memory limit", "large" },
    { "late sender", "waiting" }, { "colour-blind", "colors" }, { "icicle", "icicle" },
    { "login node", "remote" }, { "behind a login node", "attach" },
  };
  GtkWidget *window = present_help (NULL);
  guint all = count_lines (window);

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      search_for (window, wanted[i].words);
      g_assert_cmpstr (kymo_help_get_page (), ==, wanted[i].page);
      g_assert_nonnull (find_marked (window));
      g_assert_cmpuint (count_lines (window), <, all);
    }
  search_for (window, "no-such-word");
  g_assert_cmpuint (count_lines (window), ==, 0);
  search_for (window, "");
  g_assert_null (find_marked (window));
  g_assert_cmpuint (count_lines (window), ==, all);
  close_help (window);
}

/* What was found far down comes into view. */
static void
test_jump (void)
{
  GtkWidget *window = present_help ("waiting"), *label;
  g_autoptr (GPtrArray) scrolled = g_ptr_array_new ();
  GtkAdjustment *rows;

  search_for (window, "MPI_Isend");
  label = find_marked (window);
  g_assert_nonnull (label);
  desk_collect (window, GTK_TYPE_SCROLLED_WINDOW, scrolled);
  rows = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (label, GTK_TYPE_SCROLLED_WINDOW)));
  for (guint i = 0; i < MOST_TURNS && gtk_adjustment_get_value (rows) == 0; i++)
    desk_turn ();
  g_assert_cmpfloat (gtk_adjustment_get_value (rows), >, 0);
  close_help (window);
}

/* In the dark theme another picture of the same name is shown, at once. */
static void
check_theme (GtkPicture *picture)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  g_autofree char *light = g_file_get_path (gtk_picture_get_file (picture));
  g_autofree char *folder = g_path_get_dirname (light), *name = g_path_get_basename (light);
  g_autofree char *dark = g_build_filename (folder, "dark", name, NULL);

  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  g_assert_cmpstr (g_file_peek_path (gtk_picture_get_file (picture)), ==, dark);
  g_assert_nonnull (gtk_picture_get_paintable (picture));
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_DEFAULT);
  g_assert_cmpstr (g_file_peek_path (gtk_picture_get_file (picture)), ==, light);
}

/* In the window they are as wide as the text. */
static void
test_pictures (void)
{
  GtkWidget *window = present_help ("usage");
  g_autoptr (GPtrArray) pictures = g_ptr_array_new ();

  desk_collect (window, GTK_TYPE_PICTURE, pictures);
  g_assert_cmpuint (pictures->len, ==, 2);
  for (guint i = 0; i < MOST_TURNS && gtk_widget_get_width (pictures->pdata[1]) == 0; i++)
    desk_turn ();
  for (guint i = 0; i < pictures->len; i++)
    {
      g_assert_cmpint (gtk_widget_get_width (pictures->pdata[i]), >, 500);
      g_assert_cmpint (gtk_widget_get_height (pictures->pdata[i]), >, 300);
      check_theme (pictures->pdata[i]);
    }
  close_help (window);
}

/* Tab goes through all and comes round, in both directions. */
static void
test_tab (void)
{
  static const GtkDirectionType directions[] = { GTK_DIR_TAB_FORWARD, GTK_DIR_TAB_BACKWARD };
  GtkWidget *window = present_help ("attach");
  GtkWidget *entry = desk_find (window, GTK_TYPE_SEARCH_ENTRY, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    {
      guint n = 0;
      gboolean linked = FALSE;

      gtk_widget_grab_focus (entry);
      do
        {
          gtk_widget_child_focus (window, directions[i]);
          linked |= GTK_IS_LABEL (gtk_window_get_focus (GTK_WINDOW (window)));
        }
      while (++n < MOST_TURNS
             && (gtk_window_get_focus (GTK_WINDOW (window)) == NULL
                 || !gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), entry)));
      g_assert_cmpuint (n, <, MOST_TURNS);
      g_assert_true (linked);
    }
  close_help (window);
}

/* A link means a file: other documents have names of pages, too. */
static void
test_paths (void)
{
  g_autoptr (KymoGuide) guide = kymo_guide_new (KYMO_GUIDE_IN_TREE, NULL);
  const KymoGuidePage *desk = kymo_guide_find (guide, "desk");
  g_autofree char *page = kymo_guide_dup_path (desk, "../views/timeline.md#keys");
  g_autofree char *document = kymo_guide_dup_path (desk, "../../formats/desk.md");

  g_assert_true (kymo_guide_find_path (guide, page) == kymo_guide_find (guide, "timeline"));
  g_assert_null (kymo_guide_find_path (guide, document));
  g_assert_true (g_file_test (document, G_FILE_TEST_EXISTS));
}

static GtkWidget *
find_link (GtkWidget *window, const char *url)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  desk_collect (window, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (strstr (gtk_label_get_label (labels->pdata[i]), url) != NULL)
      return labels->pdata[i];
  g_assert_not_reached ();
}

static void
test_links (void)
{
  GtkWidget *window = present_help ("timeline");
  GtkWidget *back = desk_need (window, GTK_TYPE_BUTTON, "Back");
  const char *rows = "../tasks/rows.md";
  gboolean taken;

  g_assert_false (gtk_widget_get_sensitive (back));
  g_signal_emit_by_name (find_link (window, rows), "activate-link", rows, &taken);
  g_assert_true (taken);
  g_assert_cmpstr (kymo_help_get_page (), ==, "rows");
  search_for (window, "icicle");
  search_for (window, "icicle flame");
  g_signal_emit_by_name (back, "clicked");
  g_assert_cmpstr (kymo_help_get_page (), ==, "rows");
  g_signal_emit_by_name (back, "clicked");
  g_assert_cmpstr (kymo_help_get_page (), ==, "timeline");
  g_assert_false (gtk_widget_get_sensitive (back));
  close_help (window);
}

/* libcmark knows no tables. */
static void
test_table (void)
{
  g_autofree char *folder = g_dir_make_tmp ("kymo-help-XXXXXX", NULL);
  g_autofree char *index = g_build_filename (folder, "index.md", NULL);
  g_autofree char *path = g_build_filename (folder, "page.md", NULL);
  g_autoptr (KymoGuide) guide = NULL;
  g_autoptr (GtkWidget) text = NULL;
  g_auto (GStrv) words = kymo_guide_split_words ("two");
  GtkWidget *grid, *hit;

  g_file_set_contents (index, "* [Page](page.md)\n", -1, NULL);
  g_file_set_contents (path, "# Page\n\n| A | B |\n|---|---|\n| **one** | `two` & |\n", -1, NULL);
  guide = kymo_guide_new (folder, NULL);
  text = g_object_ref_sink (kymo_guide_text_new (kymo_guide_find (guide, "page"), words,
                                                 ignore_link, NULL, &hit));
  grid = desk_find (text, GTK_TYPE_GRID, NULL);
  g_assert_nonnull (grid);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), 0, 2))),
                   ==, "one");
  g_assert_true (gtk_grid_get_child_at (GTK_GRID (grid), 1, 2) == hit);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (hit)), ==, "two &");
  g_assert_null (gtk_grid_get_child_at (GTK_GRID (grid), 0, 1));
  g_unlink (index);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/help/views", test_views);
  g_test_add_func ("/help/pages", test_pages);
  g_test_add_func ("/help/search", test_search);
  g_test_add_func ("/help/pictures", test_pictures);
  g_test_add_func ("/help/jump", test_jump);
  g_test_add_func ("/help/tab", test_tab);
  g_test_add_func ("/help/links", test_links);
  g_test_add_func ("/help/paths", test_paths);
  g_test_add_func ("/help/table", test_table);
  return g_test_run ();
}
