/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLineTable, by way of a list of a made answer: order, selection, copies and tooltips.
 *
 * Needs a display.
 */
#include "config.h"

#include "desk.h"
#include "kymo-answer-list.h"
#include "kymo-line-model.h"
#include "kymo-line-table-private.h"
#include "kymo-line-widths.h"

#define LONG_NAME "a name that is much too long for a column of sixty pixels"

static const KymoAnswerColumn columns[] = {
  { "name", "Name", KYMO_CELL_TEXT, 60 },
  { "value", "Value", KYMO_CELL_NUMBER, 60 },
};

static KymoTable *
make_table (const char *const *names, const double *values)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint value = kymo_table_add_column (table, "value", KYMO_COLUMN_DOUBLE, 1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      kymo_table_append_string (table, name, names[i]);
      kymo_table_append_double (table, value, values[i]);
    }
  return table;
}

typedef struct
{
  GtkWidget     *list, *window;
  KymoLineTable *lines;
} View;

static void
open_list (View *view, gconstpointer unused)
{
  static const char *const names[] = { "b", LONG_NAME, "c", "d", NULL };
  static const double values[] = { 2, 1, NAN, 3 };
  g_autoptr (KymoTable) table = make_table (names, values);

  view->list = kymo_answer_list_new (columns, G_N_ELEMENTS (columns), "list");
  view->lines = KYMO_LINE_TABLE (view->list);
  view->window = desk_present (view->list, 300, 300);
  kymo_answer_list_set (KYMO_ANSWER_LIST (view->list), table, NULL, 0, FALSE);
  desk_turn ();
}

static void
close_list (View *view, gconstpointer unused)
{
  desk_clear_window (&view->window);
}

static void
assert_rows (View *view, int a, int b, int c, int d)
{
  const int rows[] = { a, b, c, d };

  g_assert_cmpuint (kymo_line_table_get_n_lines (view->lines), ==, G_N_ELEMENTS (rows));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (kymo_line_table_row_at (view->lines, i), ==, rows[i]);
}

/* What is not known counts as the least; copies are in the order that is seen. */
static void
test_order (View *view, gconstpointer unused)
{
  g_autofree char *figures = NULL;

  assert_rows (view, 0, 1, 2, 3);
  kymo_line_table_sort (view->lines, 0, FALSE);
  assert_rows (view, 1, 0, 2, 3);
  kymo_line_table_sort (view->lines, 1, FALSE);
  assert_rows (view, 2, 1, 0, 3);
  kymo_line_table_sort (view->lines, 1, TRUE);
  assert_rows (view, 3, 0, 1, 2);
  figures = kymo_line_table_dup_figures (view->lines);
  g_assert_cmpstr (figures, ==, "Name\tValue\nd\t3\nb\t2\n" LONG_NAME "\t1\nc\t\n");
}

static void
count (int *n)
{
  ++*n;
}

/* Another answer is sorted as the one before, and nobody has selected anything. */
static void
test_answer (View *view, gconstpointer unused)
{
  static const char *const names[] = { "x", "y", "z", NULL };
  static const double values[] = { 5, 7, 6 };
  static const guint rows[] = { 1, 2 };
  g_autoptr (KymoTable) table = make_table (names, values);
  int n = 0;

  g_signal_connect_swapped (view->list, "selected", G_CALLBACK (count), &n);
  kymo_line_table_sort (view->lines, 1, FALSE);
  kymo_line_table_select (view->lines, 0, TRUE);
  g_assert_cmpint (kymo_line_table_get_selected (view->lines), ==, 2);
  kymo_answer_list_set (KYMO_ANSWER_LIST (view->list), table, rows, G_N_ELEMENTS (rows), FALSE);
  g_assert_cmpuint (kymo_line_table_get_n_lines (view->lines), ==, 2);
  g_assert_cmpint (kymo_line_table_row_at (view->lines, 0), ==, 2);
  g_assert_cmpint (kymo_line_table_row_at (view->lines, 1), ==, 1);
  g_assert_cmpint (kymo_line_table_row_at (view->lines, 2), ==, -1);
  g_assert_cmpint (kymo_line_table_get_selected (view->lines), ==, -1);
  kymo_answer_list_set (KYMO_ANSWER_LIST (view->list), NULL, NULL, 0, FALSE);
  g_assert_cmpuint (kymo_line_table_get_n_lines (view->lines), ==, 0);
  g_assert_cmpint (n, ==, 0);
}

static gboolean
has_tooltip (View *view, const char *text)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean told = FALSE;

  desk_collect (view->list, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (g_str_equal (gtk_label_get_text (labels->pdata[i]), text))
      {
        g_signal_emit_by_name (labels->pdata[i], "query-tooltip", 0, 0, FALSE, tooltip, &told);
        return told;
      }
  g_assert_not_reached ();
}

/* A text that is cut is told whole; one that is seen whole is not told again. */
static void
test_tooltip (View *view, gconstpointer unused)
{
  WAIT_FOR (has_tooltip (view, LONG_NAME));
  g_assert_false (has_tooltip (view, "b"));
}

static char *
key_at (guint row, gpointer keys)
{
  return g_strdup (((const char *const *) keys)[row]);
}

static void
assert_lines (GListStore *lines, const char *expected)
{
  g_autoptr (GString) told = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (lines)); i++)
    {
      g_autoptr (KymoLine) line = g_list_model_get_item (G_LIST_MODEL (lines), i);

      g_string_append_printf (told, "%s%u ", line->key, line->row);
    }
  g_assert_cmpstr (told->str, ==, expected);
}

/* A line stays as long as its row is known; rows that nothing tells apart have one each. */
static void
test_known (View *view, gconstpointer unused)
{
  static const char *const before[] = { "a", "b", "c", "d" };
  static const char *const after[] = { "d", "e", "b", "b" };
  g_autoptr (GListStore) lines = g_list_store_new (KYMO_TYPE_LINE);
  g_autoptr (KymoLine) b = NULL, first = NULL;

  g_assert_true (kymo_line_model_match (lines, NULL, 4, key_at, NULL, (gpointer) before));
  assert_lines (lines, "a0 b1 c2 d3 ");
  b = g_list_model_get_item (G_LIST_MODEL (lines), 1);
  g_assert_true (kymo_line_model_match (lines, NULL, 4, key_at, NULL, (gpointer) after));
  assert_lines (lines, "b2 d0 e1 b3 ");
  first = g_list_model_get_item (G_LIST_MODEL (lines), 0);
  g_assert_true (first == b);
  g_assert_false (kymo_line_model_match (lines, NULL, 2, key_at, NULL, (gpointer) after));
  assert_lines (lines, "d0 e1 ");
}

/* A heading that a person dragged elsewhere is still the column that the program means. */
static void
test_dragged (View *view, gconstpointer unused)
{
  GtkColumnView *list = GTK_COLUMN_VIEW (desk_find (view->list, GTK_TYPE_COLUMN_VIEW, NULL));
  g_autoptr (GtkColumnViewColumn) value
    = g_list_model_get_item (gtk_column_view_get_columns (list), 1);
  g_autofree char *figures = NULL;

  gtk_column_view_insert_column (list, 0, value);
  kymo_line_table_set_title (view->lines, 1, "Size");
  g_assert_cmpstr (gtk_column_view_column_get_title (value), ==, "Size");
  figures = kymo_line_table_dup_figures (view->lines);
  g_assert_true (g_str_has_prefix (figures, "Name\tSize\nb\t2\n"));
}

/* -- figures -------------------------------------------------------------- */

static const KymoAnswerColumn figures[] = {
  { "name", "Name", KYMO_CELL_TEXT, 0 },
  { "ns", "Total", KYMO_CELL_TIME, 60 },
  { "when", "From", KYMO_CELL_MOMENT, 60 },
  { "bytes", "Bytes", KYMO_CELL_COUNT, 60 },
  { "kind", "Kind", KYMO_CELL_TEXT, 60 },
};

static KymoTable *
make_figures (gboolean filled)
{
  static const gint64 times[] = { G_GINT64_CONSTANT (5600123000), 41000, 6000, 0 };
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (table, "ns", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "when", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "bytes", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      kymo_table_append_string (table, 0, "short()");
      kymo_table_append_int (table, 1, times[i]);
      kymo_table_append_int (table, 2, 1500000 + 1000 * i);
      kymo_table_append_int (table, 3, filled ? 8 : KYMO_NULL_INT);
      kymo_table_append_string (table, 4, filled ? "send" : NULL);
    }
  return table;
}

static void
assert_text (KymoLineTable *lines, guint column, guint row, const char *expected)
{
  g_autofree char *text = KYMO_LINE_TABLE_GET_CLASS (lines)->text (lines, column, row, FALSE);

  g_assert_cmpstr (text, ==, expected);
}

static gboolean
is_shown (KymoLineTable *lines, guint column)
{
  g_autoptr (GtkColumnViewColumn) shown = kymo_line_table_column_at (lines, column);

  return gtk_column_view_column_get_visible (shown);
}

static int
width_of (KymoLineTable *lines, guint column)
{
  g_autoptr (GtkColumnViewColumn) shown = kymo_line_table_column_at (lines, column);

  return gtk_column_view_column_get_fixed_width (shown);
}

/* Times of a column have one unit and as many decimals. A column without a figure is not shown, and
   stays once it had one. Names take no more than they need, and figures are not cut. */
static void
test_figures (void)
{
  GtkWidget *list = kymo_answer_list_new (figures, G_N_ELEMENTS (figures), "figures");
  KymoLineTable *lines = KYMO_LINE_TABLE (list);
  GtkWidget *window = desk_present (list, 900, 300);
  g_autoptr (KymoTable) bare = make_figures (FALSE), filled = make_figures (TRUE);

  kymo_answer_list_set (KYMO_ANSWER_LIST (list), bare, NULL, 0, FALSE);
  assert_text (lines, 1, 0, "5,600.12 ms");
  assert_text (lines, 1, 1, "0.04 ms");
  assert_text (lines, 1, 2, "0.01 ms");
  assert_text (lines, 1, 3, "0.00 ms");
  assert_text (lines, 2, 0, "1.500 ms");
  assert_text (lines, 2, 1, "1.501 ms");
  g_assert_true (is_shown (lines, 1) && is_shown (lines, 2));
  g_assert_false (is_shown (lines, 3) || is_shown (lines, 4));
  WAIT_FOR (width_of (lines, 0) > 0);
  g_assert_cmpint (width_of (lines, 0), <, 200);
  g_assert_cmpint (width_of (lines, 1), >, 60);
  kymo_answer_list_set (KYMO_ANSWER_LIST (list), filled, NULL, 0, FALSE);
  g_assert_true (is_shown (lines, 3) && is_shown (lines, 4));
  kymo_answer_list_set (KYMO_ANSWER_LIST (list), bare, NULL, 0, FALSE);
  g_assert_true (is_shown (lines, 3) && is_shown (lines, 4));
  desk_clear_window (&window);
}

static int
sum_of_widths (KymoLineTable *lines)
{
  int sum_px = 0;

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    sum_px += is_shown (lines, i) ? MAX (width_of (lines, i), 0) : 0;
  return sum_px;
}

/* In a narrow table columns are as narrow as their figures, in a wide one as wide as usual. The
   heading of a figure ends where the figure does. */
static void
test_narrow (void)
{
  static const KymoAnswerColumn roomy[G_N_ELEMENTS (figures)] = {
    { "name", "Name", KYMO_CELL_TEXT, 0 }, { "ns", "Total", KYMO_CELL_TIME, 120 },
    { "when", "From", KYMO_CELL_MOMENT, 120 }, { "bytes", "Bytes", KYMO_CELL_COUNT, 120 },
    { "kind", "Kind", KYMO_CELL_TEXT, 120 },
  };
  GtkWidget *list = kymo_answer_list_new (roomy, G_N_ELEMENTS (roomy), "roomy");
  KymoLineTable *lines = KYMO_LINE_TABLE (list);
  GtkWidget *wide = desk_present (list, 900, 300), *header, *title;
  g_autoptr (KymoTable) filled = make_figures (TRUE);
  int wide_px;

  g_object_ref (list);
  kymo_answer_list_set (KYMO_ANSWER_LIST (list), filled, NULL, 0, FALSE);
  WAIT_FOR (width_of (lines, 0) > 0);
  wide_px = sum_of_widths (lines);
  g_assert_cmpint (wide_px, >, 440);
  header = gtk_widget_get_first_child (kymo_line_table_peek_view (lines));
  title = gtk_widget_get_first_child (header);
  g_assert_cmpint (gtk_widget_get_halign (gtk_widget_get_first_child (title)), ==,
                   GTK_ALIGN_FILL);
  title = gtk_widget_get_next_sibling (title);
  g_assert_cmpint (gtk_widget_get_halign (gtk_widget_get_first_child (title)), ==,
                   GTK_ALIGN_END);
  gtk_window_set_child (GTK_WINDOW (wide), NULL);
  desk_clear_window (&wide);
  wide = desk_present (list, 440, 300);
  WAIT_FOR (sum_of_widths (lines) <= 440);
  gtk_window_set_child (GTK_WINDOW (wide), NULL);
  desk_clear_window (&wide);
  wide = desk_present (list, 900, 300);
  WAIT_FOR (sum_of_widths (lines) == wide_px);
  g_object_unref (list);
  desk_clear_window (&wide);
}

static int
natural_width (GtkWidget *widget)
{
  int width;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  return width;
}

/* With the style sheet of the program the mark of the order takes room in the column alone by which
   the table is sorted: other headings are as wide as their words, and end where figures end. */
static void
test_heading (View *view, gconstpointer unused)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "data", "style.css",
                                                 NULL);
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  GtkWidget *heading = gtk_widget_get_first_child (kymo_line_table_peek_view (view->lines));
  GtkWidget *words;
  int unsorted_px;

  heading = gtk_widget_get_next_sibling (gtk_widget_get_first_child (heading));
  words = gtk_widget_get_first_child (gtk_widget_get_first_child (heading));
  gtk_css_provider_load_from_path (provider, path);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_assert_cmpint (natural_width (words), >, 0);
  WAIT_FOR (kymo_line_table_heading_width (view->lines, 1) <= natural_width (words) + 14);
  unsorted_px = kymo_line_table_heading_width (view->lines, 1);
  kymo_line_table_sort (view->lines, 1, TRUE);
  WAIT_FOR (kymo_line_table_heading_width (view->lines, 1) >= unsorted_px + 10);
  gtk_style_context_remove_provider_for_display (gdk_display_get_default (),
                                                 GTK_STYLE_PROVIDER (provider));
}

/* Keys sort by the next column, figures from the largest; a screen reader is told. */
static void
test_keys (View *view, gconstpointer unused)
{
  GtkWidget *table = kymo_line_table_peek_view (view->lines);
  const GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;

  g_assert_true (desk_press (table, GDK_KEY_Right, both));
  assert_rows (view, 1, 0, 2, 3);
  g_assert_true (desk_press (table, GDK_KEY_Right, both));
  assert_rows (view, 3, 0, 1, 2);
  g_assert_cmpstr (g_object_get_data (G_OBJECT (table), "kymo-sort-words"), ==,
                   "Sorted by Value, largest first");
  g_assert_true (desk_press (table, GDK_KEY_Up, both));
  assert_rows (view, 2, 1, 0, 3);
  g_assert_true (desk_press (table, GDK_KEY_Left, both));
  g_assert_true (desk_press (table, GDK_KEY_Down, both));
  assert_rows (view, 3, 2, 0, 1);
  g_assert_cmpstr (g_object_get_data (G_OBJECT (table), "kymo-sort-words"), ==,
                   "Sorted by Name, from Z to A");
  g_assert_false (desk_press (table, GDK_KEY_Right, 0));
}

#define add(path, function) \
  g_test_add ("/line-table/" path, View, NULL, open_list, function, close_list)

/* The width that a person gave to a column is there in the next list of this name, also after
   the program was started again; that of another list is its own. */
static void
test_widths (void)
{
  GtkWidget *list;
  g_autoptr (GSettings) settings = g_settings_new (KYMO_APP_ID);
  const int wanted[] = { 60, 123, 123, 60 };
  const char *const names[] = { "one", "one", "one", "other" };

  kymo_line_widths_use (settings, "column-widths");
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = NULL;

      list = g_object_ref_sink (kymo_answer_list_new (columns, G_N_ELEMENTS (columns), names[i]));
      column = kymo_line_table_column_at (KYMO_LINE_TABLE (list), 0);
      g_assert_cmpint (gtk_column_view_column_get_fixed_width (column), ==, wanted[i]);
      if (i == 0)
        gtk_column_view_column_set_fixed_width (column, 123);
      if (i == 1)
        {
          /* Hiding is no width. */
          kymo_line_table_show_column (KYMO_LINE_TABLE (list), 0, FALSE);
          kymo_line_table_show_column (KYMO_LINE_TABLE (list), 0, TRUE);
          g_assert_cmpint (gtk_column_view_column_get_fixed_width (column), ==, 123);
          kymo_line_widths_use (NULL, NULL);
          kymo_line_widths_use (settings, "column-widths");
        }
      g_object_unref (list);
    }
  kymo_line_widths_use (NULL, NULL);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("order", test_order);
  add ("answer", test_answer);
  add ("tooltip", test_tooltip);
  add ("known", test_known);
  add ("dragged", test_dragged);
  add ("keys", test_keys);
  add ("heading", test_heading);
  g_test_add_func ("/line-table/figures", test_figures);
  g_test_add_func ("/line-table/narrow", test_narrow);
  g_test_add_func ("/line-table/widths", test_widths);
  return g_test_run ();
}
