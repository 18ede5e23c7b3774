/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * User events over time: how many begin a second, or how many brackets are open in the mean,
 * stacked by event, those with most in the whole run at the bottom. As events are outlined
 * wherever they are shown, the stack is a light wash with the lines of its series over it. In
 * the window, which has no legend of events, a key stands above: what is shown, largest first.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-legend.h"
#include "kymo-stack.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_user_events_time;

#define HEAD_PX 20.0
#define KEY_PX 18.0
#define KEY_LINES 2
#define SWATCH_PX 10.0
#define KEY_GAP_PX 14.0
#define KEY_NAME_PX 200.0
/* A column is so wide that its outline is seen as one. */
#define COLUMN_PX 5.0
#define WASH 0.62

/**
 * Chart:
 * @area: of the stack alone
 * @head: of what stands above it
 */
typedef struct
{
  KymoRect      area, head;
  gboolean      by_time;
  guint         n;
  const gint64 *edges_ns;
  double       *xs;
  KymoStack    *stack;
  double        max;
  gboolean      empty;               /* no user event in any bin */
  gboolean      known;               /* FALSE: nothing can be painted */
} Chart;

static void
chart_clear (Chart *chart)
{
  g_clear_pointer (&chart->xs, g_free);
  g_clear_pointer (&chart->stack, kymo_stack_free);
}

/* A number of a column becomes a rate, time in brackets a mean. */
static double
unit_of (const Chart *chart, guint bin)
{
  double ns = MAX (chart->edges_ns[bin + 1] - chart->edges_ns[bin], 1);

  return chart->by_time ? 1 / ns : 1e9 / ns;
}

static void
scale_user_events_time (Chart *chart)
{
  for (guint bin = 0; bin < chart->n; bin++)
    {
      kymo_stack_scale (chart->stack, bin, unit_of (chart, bin));
      chart->max = MAX (chart->max, chart->stack->tops[bin]);
    }
}

static gboolean
chart_init (Chart *chart, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *series = kymo_table_peek_nested (answer, "series", NULL);
  double head = HEAD_PX + (frame->decorate ? 0 : KEY_LINES * KEY_PX);
  guint n_edges = 0;

  *chart = (Chart) { kymo_plot_frame_area (&kymo_plot_user_events_time, frame) };
  chart->head = chart->area;
  head = MIN (head, chart->area.height / 2);
  chart->head.height = head;
  chart->area.y += head;
  chart->area.height -= head;
  chart->by_time = g_strcmp0 (kymo_table_get_string (answer, "of", 0), "time") == 0;
  chart->edges_ns = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  if (chart->edges_ns == NULL || n_edges < 2 || series == NULL
      || kymo_table_get_n_rows (series) == 0)
    return FALSE;
  chart->n = n_edges - 1;
  chart->xs = g_new (double, n_edges);
  for (guint i = 0; i < n_edges; i++)
    chart->xs[i] = kymo_plot_time_to_x (frame, chart->edges_ns[i]);
  chart->stack = kymo_stack_new (series, chart->by_time ? "column_ns" : "column_events",
                                 chart->n, frame);
  scale_user_events_time (chart);
  chart->empty = !(chart->max > 0);
  if (chart->empty)
    chart->max = 1;
  return TRUE;
}

/* (transfer full): what the axis counts, with the sum of the range */
static char *
dup_head (const Chart *chart, const KymoTable *answer)
{
  gint64 events = kymo_table_get_int (answer, "events", 0);
  g_autofree char *sum = chart->by_time
    ? kymo_format_duration (kymo_table_get_int (answer, "time_ns", 0)) : kymo_format_count (events);

  return g_strdup_printf (chart->by_time ? _("Brackets that are open at a time, in the mean: "
                                             "%s in all")
                          : _("User events a second: %s in all"), sum);
}

static void
paint_stack (cairo_t *cr, const Chart *chart, const KymoPlotFrame *frame)
{
  KymoRect area = chart->area;

  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y - 1, area.width, area.height + 1);
  cairo_clip (cr);
  kymo_stack_paint_outlined (cr, chart->stack, chart->xs, area.y + area.height,
                             area.height / chart->max, kymo_theme_get (frame->look)->canvas,
                             WASH);
  cairo_restore (cr);
}

/* One name of the key; FALSE where it finds no room any more. */
static gboolean
paint_key_item (cairo_t *cr, const Chart *chart, const KymoPlotFrame *frame,
                const KymoSeries *series, double *x, guint *line)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, KEY_NAME_PX };
  double width = SWATCH_PX + 5 + MIN (kymo_text_width (cr, series->name, style), KEY_NAME_PX);
  double y;

  if (*x + width > chart->head.x + chart->head.width && *x > chart->head.x)
    {
      *x = chart->head.x;
      (*line)++;
    }
  y = chart->head.y + HEAD_PX + (*line + 0.5) * KEY_PX;
  if (*line >= KEY_LINES || y + KEY_PX / 2 > chart->head.y + chart->head.height + 1)
    return FALSE;
  cairo_rectangle (cr, floor (*x) + 0.5, floor (y - SWATCH_PX / 2) + 0.5, SWATCH_PX - 1,
                   SWATCH_PX - 1);
  kymo_set_source (cr, kymo_rgba_mix (series->color, theme->canvas, WASH));
  cairo_fill_preserve (cr);
  kymo_set_source (cr, series->color);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  kymo_text_draw (cr, series->name, *x + SWATCH_PX + 5, y, style, theme->foreground);
  *x += width + KEY_GAP_PX;
  return TRUE;
}

static void
paint_more (cairo_t *cr, const Chart *chart, const KymoPlotFrame *frame, guint n)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree char *words = g_strdup_printf (ngettext ("%u more", "%u more", n), n);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, chart->head.width * 0.3 };

  kymo_text_draw (cr, words, chart->head.x + chart->head.width, chart->head.y + HEAD_PX / 2, style,
                  theme->secondary);
}

static void
paint_key (cairo_t *cr, const Chart *chart, const KymoPlotFrame *frame)
{
  double x = chart->head.x;
  guint line = 0, n = 0, shown = 0;
  gboolean room = TRUE;

  for (guint i = 0; i < chart->stack->series->len; i++)
    {
      const KymoSeries *series = &g_array_index (chart->stack->series, KymoSeries, i);

      if (series->hidden)
        continue;
      n++;
      room = room && paint_key_item (cr, chart, frame, series, &x, &line);
      shown += room;
    }
  if (n > shown)
    paint_more (cr, chart, frame, n - shown);
}

static void
user_events_time_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Chart *chart = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;
  g_autofree char *head = NULL;

  if (!chart->known || chart->stack->series->len == 0)
    {
      kymo_decor_paint (cr, &kymo_plot_user_events_time, frame, NULL);
      kymo_paint_empty (cr, frame, kymo_plot_frame_area (&kymo_plot_user_events_time, frame),
                        chart->by_time && kymo_table_get_int (answer, "events", 0) > 0
                        ? _("No bracket of user events lies in this range; they can be shown by "
                            "number")
                        : _("No user events in this range"));
      return;
    }
  items = kymo_stack_legend (chart->stack, frame, KYMO_KIND_EVENT);
  head = dup_head (chart, answer);
  kymo_decor_paint (cr, &kymo_plot_user_events_time, frame, items);
  kymo_text_draw (cr, head, chart->head.x, chart->head.y + HEAD_PX / 2,
                  (KymoTextStyle) { KYMO_TEXT_SMALL, TRUE, 0, chart->head.width * 0.7 },
                  kymo_theme_get (frame->look)->foreground);
  if (!frame->decorate)
    paint_key (cr, chart, frame);
  kymo_axis_left (cr, frame, chart->area, chart->max, chart->area.height > 120 ? 5 : 2,
                  kymo_axis_number);
  paint_stack (cr, chart, frame);
  if (frame->decorate)
    kymo_axis_time (cr, frame, chart->area.y + chart->area.height + 18,
                    chart->area.y + chart->area.height);
}

/* "solver step\n12 events (3,400 a second)\n1.20 – 1.21 s" */
static char *
describe_user_events_time (const Chart *chart, guint bin, const char *name, double value)
{
  KymoSpan span = { chart->edges_ns[bin], chart->edges_ns[bin + 1] };
  g_autofree char *when = kymo_span_words (span);
  gint64 amount = llround (value / unit_of (chart, bin));
  g_autofree char *sum = chart->by_time ? kymo_format_duration (amount)
                         : kymo_format_count (amount);
  g_autofree char *rate = kymo_axis_number (value, value / 100);
  g_autofree char *what = g_strdup_printf (
    chart->by_time ? _("%s in brackets; %s open at a time, in the mean")
    : ngettext ("%s event (%s a second)", "%s events (%s a second)", amount), sum, rate);

  return g_strdup_printf ("%s\n%s\n%s", name, what, when);
}

static gboolean
user_events_time_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Chart *chart = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  const KymoSeries *series;
  double value, own;
  guint bin;

  kymo_hit_init (hit);
  if (!chart->known || !kymo_rect_contains (chart->area, x, y)
      || chart->empty)
    return FALSE;
  bin = kymo_stack_bin_at (chart->xs, chart->n, x);
  value = (chart->area.y + chart->area.height - y) / chart->area.height * chart->max;
  own = chart->stack->tops[bin];
  series = kymo_stack_at (chart->stack, bin, value, &own);
  hit->time_ns = kymo_plot_x_to_time (frame, x);
  hit->span = (KymoSpan) { chart->edges_ns[bin], chart->edges_ns[bin + 1] };
  hit->rect = (KymoRect) { chart->xs[bin], chart->area.y, chart->xs[bin + 1] - chart->xs[bin],
                           chart->area.height };
  hit->name = series != NULL ? g_strdup (series->name) : NULL;
  hit->text = describe_user_events_time (chart, bin, series != NULL ? series->name
                                         : _("All together"), own);
  return TRUE;
}

static GArray *
user_events_time_boxes (const KymoPicture *picture)
{
  const Chart *chart = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (!chart->known)
    return boxes;
  for (guint bin = 0; bin < chart->n && !chart->empty; bin++)
    {
      KymoStackBoxes at = { chart->xs, chart->area, chart->area.height / chart->max,
                            chart->edges_ns };

      kymo_stack_add_bin (chart->stack, &at, bin, boxes);
    }
  return boxes;
}

static KymoQuestion *
user_events_time_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "user-events-time");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_user_events_time, frame);

  kymo_question_set_resolution (question, CLAMP (area.width / COLUMN_PX, 10, 4000), 0);
  return question;
}

KYMO_DEFINE_LAYOUT (user_events_time, Chart, chart_init, chart_clear)

const KymoPlotClass kymo_plot_user_events_time = {
  .id = "user-events-time",
  .title = N_("User events over time"),
  .time_axis = TRUE,
  .needs = KYMO_CAN_EVENT_TIMES,
  .question = user_events_time_question,
  .lay_out = user_events_time_lay_out,
  .layout_free = user_events_time_layout_free,
  .paint = user_events_time_paint,
  .hit = user_events_time_hit,
  .boxes = user_events_time_boxes,
  .inset = { 0, 8, 0, 8 },
  .has_legend = TRUE,
};
