/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * replies: how large the replies of a stream were and how late they came, over
 * the program's time, and what they took of the network.
 *
 * A bar is an entry of the stream's log (one reply, or neighbours that it
 * keeps together); where the range has more entries than columns are asked
 * for, the bars are 1, 2, 5, 10, … seconds on the grid of their multiples.
 * Bars that the range touches are whole, cut to the run. An entry that lies
 * over an edge is shared out by time, in integers, so that bars add up.
 *
 * Delay: from the end of a block, in the program's time, to when its reply was
 * there; the clocks have no common zero, so it is told relative to the
 * smallest of the run. Of a bar the largest that ends in it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"
#include "kymo-keywords.h"
#include "kymo-marks.h"
#include "kymo-order.h"

#define SECOND_NS G_GINT64_CONSTANT (1000000000)
/* The present bandwidth is a mean over this much wall clock time. */
#define NOW_US G_GINT64_CONSTANT (10000000)
#define MOST_BARS 1000000

typedef struct
{
  guint   n;
  gint64  bar_ns;               /* 0 = entries as they are */
  gint64 *edges_ns;             /* n + 1 */
  gint64 *bytes, *largest, *blocks, *lost_ns, *delay_ns;        /* n each */
} Bars;

static const KymoStreamReply *
reply_at (const KymoStreamLog *log,
          guint                i)
{
  return &g_array_index (log->replies, KymoStreamReply, i);
}

/* The first entry that ends after a time. */
static guint
first_after (const KymoStreamLog *log,
             gint64               time_ns)
{
  return KYMO_FIND_FIRST (i, 0, log->replies->len, reply_at (log, i)->span.end_ns > time_ns);
}

/* Recordings are files: their clocks tell anything. */
static gint64
sane_us (gint64 us)
{
  return CLAMP (us, 0, G_MAXINT64 / 4000);
}

static gint64
delay_of (const KymoStreamReply *reply)
{
  return sane_us (reply->arrived_us) * 1000 - reply->span.end_ns;
}

static gint64
smallest_delay (const KymoStreamLog *log)
{
  gint64 smallest_ns = G_MAXINT64;

  for (guint i = 0; i < log->replies->len; i++)
    if (reply_at (log, i)->n_replies > 0)
      smallest_ns = MIN (smallest_ns, delay_of (reply_at (log, i)));
  return smallest_ns;
}

/* -- edges ----------------------------------------------------------------- */

/* Entries and what may lie between two of them. */
static void
edges_of_entries (const KymoStreamLog *log,
                  guint                first,
                  guint                end,
                  GArray              *edges)
{
  for (guint i = first; i < end; i++)
    {
      KymoSpan span = reply_at (log, i)->span;

      if (edges->len == 0 || g_array_index (edges, gint64, edges->len - 1) < span.begin_ns)
        g_array_append_val (edges, span.begin_ns);
      g_array_append_val (edges, span.end_ns);
    }
}

static void
edges_of_grid (const KymoAsk *ask,
               gint64         bar_ns,
               GArray        *edges)
{
  KymoSpan run = ask->run->span;
  gint64 at = ask->span.begin_ns - ((ask->span.begin_ns % bar_ns) + bar_ns) % bar_ns;

  for (; at < ask->span.end_ns; at += bar_ns)
    {
      gint64 edge_ns = MAX (at, run.begin_ns);

      g_array_append_val (edges, edge_ns);
    }
  at = MIN (at, run.end_ns);
  g_array_append_val (edges, at);
}

static gint64
choose_bar (gint64 length_ns,
            guint  most)
{
  static const gint64 factors[] = { 1, 2, 5 };
  gint64 power = SECOND_NS;

  for (guint i = 0;; i++)
    {
      power *= i > 0 && i % G_N_ELEMENTS (factors) == 0 ? 10 : 1;
      if (length_ns / (power * factors[i % G_N_ELEMENTS (factors)]) <= most)
        return power * factors[i % G_N_ELEMENTS (factors)];
    }
}

static void
bars_init (Bars          *bars,
           const KymoAsk *ask)
{
  const KymoStreamLog *log = ask->run->stream;
  guint columns = kymo_question_get_columns (ask->question);
  guint most = columns > 0 ? MIN (columns, MOST_BARS) : MOST_BARS;
  guint first = first_after (log, ask->span.begin_ns), end = first;
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (gint64));

  *bars = (Bars) { 0 };
  while (end < log->replies->len && reply_at (log, end)->span.begin_ns < ask->span.end_ns)
    end++;
  if (end - first <= most)
    edges_of_entries (log, first, end, edges);
  else
    {
      bars->bar_ns = choose_bar (kymo_span_length (ask->span), most);
      edges_of_grid (ask, bars->bar_ns, edges);
    }
  if (edges->len == 0)
    g_array_append_val (edges, ask->span.begin_ns);
  bars->n = edges->len - 1;
  bars->edges_ns = (gpointer) g_array_free (edges, FALSE);
  bars->bytes = g_new0 (gint64, bars->n + 1);
  bars->largest = g_new0 (gint64, bars->n + 1);
  bars->blocks = g_new0 (gint64, bars->n + 1);
  bars->lost_ns = g_new0 (gint64, bars->n + 1);
  bars->delay_ns = g_new (gint64, bars->n + 1);
  for (guint i = 0; i < bars->n; i++)
    bars->delay_ns[i] = KYMO_NULL_INT;
}

static void
bars_clear (Bars *bars)
{
  g_free (bars->edges_ns);
  g_free (bars->bytes);
  g_free (bars->largest);
  g_free (bars->blocks);
  g_free (bars->lost_ns);
  g_free (bars->delay_ns);
}

/* -- what is in them ------------------------------------------------------- */

/* The share of `amount` up to a time. */
static gint64
up_to (KymoSpan span,
       gint64   amount,
       gint64   time_ns)
{
  gint64 part = CLAMP (time_ns, span.begin_ns, span.end_ns) - span.begin_ns;

  return (gint64) ((__int128) amount * part / MAX (kymo_span_length (span), 1));
}

/* Adds a reply to a bar. */
static void
add_part (Bars                  *bars,
          guint                  i,
          const KymoStreamReply *reply,
          gint64                 smallest_ns)
{
  KymoSpan bar = { bars->edges_ns[i], bars->edges_ns[i + 1] };
  KymoSpan both = kymo_span_intersect (bar, reply->span);

  bars->bytes[i] += up_to (reply->span, reply->bytes, bar.end_ns)
    - up_to (reply->span, reply->bytes, bar.begin_ns);
  bars->blocks[i] += up_to (reply->span, reply->n_replies, bar.end_ns)
    - up_to (reply->span, reply->n_replies, bar.begin_ns);
  bars->largest[i] = MAX (bars->largest[i], reply->largest_bytes);
  if (reply->n_replies == 0)
    bars->lost_ns[i] += kymo_span_length (both);
  else if (reply->span.end_ns <= bar.end_ns)
    bars->delay_ns[i] = MAX (bars->delay_ns[i], delay_of (reply) - smallest_ns);
}

/* Entries and bars are both in order of time. */
static void
fill_replies (Bars                *bars,
              const KymoStreamLog *log)
{
  gint64 smallest_ns = smallest_delay (log);
  guint i = 0;

  if (bars->n == 0)
    return;
  for (guint e = first_after (log, bars->edges_ns[0]); e < log->replies->len; e++)
    {
      const KymoStreamReply *reply = reply_at (log, e);

      while (i < bars->n && bars->edges_ns[i + 1] <= reply->span.begin_ns)
        i++;
      for (guint k = i; k < bars->n && bars->edges_ns[k] < reply->span.end_ns; k++)
        add_part (bars, k, reply, smallest_ns);
      if (i == bars->n)
        return;
    }
}

static double
bandwidth (gint64 bytes,
           gint64 us)
{
  return us > 0 ? bytes * 1e6 / us : 0;
}

/* Bytes a second of the wall clock: of the last 10 s, and of all. */
static void
set_bandwidth (const KymoStreamLog *log,
               KymoTable           *answer)
{
  gint64 end_us = sane_us (log->end_us), length_us = end_us - sane_us (log->begin_us);
  gint64 bytes = 0;

  for (guint i = log->replies->len; i-- > 0;)
    {
      const KymoStreamReply *reply = reply_at (log, i);

      if (reply->n_replies > 0 && sane_us (reply->arrived_us) <= end_us - NOW_US)
        break;
      bytes += reply->bytes;
    }
  kymo_table_set_double (answer, "bandwidth_now",
                         bandwidth (bytes, MIN (NOW_US, length_us)));
  kymo_table_set_double (answer, "bandwidth", bandwidth (log->bytes_received, length_us));
}

static KymoTable *
replies_answer (KymoAsk  *ask,
                guint     n_threads,
                GError  **error)
{
  const KymoStreamLog *log = ask->run->stream;
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);
  Bars bars;

  bars_init (&bars, ask);
  fill_replies (&bars, log);
  kymo_table_set_int (table, "begin_ns", bars.edges_ns[0]);
  kymo_table_set_int (table, "end_ns", bars.edges_ns[bars.n]);
  kymo_table_set_int (table, "bar_ns", bars.bar_ns);
  kymo_table_set_int (table, "total_blocks", log->n_blocks);
  kymo_table_set_int (table, "total_lost", log->n_lost);
  kymo_table_set_int (table, "total_empty", log->n_empty);
  kymo_table_set_int (table, "bytes_received", log->bytes_received);
  kymo_table_set_int (table, "pes", log->n_pes);
  set_bandwidth (log, table);
  kymo_table_set_ints (table, "edges_ns", bars.edges_ns, bars.n + 1);
  kymo_table_set_ints (table, "bytes", bars.bytes, bars.n);
  kymo_table_set_ints (table, "largest_bytes", bars.largest, bars.n);
  kymo_table_set_ints (table, "blocks", bars.blocks, bars.n);
  kymo_table_set_ints (table, "lost_ns", bars.lost_ns, bars.n);
  kymo_table_set_ints (table, "delay_ns", bars.delay_ns, bars.n);
  kymo_marks_set (ask->run, (KymoSpan) { bars.edges_ns[0], bars.edges_ns[bars.n] }, table);
  bars_clear (&bars);
  return table;
}

static const KymoKeyword keywords[] =
{
  { "bins", KYMO_KEYWORD_COUNT, "N", "at most N bins; neighbours are joined",
    KYMO_KEYWORD_TO_COLUMNS },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  KYMO_LIST_OF_MARKS,
  { NULL }
};

const KymoAnswerClass kymo_answer_replies =
{
  { "replies", N_("A chart of replies"), "of a stream: size, delay and bandwidth of its replies",
    keywords, KYMO_CAN_STREAM, .lists = lists,
    .topic = KYMO_TOPIC_OVERVIEW },
  .answer = replies_answer,
};
