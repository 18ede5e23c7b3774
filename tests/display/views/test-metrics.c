/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menu System: which metrics it offers, that a choice makes strips under the rows, and what a
 * strip tells at the pointer. A run without metrics has no such menu.
 *
 * Needs a display.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-metrics-menu.h"
#include "kymo-session-rows.h"
#include "run_desk.h"

static GtkWidget *
find_menu (Desk *desk)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_collect (desk->window, KYMO_TYPE_METRICS_MENU, found);
  g_assert_cmpuint (found->len, ==, 1);
  return found->pdata[0];
}

static KymoCanvas *
find_timeline (Desk *desk)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_collect (desk->window, KYMO_TYPE_CANVAS, found);
  for (guint i = 0; i < found->len; i++)
    if (g_str_equal (KYMO_CANVAS (found->pdata[i])->klass->id, "timeline"))
      return found->pdata[i];
  g_assert_not_reached ();
}

static guint
n_strips (Desk *desk)
{
  KymoCanvas *canvas = find_timeline (desk);
  KymoTable *metrics = canvas->answer != NULL
    ? kymo_table_peek_nested (canvas->answer, "metrics", NULL) : NULL;

  return metrics != NULL ? kymo_table_get_n_rows (metrics) : 0;
}

/* The texts that are told below the rows, from the top to the bottom, each once. */
static char *
dup_told (Desk *desk)
{
  KymoCanvas *canvas = find_timeline (desk);
  const KymoPicture *picture = kymo_canvas_peek_picture (canvas);
  GString *told = g_string_new (NULL);
  g_autofree char *last = NULL;

  for (double y = 1; y < picture->frame.height_px; y += 4)
    {
      KymoPlotHit hit;

      if (canvas->klass->hit (picture, picture->frame.width_px / 2.0, y, &hit)
          && hit.location < 0 && hit.text != NULL && g_strcmp0 (hit.text, last) != 0)
        {
          g_string_append_printf (told, "%s|", hit.text);
          g_free (last);
          last = g_strdup (hit.text);
        }
      kymo_plot_hit_clear (&hit);
    }
  return g_string_free (told, FALSE);
}

static void
test_choice (Desk *desk, gconstpointer path)
{
  GtkWidget *menu;
  g_autofree char *told = NULL;

  kymo_run_view_set_view (desk->view, "timeline");
  desk_settle (desk);
  menu = find_menu (desk);
  WAIT_FOR (gtk_widget_get_visible (menu));
  g_assert_cmpuint (n_strips (desk), ==, 0);
  g_assert_true (gtk_widget_activate_action (menu, "metrics.metric-0", NULL));
  g_assert_cmpstr (kymo_session_peek_metrics (desk->session), ==, "load;");
  WAIT_FOR (n_strips (desk) == 1);
  desk_settle (desk);
  told = dup_told (desk);
  g_assert_true (g_str_has_prefix (told, "node0: load\n"));
  g_assert_nonnull (strstr (told, " at "));
  g_assert_true (gtk_widget_activate_action (menu, "metrics.all", NULL));
  WAIT_FOR (n_strips (desk) == 3);
  g_assert_true (gtk_widget_activate_action (menu, "metrics.none", NULL));
  WAIT_FOR (n_strips (desk) == 0);
  g_assert_null (kymo_session_peek_metrics (desk->session));
}

static void
test_none (Desk *desk, gconstpointer path)
{
  kymo_run_view_set_view (desk->view, "timeline");
  desk_settle (desk);
  g_assert_false (gtk_widget_get_visible (find_menu (desk)));
}

int
main (int    argc,
      char **argv)
{
  desk_init (&argc, &argv);
  g_test_add ("/metrics/choice", Desk, "tests/data/record-made", desk_open, test_choice,
              desk_close);
  g_test_add ("/metrics/none", Desk, NULL, desk_open, test_none, desk_close);
  return g_test_run ();
}
