/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paths and messages in the window, of the bundled sample: which messages are shown is
 * the session's, a path is a list whose steps go to their blocks, and keys walk along it.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "desk.h"
#include "kymo-answer-list.h"
#include "kymo-communication-view.h"
#include "kymo-details-links.h"
#include "kymo-kept.h"
#include "kymo-messages-menu.h"
#include "kymo-path-view.h"
#include "kymo-session-path.h"
#include "kymo-timeline-canvas.h"

#define MOST_TURNS 1000

static KymoSession *
open_sample (void)
{
  g_autoptr (KymoSource) source = desk_open_run ("data/sample");

  return kymo_session_new (source);
}

static KymoTable *
wait_for_path (KymoSession *session)
{
  for (guint i = 0; i < MOST_TURNS && kymo_session_peek_path (session) == NULL; i++)
    desk_turn ();
  g_assert_nonnull (kymo_session_peek_path (session));
  return kymo_table_peek_nested (kymo_session_peek_path (session), "steps", NULL);
}

static gboolean
list_holds (GtkWidget *view, guint which, const char *words)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autofree char *figures = NULL;

  desk_collect (view, KYMO_TYPE_ANSWER_LIST, found);
  g_assert_cmpuint (found->len, ==, 3);
  figures = kymo_line_table_dup_figures (found->pdata[which]);
  return strstr (figures, words) != NULL;
}

static void
test_critical (void)
{
  g_autoptr (KymoSession) session = open_sample ();
  GtkWidget *view = kymo_path_view_new (session);
  GtkWidget *window = desk_present (view, 900, 500);
  KymoTable *steps;
  gint64 location, time_ns;

  desk_choose (view, "Which path is shown", KYMO_PATH_CRITICAL);
  steps = wait_for_path (session);
  g_assert_cmpint (kymo_session_get_path_kind (session), ==, KYMO_PATH_CRITICAL);
  g_assert_true (list_holds (view, 0, "Compute::Compute_serial_1"));
  g_assert_true (list_holds (view, 0, "Messages"));
  g_assert_true (list_holds (view, 2, "PE "));
  g_assert_true (list_holds (view, 1, "PE 5"));
  kymo_session_set_path_step (session, 3);
  g_assert_true (kymo_session_get_block (session, &location, &time_ns));
  g_assert_cmpint (location, ==, kymo_table_get_int (steps, "location", 3));
  g_assert_cmpint (time_ns, >=, kymo_table_get_int (steps, "begin_ns", 3));
  g_assert_cmpint (time_ns, <=, kymo_table_get_int (steps, "end_ns", 3));
  desk_clear_window (&window);
}

/* Back from a block; along the chain to its begin, and no further. */
static void
test_chain (void)
{
  g_autoptr (KymoSession) session = open_sample ();
  GtkWidget *view = kymo_path_view_new (session);
  GtkWidget *window = desk_present (view, 900, 500);
  KymoTable *steps, *found;
  guint walked = 0;
  g_autoptr (KymoTable) messages = NULL;

  kymo_session_follow_path (session, KYMO_PATH_BACK);
  g_assert_nonnull (kymo_session_peek_path_failure (session));
  messages = desk_ask (kymo_session_peek_source (session), "messages", "limit", "100000");
  found = kymo_table_peek_nested (messages, "messages", NULL);
  kymo_session_set_block (session, kymo_table_get_int (found, "to", 9000),
                          kymo_table_get_int (found, "begin_ns", 9000));
  kymo_session_follow_path (session, KYMO_PATH_BACK);
  g_assert_null (kymo_session_peek_path_failure (session));
  steps = wait_for_path (session);
  g_assert_cmpuint (kymo_table_get_n_rows (steps), >, 4);
  g_assert_true (list_holds (view, 2, "Message from PE"));
  while (kymo_session_walk_path (session, FALSE))
    walked++;
  g_assert_cmpint (kymo_session_get_path_step (session), ==, 0);
  g_assert_cmpuint (walked, >, 1);
  g_assert_true (kymo_session_walk_path (session, TRUE));
  kymo_session_follow_path (session, KYMO_PATH_NONE);
  g_assert_null (kymo_session_peek_path (session));
  g_assert_false (kymo_session_walk_path (session, TRUE));
  desk_clear_window (&window);
}

/* The order that is kept is that of a list when it is made, not that of this path: a person
   chose it, and it holds. */
static void
check_kept_order (KymoSession *session)
{
  GtkWidget *view = kymo_path_view_new (session), *window;
  g_autoptr (GHashTable) kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  g_hash_table_insert (kept, g_strdup ("critical-path.step-sort"), g_strdup ("step"));
  kymo_kept_restore (view, "critical-path", kept);
  window = desk_present (view, 900, 500);
  kymo_session_follow_path (session, KYMO_PATH_CRITICAL);
  wait_for_path (session);
  kymo_kept_collect (view, "critical-path", kept);
  g_assert_cmpstr (g_hash_table_lookup (kept, "critical-path.step-sort"), ==, "step");
  desk_clear_window (&window);
}

/* Where nothing is followed the view says what to do; the order that a person chose holds for
   the next path as well. */
static void
test_empty (void)
{
  g_autoptr (KymoSession) session = open_sample ();
  GtkWidget *view = kymo_path_view_new (session);
  GtkWidget *window = desk_present (view, 900, 500), *page, *stack, *back;
  g_autoptr (GPtrArray) lists = g_ptr_array_new ();
  g_autoptr (GHashTable) kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  page = desk_need (view, ADW_TYPE_STATUS_PAGE, NULL);
  stack = gtk_widget_get_ancestor (page, GTK_TYPE_STACK);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "empty");
  g_assert_nonnull (strstr (adw_status_page_get_description (ADW_STATUS_PAGE (page)),
                            "select it in the timeline"));
  back = desk_need (view, GTK_TYPE_BUTTON, "What the selected block hangs on");
  g_assert_false (gtk_widget_get_mapped (back));
  kymo_session_set_block (session, 3, 1000000000);
  desk_turn ();
  g_assert_true (gtk_widget_get_mapped (back));
  g_signal_emit_by_name (desk_need (view, GTK_TYPE_BUTTON, "What delays the end of the run"),
                         "clicked");
  wait_for_path (session);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "lists");
  kymo_kept_collect (view, "critical-path", kept);
  g_assert_cmpuint (g_hash_table_size (kept), ==, 0);
  desk_collect (view, KYMO_TYPE_ANSWER_LIST, lists);
  kymo_answer_list_sort (lists->pdata[2], "label", FALSE);
  kymo_session_follow_path (session, KYMO_PATH_BACK);
  for (guint i = 0; i < MOST_TURNS && kymo_session_peek_path (session) == NULL
       && kymo_session_peek_path_failure (session) == NULL; i++)
    desk_turn ();
  kymo_kept_collect (view, "critical-path", kept);
  g_assert_cmpstr (g_hash_table_lookup (kept, "critical-path.step-sort"), ==, "label");
  desk_clear_window (&window);
  check_kept_order (session);
}

static void
count (guint *n)
{
  (*n)++;
}

/* A path under way when another one is wished is not shown; a session may go meanwhile. */
static void
test_newer (void)
{
  KymoSession *session = open_sample ();
  guint n = 0;

  g_signal_connect_swapped (session, "path-changed", G_CALLBACK (count), &n);
  kymo_session_follow_path (session, KYMO_PATH_CRITICAL);
  kymo_session_follow_path (session, KYMO_PATH_NONE);
  for (guint i = 0; i < 30; i++)
    desk_turn ();
  g_assert_null (kymo_session_peek_path (session));
  g_assert_cmpuint (n, ==, 2);
  kymo_session_follow_path (session, KYMO_PATH_CRITICAL);
  g_object_unref (session);
  for (guint i = 0; i < 30; i++)
    desk_turn ();
}

static void
test_menu (void)
{
  g_autoptr (KymoSession) session = open_sample ();
  GtkWidget *menu = kymo_messages_menu_new (session);
  GtkWidget *window = desk_present (menu, 400, 100);

  g_assert_cmpint (kymo_session_get_messages (session), ==, KYMO_MESSAGES_BLOCK);
  g_assert_true (gtk_widget_activate_action (menu, "messages.lines", "s", "all"));
  g_assert_cmpint (kymo_session_get_messages (session), ==, KYMO_MESSAGES_ALL);
  g_assert_nonnull (kymo_messages_next (session));
  g_assert_cmpint (kymo_session_get_messages (session), ==, KYMO_MESSAGES_NONE);
  g_assert_true (gtk_widget_activate_action (menu, "messages.by-bytes", NULL));
  g_assert_true (kymo_session_get_by_bytes (session));
  g_assert_true (gtk_widget_activate_action (menu, "messages.least-bytes", "x", (gint64) 65536));
  g_assert_cmpint (kymo_session_get_least_bytes (session), ==, 65536);
  desk_clear_window (&window);
}

static KymoCanvas *
settled_canvas (GtkWidget *view, guint which)
{
  KymoCanvas *canvas
    = kymo_communication_view_peek_canvases (KYMO_COMMUNICATION_VIEW (view))->pdata[which];

  for (guint i = 0; i < MOST_TURNS && (kymo_canvas_peek_answer (canvas) == NULL
                                       || !kymo_canvas_is_settled (canvas)); i++)
    desk_turn ();
  g_assert_nonnull (kymo_canvas_peek_answer (canvas));
  return canvas;
}

/* What a person types as a tag, and names that are hidden, leave messages out of sums; what is
   told and what is left out are all. */
static void
test_tag (void)
{
  g_autoptr (KymoSource) source = desk_open_run ("tests/data/tau/trace-stencil-4");
  g_autoptr (KymoSession) session = kymo_session_new (source);
  GtkWidget *view = kymo_communication_view_new (session);
  GtkWidget *window = desk_present (view, 900, 500), *entry, *button;
  KymoCanvas *canvas = settled_canvas (view, 0);
  gint64 all = kymo_table_get_int (kymo_canvas_peek_answer (canvas), "messages", 0);
  const KymoTable *some;

  g_assert_cmpint (all, >, 0);
  entry = desk_need (view, GTK_TYPE_ENTRY, "Only messages with this tag");
  button = gtk_widget_get_ancestor (entry, GTK_TYPE_MENU_BUTTON);
  g_assert_cmpstr (gtk_menu_button_get_label (GTK_MENU_BUTTON (button)), ==, "All messages");
  gtk_editable_set_text (GTK_EDITABLE (entry), "x");
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  g_assert_cmpint (kymo_session_get_message_tag (session), ==, -1);
  gtk_editable_set_text (GTK_EDITABLE (entry), "123456");
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  g_assert_cmpint (kymo_session_get_message_tag (session), ==, 123456);
  g_assert_cmpstr (gtk_menu_button_get_label (GTK_MENU_BUTTON (button)), ==,
                   "Messages: tag 123456");
  desk_turn ();
  some = kymo_canvas_peek_answer (settled_canvas (view, 0));
  g_assert_cmpint (kymo_table_get_int (some, "messages", 0), ==, 0);
  g_assert_cmpint (kymo_table_get_int (some, "left_out_messages", 0), ==, all);
  kymo_session_set_message_tag (session, -1);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
  kymo_session_set_hidden (session, "MPI_Isend()", TRUE);
  desk_turn ();
  some = kymo_canvas_peek_answer (settled_canvas (view, 0));
  g_assert_cmpint (kymo_table_get_int (some, "hidden_names", 0), ==, 1);
  g_assert_cmpint (kymo_table_get_int (some, "left_out_messages", 0), >, 0);
  g_assert_cmpint (kymo_table_get_int (some, "left_out_messages", 0)
                   + kymo_table_get_int (some, "messages", 0), ==, all);
  desk_clear_window (&window);
}

static gboolean
is_shown (GtkWidget *links)
{
  GtkWidget *label = desk_need (links, GTK_TYPE_LABEL, NULL);

  return gtk_widget_get_visible (links) && *gtk_label_get_text (GTK_LABEL (label)) != '\0';
}

/* Links to the other ends go to their blocks. */
static void
test_links (void)
{
  g_autoptr (KymoSession) session = open_sample ();
  GtkWidget *links = kymo_details_links_new (session);
  GtkWidget *window = desk_present (links, 800, 60), *label;
  g_autoptr (KymoTable) messages = NULL;
  KymoTable *found;
  gboolean handled = FALSE;
  gint64 location, time_ns;

  messages = desk_ask (kymo_session_peek_source (session), "messages", "limit", "100000");
  found = kymo_table_peek_nested (messages, "messages", NULL);
  kymo_session_set_block (session, kymo_table_get_int (found, "to", 9000),
                          kymo_table_get_int (found, "begin_ns", 9000));
  for (guint i = 0; i < MOST_TURNS && !is_shown (links); i++)
    desk_turn ();
  label = desk_need (links, GTK_TYPE_LABEL, NULL);
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (label)), "<a href="));
  g_signal_emit_by_name (label, "activate-link", "3:1000000000", &handled);
  g_assert_true (handled);
  g_assert_true (kymo_session_get_block (session, &location, &time_ns));
  g_assert_cmpint (location, ==, 3);
  g_assert_cmpint (time_ns, ==, 1000000000);
  kymo_session_clear_block (session);
  g_assert_false (is_shown (links));
  desk_clear_window (&window);
}

/* All messages in view are asked for, and painted at any zoom. */
static void
test_lines (void)
{
  g_autoptr (KymoSession) session = open_sample ();
  GtkWidget *canvas = kymo_canvas_new (kymo_plot_find ("timeline"), session);
  GtkWidget *window = desk_present (canvas, 900, 400);

  kymo_session_set_messages (session, KYMO_MESSAGES_ALL);
  kymo_session_follow_path (session, KYMO_PATH_CRITICAL);
  wait_for_path (session);
  for (gint64 length = 1000000000; length > 10000; length /= 10)
    {
      kymo_session_set_range (session, (KymoSpan) { 1200000000, 1200000000 + length }, FALSE);
      for (guint i = 0; i < 25; i++)
        desk_turn ();
      g_assert_true (kymo_canvas_is_settled (KYMO_CANVAS (canvas)));
    }
  desk_clear_window (&window);
}

/* A timeline that is opened later shows what was chosen before. */
static void
test_later (void)
{
  g_autoptr (KymoSession) session = open_sample ();
  KymoTimelineCanvas *canvas;
  GtkWidget *window;

  kymo_session_set_messages (session, KYMO_MESSAGES_ALL);
  kymo_session_follow_path (session, KYMO_PATH_CRITICAL);
  wait_for_path (session);
  canvas = KYMO_TIMELINE_CANVAS (kymo_canvas_new (kymo_plot_find ("timeline"), session));
  window = desk_present (GTK_WIDGET (canvas), 900, 400);
  WAIT_FOR (canvas->messages.answer != NULL && canvas->path.answer != NULL);
  desk_clear_window (&window);
}

static void
on_message (KymoCanvas *canvas, const char *words, char **said)
{
  desk_keep_word (said, words);
}

/* Of a block that sent nothing no line tells; of one that did nothing is said. */
static void
test_nothing (void)
{
  g_autoptr (KymoSession) session = open_sample ();
  GtkWidget *canvas = kymo_canvas_new (kymo_plot_find ("timeline"), session);
  GtkWidget *window = desk_present (canvas, 900, 400);
  g_autofree char *said = NULL;
  g_autoptr (KymoTable) messages
    = desk_ask (kymo_session_peek_source (session), "messages", "limit", "100000");
  KymoTable *found = kymo_table_peek_nested (messages, "messages", NULL);
  struct { guint row; gboolean sends; } blocks[] = { { 9300, FALSE }, { 8353, TRUE } };

  WAIT_FOR (kymo_canvas_is_settled (KYMO_CANVAS (canvas)));
  g_signal_connect (canvas, "message", G_CALLBACK (on_message), &said);
  kymo_session_set_messages (session, KYMO_MESSAGES_FORWARD);
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      g_clear_pointer (&said, g_free);
      kymo_session_set_block (session, kymo_table_get_int (found, "to", blocks[i].row),
                              kymo_table_get_int (found, "begin_ns", blocks[i].row));
      for (guint turn = 0; turn < 50; turn++)
        desk_turn ();
      g_assert_cmpstr (said, ==, blocks[i].sends ? NULL
                                 : "The selected block sent no message");
    }
  desk_clear_window (&window);
}

int
main (int    argc,
      char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/paths/critical", test_critical);
  g_test_add_func ("/paths/chain", test_chain);
  g_test_add_func ("/paths/empty", test_empty);
  g_test_add_func ("/paths/newer", test_newer);
  g_test_add_func ("/paths/menu", test_menu);
  g_test_add_func ("/paths/tag", test_tag);
  g_test_add_func ("/paths/links", test_links);
  g_test_add_func ("/paths/lines", test_lines);
  g_test_add_func ("/paths/later", test_later);
  g_test_add_func ("/paths/nothing", test_nothing);
  return g_test_run ();
}
