/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-call-focus.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"

#define NONE KYMO_FOREST_ROOT
/* Callers of callers may be many more than there are nodes. */
#define MOST_NODES 1000000

/**
 * Maker:
 * @nodes: KymoForestNode of the tree in the making: the root, then each behind its parent
 * @children: node and function of a child -> its node
 * @minus: by node: inclusive figures of recursive calls below it
 */
typedef struct
{
  const KymoProfileLook *look;
  const KymoCallForest  *from;
  const char            *function;
  GArray                *nodes;
  GHashTable            *children;
  GArray                *minus;
  double                 uncalled;
  guint                  steps;
  gboolean               stopped;
} Maker;

static KymoForestNode *
node_at (const Maker *m,
         guint32      node)
{
  return &g_array_index (m->nodes, KymoForestNode, node);
}

static const KymoForestNode *
from_at (const Maker *m,
         guint32      node)
{
  return &g_array_index (m->from->nodes, KymoForestNode, node);
}

/* The function that a node is a call of. */
static guint32
function_of (const Maker *m,
             guint32      node)
{
  const KymoProfileEvent *event = kymo_profile_look_event (m->look, from_at (m, node)->event);

  return event->flags & KYMO_PROFILE_PATH
    ? ((const guint32 *) m->look->data->parts->data)[event->first_part + event->n_parts - 1]
    : from_at (m, node)->event;
}

static gboolean
is_function (const Maker *m,
             guint32      node)
{
  return strcmp (kymo_profile_look_event (m->look, from_at (m, node)->event)->shown,
                 m->function) == 0;
}

static guint32
add_node (Maker   *m,
          guint32  event,
          guint32  parent)
{
  KymoForestNode node = { event, parent, parent == NONE ? 0 : node_at (m, parent)->depth + 1,
                          TRUE };
  double none = 0;

  node.values.has = TRUE;
  g_array_append_val (m->nodes, node);
  g_array_append_val (m->minus, none);
  return m->nodes->len - 1;
}

/* The node below `parent` for the function of a node of the tree; NONE for one too many. */
static guint32
find_child (Maker   *m,
            guint32  parent,
            guint32  node)
{
  gint64 key = (gint64) parent << 32 | function_of (m, node);
  gpointer found;
  guint32 child;

  if (g_hash_table_lookup_extended (m->children, &key, NULL, &found))
    return GPOINTER_TO_UINT (found);
  if (m->nodes->len >= MOST_NODES)
    return NONE;
  child = add_node (m, from_at (m, node)->event, parent);
  g_hash_table_insert (m->children, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (child));
  return child;
}

static void
start_tree (Maker   *m,
            guint32  event)
{
  m->nodes = g_array_new (FALSE, FALSE, sizeof (KymoForestNode));
  m->minus = g_array_new (FALSE, FALSE, sizeof (double));
  m->children = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  add_node (m, event, NONE);
}

static void
clear_tree (Maker *m)
{
  g_array_unref (m->nodes);
  g_array_unref (m->minus);
  g_hash_table_unref (m->children);
}

static gboolean
is_stopped (Maker *m)
{
  m->stopped = m->stopped || kymo_ask_is_stopped (m->look->ask, m->steps++);
  return m->stopped;
}

/* -- what it calls -------------------------------------------------------------- */

static void
add_values (KymoThreadValues       *sums,
            const KymoThreadValues *values)
{
  sums->calls += values->calls;
  sums->subroutines += values->subroutines;
  sums->exclusive += values->exclusive;
}

/* Takes the figures of recursive calls from the nodes between them and the calls around them. */
static void
take_recursion_away (Maker *m)
{
  double *minus = (double *) m->minus->data;

  for (guint i = m->nodes->len; i-- > 1;)
    {
      node_at (m, i)->values.inclusive -= minus[i];
      minus[node_at (m, i)->parent] += minus[i];
    }
}

/* `place`: by node of the whole tree, its node of this one, or NONE outside. */
static gboolean
add_callees (Maker   *m,
             guint32 *place)
{
  for (guint32 i = 0; i < m->from->nodes->len && !is_stopped (m); i++)
    {
      const KymoForestNode *from = from_at (m, i);
      guint32 above = from->parent != NONE ? place[from->parent] : NONE;

      place[i] = is_function (m, i) ? 0 : above == NONE ? NONE : find_child (m, above, i);
      if (place[i] == NONE && above != NONE)
        return FALSE;
      if (place[i] == NONE)
        continue;
      add_values (&node_at (m, place[i])->values, &from->values);
      if (place[i] != 0 || above == NONE)
        node_at (m, place[i])->values.inclusive += from->values.inclusive;
      else
        g_array_index (m->minus, double, above) += from->values.inclusive;
    }
  take_recursion_away (m);
  return TRUE;
}

/* -- who calls it --------------------------------------------------------------- */

static void
add_call (Maker                *m,
          guint32               node,
          const KymoForestNode *call)
{
  KymoForestNode *to = node_at (m, node);

  to->values.calls += call->values.calls;
  to->values.inclusive += call->values.inclusive;
  to->values.exclusive = to->values.subroutines = NAN;
}

static gboolean
add_callers (Maker         *m,
             const guint32 *place)
{
  for (guint32 i = 0; i < m->from->nodes->len && !is_stopped (m); i++)
    {
      const KymoForestNode *call = from_at (m, i);
      guint32 at = 0;

      if (place[i] != 0 || (call->parent != NONE && place[call->parent] != NONE))
        continue;
      add_call (m, 0, call);
      if (call->parent == NONE)
        m->uncalled += call->values.inclusive;
      for (guint32 up = call->parent; up != NONE && !is_stopped (m); up = from_at (m, up)->parent)
        {
          at = find_child (m, at, up);
          if (at == NONE)
            return FALSE;
          add_call (m, at, call);
        }
    }
  return TRUE;
}

/* -- order ---------------------------------------------------------------------- */

static int
compare_nodes (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const Maker *m = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;
  double x = node_at (m, i)->values.inclusive, y = node_at (m, k)->values.inclusive;

  if (x != y)
    return x < y ? -1 : 1;
  return i > k ? -1 : i < k;
}

/* By node: where its children begin in the list; they are in order, the largest last. */
static guint32 *
list_children (const Maker *m,
               guint       *first)
{
  guint n = m->nodes->len;
  guint32 *list = g_new (guint32, n);
  g_autofree guint *at = NULL;

  for (guint i = 1; i < n; i++)
    first[node_at (m, i)->parent + 1]++;
  for (guint i = 0; i < n; i++)
    first[i + 1] += first[i];
  at = g_memdup2 (first, (n + 1) * sizeof (guint));
  for (guint i = 1; i < n; i++)
    list[at[node_at (m, i)->parent]++] = i;
  for (guint i = 0; i < n; i++)
    g_qsort_with_data (list + first[i], first[i + 1] - first[i], sizeof (guint32), compare_nodes,
                       (gpointer) m);
  return list;
}

/* Appends the tree in the order of a walk, children by inclusive figures. */
static void
emit_tree (const Maker *m,
           guint        most_depth,
           GArray      *nodes)
{
  g_autofree guint *first = g_new0 (guint, m->nodes->len + 1);
  g_autofree guint32 *list = list_children (m, first);
  g_autofree guint32 *place = g_new (guint32, m->nodes->len);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 node = 0;

  g_array_append_val (stack, node);
  while (stack->len > 0)
    {
      KymoForestNode copy;

      node = g_array_index (stack, guint32, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      copy = *node_at (m, node);
      if (copy.parent != NONE)
        copy.parent = place[copy.parent];
      place[node] = nodes->len;
      g_array_append_val (nodes, copy);
      if (copy.depth + 1 < most_depth)
        g_array_append_vals (stack, list + first[node], first[node + 1] - first[node]);
    }
}

static guint32
find_function (const Maker *m)
{
  for (guint32 i = 0; i < m->from->nodes->len; i++)
    if (is_function (m, i))
      return i;
  return NONE;
}

/**
 * kymo_call_focus_new:
 * @forest: the whole tree, of figures that add up
 * @function: as it is shown
 * @most_depth: nodes deeper than that are left out; 1 = the function alone
 *
 * Returns: (transfer full) (nullable): callers and callees of the function, summed over all
 *   its places; %NULL and an error where the tree has no such function
 */
KymoCallFocus *
kymo_call_focus_new (const KymoProfileLook *look,
                     const KymoCallForest  *forest,
                     const char            *function,
                     guint                  most_depth,
                     GError               **error)
{
  Maker m = { .look = look, .from = forest, .function = function };
  g_autofree guint32 *place = g_new (guint32, MAX (forest->nodes->len, 1));
  guint32 found = find_function (&m);
  KymoCallFocus *focus;
  gboolean fits;

  if (found == NONE)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("There is no call of “%s” here"), function);
      return NULL;
    }
  focus = g_new0 (KymoCallFocus, 1);
  focus->forest = g_new0 (KymoCallForest, 1);
  *focus->forest = *forest;
  focus->forest->nodes = g_array_new (FALSE, FALSE, sizeof (KymoForestNode));
  start_tree (&m, from_at (&m, found)->event);
  fits = add_callees (&m, place);
  emit_tree (&m, most_depth, focus->forest->nodes);
  focus->n_callees = focus->forest->nodes->len;
  clear_tree (&m);
  start_tree (&m, from_at (&m, found)->event);
  fits = fits && add_callers (&m, place);
  emit_tree (&m, most_depth, focus->forest->nodes);
  clear_tree (&m);
  focus->uncalled = m.uncalled;
  if (fits)
    return focus;
  kymo_call_focus_free (focus);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("“%s” is called in more ways than can be shown"), function);
  return NULL;
}

/**
 * kymo_call_focus_free:
 *
 * Frees both trees.
 */
void
kymo_call_focus_free (KymoCallFocus *focus)
{
  kymo_call_forest_free (focus->forest);
  g_free (focus);
}
