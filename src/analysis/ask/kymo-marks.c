/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-marks.h"

#include "kymo-order.h"

/* Of more the lost blocks are left out: the picture shows them anyway. Beyond
   that, the oldest. */
#define MOST_MARKS 2000

static const char *
kind_to_string (KymoStreamMarkKind kind)
{
  static const char *const words[] = { "condition", "state", "lost" };

  return words[kind];
}

static const KymoStreamMark *
mark_at (const KymoStreamLog *log,
         guint                i)
{
  return &g_array_index (log->marks, KymoStreamMark, i);
}

static guint
first_from (const KymoStreamLog *log,
            gint64               time_ns)
{
  return KYMO_FIND_FIRST (i, 0, log->marks->len, mark_at (log, i)->time_ns >= time_ns);
}

/* Which marks of first..end to leave out: by kind, and how many of the oldest. */
static guint
choose_marks (const KymoStreamLog *log,
              guint                first,
              guint                end,
              gboolean            *with_lost)
{
  guint n = 0;

  *with_lost = end - first <= MOST_MARKS;
  if (*with_lost)
    return 0;
  for (guint i = first; i < end; i++)
    n += mark_at (log, i)->kind != KYMO_STREAM_MARK_LOST;
  return MAX (n, MOST_MARKS) - MOST_MARKS;
}

/**
 * kymo_marks_set:
 * @span: which marks; those at its end only where that is the run's
 * @answer: gets a table "marks": time_ns, at_us (since 1970), kind, text; and
 *   "marks_left_out". Nothing where the run is no stream
 */
void
kymo_marks_set (const KymoRun *run,
                KymoSpan       span,
                KymoTable     *answer)
{
  const KymoStreamLog *log = run->stream;
  KymoTable *table;
  guint first, end, skip;
  gboolean with_lost;

  if (log == NULL)
    return;
  table = kymo_table_new_list ("time_ns at_us kind:string text:string");
  first = first_from (log, span.begin_ns);
  end = span.end_ns >= run->span.end_ns ? log->marks->len : first_from (log, span.end_ns);
  end = MAX (first, end);
  skip = choose_marks (log, first, end, &with_lost);
  for (guint i = first; i < end; i++)
    {
      const KymoStreamMark *mark = mark_at (log, i);

      if ((mark->kind == KYMO_STREAM_MARK_LOST && !with_lost) || (skip > 0 && skip--))
        continue;
      kymo_table_append_row (table, mark->time_ns, mark->at_us, kind_to_string (mark->kind),
                             mark->text);
    }
  kymo_table_set_int (answer, "marks_left_out", end - first - kymo_table_get_n_rows (table));
  kymo_table_set_table (answer, "marks", table);
}
