/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The event files of a process. A file consists of chunks, which may be used again where only
 * the last seconds are kept: they are read in the order of their sequence numbers. What a chunk
 * holds is copied before it is looked at, for the program may still write it.
 *
 * The records become those of OTF2, so that a run means the same whether it is read from here or
 * from the archive that is made of it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kymo-input.h"
#include "kymo-order.h"
#include "kymo-record-private.h"

#define LEAST_CHUNK_BYTES 4096
#define MOST_CHUNK_BYTES (64 << 20)

/* Records whose cells after the first consist of two long words each; others have two short ones
   and a long one in the second. */
static gboolean
has_short_words (guint8 type)
{
  switch (type)
    {
    case KYMO_RAW_SEND: case KYMO_RAW_RECV: case KYMO_RAW_ISEND: case KYMO_RAW_IRECV:
    case KYMO_RAW_COLL_END: case KYMO_RAW_NB_COMPLETE: case KYMO_RAW_RMA_PUT:
    case KYMO_RAW_RMA_GET: case KYMO_RAW_RMA_ATOMIC: case KYMO_RAW_RMA_COLL_END:
    case KYMO_RAW_RMA_LOCK: case KYMO_RAW_RMA_UNLOCK: case KYMO_RAW_RMA_SYNC:
    case KYMO_RAW_RMA_GROUP_SYNC: case KYMO_RAW_IO_OPEN: case KYMO_RAW_IO_DUP:
    case KYMO_RAW_IO_BEGIN: case KYMO_RAW_IO_LOCK: case KYMO_RAW_IO_STATUS:
      return TRUE;
    default:
      return FALSE;
    }
}

/* -- bytes ------------------------------------------------------------------------ */

static gboolean
read_at (int      fd,
         gpointer to,
         gsize    n,
         gint64   offset)
{
  gsize done = 0;

  while (done < n)
    {
      gssize got = pread (fd, (char *) to + done, n - done, offset + (gint64) done);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        return FALSE;
      done += (gsize) got;
    }
  return TRUE;
}

/* The first cell and the others of a record, in the order of this machine. */
static void
swap_record (KymoRawCell *cell)
{
  KymoRawWords *words = (gpointer) (cell + 1);

  cell->small = GUINT16_SWAP_LE_BE (cell->small);
  cell->arg = GUINT32_SWAP_LE_BE (cell->arg);
  cell->time = GUINT64_SWAP_LE_BE (cell->time);
  for (guint i = 0; i + 1 < cell->cells; i++)
    {
      if (i == 0 && has_short_words (cell->type))
        {
          words[i].i = (gint32) GUINT32_SWAP_LE_BE ((guint32) words[i].i);
          words[i].j = (gint32) GUINT32_SWAP_LE_BE ((guint32) words[i].j);
        }
      else
        words[i].a = GUINT64_SWAP_LE_BE (words[i].a);
      words[i].b = GUINT64_SWAP_LE_BE (words[i].b);
    }
}

/* Why the file cannot be read, or NULL. */
static const char *
check_header (KymoRecordEvents *events)
{
  KymoRawHeader *header = &events->header;

  if (memcmp (header->magic, KYMO_RAW_MAGIC, sizeof header->magic) != 0)
    return N_("The file has no events of a recorded program");
  events->is_swapped = header->byte_order == GUINT32_SWAP_LE_BE (KYMO_RAW_BYTE_ORDER);
  if (events->is_swapped)
    {
      header->version = GUINT32_SWAP_LE_BE (header->version);
      header->chunk_bytes = GUINT32_SWAP_LE_BE (header->chunk_bytes);
      header->flags = GUINT32_SWAP_LE_BE (header->flags);
    }
  else if (header->byte_order != KYMO_RAW_BYTE_ORDER)
    return N_("The head of the file is damaged; its events are left out");
  if (header->version != 1)
    return N_("The events were written by a newer recorder; they are left out");
  if (header->chunk_bytes < LEAST_CHUNK_BYTES || header->chunk_bytes > MOST_CHUNK_BYTES
      || header->chunk_bytes % KYMO_RAW_CELL_BYTES != 0)
    return N_("The head of the file is damaged; its events are left out");
  return NULL;
}

static int
compare_chunks (gconstpointer a,
                gconstpointer b)
{
  const KymoRecordChunk *x = a, *y = b;

  KYMO_ORDER_BY (x->sequence, y->sequence);
  KYMO_ORDER_BY (x->offset, y->offset);
  return 0;
}

/* What is missing before and between the chunks. */
static void
count_gaps (KymoRecordEvents *events)
{
  gboolean is_ring = events->header.flags & KYMO_RAW_RING;
  guint64 expected = 1;

  for (guint i = 0; i < events->chunks->len; i++)
    {
      guint64 sequence = g_array_index (events->chunks, KymoRecordChunk, i).sequence;

      if (sequence > expected && i == 0 && is_ring)
        events->file->n_lost = sequence - expected;
      else if (sequence > expected)
        events->file->n_missing += MIN (sequence - expected, G_MAXINT32);
      expected = sequence + 1;
    }
}

/* Without a ring nothing lies behind the first chunk that was never begun. */
static void
find_chunks (KymoRecordEvents *events,
             gint64            n_bytes)
{
  guint chunk_bytes = events->header.chunk_bytes;

  for (gint64 at = KYMO_RAW_HEADER_BYTES; at < n_bytes; at += chunk_bytes)
    {
      struct { KymoRawCell cell; KymoRawWords words; } head = { { 0 } };
      KymoRecordChunk chunk = { 0, at };

      if (!read_at (events->fd, &head, sizeof head, at) || head.cell.type == KYMO_RAW_END)
        {
          if (events->header.flags & KYMO_RAW_RING)
            continue;
          break;
        }
      chunk.sequence = events->is_swapped ? GUINT64_SWAP_LE_BE (head.words.a) : head.words.a;
      if (head.cell.type == KYMO_RAW_CHUNK && head.cell.cells == 2 && chunk.sequence > 0)
        g_array_append_val (events->chunks, chunk);
      else
        events->file->n_damaged++;
    }
  g_array_sort (events->chunks, compare_chunks);
  count_gaps (events);
}

/* The next chunk; FALSE at the end. */
static gboolean
take_chunk (KymoRecordEvents *events)
{
  const KymoRecordChunk *chunk;
  guint64 sequence;
  gssize got;

  if (events->next == events->chunks->len)
    return FALSE;
  chunk = &g_array_index (events->chunks, KymoRecordChunk, events->next);
  events->is_joining = events->next == 0 || chunk->sequence != chunk[-1].sequence + 1;
  events->next++;
  /* Beyond the end of the file nothing was written. */
  got = pread (events->fd, events->cells, events->header.chunk_bytes, chunk->offset);
  got = MAX (got, 0);
  memset ((char *) events->cells + got, 0, events->header.chunk_bytes - (gsize) got);
  events->at = 0;
  events->n = events->header.chunk_bytes / KYMO_RAW_CELL_BYTES;
  sequence = ((KymoRawWords *) (events->cells + 1))->a;
  if (events->is_swapped)
    sequence = GUINT64_SWAP_LE_BE (sequence);
  /* A ring may have come round since its chunks were listed. */
  if (sequence != chunk->sequence || events->cells->type != KYMO_RAW_CHUNK)
    {
      events->n = 0;
      events->file->n_lost++;
    }
  return TRUE;
}

/* The next record of the chunk, or NULL at its end. */
static const KymoRawCell *
next_in_chunk (KymoRecordEvents *events)
{
  KymoRawCell *cell = events->at < events->n ? &events->cells[events->at] : NULL;

  if (cell == NULL || cell->type == KYMO_RAW_PAD)
    return NULL;
  if (cell->type == KYMO_RAW_END)
    {
      events->file->n_torn += events->next < events->chunks->len;
      return NULL;
    }
  if (cell->cells < kymo_raw_least_cells (cell->type) || cell->cells > events->n - events->at)
    {
      events->file->n_damaged++;
      return NULL;
    }
  events->at += cell->cells;
  if (events->is_swapped)
    swap_record (cell);
  return cell;
}

/* -- the supply of the reader ---------------------------------------------------------- */

static void
events_free (gpointer data)
{
  KymoRecordEvents *events = data;

  if (events->fd >= 0)
    close (events->fd);
  g_array_unref (events->chunks);
  g_array_unref (events->open);
  g_free (events->cells);
  g_free (events);
}

static void
reset_counts (KymoRecordFile *file)
{
  file->n_damaged = file->n_lost = file->n_missing = file->n_torn = file->n_dropped = 0;
  file->n_far = file->n_unknown = file->n_early = file->n_open = 0;
  g_array_set_size (file->markers, 0);
  g_clear_pointer (&file->why, g_free);
}

static gpointer
events_open (KymoOtf2Reading *reading,
             guint            location)
{
  KymoRecord *record = reading->supply->data;
  KymoRecordFile *file = record->files->pdata[location];
  g_autofree char *path = g_build_filename (file->process->folder, file->name, NULL);
  g_autoptr (GError) error = NULL;
  const char *why = NULL;
  KymoRecordEvents *events = g_new0 (KymoRecordEvents, 1);
  gint64 n_bytes;

  reset_counts (file);
  events->record = record;
  events->calls = &record->events;
  events->file = file;
  events->chunks = g_array_new (FALSE, FALSE, sizeof (KymoRecordChunk));
  events->open = g_array_new (FALSE, FALSE, sizeof (guint32));
  events->fd = kymo_input_open (path, &n_bytes, &error);
  if (error != NULL)
    why = error->message;
  else if (!kymo_record_has_clock (file->process))
    why = N_("The clock of the process was read only once, so its times are not known yet");
  else if (!read_at (events->fd, &events->header, sizeof events->header, 0))
    why = N_("The head of the file is damaged; its events are left out");
  else
    why = check_header (events);
  if (why != NULL)
    {
      file->why = g_strdup (why);
      events_free (events);
      return NULL;
    }
  find_chunks (events, n_bytes);
  events->cells = g_malloc (events->header.chunk_bytes);
  return events;
}

static guint64
events_read (gpointer        data,
             KymoOtf2Stream *stream,
             guint64         most)
{
  KymoRecordEvents *events = data;
  guint64 n = 0;

  events->stream = stream;
  while (n < most)
    {
      const KymoRawCell *cell = next_in_chunk (events);

      if (cell != NULL)
        {
          kymo_record_take (events, cell);
          n++;
        }
      else if (!take_chunk (events))
        {
          kymo_record_end (events);
          break;
        }
    }
  return n;
}

static char *
dup_name (KymoOtf2Reading *reading,
          guint            location)
{
  const KymoRecord *record = reading->supply->data;
  const KymoRecordFile *file = record->files->pdata[location];

  return g_build_filename (KYMO_RECORD_RAW, file->process->name, file->name, NULL);
}

const KymoOtf2Supply kymo_record_supply =
{
  .open = events_open,
  .read = events_read,
  .close = events_free,
  .dup_name = dup_name,
  .settle = kymo_record_settle_markers,
  .report = kymo_record_report,
};
