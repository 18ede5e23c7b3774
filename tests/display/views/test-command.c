/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "Copy as Command": the line of every view, given to a shell with the real
 * kymo-cli, gives to the byte the figures that the view exports. Of a trace of
 * Charm++, a trace of functions and a profile, with everything set that a person
 * can set; and the words of a shell.
 *
 * Needs a display. KYMO_CLI is the program.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "desk.h"
#include "kymo-bookmarks.h"
#include "kymo-command.h"
#include "kymo-diagnose.h"
#include "kymo-findings-text.h"
#include "kymo-legend-pane.h"
#include "kymo-run-view-private.h"
#include "kymo-session-colors.h"
#include "kymo-session-pins.h"
#include "kymo-session-messages.h"
#include "kymo-session-path.h"
#include "kymo-session-profile.h"
#include "kymo-session-rows.h"

typedef struct
{
  GtkWidget   *window;
  KymoRunView *view;
  KymoSession *session;
  char        *path;               /* of the run */
  char        *folder;             /* for what is written */
  char        *said;
} Desk;

static void
open_run (Desk *desk, const char *run)
{
  g_autoptr (KymoSource) source = NULL;
  g_autoptr (KymoTable) info = NULL;

  desk->path = g_test_build_filename (G_TEST_DIST, "..", "..", run, NULL);
  desk->folder = g_dir_make_tmp ("kymo-command-XXXXXX", NULL);
  source = desk_open_run (run);
  info = desk_ask (source, "info", NULL, NULL);
  desk->session = kymo_session_new (source);
  desk->view = KYMO_RUN_VIEW (kymo_run_view_new (desk->session, info));
  g_signal_connect_swapped (desk->view, "message", G_CALLBACK (desk_keep_word), &desk->said);
  desk->window = desk_present (GTK_WIDGET (desk->view), 1200, 800);
  WAIT_FOR (kymo_session_peek_names (desk->session) != NULL);
}

static void
close_run (Desk *desk)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_rmdir (desk->folder);
  g_free (desk->folder);
  g_free (desk->path);
  g_free (desk->said);
}

static char *
read_and_remove (Desk *desk, const char *name)
{
  g_autofree char *path = g_build_filename (desk->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return text;
}

/* What the window writes of the view; @said: what it tells then. */
static char *
export_view (Desk *desk, const char *name, const char *said)
{
  g_autofree char *path = g_build_filename (desk->folder, name, NULL);

  g_clear_pointer (&desk->said, g_free);
  kymo_run_view_export_to (desk->view, path);
  WAIT_FOR (desk->said != NULL);
  if (!g_str_has_suffix (desk->said, said))
    g_error ("%s, not %s", desk->said, said);
  return read_and_remove (desk, name);
}

static char *
run_line (Desk *desk, const char *line, const char *name)
{
  desk_run_line (desk->folder, line, name);
  return read_and_remove (desk, name);
}

/* Findings are text; the window copies the same one. */
static char *
diagnose_view (Desk *desk)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (KYMO_QUESTION_FINDINGS);
  KymoSpan range = kymo_session_get_range (desk->session);
  KymoSpan whole = kymo_session_get_full_range (desk->session);
  gboolean all = range.begin_ns == whole.begin_ns && range.end_ns == whole.end_ns;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GError) error = NULL;

  kymo_session_prepare (desk->session, question);
  kymo_question_set_span (question, all ? KYMO_SPAN_ALL : range);
  answer = kymo_diagnose (kymo_session_peek_source (desk->session), question, NULL, &error);
  g_assert_no_error (error);
  kymo_findings_write (answer, KYMO_FINDINGS_TEXT, text);
  return g_strdup (text->str);
}

static void
compare_view (Desk *desk, const char *id)
{
  g_autofree char *line = NULL, *figures = NULL, *by_line = NULL;
  gboolean records = g_strcmp0 (id, "events") == 0;

  kymo_run_view_set_view (desk->view, id);
  WAIT_FOR (kymo_run_view_is_settled (desk->view));
  line = kymo_run_view_dup_command (desk->view, desk->path, NULL);
  if (line == NULL)
    g_error ("%s: %s", id, desk->said);
  g_test_message ("%s", line);
  /* A list of records is no picture; both write it as CSV. */
  figures = g_strcmp0 (id, "findings") == 0 ? diagnose_view (desk)
            : records ? export_view (desk, "window.csv", " written")
            : export_view (desk, "window.json", "Exported");
  by_line = run_line (desk, line, "cli.json");
  if (strcmp (figures, by_line) != 0)
    g_error ("%s gives other figures than the view\n%.2000s\n%.2000s", line, figures, by_line);
}

/* The list of records with all that a person can set there. */
static void
compare_filtered (Desk *desk)
{
  static const char *const checks[] = { "The filter is a regular expression",
                                        "Records of the visible range alone" };
  GtkWidget *widget;

  kymo_run_view_set_view (desk->view, "events");
  WAIT_FOR (kymo_run_view_is_settled (desk->view));
  widget = desk_need (GTK_WIDGET (desk->view), GTK_TYPE_SEARCH_ENTRY,
                      "Words in the name of entry methods, user events and notes");
  gtk_editable_set_text (GTK_EDITABLE (widget), "-?(.)*e");
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (
      desk_need (GTK_WIDGET (desk->view), GTK_TYPE_CHECK_BUTTON, checks[i])), TRUE);
  widget = desk_need (GTK_WIDGET (desk->view), GTK_TYPE_ENTRY,
                      "Only what lasts at least so long, as 250us or 1.5ms");
  gtk_editable_set_text (GTK_EDITABLE (widget), "1.5us");
  compare_view (desk, "events");
}

/* All but the views that only a stream has. */
static void
compare_views (Desk *desk, guint least)
{
  guint n = 0;

  for (guint i = 0; kymo_views[i].id != NULL; i++)
    if (kymo_run_view_has_view (desk->view, kymo_views[i].id))
      {
        compare_view (desk, kymo_views[i].id);
        n++;
      }
  g_assert_cmpuint (n, >=, least);
}

static void
work (Desk *desk, const char *locations)
{
  KymoSpan full = kymo_session_get_full_range (desk->session);
  gint64 quarter = kymo_span_length (full) / 4;
  g_autoptr (KymoIdSet) set = kymo_id_set_parse (locations, NULL);

  if (kymo_session_has_time (desk->session))
    kymo_session_set_range (desk->session, (KymoSpan) { full.begin_ns + quarter,
                                                        full.begin_ns + 3 * quarter }, FALSE);
  kymo_session_set_locations (desk->session, set);
  kymo_session_set_hidden (desk->session, kymo_session_peek_names (desk->session)[0], TRUE);
  kymo_session_set_least_bytes (desk->session, 300);
  kymo_session_set_message_tag (desk->session, 5);
  kymo_session_set_option (desk->session, "value", "inclusive");
  kymo_session_set_option (desk->session, "unit", "us");
}

static void
test_entry_methods (void)
{
  Desk desk = { 0 };

  open_run (&desk, "tests/data/feat-p4-text");
  compare_views (&desk, 9);
  work (&desk, "1-3");
  kymo_run_view_set_by_class (desk.view, TRUE);
  WAIT_FOR (kymo_session_get_by_class (desk.session));
  compare_views (&desk, 9);
  compare_filtered (&desk);
  close_run (&desk);
}

static gboolean
is_arranged (Desk *desk)
{
  return !kymo_session_is_sorting (desk->session)
         && kymo_session_peek_groups (desk->session) != NULL;
}

static void
compare_line (Desk *desk, const char *view, const char *const *options)
{
  g_autofree char *line = NULL;

  compare_view (desk, view);
  line = kymo_run_view_dup_command (desk->view, desk->path, NULL);
  for (guint i = 0; options[i] != NULL; i++)
    if (strstr (line, options[i]) == NULL)
      g_error ("%s has no %s", line, options[i]);
}

/* Rows in another order, in groups, with a line below them and without short blocks,
   and another mode of a view: each is in the lines where it matters. */
static void
compare_arranged (Desk *desk)
{
  static const char *const rows[] = { " --order ", " --fold ", " --least ", " --line ",
                                      " --color-by group", NULL };
  static const char *const pinned[] = { " --order 2,1,", NULL };
  static const char *const order[] = { " --order ", " --color-by group", NULL };
  static const char *const bins[] = { " --bins 35", " --weight time", NULL };
  g_autoptr (KymoTable) counters = desk_ask (
    kymo_session_peek_source (desk->session), "counters", NULL, NULL);

  kymo_session_set_line (desk->session, kymo_table_get_string (
    kymo_table_peek_nested (counters, "names", NULL), "name", 0));
  kymo_session_set_row_order (desk->session, "-busy", TRUE);
  kymo_session_fold_text (desk->session, "none");
  kymo_session_set_least_ns (desk->session, 1000);
  kymo_session_set_color_by (desk->session, KYMO_COLOR_BY_GROUP);
  WAIT_FOR (is_arranged (desk));
  compare_line (desk, "timeline", rows);
  /* Pinned rows come first, and the line says so. */
  kymo_session_set_pinned (desk->session, 2, TRUE);
  kymo_session_set_pinned (desk->session, 1, TRUE);
  compare_line (desk, "timeline", pinned);
  kymo_session_set_pins (desk->session, NULL, 0);
  compare_line (desk, "usage", order);
  kymo_run_view_set_view (desk->view, "histogram");
  desk_choose (GTK_WIDGET (desk->view->current), "What is measured", 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (
    desk_need (GTK_WIDGET (desk->view->current), GTK_TYPE_SPIN_BUTTON, NULL)), 35);
  desk_choose (GTK_WIDGET (desk->view->current), "What a bar's height tells", 1);
  compare_line (desk, "histogram", bins);
}

/* -- a path ------------------------------------------------------------------- */

/* Of the bold line that only a path has. */
static guint
count_path_lines (const char *svg)
{
  guint n = 0;

  for (const char *p = svg; (p = strstr (p, "stroke-width:3;")) != NULL; p++)
    n++;
  return n;
}

/* The picture of the window and that of its line have the path that is shown. */
static void
compare_path (Desk *desk, KymoPathKind kind, const char *const *options)
{
  g_autofree char *with = NULL, *without = NULL, *by_line = NULL, *line = NULL;

  kymo_session_follow_path (desk->session, KYMO_PATH_NONE);
  without = export_view (desk, "window.svg", "Exported");
  g_assert_cmpuint (count_path_lines (without), ==, 0);
  kymo_session_follow_path (desk->session, kind);
  WAIT_FOR (kymo_session_peek_path (desk->session) != NULL);
  with = export_view (desk, "window.svg", "Exported");
  g_assert_cmpuint (count_path_lines (with), >, 0);
  compare_line (desk, "timeline", options);
  line = kymo_run_view_dup_command (desk->view, desk->path, NULL);
  by_line = run_line (desk, line, "cli.svg");
  g_assert_cmpuint (count_path_lines (by_line), ==, count_path_lines (with));
}

static void
test_path (void)
{
  static const char *const critical[] = { " --follow critical ", NULL };
  static const char *const back[] = { " --follow back ", " --follow-location 4 ",
                                      " --follow-at 1177065000 ", NULL };
  static const char *const forward[] = { " --follow forward ", NULL };
  Desk desk = { 0 };

  open_run (&desk, "data/sample");
  kymo_run_view_set_view (desk.view, "timeline");
  kymo_session_set_block (desk.session, 4, 1177065000);
  compare_path (&desk, KYMO_PATH_CRITICAL, critical);
  compare_path (&desk, KYMO_PATH_BACK, back);
  /* It is the chain of the block that it was asked for, not of the one selected since. */
  kymo_session_set_block (desk.session, 6, 1138900000);
  compare_line (&desk, "timeline", back);
  compare_path (&desk, KYMO_PATH_FORWARD, forward);
  close_run (&desk);
}

static void
test_functions (void)
{
  Desk desk = { 0 };

  open_run (&desk, "tests/data/tau/trace-stencil-4");
  work (&desk, "0-2");
  compare_views (&desk, 15);
  close_run (&desk);
}

static void
test_arranged (void)
{
  Desk desk = { 0 };

  open_run (&desk, "tests/data/tau/trace-threads-2x3");
  compare_arranged (&desk);
  close_run (&desk);
}

static gboolean
lists_communicator (Desk *desk)
{
  g_autofree char *name = kymo_legend_pane_match (KYMO_LEGEND_PANE (desk->view->legend),
                                                  "MPI_COMM_WORLD");

  return name != NULL;
}

/* The picture, the legend and the line tell what colours stand for. */
static void
test_communicators (void)
{
  static const char *const options[] = { " --color-by communicator", NULL };
  Desk desk = { 0 };
  g_autofree char *by_name = NULL, *by_comm = NULL;

  open_run (&desk, "tests/data/otf2-stencil-4");
  kymo_run_view_set_view (desk.view, "timeline");
  by_name = export_view (&desk, "window.svg", "Exported");
  g_assert_true (kymo_session_can_color_by (desk.session, KYMO_COLOR_BY_COMMUNICATOR));
  kymo_session_set_color_by (desk.session, KYMO_COLOR_BY_COMMUNICATOR);
  WAIT_FOR (lists_communicator (&desk));
  compare_line (&desk, "timeline", options);
  by_comm = export_view (&desk, "window.svg", "Exported");
  g_assert_cmpstr (by_comm, !=, by_name);
  close_run (&desk);
}

static void
test_profile (void)
{
  Desk desk = { 0 };

  open_run (&desk, "tests/data/tau/flat-stencil-4");
  work (&desk, "0,2");
  kymo_session_set_thread (desk.session, "2");
  compare_views (&desk, 5);
  close_run (&desk);
}

/* Names and paths may hold what a shell reads. */
static void
test_quoting (void)
{
  g_autoptr (KymoSource) source = desk_open_run ("tests/data/feat-p4-text");
  const KymoPlotClass *klass = kymo_plot_find ("profile");
  g_autoptr (KymoQuestion) asked = NULL, unknown = NULL;
  g_autoptr (GHashTable) hidden = kymo_export_hidden ("a'b;$(rm x);c\\;d");
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;
  KymoPlotFrame frame;
  KymoCommand command = { .klass = klass, .source = source, .path = "/a run/it's `x`",
                          .frame = &frame, .palette = "-mine" };

  kymo_plot_frame_init (&frame, 640, 480, TRUE, NULL, KYMO_SPAN_ALL);
  frame.hidden = hidden;
  asked = kymo_export_question (klass, &frame, source);
  kymo_question_set (asked, "of", "-1; ls");
  command.asked = asked;
  frame.span = kymo_source_get_span (source);
  line = kymo_command_dup (&command, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (line, ==, "kymo-cli export profile '/a run/it'\\''s `x`' '--of=-1; ls' "
                   "--size 640x480 --theme dark --palette=-mine --hide "
                   "'$(rm x);a'\\''b;c\\;d' -o profile.png");
  unknown = kymo_export_question (klass, &frame, source);
  kymo_question_set (unknown, "brand-new", "7");
  command.asked = unknown;
  g_assert_null (kymo_command_dup (&command, &error));
  g_assert_nonnull (strstr (error->message, "brand-new"));
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/command/quoting", test_quoting);
  g_test_add_func ("/command/entry-methods", test_entry_methods);
  g_test_add_func ("/command/functions", test_functions);
  g_test_add_func ("/command/path", test_path);
  g_test_add_func ("/command/arranged", test_arranged);
  g_test_add_func ("/command/communicators", test_communicators);
  g_test_add_func ("/command/profile", test_profile);
  return g_test_run ();
}
