/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of OTF2 archives, by way of the library of that format: the anchor file
 * says where all lies, the global definitions become the tables of the run
 * (kymo-otf2-defs), and the events of each location, one a task on a thread pool,
 * a segment (kymo-otf2-events). Clock offsets, and numbers that differ between
 * locations, are in the local definitions and the library's to apply.
 *
 * What the library has to say of a broken archive goes into the report; it must not
 * write on its own.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include <pthread.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <otf2/otf2.h>
#include <otf2/OTF2_Pthread_Locks.h>
#pragma GCC diagnostic pop

#include "kymo-cache.h"
#include "kymo-check-run.h"
#include "kymo-run-environment.h"
#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-otf2-files.h"
#include "kymo-otf2-private.h"

/* Memory that a run may take, however low its limit is, as for logs. */
#define LEAST_BYTES (16 << 20)

/* Keeps the library from printing errors: it returns the code to the caller, and the caller reports
   it. */
static OTF2_ErrorCode
on_library_error (void           *data,
                  const char     *file,
                  uint64_t        line,
                  const char     *function,
                  OTF2_ErrorCode  code,
                  const char     *format,
                  va_list         arguments)
{
  return code;
}

/**
 * kymo_otf2_quiet_library:
 *
 * From here on the library prints nothing. Any thread.
 */
void
kymo_otf2_quiet_library (void)
{
  static gsize once;

  if (g_once_init_enter (&once))
    {
      OTF2_Error_RegisterCallback (on_library_error, NULL);
      g_once_init_leave (&once, 1);
    }
}

static gboolean
set_error (const KymoOtf2Reading   *reading,
           OTF2_ErrorCode   code,
           const char      *what,
           GError         **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "“%s”: %s: %s", reading->path, what,
               OTF2_Error_GetDescription (code));
  return FALSE;
}

static gint64
most_bytes (const KymoOtf2Reading *reading)
{
  return MAX (reading->options->memory_limit_bytes, LEAST_BYTES);
}

static gboolean
set_limit_error (const KymoOtf2Reading  *reading,
                 GError        **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
               _("“%s” needs more memory than the limit allows"), reading->path);
  return FALSE;
}

static gboolean
open_archive (KymoOtf2Reading  *reading,
              GError  **error)
{
  OTF2_ErrorCode code;

  g_autofree char *names = g_strconcat (reading->base, ".def", NULL);
  GError *barred;

  if (!kymo_otf2_files_check (reading->anchor, error))
    return FALSE;
  barred = kymo_otf2_files_bar (reading->anchor, names);
  if (barred != NULL)
    {
      g_propagate_error (error, barred);
      return FALSE;
    }
  kymo_otf2_quiet_library ();
  reading->reader = OTF2_Reader_Open (reading->anchor);
  if (reading->reader == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s” cannot be read as the anchor of an OTF2 archive"), reading->anchor);
      return FALSE;
    }
  code = OTF2_Reader_SetSerialCollectiveCallbacks (reading->reader);
  if (code == OTF2_SUCCESS)
    code = OTF2_Pthread_Reader_SetLockingCallbacks (reading->reader, NULL);
  return code == OTF2_SUCCESS || set_error (reading, code, _("the archive cannot be opened"),
                                       error);
}

static void
report_definitions (KymoOtf2Reading        *reading,
                    OTF2_ErrorCode  code)
{
  g_autofree char *name = g_strconcat (reading->base, ".def", NULL);

  if (code != OTF2_SUCCESS)
    kymo_report_add (reading->run->report, name, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The definitions cannot be read to their end: %s"),
                     OTF2_Error_GetDescription (code));
  if (reading->defs->n_left_out > 0)
    kymo_report_add (reading->run->report, name, KYMO_SEVERITY_LOST, reading->defs->n_left_out,
                     -1, N_("Definitions with a number that another one has already"));
}

static void
report_names (const KymoOtf2Reading *reading)
{
  g_autofree char *name = g_strconcat (reading->base, ".def", NULL);

  kymo_check_names (reading->run, name);
}

/* What surrounded the program. */
static void
take_environment (KymoOtf2Reading *reading)
{
  KymoOtf2Defs *defs = reading->defs;
  g_autoptr (GKeyFile) properties = g_key_file_new ();

  for (guint i = 0; i < defs->properties->len; i++)
    {
      const KymoOtf2Property *property = &g_array_index (defs->properties, KymoOtf2Property, i);
      guint32 group = kymo_otf2_ids_find (&defs->location_group_ids, property->group_id);

      kymo_run_environment_property (
        properties, group != KYMO_OTF2_NONE
        ? g_array_index (defs->location_groups, KymoOtf2LocationGroup, group).rank : -1,
        kymo_otf2_defs_string (defs, property->name),
        kymo_otf2_defs_use_string (defs, property->value));
    }
  kymo_run_environment_take (reading->run, properties);
}

/* What the definitions mean for the run, when all are read. */
static gboolean
finish_definitions (KymoOtf2Reading  *reading,
                    GError          **error)
{
  kymo_otf2_defs_finish (reading->defs);
  if (reading->supply == NULL)
    kymo_otf2_take_note (reading);
  kymo_otf2_defs_describe (reading->defs, kymo_otf2_noted_tree (reading), reading->run);
  kymo_otf2_apply_note (reading);
  take_environment (reading);
  if (reading->defs->n_bytes > reading->defs->most_bytes)
    return set_limit_error (reading, error);
  kymo_spill_set_run (reading->spill, reading->run->metrics->len,
                      KYMO_STATE_ACTIVITY + reading->run->activities->len);
  kymo_spill_charge (reading->spill, reading->defs->n_bytes);
  return TRUE;
}

static gboolean
read_definitions (KymoOtf2Reading  *reading,
                  GError  **error)
{
  OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader (reading->reader);
  OTF2_GlobalDefReaderCallbacks *calls;
  OTF2_ErrorCode code;
  uint64_t n = 0;

  if (reader == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s”: the definitions of the archive cannot be opened"), reading->path);
      return FALSE;
    }
  reading->defs = kymo_otf2_defs_new (most_bytes (reading));
  calls = kymo_otf2_defs_new_callbacks ();
  code = OTF2_Reader_RegisterGlobalDefCallbacks (reading->reader, reader, calls, reading->defs);
  if (code == OTF2_SUCCESS)
    code = OTF2_Reader_ReadAllGlobalDefinitions (reading->reader, reader, &n);
  OTF2_GlobalDefReaderCallbacks_Delete (calls);
  OTF2_Reader_CloseGlobalDefReader (reading->reader, reader);
  if (reading->defs->n_bytes > reading->defs->most_bytes)
    return set_limit_error (reading, error);
  report_definitions (reading, code);
  if (reading->defs->locations->len == 0)
    return set_error (reading, code, _("the archive defines no location"), error);
  return finish_definitions (reading, error);
}

/* Markers stand in a file of their own; there need not be one. */
static gboolean
read_markers (KymoOtf2Reading  *reading,
              GError          **error)
{
  g_autofree char *file = kymo_otf2_files_markers (reading->anchor);
  OTF2_MarkerReaderCallbacks *calls;
  OTF2_MarkerReader *markers;
  g_autoptr (GError) barred = NULL;
  uint64_t n = 0;

  if (!g_file_test (file, G_FILE_TEST_EXISTS))
    return TRUE;
  if (!kymo_input_check (file, &barred))
    {
      g_autofree char *name = g_path_get_basename (file);

      kymo_report_add (reading->run->report, name, KYMO_SEVERITY_LOST, 1, -1, "%s",
                       barred->message);
      return TRUE;
    }
  markers = OTF2_Reader_GetMarkerReader (reading->reader);
  if (markers == NULL)
    {
      reading->marker_error = OTF2_ERROR_FILE_CAN_NOT_OPEN;
      return TRUE;
    }
  calls = kymo_otf2_defs_new_marker_callbacks ();
  reading->marker_error = OTF2_Reader_RegisterMarkerCallbacks (reading->reader, markers, calls,
                                                               reading->defs);
  if (reading->marker_error == OTF2_SUCCESS)
    reading->marker_error = OTF2_Reader_ReadAllMarkers (reading->reader, markers, &n);
  OTF2_MarkerReaderCallbacks_Delete (calls);
  OTF2_Reader_CloseMarkerReader (reading->reader, markers);
  return reading->defs->n_bytes <= reading->defs->most_bytes || set_limit_error (reading, error);
}

static void
read_archived (KymoOtf2Reading *reading)
{
  reading->calls = kymo_otf2_new_event_callbacks ();
  OTF2_Reader_OpenDefFiles (reading->reader);
  OTF2_Reader_OpenEvtFiles (reading->reader);
  kymo_otf2_read_locations (reading);
  OTF2_Reader_CloseDefFiles (reading->reader);
  OTF2_Reader_CloseEvtFiles (reading->reader);
}

static gboolean
read_all (KymoOtf2Reading  *reading,
          GError  **error)
{
  GArray *locations = reading->defs->locations;
  guint64 total = 0;

  for (guint i = 0; i < locations->len; i++)
    {
      const KymoOtf2Location *location = &g_array_index (locations, KymoOtf2Location, i);

      if (reading->supply == NULL)
        OTF2_Reader_SelectLocation (reading->reader, location->id);
      total += MIN (location->n_events, G_MAXINT32);
    }
  if (reading->job != NULL)
    kymo_job_set_total (reading->job, total);
  kymo_job_set_stage (reading->job, _("Reading events"));
  reading->results = g_new0 (KymoOtf2Result, locations->len);
  if (reading->supply != NULL)
    kymo_otf2_read_locations (reading);
  else
    read_archived (reading);
  if (kymo_open_is_stopped (reading->job, reading->path, error))
    return FALSE;
  if (reading->out_of_memory)
    return set_limit_error (reading, error);
  return kymo_spill_map (reading->spill, error);
}

static void
add_text_fact (KymoOtf2Reading        *reading,
               const char     *key,
               OTF2_ErrorCode (*get) (OTF2_Reader *reader, char **text))
{
  char *text = NULL;

  if (get (reading->reader, &text) == OTF2_SUCCESS && text != NULL && *text != '\0')
    kymo_run_add_fact (reading->run, key, text);
  free (text);
}

static void
describe_otf2 (KymoOtf2Reading *reading)
{
  KymoRun *run = reading->run;
  uint8_t major = 0, minor = 0, bugfix = 0;

  run->path = g_path_get_dirname (reading->anchor);
  run->title = kymo_otf2_files_title (reading->anchor);
  run->format = g_strdup ("otf2");
  OTF2_Reader_GetVersion (reading->reader, &major, &minor, &bugfix);
  run->format_version = g_strdup_printf ("%u.%u.%u", major, minor, bugfix);
  add_text_fact (reading, "creator", OTF2_Reader_GetCreator);
  reading->by_tau = run->facts->len > 0
    && g_str_has_prefix (g_array_index (run->facts, KymoFact, 0).value, "TAU");
  add_text_fact (reading, "machine", OTF2_Reader_GetMachineName);
  add_text_fact (reading, "description", OTF2_Reader_GetDescription);
}

/* Adds the facts that are known only when all is read. */
static void
add_facts (KymoOtf2Reading *reading)
{
  const KymoOtf2Defs *defs = reading->defs;
  const char *program = "";

  for (guint i = 0; i < defs->locations->len && *program == '\0'; i++)
    if (reading->results[i].segment != NULL)
      program = kymo_otf2_defs_string (defs, reading->results[i].program);
  if (*program != '\0')
    kymo_run_add_fact (reading->run, "program", program);
  if (reading->supply == NULL)
    kymo_otf2_take_facts (reading);
  if (defs->realtime_ns > 0)
    {
      /* The clock's zero is known, the run begins with its first record. */
      gint64 first_ns = kymo_otf2_find_zero (reading);
      g_autoptr (GDateTime) begun
        = g_date_time_new_from_unix_utc ((gint64) (defs->realtime_ns / 1000000000)
                                         + first_ns / 1000000000);
      g_autofree char *text = begun != NULL ? g_date_time_format_iso8601 (begun) : NULL;

      if (text != NULL)
        kymo_run_add_fact (reading->run, "started", text);
    }
}

static void
reading_clear (KymoOtf2Reading *reading)
{
  for (guint i = 0; reading->results != NULL && i < reading->defs->locations->len; i++)
    {
      kymo_segment_unref (reading->results[i].segment);
      g_clear_pointer (&reading->results[i].parts, g_array_unref);
      g_clear_pointer (&reading->results[i].series, g_hash_table_unref);
      g_clear_error (&reading->results[i].barred);
      g_clear_error (&reading->results[i].barred_defs);
      kymo_sieve_free (reading->results[i].sieve);
      g_clear_pointer (&reading->results[i].threads, g_array_unref);
    }
  g_free (reading->results);
  if (reading->calls != NULL)
    OTF2_EvtReaderCallbacks_Delete (reading->calls);
  if (reading->reader != NULL)
    OTF2_Reader_Close (reading->reader);
  g_clear_pointer (&reading->defs, kymo_otf2_defs_free);
  g_clear_pointer (&reading->note, kymo_part_note_free);
  kymo_run_unref (reading->run);
  g_clear_pointer (&reading->spill, kymo_spill_unref);
  g_free (reading->anchor);
  g_free (reading->base);
}

static gboolean
make_run (KymoOtf2Reading  *reading,
          GError  **error)
{
  g_autofree char *markers = NULL, *markers_name = NULL;

  kymo_job_set_stage (reading->job, _("Reading names"));
  if (!open_archive (reading, error))
    return FALSE;
  describe_otf2 (reading);
  if (!read_definitions (reading, error) || !read_markers (reading, error)
      || !read_all (reading, error))
    return FALSE;
  add_facts (reading);
  kymo_otf2_assemble (reading);
  if (reading->defs->n_bytes > reading->defs->most_bytes)
    return set_limit_error (reading, error);
  kymo_otf2_report (reading);
  markers = kymo_otf2_files_markers (reading->anchor);
  markers_name = g_path_get_basename (markers);
  kymo_check_markers (reading->run, markers_name);
  if (reading->run->locations->len > 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("“%s”: no location of the archive has events that can be read"), reading->path);
  return FALSE;
}

/* All files that the library reads. */
static KymoCacheEntry *
make_cache_entry (const KymoOtf2Reading *reading)
{
  g_autofree char *folder = g_path_get_dirname (reading->anchor);
  g_autoptr (GPtrArray) names = kymo_otf2_files_list (reading->anchor);
  static const char *const others[] = { KYMO_ENVIRONMENT_FILE, KYMO_PROBE_FILE };
  g_autofree char *note = NULL;
  KymoCacheEntry *entry;

  if (reading->options->no_cache)
    return NULL;
  entry = kymo_cache_entry_new (reading->path, reading->options, folder, reading->base,
                                "otf2 archive");
  note = kymo_reduced_dup_path (folder, reading->base);
  if (note != NULL)
    kymo_cache_entry_add_file (entry, note, "kymo");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *other = g_build_filename (folder, others[i], NULL);

      if (g_file_test (other, G_FILE_TEST_EXISTS))
        kymo_cache_entry_add_file (entry, other, others[i]);
    }
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *file = g_build_filename (folder, names->pdata[i], NULL);

      kymo_cache_entry_add_file (entry, file, names->pdata[i]);
    }
  return entry;
}

/** kymo_otf2_read: reads an archive; see #KymoFormat */
KymoRun *
kymo_otf2_read (const char             *path,
                const KymoOpenOptions  *options,
                KymoJob                *job,
                GError                **error)
{
  KymoOtf2Reading reading = { .path = path, .options = options, .job = job };
  g_autoptr (KymoCacheEntry) kept = NULL;
  KymoRun *run = NULL;

  reading.anchor = kymo_otf2_files_find (path, options->base, error);
  if (reading.anchor == NULL)
    return NULL;
  reading.base = kymo_otf2_files_base (reading.anchor);
  kept = make_cache_entry (&reading);
  if (kept != NULL && (run = kymo_cache_load (kept)) != NULL)
    kymo_otf2_apply_selection (&reading, run, TRUE);
  else
    {
      reading.spill = kymo_spill_new (options->memory_limit_bytes, kept != NULL, job);
      reading.run = kymo_run_new ();
      if (make_run (&reading, error))
        {
          kymo_check_clocks (reading.run, reading.base, options,
                             job != NULL ? kymo_job_peek_cancellable (job) : NULL);
          report_names (&reading);
          kymo_run_seal (reading.run);
          kymo_otf2_apply_selection (&reading, reading.run, FALSE);
          run = kymo_run_ref (reading.run);
          if (kept != NULL)
            kymo_cache_attach (kept, run, reading.spill);
        }
    }
  reading_clear (&reading);
  return run;
}

/* The run of supplied events, complete but for its seal. */
static gboolean
make_supplied (KymoOtf2Reading  *reading,
               GError          **error)
{
  if (!finish_definitions (reading, error) || !read_all (reading, error))
    return FALSE;
  if (reading->supply->settle != NULL)
    reading->supply->settle (reading);
  add_facts (reading);
  kymo_otf2_assemble (reading);
  if (reading->defs->n_bytes > reading->defs->most_bytes)
    return set_limit_error (reading, error);
  kymo_otf2_report (reading);
  if (reading->supply->report != NULL)
    reading->supply->report (reading);
  return TRUE;
}

/**
 * kymo_otf2_read_supplied:
 * @reading: with path, options, job, supply and base, a run that is described, and the
 *   definitions, which are not finished; run, definitions and base are freed
 * @error: return location: the memory limit, or that the reading was stopped
 *
 * Reads events that are in no archive into a run, which may be without locations. No cache
 * file is made.
 *
 * Returns: (transfer full) (nullable): the sealed run
 */
KymoRun *
kymo_otf2_read_supplied (KymoOtf2Reading  *reading,
                         GError          **error)
{
  KymoRun *run = NULL;

  reading->spill = kymo_spill_new (reading->options->memory_limit_bytes, FALSE, reading->job);
  if (make_supplied (reading, error))
    {
      kymo_check_clocks (reading->run, reading->base, reading->options,
                         reading->job != NULL ? kymo_job_peek_cancellable (reading->job) : NULL);
      kymo_run_seal (reading->run);
      run = kymo_run_ref (reading->run);
    }
  reading_clear (reading);
  return run;
}

/**
 * kymo_otf2_drop_supplied:
 * @reading: as for kymo_otf2_read_supplied(), which is not to be called any more
 *
 * Frees run, definitions and base of a reading that is given up.
 */
void
kymo_otf2_drop_supplied (KymoOtf2Reading *reading)
{
  reading_clear (reading);
}
