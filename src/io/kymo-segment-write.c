/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a segment file: columns first, hashed on the way, then what stands
 * before them, because that tells their hashes. One pass, no copy of a column.
 */
#include "config.h"

#include "kymo-segment-file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-segment-hash.h"
#include "kymo-segment-layout.h"

typedef struct
{
  FILE     *file;
  KymoHash  hash;
  int       failed;             /* errno of the first failure, or 0 */
} Out;

static void
put (Out           *out,
     gconstpointer  bytes,
     gsize          n_bytes)
{
  if (out->failed == 0 && n_bytes > 0 && fwrite (bytes, 1, n_bytes, out->file) != n_bytes)
    out->failed = errno != 0 ? errno : EIO;
}

/* One column of one part, filled up to whole stripes. */
static void
put_column (Out           *out,
            gconstpointer  bytes,
            gsize          n_bytes)
{
  gsize whole = n_bytes & ~(gsize) (KYMO_SEGMENT_ALIGN - 1);
  guint8 tail[KYMO_SEGMENT_ALIGN] = { 0 };

  put (out, bytes, whole);
  kymo_hash_add (&out->hash, bytes, whole);
  if (whole == n_bytes)
    return;
  memcpy (tail, (const guint8 *) bytes + whole, n_bytes - whole);
  put (out, tail, sizeof tail);
  kymo_hash_add (&out->hash, tail, sizeof tail);
}

static void
put_levels (Out               *out,
            const KymoPyramid *pyramid,
            guint              column)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint i = 0; i < kymo_pyramid_get_n_levels (pyramid); i++)
    {
      const KymoPyramidLevel *level = kymo_pyramid_peek_level (pyramid, i);
      guint n_sums = level->offsets[level->n_nodes];

      if (column == COLUMN_NODE_OFFSET)
        g_byte_array_append (bytes, (const guint8 *) level->offsets, 4 * (level->n_nodes + 1));
      else if (column == COLUMN_NODE_STATE)
        g_byte_array_append (bytes, (const guint8 *) level->states, 4 * n_sums);
      else
        g_byte_array_append (bytes, (const guint8 *) level->ns, 8 * n_sums);
    }
  put_column (out, bytes->data, bytes->len);
}

static void
put_points (Out               *out,
            const KymoSegment *segment,
            GString           *text)
{
  g_autofree KymoStoredPoint *stored = g_new0 (KymoStoredPoint, MAX (segment->points->len, 1));

  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *p = &g_array_index (segment->points, KymoPoint, i);

      stored[i] = (KymoStoredPoint) { p->begin_ns, p->end_ns, p->kind, p->activity, p->id,
                                      p->nested_id, p->value, 0 };
      if (p->text == NULL)
        continue;
      stored[i].text = text->len + 1;
      g_string_append_len (text, p->text, strlen (p->text) + 1);
    }
  put_column (out, stored, segment->points->len * sizeof *stored);
}

static void
put_stretches (Out               *out,
               const KymoSegment *segment)
{
  g_autofree KymoStoredStretch *stored = g_new0 (KymoStoredStretch,
                                                 MAX (segment->stretches->len, 1));

  for (guint i = 0; i < segment->stretches->len; i++)
    {
      const KymoStretch *s = &g_array_index (segment->stretches, KymoStretch, i);

      stored[i] = (KymoStoredStretch) { s->begin_ns, s->end_ns, s->kind };
    }
  put_column (out, stored, segment->stretches->len * sizeof *stored);
}

static void
put_one (Out                    *out,
         const KymoSegment      *segment,
         const KymoSegmentEntry *entry,
         guint                   index,
         GString                *text)
{
  const KymoSegmentColumn *column = &kymo_segment_columns[index];

  if (column->member >= 0)
    put_column (out, G_STRUCT_MEMBER (gpointer, segment, column->member),
                column->size * entry->counts[column->count]);
  else if (index <= COLUMN_NODE_NS)
    put_levels (out, segment->pyramid, index);
  else if (index == COLUMN_MULTICASTS)
    put_column (out, segment->multicasts->data, 12 * (gsize) segment->multicasts->len);
  else if (index == COLUMN_MULTICAST_PES)
    put_column (out, segment->multicast_pes->data, 4 * (gsize) segment->multicast_pes->len);
  else if (index == COLUMN_POINTS)
    put_points (out, segment, text);
  else if (index == COLUMN_TEXT)
    put_column (out, text->str, text->len);
  else
    put_stretches (out, segment);
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
  n[COUNT_DEPTHS] = s->block_depth != NULL ? s->n_blocks : 0;
  n[COUNT_COUNTERS] = s->block_counters != NULL ? (guint64) s->n_blocks * s->n_counters : 0;
  n[COUNT_OBJECTS] = s->n_objects;
  n[COUNT_SENDS] = s->n_sends;
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
    entry->n_bytes += kymo_segment_aligned (kymo_segment_columns[i].size
                                            * n[kymo_segment_columns[i].count]);
}

static void
put_segment (Out               *out,
             const KymoSegment *segment,
             KymoSegmentEntry  *entry)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < N_COLUMNS; i++)
    {
      guint part = kymo_segment_columns[i].part;

      if (i == 0 || part != kymo_segment_columns[i - 1].part)
        kymo_hash_init (&out->hash);
      put_one (out, segment, entry, i, text);
      entry->hash[part] = kymo_hash_end (&out->hash);
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
put_section (Out              *out,
             KymoSegmentPlace *place,
             gconstpointer     bytes,
             gsize             n_bytes)
{
  kymo_hash_init (&out->hash);
  put_column (out, bytes, n_bytes);
  place->n_bytes = n_bytes;
  place->hash = kymo_hash_end (&out->hash);
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
      KymoSegment *segment = g_ptr_array_index (run->segments, i);

      if (segment->location != i || segment->backing != NULL
          || segment->bins != NULL || !in_reach (segment->span)
          || (segment->n_counters != 0 && segment->n_counters != run->metrics->len))
        return FALSE;
    }
  return TRUE;
}

static void
plan (const KymoRun     *run,
      KymoSegmentHeader *header,
      KymoSegmentEntry  *entries,
      gsize              n_sums,
      gsize              table_bytes)
{
  guint64 offset = sizeof *header;

  memcpy (header->magic, KYMO_SEGMENT_MAGIC, sizeof header->magic);
  header->byte_order = KYMO_SEGMENT_BYTE_ORDER;
  header->version = KYMO_SEGMENT_VERSION;
  header->n_segments = run->segments->len;
  header->n_states = KYMO_STATE_ACTIVITY + run->activities->len;
  header->n_metrics = run->metrics->len;
  header->entries.offset = offset;
  offset += kymo_segment_aligned (run->segments->len * sizeof *entries);
  header->sums.offset = offset;
  offset += kymo_segment_aligned (n_sums * sizeof (KymoStoredSum));
  header->table.offset = offset;
  offset += kymo_segment_aligned (table_bytes);
  for (guint i = 0; i < run->segments->len; i++)
    {
      fill_entry (g_ptr_array_index (run->segments, i), &entries[i]);
      entries[i].offset = offset;
      offset += entries[i].n_bytes;
    }
  header->file_bytes = offset;
}

static void
write_all (Out               *out,
           const KymoRun     *run,
           KymoSegmentHeader *header,
           GCancellable      *cancellable)
{
  g_autoptr (GVariant) table = kymo_run_table_pack (run);
  g_autoptr (GArray) sums = make_sums (run);
  g_autofree KymoSegmentEntry *entries = g_new0 (KymoSegmentEntry, run->segments->len);

  plan (run, header, entries, sums->len, g_variant_get_size (table));
  if (fseeko (out->file, entries[0].offset, SEEK_SET) != 0)
    out->failed = errno;
  for (guint i = 0; i < run->segments->len && out->failed == 0; i++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        out->failed = ECANCELED;
      put_segment (out, g_ptr_array_index (run->segments, i), &entries[i]);
    }
  if (out->failed == 0 && fseeko (out->file, header->entries.offset, SEEK_SET) != 0)
    out->failed = errno;
  put_section (out, &header->entries, entries, run->segments->len * sizeof *entries);
  put_section (out, &header->sums, sums->data, sums->len * sizeof (KymoStoredSum));
  put_section (out, &header->table, g_variant_get_data (table), g_variant_get_size (table));
  header->hash = kymo_hash_of (header, sizeof *header);
  if (out->failed == 0 && fseeko (out->file, 0, SEEK_SET) != 0)
    out->failed = errno;
  put (out, header, sizeof *header);
}

/**
 * kymo_segment_file_write:
 * @run: a sealed run whose segments are in memory
 * @key: (array fixed-size=32): what the file has to be asked for with
 * @fd: an empty file, open for writing; stays open
 * @cancellable: (nullable): looked at between segments
 *
 * Any thread. On failure the file holds rubbish and is to be removed.
 *
 * Returns: whether the whole file was written; the error's words are the
 * system's, or %KYMO_ERROR_UNANSWERABLE for a run that cannot be kept
 */
gboolean
kymo_segment_file_write (const KymoRun  *run,
                         const guint8   *key,
                         int             fd,
                         GCancellable   *cancellable,
                         GError        **error)
{
  KymoSegmentHeader header = { 0 };
  int copy = can_be_kept (run) ? dup (fd) : -1;
  Out out = { .file = copy >= 0 ? fdopen (copy, "w") : NULL };

  if (out.file == NULL)
    {
      if (copy >= 0)
        close (copy);
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "This run is not one to be kept");
      return FALSE;
    }
  setvbuf (out.file, NULL, _IOFBF, 1 << 18);
  memcpy (header.key, key, sizeof header.key);
  errno = 0;
  write_all (&out, run, &header, cancellable);
  if (fclose (out.file) != 0 && out.failed == 0)
    out.failed = errno;
  if (out.failed == 0)
    return TRUE;
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_WRITE, g_strerror (out.failed));
  return FALSE;
}
