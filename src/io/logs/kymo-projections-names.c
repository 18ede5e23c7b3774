/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Activities must be known before segments are built. So where names are
 * missing all logs are read twice: first for the ids alone, on a thread pool
 * whose results are merged under a lock.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-names.h"

#include <string.h>

#include "kymo-projections-log.h"
#include "kymo-share.h"

typedef struct
{
  const KymoProjectionsFiles *files;
  const KymoSts              *sts;
  KymoJob                    *job;
  GMutex                      mutex;
  KymoLogIds                  ids;      /* under the mutex */
} Scan;

static void
unite (guint64       *ids,
       const guint64 *more,
       guint          n_words)
{
  for (guint i = 0; i < n_words; i++)
    ids[i] |= more[i];
}

static void
scan_one (gpointer data,
          guint    index)
{
  Scan *scan = data;
  const KymoProjectionsFile *file = kymo_projections_file (scan->files->logs, index);
  KymoLogRequest request = { .path = file->path, .name = file->name, .pe = file->pe,
                             .sts = scan->sts };
  g_autofree KymoLogIds *ids = g_new0 (KymoLogIds, 1);

  if (kymo_job_is_cancelled (scan->job))
    return;
  kymo_projections_log_scan (&request, scan->job, ids);
  g_mutex_lock (&scan->mutex);
  unite (scan->ids.entries, ids->entries, G_N_ELEMENTS (ids->entries));
  unite (scan->ids.events, ids->events, G_N_ELEMENTS (ids->events));
  g_mutex_unlock (&scan->mutex);
}

/* Calls @add with each id, ascending. */
static void
add_each (const guint64 *ids,
          guint          n_words,
          KymoSts       *sts,
          KymoRun       *run,
          void         (*add) (KymoSts *sts,
                               KymoRun *run,
                               gint64   id))
{
  for (guint i = 0; i < n_words; i++)
    for (guint64 left = ids[i]; left != 0; left &= left - 1)
      add (sts, run, (gint64) i * 64 + __builtin_ctzll (left));
}

/* Names for the ids that the logs use and the .sts does not list. */
static void
name_by_id (const KymoProjectionsFiles *files,
            KymoSts                    *sts,
            KymoRun                    *run,
            KymoJob                    *job,
            guint                       n_threads)
{
  Scan *scan = g_new0 (Scan, 1);
  gint64 total = 0;

  for (guint i = 0; i < files->logs->len; i++)
    total += kymo_projections_file (files->logs, i)->size_bytes;
  if (job != NULL)
    kymo_job_set_total (job, 2 * total);
  kymo_job_set_stage (job, _("Looking for names"));
  scan->files = files;
  scan->sts = sts;
  scan->job = job;
  g_mutex_init (&scan->mutex);
  kymo_share_out (files->logs->len, n_threads, scan_one, scan, NULL);
  add_each (scan->ids.entries, G_N_ELEMENTS (scan->ids.entries), sts, run, kymo_sts_add_entry);
  add_each (scan->ids.events, G_N_ELEMENTS (scan->ids.events), sts, run, kymo_sts_add_event);
  g_mutex_clear (&scan->mutex);
  g_free (scan);
}

/**
 * kymo_projections_names_file:
 *
 * Returns: (transfer full): what the load report calls the file with the
 * names, whether there is one or not
 */
char *
kymo_projections_names_file (const KymoProjectionsFiles *files)
{
  return files->sts != NULL ? g_path_get_basename (files->sts)
    : g_strconcat (files->base, ".sts", NULL);
}

static KymoSts *
read_file (const KymoProjectionsFiles *files,
           const char                 *name,
           KymoRun                    *run)
{
  g_autoptr (GError) error = NULL;
  KymoSts *sts = NULL;

  if (files->sts != NULL)
    sts = kymo_sts_read (files->sts, name, run, NULL, &error);
  if (error != NULL)
    kymo_report_add (run->report, name, KYMO_SEVERITY_LOST, 1, -1, "%s", error->message);
  if (sts != NULL)
    return sts;
  kymo_report_add (run->report, name, KYMO_SEVERITY_LOST, 1, -1,
                   N_("There is no .sts that can be read: names are missing; version 11.0 is "
                      "assumed, and entry methods and events are named by their numbers"));
  run->format_version = g_strdup ("11.0");
  return kymo_sts_new_nameless (run);
}

/* The highest number of a log tells how many PEs there are at least; a number
   that no run reaches is no PE. */
static gint64
count_pes (const KymoProjectionsFiles *files)
{
  for (guint i = files->logs->len; i-- > 0;)
    if (kymo_projections_file (files->logs, i)->pe < G_MAXINT32)
      return kymo_projections_file (files->logs, i)->pe + 1;
  return 1;
}

/**
 * kymo_projections_read_names:
 * @files: those of the run, with logs
 * @run: gets activities, provenance and issues
 * @n_threads: 0 = as many as there are processors
 *
 * Returns: (transfer full): names and versions, as far as there are any; its
 * number of PEs is set
 */
KymoSts *
kymo_projections_read_names (const KymoProjectionsFiles *files,
                             KymoRun                    *run,
                             KymoJob                    *job,
                             guint                       n_threads)
{
  g_autofree char *name = kymo_projections_names_file (files);
  KymoSts *sts = read_file (files, name, run);

  if (files->sts != NULL && files->sts_of_other_form)
    kymo_report_add (run->report, name, KYMO_SEVERITY_NOTE, 1, -1,
                     N_("The .sts of the logs is missing; the names are those that another trace "
                        "mode of the same program wrote"));
  if (sts->n_pes == 0)
    sts->n_pes = count_pes (files);
  if (!sts->is_complete || files->sts_of_other_form)
    name_by_id (files, sts, run, job, n_threads);
  return sts;
}

/**
 * kymo_projections_read_summary_names:
 * @files: those of the run, with summaries
 * @run: (inout): an empty run; gets activities, provenance and issues, or is
 *   another empty one after
 *
 * A summary can do without: its states are named once they are known.
 *
 * Returns: (transfer full) (nullable): the names, %NULL where there are none
 */
KymoSts *
kymo_projections_read_summary_names (const KymoProjectionsFiles  *files,
                                     KymoRun                    **run)
{
  g_autofree char *name = files->sts != NULL ? g_path_get_basename (files->sts)
    : g_strconcat (files->base, ".sum.sts", NULL);
  g_autoptr (GError) error = NULL;
  KymoSts *sts = files->sts != NULL ? kymo_sts_read (files->sts, name, *run, NULL, &error) : NULL;

  if (sts == NULL)
    {
      /* Names that were read before the failure are dropped: half a set of names is no use. */
      kymo_run_unref (*run);
      *run = kymo_run_new ();
      kymo_report_add ((*run)->report, name, KYMO_SEVERITY_LOST, 1, -1, "%s",
                       error != NULL ? error->message
                       : N_("There is no such file; entry methods are shown by their numbers"));
    }
  else if (files->sts_of_other_form)
    kymo_report_add ((*run)->report, name, KYMO_SEVERITY_NOTE, 1, -1,
                     N_("The names come from the .sts of another trace mode of the same program"));
  return sts;
}
