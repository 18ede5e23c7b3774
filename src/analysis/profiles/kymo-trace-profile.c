/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace's profile: segments are walked on several threads (kymo-trace-walk.h), each
 * of which numbers the nodes of its own tree; here those trees are made one, paths are
 * read off it, and figures are added up by function and by path.
 *
 * Nodes that have the same path (the last few functions of several stacks) are one
 * event. Functions stand in the order of the run's activities, paths after them, by
 * their functions; so no figure and no order depends on the threads.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-trace-profile-private.h"

#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-share.h"

typedef struct
{
  KymoTraceJob  *job;
  KymoTraceWalk *walk;
  guint          number;
} Worker;

/* -- functions -------------------------------------------------------------- */

static guint32
add_function (KymoTraceJob          *job,
              GHashTable            *by_name,
              const KymoTraceTiming *function)
{
  gpointer known;

  if (by_name != NULL && g_hash_table_lookup_extended (by_name, function->name, NULL, &known))
    return GPOINTER_TO_UINT (known);
  if (by_name != NULL)
    g_hash_table_insert (by_name, function->name, GUINT_TO_POINTER (job->timings->len));
  g_array_append_val (job->timings, *function);
  return job->timings->len - 1;
}

/* Activities of one name are one function, as they have one colour. */
static void
find_functions (KymoTraceJob *job)
{
  static const char *const others[] = { "Overhead", "Idle", "Untraced" };
  static const guint flags[] = { KYMO_PROFILE_OVERHEAD, KYMO_PROFILE_IDLE, KYMO_PROFILE_UNTRACED };
  const GArray *activities = job->run->activities;
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  job->functions.of_activity = g_new (guint32, MAX (activities->len, 1));
  for (guint i = 0; i < activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (job->run, i);
      KymoTraceTiming timing = { g_strdup (activity->name), activity->group,
                                 kymo_activity_is_phase (activity) ? KYMO_PROFILE_PHASE : 0,
                                 activity->role };
      guint n = job->timings->len;

      job->functions.of_activity[i] = activity->kind == KYMO_ACTIVITY_EVENT ? G_MAXUINT32
        : add_function (job, by_name, &timing);
      if (n == job->timings->len)
        g_free (timing.name);
    }
  job->functions.idle = job->timings->len;
  for (guint s = 0; s < G_N_ELEMENTS (others); s++)
    add_function (job, NULL, &(KymoTraceTiming) { g_strdup (others[s]), "", flags[s],
                                                  KYMO_ROLE_RUNTIME });
}

/* Phases that are no functions: stretches of time between marks. */
static void
find_phases (KymoTraceJob *job)
{
  const GArray *phases = kymo_run_peek_phases (job->run);

  job->first_phase = job->timings->len;
  job->phase_numbers = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint i = 0; i < phases->len; i++)
    {
      const KymoPhase *phase = &g_array_index (phases, KymoPhase, i);
      KymoTraceTiming timing = { g_strdup_printf ("Phase %" G_GINT64_FORMAT, phase->phase), "",
                                 KYMO_PROFILE_PHASE, KYMO_ROLE_COMPUTE };

      g_hash_table_insert (job->phase_numbers, (gpointer) &phase->phase, GUINT_TO_POINTER (i));
      add_function (job, NULL, &timing);
    }
  job->phases = phases;
}

/* -- the walk on threads ---------------------------------------------------- */

static void
walk_phase (Worker   *worker,
            guint     phase,
            KymoSpan  whole)
{
  const KymoTraceProfileOptions *options = worker->job->options;
  KymoSpan span = kymo_span_intersect (options->span, whole);
  /* A call that begins in the last moment of the run belongs to the phase that ends there. */
  gint64 count_end_ns = span.end_ns == worker->job->run->span.end_ns ? options->count_end_ns
    : MIN (span.end_ns, options->count_end_ns);

  if (kymo_span_length (span) > 0)
    kymo_trace_walk_add (worker->walk, span, count_end_ns, worker->job->first_phase + phase);
}

/* By the location's own marks, each of which ends a phase: so no two phases of a location
   share a moment. Returns whether it has any. */
static gboolean
walk_own_phases (Worker            *worker,
                 const KymoSegment *segment)
{
  const KymoTraceJob *job = worker->job;
  gint64 begin_ns = job->run->span.begin_ns;
  gboolean any = FALSE;

  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
      gpointer phase;

      if ((i & 0xfff) == 0 && g_cancellable_is_cancelled (job->cancellable))
        break;
      if (point->kind != KYMO_POINT_PHASE
          || !g_hash_table_lookup_extended (job->phase_numbers, &(gint64) { point->id }, NULL,
                                            &phase))
        continue;
      walk_phase (worker, GPOINTER_TO_UINT (phase), (KymoSpan) { begin_ns, point->begin_ns });
      begin_ns = MAX (begin_ns, point->begin_ns);
      any = TRUE;
    }
  return any;
}

/* Of a location that marks none those of the others, each to where the last of them
   ended it. */
static void
walk_phases (Worker            *worker,
             const KymoSegment *segment)
{
  const GArray *phases = worker->job->phases;
  gint64 begin_ns = worker->job->run->span.begin_ns;

  if (walk_own_phases (worker, segment))
    return;
  for (guint i = 0; i < phases->len; i++)
    {
      gint64 end_ns = g_array_index (phases, KymoPhase, i).span.end_ns;

      walk_phase (worker, i, (KymoSpan) { begin_ns, end_ns });
      begin_ns = MAX (begin_ns, end_ns);
    }
}

static gboolean
walk_segment (Worker      *worker,
              KymoSegment *segment,
              guint        index)
{
  KymoTraceJob *job = worker->job;
  const KymoTraceProfileOptions *options = job->options;

  kymo_trace_walk_begin (worker->walk, segment);
  kymo_trace_walk_add (worker->walk, options->span, options->count_end_ns, KYMO_TRACE_ROOT);
  if (job->phases != NULL)
    walk_phases (worker, segment);
  kymo_trace_walk_end (worker->walk, &job->rows[index]);
  job->walked_by[index] = worker->number;
  kymo_trace_samples_add (job, segment, index);
  return !kymo_trace_walk_is_full (worker->walk);
}

static gpointer
walk_some (gpointer data)
{
  Worker *worker = data;
  KymoTraceJob *job = worker->job;
  GPtrArray *segments = job->run->segments;
  gint i;

  while ((i = g_atomic_int_add (&job->next, 1)) < (gint) segments->len)
    {
      KymoSegment *segment = g_ptr_array_index (segments, i);

      if (g_cancellable_is_cancelled (job->cancellable) || g_atomic_int_get (&job->failed) != 0)
        break;
      if (!kymo_segment_use (segment, KYMO_PART_TRACK | KYMO_PART_BLOCKS | KYMO_PART_POINTS))
        g_atomic_int_set (&job->failed, KYMO_TRACE_STALE);
      else if (!walk_segment (worker, segment, i))
        g_atomic_int_set (&job->failed, KYMO_TRACE_TOO_MANY);
    }
  return NULL;
}

static gboolean
check_job (KymoTraceJob  *job,
           GError       **error)
{
  if (g_cancellable_set_error_if_cancelled (job->cancellable, error))
    return FALSE;
  if (job->failed == KYMO_TRACE_STALE)
    kymo_ask_set_stale (&(KymoAsk) { .run = job->run }, error);
  else if (job->failed == KYMO_TRACE_TOO_MANY)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 _("There are more than %u different call paths; ask for a part of the time, "
                   "or for paths to a depth"), kymo_trace_most_paths (job));
  return !job->failed;
}

static void
walk_all (KymoTraceJob *job)
{
  guint n_threads = job->n_threads;
  g_autofree Worker *workers = g_new0 (Worker, n_threads);
  gboolean paths = job->phases == NULL
    && (job->options->by_phase || job->options->depth > 0 || job->options->last > 1);

  job->walks = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_trace_walk_free);
  for (guint i = 0; i < n_threads; i++)
    {
      workers[i] = (Worker) { job, kymo_trace_walk_new (job->run, &job->functions, paths,
                                                        kymo_trace_most_paths (job),
                                                        job->cancellable), i };
      g_ptr_array_add (job->walks, workers[i].walk);
    }
  kymo_share_run ("kymo-walk", n_threads, walk_some, workers, sizeof *workers);
}

static guint
choose_threads (const KymoRun *run,
                guint          n_threads)
{
  guint64 n_blocks = 0;

  if (n_threads == 0)
    n_threads = g_get_num_processors ();
  for (guint i = 0; i < run->segments->len && n_blocks < 20000; i++)
    n_blocks += ((KymoSegment *) g_ptr_array_index (run->segments, i))->n_blocks;
  return n_blocks < 20000 ? 1 : MAX (MIN (n_threads, run->segments->len), 1);
}

/* -- all of it -------------------------------------------------------------- */

static void
free_rows (KymoTraceRows *rows)
{
  g_clear_pointer (&rows->rows, g_array_unref);
  g_clear_pointer (&rows->counters, g_array_unref);
}

static void
clear_job (KymoTraceJob *job)
{
  for (guint i = 0; i < job->run->segments->len; i++)
    {
      free_rows (&job->rows[i]);
      g_clear_pointer (&job->samples[i], g_array_unref);
    }
  for (guint i = 0; i < job->timings->len; i++)
    g_free (g_array_index (job->timings, KymoTraceTiming, i).name);
  g_array_unref (job->timings);
  g_clear_pointer (&job->walks, g_ptr_array_unref);
  g_clear_pointer (&job->phase_numbers, g_hash_table_unref);
  g_free (job->functions.of_activity);
  g_free (job->rows);
  g_free (job->walked_by);
  g_free (job->samples);
}

/**
 * kymo_trace_profile_new:
 * @run: a sealed run of blocks
 * @n_threads: most threads; 0 = one per core
 *
 * Walks over all blocks that begin in the range and makes a profile of them, of all
 * locations of the run. Any thread; blocks.
 *
 * Returns: (transfer full) (nullable): the profile; %NULL when cancelled, when the
 * run's cache file is damaged (%KYMO_ERROR_STALE), or when there are more than
 * %KYMO_TRACE_PROFILE_MAX_PATHS paths
 */
KymoProfileData *
kymo_trace_profile_new (const KymoRun                 *run,
                        const KymoTraceProfileOptions *options,
                        guint                          n_threads,
                        GCancellable                  *cancellable,
                        GError                       **error)
{
  KymoTraceJob job = { .run = run, .options = options, .cancellable = cancellable };
  KymoProfileData *data = NULL;
  guint n = MAX (run->segments->len, 1);

  job.timings = g_array_new (FALSE, FALSE, sizeof (KymoTraceTiming));
  job.rows = g_new0 (KymoTraceRows, n);
  job.walked_by = g_new0 (guint, n);
  job.samples = g_new0 (GArray *, n);
  find_functions (&job);
  if (options->by_phase && !kymo_run_has_phase_functions (run))
    {
      for (guint i = 0; i < run->segments->len; i++)
        if (!kymo_segment_use (g_ptr_array_index (run->segments, i), KYMO_PART_POINTS))
          job.failed = KYMO_TRACE_STALE;
      if (!job.failed)
        find_phases (&job);
    }
  job.functions.n_functions = job.timings->len;
  job.n_threads = choose_threads (run, n_threads);
  walk_all (&job);
  if (check_job (&job, error))
    {
      data = kymo_trace_profile_assemble (&job);
      if (data == NULL)
        check_job (&job, error);
    }
  clear_job (&job);
  return data;
}
