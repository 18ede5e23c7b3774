/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Snapshots: a file a thread, with a profile a step, each cumulative. Step i of the run
 * is the i-th of each thread; a thread that has fewer keeps its last figures.
 */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-profile-pool.h"
#include "kymo-tau-profile.h"
#include "kymo-tau-profile-xml.h"

#define LAST_STEP "final"
/* A run whose files nobody has touched for so long is not going on. */
#define GROWING_S (10 * 60)
#define HEAD_BYTES (256 << 10)
#define MOST_LOOKED_AT 16

/* What the workers share. */
typedef struct
{
  KymoTauReading *reading;
  KymoReport     *report;
  GPtrArray      *metrics;
  int             folder;
  GMutex          mutex;        /* of what follows */
  GArray         *steps;        /* KymoTauXmlStep of the thread that has most */
  guint           steps_of;     /* which thread that is */
  gint64          begin_us;     /* of the thread that began first; 0 = not known */
  gboolean        open;         /* a thread has no last step, and wrote lately */
  GPtrArray      *facts;        /* char *: key and value in turn, of the first thread */
} Snapshots;

static void
take_metadata (const char *key,
               const char *value,
               gpointer    data)
{
  Snapshots *snapshots = data;

  g_ptr_array_add (snapshots->facts, g_strdup (key));
  g_ptr_array_add (snapshots->facts, g_strdup (value));
}

static gboolean
written_lately (const Snapshots *snapshots,
                const char      *name)
{
  struct stat about;

  return fstatat (snapshots->folder, name, &about, 0) == 0
    && g_get_real_time () / G_USEC_PER_SEC - about.st_mtime < GROWING_S;
}

/* Takes down the steps of one thread: the longest list counts, of these the first. */
static void
note_steps (Snapshots               *snapshots,
            const KymoTauXmlReading *file,
            guint                    location)
{
  const KymoTauXmlStep *last = &g_array_index (file->steps, KymoTauXmlStep, file->steps->len - 1);
  gboolean open = g_strcmp0 (last->name, LAST_STEP) != 0
    && written_lately (snapshots, file->name);

  g_mutex_lock (&snapshots->mutex);
  snapshots->open |= open;
  if (file->begin_us > 0 && (snapshots->begin_us == 0 || file->begin_us < snapshots->begin_us))
    snapshots->begin_us = file->begin_us;
  if (snapshots->steps == NULL || file->steps->len > snapshots->steps->len
      || (file->steps->len == snapshots->steps->len && location < snapshots->steps_of))
    {
      g_clear_pointer (&snapshots->steps, g_array_unref);
      snapshots->steps = g_array_ref (file->steps);
      snapshots->steps_of = location;
    }
  g_mutex_unlock (&snapshots->mutex);
}

static void
read_location (KymoProfileWorker *worker,
               guint              location,
               gpointer           data)
{
  Snapshots *snapshots = data;
  g_autofree char *name = kymo_tau_profile_files_dup_name (
    KYMO_TAU_SNAPSHOTS, &g_array_index (snapshots->reading->files->threads, KymoProfileThread,
                                        location));
  g_autoptr (GArray) steps = kymo_tau_xml_steps_new ();
  KymoTauXmlReading file = {
    .name = name, .report = snapshots->report, .part = worker->part,
    .metrics = snapshots->metrics, .location = location, .steps = steps,
    .metadata = location == 0 ? take_metadata : NULL, .metadata_data = snapshots,
  };
  gssize n = kymo_profile_worker_read (worker, snapshots->folder, name, name);

  if (n < 0)
    return;
  file.text = worker->text;
  file.length = n;
  if (kymo_tau_xml_read (&file))
    note_steps (snapshots, &file, location);
  else
    kymo_report_add (snapshots->report, name, KYMO_SEVERITY_LOST, 1, -1,
                     "The file holds no whole profile; it is left out");
}

/* The metrics: they stand at the begin of each file and are the same in all; some are
   looked at, for one may be damaged. */
static void
find_metrics (Snapshots *snapshots)
{
  GArray *threads = snapshots->reading->files->threads;
  g_autofree char *head = g_malloc (HEAD_BYTES);
  KymoTauXmlFile look;

  kymo_tau_xml_file_init (&look);
  for (guint i = 0; i < MIN (threads->len, MOST_LOOKED_AT); i++)
    {
      g_autofree char *name = kymo_tau_profile_files_dup_name (
        KYMO_TAU_SNAPSHOTS, &g_array_index (threads, KymoProfileThread, i));
      int fd = openat (snapshots->folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
      gssize n = fd >= 0 ? read (fd, head, HEAD_BYTES) : 0;
      const char *end = n > 0 ? memmem (head, n, "</definitions>", 14) : NULL;

      if (end != NULL)
        kymo_tau_xml_file_look (&look, head, end - head);
      if (fd >= 0)
        close (fd);
    }
  snapshots->metrics = g_ptr_array_ref (look.metrics);
  kymo_tau_xml_file_clear (&look);
}

/* Names and times, from the begin of the program on, as far as that is known. */
static void
name_steps (const Snapshots *snapshots,
            GPtrArray       *profiles)
{
  for (guint i = 0; i < profiles->len && i < snapshots->steps->len; i++)
    {
      const KymoTauXmlStep *step = &g_array_index (snapshots->steps, KymoTauXmlStep, i);
      KymoProfileData *data = g_ptr_array_index (profiles, i);

      if (step->name != NULL)
        {
          g_free (data->name);
          data->name = g_utf8_make_valid (step->name, -1);
        }
      if (step->time_us >= snapshots->begin_us && snapshots->begin_us > 0
          && step->time_us - snapshots->begin_us < G_MAXINT64 / 1000)
        data->time_ns = (step->time_us - snapshots->begin_us) * 1000;
    }
}

static KymoRun *
make_run (Snapshots          *snapshots,
          KymoProfileBuilder *builder,
          GError            **error)
{
  KymoTauReading *reading = snapshots->reading;
  g_autoptr (GArray) kept = kymo_profile_builder_keep_begun (builder);
  g_autoptr (GArray) threads = kymo_tau_profile_keep_threads (reading->files->threads, kept);
  guint64 row_bytes = 24 + 16 * snapshots->metrics->len;
  GPtrArray *profiles;
  KymoRun *run;

  if (threads->len == 0 || !kymo_profile_builder_fill_steps (
        builder, reading->options->memory_limit_bytes / row_bytes))
    {
      kymo_profile_builder_free (builder);
      if (threads->len > 0)
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                     "“%s” needs more memory than the limit allows", reading->files->folder);
      else
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                     "“%s”: no profile can be read; the first of %u: %s", reading->files->folder,
                     reading->files->threads->len, kymo_tau_profile_first_issue (reading));
      return NULL;
    }
  profiles = kymo_profile_builder_finish (builder, kymo_tau_profile_n_threads (reading));
  name_steps (snapshots, profiles);
  run = kymo_profile_run_new ("tau-profile", threads, profiles);
  run->growing = snapshots->open;
  for (guint i = 0; i + 1 < snapshots->facts->len; i += 2)
    kymo_profile_run_add_metadata (run, snapshots->facts->pdata[i],
                                   snapshots->facts->pdata[i + 1]);
  return run;
}

/**
 * kymo_tau_profile_read_snapshots:
 *
 * Returns: (transfer full) (nullable): a run with a profile a step
 */
KymoRun *
kymo_tau_profile_read_snapshots (KymoTauReading  *reading,
                                 GError         **error)
{
  Snapshots snapshots = { .reading = reading, .report = reading->report };
  KymoProfilePool pool = {
    .read = read_location, .data = &snapshots, .report = reading->report, .job = reading->job,
    .path = reading->files->folder, .n_locations = reading->files->threads->len,
    .n_threads = kymo_tau_profile_n_threads (reading),
    .most_bytes = reading->options->memory_limit_bytes,
  };
  KymoRun *run = NULL;

  snapshots.folder = open (reading->files->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (snapshots.folder < 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   "The folder “%s” cannot be opened", reading->files->folder);
      return NULL;
    }
  g_mutex_init (&snapshots.mutex);
  snapshots.facts = g_ptr_array_new_with_free_func (g_free);
  find_metrics (&snapshots);
  pool.builder = kymo_tau_profile_builder_new (pool.n_locations, snapshots.metrics);
  if (kymo_profile_pool_run (&pool, error))
    run = make_run (&snapshots, pool.builder, error);
  else
    kymo_profile_builder_free (pool.builder);
  close (snapshots.folder);
  g_clear_pointer (&snapshots.steps, g_array_unref);
  g_ptr_array_unref (snapshots.metrics);
  g_ptr_array_unref (snapshots.facts);
  g_mutex_clear (&snapshots.mutex);
  return run;
}
