/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a run of summaries: names from the .sum.sts, then a .sum and a .sumd
 * per task on a thread pool; last the entry methods that no .sts names get a
 * name of their own ("entry 57") and all states their final numbers.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-summary.h"

#include <string.h>

#include "kymo-check-clocks.h"
#include "kymo-error.h"
#include "kymo-id-set.h"
#include "kymo-projections-names.h"
#include "kymo-projections-sts.h"

/* Of missing PEs so many are told by number. */
#define MAX_LISTED 4096

/* The files of one PE and what came of them. */
typedef struct
{
  gint64                     pe;        /* -1: of all PEs */
  const KymoProjectionsFile *sum;       /* or NULL */
  const KymoProjectionsFile *sumd;      /* or NULL */
  char                      *version;
  gint64                     n_pes;     /* of its header */
  guint                      n_entries;
  gboolean                   has_idle;
  gboolean                   has_sum;   /* the file could be read */
  gboolean                   has_sumd;
  GArray                    *marks;
  KymoBins                  *bins;
} Part;

typedef struct
{
  const KymoProjectionsFiles *files;
  KymoRun                    *run;
  KymoSts                    *sts;      /* or NULL */
  KymoJob                    *job;
  GArray                     *parts;    /* Part, by PE */
  gint64                      memory_left;      /* atomic */
} Reading;

static Part *
peek_part (Reading *reading,
           guint    i)
{
  return &g_array_index (reading->parts, Part, i);
}

/* -- one PE ---------------------------------------------------------------- */

static void
check_pe (Reading                   *reading,
          const KymoProjectionsFile *file,
          gint64                     pe)
{
  if (file->pe >= 0 && file->pe != pe)
    kymo_report_add (reading->run->report, file->name, KYMO_SEVERITY_NOTE, 1, 0,
                     N_("The header tells another PE than the name of the file, which is "
                        "believed"));
}

static KymoSum *
read_sum (Reading *reading,
          Part    *part)
{
  KymoSum *sum;

  if (part->sum == NULL || kymo_job_is_cancelled (reading->job))
    return NULL;
  sum = kymo_projections_sum_read (part->sum->path, part->sum->name, reading->run->report,
                                   reading->job);
  if (sum == NULL)
    return NULL;
  check_pe (reading, part->sum, sum->pe);
  part->has_sum = TRUE;
  part->n_pes = sum->n_pes;
  part->version = g_strdup (sum->version);
  part->has_idle = sum->idle.runs != NULL;
  part->marks = g_array_ref (sum->marks);
  return sum;
}

static KymoSumd *
read_sumd (Reading *reading,
           Part    *part)
{
  KymoSumd *sumd;

  if (part->sumd == NULL || kymo_job_is_cancelled (reading->job))
    return NULL;
  sumd = kymo_projections_sumd_read (part->sumd->path, part->sumd->name, reading->run->report,
                                     reading->job);
  if (sumd == NULL)
    return NULL;
  check_pe (reading, part->sumd, sumd->pe);
  part->has_sumd = TRUE;
  part->n_pes = MAX (part->n_pes, sumd->n_pes);
  if (part->version == NULL)
    part->version = g_strdup (sumd->version);
  return sumd;
}

static void
read_part (gpointer data,
           gpointer user_data)
{
  Reading *reading = user_data;
  Part *part = peek_part (reading, GPOINTER_TO_UINT (data) - 1);
  g_autoptr (KymoSum) sum = read_sum (reading, part);
  g_autoptr (KymoSumd) sumd = read_sumd (reading, part);
  gint64 size = 0;

  if ((sum == NULL && sumd == NULL)
      || __atomic_load_n (&reading->memory_left, __ATOMIC_RELAXED) < 0)
    return;
  if (sum != NULL)
    size += part->sum->size_bytes;
  if (sumd != NULL)
    size += part->sumd->size_bytes;
  part->bins = kymo_summary_make_bins (sum, sumd,
                                       sum != NULL ? part->sum->name : part->sumd->name, size,
                                       reading->run->report, &part->n_entries);
  if (part->bins != NULL)
    __atomic_sub_fetch (&reading->memory_left, (gint64) kymo_bins_get_bytes (part->bins),
                        __ATOMIC_RELAXED);
}

static void
read_parts (Reading *reading,
            guint    n_threads)
{
  GThreadPool *pool = g_thread_pool_new (read_part, reading,
                                         n_threads > 0 ? n_threads : g_get_num_processors (),
                                         FALSE, NULL);

  for (guint i = 0; i < reading->parts->len; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
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

/* The number of PEs: of the .sts, or what the files themselves tell. */
static gint64
count_pes (Reading *reading)
{
  gint64 n = 0;

  if (reading->sts != NULL && reading->sts->n_pes > 0)
    return reading->sts->n_pes;
  for (guint i = 0; i < reading->parts->len; i++)
    n = MAX (n, MAX (peek_part (reading, i)->n_pes, peek_part (reading, i)->pe + 1));
  return n;
}

static gboolean
lacks_all (const Part *part)
{
  return part->bins == NULL;
}

static gboolean
lacks_sum (const Part *part)
{
  return part->bins != NULL && !part->has_sum;
}

static gboolean
lacks_sumd (const Part *part)
{
  return part->bins != NULL && !part->has_sumd;
}

/* Says which PEs lack something. With `absent` those without any file are
   meant too. A header may tell any number of PEs: not all are listed. */
static void
report_lacking (Reading    *reading,
                gboolean  (*lacks) (const Part *part),
                gboolean    absent,
                gint64      n_pes,
                const char *what)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *text = NULL;
  gint64 expected = 0, n_lacking = 0;

  for (guint i = 0; i <= reading->parts->len; i++)
    {
      const Part *part = i < reading->parts->len ? peek_part (reading, i) : NULL;
      gint64 pe = part != NULL ? part->pe : MAX (n_pes, expected);

      for (gint64 id = expected; absent && id < pe && ids->len < MAX_LISTED; id++)
        g_array_append_val (ids, id);
      n_lacking += absent ? pe - expected : 0;
      expected = pe + 1;
      if (part == NULL || !lacks (part))
        continue;
      n_lacking++;
      if (ids->len < MAX_LISTED)
        g_array_append_val (ids, pe);
    }
  if (n_lacking == 0)
    return;
  text = kymo_ids_to_text ((const gint64 *) (void *) ids->data, ids->len);
  kymo_report_add (reading->run->report, reading->files->base, KYMO_SEVERITY_LOST, n_lacking, -1,
                   "%s: %s%s", what, text, n_lacking > ids->len ? ",…" : "");
}

/* -- names ----------------------------------------------------------------- */

static guint32
activity_of_entry (Reading *reading,
                   guint32  id)
{
  const KymoSts *sts = reading->sts;
  g_autofree char *name = NULL;

  if (sts != NULL && id < sts->n_entries && sts->entries[id].activity != G_MAXUINT32)
    return sts->entries[id].activity;
  name = g_strdup_printf ("entry %u", id);
  return kymo_run_add_activity (reading->run, KYMO_ACTIVITY_ENTRY, id, name, NULL, NULL);
}

static void
use_states (const KymoBins *bins,
            KymoSums       *sums)
{
  kymo_pyramid_sum_nodes (bins->times, 0, bins->n_bins, sums);
  if (bins->calls != NULL)
    kymo_pyramid_sum_nodes (bins->calls, 0, bins->n_bins, sums);
  for (guint i = 0; i < bins->totals->len; i++)
    kymo_sums_add (sums, g_array_index (bins->totals, KymoBinsTotal, i).state, 1);
}

/* Entry methods that occur get their activity, and the bins its number. */
static void
number_states (Reading *reading)
{
  guint n_states = KYMO_SUMMARY_ENTRY;
  g_autofree guint32 *state_of = NULL;
  g_autofree gboolean *is_used = NULL;
  KymoSums sums;

  for (guint i = 0; i < reading->parts->len; i++)
    n_states = MAX (n_states, KYMO_SUMMARY_ENTRY + peek_part (reading, i)->n_entries);
  state_of = g_new (guint32, n_states);
  is_used = g_new0 (gboolean, n_states);
  kymo_sums_init (&sums, n_states);
  for (guint i = 0; i < reading->parts->len; i++)
    if (peek_part (reading, i)->bins != NULL)
      {
        use_states (peek_part (reading, i)->bins, &sums);
        for (guint k = 0; k < sums.n_touched; k++)
          is_used[sums.touched[k]] = TRUE;
        kymo_sums_reset (&sums);
      }
  kymo_sums_clear (&sums);
  for (guint32 s = 0; s < n_states; s++)
    state_of[s] = s;
  state_of[KYMO_SUMMARY_UNKNOWN] = KYMO_STATE_ACTIVITY
    + kymo_run_add_activity (reading->run, KYMO_ACTIVITY_ENTRY, -1, "(entry method unknown)",
                             NULL, NULL);
  for (guint32 s = KYMO_SUMMARY_ENTRY; s < n_states; s++)
    if (is_used[s])
      state_of[s] = KYMO_STATE_ACTIVITY + activity_of_entry (reading, s - KYMO_SUMMARY_ENTRY);
  for (guint i = 0; i < reading->parts->len; i++)
    if (peek_part (reading, i)->bins != NULL)
      kymo_bins_map_states (peek_part (reading, i)->bins, state_of);
}

/* -- the run --------------------------------------------------------------- */

static int
compare_points (gconstpointer a,
                gconstpointer b)
{
  gint64 x = ((const KymoPoint *) a)->begin_ns, y = ((const KymoPoint *) b)->begin_ns;

  return x < y ? -1 : x > y;
}

static void
add_marks (Reading     *reading,
           const Part  *part,
           KymoSegment *segment)
{
  const KymoSts *sts = reading->sts;

  for (guint i = 0; part->marks != NULL && i < part->marks->len; i++)
    {
      const KymoSumMark *mark = &g_array_index (part->marks, KymoSumMark, i);
      KymoPoint point = { .begin_ns = mark->ns, .end_ns = mark->ns,
                          .kind = KYMO_POINT_USER_EVENT, .activity = G_MAXUINT32,
                          .id = mark->event };

      if (sts != NULL)
        point.activity = mark->event < KYMO_STS_N_EVENT_IDS
          && sts->events[mark->event] != G_MAXUINT32 ? sts->events[mark->event]
          : sts->unknown_event;
      g_array_append_val (segment->points, point);
    }
  g_array_sort (segment->points, compare_points);
}

static void
add_location (Reading *reading,
              Part    *part)
{
  KymoLocation location = { .id = MAX (part->pe, 0), .process = MAX (part->pe, 0),
                            .kept = TRUE };
  KymoSegment *segment = kymo_segment_new_of_bins (g_steal_pointer (&part->bins));
  gint64 workers = reading->sts != NULL ? reading->sts->n_workers : 0;

  location.label = part->pe < 0 ? g_strdup ("All PEs")
    : g_strdup_printf ("PE %" G_GINT64_FORMAT, part->pe);
  if (workers > 0)
    location.process = location.id / workers;
  add_marks (reading, part, segment);
  kymo_run_add_location (reading->run, &location, segment);
}

static void
describe (Reading *reading)
{
  KymoRun *run = reading->run;

  run->kind = KYMO_RUN_SUMMARY;
  run->path = g_strdup (reading->files->folder);
  run->title = g_utf8_make_valid (reading->files->base, -1);
  run->format = g_strdup ("projections");
  kymo_run_add_fact (run, "program", run->title);
  g_clear_pointer (&run->format_version, g_free);
  for (guint i = 0; i < reading->parts->len && run->format_version == NULL; i++)
    run->format_version = g_strdup (peek_part (reading, i)->version);
}

/* What such a run cannot tell, for every answer. */
static void
add_notes (Reading *reading)
{
  guint n = 0, n_detailed = 0, n_idle = 0;

  for (guint i = 0; i < reading->parts->len; i++)
    {
      const Part *part = peek_part (reading, i);

      if (part->bins == NULL)
        continue;
      n++;
      n_detailed += part->bins->calls != NULL;
      n_idle += part->has_idle;
    }
  kymo_run_add_note (reading->run,
                     N_("A summary: sums by bins of time, without single blocks and messages"));
  kymo_run_add_note (reading->run,
                     N_("Utilization and idle time are whole percent of a bin, rounded down; what "
                        "is cut off counts as overhead"));
  kymo_run_add_note (reading->run,
                     N_("Times of entry methods are whole microseconds, rounded down; inclusive "
                        "times are not known"));
  kymo_run_add_note (reading->run, N_("Inside a bin time is taken as evenly spread"));
  if (n_detailed == 0)
    kymo_run_add_note (reading->run,
                       N_("Which entry methods ran in which bin is not known; the program tells it "
                          "with +sumDetail"));
  else if (n_detailed < n)
    kymo_run_add_note (reading->run,
                       N_("Which entry methods ran in which bin is known of some PEs only"));
  if (n_idle < n)
    kymo_run_add_note (reading->run, n_idle == 0
                       ? N_("Idle time is not known; it counts as overhead")
                       : N_("Idle time is known of some PEs only; of the others it counts as "
                            "overhead"));
  if (reading->parts->len == 1 && peek_part (reading, 0)->pe < 0)
    kymo_run_add_note (reading->run, N_("The one row is the average of all PEs (+sumonly)"));
}

static void
assemble (Reading *reading)
{
  gint64 n_pes = count_pes (reading);
  gboolean of_all = reading->parts->len == 1 && peek_part (reading, 0)->pe < 0;

  if (!of_all)
    {
      report_lacking (reading, lacks_all, TRUE, n_pes, N_("PEs without a summary"));
      report_lacking (reading, lacks_sum, FALSE, n_pes,
                      N_("PEs with a .sumd, but without a .sum; utilization and idle time are "
                         "lost"));
      if (reading->files->details->len > 0)
        report_lacking (reading, lacks_sumd, FALSE, n_pes,
                        N_("PEs with a .sum, but without a .sumd"));
    }
  kymo_projections_files_report (reading->files, reading->run->report);
  describe (reading);
  add_notes (reading);
  number_states (reading);
  for (guint i = 0; i < reading->parts->len; i++)
    if (peek_part (reading, i)->bins != NULL)
      add_location (reading, peek_part (reading, i));
  reading->run->n_locations_original = n_pes;
}

/* PEs beyond PROCESSORS are not of this run. */
static void
drop_foreign_pes (Reading *reading)
{
  while (reading->sts != NULL && reading->sts->n_pes > 0 && reading->parts->len > 0)
    {
      const Part *last = peek_part (reading, reading->parts->len - 1);

      if (last->pe < reading->sts->n_pes)
        break;
      kymo_report_add (reading->run->report,
                       last->sum != NULL ? last->sum->name : last->sumd->name,
                       KYMO_SEVERITY_LOST, 1, -1,
                       N_("The PE is beyond the PROCESSORS of the .sts; the file is left out"));
      g_array_set_size (reading->parts, reading->parts->len - 1);
    }
}

static void
part_clear (gpointer data)
{
  Part *part = data;

  g_free (part->version);
  g_clear_pointer (&part->marks, g_array_unref);
  kymo_bins_unref (part->bins);
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
    any |= peek_part (reading, i)->bins != NULL;
  if (kymo_job_is_cancelled (reading->job))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Reading “%s” was stopped"), path);
  else if (reading->memory_left < 0)
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
      const Part *part = peek_part (reading, i);

      total += part->sum != NULL ? part->sum->size_bytes : 0;
      total += part->sumd != NULL ? part->sumd->size_bytes : 0;
    }
  kymo_job_set_total (reading->job, total);
}

/**
 * kymo_projections_read_summary:
 * @files: of a run in this form
 * @path: what was asked for, for messages
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
  read_parts (&reading, options->n_threads);
  if (!set_error (&reading, path, error))
    {
      g_autofree char *name = kymo_projections_names_file (files);

      assemble (&reading);
      kymo_check_clocks (reading.run, name, options, NULL);
      kymo_run_seal (reading.run);
      run = kymo_run_ref (reading.run);
    }
  g_array_unref (reading.parts);
  kymo_sts_free (reading.sts);
  kymo_run_unref (reading.run);
  return run;
}
