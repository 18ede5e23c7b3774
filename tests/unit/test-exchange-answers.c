/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions about messages between functions, against a count of the records one by
 * one: random runs, of one thread a rank and of several, whole and in part.
 */
#include "config.h"

#include "exchanges.h"
#include "kymo-clocks.h"
#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-segment-builder.h"
#include "kymo-waits.h"

#define N_RANGES 6

static const ExchangesStory stories[] = {
  { 1, 4, 1, 200, 0, 0 },
  { 2, 5, 1, 300, 6, 0 },
  { 3, 3, 3, 300, 6, 0 },
  { 4, 1, 1, 50, 10, 0 },
  { 5, 6, 2, 400, 2, 300000 },
};

/* One part of a run that is asked for: a range, and some or all locations. */
typedef struct
{
  const Exchanges *exchanges;
  KymoSpan         span;
  KymoIdSet       *locations;   /* NULL = all */
} Part;

static KymoTable *
ask_with (const Part *part,
          const char *kind,
          const char *const *keywords,
          guint       n_threads)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, part->span);
  kymo_question_set_locations (question, part->locations);
  for (guint i = 0; keywords != NULL && keywords[i] != NULL; i += 2)
    kymo_question_set (question, keywords[i], keywords[i + 1]);
  answer = kymo_engine_ask (part->exchanges->run, question, n_threads, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

#define ASK(part, kind, ...) \
  ask_with ((part), (kind), (const char *const[]) { __VA_ARGS__ __VA_OPT__ (,) NULL }, 1)

static gboolean
is_asked (const Part         *part,
          const ExchangesEnd *end)
{
  KymoSpan whole = part->exchanges->run->span;

  return (part->locations == NULL || kymo_id_set_contains (part->locations, end->location))
    && end->time_ns >= part->span.begin_ns
    && (end->time_ns < part->span.end_ns
        || (part->span.end_ns >= whole.end_ns && end->time_ns <= whole.end_ns));
}

static const ExchangesEnd *
end_at (const GArray *ends,
        guint         i)
{
  return &g_array_index (ends, ExchangesEnd, i);
}

typedef void (*TestPart) (const Part *part);

static void
for_each_part (TestPart test)
{
  for (guint s = 0; s < G_N_ELEMENTS (stories); s++)
    {
      g_autoptr (Exchanges) exchanges = exchanges_new (&stories[s]);
      g_autoptr (GRand) rand = g_rand_new_with_seed (s);
      g_autoptr (KymoIdSet) some = kymo_id_set_parse ("0,2-3", NULL);
      KymoSpan whole = exchanges->run->span;

      test (&(Part) { exchanges, KYMO_SPAN_ALL, NULL });
      test (&(Part) { exchanges, KYMO_SPAN_ALL, some });
      for (guint i = 0; i < N_RANGES; i++)
        {
          gint64 begin_ns = g_rand_double (rand) * whole.end_ns;
          gint64 end_ns = begin_ns + g_rand_double (rand) * (whole.end_ns - begin_ns);

          test (&(Part) { exchanges, { begin_ns, MAX (end_ns, begin_ns + 1) },
                          i % 2 == 0 ? NULL : some });
        }
    }
}

/* -- communication ----------------------------------------------------------- */

static gint64
cell_of (KymoTable  *matrix,
         gint64      from,
         gint64      to,
         const char *column)
{
  for (guint i = 0; i < kymo_table_get_n_rows (matrix); i++)
    if (kymo_table_get_int (matrix, "from", i) == from
        && kymo_table_get_int (matrix, "to", i) == to)
      return kymo_table_get_int (matrix, column, i);
  return 0;
}

static void
check_cells (const Part *part,
             KymoTable  *matrix)
{
  const GArray *receives = part->exchanges->receives;

  for (gint64 from = 0; from < 6; from++)
    for (gint64 to = 0; to < 6; to++)
      {
        gint64 messages = 0, bytes = 0;

        for (guint i = 0; i < receives->len; i++)
          if (is_asked (part, end_at (receives, i)) && end_at (receives, i)->partner == from
              && end_at (receives, i)->rank == to)
            {
              messages++;
              bytes += end_at (receives, i)->bytes;
            }
        g_assert_cmpint (cell_of (matrix, from, to, "messages"), ==, messages);
        g_assert_cmpint (cell_of (matrix, from, to, "bytes"), ==, bytes);
      }
}

static void
check_sent (const Part *part,
            KymoTable  *table)
{
  const GArray *sends = part->exchanges->sends;

  for (guint row = 0; row < kymo_table_get_n_rows (table); row++)
    {
      gint64 records = 0, bytes = 0;

      for (guint i = 0; i < sends->len; i++)
        if (is_asked (part, end_at (sends, i))
            && end_at (sends, i)->location == kymo_table_get_int (table, "location", row))
          {
            records++;
            bytes += end_at (sends, i)->bytes;
          }
      g_assert_cmpint (kymo_table_get_int (table, "records", row), ==, records);
      g_assert_cmpint (kymo_table_get_int (table, "destinations", row), ==, records);
      g_assert_cmpint (kymo_table_get_int (table, "bytes", row), ==, bytes);
    }
}

static void
check_communication (const Part *part)
{
  g_autoptr (KymoTable) answer = ASK (part, "communication");
  const GArray *receives = part->exchanges->receives;
  gint64 messages = 0, matched = 0, bytes = 0;

  for (guint i = 0; i < receives->len; i++)
    if (is_asked (part, end_at (receives, i)))
      {
        messages++;
        matched += end_at (receives, i)->other >= 0;
        bytes += end_at (receives, i)->bytes;
      }
  g_assert_cmpint (kymo_table_get_int (answer, "messages", 0), ==, messages);
  g_assert_cmpint (kymo_table_get_int (answer, "matched", 0), ==, matched);
  g_assert_cmpint (kymo_table_get_int (answer, "unmatched", 0), ==, messages - matched);
  g_assert_cmpint (kymo_table_get_int (answer, "bytes", 0), ==, bytes);
  g_assert_cmpstr (kymo_table_get_string (answer, "row_term", 0), ==, "rank");
  check_cells (part, kymo_table_peek_nested (answer, "matrix", NULL));
  check_sent (part, kymo_table_peek_nested (answer, "sent", NULL));
}

static void
test_communication (void)
{
  for_each_part (check_communication);
}

/* -- messages ---------------------------------------------------------------- */

static void
check_message (const Part *part,
               KymoTable  *table,
               guint       row)
{
  const Exchanges *exchanges = part->exchanges;
  guint n = 0;

  for (guint i = 0; i < exchanges->receives->len; i++)
    {
      const ExchangesEnd *receive = end_at (exchanges->receives, i);
      const ExchangesEnd *send = receive->other >= 0 ? end_at (exchanges->sends, receive->other)
        : NULL;

      if (kymo_table_get_int (table, "to_location", row) != receive->location
          || kymo_table_get_int (table, "begin_ns", row) != receive->time_ns)
        continue;
      n++;
      g_assert_true (is_asked (part, receive));
      g_assert_cmpint (kymo_table_get_int (table, "from", row), ==, receive->partner);
      g_assert_cmpint (kymo_table_get_int (table, "to", row), ==, receive->rank);
      g_assert_cmpint (kymo_table_get_int (table, "bytes", row), ==, receive->bytes);
      g_assert_cmpint (kymo_table_get_int (table, "sent_ns", row), ==,
                       send != NULL ? send->time_ns : KYMO_NULL_INT);
      g_assert_cmpint (kymo_table_get_int (table, "from_location", row), ==,
                       send != NULL ? send->location : KYMO_NULL_INT);
      g_assert_cmpint (kymo_table_get_bool (table, "certain", row), ==, send != NULL);
      g_assert_cmpstr (kymo_table_get_string (table, "name", row), ==, "MPI_Recv()");
    }
  g_assert_cmpuint (n, ==, 1);
}

static void
check_messages (const Part *part)
{
  g_autoptr (KymoTable) answer = ASK (part, "messages", "limit", "100000");
  g_autoptr (KymoTable) grouped = ASK (part, "messages", "limit", "0");
  KymoTable *table = kymo_table_peek_nested (answer, "messages", NULL);
  KymoTable *groups = kymo_table_peek_nested (grouped, "groups", NULL);
  gint64 n = 0, n_grouped = 0;

  for (guint i = 0; i < part->exchanges->receives->len; i++)
    n += is_asked (part, end_at (part->exchanges->receives, i));
  g_assert_cmpint (kymo_table_get_int (answer, "count", 0), ==, n);
  g_assert_cmpuint (kymo_table_get_n_rows (table), ==, n);
  for (guint row = 0; row < n; row++)
    {
      check_message (part, table, row);
      if (row > 0)
        g_assert_cmpint (kymo_table_get_int (table, "begin_ns", row), >=,
                         kymo_table_get_int (table, "begin_ns", row - 1));
    }
  for (guint row = 0; groups != NULL && row < kymo_table_get_n_rows (groups); row++)
    n_grouped += kymo_table_get_int (groups, "count", row);
  g_assert_cmpint (n_grouped, ==, n);
}

/* Of one tag, and as large as the first message at least. */
static void
check_filter (const Part *part)
{
  gint64 least = end_at (part->exchanges->receives, 0)->bytes;
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, least);
  g_autoptr (KymoTable) tagged = ASK (part, "messages", "limit", "100000", "tag", "0");
  g_autoptr (KymoTable) large = ASK (part, "messages", "limit", "100000", "tag", "2",
                                     "least-bytes", text);
  gint64 n_tagged = 0, n_large = 0;

  for (guint i = 0; i < part->exchanges->receives->len; i++)
    {
      const ExchangesEnd *receive = end_at (part->exchanges->receives, i);

      n_tagged += is_asked (part, receive) && receive->tag == 0;
      n_large += is_asked (part, receive) && receive->tag == 2 && receive->bytes >= least;
    }
  g_assert_cmpint (kymo_table_get_int (tagged, "count", 0), ==, n_tagged);
  g_assert_cmpint (kymo_table_get_int (large, "count", 0), ==, n_large);
}

static void
test_messages (void)
{
  for_each_part (check_messages);
  for_each_part (check_filter);
}

/* -- sizes, extrema ------------------------------------------------------------ */

static void
check_sizes (const Part *part)
{
  g_autoptr (KymoTable) answer = ASK (part, "histogram", "of", "message-size", "scale", "log",
                                      "min", "8", "max", "65536", "bins", "13");
  KymoTable *total = kymo_table_peek_nested (answer, "total", NULL);
  const gint64 *edges = kymo_table_peek_ints (answer, "edges", NULL);
  const gint64 *bars = kymo_table_peek_ints (answer, "total", NULL);
  gint64 below = 0, above = 0, inside[13] = { 0 };

  g_assert_null (total);
  for (guint i = 0; i < part->exchanges->sends->len; i++)
    {
      const ExchangesEnd *send = end_at (part->exchanges->sends, i);

      if (!is_asked (part, send))
        continue;
      below += send->bytes < 8;
      above += send->bytes >= 65536;
      for (guint k = 0; k < 13; k++)
        inside[k] += send->bytes >= edges[k] && send->bytes < edges[k + 1];
    }
  g_assert_cmpint (kymo_table_get_int (answer, "below", 0), ==, below);
  g_assert_cmpint (kymo_table_get_int (answer, "above", 0), ==, above);
  g_assert_cmpmem (bars, sizeof inside, inside, sizeof inside);
}

static void
test_sizes (void)
{
  for_each_part (check_sizes);
}

static void
check_extremum (const Part   *part,
                const char   *by,
                const char   *key,
                const GArray *ends,
                gboolean      bytes)
{
  g_autoptr (KymoTable) answer = ASK (part, "extrema", "by", by, "count", "100", "stacked", "1");
  KymoTable *list = kymo_table_peek_nested (answer, "extrema", NULL);
  const guint *offsets;
  KymoTable *parts = kymo_table_peek_nested (list, "parts", &offsets);

  g_assert_cmpuint (kymo_table_get_n_rows (list), >, 0);
  for (guint row = 0; row < kymo_table_get_n_rows (list); row++)
    {
      gint64 sum = 0, of_parts = 0;

      for (guint i = 0; i < ends->len; i++)
        if (is_asked (part, end_at (ends, i))
            && end_at (ends, i)->location == kymo_table_get_int (list, "location", row))
          sum += bytes ? end_at (ends, i)->bytes : 1;
      g_assert_cmpint (kymo_table_get_int (list, key, row), ==, sum);
      for (guint k = offsets[row]; k < offsets[row + 1]; k++)
        of_parts += kymo_table_get_int (parts, "value", k);
      g_assert_cmpint (of_parts, ==, sum);
    }
}

static void
check_extrema (const Part *part)
{
  if (part->exchanges->run->locations->len < 2)
    return;
  check_extremum (part, "sent", "value", part->exchanges->sends, FALSE);
  check_extremum (part, "received", "value", part->exchanges->receives, FALSE);
  check_extremum (part, "bytes-sent", "value_bytes", part->exchanges->sends, TRUE);
  check_extremum (part, "bytes-received", "value_bytes", part->exchanges->receives, TRUE);
}

static void
test_extrema (void)
{
  for_each_part (check_extrema);
}

/* -- words --------------------------------------------------------------------- */

static void
check_details (const Exchanges    *exchanges,
               const ExchangesEnd *end,
               gboolean            sends)
{
  g_autofree char *location = g_strdup_printf ("%u", end->location);
  g_autofree char *time = g_strdup_printf ("%" G_GINT64_FORMAT, end->time_ns);
  Part whole = { exchanges, KYMO_SPAN_ALL, NULL };
  g_autoptr (KymoTable) answer = ASK (&whole, "details", "location", location, "time", time);
  KymoTable *messages = kymo_table_peek_nested (answer, "messages", NULL);
  KymoTable *lines = kymo_table_peek_nested (answer, "lines", NULL);
  const ExchangesEnd *other = end->other < 0 ? NULL
    : end_at (sends ? exchanges->receives : exchanges->sends, end->other);
  const char *line = kymo_table_get_string (lines, "line", kymo_table_get_n_rows (lines) - 1);

  g_assert_cmpstr (kymo_table_get_string (answer, "state", 0), ==, "function");
  g_assert_cmpuint (kymo_table_get_n_rows (messages), ==, 1);
  g_assert_cmpint (kymo_table_get_int (answer, "sent", 0), ==, sends);
  g_assert_cmpint (kymo_table_get_int (answer, "received", 0), ==, !sends);
  g_assert_cmpstr (kymo_table_get_string (messages, "direction", 0), ==,
                   sends ? "send" : "receive");
  g_assert_cmpint (kymo_table_get_int (messages, "rank", 0), ==, end->partner);
  g_assert_cmpint (kymo_table_get_int (messages, "tag", 0), ==, end->tag);
  g_assert_cmpint (kymo_table_get_int (messages, "bytes", 0), ==, end->bytes);
  g_assert_cmpint (kymo_table_get_int (messages, sends ? "sent_ns" : "received_ns", 0), ==,
                   end->time_ns);
  g_assert_cmpint (kymo_table_get_int (messages, sends ? "received_ns" : "sent_ns", 0), ==,
                   other != NULL ? other->time_ns : KYMO_NULL_INT);
  g_assert_cmpint (kymo_table_get_int (messages, "location", 0), ==,
                   other != NULL ? other->location : KYMO_NULL_INT);
  g_assert_true (g_str_has_prefix (line, sends ? "Sends " : "Receives "));
  g_assert_cmpint (strstr (line, "not recorded") != NULL, ==, other == NULL);
}

static void
test_details (void)
{
  g_autoptr (Exchanges) exchanges = exchanges_new (&stories[2]);

  for (guint i = 0; i < exchanges->sends->len; i++)
    check_details (exchanges, end_at (exchanges->sends, i), TRUE);
  for (guint i = 0; i < exchanges->receives->len; i++)
    check_details (exchanges, end_at (exchanges->receives, i), FALSE);
}

static void
test_events (void)
{
  g_autoptr (Exchanges) exchanges = exchanges_new (&stories[1]);
  Part whole = { exchanges, KYMO_SPAN_ALL, NULL };
  g_autoptr (KymoTable) answer = ASK (&whole, "events", "limit", "100000");
  KymoTable *events = kymo_table_peek_nested (answer, "events", NULL);
  guint n_calls = 0, n_sent = 0, n_received = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (events); i++)
    {
      const char *text = kymo_table_get_string (events, "text", i);

      n_calls += g_str_has_prefix (text, "calls ");
      n_sent += g_str_has_prefix (text, "sends ");
      n_received += g_str_has_prefix (text, "receives ");
    }
  g_assert_cmpuint (n_sent, ==, exchanges->sends->len);
  g_assert_cmpuint (n_received, ==, exchanges->receives->len);
  g_assert_cmpuint (n_calls, ==, n_sent + n_received + stories[1].n_messages
                    + stories[1].n_ranks);
}

/* -- clocks -------------------------------------------------------------------- */

static void
check_clocks (const Part *part)
{
  g_autoptr (KymoTable) answer = ASK (part, "clocks");
  KymoTable *pairs = kymo_table_peek_nested (answer, "pairs", NULL);
  const Exchanges *x = part->exchanges;

  for (guint row = 0; row < kymo_table_get_n_rows (pairs); row++)
    {
      gint64 least_ns = G_MAXINT64, n = 0, n_negative = 0;

      for (guint i = 0; i < x->receives->len; i++)
        {
          const ExchangesEnd *receive = end_at (x->receives, i);
          gint64 latency_ns = receive->other < 0 ? 0
            : receive->time_ns - end_at (x->sends, receive->other)->time_ns;

          if (receive->other < 0 || !is_asked (part, receive)
              || receive->partner != kymo_table_get_int (pairs, "from", row)
              || receive->rank != kymo_table_get_int (pairs, "to", row))
            continue;
          n++;
          n_negative += latency_ns < 0;
          least_ns = MIN (least_ns, latency_ns);
        }
      g_assert_cmpint (kymo_table_get_int (pairs, "messages", row), ==, n);
      g_assert_cmpint (kymo_table_get_int (pairs, "negative", row), ==, n_negative);
      g_assert_cmpint (kymo_table_get_int (pairs, "min_latency_ns", row), ==, least_ns);
    }
}

static void
test_clocks (void)
{
  for_each_part (check_clocks);
}

/* A clock that is behind is found, and put right: sends and receives move along. */
static void
test_clock_correction (void)
{
  static const ExchangesStory story = { 6, 6, 2, 400, 0, 300000 };
  g_autoptr (Exchanges) exchanges = exchanges_new (&story);
  KymoRun *run = exchanges->run;
  g_autoptr (GArray) pairs = kymo_clocks_measure (run, 2, NULL);
  guint n_processes, n_negative = 0;
  g_autofree gint64 *processes = kymo_run_dup_processes (run, &n_processes);
  g_autoptr (KymoClockEstimate) estimate = kymo_clocks_estimate (processes, n_processes, pairs,
                                                                 NULL);
  g_autoptr (GArray) after = NULL;

  for (guint i = 0; i < pairs->len; i++)
    n_negative += g_array_index (pairs, KymoClockPair, i).n_negative;
  g_assert_cmpuint (n_negative, >, 0);
  g_assert_true (estimate->consistent);
  g_assert_cmpuint (kymo_clocks_correct (run, estimate), >, 0);
  after = kymo_clocks_measure (run, 2, NULL);
  g_assert_cmpuint (after->len, ==, pairs->len);
  for (guint i = 0; i < after->len; i++)
    {
      g_assert_cmpint (g_array_index (after, KymoClockPair, i).n_negative, ==, 0);
      g_assert_cmpint (g_array_index (after, KymoClockPair, i).n_messages, ==,
                       g_array_index (pairs, KymoClockPair, i).n_messages);
    }
}

/* -- the critical path ---------------------------------------------------------- */

static gboolean
has_wait (const KymoWaits *waits,
          guint            location,
          guint            by,
          gint64           end_ns)
{
  const GArray *of = waits->of[location];

  for (guint i = 0; i < of->len; i++)
    {
      const KymoWait *wait = &g_array_index (of, KymoWait, i);

      if (wait->by == by && wait->begin_ns + wait->wait_ns == end_ns)
        return TRUE;
    }
  return FALSE;
}

/* Made by a question, so that nothing of them is made here. */
static const KymoWaits *
waits_of (const Exchanges *exchanges)
{
  Part whole = { exchanges, KYMO_SPAN_ALL, NULL };
  g_autoptr (KymoTable) answer = ASK (&whole, "waiting");
  KymoAsk ask = { .run = exchanges->run };

  return kymo_waits_peek (&ask, NULL);
}

static guint n_changes;

/* Steps touch; from one location to the next the path goes where a wait ends. */
static void
check_path (const Part *part)
{
  g_autoptr (KymoTable) answer = ASK (part, "critical-path", "limit", "1000000");
  KymoTable *steps = kymo_table_peek_nested (answer, "steps", NULL);
  const KymoWaits *waits = waits_of (part->exchanges);
  gint64 path_ns = kymo_table_get_int (answer, "path_ns", 0), sum = 0;
  guint n = kymo_table_get_n_rows (steps);

  for (guint i = 0; i < n; i++)
    {
      gint64 begin_ns = kymo_table_get_int (steps, "begin_ns", i);
      guint here = kymo_table_get_int (steps, "location", i);
      guint before = i > 0 ? kymo_table_get_int (steps, "location", i - 1) : here;

      sum += kymo_table_get_int (steps, "end_ns", i) - begin_ns;
      if (i > 0)
        g_assert_cmpint (kymo_table_get_int (steps, "end_ns", i - 1), ==, begin_ns);
      if (before != here)
        {
          g_assert_true (has_wait (waits, here, before, begin_ns));
          n_changes++;
        }
    }
  g_assert_cmpint (sum, ==, path_ns);
  g_assert_cmpint (kymo_table_get_int (answer, "message_ns", 0), ==, 0);
}

static void
test_path (void)
{
  n_changes = 0;
  for_each_part (check_path);
  g_assert_cmpuint (n_changes, >, 100);
}

static void
add_call (KymoSegmentBuilder *b,
          gint64              begin_ns,
          gint64              end_ns,
          guint               activity)
{
  kymo_segment_builder_touch (b, begin_ns);
  kymo_segment_builder_begin_block (b, begin_ns, activity, -1, -1, 0, NULL);
  if (activity == EXCHANGES_SEND)
    kymo_segment_builder_send_to (b, (begin_ns + end_ns) / 2, 8, 1, 0, 0);
  else if (activity == EXCHANGES_RECEIVE)
    kymo_segment_builder_receive (b, end_ns - 5, 8, 0, 0, 0);
  kymo_segment_builder_touch (b, end_ns);
  kymo_segment_builder_end_block (b, end_ns);
}

/* Rank 1 waits from 20 to 100 for what rank 0 begins to send there. */
static void
test_path_by_hand (void)
{
  static const ExchangesStory story = { 1, 2, 1, 0, 0, 0 };
  g_autoptr (Exchanges) exchanges = exchanges_new (&story);
  KymoSegmentBuilder *b[] = { kymo_segment_builder_new (0, EXCHANGES_N_FUNCTIONS),
                              kymo_segment_builder_new (1, EXCHANGES_N_FUNCTIONS) };
  Part whole = { exchanges, KYMO_SPAN_ALL, NULL };
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *steps;

  add_call (b[0], 0, 100, EXCHANGES_COMPUTE);
  add_call (b[0], 100, 110, EXCHANGES_SEND);
  add_call (b[0], 110, 150, EXCHANGES_COMPUTE);
  add_call (b[1], 0, 20, EXCHANGES_COMPUTE);
  add_call (b[1], 20, 120, EXCHANGES_RECEIVE);
  add_call (b[1], 120, 200, EXCHANGES_COMPUTE);
  g_array_set_size (exchanges->run->locations, 0);
  g_ptr_array_set_size (exchanges->run->segments, 0);
  for (guint i = 0; i < 2; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("rank %u", i), .process = i,
                                .place = -1, .kept = TRUE };
      KymoRepairs repairs;

      kymo_run_add_location (exchanges->run, &location,
                             kymo_segment_builder_seal (b[i], 1, FALSE, &repairs));
      kymo_segment_builder_free (b[i]);
    }
  kymo_run_match_exchanges (exchanges->run, 1, NULL);
  kymo_run_seal (exchanges->run);
  answer = ASK (&whole, "critical-path");
  steps = kymo_table_peek_nested (answer, "steps", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (steps), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      static const struct { guint location; gint64 begin_ns; const char *name; } expected[]
        = { { 0, 0, "compute" }, { 1, 100, "MPI_Recv()" }, { 1, 120, "compute" } };

      g_assert_cmpint (kymo_table_get_int (steps, "location", i), ==, expected[i].location);
      g_assert_cmpint (kymo_table_get_int (steps, "begin_ns", i), ==, expected[i].begin_ns);
      g_assert_cmpstr (kymo_table_get_string (steps, "name", i), ==, expected[i].name);
    }
  g_assert_cmpint (kymo_table_get_int (answer, "path_ns", 0), ==, 200);
}

/* -- any number of threads -------------------------------------------------------- */

static void
test_threads (void)
{
  static const ExchangesStory story = { 9, 6, 2, 7000, 1, 0 };
  static const struct { const char *kind; const char *keywords[5]; } kinds[] = {
    { "communication", { NULL } }, { "messages", { "limit", "100000", NULL } },
    { "messages", { "limit", "10", NULL } }, { "clocks", { NULL } },
    { "histogram", { "of", "message-size", NULL } }, { "info", { NULL } },
    { "extrema", { "by", "received", NULL } }, { "critical-path", { NULL } },
    { "clusters", { "with", "messages,bytes", NULL } },
  };
  g_autoptr (Exchanges) exchanges = exchanges_new (&story);
  Part whole = { exchanges, KYMO_SPAN_ALL, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (KymoTable) alone = ask_with (&whole, kinds[i].kind, kinds[i].keywords, 1);
      g_autoptr (KymoTable) many = ask_with (&whole, kinds[i].kind, kinds[i].keywords, 4);
      g_autoptr (GString) a = g_string_new (NULL), b = g_string_new (NULL);

      kymo_table_write_json (alone, a);
      kymo_table_write_json (many, b);
      g_assert_cmpstr (a->str, ==, b->str);
    }
}

/* -- info -------------------------------------------------------------------------- */

/* Capabilities, and what info counts. */
static void
test_info (void)
{
  g_autoptr (Exchanges) exchanges = exchanges_new (&stories[1]);
  Part whole = { exchanges, KYMO_SPAN_ALL, NULL };
  g_autoptr (KymoTable) answer = ASK (&whole, "info");
  guint can = kymo_capabilities_of (exchanges->run);

  g_assert_cmpuint (can & (KYMO_CAN_METRICS | KYMO_CAN_PATHS | KYMO_CAN_WAITS
                           | KYMO_CAN_MESSAGES), ==,
                    KYMO_CAN_METRICS | KYMO_CAN_PATHS | KYMO_CAN_WAITS | KYMO_CAN_MESSAGES);
  g_assert_cmpuint (can & (KYMO_CAN_USER_EVENTS | KYMO_CAN_STREAM), ==, 0);
  g_assert_cmpint (kymo_table_get_int (answer, "messages", 0), ==, exchanges->sends->len);
  g_assert_cmpint (kymo_table_get_int (answer, "received", 0), ==, exchanges->receives->len);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exchange-answers/communication", test_communication);
  g_test_add_func ("/exchange-answers/messages", test_messages);
  g_test_add_func ("/exchange-answers/sizes", test_sizes);
  g_test_add_func ("/exchange-answers/extrema", test_extrema);
  g_test_add_func ("/exchange-answers/details", test_details);
  g_test_add_func ("/exchange-answers/events", test_events);
  g_test_add_func ("/exchange-answers/clocks", test_clocks);
  g_test_add_func ("/exchange-answers/clock-correction", test_clock_correction);
  g_test_add_func ("/exchange-answers/path", test_path);
  g_test_add_func ("/exchange-answers/path-by-hand", test_path_by_hand);
  g_test_add_func ("/exchange-answers/threads", test_threads);
  g_test_add_func ("/exchange-answers/info", test_info);
  return g_test_run ();
}
