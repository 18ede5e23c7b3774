/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timeline: a row a location, time to the right, colour tells what ran.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-text.h"
#include "kymo-timeline-messages.h"
#include "kymo-timeline-path.h"
#include "kymo-timeline.h"
#include "kymo-units.h"

#define ROW_MOST_PX 40
/* A file has no other charts below its rows. */
#define ROW_MOST_FILE_PX 72
#define LABEL_LEAST_PX 36
/* Rows asked for above and below those in sight, in heights of the picture. */
#define ROWS_BEYOND 0.5
/* Below this a name is shown whole or not at all: "C…1" tells nothing. */
#define ELIDED_LEAST_PX 52

static void
read_cells (KymoTimelineCells *cells, const KymoTable *rows, const char *key)
{
  KymoTable *child = kymo_table_peek_nested (rows, key, &cells->offsets);

  if (child == NULL)
    {
      cells->offsets = NULL;
      return;
    }
  cells->x0 = kymo_table_peek_ints (child, "x0", NULL);
  cells->x1 = kymo_table_peek_ints (child, "x1", NULL);
  cells->activity = kymo_table_peek_ints (child, "activity", NULL);
  cells->level = kymo_table_peek_ints (child, "level", NULL);
  cells->lane = kymo_table_peek_ints (child, "lane", NULL);
  cells->share = kymo_table_peek_doubles (child, "share", NULL);
  if (kymo_table_get_n_rows (child) > 0
      && (cells->x0 == NULL || cells->x1 == NULL || cells->activity == NULL))
    cells->offsets = NULL;
}

static void
read_dense (KymoTimeline *timeline, const KymoTable *answer)
{
  KymoTable *dense = kymo_table_peek_nested (answer, "dense", NULL);
  gsize n = (gsize) timeline->n_rows * timeline->n_columns;

  if (dense != NULL && kymo_table_get_n_rows (dense) == n)
    timeline->dense.cell = kymo_table_peek_packed (dense, "cell", NULL);
}

/* Few rows are as high as is comfortable, many share the height. */
static double
choose_row_px (const KymoTimeline *timeline)
{
  const KymoPlotFrame *frame = timeline->frame;

  if (frame->row_px > 0)
    return frame->row_px * timeline->group;
  return CLAMP (timeline->area.height / MAX (timeline->rows_total, 1),
                1 / frame->scale,
                frame->decorate ? ROW_MOST_FILE_PX : ROW_MOST_PX);
}

/* Which of all rows the answer has. */
static void
read_rows (KymoTimeline *timeline, const KymoTable *answer)
{
  gint64 first = kymo_table_get_int (answer, "first_row", 0);
  gint64 total = kymo_table_get_int (answer, "rows_total", 0);
  gint64 group = kymo_table_get_int (answer, "group", 0);

  timeline->n_rows = kymo_table_get_n_rows (timeline->rows);
  timeline->first_row = CLAMP (first, 0, G_MAXINT);
  timeline->rows_total = CLAMP (total, timeline->n_rows, G_MAXINT);
  timeline->group = CLAMP (group, 1, G_MAXINT);
}

static double
bar_of_row (double row_px)
{
  if (row_px >= 24)
    return round (row_px * 0.85);
  if (row_px >= 9)
    return row_px - 2;
  if (row_px >= 4)
    return row_px - 1;
  return row_px;
}

/** kymo_timeline_init: FALSE when the answer is no timeline */
gboolean
kymo_timeline_init (KymoTimeline *timeline, const KymoTable *answer,
                    const KymoPlotFrame *frame)
{
  double x0, x1;

  *timeline = (KymoTimeline) { .frame = frame };
  timeline->theme = kymo_theme_get (frame->look);
  timeline->area = kymo_plot_frame_area (&kymo_plot_timeline, frame);
  timeline->rows = kymo_table_peek_nested (answer, "rows", NULL);
  timeline->n_columns = MAX (1, kymo_table_get_int (answer, "columns", 0));
  timeline->span.begin_ns = kymo_table_get_int (answer, "begin_ns", 0);
  timeline->span.end_ns = kymo_table_get_int (answer, "end_ns", 0);
  if (timeline->rows == NULL || kymo_span_length (timeline->span) == 0)
    return FALSE;
  read_rows (timeline, answer);
  kymo_timeline_init_groups (timeline, answer);
  read_dense (timeline, answer);
  read_cells (&timeline->cells, timeline->rows, "cells");
  timeline->files = kymo_table_peek_nested (answer, "files", NULL);
  timeline->lanes = kymo_table_peek_nested (timeline->rows, "lanes",
                                            &timeline->lane_offsets);
  read_cells (&timeline->outer, timeline->rows, "outer");
  read_cells (&timeline->events, timeline->rows, "events");
  if (timeline->n_rows == 0
      || (timeline->cells.offsets == NULL && timeline->dense.cell == NULL))
    return FALSE;
  x0 = kymo_plot_time_to_x (frame, timeline->span.begin_ns);
  x1 = kymo_plot_time_to_x (frame, timeline->span.end_ns);
  timeline->x_zero = x0;
  timeline->x_step = (x1 - x0) / timeline->n_columns;
  kymo_timeline_init_metrics (timeline, answer);
  timeline->row_px = choose_row_px (timeline);
  timeline->bar_px = bar_of_row (timeline->row_px);
  kymo_timeline_init_lines (timeline, answer);
  kymo_timeline_read_activities (timeline, answer);
  return timeline->x_step > 0;
}

/**
 * kymo_timeline_clear:
 *
 * Frees the memory of kymo_timeline_init(), due also where it returned %FALSE. The answer stays.
 */
void
kymo_timeline_clear (KymoTimeline *timeline)
{
  g_clear_pointer (&timeline->activities, g_free);
}

/**
 * kymo_timeline_row_y:
 * @row: of the answer
 *
 * Returns: the top of the row's bar, px; outside of the area where the row is scrolled out of
 *   sight
 */
double
kymo_timeline_row_y (const KymoTimeline *timeline, guint row)
{
  return timeline->area.y + (timeline->first_row + row) * timeline->row_px
         - timeline->frame->scroll_px
         + floor ((timeline->row_px - timeline->bar_px
                   - (timeline->line_px > 0 ? timeline->line_px + 1 : 0)) / 2);
}

/**
 * kymo_timeline_visible:
 * @first: (out): first row of the answer in sight
 * @end: (out): the row after the last in sight; equals @first where no row of the answer is in
 *   sight
 */
void
kymo_timeline_visible (const KymoTimeline *timeline, guint *first, guint *end)
{
  double top = timeline->frame->scroll_px / timeline->row_px
               - timeline->first_row;
  double rows = timeline->area.height / timeline->row_px;

  *first = CLAMP (floor (top), 0, timeline->n_rows);
  *end = CLAMP (ceil (top + rows), *first, timeline->n_rows);
}

/**
 * kymo_timeline_x:
 * @column: of the answer
 *
 * Returns: where the column begins, px, also outside of the area
 */
double
kymo_timeline_x (const KymoTimeline *timeline, gint64 column)
{
  return timeline->x_zero + column * timeline->x_step;
}

/** kymo_timeline_time: when a column begins */
gint64
kymo_timeline_time (const KymoTimeline *timeline, gint64 column)
{
  double share = (double) column / timeline->n_columns;

  return timeline->span.begin_ns
         + llround (share * kymo_span_length (timeline->span));
}

/** kymo_timeline_activity: NULL for an index out of bounds */
const KymoTimelineActivity *
kymo_timeline_activity (const KymoTimeline *timeline, gint64 index)
{
  if (index < 0 || index >= timeline->n_activities)
    return NULL;
  return &timeline->activities[index];
}

static gboolean
is_apart (const KymoTimeline *timeline, guint row)
{
  return g_strcmp0 (kymo_table_get_string (timeline->rows, "kind", row),
                    "communication") == 0;
}

/* A line between the workers and the communication threads. */
static void
paint_apart (cairo_t *cr, const KymoTimeline *timeline)
{
  KymoRect area = timeline->area;
  guint first, end;

  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = MAX (first, 1); row < end; row++)
    if (is_apart (timeline, row) && !is_apart (timeline, row - 1))
      {
        double y = floor (area.y + (timeline->first_row + row)
                          * timeline->row_px - timeline->frame->scroll_px)
                   + 0.5;

        kymo_set_source (cr, timeline->theme->axis);
        cairo_set_line_width (cr, 1);
        kymo_line (cr, 12, y, area.x + area.width, y);
        cairo_stroke (cr);
      }
}

/**
 * kymo_weighed_label:
 * @label: (nullable): of a location
 * @weight: how many PEs it stands for; NAN = nothing is extrapolated
 *
 * Returns: (transfer full): "PE 3 ×47"
 */
char *
kymo_weighed_label (const char *label, double weight)
{
  label = label != NULL ? label : "";
  if (isnan (weight))
    return g_strdup (label);
  return g_strdup_printf (weight < 9.95 && fabs (weight - round (weight)) > 0.05
                          ? "%s ×%.1f" : "%s ×%.0f", label, weight);
}

static char *
dup_row_label (const KymoTimeline *timeline, guint row)
{
  return kymo_weighed_label (kymo_table_peek_label (timeline->rows, "label",
                                                    row),
                             kymo_timeline_weight (timeline, row));
}

/* Whether labels leave room for the shares beside them: "ran…d 3" of two ranks' third
   threads would tell nothing. */
static gboolean
have_room (cairo_t *cr, const KymoTimeline *timeline, KymoTextStyle style)
{
  guint first, end;

  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++)
    {
      g_autofree char *label = dup_row_label (timeline, row);

      if (kymo_text_width (cr, label, style) > style.max_px)
        return FALSE;
    }
  return TRUE;
}

/* Small rows: a label at equal distances. */
static void
paint_row_labels (cairo_t *cr, const KymoTimeline *timeline)
{
  const KymoTheme *theme = timeline->theme;
  KymoTextStyle label_style = { KYMO_TEXT_NORMAL - 0.5, FALSE, 1,
                                timeline->area.x - 60 - timeline->gutter_px };
  KymoTextStyle busy_style = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  guint every = MAX (1, (guint) ceil (15 / timeline->row_px));
  gboolean with_busy = every == 1 && have_room (cr, timeline, label_style);
  guint first, end, before;

  /* Where there is no room for shares, labels have it: "PE 1280–1343". */
  if (!with_busy)
    label_style.max_px = timeline->area.x - 14 - timeline->gutter_px;
  /* 1, 2, 5, 10 … rows apart. */
  if (every > 1)
    every = kymo_nice_step (timeline->rows_total,
                            MAX (1, timeline->rows_total / every));
  every = MAX (1, every);
  kymo_timeline_visible (timeline, &first, &end);
  before = timeline->first_row;
  for (guint row = (before + first + every - 1) / every * every - before;
       row < end; row += every)
    {
      g_autofree char *label = dup_row_label (timeline, row);
      double busy = kymo_table_get_double (timeline->rows,
                                           kymo_terms_share (timeline->frame->terms), row);
      double y = kymo_timeline_row_y (timeline, row) + timeline->bar_px / 2;

      if (y < timeline->area.y
          || y > timeline->area.y + timeline->area.height)
        continue;
      kymo_text_draw (cr, label, timeline->area.x - (with_busy ? 52 : 10), y,
                      label_style,
                      is_apart (timeline, row) ? theme->secondary
                                               : theme->foreground);
      if (!isnan (busy) && with_busy)
        {
          g_autofree char *text = g_strdup_printf ("%.0f %%", busy * 100);
          kymo_text_draw (cr, text, timeline->area.x - 10, y, busy_style,
                          theme->secondary);
        }
    }
}

/* (transfer full): "write out.dat" where it is known of which file a block of I/O is and there is
   room for it, else the name of the function alone */
static char *
dup_cell_label (cairo_t *cr, const KymoTimeline *timeline, guint row, const KymoTimelineRun *run,
                KymoTextStyle style)
{
  const char *name = kymo_timeline_activity (timeline, run->activity)->name;
  const char *file = kymo_timeline_file_of_run (timeline, row, run);
  g_autofree char *both = file != NULL ? g_strconcat (name, " ", file, NULL) : NULL;

  return both != NULL && kymo_text_width (cr, both, style) <= style.max_px
    ? g_steal_pointer (&both) : g_strdup (name);
}

/* The visible part of a cell, so that labels stay in sight. */
static void
paint_cell_label (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *answer, guint row,
                  const KymoTimelineRun *run)
{
  const KymoTimelineActivity *activity
    = kymo_timeline_activity (timeline, run->activity);
  KymoRect area = timeline->area;
  double x0 = MAX (kymo_timeline_x (timeline, run->x0), area.x);
  double x1 = MIN (kymo_timeline_x (timeline, run->x1), area.x + area.width);
  double bar_px = kymo_timeline_cells_px (timeline, row);
  double y = kymo_timeline_row_y (timeline, row) + bar_px / 2;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, floor (x1 - x0) - 8 };
  g_autofree char *label = NULL;
  KymoRgba shown;

  if (x1 - x0 < LABEL_LEAST_PX || bar_px < 14 || activity == NULL
      || activity->hidden
      || activity->kind != KYMO_KIND_ENTRY)
    return;
  if (x1 - x0 < ELIDED_LEAST_PX
      && kymo_text_width (cr, activity->name, style) > style.max_px)
    return;
  shown = kymo_rgba_mix (timeline->theme->paper, activity->color,
                         kymo_timeline_strength (activity, run->share));
  /* Where the row waits the cell is pale. */
  shown = kymo_rgba_mix (shown, timeline->theme->canvas, kymo_timeline_get_pale (
    answer, row, ((x0 + x1) / 2 - timeline->x_zero) / timeline->x_step));
  label = dup_cell_label (cr, timeline, row, run, style);
  kymo_text_draw (cr, label, (x0 + x1) / 2, y, style, kymo_rgba_text_on (shown));
}

static void
paint_cell_labels (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *answer)
{
  g_autoptr (GArray) runs = NULL;
  guint first, end;
  gint64 from, to;

  if (timeline->bar_px < 14)
    return;
  runs = g_array_new (FALSE, FALSE, sizeof (KymoTimelineRun));
  kymo_timeline_visible (timeline, &first, &end);
  kymo_timeline_columns (timeline, &from, &to);
  for (guint row = first; row < end; row++)
    {
      kymo_timeline_runs (timeline, row, from, to, runs);
      for (guint i = 0; i < runs->len; i++)
        {
          KymoTimelineRun *run = &g_array_index (runs, KymoTimelineRun, i);

          if ((run->x1 - run->x0) * timeline->x_step >= LABEL_LEAST_PX)
            paint_cell_label (cr, timeline, answer, row, run);
        }
    }
}

static void
paint_messages (cairo_t *cr, const KymoTimeline *timeline, const KymoPlotFrame *frame)
{
  g_autoptr (GArray) lines = kymo_timeline_message_lines (timeline, frame->messages,
                                                          frame->by_bytes);

  kymo_timeline_paint_messages (cr, timeline, frame->messages, lines);
}

static void
paint_path (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *path)
{
  KymoTable *steps = kymo_timeline_path_steps (path);

  if (steps != NULL)
    kymo_timeline_paint_path (cr, timeline, steps, -1);
}

static void
timeline_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoTimeline *timeline = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;
  KymoRect area;

  if (!timeline->known)
    {
      area = kymo_plot_frame_area (&kymo_plot_timeline, frame);
      kymo_decor_paint (cr, &kymo_plot_timeline, frame, NULL);
      kymo_paint_empty (cr, frame, area, _("No blocks in this range"));
      return;
    }
  area = timeline->area;
  if (frame->decorate && frame->row_px == 0)
    area.height = MIN (area.height, timeline->n_rows * timeline->row_px);
  items = kymo_timeline_legend_items (timeline, answer);
  kymo_decor_paint (cr, &kymo_plot_timeline, frame, items);
  kymo_axis_time_grid (cr, frame, area.y, area.y + area.height + timeline->metrics_px);
  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  kymo_timeline_paint_cells (cr, timeline);
  kymo_timeline_paint_waiting (cr, timeline, answer);
  kymo_timeline_paint_outer (cr, timeline);
  paint_cell_labels (cr, timeline, answer);
  kymo_timeline_paint_events (cr, timeline);
  kymo_timeline_paint_collectives (cr, timeline, answer);
  cairo_restore (cr);
  if (frame->path != NULL)
    paint_path (cr, timeline, frame->path);
  if (frame->messages != NULL)
    paint_messages (cr, timeline, frame);
  kymo_timeline_paint_marks (cr, timeline, answer);
  kymo_timeline_paint_lines (cr, timeline, answer);
  kymo_timeline_paint_metrics (cr, timeline, area.y + area.height);
  area.height += timeline->metrics_px;
  paint_row_labels (cr, timeline);
  kymo_timeline_paint_classes (cr, timeline);
  kymo_timeline_paint_groups (cr, timeline);
  paint_apart (cr, timeline);
  if (frame->decorate)
    kymo_axis_time (cr, frame, area.y + area.height + 18,
                    area.y + area.height + 1);
}

/** kymo_timeline_group: 1 where rows share the height */
guint
kymo_timeline_group (const KymoPlotFrame *frame)
{
  guint group = 1;

  while (frame->row_px > 0 && group < frame->n_locations
         && frame->row_px * group * frame->scale < 1)
    group *= 2;
  return group;
}

/* The rows that are visible, and some beyond them to scroll into. Locations
   lower than a pixel go together into rows, two, four, eight of them. */
static void
ask_for_rows (KymoQuestion *question, const KymoPlotFrame *frame,
              double height_px, guint columns)
{
  guint group = kymo_timeline_group (frame), n = frame->n_locations;
  double row_px = frame->row_px * group;
  guint first, count;

  first = MAX (0, floor ((frame->scroll_px - height_px * ROWS_BEYOND)
                         / row_px));
  count = ceil (height_px * (1 + 2 * ROWS_BEYOND) / row_px) + 1;
  kymo_question_set_resolution (question, columns, (n + group - 1) / group);
  kymo_question_set_int (question, "first-row", first);
  kymo_question_set_int (question, "n-rows", count);
}

static KymoQuestion *
timeline_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "timeline");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_timeline, frame);
  double scale = frame->scale;
  guint columns = CLAMP (area.width * scale, 16, 16384);

  /* A file is asked for exactly its pixels, the window for what is at hand:
     columns of a grid, that stay the same while one pans. */
  if (frame->decorate)
    kymo_question_set_resolution (question, columns,
                                  CLAMP (area.height / 3, 1, 4096));
  else if (frame->row_px > 0 && frame->n_locations > 0)
    ask_for_rows (question, frame, area.height, columns);
  else
    kymo_question_set_resolution (question, columns,
                                  CLAMP (area.height * scale, 1, 16384));
  if (!frame->decorate)
    {
      kymo_question_set_int (question, "grid", 1);
      kymo_question_set_int (question, "dense", 1);
    }
  return question;
}

static double
timeline_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *rows = kymo_table_peek_nested (answer, "rows", NULL);
  double row_px = frame->row_px > 0 ? frame->row_px : 28;
  KymoRect decor = kymo_decor_inset (&kymo_plot_timeline, frame);
  gint64 total = kymo_table_get_int (answer, "rows_total", 0);
  gint64 group = kymo_table_get_int (answer, "group", 0);

  if (rows == NULL)
    return 0;
  if (total < kymo_table_get_n_rows (rows))
    total = kymo_table_get_n_rows (rows);
  return total * MAX (group, 1) * row_px + kymo_plot_timeline.inset.y
         + kymo_plot_timeline.inset.height + decor.y + decor.height
         + kymo_timeline_metrics_px (answer)
         + (frame->decorate ? 30 : 0);
}

KYMO_DEFINE_LAYOUT (timeline, KymoTimeline, kymo_timeline_init, kymo_timeline_clear)

const KymoPlotClass kymo_plot_timeline = {
  .id = "timeline",
  .title = N_("Timeline"),
  .time_axis = TRUE,
  .needs = KYMO_CAN_INTERVALS,
  .question = timeline_question,
  .lay_out = timeline_lay_out,
  .layout_free = timeline_layout_free,
  .paint = timeline_paint,
  .hit = kymo_timeline_hit,
  .natural_height = timeline_natural_height,
  .inset = { 0, 14, 0, 2 },
  .has_legend = TRUE,
  .wide = TRUE,
  .of_blocks = TRUE,
};
