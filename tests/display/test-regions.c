/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions of a run in the window: one click leaves start-up out, the list sets the visible range.
 *
 * Needs a display.
 */
#include "config.h"

#include "../support/run_desk.h"
#include "kymo-region-bar.h"
#include "kymo-regions.h"
#include "kymo-run-regions.h"

static GtkWidget *
find_typed (Desk *desk, GType type)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_collect (desk->window, type, found);
  g_assert_cmpuint (found->len, >, 0);
  return found->pdata[0];
}

/* The bar is in the status bar; its button is the first child, the menu button the second. */
static GtkWidget *
find_button (Desk *desk)
{
  return gtk_widget_get_first_child (find_typed (desk, KYMO_TYPE_REGION_BAR));
}

static KymoSpan
ask_region (Desk *desk, const char *name)
{
  g_autoptr (GError) error = NULL;
  KymoSpan span;

  kymo_regions_ask (desk->source, name, NULL, &span, &error);
  g_assert_no_error (error);
  return span;
}

static void
assert_range (Desk *desk, KymoSpan wanted)
{
  KymoSpan range = kymo_session_get_range (desk->session);

  g_assert_cmpint (range.begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (range.end_ns, ==, wanted.end_ns);
}

static void
test_click (Desk *desk, gconstpointer path)
{
  GtkWidget *button = find_button (desk);
  KymoSpan whole = kymo_session_get_range (desk->session);

  WAIT_FOR (gtk_widget_get_visible (button));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Without Start-up");
  g_signal_emit_by_name (button, "clicked");
  assert_range (desk, ask_region (desk, "main"));
  /* It is a range like any other. */
  kymo_session_back (desk->session);
  assert_range (desk, whole);
}

static void
test_list (Desk *desk, gconstpointer path)
{
  KymoRunRegions *regions = kymo_run_regions_of (desk->session);
  GtkWidget *menu = gtk_widget_get_next_sibling (find_button (desk)), *list;
  KymoSpan span, wanted = ask_region (desk, "iteration:3");
  GtkListBoxRow *row;
  guint i = 0;

  WAIT_FOR (gtk_widget_get_visible (menu));
  list = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (gtk_popover_get_child (
    gtk_menu_button_get_popover (GTK_MENU_BUTTON (menu)))));
  if (GTK_IS_VIEWPORT (list))
    list = gtk_viewport_get_child (GTK_VIEWPORT (list));
  g_assert_true (kymo_run_regions_find_named (regions, "iteration 3", &span));
  g_assert_cmpint (span.begin_ns, ==, wanted.begin_ns);
  g_assert_false (kymo_run_regions_find_named (regions, "iteration 99", &span));
  for (; i < kymo_run_regions_get_n (regions); i++)
    {
      g_autofree char *name = kymo_run_regions_dup_name (regions, i);

      if (g_str_equal (name, "Iteration 3"))
        break;
    }
  row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), i);
  g_assert_nonnull (row);
  g_signal_emit_by_name (list, "row-activated", row);
  assert_range (desk, wanted);
}

/* A run of bins tells no regions. */
static void
test_none (Desk *desk, gconstpointer path)
{
  GtkWidget *button = find_button (desk);

  desk_settle (desk);
  g_assert_cmpuint (kymo_run_regions_get_n (kymo_run_regions_of (desk->session)), ==, 0);
  g_assert_false (gtk_widget_get_visible (button));
  g_assert_false (gtk_widget_get_visible (gtk_widget_get_next_sibling (button)));
}

int
main (int    argc,
      char **argv)
{
  desk_init (&argc, &argv);
  g_test_add ("/regions/click", Desk, NULL, desk_open, test_click, desk_close);
  g_test_add ("/regions/list", Desk, NULL, desk_open, test_list, desk_close);
  g_test_add ("/regions/none", Desk, "tests/data/jacobi2d-sum-p8", desk_open, test_none,
              desk_close);
  return g_test_run ();
}
