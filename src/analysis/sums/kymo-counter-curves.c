/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counters: what was sampled over time. A counter is a user event with values, a
 * statistic, the memory in use, or a metric of functions. A sample of a metric is a call:
 * what it counted itself, without the calls inside it, at its begin.
 *
 * Without "name" a list of the counters, with their columns over all locations where the
 * question has columns; with it the columns of each location, or of each 2^j locations
 * together where the question has fewer rows than there are locations. A column has the
 * samples that begin in it, and no mean where there is none. A metric and a user event of
 * one name are two counters.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-counter-samples.h"
#include "kymo-engine.h"
#include "kymo-order.h"

#include <math.h>

#include "kymo-error.h"
#include "kymo-memory.h"
#include "kymo-trace-profile-private.h"

#define MOST_COLUMNS 20000

/**
 * Column: samples of one stretch of time
 * @sum: of the locations that were walked
 * @here: of the location that is walked. Sums of locations are joined in their order, so that they
 *   do not depend on who walked which
 */
typedef struct
{
  gint64 n;
  double min, max, sum, here;
} Column;

/** Curve: of one counter, of all locations or of one */
typedef struct
{
  char    *key;                 /* a letter for the kind, then the name */
  const char *name;
  gboolean is_metric;
  gboolean is_met;              /* on the location that is walked */
  guint    location;            /* the first, where the question is about one counter */
  Column   all;
  Column  *columns;             /* or NULL */
} Curve;

/**
 * Job: one answer in the making
 * @of: the wanted name, or NULL
 * @group: locations of a series
 * @curves: all of them; of the series that is made, or of all locations, @by_name
 * @of_kind: curve of samples of a kind, which go by their numbers; %NULL = not wanted
 */
typedef struct
{
  const KymoAsk *ask;
  const char    *of;
  const gint64  *edges_ns;
  guint          n_columns;
  gint64         end_ns;
  guint          group;
  GPtrArray     *curves;
  GPtrArray     *met;           /* curves of the location that is walked */
  GHashTable    *by_name;       /* name, a letter for its kind before it */
  GHashTable    *of_kind;
} Job;

static void
curve_free (gpointer data)
{
  Curve *curve = data;

  g_free (curve->key);
  g_free (curve->columns);
  g_free (curve);
}

static void
add_to (Column *column,
        double  value)
{
  column->min = column->n == 0 ? value : MIN (column->min, value);
  column->max = column->n == 0 ? value : MAX (column->max, value);
  column->here += value;
  column->n++;
}

static void
join_column (Column *column)
{
  column->sum += column->here;
  column->here = 0;
}

/* The location has no more samples. */
static void
join_curves (Job *job)
{
  for (guint i = 0; i < job->met->len; i++)
    {
      Curve *curve = job->met->pdata[i];

      join_column (&curve->all);
      for (guint k = 0; k < job->n_columns; k++)
        join_column (&curve->columns[k]);
      curve->is_met = FALSE;
    }
  g_ptr_array_set_size (job->met, 0);
}

static Curve *
find_curve (Job        *job,
            const char *name,
            gboolean    is_metric,
            guint       location)
{
  g_autofree char *key = g_strconcat (is_metric ? "m" : "u", name, NULL);
  Curve *curve = g_hash_table_lookup (job->by_name, key);

  if (curve != NULL)
    return curve;
  curve = g_new0 (Curve, 1);
  curve->key = g_steal_pointer (&key);
  curve->name = curve->key + 1;
  curve->is_metric = is_metric;
  curve->location = location;
  curve->columns = job->n_columns > 0 ? g_new0 (Column, job->n_columns) : NULL;
  g_ptr_array_add (job->curves, curve);
  g_hash_table_insert (job->by_name, curve->key, curve);
  return curve;
}

static gboolean
is_inside (const Job *job,
           gint64     time_ns)
{
  return time_ns >= job->ask->span.begin_ns && time_ns < job->end_ns;
}

/* The columns are equal parts of the range, to the nanosecond as their edges say. */
static guint
column_of (const Job *job,
           gint64     time_ns)
{
  return KYMO_FIND_FIRST (i, 1, job->n_columns, job->edges_ns[i] > time_ns) - 1;
}

static void
add_sample (Job    *job,
            Curve  *curve,
            gint64  time_ns,
            double  value)
{
  if (!curve->is_met)
    {
      curve->is_met = TRUE;
      g_ptr_array_add (job->met, curve);
    }
  add_to (&curve->all, value);
  if (curve->columns != NULL)
    add_to (&curve->columns[column_of (job, time_ns)], value);
}

static gboolean
is_wanted (const Job  *job,
           const char *name)
{
  return job->of == NULL || g_str_equal (job->of, name);
}

/* Samples of several kinds may take turns: each kind is looked up by its name once. */
static Curve *
curve_of_kind (Job             *job,
               const KymoPoint *point,
               guint            location)
{
  KymoTraceSample sample = { .kind = point->kind, .activity = point->activity, .id = point->id };
  gboolean by_id = point->activity == G_MAXUINT32;
  gint64 key = (gint64) point->kind << 33 | (gint64) by_id << 32
    | (by_id ? (guint32) point->id : point->activity);
  g_autofree char *name = NULL;
  gpointer found;

  if (g_hash_table_lookup_extended (job->of_kind, &key, NULL, &found))
    return found;
  name = kymo_trace_sample_dup_name (job->ask->run, &sample);
  found = is_wanted (job, name) ? find_curve (job, name, FALSE, location) : NULL;
  g_hash_table_insert (job->of_kind, g_memdup2 (&key, sizeof key), found);
  return found;
}

static void
add_points (Job         *job,
            KymoSegment *segment,
            guint        location)
{
  KymoTraceSample last = { .kind = KYMO_N_POINT_KINDS };
  Curve *curve = NULL;

  for (guint i = 0; i < segment->points->len && !kymo_ask_is_stopped (job->ask, i); i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if (!kymo_trace_is_sample (point) || !is_inside (job, point->begin_ns))
        continue;
      if (point->kind != last.kind || point->activity != last.activity || point->id != last.id)
        {
          last.kind = point->kind;
          last.activity = point->activity;
          last.id = point->id;
          curve = curve_of_kind (job, point, location);
        }
      if (curve != NULL)
        add_sample (job, curve, point->begin_ns, point->value);
    }
}

static gboolean
wants_metrics (const Job *job,
               guint      n)
{
  gboolean any = FALSE;

  for (guint k = 0; k < n; k++)
    any |= is_wanted (job, job->ask->run->metrics->pdata[k]);
  return any;
}

/* Counters of blocks are many: they are not copied for a question about something else. */
static void
add_metrics (Job         *job,
             KymoSegment *segment,
             guint        location)
{
  const KymoRun *run = job->ask->run;
  guint n = MIN (segment->n_counters, run->metrics->len);
  kymo_autoscratch gint64 *own = wants_metrics (job, n)
    ? kymo_segment_exclusive_counters (segment) : NULL;

  for (guint k = 0; own != NULL && k < n; k++)
    {
      const char *name = run->metrics->pdata[k];
      Curve *curve = is_wanted (job, name) ? find_curve (job, name, TRUE, location) : NULL;

      for (guint i = kymo_segment_first_block (segment, job->ask->span.begin_ns);
           curve != NULL && i < segment->n_blocks
           && kymo_segment_block_begin (segment, i) < job->end_ns; i++)
        {
          gint64 value = own[(gsize) i * segment->n_counters + k];
          gint64 time_ns = kymo_segment_block_begin (segment, i);

          if (kymo_ask_is_stopped (job->ask, i))
            return;
          if (value != KYMO_NO_COUNT && is_inside (job, time_ns))
            add_sample (job, curve, time_ns, (double) value * kymo_run_metric_scale (run, k));
        }
    }
}

/* FALSE with an error where a segment is damaged, or it is to stop. */
static gboolean
walk_counter_curves (Job     *job,
                     GError **error)
{
  const KymoAsk *ask = job->ask;

  for (guint i = 0; i < ask->n_locations; i++)
    {
      KymoSegment *segment = kymo_ask_segment_of (ask, ask->locations[i]);

      if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
        return FALSE;
      if (!kymo_segment_use (segment, KYMO_PART_POINTS | KYMO_PART_BLOCKS))
        {
          kymo_ask_set_stale (ask, error);
          return FALSE;
        }
      if (job->of != NULL && i % job->group == 0)
        {
          g_hash_table_remove_all (job->by_name);
          g_hash_table_remove_all (job->of_kind);
        }
      add_points (job, segment, ask->locations[i - i % job->group]);
      add_metrics (job, segment, ask->locations[i - i % job->group]);
      join_curves (job);
    }
  return !g_cancellable_set_error_if_cancelled (ask->cancellable, error);
}

static int
compare_curves (gconstpointer a,
                gconstpointer b)
{
  const Curve *x = *(Curve *const *) a, *y = *(Curve *const *) b;

  KYMO_ORDER_BY (x->location, y->location);
  return g_strcmp0 (x->name, y->name) != 0 ? g_strcmp0 (x->name, y->name)
    : x->is_metric - y->is_metric;
}

static double
mean_of (const Column *column)
{
  return column->n > 0 ? column->sum / column->n : NAN;
}

/* The columns as vectors; nothing was sampled where n is 0. */
static void
append_columns (KymoTable   *list,
                const guint *at,
                const Curve *curve,
                guint        n)
{
  gint64 *samples = kymo_table_extend_ints (list, at[0], 1);
  double *min = kymo_table_extend_doubles (list, at[1], 1);
  double *max = kymo_table_extend_doubles (list, at[2], 1);
  double *mean = kymo_table_extend_doubles (list, at[3], 1);

  for (guint i = 0; i < n; i++)
    {
      const Column *column = &curve->columns[i];

      samples[i] = column->n;
      min[i] = column->n > 0 ? column->min : NAN;
      max[i] = column->n > 0 ? column->max : NAN;
      mean[i] = mean_of (column);
    }
}

static void
add_vectors (KymoTable *list,
             guint     *at,
             guint      n)
{
  at[0] = kymo_table_add_vector (list, "column_samples", KYMO_COLUMN_INT, n);
  at[1] = kymo_table_add_vector (list, "column_min", KYMO_COLUMN_DOUBLE, n);
  at[2] = kymo_table_add_vector (list, "column_max", KYMO_COLUMN_DOUBLE, n);
  at[3] = kymo_table_add_vector (list, "column_mean", KYMO_COLUMN_DOUBLE, n);
}

static KymoTable *
make_list (const Job *job)
{
  KymoTable *list = kymo_table_new_list ("location label:string name:string kind:string "
                                         "unit:string samples min:double max:double mean:double");
  guint vectors[4] = { 0 };

  if (job->n_columns > 0)
    add_vectors (list, vectors, job->n_columns);
  for (guint i = 0; i < job->curves->len; i++)
    {
      const Curve *curve = job->curves->pdata[i];
      const KymoLocation *where = kymo_run_peek_location (job->ask->run, curve->location);

      if (curve->all.n == 0)
        continue;
      kymo_table_append_row (list, job->of != NULL ? where->id : KYMO_NULL_INT,
                             job->of != NULL ? where->label : NULL, curve->name,
                             curve->is_metric ? "metric" : "user-event",
                             kymo_counter_unit (job->ask->run, curve->name), curve->all.n,
                             curve->all.min, curve->all.max, mean_of (&curve->all));
      if (job->n_columns > 0)
        append_columns (list, vectors, curve, job->n_columns);
    }
  return list;
}

static KymoTable *
make_answer (Job *job)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  /* Without a name curves are of all locations, wherever they were met first. */
  for (guint i = 0; job->of == NULL && i < job->curves->len; i++)
    ((Curve *) job->curves->pdata[i])->location = 0;
  g_ptr_array_sort (job->curves, compare_curves);
  kymo_table_set_int (answer, "begin_ns", job->ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", job->ask->span.end_ns);
  if (job->of != NULL)
    kymo_table_set_string (answer, "name", job->of);
  if (job->n_columns > 0)
    kymo_table_set_ints (answer, "edges_ns", job->edges_ns, job->n_columns + 1);
  if (job->group > 1)
    kymo_table_set_int (answer, "group", job->group);
  kymo_table_set_table (answer, job->of != NULL ? "series" : "names", make_list (job));
  return answer;
}

/* As many locations to a series as make no more series than there are rows; %FALSE where
   they would take more memory than an answer may. */
static gboolean
choose_group (Job     *job,
              GError **error)
{
  const KymoAsk *ask = job->ask;
  guint most = kymo_question_get_rows (ask->question);

  job->group = 1;
  while (job->of != NULL && most > 0 && (ask->n_locations + job->group - 1) / job->group > most)
    job->group *= 2;
  return job->of == NULL || kymo_counter_is_in_bounds (ask, ask->n_locations / job->group,
                                                       job->n_columns, error);
}

static KymoTable *
counter_curves_answer (KymoAsk  *ask,
                       guint     n_threads,
                       GError  **error)
{
  Job job = { .ask = ask, .of = kymo_question_get (ask->question, "name"),
              .end_ns = kymo_ask_count_end (ask) };
  g_autoptr (GPtrArray) curves = g_ptr_array_new_with_free_func (curve_free);
  g_autoptr (GPtrArray) met = g_ptr_array_new ();
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) of_kind =
    g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autofree gint64 *edges_ns = NULL;

  (void) n_threads;
  if (kymo_question_get_columns (ask->question) > 0)
    {
      edges_ns = kymo_ask_edges (ask, 1, MOST_COLUMNS, &job.n_columns, error);
      if (edges_ns == NULL)
        return NULL;
    }
  job.edges_ns = edges_ns;
  job.curves = curves;
  job.met = met;
  job.by_name = by_name;
  job.of_kind = of_kind;
  if (!choose_group (&job, error))
    return NULL;
  return walk_counter_curves (&job, error) ? make_answer (&job) : NULL;
}

static const KymoKeyword keywords[] =
{
  { "name", KYMO_KEYWORD_TEXT, "NAME", "of one counter, each location; else all counters" },
  { "bins", KYMO_KEYWORD_COUNT, "N", "columns over time", KYMO_KEYWORD_TO_COLUMNS, 100 },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "names", "location label name kind unit samples min max mean column_samples "
    "column_min column_max column_mean" },
  { "series", "location label name kind unit samples min max mean column_samples "
    "column_min column_max column_mean" },
  { NULL }
};

const KymoAnswerClass kymo_answer_counters =
{
  { "counters", N_("A chart of counters"),
    "user events and metrics over time: samples, min, max, mean", keywords, KYMO_CAN_INTERVALS,
    .lists = lists,
    .topic = KYMO_TOPIC_TIME, .example = "--bins 20" },
  .answer = counter_curves_answer,
};
