/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Cluster view in a window, over the sample run: what its tables show is
 * what `kymo-cli clusters` answers, whatever its controls are set to; choosing
 * a cluster shows its members everywhere; and it asks when it is at rest, not
 * while one zooms.
 *
 * Needs a display, and KYMO_CLI: the path of the command line.
 */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "desk.h"
#include "kymo-answer-list.h"
#include "kymo-cluster-view.h"
#include "kymo-open.h"
#include "kymo-run-source.h"
#include "kymo-shown-bar.h"

#define SECOND G_GINT64_CONSTANT (1000000000)

typedef struct
{
  char        *path;
  KymoSession *session;
  GtkWidget   *window;
  GtkWidget   *view, *bar;
  guint        n_answers;              /* classes of the session so far */
  char        *shown;                  /* the view that was to be shown */
} Desk;

static void
on_classes (Desk *desk)
{
  desk->n_answers++;
}

static void
settle (Desk *desk)
{
  WAIT_FOR (kymo_cluster_view_is_settled (KYMO_CLUSTER_VIEW (desk->view)));
}

static void
open_desk (Desk *desk, const char *path)
{
  g_autoptr (KymoSource) source = desk_open_run (path);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  desk->path = g_strdup (path);
  desk->session = kymo_session_new (source);
  desk->view = kymo_cluster_view_new (desk->session);
  desk->bar = kymo_shown_bar_new (desk->session);
  g_signal_connect_swapped (desk->session, "classes-changed",
                            G_CALLBACK (on_classes), desk);
  g_signal_connect_swapped (desk->view, "show-view",
                            G_CALLBACK (desk_keep_word), &desk->shown);
  gtk_box_append (GTK_BOX (box), desk->bar);
  gtk_box_append (GTK_BOX (box), desk->view);
  desk->window = desk_present (box, 1200, 700);
  settle (desk);
}

static void
desk_open (Desk *desk, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", data,
                                                 NULL);

  open_desk (desk, path);
}

static void
desk_close (Desk *desk, gconstpointer data)
{
  desk_clear_window (&desk->window);
  g_signal_handlers_disconnect_by_data (desk->session, desk);
  g_clear_object (&desk->session);
  g_free (desk->path);
  g_free (desk->shown);
}

/* -- finding -------------------------------------------------------------- */

static void
set_number (Desk *desk, const char *name, double value)
{
  gtk_spin_button_set_value (
    GTK_SPIN_BUTTON (desk_need (desk->view, GTK_TYPE_SPIN_BUTTON, name)), value);
}

static void
list_clusters (GtkWidget *widget, GPtrArray *lists)
{
  if (KYMO_IS_ANSWER_LIST (widget))
    g_ptr_array_add (lists, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    list_clusters (child, lists);
}

/* 0 the clusters, 1 their PEs. */
static KymoAnswerList *
list_at (Desk *desk, guint index)
{
  g_autoptr (GPtrArray) lists = g_ptr_array_new ();

  list_clusters (desk->view, lists);
  g_assert_cmpuint (lists->len, ==, 2);
  return lists->pdata[index];
}

static GStrv
lines_of (Desk *desk, guint list)
{
  g_autofree char *text = kymo_line_table_dup_figures (
    KYMO_LINE_TABLE (list_at (desk, list)));

  /* The last cell may be empty: only the end of the line goes. */
  g_assert_true (g_str_has_suffix (text, "\n"));
  text[strlen (text) - 1] = '\0';
  return g_strsplit (text, "\n", -1);
}

/* -- the command line ------------------------------------------------------ */

static char *
ask_cli (Desk *desk, const char *const *words)
{
  g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
  g_auto (GStrv) args = NULL;
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  int status = 0;

  g_strv_builder_add_many (argv, g_getenv ("KYMO_CLI"), "clusters", desk->path,
                           "--format", "json", NULL);
  g_strv_builder_addv (argv, (const char **) words);
  args = g_strv_builder_end (argv);
  g_spawn_sync (NULL, args, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL,
                &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  return out;
}

/* That the answer at hand is that of the command line, clusters and PEs kept. */
static void
compare_answers (Desk *desk, const char *const *words)
{
  KymoTable *classes = kymo_session_peek_classes (desk->session);
  g_autofree char *cli = ask_cli (desk, words);
  g_autoptr (GString) clusters = g_string_new ("\"clusters\":");
  g_autofree char *kept = NULL;
  const gint64 *pes;
  guint n = 0;

  g_assert_nonnull (classes);
  kymo_table_write_json (kymo_table_peek_nested (classes, "clusters", NULL),
                         clusters);
  if (strstr (cli, clusters->str) == NULL)
    g_error ("the view has %s\nthe command line %s", clusters->str, cli);
  pes = kymo_table_peek_ints (classes, "kept", &n);
  kept = g_strdup ("\"kept\":[");
  for (guint i = 0; i < n; i++)
    {
      char *more = g_strdup_printf ("%s%" G_GINT64_FORMAT "%s", kept, pes[i],
                                    i + 1 < n ? "," : "]");

      g_free (kept);
      kept = more;
    }
  g_assert_nonnull (strstr (cli, kept));
}

static const char *
words_of_kept (const char *kept)
{
  if (kept == NULL)
    return "";
  return g_str_equal (kept, "union") ? "by another attribute"
         : g_str_equal (kept, "critical-path") ? "on the critical path" : kept;
}

/* That the tables show the answer at hand: cluster, PEs, representative, its
   outliers; PE, cluster, and why it is kept. */
static void
check_tables (Desk *desk)
{
  KymoTable *classes = kymo_session_peek_classes (desk->session);
  KymoTable *clusters = kymo_table_peek_nested (classes, "clusters", NULL);
  KymoTable *pes = kymo_table_peek_nested (classes, "locations", NULL);
  g_auto (GStrv) lines = lines_of (desk, 0);
  g_auto (GStrv) members = lines_of (desk, 1);

  g_assert_cmpuint (g_strv_length (lines), ==,
                    kymo_table_get_n_rows (clusters) + 1);
  g_assert_cmpuint (g_strv_length (members), ==,
                    kymo_table_get_n_rows (pes) + 1);
  for (guint i = 0; i < kymo_table_get_n_rows (clusters); i++)
    {
      g_autofree char *begin = g_strdup_printf (
        "%u\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t", i,
        kymo_table_get_int (clusters, "size", i),
        kymo_table_get_int (clusters, "representative", i));

      g_assert_true (g_str_has_prefix (lines[i + 1], begin));
    }
  for (guint i = 0; i < kymo_table_get_n_rows (pes); i++)
    {
      const char *kept = words_of_kept (kymo_table_get_string (pes, "kept_as",
                                                               i));
      g_autofree char *begin = g_strdup_printf (
        "%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t",
        kymo_table_get_int (pes, "location", i),
        kymo_table_get_int (pes, "cluster", i));
      g_autofree char *end = g_strdup_printf ("\t%s", kept);

      g_assert_true (g_str_has_prefix (members[i + 1], begin));
      g_assert_true (g_str_has_suffix (members[i + 1], end));
    }
}

static void
test_figures (Desk *desk, gconstpointer data)
{
  g_auto (GStrv) members = NULL;

  compare_answers (desk, (const char *const[]) { "-k", "5", NULL });
  check_tables (desk);
  g_assert_cmpuint (desk->n_answers, ==, 1);
  /* 8 PEs and the line over them, sorted by PE at first. */
  members = lines_of (desk, 1);
  g_assert_true (g_str_has_prefix (members[1], "0\t"));
  g_assert_true (g_str_has_prefix (members[8], "7\t"));
}

static void
test_controls (Desk *desk, gconstpointer data)
{
  set_number (desk, "Number of seeds; clusters without PEs are left out", 3);
  settle (desk);
  compare_answers (desk, (const char *const[]) { "-k", "3", NULL });
  check_tables (desk);
  desk_choose (desk->view, "How entry methods are scaled before PEs are compared", 2);
  settle (desk);
  compare_answers (desk, (const char *const[]) { "-k", "3", "--scale",
                                                 "stddev", NULL });
  desk_choose (desk->view, "Where the clusters begin", 2);
  set_number (desk, "Seed of random numbers", 7);
  settle (desk);
  compare_answers (desk, (const char *const[]) { "-k", "3", "--scale",
                                                 "stddev", "--seeding",
                                                 "k-means++", "--seed", "7",
                                                 NULL });
  desk_choose (desk->view, "Outliers are counted in", 1);
  set_number (desk, "How many outliers", 2);
  settle (desk);
  compare_answers (desk, (const char *const[]) { "-k", "3", "--scale",
                                                 "stddev", "--seeding",
                                                 "k-means++", "--seed", "7",
                                                 "--outliers", "2", NULL });
  desk_choose (desk->view, "How the number of clusters is chosen", 1);
  desk_choose (desk->view, "Where the clusters begin", 0);
  set_number (desk, "Number of seeds; clusters without PEs are left out", 6);
  settle (desk);
  compare_answers (desk, (const char *const[]) { "-k", "2-6", "--scale",
                                                 "stddev", "--outliers", "2",
                                                 NULL });
  check_tables (desk);
}

/* The label of a check button stands in for its name. */
static void
check (GtkWidget *widget, const char *label)
{
  if (GTK_IS_CHECK_BUTTON (widget)
      && g_strcmp0 (gtk_check_button_get_label (GTK_CHECK_BUTTON (widget)),
                    label) == 0)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (widget), TRUE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check (child, label);
}

static void
test_components (Desk *desk, gconstpointer data)
{
  check (desk->view, "_Idle time");
  check (desk->view, "_Messages sent");
  settle (desk);
  compare_answers (desk, (const char *const[]) { "-k", "5", "--with",
                                                 "idle,messages", NULL });
}

/* Who is kept beside representatives and outliers. */
static void
test_kept (Desk *desk, gconstpointer data)
{
  check (desk->view, "_Fewer from tight clusters");
  check (desk->view, "By idle time or overhead a_lone");
  settle (desk);
  compare_answers (desk, (const char *const[]) { "-k", "5", "--quota",
                                                 "spread", "--union",
                                                 "idle,overhead", NULL });
  check (desk->view, "On the critical _path");
  settle (desk);
  compare_answers (desk, (const char *const[]) { "-k", "5", "--quota",
                                                 "spread", "--union",
                                                 "idle,overhead",
                                                 "--critical-path", NULL });
  check_tables (desk);
}

/* -- choosing ------------------------------------------------------------- */

static void
test_choose (Desk *desk, gconstpointer data)
{
  KymoAnswerList *clusters = list_at (desk, 0), *members = list_at (desk, 1);
  KymoIdSet *shown;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_false (gtk_widget_get_visible (desk->bar));
  g_signal_emit_by_name (clusters, "selected", 2);
  shown = kymo_session_peek_locations (desk->session);
  g_assert_nonnull (shown);
  text = kymo_id_set_to_text (shown);
  g_assert_cmpstr (text, ==, "2-4");
  g_assert_cmpint (kymo_shown_cluster (desk->session), ==, 2);
  g_assert_cmpint (kymo_answer_list_get_selected (clusters), ==, 2);
  g_assert_true (gtk_widget_get_visible (desk->bar));
  lines = lines_of (desk, 1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_true (g_str_has_prefix (lines[1], "2\t2\t"));
  /* A PE of it, and into the timeline with that one. */
  g_signal_emit_by_name (members, "activated", 4);
  g_assert_cmpstr (desk->shown, ==, "timeline");
  g_free (text);
  text = kymo_id_set_to_text (kymo_session_peek_locations (desk->session));
  g_assert_cmpstr (text, ==, "4");
  g_assert_cmpint (kymo_answer_list_get_selected (clusters), ==, -1);
  /* It is one question all the while. */
  g_assert_cmpuint (desk->n_answers, ==, 1);
}

static void
test_back_to_all (Desk *desk, gconstpointer data)
{
  KymoAnswerList *clusters = list_at (desk, 0);
  GtkWidget *all = desk_find (desk->bar, GTK_TYPE_BUTTON, NULL);
  g_auto (GStrv) lines = NULL;

  g_signal_emit_by_name (clusters, "selected", 0);
  g_assert_nonnull (kymo_session_peek_locations (desk->session));
  g_signal_emit_by_name (all, "clicked");
  g_assert_null (kymo_session_peek_locations (desk->session));
  g_assert_cmpint (kymo_answer_list_get_selected (clusters), ==, -1);
  g_assert_false (gtk_widget_get_visible (desk->bar));
  lines = lines_of (desk, 1);
  g_assert_cmpuint (g_strv_length (lines), ==, 9);
}

/* Whoever shows the members of a cluster has chosen it here. */
static void
test_follows (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoIdSet) members = kymo_id_set_parse ("6,7", NULL);
  g_autoptr (KymoIdSet) others = kymo_id_set_parse ("6,1", NULL);

  kymo_session_set_locations (desk->session, members);
  g_assert_cmpint (kymo_answer_list_get_selected (list_at (desk, 0)), ==, 0);
  kymo_session_set_locations (desk->session, others);
  g_assert_cmpint (kymo_answer_list_get_selected (list_at (desk, 0)), ==, -1);
  g_assert_true (gtk_widget_get_visible (desk->bar));
}

static void
test_rows_by_cluster (Desk *desk, gconstpointer data)
{
  g_assert_false (kymo_session_get_by_class (desk->session));
  check (desk->view, "PEs by _Cluster");
  g_assert_true (kymo_session_get_by_class (desk->session));
}

/* -- asking --------------------------------------------------------------- */

/* A view in motion asks once, when it has come to rest. */
static void
test_at_rest (Desk *desk, gconstpointer data)
{
  KymoSpan full = kymo_session_get_full_range (desk->session);
  KymoSpan span = full;

  for (guint i = 1; i <= 20; i++)
    {
      span.begin_ns = full.begin_ns + i * SECOND / 40;
      kymo_session_set_range (desk->session, span, FALSE);
      g_main_context_iteration (NULL, FALSE);
    }
  g_assert_false (kymo_cluster_view_is_settled (KYMO_CLUSTER_VIEW (
    desk->view)));
  settle (desk);
  g_assert_cmpuint (desk->n_answers, ==, 2);
  g_assert_cmpint (kymo_table_get_int (kymo_session_peek_classes (
                                         desk->session), "begin_ns", 0),
                   ==, span.begin_ns);
}

static void
test_whole_run (Desk *desk, gconstpointer data)
{
  KymoSpan full = kymo_session_get_full_range (desk->session);
  KymoSpan half = { full.begin_ns, full.begin_ns + SECOND };

  desk_choose (desk->view, "Of which time", 1);
  settle (desk);
  g_assert_cmpuint (desk->n_answers, ==, 2);
  kymo_session_set_range (desk->session, half, FALSE);
  g_assert_true (kymo_cluster_view_is_settled (KYMO_CLUSTER_VIEW (
    desk->view)));
  g_assert_cmpint (kymo_table_get_int (kymo_session_peek_classes (
                                         desk->session), "end_ns", 0),
                   ==, full.end_ns);
}

/* The stack of tables and message. */
static GtkStack *
find_stack (GtkWidget *widget)
{
  GtkStack *found = NULL;

  if (GTK_IS_STACK (widget)
      && gtk_stack_get_child_by_name (GTK_STACK (widget), "message") != NULL)
    return GTK_STACK (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget);
       child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_stack (child);
  return found;
}

/* A summary has no messages: a sentence says so, where the tables were. */
static void
test_refused (Desk *desk, gconstpointer data)
{
  GtkStack *stack = find_stack (desk->view);
  GtkWidget *message = gtk_stack_get_child_by_name (stack, "message");

  check (desk->view, "_Messages sent");
  settle (desk);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "message");
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (message)),
                            "this run is a summary"));
}

/* Distances of 0 to 29.5 ms below each other: one unit, one digit each. */
static void
test_digits (Desk *desk, gconstpointer data)
{
  for (guint list = 0; list < 2; list++)
    {
      g_autoptr (GPtrArray) labels = g_ptr_array_new ();
      guint n = 0;

      desk_collect (GTK_WIDGET (list_at (desk, list)), GTK_TYPE_LABEL, labels);
      for (guint i = 0; i < labels->len; i++)
        {
          const char *text = gtk_label_get_text (labels->pdata[i]);

          g_assert_false (g_str_has_suffix (text, " ns") || g_str_has_suffix (text, " µs"));
          if (g_str_has_suffix (text, " ms"))
            n += g_regex_match_simple ("^\\d+\\.\\d ms$", text, 0, 0) ? 1 : 1000;
        }
      g_assert_cmpuint (n, >=, 4);
      g_assert_cmpuint (n, <, 1000);
    }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name, *run;
    void      (*test) (Desk *desk, gconstpointer data);
  } tests[] = {
    { "/clusters/figures", "data/sample", test_figures },
    { "/clusters/controls", "data/sample", test_controls },
    { "/clusters/components", "data/sample", test_components },
    { "/clusters/kept", "data/sample", test_kept },
    { "/clusters/choose", "data/sample", test_choose },
    { "/clusters/back-to-all", "data/sample", test_back_to_all },
    { "/clusters/follows", "data/sample", test_follows },
    { "/clusters/rows", "data/sample", test_rows_by_cluster },
    { "/clusters/at-rest", "data/sample", test_at_rest },
    { "/clusters/whole-run", "data/sample", test_whole_run },
    { "/clusters/digits", "data/sample", test_digits },
    { "/clusters/refused", "tests/data/jacobi2d-sum-p8", test_refused },
  };

  desk_init (&argc, &argv);
  g_assert_nonnull (g_getenv ("KYMO_CLI"));
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Desk, tests[i].run, desk_open, tests[i].test,
                desk_close);
  return g_test_run ();
}
