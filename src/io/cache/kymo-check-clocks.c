/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clocks of processes at load; see kymo-check-clocks.h. The reader's
 * thread; the run is not sealed yet.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-check-clocks.h"

#include "kymo-clocks.h"

static gint64
count_negative (const GArray *pairs)
{
  gint64 n = 0;

  for (guint i = 0; i < pairs->len; i++)
    n += g_array_index (pairs, KymoClockPair, i).n_negative;
  return n;
}

/* What was done is measured again: an estimate that does not reach its aim
   must not look as if it had. */
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
