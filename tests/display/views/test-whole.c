/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all views of a run are in: the order of clusters, and extrapolation.
 * The run is made by hand: PEs of two kinds in turns, and is shown in a run
 * view as a whole.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "desk.h"
#include "kymo-canvas-private.h"
#include "kymo-run-source.h"
#include "kymo-run-view-private.h"
#include "kymo-segment-builder.h"
#include "pictures.h"

#define N_PES 12
#define N_BLOCKS 20

static KymoSession *session;
static KymoRunView *view;
static GtkWidget *window;
static char *said;

/* -- the run -------------------------------------------------------------- */

/* Even PEs work long in entry 0, odd ones briefly in entry 1; the farther on,
   the longer. */
static KymoSegment *
make_segment (guint location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, 2);
  gint64 work = location % 2 == 0 ? 800000 + 1000 * location : 100000 + 1000 * location;
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (builder, 0);
  for (gint64 i = 0; i < N_BLOCKS; i++)
    {
      kymo_segment_builder_begin_block (builder, i * 1000000, location % 2, 0, -1, 0, NULL);
      kymo_segment_builder_end_block (builder, i * 1000000 + work);
    }
  kymo_segment_builder_touch (builder, N_BLOCKS * 1000000);
  segment = kymo_segment_builder_seal (builder, 2 * N_BLOCKS, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

static KymoRun *
make_run (guint n)
{
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("made");
  run->title = g_strdup ("made");
  kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 0, "long", NULL, NULL);
  kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 1, "brief", NULL, NULL);
  for (guint i = 0; i < n; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE };

      kymo_run_add_location (run, &location, make_segment (i));
    }
  run->n_locations_original = n;
  kymo_run_seal (run);
  return run;
}

/* -- the desk ------------------------------------------------------------- */

static void
on_message (KymoRunView *of, const char *message)
{
  g_free (said);
  said = g_strdup (message);
}

static void
show (KymoRun *run)
{
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");
  g_autoptr (KymoTable) info = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);

  session = kymo_session_new (KYMO_SOURCE (source));
  view = KYMO_RUN_VIEW (kymo_run_view_new (session, info));
  g_signal_connect (view, "message", G_CALLBACK (on_message), NULL);
  window = desk_present (GTK_WIDGET (view), 1100, 800);
}

static void
clear (void)
{
  g_clear_pointer (&said, g_free);
  gtk_window_destroy (GTK_WINDOW (window));
  g_clear_object (&session);
}

/* Until the pictures are those of this state of the session, or words came. */
static void
settle (gboolean by_class)
{
  gint64 end_us = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  do
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_main_context_iteration (NULL, TRUE);
    }
  while (!kymo_run_view_has_picture (view) || !kymo_run_view_is_settled (view)
         || (said == NULL && kymo_session_get_by_class (session) != by_class));
}

static KymoCanvas *
timeline (void)
{
  return view->canvases->pdata[0];
}

static gint64
location_of_row (guint row)
{
  KymoTable *rows = kymo_table_peek_nested (kymo_canvas_peek_answer (timeline ()), "rows", NULL);
  const guint *offsets;
  KymoTable *ids = kymo_table_peek_nested (rows, "locations", &offsets);

  g_assert_cmpuint (row, <, kymo_table_get_n_rows (rows));
  return kymo_table_get_int (ids, "location", offsets[row]);
}

/* -- tests ---------------------------------------------------------------- */

/* Clusters are asked for where there are none; rows and keys follow them. */
static void
test_order (void)
{
  g_autoptr (KymoRun) run = make_run (N_PES);
  gint64 location, time_ns;
  gint before = -1;

  show (run);
  settle (FALSE);
  for (guint row = 0; row < N_PES; row++)
    g_assert_cmpint (location_of_row (row), ==, row);
  kymo_run_view_set_by_class (view, TRUE);
  settle (TRUE);
  g_assert_null (said);
  g_assert_nonnull (kymo_session_peek_classes (session));
  for (guint row = 0; row < N_PES; row++)
    {
      gint cluster = kymo_classes_find (kymo_session_peek_classes (session), location_of_row (row));

      g_assert_cmpint (cluster, >=, MAX (before, 0));
      before = cluster;
    }
  g_assert_cmpint (before, >, 0);
  kymo_session_set_block (session, location_of_row (2), 500);
  desk_press (timeline (), GDK_KEY_Down, 0);
  g_assert_true (kymo_session_get_block (session, &location, &time_ns));
  g_assert_cmpint (location, ==, location_of_row (3));
  desk_press (timeline (), GDK_KEY_Up, 0);
  desk_press (timeline (), GDK_KEY_Up, 0);
  g_assert_true (kymo_session_get_block (session, &location, &time_ns));
  g_assert_cmpint (location, ==, location_of_row (1));
  kymo_run_view_set_by_class (view, FALSE);
  settle (FALSE);
  for (guint row = 0; row < N_PES; row++)
    g_assert_cmpint (location_of_row (row), ==, row);
  clear ();
}

/* The pointer is told the cluster, and a picture of it has its band. */
static void
test_words (void)
{
  g_autoptr (KymoRun) run = make_run (N_PES);
  const KymoPlotClass *klass = kymo_plot_find ("timeline");
  KymoPlotFrame frame;
  KymoPlotHit hit = { 0 };
  KymoRect area;

  show (run);
  kymo_run_view_set_by_class (view, TRUE);
  settle (TRUE);
  kymo_plot_frame_init (&frame, 900, 400, FALSE, kymo_session_peek_colors (session),
                        kymo_session_get_range (session));
  frame.classes = kymo_session_peek_classes (session);
  area = kymo_plot_frame_area (klass, &frame);
  g_assert_true (picture_hit (klass, kymo_canvas_peek_answer (timeline ()), &frame, 20,
                              area.y + 4, &hit));
  g_assert_true (g_str_has_prefix (hit.text, "Cluster 0 · PE "));
  g_assert_cmpint (hit.location, ==, location_of_row (0));
  kymo_plot_hit_clear (&hit);
  frame.classes = NULL;
  g_assert_true (picture_hit (klass, kymo_canvas_peek_answer (timeline ()), &frame, 20,
                              area.y + 4, &hit));
  g_assert_true (g_str_has_prefix (hit.text, "PE "));
  kymo_plot_hit_clear (&hit);
  clear ();
}

/* Two PEs of a hundred, the first stands for most of them. */
static KymoRun *
make_reduced (gboolean with_weights)
{
  const gint64 ids[] = { 0, 1 }, weights[] = { 97 * KYMO_WEIGHT_ONE, 3 * KYMO_WEIGHT_ONE };
  g_autoptr (KymoIdWeights) list = kymo_id_weights_new (ids, weights, 2);
  const KymoReductionError error = { 0, 1600000000, 1620000000 };
  KymoRun *run = make_run (2);

  run->kind = KYMO_RUN_REDUCED;
  run->n_locations_original = 100;
  if (!with_weights)
    return run;
  run->reduction = kymo_reduction_new (list);
  run->reduction->time_profile = 0.018;
  run->reduction->bars = 50;
  run->reduction->errors_span = run->span;
  g_array_append_val (run->reduction->errors, error);
  return run;
}

static const char *
pill (void)
{
  return kymo_reduction_pill_get_text (kymo_status_bar_get_pill (view->status));
}

static double
weight_of_row (guint row)
{
  KymoTable *rows = kymo_table_peek_nested (kymo_canvas_peek_answer (timeline ()), "rows", NULL);

  return kymo_table_find_column (rows, "weight") < 0 ? 0
    : kymo_table_get_double (rows, "weight", row);
}

/* What the time profile below the timeline adds up to. */
static gint64
profiled_ns (void)
{
  KymoTable *answer = kymo_canvas_peek_answer (view->canvases->pdata[1]);
  KymoTable *list = kymo_table_peek_nested (answer, "series", NULL);
  guint n = 0;
  const gint64 *ns = kymo_table_peek_ints (list, "ns", &n);
  gint64 sum = 0;

  for (guint i = 0; ns != NULL && i < n * kymo_table_get_n_rows (list); i++)
    sum += ns[i];
  return sum;
}

static void
test_extrapolated (void)
{
  g_autoptr (KymoRun) run = make_reduced (TRUE);
  gint64 before;

  show (run);
  settle (FALSE);
  g_assert_cmpstr (pill (), ==, "2 of 100 PEs");
  g_assert_cmpfloat (weight_of_row (0), ==, 0);
  before = profiled_ns ();
  g_assert_cmpint (before, >, 0);
  kymo_run_view_set_extrapolates (view, TRUE);
  g_assert_true (kymo_session_get_extrapolates (session));
  settle (FALSE);
  g_assert_null (said);
  g_assert_cmpstr (pill (), ==, "extrapolated, time profile within 1.8 %");
  g_assert_cmpfloat (weight_of_row (0), ==, 97);
  g_assert_cmpfloat (weight_of_row (1), ==, 3);
  /* 20 blocks of 0.8 ms 97 times, of 0.101 ms 3 times. */
  g_assert_cmpint (before, ==, 20 * 800000 + 20 * 101000);
  g_assert_cmpint (profiled_ns (), ==, 20 * 800000 * 97 + 20 * 101000 * 3);
  kymo_run_view_set_extrapolates (view, FALSE);
  settle (FALSE);
  g_assert_cmpstr (pill (), ==, "2 of 100 PEs");
  g_assert_cmpint (profiled_ns (), ==, before);
  clear ();
}

/* Reduced by the runtime: it is told, and why nothing can be extrapolated. */
static void
test_no_weights (void)
{
  g_autoptr (KymoRun) run = make_reduced (FALSE);

  show (run);
  settle (FALSE);
  g_assert_cmpstr (pill (), ==, "2 of 100 PEs");
  kymo_run_view_set_extrapolates (view, TRUE);
  g_assert_nonnull (said);
  g_assert_nonnull (strstr (said, "did not note"));
  g_assert_false (kymo_session_get_extrapolates (session));
  clear ();
}

/* A run that was read again is shown as before: by cluster, extrapolated. */
static void
test_read_again (void)
{
  g_autoptr (KymoRun) run = make_reduced (TRUE);
  g_autoptr (KymoSession) old_session = NULL;
  KymoRunView *old;
  GtkWidget *old_window;

  show (run);
  settle (FALSE);
  kymo_run_view_set_extrapolates (view, TRUE);
  kymo_run_view_set_by_class (view, TRUE);
  settle (TRUE);
  old = view;
  old_window = window;
  old_session = g_steal_pointer (&session);
  show (run);
  g_assert_false (kymo_session_get_extrapolates (session));
  kymo_run_view_take_wishes (view, old);
  gtk_window_destroy (GTK_WINDOW (old_window));
  settle (TRUE);
  g_assert_null (said);
  g_assert_true (kymo_session_get_extrapolates (session));
  g_assert_cmpstr (pill (), ==, "extrapolated, time profile within 1.8 %");
  clear ();
}

/* What cannot be had is said, and nothing changes. */
static void
test_reasons (void)
{
  g_autoptr (KymoRun) run = make_run (1);

  show (run);
  settle (FALSE);
  kymo_run_view_set_by_class (view, TRUE);
  g_assert_nonnull (said);
  g_assert_false (kymo_session_get_by_class (session));
  g_clear_pointer (&said, g_free);
  kymo_run_view_set_extrapolates (view, TRUE);
  g_assert_nonnull (said);
  g_assert_false (kymo_session_get_extrapolates (session));
  clear ();
}

/* Whether the status line has a label of these words that is to be seen. */
static gboolean
says (const char *words)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (view->status)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LABEL (child) && gtk_widget_get_visible (child)
        && g_str_equal (gtk_label_get_text (GTK_LABEL (child)), words))
      return TRUE;
  return FALSE;
}

/* A coarser picture that comes before the exact one is not called exact. */
static void
test_preview (void)
{
  g_autoptr (KymoRun) run = make_run (N_PES);
  g_autoptr (KymoTable) exact = NULL;
  g_autoptr (KymoTable) draft = NULL;
  g_autoptr (GVariant) copied = NULL;

  show (run);
  settle (FALSE);
  g_assert_true (says ("exact"));
  exact = kymo_table_ref (kymo_canvas_peek_answer (timeline ()));
  copied = g_variant_ref_sink (kymo_table_to_variant (exact, FALSE));
  draft = kymo_table_from_variant (copied, NULL);
  kymo_table_set_string (draft, "draft", "the whole answer is on its way");
  kymo_canvas_on_answer (draft, NULL, timeline ());
  g_assert_true (says ("preview…"));
  g_assert_false (says ("exact"));
  kymo_canvas_on_answer (exact, NULL, timeline ());
  g_assert_true (says ("exact"));
  clear ();
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/whole/order", test_order);
  g_test_add_func ("/whole/words", test_words);
  g_test_add_func ("/whole/extrapolated", test_extrapolated);
  g_test_add_func ("/whole/read-again", test_read_again);
  g_test_add_func ("/whole/no-weights", test_no_weights);
  g_test_add_func ("/whole/reasons", test_reasons);
  g_test_add_func ("/whole/preview", test_preview);
  return g_test_run ();
}
