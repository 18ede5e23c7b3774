/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collectives on the timeline: a line down the rows that took part, at the time when
 * the last one came, and a diamond on the row of that one. Where marks would touch,
 * the one with the longest waiting stands.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-timeline.h"
#include "kymo-units.h"

#define LEAST_APART_PX 7
#define NEAR_PX 4
#define DIAMOND_PX 4.5

/** Mark: one that is painted, in the picture */
typedef struct
{
  guint  index;
  double x, top, bottom;
  double late_y;                /* NAN where its row is not shown */
} Mark;

/* The middle of a row of the run, which need not be one of the answer. */
static double
middle_of (const KymoTimeline *timeline, gint64 location_row)
{
  gint64 row = location_row / timeline->group;

  return timeline->area.y + (row + 0.5) * timeline->row_px
         - timeline->frame->scroll_px;
}

static gboolean
is_free (const GArray *marks, double x)
{
  for (guint i = 0; i < marks->len; i++)
    if (fabs (g_array_index (marks, Mark, i).x - x) < LEAST_APART_PX)
      return FALSE;
  return TRUE;
}

/* (transfer full): those that there is room for. */
static GArray *
find_marks (const KymoTimeline *timeline, const KymoTable *table)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  guint n = table != NULL && timeline->row_px >= 2
            ? kymo_table_get_n_rows (table) : 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 late = kymo_table_get_int (table, "late_row", i);
      Mark mark = { .index = i };

      mark.x = kymo_plot_time_to_x (timeline->frame,
                                    kymo_table_get_int (table, "time_ns", i));
      if (mark.x < timeline->area.x - 1
          || mark.x > timeline->area.x + timeline->area.width + 1
          || !is_free (marks, mark.x))
        continue;
      mark.top = middle_of (timeline, kymo_table_get_int (table, "first_row", i));
      mark.bottom = middle_of (timeline,
                               kymo_table_get_int (table, "last_row", i));
      mark.late_y = late != KYMO_NULL_INT ? middle_of (timeline, late) : NAN;
      g_array_append_val (marks, mark);
    }
  return marks;
}

static void
trace_diamond (cairo_t *cr, double x, double y, double size)
{
  cairo_move_to (cr, x, y - size);
  cairo_line_to (cr, x + size, y);
  cairo_line_to (cr, x, y + size);
  cairo_line_to (cr, x - size, y);
  cairo_close_path (cr);
}

static void
paint_mark (cairo_t *cr, const KymoTimeline *timeline, const Mark *mark)
{
  double x = floor (mark->x) + 0.5;
  double size = MIN (DIAMOND_PX, MAX (timeline->bar_px / 2, 2));

  /* A halo of the canvas first: the line reads on any cell. */
  kymo_set_source_alpha (cr, timeline->theme->canvas, 0.85);
  cairo_set_line_width (cr, 3);
  kymo_line (cr, x, mark->top, x, mark->bottom);
  cairo_stroke (cr);
  kymo_set_source (cr, timeline->theme->foreground);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, x, mark->top, x, mark->bottom);
  cairo_stroke (cr);
  if (isnan (mark->late_y))
    return;
  trace_diamond (cr, x, mark->late_y, size + 1);
  kymo_set_source (cr, timeline->theme->canvas);
  cairo_fill (cr);
  trace_diamond (cr, x, mark->late_y, size);
  kymo_set_source (cr, timeline->theme->accent);
  cairo_fill (cr);
}

/**
 * kymo_timeline_paint_collectives:
 * @answer: the collective operations are its "collectives", if any
 *
 * Paints a line over the rows of each collective operation at the time when the last location
 * came, and a diamond on the row of that location. Leaves out lines that would lie less than 7 px
 * beside a painted line, and all of them where rows are lower than 2 px.
 */
void
kymo_timeline_paint_collectives (cairo_t *cr, const KymoTimeline *timeline,
                                 const KymoTable *answer)
{
  KymoTable *table = kymo_table_peek_nested (answer, "collectives", NULL);
  g_autoptr (GArray) marks = find_marks (timeline, table);

  for (guint i = 0; i < marks->len; i++)
    paint_mark (cr, timeline, &g_array_index (marks, Mark, i));
}

/** kymo_timeline_describe_collective: (transfer full) (nullable): of the one at a
 * point, in words */
char *
kymo_timeline_describe_collective (const KymoTimeline *timeline,
                                   const KymoTable *answer, double x, double y)
{
  KymoTable *table = kymo_table_peek_nested (answer, "collectives", NULL);
  g_autoptr (GArray) marks = find_marks (timeline, table);

  for (guint i = 0; i < marks->len; i++)
    {
      const Mark *mark = &g_array_index (marks, Mark, i);
      g_autofree char *wait = NULL, *when = NULL;

      if (fabs (mark->x - x) > NEAR_PX || y < mark->top - NEAR_PX
          || y > mark->bottom + NEAR_PX)
        continue;
      wait = kymo_format_duration (kymo_table_get_int (table, "wait_ns", mark->index));
      when = kymo_format_time (kymo_table_get_int (table, "time_ns", mark->index)
                               - timeline->frame->stretch.begin_ns, 1000);
      return g_strdup_printf (_("%s of %d: %s came last, at %s\n"
                                "the others waited %s together"),
                              kymo_table_get_string (table, "name", mark->index),
                              (int) kymo_table_get_int (table, "n_members",
                                                        mark->index),
                              kymo_table_peek_label (table, "last_label",
                                                     mark->index),
                              when, wait);
    }
  return NULL;
}
