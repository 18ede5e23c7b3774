/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-lines.h"

#include <string.h>

/* The most bytes a line may have: longer ones are no records, and memory
   must not grow with them. */
#define BUFFER_BYTES (1024 * 1024)
/* The buffer of a small file starts with the room for all of it, and grows when a line
   needs more: runs may have thousands of small files. */
#define LEAST_ROOM 4096
#define GROWTH 4

/* Gives the buffer more room; where the bytes lie changes. */
static void
grow (KymoLines *lines,
      gsize      room)
{
  gsize next = lines->next - lines->buffer, n = lines->end - lines->buffer;

  lines->room = MIN (room, lines->size);
  lines->memory = g_realloc (lines->memory, lines->room + KYMO_INFLATE_PADDING);
  lines->buffer = lines->memory;
  lines->next = lines->buffer + next;
  lines->end = lines->buffer + n;
}

/* All bytes at once where they may be had so. */
static void
make_memory (KymoLines *lines)
{
  gsize n = 0;

  lines->memory = kymo_inflate_steal_whole (lines->inflate, lines->job, &n);
  if (lines->memory != NULL)
    lines->memory_end = lines->memory + n;
  else
    {
      lines->room = CLAMP (kymo_inflate_get_bytes_left (lines->inflate) + 1, LEAST_ROOM,
                           (gint64) lines->size);
      lines->memory = g_malloc (lines->room + KYMO_INFLATE_PADDING);
    }
  lines->buffer = lines->next = lines->end = lines->memory;
}

/**
 * kymo_lines_init:
 * @inflate: the stream; not owned, and needed until kymo_lines_clear()
 * @job: (nullable): told how many bytes were read, and asked whether to stop
 *
 * Begins to read lines. Clear with kymo_lines_clear().
 */
void
kymo_lines_init (KymoLines   *lines,
                 KymoInflate *inflate,
                 KymoJob     *job)
{
  memset (lines, 0, sizeof *lines);
  lines->inflate = inflate;
  lines->job = job;
  lines->size = BUFFER_BYTES;
  lines->piece_bytes = BUFFER_BYTES;
  make_memory (lines);
}

/**
 * kymo_lines_clear:
 *
 * Frees the buffer; the lines in it are gone. The stream stays open.
 */
void
kymo_lines_clear (KymoLines *lines)
{
  g_clear_pointer (&lines->memory, g_free);
}

/* A line fills the whole buffer: drop it and whatever of it still comes. */
static void
skip_long_line (KymoLines *lines)
{
  if (!lines->skipping)
    {
      if (lines->skipped_lines++ == 0)
        lines->skipped_offset = lines->offset;
      lines->skipping = TRUE;
    }
  lines->offset += lines->end - lines->next;
  lines->next = lines->end;
}

/* The rest of a line that was too long ends at the first newline. */
static gboolean
end_skipping (KymoLines *lines)
{
  char *newline = memchr (lines->next, '\n', lines->end - lines->next);

  if (newline == NULL)
    {
      skip_long_line (lines);
      return FALSE;
    }
  lines->offset += newline + 1 - lines->next;
  lines->next = newline + 1;
  lines->skipping = FALSE;
  return TRUE;
}

/* The window goes on over bytes that are there. */
static gboolean
move_window (KymoLines *lines)
{
  char *before = lines->end;

  lines->buffer = lines->next;
  lines->end = lines->buffer + MIN (lines->size, (gsize) (lines->memory_end - lines->buffer));
  lines->ended = lines->end == before;
  return !lines->ended;
}

/* Moves what is left to the front and reads behind it; FALSE when no more
   comes. */
static gboolean
read_on (KymoLines *lines)
{
  gsize kept = lines->end - lines->next;
  gsize n = 0;

  if (lines->memory_end != NULL)
    return move_window (lines);
  if (lines->next > lines->buffer)
    memmove (lines->buffer, lines->next, kept);
  lines->next = lines->buffer;
  lines->end = lines->buffer + kept;
  if (kept == lines->room && kept < lines->size && !lines->ended)
    grow (lines, lines->room * GROWTH);
  if (!lines->ended)
    n = kymo_inflate_read (lines->inflate, lines->end,
                           MIN (lines->room - kept, lines->piece_bytes), lines->job);
  lines->end += n;
  memset (lines->end, 0, KYMO_INFLATE_PADDING);
  lines->ended = n == 0;
  return n > 0;
}

/**
 * kymo_lines_ensure:
 * @want: at most 1 MiB
 *
 * Returns: how many bytes there are from lines->next on: fewer than @want
 * only at the end of the stream
 */
gsize
kymo_lines_ensure (KymoLines *lines,
                   gsize      want)
{
  want = MIN (want, lines->size);
  while ((gsize) (lines->end - lines->next) < want && !lines->ended)
    if (kymo_job_is_cancelled (lines->job) || !read_on (lines))
      break;
  return lines->end - lines->next;
}

/**
 * kymo_lines_advance:
 * @n: bytes to go on by, of those that are there
 */
void
kymo_lines_advance (KymoLines *lines,
                    gsize      n)
{
  lines->next += n;
  lines->offset += n;
}

/* Reads until there is a whole line; FALSE at the end of the stream or after
   a cancellation. */
static gboolean
find_line (KymoLines *lines)
{
  while (!kymo_job_is_cancelled (lines->job))
    {
      gsize kept = lines->end - lines->next;

      if (!read_on (lines))
        {
          lines->tail_bytes = kept;
          return FALSE;
        }
      if (lines->skipping && !end_skipping (lines))
        continue;
      if (memchr (lines->next, '\n', lines->end - lines->next) != NULL)
        return TRUE;
      if ((gsize) (lines->end - lines->next) == lines->size)
        skip_long_line (lines);
    }
  return FALSE;
}

/**
 * kymo_lines_fill:
 * @end: (out): the line's newline
 *
 * The slow path of kymo_lines_next(), for when no whole line is in the buffer.
 *
 * Returns: (transfer none) (nullable): the next line, or %NULL at the end of the stream or
 *   after a cancellation
 */
char *
kymo_lines_fill (KymoLines  *lines,
                 char      **end)
{
  return find_line (lines) ? kymo_lines_next (lines, end) : NULL;
}

/**
 * kymo_lines_can_exchange:
 *
 * Returns: whether what was read can be given away; not where all bytes of
 * the stream are one piece of memory
 */
gboolean
kymo_lines_can_exchange (const KymoLines *lines)
{
  return lines->memory_end == NULL;
}

/**
 * kymo_lines_widen:
 *
 * Gives the buffer all the room it may have, so that any two of kymo_lines_exchange() have
 * the same. To be called once before those; what kymo_lines_block() gave is not valid after.
 */
void
kymo_lines_widen (KymoLines *lines)
{
  if (lines->memory_end == NULL && lines->room < lines->size)
    grow (lines, lines->size);
}

/**
 * kymo_lines_new_memory:
 *
 * Returns: (transfer full): a buffer of the size that kymo_lines_exchange() takes; free with
 *   g_free()
 */
char *
kymo_lines_new_memory (const KymoLines *lines)
{
  return g_malloc (lines->size + KYMO_INFLATE_PADDING);
}

/**
 * kymo_lines_exchange:
 * @fresh: (transfer full): of kymo_lines_new_memory()
 *
 * Gives away the memory with what was read so far, and goes on in other
 * memory; what kymo_lines_advance() has not gone over is copied there.
 *
 * Returns: (transfer full): the memory
 */
char *
kymo_lines_exchange (KymoLines *lines,
                     char      *fresh)
{
  char *memory = lines->memory;
  gsize kept = lines->end - lines->next;

  memcpy (fresh, lines->next, kept);
  lines->memory = lines->buffer = lines->next = fresh;
  lines->end = fresh + kept;
  return memory;
}

/**
 * kymo_lines_block:
 * @end: (out): behind the last line's newline
 *
 * Gives as many lines as are at hand. The caller goes over them with kymo_lines_advance().
 *
 * Returns: (transfer none) (nullable): whole lines, at least one, valid until the next call;
 *   %NULL as kymo_lines_next()
 */
char *
kymo_lines_block (KymoLines  *lines,
                  char      **end)
{
  char *last = lines->next < lines->end
    ? memrchr (lines->next, '\n', lines->end - lines->next) : NULL;

  if (last == NULL)
    {
      if (!find_line (lines))
        return NULL;
      last = memrchr (lines->next, '\n', lines->end - lines->next);
    }
  *end = last + 1;
  return lines->next;
}
