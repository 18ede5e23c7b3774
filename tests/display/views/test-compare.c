/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several runs in the window: what grew and shrank, pictures that move together,
 * aligning, runs that cannot be read, of another kind or without common names, what
 * stays when sides change, lines of kymo-cli that tell the same, desks, and the dialog
 * that asks which.
 *
 * Needs a display, and KYMO_CLI: the path of the command line.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "compared.h"
#include "kymo-canvas.h"
#include "kymo-compare-dialog.h"
#include "kymo-compare-pictures.h"
#include "kymo-compare-table.h"
#include "kymo-compare-view.h"
#include "kymo-desk-comparison.h"
#include "kymo-desk-store.h"
#include "kymo-session-profile.h"

/* -- what is seen --------------------------------------------------------- */

static void
test_table (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  g_autofree char *figures = NULL;
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  g_assert_cmpstr (kymo_page_get_title (KYMO_PAGE (desk.page)), ==,
                   "feat-p4-text against feat-notracenested-p4");
  figures = compared_figures (&desk);
  g_assert_nonnull (strstr (figures, "Time A\tTime B"));
  g_assert_nonnull (strstr (figures, "Calls A\tCalls B"));
  g_assert_nonnull (strstr (figures, "Idle\t"));
  /* Names that have a colour have the same one in both. */
  g_assert_nonnull (kymo_session_peek_names (compared_session (&desk, 1)));
  compared_close (&desk);
}

/* Keys in one picture move all of them, back through the same history. */
static void
test_coupled (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  KymoSpan a, b, before;
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  before = kymo_session_get_range (compared_session (&desk, 2));
  g_assert_true (desk_press (compared_canvas (&desk, 0), GDK_KEY_w, 0));
  g_assert_true (desk_press (compared_canvas (&desk, 1), GDK_KEY_d, 0));
  a = kymo_session_get_range (compared_session (&desk, 1));
  b = kymo_session_get_range (compared_session (&desk, 2));
  g_assert_cmpint (kymo_span_length (a), ==, kymo_span_length (b));
  g_assert_cmpint (kymo_span_length (b), <, kymo_span_length (before));
  g_assert_true (desk_press (compared_canvas (&desk, 0), GDK_KEY_f, 0));
  b = kymo_session_get_range (compared_session (&desk, 2));
  g_assert_cmpint (b.begin_ns, ==, before.begin_ns);
  g_assert_cmpint (b.end_ns, ==, before.end_ns);
  compared_settle (&desk);
  compared_close (&desk);
}

static void
test_chosen (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  kymo_session_set_function (compared_session (&desk, 0), "Idle");
  g_assert_cmpstr (kymo_session_peek_hovered (compared_session (&desk, 2)), ==, "Idle");
  kymo_session_set_hovered (compared_session (&desk, 1), "Overhead");
  kymo_session_set_hovered (compared_session (&desk, 1), NULL);
  g_assert_cmpstr (kymo_session_peek_hovered (compared_session (&desk, 2)), ==, "Idle");
  g_assert_true (desk_press (compared_view (&desk), GDK_KEY_Escape, 0));
  g_assert_null (kymo_session_peek_hovered (compared_session (&desk, 2)));
  compared_close (&desk);
}

static void
test_shifted (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  KymoSessionCoupling *coupling;
  gint64 offset_ns, ends[2];
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  coupling = kymo_compare_view_peek_coupling (compared_view (&desk));
  offset_ns = kymo_session_coupling_get_offset (coupling, 2);
  g_assert_true (desk_press (gtk_widget_get_parent (gtk_widget_get_parent (
    GTK_WIDGET (compared_canvas (&desk, 1)))), GDK_KEY_bracketright, 0));
  g_assert_cmpint (kymo_session_coupling_get_offset (coupling, 2), <, offset_ns);
  compared_act (&desk, "align", g_variant_new_string ("end"));
  compared_settle (&desk);
  for (guint i = 0; i < 2; i++)
    ends[i] = kymo_source_get_span (kymo_session_peek_source (
      compared_session (&desk, i + 1))).end_ns;
  g_assert_cmpint (kymo_session_coupling_get_offset (coupling, 2), ==, ends[1] - ends[0]);
  /* Without markers it says what is missing, and moves nothing. */
  offset_ns = kymo_session_coupling_get_offset (coupling, 2);
  compared_act (&desk, "align", g_variant_new_string ("markers"));
  g_assert_nonnull (strstr (desk.said, "marker A"));
  g_assert_cmpint (kymo_session_coupling_get_offset (coupling, 2), ==, offset_ns);
  kymo_session_put_marker (compared_session (&desk, 1), 20 * MS);
  kymo_session_put_marker (compared_session (&desk, 2), 31 * MS);
  compared_act (&desk, "align", g_variant_new_string ("markers"));
  g_assert_cmpint (kymo_session_coupling_get_offset (coupling, 2), ==, 11 * MS);
  compared_close (&desk);
}

static void
test_scales (void)
{
  static const char *const paths[] = { FEAT, JACOBI, NULL };
  g_autofree char *figures = NULL;
  KymoSpan full;
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  gtk_widget_activate_action (GTK_WIDGET (compared_canvas (&desk, 0)), "compare.shared", NULL);
  full = kymo_source_get_span (kymo_session_peek_source (compared_session (&desk, 2)));
  g_assert_cmpint (kymo_session_get_range (compared_session (&desk, 2)).end_ns, ==, full.end_ns);
  kymo_session_zoom (compared_session (&desk, 1), 50 * MS, 4);
  compared_settle (&desk);
  g_assert_cmpint (kymo_span_length (kymo_session_get_range (compared_session (&desk, 2))), <,
                   kymo_span_length (full) / 3);
  /* Runs without common names are told so. */
  figures = compared_figures (&desk);
  g_assert_nonnull (strstr (figures, "gone"));
  compared_close (&desk);
}

static void
test_pages (void)
{
  static const char *const pages[] = { "time", "changes", "surroundings", "runs" };
  static const char *const paths[] = { FEAT, NESTED, NULL };
  g_autofree char *command = NULL;
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      kymo_compare_view_set_page (compared_view (&desk), pages[i]);
      compared_settle (&desk);
    }
  compared_act (&desk, "picture", g_variant_new_string ("usage"));
  compared_settle (&desk);
  g_assert_cmpstr (kymo_canvas_get_plot (compared_canvas (&desk, 1))->id, ==, "usage");
  g_assert_nonnull (kymo_canvas_peek_answer (compared_canvas (&desk, 1)));
  command = kymo_compare_view_dup_command (compared_view (&desk));
  g_assert_true (g_str_has_prefix (command, "kymo-cli compare "));
  g_assert_nonnull (strstr (command, "feat-notracenested-p4"));
  compared_close (&desk);
}

/* -- rows ----------------------------------------------------------------- */

static double
scrolled (Compared *desk, guint run)
{
  return gtk_adjustment_get_value (kymo_canvas_get_vadjustment (compared_canvas (desk, run)));
}

static double
most_scrolled (Compared *desk, guint run)
{
  GtkAdjustment *adjustment = kymo_canvas_get_vadjustment (compared_canvas (desk, run));

  return gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
}

/* PE 1 is the first in sight of both; pictures without PEs go on by as much of theirs. */
static void
test_scrolled (void)
{
  static const char *const paths[] = { SAMPLE, FEAT, NULL };
  double beyond = 0, most;
  Compared desk;

  kymo_canvas_set_row_height (60);
  compared_open (&desk, paths);
  compared_settle (&desk);
  gtk_widget_activate_action (GTK_WIDGET (compared_canvas (&desk, 0)), "compare.stacked", NULL);
  compared_settle (&desk);
  g_assert_cmpfloat (most_scrolled (&desk, 0), >, most_scrolled (&desk, 1));
  g_assert_cmpfloat (most_scrolled (&desk, 1), >, 60);
  gtk_adjustment_set_value (kymo_canvas_get_vadjustment (compared_canvas (&desk, 0)), 60);
  compared_settle (&desk);
  g_assert_cmpfloat_with_epsilon (scrolled (&desk, 1), 60, 1);
  g_assert_cmpint (kymo_canvas_get_top (compared_canvas (&desk, 1), &beyond), ==, 1);
  g_assert_cmpfloat_with_epsilon (beyond, 0, 0.01);
  /* From the other one, too; and what that has not stays at its end. */
  gtk_adjustment_set_value (kymo_canvas_get_vadjustment (compared_canvas (&desk, 1)), 0);
  compared_settle (&desk);
  g_assert_cmpfloat_with_epsilon (scrolled (&desk, 0), 0, 1);
  most = most_scrolled (&desk, 0);
  gtk_adjustment_set_value (kymo_canvas_get_vadjustment (compared_canvas (&desk, 0)), most);
  compared_settle (&desk);
  g_assert_cmpfloat_with_epsilon (scrolled (&desk, 0), most, 1);
  g_assert_cmpfloat_with_epsilon (scrolled (&desk, 1), most_scrolled (&desk, 1), 1);
  kymo_canvas_set_row_height (KYMO_ROWS_AUTOMATIC);
  compared_close (&desk);
}

/* -- the same as a command ------------------------------------------------ */

static char *
run_line (const char *line)
{
  g_autofree char *tools = g_path_get_dirname (g_getenv ("KYMO_CLI"));
  g_autofree char *whole = g_strdup_printf ("PATH='%s':\"$PATH\"; %s --format json -q --no-cache",
                                            tools, line);
  const char *const argv[] = { "/bin/sh", "-c", whole, NULL };
  g_autofree char *words = NULL;
  g_autoptr (GError) error = NULL;
  char *json = NULL;
  int status;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &json, &words,
                &status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s\n%s", line, words);
  return json;
}

static void
check_line (Compared *desk, const char *page)
{
  g_autofree char *line = NULL, *by_line = NULL;
  g_autoptr (GString) figures = g_string_new (NULL);
  gsize same = 0;

  kymo_compare_view_set_page (compared_view (desk), page);
  compared_settle (desk);
  line = kymo_compare_view_dup_command (compared_view (desk));
  kymo_table_write_json (kymo_compare_view_peek_answer (compared_view (desk)), figures);
  by_line = run_line (line);
  g_strstrip (figures->str);
  g_strstrip (by_line);
  while (figures->str[same] != '\0' && figures->str[same] == by_line[same])
    same++;
  if (strcmp (figures->str + same, by_line + same) != 0)
    g_error ("%s gives other figures than the page %s\n…%.500s\n…%.500s", line, page,
             figures->str + same, by_line + same);
}

static void
check_lines (Compared *desk)
{
  static const char *const pages[] = { "runs", "time", "changes", "surroundings" };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    check_line (desk, pages[i]);
}

static void
test_command (void)
{
  static const char *const paths[] = { FEAT, "=" PHASES, NESTED, JACOBI, NULL };
  g_autoptr (KymoIdSet) locations = kymo_id_set_parse ("0-2", NULL);
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  check_lines (&desk);
  compared_act (&desk, "align", g_variant_new_string ("end"));
  compared_act (&desk, "against", g_variant_new_uint32 (1));
  kymo_session_zoom (compared_session (&desk, 1), 50 * MS, 4);
  kymo_session_set_locations (compared_session (&desk, 0), locations);
  check_lines (&desk);
  gtk_widget_activate_action (GTK_WIDGET (compared_canvas (&desk, 0)), "compare.shared", NULL);
  kymo_session_zoom (compared_session (&desk, 1), 50 * MS, 2);
  check_lines (&desk);
  compared_close (&desk);
}

/* What is known of the runs is a table: a picture of it is refused. */
static void
test_exported (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  g_autofree char *folder = g_dir_make_tmp ("kymo-XXXXXX", NULL), *text = NULL;
  g_autofree char *picture = g_build_filename (folder, "facts.png", NULL);
  g_autofree char *table = g_build_filename (folder, "facts.json", NULL);
  g_autoptr (GString) figures = g_string_new (NULL);
  Compared desk;

  compared_open (&desk, paths);
  kymo_compare_page_start (KYMO_COMPARE_PAGE (desk.page));
  compared_settle (&desk);
  kymo_compare_view_set_page (compared_view (&desk), "surroundings");
  compared_settle (&desk);
  kymo_compare_view_export_to (compared_view (&desk), picture);
  g_assert_nonnull (strstr (desk.said, ".csv"));
  g_assert_false (g_file_test (picture, G_FILE_TEST_EXISTS));
  kymo_compare_view_export_to (compared_view (&desk), table);
  g_assert_cmpstr (desk.said, ==, "Exported");
  g_assert_true (g_file_get_contents (table, &text, NULL, NULL));
  kymo_table_write_json (kymo_compare_view_peek_answer (compared_view (&desk)), figures);
  g_assert_cmpstr (g_strstrip (text), ==, g_strstrip (figures->str));
  g_assert_cmpint (g_unlink (table), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  compared_close (&desk);
}

/* -- a desk --------------------------------------------------------------- */

/* As text and back; a run that is missing leaves the others where they were. */
static void
restore_without (const char *text, gint missing, KymoSpan own, gint64 marker_ns)
{
  g_autoptr (GError) error = NULL;
  KymoDesk *kept = kymo_desk_parse (text, strlen (text), &error);
  KymoSession *session;
  gint64 time_ns;
  Compared desk = { NULL };

  g_assert_no_error (error);
  desk.page = kymo_compare_page_new ();
  for (guint i = 0; i < kept->comparison->runs->len; i++)
    {
      KymoDeskRun *run = kept->comparison->runs->pdata[i];
      g_autofree char *path = kymo_desk_look_for (run->uri, run->beside, "/nowhere/desk");

      if ((gint) i != missing)
        kymo_compare_page_add_kept (KYMO_COMPARE_PAGE (desk.page), path, NULL,
                                    KYMO_COMPARE_APART, i);
    }
  kymo_compare_page_take_desk (KYMO_COMPARE_PAGE (desk.page), kept);
  desk.window = desk_present (desk.page, 1024, 640);
  kymo_compare_page_start (KYMO_COMPARE_PAGE (desk.page));
  compared_settle (&desk);
  session = compared_session (&desk, missing < 0 ? 2 : 1);
  g_assert_cmpint (kymo_session_get_range (session).begin_ns, ==, own.begin_ns);
  g_assert_cmpint (kymo_session_get_range (session).end_ns, ==, own.end_ns);
  g_assert_true (kymo_session_get_marker (session, 0, &time_ns));
  g_assert_cmpint (time_ns, ==, marker_ns);
  g_assert_true (kymo_session_is_hidden (session, "Idle"));
  if (missing < 0)
    {
      g_autoptr (KymoDesk) again = kymo_compare_page_dup_desk (KYMO_COMPARE_PAGE (desk.page),
                                                               NULL);
      g_autofree char *same = kymo_desk_to_text (again);

      g_assert_cmpstr (same, ==, text);
    }
  compared_close (&desk);
}

static void
test_desk (void)
{
  static const char *const paths[] = { FEAT, NESTED, PHASES, NULL };
  g_autoptr (KymoDesk) kept = NULL;
  g_autofree char *text = NULL;
  KymoSpan own;
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  compared_act (&desk, "align", g_variant_new_string ("end"));
  compared_settle (&desk);
  compared_act (&desk, "page", g_variant_new_string ("changes"));
  compared_act (&desk, "picture", g_variant_new_string ("usage"));
  gtk_widget_activate_action (GTK_WIDGET (compared_canvas (&desk, 0)), "compare.stacked", NULL);
  kymo_session_zoom (compared_session (&desk, 2), 100 * MS, 3);
  kymo_session_set_hidden (compared_session (&desk, 0), "Idle", TRUE);
  kymo_session_put_marker (compared_session (&desk, 2), 90 * MS);
  compared_settle (&desk);
  own = kymo_session_get_range (compared_session (&desk, 2));
  kept = kymo_compare_page_dup_desk (KYMO_COMPARE_PAGE (desk.page), NULL);
  text = kymo_desk_to_text (kept);
  compared_close (&desk);
  restore_without (text, -1, own, 90 * MS);
  restore_without (text, 0, own, 90 * MS);
}

/* -- which runs ----------------------------------------------------------- */

static void
check_range (Compared *desk, guint session, KymoSpan range)
{
  KymoSpan now = kymo_session_get_range (compared_session (desk, session));

  g_assert_cmpint (now.begin_ns, ==, range.begin_ns);
  g_assert_cmpint (now.end_ns, ==, range.end_ns);
}

static void
test_arranged (void)
{
  static const char *const paths[] = { FEAT, NESTED, "=" PHASES, NULL };
  g_autofree char *figures = NULL;
  KymoSpan a, b, kept, chosen = { 40 * MS, 60 * MS };
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  g_assert_cmpuint (kymo_compare_page_get_n (KYMO_COMPARE_PAGE (desk.page)), ==, 3);
  compared_act (&desk, "page", g_variant_new_string ("surroundings"));
  compared_act (&desk, "align", g_variant_new_string ("end"));
  compared_settle (&desk);
  kymo_session_zoom (compared_session (&desk, 1), 50 * MS, 4);
  kymo_session_set_selection (compared_session (&desk, 1), &chosen);
  kymo_session_set_hidden (compared_session (&desk, 0), "Idle", TRUE);
  a = kymo_session_get_range (compared_session (&desk, 1));
  b = kymo_session_get_range (compared_session (&desk, 2));
  compared_act (&desk, "swap", NULL);
  compared_settle (&desk);
  g_assert_cmpstr (kymo_page_get_title (KYMO_PAGE (desk.page)), ==,
                   "feat-notracenested-p4 against feat-p4-text");
  /* Each run shows what it did, and goes back to all of it. */
  check_range (&desk, 3, a);
  check_range (&desk, 1, b);
  g_assert_true (kymo_session_get_selection (compared_session (&desk, 3), &kept));
  g_assert_cmpint (kept.begin_ns, ==, chosen.begin_ns);
  g_assert_true (kymo_session_is_hidden (compared_session (&desk, 2), "Idle"));
  g_assert_true (kymo_session_back (compared_session (&desk, 0)));
  g_assert_cmpint (kymo_session_get_range (compared_session (&desk, 0)).end_ns, ==,
                   kymo_session_get_full_range (compared_session (&desk, 0)).end_ns);
  /* Two sides are no series. */
  compared_act (&desk, "page", g_variant_new_string ("series"));
  g_assert_cmpstr (kymo_compare_view_get_page (compared_view (&desk)), ==, "surroundings");
  /* The third one is a side of its own, then none of them any more. */
  compared_act (&desk, "apart", g_variant_new_uint32 (1));
  compared_settle (&desk);
  g_assert_cmpstr (kymo_page_get_title (KYMO_PAGE (desk.page)), ==,
                   "feat-notracenested-p4 against 2 others");
  figures = compared_figures (&desk);
  g_assert_nonnull (strstr (figures, "Time A\tTime B\tTime C"));
  compared_act (&desk, "remove", g_variant_new_uint32 (1));
  compared_settle (&desk);
  g_assert_cmpuint (kymo_compare_page_get_n (KYMO_COMPARE_PAGE (desk.page)), ==, 2);
  compared_close (&desk);
}

/* What cannot be read says so in its place, and the others are compared without it. */
static void
test_unreadable (void)
{
  static const char *const paths[] = { FEAT, "tests/data/README.md", NESTED, NULL };
  Compared desk;

  compared_open (&desk, paths);
  compared_wait (&desk);
  g_assert_null (compared_view (&desk));
  g_assert_true (gtk_widget_get_visible (desk_need (desk.page, GTK_TYPE_BUTTON,
                                                    "Compare the Others")));
  g_signal_emit_by_name (desk_need (desk.page, GTK_TYPE_BUTTON, "Compare the Others"),
                         "clicked");
  compared_settle (&desk);
  g_assert_cmpuint (kymo_compare_page_get_n (KYMO_COMPARE_PAGE (desk.page)), ==, 2);
  compared_close (&desk);
}

static void
test_cancelled (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  Compared desk;

  compared_open (&desk, paths);
  g_signal_emit_by_name (desk_need (desk.page, GTK_TYPE_BUTTON, "Cancel"), "clicked");
  compared_wait (&desk);
  /* Small runs may be there before they can be stopped. */
  if (compared_view (&desk) == NULL)
    {
      kymo_page_reload (KYMO_PAGE (desk.page));
      compared_settle (&desk);
    }
  g_assert_nonnull (compared_view (&desk));
  compared_close (&desk);
}

/* A page that is closed reads no further, whoever holds it. */
static void
test_closed (void)
{
  static const char *const paths[] = { SAMPLE, FEAT, NULL };
  g_autoptr (GtkWidget) page = NULL;
  Compared desk;

  compared_open (&desk, paths);
  page = g_object_ref (desk.page);
  g_assert_true (kymo_page_is_loading (KYMO_PAGE (page)));
  desk_clear_window (&desk.window);
  for (guint i = 0; i < MOST_TURNS && kymo_page_is_loading (KYMO_PAGE (page)); i++)
    desk_turn ();
  g_assert_false (kymo_page_is_loading (KYMO_PAGE (page)));
  g_assert_null (kymo_compare_page_peek_view (KYMO_COMPARE_PAGE (page)));
  g_free (desk.said);
}

/* More than can be compared: that is told. */
static void
test_most (void)
{
  GtkWidget *page = g_object_ref_sink (kymo_compare_page_new ());
  char *said = NULL;

  g_signal_connect_swapped (page, "message", G_CALLBACK (desk_keep_word), &said);
  for (guint i = 0; i < KYMO_MOST_RUNS + 3; i++)
    {
      g_autofree char *path = g_strdup_printf ("/nowhere/%u", i);

      kymo_compare_page_add (KYMO_COMPARE_PAGE (page), path, NULL, KYMO_COMPARE_APART);
    }
  g_assert_cmpuint (kymo_compare_page_get_n (KYMO_COMPARE_PAGE (page)), ==, KYMO_MOST_RUNS);
  kymo_compare_page_start (KYMO_COMPARE_PAGE (page));
  g_assert_cmpstr (said, ==, "3 runs are left out: no more than 64 are compared at once");
  for (guint i = 0; i < MOST_TURNS && kymo_page_is_loading (KYMO_PAGE (page)); i++)
    desk_turn ();
  g_object_unref (page);
  g_free (said);
}

/* A profile against a trace: each picture is there or says why not. */
static void
test_kinds (void)
{
  static const char *const paths[] = { FEAT, PROFILE, NULL };
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  g_assert_nonnull (kymo_canvas_peek_answer (compared_canvas (&desk, 0)));
  g_assert_true (kymo_canvas_has_failed (compared_canvas (&desk, 1)));
  kymo_compare_view_set_page (compared_view (&desk), "changes");
  compared_settle (&desk);
  compared_close (&desk);
}

/* -- the dialog ----------------------------------------------------------- */

static void
on_chosen (const KymoCompareChoice *choices, guint n, gpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s:%d ", choices[i].path, choices[i].repeats);
  g_object_set_data_full (data, "chosen", g_strdup (text->str), g_free);
}

static void
test_dialog (void)
{
  static const char *const open[] = { "/runs/one", "/runs/two", NULL };
  static const char *const recent[] = { "/runs/base", "/runs/two", "/runs/old", NULL };
  static const char *const one[] = { "/runs/one", NULL }, *const none[] = { NULL };
  g_autoptr (GObject) data = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GPtrArray) checks = g_ptr_array_new (), roles = g_ptr_array_new ();
  GtkWidget *parent = desk_present (gtk_label_new ("A"), 400, 300), *accept;
  GtkWindow *dialog = kymo_compare_dialog_present (GTK_WINDOW (parent), "/runs/base", open,
                                                   recent, on_chosen, data);

  desk_collect (GTK_WIDGET (dialog), GTK_TYPE_CHECK_BUTTON, checks);
  desk_collect (GTK_WIDGET (dialog), GTK_TYPE_DROP_DOWN, roles);
  g_assert_cmpuint (checks->len, ==, 3);
  accept = desk_need (GTK_WIDGET (dialog), GTK_TYPE_BUTTON, "_Compare");
  g_assert_false (gtk_widget_get_sensitive (accept));
  /* A repeat of A alone is nothing to compare with. */
  gtk_check_button_set_active (checks->pdata[2], TRUE);
  gtk_drop_down_set_selected (roles->pdata[2], 1);
  g_assert_false (gtk_widget_get_sensitive (accept));
  gtk_check_button_set_active (checks->pdata[0], TRUE);
  g_assert_true (gtk_widget_get_sensitive (accept));
  g_assert_true (gtk_window_get_default_widget (dialog) == accept);
  g_signal_emit_by_name (accept, "clicked");
  g_assert_cmpstr (g_object_get_data (data, "chosen"), ==, "/runs/one:-1 /runs/old:0 ");
  /* A recent run that is gone leaves the list, without the window having waited for its disk. */
  dialog = kymo_compare_dialog_present (GTK_WINDOW (parent), "/runs/base", one, recent,
                                        on_chosen, data);
  g_ptr_array_set_size (checks, 0);
  desk_collect (GTK_WIDGET (dialog), GTK_TYPE_CHECK_BUTTON, checks);
  g_assert_cmpuint (checks->len, ==, 3);
  WAIT_FOR (!gtk_widget_get_mapped (checks->pdata[1]) && !gtk_widget_get_mapped (checks->pdata[2])
            && gtk_widget_get_mapped (checks->pdata[0]));
  gtk_window_destroy (dialog);
  /* The one other tab is most likely meant: Enter compares with it. */
  dialog = kymo_compare_dialog_present (GTK_WINDOW (parent), "/runs/base", one, none,
                                        on_chosen, data);
  desk_turn ();
  g_signal_emit_by_name (dialog, "activate-default");
  WAIT_FOR (g_strcmp0 (g_object_get_data (data, "chosen"), "/runs/one:-1 ") == 0);
  /* Where no other run is known it says so, and the way out. */
  dialog = kymo_compare_dialog_present (GTK_WINDOW (parent), "/runs/base", none, none,
                                        on_chosen, data);
  desk_turn ();
  g_assert_true (gtk_widget_get_mapped (desk_need (
    GTK_WIDGET (dialog), GTK_TYPE_BUTTON, "_Add the Folder of Another Run…")));
  gtk_window_destroy (dialog);
  desk_clear_window (&parent);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/compare/table", test_table);
  g_test_add_func ("/compare/coupled", test_coupled);
  g_test_add_func ("/compare/chosen", test_chosen);
  g_test_add_func ("/compare/shifted", test_shifted);
  g_test_add_func ("/compare/scales", test_scales);
  g_test_add_func ("/compare/pages", test_pages);
  g_test_add_func ("/compare/arranged", test_arranged);
  g_test_add_func ("/compare/unreadable", test_unreadable);
  g_test_add_func ("/compare/cancelled", test_cancelled);
  g_test_add_func ("/compare/closed", test_closed);
  g_test_add_func ("/compare/most", test_most);
  g_test_add_func ("/compare/kinds", test_kinds);
  g_test_add_func ("/compare/scrolled", test_scrolled);
  g_test_add_func ("/compare/command", test_command);
  g_test_add_func ("/compare/exported", test_exported);
  g_test_add_func ("/compare/desk", test_desk);
  g_test_add_func ("/compare/dialog", test_dialog);
  return g_test_run ();
}
