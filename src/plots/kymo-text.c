/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text through pango; see kymo-text.h.
 */
#include "config.h"

#include "kymo-text.h"

#include <math.h>
#include <pango/pangocairo.h>

static PangoLayout *
make_layout (cairo_t *cr, const char *text, KymoTextStyle style)
{
  PangoLayout *layout = pango_cairo_create_layout (cr);
  PangoFontDescription *font = pango_font_description_new ();
  PangoAttrList *attrs = pango_attr_list_new ();

  pango_font_description_set_family_static (font, "Sans");
  pango_font_description_set_absolute_size (font, style.size_px * PANGO_SCALE);
  if (style.bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  /* Digits of one width keep columns and moving labels still. */
  pango_attr_list_insert (attrs, pango_attr_font_features_new ("tnum"));
  pango_layout_set_attributes (layout, attrs);
  pango_attr_list_unref (attrs);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text, -1);
  return layout;
}

/* Puts beginning and end of the text around an ellipsis. Pango's own
   elision leaves a gap of odd width after the ellipsis. */
static void
elide (PangoLayout *layout, const char *text, double max_px)
{
  glong n = g_utf8_strlen (text, -1), head = 0, tail = 0;
  g_autofree int *xs = g_new (int, n + 1);
  g_autoptr (GString) kept = g_string_new (NULL);
  int ellipsis, room;
  const char *p = text;

  for (glong i = 0; i <= n; i++, p = *p != 0 ? g_utf8_next_char (p) : p)
    {
      PangoRectangle at;

      pango_layout_index_to_pos (layout, p - text, &at);
      xs[i] = at.x;
    }
  pango_layout_set_text (layout, "…", -1);
  pango_layout_get_size (layout, &ellipsis, NULL);
  room = max_px * PANGO_SCALE - ellipsis;
  while (head + tail < n)
    {
      gboolean at_head = head <= tail;

      if (xs[head + at_head] + xs[n] - xs[n - tail - !at_head] > room)
        break;
      if (at_head)
        head++;
      else
        tail++;
    }
  g_string_append_len (kept, text, g_utf8_offset_to_pointer (text, head) - text);
  if (room >= 0)
    g_string_append (kept, "…");
  g_string_append (kept, g_utf8_offset_to_pointer (text, n - tail));
  pango_layout_set_text (layout, kept->str, -1);
}

/** kymo_text_draw: one line of text; @y is its middle */
void
kymo_text_draw (cairo_t       *cr,
                const char    *text,
                double         x,
                double         y,
                KymoTextStyle  style,
                KymoRgba       color)
{
  g_autoptr (PangoLayout) layout = NULL;
  int width, height;

  if (text == NULL || *text == 0)
    return;
  layout = make_layout (cr, text, style);
  pango_layout_get_pixel_size (layout, &width, &height);
  if (style.max_px > 0 && width > style.max_px)
    {
      elide (layout, text, style.max_px);
      pango_layout_get_pixel_size (layout, &width, &height);
    }
  kymo_set_source (cr, color);
  cairo_move_to (cr, round (x - width * style.align), round (y - height / 2.0));
  pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr);
}

/** kymo_text_width: Returns: the width in px */
double
kymo_text_width (cairo_t *cr, const char *text, KymoTextStyle style)
{
  g_autoptr (PangoLayout) layout = NULL;
  int width;

  if (text == NULL || *text == 0)
    return 0;
  layout = make_layout (cr, text, style);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}
