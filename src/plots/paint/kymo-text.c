/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text through pango; see kymo-text.h.
 *
 * To lay a text out costs ten times what it costs to show it, and a picture in
 * motion shows the same texts again: layouts are kept, as many as a full
 * screen has, each thread its own (pango's fonts belong to a thread).
 */
#include "config.h"

#include "kymo-text.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "kymo-in-terms.h"
#include "kymo-name.h"
#include "kymo-safe-text.h"
#include "kymo-units.h"

#define MOST_KEPT 2000
#define NARROWEST 0.2
#define SPARE 16
/* A name that is cut says nothing in less. */
#define LEAST_CUT_PX 64

/* Bytes, of this thread. */
static __thread gsize n_laid_out;

/** Kept: a text laid out and, where it has to be, elided */
typedef struct
{
  char          *text;
  KymoTextStyle  style;            /* align is 0 */
  PangoLayout   *layout;
  int            width, height;
} Kept;

typedef struct
{
  PangoContext *context;
  GHashTable   *kept;              /* a set of Kept */
} Cache;

static guint
kept_hash (gconstpointer data)
{
  const Kept *kept = data;

  return g_str_hash (kept->text) ^ (guint) (kept->style.size_px * 16)
         ^ (guint) (gint) kept->style.max_px << 8 ^ (guint) kept->style.bold << 24;
}

static gboolean
kept_equal (gconstpointer a, gconstpointer b)
{
  const Kept *x = a, *y = b;

  return x->style.size_px == y->style.size_px && x->style.bold == y->style.bold
         && x->style.max_px == y->style.max_px && g_str_equal (x->text, y->text);
}

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  g_free (kept->text);
  g_object_unref (kept->layout);
  g_free (kept);
}

static void
cache_free (gpointer data)
{
  Cache *cache = data;

  g_hash_table_unref (cache->kept);
  g_object_unref (cache->context);
  g_free (cache);
}

/* The thread's cache, for what @cr paints on. */
static Cache *
get_cache (cairo_t *cr)
{
  static GPrivate key = G_PRIVATE_INIT (cache_free);
  Cache *cache = g_private_get (&key);
  guint serial;

  if (cache == NULL)
    {
      cache = g_new0 (Cache, 1);
      cache->context = pango_cairo_create_context (cr);
      cache->kept = g_hash_table_new_full (kept_hash, kept_equal, kept_free,
                                           NULL);
      g_private_set (&key, cache);
    }
  serial = pango_context_get_serial (cache->context);
  pango_cairo_update_context (cr, cache->context);
  if (pango_context_get_serial (cache->context) != serial
      || g_hash_table_size (cache->kept) >= MOST_KEPT)
    g_hash_table_remove_all (cache->kept);
  return cache;
}

static void
lay_out (PangoLayout *layout, const char *text)
{
  n_laid_out += strlen (text);
  pango_layout_set_text (layout, text, -1);
}

/**
 * kymo_text_get_laid_out:
 *
 * Returns: how many bytes of text were given to Pango so far; tests measure work by it
 */
gsize
kymo_text_get_laid_out (void)
{
  return n_laid_out;
}

static PangoLayout *
make_layout (PangoContext *context, const char *text, KymoTextStyle style)
{
  PangoLayout *layout = pango_layout_new (context);
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
  lay_out (layout, text);
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
  lay_out (layout, "…");
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
  lay_out (layout, kept->str);
}

/* How many characters of a text may be seen: pango's time and memory go by what it is given.
   No letter is narrower than that share of the font's size. */
static guint
most_characters (KymoTextStyle style)
{
  double fitting = style.max_px > 0 ? style.max_px / (NARROWEST * style.size_px) + SPARE
                                    : KYMO_NAME_SHOWN;

  return CLAMP (fitting, SPARE, KYMO_NAME_SHOWN);
}

static const Kept *
get_text (cairo_t *cr, const char *whole, KymoTextStyle style)
{
  Cache *cache = get_cache (cr);
  guint most = most_characters (style);
  g_autofree char *shorter = strlen (whole) > most ? kymo_elide_middle (whole, most) : NULL;
  const char *text = shorter != NULL ? shorter : whole;
  Kept key = { .text = (char *) text, .style = style };
  Kept *kept = NULL;

  key.style.align = 0;
  g_hash_table_lookup_extended (cache->kept, &key, (gpointer *) &kept, NULL);
  if (kept != NULL)
    return kept;

  g_autofree char *safe = kymo_safe_text_dup (text);

  kept = g_memdup2 (&key, sizeof key);
  kept->text = g_strdup (text);
  kept->layout = make_layout (cache->context, safe, style);
  pango_layout_get_pixel_size (kept->layout, &kept->width, &kept->height);
  if (style.max_px > 0 && kept->width > style.max_px)
    {
      elide (kept->layout, safe, style.max_px);
      pango_layout_get_pixel_size (kept->layout, &kept->width, &kept->height);
    }
  g_hash_table_add (cache->kept, kept);
  return kept;
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
  const Kept *kept;

  if (text == NULL || *text == 0)
    return;
  kept = get_text (cr, text, style);
  kymo_set_source (cr, color);
  cairo_move_to (cr, round (x - kept->width * style.align),
                 round (y - kept->height / 2.0));
  pango_cairo_show_layout (cr, kept->layout);
  cairo_new_path (cr);
}

/** kymo_text_width: Returns: the width in px, of the whole text */
double
kymo_text_width (cairo_t *cr, const char *text, KymoTextStyle style)
{
  if (text == NULL || *text == 0)
    return 0;
  style.max_px = 0;
  return get_text (cr, text, style)->width;
}

/** kymo_text_fitting_name: as the person reads it, shortened by kymo_name_shorten() */
char *
kymo_text_fitting_name (cairo_t *cr, const char *name, KymoTextStyle style)
{
  g_autofree char *label = g_strdup (kymo_shown_name (name));

  while (style.max_px > 0 && kymo_text_width (cr, label, style) > style.max_px
         && kymo_name_shorten (label))
    ;
  return g_steal_pointer (&label);
}

/** kymo_text_can_be_read: "M…c" tells nothing */
gboolean
kymo_text_can_be_read (cairo_t *cr, const char *text, KymoTextStyle style)
{
  return style.max_px >= LEAST_CUT_PX
         || (style.max_px > 0 && kymo_text_width (cr, text, style) <= style.max_px);
}
