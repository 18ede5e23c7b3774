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

#include "desk.h"
#include "kymo-figure-table.h"
#include "kymo-group-choice.h"
#include "kymo-kept-metrics.h"
#include "kymo-legend-pane.h"
#include "kymo-metric-entry.h"
#include "kymo-open.h"
#include "kymo-path-choice.h"
#include "kymo-run-source.h"
#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"
#include "kymo-step-slider.h"
#include "kymo-table-view.h"

typedef struct
{
  KymoSource    *source;
  KymoSession   *session;
  KymoRunView   *view;
  GtkWidget     *window;
  KymoTableView *table;
} Desk;

static void
settle (Desk *desk)
{
  for (guint i = 0; i < 3; i++)
    {
      g_main_context_iteration (NULL, TRUE);
      WAIT_FOR (kymo_run_view_is_settled (desk->view));
    }
}

static void
show (Desk *desk, const char *id)
{
  kymo_run_view_set_view (desk->view, id);
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, id);
  settle (desk);
}

static void
desk_open (Desk *desk, gconstpointer data)
{
  static const char *const made[] = { "thread-bars", "function",
                                      "thread-table", "icicle" };
  g_autofree char *path = g_build_filename ("tests", "data", "tau", data, NULL);
  g_autoptr (KymoTable) info = NULL;
  g_autofree char *first = NULL;

  desk->source = desk_open_run (path);
  info = desk_ask (desk->source, "info", NULL, NULL);
  desk->session = kymo_session_new (desk->source);
  desk->view = KYMO_RUN_VIEW (kymo_run_view_new (desk->session, info));
  first = g_strdup (kymo_run_view_get_view (desk->view));
  /* They are made when they are first seen. */
  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    kymo_run_view_set_view (desk->view, made[i]);
  kymo_run_view_set_view (desk->view, first);
  desk->table = desk->view->tables->pdata[0];
  desk->window = desk_present (GTK_WIDGET (desk->view), 1100, 700);
  settle (desk);
}

static void
desk_close (Desk *desk, gconstpointer data)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_clear_object (&desk->source);
}

/* -- looking -------------------------------------------------------------- */

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

/* (transfer full): the lines of the table, without its head */
static GStrv
lines_of (Desk *desk)
{
  g_autofree char *text = kymo_figure_table_dup_figures (
    kymo_table_view_peek_table (desk->table));
  char *head = strchr (text, '\n');

  g_assert_nonnull (head);
  return g_strsplit (g_strchomp (head + 1), "\n", -1);
}

static char *
cell (const char *line, guint column)
{
  g_auto (GStrv) cells = g_strsplit (line, "\t", -1);

  g_assert_cmpuint (column, <, g_strv_length (cells));
  return g_strdup (cells[column]);
}

static KymoCanvas *
canvas_of (Desk *desk, const char *id)
{
  for (guint i = 0; i < desk->view->canvases->len; i++)
    if (g_strcmp0 (kymo_canvas_get_plot (desk->view->canvases->pdata[i])->id,
                   id) == 0)
      return desk->view->canvases->pdata[i];
  g_assert_not_reached ();
}

/* -- tests ---------------------------------------------------------------- */

static void
test_views (Desk *desk, gconstpointer data)
{
  static const char *const there[] = { "thread-bars", "function",
                                       "thread-table", "icicle", "call-graph",
                                       "user-events", "summary" };

  g_assert_false (kymo_run_view_has_time (desk->view));
  g_assert_false (kymo_run_view_has_view (desk->view, "timeline"));
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "thread-bars");
  g_assert_cmpstr (kymo_run_view_title_of (desk->view, "thread-bars"), ==,
                   "By Rank");
  for (guint i = 0; i < G_N_ELEMENTS (there); i++)
    show (desk, there[i]);
  g_assert_nonnull (kymo_canvas_peek_answer (canvas_of (desk, "thread-bars")));
  g_assert_nonnull (kymo_canvas_peek_answer (canvas_of (desk, "icicle")));
}

/* Every function of the mean, the largest exclusive value first. */
static void
test_table (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoTable) mean = desk_ask (desk->source, "thread", "of", "mean");
  KymoTable *functions = kymo_table_peek_nested (mean, "functions", NULL);
  g_auto (GStrv) lines = NULL;

  show (desk, "thread-table");
  lines = lines_of (desk);
  g_assert_cmpuint (g_strv_length (lines), ==,
                    kymo_table_get_n_rows (functions));
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *name = cell (lines[i], 0), *calls = cell (lines[i], 5);

      g_assert_cmpstr (name, ==, kymo_table_get_string (functions, "name", i));
      g_assert_cmpfloat_with_epsilon (
        g_ascii_strtod (calls, NULL),
        kymo_table_get_double (functions, "calls", i), 1e-6);
    }
  gtk_editable_set_text (GTK_EDITABLE (find_shown (
    GTK_WIDGET (desk->table), GTK_TYPE_SEARCH_ENTRY)), "mpi_");
  WAIT_FOR (({ g_auto (GStrv) now = lines_of (desk);
               g_strv_length (now) < g_strv_length (lines); }));
}

/* The tree has the nodes of the answer that are unfolded, each below its caller. */
static void
test_tree (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoTable) tree = desk_ask (desk->source, "calltree", "of", "mean");
  KymoTable *nodes = kymo_table_peek_nested (tree, "nodes", NULL);
  g_auto (GStrv) lines = NULL, again = NULL;
  g_autofree char *root = NULL;

  show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "tree");
  settle (desk);
  lines = lines_of (desk);
  root = cell (lines[0], 0);
  g_assert_cmpint (kymo_table_get_int (nodes, "parent", 0), ==, -1);
  g_assert_cmpstr (root, ==, kymo_table_get_string (nodes, "name", 0));
  g_assert_true (g_str_has_prefix (lines[1], "  "));
  g_assert_false (g_str_has_prefix (lines[0], " "));
  g_assert_cmpuint (g_strv_length (lines), <=, kymo_table_get_n_rows (nodes));
  /* other figures of the same tree: what is unfolded stays */
  kymo_session_set_option (desk->session, "unit", "s");
  settle (desk);
  again = lines_of (desk);
  g_assert_cmpuint (g_strv_length (again), ==, g_strv_length (lines));
}

static void
test_chosen (Desk *desk, gconstpointer data)
{
  KymoCanvas *bars = canvas_of (desk, "function-bars");
  g_autofree char *first = NULL, *second = NULL, *other = NULL;
  g_auto (GStrv) lines = NULL;
  GtkWidget *list;
  GtkSelectionModel *selection;

  show (desk, "thread-table");
  lines = lines_of (desk);
  first = cell (lines[0], 0);
  second = cell (lines[1], 0);
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
  other = cell (lines[2], 0);
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==, other);
  show (desk, "function");
  g_assert_cmpstr (kymo_table_get_string (kymo_canvas_peek_answer (bars),
                                          "name", 0), ==, other);
}

/* A row of the picture is a thread: the table is of that one. */
static void
test_thread (Desk *desk, gconstpointer data)
{
  KymoCanvas *bars = canvas_of (desk, "thread-bars");
  g_autoptr (KymoTable) of = NULL;
  KymoTable *functions;
  g_auto (GStrv) lines = NULL;
  g_autofree char *name = NULL;

  show (desk, "thread-bars");
  kymo_canvas_set_cursor (bars, 2);
  g_signal_emit_by_name (bars, "picked", (gint64) -1, TRUE);
  g_assert_cmpstr (kymo_session_peek_thread (desk->session), ==, "2");
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "thread-table");
  settle (desk);
  of = desk_ask (desk->source, "thread", "of", "2");
  functions = kymo_table_peek_nested (of, "functions", NULL);
  lines = lines_of (desk);
  name = cell (lines[0], 0);
  g_assert_cmpuint (g_strv_length (lines), ==,
                    kymo_table_get_n_rows (functions));
  g_assert_cmpstr (name, ==, kymo_table_get_string (functions, "name", 0));
}

/* Functions of a group that is off are nowhere; the last one stays on. */
static void
test_groups (Desk *desk, gconstpointer data)
{
  GtkWidget *choice, *check;
  g_auto (GStrv) all = NULL, some = NULL;
  guint n = 0;

  show (desk, "thread-table");
  all = lines_of (desk);
  choice = desk_find (GTK_WIDGET (desk->table), KYMO_TYPE_GROUP_CHOICE, NULL);
  g_assert_true (gtk_widget_get_visible (choice));
  kymo_session_set_option (desk->session, "groups", "MPI");
  settle (desk);
  some = lines_of (desk);
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
test_derived (Desk *desk, gconstpointer data)
{
  GtkWidget *entry = desk_find (GTK_WIDGET (desk->table),
                                 KYMO_TYPE_METRIC_ENTRY, NULL), *field;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) kept = NULL, forgotten = NULL, lines = NULL, plain = NULL;
  g_autofree char *rate = NULL, *text = NULL;

  show (desk, "thread-table");
  plain = lines_of (desk);
  field = desk_find (GTK_WIDGET (gtk_menu_button_get_popover (
    GTK_MENU_BUTTON (gtk_widget_get_first_child (entry)))), GTK_TYPE_ENTRY, NULL);
  gtk_editable_set_text (GTK_EDITABLE (field), "NO_SUCH / TIME");
  g_signal_emit_by_name (field, "activate");
  g_assert_null (kymo_session_peek_option (desk->session, "metric"));
  gtk_editable_set_text (GTK_EDITABLE (field), " 2 * TIME ");
  g_signal_emit_by_name (field, "activate");
  g_assert_cmpstr (kymo_session_peek_option (desk->session, "metric"), ==,
                   "2 * TIME");
  settle (desk);
  lines = lines_of (desk);
  rate = cell (lines[0], 2);
  text = cell (plain[0], 2);
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
test_steps (Desk *desk, gconstpointer data)
{
  GtkWidget *slider = desk_find (GTK_WIDGET (desk->table),
                                  KYMO_TYPE_STEP_SLIDER, NULL);
  GtkRange *scale = GTK_RANGE (desk_find (slider, GTK_TYPE_SCALE, NULL));
  g_autoptr (KymoTable) last = desk_ask (desk->source, "thread", NULL, NULL);
  guint n = kymo_table_get_n_rows (kymo_table_peek_nested (last, "steps", NULL));

  show (desk, "thread-table");
  g_assert_cmpuint (n, >, 1);
  g_assert_true (gtk_widget_get_visible (slider));
  g_assert_cmpfloat (gtk_range_get_value (scale), ==, n - 1);
  gtk_range_set_value (scale, 0);
  g_assert_cmpstr (kymo_session_peek_option (desk->session, "step"), ==, "0");
  settle (desk);
  gtk_range_set_value (scale, n - 1);
  g_assert_null (kymo_session_peek_option (desk->session, "step"));
}

/* A trace has the same views beside its own, of the visible range. */
static void
test_trace (Desk *desk, gconstpointer data)
{
  KymoSpan full = kymo_session_get_full_range (desk->session), half = full;
  g_auto (GStrv) all = NULL, part = NULL;
  g_autofree char *before = NULL, *after = NULL;

  g_assert_true (kymo_run_view_has_view (desk->view, "timeline"));
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "timeline");
  show (desk, "thread-table");
  all = lines_of (desk);
  half.end_ns = full.begin_ns + kymo_span_length (full) / 4;
  kymo_session_set_range (desk->session, half, TRUE);
  settle (desk);
  part = lines_of (desk);
  before = cell (all[0], 1);
  after = cell (part[0], 1);
  g_assert_cmpstr (before, !=, after);
  show (desk, "thread-bars");
  show (desk, "icicle");
}

/* Beside the timeline, and nowhere else; over the same range. */
static void
test_beside (Desk *desk, gconstpointer data)
{
  KymoCanvas *matrix;

  show (desk, "timeline");
  kymo_run_view_set_beside (desk->view, "no-such-picture");
  g_assert_false (gtk_widget_get_visible (desk->view->beside));
  kymo_run_view_set_beside (desk->view, "communication");
  g_assert_true (gtk_widget_get_visible (desk->view->beside));
  settle (desk);
  matrix = desk->view->canvases->pdata[desk->view->canvases->len - 1];
  g_assert_cmpstr (kymo_canvas_get_plot (matrix)->id, ==, "communication");
  g_assert_nonnull (kymo_canvas_peek_answer (matrix));
  show (desk, "usage");
  g_assert_false (gtk_widget_get_visible (desk->view->beside));
  show (desk, "timeline");
  g_assert_true (gtk_widget_get_visible (desk->view->beside));
  kymo_run_view_set_beside (desk->view, "");
  g_assert_false (gtk_widget_get_visible (desk->view->beside));
}

/* The selected block says which function and which rank the other views show. */
static void
test_block (Desk *desk, gconstpointer data)
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
test_columns (Desk *desk, gconstpointer data)
{
  g_autofree char *text = NULL, *phases = NULL;
  char *end;

  show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "compared");
  settle (desk);
  text = kymo_figure_table_dup_figures (kymo_table_view_peek_table (desk->table));
  end = strchr (text, '\n');
  *end = '\0';
  g_assert_cmpstr (text, ==, "Function\tmean\tmin\tmax\trank 0");
  kymo_table_view_set_mode (desk->table, "phases");
  settle (desk);
  phases = kymo_figure_table_dup_figures (kymo_table_view_peek_table (desk->table));
  end = strchr (phases, '\n');
  *end = '\0';
  g_assert_nonnull (strstr (phases, "\tINPUT"));
}

/* -- paths ---------------------------------------------------------------- */

/* The most arrows that a name of the table has. */
static guint
most_arrows (Desk *desk)
{
  g_auto (GStrv) lines = lines_of (desk);
  guint most = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *name = cell (lines[i], 0);
      g_auto (GStrv) parts = g_strsplit (name, " => ", -1);

      most = MAX (most, g_strv_length (parts) - 1);
    }
  return most;
}

static GtkWidget *
ways_of (Desk *desk)
{
  GtkWidget *choice = desk_need (GTK_WIDGET (desk->table),
                                 KYMO_TYPE_PATH_CHOICE, NULL);

  g_assert_true (gtk_widget_get_visible (choice));
  return GTK_WIDGET (gtk_menu_button_get_popover (
    GTK_MENU_BUTTON (gtk_widget_get_first_child (choice))));
}

static const char *
option (Desk *desk, const char *key)
{
  return kymo_session_peek_option (desk->session, key);
}

/* The last functions, so many levels, and whole paths again: one at a time. */
static void
test_paths (Desk *desk, gconstpointer data)
{
  GtkWidget *ways, *number;
  guint whole;

  show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "paths");
  settle (desk);
  whole = most_arrows (desk);
  g_assert_cmpuint (whole, >, 2);
  ways = ways_of (desk);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (
    desk_need (ways, GTK_TYPE_CHECK_BUTTON, "Paths end with the function and begin so "
                            "many callers above")), TRUE);
  g_assert_cmpstr (option (desk, "callpath-depth"), ==, "2");
  settle (desk);
  g_assert_cmpuint (most_arrows (desk), ==, 1);
  number = desk_need (ways, GTK_TYPE_SPIN_BUTTON,
                      "What lies deeper belongs to the last function shown");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (number), 2);
  g_assert_null (option (desk, "callpath-depth"));
  g_assert_cmpstr (option (desk, "depth-limit"), ==, "2");
  kymo_table_view_set_mode (desk->table, "tree");
  settle (desk);
  {
    g_autoptr (KymoTable) tree = desk_ask (desk->source, "calltree",
                                           "depth-limit", "2");
    KymoTable *nodes = kymo_table_peek_nested (tree, "nodes", NULL);
    g_auto (GStrv) lines = lines_of (desk);

    g_assert_cmpuint (g_strv_length (lines), ==, kymo_table_get_n_rows (nodes));
  }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (
    desk_need (ways, GTK_TYPE_CHECK_BUTTON, "From the root to the function")), TRUE);
  g_assert_null (option (desk, "depth-limit"));
  kymo_table_view_set_mode (desk->table, "paths");
  settle (desk);
  g_assert_cmpuint (most_arrows (desk), ==, whole);
}

/* Paths that were measured are cut to levels, and no other way. */
static void
test_measured_paths (Desk *desk, gconstpointer data)
{
  GtkWidget *ways;

  show (desk, "thread-table");
  kymo_table_view_set_mode (desk->table, "tree");
  settle (desk);
  ways = ways_of (desk);
  desk_need (ways, GTK_TYPE_CHECK_BUTTON, "What lies deeper belongs to the last function shown");
  g_assert_null (desk_find (ways, GTK_TYPE_CHECK_BUTTON,
                            "Paths end with the function and begin so "
                            "many callers above"));
  kymo_table_view_set_mode (desk->table, "flat");
  g_assert_false (gtk_widget_get_visible (desk_find (
    GTK_WIDGET (desk->table), KYMO_TYPE_PATH_CHOICE, NULL)));
}

/* Whether a label of the table that is to be seen says that. */
static gboolean
is_told (Desk *desk, const char *words)
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
test_cut (Desk *desk, gconstpointer data)
{
  show (desk, "thread-table");
  g_assert_false (is_told (desk, "cut"));
  kymo_table_view_set_mode (desk->table, "paths");
  settle (desk);
  WAIT_FOR (is_told (desk, "cut"));
}

/* -- keys ----------------------------------------------------------------- */

/* Keys say what the pointer would: down to a callee, into it, and back up. */
static void
test_icicle_keys (Desk *desk, gconstpointer data)
{
  KymoCanvas *icicle = canvas_of (desk, "icicle");
  g_autoptr (KymoTable) tree = desk_ask (desk->source, "calltree", "of", "mean");
  KymoTable *nodes = kymo_table_peek_nested (tree, "nodes", NULL);
  const char *root = kymo_table_get_string (nodes, "name", 0);
  const char *child = kymo_table_get_string (nodes, "name", 1);
  g_autofree char *path = g_strdup_printf ("%s => %s", root, child);

  show (desk, "icicle");
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
}

/* By arrows alone every function of the graph can be reached from the first. */
static void
test_graph_keys (Desk *desk, gconstpointer data)
{
  static const guint keys[] = { GDK_KEY_Down, GDK_KEY_Right, GDK_KEY_Left,
                                GDK_KEY_Up };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal,
                                                       g_free, NULL);
  KymoCanvas *graph;

  show (desk, "call-graph");
  graph = canvas_of (desk, "call-graph");
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
  show (desk, "function");
  graph = canvas_of (desk, "function-threads-histogram");
  g_assert_true (desk_press (graph, GDK_KEY_Right, 0));
  g_assert_true (desk_press (graph, GDK_KEY_End, 0));
}

#define add(path, recording, function) \
  g_test_add ("/profile-views/" path, Desk, recording, desk_open, function, \
              desk_close)

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
  add ("block", "trace-stencil-4", test_block);
  add ("paths", "trace-stencil-4", test_paths);
  add ("measured-paths", "callpath-deep-4", test_measured_paths);
  add ("cut", "callpath-d3-coll-4", test_cut);
  add ("icicle-keys", "callpath-deep-4", test_icicle_keys);
  add ("graph-keys", "callpath-deep-4", test_graph_keys);
  add ("columns", "phase-8", test_columns);
  g_test_add_func ("/profile-views/kept", test_kept);
  return g_test_run ();
}
