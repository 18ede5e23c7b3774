/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Message sizes: a bar for each class of sizes, which begins at a power of two, as high as the
 * number of messages. Parts of a bar are tags and communicators, or entry methods. All bars are
 * of the same width, so small sizes and large ones are read alike.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-legend.h"
#include "kymo-stack.h"
#include "kymo-traffic-words.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_message_sizes;

#define GAP_PX 2
/* Bars of few classes are no wider than this, or than this share of the picture. */
#define MOST_BAR_PX 160
#define MOST_BAR_SHARE 0.125
#define LEAST_NAME_PX 16
#define LEAST_LABEL_PX 34

/** Sizes: an answer on its axis; the edges are the answer's */
typedef struct
{
  KymoRect      area;
  guint         n;
  const gint64 *edges;
  double       *xs;
  double        max;
  double        px_per_unit;
  const KymoTable *series;           /* not owned: belongs to the answer */
  gboolean      of_entries;          /* parts of bars are entry methods */
  KymoStack    *stack;
  gboolean      known;               /* FALSE: nothing can be painted */
} Sizes;

/* The last series, of all groups that have none of their own, is grey. */
static gboolean
is_others (const Sizes *sizes, const KymoSeries *series)
{
  const KymoTable *table = sizes->series;

  return kymo_table_get_int (table, "tag", series->row) == KYMO_NULL_INT
    && g_str_equal (series->name, "(others)");
}

static void
color_others (Sizes *sizes, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  for (guint i = 0; i < sizes->stack->series->len; i++)
    {
      KymoSeries *series = &g_array_index (sizes->stack->series, KymoSeries, i);

      if (is_others (sizes, series))
        series->color = kymo_rgba_mix (theme->paper, theme->secondary, 0.4);
    }
}

static gboolean
sizes_init (Sizes *sizes, const KymoTable *answer, const KymoPlotFrame *frame)
{
  guint n_edges = 0;
  double width;

  *sizes = (Sizes) { kymo_plot_frame_area (&kymo_plot_message_sizes, frame) };
  sizes->edges = kymo_table_peek_ints (answer, "edges_bytes", &n_edges);
  if (sizes->edges == NULL || n_edges < 2)
    return FALSE;
  sizes->n = n_edges - 1;
  sizes->xs = g_new (double, n_edges);
  width = MIN (sizes->area.width / sizes->n,
               MAX (sizes->area.width * MOST_BAR_SHARE, MOST_BAR_PX));
  for (guint i = 0; i < n_edges; i++)
    sizes->xs[i] = sizes->area.x + i * width;
  sizes->series = kymo_table_peek_nested (answer, "series", NULL);
  sizes->of_entries = g_strcmp0 (kymo_table_get_string (answer, "by", 0), "entry") == 0;
  sizes->stack = kymo_stack_new (sizes->series, "values", sizes->n, frame);
  color_others (sizes, frame);
  for (guint i = 0; i < sizes->n; i++)
    sizes->max = MAX (sizes->max, sizes->stack->tops[i]);
  sizes->px_per_unit = sizes->max > 0 ? sizes->area.height / (sizes->max * 1.04) : 0;
  return sizes->max > 0;
}

static void
sizes_clear (Sizes *sizes)
{
  g_clear_pointer (&sizes->xs, g_free);
  g_clear_pointer (&sizes->stack, kymo_stack_free);
}

static GArray *
list_legend (const Sizes *sizes, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double all = 0;

  for (guint i = 0; i < sizes->stack->series->len; i++)
    all += g_array_index (sizes->stack->series, KymoSeries, i).total;
  for (guint i = 0; i < sizes->stack->series->len; i++)
    {
      const KymoSeries *series = &g_array_index (sizes->stack->series, KymoSeries, i);

      kymo_legend_add (items, frame, series->name, KYMO_KIND_ENTRY, series->total / all);
      if (!series->hidden)
        g_array_index (items, KymoLegendItem, items->len - 1).color = series->color;
    }
  return items;
}

/* "512 B", "1 KiB": edges are 0 and powers of two. */
static char *
dup_edge (gint64 bytes)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  guint unit = 0;

  for (; bytes >= 1024 && unit + 1 < G_N_ELEMENTS (units); unit++)
    bytes /= 1024;
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s", bytes, units[unit]);
}

/* Every how many of the edges have a label, so that those that have one are evenly apart. */
static guint
labels_apart (cairo_t *cr, const Sizes *sizes, KymoTextStyle style)
{
  double most = 0;

  for (guint i = 0; i <= sizes->n; i++)
    {
      g_autofree char *label = dup_edge (sizes->edges[i]);

      most = MAX (most, kymo_text_width (cr, label, style));
    }
  return ceil (MAX ((most + 8) / MAX (sizes->xs[1] - sizes->xs[0], 1), 1));
}

/* The first size of each class stands below its left edge, where there is room. */
static void
paint_sizes_axis (cairo_t *cr, const Sizes *sizes, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  KymoTextStyle below = { KYMO_TEXT_SMALL, FALSE, 0.5, sizes->area.width };
  double base = sizes->area.y + sizes->area.height;
  guint every = labels_apart (cr, sizes, style);

  for (guint i = 0; i <= sizes->n; i++)
    {
      g_autofree char *label = dup_edge (sizes->edges[i]);

      kymo_set_source (cr, theme->axis);
      cairo_set_line_width (cr, 1);
      kymo_line (cr, sizes->xs[i], base, sizes->xs[i], base + 5);
      cairo_stroke (cr);
      /* The least size has a label as well, where it is not too close to the next one. */
      if ((sizes->n - i) % every == 0
          || (i == 0 && sizes->n % every * (sizes->xs[1] - sizes->xs[0]) >= LEAST_LABEL_PX))
        kymo_text_draw (cr, label, sizes->xs[i], base + 16, style, theme->secondary);
    }
  kymo_text_draw (cr, _("Size of a message"), (sizes->xs[0] + sizes->xs[sizes->n]) / 2,
                  base + 34, below, theme->secondary);
}

/* A class with few messages is a pixel high. */
static void
paint_low_bars (cairo_t *cr, const Sizes *sizes)
{
  for (guint i = 0; i < sizes->n; i++)
    {
      double height = sizes->stack->tops[i] * sizes->px_per_unit;
      const KymoSeries *series = kymo_stack_at (sizes->stack, i, 0, NULL);

      if (height >= 1 || series == NULL)
        continue;
      kymo_set_source (cr, series->color);
      cairo_rectangle (cr, sizes->xs[i] + GAP_PX / 2.0,
                       sizes->area.y + sizes->area.height - 1,
                       sizes->xs[i + 1] - sizes->xs[i] - GAP_PX, 1);
      cairo_fill (cr);
    }
}

/* Parts with room for a line have their name in them: the legend of a run names functions, not
   tags. */
static void
paint_names (cairo_t *cr, const Sizes *sizes)
{
  const KymoStack *stack = sizes->stack;

  for (guint bin = 0; bin < sizes->n; bin++)
    {
      KymoTextStyle style
        = { KYMO_TEXT_SMALL, FALSE, 0.5, sizes->xs[bin + 1] - sizes->xs[bin] - 12 };
      double y = sizes->area.y + sizes->area.height;

      for (guint i = 0; i < stack->series->len; i++)
        {
          const KymoSeries *series = &g_array_index (stack->series, KymoSeries, i);
          double height = series->hidden ? 0
            : stack->values[(gsize) i * sizes->n + bin] * sizes->px_per_unit;

          y -= height;
          if (height >= LEAST_NAME_PX && kymo_text_can_be_read (cr, series->name, style))
            kymo_text_draw (cr, series->name, (sizes->xs[bin] + sizes->xs[bin + 1]) / 2,
                            y + height / 2, style, kymo_rgba_text_on (series->color));
        }
    }
}

static void
message_sizes_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Sizes *sizes = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;

  if (!sizes->known)
    {
      kymo_decor_paint (cr, &kymo_plot_message_sizes, frame, NULL);
      kymo_traffic_paint_empty (cr, picture->answer, frame, sizes->area);
      return;
    }
  items = list_legend (sizes, frame);
  kymo_decor_paint (cr, &kymo_plot_message_sizes, frame, items);
  kymo_axis_left (cr, frame, sizes->area, sizes->max * 1.04, sizes->area.height / 48,
                  kymo_axis_count);
  kymo_text_draw (cr, _("Messages"), sizes->area.x, sizes->area.y - 12,
                  (KymoTextStyle) { KYMO_TEXT_SMALL, FALSE, 0, sizes->area.width },
                  kymo_theme_get (frame->look)->secondary);
  kymo_stack_paint (cr, sizes->stack, sizes->xs, GAP_PX, sizes->area.y + sizes->area.height,
                    sizes->px_per_unit);
  paint_low_bars (cr, sizes);
  paint_names (cr, sizes);
  paint_sizes_axis (cr, sizes, frame);
  kymo_paint_extrapolated (cr, frame, sizes->area, picture->answer);
}

/* Bytes of a series in a class, or of all that are shown. */
static gint64
bytes_of (const Sizes *sizes, const KymoSeries *one, guint bin)
{
  guint width = 0;
  const gint64 *bytes = kymo_table_peek_ints (sizes->series, "bytes", &width);
  gint64 sum = 0;

  for (guint i = 0; bytes != NULL && width == sizes->n && i < sizes->stack->series->len; i++)
    {
      const KymoSeries *series = &g_array_index (sizes->stack->series, KymoSeries, i);

      if (!series->hidden && (one == NULL || one == series))
        sum += bytes[(gsize) series->row * width + bin];
    }
  return sum;
}

/* "tag 7, MPI_COMM_WORLD: 12 messages, 3 kB\n256 – 511 bytes\n…" */
static char *
describe_sizes (const Sizes *sizes, guint bin, const KymoSeries *series, double own)
{
  gint64 from = sizes->edges[bin], to = MAX (sizes->edges[bin + 1] - 1, from);
  g_autofree char *first = kymo_format_count (from), *last = kymo_format_count (to);
  g_autofree char *range = from == to
    ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Size: %s byte", "Size: %s bytes", from),
                       first)
    : g_strdup_printf (_("Size: %s – %s bytes"), first, last);
  g_autofree char *all = kymo_traffic_both (sizes->stack->tops[bin],
                                            bytes_of (sizes, NULL, bin));
  g_autofree char *part = NULL;

  if (series == NULL)
    return g_strdup_printf (_("%s\nAll: %s"), range, all);
  part = kymo_traffic_both (own, bytes_of (sizes, series, bin));
  return g_strdup_printf (_("%s: %s\n%s\nAll: %s"), series->name, part, range, all);
}

static gboolean
message_sizes_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Sizes *sizes = picture->layout;
  const KymoSeries *series;
  double own = 0;
  guint bin;

  kymo_hit_init (hit);
  if (!sizes->known || !kymo_rect_contains (sizes->area, x, y) || x >= sizes->xs[sizes->n])
    return FALSE;
  bin = kymo_stack_bin_at (sizes->xs, sizes->n, x);
  series = kymo_stack_at (sizes->stack, bin,
                          (sizes->area.y + sizes->area.height - y) / sizes->px_per_unit, &own);
  hit->rect = (KymoRect) { sizes->xs[bin], sizes->area.y, sizes->xs[bin + 1] - sizes->xs[bin],
                           sizes->area.height };
  /* Tags and what joins others are nothing to go to, or to hide. */
  hit->name = series != NULL && sizes->of_entries && !is_others (sizes, series)
    ? g_strdup (series->name) : NULL;
  hit->text = describe_sizes (sizes, bin, series, own);
  return TRUE;
}

static GArray *
message_sizes_boxes (const KymoPicture *picture)
{
  const Sizes *sizes = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));
  KymoStackBoxes at = { sizes->xs, sizes->area, sizes->px_per_unit, NULL };

  for (guint bin = 0; sizes->known && bin < sizes->n; bin++)
    kymo_stack_add_bin (sizes->stack, &at, bin, boxes);
  return boxes;
}

static KymoQuestion *
message_sizes_question (const KymoPlotFrame *frame)
{
  return kymo_traffic_question (frame, "message-sizes");
}

KYMO_DEFINE_LAYOUT (message_sizes, Sizes, sizes_init, sizes_clear)

const KymoPlotClass kymo_plot_message_sizes = {
  .id = "message-sizes",
  .title = N_("Message sizes"),
  .needs = KYMO_CAN_MESSAGES,
  .question = message_sizes_question,
  .lay_out = message_sizes_lay_out,
  .layout_free = message_sizes_layout_free,
  .paint = message_sizes_paint,
  .hit = message_sizes_hit,
  .boxes = message_sizes_boxes,
  .inset = { 64, 26, 24, 48 },
  .has_legend = TRUE,
};
