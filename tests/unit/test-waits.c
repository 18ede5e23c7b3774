/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who waited for whom: small programs whose waiting is known, and random runs
 * against a painting of single nanoseconds.
 */
#include "config.h"

#include <math.h>

#include "kymo-error.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"
#include "kymo-waits.h"

enum { MAIN, SEND, RECV, ISEND, WAITALL, BARRIER, OMP, SOLVE, N_FUNCTIONS };

static const struct { const char *name; KymoRole role; } functions[N_FUNCTIONS] = {
  { "main", KYMO_ROLE_COMPUTE }, { "MPI_Send()", KYMO_ROLE_COMMUNICATION },
  { "MPI_Recv()", KYMO_ROLE_COMMUNICATION }, { "MPI_Isend()", KYMO_ROLE_COMMUNICATION },
  { "MPI_Waitall()", KYMO_ROLE_WAIT }, { "MPI_Barrier()", KYMO_ROLE_SYNCHRONIZATION },
  { "!$omp barrier @solve.c:12", KYMO_ROLE_SYNCHRONIZATION }, { "solve", KYMO_ROLE_COMPUTE },
};

/* A run in the making: a builder a location. */
typedef struct
{
  KymoRun            *run;
  KymoSegmentBuilder *builder[8];
  gint64              process[8];
  guint               n;
} Program;

static void
program_init (Program *p,
              guint    n)
{
  *p = (Program) { kymo_run_new (), .n = n };
  p->run->format = g_strdup ("hand");
  p->run->terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  for (guint i = 0; i < N_FUNCTIONS; i++)
    {
      kymo_run_add_activity (p->run, KYMO_ACTIVITY_FUNCTION, i, functions[i].name, NULL, NULL);
      g_array_index (p->run->activities, KymoActivity, i).role = functions[i].role;
    }
  for (guint i = 0; i < n; i++)
    {
      p->builder[i] = kymo_segment_builder_new (i, N_FUNCTIONS);
      p->process[i] = i;
      kymo_segment_builder_touch (p->builder[i], 0);
    }
}

static void
begin (Program *p,
       guint    rank,
       gint64   time_ns,
       guint32  function)
{
  kymo_segment_builder_begin_block (p->builder[rank], time_ns, function, 0, -1, 0, NULL);
}

static void
end (Program *p,
     guint    rank,
     gint64   time_ns)
{
  kymo_segment_builder_end_block (p->builder[rank], time_ns);
}

/* A call of one message, at the middle of it. */
static void
call (Program *p,
      guint    rank,
      guint32  function,
      gint64   begin_ns,
      gint64   end_ns,
      gint     send_to,
      gint     receive_from)
{
  begin (p, rank, begin_ns, function);
  if (send_to >= 0)
    kymo_segment_builder_send_to (p->builder[rank], begin_ns, 8, send_to, 1, 0);
  if (receive_from >= 0)
    kymo_segment_builder_receive (p->builder[rank], end_ns, 8, receive_from, 1, 0);
  end (p, rank, end_ns);
}

static KymoRun *
program_end (Program *p,
             gint64   end_ns)
{
  for (guint i = 0; i < p->n; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("rank %u", i),
                                .process = p->process[i], .kept = TRUE };
      KymoRepairs repairs;

      kymo_segment_builder_close_all (p->builder[i], end_ns);
      kymo_segment_builder_touch (p->builder[i], end_ns);
      kymo_run_add_location (p->run, &location,
                             kymo_segment_builder_seal (p->builder[i], 1, FALSE, &repairs));
      kymo_segment_builder_free (p->builder[i]);
    }
  kymo_run_match_exchanges (p->run, 1, NULL);
  kymo_run_seal (p->run);
  return p->run;
}

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
  begin (&p, 0, 0, MAIN);
  call (&p, 0, RECV, 40, 110, -1, 1);
  begin (&p, 1, 0, SOLVE);
  call (&p, 1, SEND, 100, 105, 0, -1);
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
  call (&p, 0, SEND, 10, 60, 1, -1);
  call (&p, 0, SEND, 70, 75, 1, -1);
  call (&p, 0, ISEND, 80, 130, 1, -1);
  call (&p, 1, RECV, 50, 62, -1, 0);
  call (&p, 1, RECV, 90, 95, -1, 0);
  call (&p, 1, RECV, 120, 132, -1, 0);
  run = program_end (&p, 140);
  answer = ask_with (run, KYMO_SPAN_ALL, 1, NULL, NULL);
  assert_total (answer, 40, 1);
  assert_worst (answer, 0, KYMO_WAIT_LATE_RECEIVER, 0, 40, 1);
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
  begin (&p, 0, 10, WAITALL);
  kymo_segment_builder_receive (p.builder[0], 90, 8, 1, 1, 0);
  kymo_segment_builder_receive (p.builder[0], 90, 8, 2, 1, 0);
  end (&p, 0, 90);
  call (&p, 0, SOLVE, 100, 200, -1, 1);
  call (&p, 1, SEND, 30, 35, 0, -1);
  call (&p, 1, SEND, 180, 185, 0, -1);
  call (&p, 2, SEND, 80, 85, 0, -1);
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
  KymoCollective one = { BARRIER, kind, root, 0, 3, 1, { 10, 70 }, -1, -1 };
  Program p;

  program_init (&p, 3);
  p.run->collectives = kymo_collectives_new ();
  g_array_append_val (p.run->collectives->list, one);
  for (guint i = 0; i < 3; i++)
    {
      KymoCollectiveMember member = { i, comes[i], 70 };

      call (&p, i, BARRIER, comes[i], 70, -1, -1);
      g_array_append_val (p.run->collectives->members, member);
    }
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

/* Of whom nobody knows the root, and what is made together without waiting. */
static void
test_no_rule (void)
{
  g_autoptr (KymoRun) rootless = meet (KYMO_COLLECTIVE_ONE_TO_ALL, -1);
  g_autoptr (KymoRun) free = meet (KYMO_COLLECTIVE_OTHER, -1);
  g_autoptr (KymoTable) first = ask_with (rootless, KYMO_SPAN_ALL, 1, NULL, NULL);
  g_autoptr (KymoTable) second = ask_with (free, KYMO_SPAN_ALL, 1, NULL, NULL);

  assert_total (first, 0, 0);
  g_assert_cmpint (kymo_table_get_int (first, "collectives_without_root", 0), ==, 1);
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
  call (&p, 0, OMP, 10, 42, -1, -1);
  call (&p, 0, OMP, 44, 91, -1, -1);
  call (&p, 1, OMP, 40, 46, -1, -1);
  call (&p, 1, OMP, 90, 92, -1, -1);
  call (&p, 2, OMP, 20, 30, -1, -1);
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

/* -- random runs ----------------------------------------------------------- */

#define LENGTH_NS 400

/* Blocks one in another, and messages in them, until the time is up. */
static void
wander (GRand   *random,
        Program *p,
        guint    rank)
{
  guint depth = 0;

  for (gint64 t = 1; t < LENGTH_NS; t += g_rand_int_range (random, 0, 7))
    switch (g_rand_int_range (random, 0, 6))
      {
      case 0:
      case 1:
        if (depth < 4)
          {
            begin (p, rank, t, (guint32) g_rand_int_range (random, 0, N_FUNCTIONS));
            depth++;
          }
        break;
      case 2:
        if (depth > 0)
          {
            end (p, rank, t);
            depth--;
          }
        break;
      case 3:
        kymo_segment_builder_send_to (p->builder[rank], t, 8,
                                      g_rand_int_range (random, 0, (gint) p->n),
                                      g_rand_int_range (random, 0, 2), 0);
        break;
      case 4:
        kymo_segment_builder_receive (p->builder[rank], t, 8,
                                      g_rand_int_range (random, 0, (gint) p->n),
                                      g_rand_int_range (random, 0, 2), 0);
        break;
      default:
        break;
      }
}

/* The k-th MPI_Barrier() of each rank is made one collective, of any kind. */
static void
make_collectives (GRand   *random,
                  KymoRun *run)
{
  run->collectives = kymo_collectives_new ();
  for (guint k = 0; k < 20; k++)
    {
      KymoCollective one = { BARRIER, (guint32) g_rand_int_range (random, 0, 6), -1,
                             run->collectives->members->len };

      for (guint r = 0; r < run->segments->len; r++)
        {
          const KymoSegment *segment = run->segments->pdata[r];
          guint seen = 0;

          for (guint i = 0; i < segment->n_blocks; i++)
            if (segment->block_activity[i] == BARRIER && seen++ == k)
              {
                KymoCollectiveMember member = { r, kymo_segment_block_begin (segment, i),
                                                kymo_segment_block_end (segment, i) };

                g_array_append_val (run->collectives->members, member);
                one.n_members++;
              }
        }
      if (one.n_members == 0)
        continue;
      one.root = (gint32) g_array_index (run->collectives->members, KymoCollectiveMember,
                                         one.first + (guint) g_rand_int_range (
                                           random, 0, (gint) one.n_members)).location;
      g_array_append_val (run->collectives->list, one);
    }
}

/* What a call waits for at most, as the rules say. */
typedef struct
{
  gint64 ns;
  guint  kind, by;
} Best;

static gboolean
is_call (const KymoSegment *segment,
         guint32            block)
{
  return block != KYMO_NO_BLOCK
    && functions[segment->block_activity[block]].role != KYMO_ROLE_COMPUTE;
}

static void
better (Best   *best,
        gint64  ns,
        guint   kind,
        guint   by)
{
  if (ns > best->ns || (ns == best->ns && ns > 0
                        && (kind < best->kind || (kind == best->kind && by < best->by))))
    *best = (Best) { ns, kind, by };
}

static void
paint_messages (KymoRun *run,
                guint    rank,
                Best    *best)
{
  const KymoSegment *here = run->segments->pdata[rank];
  const KymoExchange *x = here->exchange;

  for (guint i = 0; x != NULL && i < x->n_receives; i++)
    if (x->receive_location[i] != KYMO_UNMATCHED && is_call (here, x->receive_block[i]))
      {
        const KymoSegment *there = run->segments->pdata[x->receive_location[i]];
        guint32 block = there->exchange->send_block[x->receive_send[i]];
        gint64 came = is_call (there, block) ? kymo_segment_block_begin (there, block)
          : kymo_segment_send_time (there, x->receive_send[i]);

        came = MIN (came, kymo_segment_receive_time (here, i));
        better (&best[x->receive_block[i]],
                came - kymo_segment_block_begin (here, x->receive_block[i]),
                KYMO_WAIT_LATE_SENDER, x->receive_location[i]);
      }
  for (guint i = 0; x != NULL && i < x->n_sends; i++)
    if (x->send_location[i] != KYMO_UNMATCHED && is_call (here, x->send_block[i])
        && here->block_activity[x->send_block[i]] != ISEND)
      {
        const KymoSegment *there = run->segments->pdata[x->send_location[i]];
        guint32 block = there->exchange->receive_block[x->send_receive[i]];
        gint64 came = is_call (there, block) ? kymo_segment_block_begin (there, block)
          : kymo_segment_receive_time (there, x->send_receive[i]);

        if (came < kymo_segment_block_end (here, x->send_block[i]))
          better (&best[x->send_block[i]],
                  came - kymo_segment_block_begin (here, x->send_block[i]),
                  KYMO_WAIT_LATE_RECEIVER, x->send_location[i]);
      }
}

static gboolean
waits_for (const KymoCollective       *one,
           const KymoCollectiveMember *me,
           const KymoCollectiveMember *other)
{
  switch (one->kind)
    {
    case KYMO_COLLECTIVE_BARRIER:
    case KYMO_COLLECTIVE_ALL_TO_ALL:
      return TRUE;
    case KYMO_COLLECTIVE_ONE_TO_ALL:
      return other->location == (guint32) one->root;
    case KYMO_COLLECTIVE_ALL_TO_ONE:
      return me->location == (guint32) one->root && other != me;
    case KYMO_COLLECTIVE_PREFIX:
      return other->location <= me->location;
    default:
      return FALSE;
    }
}

static guint32
block_of (const KymoSegment          *segment,
          const KymoCollectiveMember *member)
{
  for (guint i = segment->n_blocks; i-- > 0;)
    if (kymo_segment_block_begin (segment, i) <= member->begin_ns
        && kymo_segment_block_end (segment, i) >= member->end_ns)
      return i;
  g_assert_not_reached ();
}

static void
paint_collectives (KymoRun *run,
                   Best   **best)
{
  static const guint kinds[] = { KYMO_WAIT_BARRIER, KYMO_WAIT_LATE_ROOT, KYMO_WAIT_EARLY_ROOT,
                                 KYMO_WAIT_ALL_TO_ALL, KYMO_WAIT_PREFIX, 0 };
  const KymoCollectives *all = run->collectives;

  for (guint c = 0; c < all->list->len; c++)
    {
      const KymoCollective *one = &g_array_index (all->list, KymoCollective, c);
      const KymoCollectiveMember *m = &g_array_index (all->members, KymoCollectiveMember,
                                                      one->first);

      for (guint i = 0; one->n_members > 1 && i < one->n_members; i++)
        for (guint k = 0; k < one->n_members; k++)
          if (waits_for (one, &m[i], &m[k]))
            {
              const KymoSegment *segment = run->segments->pdata[m[i].location];

              gint64 last = 0;

              /* Who came last of those that are waited for. */
              for (guint j = 0; j < one->n_members; j++)
                if (waits_for (one, &m[i], &m[j]))
                  last = MAX (last, m[j].begin_ns);
              if (m[k].begin_ns == last)
                {
                  better (&best[m[i].location][block_of (segment, &m[i])],
                          MIN (last, m[i].end_ns) - m[i].begin_ns, kinds[one->kind],
                          m[k].location);
                  break;
                }
            }
    }
}

typedef struct
{
  gint64 kinds[KYMO_N_WAIT_KINDS];
  gint64 functions[N_FUNCTIONS];
  gint64 locations[8];
  gint64 caused[8];
} Painted;

/* Each nanosecond belongs to the first call that waits in it. */
static void
paint (const KymoSegment *segment,
       const Best        *best,
       KymoSpan           span,
       Painted           *painted)
{
  gboolean taken[LENGTH_NS + 1] = { FALSE };

  for (guint i = 0; i < segment->n_blocks; i++)
    for (gint64 t = kymo_segment_block_begin (segment, i);
         t < kymo_segment_block_begin (segment, i) + best[i].ns; t++)
      {
        if (!taken[t] && t >= span.begin_ns && t < span.end_ns)
          {
            painted->kinds[best[i].kind]++;
            painted->functions[segment->block_activity[i]]++;
            painted->locations[segment->location]++;
            painted->caused[best[i].by]++;
          }
        taken[t] = TRUE;
      }
}

static void
assert_painted (KymoTable     *answer,
                const Painted *painted,
                guint          n)
{
  KymoTable *kinds = kymo_table_peek_nested (answer, "kinds", NULL);
  KymoTable *names = kymo_table_peek_nested (answer, "functions", NULL);
  KymoTable *locations = kymo_table_peek_nested (answer, "locations", NULL);
  KymoTable *paths = kymo_table_peek_nested (answer, "paths", NULL);
  gint64 functions_ns = 0, paths_ns = 0, painted_ns = 0;

  for (guint i = 0; i < KYMO_N_WAIT_KINDS; i++)
    {
      g_assert_cmpint (kymo_table_get_int (kinds, "ns", i), ==, painted->kinds[i]);
      painted_ns += painted->kinds[i];
    }
  for (guint i = 0; i < kymo_table_get_n_rows (names); i++)
    {
      g_assert_cmpint (kymo_table_get_int (names, "ns", i), ==,
                       painted->functions[kymo_table_get_int (names, "id", i)]);
      functions_ns += kymo_table_get_int (names, "ns", i);
    }
  for (guint i = 0; i < kymo_table_get_n_rows (paths); i++)
    paths_ns += kymo_table_get_int (paths, "ns", i);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (kymo_table_get_int (locations, "ns", i), ==, painted->locations[i]);
      g_assert_cmpint (kymo_table_get_int (locations, "caused_ns", i), ==, painted->caused[i]);
    }
  g_assert_cmpint (kymo_table_get_int (answer, "total_ns", 0), ==, painted_ns);
  g_assert_cmpint (functions_ns, ==, painted_ns);
  g_assert_cmpint (paths_ns, ==, painted_ns);
}

/* Those of threads are left out: each rank is a process of its own. */
static void
compare_random (GRand   *random,
                KymoRun *run)
{
  guint n = run->segments->len;
  Best *best[8] = { NULL };

  for (guint r = 0; r < n; r++)
    {
      best[r] = g_new0 (Best, ((KymoSegment *) run->segments->pdata[r])->n_blocks + 1);
      paint_messages (run, r, best[r]);
    }
  paint_collectives (run, best);
  for (guint round = 0; round < 4; round++)
    {
      gint64 from = round == 0 ? 0 : g_rand_int_range (random, 0, LENGTH_NS);
      KymoSpan span = { from, round == 0 ? LENGTH_NS
                        : g_rand_int_range (random, (gint) from, LENGTH_NS) + 1 };
      g_autoptr (KymoTable) one = ask_with (run, span, 1, NULL, NULL);
      g_autoptr (KymoTable) many = ask_with (run, span, 3, NULL, NULL);
      Painted painted = { 0 };

      for (guint r = 0; r < n; r++)
        paint (run->segments->pdata[r], best[r], span, &painted);
      assert_painted (one, &painted, n);
      assert_painted (many, &painted, n);
    }
  for (guint r = 0; r < n; r++)
    g_free (best[r]);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  gint64 total_ns = 0;

  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (KymoRun) run = NULL;
      g_autoptr (KymoTable) answer = NULL;
      Program p;

      program_init (&p, (guint) g_rand_int_range (random, 2, 6));
      for (guint r = 0; r < p.n; r++)
        wander (random, &p, r);
      run = program_end (&p, LENGTH_NS);
      make_collectives (random, run);
      compare_random (random, run);
      answer = ask_with (run, KYMO_SPAN_ALL, 1, NULL, NULL);
      total_ns += kymo_table_get_int (answer, "total_ns", 0);
    }
  /* The runs are such that there is something to compare. */
  g_assert_cmpint (total_ns, >, 300 * LENGTH_NS / 4);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/waits/late-sender", test_late_sender);
  g_test_add_func ("/waits/late-receiver", test_late_receiver);
  g_test_add_func ("/waits/last-of-several", test_last_of_several);
  g_test_add_func ("/waits/collectives", test_collectives);
  g_test_add_func ("/waits/no-rule", test_no_rule);
  g_test_add_func ("/waits/threads", test_threads);
  g_test_add_func ("/waits/wrong-questions", test_wrong_questions);
  g_test_add_func ("/waits/random", test_random);
  return g_test_run ();
}
