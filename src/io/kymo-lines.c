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
      gsize n;

      memmove (lines->buffer, lines->next, kept);
      lines->next = lines->buffer;
      lines->end = lines->buffer + kept;
      n = kymo_inflate_read (lines->inflate, lines->end, lines->size - kept, lines->job);
      if (n == 0)
        {
          lines->tail_bytes = kept;
          return NULL;
        }
      lines->end += n;
      if (lines->skipping && !end_skipping (lines))
        continue;
      if (memchr (lines->end - MIN (n, (gsize) (lines->end - lines->next)), '\n',
                  MIN (n, (gsize) (lines->end - lines->next))) != NULL)
        return kymo_lines_next (lines, end);
      if ((gsize) (lines->end - lines->next) == lines->size)
        skip_long_line (lines);
    }
  return NULL;
}
