/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several runs in the window: what grew and shrank, pictures that move together,
 * aligning, what stays when sides change, lines of kymo-cli that tell the same, desks.
 *
 * Needs a display, and KYMO_CLI: the path of the command line.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "compared.h"
#include "kymo-changes.h"
#include "kymo-canvas.h"
#include "kymo-compare-view-private.h"
#include "kymo-desk-comparison.h"
#include "kymo-desk-store.h"

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

/* The causes of the line at the top stand behind the figures of a command, where it has them.
   Returns: (transfer full): the other figures of the line */
static char *
check_causes (Compared *desk, const char *by_line)
{
  g_auto (GStrv) parts = g_strsplit (by_line, ",\"changed\":", 2);
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (KymoTable) changes = NULL;
  g_autoptr (GString) causes = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (parts[1] == NULL)
    return g_strdup (by_line);
  question = kymo_compare_view_new_question (compared_view (desk));
  changes = kymo_changes_ask (KYMO_SOURCE (compared_view (desk)->comparison), question, NULL,
                              &error);
  g_assert_no_error (error);
  kymo_table_write_json (changes, causes);
  g_strstrip (causes->str);
  g_assert_cmpint (strncmp (parts[1], causes->str, strlen (causes->str)), ==, 0);
  g_assert_cmpstr (parts[1] + strlen (causes->str), ==, "}");
  return g_strconcat (parts[0], "}", NULL);
}

static void
check_line (Compared *desk, const char *page)
{
  g_autofree char *line = NULL, *told = NULL, *by_line = NULL;
  g_autoptr (GString) figures = g_string_new (NULL);
  gsize same = 0;

  kymo_compare_view_set_page (compared_view (desk), page);
  compared_settle (desk);
  line = kymo_compare_view_dup_command (compared_view (desk));
  kymo_table_write_json (kymo_compare_view_peek_answer (compared_view (desk)), figures);
  told = run_line (line);
  g_strstrip (figures->str);
  by_line = check_causes (desk, g_strstrip (told));
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
  g_test_add_func ("/compare/scrolled", test_scrolled);
  g_test_add_func ("/compare/command", test_command);
  g_test_add_func ("/compare/exported", test_exported);
  g_test_add_func ("/compare/desk", test_desk);
  return g_test_run ();
}
