/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time on an ideal network, and serialization and transfer that come from it: programs whose
 * ideal time is counted by hand, and random ones against a naive replay.
 */
#include "config.h"

#include <math.h>

#include "kymo-run-source.h"
#include "program.h"

#define NOT_YET (-1)

static KymoTable *
ask (KymoRun *run, KymoSpan span)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("profile");
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, span);
  kymo_question_set_int (question, "factors", 1);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* The factors multiply up, and none is above 1. */
static void
assert_factors (KymoTable *answer, gint64 ideal_ns, gint64 highest_ns, gint64 elapsed_ns)
{
  double serialization = kymo_table_get_double (answer, "serialization_efficiency", 0);
  double transfer = kymo_table_get_double (answer, "transfer_efficiency", 0);

  g_assert_cmpint (kymo_table_get_int (answer, "ideal_ns", 0), ==, ideal_ns);
  g_assert_cmpint (kymo_table_get_int (answer, "useful_max_ns", 0), ==, highest_ns);
  g_assert_cmpint (kymo_table_get_int (answer, "elapsed_ns", 0), ==, elapsed_ns);
  g_assert_cmpfloat_with_epsilon (serialization, (double) highest_ns / ideal_ns, 1e-12);
  g_assert_cmpfloat_with_epsilon (transfer, (double) ideal_ns / elapsed_ns, 1e-12);
  g_assert_cmpfloat_with_epsilon (
    serialization * transfer, kymo_table_get_double (answer, "communication_efficiency", 0), 1e-12);
  g_assert_cmpfloat_with_epsilon (
    serialization * transfer * kymo_table_get_double (answer, "load_balance", 0),
    kymo_table_get_double (answer, "parallel_efficiency", 0), 1e-12);
  g_assert_cmpfloat (serialization, <=, 1);
  g_assert_cmpfloat (transfer, <=, 1);
}

/* Rank 0 solves 60 ns and sends; rank 1 solves 20 ns, receives until 90 and solves 30 more. With
   an ideal network the message is there at 60, so rank 1 is done at 90 instead of 120. */
static void
test_message (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) whole = NULL, part = NULL;
  Program p;

  program_init (&p, 2);
  program_begin (&p, 0, 0, PROGRAM_SOLVE);
  program_leave (&p, 0, 60);
  program_call (&p, 0, PROGRAM_SEND, 60, 80, 1, -1);
  program_begin (&p, 1, 0, PROGRAM_SOLVE);
  program_leave (&p, 1, 20);
  program_call (&p, 1, PROGRAM_RECV, 20, 90, -1, 0);
  program_begin (&p, 1, 90, PROGRAM_SOLVE);
  program_leave (&p, 1, 120);
  run = program_end (&p, 120);
  whole = ask (run, KYMO_SPAN_ALL);
  assert_factors (whole, 90, 60, 120);
  /* What was sent before the range is there. */
  part = ask (run, (KymoSpan) { 70, 120 });
  assert_factors (part, 30, 30, 50);
}

/* Three ranks meet: they leave when the last has come, or the root. */
static void
check_together (KymoCollectiveKind kind, gint64 ideal_ns)
{
  static const gint64 before_ns[] = { 10, 40, 70 }, after_ns[] = { 50, 30, 5 };
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL;
  KymoCollectiveMember members[3];
  Program p;

  program_init (&p, 3);
  for (guint r = 0; r < 3; r++)
    {
      program_begin (&p, r, 0, PROGRAM_SOLVE);
      program_leave (&p, r, before_ns[r]);
      program_begin (&p, r, before_ns[r], PROGRAM_BARRIER);
      program_leave (&p, r, 100);
      program_begin (&p, r, 100, PROGRAM_SOLVE);
      program_leave (&p, r, 100 + after_ns[r]);
      members[r] = (KymoCollectiveMember) { r, before_ns[r], 100 };
    }
  run = program_end (&p, 150);
  run->collectives = kymo_collectives_new ();
  kymo_collectives_add (run->collectives, members, 3, PROGRAM_BARRIER, kind, 1);
  kymo_collectives_sort (run->collectives);
  answer = ask (run, KYMO_SPAN_ALL);
  assert_factors (answer, ideal_ns, 75, 150);
}

static void
test_together (void)
{
  check_together (KYMO_COLLECTIVE_BARRIER, 70 + 50);
  check_together (KYMO_COLLECTIVE_ALL_TO_ALL, 70 + 50);
  check_together (KYMO_COLLECTIVE_ONE_TO_ALL, 40 + 50);
  check_together (KYMO_COLLECTIVE_ALL_TO_ONE, 70 + 30);
  check_together (KYMO_COLLECTIVE_PREFIX, 75);
  check_together (KYMO_COLLECTIVE_OTHER, 75);
}

/* Each receives before it sends: no network makes that end. Threads of one process are no ranks. */
static void
test_unknown (void)
{
  for (guint pass = 0; pass < 2; pass++)
    {
      g_autoptr (KymoRun) run = NULL;
      g_autoptr (KymoTable) answer = NULL;
      Program p;

      program_init (&p, 2);
      for (guint r = 0; r < 2; r++)
        {
          program_begin (&p, r, 0, PROGRAM_SOLVE);
          program_leave (&p, r, 10);
          program_call (&p, r, PROGRAM_RECV, 10, 20, -1, pass == 0 ? (gint) (1 - r) : -1);
          program_call (&p, r, PROGRAM_SEND, 25, 30, 1 - (gint) r, -1);
        }
      if (pass == 1)
        p.process[1] = 0;
      run = program_end (&p, 40);
      answer = ask (run, KYMO_SPAN_ALL);
      g_assert_cmpint (kymo_table_get_int (answer, "ideal_ns", 0), ==, KYMO_NULL_INT);
      g_assert_true (isnan (kymo_table_get_double (answer, "serialization_efficiency", 0)));
      g_assert_true (isnan (kymo_table_get_double (answer, "transfer_efficiency", 0)));
      g_assert_false (isnan (kymo_table_get_double (answer, "communication_efficiency", 0)));
    }
}

/* -- the naive replay --------------------------------------------------------- */

typedef struct
{
  gint64 time_ns, clock_ns;
  guint  kind;                  /* send, come, receive, leave: in this order at the same time */
  guint  rank, number, member;
} Step;

enum { SEND, COME, RECEIVE, LEAVE };

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const Step *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void
add_step (GArray *steps, KymoSpan span, Step step)
{
  step.clock_ns = NOT_YET;
  if (step.time_ns >= span.begin_ns && step.time_ns < span.end_ns)
    g_array_append_val (steps, step);
}

static GArray *
list_steps (KymoRun *run, KymoSpan span)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (Step));

  for (guint r = 0; r < run->segments->len; r++)
    {
      const KymoSegment *segment = run->segments->pdata[r];

      for (guint i = 0; segment->exchange != NULL && i < segment->exchange->n_sends; i++)
        add_step (steps, span, (Step) { kymo_segment_send_time (segment, i), 0, SEND, r, i, 0 });
      for (guint i = 0; segment->exchange != NULL && i < segment->exchange->n_receives; i++)
        add_step (steps, span,
                  (Step) { kymo_segment_receive_time (segment, i), 0, RECEIVE, r, i, 0 });
    }
  for (guint c = 0; c < run->collectives->list->len; c++)
    {
      const KymoCollective *one = &g_array_index (run->collectives->list, KymoCollective, c);

      for (guint m = 0; m < one->n_members; m++)
        {
          const KymoCollectiveMember *member = kymo_collective_member (run->collectives, one, m);

          add_step (steps, span, (Step) { member->begin_ns, 0, COME, member->location, c, m });
          add_step (steps, span, (Step) { member->end_ns, 0, LEAVE, member->location, c, m });
        }
    }
  g_array_sort (steps, compare_steps);
  return steps;
}

/* The clock of a step of somebody else; 0 if the range has none. */
static gint64
clock_of (GArray *steps, guint kind, guint rank, guint number)
{
  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);

      if (step->kind == kind && step->rank == rank && step->number == number)
        return step->clock_ns;
    }
  return 0;
}

/* The latest of those whom the step waits for; NOT_YET if one has not come. */
static gint64
needed (KymoRun *run, GArray *steps, const Step *step)
{
  const KymoSegment *segment = run->segments->pdata[step->rank];
  const KymoCollective *one;
  gint64 latest_ns = 0;

  if (step->kind == RECEIVE)
    {
      guint from = segment->exchange->receive_location[step->number];

      return from == KYMO_UNMATCHED ? 0
        : clock_of (steps, SEND, from, segment->exchange->receive_send[step->number]);
    }
  if (step->kind != LEAVE)
    return 0;
  one = &g_array_index (run->collectives->list, KymoCollective, step->number);
  for (guint m = 0; m < one->n_members; m++)
    {
      guint other = kymo_collective_member (run->collectives, one, m)->location;
      gboolean wants = FALSE;
      gint64 came_ns;

      switch (one->kind)
        {
        case KYMO_COLLECTIVE_BARRIER:
        case KYMO_COLLECTIVE_ALL_TO_ALL: wants = TRUE; break;
        case KYMO_COLLECTIVE_ONE_TO_ALL: wants = other == (guint) one->root; break;
        case KYMO_COLLECTIVE_ALL_TO_ONE: wants = step->rank == (guint) one->root; break;
        case KYMO_COLLECTIVE_PREFIX: wants = m <= step->member; break;
        default: break;
        }
      if (!wants)
        continue;
      came_ns = clock_of (steps, COME, other, step->number);
      if (came_ns == NOT_YET)
        return NOT_YET;
      latest_ns = MAX (latest_ns, came_ns);
    }
  return latest_ns;
}

static gint64
solved (KymoRun *run, guint rank, gint64 begin_ns, gint64 end_ns)
{
  const KymoSegment *segment = run->segments->pdata[rank];
  gint64 ns = 0;

  for (gint64 t = begin_ns; t < MIN (end_ns, segment->span.end_ns); t++)
    {
      guint32 state = segment->piece_state[kymo_segment_find_piece (segment, t)];

      ns += state == KYMO_STATE_ACTIVITY + PROGRAM_MAIN
        || state == KYMO_STATE_ACTIVITY + PROGRAM_SOLVE;
    }
  return ns;
}

/* Round after round over all steps, as long as any can be done. */
static gint64
replay (KymoRun *run, KymoSpan span)
{
  g_autoptr (GArray) steps = list_steps (run, span);
  gboolean more = TRUE;
  gint64 end_ns = 0;

  while (more)
    {
      more = FALSE;
      for (guint i = 0; i < steps->len; i++)
        {
          Step *step = &g_array_index (steps, Step, i);
          gboolean first = i == 0 || step[-1].rank != step->rank;
          gint64 there_ns;

          if (step->clock_ns != NOT_YET || (!first && step[-1].clock_ns == NOT_YET)
              || (there_ns = needed (run, steps, step)) == NOT_YET)
            continue;
          step->clock_ns = MAX (there_ns, (first ? 0 : step[-1].clock_ns)
                                + solved (run, step->rank,
                                          first ? span.begin_ns : step[-1].time_ns, step->time_ns));
          more = TRUE;
        }
    }
  for (guint r = 0; r < run->segments->len; r++)
    {
      gint64 clock_ns = 0, time_ns = span.begin_ns;

      for (guint i = 0; i < steps->len; i++)
        {
          const Step *step = &g_array_index (steps, Step, i);

          if (step->clock_ns == NOT_YET)
            return NOT_YET;
          if (step->rank == r)
            {
              clock_ns = step->clock_ns;
              time_ns = step->time_ns;
            }
        }
      end_ns = MAX (end_ns, clock_ns + solved (run, r, time_ns, span.end_ns));
    }
  return end_ns;
}

/* -- at random ---------------------------------------------------------------- */

static void
check_spans (GRand *random, KymoRun *run, guint *n_known)
{
  for (guint i = 0; i < 5; i++)
    {
      gint64 from = g_rand_int_range (random, 0, (gint) run->span.end_ns - 10);
      gint64 length_ns = g_rand_int_range (random, 1, (gint) (run->span.end_ns - from));
      KymoSpan span = i == 0 ? run->span : (KymoSpan) { from, from + length_ns };
      gint64 expected_ns = replay (run, span);
      g_autoptr (KymoTable) answer = ask (run, span);
      gint64 highest_ns = kymo_table_get_int (answer, "useful_max_ns", 0);
      gint64 elapsed_ns = kymo_table_get_int (answer, "elapsed_ns", 0);

      if (expected_ns == NOT_YET)
        g_assert_cmpint (kymo_table_get_int (answer, "ideal_ns", 0), ==, KYMO_NULL_INT);
      else if (highest_ns > 0)
        {
          assert_factors (answer, CLAMP (expected_ns, highest_ns, elapsed_ns), highest_ns,
                          elapsed_ns);
          *n_known += expected_ns > highest_ns;
        }
    }
}

/* Calls and messages in any order: mostly they contradict each other. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (23);
  guint n_known = 0;

  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (KymoRun) run = program_random (random);

      check_spans (random, run, &n_known);
    }
  g_assert_cmpuint (n_known, >, 10);
}

static gint64
solve (GRand *random, Program *p, guint rank, gint64 from_ns)
{
  gint64 end_ns = from_ns + g_rand_int_range (random, 1, 40);

  program_begin (p, rank, from_ns, PROGRAM_SOLVE);
  program_leave (p, rank, end_ns);
  return end_ns + g_rand_int_range (random, 1, 4);
}

/* All ranks, or all but the last: nobody leaves before all have come. */
static void
meet (GRand *random, Program *p, guint n, gint64 *now_ns)
{
  KymoCollectiveMember members[PROGRAM_MOST_RANKS];
  gint64 end_ns = 0;

  for (guint r = 0; r < n; r++)
    end_ns = MAX (end_ns, now_ns[r]);
  end_ns += g_rand_int_range (random, 1, 9);
  for (guint r = 0; r < n; r++)
    {
      members[r] = (KymoCollectiveMember) { r, now_ns[r], end_ns };
      program_begin (p, r, now_ns[r], PROGRAM_BARRIER);
      program_leave (p, r, end_ns);
      now_ns[r] = end_ns + 1;
    }
  kymo_collectives_add (p->run->collectives, members, n, PROGRAM_BARRIER,
                        (KymoCollectiveKind) g_rand_int_range (random, 0, 6),
                        g_rand_int_range (random, 0, (gint) n));
}

/* A program that could have run: messages arrive after they were sent. */
static KymoRun *
make_possible (GRand *random)
{
  gint64 now_ns[PROGRAM_MOST_RANKS] = { 0 }, end_ns = 0;
  KymoRun *run;
  Program p;

  program_init (&p, (guint) g_rand_int_range (random, 2, 6));
  p.run->collectives = kymo_collectives_new ();
  for (guint step = 0; step < 30; step++)
    {
      guint a = (guint) g_rand_int_range (random, 0, (gint) p.n);
      guint b = (a + (guint) g_rand_int_range (random, 1, (gint) p.n)) % p.n;
      gint64 arrived_ns;

      if (step % 10 == 9)
        meet (random, &p, p.n - (p.n > 2 && step == 19), now_ns);
      now_ns[a] = solve (random, &p, a, now_ns[a]);
      arrived_ns = MAX (now_ns[a], now_ns[b]);
      arrived_ns += g_rand_int_range (random, 1, 30);
      program_call (&p, a, PROGRAM_SEND, now_ns[a], now_ns[a] + 2, (gint) b, -1);
      program_call (&p, b, PROGRAM_RECV, now_ns[b], arrived_ns, -1, (gint) a);
      now_ns[a] += 3;
      now_ns[b] = arrived_ns + 1;
    }
  for (guint r = 0; r < p.n; r++)
    end_ns = MAX (end_ns, now_ns[r]);
  kymo_collectives_sort (p.run->collectives);
  run = program_end (&p, end_ns);
  return run;
}

static void
test_possible (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  guint n_known = 0;

  for (guint round = 0; round < 150; round++)
    {
      g_autoptr (KymoRun) run = make_possible (random);
      gint64 ideal_ns = replay (run, run->span);

      g_assert_cmpint (ideal_ns, !=, NOT_YET);
      g_assert_cmpint (ideal_ns, <=, kymo_span_length (run->span));
      check_spans (random, run, &n_known);
    }
  g_assert_cmpuint (n_known, >, 150);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ideal-network/message", test_message);
  g_test_add_func ("/ideal-network/together", test_together);
  g_test_add_func ("/ideal-network/unknown", test_unknown);
  g_test_add_func ("/ideal-network/random", test_random);
  g_test_add_func ("/ideal-network/possible", test_possible);
  return g_test_run ();
}
