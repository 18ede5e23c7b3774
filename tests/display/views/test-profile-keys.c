/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views of profiles in a run view: which call paths are shown, what their names
 * lack, controls in a narrow window, and pictures of boxes by keys alone.
 *
 * Needs a display.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-figure-table.h"
#include "kymo-path-choice.h"
#include "kymo-profile-bar.h"
#include "kymo-profile-picture.h"
#include "kymo-session-profile.h"
#include "profile-desk.h"

/* -- paths ---------------------------------------------------------------- */

/* The most arrows that a name of the table has. */
static guint
most_arrows (ProfileDesk *desk)
{
  g_auto (GStrv) lines = profile_desk_lines (desk);
  guint most = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *name = profile_desk_cell (lines[i], 0);
      g_auto (GStrv) parts = g_strsplit (name, " => ", -1);

      most = MAX (most, g_strv_length (parts) - 1);
    }
  return most;
}

static GtkWidget *
ways_of (ProfileDesk *desk)
{
  GtkWidget *choice = desk_need (GTK_WIDGET (desk->table),
                                 KYMO_TYPE_PATH_CHOICE, NULL);

  g_assert_true (gtk_widget_get_visible (choice));
  return GTK_WIDGET (gtk_menu_button_get_popover (
    GTK_MENU_BUTTON (gtk_widget_get_first_child (choice))));
}

static const char *
option (ProfileDesk *desk, const char *key)
{
  return kymo_session_peek_option (desk->session, key);
}

/* The last functions, so many levels, and whole paths again: one at a time. */
static void
test_paths (ProfileDesk *desk, gconstpointer data)
{
  GtkWidget *ways, *number;
  guint whole;

  profile_desk_show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "paths");
  profile_desk_settle (desk);
  whole = most_arrows (desk);
  g_assert_cmpuint (whole, >, 2);
  ways = ways_of (desk);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (
    desk_need (ways, GTK_TYPE_CHECK_BUTTON, "Paths end with the function and begin this "
                            "many callers above")), TRUE);
  g_assert_cmpstr (option (desk, "callpath-depth"), ==, "2");
  profile_desk_settle (desk);
  g_assert_cmpuint (most_arrows (desk), ==, 1);
  number = desk_need (ways, GTK_TYPE_SPIN_BUTTON,
                      "What lies deeper belongs to the last function shown");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (number), 2);
  g_assert_null (option (desk, "callpath-depth"));
  g_assert_cmpstr (option (desk, "depth-limit"), ==, "2");
  kymo_table_view_set_mode (desk->table, "tree");
  profile_desk_settle (desk);
  {
    g_autoptr (KymoTable) tree = desk_ask (desk->source, "calltree",
                                           "depth-limit", "2");
    KymoTable *nodes = kymo_table_peek_nested (tree, "nodes", NULL);
    g_auto (GStrv) lines = profile_desk_lines (desk);

    g_assert_cmpuint (g_strv_length (lines), ==, kymo_table_get_n_rows (nodes));
  }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (
    desk_need (ways, GTK_TYPE_CHECK_BUTTON, "From the root to the function")), TRUE);
  g_assert_null (option (desk, "depth-limit"));
  kymo_table_view_set_mode (desk->table, "paths");
  profile_desk_settle (desk);
  g_assert_cmpuint (most_arrows (desk), ==, whole);
}

/* Paths that were measured are cut to levels, and no other way. */
static void
test_measured_paths (ProfileDesk *desk, gconstpointer data)
{
  GtkWidget *ways;

  profile_desk_show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "tree");
  profile_desk_settle (desk);
  ways = ways_of (desk);
  desk_need (ways, GTK_TYPE_CHECK_BUTTON, "What lies deeper belongs to the last function shown");
  g_assert_null (desk_find (ways, GTK_TYPE_CHECK_BUTTON,
                            "Paths end with the function and begin this "
                            "many callers above"));
  kymo_table_view_set_mode (desk->table, "flat");
  g_assert_false (gtk_widget_get_visible (desk_find (
    GTK_WIDGET (desk->table), KYMO_TYPE_PATH_CHOICE, NULL)));
}

/* Whether a label of the table that is to be seen says that. */
static gboolean
is_told (ProfileDesk *desk, const char *words)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  desk_collect (GTK_WIDGET (desk->table), GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (gtk_widget_get_mapped (labels->pdata[i])
        && g_strcmp0 (gtk_label_get_text (labels->pdata[i]), words) == 0)
      return TRUE;
  return FALSE;
}

/* A path without its begin says so. */
static void
test_cut (ProfileDesk *desk, gconstpointer data)
{
  profile_desk_show (desk, "thread-table");
  g_assert_false (is_told (desk, "cut"));
  kymo_table_view_set_mode (desk->table, "paths");
  profile_desk_settle (desk);
  WAIT_FOR (is_told (desk, "cut"));
}

static int
height_at (GtkWidget *widget, int width)
{
  int height;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, NULL, &height,
                      NULL, NULL);
  return height;
}

/* Controls take more rows where there is no room for them, and make no window wider. */
static void
test_narrow (ProfileDesk *desk, gconstpointer data)
{
  GtkWidget *bar, *row;
  int least, wide;

  profile_desk_show (desk, "thread-table");
  bar = desk_need (GTK_WIDGET (desk->table), KYMO_TYPE_PROFILE_BAR, NULL);
  row = gtk_widget_get_first_child (bar);
  gtk_widget_measure (bar, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wide, NULL,
                      NULL);
  g_assert_cmpint (least, <, 300);
  g_assert_cmpint (wide, >, 500);
  g_assert_cmpint (height_at (row, wide), <, height_at (row, wide - 8));
  g_assert_cmpint (height_at (row, wide / 2), <=, height_at (row, wide / 4));
}

/* -- keys ----------------------------------------------------------------- */

/* Keys say what the pointer would: down to a callee, into it, and back up. */
static void
test_icicle_keys (ProfileDesk *desk, gconstpointer data)
{
  KymoCanvas *icicle = profile_desk_canvas (desk, "icicle");
  g_autoptr (KymoTable) tree = desk_ask (desk->source, "calltree", "of", "mean");
  KymoTable *nodes = kymo_table_peek_nested (tree, "nodes", NULL);
  const char *root = kymo_table_get_string (nodes, "name", 0);
  const char *child = kymo_table_get_string (nodes, "name", 1);
  g_autofree char *path = g_strdup_printf ("%s => %s", root, child);

  profile_desk_show (desk, "icicle");
  g_assert_true (desk_press (icicle, GDK_KEY_Down, 0));
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==, root);
  g_assert_true (desk_press (icicle, GDK_KEY_Down, 0));
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==, child);
  g_assert_cmpstr (kymo_canvas_peek_hit_path (icicle), ==, path);
  g_assert_true (desk_press (icicle, GDK_KEY_Return, 0));
  g_assert_cmpstr (kymo_canvas_peek_focus_path (icicle), ==, path);
  /* the same box, wherever it lies now */
  g_assert_cmpstr (kymo_canvas_peek_hit_path (icicle), ==, path);
  g_assert_true (desk_press (icicle, GDK_KEY_Escape, 0));
  g_assert_cmpstr (kymo_canvas_peek_focus_path (icicle), ==, root);
  g_assert_true (desk_press (icicle, GDK_KEY_Escape, 0));
  g_assert_null (kymo_canvas_peek_focus_path (icicle));
  g_assert_cmpstr (kymo_canvas_peek_hit_path (icicle), ==, path);
  g_assert_true (desk_press (icicle, GDK_KEY_Up, 0));
  g_assert_cmpstr (kymo_canvas_peek_hit_path (icicle), ==, root);
  /* Another unit is of the same nodes, other paths are other nodes. */
  kymo_canvas_set_focus_path (icicle, path);
  kymo_session_set_option (desk->session, "unit", "ms");
  g_assert_cmpstr (kymo_canvas_peek_focus_path (icicle), ==, path);
  kymo_session_set_option (desk->session, "depth-limit", "1");
  g_assert_null (kymo_canvas_peek_focus_path (icicle));
}

/* Where the first box lies within what is to be seen of a picture. */
static gboolean
shows_root (KymoCanvas *canvas)
{
  g_autoptr (GArray) boxes = kymo_canvas_dup_boxes (canvas);
  const KymoRect *rect = &g_array_index (boxes, KymoPlotBox, 0).rect;
  KymoRect area = kymo_canvas_get_area (canvas);

  return rect->y >= area.y - 0.5 && rect->y + rect->height <= area.y + area.height + 0.5;
}

static void
show_levels (ProfileDesk *desk, KymoCanvas *canvas, const char *root, const char *focus)
{
  KymoTable *answer = kymo_canvas_peek_answer (canvas);

  kymo_canvas_set_parameter (canvas, "root", root);
  kymo_canvas_set_parameter (canvas, "focus", focus);
  WAIT_FOR (kymo_canvas_peek_answer (canvas) != answer && kymo_canvas_is_settled (canvas));
}

/* A tree higher than its picture is seen from its root: at the top, at the bottom, or between
   callers and callees; then from where a person scrolls to. */
static void
test_root_in_sight (ProfileDesk *desk, gconstpointer data)
{
  KymoCanvas *canvas = KYMO_CANVAS (kymo_canvas_new (kymo_plot_find ("icicle"), desk->session));
  GtkWidget *window = desk_present (GTK_WIDGET (canvas), 500, 150);
  GtkAdjustment *scroll = kymo_canvas_get_vadjustment (canvas);

  WAIT_FOR (kymo_canvas_is_settled (canvas));
  g_assert_cmpfloat (gtk_adjustment_get_upper (scroll), >,
                     2 * gtk_adjustment_get_page_size (scroll));
  g_assert_true (shows_root (canvas));
  g_assert_cmpfloat (gtk_adjustment_get_value (scroll), ==, 0);
  show_levels (desk, canvas, "bottom", NULL);
  g_assert_true (shows_root (canvas));
  g_assert_cmpfloat (gtk_adjustment_get_value (scroll), >, 0);
  show_levels (desk, canvas, "bottom", "level 09");
  g_assert_true (shows_root (canvas));
  gtk_adjustment_set_value (scroll, 0);
  kymo_session_set_option (desk->session, "unit", "ms");
  for (guint i = 0; i < 10; i++)
    desk_turn ();
  WAIT_FOR (kymo_canvas_is_settled (canvas));
  g_assert_cmpfloat (gtk_adjustment_get_value (scroll), ==, 0);
  show_levels (desk, canvas, NULL, NULL);
  g_assert_true (shows_root (canvas));
  desk_clear_window (&window);
}

/* One function alone in icicle and call tree: by its key, from one to the next, and back. */
static void
test_focus (ProfileDesk *desk, gconstpointer data)
{
  KymoCanvas *icicle = profile_desk_canvas (desk, "icicle");
  GtkWidget *picture = gtk_widget_get_ancestor (GTK_WIDGET (icicle), KYMO_TYPE_PROFILE_PICTURE);
  KymoTable *answer;

  profile_desk_show (desk, "icicle");
  gtk_widget_grab_focus (GTK_WIDGET (icicle));
  g_assert_false (desk_press (picture, GDK_KEY_Escape, 0));
  kymo_session_set_function (desk->session, "MPI_Barrier()");
  g_assert_true (desk_press (picture, GDK_KEY_i, 0));
  g_assert_cmpstr (option (desk, "focus"), ==, "MPI_Barrier()");
  profile_desk_settle (desk);
  answer = kymo_canvas_peek_answer (icicle);
  g_assert_cmpstr (kymo_table_get_string (answer, "focus", 0), ==, "MPI_Barrier()");
  /* Its callers stand above it, as many levels as there are; it is the first box. */
  g_assert_true (desk_press (icicle, GDK_KEY_Home, 0));
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==, "MPI_Barrier()");
  g_assert_true (desk_press (icicle, GDK_KEY_End, 0));
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==, ".TAU application");
  /* A double click goes on to who calls it. */
  g_signal_emit_by_name (icicle, "activated", "level 09", (gint64) -1);
  g_assert_cmpstr (option (desk, "focus"), ==, "level 09");
  profile_desk_show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "tree");
  profile_desk_settle (desk);
  {
    g_auto (GStrv) lines = profile_desk_lines (desk);
    g_autofree char *first = profile_desk_cell (lines[0], 0);

    g_assert_cmpstr (first, ==, "level 09");
  }
  gtk_widget_grab_focus (GTK_WIDGET (kymo_table_view_peek_table (desk->table)));
  g_assert_true (desk_press (desk->table, GDK_KEY_Escape, 0));
  g_assert_null (option (desk, "focus"));
}

/* The menu of the call tree, of the line that keys have chosen, as of the icicle. */
static void
test_menu (ProfileDesk *desk, gconstpointer data)
{
  GtkWidget *table, *view;
  g_auto (GStrv) lines = NULL;
  g_autofree char *name = NULL;

  profile_desk_show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "tree");
  profile_desk_settle (desk);
  lines = profile_desk_lines (desk);
  name = profile_desk_cell (lines[2], 0);
  g_strchug (name);
  table = desk_need (GTK_WIDGET (desk->table), KYMO_TYPE_FIGURE_TABLE, NULL);
  view = desk_need (table, GTK_TYPE_COLUMN_VIEW, NULL);
  g_assert_null (desk_find (table, GTK_TYPE_POPOVER_MENU, NULL));
  gtk_single_selection_set_selected (
    GTK_SINGLE_SELECTION (gtk_column_view_get_model (GTK_COLUMN_VIEW (view))), 2);
  g_assert_true (desk_press (view, GDK_KEY_Menu, 0));
  g_assert_true (gtk_widget_get_mapped (desk_need (table, GTK_TYPE_POPOVER_MENU, NULL)));
  g_assert_true (gtk_widget_activate_action (table, "figure.focus", NULL));
  g_assert_cmpstr (option (desk, "focus"), ==, name);
  profile_desk_settle (desk);
  g_assert_true (desk_press (view, GDK_KEY_F10, GDK_SHIFT_MASK));
  g_assert_true (gtk_widget_activate_action (table, "figure.all-calls", NULL));
  g_assert_null (option (desk, "focus"));
}

/* By arrows alone every function of the graph can be reached from the first. */
static void
test_graph_keys (ProfileDesk *desk, gconstpointer data)
{
  static const guint keys[] = { GDK_KEY_Down, GDK_KEY_Right, GDK_KEY_Left,
                                GDK_KEY_Up };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal,
                                                       g_free, NULL);
  KymoCanvas *graph;

  profile_desk_show (desk, "call-graph");
  graph = profile_desk_canvas (desk, "call-graph");
  for (guint round = 0; round < 12; round++)
    for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
      for (guint i = 0; i < 2 + (k == 1 || k == 2) * 6; i++)
        {
          g_assert_true (desk_press (graph, keys[k], 0));
          g_assert_nonnull (kymo_session_peek_function (desk->session));
          g_hash_table_add (seen, g_strdup (
                              kymo_session_peek_function (desk->session)));
        }
  g_assert_cmpuint (g_hash_table_size (seen), >, 4);
  profile_desk_show (desk, "function");
  graph = profile_desk_canvas (desk, "function-threads-histogram");
  g_assert_true (desk_press (graph, GDK_KEY_Right, 0));
  g_assert_true (desk_press (graph, GDK_KEY_End, 0));
}

#define add(path, recording, function) \
  g_test_add ("/profile-views/" path, ProfileDesk, recording, profile_desk_open, function, \
              profile_desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("paths", "trace-stencil-4", test_paths);
  add ("measured-paths", "callpath-deep-4", test_measured_paths);
  add ("cut", "callpath-d3-coll-4", test_cut);
  add ("narrow", "flat-stencil-4", test_narrow);
  add ("icicle-keys", "callpath-deep-4", test_icicle_keys);
  add ("focus", "callpath-deep-4", test_focus);
  add ("root-in-sight", "callpath-deep-4", test_root_in_sight);
  add ("menu", "callpath-deep-4", test_menu);
  add ("graph-keys", "callpath-deep-4", test_graph_keys);
  return g_test_run ();
}
