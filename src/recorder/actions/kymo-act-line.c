/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-act-line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
digit_of (char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

/* Writes a field without its %XX over itself. FALSE if it has bytes that no field has. */
static bool
unescape_field (char *field)
{
  char *to = field;

  for (const char *at = field; *at != '\0'; at++, to++)
    {
      if ((unsigned char) *at < 32 || *at == 127)
        return false;
      if (*at != '%')
        {
          *to = *at;
          continue;
        }
      int high = digit_of (at[1]), low = high >= 0 ? digit_of (at[2]) : -1;
      if (low < 0 || high * 16 + low == 0)
        return false;
      *to = (char) (high * 16 + low);
      at += 2;
    }
  *to = '\0';
  return true;
}

/**
 * kymo_act_line_split: divides a line of a client.
 * @line: the line without its end, with room for a byte behind it; it is written over
 * @n_bytes: of the line
 * @fields: (out): KYMO_ACT_MOST_FIELDS texts in @line
 *
 * Returns: how many fields there are; -1 if the line has bytes that no line has, or too many fields
 */
int
kymo_act_line_split (char    *line,
                     size_t   n_bytes,
                     char   **fields)
{
  int n = 0;

  if (memchr (line, '\0', n_bytes) != NULL)
    return -1;
  line[n_bytes] = '\0';
  for (char *at = line, *next; at != NULL; at = next)
    {
      next = strchr (at, '\t');
      if (next != NULL)
        *next++ = '\0';
      if (n == KYMO_ACT_MOST_FIELDS || !unescape_field (at))
        return -1;
      fields[n++] = at;
    }
  return n;
}

/**
 * kymo_act_line_value:
 * @key: of KEY=VALUE
 *
 * Returns: the value of the first such field, in @fields; NULL if there is none
 */
const char *
kymo_act_line_value (char *const *fields,
                     int          n_fields,
                     const char  *key)
{
  size_t length = strlen (key);

  for (int i = 0; i < n_fields; i++)
    if (strncmp (fields[i], key, length) == 0 && fields[i][length] == '=')
      return fields[i] + length + 1;
  return NULL;
}

static void
put_byte (KymoActLine *line,
          char         byte)
{
  /* The end of the line has room in any case. */
  if (line->n + 1 < sizeof line->bytes)
    line->bytes[line->n++] = byte;
  else
    line->is_cut = true;
}

/**
 * kymo_act_line_begin: begins a line with its first field.
 */
void
kymo_act_line_begin (KymoActLine *line,
                     const char  *word)
{
  line->n = 0;
  line->is_cut = false;
  kymo_act_line_piece (line, word, "");
}

/**
 * kymo_act_line_piece: goes on with a field.
 * @separators: bytes that are not to stand in the field as they are
 */
void
kymo_act_line_piece (KymoActLine *line,
                     const char  *text,
                     const char  *separators)
{
  static const char digits[] = "0123456789ABCDEF";

  for (; *text != '\0'; text++)
    {
      unsigned char c = (unsigned char) *text;
      if (c >= 32 && c != 127 && c != '%' && strchr (separators, c) == NULL)
        {
          put_byte (line, *text);
          continue;
        }
      put_byte (line, '%');
      put_byte (line, digits[c >> 4]);
      put_byte (line, digits[c & 15]);
    }
}

/**
 * kymo_act_line_open: begins the next field.
 */
void
kymo_act_line_open (KymoActLine *line)
{
  put_byte (line, '\t');
}

/**
 * kymo_act_line_add: adds a whole field.
 */
void
kymo_act_line_add (KymoActLine *line,
                   const char  *field)
{
  kymo_act_line_open (line);
  kymo_act_line_piece (line, field, "");
}

/**
 * kymo_act_line_end: ends the line.
 */
void
kymo_act_line_end (KymoActLine *line)
{
  line->bytes[line->n++] = '\n';
}

/* A number in digits at *at, which moves behind it. */
static bool
take_rank (const char **at,
           uint32_t     most,
           uint32_t    *rank)
{
  uint64_t value = 0;
  const char *begin = *at;

  for (; **at >= '0' && **at <= '9'; ++*at)
    if ((value = value * 10 + (uint64_t) (**at - '0')) >= most)
      return false;
  *rank = (uint32_t) value;
  return *at > begin && value < most;
}

/**
 * kymo_act_parse_ranks:
 * @text: such as 0-3,7
 * @most: ranks are below
 * @set: (out): a bit for each rank, (@most + 7) / 8 bytes
 * @n_ranks: (out): how many there are
 *
 * Returns: FALSE if @text is no list of ranks of the job
 */
bool
kymo_act_parse_ranks (const char *text,
                      uint32_t    most,
                      uint8_t    *set,
                      uint32_t   *n_ranks)
{
  memset (set, 0, (most + 7) / 8);
  *n_ranks = 0;
  for (const char *at = text;; at++)
    {
      uint32_t first, last;
      if (!take_rank (&at, most, &first))
        return false;
      last = first;
      if (*at == '-' && (at++, !take_rank (&at, most, &last) || last < first))
        return false;
      for (uint32_t rank = first; rank <= last; rank++)
        {
          *n_ranks += (set[rank / 8] >> rank % 8 & 1) == 0;
          set[rank / 8] |= (uint8_t) (1 << rank % 8);
        }
      if (*at == '\0')
        return true;
      if (*at != ',')
        return false;
    }
}

/**
 * kymo_act_parse_integer:
 * @value: (out): from @least to @most
 *
 * Returns: FALSE if @text is no such number
 */
bool
kymo_act_parse_integer (const char *text,
                        int64_t     least,
                        int64_t     most,
                        int64_t    *value)
{
  char *end;

  if ((text[0] < '0' || text[0] > '9') && (text[0] != '-' || text[1] < '0' || text[1] > '9'))
    return false;
  errno = 0;
  *value = strtoll (text, &end, 10);
  return *end == '\0' && errno == 0 && *value >= least && *value <= most;
}

/**
 * kymo_act_parse_real: with a decimal point if the thread has the locale C.
 * @value: (out): from @least to @most
 *
 * Returns: FALSE if @text is no such number
 */
bool
kymo_act_parse_real (const char *text,
                     double      least,
                     double      most,
                     double     *value)
{
  char *end;

  if (text[0] == '\0' || strspn (text, "+-.0123456789eE") != strlen (text))
    return false;
  *value = strtod (text, &end);
  return *end == '\0' && *value >= least && *value <= most;
}
