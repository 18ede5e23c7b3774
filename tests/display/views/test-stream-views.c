/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run view of a stream that grows: its views, its panes, exporting, and a
 * profile that keeps its rows.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#include "desk.h"
#include "fake-feed.h"
#include "hand_stream.h"
#include "kymo-canvas.h"
#include "kymo-line-table.h"
#include "kymo-run-view-private.h"

#define SECOND G_GINT64_CONSTANT (1000000000)

typedef struct
{
  KymoFeed    *feed;
  KymoSession *session;
  GtkWidget   *window;
  KymoRunView *view;
  char        *message;
} Desk;

/* The run has so many seconds now, and the view an info that says so. */
static void
grow_to (Desk *desk, guint seconds, gboolean growing)
{
  g_autoptr (HandStream) stream = hand_stream_new (7, seconds, 6, 0,
                                                   HAND_STREAM_1_MS);
  g_autoptr (KymoTable) info = NULL;

  stream->run->stream->growing = growing;
  fake_feed_set_run (desk->feed, stream->run);
  if (desk->view == NULL)
    return;
  info = desk_ask (kymo_feed_peek_source (desk->feed), "info",
                   NULL, NULL);
  kymo_run_view_set_info (desk->view, info);
  WAIT_FOR (kymo_session_get_full_range (desk->session).end_ns
            >= seconds * SECOND);
}

static void
desk_open (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoTable) info = NULL;

  desk->feed = fake_feed_new (FALSE);
  grow_to (desk, 3, TRUE);
  desk->session = kymo_session_new (kymo_feed_peek_source (desk->feed));
  info = desk_ask (kymo_feed_peek_source (desk->feed), "info",
                   NULL, NULL);
  desk->view = KYMO_RUN_VIEW (kymo_run_view_new (desk->session, info));
  g_signal_connect_swapped (desk->view, "message",
                            G_CALLBACK (desk_keep_word), &desk->message);
  desk->window = desk_present (GTK_WIDGET (desk->view), 1024, 600);
  WAIT_FOR (kymo_run_view_has_picture (desk->view));
}

static void
desk_close (Desk *desk, gconstpointer data)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_clear_object (&desk->feed);
  g_clear_pointer (&desk->message, g_free);
}

static void
show (Desk *desk, const char *id)
{
  kymo_run_view_set_view (desk->view, id);
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, id);
  for (guint i = 0; i < 5; i++)
    g_main_context_iteration (NULL, TRUE);
  WAIT_FOR (kymo_run_view_is_settled (desk->view));
}

/* -- the tests ------------------------------------------------------------ */

static void
test_live_page (Desk *desk, gconstpointer data)
{
  g_assert_false (kymo_run_view_has_view (desk->view, "live"));
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "findings");
  g_assert_cmpstr (desk->view->subject, ==, "mean of 4 PEs");
  kymo_run_view_set_feed (desk->view, desk->feed);
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "findings");
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10 * SECOND);
  show (desk, "live");
  /* the table is the legend of this page; one location needs no list */
  kymo_run_view_show_pane (desk->view, KYMO_PANE_SIDEBAR, TRUE);
  g_assert_false (gtk_widget_get_visible (desk->view->sidebar));
  g_assert_false (gtk_widget_get_visible (desk->view->legend));
  show (desk, "usage");
  g_assert_true (gtk_widget_get_visible (desk->view->legend));
  kymo_run_view_show_pane (desk->view, KYMO_PANE_LEGEND, FALSE);
  show (desk, "live");
  g_assert_false (gtk_widget_get_visible (desk->view->legend));
}

static void
test_growing_views (Desk *desk, gconstpointer data)
{
  static const char *const works[] = { "time-profile", "usage", "profile",
                                       "replies", "findings", "summary", "live" };
  static const char *const absent[] = { "timeline", "histogram", "communication",
                                        "message-sizes", "events" };

  kymo_run_view_set_feed (desk->view, desk->feed);
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      KymoCanvas *canvas;

      show (desk, works[i]);
      grow_to (desk, 4 + i, TRUE);
      WAIT_FOR (kymo_run_view_is_settled (desk->view));
      canvas = kymo_run_view_current_canvas (desk->view);
      g_assert_true (canvas == NULL || !kymo_canvas_has_failed (canvas));
    }
  /* what a stream cannot tell is absent, also when it grows */
  grow_to (desk, 14, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (absent); i++)
    g_assert_false (kymo_run_view_has_view (desk->view, absent[i]));
  grow_to (desk, 20, FALSE);
  WAIT_FOR (kymo_run_view_is_settled (desk->view));
  g_assert_cmpint (kymo_session_get_range (desk->session).end_ns, ==,
                   20 * SECOND);
}

static GListModel *
profile_model (GtkWidget *widget)
{
  if (GTK_IS_COLUMN_VIEW (widget))
    return G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GListModel *model = profile_model (child);

      if (model != NULL)
        return model;
    }
  return NULL;
}

static gboolean
shows_other (KymoLineTable *table, const char *before)
{
  g_autofree char *figures = kymo_line_table_dup_figures (table);

  return g_strcmp0 (figures, before) != 0;
}

/* Rows are the same, their figures are not. */
static void
test_profile_rows (Desk *desk, gconstpointer data)
{
  g_autoptr (GObject) first = NULL, again = NULL;
  g_autofree char *before = NULL;
  KymoLineTable *table;
  GListModel *model;

  kymo_run_view_set_feed (desk->view, desk->feed);
  show (desk, "profile");
  table = KYMO_LINE_TABLE (kymo_desk_part_peek_shown (desk->view->current));
  model = profile_model (GTK_WIDGET (table));
  WAIT_FOR (g_list_model_get_n_items (model) == 6);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (model), 2, TRUE);
  first = g_list_model_get_item (model, 2);
  before = kymo_line_table_dup_figures (table);
  grow_to (desk, 9, TRUE);
  WAIT_FOR (shows_other (table, before));
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 6);
  again = g_object_ref (gtk_single_selection_get_selected_item (
    GTK_SINGLE_SELECTION (model)));
  g_assert_true (first == again);
}

static void
test_export (Desk *desk, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("kymo-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "live.csv", NULL);
  g_autofree char *text = NULL;

  kymo_run_view_set_feed (desk->view, desk->feed);
  show (desk, "live");
  grow_to (desk, 6, TRUE);
  WAIT_FOR (kymo_run_view_is_settled (desk->view));
  kymo_run_view_export_to (desk->view, path);
  WAIT_FOR (desk->message != NULL);
  g_assert_cmpstr (desk->message, ==, "Exported");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "Cell::work 0"));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

#define add(path, function) \
  g_test_add (path, Desk, NULL, desk_open, function, desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("/stream-views/live-page", test_live_page);
  add ("/stream-views/growing", test_growing_views);
  add ("/stream-views/profile-rows", test_profile_rows);
  add ("/stream-views/export", test_export);
  return g_test_run ();
}
