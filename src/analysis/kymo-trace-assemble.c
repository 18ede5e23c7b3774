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

typedef struct
{
  gboolean used;
  gboolean outer;               /* no node of the same function above it */
  gboolean path_outer;
  gint     path;                /* index, -1 = none */
} NodeUse;

typedef struct
{
  double calls, subroutines;
} Counts;

typedef struct
{
  KymoTraceJob    *job;
  KymoProfileData *data;
  GArray          *nodes;       /* KymoTraceNode, all walks' made one */
  guint32        **node_of;     /* by walk: by its node */
  NodeUse         *uses;
  GArray          *parts;       /* guint32: functions */
  GArray          *paths;       /* Path */
  guint32         *event_of_function;
  guint32         *event_of_path;
  guint            n_metrics;   /* time is one */
} Assembly;

static void
merge_nodes (Assembly *a)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  a->nodes = g_array_new (FALSE, FALSE, sizeof (KymoTraceNode));
  a->node_of = g_new0 (guint32 *, a->job->walks->len);
  for (guint w = 0; w < a->job->walks->len; w++)
    {
      guint n;
      const KymoTraceNode *nodes =
        kymo_trace_walk_get_nodes (g_ptr_array_index (a->job->walks, w), &n);

      a->node_of[w] = g_new (guint32, MAX (n, 1));
      for (guint i = 0; i < n; i++)
        {
          KymoTraceNode node = { nodes[i].parent == KYMO_TRACE_ROOT ? KYMO_TRACE_ROOT
                                 : a->node_of[w][nodes[i].parent], nodes[i].function };
          guint64 key = (guint64) node.parent << 32 | node.function;
          gpointer found;

          if (!g_hash_table_lookup_extended (known, &key, NULL, &found))
            {
              found = GUINT_TO_POINTER (a->nodes->len);
              g_hash_table_insert (known, g_memdup2 (&key, sizeof key), found);
              g_array_append_val (a->nodes, node);
            }
          a->node_of[w][i] = GPOINTER_TO_UINT (found);
        }
    }
}

static inline const KymoTraceNode *
node_at (const Assembly *a,
         guint32         node)
{
  return &g_array_index (a->nodes, KymoTraceNode, node);
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
  for (; node != KYMO_TRACE_ROOT; node = node_at (a, node)->parent)
    g_array_append_val (stack, node_at (a, node)->function);
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
  NodeUse *use = &a->uses[node];

  use->outer = use->path_outer = TRUE;
  for (guint32 up = node_at (a, node)->parent; up != KYMO_TRACE_ROOT;
       up = node_at (a, up)->parent)
    {
      use->outer &= node_at (a, up)->function != node_at (a, node)->function;
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

  a->uses = g_new0 (NodeUse, MAX (a->nodes->len, 1));
  for (guint i = 0; i < segments->len; i++)
    for (guint r = 0; r < a->job->rows[i].rows->len; r++)
      {
        guint32 node = g_array_index (a->job->rows[i].rows, KymoTraceRow, r).node;

        a->uses[a->node_of[a->job->walked_by[i]][node]].used = TRUE;
      }
  for (guint i = 0; i < a->nodes->len; i++)
    a->uses[i].path = -1;
  for (guint i = 0; i < a->nodes->len; i++)
    if (a->uses[i].used)
      find_path (a, known, i, stack);
  for (guint i = 0; i < a->nodes->len; i++)
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
      used[node_at (a, i)->function] = TRUE;
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

/* -- figures ---------------------------------------------------------------- */

/* Sums of one location by event, and which are not 0. */
typedef struct
{
  gboolean *touched;
  Counts   *counts;
  double   *values;             /* as KymoProfileData.values */
  GArray   *list;               /* guint32 */
} Sums;

static void
add_row (const Assembly     *a,
         Sums               *sums,
         guint32             event,
         const KymoTraceRow *row,
         const gint64       *counters,
         gboolean            outer)
{
  double *values = sums->values + (gsize) event * a->n_metrics * 2;

  if (!sums->touched[event])
    {
      sums->touched[event] = TRUE;
      g_array_append_val (sums->list, event);
    }
  sums->counts[event].calls += (double) row->calls;
  sums->counts[event].subroutines += (double) row->subroutines;
  values[0] += (double) row->exclusive_ns;
  values[1] += outer ? (double) row->inclusive_ns : 0;
  for (guint m = 1; m < a->n_metrics; m++)
    {
      values[2 * m] += (double) counters[2 * m - 2];
      values[2 * m + 1] += outer ? (double) counters[2 * m - 1] : 0;
    }
}

/* Where phases are stretches of time, what is below one is counted above as well. */
static gboolean
is_flat (const Assembly *a,
         guint32         node)
{
  return a->job->phases == NULL || node_at (a, node)->parent == KYMO_TRACE_ROOT;
}

static void
add_location (const Assembly *a,
              Sums           *sums,
              guint           segment)
{
  const KymoTraceRows *rows = &a->job->rows[segment];
  const guint32 *node_of = a->node_of[a->job->walked_by[segment]];

  for (guint r = 0; r < rows->rows->len; r++)
    {
      const KymoTraceRow *row = &g_array_index (rows->rows, KymoTraceRow, r);
      const gint64 *counters = (const gint64 *) rows->counters->data
        + (gsize) r * (a->n_metrics - 1) * 2;
      guint32 node = node_of[row->node];
      const NodeUse *use = &a->uses[node];

      if (is_flat (a, node))
        add_row (a, sums, a->event_of_function[node_at (a, node)->function], row, counters,
                 use->outer);
      if (use->path >= 0)
        add_row (a, sums, a->event_of_path[use->path], row, counters, use->path_outer);
    }
}

static int
compare_events (gconstpointer x,
                gconstpointer y)
{
  guint32 a = *(const guint32 *) x, b = *(const guint32 *) y;

  return a < b ? -1 : a > b;
}

typedef struct
{
  GArray *event, *calls, *subroutines, *values;
} Columns;

static void
take_sums (const Assembly *a,
           Sums           *sums,
           Columns        *columns)
{
  gsize n = (gsize) a->n_metrics * 2;

  g_array_sort (sums->list, compare_events);
  for (guint i = 0; i < sums->list->len; i++)
    {
      guint32 event = g_array_index (sums->list, guint32, i);

      g_array_append_val (columns->event, event);
      g_array_append_val (columns->calls, sums->counts[event].calls);
      g_array_append_val (columns->subroutines, sums->counts[event].subroutines);
      g_array_append_vals (columns->values, sums->values + event * n, n);
      sums->touched[event] = FALSE;
      sums->counts[event] = (Counts) { 0 };
      memset (sums->values + event * n, 0, n * sizeof (double));
    }
  g_array_set_size (sums->list, 0);
}

static void
add_figures (Assembly *a)
{
  KymoProfileData *data = a->data;
  guint n_events = MAX (data->events->len, 1), segment = 0;
  Columns columns = { g_array_new (FALSE, FALSE, sizeof (guint32)),
                      g_array_new (FALSE, FALSE, sizeof (double)),
                      g_array_new (FALSE, FALSE, sizeof (double)),
                      g_array_new (FALSE, FALSE, sizeof (double)) };
  Sums sums = { g_new0 (gboolean, n_events), g_new0 (Counts, n_events),
                g_new0 (double, (gsize) n_events * a->n_metrics * 2),
                g_array_new (FALSE, FALSE, sizeof (guint32)) };
  GPtrArray *segments = a->job->run->segments;

  for (guint l = 0; l < data->n_locations; l++)
    {
      data->first[l] = columns.event->len;
      for (; segment < segments->len
           && ((KymoSegment *) g_ptr_array_index (segments, segment))->location == l; segment++)
        add_location (a, &sums, segment);
      take_sums (a, &sums, &columns);
    }
  data->first[data->n_locations] = columns.event->len;
  data->event = (guint32 *) g_array_free (columns.event, FALSE);
  data->calls = (double *) g_array_free (columns.calls, FALSE);
  data->subroutines = (double *) g_array_free (columns.subroutines, FALSE);
  data->values = (double *) g_array_free (columns.values, FALSE);
  g_free (sums.touched);
  g_free (sums.counts);
  g_free (sums.values);
  g_array_unref (sums.list);
}

static void
add_metrics (Assembly *a)
{
  GPtrArray *counters = a->job->run->metrics;
  KymoProfileMetric time = { g_strdup ("TIME"), g_strdup ("ns"), 1 };

  g_array_append_val (a->data->metrics, time);
  for (guint i = 0; i < counters->len; i++)
    {
      KymoProfileMetric metric = { g_strdup (g_ptr_array_index (counters, i)), g_strdup (""), 0 };

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

/**
 * kymo_trace_profile_assemble:
 * @job: all segments are walked
 *
 * Returns: (transfer full): the profile
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
  find_uses (&a);
  add_functions (&a);
  add_paths (&a);
  add_figures (&a);
  kymo_trace_samples_set (job, a.data);
  for (guint w = 0; w < job->walks->len; w++)
    g_free (a.node_of[w]);
  g_free (a.node_of);
  g_free (a.uses);
  g_free (a.event_of_function);
  g_free (a.event_of_path);
  g_array_unref (a.nodes);
  g_array_unref (a.parts);
  g_array_unref (a.paths);
  return a.data;
}
