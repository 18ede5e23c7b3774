/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoChartBlocks: the blocks in sight of one row of a timeline, in words, for the table
 * behind it (KymoChartTable): an answer of kind "search", asked for whenever the row or the
 * range is another. Main thread only.
 */
#pragma once

#include "kymo-hover-row.h"
#include "kymo-session.h"

G_BEGIN_DECLS

typedef struct _KymoChartBlocks KymoChartBlocks;

/* There are other blocks, or none; `title` says which. */
typedef void (*KymoChartBlocksDone) (const char *title,
                                     gpointer    data);

/* (transfer full) */
KymoChartBlocks *kymo_chart_blocks_new          (KymoSession           *session,
                                                 KymoChartBlocksDone    done,
                                                 gpointer               data);
void             kymo_chart_blocks_free         (KymoChartBlocks       *self);
/* Of the visible range; nothing is told any more of what was asked before. Of location -1
   there are none, which is told at once. */
void             kymo_chart_blocks_ask          (KymoChartBlocks       *self,
                                                 gint64                 location);
/* Neither blocks nor a question; done() is not called. */
void             kymo_chart_blocks_clear        (KymoChartBlocks       *self);
guint            kymo_chart_blocks_get_n        (const KymoChartBlocks *self);
/* (transfer full): see kymo-chart-words.h */
char            *kymo_chart_blocks_dup_cells    (const KymoChartBlocks *self,
                                                 guint                  block);
/* What it stands for, borrowed. */
KymoHoverSubject kymo_chart_blocks_get_subject  (const KymoChartBlocks *self,
                                                 guint                  block);
/* The selected block of the session; -1 where it is none of these. */
int              kymo_chart_blocks_get_selected (const KymoChartBlocks *self);
/* Selects it. */
void             kymo_chart_blocks_select       (KymoChartBlocks       *self,
                                                 guint                  block);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoChartBlocks, kymo_chart_blocks_free)

G_END_DECLS
