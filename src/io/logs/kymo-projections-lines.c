/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a text log, line by line: common ones by the fast decoder, in
 * batches, all others by the careful one; in the order of the log.
 */
#include "config.h"

#include "kymo-fields.h"
#include "kymo-projections-records.h"

/* Records that are decoded before they are applied: together they stay in the
   nearest cache. */
#define BATCH 256

static inline void
read_line (KymoLogState *log,
           const char   *line,
           const char   *end,
           gint64        offset)
{
  KymoLogRecord record;
  gboolean fine = kymo_text_decode (&log->layout, line, end, &record);

  log->n_records += record.type != KYMO_NO_TYPE;
  if (G_UNLIKELY (log->surveying) && log->request->care == KYMO_LOG_UNTIL_DAMAGE
      && !(fine && kymo_text_is_whole (&log->layout, line, end, &record)))
    kymo_sieve_mark (log->sieve);
  if (G_LIKELY (fine) && G_LIKELY (log->last_type != END_COMPUTATION
                                   || kymo_record_type_is_known (record.type)))
    kymo_projections_take (log, &record);
  else if (!kymo_is_blank (line, end))
    kymo_projections_count_damage (log, 1, offset);
}

/**
 * kymo_projections_take_lines:
 * @block: lines, at @block_offset in the log
 * @records: (array length=n): what kymo_text_decode_lines() made of them
 *
 * Records in their order; what is not plain is decoded now, since its text and
 * lists are valid only until the next.
 */
void
kymo_projections_take_lines (KymoLogState          *log,
                             const char            *block,
                             gint64                 block_offset,
                             const KymoPlainRecord *records,
                             guint                  n)
{
  for (guint i = 0; i < n;)
    {
      guint n_plain = 0;

      while (i + n_plain < n && records[i + n_plain].type != 0)
        n_plain++;
      if (n_plain > 0)
        {
          kymo_projections_take_plain (log, &records[i], n_plain);
          i += n_plain;
          continue;
        }
      read_line (log, block + records[i].line, block + records[i].line + records[i].n_bytes,
                 block_offset + records[i].line);
      i++;
    }
}

/**
 * kymo_projections_read_block:
 * @block: lines, at @block_offset in the log
 * @next: the first of them that is to be read
 * @end: behind the last
 */
void
kymo_projections_read_block (KymoLogState *log,
                             KymoJob      *job,
                             const char   *block,
                             gint64        block_offset,
                             const char   *next,
                             const char   *end)
{
  KymoPlainRecord records[BATCH];

  while (next < end && !kymo_job_is_cancelled (job))
    {
      guint n = kymo_text_decode_lines (&log->layout, block, &next, end, records, BATCH);

      kymo_projections_take_lines (log, block, block_offset, records, n);
    }
}

/**
 * kymo_projections_read_text:
 *
 * Reads the records from @lines on, to the end or a cancellation. Threads
 * that have nothing else to do join in as soon as there are any.
 *
 * Returns: %FALSE when the memory limit was reached
 */
gboolean
kymo_projections_read_text (KymoLogState *log,
                            KymoLines    *lines)
{
  char *block, *end;

  while (!kymo_projections_may_share (log, lines))
    {
      block = kymo_lines_block (lines, &end);
      if (block == NULL)
        return TRUE;
      kymo_projections_read_block (log, lines->job, block, lines->offset, block, end);
      kymo_projections_see_cpu_lines (log, block, end);
      kymo_lines_advance (lines, end - block);
      if (!kymo_projections_charge (log))
        return FALSE;
    }
  return kymo_projections_share_text (log, lines);
}

/**
 * kymo_projections_scan_text:
 *
 * Line by line: where what a record says is all that is wanted.
 */
void
kymo_projections_scan_text (KymoLogState *log,
                            KymoLines    *lines)
{
  char *line, *end;

  while ((line = kymo_lines_next (lines, &end)) != NULL)
    {
      read_line (log, line, end, lines->line_offset);
      kymo_lines_advance (lines, kymo_skip_blank_lines (lines->next, lines->end) - lines->next);
    }
}
