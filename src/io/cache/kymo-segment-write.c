/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a segment file: segments as they come, each at the next free place
 * and hashed on the way, then what tells where they are; the header last, so
 * that a file that was not finished is none. A segment is written in one
 * pass, without a copy of a column.
 *
 * A KymoSegmentWriter belongs to its maker; one thread at a time.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-segment-file.h"

#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-segment-collectives.h"
#include "kymo-segment-hash.h"
#include "kymo-segment-keep.h"
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
      KymoStoredPoint stored = { p->begin_ns, p->end_ns, p->kind, p->op, p->flag, p->activity,
                                 p->id, p->nested_id, p->number,
                                 p->text != NULL ? n_text + 1 : 0 };

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

  gconstpointer owner = column->of_exchange ? (gconstpointer) segment->exchange : segment;

  if (column->member >= 0 && owner != NULL)
    kymo_segment_out_put (out, G_STRUCT_MEMBER (gpointer, owner, column->member),
                          kymo_segment_column_size (entry, index) * entry->counts[column->count]);
  else if (column->of_exchange)
    return;
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
  n[COUNT_EXCHANGED_SENDS] = s->exchange != NULL ? s->exchange->n_sends : 0;
  n[COUNT_RECEIVES] = s->exchange != NULL ? s->exchange->n_receives : 0;
  if (s->exchange != NULL && s->exchange->send_request != NULL)
    n[COUNT_SEND_REQUESTS] = s->exchange->n_sends;
  if (s->exchange != NULL && s->exchange->receive_request != NULL)
    n[COUNT_RECEIVE_REQUESTS] = s->exchange->n_receives;
  n[COUNT_ASIDES] = s->n_asides;
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
static void
fill_sums (const KymoSegment  *segment,
           guint               n_states,
           KymoSegmentWritten *written)
{
  KymoSums sums;

  kymo_sums_init (&sums, n_states);
  kymo_segment_sum (segment, segment->span, NULL, &sums);
  written->n_sums = sums.n_touched;
  written->sums = g_new (KymoStoredSum, MAX (sums.n_touched, 1));
  for (guint i = 0; i < sums.n_touched; i++)
    written->sums[i] = (KymoStoredSum) { 0, sums.touched[i], sums.ns[sums.touched[i]] };
  kymo_sums_clear (&sums);
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
  guint   n_metrics;
  guint   n_states;
  guint64 end;                  /* where the next segment goes */
  GArray *written;              /* KymoSegmentWritten, by place */
};

static void
written_clear (gpointer data)
{
  KymoSegmentWritten *written = data;

  g_free (written->sums);
  g_free ((gpointer) written->totals.activities);
  g_free ((gpointer) written->totals.counters);
}

/**
 * kymo_segment_writer_new:
 * @fd: an empty file, open for writing; taken over
 * @n_metrics: hardware counters of the run
 * @n_states: states of the run
 *
 * Returns: (transfer full): a writer of a file without segments
 */
KymoSegmentWriter *
kymo_segment_writer_new (int   fd,
                         guint n_metrics,
                         guint n_states)
{
  KymoSegmentWriter *writer = g_new0 (KymoSegmentWriter, 1);

  writer->fd = fd;
  writer->n_metrics = n_metrics;
  writer->n_states = n_states;
  writer->end = sizeof (KymoSegmentHeader);
  writer->written = g_array_new (FALSE, TRUE, sizeof (KymoSegmentWritten));
  g_array_set_clear_func (writer->written, written_clear);
  return writer;
}

/**
 * kymo_segment_writer_free:
 *
 * Frees @writer. %NULL is ignored. Its file is closed.
 */
void
kymo_segment_writer_free (KymoSegmentWriter *writer)
{
  if (writer == NULL)
    return;
  if (writer->fd >= 0)
    close (writer->fd);
  g_array_unref (writer->written);
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
 * kymo_segment_writer_set_fd:
 * @fd: holds the same bytes as the file so far; taken over in its place
 */
void
kymo_segment_writer_set_fd (KymoSegmentWriter *writer,
                            int                fd)
{
  close (writer->fd);
  writer->fd = fd;
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
 * @segment: sealed, in memory; its totals are made; may be freed after
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
                         GCancellable       *cancellable,
                         GError            **error)
{
  KymoSegmentWritten written = { 0 };
  KymoSegmentOut out;

  if (!kymo_segment_can_be_kept (segment, writer->n_metrics))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, _("This run is not one to be kept"));
      return FALSE;
    }
  fill_entry (segment, &written.entry);
  written.entry.offset = writer->end;
  kymo_segment_out_init (&out, writer->fd, writer->end, cancellable);
  put_segment (&out, segment, &written.entry);
  if (!succeeded (kymo_segment_out_clear (&out), error))
    return FALSE;
  fill_sums (segment, writer->n_states, &written);
  kymo_totals_copy (kymo_segment_peek_totals (segment), segment->n_counters, &written.totals);
  writer->end += written.entry.n_bytes;
  if (writer->written->len <= place)
    g_array_set_size (writer->written, place + 1);
  g_array_index (writer->written, KymoSegmentWritten, place) = written;
  return TRUE;
}

/**
 * kymo_segment_writer_map:
 *
 * Makes what was written readable. Nothing may be added after. Sets %KYMO_ERROR_STALE if the
 * file cannot be read.
 *
 * Returns: (transfer full) (nullable): what kymo_segment_backing_lend() makes segments of
 */
KymoBacking *
kymo_segment_writer_map (KymoSegmentWriter  *writer,
                         GError            **error)
{
  return kymo_segment_backing_new (writer->fd, writer->written, writer->n_metrics,
                                   writer->n_states, error);
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
  kymo_segment_out_put_section (out, &header->totals, lists.segments->data,
                                lists.segments->len * sizeof (KymoStoredTotals));
  kymo_segment_out_put_section (out, &header->activity_totals, lists.activities->data,
                                lists.activities->len * sizeof (KymoActivityTotal));
  kymo_segment_out_put_section (out, &header->counter_totals, lists.counters->data,
                                lists.counters->len * sizeof (KymoCounterTotal));
  kymo_stored_totals_clear (&lists);
}

static void
put_collectives (KymoSegmentOut    *out,
                 KymoSegmentHeader *header,
                 const KymoRun     *run)
{
  KymoStoredCollectivesLists lists;

  kymo_stored_collectives_make (run, &lists);
  header->has_collectives = run->collectives != NULL;
  header->n_collectives_left_out = run->collectives != NULL ? run->collectives->n_left_out : 0;
  kymo_segment_out_put_section (out, &header->collectives, lists.list->data,
                                (gsize) lists.list->len * sizeof (KymoStoredCollective));
  kymo_segment_out_put_section (out, &header->members, lists.members->data,
                                (gsize) lists.members->len * sizeof (KymoStoredMember));
  kymo_stored_collectives_clear (&lists);
}

/* The segment's entry as the run has it now: its clock may have been
   corrected since it was written. */
static gboolean
list_entry (const KymoSegmentWriter *writer,
            const KymoSegment       *segment,
            guint                    index,
            GArray                  *entries,
            GArray                  *sums)
{
  guint place = segment->backing != NULL ? segment->place : index;
  const KymoSegmentWritten *written = &g_array_index (writer->written, KymoSegmentWritten, place);
  KymoSegmentEntry entry;
  gint64 shift_ns;

  if (place >= writer->written->len || written->sums == NULL)
    return FALSE;
  entry = written->entry;
  shift_ns = segment->span.begin_ns - entry.begin_ns;
  entry.begin_ns += shift_ns;
  entry.end_ns += shift_ns;
  entry.base_ns += shift_ns;
  entry.list_shift_ns += shift_ns;
  entry.memory_bytes = kymo_segment_get_bytes (segment);
  g_array_append_val (entries, entry);
  for (guint i = 0; i < written->n_sums; i++)
    {
      KymoStoredSum sum = { index, written->sums[i].state, written->sums[i].ns };

      g_array_append_val (sums, sum);
    }
  return TRUE;
}

static gboolean
list_entries (const KymoSegmentWriter *writer,
              const KymoRun           *run,
              GArray                  *entries,
              GArray                  *sums)
{
  for (guint i = 0; i < run->segments->len; i++)
    if (!list_entry (writer, g_ptr_array_index (run->segments, i), i, entries, sums))
      return FALSE;
  return TRUE;
}

/**
 * kymo_segment_writer_finish:
 * @run: sealed; each of its segments was added, in its place or mapped since
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
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (KymoSegmentEntry));
  g_autoptr (GArray) sums = g_array_new (FALSE, FALSE, sizeof (KymoStoredSum));
  g_autoptr (GVariant) table = NULL;
  g_autoptr (GByteArray) origin = NULL;
  KymoSegmentHeader header = { 0 };
  KymoSegmentOut out;

  if (!kymo_run_can_be_kept (run) || !list_entries (writer, run, entries, sums))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, _("This run is not one to be kept"));
      return FALSE;
    }
  table = kymo_run_table_pack (run);
  origin = kymo_segment_origin_pack (run);
  fill_header (&header, run, key);
  kymo_segment_out_init (&out, writer->fd, writer->end, cancellable);
  for (guint i = 0; i < run->segments->len; i++)
    kymo_segment_put_matches (&out, g_ptr_array_index (run->segments, i),
                              &g_array_index (entries, KymoSegmentEntry, i));
  kymo_segment_out_put_section (&out, &header.entries, entries->data,
                                entries->len * sizeof (KymoSegmentEntry));
  kymo_segment_out_put_section (&out, &header.sums, sums->data, sums->len * sizeof (KymoStoredSum));
  kymo_segment_out_put_section (&out, &header.table, g_variant_get_data (table),
                                g_variant_get_size (table));
  put_totals (&out, &header, run);
  put_collectives (&out, &header, run);
  if (run->thread_links != NULL)
    kymo_segment_out_put_section (&out, &header.thread_links, run->thread_links->data,
                                  (gsize) run->thread_links->len * sizeof (KymoThreadLink));
  else
    kymo_segment_out_put_section (&out, &header.thread_links, NULL, 0);
  kymo_segment_out_put_section (&out, &header.origin, origin->data, origin->len);
  header.file_bytes = out.offset + out.n;
  header.hash = kymo_hash_of (&header, sizeof header);
  if (!succeeded (kymo_segment_out_clear (&out), error))
    return FALSE;
  kymo_segment_out_init (&out, writer->fd, 0, NULL);
  kymo_segment_out_put (&out, &header, sizeof header);
  return succeeded (kymo_segment_out_clear (&out), error);
}

typedef struct
{
  const KymoRun *run;
  GCancellable  *cancellable;
  gint           stopped;       /* atomic: writing has failed */
} Ahead;

/* Ahead of the writer, which waits for the disk more than for these. */
static gpointer
make_totals (gpointer data)
{
  Ahead *ahead = data;
  const KymoRun *run = ahead->run;

  for (guint i = 0; i < run->segments->len && !g_atomic_int_get (&ahead->stopped)
         && !g_cancellable_is_cancelled (ahead->cancellable); i++)
    {
      KymoSegment *segment = g_ptr_array_index (run->segments, i);

      if (kymo_segment_can_be_kept (segment, run->metrics->len))
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
  g_autoptr (KymoSegmentWriter) writer = kymo_segment_writer_new (
    dup (fd), run->metrics->len, KYMO_STATE_ACTIVITY + run->activities->len);
  Ahead ahead = { run, cancellable, 0 };
  gboolean done = TRUE;
  GThread *thread;

  if (!kymo_run_can_be_kept (run))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, _("This run is not one to be kept"));
      return FALSE;
    }
  thread = g_thread_new ("kymo-totals", make_totals, &ahead);
  for (guint i = 0; i < run->segments->len && done; i++)
    done = kymo_segment_writer_add (writer, i, g_ptr_array_index (run->segments, i), cancellable,
                                    error);
  g_atomic_int_set (&ahead.stopped, !done);
  g_thread_join (thread);
  return done && kymo_segment_writer_finish (writer, run, key, cancellable, error);
}
