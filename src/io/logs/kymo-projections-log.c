/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A log of either form. Text: first line "PROJECTIONS-RECORD n", then a
 * record a line. Binary: an int32 n, then records as the decoder tells. n is
 * the number of records before the first flush, so of a log that was flushed
 * only when it was closed of all. A complete log with fewer records and with a
 * phase that has none was cut by a reduction; without such a phase records are
 * missing. Content tells the form, and the byte order.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-log.h"

#include <string.h>

#include "kymo-fields.h"
#include "kymo-order.h"
#include "kymo-projections-records.h"

typedef enum
{
  FORM_TEXT,
  FORM_BINARY,
  FORM_NONE,
} Form;

/* Most records are far smaller; a larger one asks for more. */
#define WINDOW_BYTES (64 * 1024)
/* Number of records in a row that do not fit by chance. */
#define ROW 8
#define RESYNC_ROW 4
#define HEADER_BYTES 4
/* Number of first times whose median counts. */
#define N_EARLY 9
/* The begin records that are compared with the .sts. */
#define N_CHECKED 1000

static const char magic[] = "PROJECTIONS-RECORD";

/* Goes on to the next place where a few records in a row fit. */
static void
resynchronise (KymoLogState *log,
               KymoLines    *lines)
{
  gint64 begin = lines->offset;
  gsize n = lines->end - lines->next;

  do
    {
      kymo_lines_advance (lines, MIN (n, 1));
      n = kymo_lines_ensure (lines, WINDOW_BYTES);
    }
  while (n > 0 && kymo_binary_count (&log->layout, (guint8 *) lines->next, n, RESYNC_ROW,
                                     lines->ended) < RESYNC_ROW);
  kymo_projections_count_damage (log, lines->offset - begin, begin);
}

/* Looked at now and then: it takes as long as decoding a short record. */
static inline gboolean
is_stopped (const KymoLogState *log,
            const KymoLines    *lines)
{
  return (log->n_records & 0xff) == 0 && kymo_job_is_cancelled (lines->job);
}

static gboolean
read_binary (KymoLogState *log,
             KymoLines    *lines)
{
  KymoLogRecord record;
  gsize n;

  while ((n = kymo_lines_ensure (lines, WINDOW_BYTES)) > 0 && !is_stopped (log, lines))
    {
      gssize size = kymo_binary_decode (&log->layout, (guint8 *) lines->next, n, &record);

      if (size == 0 && kymo_lines_ensure (lines, lines->size) > n)
        continue;
      if (size == 0)
        {
          lines->tail_bytes = n;
          break;
        }
      if (size < 0)
        {
          resynchronise (log, lines);
          continue;
        }
      log->n_records++;
      kymo_projections_take (log, &record);
      kymo_projections_see_cpu (log, &record);
      kymo_lines_advance (lines, size);
      if (G_UNLIKELY ((log->n_records & 0xffff) == 0 && !kymo_projections_charge (log)))
        return FALSE;
    }
  return TRUE;
}

/* Number of records in a row that fit from `at` on, in the byte order that fits better, which is
   set. */
static guint
count_binary (KymoLogState *log,
              KymoLines    *lines,
              gsize         at)
{
  guint best = 0;
  gboolean swap = FALSE;
  gsize n = lines->end - lines->next;

  for (guint order = 0; order < 2 && at < n; order++)
    {
      guint fits;

      log->layout.swap = order;
      fits = kymo_binary_count (&log->layout, (guint8 *) lines->next + at, n - at, ROW,
                                lines->ended);
      if (fits > best)
        {
          best = fits;
          swap = order;
        }
    }
  log->layout.swap = swap;
  return best;
}

static gboolean
try_binary (KymoLogState *log,
            KymoLines    *lines)
{
  gsize n = lines->end - lines->next;
  gint32 announced;

  if (n <= HEADER_BYTES)
    return FALSE;
  memcpy (&announced, lines->next, HEADER_BYTES);
  if (count_binary (log, lines, HEADER_BYTES) < ROW)
    {
      gsize at;

      /* The begin may be damaged. */
      for (at = HEADER_BYTES + 1; at < MIN (n, WINDOW_BYTES / 16); at++)
        if (count_binary (log, lines, at) >= ROW)
          break;
      if (at >= MIN (n, WINDOW_BYTES / 16))
        return FALSE;
    }
  log->n_announced = log->layout.swap ? (gint32) GUINT32_SWAP_LE_BE ((guint32) announced)
    : announced;
  kymo_lines_advance (lines, HEADER_BYTES);
  return TRUE;
}

/* Text whose first line is damaged or missing: are the next lines records? */
static gboolean
try_headless (KymoLogState *log,
              KymoLines    *lines)
{
  const char *p = lines->next;
  guint n_fit = 0, n_lines = 0;
  gboolean first_fits = FALSE;

  for (; n_lines <= ROW && p < lines->end; n_lines++)
    {
      const char *newline = memchr (p, '\n', lines->end - p);
      KymoLogRecord record;
      gboolean fits;

      if (newline == NULL)
        break;
      fits = kymo_text_decode (&log->layout, p, newline, &record)
        && kymo_record_type_is_known (record.type);
      n_fit += fits;
      if (n_lines == 0)
        first_fits = fits;
      p = newline + 1;
    }
  if (n_fit < 2 || n_fit * 2 <= n_lines)
    return FALSE;
  if (!first_fits)
    {
      p = memchr (lines->next, '\n', lines->end - lines->next);
      kymo_lines_advance (lines, p + 1 - lines->next);
    }
  kymo_report_add (log->request->report, log->request->name, KYMO_SEVERITY_LOST, 1, 0,
                   N_("The header line (PROJECTIONS-RECORD) is damaged or missing; "
                      "the records are read"));
  return TRUE;
}

static Form
find_form (KymoLogState *log,
           KymoLines    *lines)
{
  gsize n = kymo_lines_ensure (lines, WINDOW_BYTES);
  const char *p = lines->next + sizeof magic - 1;
  char *line, *end;

  if (n >= sizeof magic && memcmp (lines->next, magic, sizeof magic - 1) == 0)
    {
      line = kymo_lines_next (lines, &end);
      if (line == NULL)
        return FORM_TEXT;
      p = line + sizeof magic - 1;
      if (!kymo_next_int (&p, &log->n_announced))
        log->n_announced = 0;
      return FORM_TEXT;
    }
  if (try_binary (log, lines))
    return FORM_BINARY;
  return try_headless (log, lines) ? FORM_TEXT : FORM_NONE;
}

/**
 * kymo_projections_find_form:
 * @is_binary: (out): which form it is
 *
 * Goes to the first record.
 *
 * Returns: whether it is a log
 */
gboolean
kymo_projections_find_form (KymoLogState *log,
                            KymoLines    *lines,
                            gboolean     *is_binary)
{
  Form form = find_form (log, lines);

  *is_binary = form == FORM_BINARY;
  return form != FORM_NONE;
}

/* Single records may be damaged; where many do not fit, the .sts is of
   another run. */
static gint64
too_many (gint64 n_misfits,
          gint64 n_begins)
{
  return n_misfits >= 2 && n_misfits * 10 >= n_begins ? n_misfits : 0;
}

/**
 * kymo_projections_check_names:
 *
 * Compares the first begin records that are at hand with the .sts.
 *
 * Returns: how many do not fit, where they are too many for a chance
 */
gint64
kymo_projections_check_names (KymoLogState *log,
                              KymoLines    *lines)
{
  guint n_begins = 0, n_misfits = 0;

  for (const char *p = lines->next, *newline; n_begins < N_CHECKED && p < lines->end
       && (newline = memchr (p, '\n', lines->end - p)) != NULL; p = newline + 1)
    {
      gboolean is_begin;

      if (!kymo_text_fits (&log->layout, p, &is_begin))
        n_misfits++;
      n_begins += is_begin;
    }
  return too_many (n_misfits, n_begins);
}

/* Number of records that a whole log has less than its header announced. */
static gint64
count_missing (const KymoLogState *log)
{
  if (log->n_announced <= 0)
    return 0;
  return log->n_announced - (log->n_unflushed >= 0 ? log->n_unflushed : log->n_records);
}

/* A worker runs the exit handler when it ends; a communication thread waits in silence, and
   only a whole .sts tells which is which. */
static gint64
find_quiet (const KymoLogState *log)
{
  const KymoSts *sts = log->sts;

  return sts->is_complete && kymo_sts_is_worker (sts, log->request->pe)
    && log->quiet_ns > KYMO_SIEVE_LATE_NS ? log->quiet_ns : 0;
}

/* Of a damaged log none is believed. */
static void
take_cpu (KymoLogState  *log,
          KymoLogResult *result)
{
  result->cpu_ns = kymo_projections_cpu_ns (log);
  if (log->cpu != NULL && log->n_damaged == 0)
    result->cpu_clock = kymo_log_cpu_finish (log->cpu, &result->stretched, &result->stretch_sums);
}

static void
finish_log (KymoLogState  *log,
            KymoLogResult *result)
{
  KymoRepairs repairs;
  gboolean complete = log->last_type == END_COMPUTATION && log->n_damaged == 0;
  gboolean empty = log->n_substance == 0;
  gint64 n_missing = complete ? count_missing (log) : 0;

  result->reduced = n_missing > 0 && log->n_cuts > 0;
  result->kept = !empty;
  take_cpu (log, result);
  result->segment = kymo_segment_builder_seal (log->builder, log->n_records,
                                               result->reduced || empty, &repairs);
  if (result->segment != NULL)
    {
      result->reach = kymo_reach_of_segment (result->segment);
      result->reach.quiet_ns = find_quiet (log);
    }
  kymo_projections_report_records (log, &repairs, result->reduced ? 0 : n_missing);
}

static void
free_stack (gpointer data)
{
  g_array_unref (data);
}

/**
 * kymo_projections_log_init:
 * @request: what to read; needed until kymo_projections_log_clear()
 *
 * Prepares to read a log. There is no builder of a segment yet.
 */
void
kymo_projections_log_init (KymoLogState         *log,
                           const KymoLogRequest *request)
{
  memset (log, 0, sizeof *log);
  log->request = request;
  log->sts = request->sts;
  log->early_ns = G_MININT64;
  log->before_ns = G_MININT64 / 2;
  log->n_unflushed = -1;
  log->cpu_begin_us = log->cpu_end_us = -1;
  log->brackets = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_stack);
  log->open_functions = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_stack);
  kymo_log_layout_init (&log->layout, request->sts);
}

/**
 * kymo_projections_log_clear:
 *
 * Frees what the reading holds, with a segment that was not sealed.
 */
void
kymo_projections_log_clear (KymoLogState *log)
{
  g_hash_table_unref (log->brackets);
  g_hash_table_unref (log->open_functions);
  kymo_segment_builder_free (log->builder);
  kymo_log_cpu_free (log->cpu);
  kymo_log_layout_clear (&log->layout);
}

/* The record at @p, of those at hand; where the next one begins, or NULL. */
static const char *
peek_record (KymoLogState  *log,
             KymoLines     *lines,
             const char    *p,
             KymoLogRecord *record,
             gboolean      *fine)
{
  const char *newline;
  gssize size;

  if (log->binary)
    {
      size = kymo_binary_decode (&log->layout, (const guint8 *) p, lines->end - p, record);
      *fine = size > 0;
      return size > 0 ? p + size : NULL;
    }
  newline = memchr (p, '\n', lines->end - p);
  *fine = newline != NULL && kymo_text_decode (&log->layout, p, newline, record)
    && kymo_record_type_is_known (record->type);
  return newline != NULL ? newline + 1 : NULL;
}

/* Times are held against the middle of the first ones: so a single one that
   is wrong, be it the very first, does not make all others look wrong. */
static void
find_early_time (KymoLogState *log,
                 KymoLines    *lines)
{
  gint64 n_begins = log->layout.n_begins, n_misfits = log->layout.n_misfits;
  gint64 times_ns[N_EARLY];
  guint n = 0;

  for (const char *p = lines->next; p != NULL && p < lines->end && n < N_EARLY;)
    {
      KymoLogRecord record;
      gboolean fine;

      p = peek_record (log, lines, p, &record, &fine);
      if (fine)
        times_ns[n++] = record.time_ns;
    }
  qsort (times_ns, n, sizeof (gint64), kymo_compare_ints);
  if (n > 0)
    log->early_ns = times_ns[(n - 1) / 2];
  log->layout.n_begins = n_begins;
  log->layout.n_misfits = n_misfits;
}

static gboolean
read_form (KymoLogState *log,
           KymoLines    *lines,
           Form          form,
           gint64       *n_misfits)
{
  gboolean fine;

  log->binary = form == FORM_BINARY;
  if (log->request->check_names && !log->binary)
    {
      *n_misfits = kymo_projections_check_names (log, lines);
      log->layout.count_fields = *n_misfits > 0;
    }
  if (log->request->axis != NULL)
    log->early_ns = log->request->axis->begin_ns;
  else
    find_early_time (log, lines);
  if (log->surveying && !log->binary)
    kymo_projections_scan_text (log, lines);
  else if (!log->binary)
    return kymo_projections_read_text (log, lines);
  fine = !log->binary || read_binary (log, lines);
  if (log->request->check_names && log->binary)
    *n_misfits = too_many (log->layout.n_misfits, log->layout.n_begins);
  return fine;
}

/**
 * kymo_projections_read_records:
 * @n_misfits: (out): as of #KymoLogResult
 *
 * Finds the log's form and reads its records to the end.
 *
 * Returns: %FALSE when the memory limit was reached
 */
gboolean
kymo_projections_read_records (KymoLogState *log,
                               KymoLines    *lines,
                               gint64       *n_misfits)
{
  Form form = find_form (log, lines);

  *n_misfits = 0;
  return form == FORM_NONE || read_form (log, lines, form, n_misfits);
}

static void
read_segment (KymoLogState  *log,
              KymoLines     *lines,
              Form           form,
              KymoLogResult *result)
{
  const KymoLogRequest *request = log->request;

  log->builder = kymo_segment_builder_new (0, request->n_activities);
  kymo_segment_builder_set_unit (log->builder, KYMO_LOG_UNIT_NS);
  kymo_segment_builder_set_n_counters (log->builder,
                                       MIN (log->layout.n_counters, KYMO_STS_MAX_COUNTERS));
  if (log->layout.has_cpu_time && log->sieve == NULL)
    log->cpu = kymo_log_cpu_new (request->n_activities);
  result->out_of_memory = !read_form (log, lines, form, &result->n_misfits);
  if (result->out_of_memory || kymo_job_is_cancelled (lines->job))
    return;
  if (request->care == KYMO_LOG_WATCHFUL)
    result->care = kymo_projections_find_care (log, lines);
  if (result->care != KYMO_LOG_TRUSTING)
    return;
  kymo_projections_report_end (log, lines, lines->inflate);
  finish_log (log, result);
}

/**
 * kymo_projections_log_read:
 * @request: what to read
 * @job: (nullable): progress and cancelling
 * @result: (out): what came of it; losses are in the report
 *
 * A careful reading reads the file twice. Of a doubtful log that was read
 * watchfully there is no segment, and nothing is told to the report.
 *
 * Stops within a few milliseconds of a cancellation; then nothing is told and
 * result->segment is %NULL.
 */
void
kymo_projections_log_read (const KymoLogRequest *request,
                           KymoJob              *job,
                           KymoLogResult        *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (request->path, &error);
  g_autoptr (KymoSieve) sieve = NULL;
  KymoLogState log;
  KymoLines lines;
  Form form;

  memset (result, 0, sizeof *result);
  if (inflate == NULL)
    {
      kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1, -1, "%s",
                       error->message);
      return;
    }
  if (request->care >= KYMO_LOG_CAREFUL)
    sieve = kymo_projections_survey (request, job);
  kymo_lines_init (&lines, inflate, job);
  if (request->piece_bytes > 0)
    lines.piece_bytes = request->piece_bytes;
  kymo_projections_log_init (&log, request);
  log.sieve = sieve;
  form = find_form (&log, &lines);
  /* Stopped before its first bytes came, any file looks like none. */
  if (form == FORM_NONE && !kymo_job_is_cancelled (job))
    kymo_projections_report_no_log (&log, &lines, inflate);
  else if (form != FORM_NONE)
    read_segment (&log, &lines, form, result);
  kymo_projections_log_clear (&log);
  kymo_spill_charge (request->spill, -(gint64) log.charged_bytes);
  kymo_lines_clear (&lines);
}

/** kymo_projections_log_result_clear: frees what a reading gave; nothing is left in @result */
void
kymo_projections_log_result_clear (KymoLogResult *result)
{
  kymo_segment_unref (result->segment);
  g_clear_pointer (&result->stretched, g_array_unref);
  g_clear_pointer (&result->stretch_sums, g_array_unref);
  memset (result, 0, sizeof *result);
}

/**
 * kymo_projections_log_scan:
 * @request: what to read; its report is told nothing
 * @ids: (inout): gets the ids that the log uses
 *
 * For a run whose names are missing.
 */
void
kymo_projections_log_scan (const KymoLogRequest *request,
                           KymoJob              *job,
                           KymoLogIds           *ids)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (request->path, NULL);
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoLogRequest silent = *request;
  KymoLogState log;
  KymoLines lines;
  Form form;

  if (inflate == NULL)
    return;
  silent.report = report;
  kymo_lines_init (&lines, inflate, job);
  kymo_projections_log_init (&log, &silent);
  log.ids = ids;
  form = find_form (&log, &lines);
  if (form == FORM_BINARY)
    read_binary (&log, &lines);
  else if (form == FORM_TEXT)
    kymo_projections_scan_text (&log, &lines);
  kymo_projections_log_clear (&log);
  kymo_lines_clear (&lines);
}
