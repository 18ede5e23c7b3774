/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading damaged logs with care. A log is doubtful where its first reading
 * met damage, or a time that falls far below the one before. It is then read
 * twice more: once for the times of its records (kymo-sieve.h), once for the
 * records, of which those count that fit. A log whose compressed data are
 * damaged counts up to the first record that does not fit: what inflates
 * behind the damage is made of pieces of other lines.
 */
#include "config.h"

#include "kymo-projections-records.h"

/* The program chose the time itself: it need not ascend. */
static inline gboolean
has_own_time (gint64 type)
{
  return type == BRACKETED_NOTE || (type >= BEGIN_PAIR && type <= EVENT_PAIR);
}

/**
 * kymo_projections_find_care:
 *
 * To be asked after the last record was read.
 *
 * Returns: how the log has to be read; %KYMO_LOG_TRUSTING where it was read well
 */
KymoLogCare
kymo_projections_find_care (const KymoLogState *log,
                            const KymoLines    *lines)
{
  KymoInflateEnd end = kymo_inflate_get_end (lines->inflate);

  gboolean has_signs = log->n_damaged > 0 || log->n_rubbish > 0 || log->n_far > 0
    || log->n_unknown > 0 || log->n_falls > 0 || lines->skipped_lines > 0;

  /* Damage may make compressed data look cut. */
  if (end == KYMO_INFLATE_DAMAGED || end == KYMO_INFLATE_CHECKSUM
      || (end == KYMO_INFLATE_CUT && has_signs))
    return KYMO_LOG_UNTIL_DAMAGE;
  return has_signs ? KYMO_LOG_CAREFUL : KYMO_LOG_TRUSTING;
}

/**
 * kymo_projections_note_fall:
 *
 * Of a log that is read for the first time: counts records far below the one before, and
 * measures the time before END_COMPUTATION.
 */
void
kymo_projections_note_fall (KymoLogState        *log,
                            const KymoLogRecord *record)
{
  if (has_own_time (record->type))
    return;
  log->n_falls += record->time_ns < log->before_ns - KYMO_SIEVE_STEP_NS;
  if (log->ends_work)
    log->quiet_ns = record->time_ns - log->before_ns;
  log->before_ns = record->time_ns;
}

/**
 * kymo_projections_sift:
 * @type: of the next record of a doubtful log, one that is known
 * @time_ns: (inout): its time; becomes that at which it counts
 *
 * Returns: whether the record counts; none does in the first reading
 */
gboolean
kymo_projections_sift (KymoLogState *log,
                       gint64        type,
                       gint64       *time_ns)
{
  if (!log->surveying)
    return has_own_time (type) ? kymo_sieve_holds (log->sieve, *time_ns)
      : kymo_sieve_pass (log->sieve, time_ns);
  if (has_own_time (type))
    kymo_sieve_feed_chosen (log->sieve, *time_ns);
  else
    kymo_sieve_feed (log->sieve, *time_ns);
  return FALSE;
}

/**
 * kymo_projections_survey:
 * @request: a doubtful log
 *
 * Reads the times of its records.
 *
 * Returns: (transfer full): the sieve for reading the records themselves
 */
KymoSieve *
kymo_projections_survey (const KymoLogRequest *request,
                         KymoJob              *job)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (request->path, NULL);
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoSieve *sieve = kymo_sieve_new (request->axis, request->care != KYMO_LOG_UNTIL_DAMAGE);
  KymoLogRequest silent = *request;
  KymoLogState log;
  KymoLines lines;
  gint64 n_misfits;

  if (request->ends_alone)
    kymo_sieve_expect_end (sieve);
  if (inflate == NULL)
    return sieve;
  silent.report = report;
  kymo_lines_init (&lines, inflate, job);
  kymo_projections_log_init (&log, &silent);
  log.sieve = sieve;
  log.surveying = TRUE;
  kymo_projections_read_records (&log, &lines, &n_misfits);
  kymo_projections_log_clear (&log);
  kymo_lines_clear (&lines);
  kymo_sieve_turn (sieve);
  return sieve;
}
