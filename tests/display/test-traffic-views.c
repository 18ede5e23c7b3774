/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views of communication and of events, of the bundled sample: each mode asks its
 * question and shows its answer, by bytes or by messages; the list of records has all of
 * them, follows the selected block, selects what is chosen, and goes by its filter.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "desk.h"
#include "kymo-answer-list.h"
#include "kymo-communication-view.h"
#include "kymo-events-view.h"

#define MOST_TURNS 2000
#define SAMPLE "data/sample"

typedef struct
{
  KymoSource  *source;
  KymoSession *session;
  GtkWidget   *window, *view;
} Desk;

static void
desk_open (Desk *desk, GtkWidget *(*make) (KymoSession *session))
{
  desk->source = desk_open_run (SAMPLE);
  desk->session = kymo_session_new (desk->source);
  desk->view = make (desk->session);
  desk->window = desk_present (desk->view, 1000, 700);
}

static void
desk_close (Desk *desk)
{
  desk_clear_window (&desk->window);
  g_object_unref (desk->session);
  g_object_unref (desk->source);
}

/* -- communication ----------------------------------------------------------- */

static KymoCanvas *
shown_canvas (Desk *desk)
{
  GPtrArray *canvases = kymo_communication_view_peek_canvases (
    KYMO_COMMUNICATION_VIEW (desk->view));

  for (guint i = 0; i < canvases->len; i++)
    if (gtk_widget_get_mapped (canvases->pdata[i]))
      return canvases->pdata[i];
  return NULL;
}

static KymoTable *
wait_for_answer (Desk *desk, const char *plot)
{
  for (guint i = 0; i < MOST_TURNS; i++)
    {
      KymoCanvas *canvas = shown_canvas (desk);

      if (canvas != NULL && g_str_equal (kymo_canvas_get_plot (canvas)->id, plot)
          && kymo_canvas_is_settled (canvas) && kymo_canvas_peek_answer (canvas) != NULL)
        return kymo_canvas_peek_answer (canvas);
      desk_turn ();
    }
  g_error ("no answer of %s", plot);
}

static void
test_communication (void)
{
  static const char *const modes[] = { "communication", "communication-locations",
                                       "communication-time", "call-table",
                                       "communication-graph", "message-graph" };
  static const char *const lists[] = { "matrix", "rows", "series", "calls", "matrix", "calls" };
  g_autoptr (KymoTable) whole = NULL;
  Desk desk;

  desk_open (&desk, kymo_communication_view_new);
  whole = desk_ask (desk.source, "communication", "join", "1");
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      KymoTable *answer;

      kymo_communication_view_set_mode (KYMO_COMMUNICATION_VIEW (desk.view), modes[i]);
      g_assert_cmpstr (kymo_communication_view_get_mode (KYMO_COMMUNICATION_VIEW (desk.view)),
                       ==, modes[i]);
      answer = wait_for_answer (&desk, modes[i]);
      g_assert_cmpint (kymo_table_get_int (answer, "bytes", 0), ==,
                       kymo_table_get_int (whole, "bytes", 0));
      g_assert_cmpstr (kymo_table_get_string (answer, "of", 0), ==, "bytes");
      g_assert_nonnull (kymo_table_peek_nested (answer, lists[i], NULL));
    }
  kymo_communication_view_set_of (KYMO_COMMUNICATION_VIEW (desk.view), "messages");
  desk_turn ();
  g_assert_cmpstr (kymo_table_get_string (wait_for_answer (&desk, "message-graph"), "of", 0),
                   ==, "messages");
  desk_close (&desk);
}

/* -- events -------------------------------------------------------------------- */

static void
wait_for_list (Desk *desk)
{
  for (guint i = 0; i < MOST_TURNS; i++)
    {
      desk_turn ();
      if (kymo_events_view_is_settled (KYMO_EVENTS_VIEW (desk->view)))
        return;
    }
  g_error ("the list is not there");
}

static gint64
total_of (Desk *desk, const char *key, const char *value)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("events");
  g_autoptr (KymoIdSet) ids = kymo_id_set_parse ("3", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = NULL;

  kymo_question_set_locations (question, ids);
  kymo_question_set_int (question, "limit", 0);
  if (key != NULL)
    kymo_question_set (question, key, value);
  answer = kymo_source_ask (desk->source, question, NULL, &error);
  g_assert_no_error (error);
  return kymo_table_get_int (answer, "total", 0);
}

static void
test_events (void)
{
  KymoEventsView *view;
  gint64 location, time_ns, total;
  g_autofree char *line = NULL, *last = NULL;
  GtkWidget *filter;
  Desk desk;

  desk_open (&desk, kymo_events_view_new);
  view = KYMO_EVENTS_VIEW (desk.view);
  wait_for_list (&desk);
  /* The list goes to the block that is selected elsewhere. */
  kymo_session_set_block (desk.session, 3, G_GINT64_CONSTANT (1200000000));
  wait_for_list (&desk);
  g_assert_cmpuint (kymo_events_view_get_n (view), ==, total_of (&desk, NULL, NULL));
  g_assert_cmpuint (kymo_events_view_get_chosen (view), !=, GTK_INVALID_LIST_POSITION);
  line = kymo_events_view_dup_line (view, kymo_events_view_get_chosen (view));
  g_assert_nonnull (line);
  g_assert_true (g_str_has_prefix (line, "1.2"));
  /* The next record is chosen, and with it a block. */
  gtk_widget_activate (desk_need (desk.view, GTK_TYPE_BUTTON, "_Next"));
  wait_for_list (&desk);
  g_assert_true (kymo_session_get_block (desk.session, &location, &time_ns));
  g_assert_cmpint (location, ==, 3);
  g_assert_cmpint (time_ns, >=, G_GINT64_CONSTANT (1200000000));
  /* What does not pass the filter is gone. */
  filter = desk_need (desk.view, GTK_TYPE_SEARCH_ENTRY,
                      "Words in the name of entry methods, user events and notes");
  gtk_editable_set_text (GTK_EDITABLE (filter), "calculateForces");
  total = total_of (&desk, "text", "calculateForces");
  for (guint i = 0; i < MOST_TURNS && kymo_events_view_get_n (view) != total; i++)
    desk_turn ();
  wait_for_list (&desk);
  g_assert_cmpuint (kymo_events_view_get_n (view), ==, total);
  last = kymo_events_view_dup_line (view, kymo_events_view_get_chosen (view));
  g_assert_nonnull (strstr (last, "calculateForces"));
  desk_close (&desk);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/traffic-views/communication", test_communication);
  g_test_add_func ("/traffic-views/events", test_events);
  return g_test_run ();
}
