/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of a segment: 32 and 64 bits say the same, whatever the times are
 * and whenever a column has to be widened; columns that are not there say
 * what they would.
 */
#include "config.h"

#include "kymo-segment-builder.h"

#define N_ACTIVITIES 5
#define N_STATES (KYMO_STATE_ACTIVITY + N_ACTIVITIES)
#define US 1000

/* The unit of which no time here is a multiple, so that all is wide. */
#define ODD_UNIT 999983

typedef struct
{
  guint32  seed;
  gint64   begin_ns;
  guint    n;
  guint    odd_from;            /* from this record on times are no multiples */
  gint64   jump_ns;             /* at record n / 2 */
  gboolean casts;
} Story;

/* The same random records for any unit. */
static KymoSegment *
tell (const Story *story,
      guint32      unit_ns)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (story->seed);
  KymoSegmentBuilder *b = kymo_segment_builder_new (0, N_ACTIVITIES);
  KymoSegment *segment;
  KymoRepairs repairs;
  gint64 t = story->begin_ns;

  kymo_segment_builder_set_unit (b, unit_ns);
  for (guint i = 0; i < story->n; i++)
    {
      guint what = g_rand_int_range (rand, 0, 6);
      guint activity = g_rand_int_range (rand, 0, N_ACTIVITIES);
      KymoObject object = { { g_rand_int_range (rand, 0, 9) }, story->casts };

      /* Now and then back in time. */
      t += g_rand_int_range (rand, -3, 40) * US + (i == story->n / 2 ? story->jump_ns : 0)
        + (i >= story->odd_from ? 1 : 0);
      kymo_segment_builder_touch (b, t);
      if (what < 2)
        kymo_segment_builder_begin_block (b, t, activity, 1, i, 8, &object);
      else if (what < 4)
        kymo_segment_builder_end_block (b, t);
      else if (what == 4)
        kymo_segment_builder_send (b, t, story->casts && activity == 0 ? KYMO_SEND_BROADCAST
                                   : KYMO_SEND_ONE, activity, i, 8,
                                   story->casts && activity == 0 ? 7 : 1);
      else
        kymo_segment_builder_set_idle (b, t, activity % 2);
    }
  segment = kymo_segment_builder_seal (b, story->n, FALSE, &repairs);
  kymo_segment_builder_free (b);
  return segment;
}

static void
assert_same_sums (const KymoSegment *a,
                  const KymoSegment *b,
                  GRand             *rand)
{
  gint64 length = kymo_span_length (a->span);
  KymoSums x, y;

  kymo_sums_init (&x, N_STATES);
  kymo_sums_init (&y, N_STATES);
  for (guint i = 0; i < 200; i++)
    {
      gint64 from = a->span.begin_ns + g_rand_double (rand) * length;
      KymoSpan span = { from, from + g_rand_double (rand) * length };

      kymo_sums_reset (&x);
      kymo_sums_reset (&y);
      kymo_segment_sum (a, span, NULL, &x);
      kymo_segment_sum (b, span, NULL, &y);
      g_assert_cmpmem (x.ns, sizeof (gint64) * N_STATES, y.ns, sizeof (gint64) * N_STATES);
      g_assert_cmpuint (kymo_segment_first_block (a, from), ==,
                        kymo_segment_first_block (b, from));
      g_assert_cmpuint (kymo_segment_find_piece (a, from), ==, kymo_segment_find_piece (b, from));
    }
  kymo_sums_clear (&x);
  kymo_sums_clear (&y);
}

static void
assert_same (const KymoSegment *a,
             const KymoSegment *b)
{
  g_assert_cmpuint (a->n_pieces, ==, b->n_pieces);
  g_assert_cmpuint (a->n_blocks, ==, b->n_blocks);
  g_assert_cmpuint (a->n_sends, ==, b->n_sends);
  for (guint i = 0; i <= a->n_pieces; i++)
    g_assert_cmpint (kymo_segment_piece_begin (a, i), ==, kymo_segment_piece_begin (b, i));
  g_assert_cmpmem (a->piece_state, 4 * a->n_pieces, b->piece_state, 4 * b->n_pieces);
  for (guint i = 0; i < a->n_blocks; i++)
    {
      g_assert_cmpint (kymo_segment_block_begin (a, i), ==, kymo_segment_block_begin (b, i));
      g_assert_cmpint (kymo_segment_block_end (a, i), ==, kymo_segment_block_end (b, i));
      g_assert_cmpuint (kymo_segment_block_object (a, i), ==, kymo_segment_block_object (b, i));
    }
  for (guint i = 0; i < a->n_sends; i++)
    {
      g_assert_cmpint (kymo_segment_send_time (a, i), ==, kymo_segment_send_time (b, i));
      g_assert_cmpuint (kymo_segment_send_kind (a, i), ==, kymo_segment_send_kind (b, i));
    }
}

static void
compare (const Story *story,
         gboolean     wide)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (story->seed);
  KymoSegment *a = tell (story, US), *b = tell (story, ODD_UNIT);

  g_assert_cmpint (a->wide, ==, wide);
  g_assert_true (b->wide);
  g_assert_cmpuint (kymo_segment_get_bytes (a), <=, kymo_segment_get_bytes (b));
  assert_same (a, b);
  assert_same_sums (a, b, rand);
  kymo_segment_shift (a, -12345);
  kymo_segment_shift (b, -12345);
  assert_same (a, b);
  assert_same_sums (a, b, rand);
  g_assert_cmpint (kymo_segment_piece_begin (a, 0), ==, a->span.begin_ns);
  g_assert_cmpint (kymo_segment_piece_begin (a, a->n_pieces), ==, a->span.end_ns);
  kymo_segment_unref (a);
  kymo_segment_unref (b);
}

static void
test_narrow (void)
{
  for (guint32 seed = 1; seed <= 30; seed++)
    compare (&(Story) { seed, seed % 3 * 77 * US, 40 * seed, G_MAXUINT, 0, seed % 2 }, FALSE);
}

/* Times that are no multiples of the unit, from the first record on or later. */
static void
test_odd_times (void)
{
  for (guint32 seed = 1; seed <= 30; seed++)
    compare (&(Story) { seed, 5 * US, 40 * seed, (seed - 1) * seed, 0, seed % 2 }, TRUE);
}

/* Further than 32 bits reach, in both directions; near their ends. */
static void
test_far_times (void)
{
  static const gint64 hour_ns = G_GINT64_CONSTANT (3600) * 1000 * 1000 * US;

  compare (&(Story) { 1, 0, 900, G_MAXUINT, 2 * hour_ns, TRUE }, TRUE);
  compare (&(Story) { 2, hour_ns, 900, G_MAXUINT, -hour_ns, TRUE }, TRUE);
  compare (&(Story) { 3, 0, 900, G_MAXUINT, hour_ns, TRUE }, FALSE);
  compare (&(Story) { 4, -hour_ns, 900, G_MAXUINT, 0, TRUE }, FALSE);
  compare (&(Story) { 5, G_MININT64 / 2, 900, G_MAXUINT, 0, TRUE }, FALSE);
}

static void
test_absent (void)
{
  KymoSegment *plain = tell (&(Story) { 7, 0, 500, G_MAXUINT, 0, FALSE }, US);
  KymoSegment *casts = tell (&(Story) { 7, 0, 500, G_MAXUINT, 0, TRUE }, US);
  guint n_casts = 0;

  g_assert_null (plain->send_kind);
  g_assert_null (plain->send_destinations);
  g_assert_null (plain->block_object);
  g_assert_cmpuint (kymo_segment_get_bytes (plain), <, kymo_segment_get_bytes (casts));
  for (guint i = 0; i < plain->n_sends; i++)
    {
      gboolean is_cast = casts->send_activity[i] == 0;

      g_assert_cmpuint (kymo_segment_send_kind (plain, i), ==, KYMO_SEND_ONE);
      g_assert_cmpuint (kymo_segment_send_destinations (plain, i), ==, 1);
      g_assert_cmpuint (kymo_segment_send_kind (casts, i), ==,
                        is_cast ? KYMO_SEND_BROADCAST : KYMO_SEND_ONE);
      g_assert_cmpuint (kymo_segment_send_destinations (casts, i), ==, is_cast ? 7 : 1);
      n_casts += is_cast;
    }
  g_assert_cmpuint (n_casts, >, 0);
  for (guint i = 0; i < plain->n_blocks; i++)
    {
      g_assert_cmpuint (kymo_segment_block_object (plain, i), ==, KYMO_NO_OBJECT);
      g_assert_cmpuint (kymo_segment_block_object (casts, i), !=, KYMO_NO_OBJECT);
    }
  kymo_segment_unref (plain);
  kymo_segment_unref (casts);
}

static KymoSegment *
segment_of_sends (GRand    *random,
                  gboolean  ascend)
{
  KymoSegmentBuilder *b = kymo_segment_builder_new (0, 1);
  guint n = g_rand_int_range (random, 0, 60);
  gint32 event = 0;
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (b, 0);
  for (guint i = 0; i < n; i++)
    {
      event = ascend ? event + g_rand_int_range (random, 0, 4) : g_rand_int_range (random, 0, 90);
      kymo_segment_builder_send (b, i, KYMO_SEND_ONE, 0, event, 8, 1);
    }
  kymo_segment_builder_touch (b, n);
  segment = kymo_segment_builder_seal (b, n, FALSE, &repairs);
  kymo_segment_builder_free (b);
  return segment;
}

/* The fast way to a send and the slow one. */
static void
test_find_send (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  guint n_found = 0;

  for (guint round = 0; round < 200; round++)
    {
      KymoSegment *segment = segment_of_sends (random, round % 4 != 0);
      guint hint = 0;

      for (guint i = 0; i < 200; i++)
        {
          gint32 event = g_rand_int_range (random, -2, 130);
          gint found = kymo_segment_find_send (segment, event);
          gint first = -1;

          for (guint k = segment->n_sends; k-- > 0;)
            first = segment->send_event[k] == event ? (gint) k : first;
          g_assert_cmpint (found, ==, first);
          g_assert_cmpint (kymo_segment_find_send_near (segment, event, &hint), ==, first);
          n_found += found >= 0;
        }
      kymo_segment_unref (segment);
    }
  g_assert_cmpuint (n_found, >, 2000);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/segment/narrow", test_narrow);
  g_test_add_func ("/segment/odd-times", test_odd_times);
  g_test_add_func ("/segment/far-times", test_far_times);
  g_test_add_func ("/segment/absent-columns", test_absent);
  g_test_add_func ("/segment/find-send", test_find_send);
  return g_test_run ();
}
