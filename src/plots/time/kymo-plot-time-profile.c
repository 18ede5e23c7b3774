/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time profile: what all locations together did, over time. Entry methods
 * stack from the bottom, overhead hangs from the top, idle is the paper
 * between; untraced is empty canvas above. Where idle time cannot be told from
 * overhead both are one hatched band above the stack.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-pixels.h"
#include "kymo-time-profile-bins.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_time_profile;

/* One path of rectangles from..to (shares of the height, 0 = bottom). */
static void
add_band (cairo_t *cr, KymoRect area, double x0, double x1, double from,
          double to)
{
  if (to - from < 1e-6)
    return;
  cairo_rectangle (cr, x0, area.y + area.height * (1 - to), x1 - x0,
                   (to - from) * area.height);
}

/* Bands above the stack; 0 = idle, 1 = overhead. Neighbours of one height
   are joined. */
static void
band_path (cairo_t *cr, const KymoTimeBins *bins, KymoRect area, gboolean overhead)
{
  double last_from = -1, last_to = -1, x0 = bins->xs[0];

  for (guint bin = 0; bin <= bins->n; bin++)
    {
      double from = 0, to = 0;

      if (bin < bins->n)
        {
          double top = kymo_time_bins_traced (bins, bin);
          double ink = kymo_time_bins_part (bins, bins->overhead_ns, bin);

          from = overhead ? top - ink
                          : bins->stack->tops[bin] + bins->stack->cut[bin];
          to = overhead ? top : top - ink;
        }
      if (bin < bins->n && fabs (from - last_from) < 1e-9
          && fabs (to - last_to) < 1e-9)
        continue;
      add_band (cr, area, x0, bins->xs[MIN (bin, bins->n)], last_from,
                last_to);
      x0 = bins->xs[MIN (bin, bins->n)];
      last_from = from;
      last_to = to;
    }
}

static KymoRgba
overhead_color (const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  return frame->hovered != NULL
         && g_strcmp0 (frame->hovered, KYMO_NAME_OVERHEAD) != 0
         ? kymo_rgba_mix (theme->ink, theme->paper, 0.6) : theme->ink;
}

static void
paint_bands (cairo_t *cr, const KymoTimeBins *bins, const KymoPlotFrame *frame,
             KymoRect area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  kymo_set_source (cr, theme->paper);
  band_path (cr, bins, area, FALSE);
  cairo_fill (cr);
  kymo_set_source (cr, bins->rest ? theme->paper : overhead_color (frame));
  band_path (cr, bins, area, TRUE);
  cairo_fill_preserve (cr);
  if (bins->rest)
    {
      cairo_save (cr);
      cairo_clip (cr);
      kymo_hatch_rest (cr, theme, area);
      cairo_restore (cr);
    }
  cairo_new_path (cr);
}

/* -- pixels --------------------------------------------------------------- */

/* Fills a column of pixels (the lowest first) between two shares of its
   height. Parts come from the top down: each takes its lowest pixel whole and
   the next one takes its share of that. */
static void
fill_part (guint32 *column, int height, double from, double to, guint32 pixel)
{
  double low = CLAMP (from, 0, 1) * height, high = CLAMP (to, 0, 1) * height;
  int y = floor (low), top = floor (high);

  if (high - low < 1e-3)
    return;
  for (; y < top; y++)
    column[y] = pixel;
  if (top < height && high > top)
    column[top] = kymo_pixel_mix (column[top], pixel, high - top);
}

/** Fill: what a column of pixels is made of */
typedef struct
{
  const guint32 *series;
  guint32        ink, paper, canvas, hatch;
  int            rest_from, rest_end;  /* lines of the column to be hatched */
  gboolean       waits;                /* some series does */
} Fill;

static void
fill_bin (const KymoTimeBins *bins, guint bin, Fill *fill, guint32 *column, int height)
{
  const KymoStack *stack = bins->stack;
  double top = kymo_time_bins_traced (bins, bin), sum = stack->tops[bin];
  double ink_from = top - kymo_time_bins_part (bins, bins->overhead_ns, bin);

  for (int y = 0; y < height; y++)
    column[y] = fill->canvas;
  fill_part (column, height, ink_from, top, fill->ink);
  fill_part (column, height, sum + stack->cut[bin], ink_from, fill->paper);
  fill_part (column, height, sum, sum + stack->cut[bin], fill->canvas);
  fill->rest_from = ceil (CLAMP (ink_from, 0, 1) * height - 1e-3);
  fill->rest_end = floor (CLAMP (top, 0, 1) * height + 1e-3);
  for (guint i = stack->series->len; i-- > 0;)
    {
      double own = stack->values[(gsize) i * stack->n_bins + bin];

      if (own <= 0 || g_array_index (stack->series, KymoSeries, i).hidden)
        continue;
      fill_part (column, height, MAX (sum - own, 0), sum, fill->series[i]);
      sum -= own;
    }
}

/* The hatch is locked to the picture, as kymo_hatch_rest() has it. */
static void
hatch_line (const KymoPixels *pixels, int y, int x0, int x1, guint32 hatch)
{
  int scale = MAX (lrint (pixels->scale), 1), step = KYMO_REST_PX * scale;
  int shift = lrint ((pixels->area.x - pixels->area.y) * pixels->scale) - y;
  guint32 *line = kymo_pixels_line (pixels, y);

  for (int x = x0; x < x1; x++)
    if ((((x + shift) % step) + step) % step < scale)
      line[x] = hatch;
}

static void
copy_column (const KymoPixels *pixels, const guint32 *column, const Fill *fill,
             gboolean rest, int x0, int x1)
{
  for (int y = 0; y < pixels->height; y++)
    {
      guint32 *line = kymo_pixels_line (pixels, pixels->height - 1 - y);

      for (int x = x0; x < x1; x++)
        line[x] = column[y];
      if (fill->waits)
        kymo_pixels_hatch_waiting (pixels, pixels->height - 1 - y, x0, x1, fill->canvas, TRUE);
      if (rest && y >= fill->rest_from && y < fill->rest_end)
        hatch_line (pixels, pixels->height - 1 - y, x0, x1, fill->hatch);
    }
}

/* Each bin as one column of pixels, repeated over its width: the same picture
   as by paths, for the tenth of the time. FALSE for vector files. */
static gboolean
paint_pixels (cairo_t *cr, const KymoTimeBins *bins, const KymoPlotFrame *frame,
              KymoRect area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree guint32 *column = NULL, *series = NULL;
  Fill fill = { NULL, kymo_pixel (bins->rest ? theme->paper
                                             : overhead_color (frame)),
                kymo_pixel (theme->paper), kymo_pixel (theme->canvas),
                kymo_pixel (theme->rest_hatch) };
  KymoPixels pixels;

  if (!kymo_pixels_begin (&pixels, cr, area, frame))
    return FALSE;
  column = g_new (guint32, pixels.height);
  series = g_new (guint32, bins->stack->series->len + 1);
  for (guint i = 0; i < bins->stack->series->len; i++)
    {
      const KymoSeries *one = &g_array_index (bins->stack->series, KymoSeries, i);

      series[i] = one->hatched ? kymo_pixel_waiting (kymo_pixel (one->color))
                  : kymo_pixel (one->color);
      fill.waits |= one->hatched;
    }
  fill.series = series;
  for (guint bin = 0; bin < bins->n; bin++)
    {
      double left = kymo_frame_lattice_x (frame, bins->edges_ns[bin]);
      double right = kymo_frame_lattice_x (frame, bins->edges_ns[bin + 1]);
      int x0 = lrint (CLAMP ((left - area.x) * pixels.scale, 0, pixels.width));
      int x1 = lrint (CLAMP ((right - area.x) * pixels.scale, 0, pixels.width));

      if (x1 <= x0)
        continue;
      fill_bin (bins, bin, &fill, column, pixels.height);
      copy_column (&pixels, column, &fill, bins->rest, x0, x1);
    }
  kymo_pixels_end (&pixels, cr);
  return TRUE;
}

/** Paper: what a bin has of it, and what lies around that: shares of the height */
typedef struct
{
  double from, to;                     /* idle time */
  double top;                          /* of what was traced; the canvas is above */
  double below;                        /* the canvas below, of hidden series */
} Paper;

static Paper
paper_of (const KymoTimeBins *bins, guint bin)
{
  Paper paper = { .top = kymo_time_bins_traced (bins, bin), .below = bins->stack->cut[bin] };

  paper.to = bins->rest ? paper.top
             : paper.top - kymo_time_bins_part (bins, bins->overhead_ns, bin);
  paper.from = MIN (bins->stack->tops[bin] + paper.below, paper.to);
  return paper;
}

/* On device pixels, as panning moves pictures by these. */
static double
y_of (const KymoPlotFrame *frame, KymoRect area, double share)
{
  double scale = frame->scale;

  return area.y + round (area.height * (1 - share) * scale) / scale;
}

/* The side of paper where the canvas lies beside it, from one share of the height to another. */
static void
paper_side (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area, double x, Paper paper,
            double from, double to)
{
  from = MAX (paper.from, from);
  to = MIN (paper.to, to);
  if ((to - from) * area.height < 0.5)
    return;
  cairo_move_to (cr, x, y_of (frame, area, to));
  cairo_line_to (cr, x, y_of (frame, area, from));
}

/* Canvas lies above what the neighbour reaches, and where it has hidden series. */
static void
paper_sides (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area, double x, Paper paper,
             Paper beside)
{
  paper_side (cr, frame, area, x, paper, beside.top, 1);
  paper_side (cr, frame, area, x, paper, beside.from - beside.below, beside.from);
}

/* Above and below paper where the canvas lies there. */
static void
paper_ends (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area, double x, double end,
            Paper paper)
{
  double px = 1 / MAX (area.height, 1);

  if (paper.to - paper.from < px)
    return;
  if (paper.top - paper.to < px)
    {
      cairo_move_to (cr, x, y_of (frame, area, paper.to) + 0.5);
      cairo_line_to (cr, end, y_of (frame, area, paper.to) + 0.5);
    }
  if (paper.below >= px)
    {
      cairo_move_to (cr, x, y_of (frame, area, paper.from) - 0.5);
      cairo_line_to (cr, end, y_of (frame, area, paper.from) - 0.5);
    }
}

/* Paper is nearly as light as the canvas, or as dark: a line shows where it ends. Overhead and
   functions end it by their own colours. At both ends of the picture the line is beside it. */
static void
paint_paper_edge (cairo_t *cr, const KymoTimeBins *bins, const KymoPlotFrame *frame, KymoRect area)
{
  Paper before = { 0 };
  double end = area.x;
  gboolean first = TRUE;

  cairo_save (cr);
  kymo_set_source (cr, kymo_theme_get (frame->look)->paper_edge);
  cairo_set_line_width (cr, 1);
  for (guint bin = 0; bin < bins->n; bin++)
    {
      double left = kymo_frame_lattice_x (frame, bins->edges_ns[bin]);
      double right = kymo_frame_lattice_x (frame, bins->edges_ns[bin + 1]);
      Paper now = paper_of (bins, bin);
      double x = MAX (left, area.x);

      if (MIN (right, area.x + area.width) <= x)
        continue;
      end = MIN (right, area.x + area.width);
      paper_sides (cr, frame, area, x - 0.5, before, now);
      paper_sides (cr, frame, area, first ? x - 0.5 : x + 0.5, now, before);
      paper_ends (cr, frame, area, x, end, now);
      before = now;
      first = FALSE;
    }
  paper_sides (cr, frame, area, end + 0.5, before, (Paper) { 0 });
  cairo_stroke (cr);
  cairo_restore (cr);
}

static gboolean
is_untraced (const KymoTimeBins *bins, guint bin)
{
  return bins->untraced_ns != NULL && bins->untraced_ns[bin] > 0
         && bins->all[bin] <= bins->untraced_ns[bin];
}

/* A dotted line at the bottom and at both sides of a stretch in which nothing
   at all was traced. */
static void
paint_untraced_edge (cairo_t *cr, const KymoTimeBins *bins,
                     const KymoPlotFrame *frame, KymoRect area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double y = area.y + area.height - 0.5;

  cairo_save (cr);
  kymo_set_source (cr, theme->dotted);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
  for (guint bin = 0; bin < bins->n; bin++)
    {
      if (!is_untraced (bins, bin))
        continue;
      kymo_line (cr, bins->xs[bin], y, bins->xs[bin + 1], y);
      if (bin > 0 && !is_untraced (bins, bin - 1))
        kymo_line (cr, bins->xs[bin], area.y, bins->xs[bin], y);
      if (bin + 1 < bins->n && !is_untraced (bins, bin + 1))
        kymo_line (cr, bins->xs[bin + 1], area.y, bins->xs[bin + 1], y);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static double
sum_of (const gint64 *values, guint n)
{
  double sum = 0;

  for (guint i = 0; values != NULL && i < n; i++)
    sum += values[i];
  return sum;
}

static GArray *
legend_items (const KymoTimeBins *bins, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double all = 0, idle = sum_of (bins->idle_ns, bins->n);
  double overhead = sum_of (bins->overhead_ns, bins->n);
  double untraced = sum_of (bins->untraced_ns, bins->n);

  for (guint i = 0; i < bins->n; i++)
    all += bins->all[i];
  all = MAX (all, 1);
  for (guint i = 0; i < bins->stack->series->len; i++)
    {
      KymoSeries *s = &g_array_index (bins->stack->series, KymoSeries, i);
      kymo_legend_add (items, frame, s->name, KYMO_KIND_ENTRY, s->total / all);
    }
  kymo_legend_add_idle (items, frame, bins->rest, idle / all, overhead / all);
  if (untraced > 0)
    kymo_legend_add (items, frame, KYMO_NAME_UNTRACED, KYMO_KIND_UNTRACED,
                     untraced / all);
  return items;
}

/* A run without length has bins, and nothing in them. */
static gboolean
has_time (const KymoTimeBins *bins)
{
  for (guint i = 0; i < bins->n; i++)
    if (bins->all[i] > 0)
      return TRUE;
  return FALSE;
}

static void
time_profile_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoTimeBins *bins = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  KymoRect area = kymo_plot_frame_area (&kymo_plot_time_profile, frame);
  g_autoptr (GArray) items = NULL;

  if (!bins->known || !has_time (bins))
    {
      kymo_decor_paint (cr, &kymo_plot_time_profile, frame, NULL);
      kymo_paint_empty (cr, frame, area, _("No time in this range"));
      return;
    }
  items = legend_items (bins, frame);
  kymo_decor_paint (cr, &kymo_plot_time_profile, frame, items);
  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  if (!paint_pixels (cr, bins, frame, area))
    {
      paint_bands (cr, bins, frame, area);
      kymo_stack_paint (cr, bins->stack, bins->xs, 0, area.y + area.height,
                        area.height);
    }
  paint_untraced_edge (cr, bins, frame, area);
  cairo_restore (cr);
  paint_paper_edge (cr, bins, frame, area);
  kymo_paint_workers (cr, frame, area, answer);
  kymo_paint_marks (cr, frame, kymo_table_peek_nested (answer, "marks", NULL),
                    area);
  kymo_axis_left (cr, frame, area, 1, area.height > 150 ? MAX (4, area.height / 100) : 2,
                  kymo_axis_percent);
  if (frame->decorate)
    kymo_axis_time (cr, frame, area.y + area.height + 18,
                    area.y + area.height);
}

static const char *
hidden_words (const KymoTimeBins *bins)
{
  return bins->terms.code == KYMO_CODE_FUNCTION ? _("Hidden functions")
                                                : _("Hidden entry methods");
}

/* Which of series, idle and overhead lies at a share of the height;
   *of_bin is its share. */
static const char *
name_at (const KymoTimeBins *bins, guint bin, double value, double *of_bin)
{
  const KymoSeries *series = kymo_stack_at (bins->stack, bin, value, of_bin);
  double whole = kymo_time_bins_traced (bins, bin);
  double overhead = kymo_time_bins_part (bins, bins->overhead_ns, bin);

  if (series != NULL)
    return series->name;
  *of_bin = overhead;
  if (value > whole)
    return NULL;
  if (value > whole - overhead)
    return bins->rest ? KYMO_NAME_REST : KYMO_NAME_OVERHEAD;
  *of_bin = bins->stack->cut[bin];
  if (value < bins->stack->tops[bin] + bins->stack->cut[bin])
    return hidden_words (bins);
  *of_bin = kymo_time_bins_part (bins, bins->idle_ns, bin);
  return KYMO_NAME_IDLE;
}

static gboolean
time_profile_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoTimeBins *bins = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  KymoRect area = kymo_plot_frame_area (&kymo_plot_time_profile, frame);
  double value, share = 0;
  const char *name;
  guint bin;

  if (kymo_marks_hit (frame, picture->answer, area, x, y, hit))
    return TRUE;
  if (!kymo_rect_contains (area, x, y) || !bins->known)
    return FALSE;
  bin = kymo_stack_bin_at (bins->xs, bins->n, x);
  value = 1 - (y - area.y) / area.height;
  name = name_at (bins, bin, value, &share);
  hit->time_ns = kymo_plot_x_to_time (frame, x);
  hit->span = (KymoSpan) { bins->edges_ns[bin], bins->edges_ns[bin + 1] };
  hit->rect = (KymoRect) { bins->xs[bin], area.y,
                           bins->xs[bin + 1] - bins->xs[bin], area.height };
  if (name != NULL)
    {
      g_autofree char *percent = kymo_format_percent (share);
      g_autofree char *span = kymo_frame_span_words (frame, hit->span);
      g_autofree char *time = kymo_format_duration (
        share * kymo_time_bins_length (bins, bin) * bins->capacity);

      hit->name = g_strdup (name);
      hit->text = g_strdup_printf (_("%s\n%s of all time here (%s)\n%s"),
                                   kymo_shown_name (name), percent, time, span);
    }
  return TRUE;
}

/* Of what lies above the stack. */
static void
add_states (const KymoTimeBins *bins, const KymoStackBoxes *at, guint bin, GArray *boxes)
{
  guint part = bins->stack->series->len;
  double from = bins->stack->tops[bin] + bins->stack->cut[bin];
  double top = kymo_time_bins_traced (bins, bin), ink = kymo_time_bins_part (bins,
                                                                             bins->overhead_ns,
                                                                             bin);

  if (bins->stack->cut[bin] > 0)
    kymo_stack_add_box (at, bin, part, hidden_words (bins), bins->stack->tops[bin], from, boxes);
  kymo_stack_add_box (at, bin, part + 1, KYMO_NAME_IDLE, from, top - ink, boxes);
  kymo_stack_add_box (at, bin, part + 2, bins->rest ? KYMO_NAME_REST : KYMO_NAME_OVERHEAD,
                      top - ink, top, boxes);
}

static GArray *
time_profile_boxes (const KymoPicture *picture)
{
  const KymoTimeBins *bins = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));
  KymoRect area = kymo_plot_frame_area (&kymo_plot_time_profile, frame);

  if (!bins->known)
    return boxes;
  for (guint bin = 0; bin < bins->n; bin++)
    {
      KymoStackBoxes at = { bins->xs, area, area.height, bins->edges_ns };

      kymo_stack_add_boxes (bins->stack, &at, bin, boxes);
      add_states (bins, &at, bin, boxes);
    }
  return boxes;
}

static KymoQuestion *
time_profile_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "time-profile");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_time_profile, frame);
  guint bins = CLAMP (area.width / 2, 10, 2000);

  kymo_question_set_resolution (question, bins, 0);
  /* Where the view asks for bars: none is narrower than a pixel. */
  kymo_question_set_int (question, "most-bars",
                         CLAMP (ceil (area.width * 1.001), 10, 100000));
  /* Of communication threads only the polling would be seen. */
  kymo_question_set_int (question, "workers-only", 1);
  return question;
}

KYMO_DEFINE_LAYOUT (time_profile, KymoTimeBins, kymo_time_bins_init, kymo_time_bins_clear)

const KymoPlotClass kymo_plot_time_profile = {
  .id = "time-profile",
  .title = N_("Time profile"),
  .time_axis = TRUE,
  .needs = KYMO_CAN_BINNED_TIME,
  .question = time_profile_question,
  .lay_out = time_profile_lay_out,
  .layout_free = time_profile_layout_free,
  .paint = time_profile_paint,
  .hit = time_profile_hit,
  .boxes = time_profile_boxes,
  .inset = { 0, 10, 0, 8 },
  .has_legend = TRUE,
  .wide = TRUE,
};
