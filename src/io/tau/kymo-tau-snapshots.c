/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Snapshots: a file a thread, with a profile a step, each cumulative. Step i of the run
 * is the i-th of each thread; a thread that has fewer keeps its last figures. Where their
 * names tell that steps of one number are not the same, the report says so.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-file-stamp.h"
#include "kymo-input.h"
#include "kymo-profile-pool.h"
#include "kymo-tau-profile.h"
#include "kymo-tau-profile-xml.h"

#define LAST_STEP "final"
#define HEAD_BYTES (256 << 10)
#define MOST_LOOKED_AT 16

/* State shared by the workers. */
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
  guint           facts_of;     /* which that is, of those that could be read */
  GArray        **names;        /* by location: guint: hashes of the names of its steps */
} Snapshots;

static gboolean
written_lately (const Snapshots *snapshots,
                const char      *name)
{
  struct stat about;

  return fstatat (snapshots->folder, name, &about, 0) == 0
    && kymo_growth_is_recent (about.st_mtime);
}

/* Hashes of the names of steps; 0 for a step without a name, and for the last step: it is the end
   of its thread, wherever other threads are. */
static GArray *
hash_names (GArray *steps)
{
  GArray *hashes = g_array_sized_new (FALSE, FALSE, sizeof (guint), steps->len);

  for (guint i = 0; i < steps->len; i++)
    {
      const char *name = g_array_index (steps, KymoTauXmlStep, i).name;
      guint hash = name != NULL && !g_str_equal (name, LAST_STEP) ? g_str_hash (name) | 1 : 0;

      g_array_append_val (hashes, hash);
    }
  return hashes;
}

/* Takes down the steps of one thread: the longest list counts, of these the first. */
static void
note_steps (Snapshots               *snapshots,
            const KymoTauXmlReading *file,
            guint                    location,
            GPtrArray               *facts)
{
  const KymoTauXmlStep *last = &g_array_index (file->steps, KymoTauXmlStep, file->steps->len - 1);
  gboolean open = g_strcmp0 (last->name, LAST_STEP) != 0
    && written_lately (snapshots, file->name);

  snapshots->names[location] = hash_names (file->steps);
  g_mutex_lock (&snapshots->mutex);
  snapshots->open |= open;
  if (facts != NULL && facts->len > 0 && location < snapshots->facts_of)
    {
      g_ptr_array_unref (snapshots->facts);
      snapshots->facts = g_ptr_array_ref (facts);
      snapshots->facts_of = location;
    }
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
  /* Of the run the first threads tell the same; one of them may be damaged. */
  g_autoptr (GPtrArray) facts = location < MOST_LOOKED_AT
    ? g_ptr_array_new_with_free_func (g_free) : NULL;
  KymoTauXmlReading file = {
    .name = name, .report = snapshots->report, .part = worker->part,
    .metrics = snapshots->metrics, .location = location, .steps = steps,
    .metadata = facts != NULL ? kymo_profile_take_metadata : NULL, .metadata_data = facts,
    .job = snapshots->reading->job,
  };
  gssize n = kymo_profile_worker_read (worker, snapshots->folder, name, name);

  if (n < 0)
    return;
  file.text = worker->text;
  file.length = n;
  if (kymo_tau_xml_read (&file))
    note_steps (snapshots, &file, location, facts);
  else
    kymo_report_add (snapshots->report, name, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The file holds no whole profile; it is left out"));
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
      gsize n = kymo_input_read_head (snapshots->folder, name, head, HEAD_BYTES);
      const char *end = n > 0 ? memmem (head, n, "</definitions>", 14) : NULL;

      if (end != NULL)
        kymo_tau_xml_file_look (&look, head, end - head);
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

/* Steps are joined by their number alone. */
static void
compare_names (Snapshots *snapshots)
{
  const GArray *own = snapshots->names[snapshots->steps_of];
  guint n = 0, first = 0;

  for (guint l = 0; l < snapshots->reading->files->threads->len; l++)
    {
      const GArray *names = snapshots->names[l];
      gboolean differ = FALSE;

      for (guint i = 0; names != NULL && i < MIN (names->len, own->len); i++)
        {
          guint a = g_array_index (names, guint, i), b = g_array_index (own, guint, i);

          differ |= a != b && a != 0 && b != 0;
        }
      if (differ && n++ == 0)
        first = l;
    }
  if (n > 0)
    {
      g_autofree char *name = kymo_tau_profile_files_dup_name (
        KYMO_TAU_SNAPSHOTS,
        &g_array_index (snapshots->reading->files->threads, KymoProfileThread, first));

      kymo_report_add (snapshots->report, name, KYMO_SEVERITY_NOTE, n, -1,
                       N_("Steps of threads have other names than those of the first at the same "
                          "place; they are joined by their number"));
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
  GPtrArray *profiles;
  KymoRun *run;

  if (threads->len == 0 && !kymo_profile_builder_is_full (builder))
    {
      kymo_profile_builder_free (builder);
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s”: no profile can be read; the first of %u: %s"), reading->files->folder,
                   reading->files->threads->len, kymo_tau_profile_first_issue (reading));
      return NULL;
    }
  profiles = kymo_tau_profile_make (reading, builder, error);
  if (profiles == NULL)
    return NULL;
  name_steps (snapshots, profiles);
  compare_names (snapshots);
  run = kymo_profile_run_new ("tau-profile", threads, profiles);
  run->growing = snapshots->open;
  kymo_profile_run_add_list (run, snapshots->facts);
  return run;
}

/**
 * kymo_tau_profile_read_snapshots:
 *
 * Reads snapshots, a file for each thread with a profile for each step. Sets the errors of
 * reading: no file, too large, cancelled.
 *
 * Returns: (transfer full) (nullable): the run, not sealed
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
                   _("The folder “%s” cannot be opened"), reading->files->folder);
      return NULL;
    }
  g_mutex_init (&snapshots.mutex);
  snapshots.facts = g_ptr_array_new_with_free_func (g_free);
  snapshots.facts_of = G_MAXUINT;
  snapshots.names = g_new0 (GArray *, pool.n_locations + 1);
  find_metrics (&snapshots);
  pool.builder = kymo_tau_profile_builder_new (reading, pool.n_locations, snapshots.metrics);
  if (kymo_profile_pool_run (&pool, error))
    run = make_run (&snapshots, pool.builder, error);
  else
    kymo_profile_builder_free (pool.builder);
  close (snapshots.folder);
  g_clear_pointer (&snapshots.steps, g_array_unref);
  g_ptr_array_unref (snapshots.metrics);
  g_ptr_array_unref (snapshots.facts);
  for (guint i = 0; i < pool.n_locations; i++)
    g_clear_pointer (&snapshots.names[i], g_array_unref);
  g_free (snapshots.names);
  g_mutex_clear (&snapshots.mutex);
  return run;
}
