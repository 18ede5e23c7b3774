/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a timeline in a window: those in sight are asked for, scrolling
 * asks for more, and a person makes them lower, down to all in view, and
 * higher. The source is one of many locations that does nothing.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "desk.h"
#include "kymo-canvas.h"
#include "kymo-session-hover.h"

#define N_LOCATIONS 3000
#define SECOND G_GINT64_CONSTANT (1000000000)

/* -- a source ------------------------------------------------------------- */

static guint
group_of (guint most)
{
  guint group = 1;

  while ((N_LOCATIONS - 1) / group + 1 > most)
    group *= 2;
  return group;
}

static KymoTable *
make_rows (guint first, guint end, guint group)
{
  KymoTable *rows = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *ids = kymo_table_new (KYMO_STYLE_FLAT);
  KymoTable *cells = kymo_table_new (KYMO_STYLE_TUPLES);
  guint label = kymo_table_add_column (rows, "label", KYMO_COLUMN_STRING, 1);
  guint locations = kymo_table_add_nested (rows, "locations", ids);
  guint nested = kymo_table_add_nested (rows, "cells", cells);

  kymo_table_add_column (ids, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (cells, "x0", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (cells, "x1", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (cells, "activity", KYMO_COLUMN_INT, 1);
  for (guint row = first; row < end; row++)
    {
      g_autofree char *text = g_strdup_printf ("PE %u", row * group);

      kymo_table_append_string (rows, label, text);
      for (guint i = row * group; i < MIN ((row + 1) * group, N_LOCATIONS); i++)
        kymo_table_append_int (ids, 0, i);
      kymo_table_end_nested (rows, locations);
      kymo_table_end_nested (rows, nested);
    }
  return rows;
}

static KymoTable *
make_timeline (KymoQuestion *question)
{
  guint group = group_of (kymo_question_get_rows (question));
  guint total = (N_LOCATIONS - 1) / group + 1;
  KymoSpan span = kymo_question_get_span (question);
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  gint64 first, count;

  kymo_question_get_int (question, "first-row", 0, &first, NULL);
  kymo_question_get_int (question, "n-rows", total, &count, NULL);
  first = MIN (first, total);
  count = MIN (count, total - first);
  kymo_table_set_int (answer, "begin_ns", kymo_span_is_all (span) ? 0 : span.begin_ns);
  kymo_table_set_int (answer, "end_ns", kymo_span_is_all (span) ? SECOND : span.end_ns);
  kymo_table_set_int (answer, "columns", 100);
  kymo_table_set_int (answer, "locations", N_LOCATIONS);
  kymo_table_set_int (answer, "group", group);
  kymo_table_set_int (answer, "rows_total", total);
  kymo_table_set_int (answer, "first_row", first);
  kymo_table_set_table (answer, "rows", make_rows (first, first + count, group));
  return answer;
}

/* Location n is in place n. */
static KymoTable *
make_places (KymoQuestion *question)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *places = kymo_table_new (KYMO_STYLE_OBJECTS);
  gint64 id = g_ascii_strtoll (kymo_question_get (question, "of"), NULL, 10);

  kymo_table_add_column (places, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (places, "place", KYMO_COLUMN_INT, 1);
  kymo_table_append_int (places, 0, id);
  kymo_table_append_int (places, 1, id);
  kymo_table_set_table (answer, "places", places);
  return answer;
}

static KymoTable *
answer_question (KymoQuestion  *question,
                 GCancellable  *cancellable,
                 GError       **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (g_str_equal (kymo_question_get_kind (question), "timeline"))
    return make_timeline (question);
  if (g_str_equal (kymo_question_get_kind (question), "place"))
    return make_places (question);
  return kymo_table_new (KYMO_STYLE_OBJECT);
}

/* -- the desk ------------------------------------------------------------- */

static DeskSource *source;
static KymoSession *session;
static KymoCanvas *canvas;

static void
settle (void)
{
  g_main_context_iteration (NULL, TRUE);
  WAIT_FOR (kymo_canvas_is_settled (canvas));
}

static void
press (guint key)
{
  g_assert_true (desk_press (canvas, key, 0));
  settle ();
}

static gint64
told (const char *key)
{
  return kymo_table_get_int (kymo_canvas_peek_answer (canvas), key, 0);
}

static guint
n_rows (void)
{
  return kymo_table_get_n_rows (kymo_table_peek_nested (
    kymo_canvas_peek_answer (canvas), "rows", NULL));
}

/* -- the tests ------------------------------------------------------------ */

static void
test_heights (void)
{
  GtkAdjustment *rows = kymo_canvas_get_vadjustment (canvas);

  /* Thousands are seen as a whole first. */
  g_assert_cmpint (told ("group"), >, 4);
  g_assert_cmpuint (n_rows (), ==, told ("rows_total"));
  g_assert_cmpfloat (gtk_adjustment_get_upper (rows), ==,
                     gtk_adjustment_get_page_size (rows));

  press (GDK_KEY_r);
  g_assert_cmpint (told ("group"), ==, 1);
  g_assert_cmpint (told ("rows_total"), ==, N_LOCATIONS);
  g_assert_cmpuint (n_rows (), <, 100);
  g_assert_cmpfloat (gtk_adjustment_get_upper (rows), >, N_LOCATIONS * 18);

  press (GDK_KEY_e);
  g_assert_cmpfloat (gtk_adjustment_get_upper (rows), >, N_LOCATIONS * 22);
  for (guint i = 0; i < 16; i++)
    press (GDK_KEY_q);
  g_assert_cmpint (told ("group"), >, 1);
  g_assert_cmpint (told ("group"), <, 8);
  g_assert_cmpuint (n_rows (), <, told ("rows_total"));
  for (guint i = 0; i < 10; i++)
    press (GDK_KEY_q);
  g_assert_cmpuint (n_rows (), ==, told ("rows_total"));
  g_assert_cmpfloat (gtk_adjustment_get_upper (rows), ==,
                     gtk_adjustment_get_page_size (rows));
}

/* On a row of several locations a double click goes to the time, not to a block of one. */
static void
test_double_click (void)
{
  GPtrArray *clicks = g_ptr_array_new ();
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (canvas));
  gint64 length = kymo_span_length (kymo_session_get_range (session));
  int width = gtk_widget_get_width (GTK_WIDGET (canvas));
  g_autofree char *text = NULL;

  for (guint i = 0; i < 26; i++)
    press (GDK_KEY_q);
  g_assert_cmpint (told ("group"), >, 1);
  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);

      if (GTK_IS_GESTURE_CLICK (one)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (one)) == GDK_BUTTON_PRIMARY)
        g_ptr_array_add (clicks, one);
    }
  g_assert_cmpuint (clicks->len, >, 0);
  /* A single one chooses no block: that would be one of the first location. */
  kymo_session_set_block (session, 5, SECOND / 2);
  g_signal_emit_by_name (clicks->pdata[0], "released", 1, width / 2.0, 100.0);
  g_assert_false (kymo_session_get_block (session, NULL, NULL));
  /* What is pointed at are all of its locations, and the time. */
  g_assert_cmpint (kymo_session_get_hovered_location (session), ==, -1);
  g_assert_nonnull (kymo_session_peek_hovered_set (session));
  g_assert_true (kymo_session_get_hovered_time (session, NULL));
  text = kymo_id_set_to_text (kymo_session_peek_hovered_set (session));
  g_assert_cmpuint (strtoul (strchr (text, '-') + 1, NULL, 10) - strtoul (text, NULL, 10) + 1,
                    ==, told ("group"));
  g_signal_emit_by_name (clicks->pdata[0], "released", 2, width / 2.0, 100.0);
  settle ();
  g_assert_cmpint (kymo_span_length (kymo_session_get_range (session)), <=, length / 4);
  g_assert_cmpint (kymo_span_length (kymo_session_get_range (session)), >=, length / 9);
  kymo_session_fit (session);
  settle ();
  g_ptr_array_unref (clicks);
}

/* Its menu shows all locations of it alone, not the first. */
static void
test_alone (void)
{
  KymoIdSet *shown;
  g_autofree char *text = NULL;
  gint64 group = told ("group");

  g_assert_cmpint (group, >, 1);
  g_assert_true (desk_press (canvas, GDK_KEY_Menu, 0));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (canvas), "chart.only-row", NULL));
  shown = kymo_session_peek_locations (session);
  g_assert_nonnull (shown);
  text = kymo_id_set_to_text (shown);
  g_assert_nonnull (strchr (text, '-'));
  g_assert_cmpuint (strtoul (strchr (text, '-') + 1, NULL, 10) - strtoul (text, NULL, 10) + 1,
                    ==, group);
  kymo_session_set_locations (session, NULL);
  settle ();
}

static void
test_scrolling (void)
{
  GtkAdjustment *rows = kymo_canvas_get_vadjustment (canvas);

  press (GDK_KEY_r);
  g_assert_cmpint (told ("first_row"), ==, 0);
  gtk_adjustment_set_value (rows, 1000 * 18);
  settle ();
  g_assert_cmpint (told ("first_row"), >, 900);
  g_assert_cmpint (told ("first_row"), <=, 1000);
  g_assert_cmpint (told ("first_row") + n_rows (), >, 1020);
}

/* A block whose row is not at hand: the view learns where it is and goes. */
static void
test_far_block (void)
{
  GtkAdjustment *rows = kymo_canvas_get_vadjustment (canvas);

  kymo_session_set_block (session, 2500, SECOND / 2);
  WAIT_FOR (gtk_adjustment_get_value (rows) >= 2400 * 18);
  settle ();
  g_assert_cmpint (told ("first_row"), <=, 2500);
  g_assert_cmpint (told ("first_row") + n_rows (), >, 2500);
}

int
main (int argc, char *argv[])
{
  GtkWidget *window;
  int failed;

  desk_init (&argc, &argv);
  source = desk_source_new (answer_question, KYMO_CAN_INTERVALS, SECOND);
  session = kymo_session_new (KYMO_SOURCE (source));
  canvas = KYMO_CANVAS (kymo_canvas_new (kymo_plot_find ("timeline"), session));
  window = desk_present (GTK_WIDGET (canvas), 600, 400);
  settle ();

  /* One after another, in one window: each goes on where the last one was. */
  g_test_add_func ("/rows/heights", test_heights);
  g_test_add_func ("/rows/scrolling", test_scrolling);
  g_test_add_func ("/rows/far-block", test_far_block);
  g_test_add_func ("/rows/double-click", test_double_click);
  g_test_add_func ("/rows/alone", test_alone);
  failed = g_test_run ();
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (session);
  g_object_unref (source);
  return failed;
}
