/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a segment file: segments as they come, each at the next free place
 * and hashed on the way, then what tells where they are; the header last, so
 * that a file that was not finished is none. A segment is written in one
 * pass, without a copy of a column.
 *
 * A KymoSegmentWriter belongs to whoever made it; one thread at a time.
 */
#include "config.h"

#include "kymo-segment-file.h"

#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-segment-hash.h"
#include "kymo-segment-out.h"
#include "kymo-segment-totals.h"

static void
put_levels (KymoSegmentOut    *out,
            const KymoPyramid *pyramid,
            guint              column)
{
  for (guint i = 0; i < kymo_pyramid_get_n_levels (pyramid); i++)
    {
      const KymoPyramidLevel *level = kymo_pyramid_peek_level (pyramid, i);
      gsize n_sums = level->offsets[level->n_nodes];

      if (column == COLUMN_NODE_OFFSET)
        kymo_segment_out_put (out, level->offsets, 4 * ((gsize) level->n_nodes + 1));
      else if (column == COLUMN_NODE_STATE)
        kymo_segment_out_put (out, level->states, 4 * n_sums);
      else
        kymo_segment_out_put (out, level->ns, 8 * n_sums);
    }
}

static void
put_points (KymoSegmentOut    *out,
            const KymoSegment *segment)
{
  guint64 n_text = 0;

  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *p = &g_array_index (segment->points, KymoPoint, i);
      KymoStoredPoint stored = { p->begin_ns, p->end_ns, p->kind, p->activity, p->id,
                                 p->nested_id, p->value, p->text != NULL ? n_text + 1 : 0 };

      kymo_segment_out_put (out, &stored, sizeof stored);
      n_text += p->text != NULL ? strlen (p->text) + 1 : 0;
    }
}

static void
put_texts (KymoSegmentOut    *out,
           const KymoSegment *segment)
{
  for (guint i = 0; i < segment->points->len; i++)
    {
      const char *text = g_array_index (segment->points, KymoPoint, i).text;

      if (text != NULL)
        kymo_segment_out_put (out, text, strlen (text) + 1);
    }
}

static void
put_stretches (KymoSegmentOut    *out,
               const KymoSegment *segment)
{
  for (guint i = 0; i < segment->stretches->len; i++)
    {
      const KymoStretch *s = &g_array_index (segment->stretches, KymoStretch, i);
      KymoStoredStretch stored = { s->begin_ns, s->end_ns, s->kind };

      kymo_segment_out_put (out, &stored, sizeof stored);
    }
}

static void
put_one (KymoSegmentOut         *out,
         const KymoSegment      *segment,
         const KymoSegmentEntry *entry,
         guint                   index)
{
  const KymoSegmentColumn *column = &kymo_segment_columns[index];

  if (column->member >= 0)
    kymo_segment_out_put (out, G_STRUCT_MEMBER (gpointer, segment, column->member),
                          kymo_segment_column_size (entry, index) * entry->counts[column->count]);
  else if (index <= COLUMN_NODE_NS)
    put_levels (out, segment->pyramid, index);
  else if (index == COLUMN_MULTICASTS)
    kymo_segment_out_put (out, segment->multicasts->data, 12 * (gsize) segment->multicasts->len);
  else if (index == COLUMN_MULTICAST_PES)
    kymo_segment_out_put (out, segment->multicast_pes->data,
                          4 * (gsize) segment->multicast_pes->len);
  else if (index == COLUMN_POINTS)
    put_points (out, segment);
  else if (index == COLUMN_TEXT)
    put_texts (out, segment);
  else
    put_stretches (out, segment);
  kymo_segment_out_pad (out);
}

static guint64
count_text (const KymoSegment *segment)
{
  guint64 n = 0;

  for (guint i = 0; i < segment->points->len; i++)
    {
      const char *text = g_array_index (segment->points, KymoPoint, i).text;

      n += text != NULL ? strlen (text) + 1 : 0;
    }
  return n;
}

static void
fill_entry (const KymoSegment *s,
            KymoSegmentEntry  *entry)
{
  guint64 *n = entry->counts;

  entry->begin_ns = s->span.begin_ns;
  entry->end_ns = s->span.end_ns;
  entry->n_records = s->n_records;
  entry->memory_bytes = kymo_segment_get_bytes (s);
  entry->point_kinds = kymo_segment_get_point_kinds (s);
  entry->sends_ascend = s->sends_ascend;
  n[COUNT_PIECES] = s->n_pieces;
  n[COUNT_EDGES] = (guint64) s->n_pieces + 1;
  n[COUNT_BLOCKS] = s->n_blocks;
  entry->base_ns = s->base_ns;
  entry->unit_ns = s->unit_ns;
  entry->wide = s->wide;
  n[COUNT_BLOCK_OBJECTS] = s->block_object != NULL ? s->n_blocks : 0;
  n[COUNT_DEPTHS] = s->block_depth != NULL ? s->n_blocks : 0;
  n[COUNT_COUNTERS] = s->block_counters != NULL ? (guint64) s->n_blocks * s->n_counters : 0;
  n[COUNT_OBJECTS] = s->n_objects;
  n[COUNT_SENDS] = s->n_sends;
  n[COUNT_DESTINATIONS] = s->send_destinations != NULL ? s->n_sends : 0;
  n[COUNT_SEND_KINDS] = s->send_kind != NULL ? s->n_sends : 0;
  n[COUNT_MULTICASTS] = s->multicasts->len;
  n[COUNT_MULTICAST_PES] = s->multicast_pes->len;
  n[COUNT_POINTS] = s->points->len;
  n[COUNT_TEXT] = count_text (s);
  n[COUNT_STRETCHES] = s->stretches->len;
  for (guint i = 0; i < kymo_pyramid_get_n_levels (s->pyramid); i++)
    {
      const KymoPyramidLevel *level = kymo_pyramid_peek_level (s->pyramid, i);

      entry->level_sums[i] = level->offsets[level->n_nodes];
      n[COUNT_NODE_OFFSETS] += (guint64) level->n_nodes + 1;
      n[COUNT_NODE_SUMS] += entry->level_sums[i];
    }
  for (guint i = 0; i < N_COLUMNS; i++)
    entry->n_bytes += kymo_segment_aligned (kymo_segment_column_size (entry, i)
                                            * n[kymo_segment_columns[i].count]);
}

static void
put_segment (KymoSegmentOut    *out,
             const KymoSegment *segment,
             KymoSegmentEntry  *entry)
{
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      guint part = kymo_segment_columns[i].part;

      put_one (out, segment, entry, i);
      if (i + 1 == N_COLUMNS || part != kymo_segment_columns[i + 1].part)
        entry->hash[part] = kymo_segment_out_end_hash (out);
    }
}

/* In the order in which kymo_segment_sum() meets the states, so that an
   answer does not depend on where the run came from. */
static GArray *
make_sums (const KymoRun *run)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (KymoStoredSum));
  KymoSums sums;

  kymo_sums_init (&sums, KYMO_STATE_ACTIVITY + run->activities->len);
  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);

      kymo_segment_sum (segment, segment->span, NULL, &sums);
      for (guint k = 0; k < sums.n_touched; k++)
        {
          KymoStoredSum sum = { i, sums.touched[k], sums.ns[sums.touched[k]] };

          g_array_append_val (list, sum);
        }
      kymo_sums_reset (&sums);
    }
  kymo_sums_clear (&sums);
  return list;
}

static void
put_section (KymoSegmentOut   *out,
             KymoSegmentPlace *place,
             gconstpointer     bytes,
             gsize             n_bytes)
{
  place->offset = out->offset + out->n;
  place->n_bytes = n_bytes;
  kymo_segment_out_put (out, bytes, n_bytes);
  kymo_segment_out_pad (out);
  place->hash = kymo_segment_out_end_hash (out);
}

static gboolean
in_reach (KymoSpan span)
{
  return span.begin_ns > -KYMO_SEGMENT_MAX_NS && span.end_ns < KYMO_SEGMENT_MAX_NS;
}

static gboolean
are_words (GPtrArray *words)
{
  for (guint i = 0; i < words->len; i++)
    if (!g_utf8_validate (g_ptr_array_index (words, i), -1, NULL))
      return FALSE;
  return TRUE;
}

static gboolean
segment_can_be_kept (const KymoSegment *segment,
                     guint              n_metrics)
{
  return segment->bins == NULL && segment->backing == NULL && in_reach (segment->span)
    && (segment->n_counters == 0 || segment->n_counters == n_metrics);
}

/* What the format has no place for is not kept, and read from its files each
   time. */
static gboolean
can_be_kept (const KymoRun *run)
{
  if ((run->kind != KYMO_RUN_TRACE && run->kind != KYMO_RUN_REDUCED)
      || run->segments->len != run->locations->len || run->segments->len == 0
      || run->metrics->len > G_MAXUINT16)
    return FALSE;
  if (!are_words (run->metrics) || !are_words (run->notes))
    return FALSE;
  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);

      if (segment->location != i || !in_reach (segment->span))
        return FALSE;
    }
  return TRUE;
}

/* The words of an error of a file that could not be written. */
static gboolean
succeeded (int      failed,
           GError **error)
{
  if (failed == 0)
    return TRUE;
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_WRITE, g_strerror (failed));
  return FALSE;
}

struct _KymoSegmentWriter
{
  int     fd;
  guint64 end;                  /* where the next segment goes */
  GArray *entries;              /* KymoSegmentEntry, by place */
};

/**
 * kymo_segment_writer_new:
 * @fd: an empty file, open for writing; taken over
 *
 * Returns: (transfer full): a writer of a file without segments
 */
KymoSegmentWriter *
kymo_segment_writer_new (int fd)
{
  KymoSegmentWriter *writer = g_new0 (KymoSegmentWriter, 1);

  writer->fd = fd;
  writer->end = sizeof (KymoSegmentHeader);
  writer->entries = g_array_new (FALSE, TRUE, sizeof (KymoSegmentEntry));
  return writer;
}

void
kymo_segment_writer_free (KymoSegmentWriter *writer)
{
  if (writer == NULL)
    return;
  if (writer->fd >= 0)
    close (writer->fd);
  g_array_unref (writer->entries);
  g_free (writer);
}

/**
 * kymo_segment_writer_get_fd:
 *
 * Returns: the file, which stays the writer's
 */
int
kymo_segment_writer_get_fd (const KymoSegmentWriter *writer)
{
  return writer->fd;
}

/**
 * kymo_segment_writer_get_end:
 *
 * Returns: bytes of the file so far
 */
guint64
kymo_segment_writer_get_end (const KymoSegmentWriter *writer)
{
  return writer->end;
}

/**
 * kymo_segment_writer_add:
 * @place: which of the run's segments it will be; none is written twice
 * @segment: sealed, in memory; its totals are made, its columns may go after
 * @n_metrics: hardware counters of the run
 * @cancellable: (nullable): looked at every few hundred kilobytes
 *
 * After a failure the writer is as before and may be used on.
 *
 * Returns: whether it was written; the error's words are the system's, or
 * %KYMO_ERROR_UNANSWERABLE for a segment that cannot be kept
 */
gboolean
kymo_segment_writer_add (KymoSegmentWriter  *writer,
                         guint               place,
                         KymoSegment        *segment,
                         guint               n_metrics,
                         GCancellable       *cancellable,
                         GError            **error)
{
  KymoSegmentEntry entry = { 0 };
  KymoSegmentOut out;

  if (!segment_can_be_kept (segment, n_metrics))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "This run is not one to be kept");
      return FALSE;
    }
  kymo_segment_peek_totals (segment);
  fill_entry (segment, &entry);
  entry.offset = writer->end;
  kymo_segment_out_init (&out, writer->fd, entry.offset, cancellable);
  put_segment (&out, segment, &entry);
  if (!succeeded (kymo_segment_out_clear (&out), error))
    return FALSE;
  writer->end += entry.n_bytes;
  if (writer->entries->len <= place)
    g_array_set_size (writer->entries, place + 1);
  g_array_index (writer->entries, KymoSegmentEntry, place) = entry;
  return TRUE;
}

static void
fill_header (KymoSegmentHeader *header,
             const KymoRun     *run,
             const guint8      *key)
{
  memcpy (header->magic, KYMO_SEGMENT_MAGIC, sizeof header->magic);
  memcpy (header->key, key, sizeof header->key);
  header->byte_order = KYMO_SEGMENT_BYTE_ORDER;
  header->version = KYMO_SEGMENT_VERSION;
  header->n_segments = run->segments->len;
  header->n_states = KYMO_STATE_ACTIVITY + run->activities->len;
  header->n_metrics = run->metrics->len;
}

static void
put_totals (KymoSegmentOut    *out,
            KymoSegmentHeader *header,
            const KymoRun     *run)
{
  KymoStoredTotalsLists lists;

  kymo_stored_totals_make (run, &lists);
  put_section (out, &header->totals, lists.segments->data,
               lists.segments->len * sizeof (KymoStoredTotals));
  put_section (out, &header->activity_totals, lists.activities->data,
               lists.activities->len * sizeof (KymoActivityTotal));
  put_section (out, &header->counter_totals, lists.counters->data,
               lists.counters->len * sizeof (KymoCounterTotal));
  kymo_stored_totals_clear (&lists);
}

/**
 * kymo_segment_writer_finish:
 * @run: sealed; each of its segments was added in its place
 * @key: (array fixed-size=32): what the file has to be asked for with
 * @cancellable: (nullable): looked at now and then
 *
 * Writes the tables and, last, the header that makes a file of it.
 *
 * Returns: whether the file is whole; errors as of kymo_segment_writer_add()
 */
gboolean
kymo_segment_writer_finish (KymoSegmentWriter  *writer,
                            const KymoRun      *run,
                            const guint8       *key,
                            GCancellable       *cancellable,
                            GError            **error)
{
  g_autoptr (GVariant) table = NULL;
  g_autoptr (GArray) sums = NULL;
  g_autoptr (GByteArray) origin = NULL;
  KymoSegmentHeader header = { 0 };
  KymoSegmentOut out;

  if (!can_be_kept (run) || writer->entries->len != run->segments->len)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "This run is not one to be kept");
      return FALSE;
    }
  table = kymo_run_table_pack (run);
  sums = make_sums (run);
  origin = kymo_segment_origin_pack (run);
  fill_header (&header, run, key);
  kymo_segment_out_init (&out, writer->fd, writer->end, cancellable);
  put_section (&out, &header.entries, writer->entries->data,
               writer->entries->len * sizeof (KymoSegmentEntry));
  put_section (&out, &header.sums, sums->data, sums->len * sizeof (KymoStoredSum));
  put_section (&out, &header.table, g_variant_get_data (table), g_variant_get_size (table));
  put_totals (&out, &header, run);
  put_section (&out, &header.origin, origin->data, origin->len);
  header.file_bytes = out.offset + out.n;
  header.hash = kymo_hash_of (&header, sizeof header);
  if (!succeeded (kymo_segment_out_clear (&out), error))
    return FALSE;
  kymo_segment_out_init (&out, writer->fd, 0, NULL);
  kymo_segment_out_put (&out, &header, sizeof header);
  return succeeded (kymo_segment_out_clear (&out), error);
}

/* Ahead of the writer, which waits for the disk more than for these. */
static gpointer
make_totals (gpointer data)
{
  const KymoRun *run = data;

  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = g_ptr_array_index (run->segments, i);

      if (segment_can_be_kept (segment, run->metrics->len))
        kymo_segment_peek_totals (segment);
    }
  return NULL;
}

/**
 * kymo_segment_file_write:
 * @run: a sealed run whose segments are in memory
 * @key: (array fixed-size=32): what the file has to be asked for with
 * @fd: an empty file, open for writing; stays open
 * @cancellable: (nullable): looked at every few hundred kilobytes
 *
 * Any thread. On failure the file holds rubbish and is to be removed.
 *
 * Returns: whether the whole file was written; errors as of
 * kymo_segment_writer_add()
 */
gboolean
kymo_segment_file_write (const KymoRun  *run,
                         const guint8   *key,
                         int             fd,
                         GCancellable   *cancellable,
                         GError        **error)
{
  g_autoptr (KymoSegmentWriter) writer = kymo_segment_writer_new (dup (fd));
  gboolean done = TRUE;
  GThread *ahead;

  if (!can_be_kept (run))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "This run is not one to be kept");
      return FALSE;
    }
  ahead = g_thread_new ("kymo-totals", make_totals, (gpointer) run);
  for (guint i = 0; i < run->segments->len && done; i++)
    done = kymo_segment_writer_add (writer, i, g_ptr_array_index (run->segments, i),
                                    run->metrics->len, cancellable, error);
  g_thread_join (ahead);
  return done && kymo_segment_writer_finish (writer, run, key, cancellable, error);
}
