/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of TAU traces: finds the files, reads their events, then the records of all
 * threads on all cores, and puts the run together.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-cache.h"
#include "kymo-check-run.h"
#include "kymo-error.h"
#include "kymo-file-stamp.h"
#include "kymo-noted.h"
#include "kymo-format.h"
#include "kymo-input.h"
#include "kymo-tau-metadata.h"
#include "kymo-tau-reading.h"

static void
reading_init (KymoTauTraceReading        *reading,
              KymoTauFiles          *files,
              const KymoOpenOptions *options,
              KymoJob               *job)
{
  guint n = files->traces->len;

  *reading = (KymoTauTraceReading) { .files = files, .job = job };
  reading->n_cores = options->n_threads > 0 ? options->n_threads : g_get_num_processors ();
  reading->run = kymo_run_new ();
  reading->inputs = g_new0 (KymoTauInput, n);
  reading->states = g_new0 (KymoTauInputState, n);
  reading->events = g_new0 (KymoTauEvents *, n);
  reading->threads = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_tau_thread_free);
  reading->node_events = g_hash_table_new_full (NULL, NULL, NULL,
                                                (GDestroyNotify) kymo_tau_events_free);
}

static void
reading_clear (KymoTauTraceReading *reading)
{
  g_free (reading->inputs);
  g_free (reading->states);
  g_free (reading->events);
  g_ptr_array_unref (reading->threads);
  g_hash_table_unref (reading->node_events);
  kymo_run_unref (reading->run);
  kymo_spill_unref (reading->spill);
  kymo_part_note_free (reading->note);
  kymo_tau_files_free (reading->files);
}

static void
describe_tau_trace (KymoTauTraceReading *reading)
{
  const KymoTauFiles *files = reading->files;
  KymoRun *run = reading->run;
  g_autofree char *absolute = g_canonicalize_filename (files->folder, NULL);
  g_autofree char *name = g_path_get_basename (absolute);

  run->path = g_strdup (files->folder);
  run->title = g_utf8_make_valid (files->merged && !g_str_equal (files->base, "tau")
                                  ? files->base : name, -1);
  run->format = g_strdup ("tau-trace");
  run->terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
}

static gint64
count_bytes (const KymoTauFiles *files,
             guint               n_cores)
{
  gint64 total = 0;

  for (guint i = 0; i < files->traces->len; i++)
    total += kymo_tau_file (files, i)->size_bytes;
  return files->merged ? total * n_cores : total;
}

static void
report_input (KymoTauTraceReading *reading,
              guint           i)
{
  static const char *const words[] =
  {
    [KYMO_TAU_INPUT_CLOSED] = N_("The trace cannot be opened"),
    [KYMO_TAU_INPUT_EMPTY] = N_("The trace is empty"),
    [KYMO_TAU_INPUT_FOREIGN] = N_("The file is no trace of TAU: its first records fit none of "
                                  "the four layouts"),
  };
  const KymoTauInput *input = &reading->inputs[i];
  const char *name = kymo_tau_file (reading->files, i)->name;
  g_autoptr (GError) why = NULL;

  if (reading->states[i] == KYMO_TAU_INPUT_CLOSED && !kymo_input_check (input->path, &why))
    {
      kymo_report_add (reading->run->report, name, KYMO_SEVERITY_LOST, 1, -1, "%s", why->message);
      return;
    }
  if (reading->states[i] != KYMO_TAU_INPUT_FINE)
    {
      kymo_report_add (reading->run->report, name, KYMO_SEVERITY_LOST, 1, -1, "%s",
                       words[reading->states[i]]);
      return;
    }
  if (input->n_rest > 0)
    kymo_report_add (reading->run->report, name, KYMO_SEVERITY_LOST, 1,
                     input->size_bytes - input->n_rest,
                     N_("The last record is cut off and lost"));
}

static void
look_at_inputs (KymoTauTraceReading *reading)
{
  for (guint i = 0; i < reading->files->traces->len; i++)
    reading->states[i] = kymo_tau_input_look (&reading->inputs[i],
                                              kymo_tau_file (reading->files, i)->path);
}

/* TRUE if each rank has a single thread: then a rank is a row. */
static gboolean
has_one_thread_each (const KymoTauTraceReading *reading)
{
  for (guint i = 1; i < reading->threads->len; i++)
    if (kymo_tau_thread (reading, i)->node == kymo_tau_thread (reading, i - 1)->node)
      return FALSE;
  return TRUE;
}

/* Time zero is that of the first record: of a merged trace that is not in order of time
   it stands somewhere behind the begin. */
static void
begin_at_zero (KymoRun *run)
{
  gint64 begin_ns = kymo_run_get_records_span (run).begin_ns;

  for (guint i = 0; begin_ns != 0 && i < run->segments->len; i++)
    {
      KymoLocation *location = &g_array_index (run->locations, KymoLocation, i);
      KymoSegment *segment = run->segments->pdata[i];

      kymo_segment_shift (segment, -begin_ns);
      location->span = segment->span;
    }
}

static void
assemble_tau_trace (KymoTauTraceReading *reading)
{
  KymoRun *run = reading->run;
  gboolean by_rank = reading->note != NULL && reading->note->row >= 0
    ? reading->note->row == KYMO_ROW_RANK : has_one_thread_each (reading);
  g_autofree gint64 *places = g_new (gint64, MAX (reading->threads->len, 1));

  for (guint i = 0; i < reading->files->traces->len; i++)
    report_input (reading, i);
  run->terms.row = by_rank ? KYMO_ROW_RANK : KYMO_ROW_THREAD;
  kymo_tau_add_places (reading, by_rank, places);
  for (guint i = 0; i < reading->threads->len; i++)
    {
      KymoTauThread *thread = kymo_tau_thread (reading, i);
      const char *file = kymo_tau_file (reading->files, thread->input)->name;
      KymoLocation location = { .id = reading->note != NULL ? thread->id
                                : by_rank ? thread->node : i,
                                .process = thread->node, .place = places[i], .kept = TRUE };

      kymo_tau_stream_report (&thread->stream, &thread->repairs, run->report, file,
                              run->growing);
      if (thread->zero_us != reading->zero_us)
        kymo_report_add (run->report, file, KYMO_SEVERITY_REPAIRED, 1, -1,
                         N_("The clock is more than 104 days from that of most others; moved so "
                            "that both begin at once"));
      if (thread->segment == NULL)
        continue;
      location.label = reading->note != NULL
        ? g_strdup (kymo_part_note_find (reading->note, thread->node, thread->thread)->label)
        : by_rank ? g_strdup_printf ("rank %u", thread->node)
        : g_strdup_printf ("rank %u, thread %u", thread->node, thread->thread);
      kymo_run_add_location (run, &location, g_steal_pointer (&thread->segment));
    }
  run->n_locations_original = run->locations->len;
  if (reading->note == NULL)
    {
      const KymoNoted noted = { reading->files->folder, reading->files->base, -1, NULL, 0 };

      begin_at_zero (run);
      if (!reading->files->merged)
        kymo_reduced_check (&noted, run->report);
      return;
    }
  kymo_part_note_apply (reading->note, reading->files->folder, reading->files->base, run);
}

static void
find_growth (KymoTauTraceReading *reading)
{
  gboolean recent = FALSE, open = FALSE;

  for (guint i = 0; i < reading->files->traces->len; i++)
    if (reading->states[i] == KYMO_TAU_INPUT_FINE || reading->states[i] == KYMO_TAU_INPUT_EMPTY)
      recent |= kymo_growth_is_recent (reading->inputs[i].modified_s);
  for (guint i = 0; i < reading->threads->len; i++)
    open |= !kymo_tau_thread (reading, i)->stream.closed;
  reading->run->growing = open && recent;
}

static gboolean
check_threads (KymoTauTraceReading *reading,
               const char     *path,
               GError        **error)
{
  if (reading->run->locations->len > 0)
    return TRUE;
  kymo_report_sort (reading->run->report);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("“%s”: no trace of %s can be read; the first of %u: %s"), path,
               reading->files->base, reading->files->traces->len,
               kymo_report_get_n_issues (reading->run->report) > 0
               ? kymo_report_peek_issue (reading->run->report, 0)->what : "no records");
  return FALSE;
}

static gboolean
read_all (KymoTauTraceReading  *reading,
          const char      *path,
          GError         **error)
{
  KymoRun *run = reading->run;

  describe_tau_trace (reading);
  if (reading->job != NULL)
    kymo_job_set_total (reading->job, count_bytes (reading->files, reading->n_cores));
  kymo_job_set_stage (reading->job, _("Reading names"));
  look_at_inputs (reading);
  kymo_tau_read_events (reading);
  kymo_tau_find_metrics (reading);
  kymo_tau_name_events (reading);
  kymo_spill_set_run (reading->spill, run->metrics->len,
                      KYMO_STATE_ACTIVITY + run->activities->len);
  kymo_job_set_stage (reading->job, _("Reading traces"));
  kymo_tau_read_threads (reading);
  if (kymo_open_is_stopped (reading->job, path, error))
    return FALSE;
  if (reading->out_of_memory)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                   _("“%s” needs more memory than the limit allows"), path);
      return FALSE;
    }
  if (!kymo_spill_map (reading->spill, error))
    return FALSE;
  kymo_tau_take_metadata (reading);
  find_growth (reading);
  assemble_tau_trace (reading);
  return check_threads (reading, path, error);
}

static gboolean
tau_trace_finish (KymoTauTraceReading         *reading,
                  const char             *path,
                  const KymoOpenOptions  *options,
                  GError                **error)
{
  kymo_job_set_stage (reading->job, _("Matching messages"));
  kymo_run_match_exchanges (reading->run, reading->n_cores,
                            reading->job != NULL ? kymo_job_peek_cancellable (reading->job)
                            : NULL);
  kymo_check_clocks (reading->run, reading->files->base, options,
                     reading->job != NULL ? kymo_job_peek_cancellable (reading->job) : NULL);
  return !kymo_open_is_stopped (reading->job, path, error);
}

static KymoCacheEntry *
make_cache_entry (const KymoTauFiles    *files,
                  const char            *path,
                  const KymoOpenOptions *options)
{
  g_autofree char *note = NULL;
  KymoCacheEntry *entry;
  GHashTableIter iter;
  gpointer edf;

  if (options->no_cache)
    return NULL;
  entry = kymo_cache_entry_new (path, options, files->folder, files->base,
                                files->merged ? "tau merged trace" : "tau trace");
  note = kymo_reduced_dup_path (files->folder, files->base);
  if (note != NULL)
    kymo_cache_entry_add_file (entry, note, "kymo");
  g_hash_table_iter_init (&iter, files->edfs);
  while (g_hash_table_iter_next (&iter, NULL, &edf))
    {
      g_autofree char *name = g_path_get_basename (edf);

      kymo_cache_entry_add_file (entry, edf, name);
    }
  for (guint i = 0; i < files->traces->len; i++)
    kymo_cache_entry_add_file (entry, kymo_tau_file (files, i)->path,
                               kymo_tau_file (files, i)->name);
  return entry;
}

static KymoNoted
noted_of (const KymoTauFiles *files,
          const KymoRun      *run)
{
  return (KymoNoted) { files->folder, files->base, run->n_locations_original, NULL, 0 };
}

/* Files of several processes mostly list the same names. */
static void
report_names (const KymoTauTraceReading *reading)
{
  g_autofree char *name = reading->files->merged
    ? g_strconcat (reading->files->base, ".edf", NULL) : g_strdup ("events.*.edf");

  kymo_check_names (reading->run, name);
}

static KymoRun *
tau_trace_read (const char             *path,
                const KymoOpenOptions  *options,
                KymoJob                *job,
                GError                **error)
{
  KymoTauFiles *files = kymo_tau_files_find (path, options->base, error);
  g_autoptr (KymoCacheEntry) kept = NULL;
  g_autofree char *noted_path = NULL;
  KymoTauTraceReading reading;
  KymoRun *run = NULL;

  if (files == NULL)
    return NULL;
  noted_path = kymo_reduced_dup_path (files->folder, files->base);
  kept = make_cache_entry (files, path, options);
  if (kept != NULL && (run = kymo_cache_load (kept)) != NULL)
    {
      /* Problems with the notes are in the kept load report already. */
      const KymoNoted noted = noted_of (files, run);

      kymo_reduced_take_weights (&noted, run, NULL);
      kymo_selection_apply (&noted, run);
      kymo_tau_files_free (files);
      return run;
    }
  reading_init (&reading, files, options, job);
  /* Which part one file of all threads is, no note tells. */
  reading.note = files->merged ? NULL : kymo_part_note_new (files->folder, files->base);
  reading.spill = kymo_spill_new (options->memory_limit_bytes, kept != NULL, job);
  if (read_all (&reading, path, error) && tau_trace_finish (&reading, path, options, error))
    {
      const KymoNoted noted = noted_of (files, reading.run);

      report_names (&reading);
      kymo_run_seal (reading.run);
      if (reading.note != NULL)
        kymo_selection_apply (&noted, reading.run);
      run = kymo_run_ref (reading.run);
      /* From the cache a note is believed that did fit. */
      if (kept != NULL && !run->growing && (noted_path == NULL || reading.note != NULL))
        kymo_cache_attach (kept, run, reading.spill);
    }
  reading_clear (&reading);
  return run;
}

const KymoFormat kymo_format_tau_trace =
{
  .id = "tau-trace",
  .kind = KYMO_FORMAT_TRACE,
  .tool = "TAU",
  .label = N_("TAU trace"),
  .globs = KYMO_FORMAT_WORDS ("*.trc", "*.edf"),
  .types = KYMO_FORMAT_WORDS ("application/x-tau-trace", "application/x-tau-events"),
  .read = tau_trace_read,
  .part = kymo_tau_files_part,
};
