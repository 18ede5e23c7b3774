/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clocks of processes at load; see kymo-check-run.h. The reader's
 * thread; the run is not sealed yet.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-check-run.h"

#include "kymo-clocks.h"
#include "kymo-name.h"
#include "kymo-profile-data.h"

static gint64
count_negative (const GArray *pairs)
{
  gint64 n = 0;

  for (guint i = 0; i < pairs->len; i++)
    n += g_array_index (pairs, KymoClockPair, i).n_negative;
  return n;
}

/* Measures the clocks again after the correction: an estimate that misses its aim must not look
   like a success. */
static void
report_rest (KymoRun      *run,
             const char   *file,
             guint         n_threads,
             GCancellable *cancellable)
{
  g_autoptr (GArray) pairs = kymo_clocks_measure (run, n_threads, cancellable);
  gint64 n = count_negative (pairs);

  if (n > 0)
    kymo_report_add (run->report, file, KYMO_SEVERITY_NOTE, n, -1,
                     N_("Messages still arrive before they were sent: no constant offset of the "
                        "clocks lets all arrive after"));
}

static void
correct (KymoRun      *run,
         const GArray *pairs,
         const char   *file,
         guint         n_threads,
         GCancellable *cancellable)
{
  guint n_processes, n_shifted;
  g_autofree gint64 *processes = kymo_run_dup_processes (run, &n_processes);
  g_autoptr (KymoClockEstimate) estimate
    = kymo_clocks_estimate (processes, n_processes, pairs, cancellable);

  if (g_cancellable_is_cancelled (cancellable))
    return;
  n_shifted = kymo_clocks_correct (run, estimate);
  if (n_shifted > 0)
    kymo_report_add (run->report, file, KYMO_SEVERITY_REPAIRED, n_shifted, -1,
                     N_("Clocks were corrected by choice: the times of processes were shifted"));
  report_rest (run, file, n_threads, cancellable);
}

/**
 * kymo_check_clocks:
 * @run: all its locations are there; it is not sealed yet
 * @file: the file that stands for the run in its report
 * @options: number of threads, and whether clocks are to be corrected
 * @cancellable: (nullable): stops it; the run is of no use then
 *
 * Puts a note into the report where messages arrive before they were sent.
 * Clocks are only corrected where there is such a message: without one
 * nothing shows that they are wrong, and the report says so. Blocks.
 */
void
kymo_check_clocks (KymoRun               *run,
                   const char            *file,
                   const KymoOpenOptions *options,
                   GCancellable          *cancellable)
{
  g_autoptr (GArray) pairs = kymo_clocks_measure (run, options->n_threads, cancellable);
  gint64 n_negative = count_negative (pairs);

  if (g_cancellable_is_cancelled (cancellable))
    return;
  if (n_negative > 0)
    kymo_report_add (run->report, file, KYMO_SEVERITY_NOTE, n_negative, -1,
                     N_("Messages arrive before they were sent: the clocks of processes disagree"));
  if (!options->correct_clocks)
    return;
  if (n_negative > 0)
    correct (run, pairs, file, options->n_threads, cancellable);
  else
    kymo_report_add (run->report, file, KYMO_SEVERITY_NOTE, 1, -1,
                     N_("No clock was corrected: no message arrives before it was sent"));
}

static gint64
count_cut_users (const KymoProfileData *profile)
{
  gint64 n_cut = 0;

  for (guint i = 0; i < profile->user_names->len; i++)
    n_cut += kymo_name_is_cut (profile->user_names->pdata[i]);
  return n_cut;
}

static gint64
count_cut_markers (const KymoDefinitions *definitions)
{
  gint64 n_cut = 0;

  for (guint i = 0; i < definitions->marker_kinds->len; i++)
    {
      const KymoMarkerKind *kind = &g_array_index (definitions->marker_kinds, KymoMarkerKind, i);

      n_cut += kymo_name_is_cut (kind->group) + kymo_name_is_cut (kind->category);
    }
  for (guint i = 0; i < definitions->markers->len; i++)
    n_cut += kymo_name_is_cut (g_array_index (definitions->markers, KymoMarker, i).text);
  return n_cut;
}

static void
tell_check_names (KymoRun    *run,
                  const char *file,
                  gint64      n_cut)
{
  if (n_cut > 0)
    kymo_report_add (run->report, file, KYMO_SEVERITY_NOTE, n_cut, -1,
                     N_("Names of more than 4,096 bytes are cut; those that differ are told apart "
                        "by the number at their end"));
}

/**
 * kymo_check_names:
 * @file: that the names stand in, relative to the run's folder
 *
 * Reports names that were too long to be kept whole, and adds the source file to names of
 * functions that are the same. Once, by the reader of the names, before the run is sealed.
 */
void
kymo_check_names (KymoRun    *run,
                  const char *file)
{
  gint64 n_cut = 0;

  kymo_run_tell_names_apart (run);
  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);

      n_cut += kymo_name_is_cut (activity->name) || kymo_name_is_cut (activity->signature);
    }
  for (guint i = 0; i < run->metrics->len; i++)
    n_cut += kymo_name_is_cut (run->metrics->pdata[i]);
  for (guint i = 0; i < run->stat_names->len; i++)
    n_cut += kymo_name_is_cut (g_array_index (run->stat_names, KymoFact, i).value);
  for (guint i = 0; i < run->places->len; i++)
    n_cut += kymo_name_is_cut (g_array_index (run->places, KymoPlace, i).label);
  for (guint i = 0; i < run->locations->len; i++)
    n_cut += kymo_name_is_cut (kymo_run_peek_location (run, i)->label);
  if (run->profiles != NULL)
    n_cut += count_cut_users (run->profiles->pdata[run->profiles->len - 1]);
  tell_check_names (run, file, n_cut);
}

/**
 * kymo_check_markers:
 * @run: with its definitions
 * @file: that the markers stand in, relative to the run's folder
 *
 * Reports texts of markers that were too long to be kept whole.
 */
void
kymo_check_markers (KymoRun    *run,
                    const char *file)
{
  tell_check_names (run, file, count_cut_markers (run->definitions));
}
