/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoChartLines: what a picture shows as lines of words, from the answer that it is
 * painted of: a line for every row of the lists that an export writes as CSV, in the
 * same order, and for every bin in sight. Nothing is missed for being too narrow.
 * Words are made when they are asked for. Main thread only.
 */
#pragma once

#include "kymo-hover-row.h"
#include "kymo-plot.h"

G_BEGIN_DECLS

typedef struct _KymoChartLines KymoChartLines;

/* (transfer full) (nullable): NULL for a picture whose answer has no list that is it;
   `frame` is looked at here, not kept */
KymoChartLines *kymo_chart_lines_new         (const KymoPlotClass  *klass,
                                              KymoTable            *answer,
                                              const KymoPlotFrame  *frame);
void            kymo_chart_lines_free        (KymoChartLines       *self);
guint           kymo_chart_lines_get_n       (const KymoChartLines *self);
/* (transfer full): see kymo-chart-words.h */
char           *kymo_chart_lines_dup_cells   (const KymoChartLines *self,
                                              guint                 line);
/* What it stands for, borrowed from the answer. */
KymoHoverSubject
                kymo_chart_lines_get_subject (const KymoChartLines *self,
                                              guint                 line);
/* How much a line and an item of the picture have in common; 0 = they are of different
   things. `row` is of the item's list, or -1. */
int             kymo_chart_lines_agree       (const KymoChartLines   *self,
                                              guint                   line,
                                              const KymoHoverSubject *item,
                                              int                     row);
/* The line that agrees most; -1 for none. */
int             kymo_chart_lines_find        (const KymoChartLines   *self,
                                              const KymoHoverSubject *item,
                                              int                     row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoChartLines, kymo_chart_lines_free)

G_END_DECLS
