/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording of a stream as a run: its frames go through the store that also
 * makes runs of what is followed live, so both say the same. There are no
 * drafts and no cache: reading is a matter of checking and adding up, and the
 * store is bounded, however long the recording.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-error.h"
#include "kymo-format.h"
#include "kymo-stream-file.h"
#include "kymo-stream-store.h"

/* The part of the memory limit, one in four, that bins of 1 ms may take; the rest is for what
   questions make of them. Longer recordings are thinned. */
#define BUDGET_PART 4
#define MAX_BUDGET (G_GINT64_CONSTANT (512) << 20)
#define MIN_BUDGET (1 << 20)
#define STEPS 1000
#define MAX_FACTS 40

/**
 * Reading:
 * @report: of the file; the store has one of the stream
 * @has_names: the recording holds names of entry methods
 */
typedef struct
{
  const char       *path;
  char             *folder;
  char             *title;
  KymoStreamReader *reader;
  KymoStreamStore  *store;
  KymoReport       *report;
  gboolean          has_names;
} Reading;

static void
reading_clear (Reading *reading)
{
  g_clear_pointer (&reading->reader, kymo_stream_reader_free);
  g_clear_pointer (&reading->store, kymo_stream_store_free);
  g_clear_pointer (&reading->report, kymo_report_unref);
  g_free (reading->folder);
  g_free (reading->title);
}

static gboolean
reading_open (Reading                *reading,
              const KymoOpenOptions  *options,
              KymoJob                *job,
              GError                **error)
{
  gint64 budget = CLAMP (options->memory_limit_bytes / BUDGET_PART, MIN_BUDGET, MAX_BUDGET);

  reading->reader = kymo_stream_reader_new (reading->path, error);
  if (reading->reader == NULL)
    return FALSE;
  if (job != NULL)
    kymo_stream_reader_set_cancellable (reading->reader, kymo_job_peek_cancellable (job));
  reading->folder = g_path_get_dirname (reading->path);
  reading->title = g_path_get_basename (reading->path);
  if (g_str_has_suffix (reading->title, KYMO_STREAM_SUFFIX))
    reading->title[strlen (reading->title) - strlen (KYMO_STREAM_SUFFIX)] = '\0';
  reading->store = kymo_stream_store_new (reading->title, budget);
  reading->report = kymo_report_new ();
  return TRUE;
}

static gboolean
read_frames (Reading  *reading,
             KymoJob  *job,
             GError  **error)
{
  kymo_job_set_stage (job, _("Reading the recording"));
  if (job != NULL)
    kymo_job_set_total (job, STEPS);
  for (gint64 done = 0;;)
    {
      g_autoptr (KymoStreamFrame) frame =
        kymo_stream_reader_next (reading->reader, reading->report);
      gint64 now = STEPS * kymo_stream_reader_get_fraction (reading->reader);

      if (kymo_open_is_stopped (job, reading->path, error))
        return FALSE;
      if (frame == NULL)
        return TRUE;
      kymo_stream_store_expect (reading->store,
                                kymo_stream_reader_get_bytes_left (reading->reader));
      kymo_stream_store_take (reading->store, frame, NULL, NULL);
      reading->has_names = reading->has_names || frame->kind == KYMO_FRAME_NAMES;
      kymo_job_advance (job, now - done);
      done = now;
    }
}

/* (transfer full) (nullable): path of the .util.sts beside the recording, if
   there is one and no other, or one of the same name */
static char *
find_names (const Reading *reading)
{
  g_autoptr (GDir) dir = g_dir_open (reading->folder, 0, NULL);
  g_autofree char *own = g_strconcat (reading->title, ".util.sts", NULL);
  g_autofree char *found = NULL;
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (strcmp (name, own) == 0)
        return g_build_filename (reading->folder, name, NULL);
      if (!g_str_has_suffix (name, ".util.sts"))
        continue;
      g_free (found);
      found = g_strdup (name);
      n++;
    }
  return n == 1 ? g_build_filename (reading->folder, found, NULL) : NULL;
}

static void
take_names (Reading *reading)
{
  g_autofree char *path = reading->has_names ? NULL : find_names (reading);
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return;
  if (kymo_stream_store_set_names (reading->store, path, NULL, &error))
    kymo_report_add (reading->report, name, KYMO_SEVERITY_NOTE, 1, -1,
                     N_("The recording holds no names of entry methods; this file has them"));
  else
    kymo_report_add (reading->report, name, KYMO_SEVERITY_NOTE, 1, -1, "%s", error->message);
}

/* "key: value" lines of the header, beside what the stream itself tells. */
static void
add_provenance (const Reading *reading,
                KymoRun       *run)
{
  g_autofree char *text = kymo_stream_reader_dup_provenance (reading->reader);
  g_auto (GStrv) lines = g_strsplit (text, "\n", MAX_FACTS + 1);

  for (guint i = 0; lines[i] != NULL && i < MAX_FACTS; i++)
    {
      char *colon = strchr (lines[i], ':');
      g_autofree char *key = NULL;

      if (colon == NULL || colon == lines[i])
        continue;
      *colon = '\0';
      key = g_strconcat ("recording_", g_strdelimit (g_strstrip (lines[i]), "- ", '_'), NULL);
      kymo_run_add_fact (run, key, g_strstrip (colon + 1));
    }
}

static void
add_report (const Reading *reading,
            KymoRun       *run)
{
  for (guint i = 0; i < kymo_report_get_n_issues (reading->report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (reading->report, i);

      kymo_report_add (run->report, issue->file, issue->severity, issue->count, issue->offset,
                       "%s", issue->what);
    }
}

static KymoRun *
make_run (Reading  *reading,
          GError  **error)
{
  KymoRun *run = kymo_stream_store_snapshot (reading->store, FALSE);
  guint n = kymo_report_get_n_issues (reading->report);

  if (run == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("“%s” holds no block of a stream%s%s"), reading->path, n > 0 ? ": " : "",
                   n > 0 ? kymo_report_peek_issue (reading->report, 0)->what : "");
      return NULL;
    }
  run->path = g_strdup (reading->folder);
  add_provenance (reading, run);
  add_report (reading, run);
  return run;
}

static KymoRun *
stream_read (const char             *path,
             const KymoOpenOptions  *options,
             KymoJob                *job,
             GError                **error)
{
  g_autofree char *found = kymo_stream_file_find (path, options->base, error);
  Reading reading = { .path = found };
  KymoRun *run = NULL;

  if (found == NULL)
    return NULL;
  if (reading_open (&reading, options, job, error) && read_frames (&reading, job, error))
    {
      take_names (&reading);
      run = make_run (&reading, error);
    }
  reading_clear (&reading);
  return run;
}

static gboolean
stream_knows (const char *path)
{
  return kymo_stream_file_is_one (path)
    || (g_str_has_suffix (path, KYMO_STREAM_SUFFIX)
        && g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_DIR));
}

static KymoPart
stream_part (const char  *folder,
             const char  *name,
             char       **base)
{
  if (!g_str_has_suffix (name, KYMO_STREAM_SUFFIX))
    return KYMO_PART_NONE;
  *base = g_strdup (name);
  return KYMO_PART_BOTH;
}

const KymoFormat kymo_format_stream =
{
  .id = "ccs",
  .kind = KYMO_FORMAT_RECORDING,
  .tool = "Kymo",
  .label = N_("stream recording"),
  .globs = KYMO_FORMAT_WORDS ("*.kymostream"),
  .types = KYMO_FORMAT_WORDS ("application/x-kymo-stream"),
  .beside = KYMO_FORMAT_WORDS ("projections"),
  .read = stream_read,
  .knows = stream_knows,
  .part = stream_part,
};
