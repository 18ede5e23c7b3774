/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views of communication and of events, of the bundled sample, and of user events: each mode
 * asks its question and shows its answer, by bytes or by messages; the list of records has all of
 * them, follows the selected block, selects what is chosen, and goes by its filter.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "desk.h"
#include "kymo-answer-list.h"
#include "kymo-communication-view.h"
#include "kymo-counters-view.h"
#include "kymo-event-pages.h"
#include "kymo-events-save.h"
#include "kymo-events-view.h"
#include "kymo-events-writing.h"
#include "scratch.h"
#include "kymo-user-events-view.h"

#define MOST_TURNS 2000
#define SAMPLE "data/sample"

typedef struct
{
  KymoSource  *source;
  KymoSession *session;
  GtkWidget   *window, *view;
} Desk;

static void
desk_open_of (Desk *desk, const char *run, GtkWidget *(*make) (KymoSession *session))
{
  desk->source = desk_open_run (run);
  desk->session = kymo_session_new (desk->source);
  desk->view = make (desk->session);
  desk->window = desk_present (desk->view, 1000, 700);
}

static void
desk_open (Desk *desk, GtkWidget *(*make) (KymoSession *session))
{
  desk_open_of (desk, SAMPLE, make);
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

/* A line of the list is the record of that number. */
static void
assert_line (Desk *desk, guint line)
{
  KymoEventsView *view = KYMO_EVENTS_VIEW (desk->view);
  g_autoptr (KymoQuestion) question = kymo_question_new ("events");
  g_autoptr (KymoIdSet) ids = kymo_id_set_parse ("3", NULL);
  g_autoptr (KymoTable) answer = NULL;
  g_autofree char *told = NULL;

  kymo_question_set_locations (question, ids);
  kymo_question_set_int (question, "first", line);
  kymo_question_set_int (question, "limit", 1);
  answer = kymo_source_ask (desk->source, question, NULL, NULL);
  WAIT_FOR ((g_free (told), told = kymo_events_view_dup_line (view, line)) != NULL);
  g_assert_true (g_str_has_suffix (told, kymo_table_get_string (
    kymo_table_peek_nested (answer, "events", NULL), "text", 0)));
}

/* Whether a cell in sight waits for its page; one without a name does not. */
static gboolean
waits_for_cells (GtkWidget *top)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  gboolean waits = FALSE;

  desk_collect (top, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    waits |= gtk_widget_get_mapped (labels->pdata[i])
             && g_str_equal (gtk_label_get_text (labels->pdata[i]), "…");
  return waits;
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
  WAIT_FOR (!waits_for_cells (desk.view));
  /* The list goes to the block that is selected elsewhere. */
  kymo_session_set_block (desk.session, 3, G_GINT64_CONSTANT (1200000000));
  wait_for_list (&desk);
  g_assert_cmpuint (kymo_events_view_get_n (view), ==, total_of (&desk, NULL, NULL));
  g_assert_cmpuint (kymo_events_view_get_chosen (view), !=, GTK_INVALID_LIST_POSITION);
  line = kymo_events_view_dup_line (view, kymo_events_view_get_chosen (view));
  g_assert_nonnull (line);
  g_assert_true (g_str_has_prefix (line, "1.2"));
  /* So is what lies far from there, whichever way it was asked for. */
  assert_line (&desk, 7);
  assert_line (&desk, kymo_events_view_get_n (view) / 2);
  assert_line (&desk, kymo_events_view_get_n (view) - 3);
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

/* -- written in pages ---------------------------------------------------------- */

static KymoQuestion *
records_question (gpointer data)
{
  KymoQuestion *question = kymo_question_new ("events");
  g_autoptr (KymoIdSet) ids = kymo_id_set_parse ("3", NULL);

  kymo_question_set_locations (question, ids);
  kymo_question_set (question, "kinds", "block,send");
  return question;
}

typedef struct
{
  gboolean  over;
  gint64    n;
  GError   *error;
} Written;

static void
on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  Written *written = data;

  written->n = kymo_events_save_finish (result, &written->error);
  written->over = TRUE;
}

/* (nullable): what stands in the file, with pages of so many records. */
static char *
write_records (KymoSource *source, const char *path, guint page, gboolean cancelled)
{
  g_autoptr (KymoJob) job = kymo_job_new ();
  Written written = { FALSE };
  char *text = NULL;

  if (cancelled)
    kymo_job_cancel (job);
  kymo_events_save_start (source, records_question (NULL), path, page, job, on_written, &written);
  WAIT_FOR (written.over);
  if (cancelled)
    g_assert_error (written.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  else
    g_assert_no_error (written.error);
  g_clear_error (&written.error);
  g_file_get_contents (path, &text, NULL, NULL);
  g_unlink (path);
  return text;
}

/* However the records fall into pages the file is the same, and the answer as a whole. */
static void
test_written (Scratch *scratch, gconstpointer data)
{
  static const char *const names[] = { "a.csv", "a.json", "a.txt" };
  g_autoptr (KymoSource) source = desk_open_run (SAMPLE);
  g_autoptr (KymoQuestion) question = records_question (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = NULL;
  gint64 total;

  kymo_question_set_int (question, "limit", 1000000);
  answer = kymo_source_ask (source, question, NULL, &error);
  g_assert_no_error (error);
  total = kymo_table_get_int (answer, "total", 0);
  g_assert_cmpint (total, >, 100);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = scratch_path (scratch, names[i]);
      g_autofree char *in_one = write_records (source, path, total, FALSE);
      g_autofree char *in_some = write_records (source, path, total / 3, FALSE);
      g_autofree char *in_many = write_records (source, path, 1 + total / 50, FALSE);
      g_autofree char *stopped = write_records (source, path, 10, TRUE);
      g_autoptr (GString) whole = g_string_new (NULL);
      g_autoptr (GDir) left = g_dir_open (scratch->folder, 0, NULL);

      if (i == 0)
        kymo_table_write_csv (answer, whole);
      else if (i == 1)
        kymo_table_write_json (answer, whole);
      else
        kymo_events_add_lines (kymo_table_peek_nested (answer, "events", NULL), whole);
      if (i == 1)
        g_string_append_c (whole, '\n');
      g_assert_cmpstr (in_one, ==, whole->str);
      g_assert_cmpstr (in_some, ==, whole->str);
      g_assert_cmpstr (in_many, ==, whole->str);
      /* What was stopped leaves nothing behind. */
      g_assert_null (stopped);
      g_assert_null (g_dir_read_name (left));
    }
}

/* -- a run that grows ---------------------------------------------------------- */

static gint64 n_records;

static KymoTable *
answer_records (KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  gint64 first, limit;

  kymo_question_get_int (question, "first", 0, &first, NULL);
  kymo_question_get_int (question, "limit", 1000, &limit, NULL);
  kymo_table_add_column (list, "time_ns", KYMO_COLUMN_INT, 1);
  for (gint64 i = first; i < MIN (first + limit, n_records); i++)
    kymo_table_append_int (list, 0, i);
  kymo_table_set_int (answer, "total", n_records);
  kymo_table_set_int (answer, "first", first);
  kymo_table_set_table (answer, "events", list);
  return answer;
}

static void
on_items (GListModel *model, guint at, guint removed, guint added, guint *seen)
{
  g_assert_cmpuint (removed, ==, 0);
  seen[0] = at;
  seen[1] += added;
}

/* Lines stay when there are more: so does the list, wherever it was scrolled to. */
static void
test_growing (void)
{
  g_autoptr (DeskSource) source = g_object_new (DESK_TYPE_SOURCE, NULL);
  g_autoptr (KymoEventPages) pages = NULL;
  guint row, seen[2] = { 0 };

  source->answer = answer_records;
  source->can = KYMO_CAN_INTERVALS;
  n_records = 1000;
  pages = kymo_event_pages_new (KYMO_SOURCE (source), records_question, NULL);
  kymo_event_pages_reset (pages, KYMO_NULL_INT);
  WAIT_FOR (!kymo_event_pages_is_busy (pages));
  g_assert_null (kymo_event_pages_look (pages, 700, &row));
  WAIT_FOR (kymo_event_pages_look (pages, 700, &row) != NULL);
  g_signal_connect (pages, "items-changed", G_CALLBACK (on_items), seen);
  n_records = 3000;
  kymo_event_pages_renew (pages);
  /* What is to be seen is there all along. */
  g_assert_nonnull (kymo_event_pages_look (pages, 700, &row));
  WAIT_FOR (!kymo_event_pages_is_busy (pages));
  g_assert_cmpuint (seen[0], ==, 1000);
  g_assert_cmpuint (seen[1], ==, 2000);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (pages)), ==, 3000);
  g_assert_cmpint (kymo_table_get_int (kymo_event_pages_look (pages, 700, &row), "time_ns", row),
                   ==, 700);
  WAIT_FOR (kymo_event_pages_look (pages, 2999, &row) != NULL);
}

/* -- a tab that is closed while its records are written -------------------------- */

static int is_written, has_stopped;

/* Never comes to an end by itself. */
static KymoTable *
answer_slowly (KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  gint64 first;

  kymo_question_get_int (question, "first", 0, &first, NULL);
  if (first == 0)
    return answer_records (question, cancellable, error);
  g_atomic_int_set (&is_written, TRUE);
  while (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_usleep (1000);
  g_atomic_int_set (&has_stopped, TRUE);
  return NULL;
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Nothing writes on, and nothing is left, whether or not the file has a name meanwhile. */
static void
test_closed (Scratch *scratch, gconstpointer data)
{
  g_autoptr (DeskSource) source = desk_source_new (answer_slowly, KYMO_CAN_INTERVALS,
                                                       G_GINT64_CONSTANT (1000000000));
  g_autofree char *path = scratch_path (scratch, "all.csv");
  GtkWidget *window = gtk_window_new (), *row = kymo_events_writing_new ();
  gpointer gone = row;

  n_records = 400000;
  is_written = has_stopped = FALSE;
  g_object_add_weak_pointer (G_OBJECT (row), &gone);
  gtk_window_set_child (GTK_WINDOW (window), row);
  kymo_events_writing_start (KYMO_EVENTS_WRITING (row), KYMO_SOURCE (source),
                             records_question (NULL), path);
  WAIT_FOR (g_atomic_int_get (&is_written));
  g_assert_true (kymo_events_writing_is_busy (KYMO_EVENTS_WRITING (row)));
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_null (gone);
  WAIT_FOR (g_atomic_int_get (&has_stopped));
  WAIT_FOR (count_files (scratch->folder) == 0);
  /* The worker has let go of the run. */
  WAIT_FOR (G_OBJECT (source)->ref_count == 1);
}

/* -- user events --------------------------------------------------------------- */

static GtkWidget *
make_user_events (KymoSession *session)
{
  return kymo_user_events_view_new (session, NULL);
}

static KymoTable *
wait_for_events (Desk *desk, const char *of)
{
  KymoCanvas *canvas = kymo_user_events_view_get_canvas (KYMO_USER_EVENTS_VIEW (desk->view));

  for (guint i = 0; i < MOST_TURNS; i++)
    {
      KymoTable *answer = kymo_canvas_peek_answer (canvas);

      if (answer != NULL && kymo_canvas_is_settled (canvas)
          && g_strcmp0 (kymo_table_get_string (answer, "of", 0), of) == 0)
        return answer;
      desk_turn ();
    }
  g_error ("no answer by %s", of);
}

/* By number and by time, with the figures of the profile; a run without samples has no
   table of them. */
static void
test_user_events (void)
{
  g_autoptr (KymoTable) profile = NULL;
  KymoUserEventsView *view;
  gint64 events = 0, ns = 0;
  KymoTable *answer, *list;
  Desk desk;

  desk_open_of (&desk, "tests/data/feat-p4-text", make_user_events);
  view = KYMO_USER_EVENTS_VIEW (desk.view);
  profile = desk_ask (desk.source, "profile", NULL, NULL);
  list = kymo_table_peek_nested (profile, "activities", NULL);
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (g_strcmp0 (kymo_table_get_string (list, "kind", i), "event") == 0)
      {
        events += kymo_table_get_int (list, "blocks", i);
        ns += kymo_table_get_int (list, "inclusive_ns", i);
      }
  answer = wait_for_events (&desk, "events");
  g_assert_cmpint (events, >, 0);
  g_assert_cmpint (kymo_table_get_int (answer, "events", 0), ==, events);
  kymo_user_events_view_set_mode (view, "samples");
  g_assert_null (kymo_user_events_view_peek_table (view));
  kymo_user_events_view_set_mode (view, "time");
  answer = wait_for_events (&desk, "time");
  g_assert_cmpint (kymo_table_get_int (answer, "time_ns", 0), ==, ns);
  desk_close (&desk);
}

/* -- counters -------------------------------------------------------------------- */

static KymoTable *
wait_for_counter (Desk *desk, guint canvas, const char *name)
{
  GPtrArray *canvases = kymo_counters_view_peek_canvases (KYMO_COUNTERS_VIEW (desk->view));

  for (guint i = 0; i < MOST_TURNS; i++)
    {
      KymoTable *answer = kymo_canvas_peek_answer (canvases->pdata[canvas]);

      if (answer != NULL && gtk_widget_get_mapped (canvases->pdata[canvas])
          && kymo_canvas_is_settled (canvases->pdata[canvas])
          && g_strcmp0 (kymo_table_get_string (answer, "name", 0), name) == 0)
        return answer;
      desk_turn ();
    }
  g_error ("no answer about %s", name);
}

/* Who looks for memory finds its curves, and the map of it. */
static void
test_counters (void)
{
  KymoCountersView *view;
  KymoTable *answer;
  Desk desk;

  desk_open_of (&desk, "tests/data/feat-p4-text", kymo_counters_view_new);
  view = KYMO_COUNTERS_VIEW (desk.view);
  kymo_counters_view_set_mode (view, "memory");
  answer = wait_for_counter (&desk, 0, "Memory (bytes)");
  g_assert_nonnull (kymo_table_peek_nested (answer, "series", NULL));
  kymo_counters_view_set_mode (view, "map");
  answer = wait_for_counter (&desk, 1, "Memory (bytes)");
  g_assert_cmpstr (kymo_table_get_string (answer, "statistic", 0), ==, "max");
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (answer, "rows", NULL)), ==, 4);
  kymo_counters_view_choose (view, "temperature");
  answer = wait_for_counter (&desk, 1, "temperature");
  g_assert_cmpstr (kymo_table_get_string (answer, "statistic", 0), ==, "weighted");
  /* A map is of one of them. */
  kymo_counters_view_choose (view, NULL);
  wait_for_counter (&desk, 1, "Memory (bytes)");
  kymo_counters_view_set_mode (view, "curves");
  wait_for_counter (&desk, 0, "Memory (bytes)");
  desk_close (&desk);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/traffic-views/communication", test_communication);
  g_test_add_func ("/traffic-views/events", test_events);
  g_test_add ("/traffic-views/written", Scratch, NULL, scratch_up, test_written, scratch_down);
  g_test_add_func ("/traffic-views/growing", test_growing);
  g_test_add ("/traffic-views/closed", Scratch, NULL, scratch_up, test_closed, scratch_down);
  g_test_add_func ("/traffic-views/user-events", test_user_events);
  g_test_add_func ("/traffic-views/counters", test_counters);
  return g_test_run ();
}
