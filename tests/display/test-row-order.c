/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of a timeline sorted from its menu: by a figure of the whole run, then by
 * what is in sight; they stay where they are while the range changes.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "desk.h"
#include "kymo-rows-bar.h"
#include "kymo-session-rows.h"
#include "kymo-timeline-view.h"

static KymoSession *session;
static GtkWidget *view;
static KymoCanvas *canvas;

static void
settle (void)
{
  g_main_context_iteration (NULL, TRUE);
  WAIT_FOR (!kymo_session_is_sorting (session) && kymo_canvas_is_settled (canvas));
}

static void
choose (const char *order)
{
  g_assert_true (gtk_widget_activate_action (view, "rows.order", "s", order));
  settle ();
}

static KymoTable *
rows (void)
{
  return kymo_table_peek_nested (kymo_canvas_peek_answer (canvas), "rows", NULL);
}

/* What the rows of the answer say of themselves is in order. */
static void
check_busy (gboolean descends)
{
  guint n = kymo_table_get_n_rows (rows ());

  g_assert_cmpuint (n, ==, 8);
  for (guint i = 1; i < n; i++)
    {
      double before = kymo_table_get_double (rows (), "busy", i - 1);
      double here = kymo_table_get_double (rows (), "busy", i);

      /* Shares are of slightly different spans. */
      g_assert_true (descends ? before > here - 0.01 : before < here + 0.01);
    }
}

static char *
dup_labels (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (rows ()); i++)
    g_string_append_printf (text, "%s,", kymo_table_get_string (rows (), "label", i));
  return g_string_free (text, FALSE);
}

static const char *
words (void)
{
  return gtk_label_get_text (GTK_LABEL (gtk_widget_get_next_sibling (
    gtk_widget_get_first_child (desk_need (view, KYMO_TYPE_ROWS_BAR, NULL)))));
}

static void
test_sorting (void)
{
  g_autofree char *plain = dup_labels (), *sorted = NULL, *zoomed = NULL, *again = NULL,
                  *back = NULL;
  KymoSpan full = kymo_session_get_full_range (session), quarter = full;

  g_assert_cmpstr (plain, ==, "PE 0,PE 1,PE 2,PE 3,PE 4,PE 5,PE 6,PE 7,");
  g_assert_cmpstr (words (), ==, "");
  choose ("busy");
  check_busy (FALSE);
  g_assert_cmpstr (words (), ==, "by busy time");
  g_assert_true (gtk_widget_activate_action (view, "rows.descend", NULL));
  settle ();
  check_busy (TRUE);
  g_assert_cmpstr (kymo_session_peek_row_order (session), ==, "-busy");
  g_assert_cmpstr (words (), ==, "by busy time, largest first");
  sorted = dup_labels ();

  quarter.begin_ns = full.end_ns - kymo_span_length (full) / 4;
  kymo_session_set_range (session, quarter, TRUE);
  settle ();
  zoomed = dup_labels ();
  g_assert_cmpstr (zoomed, ==, sorted);
  g_assert_true (gtk_widget_activate_action (view, "rows.again", NULL));
  settle ();
  check_busy (TRUE);
  again = dup_labels ();
  g_assert_cmpstr (again, !=, sorted);
  g_assert_nonnull (strstr (words (), " – "));

  choose ("number");
  g_assert_true (gtk_widget_activate_action (view, "rows.descend", NULL));
  settle ();
  g_assert_null (kymo_session_peek_row_order (session));
  back = dup_labels ();
  g_assert_cmpstr (back, ==, plain);
  kymo_session_fit (session);
  settle ();
}

/* An order that is chosen while another is on its way; clusters, and none. */
static void
test_changes (void)
{
  g_autofree char *first = NULL, *last = NULL;

  kymo_session_set_row_order (session, "similarity", FALSE);
  choose ("-number");
  first = dup_labels ();
  g_assert_cmpstr (first, ==, "PE 7,PE 6,PE 5,PE 4,PE 3,PE 2,PE 1,PE 0,");
  choose ("cluster");
  g_assert_true (kymo_session_get_by_class (session));
  g_assert_nonnull (kymo_session_peek_classes (session));
  g_assert_cmpstr (kymo_session_peek_row_order (session), ==, "cluster");
  choose ("time:no such");
  g_assert_false (kymo_session_get_by_class (session));
  g_assert_nonnull (strstr (words (), "no such"));
  last = dup_labels ();
  g_assert_true (g_str_has_prefix (last, "PE 0,PE 1,"));
}

int
main (int argc, char *argv[])
{
  GtkWidget *window;
  KymoSource *source;
  int failed;

  desk_init (&argc, &argv);
  source = desk_open_run ("data/sample");
  session = kymo_session_new (source);
  view = kymo_timeline_view_new (session);
  canvas = kymo_timeline_view_get_timeline (KYMO_TIMELINE_VIEW (view));
  window = desk_present (view, 900, 600);
  settle ();

  g_test_add_func ("/row-order/sorting", test_sorting);
  g_test_add_func ("/row-order/changes", test_changes);
  failed = g_test_run ();
  desk_clear_window (&window);
  g_object_unref (session);
  g_object_unref (source);
  return failed;
}
