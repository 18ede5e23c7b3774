/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: any row of frames, and the runs that are made of it. Each
 * frame is a byte for its kind, one for where it lies, two for its length, and
 * its payload.
 *
 * Whatever came, a run's bins follow each other without gaps, busy and rest
 * are the span, and a run does not change when more comes.
 */
#include "config.h"

#include <string.h>

#include "fuzz.h"
#include "kymo-stream-store.h"

#define MS G_GINT64_CONSTANT (1000000)
#define MAX_FRAMES 400

static const KymoBins *
bins_of (const KymoRun *run)
{
  return ((const KymoSegment *) g_ptr_array_index (run->segments, 0))->bins;
}

/* All that a run's bins sum to, folded into one number. */
static gint64
check_sums (const KymoRun *run,
            KymoSpan       span)
{
  gint64 all = 0, folded = 0;
  KymoSums sums;

  kymo_sums_init (&sums, KYMO_STATE_ACTIVITY + run->activities->len);
  kymo_bins_sum (bins_of (run), span, &sums);
  for (guint i = 0; i < sums.n_states; i++)
    {
      fuzz_require (sums.ns[i] >= 0);
      all += sums.ns[i];
      folded = (gint64) ((guint64) folded * 31 + (guint64) sums.ns[i]);
    }
  fuzz_require (all == kymo_span_length (span));
  kymo_sums_clear (&sums);
  return folded;
}

static void
check_bins (const KymoRun *run)
{
  const KymoBins *bins = bins_of (run);
  gint64 at_ns = bins->begin_ns;

  for (guint i = 0; i < bins->chunks->len; i++)
    {
      const KymoBins *chunk = g_ptr_array_index (bins->chunks, i);

      fuzz_require (chunk->begin_ns == at_ns && chunk->bin_ns > 0 && chunk->n_bins > 0);
      fuzz_require (chunk->end_ns - at_ns == chunk->bin_ns * chunk->n_bins);
      at_ns = chunk->end_ns;
    }
  fuzz_require (at_ns == bins->end_ns);
  fuzz_require (run->span.begin_ns == bins->begin_ns && run->span.end_ns == bins->end_ns);
}

static void
check_log (const KymoRun *run)
{
  const KymoStreamLog *log = run->stream;
  gint64 at_ns = run->span.begin_ns, n = 0;

  for (guint i = 0; i < log->replies->len; i++)
    {
      const KymoStreamReply *reply = &g_array_index (log->replies, KymoStreamReply, i);

      fuzz_require (reply->span.begin_ns == at_ns && reply->span.end_ns > at_ns);
      at_ns = reply->span.end_ns;
      n += reply->n_replies;
    }
  fuzz_require (at_ns == run->span.end_ns && n == log->n_blocks);
  for (guint i = 0; i < log->marks->len; i++)
    {
      const KymoStreamMark *mark = &g_array_index (log->marks, KymoStreamMark, i);

      fuzz_require (g_utf8_validate (mark->text, -1, NULL));
      fuzz_require (i == 0 || (mark - 1)->time_ns <= mark->time_ns);
    }
  fuzz_require (log->seconds->len == run->activities->len);
  for (guint i = 0; i < log->seconds->len; i++)
    {
      const KymoStreamSeconds *second = &g_array_index (log->seconds, KymoStreamSeconds, i);

      fuzz_require (second->lowest_ns <= second->highest_ns
                    && second->highest_ns <= second->sum_ns);
    }
}

static gint64
check_run (const KymoRun *run)
{
  gint64 begin_ns = run->span.begin_ns, half_ns = kymo_span_length (run->span) / 3;

  check_bins (run);
  check_log (run);
  fuzz_report (run->report);
  for (guint i = 0; i < run->activities->len; i++)
    fuzz_require (g_utf8_validate (kymo_run_peek_activity (run, i)->name, -1, NULL));
  check_sums (run, (KymoSpan) { begin_ns, begin_ns + half_ns });
  return check_sums (run, run->span);
}

/* Where a frame lies: mostly at the clock. */
static gint64
place (KymoStreamStore *store,
       guint            how,
       const guint8    *bytes,
       gsize            n_bytes)
{
  gint64 raw;

  if (how < 160)
    return KYMO_FRAME_NO_TIME;
  if (how < 240)
    return kymo_stream_store_get_end_ns (store) + (G_GINT64_CONSTANT (1) << how % 40) * MS;
  if (n_bytes < sizeof raw)
    return how % 4 * MS;
  memcpy (&raw, bytes, sizeof raw);
  return how < 250 ? ABS (raw / 4) / MS * MS : raw;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (KymoStreamStore) store = kymo_stream_store_new ("fuzz", 3000);
  g_autoptr (KymoRun) kept = NULL;
  gint64 kept_sums = 0;

  for (guint n = 0; size >= 4 && n < MAX_FRAMES; n++)
    {
      gsize n_bytes = MIN ((gsize) (data[2] | data[3] << 8), size - 4);
      g_autoptr (GBytes) bytes = g_bytes_new (data + 4, n_bytes);
      g_autoptr (KymoStreamFrame) frame = kymo_stream_frame_new (data[0] % 16, n, bytes);
      g_autoptr (GError) error = NULL;
      const KymoStreamBlock *block;
      KymoStreamResult result;

      if (data[0] == 255)
        kymo_stream_store_reset (store);
      frame->begin_ns = place (store, data[1], data + 4, n_bytes);
      result = kymo_stream_store_take (store, frame, &block, &error);
      fuzz_require ((result == KYMO_STREAM_BAD) == (error != NULL));
      fuzz_require ((result == KYMO_STREAM_BLOCK) == (block != NULL));
      if (kept == NULL && (kept = kymo_stream_store_snapshot (store, TRUE)) != NULL)
        kept_sums = check_run (kept);
      data += 4 + n_bytes;
      size -= 4 + n_bytes;
    }
  if (kept != NULL)
    {
      g_autoptr (KymoRun) last = kymo_stream_store_snapshot (store, FALSE);

      fuzz_require (check_run (kept) == kept_sums);
      if (last != NULL)
        check_run (last);
    }
  return 0;
}
