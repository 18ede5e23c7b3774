/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table behind a picture: of every view with one it says each row of the CSV that an
 * export of the same answer writes, in order; of a timeline all blocks of a row.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "kymo-accessible.h"
#include "kymo-canvas-items.h"
#include "kymo-canvas-private.h"
#include "kymo-chart-table.h"
#include "kymo-question-class.h"
#include "kymo-units.h"
#include "kymo-view-modes.h"
#include "run_desk.h"

#define SAMPLE "data/sample"
#define MPI "tests/data/tau/trace-stencil-4"
#define PROFILE "tests/data/tau/callpath-d3-coll-4"

/* Blocks of the CSV of a picture that its table holds, each row as a line, where they are not the
   shown lists of its question. */
static const struct { const char *plot, *blocks; } others[] = {
  { "usage", "locations|locations.activities|average.activities" },
  { "distances", "locations" },
  { "scatter", "locations" },
  { "function-threads-histogram", "bins" },
};

/* Cells of a line of CSV; what is quoted has no quotes within here. */
static GPtrArray *
split_cells (const char *line)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  GString *cell = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (const char *p = line;; p++)
    {
      if (*p == '"')
        quoted = !quoted;
      else if (*p == '\0' || (*p == ',' && !quoted))
        {
          g_ptr_array_add (cells, g_strdup (cell->str));
          g_string_truncate (cell, 0);
        }
      else
        g_string_append_c (cell, *p);
      if (*p == '\0')
        break;
    }
  g_string_free (cell, TRUE);
  return cells;
}

/* What a line has to say of a cell; NULL: this is not looked for. */
static char *
expected_words (const char *head, const char *cell)
{
  const char *column = strrchr (head, '.') != NULL ? strrchr (head, '.') + 1 : head;
  static const char *const texts[] = { "name", "label", "function", NULL };

  /* Of a bin what is nothing is not said. */
  if (*cell == '\0' || g_str_equal (cell, "0"))
    return NULL;
  if (g_strv_contains (texts, column))
    return g_strdup (cell);
  if (g_str_has_prefix (column, "edges") || g_str_has_suffix (column, "]")
      || g_str_equal (column, "longest_begin_ns"))
    return NULL;
  if (g_str_equal (column, "begin_ns") || g_str_equal (column, "end_ns"))
    return kymo_format_duration_exact (g_ascii_strtoll (cell, NULL, 10));
  if (g_str_has_suffix (column, "_ns") && strchr (cell, '.') == NULL)
    return kymo_format_duration (g_ascii_strtoll (cell, NULL, 10));
  if (g_str_has_suffix (column, "_bytes") || g_str_equal (column, "bytes"))
    return kymo_format_bytes (g_ascii_strtoll (cell, NULL, 10));
  if (g_str_has_suffix (column, "messages") || g_str_equal (column, "steps"))
    return kymo_format_count (g_ascii_strtoll (cell, NULL, 10));
  /* The series of a bin. */
  return strstr (head, "::") != NULL || strchr (head, '(') != NULL ? g_strdup (head) : NULL;
}

/* A nested row says the label of its owner, then itself. Functions are useful, not busy. */
static gboolean
says_row (const char *line, const GPtrArray *heads, const GPtrArray *cells)
{
  gboolean nested = FALSE, useful = FALSE;

  for (guint c = 0; c < heads->len; c++)
    {
      nested |= strchr (heads->pdata[c], '.') != NULL;
      useful |= g_str_equal (heads->pdata[c], "communication_ns");
    }
  if (useful && strstr (line, "busy") != NULL)
    return FALSE;
  for (guint c = 0; c < heads->len && c < cells->len; c++)
    {
      g_autofree char *words = NULL;

      if (nested && strchr (heads->pdata[c], '.') == NULL
          && !g_str_equal (heads->pdata[c], "label"))
        continue;
      if (useful && g_str_has_prefix (heads->pdata[c], "busy"))
        continue;
      words = expected_words (heads->pdata[c], cells->pdata[c]);
      if (words != NULL && strstr (line, words) == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Lists that must not get lost; a new picture needs no line. */
static const struct { const char *plot, *blocks; } known[] = {
  { "timeline", "rows|metrics" },
  { "time-profile", "bins" },
  { "communication-time", "bins" },
  { "histogram", "bins" },
  { "extrema", "extrema|extrema.parts" },
  { "clusters", "clusters|locations" },
  { "thread-scatter", "locations" },
  { "communication", "matrix|sent" },
  { "communication-graph", "matrix|sent" },
  { "communication-locations", "rows" },
  { "call-table", "calls" },
  { "message-graph", "calls" },
  { "call-graph", "nodes|edges" },
  { "icicle", "nodes" },
  { "critical-path", "activities|locations|steps" },
  { "waiting", "functions|locations|worst|matrix" },
  { "waiting-matrix", "functions|locations|worst|matrix" },
  { "thread", "functions" },
  { "threads", "functions" },
  { "thread-bars", "rows" },
  { "function-bars", "rows" },
};

/* NULL: the answer has no list to show. Bins of the answer itself have no key. */
static char *
dup_blocks (KymoCanvas *canvas)
{
  const KymoPlotClass *klass = kymo_canvas_get_plot (canvas);
  g_autoptr (KymoQuestion) question
    = klass->question (&kymo_canvas_peek_picture (canvas)->frame);
  const KymoQuestionList *list
    = kymo_question_class_find (kymo_question_get_kind (question))->lists;
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_str_equal (others[i].plot, klass->id))
      return g_strdup (others[i].blocks);
  for (; list != NULL && list->key != NULL; list++)
    if (list->shown)
      g_ptr_array_add (blocks, (gpointer) (*list->key == '\0' ? "bins" : list->key));
  g_ptr_array_add (blocks, NULL);
  return blocks->len == 1 ? NULL : g_strjoinv ("|", (char **) blocks->pdata);
}

static gboolean
is_listed (const char *blocks, const char *block)
{
  g_auto (GStrv) names = g_strsplit (blocks, "|", -1);

  return g_strv_contains ((const char *const *) names, block);
}

/* Every row of the CSV is said by a line, and lines are as many as rows; the average of
   all is no row of a list there. */
static void
check_figures (KymoCanvas *canvas, const char *blocks, char **lines)
{
  g_autoptr (GString) csv = g_string_new (NULL);
  g_auto (GStrv) rows = NULL;
  g_autoptr (GPtrArray) heads = NULL;
  gboolean within = FALSE;
  guint n = 0, at = 0, n_lines = g_strv_length (lines) - 1;

  kymo_table_write_csv (canvas->answer, csv);
  rows = g_strsplit (csv->str, "\n", -1);
  for (guint i = 0; rows[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) cells = NULL;
      guint looked = 0;

      if (g_str_has_prefix (rows[i], "# "))
        {
          within = is_listed (blocks, rows[i] + 2);
          g_clear_pointer (&heads, g_ptr_array_unref);
          if (within)
            heads = split_cells (rows[++i]);
          continue;
        }
      if (!within || *rows[i] == '\0')
        continue;
      cells = split_cells (rows[i]);
      /* In the same order, so that the search goes on where the last one ended. */
      while (looked < n_lines && !says_row (lines[at % n_lines], heads, cells))
        {
          looked++;
          at++;
        }
      if (looked == n_lines)
        g_test_message ("no line says %s", rows[i]);
      g_assert_cmpuint (looked, <, n_lines);
      n++;
    }
  g_test_message ("%s: %u rows, %u lines", kymo_canvas_get_plot (canvas)->id, n, n_lines);
  /* An answer about more time than is in sight has more bins. */
  if (kymo_canvas_get_plot (canvas)->time_axis)
    g_assert_cmpuint (n_lines, >=, MIN (n, 1));
  else
    g_assert_cmpuint (n_lines, ==, n + is_listed (blocks, "average.activities"));
}

static gboolean
check_picture (Desk *desk, KymoCanvas *canvas)
{
  KymoChartTable *table = KYMO_CHART_TABLE (desk->view->table);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree char *blocks = dup_blocks (canvas);

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (known[i].plot, kymo_canvas_get_plot (canvas)->id))
      g_assert_cmpstr (blocks, ==, known[i].blocks);
  if (blocks == NULL)
    return FALSE;
  kymo_chart_table_set_canvas (table, canvas);
  kymo_chart_table_set_shown (table, TRUE);
  for (guint turn = 0; turn < 5000 && (text == NULL || *text == '\0'); turn++)
    {
      desk_turn ();
      g_usleep (5000);
      g_free (text);
      text = kymo_chart_table_dup_lines (table);
    }
  /* People read no exponents. */
  if (g_regex_match_simple ("[0-9]e[-+][0-9]", text, 0, 0))
    g_error ("%s: %s", kymo_canvas_get_plot (canvas)->id, text);
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >, 1);
  check_figures (canvas, blocks, lines);
  return TRUE;
}

/* Pictures that the window shows as lists, and files as pictures. */
static void
test_aside (Desk *desk, gconstpointer path)
{
  static const char *const plots[] = { "critical-path", "waiting" };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (plots); i++)
    {
      const KymoPlotClass *klass = kymo_plot_find (plots[i]);
      GtkWidget *canvas = kymo_canvas_new (klass, desk->session);
      GtkWidget *window = desk_present (canvas, 800, 500);

      if ((kymo_source_get_capabilities (desk->source) & klass->needs) == klass->needs)
        {
          g_autoptr (GPtrArray) items = NULL;

          WAIT_FOR (kymo_canvas_peek_answer (KYMO_CANVAS (canvas)) != NULL
                    && kymo_canvas_is_settled (KYMO_CANVAS (canvas)));
          g_assert_true (check_picture (desk, KYMO_CANVAS (canvas)));
          items = kymo_canvas_dup_items (KYMO_CANVAS (canvas));
          g_assert_cmpuint (items->len, >, 0);
          for (guint k = 0; k < items->len; k++)
            {
              g_autofree char *words
                = kymo_canvas_dup_item_words (KYMO_CANVAS (canvas), items->pdata[k]);

              g_assert_nonnull (strchr (words, ','));
            }
          n++;
        }
      kymo_chart_table_set_canvas (KYMO_CHART_TABLE (desk->view->table), NULL);
      desk_clear_window (&window);
    }
  g_assert_cmpuint (n, >, 0);
}

/* Escape closes the table and gives the keyboard back to the picture. */
static void
test_escape (Desk *desk, gconstpointer path)
{
  KymoCanvas *canvas;

  kymo_run_view_set_view (desk->view, "usage");
  desk_settle (desk);
  canvas = kymo_run_view_current_canvas (desk->view);
  kymo_run_view_command (desk->view, "table");
  g_assert_true (kymo_chart_table_is_shown (KYMO_CHART_TABLE (desk->view->table)));
  g_assert_true (desk_press (desk->view->table, GDK_KEY_Escape, 0));
  g_assert_false (kymo_chart_table_is_shown (KYMO_CHART_TABLE (desk->view->table)));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (desk->window)) == GTK_WIDGET (canvas));
}

static guint
wait_for_blocks (Desk *desk, const char *label, gint64 matches)
{
  g_autofree char *all = kymo_format_count (matches);
  g_autofree char *title = g_strdup_printf ("%s: %s blocks in view", label, all);
  GtkWidget *heading = gtk_widget_get_first_child (desk->view->table);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  WAIT_FOR (g_str_equal (gtk_label_get_text (GTK_LABEL (heading)), title));
  text = kymo_chart_table_dup_lines (KYMO_CHART_TABLE (desk->view->table));
  lines = g_strsplit (text, "\n", -1);
  return g_strv_length (lines) - 1;
}

/* All blocks of a row, though they are more than a picture has columns; then those of
   the row whose line is chosen, which stays chosen. */
static void
test_blocks (Desk *desk, gconstpointer path)
{
  static const struct { gint64 pe; const char *label; } rows[] = {
    { 0, "PE 0" }, { 5, "PE 5" },
  };
  KymoChartTable *table = KYMO_CHART_TABLE (desk->view->table);

  kymo_run_view_set_view (desk->view, "timeline");
  desk_settle (desk);
  kymo_chart_table_set_canvas (table, kymo_run_view_current_canvas (desk->view));
  kymo_chart_table_set_shown (table, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkSelectionModel *model = gtk_list_view_get_model (GTK_LIST_VIEW (
        desk_find (desk->view->table, GTK_TYPE_LIST_VIEW, NULL)));
      g_autoptr (KymoTable) answer = NULL;
      g_autoptr (KymoQuestion) question = kymo_question_new ("search");
      g_autoptr (KymoIdSet) set = kymo_id_set_new_list (&rows[i].pe, 1);
      gint64 matches;

      kymo_question_set_locations (question, set);
      kymo_question_set (question, "text", ".");
      kymo_question_set (question, "regex", "1");
      kymo_question_set (question, "over", "blocks");
      answer = kymo_source_ask (desk->source, question, NULL, NULL);
      matches = kymo_table_get_int (answer, "matches", 0);
      g_assert_cmpint (matches, >, 1500);
      if (i > 0)
        gtk_selection_model_select_item (model, rows[i].pe, TRUE);
      g_assert_cmpuint (wait_for_blocks (desk, rows[i].label, matches), ==, 8 + matches);
      g_assert_true (i == 0 || gtk_selection_model_is_selected (model, rows[i].pe));
    }
}

/* A screen reader speaks all cells of the line with the keyboard. */
static void
check_spoken (GtkWidget *list)
{
  GtkWidget *line = gtk_widget_get_first_child (list);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autofree char *spoken = NULL;

  g_assert_true (gtk_widget_grab_focus (line));
  spoken = gtk_test_accessible_check_property (GTK_ACCESSIBLE (line),
                                               GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  desk_collect (line, GTK_TYPE_LABEL, labels);
  g_assert_cmpuint (labels->len, >, 1);
  for (guint i = 0; i < labels->len; i++)
    g_assert_nonnull (strstr (spoken, gtk_label_get_text (labels->pdata[i])));
}

static GtkColumnViewColumn *
find_column (GtkColumnView *view, const char *title)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (g_str_equal (gtk_column_view_column_get_title (column), title))
        return column;
    }
  g_error ("there is no column %s", title);
}

/* Lines are sorted by the numbers of a column, which their texts tell with units; the line that
   was chosen stays chosen. */
static void
test_sorted (Desk *desk, gconstpointer path)
{
  KymoChartTable *table = KYMO_CHART_TABLE (desk->view->table);
  GtkColumnView *view;
  GtkSelectionModel *model;
  g_autofree char *before = NULL, *after = NULL;
  g_auto (GStrv) lines = NULL;

  kymo_run_view_set_view (desk->view, "extrema");
  desk_settle (desk);
  g_assert_true (check_picture (desk, kymo_run_view_current_canvas (desk->view)));
  before = kymo_chart_table_dup_lines (table);
  view = GTK_COLUMN_VIEW (desk_need (GTK_WIDGET (table), GTK_TYPE_COLUMN_VIEW, NULL));
  model = gtk_column_view_get_model (view);
  gtk_selection_model_select_item (model, 0, TRUE);
  desk_turn ();
  gtk_column_view_sort_by_column (view, find_column (view, "Value"), GTK_SORT_DESCENDING);
  after = kymo_chart_table_dup_lines (table);
  lines = g_strsplit (after, "\n", -1);
  g_assert_cmpuint (strlen (before), ==, strlen (after));
  g_assert_cmpstr (before, !=, after);
  /* A PE has more than any of its parts; parts have units, too. */
  for (guint i = 0; i < 3; i++)
    g_assert_nonnull (strstr (lines[i], "of the average"));
  g_assert_nonnull (strstr (after, "kind entry method, value 94.3 ms"));
  g_assert_true (g_str_has_suffix (after, " µs\n"));
  g_assert_true (gtk_selection_model_is_selected (model, 0));
}

/* Keys go from line to line, though several share a place in the picture. */
static void
test_walk (Desk *desk, gconstpointer path)
{
  static const char *const views[] = { "usage", "extrema", "time-profile", "clusters",
                                       "thread-bars", "communication" };

  kymo_accessible_name_lines (GTK_WINDOW (desk->window));
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkSelectionModel *model;
      guint n;

      kymo_run_view_set_view (desk->view, views[i]);
      desk_settle (desk);
      g_assert_true (check_picture (desk, kymo_run_view_current_canvas (desk->view)));
      model = gtk_list_view_get_model (GTK_LIST_VIEW (
        desk_find (desk->view->table, GTK_TYPE_LIST_VIEW, NULL)));
      n = g_list_model_get_n_items (G_LIST_MODEL (model));
      check_spoken (desk_find (desk->view->table, GTK_TYPE_LIST_VIEW, NULL));
      for (guint line = 0; line < MIN (n, 40); line++)
        {
          gtk_selection_model_select_item (model, line, TRUE);
          for (guint turn = 0; turn < 3; turn++)
            desk_turn ();
          g_assert_true (gtk_selection_model_is_selected (model, line));
        }
    }
}

/* What is said of a cell is what a line of the answer's list tells. */
static void
check_cell (const char *words, KymoTable *list, guint line)
{
  static const char *const names[] = { "from", "to" };
  g_autofree char *bytes = NULL;

  g_assert_cmpuint (line, <, kymo_table_get_n_rows (list));
  bytes = kymo_format_bytes (kymo_table_get_int (list, "bytes", line));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *name = kymo_table_get_string (list, names[i], line);
      g_autofree char *number = g_strdup_printf ("%" PRId64,
                                                 kymo_table_get_int (list, names[i], line));

      g_assert_nonnull (strstr (words, name != NULL ? name : number));
    }
  g_assert_nonnull (strstr (words, bytes));
}

/* Cells of one row of a matrix have lines of their own. */
static void
test_cells (Desk *desk, gconstpointer path)
{
  static const struct { const char *plot, *list; } modes[] = {
    { "communication", "matrix" }, { "call-table", "calls" },
  };

  kymo_run_view_set_view (desk->view, "communication");
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr (GHashTable) lines = g_hash_table_new (NULL, NULL);
      g_autoptr (GPtrArray) items = NULL;
      KymoCanvas *canvas;
      GtkSingleSelection *model;

      kymo_run_view_set_mode (desk->view, modes[i].plot);
      desk_settle (desk);
      canvas = kymo_run_view_current_canvas (desk->view);
      g_assert_cmpstr (kymo_canvas_get_plot (canvas)->id, ==, modes[i].plot);
      g_assert_true (check_picture (desk, canvas));
      model = GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (
        desk_find (desk->view->table, GTK_TYPE_LIST_VIEW, NULL))));
      items = kymo_canvas_dup_items (canvas);
      g_assert_cmpuint (items->len, >, 10);
      for (guint k = 0; k < MIN (items->len, 40); k++)
        {
          g_autofree char *words = kymo_canvas_dup_item_words (canvas, items->pdata[k]);
          guint line;

          kymo_canvas_choose_item (canvas, k);
          for (guint turn = 0; turn < 3; turn++)
            desk_turn ();
          line = gtk_single_selection_get_selected (model);
          check_cell (words, kymo_table_peek_nested (canvas->answer, modes[i].list, NULL), line);
          g_assert_true (g_hash_table_add (lines, GUINT_TO_POINTER (line)));
        }
    }
}

/* Pictures that a run has; the flame graph is the icicle from below. */
static const struct { const char *run, *plots; } expected[] = {
  { SAMPLE, "timeline time-profile usage histogram communication communication-locations "
            "communication-time communication-graph message-graph extrema clusters distances "
            "scatter" },
  { MPI, "timeline time-profile usage histogram communication communication-locations "
         "message-graph extrema thread-bars function-bars function-threads-histogram "
         "thread-scatter icicle call-graph" },
  { PROFILE, "thread-bars function-bars function-threads-histogram thread-scatter icicle "
             "call-graph" },
};

static void
test_figures (Desk *desk, gconstpointer path)
{
  g_autoptr (GHashTable) plots = desk_each_picture (desk, check_picture);
  g_auto (GStrv) names = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    if (g_str_equal (expected[i].run, path))
      names = g_strsplit (expected[i].plots, " ", -1);
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (!g_hash_table_contains (plots, names[i]))
        g_test_message ("%s was not reached", names[i]);
      g_assert_true (g_hash_table_contains (plots, names[i]));
    }
}

#define add(path, run, function) \
  g_test_add ("/chart-table/" path, Desk, run, desk_open, function, desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("blocks", SAMPLE, test_blocks);
  add ("figures", SAMPLE, test_figures);
  add ("walk", SAMPLE, test_walk);
  add ("cells", SAMPLE, test_cells);
  add ("aside", SAMPLE, test_aside);
  add ("mpi/aside", MPI, test_aside);
  add ("mpi/figures", MPI, test_figures);
  add ("profile/figures", PROFILE, test_figures);
  add ("escape", SAMPLE, test_escape);
  add ("sorted", SAMPLE, test_sorted);
  return g_test_run ();
}
