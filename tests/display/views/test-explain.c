/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why some PEs stick out, in a run view over the sample run: "Why?" beside the
 * list of PEs opens the pane with the reasons that the question tells, each
 * with its sentence; a button goes to the instance in the timeline, and the
 * pane stays with the time it was asked about.
 *
 * Needs a display. With KYMO_TEST_PICTURE it also writes what it shows there.
 */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "desk.h"
#include "kymo-explain-view.h"
#include "kymo-location-pane.h"
#include "kymo-open.h"
#include "kymo-run-source.h"
#include "kymo-run-view.h"

typedef struct
{
  KymoSource  *source;
  KymoSession *session;
  GtkWidget   *window, *view;
} Desk;

static KymoTable *
ask (Desk *desk, const char *kind, const char *of, KymoSpan span)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, span);
  if (of != NULL)
    kymo_question_set (question, "of", of);
  answer = kymo_source_ask (desk->source, question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static void
desk_open (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoTable) info = NULL;

  desk->source = desk_open_run (data);
  desk->session = kymo_session_new (desk->source);
  info = ask (desk, "info", NULL, KYMO_SPAN_ALL);
  desk->view = kymo_run_view_new (desk->session, info);
  desk->window = desk_present (desk->view, 1280, 760);
}

static void
desk_close (Desk *desk, gconstpointer data)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_clear_object (&desk->source);
}

/* -- finding -------------------------------------------------------------- */

static GtkWidget *
pane (Desk *desk)
{
  return desk_find (desk->view, KYMO_TYPE_EXPLAIN_VIEW, NULL);
}

static GtkWidget *
why (Desk *desk)
{
  GtkWidget *sidebar = desk_find (desk->view, KYMO_TYPE_LOCATION_PANE, NULL);

  return desk_find (sidebar, GTK_TYPE_BUTTON, "_Why?");
}

static GtkWidget *
cell (Desk *desk, int column, int line)
{
  GtkGrid *grid = GTK_GRID (desk_find (pane (desk), GTK_TYPE_GRID, NULL));

  return gtk_grid_get_child_at (grid, column, line);
}

static void
choose (Desk *desk, const char *pes)
{
  g_autoptr (KymoIdSet) set = kymo_id_set_parse (pes, NULL);

  kymo_session_set_locations (desk->session, set);
}

static void
click (GtkWidget *button)
{
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

static void
explain (Desk *desk, const char *pes)
{
  choose (desk, pes);
  click (why (desk));
  WAIT_FOR (!kymo_explain_view_is_busy (KYMO_EXPLAIN_VIEW (pane (desk))));
}

/* A picture to look at, where a folder is given for it. */
static void
take_picture (Desk *desk, const char *name)
{
  const char *folder = g_getenv ("KYMO_TEST_PICTURE");
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *path = NULL;

  if (folder == NULL)
    return;
  WAIT_FOR (kymo_run_view_is_settled (KYMO_RUN_VIEW (desk->view)));
  for (guint i = 0; i < 10; i++)
    g_main_context_iteration (NULL, TRUE);
  paintable = gtk_widget_paintable_new (desk->window);
  snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, 1280, 760);
  node = gtk_snapshot_to_node (snapshot);
  if (node == NULL)
    return;
  texture = gsk_renderer_render_texture (
    gtk_native_get_renderer (GTK_NATIVE (desk->window)), node, NULL);
  path = g_build_filename (folder, name, NULL);
  gdk_texture_save_to_png (texture, path);
}

/* As it looks in the program. */
static void
load_style (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "data", "style.css",
                                                 NULL);
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_path (provider, path);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

/* -- tests ---------------------------------------------------------------- */

static void
test_reasons (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *reasons;

  g_assert_false (gtk_widget_is_sensitive (why (desk)));
  g_assert_null (pane (desk));
  explain (desk, "3");
  answer = ask (desk, "explain", "3", kymo_session_get_range (desk->session));
  reasons = kymo_table_peek_nested (answer, "reasons", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (reasons), ==, 10);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (cell (desk, 0, i + 1))), ==,
                     kymo_table_get_string (reasons, "sentence", i));
  g_assert_null (cell (desk, 0, 11));
  take_picture (desk, "reasons.png");
  explain (desk, "0-2");
  g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (cell (desk, 0, 1))),
                                   "The 3 PEs "));
  take_picture (desk, "several.png");
}

static void
test_go (Desk *desk, gconstpointer data)
{
  KymoSpan before = kymo_session_get_range (desk->session);
  g_autoptr (KymoTable) answer = ask (desk, "explain", "3", before);
  KymoTable *reasons = kymo_table_peek_nested (answer, "reasons", NULL);
  gint64 begin_ns = kymo_table_get_int (reasons, "begin_ns", 0);
  gint64 end_ns = kymo_table_get_int (reasons, "end_ns", 0);
  g_autofree char *first = NULL;
  gint64 location, time_ns;
  KymoSpan range;

  explain (desk, "3");
  first = g_strdup (gtk_label_get_text (GTK_LABEL (cell (desk, 0, 1))));
  kymo_run_view_set_view (KYMO_RUN_VIEW (desk->view), "usage");
  choose (desk, "5");
  click (cell (desk, 7, 1));
  g_assert_cmpstr (kymo_run_view_get_view (KYMO_RUN_VIEW (desk->view)), ==, "timeline");
  g_assert_null (kymo_session_peek_locations (desk->session));
  g_assert_true (kymo_session_get_block (desk->session, &location, &time_ns));
  g_assert_cmpint (location, ==, 3);
  g_assert_true (time_ns >= begin_ns && time_ns < end_ns);
  WAIT_FOR (kymo_session_get_range (desk->session).begin_ns != before.begin_ns);
  range = kymo_session_get_range (desk->session);
  g_assert_true (range.begin_ns <= begin_ns && range.end_ns >= end_ns);
  g_assert_cmpint (kymo_span_length (range), <, 2 * (end_ns - begin_ns));
  take_picture (desk, "gone.png");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (cell (desk, 0, 1))), ==, first);
}

static void
test_close (Desk *desk, gconstpointer data)
{
  explain (desk, "3");
  g_assert_true (gtk_widget_is_visible (pane (desk)));
  g_signal_emit_by_name (pane (desk), "close");
  g_assert_false (gtk_widget_is_visible (pane (desk)));
  explain (desk, "4");
  g_assert_true (gtk_widget_is_visible (pane (desk)));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (cell (desk, 0, 1))),
                                   "PE 4 "));
  kymo_session_set_locations (desk->session, NULL);
  g_assert_false (gtk_widget_is_sensitive (why (desk)));
}

/* By the command: of the shown PEs, else of the selected block's. */
static void
test_command (Desk *desk, gconstpointer data)
{
  KymoRunView *view = KYMO_RUN_VIEW (desk->view);

  kymo_run_view_command (view, "explain");
  g_assert_null (pane (desk));
  kymo_session_set_block (desk->session, 6, 1200000000);
  kymo_run_view_command (view, "explain");
  WAIT_FOR (!kymo_explain_view_is_busy (KYMO_EXPLAIN_VIEW (pane (desk))));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (cell (desk, 0, 1))),
                                   "PE 6 "));
  choose (desk, "1-2");
  kymo_run_view_command (view, "explain");
  WAIT_FOR (!kymo_explain_view_is_busy (KYMO_EXPLAIN_VIEW (pane (desk))));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (cell (desk, 0, 1))),
                                   "The 2 PEs "));
}

/* Where there is nothing to compare a sentence stands in place of the table. */
static void
test_refused (Desk *desk, gconstpointer data)
{
  GtkWidget *stack;

  explain (desk, "0-7");
  stack = desk_find (pane (desk), GTK_TYPE_STACK, NULL);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "note");
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (
    gtk_stack_get_visible_child (GTK_STACK (stack)))), "no others"));
  take_picture (desk, "refused.png");
}

/* Of a summary times alone are known: no counts, no block to go to. */
static void
test_summary (Desk *desk, gconstpointer data)
{
  explain (desk, "1");
  g_assert_nonnull (cell (desk, 1, 1));
  for (int column = 3; column < 8; column++)
    g_assert_null (cell (desk, column, 1));
  take_picture (desk, "summary.png");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name, *run;
    void      (*test) (Desk *desk, gconstpointer data);
  } tests[] = {
    { "/explain/reasons", "data/sample", test_reasons },
    { "/explain/go", "data/sample", test_go },
    { "/explain/close", "data/sample", test_close },
    { "/explain/command", "data/sample", test_command },
    { "/explain/refused", "data/sample", test_refused },
    { "/explain/summary", "tests/data/jacobi2d-sum-p8", test_summary },
  };

  desk_init (&argc, &argv);
  if (g_getenv ("KYMO_TEST_DARK") != NULL)
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                        ADW_COLOR_SCHEME_FORCE_DARK);
  load_style ();
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Desk, tests[i].run, desk_open, tests[i].test,
                desk_close);
  return g_test_run ();
}
