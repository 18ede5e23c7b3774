/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Visiting the records of a log. It ends at the first thing that is no record
 * as it should be: who needs to know what such a log says reads it
 * (kymo-projections-log.h).
 */
#include "config.h"

#include "kymo-projections-walk.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kymo-input.h"
#include "kymo-projections-records.h"

#define WINDOW_BYTES (64 * 1024)

typedef struct
{
  KymoLogState  log;
  KymoLines     lines;
  KymoLogVisit  visit;
  gpointer      data;
  KymoLogWalk  *walk;
} Walking;

/* Of a line that the fast decoder understands, what it says. */
static void
take_plain (const KymoPlainRecord *plain,
            KymoLogRecord         *record)
{
  record->type = plain->type;
  record->time_ns = plain->time_ns;
  record->id = plain->id;
  record->event = plain->event;
  record->pe = plain->pe;
  record->length = plain->length;
  if (plain->type != BEGIN_PROCESSING)
    return;
  memset (&record->object, 0, sizeof record->object);
  record->object.n_dimensions = plain->n_index;
  memcpy (record->object.index, plain->index, plain->n_index * sizeof (gint32));
}

static gboolean
decode_line (KymoLogLayout *layout,
             const char    *line,
             const char    *end,
             KymoLogRecord *record)
{
  KymoPlainRecord plain;

  if (kymo_text_decode_plain (layout, line, &plain) == NULL)
    return kymo_text_decode (layout, line, end, record)
      && kymo_record_type_is_known (record->type);
  take_plain (&plain, record);
  return TRUE;
}

/* The log begins and ends as it should, and nothing comes behind it. */
static gboolean
take_projections_walk (Walking             *w,
                       const KymoLogRecord *record,
                       const char          *bytes,
                       gsize                n_bytes)
{
  if ((w->walk->n_records == 0) != (record->type == BEGIN_COMPUTATION)
      || w->log.last_type == END_COMPUTATION)
    return FALSE;
  w->log.last_type = record->type;
  w->walk->n_records++;
  return w->visit (record, bytes, n_bytes, w->data);
}

static gboolean
walk_text (Walking *w)
{
  KymoLogRecord record;
  char *line, *end;

  while ((line = kymo_lines_next (&w->lines, &end)) != NULL)
    if (!decode_line (&w->log.layout, line, end, &record)
        || !take_projections_walk (w, &record, line, end + 1 - line))
      return FALSE;
  return w->lines.skipped_lines == 0;
}

static gboolean
walk_binary (Walking *w)
{
  KymoLines *lines = &w->lines;
  KymoLogRecord record;
  gsize n;

  w->log.layout.n_misfits = 0;  /* those of looking for the form */
  while ((n = kymo_lines_ensure (lines, WINDOW_BYTES)) > 0 && !kymo_job_is_cancelled (lines->job))
    {
      gssize size = kymo_binary_decode (&w->log.layout, (guint8 *) lines->next, n, &record);

      if (size == 0 && kymo_lines_ensure (lines, lines->size) > n)
        continue;
      if (size <= 0 || !take_projections_walk (w, &record, lines->next, size))
        return FALSE;
      kymo_lines_advance (lines, size);
    }
  return w->log.layout.n_misfits == 0;
}

/* The header is as it should be: where it is damaged, records may be missing. */
static gboolean
find_records (Walking *w)
{
  static const char magic[] = "PROJECTIONS-RECORD";
  gsize n = kymo_lines_ensure (&w->lines, sizeof magic);
  gboolean is_text = n >= sizeof magic && memcmp (w->lines.next, magic, sizeof magic - 1) == 0;

  if (!kymo_projections_find_form (&w->log, &w->lines, &w->walk->is_binary)
      || is_text == w->walk->is_binary || (w->walk->is_binary && w->lines.offset != 4))
    return FALSE;
  w->walk->swap = w->log.layout.swap;
  return w->walk->is_binary || kymo_projections_check_names (&w->log, &w->lines) == 0;
}

static gboolean
is_whole (Walking     *w,
          KymoInflate *inflate)
{
  return w->log.last_type == END_COMPUTATION && w->lines.tail_bytes == 0
    && kymo_inflate_get_end (inflate) == KYMO_INFLATE_END
    && kymo_inflate_get_growth (inflate) == 0
    && w->log.n_announced <= w->walk->n_records;
}

static gboolean
is_compressed (const char *path)
{
  guint8 head[2];

  return kymo_input_read_head (AT_FDCWD, path, head, sizeof head) == sizeof head
    && head[0] == 0x1f && head[1] == 0x8b;
}

/**
 * kymo_projections_log_walk:
 * @request: what to read; nothing is told to its report
 * @job: (nullable): progress and cancelling
 * @visit: called for each record, in their order
 * @walk: (out): what was met; not plain where the walk was cancelled, or
 *   ended by @visit
 */
void
kymo_projections_log_walk (const KymoLogRequest *request,
                           KymoJob              *job,
                           KymoLogVisit          visit,
                           gpointer              data,
                           KymoLogWalk          *walk)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (request->path, NULL);
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoLogRequest silent = *request;
  Walking w = { .visit = visit, .data = data, .walk = walk };

  memset (walk, 0, sizeof *walk);
  if (inflate == NULL)
    return;
  silent.report = report;
  walk->is_compressed = is_compressed (request->path);
  kymo_projections_log_init (&w.log, &silent);
  kymo_lines_init (&w.lines, inflate, job);
  walk->is_plain = find_records (&w) && (walk->is_binary ? walk_binary (&w) : walk_text (&w))
    && !kymo_job_is_cancelled (job) && is_whole (&w, inflate);
  kymo_projections_log_clear (&w.log);
  kymo_lines_clear (&w.lines);
}
