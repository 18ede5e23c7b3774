/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of a text stream and the ends of its lines. For files whose
 * lines may be of any length: only one word is ever held.
 *
 * One thread per stream.
 */
#pragma once

#include "kymo-inflate.h"

G_BEGIN_DECLS

#define KYMO_WORDS_BUFFER 65536
#define KYMO_WORD_MAX 127

/**
 * KymoWordKind:
 * @KYMO_WORD: the word is in @text
 * @KYMO_WORD_LINE_END: a line ended
 * @KYMO_WORD_FILE_END: nothing more
 */
typedef enum
{
  KYMO_WORD,
  KYMO_WORD_LINE_END,
  KYMO_WORD_FILE_END,
} KymoWordKind;

/**
 * KymoWords:
 * @text: the word given last; of a longer one its first bytes
 * @offset: where it begins in the plain stream
 * @is_cut: the file ended right after it, without an end of line
 */
typedef struct
{
  KymoInflate *inflate;         /* borrowed */
  KymoJob     *job;             /* borrowed */
  char        *buffer;
  gsize        fill;
  gsize        next;
  gint64       buffer_offset;
  char         text[KYMO_WORD_MAX + 1];
  gint64       offset;
  gboolean     is_cut;
} KymoWords;

void         kymo_words_init  (KymoWords   *words,
                               KymoInflate *inflate,
                               KymoJob     *job);
void         kymo_words_clear (KymoWords   *words);
KymoWordKind kymo_words_next  (KymoWords   *words);

G_END_DECLS
