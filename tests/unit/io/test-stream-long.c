/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams that are long, far apart or made to take all memory.
 */
#include "config.h"

#include <string.h>

#include "kymo-stream-journal.h"
#include "kymo-stream-levels.h"
#include "kymo-stream-store.h"

#define MS G_GINT64_CONSTANT (1000000)

static void
put (GByteArray *bytes,
     guint64     value,
     guint       n)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (bytes, (guint8 *) &value, n);
}

static const KymoBins *
bins_of (const KymoRun *run)
{
  return ((const KymoSegment *) g_ptr_array_index (run->segments, 0))->bins;
}

static KymoStreamStore *
new_store (gint64 budget_bytes)
{
  KymoStreamStore *store = kymo_stream_store_new ("long", budget_bytes);
  KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, 4 };
  g_autoptr (KymoStreamFrame) first = kymo_stream_frame_new_form (1, &form, NULL);

  kymo_stream_store_take (store, first, NULL, NULL);
  return store;
}

static void
give_block (KymoStreamStore *store,
            GBytes          *bytes,
            gint64           begin_ns)
{
  g_autoptr (KymoStreamFrame) frame = kymo_stream_frame_new (KYMO_FRAME_REPLY, 1, bytes);

  frame->begin_ns = begin_ns;
  g_assert_cmpint (kymo_stream_store_take (store, frame, NULL, NULL), ==, KYMO_STREAM_BLOCK);
}

/* What an activity has in all of the run, and the rest. */
static gint64
sum_of (const KymoRun *run,
        guint          activity,
        gint64        *rest_ns)
{
  KymoSums sums;
  gint64 ns;

  kymo_sums_init (&sums, KYMO_STATE_ACTIVITY + run->activities->len);
  kymo_bins_sum (bins_of (run), run->span, &sums);
  ns = sums.ns[KYMO_STATE_ACTIVITY + activity];
  *rest_ns = sums.ns[KYMO_STATE_OVERHEAD];
  kymo_sums_clear (&sums);
  return ns;
}

/* Blocks ages apart, as a damaged recording may tell them. */
static void
test_far (void)
{
  g_autoptr (KymoStreamStore) store = new_store (20000);
  static const guint8 block[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 7, 0, 250 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (block, sizeof block);
  g_autoptr (KymoRun) run = NULL;
  gint64 at_ns = 0, rest_ns;
  const gint64 n = 2000;

  for (gint64 i = 0; i < n; i++)
    {
      give_block (store, bytes, at_ns);
      at_ns += (KYMO_STREAM_MAX_NS / n / MS - i % 7) * MS;
    }
  run = kymo_stream_store_snapshot (store, TRUE);
  g_assert_cmpint (kymo_stream_store_get_bytes (store), <, 200000);
  g_assert_cmpuint (bins_of (run)->chunks->len, <, 200);
  g_assert_cmpint (sum_of (run, 0, &rest_ns), ==, n * MS);
  g_assert_cmpint (rest_ns, ==, 0);
}

/* Lists as long as they can be: a program that lies does not get all memory.
   (Its newest half minute is thinned then.) */
static void
test_hostile (void)
{
  g_autoptr (KymoStreamStore) store = new_store (0);
  GByteArray *array = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (KymoRun) run = NULL;
  const guint n_bins = 40, n_records = 32767;
  gint64 most = 0, rest_ns;

  put (array, n_bins, 4);
  put (array, 1, 4);
  for (guint bin = 0; bin < n_bins; bin++)
    {
      put (array, n_records, 2);
      for (guint i = 0; i < n_records; i++)
        put (array, (i + 1) | 1 << 16, 3);
    }
  bytes = g_byte_array_free_to_bytes (array);
  for (guint i = 0; i < 40; i++)
    {
      give_block (store, bytes, KYMO_FRAME_NO_TIME);
      most = MAX (most, kymo_stream_store_get_bytes (store));
    }
  g_assert_cmpint (most, <, 200 << 20);
  run = kymo_stream_store_snapshot (store, TRUE);
  /* The first 4,096, and all others as one. */
  g_assert_cmpuint (run->activities->len, ==, 4097);
  g_assert_cmpint (sum_of (run, 4096, &rest_ns), ==,
                   40 * n_bins * (n_records - 4096) * (MS / n_records));
  /* Each was told 4 us, of which the bin, told 131 ms, has this much. */
  g_assert_cmpint (sum_of (run, 5, &rest_ns), ==, 40 * n_bins * (MS / n_records));
  g_assert_cmpint (rest_ns, ==, 40 * n_bins * (MS - MS / n_records * n_records));
}

static GBytes *
make_quiet_block (void)
{
  GByteArray *array = g_byte_array_new ();

  put (array, 1000, 4);
  put (array, 4, 4);
  for (guint bin = 0; bin < 1000; bin++)
    {
      put (array, bin % 100 == 0, 2);
      if (bin % 100 == 0)
        put (array, 14 | 50 << 16, 3);
    }
  return g_byte_array_free_to_bytes (array);
}

/* A week of a program that does little; eleven hours without "-m slow". */
static void
test_week (void)
{
  const guint n_blocks = g_test_slow () ? 604800 : 40000;
  g_autoptr (KymoStreamStore) store = new_store (4 << 20);
  g_autoptr (GBytes) bytes = make_quiet_block ();
  g_autoptr (KymoRun) run = NULL;
  const KymoStreamLog *log;
  gint64 most = 0, rest_ns;
  guint most_chunks = 0;

  for (guint i = 0; i < n_blocks; i++)
    {
      give_block (store, bytes, KYMO_FRAME_NO_TIME);
      most = MAX (most, kymo_stream_store_get_bytes (store));
      if (i % 600 > 0)
        continue;
      g_clear_pointer (&run, kymo_run_unref);
      run = kymo_stream_store_snapshot (store, TRUE);
      most_chunks = MAX (most_chunks, bins_of (run)->chunks->len);
    }
  g_clear_pointer (&run, kymo_run_unref);
  run = kymo_stream_store_snapshot (store, FALSE);
  log = run->stream;
  g_assert_cmpint (most, <, 5 << 20);
  g_assert_cmpuint (most_chunks, <, 200);
  g_assert_cmpuint (log->replies->len, <=, KYMO_STREAM_MAX_REPLIES);
  g_assert_cmpuint (log->replies->len, >, KYMO_STREAM_MAX_REPLIES / 2);
  g_assert_cmpint (g_array_index (log->replies, KymoStreamReply,
                                  log->replies->len - 4000).n_replies, ==, 1);
  g_assert_cmpint (run->span.end_ns, ==, (gint64) n_blocks * 1000 * MS);
  g_assert_cmpint (sum_of (run, 0, &rest_ns), ==, (gint64) n_blocks * 10 * 200000);
  g_assert_cmpint (g_array_index (log->seconds, KymoStreamSeconds, 0).sum_ns, ==,
                   (gint64) n_blocks * 10 * 200000);
  g_test_message ("%u blocks: %.1f MiB at most, %u chunks at most", n_blocks, most / 1048576.0,
                  most_chunks);
}

/* The words of a recording may be of any length: so much is kept of them, in
   whole characters. */
static void
test_words (void)
{
  g_autoptr (KymoStreamStore) store = new_store (0);
  g_autoptr (GString) words = g_string_new ("a");
  g_autoptr (KymoRun) run = NULL;
  const KymoIssue *issue = NULL;
  KymoFrameKind kinds[] = { KYMO_FRAME_LOST, KYMO_FRAME_LOST, KYMO_FRAME_END };
  guint8 bin[] = { 1, 0, 0, 0, 4, 0, 0, 0, 0, 0 };
  g_autoptr (GBytes) block = g_bytes_new_static (bin, sizeof bin);

  for (guint i = 0; i < 100000; i++)
    g_string_append (words, "é");
  give_block (store, block, 0);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (KymoStreamFrame) frame = kymo_stream_frame_new_text (kinds[i], 1, words->str);

      kymo_stream_store_take (store, frame, NULL, NULL);
    }
  run = kymo_stream_store_snapshot (store, FALSE);
  for (guint i = 0; i < kymo_report_get_n_issues (run->report) && issue == NULL; i++)
    if (g_str_has_prefix (kymo_report_peek_issue (run->report, i)->what, "aé"))
      issue = kymo_report_peek_issue (run->report, i);
  g_assert_nonnull (issue);
  g_assert_true (g_utf8_validate (issue->what, -1, NULL));
  g_assert_cmpint (issue->count, ==, 2);
  g_assert_true (g_utf8_validate (run->stream->ended, -1, NULL));
  g_assert_cmpuint (strlen (run->stream->ended), ==, 1999);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stream-long/far", test_far);
  g_test_add_func ("/stream-long/hostile", test_hostile);
  g_test_add_func ("/stream-long/week", test_week);
  g_test_add_func ("/stream-long/words", test_words);
  return g_test_run ();
}
