/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the decoders of .sum and .sumd share: a word stream with its load
 * report, the header's words, and lists of numbers.
 */
#pragma once

#include "kymo-projections-sum.h"
#include "kymo-words.h"

G_BEGIN_DECLS

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
