/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands on a timeline beside its cells: paused outer blocks, user
 * events, and marks on the ruler.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

typedef struct
{
  guint   x0, x1;
  guint32 state;
  gint    level;                /* depth of a block; lane of an event or -1 */
} KymoExtra;

/** KymoRowExtras: every array may be NULL */
typedef struct
{
  GArray *outer;                /* KymoExtra */
  GArray *events;               /* KymoExtra */
  GArray *lanes;                /* KymoExtraLane, of the events */
  GArray *records;              /* of kymo_timeline_collect_records() */
  GArray *files;                /* of kymo_timeline_collect_files() */
} KymoRowExtras;

void       kymo_row_extras_clear     (KymoRowExtras       *extras);
void       kymo_row_extras_collect   (const KymoAsk       *ask,
                                      KymoSegment         *segment,
                                      const gint64        *edges_ns,
                                      guint                n_columns,
                                      gboolean             with_outer,
                                      KymoRowExtras       *extras);
gboolean   kymo_row_extras_place     (const KymoAsk       *ask,
                                      const gint64        *edges_ns,
                                      guint                n_columns,
                                      gint64               begin_ns,
                                      gint64               end_ns,
                                      KymoExtra           *extra);
GArray    *kymo_timeline_collect_records (const KymoAsk   *ask,
                                      KymoSegment         *segment,
                                      const gint64        *edges_ns,
                                      guint                n_columns);
void       kymo_timeline_append_records (const GArray     *records,
                                      guint                row,
                                      KymoTable          **table);
GArray    *kymo_timeline_collect_files (const KymoAsk     *ask,
                                      KymoSegment         *segment,
                                      const GArray        *records,
                                      const gint64        *edges_ns,
                                      guint                n_columns);
void       kymo_timeline_append_files (const GArray       *files,
                                      guint                row,
                                      KymoTable          **table);
void       kymo_row_extras_mark_used (const KymoRowExtras *extras,
                                      gboolean            *used);
void       kymo_row_extras_append    (const KymoRowExtras *extras,
                                      const guint32       *index_of,
                                      KymoTable           *outer,
                                      KymoTable           *events,
                                      KymoTable           *lanes);
KymoTable *kymo_lane_table_new       (void);
KymoTable *kymo_span_table_new       (const char          *last_column);
GArray    *kymo_marks_new            (void);
void       kymo_marks_collect        (const KymoAsk       *ask,
                                      KymoSegment         *segment,
                                      GArray              *marks);
void kymo_marks_collect_markers (const KymoAsk *ask,
                                 GArray        *marks);
KymoTable *kymo_marks_to_table       (const KymoAsk       *ask,
                                      GArray              *marks);

G_END_DECLS
