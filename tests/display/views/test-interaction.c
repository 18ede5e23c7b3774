/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What clicks and keys do in the window of a run: rows stay where they are when a block is
 * chosen, C shows the chain of the block that is selected now, hiding a name leaves no pale
 * picture, names of the legend can be chosen, and Tab comes round.
 *
 * Needs a display.
 */
#include "config.h"

#include "kymo-accessible.h"
#include "kymo-canvas-private.h"
#include "kymo-details-links.h"
#include "kymo-legend-pane.h"
#include "kymo-session-path.h"
#include "kymo-session-profile.h"
#include "kymo-timeline-view.h"
#include "run_desk.h"

/* Of the sample: a message to a block that was started by one and started others. */
#define MESSAGE 9000
#define OTHER_MESSAGE 8353
/* Of the timeline, above and below its rows. */
#define AXIS_PX 40

static KymoCanvas *
timeline_of (Desk *desk)
{
  for (guint i = 0; i < desk->view->canvases->len; i++)
    if (g_str_equal (KYMO_CANVAS (desk->view->canvases->pdata[i])->klass->id, "timeline"))
      return desk->view->canvases->pdata[i];
  g_assert_not_reached ();
}

static void
select_receiver (Desk *desk, guint message)
{
  g_autoptr (KymoTable) answer = desk_ask (desk->source, "messages", "limit", "100000");
  KymoTable *messages = kymo_table_peek_nested (answer, "messages", NULL);

  kymo_session_set_block (desk->session, kymo_table_get_int (messages, "to", message),
                          kymo_table_get_int (messages, "begin_ns", message));
}

/* -- rows under the pointer -------------------------------------------------- */

static gboolean
has_links (Desk *desk)
{
  GtkWidget *links = desk_need (GTK_WIDGET (desk->view), KYMO_TYPE_DETAILS_LINKS, NULL);
  GtkWidget *label = desk_need (links, GTK_TYPE_LABEL, NULL);

  return strstr (gtk_label_get_label (GTK_LABEL (label)), "<a href=") != NULL;
}

/* Also a block with links in its details leaves all rows where they were. */
static void
test_details_keep_their_height (Desk *desk, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (timeline_of (desk));
  KymoSpan some = { 1200000000, 1300000000 };
  int height;

  desk_settle (desk);
  height = gtk_widget_get_height (canvas);
  select_receiver (desk, MESSAGE);
  WAIT_FOR (has_links (desk));
  desk_settle (desk);
  g_assert_cmpint (gtk_widget_get_height (canvas), ==, height);
  kymo_session_set_selection (desk->session, &some);
  desk_settle (desk);
  g_assert_cmpint (gtk_widget_get_height (canvas), ==, height);
}

/* Where rows are scrolled, choosing a block in one of them scrolls no further; a block out of
   sight is brought into it. */
static void
test_rows_stay (Desk *desk, gconstpointer data)
{
  KymoCanvas *canvas = timeline_of (desk);
  double top, page, row_px;

  desk_resize (desk, 1024, 640);
  kymo_canvas_zoom_rows (canvas, 4);
  desk_settle (desk);
  row_px = canvas->row_px;
  page = gtk_adjustment_get_page_size (canvas->vadjustment);
  g_assert_cmpfloat (row_px * 8, >, page);
  top = row_px * 1.25;
  gtk_adjustment_set_value (canvas->vadjustment, top);
  desk_settle (desk);
  for (guint pe = 0; pe < 8; pe++)
    {
      gboolean seen = (pe + 0.4) * row_px >= top && (pe + 1) * row_px <= top + page - AXIS_PX;
      gboolean unseen = (pe + 1) * row_px <= top || pe * row_px >= top + page;

      gtk_adjustment_set_value (canvas->vadjustment, top);
      desk_settle (desk);
      kymo_session_set_block (desk->session, pe, 1200000000);
      desk_settle (desk);
      g_test_message ("PE %u: %g of %g, at %g", pe, top, page,
                      gtk_adjustment_get_value (canvas->vadjustment));
      if (seen || unseen)
        g_assert_true ((gtk_adjustment_get_value (canvas->vadjustment) == top) == seen);
    }
}

/* -- pinned rows ------------------------------------------------------------- */

static KymoCanvas *
pinned_of (Desk *desk)
{
  return kymo_timeline_view_get_pinned (KYMO_TIMELINE_VIEW (
    desk_need (GTK_WIDGET (desk->view), KYMO_TYPE_TIMELINE_VIEW, NULL)));
}

static const char *
row_label (KymoCanvas *canvas, guint row)
{
  return kymo_table_get_string (kymo_table_peek_nested (kymo_canvas_peek_answer (canvas), "rows",
                                                        NULL), "label", row);
}

/* The key N pins the row of the selected block: it stays above the others while these scroll, and
   choosing a block in it scrolls nothing. */
static void
test_pinned_rows (Desk *desk, gconstpointer data)
{
  KymoCanvas *canvas = timeline_of (desk), *pinned = pinned_of (desk);
  double top, x, y;

  desk_resize (desk, 1024, 640);
  kymo_canvas_zoom_rows (canvas, 4);
  desk_settle (desk);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (pinned)));
  kymo_session_set_block (desk->session, 1, 1200000000);
  /* The pointer of a new screen is in its middle, over another row, which N would pin. */
  g_signal_emit_by_name (desk_find_controller (GTK_WIDGET (canvas),
                                               GTK_TYPE_EVENT_CONTROLLER_MOTION), "leave");
  g_assert_true (desk_press (canvas, GDK_KEY_n, 0));
  g_assert_cmpstr (desk->said, ==, "Pinned PE 1");
  kymo_canvas_turn_pin (canvas, 0);
  WAIT_FOR (gtk_widget_get_mapped (GTK_WIDGET (pinned)));
  desk_settle (desk);
  g_assert_cmpstr (row_label (pinned, 0), ==, "PE 1");
  g_assert_cmpstr (row_label (pinned, 1), ==, "PE 0");
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (pinned)), <, 70);
  /* The rows of the others are those that they were. */
  g_assert_cmpstr (row_label (canvas, 0), ==, "PE 0");
  kymo_session_clear_block (desk->session);
  top = gtk_adjustment_get_upper (canvas->vadjustment);
  gtk_adjustment_set_value (canvas->vadjustment, top);
  desk_settle (desk);
  top = gtk_adjustment_get_value (canvas->vadjustment);
  g_assert_cmpfloat (top, >, canvas->row_px * 2);
  g_assert_cmpstr (row_label (pinned, 0), ==, "PE 1");
  g_assert_cmpfloat (gtk_adjustment_get_value (pinned->vadjustment), ==, 0);
  kymo_session_set_block (desk->session, 1, 1200000000);
  desk_settle (desk);
  g_assert_cmpfloat (gtk_adjustment_get_value (canvas->vadjustment), ==, top);
  g_assert_true (KYMO_CANVAS_GET_CLASS (pinned)->find_block (pinned, &x, &y));
  g_assert_cmpint (kymo_canvas_location_at (pinned, y), ==, 1);
  /* There is no room for a tip beside the row: it is a surface of its own, off the row. */
  {
    GdkRectangle at;

    pinned->inside = TRUE;
    pinned->x = x;
    pinned->y = y;
    kymo_canvas_update_hit (pinned);
    g_assert_true (gtk_widget_get_visible (pinned->tip));
    g_assert_true (gtk_popover_get_pointing_to (GTK_POPOVER (pinned->tip), &at));
    g_assert_cmpint (at.y, <=, y);
    g_assert_cmpint (at.y + at.height, >=, y);
    pinned->inside = FALSE;
    kymo_canvas_update_hit (pinned);
    g_assert_false (gtk_widget_get_visible (pinned->tip));
  }
  /* Rows that are not chosen stay pinned. */
  {
    g_autoptr (KymoIdSet) others = kymo_id_set_parse ("4-7", NULL);

    kymo_session_set_locations (desk->session, others);
    desk_settle (desk);
    g_assert_cmpstr (row_label (pinned, 0), ==, "PE 1");
    g_assert_cmpstr (row_label (canvas, 0), ==, "PE 4");
    kymo_session_set_locations (desk->session, NULL);
  }
  desk_settle (desk);
  g_assert_true (desk_press (pinned, GDK_KEY_n, 0));
  g_assert_cmpstr (desk->said, ==, "PE 1 is no longer pinned");
  kymo_canvas_turn_pin (pinned, 0);
  WAIT_FOR (!gtk_widget_get_mapped (GTK_WIDGET (pinned)));
}

/* -- tips -------------------------------------------------------------------- */

static void
test_tips (void)
{
  static const struct { const char *text, *shown; } tips[] = {
    { "one", "one" }, { "one\ntwo\nthree", "one\ntwo\nthree" },
    { "one\ntwo\nthree\nfour", "one\ntwo · three\nfour" },
    { "one\na long fact\ntwo\nthree\nfour", "one\na long fact · two\nthree · four" },
    { "one\n2\n3\na fact as long as all others", "one\n2 · 3\na fact as long as all others" },
    { "write\nrank 0\nabout 548 ms\nopens “/scratch/run/checkpoint.bin” for reading and writing\n"
      "writes 157 MB to “/scratch/run/checkpoint.bin” for 548 ms\nas long as the median",
      "write\nrank 0 · about 548 ms\nas long as the median\n"
      "opens “/scratch/run/checkpoint.bin” for reading and writing\n"
      "writes 157 MB to “/scratch/run/checkpoint.bin” for 548 ms" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tips); i++)
    {
      g_autofree char *shown = kymo_canvas_in_three_lines (tips[i].text);

      g_assert_cmpstr (shown, ==, tips[i].shown);
    }
}

/* -- chains ------------------------------------------------------------------ */

static void
wait_for_chain_of (Desk *desk, gint64 location)
{
  WAIT_FOR (kymo_session_peek_path (desk->session) != NULL);
  g_assert_cmpint (kymo_table_get_int (kymo_session_peek_path (desk->session), "location", 0),
                   ==, location);
}

static void
test_chain_of_another_block (Desk *desk, gconstpointer data)
{
  gint64 first, second, time_ns;

  select_receiver (desk, MESSAGE);
  g_assert_true (kymo_session_get_block (desk->session, &first, &time_ns));
  kymo_run_view_command (desk->view, "path-back");
  wait_for_chain_of (desk, first);
  select_receiver (desk, OTHER_MESSAGE);
  g_assert_true (kymo_session_get_block (desk->session, &second, &time_ns));
  g_assert_true (first != second);
  kymo_run_view_command (desk->view, "path-back");
  g_assert_cmpint (kymo_session_get_path_kind (desk->session), ==, KYMO_PATH_BACK);
  wait_for_chain_of (desk, second);
  kymo_run_view_command (desk->view, "path-back");
  g_assert_cmpint (kymo_session_get_path_kind (desk->session), ==, KYMO_PATH_NONE);

  /* Another moment of the same block is the same block. */
  kymo_session_set_block (desk->session, 6, 1138900000);
  kymo_run_view_command (desk->view, "path-forward");
  wait_for_chain_of (desk, 6);
  kymo_session_set_block (desk->session, 6, 1138950000);
  kymo_run_view_command (desk->view, "path-forward");
  g_assert_cmpint (kymo_session_get_path_kind (desk->session), ==, KYMO_PATH_NONE);
}

/* -- the legend -------------------------------------------------------------- */

static GtkWidget *
find_name (Desk *desk, const char *name)
{
  GtkWidget *label = NULL;

  WAIT_FOR ((label = desk_find (desk->view->legend, GTK_TYPE_LABEL, name)) != NULL);
  return label;
}

/* The pointer is still on the line of the legend that it clicked. */
static void
test_hiding_fades_nothing (Desk *desk, gconstpointer data)
{
  KymoCanvas *canvas = timeline_of (desk);
  const char *name = "Compute::Compute_serial_1";

  kymo_session_set_hovered (desk->session, name);
  g_assert_cmpstr (kymo_canvas_lifted_name (canvas), ==, name);
  kymo_session_set_hidden (desk->session, name, TRUE);
  g_assert_null (kymo_canvas_lifted_name (canvas));
  g_assert_null (canvas->lifted);
  kymo_session_set_hidden (desk->session, name, FALSE);
  g_assert_cmpstr (canvas->lifted, ==, name);
}

static void
test_names_are_chosen (Desk *desk, gconstpointer data)
{
  const char *name = kymo_session_peek_names (desk->session)[1];
  GtkWidget *label = find_name (desk, name), *other;

  desk_settle (desk);
  g_signal_emit_by_name (desk_find_controller (label, GTK_TYPE_GESTURE_CLICK), "released", 1,
                         3.0, 3.0);
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==, name);
  g_assert_true (gtk_widget_has_css_class (label, "kymo-chosen"));
  other = find_name (desk, kymo_session_peek_names (desk->session)[0]);
  g_assert_false (gtk_widget_has_css_class (other, "kymo-chosen"));
}

/* Of a profile the function over all threads is shown: it has no longest block. */
static void
test_names_are_activated (Desk *desk, gconstpointer data)
{
  const char *name = kymo_session_peek_names (desk->session)[0];

  desk_settle (desk);
  g_signal_emit_by_name (desk->view->legend, "activated", name);
  desk_settle (desk);
  g_assert_cmpstr (kymo_session_peek_function (desk->session), ==, name);
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "function");
}

/* -- menus --------------------------------------------------------------------- */

static gboolean
shows_label (GtkWidget *top, const char *text)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  desk_collect (top, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (g_str_equal (gtk_label_get_text (labels->pdata[i]), text))
      return TRUE;
  return FALSE;
}

static void
test_menu_shows_keys (Desk *desk, gconstpointer data)
{
  static const char *const keys[] = { "Z", ".", ",", "L", "C", "M", "B", "F", "Ctrl+C",
                                      "Ctrl+E" };
  KymoCanvas *canvas = timeline_of (desk);

  select_receiver (desk, MESSAGE);
  desk_settle (desk);
  kymo_canvas_popup_chosen (canvas);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (!shows_label (canvas->menu, keys[i]))
      g_error ("the menu of a block does not show %s", keys[i]);
  gtk_popover_popdown (GTK_POPOVER (canvas->menu));
}

/* -- what a screen reader speaks ----------------------------------------------- */

static gboolean
describes (GtkWidget *widget, const char *words)
{
  g_autofree char *other = gtk_test_accessible_check_property (
    GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words);

  return other == NULL;
}

#define assert_spoken(words) \
  WAIT_FOR (describes (gtk_window_get_focus (GTK_WINDOW (desk->window)), words))

/* The widget with the keyboard says what was done, and itself again when it has it no more. */
static void
test_results_are_spoken (Desk *desk, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (timeline_of (desk));
  GtkWidget *other = desk_need (desk->view->legend, GTK_TYPE_SEARCH_ENTRY, NULL);

  gtk_widget_grab_focus (canvas);
  kymo_session_put_marker (desk->session, 1200000000);
  assert_spoken ("Marker A at 1.20 s");
  kymo_session_put_marker (desk->session, 1300000000);
  assert_spoken ("Marker A at 1.20 s, marker B at 1.30 s, 100 ms apart");
  kymo_session_clear_markers (desk->session);
  assert_spoken ("Markers cleared");
  g_assert_false (describes (canvas, timeline_of (desk)->description));
  gtk_widget_grab_focus (other);
  g_assert_true (describes (canvas, timeline_of (desk)->description));
  kymo_session_put_marker (desk->session, 1200000000);
  g_assert_true (describes (other, "Marker A at 1.20 s"));
}

static void
test_paths_are_spoken (Desk *desk, gconstpointer data)
{
  gtk_widget_grab_focus (GTK_WIDGET (timeline_of (desk)));
  select_receiver (desk, MESSAGE);
  desk_settle (desk);
  kymo_run_view_command (desk->view, "path-back");
  assert_spoken ("Chain back from the selected block shown, 55 steps");
  kymo_run_view_command (desk->view, "path-previous");
  assert_spoken ("Step 54 of 55: PE 6, 1.11 s, Cell::receiveForces");
  kymo_session_follow_path (desk->session, KYMO_PATH_NONE);
  assert_spoken ("No path shown");
}

static GtkWidget *
tab_to_line (Desk *desk)
{
  GtkWidget *focus = NULL;

  for (guint i = 0; i < 200; i++)
    {
      g_signal_emit_by_name (desk->window, "move-focus", GTK_DIR_TAB_FORWARD);
      focus = gtk_window_get_focus (GTK_WINDOW (desk->window));
      if (focus != NULL && g_str_equal (gtk_widget_get_css_name (focus), "row"))
        return focus;
    }
  g_assert_not_reached ();
}

#define assert_named(widget, words) \
  g_assert_cmpstr (NULL, ==, gtk_test_accessible_check_property ( \
    GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, words))

/* Lines of tables and lists say what stands in them, drop-downs what is chosen. */
static void
test_names_are_spoken (Desk *desk, gconstpointer data)
{
  GtkWidget *drop = desk_need (desk->view->legend, GTK_TYPE_DROP_DOWN, NULL);

  kymo_accessible_name_lines (GTK_WINDOW (desk->window));
  kymo_run_view_set_view (desk->view, "events");
  desk_settle (desk);
  WAIT_FOR (desk_find (GTK_WIDGET (desk->view->current), GTK_TYPE_COLUMN_VIEW, NULL) != NULL);
  desk_settle (desk);
  assert_named (tab_to_line (desk), "Time 0.164771 s, Length 1 µs, Kind packing, "
                "What happened packs for 1.00 µs");
  assert_named (gtk_widget_get_first_child (drop), "Order of the list: By time");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), 1);
  assert_named (gtk_widget_get_first_child (drop), "Order of the list: By name");
  assert_named (desk->view->legend, "Legend");
  assert_named (desk->view->details, "Details");
}

/* -- the key F ---------------------------------------------------------------- */

/* Where the keyboard is on a button, a tab or a line, but not in an entry, F shows all. */
static void
test_fit_from_anywhere (Desk *desk, gconstpointer data)
{
  GtkWidget *button = desk_need (desk->view->legend, GTK_TYPE_DROP_DOWN, NULL);
  GtkWidget *entry = desk_need (desk->view->legend, GTK_TYPE_TEXT, NULL);
  KymoSpan full = kymo_session_get_full_range (desk->session);
  KymoSpan some = { 1200000000, 1300000000 };

  desk_settle (desk);
  kymo_session_set_range (desk->session, some, TRUE);
  g_assert_true (gtk_widget_grab_focus (entry));
  g_assert_false (desk_press (desk->view, GDK_KEY_f, 0));
  g_assert_true (gtk_widget_child_focus (button, GTK_DIR_TAB_FORWARD));
  g_assert_false (desk_press (desk->view, GDK_KEY_f, GDK_CONTROL_MASK));
  g_assert_cmpint (kymo_session_get_range (desk->session).begin_ns, ==, some.begin_ns);
  g_assert_true (desk_press (desk->view, GDK_KEY_f, 0));
  g_assert_cmpint (kymo_session_get_range (desk->session).begin_ns, ==, full.begin_ns);
  g_assert_cmpint (kymo_session_get_range (desk->session).end_ns, ==, full.end_ns);
}

/* -- the key Tab ------------------------------------------------------------- */

/* So many stops a view has at most. */
#define MOST_STOPS 400

static const char *
words_of (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) && gtk_button_get_label (GTK_BUTTON (widget)) != NULL
         ? gtk_button_get_label (GTK_BUTTON (widget)) : gtk_widget_get_tooltip_text (widget);
}

static gboolean
is_within (GtkWidget *widget, GtkWidget *top)
{
  return widget == top || gtk_widget_is_ancestor (widget, top);
}

/* Goes round once; each stop is visited once. (transfer container) */
static GPtrArray *
tab_round (Desk *desk, GtkDirectionType direction)
{
  GPtrArray *stops = g_ptr_array_new ();

  gtk_window_set_focus (GTK_WINDOW (desk->window), NULL);
  while (stops->len < MOST_STOPS)
    {
      GtkWidget *focus;

      g_signal_emit_by_name (desk->window, "move-focus", direction);
      focus = gtk_window_get_focus (GTK_WINDOW (desk->window));
      if (focus == NULL)
        continue;
      if (stops->len > 0 && focus == stops->pdata[0])
        return stops;
      if (g_ptr_array_find (stops, focus, NULL))
        g_error ("%s: Tab sticks on %s “%s” after %u stops", kymo_run_view_get_view (desk->view),
                 G_OBJECT_TYPE_NAME (focus), words_of (focus), stops->len);
      g_ptr_array_add (stops, focus);
    }
  g_error ("%s: more than %d stops", kymo_run_view_get_view (desk->view), MOST_STOPS);
}

/* Whether a person can use it: also what is around it can. */
static gboolean
is_usable (GtkWidget *widget)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_is_sensitive (widget))
    return FALSE;
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    if (!gtk_widget_get_can_focus (widget)
        || g_str_equal (gtk_widget_get_css_name (widget), "listview"))
      return FALSE;
  return TRUE;
}

static void
check_visited (Desk *desk, GPtrArray *stops)
{
  GType types[] = { GTK_TYPE_BUTTON, GTK_TYPE_CHECK_BUTTON, GTK_TYPE_DROP_DOWN, GTK_TYPE_ENTRY,
                    GTK_TYPE_SEARCH_ENTRY, KYMO_TYPE_CANVAS };
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    desk_collect (desk->window, types[i], all);
  for (guint i = 0; i < all->len; i++)
    {
      GtkWidget *widget = all->pdata[i];
      gboolean visited = !is_usable (widget)
                         || (GTK_IS_BUTTON (widget) && !gtk_widget_get_focusable (widget));

      for (guint k = 0; k < stops->len && !visited; k++)
        visited = is_within (stops->pdata[k], widget);
      if (!visited)
        g_error ("%s: Tab does not come to %s “%s”", kymo_run_view_get_view (desk->view),
                 G_OBJECT_TYPE_NAME (widget), words_of (widget));
    }
}

/* In every view the focus comes round in both directions, and to all that can be used. */
static void
test_tab_comes_round (Desk *desk, gconstpointer data)
{
  for (const KymoViewInfo *view = kymo_views; view->id != NULL; view++)
    {
      g_autoptr (GPtrArray) forward = NULL, backward = NULL;

      if (!kymo_run_view_has_view (desk->view, view->id))
        continue;
      kymo_run_view_set_view (desk->view, view->id);
      desk_settle (desk);
      forward = tab_round (desk, GTK_DIR_TAB_FORWARD);
      backward = tab_round (desk, GTK_DIR_TAB_BACKWARD);
      check_visited (desk, forward);
      check_visited (desk, backward);
      g_test_message ("%s: %u stops", view->id, forward->len);
    }
}

#define MPI "tests/data/tau/trace-stencil-4"
#define PROFILE "tests/data/tau/callpath-d3-coll-4"

#define add(path, data, function) \
  g_test_add ("/interaction/" path, Desk, data, desk_open, function, desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("details-keep-their-height", NULL, test_details_keep_their_height);
  add ("rows-stay", NULL, test_rows_stay);
  add ("pinned-rows", NULL, test_pinned_rows);
  g_test_add_func ("/interaction/tips", test_tips);
  add ("chain-of-another-block", NULL, test_chain_of_another_block);
  add ("hiding-fades-nothing", NULL, test_hiding_fades_nothing);
  add ("names-are-chosen", NULL, test_names_are_chosen);
  add ("names-are-chosen-in-profiles", PROFILE, test_names_are_chosen);
  add ("names-are-activated", PROFILE, test_names_are_activated);
  add ("menu-shows-keys", NULL, test_menu_shows_keys);
  add ("results-are-spoken", NULL, test_results_are_spoken);
  add ("paths-are-spoken", NULL, test_paths_are_spoken);
  add ("names-are-spoken", NULL, test_names_are_spoken);
  add ("fit-from-anywhere", NULL, test_fit_from_anywhere);
  add ("tab-comes-round", NULL, test_tab_comes_round);
  add ("tab-comes-round-in-mpi", MPI, test_tab_comes_round);
  add ("tab-comes-round-in-profiles", PROFILE, test_tab_comes_round);
  return g_test_run ();
}
