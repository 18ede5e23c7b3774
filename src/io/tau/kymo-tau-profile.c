/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles of TAU, in whatever form they lie.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-check-run.h"
#include "kymo-tau-profile.h"

#include <string.h>

#include "kymo-format.h"
#include "kymo-profile-pool.h"

/**
 * kymo_tau_profile_keep_threads:
 * @threads: (element-type KymoProfileThread): all threads
 * @kept: (nullable) (element-type guint): indices of those that could be read; %NULL = all
 *
 * Returns: (transfer full) (element-type KymoProfileThread): these alone
 */
GArray *
kymo_tau_profile_keep_threads (GArray *threads,
                               GArray *kept)
{
  GArray *result;

  if (kept == NULL)
    return g_array_ref (threads);
  result = g_array_new (FALSE, FALSE, sizeof (KymoProfileThread));
  for (guint i = 0; i < kept->len; i++)
    g_array_append_val (result, g_array_index (threads, KymoProfileThread,
                                               g_array_index (kept, guint, i)));
  return result;
}

/**
 * kymo_tau_profile_n_threads:
 *
 * Returns: the number of threads to read with; one for each core if the options do not say
 */
guint
kymo_tau_profile_n_threads (const KymoTauReading *reading)
{
  return reading->options->n_threads > 0 ? reading->options->n_threads
    : g_get_num_processors ();
}

/**
 * kymo_tau_profile_builder_new:
 * @n_locations: number of threads
 * @metrics: (element-type utf8): their names; units are those of TAU. If there is none, a
 *   metric TIME is made in which all is 0, because a profile has a metric
 *
 * Returns: (transfer full): a builder with these metrics and the limit of memory
 */
KymoProfileBuilder *
kymo_tau_profile_builder_new (const KymoTauReading *reading,
                              guint                 n_locations,
                              GPtrArray            *metrics)
{
  KymoProfileBuilder *builder = kymo_profile_builder_new (n_locations);

  kymo_profile_set_limit (builder, reading->options);
  for (guint i = 0; i < metrics->len; i++)
    {
      const char *unit, *name = g_ptr_array_index (metrics, i);
      double unit_ns;

      kymo_profile_time_unit (name, &unit, &unit_ns);
      kymo_profile_builder_add_metric (builder, name, unit, unit_ns);
    }
  if (metrics->len == 0)
    kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  return builder;
}

/**
 * kymo_tau_profile_make:
 * @builder: (transfer full): of kymo_tau_profile_builder_new()
 * @error: see kymo_profile_make()
 *
 * Returns: (transfer full) (nullable) (element-type KymoProfileData): its profiles
 */
GPtrArray *
kymo_tau_profile_make (const KymoTauReading  *reading,
                       KymoProfileBuilder    *builder,
                       GError               **error)
{
  return kymo_profile_make (builder, reading->files->folder,
                            kymo_tau_profile_n_threads (reading), error);
}

/**
 * kymo_tau_profile_first_issue:
 *
 * Returns: why there is no run: what the report tells first
 */
const char *
kymo_tau_profile_first_issue (const KymoTauReading *reading)
{
  return kymo_report_get_n_issues (reading->report) > 0
    ? kymo_report_peek_issue (reading->report, 0)->what : N_("it is gone");
}

static char *
dup_title (const KymoTauProfileFiles *files)
{
  g_autofree char *folder = g_canonicalize_filename (files->folder, NULL);

  if (files->form == KYMO_TAU_PACKED)
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
    case KYMO_TAU_SNAPSHOTS:
      run = kymo_tau_profile_read_snapshots (&reading, error);
      break;
    case KYMO_TAU_MERGED:
      run = kymo_tau_profile_read_merged (&reading, error);
      break;
    case KYMO_TAU_PACKED:
      run = kymo_tau_profile_read_packed (&reading, error);
      break;
    }
  if (run == NULL)
    return NULL;
  run->path = g_strdup (files->folder);
  run->title = dup_title (files);
  copy_report (report, run->report);
  kymo_profile_run_report_ranks (run);
  kymo_check_names (run, run->title);
  kymo_run_seal (run);
  return run;
}

const KymoFormat kymo_format_tau_profile =
{
  .id = "tau-profile",
  .kind = KYMO_FORMAT_PROFILE,
  .tool = "TAU",
  .label = N_("TAU profile"),
  .globs = KYMO_FORMAT_WORDS ("profile.[0-9]*.[0-9]*.[0-9]*", "snapshot.[0-9]*.[0-9]*.[0-9]*",
                              "tauprofile.xml", "*.ppk"),
  .types = KYMO_FORMAT_WORDS ("application/x-tau-profile", "application/x-paraprof-packed"),
  .beside = KYMO_FORMAT_WORDS ("tau-trace", "otf2"),
  .read = tau_profile_read,
  .knows = kymo_tau_profile_files_knows,
  .part = kymo_tau_profile_files_part,
};
