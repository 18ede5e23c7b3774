/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-archive-events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST_CHUNK_BYTES 4096u
#define MOST_CHUNK_BYTES (64u << 20)
/* More chunks than this are not looked for: a file may claim any length. */
#define MOST_CHUNKS (1u << 22)

typedef struct
{
  uint64_t sequence;
  uint64_t begin;               /* ticks */
  uint32_t place;               /* in the file */
} KymoArchiveChunk;

static bool
read_fully (int     fd,
            void   *to,
            size_t  n,
            off_t   from)
{
  unsigned char *at = to;

  while (n > 0)
    {
      ssize_t got = pread (fd, at, n, from);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        return false;
      at += got;
      from += got;
      n -= (size_t) got;
    }
  return true;
}

static off_t
offset_of (const KymoArchiveEvents *events,
           uint32_t                 place)
{
  return KYMO_RAW_HEADER_BYTES + (off_t) place * events->header.chunk_bytes;
}

static int
compare_chunks (const void *a,
                const void *b)
{
  const KymoArchiveChunk *x = a, *y = b;

  return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* The last chunk that is preallocated may be cut off by the end of the file. */
static bool
find_chunks (KymoArchiveEvents *events,
             off_t              file_bytes)
{
  off_t room = file_bytes - KYMO_RAW_HEADER_BYTES;
  off_t n = (room + events->header.chunk_bytes - 1) / events->header.chunk_bytes;
  uint64_t expected = 1;

  for (uint32_t i = 0; i < n && i < MOST_CHUNKS; i++)
    {
      struct { KymoRawCell cell; KymoRawWords words; } head;
      KymoArchiveChunk chunk = { .place = i };

      if (!read_fully (events->fd, &head, sizeof head, offset_of (events, i))
          || head.cell.type == KYMO_RAW_END)
        {
          if (events->header.flags & KYMO_RAW_RING)
            continue;
          break;
        }
      chunk.sequence = head.words.a;
      chunk.begin = head.cell.time;
      if (head.cell.type == KYMO_RAW_CHUNK && head.cell.cells == 2 && chunk.sequence > 0)
        kymo_archive_bytes_add (&events->order, &chunk, sizeof chunk);
      else
        events->n_damaged++;
    }
  if (events->order.failed)
    return false;
  if (events->order.n > 0)
    qsort (events->order.at, KYMO_ARCHIVE_COUNT (&events->order, KymoArchiveChunk),
           sizeof (KymoArchiveChunk), compare_chunks);
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&events->order, KymoArchiveChunk); i++)
    {
      uint64_t sequence = KYMO_ARCHIVE_AT (&events->order, KymoArchiveChunk)[i].sequence;

      if (sequence > expected)
        events->n_lost += sequence - expected;
      expected = sequence + 1;
    }
  return true;
}

static const char *
check_header (const KymoRawHeader *header)
{
  if (memcmp (header->magic, KYMO_RAW_MAGIC, sizeof header->magic) != 0)
    return "is no event file of kymo-record";
  if (header->byte_order != KYMO_RAW_BYTE_ORDER)
    return "was written on a machine with another byte order";
  if (header->version != 1)
    return "has a newer format";
  if (header->chunk_bytes < LEAST_CHUNK_BYTES || header->chunk_bytes > MOST_CHUNK_BYTES
      || header->chunk_bytes % KYMO_RAW_CELL_BYTES != 0)
    return "has a damaged header";
  return NULL;
}

/**
 * kymo_archive_events_open:
 * @events: (out): the file, closed with kymo_archive_events_close(); nothing is to be closed if
 *   this fails
 * @path: an event file
 *
 * Returns: NULL, or why the file cannot be read, as the end of a sentence; a static text
 */
const char *
kymo_archive_events_open (KymoArchiveEvents *events,
                          const char        *path)
{
  const char *problem = NULL;
  struct stat status;

  *events = (KymoArchiveEvents) { .fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) };
  if (events->fd < 0)
    return "cannot be opened";
  if (fstat (events->fd, &status) != 0 || !S_ISREG (status.st_mode))
    problem = "is no file";
  else if (!read_fully (events->fd, &events->header, sizeof events->header, 0))
    problem = "has no header";
  else
    problem = check_header (&events->header);
  if (problem == NULL && !find_chunks (events, status.st_size))
    problem = "needs more memory than there is";
  if (problem != NULL)
    kymo_archive_events_close (events);
  return problem;
}

/* FALSE if the visitor has seen enough. */
static bool
read_chunk (KymoArchiveEvents *events,
            const KymoRawCell *cells,
            uint32_t           n,
            KymoArchiveVisit   visit,
            void              *data)
{
  for (uint32_t i = 0; i < n && cells[i].type != KYMO_RAW_END && cells[i].type != KYMO_RAW_PAD;
       i += cells[i].cells)
    {
      uint8_t type = cells[i].type;

      if (cells[i].cells < kymo_raw_least_cells (type) || cells[i].cells > n - i
          || (type == KYMO_RAW_METRIC && cells[i].small > 2 * (cells[i].cells - 1)))
        {
          events->n_damaged++;
          break;
        }
      if (!visit (&cells[i], (const KymoRawWords *) (const void *) &cells[i + 1], data))
        return false;
    }
  return true;
}

/**
 * kymo_archive_events_read:
 * @visit: is given one record after the other, those that begin chunks included
 * @data: for @visit
 *
 * Reads all records in the order in which they were written.
 *
 * Returns: FALSE if there is no memory, or @visit wanted no more
 */
bool
kymo_archive_events_read (KymoArchiveEvents *events,
                          KymoArchiveVisit   visit,
                          void              *data)
{
  const KymoArchiveChunk *order = KYMO_ARCHIVE_AT (&events->order, KymoArchiveChunk);
  uint32_t n = events->header.chunk_bytes;
  /* What visitors look at before they know the type of a record may lie behind the last one. */
  KymoRawCell *cells = calloc (1, n + 3 * KYMO_RAW_CELL_BYTES);
  bool good = cells != NULL;

  events->n_damaged = 0;
  for (size_t i = 0; good && i < KYMO_ARCHIVE_COUNT (&events->order, KymoArchiveChunk); i++)
    {
      /* Beyond the end of the file nothing was written. */
      memset (cells, 0, n);
      read_fully (events->fd, cells, n, offset_of (events, order[i].place));
      good = read_chunk (events, cells, n / KYMO_RAW_CELL_BYTES, visit, data);
    }
  free (cells);
  return good;
}

/**
 * kymo_archive_events_skip: passes over chunks that end before a moment.
 * @begin: ticks; the first record that is read is at it, or before
 */
void
kymo_archive_events_skip (KymoArchiveEvents *events,
                          uint64_t           begin)
{
  KymoArchiveChunk *order = KYMO_ARCHIVE_AT (&events->order, KymoArchiveChunk);
  size_t n = KYMO_ARCHIVE_COUNT (&events->order, KymoArchiveChunk), first = 0;

  while (first + 1 < n && order[first + 1].begin <= begin)
    first++;
  if (first == 0)
    return;
  memmove (order, order + first, (n - first) * sizeof *order);
  events->order.n = (n - first) * sizeof *order;
}

/** kymo_archive_events_close: closes the file and frees what @events holds */
void
kymo_archive_events_close (KymoArchiveEvents *events)
{
  if (events->fd >= 0)
    close (events->fd);
  events->fd = -1;
  kymo_archive_bytes_clear (&events->order);
}
