/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a run of summaries: names from the .sum.sts, then a .sum and a .sumd
 * per task on a thread pool, and once more those whose bins do not fit the
 * others'.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-summary-private.h"

#include <string.h>

#include "kymo-check-run.h"
#include "kymo-error.h"
#include "kymo-projections-names.h"

typedef KymoSummaryPart Part;
typedef KymoSummaryReading Reading;

/* -- one PE ---------------------------------------------------------------- */

static void
check_pe (const Part                *part,
          const KymoProjectionsFile *file,
          gint64                     pe)
{
  if (file->pe >= 0 && file->pe != pe)
    kymo_report_add (part->report, file->name, KYMO_SEVERITY_NOTE, 1, 0,
                     N_("The header tells another PE than the name of the file, which is "
                        "believed"));
}

static KymoSum *
read_sum (Reading                *reading,
          Part                   *part,
          const KymoSummaryFacts *facts)
{
  KymoSum *sum;

  if (part->sum == NULL || kymo_job_is_cancelled (reading->job))
    return NULL;
  sum = kymo_projections_sum_read (part->sum->path, part->sum->name, part->report, reading->job);
  if (sum == NULL)
    return NULL;
  check_pe (part, part->sum, sum->pe);
  kymo_summary_correct_length (facts, &sum->bin_ns, part->sum->name, part->report);
  part->has_sum = TRUE;
  part->n_pes = sum->n_pes;
  part->version = g_strdup (sum->version);
  part->has_idle = sum->idle.runs != NULL;
  part->marks = g_array_ref (sum->marks);
  return sum;
}

static KymoSumd *
read_sumd (Reading                *reading,
           Part                   *part,
           const KymoSummaryFacts *facts,
           const KymoSum          *sum)
{
  KymoSumd *sumd;

  if (part->sumd == NULL || kymo_job_is_cancelled (reading->job))
    return NULL;
  sumd = kymo_projections_sumd_read (part->sumd->path, part->sumd->name, part->report,
                                     reading->job);
  if (sumd == NULL)
    return NULL;
  check_pe (part, part->sumd, sumd->pe);
  /* With another number of bins, too, it is of another run. */
  if (sum == NULL || sum->n_bins == sumd->n_bins)
    kymo_summary_correct_length (facts, &sumd->bin_ns, part->sumd->name, part->report);
  part->has_sumd = TRUE;
  part->n_pes = MAX (part->n_pes, sumd->n_pes);
  if (part->version == NULL)
    part->version = g_strdup (sumd->version);
  return sumd;
}

static void
part_clear (gpointer data)
{
  Part *part = data;

  g_clear_pointer (&part->version, g_free);
  g_clear_pointer (&part->marks, g_array_unref);
  g_clear_pointer (&part->bins, kymo_bins_unref);
  g_clear_pointer (&part->report, kymo_report_unref);
}

static void
take_memory (Reading        *reading,
             const KymoBins *bins,
             gint            sign)
{
  if (bins != NULL)
    __atomic_sub_fetch (&reading->memory_left, sign * (gint64) kymo_bins_get_bytes (bins),
                        __ATOMIC_RELAXED);
}

static void
read_part (gpointer data,
           gpointer user_data)
{
  Reading *reading = user_data;
  guint index = GPOINTER_TO_UINT (data) - 1;
  Part *part = kymo_summary_peek_part (reading, index);
  KymoSummaryFacts *facts = &reading->facts[index];
  g_autoptr (KymoSum) sum = NULL;
  g_autoptr (KymoSumd) sumd = NULL;
  gint64 size = 0;

  take_memory (reading, part->bins, -1);
  part_clear (part);
  part->report = kymo_report_new ();
  sum = read_sum (reading, part, facts);
  sumd = read_sumd (reading, part, facts, sum);
  kymo_summary_take_facts (sum, sumd, facts);
  if ((sum == NULL && sumd == NULL)
      || __atomic_load_n (&reading->memory_left, __ATOMIC_RELAXED) < 0)
    return;
  if (sum != NULL)
    size += part->sum->size_bytes;
  if (sumd != NULL)
    size += part->sumd->size_bytes;
  part->bins = kymo_summary_make_bins (sum, sumd,
                                       sum != NULL ? part->sum->name : part->sumd->name, size,
                                       part->report, &part->n_entries);
  take_memory (reading, part->bins, 1);
}

static void
read_parts (Reading *reading,
            guint    n_threads)
{
  GThreadPool *pool = g_thread_pool_new (read_part, reading,
                                         n_threads > 0 ? n_threads : g_get_num_processors (),
                                         FALSE, NULL);

  for (guint i = 0; i < reading->parts->len; i++)
    if (kymo_summary_peek_part (reading, i)->report == NULL
        || !kymo_summary_is_settled (&reading->facts[i]))
      g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
}

/* Files whose bins do not fit those of the others are read again. */
static void
read_all_parts (Reading *reading,
                guint    n_threads)
{
  reading->facts = g_new0 (KymoSummaryFacts, MAX (reading->parts->len, 1));
  read_parts (reading, n_threads);
  kymo_summary_settle_lengths (reading->facts, reading->parts->len);
  read_parts (reading, n_threads);
  for (guint i = 0; i < reading->parts->len; i++)
    kymo_report_add_all (reading->run->report, kymo_summary_peek_part (reading, i)->report);
}

/* -- which files ----------------------------------------------------------- */

static void
add_part (Reading                   *reading,
          const KymoProjectionsFile *sum,
          const KymoProjectionsFile *sumd)
{
  Part part = { .pe = sum != NULL ? sum->pe : sumd->pe, .sum = sum, .sumd = sumd };

  g_array_append_val (reading->parts, part);
}

/* Pairs the .sum and .sumd of each PE; both are sorted. A file of all PEs
   together is of use only where it is the only one. */
static void
pair_files (Reading *reading)
{
  GArray *sums = reading->files->sums, *details = reading->files->details;
  guint i = 0, k = 0;

  if (sums->len > 0 && kymo_projections_file (sums, 0)->pe < 0 && sums->len + details->len > 1)
    kymo_report_add (reading->run->report, kymo_projections_file (sums, i++)->name,
                     KYMO_SEVERITY_NOTE, 1, -1,
                     N_("The averages of all PEs are not needed beside the files of each"));
  while (i < sums->len || k < details->len)
    {
      const KymoProjectionsFile *sum = i < sums->len ? kymo_projections_file (sums, i) : NULL;
      const KymoProjectionsFile *sumd = k < details->len ? kymo_projections_file (details, k)
        : NULL;

      if (sum != NULL && sumd != NULL && sum->pe != sumd->pe)
        {
          if (sum->pe < sumd->pe)
            sumd = NULL;
          else
            sum = NULL;
        }
      add_part (reading, sum, sumd);
      i += sum != NULL;
      k += sumd != NULL;
    }
}

/* PEs beyond PROCESSORS are not of this run. */
static void
drop_foreign_pes (Reading *reading)
{
  while (reading->sts != NULL && reading->sts->n_pes > 0 && reading->parts->len > 0)
    {
      const Part *last = kymo_summary_peek_part (reading, reading->parts->len - 1);

      if (last->pe < reading->sts->n_pes)
        break;
      kymo_report_add (reading->run->report,
                       last->sum != NULL ? last->sum->name : last->sumd->name,
                       KYMO_SEVERITY_LOST, 1, -1,
                       N_("The PE is beyond the PROCESSORS of the .sts; the file is left out"));
      g_array_set_size (reading->parts, reading->parts->len - 1);
    }
}

/* Why the first file was left out. */
static const char *
find_reason (KymoReport *report)
{
  for (guint i = 0; i < kymo_report_get_n_issues (report); i++)
    if (g_str_has_suffix (kymo_report_peek_issue (report, i)->what, "left out"))
      return kymo_report_peek_issue (report, i)->what;
  return kymo_report_get_n_issues (report) > 0 ? kymo_report_peek_issue (report, 0)->what
    : N_("there are no bins");
}

static gboolean
set_error (Reading     *reading,
           const char  *path,
           GError     **error)
{
  KymoReport *report = reading->run->report;
  gboolean any = FALSE;

  for (guint i = 0; i < reading->parts->len; i++)
    any |= kymo_summary_peek_part (reading, i)->bins != NULL;
  if (kymo_open_is_stopped (reading->job, path, error))
    return TRUE;
  if (reading->memory_left < 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                 _("“%s” needs more memory than the limit allows"), path);
  else if (!any)
    {
      kymo_report_sort (report);
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s”: no summary of %s can be read; of %u: %s"), path,
                   reading->files->base,
                   reading->files->sums->len + reading->files->details->len,
                   find_reason (report));
    }
  else
    return FALSE;
  return TRUE;
}

static void
set_total (Reading *reading)
{
  gint64 total = 0;

  if (reading->job == NULL)
    return;
  for (guint i = 0; i < reading->parts->len; i++)
    {
      const Part *part = kymo_summary_peek_part (reading, i);

      total += part->sum != NULL ? part->sum->size_bytes : 0;
      total += part->sumd != NULL ? part->sumd->size_bytes : 0;
    }
  kymo_job_set_total (reading->job, total);
}

/**
 * kymo_projections_read_summary:
 * @files: of a run in this form
 * @path: what was asked for, for messages
 * @options: how to read it
 * @job: (nullable): for progress and cancellation
 * @error: %KYMO_ERROR_UNREADABLE if no file could be read, %KYMO_ERROR_LIMIT, or
 *   %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (nullable): the sealed run
 */
KymoRun *
kymo_projections_read_summary (const KymoProjectionsFiles  *files,
                               const char                  *path,
                               const KymoOpenOptions       *options,
                               KymoJob                     *job,
                               GError                     **error)
{
  Reading reading = { .files = files, .run = kymo_run_new (), .job = job };
  KymoRun *run = NULL;

  reading.memory_left = options->memory_limit_bytes > 0 ? options->memory_limit_bytes
    : G_MAXINT64;
  reading.parts = g_array_new (FALSE, TRUE, sizeof (Part));
  g_array_set_clear_func (reading.parts, part_clear);
  kymo_job_set_stage (job, _("Reading names"));
  reading.sts = kymo_projections_read_summary_names (files, &reading.run);
  pair_files (&reading);
  drop_foreign_pes (&reading);
  set_total (&reading);
  kymo_job_set_stage (job, _("Reading summaries"));
  read_all_parts (&reading, options->n_threads);
  if (!set_error (&reading, path, error))
    {
      g_autofree char *name = kymo_projections_names_file (files);

      kymo_summary_assemble (&reading);
      kymo_check_clocks (reading.run, name, options, NULL);
      kymo_run_seal (reading.run);
      run = kymo_run_ref (reading.run);
    }
  g_array_unref (reading.parts);
  g_free (reading.facts);
  kymo_sts_free (reading.sts);
  kymo_run_unref (reading.run);
  return run;
}
