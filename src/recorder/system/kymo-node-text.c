/* kymo-node-text.c: words and numbers in the files of the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-node-text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/** kymo_node_word: @length bytes at @at, borrowed. */
KymoNodeWord
kymo_node_word (const char *at, size_t length)
{
  return (KymoNodeWord) { at, length };
}

/** kymo_node_next_field: cuts from @rest what stands before the next @separator, or all of it.
 * Returns: false if @rest is empty. */
bool
kymo_node_next_field (KymoNodeWord *rest, char separator, KymoNodeWord *field)
{
  const char *end;

  if (rest->length == 0)
    return false;
  end = memchr (rest->at, separator, rest->length);
  *field = kymo_node_word (rest->at, end != NULL ? (size_t) (end - rest->at) : rest->length);
  rest->at += field->length + (end != NULL);
  rest->length -= field->length + (end != NULL);
  return true;
}

/** kymo_node_next_line: cuts the next line from @rest, without its newline.
 * Returns: false at the end. */
bool
kymo_node_next_line (KymoNodeWord *rest, KymoNodeWord *line)
{
  return kymo_node_next_field (rest, '\n', line);
}

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

/** kymo_node_next_word: cuts from @rest the next word between blanks or tabs.
 * Returns: false if there is none. */
bool
kymo_node_next_word (KymoNodeWord *rest, KymoNodeWord *word)
{
  while (rest->length > 0 && is_blank (rest->at[0]))
    {
      rest->at++;
      rest->length--;
    }
  *word = kymo_node_word (rest->at, 0);
  while (rest->length > 0 && !is_blank (rest->at[0]))
    {
      rest->at++;
      rest->length--;
      word->length++;
    }
  return word->length > 0;
}

/** kymo_node_word_is: whether @word is exactly @text. */
bool
kymo_node_word_is (KymoNodeWord word, const char *text)
{
  return strlen (text) == word.length && memcmp (word.at, text, word.length) == 0;
}

/** kymo_node_word_begins: whether @text stands at the begin of @word. */
bool
kymo_node_word_begins (KymoNodeWord word, const char *text)
{
  return strlen (text) <= word.length && memcmp (word.at, text, strlen (text)) == 0;
}

/** kymo_node_word_copy: copies @word to @copy of @size bytes, at least 1, and terminates it.
 * Returns: false if it was cut. */
bool
kymo_node_word_copy (KymoNodeWord word, char *copy, size_t size)
{
  size_t length = word.length < size ? word.length : size - 1;

  if (length > 0)
    memcpy (copy, word.at, length);
  copy[length] = '\0';
  return length == word.length;
}

/** kymo_node_number: the decimal number that @word consists of, without a sign.
 * Returns: false if it is none or has more than 64 bits. */
bool
kymo_node_number (KymoNodeWord word, uint64_t *number)
{
  uint64_t sum = 0;

  if (word.length == 0)
    return false;
  for (size_t i = 0; i < word.length; i++)
    {
      if (word.at[i] < '0' || word.at[i] > '9'
          || __builtin_mul_overflow (sum, (uint64_t) 10, &sum)
          || __builtin_add_overflow (sum, (uint64_t) (word.at[i] - '0'), &sum))
        return false;
    }
  *number = sum;
  return true;
}

/** kymo_node_numbers: reads the words of @line as numbers, @most at most.
 * Returns: how many there are before the first word that is none. */
unsigned
kymo_node_numbers (KymoNodeWord line, uint64_t *numbers, unsigned most)
{
  unsigned n = 0;
  KymoNodeWord word;

  while (n < most && kymo_node_next_word (&line, &word) && kymo_node_number (word, &numbers[n]))
    n++;
  return n;
}

/** kymo_node_text_init: an empty text in @data, which stays the caller's and has @size bytes,
 * at least 1. */
void
kymo_node_text_init (KymoNodeText *text, char *data, size_t size)
{
  *text = (KymoNodeText) { .data = data, .size = size };
  data[0] = '\0';
}

/** kymo_node_text_add: appends @length bytes. What does not fit is left out as a whole, and
 * `cut` says so. */
void
kymo_node_text_add (KymoNodeText *text, const char *bytes, size_t length)
{
  if (length >= text->size - text->length)
    {
      text->cut = true;
      return;
    }
  memcpy (text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

/** kymo_node_text_printf: appends @format as printf () would write it, at most 8191 bytes of it.
 * What does not fit is left out as a whole, and `cut` says so. */
void
kymo_node_text_printf (KymoNodeText *text, const char *format, ...)
{
  char line[8192];
  va_list list;
  int length;

  va_start (list, format);
  length = vsnprintf (line, sizeof line, format, list);
  va_end (list);
  if (length >= (int) sizeof line)
    text->cut = true;
  else if (length > 0)
    kymo_node_text_add (text, line, (size_t) length);
}
