/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-call-tree.h.
 */
#include "config.h"

#include "kymo-call-tree.h"
#include "kymo-in-terms.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-plot-terms.h"
#include "kymo-units.h"

/* Parts of a path that the pointer is told; the rest of a deep one is left out. */
#define MOST_PARTS 6

static void
find_parents (KymoCallTree *tree)
{
  const gint64 *parents = kymo_table_peek_ints (tree->nodes, "parent", NULL);

  for (guint i = 0; i < tree->n; i++)
    {
      gboolean child = parents != NULL && parents[i] >= 0 && parents[i] < i;

      tree->parent[i] = child ? (gint) parents[i] : -1;
      tree->depth[i] = child ? tree->depth[parents[i]] + 1 : 0;
      tree->levels = MAX (tree->levels, tree->depth[i] + 1);
    }
}

/* From the last node to the first: children before their parents. */
static void
find_extents (KymoCallTree *tree)
{
  for (guint i = 0; i < tree->n; i++)
    {
      tree->end[i] = i + 1;
      tree->extent[i] = 0;
    }
  for (guint i = tree->n; i-- > 0;)
    {
      gint parent = tree->parent[i];
      double own = isfinite (tree->inclusive[i]) ? MAX (tree->inclusive[i], 0) : 0;

      tree->extent[i] = MAX (tree->extent[i], own);
      if (parent < 0)
        tree->total = i < tree->callers ? tree->total + tree->extent[i] : tree->total;
      else
        {
          tree->extent[parent] += tree->extent[i];
          tree->end[parent] = MAX (tree->end[parent], tree->end[i]);
        }
    }
}

static void
find_places (KymoCallTree *tree)
{
  g_autofree double *next = g_new0 (double, tree->n);
  double root = 0;

  for (guint i = 0; i < tree->n; i++)
    {
      double *at = tree->parent[i] < 0 ? &root : &next[tree->parent[i]];

      /* Who calls a function stands over what it calls. */
      if (i == tree->callers)
        root = 0;
      tree->begin[i] = next[i] = *at;
      *at += tree->extent[i];
    }
}

static guint
find_callers (const KymoTable *nodes, guint n)
{
  guint i = 0;

  if (kymo_table_find_column (nodes, "side") < 0)
    return n;
  while (i < n && g_strcmp0 (kymo_table_get_string (nodes, "side", i), "callers") != 0)
    i++;
  return i;
}

/**
 * kymo_call_tree_init:
 * @answer: an answer of kind calltree
 */
gboolean
kymo_call_tree_init (KymoCallTree *tree, const KymoTable *answer, const KymoPlotFrame *frame)
{
  *tree = (KymoCallTree) { .nodes = kymo_table_peek_nested (answer, "nodes", NULL) };
  tree->n = tree->nodes != NULL ? kymo_table_get_n_rows (tree->nodes) : 0;
  if (tree->n == 0)
    return FALSE;
  tree->callers = find_callers (tree->nodes, tree->n);
  tree->inclusive = kymo_table_peek_doubles (tree->nodes, "inclusive", NULL);
  tree->exclusive = kymo_table_peek_doubles (tree->nodes, "exclusive", NULL);
  tree->calls = kymo_table_peek_doubles (tree->nodes, "calls", NULL);
  if (tree->inclusive == NULL || tree->exclusive == NULL)
    return FALSE;
  tree->parent = g_new (gint, tree->n);
  tree->depth = g_new (guint, tree->n);
  tree->end = g_new (guint, tree->n);
  tree->begin = g_new (double, tree->n);
  tree->extent = g_new (double, tree->n);
  kymo_measure_init (&tree->inclusive_words, answer, frame, "inclusive");
  kymo_measure_init (&tree->exclusive_words, answer, frame, "exclusive");
  find_parents (tree);
  find_extents (tree);
  find_places (tree);
  /* What does not add up has no whole, and no shares of it. */
  if (kymo_table_find_column (answer, "additive") >= 0
      && !kymo_table_get_bool (answer, "additive", 0))
    tree->total = NAN;
  return TRUE;
}

/**
 * kymo_call_tree_clear:
 *
 * Frees the memory of kymo_call_tree_init(), due also where it returned %FALSE. The answer stays.
 */
void
kymo_call_tree_clear (KymoCallTree *tree)
{
  g_clear_pointer (&tree->parent, g_free);
  g_clear_pointer (&tree->depth, g_free);
  g_clear_pointer (&tree->end, g_free);
  g_clear_pointer (&tree->begin, g_free);
  g_clear_pointer (&tree->extent, g_free);
}

/**
 * kymo_call_tree_name:
 *
 * Returns: (transfer none): the node's name, of the answer; "" where it has none
 */
const char *
kymo_call_tree_name (const KymoCallTree *tree, guint node)
{
  const char *name = kymo_table_get_string (tree->nodes, "name", node);

  return name != NULL ? name : "";
}

/**
 * kymo_call_tree_kind:
 *
 * Returns: how the node is painted
 */
KymoActivityKind
kymo_call_tree_kind (const KymoCallTree *tree, guint node)
{
  return kymo_activity_kind (kymo_table_get_string (tree->nodes, "kind", node));
}

/** kymo_call_tree_flags: (nullable): */
const char *
kymo_call_tree_flags (const KymoCallTree *tree, guint node)
{
  return kymo_table_find_column (tree->nodes, "flags") >= 0
         ? kymo_table_get_string (tree->nodes, "flags", node) : NULL;
}

/* The last `most` parts of a path; "…" stands for those before. */
static char *
dup_parts (const KymoCallTree *tree, guint node, guint most)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  GString *path;

  for (gint i = node; i >= 0 && parts->len < most; i = tree->parent[i])
    g_ptr_array_add (parts, (gpointer) kymo_call_tree_name (tree, i));
  path = g_string_new (tree->depth[node] + 1 > most ? "…" KYMO_TREE_PATH : "");
  for (guint i = parts->len; i-- > 0;)
    g_string_append_printf (path, "%s%s", (char *) parts->pdata[i],
                            i > 0 ? KYMO_TREE_PATH : "");
  return g_string_free (path, FALSE);
}

/**
 * kymo_call_tree_dup_path:
 *
 * Returns: (transfer full): the names from the root to @node, divided by %KYMO_TREE_PATH
 */
char *
kymo_call_tree_dup_path (const KymoCallTree *tree, guint node)
{
  return dup_parts (tree, node, G_MAXUINT);
}

/* Whether `path` goes on with the node's name; then it moves behind it. */
static gboolean
goes_through (const KymoCallTree *tree, guint node, const char **path)
{
  const char *name = kymo_call_tree_name (tree, node);
  gsize length = strlen (name);

  if (strncmp (*path, name, length) != 0)
    return FALSE;
  if ((*path)[length] == 0)
    *path += length;
  else if (g_str_has_prefix (*path + length, KYMO_TREE_PATH))
    *path += length + strlen (KYMO_TREE_PATH);
  else
    return FALSE;
  return TRUE;
}

/**
 * kymo_call_tree_find:
 * @path: (nullable): as kymo_call_tree_dup_path() gives it
 *
 * Returns: the first node of this path; %G_MAXUINT where there is none and for %NULL
 */
guint
kymo_call_tree_find (const KymoCallTree *tree, const char *path)
{
  guint node = 0, end = tree->n;

  while (path != NULL && node < end)
    {
      if (!goes_through (tree, node, &path))
        node = tree->end[node];
      else if (*path == 0)
        return node;
      else
        {
          end = tree->end[node];
          node++;
        }
    }
  return G_MAXUINT;
}

/**
 * kymo_call_tree_describe:
 * @hit: initialized; name, path and text are set, its other fields stay
 *
 * Puts the node's name, path and figures into @hit, in translated words.
 */
void
kymo_call_tree_describe (const KymoCallTree *tree, guint node, KymoPlotHit *hit)
{
  g_autofree char *path = dup_parts (tree, node, MOST_PARTS);
  g_autofree char *inclusive = kymo_measure_exact (&tree->inclusive_words,
                                                   tree->inclusive[node]);
  g_autofree char *exclusive = kymo_measure_exact (&tree->exclusive_words,
                                                   tree->exclusive[node]);
  g_autofree char *share = kymo_format_percent (tree->total > 0 ? tree->inclusive[node]
                                                                  / tree->total : NAN);
  GString *text = g_string_new (kymo_call_tree_name (tree, node));

  g_string_append_printf (text, _("\ninclusive %s (%s)\nexclusive %s"), inclusive, share,
                          exclusive);
  if (tree->calls != NULL)
    {
      g_autofree char *calls = kymo_words_calls (tree->calls[node]);

      g_string_append_printf (text, "\n%s", calls);
    }
  if (tree->depth[node] > 0)
    g_string_append_printf (text, "\n%s", path);
  hit->name = g_strdup (kymo_call_tree_name (tree, node));
  hit->path = kymo_call_tree_dup_path (tree, node);
  hit->text = g_string_free (text, FALSE);
  kymo_flags_add (&hit->text, kymo_call_tree_flags (tree, node));
}
