/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cuts a window of time out of the raw files of this process, while the program goes on: a raw
 * folder of its own, of which an archive can be made. Calls that are open at the borders begin and
 * end there. What completes something that was begun before is left out, as where recording went
 * on in the middle of a run. Runs on a thread of its own.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-act-order.h"
#include "kymo-archive-events.h"
#include "kymo-live-bins.h"
#include "kymo-node-folder.h"
#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define CHUNK_BYTES (64u << 10)
#define CELLS (CHUNK_BYTES / KYMO_RAW_CELL_BYTES)
#define MOST_SLICE_BYTES (256u << 20)   /* of a process */

typedef struct
{
  uint64_t begin, end;          /* ticks */
  int fd;
  KymoRawCell *cells;           /* a chunk that is being filled */
  unsigned n_cells;
  uint64_t sequence, n_bytes, n_records;
  uint32_t n_open;
  struct { uint32_t region; uint64_t time; } open[KYMO_REC_MOST_OPEN];
  bool has_begun, is_full, has_failed;
  bool in_collective, in_rma;   /* its begin is in the window */
  KymoArchivePool begun;        /* ids of what was begun in the window */
} Slice;

typedef struct
{
  const char *from, *to;        /* folders */
  Slice *slice;
  bool has_failed, is_cut;
} Cutting;

static void
write_chunk (Slice *slice)
{
  if (slice->n_cells == 0)
    return;
  memset (slice->cells + slice->n_cells, 0,
          (CELLS - slice->n_cells) * sizeof *slice->cells);
  if (slice->n_cells < CELLS)
    slice->cells[slice->n_cells] = (KymoRawCell) { .type = KYMO_RAW_PAD, .cells = 1 };
  if (!kymo_sys_write (slice->fd, (const char *) slice->cells, CHUNK_BYTES))
    slice->has_failed = true;
  slice->n_bytes += CHUNK_BYTES;
  slice->n_cells = 0;
}

static KymoRawCell *
put_cells (Slice    *slice,
           unsigned  n)
{
  KymoRawCell *cell = &slice->cells[slice->n_cells];

  memset (cell, 0, n * sizeof *cell);
  cell->cells = (uint8_t) n;
  slice->n_cells += n;
  return cell;
}

static void
begin_chunk (Slice    *slice,
             uint64_t  time,
             uint32_t  n_open)
{
  KymoRawCell *cell = put_cells (slice, 2);
  KymoRawWords words = { .a = ++slice->sequence };

  cell->type = KYMO_RAW_CHUNK;
  cell->arg = n_open;
  cell->time = time;
  memcpy (cell + 1, &words, sizeof words);
  for (uint32_t i = 0; i < n_open && i < KYMO_REC_MOST_OPEN; i++)
    {
      cell = put_cells (slice, 1);
      cell->type = KYMO_RAW_OPEN;
      cell->arg = slice->open[i].region;
      cell->time = slice->open[i].time;
    }
}

/* Room for a record. The first chunk has nothing open: what is open enters there. */
static KymoRawCell *
put_record (Slice    *slice,
            unsigned  n,
            uint64_t  time)
{
  if (slice->n_cells + n > CELLS)
    write_chunk (slice);
  if (slice->n_cells == 0)
    begin_chunk (slice, time, slice->sequence == 0 ? 0 : slice->n_open);
  return put_cells (slice, n);
}

static void
put_call (Slice    *slice,
          uint8_t   type,
          uint32_t  region,
          uint64_t  time)
{
  KymoRawCell *cell = put_record (slice, 1, time);

  cell->type = type;
  cell->arg = region;
  cell->time = time;
}

static void
begin_slice (Slice *slice)
{
  uint32_t n_open = slice->n_open;

  slice->has_begun = true;
  for (slice->n_open = 0; slice->n_open < n_open; slice->n_open++)
    if (slice->n_open < KYMO_REC_MOST_OPEN)
      put_call (slice, KYMO_RAW_ENTER, slice->open[slice->n_open].region, slice->begin);
}

static void
end_slice (Slice *slice)
{
  if (!slice->has_begun)
    begin_slice (slice);
  for (; slice->n_open > 0; slice->n_open--)
    if (slice->n_open <= KYMO_REC_MOST_OPEN)
      put_call (slice, KYMO_RAW_LEAVE, slice->open[slice->n_open - 1].region, slice->end);
  write_chunk (slice);
}

static bool
was_begun (const Slice *slice,
           uint8_t      kind,
           uint64_t     id)
{
  const uint64_t key[2] = { kind, id };

  return kymo_archive_pool_find (&slice->begun, key, sizeof key) != KYMO_ARCHIVE_NONE;
}

/* Notes that something was begun in the window. */
static bool
note_begun (Slice    *slice,
            uint8_t   kind,
            uint64_t  id)
{
  const uint64_t key[2] = { kind, id };

  kymo_archive_pool_add (&slice->begun, key, sizeof key);
  return true;
}

/* Kinds of ids. */
enum { OF_REQUEST, OF_RMA, OF_IO };

/* Whether a record has all that it belongs to in the window. */
static bool
is_whole (Slice              *slice,
          const KymoRawCell  *cell,
          const KymoRawWords *words)
{
  bool begun;

  switch (cell->type)
    {
    case KYMO_RAW_ISEND:
      return note_begun (slice, OF_REQUEST, words[1].a);
    case KYMO_RAW_IRECV_REQUEST:
    case KYMO_RAW_NB_REQUEST:
      return note_begun (slice, OF_REQUEST, words[0].a);
    case KYMO_RAW_ISEND_COMPLETE:
    case KYMO_RAW_REQUEST_TEST:
    case KYMO_RAW_REQUEST_CANCELLED:
      return was_begun (slice, OF_REQUEST, words[0].a);
    case KYMO_RAW_IRECV:
      return was_begun (slice, OF_REQUEST, words[1].a);
    case KYMO_RAW_NB_COMPLETE:
      return was_begun (slice, OF_REQUEST, words[1].b);
    case KYMO_RAW_COLL_BEGIN:
      return slice->in_collective = true;
    case KYMO_RAW_COLL_END:
      begun = slice->in_collective;
      slice->in_collective = false;
      return begun;
    case KYMO_RAW_RMA_COLL_BEGIN:
      return slice->in_rma = true;
    case KYMO_RAW_RMA_COLL_END:
      begun = slice->in_rma;
      slice->in_rma = false;
      return begun;
    case KYMO_RAW_RMA_PUT:
    case KYMO_RAW_RMA_GET:
    case KYMO_RAW_RMA_ATOMIC:
      return note_begun (slice, OF_RMA, words[1].a);
    case KYMO_RAW_RMA_COMPLETE:
      return was_begun (slice, OF_RMA, words[0].a);
    case KYMO_RAW_IO_BEGIN:
      return note_begun (slice, OF_IO, words[1].a);
    case KYMO_RAW_IO_END:
      return was_begun (slice, OF_IO, words[0].b);
    default:
      return true;
    }
}

static void
follow_calls (Slice             *slice,
              const KymoRawCell *cell)
{
  if (cell->type == KYMO_RAW_ENTER || cell->type == KYMO_RAW_OPEN)
    {
      if (slice->n_open < KYMO_REC_MOST_OPEN)
        {
          slice->open[slice->n_open].region = cell->arg;
          slice->open[slice->n_open].time = cell->time;
        }
      slice->n_open++;
    }
  else if (cell->type == KYMO_RAW_LEAVE && slice->n_open > 0)
    slice->n_open--;
}

static bool
cut_record (const KymoRawCell  *cell,
            const KymoRawWords *words,
            void               *data)
{
  Slice *slice = data;

  if (cell->type == KYMO_RAW_CHUNK || cell->type == KYMO_RAW_OPEN)
    {
      if (cell->type == KYMO_RAW_CHUNK)
        slice->n_open = 0;
      else
        follow_calls (slice, cell);
      return true;
    }
  if (cell->time >= slice->end)
    return false;
  if (cell->time < slice->begin)
    {
      follow_calls (slice, cell);
      return true;
    }
  if (!slice->has_begun)
    begin_slice (slice);
  if (slice->n_bytes > MOST_SLICE_BYTES)
    {
      slice->is_full = true;
      slice->end = cell->time;
      return false;
    }
  if (is_whole (slice, cell, words))
    {
      memcpy (put_record (slice, cell->cells, cell->time), cell,
              (size_t) cell->cells * sizeof *cell);
      slice->n_records++;
    }
  follow_calls (slice, cell);
  return !slice->has_failed;
}

static bool
write_head (Slice               *slice,
            const KymoRawHeader *header)
{
  char bytes[KYMO_RAW_HEADER_BYTES] = "";
  KymoRawHeader own = *header;

  own.flags = 0;
  own.chunk_bytes = CHUNK_BYTES;
  memcpy (bytes, &own, sizeof own);
  return kymo_sys_write (slice->fd, bytes, sizeof bytes);
}

/* A thread of which nothing was written in the window, because it did not take notice that events
 * are wanted: it is in one call. */
static void
find_call (Slice    *slice,
           uint32_t  thread)
{
  uint32_t region;
  uint64_t since;

  if (!slice->has_begun && slice->n_open == 0 && kymo_live_where (thread, &region, &since)
      && since < slice->begin)
    follow_calls (slice, &(KymoRawCell) { .type = KYMO_RAW_OPEN, .arg = region, .time = since });
}

static void
cut_file (const char *name,
          void       *data)
{
  Cutting *cutting = data;
  Slice *slice = cutting->slice;
  KymoArchiveEvents events;
  char path[KYMO_SYS_MOST_PATH + NAME_MAX + 2];

  if (strncmp (name, "thread-", 7) != 0 && strncmp (name, "system-", 7) != 0)
    return;
  snprintf (path, sizeof path, "%s/%s", cutting->from, name);
  if (kymo_archive_events_open (&events, path) != NULL)
    return;
  snprintf (path, sizeof path, "%s/%s", cutting->to, name);
  *slice = (Slice) { .begin = slice->begin, .end = slice->end, .cells = slice->cells,
                     .n_bytes = slice->n_bytes, .n_records = slice->n_records };
  slice->fd = kymo_sys_open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  slice->has_failed = slice->fd < 0 || !write_head (slice, &events.header);
  uint64_t end = slice->end;
  if (!slice->has_failed)
    {
      kymo_archive_events_skip (&events, slice->begin);
      kymo_archive_events_read (&events, cut_record, slice);
      if (name[0] == 't')
        find_call (slice, events.header.thread);
      end_slice (slice);
    }
  cutting->is_cut = cutting->is_cut || slice->is_full;
  cutting->has_failed = cutting->has_failed || slice->has_failed || slice->begun.failed;
  slice->end = end;
  kymo_archive_pool_clear (&slice->begun);
  kymo_archive_events_close (&events);
  if (slice->fd >= 0)
    kymo_sys_close (slice->fd);
}

/* Names are known before they are used, so they are copied after the events. */
static bool
copy_definitions (const char *from,
                  const char *to)
{
  static const char end[] = "end\tslice\n";
  char path[KYMO_SYS_MOST_PATH + 16], bytes[16384];
  long n = -1, last = '\n';

  snprintf (path, sizeof path, "%s/definitions", from);
  int in = kymo_sys_open (path, O_RDONLY, 0);
  snprintf (path, sizeof path, "%s/definitions", to);
  int out = kymo_sys_open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  bool good = in >= 0 && out >= 0;
  while (good && (n = kymo_sys_read (in, bytes, sizeof bytes)) > 0)
    {
      good = kymo_sys_write (out, bytes, (size_t) n);
      last = bytes[n - 1];
    }
  good = good && n == 0 && (last == '\n' || kymo_sys_write (out, "\n", 1))
         && kymo_sys_write (out, end, sizeof end - 1);
  if (in >= 0)
    kymo_sys_close (in);
  if (out >= 0)
    kymo_sys_close (out);
  return good;
}

static bool
make_folder (const char *folder,
             char       *path,
             size_t      room)
{
  const char *own = strrchr (kymo_rec_process_folder (), '/');

  kymo_sys_mkdir (folder);
  snprintf (path, room, "%s/raw", folder);
  kymo_sys_mkdir (path);
  snprintf (path, room, "%s/raw%s", folder, own != NULL ? own : "/process");
  return kymo_sys_mkdir (path) == 0;
}

/**
 * kymo_act_slice: writes the events of this process in a window of time into a raw folder below
 * another one.
 * @folder: of the slice; its parent exists
 * @begin: ticks
 * @end: ticks, in the past
 * @n_records: (out): events that were written
 * @words: (out): KYMO_ACT_MOST_WORDS bytes: why it failed, or what is missing, or empty
 *
 * Returns: FALSE if it cannot be written
 */
bool
kymo_act_slice (const char *folder,
                uint64_t    begin,
                uint64_t    end,
                uint64_t   *n_records,
                char       *words)
{
  char path[KYMO_SYS_MOST_PATH + 300];
  Slice *slice = kymo_sys_map (sizeof *slice, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  KymoRawCell *cells = kymo_sys_map (CHUNK_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Cutting cutting = { .from = kymo_rec_process_folder (), .to = path, .slice = slice };
  bool good = slice != NULL && cells != NULL && make_folder (folder, path, sizeof path);

  words[0] = '\0';
  *n_records = 0;
  if (good)
    {
      *slice = (Slice) { .begin = begin, .end = end, .cells = cells };
      kymo_node_folder_walk ("", cutting.from, cut_file, &cutting);
      kymo_rec_define_clock ();
      *n_records = slice->n_records;
      good = !cutting.has_failed && copy_definitions (cutting.from, path);
    }
  if (!good)
    snprintf (words, KYMO_ACT_MOST_WORDS, "cannot write its events (%s)", strerror (errno));
  else if (cutting.is_cut)
    snprintf (words, KYMO_ACT_MOST_WORDS, "had more events than a trace may have, which ends early "
              "there");
  if (slice != NULL)
    kymo_sys_unmap (slice, sizeof *slice);
  if (cells != NULL)
    kymo_sys_unmap (cells, CHUNK_BYTES);
  return good;
}
