/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * info: what the run is and how efficient it was as a whole; no walk over records.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-clocks.h"
#include "kymo-details.h"
#include "kymo-keywords.h"
#include "kymo-marks.h"
#include "kymo-stream-loads.h"
#include "kymo-profile.h"
#include "kymo-source.h"

static gpointer
state_new (const KymoAsk *ask)
{
  return NULL;
}

static void
state_free (gpointer state)
{
}

static void
info_partial (const KymoAsk *ask,
              gpointer       state,
              KymoSegment   *segment)
{
}

static void
info_merge (const KymoAsk *ask,
            gpointer       into,
            gpointer       from)
{
}

static void
set_capabilities (const KymoRun *run,
                  KymoTable     *answer)
{
  static const char *const words[] =
    { "intervals", "messages", "binned-time", "profile", "counters", "weights", "growing", NULL,
      "stream", "metrics", "paths", "user-events", "waits", "phases", "user-event-times" };
  KymoTable *child = kymo_table_new (KYMO_STYLE_FLAT);
  guint column = kymo_table_add_column (child, "value", KYMO_COLUMN_STRING, 1);
  guint can = kymo_capabilities_of (run);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if ((can & (1u << i)) && words[i] != NULL)
      kymo_table_append_string (child, column, words[i]);
  kymo_table_set_table (answer, "capabilities", child);
}

/**
 * kymo_metrics_of_run:
 *
 * Returns: (transfer full): the names of the run's hardware counters
 */
KymoTable *
kymo_metrics_of_run (const KymoRun *run)
{
  KymoTable *metrics = kymo_table_new (KYMO_STYLE_FLAT);

  kymo_table_add_column (metrics, "value", KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < run->metrics->len; i++)
    kymo_table_append_string (metrics, 0, g_ptr_array_index (run->metrics, i));
  return metrics;
}

static void
set_report (const KymoRun *run,
            KymoTable     *answer)
{
  KymoTable *report = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *issues = kymo_table_new_list ("file:string severity:string what:string count offset");

  for (guint i = 0; i < kymo_report_get_n_issues (run->report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (run->report, i);

      kymo_table_append_row (issues, issue->file, kymo_severity_to_string (issue->severity),
                             issue->what, issue->count,
                             issue->offset >= 0 ? issue->offset : KYMO_NULL_INT);
    }
  kymo_table_set_bool (report, "complete", kymo_report_is_complete (run->report));
  kymo_table_set_table (report, "issues", issues);
  kymo_table_set_table (answer, "report", report);
}

static void
set_facts (const KymoRun *run,
           KymoTable     *answer)
{
  KymoTable *facts = kymo_table_new (KYMO_STYLE_OBJECT);

  for (guint i = 0; i < run->facts->len; i++)
    {
      const KymoFact *fact = &g_array_index (run->facts, KymoFact, i);

      if (kymo_table_find_column (facts, fact->key) < 0)
        kymo_table_set_string (facts, fact->key, fact->value);
    }
  kymo_table_set_table (answer, "run", facts);
}

/* Adds what surrounded the program. */
static void
set_environment (const KymoRun *run,
                 KymoTable     *answer)
{
  KymoTable *table = kymo_table_new_list ("group:string key:string value:string");

  for (guint i = 0; i < run->environment->len; i++)
    {
      const KymoFact *fact = &g_array_index (run->environment, KymoFact, i);
      const char *dot = strchr (fact->key, '.');
      g_autofree char *first = g_strndup (fact->key, (gsize) (dot - fact->key));

      kymo_table_append_row (table, first, dot + 1, fact->value);
    }
  if (run->environment->len > 0)
    kymo_table_set_table (answer, "environment", table);
  else
    kymo_table_unref (table);
}

/* Adds the names of what was measured of nodes, resources and processes. */
static void
set_system_metrics (const KymoRun *run,
                    KymoTable     *answer)
{
  KymoTable *table;

  if (run->series->len == 0)
    return;
  table = kymo_table_new_list ("of:string name:string unit:string samples of_process:bool");
  for (guint i = 0; i < run->series->len; i++)
    {
      const KymoSeries *series = &g_array_index (run->series, KymoSeries, i);

      kymo_table_append_row (table, series->of, series->name, series->unit, series->n,
                             series->location >= 0);
    }
  kymo_table_set_table (answer, "system_metrics", table);
}

/* Adds remarks of the files on moments and stretches of the run. */
static void
set_markers (const KymoRun *run,
             KymoTable     *answer)
{
  const KymoDefinitions *definitions = run->definitions;
  KymoTable *table;

  if (definitions == NULL || definitions->markers->len == 0)
    return;
  table = kymo_marker_table_new ();
  for (guint i = 0; i < definitions->markers->len; i++)
    kymo_marker_table_append (table, run, &g_array_index (definitions->markers, KymoMarker, i));
  kymo_table_set_table (answer, "markers", table);
}

static gint64
count_activities (const KymoRun *run)
{
  gint64 n = 0;

  for (guint i = 0; i < run->activities->len; i++)
    n += kymo_run_peek_activity (run, i)->id >= 0;
  return n;
}

static gboolean
knows_cpu_time (const KymoRun *run)
{
  for (guint i = 0; i < run->locations->len; i++)
    if (kymo_run_peek_location (run, i)->cpu_ns > 0)
      return TRUE;
  return FALSE;
}

static void
set_location_table (const KymoRun *run,
                    KymoTable     *answer)
{
  KymoTable *table = kymo_table_new_list ("location label:string kind:string begin_ns end_ns "
                                          "records");
  guint place = run->places->len > 0
    ? kymo_table_add_column (table, "place", KYMO_COLUMN_INT, 1) : 0;
  gboolean has_cpu = knows_cpu_time (run);
  guint cpu = has_cpu ? kymo_table_add_column (table, "cpu_ns", KYMO_COLUMN_INT, 1) : 0;

  for (guint i = 0; i < run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (run, i);

      kymo_table_append_row (table, location->id, location->label,
                             kymo_location_kind_to_string (location->kind), location->span.begin_ns,
                             location->span.end_ns, location->n_records);
      if (run->places->len > 0)
        kymo_table_append_int (table, place, location->place >= 0 ? location->place
                               : KYMO_NULL_INT);
      if (has_cpu)
        kymo_table_append_int (table, cpu, location->cpu_ns > 0 ? location->cpu_ns
                               : KYMO_NULL_INT);
    }
  kymo_table_set_table (answer, "location_list", table);
}

/* The tree that locations lie in, where it is known: parents before what they hold. */
static void
set_places (const KymoRun *run,
            KymoTable     *answer)
{
  KymoTable *table;

  if (run->places->len == 0)
    return;
  table = kymo_table_new_list ("label:string kind:string parent");
  for (guint i = 0; i < run->places->len; i++)
    {
      const KymoPlace *place = &g_array_index (run->places, KymoPlace, i);

      kymo_table_append_row (table, place->label, place->kind,
                             place->parent >= 0 ? place->parent : KYMO_NULL_INT);
    }
  kymo_table_set_table (answer, "places", table);
}

/* Which times are not those of the files: null, or each process's offset. */
static void
set_clock_correction (const KymoRun *run,
                      KymoTable     *answer)
{
  KymoTable *table = kymo_table_new_list ("process offset_ns");
  guint n_processes;
  g_autofree gint64 *processes = kymo_run_dup_processes (run, &n_processes);
  g_autofree gint64 *offset_ns = g_new0 (gint64, MAX (n_processes, 1));

  if (!kymo_run_has_corrected_clocks (run))
    {
      kymo_table_unref (table);
      kymo_table_set_int (answer, "clock_correction", KYMO_NULL_INT);
      return;
    }
  for (guint i = 0; i < run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (run, i);
      gint place = kymo_find_process (processes, n_processes, location->process);

      if (place >= 0)
        offset_ns[place] = location->clock_offset_ns;
    }
  for (guint i = 0; i < n_processes; i++)
    {
      kymo_table_append_row (table, processes[i], offset_ns[i]);
    }
  kymo_table_set_table (answer, "clock_correction", table);
}

/* The times of the whole run, whatever range was asked; those of workers, for
   these figures are read as averages. */
static void
set_times (const KymoAsk *ask,
           KymoTable     *answer)
{
  KymoAsk whole = *ask;
  KymoProfileState *state = kymo_profile_state_new (ask, FALSE);

  whole.span = ask->run->span;
  for (guint i = 0; i < ask->n_locations && !kymo_ask_is_stopped (ask, i << 6); i++)
    {
      guint location = ask->locations[i];
      KymoProfileState *alone = ask->weights != NULL ? kymo_profile_state_new (ask, FALSE) : state;

      kymo_profile_add_times (&whole, alone, kymo_ask_segment_of (ask, location));
      if (alone == state)
        continue;
      kymo_profile_weigh (ask, alone, location, kymo_ask_weight_of (ask, location));
      kymo_profile_merge (ask, state, alone);
      kymo_profile_state_free (alone);
    }
  kymo_profile_set_times (&whole, answer, state, TRUE);
  kymo_profile_state_free (state);
}

/* Of a summary: how many bins, and how long they are. */
static void
set_bins (const KymoRun *run,
          KymoTable     *answer)
{
  gint64 n = 0, shortest_ns = G_MAXINT64, longest_ns = 0;

  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);

      if (segment->bins == NULL)
        continue;
      n += segment->bins->n_bins;
      shortest_ns = MIN (shortest_ns, segment->bins->bin_ns);
      longest_ns = MAX (longest_ns, segment->bins->bin_ns);
    }
  if (n == 0)
    return;
  kymo_table_set_int (answer, "bins", n);
  kymo_table_set_int (answer, "bin_ns", shortest_ns);
  kymo_table_set_int (answer, "longest_bin_ns", longest_ns);
}

static const char *
find_fact (const KymoRun *run,
           const char    *key)
{
  for (guint i = 0; i < run->facts->len; i++)
    {
      const KymoFact *fact = &g_array_index (run->facts, KymoFact, i);

      if (g_strcmp0 (fact->key, key) == 0)
        return fact->value;
    }
  return NULL;
}

/* Of a stream: what came, and what did not. */
static void
set_stream (const KymoRun *run,
            KymoTable     *answer)
{
  const KymoStreamLog *log = run->stream;
  KymoTable *stream;

  if (log == NULL)
    return;
  stream = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_string (stream, "handler", find_fact (run, "handler"));
  kymo_table_set_int (stream, "pes", log->n_pes);
  kymo_table_set_int (stream, "blocks", log->n_blocks);
  kymo_table_set_int (stream, "lost", log->n_lost);
  kymo_table_set_int (stream, "empty", log->n_empty);
  kymo_table_set_int (stream, "bytes_received", log->bytes_received);
  kymo_table_set_int (stream, "began_us", log->begin_us);
  kymo_table_set_int (stream, "last_us", log->end_us);
  kymo_table_set_int (stream, "thinned_before_ns", log->thinned_before_ns);
  kymo_table_set_bool (stream, "growing", log->growing);
  kymo_table_set_string (stream, "ended", log->ended);
  kymo_stream_loads_set (log, stream);
  kymo_table_set_table (answer, "stream", stream);
  kymo_marks_set (run, KYMO_SPAN_ALL, answer);
}

/* Adds the size of the run; a draft does not know it yet. */
static void
set_counts (const KymoRun *run,
            KymoTable     *answer)
{
  gint64 n_blocks = 0, n_sends = 0, n_points = 0, n_receives = KYMO_NULL_INT;

  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);

      n_blocks += segment->n_blocks;
      n_sends += segment->n_sends;
      n_points += kymo_segment_get_n_points (segment);
      if (segment->exchange != NULL)
        n_receives = MAX (n_receives, 0) + segment->exchange->n_receives;
    }
  kymo_table_set_int (answer, "records", run->draft != NULL ? KYMO_NULL_INT : run->n_records);
  kymo_table_set_int (answer, "intervals", run->draft != NULL ? KYMO_NULL_INT : n_blocks);
  kymo_table_set_int (answer, "messages", run->draft != NULL ? KYMO_NULL_INT : n_sends);
  /* Of messages between functions the receivers have records of their own. */
  if (n_receives != KYMO_NULL_INT)
    kymo_table_set_int (answer, "received", n_receives);
  kymo_table_set_int (answer, "points", run->draft != NULL ? KYMO_NULL_INT : n_points);
}

/* True and estimated time of all that was measured. */
static KymoTable *
make_errors (const KymoAsk *ask)
{
  KymoTable *table = kymo_table_new_list ("id name:string kind:string true_ns estimated_ns");

  for (guint32 state = 0; state < ask->n_states; state++)
    {
      const KymoReductionError *error = kymo_profile_peek_error (ask, state);

      if (error == NULL)
        continue;
      kymo_table_append_row (table, kymo_ask_state_id (ask, state),
                             kymo_ask_state_name (ask, state), kymo_ask_state_kind (ask, state),
                             error->true_ns, error->estimated_ns);
    }
  return table;
}

/* Adds the facts that a reduced run has about its original. */
static void
set_reduction (const KymoAsk *ask,
               KymoTable     *answer)
{
  const KymoReduction *reduction = ask->run->reduction;
  gboolean measured = reduction != NULL && reduction->errors->len > 0;
  KymoTable *table;

  if (reduction == NULL)
    return;
  table = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_int (table, "pes",
                      kymo_id_weights_get_sum (reduction->weights) / KYMO_WEIGHT_ONE);
  kymo_table_set_int (table, "kept", kymo_id_weights_get_n (reduction->weights));
  kymo_table_set_bool (table, "weights", TRUE);
  kymo_table_set_int (table, "clusters",
                      reduction->n_clusters > 0 ? reduction->n_clusters : KYMO_NULL_INT);
  kymo_table_set_int (table, "outliers",
                      reduction->n_clusters > 0 ? reduction->n_outliers : KYMO_NULL_INT);
  kymo_table_set_double (table, "time_profile", reduction->time_profile);
  kymo_table_set_int (table, "bars", measured ? reduction->bars : KYMO_NULL_INT);
  kymo_table_set_int (table, "errors_begin_ns",
                      measured ? reduction->errors_span.begin_ns : KYMO_NULL_INT);
  kymo_table_set_int (table, "errors_end_ns",
                      measured ? reduction->errors_span.end_ns : KYMO_NULL_INT);
  kymo_table_set_double (table, "mean_ratio", reduction->mean_ratio);
  kymo_table_set_double (table, "stddev", reduction->stddev);
  kymo_table_set_table (table, "errors", make_errors (ask));
  kymo_table_set_table (answer, "reduction", table);
}

static KymoTable *
info_finish (const KymoAsk *ask,
             gpointer       state)
{
  const KymoRun *run = ask->run;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  gint64 n_bytes = 0, n_kept = 0;

  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);

      n_bytes += kymo_segment_get_bytes (segment);
      n_kept += kymo_run_peek_location (run, segment->location)->kept;
    }
  kymo_table_set_string (answer, "kind", kymo_run_kind_to_string (run->kind));
  set_capabilities (run, answer);
  kymo_table_set_string (answer, "format", run->format);
  kymo_table_set_string (answer, "format_version", run->format_version);
  kymo_table_set_string (answer, "title", run->title);
  kymo_table_set_string (answer, "path", run->path);
  set_facts (run, answer);
  set_environment (run, answer);
  set_system_metrics (run, answer);
  kymo_table_set_int (answer, "locations", run->locations->len);
  kymo_table_set_int (answer, "locations_original", run->n_locations_original);
  kymo_table_set_int (answer, "locations_kept", n_kept);
  kymo_ask_set_counts (ask, answer);
  kymo_table_set_int (answer, "begin_ns", run->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", run->span.end_ns);
  set_counts (run, answer);
  kymo_table_set_int (answer, "activities", count_activities (run));
  kymo_table_set_table (answer, "metrics", kymo_metrics_of_run (run));
  kymo_table_set_int (answer, "memory_bytes", n_bytes);
  if (run->draft == NULL)
    set_bins (run, answer);
  set_stream (run, answer);
  set_times (ask, answer);
  set_location_table (run, answer);
  set_places (run, answer);
  kymo_table_set_table (answer, "phases", kymo_phases_of_run (run));
  set_markers (run, answer);
  set_clock_correction (run, answer);
  set_reduction (ask, answer);
  if (run->draft == NULL)
    set_report (run, answer);
  return answer;
}

/* Of a stretch of a longer run locations have records beyond its span: sums of the whole say
   nothing of it. */
static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  KymoSpan span = ask->run->span;
  gboolean whole = span.begin_ns <= segment->span.begin_ns && span.end_ns >= segment->span.end_ns;

  return KYMO_NEEDS_PHASES | (whole ? KYMO_NEEDS_SUMS : KYMO_NEEDS_TRACK);
}

static const KymoKeyword keywords[] =
{
  KYMO_KEYWORD_EXTRAPOLATE,
  { "factors", KYMO_KEYWORD_FLAG, NULL, "serialization and transfer, which needs all messages",
    .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "run", NULL },
  { "environment", "group key value" },
  { "system_metrics", "of name unit samples of_process" },
  { "location_list", "location label kind begin_ns end_ns records place cpu_ns" },
  { "places", "label kind parent" },
  { "phases", "phase begin_ns end_ns" },
  { "report", "complete" },
  { "report.issues", "file severity what count offset" },
  { "stream", "handler pes blocks lost empty bytes_received began_us last_us "
    "thinned_before_ns growing ended load_seconds load_mean load_least least_location least_label "
    "load_most most_location most_label delay_mean delay_most delay_location delay_label" },
  KYMO_LIST_OF_MARKS,
  { NULL }
};

const KymoAnswerClass kymo_answer_info =
{
  { "info", N_("An overview"), "what the run is and holds", keywords, .lists = lists,
    .topic = KYMO_TOPIC_OVERVIEW },
  NULL, NULL, state_new, state_free, info_partial, info_merge, info_finish, .needs_of = needs_of,
  .weigh = kymo_ask_weighs,
};
