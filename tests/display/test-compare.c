/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several runs in the window: what grew and shrank, pictures that move together,
 * aligning, runs that cannot be read, of another kind or without common names, and
 * the dialog that asks which.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "desk.h"
#include "kymo-canvas.h"
#include "kymo-compare-dialog.h"
#include "kymo-compare-page.h"
#include "kymo-compare-pictures.h"
#include "kymo-compare-table.h"
#include "kymo-compare-view.h"
#include "kymo-session-profile.h"

#define FEAT "tests/data/feat-p4-text"
#define NESTED "tests/data/feat-notracenested-p4"
#define PHASES "tests/data/feat-p4-outlierphases"
#define JACOBI "tests/data/ampi-jacobi-p4-gz"
#define PROFILE "tests/data/tau/flat-stencil-4"
#define MOST_TURNS 1500
#define MS G_GINT64_CONSTANT (1000000)

typedef struct
{
  GtkWidget *window;
  GtkWidget *page;
  char      *said;
} Desk;

static char *
whole_path (const char *path)
{
  return g_test_build_filename (G_TEST_DIST, "..", "..", path, NULL);
}

static KymoCompareView *
view_of (Desk *desk)
{
  return kymo_compare_page_peek_view (KYMO_COMPARE_PAGE (desk->page));
}

static void
wait_until_read (Desk *desk)
{
  for (guint i = 0; i < MOST_TURNS && kymo_page_is_loading (KYMO_PAGE (desk->page)); i++)
    desk_turn ();
  g_assert_false (kymo_page_is_loading (KYMO_PAGE (desk->page)));
}

static void
settle (Desk *desk)
{
  guint quiet = 0;

  wait_until_read (desk);
  g_assert_nonnull (view_of (desk));
  for (guint i = 0; i < MOST_TURNS && quiet < 5; i++)
    {
      desk_turn ();
      quiet = kymo_compare_view_is_settled (view_of (desk)) ? quiet + 1 : 0;
    }
  g_assert_cmpuint (quiet, ==, 5);
}

/* Sides in the order of the paths; a path that begins with "=" repeats the one before. */
static void
desk_open (Desk *desk, const char *const *paths)
{
  *desk = (Desk) { NULL };
  desk->page = kymo_compare_page_new ();
  g_signal_connect_swapped (desk->page, "message", G_CALLBACK (desk_keep_word), &desk->said);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      gboolean repeats = *paths[i] == '=';
      g_autofree char *path = whole_path (paths[i] + repeats);

      kymo_compare_page_add (KYMO_COMPARE_PAGE (desk->page), path, NULL,
                             repeats ? kymo_compare_page_get_last_side (
                               KYMO_COMPARE_PAGE (desk->page)) : KYMO_COMPARE_APART);
    }
  desk->window = desk_present (desk->page, 1024, 640);
  kymo_compare_page_start (KYMO_COMPARE_PAGE (desk->page));
}

static void
desk_close (Desk *desk)
{
  desk_clear_window (&desk->window);
  g_free (desk->said);
}

static char *
dup_figures (Desk *desk)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_collect (GTK_WIDGET (view_of (desk)), KYMO_TYPE_COMPARE_TABLE, found);
  g_assert_cmpuint (found->len, ==, 2);
  /* The facts come first, the table below all pages. */
  return kymo_compare_table_dup_figures (found->pdata[1]);
}

static KymoSession *
session_at (Desk *desk, guint i)
{
  return kymo_session_coupling_peek (kymo_compare_view_peek_coupling (view_of (desk)), i);
}

static KymoCanvas *
canvas_at (Desk *desk, guint run)
{
  GtkWidget *pictures = desk_need (GTK_WIDGET (view_of (desk)), KYMO_TYPE_COMPARE_PICTURES,
                                   NULL);

  return kymo_compare_pictures_peek (KYMO_COMPARE_PICTURES (pictures), run);
}

static void
act (Desk *desk, const char *action, GVariant *parameter)
{
  g_autofree char *name = g_strconcat ("compare.", action, NULL);

  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (canvas_at (desk, 0)), name,
                                                     parameter));
}

/* -- what is seen --------------------------------------------------------- */

static void
test_table (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  g_autofree char *figures = NULL;
  Desk desk;

  desk_open (&desk, paths);
  settle (&desk);
  g_assert_cmpstr (kymo_page_get_title (KYMO_PAGE (desk.page)), ==,
                   "feat-p4-text against feat-notracenested-p4");
  figures = dup_figures (&desk);
  g_assert_nonnull (strstr (figures, "Time A\tTime B"));
  g_assert_nonnull (strstr (figures, "Calls A\tCalls B"));
  g_assert_nonnull (strstr (figures, "Idle\t"));
  /* Names that have a colour have the same one in both. */
  g_assert_nonnull (kymo_session_peek_names (session_at (&desk, 1)));
  desk_close (&desk);
}

/* Keys in one picture move all of them, back through the same history. */
static void
test_coupled (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  KymoSpan a, b, before;
  Desk desk;

  desk_open (&desk, paths);
  settle (&desk);
  before = kymo_session_get_range (session_at (&desk, 2));
  g_assert_true (desk_press (canvas_at (&desk, 0), GDK_KEY_w, 0));
  g_assert_true (desk_press (canvas_at (&desk, 1), GDK_KEY_d, 0));
  a = kymo_session_get_range (session_at (&desk, 1));
  b = kymo_session_get_range (session_at (&desk, 2));
  g_assert_cmpint (kymo_span_length (a), ==, kymo_span_length (b));
  g_assert_cmpint (kymo_span_length (b), <, kymo_span_length (before));
  g_assert_true (desk_press (canvas_at (&desk, 0), GDK_KEY_f, 0));
  b = kymo_session_get_range (session_at (&desk, 2));
  g_assert_cmpint (b.begin_ns, ==, before.begin_ns);
  g_assert_cmpint (b.end_ns, ==, before.end_ns);
  settle (&desk);
  desk_close (&desk);
}

static void
test_chosen (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  Desk desk;

  desk_open (&desk, paths);
  settle (&desk);
  kymo_session_set_function (session_at (&desk, 0), "Idle");
  g_assert_cmpstr (kymo_session_peek_hovered (session_at (&desk, 2)), ==, "Idle");
  kymo_session_set_hovered (session_at (&desk, 1), "Overhead");
  kymo_session_set_hovered (session_at (&desk, 1), NULL);
  g_assert_cmpstr (kymo_session_peek_hovered (session_at (&desk, 2)), ==, "Idle");
  g_assert_true (desk_press (view_of (&desk), GDK_KEY_Escape, 0));
  g_assert_null (kymo_session_peek_hovered (session_at (&desk, 2)));
  desk_close (&desk);
}

static void
test_shifted (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  KymoSessionCoupling *coupling;
  gint64 offset_ns;
  Desk desk;

  desk_open (&desk, paths);
  settle (&desk);
  coupling = kymo_compare_view_peek_coupling (view_of (&desk));
  offset_ns = kymo_session_coupling_get_offset (coupling, 2);
  g_assert_true (desk_press (gtk_widget_get_parent (gtk_widget_get_parent (
    GTK_WIDGET (canvas_at (&desk, 1)))), GDK_KEY_bracketright, 0));
  g_assert_cmpint (kymo_session_coupling_get_offset (coupling, 2), <, offset_ns);
  act (&desk, "align", g_variant_new_string ("end"));
  settle (&desk);
  g_assert_cmpint (kymo_session_coupling_get_offset (coupling, 2), ==,
                   kymo_source_get_span (kymo_session_peek_source (session_at (&desk, 2))).end_ns
                   - kymo_source_get_span (kymo_session_peek_source (session_at (&desk, 1)))
                       .end_ns);
  /* Without markers it says what is missing, and moves nothing. */
  offset_ns = kymo_session_coupling_get_offset (coupling, 2);
  act (&desk, "align", g_variant_new_string ("markers"));
  g_assert_nonnull (strstr (desk.said, "marker A"));
  g_assert_cmpint (kymo_session_coupling_get_offset (coupling, 2), ==, offset_ns);
  kymo_session_put_marker (session_at (&desk, 1), 20 * MS);
  kymo_session_put_marker (session_at (&desk, 2), 31 * MS);
  act (&desk, "align", g_variant_new_string ("markers"));
  g_assert_cmpint (kymo_session_coupling_get_offset (coupling, 2), ==, 11 * MS);
  desk_close (&desk);
}

static void
test_scales (void)
{
  static const char *const paths[] = { FEAT, JACOBI, NULL };
  g_autofree char *figures = NULL;
  KymoSpan full;
  Desk desk;

  desk_open (&desk, paths);
  settle (&desk);
  gtk_widget_activate_action (GTK_WIDGET (canvas_at (&desk, 0)), "compare.shared", NULL);
  full = kymo_source_get_span (kymo_session_peek_source (session_at (&desk, 2)));
  g_assert_cmpint (kymo_session_get_range (session_at (&desk, 2)).end_ns, ==, full.end_ns);
  kymo_session_zoom (session_at (&desk, 1), 50 * MS, 4);
  settle (&desk);
  g_assert_cmpint (kymo_span_length (kymo_session_get_range (session_at (&desk, 2))), <,
                   kymo_span_length (full) / 3);
  /* Runs without common names are told so. */
  figures = dup_figures (&desk);
  g_assert_nonnull (strstr (figures, "gone"));
  desk_close (&desk);
}

static void
test_pages (void)
{
  static const char *const pages[] = { "time", "changes", "surroundings", "runs" };
  static const char *const paths[] = { FEAT, NESTED, NULL };
  g_autofree char *command = NULL;
  Desk desk;

  desk_open (&desk, paths);
  settle (&desk);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      kymo_compare_view_set_page (view_of (&desk), pages[i]);
      settle (&desk);
    }
  act (&desk, "picture", g_variant_new_string ("usage"));
  settle (&desk);
  g_assert_cmpstr (kymo_canvas_get_plot (canvas_at (&desk, 1))->id, ==, "usage");
  g_assert_nonnull (kymo_canvas_peek_answer (canvas_at (&desk, 1)));
  command = kymo_compare_view_dup_command (view_of (&desk));
  g_assert_true (g_str_has_prefix (command, "kymo-cli compare "));
  g_assert_nonnull (strstr (command, "feat-notracenested-p4"));
  desk_close (&desk);
}

/* -- which runs ----------------------------------------------------------- */

static void
test_arranged (void)
{
  static const char *const paths[] = { FEAT, NESTED, "=" PHASES, NULL };
  g_autofree char *figures = NULL;
  Desk desk;

  desk_open (&desk, paths);
  settle (&desk);
  g_assert_cmpuint (kymo_compare_page_get_n (KYMO_COMPARE_PAGE (desk.page)), ==, 3);
  act (&desk, "page", g_variant_new_string ("surroundings"));
  act (&desk, "swap", NULL);
  settle (&desk);
  g_assert_cmpstr (kymo_page_get_title (KYMO_PAGE (desk.page)), ==,
                   "feat-notracenested-p4 against feat-p4-text");
  /* The third one is a side of its own, then none of them any more. */
  act (&desk, "apart", g_variant_new_uint32 (1));
  settle (&desk);
  g_assert_cmpstr (kymo_page_get_title (KYMO_PAGE (desk.page)), ==,
                   "feat-notracenested-p4 against 2 others");
  figures = dup_figures (&desk);
  g_assert_nonnull (strstr (figures, "Time A\tTime B\tTime C"));
  act (&desk, "remove", g_variant_new_uint32 (1));
  settle (&desk);
  g_assert_cmpuint (kymo_compare_page_get_n (KYMO_COMPARE_PAGE (desk.page)), ==, 2);
  desk_close (&desk);
}

/* With itself a run has no differences. */
static void
test_itself (void)
{
  static const char *const paths[] = { FEAT, FEAT, NULL };
  g_autofree char *figures = NULL;
  g_auto (GStrv) lines = NULL;
  Desk desk;

  desk_open (&desk, paths);
  settle (&desk);
  figures = dup_figures (&desk);
  lines = g_strsplit (g_strstrip (figures), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >, 5);
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);

      g_assert_cmpstr (cells[1], ==, "0");
      g_assert_cmpstr (cells[2], ==, "0 ns");
    }
  desk_close (&desk);
}

/* What cannot be read says so in its place, and the others are compared without it. */
static void
test_unreadable (void)
{
  static const char *const paths[] = { FEAT, "tests/data/README.md", NESTED, NULL };
  Desk desk;

  desk_open (&desk, paths);
  wait_until_read (&desk);
  g_assert_null (view_of (&desk));
  g_assert_true (gtk_widget_get_visible (desk_need (desk.page, GTK_TYPE_BUTTON,
                                                    "Compare the Others")));
  g_signal_emit_by_name (desk_need (desk.page, GTK_TYPE_BUTTON, "Compare the Others"),
                         "clicked");
  settle (&desk);
  g_assert_cmpuint (kymo_compare_page_get_n (KYMO_COMPARE_PAGE (desk.page)), ==, 2);
  desk_close (&desk);
}

static void
test_cancelled (void)
{
  static const char *const paths[] = { FEAT, NESTED, NULL };
  Desk desk;

  desk_open (&desk, paths);
  g_signal_emit_by_name (desk_need (desk.page, GTK_TYPE_BUTTON, "Cancel"), "clicked");
  wait_until_read (&desk);
  /* Small runs may be there before they can be stopped. */
  if (view_of (&desk) == NULL)
    {
      kymo_page_reload (KYMO_PAGE (desk.page));
      settle (&desk);
    }
  g_assert_nonnull (view_of (&desk));
  desk_close (&desk);
}

/* A profile against a trace: each picture is there or says why not. */
static void
test_kinds (void)
{
  static const char *const paths[] = { FEAT, PROFILE, NULL };
  Desk desk;

  desk_open (&desk, paths);
  settle (&desk);
  g_assert_nonnull (kymo_canvas_peek_answer (canvas_at (&desk, 0)));
  g_assert_true (kymo_canvas_has_failed (canvas_at (&desk, 1)));
  kymo_compare_view_set_page (view_of (&desk), "changes");
  settle (&desk);
  desk_close (&desk);
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
  g_signal_emit_by_name (accept, "clicked");
  g_assert_cmpstr (g_object_get_data (data, "chosen"), ==, "/runs/one:-1 /runs/old:0 ");
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
  g_test_add_func ("/compare/itself", test_itself);
  g_test_add_func ("/compare/unreadable", test_unreadable);
  g_test_add_func ("/compare/cancelled", test_cancelled);
  g_test_add_func ("/compare/kinds", test_kinds);
  g_test_add_func ("/compare/dialog", test_dialog);
  return g_test_run ();
}
