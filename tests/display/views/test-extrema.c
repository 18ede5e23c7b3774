/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Extrema view in a window, over the sample run: its bars are what
 * `kymo-cli extrema` answers; PEs are chosen by click, rubber band and keys,
 * and shown in the other views.
 *
 * Needs a display, and KYMO_CLI: the path of the command line.
 */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "desk.h"
#include "kymo-extrema-view.h"
#include "kymo-open.h"
#include "kymo-run-source.h"
#include "pictures.h"

typedef struct
{
  char        *path;
  KymoSession *session;
  GtkWidget   *window, *view;
  KymoCanvas  *canvas;
  char        *shown, *explained;
} Desk;

static void
settle (Desk *desk)
{
  WAIT_FOR (kymo_canvas_is_settled (desk->canvas));
}

static void
desk_open (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoSource) source = NULL;

  desk->path = g_test_build_filename (G_TEST_DIST, "..", "..", "data", "sample",
                                      NULL);
  source = desk_open_run (desk->path);
  desk->session = kymo_session_new (source);
  desk->view = kymo_extrema_view_new (desk->session);
  desk->canvas
    = kymo_extrema_view_get_canvas (KYMO_EXTREMA_VIEW (desk->view));
  g_signal_connect_swapped (desk->view, "show-view",
                            G_CALLBACK (desk_keep_word), &desk->shown);
  g_signal_connect_swapped (desk->view, "explain",
                            G_CALLBACK (desk_keep_word), &desk->explained);
  desk->window = desk_present (desk->view, 900, 500);
  settle (desk);
}

static void
desk_close (Desk *desk, gconstpointer data)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_free (desk->path);
  g_free (desk->shown);
  g_free (desk->explained);
}

/* -- driving -------------------------------------------------------------- */

/* Where the bar of a PE is. */
static KymoRect
bar_of (Desk *desk, gint64 pe)
{
  const KymoPlotClass *klass = kymo_canvas_get_plot (desk->canvas);
  g_autoptr (GArray) places = NULL;
  KymoPlotFrame frame;

  kymo_plot_frame_init (&frame, gtk_widget_get_width (GTK_WIDGET (
                          desk->canvas)),
                        gtk_widget_get_height (GTK_WIDGET (desk->canvas)),
                        FALSE, kymo_session_peek_colors (desk->session),
                        kymo_session_get_range (desk->session));
  places = picture_places (klass, kymo_canvas_peek_answer (desk->canvas), &frame);
  for (guint i = 0; i < places->len; i++)
    if (g_array_index (places, KymoPlotPlace, i).location == pe)
      return g_array_index (places, KymoPlotPlace, i).rect;
  g_assert_not_reached ();
}

static void
click (Desk *desk, gint64 pe, int n_press)
{
  KymoRect bar = bar_of (desk, pe);

  g_signal_emit_by_name (desk_find_controller (GTK_WIDGET (desk->canvas),
                                               GTK_TYPE_GESTURE_CLICK),
                         "released", n_press, bar.x + bar.width / 2,
                         bar.y + bar.height - 2);
}

static char *
picked (Desk *desk)
{
  KymoIdSet *picks = kymo_canvas_peek_picks (desk->canvas);

  return picks != NULL ? kymo_id_set_to_text (picks) : g_strdup ("none");
}

#define ASSERT_PICKED(text)                                             \
  G_STMT_START                                                          \
    {                                                                   \
      g_autofree char *now = picked (desk);                             \
      g_assert_cmpstr (now, ==, text);                                  \
    }                                                                   \
  G_STMT_END

/* -- what is shown -------------------------------------------------------- */

static void
compare_answer (Desk *desk, const char *by, const char *count)
{
  const char *args[] = { g_getenv ("KYMO_CLI"), "extrema", desk->path, "--by",
                         by, "--count", count, "--format", "json", NULL };
  g_autoptr (GString) shown = g_string_new ("\"extrema\":");
  g_autoptr (GError) error = NULL;
  g_autofree char *cli = NULL;

  g_spawn_sync (NULL, (char **) args, NULL, G_SPAWN_DEFAULT, NULL, NULL, &cli,
                NULL, NULL, &error);
  g_assert_no_error (error);
  kymo_table_write_json (kymo_table_peek_nested (
    kymo_canvas_peek_answer (desk->canvas), "extrema", NULL), shown);
  if (strstr (cli, shown->str) == NULL)
    g_error ("the view has %s\nthe command line %s", shown->str, cli);
}

static void
test_figures (Desk *desk, gconstpointer data)
{
  static const char *const attributes[] = {
    "busy", "most-idle", "least-idle", "overhead", "longest", "grain", "sent",
    "received", "bytes-sent", "bytes-received",
  };

  gtk_check_button_set_active (GTK_CHECK_BUTTON (desk_need (
    desk->view, GTK_TYPE_CHECK_BUTTON, "What a value is made of, by entry method")),
    FALSE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (desk_need (
    desk->view, GTK_TYPE_CHECK_BUTTON, "Mark the representatives and outliers of the "
    "clusters, as the Cluster view is set")), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      desk_choose (desk->view, "By what PEs are ranked", i);
      settle (desk);
      g_assert_false (kymo_canvas_has_failed (desk->canvas));
      compare_answer (desk, attributes[i], "8");
    }
}

/* The bars of the PEs that are kept tell so. */
static void
test_kept (Desk *desk, gconstpointer data)
{
  KymoTable *list = kymo_table_peek_nested (
    kymo_canvas_peek_answer (desk->canvas), "extrema", NULL);
  guint n = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    n += kymo_table_get_string (list, "kept_as", i) != NULL;
  /* Four representatives and one outlier. */
  g_assert_cmpuint (n, ==, 5);
  g_assert_nonnull (kymo_table_peek_nested (list, "parts", NULL));
}

static void
test_order (Desk *desk, gconstpointer data)
{
  KymoRect first, second;

  desk_choose (desk->view, "Order of the bars", 1);
  settle (desk);
  first = bar_of (desk, 0);
  second = bar_of (desk, 1);
  g_assert_cmpfloat (first.x, <, second.x);
  desk_choose (desk->view, "How many PEs", 0);
  settle (desk);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (
    kymo_canvas_peek_answer (desk->canvas), "extrema", NULL)), ==, 8);
}

/* -- choosing ------------------------------------------------------------- */

static void
test_click (Desk *desk, gconstpointer data)
{
  click (desk, 3, 1);
  ASSERT_PICKED ("3");
  g_assert_null (kymo_session_peek_locations (desk->session));
  click (desk, 5, 1);
  ASSERT_PICKED ("5");
  click (desk, 5, 2);
  g_assert_cmpstr (desk->shown, ==, "timeline");
  g_assert_true (kymo_id_set_contains (
    kymo_session_peek_locations (desk->session), 5));
  g_assert_false (kymo_id_set_contains (
    kymo_session_peek_locations (desk->session), 3));
  /* It is still about all PEs. */
  settle (desk);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (
    kymo_canvas_peek_answer (desk->canvas), "extrema", NULL)), ==, 8);
  ASSERT_PICKED ("5");
}

static void
test_keys (Desk *desk, gconstpointer data)
{
  desk_choose (desk->view, "Order of the bars", 1);
  settle (desk);
  g_assert_true (desk_press (desk->canvas, GDK_KEY_Right, 0));
  ASSERT_PICKED ("0");
  desk_press (desk->canvas, GDK_KEY_Right, 0);
  ASSERT_PICKED ("1");
  desk_press (desk->canvas, GDK_KEY_Right, GDK_SHIFT_MASK);
  desk_press (desk->canvas, GDK_KEY_Right, GDK_SHIFT_MASK);
  ASSERT_PICKED ("1-3");
  desk_press (desk->canvas, GDK_KEY_Left, GDK_SHIFT_MASK);
  ASSERT_PICKED ("1-2");
  desk_press (desk->canvas, GDK_KEY_End, 0);
  ASSERT_PICKED ("7");
  desk_press (desk->canvas, GDK_KEY_Right, 0);
  ASSERT_PICKED ("7");
  desk_press (desk->canvas, GDK_KEY_Home, 0);
  desk_press (desk->canvas, GDK_KEY_space, 0);
  ASSERT_PICKED ("none");
  desk_press (desk->canvas, GDK_KEY_a, GDK_CONTROL_MASK);
  ASSERT_PICKED ("0-7");
  g_assert_true (desk_press (desk->canvas, GDK_KEY_Escape, 0));
  ASSERT_PICKED ("none");
  desk_press (desk->canvas, GDK_KEY_Home, 0);
  desk_press (desk->canvas, GDK_KEY_Return, 0);
  g_assert_cmpstr (desk->shown, ==, "timeline");
}

static void
test_band (Desk *desk, gconstpointer data)
{
  KymoRect first, last;

  desk_choose (desk->view, "Order of the bars", 1);
  settle (desk);
  first = bar_of (desk, 2);
  last = bar_of (desk, 4);
  /* Over the bars, where they are not: their columns are meant. */
  kymo_canvas_pick_in (desk->canvas, &(KymoRect) {
    first.x + 1, 40, last.x + last.width - 2 - first.x, 3 }, FALSE);
  ASSERT_PICKED ("2-4");
  kymo_canvas_pick_in (desk->canvas, &(KymoRect) {
    bar_of (desk, 6).x + 1, 40, 2, 3 }, TRUE);
  ASSERT_PICKED ("2-4,6");
}

static void
test_buttons (Desk *desk, gconstpointer data)
{
  GtkWidget *only = desk_need (desk->view, GTK_TYPE_BUTTON,
                          "Show the chosen PEs alone in every view");
  GtkWidget *why = desk_need (desk->view, GTK_TYPE_BUTTON,
                         "Why do the chosen PEs stick out?");
  g_autofree char *words = NULL;

  g_assert_false (gtk_widget_get_sensitive (only));
  g_assert_false (gtk_widget_get_sensitive (why));
  click (desk, 3, 1);
  g_assert_true (gtk_widget_get_sensitive (only));
  g_signal_emit_by_name (why, "clicked");
  g_assert_cmpstr (desk->explained, ==, "3");
  g_signal_emit_by_name (only, "clicked");
  g_assert_null (desk->shown);
  g_assert_true (kymo_id_set_contains (
    kymo_session_peek_locations (desk->session), 3));
  words = kymo_canvas_dup_picked_words (desk->canvas);
  g_assert_nonnull (strstr (words, "PE 3"));
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_assert_nonnull (g_getenv ("KYMO_CLI"));
  g_test_add ("/extrema/figures", Desk, NULL, desk_open, test_figures,
              desk_close);
  g_test_add ("/extrema/kept", Desk, NULL, desk_open, test_kept, desk_close);
  g_test_add ("/extrema/order", Desk, NULL, desk_open, test_order, desk_close);
  g_test_add ("/extrema/click", Desk, NULL, desk_open, test_click, desk_close);
  g_test_add ("/extrema/keys", Desk, NULL, desk_open, test_keys, desk_close);
  g_test_add ("/extrema/band", Desk, NULL, desk_open, test_band, desk_close);
  g_test_add ("/extrema/buttons", Desk, NULL, desk_open, test_buttons,
              desk_close);
  return g_test_run ();
}
