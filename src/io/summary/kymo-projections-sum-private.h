/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the decoders of .sum and .sumd share: a word stream with its load
 * report, the header's words, and lists of numbers.
 */
#pragma once

#include "kymo-inflate.h"
#include "kymo-projections-sum.h"

G_BEGIN_DECLS

/* The words of a text stream and the ends of its lines. For files whose
   lines may be of any length: only one word is ever held.

   One thread per stream. */

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

/** KymoSumReader: one file while it is decoded */
typedef struct
{
  KymoWords    words;
  KymoInflate *inflate;
  const char  *name;
  KymoReport  *report;
  gboolean     is_cut;          /* the last line has no end */
  gint64       runs_left;       /* how many more its lists may keep */
  gint64       n_refused;       /* beyond that, from the offset on; told in the end, at once */
  gint64       refused_at;
} KymoSumReader;

gboolean     kymo_sum_reader_open   (KymoSumReader *reader,
                                     const char    *path,
                                     const char    *name,
                                     KymoReport    *report,
                                     KymoJob       *job);
void         kymo_sum_reader_close  (KymoSumReader *reader);
KymoWordKind kymo_sum_reader_next   (KymoSumReader *reader);
void         kymo_sum_reader_finish (KymoSumReader *reader);
gboolean     kymo_sum_reader_header (KymoSumReader *reader,
                                     const char    *pe_prefix,
                                     char         **version,
                                     gint64        *pe,
                                     gint64        *n_pes);
gboolean     kymo_sum_parse_field   (const char    *word,
                                     const char    *prefix,
                                     gint64        *value);
gboolean     kymo_sum_parse_length  (const char    *word,
                                     const char    *prefix,
                                     gint64        *ns);
gboolean     kymo_sum_parse_int     (const char   **text,
                                     gint64         most,
                                     gint64        *value);
void         kymo_sum_list_init     (KymoSumList   *list);
void         kymo_sum_list_clear    (KymoSumList   *list);
void         kymo_sum_list_take     (KymoSumReader *reader,
                                     KymoSumList   *list,
                                     gint64         most,
                                     const char    *sentence);
KymoWordKind kymo_sum_list_read     (KymoSumReader *reader,
                                     KymoSumList   *list,
                                     gint64         most,
                                     const char    *sentence);
void         kymo_sum_list_check    (KymoSumReader *reader,
                                     const KymoSumList *list,
                                     gint64         expected,
                                     const char    *missing,
                                     const char    *surplus);

G_END_DECLS
