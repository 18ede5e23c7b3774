/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of a comparison for who goes through them with keys or does not see them: what keys
 * go to is painted there and told, and the table behind each says what its answer does. And
 * the bar of runs, which is one line.
 */
#include "config.h"

#include <string.h>

#include "compared.h"
#include "kymo-canvas-items.h"
#include "kymo-canvas-private.h"
#include "kymo-chart-table.h"
#include "kymo-compare-view-private.h"
#include "kymo-units.h"
#include "pictures.h"

/* -- keys ----------------------------------------------------------------- */

/* Every box is painted where it says, and told in words. */
static guint
check_boxes (KymoCanvas *canvas)
{
  g_autoptr (GArray) boxes = kymo_canvas_dup_boxes (canvas);
  KymoPlotFrame frame;
  KymoRect area;

  g_assert_nonnull (kymo_canvas_get_plot (canvas)->boxes);
  g_assert_cmpuint (boxes->len, >, 0);
  kymo_canvas_get_frame (canvas, &frame);
  area = kymo_plot_frame_area (canvas->klass, &frame);
  for (guint i = 0; i < boxes->len; i++)
    {
      const KymoPlotBox *box = &g_array_index (boxes, KymoPlotBox, i);
      KymoPlotHit hit = { .location = -1, .cluster = -1, .time_ns = G_MININT64 };

      /* What is scrolled out of sight is not painted. */
      if (box->rect.y + box->rect.height > area.y + area.height)
        continue;
      g_assert_true (picture_hit (canvas->klass, canvas->answer, &frame,
                                         box->rect.x + box->rect.width / 2,
                                         box->rect.y + box->rect.height / 2, &hit));
      g_assert_nonnull (hit.text);
      if (box->name != NULL)
        g_assert_cmpstr (hit.name, ==, box->name);
      if (kymo_span_length (box->span) > 0)
        g_assert_cmpint (hit.span.begin_ns, ==, box->span.begin_ns);
      kymo_plot_hit_clear (&hit);
    }
  return boxes->len;
}

/* Keys lead through it, and what they are at is told. Returns: how many steps that were */
static guint
check_walk (KymoCanvas *canvas)
{
  gint64 row;
  guint part, steps = 0;

  g_assert_true (desk_press (canvas, GDK_KEY_Home, 0));
  do
    {
      row = canvas->box;
      part = canvas->box_part;
      g_assert_nonnull (canvas->hit.text);
      g_assert_nonnull (canvas->description);
      g_assert_true (desk_press (canvas, g_str_equal (canvas->klass->id, "compare-activities")
                                 ? GDK_KEY_Down : GDK_KEY_Right, 0));
    }
  while ((canvas->box != row || canvas->box_part != part) && ++steps < 5000);
  g_assert_cmpuint (steps, >, 1);
  return steps;
}

/* -- the table behind a picture ------------------------------------------- */

static char **
lines_behind (Compared *desk)
{
  KymoChartTable *table = KYMO_CHART_TABLE (desk_need (GTK_WIDGET (compared_view (desk)),
                                                       KYMO_TYPE_CHART_TABLE, NULL));
  g_autofree char *text = NULL;

  for (guint i = 0; i < MOST_TURNS && (text == NULL || *text == '\0'); i++)
    {
      desk_turn ();
      g_free (text);
      text = kymo_chart_table_dup_lines (table);
    }
  return g_strsplit (g_strchomp (text), "\n", -1);
}

static gboolean
some_line_says (char **lines, const char *one, const char *other)
{
  for (guint i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], one) != NULL && strstr (lines[i], other) != NULL)
      return TRUE;
  return FALSE;
}

/* All that the painted answer holds, with its units. */
static void
check_lines_of_activities (KymoTable *answer, char **lines)
{
  KymoTable *list = kymo_table_peek_nested (answer, "activities", NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      gint64 ns = kymo_table_get_int (list, "difference_ns", i);
      g_autofree char *amount = kymo_format_duration (ns);
      g_autofree char *said = g_strdup_printf ("difference %s", amount);

      g_assert_true (some_line_says (lines, kymo_table_get_string (list, "name", i), said));
      if (kymo_table_get_bool (list, "is_noise", i))
        g_assert_true (some_line_says (lines, kymo_table_get_string (list, "name", i),
                                       "within noise"));
    }
}

static void
check_lines_behind (Compared *desk, KymoCanvas *canvas)
{
  g_auto (GStrv) lines = lines_behind (desk);
  KymoTable *answer = kymo_canvas_peek_answer (canvas);
  guint n = g_strv_length (lines), n_edges = 0;

  if (kymo_table_find_column (answer, "activities") >= 0)
    check_lines_of_activities (answer, lines);
  if (g_str_equal (canvas->klass->id, "compare-series"))
    {
      KymoTable *sides = kymo_table_peek_nested (answer, "sides", NULL);

      g_assert_cmpuint (n, ==, kymo_table_get_n_rows (sides) + kymo_table_get_n_rows (
        kymo_table_peek_nested (answer, "activities", NULL)));
      g_assert_nonnull (strstr (lines[1], "times as fast as A"));
    }
  else if (g_str_equal (canvas->klass->id, "compare-time-profile"))
    {
      kymo_table_peek_ints (answer, "edges_ns", &n_edges);
      g_assert_cmpuint (n, ==, n_edges - 1);
      g_assert_true (some_line_says (lines, " in A ", " difference "));
    }
}

/* In each picture of the comparison, and in those of the runs, whose tables are their own. */
static void
test_behind (void)
{
  static const char *const pages[] = { "time", "changes", "series" };
  static const char *const paths[] = { FEAT, "=" PHASES, NESTED, PHASES, NULL };
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      KymoCanvas *canvas;
      guint n_boxes, steps;

      kymo_compare_view_set_page (compared_view (&desk), pages[i]);
      compared_settle (&desk);
      canvas = kymo_compare_view_canvas (compared_view (&desk));
      n_boxes = check_boxes (canvas);
      steps = check_walk (canvas);
      /* Also to what has to be scrolled to. */
      if (g_str_equal (pages[i], "changes"))
        g_assert_cmpuint (steps, ==, n_boxes - 1);
      if (i == 0)
        kymo_compare_view_command (compared_view (&desk), "table");
      compared_settle (&desk);
      check_lines_behind (&desk, canvas);
    }
  kymo_compare_view_set_page (compared_view (&desk), "runs");
  compared_settle (&desk);
  for (guint run = 0; run < 2; run++)
    {
      g_auto (GStrv) lines = NULL;

      gtk_widget_grab_focus (GTK_WIDGET (compared_canvas (&desk, run)));
      compared_settle (&desk);
      /* The table is of another run now, and takes no keys by that. */
      g_assert_true (gtk_widget_is_focus (GTK_WIDGET (compared_canvas (&desk, run))));
      lines = lines_behind (&desk);
      g_assert_cmpuint (g_strv_length (lines), >=, 4);
      g_assert_nonnull (strstr (lines[0], "PE 0"));
    }
  kymo_compare_view_command (compared_view (&desk), "table");
  g_assert_null (desk_find (GTK_WIDGET (compared_view (&desk)), KYMO_TYPE_CHART_TABLE, NULL));
  compared_close (&desk);
}

/* -- the bar of runs ------------------------------------------------------ */

/* Names show as they are, and the bar is one line however many runs there are. */
static void
test_bar (void)
{
  static const char *const two[] = { FEAT, NESTED, NULL };
  static const char *const many[] = { FEAT, NESTED, PHASES, JACOBI, FEAT, NESTED, PHASES, JACOBI,
                                      FEAT, NESTED, NULL };
  int heights[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
      Compared desk;
      GtkWidget *bar;
      KymoCompareView *view;

      compared_open (&desk, i == 0 ? two : many);
      compared_settle (&desk);
      view = compared_view (&desk);
      bar = gtk_widget_get_first_child (GTK_WIDGET (view));
      heights[i] = gtk_widget_get_height (bar);
      desk_collect (bar, GTK_TYPE_MENU_BUTTON, buttons);
      g_assert_cmpuint (buttons->len, ==, i == 0 ? 3 : 11);
      g_assert_true (gtk_widget_get_visible (buttons->pdata[0]) == (i == 1));
      gtk_menu_button_popup (buttons->pdata[0]);
      if (i == 1)
        {
          GMenuModel *menu = gtk_menu_button_get_menu_model (buttons->pdata[0]);

          g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 10);
          gtk_menu_button_popdown (buttons->pdata[0]);
          compared_act (&desk, "go-to", g_variant_new_uint32 (9));
          g_assert_true (gtk_widget_is_focus (GTK_WIDGET (compared_canvas (&desk, 9))));
        }
      compared_close (&desk);
    }
  g_assert_cmpint (heights[0], ==, heights[1]);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/compare-keys/behind", test_behind);
  g_test_add_func ("/compare-keys/bar", test_bar);
  return g_test_run ();
}
