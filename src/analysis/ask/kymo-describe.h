/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records in words, for the kinds events, details and all that name a record.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

gint  kymo_segment_block_at (const KymoSegment *segment,
                             gint64             time_ns);
char *kymo_describe_block  (const KymoAsk *ask,
                            KymoSegment   *segment,
                            guint          block);
char *kymo_describe_send   (const KymoAsk *ask,
                            KymoSegment   *segment,
                            guint          send);
char *kymo_describe_receive (const KymoAsk *ask,
                             KymoSegment   *segment,
                             guint          receive);
char *kymo_describe_point  (const KymoAsk *ask,
                            KymoSegment   *segment,
                            guint          point);
char *kymo_describe_marker (const KymoRun    *run,
                            const KymoMarker *marker);
KymoTable *kymo_marker_table_new (void);
void  kymo_marker_table_append (KymoTable        *table,
                                const KymoRun    *run,
                                const KymoMarker *marker);
gint  kymo_ask_location_of_marker (const KymoAsk    *ask,
                                   const KymoMarker *marker);
const char *kymo_describe_io_file (const KymoRun   *run,
                                   const KymoPoint *point);
char *kymo_describe_io_point (const KymoRun *run,
                              const KymoPoint *point);
char *kymo_describe_location (const KymoAsk   *ask,
                              gint64           id);
char *kymo_describe_rank   (gint64 rank);
char *kymo_describe_object (const KymoSegment *segment,
                            guint              block);

G_END_DECLS
