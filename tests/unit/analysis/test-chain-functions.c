/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains between ranks that wait for each other, in random runs: forward against a walk
 * back from every single nanosecond, that knows nothing but who waited for whom until
 * when. What is on a chain touches, goes over only where somebody waited, and comes back
 * to the stretch that it was asked for.
 */
#include "config.h"

#include "kymo-open.h"
#include "kymo-run-source.h"
#include "kymo-waits.h"
#include "program.h"

#define LENGTH_NS PROGRAM_LENGTH_NS

static KymoTable *
ask (KymoRun    *run,
     const char *kind,
     gint64      location,
     gint64      time_ns,
     KymoSpan    span,
     GError    **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);

  kymo_question_set_span (question, span);
  if (location >= 0)
    {
      kymo_question_set_int (question, "location", location);
      kymo_question_set_int (question, "at-ns", time_ns);
      kymo_question_set (question, "direction", "forward");
      kymo_question_set_int (question, "limit", 100000);
    }
  return kymo_source_ask (KYMO_SOURCE (source), question, NULL, error);
}

static KymoTable *
ask_way (KymoRun    *run,
         const char *direction,
         gint64      location,
         gint64      time_ns)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("chain");
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "at-ns", time_ns);
  kymo_question_set (question, "direction", direction);
  kymo_question_set_int (question, "limit", 1000000);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* By location and the moment at which they end: the waits. */
typedef struct
{
  KymoRun        *run;
  const KymoWait *ends[PROGRAM_MOST_RANKS][LENGTH_NS + 1];
} Waits;

static void
paint_waits (Waits   *waits,
             KymoRun *run)
{
  const KymoWaits *all;
  g_autoptr (KymoTable) answer = ask (run, "waiting", -1, 0, KYMO_SPAN_ALL, NULL);

  *waits = (Waits) { .run = run };
  all = kymo_waits_peek_made (run);
  g_assert_nonnull (all);
  for (guint r = 0; r < run->segments->len; r++)
    for (guint i = 0; i < all->of[r]->len; i++)
      {
        const KymoWait *wait = &g_array_index (all->of[r], KymoWait, i);

        g_assert_null (waits->ends[r][wait->begin_ns + wait->wait_ns]);
        waits->ends[r][wait->begin_ns + wait->wait_ns] = wait;
      }
}

typedef struct
{
  gint64 rank, begin_ns, end_ns;
} Stretch;

/* Whether the chain back from a moment comes through the stretch; but the run is known
   from a time on only. */
static gboolean
leads_through (const Waits   *waits,
               const Stretch *stretch,
               gint64         from_ns,
               gint64         rank,
               gint64         t)
{
  gboolean left[PROGRAM_MOST_RANKS] = { FALSE };

  while (t > from_ns)
    {
      const KymoWait *wait = waits->ends[rank][t];

      if (rank == stretch->rank && t > stretch->begin_ns && t <= stretch->end_ns)
        return TRUE;
      if (wait != NULL && wait->by != rank && !left[wait->by])
        {
          left[rank] = TRUE;
          rank = wait->by;
          continue;
        }
      t--;
      memset (left, 0, sizeof left);
    }
  return FALSE;
}

static gint64
last_end (const KymoSegment *segment,
          gint64             until_ns)
{
  gint64 end_ns = 0;

  for (guint i = 0; i < segment->n_blocks; i++)
    if (kymo_segment_block_begin (segment, i) < until_ns)
      end_ns = MAX (end_ns, kymo_segment_block_end (segment, i));
  return MIN (end_ns, until_ns);
}

typedef struct
{
  gint64 last_ns, caused, caused_ns;
} Forward;

/* Who waits for somebody else is not there for the stretch's sake until that comes. */
static void
look (const Waits   *waits,
      const Stretch *stretch,
      KymoSpan       span,
      Forward       *forward)
{
  *forward = (Forward) { stretch->end_ns, 0, 0 };
  for (guint r = 0; r < waits->run->segments->len; r++)
    {
      gint64 end_ns = last_end (waits->run->segments->pdata[r], span.end_ns);
      gint64 busy_ns = end_ns;

      for (gint64 t = span.end_ns; t > MAX (stretch->begin_ns, span.begin_ns); t--)
        {
          const KymoWait *wait = waits->ends[r][t];
          gboolean inside = r == stretch->rank && t <= stretch->end_ns;
          gboolean through = leads_through (waits, stretch, span.begin_ns, r, t);

          if (through && t <= busy_ns)
            forward->last_ns = MAX (forward->last_ns, t);
          if (wait == NULL || inside || wait->by == r)
            continue;
          if (through)
            {
              forward->caused++;
              forward->caused_ns += wait->wait_ns;
            }
          else
            busy_ns = wait->begin_ns;
        }
    }
}

static void
assert_chain (const Waits   *waits,
              const Stretch *stretch,
              KymoSpan       span,
              KymoTable     *answer)
{
  KymoTable *steps = kymo_table_peek_nested (answer, "steps", NULL);
  guint n = kymo_table_get_n_rows (steps);
  Forward forward;

  look (waits, stretch, span, &forward);
  g_assert_cmpstr (kymo_table_get_string (answer, "ended", 0), ==, "reached");
  g_assert_cmpint (kymo_table_get_int (answer, "caused", 0), ==, forward.caused);
  g_assert_cmpint (kymo_table_get_int (answer, "caused_ns", 0), ==, forward.caused_ns);
  g_assert_cmpint (kymo_table_get_int (steps, "end_ns", n - 1), ==, forward.last_ns);
  g_assert_cmpint (kymo_table_get_int (steps, "location", 0), ==, stretch->rank);
  g_assert_cmpint (kymo_table_get_int (steps, "begin_ns", 0), ==, stretch->begin_ns);
  g_assert_cmpint (kymo_table_get_int (steps, "end_ns", 0), <=, stretch->end_ns);
  for (guint i = 0; i + 1 < n; i++)
    g_assert_cmpint (kymo_table_get_int (steps, "end_ns", i), ==,
                     kymo_table_get_int (steps, "begin_ns", i + 1));
  /* Ticks at which it went over twice leave no step between: only the first one counts. */
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (kymo_table_get_string (steps, "kind", i), "message") == 0)
      {
        gint64 to = kymo_table_get_int (steps, "location", i);
        gint64 t = kymo_table_get_int (steps, "begin_ns", i);

        g_assert_cmpint (kymo_table_get_int (steps, "end_ns", i), ==, t);
        g_assert_nonnull (waits->ends[to][t]);
      }
}

static gint64
try_stretch (const Waits *waits,
             GRand       *random)
{
  guint rank = (guint) g_rand_int_range (random, 0, (gint) waits->run->segments->len);
  const KymoSegment *segment = waits->run->segments->pdata[rank];
  KymoSpan span = KYMO_SPAN_ALL, inside = { 0, LENGTH_NS };
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GError) error = NULL;
  Stretch stretch;
  gint64 at_ns;
  guint piece;

  if (g_rand_int_range (random, 0, 3) == 0)
    {
      inside.begin_ns = g_rand_int_range (random, 0, LENGTH_NS / 2);
      inside.end_ns = g_rand_int_range (random, LENGTH_NS / 2, LENGTH_NS);
      span = inside;
    }
  at_ns = g_rand_int_range (random, (gint) inside.begin_ns, (gint) inside.end_ns);
  answer = ask (waits->run, "chain", rank, at_ns, span, &error);
  piece = kymo_segment_find_piece (segment, at_ns);
  if (segment->piece_state[piece] < KYMO_STATE_ACTIVITY)
    {
      g_assert_null (answer);
      g_assert_nonnull (error);
      return 0;
    }
  g_assert_no_error (error);
  stretch = (Stretch) { rank, kymo_segment_piece_begin (segment, piece),
                        MIN (kymo_segment_piece_begin (segment, piece + 1), inside.end_ns) };
  assert_chain (waits, &stretch, inside, answer);
  return kymo_table_get_int (answer, "messages", 0);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (23);
  gint64 longest = 0;

  for (guint round = 0; round < 150; round++)
    {
      g_autoptr (KymoRun) run = program_random (random);
      Waits waits;

      paint_waits (&waits, run);
      for (guint i = 0; i < 12; i++)
        longest = MAX (longest, try_stretch (&waits, random));
    }
  g_assert_cmpint (longest, >, 4);
}

/* Rank 1 waits from 10 until rank 0 sends at 40, and goes on until 80; rank 2 waits for it
   from 30 to 60. What rank 0 did before it sent is what delayed both. */
static void
test_by_hand (void)
{
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL, after = NULL;
  KymoTable *steps;
  Program p;

  program_init (&p, 3);
  for (guint r = 0; r < 3; r++)
    program_begin (&p, r, 0, PROGRAM_MAIN);
  program_call (&p, 0, PROGRAM_SEND, 40, 45, 1, -1);
  program_call (&p, 1, PROGRAM_RECV, 10, 50, -1, 0);
  program_call (&p, 1, PROGRAM_SEND, 60, 65, 2, -1);
  program_call (&p, 2, PROGRAM_RECV, 30, 70, -1, 1);
  program_leave (&p, 0, 75);
  program_leave (&p, 1, 80);
  program_leave (&p, 2, 90);
  run = program_end (&p, 100);
  answer = ask (run, "chain", 0, 20, KYMO_SPAN_ALL, NULL);
  g_assert_cmpint (kymo_table_get_int (answer, "caused", 0), ==, 2);
  g_assert_cmpint (kymo_table_get_int (answer, "caused_ns", 0), ==, 60);
  g_assert_cmpint (kymo_table_get_int (answer, "messages", 0), ==, 2);
  g_assert_cmpint (kymo_table_get_int (answer, "total_ns", 0), ==, 90);
  steps = kymo_table_peek_nested (answer, "steps", NULL);
  g_assert_cmpint (kymo_table_get_int (steps, "location", kymo_table_get_n_rows (steps) - 1), ==,
                   2);
  /* What came behind the sending delayed nobody. */
  after = ask (run, "chain", 0, 50, KYMO_SPAN_ALL, NULL);
  g_assert_cmpint (kymo_table_get_int (after, "caused", 0), ==, 0);
  g_assert_cmpint (kymo_table_get_int (after, "total_ns", 0), ==, 30);
}

/* -- as recorded ----------------------------------------------------------- */

static const char *source_root;

/* Whether the chain back from the end of a forward one comes to where that began. */
static gboolean
comes_back (KymoRun   *run,
            KymoTable *forward)
{
  KymoTable *there = kymo_table_peek_nested (forward, "steps", NULL), *steps;
  guint last = kymo_table_get_n_rows (there) - 1;
  g_autoptr (KymoTable) back = ask_way (run, "back", kymo_table_get_int (there, "location", last),
                                        kymo_table_get_int (there, "end_ns", last) - 1);

  steps = kymo_table_peek_nested (back, "steps", NULL);
  for (guint i = 0; i < kymo_table_get_n_rows (steps); i++)
    if (kymo_table_get_int (steps, "location", i) == kymo_table_get_int (there, "location", 0)
        && kymo_table_get_int (steps, "begin_ns", i) < kymo_table_get_int (there, "end_ns", 0)
        && kymo_table_get_int (steps, "end_ns", i) >= kymo_table_get_int (there, "end_ns", 0))
      return TRUE;
  return FALSE;
}

static void
test_recorded (gconstpointer data)
{
  g_autofree char *path = g_build_filename (source_root, "tests", "data", data, NULL);
  g_autoptr (GError) error = NULL;
  KymoOpenOptions options = { .n_threads = 2, .no_cache = TRUE };
  g_autoptr (KymoRun) run = kymo_open_run (path, &options, NULL, &error);
  gint64 most = 0;

  g_assert_no_error (error);
  for (guint r = 0; r < run->segments->len; r++)
    {
      const KymoSegment *segment = run->segments->pdata[r];

      for (guint i = 3; i < segment->n_pieces; i += MAX (segment->n_pieces / 7, 1))
        {
          g_autoptr (KymoTable) answer = NULL;

          if (segment->piece_state[i] < KYMO_STATE_ACTIVITY)
            continue;
          answer = ask_way (run, "forward", kymo_run_peek_location (run, r)->id,
                            kymo_segment_piece_begin (segment, i));
          g_assert_cmpstr (kymo_table_get_string (answer, "ended", 0), ==, "reached");
          g_assert_true (comes_back (run, answer));
          most = MAX (most, kymo_table_get_int (answer, "caused", 0));
        }
    }
  g_assert_cmpint (most, >, 10);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  source_root = argv[1];
  g_test_add_data_func ("/chain-functions/stencil", "tau/trace-stencil-4", test_recorded);
  g_test_add_data_func ("/chain-functions/workers", "tau/trace-mw-8", test_recorded);
  g_test_add_data_func ("/chain-functions/together", "tau/trace-coll-4", test_recorded);
  g_test_add_func ("/chain-functions/by-hand", test_by_hand);
  g_test_add_func ("/chain-functions/random", test_random);
  return g_test_run ();
}
