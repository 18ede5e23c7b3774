/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which runs are compared: taken away, added and in another order, runs that cannot be read, of
 * another kind or without common names, and the dialog that asks which.
 *
 * Needs a display.
 */
#include "config.h"

#include <string.h>

#include "compared.h"
#include "kymo-compare-dialog.h"

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
  g_test_add_func ("/compare-runs/arranged", test_arranged);
  g_test_add_func ("/compare-runs/unreadable", test_unreadable);
  g_test_add_func ("/compare-runs/cancelled", test_cancelled);
  g_test_add_func ("/compare-runs/closed", test_closed);
  g_test_add_func ("/compare-runs/most", test_most);
  g_test_add_func ("/compare-runs/kinds", test_kinds);
  g_test_add_func ("/compare-runs/dialog", test_dialog);
  return g_test_run ();
}
