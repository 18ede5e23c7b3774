/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-lines.h"

#include <string.h>

/* The most bytes a line may have: longer ones are no records, and memory
   must not grow with them. */
#define BUFFER_BYTES (1024 * 1024)

void
kymo_lines_init (KymoLines   *lines,
                 KymoInflate *inflate,
                 KymoJob     *job)
{
  memset (lines, 0, sizeof *lines);
  lines->inflate = inflate;
  lines->job = job;
  lines->size = BUFFER_BYTES;
  lines->buffer = g_malloc (lines->size + 1);
  lines->next = lines->end = lines->buffer;
}

void
kymo_lines_clear (KymoLines *lines)
{
  g_clear_pointer (&lines->buffer, g_free);
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
  lines->next = lines->end = lines->buffer;
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

/* Moves what is left to the front and reads behind it; FALSE when no more
   comes. A NUL stands behind the bytes, for whoever runs over their end. */
static gboolean
read_on (KymoLines *lines)
{
  gsize kept = lines->end - lines->next;
  gsize n = 0;

  if (lines->next > lines->buffer)
    memmove (lines->buffer, lines->next, kept);
  lines->next = lines->buffer;
  lines->end = lines->buffer + kept;
  if (!lines->ended)
    n = kymo_inflate_read (lines->inflate, lines->end, lines->size - kept, lines->job);
  lines->end += n;
  *lines->end = '\0';
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

/**
 * kymo_lines_fill:
 *
 * The slow path of kymo_lines_next(): no whole line is in the buffer.
 */
char *
kymo_lines_fill (KymoLines  *lines,
                 char      **end)
{
  while (!kymo_job_is_cancelled (lines->job))
    {
      gsize kept = lines->end - lines->next;

      if (!read_on (lines))
        {
          lines->tail_bytes = kept;
          return NULL;
        }
      if (lines->skipping && !end_skipping (lines))
        continue;
      if (memchr (lines->next, '\n', lines->end - lines->next) != NULL)
        return kymo_lines_next (lines, end);
      if ((gsize) (lines->end - lines->next) == lines->size)
        skip_long_line (lines);
    }
  return NULL;
}
