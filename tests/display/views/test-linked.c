/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is pointed at in one view is marked in all: every view of a recording and of a
 * trace of MPI, its pictures and the lines of its lists, beside each other and alone.
 *
 * Needs a display.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-chart-table.h"
#include "kymo-go-to.h"
#include "kymo-hover-row.h"
#include "kymo-legend-pane.h"
#include "kymo-menu-actions.h"
#include "kymo-session-hover.h"
#include "kymo-session-path.h"
#include "kymo-view-modes.h"
#include "run_desk.h"
#include "pictures.h"

#define LIFTED "kymo-lifted"
#define STEP_PX 22
#define MOST_POINTED 2

static gboolean
points_at_nothing (Desk *desk)
{
  return kymo_session_peek_hovered (desk->session) == NULL
         && kymo_session_get_hovered_location (desk->session) == -1
         && !kymo_session_get_hovered_time (desk->session, NULL)
         && kymo_session_peek_hovered_set (desk->session) == NULL;
}

/* -- lines of lists ------------------------------------------------------- */

/* Lines that stand for something: those that the pointer is told to. */
static void
collect_lines (GtkWidget *top, GPtrArray *lines)
{
  if (!gtk_widget_get_mapped (top))
    return;
  if (g_strcmp0 (gtk_widget_get_css_name (top), "row") == 0
      && desk_find_controller (top, GTK_TYPE_EVENT_CONTROLLER_FOCUS) != NULL)
    g_ptr_array_add (lines, top);
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_lines (child, lines);
}

/* The pointer or the keys come to a line and go; in between another view tells the
   same. */
static void
check_line (Desk *desk, GtkWidget *line, gboolean keys)
{
  GtkEventController *controller = desk_find_controller (
    line, keys ? GTK_TYPE_EVENT_CONTROLLER_FOCUS : GTK_TYPE_EVENT_CONTROLLER_MOTION);
  g_autofree char *name = NULL;
  g_autoptr (KymoIdSet) set = NULL;
  gint64 location, time_ns = G_MININT64;

  if (keys)
    g_signal_emit_by_name (controller, "enter");
  else
    {
      /* A pointer that passes lifts no name. */
      g_signal_emit_by_name (controller, "enter", 3.0, 3.0);
      g_assert_null (kymo_session_peek_hovered (desk->session));
      WAIT_FOR (gtk_widget_has_css_class (line, LIFTED));
    }
  g_assert_false (points_at_nothing (desk));
  g_assert_true (gtk_widget_has_css_class (line, LIFTED));
  g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (line),
                                                   GTK_ACCESSIBLE_PROPERTY_LABEL) || !keys);
  name = g_strdup (kymo_session_peek_hovered (desk->session));
  location = kymo_session_get_hovered_location (desk->session);
  kymo_session_get_hovered_time (desk->session, &time_ns);
  if (kymo_session_peek_hovered_set (desk->session) != NULL)
    set = kymo_id_set_ref (kymo_session_peek_hovered_set (desk->session));
  g_signal_emit_by_name (controller, "leave");
  if (keys)
    g_assert_true (points_at_nothing (desk));
  WAIT_FOR (points_at_nothing (desk));
  g_assert_false (gtk_widget_has_css_class (line, LIFTED));

  kymo_session_set_hovered (desk->session, name);
  if (set != NULL)
    kymo_session_set_hovered_set (desk->session, set);
  else
    kymo_session_set_hovered_place (desk->session, location, time_ns);
  g_assert_true (gtk_widget_has_css_class (line, LIFTED));
  kymo_session_set_hovered (desk->session, NULL);
  kymo_session_set_hovered_place (desk->session, -1, G_MININT64);
  g_assert_false (gtk_widget_has_css_class (line, LIFTED));
}

/* Headings have no line; of a list some lines are enough. */
static guint
check_lines (Desk *desk, GtkWidget *top)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();
  guint checked = 0;

  collect_lines (top, lines);
  for (guint i = 0; i < lines->len; i += 1 + lines->len / 40)
    {
      GtkEventController *focus = desk_find_controller (lines->pdata[i],
                                                        GTK_TYPE_EVENT_CONTROLLER_FOCUS);

      /* Lines that stand for nothing: a message of a path has no PE. */
      g_signal_emit_by_name (focus, "enter");
      if (points_at_nothing (desk))
        continue;
      g_signal_emit_by_name (focus, "leave");
      /* Each takes the time that a pointer rests. */
      if (checked < MOST_POINTED)
        check_line (desk, lines->pdata[i], FALSE);
      check_line (desk, lines->pdata[i], TRUE);
      checked++;
    }
  return checked;
}

/* Answers come when they come. */
static guint
wait_for_lines (Desk *desk, GtkWidget *top)
{
  guint checked = 0;

  for (guint turns = 0; checked == 0 && turns < 500; turns++)
    {
      desk_turn ();
      checked = check_lines (desk, top);
    }
  return checked;
}

static void
test_lists (Desk *desk, gconstpointer path)
{
  static const struct { const char *view; gboolean of_mpi; } lists[] = {
    { "profile", 0 }, { "clusters", 0 }, { "critical-path", 0 }, { "call-table", 0 },
    { "waiting", 1 }, { "collectives", 1 }, { "thread-table", 1 }, { "call-tree", 1 },
  };
  gboolean is_mpi = !g_str_equal (path, "data/sample");
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      gboolean is_mode = g_str_equal (lists[i].view, "call-table");
      const char *view = is_mode ? "communication" : lists[i].view;
      guint checked;

      if (!kymo_run_view_has_view (desk->view, view) || lists[i].of_mpi != is_mpi)
        continue;
      kymo_run_view_set_view (desk->view, view);
      if (is_mode)
        kymo_run_view_set_mode (desk->view, lists[i].view);
      if (g_str_equal (view, "critical-path"))
        {
          kymo_session_follow_path (desk->session, KYMO_PATH_CRITICAL);
          WAIT_FOR (kymo_session_peek_path (desk->session) != NULL);
        }
      desk_settle (desk);
      checked = wait_for_lines (desk, kymo_desk_part_peek_shown (desk->view->current));
      g_test_message ("%s: %u lines", lists[i].view, checked);
      g_assert_cmpuint (checked, >, 0);
      n++;
    }
  g_assert_cmpuint (n, >=, 1);
}

static void
test_panes (Desk *desk, gconstpointer data)
{
  gtk_widget_set_visible (desk->view->sidebar, TRUE);
  g_assert_cmpuint (wait_for_lines (desk, desk->view->sidebar), >, 0);
  g_assert_cmpuint (wait_for_lines (desk, desk->view->legend), >, 0);
}

/* -- pictures ------------------------------------------------------------- */

typedef struct
{
  char    *name;
  gint64   location;
} Found;

/* What the pointer would tell anywhere in a picture. */
static Found
look_for (KymoCanvas *canvas, const KymoPlotFrame *frame)
{
  Found found = { NULL, -1 };

  for (double y = 1; y < frame->height_px; y += STEP_PX)
    for (double x = 1; x < frame->width_px; x += STEP_PX)
      {
        KymoPlotHit hit = { .location = -1, .cluster = -1, .time_ns = G_MININT64 };

        if (picture_hit (canvas->klass, canvas->answer, frame, x, y, &hit))
          {
            if (found.name == NULL)
              found.name = g_steal_pointer (&hit.name);
            found.location = MAX (found.location, hit.location);
          }
        kymo_plot_hit_clear (&hit);
        if (found.name != NULL && found.location >= 0)
          return found;
      }
  return found;
}

/* (transfer full): what a canvas shows, with what lies over the picture */
static GBytes *
look_of (KymoCanvas *canvas)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  int width = gtk_widget_get_width (GTK_WIDGET (canvas));
  int height = gtk_widget_get_height (GTK_WIDGET (canvas));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);
  GBytes *bytes;

  GTK_WIDGET_GET_CLASS (canvas)->snapshot (GTK_WIDGET (canvas), snapshot);
  node = gtk_snapshot_to_node (snapshot);
  if (node != NULL)
    gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  bytes = g_bytes_new (cairo_image_surface_get_data (surface),
                       (gsize) cairo_image_surface_get_stride (surface) * height);
  cairo_surface_destroy (surface);
  return bytes;
}

static gboolean
looks_like (KymoCanvas *canvas, GBytes *before)
{
  g_autoptr (GBytes) now = look_of (canvas);

  return g_bytes_equal (before, now);
}

/* Told from elsewhere, the picture looks otherwise, and as before when nothing is told. */
static void
check_canvas (Desk *desk, KymoCanvas *canvas, const char *view)
{
  KymoPlotFrame frame;
  g_autofree char *name = NULL;
  g_autoptr (GBytes) before = NULL;
  Found found;

  if (canvas->answer == NULL || canvas->klass->hit == NULL
      || !gtk_widget_get_mapped (GTK_WIDGET (canvas)))
    return;
  kymo_canvas_get_frame (canvas, &frame);
  found = look_for (canvas, &frame);
  name = found.name;
  g_test_message ("%s, %s: %s, %d", view, canvas->klass->id, name != NULL ? name : "-",
                  (int) found.location);
  desk_settle (desk);
  before = look_of (canvas);
  if (name != NULL)
    {
      g_autoptr (GBytes) marked = NULL;

      kymo_session_set_hovered (desk->session, name);
      desk_settle (desk);
      marked = look_of (canvas);
      /* All of these is of that one, or they are no entry methods. */
      if (!g_str_has_prefix (canvas->klass->id, "function-")
          && !g_str_equal (canvas->klass->id, "counters")
          && !g_str_equal (canvas->klass->id, "counter-map"))
        g_assert_false (g_bytes_equal (before, marked));
      kymo_session_set_hovered (desk->session, NULL);
    }
  if (found.location >= 0)
    {
      g_autoptr (GBytes) marked = NULL;

      desk_settle (desk);
      kymo_session_set_hovered_place (desk->session, found.location, G_MININT64);
      marked = look_of (canvas);
      g_assert_false (g_bytes_equal (before, marked));
      kymo_session_set_hovered_place (desk->session, -1, G_MININT64);
    }
  desk_settle (desk);
  /* What is asked aside, such as a mosaic, may be painted a moment later. */
  WAIT_FOR (looks_like (canvas, before));
}

static void
check_canvases (Desk *desk, const char *view)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_settle (desk);
  desk_collect (kymo_desk_part_peek_shown (desk->view->current), KYMO_TYPE_CANVAS, found);
  for (guint i = 0; i < found->len; i++)
    check_canvas (desk, found->pdata[i], view);
}

static void
test_pictures (Desk *desk, gconstpointer path)
{
  for (guint i = 0; kymo_views[i].id != NULL; i++)
    if (kymo_run_view_has_view (desk->view, kymo_views[i].id))
      {
        kymo_run_view_set_view (desk->view, kymo_views[i].id);
        check_canvases (desk, kymo_views[i].id);
        for (guint mode = 0; kymo_view_modes[mode].view != NULL; mode++)
          if (g_str_equal (kymo_view_modes[mode].view, kymo_views[i].id)
              && *kymo_view_modes[mode].mode != '\0')
            {
              kymo_run_view_set_mode (desk->view, kymo_view_modes[mode].mode);
              check_canvases (desk, kymo_view_modes[mode].mode);
            }
      }
}

/* With a canvas goes what it told. */
static void
test_gone (Desk *desk, gconstpointer data)
{
  static const char *const views[] = { "timeline", "time-profile", "usage" };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkEventController *motion;
      KymoCanvas *canvas;

      kymo_run_view_set_view (desk->view, views[i]);
      desk_settle (desk);
      canvas = kymo_run_view_current_canvas (desk->view);
      motion = desk_find_controller (GTK_WIDGET (canvas), GTK_TYPE_EVENT_CONTROLLER_MOTION);
      for (double y = 20; y < 400 && kymo_session_peek_hovered (desk->session) == NULL; y += 15)
        {
          g_signal_emit_by_name (motion, "motion", 500.0, y);
          for (guint turn = 0; turn < 20; turn++)
            desk_turn ();
        }
      g_assert_nonnull (kymo_session_peek_hovered (desk->session));
      kymo_run_view_set_view (desk->view, "profile");
      desk_settle (desk);
      g_assert_true (points_at_nothing (desk));
    }
}

/* -- the table behind a picture ------------------------------------------- */

static void
test_chart_table (Desk *desk, gconstpointer data)
{
  static const char *const views[] = { "timeline", "usage", "extrema" };

  kymo_session_set_block (desk->session, 3, 1500000000);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      guint checked;

      kymo_run_view_set_view (desk->view, views[i]);
      desk_settle (desk);
      kymo_chart_table_set_canvas (KYMO_CHART_TABLE (desk->view->table),
                                   kymo_run_view_current_canvas (desk->view));
      kymo_chart_table_set_shown (KYMO_CHART_TABLE (desk->view->table), TRUE);
      kymo_session_clear_block (desk->session);
      checked = wait_for_lines (desk, desk->view->table);
      g_test_message ("%s: %u lines", views[i], checked);
      g_assert_cmpuint (checked, >, 0);
    }
}

/* -- what is listed and shown ------------------------------------------------ */

/* A regular expression narrows lists by the rule of the search. */
static void
test_names (Desk *desk, gconstpointer data)
{
  KymoLegendPane *legend = KYMO_LEGEND_PANE (desk->view->legend);
  GtkWidget *entry = desk_need (desk->view->legend, GTK_TYPE_SEARCH_ENTRY, NULL);
  g_auto (GStrv) some = NULL, none = NULL, part = NULL;

  kymo_run_view_set_view (desk->view, "profile");
  desk_settle (desk);
  WAIT_FOR (kymo_legend_pane_match (legend, "Cell::") != NULL);
  some = kymo_legend_pane_dup_matches (legend, "/^cell::.*_[0-9]$/", 100);
  none = kymo_legend_pane_dup_matches (legend, "^cell::", 100);
  part = kymo_legend_pane_dup_matches (legend, "cell::", 100);
  g_assert_cmpuint (g_strv_length (some), >, 1);
  g_assert_cmpuint (g_strv_length (part), >, g_strv_length (some));
  g_assert_cmpuint (g_strv_length (none), ==, 0);
  for (guint i = 0; some[i] != NULL; i++)
    g_assert_true (g_str_has_prefix (some[i], "Cell::"));

  kymo_run_view_search (desk->view, "^Cell::.*_[0-9]$", TRUE);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "/^Cell::.*_[0-9]$/");
  g_assert_true (g_str_has_prefix (kymo_session_peek_hovered (desk->session), "Cell::"));
  kymo_run_view_search (desk->view, "", FALSE);
  gtk_editable_set_text (GTK_EDITABLE (entry), "/(/");
  WAIT_FOR (gtk_widget_has_css_class (entry, "error"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  WAIT_FOR (!gtk_widget_has_css_class (entry, "error"));
}

static void
go_to (Desk *desk, const char *text)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n = g_list_model_get_n_items (windows);
  g_autoptr (GtkWidget) window = NULL;
  GtkWidget *entry;

  kymo_go_to_show (desk->view);
  g_assert_cmpuint (g_list_model_get_n_items (windows), ==, n + 1);
  for (guint i = 0; i <= n && window == NULL; i++)
    {
      window = g_list_model_get_item (windows, i);
      if (window == desk->window)
        g_clear_object (&window);
    }
  entry = desk_need (window, GTK_TYPE_SEARCH_ENTRY, NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "activate");
  desk_settle (desk);
}

/* Which PEs are shown, by words. */
static void
test_rows (Desk *desk, gconstpointer data)
{
  static const struct { const char *text; const char *shown; } cases[] = {
    { "only PE 5", "00000100" }, { "only 0-2,7", "11100001" }, { "PEs every 4th", "10001000" },
    { "every 3", "10010010" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KymoIdSet *set;

      go_to (desk, cases[i].text);
      set = kymo_session_peek_locations (desk->session);
      g_assert_nonnull (set);
      for (gint64 id = 0; id < 8; id++)
        g_assert_cmpint (kymo_id_set_contains (set, id), ==, cases[i].shown[id] == '1');
    }
  go_to (desk, "show all pes");
  g_assert_null (kymo_session_peek_locations (desk->session));
}

/* Lines of menus are found by their words, with those around them; what cannot be done now
   is not offered. */
static void
test_menus (void)
{
  g_autoptr (GMenu) menu = g_menu_new (), sub = g_menu_new ();
  GtkWidget *window = g_object_new (GTK_TYPE_APPLICATION_WINDOW, NULL);
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GSimpleAction) can = g_simple_action_new ("a_b", NULL);
  g_autoptr (GSimpleAction) cannot = g_simple_action_new ("no", NULL);
  g_autoptr (GPtrArray) found = NULL, none = NULL;

  g_simple_action_set_enabled (cannot, FALSE);
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (can));
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (cannot));
  g_menu_append (sub, "Pi_cture a__b…", "win.a_b");
  g_menu_append (sub, "Pictures of None", "win.no");
  g_menu_append_submenu (menu, "_Export", G_MENU_MODEL (sub));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_window_set_child (GTK_WINDOW (window), button);
  found = kymo_menu_actions_find (window, "export › PICTURE", 9);
  none = kymo_menu_actions_find (window, "none", 9);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpstr (((KymoMenuAction *) found->pdata[0])->label, ==, "Export › Picture a_b…");
  g_assert_cmpstr (((KymoMenuAction *) found->pdata[0])->action, ==, "win.a_b");
  g_assert_cmpuint (none->len, ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

#define SAMPLE "data/sample"
#define MPI "tests/data/tau/trace-stencil-4"
#define PROFILE "tests/data/tau/callpath-d3-coll-4"
#define add(path, run, function) \
  g_test_add ("/linked/" path, Desk, run, desk_open, function, desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("lists", SAMPLE, test_lists);
  add ("panes", SAMPLE, test_panes);
  add ("pictures", SAMPLE, test_pictures);
  add ("gone", SAMPLE, test_gone);
  add ("chart-table", SAMPLE, test_chart_table);
  add ("names", SAMPLE, test_names);
  add ("rows", SAMPLE, test_rows);
  g_test_add_func ("/linked/menus", test_menus);
  add ("mpi/lists", MPI, test_lists);
  add ("mpi/pictures", MPI, test_pictures);
  add ("profile/lists", PROFILE, test_lists);
  add ("profile/pictures", PROFILE, test_pictures);
  return g_test_run ();
}
