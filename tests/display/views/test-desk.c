/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views beside and below each other: splitting, closing, which part is the current
 * one, and the desk as a line of text.
 */
#include "config.h"

#include "kymo-block-words.h"
#include "kymo-bookmarks.h"
#include "kymo-canvas-private.h"
#include "kymo-desk-layout.h"
#include "kymo-gauge.h"
#include "kymo-go-to.h"
#include "kymo-selection-sums.h"
#include "kymo-session-hover.h"
#include "kymo-session-selected.h"
#include "kymo-timeline-view.h"
#include "kymo-view-groups.h"
#include "run_desk.h"
#include "pictures.h"

static void
assert_layout (Desk *desk, const char *expected)
{
  g_autofree char *text = kymo_run_view_dup_layout (desk->view);

  g_assert_cmpstr (text, ==, expected);
}

/* -- as text -------------------------------------------------------------- */

static void
test_text (void)
{
  static const char *const good[] = {
    "timeline", "timeline*", "right 0.5000 timeline usage*",
    "below 0.2500 timeline right 0.5800 communication* usage",
    "right 0.0200 timeline usage*",
    "right 0.5000 below 0.5000 a* b below 0.5000 right 0.5000 c d right 0.5000 e f",
  };
  static const char *const bad[] = {
    "", " ", "right", "right 0.5", "right 0.5 timeline", "right timeline usage",
    "timeline usage", "0.5 timeline", "right 0.5 timeline usage profile",
    "right 1.5 timeline usage", "right nan timeline usage", "right 0.5x timeline usage",
    "right 0.5 0.5 timeline usage", "right 0.5 timeline  usage", "Timeline", "time/line",
    "*", "right -0.5 timeline usage",
    "right 0.5 a right 0.5 b right 0.5 c right 0.5 d right 0.5 e right 0.5 f g",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KymoDeskLayout) layout = kymo_desk_layout_parse (good[i], &error);
      g_autofree char *again = NULL;

      g_assert_no_error (error);
      again = kymo_desk_layout_to_text (layout);
      g_assert_cmpstr (again, ==, good[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kymo_desk_layout_parse (bad[i], &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    }
}

/* Words at random, of a fixed seed: whatever is taken comes out as it was meant. */
static void
test_any_text (void)
{
  static const char *const words[] = { "right", "below", "0.5000", "timeline", "usage*", "" };
  GRand *rand = g_rand_new_with_seed (8);
  guint n_taken = 0;

  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (KymoDeskLayout) layout = NULL;
      guint n = g_rand_int_range (rand, 1, 8);

      for (guint j = 0; j < n; j++)
        g_string_append_printf (text, "%s%s", j > 0 ? " " : "",
                                words[g_rand_int_range (rand, 0, G_N_ELEMENTS (words))]);
      layout = kymo_desk_layout_parse (text->str, NULL);
      if (layout != NULL)
        {
          g_autofree char *again = kymo_desk_layout_to_text (layout);

          g_assert_cmpstr (again, ==, text->str);
          n_taken++;
        }
    }
  g_rand_free (rand);
  g_assert_cmpuint (n_taken, >, 500);
}

/* -- parts ---------------------------------------------------------------- */

static void
test_split (Desk *desk, gconstpointer data)
{
  guint n_first = desk->view->canvases->len;
  KymoDeskPart *first = desk->view->current;

  assert_layout (desk, "timeline*");
  kymo_run_view_split (desk->view, FALSE);
  /* The timeline has a time profile of its own. */
  assert_layout (desk, "right 0.5000 timeline usage*");
  kymo_run_view_split (desk->view, TRUE);
  assert_layout (desk, "right 0.5000 timeline below 0.5000 usage histogram*");
  desk_settle (desk);
  kymo_run_view_set_view (desk->view, "profile");
  assert_layout (desk, "right 0.5000 timeline below 0.5000 usage profile*");
  g_assert_cmpstr (kymo_desk_part_get_view (first), ==, "timeline");
  kymo_run_view_go_to_part (desk->view, 1);
  g_assert_true (desk->view->current == first);
  kymo_run_view_go_to_part (desk->view, -1);
  assert_layout (desk, "right 0.5000 timeline below 0.5000 usage profile*");
  kymo_run_view_close_current (desk->view);
  assert_layout (desk, "right 0.5000 timeline usage*");
  kymo_run_view_close_part (desk->view, first);
  assert_layout (desk, "usage*");
  g_assert_cmpuint (desk->view->canvases->len, <, n_first);
  /* The last one stays. */
  kymo_run_view_close_current (desk->view);
  assert_layout (desk, "usage*");
}

/* A part split below and closed again leaves the handle in the timeline where it was, also
   when the first height had too little room for both; and so does one that a person moved. */
static void
test_closed_again (Desk *desk, gconstpointer data)
{
  KymoTimelineView *view;
  GtkPaned *paned;

  desk_resize (desk, 1024, 640);
  view = KYMO_TIMELINE_VIEW (desk_need (desk->window, KYMO_TYPE_TIMELINE_VIEW, NULL));
  paned = GTK_PANED (gtk_widget_get_ancestor (
    GTK_WIDGET (kymo_timeline_view_get_profile (view)), GTK_TYPE_PANED));
  for (guint i = 0; i < 2; i++)
    {
      int height = gtk_widget_get_height (GTK_WIDGET (paned));
      int at = gtk_paned_get_position (paned);

      g_assert_cmpint (at, >, 0);
      kymo_run_view_split (desk->view, TRUE);
      WAIT_FOR (gtk_widget_get_height (GTK_WIDGET (paned)) < height);
      desk_settle (desk);
      g_assert_cmpint (gtk_paned_get_position (paned), <, at);
      kymo_run_view_close_current (desk->view);
      WAIT_FOR (gtk_widget_get_height (GTK_WIDGET (paned)) == height);
      desk_settle (desk);
      g_assert_cmpint (gtk_paned_get_position (paned), ==, at);
      gtk_paned_set_position (paned, height * (3 - (int) i) / 4);
      desk_settle (desk);
      g_assert_cmpint (gtk_paned_get_position (paned), !=, at);
    }
}

/* The same view twice, each with controls of its own; what a part never showed is
   not there. */
static void
test_twice (Desk *desk, gconstpointer data)
{
  g_autoptr (GPtrArray) built = NULL, none = NULL;
  KymoCanvas *first, *second;

  g_assert_true (kymo_run_view_set_layout (desk->view,
                                           "right 0.5 usage* usage"));
  desk_settle (desk);
  built = kymo_run_view_list_built (desk->view, "usage");
  none = kymo_run_view_list_built (desk->view, "timeline");
  g_assert_cmpuint (built->len, ==, 2);
  g_assert_cmpuint (none->len, ==, 0);
  first = KYMO_CANVAS (built->pdata[0]);
  second = KYMO_CANVAS (built->pdata[1]);
  g_assert_true (first == kymo_run_view_current_canvas (desk->view));
  kymo_canvas_set_parameter (first, "of", "own");
  g_assert_null (g_hash_table_lookup (kymo_canvas_peek_parameters (second), "of"));
}

static void
test_most (Desk *desk, gconstpointer data)
{
  g_autofree char *before = NULL, *after = NULL;

  kymo_run_view_set_layout (desk->view, "right 0.33 below 0.5 usage usage right 0.5 below 0.5 "
                                        "usage usage below 0.5 usage usage");
  before = kymo_run_view_dup_layout (desk->view);
  kymo_run_view_split (desk->view, FALSE);
  after = kymo_run_view_dup_layout (desk->view);
  g_assert_cmpstr (before, ==, after);
  g_assert_nonnull (strstr (desk->said, "six parts"));
  /* A part that is too small is not split. */
  kymo_run_view_set_layout (desk->view, "right 0.25 usage* usage");
  desk_settle (desk);
  kymo_run_view_split (desk->view, FALSE);
  g_assert_nonnull (strstr (desk->said, "no room"));
  g_assert_cmpuint (kymo_run_view_get_n_parts (desk->view), ==, 2);
}

/* What the run has not is wished for. */
static void
test_unknown (Desk *desk, gconstpointer data)
{
  g_assert_true (kymo_run_view_set_layout (desk->view, "right 0.5 no-such-view counters*"));
  assert_layout (desk, "right 0.5000 no-such-view counters*");
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "timeline");
  kymo_run_view_set_view (desk->view, "usage");
  assert_layout (desk, "right 0.5000 no-such-view usage*");
}

/* -- what a person does with it -------------------------------------------- */

static KymoCanvas *
canvas_of (Desk *desk, guint part)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (desk->view);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_collect (kymo_desk_part_peek_shown (parts->pdata[part]), KYMO_TYPE_CANVAS, found);
  return found->pdata[0];
}

/* Handles keep their share, and where a person drags one that is its share. */
static void
test_handles (Desk *desk, gconstpointer data)
{
  g_autoptr (GPtrArray) parts = NULL;
  GtkPaned *paned;
  int width;

  kymo_run_view_set_layout (desk->view, "right 0.6 timeline* usage");
  desk_settle (desk);
  parts = kymo_run_view_list_parts (desk->view);
  paned = GTK_PANED (gtk_widget_get_parent (parts->pdata[0]));
  width = gtk_widget_get_width (GTK_WIDGET (paned));
  g_assert_cmpint (ABS (gtk_paned_get_position (paned) - 0.6 * width), <, 8);
  desk_resize (desk, 1100, 700);
  WAIT_FOR (gtk_widget_get_width (GTK_WIDGET (paned)) != width);
  assert_layout (desk, "right 0.6000 timeline* usage");
  width = gtk_widget_get_width (GTK_WIDGET (paned));
  g_assert_cmpint (ABS (gtk_paned_get_position (paned) - 0.6 * width), <, 8);
  gtk_paned_set_position (paned, width / 2);
  desk_settle (desk);
  g_assert_cmpint (ABS (gtk_paned_get_position (paned) - width / 2), <, 2);
}

/* Going somewhere uses the part that shows it. */
static void
test_go (Desk *desk, gconstpointer data)
{
  kymo_run_view_set_layout (desk->view, "right 0.5 usage* timeline");
  kymo_run_view_show_view (desk->view, "timeline");
  assert_layout (desk, "right 0.5000 usage timeline*");
  kymo_run_view_show_view (desk->view, "profile");
  assert_layout (desk, "right 0.5000 usage profile*");
}

/* -- linked --------------------------------------------------------------- */

static void
count (guint *n)
{
  ++*n;
}

/* What is pointed at is told once, and by those beside it too. */
static void
test_hover (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoSession) beside = kymo_session_new_beside (desk->session);
  gint64 time_ns = 0;
  guint n = 0, n_beside = 0;

  g_signal_connect_swapped (desk->session, "hover-changed", G_CALLBACK (count), &n);
  g_signal_connect_swapped (beside, "hover-changed", G_CALLBACK (count), &n_beside);
  g_assert_cmpint (kymo_session_get_hovered_location (desk->session), ==, -1);
  g_assert_false (kymo_session_get_hovered_time (desk->session, &time_ns));
  kymo_session_set_hovered_place (desk->session, 3, 1000000);
  kymo_session_set_hovered_place (desk->session, 3, 1000000);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (n_beside, ==, 1);
  g_assert_true (kymo_session_get_hovered_time (desk->session, &time_ns));
  g_assert_cmpint (time_ns, ==, 1000000);
  g_assert_false (kymo_session_get_hovered_time (beside, NULL));
  g_assert_cmpint (kymo_session_get_hovered_location (beside), ==, 3);
  g_assert_cmpint (kymo_session_get_marked_location (desk->session), ==, 3);
  kymo_session_set_block (desk->session, 5, 2000000);
  kymo_session_set_hovered_place (desk->session, -1, G_MININT64);
  g_assert_cmpint (kymo_session_get_marked_location (desk->session), ==, 5);
  g_assert_cmpuint (n, ==, 2);
}

/* The pointer in one picture: its time and PE are those of the session, and other
   pictures stay as they are painted. */
static void
test_pointer (Desk *desk, gconstpointer data)
{
  KymoCanvas *timeline, *usage;
  GskRenderNode *picture;
  GtkEventController *motion;
  gint64 time_ns;

  kymo_run_view_set_layout (desk->view, "right 0.5 timeline* usage");
  desk_settle (desk);
  timeline = canvas_of (desk, 0);
  usage = canvas_of (desk, 1);
  picture = usage->picture;
  g_assert_nonnull (picture);
  motion = desk_find_controller (GTK_WIDGET (timeline), GTK_TYPE_EVENT_CONTROLLER_MOTION);
  g_signal_emit_by_name (motion, "enter", 300.0, 60.0);
  g_assert_true (kymo_session_get_hovered_time (desk->session, &time_ns));
  g_assert_cmpint (time_ns, ==, kymo_canvas_get_pointer_time (timeline));
  g_assert_cmpint (kymo_session_get_hovered_location (desk->session), >=, 0);
  desk_turn ();
  g_assert_true (usage->picture == picture);
  /* At rest the name of the block is lifted in the other, not in the timeline. */
  if (timeline->hit.name != NULL)
    {
      WAIT_FOR (kymo_session_peek_hovered (desk->session) != NULL);
      g_assert_null (kymo_canvas_lifted_name (timeline));
      g_assert_nonnull (kymo_canvas_lifted_name (usage));
    }
  g_signal_emit_by_name (motion, "leave");
  g_assert_false (kymo_session_get_hovered_time (desk->session, NULL));
  g_assert_cmpint (kymo_session_get_hovered_location (desk->session), ==, -1);
  WAIT_FOR (kymo_session_peek_hovered (desk->session) == NULL);
}

/* Where a PE stands in pictures that have no places to choose. */
static void
test_marks (Desk *desk, gconstpointer data)
{
  static const struct { const char *view; guint n; } kinds[] = {
    { "usage", 1 }, { "communication", 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      KymoCanvas *canvas;
      KymoPlotFrame frame;
      g_autoptr (KymoIdSet) three = kymo_id_set_parse ("3", NULL);
      g_autoptr (KymoIdSet) thousand = kymo_id_set_parse ("1000", NULL);
      g_autoptr (GArray) marks = NULL, none = NULL;
      KymoPlotHit hit = { 0 };
      KymoRect rect;

      kymo_run_view_set_view (desk->view, kinds[i].view);
      desk_settle (desk);
      canvas = canvas_of (desk, 0);
      kymo_canvas_get_frame (canvas, &frame);
      marks = picture_marks (canvas->klass, canvas->answer, &frame, three);
      none = picture_marks (canvas->klass, canvas->answer, &frame, thousand);
      g_assert_cmpuint (marks->len, ==, kinds[i].n);
      g_assert_cmpuint (none->len, ==, 0);
      rect = g_array_index (marks, KymoRect, 0);
      g_assert_true (picture_hit (canvas->klass, canvas->answer, &frame, rect.x + rect.width / 2,
                                  rect.y + rect.height / 2, &hit));
      g_assert_cmpint (hit.location, ==, 3);
      kymo_plot_hit_clear (&hit);
    }
}

/* The sums of selected time and rows are those of the profile; the rows can be shown
   alone. */
static void
test_sums (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoIdSet) three = kymo_id_set_parse ("1-3", NULL);
  g_autofree char *shares = NULL, *first = NULL;
  g_autoptr (KymoTable) profile = NULL;
  g_autoptr (KymoQuestion) question = kymo_question_new ("profile");
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  KymoSpan span = { 1000000000, 1100000000 };
  GtkLabel *title, *facts;

  kymo_session_select_rows (desk->session, &span, three);
  kymo_question_set_span (question, span);
  kymo_question_set_locations (question, three);
  profile = kymo_source_ask (desk->source, question, NULL, NULL);
  shares = kymo_selection_dup_shares (profile);
  first = kymo_selection_dup_activities (profile, 1);
  desk_collect (desk->view->details, GTK_TYPE_LABEL, labels);
  title = labels->pdata[0];
  facts = labels->pdata[1];
  WAIT_FOR (strstr (gtk_label_get_text (title), shares) != NULL);
  g_assert_nonnull (strstr (gtk_label_get_text (title), "1-3"));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (facts), first));
  g_signal_emit_by_name (desk_need (desk->view->details, GTK_TYPE_BUTTON, "Show Only These"),
                         "clicked");
  g_assert_true (kymo_session_peek_locations (desk->session) == three);
}

/* -- how a block stands among those of its name ---------------------------------- */

/* The answer that `kymo-cli outliers --location --at` gives, in the details and in the words
   of the picture; and of a block that the pointer rests on. */
static void
test_standing (Desk *desk, gconstpointer data)
{
  const gint64 at_ns = G_GINT64_CONSTANT (1200000000);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autoptr (KymoQuestion) question = kymo_question_new ("outliers");
  g_autoptr (KymoTable) answer = NULL;
  g_autofree char *rank = NULL, *all = NULL, *rested = NULL;
  KymoBlockWords *words = kymo_block_words_of (desk->session);
  KymoTable *block;

  kymo_question_set_int (question, "location", 3);
  kymo_question_set_int (question, "at-ns", at_ns);
  answer = kymo_source_ask (desk->source, question, NULL, NULL);
  block = kymo_table_peek_nested (answer, "block", NULL);
  rank = g_strdup_printf ("%" G_GINT64_FORMAT "th longest of %" G_GINT64_FORMAT " in the run",
                          kymo_table_get_int (block, "rank", 0),
                          kymo_table_get_int (block, "blocks", 0));
  kymo_session_set_block (desk->session, 3, at_ns);
  desk_collect (desk->view->details, GTK_TYPE_LABEL, labels);
  WAIT_FOR (strstr (gtk_label_get_text (labels->pdata[1]), rank) != NULL);
  WAIT_FOR (kymo_block_words_peek (words) != NULL
            && strstr (kymo_block_words_peek (words), rank) != NULL);
  g_assert_nonnull (strstr (kymo_block_words_peek (words), "times the median ("));
  /* Another block: nothing of the one before is said of it. */
  kymo_session_set_block (desk->session, 5, at_ns);
  g_assert_null (kymo_block_words_peek_standing (words));
  WAIT_FOR (kymo_block_words_peek_standing (words) != NULL);
  g_assert_null (kymo_block_words_dup_rested (words, kymo_table_get_string (block, "name", 0), 3,
                                              at_ns));
  WAIT_FOR ((g_free (rested),
             rested = kymo_block_words_dup_rested (
               words, kymo_table_get_string (block, "name", 0), 3, at_ns)) != NULL);
  g_assert_nonnull (strstr (rested, rank));
}

/* -- bookmarks by name ----------------------------------------------------------- */

static GtkWidget *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (g_strcmp0 (gtk_window_get_title (window), "Go To") == 0)
        return GTK_WIDGET (window);
    }
  return NULL;
}

static gboolean
has_label (GtkWidget *top, const char *text)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  desk_collect (top, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (g_strcmp0 (gtk_label_get_text (labels->pdata[i]), text) == 0)
      return TRUE;
  return FALSE;
}

static void
test_go_to_bookmark (Desk *desk, gconstpointer data)
{
  KymoSpan wanted = { 1300000000, 1400000000 };
  GtkWidget *dialog, *entry;

  kymo_session_add_note (desk->session, (KymoSpan) { 500000000, 600000000 }, "one", "", NULL);
  kymo_session_add_note (desk->session, wanted, "two", "here is the Zebra", NULL);
  kymo_go_to_show (desk->view);
  dialog = find_dialog ();
  g_assert_true (has_label (dialog, "Bookmark: one"));
  entry = desk_need (dialog, GTK_TYPE_SEARCH_ENTRY, NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "zebra");
  WAIT_FOR (!has_label (dialog, "Bookmark: one"));
  g_assert_true (has_label (dialog, "Bookmark: two"));
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpint (kymo_session_get_range (desk->session).begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (kymo_session_get_range (desk->session).end_ns, ==, wanted.end_ns);
}

/* -- measuring -------------------------------------------------------------------- */

static guint
paint_hash (KymoCanvas *canvas)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1500, 400);
  cairo_t *cr = cairo_create (surface);
  KymoPlotFrame frame;
  g_autoptr (GBytes) bytes = NULL;
  guint hash;

  kymo_canvas_get_frame (canvas, &frame);
  kymo_canvas_still (canvas, cr, &frame);
  cairo_surface_flush (surface);
  bytes = g_bytes_new_static (cairo_image_surface_get_data (surface),
                              (gsize) cairo_image_surface_get_stride (surface) * 400);
  hash = g_bytes_hash (bytes);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return hash;
}

/* What is measured is shown over every picture of the same time; inside of it, however near,
   it goes from edge to edge. */
static void
test_measured (Desk *desk, gconstpointer data)
{
  KymoSpan span = { 900000000, 1500000000 };
  guint n = 0;

  for (guint near = 0; near < 2; near++)
    {
      if (near)
        kymo_session_set_range (desk->session, (KymoSpan) { 1200000000, 1200000100 }, FALSE);
      desk_settle (desk);
      for (guint i = 0; i < desk->view->canvases->len; i++)
        {
          KymoCanvas *canvas = desk->view->canvases->pdata[i];
          guint before;

          if (!gtk_widget_get_mapped (GTK_WIDGET (canvas)) || !canvas->klass->time_axis)
            continue;
          before = paint_hash (canvas);
          kymo_gauge_set (kymo_gauge_of (desk->session), 3, span);
          g_assert_cmpuint (paint_hash (canvas), !=, before);
          kymo_gauge_clear (kymo_gauge_of (desk->session));
          g_assert_cmpuint (paint_hash (canvas), ==, before);
          n++;
        }
    }
  g_assert_cmpuint (n, ==, 4);
}

/* A group and a tab lead to the view of theirs that was seen last. */
static void
test_groups (Desk *desk, gconstpointer data)
{
  guint n_groups[KYMO_N_VIEW_GROUPS] = { 0 };

  for (const KymoViewInfo *view = kymo_views; view->id != NULL; view++)
    {
      g_assert_cmpint (view->group, <, KYMO_N_VIEW_GROUPS);
      g_assert_true (g_str_has_suffix (view->question, "?"));
      g_assert_true (view->tab == NULL
                     || kymo_view_find (view->tab)->group == view->group);
      g_assert_true (view[1].id == NULL || view[1].group >= view->group);
      n_groups[view->group] += kymo_run_view_has_view (desk->view, view->id);
    }
  for (guint i = 0; i < KYMO_N_VIEW_GROUPS; i++)
    {
      g_assert_cmpuint (kymo_view_group_find (kymo_view_group_id (i)), ==, i);
      g_assert_true ((n_groups[i] > 0) == (kymo_run_view_find_in_group (desk->view, i) != NULL));
    }
  g_assert_cmpstr (kymo_run_view_find_in_group (desk->view, KYMO_GROUP_LOAD), ==, "usage");
  g_assert_cmpstr (kymo_run_view_find_in_tab (desk->view, "profile"), ==, "profile");
  kymo_run_view_set_view (desk->view, "thread-table");
  kymo_run_view_set_view (desk->view, "extrema");
  kymo_run_view_set_view (desk->view, "timeline");
  g_assert_cmpstr (kymo_run_view_find_in_group (desk->view, KYMO_GROUP_LOAD), ==, "extrema");
  g_assert_cmpstr (kymo_run_view_find_in_tab (desk->view, "profile"), ==, "thread-table");
  g_assert_cmpstr (kymo_run_view_find_in_tab (desk->view, "usage"), ==, "usage");
}

#define add(path, function) \
  g_test_add ("/desk/" path, Desk, NULL, desk_open, function, desk_close)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/desk/text", test_text);
  g_test_add_func ("/desk/any-text", test_any_text);
  add ("split", test_split);
  add ("closed-again", test_closed_again);
  add ("twice", test_twice);
  add ("most", test_most);
  add ("unknown", test_unknown);
  add ("handles", test_handles);
  add ("go", test_go);
  add ("hover", test_hover);
  add ("pointer", test_pointer);
  add ("marks", test_marks);
  add ("sums", test_sums);
  add ("standing", test_standing);
  add ("go-to-bookmark", test_go_to_bookmark);
  add ("measured", test_measured);
  add ("groups", test_groups);
  return g_test_run ();
}
