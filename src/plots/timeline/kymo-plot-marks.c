/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marks of a stream over time charts and on the ruler: a thin pole with a
 * flag at the top, the sentence under the pointer. Conditions that were met
 * stand out; where flags would touch, the weightier one is shown.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-plot-private.h"
#include "kymo-units.h"

#define FLAG_PX 7
/* The pointer is on a flag this far from its pole. */
#define NEAR_PX 6
#define MOST_SENTENCES 4

typedef enum
{
  MARK_LOST,
  MARK_STATE,
  MARK_CONDITION,
} MarkWeight;

static MarkWeight
weight_of (const KymoTable *marks, guint row)
{
  const char *kind = kymo_table_get_string (marks, "kind", row);

  return g_strcmp0 (kind, "condition") == 0 ? MARK_CONDITION
         : g_strcmp0 (kind, "state") == 0 ? MARK_STATE : MARK_LOST;
}

static double
x_of (const KymoPlotFrame *frame, const KymoTable *marks, guint row)
{
  gint64 time_ns = kymo_table_get_int (marks, "time_ns", row);

  return floor (kymo_plot_time_to_x (frame, time_ns)) + 0.5;
}

static gboolean
is_inside (KymoRect area, double x)
{
  return x >= area.x - 0.5 && x <= area.x + area.width + 0.5;
}

static void
paint_mark (cairo_t *cr, const KymoPlotFrame *frame, MarkWeight weight,
            double x, KymoRect area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRgba color = weight == MARK_CONDITION ? theme->accent
                   : weight == MARK_STATE ? theme->secondary : theme->axis;
  double side = x + FLAG_PX > area.x + area.width ? -FLAG_PX : FLAG_PX;

  x = MIN (x, area.x + area.width - 0.5);
  cairo_set_line_width (cr, 1);
  kymo_set_source_alpha (cr, color, weight == MARK_CONDITION ? 0.9 : 0.6);
  cairo_move_to (cr, x, area.y);
  cairo_line_to (cr, x, area.y + area.height);
  cairo_stroke (cr);
  cairo_move_to (cr, x, area.y);
  cairo_line_to (cr, x + side, area.y + FLAG_PX / 2.0);
  cairo_line_to (cr, x, area.y + FLAG_PX);
  cairo_close_path (cr);
  kymo_set_source (cr, color);
  if (weight == MARK_LOST)
    cairo_stroke (cr);
  else
    cairo_fill (cr);
}

/** kymo_paint_marks: the weightiest are painted first and keep their room */
void
kymo_paint_marks (cairo_t *cr, const KymoPlotFrame *frame,
                  const KymoTable *marks, KymoRect area)
{
  guint n = marks != NULL ? kymo_table_get_n_rows (marks) : 0;
  guint n_slots = MAX (area.width, 0) / FLAG_PX + 2;
  g_autofree guint8 *taken = n > 0 ? g_new0 (guint8, n_slots) : NULL;

  for (gint weight = MARK_CONDITION; weight >= MARK_LOST && n > 0; weight--)
    for (guint i = 0; i < n; i++)
      {
        double x = x_of (frame, marks, i);
        guint slot = MAX (x - area.x, 0) / FLAG_PX;

        if ((gint) weight_of (marks, i) != weight || !is_inside (area, x)
            || taken[MIN (slot, n_slots - 1)])
          continue;
        taken[MIN (slot, n_slots - 1)] = 1;
        paint_mark (cr, frame, weight, x, area);
      }
}

/* The mark nearest to a place, or -1. */
static int
mark_near (const KymoPlotFrame *frame, const KymoTable *marks, double x)
{
  guint n = marks != NULL ? kymo_table_get_n_rows (marks) : 0;
  double nearest = NEAR_PX + 0.01;
  int found = -1;

  for (guint i = 0; i < n; i++)
    {
      double away = fabs (x_of (frame, marks, i) + FLAG_PX / 2.0 - x);

      if (away < nearest)
        {
          nearest = away;
          found = i;
        }
    }
  return found;
}

/* "2.350 s: The program is idle", and what else is under the same flag. */
static char *
words_at (const KymoPlotFrame *frame, const KymoTable *marks, guint found)
{
  GString *text = g_string_new (NULL);
  double x = x_of (frame, marks, found);
  guint n = kymo_table_get_n_rows (marks), shown = 0, more = 0;

  for (guint i = 0; i < n; i++)
    {
      const char *sentence = kymo_table_get_string (marks, "text", i);
      g_autofree char *time = kymo_format_duration_exact (
        kymo_table_get_int (marks, "time_ns", i));

      if (fabs (x_of (frame, marks, i) - x) > FLAG_PX)
        continue;
      if (shown++ < MOST_SENTENCES)
        g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "",
                                time, sentence != NULL ? sentence : "");
      else
        more++;
    }
  if (more > 0)
    {
      g_string_append_c (text, '\n');
      g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "%u more",
                                                 "%u more", more), more);
    }
  return g_string_free (text, FALSE);
}

/**
 * kymo_plot_dup_mark:
 * @marks: (nullable): the marks of a stream
 * @x: px
 *
 * Returns: (transfer full) (nullable): up to four sentences of the flag nearest to @x, a line each
 *   with its time, and how many more there are; %NULL where no flag is near
 */
char *
kymo_plot_dup_mark (const KymoPlotFrame *frame, const KymoTable *marks,
                    double x)
{
  int found = mark_near (frame, marks, x);

  return found >= 0 ? words_at (frame, marks, found) : NULL;
}

/**
 * kymo_marks_hit:
 * @answer: has the list "marks" if it is of a stream
 * @area: where flags hang from the top, px
 * @x: px
 * @y: px
 * @hit: (out caller-allocates): gets time, range, outline and words of the flag; empty without one
 *
 * Returns: whether a flag in the area is near the point
 */
gboolean
kymo_marks_hit (const KymoPlotFrame *frame, const KymoTable *answer,
                KymoRect area, double x, double y, KymoPlotHit *hit)
{
  const KymoTable *marks = kymo_table_peek_nested (answer, "marks", NULL);
  int found = -1;

  kymo_hit_init (hit);
  if (kymo_rect_contains (area, x, y) && y < area.y + 2 * FLAG_PX)
    found = mark_near (frame, marks, x);
  if (found < 0)
    return FALSE;
  hit->time_ns = kymo_table_get_int (marks, "time_ns", found);
  hit->span = (KymoSpan) { hit->time_ns, hit->time_ns };
  hit->rect = (KymoRect) { x_of (frame, marks, found) - 1, area.y, 3,
                           area.height };
  hit->text = words_at (frame, marks, found);
  return TRUE;
}
