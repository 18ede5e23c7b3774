/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters over time: a lane a counter (or, of one counter, a lane a location), with its
 * mean as a line and the band between smallest and largest behind it. Of memory the line is
 * the largest of each column: what a peak took is what one looks for. Where a name tells
 * that its values are bytes they are told as KiB, MiB and the like. The line goes on
 * from sample to sample; a single one is a dot. Where not all fit they are scrolled in the
 * window; in a file those with most samples are shown.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-legend.h"
#include "kymo-measure.h"
#include "kymo-stack.h"
#include "kymo-text.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_counters;

/* More curves cannot be told apart: locations are put together. */
#define MOST_LANES 1024
#define MOST_LANE_PX 168.0
#define LEAST_LANE_PX 52.0
#define SCROLLED_LANE_PX 72.0
#define HEAD_PX 18.0
#define DOT_PX 1.8

/**
 * Lanes:
 * @rows: (owned): row of the answer by lane
 * @group: locations to a lane, at most
 * @top: of the first lane, wherever it is scrolled to
 *
 * An answer as the picture needs it; all else is the answer's.
 */
typedef struct
{
  KymoRect         area;
  const KymoTable *list;
  gboolean         by_location;
  gint64           group;
  guint            n;
  guint            n_hidden;
  guint           *rows;
  guint            n_columns;
  const gint64    *edges_ns;
  double           lane_px, top;
  gboolean         known;            /* FALSE: nothing can be painted */
} Lanes;

static int
compare_samples (gconstpointer a, gconstpointer b, gpointer list)
{
  guint i = *(const guint *) a, j = *(const guint *) b;
  gint64 x = kymo_table_get_int (list, "samples", i), y = kymo_table_get_int (list, "samples", j);

  return x != y ? (x > y ? -1 : 1) : (int) i - (int) j;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  return (int) *(const guint *) a - (int) *(const guint *) b;
}

/* Those with most samples, in the order of the answer; all, where they are scrolled. */
static void
choose_rows (Lanes *lanes, gboolean scrolled)
{
  guint n = lanes->n, room = MAX (lanes->area.height / LEAST_LANE_PX, 1);

  lanes->rows = g_new (guint, n);
  for (guint i = 0; i < n; i++)
    lanes->rows[i] = i;
  if (n <= room || scrolled)
    return;
  room = MAX ((lanes->area.height - HEAD_PX) / LEAST_LANE_PX, 1);
  g_qsort_with_data (lanes->rows, n, sizeof (guint), compare_samples, (gpointer) lanes->list);
  qsort (lanes->rows, room, sizeof (guint), compare_rows);
  lanes->n_hidden = n - room;
  lanes->n = room;
}

static void
lanes_clear (Lanes *lanes)
{
  g_free (lanes->rows);
}

static gboolean
lanes_init (Lanes *lanes, const KymoTable *answer, const KymoPlotFrame *frame)
{
  guint n_edges = 0;

  *lanes = (Lanes) { kymo_plot_frame_area (&kymo_plot_counters, frame) };
  lanes->list = kymo_table_peek_nested (answer, "series", NULL);
  lanes->by_location = lanes->list != NULL;
  lanes->group = kymo_table_get_int (answer, "group", 0);
  if (lanes->list == NULL)
    lanes->list = kymo_table_peek_nested (answer, "names", NULL);
  lanes->edges_ns = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  lanes->n = lanes->list != NULL ? kymo_table_get_n_rows (lanes->list) : 0;
  lanes->n_columns = n_edges > 0 ? n_edges - 1 : 0;
  if (lanes->n == 0 || lanes->n_columns == 0)
    return FALSE;
  choose_rows (lanes, frame->row_px > 0);
  lanes->lane_px = (lanes->area.height - (lanes->n_hidden > 0 ? HEAD_PX : 0)) / lanes->n;
  lanes->lane_px = frame->row_px > 0 ? SCROLLED_LANE_PX : MIN (lanes->lane_px, MOST_LANE_PX);
  lanes->top = lanes->area.y - (frame->row_px > 0 ? frame->scroll_px : 0);
  return TRUE;
}

static const double *
values_of (const Lanes *lanes, const char *key, guint lane)
{
  guint width = 0;
  const double *values = kymo_table_peek_doubles (lanes->list, key, &width);

  return width == lanes->n_columns ? values + (gsize) lanes->rows[lane] * width : NULL;
}

/* "rank 3 · power (W)"; a lane of several locations bears the name of the first. */
static char *
dup_name (const Lanes *lanes, guint lane)
{
  guint row = lanes->rows[lane];
  g_autofree char *name = kymo_counter_dup_name (
    kymo_table_get_string (lanes->list, "name", row),
    kymo_table_get_string (lanes->list, "unit", row));
  const char *label = kymo_table_peek_label (lanes->list, "label", row);
  g_autofree char *more = NULL;

  if (!lanes->by_location)
    return g_steal_pointer (&name);
  if (lanes->group <= 1)
    return g_strjoin (" · ", label, name, NULL);
  more = kymo_format_count (lanes->group - 1);
  /* Translators: a location, as “rank 3”, a number of others and the name of a counter. */
  return g_strdup_printf (_("%s and up to %s more · %s"), label, more, name);
}

/* Where the curve of a lane lies, below its name. */
static KymoRect
curve_rect (const Lanes *lanes, guint lane)
{
  return (KymoRect) { lanes->area.x, lanes->top + lane * lanes->lane_px + HEAD_PX,
                      lanes->area.width, lanes->lane_px - HEAD_PX - 6 };
}

/* The range of its axis: from 0, unless all values lie far from it. Of one counter all
   locations have the same. */
static void
find_range (const Lanes *lanes, guint lane, double *min, double *max)
{
  *min = kymo_table_get_double (lanes->list, "min", lanes->rows[lane]);
  *max = kymo_table_get_double (lanes->list, "max", lanes->rows[lane]);
  for (guint i = 0; lanes->by_location && i < lanes->n; i++)
    {
      *min = MIN (*min, kymo_table_get_double (lanes->list, "min", lanes->rows[i]));
      *max = MAX (*max, kymo_table_get_double (lanes->list, "max", lanes->rows[i]));
    }
  if (*min >= 0 && *min <= *max * 0.5)
    *min = 0;
  if (*max <= 0 && *max >= *min * 0.5)
    *max = 0;
  if (*max == 0 && *min == 0)
    *max = 1;
  else if (!(*max > *min))
    {
      double room = fabs (*max) * 0.5;

      *min -= room;
      *max += room;
    }
}

typedef struct
{
  KymoRect rect;
  double   min, max;
} Scale;

static double
y_of (const Scale *scale, double value)
{
  return scale->rect.y + scale->rect.height
    * (1 - (value - scale->min) / (scale->max - scale->min));
}

static const char *
counter_of (const Lanes *lanes, guint lane)
{
  return kymo_table_get_string (lanes->list, "name", lanes->rows[lane]);
}

static double
middle_of (const Lanes *lanes, const KymoPlotFrame *frame, guint i)
{
  return (kymo_plot_time_to_x (frame, lanes->edges_ns[i])
          + kymo_plot_time_to_x (frame, lanes->edges_ns[i + 1])) / 2;
}

static void
paint_band (cairo_t *cr, const Lanes *lanes, const KymoPlotFrame *frame, const Scale *scale,
            const double *min, const double *max)
{
  for (guint i = 0; i < lanes->n_columns; i++)
    {
      double x0, x1;

      if (isnan (min[i]) || !(max[i] > min[i]))
        continue;
      x0 = kymo_plot_time_to_x (frame, lanes->edges_ns[i]);
      x1 = kymo_plot_time_to_x (frame, lanes->edges_ns[i + 1]);
      cairo_rectangle (cr, x0, y_of (scale, max[i]), x1 - x0,
                       y_of (scale, min[i]) - y_of (scale, max[i]));
    }
  cairo_fill (cr);
}

static void
paint_mean (cairo_t *cr, const Lanes *lanes, const KymoPlotFrame *frame, const Scale *scale,
            const double *mean)
{
  guint n = 0;
  double x = 0, y = 0;

  cairo_set_line_width (cr, 1.5);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = 0; i < lanes->n_columns; i++)
    {
      if (isnan (mean[i]))
        continue;
      x = middle_of (lanes, frame, i);
      y = y_of (scale, mean[i]);
      if (n++ == 0)
        cairo_move_to (cr, x, y);
      else
        cairo_line_to (cr, x, y);
    }
  cairo_stroke (cr);
  if (n == 1)
    {
      cairo_arc (cr, x, y, DOT_PX, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

/* The two ends of the range with a light line each: lanes are too low for ticks. */
static void
paint_axis (cairo_t *cr, const Lanes *lanes, const KymoPlotFrame *frame, guint lane,
            const Scale *scale)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, scale->rect.x - 8 };
  double ends[] = { scale->min, scale->max };
  double step = pow (10, floor (log10 (MAX ((scale->max - scale->min) / 5, 1e-300))));

  /* Whole numbers need no decimals. */
  if (floor (scale->min) == scale->min && floor (scale->max) == scale->max)
    step = MAX (step, 1);
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      double y = round (y_of (scale, ends[i])) + 0.5;
      g_autofree char *label = kymo_counter_bytes (counter_of (lanes, lane)) > 0
                               ? kymo_counter_format (counter_of (lanes, lane), ends[i])
                               : kymo_axis_number (ends[i], step);

      kymo_set_source (cr, theme->grid);
      cairo_move_to (cr, scale->rect.x, y);
      cairo_line_to (cr, scale->rect.x + scale->rect.width, y);
      cairo_stroke (cr);
      kymo_text_draw (cr, label, scale->rect.x - 6, y, style, theme->secondary);
    }
}

static void
paint_name (cairo_t *cr, const Lanes *lanes, const KymoPlotFrame *frame, guint lane,
            KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  gint64 samples = kymo_table_get_int (lanes->list, "samples", lanes->rows[lane]);
  g_autofree char *count = kymo_format_count (samples);
  g_autofree char *words = g_strdup_printf (ngettext ("%s sample", "%s samples", samples), count);
  g_autofree char *name = dup_name (lanes, lane);
  KymoTextStyle left = { KYMO_TEXT_SMALL, TRUE, 0, rect.width * 0.75 };
  KymoTextStyle right = { KYMO_TEXT_SMALL, FALSE, 1, rect.width * 0.25 };

  kymo_text_draw (cr, name, rect.x, rect.y - 8, left, theme->foreground);
  kymo_text_draw (cr, words, rect.x + rect.width - 4, rect.y - 8, right, theme->secondary);
}

static void
paint_lane (cairo_t *cr, const Lanes *lanes, const KymoPlotFrame *frame, guint lane)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const char *name = kymo_table_get_string (lanes->list, "name", lanes->rows[lane]);
  KymoRgba color = kymo_theme_activity (frame, name, KYMO_KIND_EVENT);
  Scale scale = { .rect = curve_rect (lanes, lane) };
  const double *min = values_of (lanes, "column_min", lane);
  const double *max = values_of (lanes, "column_max", lane);
  const double *mean = values_of (lanes, "column_mean", lane);

  if (min == NULL || max == NULL || mean == NULL)
    return;
  find_range (lanes, lane, &scale.min, &scale.max);
  paint_axis (cr, lanes, frame, lane, &scale);
  paint_name (cr, lanes, frame, lane, scale.rect);
  cairo_save (cr);
  cairo_rectangle (cr, scale.rect.x, scale.rect.y - 2, scale.rect.width, scale.rect.height + 4);
  cairo_clip (cr);
  kymo_set_source (cr, kymo_rgba_mix (color, theme->canvas, 0.6));
  paint_band (cr, lanes, frame, &scale, min, max);
  kymo_set_source (cr, color);
  paint_mean (cr, lanes, frame, &scale, kymo_counter_is_memory (name) ? max : mean);
  cairo_restore (cr);
}

static void
paint_hidden (cairo_t *cr, const Lanes *lanes, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, lanes->area.width };
  g_autofree char *words = g_strdup_printf (
    ngettext ("%u more with fewer samples finds no room",
              "%u more with fewer samples find no room", lanes->n_hidden), lanes->n_hidden);

  kymo_text_draw (cr, words, lanes->area.x, lanes->area.y + lanes->area.height - HEAD_PX / 2,
                  style, theme->secondary);
}

static guint
first_visible (const Lanes *lanes)
{
  return CLAMP (floor ((lanes->area.y - lanes->top) / lanes->lane_px), 0, lanes->n);
}

static guint
end_visible (const Lanes *lanes)
{
  double end = (lanes->area.y + lanes->area.height - lanes->top) / lanes->lane_px;

  return CLAMP (ceil (end), 0, lanes->n);
}

static void
counters_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Lanes *lanes = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_counters, frame, NULL);
  if (!lanes->known)
    {
      kymo_paint_empty (cr, frame, lanes->area, _("Nothing was sampled in this range"));
      return;
    }
  cairo_save (cr);
  cairo_rectangle (cr, 0, lanes->area.y, frame->width_px, lanes->area.height);
  cairo_clip (cr);
  for (guint i = first_visible (lanes); i < end_visible (lanes); i++)
    paint_lane (cr, lanes, frame, i);
  cairo_restore (cr);
  if (lanes->n_hidden > 0)
    paint_hidden (cr, lanes, frame);
  if (frame->decorate)
    kymo_axis_time (cr, frame, lanes->area.y + lanes->area.height + 18,
                    lanes->area.y + lanes->area.height);
}

static char *
describe_counters (const Lanes *lanes, guint lane, guint column)
{
  guint width = 0;
  const gint64 *samples = kymo_table_peek_ints (lanes->list, "column_samples", &width);
  gint64 n = samples != NULL ? samples[(gsize) lanes->rows[lane] * width + column] : 0;
  g_autofree char *count = kymo_format_count (n);
  g_autofree char *span = kymo_span_words ((KymoSpan) { lanes->edges_ns[column],
                                                        lanes->edges_ns[column + 1] });
  g_autofree char *name = dup_name (lanes, lane);
  const char *counter = counter_of (lanes, lane);
  GString *text = g_string_new (name);

  if (n > 0)
    {
      g_autofree char *mean = kymo_counter_format (counter,
                                                   values_of (lanes, "column_mean", lane)[column]);
      g_autofree char *min = kymo_counter_format (counter,
                                                   values_of (lanes, "column_min", lane)[column]);
      g_autofree char *max = kymo_counter_format (counter,
                                                   values_of (lanes, "column_max", lane)[column]);

      g_string_append_printf (text, _("\nmean %s, from %s to %s"), mean, min, max);
    }
  g_string_append_c (text, '\n');
  g_string_append_printf (text, ngettext ("%s sample", "%s samples", n), count);
  g_string_append_printf (text, "\n%s", span);
  return g_string_free (text, FALSE);
}

static gboolean
counters_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Lanes *lanes = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  gint64 time_ns = kymo_plot_x_to_time (frame, x);
  double lane;
  guint i;

  kymo_hit_init (hit);
  if (!lanes->known || !kymo_rect_contains (lanes->area, x, y)
      || time_ns < lanes->edges_ns[0] || time_ns >= lanes->edges_ns[lanes->n_columns])
    return FALSE;
  lane = floor ((y - lanes->top) / lanes->lane_px);
  if (lane < 0 || lane >= lanes->n)
    return FALSE;
  i = kymo_stack_time_at (lanes->edges_ns, lanes->n_columns, time_ns);
  hit->time_ns = time_ns;
  hit->span = (KymoSpan) { lanes->edges_ns[i], lanes->edges_ns[i + 1] };
  hit->rect = curve_rect (lanes, lane);
  hit->name = g_strdup (kymo_table_get_string (lanes->list, "name", lanes->rows[(guint) lane]));
  if (lanes->by_location)
    hit->location = kymo_table_get_int (lanes->list, "location", lanes->rows[(guint) lane]);
  hit->text = describe_counters (lanes, lane, i);
  return TRUE;
}

/* A lane of several locations, where they ascend, has those up to the first one of the next; in
   another order the first is all that is known. */
static gboolean
lane_has (const Lanes *lanes, guint lane, const KymoIdSet *locations)
{
  guint row = lanes->rows[lane];
  gint64 first = kymo_table_get_int (lanes->list, "location", row);
  gint64 end = first + MAX (lanes->group, 1);

  if (lanes->group > 1 && row + 1 < kymo_table_get_n_rows (lanes->list))
    end = kymo_table_get_int (lanes->list, "location", row + 1);
  return kymo_id_set_meets (locations, first, MAX (end, first + 1));
}

static GArray *
counters_marks (const KymoPicture *picture, const KymoIdSet *locations)
{
  const Lanes *lanes = picture->layout;
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (KymoRect));

  if (!lanes->known || !lanes->by_location)
    return marks;
  for (guint lane = 0; lane < lanes->n; lane++)
    {
      KymoRect rect = { lanes->area.x, lanes->top + lane * lanes->lane_px, lanes->area.width,
                        lanes->lane_px };

      if (lane_has (lanes, lane, locations))
        g_array_append_val (marks, rect);
    }
  return marks;
}

/* Of each column of a lane in which anything was sampled. */
static void
add_columns (const Lanes *lanes, const KymoPlotFrame *frame, guint lane, GArray *boxes)
{
  guint width = 0, row = lanes->rows[lane];
  const gint64 *samples = kymo_table_peek_ints (lanes->list, "column_samples", &width);
  KymoRect area = lanes->area;

  for (guint i = 0; samples != NULL && width == lanes->n_columns && i < width; i++)
    {
      double x0 = kymo_plot_time_to_x (frame, lanes->edges_ns[i]);
      double x1 = kymo_plot_time_to_x (frame, lanes->edges_ns[i + 1]);
      KymoPlotBox box = { .row = i, .part = lane, .rect = curve_rect (lanes, lane),
                          .location = -1, .told = TRUE, .name = counter_of (lanes, lane),
                          .span = { lanes->edges_ns[i], lanes->edges_ns[i + 1] } };

      box.rect.x = x0;
      box.rect.width = x1 - x0;
      box.of_location = lanes->by_location;
      if (lanes->by_location)
        box.location = kymo_table_get_int (lanes->list, "location", row);
      if (samples[(gsize) row * width + i] > 0 && (x0 + x1) / 2 >= area.x
          && (x0 + x1) / 2 < area.x + area.width)
        g_array_append_val (boxes, box);
    }
}

static GArray *
counters_boxes (const KymoPicture *picture)
{
  const Lanes *lanes = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (lanes->known)
    for (guint lane = 0; lane < lanes->n; lane++)
      add_columns (lanes, frame, lane, boxes);
  return boxes;
}

/* What fits is not scrolled. */
static double
counters_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  double room = kymo_plot_frame_area (&kymo_plot_counters, frame).height;
  double height = 0;
  Lanes lanes;

  if (lanes_init (&lanes, answer, frame) && lanes.n * LEAST_LANE_PX > room)
    height = frame->height_px - room + lanes.n * SCROLLED_LANE_PX;
  lanes_clear (&lanes);
  return height;
}

static KymoQuestion *
counters_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "counters");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_counters, frame);

  kymo_question_set_resolution (question, CLAMP (area.width / 3, 10, 4000), MOST_LANES);
  return question;
}

KYMO_DEFINE_LAYOUT (counters, Lanes, lanes_init, lanes_clear)

const KymoPlotClass kymo_plot_counters = {
  .id = "counters",
  .title = N_("Counters"),
  .time_axis = TRUE,
  .needs = KYMO_CAN_COUNTERS,
  .question = counters_question,
  .lay_out = counters_lay_out,
  .layout_free = counters_layout_free,
  .paint = counters_paint,
  .hit = counters_hit,
  .marks = counters_marks,
  .boxes = counters_boxes,
  .natural_height = counters_natural_height,
  .inset = { 0, 8, 0, 8 },
};
