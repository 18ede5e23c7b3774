/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions of a run in the window: one click leaves start-up out, the list sets the visible range.
 * Iterations are chosen to be laid over each other. A run that grows is asked about seldom.
 *
 * Needs a display.
 */
#include "config.h"

#include "run_desk.h"
#include "kymo-overlay-iterations.h"
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
  list = desk_need (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (menu))),
                    GTK_TYPE_LIST_BOX, NULL);
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

/* -- iterations over each other ---------------------------------------------- */

static GVariant *overlaid;

static void
on_overlay (GSimpleAction *action, GVariant *spans, gpointer data)
{
  g_clear_pointer (&overlaid, g_variant_unref);
  overlaid = g_variant_ref (spans);
}

static gint64
length_of (Desk *desk, const char *number)
{
  g_autofree char *name = g_strdup_printf ("iteration:%s", number);

  return kymo_span_length (ask_region (desk, name));
}

/* The proposed choice is the fastest, one in the middle and the slowest; what is accepted comes
   to the window with names and ranges. */
static void
test_overlay (Desk *desk, gconstpointer path)
{
  static const GActionEntry entries[] = {
    { "overlay-spans", on_overlay, "a(sxx)", NULL, NULL, { 0 } },
  };
  KymoRunRegions *regions = kymo_run_regions_of (desk->session);
  GtkWidget *menu = gtk_widget_get_next_sibling (find_button (desk)), *button, *entry;
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autofree char *choice = NULL, *why = NULL;
  g_auto (GStrv) numbers = NULL;
  g_autoptr (GListModel) windows = NULL;
  AdwMessageDialog *dialog;
  KymoSpan span, wanted = ask_region (desk, "iteration:3");
  const char *name;

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, 1, NULL);
  gtk_widget_insert_action_group (desk->window, "win", G_ACTION_GROUP (group));
  WAIT_FOR (gtk_widget_get_visible (menu));
  choice = kymo_overlay_dup_choice (regions);
  numbers = g_strsplit (choice, ", ", -1);
  g_assert_cmpuint (g_strv_length (numbers), ==, 3);
  g_assert_cmpint (length_of (desk, numbers[0]), <=, length_of (desk, numbers[1]));
  g_assert_cmpint (length_of (desk, numbers[1]), <=, length_of (desk, numbers[2]));
  for (guint i = 0; i < kymo_run_regions_get_n (regions); i++)
    if (g_str_equal (kymo_run_regions_peek_kind (regions, i), "iteration"))
      {
        gint64 length_ns = kymo_span_length (kymo_run_regions_get_span (regions, i));

        g_assert_cmpint (length_ns, >=, length_of (desk, numbers[0]));
        g_assert_cmpint (length_ns, <=, length_of (desk, numbers[2]));
      }
  g_assert_null (kymo_overlay_parse (regions, "3, 999", &why));
  g_assert_cmpstr (why, ==, "The run has no iteration “999”.");
  g_clear_pointer (&why, g_free);
  g_assert_null (kymo_overlay_parse (regions, "3", &why));
  g_assert_nonnull (why);

  button = desk_need (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (menu))),
                      GTK_TYPE_BUTTON, "Overlay Iterations…");
  g_assert_true (gtk_widget_get_visible (button));
  g_signal_emit_by_name (button, "clicked");
  windows = g_object_ref (gtk_window_get_toplevels ());
  dialog = NULL;
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window))
        dialog = ADW_MESSAGE_DIALOG (window);
    }
  g_assert_nonnull (dialog);
  entry = adw_message_dialog_get_extra_child (dialog);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, choice);
  gtk_editable_set_text (GTK_EDITABLE (entry), "7 3");
  adw_message_dialog_response (dialog, "accept");
  WAIT_FOR (overlaid != NULL);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_cmpuint (g_variant_n_children (overlaid), ==, 2);
  g_variant_get_child (overlaid, 1, "(&sxx)", &name, &span.begin_ns, &span.end_ns);
  g_assert_cmpstr (name, ==, "Iteration 3");
  g_assert_cmpint (span.begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (span.end_ns, ==, wanted.end_ns);
  g_clear_pointer (&overlaid, g_variant_unref);
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

/* -- a run that grows --------------------------------------------------------- */

static int n_asked;                     /* atomic */

static KymoTable *
answer (KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  if (g_str_equal (kymo_question_get_kind (question), "regions"))
    g_atomic_int_inc (&n_asked);
  return kymo_table_new (KYMO_STYLE_OBJECT);
}

static void
grow (DeskSource *source, gint64 end_ns)
{
  source->span.end_ns = end_ns;
  g_signal_emit_by_name (source, "grown");
}

static void
on_regions (KymoRunRegions *regions, int *n_answers)
{
  (*n_answers)++;
}

/* A run that comes in many small steps is not gone over with each of them. */
static void
test_growing (void)
{
  DeskSource *source = desk_source_new (answer, KYMO_CAN_INTERVALS | KYMO_CAN_GROWING, 1000);
  g_autoptr (KymoSession) session = kymo_session_new (KYMO_SOURCE (source));
  KymoRunRegions *regions = kymo_run_regions_of (session);
  int n_answers = 0;

  g_signal_connect (regions, "changed", G_CALLBACK (on_regions), &n_answers);
  WAIT_FOR (n_answers == 1);
  for (gint64 end_ns = 1001; end_ns < 1100; end_ns++)
    {
      grow (source, end_ns);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_assert_cmpint (n_asked, ==, 1);
  /* Twice as long, and then as it is. */
  grow (source, 2000);
  WAIT_FOR (n_answers == 2);
  grow (source, 2100);
  WAIT_FOR (n_answers == 3);
  /* Complete. */
  grow (source, 2200);
  source->can = KYMO_CAN_INTERVALS;
  grow (source, 2200);
  WAIT_FOR (n_answers == 4);
  g_assert_cmpint (n_asked, ==, 4);
  g_object_unref (source);
}

int
main (int    argc,
      char **argv)
{
  desk_init (&argc, &argv);
  g_test_add ("/regions/click", Desk, NULL, desk_open, test_click, desk_close);
  g_test_add ("/regions/list", Desk, NULL, desk_open, test_list, desk_close);
  g_test_add ("/regions/overlay", Desk, NULL, desk_open, test_overlay, desk_close);
  g_test_add ("/regions/none", Desk, "tests/data/jacobi2d-sum-p8", desk_open, test_none,
              desk_close);
  g_test_add_func ("/regions/growing", test_growing);
  return g_test_run ();
}
