/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Projections reader: finds the files, reads the .sts, then one log per
 * task on a thread pool, the largest first, and puts the run together.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-cache.h"
#include "kymo-check-run.h"
#include "kymo-error.h"
#include "kymo-noted.h"
#include "kymo-format.h"
#include "kymo-projections-draft.h"
#include "kymo-projections-files.h"
#include "kymo-projections-log.h"
#include "kymo-projections-names.h"
#include "kymo-projections-projrc.h"
#include "kymo-projections-summary.h"
#include "kymo-spill.h"

typedef struct
{
  KymoProjectionsFiles *files;
  KymoSts              *sts;
  KymoRun              *run;
  KymoJob              *job;
  KymoLogResult        *results;        /* by log */
  KymoReport          **reports;        /* by log, until its result is taken */
  const KymoSpan       *axis;           /* of the logs without damage, once it is known */
  KymoProjectionsDraft *draft;          /* while logs are read, or NULL */
  KymoSpill            *spill;
  gint                  n_threads;
  gint                  logs_left;      /* atomic: not yet read */
  gint                  threads_left;   /* atomic: that find no log to read */
} Reading;

static void
read_log (Reading     *reading,
          guint        index,
          KymoLogCare  care)
{
  const KymoProjectionsFile *file = kymo_projections_file (reading->files->logs, index);
  KymoLogRequest request =
  {
    .path = file->path, .name = file->name, .pe = file->pe, .sts = reading->sts,
    .n_activities = reading->run->activities->len, .report = kymo_report_new (),
    .check_names = reading->sts->is_complete && !reading->files->sts_of_other_form,
    .spill = reading->spill, .threads_left = &reading->threads_left,
    .care = care, .axis = reading->axis,
    .ends_alone = reading->results[index].reach.quiet_ns > 0,
  };

  kymo_report_unref (reading->reports[index]);
  reading->reports[index] = request.report;
  kymo_projections_log_result_clear (&reading->results[index]);
  kymo_projections_log_read (&request, reading->job, &reading->results[index]);
}

/* Takes over the result of a log: its segment and its part of the load report. */
static void
take_result (Reading *reading,
             guint    index)
{
  KymoLogResult *result = &reading->results[index];

  kymo_report_add_all (reading->run->report, reading->reports[index]);
  kymo_projections_draft_sealed (reading->draft, index, result->segment);
  if (result->segment == NULL)
    return;
  kymo_spill_add (reading->spill, index, &result->segment);
  result->out_of_memory = kymo_spill_is_over (reading->spill);
}

static gboolean
is_settled (const KymoLogResult *result)
{
  return result->care == KYMO_LOG_TRUSTING && !kymo_reach_is_lopsided (&result->reach)
    && result->reach.quiet_ns == 0;
}

static void
read_one (Reading *reading,
          guint    index)
{
  if (kymo_job_is_cancelled (reading->job))
    return;
  read_log (reading, index, KYMO_LOG_WATCHFUL);
  if (is_settled (&reading->results[index]))
    take_result (reading, index);
}

static void
read_next (gpointer data,
           gpointer user_data)
{
  Reading *reading = user_data;

  read_one (reading, GPOINTER_TO_UINT (data) - 1);
  /* This thread finds no other log; one that is still read may need it. */
  if (g_atomic_int_add (&reading->logs_left, -1) <= reading->n_threads)
    g_atomic_int_inc (&reading->threads_left);
}

static int
compare_sizes (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  GArray *logs = data;
  gint64 x = kymo_projections_file (logs, *(const guint *) a)->size_bytes;
  gint64 y = kymo_projections_file (logs, *(const guint *) b)->size_bytes;

  return x > y ? -1 : x < y;
}

/* Largest first, so that no thread is left alone with a large one at the end. */
static void
read_logs (Reading *reading,
           guint    n_threads)
{
  GArray *logs = reading->files->logs;
  g_autofree guint *order = g_new (guint, logs->len);
  GThreadPool *pool;

  reading->n_threads = n_threads > 0 ? n_threads : g_get_num_processors ();
  reading->logs_left = logs->len;
  reading->threads_left = MAX (reading->n_threads - (gint) logs->len, 0);
  pool = g_thread_pool_new (read_next, reading, reading->n_threads, FALSE, NULL);
  for (guint i = 0; i < logs->len; i++)
    order[i] = i;
  g_qsort_with_data (order, logs->len, sizeof (guint), compare_sizes, logs);
  for (guint i = 0; i < logs->len; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (order[i] + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
}

static void
read_again (gpointer data,
            gpointer user_data)
{
  Reading *reading = user_data;
  guint index = GPOINTER_TO_UINT (data) - 1;
  KymoLogCare care = MAX (reading->results[index].care, KYMO_LOG_CAREFUL);

  if (kymo_job_is_cancelled (reading->job))
    return;
  read_log (reading, index, care);
  reading->results[index].care = care;
  take_result (reading, index);
}

static KymoNoted
noted_of (const KymoProjectionsFiles *files,
          gint64                      n_pes)
{
  return (KymoNoted) { files->folder, files->base, n_pes, NULL, 0 };
}

/* The span of the sound logs; for a part of a run, the span of the original run. */
static gboolean
find_axis (const Reading *reading,
           KymoReach     *reaches,
           KymoSpan      *axis)
{
  const KymoNoted noted = noted_of (reading->files, reading->sts->n_pes);
  gboolean found = kymo_reach_find_axis (reaches, reading->files->logs->len, axis);

  return kymo_selection_get_axis (&noted, axis) || found;
}

/* Logs that are doubtful are read again, now that it is known where the records of the
   others lie. */
static void
settle_doubtful (Reading *reading)
{
  guint n = reading->files->logs->len;
  g_autofree KymoReach *reaches = g_new0 (KymoReach, MAX (n, 1));
  GThreadPool *pool = g_thread_pool_new (read_again, reading, reading->n_threads, FALSE, NULL);
  KymoSpan axis;

  for (guint i = 0; i < n; i++)
    {
      reaches[i] = reading->results[i].reach;
      reaches[i].doubtful = reading->results[i].care != KYMO_LOG_TRUSTING;
    }
  if (find_axis (reading, reaches, &axis))
    {
      reading->axis = &axis;
      reading->run->axis = axis;
    }
  for (guint i = 0; i < n && !kymo_job_is_cancelled (reading->job); i++)
    if (reaches[i].doubtful)
      g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
    else if (!is_settled (&reading->results[i]))
      take_result (reading, i);
  g_thread_pool_free (pool, FALSE, TRUE);
  reading->axis = NULL;
}

/* PEs beyond PROCESSORS are not of this run. */
static void
drop_foreign_pes (Reading *reading)
{
  GArray *logs = reading->files->logs;

  while (logs->len > 0)
    {
      const KymoProjectionsFile *last = kymo_projections_file (logs, logs->len - 1);

      if (last->pe < reading->sts->n_pes)
        break;
      kymo_report_add (reading->run->report, last->name, KYMO_SEVERITY_LOST, 1, -1,
                       N_("The PE in the name of the file is beyond the number of PEs; "
                          "the log is left out"));
      g_array_set_size (logs, logs->len - 1);
    }
}

static gboolean
is_reduced (Reading *reading)
{
  KymoNoted noted = noted_of (reading->files, reading->sts->n_pes);
  g_autofree gint64 *ids = g_new (gint64, MAX (reading->files->logs->len, 1));

  noted.n_ids = reading->files->logs->len;
  for (guint i = 0; i < noted.n_ids; i++)
    ids[i] = kymo_projections_file (reading->files->logs, i)->pe;
  noted.ids = ids;
  return kymo_reduced_report (&noted, reading->run);
}

/* Takes what the .kymo file says, once the PEs of the run are known. */
static void
take_note (const KymoProjectionsFiles *files,
           KymoRun                    *run,
           KymoReport                 *report)
{
  const KymoNoted noted = noted_of (files, run->n_locations_original);

  kymo_reduced_take_weights (&noted, run, report);
}

static void
take_selection (const KymoProjectionsFiles *files,
                KymoRun                    *run)
{
  const KymoNoted noted = noted_of (files, run->n_locations_original);

  kymo_selection_apply (&noted, run);
}

/* The stretches of numbers without a log, at most a few of them in words. */
static void
report_missing (Reading *reading)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = kymo_projections_names_file (reading->files);
  GArray *logs = reading->files->logs;
  gint64 expected = 0, n_missing = reading->sts->n_pes - logs->len;
  guint n_ranges = 0;

  if (is_reduced (reading) || n_missing <= 0)
    return;
  for (guint i = 0; i <= logs->len; i++)
    {
      gint64 pe = i < logs->len ? kymo_projections_file (logs, i)->pe
        : reading->sts->n_pes;

      if (pe > expected && n_ranges++ < 20)
        {
          g_string_append_printf (text, "%s%" G_GINT64_FORMAT, n_ranges > 1 ? "," : "", expected);
          if (pe > expected + 1)
            g_string_append_printf (text, "-%" G_GINT64_FORMAT, pe - 1);
        }
      expected = pe + 1;
    }
  kymo_report_add (reading->run->report, name, KYMO_SEVERITY_LOST, n_missing, -1,
                   N_("PEs without a log: %s%s"), text->str, n_ranges > 20 ? ",…" : "");
}

/* Reports files that lie in the folder beside the logs. */
static void
report_beside (Reading *reading)
{
  const KymoProjectionsFiles *files = reading->files;
  KymoReport *report = reading->run->report;

  if (files->sums->len > 0)
    kymo_report_add (report, files->base, KYMO_SEVERITY_NOTE, files->sums->len, -1,
                     N_("The .sum files beside the logs are not read; "
                        "naming one of them opens the summary"));
  if (files->projrc != NULL)
    {
      g_autofree char *name = g_path_get_basename (files->projrc);

      kymo_projrc_read (files->projrc, name, reading->run);
    }
  kymo_projections_files_report (files, report);
}

/* A damaged log says nothing about the names; only if all logs are damaged it is unknown. */
static gboolean
is_sound (const Reading *reading,
          guint          i)
{
  return reading->results[i].care == KYMO_LOG_TRUSTING;
}

static void
report_misfits (Reading *reading)
{
  g_autofree char *name = kymo_projections_names_file (reading->files);
  KymoReport *report = reading->run->report;
  gint64 n = 0;

  for (guint i = 0; i < reading->files->logs->len; i++)
    if (is_sound (reading, i))
      n += reading->results[i].n_misfits;
    else if (reading->results[i].n_misfits > 0)
      kymo_report_add (report, kymo_projections_file (reading->files->logs, i)->name,
                       KYMO_SEVERITY_LOST, reading->results[i].n_misfits, -1,
                       N_("Begin records have other fields or entry methods than the .sts tells"));
  if (n > 0)
    kymo_report_add (report, name, KYMO_SEVERITY_LOST, n, -1,
                     N_("The .sts is of another run: begin records of the logs have other fields "
                        "or entry methods than it tells; the names cannot be trusted"));
}

static void
assemble_projections (Reading *reading)
{
  KymoRun *run = reading->run;

  for (guint i = 0; i < reading->files->logs->len; i++)
    {
      const KymoProjectionsFile *file = kymo_projections_file (reading->files->logs, i);
      KymoLogResult *result = &reading->results[i];
      KymoLocation location;

      if (result->reduced)
        run->kind = KYMO_RUN_REDUCED;
      if (result->segment == NULL)
        continue;
      location = kymo_sts_describe_location (reading->sts, file->pe);
      location.kept = result->kept;
      location.cpu_ns = result->cpu_ns;
      location.cpu_clock = result->cpu_clock;
      kymo_run_add_location (run, &location, g_steal_pointer (&result->segment));
      kymo_run_add_stretched (run, result->stretched, result->stretch_sums);
    }
  run->n_locations_original = reading->sts->n_pes;
}

static void
describe_projections (Reading    *reading,
                      const char *path)
{
  KymoRun *run = reading->run;
  const char *base = reading->files->base;

  run->path = g_strdup (reading->files->folder);
  run->title = g_utf8_make_valid (base, -1);
  if (g_str_has_suffix (run->title, ".proj") && strlen (run->title) > 5)
    run->title[strlen (run->title) - 5] = '\0';
  run->format = g_strdup ("projections");
  kymo_run_add_fact (run, "program", run->title);
}

static gboolean
check_results (Reading     *reading,
               const char  *path,
               GError     **error)
{
  if (kymo_open_is_stopped (reading->job, path, error))
    return FALSE;
  for (guint i = 0; i < reading->files->logs->len; i++)
    if (reading->results[i].out_of_memory)
      {
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                     _("“%s” needs more memory than the limit allows"), path);
        return FALSE;
      }
  if (!kymo_spill_map (reading->spill, error))
    return FALSE;
  report_misfits (reading);
  assemble_projections (reading);
  if (reading->run->locations->len > 0)
    return TRUE;
  kymo_report_sort (reading->run->report);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("“%s”: no log of %s can be read; the first of %u: %s"), path,
               reading->files->base, reading->files->logs->len,
               kymo_report_get_n_issues (reading->run->report) > 0
               ? kymo_report_peek_issue (reading->run->report, 0)->what : "no records");
  return FALSE;
}

static void
reading_clear (Reading *reading)
{
  for (guint i = 0; reading->results != NULL && i < reading->files->logs->len; i++)
    {
      kymo_projections_log_result_clear (&reading->results[i]);
      kymo_report_unref (reading->reports[i]);
    }
  g_free (reading->results);
  g_free (reading->reports);
  kymo_projections_files_free (reading->files);
  kymo_sts_free (reading->sts);
  kymo_run_unref (reading->run);
  kymo_spill_unref (reading->spill);
}

static void
on_spill (gpointer data)
{
  kymo_projections_draft_keep_less (((Reading *) data)->draft);
}

static gboolean
read_all (Reading                *reading,
          const char             *path,
          const KymoOpenOptions  *options,
          GError                **error)
{
  gint64 total = 0;

  describe_projections (reading, path);
  for (guint i = 0; i < reading->files->logs->len; i++)
    total += kymo_projections_file (reading->files->logs, i)->size_bytes;
  if (reading->job != NULL)
    kymo_job_set_total (reading->job, total);
  kymo_job_set_stage (reading->job, _("Reading names"));
  reading->sts = kymo_projections_read_names (reading->files, reading->run, reading->job,
                                              options->n_threads);
  report_beside (reading);
  drop_foreign_pes (reading);
  report_missing (reading);
  kymo_spill_set_run (reading->spill, reading->run->metrics->len,
                      KYMO_STATE_ACTIVITY + reading->run->activities->len);
  kymo_job_set_stage (reading->job, _("Reading logs"));
  reading->results = g_new0 (KymoLogResult, MAX (reading->files->logs->len, 1));
  reading->reports = g_new0 (KymoReport *, MAX (reading->files->logs->len, 1));
  reading->draft = kymo_projections_draft_start (reading->files, reading->sts, reading->run,
                                                 options, reading->job);
  kymo_spill_on_active (reading->spill, on_spill, reading);
  read_logs (reading, options->n_threads);
  settle_doubtful (reading);
  kymo_projections_draft_stop (g_steal_pointer (&reading->draft));
  return check_results (reading, path, error);
}

static gboolean
check_clocks (Reading                *reading,
              const char             *path,
              const KymoOpenOptions  *options,
              GError                **error)
{
  g_autofree char *name = kymo_projections_names_file (reading->files);

  kymo_job_set_stage (reading->job, _("Comparing clocks"));
  kymo_check_clocks (reading->run, name, options,
                     reading->job != NULL ? kymo_job_peek_cancellable (reading->job) : NULL);
  return !kymo_open_is_stopped (reading->job, path, error);
}

static void
add_files (KymoCacheEntry *entry,
           GArray         *files)
{
  for (guint i = 0; i < files->len; i++)
    {
      const KymoProjectionsFile *file = kymo_projections_file (files, i);

      kymo_cache_entry_add_file (entry, file->path, file->name);
    }
}

/* Of these the names are kept, as they stand in the run's folder. */
static void
add_names (KymoCacheEntry *entry,
           const char     *folder,
           GPtrArray      *names)
{
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);

      kymo_cache_entry_add_file (entry, path, names->pdata[i]);
    }
}

/* The entry of the cache for a run. It names every file of the run, also those of its other form,
   those that have a larger twin and folders that are closed: whether there are any decides what
   is told about the run. NULL where the run is not to be kept: summaries are small. */
static KymoCacheEntry *
make_cache_entry (const KymoProjectionsFiles *files,
                                   const char                 *path,
                                   const KymoOpenOptions      *options)
{
  g_autofree char *sts_name = files->sts != NULL ? g_path_get_basename (files->sts) : NULL;
  g_autofree char *reduced = kymo_reduced_dup_path (files->folder, files->base);
  KymoCacheEntry *entry;

  if (options->no_cache || files->form != KYMO_PROJECTIONS_LOGS)
    return NULL;
  entry = kymo_cache_entry_new (path, options, files->folder, files->base, "projections logs");
  if (files->sts != NULL)
    kymo_cache_entry_add_file (entry, files->sts, sts_name);
  if (files->projrc != NULL)
    kymo_cache_entry_add_file (entry, files->projrc, "projrc");
  if (reduced != NULL)
    kymo_cache_entry_add_file (entry, reduced, "kymo");
  add_files (entry, files->logs);
  add_files (entry, files->sums);
  add_files (entry, files->details);
  add_names (entry, files->folder, files->twins);
  add_names (entry, files->folder, files->closed_folders);
  return entry;
}

static KymoRun *
projections_read (const char             *path,
                  const KymoOpenOptions  *options,
                  KymoJob                *job,
                  GError                **error)
{
  Reading reading = { .job = job };
  g_autoptr (KymoCacheEntry) kept = NULL;
  KymoRun *run = NULL;

  reading.files = kymo_projections_find (path, options->base, error);
  if (reading.files == NULL)
    return NULL;
  if (reading.files->form == KYMO_PROJECTIONS_SUMMARY)
    {
      run = kymo_projections_read_summary (reading.files, path, options, job, error);
      kymo_projections_files_free (reading.files);
      return run;
    }
  kept = make_cache_entry (reading.files, path, options);
  if (kept != NULL && (run = kymo_cache_load (kept)) != NULL)
    {
      /* Problems with the notes are in the kept load report already. */
      take_note (reading.files, run, NULL);
      take_selection (reading.files, run);
      kymo_projections_files_free (reading.files);
      return run;
    }
  reading.run = kymo_run_new ();
  reading.spill = kymo_spill_new (options->memory_limit_bytes, kept != NULL, job);
  if (read_all (&reading, path, options, error)
      && check_clocks (&reading, path, options, error))
    {
      take_note (reading.files, reading.run, reading.run->report);
      kymo_run_seal (reading.run);
      take_selection (reading.files, reading.run);
      run = kymo_run_ref (reading.run);
      if (kept != NULL)
        kymo_cache_attach (kept, run, reading.spill);
    }
  reading_clear (&reading);
  return run;
}

const KymoFormat kymo_format_projections =
{
  .id = "projections",
  .kind = KYMO_FORMAT_TRACE,
  .tool = "Projections",
  .label = N_("Projections run"),
  .globs = KYMO_FORMAT_WORDS ("*.sts", "*.sts.gz", "*.log", "*.log.gz", "*.sum", "*.sumd",
                              "*.projrc"),
  .types = KYMO_FORMAT_WORDS ("application/x-projections-sts", "application/x-projections-log",
                              "application/x-projections-summary",
                              "application/x-projections-projrc"),
  .read = projections_read,
  .part = kymo_projections_files_part,
};
