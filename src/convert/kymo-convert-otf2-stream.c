/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of one location, in order of time, as a tracer records them: regions are entered
 * and left by their depths, and between two of these comes what lies beside blocks
 * (kymo-convert-otf2-sides.c).
 */
#include "config.h"

#include "kymo-convert-otf2-stream.h"

#include <string.h>

/* -- blocks ------------------------------------------------------------------------ */

/* Counters stand before the record that they are read with. One that was not read has a value
   beyond what is counted. */
static void
put_totals (KymoOtf2Writing       *stream,
            gint64        time_ns,
            const gint64 *totals)
{
  OTF2_Type types[G_MAXUINT8];
  OTF2_MetricValue values[G_MAXUINT8];
  guint n = stream->segment->n_counters;

  for (guint i = 0; i < n; i++)
    {
      types[i] = OTF2_TYPE_UINT64;
      values[i].unsigned_int = totals[i] == KYMO_NO_COUNT ? G_MAXUINT64 : (guint64) totals[i];
    }
  kymo_otf2_done (stream, OTF2_EvtWriter_Metric (
    stream->writer, NULL, kymo_otf2_at (stream, time_ns),
    stream->out->counters, n, types, values));
}

static void
enter_otf2_stream (KymoOtf2Writing  *stream,
                   guint32  block)
{
  const KymoSegment *segment = stream->segment;
  gint64 time_ns = kymo_segment_block_begin (segment, block);
  guint n = segment->n_counters;

  stream->open[stream->depth] = block;
  if (stream->goes_on != NULL && stream->is_later[block])
    {
      stream->depth++;
      return;
    }
  if (n > 0)
    {
      memcpy (stream->entered + (gsize) stream->depth * n, stream->totals, n * sizeof (gint64));
      put_totals (stream, time_ns, stream->totals);
    }
  kymo_otf2_done (stream, OTF2_EvtWriter_Enter (
    stream->writer, NULL, kymo_otf2_at (stream, time_ns),
    stream->out->region_of[segment->block_activity[block]]));
  stream->depth++;
}

/* Writes the counters at the end of a block. The run has counts by block; a count that is not known
   adds nothing to the total. */
static void
put_counts (KymoOtf2Writing  *stream,
            guint32  block,
            gint64   time_ns)
{
  const KymoSegment *segment = stream->segment;
  guint n = segment->n_counters;
  const gint64 *counts = segment->block_counters + (gsize) block * n;
  const gint64 *entered = stream->entered + (gsize) stream->depth * n;
  g_autofree gint64 *totals = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    {
      if (counts[i] == KYMO_NO_COUNT || counts[i] < 0
          || __builtin_add_overflow (entered[i], counts[i], &totals[i]))
        totals[i] = KYMO_NO_COUNT;
      else
        stream->totals[i] = MAX (stream->totals[i], totals[i]);
    }
  put_totals (stream, time_ns, totals);
}

static void
leave_otf2_stream (KymoOtf2Writing *stream)
{
  const KymoSegment *segment = stream->segment;
  guint32 block = kymo_otf2_open_block (stream);
  gint64 time_ns = kymo_segment_block_end (segment, block);

  kymo_otf2_put_until (stream, time_ns);
  stream->depth--;
  if (stream->goes_on != NULL && stream->goes_on[block] != KYMO_NO_BLOCK)
    return;
  if (segment->n_counters > 0)
    put_counts (stream, block, time_ns);
  kymo_otf2_done (stream, OTF2_EvtWriter_Leave (
    stream->writer, NULL, kymo_otf2_at (stream, time_ns),
    stream->out->region_of[segment->block_activity[block]]));
}

static gboolean
put_blocks (KymoOtf2Writing *stream)
{
  const KymoSegment *segment = stream->segment;
  KymoOtf2Out *out = stream->out;

  for (guint i = 0; i < segment->n_blocks; i++)
    {
      guint depth = segment->block_depth != NULL ? segment->block_depth[i] : 0;

      if (out->code != OTF2_SUCCESS || !kymo_convert_goes_on (out->convert, i))
        return FALSE;
      if (stream->parts.blocks != NULL && !stream->parts.blocks[i])
        continue;
      while (stream->depth > depth)
        leave_otf2_stream (stream);
      kymo_otf2_put_until (stream, kymo_segment_block_begin (segment, i));
      enter_otf2_stream (stream, i);
    }
  while (stream->depth > 0)
    leave_otf2_stream (stream);
  kymo_otf2_put_until (stream, G_MAXINT64);
  return TRUE;
}

/* -- one location ------------------------------------------------------------------ */

static gboolean
is_written (const KymoOtf2Writing *stream,
            guint                  block)
{
  return stream->parts.blocks == NULL || stream->parts.blocks[block];
}

/* A call that is open when tracing goes off and on is entered and left once. */
static void
find_calls (KymoOtf2Writing *stream)
{
  const KymoSegment *segment = stream->segment;
  g_autoptr (GHashTable) last = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < segment->n_blocks; i++)
    {
      gpointer call = GINT_TO_POINTER (segment->block_event[i]);
      gpointer before;

      if (segment->block_event[i] >= KYMO_NO_MESSAGE || !is_written (stream, i))
        continue;
      if (stream->goes_on == NULL)
        {
          stream->goes_on = g_new (guint32, segment->n_blocks);
          memset (stream->goes_on, 0xff, segment->n_blocks * sizeof (guint32));
          stream->is_later = g_new0 (guint8, segment->n_blocks);
        }
      if (g_hash_table_lookup_extended (last, call, NULL, &before))
        {
          stream->goes_on[GPOINTER_TO_UINT (before)] = i;
          stream->is_later[i] = TRUE;
        }
      g_hash_table_insert (last, call, GUINT_TO_POINTER (i));
    }
}

static void
otf2_stream_prepare (KymoOtf2Writing *stream,
                     guint   location)
{
  gsize n_metrics = MAX (stream->segment->n_counters, 1);

  stream->totals = g_new0 (gint64, n_metrics);
  stream->entered = g_new0 (gint64, (G_MAXUINT8 + 1) * n_metrics);
  kymo_trace_parts_init (&stream->parts, &stream->out->choice, location);
  find_calls (stream);
  kymo_otf2_sides_init (stream, location);
}

static void
otf2_stream_clear (KymoOtf2Writing *stream)
{
  g_free (stream->goes_on);
  g_free (stream->is_later);
  kymo_otf2_sides_clear (stream);
  kymo_trace_parts_clear (&stream->parts);
  g_free (stream->totals);
  g_free (stream->entered);
}

static OTF2_StringRef
program_of (KymoOtf2Out *out)
{
  const GArray *facts = out->convert->run->facts;

  for (guint i = 0; i < facts->len; i++)
    if (g_str_equal (g_array_index (facts, KymoFact, i).key, "program"))
      return kymo_otf2_out_string (out, g_array_index (facts, KymoFact, i).value);
  return OTF2_UNDEFINED_STRING;
}

/* No record exists for array elements, nor for messages that were not received: for whom they were
   is not known. One that several received is several of an archive. */
static void
look_for_calls (KymoOtf2Writing *stream)
{
  KymoSegment *segment = (KymoSegment *) stream->segment;
  KymoOtf2Out *out = stream->out;
  guint n_sent = stream->creations != NULL ? stream->creations->len : 0;

  if (segment->exchange == NULL && out->choice.whole && segment->n_sends > n_sent)
    out->n_calls += segment->n_sends - n_sent;
  for (guint i = 0; segment->exchange == NULL && i < segment->n_blocks; i++)
    out->n_pieces += segment->block_event[i] >= 0 && is_written (stream, i)
      && !kymo_segment_is_first (segment, i);
  out->objects |= segment->block_object != NULL;
}

/**
 * kymo_otf2_out_write_stream:
 * @place: number of the location in the archive
 *
 * Writes its events. It is as long as in the run: the program begins and ends with its span.
 */
gboolean
kymo_otf2_out_write_stream (KymoOtf2Out  *out,
                            guint         place,
                            GError      **error)
{
  KymoOtf2OutPlace *of = kymo_otf2_out_place (out, place);
  OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter (out->archive, place);
  gboolean good = writer != NULL;

  if (good && !of->is_empty)
    {
      const KymoSegment *segment = g_ptr_array_index (out->convert->run->segments, of->location);
      KymoOtf2Writing stream = { .out = out, .writer = writer, .segment = segment };

      otf2_stream_prepare (&stream, of->location);
      kymo_otf2_done (&stream, OTF2_EvtWriter_ProgramBegin (
        writer, NULL, kymo_otf2_at (&stream, segment->span.begin_ns),
        program_of (out), 0, NULL));
      good = put_blocks (&stream);
      kymo_otf2_done (&stream, OTF2_EvtWriter_ProgramEnd (
        writer, NULL, kymo_otf2_at (&stream, segment->span.end_ns),
        OTF2_UNDEFINED_INT64));
      OTF2_EvtWriter_GetNumberOfEvents (writer, &of->n_events);
      otf2_stream_clear (&stream);
      look_for_calls (&stream);
    }
  /* After a failed write the archive is not closed here: closing writes the buffer again, and the
     library would read memory that it has freed. */
  if (writer != NULL && out->code == OTF2_SUCCESS)
    kymo_otf2_out_note (out, OTF2_Archive_CloseEvtWriter (out->archive, writer));
  return !kymo_convert_is_stopped (out->convert, error) && good && out->code == OTF2_SUCCESS;
}
