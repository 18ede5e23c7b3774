/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One time axis to the pixel for all pictures that have one, which of them has a ruler, and
 * lanes that are scrolled below it.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-counters-view.h"
#include "kymo-user-events-view.h"
#include "kymo-view-modes.h"
#include "run_desk.h"

#define FEATURES "tests/data/feat-p4-text"

static KymoCanvas *
canvas_of (Desk *desk, guint part)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (desk->view);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_collect (kymo_desk_part_peek_shown (parts->pdata[part]), KYMO_TYPE_CANVAS, found);
  return found->pdata[0];
}

static KymoRect
area_of_canvas (Desk *desk, KymoCanvas *canvas)
{
  KymoPlotFrame frame;
  KymoRect area;
  double x, y;

  kymo_plot_frame_init (&frame, gtk_widget_get_width (GTK_WIDGET (canvas)),
                        gtk_widget_get_height (GTK_WIDGET (canvas)), FALSE,
                        kymo_session_peek_colors (desk->session),
                        kymo_session_get_range (desk->session));
  area = kymo_plot_frame_area (kymo_canvas_get_plot (canvas), &frame);
  g_assert_true (gtk_widget_translate_coordinates (GTK_WIDGET (canvas), desk->window, 0, 0,
                                                   &x, &y));
  area.x += x;
  return area;
}

static KymoRect
area_of (Desk *desk, guint part)
{
  return area_of_canvas (desk, canvas_of (desk, part));
}

static gboolean
has_ruler (Desk *desk, guint part)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (desk->view);

  return kymo_desk_part_shows_ruler (parts->pdata[part]);
}

static void
test_axis (Desk *desk, gconstpointer data)
{
  KymoRect upper, lower, beside;

  kymo_run_view_set_layout (desk->view, "right 0.55 below 0.6 timeline* time-profile "
                                        "below 0.5 usage time-profile");
  desk_settle (desk);
  upper = area_of (desk, 0);
  lower = area_of (desk, 1);
  beside = area_of (desk, 3);
  g_assert_cmpfloat (upper.x, ==, lower.x);
  g_assert_cmpfloat (upper.width, ==, lower.width);
  g_assert_cmpfloat (upper.x + upper.width, <, beside.x);
  /* A ruler over each column's first chart of time. */
  g_assert_true (has_ruler (desk, 0));
  g_assert_false (has_ruler (desk, 1));
  g_assert_false (has_ruler (desk, 2));
  g_assert_true (has_ruler (desk, 3));
  kymo_run_view_set_view (desk->view, "usage");
  g_assert_false (has_ruler (desk, 0));
  g_assert_true (has_ruler (desk, 1));
  /* Below two columns there is another axis. */
  kymo_run_view_set_layout (desk->view, "below 0.5 right 0.5 timeline timeline time-profile");
  g_assert_true (has_ruler (desk, 0));
  g_assert_true (has_ruler (desk, 1));
  g_assert_true (has_ruler (desk, 2));
}

static void
assert_axis (KymoRect area, KymoRect expected)
{
  g_assert_cmpfloat (expected.width, >, 100);
  g_assert_cmpfloat (area.x, ==, expected.x);
  g_assert_cmpfloat (area.width, ==, expected.width);
}

/* The curves and the map of the part that shows counters. (transfer container) */
static GPtrArray *
counters_of (Desk *desk)
{
  g_autoptr (GPtrArray) views = kymo_run_view_list_built (desk->view, "counters");

  g_assert_cmpuint (views->len, ==, 1);
  return g_ptr_array_ref (kymo_counters_view_peek_canvases (views->pdata[0]));
}

/* The ruler lies on the picture, below the controls, from edge to edge of it. */
static void
assert_ruled (Desk *desk, guint part, KymoCanvas *canvas)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (desk->view);
  GtkWidget *ruler = kymo_desk_part_peek_ruler (parts->pdata[part]);
  graphene_rect_t above, below;

  g_assert_true (has_ruler (desk, part));
  g_assert_true (gtk_widget_get_mapped (ruler));
  g_assert_true (gtk_widget_compute_bounds (ruler, desk->window, &above));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (canvas), desk->window, &below));
  g_assert_cmpfloat (above.origin.x, ==, below.origin.x);
  g_assert_cmpfloat (above.size.width, ==, below.size.width);
  g_assert_cmpfloat (above.size.height, >, 10);
  g_assert_cmpfloat (above.origin.y + above.size.height, ==, below.origin.y);
}

/* Of views with several modes those over time have a ruler, and the axis of the others. */
static void
test_axis_of_modes (Desk *desk, gconstpointer data)
{
  g_autoptr (GPtrArray) counters = NULL, events = NULL;
  KymoRect timeline = area_of (desk, 0);

  kymo_run_view_set_layout (desk->view, "counters");
  desk_settle (desk);
  counters = counters_of (desk);
  assert_ruled (desk, 0, counters->pdata[0]);
  assert_axis (area_of_canvas (desk, counters->pdata[0]), timeline);
  kymo_run_view_set_mode (desk->view, "map");
  desk_settle (desk);
  assert_ruled (desk, 0, counters->pdata[1]);
  assert_axis (area_of_canvas (desk, counters->pdata[1]), timeline);
  kymo_run_view_set_layout (desk->view, "below 0.5 user-events* time-profile");
  desk_settle (desk);
  assert_axis (area_of (desk, 0), timeline);
  g_assert_true (has_ruler (desk, 0));
  g_assert_false (has_ruler (desk, 1));
  /* Samples are a table: the ruler is that of what is below. */
  events = kymo_run_view_list_built (desk->view, "user-events");
  kymo_user_events_view_set_mode (events->pdata[0], "samples");
  g_assert_false (has_ruler (desk, 0));
  g_assert_true (has_ruler (desk, 1));
  kymo_user_events_view_set_mode (events->pdata[0], "time");
  desk_settle (desk);
  assert_ruled (desk, 0, canvas_of (desk, 0));
  g_assert_false (has_ruler (desk, 1));
}

static gboolean
is_scrolled (gpointer canvas)
{
  GtkAdjustment *rows = kymo_canvas_get_vadjustment (canvas);

  return gtk_adjustment_get_upper (rows) > gtk_adjustment_get_page_size (rows) + 1;
}

/* Lanes that find no room are scrolled, and keys come to the last one. */
static void
test_lanes (Desk *desk, gconstpointer data)
{
  g_autoptr (GPtrArray) few = NULL, counters = NULL;
  KymoCanvas *canvas;

  kymo_run_view_set_layout (desk->view, "counters");
  desk_settle (desk);
  few = counters_of (desk);
  g_assert_false (is_scrolled (few->pdata[0]));
  kymo_run_view_set_layout (desk->view, "below 0.3 counters* timeline");
  desk_settle (desk);
  counters = counters_of (desk);
  canvas = counters->pdata[0];
  g_assert_true (is_scrolled (canvas));
  g_assert_true (desk_press (canvas, GDK_KEY_Home, 0));
  g_assert_cmpstr (canvas->hit.name, ==, "Memory (bytes)");
  g_assert_cmpfloat (gtk_adjustment_get_value (canvas->vadjustment), <, 72);
  g_assert_true (desk_press (canvas, GDK_KEY_End, 0));
  g_assert_cmpstr (canvas->hit.name, ==, "temperature");
  g_assert_cmpfloat (gtk_adjustment_get_value (canvas->vadjustment), >, 72);
}

#define add(path, run, function) \
  g_test_add ("/desk-axis/" path, Desk, run, desk_open, function, desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("parts", NULL, test_axis);
  add ("modes", FEATURES, test_axis_of_modes);
  add ("lanes", FEATURES, test_lanes);
  return g_test_run ();
}
