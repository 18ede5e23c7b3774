/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: the first look at a log, of which a draft is made. The
 * first byte chooses the names; with a second byte 'z' the rest is compressed
 * here, since no search finds a gzip file by chance.
 */
#include "config.h"

#include "fuzz-mutate.h"
#include "fuzz.h"

#include <string.h>
#include <zlib.h>

#include "kymo-projections-probe.h"

#define HEAD_BYTES 2

static gsize
split (const guint8 *data,
       gsize         size,
       gsize         at)
{
  return at < HEAD_BYTES ? 1 : fuzz_split_line (data, size, at);
}

static const FuzzGrammar grammar = { split, fuzz_change_line };
FUZZ_GRAMMAR (grammar)

static gsize
compress_here (const guint8 *data,
               gsize         size,
               guint8       *out,
               gsize         room)
{
  z_stream z = { 0 };

  if (deflateInit2 (&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    g_error ("no deflate");
  z.next_in = (guint8 *) data;
  z.avail_in = size;
  z.next_out = out;
  z.avail_out = room;
  fuzz_require (deflate (&z, Z_FINISH) == Z_STREAM_END);
  deflateEnd (&z);
  return room - z.avail_out;
}

static const char *
put_file (const guint8 *data,
          gsize         size)
{
  gsize room = compressBound (size - HEAD_BYTES) + 64;
  g_autofree guint8 *made = NULL;

  if (data[1] != 'z')
    return fuzz_file (data + HEAD_BYTES, size - HEAD_BYTES);
  made = g_malloc (room);
  return fuzz_file (made, compress_here (data + HEAD_BYTES, size - HEAD_BYTES, made, room));
}

static void
check_probe (const KymoProbe *probe,
             guint            n_states)
{
  fuzz_require (probe->span.begin_ns <= probe->span.end_ns);
  fuzz_require (probe->plain_bytes >= 0 && probe->head_bytes >= 0);
  fuzz_require (kymo_probe_guess_end (probe) >= probe->span.end_ns);
  for (guint i = 0; i < probe->samples->len; i++)
    {
      const KymoProbeSample *s = &g_array_index (probe->samples, KymoProbeSample, i);
      gint64 ns = 0;

      fuzz_require (s->span.begin_ns < s->span.end_ns);
      fuzz_require (s->mix_ns == kymo_span_length (s->span));
      fuzz_require (s->n_shares <= probe->shares->len
                    && s->first <= probe->shares->len - s->n_shares);
      for (guint k = s->first; k < s->first + s->n_shares; k++)
        {
          const KymoProbeShare *share = &g_array_index (probe->shares, KymoProbeShare, k);

          fuzz_require (share->state < n_states && share->state != KYMO_STATE_OVERHEAD);
          fuzz_require (share->ns > 0);
          ns += share->ns;
        }
      fuzz_require (ns <= s->mix_ns);
    }
}

/* Every moment is accounted for, and parts add up to the whole. */
static void
check_draft (const KymoSegment *segment,
             guint              n_states)
{
  gint64 middle = segment->span.begin_ns + kymo_span_length (segment->span) / 3;
  KymoSums whole, parts;
  gint64 total = 0;

  kymo_sums_init (&whole, n_states);
  kymo_sums_init (&parts, n_states);
  kymo_segment_sum (segment, segment->span, NULL, &whole);
  kymo_segment_sum (segment, (KymoSpan) { segment->span.begin_ns, middle }, NULL, &parts);
  kymo_segment_sum (segment, (KymoSpan) { middle, segment->span.end_ns }, NULL, &parts);
  for (guint i = 0; i < n_states; i++)
    {
      fuzz_require (whole.ns[i] >= 0 && whole.ns[i] == parts.ns[i]);
      total += whole.ns[i];
    }
  fuzz_require (total == kymo_span_length (segment->span));
  kymo_sums_clear (&whole);
  kymo_sums_clear (&parts);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  guint n_activities, n_states;
  const KymoSts *sts;
  const char *path;
  KymoProber *prober;
  KymoProbe probe;
  KymoSegment *segment;
  KymoSpan span = { 0, 1000 };

  if (size <= HEAD_BYTES)
    return 0;
  sts = fuzz_table (data[0] - '0', &n_activities);
  n_states = KYMO_STATE_ACTIVITY + n_activities;
  path = put_file (data, size);
  prober = kymo_prober_new (sts, n_activities, 64 + 8 * size);
  kymo_prober_read_ends (prober, path, &probe);
  for (guint i = 1; i < 4; i++)
    kymo_prober_read_sample (prober, path, size * i / 4, &probe);
  check_probe (&probe, n_states);
  if (probe.kind != KYMO_PROBE_NOTHING)
    span = (KymoSpan) { probe.span.begin_ns, kymo_probe_guess_end (&probe) + size % 3 * 500 };
  segment = kymo_probe_make_segment (&probe, span, n_states, 1 + size % 61);
  check_draft (segment, n_states);
  kymo_segment_unref (segment);
  kymo_probe_clear (&probe);
  kymo_prober_free (prober);
  return 0;
}
