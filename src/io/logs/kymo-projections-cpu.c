/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a PE had a processor: begins and ends of blocks tell its processor time so far. Taken
 * from the first begin to the last end, not for each block: no decoder becomes slower, and the sum
 * says already whether blocks can have run all the time that they lasted.
 *
 * Old runtimes without threads of their own count the time of the whole process: then it is more
 * than the PE had, never less.
 */
#include "config.h"

#include "kymo-fields.h"
#include "kymo-projections-records.h"

#include <string.h>

/* 2: m ep t ev srcPe len recvTime ids... cpuStart [counters...]. How many ids there are, the end of
   the line tells best. */
static gint64
find_begin_us (const KymoLogState *log,
               const char         *line,
               const char         *end)
{
  const char *p = end;
  gint64 value;

  for (guint field = 0; field <= log->layout.n_counters; field++)
    {
      while (p > line && (p[-1] == ' ' || p[-1] == '\r'))
        p--;
      while (p > line && p[-1] != ' ')
        p--;
    }
  return p > line && kymo_next_int (&p, &value) && value >= 0 && value <= KYMO_MAX_US ? value : -1;
}

/* 3: m ep t ev srcPe len cpuEnd [counters...] */
static gint64
find_end_us (const char *line)
{
  gint64 fields[8];

  return kymo_next_ints (&line, fields, G_N_ELEMENTS (fields)) && fields[7] >= 0
    && fields[7] <= KYMO_MAX_US ? fields[7] : -1;
}

static gboolean
is_of_type (const char *line,
            const char *end,
            char        type)
{
  return end - line > 2 && line[0] == type && line[1] == ' ';
}

static void
see_first_begin (KymoLogState *log,
                 const char   *block,
                 const char   *end)
{
  for (const char *line = block, *newline; line < end && log->cpu_begin_us < 0; line = newline + 1)
    {
      newline = memchr (line, '\n', end - line);
      if (newline == NULL)
        return;
      if (is_of_type (line, newline, '0' + BEGIN_PROCESSING))
        log->cpu_begin_us = find_begin_us (log, line, newline);
    }
}

/**
 * kymo_projections_see_cpu_lines:
 * @block: whole lines of the log, which come in their order
 * @end: behind the last
 *
 * Takes the first begin and the last end of a block.
 */
void
kymo_projections_see_cpu_lines (KymoLogState *log,
                                const char   *block,
                                const char   *end)
{
  if (!log->layout.has_cpu_time)
    return;
  see_first_begin (log, block, end);
  while (end > block)
    {
      const char *line = memrchr (block, '\n', end - 1 - block);
      gint64 us;

      line = line != NULL ? line + 1 : block;
      us = is_of_type (line, end, '0' + END_PROCESSING) ? find_end_us (line) : -1;
      if (us >= 0)
        {
          log->cpu_end_us = us;
          return;
        }
      end = line;
    }
}

/**
 * kymo_projections_see_cpu:
 * @record: of a binary log, the next
 */
void
kymo_projections_see_cpu (KymoLogState        *log,
                          const KymoLogRecord *record)
{
  if (record->type == BEGIN_PROCESSING && log->cpu_begin_us < 0)
    log->cpu_begin_us = record->cpu_us;
  else if (record->type == END_PROCESSING)
    log->cpu_end_us = record->cpu_us;
}

/**
 * kymo_projections_cpu_ns:
 *
 * Returns: the processor time from the first begin to the last end of a block; 0 where the log does
 *   not tell it, or is damaged
 */
gint64
kymo_projections_cpu_ns (const KymoLogState *log)
{
  if (log->sieve != NULL || log->n_damaged > 0 || log->cpu_begin_us < 0
      || log->cpu_end_us > KYMO_MAX_US)
    return 0;
  return MAX (log->cpu_end_us - log->cpu_begin_us, 0) * KYMO_LOG_UNIT_NS;
}
