/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See made_profiles.h.
 */
#include "config.h"

#include "made_profiles.h"

#include <math.h>

/** made_name: */
const char *
made_name (guint function)
{
  static const char *const known[] = {
    "solve(double *, int) [{jacobi.c} {30,1}-{55,1}]", "MPI_Waitall()", "MPI_Allreduce()",
    ".TAU application", "exchange(grid_t *, halo_t *) [{halo.c} {112,1}-{160,1}]", "MPI_Init()",
    "residual [{jacobi.c} {60,1}-{71,1}]", "MPI_Send()", "MPI_Recv()", "MPI_Finalize()",
    "std::vector<std::pair<int, double>, std::allocator<std::pair<int, double> > >::push_back",
    "write_checkpoint", "fwrite()", "MPI_Barrier()", "OpenMP_Implicit_Task", "main",
  };
  static GHashTable *others;            /* by number; to the end of the program */

  if (function < G_N_ELEMENTS (known))
    return known[function];
  /* Not interned: of thousands of quarks GLib outgrows the table that it began with, and
     the leak checker tells the old one. */
  if (others == NULL)
    others = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  char *name = g_hash_table_lookup (others, GUINT_TO_POINTER (function));
  if (name == NULL)
    {
      name = g_strdup_printf ("kernel_%u(float const*, unsigned)", function);
      g_hash_table_insert (others, GUINT_TO_POINTER (function), name);
    }
  return name;
}

/* What a thread has of a function, in microseconds. */
static double
made_value (guint function, guint thread)
{
  double base = 4e6 / (1 + function * function * 0.2);
  double wave = 1 + 0.35 * sin (thread * 0.7 + function) + 0.2 * sin (thread / 900.0);

  if (function % 13 == 11 && thread % 8 != 0)
    return 0;
  return floor (base * MAX (wave, 0));
}

static const struct { const char *name; KymoColumnType type; } statistics[] = {
  { "mean", KYMO_COLUMN_DOUBLE }, { "min", KYMO_COLUMN_DOUBLE }, { "max", KYMO_COLUMN_DOUBLE },
  { "stddev", KYMO_COLUMN_DOUBLE },
};

static guint
column (const KymoTable *table, const char *name)
{
  return kymo_table_find_column (table, name);
}

static void
append_statistics (KymoTable *table, guint function, guint n_threads)
{
  double sum = 0, squares = 0, min = INFINITY, max = -INFINITY;

  for (guint t = 0; t < n_threads; t++)
    {
      double value = made_value (function, t);

      sum += value;
      squares += value * value;
      min = MIN (min, value);
      max = MAX (max, value);
    }
  squares = squares / n_threads - sum * sum / n_threads / n_threads;
  kymo_table_append_double (table, column (table, "mean"), sum / n_threads);
  kymo_table_append_double (table, column (table, "min"), min);
  kymo_table_append_double (table, column (table, "max"), max);
  kymo_table_append_double (table, column (table, "stddev"), sqrt (MAX (0, squares)));
}

static void
set_metric (KymoTable *answer, const char *value)
{
  KymoTable *metrics = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_column (metrics, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (metrics, "unit", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (metrics, "is_time", KYMO_COLUMN_BOOL, 1);
  kymo_table_append_string (metrics, 0, "TIME");
  kymo_table_append_string (metrics, 1, "us");
  kymo_table_append_bool (metrics, 2, TRUE);
  kymo_table_set_string (answer, "metric", "TIME");
  kymo_table_set_string (answer, "unit", "us");
  kymo_table_set_double (answer, "unit_ns", 1000);
  kymo_table_set_table (answer, "metrics", metrics);
  if (value != NULL)
    kymo_table_set_string (answer, "value", value);
}

static KymoTable *
list_functions (guint n_functions, guint n_threads)
{
  KymoTable *functions = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_column (functions, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (functions, "kind", KYMO_COLUMN_STRING, 1);
  for (guint c = 0; c < G_N_ELEMENTS (statistics); c++)
    kymo_table_add_column (functions, statistics[c].name, statistics[c].type, 1);
  for (guint f = 0; f < n_functions; f++)
    {
      gboolean rest = n_functions > 40 && f == n_functions - 1;

      kymo_table_append_string (functions, 0, rest ? "60 others" : made_name (f));
      kymo_table_append_string (functions, 1, rest ? "rest" : "function");
      append_statistics (functions, f, n_threads);
    }
  return functions;
}

/** made_thread_bars: */
KymoTable *
made_thread_bars (guint n_functions, guint n_threads, guint most_rows)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *rows = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint group = MAX (1, (n_threads + most_rows - 1) / MAX (most_rows, 1));
  g_autofree double *values = g_new0 (double, MAX (n_functions, 1));

  set_metric (answer, "exclusive");
  kymo_table_add_column (rows, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (rows, "label", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (rows, "n_locations", KYMO_COLUMN_INT, 1);
  kymo_table_add_vector (rows, "values", KYMO_COLUMN_DOUBLE, MAX (n_functions, 1));
  for (guint t = 0; t < n_threads; t += group)
    {
      guint end = MIN (t + group, n_threads);
      g_autofree char *label = g_strdup_printf ("rank %u", t);

      for (guint f = 0; f < n_functions; f++)
        {
          values[f] = 0;
          for (guint i = t; i < end; i++)
            values[f] += made_value (f, i) / (end - t);
        }
      kymo_table_append_int (rows, 0, t);
      kymo_table_append_string (rows, 1, label);
      kymo_table_append_int (rows, 2, end - t);
      kymo_table_append_doubles (rows, 3, values);
    }
  kymo_table_set_int (answer, "n_locations", n_threads);
  kymo_table_set_table (answer, "functions", list_functions (n_functions, n_threads));
  kymo_table_set_table (answer, "rows", rows);
  return answer;
}

static void
set_statistics (KymoTable *answer, guint function, guint n_threads)
{
  for (guint c = 0; c < G_N_ELEMENTS (statistics); c++)
    kymo_table_add_column (answer, statistics[c].name, statistics[c].type, 1);
  append_statistics (answer, function, n_threads);
}

static KymoTable *
make_histogram (guint function, guint n_threads, guint n_bins)
{
  KymoTable *histogram = kymo_table_new (KYMO_STYLE_OBJECT);
  double min = INFINITY, max = -INFINITY;
  g_autofree double *edges = g_new (double, n_bins + 1);
  g_autofree gint64 *counts = g_new0 (gint64, n_bins + 1);

  for (guint t = 0; t < n_threads; t++)
    {
      min = MIN (min, made_value (function, t));
      max = MAX (max, made_value (function, t));
    }
  for (guint i = 0; i <= n_bins; i++)
    edges[i] = min + (max - min) * i / n_bins;
  for (guint t = 0; t < n_threads; t++)
    {
      double at = (made_value (function, t) - min) / (max - min) * n_bins;

      counts[MIN ((guint) MAX (at, 0), n_bins - 1)]++;
    }
  kymo_table_set_doubles (histogram, "edges", edges, n_bins + 1);
  kymo_table_set_ints (histogram, "counts", counts, n_bins);
  return histogram;
}

/** made_function_bars: */
KymoTable *
made_function_bars (guint function, guint n_threads, guint most_rows, guint n_bins)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *rows = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint group = 1;

  while ((n_threads + group - 1) / group > most_rows)
    group *= 2;
  set_metric (answer, "exclusive");
  kymo_table_set_string (answer, "name", made_name (function));
  set_statistics (answer, function, n_threads);
  kymo_table_add_column (rows, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (rows, "label", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (rows, "n_locations", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (rows, "value", KYMO_COLUMN_DOUBLE, 1);
  kymo_table_add_column (rows, "has", KYMO_COLUMN_BOOL, 1);
  for (guint t = 0; t < n_threads; t += group)
    {
      guint end = MIN (t + group, n_threads);
      g_autofree char *label = g_strdup_printf ("rank %u", t);
      double sum = 0;

      for (guint i = t; i < end; i++)
        sum += made_value (function, i);
      kymo_table_append_int (rows, 0, t);
      kymo_table_append_string (rows, 1, label);
      kymo_table_append_int (rows, 2, end - t);
      kymo_table_append_double (rows, 3, sum / (end - t));
      kymo_table_append_bool (rows, 4, sum > 0);
    }
  kymo_table_set_int (answer, "n_locations", n_threads);
  kymo_table_set_table (answer, "rows", rows);
  if (n_threads > 0)
    kymo_table_set_table (answer, "histogram", make_histogram (function, n_threads, n_bins));
  return answer;
}

static void
add_columns (KymoTable *table, const char *const *names, KymoColumnType type)
{
  for (; *names != NULL; names++)
    kymo_table_add_column (table, *names, type, 1);
}

/** made_call_tree: a node's parent is the last one of the level above that is half as far */
KymoTable *
made_call_tree (guint n, guint deep)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *nodes = kymo_table_new (KYMO_STYLE_OBJECTS);
  g_autofree guint *parents = g_new0 (guint, n + 1), *depths = g_new0 (guint, n + 1);
  g_autofree double *inclusive = g_new0 (double, n + 1), *exclusive = g_new0 (double, n + 1);
  guint32 state = 12345;

  set_metric (answer, NULL);
  kymo_table_add_column (nodes, "name", KYMO_COLUMN_STRING, 1);
  add_columns (nodes, (const char *const[]) { "parent", "depth", NULL }, KYMO_COLUMN_INT);
  add_columns (nodes, (const char *const[]) { "calls", "inclusive", "exclusive", NULL },
               KYMO_COLUMN_DOUBLE);
  for (guint i = 1; i < n; i++)
    {
      guint last = i - 1;

      /* Up from the node before by some levels, then down again. */
      state = state * 1664525 + 1013904223;
      for (guint up = state >> 20 & 3; (up > 1 || depths[last] + 1 >= deep) && depths[last] > 0;
           up -= up > 0)
        last = parents[last];
      parents[i] = last;
      depths[i] = depths[last] + 1;
    }
  for (guint i = n; i-- > 0;)
    {
      exclusive[i] = 100 + 90000.0 / (1 + (i * 7919) % 101);
      inclusive[i] += exclusive[i];
      if (i > 0)
        inclusive[parents[i]] += inclusive[i];
    }
  for (guint i = 0; i < n; i++)
    {
      kymo_table_append_string (nodes, 0, i == 0 ? ".TAU application"
                                                 : made_name ((i * 31 + depths[i]) % 40));
      kymo_table_append_int (nodes, 1, i == 0 ? -1 : (gint64) parents[i]);
      kymo_table_append_int (nodes, 2, depths[i]);
      kymo_table_append_double (nodes, 3, 1 + i % 17);
      kymo_table_append_double (nodes, 4, inclusive[i]);
      kymo_table_append_double (nodes, 5, exclusive[i]);
    }
  kymo_table_set_bool (answer, "has_paths", TRUE);
  kymo_table_set_bool (answer, "cut", FALSE);
  kymo_table_set_table (answer, "nodes", nodes);
  return answer;
}

/** made_call_graph: */
KymoTable *
made_call_graph (guint n, guint n_layers)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *nodes = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *edges = kymo_table_new (KYMO_STYLE_OBJECTS);

  set_metric (answer, NULL);
  kymo_table_add_column (nodes, "name", KYMO_COLUMN_STRING, 1);
  add_columns (nodes, (const char *const[]) { "exclusive", "inclusive", "calls", NULL },
               KYMO_COLUMN_DOUBLE);
  kymo_table_add_column (nodes, "layer", KYMO_COLUMN_INT, 1);
  add_columns (edges, (const char *const[]) { "from", "to", NULL }, KYMO_COLUMN_INT);
  add_columns (edges, (const char *const[]) { "calls", "inclusive", NULL }, KYMO_COLUMN_DOUBLE);
  for (guint i = 0; i < n; i++)
    {
      guint layer = i == 0 ? 0 : 1 + (i * (n_layers - 1)) / n;
      double inclusive = 8e6 / (1 + layer) / (1 + i % 5);

      kymo_table_append_string (nodes, 0, made_name (i));
      kymo_table_append_double (nodes, 1, inclusive * ((i * 37) % 10) / 12);
      kymo_table_append_double (nodes, 2, inclusive);
      kymo_table_append_double (nodes, 3, 1 + i * i);
      kymo_table_append_int (nodes, 4, MIN (layer, n_layers - 1));
      for (guint k = 0; i > 0 && k < 1 + i % 2; k++)
        {
          guint caller = (i * (k + 2)) / 5 % i;

          kymo_table_append_int (edges, 0, caller);
          kymo_table_append_int (edges, 1, i);
          kymo_table_append_double (edges, 2, 1 + i);
          kymo_table_append_double (edges, 3, inclusive / (k + 1));
        }
      if (i % 6 == 5)
        {
          kymo_table_append_int (edges, 0, i);
          kymo_table_append_int (edges, 1, i % 12 == 5 ? i : i / 3);
          kymo_table_append_double (edges, 2, 12);
          kymo_table_append_double (edges, 3, inclusive / 4);
        }
    }
  kymo_table_set_table (answer, "nodes", nodes);
  kymo_table_set_table (answer, "edges", edges);
  return answer;
}

/** made_thread: */
KymoTable *
made_thread (guint n)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *functions = kymo_table_new (KYMO_STYLE_OBJECTS);

  set_metric (answer, NULL);
  kymo_table_set_string (answer, "label", "rank 3");
  kymo_table_add_column (functions, "name", KYMO_COLUMN_STRING, 1);
  add_columns (functions, (const char *const[]) { "calls", "exclusive", "inclusive", NULL },
               KYMO_COLUMN_DOUBLE);
  for (guint i = 0; i < n; i++)
    {
      kymo_table_append_string (functions, 0, made_name (i));
      kymo_table_append_double (functions, 1, 1 + i * 1000);
      kymo_table_append_double (functions, 2, made_value (i, 3));
      kymo_table_append_double (functions, 3, made_value (i, 3) * (1 + i % 3));
    }
  kymo_table_set_table (answer, "functions", functions);
  return answer;
}

/** made_user_events: */
KymoTable *
made_user_events (guint n)
{
  static const char *const names[] = {
    "Message size for all-reduce", "Message size sent to all nodes",
    "Heap Memory Used (KB) : main => solve(double *, int) => MPI_Waitall()",
    "WRITE Bandwidth (MB/s) <file=\"/tmp/checkpoint.0001\">", "Bytes Written",
  };
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *events = kymo_table_new (KYMO_STYLE_OBJECTS);

  set_metric (answer, NULL);
  kymo_table_add_column (events, "name", KYMO_COLUMN_STRING, 1);
  add_columns (events, (const char *const[]) { "count", "min", "max", "mean", "stddev", NULL },
               KYMO_COLUMN_DOUBLE);
  for (guint i = 0; i < n; i++)
    {
      kymo_table_append_string (events, 0, names[i % G_N_ELEMENTS (names)]);
      kymo_table_append_double (events, 1, 1 + i * 40);
      kymo_table_append_double (events, 2, i % 4 == 3 ? -8 : 8);
      kymo_table_append_double (events, 3, 8 + 4096.0 * i * i);
      kymo_table_append_double (events, 4, 8 + 1024.0 * i * i);
      kymo_table_append_double (events, 5, 512.0 * i * i);
    }
  kymo_table_set_table (answer, "user_events", events);
  return answer;
}

/** made_phases: */
KymoTable *
made_phases (guint n_functions, guint n_phases)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *phases = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *functions = kymo_table_new (KYMO_STYLE_OBJECTS);
  g_autofree double *values = g_new0 (double, MAX (n_phases, 1));

  set_metric (answer, "exclusive");
  kymo_table_add_column (phases, "name", KYMO_COLUMN_STRING, 1);
  for (guint p = 0; p < n_phases; p++)
    {
      g_autofree char *name = g_strdup_printf ("Iteration %u", p);

      kymo_table_append_string (phases, 0, name);
    }
  kymo_table_add_column (functions, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_vector (functions, "values", KYMO_COLUMN_DOUBLE, MAX (n_phases, 1));
  for (guint f = 0; f < n_functions; f++)
    {
      for (guint p = 0; p < n_phases; p++)
        values[p] = (f * 5 + p * 3) % 11 == 0 ? NAN : made_value (f, p * 3);
      kymo_table_append_string (functions, 0, made_name (f));
      kymo_table_append_doubles (functions, 1, values);
    }
  kymo_table_set_table (answer, "phases", phases);
  kymo_table_set_table (answer, "functions", functions);
  return answer;
}

/** made_threads: the first one is the mean */
KymoTable *
made_threads (guint n_functions, guint n_threads)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *threads = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *functions = kymo_table_new (KYMO_STYLE_OBJECTS);
  g_autofree double *values = g_new0 (double, MAX (n_threads, 1));

  set_metric (answer, "exclusive");
  kymo_table_add_column (threads, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (threads, "label", KYMO_COLUMN_STRING, 1);
  for (guint t = 0; t < n_threads; t++)
    {
      g_autofree char *label = t == 0 ? g_strdup ("mean") : g_strdup_printf ("rank %u", t * 5);

      kymo_table_append_int (threads, 0, t == 0 ? KYMO_NULL_INT : (gint64) t * 5);
      kymo_table_append_string (threads, 1, label);
    }
  kymo_table_add_column (functions, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_vector (functions, "values", KYMO_COLUMN_DOUBLE, MAX (n_threads, 1));
  for (guint f = 0; f < n_functions; f++)
    {
      for (guint t = 0; t < n_threads; t++)
        values[t] = made_value (f, t * 5);
      kymo_table_append_string (functions, 0, made_name (f));
      kymo_table_append_doubles (functions, 1, values);
    }
  kymo_table_set_table (answer, "threads", threads);
  kymo_table_set_table (answer, "functions", functions);
  return answer;
}

static void
add_axis (KymoTable *answer, const char *name, const char *label, const char *unit)
{
  KymoTable *axis = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_string (axis, "label", label);
  kymo_table_set_string (axis, "unit", unit);
  kymo_table_set_table (answer, name, axis);
}

/** made_thread_scatter: */
KymoTable *
made_thread_scatter (guint n_threads)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *threads = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_column (threads, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (threads, "label", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (threads, "cluster", KYMO_COLUMN_INT, 1);
  add_columns (threads, (const char *const[]) { "x", "y", NULL }, KYMO_COLUMN_DOUBLE);
  for (guint t = 0; t < n_threads; t++)
    {
      g_autofree char *label = g_strdup_printf ("rank %u", t);

      kymo_table_append_int (threads, 0, t);
      kymo_table_append_string (threads, 1, label);
      kymo_table_append_int (threads, 2, t % 3);
      kymo_table_append_double (threads, 3, t);
      kymo_table_append_double (threads, 4, t % 7 * (double) t);
    }
  add_axis (answer, "x", made_name (0), "us");
  add_axis (answer, "y", "PAPI_FP_OPS", "");
  kymo_table_set_int (answer, "pes", n_threads);
  kymo_table_set_table (answer, "locations", threads);
  return answer;
}
