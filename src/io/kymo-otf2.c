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

#include <string.h>

#include <pthread.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <otf2/otf2.h>
#include <otf2/OTF2_Pthread_Locks.h>
#pragma GCC diagnostic pop

#include "kymo-check-clocks.h"
#include "kymo-error.h"
#include "kymo-format.h"
#include "kymo-otf2-collectives.h"
#include "kymo-otf2-events.h"
#include "kymo-otf2-files.h"

/* Events between two looks at memory and whether reading was stopped. */
#define BATCH 65536
/* What a run may take however low its limit, as of logs. */
#define LEAST_BYTES (16 << 20)

/** Result: what a location became */
typedef struct
{
  KymoSegment   *segment;
  GArray        *parts;         /* of collectives */
  KymoOtf2Counts counts;
  KymoRepairs    repairs;
  guint64        n_read;
  OTF2_StringRef program;
  OTF2_ErrorCode error;         /* why reading ended early */
  gboolean       absent;        /* no events of it are there */
} Result;

typedef struct
{
  const char              *path;
  const KymoOpenOptions   *options;
  char                    *anchor;
  char                    *base;        /* of its name */
  OTF2_Reader             *reader;
  OTF2_EvtReaderCallbacks *calls;
  KymoOtf2Defs            *defs;
  KymoRun                 *run;
  KymoJob                 *job;
  Result                  *results;     /* by location of the definitions */
  gint64                   held_bytes;  /* atomic */
  gboolean                 out_of_memory;
} Reading;

/* What would be printed is told by who asked for it: it returns the code. */
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

static void
quiet_library (void)
{
  static gsize once;

  if (g_once_init_enter (&once))
    {
      OTF2_Error_RegisterCallback (on_library_error, NULL);
      g_once_init_leave (&once, 1);
    }
}

static gboolean
set_error (const Reading   *reading,
           OTF2_ErrorCode   code,
           const char      *what,
           GError         **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "“%s”: %s: %s", reading->path, what,
               OTF2_Error_GetDescription (code));
  return FALSE;
}

static gboolean
open_archive (Reading  *reading,
              GError  **error)
{
  OTF2_ErrorCode code;

  if (!kymo_otf2_files_check (reading->anchor, error))
    return FALSE;
  quiet_library ();
  reading->reader = OTF2_Reader_Open (reading->anchor);
  if (reading->reader == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   "“%s” cannot be read as the anchor of an OTF2 archive", reading->anchor);
      return FALSE;
    }
  code = OTF2_Reader_SetSerialCollectiveCallbacks (reading->reader);
  if (code == OTF2_SUCCESS)
    code = OTF2_Pthread_Reader_SetLockingCallbacks (reading->reader, NULL);
  return code == OTF2_SUCCESS || set_error (reading, code, "the archive cannot be opened", error);
}

static void
report_definitions (Reading        *reading,
                    OTF2_ErrorCode  code)
{
  g_autofree char *name = g_strconcat (reading->base, ".def", NULL);

  if (code != OTF2_SUCCESS)
    kymo_report_add (reading->run->report, name, KYMO_SEVERITY_LOST, 1, -1,
                     "The definitions cannot be read to their end: %s",
                     OTF2_Error_GetDescription (code));
  if (reading->defs->n_left_out > 0)
    kymo_report_add (reading->run->report, name, KYMO_SEVERITY_LOST, reading->defs->n_left_out,
                     -1, "Definitions with a number that another one has already");
}

static gboolean
read_definitions (Reading  *reading,
                  GError  **error)
{
  OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader (reading->reader);
  OTF2_GlobalDefReaderCallbacks *calls;
  OTF2_ErrorCode code;
  uint64_t n = 0;

  if (reader == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   "“%s”: the definitions of the archive cannot be opened", reading->path);
      return FALSE;
    }
  reading->defs = kymo_otf2_defs_new ();
  calls = kymo_otf2_defs_new_callbacks ();
  code = OTF2_Reader_RegisterGlobalDefCallbacks (reading->reader, reader, calls, reading->defs);
  if (code == OTF2_SUCCESS)
    code = OTF2_Reader_ReadAllGlobalDefinitions (reading->reader, reader, &n);
  OTF2_GlobalDefReaderCallbacks_Delete (calls);
  OTF2_Reader_CloseGlobalDefReader (reading->reader, reader);
  report_definitions (reading, code);
  if (reading->defs->locations->len == 0)
    return set_error (reading, code, "the archive defines no location", error);
  kymo_otf2_defs_finish (reading->defs);
  kymo_otf2_defs_describe (reading->defs, reading->run);
  return TRUE;
}

/* Numbers and clock offsets of a location; there need not be any. */
static void
read_local_definitions (Reading *reading,
                        guint64  id)
{
  OTF2_DefReader *local = OTF2_Reader_GetDefReader (reading->reader, id);
  uint64_t n;

  if (local == NULL)
    return;
  OTF2_Reader_ReadAllLocalDefinitions (reading->reader, local, &n);
  OTF2_Reader_CloseDefReader (reading->reader, local);
}

/* Notes what the stream takes now. FALSE where that is too much. */
static gboolean
charge (Reading        *reading,
        KymoOtf2Stream *stream,
        gsize          *held)
{
  gsize now = kymo_segment_builder_get_bytes (stream->builder)
    + stream->parts->len * sizeof (KymoOtf2Part);
  gint64 sum = __atomic_add_fetch (&reading->held_bytes, (gint64) (now - *held),
                                   __ATOMIC_RELAXED);

  *held = now;
  if (sum <= MAX (reading->options->memory_limit_bytes, LEAST_BYTES))
    return TRUE;
  g_atomic_int_set (&reading->out_of_memory, TRUE);
  return FALSE;
}

static void
read_events (Reading        *reading,
             OTF2_EvtReader *events,
             KymoOtf2Stream *stream,
             Result         *result)
{
  uint64_t n = BATCH;
  gsize held = 0;

  result->error = OTF2_Reader_RegisterEvtCallbacks (reading->reader, events, reading->calls,
                                                    stream);
  while (result->error == OTF2_SUCCESS && n == BATCH && !kymo_job_is_cancelled (reading->job)
         && charge (reading, stream, &held))
    {
      n = 0;
      result->error = OTF2_Reader_ReadLocalEvents (reading->reader, events, BATCH, &n);
      result->n_read += n;
      kymo_job_advance (reading->job, n);
    }
}

static void
read_location (gpointer data,
               gpointer user_data)
{
  Reading *reading = user_data;
  guint index = GPOINTER_TO_UINT (data) - 1;
  const KymoOtf2Location *location = &g_array_index (reading->defs->locations, KymoOtf2Location,
                                                     index);
  Result *result = &reading->results[index];
  OTF2_EvtReader *events;
  KymoOtf2Stream stream;

  if (kymo_job_is_cancelled (reading->job) || g_atomic_int_get (&reading->out_of_memory))
    return;
  read_local_definitions (reading, location->id);
  events = OTF2_Reader_GetEvtReader (reading->reader, location->id);
  result->absent = events == NULL;
  if (events == NULL)
    return;
  kymo_otf2_stream_init (&stream, reading->defs, index, reading->run->activities->len);
  read_events (reading, events, &stream, result);
  OTF2_Reader_CloseEvtReader (reading->reader, events);
  result->counts = stream.counts;
  result->program = stream.program;
  result->parts = g_steal_pointer (&stream.parts);
  if (stream.n_events > 0)
    result->segment = kymo_segment_builder_seal (stream.builder, stream.n_events, FALSE,
                                                 &result->repairs);
  kymo_otf2_stream_clear (&stream);
}

static int
compare_sizes (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  GArray *locations = data;
  guint64 x = g_array_index (locations, KymoOtf2Location, *(const guint *) a).n_events;
  guint64 y = g_array_index (locations, KymoOtf2Location, *(const guint *) b).n_events;

  return x > y ? -1 : x < y;
}

/* The longest first, so that no thread is left alone with it at the end. */
static void
read_locations (Reading *reading)
{
  GArray *locations = reading->defs->locations;
  g_autofree guint *order = g_new (guint, locations->len);
  guint n_threads = reading->options->n_threads > 0 ? reading->options->n_threads
    : g_get_num_processors ();
  GThreadPool *pool = g_thread_pool_new (read_location, reading, n_threads, FALSE, NULL);

  for (guint i = 0; i < locations->len; i++)
    order[i] = i;
  g_qsort_with_data (order, locations->len, sizeof *order, compare_sizes, locations);
  for (guint i = 0; i < locations->len; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (order[i] + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
}

static gboolean
read_all (Reading  *reading,
          GError  **error)
{
  GArray *locations = reading->defs->locations;
  guint64 total = 0;

  for (guint i = 0; i < locations->len; i++)
    {
      const KymoOtf2Location *location = &g_array_index (locations, KymoOtf2Location, i);

      OTF2_Reader_SelectLocation (reading->reader, location->id);
      total += MIN (location->n_events, G_MAXINT32);
    }
  if (reading->job != NULL)
    kymo_job_set_total (reading->job, total);
  kymo_job_set_stage (reading->job, "Reading events");
  reading->results = g_new0 (Result, locations->len);
  reading->calls = kymo_otf2_new_event_callbacks ();
  OTF2_Reader_OpenDefFiles (reading->reader);
  OTF2_Reader_OpenEvtFiles (reading->reader);
  read_locations (reading);
  OTF2_Reader_CloseDefFiles (reading->reader);
  OTF2_Reader_CloseEvtFiles (reading->reader);
  if (kymo_job_is_cancelled (reading->job))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Reading “%s” was stopped",
                   reading->path);
      return FALSE;
    }
  if (!reading->out_of_memory)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
               "“%s” needs more memory than the limit allows", reading->path);
  return FALSE;
}

/* Time zero is the first record of the run. */
static gint64
find_shift (const Reading *reading)
{
  gint64 first = G_MAXINT64;

  for (guint i = 0; i < reading->defs->locations->len; i++)
    if (reading->results[i].segment != NULL
        && g_array_index (reading->defs->locations, KymoOtf2Location, i).row != KYMO_OTF2_NONE)
      first = MIN (first, reading->results[i].segment->span.begin_ns);
  return first == G_MAXINT64 ? 0 : -first;
}

static char *
make_label (const Reading          *reading,
            const KymoOtf2Location *location)
{
  g_autofree char *rank = g_strdup_printf ("rank %" G_GINT64_FORMAT, location->rank);

  if (location->type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM)
    return g_strdup_printf ("%s, %s", rank,
                            kymo_otf2_defs_string (reading->defs, location->name));
  if (reading->run->terms.row == KYMO_ROW_RANK)
    return g_steal_pointer (&rank);
  return g_strdup_printf ("%s, thread %u", rank, location->thread);
}

static void
add_location (Reading                *reading,
              const KymoOtf2Location *from,
              Result                 *result)
{
  const KymoOtf2LocationGroup *group = from->group != KYMO_OTF2_NONE
    ? &g_array_index (reading->defs->location_groups, KymoOtf2LocationGroup, from->group) : NULL;
  KymoLocation location = {
    .id = reading->run->terms.row == KYMO_ROW_RANK ? from->rank : from->row,
    .label = make_label (reading, from), .process = from->rank, .kept = TRUE,
    .place = group != NULL ? group->place : -1,
  };

  kymo_run_add_location (reading->run, &location, g_steal_pointer (&result->segment));
}

/* Samples of a location that has nothing else lie on the first row of its process. */
static void
give_samples (Reading *reading,
              guint    location)
{
  GArray *locations = reading->defs->locations;
  const KymoOtf2Location *from = &g_array_index (locations, KymoOtf2Location, location);

  for (guint i = 0; i < locations->len; i++)
    {
      const KymoOtf2Location *to = &g_array_index (locations, KymoOtf2Location, i);

      if (to->row != KYMO_OTF2_NONE && to->rank == from->rank && to->thread == 0
          && reading->results[i].segment != NULL)
        kymo_otf2_give_samples (reading->results[location].segment, reading->results[i].segment);
    }
}

/* In the order of rows. Rows without records are left out; the others move up. */
static void
assemble (Reading *reading)
{
  GArray *locations = reading->defs->locations;
  g_autofree guint *at = g_new0 (guint, MAX (reading->defs->n_rows, 1));
  gint64 shift_ns = find_shift (reading);
  g_autofree GArray **parts = g_new0 (GArray *, locations->len);

  for (guint i = 0; i < locations->len; i++)
    {
      guint row = g_array_index (locations, KymoOtf2Location, i).row;

      if (row != KYMO_OTF2_NONE)
        at[row] = i;
      else if (reading->results[i].segment != NULL)
        give_samples (reading, i);
    }
  for (guint row = 0; row < reading->defs->n_rows; row++)
    {
      KymoOtf2Location *location = &g_array_index (locations, KymoOtf2Location, at[row]);
      Result *result = &reading->results[at[row]];
      guint index = reading->run->locations->len;

      location->row = result->segment != NULL ? index : KYMO_OTF2_NONE;
      if (result->segment == NULL)
        continue;
      parts[at[row]] = result->parts;
      kymo_segment_shift (result->segment, shift_ns);
      add_location (reading, location, result);
    }
  reading->run->collectives = kymo_otf2_join_collectives (reading->defs, parts, locations->len,
                                                          shift_ns);
  reading->run->n_locations_original = reading->defs->n_rows;
  kymo_run_match_exchanges (reading->run, reading->options->n_threads,
                            reading->job != NULL ? kymo_job_peek_cancellable (reading->job)
                            : NULL);
}

static void
report_location (Reading                *reading,
                 const KymoOtf2Location *location,
                 const Result           *result)
{
  g_autofree char *name = g_strdup_printf ("%s/%" G_GUINT64_FORMAT ".evt", reading->base,
                                           location->id);
  KymoReport *report = reading->run->report;
  const KymoOtf2Counts *counts = &result->counts;

  if (result->absent)
    {
      kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, -1,
                       "The events of the location are missing or cannot be opened");
      return;
    }
  if (result->error != OTF2_SUCCESS)
    kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, -1,
                     "The events cannot be read to their end: %s",
                     OTF2_Error_GetDescription (result->error));
  else if (result->n_read < location->n_events && location->n_events != OTF2_UNDEFINED_UINT64)
    kymo_report_add (report, name, KYMO_SEVERITY_LOST,
                     MIN (location->n_events - result->n_read, G_MAXINT64), -1,
                     "Events that the definitions count are not in the file");
#define TELL(number, severity, words)                                           \
  if ((number) > 0)                                                             \
    kymo_report_add (report, name, severity, number, -1, words)
  TELL (counts->n_bad_times, KYMO_SEVERITY_LOST, "Events with a time that cannot be right");
  TELL (counts->n_unknown_regions, KYMO_SEVERITY_LOST, "Functions that are not defined");
  TELL (counts->n_unknown_metrics, KYMO_SEVERITY_LOST, "Values of metrics that are not defined");
  TELL (counts->n_unknown_ranks, KYMO_SEVERITY_LOST,
        "Messages to or from a rank that is not defined");
  TELL (counts->n_unknown, KYMO_SEVERITY_LOST, "Events of a kind that is not known");
  TELL (counts->n_unopened, KYMO_SEVERITY_REPAIRED, "Ends of functions that are not open");
  TELL (counts->n_unclosed, KYMO_SEVERITY_REPAIRED,
        "Functions without an end inside one that ended");
  TELL (result->repairs.time_backwards, KYMO_SEVERITY_REPAIRED,
        "Events with a time before the one before them");
  TELL (result->repairs.too_deep, KYMO_SEVERITY_LOST, "Functions nested deeper than 255");
  TELL (result->repairs.counter_backwards, KYMO_SEVERITY_REPAIRED,
        "Hardware counters that fell within a function");
  TELL (counts->n_samples, KYMO_SEVERITY_NOTE, "Samples of the call stack are not shown");
  TELL (counts->n_one_sided, KYMO_SEVERITY_NOTE,
        "One-sided transfers are known to the rank alone that made them: what it put is a "
        "send, what it got a receive, both without the other side");
#undef TELL
}

static void
report_all (Reading *reading)
{
  for (guint i = 0; i < reading->defs->locations->len; i++)
    report_location (reading, &g_array_index (reading->defs->locations, KymoOtf2Location, i),
                     &reading->results[i]);
  if (reading->run->collectives != NULL && reading->run->collectives->n_left_out > 0)
    kymo_report_add (reading->run->report, reading->base, KYMO_SEVERITY_LOST,
                     reading->run->collectives->n_left_out, -1,
                     "Calls of collective operations that do not fit together");
}

static void
add_text_fact (Reading        *reading,
               const char     *key,
               OTF2_ErrorCode (*get) (OTF2_Reader *reader, char **text))
{
  char *text = NULL;

  if (get (reading->reader, &text) == OTF2_SUCCESS && text != NULL && *text != '\0')
    kymo_run_add_fact (reading->run, key, text);
  free (text);
}

static void
describe (Reading *reading)
{
  KymoRun *run = reading->run;
  uint8_t major = 0, minor = 0, bugfix = 0;

  run->path = g_path_get_dirname (reading->anchor);
  run->title = kymo_otf2_files_title (reading->anchor);
  run->format = g_strdup ("otf2");
  OTF2_Reader_GetVersion (reading->reader, &major, &minor, &bugfix);
  run->format_version = g_strdup_printf ("%u.%u.%u", major, minor, bugfix);
  add_text_fact (reading, "creator", OTF2_Reader_GetCreator);
  add_text_fact (reading, "machine", OTF2_Reader_GetMachineName);
  add_text_fact (reading, "description", OTF2_Reader_GetDescription);
}

/* What is known when all is read. */
static void
add_facts (Reading *reading)
{
  const KymoOtf2Defs *defs = reading->defs;
  const char *program = "";

  for (guint i = 0; i < defs->locations->len && *program == '\0'; i++)
    if (reading->results[i].segment != NULL)
      program = kymo_otf2_defs_string (defs, reading->results[i].program);
  if (*program != '\0')
    kymo_run_add_fact (reading->run, "program", program);
  if (defs->realtime_ns > 0)
    {
      /* The clock's zero is known, the run begins with its first record. */
      gint64 first_ns = -find_shift (reading);
      g_autoptr (GDateTime) begun
        = g_date_time_new_from_unix_utc ((gint64) (defs->realtime_ns / 1000000000)
                                         + first_ns / 1000000000);
      g_autofree char *text = begun != NULL ? g_date_time_format_iso8601 (begun) : NULL;

      if (text != NULL)
        kymo_run_add_fact (reading->run, "started", text);
    }
}

static void
reading_clear (Reading *reading)
{
  for (guint i = 0; reading->results != NULL && i < reading->defs->locations->len; i++)
    {
      kymo_segment_unref (reading->results[i].segment);
      g_clear_pointer (&reading->results[i].parts, g_array_unref);
    }
  g_free (reading->results);
  if (reading->calls != NULL)
    OTF2_EvtReaderCallbacks_Delete (reading->calls);
  if (reading->reader != NULL)
    OTF2_Reader_Close (reading->reader);
  g_clear_pointer (&reading->defs, kymo_otf2_defs_free);
  kymo_run_unref (reading->run);
  g_free (reading->anchor);
  g_free (reading->base);
}

static gboolean
make_run (Reading  *reading,
          GError  **error)
{
  kymo_job_set_stage (reading->job, "Reading names");
  if (!open_archive (reading, error))
    return FALSE;
  describe (reading);
  if (!read_definitions (reading, error) || !read_all (reading, error))
    return FALSE;
  add_facts (reading);
  assemble (reading);
  report_all (reading);
  if (reading->run->locations->len > 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               "“%s”: no location of the archive has events that can be read", reading->path);
  return FALSE;
}

static KymoRun *
otf2_read (const char             *path,
           const KymoOpenOptions  *options,
           KymoJob                *job,
           GError                **error)
{
  Reading reading = { .path = path, .options = options, .job = job };
  KymoRun *run = NULL;

  reading.anchor = kymo_otf2_files_find (path, options->base, error);
  if (reading.anchor == NULL)
    return NULL;
  reading.base = kymo_otf2_files_base (reading.anchor);
  reading.run = kymo_run_new ();
  if (make_run (&reading, error))
    {
      kymo_check_clocks (reading.run, reading.base, options,
                         job != NULL ? kymo_job_peek_cancellable (job) : NULL);
      kymo_run_seal (reading.run);
      run = kymo_run_ref (reading.run);
    }
  reading_clear (&reading);
  return run;
}

const KymoFormat kymo_format_otf2 = { "otf2", otf2_read };
