/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a window offers beside runs: the start page, and a run that was written.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#include "kymo-cache-pictures.h"
#include "kymo-compare-page.h"
#include "kymo-desk-comparison.h"
#include "kymo-figure-dialog.h"
#include "kymo-open.h"
#include "kymo-run-page.h"
#include "kymo-run-source.h"
#include "kymo-run-thumbnail.h"
#include "kymo-settings.h"
#include "kymo-window-private.h"

typedef gboolean (*Fits) (GtkWidget *widget, gconstpointer wanted);

static GtkWidget *
find (GtkWidget *top, Fits fits, gconstpointer wanted)
{
  GtkWidget *found = fits (top, wanted) ? top : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, fits, wanted);
  return found;
}

static gboolean
has_label (GtkWidget *widget, gconstpointer label)
{
  return GTK_IS_BUTTON (widget)
    && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static gboolean
has_tooltip (GtkWidget *widget, gconstpointer text)
{
  return g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) == 0;
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static KymoWindow *
open_window (void)
{
  KymoWindow *window = KYMO_WINDOW (kymo_window_new (NULL));

  gtk_window_present (GTK_WINDOW (window));
  settle ();
  return window;
}

/* A run that was written is offered until it is opened, whatever else is said meanwhile. */
static void
test_offer (void)
{
  KymoWindow *window = open_window ();
  GtkWidget *open = find (GTK_WIDGET (window), has_label, "Open _It");
  const char *path;

  g_assert_false (gtk_widget_get_mapped (open));
  kymo_window_offer (window, "38.6 kB written", "/nowhere/small");
  kymo_window_say (window, "Figures copied");
  settle ();
  g_assert_true (gtk_widget_get_mapped (open));
  path = g_variant_get_bytestring (gtk_actionable_get_action_target_value (
    GTK_ACTIONABLE (open)));
  g_assert_cmpstr (path, ==, "/nowhere/small");
  g_assert_cmpuint (adw_tab_view_get_n_pages (window->tabs), ==, 0);
  g_signal_emit_by_name (open, "clicked");
  settle ();
  g_assert_false (gtk_widget_get_mapped (open));
  g_assert_cmpuint (adw_tab_view_get_n_pages (window->tabs), ==, 1);
  kymo_window_offer (window, "38.6 kB written", "/nowhere/other");
  settle ();
  g_assert_true (gtk_widget_get_mapped (open));
  g_signal_emit_by_name (find (GTK_WIDGET (window), has_tooltip, "Do not open the written run"),
                         "clicked");
  settle ();
  g_assert_false (gtk_widget_get_mapped (open));
  gtk_window_destroy (GTK_WINDOW (window));
  settle ();
}

static gboolean
has_text (GtkWidget *widget, gconstpointer pattern)
{
  return GTK_IS_LABEL (widget)
    && g_regex_match_simple (pattern, gtk_label_get_text (GTK_LABEL (widget)), 0, 0);
}

static gboolean
is_row (GtkWidget *widget, gconstpointer nothing)
{
  return GTK_IS_LIST_BOX_ROW (widget);
}

static gboolean
is_picture (GtkWidget *widget, gconstpointer nothing)
{
  return GTK_IS_PICTURE (widget);
}

static GtkWidget *
wait_for (GtkWidget *top, Fits fits, gconstpointer wanted)
{
  gint64 until_us = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  GtkWidget *found;

  while ((found = find (top, fits, wanted)) == NULL && g_get_monotonic_time () < until_us)
    g_main_context_iteration (NULL, FALSE);
  g_assert_nonnull (found);
  return found;
}

static void
close_window (KymoWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  settle ();
}

static void
forget_all (void)
{
  g_settings_reset (kymo_settings_peek (), "recent-runs");
  kymo_cache_pictures_clear (NULL);
}

/* -- the start page -------------------------------------------------------- */

static void
test_empty (void)
{
  static const char *const ways[] = { "Open Folder…", "Attach to a Job…", "Compare Runs…",
                                      "Open the Sample", "Play the Sample Stream" };
  KymoWindow *window;

  forget_all ();
  window = open_window ();
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    g_assert_nonnull (find (window->welcome, has_label, ways[i]));
  g_assert_true (gtk_widget_is_sensitive (find (window->welcome, has_label, "Compare Runs…")));
  g_assert_nonnull (find (window->welcome, has_text, "Runs that you open are listed here"));
  g_assert_null (find (window->welcome, is_row, NULL));
  close_window (window);
}

static char *
data_path (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "..", name, NULL);

  return g_canonicalize_filename (path, NULL);
}

/* As a page does when it has read a run; waits for the file. */
static void
make_thumbnail (const char *path)
{
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (KymoRun) run = kymo_open_run (path, &options, NULL, NULL);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 0);
  g_autoptr (KymoSession) session = kymo_session_new (KYMO_SOURCE (source));
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");
  g_autoptr (KymoTable) info = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
  GBytes *made = NULL;

  kymo_run_thumbnail_make (session, path, info);
  while ((made = kymo_cache_pictures_get (path)) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_bytes_unref (made);
  kymo_settings_add_recent (path);
}

/* Some of the picture is painted, some of it lets the ground through. */
static void
check_picture (const char *path, const char *pattern)
{
  g_autoptr (KymoRunThumbnail) thumbnail = kymo_run_thumbnail_load (path);
  g_autofree char *words = kymo_run_thumbnail_dup_words (thumbnail);
  g_autofree guint32 *pixels = g_new (guint32, KYMO_THUMBNAIL_WIDTH * KYMO_THUMBNAIL_HEIGHT);
  guint n_painted = 0;

  g_assert_true (g_regex_match_simple (pattern, words, 0, 0));
  gdk_texture_download (thumbnail->picture, (guchar *) pixels, KYMO_THUMBNAIL_WIDTH * 4);
  for (guint i = 0; i < KYMO_THUMBNAIL_WIDTH * KYMO_THUMBNAIL_HEIGHT; i++)
    n_painted += pixels[i] != 0;
  g_assert_cmpuint (n_painted, >, KYMO_THUMBNAIL_WIDTH * KYMO_THUMBNAIL_HEIGHT / 20);
  g_assert_cmpuint (n_painted, <, KYMO_THUMBNAIL_WIDTH * KYMO_THUMBNAIL_HEIGHT);
}

/* What is known of a run stands in its row; one that is gone says so and can be taken off, by its
   button and by the key. */
static void
test_recent (void)
{
  g_autofree char *sample = data_path ("data/sample");
  g_autofree char *profile = data_path ("tests/data/tau/flat-stencil-4");
  KymoWindow *window;
  GtkWidget *gone, *list, *row;

  forget_all ();
  kymo_settings_add_recent ("/nowhere/of a very long name & more");
  kymo_settings_add_recent ("/nowhere/other");
  make_thumbnail (profile);
  make_thumbnail (sample);
  check_picture (profile, "^Profile · 4 ranks");
  check_picture (sample, "^Trace · 8 PEs · 21 Nov 2026, ");
  window = open_window ();
  wait_for (window->welcome, has_text, "^Trace · 8 PEs · 21 Nov 2026, ");
  wait_for (window->welcome, is_picture, NULL);
  gone = wait_for (window->welcome, has_text, "^Not there any more$");
  row = gtk_widget_get_ancestor (gone, GTK_TYPE_LIST_BOX_ROW);
  list = gtk_widget_get_parent (row);
  g_assert_false (gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (row)));
  g_assert_true (gtk_list_box_row_get_activatable (gtk_list_box_get_row_at_index (
    GTK_LIST_BOX (list), 0)));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == gtk_widget_get_first_child (list));
  g_signal_emit_by_name (find (row, has_tooltip, "Take off the List (Delete)"), "clicked");
  g_signal_emit_by_name (find (gtk_widget_get_first_child (list), has_tooltip,
                               "Take off the List (Delete)"), "clicked");
  settle ();
  {
    g_auto (GStrv) left = kymo_settings_dup_recent ();

    g_assert_cmpuint (g_strv_length (left), ==, 2);
    g_assert_cmpstr (left[0], ==, profile);
  }
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == gtk_widget_get_first_child (list));
  /* As Enter does. */
  g_signal_emit_by_name (gtk_widget_get_first_child (list), "activate");
  settle ();
  g_assert_cmpint (adw_tab_view_get_n_pages (window->tabs), ==, 1);
  g_assert_cmpstr (kymo_page_get_path (kymo_window_get_page (window)), ==, profile);
  close_window (window);
}

/* Many are kept, and no more pictures than so many. */
static void
test_many (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("picture", 7);
  guint n_left = 0;

  forget_all ();
  for (guint i = 0; i < KYMO_CACHE_MOST_PICTURES + 6; i++)
    {
      g_autofree char *path = g_strdup_printf ("/nowhere/%u", i);

      kymo_settings_add_recent (path);
      g_assert_true (kymo_cache_pictures_put (path, bytes, NULL));
    }
  for (guint i = 0; i < KYMO_CACHE_MOST_PICTURES + 6; i++)
    {
      g_autofree char *path = g_strdup_printf ("/nowhere/%u", i);
      g_autoptr (GBytes) kept = kymo_cache_pictures_get (path);

      n_left += kept != NULL;
      if (i >= KYMO_CACHE_MOST_PICTURES)
        g_assert_nonnull (kept);
    }
  g_assert_cmpuint (n_left, ==, KYMO_CACHE_MOST_PICTURES);
  {
    g_auto (GStrv) recent = kymo_settings_dup_recent ();

    g_assert_cmpuint (g_strv_length (recent), ==, 40);
  }
  forget_all ();
  g_assert_null (kymo_cache_pictures_get ("/nowhere/69"));
}

/* -- several at once ------------------------------------------------------- */

static AdwMessageDialog *
find_question (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window))
        return ADW_MESSAGE_DIALOG (window);
    }
  return NULL;
}

static void
answer_question (const char *label)
{
  g_signal_emit_by_name (find (GTK_WIDGET (find_question ()), has_label, label), "clicked");
  settle ();
}

static void
drop (KymoWindow *window, const char *const *names)
{
  GValue dropped = G_VALUE_INIT;
  GSList *files = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path = data_path (names[i]);

      files = g_slist_append (files, g_file_new_for_path (path));
    }
  g_value_init (&dropped, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&dropped, files);
  kymo_window_take_dropped (window, &dropped);
  g_value_unset (&dropped);
  g_slist_free_full (files, g_object_unref);
  settle ();
}

static GtkWidget *
front (KymoWindow *window)
{
  return GTK_WIDGET (kymo_window_get_page (window));
}

static gboolean
is_comparison (GtkWidget *widget, gconstpointer nothing)
{
  return KYMO_IS_COMPARE_VIEW (widget);
}

/* A picture of a comparison is exported by the dialog for figures, too. */
static void
check_figure (KymoWindow *window)
{
  GtkWidget *dialog = NULL;
  GListModel *windows = gtk_window_get_toplevels ();

  wait_for (front (window), is_comparison, NULL);
  settle ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.export", NULL);
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) other = g_list_model_get_item (windows, i);

      if (g_strcmp0 (gtk_window_get_title (GTK_WINDOW (other)), "Export Figure") == 0)
        dialog = other;
    }
  g_assert_nonnull (dialog);
  g_assert_true (g_str_has_prefix (kymo_figure_dialog_peek_command (GTK_WINDOW (dialog)),
                                   "kymo-cli export timeline "));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* One is opened; of several it is asked. */
static void
test_dropped (void)
{
  static const char *const one[] = { "data/sample", NULL };
  static const char *const two[] = { "data/sample", "tests/data/feat-p4-text", NULL };
  KymoWindow *window = open_window ();

  drop (window, one);
  g_assert_null (find_question ());
  g_assert_cmpint (adw_tab_view_get_n_pages (window->tabs), ==, 1);
  drop (window, two);
  g_assert_cmpstr (adw_message_dialog_get_heading (find_question ()), ==, "Compare 2 Runs?");
  g_assert_cmpstr (adw_message_dialog_get_body (find_question ()), ==, "sample, feat-p4-text");
  answer_question ("Cancel");
  g_assert_null (find_question ());
  g_assert_cmpint (adw_tab_view_get_n_pages (window->tabs), ==, 1);
  drop (window, two);
  answer_question ("Open Each");
  g_assert_cmpint (adw_tab_view_get_n_pages (window->tabs), ==, 2);
  g_assert_true (KYMO_IS_RUN_PAGE (front (window)));
  drop (window, two);
  answer_question ("Compare");
  g_assert_cmpint (adw_tab_view_get_n_pages (window->tabs), ==, 3);
  g_assert_true (KYMO_IS_COMPARE_PAGE (front (window)));
  check_figure (window);
  close_window (window);
}

/* What is watched is listed above a stream. */
static void
test_watched (void)
{
  g_autofree char *path = data_path ("tests/data/streams/leanmd-p6.kymostream");
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);
  g_autoptr (GPtrArray) conditions =
    g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_condition_free);
  KymoWindow *window = open_window ();
  GtkWidget *page = kymo_feed_page_new (feed), *change;

  kymo_window_add_page (window, page);
  settle ();
  change = find (page, has_label, "Change…");
  kymo_feed_page_set_conditions (KYMO_FEED_PAGE (page), conditions);
  g_assert_false (gtk_widget_get_mapped (change));
  g_ptr_array_add (conditions, kymo_condition_parse ("below 20% for 5s", NULL));
  g_ptr_array_add (conditions, kymo_condition_parse ("above 80% for 3s Cell::run", NULL));
  g_ptr_array_add (conditions, kymo_condition_parse ("silent 10s", NULL));
  kymo_feed_page_set_conditions (KYMO_FEED_PAGE (page), conditions);
  settle ();
  g_assert_true (gtk_widget_get_mapped (change));
  g_assert_nonnull (find (page, has_text, "^Watched: utilization below 20.0 % for 5 s · Cell::run "
                          "above 80.0 % for 3 s · no new block for 10 s$"));
  close_window (window);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

/* -- iterations over each other --------------------------------------------- */

/* No iteration counts what follows it. */
static void
assert_own_ranges (KymoCompareView *view)
{
  g_autofree char *line = kymo_compare_view_dup_command (view);

  g_assert_nonnull (strstr (line, " --range-of 0=1200000000ns..1210000000ns"
                                  " --range-of 1=1500000000ns..1530000000ns"));
}

/* A desk opens the same comparison again. */
static void
assert_kept (KymoPage *page)
{
  g_autoptr (KymoDesk) desk = kymo_compare_page_dup_desk (KYMO_COMPARE_PAGE (page), NULL);
  g_autofree char *text = kymo_desk_to_text (desk);
  g_autoptr (KymoDesk) again = kymo_desk_parse (text, strlen (text), NULL);
  const KymoDeskRun *run = again->comparison->runs->pdata[1];

  g_assert_cmpstr (run->title, ==, "Iteration 7");
  g_assert_cmpint (run->stretch.begin_ns, ==, 1500000000);
  g_assert_cmpint (run->stretch.end_ns, ==, 1530000000);
}

/* The run in front with itself: each stretch begins where the first one does, and as much is to
   be seen as the longest one is. */
static void
test_overlaid (void)
{
  KymoWindow *window = open_window ();
  g_autofree char *path = data_path ("data/sample");
  GVariant *spans = g_variant_new_parsed ("[('Iteration 3', int64 1200000000, int64 1210000000),"
                                          " ('Iteration 7', 1500000000, 1530000000)]");
  KymoCompareView *view = NULL;
  KymoSession *session;
  KymoPage *page;

  kymo_window_open_path (window, path);
  while (kymo_window_get_view (window) == NULL
         || kymo_page_is_loading (kymo_window_get_page (window)))
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_activate_action_variant (GTK_WIDGET (window), "win.overlay-spans", spans);
  page = kymo_window_get_page (window);
  g_assert_true (KYMO_IS_COMPARE_PAGE (page));
  while ((view = kymo_compare_page_peek_view (KYMO_COMPARE_PAGE (page))) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (kymo_page_get_title (page), ==, "Iteration 3 against Iteration 7");
  g_assert_cmpstr (kymo_compare_view_get_page (view), ==, "time");
  session = kymo_compare_view_peek_session (view);
  g_assert_cmpint (kymo_session_get_range (session).begin_ns, ==, 1200000000);
  g_assert_cmpint (kymo_session_get_range (session).end_ns, ==, 1230000000);
  wait_for (GTK_WIDGET (page), has_text,
            "^0[.0]* ms – 30[.0]* ms \\(30[.0]* ms of 30[.0]* ms\\)$");
  session = kymo_session_coupling_peek (kymo_compare_view_peek_coupling (view), 2);
  g_assert_cmpint (kymo_session_get_range (session).begin_ns, ==, 1500000000);
  g_assert_cmpint (kymo_session_get_range (session).end_ns, ==, 1530000000);
  g_assert_cmpint (kymo_session_get_stretch (session).end_ns, ==, 1530000000);
  g_assert_nonnull (find (GTK_WIDGET (page), has_text, "Aligned at the start"));
  assert_own_ranges (view);
  assert_kept (page);
  close_window (window);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("kymo-start-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/start/empty", test_empty);
  g_test_add_func ("/start/recent", test_recent);
  g_test_add_func ("/start/many", test_many);
  g_test_add_func ("/start/dropped", test_dropped);
  g_test_add_func ("/start/watched", test_watched);
  g_test_add_func ("/start/overlaid", test_overlaid);
  g_test_add_func ("/start/offer", test_offer);
  status = g_test_run ();
  remove_tree (cache);
  return status;
}
