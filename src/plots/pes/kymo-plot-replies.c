/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replies of a utilization stream: a bar a reply over the shared time axis,
 * as high as it was long. Where replies are many a bar is of several: their
 * mean, and lighter above it the largest. A lost block is an empty stretch
 * with a dotted edge. What the stream takes of the network stands above.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-legend.h"
#include "kymo-stack.h"
#include "kymo-text.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_replies;

#define SECOND_NS G_GINT64_CONSTANT (1000000000)
/* Bars of at least this many pixels stand a pixel apart. */
#define APART_PX 5

/** Bars: an answer as the picture needs it; all of it is the answer's */
typedef struct
{
  KymoRect      area;
  guint         n;
  const gint64 *edges_ns;
  const gint64 *bytes, *largest, *blocks, *lost_ns, *delay_ns;
  double        max;                 /* top of the axis, in bytes */
  gboolean      vector;
  gboolean      known;               /* FALSE: nothing can be painted */
} Bars;

static const gint64 *
values_of (const KymoTable *answer, const char *key, guint n)
{
  guint width = 0;
  const gint64 *values = kymo_table_peek_ints (answer, key, &width);

  return width == n ? values : NULL;
}

/* The axis ends at a tick, so that it stays while bars come and go. */
static double
axis_end (const Bars *bars)
{
  gint64 most = 0;
  double step;

  for (guint i = 0; i < bars->n; i++)
    most = MAX (most, bars->largest[i]);
  step = kymo_nice_step (MAX (most, 10) * 1.02, 4);
  return ceil (MAX (most, 10) * 1.02 / step) * step;
}

static gboolean
bars_init (Bars *bars, const KymoTable *answer, const KymoPlotFrame *frame)
{
  guint n_edges = 0;

  *bars = (Bars) { kymo_plot_frame_area (&kymo_plot_replies, frame) };
  bars->edges_ns = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  if (bars->edges_ns == NULL || n_edges < 2)
    return FALSE;
  bars->n = n_edges - 1;
  bars->bytes = values_of (answer, "bytes", bars->n);
  bars->largest = values_of (answer, "largest_bytes", bars->n);
  bars->blocks = values_of (answer, "blocks", bars->n);
  bars->lost_ns = values_of (answer, "lost_ns", bars->n);
  bars->delay_ns = values_of (answer, "delay_ns", bars->n);
  if (bars->bytes == NULL || bars->largest == NULL || bars->blocks == NULL
      || bars->lost_ns == NULL || bars->delay_ns == NULL)
    return FALSE;
  bars->max = axis_end (bars);
  return TRUE;
}

static double
bar_x (const Bars *bars, const KymoPlotFrame *frame, guint edge)
{
  return bars->vector ? kymo_plot_time_to_x (frame, bars->edges_ns[edge])
                      : kymo_frame_lattice_x (frame, bars->edges_ns[edge]);
}

/* Mean size of the replies of a bar. */
static double
mean_of (const Bars *bars, guint i)
{
  return bars->blocks[i] > 0 ? (double) bars->bytes[i] / bars->blocks[i] : 0;
}

static gboolean
is_lost (const Bars *bars, guint i)
{
  return bars->blocks[i] == 0 && bars->lost_ns[i] > 0;
}

static double
y_of (const Bars *bars, double value)
{
  return bars->area.y + bars->area.height * (1 - value / bars->max);
}

/* What a value's bar covers; of neighbours without room between them no edge
   is left out. */
static void
add_bar (cairo_t *cr, const Bars *bars, const KymoPlotFrame *frame, guint i,
         double from, double to)
{
  double x0 = bar_x (bars, frame, i), x1 = bar_x (bars, frame, i + 1);

  if (x1 - x0 >= APART_PX)
    x1 -= 1;
  if (to > from && x1 > x0)
    cairo_rectangle (cr, x0, y_of (bars, to), x1 - x0,
                     y_of (bars, from) - y_of (bars, to));
}

static KymoRgba
bar_color (const KymoPlotFrame *frame, gboolean largest)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  return kymo_rgba_mix (theme->accent, theme->canvas, largest ? 0.62 : 0.15);
}

static void
paint_bars (cairo_t *cr, const Bars *bars, const KymoPlotFrame *frame)
{
  kymo_set_source (cr, bar_color (frame, TRUE));
  for (guint i = 0; i < bars->n; i++)
    if (bars->blocks[i] > 1)
      add_bar (cr, bars, frame, i, mean_of (bars, i), bars->largest[i]);
  cairo_fill (cr);
  kymo_set_source (cr, bar_color (frame, FALSE));
  for (guint i = 0; i < bars->n; i++)
    add_bar (cr, bars, frame, i, 0, mean_of (bars, i));
  cairo_fill (cr);
}

/* Neighbours that were lost are one stretch. */
static void
paint_lost (cairo_t *cr, const Bars *bars, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = bars->area;

  cairo_save (cr);
  cairo_set_line_width (cr, 1);
  /* From the middle of a pixel: dots are whole ones. */
  cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0.5);
  for (guint i = 0; i < bars->n; i++)
    {
      double x0 = bar_x (bars, frame, i), x1;

      if (!is_lost (bars, i))
        continue;
      while (i + 1 < bars->n && is_lost (bars, i + 1))
        i++;
      x1 = MAX (bar_x (bars, frame, i + 1) - 1, x0 + 1);
      kymo_set_source (cr, theme->canvas);
      cairo_rectangle (cr, x0, area.y, x1 - x0, area.height);
      cairo_fill (cr);
      kymo_set_source (cr, theme->dotted);
      cairo_rectangle (cr, x0 + 0.5, area.y + 0.5, MAX (x1 - x0 - 1, 0),
                       area.height - 1);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
}

static char *
format_rate (double bytes_per_second)
{
  g_autofree char *bytes = kymo_format_bytes (llround (bytes_per_second));

  return g_strconcat (bytes, "/s", NULL);
}

/* Above the bars, to the right. */
static void
paint_bandwidth (cairo_t *cr, const KymoTable *answer,
                 const KymoPlotFrame *frame, KymoRect area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree char *now = format_rate (
    kymo_table_get_double (answer, "bandwidth_now", 0));
  g_autofree char *all = format_rate (
    kymo_table_get_double (answer, "bandwidth", 0));
  g_autofree char *words = g_strdup_printf (
    _("%s in the last 10 s, %s over all"), now, all);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, area.width };

  kymo_text_draw (cr, words, area.x + area.width, area.y - 11, style,
                  theme->secondary);
}

/* Only what there is. */
static GArray *
legend_items (const Bars *bars, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  KymoLegendItem mean = { _("Size of a reply"), KYMO_KIND_ENTRY,
                          bar_color (frame, FALSE), NAN };
  KymoLegendItem largest = { _("The largest of a bar"), KYMO_KIND_ENTRY,
                             bar_color (frame, TRUE), NAN };
  KymoLegendItem lost = { _("Lost"), KYMO_KIND_UNTRACED, { 0 }, NAN };
  gboolean any_joined = FALSE, any_lost = FALSE;

  for (guint i = 0; i < bars->n; i++)
    {
      any_joined = any_joined || bars->blocks[i] > 1;
      any_lost = any_lost || bars->lost_ns[i] > 0;
    }
  g_array_append_val (items, mean);
  if (any_joined)
    {
      g_array_index (items, KymoLegendItem, 0).name = _("Mean size of a reply");
      g_array_append_val (items, largest);
    }
  if (any_lost)
    g_array_append_val (items, lost);
  return items;
}

/* "2.5 kB" at steps of 0.5 kB. */
static char *
format_size (double value, double step)
{
  static const struct { double bytes; const char *name; } units[] = {
    { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" }, { 1, "B" },
  };
  guint u = 0;
  g_autofree char *number = NULL;

  while (u + 1 < G_N_ELEMENTS (units) && step < units[u].bytes * 0.0999)
    u++;
  if (value < step / 2)
    return g_strdup ("0");
  number = kymo_axis_number (value / units[u].bytes, step / units[u].bytes);
  return g_strdup_printf ("%s %s", number, units[u].name);
}

static void
replies_paint (cairo_t *cr, const KymoPicture *picture)
{
  Bars bars = *(const Bars *) picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  KymoRect area = kymo_plot_frame_area (&kymo_plot_replies, frame);
  g_autoptr (GArray) items = NULL;

  if (!bars.known)
    {
      kymo_decor_paint (cr, &kymo_plot_replies, frame, NULL);
      kymo_paint_empty (cr, frame, area, _("No replies in this range"));
      return;
    }
  items = legend_items (&bars, frame);
  kymo_decor_paint (cr, &kymo_plot_replies, frame, items);
  bars.vector = kymo_is_vector (cr);
  kymo_axis_left (cr, frame, area, bars.max, 4, format_size);
  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  paint_bars (cr, &bars, frame);
  paint_lost (cr, &bars, frame);
  cairo_restore (cr);
  paint_bandwidth (cr, answer, frame, area);
  kymo_paint_marks (cr, frame, kymo_table_peek_nested (answer, "marks", NULL),
                    area);
  if (frame->decorate)
    kymo_axis_time (cr, frame, area.y + area.height + 18,
                    area.y + area.height);
}

/* "Block 12" or "Blocks 10 – 19": they are counted by seconds of the program,
   so that a number does not change where one was lost. */
static char *
block_words (const Bars *bars, guint i)
{
  gint64 first = bars->edges_ns[i] / SECOND_NS;
  gint64 last = (bars->edges_ns[i + 1] - 1) / SECOND_NS;

  if (last <= first)
    return g_strdup_printf (_("Block %" PRId64), first);
  return g_strdup_printf (_("Blocks %" PRId64 " – %" PRId64),
                          first, last);
}

static void
describe_size (const Bars *bars, guint i, GString *text)
{
  g_autofree char *mean = kymo_format_bytes (llround (mean_of (bars, i)));
  g_autofree char *largest = kymo_format_bytes (bars->largest[i]);
  g_autofree char *count = kymo_format_count (bars->bytes[i]);

  if (bars->blocks[i] == 1)
    g_string_append_printf (text, _("\n%s bytes"), count);
  else if (bars->blocks[i] > 1)
    g_string_append_printf (text, _("\n%s a reply, %s the largest"), mean,
                            largest);
}

static char *
describe_bar (const Bars *bars, guint i)
{
  g_autofree char *blocks = block_words (bars, i);
  g_autofree char *span = kymo_span_words (
    (KymoSpan) { bars->edges_ns[i], bars->edges_ns[i + 1] });
  GString *text = g_string_new (blocks);

  describe_size (bars, i, text);
  if (bars->lost_ns[i] > 0)
    {
      g_autofree char *lost = kymo_format_duration (bars->lost_ns[i]);

      g_string_append_printf (text, _("\nlost: %s of the program's time"),
                              lost);
    }
  if (bars->delay_ns[i] != KYMO_NULL_INT)
    {
      g_autofree char *delay = kymo_format_duration (bars->delay_ns[i]);

      g_string_append_printf (text, _("\n%s later than the promptest"), delay);
    }
  g_string_append_printf (text, "\n%s", span);
  return g_string_free (text, FALSE);
}

static gboolean
replies_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Bars *bars = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  KymoRect area = kymo_plot_frame_area (&kymo_plot_replies, frame);
  gint64 time_ns = kymo_plot_x_to_time (frame, x);
  guint i;

  if (kymo_marks_hit (frame, picture->answer, area, x, y, hit))
    return TRUE;
  if (!kymo_rect_contains (area, x, y) || !bars->known
      || time_ns < bars->edges_ns[0] || time_ns >= bars->edges_ns[bars->n])
    return FALSE;
  i = kymo_stack_time_at (bars->edges_ns, bars->n, time_ns);
  hit->time_ns = time_ns;
  hit->span = (KymoSpan) { bars->edges_ns[i], bars->edges_ns[i + 1] };
  hit->rect = (KymoRect) { bar_x (bars, frame, i), area.y,
                           bar_x (bars, frame, i + 1)
                           - bar_x (bars, frame, i), area.height };
  if (bars->blocks[i] > 0 || bars->lost_ns[i] > 0)
    hit->text = describe_bar (bars, i);
  return TRUE;
}

static KymoQuestion *
replies_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "replies");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_replies, frame);

  kymo_question_set_resolution (question, CLAMP (area.width / 2, 10, 10000), 0);
  return question;
}

KYMO_DEFINE_PLAIN_LAYOUT (replies, Bars, bars_init)

const KymoPlotClass kymo_plot_replies = {
  .id = "replies",
  .title = N_("Replies"),
  .time_axis = TRUE,
  .needs = KYMO_CAN_STREAM,
  .question = replies_question,
  .lay_out = replies_lay_out,
  .layout_free = g_free,
  .paint = replies_paint,
  .hit = replies_hit,
  .inset = { 0, 24, 0, 8 },
  .has_legend = TRUE,
  .wide = TRUE,
};
