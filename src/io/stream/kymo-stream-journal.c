/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-stream-journal.h"

#include <string.h>

#include "kymo-stream-values.h"

/* A second of compute. */
#define ALL_LOAD 1000000

static void
clear_mark (gpointer data)
{
  g_free (((KymoStreamMark *) data)->text);
}

static GArray *
new_marks (void)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (KymoStreamMark));

  g_array_set_clear_func (marks, clear_mark);
  return marks;
}

/**
 * kymo_stream_journal_init:
 *
 * Begins an empty journal. Clear with kymo_stream_journal_clear().
 */
void
kymo_stream_journal_init (KymoStreamJournal *journal)
{
  *journal = (KymoStreamJournal) {
    .replies = g_array_new (FALSE, FALSE, sizeof (KymoStreamReply)),
    .marks = new_marks (),
    .seconds = g_array_new (FALSE, TRUE, sizeof (KymoStreamSeconds)),
    .loads = g_array_new (FALSE, FALSE, sizeof (KymoStreamLoad)),
  };
}

/**
 * kymo_stream_journal_clear:
 *
 * Frees the lists of the journal; logs that were made of it stay.
 */
void
kymo_stream_journal_clear (KymoStreamJournal *journal)
{
  g_clear_pointer (&journal->replies, g_array_unref);
  g_clear_pointer (&journal->marks, g_array_unref);
  g_clear_pointer (&journal->seconds, g_array_unref);
  g_clear_pointer (&journal->loads, g_array_unref);
  g_clear_pointer (&journal->log.ended, g_free);
}

static void
add_reply (KymoStreamReply       *to,
           const KymoStreamReply *next)
{
  to->span.end_ns = next->span.end_ns;
  to->arrived_us = next->arrived_us;
  to->bytes += next->bytes;
  to->n_replies += next->n_replies;
  to->largest_bytes = MAX (to->largest_bytes, next->largest_bytes);
}

/* Joins neighbours before entry `end` that are at most `joined_ns` long
   together; all of them where it is negative. */
static void
join_replies (GArray *replies,
              guint   end,
              gint64  joined_ns)
{
  KymoStreamReply *all = (gpointer) replies->data;
  guint n = 1;

  for (guint i = 1; i < end; i++)
    {
      KymoStreamReply *last = &all[n - 1];

      if (all[i].span.end_ns - last->span.begin_ns <= joined_ns)
        add_reply (last, &all[i]);
      else
        all[n++] = all[i];
    }
  g_array_remove_range (replies, n, end - n);
}

/**
 * kymo_stream_journal_reply:
 * @reply: the next one, or a stretch of which no reply came
 */
void
kymo_stream_journal_reply (KymoStreamJournal     *journal,
                           const KymoStreamReply *reply)
{
  GArray *replies = journal->replies;

  g_array_append_val (replies, *reply);
  /* Lengths double until a quarter is free, so this is seldom. */
  while (replies->len > KYMO_STREAM_MAX_REPLIES)
    {
      guint end = replies->len - KYMO_STREAM_SINGLE_REPLIES;

      if (journal->joined_ns == 0)
        journal->joined_ns = G_GINT64_CONSTANT (1000000000);
      join_replies (replies, end, journal->joined_ns);
      if (replies->len <= KYMO_STREAM_MAX_REPLIES * 3 / 4)
        break;
      journal->joined_ns = MAX (journal->joined_ns, 1) * 2;
    }
}

/* Logs keep the marks that they were given. */
static void
own_marks (KymoStreamJournal *journal)
{
  GArray *marks;

  if (!journal->marks_shared)
    return;
  marks = new_marks ();
  for (guint i = 0; i < journal->marks->len; i++)
    {
      KymoStreamMark mark = g_array_index (journal->marks, KymoStreamMark, i);

      mark.text = g_strdup (mark.text);
      g_array_append_val (marks, mark);
    }
  g_array_unref (journal->marks);
  journal->marks = marks;
  journal->marks_shared = FALSE;
}

/**
 * kymo_stream_journal_mark:
 * @mark: its text is taken (transfer full)
 */
void
kymo_stream_journal_mark (KymoStreamJournal *journal,
                          KymoStreamMark    *mark)
{
  guint at;

  own_marks (journal);
  if (journal->marks->len == KYMO_STREAM_MAX_MARKS)
    {
      journal->n_marks_gone += KYMO_STREAM_MAX_MARKS / 8;
      g_array_remove_range (journal->marks, 0, KYMO_STREAM_MAX_MARKS / 8);
    }
  if (g_utf8_strlen (mark->text, -1) > KYMO_STREAM_MAX_MARK)
    {
      char *whole = mark->text;

      mark->text = g_utf8_substring (whole, 0, KYMO_STREAM_MAX_MARK);
      g_free (whole);
    }
  for (at = journal->marks->len; at > 0; at--)
    if (g_array_index (journal->marks, KymoStreamMark, at - 1).time_ns <= mark->time_ns)
      break;
  g_array_insert_val (journal->marks, at, *mark);
  mark->text = NULL;
}

static void
add_second (KymoStreamSeconds *seconds,
            gint64             ns,
            gboolean           first)
{
  seconds->sum_ns += ns;
  seconds->lowest_ns = first ? ns : MIN (seconds->lowest_ns, ns);
  seconds->highest_ns = MAX (seconds->highest_ns, ns);
  seconds->last_ns = ns;
}

/**
 * kymo_stream_journal_second:
 * @n_activities: length of @ns; may be more than before
 * @ns: time of each activity in a whole second
 * @busy_ns: of them that which computes
 *
 * Takes a second into the busiest and idlest seconds of each activity.
 */
void
kymo_stream_journal_second (KymoStreamJournal *journal,
                            guint              n_activities,
                            const gint64      *ns,
                            gint64             busy_ns)
{
  GArray *seconds = journal->seconds;
  guint n_before = seconds->len;
  gboolean first = journal->log.n_seconds == 0;

  /* In the seconds before it was first told of, an activity had nothing. */
  g_array_set_size (seconds, MAX (n_before, n_activities));
  for (guint i = 0; i < seconds->len; i++)
    add_second (&g_array_index (seconds, KymoStreamSeconds, i), ns[i], i >= n_before && first);
  add_second (&journal->log.busy, busy_ns, first);
  journal->log.n_seconds++;
}

/**
 * kymo_stream_journal_values:
 * @text: values of the second whose block comes next, see docs/formats/live.md
 *
 * Keeps the loads of its processes, and how long they had no CPU. A second that comes again, as
 * when a playback goes back, replaces those from there on.
 */
void
kymo_stream_journal_values (KymoStreamJournal *journal,
                            const char        *text)
{
  g_autofree KymoStreamValues *values = g_new (KymoStreamValues, 1);
  const KymoStreamValue *load = NULL, *delay;
  GArray *loads = journal->loads;
  KymoStreamLoad told = { .delay_ns = -1, .most_delay_ns = -1, .delay_rank = -1 };

  if (kymo_stream_values_parse (values, text, strlen (text)))
    load = kymo_stream_values_find (values, KYMO_STREAM_LOAD);
  if (load == NULL)
    return;
  delay = kymo_stream_values_find (values, KYMO_STREAM_DELAY);
  told.second = values->second;
  told.mean = CLAMP (load->sum / load->n, 0, ALL_LOAD);
  told.least = CLAMP (load->least, 0, told.mean);
  told.most = CLAMP (load->most, told.mean, ALL_LOAD);
  told.least_rank = load->least_rank;
  told.most_rank = load->most_rank;
  if (delay != NULL)
    {
      told.delay_ns = CLAMP (delay->sum / delay->n, 0, G_USEC_PER_SEC * 1000);
      told.most_delay_ns = CLAMP (delay->most, told.delay_ns, G_USEC_PER_SEC * 1000);
      told.delay_rank = delay->most_rank;
    }
  while (loads->len > 0
         && g_array_index (loads, KymoStreamLoad, loads->len - 1).second >= told.second)
    g_array_set_size (loads, loads->len - 1);
  if (loads->len == KYMO_STREAM_MAX_LOADS)
    g_array_remove_index (loads, 0);
  g_array_append_val (loads, told);
}

/**
 * kymo_stream_journal_make_log:
 * @n_activities: of the run; at least as many as any second told of
 * @growing: whether more may come
 *
 * Returns: (transfer full): all so far; its cost is bounded
 */
KymoStreamLog *
kymo_stream_journal_make_log (KymoStreamJournal *journal,
                              guint              n_activities,
                              gboolean           growing)
{
  KymoStreamLog *log = kymo_stream_log_new ();
  KymoStreamLog counts = journal->log;

  counts.ref_count = log->ref_count;
  counts.replies = log->replies;
  counts.seconds = log->seconds;
  counts.loads = log->loads;
  g_array_unref (log->marks);
  counts.marks = g_array_ref (journal->marks);
  counts.ended = g_strdup (journal->log.ended);
  counts.growing = growing;
  *log = counts;
  journal->marks_shared = TRUE;
  g_array_append_vals (log->replies, journal->replies->data, journal->replies->len);
  g_array_append_vals (log->seconds, journal->seconds->data, journal->seconds->len);
  g_array_append_vals (log->loads, journal->loads->data, journal->loads->len);
  /* Activities that no whole second told of. */
  g_array_set_size (log->seconds, n_activities);
  return log;
}
