/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a stream's run knows beside its bins, while it comes: makes the
 * KymoStreamLog of a snapshot. Bounded, however long the stream: replies are
 * joined, the oldest marks go.
 *
 * One thread at a time; the logs are immutable.
 */
#pragma once

#include "kymo-pyramid.h"
#include "kymo-stream-log.h"

G_BEGIN_DECLS

/** Most replies that are kept apart; beyond, neighbours are joined */
#define KYMO_STREAM_MAX_REPLIES 16384
/** the newest of them never are */
#define KYMO_STREAM_SINGLE_REPLIES 4096
#define KYMO_STREAM_MAX_MARKS 10000
/** of a mark's sentence, in characters */
#define KYMO_STREAM_MAX_MARK 400

/**
 * KymoStreamJournal:
 * @log: counts and times; its arrays are not used
 * @n_marks_gone: marks that are no longer told
 */
typedef struct
{
  KymoStreamLog log;
  GArray       *replies;        /* KymoStreamReply */
  gint64        joined_ns;      /* joined ones are so long at most */
  GArray       *marks;          /* KymoStreamMark; logs may hold it */
  gboolean      marks_shared;
  gint64        n_marks_gone;
  GArray       *seconds;        /* KymoStreamSeconds */
  GArray       *loads;          /* KymoStreamLoad */
} KymoStreamJournal;

void           kymo_stream_journal_init  (KymoStreamJournal     *journal);
void           kymo_stream_journal_clear (KymoStreamJournal     *journal);
void           kymo_stream_journal_reply (KymoStreamJournal     *journal,
                                          const KymoStreamReply *reply);
void           kymo_stream_journal_mark  (KymoStreamJournal     *journal,
                                          KymoStreamMark        *mark);
void           kymo_stream_journal_second (KymoStreamJournal    *journal,
                                          guint                  n_activities,
                                          const gint64          *ns,
                                          gint64                 busy_ns);
void           kymo_stream_journal_values (KymoStreamJournal    *journal,
                                          const char            *text);
KymoStreamLog *kymo_stream_journal_make_log (KymoStreamJournal  *journal,
                                          guint                  n_activities,
                                          gboolean               growing);

G_END_DECLS
