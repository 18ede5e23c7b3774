/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "hand_stream.h"

#define MS 1000000
#define SECOND_NS G_GINT64_CONSTANT (1000000000)

gint64
hand_stream_sum (const HandStream *stream,
                 guint             activity,
                 guint             from_ms,
                 guint             to_ms)
{
  gint64 sum = 0;

  for (guint ms = from_ms; ms < to_ms; ms++)
    sum += stream->ns[(gsize) ms * stream->n_activities + activity];
  return sum;
}

guint
hand_stream_traced (const HandStream *stream,
                    guint             from_ms,
                    guint             to_ms)
{
  guint n = 0;

  for (guint ms = from_ms; ms < to_ms; ms++)
    n += !stream->lost[ms / 1000];
  return n;
}

/* Steps of 4,000 ns, as the program sends them; never more than the bin. */
static void
fill (HandStream *stream,
      GRand      *rand,
      guint       lose)
{
  for (guint s = 0; s < stream->n_seconds; s++)
    {
      stream->lost[s] = lose > 0 && g_rand_int_range (rand, 0, lose) == 0;
      for (guint ms = s * 1000; ms < (s + 1) * 1000 && !stream->lost[s]; ms++)
        {
          guint left = 250;

          for (guint a = 0; a < stream->n_activities; a++)
            {
              gboolean there = g_rand_int_range (rand, 0, 4) != 0;
              guint part = there ? g_rand_int_range (rand, 0, left + 1) : 0;

              stream->ns[(gsize) ms * stream->n_activities + a] = part * 4000;
              left -= part;
            }
        }
    }
}

static void
add_node (const HandStream *stream,
          guint             from_ms,
          guint             to_ms,
          GArray           *states,
          GArray           *ns)
{
  gint64 lost_ns = (gint64) (to_ms - from_ms - hand_stream_traced (stream, from_ms, to_ms)) * MS;
  guint32 untraced = KYMO_STATE_UNTRACED;

  for (guint a = 0; a < stream->n_activities; a++)
    {
      gint64 sum = hand_stream_sum (stream, a, from_ms, to_ms);
      guint32 state = KYMO_STATE_ACTIVITY + a;

      if (sum == 0)
        continue;
      g_array_append_val (states, state);
      g_array_append_val (ns, sum);
    }
  if (lost_ns == 0)
    return;
  g_array_append_val (states, untraced);
  g_array_append_val (ns, lost_ns);
}

static KymoBins *
make_chunk (const HandStream *stream,
            guint             from_ms,
            guint             to_ms,
            guint             bin_ms)
{
  guint n = (to_ms - from_ms) / bin_ms;
  KymoBins *chunk = kymo_bins_new ((gint64) bin_ms * MS, n);
  GArray *states = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint32 *offsets = g_new (guint32, n + 1);

  chunk->begin_ns = (gint64) from_ms * MS;
  chunk->end_ns = (gint64) to_ms * MS;
  for (guint i = 0; i < n; i++)
    {
      offsets[i] = states->len;
      add_node (stream, from_ms + i * bin_ms, from_ms + (i + 1) * bin_ms, states, ns);
    }
  offsets[n] = states->len;
  chunk->times = kymo_pyramid_new_from_nodes (offsets, (gpointer) g_array_free (states, FALSE),
                                              (gpointer) g_array_free (ns, FALSE), n,
                                              KYMO_STATE_ACTIVITY + stream->n_activities);
  return chunk;
}

static KymoBins *
make_bins (const HandStream *stream,
           HandStreamBins    kind)
{
  static const guint lengths[] = { 1, 10, 1000, 10000 };
  GPtrArray *chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_bins_unref);
  guint thin = stream->n_seconds / 2 / 10 * 10;

  if (kind != HAND_STREAM_1_MS && thin > 0)
    g_ptr_array_add (chunks, make_chunk (stream, 0, thin * 1000, lengths[kind]));
  else
    thin = 0;
  for (guint s = thin; s < stream->n_seconds; s++)
    g_ptr_array_add (chunks, make_chunk (stream, s * 1000, (s + 1) * 1000, 1));
  return kymo_bins_new_of_chunks (chunks);
}

static void
count_second (KymoStreamSeconds *seconds,
              gint64             ns,
              gboolean           first)
{
  seconds->sum_ns += ns;
  seconds->lowest_ns = first ? ns : MIN (seconds->lowest_ns, ns);
  seconds->highest_ns = MAX (seconds->highest_ns, ns);
  seconds->last_ns = ns;
}

static void
log_second (const HandStream *stream,
            KymoStreamLog    *log,
            guint             s,
            GRand            *rand)
{
  gint64 bytes = g_rand_int_range (rand, 4000, 9000), busy = 0;
  KymoStreamReply reply = { { s * SECOND_NS, (s + 1) * SECOND_NS }, 0, bytes, 1, bytes };
  KymoStreamMark mark = { s * SECOND_NS, 0, KYMO_STREAM_MARK_LOST, NULL };

  reply.arrived_us = log->begin_us + (s + 1) * 1000000 + g_rand_int_range (rand, 5000, 90000);
  log->end_us = mark.at_us = reply.arrived_us;
  if (stream->lost[s])
    {
      reply.bytes = reply.n_replies = reply.largest_bytes = 0;
      mark.text = g_strdup ("a block was lost");
      log->n_lost++;
      g_array_append_val (log->marks, mark);
      g_array_append_val (log->replies, reply);
      return;
    }
  g_array_append_val (log->replies, reply);
  for (guint a = 0; a < stream->n_activities; a++)
    {
      gint64 ns = hand_stream_sum (stream, a, s * 1000, (s + 1) * 1000);

      busy += ns;
      count_second (&g_array_index (log->seconds, KymoStreamSeconds, a), ns, log->n_seconds == 0);
    }
  count_second (&log->busy, busy, log->n_seconds == 0);
  log->bytes_received += bytes + 4;
  log->newest = reply.span;
  log->n_blocks++;
  log->n_seconds++;
}

static KymoStreamLog *
make_log (const HandStream *stream,
          GRand            *rand)
{
  KymoStreamLog *log = kymo_stream_log_new ();

  log->begin_us = log->end_us = G_GINT64_CONSTANT (1700000000000000);
  log->n_pes = 4;
  g_array_set_size (log->seconds, stream->n_activities);
  for (guint s = 0; s < stream->n_seconds; s++)
    log_second (stream, log, s, rand);
  return log;
}

HandStream *
hand_stream_new (guint32        seed,
                 guint          n_seconds,
                 guint          n_activities,
                 guint          lose,
                 HandStreamBins bins)
{
  HandStream *stream = g_new0 (HandStream, 1);
  KymoLocation location = { .id = 0, .label = g_strdup ("Mean of 4 PEs"), .kept = TRUE };
  GRand *rand = g_rand_new_with_seed (seed);

  stream->n_seconds = n_seconds;
  stream->n_activities = n_activities;
  stream->ns = g_new0 (guint32, (gsize) n_seconds * 1000 * n_activities + 1);
  stream->lost = g_new0 (guint8, n_seconds + 1);
  fill (stream, rand, lose);
  stream->run = kymo_run_new ();
  stream->run->kind = KYMO_RUN_STREAM;
  stream->run->format = g_strdup ("ccs");
  stream->run->title = g_strdup ("stream");
  stream->run->n_locations_original = 4;
  for (guint a = 0; a < n_activities; a++)
    {
      g_autofree char *name = g_strdup_printf ("Cell::work %u", a);

      kymo_run_add_activity (stream->run, KYMO_ACTIVITY_ENTRY, 10 + a, name, NULL, NULL);
    }
  kymo_run_add_fact (stream->run, "handler", "CkPerfSumDetail compressed");
  stream->run->stream = make_log (stream, rand);
  kymo_run_add_location (stream->run, &location,
                         kymo_segment_new_of_bins (make_bins (stream, bins)));
  kymo_run_seal (stream->run);
  g_rand_free (rand);
  return stream;
}

void
hand_stream_free (HandStream *stream)
{
  kymo_run_unref (stream->run);
  g_free (stream->ns);
  g_free (stream->lost);
  g_free (stream);
}
