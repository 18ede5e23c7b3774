/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: how each location spent its time; the average first, then a bar a
 * location. Where there are more locations than pixels, neighbours are added
 * up into one bar: aggregated, never left out.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-badge.h"
#include "kymo-text.h"
#include "kymo-usage.h"

#define GAP_PX KYMO_USAGE_GAP_PX
#define BAND_PX 4
#define EDGE_LEAST_PX 6
/* Between words of two bars; a bar with a figure is no narrower than the next. */
#define WORDS_GAP_PX 6
#define FIGURE_LEAST_PX 12
#define MOST_LOOKED 200

static double
paint_series (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame, guint bar,
              KymoRect rect)
{
  double y = rect.y + rect.height;

  for (guint i = 0; i < usage->series->len; i++)
    {
      UsageSeries *series = &g_array_index (usage->series, UsageSeries, i);
      double height
        = kymo_usage_part_px (usage, bar, usage->ns[(gsize) bar * usage->series->len + i]);

      y -= height;
      if (series->hidden || height <= 0)
        continue;
      kymo_fill_activity (cr, frame, series->name, KYMO_KIND_ENTRY,
                          (KymoRect) { rect.x, y, rect.width, height });
    }
  return y;
}

/* Paper is nearly as light as the canvas, or as dark: a line shows where it ends. Narrow bars
   have it above and below only. */
static void
paint_paper_edge (cairo_t *cr, const KymoTheme *theme, KymoRect rect)
{
  double top = round (rect.y) + 0.5, bottom = round (rect.y + rect.height) - 0.5;

  if (bottom - top < 2)
    return;
  kymo_set_source (cr, theme->paper_edge);
  cairo_set_line_width (cr, 1);
  if (rect.width >= EDGE_LEAST_PX)
    cairo_rectangle (cr, floor (rect.x) + 0.5, top, ceil (rect.x + rect.width) - floor (rect.x) - 1,
                     bottom - top);
  else
    {
      kymo_line (cr, rect.x, top, rect.x + rect.width, top);
      kymo_line (cr, rect.x, bottom, rect.x + rect.width, bottom);
    }
  cairo_stroke (cr);
}

static void
paint_overhead (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame,
                KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  if (usage->rest)
    {
      kymo_fill_rest (cr, theme, rect);
      paint_paper_edge (cr, theme, rect);
      return;
    }
  kymo_set_source (cr, frame->hovered != NULL
                       && g_strcmp0 (frame->hovered, KYMO_NAME_OVERHEAD) != 0
                       ? kymo_rgba_mix (theme->ink, theme->paper, 0.6)
                       : theme->ink);
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_fill (cr);
}

static void
paint_bar (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame,
           guint bar)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect rect = kymo_usage_bar_rect (usage, bar);
  double y = paint_series (cr, usage, frame, bar, rect);
  double idle = kymo_usage_part_px (usage, bar, usage->idle[bar]);
  double overhead = kymo_usage_part_px (usage, bar, usage->overhead[bar]);
  double untraced = kymo_usage_part_px (usage, bar, usage->untraced[bar]);

  kymo_set_source (cr, theme->paper);
  cairo_rectangle (cr, rect.x, y - idle, rect.width, idle);
  cairo_fill (cr);
  paint_paper_edge (cr, theme, (KymoRect) { rect.x, y - idle, rect.width, idle });
  paint_overhead (cr, usage, frame, (KymoRect) { rect.x, y - idle - overhead,
                                                 rect.width, overhead });
  if (untraced >= 2 && rect.width >= 3)
    {
      cairo_save (cr);
      cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
      cairo_set_line_width (cr, 1);
      kymo_set_source (cr, theme->dotted);
      cairo_rectangle (cr, rect.x + 0.5, y - idle - overhead - untraced + 0.5,
                       rect.width - 1, untraced - 1);
      cairo_stroke (cr);
      cairo_restore (cr);
    }
}

/* On the axis a group goes by its first location. */
static char *
axis_label (const Usage *usage, guint bar)
{
  if (bar == 0)
    return kymo_usage_dup_label (usage, bar);
  return g_strdup (kymo_table_peek_label (usage->locations, "label",
                                          (bar - 1) * usage->per_bar));
}

/* Of bars that have words, the distance, so that a label and a figure belong to the same bar. The
   labels that are looked at are enough to tell how wide they are. */
static guint
every_of_words (cairo_t *cr, const Usage *usage, KymoTextStyle style, gboolean with_figures)
{
  double widest = with_figures ? kymo_text_width (cr, "88 %", style) : 0;
  guint looked = MAX (1, usage->n_shown / MOST_LOOKED);

  for (guint bar = 1; bar < usage->n_shown; bar += looked)
    {
      g_autofree char *label = axis_label (usage, bar);

      widest = fmax (widest, kymo_text_width (cr, label, style));
    }
  return kymo_axis_every (widest + WORDS_GAP_PX, usage->lattice.slot_px);
}

/* Labels below and figures above the bars, as many as have room. */
static void
paint_words (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  double bottom = usage->area.y + usage->area.height, end = -1e9, top_end = -1e9;
  gboolean with_figures = usage->lattice.slot_px >= FIGURE_LEAST_PX;
  guint every = every_of_words (cr, usage, style, with_figures);

  for (guint bar = 0; bar < usage->n_shown; bar++)
    {
      KymoRect rect = kymo_usage_bar_rect (usage, bar);
      g_autofree char *label = axis_label (usage, bar);
      double share = kymo_usage_share (usage, bar);
      g_autofree char *figure = isnan (share) || (bar > 0 && !with_figures) ? NULL
                                : g_strdup_printf ("%.0f %%", share * 100);
      double x = rect.x + rect.width / 2;
      double width = kymo_text_width (cr, label, style);
      double figure_width = kymo_text_width (cr, figure, style);

      if (bar > 0 && (bar - 1) % every != 0)
        continue;
      if (x - width / 2 >= end + WORDS_GAP_PX
          && x + width / 2 <= usage->area.x + usage->area.width + 20)
        {
          kymo_text_draw (cr, label, x, bottom + 14, style,
                          bar == 0 ? theme->foreground : theme->secondary);
          end = x + width / 2;
        }
      if (figure != NULL && x - figure_width / 2 >= top_end + WORDS_GAP_PX)
        {
          kymo_text_draw (cr, figure, x, usage->area.y - 10, style,
                          bar == 0 ? theme->foreground : theme->secondary);
          top_end = x + figure_width / 2;
        }
    }
}

/* A band under the bars of each cluster. */
static void
paint_classes (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame)
{
  double y = usage->area.y + usage->area.height + 1;

  for (guint bar = 1; usage->classes != NULL && bar < usage->n_shown; bar++)
    {
      KymoRect rect = kymo_usage_bar_rect (usage, bar);
      gint cluster = kymo_usage_class_of (usage, bar);
      gboolean joins = bar + 1 < usage->n_shown
                       && kymo_usage_class_of (usage, bar + 1) == cluster;

      if (cluster < 0)
        continue;
      kymo_set_source (cr, kymo_class_color (frame->look, cluster));
      cairo_rectangle (cr, rect.x, y, joins ? kymo_usage_bar_rect (usage, bar + 1).x
                       - rect.x : rect.width, BAND_PX);
      cairo_fill (cr);
    }
}

/* A line before the communication threads, and whom the average is of. */
static void
paint_apart (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame,
             const KymoTable *answer)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double bottom = usage->area.y + usage->area.height, x;
  KymoRect below = { usage->area.x, bottom + 18, usage->area.width, 30 };

  kymo_paint_workers (cr, frame, below, answer);
  if (usage->first_apart >= usage->n_bars)
    return;
  x = floor (kymo_usage_bar_rect (usage, usage->first_apart).x - GAP_PX / 2.0) + 0.5;
  kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, x, usage->area.y - 4, x, bottom + 4);
  cairo_stroke (cr);
}

static GArray *
legend_items (const Usage *usage, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double span = MAX (usage->span[0], 1);

  for (guint i = 0; i < usage->series->len; i++)
    kymo_legend_add (items, frame,
                     g_array_index (usage->series, UsageSeries, i).name,
                     KYMO_KIND_ENTRY, usage->ns[i] / span);
  kymo_legend_add_idle (items, frame, usage->rest, usage->idle[0] / span,
                        usage->overhead[0] / span);
  if (usage->untraced[0] > 0)
    kymo_legend_add (items, frame, KYMO_NAME_UNTRACED, KYMO_KIND_UNTRACED,
                     usage->untraced[0] / span);
  return items;
}

static void
usage_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Usage *usage = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;

  if (!usage->known)
    {
      kymo_decor_paint (cr, &kymo_plot_usage, frame, NULL);
      kymo_paint_empty (cr, frame, usage->area, _("No locations to show"));
      return;
    }
  items = legend_items (usage, frame);
  kymo_decor_paint (cr, &kymo_plot_usage, frame, items);
  kymo_axis_left (cr, frame, usage->area, 1, usage->area.height > 300 ? 10 : 4,
                  kymo_axis_percent);
  for (guint bar = 0; bar < usage->n_shown; bar++)
    paint_bar (cr, usage, frame, bar);
  paint_classes (cr, usage, frame);
  paint_words (cr, usage, frame);
  paint_apart (cr, usage, frame, answer);
}

static KymoQuestion *
usage_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "usage");
}

KYMO_DEFINE_LAYOUT (usage, Usage, kymo_usage_init, kymo_usage_clear)

const KymoPlotClass kymo_plot_usage = {
  .id = "usage",
  .title = N_("Usage"),
  .needs = KYMO_CAN_BINNED_TIME,
  .question = usage_question,
  .lay_out = usage_lay_out,
  .layout_free = usage_layout_free,
  .paint = usage_paint,
  .hit = kymo_usage_hit,
  .marks = kymo_usage_marks,
  .boxes = kymo_usage_boxes,
  .inset = { 64, 26, 20, 30 },
  .has_legend = TRUE,
};
