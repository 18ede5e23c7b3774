/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes and words of PEs that are kept; see kymo-badge.h.
 */
#include "config.h"

#include "kymo-badge.h"
#include "kymo-theme.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-text.h"
#include "kymo-units.h"

/* Of a shape before its words. */
#define KEY_BADGE_PX 8

/**
 * kymo_badge_of:
 * @kept_as: (nullable): why a PE is kept, as answers spell it
 *
 * Returns: the shape for the reason: %KYMO_BADGE_NONE for %NULL, %KYMO_BADGE_OTHER for a word that
 *   is neither "representative" nor "outlier"
 */
KymoBadge
kymo_badge_of (const char *kept_as)
{
  if (kept_as == NULL)
    return KYMO_BADGE_NONE;
  if (g_str_equal (kept_as, "representative"))
    return KYMO_BADGE_REPRESENTATIVE;
  return g_str_equal (kept_as, "outlier") ? KYMO_BADGE_OUTLIER : KYMO_BADGE_OTHER;
}

/** kymo_badge_words: for the legend and hover texts */
const char *
kymo_badge_words (KymoBadge badge)
{
  switch (badge)
    {
    case KYMO_BADGE_REPRESENTATIVE:
      return _("representative");
    case KYMO_BADGE_OUTLIER:
      return _("outlier");
    case KYMO_BADGE_OTHER:
      return _("kept as well");
    case KYMO_BADGE_NONE:
    default:
      return "";
    }
}

static void
badge_path (cairo_t *cr, KymoBadge badge, double x, double y, double r)
{
  cairo_new_path (cr);
  if (badge == KYMO_BADGE_REPRESENTATIVE)
    {
      cairo_move_to (cr, x, y - r * 1.25);
      cairo_line_to (cr, x + r * 1.25, y);
      cairo_line_to (cr, x, y + r * 1.25);
      cairo_line_to (cr, x - r * 1.25, y);
    }
  else if (badge == KYMO_BADGE_OUTLIER)
    {
      cairo_move_to (cr, x, y - r * 1.1);
      cairo_line_to (cr, x + r * 1.1, y + r * 0.85);
      cairo_line_to (cr, x - r * 1.1, y + r * 0.85);
    }
  else
    cairo_rectangle (cr, x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6);
  cairo_close_path (cr);
}

/** kymo_badge_paint: around a point; two colours, so that it stands out from
    whatever lies under it */
void
kymo_badge_paint (cairo_t *cr, KymoBadge badge, double x, double y,
                  double size_px, KymoRgba fill, KymoRgba edge)
{
  if (badge == KYMO_BADGE_NONE)
    return;
  badge_path (cr, badge, x, y, size_px / 2);
  kymo_set_source (cr, fill);
  cairo_fill_preserve (cr);
  kymo_set_source (cr, edge);
  cairo_set_line_width (cr, size_px >= 7 ? 1 : 0.5);
  cairo_stroke (cr);
}

/**
 * kymo_badge_paint_key:
 * @right: where the words end, px
 * @y: the middle of the line, px
 *
 * Paints the shape and what it means, for pictures in the window, whose legend is of functions.
 *
 * Returns: where a key or words to the left of it end
 */
double
kymo_badge_paint_key (cairo_t *cr, const KymoPlotFrame *frame, KymoBadge badge, double right,
                      double y)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, 0 };
  const char *words = kymo_badge_words (badge);
  double x = right - kymo_text_width (cr, words, style) - KEY_BADGE_PX;

  kymo_text_draw (cr, words, right, y, style, theme->secondary);
  kymo_badge_paint (cr, badge, x, y, KEY_BADGE_PX, theme->secondary, theme->canvas);
  return x - 2 * KEY_BADGE_PX;
}

/**
 * kymo_unit_of:
 * @word: (nullable): a unit, as answers spell it
 *
 * Returns: %KYMO_UNIT_NS for "ns", %KYMO_UNIT_BYTES for "bytes", %KYMO_UNIT_COUNT for any other
 *   word and %KYMO_UNIT_NUMBER for %NULL
 */
KymoUnit
kymo_unit_of (const char *word)
{
  if (g_strcmp0 (word, "ns") == 0)
    return KYMO_UNIT_NS;
  if (g_strcmp0 (word, "bytes") == 0)
    return KYMO_UNIT_BYTES;
  return word != NULL ? KYMO_UNIT_COUNT : KYMO_UNIT_NUMBER;
}

/** kymo_unit_of_distances: times where nothing else is compared, unscaled */
KymoUnit
kymo_unit_of_distances (const KymoTable *answer)
{
  const char *with = kymo_table_get_string (answer, "with", 0);
  const char *scale = kymo_table_get_string (answer, "scale", 0);

  if (g_strcmp0 (scale, "none") != 0 || with == NULL
      || strstr (with, "messages") != NULL || strstr (with, "bytes") != NULL)
    return KYMO_UNIT_NUMBER;
  return KYMO_UNIT_NS;
}

/** kymo_unit_format: a value with its unit; caller frees */
char *
kymo_unit_format (KymoUnit unit, double value)
{
  g_autofree char *words = NULL;

  if (!isfinite (value))
    return g_strdup ("–");
  switch (unit)
    {
    case KYMO_UNIT_NS:
      words = kymo_format_duration (llround (fabs (value)));
      break;
    case KYMO_UNIT_BYTES:
      words = kymo_format_bytes (llround (fabs (value)));
      break;
    case KYMO_UNIT_COUNT:
      words = kymo_format_count (llround (fabs (value)));
      break;
    case KYMO_UNIT_NUMBER:
    default:
      words = kymo_format_number (fabs (value), 3);
    }
  return g_strconcat (value < 0 ? "−" : "", words, NULL);
}

static char *
axis_time (double value, double step)
{
  double unit_ns;
  const char *unit = kymo_axis_time_unit (MAX (step, 1), &unit_ns);
  g_autofree char *number = kymo_axis_number (value / unit_ns, step / unit_ns);

  if (fabs (value) < step / 1000)
    return g_strdup ("0");
  return g_strdup_printf ("%s %s", number, unit);
}

static char *
axis_bytes (double value, double step)
{
  return kymo_unit_format (KYMO_UNIT_BYTES, value);
}

static char *
axis_count (double value, double step)
{
  return value < 0 || step < 1 ? kymo_axis_number (value, step)
                               : kymo_axis_count (value, step);
}

/**
 * kymo_unit_axis:
 *
 * Returns: the function that writes the labels of an axis of values in this unit, never %NULL
 */
KymoFormatValue
kymo_unit_axis (KymoUnit unit)
{
  static const KymoFormatValue formats[] = { kymo_axis_number, axis_time,
                                             axis_count, axis_bytes };

  return formats[unit];
}

/** kymo_class_shown: @cluster: from 0, or none */
KymoRgba
kymo_class_shown (const KymoPlotFrame *frame, gint64 cluster)
{
  KymoRgba color = kymo_class_color (frame->look, cluster < 0 ? -1
                                     : (gint) MIN (cluster, G_MAXINT));

  if (frame->cluster == 0 || (gint64) frame->cluster - 1 == cluster)
    return color;
  return kymo_rgba_mix (color, kymo_theme_get (frame->look)->canvas, 0.72);
}

/**
 * kymo_classes_question:
 *
 * Returns: (transfer full): a question of the kind "clusters" about the visible range
 */
KymoQuestion *
kymo_classes_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "clusters");
}

/**
 * kymo_legend_add_badge:
 * @items: of #KymoLegendItem
 *
 * Appends the words of a shape, with the shape in the colour of text and without a share.
 */
void
kymo_legend_add_badge (GArray *items, const KymoPlotFrame *frame,
                       KymoBadge badge)
{
  KymoLegendItem item = { kymo_badge_words (badge), KYMO_KIND_EVENT,
                          kymo_theme_get (frame->look)->foreground, NAN,
                          badge };

  g_array_append_val (items, item);
}

static gboolean
has_badge (const KymoTable *pes, KymoBadge badge)
{
  for (guint i = 0; i < kymo_table_get_n_rows (pes); i++)
    if (kymo_badge_of (kymo_table_get_string (pes, "kept_as", i)) == badge)
      return TRUE;
  return FALSE;
}

/**
 * kymo_legend_of_classes:
 * @answer: about clusters
 * @names: takes the names of the clusters; has to free them with g_free() and to outlive the items
 *
 * Makes an item for each cluster, with its share of the PEs, and an item for each shape that a PE
 * of the answer has.
 *
 * Returns: (transfer full): an array of #KymoLegendItem
 */
GArray *
kymo_legend_of_classes (const KymoTable *answer, const KymoPlotFrame *frame,
                        GPtrArray *names)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  KymoTable *clusters = kymo_table_peek_nested (answer, "clusters", NULL);
  KymoTable *pes = kymo_table_peek_nested (answer, "locations", NULL);
  double n = MAX (kymo_table_get_int (answer, "pes", 0), 1);

  for (guint k = 0; clusters != NULL && k < kymo_table_get_n_rows (clusters);
       k++)
    {
      KymoLegendItem item = {
        .kind = KYMO_KIND_ENTRY, .color = kymo_class_shown (frame, k),
        .share = kymo_table_get_int (clusters, "size", k) / n, .order = k };

      item.name = kymo_class_name (k);
      g_ptr_array_add (names, (gpointer) item.name);
      g_array_append_val (items, item);
    }
  for (KymoBadge badge = KYMO_BADGE_REPRESENTATIVE;
       pes != NULL && badge <= KYMO_BADGE_OTHER; badge++)
    if (has_badge (pes, badge))
      kymo_legend_add_badge (items, frame, badge);
  return items;
}

/* Ten colours, darker than those of entry methods ever are, or paler on a dark
   canvas, so that the two are not mixed up. Found by a search for the largest
   least distance in OKLab as people with full, protan and deutan vision see them
   (Machado, Oliveira and Fernandes, 2009), with a contrast to the canvas of at
   least 3 to 1. Beyond ten they go towards grey. */

static const guint32 colors[2][10] = {
  { 0x2454a5, 0xc2460d, 0x478364, 0x7855df, 0x332710,
    0x883170, 0x4d482f, 0x746ca0, 0x31079a, 0x62074e },
  { 0x72d1fe, 0xf68486, 0x96f8ac, 0xcb89fa, 0xd9a02c,
    0xfbe2f8, 0xcacc56, 0xb6a3bb, 0xb3ccb7, 0xf3f55d },
};

/**
 * kymo_class_color:
 * @look: of the canvas it stands on
 * @cluster: from 0; -1, of no cluster, is grey
 */
KymoRgba
kymo_class_color (KymoLook look, gint cluster)
{
  guint32 hex = cluster < 0 ? 0x9a9a9a : colors[KYMO_LOOK_IS_DARK (look)][cluster % 10];
  guint round = cluster < 0 ? 0 : cluster / 10;
  KymoRgba color = { (hex >> 16 & 0xff) / 255.0, (hex >> 8 & 0xff) / 255.0,
                     (hex & 0xff) / 255.0, 1 };
  KymoRgba towards = kymo_theme_get (look)->secondary;

  return kymo_rgba_mix (color, towards, 0.35 * (round % 3));
}

/** kymo_class_name: @cluster: from 0, as the command line counts them */
char *
kymo_class_name (gint cluster)
{
  return g_strdup_printf (_("Cluster %d"), cluster);
}
