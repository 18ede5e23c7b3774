/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of call trees and call graphs, of made answers: nodes lie where their paths say, and
 * boxes of a graph do not cover each other.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-call-graph.h"
#include "kymo-call-tree.h"
#include "kymo-measure.h"
#include "made-frames.h"
#include "made_profiles.h"
#include "pictures.h"

/* -- call trees --------------------------------------------------------------- */

static void
test_call_tree (void)
{
  g_autoptr (KymoTable) answer = made_call_tree (500, 12);
  KymoPlotFrame frame = made_frame (1000, 500);
  KymoCallTree tree;

  g_assert_true (kymo_call_tree_init (&tree, answer, &frame));
  for (guint i = 0; i < tree.n; i++)
    {
      g_autofree char *path = kymo_call_tree_dup_path (&tree, i), *again = NULL;
      guint found = kymo_call_tree_find (&tree, path);
      double children = 0;

      g_assert_cmpuint (found, <=, i);
      again = kymo_call_tree_dup_path (&tree, found);
      g_assert_cmpstr (again, ==, path);
      /* Children lie side by side within their parent. */
      for (guint c = i + 1; c < tree.end[i]; c = tree.end[c])
        {
          g_assert_cmpint (tree.parent[c], ==, i);
          g_assert_cmpfloat (fabs (tree.begin[c] - tree.begin[i] - children), <, 1e-3);
          children += tree.extent[c];
        }
      g_assert_cmpfloat (children, <=, tree.extent[i] * (1 + 1e-9));
    }
  g_assert_cmpuint (kymo_call_tree_find (&tree, ".TAU application => no such"), ==, G_MAXUINT);
  g_assert_cmpuint (kymo_call_tree_find (&tree, ".TAU"), ==, G_MAXUINT);
  g_assert_cmpuint (kymo_call_tree_find (&tree, ""), ==, G_MAXUINT);
  kymo_call_tree_clear (&tree);
}

static void
test_icicle (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("icicle");
  g_autoptr (KymoTable) answer = made_call_tree (300, 8);
  KymoPlotFrame frame = made_frame (1000, 500);
  KymoRect area = kymo_plot_frame_area (klass, &frame);
  g_autofree char *path = NULL;
  KymoPlotHit hit;

  /* The widest on the third level is given all of the width. */
  for (double x = area.x + 1; x < area.x + area.width; x += 3)
    if (picture_hit (klass, answer, &frame, x, area.y + 60, &hit))
      {
        if (hit.rect.width > 40 && path == NULL)
          path = g_strdup (hit.path);
        kymo_plot_hit_clear (&hit);
      }
  g_assert_nonnull (path);
  frame.focus = path;
  for (double x = area.x + 1; x < area.x + area.width; x += 37)
    {
      g_assert_true (picture_hit (klass, answer, &frame, x, area.y + 60, &hit));
      g_assert_cmpstr (hit.path, ==, path);
      g_assert_cmpfloat (fabs (hit.rect.width - area.width), <, 0.01);
      kymo_plot_hit_clear (&hit);
      g_assert_true (picture_hit (klass, answer, &frame, x, area.y + 2, &hit));
      g_assert_cmpstr (hit.path, ==, ".TAU application");
      kymo_plot_hit_clear (&hit);
    }
}

/* Lines of the picture are nodes in the order of the walk, callers before what they
   call, and no node that is left out has more than one that is shown. */
static void
test_call_tree_lines (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("calltree");
  g_autoptr (KymoTable) answer = made_call_tree (400, 9);
  g_autoptr (GHashTable) shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  KymoPlotFrame frame = made_frame (1000, 500);
  KymoRect area = kymo_plot_frame_area (klass, &frame);
  guint n = 0;

  for (double y = area.y; y < area.y + area.height; y += 1)
    {
      KymoPlotHit hit;

      if (!picture_hit (klass, answer, &frame, area.x + 4, y, &hit))
        continue;
      if (!g_hash_table_contains (shown, hit.path))
        {
          g_autofree char *caller = g_strdup (hit.path);
          char *last = g_strrstr (caller, KYMO_TREE_PATH);

          if (last != NULL)
            *last = 0;
          g_assert_true (last == NULL || g_hash_table_contains (shown, caller));
          g_hash_table_add (shown, g_strdup (hit.path));
          n++;
        }
      kymo_plot_hit_clear (&hit);
    }
  g_assert_cmpuint (n, >, 12);
}

/* -- call graphs --------------------------------------------------------------- */

static void
test_call_graph (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("call-graph");

  for (guint n = 1; n < 2000; n = n * 2 + 3)
    {
      g_autoptr (KymoTable) answer = made_call_graph (n, 1 + n % 9);
      KymoPlotFrame frame = made_frame (1000, 500);
      KymoCallGraph graph;

      g_assert_true (kymo_call_graph_init (&graph, answer, &frame));
      g_assert_cmpuint (graph.n_boxes + graph.n_left_out, ==, n);
      for (guint i = 0; i < graph.n_boxes; i++)
        {
          KymoRect a = kymo_call_graph_rect (&graph, i);
          KymoPlotHit hit;

          g_assert_cmpfloat (a.x, >=, graph.area.x - 0.5);
          g_assert_cmpfloat (a.x + a.width, <=, graph.area.x + graph.area.width + 0.5);
          g_assert_cmpfloat (a.y + a.height, <=, graph.area.y + graph.area.height + 0.5);
          for (guint k = 0; k < i; k++)
            {
              KymoRect b = kymo_call_graph_rect (&graph, k);

              g_assert_true (a.x + a.width <= b.x + 0.01 || b.x + b.width <= a.x + 0.01
                             || a.y + a.height <= b.y || b.y + b.height <= a.y);
            }
          g_assert_true (picture_hit (klass, answer, &frame, a.x + a.width / 2, a.y + a.height / 2,
                                      &hit));
          g_assert_cmpstr (hit.name, ==, kymo_call_graph_name (&graph, i));
          kymo_plot_hit_clear (&hit);
        }
      for (guint i = 0; i < graph.n_lines; i++)
        {
          KymoCallCurve c = kymo_call_graph_curve (&graph, i);

          g_assert_true (kymo_call_graph_is_near (&graph, i, c.x[0], c.y[0]));
          g_assert_true (kymo_call_graph_is_near (&graph, i, c.x[3], c.y[3]));
          g_assert_false (kymo_call_graph_is_near (&graph, i, -900, c.y[3]));
        }
      kymo_call_graph_clear (&graph);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/call-plots/call-tree", test_call_tree);
  g_test_add_func ("/call-plots/icicle", test_icicle);
  g_test_add_func ("/call-plots/call-tree-lines", test_call_tree_lines);
  g_test_add_func ("/call-plots/call-graph", test_call_graph);
  return g_test_run ();
}
