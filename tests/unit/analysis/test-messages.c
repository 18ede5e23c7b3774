/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages under way in a range, singly and in groups, and those of a block, in a random
 * run of a fixed seed: against sums over the single messages that the plain question
 * tells (test-messages-filter.c has what a filter leaves of them).
 */
#include "config.h"

#include "answer-of-run.h"
#include "kymo-run-source.h"
#include "random-messages.h"

#define ALL "1000000"

static KymoTable *
ask_plain (KymoRun *run)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("messages");

  kymo_question_set (question, "limit", ALL);
  return answer_of_run (run, question, 1);
}

static KymoTable *
ask_crossing (KymoRun    *run,
              KymoSpan    span,
              const char *limit,
              guint       columns,
              guint       rows,
              guint       n_threads)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("messages");

  kymo_question_set_span (question, span);
  kymo_question_set (question, "limit", limit);
  kymo_question_set (question, "crossing", "1");
  kymo_question_set_resolution (question, columns, rows);
  return answer_of_run (run, question, n_threads);
}

/* -- brute force ----------------------------------------------------------- */

static gboolean
is_under_way (gint64   sent_ns,
              gint64   begin_ns,
              KymoSpan span)
{
  if (sent_ns == KYMO_NULL_INT)
    sent_ns = begin_ns;
  return MIN (sent_ns, begin_ns) < span.end_ns && MAX (sent_ns, begin_ns) >= span.begin_ns;
}

/* What a group of the answer should hold. */
typedef struct
{
  gint64 count, bytes, early, least_ns, most_ns, latency_ns, sent_ns;
} Sums;

static gboolean
is_in_group (KymoTable *plain,
             guint      i,
             KymoTable *groups,
             guint      row,
             gint64     stretch_ns,
             KymoSpan   span)
{
  const char *kind = kymo_table_get_string (groups, "kind", row);
  gint64 sent_ns = kymo_table_get_int (plain, "sent_ns", i);
  gint64 begin_ns = kymo_table_get_int (plain, "begin_ns", i);
  gint64 first_ns = kymo_table_get_int (groups, "first_ns", row);
  gint64 to = kymo_table_get_int (plain, "to", i), from = kymo_table_get_int (plain, "from", i);
  gboolean known = sent_ns != KYMO_NULL_INT;
  gint64 time_ns = known ? sent_ns : begin_ns;
  const char *mine = !known ? "unmatched"
    : kymo_table_get_bool (plain, "certain", i) ? "matched" : "uncertain";

  if (!is_under_way (sent_ns, begin_ns, span) || g_strcmp0 (kind, mine) != 0
      || to < kymo_table_get_int (groups, "to", row)
      || to > kymo_table_get_int (groups, "to_last", row))
    return FALSE;
  if (known && (from < kymo_table_get_int (groups, "from", row)
                || from > kymo_table_get_int (groups, "from_last", row)))
    return FALSE;
  if (time_ns < span.begin_ns || first_ns < span.begin_ns)
    return time_ns < span.begin_ns && first_ns < span.begin_ns;
  if (time_ns >= span.end_ns || first_ns >= span.end_ns)
    return time_ns >= span.end_ns && first_ns >= span.end_ns;
  return time_ns / stretch_ns == first_ns / stretch_ns;
}

static Sums
sum_up (KymoTable *plain,
        KymoTable *groups,
        guint      row,
        gint64     stretch_ns,
        KymoSpan   span)
{
  Sums sums = { .least_ns = G_MAXINT64, .most_ns = G_MININT64 };

  for (guint i = 0; i < kymo_table_get_n_rows (plain); i++)
    {
      gint64 latency_ns = kymo_table_get_int (plain, "latency_ns", i);

      if (!is_in_group (plain, i, groups, row, stretch_ns, span))
        continue;
      sums.count++;
      sums.bytes += kymo_table_get_int (plain, "bytes", i);
      if (latency_ns == KYMO_NULL_INT)
        continue;
      sums.early += latency_ns < 0;
      sums.least_ns = MIN (sums.least_ns, latency_ns);
      sums.most_ns = MAX (sums.most_ns, latency_ns);
      sums.latency_ns += latency_ns;
      sums.sent_ns += kymo_table_get_int (plain, "sent_ns", i);
    }
  return sums;
}

static void
check_group (KymoTable *groups,
             guint      row,
             Sums       sums)
{
  g_assert_cmpint (kymo_table_get_int (groups, "count", row), ==, sums.count);
  g_assert_cmpint (kymo_table_get_int (groups, "bytes", row), ==, sums.bytes);
  g_assert_cmpint (kymo_table_get_int (groups, "early", row), ==, sums.early);
  if (g_strcmp0 (kymo_table_get_string (groups, "kind", row), "unmatched") == 0)
    return;
  g_assert_cmpint (kymo_table_get_int (groups, "min_latency_ns", row), ==, sums.least_ns);
  g_assert_cmpint (kymo_table_get_int (groups, "max_latency_ns", row), ==, sums.most_ns);
  g_assert_cmpint (kymo_table_get_int (groups, "mean_latency_ns", row), ==,
                   sums.latency_ns / sums.count);
  g_assert_cmpint (kymo_table_get_int (groups, "sent_ns", row), ==, sums.sent_ns / sums.count);
}

static gint64
count_under_way (KymoTable *plain,
                 KymoSpan   span)
{
  gint64 n = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (plain); i++)
    n += is_under_way (kymo_table_get_int (plain, "sent_ns", i),
                       kymo_table_get_int (plain, "begin_ns", i), span);
  return n;
}

static void
check_span (KymoRun   *run,
            KymoTable *plain,
            KymoSpan   span,
            guint      columns,
            guint      rows,
            guint      n_threads)
{
  g_autoptr (KymoTable) answer = ask_crossing (run, span, "0", columns, rows, n_threads);
  g_autoptr (KymoTable) singles = ask_crossing (run, span, ALL, columns, rows, n_threads);
  KymoTable *groups = kymo_table_peek_nested (answer, "groups", NULL);
  KymoTable *list = kymo_table_peek_nested (singles, "messages", NULL);
  gint64 n = 0, expected = count_under_way (plain, span);

  g_assert_nonnull (groups);
  for (guint row = 0; row < kymo_table_get_n_rows (groups); row++)
    {
      if (g_strcmp0 (kymo_table_get_string (groups, "kind", row), "open") == 0)
        continue;
      check_group (groups, row, sum_up (plain, groups, row,
                                        kymo_table_get_int (answer, "stretch_ns", 0), span));
      n += kymo_table_get_int (groups, "count", row);
    }
  g_assert_cmpint (n, ==, expected);
  g_assert_cmpint (kymo_table_get_int (answer, "count", 0), ==, expected);
  g_assert_cmpint (kymo_table_get_n_rows (list), ==,
                   expected + kymo_table_get_int (singles, "open", 0));
}

static void
test_groups (void)
{
  g_autoptr (KymoRun) run = random_messages ();
  g_autoptr (KymoTable) plain = ask_plain (run);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  KymoTable *list = kymo_table_peek_nested (plain, "messages", NULL);
  gint64 end_ns = run->span.end_ns;

  for (guint i = 0; i < 12; i++)
    {
      gint64 a = g_rand_int_range (rand, 0, (gint32) end_ns);
      gint64 b = g_rand_int_range (rand, 0, (gint32) end_ns);

      if (a != b)
        check_span (run, list, (KymoSpan) { MIN (a, b), MAX (a, b) },
                    (guint) g_rand_int_range (rand, 1, 20),
                    (guint) g_rand_int_range (rand, 1, 12), 1 + i % 3);
    }
}

/* Of the whole run the same messages as in the plain list, and no others. */
static void
test_whole (void)
{
  g_autoptr (KymoRun) run = random_messages ();
  g_autoptr (KymoTable) plain = ask_plain (run);
  g_autoptr (KymoTable) all = ask_crossing (run, run->span, ALL, 4, 4, 2);
  g_autoptr (KymoTable) groups = ask_crossing (run, run->span, "0", 4, 4, 2);
  KymoTable *a = kymo_table_peek_nested (plain, "messages", NULL);
  KymoTable *b = kymo_table_peek_nested (all, "messages", NULL);
  guint n = 0;

  g_assert_cmpint (kymo_table_get_int (all, "count", 0), ==,
                   kymo_table_get_int (plain, "count", 0));
  g_assert_cmpint (kymo_table_get_int (groups, "stretch_ns", 0), <=, run->span.end_ns);
  g_assert_cmpint (kymo_table_get_int (all, "early", 0), >, 0);
  g_assert_cmpint (kymo_table_get_int (all, "unmatched", 0), >, 0);
  g_assert_cmpint (kymo_table_get_int (all, "uncertain", 0), >, 0);
  for (guint i = 0; i < kymo_table_get_n_rows (b); i++)
    if (g_strcmp0 (kymo_table_get_string (b, "kind", i), "open") != 0)
      {
        g_assert_cmpint (kymo_table_get_int (a, "begin_ns", n), ==,
                         kymo_table_get_int (b, "begin_ns", i));
        g_assert_cmpint (kymo_table_get_int (a, "sent_ns", n), ==,
                         kymo_table_get_int (b, "sent_ns", i));
        g_assert_cmpint (kymo_table_get_int (a, "to", n++), ==, kymo_table_get_int (b, "to", i));
      }
  g_assert_cmpuint (n, ==, kymo_table_get_n_rows (a));
}

/* What all blocks caused together is all that was sent, each once. */
static void
test_blocks (void)
{
  g_autoptr (KymoRun) run = random_messages ();
  g_autoptr (KymoTable) all = ask_crossing (run, run->span, ALL, 4, 4, 2);
  gint64 arrived = 0, open = 0, started = 0;

  for (guint location = 0; location < MESSAGES_N_LOCATIONS; location++)
    for (guint i = 0; i < MESSAGES_N_BLOCKS; i++)
      {
        const KymoSegment *segment = run->segments->pdata[location];
        g_autoptr (KymoQuestion) question = kymo_question_new ("messages");
        g_autoptr (KymoTable) answer = NULL;
        KymoTable *caused;

        kymo_question_set_int (question, "location", location);
        kymo_question_set_int (question, "time", kymo_segment_block_begin (segment, i));
        answer = answer_of_run (run, question, 1);
        caused = kymo_table_peek_nested (answer, "caused", NULL);
        arrived += kymo_table_get_int (answer, "count", 0);
        open += kymo_table_get_int (answer, "open", 0);
        started += kymo_table_get_int (answer, "causes", 0);
        for (guint k = 0; k < kymo_table_get_n_rows (caused); k++)
          {
            gint64 sent_ns = kymo_table_get_int (caused, "sent_ns", k);

            g_assert_cmpint (kymo_table_get_int (caused, "from_location", k), ==, location);
            g_assert_cmpint (sent_ns, >=, kymo_segment_block_begin (segment, i));
            g_assert_cmpint (sent_ns, <=, kymo_segment_block_end (segment, i));
          }
      }
  g_assert_cmpint (arrived, ==, kymo_table_get_int (all, "matched", 0)
                   + kymo_table_get_int (all, "uncertain", 0));
  g_assert_cmpint (open, ==, kymo_table_get_int (all, "open", 0));
  g_assert_cmpint (started, >=, kymo_table_get_int (all, "count", 0));
}

static void
test_refused (void)
{
  g_autoptr (KymoRun) run = random_messages ();
  static const struct { const char *key, *value; } wrong[] =
    { { "location", "99" }, { "limit", "-1" }, { "group", "0" }, { "location", "x" },
      { "least-bytes", "x" }, { "tag", "3" } };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new ("messages");
      g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
      g_autoptr (GError) error = NULL;

      kymo_question_set (question, wrong[i].key, wrong[i].value);
      g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error));
      g_assert_nonnull (error);
    }
}

/* A trace of functions whose messages have no records: none of them has the tag. */
static void
test_no_tags (void)
{
  g_autoptr (KymoRun) run = random_messages ();
  g_autoptr (KymoQuestion) question = kymo_question_new ("messages");
  g_autoptr (KymoTable) answer = NULL;

  run->terms.code = KYMO_CODE_FUNCTION;
  kymo_question_set (question, "tag", "3");
  answer = answer_of_run (run, question, 1);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (answer, "messages", NULL)),
                    ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/messages/groups", test_groups);
  g_test_add_func ("/messages/whole", test_whole);
  g_test_add_func ("/messages/blocks", test_blocks);
  g_test_add_func ("/messages/refused", test_refused);
  g_test_add_func ("/messages/no-tags", test_no_tags);
  return g_test_run ();
}
