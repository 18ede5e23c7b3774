/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run view shows goes by what its source can answer, and its words by
 * the terms of the source: a run without a time axis has no timeline, ruler,
 * overview or range, and "PE" is "rank" where the source says so. Rows of one that
 * grows are listed in the order a person chose, whatever it grows to.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "desk.h"
#include "kymo-in-terms.h"
#include "kymo-location-list.h"
#include "kymo-location-pane.h"
#include "kymo-overview.h"
#include "kymo-reduction-words.h"
#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"

/* -- a source ------------------------------------------------------------- */

static KymoTable *
refuse (KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "no figures of %s",
               kymo_question_get_kind (question));
  return NULL;
}

/* -- words ---------------------------------------------------------------- */

static void
test_words (void)
{
  const KymoTerms charm = { KYMO_ROW_PE, KYMO_CODE_ENTRY_METHOD };
  const KymoTerms mpi = { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  const KymoTerms openmp = { KYMO_ROW_THREAD, KYMO_CODE_FUNCTION };
  const char *all = "{Rows} by {code}, {row} of {rows}; {Code}, {Codes}, {Row}";

  g_assert_cmpstr (kymo_in_terms (charm, all), ==,
                   "PEs by entry method, PE of PEs; Entry method, Entry "
                   "methods, PE");
  g_assert_cmpstr (kymo_in_terms (mpi, all), ==,
                   "Ranks by function, rank of ranks; Function, Functions, "
                   "Rank");
  g_assert_cmpstr (kymo_in_terms (openmp, "{rows} %s"), ==, "threads %s");
  g_assert_cmpstr (kymo_in_terms (mpi, "{no} {row and {"), ==,
                   "{no} {row and {");
  g_assert_cmpstr (kymo_in_terms (mpi, ""), ==, "");
  /* A translation may say a phrase of each term. */
  g_assert_cmpstr (kymo_in_terms (charm, "{row:Nach PE|Nach Rang|Nach Thread} %d"), ==,
                   "Nach PE %d");
  g_assert_cmpstr (kymo_in_terms (openmp, "{row:Nach PE|Nach Rang|Nach Thread}"), ==,
                   "Nach Thread");
  g_assert_cmpstr (kymo_in_terms (openmp, "{row:Am PE|Am Rang} {code:der Methode|der Funktion}"),
                   ==, "Am Rang der Funktion");
  g_assert_cmpstr (kymo_in_terms (mpi, "{row:} {code:"), ==, "{row:} {code:");
  /* Idle time is a word of Kymo, a function's name is none. */
  g_assert_cmpstr (kymo_shown_name ("Idle"), ==, "Idle");
  g_assert_cmpstr (kymo_shown_name ("main"), ==, "main");
  g_assert_null (kymo_shown_name (NULL));
  /* Titles of pictures, too. */
  g_assert_cmpstr (kymo_plot_title (kymo_plot_find ("thread-bars"), mpi), ==,
                   "Functions by rank");
  g_assert_cmpstr (kymo_plot_title (kymo_plot_find ("threads"), openmp), ==,
                   "Threads compared");
  g_assert_cmpstr (kymo_plot_title (kymo_plot_find ("timeline"), charm), ==, "Timeline");
}

/* A reduced run of Charm++ is told of in PEs, of MPI in ranks. */
static void
test_reduced (void)
{
  const KymoTerms charm = { KYMO_ROW_PE, KYMO_CODE_ENTRY_METHOD };
  const KymoTerms mpi = { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  g_autoptr (KymoTable) info = kymo_table_new (KYMO_STYLE_OBJECT);
  g_autofree char *pes = NULL, *ranks = NULL, *error = NULL;

  kymo_table_set_string (info, "kind", "reduced");
  kymo_table_set_int (info, "locations_kept", 2);
  kymo_table_set_int (info, "locations_original", 100);
  pes = kymo_reduction_dup_kept (info, charm);
  ranks = kymo_reduction_dup_kept (info, mpi);
  error = kymo_reduction_dup_error (info, mpi);
  g_assert_cmpstr (pes, ==, "2 of 100 PEs were kept as a whole");
  g_assert_cmpstr (ranks, ==, "2 of 100 ranks were kept as a whole");
  g_assert_nonnull (strstr (error, "of the kept ranks alone"));
  g_assert_null (strstr (error, "PE"));
}

/* -- a run view ----------------------------------------------------------- */

static DeskSource *source;
static KymoSession *session;
static KymoRunView *view;
static GtkWidget *window;

static void
show (KymoCapabilities can)
{
  g_autoptr (KymoTable) info = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_string (info, "kind", "profile");
  kymo_table_set_int (info, "locations", 4);
  kymo_table_set_int (info, "begin_ns", 0);
  kymo_table_set_int (info, "end_ns", 0);
  source = desk_source_new (refuse, can, 0);
  source->terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  session = kymo_session_new (KYMO_SOURCE (source));
  view = KYMO_RUN_VIEW (kymo_run_view_new (session, info));
  window = desk_present (GTK_WIDGET (view), 1100, 800);
}

static void
hide (void)
{
  desk_clear_window (&window);
  g_clear_object (&session);
  g_clear_object (&source);
}

/* Whether a widget of the type, or a label with the words, is to be seen. */
static gboolean
sees (GtkWidget *widget, GType type, const char *words)
{
  if (!gtk_widget_get_mapped (widget))
    return FALSE;
  if (words == NULL && g_type_is_a (G_OBJECT_TYPE (widget), type))
    return TRUE;
  if (words != NULL && GTK_IS_LABEL (widget)
      && strstr (gtk_label_get_text (GTK_LABEL (widget)), words) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (sees (child, type, words))
      return TRUE;
  return FALSE;
}

static void
test_timeless (void)
{
  static const char *const of_time[] = {
    "live", "timeline", "time-profile", "usage", "histogram", "profile",
    "communication", "extrema", "clusters", "replies",
  };

  show (KYMO_CAN_PROFILE);
  for (guint i = 0; i < G_N_ELEMENTS (of_time); i++)
    g_assert_false (kymo_run_view_has_view (view, of_time[i]));
  g_assert_cmpstr (kymo_run_view_get_view (view), ==, "findings");
  kymo_run_view_set_view (view, "summary");
  desk_turn ();
  g_assert_false (kymo_run_view_has_time (view));
  g_assert_false (sees (GTK_WIDGET (view), KYMO_TYPE_OVERVIEW, NULL));
  g_assert_false (kymo_desk_part_shows_ruler (view->current));
  g_assert_false (gtk_widget_get_mapped (view->sidebar));
  g_assert_false (gtk_widget_get_mapped (view->details));
  /* neither a range of the session, nor "PE" */
  g_assert_false (sees (GTK_WIDGET (view), 0, "µs"));
  g_assert_false (sees (GTK_WIDGET (view), 0, "PE"));
  g_assert_true (sees (GTK_WIDGET (view), 0, "Ranks"));
  g_assert_cmpstr (view->subject, ==, "4 ranks");
  hide ();
}

static void
test_with_time (void)
{
  show (KYMO_CAN_PROFILE | KYMO_CAN_BINNED_TIME);
  g_assert_true (kymo_run_view_has_time (view));
  g_assert_false (kymo_run_view_has_view (view, "timeline"));
  g_assert_false (kymo_run_view_has_view (view, "replies"));
  g_assert_cmpstr (kymo_run_view_get_view (view), ==, "findings");
  kymo_run_view_set_view (view, "time-profile");
  g_assert_true (sees (GTK_WIDGET (view), KYMO_TYPE_OVERVIEW, NULL));
  g_assert_true (kymo_desk_part_shows_ruler (view->current));
  hide ();
}

/* What can be answered grows with the run; views that are there stay. */
static void
test_grows (void)
{
  g_autoptr (KymoTable) info = NULL;

  show (KYMO_CAN_PROFILE | KYMO_CAN_BINNED_TIME | KYMO_CAN_GROWING);
  kymo_run_view_set_view (view, "time-profile");
  info = kymo_table_ref ((KymoTable *) kymo_run_view_peek_info (view));
  g_assert_false (kymo_run_view_has_view (view, "replies"));
  source->can |= KYMO_CAN_STREAM;
  kymo_run_view_set_info (view, info);
  g_assert_true (kymo_run_view_has_view (view, "replies"));
  g_assert_cmpstr (kymo_run_view_get_view (view), ==, "time-profile");
  hide ();
}

/* -- the list of locations ------------------------------------------------ */

static gint last_first;                /* whether answers begin with the last row */
static gint n_answers;

static KymoTable *
answer_usage (KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  KymoTable *usage, *locations;
  gboolean turned = g_atomic_int_get (&last_first);
  int nth;

  if (g_strcmp0 (kymo_question_get_kind (question), "usage") != 0)
    return refuse (question, cancellable, error);
  usage = kymo_table_new (KYMO_STYLE_OBJECT);
  locations = kymo_table_new (KYMO_STYLE_OBJECTS);
  nth = g_atomic_int_add (&n_answers, 1) + 1;
  kymo_table_add_nested (usage, "locations", locations);
  kymo_table_add_column (locations, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (locations, "label", KYMO_COLUMN_STRING, 1);
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *label = g_strdup_printf ("%d of %d", turned ? 1 - i : i, nth);

      kymo_table_append_int (locations, 0, turned ? 1 - i : i);
      kymo_table_append_string (locations, 1, label);
    }
  kymo_table_end_nested (usage, 0);
  return usage;
}

static void
wait_for_first (const char *words)
{
  for (guint i = 0; i < 400 && !sees (window, 0, words); i++)
    desk_turn ();
  g_assert_true (sees (window, 0, words));
}

/* The first row that is listed. */
static gint64
first_of (GtkWidget *pane)
{
  g_autoptr (GPtrArray) lists = g_ptr_array_new ();
  g_autoptr (KymoLocationItem) item = NULL;

  /* The first one is of places. */
  desk_collect (pane, GTK_TYPE_LIST_VIEW, lists);
  g_assert_cmpuint (lists->len, ==, 2);
  item = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (lists->pdata[1])), 0);
  return kymo_location_item_peek_label (item)[0] - '0';
}

/* Growth moves no row; what the person asks for does. */
static void
test_order (void)
{
  GtkWidget *pane;

  source = desk_source_new (answer_usage, KYMO_CAN_BINNED_TIME | KYMO_CAN_GROWING, 1000);
  session = kymo_session_new (KYMO_SOURCE (source));
  pane = kymo_location_pane_new (session);
  window = desk_present (pane, 300, 400);
  wait_for_first (" of 1");
  g_assert_cmpint (first_of (pane), ==, 0);
  g_atomic_int_set (&last_first, TRUE);
  g_signal_emit_by_name (session, "grown");
  wait_for_first (" of 2");
  g_assert_cmpint (first_of (pane), ==, 0);
  kymo_session_set_by_class (session, TRUE);
  wait_for_first (" of 3");
  g_assert_cmpint (first_of (pane), ==, 1);
  g_atomic_int_set (&last_first, FALSE);
  g_signal_emit_by_name (session, "grown");
  wait_for_first (" of 4");
  g_assert_cmpint (first_of (pane), ==, 1);
  hide ();
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/terms/words", test_words);
  g_test_add_func ("/terms/reduced", test_reduced);
  g_test_add_func ("/terms/timeless", test_timeless);
  g_test_add_func ("/terms/with-time", test_with_time);
  g_test_add_func ("/terms/grows", test_grows);
  g_test_add_func ("/terms/order", test_order);
  return g_test_run ();
}
