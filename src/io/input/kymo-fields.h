/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fields of a record line: decimal integers separated by blanks.
 *
 * Measured: a plain digit loop beats strtoll eight times and every SIMD
 * attempt, since fields have one to eight digits. The line must be followed
 * by a character that is no digit (KymoLines guarantees a newline).
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/** kymo_is_blank: whether there is nothing but white space from @p to @end */
static inline gboolean
kymo_is_blank (const char *p,
               const char *end)
{
  while (p < end && g_ascii_isspace (*p))
    p++;
  return p == end;
}

/**
 * kymo_next_int:
 * @cursor: (inout): at the field or the blanks before it; after it on success
 * @value: (out): the number
 *
 * Returns: whether there is a whole integer of at most 18 digits
 */
static inline gboolean
kymo_next_int (const char **cursor,
               gint64      *value)
{
  const char *p = *cursor;
  const char *first;
  gboolean negative = FALSE;
  guint64 v = 0;                /* wraps on digits too many, harmlessly */
  guint digit;

  while (*p == ' ')
    p++;
  if (*p == '-')
    {
      negative = TRUE;
      p++;
    }
  first = p;
  while ((digit = (guint) (guchar) *p - '0') < 10)
    {
      v = v * 10 + digit;
      p++;
    }
  if (G_UNLIKELY ((gsize) (p - first) - 1 > 17 || (guchar) *p > ' '))
    return FALSE;
  *cursor = p;
  *value = negative ? -(gint64) v : (gint64) v;
  return TRUE;
}

/**
 * kymo_next_ints:
 * @cursor: (inout): where to read; behind the integers on success
 * @values: (out) (array length=n): the integers
 * @n: how many to read
 *
 * Returns: whether there were @n integers
 */
static inline gboolean
kymo_next_ints (const char **cursor,
                gint64      *values,
                guint        n)
{
  for (guint i = 0; i < n; i++)
    if (!kymo_next_int (cursor, &values[i]))
      return FALSE;
  return TRUE;
}

/**
 * kymo_skip_blank_lines:
 * @line: where a line begins
 * @end: how far to look
 *
 * As fast as memory is read: a small compressed file may hold a billion of them.
 *
 * Returns: behind the last of the blank lines from @line on
 */
static inline const char *
kymo_skip_blank_lines (const char *line,
                       const char *end)
{
  static const char newlines[] = "\n\n\n\n\n\n\n\n";
  const char *p = line;

  while (p < end && g_ascii_isspace (*p))
    if (*p++ == '\n')
      for (line = p; end - p >= 8 && memcmp (p, newlines, 8) == 0; p += 8)
        line = p + 8;
  return line;
}

G_END_DECLS
