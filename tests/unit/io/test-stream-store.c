/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs made of frames. Random frames against a table of every millisecond
 * that is filled beside the store; snapshots while the store goes on; what a
 * long stream takes; seconds (test-stream-facts.c has names and marks).
 */
#include "config.h"

#include <string.h>

#include "kymo-stream-store.h"

#define MS G_GINT64_CONSTANT (1000000)
#define N_TEST_IDS 12
/* Row of the table for time that is not traced. */
#define UNTRACED N_TEST_IDS

/* What a store ought to know: of every ms, what each id had. */
typedef struct
{
  KymoStreamStore *store;
  GRand           *rand;
  GArray          *table;       /* gint32, N_TEST_IDS + 1 a ms */
  gint64           seconds[N_TEST_IDS];
  gint64           busy_ns, lowest_ns, highest_ns;      /* of whole seconds */
  gint64           n_blocks;
  gint64           n_lost;
  gint64           n_cut;
  gint64           first_ms;    /* where the run begins */
} Twin;

static void
put (GByteArray *bytes,
     guint64     value,
     guint       n)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (bytes, (guint8 *) &value, n);
}

static gint32 *
twin_grow (Twin *twin,
           guint n_ms)
{
  guint before = twin->table->len;

  g_array_set_size (twin->table, before + n_ms * (N_TEST_IDS + 1));
  return (gint32 *) (gpointer) twin->table->data + before;
}

static gint64
twin_end_ms (const Twin *twin)
{
  return twin->first_ms + twin->table->len / (N_TEST_IDS + 1);
}

static gint32
id_of (guint i)
{
  return i == 0 ? KYMO_STREAM_OTHER_ID : (gint32) i * 7;
}

static KymoStreamResult
give (Twin            *twin,
      KymoStreamFrame *frame)
{
  g_autoptr (KymoStreamFrame) owned = frame;

  return kymo_stream_store_take (twin->store, frame, NULL, NULL);
}

static void
give_form (Twin *twin)
{
  KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, 4 };

  g_assert_cmpint (give (twin, kymo_stream_frame_new_form (1, &form, "target: here:1\n")), ==,
                   KYMO_STREAM_NOTHING);
}

/* Shares in steps of 4 us; a bin that has too much is cut, entry by entry. */
static void
fill_bin (Twin       *twin,
          GByteArray *bytes,
          gint32     *row,
          gint64     *second)
{
  guint shares[N_TEST_IDS] = { 0 }, n = 0, sum = 0;
  guint n_ids = g_rand_int_range (twin->rand, 0, 4);

  for (guint i = 0; i < n_ids; i++)
    shares[g_rand_int_range (twin->rand, 0, N_TEST_IDS)] =
      g_rand_int_range (twin->rand, 0, g_rand_int_range (twin->rand, 1, 12) == 1 ? 250 : 100);
  for (guint i = 0; i < N_TEST_IDS; i++)
    {
      n += shares[i] > 0;
      sum += shares[i];
    }
  put (bytes, n, 2);
  for (guint i = 0; i < N_TEST_IDS; i++)
    if (shares[i] > 0)
      {
        put (bytes, id_of (i), 2);
        put (bytes, shares[i], 1);
        row[i] = sum <= 250 ? (gint64) shares[i] * 4000 : (gint64) shares[i] * MS / sum;
        second[i] += (gint64) shares[i] * 4000;
      }
  twin->n_cut += sum > 250;
}

static void
give_block (Twin *twin,
            guint n_bins)
{
  g_autoptr (GBytes) reply = NULL;
  GByteArray *bytes = g_byte_array_new ();
  gint32 *rows = twin_grow (twin, n_bins);
  gint64 second[N_TEST_IDS] = { 0 };

  put (bytes, n_bins, 4);
  put (bytes, 4, 4);
  for (guint bin = 0; bin < n_bins; bin++)
    {
      fill_bin (twin, bytes, rows + bin * (N_TEST_IDS + 1), second);
      if (bin % 1000 == 999)
        {
          gint64 busy_ns = 0;

          for (guint i = 0; i < N_TEST_IDS; i++)
            {
              twin->seconds[i] += second[i];
              busy_ns += second[i];
            }
          twin->lowest_ns = twin->highest_ns == 0 ? busy_ns : MIN (twin->lowest_ns, busy_ns);
          twin->highest_ns = MAX (twin->highest_ns, busy_ns);
          twin->busy_ns += busy_ns;
          memset (second, 0, sizeof second);
        }
    }
  reply = g_byte_array_free_to_bytes (bytes);
  g_assert_cmpint (give (twin, kymo_stream_frame_new (KYMO_FRAME_REPLY, 1, reply)), ==,
                   KYMO_STREAM_BLOCK);
  twin->n_blocks++;
}

static void
fill_gap (Twin *twin,
          guint n_ms)
{
  gint32 *rows = twin_grow (twin, n_ms);

  for (guint i = 0; i < n_ms; i++)
    rows[i * (N_TEST_IDS + 1) + UNTRACED] = MS;
  twin->n_lost += (n_ms + 999) / 1000;
}

/* A second that did not come, or a hole before a block. */
static void
give_gap (Twin *twin)
{
  g_autoptr (GBytes) reply = NULL;
  KymoStreamFrame *frame;
  guint jump_ms;

  switch (g_rand_int_range (twin->rand, 0, 3))
    {
    case 0:
      frame = kymo_stream_frame_new_text (KYMO_FRAME_LOST, 1, "gone");
      break;
    case 1:
      frame = kymo_stream_frame_new_text (KYMO_FRAME_REPLY, 1, "what is this?");
      break;
    default:
      frame = kymo_stream_frame_new_text (KYMO_FRAME_LOST, 1, "gone");
      jump_ms = g_rand_int_range (twin->rand, 0, 1 << g_rand_int_range (twin->rand, 1, 15));
      frame->begin_ns = (twin_end_ms (twin) + jump_ms) * MS;
      fill_gap (twin, jump_ms);
      break;
    }
  fill_gap (twin, 1000);
  g_assert_cmpint (give (twin, frame), ==, KYMO_STREAM_BAD);
}

/* What has nothing to do with time. */
static void
give_other (Twin *twin)
{
  static const KymoFrameKind kinds[] = { KYMO_FRAME_MARK, KYMO_FRAME_STATE, KYMO_FRAME_END, 77 };

  give (twin, kymo_stream_frame_new_text (kinds[g_rand_int_range (twin->rand, 0, 4)], 1, "words"));
  give (twin, kymo_stream_frame_new_text (KYMO_FRAME_REPLY, 1, ""));
  if (g_rand_boolean (twin->rand))
    give_form (twin);
}

static void
twin_init (Twin  *twin,
           guint  seed,
           gint64 budget_bytes)
{
  *twin = (Twin) {
    .store = kymo_stream_store_new ("test", budget_bytes),
    .rand = g_rand_new_with_seed (seed),
    .table = g_array_new (FALSE, TRUE, sizeof (gint32)),
  };
  give_form (twin);
}

static void
twin_clear (Twin *twin)
{
  kymo_stream_store_free (twin->store);
  g_rand_free (twin->rand);
  g_array_unref (twin->table);
}

static const KymoBins *
bins_of (const KymoRun *run)
{
  return ((const KymoSegment *) g_ptr_array_index (run->segments, 0))->bins;
}

/* Row of the table that a state has; the rest has none. */
static gint
row_of (const KymoRun *run,
        guint32        state)
{
  gint64 id;

  if (state == KYMO_STATE_UNTRACED)
    return UNTRACED;
  g_assert_cmpuint (state, >=, KYMO_STATE_ACTIVITY);
  id = kymo_run_peek_activity (run, state - KYMO_STATE_ACTIVITY)->id;
  return id == KYMO_STREAM_OTHER_ID ? 0 : (gint) id / 7;
}

static void
sum_run (const KymoRun *run,
         KymoSpan       span,
         gint64        *by_row,
         gint64        *rest_ns)
{
  KymoSums sums;
  gint64 all_ns = 0;

  memset (by_row, 0, (N_TEST_IDS + 1) * sizeof *by_row);
  *rest_ns = 0;
  kymo_sums_init (&sums, KYMO_STATE_ACTIVITY + run->activities->len);
  kymo_bins_sum (bins_of (run), span, &sums);
  for (guint i = 0; i < sums.n_touched; i++)
    {
      gint64 ns = sums.ns[sums.touched[i]];

      all_ns += ns;
      if (sums.touched[i] == KYMO_STATE_OVERHEAD)
        *rest_ns = ns;
      else
        by_row[row_of (run, sums.touched[i])] += ns;
    }
  g_assert_cmpint (all_ns, ==, kymo_span_length (span));
  kymo_sums_clear (&sums);
}

/* A border of bins at or before a time. */
static gint64
border_before (const KymoBins *bins,
               gint64          time_ns)
{
  for (guint i = 0; i < bins->chunks->len; i++)
    {
      const KymoBins *chunk = g_ptr_array_index (bins->chunks, i);

      if (time_ns < chunk->end_ns)
        return chunk->begin_ns + (time_ns - chunk->begin_ns) / chunk->bin_ns * chunk->bin_ns;
    }
  return bins->end_ns;
}

static void
check_range (const Twin    *twin,
             const KymoRun *run,
             KymoSpan       span)
{
  const gint32 *table = (gpointer) twin->table->data;
  gint64 found[N_TEST_IDS + 1], rest_ns, expected[N_TEST_IDS + 1] = { 0 };

  for (gint64 ms = span.begin_ns / MS; ms < span.end_ns / MS; ms++)
    for (guint i = 0; i <= N_TEST_IDS; i++)
      expected[i] += table[(ms - twin->first_ms) * (N_TEST_IDS + 1) + i];
  sum_run (run, span, found, &rest_ns);
  for (guint i = 0; i <= N_TEST_IDS; i++)
    g_assert_cmpint (found[i], ==, expected[i]);
}

/* Any range: its parts add up to it. */
static void
check_parts (const Twin    *twin,
             const KymoRun *run)
{
  gint64 length = kymo_span_length (run->span);
  gint64 a = g_rand_double (twin->rand) * length, b = g_rand_double (twin->rand) * length;
  gint64 c = g_rand_double (twin->rand) * length, t;
  gint64 all[N_TEST_IDS + 1], left[N_TEST_IDS + 1], right[N_TEST_IDS + 1], rests[3];

  if (a > b) { t = a; a = b; b = t; }
  if (b > c) { t = b; b = c; c = t; }
  if (a > b) { t = a; a = b; b = t; }
  if (a == b || b == c)
    return;
  a += run->span.begin_ns;
  b += run->span.begin_ns;
  c += run->span.begin_ns;
  sum_run (run, (KymoSpan) { a, c }, all, &rests[0]);
  sum_run (run, (KymoSpan) { a, b }, left, &rests[1]);
  sum_run (run, (KymoSpan) { b, c }, right, &rests[2]);
  g_assert_cmpint (rests[0], ==, rests[1] + rests[2]);
  for (guint i = 0; i <= N_TEST_IDS; i++)
    g_assert_cmpint (all[i], ==, left[i] + right[i]);
}

static void
check_chunks (const KymoRun *run)
{
  const KymoBins *bins = bins_of (run);
  gint64 at_ns = run->span.begin_ns, finest_ns = G_MAXINT64;

  for (guint i = 0; i < bins->chunks->len; i++)
    {
      const KymoBins *chunk = g_ptr_array_index (bins->chunks, i);

      g_assert_cmpint (chunk->begin_ns, ==, at_ns);
      g_assert_cmpint (chunk->end_ns, ==, at_ns + chunk->bin_ns * chunk->n_bins);
      at_ns = chunk->end_ns;
      if (chunk->bin_ns == MS && chunk->n_bins > 1)
        finest_ns = MIN (finest_ns, chunk->begin_ns);
    }
  g_assert_cmpint (at_ns, ==, run->span.end_ns);
  g_assert_cmpint (run->stream->thinned_before_ns, <=, finest_ns);
}

static void
check_run (const Twin    *twin,
           const KymoRun *run)
{
  const KymoBins *bins = bins_of (run);

  g_assert_cmpint (run->span.begin_ns, ==, twin->first_ms * MS);
  g_assert_cmpint (run->span.end_ns, ==, twin_end_ms (twin) * MS);
  check_chunks (run);
  check_range (twin, run, run->span);
  for (guint i = 0; i < 6; i++)
    {
      gint64 a = run->span.begin_ns + g_rand_double (twin->rand) * kymo_span_length (run->span);
      gint64 b = a + g_rand_double (twin->rand) * (run->span.end_ns - a);
      KymoSpan span = { border_before (bins, a), border_before (bins, b) };

      if (kymo_span_length (span) > 0)
        check_range (twin, run, span);
      check_parts (twin, run);
    }
}

static void
check_log (const Twin    *twin,
           const KymoRun *run)
{
  const KymoStreamLog *log = run->stream;
  gint64 n_replies = 0, at_ns = run->span.begin_ns;

  g_assert_cmpint (log->n_blocks, ==, twin->n_blocks);
  g_assert_cmpint (log->n_lost, ==, twin->n_lost);
  for (guint i = 0; i < log->replies->len; i++)
    {
      const KymoStreamReply *reply = &g_array_index (log->replies, KymoStreamReply, i);

      g_assert_cmpint (reply->span.begin_ns, ==, at_ns);
      at_ns = reply->span.end_ns;
      n_replies += reply->n_replies;
    }
  g_assert_cmpint (at_ns, ==, run->span.end_ns);
  g_assert_cmpint (n_replies, ==, twin->n_blocks);
  g_assert_cmpuint (log->seconds->len, ==, run->activities->len);
  for (guint i = 0; i < log->seconds->len; i++)
    g_assert_cmpint (g_array_index (log->seconds, KymoStreamSeconds, i).sum_ns, ==,
                     twin->seconds[row_of (run, KYMO_STATE_ACTIVITY + i)]);
  g_assert_cmpint (log->busy.sum_ns, ==, twin->busy_ns);
  g_assert_cmpint (log->busy.lowest_ns, ==, twin->lowest_ns);
  g_assert_cmpint (log->busy.highest_ns, ==, twin->highest_ns);
}

/* A snapshot and what the table was when it was made. */
typedef struct
{
  KymoRun *run;
  guint    len;
} Kept;

static void
check_kept (Twin   *twin,
            GArray *kept)
{
  GArray *whole = twin->table;

  for (guint i = 0; i < kept->len; i++)
    {
      Kept *one = &g_array_index (kept, Kept, i);
      GArray before = { whole->data, one->len };

      twin->table = &before;
      check_run (twin, one->run);
      kymo_run_unref (one->run);
    }
  twin->table = whole;
}

static void
test_random (gconstpointer data)
{
  guint seed = GPOINTER_TO_UINT (data);
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (Kept));
  Twin twin;

  twin_init (&twin, seed, seed % 3 == 0 ? 0 : 40000 << seed % 4);
  for (guint step = 0; step < 260; step++)
    {
      guint what = g_rand_int_range (twin.rand, 0, 20);

      if (what < 14)
        give_block (&twin, seed % 2 == 0 ? 1000 : g_rand_int_range (twin.rand, 1, 2500));
      else if (what < 17)
        give_gap (&twin);
      else
        give_other (&twin);
      if (twin.n_blocks > 0 && step % 23 == 0)
        {
          Kept one = { kymo_stream_store_snapshot (twin.store, TRUE), twin.table->len };

          check_log (&twin, one.run);
          g_array_append_val (kept, one);
        }
    }
  check_kept (&twin, kept);
  twin_clear (&twin);
}

/* Thinned or not, the newest half minute is in bins of 1 ms, and the rest is
   within the budget. */
static void
test_thinned (void)
{
  Twin twin;
  g_autoptr (KymoRun) run = NULL;
  const KymoBins *bins;
  gboolean longer[6] = { FALSE };

  twin_init (&twin, 5, 100000);
  for (guint i = 0; i < 150; i++)
    give_block (&twin, 1000);
  run = kymo_stream_store_snapshot (twin.store, FALSE);
  bins = bins_of (run);
  g_assert_cmpint (run->stream->thinned_before_ns, <=, 120 * 1000 * MS);
  g_assert_cmpint (run->stream->thinned_before_ns, >, 110 * 1000 * MS);
  for (guint i = 0; i < bins->chunks->len; i++)
    {
      const KymoBins *chunk = g_ptr_array_index (bins->chunks, i);
      guint level = 0;

      for (gint64 ns = MS; ns < chunk->bin_ns; ns *= 10)
        level++;
      g_assert_cmpuint (level, <, 6);
      longer[level] = TRUE;
    }
  g_assert_true (longer[0] && longer[1] && longer[2]);
  g_assert_cmpint (kymo_stream_store_get_bytes (twin.store), <, 100000 + 31 * 40000);
  check_run (&twin, run);
  check_log (&twin, run);
  g_assert_cmpint (twin.n_cut, >, 0);
  g_assert_cmpuint (kymo_report_get_n_issues (run->report), ==, 1);
  g_assert_cmpint (kymo_report_peek_issue (run->report, 0)->count, ==, twin.n_cut);
  twin_clear (&twin);
}

/* A recording of the last while: its blocks lie where they were. */
static void
test_begins_late (void)
{
  Twin twin;
  g_autoptr (KymoRun) run = NULL;
  KymoStreamFrame *frame = kymo_stream_frame_new_text (KYMO_FRAME_LOST, 1, "");

  twin_init (&twin, 9, 30000);
  twin.first_ms = 123456;
  frame->begin_ns = twin.first_ms * MS;
  fill_gap (&twin, 1000);
  g_assert_cmpint (give (&twin, frame), ==, KYMO_STREAM_BAD);
  g_assert_null (kymo_stream_store_snapshot (twin.store, TRUE));
  for (guint i = 0; i < 200; i++)
    give_block (&twin, 997);
  run = kymo_stream_store_snapshot (twin.store, TRUE);
  check_run (&twin, run);
  check_log (&twin, run);
  twin_clear (&twin);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint seed = 1; seed <= 12; seed++)
    {
      g_autofree char *path = g_strdup_printf ("/stream-store/random/%u", seed);

      g_test_add_data_func (path, GUINT_TO_POINTER (seed), test_random);
    }
  g_test_add_func ("/stream-store/thinned", test_thinned);
  g_test_add_func ("/stream-store/begins-late", test_begins_late);
  return g_test_run ();
}
