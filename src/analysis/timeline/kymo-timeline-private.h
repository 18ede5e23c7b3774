/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of the timeline answer, shared by its files: kymo-timeline-plan.c
 * (what was asked), kymo-timeline.c (the threads that answer it),
 * kymo-timeline-walk.c (pieces to cells), kymo-timeline-merged.c (those of several locations),
 * kymo-timeline-lines.c (lines, and pieces that are hidden),
 * kymo-timeline-rows.c (the tables of the answer), kymo-timeline-groups.c (headers),
 * kymo-timeline-comms.c (communicators) and kymo-timeline-extras.c (what stands beside the
 * cells; waiting: kymo-timeline-waits.c).
 *
 * A row is the work of one thread from beginning to end, so the answer is the
 * same for any number of threads.
 */
#pragma once

#include "kymo-column-sums.h"
#include "kymo-engine.h"
#include "kymo-mosaic.h"
#include "kymo-timeline-collectives.h"
#include "kymo-timeline-extras.h"

G_BEGIN_DECLS

/** KymoTimelineComms: on which communicators calls are made, and the states for them */
typedef struct _KymoTimelineComms KymoTimelineComms;

/**
 * KymoTimelinePlan:
 * @span: range of the columns; on the grid wider than what was asked for
 * @busy: range of the rows' busy share, which may be less than the columns'
 * @edges_ns: n_columns + 1
 * @column_ns: width of a column on the grid of absolute time; 0 = equal parts
 *   of the asked range
 * @on_grid: whether rows are groups of 2^j locations
 * @group: places a row (locations, or folded groups); without a grid 0 where
 *   they are merged
 * @per_row: locations a row, on average
 * @j: group = 2^j
 * @k: column_ns = 2^k
 * @n_rows_total: rows of all locations asked for
 * @first_row: the first one to be given
 * @n_locations: on the grid: that the given rows are of
 * @n_apart: how many of them are in rows that the mosaic does not know
 * @mosaic: (nullable): where cells can be read from, once it is built
 * @by_row: whether that is one of the asked rows, not of the run's own order
 * @n_states: that cells may tell: those of the run, those of @comms, and one more
 *   where short blocks are hidden
 * @comms: (nullable): where communicators are told apart
 * @least_ns: shorter blocks are hidden; 0 = none
 * @dense: one packed number a cell instead of a list of cells
 * @tells_busy: whether rows tell how busy their locations were
 */
typedef struct
{
  KymoSpan  span, busy;
  guint     n_columns;
  gint64   *edges_ns;
  gint64    column_ns;
  gboolean  on_grid;
  guint     group;
  double    per_row;
  guint     j, k;
  guint     n_rows_total, first_row, n_rows;
  guint     n_locations, n_apart;
  KymoMosaic *mosaic;
  gboolean  by_row;
  guint     n_states;
  KymoTimelineComms *comms;
  gint64    least_ns;
  gboolean  dense, tells_busy;
} KymoTimelinePlan;

/** KymoTimelineCell: columns x0 to x1 and what stands for them */
typedef struct
{
  guint   x0, x1;
  guint32 state;
  double  share;
} KymoTimelineCell;

typedef struct
{
  GArray       *cells;          /* KymoTimelineCell */
  KymoRowExtras extras;
  gint64        busy_ns[2];     /* of workers, of communication threads */
  gint64        useful_ns[2];   /* of it what has the role compute */
  gint64        span_ns[2];
} KymoTimelineRow;

/** KymoTimelineSum: time of a state in one column */
typedef struct
{
  guint64 ns;
  guint   column;
} KymoTimelineSum;

/**
 * KymoTimelineScratch: what a thread needs to make rows
 * @shown: a segment as it is walked over, where short blocks are hidden in it
 * @met: by column: whether anything changes in it
 * @joined: by column: which one it is, where neighbours were joined
 * @begins: by joined column: its first column, and n_columns after the last
 * @edges_ns: n_joined + 1
 * @states: of joined columns
 * @ns: of joined columns
 */
typedef struct
{
  KymoSums       sums;
  KymoColumnSums columns;       /* ns = NULL until a merged row is met */
  KymoSegment    shown;
  guint8        *met;
  guint         *joined, *begins;
  guint          n_joined;
  gint64        *edges_ns, *states, *ns;
  guint64       *keys;          /* n_columns + 1 */
  KymoTimelineSum *of_column;   /* twice by state */
} KymoTimelineScratch;

KymoTimelinePlan *kymo_timeline_plan_new (const KymoAsk         *ask,
                                         GError                **error);
gboolean   kymo_timeline_is_group       (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         guint                   first,
                                         guint                   end);
guint      kymo_timeline_n_walked       (const KymoTimelinePlan *plan);
void       kymo_timeline_plan_free      (KymoTimelinePlan       *plan);
void       kymo_timeline_scratch_init   (KymoTimelineScratch    *scratch,
                                         const KymoTimelinePlan *plan,
                                         guint                   n_states);
void       kymo_timeline_scratch_clear  (KymoTimelineScratch    *scratch);
const KymoSegment *
           kymo_timeline_shown          (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         const KymoSegment      *segment,
                                         KymoTimelineScratch    *scratch);
GArray    *kymo_timeline_cells_new      (void);
void       kymo_timeline_walk_cells     (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         const KymoSegment      *segment,
                                         KymoTimelineScratch    *scratch,
                                         GArray                 *cells);
void       kymo_timeline_walk_line      (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         const KymoSegment      *segment,
                                         KymoTimelineScratch    *scratch,
                                         guint32                *line);
gboolean   kymo_timeline_walk_group     (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         guint                   first,
                                         guint                   end,
                                         KymoTimelineScratch    *scratch,
                                         gint64                 *total_ns);
void       kymo_timeline_group_cells    (const KymoTimelinePlan *plan,
                                         guint                   n_locations,
                                         const KymoTimelineScratch *scratch,
                                         GArray                 *cells);
void       kymo_timeline_group_line     (const KymoTimelinePlan *plan,
                                         guint                   n_locations,
                                         const KymoTimelineScratch *scratch,
                                         guint32                *line);
void       kymo_timeline_line_cells     (const KymoTimelinePlan *plan,
                                         const guint32          *line,
                                         GArray                 *cells);

gboolean   kymo_timeline_set_lines      (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         KymoTable              *answer,
                                         GError                **error);
void     kymo_timeline_set_metrics (const KymoAsk          *ask,
                                    const KymoTimelinePlan *plan,
                                    KymoTable              *answer);
gboolean   kymo_timeline_set_waits      (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         KymoTable              *answer,
                                         GError                **error);
guint      kymo_timeline_row_place      (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         guint                   row);
gboolean   kymo_timeline_hides          (const KymoTimelinePlan *plan,
                                         const KymoSegment      *segment);
guint32   *kymo_timeline_change_states  (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         const KymoSegment      *segment);
gboolean   kymo_timeline_comms_find_all (const KymoAsk          *ask,
                                         KymoTimelineComms     **comms,
                                         GError                **error);
void       kymo_timeline_comms_free     (KymoTimelineComms      *comms);
guint      kymo_timeline_comms_count    (const KymoTimelineComms *comms);
gint       kymo_timeline_comms_find     (const KymoTimelineComms *comms,
                                         const KymoSegment      *segment,
                                         guint                   block);
guint32    kymo_timeline_comms_activity (const KymoTimelineComms *comms,
                                         guint                   place);
char      *kymo_timeline_comms_dup_name (const KymoTimelineComms *comms,
                                         gint                    place);
KymoTable *kymo_timeline_groups         (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan);
gint       kymo_timeline_group_of       (const KymoAsk          *ask,
                                         guint                   place);
guint      kymo_timeline_row_begin      (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         guint                   row);
void       kymo_timeline_set_rows       (const KymoAsk          *ask,
                                         const KymoTimelinePlan *plan,
                                         const KymoTimelineRow  *rows,
                                         const gint64           *total_ns,
                                         guint32                *dense,
                                         KymoTable              *answer);

G_END_DECLS
