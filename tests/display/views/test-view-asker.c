/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoViewAsker: when a view asks. A source counts the questions; the view is a label.
 *
 * Needs a display.
 */
#include "config.h"

#include "desk.h"
#include "kymo-view-asker.h"

static int n_asked;                     /* atomic */
static guint n_answers, n_queued;
static gboolean grows, has_question;

static KymoTable *
answer (KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  if (g_str_equal (kymo_question_get_kind (question), "counted"))
    g_atomic_int_inc (&n_asked);
  return kymo_table_new (KYMO_STYLE_OBJECT);
}

static KymoQuestion *
new_question (gpointer view)
{
  return has_question ? kymo_question_new ("counted") : NULL;
}

static void
on_answer (KymoTable *table, const GError *error, gpointer view)
{
  g_assert_no_error (error);
  n_answers++;
}

static void
on_queued (gpointer view)
{
  n_queued++;
}

static gboolean
on_grown (gpointer view)
{
  return grows;
}

static const KymoViewQuestion seen = {
  .question = new_question, .answered = on_answer, .queued = on_queued, .grown = on_grown,
  .pause_ms = 50,
};
static const KymoViewQuestion at_rest = {
  .question = new_question, .answered = on_answer, .pause_ms = 50, .at_rest = TRUE,
};
static const KymoViewQuestion unseen = {
  .question = new_question, .answered = on_answer, .seen = KYMO_VIEW_UNSEEN,
};
static const KymoViewQuestion paced = {
  .question = new_question, .answered = on_answer, .pace_ms = 60000,
};

typedef struct
{
  KymoSource    *source;
  KymoSession   *session;
  GtkWidget     *view, *window;
  KymoViewAsker *asker;
} View;

static void
open_view (View *view, gconstpointer klass)
{
  n_asked = n_answers = n_queued = 0;
  grows = has_question = TRUE;
  view->source = KYMO_SOURCE (desk_source_new (answer, KYMO_CAN_BINNED_TIME, 1000000));
  view->session = kymo_session_new (view->source);
  view->view = gtk_label_new ("view");
  gtk_widget_set_visible (view->view, FALSE);
  view->asker = kymo_view_asker_new (klass, view->view, view->session);
  kymo_view_asker_follow (view->asker, view->session, "range-changed");
  view->window = desk_present (view->view, 200, 100);
}

static void
close_view (View *view, gconstpointer klass)
{
  g_clear_object (&view->asker);
  desk_clear_window (&view->window);
  g_clear_object (&view->session);
  g_clear_object (&view->source);
}

/* Each call is another range. */
static void
zoom (View *view)
{
  kymo_session_zoom (view->session, 0, 1.5);
}

static void
settle (View *view)
{
  WAIT_FOR (kymo_view_asker_is_settled (view->asker));
}

/* A view that nobody sees asks nothing; what has changed meanwhile is one question. */
static void
test_seen (View *view, gconstpointer klass)
{
  zoom (view);
  zoom (view);
  desk_turn ();
  g_assert_false (kymo_view_asker_is_settled (view->asker));
  g_assert_cmpint (n_asked, ==, 0);
  g_assert_cmpuint (n_queued, ==, 0);
  gtk_widget_set_visible (view->view, TRUE);
  settle (view);
  g_assert_cmpint (n_asked, ==, 1);
  g_assert_cmpuint (n_answers, ==, 1);
  g_assert_cmpuint (n_queued, ==, 1);
  zoom (view);
  zoom (view);
  zoom (view);
  settle (view);
  g_assert_cmpint (n_asked, ==, 2);
  gtk_widget_set_visible (view->view, FALSE);
  g_assert_true (kymo_view_asker_is_settled (view->asker));
  gtk_widget_set_visible (view->view, TRUE);
  settle (view);
  g_assert_cmpint (n_asked, ==, 2);
}

/* What waits when the view goes out of sight is asked when it comes back. */
static void
test_unmapped (View *view, gconstpointer klass)
{
  gtk_widget_set_visible (view->view, TRUE);
  settle (view);
  zoom (view);
  gtk_widget_set_visible (view->view, FALSE);
  desk_turn ();
  g_assert_false (kymo_view_asker_is_settled (view->asker));
  g_assert_cmpint (n_asked, ==, 1);
  kymo_view_asker_catch_up (view->asker);
  settle (view);
  g_assert_cmpint (n_asked, ==, 2);
  kymo_view_asker_ask (view->asker);
  g_assert_cmpint (n_asked, ==, 2);
  gtk_widget_set_visible (view->view, TRUE);
  settle (view);
  g_assert_cmpint (n_asked, ==, 3);
}

/* A run that has grown is asked about again, unless the view says that the answer stays. */
static void
test_grown (View *view, gconstpointer klass)
{
  gtk_widget_set_visible (view->view, TRUE);
  settle (view);
  grows = FALSE;
  g_signal_emit_by_name (view->source, "grown");
  g_assert_true (kymo_view_asker_is_settled (view->asker));
  grows = TRUE;
  g_signal_emit_by_name (view->source, "grown");
  settle (view);
  g_assert_cmpint (n_asked, ==, 2);
  gtk_widget_set_visible (view->view, FALSE);
  g_signal_emit_by_name (view->source, "grown");
  desk_turn ();
  g_assert_cmpint (n_asked, ==, 2);
  gtk_widget_set_visible (view->view, TRUE);
  settle (view);
  g_assert_cmpint (n_asked, ==, 3);
}

/* A change drops the question before. */
static void
test_at_rest (View *view, gconstpointer klass)
{
  gtk_widget_set_visible (view->view, TRUE);
  zoom (view);
  settle (view);
  g_assert_cmpuint (n_answers, ==, 1);
  has_question = FALSE;
  zoom (view);
  settle (view);
  g_assert_cmpuint (n_answers, ==, 1);
}

static void
test_unseen (View *view, gconstpointer klass)
{
  zoom (view);
  settle (view);
  g_assert_cmpint (n_asked, ==, 1);
  g_assert_cmpuint (n_answers, ==, 1);
  g_assert_false (gtk_widget_get_mapped (view->view));
}

/* Of a stream that is followed a second question waits its minute. */
static void
test_paced (View *view, gconstpointer klass)
{
  kymo_session_set_follow (view->session, KYMO_FOLLOW_ALL);
  gtk_widget_set_visible (view->view, TRUE);
  settle (view);
  g_signal_emit_by_name (view->source, "grown");
  desk_turn ();
  g_assert_false (kymo_view_asker_is_settled (view->asker));
  g_assert_cmpint (n_asked, ==, 1);
  kymo_session_set_follow (view->session, 0);
  kymo_view_asker_ask (view->asker);
  settle (view);
  g_assert_cmpint (n_asked, ==, 2);
}

#define add(path, klass, function) \
  g_test_add ("/view-asker/" path, View, &klass, open_view, function, close_view)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("seen", seen, test_seen);
  add ("unmapped", seen, test_unmapped);
  add ("grown", seen, test_grown);
  add ("at-rest", at_rest, test_at_rest);
  add ("unseen", unseen, test_unseen);
  add ("paced", paced, test_paced);
  return g_test_run ();
}
