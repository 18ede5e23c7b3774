/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of the raw folder of a recorded program: while it runs, and after it died without
 * an archive. Definitions of all processes become one, and the events go through the reader of
 * OTF2, which shares its threads, its matching of messages and its report.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-file-stamp.h"
#include "kymo-order.h"
#include "kymo-otf2-files.h"
#include "kymo-record-files.h"
#include "kymo-record.h"

/* Memory that definitions may take, however low the limit is, as for archives. */
#define LEAST_BYTES (16 << 20)

static void
process_free (gpointer data)
{
  kymo_record_process_free (data);
}

static void
record_clear (KymoRecord *record)
{
  g_ptr_array_unref (record->processes);
  g_ptr_array_unref (record->files);
  g_free (record->folder);
}

/* When the world of a process began, as far as its processes tell. */
static gint64
begin_of_world (GPtrArray  *processes,
                const char *world)
{
  gint64 begin_ns = G_MAXINT64;

  for (guint i = 0; i < processes->len; i++)
    {
      const KymoRecordProcess *process = processes->pdata[i];

      if (process->moments->len > 0 && g_strcmp0 (process->world, world) == 0)
        begin_ns = MIN (begin_ns, g_array_index (process->moments, KymoRecordMoment, 0).real_ns);
    }
  return begin_ns;
}

typedef struct
{
  GPtrArray  *processes;
  GHashTable *begins;           /* name of a world -> gint64 */
} Order;

static gint64
begin_of (const Order             *order,
          const KymoRecordProcess *process)
{
  return process->world != NULL
    ? *(gint64 *) g_hash_table_lookup (order->begins, process->world) : G_MAXINT64;
}

/* Worlds in the order in which they began, each by rank; then processes without one. */
static int
compare_processes (gconstpointer a,
                   gconstpointer b,
                   gpointer      data)
{
  const KymoRecordProcess *x = *(KymoRecordProcess *const *) a;
  const KymoRecordProcess *y = *(KymoRecordProcess *const *) b;
  int names;

  KYMO_ORDER_BY (x->world == NULL, y->world == NULL);
  KYMO_ORDER_BY (begin_of (data, x), begin_of (data, y));
  names = g_strcmp0 (x->world, y->world);
  if (names != 0)
    return names;
  KYMO_ORDER_BY (x->rank, y->rank);
  return g_strcmp0 (x->name, y->name);
}

static void
sort_processes (GPtrArray *processes)
{
  g_autoptr (GHashTable) begins = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  Order order = { processes, begins };

  for (guint i = 0; i < processes->len; i++)
    {
      const KymoRecordProcess *process = processes->pdata[i];
      gint64 begin_ns;

      if (process->world == NULL || g_hash_table_contains (begins, process->world))
        continue;
      begin_ns = begin_of_world (processes, process->world);
      g_hash_table_insert (begins, process->world, g_memdup2 (&begin_ns, sizeof begin_ns));
    }
  g_ptr_array_sort_with_data (processes, compare_processes, &order);
}

/* Ticks of one machine are equally long: a process that read its clock once only takes the rate
   from another. */
static void
share_clocks (GPtrArray *processes)
{
  for (guint i = 0; i < processes->len; i++)
    for (guint k = 0; !kymo_record_has_clock (processes->pdata[i]) && k < processes->len; k++)
      kymo_record_clock_borrow (processes->pdata[i], processes->pdata[k]);
}

static gboolean
set_memory_error (const char  *path,
                  GError     **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
               _("“%s” needs more memory than the limit allows"), path);
  return FALSE;
}

/* A process whose definitions cannot be read is left out and told of. */
static gboolean
read_processes (KymoRecord             *record,
                const KymoOtf2Reading  *reading,
                gint64                  most_bytes,
                GError                **error)
{
  g_autoptr (GPtrArray) paths = kymo_record_list (record->folder);
  gint64 n_bytes = 0;

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (GError) why = NULL;
      KymoRecordProcess *process;

      if (kymo_open_is_stopped (reading->job, reading->path, error))
        return FALSE;
      process = kymo_record_process_new (paths->pdata[i], (gsize) (most_bytes - n_bytes), &why);
      if (process != NULL)
        {
          n_bytes += (gint64) process->n_bytes;
          g_ptr_array_add (record->processes, process);
        }
      else if (g_error_matches (why, KYMO_ERROR, KYMO_ERROR_LIMIT))
        return set_memory_error (reading->path, error);
      else
        {
          g_autofree char *name = g_path_get_basename (paths->pdata[i]);
          g_autofree char *file = g_build_filename (KYMO_RECORD_RAW, name,
                                                    KYMO_RECORD_DEFINITIONS, NULL);

          kymo_report_add (reading->run->report, file, KYMO_SEVERITY_LOST, 1, -1,
                           N_("The definitions of a process cannot be read; its events are left "
                              "out"));
        }
      if (n_bytes >= most_bytes)
        return set_memory_error (reading->path, error);
    }
  share_clocks (record->processes);
  sort_processes (record->processes);
  return TRUE;
}

/* A run grows until each process has recorded its end, or until the files stop growing. */
static gboolean
is_growing (const KymoRecord *record)
{
  KymoGrowth growth;
  gboolean all_over = TRUE;

  for (guint i = 0; i < record->processes->len; i++)
    all_over &= ((KymoRecordProcess *) record->processes->pdata[i])->is_over;
  return !all_over && kymo_growth_look (record->folder, &growth, NULL) && growth.recent;
}

static void
describe_record (const KymoRecord *record,
                 KymoRun          *run)
{
  const KymoRecordProcess *first = record->processes->pdata[0];

  run->path = g_strdup (record->folder);
  run->title = g_filename_display_basename (record->folder);
  run->format = g_strdup ("record");
  run->format_version = g_strdup ("1");
  run->growing = is_growing (record);
  kymo_run_add_fact (run, "creator", "kymo-record");
  if (*first->program != '\0')
    kymo_run_add_fact (run, "program", first->program);
  if (first->mpi != NULL)
    kymo_run_add_fact (run, "mpi", first->mpi);
}

/* What an unfinished run lacks, beside what its files tell. */
static void
report_end (const KymoRecord *record,
            KymoRun          *run)
{
  guint n_running = 0;

  for (guint i = 0; i < record->processes->len; i++)
    n_running += !((KymoRecordProcess *) record->processes->pdata[i])->is_over;
  if (n_running == 0)
    return;
  if (run->growing)
    kymo_report_add (run->report, KYMO_RECORD_RAW, KYMO_SEVERITY_NOTE, n_running, -1,
                     N_("Processes are still recorded; the run grows"));
  else
    kymo_report_add (run->report, KYMO_RECORD_RAW, KYMO_SEVERITY_LOST, n_running, -1,
                     N_("Processes ended without finishing the recording: their last records may "
                        "be missing"));
}

static KymoRun *
read_raw (const char             *path,
          char                   *folder,
          const GError           *archive_error,
          const KymoOpenOptions  *options,
          KymoJob                *job,
          GError                **error)
{
  gint64 most_bytes = MAX (options->memory_limit_bytes, LEAST_BYTES);
  KymoRecord record = { .folder = folder,
                        .processes = g_ptr_array_new_with_free_func (process_free),
                        .files = g_ptr_array_new () };
  KymoOtf2Supply supply = kymo_record_supply;
  KymoOtf2Reading reading = { .path = path, .options = options, .job = job, .supply = &supply,
                              .run = kymo_run_new (), .base = g_strdup (KYMO_RECORD_RAW) };
  KymoRun *run = NULL;
  gboolean good;

  supply.data = &record;
  kymo_otf2_events_init (&record.events);
  reading.defs = kymo_otf2_defs_new (most_bytes);
  if (archive_error != NULL)
    kymo_report_add (reading.run->report, "traces.otf2", KYMO_SEVERITY_NOTE, 1, -1,
                     N_("The archive cannot be read, so the run is read from its raw files: %s"),
                     archive_error->message);
  good = read_processes (&record, &reading, most_bytes, error);
  if (good && record.processes->len == 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s”: no process of the run has definitions that can be read"), path);
      good = FALSE;
    }
  if (good)
    {
      describe_record (&record, reading.run);
      report_end (&record, reading.run);
      kymo_record_merge (&record, reading.defs);
      run = kymo_otf2_read_supplied (&reading, error);
    }
  else
    kymo_otf2_drop_supplied (&reading);
  record_clear (&record);
  if (run != NULL && run->locations->len == 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s”: no event of the program is recorded that can be read"), path);
      g_clear_pointer (&run, kymo_run_unref);
    }
  return run;
}

/**
 * kymo_record_read:
 * @path: the folder of a run, or anything in it
 * @options: how to read it
 * @job: (nullable): for progress and cancellation
 *
 * Reads a recorded program: its archive if there is one, else, or if that cannot be read, its raw
 * folder. Sets the error of kymo_record_find(), %KYMO_ERROR_UNREADABLE, %KYMO_ERROR_LIMIT or
 * %G_IO_ERROR_CANCELLED.
 *
 * Returns: (transfer full) (nullable): the sealed run
 */
KymoRun *
kymo_record_read (const char             *path,
                  const KymoOpenOptions  *options,
                  KymoJob                *job,
                  GError                **error)
{
  char *folder = kymo_record_find (path, error);
  g_autofree char *anchor = folder != NULL ? kymo_record_dup_anchor (folder) : NULL;
  g_autoptr (GError) why = NULL;
  KymoRun *run;

  if (folder == NULL)
    return NULL;
  if (anchor != NULL && (run = kymo_otf2_read (anchor, options, job, &why)) != NULL)
    {
      g_free (folder);
      return run;
    }
  if (why != NULL && !g_error_matches (why, KYMO_ERROR, KYMO_ERROR_UNREADABLE))
    {
      g_free (folder);
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  return read_raw (path, folder, why, options, job, error);
}
