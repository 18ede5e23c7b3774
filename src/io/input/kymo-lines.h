/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines of a stream, in place: no copy, no allocation per line.
 *
 * A line is valid until the next call and always followed by a '\n' that
 * belongs to the buffer, so that a field parser may run to it without
 * counting; KYMO_INFLATE_PADDING bytes behind a line may be read, whatever
 * they are. Lines longer than the limit are skipped and counted. Many lines at
 * once come from kymo_lines_block(). Where the stream is not of lines, its
 * bytes are to be had by kymo_lines_ensure() and kymo_lines_advance().
 *
 * A small compressed file is inflated in one go; then the buffer is a window
 * that moves over its bytes, and nothing is copied at all.
 */
#pragma once

#include "kymo-inflate.h"

G_BEGIN_DECLS

typedef struct
{
  KymoInflate *inflate;         /* borrowed */
  KymoJob     *job;             /* borrowed */
  char        *memory;          /* our own, or all bytes of the stream */
  char        *memory_end;      /* where they are all there, else NULL */
  char        *buffer;          /* where the window begins */
  gsize        size;            /* the most bytes it may have */
  gsize        room;            /* bytes that are allocated for it */
  char        *next;            /* begin of the next line */
  char        *end;             /* end of the valid bytes */
  gint64       offset;          /* of `next` in the plain stream */
  gint64       line_offset;     /* of the line that was given last */
  gint64       skipped_lines;   /* longer than the limit */
  gint64       skipped_offset;  /* of the first such line */
  gint64       tail_bytes;      /* last line without its newline */
  gsize        piece_bytes;     /* most bytes of one reading */
  gboolean     skipping;
  gboolean     ended;           /* the stream gives no more */
} KymoLines;

void  kymo_lines_init  (KymoLines   *lines,
                        KymoInflate *inflate,
                        KymoJob     *job);
void  kymo_lines_clear (KymoLines   *lines);
char *kymo_lines_fill  (KymoLines   *lines,
                        char       **end);
char *kymo_lines_block (KymoLines   *lines,
                        char       **end);
gboolean kymo_lines_can_exchange (const KymoLines *lines);
void  kymo_lines_widen (KymoLines   *lines);
char *kymo_lines_new_memory (const KymoLines *lines);
char *kymo_lines_exchange (KymoLines *lines,
                        char        *fresh);
gsize kymo_lines_ensure (KymoLines  *lines,
                        gsize        want);
void  kymo_lines_advance (KymoLines *lines,
                        gsize        n);

/**
 * kymo_lines_next:
 * @end: (out): the line's newline
 *
 * Returns: (transfer none) (nullable): the next whole line, valid until the next call; %NULL
 *   at the end of the stream or after a cancellation
 */
static inline char *
kymo_lines_next (KymoLines  *lines,
                 char      **end)
{
  char *line = lines->next;
  char *newline = __builtin_memchr (line, '\n', lines->end - line);

  if (G_UNLIKELY (newline == NULL))
    return kymo_lines_fill (lines, end);
  lines->line_offset = lines->offset;
  lines->offset += newline + 1 - line;
  lines->next = newline + 1;
  *end = newline;
  return line;
}

G_END_DECLS
