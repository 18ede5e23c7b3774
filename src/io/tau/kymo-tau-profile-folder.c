/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder of profiles, a text file a thread and metric. Of tens of thousands of small
 * files the system's work is most of the time: they are opened relative to their folder,
 * and read into one buffer a worker.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-profile-pool.h"
#include "kymo-tau-profile.h"
#include "kymo-tau-profile-text.h"
#include "kymo-tau-xml.h"

/* State shared by the workers. `found` of each metric counts files that were profiles. */
typedef struct
{
  KymoTauReading *reading;
  KymoReport     *report;
  guint           n_metrics;
  int             folders[KYMO_MAX_PROFILE_METRICS];
  gint            n_lacking[KYMO_MAX_PROFILE_METRICS];  /* atomic */
} Folder;

static void
read_location (KymoProfileWorker *worker,
               guint              location,
               gpointer           data)
{
  Folder *folder = data;
  KymoTauProfileFiles *files = folder->reading->files;
  g_autofree char *name = kymo_tau_profile_files_dup_name (
    KYMO_TAU_PROFILES, &g_array_index (files->threads, KymoProfileThread, location));
  gboolean begun = FALSE;

  for (guint m = 0; m < folder->n_metrics; m++)
    {
      const char *metric = g_ptr_array_index (files->metrics, m);
      g_autofree char *told = folder->n_metrics > 1 ? g_build_filename (metric, name, NULL) : NULL;
      KymoTauProfileText profile = {
        .name = told != NULL ? told : name, .report = folder->report, .part = worker->part,
        .location = location, .metric = m, .begin = !begun, .users = !begun,
      };
      gssize n;

      if (folder->n_metrics > 1
          && faccessat (folder->folders[m], name, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        {
          g_atomic_int_inc (&folder->n_lacking[m]);
          continue;
        }
      n = kymo_profile_worker_read (worker, folder->folders[m], name, profile.name);
      if (n < 0)
        continue;
      profile.text = worker->text;
      profile.length = n;
      begun |= kymo_tau_profile_text_read (&profile);
    }
}

/* The metric that a folder is of: as the first of its files that can be read tells,
   else as the folder is called. */
static char *
dup_metric (Folder *folder,
            guint   m)
{
  const KymoTauProfileFiles *files = folder->reading->files;
  const char *name = g_ptr_array_index (files->metrics, m);

  for (guint i = 0; i < MIN (files->threads->len, 16); i++)
    {
      g_autofree char *file = kymo_tau_profile_files_dup_name (
        KYMO_TAU_PROFILES, &g_array_index (files->threads, KymoProfileThread, i));
      char head[512] = "";
      gsize n = kymo_input_read_head (folder->folders[m], file, head, sizeof head - 1);
      char *metric = n > 0 && kymo_tau_profile_text_is_one (head, n)
        ? kymo_tau_profile_text_dup_metric (head, n) : NULL;

      if (metric != NULL)
        return metric;
    }
  return g_strdup (g_str_has_prefix (name, "MULTI__") ? name + strlen ("MULTI__") : "TIME");
}

static gboolean
open_folders (Folder   *folder,
              GError  **error)
{
  const KymoTauProfileFiles *files = folder->reading->files;

  folder->n_metrics = MIN (files->metrics->len, KYMO_MAX_PROFILE_METRICS);
  if (folder->n_metrics < files->metrics->len)
    kymo_report_add (folder->report, g_ptr_array_index (files->metrics, folder->n_metrics),
                     KYMO_SEVERITY_LOST, files->metrics->len - folder->n_metrics, -1,
                     N_("Of more than 64 metrics only the first are kept"));
  for (guint m = 0; m < folder->n_metrics; m++)
    {
      g_autofree char *path = g_build_filename (files->folder, files->metrics->pdata[m], NULL);

      folder->folders[m] = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (folder->folders[m] < 0)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                       _("The folder “%s” cannot be opened"), path);
          while (m-- > 0)
            close (folder->folders[m]);
          return FALSE;
        }
    }
  return TRUE;
}

static void
take_metadata (const char *key,
               const char *value,
               gpointer    run)
{
  kymo_profile_run_add_metadata (run, key, value);
}

/* Adds the facts of the run that the first thread's file tells. */
static void
add_metadata (Folder  *folder,
              GArray  *threads,
              KymoRun *run)
{
  g_autofree char *name = kymo_tau_profile_files_dup_name (
    KYMO_TAU_PROFILES, &g_array_index (threads, KymoProfileThread, 0));
  g_autofree char *path = g_build_filename (
    folder->reading->files->folder, folder->reading->files->metrics->pdata[0], name, NULL);
  g_autofree char *text = NULL;
  const char *metadata;
  gsize length, n;
  KymoTauXml xml;

  if (!kymo_input_load (path, folder->reading->options->memory_limit_bytes, &text, &length, NULL))
    return;
  metadata = kymo_tau_profile_text_find_metadata (text, length, &n);
  if (metadata == NULL)
    return;
  kymo_tau_xml_init (&xml, metadata, n);
  kymo_tau_xml_next (&xml);
  kymo_tau_xml_metadata (&xml, take_metadata, run);
}

static KymoRun *
make_run (Folder             *folder,
          KymoProfileBuilder *builder,
          GError            **error)
{
  KymoTauReading *reading = folder->reading;
  g_autoptr (GArray) kept = kymo_profile_builder_keep_begun (builder);
  g_autoptr (GArray) threads = kymo_tau_profile_keep_threads (reading->files->threads, kept);
  GPtrArray *profiles;
  KymoRun *run;

  if (threads->len == 0)
    {
      kymo_profile_builder_free (builder);
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s”: no profile can be read; the first of %u: %s"), reading->files->folder,
                   reading->files->threads->len,
                   kymo_tau_profile_first_issue (reading));
      return NULL;
    }
  profiles = kymo_tau_profile_make (reading, builder, error);
  if (profiles == NULL)
    return NULL;
  run = kymo_profile_run_new ("tau-profile", threads, profiles);
  kymo_profile_run_take_note (run, threads, reading->files->folder);
  add_metadata (folder, threads, run);
  for (guint m = 0; m < folder->n_metrics; m++)
    if (folder->n_lacking[m] > 0)
      kymo_report_add (folder->report, reading->files->metrics->pdata[m], KYMO_SEVERITY_LOST,
                       folder->n_lacking[m], -1,
                       N_("Threads have no profile of this metric, but of others"));
  return run;
}

/**
 * kymo_tau_profile_read_text:
 *
 * Reads profiles in text, one file for each thread and metric. Sets the errors of reading: no
 * file, too large, cancelled.
 *
 * Returns: (transfer full) (nullable): the run, not sealed
 */
KymoRun *
kymo_tau_profile_read_text (KymoTauReading  *reading,
                            GError         **error)
{
  Folder folder = { reading, reading->report };
  g_autoptr (GPtrArray) metrics = g_ptr_array_new_with_free_func (g_free);
  KymoProfileBuilder *builder;
  KymoRun *run = NULL;

  if (!open_folders (&folder, error))
    return NULL;
  for (guint m = 0; m < folder.n_metrics; m++)
    g_ptr_array_add (metrics, dup_metric (&folder, m));
  builder = kymo_tau_profile_builder_new (reading, reading->files->threads->len, metrics);
  {
    KymoProfilePool pool = {
      .read = read_location, .data = &folder, .builder = builder, .report = reading->report,
      .job = reading->job, .path = reading->files->folder,
      .n_locations = reading->files->threads->len,
      .n_threads = kymo_tau_profile_n_threads (reading),
      .most_bytes = reading->options->memory_limit_bytes,
    };

    if (kymo_profile_pool_run (&pool, error))
      run = make_run (&folder, builder, error);
    else
      kymo_profile_builder_free (builder);
  }
  for (guint m = 0; m < folder.n_metrics; m++)
    close (folder.folders[m]);
  return run;
}
