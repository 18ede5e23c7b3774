/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * First line "PROJECTIONS-RECORD n", then a record a line, first number its
 * type. n is the number of records at the first flush: it counts only as the
 * sign of a reduction (a complete log with fewer records was cut).
 */
#include "config.h"

#include "kymo-projections-log.h"

#include <string.h>

#include "kymo-fields.h"
#include "kymo-lines.h"
#include "kymo-projections-records.h"

static void
read_line (KymoLogState *log,
           const char   *line,
           const char   *end,
           gint64        offset)
{
  const char *p = line;
  gint64 type;
  gboolean fine;

  fine = kymo_next_int (&p, &type);
  if (fine)
    {
      log->n_records++;
      log->n_substance += type != BEGIN_COMPUTATION && type != END_COMPUTATION
        && type != END_PHASE;
      log->last_type = type;
      fine = kymo_projections_record_read (log, p, end, type);
    }
  if (G_UNLIKELY (!fine) && log->n_damaged++ == 0)
    log->damaged_offset = offset;
}

static void
report_end_of_file (KymoLogState *log,
                    KymoLines    *lines,
                    KymoInflate  *inflate)
{
  static const char *const sentences[] =
  {
    [KYMO_INFLATE_CUT] = "The compressed file is cut off",
    [KYMO_INFLATE_DAMAGED] = "The compressed data are damaged; nothing after this can be read",
    [KYMO_INFLATE_GARBAGE] = "After the compressed data comes something else, which is ignored",
    [KYMO_INFLATE_UNREADABLE] = "The system could not read on",
  };
  KymoInflateEnd end = kymo_inflate_get_end (inflate);
  const KymoLogRequest *request = log->request;

  if (end > KYMO_INFLATE_END)
    kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1,
                     lines->offset + lines->tail_bytes, "%s", sentences[end]);
  if (lines->tail_bytes > 0)
    kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1, lines->offset,
                     "The last line is cut off; that record is lost");
  else if (log->last_type != END_COMPUTATION && end == KYMO_INFLATE_END)
    kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1, lines->offset,
                     "The log ends without END_COMPUTATION: the end of the run is missing");
  if (lines->skipped_lines > 0)
    kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, lines->skipped_lines,
                     lines->skipped_offset, "Lines longer than 1 MiB are no records");
}

static void
report_records (KymoLogState      *log,
                const KymoRepairs *repairs)
{
  const KymoLogRequest *request = log->request;
  KymoReport *report = request->report;
  gint64 open = log->n_open_brackets + log->brackets->len + log->in_pair;

  if (log->n_damaged > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_LOST, log->n_damaged,
                     log->damaged_offset, "Records that could not be understood were left out");
  if (log->n_unknown > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_NOTE, log->n_unknown, -1,
                     "Records of a type that is not known were left out");
  if (log->n_unknown_entries > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_REPAIRED, log->n_unknown_entries, -1,
                     "Records name an entry method that the .sts does not list");
  if (log->n_unknown_sources > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_NOTE, log->n_unknown_sources, -1,
                     "Messages name a sending PE that the run does not have");
  if (repairs->time_backwards > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_REPAIRED, repairs->time_backwards, -1,
                     "Blocks or idle begin before the record before them; moved to its time");
  if (repairs->idle_in_block > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_REPAIRED, repairs->idle_in_block, -1,
                     "Idle overlaps a block; the block counts");
  if (repairs->too_deep > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_LOST, repairs->too_deep, -1,
                     "Blocks nest deeper than 255; the inner ones were left out");
  if (open > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_NOTE, open, -1,
                     "User events begin and never end");
}

static gboolean
read_header (KymoLines *lines,
             gint64    *n_announced)
{
  static const char magic[] = "PROJECTIONS-RECORD";
  char *end;
  const char *line = kymo_lines_next (lines, &end);
  const char *p;

  if (line == NULL || (gsize) (end - line) < sizeof magic
      || memcmp (line, magic, sizeof magic - 1) != 0)
    return FALSE;
  p = line + sizeof magic - 1;
  if (!kymo_next_int (&p, n_announced))
    *n_announced = 0;
  return TRUE;
}

/* Reads all lines; FALSE when the memory limit was reached. */
static gboolean
read_records (KymoLogState *log,
              KymoLines    *lines)
{
  const KymoLogRequest *request = log->request;
  gsize charged = 0;
  char *line, *end;

  while ((line = kymo_lines_next (lines, &end)) != NULL)
    {
      read_line (log, line, end, lines->line_offset);
      if (G_UNLIKELY ((log->n_records & 0xffff) == 0))
        {
          gsize bytes = kymo_segment_builder_get_bytes (log->builder);

          if (__atomic_sub_fetch (request->memory_left, (gint64) (bytes - charged),
                                  __ATOMIC_RELAXED) < 0)
            return FALSE;
          charged = bytes;
        }
    }
  return TRUE;
}

static void
finish_log (KymoLogState  *log,
            gint64         n_announced,
            KymoLogResult *result)
{
  KymoRepairs repairs;
  gboolean complete = log->last_type == END_COMPUTATION && log->n_damaged == 0;
  gboolean empty = log->n_substance == 0;

  result->reduced = complete && n_announced > log->n_records;
  result->kept = !empty;
  result->segment = kymo_segment_builder_seal (log->builder, log->n_records,
                                               result->reduced || empty, &repairs);
  report_records (log, &repairs);
}

static void
report_not_a_log (const KymoLogRequest *request,
                  KymoLines            *lines,
                  KymoInflate          *inflate)
{
  gboolean empty = lines->offset == 0 && lines->end == lines->buffer;

  kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1, 0,
                   empty && kymo_inflate_get_end (inflate) == KYMO_INFLATE_END
                   ? "The log is empty"
                   : "The file does not begin with PROJECTIONS-RECORD: it is no text log");
}

/**
 * kymo_projections_log_read:
 * @request: what to read
 * @job: (nullable): progress and cancelling
 * @result: (out): what came of it; losses are in the report
 *
 * Stops within a few milliseconds of a cancellation; then result->segment
 * holds what was read until then.
 */
void
kymo_projections_log_read (const KymoLogRequest *request,
                           KymoJob              *job,
                           KymoLogResult        *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (request->path, &error);
  KymoLogState log = { .request = request, .sts = request->sts };
  KymoLines lines;
  gint64 n_announced;

  memset (result, 0, sizeof *result);
  if (inflate == NULL)
    {
      kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1, -1, "%s",
                       error->message);
      return;
    }
  kymo_lines_init (&lines, inflate, job);
  if (!read_header (&lines, &n_announced))
    report_not_a_log (request, &lines, inflate);
  else
    {
      log.builder = kymo_segment_builder_new (0, request->n_activities);
      log.brackets = g_array_new (FALSE, FALSE, sizeof (KymoOpenBracket));
      log.has_receive_time = request->sts->version >= 40;
      log.has_send_duration = request->sts->version >= 50;
      result->out_of_memory = !read_records (&log, &lines);
      if (!result->out_of_memory && !kymo_job_is_cancelled (job))
        {
          report_end_of_file (&log, &lines, inflate);
          finish_log (&log, n_announced, result);
        }
      g_array_unref (log.brackets);
      kymo_segment_builder_free (log.builder);
    }
  kymo_lines_clear (&lines);
}
