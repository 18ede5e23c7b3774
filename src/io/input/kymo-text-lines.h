/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines and words of a text in memory, in place; for files that people may read, where
 * speed is nothing.
 */
#pragma once

#include <string.h>

#include "kymo-decimal.h"

G_BEGIN_DECLS

/** KymoTextLine: a line without its newline, or what is left of it */
typedef struct
{
  const char *p, *end;
} KymoTextLine;

/**
 * kymo_text_next_line:
 * @at: (inout): begin of a line; begin of the next after
 * @end: of the text
 * @line: (out): the line without its newline and the blanks before it
 *
 * Returns: %FALSE at the end of the text
 */
static inline gboolean
kymo_text_next_line (const char   **at,
                     const char    *end,
                     KymoTextLine  *line)
{
  const char *newline;

  if (*at >= end)
    return FALSE;
  newline = memchr (*at, '\n', end - *at);
  line->p = *at;
  line->end = newline != NULL ? newline : end;
  *at = newline != NULL ? newline + 1 : end;
  while (line->end > line->p && (line->end[-1] == '\r' || line->end[-1] == ' '
                                 || line->end[-1] == '\t'))
    line->end--;
  return TRUE;
}

/**
 * kymo_text_skip_blanks:
 * @line: its begin moves
 *
 * Skips blanks, tabs and form feeds at the begin of a line.
 */
static inline void
kymo_text_skip_blanks (KymoTextLine *line)
{
  while (line->p < line->end && (*line->p == ' ' || *line->p == '\t' || *line->p == '\f'))
    line->p++;
}

/**
 * kymo_text_next_word:
 * @line: its begin moves behind the word
 *
 * Returns: the next word of the line; empty at its end
 */
static inline KymoTextLine
kymo_text_next_word (KymoTextLine *line)
{
  KymoTextLine word;

  kymo_text_skip_blanks (line);
  word.p = line->p;
  while (line->p < line->end && *line->p != ' ' && *line->p != '\t')
    line->p++;
  word.end = line->p;
  return word;
}

/**
 * kymo_text_begins:
 * @with: a text
 *
 * Returns: whether the line begins with the text
 */
static inline gboolean
kymo_text_begins (const KymoTextLine *line,
                  const char         *with)
{
  gsize n = strlen (with);

  return (gsize) (line->end - line->p) >= n && memcmp (line->p, with, n) == 0;
}

/**
 * kymo_text_number:
 * @word: a word of a line
 * @value: (out): the number
 *
 * Returns: whether all of the word is a number
 */
static inline gboolean
kymo_text_number (const KymoTextLine *word,
                  double             *value)
{
  const char *p = word->p;

  return p < word->end && (g_ascii_isdigit (*p) || *p == '-' || *p == '.')
    && kymo_decimal_scan (&p, word->end, value) && p == word->end;
}

G_END_DECLS
