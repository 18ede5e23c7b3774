/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Title, legend and provenance of an exported picture; see kymo-legend.h.
 */
#include "config.h"

#include "kymo-legend.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-in-terms.h"
#include "kymo-order.h"
#include "kymo-units.h"

#define TITLE_PX 44
#define FOOT_PX 26
#define LINE_PX 20
#define BELOW_LINES 3
/* Lower pictures have room for their data or for a legend. */
#define LEAST_PX 260
/* From here on there is room for a legend beside the data. */
#define WIDE_PX 760
/* Pictures for one column of a page. */
#define NARROW_PX 520
#define LEAST_SHARE_PX 170
/* Idle time, overhead and untraced time. */
#define N_CONSTANT 3
/* Room above the data of a picture without a title. */
#define NO_TITLE_PX 12

/* Narrow pictures have their legend below the data, low ones have none. */
static KymoLegendPlace
legend_place (const KymoPlotClass *klass, const KymoPlotFrame *frame)
{
  if (!klass->has_legend)
    return KYMO_LEGEND_NONE;
  if (frame->legend != KYMO_LEGEND_AUTO)
    return frame->legend;
  if (frame->width_px >= WIDE_PX)
    return KYMO_LEGEND_RIGHT;
  return frame->height_px >= LEAST_PX ? KYMO_LEGEND_BELOW : KYMO_LEGEND_NONE;
}

static double
legend_width (const KymoPlotFrame *frame)
{
  return CLAMP (frame->width_px * 0.2, MIN (200, frame->width_px * 0.34), 300);
}

static guint
legend_columns (const KymoPlotFrame *frame, double width)
{
  return (guint) MAX (1, width / (frame->width_px < NARROW_PX ? 150 : 230));
}

/* Below the data: lines for what is wanted, for idle time and the like, and for "more". */
static double
legend_height (const KymoPlotFrame *frame)
{
  guint columns = legend_columns (frame, frame->width_px - 32);
  guint lines = frame->legend_most == 0 ? BELOW_LINES
                : (MIN (frame->legend_most, 1000) + N_CONSTANT + columns) / columns;

  return MIN (lines, MAX (1, floor (frame->height_px * 0.4 / LINE_PX))) * LINE_PX;
}

static gboolean
has_title (const KymoPlotFrame *frame)
{
  return frame->title == NULL || *frame->title != '\0';
}

/**
 * kymo_decor_inset:
 *
 * Tells how much room title, legend and provenance line take. It depends on the picture and its
 * frame only, not on an answer.
 *
 * Returns: room in px: x = left, y = top, width = right, height = bottom; zeros where the frame is
 *   not decorated
 */
KymoRect
kymo_decor_inset (const KymoPlotClass *klass, const KymoPlotFrame *frame)
{
  KymoRect inset = { 0, has_title (frame) ? TITLE_PX : NO_TITLE_PX, 0, FOOT_PX };
  KymoLegendPlace place = legend_place (klass, frame);

  if (!frame->decorate)
    return (KymoRect) { 0, 0, 0, 0 };
  if (place == KYMO_LEGEND_RIGHT)
    inset.width = legend_width (frame);
  else if (place == KYMO_LEGEND_BELOW)
    inset.height += legend_height (frame) + 8;
  return inset;
}

/**
 * kymo_legend_add:
 * @items: of #KymoLegendItem
 * @name: has to outlive @items
 * @share: 0 to 1; NaN for none
 *
 * Appends an activity in its colour, unless the person hid it.
 */
void
kymo_legend_add (GArray *items, const KymoPlotFrame *frame, const char *name,
                 KymoActivityKind kind, double share)
{
  KymoLegendItem item = { name, kind, kymo_theme_activity (frame, name, kind),
                          share };

  if (!kymo_is_hidden (frame, name))
    g_array_append_val (items, item);
}

/**
 * kymo_legend_add_idle:
 * @items: of #KymoLegendItem
 * @rest: whether the answer cannot tell idle time from overhead
 * @idle: share of idle time, 0 to 1
 * @overhead: share of overhead, 0 to 1
 *
 * Appends idle time and overhead, or with @rest a single item with the sum of both.
 */
void
kymo_legend_add_idle (GArray *items, const KymoPlotFrame *frame, gboolean rest,
                      double idle, double overhead)
{
  if (rest)
    {
      kymo_legend_add (items, frame, KYMO_NAME_REST, KYMO_KIND_REST,
                       idle + overhead);
      return;
    }
  kymo_legend_add (items, frame, KYMO_NAME_IDLE, KYMO_KIND_IDLE, idle);
  kymo_legend_add (items, frame, KYMO_NAME_OVERHEAD, KYMO_KIND_OVERHEAD,
                   overhead);
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const KymoLegendItem *x = a, *y = b;
  int x_last = x->kind != KYMO_KIND_ENTRY, y_last = y->kind != KYMO_KIND_ENTRY;

  if (x_last != y_last)
    return x_last - y_last;
  KYMO_ORDER_BY (x->badge, y->badge);
  KYMO_ORDER_BY (x->order, y->order);
  if (x_last && x->kind != y->kind)
    return (x->kind == KYMO_KIND_EVENT ? -1 : (int) x->kind)
           - (y->kind == KYMO_KIND_EVENT ? -1 : (int) y->kind);
  if (x->share != y->share && !isnan (x->share) && !isnan (y->share))
    return x->share > y->share ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

static void
paint_swatch (cairo_t *cr, const KymoPlotFrame *frame,
              const KymoLegendItem *item, double x, double y)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect box = { round (x), round (y - 5), 11, 11 };

  if (item->badge != KYMO_BADGE_NONE)
    {
      kymo_badge_paint (cr, item->badge, box.x + 5.5, box.y + 5.5, 9,
                        item->color, theme->canvas);
      return;
    }
  if (item->kind == KYMO_KIND_ENTRY)
    {
      kymo_set_source (cr, item->color);
      cairo_arc (cr, box.x + 5.5, box.y + 5.5, 5.5, 0, 2 * G_PI);
      cairo_fill_preserve (cr);
      if (kymo_theme_is_hatched (frame, item->name, item->kind))
        kymo_hatch_waiting (cr, theme);
      cairo_new_path (cr);
      return;
    }
  if (item->kind == KYMO_KIND_IDLE)
    kymo_fill_idle (cr, theme, box);
  else if (item->kind == KYMO_KIND_REST)
    kymo_fill_rest (cr, theme, box);
  else if (item->kind == KYMO_KIND_OVERHEAD)
    {
      kymo_set_source (cr, theme->ink);
      cairo_rectangle (cr, box.x, box.y, box.width, box.height);
      cairo_fill (cr);
    }
  cairo_save (cr);
  if (item->kind == KYMO_KIND_UNTRACED)
    cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
  kymo_set_source (cr, item->kind == KYMO_KIND_EVENT ? item->color
                       : item->kind == KYMO_KIND_OVERHEAD ? theme->ink
                       : theme->dotted);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, box.x + 0.5, box.y + 0.5, 10, 10);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_item (cairo_t *cr, const KymoPlotFrame *frame,
            const KymoLegendItem *item, double x, double y, double width)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle name = { KYMO_TEXT_NORMAL - 0.5, FALSE, 0, width - 18 };
  KymoTextStyle share = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  g_autofree char *label = NULL;

  paint_swatch (cr, frame, item, x, y);
  /* In narrow columns the name counts. */
  if (!isnan (item->share) && width >= LEAST_SHARE_PX)
    {
      g_autofree char *text = kymo_format_percent (item->share);

      name.max_px -= 54;
      kymo_text_draw (cr, text, x + width, y, share, theme->secondary);
    }
  label = kymo_text_fitting_name (cr, kymo_shown_name (item->name), name);
  kymo_text_draw (cr, label, x + 18, y, name, theme->foreground);
}

static void
paint_more (cairo_t *cr, const KymoPlotFrame *frame, guint n, double x,
            double y)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree char *text = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%u more", "%u more", n), n);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };

  kymo_text_draw (cr, text, x + 18, y, style, theme->secondary);
}

/* Idle, overhead and shapes come last but are never the ones left out. */
static guint
n_constant (GArray *items)
{
  guint n = 0;

  for (guint i = 0; i < items->len; i++)
    {
      const KymoLegendItem *item = &g_array_index (items, KymoLegendItem, i);

      if (item->badge != KYMO_BADGE_NONE
          || (item->kind != KYMO_KIND_ENTRY && item->kind != KYMO_KIND_EVENT))
        n++;
    }
  return n;
}

static void
paint_items (cairo_t *cr, const KymoPlotFrame *frame, GArray *items,
             KymoRect box)
{
  guint n_columns = legend_columns (frame, box.width);
  guint n_lines = (guint) MAX (1, box.height / LINE_PX);
  guint room = n_columns * n_lines, last = n_constant (items);
  guint n = items->len - last, slot = 0;
  guint most = frame->legend_most > 0 ? MIN (n, frame->legend_most) : n;
  guint shown = most + last + (most < n) <= room ? most
                : room > last + 1 ? room - last - 1 : 0;
  double width = box.width / n_columns - (n_columns > 1 ? 18 : 0);

  for (guint i = 0; i <= items->len && slot < room; i++, slot++)
    {
      double x = box.x + slot / n_lines * (box.width / n_columns);
      double y = box.y + (slot % n_lines + 0.5) * LINE_PX;

      if (i == shown && shown < n)
        {
          paint_more (cr, frame, n - shown, x, y);
          i = n - 1;
        }
      else if (i < items->len)
        paint_item (cr, frame, &g_array_index (items, KymoLegendItem, i),
                    x, y, width);
    }
}

static void
paint_legend (cairo_t *cr, const KymoPlotClass *klass,
              const KymoPlotFrame *frame, GArray *items)
{
  KymoLegendPlace place = legend_place (klass, frame);
  double width = legend_width (frame), height = legend_height (frame);
  KymoRect area = kymo_plot_frame_area (klass, frame);
  KymoRect box = { frame->width_px - width + 4, area.y, width - 20,
                   frame->height_px - FOOT_PX - area.y };

  if (place == KYMO_LEGEND_NONE)
    return;
  if (place == KYMO_LEGEND_BELOW)
    box = (KymoRect) { 16, frame->height_px - FOOT_PX - height, frame->width_px - 32, height };
  g_array_sort (items, compare_items);
  paint_items (cr, frame, items, box);
}

static void
paint_heading (cairo_t *cr, const KymoPlotClass *klass,
               const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const char *title = frame->title != NULL ? frame->title
                      : kymo_plot_title (klass, frame->terms);
  KymoTextStyle style = { KYMO_TEXT_TITLE, TRUE, 0, frame->width_px * 0.6 };
  KymoTextStyle range = { KYMO_TEXT_NORMAL, FALSE, 1, frame->width_px * 0.36 };

  if (!has_title (frame))
    return;
  kymo_text_draw (cr, title, 16, 22, style, theme->foreground);
  if (kymo_span_length (frame->span) > 0 && !kymo_span_is_all (frame->span))
    {
      g_autofree char *words = kymo_span_words (frame->span);

      kymo_text_draw (cr, words, frame->width_px - 16, 22, range,
                      theme->secondary);
    }
}

/**
 * kymo_decor_paint:
 * @items: (nullable): of #KymoLegendItem, in any order; may be sorted in place
 *
 * Fills the whole picture with the canvas. Where the frame is decorated, paints the title, the
 * visible range, the legend and the provenance line as well.
 */
void
kymo_decor_paint (cairo_t *cr, const KymoPlotClass *klass,
                  const KymoPlotFrame *frame, GArray *items)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle foot = { KYMO_TEXT_SMALL - 0.5, FALSE, 0,
                         frame->width_px - 32 };

  kymo_set_source (cr, theme->canvas);
  cairo_rectangle (cr, 0, 0, frame->width_px, frame->height_px);
  /* A picture of so many millimetres may end within the last pixel. */
  if (frame->decorate && !kymo_is_vector (cr))
    cairo_paint (cr);
  cairo_fill (cr);
  if (!frame->decorate)
    return;
  paint_heading (cr, klass, frame);
  if (klass->has_legend && items != NULL)
    paint_legend (cr, klass, frame, items);
  if (frame->provenance != NULL)
    kymo_text_draw (cr, frame->provenance, 16, frame->height_px - 13, foot,
                    theme->secondary);
}
