/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs that are still being written, in a real window: a trace whose files grow and whose
 * ranks come one after the other, snapshots of a profile, files that go away. The window
 * grows with them and keeps what the person did. And what the page of a run does beside
 * that: opening by any file, the list of a profile's threads.
 *
 * Needs a display. Arguments: none; files are those of tests/data.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "kymo-asker.h"
#include "kymo-canvas.h"
#include "kymo-location-list.h"
#include "kymo-run-following.h"
#include "kymo-run-page.h"
#include "kymo-session-profile.h"

#define RECORD_BYTES 24
#define PACE_MS 20

typedef struct
{
  char        *folder;
  GtkWidget   *window;
  KymoPage    *page;
  char        *said;               /* the last sentence of the page, or NULL */
} Desk;

static gboolean
on_limit (gpointer data)
{
  g_error ("waited 20 s for %s", (const char *) data);
  return G_SOURCE_REMOVE;
}

/* Runs the main loop until the condition holds. */
#define WAIT_FOR(condition)                                             \
  G_STMT_START                                                          \
    {                                                                   \
      guint limit = g_timeout_add_seconds (120, on_limit, (gpointer) #condition); \
      while (!(condition))                                              \
        g_main_context_iteration (NULL, TRUE);                          \
      g_source_remove (limit);                                          \
    }                                                                   \
  G_STMT_END

/* The main loop sleeps for ever where nothing happens any more. */
static gboolean
on_beat (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* -- files ---------------------------------------------------------------- */

static char *
read_data (const char *run, const char *name, gsize *n_bytes)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "data", "tau", run,
                                            name, NULL);
  g_autoptr (GError) error = NULL;
  char *bytes;

  g_file_get_contents (path, &bytes, n_bytes, &error);
  g_assert_no_error (error);
  return bytes;
}

static void
write_file (Desk *desk, const char *name, const char *bytes, gsize n_bytes)
{
  g_autofree char *path = g_build_filename (desk->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, bytes, n_bytes, &error);
  g_assert_no_error (error);
}

/* The first records of a rank, 0 for all. */
static void
write_rank (Desk *desk, guint rank, gsize n_records)
{
  g_autofree char *trace = g_strdup_printf ("tautrace.%u.0.0.trc", rank);
  g_autofree char *events = g_strdup_printf ("events.%u.edf", rank);
  gsize n_bytes, n_event_bytes;
  g_autofree char *bytes = read_data ("trace-stencil-4", trace, &n_bytes);
  g_autofree char *event_bytes = read_data ("trace-stencil-4", events, &n_event_bytes);

  write_file (desk, events, event_bytes, n_event_bytes);
  write_file (desk, trace, bytes, n_records > 0 ? n_records * RECORD_BYTES : n_bytes);
}

/* The first snapshots of each rank, and the begin of the next; 0 for all. */
static void
write_snapshots (Desk *desk, guint n)
{
  for (guint rank = 0; rank < 4; rank++)
    {
      g_autofree char *name = g_strdup_printf ("snapshot.%u.0.0", rank);
      gsize n_bytes;
      g_autofree char *text = read_data ("snapshot-stencil-4", name, &n_bytes);
      const char *end = text;

      for (guint i = 0; i < n; i++)
        end = strstr (end, "</profile_xml>\n") + strlen ("</profile_xml>\n");
      write_file (desk, name, text, n == 0 ? n_bytes : (gsize) (end - text) + 300);
    }
}

/* -- the desk ------------------------------------------------------------- */

static void
on_message (Desk *desk, const char *words)
{
  g_free (desk->said);
  desk->said = g_strdup (words);
}

static void
desk_open (Desk *desk, gconstpointer data)
{
  desk->folder = g_dir_make_tmp ("kymo-following-XXXXXX", NULL);
}

static KymoRunView *
view_of (Desk *desk)
{
  return kymo_page_get_view (desk->page);
}

static void
present_path (Desk *desk, const char *path)
{
  desk->window = gtk_window_new ();
  desk->page = KYMO_PAGE (kymo_run_page_new (path));
  g_signal_connect_swapped (desk->page, "message", G_CALLBACK (on_message), desk);
  gtk_window_set_default_size (GTK_WINDOW (desk->window), 1100, 640);
  gtk_window_set_child (GTK_WINDOW (desk->window), GTK_WIDGET (desk->page));
  gtk_window_present (GTK_WINDOW (desk->window));
  WAIT_FOR (view_of (desk) != NULL);
  WAIT_FOR (kymo_run_view_is_settled (view_of (desk)));
}

/* What was written last is to be seen. */
static void
present (Desk *desk)
{
  present_path (desk, desk->folder);
}

static void
remove_folder (Desk *desk)
{
  g_autoptr (GDir) dir = g_dir_open (desk->folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (desk->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (desk->folder);
}

static void
desk_close (Desk *desk, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (desk->window));
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  remove_folder (desk);
  g_free (desk->folder);
  g_free (desk->said);
}

/* -- what is to be seen --------------------------------------------------- */

static gint64
info_int (Desk *desk, const char *key)
{
  return kymo_table_get_int (kymo_run_view_peek_info (view_of (desk)), key, 0);
}

static gboolean
is_followed (Desk *desk)
{
  return strstr (kymo_page_get_subtitle (desk->page), "still being written") != NULL;
}

typedef gboolean (*Fits) (GtkWidget *widget, const char *words);

static GtkWidget *
find (GtkWidget *top, Fits fits, const char *words)
{
  GtkWidget *found = fits (top, words) ? top : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, fits, words);
  return found;
}

static gboolean
is_type (GtkWidget *widget, const char *name)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), name);
}

static gboolean
has_class (GtkWidget *widget, const char *name)
{
  return gtk_widget_has_css_class (widget, name);
}

static gboolean
has_tooltip (GtkWidget *widget, const char *words)
{
  return g_strcmp0 (gtk_widget_get_tooltip_text (widget), words) == 0;
}

static gboolean
is_row (GtkWidget *widget, const char *title)
{
  return ADW_IS_ACTION_ROW (widget)
         && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

/* Of a row of the page "Summary". */
static const char *
value_of (GtkWidget *row)
{
  GtkWidget *label = find (row, has_class, "numeric");

  return gtk_label_get_text (GTK_LABEL (label));
}

static GtkRevealer *
find_banner (Desk *desk)
{
  GtkWidget *box = find (GTK_WIDGET (view_of (desk)), has_class, "kymo-banner");

  return GTK_REVEALER (gtk_widget_get_ancestor (box, GTK_TYPE_REVEALER));
}

static guint
n_rows (Desk *desk)
{
  GtkWidget *canvas = find (GTK_WIDGET (view_of (desk)), is_type, "KymoTimelineCanvas");
  KymoTable *answer = kymo_canvas_peek_answer (KYMO_CANVAS (canvas));
  KymoTable *rows = answer != NULL ? kymo_table_peek_nested (answer, "rows", NULL) : NULL;

  return rows != NULL ? kymo_table_get_n_rows (rows) : 0;
}

/* The list of the sidebar, which stands below the tree of places. */
static GtkSelectionModel *
find_locations (Desk *desk)
{
  GtkWidget *pane = find (GTK_WIDGET (view_of (desk)), is_type, "KymoLocationPane");
  GtkWidget *list = NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (pane); child != NULL && list == NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!is_type (child, "KymoPlaceTree"))
      list = find (child, is_type, "GtkListView");
  return gtk_list_view_get_model (GTK_LIST_VIEW (list));
}

/* -- tests ---------------------------------------------------------------- */

static void
test_trace (Desk *desk, gconstpointer data)
{
  KymoRunView *view;
  KymoSession *session;
  KymoSpan span;
  gint64 n_records;
  g_autofree char *report = NULL;
  gsize n_bytes;

  write_rank (desk, 0, 500);
  write_rank (desk, 1, 600);
  present (desk);
  view = view_of (desk);
  session = kymo_run_view_peek_session (view);
  g_assert_true (is_followed (desk));
  g_assert_cmpint (info_int (desk, "locations"), ==, 2);
  g_assert_true (gtk_revealer_get_reveal_child (find_banner (desk)));
  g_assert_cmpuint (n_rows (desk), ==, 2);
  span = kymo_session_get_full_range (session);
  n_records = info_int (desk, "records");

  /* A run of another format in the folder is no reason to stop. */
  report = read_data ("mpip-made", "app.2.4711.1.mpiP", &n_bytes);
  write_file (desk, "app.2.4711.1.mpiP", report, n_bytes);

  /* Ranks come, others go on: rows and figures grow, the range with them. */
  write_rank (desk, 2, 900);
  write_rank (desk, 0, 900);
  WAIT_FOR (info_int (desk, "locations") == 3 && info_int (desk, "records") == 2400);
  WAIT_FOR (n_rows (desk) == 3);
  g_assert_true (view_of (desk) == view);
  g_assert_cmpint (info_int (desk, "records"), >, n_records);
  g_assert_cmpint (kymo_session_get_full_range (session).end_ns, >, span.end_ns);
  g_assert_cmpint (kymo_session_get_range (session).end_ns, >, span.end_ns);

  /* The end of all ends the following. */
  write_rank (desk, 3, 0);
  write_rank (desk, 2, 0);
  write_rank (desk, 1, 0);
  write_rank (desk, 0, 0);
  WAIT_FOR (!is_followed (desk) && info_int (desk, "records") == 4 * 1656);
  WAIT_FOR (n_rows (desk) == 4);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (find_banner (desk))));
  WAIT_FOR (kymo_run_view_is_settled (view));
}

static void
on_rows (GListModel *rows, guint position, guint n_removed, guint n_added, guint *n_lost)
{
  *n_lost += n_removed;
}

/* Rows of the sidebar stay as ranks come: the place of the list and the focus with them. */
static void
test_rows (Desk *desk, gconstpointer data)
{
  GtkSelectionModel *chosen;
  guint n_lost = 0;

  write_rank (desk, 0, 500);
  write_rank (desk, 1, 600);
  present (desk);
  kymo_run_view_show_pane (view_of (desk), KYMO_PANE_SIDEBAR, TRUE);
  chosen = find_locations (desk);
  WAIT_FOR (g_list_model_get_n_items (G_LIST_MODEL (chosen)) == 2);
  gtk_selection_model_select_item (chosen, 1, TRUE);
  g_signal_connect (gtk_multi_selection_get_model (GTK_MULTI_SELECTION (chosen)),
                    "items-changed", G_CALLBACK (on_rows), &n_lost);
  write_rank (desk, 2, 900);
  WAIT_FOR (g_list_model_get_n_items (G_LIST_MODEL (chosen)) == 3);
  g_assert_cmpuint (n_lost, ==, 0);
  g_assert_true (gtk_selection_model_is_selected (chosen, 1));
}

/* What was closed stays closed, and a page that is read stays where it is. */
static void
test_kept (Desk *desk, gconstpointer data)
{
  GtkWidget *row, *close;
  g_autofree char *before = NULL;

  write_rank (desk, 0, 500);
  write_rank (desk, 1, 600);
  present (desk);
  close = find (GTK_WIDGET (find_banner (desk)), has_tooltip, "Close");
  g_signal_emit_by_name (close, "clicked");
  g_assert_false (gtk_revealer_get_reveal_child (find_banner (desk)));
  kymo_run_view_set_view (view_of (desk), "summary");
  row = find (GTK_WIDGET (view_of (desk)), is_row, "Records");
  g_object_add_weak_pointer (G_OBJECT (row), (gpointer *) &row);
  g_assert_cmpstr (value_of (row), ==, "1,100");
  WAIT_FOR (find (GTK_WIDGET (view_of (desk)), is_row, "Useful time") != NULL);
  before = g_strdup (value_of (find (GTK_WIDGET (view_of (desk)), is_row, "Useful")));

  /* Another rank is another problem: the headline is another one. */
  write_rank (desk, 2, 900);
  WAIT_FOR (info_int (desk, "locations") == 3);
  g_assert_nonnull (row);
  g_assert_cmpstr (value_of (row), ==, "2,000");
  g_assert_false (gtk_revealer_get_reveal_child (find_banner (desk)));
  WAIT_FOR (g_strcmp0 (value_of (find (GTK_WIDGET (view_of (desk)), is_row, "Useful")), before)
            != 0);
  g_object_remove_weak_pointer (G_OBJECT (row), (gpointer *) &row);
}

static guint
n_steps (Desk *desk)
{
  GtkWidget *scale = find (GTK_WIDGET (view_of (desk)), is_type, "KymoStepSlider");

  scale = find (scale, is_type, "GtkScale");
  return 1 + gtk_adjustment_get_upper (gtk_range_get_adjustment (GTK_RANGE (scale)));
}

static void
test_snapshots (Desk *desk, gconstpointer data)
{
  KymoRunView *view;

  write_snapshots (desk, 2);
  present (desk);
  view = view_of (desk);
  kymo_run_view_set_view (view, "thread-bars");
  g_assert_true (is_followed (desk));
  WAIT_FOR (n_steps (desk) == 2);
  kymo_session_set_function (kymo_run_view_peek_session (view), "MPI_Waitall()");
  write_snapshots (desk, 3);
  WAIT_FOR (n_steps (desk) == 3);
  write_snapshots (desk, 0);
  WAIT_FOR (!is_followed (desk) && n_steps (desk) > 3);
  WAIT_FOR (kymo_run_view_is_settled (view));
  g_assert_true (view_of (desk) == view);
  g_assert_cmpstr (kymo_session_peek_function (kymo_run_view_peek_session (view)), ==,
                   "MPI_Waitall()");
}

/* After a while it is told; what was read stays. */
static void
test_gone (Desk *desk, gconstpointer data)
{
  write_rank (desk, 0, 500);
  present (desk);
  g_assert_true (is_followed (desk));
  remove_folder (desk);
  WAIT_FOR (!is_followed (desk));
  g_assert_nonnull (strstr (kymo_page_get_subtitle (desk->page), "not followed any more"));
  g_assert_nonnull (desk->said);
  g_test_message ("%s", desk->said);
  g_assert_nonnull (strstr (desk->said, "not followed any more: "));
  g_assert_cmpint (info_int (desk, "records"), ==, 500);
}

/* What a file manager opens is a file: it stands for its run. */
static void
test_files (Desk *desk, gconstpointer data)
{
  static const struct { const char *file; gint64 n_locations; } files[] = {
    { "trace-stencil-4/tautrace.2.0.0.trc", 4 }, { "trace-stencil-4/events.0.edf", 4 },
    { "flat-stencil-4/profile.1.0.0", 4 }, { "snapshot-stencil-4/snapshot.3.0.0", 4 },
    { "mpip-made/app.2.4711.1.mpiP", 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "data", "tau",
                                                files[i].file, NULL);

      present_path (desk, path);
      g_assert_cmpint (info_int (desk, "locations"), ==, files[i].n_locations);
      if (i + 1 < G_N_ELEMENTS (files))
        gtk_window_destroy (GTK_WINDOW (desk->window));
    }
}

/* The same sum by the table of one thread. */
static double
useful_of (KymoSource *source, gint64 location)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("thread");
  g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT, location);
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GError) error = NULL;
  KymoTable *functions;
  double sum = 0;

  kymo_question_set (question, "of", of);
  answer = kymo_source_ask (source, question, NULL, &error);
  g_assert_no_error (error);
  functions = kymo_table_peek_nested (answer, "functions", NULL);
  for (guint i = 0; i < kymo_table_get_n_rows (functions); i++)
    if (g_strcmp0 (kymo_table_get_string (functions, "role", i), "compute") == 0)
      sum += kymo_table_get_double (functions, "exclusive", i);
  return sum;
}

/* Threads of a profile, those with most useful time first; who is chosen is shown. */
static void
test_threads (Desk *desk, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "data", "tau",
                                            "threads-2x5", NULL);
  KymoSession *session;
  KymoLocationList *rows;
  GtkSelectionModel *chosen;
  double before = INFINITY;
  g_autofree char *shown = NULL;

  present_path (desk, path);
  session = kymo_run_view_peek_session (view_of (desk));
  kymo_run_view_show_pane (view_of (desk), KYMO_PANE_SIDEBAR, TRUE);
  chosen = find_locations (desk);
  rows = KYMO_LOCATION_LIST (gtk_multi_selection_get_model (GTK_MULTI_SELECTION (chosen)));
  WAIT_FOR (g_list_model_get_n_items (G_LIST_MODEL (rows)) == 10);
  g_assert_true (kymo_location_list_has_useful (rows));
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (KymoLocationItem) item = g_list_model_get_item (G_LIST_MODEL (rows), i);
      double useful = kymo_location_item_get_useful (item);

      g_assert_cmpfloat (useful, <=, before);
      g_assert_cmpfloat_with_epsilon (useful, useful_of (kymo_session_peek_source (session),
                                                         kymo_location_list_get_id (rows, i)),
                                      1e-6 * useful);
      before = useful;
    }
  gtk_selection_model_select_item (chosen, 0, TRUE);
  shown = kymo_id_set_to_text (kymo_session_peek_locations (session));
  g_assert_cmpint (g_ascii_strtoll (shown, NULL, 10), ==, kymo_location_list_get_id (rows, 0));
}

typedef struct
{
  KymoAsker *asker;
  guint      n_answers, n_again;
} Asking;

static void
on_asked (KymoTable *answer, const GError *error, gpointer data)
{
  g_assert_no_error (error);
  ((Asking *) data)->n_answers++;
}

static void
on_again (gpointer data)
{
  ((Asking *) data)->n_again++;
}

/* A reading that comes while a question is under way is not forgotten, and does not cancel
   it; with none under way it is asked at once. */
static void
test_asker (Desk *desk, gconstpointer data)
{
  Asking asking = { NULL, 0, 0 };
  KymoSource *source;

  write_rank (desk, 0, 500);
  present (desk);
  source = kymo_session_peek_source (kymo_run_view_peek_session (view_of (desk)));
  g_assert_cmpuint (kymo_source_get_capabilities (source) & KYMO_CAN_GROWING, !=, 0);
  asking.asker = kymo_asker_new (source, on_asked, &asking);
  kymo_asker_set_again (asking.asker, on_again);
  g_assert_true (kymo_asker_wants_more (asking.asker));
  kymo_asker_ask (asking.asker, kymo_question_new ("info"));
  g_assert_false (kymo_asker_wants_more (asking.asker));
  g_assert_false (kymo_asker_wants_more (asking.asker));
  WAIT_FOR (!kymo_asker_is_busy (asking.asker));
  g_assert_cmpuint (asking.n_answers, ==, 1);
  g_assert_cmpuint (asking.n_again, ==, 1);
  g_assert_true (kymo_asker_wants_more (asking.asker));
  kymo_asker_free (asking.asker);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  kymo_run_view_open_with ("timeline");
  kymo_run_following_set_least_wait (PACE_MS);
  g_timeout_add (20, on_beat, NULL);
  g_test_add ("/following/trace", Desk, NULL, desk_open, test_trace, desk_close);
  g_test_add ("/following/kept", Desk, NULL, desk_open, test_kept, desk_close);
  g_test_add ("/following/rows", Desk, NULL, desk_open, test_rows, desk_close);
  g_test_add ("/following/snapshots", Desk, NULL, desk_open, test_snapshots, desk_close);
  g_test_add ("/following/gone", Desk, NULL, desk_open, test_gone, desk_close);
  g_test_add ("/following/files", Desk, NULL, desk_open, test_files, desk_close);
  g_test_add ("/following/threads", Desk, NULL, desk_open, test_threads, desk_close);
  g_test_add ("/following/asker", Desk, NULL, desk_open, test_asker, desk_close);
  return g_test_run ();
}
