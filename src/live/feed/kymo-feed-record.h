/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes frames into a new recording on a thread of its own, so that neither
 * blocks nor the window wait for a disk, however slow it is.
 *
 * What happens is told in the context that was thread-default when it was
 * made, on whose thread all functions are called. Reference counted.
 */
#pragma once

#include "kymo-stream-file.h"

G_BEGIN_DECLS

typedef struct _KymoFeedRecord KymoFeedRecord;

/**
 * KymoFeedRecordEvents:
 * @saved: the first frames are in the file, and it goes on
 * @ended: nothing more is written; `error` tells why, or is %NULL where it
 *   was ended by kymo_feed_record_end()
 */
typedef struct
{
  void (*saved) (KymoFeedRecord *record,
                 gpointer        data);
  void (*ended) (KymoFeedRecord *record,
                 const GError   *error,
                 gpointer        data);
} KymoFeedRecordEvents;

KymoFeedRecord *kymo_feed_record_new      (const char           *path,
                                           const char           *provenance,
                                           GPtrArray            *frames,
                                           gboolean              go_on,
                                           const KymoFeedRecordEvents *events,
                                           gpointer              data);
void            kymo_feed_record_push     (KymoFeedRecord       *record,
                                           KymoStreamFrame      *frame);
void            kymo_feed_record_end      (KymoFeedRecord       *record);
void            kymo_feed_record_close    (KymoFeedRecord       *record);
gint64          kymo_feed_record_get_bytes (KymoFeedRecord      *record);
const char     *kymo_feed_record_peek_path (const KymoFeedRecord *record);
gboolean        kymo_feed_record_goes_on  (const KymoFeedRecord *record);

G_END_DECLS
