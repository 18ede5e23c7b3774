/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a window asks about the selected block: its details once and its messages once,
 * whoever shows them. A source passes the questions on and counts them.
 *
 * Needs a display.
 */
#include "config.h"

#include <string.h>

#include "kymo-session-messages.h"
#include "kymo-session-profile.h"
#include "run_desk.h"

static KymoSource *run;
static int n_details, n_messages;       /* atomic */

static KymoTable *
count (KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  const char *kind = kymo_question_get_kind (question);

  if (g_str_equal (kind, "details"))
    g_atomic_int_inc (&n_details);
  else if (g_str_equal (kind, "messages"))
    g_atomic_int_inc (&n_messages);
  return kymo_source_ask (run, question, cancellable, error);
}

static void
open_counted (Desk *desk, gconstpointer path)
{
  g_autoptr (KymoTable) info = NULL;
  DeskSource *source;

  run = desk_open_run (path);
  source = desk_source_new (count, kymo_source_get_capabilities (run) | KYMO_CAN_METRICS, 0);
  source->span = kymo_source_get_span (run);
  source->terms = kymo_source_get_terms (run);
  desk->source = KYMO_SOURCE (source);
  info = desk_ask (run, "info", NULL, NULL);
  desk->session = kymo_session_new (desk->source);
  desk->view = KYMO_RUN_VIEW (kymo_run_view_new (desk->session, info));
  desk->window = desk_present (GTK_WIDGET (desk->view), 1500, 900);
  desk_settle (desk);
}

static void
close_counted (Desk *desk, gconstpointer path)
{
  desk_close (desk, path);
  g_clear_object (&run);
}

/* A block that a message started: the details, and the links below them. */
static void
select_block (Desk *desk, guint message, GtkWidget **facts, GtkWidget **links)
{
  g_autoptr (KymoTable) answer = desk_ask (run, "messages", "limit", "100000");
  KymoTable *list = kymo_table_peek_nested (answer, "messages", NULL);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  desk_collect (desk->view->details, GTK_TYPE_LABEL, labels);
  *facts = labels->pdata[1];
  *links = labels->pdata[2];
  n_details = n_messages = 0;
  kymo_session_set_block (desk->session,
                          kymo_table_get_int (list, kymo_table_find_column (list, "to_location") < 0
                                                    ? "to" : "to_location", message),
                          kymo_table_get_int (list, "begin_ns", message));
  WAIT_FOR (strstr (gtk_label_get_text (GTK_LABEL (*facts)), "lasts") != NULL
            && strstr (gtk_label_get_label (GTK_LABEL (*links)), "<a href=") != NULL);
  for (guint turn = 0; turn < 20; turn++)
    desk_turn ();
  desk_settle (desk);
}

/* The pane, the words, the link to the profiles and the lines of the picture share one answer
   each. */
static void
test_once (Desk *desk, gconstpointer data)
{
  GtkWidget *facts, *links;

  select_block (desk, 100, &facts, &links);
  g_assert_cmpint (n_details, ==, 1);
  g_assert_cmpint (n_messages, ==, 1);
  g_assert_nonnull (kymo_session_peek_function (desk->session));
}

/* A range that is dragged over the block, and dropped again, asks nothing about the block. */
static void
test_range (Desk *desk, gconstpointer data)
{
  GtkWidget *facts, *links;
  KymoSpan range = kymo_session_get_range (desk->session);

  select_block (desk, 100, &facts, &links);
  for (guint i = 1; i < 10; i++)
    kymo_session_set_selection (desk->session, &(KymoSpan) { range.begin_ns,
                                                             range.begin_ns + i * 100000 });
  WAIT_FOR (*gtk_label_get_label (GTK_LABEL (links)) == '\0');
  kymo_session_set_selection (desk->session, NULL);
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (facts)), "lasts"));
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (links)), "<a href="));
  for (guint turn = 0; turn < 20; turn++)
    desk_turn ();
  g_assert_cmpint (n_details, ==, 1);
  g_assert_cmpint (n_messages, ==, 1);
}

#define add(path, run_path, function) \
  g_test_add ("/selected-block/" path, Desk, run_path, open_counted, function, close_counted)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("once", "data/sample", test_once);
  add ("once-mpi", "tests/data/tau/trace-stencil-4", test_once);
  add ("range", "data/sample", test_range);
  return g_test_run ();
}
