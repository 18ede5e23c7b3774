/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Headers of groups beside the rows of a timeline: a column a level, at the left
 * end of the margin. A triangle points down where the rows of a group are shown
 * and right where they are folded into one; a line tells how far the group
 * reaches, with its name along it where there is room.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-timeline.h"

#define LEVEL_PX 15
#define LEFT_PX 2
#define TRIANGLE_PX 7
/* Of the rows of a group; what is lower has a line alone. */
#define LEAST_TRIANGLE_PX 7
#define LEAST_NAME_PX 34

/** kymo_timeline_init_groups: after the rows are known */
void
kymo_timeline_init_groups (KymoTimeline *timeline, const KymoTable *answer)
{
  KymoTable *groups = kymo_table_peek_nested (answer, "groups", NULL);
  gint64 levels = 0;

  for (guint i = 0; groups != NULL && i < kymo_table_get_n_rows (groups); i++)
    levels = MAX (levels, kymo_table_get_int (groups, "depth", i) + 1);
  timeline->groups = levels > 0 ? groups : NULL;
  timeline->gutter_px = levels > 0 ? LEFT_PX + MIN (levels, 8) * LEVEL_PX : 0;
}

static double
edge_of (const KymoTimeline *timeline, gint64 place)
{
  double row = (double) place / MAX (timeline->group, 1);

  return timeline->area.y + row * timeline->row_px - timeline->frame->scroll_px;
}

/* The column of a header from its first row to behind its last one. */
static KymoRect
header_rect (const KymoTimeline *timeline, guint i)
{
  const KymoTable *groups = timeline->groups;
  double top = edge_of (timeline, kymo_table_get_int (groups, "place", i));
  double bottom = edge_of (timeline, kymo_table_get_int (groups, "end_place", i));

  return (KymoRect) { LEFT_PX + kymo_table_get_int (groups, "depth", i) * LEVEL_PX, top,
                      LEVEL_PX, bottom - top };
}

static void
paint_triangle (cairo_t *cr, const KymoTimeline *timeline, KymoRect rect, gboolean folded)
{
  double half = TRIANGLE_PX / 2.0;
  double x = rect.x + rect.width / 2;
  double y = rect.y + MIN (timeline->row_px, MIN (rect.height, 22)) / 2;

  cairo_move_to (cr, x - half, folded ? y - half : y - half / 2);
  cairo_line_to (cr, x + half, folded ? y : y - half / 2);
  cairo_line_to (cr, folded ? x - half : x, folded ? y + half : y + half);
  cairo_close_path (cr);
  kymo_set_source (cr, timeline->theme->foreground);
  cairo_fill (cr);
}

/* Along the line, in the middle of what is in sight. */
static void
paint_name (cairo_t *cr, const KymoTimeline *timeline, guint i, double x, double top,
            double bottom)
{
  const char *label = kymo_table_peek_label (timeline->groups, "label", i);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, bottom - top - 6 };
  double length;

  if (label == NULL || bottom - top < LEAST_NAME_PX)
    return;
  length = MIN (kymo_text_width (cr, label, style), style.max_px) + 6;
  cairo_save (cr);
  kymo_set_source (cr, timeline->theme->canvas);
  cairo_rectangle (cr, x - 6, (top + bottom - length) / 2, 12, length);
  cairo_fill (cr);
  cairo_translate (cr, x, (top + bottom) / 2);
  cairo_rotate (cr, -G_PI / 2);
  kymo_text_draw (cr, label, 0, 0, style, timeline->theme->secondary);
  cairo_restore (cr);
}

static void
paint_header (cairo_t *cr, const KymoTimeline *timeline, guint i)
{
  KymoRect rect = header_rect (timeline, i), area = timeline->area;
  gboolean folded = kymo_table_get_bool (timeline->groups, "folded", i);
  double x = floor (rect.x + rect.width / 2) + 0.5;
  double top = MAX (rect.y + 1, area.y);
  double bottom = MIN (rect.y + rect.height - 1, area.y + area.height);

  if (bottom <= top)
    return;
  if (!folded)
    {
      /* Below the triangle. */
      double from = MAX (top, rect.height >= LEAST_TRIANGLE_PX
                         ? rect.y + MIN (timeline->row_px, 22) / 2 + TRIANGLE_PX : top);

      kymo_set_source (cr, timeline->theme->axis);
      cairo_set_line_width (cr, 1);
      kymo_line (cr, x, MIN (from, bottom), x, bottom);
      kymo_line (cr, x, floor (bottom) - 0.5, x + LEVEL_PX / 2.0 - 1, floor (bottom) - 0.5);
      cairo_stroke (cr);
      paint_name (cr, timeline, i, x, MIN (from, bottom), bottom);
    }
  if (rect.height >= LEAST_TRIANGLE_PX)
    paint_triangle (cr, timeline, rect, folded);
}

/** kymo_timeline_paint_groups: nothing without groups */
void
kymo_timeline_paint_groups (cairo_t *cr, const KymoTimeline *timeline)
{
  KymoRect area = timeline->area;

  if (timeline->groups == NULL)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, 0, area.y, area.x, area.height);
  cairo_clip (cr);
  for (guint i = 0; i < kymo_table_get_n_rows (timeline->groups); i++)
    paint_header (cr, timeline, i);
  cairo_restore (cr);
}

/**
 * kymo_timeline_hit_group:
 *
 * Returns: whether a header lies there
 */
gboolean
kymo_timeline_hit_group (const KymoTimeline *timeline, double x, double y, KymoPlotHit *hit)
{
  for (guint i = 0; timeline->groups != NULL && i < kymo_table_get_n_rows (timeline->groups); i++)
    {
      KymoRect rect = header_rect (timeline, i);
      g_autofree char *rows = NULL;

      if (!kymo_rect_contains (rect, x, y))
        continue;
      hit->group = kymo_table_get_int (timeline->groups, "group", i);
      hit->rect = rect;
      rows = kymo_words_rows (timeline->frame->terms, kymo_table_get_int (timeline->groups,
                                                                         "n_locations", i));
      /* Translators: the name of a group, and “16 PEs”, as it is counted elsewhere. */
      hit->text = g_strdup_printf (
        kymo_table_get_bool (timeline->groups, "folded", i)
        ? _("%s: %s in one row\nA click shows them all")
        : _("%s: %s\nA click folds them into one row"),
        kymo_table_peek_label (timeline->groups, "label", i), rows);
      return TRUE;
    }
  return FALSE;
}

/**
 * kymo_timeline_group_of_row:
 *
 * Returns: the row of "groups" that is the innermost around a row, or -1
 */
gint
kymo_timeline_group_of_row (const KymoTimeline *timeline, guint row)
{
  gint64 place = ((gint64) timeline->first_row + row) * timeline->group;
  gint found = -1;

  for (guint i = 0; timeline->groups != NULL && i < kymo_table_get_n_rows (timeline->groups); i++)
    if (kymo_table_get_int (timeline->groups, "place", i) <= place
        && place < kymo_table_get_int (timeline->groups, "end_place", i)
        && (found < 0 || kymo_table_get_int (timeline->groups, "depth", i)
            >= kymo_table_get_int (timeline->groups, "depth", found)))
      found = (gint) i;
  return found;
}
