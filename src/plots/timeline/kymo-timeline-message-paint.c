/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-timeline-messages.h: how lines of messages are painted, once it is known where
 * they lie.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-text.h"
#include "kymo-timeline-messages.h"
#include "kymo-traffic-words.h"
#include "kymo-units.h"

/* Strokes of many lines that cross cost more than each of them alone. */
#define AT_ONCE 2
/* Arrows of groups cover no more than this share of the rows, and are not thinner than so. */
#define MOST_INK 0.08
#define LEAST_THIN 0.35
#define HEAD_PX KYMO_MESSAGE_HEAD_PX
#define GROUP_LEAST_PX 0.8
#define GROUP_MOST_PX KYMO_MESSAGE_MOST_PX

static KymoRgba
red (gboolean dark)
{
  return dark ? (KymoRgba) { 1, 0.48, 0.39, 1 }
              : (KymoRgba) { 0.75, 0.11, 0.16, 1 };
}

static KymoRgba
color_of (const KymoTimeline *timeline, const KymoMessageLine *line)
{
  if (line->early)
    return red (KYMO_LOOK_IS_DARK (timeline->frame->look));
  return line->of == KYMO_LINES_FORWARD || line->of == KYMO_LINES_OF_ALL
         || line->of == KYMO_LINES_OF_FAN ? timeline->theme->foreground : timeline->theme->accent;
}

/* Within a row a bow over it, so that it can be told from the blocks. */
static void
trace (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *table,
       GHashTable *rows, const KymoMessageLine *line)
{
  const guint *offsets = NULL;
  KymoTable *via = kymo_table_peek_nested (table, "via", &offsets);
  KymoTable *via_ns = kymo_table_peek_nested (table, "via_ns", NULL);

  cairo_move_to (cr, line->x0, line->y0);
  if (via != NULL && via_ns != NULL && offsets[line->row] < offsets[line->row + 1])
    for (guint i = offsets[line->row]; i < offsets[line->row + 1]; i++)
      {
        double y = kymo_timeline_location_y (
          timeline, rows, kymo_table_get_int (via, "via", i), NAN);

        if (!isnan (y))
          cairo_line_to (cr, kymo_plot_time_to_x (
            timeline->frame, kymo_table_get_int (via_ns, "via_ns", i)), y);
      }
  else if (fabs (line->y1 - line->y0) < 1)
    {
      double bow = MIN (timeline->row_px * 0.4, 14);

      cairo_curve_to (cr, line->x0 + (line->x1 - line->x0) * 0.2, line->y0 - bow,
                      line->x1 - (line->x1 - line->x0) * 0.2, line->y1 - bow,
                      line->x1, line->y1);
      return;
    }
  cairo_line_to (cr, line->x1, line->y1);
}

static void
paint_head (cairo_t *cr, const KymoMessageLine *line, double size)
{
  double dx = line->x1 - line->x0, dy = line->y1 - line->y0;
  double length = hypot (dx, dy);

  if (length < size)
    return;
  dx *= size / length;
  dy *= size / length;
  cairo_move_to (cr, line->x1, line->y1);
  cairo_line_to (cr, line->x1 - dx - dy * 0.45, line->y1 - dy + dx * 0.45);
  cairo_line_to (cr, line->x1 - dx + dy * 0.45, line->y1 - dy - dx * 0.45);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
paint_circle (cairo_t *cr, double x, double y, double radius, gboolean open)
{
  cairo_new_path (cr);
  cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
  if (!open)
    cairo_fill (cr);
  else
    cairo_stroke (cr);
}

/* Of one block, or the one under the pointer: with a halo, for it is what one looks at. */
static void
paint_strong (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *table,
              GHashTable *rows, const KymoMessageLine *line, double width)
{
  trace (cr, timeline, table, rows, line);
  kymo_set_source_alpha (cr, timeline->theme->canvas, 0.9);
  cairo_set_line_width (cr, width + 2.5);
  cairo_stroke_preserve (cr);
  if (line->kind != KYMO_LINE_MATCHED)
    cairo_set_dash (cr, (double[]) { 4, 3 }, 2, 0);
  kymo_set_source (cr, color_of (timeline, line));
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  paint_circle (cr, line->x0, line->y0, 3, line->kind == KYMO_LINE_UNMATCHED);
  if (line->kind == KYMO_LINE_OPEN)
    paint_circle (cr, line->x1, line->y1, 3, TRUE);
  else
    paint_head (cr, line, HEAD_PX + width);
}

/** kymo_message_line_width: of a group or in a fan, px */
double
kymo_message_line_width (const KymoMessageLine *line)
{
  /* Those of a fan meet at one end, so they are never wide. */
  if (line->of == KYMO_LINES_OF_FAN)
    return 1.4 + line->weight;
  return GROUP_LEAST_PX + sqrt (line->weight) * (GROUP_MOST_PX - GROUP_LEAST_PX);
}

static void
paint_group (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *table,
             GHashTable *rows, const KymoMessageLine *line, double thin)
{
  double width = MAX (kymo_message_line_width (line) * thin, GROUP_LEAST_PX);
  double most = CLAMP (0.85 * thin, 0.4, 0.85);

  trace (cr, timeline, table, rows, line);
  kymo_set_source_alpha (cr, color_of (timeline, line),
                         most * (0.3 + 0.7 * sqrt (line->weight)));
  cairo_set_line_width (cr, width);
  if (line->kind != KYMO_LINE_MATCHED)
    cairo_set_dash (cr, (double[]) { 4, 3 }, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (line->kind == KYMO_LINE_OPEN || line->kind == KYMO_LINE_UNMATCHED)
    {
      gboolean open = line->kind == KYMO_LINE_OPEN;

      cairo_set_line_width (cr, 1);
      paint_circle (cr, open ? line->x1 : line->x0, open ? line->y1 : line->y0,
                    2 + width / 2, TRUE);
    }
  else if (width > 1.5)
    paint_head (cr, line, HEAD_PX + width);
}

/* They come together at one end: all halos first, and there is one head where they end at
   one place. */
static void
paint_fan (cairo_t *cr, const KymoTimeline *timeline, const GArray *lines, gboolean halo)
{
  double x = NAN, y = NAN;

  for (guint i = 0; i < lines->len; i++)
    {
      const KymoMessageLine *line = &g_array_index (lines, KymoMessageLine, i);

      if (line->of != KYMO_LINES_OF_FAN)
        continue;
      cairo_move_to (cr, line->x0, line->y0);
      cairo_line_to (cr, line->x1, line->y1);
      cairo_set_line_width (cr, kymo_message_line_width (line) + (halo ? 2.5 : 0));
      kymo_set_source_alpha (cr, halo ? timeline->theme->canvas : color_of (timeline, line), 0.9);
      if (line->kind != KYMO_LINE_MATCHED && !halo)
        cairo_set_dash (cr, (double[]) { 4, 3 }, 2, 0);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
      if (!halo && (line->x1 != x || line->y1 != y))
        paint_head (cr, line, HEAD_PX + kymo_message_line_width (line));
      x = line->x1;
      y = line->y1;
    }
}

/* Many of them: thin, several in one go for each look. */
static void
paint_thin (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *table,
            GHashTable *rows, const GArray *lines, KymoLineKind kind,
            gboolean early)
{
  guint n = 0;

  if (kind != KYMO_LINE_MATCHED)
    cairo_set_dash (cr, (double[]) { 3, 3 }, 2, 0);
  cairo_set_line_width (cr, early ? 1.5 : 1);
  for (guint i = 0; i < lines->len; i++)
    {
      const KymoMessageLine *line = &g_array_index (lines, KymoMessageLine, i);

      if (line->of != KYMO_LINES_OF_ALL || line->kind != kind
          || line->early != early)
        continue;
      kymo_set_source_alpha (cr, color_of (timeline, line), early ? 0.95 : 0.6);
      trace (cr, timeline, table, rows, line);
      if (++n % AT_ONCE == 0)
        cairo_stroke (cr);
    }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  for (guint i = 0; i < lines->len; i++)
    {
      const KymoMessageLine *line = &g_array_index (lines, KymoMessageLine, i);

      if (line->of != KYMO_LINES_OF_ALL || line->kind != kind
          || line->early != early)
        continue;
      if (kind == KYMO_LINE_OPEN)
        paint_circle (cr, line->x1, line->y1, 2, TRUE);
      else
        paint_head (cr, line, HEAD_PX - 1);
      if (kind == KYMO_LINE_UNMATCHED)
        paint_circle (cr, line->x0, line->y0, 2, TRUE);
    }
}

static void
paint_line (cairo_t *cr, const KymoTimeline *timeline, GHashTable *rows,
            const KymoTable *messages, const KymoMessageLine *line,
            double thin, gboolean lifted)
{
  const KymoTable *table = kymo_message_line_table (messages, line->of);

  if (line->of == KYMO_LINES_OF_GROUPS && !lifted)
    paint_group (cr, timeline, table, rows, line, thin);
  else if ((line->of != KYMO_LINES_OF_ALL && line->of != KYMO_LINES_OF_FAN) || lifted)
    paint_strong (cr, timeline, table, rows, line,
                  line->of == KYMO_LINES_OF_GROUPS ? kymo_message_line_width (line)
                  : lifted ? 2.5 : 1.5);
}

/* Narrows `t0`–`t1`, of a way from 0 to 1, to where it is between two edges. */
static void
clip_way (double from, double to, double least, double most, double *t0, double *t1)
{
  if (from != to)
    {
      double a = (least - from) / (to - from), b = (most - from) / (to - from);

      *t0 = MAX (*t0, MIN (a, b));
      *t1 = MIN (*t1, MAX (a, b));
    }
  else if (from < least || from > most)
    *t1 = 0;
}

/* How long that of a line is which is in sight. */
static double
seen_length (const KymoMessageLine *line, KymoRect area)
{
  double t0 = 0, t1 = 1;

  clip_way (line->x0, line->x1, area.x, area.x + area.width, &t0, &t1);
  clip_way (line->y0, line->y1, area.y, area.y + area.height, &t0, &t1);
  return MAX (t1 - t0, 0) * hypot (line->x1 - line->x0, line->y1 - line->y0);
}

/* By how much arrows of groups are thinner where they would cover what they lie over. */
static double
thin_of (const KymoTimeline *timeline, const GArray *lines)
{
  double ink = 0, room = timeline->area.width * timeline->area.height * MOST_INK;

  for (guint i = 0; i < lines->len; i++)
    {
      const KymoMessageLine *line = &g_array_index (lines, KymoMessageLine, i);

      if (line->of == KYMO_LINES_OF_GROUPS)
        ink += kymo_message_line_width (line) * seen_length (line, timeline->area);
    }
  return ink > room && ink > 0 ? MAX (room / ink, LEAST_THIN) : 1;
}

/* (transfer full) (nullable): what the filter leaves out; how many that is only where they are
   those of what is in sight: in the window more are asked for */
static char *
dup_left_out (const KymoTimeline *timeline, const KymoTable *messages)
{
  KymoSpan span = timeline->frame->span;
  gboolean of_block = kymo_table_find_column (messages, "n_caused") >= 0;
  gint64 n = !of_block ? kymo_table_get_int (messages, "count", 0)
             : kymo_table_get_int (messages, "causes", 0)
               + kymo_table_get_int (messages, "n_caused", 0);
  gint64 all = n + kymo_table_get_int (messages, "left_out_messages", 0);
  g_auto (GStrv) filters = kymo_traffic_list_filters (messages);
  g_autofree char *by = filters != NULL ? g_strjoinv (", ", filters) : NULL;
  g_autofree char *count = kymo_format_count (n), *of = kymo_format_count (all);

  if (by == NULL)
    return NULL;
  if (kymo_table_get_int (messages, "begin_ns", 0) < span.begin_ns
      || kymo_table_get_int (messages, "end_ns", 0) > span.end_ns)
    return g_strdup_printf (_("Messages: %s"), by);
  return g_strdup_printf (ngettext ("%s of %s message: %s", "%s of %s messages: %s", all), count,
                          of, by);
}

static void
paint_left_out (cairo_t *cr, const KymoTimeline *timeline, const KymoTable *messages)
{
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, timeline->area.width - 16 };
  KymoRect area = timeline->area;
  g_autofree char *words = dup_left_out (timeline, messages);
  double width;

  if (words == NULL || area.height < 40)
    return;
  width = MIN (kymo_text_width (cr, words, style), style.max_px);
  kymo_set_source_alpha (cr, timeline->theme->canvas, 0.9);
  cairo_rectangle (cr, area.x + area.width - width - 12, area.y + area.height - 18, width + 8, 16);
  cairo_fill (cr);
  kymo_text_draw (cr, words, area.x + area.width - 8, area.y + area.height - 10, style,
                  timeline->theme->secondary);
}

/**
 * kymo_timeline_paint_messages:
 * @lines: of kymo_timeline_message_lines()
 */
void
kymo_timeline_paint_messages (cairo_t *cr, const KymoTimeline *timeline,
                              const KymoTable *messages, const GArray *lines)
{
  g_autoptr (GHashTable) rows = kymo_timeline_rows_by_location (timeline);
  double thin = thin_of (timeline, lines);
  KymoRect area = timeline->area;

  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  for (guint kind = 0; kind <= KYMO_LINE_OPEN; kind++)
    for (guint early = 0; early < 2; early++)
      paint_thin (cr, timeline, kymo_message_line_table (messages, KYMO_LINES_OF_ALL),
                  rows, lines, kind, early);
  paint_fan (cr, timeline, lines, TRUE);
  paint_fan (cr, timeline, lines, FALSE);
  for (guint i = 0; i < lines->len; i++)
    paint_line (cr, timeline, rows, messages,
                &g_array_index (lines, KymoMessageLine, i), thin, FALSE);
  paint_left_out (cr, timeline, messages);
  cairo_restore (cr);
}

/** kymo_timeline_lift_message: paints one of them stronger, over all */
void
kymo_timeline_lift_message (cairo_t *cr, const KymoTimeline *timeline,
                            const KymoTable *messages,
                            const KymoMessageLine *line)
{
  g_autoptr (GHashTable) rows = kymo_timeline_rows_by_location (timeline);

  paint_line (cr, timeline, rows, messages, line, 1, TRUE);
}
