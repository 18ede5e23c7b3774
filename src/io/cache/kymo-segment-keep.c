/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a segment file has a place for, and what it holds of messages between
 * functions beside the columns of segments: which records belong together. That is
 * known when all segments are there, some of them long written, so it stands
 * behind them.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-segment-collectives.h"
#include "kymo-segment-file.h"
#include "kymo-segment-hash.h"
#include "kymo-segment-keep.h"
#include "kymo-segment-layout.h"

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

/**
 * kymo_segment_can_be_kept:
 * @n_metrics: hardware counters of the run
 *
 * Returns: whether the format has a place for the segment's columns
 */
gboolean
kymo_segment_can_be_kept (const KymoSegment *segment,
                          guint              n_metrics)
{
  return segment->bins == NULL && segment->backing == NULL && in_reach (segment->span)
    && (segment->n_counters == 0 || segment->n_counters == n_metrics)
    && (segment->exchange == NULL || segment->exchange->n_sends == segment->n_sends);
}

/**
 * kymo_run_can_be_kept:
 *
 * Returns: whether the format has a place for the run; else it is read from its
 * files each time
 */
gboolean
kymo_run_can_be_kept (const KymoRun *run)
{
  if ((run->kind != KYMO_RUN_TRACE && run->kind != KYMO_RUN_REDUCED)
      || run->segments->len != run->locations->len || run->segments->len == 0
      || run->metrics->len > G_MAXUINT16 || run->profiles != NULL || run->growing
      || !kymo_stored_collectives_fit (run)
      || (run->thread_links != NULL
          && !kymo_thread_links_are_good ((gpointer) run->thread_links->data,
                                          run->thread_links->len, run->locations->len,
                                          KYMO_SEGMENT_MAX_NS)))
    return FALSE;
  if (!are_words (run->metrics) || !are_words (run->notes))
    return FALSE;
  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);
      const KymoExchange *x = segment->exchange;

      if (segment->location != i || !in_reach (segment->span)
          || (x != NULL && (x->send_location == NULL || x->receive_location == NULL)))
        return FALSE;
    }
  return TRUE;
}

/* -- matches ---------------------------------------------------------------- */

static guint64
count_matches (const KymoSegmentEntry *entry,
               guint                   column)
{
  return entry->counts[column < 2 ? COUNT_EXCHANGED_SENDS : COUNT_RECEIVES];
}

/**
 * kymo_segment_match_offset:
 * @column: 0 to 3: location and receive of sends, location and send of receives; 4 is
 *   the end
 *
 * Returns: where the column begins, from the first byte of the matches
 */
guint64
kymo_segment_match_offset (const KymoSegmentEntry *entry,
                           guint                   column)
{
  guint64 offset = 0;

  for (guint i = 0; i < column; i++)
    offset += kymo_segment_aligned (4 * count_matches (entry, i));
  return offset;
}

/**
 * kymo_segment_put_matches:
 * @segment: of the run, matched
 * @entry: its place and hash are filled in
 *
 * Writes which records the segment's belong to.
 */
void
kymo_segment_put_matches (KymoSegmentOut    *out,
                          const KymoSegment *segment,
                          KymoSegmentEntry  *entry)
{
  const KymoExchange *x = segment->exchange;

  entry->match_offset = out->offset + out->n;
  for (guint i = 0; i < 4 && x != NULL; i++)
    {
      const guint32 *columns[]
        = { x->send_location, x->send_receive, x->receive_location, x->receive_send };

      kymo_segment_out_put (out, columns[i], 4 * (gsize) count_matches (entry, i));
      kymo_segment_out_pad (out);
    }
  entry->match_hash = kymo_segment_out_end_hash (out);
}

/* Each end leads to a record that is there, or nowhere. */
static gboolean
check_ends (const guint32          *locations,
            const guint32          *records,
            guint64                 n,
            const KymoSegmentEntry *entries,
            guint64                 n_entries,
            guint                   count)
{
  for (guint64 i = 0; i < n; i++)
    if (locations[i] == KYMO_UNMATCHED ? records[i] != KYMO_UNMATCHED
        : locations[i] >= n_entries || records[i] >= entries[locations[i]].counts[count])
      return FALSE;
  return TRUE;
}

/**
 * kymo_segment_check_matches:
 * @bytes: the matches of an entry
 * @entries: all of the file
 *
 * Returns: whether they lead to no record that is not there
 */
gboolean
kymo_segment_check_matches (const KymoSegmentEntry *entry,
                            const guint8           *bytes,
                            const KymoSegmentEntry *entries,
                            guint64                 n_entries)
{
  const guint32 *columns[4];

  for (guint i = 0; i < 4; i++)
    columns[i] = (gconstpointer) (bytes + kymo_segment_match_offset (entry, i));
  return check_ends (columns[0], columns[1], count_matches (entry, 0), entries, n_entries,
                     COUNT_RECEIVES)
    && check_ends (columns[2], columns[3], count_matches (entry, 2), entries, n_entries,
                   COUNT_EXCHANGED_SENDS);
}

/**
 * kymo_segment_map_matches:
 * @segment: with an exchange
 * @bytes: the matches of its entry, which stay where they are
 */
void
kymo_segment_map_matches (KymoSegment            *segment,
                          const KymoSegmentEntry *entry,
                          const guint8           *bytes)
{
  KymoExchange *x = segment->exchange;

  x->send_location = (gpointer) (bytes + kymo_segment_match_offset (entry, 0));
  x->send_receive = (gpointer) (bytes + kymo_segment_match_offset (entry, 1));
  x->receive_location = (gpointer) (bytes + kymo_segment_match_offset (entry, 2));
  x->receive_send = (gpointer) (bytes + kymo_segment_match_offset (entry, 3));
  x->matches_lent = TRUE;
}

/* Which run a segment file holds: its folder and its name, for a person who
   looks at what is kept. No run is opened by them. */

/* A path and a name; more is none of ours. */
#define MOST_BYTES 65536

/**
 * kymo_segment_origin_pack:
 *
 * Returns: (transfer full): the section: folder and title, each ended by 0
 */
GByteArray *
kymo_segment_origin_pack (const KymoRun *run)
{
  g_autofree char *real = run->path != NULL ? realpath (run->path, NULL) : NULL;
  const char *path = real != NULL ? real : run->path != NULL ? run->path : "";
  const char *title = run->title != NULL ? run->title : "";
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) path, strlen (path) + 1);
  g_byte_array_append (bytes, (const guint8 *) title, strlen (title) + 1);
  return bytes;
}

static gboolean
read_header (int                fd,
             KymoSegmentHeader *header)
{
  guint64 hash;

  if (pread (fd, header, sizeof *header, 0) != sizeof *header)
    return FALSE;
  hash = header->hash;
  header->hash = 0;
  return memcmp (header->magic, KYMO_SEGMENT_MAGIC, sizeof header->magic) == 0
    && header->byte_order == KYMO_SEGMENT_BYTE_ORDER && header->version == KYMO_SEGMENT_VERSION
    && kymo_hash_of (header, sizeof *header) == hash
    && header->origin.n_bytes >= 2 && header->origin.n_bytes <= MOST_BYTES
    && header->origin.offset <= G_MAXINT64 - MOST_BYTES;
}

/**
 * kymo_segment_file_read_origin:
 * @fd: any file, open for reading
 * @folder: (out) (transfer full): of the run, in the file system's bytes
 * @title: (out) (transfer full): its name, UTF-8
 *
 * Returns: whether the file is a segment file of this version that tells it
 */
gboolean
kymo_segment_file_read_origin (int    fd,
                               char **folder,
                               char **title)
{
  KymoSegmentHeader header;
  g_autofree guint8 *bytes = NULL;
  gsize n, aligned, first;

  if (!read_header (fd, &header))
    return FALSE;
  n = header.origin.n_bytes;
  aligned = kymo_segment_aligned (n);
  bytes = g_malloc0 (aligned);
  if (pread (fd, bytes, aligned, header.origin.offset) != (gssize) aligned
      || kymo_hash_of (bytes, aligned) != header.origin.hash || bytes[n - 1] != '\0')
    return FALSE;
  first = strlen ((const char *) bytes) + 1;
  if (first >= n)
    return FALSE;
  *folder = g_strdup ((const char *) bytes);
  *title = g_utf8_make_valid ((const char *) bytes + first, -1);
  return TRUE;
}
