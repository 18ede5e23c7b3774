/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of a timeline sorted from its menu: by a figure of the whole run, then by
 * what is in sight; they stay where they are while the range changes. Rows by
 * process, folded and unfolded with keys and by their headers; short blocks that
 * are hidden; choices of locations that are typed.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "desk.h"
#include "kymo-location-filter.h"
#include "kymo-rows-bar.h"
#include "kymo-session-colors.h"
#include "kymo-session-rows.h"
#include "kymo-timeline-view.h"
#include "pictures.h"

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
  GtkWidget *child = gtk_widget_get_first_child (desk_need (view, KYMO_TYPE_ROWS_BAR, NULL));

  while (!GTK_IS_LABEL (child))
    child = gtk_widget_get_next_sibling (child);
  return gtk_label_get_text (GTK_LABEL (child));
}

/* Entry methods have groups and one role. */
static void
test_colors (void)
{
  KymoRgba before = kymo_colors_get (kymo_session_peek_colors (session),
                                     kymo_session_peek_names (session)[0], KYMO_LOOK_LIGHT);
  const char *group = kymo_session_peek_group (session, kymo_session_peek_names (session)[0]);
  g_autoptr (KymoColors) plain = kymo_colors_new (KYMO_PALETTE_STANDARD);
  KymoRgba now;

  g_assert_true (kymo_session_can_color_by (session, KYMO_COLOR_BY_GROUP));
  g_assert_false (kymo_session_can_color_by (session, KYMO_COLOR_BY_ROLE));
  g_assert_true (gtk_widget_activate_action (view, "rows.color-by", "s", "group"));
  g_assert_cmpint (kymo_session_get_color_by (session), ==, KYMO_COLOR_BY_GROUP);
  now = kymo_colors_get (kymo_session_peek_colors (session),
                         kymo_session_peek_names (session)[0], KYMO_LOOK_LIGHT);
  g_assert_cmphex (kymo_rgba_to_rgb (now), ==,
                   kymo_rgba_to_rgb (kymo_colors_get (plain, group, KYMO_LOOK_LIGHT)));
  g_assert_true (gtk_widget_activate_action (view, "rows.color-by", "s", "name"));
  now = kymo_colors_get (kymo_session_peek_colors (session),
                         kymo_session_peek_names (session)[0], KYMO_LOOK_LIGHT);
  g_assert_cmphex (kymo_rgba_to_rgb (now), ==, kymo_rgba_to_rgb (before));
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

/* -- groups --------------------------------------------------------------- */

static GtkWidget *window;
static KymoSource *source;

static void
show_run (const char *path)
{
  if (window != NULL)
    desk_clear_window (&window);
  g_clear_object (&session);
  g_clear_object (&source);
  source = desk_open_run (path);
  session = kymo_session_new (source);
  view = kymo_timeline_view_new (session);
  canvas = kymo_timeline_view_get_timeline (KYMO_TIMELINE_VIEW (view));
  window = desk_present (view, 900, 600);
  settle ();
}

static guint
n_rows (void)
{
  return kymo_table_get_n_rows (rows ());
}

static void
press (guint key, GdkModifierType state)
{
  g_assert_true (desk_press (canvas, key, state));
  settle ();
}

/* What lies under the header of a group, at the height of a row. */
static gint64
header_at (double y)
{
  KymoPlotFrame frame;
  KymoPlotHit hit;
  gint64 group;

  kymo_plot_frame_init (&frame, gtk_widget_get_width (GTK_WIDGET (canvas)),
                        gtk_widget_get_height (GTK_WIDGET (canvas)), FALSE,
                        kymo_session_peek_colors (session), kymo_session_get_range (session));
  picture_hit (kymo_plot_find ("timeline"), kymo_canvas_peek_answer (canvas), &frame, 8, y, &hit);
  group = hit.group;
  kymo_plot_hit_clear (&hit);
  return group;
}

/** Step: the block that a key went to */
typedef struct
{
  gint64 location, time_ns, begin_ns;
} Step;

static Step
step (guint key)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("details");
  g_autoptr (KymoTable) details = NULL;
  gint64 location = -1, time_ns = -1;
  Step here = { 0 };

  kymo_session_get_block (session, &location, &time_ns);
  press (key, 0);
  WAIT_FOR (kymo_session_get_block (session, &here.location, &here.time_ns)
            && (here.location != location || here.time_ns != time_ns));
  kymo_question_set_int (question, "location", here.location);
  kymo_question_set_int (question, "time", here.time_ns);
  details = kymo_source_ask (source, question, NULL, NULL);
  here.begin_ns = kymo_table_get_int (details, "begin_ns", 0);
  return here;
}

/* Along a folded row arrows go through the blocks of all its locations as they begin, and
   back the same way. */
static void
check_arrows (gint64 first, gint64 last)
{
  Step steps[12];
  guint others = 0;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      steps[i] = step (GDK_KEY_Right);
      g_assert_cmpint (steps[i].location, >=, first);
      g_assert_cmpint (steps[i].location, <=, last);
      if (i == 0)
        continue;
      others += steps[i].location != steps[0].location;
      g_assert_true (steps[i].begin_ns > steps[i - 1].begin_ns
                     || (steps[i].begin_ns == steps[i - 1].begin_ns
                         && steps[i].location > steps[i - 1].location));
    }
  g_assert_cmpuint (others, >, 0);
  for (guint i = G_N_ELEMENTS (steps) - 1; i-- > 0;)
    {
      Step back = step (GDK_KEY_Left);

      g_assert_cmpint (back.location, ==, steps[i].location);
      g_assert_cmpint (back.begin_ns, ==, steps[i].begin_ns);
    }
}

static void
test_folding (void)
{
  g_autofree char *plain = NULL, *both = NULL, *text = NULL;

  show_run ("tests/data/tau/trace-threads-2x3");
  plain = dup_labels ();
  g_assert_cmpuint (n_rows (), ==, 8);
  g_assert_true (gtk_widget_activate_action (view, "rows.grouped", NULL));
  WAIT_FOR (kymo_session_peek_groups (session) != NULL);
  settle ();
  g_assert_cmpuint (n_rows (), ==, 8);
  g_assert_cmpint (header_at (20), ==, 0);
  g_assert_cmpint (header_at (200), ==, 1);

  kymo_session_set_block (session, 5, kymo_session_get_range (session).begin_ns + 1000);
  press (GDK_KEY_Left, GDK_SHIFT_MASK);
  g_assert_cmpuint (n_rows (), ==, 5);
  g_assert_cmpstr (kymo_table_get_string (rows (), "label", 4), ==, "rank 1");
  press (GDK_KEY_Left, GDK_SHIFT_MASK | GDK_CONTROL_MASK);
  both = dup_labels ();
  g_assert_cmpstr (both, ==, "rank 0,rank 1,");
  text = kymo_session_dup_fold_text (session);
  g_assert_cmpstr (text, ==, "all");
  kymo_session_clear_block (session);
  check_arrows (0, 3);
  kymo_session_set_block (session, 5, kymo_session_get_range (session).begin_ns + 1000);
  check_arrows (4, 7);
  press (GDK_KEY_Right, GDK_SHIFT_MASK);
  g_assert_cmpuint (n_rows (), ==, 5);
  g_assert_cmpstr (kymo_table_get_string (rows (), "label", 0), ==, "rank 0");
  g_assert_true (gtk_widget_activate_action (view, "rows.fold", "i", -1));
  settle ();
  g_assert_cmpuint (n_rows (), ==, 8);
  kymo_session_fold_text (session, NULL);
  settle ();
  g_assert_null (kymo_table_peek_nested (kymo_canvas_peek_answer (canvas), "groups", NULL));
}

/* A run that tells nothing of processes says so, and stays as it is. */
static void
test_no_groups (void)
{
  show_run ("data/sample");
  g_assert_true (gtk_widget_activate_action (view, "rows.grouped", NULL));
  WAIT_FOR (kymo_session_peek_rows_failure (session) != NULL);
  settle ();
  g_assert_false (kymo_session_get_grouped (session));
  g_assert_cmpuint (n_rows (), ==, 8);
  g_assert_cmpuint (strlen (words ()), >, 20);
}

static void
test_short_blocks (void)
{
  KymoTable *names;

  g_assert_true (gtk_widget_activate_action (view, "rows.least", "x", (gint64) 1000000));
  settle ();
  names = kymo_table_peek_nested (kymo_canvas_peek_answer (canvas), "kinds", NULL);
  g_assert_cmpstr (kymo_table_get_string (names, "kind", kymo_table_get_n_rows (names) - 1), ==,
                   "short");
  g_assert_nonnull (strstr (words (), " ms hidden"));
  kymo_session_set_least_ns (session, 0);
  settle ();
}

static void
check_filter (KymoLocationList *list, const char *text, const char *chosen)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoIdSet) set = kymo_location_filter (list, text, &error);
  g_autofree char *ids = set != NULL ? kymo_id_set_to_text (set) : NULL;

  g_assert_cmpstr (ids, ==, chosen);
  g_assert_true ((set == NULL) == (error != NULL));
}

static void
test_filter (void)
{
  g_autoptr (KymoTable) usage = desk_ask (source, "usage", NULL, NULL);
  g_autoptr (KymoLocationList) list = kymo_location_list_new ();

  kymo_location_list_set (list, kymo_table_peek_nested (usage, "locations", NULL), FALSE);
  check_filter (list, "0-3", "0-3");
  check_filter (list, "every 4th", "0,4");
  check_filter (list, "Every 3", "0,3,6");
  check_filter (list, "pe 5", "5");
  check_filter (list, "busy < 40%", "1,6-7");
  check_filter (list, "busy>=0.43", "3");
  check_filter (list, "busy>1", NULL);
  check_filter (list, "busy<", NULL);
  check_filter (list, "every 0th", NULL);
  check_filter (list, "rank", NULL);
}

int
main (int argc, char *argv[])
{
  int failed;

  desk_init (&argc, &argv);
  show_run ("data/sample");
  g_test_add_func ("/row-order/sorting", test_sorting);
  g_test_add_func ("/row-order/colors", test_colors);
  g_test_add_func ("/row-order/changes", test_changes);
  g_test_add_func ("/row-order/folding", test_folding);
  g_test_add_func ("/row-order/no-groups", test_no_groups);
  g_test_add_func ("/row-order/short-blocks", test_short_blocks);
  g_test_add_func ("/row-order/filter", test_filter);
  failed = g_test_run ();
  desk_clear_window (&window);
  g_object_unref (session);
  g_object_unref (source);
  return failed;
}
