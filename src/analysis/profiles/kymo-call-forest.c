/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-call-forest.h"

#include <math.h>
#include <string.h>

#define NONE G_MAXUINT32

/* A node before it has its place. */
typedef struct
{
  guint32          event;
  guint32          parent;      /* raw node, NONE = a root */
  gboolean         known;
  gboolean         shown;
  KymoThreadValues values;
} Raw;

typedef struct
{
  const KymoProfileLook   *look;
  const KymoThreadFigures *thread;
  GArray                  *raw;         /* Raw */
  GArray                  *above;       /* guint32: of each, itself or one nearer to its root */
  guint32                 *node_of;     /* by event: raw node, or NONE */
  GHashTable              *chains;      /* node above and part -> raw node */
  KymoCallForest          *forest;
} Maker;

static Raw *
raw_at (Maker   *m,
        guint32  node)
{
  return &g_array_index (m->raw, Raw, node);
}

static const guint32 *
parts_of (const Maker            *m,
          const KymoProfileEvent *event)
{
  return (const guint32 *) m->look->data->parts->data + event->first_part;
}

static gboolean
is_path (const KymoProfileEvent *event)
{
  return event->flags & KYMO_PROFILE_PATH;
}

static guint32
add_raw (Maker            *m,
         guint32           event,
         gboolean          known,
         KymoThreadValues  values)
{
  Raw raw = { event, NONE, known, FALSE, values };

  g_array_append_val (m->above, m->raw->len);
  g_array_append_val (m->raw, raw);
  return m->raw->len - 1;
}

/* -- roots ------------------------------------------------------------------ */

/* Figures of functions beyond the paths that end in them; a path of a single function is the
   function itself as a root. */
static void
take_paths_away (Maker            *m,
                 KymoThreadValues *left,
                 gboolean         *ends,
                 gboolean         *rooted)
{
  guint n = m->look->data->events->len;

  for (guint e = 0; e < n; e++)
    left[e] = m->thread->values[e];
  for (guint e = 0; e < n; e++)
    {
      const KymoProfileEvent *event = kymo_profile_look_event (m->look, e);
      const KymoThreadValues *values = &m->thread->values[e];
      guint32 function;

      if (!is_path (event))
        continue;
      m->forest->has_paths = TRUE;
      m->forest->cut |= (event->flags & KYMO_PROFILE_CUT) != 0;
      *rooted |= event->n_parts == 1;
      function = parts_of (m, event)[event->n_parts - 1];
      if (!values->has)
        continue;
      ends[function] = TRUE;
      left[function].calls -= values->calls;
      left[function].subroutines -= values->subroutines;
      left[function].exclusive -= values->exclusive;
      left[function].inclusive = 0;
    }
}

/* TRUE if more is left than sums of fractions lose. A negative rest, of files that contradict
   themselves, counts as nothing. */
static gboolean
is_something (const KymoThreadValues *left,
              const KymoThreadValues *of)
{
  return left->calls > 1e-6 * fabs (of->calls)
    || left->exclusive > 1e-9 * fabs (of->exclusive);
}

/* Functions without a caller. Inclusive figures of those that are also called are
   made of what is below them, in the end. */
static void
add_roots (Maker *m)
{
  guint n = m->look->data->events->len;
  g_autofree KymoThreadValues *left = g_new (KymoThreadValues, MAX (n, 1));
  g_autofree gboolean *ends = g_new0 (gboolean, MAX (n, 1));
  gboolean rooted = FALSE;

  take_paths_away (m, left, ends, &rooted);
  for (guint32 e = 0; e < n; e++)
    {
      const KymoProfileEvent *event = kymo_profile_look_event (m->look, e);
      gboolean outside = strcmp (kymo_profile_event_kind (event), "function") != 0
        && !(event->flags & KYMO_PROFILE_PHASE);

      if (is_path (event) || !m->thread->values[e].has)
        continue;
      if (!ends[e])
        {
          if (!rooted || outside)
            m->node_of[e] = add_raw (m, e, TRUE, m->thread->values[e]);
        }
      else if (m->thread->is_linear && !rooted && is_something (&left[e], &m->thread->values[e]))
        {
          left[e].inclusive = NAN;
          m->node_of[e] = add_raw (m, e, TRUE, left[e]);
        }
    }
}

/* -- paths ------------------------------------------------------------------ */

static void
add_paths (Maker *m)
{
  for (guint32 e = 0; e < m->look->data->events->len; e++)
    {
      const KymoProfileEvent *event = kymo_profile_look_event (m->look, e);

      if (is_path (event) && m->thread->values[e].has)
        m->node_of[e] = add_raw (m, e, TRUE, m->thread->values[e]);
    }
}

static GBytes *
key_of (const guint32 *parts,
        guint          n)
{
  return g_bytes_new (parts, n * sizeof (guint32));
}

/* A path that goes on as it began calls itself for ever: it is not what called it. */
static gboolean
repeats (const guint32 *parts,
         guint          n)
{
  return memcmp (parts, parts + 1, (n - 1) * sizeof (guint32)) == 0;
}

/* By the last n - 1 parts of paths of n, and by all parts of whole ones: the node that
   ends so, plus 1; 0 where there are several. */
static GHashTable *
index_ends (Maker *m)
{
  GHashTable *ends =
    g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);

  for (guint32 i = 0; i < m->raw->len; i++)
    {
      const KymoProfileEvent *event = kymo_profile_look_event (m->look, raw_at (m, i)->event);
      const guint32 *parts = is_path (event) ? parts_of (m, event) : &raw_at (m, i)->event;
      guint lengths[] = { event->n_parts, event->n_parts - 1 };

      /* A path that is whole may be the begin of one that was cut elsewhere. */
      for (guint k = 0; k < 2; k++)
        {
          GBytes *key;
          gpointer known;

          if (lengths[k] == 0 || (k == 1 && repeats (parts, event->n_parts)))
            continue;
          key = key_of (parts + event->n_parts - lengths[k], lengths[k]);
          if (g_hash_table_lookup_extended (ends, key, NULL, &known)
              && GPOINTER_TO_UINT (known) != i + 1)
            g_hash_table_insert (ends, key, GUINT_TO_POINTER (0));
          else
            g_hash_table_insert (ends, key, GUINT_TO_POINTER (i + 1));
        }
    }
  return ends;
}

/* The root that a node lies below, by now. What lies between is skipped the next time, for
   paths that were cut may be put one below the other by the hundred thousand. */
static guint32
root_of (Maker   *m,
         guint32  node)
{
  guint32 *above = (guint32 *) m->above->data;

  while (above[node] != node)
    {
      above[node] = above[above[node]];
      node = above[node];
    }
  return node;
}

static void
put_below (Maker   *m,
           guint32  node,
           guint32  parent)
{
  raw_at (m, node)->parent = parent;
  if (parent != NONE)
    g_array_index (m->above, guint32, node) = parent;
}

/* Nodes without figures for the begin of a path that no other path has. */
static guint32
add_chain (Maker         *m,
           const guint32 *parts,
           guint          n)
{
  guint32 above = NONE;

  for (guint i = 1; i <= n; i++)
    {
      /* The node above says which parts there were: a key of them all would make
         the keys of a long path longer than all else. */
      guint32 step[2] = { above, parts[i - 1] };
      g_autoptr (GBytes) key = key_of (step, 2);
      gpointer found;
      guint32 node;

      if (g_hash_table_lookup_extended (m->chains, key, NULL, &found))
        {
          above = GPOINTER_TO_UINT (found);
          continue;
        }
      node = i == 1 && m->node_of[parts[0]] != NONE ? m->node_of[parts[0]]
        : add_raw (m, parts[i - 1], FALSE, (KymoThreadValues) { .inclusive = NAN });
      if (i > 1)
        put_below (m, node, above);
      g_hash_table_insert (m->chains, g_bytes_ref (key), GUINT_TO_POINTER (node));
      above = node;
    }
  return above;
}

static void
find_parent (Maker      *m,
             GHashTable *ends,
             guint32     node)
{
  const KymoProfileEvent *event = kymo_profile_look_event (m->look, raw_at (m, node)->event);
  const guint32 *parts = parts_of (m, event);
  guint32 parent = NONE;

  if (!is_path (event) || event->n_parts < 2)
    return;
  if (event->flags & KYMO_PROFILE_CUT)
    {
      g_autoptr (GBytes) key = key_of (parts, event->n_parts - 1);
      guint found = GPOINTER_TO_UINT (g_hash_table_lookup (ends, key));

      /* It is a root itself yet. */
      if (found > 0 && root_of (m, found - 1) != node)
        parent = found - 1;
    }
  else if (event->parent != KYMO_NO_EVENT)
    parent = m->node_of[event->parent];
  if (parent == NONE)
    parent = add_chain (m, parts, event->n_parts - 1);
  put_below (m, node, parent);
}

static void
find_parents (Maker *m)
{
  g_autoptr (GHashTable) ends = index_ends (m);
  guint n = m->raw->len;

  for (guint32 i = 0; i < n; i++)
    find_parent (m, ends, i);
}

/* -- order ------------------------------------------------------------------ */

typedef struct
{
  Maker   *m;
  guint   *first;               /* by raw node and of roots: into list */
  guint32 *list;
} Children;

static int
compare_children (gconstpointer a,
                  gconstpointer b,
                  gpointer      data)
{
  Maker *m = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;
  double x = raw_at (m, i)->values.inclusive, y = raw_at (m, k)->values.inclusive;

  if (x != y)
    return x > y ? -1 : 1;
  return i < k ? -1 : i > k;
}

static void
children_init (Maker    *m,
               Children *children)
{
  guint n = m->raw->len;
  g_autofree guint *at = NULL;

  children->m = m;
  children->first = g_new0 (guint, n + 2);
  children->list = g_new (guint32, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    children->first[(raw_at (m, i)->parent == NONE ? n : raw_at (m, i)->parent) + 1]++;
  for (guint i = 0; i <= n; i++)
    children->first[i + 1] += children->first[i];
  at = g_memdup2 (children->first, (n + 2) * sizeof (guint));
  for (guint i = 0; i < n; i++)
    children->list[at[raw_at (m, i)->parent == NONE ? n : raw_at (m, i)->parent]++] = i;
}

/* Nodes from the leaves up: a stack, for a path may be as deep as it likes. */
static guint32 *
walk_order (const Children *children)
{
  Maker *m = children->m;
  guint n = m->raw->len, n_walked = 0;
  guint32 *order = g_new (guint32, MAX (n, 1));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = children->first[n + 1]; i-- > children->first[n];)
    g_array_append_val (stack, children->list[i]);
  while (stack->len > 0)
    {
      guint32 node = g_array_index (stack, guint32, stack->len - 1);

      g_array_set_size (stack, stack->len - 1);
      order[n_walked++] = node;
      for (guint i = children->first[node + 1]; i-- > children->first[node];)
        g_array_append_val (stack, children->list[i]);
    }
  /* Paths that contradict each other may form a ring, which the walk does not reach. */
  while (n_walked < n)
    order[n_walked++] = NONE;
  return order;
}

/* Sums up missing inclusive figures from the nodes below. A node is shown if it, or a node
   below it, belongs to a group that was asked for. */
static void
sum_up (Maker         *m,
        const guint32 *order)
{
  guint n = m->raw->len;
  g_autofree double *below = g_new0 (double, MAX (n, 1));

  for (guint i = n; i-- > 0;)
    {
      Raw *raw;

      if (order[i] == NONE)
        continue;
      raw = raw_at (m, order[i]);
      if (isnan (raw->values.inclusive))
        raw->values.inclusive = m->look->is_additive ? raw->values.exclusive + below[order[i]] : 0;
      raw->shown |= raw->known && m->look->chosen[raw->event];
      if (raw->parent == NONE)
        continue;
      below[raw->parent] += raw->values.inclusive;
      raw_at (m, raw->parent)->shown |= raw->shown;
    }
}

static void
emit_nodes (Maker         *m,
            const guint32 *order,
            guint          most_depth)
{
  guint n = m->raw->len;
  g_autofree guint32 *place = g_new (guint32, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      const Raw *raw;
      KymoForestNode node;

      if (order[i] == NONE)
        continue;
      raw = raw_at (m, order[i]);
      place[order[i]] = NONE;
      node = (KymoForestNode) { raw->event, KYMO_FOREST_ROOT, 0, raw->known, raw->values };
      if (raw->parent != NONE)
        {
          node.parent = place[raw->parent];
          if (node.parent == NONE)
            continue;
          node.depth = g_array_index (m->forest->nodes, KymoForestNode, node.parent).depth + 1;
        }
      if (!raw->shown || node.depth >= most_depth)
        continue;
      place[order[i]] = m->forest->nodes->len;
      g_array_append_val (m->forest->nodes, node);
    }
}

static void
put_in_order (Maker *m,
              guint  most_depth)
{
  guint n = m->raw->len;
  Children children;
  guint32 *order;

  children_init (m, &children);
  order = walk_order (&children);
  sum_up (m, order);
  for (guint i = 0; i <= n; i++)
    g_qsort_with_data (children.list + children.first[i],
                       children.first[i + 1] - children.first[i], sizeof (guint32),
                       compare_children, m);
  g_free (order);
  order = walk_order (&children);
  emit_nodes (m, order, most_depth);
  g_free (order);
  g_free (children.first);
  g_free (children.list);
}

/**
 * kymo_call_forest_new:
 * @most_depth: nodes deeper than that are left out; 1 = roots alone
 *
 * Returns: (transfer full): the tree of calls of a thread
 */
KymoCallForest *
kymo_call_forest_new (const KymoProfileLook   *look,
                      const KymoThreadFigures *thread,
                      guint                    most_depth)
{
  KymoCallForest *forest = g_new0 (KymoCallForest, 1);
  guint n = look->data->events->len;
  Maker m = { .look = look, .thread = thread, .forest = forest };

  forest->nodes = g_array_new (FALSE, FALSE, sizeof (KymoForestNode));
  m.raw = g_array_new (FALSE, FALSE, sizeof (Raw));
  m.above = g_array_new (FALSE, FALSE, sizeof (guint32));
  m.node_of = g_new (guint32, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    m.node_of[i] = NONE;
  m.chains = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref,
                                    NULL);
  add_roots (&m);
  add_paths (&m);
  find_parents (&m);
  put_in_order (&m, most_depth);
  g_hash_table_unref (m.chains);
  g_array_unref (m.raw);
  g_array_unref (m.above);
  g_free (m.node_of);
  return forest;
}

/** kymo_call_forest_free: frees the forest with its nodes */
void
kymo_call_forest_free (KymoCallForest *forest)
{
  g_array_unref (forest->nodes);
  g_free (forest);
}
