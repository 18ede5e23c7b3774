/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The merged file: the profiles of all threads of a run in one, and behind them sums over
 * threads, which are not needed; but where a run kept these alone (TAU_SUMMARY) there is
 * one location, the mean of all threads.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-profile-pool.h"
#include "kymo-tau-profile.h"
#include "kymo-tau-profile-xml.h"

#define MEAN "mean_all"

/* The one location of a run that kept sums alone. */
static void
mark_mean (KymoRun    *run,
           const char *file)
{
  KymoLocation *location = &g_array_index (run->locations, KymoLocation, 0);

  g_free (location->label);
  location->label = g_strdup ("mean");
  kymo_run_add_note (run, N_("Figures are means over all threads: nothing else was kept"));
  kymo_report_add (run->report, file, KYMO_SEVERITY_NOTE, 1, -1,
                   N_("The file holds sums over all threads alone: its one location is their "
                      "mean"));
}

static KymoRun *
make_run (KymoTauReading     *reading,
          KymoTauXmlFile     *look,
          KymoTauXmlReading  *file,
          KymoProfileBuilder *builder,
          GError            **error)
{
  g_autoptr (GArray) kept = kymo_profile_builder_keep_begun (builder);
  g_autoptr (GArray) threads = NULL;
  GPtrArray *profiles, *last;
  KymoRun *run;

  if (kymo_open_is_stopped (reading->job, file->name, error))
    {
      kymo_profile_builder_free (builder);
      return NULL;
    }
  if (kept->len == 0 && !kymo_profile_builder_is_full (builder))
    {
      kymo_profile_builder_free (builder);
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s” holds no profile of a thread that can be read"), file->name);
      return NULL;
    }
  threads = kymo_tau_profile_keep_threads (look->threads, kept);
  profiles = kymo_tau_profile_make (reading, builder, error);
  if (profiles == NULL)
    return NULL;
  /* A file is one run, whatever it lists twice: the last counts. */
  last = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_profile_data_unref);
  g_ptr_array_add (last, kymo_profile_data_ref (profiles->pdata[profiles->len - 1]));
  g_ptr_array_unref (profiles);
  run = kymo_profile_run_new ("tau-profile", threads, last);
  if (file->derived != NULL)
    mark_mean (run, file->name);
  return run;
}

/**
 * kymo_tau_profile_read_merged:
 *
 * Reads the merged file of all ranks in XML. Sets the errors of reading: no file, too large,
 * no thread in it.
 *
 * Returns: (transfer full) (nullable): the run, not sealed
 */
KymoRun *
kymo_tau_profile_read_merged (KymoTauReading  *reading,
                              GError         **error)
{
  g_autofree char *path = g_build_filename (reading->files->folder, reading->files->file, NULL);
  g_autoptr (GPtrArray) facts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  KymoTauXmlReading file = { .name = reading->files->file, .report = reading->report,
                             .metadata = kymo_profile_take_metadata, .metadata_data = facts,
                             .job = reading->job };
  KymoTauXmlFile look;
  KymoProfileBuilder *builder;
  KymoRun *run;

  text = kymo_profile_read_whole (path, reading->options->memory_limit_bytes, &file.length,
                                  error);
  if (text == NULL)
    return NULL;
  kymo_tau_xml_file_init (&look);
  kymo_tau_xml_file_look (&look, text, file.length);
  kymo_profile_threads_sort (look.threads);
  if (look.threads->len == 0 && look.has_derived)
    {
      g_array_set_size (look.threads, 1);
      g_array_index (look.threads, KymoProfileThread, 0) = (KymoProfileThread) { 0, 0, 0 };
      file.derived = MEAN;
    }
  builder = kymo_tau_profile_builder_new (reading, look.threads->len, look.metrics);
  file.text = text;
  file.part = kymo_profile_builder_add_part (builder);
  file.metrics = look.metrics;
  file.threads = look.threads;
  kymo_tau_xml_read (&file);
  run = make_run (reading, &look, &file, builder, error);
  if (run != NULL)
    kymo_profile_run_add_list (run, facts);
  kymo_tau_xml_file_clear (&look);
  return run;
}
