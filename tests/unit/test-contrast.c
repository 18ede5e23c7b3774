/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contrast of what pictures are made of with what it lies on, in both themes:
 * 4.5 to 1 for text, 3 to 1 for marks (WCAG 2.1, success criteria 1.4.3 and
 * 1.4.11; relative luminance as defined there).
 */
#include "config.h"

#include <math.h>

#include "kymo-theme.h"

#define TEXT_LEAST 4.5
#define MARK_LEAST 3.0

static double
linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
luminance (KymoRgba color)
{
  return 0.2126 * linear (color.red) + 0.7152 * linear (color.green)
         + 0.0722 * linear (color.blue);
}

static double
contrast (KymoRgba a, KymoRgba b)
{
  double x = luminance (a), y = luminance (b);

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

static void
assert_least (const char *what, gboolean dark, double least, KymoRgba a,
              KymoRgba b)
{
  double found = contrast (a, b);

  if (found < least)
    g_error ("%s (%s): %.2f to 1", what, dark ? "dark" : "light", found);
}

static void
test_theme (void)
{
  for (gboolean dark = FALSE; dark <= TRUE; dark++)
    {
      const KymoTheme *theme = kymo_theme_get (dark);
      const KymoRgba grounds[] = { theme->canvas, theme->paper };

      for (guint i = 0; i < G_N_ELEMENTS (grounds); i++)
        {
          assert_least ("text", dark, TEXT_LEAST, theme->foreground, grounds[i]);
          assert_least ("small text", dark, TEXT_LEAST, theme->secondary, grounds[i]);
          assert_least ("selection", dark, MARK_LEAST, theme->accent, grounds[i]);
          assert_least ("match", dark, MARK_LEAST, theme->match, grounds[i]);
          assert_least ("axis", dark, MARK_LEAST, theme->axis, grounds[i]);
          assert_least ("edge of untraced", dark, MARK_LEAST, theme->dotted, grounds[i]);
          assert_least ("overhead", dark, MARK_LEAST, theme->ink_edge, grounds[i]);
        }
    }
}

/* A colour of any kind carries a label that reads. */
static void
test_text_on (void)
{
  for (guint32 rgb = 0; rgb < 0x1000000; rgb += 0x030507)
    {
      KymoRgba ground = { (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0, 1 };

      assert_least ("label", FALSE, TEXT_LEAST, kymo_rgba_text_on (ground), ground);
    }
}

/* Blocks stand out from where nothing runs, in both sets of colours; by their hue more
   than by luminance, for one lightness is what makes them comparable. */
static void
test_hues (void)
{
  for (gboolean dark = FALSE; dark <= TRUE; dark++)
    for (guint palette = 0; palette < 2; palette++)
      {
        g_autoptr (KymoColors) colors = kymo_colors_new (palette);

        for (guint i = 0; i < 20; i++)
          {
            g_autofree char *name = g_strdup_printf ("Chare%u::method", i);

            assert_least (name, dark, 1.4, kymo_colors_get (colors, name, dark),
                          kymo_theme_get (dark)->paper);
          }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contrast/theme", test_theme);
  g_test_add_func ("/contrast/text-on", test_text_on);
  g_test_add_func ("/contrast/hues", test_hues);
  return g_test_run ();
}
