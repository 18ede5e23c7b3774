/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of messages one by one: what details, events, clocks and the critical path tell of
 * them, against a count of the records.
 */
#include "config.h"

#include "exchange-parts.h"
#include "kymo-clocks.h"
#include "kymo-segment-builder.h"
#include "kymo-waits.h"

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
  g_autoptr (Exchanges) exchanges = exchanges_new (&exchange_stories[2]);

  for (guint i = 0; i < exchanges->sends->len; i++)
    check_details (exchanges, end_at (exchanges->sends, i), TRUE);
  for (guint i = 0; i < exchanges->receives->len; i++)
    check_details (exchanges, end_at (exchanges->receives, i), FALSE);
}

static void
test_events (void)
{
  g_autoptr (Exchanges) exchanges = exchanges_new (&exchange_stories[1]);
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
  g_assert_cmpuint (n_calls, ==, n_sent + n_received + exchange_stories[1].n_messages
                    + exchange_stories[1].n_ranks);
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

          if (receive->other < 0 || !part_has (part, receive)
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

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exchange-records/details", test_details);
  g_test_add_func ("/exchange-records/events", test_events);
  g_test_add_func ("/exchange-records/clocks", test_clocks);
  g_test_add_func ("/exchange-records/clock-correction", test_clock_correction);
  g_test_add_func ("/exchange-records/path", test_path);
  g_test_add_func ("/exchange-records/path-by-hand", test_path_by_hand);
  return g_test_run ();
}
