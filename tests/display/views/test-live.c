/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live view in a real window, of a stream made by hand: following, pause,
 * going live, the block in milliseconds, the table, the controls, and what a
 * block costs.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "desk.h"
#include "fake-feed.h"
#include "hand_stream.h"
#include "kymo-live-view.h"
#include "kymo-watch-editor.h"

#define SECOND G_GINT64_CONSTANT (1000000000)
#define MS G_GINT64_CONSTANT (1000000)

typedef struct
{
  KymoFeed     *feed;
  KymoSession  *session;
  GtkWidget    *window;
  KymoLiveView *view;
  KymoCanvas   *main;
  guint         seconds;
  guint         activities;
} Desk;

static void
on_grown (gboolean *grown)
{
  *grown = TRUE;
}

/* The run has so many seconds now; returns when the session knows. */
static void
grow_to (Desk *desk, guint seconds, gboolean growing)
{
  g_autoptr (HandStream) stream
    = hand_stream_new (7, seconds, desk->activities, 0, HAND_STREAM_1_MS);
  gboolean grown = FALSE;
  gulong id = 0;

  stream->run->stream->growing = growing;
  desk->seconds = seconds;
  if (desk->session != NULL)
    id = g_signal_connect_swapped (desk->session, "grown",
                                   G_CALLBACK (on_grown), &grown);
  fake_feed_set_run (desk->feed, stream->run);
  if (desk->session != NULL)
    {
      WAIT_FOR (grown);
      g_signal_handler_disconnect (desk->session, id);
    }
}

static gboolean
is_settled (Desk *desk)
{
  GPtrArray *canvases = kymo_live_view_peek_canvases (desk->view);

  for (guint i = 0; i < canvases->len; i++)
    if (gtk_widget_get_mapped (canvases->pdata[i])
        && !kymo_canvas_is_settled (canvases->pdata[i]))
      return FALSE;
  return TRUE;
}

static void
desk_open (Desk *desk, gconstpointer data)
{
  gboolean playback = data != NULL;

  desk->activities = 6;
  desk->feed = fake_feed_new (playback);
  if (playback)
    fake_feed_of (desk->feed)->status.total_ns = 90 * SECOND;
  grow_to (desk, 3, TRUE);
  desk->session = kymo_session_new (kymo_feed_peek_source (desk->feed));
  desk->view = KYMO_LIVE_VIEW (kymo_live_view_new (desk->session, desk->feed));
  desk->main = kymo_live_view_peek_canvases (desk->view)->pdata[0];
  desk->window = desk_present (GTK_WIDGET (desk->view), 1280, 700);
  WAIT_FOR (kymo_canvas_peek_answer (desk->main) != NULL);
  WAIT_FOR (is_settled (desk));
}

static void
desk_close (Desk *desk, gconstpointer data)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_clear_object (&desk->feed);
}

static gint64
answer_int (KymoCanvas *canvas, const char *key)
{
  return kymo_table_get_int (kymo_canvas_peek_answer (canvas), key, 0);
}

/* A button below a widget by its label, or its tooltip. */
static GtkWidget *
find_button (GtkWidget *widget, const char *words)
{
  const char *label = GTK_IS_BUTTON (widget)
                      ? gtk_button_get_label (GTK_BUTTON (widget)) : NULL;

  if (GTK_IS_BUTTON (widget)
      && (g_strcmp0 (label, words) == 0
          || g_strcmp0 (gtk_widget_get_tooltip_text (widget), words) == 0))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, words);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
click (Desk *desk, const char *words)
{
  GtkWidget *button = find_button (GTK_WIDGET (desk->view), words);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_visible (button));
  g_signal_emit_by_name (button, "clicked");
}

/* Whether a text that begins so is to be seen somewhere. */
static gboolean
shows_text (GtkWidget *widget, const char *begin)
{
  if (!gtk_widget_get_visible (widget))
    return FALSE;
  if (GTK_IS_LABEL (widget)
      && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), begin))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (shows_text (child, begin))
      return TRUE;
  return FALSE;
}

#define assert_shows(desk, text) \
  g_assert_true (shows_text (GTK_WIDGET ((desk)->view), text))

/* -- following ------------------------------------------------------------ */

static void
test_follows (Desk *desk, gconstpointer data)
{
  g_assert_cmpint (kymo_session_get_follow (desk->session), ==, 10 * SECOND);
  g_assert_cmpint (kymo_session_get_range (desk->session).end_ns, ==,
                   10 * SECOND);
  g_assert_cmpint (answer_int (desk->main, "bar_ns"), ==, 100 * MS);
  grow_to (desk, 14, TRUE);
  WAIT_FOR (is_settled (desk));
  g_assert_cmpint (answer_int (desk->main, "begin_ns"), ==, 4 * SECOND);
  g_assert_cmpint (answer_int (desk->main, "end_ns"), ==, 14 * SECOND);
  assert_shows (desk, "block 13");
}

static void
test_pause (Desk *desk, gconstpointer data)
{
  grow_to (desk, 14, TRUE);
  click (desk, "Pause");
  grow_to (desk, 16, TRUE);
  WAIT_FOR (is_settled (desk));
  g_assert_cmpint (kymo_session_get_range (desk->session).end_ns, ==,
                   14 * SECOND);
  /* what comes is not lost */
  g_assert_cmpint (kymo_session_get_full_range (desk->session).end_ns, ==,
                   16 * SECOND);
  click (desk, "Go Live");
  WAIT_FOR (is_settled (desk));
  g_assert_cmpint (answer_int (desk->main, "end_ns"), ==, 16 * SECOND);
}

static KymoSpan
detail_range (Desk *desk)
{
  return kymo_session_get_range (kymo_live_detail_peek_session (
    kymo_live_view_get_detail (desk->view)));
}

static void
assert_detail (Desk *desk, gint64 begin_ms, gint64 end_ms)
{
  g_assert_cmpint (detail_range (desk).begin_ns, ==, begin_ms * MS);
  g_assert_cmpint (detail_range (desk).end_ns, ==, end_ms * MS);
}

static gboolean
tells_stretch (Desk *desk)
{
  return shows_text (GTK_WIDGET (desk->view), "Visible stretch: busy ");
}

/* Scrolled back, all parts are of the stretch that is to be seen; there is one way back. */
static void
test_scrolled_back (Desk *desk, gconstpointer data)
{
  GtkWidget *newest = find_button (GTK_WIDGET (desk->view), "Newest Block");

  assert_shows (desk, "Time of all PEs by entry method");
  grow_to (desk, 14, TRUE);
  kymo_session_set_range (desk->session, (KymoSpan) { 2 * SECOND, 5 * SECOND }, TRUE);
  assert_detail (desk, 4000, 4250);
  assert_shows (desk, "Paused: block 4, 0 to 250 ms");
  WAIT_FOR (is_settled (desk));
  WAIT_FOR (tells_stretch (desk));
  g_assert_false (gtk_widget_get_visible (newest));
  grow_to (desk, 15, TRUE);
  assert_detail (desk, 4000, 4250);
  kymo_session_set_range (desk->session, (KymoSpan) { 1 * SECOND, 3 * SECOND }, TRUE);
  assert_detail (desk, 2000, 2250);
  kymo_session_set_range (desk->session, (KymoSpan) { 2900 * MS, 3100 * MS }, TRUE);
  assert_detail (desk, 2900, 3100);
  click (desk, "Go Live");
  assert_detail (desk, 14000, 14250);
  WAIT_FOR (!tells_stretch (desk));
}

static void
count (guint *counter)
{
  ++*counter;
}

/* A block costs one question a canvas, also when it comes with others. */
static void
test_cost (Desk *desk, gconstpointer data)
{
  GPtrArray *canvases = kymo_live_view_peek_canvases (desk->view);
  guint answers[3] = { 0 };

  g_assert_cmpuint (canvases->len, <=, 3);
  for (guint i = 0; i < canvases->len; i++)
    g_signal_connect_swapped (canvases->pdata[i], "answer-changed",
                              G_CALLBACK (count), &answers[i]);
  for (guint i = 4; i < 14; i++)
    {
      grow_to (desk, i, TRUE);
      WAIT_FOR (is_settled (desk));
    }
  for (guint i = 0; i < canvases->len; i++)
    g_assert_cmpuint (answers[i], ==, 10);
  /* what nobody sees is not asked */
  gtk_widget_set_visible (GTK_WIDGET (desk->view), FALSE);
  grow_to (desk, 15, TRUE);
  for (guint i = 0; i < 20; i++)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < canvases->len; i++)
    g_assert_cmpuint (answers[i], ==, 10);
  gtk_widget_set_visible (GTK_WIDGET (desk->view), TRUE);
  WAIT_FOR (answers[0] == 11);
}

/* -- milliseconds --------------------------------------------------------- */

static void
test_detail (Desk *desk, gconstpointer data)
{
  KymoLiveDetail *detail = kymo_live_view_get_detail (desk->view);
  KymoCanvas *canvas = kymo_live_detail_get_canvas (detail);
  KymoSession *own = kymo_live_detail_peek_session (detail);

  assert_detail (desk, 2000, 2250);
  assert_shows (desk, "Newest: block 2, 0 to 250 ms");
  grow_to (desk, 4, TRUE);
  assert_detail (desk, 3000, 3250);
  WAIT_FOR (is_settled (desk));
  g_assert_cmpint (answer_int (canvas, "bar_ns"), ==, MS);
  g_assert_cmpint (answer_int (canvas, "begin_ns"), ==, 3 * SECOND);
  kymo_live_detail_set_quarter (detail, 2);
  assert_detail (desk, 3500, 3750);
  /* moved inside the block it keeps its place in the next one */
  kymo_session_set_range (own, (KymoSpan) { 3600 * MS, 3700 * MS }, TRUE);
  g_assert_false (kymo_live_detail_is_held (detail));
  grow_to (desk, 5, TRUE);
  assert_detail (desk, 4600, 4700);
  assert_shows (desk, "Newest: block 4, 600 to 700 ms");
  /* moved beyond it stands */
  kymo_session_set_range (own, (KymoSpan) { 1200 * MS, 1300 * MS }, TRUE);
  g_assert_true (kymo_live_detail_is_held (detail));
  grow_to (desk, 6, TRUE);
  assert_detail (desk, 1200, 1300);
  click (desk, "Newest Block");
  assert_detail (desk, 5600, 5700);
}

static void
test_detail_of_selection (Desk *desk, gconstpointer data)
{
  KymoSpan span = { 1100 * MS, 1400 * MS };

  grow_to (desk, 4, TRUE);
  kymo_session_set_selection (desk->session, &span);
  assert_detail (desk, 1100, 1400);
  assert_shows (desk, "Selection: ");
  grow_to (desk, 5, TRUE);
  assert_detail (desk, 1100, 1400);
  kymo_session_set_selection (desk->session, NULL);
  assert_detail (desk, 4000, 4250);
  /* paused, all stands */
  kymo_session_set_follow (desk->session, 0);
  grow_to (desk, 6, TRUE);
  assert_detail (desk, 4000, 4250);
  kymo_session_go_live (desk->session);
  assert_detail (desk, 5000, 5250);
}

/* A playback that is sought back. */
static void
test_shrinks (Desk *desk, gconstpointer data)
{
  grow_to (desk, 20, TRUE);
  grow_to (desk, 5, TRUE);
  WAIT_FOR (is_settled (desk));
  assert_detail (desk, 4000, 4250);
  g_assert_false (kymo_live_detail_is_held (
    kymo_live_view_get_detail (desk->view)));
  g_assert_cmpint (kymo_session_get_range (desk->session).end_ns, ==,
                   10 * SECOND);
}

/* -- the table ------------------------------------------------------------ */

static KymoLineTable *
busiest_of (Desk *desk)
{
  return KYMO_LINE_TABLE (kymo_live_view_peek_busiest (desk->view));
}

static GListModel *
model_of (Desk *desk)
{
  return G_LIST_MODEL (gtk_column_view_get_model (
    GTK_COLUMN_VIEW (kymo_line_table_peek_view (busiest_of (desk)))));
}

static gpointer
row_at (Desk *desk, guint index)
{
  g_autoptr (GObject) row = g_list_model_get_item (model_of (desk), index);

  return row;
}

static double
figure_at (Desk *desk, guint index, KymoBusiestFigure figure)
{
  return kymo_busiest_view_get_figure (kymo_live_view_peek_busiest (desk->view), index, figure);
}

static gboolean
is_in_order (Desk *desk)
{
  GListModel *model = model_of (desk);

  for (guint i = 1; i < g_list_model_get_n_items (model); i++)
    if (figure_at (desk, i - 1, KYMO_BUSIEST_MEAN)
        < figure_at (desk, i, KYMO_BUSIEST_MEAN))
      return FALSE;
  return g_list_model_get_n_items (model) == desk->activities;
}

static void
test_table (Desk *desk, gconstpointer data)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  GListModel *model = model_of (desk);
  guint moved = 0;
  double before;

  WAIT_FOR (is_in_order (desk));
  for (guint i = 0; i < desk->activities; i++)
    g_hash_table_add (rows, row_at (desk, i));
  before = figure_at (desk, 0, KYMO_BUSIEST_NOW);
  g_signal_connect_swapped (model, "items-changed", G_CALLBACK (count), &moved);
  grow_to (desk, 9, TRUE);
  WAIT_FOR (figure_at (desk, 0, KYMO_BUSIEST_NOW) != before);
  WAIT_FOR (is_in_order (desk));
  /* the same rows, and one change of the order at most */
  for (guint i = 0; i < desk->activities; i++)
    g_assert_true (g_hash_table_contains (rows, row_at (desk, i)));
  g_assert_cmpuint (moved, <=, 1);
  g_assert_cmpfloat (figure_at (desk, 0, KYMO_BUSIEST_LOWEST), <=,
                     figure_at (desk, 0, KYMO_BUSIEST_MEAN));
  g_assert_cmpfloat (figure_at (desk, 0, KYMO_BUSIEST_MEAN), <=,
                     figure_at (desk, 0, KYMO_BUSIEST_HIGHEST));
  kymo_live_view_set_filter (desk->view, "WORK 3");
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 1);
}

/* -- controls ------------------------------------------------------------- */

static void
test_bars (Desk *desk, gconstpointer data)
{
  grow_to (desk, 30, TRUE);
  g_assert_true (gtk_widget_activate_action (
    find_button (GTK_WIDGET (desk->view), "Pause"), "live.bar", "x",
    SECOND / 2));
  WAIT_FOR (is_settled (desk));
  WAIT_FOR (answer_int (desk->main, "bar_ns") == SECOND / 2);
  g_assert_true (gtk_widget_activate_action (
    find_button (GTK_WIDGET (desk->view), "Pause"), "live.length", "x",
    KYMO_FOLLOW_ALL));
  WAIT_FOR (answer_int (desk->main, "begin_ns") == 0);
  g_assert_cmpint (answer_int (desk->main, "end_ns"), ==, 30 * SECOND);
  assert_shows (desk, "Whole run");
}

static void
test_waiting (Desk *desk, gconstpointer data)
{
  FakeFeed *fake = fake_feed_of (desk->feed);

  fake->status.state = KYMO_ATTACHMENT_WAITING;
  fake->status.sentence = (char *) "The connection was refused";
  fake->status.retry_us = g_get_monotonic_time () + 40 * G_USEC_PER_SEC;
  fake_feed_tell (desk->feed);
  assert_shows (desk, "The connection was refused · next try in 40 s");
  /* counts down by itself; on a busy machine not every second is seen */
  WAIT_FOR (!shows_text (GTK_WIDGET (desk->view),
                         "The connection was refused · next try in 40 s"));
  assert_shows (desk, "The connection was refused · next try in 3");
  click (desk, "Try Now");
  g_assert_cmpuint (fake->retries, ==, 1);
  fake->status.state = KYMO_ATTACHMENT_ENDED;
  fake->status.sentence = (char *) "The program has ended.";
  fake->status.retry_us = 0;
  fake_feed_tell (desk->feed);
  assert_shows (desk, "The program has ended.");
  g_assert_false (gtk_widget_get_visible (
    find_button (GTK_WIDGET (desk->view), "Try Now")));
}

/* A window of 640 px leaves so much to the charts of a playback: none is below its edge. */
static void
test_small (Desk *desk, gconstpointer data)
{
  GtkWidget *scrolled = gtk_widget_get_last_child (GTK_WIDGET (desk->view));
  GtkWidget *viewport = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled));
  int least_px;

  gtk_widget_measure (gtk_widget_get_first_child (viewport), GTK_ORIENTATION_VERTICAL, -1,
                      &least_px, NULL, NULL, NULL);
  g_assert_cmpint (least_px, <=, 336);
}

static void
test_playback (Desk *desk, gconstpointer data)
{
  FakeFeed *fake = fake_feed_of (desk->feed);

  assert_shows (desk, "1:30");
  assert_shows (desk, "0:03");
  /* its own pause is the only one; scrolled back there is a way to the newest */
  g_assert_false (gtk_widget_get_visible (find_button (GTK_WIDGET (desk->view), "Pause")));
  kymo_session_set_follow (desk->session, 0);
  click (desk, "Go Live");
  g_assert_false (gtk_widget_get_visible (find_button (GTK_WIDGET (desk->view), "Pause")));
  click (desk, "Stand still");
  g_assert_cmpfloat (fake->status.speed, ==, 0);
  click (desk, "Play");
  g_assert_cmpfloat (fake->status.speed, ==, 1);
}

/* -- conditions ----------------------------------------------------------- */

static void
test_conditions (void)
{
  static const char *const words[] = { "below 20% for 5s",
                                       "above 80% for 3s Cell::run",
                                       "above 90% for 500ms", "silent 10s",
                                       "lowest load below 12.5% for 5s",
                                       "highest memory above 2500000B for 1s",
                                       "mean run-delay above 1.5ms for 2s",
                                       "mean messages below 100000 for 3s" };
  static const char *const names[] = { "Cell::run", NULL };
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func (
    (GDestroyNotify) kymo_condition_free);
  g_autoptr (GPtrArray) same = NULL, fewer = NULL, more = NULL;
  g_autofree char *proposed = NULL;
  GtkWidget *editor;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_ptr_array_add (before, kymo_condition_parse (words[i], NULL));
      g_assert_nonnull (before->pdata[i]);
    }
  editor = g_object_ref_sink (kymo_watch_editor_new (before, names));
  same = kymo_watch_editor_dup_conditions (KYMO_WATCH_EDITOR (editor));
  g_assert_cmpuint (same->len, ==, before->len);
  for (guint i = 0; i < same->len; i++)
    {
      g_autofree char *then = kymo_condition_to_string (before->pdata[i]);
      g_autofree char *now = kymo_condition_to_string (same->pdata[i]);

      g_assert_cmpstr (now, ==, then);
    }
  g_signal_emit_by_name (find_button (editor, "Take this condition away"),
                         "clicked");
  fewer = kymo_watch_editor_dup_conditions (KYMO_WATCH_EDITOR (editor));
  g_assert_cmpuint (fewer->len, ==, G_N_ELEMENTS (words) - 1);
  g_assert_cmpint (((KymoCondition *) fewer->pdata[0])->kind, ==,
                   KYMO_CONDITION_ABOVE);
  g_signal_emit_by_name (find_button (editor, "_No New Block"), "clicked");
  g_signal_emit_by_name (find_button (editor, "_Value of the Ranks"), "clicked");
  more = kymo_watch_editor_dup_conditions (KYMO_WATCH_EDITOR (editor));
  g_assert_cmpuint (more->len, ==, fewer->len + 2);
  g_assert_cmpint (((KymoCondition *) more->pdata[fewer->len])->kind, ==,
                   KYMO_CONDITION_SILENT);
  proposed = kymo_condition_to_string (more->pdata[fewer->len + 1]);
  g_assert_cmpstr (proposed, ==, "lowest load below 20% for 5s");
  g_object_unref (editor);
}

/* -- width ----------------------------------------------------------------- */

/* As narrow as beside the charts in a window of 1024 px: no figure is out of sight. */
static void
test_narrow (Desk *desk, gconstpointer data)
{
  KymoLineTable *table = KYMO_LINE_TABLE (kymo_live_view_peek_busiest (desk->view));
  GtkWidget *side = gtk_widget_get_parent (GTK_WIDGET (table));
  GtkWidget *paned = gtk_widget_get_parent (side);
  GtkAdjustment *across = gtk_scrollable_get_hadjustment (
    GTK_SCROLLABLE (kymo_line_table_peek_view (table)));
  int narrow_px = 316;

  WAIT_FOR (kymo_line_table_get_n_lines (table) > 0);
  gtk_paned_set_position (GTK_PANED (paned), gtk_widget_get_width (paned) - narrow_px);
  WAIT_FOR (gtk_adjustment_get_page_size (across) < narrow_px);
  WAIT_FOR (gtk_adjustment_get_upper (across) <= gtk_adjustment_get_page_size (across));
}

#define add(path, data, function) \
  g_test_add (path, Desk, data, desk_open, function, desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  add ("/live/follows", NULL, test_follows);
  add ("/live/pause", NULL, test_pause);
  add ("/live/scrolled-back", NULL, test_scrolled_back);
  add ("/live/cost", NULL, test_cost);
  add ("/live/detail", NULL, test_detail);
  add ("/live/detail-of-selection", NULL, test_detail_of_selection);
  add ("/live/shrinks", NULL, test_shrinks);
  add ("/live/table", NULL, test_table);
  add ("/live/narrow", NULL, test_narrow);
  add ("/live/bars", NULL, test_bars);
  add ("/live/waiting", NULL, test_waiting);
  add ("/live/playback", "playback", test_playback);
  add ("/live/small", "playback", test_small);
  g_test_add_func ("/live/conditions", test_conditions);
  return g_test_run ();
}
