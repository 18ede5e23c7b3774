/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-words.h"

/**
 * kymo_words_init:
 * @inflate: (transfer none): the stream
 * @job: (nullable): told of the bytes that were read
 */
void
kymo_words_init (KymoWords   *words,
                 KymoInflate *inflate,
                 KymoJob     *job)
{
  *words = (KymoWords) { .inflate = inflate, .job = job };
  words->buffer = g_malloc (KYMO_WORDS_BUFFER);
}

/**
 * kymo_words_clear:
 *
 * Frees the buffer with the word. The stream stays open.
 */
void
kymo_words_clear (KymoWords *words)
{
  g_clear_pointer (&words->buffer, g_free);
}

/* The next byte, or -1 at the end. */
static inline int
peek_words (KymoWords *words)
{
  if (G_UNLIKELY (words->next == words->fill))
    {
      words->buffer_offset += words->fill;
      words->fill = kymo_job_is_cancelled (words->job) ? 0
        : kymo_inflate_read (words->inflate, words->buffer, KYMO_WORDS_BUFFER, words->job);
      words->next = 0;
      if (words->fill == 0)
        return -1;
    }
  return (guchar) words->buffer[words->next];
}

/**
 * kymo_words_next:
 *
 * Words are parted by blanks and control characters other than a newline.
 *
 * Returns: what comes next
 */
KymoWordKind
kymo_words_next (KymoWords *words)
{
  gsize n = 0;
  int c;

  while ((c = peek_words (words)) >= 0 && c <= ' ' && c != '\n')
    words->next++;
  words->offset = words->buffer_offset + words->next;
  words->is_cut = FALSE;
  if (c < 0)
    return KYMO_WORD_FILE_END;
  if (c == '\n')
    {
      words->next++;
      return KYMO_WORD_LINE_END;
    }
  for (; c > ' '; words->next++, c = peek_words (words))
    if (n < KYMO_WORD_MAX)
      words->text[n++] = c;
  words->text[n] = '\0';
  words->is_cut = c < 0;
  return KYMO_WORD;
}
