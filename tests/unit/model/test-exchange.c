/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which send a receive belongs to: random runs, with several threads of a rank, tags that
 * overtake each other, ends without the other one, sends that were cancelled, ranks that are
 * not in the run and clocks that go back, against a search through all ends; any number of threads.
 */
#include "config.h"

#include "kymo-run.h"
#include "kymo-segment-builder.h"

#define US 1000
#define CANCELLED_BYTES 9       /* of sends that were cancelled */

typedef struct
{
  guint    n_locations;
  guint    n_ranks;
  gint64   rank_step;           /* between the numbers of two ranks */
  guint    n_tags;
  guint    n_messages;
  guint    lost;                /* of a hundred ends */
  guint    late;                /* of a hundred messages: the next goes first */
  gboolean odd_order;           /* locations do not ascend with their ranks */
  gboolean backwards;           /* clocks go back now and then */
} Story;

/* A message that waits to be received. */
typedef struct
{
  gint32  from, to, tag;
  guint32 comm;
} Message;

typedef struct
{
  const Story         *story;
  GRand               *rand;
  KymoSegmentBuilder **builders;
  gint64              *clocks_ns;
  guint32              n_requests;
} Teller;

static gint64
rank_of_location (const Story *story,
                  guint        location)
{
  guint place = story->odd_order ? story->n_locations - 1 - location : location;

  return 3 + (gint64) (place % story->n_ranks) * story->rank_step;
}

static gboolean
happens (Teller *teller,
         guint   percent)
{
  return (guint) g_rand_int_range (teller->rand, 0, 100) < percent;
}

/* One of the locations of a rank; the time there. */
static guint
choose_location (Teller *teller,
                 gint64  rank,
                 gint64 *time_ns)
{
  guint location;

  do
    location = g_rand_int_range (teller->rand, 0, teller->story->n_locations);
  while (rank_of_location (teller->story, location) != rank);
  teller->clocks_ns[location] += g_rand_int_range (teller->rand, teller->story->backwards ? -2 : 0,
                                                   4) * US;
  *time_ns = teller->clocks_ns[location];
  kymo_segment_builder_touch (teller->builders[location], *time_ns);
  return location;
}

static void
receive (Teller        *teller,
         const Message *message)
{
  gint64 time_ns;
  guint location;

  if (happens (teller, teller->story->lost))
    return;
  location = choose_location (teller, message->to, &time_ns);
  kymo_segment_builder_receive (teller->builders[location], time_ns, 8, message->from, message->tag,
                                message->comm);
}

/* A send that brings nothing, before one that would be taken for it. */
static void
cancel (Teller        *teller,
        guint          location,
        gint64         time_ns,
        const Message *message)
{
  KymoSegmentBuilder *b = teller->builders[location];

  kymo_segment_builder_send_to (b, time_ns, CANCELLED_BYTES, message->to, message->tag,
                                message->comm);
  kymo_segment_builder_set_send_request (b, ++teller->n_requests);
  kymo_segment_builder_aside (b, time_ns, KYMO_ASIDE_CANCELLED, teller->n_requests, 0);
}

static Message
send (Teller *teller)
{
  const Story *story = teller->story;
  gint64 from = rank_of_location (story, g_rand_int_range (teller->rand, 0, story->n_locations));
  gint64 to = rank_of_location (story, g_rand_int_range (teller->rand, 0, story->n_locations));
  Message message = { from, to, (gint32) g_rand_int_range (teller->rand, 0, story->n_tags) - 2,
                      g_rand_int_range (teller->rand, 0, 2) };
  gint64 time_ns;
  guint location;

  if (happens (teller, story->lost))
    return message;
  location = choose_location (teller, from, &time_ns);
  if (happens (teller, story->lost))
    cancel (teller, location, time_ns, &message);
  kymo_segment_builder_send_to (teller->builders[location], time_ns, 8,
                                happens (teller, story->lost) ? -1
                                : happens (teller, story->lost) ? 1 : to,
                                message.tag, message.comm);
  kymo_segment_builder_set_send_request (teller->builders[location], 0);
  return message;
}

static void
tell (Teller *teller)
{
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (Message));

  for (guint i = 0; i < teller->story->n_messages; i++)
    {
      Message message = send (teller);

      g_array_append_val (waiting, message);
      while (waiting->len > 0 && !happens (teller, teller->story->late))
        {
          guint which = happens (teller, teller->story->late)
            ? g_rand_int_range (teller->rand, 0, waiting->len) : 0;

          receive (teller, &g_array_index (waiting, Message, which));
          g_array_remove_index (waiting, which);
        }
    }
}

static KymoRun *
make_run (const Story *story,
          guint        seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autofree KymoSegmentBuilder **builders = g_new (KymoSegmentBuilder *, story->n_locations);
  g_autofree gint64 *clocks_ns = g_new0 (gint64, story->n_locations);
  Teller teller = { story, rand, builders, clocks_ns, 0 };
  KymoRun *run = kymo_run_new ();

  for (guint i = 0; i < story->n_locations; i++)
    {
      builders[i] = kymo_segment_builder_new (i, 1);
      kymo_segment_builder_set_unit (builders[i], seed % 2 == 0 ? US : 7);
      kymo_segment_builder_touch (builders[i], 0);
    }
  tell (&teller);
  for (guint i = 0; i < story->n_locations; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup ("rank"), .place = -1, .kept = TRUE,
                                .process = rank_of_location (story, i) };
      KymoRepairs repairs;

      kymo_run_add_location (run, &location,
                             kymo_segment_builder_seal (builders[i], 1, FALSE, &repairs));
      kymo_segment_builder_free (builders[i]);
    }
  return run;
}

/* -- the same, by looking through all ends ---------------------------------- */

typedef struct
{
  gint64   from, to;
  gint32   tag;
  guint32  comm;
  gint64   time_ns;
  guint    location, index;
  gboolean taken;
} End;

/* The time of an end among those of its location and the same ranks does not fall. */
static void
add_end (GArray *ends,
         End     end)
{
  for (guint i = 0; i < ends->len; i++)
    {
      const End *before = &g_array_index (ends, End, i);

      if (before->location == end.location && before->from == end.from && before->to == end.to)
        end.time_ns = MAX (end.time_ns, before->time_ns);
    }
  g_array_append_val (ends, end);
}

static void
list_ends (const KymoRun *run,
           GArray        *sends,
           GArray        *receives)
{
  for (guint l = 0; l < run->segments->len; l++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, l);
      const KymoExchange *x = segment->exchange;
      gint64 rank = kymo_run_peek_location (run, l)->process;

      for (guint i = 0; x != NULL && i < x->n_sends; i++)
        if (segment->send_bytes[i] == CANCELLED_BYTES)
          g_assert_cmpuint (x->send_receive[i], ==, KYMO_UNMATCHED);
        else
          add_end (sends, (End) { rank, x->send_partner[i], x->send_tag[i], x->send_comm[i],
                                  kymo_segment_send_time (segment, i), l, i, FALSE });
      for (guint i = 0; x != NULL && i < x->n_receives; i++)
        add_end (receives, (End) { x->receive_partner[i], rank, x->receive_tag[i],
                                   x->receive_comm[i], kymo_segment_receive_time (segment, i),
                                   l, i, FALSE });
    }
}

static int
compare_ends (gconstpointer a,
              gconstpointer b)
{
  const End *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  if (x->location != y->location)
    return x->location < y->location ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static End *
find_send (GArray    *sends,
           const End *receive)
{
  for (guint i = 0; i < sends->len; i++)
    {
      End *send = &g_array_index (sends, End, i);

      if (!send->taken && send->from == receive->from && send->to == receive->to
          && send->tag == receive->tag && send->comm == receive->comm)
        return send;
    }
  return NULL;
}

static void
assert_side_by_side (const KymoRun *run,
                     const End     *send,
                     const End     *receive)
{
  const KymoExchange *sender = ((KymoSegment *) run->segments->pdata[send->location])->exchange;
  const KymoExchange *receiver
    = ((KymoSegment *) run->segments->pdata[receive->location])->exchange;

  g_assert_cmpuint (receiver->receive_location[receive->index], ==, send->location);
  g_assert_cmpuint (receiver->receive_send[receive->index], ==, send->index);
  g_assert_cmpuint (sender->send_location[send->index], ==, receive->location);
  g_assert_cmpuint (sender->send_receive[send->index], ==, receive->index);
}

/* Returns the number of messages that are whole. */
static guint
assert_matched (const KymoRun *run)
{
  g_autoptr (GArray) sends = g_array_new (FALSE, FALSE, sizeof (End));
  g_autoptr (GArray) receives = g_array_new (FALSE, FALSE, sizeof (End));
  guint n = 0, n_matched = 0;

  list_ends (run, sends, receives);
  g_array_sort (sends, compare_ends);
  g_array_sort (receives, compare_ends);
  for (guint i = 0; i < receives->len; i++)
    {
      const End *receive = &g_array_index (receives, End, i);
      const KymoExchange *x = ((KymoSegment *) run->segments->pdata[receive->location])->exchange;
      End *send = find_send (sends, receive);

      if (send == NULL)
        {
          g_assert_cmpuint (x->receive_location[receive->index], ==, KYMO_UNMATCHED);
          g_assert_cmpuint (x->receive_send[receive->index], ==, KYMO_UNMATCHED);
          continue;
        }
      send->taken = TRUE;
      n++;
      assert_side_by_side (run, send, receive);
    }
  for (guint i = 0; i < sends->len; i++)
    {
      const End *send = &g_array_index (sends, End, i);
      const KymoExchange *x = ((KymoSegment *) run->segments->pdata[send->location])->exchange;

      g_assert_cmpint (send->taken, ==, x->send_receive[send->index] != KYMO_UNMATCHED);
      n_matched += send->taken;
    }
  g_assert_cmpuint (n, ==, n_matched);
  return n;
}

static void
test_random (void)
{
  static const Story stories[] = {
    { 1, 1, 1, 3, 300, 0, 0, FALSE, FALSE },
    { 4, 4, 1, 1, 800, 0, 0, FALSE, FALSE },
    { 4, 4, 1, 3, 800, 5, 40, FALSE, FALSE },
    { 4, 4, 1000000, 200, 800, 5, 60, FALSE, FALSE },
    { 9, 3, 1, 4, 900, 3, 30, FALSE, FALSE },
    { 9, 4, 5, 4, 900, 3, 30, TRUE, FALSE },
    { 6, 6, 2, 4, 700, 3, 30, TRUE, TRUE },
    { 8, 3, 2, 2, 700, 10, 10, FALSE, TRUE },
    { 2, 2, 1, 100000, 900, 0, 50, FALSE, FALSE },
  };
  guint n_whole = 0;

  for (guint i = 0; i < G_N_ELEMENTS (stories); i++)
    for (guint seed = 0; seed < 6; seed++)
      {
        g_autoptr (KymoRun) run = make_run (&stories[i], seed);

        kymo_run_match_exchanges (run, 1 + seed % 3, NULL);
        n_whole += assert_matched (run);
      }
  /* Most are whole, or there was little to be wrong about. */
  g_assert_cmpuint (n_whole, >, G_N_ELEMENTS (stories) * 6 * 500);
}

static void
assert_same (const KymoRun *a,
             const KymoRun *b)
{
  for (guint i = 0; i < a->segments->len; i++)
    {
      const KymoExchange *x = ((KymoSegment *) a->segments->pdata[i])->exchange;
      const KymoExchange *y = ((KymoSegment *) b->segments->pdata[i])->exchange;

      g_assert_cmpuint (x->n_sends, ==, y->n_sends);
      g_assert_cmpmem (x->send_location, 4 * x->n_sends, y->send_location, 4 * y->n_sends);
      g_assert_cmpmem (x->send_receive, 4 * x->n_sends, y->send_receive, 4 * y->n_sends);
      g_assert_cmpmem (x->receive_location, 4 * x->n_receives,
                       y->receive_location, 4 * y->n_receives);
      g_assert_cmpmem (x->receive_send, 4 * x->n_receives, y->receive_send, 4 * y->n_receives);
    }
}

/* Enough of them that threads are made. */
static void
test_threads (void)
{
  static const Story story = { 24, 20, 3, 9, 60000, 1, 20, TRUE, FALSE };
  g_autoptr (KymoRun) alone = make_run (&story, 5);

  kymo_run_match_exchanges (alone, 1, NULL);
  for (guint n_threads = 2; n_threads < 6; n_threads++)
    {
      g_autoptr (KymoRun) run = make_run (&story, 5);

      kymo_run_match_exchanges (run, n_threads, NULL);
      assert_same (alone, run);
      /* Once more does no harm. */
      kymo_run_match_exchanges (run, n_threads, NULL);
      assert_same (alone, run);
    }
}

/* Times that need 64 bits, from the middle on; activity and block of an end. */
static void
test_ends (void)
{
  KymoSegmentBuilder *b = kymo_segment_builder_new (0, 2);
  g_autoptr (KymoSegment) segment = NULL;
  const KymoExchange *x;
  KymoRepairs repairs;

  kymo_segment_builder_set_unit (b, US);
  for (guint i = 0; i < 100; i++)
    {
      gint64 t = i * 10 * US + (i >= 50 ? 1 : 0);

      kymo_segment_builder_touch (b, t);
      if (i % 4 == 1)
        kymo_segment_builder_begin_block (b, t, 1, -1, -1, 0, NULL);
      kymo_segment_builder_send_to (b, t, i, i, 7, 0);
      kymo_segment_builder_receive (b, t + US, 1000 + i, i, 8, 0);
      if (i % 4 == 2)
        kymo_segment_builder_end_block (b, t);
    }
  segment = kymo_segment_builder_seal (b, 100, FALSE, &repairs);
  kymo_segment_builder_free (b);
  x = segment->exchange;
  g_assert_true (segment->wide);
  g_assert_cmpuint (x->n_sends, ==, 100);
  g_assert_cmpuint (x->n_receives, ==, 100);
  kymo_segment_shift (segment, 12345);
  for (guint i = 0; i < 100; i++)
    {
      gint64 t = i * 10 * US + (i >= 50 ? 1 : 0) + 12345;
      guint32 block = i % 4 == 1 || i % 4 == 2 ? i / 4 : KYMO_NO_BLOCK;

      g_assert_cmpint (kymo_segment_send_time (segment, i), ==, t);
      g_assert_cmpint (kymo_segment_receive_time (segment, i), ==, t + US);
      g_assert_cmpuint (x->send_block[i], ==, block);
      g_assert_cmpuint (x->receive_block[i], ==, block);
      g_assert_cmpuint (segment->send_activity[i], ==, block == KYMO_NO_BLOCK ? G_MAXUINT32 : 1);
      g_assert_cmpuint (x->receive_bytes[i], ==, 1000 + i);
      g_assert_cmpint (x->send_partner[i], ==, i);
    }
}

/* A run of nothing, or without exchanges. */
static void
test_none (void)
{
  g_autoptr (KymoRun) run = kymo_run_new ();
  static const Story story = { 3, 3, 1, 1, 0, 0, 0, FALSE, FALSE };
  g_autoptr (KymoRun) silent = make_run (&story, 1);

  kymo_run_match_exchanges (run, 0, NULL);
  kymo_run_match_exchanges (silent, 0, NULL);
  g_assert_cmpuint (assert_matched (silent), ==, 0);
}

static void
test_cancelled (void)
{
  static const Story story = { 4, 4, 1, 1, 100, 0, 0, FALSE, FALSE };
  g_autoptr (KymoRun) run = make_run (&story, 1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  kymo_run_match_exchanges (run, 0, cancellable);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exchange/random", test_random);
  g_test_add_func ("/exchange/threads", test_threads);
  g_test_add_func ("/exchange/ends", test_ends);
  g_test_add_func ("/exchange/none", test_none);
  g_test_add_func ("/exchange/cancelled", test_cancelled);
  return g_test_run ();
}
