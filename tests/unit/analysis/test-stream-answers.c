/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions put to streams made by hand, against what can be counted in the
 * milliseconds they were made of.
 */
#include "config.h"

#include <string.h>

#include "hand_stream.h"
#include "kymo-run-source.h"

#define MS G_GINT64_CONSTANT (1000000)
#define SECOND (1000 * MS)

static KymoTable *
ask (const HandStream *stream,
     const char       *kind,
     KymoSpan          span,
     const char       *key,
     gint64            value,
     guint             columns)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (stream->run, 2);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, span);
  kymo_question_set_resolution (question, columns, 0);
  if (key != NULL)
    kymo_question_set_int (question, key, value);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static void
assert_near (double a,
             double b)
{
  g_assert_cmpfloat_with_epsilon (a, b, 1e-12);
}

/* -- time-profile in bars --------------------------------------------------- */

static void
check_bar (const HandStream *stream,
           KymoTable        *answer,
           guint             bar)
{
  KymoTable *series = kymo_table_peek_nested (answer, "series", NULL);
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", NULL);
  guint from = edges[bar] / MS, to = edges[bar + 1] / MS, width;
  const gint64 *ns = kymo_table_peek_ints (series, "ns", &width);
  gint64 all = 0;

  for (guint row = 0; row < kymo_table_get_n_rows (series); row++)
    {
      guint activity = kymo_table_get_int (series, "id", row) - 10;

      g_assert_cmpint (ns[row * width + bar], ==, hand_stream_sum (stream, activity, from, to));
      all += ns[row * width + bar];
    }
  all += kymo_table_peek_ints (answer, "overhead_ns", NULL)[bar];
  all += kymo_table_peek_ints (answer, "untraced_ns", NULL)[bar];
  g_assert_cmpint (kymo_table_peek_ints (answer, "idle_ns", NULL)[bar], ==, 0);
  g_assert_cmpint (all, ==, edges[bar + 1] - edges[bar]);
}

static void
test_bars (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (1, 12, 5, 6, HAND_STREAM_1_MS);
  const KymoSpan spans[] = { { 2350 * MS, 4721 * MS }, { 0, 12 * SECOND },
                             { 11950 * MS, 12 * SECOND }, { 3 * SECOND, 3 * SECOND + 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      g_autoptr (KymoTable) answer = ask (stream, "time-profile", spans[i], "bar-ns", 100 * MS, 0);
      guint n;
      const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", &n);

      g_assert_cmpint (edges[0], ==, spans[i].begin_ns / (100 * MS) * 100 * MS);
      g_assert_cmpint (edges[n - 1], ==, (spans[i].end_ns + 100 * MS - 1) / (100 * MS) * 100 * MS);
      g_assert_cmpint (kymo_table_get_int (answer, "begin_ns", 0), ==, edges[0]);
      g_assert_true (kymo_table_get_bool (answer, "overhead_is_rest", 0));
      for (guint bar = 0; bar + 1 < n; bar++)
        {
          g_assert_cmpint (edges[bar + 1] - edges[bar], ==, 100 * MS);
          check_bar (stream, answer, bar);
        }
    }
}

/* As many bars are joined as have room, wherever the range begins. */
static void
test_joined_bars (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (2, 8, 3, 0, HAND_STREAM_1_MS);

  for (guint i = 0; i < 50; i++)
    {
      KymoSpan span = { i * 37 * MS, i * 37 * MS + 5 * SECOND };
      g_autoptr (KymoQuestion) question = kymo_question_new ("time-profile");
      g_autoptr (KymoRunSource) source = kymo_run_source_new (stream->run, 1);
      g_autoptr (KymoTable) answer = NULL;
      guint n;

      kymo_question_set_span (question, span);
      kymo_question_set_int (question, "bar-ns", 10 * MS);
      kymo_question_set_int (question, "most-bars", 120);
      answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
      g_assert_cmpint (kymo_table_get_int (answer, "bar_ns", 0), ==, 50 * MS);
      g_assert_cmpint (kymo_table_peek_ints (answer, "edges_ns", &n)[0], ==,
                       span.begin_ns / (50 * MS) * 50 * MS);
      for (guint bar = 0; bar + 1 < n; bar++)
        check_bar (stream, answer, bar);
    }
}

static void
test_absurd_bars (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (2, 2, 3, 0, HAND_STREAM_1_MS);
  const gint64 bars[] = { 0, -5, G_MININT64, 1, 1999 };

  for (guint i = 0; i < G_N_ELEMENTS (bars); i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new ("time-profile");
      g_autoptr (KymoRunSource) source = kymo_run_source_new (stream->run, 1);
      g_autoptr (GError) error = NULL;

      kymo_question_set_int (question, "bar-ns", bars[i]);
      g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error));
      g_assert_nonnull (error);
    }
  g_autoptr (KymoTable) one = ask (stream, "time-profile", KYMO_SPAN_ALL, "bar-ns", G_MAXINT64, 0);
  guint n;

  kymo_table_peek_ints (one, "edges_ns", &n);
  g_assert_cmpuint (n, ==, 2);
  check_bar (stream, one, 0);
}

/* -- busiest ---------------------------------------------------------------- */

typedef struct
{
  double now, mean, lowest, highest;
} Shares;

/* By hand: whole seconds of `step` in the range, the lost ones left out. */
static Shares
count_shares (const HandStream *stream,
              guint             first_activity,
              guint             end_activity,
              guint             from_ms,
              guint             to_ms,
              guint             step_ms)
{
  Shares shares = { 0, 0, 2, -1 };
  gint64 all = 0;

  for (guint ms = (from_ms + step_ms - 1) / step_ms * step_ms; ms + step_ms <= to_ms; ms += step_ms)
    {
      guint traced = hand_stream_traced (stream, ms, ms + step_ms);
      gint64 ns = 0;

      for (guint a = first_activity; a < end_activity; a++)
        ns += hand_stream_sum (stream, a, ms, ms + step_ms);
      if (traced == 0)
        continue;
      shares.now = (double) ns / (traced * MS);
      shares.lowest = MIN (shares.lowest, shares.now);
      shares.highest = MAX (shares.highest, shares.now);
    }
  for (guint a = first_activity; a < end_activity; a++)
    all += hand_stream_sum (stream, a, from_ms, to_ms);
  shares.mean = (double) all / (hand_stream_traced (stream, from_ms, to_ms) * MS);
  return shares;
}

static void
check_shares (KymoTable *table,
              guint      row,
              Shares     shares)
{
  assert_near (kymo_table_get_double (table, "now", row), shares.now);
  assert_near (kymo_table_get_double (table, "mean", row), shares.mean);
  assert_near (kymo_table_get_double (table, "lowest", row), shares.lowest);
  assert_near (kymo_table_get_double (table, "highest", row), shares.highest);
}

static void
check_busiest (const HandStream *stream,
               KymoTable        *answer,
               guint             from_ms,
               guint             to_ms,
               guint             step_ms)
{
  KymoTable *list = kymo_table_peek_nested (answer, "activities", NULL);
  KymoTable *busy = kymo_table_peek_nested (answer, "busy", NULL);
  KymoTable *rest = kymo_table_peek_nested (answer, "rest", NULL);
  guint n = kymo_table_get_n_rows (list);
  Shares all = count_shares (stream, 0, stream->n_activities, from_ms, to_ms, step_ms);

  g_assert_cmpint (kymo_table_get_int (answer, "step_ns", 0), ==, step_ms * MS);
  check_shares (busy, 0, all);
  check_shares (rest, 0, (Shares) { 1 - all.now, 1 - all.mean, 1 - all.highest, 1 - all.lowest });
  g_assert_cmpuint (n, ==, stream->n_activities);
  for (guint row = 0; row < n; row++)
    {
      guint a = kymo_table_get_int (list, "id", row) - 10;

      check_shares (list, row, count_shares (stream, a, a + 1, from_ms, to_ms, step_ms));
      g_assert_cmpint (kymo_table_get_int (list, "ns", row), ==,
                       hand_stream_sum (stream, a, from_ms, to_ms));
      if (row > 0)
        g_assert_cmpfloat (kymo_table_get_double (list, "now", row - 1), >=,
                           kymo_table_get_double (list, "now", row));
    }
}

/* What was taken down as it came, and what the bins tell, is the same. */
static void
test_busiest (void)
{
  for (guint seed = 1; seed <= 12; seed++)
    {
      g_autoptr (HandStream) stream = hand_stream_new (seed, 23, 6, seed % 3 ? 5 : 0,
                                                       seed % 3);
      g_autoptr (KymoTable) whole = ask (stream, "busiest", KYMO_SPAN_ALL, NULL, 0, 0);
      g_autoptr (KymoTable) bins = NULL;
      g_autoptr (KymoStreamLog) log = g_steal_pointer (&stream->run->stream);
      g_autoptr (GString) a = g_string_new (NULL), b = g_string_new (NULL);

      check_busiest (stream, whole, 0, 23000, 1000);
      bins = ask (stream, "busiest", KYMO_SPAN_ALL, NULL, 0, 0);
      kymo_table_write_json (whole, a);
      kymo_table_write_json (bins, b);
      g_assert_cmpstr (a->str, ==, b->str);
    }
}

static void
test_busiest_parts (void)
{
  for (guint seed = 1; seed <= 30; seed++)
    {
      g_autoptr (HandStream) stream = hand_stream_new (seed, 23, 4, 0, seed % 2);
      guint from = seed * 331 % 9000, to = from + 2100 + seed * 977 % 9000;
      g_autoptr (KymoTable) part = NULL;

      /* Edges that bins of 10 ms have too. */
      from = from / 10 * 10;
      to = to / 10 * 10;
      part = ask (stream, "busiest", (KymoSpan) { from * MS, to * MS }, NULL, 0, 0);
      check_busiest (stream, part, from, to, 1000);
      g_assert_cmpint (kymo_table_get_int (part, "now_end_ns", 0), ==, to / 1000 * SECOND);
    }
}

/* Bins of 10 s tell nothing of seconds; but what was taken down does. */
static void
test_busiest_of_long_bins (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (5, 60, 4, 7, HAND_STREAM_10_S);
  g_autoptr (KymoTable) part = ask (stream, "busiest", (KymoSpan) { 0, 50 * SECOND }, NULL, 0, 0);
  g_autoptr (KymoTable) late = ask (stream, "busiest",
                                    (KymoSpan) { 30 * SECOND, 60 * SECOND - 1 }, NULL, 0, 0);
  g_autoptr (KymoTable) whole = ask (stream, "busiest", KYMO_SPAN_ALL, NULL, 0, 0);

  check_busiest (stream, part, 0, 50000, 10000);
  g_assert_cmpint (kymo_table_get_int (late, "step_ns", 0), ==, SECOND);
  check_busiest (stream, whole, 0, 60000, 1000);
}

/* No whole second: the range itself. Nothing but lost blocks: nothing. */
static void
test_busiest_of_little (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (6, 4, 3, 0, HAND_STREAM_1_MS);
  g_autoptr (HandStream) lost = hand_stream_new (6, 3, 2, 1, HAND_STREAM_1_MS);
  g_autoptr (HandStream) nothing = hand_stream_new (6, 3, 0, 0, HAND_STREAM_1_MS);
  g_autoptr (KymoTable) part = ask (stream, "busiest", (KymoSpan) { 700 * MS, 1300 * MS }, NULL,
                                    0, 0);
  g_autoptr (KymoTable) none = ask (lost, "busiest", KYMO_SPAN_ALL, NULL, 0, 0);
  g_autoptr (KymoTable) empty = ask (nothing, "busiest", KYMO_SPAN_ALL, NULL, 0, 0);
  g_autoptr (GString) json = g_string_new (NULL);
  double mean = count_shares (stream, 1, 2, 700, 1300, 1000).mean;
  KymoTable *list = kymo_table_peek_nested (part, "activities", NULL);

  for (guint row = 0; row < 3; row++)
    if (kymo_table_get_int (list, "id", row) == 11)
      check_shares (list, row, (Shares) { mean, mean, mean, mean });
  g_assert_cmpint (kymo_table_get_int (part, "steps", 0), ==, 1);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (none, "activities", NULL)), ==,
                    0);
  kymo_table_write_json (none, json);
  g_assert_nonnull (strstr (json->str, "\"busy\":{\"now\":null,\"mean\":null"));
  assert_near (kymo_table_get_double (kymo_table_peek_nested (empty, "rest", NULL), "mean", 0), 1);
}

/* -- replies ---------------------------------------------------------------- */

static gint64
total_of (KymoTable  *answer,
          const char *key)
{
  guint n;
  const gint64 *values = kymo_table_peek_ints (answer, key, &n);
  gint64 sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[i];
  return sum;
}

static void
test_replies (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (7, 40, 2, 5, HAND_STREAM_1_MS);
  const KymoStreamLog *log = stream->run->stream;
  g_autoptr (KymoTable) answer = ask (stream, "replies", KYMO_SPAN_ALL, NULL, 0, 0);
  guint n;
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", &n);
  const gint64 *delays = kymo_table_peek_ints (answer, "delay_ns", NULL);
  gint64 smallest = G_MAXINT64;

  g_assert_cmpuint (n, ==, 41);
  g_assert_cmpint (log->n_lost, >, 0);
  for (guint i = 0; i < 40; i++)
    {
      const KymoStreamReply *reply = &g_array_index (log->replies, KymoStreamReply, i);

      g_assert_cmpint (edges[i], ==, i * SECOND);
      g_assert_cmpint (kymo_table_peek_ints (answer, "bytes", NULL)[i], ==, reply->bytes);
      g_assert_cmpint (kymo_table_peek_ints (answer, "blocks", NULL)[i], ==, reply->n_replies);
      g_assert_cmpint (kymo_table_peek_ints (answer, "lost_ns", NULL)[i], ==,
                       stream->lost[i] ? SECOND : 0);
      g_assert_true ((delays[i] == KYMO_NULL_INT) == stream->lost[i]);
      if (!stream->lost[i])
        smallest = MIN (smallest, reply->arrived_us * 1000 - reply->span.end_ns);
    }
  for (guint i = 0; i < 40; i++)
    if (!stream->lost[i])
      g_assert_cmpint (delays[i], ==, g_array_index (log->replies, KymoStreamReply, i).arrived_us
                       * 1000 - edges[i + 1] - smallest);
  g_assert_cmpint (kymo_table_get_int (answer, "total_lost", 0), ==, log->n_lost);
}

/* However they are put together, bars add up. */
static void
test_reply_bars (void)
{
  for (guint seed = 1; seed <= 25; seed++)
    {
      g_autoptr (HandStream) stream = hand_stream_new (seed, 97, 1, 9, HAND_STREAM_1_MS);
      GArray *replies = stream->run->stream->replies;
      guint columns = 3 + seed % 40;
      g_autoptr (KymoTable) ones = ask (stream, "replies", KYMO_SPAN_ALL, NULL, 0, 0);
      g_autoptr (KymoTable) bars = ask (stream, "replies", KYMO_SPAN_ALL, NULL, 0, columns);
      gint64 bar = kymo_table_get_int (bars, "bar_ns", 0);
      guint n;
      const gint64 *edges = kymo_table_peek_ints (bars, "edges_ns", &n);

      g_assert_cmpuint (n - 1, <=, columns + 2);
      for (guint i = 0; i < n; i++)
        g_assert_true (edges[i] % bar == 0 || i == n - 1);
      g_assert_cmpint (total_of (bars, "bytes"), ==, total_of (ones, "bytes"));
      g_assert_cmpint (total_of (bars, "blocks"), ==, stream->run->stream->n_blocks);
      g_assert_cmpint (total_of (bars, "lost_ns"), ==, stream->run->stream->n_lost * SECOND);
      for (guint i = 0; i + 1 < n; i++)
        {
          gint64 bytes = 0;

          for (gint64 s = edges[i] / SECOND; s < edges[i + 1] / SECOND; s++)
            bytes += g_array_index (replies, KymoStreamReply, s).bytes;
          g_assert_cmpint (kymo_table_peek_ints (bars, "bytes", NULL)[i], ==, bytes);
        }
    }
}

static void
test_few_replies (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (3, 5, 1, 0, HAND_STREAM_1_MS);
  GArray *replies = stream->run->stream->replies;
  g_autoptr (KymoTable) part = ask (stream, "replies", (KymoSpan) { 1500 * MS, 2500 * MS }, NULL,
                                    0, 10);
  g_autoptr (KymoTable) none = NULL;
  guint n;

  g_assert_cmpint (kymo_table_peek_ints (part, "edges_ns", &n)[0], ==, SECOND);
  g_assert_cmpuint (n, ==, 3);
  assert_near (kymo_table_get_double (part, "bandwidth", 0),
               stream->run->stream->bytes_received * 1e6
               / (stream->run->stream->end_us - stream->run->stream->begin_us));
  /* Clocks of a recording may tell anything. */
  g_array_index (replies, KymoStreamReply, 2).arrived_us = G_MAXINT64;
  g_array_index (replies, KymoStreamReply, 3).arrived_us = G_MININT64;
  kymo_table_unref (ask (stream, "replies", KYMO_SPAN_ALL, NULL, 0, 0));
  g_array_set_size (replies, 0);
  none = ask (stream, "replies", KYMO_SPAN_ALL, NULL, 0, 10);
  kymo_table_peek_ints (none, "bytes", &n);
  g_assert_cmpuint (n, ==, 0);
}

/* -- info and marks --------------------------------------------------------- */

static void
test_info (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (9, 30, 2, 4, HAND_STREAM_10_MS);
  KymoStreamLog *log = stream->run->stream;
  g_autoptr (KymoTable) info = ask (stream, "info", KYMO_SPAN_ALL, NULL, 0, 0);
  KymoTable *about = kymo_table_peek_nested (info, "stream", NULL);
  KymoTable *marks = kymo_table_peek_nested (info, "marks", NULL);

  g_assert_cmpstr (kymo_table_get_string (info, "kind", 0), ==, "stream");
  g_assert_cmpint (kymo_table_get_int (about, "blocks", 0), ==, log->n_blocks);
  g_assert_cmpint (kymo_table_get_int (about, "pes", 0), ==, 4);
  g_assert_cmpstr (kymo_table_get_string (about, "handler", 0), ==, "CkPerfSumDetail compressed");
  g_assert_cmpint (kymo_table_get_n_rows (marks), ==, log->n_lost);
  g_assert_cmpstr (kymo_table_get_string (marks, "kind", 0), ==, "lost");
}

/* A week of lost blocks does not hide the one condition that was met. */
static void
test_many_marks (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (9, 10, 2, 0, HAND_STREAM_1_MS);
  GArray *marks = stream->run->stream->marks;
  g_autoptr (KymoTable) info = NULL, part = NULL, few = NULL;
  KymoTable *list;

  for (guint i = 0; i < 5000; i++)
    {
      KymoStreamMark mark = { i * 2 * MS, 0, i == 2500 ? KYMO_STREAM_MARK_CONDITION
                              : KYMO_STREAM_MARK_LOST, g_strdup ("so it was") };

      g_array_append_val (marks, mark);
    }
  info = ask (stream, "info", KYMO_SPAN_ALL, NULL, 0, 0);
  list = kymo_table_peek_nested (info, "marks", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 1);
  g_assert_cmpint (kymo_table_get_int (list, "time_ns", 0), ==, 5 * SECOND);
  g_assert_cmpint (kymo_table_get_int (info, "marks_left_out", 0), ==, 4999);
  part = ask (stream, "time-profile", (KymoSpan) { 2 * SECOND, 3 * SECOND }, NULL, 0, 10);
  list = kymo_table_peek_nested (part, "marks", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 500);
  g_assert_cmpint (kymo_table_get_int (list, "time_ns", 499), ==, 2998 * MS);
  few = ask (stream, "replies", (KymoSpan) { 9 * SECOND, 10 * SECOND }, NULL, 0, 10);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (few, "marks", NULL)), ==, 500);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stream-answers/bars", test_bars);
  g_test_add_func ("/stream-answers/joined-bars", test_joined_bars);
  g_test_add_func ("/stream-answers/absurd-bars", test_absurd_bars);
  g_test_add_func ("/stream-answers/busiest", test_busiest);
  g_test_add_func ("/stream-answers/busiest-parts", test_busiest_parts);
  g_test_add_func ("/stream-answers/busiest-of-long-bins", test_busiest_of_long_bins);
  g_test_add_func ("/stream-answers/busiest-of-little", test_busiest_of_little);
  g_test_add_func ("/stream-answers/replies", test_replies);
  g_test_add_func ("/stream-answers/reply-bars", test_reply_bars);
  g_test_add_func ("/stream-answers/few-replies", test_few_replies);
  g_test_add_func ("/stream-answers/info", test_info);
  g_test_add_func ("/stream-answers/many-marks", test_many_marks);
  return g_test_run ();
}
