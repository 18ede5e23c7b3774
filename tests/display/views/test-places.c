/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of machines, nodes and processes: what is chosen there is shown.
 */
#include "config.h"

#include <gtk/gtk.h>

#include "kymo-place-tree.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

static KymoSegment *
make_segment (guint location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, 1);
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (builder, 0);
  kymo_segment_builder_begin_block (builder, 0, 0, -1, -1, 0, NULL);
  kymo_segment_builder_touch (builder, 100);
  kymo_segment_builder_end_block (builder, 100);
  segment = kymo_segment_builder_seal (builder, 2, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

/* Two nodes on a machine, each with two processes; one process has two threads. A
   location more is a second thread of the second process. */
static KymoRun *
make_run (gboolean with_places,
          guint    n_locations)
{
  static const gint64 of_location[] = { 3, 3, 4, 5, 6, 4 };
  static const char *const processes[] = { "process 0", "process 1", "process 2", "process 3" };
  KymoRun *run = kymo_run_new ();

  run->title = g_strdup ("places");
  run->path = g_strdup ("places");
  run->format = g_strdup ("made");
  run->terms = (KymoTerms) { KYMO_ROW_THREAD, KYMO_CODE_FUNCTION };
  kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, 0, "main", NULL, NULL);
  if (with_places)
    {
      kymo_run_add_place (run, "machine", "cluster", -1);
      kymo_run_add_place (run, "node", "node 0", 0);
      kymo_run_add_place (run, "node", "node 1", 0);
      for (guint i = 0; i < 4; i++)
        kymo_run_add_place (run, "process", processes[i], 1 + i / 2);
    }
  for (guint i = 0; i < n_locations; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("thread %u", i), .kept = TRUE,
                                .process = i, .place = of_location[i] };

      kymo_run_add_location (run, &location, make_segment (i));
    }
  kymo_run_seal (run);
  return run;
}

static void
settle (void)
{
  for (guint i = 0; i < 40; i++)
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_usleep (5000);
    }
}

static KymoSession *
make_session (gboolean with_places)
{
  g_autoptr (KymoRun) run = make_run (with_places, 5);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);

  return kymo_session_new (KYMO_SOURCE (source));
}

static char *
shown (KymoSession *session)
{
  KymoIdSet *set = kymo_session_peek_locations (session);

  return set != NULL ? kymo_id_set_to_text (set) : g_strdup ("all");
}

static void
assert_shown (KymoSession *session,
              const char  *expected)
{
  g_autofree char *text = shown (session);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_choose (void)
{
  g_autoptr (KymoSession) session = make_session (TRUE);
  GtkWidget *tree = g_object_ref_sink (kymo_place_tree_new (session));
  GtkSelectionModel *rows = kymo_place_tree_peek_selection (KYMO_PLACE_TREE (tree));

  settle ();
  g_assert_true (gtk_widget_get_visible (tree));
  /* cluster, node 0, process 0, node 1: processes with one thread are that thread. */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 4);
  gtk_selection_model_select_item (rows, 1, TRUE);
  assert_shown (session, "0-2");
  gtk_selection_model_select_item (rows, 2, FALSE);
  assert_shown (session, "0-2");
  gtk_selection_model_select_item (rows, 3, TRUE);
  assert_shown (session, "3-4");
  gtk_selection_model_unselect_all (rows);
  assert_shown (session, "all");
  g_object_unref (tree);
}

/* What is chosen elsewhere is no whole place. */
static void
test_elsewhere (void)
{
  static const gint64 ids[] = { 1, 4 };
  g_autoptr (KymoSession) session = make_session (TRUE);
  g_autoptr (KymoIdSet) set = kymo_id_set_new_list (ids, G_N_ELEMENTS (ids));
  g_autoptr (GtkBitset) chosen = NULL;
  GtkWidget *tree = g_object_ref_sink (kymo_place_tree_new (session));
  GtkSelectionModel *rows = kymo_place_tree_peek_selection (KYMO_PLACE_TREE (tree));

  settle ();
  gtk_selection_model_select_item (rows, 2, TRUE);
  assert_shown (session, "0-1");
  kymo_session_set_locations (session, set);
  chosen = gtk_selection_model_get_selection (rows);
  g_assert_true (gtk_bitset_is_empty (chosen));
  assert_shown (session, "1,4");
  g_object_unref (tree);
}

static void
set_run (KymoSession *session,
         guint        n_locations)
{
  g_autoptr (KymoRun) run = make_run (TRUE, n_locations);

  kymo_run_source_set_run (KYMO_RUN_SOURCE (kymo_session_peek_source (session)), run);
  settle ();
}

/* What is folded and chosen stays so, and what is new in it is shown with it. */
static void
test_grown (void)
{
  g_autoptr (KymoSession) session = make_session (TRUE);
  GtkWidget *tree = g_object_ref_sink (kymo_place_tree_new (session));
  GtkSelectionModel *rows = kymo_place_tree_peek_selection (KYMO_PLACE_TREE (tree));
  g_autoptr (GtkTreeListRow) node = NULL, same = NULL;

  settle ();
  node = g_list_model_get_item (G_LIST_MODEL (rows), 1);
  gtk_tree_list_row_set_expanded (node, FALSE);
  gtk_selection_model_select_item (rows, 1, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 3);
  set_run (session, 5);
  same = g_list_model_get_item (G_LIST_MODEL (rows), 1);
  g_assert_true (same == node);
  assert_shown (session, "0-2");

  set_run (session, 6);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 3);
  g_assert_true (gtk_selection_model_is_selected (rows, 1));
  g_assert_false (gtk_selection_model_is_selected (rows, 0));
  assert_shown (session, "0-2,5");
  g_object_unref (tree);
}

static void
test_none (void)
{
  g_autoptr (KymoSession) session = make_session (FALSE);
  GtkWidget *tree = g_object_ref_sink (kymo_place_tree_new (session));

  settle ();
  g_assert_false (gtk_widget_get_visible (tree));
  g_object_unref (tree);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  g_test_add_func ("/places/choose", test_choose);
  g_test_add_func ("/places/elsewhere", test_elsewhere);
  g_test_add_func ("/places/grown", test_grown);
  g_test_add_func ("/places/none", test_none);
  return g_test_run ();
}
