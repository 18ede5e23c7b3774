/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who waited for whom in random runs, against a painting of single nanoseconds.
 */
#include "config.h"

#include "kymo-run-source.h"
#include "kymo-waits.h"
#include "program.h"

static KymoTable *
ask (KymoRun    *run,
     const char *kind,
     KymoSpan    span,
     guint       n_threads,
     const char *key,
     const char *value)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
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

static KymoTable *
ask_with (KymoRun    *run,
          KymoSpan    span,
          guint       n_threads,
          const char *key,
          const char *value)
{
  return ask (run, "waiting", span, n_threads, key, value);
}

#define LENGTH_NS PROGRAM_LENGTH_NS

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
    && segment->block_activity[block] != PROGRAM_MAIN
    && segment->block_activity[block] != PROGRAM_SOLVE;
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
        && here->block_activity[x->send_block[i]] != PROGRAM_ISEND)
      {
        const KymoSegment *there = run->segments->pdata[x->send_location[i]];
        guint32 block = there->exchange->receive_block[x->send_receive[i]];
        gboolean posted = block != KYMO_NO_BLOCK
          && there->block_activity[block] == PROGRAM_WAITALL;
        gint64 came = is_call (there, block) ? kymo_segment_block_begin (there, block)
          : kymo_segment_receive_time (there, x->send_receive[i]);

        if (!posted && came < kymo_segment_block_end (here, x->send_block[i]))
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
  gint64 functions[PROGRAM_N_FUNCTIONS];
  gint64 locations[PROGRAM_MOST_RANKS];
  gint64 caused[PROGRAM_MOST_RANKS];
  gint64 pairs[PROGRAM_MOST_RANKS][PROGRAM_MOST_RANKS]; /* who waited, who was late */
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
            painted->pairs[segment->location][best[i].by]++;
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
  KymoTable *matrix = kymo_table_peek_nested (answer, "matrix", NULL);
  gint64 functions_ns = 0, paths_ns = 0, pairs_ns = 0, painted_ns = 0;

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
  for (guint i = 0; i < kymo_table_get_n_rows (matrix); i++)
    {
      gint64 ns = kymo_table_get_int (matrix, "ns", i);

      g_assert_cmpint (ns, ==, painted->pairs[kymo_table_get_int (matrix, "location", i)]
                                             [kymo_table_get_int (matrix, "by", i)]);
      pairs_ns += ns;
    }
  g_assert_cmpint (pairs_ns, ==, painted_ns);
  g_assert_cmpint (kymo_table_get_int (answer, "total_ns", 0), ==, painted_ns);
  g_assert_cmpint (functions_ns, ==, painted_ns);
  g_assert_cmpint (paths_ns, ==, painted_ns);
}

/* The profile tells the same of each function, whether it waited or not. */
static void
assert_profile (KymoTable     *profile,
                const Painted *painted)
{
  KymoTable *list = kymo_table_peek_nested (profile, "activities", NULL);
  gint64 left_ns = 0;

  for (guint i = 0; i < PROGRAM_N_FUNCTIONS; i++)
    left_ns += painted->functions[i];
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      gint64 id = kymo_table_get_int (list, "id", i), ns = kymo_table_get_int (list, "wait_ns", i);

      g_assert_cmpint (ns, ==, id != KYMO_NULL_INT ? painted->functions[id] : 0);
      left_ns -= ns;
    }
  g_assert_cmpint (left_ns, ==, 0);
}

static KymoTable *
ask_timeline (KymoRun *run,
              guint    n_rows)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_resolution (question, LENGTH_NS, n_rows);
  kymo_question_set (question, "waits", "1");
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* With a column a nanosecond the timeline has what is painted. */
static void
assert_timeline (KymoRun *run,
                 Best   **best)
{
  g_autoptr (KymoTable) answer = ask_timeline (run, run->segments->len);
  KymoTable *waits = kymo_table_peek_nested (answer, "waits", NULL);
  gboolean shown[PROGRAM_MOST_RANKS][LENGTH_NS + 1] = { { FALSE } };

  g_assert_cmpint (kymo_table_get_int (answer, "columns", 0), ==, LENGTH_NS);
  for (guint i = 0; i < kymo_table_get_n_rows (waits); i++)
    for (gint64 x = kymo_table_get_int (waits, "x0", i);
         x < kymo_table_get_int (waits, "x1", i); x++)
      shown[kymo_table_get_int (waits, "row", i)][x] = TRUE;
  for (guint r = 0; r < run->segments->len; r++)
    {
      const KymoSegment *segment = run->segments->pdata[r];
      gboolean waiting[LENGTH_NS + 1] = { FALSE };

      for (guint i = 0; i < segment->n_blocks; i++)
        for (gint64 t = 0; t < best[r][i].ns; t++)
          waiting[kymo_segment_block_begin (segment, i) + t] = TRUE;
      g_assert_cmpmem (shown[r], sizeof shown[r], waiting, sizeof waiting);
    }
}

/* All ranks in one row: how many of them wait, in eighths. */
static void
assert_merged (KymoRun *run,
               Best   **best)
{
  g_autoptr (KymoTable) answer = ask_timeline (run, 1);
  KymoTable *waits = kymo_table_peek_nested (answer, "waits", NULL);
  guint level[LENGTH_NS + 1] = { 0 }, n = run->segments->len;

  for (guint i = 0; i < kymo_table_get_n_rows (waits); i++)
    for (gint64 x = kymo_table_get_int (waits, "x0", i);
         x < kymo_table_get_int (waits, "x1", i); x++)
      level[x] = (guint) (kymo_table_get_double (waits, "share", i) * 8);
  for (gint64 t = 0; t < LENGTH_NS; t++)
    {
      guint n_waiting = 0;

      for (guint r = 0; r < n; r++)
        {
          const KymoSegment *segment = run->segments->pdata[r];
          gboolean waiting = FALSE;

          for (guint i = 0; i < segment->n_blocks; i++)
            waiting |= kymo_segment_block_begin (segment, i) <= t
              && t < kymo_segment_block_begin (segment, i) + best[r][i].ns;
          n_waiting += waiting;
        }
      g_assert_cmpuint (level[t], ==, n == 1 ? n_waiting * 8
                        : (guint) ((double) n_waiting / n * 8 + 0.5));
    }
}

/* Those of threads are left out: each rank is a process of its own. */
static void
compare_random (GRand   *random,
                KymoRun *run)
{
  guint n = run->segments->len;
  Best *best[PROGRAM_MOST_RANKS] = { NULL };

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
      g_autoptr (KymoTable) profile = ask (run, "profile", span, 2, "waits", "1");
      Painted painted = { 0 };

      for (guint r = 0; r < n; r++)
        paint (run->segments->pdata[r], best[r], span, &painted);
      assert_painted (one, &painted, n);
      assert_painted (many, &painted, n);
      assert_profile (profile, &painted);
    }
  assert_timeline (run, best);
  assert_merged (run, best);
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
      g_autoptr (KymoRun) run = program_random (random);
      g_autoptr (KymoTable) answer = NULL;

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
  g_test_add_func ("/waits-random/all", test_random);
  return g_test_run ();
}
