/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views of profiles in a run view, over recordings of MPI programs: tables say
 * what the questions answer, what is chosen in one view is chosen in all, and the
 * controls change the figures of all of them.
 *
 * Needs a display; XDG_STATE_HOME is to be a folder of the test's own.
 */
#include "config.h"

#include <adwaita.h>
#include <math.h>
#include <string.h>

#include "kymo-figure-table.h"
#include "kymo-group-choice.h"
#include "kymo-kept.h"
#include "kymo-legend-pane.h"
#include "kymo-metric-entry.h"
#include "kymo-open.h"
#include "kymo-run-source.h"
#include "kymo-run-view-keep.h"
#include "kymo-session-profile.h"
#include "kymo-step-slider.h"
#include "profile-desk.h"

/* Choices have entries of their own in what pops up. */
static GtkWidget *
find_shown (GtkWidget *widget, GType type)
{
  GtkWidget *found = NULL;

  if (!gtk_widget_get_mapped (widget))
    return NULL;
  if (g_type_is_a (G_OBJECT_TYPE (widget), type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget);
       child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_shown (child, type);
  return found;
}

/* -- tests ---------------------------------------------------------------- */

static void
test_views (ProfileDesk *desk, gconstpointer data)
{
  static const char *const there[] = { "thread-bars", "function",
                                       "thread-table", "icicle", "call-graph",
                                       "user-events", "findings", "summary" };

  g_assert_false (kymo_run_view_has_time (desk->view));
  g_assert_false (kymo_run_view_has_view (desk->view, "timeline"));
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "thread-bars");
  g_assert_cmpstr (kymo_run_view_title_of (desk->view, "thread-bars"), ==,
                   "By Metric");
  for (guint i = 0; i < G_N_ELEMENTS (there); i++)
    profile_desk_show (desk, there[i]);
  g_assert_nonnull (kymo_canvas_peek_answer (profile_desk_canvas (desk, "thread-bars")));
  g_assert_nonnull (kymo_canvas_peek_answer (profile_desk_canvas (desk, "icicle")));
}

/* Every function of the mean, the largest exclusive value first. */
static void
test_table (ProfileDesk *desk, gconstpointer data)
{
  g_autoptr (KymoTable) mean = desk_ask (desk->source, "thread", "of", "mean");
  KymoTable *functions = kymo_table_peek_nested (mean, "functions", NULL);
  g_auto (GStrv) lines = NULL;

  profile_desk_show (desk, "thread-table");
  lines = profile_desk_lines (desk);
  g_assert_cmpuint (g_strv_length (lines), ==,
                    kymo_table_get_n_rows (functions));
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *name = profile_desk_cell (lines[i], 0);
      g_autofree char *calls = profile_desk_cell (lines[i], 5);

      g_assert_cmpstr (name, ==, kymo_table_get_string (functions, "name", i));
      g_assert_cmpfloat_with_epsilon (
        g_ascii_strtod (calls, NULL),
        kymo_table_get_double (functions, "calls", i), 1e-6);
    }
  gtk_editable_set_text (GTK_EDITABLE (find_shown (
    GTK_WIDGET (desk->table), GTK_TYPE_SEARCH_ENTRY)), "mpi_");
  WAIT_FOR (({ g_auto (GStrv) now = profile_desk_lines (desk);
               g_strv_length (now) < g_strv_length (lines); }));
}

/* The tree has the nodes of the answer that are unfolded, each below its caller. */
static void
test_tree (ProfileDesk *desk, gconstpointer data)
{
  g_autoptr (KymoTable) tree = desk_ask (desk->source, "calltree", "of", "mean");
  KymoTable *nodes = kymo_table_peek_nested (tree, "nodes", NULL);
  g_auto (GStrv) lines = NULL, again = NULL;
  g_autofree char *root = NULL;

  profile_desk_show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "tree");
  profile_desk_settle (desk);
  lines = profile_desk_lines (desk);
  root = profile_desk_cell (lines[0], 0);
  g_assert_cmpint (kymo_table_get_int (nodes, "parent", 0), ==, -1);
  g_assert_cmpstr (root, ==, kymo_table_get_string (nodes, "name", 0));
  g_assert_true (g_str_has_prefix (lines[1], "  "));
  g_assert_false (g_str_has_prefix (lines[0], " "));
  g_assert_cmpuint (g_strv_length (lines), <=, kymo_table_get_n_rows (nodes));
  /* other figures of the same tree: what is unfolded stays */
  kymo_session_set_option (desk->session, "unit", "s");
  profile_desk_settle (desk);
  again = profile_desk_lines (desk);
  g_assert_cmpuint (g_strv_length (again), ==, g_strv_length (lines));
}

static void
test_chosen (ProfileDesk *desk, gconstpointer data)
{
  KymoCanvas *bars = profile_desk_canvas (desk, "function-bars");
  g_autofree char *first = NULL, *second = NULL, *other = NULL;
  g_auto (GStrv) lines = NULL;
  GtkWidget *list;
  GtkSelectionModel *selection;

  profile_desk_show (desk, "thread-table");
  lines = profile_desk_lines (desk);
  first = profile_desk_cell (lines[0], 0);
  second = profile_desk_cell (lines[1], 0);
  /* the busiest one, as long as none is chosen */
  g_assert_cmpstr (g_hash_table_lookup (kymo_canvas_peek_parameters (bars),
                                        "of"), ==, first);
  kymo_session_set_function (desk->session, second);
  g_assert_cmpstr (g_hash_table_lookup (kymo_canvas_peek_parameters (bars),
                                        "of"), ==, second);
  list = desk_find (GTK_WIDGET (desk->table), GTK_TYPE_COLUMN_VIEW, NULL);
  selection = gtk_column_view_get_model (GTK_COLUMN_VIEW (list));
  g_assert_true (gtk_selection_model_is_selected (selection, 1));
  gtk_selection_model_select_item (selection, 2, TRUE);
  other = profile_desk_cell (lines[2], 0);
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==, other);
  profile_desk_show (desk, "function");
  g_assert_cmpstr (kymo_table_get_string (kymo_canvas_peek_answer (bars),
                                          "name", 0), ==, other);
}

/* A row of the picture is a thread: the table is of that one. */
static void
test_thread (ProfileDesk *desk, gconstpointer data)
{
  KymoCanvas *bars = profile_desk_canvas (desk, "thread-bars");
  g_autoptr (KymoTable) of = NULL;
  KymoTable *functions;
  g_auto (GStrv) lines = NULL;
  g_autofree char *name = NULL;

  profile_desk_show (desk, "thread-bars");
  kymo_canvas_set_cursor (bars, 2);
  g_signal_emit_by_name (bars, "picked", (gint64) -1, TRUE);
  g_assert_cmpstr (kymo_session_peek_thread (desk->session), ==, "2");
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "thread-table");
  profile_desk_settle (desk);
  of = desk_ask (desk->source, "thread", "of", "2");
  functions = kymo_table_peek_nested (of, "functions", NULL);
  lines = profile_desk_lines (desk);
  name = profile_desk_cell (lines[0], 0);
  g_assert_cmpuint (g_strv_length (lines), ==,
                    kymo_table_get_n_rows (functions));
  g_assert_cmpstr (name, ==, kymo_table_get_string (functions, "name", 0));
}

/* Functions of a group that is off are nowhere; the last one stays on. */
static void
test_groups (ProfileDesk *desk, gconstpointer data)
{
  GtkWidget *choice, *check;
  g_auto (GStrv) all = NULL, some = NULL;
  guint n = 0;

  profile_desk_show (desk, "thread-table");
  all = profile_desk_lines (desk);
  choice = desk_find (GTK_WIDGET (desk->table), KYMO_TYPE_GROUP_CHOICE, NULL);
  g_assert_true (gtk_widget_get_visible (choice));
  kymo_session_set_option (desk->session, "groups", "MPI");
  profile_desk_settle (desk);
  some = profile_desk_lines (desk);
  g_assert_cmpuint (g_strv_length (some), <, g_strv_length (all));
  for (guint i = 0; some[i] != NULL; i++)
    g_assert_true (g_str_has_prefix (some[i], "MPI"));
  check = desk_find (choice, GTK_TYPE_CHECK_BUTTON, NULL);
  if (check == NULL)            /* the popover is a surface of its own */
    check = desk_find (GTK_WIDGET (gtk_menu_button_get_popover (
      GTK_MENU_BUTTON (gtk_widget_get_first_child (choice)))),
      GTK_TYPE_CHECK_BUTTON, NULL);
  for (; check != NULL; check = gtk_widget_get_next_sibling (check))
    if (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)))
      {
        n++;
        gtk_check_button_set_active (GTK_CHECK_BUTTON (check), FALSE);
        g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)));
      }
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (kymo_session_peek_option (desk->session, "groups"), ==,
                   "MPI");
}

/* Typed once: it is the metric of all views, and is there the next time. */
static void
test_derived (ProfileDesk *desk, gconstpointer data)
{
  GtkWidget *entry = desk_find (GTK_WIDGET (desk->table),
                                 KYMO_TYPE_METRIC_ENTRY, NULL), *field;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) kept = NULL, forgotten = NULL, lines = NULL, plain = NULL;
  g_autofree char *rate = NULL, *text = NULL;

  profile_desk_show (desk, "thread-table");
  plain = profile_desk_lines (desk);
  field = desk_find (GTK_WIDGET (gtk_menu_button_get_popover (
    GTK_MENU_BUTTON (gtk_widget_get_first_child (entry)))), GTK_TYPE_ENTRY, NULL);
  gtk_editable_set_text (GTK_EDITABLE (field), "NO_SUCH / TIME");
  g_signal_emit_by_name (field, "activate");
  g_assert_null (kymo_session_peek_option (desk->session, "metric"));
  gtk_editable_set_text (GTK_EDITABLE (field), " 2 * TIME ");
  g_signal_emit_by_name (field, "activate");
  g_assert_cmpstr (kymo_session_peek_option (desk->session, "metric"), ==,
                   "2 * TIME");
  profile_desk_settle (desk);
  lines = profile_desk_lines (desk);
  rate = profile_desk_cell (lines[0], 2);
  text = profile_desk_cell (plain[0], 2);
  g_assert_cmpstr (rate, ==, text);     /* shares do not change */
  kept = kymo_kept_metrics_load ();
  g_assert_true (g_strv_contains ((const char *const *) kept, "2 * TIME"));
  g_assert_true (kymo_kept_metrics_forget ("2 * TIME", &error));
  g_assert_no_error (error);
  forgotten = kymo_kept_metrics_load ();
  g_assert_false (g_strv_contains ((const char *const *) forgotten, "2 * TIME"));
}

static void
test_kept (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) all = NULL;

  for (guint i = 0; i < KYMO_KEPT_METRICS_MOST + 3; i++)
    {
      g_autofree char *text = g_strdup_printf ("A / %u", i);

      g_assert_true (kymo_kept_metrics_keep (text, &error));
      g_assert_no_error (error);
    }
  g_assert_true (kymo_kept_metrics_keep ("A / 5", &error));
  all = kymo_kept_metrics_load ();
  g_assert_cmpuint (g_strv_length (all), ==, KYMO_KEPT_METRICS_MOST);
  g_assert_cmpstr (all[KYMO_KEPT_METRICS_MOST - 1], ==, "A / 5");
  g_assert_cmpstr (all[KYMO_KEPT_METRICS_MOST - 2], ==, "A / 26");
  for (guint i = 0; all[i] != NULL; i++)
    g_assert_true (kymo_kept_metrics_forget (all[i], &error));
}

/* Steps of a run: a slider, and the last one is no step. */
static void
test_steps (ProfileDesk *desk, gconstpointer data)
{
  GtkWidget *slider = desk_find (GTK_WIDGET (desk->table),
                                  KYMO_TYPE_STEP_SLIDER, NULL);
  GtkRange *scale = GTK_RANGE (desk_find (slider, GTK_TYPE_SCALE, NULL));
  g_autoptr (KymoTable) last = desk_ask (desk->source, "thread", NULL, NULL);
  guint n = kymo_table_get_n_rows (kymo_table_peek_nested (last, "steps", NULL));

  profile_desk_show (desk, "thread-table");
  g_assert_cmpuint (n, >, 1);
  g_assert_true (gtk_widget_get_visible (slider));
  g_assert_cmpfloat (gtk_range_get_value (scale), ==, n - 1);
  gtk_range_set_value (scale, 0);
  g_assert_cmpstr (kymo_session_peek_option (desk->session, "step"), ==, "0");
  profile_desk_settle (desk);
  gtk_range_set_value (scale, n - 1);
  g_assert_null (kymo_session_peek_option (desk->session, "step"));
}

/* A trace has the same views beside its own, of the visible range. */
static void
test_trace (ProfileDesk *desk, gconstpointer data)
{
  KymoSpan full = kymo_session_get_full_range (desk->session), half = full;
  g_auto (GStrv) all = NULL, part = NULL;
  g_autofree char *before = NULL, *after = NULL;

  g_assert_true (kymo_run_view_has_view (desk->view, "timeline"));
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "timeline");
  profile_desk_show (desk, "thread-table");
  all = profile_desk_lines (desk);
  half.end_ns = full.begin_ns + kymo_span_length (full) / 4;
  kymo_session_set_range (desk->session, half, TRUE);
  profile_desk_settle (desk);
  part = profile_desk_lines (desk);
  before = profile_desk_cell (all[0], 1);
  after = profile_desk_cell (part[0], 1);
  g_assert_cmpstr (before, !=, after);
  profile_desk_show (desk, "thread-bars");
  profile_desk_show (desk, "icicle");
}

/* Two parts, two pictures, over the same range; the same view twice has what it is
   of for itself. */
static void
test_beside (ProfileDesk *desk, gconstpointer data)
{
  KymoCanvas *matrix;

  profile_desk_show (desk, "timeline");
  g_assert_false (kymo_run_view_set_layout (desk->view, "right 0.6 timeline"));
  g_assert_true (kymo_run_view_set_layout (desk->view,
                                           "right 0.6 timeline* communication"));
  profile_desk_settle (desk);
  matrix = profile_desk_canvas (desk, "communication");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (matrix)));
  g_assert_nonnull (kymo_canvas_peek_answer (matrix));
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "timeline");
  kymo_run_view_close_current (desk->view);
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "communication");
  g_assert_cmpuint (kymo_run_view_get_n_parts (desk->view), ==, 1);
}

/* The metric of the picture of a part. */
static const char *
metric_of (ProfileDesk *desk, guint index)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (desk->view);
  GtkWidget *canvas = desk_need (parts->pdata[index], KYMO_TYPE_CANVAS, NULL);

  return kymo_table_get_string (kymo_canvas_peek_answer (KYMO_CANVAS (canvas)), "metric", 0);
}

/* Two parts show two metrics, and what is chosen is chosen in both; kept and taken
   back by another desk of views, and by a file of before there were parts in it. */
static void
test_two_metrics (ProfileDesk *desk, gconstpointer data)
{
  g_autoptr (KymoDesk) kept = kymo_desk_new (), old = kymo_desk_new ();
  g_autofree char *first = NULL, *second = NULL;
  GtkWidget *drop;

  g_assert_true (kymo_run_view_set_layout (desk->view, "right 0.5 thread-bars* thread-bars"));
  profile_desk_settle (desk);
  first = g_strdup (metric_of (desk, 0));
  g_assert_cmpstr (metric_of (desk, 1), ==, first);
  kymo_run_view_go_to_part (desk->view, 1);
  drop = desk_need (GTK_WIDGET (desk->view->current), GTK_TYPE_DROP_DOWN, "Metric");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop),
                              gtk_drop_down_get_selected (GTK_DROP_DOWN (drop)) == 0);
  profile_desk_settle (desk);
  second = g_strdup (metric_of (desk, 1));
  g_assert_cmpstr (second, !=, first);
  g_assert_cmpstr (metric_of (desk, 0), ==, first);
  g_assert_cmpstr (kymo_session_peek_option (desk->session, "metric"), ==, second);
  kymo_run_view_go_to_part (desk->view, -1);
  g_assert_cmpstr (kymo_session_peek_option (desk->session, "metric"), ==, NULL);
  kymo_run_view_keep (desk->view, kept);
  g_assert_cmpuint (kept->places->len, ==, 2);
  kymo_run_view_start_fresh (desk->view);
  kymo_run_view_restore_layout (desk->view, kept);
  g_strfreev (kymo_run_view_restore (desk->view, kept));
  profile_desk_settle (desk);
  g_assert_cmpstr (metric_of (desk, 0), ==, first);
  g_assert_cmpstr (metric_of (desk, 1), ==, second);
  old->layout = g_strdup (kept->layout);
  old->options[0] = g_strdup (second);
  kymo_run_view_restore_layout (desk->view, old);
  profile_desk_settle (desk);
  g_assert_cmpstr (metric_of (desk, 0), ==, second);
  g_assert_cmpstr (metric_of (desk, 1), ==, second);
}

/* The selected block says which function and which rank the other views show. */
static void
test_block (ProfileDesk *desk, gconstpointer data)
{
  KymoSpan full = kymo_session_get_full_range (desk->session);
  gint64 middle = full.begin_ns + kymo_span_length (full) / 2;

  g_assert_null (kymo_session_peek_function (desk->session));
  kymo_session_set_block (desk->session, 1, middle);
  g_assert_cmpstr (kymo_session_peek_thread (desk->session), ==, "1");
  WAIT_FOR (kymo_session_peek_function (desk->session) != NULL);
}

/* Threads compared: a column each; phases: a column each. */
static void
test_columns (ProfileDesk *desk, gconstpointer data)
{
  g_autofree char *text = NULL, *phases = NULL;
  char *end;

  profile_desk_show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "compared");
  profile_desk_settle (desk);
  text = kymo_line_table_dup_figures (
    KYMO_LINE_TABLE (kymo_table_view_peek_table (desk->table)));
  end = strchr (text, '\n');
  *end = '\0';
  g_assert_cmpstr (text, ==, "Function\tmean\tmin\tmax\trank 0");
  kymo_table_view_set_mode (desk->table, "phases");
  profile_desk_settle (desk);
  phases = kymo_line_table_dup_figures (
    KYMO_LINE_TABLE (kymo_table_view_peek_table (desk->table)));
  end = strchr (phases, '\n');
  *end = '\0';
  g_assert_nonnull (strstr (phases, "\tINPUT"));
}

#define add(path, recording, function) \
  g_test_add ("/profile-views/" path, ProfileDesk, recording, profile_desk_open, function, \
              profile_desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("views", "callpath-deep-4", test_views);
  add ("table", "callpath-deep-4", test_table);
  add ("tree", "callpath-deep-4", test_tree);
  add ("chosen", "callpath-deep-4", test_chosen);
  add ("thread", "flat-stencil-4", test_thread);
  add ("groups", "flat-stencil-4", test_groups);
  add ("derived", "flat-stencil-4", test_derived);
  add ("steps", "snapshot-stencil-4", test_steps);
  add ("trace", "trace-stencil-4", test_trace);
  add ("beside", "trace-stencil-4", test_beside);
  add ("two-metrics", "multi-coll-8", test_two_metrics);
  add ("block", "trace-stencil-4", test_block);
  add ("columns", "phase-8", test_columns);
  g_test_add_func ("/profile-views/kept", test_kept);
  return g_test_run ();
}
