/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the load report is told of one log: sentences alone, no reading. They
 * are constant, numbers stand in count and offset, so that equal ones merge.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-records.h"

static void
tell_projections_issues (KymoLogState *log,
                         KymoSeverity  severity,
                         gint64        count,
                         gint64        offset,
                         const char   *what)
{
  if (count > 0)
    kymo_report_add (log->request->report, log->request->name, severity, count, offset,
                     "%s", what);
}

/* Reports the way in which the compressed data, or the file, ended. */
static void
report_stream (KymoLogState *log,
               KymoLines    *lines,
               KymoInflate  *inflate)
{
  gint64 n_read = lines->offset + lines->tail_bytes;
  gint64 n_left = MAX (kymo_inflate_get_bytes_left (inflate), 1);
  gint64 growth = kymo_inflate_get_growth (inflate);

  switch (kymo_inflate_get_end (inflate))
    {
    case KYMO_INFLATE_CUT:
      tell_projections_issues (
        log, KYMO_SEVERITY_LOST, MAX (n_read, 1), n_read,
        N_("The compressed file is cut off; the log is read up to there"));
      break;
    case KYMO_INFLATE_DAMAGED:
      tell_projections_issues (
        log, KYMO_SEVERITY_LOST, n_left, n_read,
        N_("The compressed data are damaged; bytes of the file cannot be read"));
      break;
    case KYMO_INFLATE_CHECKSUM:
      tell_projections_issues (
        log, KYMO_SEVERITY_LOST, 1, n_read,
        N_("The checksum or length of the compressed data is wrong: some of the "
           "records before are not what was written"));
      break;
    case KYMO_INFLATE_GARBAGE:
      tell_projections_issues (log, KYMO_SEVERITY_LOST, n_left, n_read,
                               N_("After the compressed data come bytes of something else; "
                                  "they are ignored"));
      break;
    case KYMO_INFLATE_UNREADABLE:
      tell_projections_issues (log, KYMO_SEVERITY_LOST, n_left, n_read,
                               N_("The system could not read on; bytes are missing"));
      break;
    default:
      break;
    }
  tell_projections_issues (log, KYMO_SEVERITY_LOST, -growth, n_read,
                           N_("The file became shorter while it was read"));
  if (log->last_type == END_COMPUTATION)
    tell_projections_issues (log, KYMO_SEVERITY_NOTE, growth, n_read,
                             N_("The file became longer while it was read"));
}

/**
 * kymo_projections_report_no_log:
 *
 * Nothing in the file is a log.
 */
void
kymo_projections_report_no_log (KymoLogState *log,
                                KymoLines    *lines,
                                KymoInflate  *inflate)
{
  gboolean empty = lines->offset == 0 && lines->end == lines->buffer;

  if (!empty)
    tell_projections_issues (
      log, KYMO_SEVERITY_LOST, 1, 0,
      N_("The file is no log: it does not begin with PROJECTIONS-RECORD, and records of "
         "the binary form do not fit"));
  else if (kymo_inflate_get_end (inflate) <= KYMO_INFLATE_END)
    tell_projections_issues (log, KYMO_SEVERITY_LOST, 1, 0, N_("The log is empty"));
  report_stream (log, lines, inflate);
}

/**
 * kymo_projections_report_end:
 *
 * How the log ended, after its last record was read.
 */
void
kymo_projections_report_end (KymoLogState *log,
                             KymoLines    *lines,
                             KymoInflate  *inflate)
{
  gboolean ended = log->last_type == END_COMPUTATION;

  report_stream (log, lines, inflate);
  if (ended && lines->tail_bytes > 0)
    {
      if (log->n_rubbish == 0)
        log->rubbish_offset = lines->offset;
      log->n_rubbish += log->binary ? lines->tail_bytes : 1;
    }
  else if (lines->tail_bytes > 0)
    tell_projections_issues (log, KYMO_SEVERITY_LOST, 1, lines->offset,
                             log->binary ? N_("The last record is cut off and lost")
                             : N_("The last line is cut off; that record is lost"));
  if (!ended && kymo_inflate_get_growth (inflate) > 0)
    tell_projections_issues (
      log, KYMO_SEVERITY_LOST, 1, lines->offset,
      N_("The log has no END_COMPUTATION yet and grew while it was read: it is still "
         "being written"));
  else if (!ended && kymo_inflate_get_end (inflate) == KYMO_INFLATE_END)
    tell_projections_issues (
      log, KYMO_SEVERITY_LOST, 1, lines->offset,
      N_("The log ends without END_COMPUTATION: the end of the run is missing"));
  tell_projections_issues (log, KYMO_SEVERITY_LOST, lines->skipped_lines, lines->skipped_offset,
                           N_("Lines longer than 1 MiB are no records"));
}

static void
report_repairs (KymoLogState      *log,
                const KymoRepairs *repairs)
{
  gint64 n_raised = log->sieve != NULL ? kymo_sieve_get_raised (log->sieve) : 0;

  tell_projections_issues (
    log, KYMO_SEVERITY_REPAIRED, repairs->time_backwards + n_raised, -1,
    N_("Blocks or idle begin before the record before them; moved to its time"));
  tell_projections_issues (log, KYMO_SEVERITY_REPAIRED, repairs->idle_in_block, -1,
                           N_("Idle overlaps a block; the block counts"));
  tell_projections_issues (log, KYMO_SEVERITY_LOST, repairs->too_deep, -1,
                           N_("Blocks nest deeper than 255; the inner ones were left out"));
  tell_projections_issues (
    log, KYMO_SEVERITY_REPAIRED, repairs->counter_backwards, -1,
    N_("Hardware counters ran backwards inside a block; they are not counted there"));
}

/**
 * kymo_projections_report_records:
 * @repairs: of the segment
 * @n_missing: how many records fewer than the header announced, and no reduction cut them
 *   away; below 0 how many more
 *
 * What was wrong with the records.
 */
void
kymo_projections_report_records (KymoLogState      *log,
                                 const KymoRepairs *repairs,
                                 gint64             n_missing)
{
  tell_projections_issues (
    log, KYMO_SEVERITY_LOST, n_missing, 0,
    N_("By the number in the header records are missing, or the number is damaged"));
  tell_projections_issues (log, KYMO_SEVERITY_REPAIRED, -n_missing, 0,
                           N_("There are more records than the header tells; all of them count"));
  tell_projections_issues (log, KYMO_SEVERITY_LOST, log->n_damaged, log->damaged_offset,
                           log->binary ? N_("Bytes that fit no record were left out")
                           : N_("Records that could not be understood were left out"));
  tell_projections_issues (
    log, KYMO_SEVERITY_LOST, log->n_rubbish, log->rubbish_offset,
    log->binary ? N_("After END_COMPUTATION come bytes that are no records; they are ignored")
    : N_("After END_COMPUTATION come lines that are no records; they are ignored"));
  tell_projections_issues (
    log, KYMO_SEVERITY_LOST, log->n_far, -1,
    N_("Records with a time more than 104 days from the log's first ones were left out"));
  if (log->sieve != NULL)
    kymo_sieve_report (log->sieve, log->request->report, log->request->name);
  tell_projections_issues (log, KYMO_SEVERITY_LOST, log->n_unknown, -1,
                           N_("Records of a type that is not known were left out"));
  tell_projections_issues (log, KYMO_SEVERITY_REPAIRED, log->n_unknown_entries, -1,
                           N_("Records name an entry method that the .sts does not list"));
  tell_projections_issues (
    log, KYMO_SEVERITY_NOTE, log->n_unknown_sources, -1,
    N_("Messages name a sending PE that the run does not have; their senders are unknown"));
  tell_projections_issues (
    log, KYMO_SEVERITY_LOST, log->n_short_counters, -1,
    N_("Begin or end records have fewer hardware counters than the .sts tells"));
  tell_projections_issues (log, KYMO_SEVERITY_NOTE, log->n_open_brackets + log->in_pair, -1,
                           N_("User events begin and never end; they are not shown"));
  report_repairs (log, repairs);
}
