/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communication over time: three lanes above each other, sent, received and in flight, each
 * stacked by what the messages are for. Sent and received are rates a second, so that a
 * height means the same however far one zooms; in flight is the mean of each column.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-legend.h"
#include "kymo-stack.h"
#include "kymo-traffic-words.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_communication_time;

#define N_LANES 3
#define HEAD_PX 20.0
#define GAP_PX 6.0

enum { SENT, RECEIVED, IN_FLIGHT };

static const char *const keys[2][N_LANES] = {
  { "sent_bytes", "received_bytes", "in_flight_bytes" },
  { "sent_messages", "received_messages", "in_flight_ns" },
};

typedef struct
{
  KymoRect      area;
  gboolean      by_messages;
  guint         n;
  const gint64 *edges_ns;
  double       *xs;
  KymoStack    *stacks[N_LANES];
  double        max[N_LANES];
  gboolean      known;               /* FALSE: nothing can be painted */
} Traffic;

static void
traffic_clear (Traffic *traffic)
{
  g_clear_pointer (&traffic->xs, g_free);
  for (guint i = 0; i < N_LANES; i++)
    g_clear_pointer (&traffic->stacks[i], kymo_stack_free);
}

/* A count of a column becomes a rate, time in flight a mean; bytes in flight are one. */
static double
unit_of (const Traffic *traffic, guint lane, guint bin)
{
  double ns = MAX (traffic->edges_ns[bin + 1] - traffic->edges_ns[bin], 1);

  if (lane != IN_FLIGHT)
    return 1e9 / ns;
  return traffic->by_messages ? 1 / ns : 1;
}

static void
scale_communication_time (Traffic *traffic, guint lane)
{
  KymoStack *stack = traffic->stacks[lane];

  for (guint bin = 0; bin < traffic->n; bin++)
    {
      kymo_stack_scale (stack, bin, unit_of (traffic, lane, bin));
      traffic->max[lane] = MAX (traffic->max[lane], stack->tops[bin]);
    }
}

static gboolean
traffic_init (Traffic *traffic, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *series = kymo_table_peek_nested (answer, "series", NULL);
  guint n_edges = 0;

  *traffic = (Traffic) { kymo_plot_frame_area (&kymo_plot_communication_time, frame) };
  traffic->by_messages = kymo_traffic_by_messages (answer);
  traffic->edges_ns = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  if (traffic->edges_ns == NULL || n_edges < 2 || series == NULL
      || kymo_table_get_n_rows (series) == 0)
    return FALSE;
  traffic->n = n_edges - 1;
  traffic->xs = g_new (double, n_edges);
  for (guint i = 0; i < n_edges; i++)
    traffic->xs[i] = kymo_plot_time_to_x (frame, traffic->edges_ns[i]);
  for (guint lane = 0; lane < N_LANES; lane++)
    {
      traffic->stacks[lane] = kymo_stack_new (series, keys[traffic->by_messages][lane],
                                              traffic->n, frame);
      scale_communication_time (traffic, lane);
    }
  return TRUE;
}

static KymoRect
lane_rect (const Traffic *traffic, guint lane)
{
  double height = traffic->area.height / N_LANES;

  return (KymoRect) { traffic->area.x, traffic->area.y + lane * height + HEAD_PX,
                      traffic->area.width, MAX (height - HEAD_PX - GAP_PX, 1) };
}

static char *
axis_bytes (double value, double step)
{
  return kymo_traffic_amount (FALSE, value);
}

/* (transfer full): the heading of a lane, with its totals */
static char *
dup_head (const Traffic *traffic, const KymoTable *answer, guint lane)
{
  g_autofree char *sums = kymo_traffic_dup_sums (answer, lane == SENT);
  g_autofree char *unmatched = kymo_traffic_dup_unmatched (answer);

  if (lane == SENT)
    return g_strdup_printf (traffic->by_messages ? _("Sent, messages a second: %s")
                            : _("Sent, bytes a second: %s"), sums);
  if (lane == RECEIVED)
    return g_strdup_printf (traffic->by_messages ? _("Received, messages a second: %s")
                            : _("Received, bytes a second: %s"), sums);
  if (unmatched == NULL)
    return g_strdup (traffic->by_messages ? _("Messages in flight") : _("Bytes in flight"));
  /* Translators: the last one is "415 without a record of their creation". */
  return g_strdup_printf (traffic->by_messages ? _("Messages in flight; %s are not among them")
                          : _("Bytes in flight; %s are not among them"), unmatched);
}

static void
paint_lane (cairo_t *cr, const Traffic *traffic, const KymoTable *answer,
            const KymoPlotFrame *frame, guint lane)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect rect = lane_rect (traffic, lane);
  KymoTextStyle style = { KYMO_TEXT_SMALL, TRUE, 0, rect.width - 8 };
  g_autofree char *head = dup_head (traffic, answer, lane);
  double max = traffic->max[lane] > 0 ? traffic->max[lane] : 1;

  kymo_text_draw (cr, head, rect.x, rect.y - HEAD_PX / 2, style, theme->foreground);
  kymo_axis_left (cr, frame, rect, max, rect.height > 120 ? 4 : 2,
                  traffic->by_messages ? kymo_axis_number : axis_bytes);
  cairo_save (cr);
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_clip (cr);
  kymo_stack_paint (cr, traffic->stacks[lane], traffic->xs, 0, rect.y + rect.height,
                    rect.height / max);
  cairo_restore (cr);
}

static void
communication_time_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Traffic *traffic = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;

  if (!traffic->known)
    {
      kymo_decor_paint (cr, &kymo_plot_communication_time, frame, NULL);
      kymo_traffic_paint_empty (cr, answer, frame, traffic->area);
      return;
    }
  items = kymo_stack_legend (traffic->stacks[RECEIVED], frame, KYMO_KIND_ENTRY);
  kymo_decor_paint (cr, &kymo_plot_communication_time, frame, items);
  for (guint lane = 0; lane < N_LANES; lane++)
    paint_lane (cr, traffic, answer, frame, lane);
  if (frame->decorate)
    kymo_axis_time (cr, frame, traffic->area.y + traffic->area.height + 18,
                    traffic->area.y + traffic->area.height);
}

/* "computeForces\n123 kB sent, 4.5 MB/s\n1.20 – 1.21 s" */
static char *
describe_communication_time (const Traffic *traffic, guint lane, guint bin, const char *name,
                             double value)
{
  static const char *const words[] = { N_("%s sent (%s a second)"),
                                       N_("%s received (%s a second)") };
  KymoSpan span = { traffic->edges_ns[bin], traffic->edges_ns[bin + 1] };
  g_autofree char *when = kymo_span_words (span);
  g_autofree char *rate = kymo_traffic_amount (traffic->by_messages, value);
  g_autofree char *amount = kymo_traffic_amount (traffic->by_messages,
                                                 value / unit_of (traffic, lane, bin));
  g_autofree char *what = lane == IN_FLIGHT ? g_strdup_printf (_("%s in flight, in the mean"), rate)
                          : g_strdup_printf (_(words[lane]), amount, rate);

  return g_strdup_printf ("%s\n%s\n%s", name, what, when);
}

static gboolean
communication_time_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Traffic *traffic = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_hit_init (hit);
  if (!traffic->known || !kymo_rect_contains (traffic->area, x, y))
    return FALSE;
  for (guint lane = 0; lane < N_LANES; lane++)
    {
      KymoRect rect = lane_rect (traffic, lane);
      guint bin = kymo_stack_bin_at (traffic->xs, traffic->n, x);
      double value = (rect.y + rect.height - y) / rect.height * MAX (traffic->max[lane], 1e-300);
      double own = traffic->stacks[lane]->tops[bin];
      const KymoSeries *series;

      if (!kymo_rect_contains (rect, x, y))
        continue;
      series = kymo_stack_at (traffic->stacks[lane], bin, value, &own);
      hit->time_ns = kymo_plot_x_to_time (frame, x);
      hit->span = (KymoSpan) { traffic->edges_ns[bin], traffic->edges_ns[bin + 1] };
      hit->rect = (KymoRect) { traffic->xs[bin], rect.y, traffic->xs[bin + 1] - traffic->xs[bin],
                               rect.height };
      hit->name = series != NULL ? g_strdup (series->name) : NULL;
      hit->text = describe_communication_time (
        traffic, lane, bin, series != NULL ? series->name : _("All together"),
        series != NULL ? own : traffic->stacks[lane]->tops[bin]);
      return TRUE;
    }
  return FALSE;
}

/* Up and down through the parts of a column, from lane to lane; to the side along a part. */
static GArray *
communication_time_boxes (const KymoPicture *picture)
{
  const Traffic *traffic = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (!traffic->known)
    return boxes;
  for (guint bin = 0; bin < traffic->n; bin++)
    for (guint lane = 0; lane < N_LANES; lane++)
      {
        KymoRect rect = lane_rect (traffic, lane);
        KymoStackBoxes at = { traffic->xs, rect, rect.height / MAX (traffic->max[lane], 1e-300),
                              traffic->edges_ns };
        guint before = boxes->len;

        if (traffic->max[lane] > 0)
          kymo_stack_add_bin (traffic->stacks[lane], &at, bin, boxes);
        for (guint i = before; i < boxes->len; i++)
          g_array_index (boxes, KymoPlotBox, i).part
            += lane * (traffic->stacks[lane]->series->len + 1);
      }
  return boxes;
}

static KymoQuestion *
communication_time_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_traffic_question (frame, "communication-time");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_communication_time, frame);

  kymo_question_set_resolution (question, CLAMP (area.width, 10, 4000), 0);
  return question;
}

KYMO_DEFINE_LAYOUT (communication_time, Traffic, traffic_init, traffic_clear)

const KymoPlotClass kymo_plot_communication_time = {
  .id = "communication-time",
  .title = N_("Communication over time"),
  .time_axis = TRUE,
  .needs = KYMO_CAN_MESSAGES,
  .question = communication_time_question,
  .lay_out = communication_time_lay_out,
  .layout_free = communication_time_layout_free,
  .paint = communication_time_paint,
  .hit = communication_time_hit,
  .boxes = communication_time_boxes,
  .inset = { 0, 8, 0, 8 },
  .has_legend = TRUE,
};
