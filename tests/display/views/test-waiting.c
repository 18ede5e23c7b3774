/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Waiting view of a small program of ranks: its sums, its single waits, what
 * is chosen among the sums, and going to a wait and to whoever was late.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "desk.h"
#include "kymo-answer-list.h"
#include "kymo-performance-group.h"
#include "kymo-run-source.h"
#include "kymo-waiting-view.h"
#include "program.h"

#define MOST_TURNS 400

typedef struct
{
  KymoSession *session;
  GtkWidget   *window, *view;
  char        *shown;           /* view that was asked for */
} Desk;

/* Rank 0 receives from 40 us on, rank 1 sends at 100 us; then both send and
   receive the other way, where rank 0 comes 5 us late. */
static KymoRun *
make_run (void)
{
  Program p;

  program_init (&p, 2);
  program_begin (&p, 0, 0, PROGRAM_MAIN);
  program_begin (&p, 1, 0, PROGRAM_SOLVE);
  program_call (&p, 0, PROGRAM_RECV, 40000, 110000, -1, 1);
  program_call (&p, 1, PROGRAM_SEND, 100000, 105000, 0, -1);
  program_call (&p, 1, PROGRAM_WAITALL, 195000, 210000, -1, 0);
  program_call (&p, 0, PROGRAM_SEND, 200000, 205000, 1, -1);
  return program_end (&p, 400000);
}

static void
desk_open (Desk *desk)
{
  g_autoptr (KymoRun) run = make_run ();
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);

  *desk = (Desk) { kymo_session_new (KYMO_SOURCE (source)) };
  desk->view = kymo_waiting_view_new (desk->session);
  g_signal_connect_swapped (desk->view, "show-view",
                            G_CALLBACK (desk_keep_word), &desk->shown);
  desk->window = desk_present (desk->view, 900, 600);
}

static void
desk_close (Desk *desk)
{
  desk_clear_window (&desk->window);
  g_object_unref (desk->session);
  g_free (desk->shown);
}

/* The sums in the order of their choice, then the single waits. */
static KymoAnswerList *
list_at (Desk *desk, guint i)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_collect (desk->view, KYMO_TYPE_ANSWER_LIST, found);
  g_assert_cmpuint (found->len, ==, 5);
  return found->pdata[i];
}

static gboolean
holds (KymoAnswerList *list, const char *words)
{
  g_autofree char *figures = kymo_line_table_dup_figures (KYMO_LINE_TABLE (list));

  return strstr (figures, words) != NULL;
}

static void
wait_for (KymoAnswerList *list, const char *words, gboolean there)
{
  for (guint i = 0; i < MOST_TURNS && holds (list, words) != there; i++)
    desk_turn ();
  g_assert_cmpint (holds (list, words), ==, there);
}

static GtkWidget *
button_at (Desk *desk, guint i)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_collect (desk->view, GTK_TYPE_BUTTON, found);
  for (guint k = 0; k < found->len; k++)
    if (gtk_button_get_label (found->pdata[k]) != NULL && i-- == 0)
      return found->pdata[k];
  g_assert_not_reached ();
}

static void
test_sums (void)
{
  Desk desk;

  desk_open (&desk);
  wait_for (list_at (&desk, 0), "Late sender", TRUE);
  g_assert_false (holds (list_at (&desk, 0), "Barrier"));
  g_assert_true (holds (list_at (&desk, 1), "MPI_Recv()"));
  g_assert_true (holds (list_at (&desk, 2), "main => MPI_Recv()"));
  g_assert_true (holds (list_at (&desk, 3), "rank 1"));
  wait_for (list_at (&desk, 4), "MPI_Waitall()", TRUE);
  g_assert_true (holds (list_at (&desk, 4), "solve"));
  desk_close (&desk);
}

/* What is chosen among the sums narrows down the single waits. */
static void
test_narrowed (void)
{
  g_autoptr (GPtrArray) drops = g_ptr_array_new ();
  Desk desk;

  desk_open (&desk);
  wait_for (list_at (&desk, 4), "MPI_Recv()", TRUE);
  desk_collect (desk.view, GTK_TYPE_DROP_DOWN, drops);
  g_assert_cmpuint (drops->len, ==, 1);
  gtk_drop_down_set_selected (drops->pdata[0], 2);
  kymo_answer_list_select (list_at (&desk, 1), 1);
  g_signal_emit_by_name (list_at (&desk, 1), "selected", 1);
  wait_for (list_at (&desk, 4), "MPI_Recv()", FALSE);
  wait_for (list_at (&desk, 4), "MPI_Waitall()", TRUE);
  gtk_drop_down_set_selected (drops->pdata[0], 4);
  kymo_answer_list_select (list_at (&desk, 3), 0);
  g_signal_emit_by_name (list_at (&desk, 3), "selected", 0);
  wait_for (list_at (&desk, 4), "MPI_Recv()", TRUE);
  wait_for (list_at (&desk, 4), "MPI_Waitall()", FALSE);
  desk_close (&desk);
}

static void
test_range (void)
{
  Desk desk;

  desk_open (&desk);
  wait_for (list_at (&desk, 4), "MPI_Recv()", TRUE);
  kymo_session_set_range (desk.session, (KymoSpan) { 150000, 300000 }, TRUE);
  wait_for (list_at (&desk, 4), "MPI_Recv()", FALSE);
  wait_for (list_at (&desk, 4), "MPI_Waitall()", TRUE);
  desk_close (&desk);
}

/* Other figures of the same leave chosen what is chosen. */
static void
test_kept (void)
{
  Desk desk;
  KymoAnswerList *functions, *worst;

  desk_open (&desk);
  functions = list_at (&desk, 1);
  worst = list_at (&desk, 4);
  wait_for (worst, "MPI_Recv()", TRUE);
  kymo_answer_list_select (functions, 1);
  kymo_answer_list_select (worst, 1);
  g_signal_emit_by_name (worst, "selected", 1);
  g_assert_true (gtk_widget_get_sensitive (button_at (&desk, 0)));
  kymo_session_set_range (desk.session, (KymoSpan) { 150000, 300000 }, TRUE);
  wait_for (worst, "MPI_Recv()", FALSE);
  g_assert_false (holds (functions, "MPI_Recv()"));
  g_assert_cmpint (kymo_answer_list_get_selected (functions), >=, 0);
  g_assert_cmpint (kymo_answer_list_get_selected (worst), ==, 0);
  g_assert_true (gtk_widget_get_sensitive (button_at (&desk, 0)));
  g_assert_true (gtk_widget_get_sensitive (button_at (&desk, 1)));
  /* what is not there any more is not chosen either */
  kymo_session_set_range (desk.session, (KymoSpan) { 0, 150000 }, TRUE);
  wait_for (worst, "MPI_Recv()", TRUE);
  g_assert_cmpint (kymo_answer_list_get_selected (functions), ==, -1);
  g_assert_cmpint (kymo_answer_list_get_selected (worst), ==, -1);
  g_assert_false (gtk_widget_get_sensitive (button_at (&desk, 0)));
  desk_close (&desk);
}

static void
assert_block (Desk *desk, gint64 location, gint64 time_ns)
{
  gint64 got_location = -1, got_ns = -1;

  g_assert_true (kymo_session_get_block (desk->session, &got_location, &got_ns));
  g_assert_cmpint (got_location, ==, location);
  g_assert_cmpint (got_ns, ==, time_ns);
}

static void
test_going_there (void)
{
  KymoSpan range;
  Desk desk;

  desk_open (&desk);
  wait_for (list_at (&desk, 4), "MPI_Recv()", TRUE);
  g_assert_false (gtk_widget_get_sensitive (button_at (&desk, 1)));
  g_signal_emit_by_name (list_at (&desk, 4), "activated", 0);
  g_assert_cmpstr (desk.shown, ==, "timeline");
  assert_block (&desk, 0, 40000);
  range = kymo_session_get_range (desk.session);
  g_assert_cmpint (range.begin_ns, >, 0);
  g_assert_cmpint (range.begin_ns, <, 40000);
  g_assert_cmpint (range.end_ns, >, 110000);
  kymo_session_fit (desk.session);
  wait_for (list_at (&desk, 4), "MPI_Waitall()", TRUE);
  kymo_answer_list_select (list_at (&desk, 4), 0);
  g_signal_emit_by_name (list_at (&desk, 4), "selected", 0);
  g_assert_true (gtk_widget_get_sensitive (button_at (&desk, 1)));
  g_signal_emit_by_name (button_at (&desk, 1), "clicked");
  assert_block (&desk, 1, 100000);
  desk_close (&desk);
}

/* How the run did, and how a part of it did. */
static void
test_performance (void)
{
  Desk desk;
  GtkWidget *whole, *part, *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  desk_open (&desk);
  whole = kymo_performance_group_new (desk.session, FALSE);
  part = kymo_performance_group_new (desk.session, TRUE);
  gtk_box_append (GTK_BOX (box), whole);
  gtk_box_append (GTK_BOX (box), part);
  gtk_window_set_child (GTK_WINDOW (desk.window), box);
  g_assert_false (gtk_widget_get_visible (part));
  kymo_session_set_range (desk.session, (KymoSpan) { 0, 100000 }, TRUE);
  for (guint i = 0; i < MOST_TURNS && !gtk_widget_get_visible (part); i++)
    desk_turn ();
  g_assert_true (gtk_widget_get_visible (part));
  g_assert_true (gtk_widget_get_visible (whole));
  kymo_session_fit (desk.session);
  for (guint i = 0; i < MOST_TURNS && gtk_widget_get_visible (part); i++)
    desk_turn ();
  g_assert_false (gtk_widget_get_visible (part));
  desk_close (&desk);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/waiting/sums", test_sums);
  g_test_add_func ("/waiting/narrowed", test_narrowed);
  g_test_add_func ("/waiting/range", test_range);
  g_test_add_func ("/waiting/kept", test_kept);
  g_test_add_func ("/waiting/going-there", test_going_there);
  g_test_add_func ("/waiting/performance", test_performance);
  return g_test_run ();
}
