/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timeline picture's inside, shared by its files: kymo-plot-timeline.c
 * (rows, labels, legend), kymo-timeline-runs.c (a row's cells, whatever form
 * the answer has), kymo-timeline-pixels.c (cells as rows of pixels),
 * kymo-timeline-cells.c (cells as shapes), kymo-timeline-waiting.c (over
 * them), kymo-timeline-marks.c (events, outer blocks, flags),
 * kymo-timeline-collectives.c, kymo-timeline-classes.c (clusters),
 * kymo-timeline-groups.c (headers of nodes and processes),
 * kymo-timeline-lines.c (a counter under the rows) and
 * kymo-timeline-hit.c.
 */
#pragma once

#include "kymo-legend.h"

G_BEGIN_DECLS

/**
 * KymoTimelineCells:
 *
 * One nested list of a row: borrowed columns of the answer.
 */
typedef struct
{
  const guint  *offsets;           /* n_rows + 1, or NULL when there is none */
  const gint64 *x0, *x1, *activity;
  const gint64 *level;             /* or NULL */
  const gint64 *lane;              /* or NULL */
  const double *share;             /* or NULL */
} KymoTimelineCells;

/**
 * KymoTimelineDense:
 *
 * The other form of an answer: each column of each row is one number, row
 * after row: index of the activity << 16 | share of the column's time.
 */
typedef struct
{
  const guint32 *cell;             /* n_rows * n_columns, or NULL */
} KymoTimelineDense;

#define KYMO_DENSE_NOTHING 0xffffffffu
#define KYMO_DENSE_FULL    0xffffu

/**
 * KymoTimelineRun:
 *
 * Columns x0 .. x1 of a row with one look: a cell of the answer, or the dense
 * columns that one activity fills, or one dense column that it does not.
 */
typedef struct
{
  gint64 x0, x1, activity;
  double share;
} KymoTimelineRun;

/**
 * KymoTimelineActivity:
 *
 * How an activity of the answer is painted. With @comm its colour is that of the communicator.
 */
typedef struct
{
  const char       *name;
  const char       *comm;          /* of its calls; NULL where communicators are not told apart */
  KymoActivityKind  kind;
  KymoRgba          color;
  gboolean          hidden;
  gboolean          faded;
  gboolean          hatched;
} KymoTimelineActivity;

/**
 * KymoTimeline:
 *
 * An answer and a frame, ready to paint. Column c of the answer begins at
 * x_zero + c * x_step. The answer's rows are first_row .. of rows_total, each
 * of `group` locations.
 */
typedef struct
{
  const KymoPlotFrame  *frame;
  const KymoTheme      *theme;
  KymoTable            *metrics;        /* system metrics under the rows, or NULL */
  KymoTable            *metric_values;
  const guint          *metric_offsets;
  guint                 n_metrics;
  double                metrics_px;     /* that their strips take below the area */
  KymoRect              area;
  KymoSpan              span;
  guint                 n_columns;
  double                x_zero, x_step;
  const KymoTable      *rows;
  guint                 n_rows;
  guint                 first_row, rows_total, group;
  double                row_px;    /* distance of two rows */
  double                bar_px;    /* height of a bar */
  KymoTimelineCells     cells, outer, events;
  KymoTimelineDense     dense;
  const KymoTable      *groups;    /* that rows lie in, or NULL */
  double                gutter_px; /* width of their headers */
  const KymoTable      *lines;     /* samples of a counter, or NULL */
  double                line_px;   /* height of its line under a bar */
  double                line_min, line_max;
  const KymoTable      *files;     /* of blocks, by row and column, or NULL */
  const KymoTable      *lanes;     /* labels of lanes, or NULL */
  const guint          *lane_offsets;
  KymoTimelineActivity *activities;
  guint                 n_activities;
  gboolean              known;       /* FALSE: nothing can be painted */
} KymoTimeline;

void kymo_timeline_clip_line (const KymoTimeline *timeline,
                              double             *x0,
                              double             *y0,
                              double             *x1,
                              double             *y1);

gboolean kymo_timeline_init       (KymoTimeline        *timeline,
                                   const KymoTable     *answer,
                                   const KymoPlotFrame *frame);
void     kymo_timeline_clear      (KymoTimeline        *timeline);
void     kymo_timeline_read_activities
                                  (KymoTimeline        *timeline,
                                   const KymoTable     *answer);
GArray  *kymo_timeline_legend_items
                                  (const KymoTimeline  *timeline,
                                   const KymoTable     *answer);
/* How many locations a row of at least a pixel is made of: 1, 2, 4 … */
guint    kymo_timeline_group      (const KymoPlotFrame *frame);
/* Top of a row's bar in the picture, scrolled. */
double   kymo_timeline_row_y      (const KymoTimeline  *timeline,
                                   guint                row);
/* The rows that can be seen: first .. end. */
void     kymo_timeline_visible    (const KymoTimeline  *timeline,
                                   guint               *first,
                                   guint               *end);
double   kymo_timeline_x          (const KymoTimeline  *timeline,
                                   gint64               column);
gint64   kymo_timeline_time       (const KymoTimeline  *timeline,
                                   gint64               column);
const KymoTimelineActivity *
         kymo_timeline_activity   (const KymoTimeline  *timeline,
                                   gint64               index);
/* The cells of a row that reach into columns from .. to, in their order. */
void     kymo_timeline_runs       (const KymoTimeline  *timeline,
                                   guint                row,
                                   gint64               from,
                                   gint64               to,
                                   GArray              *runs);
/* The columns that can be seen, from .. to. */
void     kymo_timeline_columns    (const KymoTimeline  *timeline,
                                   gint64              *from,
                                   gint64              *to);
/* Whether run `i` is the column that two blocks share. */
gboolean kymo_timeline_is_edge    (const KymoTimeline  *timeline,
                                   const GArray        *runs,
                                   guint                i);
/* How strongly a cell is painted: tells the share of its activity. */
double   kymo_timeline_strength   (const KymoTimelineActivity *activity,
                                   double               share);
const char *
         kymo_timeline_file_of_run (const KymoTimeline    *timeline,
                                    guint                  row,
                                    const KymoTimelineRun *run);
void     kymo_timeline_paint_cells  (cairo_t            *cr,
                                     const KymoTimeline *timeline);
void     kymo_timeline_paint_pixels (cairo_t            *cr,
                                     const KymoTimeline *timeline);
void     kymo_timeline_paint_waiting (cairo_t           *cr,
                                     const KymoTimeline *timeline,
                                     const KymoTable    *answer);
const char *
         kymo_timeline_waiting_at   (const KymoTable    *answer,
                                     guint               row,
                                     double              column,
                                     double             *share);
double   kymo_timeline_get_pale     (const KymoTable    *answer,
                                     guint               row,
                                     double              column);
void     kymo_timeline_paint_outer  (cairo_t            *cr,
                                     const KymoTimeline *timeline);
void     kymo_timeline_paint_events (cairo_t            *cr,
                                     const KymoTimeline *timeline);
/* Lanes that a row has room for: their number, 0 where it shows none. */
guint    kymo_timeline_lanes        (const KymoTimeline *timeline,
                                     guint               row);
/* Where the user events of a lane (or -1, those of none) are in a row. */
KymoRect kymo_timeline_lane_rect    (const KymoTimeline *timeline,
                                     guint               row,
                                     gint64              lane);
/* What its lanes leave of a row's bar to its cells. */
double   kymo_timeline_cells_px     (const KymoTimeline *timeline,
                                     guint               row);
const char *
         kymo_timeline_lane_label   (const KymoTimeline *timeline,
                                     guint               row,
                                     gint64              lane);
void     kymo_timeline_paint_marks  (cairo_t            *cr,
                                     const KymoTimeline *timeline,
                                     const KymoTable    *answer);
void     kymo_timeline_paint_collectives   (cairo_t            *cr,
                                            const KymoTimeline *timeline,
                                            const KymoTable    *answer);
char    *kymo_timeline_describe_collective (const KymoTimeline *timeline,
                                            const KymoTable    *answer,
                                            double              x,
                                            double              y);
/* The first location of a row, or -1. */
/* Whether the row of a location stands for several of them. */
gboolean kymo_timeline_is_merged    (const KymoTimeline *timeline,
                                     gint64 location);
gint64   kymo_timeline_location     (const KymoTimeline *timeline,
                                     guint               row);
/* How many PEs a row stands for; NAN where nothing is extrapolated. */
double   kymo_timeline_weight       (const KymoTimeline *timeline,
                                     guint               row);
/* (transfer full): "PE 3 ×47" */
char    *kymo_weighed_label         (const char         *label,
                                     double              weight);
/* (transfer full): what a row is called where the pointer is: "Cluster 2 · PE 17" */
char    *kymo_timeline_dup_label    (const KymoTimeline *timeline,
                                     guint               row);
void     kymo_timeline_paint_classes (cairo_t            *cr,
                                      const KymoTimeline *timeline);
/* After the height of bars is known, which they take from it. */
void     kymo_timeline_init_lines   (KymoTimeline       *timeline,
                                     const KymoTable    *answer);
double       kymo_timeline_metrics_px      (const KymoTable     *answer);
void         kymo_timeline_init_metrics    (KymoTimeline        *timeline,
                                            const KymoTable     *answer);
gboolean     kymo_timeline_hit_metric      (const KymoTimeline  *timeline,
                                            double               x,
                                            double               y,
                                            KymoPlotHit         *hit);
void         kymo_timeline_paint_metrics   (cairo_t             *cr,
                                            const KymoTimeline  *timeline,
                                            double               top);
void     kymo_timeline_paint_lines  (cairo_t            *cr,
                                     const KymoTimeline *timeline,
                                     const KymoTable    *answer);
/* (transfer full) (nullable): the value of a row's line at a column, in words. */
char    *kymo_timeline_describe_line (const KymoTimeline *timeline,
                                     const KymoTable    *answer,
                                     guint               row,
                                     double              column);
void     kymo_timeline_init_groups  (KymoTimeline       *timeline,
                                     const KymoTable    *answer);
void     kymo_timeline_paint_groups (cairo_t            *cr,
                                     const KymoTimeline *timeline);
gboolean kymo_timeline_hit_group    (const KymoTimeline *timeline,
                                     double              x,
                                     double              y,
                                     KymoPlotHit        *hit);
/* The innermost of "groups" around a row, or -1. */
gint     kymo_timeline_group_of_row (const KymoTimeline *timeline,
                                     guint               row);
gboolean kymo_timeline_hit          (const KymoPicture *picture,
                                     double               x,
                                     double               y,
                                     KymoPlotHit         *hit);

G_END_DECLS
