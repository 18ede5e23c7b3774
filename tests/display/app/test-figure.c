/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog that exports a figure: whatever is chosen, the file that it has written is byte for
 * byte that of the line of kymo-cli that it shows; and what is chosen is there the next time.
 *
 * Needs a display. KYMO_CLI is the program.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "compared.h"
#include "kymo-figure-dialog.h"
#include "kymo-figure-settings.h"
#include "kymo-regions.h"
#include "kymo-run-view-private.h"
#include "kymo-session-messages.h"
#include "kymo-session-path.h"
#include "kymo-session-rows.h"

typedef struct
{
  GtkWidget   *window;
  KymoRunView *view;
  KymoSession *session;
  GtkWindow   *dialog;
  char        *path, *folder, *said;
} Desk;

static void
open_desk (Desk *desk, const char *run)
{
  g_autoptr (KymoSource) source = desk_open_run (run);
  g_autoptr (KymoTable) info = desk_ask (source, "info", NULL, NULL);

  desk->path = g_test_build_filename (G_TEST_DIST, "..", "..", run, NULL);
  desk->folder = g_dir_make_tmp ("kymo-figure-XXXXXX", NULL);
  desk->session = kymo_session_new (source);
  desk->view = KYMO_RUN_VIEW (kymo_run_view_new (desk->session, info));
  g_signal_connect_swapped (desk->view, "message", G_CALLBACK (desk_keep_word), &desk->said);
  desk->window = desk_present (GTK_WIDGET (desk->view), 1200, 800);
  WAIT_FOR (kymo_session_peek_names (desk->session) != NULL);
}

static void
close_desk (Desk *desk)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_assert_cmpint (g_rmdir (desk->folder), ==, 0);
  g_free (desk->folder);
  g_free (desk->path);
  g_free (desk->said);
}

static void
on_done (const KymoExported *exported, const char *path, gpointer view)
{
  kymo_run_view_export (view, exported, path);
}

static void
open_figure (Desk *desk, const char *view)
{
  g_auto (KymoExported) exported = { NULL };

  kymo_run_view_set_view (desk->view, view);
  WAIT_FOR (kymo_run_view_is_settled (desk->view));
  g_assert_true (kymo_run_view_find_export (desk->view, &exported));
  desk->dialog = kymo_figure_dialog_present (GTK_WINDOW (desk->window), &exported, desk->path,
                                             NULL, on_done, G_OBJECT (desk->view));
}

/* The row of the dialog with this title. */
static GtkWidget *
row_of (Desk *desk, const char *title)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  desk_collect (GTK_WIDGET (desk->dialog), ADW_TYPE_PREFERENCES_ROW, rows);
  for (guint i = 0; i < rows->len; i++)
    if (g_strcmp0 (adw_preferences_row_get_title (rows->pdata[i]), title) == 0)
      return rows->pdata[i];
  g_error ("no row “%s”", title);
}

static void
choose_row (Desk *desk, const char *title, const char *choice)
{
  AdwComboRow *row = ADW_COMBO_ROW (row_of (desk, title));
  GListModel *list = adw_combo_row_get_model (row);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    if (g_strcmp0 (gtk_string_list_get_string (GTK_STRING_LIST (list), i), choice) == 0)
      {
        adw_combo_row_set_selected (row, i);
        return;
      }
  g_error ("%s cannot be %s", title, choice);
}

static void
set_number (Desk *desk, const char *title, double number)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (
    desk_need (row_of (desk, title), GTK_TYPE_SPIN_BUTTON, NULL)), number);
}

/* As keys do, without Enter. */
static void
type_number (Desk *desk, const char *title, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (
    desk_need (row_of (desk, title), GTK_TYPE_SPIN_BUTTON, NULL)), text);
}

static void
set_text (Desk *desk, const char *title, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row_of (desk, title)), text);
}

static void
turn_row (Desk *desk, const char *title, gboolean on)
{
  gtk_switch_set_active (GTK_SWITCH (
    desk_need (row_of (desk, title), GTK_TYPE_SWITCH, NULL)), on);
}

static GBytes *
take_file (Desk *desk, const char *name)
{
  g_autofree char *path = g_build_filename (desk->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return g_bytes_new_take (text, length);
}

static GBytes *
run_line (Desk *desk, const char *line, const char *name)
{
  desk_run_line (desk->folder, line, name);
  return take_file (desk, name);
}

/* Writes the figure both ways. @options: words that the line must have, divided by "|". */
static void
compare_files (Desk *desk, const char *format, const char *options)
{
  g_autofree char *name = g_strconcat ("window.", format, NULL);
  g_autofree char *other = g_strconcat ("line.", format, NULL);
  g_autofree char *path = g_build_filename (desk->folder, name, NULL), *line = NULL;
  g_auto (GStrv) words = g_strsplit (options, "|", -1);
  g_autoptr (GBytes) file = NULL, by_line = NULL;

  WAIT_FOR (kymo_figure_dialog_is_settled (desk->dialog));
  line = g_strdup (kymo_figure_dialog_peek_command (desk->dialog));
  g_assert_nonnull (line);
  g_test_message ("%s", line);
  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (line, words[i]) == NULL)
      g_error ("%s has no %s", line, words[i]);
  g_assert_true (g_str_has_suffix (line, format));
  g_clear_pointer (&desk->said, g_free);
  kymo_figure_dialog_export_to (desk->dialog, path);
  desk->dialog = NULL;
  WAIT_FOR (desk->said != NULL);
  g_assert_cmpstr (desk->said, ==, "Exported");
  file = take_file (desk, name);
  by_line = run_line (desk, line, other);
  if (!g_bytes_equal (file, by_line))
    g_error ("%s gives %" G_GSIZE_FORMAT " bytes, not those %" G_GSIZE_FORMAT, line,
             g_bytes_get_size (by_line), g_bytes_get_size (file));
}

/* As it is seen, with messages and a path over the rows, in each form. */
static void
test_seen (void)
{
  static const char *const formats[] = { "PNG", "SVG", "PDF" };
  static const char *const endings[] = { "png", "svg", "pdf" };
  g_autoptr (KymoIdSet) some = kymo_id_set_parse ("1-4,6", NULL);
  Desk desk = { 0 };

  open_desk (&desk, "data/sample");
  kymo_session_set_locations (desk.session, some);
  kymo_session_set_range (desk.session, (KymoSpan) { 900000000, 1300000000 }, FALSE);
  kymo_session_set_messages (desk.session, KYMO_MESSAGES_ALL);
  kymo_session_follow_path (desk.session, KYMO_PATH_CRITICAL);
  WAIT_FOR (kymo_session_peek_path (desk.session) != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      open_figure (&desk, "timeline");
      choose_row (&desk, "Format", formats[i]);
      compare_files (&desk, endings[i], "--messages all|--follow critical|--size 1600x900|"
                                        "--locations 1-4,6|--from 900000000|--to 1300000000");
    }
  close_desk (&desk);
}

/* Everything that can be chosen. */
static void
test_chosen (void)
{
  g_autoptr (KymoIdSet) some = kymo_id_set_parse ("1-4,6", NULL);
  g_autofree char *line = NULL;
  Desk desk = { 0 };

  open_desk (&desk, "data/sample");
  kymo_session_set_locations (desk.session, some);
  kymo_session_set_messages (desk.session, KYMO_MESSAGES_ALL);
  kymo_session_set_selection (desk.session, &(KymoSpan) { 1000000000, 1200000000 });
  open_figure (&desk, "timeline");
  choose_row (&desk, "Made for", "One column");
  choose_row (&desk, "Format", "PNG");
  choose_row (&desk, "Range", "Selection");
  choose_row (&desk, "PEs", "All");
  turn_row (&desk, "Messages and Path", FALSE);
  choose_row (&desk, "Theme", "Print, high contrast");
  set_text (&desk, "Own Title", "It's “one”; $HOME");
  choose_row (&desk, "Legend", "Below");
  set_number (&desk, "Names in the Legend", 4);
  set_number (&desk, "Font Size", 6.5);
  set_number (&desk, "Pixels per Inch", 200);
  line = g_strdup (kymo_figure_dialog_peek_command (desk.dialog));
  g_assert_null (strstr (line, "--messages"));
  g_assert_null (strstr (line, "--locations"));
  compare_files (&desk, "png", "--size column|--font-size 6.5|--dpi 200|--legend below|"
                               "--legend-most 4|--theme light-contrast|--from 1000000000|--title");

  /* What concerns the look is there again, what concerns the content is not. */
  open_figure (&desk, "time-profile");
  turn_row (&desk, "Title", FALSE);
  choose_row (&desk, "Range", "Typed");
  set_text (&desk, "From and To, as 1.15s..1.40s", "1.1s");
  g_assert_false (gtk_widget_get_sensitive (gtk_window_get_default_widget (desk.dialog)));
  set_text (&desk, "From and To, as 1.15s..1.40s", "1.1s..1.3s");
  compare_files (&desk, "png", "--size column|--font-size 6.5|--dpi 200|--legend below|"
                               "--title ''|--from 1100000000|--to 1300000000|--locations 1-4,6");
  open_figure (&desk, "usage");
  choose_row (&desk, "Made for", "Slide");
  choose_row (&desk, "Range", "Whole run");
  choose_row (&desk, "Legend", "Right");
  choose_row (&desk, "Theme", "Dark");
  compare_files (&desk, "png", "--size slide|--theme dark|--legend right");
  open_figure (&desk, "usage");
  set_number (&desk, "Width", 20);
  g_assert_false (gtk_widget_get_sensitive (gtk_window_get_default_widget (desk.dialog)));
  /* What is typed counts at once. */
  type_number (&desk, "Width", "1000");
  choose_row (&desk, "Legend", "None");
  choose_row (&desk, "Format", "PDF");
  compare_files (&desk, "pdf", "--size 1000x1080|--legend none|--font-size 18");
  close_desk (&desk);
}

static void
on_compared_done (const KymoExported *exported, const char *path, gpointer view)
{
  kymo_compare_view_export (view, exported, path);
}

/* What the dialog about a page of a comparison writes is what its line writes. */
static void
compare_page_files (Desk *desk, Compared *compared, const char *page, const char *format,
                    const char *options)
{
  g_auto (KymoExported) exported = { NULL };
  g_autofree char *runs = NULL, *ending = g_ascii_strdown (format, 3);
  KymoCompareView *view = compared_view (compared);

  kymo_compare_view_set_page (view, page);
  compared_settle (compared);
  g_assert_true (kymo_compare_view_find_export (view, &exported));
  runs = kymo_compare_view_dup_runs (view, &exported);
  desk->dialog = kymo_figure_dialog_present (GTK_WINDOW (compared->window), &exported, runs, NULL,
                                             on_compared_done, G_OBJECT (view));
  choose_row (desk, "Format", format);
  compare_files (desk, ending, options);
}

static void
test_compared (void)
{
  static const char *const paths[] = { FEAT, "=" PHASES, NESTED, SAMPLE, NULL };
  g_autoptr (KymoIdSet) some = kymo_id_set_parse ("0-2", NULL);
  g_auto (KymoExported) exported = { NULL };
  Desk desk = { .folder = g_dir_make_tmp ("kymo-figure-XXXXXX", NULL) };
  Compared compared;

  compared_open (&compared, paths);
  compared_settle (&compared);
  g_signal_connect_swapped (compared.page, "message", G_CALLBACK (desk_keep_word), &desk.said);
  compare_page_files (&desk, &compared, "time", "PNG",
                      "export compare-time-profile|--repeat-of A=");
  compare_page_files (&desk, &compared, "changes", "SVG", "export compare-activities");
  compared_act (&compared, "align", g_variant_new_string ("end"));
  compared_act (&compared, "against", g_variant_new_uint32 (1));
  kymo_session_zoom (compared_session (&compared, 1), 50 * MS, 4);
  kymo_session_set_locations (compared_session (&compared, 0), some);
  compare_page_files (&desk, &compared, "time", "PNG",
                      "--align end|--against B|--from|--locations 0-2");
  compare_page_files (&desk, &compared, "series", "PDF", "export compare-series|--align end");
  compare_page_files (&desk, &compared, "runs", "PNG", "export timeline|feat-p4-text --");
  gtk_widget_activate_action (GTK_WIDGET (compared_canvas (&compared, 0)), "compare.shared", NULL);
  kymo_session_zoom (compared_session (&compared, 1), 50 * MS, 2);
  compare_page_files (&desk, &compared, "time", "PNG", "--time-scale own|--range-of 3=");
  compare_page_files (&desk, &compared, "changes", "CSV, the figures", "--range-of 0=");
  kymo_compare_view_set_page (compared_view (&compared), "surroundings");
  g_assert_false (kymo_compare_view_find_export (compared_view (&compared), &exported));
  compared_close (&compared);
  g_assert_cmpint (g_rmdir (desk.folder), ==, 0);
  g_free (desk.folder);
  g_free (desk.said);
}

/* Iterations of a run that lie over each other, whose times count from their begins. */
static void
test_overlaid (void)
{
  static const char *const names[] = { "iteration:4", "iteration:8", "iteration:12" };
  g_autoptr (KymoSource) source = desk_open_run (SAMPLE);
  g_autofree char *path = compared_path (SAMPLE);
  Desk desk = { .folder = g_dir_make_tmp ("kymo-figure-XXXXXX", NULL) };
  Compared compared = { .page = kymo_compare_page_new () };
  KymoComparePage *page = KYMO_COMPARE_PAGE (compared.page);

  g_signal_connect_swapped (page, "message", G_CALLBACK (desk_keep_word), &desk.said);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      KymoSpan span;

      g_assert_true (kymo_regions_ask (source, names[i], NULL, &span, NULL));
      kymo_compare_page_add (page, path, NULL, KYMO_COMPARE_APART);
      kymo_compare_page_take_stretch (page, names[i], span);
    }
  compared.window = desk_present (compared.page, 1024, 640);
  kymo_compare_page_start (page);
  compared_settle (&compared);
  compare_page_files (&desk, &compared, "time", "PNG",
                      "export compare-time-profile|--range-of 2=|--count-from ");
  compare_page_files (&desk, &compared, "runs", "SVG", "export timeline|--count-from ");
  compared_close (&compared);
  g_assert_cmpint (g_rmdir (desk.folder), ==, 0);
  g_free (desk.folder);
  g_free (desk.said);
}

/* What is no setting becomes the default. */
static void
test_settings (void)
{
  static const char *const lines[] = {
    "column 8 300 svg print no-title below 5", "85.5x60mm 7.5 300 pdf dark title none 0",
    "1600x900 9 96 png window title auto 0",
  };
  static const char *const wrong[] = { "", "0x0 9 96", "column -8 nan bmp", "a b c d e f g h i",
                                       "1600x900 9 96 png window title auto -1", "column nan 300",
                                       "column 8 nan" };
  KymoFigureSettings settings;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *text = NULL;

      kymo_figure_settings_parse (&settings, lines[i]);
      text = kymo_figure_settings_dup_text (&settings);
      g_assert_cmpstr (text, ==, lines[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      kymo_figure_settings_parse (&settings, wrong[i]);
      g_assert_true (kymo_figure_size_check (&settings.size, NULL));
      g_assert_false (isnan (settings.size.font_pt) || isnan (settings.size.dpi));
      g_assert_cmpuint (settings.format, ==, 0);
      g_assert_cmpuint (settings.legend_most, <=, 1000);
    }
}

/* A closed dialog asks nothing any more, though something holds its window. */
static void
test_closed (void)
{
  Desk desk = { NULL };
  g_autoptr (GtkWindow) dialog = NULL;

  open_desk (&desk, "data/sample");
  open_figure (&desk, "usage");
  dialog = g_object_ref (desk.dialog);
  g_assert_false (kymo_figure_dialog_is_settled (dialog));
  gtk_window_close (dialog);
  g_assert_true (kymo_figure_dialog_is_settled (dialog));
  g_clear_object (&dialog);
  close_desk (&desk);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/figure/settings", test_settings);
  g_test_add_func ("/figure/seen", test_seen);
  g_test_add_func ("/figure/chosen", test_chosen);
  g_test_add_func ("/figure/closed", test_closed);
  g_test_add_func ("/figure/compared", test_compared);
  g_test_add_func ("/figure/overlaid", test_overlaid);
  return g_test_run ();
}
