/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles of TAU, in whatever form they lie.
 */
#include "config.h"

#include "kymo-tau-profile.h"

#include <string.h>

#include "kymo-format.h"

static char *
dup_title (const KymoTauProfileFiles *files)
{
  g_autofree char *folder = g_canonicalize_filename (files->folder, NULL);

  if (files->file != NULL)
    return g_strdup (files->file);
  return g_path_get_basename (folder);
}

static void
copy_report (KymoReport *from,
             KymoReport *to)
{
  for (guint i = 0; i < kymo_report_get_n_issues (from); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (from, i);

      kymo_report_add (to, issue->file, issue->severity, issue->count, issue->offset, "%s",
                       issue->what);
    }
}

static KymoRun *
tau_profile_read (const char             *path,
                  const KymoOpenOptions  *options,
                  KymoJob                *job,
                  GError                **error)
{
  g_autoptr (KymoTauProfileFiles) files = kymo_tau_profile_files_find (path, options->base,
                                                                       error);
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoTauReading reading = { files, options, job, report };
  KymoRun *run = NULL;

  if (files == NULL)
    return NULL;
  switch (files->form)
    {
    case KYMO_TAU_PROFILES:
      run = kymo_tau_profile_read_text (&reading, error);
      break;
    default:
      break;
    }
  if (run == NULL)
    return NULL;
  run->path = g_strdup (files->folder);
  run->title = dup_title (files);
  copy_report (report, run->report);
  kymo_profile_run_report_ranks (run);
  kymo_run_seal (run);
  return run;
}

const KymoFormat kymo_format_tau_profile = { "tau-profile", tau_profile_read,
                                             kymo_tau_profile_files_knows };
