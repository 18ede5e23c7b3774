/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of figures with a hundred thousand lines: sorted and filtered as a plain
 * loop over the answer would do it, with the chosen function as its selected line.
 * Times are told (--verbose); they are no part of what is checked.
 *
 * Needs a display.
 */
#include "config.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "desk.h"
#include "kymo-figure-table-private.h"
#include "kymo-session-profile.h"

#define N_LINES 100000
/* Of so many lines the figure is not known. */
#define N_UNKNOWN 7

static const KymoFigureColumn columns[] = {
  { "name", 0, "Function", KYMO_FIGURE_NAME },
  { "exclusive", 0, "Exclusive", KYMO_FIGURE_VALUE },
};

/* Figures in no order, each several times. */
static KymoTable *
make_answer (KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_column (list, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (list, "exclusive", KYMO_COLUMN_DOUBLE, 1);
  for (guint i = 0; i < N_LINES; i++)
    {
      g_autofree char *name = g_strdup_printf ("Solver::step_%u(int)", i);

      kymo_table_append_string (list, 0, name);
      kymo_table_append_double (list, 1, i < N_UNKNOWN ? NAN
                                         : (double) (i * 7919u % 50021u));
    }
  kymo_table_set_table (answer, "functions", list);
  return answer;
}

typedef struct
{
  DeskSource      *source;
  KymoSession     *session;
  GtkWidget       *window;
  KymoFigureTable *table;
  KymoTable       *answer, *list;
  GListModel      *lines;
} Desk;

static void
tell (const char *what, clock_t begun)
{
  g_test_message ("%s: %.1f ms of processor time", what,
                  (clock () - begun) * 1e3 / CLOCKS_PER_SEC);
}

static void
desk_open (Desk *desk, gconstpointer data)
{
  GtkWidget *view;
  clock_t begun;

  desk->source = desk_source_new (make_answer, KYMO_CAN_METRICS, 1000);
  desk->session = kymo_session_new (KYMO_SOURCE (desk->source));
  desk->answer = make_answer (NULL, NULL, NULL);
  desk->list = kymo_table_peek_nested (desk->answer, "functions", NULL);
  desk->table = KYMO_FIGURE_TABLE (kymo_figure_table_new (desk->session,
                                                          "Functions"));
  desk->window = desk_present (GTK_WIDGET (desk->table), 700, 500);
  begun = clock ();
  kymo_figure_table_set_columns (desk->table, columns, G_N_ELEMENTS (columns));
  kymo_figure_table_set (desk->table, desk->answer, "functions");
  tell ("filled", begun);
  view = desk_need (GTK_WIDGET (desk->table), GTK_TYPE_COLUMN_VIEW, NULL);
  desk->lines = G_LIST_MODEL (gtk_column_view_get_model (
    GTK_COLUMN_VIEW (view)));
}

static void
desk_close (Desk *desk, gconstpointer data)
{
  desk_clear_window (&desk->window);
  kymo_table_unref (desk->answer);
  g_clear_object (&desk->session);
  g_clear_object (&desk->source);
}

static guint
row_at (Desk *desk, guint line)
{
  g_autoptr (GObject) item = g_list_model_get_item (desk->lines, line);
  g_autoptr (KymoLine) row = kymo_line_of (item);

  g_assert_nonnull (row);
  return row->row;
}

/* Largest first or last, what is not known last, and what is the same as it came. */
static void
check_order (Desk *desk, gboolean descending)
{
  const double *figures = kymo_table_peek_doubles (desk->list, "exclusive", NULL);

  g_assert_cmpuint (g_list_model_get_n_items (desk->lines), ==, N_LINES);
  for (guint i = 1; i < N_LINES; i++)
    {
      guint before = row_at (desk, i - 1), here = row_at (desk, i);
      double a = figures[before], b = figures[here];

      if (i >= N_LINES - N_UNKNOWN)
        g_assert_true (isnan (b));
      else
        g_assert_true (descending ? a > b || (a == b && before < here)
                                  : a < b || (a == b && before < here));
    }
}

static void
test_sorted (Desk *desk, gconstpointer data)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (desk_need (
    GTK_WIDGET (desk->table), GTK_TYPE_COLUMN_VIEW, NULL));
  g_autoptr (GtkColumnViewColumn) figures
    = g_list_model_get_item (gtk_column_view_get_columns (view), 1);
  clock_t begun = clock ();

  g_assert_cmpuint (row_at (desk, 5), ==, 5);
  kymo_figure_table_sort (desk->table, "exclusive");
  tell ("sorted, largest first", begun);
  check_order (desk, TRUE);
  begun = clock ();
  gtk_column_view_sort_by_column (view, figures, GTK_SORT_ASCENDING);
  tell ("sorted, least first", begun);
  check_order (desk, FALSE);
  begun = clock ();
  kymo_figure_table_sort (desk->table, "name");
  tell ("sorted by name", begun);
  g_assert_cmpuint (row_at (desk, 0), ==, 99999);
  g_assert_cmpuint (row_at (desk, N_LINES - 1), ==, 0);
}

static void
test_filtered (Desk *desk, gconstpointer data)
{
  clock_t begun = clock ();
  guint n;

  kymo_figure_table_set_filter (desk->table, "STEP_123", NULL);
  tell ("filtered", begun);
  n = g_list_model_get_n_items (desk->lines);
  /* 123, 123x and 123xx */
  g_assert_cmpuint (n, ==, 111);
  for (guint i = 0; i < n; i++)
    g_assert_nonnull (strstr (kymo_table_get_string (desk->list, "name",
                                                     row_at (desk, i)),
                              "step_123"));
  kymo_figure_table_set_filter (desk->table, "", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (desk->lines), ==, N_LINES);
}

static guint
selected (Desk *desk)
{
  return gtk_single_selection_get_selected (GTK_SINGLE_SELECTION (desk->lines));
}

/* The selected line stays that of the chosen function, wherever it is then. */
static void
test_chosen (Desk *desk, gconstpointer data)
{
  clock_t begun = clock ();

  kymo_session_set_function (desk->session, "Solver::step_90000(int)");
  tell ("chosen", begun);
  g_assert_cmpuint (row_at (desk, selected (desk)), ==, 90000);
  begun = clock ();
  kymo_figure_table_sort (desk->table, "exclusive");
  tell ("sorted with a chosen one", begun);
  g_assert_cmpuint (row_at (desk, selected (desk)), ==, 90000);
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==,
                   "Solver::step_90000(int)");
  kymo_figure_table_set_filter (desk->table, "/^step_1/", NULL);
  g_assert_cmpuint (selected (desk), ==, GTK_INVALID_LIST_POSITION);
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==,
                   "Solver::step_90000(int)");
  kymo_figure_table_set_filter (desk->table, "", NULL);
  g_assert_cmpuint (row_at (desk, selected (desk)), ==, 90000);
  begun = clock ();
  kymo_figure_table_set (desk->table, desk->answer, "functions");
  tell ("other figures", begun);
}

static void
press_second (GtkWidget *view, double x, double y)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (view);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);

      if (GTK_IS_GESTURE_CLICK (one)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (one)) == GDK_BUTTON_SECONDARY)
        g_signal_emit_by_name (one, "pressed", 1, x, y);
    }
}

/* Whether the list is laid out, and has no line there. */
static gboolean
is_list_at (GtkWidget *view, double y)
{
  GtkWidget *there = gtk_widget_pick (view, 40, y, GTK_PICK_DEFAULT);

  return there != NULL && g_str_equal (gtk_widget_get_css_name (there), "listview");
}

/* The menu is that of the line under the pointer: below the last one there is none. */
static void
test_menu (Desk *desk, gconstpointer data)
{
  GtkWidget *view = desk_need (GTK_WIDGET (desk->table), GTK_TYPE_COLUMN_VIEW, NULL);
  GtkWidget *menu;
  int last = -1;

  kymo_figure_table_set_filter (desk->table, "step_99999", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (desk->lines), ==, 1);
  WAIT_FOR (is_list_at (view, gtk_widget_get_height (view) - 20));
  for (int y = 2; y < gtk_widget_get_height (view); y += 4)
    {
      gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (desk->lines),
                                         GTK_INVALID_LIST_POSITION);
      press_second (view, 40, y);
      if (selected (desk) == 0)
        last = y;
    }
  g_assert_cmpint (last, >, 0);
  g_assert_cmpint (last, <, 100);
  menu = desk_need (GTK_WIDGET (desk->table), GTK_TYPE_POPOVER_MENU, NULL);
  gtk_popover_popdown (GTK_POPOVER (menu));
}

#define add(path, function) \
  g_test_add ("/figure-table/" path, Desk, NULL, desk_open, function, desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("sorted", test_sorted);
  add ("filtered", test_filtered);
  add ("chosen", test_chosen);
  add ("menu", test_menu);
  return g_test_run ();
}
