/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-archive-lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
hex_digit (char c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10
    : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* %XX in place; what is no such thing stays. A zero would end the text and becomes a blank. */
static void
decode_field (char *field)
{
  char *to = field;

  for (const char *from = field; *from != '\0'; from++)
    {
      int high = *from == '%' ? hex_digit (from[1]) : -1;
      int low = high >= 0 ? hex_digit (from[2]) : -1;
      char c = *from;

      if (low >= 0)
        {
          c = (char) (high << 4 | low);
          from += 2;
        }
      *to++ = c != '\0' ? c : ' ';
    }
  *to = '\0';
}

/**
 * kymo_archive_next_line:
 * @text: (inout): lines of definitions, which are changed in place
 * @line: (out): its fields, valid as long as the text
 *
 * Returns: FALSE at the end of the text; a last line without its end is not read
 */
bool
kymo_archive_next_line (KymoArchiveText *text,
                        KymoArchiveLine *line)
{
  char *end = text->at < text->end ? memchr (text->at, '\n', (size_t) (text->end - text->at))
    : NULL;
  char *at = text->at;

  if (end == NULL)
    return false;
  text->at = end + 1;
  *end = '\0';
  line->n = 0;
  while (at != NULL && line->n < KYMO_ARCHIVE_MOST_FIELDS)
    {
      /* A zero in the file ends its line. */
      char *tab = strchr (at, '\t');

      if (tab != NULL)
        *tab = '\0';
      decode_field (at);
      line->field[line->n++] = at;
      at = tab != NULL ? tab + 1 : NULL;
    }
  for (unsigned i = line->n; i < line->n + 8 && i < KYMO_ARCHIVE_MOST_FIELDS; i++)
    line->field[i] = "";
  return true;
}

/**
 * kymo_archive_is_line:
 * @kind: what it has to define
 * @n_fields: how many fields it has to have at least, its kind included
 *
 * Returns: whether the line is such a definition
 */
bool
kymo_archive_is_line (const KymoArchiveLine *line,
                      const char            *kind,
                      unsigned               n_fields)
{
  return line->n >= n_fields && strcmp (line->field[0], kind) == 0;
}

/**
 * kymo_archive_get_number:
 * @field: a text
 * @most: the largest number that is taken
 * @value: (out): the number
 *
 * Returns: FALSE if the text is no number from 0 to @most in digits
 */
bool
kymo_archive_get_number (const char *field,
                         uint64_t    most,
                         uint64_t   *value)
{
  char *end;

  if (*field < '0' || *field > '9')
    return false;
  errno = 0;
  *value = strtoull (field, &end, 10);
  return errno == 0 && *end == '\0' && *value <= most;
}

/**
 * kymo_archive_get_signed:
 * @field: a text
 * @value: (out): the number
 *
 * Returns: FALSE if the text is no whole number
 */
bool
kymo_archive_get_signed (const char *field,
                         int64_t    *value)
{
  const char *digits = *field == '-' ? field + 1 : field;
  char *end;

  if (*digits < '0' || *digits > '9')
    return false;
  errno = 0;
  *value = strtoll (field, &end, 10);
  return errno == 0 && *end == '\0';
}

/* "7" or "0-7" or, downwards, "7-0" at @at; where it ends. NULL = it is no such thing. */
static const char *
add_range (const char       *at,
           uint32_t          most,
           KymoArchiveBytes *ranks)
{
  char *end;
  unsigned long first, last;

  if (*at < '0' || *at > '9')
    return NULL;
  errno = 0;
  first = last = strtoul (at, &end, 10);
  if (*end == '-' && end[1] >= '0' && end[1] <= '9')
    last = strtoul (end + 1, &end, 10);
  if (errno != 0 || first > most || last > most)
    return NULL;
  for (;;)
    {
      uint32_t rank = (uint32_t) first;

      /* Nothing stands twice in a communicator: more than all are no list of ranks. */
      if (KYMO_ARCHIVE_COUNT (ranks, uint32_t) > most)
        return NULL;
      kymo_archive_bytes_add (ranks, &rank, sizeof rank);
      if (first == last)
        return end;
      first += first < last ? 1 : -1ul;
    }
}

/**
 * kymo_archive_get_ranks:
 * @field: ranks as in the definition of a communicator, "0-7,9", of an intercommunicator "0-3|4"
 * @most: the largest rank
 * @ranks: (out): (element-type uint32_t): of the first and the second group; empty where the text
 *   is none. The caller clears them.
 */
void
kymo_archive_get_ranks (const char       *field,
                        uint32_t          most,
                        KymoArchiveBytes  ranks[2])
{
  unsigned side = 0;

  ranks[0] = ranks[1] = (KymoArchiveBytes) { 0 };
  for (const char *at = field; at != NULL && *at != '\0';)
    {
      if (*at == ',' || (*at == '|' && side++ == 0))
        at++;
      else
        at = add_range (at, most, &ranks[side]);
      if (at == NULL)
        ranks[0].n = ranks[1].n = 0;
    }
}

/**
 * kymo_archive_add_field:
 * @bytes: (inout): a line in the making
 * @text: a field, which is encoded
 *
 * Adds a tab and the field.
 */
void
kymo_archive_add_field (KymoArchiveBytes *bytes,
                        const char       *text)
{
  kymo_archive_bytes_add (bytes, "\t", 1);
  for (; *text != '\0'; text++)
    if ((unsigned char) *text < 32 || *text == 127 || *text == '%')
      kymo_archive_bytes_print (bytes, "%%%02X", (unsigned char) *text);
    else
      kymo_archive_bytes_add (bytes, text, 1);
}
