/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-stream-log.h"

static void
clear_mark (gpointer data)
{
  g_free (((KymoStreamMark *) data)->text);
}

/**
 * kymo_stream_log_new:
 *
 * Returns: (transfer full): a log without entries; who made it fills it before
 * a run holds it
 */
KymoStreamLog *
kymo_stream_log_new (void)
{
  KymoStreamLog *log = g_new0 (KymoStreamLog, 1);

  g_atomic_ref_count_init (&log->ref_count);
  log->replies = g_array_new (FALSE, FALSE, sizeof (KymoStreamReply));
  log->marks = g_array_new (FALSE, FALSE, sizeof (KymoStreamMark));
  log->seconds = g_array_new (FALSE, TRUE, sizeof (KymoStreamSeconds));
  log->loads = g_array_new (FALSE, FALSE, sizeof (KymoStreamLoad));
  g_array_set_clear_func (log->marks, clear_mark);
  return log;
}

/**
 * kymo_stream_log_unref:
 *
 * Drops a reference to @log and frees it with the last reference. %NULL is ignored.
 */
void
kymo_stream_log_unref (KymoStreamLog *log)
{
  if (log == NULL || !g_atomic_ref_count_dec (&log->ref_count))
    return;
  g_array_unref (log->replies);
  g_array_unref (log->marks);
  g_array_unref (log->seconds);
  g_array_unref (log->loads);
  g_free (log->ended);
  g_free (log);
}
