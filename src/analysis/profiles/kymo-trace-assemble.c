/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trees of several walks -> one profile: which paths there are, and what each
 * location had of them.
 *
 * A path that stands for several nodes (its begin was cut off) may lie within itself
 * on the stack; so may a function. Of such nodes only the outermost give their
 * inclusive figures.
 */
#include "config.h"

#include "kymo-trace-profile-private.h"

/* Paths as they are found; sorted in the end. */
typedef struct
{
  guint    first, n_parts;      /* into Assembly.parts */
  gboolean cut;
} Path;

typedef KymoTraceAssembly Assembly;

static guint64 *
new_keys (const KymoTraceJob *job)
{
  gsize n_keys = 0;

  for (guint w = 0; w < job->walks->len; w++)
    {
      guint n;

      kymo_trace_walk_get_nodes (g_ptr_array_index (job->walks, w), &n);
      n_keys += n;
    }
  return g_new (guint64, MAX (n_keys, 1));
}

/* Unites the nodes that walks met. The number of paths in a walk depends on the threads, so only
   the number over all walks decides if there are too many; a walk that has too many alone just
   finds it earlier. */
static void
merge_nodes (Assembly *a)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autofree guint64 *keys = new_keys (a->job);
  guint64 *key = keys;

  a->nodes = g_array_new (FALSE, FALSE, sizeof (KymoTraceNode));
  a->node_of = g_new0 (guint32 *, a->job->walks->len);
  for (guint w = 0; w < a->job->walks->len; w++)
    {
      guint n;
      const KymoTraceNode *nodes =
        kymo_trace_walk_get_nodes (g_ptr_array_index (a->job->walks, w), &n);

      a->node_of[w] = g_new (guint32, MAX (n, 1));
      for (guint i = 0; i < n && !kymo_trace_is_stopped (a, i); i++)
        {
          KymoTraceNode node = { nodes[i].parent == KYMO_TRACE_ROOT ? KYMO_TRACE_ROOT
                                 : a->node_of[w][nodes[i].parent], nodes[i].function };
          gpointer found;

          *key = (guint64) node.parent << 32 | node.function;
          if (!g_hash_table_lookup_extended (known, key, NULL, &found))
            {
              found = GUINT_TO_POINTER (a->nodes->len);
              g_hash_table_insert (known, key++, found);
              g_array_append_val (a->nodes, node);
            }
          a->node_of[w][i] = GPOINTER_TO_UINT (found);
        }
    }
  if (a->nodes->len > kymo_trace_most_paths (a->job))
    a->job->failed = KYMO_TRACE_TOO_MANY;
}

static gboolean
is_state (const Assembly *a,
          guint32         function)
{
  return g_array_index (a->job->timings, KymoTraceTiming, function).flags
    & (KYMO_PROFILE_IDLE | KYMO_PROFILE_OVERHEAD | KYMO_PROFILE_UNTRACED);
}

/* -- paths ------------------------------------------------------------------ */

/* The functions from the root to a node, outermost first. */
static void
read_stack (const Assembly *a,
            guint32         node,
            GArray         *stack)
{
  g_array_set_size (stack, 0);
  for (; node != KYMO_TRACE_ROOT; node = kymo_trace_node_at (a, node)->parent)
    g_array_append_val (stack, kymo_trace_node_at (a, node)->function);
  for (guint i = 0; i < stack->len / 2; i++)
    {
      guint32 *x = &g_array_index (stack, guint32, i);
      guint32 *y = &g_array_index (stack, guint32, stack->len - 1 - i);
      guint32 swap = *x;

      *x = *y;
      *y = swap;
    }
}

/* The closest phase that the top of the stack lies in; where none does the outermost
   function stands for the whole program. */
static guint32
enclosing_phase (const Assembly *a,
                 const GArray   *stack)
{
  for (guint i = stack->len - 1; i-- > 0;)
    {
      guint32 function = g_array_index (stack, guint32, i);

      if (g_array_index (a->job->timings, KymoTraceTiming, function).flags & KYMO_PROFILE_PHASE)
        return function;
    }
  return g_array_index (stack, guint32, 0);
}

/* Makes of a stack the path that its top belongs to; FALSE where it has none. */
static gboolean
make_path (const Assembly *a,
           GArray         *stack,
           gboolean       *cut)
{
  const KymoTraceProfileOptions *options = a->job->options;

  *cut = FALSE;
  if (options->by_phase)
    {
      guint32 pair[2];

      if (stack->len < 2)
        return FALSE;
      pair[0] = enclosing_phase (a, stack);
      pair[1] = g_array_index (stack, guint32, stack->len - 1);
      g_array_set_size (stack, 0);
      g_array_append_vals (stack, pair, 2);
      return TRUE;
    }
  if (options->depth > 0)
    return stack->len <= options->depth && !is_state (a, g_array_index (stack, guint32, 0));
  if (options->last < 2 || stack->len < 2)
    return FALSE;
  *cut = stack->len > options->last;
  if (*cut)
    g_array_remove_range (stack, 0, stack->len - options->last);
  return TRUE;
}

static void
find_path (Assembly   *a,
           GHashTable *known,
           guint32     node,
           GArray     *stack)
{
  gboolean cut;
  GBytes *key;
  gpointer found;

  read_stack (a, node, stack);
  a->uses[node].path = -1;
  if (!make_path (a, stack, &cut))
    return;
  key = g_bytes_new (stack->data, stack->len * sizeof (guint32));
  if (!g_hash_table_lookup_extended (known, key, NULL, &found))
    {
      Path path = { a->parts->len, stack->len, FALSE };

      found = GUINT_TO_POINTER (a->paths->len);
      g_array_append_vals (a->parts, stack->data, stack->len);
      g_array_append_val (a->paths, path);
      g_hash_table_insert (known, g_bytes_ref (key), found);
    }
  g_bytes_unref (key);
  a->uses[node].path = GPOINTER_TO_INT (found);
  g_array_index (a->paths, Path, GPOINTER_TO_UINT (found)).cut |= cut;
}

static void
find_outer (Assembly *a,
            guint32   node)
{
  KymoTraceNodeUse *use = &a->uses[node];

  use->outer = use->path_outer = TRUE;
  for (guint32 up = kymo_trace_node_at (a, node)->parent; up != KYMO_TRACE_ROOT;
       up = kymo_trace_node_at (a, up)->parent)
    {
      use->outer &= kymo_trace_node_at (a, up)->function != kymo_trace_node_at (a, node)->function;
      use->path_outer &= a->uses[up].path != use->path;
    }
}

static void
find_uses (Assembly *a)
{
  GPtrArray *segments = a->job->run->segments;
  g_autoptr (GHashTable) known =
    g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));

  a->uses = g_new0 (KymoTraceNodeUse, MAX (a->nodes->len, 1));
  for (guint i = 0; i < segments->len && !kymo_trace_is_stopped (a, 0); i++)
    for (guint r = 0; r < a->job->rows[i].rows->len; r++)
      {
        guint32 node = g_array_index (a->job->rows[i].rows, KymoTraceRow, r).node;

        a->uses[a->node_of[a->job->walked_by[i]][node]].used = TRUE;
      }
  for (guint i = 0; i < a->nodes->len; i++)
    a->uses[i].path = -1;
  for (guint i = 0; i < a->nodes->len && !kymo_trace_is_stopped (a, i); i++)
    if (a->uses[i].used)
      find_path (a, known, i, stack);
  for (guint i = 0; i < a->nodes->len && !kymo_trace_is_stopped (a, i); i++)
    if (a->uses[i].used)
      find_outer (a, i);
}

/* -- events ----------------------------------------------------------------- */

static void
add_functions (Assembly *a)
{
  guint n = a->job->timings->len;
  g_autofree gboolean *used = g_new0 (gboolean, MAX (n, 1));

  for (guint i = 0; i < a->nodes->len; i++)
    if (a->uses[i].used)
      used[kymo_trace_node_at (a, i)->function] = TRUE;
  for (guint i = 0; i < a->parts->len; i++)
    used[g_array_index (a->parts, guint32, i)] = TRUE;
  a->event_of_function = g_new (guint32, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      const KymoTraceTiming *timing = &g_array_index (a->job->timings, KymoTraceTiming, i);
      KymoProfileEvent event = { .flags = timing->flags, .role = timing->role, .n_parts = 1,
                                 .parent = KYMO_NO_EVENT };

      a->event_of_function[i] = KYMO_NO_EVENT;
      if (!used[i])
        continue;
      event.name = g_strdup (timing->name);
      event.shown = g_strdup (timing->name);
      event.groups = g_strdup (timing->groups);
      event.first_part = a->data->parts->len;
      a->event_of_function[i] = a->data->events->len;
      g_array_append_val (a->data->parts, a->event_of_function[i]);
      g_array_append_val (a->data->events, event);
    }
}

static int
compare_paths (gconstpointer x,
               gconstpointer y,
               gpointer      data)
{
  const Assembly *a = data;
  const Path *p = &g_array_index (a->paths, Path, *(const guint32 *) x);
  const Path *q = &g_array_index (a->paths, Path, *(const guint32 *) y);

  for (guint i = 0; i < p->n_parts && i < q->n_parts; i++)
    {
      guint32 f = g_array_index (a->parts, guint32, p->first + i);
      guint32 g = g_array_index (a->parts, guint32, q->first + i);

      if (f != g)
        return f < g ? -1 : 1;
    }
  return p->n_parts < q->n_parts ? -1 : p->n_parts > q->n_parts;
}

static void
add_path (Assembly   *a,
          const Path *path)
{
  const guint32 *parts = (const guint32 *) a->parts->data + path->first;
  guint32 last = a->event_of_function[parts[path->n_parts - 1]];
  KymoProfileEvent event = g_array_index (a->data->events, KymoProfileEvent, last);
  g_autoptr (GString) name = g_string_new (NULL);

  event.first_part = a->data->parts->len;
  event.n_parts = path->n_parts;
  event.flags |= KYMO_PROFILE_PATH | (path->cut ? KYMO_PROFILE_CUT : 0);
  event.shown = g_strdup (event.shown);
  event.groups = g_strdup (event.groups);
  for (guint i = 0; i < path->n_parts; i++)
    {
      guint32 function = a->event_of_function[parts[i]];

      g_array_append_val (a->data->parts, function);
      g_string_append_printf (name, "%s%s", i > 0 ? " => " : "",
                              g_array_index (a->data->events, KymoProfileEvent, function).name);
    }
  event.name = g_string_free (g_steal_pointer (&name), FALSE);
  g_array_append_val (a->data->events, event);
}

static gboolean
is_begin_of (const Assembly *a,
             const Path     *begin,
             const Path     *path)
{
  const guint32 *parts = (const guint32 *) a->parts->data;

  return begin->n_parts < path->n_parts
    && memcmp (parts + begin->first, parts + path->first, begin->n_parts * sizeof (guint32)) == 0;
}

/* In their order a path follows all that it begins with: those lie on a stack. */
static void
add_paths (Assembly *a)
{
  guint n = a->paths->len;
  g_autofree guint32 *order = g_new (guint32, MAX (n, 1));
  g_autoptr (GArray) begins = g_array_new (FALSE, FALSE, sizeof (guint32));

  a->event_of_path = g_new (guint32, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof (guint32), compare_paths, a);
  for (guint i = 0; i < n; i++)
    {
      const Path *path = &g_array_index (a->paths, Path, order[i]), *top = NULL;
      guint32 event = a->data->events->len, parent = KYMO_NO_EVENT;

      for (; begins->len > 0; g_array_set_size (begins, begins->len - 1))
        {
          top = &g_array_index (a->paths, Path, g_array_index (begins, guint32, begins->len - 1));
          if (is_begin_of (a, top, path))
            break;
        }
      if (begins->len > 0 && top->n_parts == path->n_parts - 1)
        parent = a->event_of_path[g_array_index (begins, guint32, begins->len - 1)];
      else if (path->n_parts == 2)
        parent = a->event_of_function[g_array_index (a->parts, guint32, path->first)];
      a->event_of_path[order[i]] = event;
      add_path (a, path);
      g_array_index (a->data->events, KymoProfileEvent, event).parent = parent;
      g_array_append_val (begins, order[i]);
    }
}

/* -- all of it -------------------------------------------------------------- */

static void
add_metrics (Assembly *a)
{
  GPtrArray *counters = a->job->run->metrics;
  KymoProfileMetric time = { g_strdup ("TIME"), g_strdup ("ns"), 1 };

  g_array_append_val (a->data->metrics, time);
  for (guint i = 0; i < counters->len; i++)
    {
      KymoProfileMetric metric = { g_strdup (g_ptr_array_index (counters, i)),
                                   g_strdup (kymo_run_metric_unit (a->job->run, i)), 0 };

      g_array_append_val (a->data->metrics, metric);
    }
  a->n_metrics = 1 + counters->len;
}

static KymoProfileData *
new_data (guint n_locations)
{
  KymoProfileData *data = g_new0 (KymoProfileData, 1);

  g_atomic_ref_count_init (&data->ref_count);
  data->name = g_strdup ("");
  data->time_ns = -1;
  data->metrics = g_array_new (FALSE, FALSE, sizeof (KymoProfileMetric));
  g_array_set_clear_func (data->metrics, (GDestroyNotify) kymo_profile_metric_clear);
  data->events = g_array_new (FALSE, FALSE, sizeof (KymoProfileEvent));
  g_array_set_clear_func (data->events, (GDestroyNotify) kymo_profile_event_clear);
  data->parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  data->n_locations = n_locations;
  data->first = g_new0 (guint64, (gsize) n_locations + 1);
  data->user_names = g_ptr_array_new_with_free_func (g_free);
  data->user_first = g_new0 (guint64, (gsize) n_locations + 1);
  return data;
}

/* A cancelled job stays cancelled. */
static gboolean
is_given_up (const Assembly *a)
{
  return kymo_trace_is_stopped (a, 0) || a->job->failed != 0;
}

static void
assembly_clear (Assembly *a)
{
  for (guint w = 0; w < a->job->walks->len; w++)
    g_free (a->node_of[w]);
  g_free (a->node_of);
  g_free (a->uses);
  g_free (a->event_of_function);
  g_free (a->event_of_path);
  g_array_unref (a->nodes);
  g_array_unref (a->parts);
  g_array_unref (a->paths);
}

/**
 * kymo_trace_profile_assemble:
 * @job: all segments are walked
 *
 * Returns: (transfer full) (nullable): the profile; %NULL when cancelled, or when the
 * walks have too many paths together (then @job has failed)
 */
KymoProfileData *
kymo_trace_profile_assemble (KymoTraceJob *job)
{
  Assembly a = { .job = job, .data = new_data (job->run->locations->len) };

  a.data->span = job->options->span;
  a.parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  a.paths = g_array_new (FALSE, FALSE, sizeof (Path));
  add_metrics (&a);
  merge_nodes (&a);
  if (!is_given_up (&a))
    find_uses (&a);
  if (!is_given_up (&a))
    {
      add_functions (&a);
      add_paths (&a);
      kymo_trace_add_figures (&a);
    }
  if (!is_given_up (&a))
    kymo_trace_samples_set (job, a.data);
  else
    g_clear_pointer (&a.data, kymo_profile_data_unref);
  assembly_clear (&a);
  return a.data;
}
