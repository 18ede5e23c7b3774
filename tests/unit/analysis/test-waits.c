/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who waited for whom: small programs whose waiting is known.
 */
#include "config.h"

#include "kymo-error.h"
#include "kymo-run-source.h"
#include "kymo-waits.h"
#include "program.h"

static KymoTable *
ask_with (KymoRun    *run,
          KymoSpan    span,
          guint       n_threads,
          const char *key,
          const char *value)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("waiting");
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, n_threads);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, span);
  if (key != NULL)
    kymo_question_set (question, key, value);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static void
assert_worst (KymoTable    *answer,
              guint         row,
              KymoWaitKind  kind,
              gint64        location,
              gint64        wait_ns,
              gint64        by)
{
  KymoTable *worst = kymo_table_peek_nested (answer, "worst", NULL);

  g_assert_cmpuint (row, <, kymo_table_get_n_rows (worst));
  g_assert_cmpstr (kymo_table_get_string (worst, "kind", row), ==,
                   kymo_wait_kind_to_string (kind));
  g_assert_cmpint (kymo_table_get_int (worst, "location", row), ==, location);
  g_assert_cmpint (kymo_table_get_int (worst, "wait_ns", row), ==, wait_ns);
  g_assert_cmpint (kymo_table_get_int (worst, "by", row), ==, by);
}

static void
assert_total (KymoTable *answer,
              gint64     ns,
              gint64     count)
{
  g_assert_cmpint (kymo_table_get_int (answer, "total_ns", 0), ==, ns);
  g_assert_cmpint (kymo_table_get_int (answer, "count", 0), ==, count);
}

/* Rank 0 receives from 40 to 110; rank 1 solves until 100 and sends then. */
static void
test_late_sender (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL, part = NULL, other = NULL;
  KymoTable *worst;
  Program p;

  program_init (&p, 2);
  program_begin (&p, 0, 0, PROGRAM_MAIN);
  program_call (&p, 0, PROGRAM_RECV, 40, 110, -1, 1);
  program_begin (&p, 1, 0, PROGRAM_SOLVE);
  program_call (&p, 1, PROGRAM_SEND, 100, 105, 0, -1);
  run = program_end (&p, 120);
  answer = ask_with (run, KYMO_SPAN_ALL, 1, NULL, NULL);
  assert_total (answer, 60, 1);
  assert_worst (answer, 0, KYMO_WAIT_LATE_SENDER, 0, 60, 1);
  worst = kymo_table_peek_nested (answer, "worst", NULL);
  g_assert_cmpint (kymo_table_get_int (worst, "begin_ns", 0), ==, 40);
  g_assert_cmpint (kymo_table_get_int (worst, "end_ns", 0), ==, 110);
  g_assert_cmpint (kymo_table_get_int (worst, "by_begin_ns", 0), ==, 100);
  g_assert_cmpstr (kymo_table_get_string (worst, "by_did", 0), ==, "solve");
  g_assert_cmpstr (kymo_table_get_string (kymo_table_peek_nested (answer, "paths", NULL), "path",
                                          0), ==, "main => MPI_Recv()");
  part = ask_with (run, (KymoSpan) { 50, 70 }, 1, NULL, NULL);
  assert_total (part, 20, 0);
  other = ask_with (run, KYMO_SPAN_ALL, 1, "kind", "late-receiver");
  assert_total (other, 0, 0);
}

/* The send of rank 0 returns only when rank 1 receives; the next one is over
   before, and MPI_Isend() waits for nobody. */
static void
test_late_receiver (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL;
  Program p;

  program_init (&p, 2);
  program_call (&p, 0, PROGRAM_SEND, 10, 60, 1, -1);
  program_call (&p, 0, PROGRAM_SEND, 70, 75, 1, -1);
  program_call (&p, 0, PROGRAM_ISEND, 80, 130, 1, -1);
  program_call (&p, 1, PROGRAM_RECV, 50, 62, -1, 0);
  program_call (&p, 1, PROGRAM_RECV, 90, 95, -1, 0);
  program_call (&p, 1, PROGRAM_RECV, 120, 132, -1, 0);
  run = program_end (&p, 140);
  answer = ask_with (run, KYMO_SPAN_ALL, 1, NULL, NULL);
  assert_total (answer, 40, 1);
  assert_worst (answer, 0, KYMO_WAIT_LATE_RECEIVER, 0, 40, 1);
}

/* Rank 1 waits at 50 for what it posted nobody knows when: it is not late. */
static void
test_posted_receive (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL;
  Program p;

  program_init (&p, 2);
  program_call (&p, 0, PROGRAM_SEND, 10, 60, 1, -1);
  program_call (&p, 1, PROGRAM_WAITALL, 50, 62, -1, 0);
  run = program_end (&p, 140);
  answer = ask_with (run, KYMO_SPAN_ALL, 1, NULL, NULL);
  assert_total (answer, 0, 0);
}

/* The last of its messages is what MPI_Waitall() waited for; a receive in a
   function that is no communication is nobody's waiting. */
static void
test_last_of_several (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL;
  Program p;

  program_init (&p, 3);
  program_begin (&p, 0, 10, PROGRAM_WAITALL);
  kymo_segment_builder_receive (p.builder[0], 90, 8, 1, 1, 0);
  kymo_segment_builder_receive (p.builder[0], 90, 8, 2, 1, 0);
  program_leave (&p, 0, 90);
  program_call (&p, 0, PROGRAM_SOLVE, 100, 200, -1, 1);
  program_call (&p, 1, PROGRAM_SEND, 30, 35, 0, -1);
  program_call (&p, 1, PROGRAM_SEND, 180, 185, 0, -1);
  program_call (&p, 2, PROGRAM_SEND, 80, 85, 0, -1);
  run = program_end (&p, 220);
  answer = ask_with (run, KYMO_SPAN_ALL, 1, NULL, NULL);
  assert_total (answer, 70, 1);
  assert_worst (answer, 0, KYMO_WAIT_LATE_SENDER, 0, 70, 2);
}

/* Three ranks come at 10, 30 and 60 and leave at 70. */
static KymoRun *
meet (KymoCollectiveKind kind,
      gint32             root)
{
  static const gint64 comes[] = { 10, 60, 30 };
  KymoCollectiveMember members[3];
  Program p;

  program_init (&p, 3);
  p.run->collectives = kymo_collectives_new ();
  for (guint i = 0; i < 3; i++)
    {
      members[i] = (KymoCollectiveMember) { i, comes[i], 70 };
      program_call (&p, i, PROGRAM_BARRIER, comes[i], 70, -1, -1);
    }
  kymo_collectives_add (p.run->collectives, members, 3, PROGRAM_BARRIER, kind, root);
  return program_end (&p, 80);
}

static void
test_collectives (void)
{
  static const struct
  {
    KymoCollectiveKind kind;
    gint32             root;
    gint64             total_ns, count;
    KymoWaitKind       wait;
    gint64             worst, wait_ns, by;
  } cases[] = {
    { KYMO_COLLECTIVE_BARRIER, -1, 80, 2, KYMO_WAIT_BARRIER, 0, 50, 1 },
    { KYMO_COLLECTIVE_ALL_TO_ALL, -1, 80, 2, KYMO_WAIT_ALL_TO_ALL, 0, 50, 1 },
    { KYMO_COLLECTIVE_ONE_TO_ALL, 2, 20, 1, KYMO_WAIT_LATE_ROOT, 0, 20, 2 },
    { KYMO_COLLECTIVE_ALL_TO_ONE, 2, 30, 1, KYMO_WAIT_EARLY_ROOT, 2, 30, 1 },
    { KYMO_COLLECTIVE_PREFIX, -1, 30, 1, KYMO_WAIT_PREFIX, 2, 30, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KymoRun) run = meet (cases[i].kind, cases[i].root);
      g_autoptr (KymoTable) answer = ask_with (run, KYMO_SPAN_ALL, 1, NULL, NULL);

      assert_total (answer, cases[i].total_ns, cases[i].count);
      assert_worst (answer, 0, cases[i].wait, cases[i].worst, cases[i].wait_ns, cases[i].by);
    }
}

/* Of whom nobody knows the root, or whose root did not tell its call, and what is made together
   without waiting. */
static void
test_no_rule (void)
{
  g_autoptr (KymoRun) rootless = meet (KYMO_COLLECTIVE_ONE_TO_ALL, -1);
  g_autoptr (KymoRun) free = meet (KYMO_COLLECTIVE_OTHER, -1);
  g_autoptr (KymoRun) torn = meet (KYMO_COLLECTIVE_ONE_TO_ALL, 3);
  g_autoptr (KymoTable) first = ask_with (rootless, KYMO_SPAN_ALL, 1, NULL, NULL);
  g_autoptr (KymoTable) second = ask_with (free, KYMO_SPAN_ALL, 1, NULL, NULL);
  g_autoptr (KymoTable) third = ask_with (torn, KYMO_SPAN_ALL, 1, NULL, NULL);

  assert_total (first, 0, 0);
  g_assert_cmpint (kymo_table_get_int (first, "collectives_without_root", 0), ==, 1);
  assert_total (third, 0, 0);
  g_assert_cmpint (kymo_table_get_int (third, "collectives_without_root", 0), ==, 1);
  assert_total (second, 0, 0);
  g_assert_cmpint (kymo_table_get_int (second, "collectives_without_root", 0), ==, 0);
}

/* Two threads of one process meet twice; the second barrier of one begins while
   the other is still leaving the first. A thread of another process is alone. */
static void
test_threads (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL;
  Program p;

  program_init (&p, 3);
  p.process[1] = 0;
  program_call (&p, 0, PROGRAM_OMP, 10, 42, -1, -1);
  program_call (&p, 0, PROGRAM_OMP, 44, 91, -1, -1);
  program_call (&p, 1, PROGRAM_OMP, 40, 46, -1, -1);
  program_call (&p, 1, PROGRAM_OMP, 90, 92, -1, -1);
  program_call (&p, 2, PROGRAM_OMP, 20, 30, -1, -1);
  run = program_end (&p, 100);
  answer = ask_with (run, KYMO_SPAN_ALL, 1, NULL, NULL);
  assert_total (answer, 76, 2);
  assert_worst (answer, 0, KYMO_WAIT_THREAD_BARRIER, 0, 46, 1);
  assert_worst (answer, 1, KYMO_WAIT_THREAD_BARRIER, 0, 30, 1);
}

static void
test_wrong_questions (void)
{
  g_autoptr (KymoRun) run = meet (KYMO_COLLECTIVE_BARRIER, -1);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  static const char *const wrong[][2] =
    { { "kind", "no-such" }, { "limit", "-1" }, { "limit", "9999999999" } };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new ("waiting");
      g_autoptr (GError) error = NULL;

      kymo_question_set (question, wrong[i][0], wrong[i][1]);
      g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
    }
}

/* Of a run without the files of rank 0 the others keep their numbers, and their rows of the
   matrix. */
static void
test_missing_rank (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *matrix;
  Program p;

  program_init (&p, 2);
  program_call (&p, 0, PROGRAM_RECV, 40, 110, -1, 1);
  program_call (&p, 1, PROGRAM_SEND, 100, 105, 0, -1);
  run = program_end (&p, 120);
  for (guint i = 0; i < 2; i++)
    ((KymoLocation *) kymo_run_peek_location (run, i))->id = 2 - i;
  run->n_locations_original = 2;
  answer = ask_with (run, KYMO_SPAN_ALL, 1, NULL, NULL);
  matrix = kymo_table_peek_nested (answer, "matrix", NULL);
  g_assert_cmpint (kymo_table_get_int (matrix, "location", 0), ==, 2);
  g_assert_cmpint (kymo_table_get_int (matrix, "by", 0), ==, 1);
  g_assert_cmpint (kymo_table_get_int (answer, "all_locations", 0), ==, 3);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/waits/late-sender", test_late_sender);
  g_test_add_func ("/waits/late-receiver", test_late_receiver);
  g_test_add_func ("/waits/posted-receive", test_posted_receive);
  g_test_add_func ("/waits/last-of-several", test_last_of_several);
  g_test_add_func ("/waits/collectives", test_collectives);
  g_test_add_func ("/waits/no-rule", test_no_rule);
  g_test_add_func ("/waits/threads", test_threads);
  g_test_add_func ("/waits/missing-rank", test_missing_rank);
  g_test_add_func ("/waits/wrong-questions", test_wrong_questions);
  return g_test_run ();
}
